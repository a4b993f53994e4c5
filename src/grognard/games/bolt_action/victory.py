"""How a battle ends and who has won it (28.3 to 28.5, 28.7)."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board.table.bodies import HAIR, gap_to_point
from grognard.core.tally import Tally
from grognard.core.view import Result
from grognard.games.bolt_action import morale, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import OVER, Unit
from grognard.kits.table.scenario import ExitPoints, Objective
from grognard.kits.table.state import EXITED


def score(battle: BoltBattle) -> dict[str, int]:
    """The points of both sides so far."""
    return {side: points(battle, side).total for side in battle.sides}


def points(battle: BoltBattle, side: str) -> Tally:
    """What a side has scored so far: enemies destroyed, objectives held, units that got through (28.4, 28.5)."""
    rules, enemy = battle.scenario.victory, battle.other(side)
    tally = Tally("points", 0, "28.4")
    each = rules.attrition.get(side, charts().number("length", "attrition"))
    lost = len(battle.state.lost.get(enemy, ()))
    if each and lost:
        tally.add("destroyed", each * lost, "28.4", f"{lost} enemy unit{'s' if lost > 1 else ''}")
    for objective in battle.scenario.objectives:
        if side in objective.sides and holder(battle, objective) == side:
            tally.add("objective", objective.points, "28.5", objective.name)
    for way in rules.exits:
        gone = [unit for unit in battle.units(side, on_table=False) if _scores_exit(battle, unit, way)]
        if way.side == side and gone:
            tally.add("exited", way.points * len(gone), "28.5", f"{way.edge} edge")
    return tally


def _scores_exit(battle: BoltBattle, unit: Unit, way: ExitPoints) -> bool:
    """Whether a unit has left the table over an edge that is worth points to it.

    Movement notes over which edge a unit went; without a note it went over the only one there is.
    """
    if unit.status != EXITED or (way.kinds and battle.type(unit).kind not in way.kinds):
        return False
    return battle.state.scratch.exits.get(unit.id, way.edge) == way.edge


def holder(battle: BoltBattle, objective: Objective) -> str:
    """The side with living infantry or a vehicle at an objective where the enemy has none, or "" (28.5)."""
    key = ("holder", objective.id)
    found: str | None = battle.cache.get(key)
    if found is None:
        there = {unit.side for unit in battle.units() if _at(battle, unit, objective)}
        found = battle.cache[key] = there.pop() if len(there) == 1 else ""
    return found


def _at(battle: BoltBattle, unit: Unit, objective: Objective) -> bool:
    """Whether a unit that counts stands at an objective; guns do not count (28.5)."""
    if battle.type(unit).artillery:
        return False
    near = charts().distance("length", "objective_distance") + HAIR
    x, y = objective.x, objective.y
    for body in battle.bodies(unit):
        room = near + body.foot.farthest
        if abs(body.x - x) <= room and abs(body.y - y) <= room and gap_to_point(body, x, y) <= near:
            return True
    return False


class Standing(NamedTuple):
    """How the battle would end now: the winner, "" in a draw, and why."""

    winner: str
    reason: str
    rule: str


def standing(battle: BoltBattle) -> Standing:
    """Who would win if the battle ended now: a lead of enough points, else whom the scenario names, else nobody."""
    first, second = battle.sides
    mine, yours = score(battle).values()
    rules = battle.scenario.victory
    ahead = first if mine > yours else second
    high, low = max(mine, yours), min(mine, yours)
    count = f"{high} point{'' if high == 1 else 's'} to {low}"
    if high - low >= rules.lead:
        return Standing(ahead, count, "28.4")
    if rules.otherwise:
        return Standing(rules.otherwise, f"the enemy has no lead of {rules.lead} ({count})", "28.4")
    return Standing("", f"{count}, no lead of {rules.lead}", "28.4")


def in_play(battle: BoltBattle, side: str) -> bool:
    """Whether a side has any unit left on the table, in a vehicle, in reserve or still to be placed (28.7)."""
    return any(unit.side == side and morale.living(unit) for unit in battle.state.units.values())


def wiped_out(battle: BoltBattle) -> bool:
    """End the battle at once if a side has nobody left (28.7, B35); True if it is over.

    A side whose men have all left the table as they were meant to is not beaten: then the points decide.
    """
    if battle.state.phase == OVER:
        return True
    gone = [side for side in battle.sides if not in_play(battle, side)]
    if not gone:
        return False
    if len(gone) == 2 or any(u.status == EXITED and u.side in gone for u in battle.state.units.values()):
        decide(battle)
    else:
        loser = gone[0]
        winner = battle.other(loser)
        end(battle, Standing(winner, f"{_title(battle, loser)} has nobody left", "28.7"))
    return True


def _title(battle: BoltBattle, side: str) -> str:
    return battle.scenario.titles.get(side, side.replace("_", " ").capitalize())


def decide(battle: BoltBattle) -> None:
    """The battle is over: count the points (28.4, 28.5)."""
    end(battle, standing(battle))


def end(battle: BoltBattle, standing: Standing) -> None:
    """Note how the battle ended."""
    state = battle.state
    state.phase, state.drawn = OVER, False
    state.winner, state.reason, state.ending_rule = standing.winner, standing.reason, standing.rule
    battle.emit(turn_events.Ended(side=standing.winner, reason=standing.reason, rules=(standing.rule,)))


def result(battle: BoltBattle) -> Result | None:
    """How the battle ended; None while it goes on."""
    state = battle.state
    return Result(state.winner, state.reason, state.ending_rule) if state.phase == OVER else None
