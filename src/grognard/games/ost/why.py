"""Why something is not offered: the same bars that left it out of the options, with their rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar

from grognard.board.hex.paths import reach
from grognard.core.ask import Bar
from grognard.core.reasons import Reason, Reasons, Wish, some, unless_one_works
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
    morale,
    movement,
    stacking,
    support_weapons,
    terrain,
    transport,
    vehicle_movement,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IS_USED
from grognard.games.ost.luck import cards
from grognard.games.ost.roster import luck_cards
from grognard.games.ost.state import ON_MAP, Unit
from grognard.games.ost.view import knows_unit

NOT_YOUR_IMPULSE = Bar("67.1", "it isn't your Impulse")
NO_POINTS = Bar("67.5", "you have no Impulse Points left")
NOT_SUSTAINED = Bar("18.1", "only a crewed machine gun whose counter says so has Sustained Fire")
NO_PASSENGER = Bar("79.2", "it carries no units")
OTHER_PHASE = Bar("111.3", "Leaders are attached and weapons handed over in a phase of their own")
ONE_POINT = Bar("7.0", "a group action costs two Impulse Points")
OWN_SIDE = Bar("88.1", "it is on your side")
IS_ON_MAP = Bar("78.3", "it is already on the map")
#: Words of answers that are no verbs.
ANSWERS = ("hold", "shells", "weapon")
GROUPS = frozenset({"group_move", "rolling_cover", "fire_group", "group_assault"})
#: What begins a Move, and what it goes on with.
MOVES = frozenset({"move", "enter", "group_move", "rolling_cover"})
STEPS = frozenset({"step", "reverse", "pivot"})


# ---- what a unit can do ----------------------------------------------------------------------------------


def _fire(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    unit = wish.own[0]
    if bar := arms.bar_fire(battle, unit):
        yield bar
        return
    if len(wish.own) > 1 and not wish.others:
        yield Bar(OWN_SIDE.rule, OWN_SIDE.reason, battle.name(wish.own[1]))
        return
    targets = arms.visible_targets(battle, unit.side)
    if bar := arms.bar_arms(battle, unit):
        yield bar
        return
    weapons = arms.arms(battle, unit)
    if not wish.others and not wish.places and support_weapons.can_throw(battle, unit, targets):
        return
    wanted = wish.others or [target for target in targets if not wish.places or target.hex in wish.places]
    found: list[Bar] = []
    for target in wanted:
        for arm in weapons:
            bar = arms.bar_shot(battle, unit, target, arm)
            if bar is None:
                return
            found.append(bar if wish.others else Bar(bar.rule, bar.reason, bar.source or target.id))
        for weapon in battle.weapons(unit):
            if weapon.kind in battle.kinds and (battle.kinds[weapon.kind].mortar or _satchel(battle, weapon.kind)):
                bar = support_weapons.bar_throw(battle, unit, weapon, target.hex, targets)
                if bar is None:
                    return
                found.append(bar)
    yield from found or [Bar("88.2", "you see no enemies")]


def _sustained(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    unit = wish.own[0]
    if not battle.type(unit).sustained_fire:
        yield NOT_SUSTAINED
    elif battle.used(unit):
        yield IS_USED
    else:
        yield from _fire(battle, wish)
        for first, second in pairwise(wish.others):
            if battle.grid.dist[first.hex][second.hex] > 1:
                yield Bar("18.6", "its two targets must be in the same hex or in adjoining ones", second.hex)


def _thrown(rule: str, name: str, wanted: Callable[[OstBattle, str], bool]) -> Reason[OstBattle]:
    """Why a weapon that is thrown at a hex is not used: the squad has none, or as any fire (20)."""

    def why(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
        if not any(wanted(battle, weapon.kind) for weapon in battle.weapons(wish.own[0])):
            yield Bar(rule, f"it doesn't have a {name}")
        else:
            yield from _fire(battle, wish)

    return why


def _mortar(battle: OstBattle, kind: str) -> bool:
    return battle.kinds[kind].mortar


def _satchel(battle: OstBattle, kind: str) -> bool:
    return battle.kinds[kind].class_ == "satchel"


def _move(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    unit = wish.own[0]
    bar = entry.bar_enter(battle, unit) if unit.status != ON_MAP else movement.bar_move(battle, unit)
    if bar:
        yield bar
    elif wish.places and unit.status != ON_MAP:
        yield from some(entry.bar_entry_hex(battle, unit, wish.places[0]))
    elif wish.places:
        yield from _way(battle, unit, wish.places[0])


def _enter(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    if wish.own[0].status == ON_MAP:
        yield IS_ON_MAP
    else:
        yield from _move(battle, wish)


def _goes_on(wish: Wish) -> bool:
    """Whether a step is one of a Move that has begun: what began it is among the words."""
    return wish.verb in STEPS and any(word in MOVES for word in wish.words)


def _bar_move(battle: OstBattle, wish: Wish) -> Bar | None:
    """Why a unit may not Move; of one that is under way that is settled."""
    return None if _goes_on(wish) else movement.bar_move(battle, wish.own[0])


def _step(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    unit = wish.own[0]
    if (bar := _bar_move(battle, wish)) is not None:
        yield bar
    elif unit.aboard:
        yield Bar("79.9", "a passenger unloads first and moves on a later turn")
    elif wish.places:
        yield from some(movement.bar_step(battle, wish.own, wish.places[0]))


def _reverse(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    if not any(battle.type(unit).vehicle for unit in wish.own):
        yield Bar("76.9", "only vehicles can reverse")
    elif (bar := _bar_move(battle, wish)) is not None:
        yield bar
    elif wish.places:
        yield from some(movement.bar_step(battle, wish.own, wish.places[0], reverse=True))


def _pivot(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    kinds = [battle.type(unit) for unit in wish.own]
    if not any(kind.vehicle or kind.covered_arc for kind in kinds):
        yield Bar("76.6", "only vehicles and guns have a facing")
    else:
        yield from some(_bar_move(battle, wish))


def _load(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    riders = [unit for unit in wish.own if not battle.type(unit).vehicle]
    if not riders:
        yield Bar("79.8", "loading is the passenger's Move: name the passenger")
        return
    rider = riders[0]
    if rider.aboard:
        yield Bar("79.2", "it is already riding", battle.name(battle.unit(rider.aboard)))
    elif (bar := movement.bar_move(battle, rider)) is not None:
        yield bar
    else:
        vehicles = [unit for unit in wish.own if unit is not rider]
        vehicles = vehicles or [unit for unit in battle.at[rider.hex] if battle.type(unit).vehicle]
        bars = [transport.bar_ride(battle, rider, vehicle) for vehicle in vehicles]
        yield from unless_one_works(bars or [transport.NO_VEHICLE])


def _unload(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    rider = wish.own[0]
    if battle.type(rider).vehicle:
        passenger = battle.passenger(rider)
        name = battle.name(passenger) if passenger is not None else ""
        yield Bar("79.9", "unloading is the passenger's Move: name the passenger", name) if name else NO_PASSENGER
        return
    yield from some(movement.bar_action(battle, rider) or movement.bar_move(battle, rider))
    if not rider.aboard:
        yield transport.NOT_ABOARD


def _man(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    if len(wish.own) < 2:
        yield Bar("17.3", "name the weapon: man g3 with g1")
    else:
        yield from some(crewed_weapons.bar_man(battle, wish.own[0], wish.own[1]))


def _way(battle: OstBattle, unit: Unit, hex: str) -> Iterator[Bar]:
    """What keeps a unit from a hex: what lies in it, or the price of the way there."""
    if battle.type(unit).transport_only:
        yield movement.BY_TRANSPORT
        return
    if bar := movement.bar_occupied(battle, unit.side, hex) or stacking.bar_stack(battle, unit.side, hex, [unit]):
        yield bar
        return
    if battle.grid.direction(unit.hex, hex) and not battle.type(unit).vehicle:
        yield from some(movement.bar_step(battle, [unit], hex))
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
        yield next((bar for bar in into if bar), Bar("75.6", "it can't get there"))
        return
    points, allowance = found[hex][0], battle.allowance(unit)
    if points > allowance:
        say = terrain.say_points
        yield Bar("75.6", f"the way costs {say(points)} of its {say(allowance)} Movement Points", hex)
    if battle.type(unit).vehicle and battle.grid.direction(unit.hex, hex):
        yield from some(vehicle_movement.bar_direction(battle, unit, hex, False))


def _assault(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    unit = wish.own[0]
    if bar := assault.bar_assaulter(battle, unit):
        yield bar
        return
    hexes = wish.places or [enemy.hex for enemy in wish.others] or battle.grid.adjacent[unit.hex]
    yield from unless_one_works(assault.bar_assault(battle, unit, hex) for hex in hexes)


def _group_assault(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    hexes = wish.places or [enemy.hex for enemy in wish.others] or list(battle.grid.adjacent[wish.own[0].hex])
    if len(wish.own) > 1:
        yield from unless_one_works(assault.bar_group_assault(battle, wish.own[0], wish.own[1], hex) for hex in hexes)
    else:
        yield SECOND


def _fire_group(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    if len(wish.own) < 2:
        yield SECOND
        return
    if bar := fire_groups.bar_pair(battle, wish.own[0], wish.own[1]):
        yield bar
        return
    targets = wish.others or arms.visible_targets(battle, wish.own[0].side)
    yield from unless_one_works(fire_groups.bar_group(battle, wish.own[0], wish.own[1], target) for target in targets)


SECOND = Bar("80.1", "a group needs a second unit: name it too")


def _pair(bar: Callable[[OstBattle, Unit, Unit], Bar | None]) -> Reason[OstBattle]:
    def why(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
        if len(wish.own) < 2:
            yield SECOND
        else:
            yield from some(bar(battle, wish.own[0], wish.own[1]))

    return why


def _alone(bar: Callable[[OstBattle, Unit], Bar | None]) -> Reason[OstBattle]:
    def why(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
        yield from some(bar(battle, wish.own[0]))

    return why


def _clear(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    wanted = [word for word in wish.rest if word in ("wire", "mines", "roadblock")] or ["wire", "mines", "roadblock"]
    yield from unless_one_works(fortifications.bar_clear(battle, wish.own[0], obstacle) for obstacle in wanted)


def _give(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    weapons = [battle.state.weapons[word] for word in wish.rest if word in battle.state.weapons]
    if not weapons:
        yield Bar("20.13", "name the weapon: give w1 g2")
    else:
        yield from some(leaders.bar_hand_over(battle, weapons[0], wish.own[0]))


UNITS: dict[str, Reason[OstBattle]] = {
    "move": _move,
    "enter": _enter,
    "fire": _fire,
    "at": _fire,
    "sustained": _sustained,
    "shell": _thrown("20mo.1", "mortar", _mortar),
    "satchel": _thrown("20sc.1", "Satchel Charge", _satchel),
    "step": _step,
    "reverse": _reverse,
    "pivot": _pivot,
    "load": _load,
    "unload": _unload,
    "man": _man,
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


def _oba(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    kinds = [word for word in wish.rest if word in battle.charts.oba] or list(battle.charts.oba)
    yield from unless_one_works(artillery.bar_oba(battle, wish.side, kind) for kind in kinds)


def _air(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    yield from some(air_strikes.bar_air(battle, wish.side))


def _card(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    if battle.state.active != wish.side:
        yield NOT_YOUR_IMPULSE
    after = bool(battle.state.step)
    for card in wish.rest or battle.state.cards.get(wish.side, []):
        yield from some(cards.bar_card(battle, wish.side, card, after))


def _pass(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    points = battle.state.points
    if points[wish.side] >= points[battle.other(wish.side)]:
        yield Bar("67.6", "only the side with fewer Impulse Points may pass; you may burn one")


def _burn(battle: OstBattle, wish: Wish) -> Iterator[Bar]:
    points = battle.state.points
    if points[wish.side] < points[battle.other(wish.side)]:
        yield Bar("67.7", "a side with fewer Impulse Points can pass for free instead")


SIDES: dict[str, Reason[OstBattle]] = {
    "oba": _oba,
    "air": _air,
    "card": _card,
    "pass": _pass,
    "burn": _burn,
}


# ---- the table ----------------------------------------------------------------------------------------------


class OstReasons(Reasons[OstBattle]):
    """Reasons by verb, with the Impulse and its points before them (67.0)."""

    units: ClassVar[Mapping[str, Reason[Any]]] = UNITS
    sides: ClassVar[Mapping[str, Reason[Any]]] = SIDES
    usual = ("move", "fire", "assault", "rally", "cover")
    not_yours = Bar("67.2", "it isn't your unit")
    example = "write it as: g3 fire a7, or g3 move D8"

    def knows(self, battle: OstBattle, side: str, unit: Unit) -> bool:
        """Whether a side may know of a unit."""
        return knows_unit(battle, side, unit)

    def is_place(self, battle: OstBattle, word: str) -> bool:
        """Whether a word names a hex."""
        return word in battle.grid

    def is_thing(self, battle: OstBattle, word: str) -> bool:
        """Whether a word is a weapon, a card, a kind of fire, a number, or another word of an answer."""
        return (
            word in battle.state.weapons
            or word in battle.charts.oba
            or word in luck_cards()
            or word in ("wire", "mines", "roadblock", "road", "building", *ANSWERS, *map(str, range(1, 7)))
            or _is_aimed(battle, word)
        )

    def read(
        self, battle: OstBattle, side: str, words: list[str], verbs: Collection[str] = (), reacts: bool = False
    ) -> Wish | Bar:
        """The words sorted; of a Move under way its next step is asked for, not the hexes that it has come through."""
        wish = super().read(battle, side, words, verbs, reacts)
        step = next((word for word in reversed(words) if word in STEPS), "")
        if isinstance(wish, Bar) or not step or wish.verb not in MOVES:
            return wish
        after = words[len(words) - words[::-1].index(step) :]
        return wish._replace(verb=step, places=[place for place in wish.places if place in after])

    def timing(self, battle: OstBattle, wish: Wish) -> Iterator[Bar]:
        """Whose Impulse it is, and its points (67.0); who reacts needs none (105.0), a Move that goes on has paid."""
        state, verb = battle.state, wish.verb
        poor = verb in GROUPS and state.points.get(wish.side, 0) < battle.charts["impulse"]["cost_group"]
        if wish.reacts:
            yield from some(ONE_POINT if poor else None)
        elif state.phase == "play" and verb in ("attach", "detach", "give"):
            yield OTHER_PHASE
        elif state.phase == "play" and verb != "card":
            if state.active != wish.side:
                yield NOT_YOUR_IMPULSE
            if _goes_on(wish):
                return
            if not state.points.get(wish.side):
                yield NO_POINTS
            elif poor:
                yield ONE_POINT

    def against(self, battle: OstBattle, wish: Wish) -> Iterator[Bar]:
        """Everything that speaks against a wish; of a unit that is not on the map little more need be said."""
        yield from self.timing(battle, wish)
        absent = [unit for unit in (*wish.own, *wish.others) if unit.hex not in battle.grid]
        if absent and wish.verb in UNITS and wish.verb not in ("move", "enter"):
            yield Bar("75.1", "it isn't on the map", battle.name(absent[0]))
        else:
            yield from self.of_verb(battle, wish)


def _is_aimed(battle: OstBattle, word: str) -> bool:
    """Whether a word says with what is fired, or at a crew: "own+w3", "main2", "g3:crew"."""
    unit, _, crew = word.partition(":")
    if crew:
        return crew == "crew" and unit in battle.state.units
    return all(
        part in ("own", "mg", "main", "main2", "main3") or part in battle.state.weapons for part in word.split("+")
    )
