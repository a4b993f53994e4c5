"""Order tests (3): when a unit has to take one, on which number, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from grognard.core.dice import Faces, Reader
from grognard.games.bolt_action import morale, pins, special, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import DOWN, Unit

PASS, FAIL, FUBAR = "pass", "fail", "fubar"

#: A modifier of one test: its id, its amount and its rule.
Modifier = tuple[str, int, str]


def needed(battle: BoltBattle, unit: Unit, order: str, extra: int = 0) -> bool:
    """Whether a unit tests for an order: with pins (3.1), as Shirkers (27.6), where a rule gives a modifier (22.3).

    Down never needs one (2.7). Pins on its vehicle count for a unit that gets out (24.4).
    """
    if order == DOWN:
        return False
    return unit.pins > 0 or extra != 0 or special.shirks(battle, unit) or morale.carrier_pins(battle, unit, order) > 0


def take(battle: BoltBattle, unit: Unit, extra: Iterable[Modifier] = (), *, reaction: bool = False) -> str:
    """Take an order test: "pass", "fail" or "fubar" (3.2 to 3.6); a pass removes a pin (3.5).

    In ``reaction`` to an attack no order is given that could be mistaken: a double six fails and is no FUBAR (16.10).
    """
    chart = charts()["order_test"]
    tally = morale.target(battle, unit, morale.ORDER_TEST, unit.die)
    for id, amount, rule in extra:
        tally.add(id, amount, rule)
    read = order_reader(tally.total, chart["always_pass"], chart["always_fail"], FAIL if reaction else FUBAR)
    dice = chart["dice"].lower()
    rules = ("3.2", "3.3", "16.10" if reaction else "3.4")
    result: str = battle.roll(unit.side, morale.ORDER_TEST, dice, read, rules, (tally,), unit.id)
    if result == PASS:
        battle.emit(turn_events.OrderObeyed(side=unit.side, unit=unit.id, rules=("3.2",)))
        pins.remove(battle, unit, chart["pins_removed_on_pass"], "3.5")
    return result


@cache
def chance(target: int) -> float:
    """How likely an order test on a target number is passed."""
    chart = charts()["order_test"]
    read = order_reader(target, chart["always_pass"], chart["always_fail"])
    number, sides = map(int, chart["dice"].lower().split("d"))
    throws = list(product(range(1, sides + 1), repeat=number))
    return [read(faces) for faces in throws].count(PASS) / len(throws)


@cache
def order_reader(target: int, passes: int, fails: int, worst: str = FUBAR) -> Reader:
    """An order test on a target number: a double one always passes, a double six is the ``worst`` (3.3, 3.4)."""

    def read(faces: Faces) -> str:
        total = sum(faces)
        if total == fails:
            return worst
        return PASS if total == passes or total <= target else FAIL

    read.worth = lambda meaning: float(meaning == PASS)  # type: ignore[attr-defined]
    return read
