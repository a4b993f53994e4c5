"""Training Checks (3.1, 3.2, 3.13): the one place where they are rolled, and rolled again for the commander (14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.core.ask import Procedure
from grognard.core.dice import at_least
from grognard.core.tally import Line, Tally
from grognard.games.company import leaders
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import Platoon, everybody
from grognard.games.company.turn_events import OutOfTheQuestion


class Check(NamedTuple):
    """How a Training Check came out, and whether the commander had it rolled again: he may have to pay (14.9)."""

    passed: bool
    rerolled: bool = False


def needed(battle: CompanyBattle, unit: Platoon, *, modifiers: Sequence[Line] = ()) -> Tally:
    """What a check needs: the number of the Unit's training (3.2), which only suppression changes (3.13)."""
    training = battle.training(unit)
    tally = Tally("Training Check", training.check, "3.2", training.title)
    for line in modifiers:
        tally.add(line.id, line.amount, line.rule, line.source)
    return tally


def suppression(battle: CompanyBattle, unit: Platoon) -> list[Line]:
    """What the markers of a Unit add to the number that it needs to activate (11.3)."""
    marks = sum(team.marks for team in everybody(unit))
    each = battle.charts.number("suppression", "per_marker")
    return [Line("suppression", marks * each, "11.3")] if marks else []


def training_check(
    battle: CompanyBattle,
    unit: Platoon,
    what: str,
    rules: tuple[str, ...],
    *,
    modifiers: Sequence[Line] = (),
    reroll: bool = True,
    failing: str = "",
) -> Procedure[Check]:
    """Roll a check, and if it fails roll it again where the commander wants it (3.13, 14.8).

    ``what`` it is for is told with the roll; ``failing`` says what a failure means to whoever may have it rolled again.
    """
    tally = needed(battle, unit, modifiers=modifiers)
    if tally.total > battle.charts.number("training_check", "highest"):
        battle.emit(OutOfTheQuestion(side=unit.side, unit=unit.id, needed=tally.total, rules=("3.13",)))
        return Check(False)
    if _roll(battle, unit, what, rules, tally):
        return Check(True)
    if not reroll or not (yield from leaders.offer_reroll(battle, unit, what, failing)):
        return Check(False)
    return Check(_roll(battle, unit, what, (*rules, "14.8"), tally), True)


def _roll(battle: CompanyBattle, unit: Platoon, what: str, rules: tuple[str, ...], tally: Tally) -> bool:
    least = max(tally.total, battle.charts.number("training_check", "always_fails") + 1)
    passed: bool = battle.roll(unit.side, what, "1d6", at_least(least), rules, (tally,), unit=unit.id)
    return passed
