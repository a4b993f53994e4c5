"""Reading how a battle is won (28.4, 28.5)."""

from __future__ import annotations

from typing import Any

from grognard.core.files import Document
from grognard.core.read_tables import FilePath, read_record, read_word
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import KINDS
from grognard.games.bolt_action.scenario import VictoryRules
from grognard.kits.table.reading import VictoryEntry, victory_fields


class _Victory(VictoryEntry, kw_only=True):
    attrition: int | dict[str, int] = -1


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
    known = victory_fields(doc, path, record, sides, KINDS, lead=charts().number("length", "lead"))
    return VictoryRules(attrition=attrition, **known)
