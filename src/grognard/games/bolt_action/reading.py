"""Reading the tables of scenarios, situations and force files, so that every fault in them is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.records import Place, did_you_mean
from grognard.games.bolt_action.figures import figures, inches
from grognard.games.bolt_action.roster import LETTERS, UnitType, roster

Number = int | float

NAME = re.compile(r"[a-z][a-z0-9_]*")
#: A table to go on with where a file's own cannot be read.
BLANK = {"width": 72, "height": 48}


def read_kind(doc: Document, path: Place, name: str) -> UnitType | None:
    """A unit of the roster."""
    kinds = roster()
    if name not in kinds:
        doc.fault(path, f'no unit called "{name}"', did_you_mean(name, kinds))
        return None
    return kinds[name]


def read_name(doc: Document, path: Place, name: str, example: str) -> None:
    """Note a name or id that others could not write."""
    if not NAME.fullmatch(name):
        doc.fault(path, f'"{name}" is no name', f"small letters, digits and _, such as {example}")


def read_heading(doc: Document, path: Place, heading: int) -> int:
    """A heading; anything but whole degrees of a circle is a fault."""
    if not 0 <= heading <= 359:
        doc.fault(path, f"a heading of {heading}", "0 to 359 degrees, clockwise from up")
        return 0
    return heading


def read_ground(doc: Document, table: Any, terrain: Any) -> Table:
    """The table of ``[table]`` with the pieces of ``[[terrain]]`` on it; a bare one where it has faults."""
    kinds = figures().kinds
    found = Table.read(doc, ("table",), table, ("terrain",), terrain, kinds)
    return found or Table("", inches(BLANK["width"]), inches(BLANK["height"]), kinds, ())


def on_table(doc: Document, path: Place, table: Table, x: float, y: float) -> tuple[int, int]:
    """A point of the table in hundredths; a point beside it is a fault."""
    at = (inches(x), inches(y))
    if not (0 <= at[0] <= table.width and 0 <= at[1] <= table.height):
        wide, deep = table.width / 100, table.height / 100
        doc.fault(path, f"[{x}, {y}] is not on the table", f"0 to {wide:g} across and 0 to {deep:g} down")
    return at


def letters(sides: Iterable[str], nations: Mapping[str, str]) -> dict[str, str]:
    """The letter that a side's ids begin with: its nation's, or if both have one, its own first letters."""
    sides = list(sides)
    found = {side: LETTERS.get(nations.get(side, side), side[:1]) for side in sides}
    if len(set(found.values())) < len(sides):
        found = {side: side[:1] for side in sides}
    if len(set(found.values())) < len(sides):
        found = {side: chr(ord("a") + number) for number, side in enumerate(sides)}
    return found
