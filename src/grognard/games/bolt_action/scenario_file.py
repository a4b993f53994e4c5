"""Reading a scenario from its TOML file, with all its faults at once. docs/bolt-action-files.md tells the format."""

from __future__ import annotations

from typing import Any

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath
from grognard.core.scenario_files import read_head, read_sides
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import FOLDER, MEASURE, charts
from grognard.games.bolt_action.forces import Order, buy
from grognard.games.bolt_action.invariants import barred, impossible
from grognard.games.bolt_action.objectives import read_victory
from grognard.games.bolt_action.reading import BLANK, check_buildings, read_kind
from grognard.games.bolt_action.roster import LETTERS, NATIONS, UnitType
from grognard.games.bolt_action.scenario import Placing, Scenario
from grognard.games.bolt_action.setup import begin
from grognard.kits.table.reading import read_ground
from grognard.kits.table.scenario_file import ForceReader, TableHead, UnitEntry


class _Head(TableHead, kw_only=True):
    further_turn: bool = True
    hidden_reserves: bool = False
    german_machine_guns: bool = False
    wrecks_removed: bool = False


class _Unit(UnitEntry, kw_only=True):
    """A unit of a scenario: how it comes to the table, and what it is bought with."""

    quality: str = ""
    men: Count = 0
    upgrades: dict[str, Count] = {}

    @property
    def order(self) -> Order:
        """The unit as a force file would have it."""
        return Order(kind=self.kind, count=self.count, quality=self.quality, men=self.men, upgrades=self.upgrades)


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    head = read_head(doc, _Head, FOLDER.name, 20, table=BLANK)
    turns = head.turns or charts().number("length", "turns")
    sides, names = read_sides(doc, head.side)
    table = read_ground(doc, head.table, head.terrain, charts().kinds, MEASURE, BLANK)
    reader = _Forces(doc, table, names, turns, NATIONS, LETTERS)
    reader.read(sides)
    reader.check_head(head)
    scenario = Scenario(
        further_turn=head.further_turn,
        types=reader.types,
        victory=read_victory(doc, ("victory",), head.victory, names),
        hidden_reserves=head.hidden_reserves,
        german_machine_guns=head.german_machine_guns,
        wrecks_removed=head.wrecks_removed,
        **reader.scenario_fields(head),
    )
    doc.check()
    check_buildings(doc, table)
    battle = BoltBattle(scenario, begin(scenario), ScriptedDice())
    for wrong in (*impossible(battle), *barred(battle)):
        doc.fault((*reader.places[wrong.unit], *((wrong.key,) if wrong.key else ())), wrong.says, wrong.right)
    doc.check()
    return scenario


class _Forces(ForceReader[_Unit, UnitType, Placing]):
    """Reads both sides: what their units are bought with, and what carries what."""

    entry_type = _Unit

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.types: dict[str, UnitType] = {}

    def kind_of(self, path: FilePath, entry: _Unit) -> UnitType | None:
        """A unit of the roster as it was bought (28.1)."""
        base = read_kind(self.doc, (*path, "kind"), entry.kind)
        if base is None:
            return None
        kind = buy(self.doc, path, entry.order, base)
        if kind is not base:
            self.types[kind.id] = kind
        return kind

    def title(self, kind: UnitType) -> str:
        """The roster's name."""
        return kind.name

    def placing(self, record: _Unit, kind: UnitType, /, **known: Any) -> Placing:
        """With the quality it was bought with."""
        return Placing(kind=kind.id, quality=kind.quality, **known)

    def carries(self, kind: UnitType) -> bool:
        """Transports and tows (24.1)."""
        return kind.transport

    def check_load(self, path: FilePath, kind: UnitType, carrier: UnitType, load: list[UnitType]) -> bool:
        """A gun hangs behind what can tow it; men sit where there is room (24.1)."""
        if kind.artillery:
            if kind.weight not in carrier.tow:
                self.doc.fault(path, f"{carrier.name} can't tow {kind.name}", "another tow")
            return False
        men = kind.models + sum(each.models for each in load)
        if men > carrier.transport_capacity:
            self.doc.fault(path, f"{men} men aboard {carrier.name}", f"at most {carrier.transport_capacity}")
        return True
