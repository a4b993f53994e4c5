"""Victory (16.4 to 16.6, 14.10): objectives held, Units that left, the company that retreats, and how a battle ends."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from grognard.board.table.bodies import HAIR, gap_to_point
from grognard.core.events import Told
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, Score, read_record, read_word
from grognard.core.tally import Tally
from grognard.core.view import Result
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.roster import roster
from grognard.games.company.scenario import VictoryRules
from grognard.games.company.state import OVER, living
from grognard.kits.table.reading import read_exits
from grognard.kits.table.scenario import ExitPoints, Objective
from grognard.kits.table.state import EXITED, ON_TABLE, UNPLACED


class Ended(Told, frozen=True, kw_only=True):
    """The battle is over; ``side`` is the winner, "" in a draw."""

    matters: ClassVar[bool] = True
    reason: str

    def pattern(self) -> str:
        """Who won, and why."""
        return "The {side} side wins: {reason}" if self.side else "A draw: {reason}"


# ---- what a file says ------------------------------------------------------------------------------------


class _Victory(msgspec.Struct, kw_only=True):
    exit: Any = []
    lead: Score = 1
    otherwise: str = ""
    text: str = ""


def read_victory(doc: Document, path: FilePath, data: Any, sides: tuple[str, str]) -> VictoryRules:
    """How a battle is won, as a file says it."""
    record = read_record(doc, path, data, _Victory, {})
    if record is None:
        return VictoryRules()
    if record.otherwise:
        read_word(doc, (*path, "otherwise"), "side", record.otherwise, sides)
    if record.lead < 1:
        doc.fault((*path, "lead"), f"a lead of {record.lead} points", "1 or more")
    exits = read_exits(doc, (*path, "exit"), record.exit, sides, roster())
    return VictoryRules(exits=exits, lead=record.lead, otherwise=record.otherwise, text=record.text.strip())


# ---- points ----------------------------------------------------------------------------------------------


def score(battle: CompanyBattle) -> dict[str, int]:
    """The points of both sides so far."""
    return {side: points(battle, side).total for side in battle.sides}


def points(battle: CompanyBattle, side: str) -> Tally:
    """What a side has scored: objectives held, and Units that left where they were meant to (16.4, 16.6)."""
    tally = Tally("points", 0, "16.4")
    for objective in battle.scenario.objectives:
        if side in objective.sides and holder(battle, objective) == side:
            tally.add("objective", objective.points, "16.4", objective.name)
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
    key = ("holder", objective.id)
    found: str | None = battle.cache.get(key)
    if found is None:
        near = battle.charts.distance("distances", "objective") + HAIR
        there = {
            unit.side
            for unit in battle.units()
            if any(gap_to_point(body, objective.x, objective.y) <= near for body in battle.bodies(unit))
        }
        found = battle.cache[key] = there.pop() if len(there) == 1 else ""
    return found


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
        end(battle, battle.other(gone[0]), "the enemy has no Unit left", "16.4")
        return
    end(battle, *standing(battle))


def standing(battle: CompanyBattle) -> tuple[str, str, str]:
    """Who would win on points now, "" for nobody, why, and by which rule."""
    first, second = battle.sides
    mine, yours = score(battle).values()
    rules = battle.scenario.victory
    ahead, high, low = (first, mine, yours) if mine > yours else (second, yours, mine)
    count = f"{high} point{'' if high == 1 else 's'} to {low}"
    if high - low >= rules.lead:
        return ahead, count, "16.4"
    if rules.otherwise:
        return rules.otherwise, f"{count}, which is not enough for the enemy", "16.4"
    return "", count, "16.4"


def retreat(battle: CompanyBattle, side: str) -> None:
    """A company that failed its check goes back, and the battle is lost (14.10)."""
    end(battle, battle.other(side), "the enemy company retreats", "14.10")


def title(battle: CompanyBattle, side: str) -> str:
    """What people call a side's force, within a sentence."""
    return battle.scenario.titles.get(side, side.replace("_", " ").capitalize())


def end(battle: CompanyBattle, winner: str, reason: str, rule: str) -> None:
    """Note how the battle ended."""
    state = battle.state
    state.phase, state.winner, state.reason, state.ending_rule = OVER, winner, reason, rule
    battle.emit(Ended(side=winner, reason=reason, rules=(rule,)))


def result(battle: CompanyBattle) -> Result | None:
    """How the battle ended, or None while it goes on."""
    state = battle.state
    return Result(state.winner, state.reason, state.ending_rule) if state.phase == OVER else None
