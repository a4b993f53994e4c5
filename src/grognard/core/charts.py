"""Tables with columns and rows, column shifts and clamping; and the files they come from."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

from platformdirs import user_data_path

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
        columns, results = table["columns"], set(table["results"])
        width, first = len(columns), table["first_column"]
        if columns != list(range(first, first + width)):
            raise ValueError(f"the columns of {name} count up from {first}, one after the other")
        if {len(row) for row in rows} != {width}:
            raise ValueError(f"every row of {name} needs {width} results, one per column")
        if wrong := {cell for row in rows for cell in row} - results:
            raise ValueError(f"{name} has results that it does not declare: {', '.join(sorted(wrong))}")
        return cls(name, first, table["first_roll"], rows, tuple(table["results"]))

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


def lay_over(ours: dict[str, Any], theirs: Document) -> tuple[dict[str, Any], list[str]]:
    """Our tables with those of a user's document laid over them, and their names; or all its faults.

    What a user writes must have the shape of what it replaces.
    """
    data = theirs.data
    if not isinstance(data, dict):
        theirs.fault((), "not a file of tables", "tables such as those of the charts that come with the game")
        theirs.check()
    for name, table in data.items():
        if name in ours:
            compare_shape(theirs, (name,), table, [ours[name]])
        else:
            theirs.fault(name, "this game doesn't have that table", _nearest(name, ours))
    theirs.check()
    return merge(ours, data), sorted(data)


def compare_shape(doc: Document, path: tuple[str | int, ...], value: Any, samples: list[Any]) -> None:
    """Note where a value differs in shape from everything that stands in such a place."""
    kinds = dict.fromkeys(map(_kind, samples))
    if samples and _kind(value) not in kinds:
        doc.fault(path, f"{_kind(value)} {value!r:.40}", f"{' or '.join(kinds)}, such as {samples[0]!r:.60}")
    elif isinstance(value, float) and samples and not any(isinstance(sample, float) for sample in samples):
        doc.fault(path, f"{value!r:.40}", f"a whole number, such as {samples[0]!r:.60}")
    elif isinstance(value, dict):
        _compare_table(doc, path, value, [sample for sample in samples if isinstance(sample, dict)])
    elif isinstance(value, list):
        members = [member for sample in samples if isinstance(sample, list) for member in sample]
        for index, member in enumerate(value):
            compare_shape(doc, (*path, index), member, members)
            _lacks(doc, (*path, index), member, members)
        ids = [member["id"] for member in members if isinstance(member, dict) and "id" in member]
        given = [member.get("id") for member in value if isinstance(member, dict)]
        for id in dict.fromkeys(ids):
            if id not in given:
                doc.fault(path, f'"{id}" is missing', "a list that replaces ours must name every entry of ours")


def _compare_table(
    doc: Document, path: tuple[str | int, ...], table: dict[str, Any], samples: list[dict[str, Any]]
) -> None:
    entries = [entry for sample in samples for entry in sample.values()]
    named = bool(entries) and all(isinstance(entry, dict) for entry in entries)
    for key, value in table.items():
        known = [sample[key] for sample in samples if key in sample]
        if known or named:
            # Where a table holds entries by name, each may have what any of them has, and there may be new ones.
            compare_shape(doc, (*path, key), value, known + [e for e in entries if e not in known] if named else known)
            if not known:
                _lacks(doc, (*path, key), value, entries)
        elif samples:
            doc.fault((*path, key), f'unknown key "{key}"', _nearest(key, {k for sample in samples for k in sample}))


def _lacks(doc: Document, path: tuple[str | int, ...], value: Any, samples: list[Any]) -> None:
    if isinstance(value, dict) and samples and all(isinstance(sample, dict) for sample in samples):
        for key in samples[0]:
            if key not in value and all(key in sample for sample in samples):
                doc.fault(path, f'"{key}" is missing', f"{key} = {samples[0][key]!r:.60}")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    return {"str": "a text", "list": "a list", "dict": "a table"}.get(type(value).__name__, type(value).__name__)


def _nearest(word: str, known: Iterable[str]) -> str:
    words = sorted(known)
    near = get_close_matches(word, words, 1)
    return f'did you mean "{near[0]}"?' if near else f"one of {', '.join(words)}"


def build_chart(name: str, tables: dict[str, Any], file: str) -> Chart:
    """The chart of a name, with its faults told like those of any file."""
    try:
        return Chart.from_table(name, tables[name])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        text = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise MalformedError([Fault(file, 0, name, text, "see the chart that comes with the game")]) from None


class Charts:
    """The figures of a game's ``charts.toml`` in force. ``user_tables`` names those that a user's own file replaced.

    A game derives its own, with typed attributes made from the tables in ``__init__``.
    """

    #: The game's folder, whose name is the game's.
    folder: ClassVar[Path]
    _in_force: ClassVar[Any] = None

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        self.tables, self.user_tables = tables, user_tables
        #: Short names of the lines of tallies.
        self.phrases: dict[str, str] = {}

    def __getitem__(self, name: str) -> Any:
        """A table by name, as it stands in the file."""
        return self.tables[name]

    def number(self, table: str, key: str) -> int:
        """A whole number of a table."""
        return int(self.tables[table][key])

    @classmethod
    def check(cls, tables: dict[str, Any], theirs: Document) -> None:
        """Note what is wrong with tables that have the right shape: words that mean nothing, above all."""

    @classmethod
    def user_file(cls) -> Path:
        """Where a user's own charts lie, if there are any."""
        return user_data_path("grognard", appauthor=False) / cls.folder.name / "charts.toml"

    @classmethod
    def in_force(cls) -> Self:
        """The figures in force, read once: ours, with the user's own charts laid over them."""
        found: Self | None = cls.__dict__.get("_in_force")
        if found is None:
            theirs = cls.user_file()
            ours = cls.folder / "charts.toml"
            found = cls.read(Document.read(theirs)) if theirs.exists() else cls(Document.read(ours).data, [])
            cls._in_force = found
        return found

    @classmethod
    def read(cls, theirs: Document) -> Self:
        """Our figures with those of a user's document laid over them, or all its faults."""
        tables, names = lay_over(Document.read(cls.folder / "charts.toml").data, theirs)
        cls.check(tables, theirs)
        theirs.check()
        try:
            return cls(tables, names)
        except MalformedError as error:
            raise MalformedError([fault._replace(file=theirs.name) for fault in error.faults]) from None
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise MalformedError([Fault(theirs.name, 0, "", f"the figures do not fit together: {error!r}")]) from None
