"""Tables with bands: two dice read as tens and units, 11 to 66, and figures by ranges of a number.

The first die gives the tens, the second the units, so that 36 rolls are equally likely and none lies between 16 and 21.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from grognard.core.dice import Faces, Reader
from grognard.core.files import Document, Path_

#: Every roll of two dice read as tens and units, in order.
ROLLS = tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7))
#: A range that goes on without end ends here in a file.
ENDLESS = 999
_NUMBERED = re.compile(r"^.+_(\d+)$")


@cache
def tens_and_units() -> Reader:
    """Two dice as one number, 11 to 66.

    >>> tens_and_units()((3, 5))
    35
    """

    def read(faces: Faces) -> int:
        tens, units = faces
        return 10 * tens + units

    read.rolls = ROLLS  # type: ignore[attr-defined]
    return read


@cache
def reaches(needed: int) -> Reader:
    """Whether two dice as tens and units reach a number of 11 to 66; 0 means that no roll does.

    >>> reaches(42)((4, 1)), reaches(42)((4, 2)), reaches(0)((6, 6))
    (False, True, False)
    """
    if needed and needed not in ROLLS:
        raise ValueError(f"{needed} is not a roll of 11 to 66")

    def read(faces: Faces) -> bool:
        tens, units = faces
        return 0 < needed <= 10 * tens + units

    read.rolls = ROLLS  # type: ignore[attr-defined]
    return read


class Band(NamedTuple):
    """A result and the rolls, or the numbers, that give it."""

    first: int
    last: int
    result: Any

    def say(self) -> str:
        """What gives the result, as charts write it.

        >>> Band(11, 16, "S").say(), Band(66, 66, "X").say(), Band(81, ENDLESS, "X").say()
        ('11–16', '66', '81+')
        """
        if self.first == self.last:
            return str(self.first)
        return f"{self.first}+" if self.last == ENDLESS else f"{self.first}–{self.last}"


class Bands:
    """A result for every roll of 11 to 66: ``[{ from = 11, to = 16, result = "S" }, …]`` in a file.

    >>> bands = Bands((Band(11, 26, ""), Band(31, 66, "S")), ("", "S"))
    >>> bands.result(26), bands.result(31), bands.chances
    ('', 'S', {'': 12, 'S': 24})
    """

    def __init__(self, bands: Sequence[Band], severity: Sequence[str]) -> None:
        self.bands, self.severity = tuple(bands), tuple(severity)
        self._results = {roll: band.result for band in bands for roll in ROLLS if band.first <= roll <= band.last}

    def result(self, roll: int) -> str:
        """What stands beside a roll."""
        return str(self._results[roll])

    @property
    def chances(self) -> dict[str, int]:
        """Of the 36 rolls, how many give each result."""
        found: dict[str, int] = {}
        for result in self._results.values():
            found[result] = found.get(result, 0) + 1
        return found

    @cached_property
    def reader(self) -> Reader:
        """Reads two dice as this table does."""
        results = {(roll // 10, roll % 10): result for roll, result in self._results.items()}

        def read(faces: Faces) -> str:
            return str(results[faces[0], faces[1]])

        read.worth = self.severity.index  # type: ignore[attr-defined]
        read.rolls = ROLLS  # type: ignore[attr-defined]
        return read

    @classmethod
    def read(cls, doc: Document, path: Path_, entries: Any, severity: Sequence[str]) -> Bands | None:
        """The bands of a list in a file; None where it has faults, which are noted."""
        before = len(doc.faults)
        found = _read_bands(doc, path, entries, ("from", "to"), ["result"])
        for index, band in enumerate(found):
            place = (*path, index)
            for key, roll in (("from", band.first), ("to", band.last)):
                if roll not in ROLLS:
                    doc.fault((*place, key), f"{roll} is not a roll of two dice", "11 to 16, 21 to 26 and so on to 66")
            if band.result["result"] not in severity:
                wrong = f"unknown result {band.result['result']!r:.40}"
                doc.fault((*place, "result"), wrong, f"one of {', '.join(map(str, severity))}")
        if len(doc.faults) == before:
            covered = [roll for band in found for roll in ROLLS if band.first <= roll <= band.last]
            _check_covers(doc, path, covered, ROLLS)
        if len(doc.faults) > before:
            return None
        return cls([band._replace(result=band.result["result"]) for band in found], severity)


class BandChart:
    """A chart of columns by ranges of a number, each with its bands.

    Columns are counted from 0. A shift off the left end leads to no column at all, one past the right end to the last.
    """

    def __init__(self, columns: Sequence[Band]) -> None:
        self.columns = tuple(columns)

    def column(self, value: int, shift: int = 0) -> int | None:
        """The column of a number, shifted; None where it is left of the first one."""
        found = next(
            (index for index, column in enumerate(self.columns) if value <= column.last), len(self.columns) - 1
        )
        if value < self.columns[0].first:
            found = -1
        found += shift
        return None if found < 0 else min(found, len(self.columns) - 1)

    def bands(self, column: int) -> Bands:
        """The bands of a column."""
        bands: Bands = self.columns[column].result
        return bands

    def reader(self, column: int) -> Reader:
        """Reads two dice in a column."""
        return self.bands(column).reader

    def title(self, column: int) -> str:
        """What stands above a column: "10–12"."""
        return self.columns[column].say()

    @classmethod
    def read(cls, doc: Document, path: Path_, table: Any, severity: Sequence[str]) -> BandChart | None:
        """The chart of a table in a file; None where it has faults, which are noted.

        Its columns are a list called ``column``, or bands by names that end in a number: ``total_9``.
        """
        before = len(doc.faults)
        entries = table if isinstance(table, dict) else {}
        if "column" in entries:
            path = (*path, "column")
            found = _read_bands(doc, path, entries["column"], ("lo", "hi"), ["bands"])
            _check_follow(doc, path, found, ("lo", "hi"))
            places: list[Path_] = [(*path, index, "bands") for index in range(len(found))]
            lists = [column.result["bands"] for column in found]
        else:
            named = {key: match for key in entries if (match := _NUMBERED.match(key))}
            found = [Band(int(match[1]), int(match[1]), None) for match in named.values()]
            if not found:
                doc.fault(path, "no columns", 'a list "column", or bands by names such as total_1')
            _check_named(doc, path, list(named), found)
            places, lists = [(*path, key) for key in named], [entries[key] for key in named]
        bands = [Bands.read(doc, place, each, severity) for place, each in zip(places, lists, strict=True)]
        read = [column._replace(result=each) for column, each in zip(found, bands, strict=True)]
        return cls(read) if read and len(doc.faults) == before else None


class Ranges:
    """Figures by ranges of a number: ``[{ min = 0, max = 6, shift = 0 }, …]``; ``min`` may be left out.

    Numbers outside are those of the nearest range.
    """

    def __init__(self, ranges: Sequence[Band]) -> None:
        self.ranges = tuple(ranges)

    def at(self, number: int) -> Mapping[str, Any]:
        """The figures of the range that a number lies in."""
        found: Mapping[str, Any] = next(
            (each.result for each in self.ranges if number <= each.last), self.ranges[-1][2]
        )
        return found

    def whole(self, number: int, key: str) -> int:
        """A whole number of the range."""
        return int(self.at(number)[key])

    @classmethod
    def read(cls, doc: Document, path: Path_, entries: Any, keys: Iterable[str]) -> Ranges | None:
        """The ranges of a list in a file, each with the keys wanted; None where it has faults, which are noted."""
        before = len(doc.faults)
        found = _read_bands(doc, path, _with_min(entries), ("min", "max"), list(keys))
        _check_follow(doc, path, found, ("min", "max"))
        return cls(found) if found and len(doc.faults) == before else None


def _with_min(entries: Any) -> Any:
    """Ranges that say only where they end begin after the one before them."""
    if not isinstance(entries, list):
        return entries
    filled: list[Any] = []
    following = 0
    for entry in entries:
        if isinstance(entry, dict):
            entry = {"min": following, **entry}
            following = entry["max"] + 1 if _is_whole(entry.get("max")) else following
        filled.append(entry)
    return filled


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_bands(doc: Document, path: Path_, entries: Any, ends: tuple[str, str], keys: list[str]) -> list[Band]:
    """The entries of a list that have both ends and all the keys, with the entry itself as their result."""
    if not isinstance(entries, list) or not entries:
        doc.fault(path, "no list of bands", f"[{{ {ends[0]} = …, {ends[1]} = …, {keys[0]} = … }}, …]")
        return []
    found = []
    for index, entry in enumerate(entries):
        place = (*path, index)
        if not isinstance(entry, dict):
            doc.fault(place, f"{entry!r:.40} is not a band", f"{{ {ends[0]} = …, {ends[1]} = …, {keys[0]} = … }}")
            continue
        missing = [key for key in (*ends, *keys) if key not in entry]
        if missing:
            doc.fault(place, f'"{missing[0]}" is missing', f"{', '.join((*ends, *keys))}")
            continue
        if odd := [key for key in ends if not _is_whole(entry[key])]:
            doc.fault((*place, odd[0]), f"{entry[odd[0]]!r:.40} is not a whole number", "a whole number")
            continue
        if entry[ends[1]] < entry[ends[0]]:
            doc.fault((*place, ends[1]), f"{entry[ends[1]]} comes before {entry[ends[0]]}", "the higher number last")
            continue
        found.append(Band(entry[ends[0]], entry[ends[1]], entry))
    return found


def _check_covers(doc: Document, path: Path_, covered: list[int], every: Sequence[int]) -> None:
    """Note which rolls have no result, and which have two."""
    if missing := [roll for roll in every if roll not in covered]:
        doc.fault(path, f"no result for {_listed(missing)}", "a band for every roll")
    if twice := sorted({roll for roll in covered if covered.count(roll) > 1}):
        doc.fault(path, f"two results for {_listed(twice)}", "one band for every roll")


def _check_named(doc: Document, path: Path_, keys: list[str], columns: list[Band]) -> None:
    """Note where columns by number are not in order."""
    for key, before, column in zip(keys[1:], columns, columns[1:]):
        if column.first != before.last + 1:
            doc.fault((*path, key), f"{key} after column {before.last}", f"column {before.last + 1} next")


def _listed(rolls: list[int]) -> str:
    shown = ", ".join(map(str, rolls[:4]))
    return f"{shown} and {len(rolls) - 4} more" if len(rolls) > 4 else shown


def _check_follow(doc: Document, path: Path_, bands: list[Band], ends: tuple[str, str]) -> None:
    """Note where a range does not begin right after the one before it."""
    for index in range(1, len(bands)):
        wanted = bands[index - 1].last + 1
        if bands[index].first != wanted:
            wrong = f"{ends[0]} = {bands[index].first} after {ends[1]} = {bands[index - 1].last}"
            doc.fault((*path, index, ends[0]), wrong, f"{ends[0]} = {wanted}: no gap, and no number twice")
