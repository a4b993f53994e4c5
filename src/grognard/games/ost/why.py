"""Why something is not offered: the same bars that left it out of the options, with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from grognard.board.paths import reach
from grognard.core.ask import Bar
from grognard.core.errors import GrognardError
from grognard.games.ost import (
    air_strikes,
    arms,
    artillery,
    assault,
    crewed_weapons,
    entry,
    fire_groups,
    fortifications,
    group_move,
    leaders,
    luck,
    morale,
    movement,
    sight,
    stacking,
    support_weapons,
    terrain,
    vehicle_movement,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import luck_cards
from grognard.games.ost.state import ON_MAP, Unit
from grognard.games.ost.view import as_known, knows_unit

NOT_YOURS = Bar("67.2", "it is not a unit of yours")
NOT_YOUR_IMPULSE = Bar("67.1", "it is not your Impulse")
NO_POINTS = Bar("67.5", "you have no Impulse Points left")
ONE_POINT = Bar("7.0", "a group action costs two Impulse Points")
NO_WEAPON = Bar("88.1", "it has nothing to fire with")
GROUPS = frozenset({"group_move", "rolling_cover", "fire_group", "group_assault"})


def why_not(battle: OstBattle, side: str, words: str) -> list[Bar]:
    """Why a unit, a unit's verb, or its verb at a target, is not offered; nothing when it is allowed.

    ``words`` are those of an answer in either order: "g3", "g3 fire", "fire g3 a7", "move g3 D8", "group_move
    g1 g2", "oba mortars", "card old_soldier".
    """
    return list(dict.fromkeys(_why(battle, side, words.split())))


def _why(battle: OstBattle, side: str, words: list[str]) -> Iterator[Bar]:
    units = battle.state.units
    known = {word: units[word] for word in words if word in units and knows_unit(battle, side, units[word])}
    verb = next((word for word in words if word in VERBS or word in OTHERS), "")
    own = [unit for unit in known.values() if unit.side == side]
    for word in words:
        if word != verb and word not in known and not _is_something(battle, word):
            yield Bar("", f"there is no “{word}” that you know of; write it as: g3 fire a7, or g3 move D8")
            return
    yield from _timing(battle, side, verb)
    if verb in OTHERS:
        rest = [word for word in words if word != verb]
        yield from OTHERS[verb](battle, side, rest)
        return
    if not own:
        yield NOT_YOURS if known else Bar("", "say which unit: g3 fire a7, or g3 move D8")
        return
    places = [word for word in words if word in battle.grid]
    enemies = [unit for unit in known.values() if unit.side != side]
    rest = [word for word in words if word not in units and word != verb and word not in battle.grid]
    for each in [verb] if verb else ("move", "fire", "assault", "rally", "cover"):
        found = list(VERBS[each](battle, own, enemies, places, rest))
        yield from (found if verb else (Bar(bar.rule, f"{each}: {bar.reason}", bar.source) for bar in found))


def _is_something(battle: OstBattle, word: str) -> bool:
    return (
        word in battle.grid
        or word in battle.state.weapons
        or word in battle.figures.oba
        or word in luck_cards()
        or word in ("wire", "mines", "roadblock", "road", "building")
    )


def _timing(battle: OstBattle, side: str, verb: str) -> Iterator[Bar]:
    state = battle.state
    if state.phase != "play" or verb in ("attach", "detach", "give", "card"):
        return
    if state.active != side:
        yield NOT_YOUR_IMPULSE
    if not state.points.get(side):
        yield NO_POINTS
    elif verb in GROUPS and state.points[side] < battle.figures["impulse"]["cost_group"]:
        yield ONE_POINT


# ---- what a unit can do ----------------------------------------------------------------------------------

Units = list[Unit]
Words = list[str]


def _fire(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    unit = own[0]
    if bar := arms.bar_fire(battle, unit):
        yield bar
        return
    weapons = arms.arms(battle, unit)
    targets = arms.visible_targets(battle, unit.side)
    if not weapons:
        yield NO_WEAPON
        return
    if not enemies and not places and support_weapons.can_throw(battle, unit, targets):
        return
    wanted = enemies or [target for target in targets if not places or target.hex in places]
    found: list[Bar] = []
    for target in wanted:
        for arm in weapons:
            bar = arms.bar_shot(battle, unit, target, arm)
            if bar is None:
                return
            found.append(bar if enemies else Bar(bar.rule, bar.reason, bar.source or target.id))
        for weapon in battle.weapons(unit):
            if weapon.kind in battle.kinds and (battle.kinds[weapon.kind].mortar or _satchel(battle, weapon.kind)):
                bar = support_weapons.bar_throw(battle, unit, weapon, target.hex, targets)
                if bar is None:
                    return
                found.append(bar)
    yield from found or [Bar("88.2", "there is no enemy to be seen")]


def _satchel(battle: OstBattle, kind: str) -> bool:
    return battle.kinds[kind].class_ == "satchel"


def _move(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    unit = own[0]
    bar = entry.bar_enter(battle, unit) if unit.status != ON_MAP else movement.bar_move(battle, unit)
    if bar:
        yield bar
    elif places and unit.status != ON_MAP:
        yield from _some(entry.bar_entry_hex(battle, unit, places[0]))
    elif places:
        yield from _way(battle, unit, places[0])


def _way(battle: OstBattle, unit: Unit, hex: str) -> Iterator[Bar]:
    """What keeps a unit from a hex: what lies in it, or the price of the way there."""
    if battle.type(unit).transport_only:
        yield movement.BY_TRANSPORT
        return
    if bar := movement.bar_occupied(battle, unit.side, hex) or stacking.bar_stack(battle, unit.side, hex, [unit]):
        yield bar
        return
    if battle.grid.direction(unit.hex, hex) and not battle.type(unit).vehicle:
        yield from _some(movement.bar_step(battle, [unit], hex))
        return

    def steps(at: str) -> Iterator[tuple[str, int]]:
        for next_ in battle.grid.adjacent[at]:
            if movement.bar_occupied(battle, unit.side, next_) or stacking.bar_stack(battle, unit.side, next_, [unit]):
                continue
            if terrain.bar_entry(battle, unit, at, next_) is None:
                yield next_, terrain.entry_points(battle, unit, at, next_)

    found = reach(unit.hex, None, steps)
    if hex not in found:
        into = [terrain.bar_entry(battle, unit, near, hex) for near in battle.grid.adjacent[hex]]
        yield next((bar for bar in into if bar), Bar("75.6", "no way leads there"))
        return
    points, allowance = found[hex][0], battle.allowance(unit)
    if points > allowance:
        say = terrain.say_points
        yield Bar("75.6", f"the way costs {say(points)} of its {say(allowance)} Movement Points", hex)
    if battle.type(unit).vehicle and battle.grid.direction(unit.hex, hex):
        yield from _some(vehicle_movement.bar_direction(battle, unit, hex, False))


def _assault(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    unit = own[0]
    if bar := assault.bar_assaulter(battle, unit):
        yield bar
        return
    hexes = places or [enemy.hex for enemy in enemies] or battle.grid.adjacent[unit.hex]
    yield from _unless_one_works(assault.bar_assault(battle, unit, hex) for hex in hexes)


def _group_assault(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    hexes = places or [enemy.hex for enemy in enemies] or list(battle.grid.adjacent[own[0].hex])
    if len(own) > 1:
        yield from _unless_one_works(assault.bar_group_assault(battle, own[0], own[1], hex) for hex in hexes)
    else:
        yield SECOND


def _fire_group(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    if len(own) < 2:
        yield SECOND
        return
    for unit in own[:2]:
        yield from _some(fire_groups.bar_member(battle, unit))
    targets = enemies or arms.visible_targets(battle, own[0].side)
    yield from _unless_one_works(fire_groups.bar_group(battle, own[0], own[1], target) for target in targets)


SECOND = Bar("80.1", "a group needs a second unit: name it too")


def _pair(bar: Callable[[OstBattle, Unit, Unit], Bar | None]) -> Callable[..., Iterator[Bar]]:
    def why(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
        if len(own) < 2:
            yield SECOND
        else:
            yield from _some(bar(battle, own[0], own[1]))

    return why


def _alone(bar: Callable[[OstBattle, Unit], Bar | None]) -> Callable[..., Iterator[Bar]]:
    def why(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
        yield from _some(bar(battle, own[0]))

    return why


def _clear(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    wanted = [word for word in rest if word in ("wire", "mines", "roadblock")] or ["wire", "mines", "roadblock"]
    yield from _unless_one_works(fortifications.bar_clear(battle, own[0], obstacle) for obstacle in wanted)


def _give(battle: OstBattle, own: Units, enemies: Units, places: Words, rest: Words) -> Iterator[Bar]:
    weapons = [battle.state.weapons[word] for word in rest if word in battle.state.weapons]
    if not weapons:
        yield Bar("20.13", "say which weapon: give w1 g2")
    else:
        yield from _some(leaders.bar_hand_over(battle, weapons[0], own[0]))


def _some(bar: Bar | None) -> Iterator[Bar]:
    if bar is not None:
        yield bar


def _unless_one_works(bars: Iterable[Bar | None]) -> list[Bar]:
    """All the reasons, unless one of the ways is free."""
    found = list(bars)
    return [] if None in found else [bar for bar in found if bar is not None]


VERBS: dict[str, Callable[..., Iterator[Bar]]] = {
    "move": _move,
    "enter": _move,
    "fire": _fire,
    "assault": _assault,
    "group_assault": _group_assault,
    "fire_group": _fire_group,
    "group_move": _pair(group_move.bar_group_move),
    "rolling_cover": _pair(group_move.bar_rolling_cover),
    "lift": _alone(group_move.bar_lift),
    "rally": _alone(morale.bar_rally),
    "cover": _alone(fortifications.bar_cover),
    "clear": _clear,
    "demolish": _alone(fortifications.bar_demolish),
    "engineer_smoke": _alone(fortifications.bar_engineer),
    "abandon": _alone(crewed_weapons.bar_abandon),
    "attach": _pair(leaders.bar_attach),
    "detach": _alone(leaders.bar_detach),
    "give": _give,
}


# ---- what a side can do -----------------------------------------------------------------------------------


def _oba(battle: OstBattle, side: str, rest: Words) -> Iterator[Bar]:
    kinds = [word for word in rest if word in battle.figures.oba] or list(battle.figures.oba)
    yield from _unless_one_works(artillery.bar_oba(battle, side, kind) for kind in kinds)


def _air(battle: OstBattle, side: str, rest: Words) -> Iterator[Bar]:
    yield from _some(air_strikes.bar_air(battle, side))


def _card(battle: OstBattle, side: str, rest: Words) -> Iterator[Bar]:
    if battle.state.active != side:
        yield NOT_YOUR_IMPULSE
    after = bool(battle.state.step)
    for card in rest or battle.state.cards.get(side, []):
        yield from _some(luck.bar_card(battle, side, card, after))


def _pass(battle: OstBattle, side: str, rest: Words) -> Iterator[Bar]:
    points = battle.state.points
    if points[side] >= points[battle.other(side)]:
        yield Bar("67.6", "only the side with fewer Impulse Points may pass; you may burn one")


def _burn(battle: OstBattle, side: str, rest: Words) -> Iterator[Bar]:
    points = battle.state.points
    if points[side] < points[battle.other(side)]:
        yield Bar("67.7", "a side with fewer Impulse Points passes instead, which is free")


OTHERS: dict[str, Callable[[OstBattle, str, Words], Iterator[Bar]]] = {
    "oba": _oba,
    "air": _air,
    "card": _card,
    "pass": _pass,
    "burn": _burn,
}


# ---- sight ------------------------------------------------------------------------------------------------


def line_of_sight(battle: OstBattle, side: str, start: str, end: str) -> sight.SightReport:
    """The line of sight between two units or hexes with what it crosses, from what the side may know."""
    known = as_known(battle, side)
    ends: list[Unit | str] = []
    for place in (start, end):
        unit = known.state.units.get(place)
        if unit is not None and unit.status == ON_MAP and knows_unit(known, side, unit):
            ends.append(unit)
        elif place in known.grid:
            ends.append(place)
        else:
            units = ", ".join(u.id for u in known.state.units.values() if knows_unit(known, side, u))
            hexes = f"hexes go from {known.grid.hexes[0]} to {known.grid.hexes[-1]}"
            raise GrognardError(f"{place!r} is neither a hex nor a unit that you know of; {hexes}, units are {units}")
    return sight.explain(known, ends[0], ends[1])
