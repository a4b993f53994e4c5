"""How a battle ends and who has won it (28.3 to 28.5, 28.7)."""

from __future__ import annotations

from grognard.core.tally import Tally
from grognard.games.bolt_action import morale
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import OVER, Unit
from grognard.kits.table import victory as kit
from grognard.kits.table.scenario import ExitPoints, Objective
from grognard.kits.table.state import EXITED
from grognard.kits.table.victory import Standing


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
    kit.add_objectives(tally, battle, side, "28.5", lambda objective: holder(battle, objective))
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
    near = charts().distance("length", "objective_distance")
    return kit.holder(battle, objective, near, lambda unit: not battle.type(unit).artillery)


def standing(battle: BoltBattle) -> Standing:
    """Who would win if the battle ended now: a lead of enough points, else whom the scenario names, else nobody."""
    rules = battle.scenario.victory
    winner, count = kit.compare(score(battle), rules.lead)
    if winner:
        return Standing(winner, count, "28.4")
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
        end(battle, Standing(winner, f"{battle.scenario.title_of(loser)} has nobody left", "28.7"))
    return True


def decide(battle: BoltBattle) -> None:
    """The battle is over: count the points (28.4, 28.5)."""
    end(battle, standing(battle))


def end(battle: BoltBattle, standing: Standing) -> None:
    """Note how the battle ended; no die is drawn any more."""
    battle.state.drawn = False
    kit.end(battle, standing)
