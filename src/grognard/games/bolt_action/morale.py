"""Morale (5, 3.7): the number a unit tests on, morale checks, and how a unit is lost."""

from __future__ import annotations

from functools import cache

from grognard.board.table import bodies
from grognard.core.dice import Faces, Reader
from grognard.core.tally import Tally
from grognard.games.bolt_action import special, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import ADVANCE, DOWN, RUN, Unit
from grognard.kits.table.state import ABOARD, LOST, ON_TABLE, RESERVE, UNPLACED, Wreck

ORDER_TEST, MORALE_CHECK = "order test", "morale check"


def base(battle: BoltBattle, unit: Unit) -> int:
    """The morale of the unit's quality, without any modifier (5.1)."""
    return charts().quality[unit.quality].morale


def target(battle: BoltBattle, unit: Unit, what: str, order: str = "") -> Tally:
    """The number to roll or less: base morale, pins, the best officer near, a command vehicle (3.2, 5.3, 26.7).

    An ``order`` that takes nobody out of a vehicle leaves the vehicle's pins out of it (24.4).
    """
    tally = Tally(what, base(battle, unit), "5.1", unit.quality)
    ordered = what == ORDER_TEST
    each, rule = special.weight_of_pins(battle, unit, ordered)
    if unit.pins and each:
        tally.add("pins", each * unit.pins, rule)
    if ordered and (carried := carrier_pins(battle, unit, order)):
        tally.add("pins_of_the_vehicle", -carried, "24.4", battle.name(battle.unit(unit.aboard)))
    if (best := best_officer(battle, unit)) is not None:
        bonus, officer = best
        tally.add("officer", bonus, "5.3", battle.name(officer))
    if (vehicle := command_vehicle(battle, unit)) is not None:
        tally.add(
            "command_vehicle", charts().number("order_test", "command_vehicle_bonus"), "26.7", battle.name(vehicle)
        )
    return tally


def carrier_pins(battle: BoltBattle, unit: Unit, order: str = "") -> int:
    """The pins of the vehicle that carries the unit; they count for whoever gets out (24.4)."""
    if order not in ("", ADVANCE, RUN):
        return 0
    return battle.unit(unit.aboard).pins if unit.status == ABOARD and unit.aboard else 0


def check(battle: BoltBattle, unit: Unit, rules: tuple[str, ...]) -> bool:
    """A morale check: like an order test, but failing it destroys the unit (3.7); True if it holds."""
    chart = charts()["order_test"]
    tally = target(battle, unit, MORALE_CHECK)
    read = check_reader(tally.total, chart["always_pass"], chart["always_fail"])
    dice = chart["dice"].lower()
    holds: bool = battle.roll(unit.side, MORALE_CHECK, dice, read, ("3.7", *rules), (tally,), unit.id)
    if holds:
        battle.emit(turn_events.Held(side=unit.side, unit=unit.id, rules=("3.7",)))
    else:
        crewed = battle.type(unit).vehicle
        destroy(battle, unit, ("3.7", *rules), "is abandoned by its crew" if crewed else "breaks and is destroyed")
    return holds


@cache
def check_reader(target: int, passes: int, fails: int) -> Reader:
    """A morale check on a target number: a double one always holds, a double six never does (3.7)."""

    def read(faces: Faces) -> bool:
        total = sum(faces)
        return total != fails and (total == passes or total <= target)

    return read


# ---- officers and command vehicles (5.3 to 5.5, 26.7) ------------------------------------------------


def best_officer(battle: BoltBattle, unit: Unit) -> tuple[int, Unit] | None:
    """The best single officer's bonus for a unit, and whose it is (5.4, 5.5)."""
    best: tuple[int, Unit] | None = None
    for officer in battle.state.units.values():
        rank = battle.type(officer).rank
        if officer.side != unit.side or not rank or not battle.alive(officer):
            continue
        officer_figures = charts().officers[rank]
        if (best is None or officer_figures.bonus > best[0]) and _hears(battle, officer, unit, officer_figures.range):
            best = (officer_figures.bonus, officer)
    return best


def _hears(battle: BoltBattle, officer: Unit, unit: Unit, far: int) -> bool:
    """Whether an officer's bonus reaches a unit; from inside a vehicle it stays inside (5.5)."""
    if (leader := special.officer_model(battle, officer)) is None:
        return False
    if officer.id == unit.id:
        return True
    if officer.status == ABOARD:
        return unit.id == officer.aboard or (unit.status == ABOARD and unit.aboard == officer.aboard)
    there = standing(battle, unit)
    if there is None:
        return False
    voice = battle.body(officer, leader)
    return any(bodies.gap(voice, body) <= far + bodies.HAIR for body in there)


def standing(battle: BoltBattle, unit: Unit) -> list[bodies.Body] | None:
    """Where a unit is for measuring to it: its models, or the vehicle that carries it; None off the table."""
    if unit.status == ABOARD and unit.aboard:
        return battle.bodies(battle.unit(unit.aboard))
    return battle.bodies(unit) if unit.status == ON_TABLE and unit.models else None


def command_vehicle(battle: BoltBattle, unit: Unit) -> Unit | None:
    """A command vehicle that helps this one: itself, or armour of its side near it (26.7)."""
    if not battle.type(unit).vehicle or unit.status != ON_TABLE:
        return None
    far = charts().distance("order_test", "command_vehicle_range")
    for other in battle.units(unit.side):
        if battle.has(other, special.COMMAND_VEHICLE) and other.status == ON_TABLE:
            if other.id == unit.id:
                return other
            if battle.type(unit).armoured and battle.gap(other, unit) <= far + bodies.HAIR:
                return other
    return None


# ---- how a unit is lost ------------------------------------------------------------------------------


def destroy(battle: BoltBattle, unit: Unit, rules: tuple[str, ...], how: str = "", *, wreck: bool = True) -> None:
    """A unit is destroyed, the only way that one leaves by destruction.

    Its die leaves with it (1.10), armour stays as a wreck (20.7, 20.8), its loss counts (28.4), and whoever is aboard
    gets out when the action is done (24.5, `bailing_out`).
    """
    if unit.status == LOST:
        return
    state = battle.state
    _lose_die(battle, unit)
    kind = battle.type(unit)
    if kind.vehicle and unit.status == ON_TABLE and unit.models:
        hull = unit.models[0]
        if kind.armoured and wreck and not battle.scenario.wrecks_removed:
            state.wrecks.append(Wreck(unit.id, unit.kind, hull.x, hull.y, hull.heading))
        if any(other.aboard == unit.id and other.status == ABOARD for other in state.units.values()):
            state.scratch.spilled.append(unit.id)
    unit.status, unit.die, unit.pins, unit.aboard, unit.building = LOST, "", 0, "", ""
    if unit.id not in state.scratch.spilled:
        unit.models = []
    if unit.scores:
        state.lost.setdefault(unit.side, []).append(unit.id)
    battle.emit(turn_events.Destroyed(side=unit.side, unit=unit.id, how=how, rules=rules))
    battle.invalidate()


def _lose_die(battle: BoltBattle, unit: Unit) -> None:
    """A unit's die leaves the cup with it; one that lies beside it is set aside until the turn ends (1.10)."""
    state, side = battle.state, unit.side
    if unit.die:
        state.aside[side] = state.aside.get(side, 0) + 1
    elif state.cup.get(side, 0):
        state.cup[side] -= 1
    elif state.aside.get(side, 0):
        state.aside[side] -= 1


def take_die(battle: BoltBattle, unit: Unit, order: str) -> bool:
    """Take a die of its side out of the cup and place it beside the unit (16.1, 20.9); False if there is none."""
    cup = battle.state.cup
    if cup.get(unit.side, 0) <= 0:
        return False
    cup[unit.side] -= 1
    unit.die = order
    return True


def put_down(battle: BoltBattle, unit: Unit, rule: str) -> None:
    """Turn a unit's die to Down, or place a Down die from the cup beside it (3.6, 4.4, 20.3, 24.5)."""
    if not battle.alive(unit) or unit.die == DOWN:
        return
    if not unit.die and not take_die(battle, unit, DOWN):
        # its die was set aside because nobody could use it (1.11): it is found there
        battle.state.aside[unit.side] = max(battle.state.aside.get(unit.side, 0) - 1, 0)
    unit.die = DOWN
    battle.emit(turn_events.WentDown(side=unit.side, unit=unit.id, rules=(rule,)))


def told_to(battle: BoltBattle, unit: Unit) -> str:
    """The only side that may read what a unit does: its own, while it waits in a reserve that is secret (28.2)."""
    if not battle.scenario.hidden_reserves:
        return ""
    where = battle.unit(unit.aboard) if unit.status == ABOARD and unit.aboard else unit
    return unit.side if where.status == RESERVE else ""


def living(unit: Unit) -> bool:
    """Whether a unit still belongs to its force: on the table, aboard, in reserve or not yet placed (1.9)."""
    return unit.status in (ON_TABLE, ABOARD, RESERVE, UNPLACED)
