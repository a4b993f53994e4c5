"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import Vocabulary
from grognard.core.aid_views import FieldView, UnitSheet
from grognard.core.ask import Rules
from grognard.core.callings import Enrolled
from grognard.core.chronicle import Attack, Muster
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.knobs import Knob
from grognard.core.unit_files import read_units
from grognard.core.view import Result, View
from grognard.games.ost import (
    chronicle,
    field_of_fire,
    invariants,
    knobs,
    player_aids,
    setup,
    sight_report,
    situation,
    turn,
    unit_sheets,
    victory,
    view,
)
from grognard.games.ost import scenario_file as scenarios
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import OstCharts
from grognard.games.ost.generator import OstRandomBattles
from grognard.games.ost.reading import vocabulary
from grognard.games.ost.roster import FOLDER, UnitType
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import Sight
from grognard.games.ost.state import ON_MAP, State
from grognard.games.ost.tactics.player import OstTactics
from grognard.games.ost.why import OstReasons
from grognard.kits.hex.game import HexGame
from grognard.kits.hex.sight_report import SightReport


class OstGame(HexGame[Scenario, State, OstBattle]):
    """Old School Tactical."""

    name: ClassVar[str] = "ost"
    title: ClassVar[str] = "Old School Tactical"
    rules_version: ClassVar[int] = 2
    folder: ClassVar[Path] = FOLDER
    phases: ClassVar[Mapping[str, str]] = view.TITLES
    state_type = State
    battle_type = OstBattle
    charts_type = OstCharts
    reasons = OstReasons()
    random_battles = OstRandomBattles()

    # -- data ------------------------------------------------------------------------------------

    def load_scenario(self, document: Document) -> Scenario:
        """A scenario from its file, or all the file's faults."""
        return scenarios.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A hand-set position: a scenario and the state in it."""
        return situation.load_situation(document)

    def meanings(self) -> Mapping[str, str]:
        """What the results of tables mean."""
        return player_aids.meanings()

    def vocabulary(self) -> Vocabulary:
        """The words that a map of this game may use."""
        return vocabulary()

    def ground_words(self, field: Battlefield, hex: str) -> str:
        """The ground of a hex in words."""
        return view.ground_words(field, hex)

    # -- play ------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        """The state in which a scenario opens."""
        return setup.begin(scenario)

    def play(self, battle: OstBattle) -> Rules:
        """The whole game as a procedure that starts wherever the state stands."""
        return turn.play(battle)

    def result(self, battle: OstBattle) -> Result | None:
        """How the battle ended, or None while it goes on."""
        return victory.result(battle)

    # -- what a side may know ----------------------------------------------------------------------

    def view(self, battle: OstBattle, side: str) -> View:
        """What a side may see, without question and log."""
        return view.view(battle, side)

    def conceal(self, battle: OstBattle, side: str) -> None:
        """Take out of the state what the side does not know."""
        view.conceal(battle, side)

    def sight(self, battle: OstBattle, side: str, start: str, end: str) -> SightReport[Sight]:
        """Line of sight between two places, with what it crosses."""
        return sight_report.line_of_sight(battle, side, start, end)

    def names(self, battle: OstBattle) -> Mapping[str, str]:
        """How people call the units, by id."""
        return view.names(battle)

    def enrolled(self, battle: OstBattle) -> Iterator[Enrolled]:
        """The order of battle, from which units get names for people."""
        return view.enrolled(battle)

    def whereabouts(self, battle: OstBattle, unit: str) -> tuple[str, int]:
        """Where a unit is on the map, and its facing."""
        found = battle.state.units.get(unit)
        if found is None or found.status != ON_MAP:
            return "", 0
        return found.hex, found.facing

    def owner(self, battle: OstBattle, unit: str) -> str:
        """The side of a unit, or of whoever carries a support weapon."""
        state = battle.state
        weapon = state.weapons.get(unit)
        found = state.units.get(unit if weapon is None else weapon.unit)
        return "" if found is None else found.side

    # -- what a chronicle asks -------------------------------------------------------------------------

    def muster(self, battle: OstBattle) -> dict[str, Muster]:
        """Every unit with what is left of its worth."""
        return chronicle.muster(battle)

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return chronicle.attack(event)

    def held(self, battle: OstBattle) -> dict[str, str]:
        """What is fought over and who holds it."""
        return chronicle.held(battle)

    def score(self, battle: OstBattle) -> dict[str, float]:
        """Each side's points so far."""
        return chronicle.score(battle)

    def knobs(self, scenario: Scenario) -> list[Knob]:
        """What can be turned to make a scenario fairer."""
        return knobs.knobs(scenario)

    # -- checks and pictures -------------------------------------------------------------------------

    def invariants(self, battle: OstBattle) -> list[str]:
        """What is wrong with a state that the rules should never reach."""
        return invariants.invariants(battle)

    # -- player aids -------------------------------------------------------------------------------

    def field_of_fire(self, battle: OstBattle, side: str, unit: str) -> FieldView:
        """What a unit sees and can fire at from where it stands, so far as the side knows."""
        return field_of_fire.field_of_fire(battle, side, unit)

    def units(self) -> list[UnitSheet]:
        """Every unit of the roster with its figures."""
        return unit_sheets.units()

    def load_units(self, document: Document) -> Any:
        """A user's own units laid over ours."""
        return read_units(FOLDER, UnitType, document)

    def tactics(self, scenario: Scenario) -> OstTactics:
        """How a scenario is played well, for programs that play it."""
        return OstTactics(scenario)

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        """The order of battle of each side in words."""
        return player_aids.forces(scenario)

    def losses(self, battle: OstBattle) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return player_aids.losses(battle)


GAME = OstGame()
