"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.table.terrain import Kind
from grognard.core.aid_views import FieldView, UnitSheet
from grognard.core.ask import Rules
from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.knobs import Knob
from grognard.core.tactics import Tactics
from grognard.core.view import View
from grognard.games.company import (
    chronicle,
    forces,
    invariants,
    knobs,
    roster,
    scenario_file,
    setup,
    sight_report,
    situation,
    turn,
    unit_sheets,
    view,
)
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import FOLDER, MEASURE, CompanyCharts, charts
from grognard.games.company.field_of_fire import field_of_fire
from grognard.games.company.generator import CompanyRandomBattles
from grognard.games.company.scenario import Scenario
from grognard.games.company.state import Platoon, State
from grognard.games.company.tactics.player import CompanyTactics
from grognard.games.company.why import REASONS
from grognard.kits.table.game import TableGame
from grognard.kits.table.sight_report import SightReport


class CompanyGame(TableGame[Scenario, State, CompanyBattle]):
    """Platoons of stands that act until one fails."""

    name: ClassVar[str] = FOLDER.name
    title: ClassVar[str] = "Company"
    rules_version: ClassVar[int] = 1
    folder: ClassVar[Path] = FOLDER
    phases: ClassVar[Mapping[str, str]] = view.TITLES
    state_type = State
    battle_type = CompanyBattle
    charts_type = CompanyCharts
    random_battles = CompanyRandomBattles()
    measure = MEASURE
    reasons = REASONS

    # -- data ------------------------------------------------------------------------------------

    def load_scenario(self, document: Document) -> Scenario:
        """A scenario from its file, or all the file's faults."""
        return scenario_file.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A hand-set position: a scenario and the state in it."""
        return situation.load_situation(document)

    def load_units(self, document: Document) -> Any:
        """A user's own Teams and Units laid over ours."""
        return roster.load_units(document)

    def terrain(self) -> Mapping[str, Kind]:
        """The kinds of terrain that a table of this game may have."""
        return charts().kinds

    # -- play ------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        """The state in which a scenario opens."""
        return setup.begin(scenario)

    def play(self, battle: CompanyBattle) -> Rules:
        """The whole game as a procedure that starts wherever the state stands."""
        return turn.play(battle)

    def tactics(self, scenario: Scenario) -> Tactics[CompanyBattle]:
        """How a scenario is played well."""
        return CompanyTactics(scenario)

    # -- what a side knows: everything -------------------------------------------------------------

    def view(self, battle: CompanyBattle, side: str) -> View:
        """What a side may see, without question and log."""
        return view.view(battle, side)

    def turn_of(self, battle: CompanyBattle) -> tuple[int, str]:
        """The turn, and whose Initiative it is."""
        return battle.state.turn, view.phase(battle)

    def knows_unit(self, battle: CompanyBattle, side: str, unit: Platoon) -> bool:
        """Nothing is hidden."""
        return True

    def unit_title(self, battle: CompanyBattle, unit: Platoon) -> str:
        """What a Unit is called by itself."""
        return battle.title(unit)

    def conceal(self, battle: CompanyBattle, side: str) -> None:
        """Nothing is hidden."""

    def sight(self, battle: CompanyBattle, side: str, start: str, end: str) -> SightReport:
        """Line of sight between two Units or places, with what it crosses."""
        return sight_report.report(battle, start, end)

    def field_of_fire(self, battle: CompanyBattle, side: str, unit: str) -> FieldView:
        """The arcs of a Unit's weapons, and what it sees."""
        return field_of_fire(battle, unit)

    # -- what a chronicle asks ---------------------------------------------------------------------

    def muster(self, battle: CompanyBattle) -> dict[str, Muster]:
        """Every Unit with what is left of its worth."""
        return chronicle.muster(battle)

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return chronicle.attack(event)

    def held(self, battle: CompanyBattle) -> dict[str, str]:
        """What is fought over and who holds it."""
        return chronicle.held(battle)

    def score(self, battle: CompanyBattle) -> dict[str, float]:
        """Each side's points so far."""
        return chronicle.score(battle)

    def knobs(self, scenario: Scenario) -> list[Knob]:
        """What can be turned to make a scenario fairer."""
        return knobs.knobs(scenario)

    # -- player aids -------------------------------------------------------------------------------

    def units(self) -> list[UnitSheet]:
        """Every Unit of the roster with its figures."""
        return unit_sheets.units()

    def meanings(self) -> Mapping[str, str]:
        """What the results of tables mean."""
        now = charts()
        return {row.id: row.label for table in (now.vehicle_damage, now.part_hit) for row in table}

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        """The force of each side in words."""
        return forces.in_words(scenario)

    def losses(self, battle: CompanyBattle) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return forces.losses(battle)

    def check_force(self, document: Document) -> list[str]:
        """A force file checked against the organisation table: what it comes to in words, or all its faults."""
        return forces.check_force(document)

    # -- checks ------------------------------------------------------------------------------------

    def invariants(self, battle: CompanyBattle) -> list[str]:
        """What is wrong with a state that the rules should never reach."""
        return invariants.invariants(battle)


GAME = CompanyGame()
