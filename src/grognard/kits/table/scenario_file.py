"""Reading both sides of a scenario file: their zones, and their units with how each comes to the table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
from shapely import Polygon

from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, each_record, read_name, read_record, read_word
from grognard.core.scenario_files import Head
from grognard.kits.table.reading import Number, letters, on_table, read_heading, read_objectives
from grognard.kits.table.scenario import EDGES, SURFACES, Placing, Zone

#: As many units of one entry of a file are read.
MOST = 20


class TableHead(Head, kw_only=True):
    """What a scenario file on a table begins with."""

    table: Any
    surface: str = "grass"
    notes: str = ""
    attacker: str = ""
    first_to_deploy: str = ""
    terrain: Any = []
    objective: Any = []
    victory: Any = {}


class UnitEntry(msgspec.Struct, kw_only=True):
    """A unit of a file: what it is and how it comes to the table. A game adds what else it may have."""

    kind: str
    count: int = 1
    id: str = ""
    name: str = ""
    zone: str = ""
    at: tuple[Number, Number] | None = None
    heading: int = 0
    aboard: str = ""
    turn: int = 0
    edge: str = ""
    entry: tuple[Number, Number] | None = None


class _Side(msgspec.Struct, kw_only=True):
    nation: str = ""
    title: str = ""
    zone: Any = []
    unit: Any = []


class _Zone(msgspec.Struct, kw_only=True):
    points: list[tuple[Number, Number]]
    name: str = ""


E = TypeVar("E", bound=UnitEntry)
K = TypeVar("K")
P = TypeVar("P", bound=Placing)


class ForceReader(ABC, Generic[E, K, P]):
    """Reads both sides. ``E`` is a unit's entry, ``K`` what a kind of unit is by rule, ``P`` the placing it makes.

    A game that knows no ``nations`` wants none in its files.
    """

    entry_type: type[E]

    def __init__(
        self,
        doc: Document,
        table: Table,
        names: tuple[str, str],
        turns: int,
        nations: Mapping[str, str],
        letters: Mapping[str, str],
    ) -> None:
        self.doc, self.table, self.names, self.turns = doc, table, names, turns
        self._nations, self._known_letters = nations, letters
        self.titles: dict[str, str] = {}
        self.nations: dict[str, str] = {}
        self.zones: dict[str, tuple[Zone, ...]] = {}
        self.units: dict[str, P] = {}
        self.places: dict[str, FilePath] = {}
        self.kinds: dict[str, K] = {}
        self.letters: dict[str, str] = {}

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def kind_of(self, path: FilePath, entry: E) -> K | None:
        """What a unit is by rule, with what it was bought with; None with the faults noted."""

    @abstractmethod
    def title(self, kind: K) -> str:
        """What people call a kind of unit."""

    @abstractmethod
    def placing(self, record: E, kind: K, /, **known: Any) -> P:
        """How a unit comes to the table, with what the kit has read of it."""

    def carries(self, kind: K) -> bool:
        """Whether a kind of unit carries or tows others at all; in a game without transports none does."""
        return False

    def check_load(self, path: FilePath, kind: K, carrier: K, load: list[K]) -> bool:
        """Note why a unit cannot begin aboard; True if it takes room, so that it belongs to the ``load``."""
        return True

    # -- reading -----------------------------------------------------------------------------------------

    def read(self, sides: Mapping[str, Any]) -> None:
        """Read both sides, and who begins aboard whom."""
        for side in self.names:
            if side in sides:
                self.read_side(side, sides[side])
        self._link()

    def check_head(self, head: TableHead) -> None:
        """Note words of the head that mean nothing."""
        read_word(self.doc, ("surface",), "surface", head.surface, SURFACES)
        for key in ("attacker", "first_to_deploy"):
            if side := getattr(head, key):
                read_word(self.doc, (key,), "side", side, self.names)

    def scenario_fields(self, head: TableHead) -> dict[str, Any]:
        """What a game's scenario has of the kit's, by field; its victory is the game's."""
        return {
            "name": head.name,
            "title": head.title,
            "source": self.doc.text,
            "files": self.doc.files,
            "table": self.table,
            "side_names": self.names,
            "briefing": head.briefing.strip(),
            "notes": head.notes.strip(),
            "surface": head.surface,
            "place": head.place,
            "date": head.date,
            "turns": self.turns,
            "titles": self.titles,
            "nations": self.nations,
            "zones": self.zones,
            "units": tuple(self.units.values()),
            "objectives": read_objectives(self.doc, ("objective",), head.objective, self.table, self.names),
            "attacker": head.attacker,
            "first_to_deploy": head.first_to_deploy,
        }

    def read_side(self, side: str, data: Any) -> None:
        """A side's zones and units."""
        doc, path = self.doc, ("side", side)
        record = read_record(doc, path, data, _Side, {})
        if record is None:
            return
        if self._nations and "nation" not in data:
            doc.fault(path, '"nation" is missing', "nation = ...")
        elif "nation" in data:
            read_word(doc, (*path, "nation"), "nation", record.nation, self._nations)
        self.nations[side] = record.nation
        self.titles[side] = record.title or self._nations.get(record.nation, side.capitalize())
        nations = {**{name: name for name in self.names}, **self.nations}
        self.letters = letters(self.names, nations, self._known_letters)
        zones = [
            zone
            for where, item in each_record(doc, (*path, "zone"), record.zone)
            if (zone := self.read_zone(where, item))
        ]
        self.zones[side] = tuple(zones)
        for where, item in each_record(doc, (*path, "unit"), record.unit):
            self.read_unit(where, side, item)
        if not any(placing.side == side for placing in self.units.values()):
            doc.fault(path, "this side needs units", f"[[side.{side}.unit]] with a kind")

    def read_zone(self, path: FilePath, data: Any) -> Zone | None:
        """A zone to set up in."""
        record = read_record(self.doc, path, data, _Zone)
        if record is None:
            return None
        points = tuple(on_table(self.doc, (*path, "points"), self.table, x, y) for x, y in record.points)
        if len(points) < 3 or not Polygon(points).is_valid or not Polygon(points).area:
            self.doc.fault(
                (*path, "points"), "these points do not enclose an area", "three corners or more, in order round it"
            )
            return None
        return Zone(record.name or "zone", points)

    def read_unit(self, path: FilePath, side: str, data: Any) -> None:
        """The units of an entry."""
        doc = self.doc
        record = read_record(doc, path, data, self.entry_type)
        kind = self.kind_of(path, record) if record else None
        if record is None or kind is None:
            return
        if record.zone:
            read_word(doc, (*path, "zone"), "zone", record.zone, [zone.name for zone in self.zones[side]])
        at = on_table(doc, (*path, "at"), self.table, *record.at) if record.at else None
        heading = read_heading(doc, (*path, "heading"), record.heading)
        entry = self._stretch(path, record)
        if not (record.edge or record.aboard or at or self.zones[side]):
            wrong = f"{self.title(kind)} needs a place on the table or a way onto it"
            doc.fault(path, wrong, "a zone for its side, or at, aboard or edge")
        if record.count > 1 and (record.id or at or record.name):
            doc.fault((*path, "count"), f"{record.count} units share one id, name or place", "list them one by one")
        for _ in range(min(record.count, MOST)):
            id = record.id or self._next_id(side)
            read_name(doc, (*path, "id"), id, "g3")
            if id in self.units:
                doc.fault((*path, "id"), f'the id "{id}" twice', "a different id")
            self.places[id] = path
            self.kinds[id] = kind
            self.units[id] = self.placing(
                record,
                kind,
                id=id,
                n=len(self.units) + 1,
                side=side,
                name=record.name,
                zone=record.zone,
                at=at,
                heading=heading,
                aboard=record.aboard,
                turn=record.turn,
                edge=record.edge,
                entry=entry,
            )

    def _stretch(self, path: FilePath, record: E) -> tuple[int, int] | None:
        """Where along an edge a reserve comes, from the left or the top."""
        doc = self.doc
        if record.edge:
            read_word(doc, (*path, "edge"), "edge", record.edge, EDGES)
            if not 1 <= record.turn <= self.turns:
                doc.fault((*path, "turn"), f"a reserve of turn {record.turn}", f"turn = 1 to {self.turns}")
        elif record.turn or record.entry:
            doc.fault(path, "this reserve needs an edge to enter by", f"edge = one of {', '.join(EDGES)}")
        if record.entry is None:
            return None
        low, high = (round(length * 100) for length in record.entry)
        far = self.table.width if record.edge in ("top", "bottom") else self.table.height
        if not 0 <= low < high <= far:
            right = f"where it starts and ends along the edge, 0 to {far / 100:g}"
            doc.fault((*path, "entry"), f"{list(record.entry)}", right)
        return low, high

    def _next_id(self, side: str) -> str:
        number = 1
        while f"{self.letters[side]}{number}" in self.units:
            number += 1
        return f"{self.letters[side]}{number}"

    def _link(self) -> None:
        """Who starts aboard starts in something of his own side that has room for him."""
        loads: dict[str, list[K]] = {}
        for unit in self.units.values():
            if not unit.aboard:
                continue
            where = (*self.places[unit.id], "aboard")
            carrier = self.units.get(unit.aboard)
            if carrier is None or carrier.side != unit.side or not self.carries(self.kinds[carrier.id]):
                known = [
                    id for id, kind in self.kinds.items() if self.carries(kind) and self.units[id].side == unit.side
                ]
                self.doc.fault(where, f'no transport "{unit.aboard}"', f"one of {', '.join(known) or 'none'}")
                continue
            kind, load = self.kinds[unit.id], loads.setdefault(carrier.id, [])
            if self.check_load(where, kind, self.kinds[carrier.id], load):
                load.append(kind)
