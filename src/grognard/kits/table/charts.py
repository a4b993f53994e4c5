"""The figures of a game on a table: its ``charts.toml`` has the table's measure, the program hundredths of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from grognard.board.table.bodies import Footprint
from grognard.board.table.terrain import Kind
from grognard.core.charts import Charts
from grognard.core.dice import Reader, by_face
from grognard.core.files import convert


def hundredths(value: float) -> int:
    """A length of a file as the program counts it."""
    return round(value * 100)


def entries(table: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a table by name, without what is said of the whole of it."""
    return [(id, entry) for id, entry in table.items() if isinstance(entry, dict)]


def read_footprint(entry: dict[str, Any]) -> Footprint:
    """A base: its ``shape``, "disc" or "rect", with its lengths."""
    lengths = (hundredths(entry.get(key, 0)) for key in ("radius", "length", "width", "height", "eye"))
    return Footprint(entry["shape"], *lengths)


def read_kind(id: str, entry: dict[str, Any]) -> Kind:
    """A kind of terrain."""
    lengths: dict[str, int] = {
        key: hundredths(entry[key]) for key in ("height", "depth_visible", "width") if key in entry
    }
    whole: dict[str, Any] = {**entry, **lengths, "name": id}
    return convert(whole, Kind)


class Modifier(NamedTuple):
    """A line of a modifier list: its amount, its rule and the short name shown in tallies."""

    id: str
    amount: int
    rule: str
    label: str


def modifiers(table: dict[str, Any]) -> dict[str, Modifier]:
    """The lines of a modifier list."""
    return {id: Modifier(id, entry["amount"], entry["rule"], entry["label"]) for id, entry in entries(table)}


class Row(NamedTuple):
    """A row of a table that a die is looked up in; ``more`` has what else it says."""

    id: str
    lo: int
    hi: int
    label: str
    more: dict[str, Any]


class Lookup(tuple[Row, ...]):
    """The rows of a table in order, found by what the die shows."""

    __slots__ = ()

    def row(self, roll: int) -> Row:
        """The row of a modified roll; past either end the last one counts."""
        for row in self:
            if roll <= row.hi:
                return row
        return self[-1]

    def named(self, id: str) -> Row:
        """The row of a name."""
        return next(row for row in self if row.id == id)

    def reader(self, add: int = 0) -> Reader:
        """Reads one die as the id of a row."""
        return by_face(tuple(self.row(face + add).id for face in range(1, 7)))


def rows(table: dict[str, Any]) -> Lookup:
    """The rows of a table that a die is looked up in, each beginning where the one before ends."""
    found = sorted((Row(id, e["lo"], e["hi"], e["label"], e) for id, e in entries(table)), key=lambda row: row.lo)
    for row, following in pairwise(found):
        if following.lo != row.hi + 1:
            raise ValueError(f"{following.id} begins at {following.lo}, but {row.id} ends at {row.hi}")
    return Lookup(found)


class TableCharts(Charts):
    """The figures of a game on a table. A game derives its own."""

    def distance(self, table: str, key: str) -> int:
        """A length of a table, in hundredths of the measure."""
        return hundredths(self.tables[table][key])
