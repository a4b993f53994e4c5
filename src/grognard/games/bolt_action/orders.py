"""The six orders (2): which a unit may be given, the test for it, and carrying it out (1.3 to 1.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from grognard.board.table.bodies import gaps
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import total
from grognard.games.bolt_action import (
    advance_and_run,
    ambush,
    bailing_out,
    barrages_and_aircraft,
    charge,
    close_quarters,
    formation,
    fubar,
    morale,
    movement,
    order_tests,
    pins,
    reactions,
    special,
    transports,
    turn_events,
    vehicle_assault,
    weapons,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts, throw_of
from grognard.games.bolt_action.shooting import procedure, targets
from grognard.games.bolt_action.state import ADVANCE, AMBUSH, DOWN, FIRE, GUN, HULL, ORDERS, RALLY, RUN, Unit
from grognard.kits.table.state import ABOARD, ON_TABLE, RESERVE

TITLES = turn_events.ORDER_TITLES
RULES = {FIRE: "2.1", ADVANCE: "2.2", RUN: "2.3", AMBUSH: "2.4", RALLY: "2.5", DOWN: "2.6"}


# ---- who may be given an order, and which ------------------------------------------------------------


def bar_unit(battle: BoltBattle, unit: Unit) -> Bar | None:
    """Why a unit can take no order at all now; None if it can (1.3, 1.4, 1.11)."""
    if unit.die:
        return Bar("1.4", f"it has its order for this turn: {TITLES[unit.die]}")
    if unit.status == RESERVE:
        placing = battle.scenario.placing(unit.id)
        if placing is not None and battle.state.turn < placing.turn:
            return Bar("1.11", f"it is in reserve until turn {placing.turn}")
        return None
    if not battle.alive(unit):
        return Bar("1.3", "it is not in the battle")
    if unit.status == ABOARD and battle.unit(unit.aboard).status != ON_TABLE:
        return Bar("1.11", "the vehicle that carries it isn't on the table")
    if battle.has(unit, special.SLOW_LOAD) and _comes_first(battle, unit):
        return Bar("1.3", "it loads slowly and can't be the first of its side to act in a turn")
    return None


def _comes_first(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a slow loader would be its side's first unit this turn while another has no order yet."""
    state = battle.state
    if state.scratch.acted.get(unit.side):
        return False
    others = [u for u in battle.units(unit.side, on_table=False) if not battle.has(u, special.SLOW_LOAD)]
    return any(bar_unit(battle, other) is None for other in others)


def ready(battle: BoltBattle, side: str) -> list[Unit]:
    """The units of a side that can take an order now (1.7, 1.11)."""
    return [unit for unit in battle.units(side, on_table=False) if bar_unit(battle, unit) is None]


def bar(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit that can act may not be given an order; None if it may."""
    if order == DOWN:
        return None
    if order in (FIRE, AMBUSH) and (found := _bar_shooting(battle, unit, order)):
        return found
    if unit.status == RESERVE and order not in (ADVANCE, RUN):
        return Bar("28.2", "a reserve can only enter the table")
    if order in (ADVANCE, RUN):
        if unit.immobilised:
            return Bar("20.9", "it is immobilised")
        found = advance_and_run.can_move(battle, unit, order)
        # An assault is the one Run that goes through ground closed to running (9.10).
        return found if found and not (order == RUN and close_quarters.targets(battle, unit)) else None
    if unit.status == ON_TABLE and formation.broken(battle, unit):
        return Bar("7.3", "it is out of formation: it can only Advance, Run or go Down")
    return None


def _bar_shooting(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit cannot be told to shoot, now or later (2.1, 2.4, 12.5, 16.7)."""
    if unit.status == ABOARD:
        return Bar("12.5", "passengers can't shoot")
    if unit.status == RESERVE:
        return Bar("28.2", "a reserve can only enter the table")
    arms = {index for model in unit.models for index in model.arms if index not in unit.empty}
    if not arms and not (order == FIRE and barrages_and_aircraft.may_call(battle, unit)):
        return Bar(RULES[order], "it has no weapon to shoot with")
    if order == AMBUSH and all(battle.weapon(unit, index).indirect for index in arms):
        return Bar("16.7", "a unit with indirect fire can't Ambush")
    return None


def options_units(battle: BoltBattle, side: str) -> Iterator[Option]:
    """The units that the drawn die may go to (1.3)."""
    for unit in ready(battle, side):
        pinned = f", {unit.pins} pin{'s' if unit.pins > 1 else ''}" if unit.pins else ""
        yield Option(f"unit {unit.id}", f"{battle.name(unit)}{pinned}", "order", unit.id, rule="1.3")


def options_orders(battle: BoltBattle, unit: Unit) -> Iterator[Option]:
    """The orders that a unit may be given, each with the chance that it obeys where it has to test (2, 3.2)."""
    for order in ORDERS:
        if bar(battle, unit, order) is None:
            cost = ""
            if order_tests.needed(battle, unit, order):
                total = morale.target(battle, unit, morale.ORDER_TEST, order).total
                cost = f"{order_tests.chance(total):.0%} obeys".replace("%", " %")
            label = TITLES[order] + (f" ({hint})" if (hint := _hint(battle, unit, order)) else "")
            yield Option(order, label, order, unit.id, cost=cost, rule=RULES[order])


def hints(battle: BoltBattle, ask: Ask) -> Mapping[str, str]:
    """Which orders can do nothing: only for people, since to look for everybody in sight takes its time."""
    offered = {option.key: option for option in ask.options if option.verb in ORDERS}
    unit = next((battle.state.units.get(option.unit) for option in offered.values()), None)
    if unit is None:
        return {}
    found: dict[str, str] = {}
    fire = offered.get(FIRE)
    if fire is not None and fire.label == TITLES[FIRE] and not barrages_and_aircraft.may_call(battle, unit):
        if not targets.has_target(battle, unit):
            near = min(battle.enemies(unit.side), key=lambda enemy: battle.gap(unit, enemy), default=None)
            bar = targets.bar(battle, unit, near) if near is not None and near.models else None
            unseen = bar is None or bar.rule == "11.1"
            found[FIRE] = "nothing in sight" if unseen or bar is None else f"no shot: {bar.reason}"
    if RUN in offered and unit.status == ON_TABLE and advance_and_run.can_move(battle, unit, RUN) is not None:
        if all(close_quarters.bar(battle, unit, enemy) for enemy in battle.enemies(unit.side)):
            found[RUN] = "no enemy within reach: it would do nothing"
    return found


def _hint(battle: BoltBattle, unit: Unit, order: str) -> str:
    """What to know of an order before it is given; "" where there is nothing."""
    if order == FIRE and not barrages_and_aircraft.may_call(battle, unit) and not _any_in_range(battle, unit):
        return "no enemy in range"
    if order == ADVANCE and unit.status == ON_TABLE and movement.turns_only(battle, unit, order):
        return "turns on the spot"
    if order == RUN and unit.status == ON_TABLE and advance_and_run.can_move(battle, unit, order) is not None:
        return "only to assault"
    if order == RALLY and not unit.pins:
        return "no pins to lose"
    return "stays in reserve" if order == DOWN and unit.status == RESERVE else ""


def _any_in_range(battle: BoltBattle, unit: Unit) -> bool:
    """Whether any enemy is within the ranges of some weapon, seen or not: looking for them all would cost too much."""
    arms = {index for model in unit.models for index in model.arms if index not in unit.empty}
    reaches = {
        weapons.reach(battle, unit, index, moved=False, indirect=battle.weapon(unit, index).indirect) for index in arms
    }
    for enemy in battle.enemies(unit.side):
        near = battle.gap(unit, enemy)
        for reach in reaches:
            # Too near for the nearest man may still be far enough for another.
            if near <= reach.most and (near >= reach.least or _widest(battle, unit, enemy) >= reach.least):
                return True
    return False


def _widest(battle: BoltBattle, unit: Unit, enemy: Unit) -> float:
    return float(gaps(battle.bodies(unit), battle.bodies(enemy)).max())


# ---- giving an order (1.3 to 1.6) --------------------------------------------------------------------


def choose(battle: BoltBattle, side: str) -> Procedure[None]:
    """A die lies on the table: its owner gives it to a unit as an order, and that is carried out (D1)."""
    units = lambda: list(options_units(battle, side))  # noqa: E731
    answer = yield Ask(side, "Your die: which unit?", units, quiet=True, rule="1.3")
    unit = battle.unit(answer.split()[1])
    order = yield Ask(
        side,
        f"{battle.name(unit)}: which order?",
        lambda: list(options_orders(battle, unit)),
        rule="1.3",
        about=(unit.id,),
    )
    yield from give(battle, unit, order)


def give(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Place the die beside the unit, test if it must, and carry out what results (1.3, 1.5, 1.6)."""
    state = battle.state
    unit.die, state.drawn = order, False
    acted = state.scratch.acted
    acted[unit.side] = acted.get(unit.side, 0) + 1
    given = turn_events.OrderGiven(
        side=unit.side, unit=unit.id, order=order, rules=("1.3", RULES[order]), seen_by=morale.told_to(battle, unit)
    )
    battle.emit(given)
    ambush.begin_action(battle, unit)
    yield from _obey(battle, unit, order)
    yield from bailing_out.aftermath(battle)
    ambush.end_action(battle)


def _obey(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """The test, the first moment for ambushers, and the action (1.5, 1.6, 3.5, 3.6, B31)."""
    victim, extra = "", list[order_tests.Modifier]()
    declares = order == RUN and _declares_first(battle, unit)
    if declares:
        victim = yield from _assault_or_move(battle, unit)
        if victim and vehicle_assault.needs_test(battle, unit, battle.unit(victim)):
            extra.append(("without_at", charts().number("order_test", "assault_armour_without_at"), "22.3"))
    if order_tests.needed(battle, unit, order, sum(amount for _, amount, _ in extra)):
        result = order_tests.take(battle, unit, extra)
        if result == order_tests.FUBAR:
            yield from fubar.happen(battle, unit)
            return
        if result == order_tests.FAIL:
            unit.die = DOWN
            battle.emit(turn_events.OrderRefused(side=unit.side, unit=unit.id, rules=("3.6",)))
            return
    if order == RUN and battle.type(unit).vehicle:
        battle.note_run(unit)
    yield from ambush.offer(battle, unit, "order")
    if ambush.stopped(battle, unit, order):
        return
    if order == RUN:
        yield from _run(battle, unit, victim, declares)
    else:
        yield from ACTIONS[order](battle, unit)


# ---- declaring an assault (D1, 22.3) -----------------------------------------------------------------


def _declares_first(battle: BoltBattle, unit: Unit) -> bool:
    """Whether the assault has to be declared before any die is rolled: for a test hangs on it, or no other Run is open.

    Otherwise the assault stands beside the places that the unit can run to.
    """
    if order_tests.needed(battle, unit, RUN) or advance_and_run.can_move(battle, unit, RUN) is not None:
        return bool(close_quarters.targets(battle, unit))
    return any(vehicle_assault.needs_test(battle, unit, target) for target in close_quarters.targets(battle, unit))


def _assault_or_move(battle: BoltBattle, unit: Unit) -> Procedure[str]:
    """Ask whether the Run is an assault, and on whom; "" if it is a move (D1)."""
    enemies = close_quarters.targets(battle, unit)
    may_move = advance_and_run.can_move(battle, unit, RUN) is None

    def listed() -> Iterator[Option]:
        yield from (close_quarters.option(battle, unit, enemy) for enemy in enemies)
        if may_move:
            yield Option("move", "Move", "move", unit.id, rule="2.3")

    answer = f"assault {enemies[0].id}" if enemies else "move"
    if len(enemies) + may_move > 1:
        answer = yield Ask(
            unit.side,
            f"{battle.name(unit)} runs: an assault?",
            listed,
            rule="2.3",
            about=(unit.id,),
            foresee=lambda key: charge.foresee(battle, unit, key),
        )
    return answer.split()[1] if answer != "move" else ""


# ---- the actions -------------------------------------------------------------------------------------


def _fire(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Shoot without moving, or call what an observer may call once (2.1, 26.2, 26.5)."""
    if barrages_and_aircraft.may_call(battle, unit) and (yield from barrages_and_aircraft.call(battle, unit)):
        return
    yield from procedure.shoot(battle, unit, moved=False, reacts=reactions.target_reacts)


def _advance(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Move, then shoot with the penalty for it, even if the move was of no distance (2.2, 2.8)."""
    before = _places(unit)
    yield from advance_and_run.move(battle, unit, ADVANCE)
    if unit.status != ON_TABLE or ambush.stopped(battle, unit, ADVANCE):
        return
    if _places(unit) != before:
        yield from ambush.offer(battle, unit, "moved")
        if ambush.stopped(battle, unit, ADVANCE):
            return
    if not transports.unhitched(battle, unit):  # a gun just unhitched may not shoot (24.8)
        yield from procedure.shoot(battle, unit, moved=True, reacts=reactions.target_reacts)


def _run(battle: BoltBattle, unit: Unit, victim: str, declared: bool) -> Procedure[None]:
    """Move at the double, or assault; no shooting (2.3)."""
    if victim:
        yield from close_quarters.assault(battle, unit, battle.unit(victim), tested=True)
        return
    before = _places(unit)
    yield from advance_and_run.move(battle, unit, RUN, assault=not declared)
    if unit.status == ON_TABLE and not ambush.stopped(battle, unit, RUN) and _places(unit) != before:
        yield from ambush.offer(battle, unit, "moved")


def _places(unit: Unit) -> list[tuple[int, int, int]]:
    """Where its models are, and how those stand that show a face: a hull, a gun with its shield (16.4)."""
    return [(m.x, m.y, m.heading if m.role in (HULL, GUN) else 0) for m in unit.models]


def _rally(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Lose D6 pins, besides the one for passing the test, never below zero (2.5, 2.9)."""
    battle.emit(turn_events.Rallied(side=unit.side, unit=unit.id, rules=("2.5",)))
    if unit.pins:
        dice = charts()["rally"]["pins_lost"]
        lost = battle.roll(unit.side, "rally", throw_of(dice), total(), ("2.5", "2.9"), unit=unit.id)
        pins.remove(battle, unit, lost, "2.5")
    yield from ()


def _ambush(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Wait; a gun says what it has loaded (2.4, 16.8)."""
    yield from ambush.name_ammunition(battle, unit)


def _down(battle: BoltBattle, unit: Unit) -> Procedure[None]:
    """Stay down: neither move nor shoot (2.6). A reserve that is told so stays off the table."""
    if unit.status == RESERVE:
        seen_by = morale.told_to(battle, unit)
        battle.emit(turn_events.ReserveWaits(side=unit.side, unit=unit.id, rules=("2.6",), seen_by=seen_by))
    yield from ()


ACTIONS: dict[str, Callable[[BoltBattle, Unit], Procedure[None]]] = {
    FIRE: _fire,
    ADVANCE: _advance,
    AMBUSH: _ambush,
    RALLY: _rally,
    DOWN: _down,
}
