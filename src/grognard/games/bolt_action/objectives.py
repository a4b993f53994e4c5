"""Reading what a battle is fought for: objectives and how the battle is won (28.4, 28.5)."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.records import Place, each_record, read_record, read_word
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.reading import Number, on_table, read_name
from grognard.games.bolt_action.roster import KINDS
from grognard.games.bolt_action.scenario import EDGES, ExitPoints, Objective, VictoryRules


class _Objective(msgspec.Struct, kw_only=True):
    at: tuple[Number, Number]
    id: str = ""
    name: str = ""
    points: int = 1
    sides: list[str] = []


class _Exit(msgspec.Struct, kw_only=True):
    side: str
    edge: str
    points: int = 1
    kinds: list[str] = []


class _Victory(msgspec.Struct, kw_only=True):
    attrition: int | dict[str, int] = -1
    exit: Any = []
    lead: int = 0
    otherwise: str = ""
    text: str = ""


def read_objectives(
    doc: Document, path: Place, data: Any, table: Table, sides: tuple[str, str]
) -> tuple[Objective, ...]:
    """The objectives of a file, each with who scores for it (28.5)."""
    found: dict[str, Objective] = {}
    for where, item in each_record(doc, path, data):
        record = read_record(doc, where, item, _Objective)
        if record is None:
            continue
        x, y = on_table(doc, (*where, "at"), table, *record.at)
        id = record.id or f"o{len(found) + 1}"
        read_name(doc, (*where, "id"), id, "bridge")
        if id in found:
            doc.fault((*where, "id"), f'the id "{id}" twice', "an id of its own")
        for side in record.sides:
            read_word(doc, (*where, "sides"), "side", side, sides)
        name = record.name or id.replace("_", " ")
        scoring = tuple(record.sides) or sides
        found[id] = Objective(id=id, name=name, x=x, y=y, points=record.points, sides=scoring)
    return tuple(found.values())


def read_victory(doc: Document, path: Place, data: Any, sides: tuple[str, str]) -> VictoryRules:
    """How the battle is won: attrition unless told otherwise, a lead of two points (28.4)."""
    record = read_record(doc, path, data, _Victory, {}) or _Victory()
    each_unit = figures().number("length", "attrition")
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
    exits = []
    for where, item in each_record(doc, (*path, "exit"), record.exit):
        way = read_record(doc, where, item, _Exit)
        if way is None:
            continue
        read_word(doc, (*where, "side"), "side", way.side, sides)
        read_word(doc, (*where, "edge"), "edge", way.edge, EDGES)
        for kind in way.kinds:
            read_word(doc, (*where, "kinds"), "kind", kind, KINDS)
        exits.append(ExitPoints(side=way.side, edge=way.edge, points=way.points, kinds=tuple(way.kinds)))
    return VictoryRules(
        attrition=attrition,
        exits=tuple(exits),
        lead=record.lead or figures().number("length", "lead"),
        otherwise=record.otherwise,
        text=record.text.strip(),
    )
