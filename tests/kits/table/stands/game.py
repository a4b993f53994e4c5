"""The game as the house talks to it."""

from __future__ import annotations

from collections.abc import Mapping

from grognard.board.table.terrain import Kind
from grognard.core.aid_views import FieldView
from grognard.core.ask import Bar, Rules
from grognard.core.files import Document
from grognard.core.folder_files import counted
from grognard.core.tactics import Tactics
from grognard.core.view import Result, View
from grognard.kits.table.game import TableGame
from grognard.kits.table.sight_report import SightReport, report
from tests.kits.table.stands import scenario_file, turn, view
from tests.kits.table.stands.battle import KINDS, Field
from tests.kits.table.stands.charts import FOLDER, MEASURE, StandsCharts, charts
from tests.kits.table.stands.shooting import Words, looks_of
from tests.kits.table.stands.state import Scenario, State, Unit
from tests.kits.table.stands.tactics import StandsTactics


class Stands(TableGame[Scenario, State, Field]):
    """The game of stands."""

    name, title, rules_version, folder = FOLDER.name, "Stands", 1, FOLDER
    state_type, battle_type, charts_type, measure = State, Field, StandsCharts, MEASURE

    # -- files -------------------------------------------------------------------------------------------

    def terrain(self) -> Mapping[str, Kind]:
        return charts().kinds

    def load_scenario(self, document: Document) -> Scenario:
        return scenario_file.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A position set by hand is a scenario: companies stand where it puts them."""
        scenario = self.load_scenario(document)
        return scenario, self.begin(scenario)

    # -- play --------------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        return scenario_file.begin(scenario)

    def play(self, battle: Field) -> Rules:
        return turn.play(battle)

    def result(self, battle: Field) -> Result | None:
        return turn.result(battle)

    def why_not(self, battle: Field, side: str, words: str, *, reacts: bool = False) -> list[Bar]:
        units = [unit for word in words.split() if (unit := battle.state.units.get(word)) is not None]
        return [Bar("1.1", f"{battle.name(unit)} was used this turn") for unit in units if unit.used]

    def tactics(self, scenario: Scenario) -> Tactics[Field]:
        return StandsTactics(scenario)

    # -- what a side knows: everything -------------------------------------------------------------------

    def conceal(self, battle: Field, side: str) -> None:
        """Nothing is hidden."""

    def knows_unit(self, battle: Field, side: str, unit: Unit) -> bool:
        return True

    def view(self, battle: Field, side: str) -> View:
        now, phase = self.turn_of(battle)
        units, clouds = list(view.companies(battle)), list(view.clouds(battle))
        return View(self.name, battle.scenario.name, side, "", now, phase, battle.state.side, {}, units, clouds)

    def sight(self, battle: Field, side: str, start: str, end: str) -> SightReport:
        return report(looks_of(battle), start, end, Words())

    def field_of_fire(self, battle: Field, side: str, unit: str) -> FieldView:
        return view.fire_of(battle, unit)

    def invariants(self, battle: Field) -> list[str]:
        return list(view.wrong_with(battle))

    # -- in words ----------------------------------------------------------------------------------------

    def unit_title(self, battle: Field, unit: Unit) -> str:
        return battle.type(unit)

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        return {side: counted(KINDS[u.kind] for u in scenario.units if u.side == side) for side in scenario.sides}

    def losses(self, battle: Field) -> dict[str, list[str]]:
        gone = [unit for unit in battle.state.units.values() if not unit.models]
        return {side: counted(KINDS[u.kind] for u in gone if u.side == side) for side in battle.sides}


GAME = Stands()
