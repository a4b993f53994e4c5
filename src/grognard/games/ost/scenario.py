"""Scenarios (64): what a battle is fought with, where, for how long and for what; read from TOML.

The format is told in docs/scenarios.md. A scenario is fixed once it is read: the state of a battle names
its units by id and finds here what set-up needs to know of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from grognard.board.battlefield import Battlefield
from grognard.board.grid import HexGrid
from grognard.core.dice import pool
from grognard.core.files import Document
from grognard.games.ost.figures import figures
from grognard.games.ost.options import Options
from grognard.games.ost.reading import (
    FACINGS,
    Place,
    each_table,
    read_hex,
    read_hexes,
    read_kind,
    read_map,
    read_options,
    read_table,
    read_word,
    sub_tables,
)
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.state import MORALE

NAME = re.compile(r"[a-z][a-z0-9_]*")
WORKS = ("cover", "foxholes", "trench", "bunker", "pillbox", "wire", "roadblock")
ASSETS = ("mortars", "artillery", "rockets", "air")
SMALL = ("crew", "support", "aircraft")
UNITS = ("squad", "crewed", "leader", "armor_leader", "sniper", "crew", "vehicle")


# ---- what a scenario is made of ----------------------------------------------------------------------


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the order of battle, and what its set-up or entry may be (64.2)."""

    id: str
    n: int
    kind: str
    side: str
    at: str = ""
    zone: tuple[str, ...] = ()
    facing: int = 0
    hidden: str = ""  # "yes", or "may"
    attached: str = ""
    aboard: str = ""
    turn: int = 0  # the turn on which it comes as a reinforcement
    entry: tuple[str, ...] = ()
    load: tuple[str, ...] = ()  # an aircraft's units, in the order of their drop (83.3)
    inside: bool = False
    on_road: bool = False
    reduced: bool = False
    morale: int = 0


class WeaponSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A support weapon: with a unit from the start, or free to assign at set-up."""

    id: str
    kind: str
    side: str
    unit: str = ""
    turn: int = 0


class WorkSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A fortification counter to place (24)."""

    kind: str
    side: str
    at: str = ""
    zone: tuple[str, ...] = ()
    facing: int = 0
    hidden: str = ""


class MinesSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A mined hex to record (27.1)."""

    side: str
    at: str = ""
    zone: tuple[str, ...] = ()


class Limit(msgspec.Struct, frozen=True):
    """At most so many units of a side may be set up in these hexes."""

    hexes: frozenset[str]
    most: int


class ControlPoints(msgspec.Struct, frozen=True):
    """What control of hexes is worth, to whom and when (65, 4.0)."""

    hexes: tuple[str, ...]
    points: dict[str, int]
    when: str  # "end", or "turn"
    first: int  # the turn from which "turn" scores


class CasualtyPoints(msgspec.Struct, frozen=True):
    """Victory Points for every so many Casualty Points scored."""

    per: int
    points: int
    sides: tuple[str, ...]


class ExitPoints(msgspec.Struct, frozen=True):
    """Victory Points for each unit of these kinds that left by these hexes."""

    side: str
    units: tuple[str, ...]
    hexes: frozenset[str]
    points: int


class Presence(msgspec.Struct, frozen=True):
    """So many units of these kinds in these hexes."""

    units: tuple[str, ...]
    hexes: frozenset[str]
    good_order: bool
    at_least: int


class Win(msgspec.Struct, frozen=True):
    """A side wins, at once at the end of a turn or when the battle ends, if all of this holds."""

    side: str
    when: str  # "turn", or "end"
    owns: tuple[str, ...]
    present: Presence | None
    casualties: int | None  # Casualty Points scored, less those of the enemy, at least
    reason: str


class VictoryRules(msgspec.Struct, frozen=True, kw_only=True):
    """The victory conditions as data (64.10)."""

    control: tuple[ControlPoints, ...] = ()
    casualties: tuple[CasualtyPoints, ...] = ()
    exits: tuple[ExitPoints, ...] = ()
    wins: tuple[Win, ...] = ()
    otherwise: str = ""
    tie: str = ""
    lead: dict[str, int] = {}
    text: str = ""


class ScenarioRoll(msgspec.Struct, frozen=True):
    """A die roll in the Scenario Rolls phase: assets that may become available (111.5)."""

    side: str
    what: str
    dice: str
    at_least: int
    turns: tuple[int, int]  # first and last turn, counting down
    assets: dict[str, int]
    once: bool


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A battle to fight. ``side_names``: the side named first acts first before the Initiative (T-2)."""

    name: str
    title: str
    source: str
    turns: int
    side_names: tuple[str, str]
    battlefield: Battlefield
    briefing: str = ""
    place: str = ""
    date: str = ""
    options: Options = Options()
    nations: dict[str, tuple[str, ...]] = {}
    gut_check: dict[str, int] = {}
    impulse: dict[str, str] = {}
    cards: dict[str, int] = {}
    assets: dict[str, dict[str, int]] = {}
    asset_turns: dict[str, dict[str, int]] = {}
    exits: dict[str, frozenset[str]] = {}
    control: dict[str, str] = {}
    special: tuple[str, ...] = ()
    wrecks: tuple[str, ...] = ()
    setup_order: tuple[str, ...] = ()
    units: tuple[Placing, ...] = ()
    weapons: tuple[WeaponSetup, ...] = ()
    works: tuple[WorkSetup, ...] = ()
    mines: tuple[MinesSetup, ...] = ()
    limits: dict[str, tuple[Limit, ...]] = {}
    apart: dict[str, int] = {}
    stack: dict[str, int] = {}
    hideable: dict[str, int] = {}
    victory: VictoryRules = VictoryRules()
    rolls: tuple[ScenarioRoll, ...] = ()

    @property
    def sides(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.side_names


# ---- the tables as written ---------------------------------------------------------------------------


class _Head(msgspec.Struct, kw_only=True):
    name: str
    title: str
    turns: int
    map: Any
    side: Any
    game: str = "ost"
    place: str = ""
    date: str = ""
    year: int = 0
    briefing: str = ""
    special: list[str] = []
    setup_order: list[str] = []
    wrecks: str = ""
    options: Any = {}
    control: Any = {}
    victory: Any = {}
    roll: Any = []


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


class _Control(msgspec.Struct):
    owner: str = ""


class _Victory(msgspec.Struct):
    text: str = ""
    tie: str = ""
    otherwise: str = ""
    lead: dict[str, int] = {}
    control: Any = []
    casualties: Any = []
    exit: Any = []
    win: Any = []


class _ControlPoints(msgspec.Struct, rename={"from_": "from"}):
    hexes: str
    points: int | dict[str, int]
    when: str = "end"
    from_: int = 0


class _CasualtyPoints(msgspec.Struct):
    per: int
    points: int = 1
    sides: list[str] = []


class _ExitPoints(msgspec.Struct):
    side: str
    units: list[str]
    points: int
    hexes: str = ""


class _Presence(msgspec.Struct):
    hexes: str
    units: list[str] = []
    good_order: bool = False
    at_least: int = 1


class _Win(msgspec.Struct):
    side: str
    when: str = "end"
    owns: str = ""
    present: Any = None
    casualties: int | None = None
    reason: str = ""


class _Roll(msgspec.Struct, rename={"from_": "from"}):
    side: str
    assets: dict[str, int]
    at_least: int
    what: str = "Scenario roll"
    dice: str = "1d6"
    from_: int = 0
    to: int = 0
    once: bool = True


# ---- reading ------------------------------------------------------------------------------------------


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    head = read_table(doc, (), doc.data, _Head)
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    field = read_map(doc, head.map)
    assert field.grid is not None
    if head.game != "ost":
        doc.fault("game", f'a scenario of "{head.game}"', 'game = "ost"')
    if not NAME.fullmatch(head.name):
        doc.fault("name", f'"{head.name}" is no name', "small letters, digits and _, such as mill_farm")
    if not 1 <= head.turns <= 99:
        doc.fault("turns", f"{head.turns} turns", "1 to 99")
    sides = sub_tables(doc, ("side",), head.side)
    if len(sides) != 2:
        doc.fault("side", f"{len(sides)} sides", "exactly two, [side.NAME] each")
        doc.check()
    names = tuple(sides)
    forces = _Forces(doc, field.grid, names, head.turns, head.year)
    for side, table in sides.items():
        forces.read_side(side, table)
    forces.link()
    order = tuple(head.setup_order) or names
    if sorted(order) != sorted(names):
        doc.fault("setup_order", f"{list(order)}", f"both sides once: {list(names)}")
    control = read_control(doc, field.grid, names, head.control)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        turns=head.turns,
        side_names=(names[0], names[1]),
        battlefield=field,
        briefing=head.briefing.strip(),
        place=head.place,
        date=head.date,
        options=read_options(doc, head.options),
        nations=forces.nations,
        gut_check=forces.gut_check,
        impulse=forces.impulse,
        cards=forces.cards,
        assets=forces.assets,
        asset_turns=forces.asset_turns,
        exits=forces.exits,
        control=control,
        special=tuple(head.special),
        wrecks=tuple(read_hexes(doc, ("wrecks",), field.grid, head.wrecks)),
        setup_order=order,
        units=tuple(forces.units.values()),
        weapons=tuple(forces.weapons),
        works=tuple(forces.works),
        mines=tuple(forces.mines),
        limits=forces.limits,
        apart=forces.apart,
        stack=forces.stack,
        hideable=forces.hideable,
        victory=read_victory(doc, field.grid, names, head.turns, control, head.victory),
        rolls=read_rolls(doc, names, head.turns, head.roll),
    )
    doc.check()
    return scenario


def letters_of(names: Iterable[str]) -> dict[str, str]:
    """The shortest beginnings that tell the sides apart: what the ids of their units begin with."""
    names = tuple(names)
    length = 1
    while len({name[:length] for name in names}) < len(names):
        length += 1
    return {name: name[:length].rstrip("_") for name in names}


class _Forces:
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
        table = read_table(doc, path, data, _Side)
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
            for place, item in each_table(doc, (*path, "limit"), table.limit)
            if (limit := read_table(doc, place, item, _Limit)) is not None
        )
        for key, read in (
            ("unit", self.read_unit),
            ("aircraft", self.read_aircraft),
            ("weapon", self.read_weapon),
            ("work", self.read_work),
            ("mines", self.read_mines),
        ):
            tables = list(each_table(doc, (*path, key), getattr(table, key)))
            self.given.update(item["id"] for _, item in tables if isinstance(item, dict) and "id" in item)
            for place, item in tables:
                read(place, side, item, zone, entry)

    def read_unit(self, path: Place, side: str, data: Any, zone: tuple[str, ...], entry: tuple[str, ...]) -> None:
        table = read_table(self.doc, path, data, _Unit)
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
        table = read_table(self.doc, path, data, _Aircraft)
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
        table = read_table(self.doc, path, data, _Weapon)
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
        table = read_table(self.doc, path, data, _Work)
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
        table = read_table(self.doc, path, data, _Mines)
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


def read_dice(doc: Document, path: Place, text: str) -> str:
    """Dice notation such as ``3d6+2``."""
    try:
        number, sides, _ = pool(text)
    except ValueError as error:
        doc.fault(path, str(error))
        return "2d6"
    if number > 10 or sides > 20:
        doc.fault(path, f"{text} is too many dice", "such as 3d6+2")
    return text.replace(" ", "")


def read_assets(doc: Document, path: Place, table: dict[str, int]) -> dict[str, int]:
    """Off-board assets by kind (64.9)."""
    for kind, number in table.items():
        read_word(doc, (*path, kind), "asset", kind, ASSETS)
        if not 0 <= number <= 99:
            doc.fault((*path, kind), f"{number}", "0 to 99")
    return dict(table)


def read_control(doc: Document, grid: HexGrid, names: tuple[str, ...], data: Any) -> dict[str, str]:
    """The control hexes with their owners, "" for none (65.1, 65.2)."""
    found = {}
    for label, item in sub_tables(doc, ("control",), data).items():
        read_hex(doc, ("control", label), grid, label)
        table = read_table(doc, ("control", label), item, _Control)
        if table is None:
            continue
        owner = "" if table.owner == "neutral" else table.owner
        if owner:
            read_word(doc, ("control", label, "owner"), "side", owner, (*names, "neutral"))
        found[label] = owner
    return found


def read_rolls(doc: Document, names: tuple[str, ...], turns: int, data: Any) -> tuple[ScenarioRoll, ...]:
    """The scenario's own die rolls (111.5)."""
    found = []
    for path, item in each_table(doc, ("roll",), data):
        table = read_table(doc, path, item, _Roll)
        if table is None:
            continue
        read_word(doc, (*path, "side"), "side", table.side, names)
        dice = read_dice(doc, (*path, "dice"), table.dice)
        assets = read_assets(doc, (*path, "assets"), table.assets)
        span = (table.from_ or turns, table.to)
        found.append(ScenarioRoll(table.side, table.what, dice, table.at_least, span, assets, table.once))
    return tuple(found)


def read_victory(
    doc: Document, grid: HexGrid, names: tuple[str, ...], turns: int, control: dict[str, str], data: Any
) -> VictoryRules:
    """The victory conditions as data (64.10)."""
    table = read_table(doc, ("victory",), data, _Victory)
    if table is None:
        return VictoryRules()
    for key in ("tie", "otherwise"):
        if name := getattr(table, key):
            read_word(doc, ("victory", key), "side", name, (*names, "draw"))
    for side in table.lead:
        read_word(doc, ("victory", "lead", side), "side", side, names)
    points, casualties, exits, wins = [], [], [], []
    for path, item in each_table(doc, ("victory", "control"), table.control):
        if (entry := read_table(doc, path, item, _ControlPoints)) is not None:
            points.append(_control_points(doc, path, grid, names, turns, control, entry))
    for path, item in each_table(doc, ("victory", "casualties"), table.casualties):
        if (loss := read_table(doc, path, item, _CasualtyPoints)) is not None:
            for side in loss.sides:
                read_word(doc, (*path, "sides"), "side", side, names)
            if loss.per < 1:
                doc.fault((*path, "per"), f"{loss.per}", "1 or more")
            casualties.append(CasualtyPoints(max(loss.per, 1), loss.points, tuple(loss.sides) or names))
    for path, item in each_table(doc, ("victory", "exit"), table.exit):
        if (left := read_table(doc, path, item, _ExitPoints)) is not None:
            read_word(doc, (*path, "side"), "side", left.side, names)
            units = _classes(doc, (*path, "units"), left.units)
            where = frozenset(read_hexes(doc, (*path, "hexes"), grid, left.hexes))
            exits.append(ExitPoints(left.side, units, where, left.points))
    for path, item in each_table(doc, ("victory", "win"), table.win):
        if (win := read_table(doc, path, item, _Win)) is not None:
            wins.append(_win(doc, path, grid, names, control, win))
    return VictoryRules(
        control=tuple(points),
        casualties=tuple(casualties),
        exits=tuple(exits),
        wins=tuple(wins),
        otherwise=table.otherwise,
        tie=table.tie,
        lead=table.lead,
        text=table.text,
    )


def _control_points(
    doc: Document,
    path: Place,
    grid: HexGrid,
    names: tuple[str, ...],
    turns: int,
    control: dict[str, str],
    entry: _ControlPoints,
) -> ControlPoints:
    hexes = _control_hexes(doc, (*path, "hexes"), grid, control, entry.hexes)
    points = dict.fromkeys(names, entry.points) if isinstance(entry.points, int) else entry.points
    for side in points:
        read_word(doc, (*path, "points", side), "side", side, names)
    read_word(doc, (*path, "when"), "time", entry.when, ("end", "turn"))
    first = entry.from_ or turns
    if not 1 <= first <= turns:
        doc.fault((*path, "from"), f"turn {first} of {turns}", f"{turns} (the first) down to 1")
    return ControlPoints(hexes, points, entry.when, first)


def _control_hexes(doc: Document, path: Place, grid: HexGrid, control: dict[str, str], text: str) -> tuple[str, ...]:
    hexes = read_hexes(doc, path, grid, text)
    for label in hexes:
        if label not in control:
            doc.fault(path, f"{label} is no control hex", f"[control.{label}]")
    return tuple(hexes)


def _classes(doc: Document, path: Place, words: list[str]) -> tuple[str, ...]:
    known = {kind.kind for kind in roster().values()} | {kind.class_ for kind in roster().values() if kind.class_}
    for word in words:
        read_word(doc, path, "kind or class of unit", word, known)
    return tuple(words)


def _win(
    doc: Document, path: Place, grid: HexGrid, names: tuple[str, ...], control: dict[str, str], entry: _Win
) -> Win:
    read_word(doc, (*path, "side"), "side", entry.side, names)
    read_word(doc, (*path, "when"), "time", entry.when, ("end", "turn"))
    present = None
    if entry.present is not None:
        table = read_table(doc, (*path, "present"), entry.present, _Presence)
        if table is not None:
            units = _classes(doc, (*path, "present", "units"), table.units)
            where = frozenset(read_hexes(doc, (*path, "present", "hexes"), grid, table.hexes))
            present = Presence(units, where, table.good_order, table.at_least)
    if not entry.owns and entry.present is None and entry.casualties is None:
        doc.fault(path, "a condition without content", "owns, present or casualties")
    owns = _control_hexes(doc, (*path, "owns"), grid, control, entry.owns)
    return Win(entry.side, entry.when, owns, present, entry.casualties, entry.reason)
