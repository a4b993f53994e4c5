"""Reading how a battle is won (28.4, 28.5)."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.files import Document
from grognard.core.read_tables import FilePath, read_record, read_word
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import KINDS
from grognard.games.bolt_action.scenario import VictoryRules
from grognard.kits.table.reading import read_exits


class _Victory(msgspec.Struct, kw_only=True):
    attrition: int | dict[str, int] = -1
    exit: Any = []
    lead: int = 0
    otherwise: str = ""
    text: str = ""


def read_victory(doc: Document, path: FilePath, data: Any, sides: tuple[str, str]) -> VictoryRules:
    """How the battle is won: attrition unless told otherwise, a lead of two points (28.4)."""
    record = read_record(doc, path, data, _Victory, {}) or _Victory()
    each_unit = charts().number("length", "attrition")
    if isinstance(record.attrition, dict):
        for side in record.attrition:
            read_word(doc, (*path, "attrition", side), "side", side, sides)
        attrition = {side: record.attrition.get(side, each_unit) for side in sides}
    else:
        attrition = dict.fromkeys(sides, each_unit if record.attrition < 0 else record.attrition)
    if record.otherwise:
        read_word(doc, (*path, "otherwise"), "side", record.otherwise, sides)
    if record.lead < 0:
        doc.fault((*path, "lead"), f"a lead of {record.lead}", "1 or more")
    return VictoryRules(
        attrition=attrition,
        exits=read_exits(doc, (*path, "exit"), record.exit, sides, KINDS),
        lead=record.lead or charts().number("length", "lead"),
        otherwise=record.otherwise,
        text=record.text.strip(),
    )
