"""Victory (16.4 to 16.6): objectives held, Units that left, the company that retreats, and how a battle ends."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.files import Document
from grognard.core.read_tables import Place, Score, read_record, read_word
from grognard.core.view import Result
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.roster import roster
from grognard.games.company.scenario import VictoryRules
from grognard.games.company.state import OVER
from grognard.kits.table.reading import read_exits


class _Victory(msgspec.Struct, kw_only=True):
    exit: Any = []
    lead: Score = 1
    otherwise: str = ""
    text: str = ""


def read_victory(doc: Document, path: Place, data: Any, sides: tuple[str, str]) -> VictoryRules:
    """How a battle is won, as a file says it."""
    record = read_record(doc, path, data, _Victory, {})
    if record is None:
        return VictoryRules()
    if record.otherwise:
        read_word(doc, (*path, "otherwise"), "side", record.otherwise, sides)
    if record.lead < 1:
        doc.fault((*path, "lead"), f"a lead of {record.lead} points", "1 or more")
    exits = read_exits(doc, (*path, "exit"), record.exit, sides, roster())
    return VictoryRules(exits=exits, lead=record.lead, otherwise=record.otherwise, text=record.text)


def result(battle: CompanyBattle) -> Result | None:
    """How the battle ended, or None while it goes on."""
    state = battle.state
    return Result(state.winner, state.reason, state.ending_rule) if state.phase == OVER else None
