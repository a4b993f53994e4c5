"""Situations: positions set by hand, for tests, puzzles and the referee at a real table.

A situation uses the words of a scenario, but everything in it is placed. See docs/situations.md.
"""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.board.hex.grid import HexGrid
from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, Score, each_record, read_record, read_whole, read_word
from grognard.core.situations import filled, table_of
from grognard.games.ost import legality
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.objectives import read_control, read_rolls, read_victory
from grognard.games.ost.order_of_battle import why_not_aboard, why_not_attach
from grognard.games.ost.reading import read_assets, read_dice, read_figures, read_kind, read_map, read_options
from grognard.games.ost.roster import UnitType, luck_cards, roster
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
from grognard.kits.hex.reading import BLANK, FACINGS, read_hexes
from grognard.kits.hex.scenario_file import letters_of
from grognard.kits.hex.situation import HexSituation

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
    turn: Count = 5
    turns: Count = 0
    phase: str = "play"
    step: str = ""
    active: str = ""
    initiative: str = ""
    opening: bool = False
    extended: bool = False
    points: dict[str, Count] = {}
    casualties: dict[str, Count] = {}
    score: dict[str, Score] = {}
    gut_check: Count | dict[str, Count] = 7
    impulse: dict[str, str] = {}
    cards: dict[str, list[str]] = {}
    draws: dict[str, Count] = {}
    boons: list[str] = []
    assets: dict[str, dict[str, int]] = {}
    asset_turns: dict[str, dict[str, int]] = {}
    exit: dict[str, str] = {}
    options: Any = {}
    control: Any = {}
    victory: Any = {}
    roll: Any = []
    smoke: dict[str, int] = {}
    wrecks: str | dict[str, Count] = ""
    rubble: str = ""
    unit: Any = []
    weapon: Any = []
    work: Any = []
    mines: Any = []
    strike: Any = []
    melee: Any = []


_Unit = table_of(
    Unit,
    without=("n",),
    id=(str, ""),
    side=(str, ""),
    status=(str, ""),
    facing=(int, 0),
    morale=(str, "good order"),
    fired=(bool | int, 0),
    guns_out=(tuple[Count, ...], ()),
    entry=(str, ""),
    load=(list[str], []),
    weapons=(list[str], []),
    figures=(dict[str, Any], {}),
)


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
    turn: Count = 0
    fought: bool = False


def load_situation(doc: Document) -> tuple[Scenario, State]:
    """A position set by hand: a scenario and the state in it, or all the file's faults."""
    head = read_whole(doc, _Head, {"map": BLANK})
    field = read_map(doc, head.map, head.area)
    assert field.grid is not None
    reader = _Reader(doc, field.grid, head)
    names = reader.names
    numbers = head.gut_check if isinstance(head.gut_check, dict) else {}
    default = head.gut_check if isinstance(head.gut_check, int) else 7
    turns = head.turns or max(head.turn, 1)
    by_side = ("points", "casualties", "score", "impulse", "cards", "assets", "asset_turns", "exit", "draws")
    reader.check_sides(head, by_side)
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
        types=reader.types,
    )
    state = reader.state(scenario)
    doc.check()
    battle = OstBattle(scenario, state, ScriptedDice())
    legality.keep_to_roads(battle)
    for wrong in legality.wrongs(battle):
        doc.fault(reader.place_of(wrong), wrong.what, wrong.right)
    reader.check_facings()
    doc.check()
    return scenario, state


class _Reader(HexSituation):
    """Turns the tables of a situation into a state."""

    def __init__(self, doc: Document, grid: HexGrid, head: _Head) -> None:
        nations = {id: kind.nation for id, kind in roster().items()}
        usual = (*head.points, "german", "american")
        super().__init__(doc, grid, head.unit, _Unit, head.sides, lambda kind: nations.get(kind, ""), usual)
        self.head = head
        self.units: dict[str, Unit] = {}
        self.unfaced: list[str] = []  # units that have a facing, and were given none
        self.weapons: dict[str, Weapon] = {}
        self.types: dict[str, UnitType] = {}

    # -- the state ---------------------------------------------------------------------------------------

    def state(self, scenario: Scenario) -> State:
        doc, head, names = self.doc, self.head, self.names
        read_word(doc, ("phase",), "phase", head.phase, PHASES)
        for key in ("active", "initiative"):
            if side := getattr(head, key):
                self.side((key,), side)
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
            rubble=self.hexes(("rubble",), head.rubble),
            control=dict(scenario.control),
            cards=cards,
            boons=list(head.boons),
            assets={side: dict(scenario.assets[side]) for side in names},
        )
        self.read_markers(state)
        return state

    def read_unit(self, path: FilePath, table: Any) -> None:
        doc = self.doc
        kind = read_kind(doc, (*path, "kind"), table.kind, *UNITS, "aircraft")
        kind = read_figures(doc, (*path, "figures"), kind, table.figures, self.types)
        if table.hex:
            self.hex((*path, "hex"), table.hex)
        entry = self.hexes((*path, "entry"), table.entry)
        read_word(doc, (*path, "morale"), "morale", table.morale, (*MORALE, "good"))
        if table.status:
            read_word(doc, (*path, "status"), "status", table.status, STATUSES)
        if table.facing and table.facing not in FACINGS:
            doc.fault((*path, "facing"), f"a facing of {table.facing}", legality.FACING)
        if not 0 <= int(table.fired) <= 2:
            doc.fault((*path, "fired"), f"fired {table.fired} times", "0, 1 or 2")
        if kind is None:
            return
        side = self.side((*path, "side"), table.side or kind.nation)
        if table.reduced and kind.reduced is None:
            doc.fault((*path, "reduced"), f'"{kind.id}" doesn\'t have a reduced side')
        if table.manned_by:
            read_kind(doc, (*path, "manned_by"), table.manned_by, "squad")
        id = self.id_of(path, table, letters_of(self.names).get(side, side[:1]))
        faces = kind.vehicle or kind.covered_arc or kind.kind == "aircraft"
        if faces and not table.facing:
            self.unfaced.append(id)
        if table.load and kind.kind != "aircraft":
            doc.fault((*path, "load"), f'"{kind.id}" is not an aircraft', 'units on a vehicle have aboard = "..."')
        self.units[id] = filled(
            Unit,
            table,
            id=id,
            n=len(self.units) + 1,
            kind=kind.id,
            side=side,
            status=table.status or (PLANE if kind.kind == "aircraft" else OFF_MAP if table.due or entry else ON_MAP),
            facing=table.facing or (1 if faces else 0),
            morale=MORALE.index(table.morale) if table.morale in MORALE else 0,
            fired=int(table.fired),
            entry=tuple(table.load or entry),
        )
        for weapon in table.weapons:
            if read_kind(doc, (*path, "weapons"), weapon, "support") is not None:
                name = f"w{len(self.weapons) + 1}"
                self.weapons[name] = Weapon(name, weapon, id)

    def link(self) -> None:
        """Units that follow others stand where those do; everyone on the map stands somewhere."""
        kinds, doc = {**roster(), **self.types}, self.doc
        self.check_units(self.units, ("attached", "aboard", "partner", "acquired"))
        for unit in self.units.values():
            path = self.places[unit.id]
            leads, rides = self.units.get(unit.attached), self.units.get(unit.aboard)
            if leads is not None and (why := why_not_attach(kinds[unit.kind], kinds[leads.kind])):
                doc.fault((*path, "attached"), why, "see rules 15.2, 15.14 and 16.6")
            if rides is not None and (why := why_not_aboard(kinds[unit.kind], kinds[rides.kind])):
                doc.fault((*path, "aboard"), why, "see rules 79.1 and 79.3")
        self.follow(self.units, lambda unit: unit.attached or unit.aboard, _along)
        for plane in self.units.values():
            if kinds[plane.kind].kind == "aircraft":
                for name in plane.entry:
                    if name not in self.units or self.units[name].side != plane.side:
                        own = [unit.id for unit in self.units.values() if unit.side == plane.side]
                        right = f"some of {', '.join(own)}"
                        doc.fault((*self.places[plane.id], "load"), f'no unit "{name}" of {plane.side}', right)
                    elif (load := self.units[name]).status == PLANE:
                        doc.fault((*self.places[plane.id], "load"), f"{name} is already in an aircraft", "once only")
                    else:
                        if load.hex:
                            wrong = f"{name} is in the aircraft {plane.id}, and in {load.hex}"
                            doc.fault((*self.places[name], "hex"), wrong, "leave out hex, or take it out of the load")
                        load.aboard, load.status, load.hex = plane.id, PLANE, ""
                        for leader in self.units.values():
                            if leader.attached == name:
                                leader.aboard, leader.status, leader.hex = plane.id, PLANE, ""
        self.check_standing(self.units.values(), (ON_MAP, UNMANNED))

    def check_facings(self) -> None:
        """What has a front needs a facing, unless it is carried or off the map (17.13, 21.3, 84.4)."""
        for id in self.unfaced:
            unit = self.units[id]
            if unit.hex and not unit.aboard and unit.status in (ON_MAP, UNMANNED, PLANE):
                self.doc.fault((*self.places[id], "facing"), f"{id} needs a facing", legality.FACING)

    def read_weapon(self, path: FilePath, item: Any) -> None:
        doc = self.doc
        table = read_record(doc, path, item, _Weapon)
        if table is None:
            return
        kind = read_kind(doc, (*path, "kind"), table.kind, "support")
        name = table.id or f"w{len(self.weapons) + 1}"
        if name in self.weapons or name in self.units:
            doc.fault((*path, "id"), f'the id "{name}" twice', "a different id")
        if bool(table.unit) == bool(table.hex):
            doc.fault(path, "a weapon must be with a unit or lie in a hex, not both", 'unit = "g1", or hex = "D4"')
        if table.unit and table.unit not in self.units:
            doc.fault((*path, "unit"), f'no unit "{table.unit}"', f"one of {', '.join(self.units)}")
        if table.hex:
            self.hex((*path, "hex"), table.hex)
        if kind is not None:
            self.weapons[name] = Weapon(name, kind.id, table.unit, table.hex, table.used_by)

    def read_wrecks(self) -> dict[str, int]:
        given = self.head.wrecks
        if isinstance(given, str):
            return dict.fromkeys(self.hexes(("wrecks",), given), 1)
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
                    doc.fault((*path, "hex"), f"two works in {work.hex}", "one per hex (24)")
                side = self.side((*path, "side"), work.side) if work.side else ""
                state.works[work.hex] = Work(work.kind, side, work.facing, work.hidden)
                self.places[f"work {work.hex}"] = path
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
                self.places[f"melee {melee.hex}"] = path


def _along(unit: Unit, lead: Unit) -> None:
    """Whoever leads or rides is aboard, hidden, in the work or on the road as the other is, and comes when it does."""
    unit.aboard = unit.aboard or lead.aboard
    unit.hidden = unit.hidden or lead.hidden
    unit.inside, unit.on_road = unit.inside or lead.inside, unit.on_road or lead.on_road
    if unit.due == 0:
        unit.due, unit.entry = lead.due, lead.entry
