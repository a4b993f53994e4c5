"""Situations: positions set by hand, for tests, puzzles and the referee at a real table.

A situation uses the words of a scenario, but everything in it is placed. See docs/scenarios.md.
"""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.board.grid import HexGrid
from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.records import Place, each_record, read_record, read_word
from grognard.games.ost.invariants import structure
from grognard.games.ost.objectives import read_control, read_rolls, read_victory
from grognard.games.ost.order_of_battle import letters_of, why_not_aboard, why_not_attach
from grognard.games.ost.reading import (
    BLANK,
    FACINGS,
    NAME,
    read_area,
    read_assets,
    read_dice,
    read_hex,
    read_hexes,
    read_kind,
    read_map,
    read_options,
)
from grognard.games.ost.roster import luck_cards, roster
from grognard.games.ost.scenario import UNITS, WORKS, Scenario
from grognard.games.ost.state import (
    LOST,
    MORALE,
    OFF_MAP,
    ON_MAP,
    PHASES,
    PLANE,
    UNMANNED,
    Melee,
    Mines,
    State,
    Strike,
    Unit,
    Weapon,
    Work,
)

STATUSES = (ON_MAP, OFF_MAP, PLANE, UNMANNED, LOST, "exited", "unplaced")
POINTS = 5


class _Head(msgspec.Struct, kw_only=True):
    map: Any
    area: str = ""
    game: str = "ost"
    name: str = "situation"
    title: str = "A situation"
    briefing: str = ""
    sides: list[str] = []
    turn: int = 5
    turns: int = 0
    phase: str = "play"
    step: str = ""
    active: str = ""
    initiative: str = ""
    opening: bool = False
    extended: bool = False
    points: dict[str, int] = {}
    casualties: dict[str, int] = {}
    score: dict[str, int] = {}
    gut_check: int | dict[str, int] = 7
    impulse: dict[str, str] = {}
    cards: dict[str, list[str]] = {}
    draws: dict[str, int] = {}
    boons: list[str] = []
    assets: dict[str, dict[str, int]] = {}
    asset_turns: dict[str, dict[str, int]] = {}
    exit: dict[str, str] = {}
    options: Any = {}
    control: Any = {}
    victory: Any = {}
    roll: Any = []
    smoke: dict[str, int] = {}
    wrecks: str | dict[str, int] = ""
    rubble: str = ""
    unit: Any = []
    weapon: Any = []
    work: Any = []
    mines: Any = []
    strike: Any = []
    melee: Any = []


class _Unit(msgspec.Struct, kw_only=True):
    kind: str
    id: str = ""
    side: str = ""
    hex: str = ""
    status: str = ""
    facing: int = 0
    reduced: bool = False
    morale: str = "good order"
    moved: bool = False
    fired: bool | int = 0
    assaulted: bool = False
    intensive: bool = False
    new_hex: bool = False
    main_fires: int = 0
    loaded: bool = False
    attached: str = ""
    aboard: str = ""
    partner: str = ""
    inside: bool = False
    on_road: bool = False
    hidden: bool = False
    clearing: str = ""
    bogged: bool = False
    immobilized: bool = False
    mgs_out: bool = False
    guns_out: list[int] = []
    acquired: str = ""
    manned_by: str = ""
    captured: bool = False
    due: int = 0
    entry: str = ""
    load: list[str] = []
    weapons: list[str] = []


class _Weapon(msgspec.Struct, kw_only=True):
    kind: str
    id: str = ""
    unit: str = ""
    hex: str = ""
    used_by: str = ""


class _Work(msgspec.Struct, kw_only=True):
    kind: str
    hex: str
    side: str = ""
    facing: int = 0
    hidden: bool = False


class _Mines(msgspec.Struct, kw_only=True):
    hex: str
    side: str
    revealed: bool = False


class _Strike(msgspec.Struct, kw_only=True):
    side: str
    kind: str
    hex: str


class _Melee(msgspec.Struct, kw_only=True):
    hex: str
    initiator: str
    turn: int = 0
    fought: bool = False


def load_situation(doc: Document) -> tuple[Scenario, State]:
    """A position set by hand: a scenario and the state in it, or all the file's faults."""
    head = read_record(doc, (), doc.data, _Head, {"map": BLANK})
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    field = read_area(doc, read_map(doc, head.map), head.area)
    assert field.grid is not None
    reader = _Reader(doc, field.grid, head)
    names = reader.names
    numbers = head.gut_check if isinstance(head.gut_check, dict) else {}
    default = head.gut_check if isinstance(head.gut_check, int) else 7
    turns = head.turns or max(head.turn, 1)
    for key in ("points", "casualties", "score", "impulse", "cards", "assets", "asset_turns", "exit", "draws"):
        for side in getattr(head, key):
            read_word(doc, (key, side), "side", side, names)
    control = read_control(doc, field.grid, names, head.control)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        files=doc.files,
        turns=turns,
        side_names=(names[0], names[1]),
        battlefield=field,
        briefing=head.briefing,
        options=read_options(doc, head.options),
        nations={side: (side,) for side in names},
        gut_check={side: numbers.get(side, default) for side in names},
        impulse={side: read_dice(doc, ("impulse", side), head.impulse.get(side, "2d6")) for side in names},
        cards={side: head.draws.get(side, 0) for side in names},
        assets={side: read_assets(doc, ("assets", side), head.assets.get(side, {})) for side in names},
        asset_turns={side: read_assets(doc, ("asset_turns", side), head.asset_turns.get(side, {})) for side in names},
        exits={side: frozenset(read_hexes(doc, ("exit", side), field.grid, head.exit.get(side, ""))) for side in names},
        control=control,
        setup_order=names,
        victory=read_victory(doc, field.grid, names, turns, control, head.victory),
        rolls=read_rolls(doc, names, turns, head.roll),
    )
    state = reader.state(scenario)
    doc.check()
    _check_structure(doc, scenario, state)
    return scenario, state


def _check_structure(doc: Document, scenario: Scenario, state: State) -> None:
    from grognard.games.ost.battle import OstBattle

    for wrong in structure(OstBattle(scenario, state, ScriptedDice())):
        doc.fault((), wrong)
    doc.check()


class _Reader:
    """Turns the tables of a situation into a state."""

    def __init__(self, doc: Document, grid: HexGrid, head: _Head) -> None:
        self.doc, self.grid, self.head = doc, grid, head
        self.units: dict[str, Unit] = {}
        self.places: dict[str, Place] = {}
        self.weapons: dict[str, Weapon] = {}
        self.tables: list[tuple[Place, _Unit]] = []
        for path, item in each_record(doc, ("unit",), head.unit):
            if (table := read_record(doc, path, item, _Unit)) is not None:
                self.tables.append((path, table))
        self.names = self.side_names()

    def side_names(self) -> tuple[str, str]:
        kinds = roster()
        found = dict.fromkeys(self.head.sides)
        if not found:
            for _, table in self.tables:
                side = table.side or (kinds[table.kind].nation if table.kind in kinds else "")
                if side:
                    found[side] = None
            for side in (*self.head.points, "german", "american"):
                if len(found) < 2:
                    found.setdefault(side)
        names = tuple(found)
        if len(names) != 2:
            self.doc.fault("sides", f"{len(names)} sides: {', '.join(names)}", 'sides = ["german", "american"]')
            self.doc.check()
        return names[0], names[1]

    # -- pieces ------------------------------------------------------------------------------------------

    def hex(self, path: Place, label: str) -> bool:
        return read_hex(self.doc, path, self.grid, label)

    def side(self, path: Place, side: str, default: str = "") -> str:
        side = side or default
        if side or not default:
            read_word(self.doc, path, "side", side, self.names)
        return side

    # -- the state ---------------------------------------------------------------------------------------

    def state(self, scenario: Scenario) -> State:
        doc, head, names = self.doc, self.head, self.names
        read_word(doc, ("phase",), "phase", head.phase, PHASES)
        for key in ("active", "initiative"):
            if side := getattr(head, key):
                read_word(doc, (key,), "side", side, names)
        for path, table in self.tables:
            self.read_unit(path, table)
        self.link()
        for path, item in each_record(doc, ("weapon",), head.weapon):
            self.read_weapon(path, item)
        active = head.active or names[0]
        cards = {side: list(head.cards.get(side, [])) for side in names}
        for side, held in cards.items():
            for card in held:
                read_word(doc, ("cards", side), "Luck card", card, luck_cards())
        for label, level in head.smoke.items():
            self.hex(("smoke", label), label)
            if level not in (1, 2):
                doc.fault(("smoke", label), f"Smoke {level}", "1 for Smoke, 2 for Smoke 2")
        state = State(
            units=self.units,
            weapons=self.weapons,
            turn=head.turn,
            phase=head.phase,
            step=head.step,
            active=active,
            initiative=head.initiative or active,
            opening=head.opening,
            extended=head.extended,
            points={side: head.points.get(side, POINTS) for side in names},
            casualties={side: head.casualties.get(side, 0) for side in names},
            victory={side: head.score.get(side, 0) for side in names},
            smoke=dict(head.smoke),
            wrecks=self.read_wrecks(),
            rubble=read_hexes(doc, ("rubble",), self.grid, head.rubble),
            control=dict(scenario.control),
            cards=cards,
            boons=list(head.boons),
            assets={side: dict(scenario.assets[side]) for side in names},
        )
        self.read_markers(state)
        return state

    def read_unit(self, path: Place, table: _Unit) -> None:
        doc = self.doc
        kind = read_kind(doc, (*path, "kind"), table.kind, *UNITS, "aircraft")
        if table.hex:
            self.hex((*path, "hex"), table.hex)
        entry = read_hexes(doc, (*path, "entry"), self.grid, table.entry)
        read_word(doc, (*path, "morale"), "morale", table.morale, (*MORALE, "good"))
        if table.status:
            read_word(doc, (*path, "status"), "status", table.status, STATUSES)
        if table.facing and table.facing not in FACINGS:
            doc.fault((*path, "facing"), f"a facing of {table.facing}", "1 (north) to 6 (north-west), clockwise")
        if not 0 <= int(table.fired) <= 2:
            doc.fault((*path, "fired"), f"fired {table.fired} times", "0, 1 or 2")
        if kind is None:
            return
        side = self.side((*path, "side"), table.side, kind.nation)
        if table.reduced and kind.reduced is None:
            doc.fault((*path, "reduced"), f'"{kind.id}" has no reduced side')
        if table.manned_by:
            read_kind(doc, (*path, "manned_by"), table.manned_by, "squad")
        id = table.id or self.next_id(side)
        if not NAME.fullmatch(id):
            doc.fault((*path, "id"), f'"{id}" is no id', "small letters, digits and _, such as g3")
        if id in self.units:
            doc.fault((*path, "id"), f'the id "{id}" twice', "an id of its own")
        faces = kind.vehicle or kind.covered_arc or kind.kind == "aircraft"
        self.places[id] = path
        self.units[id] = Unit(
            id=id,
            n=len(self.units) + 1,
            kind=kind.id,
            side=side,
            status=table.status or (PLANE if kind.kind == "aircraft" else OFF_MAP if table.due or entry else ON_MAP),
            hex=table.hex,
            facing=table.facing or (1 if faces else 0),
            reduced=table.reduced,
            morale=MORALE.index(table.morale) if table.morale in MORALE else 0,
            moved=table.moved,
            fired=int(table.fired),
            assaulted=table.assaulted,
            intensive=table.intensive,
            new_hex=table.new_hex,
            main_fires=table.main_fires,
            loaded=table.loaded,
            attached=table.attached,
            aboard=table.aboard,
            partner=table.partner,
            inside=table.inside,
            on_road=table.on_road,
            hidden=table.hidden,
            clearing=table.clearing,
            bogged=table.bogged,
            immobilized=table.immobilized,
            mgs_out=table.mgs_out,
            guns_out=table.guns_out,
            acquired=table.acquired,
            manned_by=table.manned_by,
            captured=table.captured,
            due=table.due,
            entry=table.load or entry,
        )
        for weapon in table.weapons:
            if read_kind(doc, (*path, "weapons"), weapon, "support") is not None:
                name = f"w{len(self.weapons) + 1}"
                self.weapons[name] = Weapon(name, weapon, id)

    def next_id(self, side: str) -> str:
        letter = letters_of(self.names).get(side, side[:1])
        given = {table.id for _, table in self.tables}
        number = 1
        while f"{letter}{number}" in self.units or f"{letter}{number}" in given:
            number += 1
        return f"{letter}{number}"

    def link(self) -> None:
        """Units that follow others stand where those do; everyone on the map stands somewhere."""
        kinds, doc = roster(), self.doc
        for unit in self.units.values():
            path = self.places[unit.id]
            for key in ("attached", "aboard", "partner", "acquired"):
                for name in getattr(unit, key).split():  # only of acquired targets there may be several
                    if name not in self.units:
                        doc.fault((*path, key), f'no unit "{name}"', f"one of {', '.join(self.units)}")
            leads, rides = self.units.get(unit.attached), self.units.get(unit.aboard)
            if leads is not None and (why := why_not_attach(kinds[unit.kind], kinds[leads.kind])):
                doc.fault((*path, "attached"), why, "see rules 15.2, 15.14 and 16.6")
            if rides is not None and (why := why_not_aboard(kinds[unit.kind], kinds[rides.kind])):
                doc.fault((*path, "aboard"), why, "see rules 79.1 and 79.3")
        for _ in range(2):
            for unit in self.units.values():
                lead = self.units.get(unit.attached or unit.aboard)
                if lead is not None:
                    unit.hex, unit.status = unit.hex or lead.hex, lead.status
                    unit.aboard = unit.aboard or lead.aboard
                    unit.hidden = unit.hidden or lead.hidden
                    unit.inside, unit.on_road = unit.inside or lead.inside, unit.on_road or lead.on_road
                    if unit.due == 0:
                        unit.due, unit.entry = lead.due, list(lead.entry)
        for plane in self.units.values():
            if kinds[plane.kind].kind == "aircraft":
                for name in plane.entry:
                    if name not in self.units:
                        doc.fault((*self.places[plane.id], "load"), f'no unit "{name}"')
                    else:
                        load = self.units[name]
                        load.aboard, load.status, load.hex = plane.id, PLANE, ""
                        for leader in self.units.values():
                            if leader.attached == name:
                                leader.aboard, leader.status, leader.hex = plane.id, PLANE, ""
        for unit in self.units.values():
            if unit.status in (ON_MAP, UNMANNED) and not unit.hex:
                doc.fault(self.places[unit.id], f"{unit.id} stands nowhere", 'hex = "D4"')

    def read_weapon(self, path: Place, item: Any) -> None:
        doc = self.doc
        table = read_record(doc, path, item, _Weapon)
        if table is None:
            return
        kind = read_kind(doc, (*path, "kind"), table.kind, "support")
        name = table.id or f"w{len(self.weapons) + 1}"
        if name in self.weapons or name in self.units:
            doc.fault((*path, "id"), f'the id "{name}" twice', "an id of its own")
        if bool(table.unit) == bool(table.hex):
            doc.fault(path, "a weapon is with a unit or lies in a hex", 'unit = "g1", or hex = "D4"')
        if table.unit and table.unit not in self.units:
            doc.fault((*path, "unit"), f'no unit "{table.unit}"', f"one of {', '.join(self.units)}")
        if table.hex:
            self.hex((*path, "hex"), table.hex)
        if kind is not None:
            self.weapons[name] = Weapon(name, kind.id, table.unit, table.hex, table.used_by)

    def read_wrecks(self) -> dict[str, int]:
        given = self.head.wrecks
        if isinstance(given, str):
            return dict.fromkeys(read_hexes(self.doc, ("wrecks",), self.grid, given), 1)
        for label in given:
            self.hex(("wrecks", label), label)
        return dict(given)

    def read_markers(self, state: State) -> None:
        doc, head = self.doc, self.head
        for path, item in each_record(doc, ("work",), head.work):
            work = read_record(doc, path, item, _Work)
            if work is not None and self.hex((*path, "hex"), work.hex):
                read_word(doc, (*path, "kind"), "work", work.kind, WORKS)
                if work.hex in state.works:
                    doc.fault((*path, "hex"), f"two works in {work.hex}", "one a hex (24)")
                side = self.side((*path, "side"), work.side) if work.side else ""
                state.works[work.hex] = Work(work.kind, side, work.facing, work.hidden)
        for path, item in each_record(doc, ("mines",), head.mines):
            mined = read_record(doc, path, item, _Mines)
            if mined is not None and self.hex((*path, "hex"), mined.hex):
                state.mines[mined.hex] = Mines(self.side((*path, "side"), mined.side), mined.revealed)
        for path, item in each_record(doc, ("strike",), head.strike):
            strike = read_record(doc, path, item, _Strike)
            if strike is not None and self.hex((*path, "hex"), strike.hex):
                read_word(doc, (*path, "kind"), "strike", strike.kind, ("mortars", "artillery", "rockets"))
                state.strikes.append(Strike(self.side((*path, "side"), strike.side), strike.kind, strike.hex))
        for path, item in each_record(doc, ("melee",), head.melee):
            melee = read_record(doc, path, item, _Melee)
            if melee is not None and self.hex((*path, "hex"), melee.hex):
                side = self.side((*path, "initiator"), melee.initiator)
                state.melees[melee.hex] = Melee(side, melee.turn or head.turn, melee.fought)
