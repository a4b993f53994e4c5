"""Observers, barrages, air strikes and flak (26.2 to 26.8). The medic is with the casualties (26.1)."""

from __future__ import annotations

from functools import cache
from typing import Any

import shapely

from grognard.board.table.bodies import HAIR, gap_to_point
from grognard.board.table.point_area import PointArea
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import Reader, at_least, counts, total
from grognard.core.poses import hundredths, place
from grognard.core.tally import Tally
from grognard.games.bolt_action import (
    bailing_out,
    damage,
    high_explosive,
    line_of_sight,
    morale,
    pins,
    special,
    turn_events,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import INCH, charts, throw_of
from grognard.games.bolt_action.state import FIRE, Strike, Unit
from grognard.kits.table.state import ABOARD, ON_TABLE

BARRAGE, AIR = "barrage", "air"
FLAK = "flak"

#: How fine the places are among which an observer picks the point of a barrage: squares of so many hundredths.
SQUARE = 200


# ---- calling (26.2, 26.5) ----------------------------------------------------------------------------


def may_call(battle: BoltBattle, unit: Unit) -> bool:
    """Whether an observer still has his barrage or his air strike to call (26.2, 26.5)."""
    if unit.called or unit.status != ON_TABLE:
        return False
    return battle.has(unit, special.ARTILLERY_OBSERVER) or (
        battle.has(unit, special.AIR_OBSERVER) and bool(battle.enemies(unit.side))
    )


SHOOT = Option("shoot", "Call nothing, shoot", "shoot", rule="2.1")


def call(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """An observer with a Fire order may call what he has, once per game; False if he would rather shoot."""
    if battle.has(unit, special.ARTILLERY_OBSERVER):
        return (yield from _call_barrage(battle, unit))
    return (yield from _call_aircraft(battle, unit))


def _call_barrage(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """He names a point that he sees, and a marker is placed on it (26.2)."""
    answer = yield Ask(
        unit.side,
        f"{battle.name(unit)}: where should the barrage fall?",
        lambda: [*_barrage_options(battle, unit), SHOOT],
        rule="26.2",
        area=lambda: PointArea(
            unit.id,
            lambda: seen_squares(battle, unit),
            (unit.models[0].x, unit.models[0].y),
            label="Barrage here",
            verb=BARRAGE,
            rule="26.2",
        ),
    )
    verb, *words = answer.split()
    if verb == SHOOT.key:
        return False
    x, y = _point(words) if verb == BARRAGE else middle(battle.unit(words[0]))
    unit.called = True
    battle.state.strikes.append(Strike(BARRAGE, unit.side, unit.id, battle.state.turn, x, y))
    battle.emit(
        turn_events.StrikeCalled(side=unit.side, unit=unit.id, kind=BARRAGE, place=place(x, y), rules=("26.2",))
    )
    return True


def _barrage_options(battle: BoltBattle, unit: Unit) -> list[Option]:
    """The enemies he sees: their middles are the places one wants a barrage on."""
    seen = [enemy for enemy in battle.enemies(unit.side) if line_of_sight.sees(battle, unit, enemy)]
    return [
        Option(
            f"barrage_on {enemy.id}",
            f"A barrage on {battle.name(enemy)}",
            "barrage_on",
            unit.id,
            place(*middle(enemy)),
            enemy.id,
            rule="26.2",
        )
        for enemy in seen
    ]


def _call_aircraft(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """He calls an air strike on an enemy unit (26.5)."""
    options = [
        Option(f"air {e.id}", f"An air strike on {battle.name(e)}", "air", unit.id, target=e.id, rule="26.5")
        for e in battle.enemies(unit.side)
    ]
    answer = yield Ask(
        unit.side, f"{battle.name(unit)}: which unit should the aircraft attack?", [*options, SHOOT], rule="26.5"
    )
    if answer == SHOOT.key:
        return False
    target = answer.split()[1]
    unit.called = True
    battle.state.strikes.append(Strike(AIR, unit.side, unit.id, battle.state.turn, target=target))
    battle.emit(turn_events.StrikeCalled(side=unit.side, unit=unit.id, kind=AIR, target=target, rules=("26.5",)))
    return True


def middle(unit: Unit) -> tuple[int, int]:
    """The middle of a unit's models."""
    count = len(unit.models)
    return round(sum(m.x for m in unit.models) / count), round(sum(m.y for m in unit.models) / count)


def _point(words: list[str]) -> tuple[int, int]:
    return hundredths(words[0]), hundredths(words[1])


def seen_squares(battle: BoltBattle, unit: Unit) -> Any:
    """The squares of the table whose middle the unit sees (26.2)."""
    table = battle.table
    corners = [(x, y) for x in range(0, table.width, SQUARE) for y in range(0, table.height, SQUARE)]
    half = SQUARE // 2
    seen = line_of_sight.sees_points(battle, unit, [(x + half, y + half) for x, y in corners])
    squares = [shapely.box(x, y, x + SQUARE, y + SQUARE) for (x, y), sees in zip(corners, seen) if sees]
    return shapely.union_all(squares).intersection(shapely.box(0, 0, table.width, table.height))


# ---- the start of a turn (26.3, 26.6, B34) -----------------------------------------------------------


def resolve(battle: BoltBattle) -> Procedure[None]:
    """Roll for every barrage and air strike that was called in an earlier turn (26.3, 26.6)."""
    for strike in list(battle.state.strikes):
        if strike.turn >= battle.state.turn:
            continue
        come = (
            (yield from _barrage(battle, strike)) if strike.kind == BARRAGE else (yield from _aircraft(battle, strike))
        )
        if come:
            battle.state.strikes.remove(strike)
        else:
            battle.emit(turn_events.StrikeDelayed(side=strike.side, kind=strike.kind, rules=(_rule(strike),)))
        yield from bailing_out.aftermath(battle)


def _rule(strike: Strike) -> str:
    return "26.3" if strike.kind == BARRAGE else "26.6"


def _barrage(battle: BoltBattle, strike: Strike) -> Procedure[bool]:
    """Astray, delayed, or it falls on everybody near the marker (26.3, 26.4); False if it is delayed."""
    now, side = charts(), strike.side
    result: str = battle.roll(side, "barrage", "1d6", now.barrage.reader(), ("26.3",), unit=strike.unit)
    if result == "delayed":
        return False
    x, y = strike.x, strike.y
    if result == "astray":
        x, y = yield from _move_marker(battle, strike)
    table = now["barrage_figures"]
    reader = total(table["radius_add"])
    radius: int = battle.roll(side, "reach of the barrage", throw_of(table["radius_dice"]), reader, ("26.4",))
    battle.emit(
        turn_events.BarrageFalls(
            side=side, place=place(x, y), radius=radius, astray=result == "astray", rules=("26.3", "26.4")
        )
    )
    reach = radius * INCH + HAIR
    for unit in [u for u in battle.units() if any(gap_to_point(body, x, y) <= reach for body in battle.bodies(u))]:
        if unit.status == ON_TABLE:
            yield from _shelled(battle, strike, unit)
    return True


def _shelled(battle: BoltBattle, strike: Strike, unit: Unit) -> Procedure[None]:
    """What the barrage does to one unit, friend or foe: nothing, pins, or a direct hit (26.4)."""
    rows = charts().barrage_effect
    result: str = battle.roll(strike.side, "barrage effect", "1d6", rows.reader(), ("26.4",), unit=unit.id)
    row = rows.named(result).more
    if rating := row.get("he"):
        yield from high_explosive.shell(battle, strike.side, unit, rating, source="barrage", rules=("26.4",), top=True)
        return
    pins.add(battle, unit, _dice(battle, strike.side, "pins of the barrage", row["pins"], "26.4", unit), "26.4")
    pins.settle(battle, unit)


def _dice(battle: BoltBattle, side: str, what: str, dice: str, rule: str, unit: Unit) -> int:
    """A number that a chart gives as such or as dice."""
    if dice.isdigit():
        return int(dice)
    found: int = battle.roll(side, what, throw_of(dice), total(), (rule,), unit=unit.id)
    return found


def _move_marker(battle: BoltBattle, strike: Strike) -> Procedure[tuple[int, int]]:
    """The opponent moves the marker, not farther than the rule lets him (26.3, D14)."""
    here = (strike.x, strike.y)
    table = battle.table
    far = charts().distance("barrage_figures", "astray_by")
    disc = shapely.Point(here).buffer(far).intersection(shapely.box(0, 0, table.width, table.height))

    def options() -> list[Option]:
        stay = Option("stay", "Leave the marker where it is", "stay", rule="26.3")
        near = [u for u in battle.units(strike.side) if disc.intersects(shapely.Point(middle(u)))]
        onto = [
            Option(f"marker_on {u.id}", f"Onto {battle.name(u)}", "marker_on", u.id, place(*middle(u)), rule="26.3")
            for u in near
        ]
        return [*onto, stay]

    answer = yield Ask(
        battle.other(strike.side),
        "The enemy's barrage goes astray: move its marker",
        options,
        rule="26.3",
        area=lambda: PointArea(
            strike.unit, lambda: disc, here, label="The barrage falls here", verb="marker", rule="26.3"
        ),
        meanwhile="stay",
    )
    verb, *words = answer.split()
    if verb == "stay":
        return here
    return _point(words) if verb == "marker" else middle(battle.unit(words[0]))


# ---- aircraft (26.6, 26.8) ---------------------------------------------------------------------------


def _aircraft(battle: BoltBattle, strike: Strike) -> Procedure[bool]:
    """Not yet; or it comes, through the flak, and attacks what it takes for its target (26.6); False if not yet."""
    now, side = charts(), strike.side
    arrives = at_least(now.number("air_strike_figures", "arrives_on"))
    if not battle.roll(side, "air strike", "1d6", arrives, ("26.6",), unit=strike.unit):
        return False
    target = _carrier(battle, battle.unit(strike.target))
    if target is None:
        return True  # its target is gone, and it flies home
    if (yield from _flak(battle, strike)):
        battle.emit(turn_events.AircraftDown(side=battle.other(side), rules=("26.8",)))
        return True
    kind: str = battle.roll(side, "kind of aircraft", "1d6", now.air_strike.reader(), ("26.6",), unit=strike.unit)
    astray = kind == "astray"
    if astray:
        target = yield from _wrong_target(battle, strike, target)
    row = now.air_strike.named(kind).more
    battle.emit(
        turn_events.AircraftComes(
            side=side, kind="fighter" if astray else kind, target=target.id, astray=astray, rules=("26.6",)
        )
    )
    near = now.distance("air_strike_figures", "splash_radius") + HAIR
    beside = [u for u in battle.enemies(side) if u.id != target.id and battle.gap(u, target) <= near]
    yield from _attack(battle, strike, target, row)
    for unit in beside:
        if battle.alive(unit):
            pins.add(battle, unit, now.number("air_strike_figures", "splash_pins"), "26.6")
            pins.settle(battle, unit)
    return True


def _carrier(battle: BoltBattle, unit: Unit) -> Unit | None:
    """The unit on the table that is attacked for a target: itself, or the vehicle that it has boarded."""
    if unit.status == ABOARD and unit.aboard:
        unit = battle.unit(unit.aboard)
    return unit if unit.status == ON_TABLE else None


def _wrong_target(battle: BoltBattle, strike: Strike, target: Unit) -> Procedure[Unit]:
    """The opponent picks any unit near the target for the fighter (26.6, D14)."""
    near = charts().distance("air_strike_figures", "astray_within") + HAIR
    units = [unit for unit in battle.units() if unit.id == target.id or battle.gap(unit, target) <= near]
    if len(units) == 1:
        return target
    options = [
        Option(f"wrong {u.id}", f"It attacks {battle.name(u)}", "wrong", u.id, target=u.id, rule="26.6") for u in units
    ]
    prompt = "The enemy's aircraft goes astray: which unit does it attack?"
    answer = yield Ask(battle.other(strike.side), prompt, options, rule="26.6", meanwhile=f"wrong {target.id}")
    return battle.unit(answer.split()[1])


def _attack(battle: BoltBattle, strike: Strike, target: Unit, row: dict[str, Any]) -> Procedure[None]:
    """Guns, or bombs that may miss (26.6)."""
    side = strike.side
    if rating := row.get("he"):
        if not battle.roll(side, "bombs", "1d6", at_least(row["needed"]), ("26.6",), unit=target.id):
            battle.emit(turn_events.StrikeMisses(side=side, target=target.id, rules=("26.6",)))
            return
        yield from high_explosive.shell(battle, side, target, rating, source="bombs", rules=("26.6",), top=True)
        return
    dice = row["hits"]
    hits: int = battle.roll(side, "hits of the fighter", throw_of(dice), total(row["add"]), ("26.6",), unit=target.id)
    if battle.type(target).enclosed:
        return  # small arms neither pin nor damage it (6.5)
    pins.add(battle, target, 1, "6.1")
    yield from damage.apply_hits(battle, side, target, hits, "fighter")


def _flak(battle: BoltBattle, strike: Strike) -> Procedure[bool]:
    """Flak without an order may shoot at the aircraft; enough hits in all bring it down (26.8, D17)."""
    now, side = charts(), battle.other(strike.side)
    hits, passed = 0, set[str]()
    while hits < now.number("air_strike_figures", "flak_hits_needed"):
        guns = [u for u in battle.units(side) if u.id not in passed and bar_flak(battle, u) is None]
        if not guns:
            break
        unit = guns[0]
        options = [
            Option(f"flak {unit.id}", f"{battle.name(unit)} shoots at it", FLAK, unit.id, rule="26.8"),
            Option("pass", "Let it come", "pass", unit.id, rule="26.8"),
        ]
        prompt = f"An enemy aircraft comes in: does {battle.name(unit)} shoot at it?"
        answer = yield Ask(side, prompt, options, reaction=FLAK, rule="26.8", meanwhile="pass")
        if answer == "pass":
            passed.add(unit.id)
        else:
            hits += _shoot_flak(battle, unit)
    return hits >= now.number("air_strike_figures", "flak_hits_needed")


def bar_flak(battle: BoltBattle, unit: Unit) -> Bar | None:
    """Why a unit cannot shoot at an aircraft (26.8); None if it can."""
    if not battle.has(unit, special.FLAK) or unit.status != ON_TABLE:
        return Bar("26.8", "only flak on the table can shoot at aircraft")
    if unit.die or not battle.state.cup.get(unit.side):
        return Bar("26.8", "it already has its order")
    return None


def _shoot_flak(battle: BoltBattle, unit: Unit) -> int:
    """The shots of a flak unit: 5 or 6 hits, modified only by its pins; its die becomes Fire (26.8)."""
    morale.take_die(battle, unit, FIRE)
    needed = Tally("flak", charts().number("air_strike_figures", "flak_hits_on"), "26.8")
    if unit.pins:
        needed.add("pins", unit.pins, "6.2")
    arms = sorted({index for model in unit.models for index in model.arms})
    shots = sum(battle.mount(unit, i).count * int(battle.weapon(unit, i).shots) for i in arms)
    rules = ("26.8",)
    hits: int = battle.roll(unit.side, FLAK, f"{shots}d6", _hits(shots, needed.total), rules, (needed,), unit.id)
    battle.emit(turn_events.FlakFires(side=unit.side, unit=unit.id, hits=hits, rules=rules))
    return hits


@cache
def _hits(shots: int, needed: int) -> Reader:
    """How many of the shots hit."""
    each = tuple(int(face >= needed) for face in range(1, 7))
    return counts((each,) * shots)
