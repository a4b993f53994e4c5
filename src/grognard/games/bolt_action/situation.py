"""Situations: positions set by hand, for tests, puzzles and the referee at a real table.

A situation uses the words of a scenario, but everything in it is placed. See docs/bolt-action-files.md.
"""

from __future__ import annotations

from typing import Any

import msgspec
from shapely import contains_xy

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, each_record, read_record, read_whole, read_word
from grognard.core.situations import filled, table_of
from grognard.core.unit_files import with_figures
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.buildings import spots
from grognard.games.bolt_action.charts import FOLDER, MEASURE, charts
from grognard.games.bolt_action.invariants import barred, impossible
from grognard.games.bolt_action.objectives import read_victory
from grognard.games.bolt_action.reading import BLANK, check_buildings, read_kind
from grognard.games.bolt_action.roster import LETTERS, NATIONS, UnitType, faults, line_up, muster, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import (
    DEPLOY,
    ORDERS,
    ORDERS_PHASE,
    OVER,
    START,
    TURN_END,
    Model,
    State,
    Strike,
    Unit,
)
from grognard.kits.table.charts import hundredths
from grognard.kits.table.invariants import Wrong
from grognard.kits.table.reading import Number, on_table, read_heading
from grognard.kits.table.situation import SituationHead, TableSituation
from grognard.kits.table.state import ABOARD, EXITED, LOST, ON_TABLE, STATUSES, Wreck

PHASES = (DEPLOY, START, ORDERS_PHASE, TURN_END, OVER)


class _Head(SituationHead, kw_only=True):
    further_turn: bool = True
    phase: str = ORDERS_PHASE
    drawn: str = ""
    cup: dict[str, Count] = {}
    aside: dict[str, Count] = {}
    changed: dict[str, str] = {}
    smoke: list[tuple[Number, Number, Number]] = []
    german_machine_guns: bool = False
    hidden_reserves: bool = False
    wreck: Any = []
    strike: Any = []


class _Model(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    id: str = ""
    at: tuple[Number, Number]
    heading: int = -1
    role: str = ""
    arms: list[Count] | None = None


_Unit = table_of(
    Unit,
    without=("n",),
    side=(str, ""),
    quality=(str, ""),
    status=(str, ""),
    green=(bool | None, None),
    models=(list[Any], []),
    id=(str, ""),
    at=(tuple[Number, Number] | None, None),
    heading=(int, 0),
    ranks=(Count, 1),
    men=(Count, 0),
    empty=(tuple[Count, ...], ()),
    figures=(dict[str, Any], {}),
)


class _Wreck(msgspec.Struct, kw_only=True):
    kind: str
    at: tuple[Number, Number]
    heading: int = 0
    id: str = ""


class _Strike(msgspec.Struct, kw_only=True):
    kind: str
    side: str
    unit: str
    turn: Count = 0
    at: tuple[Number, Number] = (0, 0)
    target: str = ""


def load_situation(doc: Document) -> tuple[Scenario, State]:
    """A position set by hand: a scenario and the state in it, or all the file's faults."""
    head = read_whole(doc, _Head)
    reader = _Reader(doc, head, _Unit, roster(), NATIONS, LETTERS, charts().kinds, MEASURE, BLANK)
    turns = head.turns or charts().number("length", "turns")
    reader.check_sides(head, ("cup", "aside", "lost", "nations"))
    scenario = Scenario(
        turns=turns,
        further_turn=head.further_turn,
        victory=read_victory(doc, ("victory",), head.victory, reader.names),
        german_machine_guns=head.german_machine_guns,
        hidden_reserves=head.hidden_reserves,
        types=reader.types,
        **reader.scenario_fields(),
    )
    state = reader.state(turns)
    doc.check()
    check_buildings(doc, reader.table)
    battle = BoltBattle(scenario, state, ScriptedDice())
    for wrong in (*impossible(battle), *barred(battle)):
        right = f"{wrong.right}, or {wrong.instead}" if wrong.instead else wrong.right
        doc.fault(reader.place_of(wrong), wrong.says, right)
    doc.check()
    return scenario, state


class _Reader(TableSituation[_Head]):
    """Turns the tables of a situation into a state."""

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.units: dict[str, Unit] = {}
        self.types: dict[str, UnitType] = {}
        self.wrecks: dict[str, FilePath] = {}

    def state(self, turns: int) -> State:
        """The state, with a die in the cup for every unit without one (1.9)."""
        doc, head, names = self.doc, self.head, self.names
        read_word(doc, ("phase",), "phase", head.phase, PHASES)
        for key in ("drawn", "side"):
            if side := getattr(head, key):
                self.side((key,), side)
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
            smoke=[(hundredths(x), hundredths(y), hundredths(radius)) for x, y, radius in head.smoke],
            strikes=self.read_strikes(),
            last_turn=max(turns, head.turn),
            lost={side: list(head.lost.get(side, [])) for side in names},
        )

    def undrawn(self, side: str) -> int:
        living = [u for u in self.units.values() if u.side == side and u.status not in (LOST, EXITED) and not u.die]
        return max(0, len(living) - (self.head.drawn == side))

    # -- units -------------------------------------------------------------------------------------------

    def read_unit(self, path: FilePath, record: Any) -> None:
        doc = self.doc
        kind = read_kind(doc, (*path, "kind"), record.kind)
        if kind is not None and record.figures:
            kind = with_figures(doc, (*path, "figures"), FOLDER, kind, record.figures, faults)
            self.types |= {kind.id: kind} if kind is not None else {}
        if record.status:
            read_word(doc, (*path, "status"), "status", record.status, STATUSES)
        if record.die:
            read_word(doc, (*path, "die"), "order", record.die, ORDERS)
        if record.ammunition:
            read_word(doc, (*path, "ammunition"), "ammunition", record.ammunition, ("he", "ap"))
        if record.quality:
            read_word(doc, (*path, "quality"), "quality", record.quality, charts().quality)
        heading = read_heading(doc, (*path, "heading"), record.heading)
        if kind is None:
            return
        side = self.side((*path, "side"), record.side or kind.nation)
        id = self.next_id(path, record, side)
        status = record.status or (ABOARD if record.aboard else ON_TABLE)
        self.units[id] = filled(
            Unit,
            record,
            id=id,
            n=len(self.units) + 1,
            kind=kind.id,
            side=side,
            quality=record.quality or kind.quality,
            models=self.read_models(path, record, kind, heading, status),
            size=record.size or kind.models,
            status=status,
            green="green" in kind.special if record.green is None else record.green,
        )

    def read_models(self, path: FilePath, record: Any, kind: UnitType, heading: int, status: str) -> list[Model]:
        """The models: all of the unit, or the first ``men`` of them, in a line at a place or each where it is told.

        A gun or vehicle comes first; a place given for fewer models than there are leaves the others out.
        """
        doc, models = self.doc, muster(kind)
        if record.men:
            self.check_men(path, record.men, kind)
            big = [model for model in models if model.id in ("gun", "hull")]
            models = big + [model for model in models if model not in big][: record.men]
        if record.models:
            return self.place_models(path, record, models, heading)
        if status == LOST:
            return []
        for model in models:
            model.heading = heading  # in a building and aboard as well
        if record.at is not None:
            x, y = on_table(doc, (*path, "at"), self.table, *record.at)
            line_up(kind, models, x, y, heading, max(record.ranks, 1))
        elif status == ON_TABLE and not record.building:
            doc.fault(path, "a unit on the table without a place", "at = [12, 30], or models = [[12, 30], ...]")
        return models

    def check_men(self, path: FilePath, men: int, kind: UnitType) -> None:
        """A unit has so many men as its kind has, or fewer after losses (7.5)."""
        if kind.vehicle:
            self.doc.fault((*path, "men"), f"men = {men} for a vehicle", "leave it out")
        elif not 1 <= men <= kind.models:
            self.doc.fault((*path, "men"), f"{men} men in {kind.name} of {kind.models}", f"1 to {kind.models}")

    def place_models(self, path: FilePath, record: Any, models: list[Model], heading: int) -> list[Model]:
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
            model.arms = model.arms if given.arms is None else tuple(given.arms)
            placed.append(model)
        return placed

    def place_of(self, wrong: Wrong) -> FilePath:
        """Where in the file something is said that is wrong: a unit's own line, or that of one of its models."""
        if wrong.wreck:
            return (*self.wrecks[wrong.wreck], wrong.key)
        if not wrong.unit:
            return ()
        path = self.places[wrong.unit]
        record = next(record for where, record in self.tables if where == path)
        if wrong.model and record.models:
            number = [model.id for model in self.units[wrong.unit].models].index(wrong.model)
            return (*path, "models", number)
        return (*path, wrong.key) if wrong.key else path

    def link(self) -> None:
        """Whoever rides is where the vehicle is; names of others must be those of units."""
        pieces = {piece.id for piece in self.table.pieces}
        self.check_units(self.units, ("aboard", "ranged"))
        for unit in self.units.values():
            path = self.places[unit.id]
            if unit.building and unit.building not in pieces:
                known = ", ".join(sorted(pieces)) or "none: the pieces don't have ids"
                self.doc.fault((*path, "building"), f'no piece of terrain "{unit.building}"', known)
            elif unit.building:
                self.go_in(unit)
            carrier = self.units.get(unit.aboard)
            if carrier is not None and carrier.models:
                for model in unit.models:
                    model.x, model.y = carrier.models[0].x, carrier.models[0].y

    def go_in(self, unit: Unit) -> None:
        """Whoever is in a building has no exact place in it: its models are kept inside (25.1)."""
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
            self.wrecks[found[-1].id] = path
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
