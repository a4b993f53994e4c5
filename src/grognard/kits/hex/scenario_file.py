"""Reading the sides of a scenario file: their hexes, and their units with how each comes to the map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from grognard.board.hex.grid import HexGrid
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, each_record, read_name
from grognard.core.scenario_files import Head
from grognard.kits.hex.reading import read_hex, read_hexes
from grognard.kits.hex.scenario import Placing

#: As many units of one entry of a file are read.
MOST = 60

P = TypeVar("P", bound=Placing)


class HexHead(Head, kw_only=True):
    """What a scenario file on hexes begins with: ``map`` is a name or a sketch, ``area`` the part of it in play."""

    turns: int
    map: Any
    area: str = ""


def letters_of(names: Iterable[str]) -> dict[str, str]:
    """The shortest beginnings that tell the sides apart: what the ids of their units begin with.

    >>> letters_of(["german", "american"]), letters_of(["guards", "german"])
    ({'german': 'g', 'american': 'a'}, {'guards': 'gu', 'german': 'ge'})
    """
    names = tuple(names)
    length = 1
    while len({name[:length] for name in names}) < len(names):
        length += 1
    return {name: name[:length].rstrip("_") for name in names}


class ForceReader(Generic[P]):
    """Collects the units of both sides, ``P`` being how the game places one. The game reads its own tables."""

    def __init__(self, doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int) -> None:
        self.doc, self.grid, self.turns = doc, grid, turns
        self.letters = letters_of(names)
        self.units: dict[str, P] = {}
        #: Where in the file each unit stands, by id.
        self.places: dict[str, FilePath] = {}
        self._counts: dict[str, int] = {}
        self._given: set[str] = set()

    # -- what the game says ------------------------------------------------------------------------------

    def turn_words(self) -> str:
        """Which turns there are."""
        return f"1 to {self.turns}"

    def lead_of(self, unit: P) -> str:
        """The id of the unit that one comes to the map with, "" for none: its carrier."""
        return unit.aboard

    def along(self, unit: P, lead: P) -> P:
        """A unit with the time and place of the one that it comes with."""
        return replace(unit, at=lead.at, zone=lead.zone, turn=lead.turn, entry=lead.entry)

    # -- pieces ------------------------------------------------------------------------------------------

    def hexes(self, path: FilePath, text: str) -> tuple[str, ...]:
        """The hexes of a written list."""
        return tuple(read_hexes(self.doc, path, self.grid, text))

    def edge(self, path: FilePath, text: str) -> frozenset[str]:
        """The hexes of a written list, by which units leave the map: all of them lie along its edge."""
        found = frozenset(self.hexes(path, text))
        for label in sorted(found):
            if not self.grid.is_edge(label):
                self.doc.fault(path, f"{label} is not at the edge of the map", "hexes along the edge")
        return found

    def tables(self, path: FilePath, data: Any) -> list[tuple[FilePath, Any]]:
        """The tables of an array of tables; the ids that they give are kept free for them."""
        found = list(each_record(self.doc, path, data))
        self._given.update(
            item["id"] for _, item in found if isinstance(item, dict) and isinstance(item.get("id"), str)
        )
        return found

    def id_of(self, path: FilePath, side: str, given: str) -> str:
        """The id of the next unit: the one given, or the side's letter and the next number."""
        if given:
            if read_name(self.doc, path, given, "g3") and given in self.units:
                self.doc.fault(path, f'the id "{given}" twice', "a different id")
            return given
        while True:
            self._counts[side] = self._counts.get(side, 0) + 1
            id = f"{self.letters[side]}{self._counts[side]}"
            if id not in self._given:
                return id

    def add(self, path: FilePath, unit: P) -> None:
        """Take a unit in."""
        self.units[unit.id] = unit
        self.places[unit.id] = path

    def next_n(self) -> int:
        """The place of the next unit in the order of battle."""
        return len(self.units) + 1

    def count(self, path: FilePath, count: int) -> int:
        """How many alike there are of an entry."""
        if not 1 <= count <= MOST:
            self.doc.fault((*path, "count"), f"a count of {count}", f"1 to {MOST}")
            return 1
        return count

    def check_turn(self, path: FilePath, turn: int) -> None:
        """Note a turn that the battle does not have; 0 is none."""
        if turn and not 1 <= turn <= self.turns:
            self.doc.fault((*path, "turn"), f"turn {turn} of {self.turns}", self.turn_words())

    def check_at(self, path: FilePath, at: str) -> None:
        """Note a hex that is not on the map; "" is none."""
        if at:
            read_hex(self.doc, (*path, "at"), self.grid, at)

    def where(self, path: FilePath, at: str, own: str, zone: tuple[str, ...]) -> tuple[str, ...]:
        """Where something that is no unit may be placed: in hexes of its own, or in its side's zone."""
        where = self.hexes((*path, "zone"), own) or zone
        if not at and not where:
            self.doc.fault(path, "nowhere to place it", 'at = "D4", or zone = "A1-D8"')
        return where

    def spots(self, path: FilePath, at: str, count: int) -> list[str]:
        """Where things stand: a fixed hex each (``at`` may list several), or "" to be placed."""
        if not at:
            return [""] * count
        found = self.hexes((*path, "at"), at)
        if count not in (1, len(found)):
            self.doc.fault((*path, "count"), f"{count} for {len(found)} hexes", "leave out count")
        return list(found)

    # -- who comes with whom -------------------------------------------------------------------------------

    def named(self, unit: P, key: str) -> P | None:
        """The unit of the own side that one names under a key; None, with the fault noted, where there is none."""
        name = getattr(unit, key)
        other = self.units.get(name)
        if name and (other is None or other.side != unit.side):
            own = [each.id for each in self.units.values() if each.side == unit.side]
            self.doc.fault((*self.places[unit.id], key), f'no unit "{name}" of {unit.side}', f"one of {', '.join(own)}")
        return other

    def follow(self) -> None:
        """Let everybody come with the unit that he goes with; note who comes to the map nowhere."""
        for id in self.units:
            self.units[id] = self._with_lead(id, ())
        for unit in self.units.values():
            if not (unit.at or unit.zone or unit.turn or self.lead_of(unit)):
                right = 'at = "D4", or zone = "A1-D8", or turn = ... and entry = ...'
                self.doc.fault(self.places[unit.id], "nowhere to set it up", right)

    def _with_lead(self, id: str, seen: tuple[str, ...]) -> P:
        unit = self.units[id]
        lead = self.units.get(self.lead_of(unit))
        if lead is None or id in seen:
            return unit
        return self.along(unit, self._with_lead(lead.id, (*seen, id)))
