"""The turn (1): dice in the cup, one drawn after the other, and what happens when the cup is empty.

``PHASES`` is the state machine: each phase can be entered afresh from the state, does its work, and says which phase is
next. The questions of this module and of deployment are quiet: the state alone leads back to them.
"""

from __future__ import annotations

from collections.abc import Callable

from grognard.core.ask import Ask, Option, Procedure, Rules
from grognard.core.dice import at_least, drawn
from grognard.games.bolt_action import (
    bailing_out,
    barrages_and_aircraft,
    morale,
    orders,
    setup,
    transports,
    turn_events,
    victory,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import AMBUSH, DEPLOY, DOWN, ORDERS_PHASE, OVER, START, TURN_END, Unit
from grognard.kits.table import turn as kit
from grognard.kits.table.state import ABOARD, ON_TABLE


def play(battle: BoltBattle) -> Rules:
    """The whole battle from wherever the state stands (1.1)."""
    return kit.play(battle, PHASES)


# ---- before the first die (1.9, 26.3, 26.6, B34) -----------------------------------------------------


def start(battle: BoltBattle) -> Procedure[str]:
    """The dice go into the cup, and what was called from the guns and the air comes, or not (1.9, 26.3, 26.6)."""
    state = battle.state
    fill_cup(battle)
    state.scratch.acted = {}
    battle.emit(turn_events.TurnBegins(turn=state.turn, rules=("1.1",)))
    yield from barrages_and_aircraft.resolve(battle)
    return OVER if victory.wiped_out(battle) else ORDERS_PHASE


def fill_cup(battle: BoltBattle) -> None:
    """A die for every unit that has none, wherever it is; kept dice stay beside their units (1.9, 1.12)."""
    state = battle.state
    state.aside = dict.fromkeys(battle.sides, 0)
    state.cup = dict.fromkeys(battle.sides, 0)
    for unit in state.units.values():
        if morale.living(unit) and not unit.die:
            state.cup[unit.side] += 1


# ---- the Orders phase (1.2 to 1.7) -------------------------------------------------------------------


def give_orders(battle: BoltBattle) -> Procedure[str]:
    """Draw, order, act, until the cup is empty (1.2 to 1.7)."""
    state = battle.state
    while not victory.wiped_out(battle):
        if not state.drawn and not draw(battle):
            battle.emit(turn_events.OrdersEnd(rules=("1.7",)))
            return TURN_END
        yield from orders.choose(battle, state.side)
        battle.settled()
    return OVER


def draw(battle: BoltBattle) -> bool:
    """Draw dice until one can be used; False if the cup is empty (1.2, 1.11)."""
    state = battle.state
    while dice := [side for side in battle.sides for _ in range(state.cup.get(side, 0))]:
        side = dice[0]
        if side != dice[-1]:  # with dice of one side only there is nothing to chance
            # The log says a side as people do.
            sides = {side.replace("_", " ").title(): side for side in battle.sides}
            faces = tuple(title for each in dice for title, side in sides.items() if side == each)
            side = sides[battle.roll("", "order die", f"1d{len(dice)}", drawn(faces), ("1.2",))]
        state.cup[side] -= 1
        state.side = side
        battle.emit(turn_events.DieDrawn(side=side, rules=("1.2",)))
        if orders.ready(battle, side):
            state.drawn = True
            return True
        state.aside[side] = state.aside.get(side, 0) + 1
        battle.emit(turn_events.DieAside(side=side, rules=("1.11",)))
    return False


# ---- the Turn End phase (1.8, 1.12, 24.7, 28.3) ------------------------------------------------------


def end_turn(battle: BoltBattle) -> Procedure[str]:
    """Clear the table, ask who keeps a die, and go on to the next turn or to the end (1.8, 1.12)."""
    state = battle.state
    if state.step == 0:
        yield from _clear(battle)
        if victory.wiped_out(battle):
            return OVER
        state.step = 1
    while state.step <= len(battle.sides):
        yield from _keep(battle, battle.sides[state.step - 1])
        state.step += 1
    _return_dice(battle)
    return _next_turn(battle)


def _clear(battle: BoltBattle) -> Procedure[None]:
    """Transports that stand empty among the enemy are lost (24.7)."""
    for vehicle in transports.stranded(battle):
        morale.destroy(battle, vehicle, ("24.7",), "stands empty among the enemy and is lost", wreck=False)
    yield from bailing_out.aftermath(battle)


def may_keep(unit: Unit) -> bool:
    """Whether a unit may keep its die into the next turn (1.8, 1.12); a reserve that waits has nothing to keep."""
    return unit.die in (AMBUSH, DOWN) and unit.status in (ON_TABLE, ABOARD)


def _keep(battle: BoltBattle, side: str) -> Procedure[None]:
    """The owner says for each unit on Ambush or Down whether it keeps its die (1.12, D13)."""
    kept = battle.state.scratch.kept
    done = Option("done", "Return the other dice to the cup", "done", rule="1.8")
    while units := [u for u in battle.units(side, on_table=False) if may_keep(u) and u.id not in kept]:
        options = [
            Option(
                f"keep {u.id}",
                f"{battle.name(u)} keeps {turn_events.ORDER_TITLES[u.die]}",
                "keep",
                u.id,
                rule="1.12",
            )
            for u in units
        ]
        answer = yield Ask(
            side, "The turn ends: which units keep their dice?", [*options, done], quiet=True, rule="1.12"
        )
        if answer == done.key:
            return
        unit = battle.unit(answer.split()[1])
        kept.append(unit.id)
        seen_by = morale.told_to(battle, unit)
        battle.emit(turn_events.DieKept(side=side, unit=unit.id, order=unit.die, rules=("1.12",), seen_by=seen_by))


def _return_dice(battle: BoltBattle) -> None:
    """All other dice go back; nobody is moving any more (1.8)."""
    kept, battle.state.scratch.kept = battle.state.scratch.kept, []
    for unit in battle.state.units.values():
        unit.moving = False
        if unit.id not in kept:
            unit.die = ""
        if unit.die != AMBUSH:
            unit.ammunition = ""


def _next_turn(battle: BoltBattle) -> str:
    """The next turn, or after the last a die for one more, or the end (28.3)."""
    state = battle.state
    if state.turn >= state.last_turn:
        if not battle.scenario.further_turn or state.scratch.extended:
            victory.decide(battle)
            return OVER
        further = at_least(charts().number("length", "further_turn_on"))
        more: bool = battle.roll("", "a further turn", "1d6", further, ("28.3",))
        battle.emit(turn_events.FurtherTurn(further=more, rules=("28.3",)))
        if not more:
            victory.decide(battle)
            return OVER
        state.scratch.extended = True
        state.last_turn = state.turn + 1
    state.turn += 1
    return START


PHASES: dict[str, Callable[[BoltBattle], Procedure[str]]] = {
    DEPLOY: setup.deploy,
    START: start,
    ORDERS_PHASE: give_orders,
    TURN_END: end_turn,
}
