"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.table.terrain import Kind
from grognard.core.aid_views import FieldView, UnitSheet
from grognard.core.ask import Ask, Rules
from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.knobs import Knob
from grognard.core.tactics import Tactics
from grognard.core.view import View
from grognard.games.bolt_action import (
    chronicle,
    field_of_fire,
    forces,
    invariants,
    knobs,
    orders,
    player_aids,
    roster,
    scenario_file,
    setup,
    situation,
    turn,
    unit_sheets,
    view,
    why,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import FOLDER, MEASURE, BoltCharts, charts
from grognard.games.bolt_action.generator import BoltRandomBattles
from grognard.games.bolt_action.roster import plain
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import State, Unit
from grognard.games.bolt_action.tactics.player import BoltTactics
from grognard.games.bolt_action.why import BoltReasons
from grognard.kits.table.game import TableGame


class BoltActionGame(TableGame[Scenario, State, BoltBattle]):
    """Bolt Action."""

    name: ClassVar[str] = "bolt_action"
    title: ClassVar[str] = "Bolt Action"
    rules_version: ClassVar[int] = 3
    folder: ClassVar[Path] = FOLDER
    phases: ClassVar[Mapping[str, str]] = view.TITLES
    state_type = State
    battle_type = BoltBattle
    charts_type = BoltCharts
    reasons = BoltReasons()
    random_battles = BoltRandomBattles()
    measure = MEASURE

    # -- data ------------------------------------------------------------------------------------

    def load_scenario(self, document: Document) -> Scenario:
        """A scenario from its file, or all the file's faults."""
        return scenario_file.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A hand-set position: a scenario and the state in it."""
        return situation.load_situation(document)

    def meanings(self) -> Mapping[str, str]:
        """What the results of tables mean."""
        return player_aids.meanings()

    def terrain(self) -> Mapping[str, Kind]:
        """The kinds of terrain that a table of this game may have."""
        return charts().kinds

    # -- play ------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        """The state in which a scenario opens."""
        return setup.begin(scenario)

    def play(self, battle: BoltBattle) -> Rules:
        """The whole game as a procedure that starts wherever the state stands."""
        return turn.play(battle)

    # -- what a side may know ----------------------------------------------------------------------

    def view(self, battle: BoltBattle, side: str) -> View:
        """What a side may see, without question and log."""
        return view.view(battle, side)

    def knows_unit(self, battle: BoltBattle, side: str, unit: Unit) -> bool:
        """Whether a side may know of a unit."""
        return view.knows_unit(battle, side, unit)

    def unit_title(self, battle: BoltBattle, unit: Unit) -> str:
        """What a unit is called by itself."""
        return plain(battle.title(unit))

    def conceal(self, battle: BoltBattle, side: str) -> None:
        """Take out of the state what the side does not know."""
        view.conceal(battle, side)

    def hints(self, battle: BoltBattle, ask: Ask) -> Mapping[str, str]:
        """Which orders would come to nothing."""
        return orders.hints(battle, ask)

    def sight(self, battle: BoltBattle, side: str, start: str, end: str) -> Any:
        """Line of sight between two units or places, with what it crosses."""
        return why.line_of_sight_report(battle, side, start, end)

    # -- what a chronicle asks -------------------------------------------------------------------------

    def muster(self, battle: BoltBattle) -> dict[str, Muster]:
        """Every unit with what is left of its worth."""
        return chronicle.muster(battle)

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return chronicle.attack(event)

    def held(self, battle: BoltBattle) -> dict[str, str]:
        """What is fought over and who holds it."""
        return chronicle.held(battle)

    def score(self, battle: BoltBattle) -> dict[str, float]:
        """Each side's points so far."""
        return chronicle.score(battle)

    def knobs(self, scenario: Any) -> list[Knob]:
        """What can be turned to make a scenario fairer."""
        return knobs.knobs(scenario)

    # -- checks and pictures -------------------------------------------------------------------------

    def invariants(self, battle: BoltBattle) -> list[str]:
        """What is wrong with a state that the rules should never reach."""
        return invariants.invariants(battle)

    # -- player aids -------------------------------------------------------------------------------

    def field_of_fire(self, battle: BoltBattle, side: str, unit: str) -> FieldView:
        """What a unit sees and can fire at from where it stands, so far as the side knows."""
        return field_of_fire.field_of_fire(battle, side, unit)

    def units(self) -> list[UnitSheet]:
        """Every unit of the roster with its figures."""
        return unit_sheets.units()

    def load_units(self, document: Document) -> Any:
        """A user's own units laid over ours."""
        return roster.load_units(document)

    def tactics(self, scenario: Scenario) -> Tactics[BoltBattle]:
        """How a scenario is played well."""
        return BoltTactics(scenario)

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        """The force of each side in words."""
        return player_aids.forces(scenario)

    def losses(self, battle: BoltBattle) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return player_aids.losses(battle)

    # -- for lists and checks ------------------------------------------------------------------------

    def check_force(self, document: Document) -> list[str]:
        """A force file checked against the reinforced platoon (28.1): what it comes to in words, or all its faults."""
        return forces.check_force(document)


GAME = BoltActionGame()
