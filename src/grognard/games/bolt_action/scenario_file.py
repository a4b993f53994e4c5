"""Reading a scenario from its TOML file, with all its faults at once. docs/scenarios.md tells the format."""

from __future__ import annotations

from typing import Any

import msgspec
from shapely import Polygon

from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.records import Place, each_record, read_record, read_word
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.forces import Order, buy
from grognard.games.bolt_action.objectives import read_objectives, read_victory
from grognard.games.bolt_action.reading import (
    BLANK,
    Number,
    letters,
    on_table,
    read_ground,
    read_heading,
    read_kind,
    read_name,
)
from grognard.games.bolt_action.roster import NATIONS, UnitType
from grognard.games.bolt_action.scenario import EDGES, SURFACES, Placing, Scenario, Zone


class _Head(msgspec.Struct, kw_only=True):
    name: str
    title: str
    table: Any
    side: Any
    game: str = "bolt_action"
    surface: str = "grass"
    place: str = ""
    date: str = ""
    briefing: str = ""
    notes: str = ""
    turns: int = 0
    further_turn: bool = True
    attacker: str = ""
    first_to_deploy: str = ""
    hidden_reserves: bool = False
    german_machine_guns: bool = False
    wrecks_removed: bool = False
    terrain: Any = []
    objective: Any = []
    victory: Any = {}


class _Side(msgspec.Struct, kw_only=True):
    nation: str
    title: str = ""
    zone: Any = []
    unit: Any = []


class _Zone(msgspec.Struct, kw_only=True):
    points: list[tuple[Number, Number]]
    name: str = ""


class _Unit(Order, kw_only=True):
    id: str = ""
    name: str = ""
    zone: str = ""
    at: tuple[Number, Number] | None = None
    heading: int = 0
    aboard: str = ""
    turn: int = 0
    edge: str = ""
    entry: tuple[Number, Number] | None = None


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    instead = {"name": "unnamed", "title": "", "table": BLANK, "side": {}}
    head = read_record(doc, (), doc.data, _Head, instead)
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    if head.game != "bolt_action":
        doc.fault("game", f'a scenario of "{head.game}"', 'game = "bolt_action"')
    read_name(doc, ("name",), head.name, "mill_farm")
    turns = head.turns or figures().number("length", "turns")
    if not 1 <= turns <= 20:
        doc.fault("turns", f"{turns} turns", "1 to 20")
    sides = head.side if isinstance(head.side, dict) else {}
    if "side" in doc.data and len(sides) != 2:
        doc.fault("side", f"{len(sides)} sides", "exactly two, [side.NAME] each")
    first, second = (*sides, "nobody", "none")[:2]
    names = (str(first), str(second))
    table = read_ground(doc, head.table, head.terrain)
    reader = _Forces(doc, table, names, turns)
    for side, data in sides.items():
        reader.read_side(side, data)
    reader.link()
    read_word(doc, ("surface",), "surface", head.surface, SURFACES)
    for key in ("attacker", "first_to_deploy"):
        if side := getattr(head, key):
            read_word(doc, (key,), "side", side, names)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        files=doc.files,
        table=table,
        side_names=names,
        briefing=head.briefing.strip(),
        notes=head.notes.strip(),
        surface=head.surface,
        place=head.place,
        date=head.date,
        turns=turns,
        further_turn=head.further_turn,
        titles=reader.titles,
        nations=reader.nations,
        zones=reader.zones,
        units=tuple(reader.units.values()),
        types=reader.types,
        objectives=read_objectives(doc, ("objective",), head.objective, table, names),
        victory=read_victory(doc, ("victory",), head.victory, names),
        attacker=head.attacker,
        first_to_deploy=head.first_to_deploy,
        hidden_reserves=head.hidden_reserves,
        german_machine_guns=head.german_machine_guns,
        wrecks_removed=head.wrecks_removed,
    )
    doc.check()
    return scenario


class _Forces:
    """Reads both sides: zones, and units with how they come to the table."""

    def __init__(self, doc: Document, table: Table, names: tuple[str, str], turns: int) -> None:
        self.doc, self.table, self.names, self.turns = doc, table, names, turns
        self.titles: dict[str, str] = {}
        self.nations: dict[str, str] = {}
        self.zones: dict[str, tuple[Zone, ...]] = {}
        self.units: dict[str, Placing] = {}
        self.places: dict[str, Place] = {}
        self.types: dict[str, UnitType] = {}
        self.kinds: dict[str, UnitType] = {}
        self.letters: dict[str, str] = {}

    def read_side(self, side: str, data: Any) -> None:
        doc, path = self.doc, ("side", side)
        record = read_record(doc, path, data, _Side, {"nation": ""})
        if record is None:
            return
        read_name(doc, path, side, "german")
        if record.nation or "nation" in data:
            read_word(doc, (*path, "nation"), "nation", record.nation, NATIONS)
        self.nations[side] = record.nation
        self.titles[side] = record.title or NATIONS.get(record.nation, side.capitalize())
        self.letters = letters(self.names, {**{name: name for name in self.names}, **self.nations})
        zones = [
            zone
            for where, item in each_record(doc, (*path, "zone"), record.zone)
            if (zone := self.read_zone(where, item))
        ]
        self.zones[side] = tuple(zones)
        for where, item in each_record(doc, (*path, "unit"), record.unit):
            self.read_unit(where, side, item)
        if not any(placing.side == side for placing in self.units.values()):
            doc.fault(path, "a side without units", f"[[side.{side}.unit]] with a kind")

    def read_zone(self, path: Place, data: Any) -> Zone | None:
        record = read_record(self.doc, path, data, _Zone)
        if record is None:
            return None
        points = tuple(on_table(self.doc, (*path, "points"), self.table, x, y) for x, y in record.points)
        if len(points) < 3 or not Polygon(points).is_valid or not Polygon(points).area:
            self.doc.fault((*path, "points"), "these points make no area", "three corners or more, in order round it")
            return None
        return Zone(record.name or "zone", points)

    def read_unit(self, path: Place, side: str, data: Any) -> None:
        doc = self.doc
        record = read_record(doc, path, data, _Unit)
        base = read_kind(doc, (*path, "kind"), record.kind) if record else None
        if record is None or base is None:
            return
        kind = buy(doc, path, record, base)
        if kind is not base:
            self.types[kind.id] = kind
        if record.zone:
            read_word(doc, (*path, "zone"), "zone", record.zone, [zone.name for zone in self.zones[side]])
        at = on_table(doc, (*path, "at"), self.table, *record.at) if record.at else None
        heading = read_heading(doc, (*path, "heading"), record.heading)
        entry = self.read_entry(path, record)
        if not (record.edge or record.aboard or at or self.zones[side]):
            doc.fault(path, f"{base.name} can come to the table nowhere", "a zone for its side, or at, aboard or edge")
        if record.count > 1 and (record.id or at or record.name):
            doc.fault((*path, "count"), f"{record.count} units with one id, name or place", "each on its own")
        for _ in range(min(record.count, 20)):
            id = record.id or self.next_id(side)
            read_name(doc, (*path, "id"), id, "g3")
            if id in self.units:
                doc.fault((*path, "id"), f'the id "{id}" twice', "an id of its own")
            self.places[id] = path
            self.kinds[id] = kind
            self.units[id] = Placing(
                id=id,
                n=len(self.units) + 1,
                kind=kind.id,
                side=side,
                quality=kind.quality,
                name=record.name,
                zone=record.zone,
                at=at,
                heading=heading,
                aboard=record.aboard,
                turn=record.turn,
                edge=record.edge,
                entry=entry,
            )

    def read_entry(self, path: Place, record: _Unit) -> tuple[int, int] | None:
        """Where along an edge a reserve comes, from the left or the top."""
        doc = self.doc
        if record.edge:
            read_word(doc, (*path, "edge"), "edge", record.edge, EDGES)
            if not 1 <= record.turn <= self.turns:
                doc.fault((*path, "turn"), f"a reserve of turn {record.turn}", f"turn = 1 to {self.turns}")
        elif record.turn or record.entry:
            doc.fault(path, "a reserve without an edge to come from", f"edge = one of {', '.join(EDGES)}")
        if record.entry is None:
            return None
        low, high = (round(length * 100) for length in record.entry)
        far = self.table.width if record.edge in ("top", "bottom") else self.table.height
        if not 0 <= low < high <= far:
            doc.fault(
                (*path, "entry"), f"{list(record.entry)}", f"from where to where along the edge, 0 to {far / 100:g}"
            )
        return low, high

    def next_id(self, side: str) -> str:
        number = 1
        while f"{self.letters[side]}{number}" in self.units:
            number += 1
        return f"{self.letters[side]}{number}"

    def link(self) -> None:
        """Who starts aboard starts in something of his own side that has room for him (24.1)."""
        load: dict[str, int] = {}
        for unit in self.units.values():
            if not unit.aboard:
                continue
            where = (*self.places[unit.id], "aboard")
            carrier = self.units.get(unit.aboard)
            if carrier is None or carrier.side != unit.side or not self.kinds[carrier.id].transport:
                known = [id for id, kind in self.kinds.items() if kind.transport and self.units[id].side == unit.side]
                self.doc.fault(where, f'no transport "{unit.aboard}"', f"one of {', '.join(known) or 'none'}")
                continue
            kind, vehicle = self.kinds[unit.id], self.kinds[carrier.id]
            if kind.artillery:
                if kind.weight not in vehicle.tow:
                    self.doc.fault(where, f"{vehicle.name} cannot tow {kind.name}", "another tow")
                continue
            load[carrier.id] = load.get(carrier.id, 0) + kind.models
            if load[carrier.id] > vehicle.transport_capacity:
                wrong = f"{load[carrier.id]} men aboard {vehicle.name}"
                self.doc.fault(where, wrong, f"at most {vehicle.transport_capacity}")
