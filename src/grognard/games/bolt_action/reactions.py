"""What the target of an attack does before the range is measured (16.1 to 16.3, 16.9, 16.10): going Down, escaping.

Each is the choice of the side that does not act (D4, D5, D7). Odds take it as declined, unless they are told better.
"""

from __future__ import annotations

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.bolt_action import ambush, morale, order_tests, panic_and_escape, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import AMBUSH, RUN, Unit
from grognard.kits.table.state import ON_TABLE

GO_DOWN, ESCAPE = "go down", "escape"


def bar_down(battle: BoltBattle, target: Unit, kind: str) -> Bar | None:
    """Why a unit that is shot at cannot go Down (16.1 to 16.3); None if it can."""
    if battle.type(target).vehicle:
        return Bar("16.1", "vehicles can't go Down as a reaction")
    if kind != "shooting":
        return Bar("16.3", "it can't go Down before this attack hits")
    if target.die == AMBUSH:
        if battle.state.scratch.acting == target.id:
            return Bar("16.6", "it is carrying out its own action")
        return None
    if target.die:
        return Bar("16.2", f"it already has its order: {turn_events.ORDER_TITLES[target.die]}")
    if not battle.state.cup.get(target.side):
        return Bar("16.1", "its side has no dice left in the cup")
    return None


def bar_escape(battle: BoltBattle, target: Unit) -> Bar | None:
    """Why a unit cannot escape (16.9); None if it can try."""
    if not battle.type(target).recce:
        return Bar("16.9", "only recce vehicles can escape")
    if target.die or not battle.state.cup.get(target.side):
        return Bar("16.9", "it already has its order")
    if target.immobilised:
        return Bar("20.4", "it is immobilised")
    return None


def target_reacts(battle: BoltBattle, shooter: Unit, target: Unit, kind: str) -> Procedure[str]:
    """What a declared target does before range is measured: "", "down" or "escaped" (D4, D5, D7, B30).

    ``kind`` is "shooting", "indirect" or "assault". Nobody reacts to the fire of his own side (4.5).
    """
    if shooter.side == target.side or target.status != ON_TABLE:
        return ""
    if bar_escape(battle, target) is None:
        return (yield from _may_escape(battle, shooter, target))
    if bar_down(battle, target, kind) is None:
        return (yield from _may_go_down(battle, shooter, target))
    return ""


def _may_go_down(battle: BoltBattle, shooter: Unit, target: Unit) -> Procedure[str]:
    """The owner may take a die from the cup, or turn an Ambush die, to Down; there is no test (16.1, 16.2)."""
    rule = "16.2" if target.die else "16.1"
    name, far = battle.name(target), ambush.inches_between(battle, shooter, target)
    options = [
        Option("down", f"{name} goes Down", "go_down", target.id, rule=rule, range=far),
        Option("pass", "Take the fire as it stands", "pass", target.id, rule=rule),
    ]
    prompt = f"{battle.name(shooter)} shoots at {name}: go Down?"
    answer = yield Ask(target.side, prompt, options, reaction=GO_DOWN, rule=rule, meanwhile="pass")
    if answer == "pass":
        return ""
    morale.put_down(battle, target, rule)
    return "down"


def _may_escape(battle: BoltBattle, shooter: Unit, target: Unit) -> Procedure[str]:
    """A recce vehicle may make off with a die from the cup; with pins it tests first (16.9, 16.10).

    A test that fails puts it Down, by a double six as well: this is no order that could be mistaken (3.4, 4.1).
    """
    name, far = battle.name(target), ambush.inches_between(battle, shooter, target)
    options = [
        Option("escape", f"{name} escapes", "escape", target.id, rule="16.9", range=far),
        Option("pass", "Stay", "pass", target.id, rule="16.9"),
    ]
    prompt = f"{battle.name(shooter)} attacks {name}: escape?"
    answer = yield Ask(target.side, prompt, options, reaction=ESCAPE, rule="16.9", meanwhile="pass")
    if answer == "pass":
        return ""
    morale.take_die(battle, target, RUN)
    tested = order_tests.needed(battle, target, RUN)
    if tested and order_tests.take(battle, target, reaction=True) != order_tests.PASS:
        morale.put_down(battle, target, "16.10")
        return "down"
    if (yield from panic_and_escape.escape(battle, target, shooter)):
        battle.note_run(target)
        battle.emit(turn_events.Escaped(side=target.side, unit=target.id, rules=("16.9", "16.10")))
        return "escaped"
    # Who stays after all has used the die and is brought to a halt: the attack goes on (16.9).
    morale.put_down(battle, target, "16.10")
    return "down"
