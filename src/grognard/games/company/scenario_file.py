"""Reading a scenario from its TOML file (16.5), with all its faults at once. docs/company.md tells the format."""

from __future__ import annotations

from typing import Any

import shapely

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath
from grognard.core.scenario_files import read_head, read_sides
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import FOLDER, MEASURE, charts
from grognard.games.company.invariants import barred, impossible
from grognard.games.company.reading import BLANK, read_kind, read_teams, read_training
from grognard.games.company.roster import LETTERS, NATIONS, UnitType, team_types
from grognard.games.company.scenario import Placing, Scenario
from grognard.games.company.setup import begin
from grognard.games.company.state import State
from grognard.games.company.victory import read_victory
from grognard.kits.table.reading import read_ground
from grognard.kits.table.scenario import Zone
from grognard.kits.table.scenario_file import ForceReader, TableHead, UnitEntry

MOST_TURNS, USUAL_TURNS = 20, 8
#: So much more than its bases a force needs, so that it has room in its zone in whatever form.
ROOM = 2.0


class _Head(TableHead, kw_only=True):
    year: int = 0


class _Unit(UnitEntry, kw_only=True):
    """A Unit of a scenario: with another training or other numbers of Teams than the roster has; ``mounted`` or not."""

    training: str = ""
    teams: dict[str, Count] = {}
    mounted: bool = False


def load_scenario(doc: Document) -> Scenario:
    """A scenario from its file; all of the file's faults are raised together."""
    head = read_head(doc, _Head, FOLDER.name, MOST_TURNS, table=BLANK)
    turns = head.turns or USUAL_TURNS
    sides, names = read_sides(doc, head.side)
    table = read_ground(doc, head.table, head.terrain, charts().kinds, MEASURE, BLANK)
    reader = _Forces(doc, table, names, turns, NATIONS, LETTERS)
    reader.year = head.year
    reader.read(sides)
    reader.check_head(head)
    scenario = Scenario(
        year=head.year,
        victory=read_victory(doc, ("victory",), head.victory, names),
        **reader.scenario_fields(head),
    )
    reader.check_companies()
    doc.check()
    state = begin(scenario)
    battle = CompanyBattle(scenario, state, ScriptedDice())
    for wrong in (*impossible(battle), *barred(battle)):
        doc.fault((*reader.places[wrong.unit], *((wrong.key,) if wrong.key else ())), wrong.says, wrong.right)
    _check_room(doc, scenario, state)
    doc.check()
    return scenario


def _check_room(doc: Document, scenario: Scenario, state: State) -> None:
    """Note zones that are too small for those who set up in them."""
    for side in scenario.sides:
        needs: dict[str, float] = {}
        zones: dict[str, Zone] = {}
        for placing in scenario.units:
            zone = scenario.zone(placing)
            if placing.side == side and placing.at is None and zone is not None:
                zones[zone.name] = zone
                needs[zone.name] = needs.get(zone.name, 0.0) + _room_for(placing)
        for number, zone in enumerate(scenario.zones.get(side, ())):
            shut = [
                scenario.table.area(piece)
                for piece in scenario.table.pieces
                if charts().ground(piece.kind).tank == "closed" and not scenario.table.kind(piece).linear
            ]
            here = shapely.Polygon(zone.points).difference(shapely.union_all(shut)).area / 10_000
            need = needs.get(zone.name, 0.0) * ROOM
            if need > here:
                says = f"{here:.0f} square inches are too few for its Units, which need about {need:.0f}"
                doc.fault(("side", side, "zone", number), says, "a larger zone, or fewer Units in it")


def _room_for(placing: Placing) -> float:
    """How many square inches the bases of a Unit cover with the gaps between them."""
    known, gap = team_types(), charts().distance("distances", "spacing")
    feet = [known[kind].foot for kind in placing.teams]
    return sum((foot.length + gap) * (foot.width + gap) for foot in feet) / 10_000


class _Forces(ForceReader[_Unit, UnitType, Placing]):
    """Reads both sides: what their Units are, and whether they are of the scenario's year."""

    entry_type = _Unit
    year = 0

    def kind_of(self, path: FilePath, entry: _Unit) -> UnitType | None:
        """A Unit of the roster."""
        kind = read_kind(self.doc, (*path, "kind"), entry.kind)
        if kind is None:
            return None
        first, last = kind.years
        if self.year and not first <= self.year <= last:
            self.doc.fault((*path, "kind"), f"{kind.name} in {self.year}", f"one of {first} to {last}")
        for key in ("aboard", "edge"):
            if getattr(entry, key):
                self.doc.fault((*path, key), "a Unit neither rides in another nor comes later", "a zone, or at")
        return kind

    def title(self, kind: UnitType) -> str:
        """The roster's name."""
        return kind.name

    def placing(self, record: _Unit, kind: UnitType, /, **known: Any) -> Placing:
        """With its training and its Teams."""
        path = self.places[known["id"]]
        found = Placing(
            kind=kind.id,
            training=read_training(self.doc, (*path, "training"), record.training, kind),
            teams=read_teams(self.doc, (*path, "teams"), kind, record.teams),
            mounted=record.mounted,
            **known,
        )
        if record.mounted and not any(team_types()[team].transport for team in found.teams):
            self.doc.fault((*path, "mounted"), f"{kind.name} has no transport", "leave it out")
        return found

    def check_companies(self) -> None:
        """Note companies with more than one commander, or with nobody else."""
        for side in self.names:
            own = [(id, self.kinds[id]) for id, placing in self.units.items() if placing.side == side]
            chiefs = [id for id, kind in own if kind.commander]
            if len(chiefs) > 1:
                self.doc.fault((*self.places[chiefs[1]], "kind"), f"{len(chiefs)} commanders of {side}", "one at most")
            if own and len(chiefs) == len(own):
                self.doc.fault(("side", side), "a commander without Units", f"[[side.{side}.unit]] with a kind")
