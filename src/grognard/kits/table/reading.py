"""Reading what files say of a table: points, headings, the ground, and objectives; every fault is told at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from grognard.board.table.terrain import Kind, Table
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, Score, each_record, read_name, read_record, read_word
from grognard.kits.table.scenario import EDGES, ExitPoints, Objective

Number = int | float


def read_heading(doc: Document, path: FilePath, heading: int) -> int:
    """A heading; anything but whole degrees of a circle is a fault."""
    if not 0 <= heading <= 359:
        doc.fault(path, f"a heading of {heading}", "0 to 359 degrees, clockwise from up")
        return 0
    return heading


def read_ground(
    doc: Document, table: Any, terrain: Any, kinds: Mapping[str, Kind], measure: str, blank: Mapping[str, int]
) -> Table:
    """The table of ``[table]`` with the pieces of ``[[terrain]]`` on it; a bare one where it has faults."""
    found = Table.read(doc, ("table",), table, ("terrain",), terrain, kinds, measure=measure)
    return found or Table("", blank["width"] * 100, blank["height"] * 100, kinds, measure=measure)


def on_table(doc: Document, path: FilePath, table: Table, x: float, y: float) -> tuple[int, int]:
    """A point of the table in hundredths; a point beside it is a fault."""
    at = (round(x * 100), round(y * 100))
    if not (0 <= at[0] <= table.width and 0 <= at[1] <= table.height):
        wide, deep = table.width / 100, table.height / 100
        doc.fault(path, f"[{x}, {y}] is not on the table", f"0 to {wide:g} across and 0 to {deep:g} down")
    return at


def letters(sides: Iterable[str], nations: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """The letter that a side's ids begin with: its nation's, or if both have one, its own first letters."""
    sides = list(sides)
    found = {side: known.get(nations.get(side, side), side[:1]) for side in sides}
    if len(set(found.values())) < len(sides):
        found = {side: side[:1] for side in sides}
    if len(set(found.values())) < len(sides):
        found = {side: chr(ord("a") + number) for number, side in enumerate(sides)}
    return found


# ---- what is fought for --------------------------------------------------------------------------------------


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


def read_objectives(
    doc: Document, path: FilePath, data: Any, table: Table, sides: tuple[str, str]
) -> tuple[Objective, ...]:
    """The objectives of a file, each with who scores for it."""
    found: dict[str, Objective] = {}
    for where, item in each_record(doc, path, data):
        record = read_record(doc, where, item, _Objective)
        if record is None:
            continue
        x, y = on_table(doc, (*where, "at"), table, *record.at)
        id = record.id or f"o{len(found) + 1}"
        read_name(doc, (*where, "id"), id, "bridge")
        if id in found:
            doc.fault((*where, "id"), f'the id "{id}" twice', "a different id")
        for side in record.sides:
            read_word(doc, (*where, "sides"), "side", side, sides)
        name = record.name or id.replace("_", " ")
        scoring = tuple(record.sides) or sides
        found[id] = Objective(id=id, name=name, x=x, y=y, points=record.points, sides=scoring)
    return tuple(found.values())


def read_exits(
    doc: Document, path: FilePath, data: Any, sides: tuple[str, str], kinds: Iterable[str]
) -> tuple[ExitPoints, ...]:
    """What is scored for units that leave over an edge, and which of the kinds of unit score."""
    known = tuple(kinds)
    exits = []
    for where, item in each_record(doc, path, data):
        way = read_record(doc, where, item, _Exit)
        if way is None:
            continue
        read_word(doc, (*where, "side"), "side", way.side, sides)
        read_word(doc, (*where, "edge"), "edge", way.edge, EDGES)
        for kind in way.kinds:
            read_word(doc, (*where, "kinds"), "kind", kind, known)
        exits.append(ExitPoints(side=way.side, edge=way.edge, points=way.points, kinds=tuple(way.kinds)))
    return tuple(exits)


class VictoryEntry(msgspec.Struct, kw_only=True):
    """How a battle is won, as a file says it. A game derives its own where there is more to say."""

    exit: Any = []
    lead: Score | None = None
    otherwise: str = ""
    text: str = ""


def victory_fields(
    doc: Document, path: FilePath, entry: VictoryEntry, sides: tuple[str, str], kinds: Iterable[str], lead: int
) -> dict[str, Any]:
    """What a game's victory rules have of the kit's, by field; ``lead`` is the usual one."""
    if entry.otherwise:
        read_word(doc, (*path, "otherwise"), "side", entry.otherwise, sides)
    if entry.lead is not None and entry.lead < 1:
        doc.fault((*path, "lead"), f"a lead of {entry.lead} points", "1 or more")
    return {
        "exits": read_exits(doc, (*path, "exit"), entry.exit, sides, kinds),
        "lead": lead if entry.lead is None else entry.lead,
        "otherwise": entry.otherwise,
        "text": entry.text.strip(),
    }
