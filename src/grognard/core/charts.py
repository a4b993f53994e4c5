"""Tables with columns and rows, column shifts and clamping; and the files they come from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from grognard.core.dice import Faces, Reader
from grognard.core.errors import Fault, MalformedError
from grognard.core.files import Document


class Chart:
    """A table read by column and dice: both are clamped to its edges.

    >>> chart = Chart("ict", -1, 2, (("", "S"), ("S", "X")), ("", "S", "X"))
    >>> chart.result(12, 99), chart.result(2, -9)
    ('X', '')
    """

    def __init__(
        self,
        name: str,
        first_column: int,
        first_roll: int,
        rows: tuple[tuple[str, ...], ...],
        severity: tuple[str, ...],
    ) -> None:
        self.name, self.first_column, self.first_roll, self.rows = name, first_column, first_roll, rows
        self.severity = severity
        self.last_column = first_column + len(rows[0]) - 1
        self.last_roll = first_roll + len(rows) - 1
        self.reader = cache(self._reader)

    @classmethod
    def from_table(cls, name: str, table: dict[str, Any]) -> Chart:
        """A chart from its table in charts.toml."""
        rows = tuple(tuple(row) for row in table["rows"])
        width, results = len(table["columns"]), set(table["results"])
        if {len(row) for row in rows} != {width}:
            raise ValueError(f"every row of {name} needs {width} results, one a column")
        if wrong := {cell for row in rows for cell in row} - results:
            raise ValueError(f"{name} has results that it does not declare: {', '.join(sorted(wrong))}")
        return cls(name, table["first_column"], table["first_roll"], rows, tuple(table["results"]))

    def column(self, column: int) -> int:
        """A column clamped to the table."""
        return min(max(column, self.first_column), self.last_column)

    def result(self, roll: int, column: int) -> str:
        """What the table says for a modified roll in a column."""
        roll = min(max(roll, self.first_roll), self.last_roll)
        return self.rows[roll - self.first_roll][self.column(column) - self.first_column]

    def _reader(self, column: int, add: int = 0) -> Reader:
        def read(faces: Faces) -> str:
            return self.result(sum(faces) + add, column)

        read.worth = self.worth  # type: ignore[attr-defined]
        return read

    def worth(self, result: str) -> int:
        """How bad a result is for its victim: its place in the order of severity."""
        return self.severity.index(result)


def merge(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Our tables with a user's laid over them, table by table."""
    merged = dict(ours)
    for key, value in theirs.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def load_tables(ours: Path, theirs: Path | None = None) -> tuple[dict[str, Any], list[str]]:
    """A game's figures, with the user's own file taking precedence; and the names it replaced."""
    tables: dict[str, Any] = Document.read(ours).data
    if theirs is None or not theirs.exists():
        return tables, []
    document = Document.read(theirs)
    for name, table in document.data.items():
        if name not in tables:
            known = ", ".join(sorted(tables))
            document.fault(name, "no such table", f"one of {known}")
        elif type(table) is not type(tables[name]):
            document.fault(name, f"must be a {type(tables[name]).__name__}")
    document.check()
    return merge(tables, document.data), sorted(document.data)


def build_chart(name: str, tables: dict[str, Any], file: str) -> Chart:
    """The chart of a name, with its faults told like those of any file."""
    try:
        return Chart.from_table(name, tables[name])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        text = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise MalformedError([Fault(file, 0, name, text, "see the chart that comes with the game")]) from None
