"""Situations: positions set by hand, for tests, puzzles and the referee at a real table.

A situation uses the words of a scenario, but everything in it is placed. See docs/scenarios.md.
"""

from __future__ import annotations

from typing import Any

import msgspec
from shapely import contains_xy

from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.records import Place, each_record, read_record, read_word
from grognard.games.bolt_action.figures import figures, inches
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
from grognard.games.bolt_action.roster import UnitType, line_up, muster, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import (
    ABOARD,
    DEPLOY,
    EXITED,
    LOST,
    ON_TABLE,
    ORDERS,
    ORDERS_PHASE,
    OVER,
    RESERVE,
    START,
    TURN_END,
    UNPLACED,
    Model,
    State,
    Strike,
    Unit,
    Wreck,
)

PHASES = (DEPLOY, START, ORDERS_PHASE, TURN_END, OVER)
STATUSES = (ON_TABLE, ABOARD, RESERVE, UNPLACED, LOST, EXITED)


class _Head(msgspec.Struct, kw_only=True):
    table: Any = None
    terrain: Any = []
    game: str = "bolt_action"
    name: str = "situation"
    title: str = "A situation"
    briefing: str = ""
    sides: list[str] = []
    nations: dict[str, str] = {}
    turn: int = 1
    turns: int = 0
    further_turn: bool = True
    phase: str = ORDERS_PHASE
    drawn: str = ""
    side: str = ""
    cup: dict[str, int] = {}
    aside: dict[str, int] = {}
    lost: dict[str, list[str]] = {}
    changed: dict[str, str] = {}
    smoke: list[tuple[Number, Number, Number]] = []
    german_machine_guns: bool = False
    hidden_reserves: bool = False
    objective: Any = []
    victory: Any = {}
    unit: Any = []
    wreck: Any = []
    strike: Any = []


class _Model(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    id: str = ""
    at: tuple[Number, Number]
    heading: int = -1
    role: str = ""
    arms: list[int] | None = None


class _Unit(msgspec.Struct, kw_only=True):
    kind: str
    id: str = ""
    side: str = ""
    quality: str = ""
    at: tuple[Number, Number] | None = None
    heading: int = 0
    ranks: int = 1
    men: int = 0
    models: list[Any] = []
    status: str = ""
    die: str = ""
    pins: int = 0
    aboard: str = ""
    building: str = ""
    dug_in: bool = False
    immobilised: bool = False
    moved: int = 0
    moving: bool = False
    ammunition: str = ""
    ranged: str = ""
    shots: int = 0
    on_target: bool = False
    ranged_turn: int = 0
    empty: list[int] = []
    green: bool | None = None
    called: bool = False
    scores: bool = True
    size: int = 0


class _Wreck(msgspec.Struct, kw_only=True):
    kind: str
    at: tuple[Number, Number]
    heading: int = 0
    id: str = ""


class _Strike(msgspec.Struct, kw_only=True):
    kind: str
    side: str
    unit: str
    turn: int = 0
    at: tuple[Number, Number] = (0, 0)
    target: str = ""


def load_situation(doc: Document) -> tuple[Scenario, State]:
    """A position set by hand: a scenario and the state in it, or all the file's faults."""
    head = read_record(doc, (), doc.data, _Head, {})
    if head is None:
        doc.check()
        raise AssertionError("a faulty head has faults")
    table = read_ground(doc, BLANK if head.table is None else head.table, head.terrain)
    reader = _Reader(doc, table, head)
    names = reader.names
    turns = head.turns or figures().number("length", "turns")
    for key in ("cup", "aside", "lost", "nations"):
        for side in getattr(head, key):
            read_word(doc, (key, side), "side", side, names)
    scenario = Scenario(
        name=head.name,
        title=head.title,
        source=doc.text,
        files=doc.files,
        table=table,
        side_names=names,
        briefing=head.briefing,
        turns=turns,
        further_turn=head.further_turn,
        titles={side: side.capitalize() for side in names},
        nations={side: head.nations.get(side, reader.nations.get(side, side)) for side in names},
        objectives=read_objectives(doc, ("objective",), head.objective, table, names),
        victory=read_victory(doc, ("victory",), head.victory, names),
        german_machine_guns=head.german_machine_guns,
        hidden_reserves=head.hidden_reserves,
    )
    state = reader.state(turns)
    doc.check()
    _check_invariants(doc, scenario, state)
    return scenario, state


def _check_invariants(doc: Document, scenario: Scenario, state: State) -> None:
    from grognard.core.dice import ScriptedDice
    from grognard.games.bolt_action.battle import BoltBattle
    from grognard.games.bolt_action.invariants import structure

    for wrong in structure(BoltBattle(scenario, state, ScriptedDice())):
        doc.fault((), wrong)
    doc.check()


class _Reader:
    """Turns the tables of a situation into a state."""

    def __init__(self, doc: Document, table: Table, head: _Head) -> None:
        self.doc, self.table, self.head = doc, table, head
        self.units: dict[str, Unit] = {}
        self.places: dict[str, Place] = {}
        self.tables: list[tuple[Place, _Unit]] = []
        for path, item in each_record(doc, ("unit",), head.unit):
            if (record := read_record(doc, path, item, _Unit)) is not None:
                self.tables.append((path, record))
        self.nations: dict[str, str] = {}
        self.names = self.side_names()

    def side_names(self) -> tuple[str, str]:
        kinds = roster()
        found = dict.fromkeys(self.head.sides)
        for _, record in self.tables:
            nation = kinds[record.kind].nation if record.kind in kinds else ""
            if side := record.side or nation:
                self.nations.setdefault(side, nation)
                if not self.head.sides:
                    found[side] = None
        for side in ("american", "german"):
            if len(found) < 2:
                found.setdefault(side)
        names = tuple(found)
        if len(names) != 2:
            self.doc.fault("sides", f"{len(names)} sides: {', '.join(names)}", 'sides = ["american", "german"]')
            self.doc.check()
        return names[0], names[1]

    def state(self, turns: int) -> State:
        """The state, with a die in the cup for every unit without one (1.9)."""
        doc, head, names = self.doc, self.head, self.names
        read_word(doc, ("phase",), "phase", head.phase, PHASES)
        for key in ("drawn", "side"):
            if side := getattr(head, key):
                read_word(doc, (key,), "side", side, names)
        for path, record in self.tables:
            self.read_unit(path, record)
        self.link()
        cup = {side: head.cup[side] if side in head.cup else self.undrawn(side) for side in names}
        return State(
            units=self.units,
            phase=head.phase,
            turn=head.turn,
            side=head.drawn or head.side,
            drawn=bool(head.drawn),
            cup=cup,
            aside={side: head.aside.get(side, 0) for side in names},
            wrecks=self.read_wrecks(),
            changed=dict(head.changed),
            smoke=[(inches(x), inches(y), inches(radius)) for x, y, radius in head.smoke],
            strikes=self.read_strikes(),
            last_turn=max(turns, head.turn),
            lost={side: list(head.lost.get(side, [])) for side in names},
        )

    def undrawn(self, side: str) -> int:
        living = [u for u in self.units.values() if u.side == side and u.status not in (LOST, EXITED) and not u.die]
        return max(0, len(living) - (self.head.drawn == side))

    # -- units -------------------------------------------------------------------------------------------

    def read_unit(self, path: Place, record: _Unit) -> None:
        doc = self.doc
        kind = read_kind(doc, (*path, "kind"), record.kind)
        if record.status:
            read_word(doc, (*path, "status"), "status", record.status, STATUSES)
        if record.die:
            read_word(doc, (*path, "die"), "order", record.die, ORDERS)
        if record.ammunition:
            read_word(doc, (*path, "ammunition"), "ammunition", record.ammunition, ("he", "ap"))
        if record.quality:
            read_word(doc, (*path, "quality"), "quality", record.quality, figures().quality)
        heading = read_heading(doc, (*path, "heading"), record.heading)
        if kind is None:
            return
        side = record.side or kind.nation
        read_word(doc, (*path, "side"), "side", side, self.names)
        id = record.id or self.next_id(side)
        read_name(doc, (*path, "id"), id, "g3")
        if id in self.units:
            doc.fault((*path, "id"), f'the id "{id}" twice', "an id of its own")
        status = record.status or (ABOARD if record.aboard else ON_TABLE)
        models = self.read_models(path, record, kind, heading, status)
        self.places[id] = path
        self.units[id] = Unit(
            id=id,
            n=len(self.units) + 1,
            kind=kind.id,
            side=side,
            quality=record.quality or kind.quality,
            models=models,
            size=record.size or kind.models,
            status=status,
            die=record.die,
            pins=record.pins,
            aboard=record.aboard,
            building=record.building,
            dug_in=record.dug_in,
            immobilised=record.immobilised,
            moved=record.moved,
            moving=record.moving,
            ammunition=record.ammunition,
            ranged=record.ranged,
            shots=record.shots,
            on_target=record.on_target,
            ranged_turn=record.ranged_turn,
            empty=list(record.empty),
            green="green" in kind.special if record.green is None else record.green,
            called=record.called,
            scores=record.scores,
        )

    def read_models(self, path: Place, record: _Unit, kind: UnitType, heading: int, status: str) -> list[Model]:
        """The models: all of the unit, or the first ``men`` of them, in a line at a place or each where it is told.

        A gun or vehicle comes first; a place given for fewer models than there are leaves the others out.
        """
        doc, models = self.doc, muster(kind)
        if record.men:
            big = [model for model in models if model.id in ("gun", "hull")]
            models = big + [model for model in models if model not in big][: record.men]
        if record.models:
            return self.place_models(path, record, models, heading)
        if status == LOST:
            return []
        if record.at is not None:
            x, y = on_table(doc, (*path, "at"), self.table, *record.at)
            line_up(kind, models, x, y, heading, max(record.ranks, 1))
        elif status == ON_TABLE and not record.building:
            doc.fault(path, "a unit on the table without a place", "at = [12, 30], or models = [[12, 30], ...]")
        return models

    def place_models(self, path: Place, record: _Unit, models: list[Model], heading: int) -> list[Model]:
        by_id = {model.id: model for model in models}
        placed: list[Model] = []
        for number, entry in enumerate(record.models):
            where = (*path, "models", number)
            item = entry if isinstance(entry, dict) else {"at": entry}
            given = self.doc.convert(item, _Model, *where)
            if given is None:
                continue
            if given.id and given.id not in by_id:
                self.doc.fault(where, f'no model "{given.id}"', f"one of {', '.join(by_id)}")
                continue
            if not given.id and number >= len(models):
                self.doc.fault(where, f"more places than the {len(models)} models of the unit")
                continue
            model = by_id[given.id] if given.id else models[number]
            model.x, model.y = on_table(self.doc, where, self.table, *given.at)
            model.heading = heading if given.heading < 0 else read_heading(self.doc, where, given.heading)
            model.role = given.role or model.role
            model.arms = model.arms if given.arms is None else list(given.arms)
            placed.append(model)
        return placed

    def next_id(self, side: str) -> str:
        letter = letters(self.names, self.nations)[side] if side in self.names else side[:1]
        given = {record.id for _, record in self.tables}
        number = 1
        while f"{letter}{number}" in self.units or f"{letter}{number}" in given:
            number += 1
        return f"{letter}{number}"

    def link(self) -> None:
        """Whoever rides is where the vehicle is; names of others must be those of units."""
        pieces = {piece.id for piece in self.table.pieces}
        for unit in self.units.values():
            path = self.places[unit.id]
            for key in ("aboard", "ranged"):
                name = getattr(unit, key)
                if name and name not in self.units:
                    self.doc.fault((*path, key), f'no unit "{name}"', f"one of {', '.join(self.units)}")
            if unit.building and unit.building not in pieces:
                known = ", ".join(sorted(pieces)) or "no piece has an id"
                self.doc.fault((*path, "building"), f'no piece of terrain "{unit.building}"', known)
            elif unit.building:
                self.go_in(unit)
            carrier = self.units.get(unit.aboard)
            if carrier is not None and carrier.models:
                for model in unit.models:
                    model.x, model.y = carrier.models[0].x, carrier.models[0].y

    def go_in(self, unit: Unit) -> None:
        """Whoever is in a building has no exact place in it: its models are kept inside (25.1)."""
        from grognard.games.bolt_action.buildings import spots

        area = self.table.area(self.table.by_id[unit.building])
        if all(contains_xy(area, model.x, model.y) for model in unit.models):
            return
        others = [other for other in self.units.values() if other.building == unit.building and other is not unit]
        taken = [(model.x, model.y) for other in others for model in other.models]
        for model, (x, y) in zip(unit.models, spots(area, taken, len(unit.models))):
            model.x, model.y = x, y

    # -- what else lies about ------------------------------------------------------------------------------

    def read_wrecks(self) -> list[Wreck]:
        found: list[Wreck] = []
        for path, item in each_record(self.doc, ("wreck",), self.head.wreck):
            record = read_record(self.doc, path, item, _Wreck)
            if record is None or read_kind(self.doc, (*path, "kind"), record.kind) is None:
                continue
            x, y = on_table(self.doc, (*path, "at"), self.table, *record.at)
            heading = read_heading(self.doc, (*path, "heading"), record.heading)
            found.append(Wreck(record.id or f"wreck{len(found) + 1}", record.kind, x, y, heading))
        return found

    def read_strikes(self) -> list[Strike]:
        found: list[Strike] = []
        for path, item in each_record(self.doc, ("strike",), self.head.strike):
            record = read_record(self.doc, path, item, _Strike)
            if record is None:
                continue
            read_word(self.doc, (*path, "kind"), "strike", record.kind, ("barrage", "air"))
            read_word(self.doc, (*path, "side"), "side", record.side, self.names)
            read_word(self.doc, (*path, "unit"), "unit", record.unit, self.units)
            x, y = on_table(self.doc, (*path, "at"), self.table, *record.at)
            found.append(Strike(record.kind, record.side, record.unit, record.turn, x, y, record.target))
        return found
