"""The knobs of a scenario: what its author can turn to make it fairer, and the file with a knob turned.

Scenarios of all games are TOML files with turns, sides and units, so most knobs are the same for all; a game says
which it has. A file that is changed keeps its comments and its layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tomlkit
from tomlkit.toml_document import TOMLDocument

from grognard.core.errors import GrognardError
from grognard.core.words import unknown

#: How far a knob is turned each way.
REACH = 2
#: The key of how many units an entry stands for.
COUNT = "count"


class Knob(NamedTuple):
    """Something that can be turned: its name, what it is in words, where it lies in the file, and its settings.

    ``now`` is one of the ``values``, which stand in order. ``place`` are the keys that lead to it. ``helps`` is the
    side that is better off the higher it is set, and empty where that is not plain: more turns help now this side, now
    that.
    """

    name: str
    title: str
    place: tuple[str | int, ...]
    now: str
    values: tuple[str, ...]
    helps: str = ""

    def steps(self, value: str) -> int:
        """How far a setting is from the present one."""
        return abs(self.values.index(value) - self.values.index(self.now))

    def may_help(self, side: str, value: str) -> bool:
        """Whether a setting may make a side better off."""
        return not self.helps or (self.values.index(value) > self.values.index(self.now)) == (self.helps == side)


def number_knob(
    name: str,
    title: str,
    place: tuple[str | int, ...],
    now: int,
    low: int,
    high: int,
    *,
    reach: int = REACH,
    helps: str = "",
) -> Knob:
    """A knob that is a whole number."""
    values = tuple(str(value) for value in range(max(now - reach, low), min(now + reach, high) + 1))
    return Knob(name, title, place, str(now), values, helps)


def unit_knobs(source: str, sides: Sequence[str], titles: Mapping[str, str], wanted: Mapping[str, bool]) -> list[Knob]:
    """One unit more or less of each kind that is wanted, in the order of the file.

    An entry that names its unit stands for that one: it can be left out, but there cannot be two. Entries of one kind
    are told apart by that name, by where they stand, or by their number, so that no two knobs are called the same.
    """
    document = tomlkit.parse(source).unwrap()
    found = []
    for side in sides:
        entries = document["side"][side].get("unit", [])
        kinds = Counter(entry.get("kind", "") for entry in entries)
        places = Counter(str(entry.get("at", "")) for entry in entries)
        for index, entry in enumerate(entries):
            kind, count = entry.get("kind", ""), entry.get("count", 1)
            if wanted.get(kind):
                name = f"unit.{side}.{index + 1}"
                title = f"{side.replace('_', ' ').capitalize()} units of {titles.get(kind, kind)}"
                if kinds[kind] > 1:
                    at = entry.get("at", "")
                    alone = isinstance(at, str) and at and places[at] == 1
                    title += f" ({entry.get('id') or (f'at {at}' if alone else f'entry {index + 1}')})"
                most = 1 if "id" in entry else 20
                place = ("side", side, "unit", index, COUNT)
                found.append(number_knob(name, title, place, count, 0, most, reach=1, helps=side))
    return found


def turn(source: str, knobs: Sequence[Knob], settings: Mapping[str, str], name: str = "") -> str:
    """A scenario's file with knobs turned, which says so at the end of its briefing; by another name if told."""
    document = tomlkit.parse(source)
    known = {knob.name: knob for knob in knobs}
    changed = []
    for wanted, value in settings.items():
        knob = known.get(wanted)
        if knob is None:
            raise unknown("knob", wanted, list(known))
        if value not in knob.values:
            raise GrognardError(f"{knob.title} can't be {value}; it can be {', '.join(knob.values)}")
        if value != knob.now:
            _put(document, knob.place, int(value) if value.lstrip("-").isdigit() else value)
            changed.append(f"{knob.title} {value} instead of {knob.now}")
    _drop_nobody(document)
    if changed:
        briefing = str(document.get("briefing", "")).strip("\n")
        text = f"{briefing}\n\nFor balance: {'; '.join(changed)}.\n"
        document["briefing"] = tomlkit.string(f"\n{text}", multiline=True)
    if name:
        document["name"] = name
    return tomlkit.dumps(document)


def _drop_nobody(document: TOMLDocument) -> None:
    """Leave out the entries of no units at all."""
    for side in document.get("side", {}).values():
        units = side.get("unit")
        if units is not None and any(entry.get(COUNT) == 0 for entry in units):
            for index in reversed(range(len(units))):
                if units[index].get(COUNT) == 0:
                    del units[index]


def _put(document: TOMLDocument, place: tuple[str | int, ...], value: int | str) -> None:
    """Set a value in a file, in tables that are made where they are missing."""
    at: Any = document
    for key in place[:-1]:
        if isinstance(key, str) and key not in at:
            at[key] = tomlkit.inline_table() if at is not document else tomlkit.table()
        at = at[key]
    at[place[-1]] = value
