"""Morale (12): checks at the end of a turn, and Units that are down to one Team."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.company import casualties, leaders
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import Platoon, everybody
from grognard.games.company.training import training_check
from grognard.games.company.turn_events import Breaks, Holds, LastTeam


def must_check(battle: CompanyBattle, unit: Platoon) -> bool:
    """Whether a Unit took casualties this turn and is below half of the Teams that it began with (12.1)."""
    part: float = charts()["morale"]["below"]
    return unit.lost_now > 0 and len(everybody(unit)) < unit.size * part


def in_order(battle: CompanyBattle) -> list[Platoon]:
    """The Units as they check: those of the side that had the first Initiative before the others (12.6)."""
    first = battle.state.first
    return [*battle.platoons(first), *battle.platoons(battle.other(first))]


def checks(battle: CompanyBattle) -> Procedure[None]:
    """The checks at the end of a turn; whoever fails is destroyed (12.1 to 12.3, 12.5)."""
    for unit in in_order(battle):
        if must_check(battle, unit):
            yield from _check(battle, unit)
    for unit in battle.platoons():
        unit.lost_now = 0


def _check(battle: CompanyBattle, unit: Platoon) -> Procedure[None]:
    failing = f"{battle.name(unit)} is destroyed, and the commander with it if the second roll fails, too"
    check = yield from training_check(battle, unit, "morale", ("12.1",), failing=failing)
    if check.passed:
        battle.emit(Holds(side=unit.side, unit=unit.id, rules=("12.1",)))
        return
    battle.emit(Breaks(side=unit.side, unit=unit.id, rules=("12.2",)))
    yield from casualties.destroy(battle, unit, ("12.2",))
    if check.rerolled:
        yield from leaders.pay(battle, unit)


def last_teams(battle: CompanyBattle) -> Procedure[None]:
    """A Unit with one Team left is destroyed, unless it is a Tank Unit or began with one (12.4, 12.5)."""
    fewest = charts().number("morale", "teams_destroyed")
    for unit in in_order(battle):
        if len(everybody(unit)) <= fewest < unit.size and not battle.tanks(unit):
            battle.emit(LastTeam(side=unit.side, unit=unit.id, rules=("12.4",)))
            yield from casualties.destroy(battle, unit, ("12.4",))
