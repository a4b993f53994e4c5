"""How a battle on a table is won: who holds an objective, who leads by enough points, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple, TypeVar

from grognard.board.table.bodies import HAIR, gap_to_point
from grognard.core.events import Told
from grognard.core.tally import Tally
from grognard.core.view import Result
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.scenario import Objective
from grognard.kits.table.state import OVER, Unit

U = TypeVar("U", bound=Unit[Any])


class Ended(Told, frozen=True, kw_only=True):
    """The battle is over; ``side`` is the winner, "" in a draw."""

    matters: ClassVar[bool] = True
    reason: str

    def pattern(self) -> str:
        """Who won, and why."""
        return "The {side} side wins: {reason}" if self.side else "A draw: {reason}"


class Standing(NamedTuple):
    """How a battle would end now: the winner, "" in a draw, why, and by which rule."""

    winner: str
    reason: str
    rule: str


# ---- points ------------------------------------------------------------------------------------------------


def holder(
    battle: TableBattle[Any, Any, U, Any],
    objective: Objective,
    near: float,
    counts: Callable[[U], bool] = lambda unit: True,
) -> str:
    """The side with a base so near to an objective where the enemy has none, or ""; ``counts`` says of which units."""
    key = ("holder", objective.id)
    found: str | None = battle.cache.get(key)
    if found is None:
        there = {unit.side for unit in battle.units() if counts(unit) and _at(battle, unit, objective, near + HAIR)}
        found = battle.cache[key] = there.pop() if len(there) == 1 else ""
    return found


def _at(battle: TableBattle[Any, Any, U, Any], unit: U, objective: Objective, near: float) -> bool:
    """Whether any base of a unit is so near to an objective."""
    x, y = objective.x, objective.y
    for body in battle.bodies(unit):
        room = near + body.foot.farthest
        if abs(body.x - x) <= room and abs(body.y - y) <= room and gap_to_point(body, x, y) <= near:
            return True
    return False


def add_objectives(
    tally: Tally,
    battle: TableBattle[Any, Any, Any, Any],
    side: str,
    rule: str,
    holder: Callable[[Objective], str],
) -> None:
    """Count the objectives that a side holds and scores for."""
    for objective in battle.scenario.objectives:
        if side in objective.sides and holder(objective) == side:
            tally.add("objective", objective.points, rule, objective.name)


def compare(score: Mapping[str, int], lead: int) -> tuple[str, str]:
    """The side that leads by so many points, "" for none, and the points of both in words.

    >>> compare({"red": 1, "blue": 3}, 2), compare({"red": 1, "blue": 0}, 2)
    (('blue', '3 points to 1'), ('', '1 point to 0'))
    """
    (low, _), (high, ahead) = sorted((points, side) for side, points in score.items())
    count = f"{high} point{'' if high == 1 else 's'} to {low}"
    return ahead if high - low >= lead else "", count


# ---- the end -----------------------------------------------------------------------------------------------


def end(battle: TableBattle[Any, Any, Any, Any], standing: Standing) -> None:
    """Note how the battle ended."""
    state = battle.state
    state.phase, state.winner, state.reason, state.ending_rule = OVER, *standing
    battle.emit(Ended(side=standing.winner, reason=standing.reason, rules=(standing.rule,)))


def result(battle: TableBattle[Any, Any, Any, Any]) -> Result | None:
    """How the battle ended; None while it goes on."""
    state = battle.state
    return Result(state.winner, state.reason, state.ending_rule) if state.phase == OVER else None
