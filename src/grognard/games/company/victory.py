"""Victory (16.4 to 16.6, 14.10): objectives held, Units that left, the company that retreats, and how a battle ends."""

from __future__ import annotations

from typing import Any

from grognard.core.files import Document
from grognard.core.read_tables import FilePath, read_record
from grognard.core.tally import Tally
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.roster import roster
from grognard.games.company.state import living
from grognard.kits.table import victory as kit
from grognard.kits.table.reading import VictoryEntry, victory_fields
from grognard.kits.table.scenario import ExitPoints, Objective, VictoryRules
from grognard.kits.table.state import EXITED, ON_TABLE, UNPLACED
from grognard.kits.table.victory import Standing


def read_victory(doc: Document, path: FilePath, data: Any, sides: tuple[str, str]) -> VictoryRules:
    """How a battle is won, as a file says it."""
    entry = read_record(doc, path, data, VictoryEntry, {}) or VictoryEntry()
    return VictoryRules(**victory_fields(doc, path, entry, sides, roster(), lead=1))


# ---- points ----------------------------------------------------------------------------------------------


def score(battle: CompanyBattle) -> dict[str, int]:
    """The points of both sides so far."""
    return {side: points(battle, side).total for side in battle.sides}


def points(battle: CompanyBattle, side: str) -> Tally:
    """What a side has scored: objectives held, and Units that left where they were meant to (16.4, 16.6)."""
    tally = Tally("points", 0, "16.4")
    kit.add_objectives(tally, battle, side, "16.4", lambda objective: holder(battle, objective))
    for way in battle.scenario.victory.exits:
        gone = sum(_scores(battle, id, over, way) for id, over in battle.state.exits.items())
        if way.side == side and gone:
            tally.add("exited", way.points * gone, "16.6", f"{gone} over the {way.edge} edge")
    return tally


def _scores(battle: CompanyBattle, id: str, over: str, way: ExitPoints) -> bool:
    """Whether a Unit that left over an edge is worth points there."""
    unit = battle.unit(id)
    return unit.side == way.side and over == way.edge and (not way.kinds or unit.kind in way.kinds)


def holder(battle: CompanyBattle, objective: Objective) -> str:
    """The side with a Team within 4 inches of an objective where the enemy has none, or "" (16.4)."""
    return kit.holder(battle, objective, battle.charts.distance("distances", "objective"))


# ---- the end ---------------------------------------------------------------------------------------------


def in_play(battle: CompanyBattle, side: str) -> bool:
    """Whether a side has a Unit left, on the table or still to be set up; its commander is none (14.14)."""
    return any(
        unit.status == UNPLACED or (unit.status == ON_TABLE and living(unit))
        for unit in battle.units(side, on_table=False)
        if not battle.is_commander(unit)
    )


def wiped_out(battle: CompanyBattle) -> bool:
    """Whether a side has no Unit left (16.4)."""
    return not all(in_play(battle, side) for side in battle.sides)


def decide(battle: CompanyBattle) -> None:
    """The battle is over: a side without any Unit has lost; otherwise the points are compared (16.4).

    A side whose last Units have left the table as they were meant to is not beaten: then the points decide.
    """
    gone = [side for side in battle.sides if not in_play(battle, side)]
    if len(gone) == 1 and not any(unit.status == EXITED for unit in battle.units(gone[0], on_table=False)):
        kit.end(battle, Standing(battle.other(gone[0]), "the enemy has no Unit left", "16.4"))
    else:
        kit.end(battle, standing(battle))


def standing(battle: CompanyBattle) -> Standing:
    """Who would win on points now (16.4)."""
    rules = battle.scenario.victory
    winner, count = kit.compare(score(battle), rules.lead)
    if rules.otherwise and not winner:
        return Standing(rules.otherwise, f"{count}, which is not enough for the enemy", "16.4")
    return Standing(winner, count, "16.4")


def retreat(battle: CompanyBattle, side: str) -> None:
    """A company that failed its check goes back, and the battle is lost (14.10)."""
    kit.end(battle, Standing(battle.other(side), "the enemy company retreats", "14.10"))
