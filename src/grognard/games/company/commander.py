"""The company's end (14.10, 14.11, 14.20): with half of its Units gone its commander checks whether it goes on."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.command_events import CompanyChecked
from grognard.games.company.training import training_check


def must_check(battle: CompanyBattle, side: str) -> bool:
    """Whether at least half of the Units that a company began with are destroyed, its commander not counted (14.10)."""
    start = battle.company(side).start
    part: float = charts()["leaders"]["company_lost"]
    return start > 0 and len(battle.state.lost.get(side, [])) >= start * part


def company_check(battle: CompanyBattle, side: str) -> Procedure[bool]:
    """Whether a company goes on: it may retreat at half its strength, and does without a commander (14.10, 14.11).

    The check is his own: he does not have it thrown again (14.20).
    """
    if not must_check(battle, side):
        return True
    commander = battle.commander(side)
    if commander is None:
        battle.emit(CompanyChecked(side=side, holds=False, commander=False, rules=("14.10", "14.11")))
        return False
    check = yield from training_check(battle, commander, "the company holds", ("14.10",), reroll=False)
    battle.emit(CompanyChecked(side=side, holds=check.passed, rules=("14.10",)))
    return check.passed
