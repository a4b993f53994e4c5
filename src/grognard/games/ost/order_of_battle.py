"""The order of battle of a scenario file (64.2): each side's units, weapons, works, mines and aircraft."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from grognard.board.hex.grid import HexGrid
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, each_record, read_record, read_word
from grognard.games.ost.charts import charts
from grognard.games.ost.reading import read_assets, read_dice, read_kind
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.scenario import UNITS, WORKS, Limit, MinesSetup, Placing, WeaponSetup, WorkSetup
from grognard.games.ost.state import MORALE
from grognard.kits.hex.reading import read_facing
from grognard.kits.hex.scenario_file import ForceReader

# ---- the tables as written ---------------------------------------------------------------------------


class _Side(msgspec.Struct, kw_only=True):
    nation: str | list[str]
    impulse: str
    gut_check: Count
    cards: Count = 1
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


class Forces(ForceReader[Placing]):
    """Reads the tables of both sides into an order of battle."""

    def __init__(self, doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int, year: int) -> None:
        super().__init__(doc, grid, names, turns)
        self.year = year
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

    # -- pieces ----------------------------------------------------------------------------------------

    def turn_words(self) -> str:
        """Turns are counted down (2.0)."""
        return f"{self.turns} (the first) down to 1"

    def word_hidden(self, path: FilePath, hidden: bool | str) -> str:
        if isinstance(hidden, str) and hidden != "may":
            self.doc.fault((*path, "hidden"), f'"{hidden}"', 'true, or "may"')
        return hidden if isinstance(hidden, str) else "yes" if hidden else ""

    def check_nation(self, path: FilePath, side: str, kind: UnitType) -> None:
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
        path: FilePath = ("side", side)
        doc = self.doc
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
        self.exits[side] = self.edge((*path, "exit"), table.exit)
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
            for place, item in self.tables((*path, key), getattr(table, key)):
                read(place, side, item, zone, entry)

    def read_unit(self, path: FilePath, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Unit)
        if table is None:
            return
        kind = read_kind(self.doc, (*path, "kind"), table.kind, *UNITS)
        count = self.count(path, table.count)
        if count > 1 and (alone := [key for key in ("id", "attached", "aboard") if getattr(table, key)]):
            self.doc.fault((*path, alone[0]), f'"{alone[0]}" for {count} units', "a separate entry for each")
        read_facing(self.doc, (*path, "facing"), table.facing)
        self.check_turn(path, table.turn)
        read_word(self.doc, (*path, "morale"), "morale", table.morale, MORALE)
        own_zone = self.hexes((*path, "zone"), table.zone)
        own_entry = self.hexes((*path, "entry"), table.entry)
        self.check_at(path, table.at)
        if kind is None:
            return
        self.check_nation(path, side, kind)
        if table.reduced and kind.reduced is None:
            self.doc.fault((*path, "reduced"), f'"{kind.id}" doesn\'t have a reduced side')
        arrives = bool(table.turn)
        if arrives and not (own_entry or entry):
            self.doc.fault(path, "a reinforcement without entry hexes", 'entry = "A6-A10"')
        for _ in range(count):
            id = self.id_of((*path, "id"), side, table.id)
            self.add(
                path,
                Placing(
                    id=id,
                    n=self.next_n(),
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
                    self.doc.fault((*path, "weapons"), f"a {kind.kind} can't carry a support weapon", "a squad")
                elif carried is not None:
                    self.weapons.append(WeaponSetup(id=f"w{len(self.weapons) + 1}", kind=weapon, side=side, unit=id))

    def read_aircraft(
        self, path: FilePath, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]
    ) -> None:
        table = read_record(self.doc, path, data, _Aircraft)
        if table is None:
            return
        kind = read_kind(self.doc, (*path, "kind"), table.kind, "aircraft")
        read_facing(self.doc, (*path, "facing"), table.facing)
        self.check_turn(path, table.turn)
        own_zone = self.hexes((*path, "zone"), table.zone) or zone
        self.check_at(path, table.at)
        if not table.at and not own_zone:
            self.doc.fault(path, "nowhere to set it up", 'zone = "C16-T18"')
        if kind is None:
            return
        self.check_nation(path, side, kind)
        id = self.id_of((*path, "id"), side, table.id)
        self.add(
            path,
            Placing(
                id=id,
                n=self.next_n(),
                kind=kind.id,
                side=side,
                at=table.at,
                zone=own_zone,
                facing=table.facing,
                turn=table.turn,
                load=tuple(table.load),
            ),
        )

    def read_weapon(self, path: FilePath, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
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

    def read_work(self, path: FilePath, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Work)
        if table is None:
            return
        good = read_word(self.doc, (*path, "kind"), "work", table.kind, WORKS)
        read_facing(self.doc, (*path, "facing"), table.facing)
        where = self.where(path, table.at, table.zone, zone)
        hidden = self.word_hidden(path, table.hidden)
        if hidden and table.kind not in ("cover", "bunker"):
            self.doc.fault((*path, "hidden"), f"a hidden {table.kind}", "only Cover and Bunkers can be hidden (73.3)")
        count = self.count(path, table.count)
        if good:
            spots = self.spots(path, table.at, count)
            self.places.update((f"work {hex}", path) for hex in spots)
            self.works += [
                WorkSetup(kind=table.kind, side=side, at=at, zone=where, facing=table.facing, hidden=hidden)
                for at in spots
            ]

    def read_mines(self, path: FilePath, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_record(self.doc, path, data, _Mines)
        if table is None:
            return
        where = self.where(path, table.at, table.zone, zone)
        count = self.count(path, table.count)
        self.mines += [MinesSetup(side=side, at=at, zone=where) for at in self.spots(path, table.at, count)]

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
            leads, rides = self.named(unit, "attached"), self.named(unit, "aboard")
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
        self.follow()

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
                self.doc.fault((*path, "load"), f"{id} is already in {loaded[id]}")
            loaded[id] = plane.id
            kind = kinds[unit.kind]
            if not (kind.squad or kind.crewed):
                self.doc.fault((*path, "load"), f"{id} is a {kind.kind}", "squads and crewed weapons (83)")
            heavy += kind.anti_tank_gun
            light += not kind.anti_tank_gun
            self.units[id] = replace(unit, aboard=plane.id, zone=(), at="")
        limits = charts()["airborne"]
        most, guns = limits["squads_per_aircraft"], limits["heavy_weapons_per_aircraft"]
        if light > most or heavy > guns or (light and heavy):
            self.doc.fault((*path, "load"), f"{light} squads and {heavy} guns", f"up to {most}, or {guns} gun (83)")

    def lead_of(self, unit: Placing) -> str:
        """A Leader comes with his unit, a passenger with its vehicle."""
        return unit.attached or unit.aboard

    def along(self, unit: Placing, lead: Placing) -> Placing:
        """A unit with the time and place of what it is attached to or rides on, and as well hidden."""
        return replace(
            super().along(unit, lead),
            hidden=lead.hidden,
            aboard=unit.aboard or lead.aboard,
            inside=lead.inside,
            on_road=lead.on_road,
        )


def why_not_attach(leader: UnitType, unit: UnitType) -> str:
    """Why a Leader of one kind cannot be attached to a unit of another (15.2, 15.14, 16.6)."""
    if leader.armor_leader:
        return "" if unit.vehicle and not unit.soft else "an Armor Leader can be attached only to an armored vehicle"
    if not leader.leader:
        return f"a {leader.kind} can't be attached to anything"
    return "" if unit.squad or unit.crewed or unit.crew else f"a Leader can't be attached to a {unit.kind}"


def why_not_aboard(unit: UnitType, carrier: UnitType) -> str:
    """Why a unit of one kind cannot ride on another (79.1)."""
    if carrier.kind == "aircraft":
        return ""
    if not carrier.vehicle or carrier.no_riders:
        return f'nothing can ride on "{carrier.id}"'
    return "" if unit.foot else f"a {unit.kind} can't ride"
