"""The order of battle of a scenario file (64.2): each side's units, weapons, works, mines and aircraft."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from grognard.board.grid import HexGrid
from grognard.core.files import Document
from grognard.core.records import Place, each_record, read_record, read_word
from grognard.games.ost.figures import figures
from grognard.games.ost.reading import FACINGS, NAME, read_assets, read_dice, read_hex, read_hexes, read_kind
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.scenario import UNITS, WORKS, Limit, MinesSetup, Placing, WeaponSetup, WorkSetup
from grognard.games.ost.state import MORALE

# ---- the tables as written ---------------------------------------------------------------------------


class _Side(msgspec.Struct, kw_only=True):
    nation: str | list[str]
    impulse: str
    gut_check: int
    cards: int = 1
    assets: dict[str, int] = {}
    asset_turns: dict[str, int] = {}
    zone: str = ""
    entry: str = ""
    exit: str = ""
    apart: int = 0
    stack: int = 0
    hidden: int = -1
    letter: str = ""
    unit: Any = []
    weapon: Any = []
    work: Any = []
    mines: Any = []
    aircraft: Any = []
    limit: Any = []


class _Unit(msgspec.Struct, kw_only=True):
    kind: str
    count: int = 1
    id: str = ""
    at: str = ""
    zone: str = ""
    facing: int = 0
    hidden: bool | str = False
    attached: str = ""
    aboard: str = ""
    weapons: list[str] = []
    turn: int = 0
    entry: str = ""
    inside: bool = False
    on_road: bool = False
    reduced: bool = False
    morale: str = "good order"


class _Weapon(msgspec.Struct, kw_only=True):
    kind: str
    count: int = 1
    turn: int = 0


class _Work(msgspec.Struct, kw_only=True):
    kind: str
    count: int = 1
    at: str = ""
    zone: str = ""
    facing: int = 0
    hidden: bool | str = False


class _Mines(msgspec.Struct, kw_only=True):
    count: int = 1
    at: str = ""
    zone: str = ""


class _Aircraft(msgspec.Struct, kw_only=True):
    kind: str
    load: list[str]
    id: str = ""
    at: str = ""
    zone: str = ""
    facing: int = 0
    turn: int = 0


class _Limit(msgspec.Struct):
    hexes: str
    most: int


# ---- reading -----------------------------------------------------------------------------------------


def letters_of(names: Iterable[str]) -> dict[str, str]:
    """The shortest beginnings that tell the sides apart: what the ids of their units begin with."""
    names = tuple(names)
    length = 1
    while len({name[:length] for name in names}) < len(names):
        length += 1
    return {name: name[:length].rstrip("_") for name in names}


class Forces:
    """Reads the tables of both sides into an order of battle."""

    def __init__(self, doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int, year: int) -> None:
        self.doc, self.grid, self.turns, self.year = doc, grid, turns, year
        self.letters = letters_of(names)
        self.units: dict[str, Placing] = {}
        self.places: dict[str, Place] = {}
        self.weapons: list[WeaponSetup] = []
        self.works: list[WorkSetup] = []
        self.mines: list[MinesSetup] = []
        self.nations: dict[str, tuple[str, ...]] = {}
        self.gut_check: dict[str, int] = {}
        self.impulse: dict[str, str] = {}
        self.cards: dict[str, int] = {}
        self.assets: dict[str, dict[str, int]] = {}
        self.asset_turns: dict[str, dict[str, int]] = {}
        self.exits: dict[str, frozenset[str]] = {}
        self.limits: dict[str, tuple[Limit, ...]] = {}
        self.apart: dict[str, int] = {}
        self.stack: dict[str, int] = {}
        self.hideable: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.given: set[str] = set()
        self.n = 0

    # -- pieces ----------------------------------------------------------------------------------------

    def hexes(self, path: Place, text: str) -> tuple[str, ...]:
        return tuple(read_hexes(self.doc, path, self.grid, text))

    def name(self, path: Place, side: str, given: str) -> str:
        """The id of the next unit: the one given, or the side's letter and the next number."""
        if given:
            if not NAME.fullmatch(given):
                self.doc.fault(path, f'"{given}" is no id', "small letters, digits and _, such as g3")
            elif given in self.units:
                self.doc.fault(path, f'the id "{given}" twice', "an id of its own")
            return given
        while True:
            self.counts[side] = self.counts.get(side, 0) + 1
            id = f"{self.letters[side]}{self.counts[side]}"
            if id not in self.given:
                return id

    def add(self, path: Place, unit: Placing) -> None:
        self.units[unit.id] = unit
        self.places[unit.id] = path

    def count(self, path: Place, count: int) -> int:
        if not 1 <= count <= 60:
            self.doc.fault((*path, "count"), f"a count of {count}", "1 to 60")
            return 1
        return count

    def word_hidden(self, path: Place, hidden: bool | str) -> str:
        if isinstance(hidden, str) and hidden != "may":
            self.doc.fault((*path, "hidden"), f'"{hidden}"', 'true, or "may"')
        return hidden if isinstance(hidden, str) else "yes" if hidden else ""

    def check_facing(self, path: Place, facing: int) -> None:
        if facing and facing not in FACINGS:
            self.doc.fault((*path, "facing"), f"a facing of {facing}", "1 (north) to 6 (north-west), clockwise")

    def check_turn(self, path: Place, turn: int) -> None:
        if turn and not 1 <= turn <= self.turns:
            self.doc.fault((*path, "turn"), f"turn {turn} of {self.turns}", f"{self.turns} (the first) down to 1")

    def check_nation(self, path: Place, side: str, kind: UnitType) -> None:
        nations = self.nations[side]
        if kind.nation not in nations:
            self.doc.fault(
                (*path, "kind"), f'"{kind.id}" is {kind.nation}', f"{' or '.join(nations)}, or add to nation"
            )
        elif self.year and not kind.years[0] <= self.year <= kind.years[1]:
            first, last = kind.years
            self.doc.fault((*path, "kind"), f'"{kind.id}" fought {first}-{last}, not {self.year}')

    # -- a side ----------------------------------------------------------------------------------------

    def read_side(self, side: str, data: Any) -> None:
        path: Place = ("side", side)
        doc = self.doc
        if not NAME.fullmatch(side):
            doc.fault(path, f'"{side}" is no name of a side', "small letters and _, such as german")
        self.nations[side] = ()
        table = read_record(doc, path, data, _Side)
        if table is None:
            return
        nations = [table.nation] if isinstance(table.nation, str) else table.nation
        known = sorted({kind.nation for kind in roster().values()})
        for nation in nations:
            read_word(doc, (*path, "nation"), "nation", nation, known)
        self.nations[side] = tuple(nations)
        self.impulse[side] = read_dice(doc, (*path, "impulse"), table.impulse)
        if not 2 <= table.gut_check <= 12:
            doc.fault((*path, "gut_check"), f"a Gut Check of {table.gut_check}", "2 to 12")
        self.gut_check[side] = table.gut_check
        if not 0 <= table.cards <= 5:
            doc.fault((*path, "cards"), f"{table.cards} Luck cards", "0 to 5")
        self.cards[side] = table.cards
        self.assets[side] = read_assets(doc, (*path, "assets"), table.assets)
        self.asset_turns[side] = read_assets(doc, (*path, "asset_turns"), table.asset_turns)
        self.exits[side] = frozenset(self.hexes((*path, "exit"), table.exit))
        for label in sorted(self.exits[side]):
            if not self.grid.is_edge(label):
                doc.fault((*path, "exit"), f"{label} is not at the edge of the map", "hexes along the edge")
        self.apart[side], self.stack[side], self.hideable[side] = table.apart, table.stack, table.hidden
        if table.letter:
            self.letters[side] = table.letter
        zone, entry = self.hexes((*path, "zone"), table.zone), self.hexes((*path, "entry"), table.entry)
        self.limits[side] = tuple(
            Limit(frozenset(self.hexes((*place, "hexes"), limit.hexes)), limit.most)
            for place, item in each_record(doc, (*path, "limit"), table.limit)
            if (limit := read_record(doc, place, item, _Limit)) is not None
        )
        for key, read in (
            ("unit", self.read_unit),
            ("aircraft", self.read_aircraft),
            ("weapon", self.read_weapon),
            ("work", self.read_work),
            ("mines", self.read_mines),
        ):
            tables = list(each_record(doc, (*path, key), getattr(table, key)))
            self.given.update(
                item["id"] for _, item in tables if isinstance(item, dict) and isinstance(item.get("id"), str)
            )
            for place, item in tables:
                read(place, side, item, zone, entry)

    def read_unit(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Unit)
        if table is None:
            return
        kind = read_kind(self.doc, (*path, "kind"), table.kind, *UNITS)
        count = self.count(path, table.count)
        if count > 1 and (alone := [key for key in ("id", "attached", "aboard") if getattr(table, key)]):
            self.doc.fault((*path, alone[0]), f'"{alone[0]}" for {count} units', "an entry for each")
        self.check_facing(path, table.facing)
        self.check_turn(path, table.turn)
        read_word(self.doc, (*path, "morale"), "morale", table.morale, MORALE)
        own_zone = self.hexes((*path, "zone"), table.zone)
        own_entry = self.hexes((*path, "entry"), table.entry)
        if table.at:
            read_hex(self.doc, (*path, "at"), self.grid, table.at)
        if kind is None:
            return
        self.check_nation(path, side, kind)
        if table.reduced and kind.reduced is None:
            self.doc.fault((*path, "reduced"), f'"{kind.id}" has no reduced side')
        arrives = bool(table.turn)
        if arrives and not (own_entry or entry):
            self.doc.fault(path, "a reinforcement without entry hexes", 'entry = "A6-A10"')
        for _ in range(count):
            self.n += 1
            id = self.name((*path, "id"), side, table.id)
            self.add(
                path,
                Placing(
                    id=id,
                    n=self.n,
                    kind=kind.id,
                    side=side,
                    at=table.at,
                    zone=() if arrives else own_zone or zone,
                    facing=table.facing,
                    hidden=self.word_hidden(path, table.hidden),
                    attached=table.attached,
                    aboard=table.aboard,
                    turn=table.turn,
                    entry=(own_entry or entry) if arrives else (),
                    inside=table.inside,
                    on_road=table.on_road,
                    reduced=table.reduced,
                    morale=MORALE.index(table.morale) if table.morale in MORALE else 0,
                ),
            )
            for weapon in table.weapons:
                carried = read_kind(self.doc, (*path, "weapons"), weapon, "support")
                if not kind.squad:
                    self.doc.fault((*path, "weapons"), f"a {kind.kind} carries no support weapon", "a squad does")
                elif carried is not None:
                    self.weapons.append(WeaponSetup(id=f"w{len(self.weapons) + 1}", kind=weapon, side=side, unit=id))

    def read_aircraft(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Aircraft)
        if table is None:
            return
        kind = read_kind(self.doc, (*path, "kind"), table.kind, "aircraft")
        self.check_facing(path, table.facing)
        self.check_turn(path, table.turn)
        own_zone = self.hexes((*path, "zone"), table.zone) or zone
        if table.at:
            read_hex(self.doc, (*path, "at"), self.grid, table.at)
        elif not own_zone:
            self.doc.fault(path, "nowhere to set it up", 'zone = "C16-T18"')
        if kind is None:
            return
        self.check_nation(path, side, kind)
        self.n += 1
        id = self.name((*path, "id"), side, table.id)
        self.add(
            path,
            Placing(
                id=id,
                n=self.n,
                kind=kind.id,
                side=side,
                at=table.at,
                zone=own_zone,
                facing=table.facing,
                turn=table.turn,
                load=tuple(table.load),
            ),
        )

    def read_weapon(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Weapon)
        if table is None:
            return
        kind = read_kind(self.doc, (*path, "kind"), table.kind, "support")
        self.check_turn(path, table.turn)
        if kind is not None:
            self.check_nation(path, side, kind)
            for _ in range(self.count(path, table.count)):
                self.weapons.append(
                    WeaponSetup(id=f"w{len(self.weapons) + 1}", kind=kind.id, side=side, turn=table.turn)
                )

    def read_work(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Work)
        if table is None:
            return
        good = read_word(self.doc, (*path, "kind"), "work", table.kind, WORKS)
        self.check_facing(path, table.facing)
        where = self.where(path, table.at, table.zone, zone)
        hidden = self.word_hidden(path, table.hidden)
        if hidden and table.kind not in ("cover", "bunker"):
            self.doc.fault((*path, "hidden"), f"a hidden {table.kind}", "Cover or a Bunker may be hidden (73.3)")
        count = self.count(path, table.count)
        if good:
            self.works += [
                WorkSetup(kind=table.kind, side=side, at=at, zone=where, facing=table.facing, hidden=hidden)
                for at in self.spots(path, table.at, count)
            ]

    def read_mines(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Mines)
        if table is None:
            return
        where = self.where(path, table.at, table.zone, zone)
        count = self.count(path, table.count)
        self.mines += [MinesSetup(side=side, at=at, zone=where) for at in self.spots(path, table.at, count)]

    def where(self, path: Place, at: str, own: str, zone: tuple[str, ...]) -> tuple[str, ...]:
        where = self.hexes((*path, "zone"), own) or zone
        if not at and not where:
            self.doc.fault(path, "nowhere to place it", 'at = "D4", or zone = "A1-D8"')
        return where

    def spots(self, path: Place, at: str, count: int) -> list[str]:
        """Where things stand: a fixed hex each (``at`` may list several), or "" to be placed."""
        if not at:
            return [""] * count
        found = self.hexes((*path, "at"), at)
        if count not in (1, len(found)):
            self.doc.fault((*path, "count"), f"{count} for {len(found)} hexes", "leave count out")
        return list(found)

    # -- who is with whom --------------------------------------------------------------------------------

    def link(self) -> None:
        """Check who leads, rides and is dropped by whom, and let followers arrive with what they follow."""
        kinds = roster()
        led: dict[str, str] = {}
        carried: dict[str, str] = {}
        loaded: dict[str, str] = {}
        for plane in [u for u in self.units.values() if kinds[u.kind].kind == "aircraft"]:
            self.link_aircraft(plane, loaded)
        for unit in list(self.units.values()):
            path, kind = self.places[unit.id], kinds[unit.kind]
            for key in ("attached", "aboard"):
                other = self.units.get(name := getattr(unit, key))
                if name and (other is None or other.side != unit.side):
                    own = [u.id for u in self.units.values() if u.side == unit.side]
                    self.doc.fault((*path, key), f'no unit "{name}" of {unit.side}', f"one of {', '.join(own)}")
            leads, rides = self.units.get(unit.attached), self.units.get(unit.aboard)
            if leads is not None:
                why = why_not_attach(kind, kinds[leads.kind]) or (
                    f"{led[leads.id]} is attached to it" if leads.id in led else ""
                )
                if why:
                    self.doc.fault((*path, "attached"), why, "see rules 15.2, 15.13, 15.14 and 16.6")
                led[leads.id] = unit.id
            if rides is not None:
                why = why_not_aboard(kind, kinds[rides.kind]) or (
                    f"{carried[rides.id]} is aboard it"
                    if rides.id in carried and kinds[rides.kind].kind != "aircraft"
                    else ""
                )
                if why:
                    self.doc.fault((*path, "aboard"), why, "see rules 79.1 and 79.3")
                carried[rides.id] = unit.id
        for id in self.units:
            self.units[id] = self.follow(id, ())
        for unit in self.units.values():
            if not (unit.at or unit.zone or unit.turn or unit.attached or unit.aboard):
                right = 'at = "D4", or zone = "A1-D8", or turn = ... and entry = ...'
                self.doc.fault(self.places[unit.id], "nowhere to set it up", right)

    def link_aircraft(self, plane: Placing, loaded: dict[str, str]) -> None:
        path, kinds = self.places[plane.id], roster()
        heavy = light = 0
        for id in plane.load:
            unit = self.units.get(id)
            if unit is None or unit.side != plane.side:
                own = [u.id for u in self.units.values() if u.side == plane.side]
                self.doc.fault((*path, "load"), f'no unit "{id}" of {plane.side}', f"one of {', '.join(own)}")
                continue
            if id in loaded:
                self.doc.fault((*path, "load"), f"{id} is in {loaded[id]} already")
            loaded[id] = plane.id
            kind = kinds[unit.kind]
            if not (kind.squad or kind.crewed):
                self.doc.fault((*path, "load"), f"{id} is a {kind.kind}", "squads and crewed weapons (83)")
            heavy += kind.anti_tank_gun
            light += not kind.anti_tank_gun
            self.units[id] = msgspec.structs.replace(unit, aboard=plane.id, zone=(), at="")
        limits = figures()["airborne"]
        most, guns = limits["squads_per_aircraft"], limits["heavy_weapons_per_aircraft"]
        if light > most or heavy > guns or (light and heavy):
            self.doc.fault((*path, "load"), f"{light} squads and {heavy} guns", f"up to {most}, or {guns} gun (83)")

    def follow(self, id: str, seen: tuple[str, ...]) -> Placing:
        """A unit with the time and place of what it is attached to or rides on."""
        unit = self.units[id]
        lead = self.units.get(unit.attached or unit.aboard)
        if lead is None or id in seen:
            return unit
        lead = self.follow(lead.id, (*seen, id))
        return msgspec.structs.replace(
            unit,
            at=lead.at,
            zone=lead.zone,
            turn=lead.turn,
            entry=lead.entry,
            hidden=lead.hidden,
            aboard=unit.aboard or lead.aboard,
            inside=lead.inside,
            on_road=lead.on_road,
        )


def why_not_attach(leader: UnitType, unit: UnitType) -> str:
    """Why a Leader of one kind cannot be attached to a unit of another (15.2, 15.14, 16.6)."""
    if leader.armor_leader:
        return "" if unit.vehicle and not unit.soft else "an Armor Leader belongs in an armored vehicle"
    if not leader.leader:
        return f"a {leader.kind} is not attached to anything"
    return "" if unit.squad or unit.crewed or unit.crew else f"a Leader is not attached to a {unit.kind}"


def why_not_aboard(unit: UnitType, carrier: UnitType) -> str:
    """Why a unit of one kind cannot ride on another (79.1)."""
    if carrier.kind == "aircraft":
        return ""
    if not carrier.vehicle or carrier.no_riders:
        return f'nothing rides on "{carrier.id}"'
    return "" if unit.foot else f"a {unit.kind} does not ride"
