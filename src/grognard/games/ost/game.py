"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.battlefield import Battlefield
from grognard.core.aids import BoardView, ChartView, FieldView, Lesson, VerbHelp
from grognard.core.ask import Bar, Rules
from grognard.core.battle import Battle
from grognard.core.chronicle import Attack, Muster
from grognard.core.dice import Dice
from grognard.core.errors import GrognardError
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.handles import Handle
from grognard.core.view import Result, View
from grognard.games.ost import (
    chronicle,
    field_of_fire,
    generator,
    handles,
    invariants,
    pictures,
    player_aids,
    setup,
    situation,
    turn,
    victory,
    view,
    why,
)
from grognard.games.ost import scenario_file as scenarios
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.events import Happening
from grognard.games.ost.figures import Figures, figures, read_charts
from grognard.games.ost.reading import vocabulary
from grognard.games.ost.roster import FOLDER
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import SightReport
from grognard.games.ost.state import DECODER, ENCODER, ON_MAP, State, copy_state
from grognard.games.ost.tactics import OstTactics


def _ours(battle: Battle[Any]) -> OstBattle:
    assert isinstance(battle, OstBattle)
    return battle


class OstGame(Game):
    """Old School Tactical."""

    name: ClassVar[str] = "ost"
    title: ClassVar[str] = "Old School Tactical"
    rules_version: ClassVar[int] = 1
    folder: ClassVar[Path] = FOLDER

    # -- data ------------------------------------------------------------------------------------

    @property
    def phrases(self) -> Mapping[str, str]:
        """Short names of the modifiers, for tallies."""
        return figures().phrases

    def load_scenario(self, document: Document) -> Scenario:
        """A scenario from its file, or all the file's faults."""
        return scenarios.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A hand-set position: a scenario and the state in it."""
        return situation.load_situation(document)

    # -- play ------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        """The state in which a scenario opens."""
        return setup.begin(scenario)

    def battle(self, scenario: Scenario, state: State, dice: Dice) -> OstBattle:
        """A battle in a state."""
        return OstBattle(scenario, state, dice)

    def play(self, battle: Battle[Any]) -> Rules:
        """The whole game as a procedure that starts wherever the state stands."""
        return turn.play(_ours(battle))

    def encode(self, state: State) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        return ENCODER.encode(state)

    def decode(self, data: bytes) -> State:
        """The state of those bytes."""
        return DECODER.decode(data)

    def copy(self, state: State) -> State:
        """A copy that shares nothing that can change."""
        return copy_state(state)

    def result(self, battle: Battle[Any]) -> Result | None:
        """How the battle ended, or None while it goes on."""
        return victory.result(_ours(battle))

    # -- what a side may know ----------------------------------------------------------------------

    def view(self, battle: Battle[Any], side: str) -> View:
        """What a side may see, without question and log."""
        return view.view(_ours(battle), side)

    def conceal(self, battle: Battle[Any], side: str) -> None:
        """Take out of the state what the side does not know."""
        view.conceal(_ours(battle), side)

    def why_not(self, battle: Battle[Any], side: str, words: str) -> list[Bar]:
        """Why a unit, or a unit's verb, or its attack on a target, is not offered."""
        return why.why_not(_ours(battle), side, words)

    def sight(self, battle: Battle[Any], side: str, start: str, end: str) -> SightReport:
        """Line of sight between two places, with what it crosses."""
        return why.line_of_sight(_ours(battle), side, start, end)

    def names(self, battle: Battle[Any]) -> Mapping[str, str]:
        """How people call the units, by id."""
        return view.names(_ours(battle))

    def whereabouts(self, battle: Battle[Any], unit: str) -> tuple[str, int]:
        """Where a unit is on the map, and its facing."""
        found = _ours(battle).state.units.get(unit)
        if found is None or found.status != ON_MAP:
            return "", 0
        return found.hex, found.facing

    def outcome(self, event: Event, names: Mapping[str, str]) -> str | None:
        """What an event changes in words, for odds; None for events that change nothing."""
        return event.say(names) if isinstance(event, Happening) and event.matters else None

    # -- what a chronicle asks -------------------------------------------------------------------------

    def muster(self, battle: Battle[Any]) -> dict[str, Muster]:
        """Every unit with what is left of its worth."""
        return chronicle.muster(_ours(battle))

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return chronicle.attack(event)

    def held(self, battle: Battle[Any]) -> dict[str, str]:
        """What is fought over and who holds it."""
        return chronicle.held(_ours(battle))

    def score(self, battle: Battle[Any]) -> dict[str, float]:
        """Each side's points so far."""
        return chronicle.score(_ours(battle))

    def handles(self, scenario: Any) -> list[Handle]:
        """What can be turned to make a scenario fairer."""
        return handles.handles(scenario)

    # -- checks and pictures -------------------------------------------------------------------------

    def invariants(self, battle: Battle[Any]) -> list[str]:
        """What is wrong with a state that the rules should never reach."""
        return invariants.invariants(_ours(battle))

    def draw(self, battle: Battle[Any], side: str) -> str:
        """The battle as SVG."""
        return view.draw(_ours(battle), side)

    def draw_text(self, battle: Battle[Any], side: str) -> str:
        """The battle as text."""
        return view.draw_text(_ours(battle), side)

    def board(self, scenario: Scenario) -> BoardView:
        """The sheet that the battle is fought on, in the pixels of the picture that ``land`` gives."""
        return pictures.board(scenario)

    def land(self, scenario: Scenario, theme: str = "light") -> str:
        """The map as SVG without any piece on it; the theme is "light" or "dark"."""
        return pictures.land(scenario.battlefield, theme)

    def thumbnail(self, scenario: Scenario, theme: str = "light") -> str:
        """The map as a small SVG without details."""
        return pictures.thumbnail(scenario.battlefield, theme)

    def places(self, scenario: Scenario) -> Container[str]:
        """The hexes."""
        grid = scenario.battlefield.grid
        return grid.adjacent if grid else ()

    def turn_of(self, battle: Battle[Any]) -> tuple[int, str]:
        """The turn and the title of its phase."""
        state = _ours(battle).state
        return state.turn, view.phase_title(state.phase)

    # -- player aids -------------------------------------------------------------------------------

    def field_of_fire(self, battle: Battle[Any], side: str, unit: str) -> FieldView:
        """What a unit sees and can fire at from where it stands, so far as the side knows."""
        return field_of_fire.field_of_fire(_ours(battle), side, unit)

    def charts(self) -> list[ChartView]:
        """The charts in force, each with where it comes from."""
        return player_aids.charts()

    def chart_overrides(self) -> list[str]:
        """The user's own files that were laid over the charts."""
        return player_aids.chart_overrides()

    def verbs(self) -> list[VerbHelp]:
        """What each verb of the options means, for somebody who has not read the rules."""
        return player_aids.verbs()

    def tactics(self, scenario: Scenario) -> OstTactics:
        """How a scenario is played well, for programs that play it."""
        return OstTactics(scenario)

    def lessons(self) -> list[Lesson]:
        """The guided battles that come with the game."""
        return player_aids.lessons()

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        """The order of battle of each side in words."""
        return player_aids.forces(scenario)

    def losses(self, battle: Battle[Any]) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return player_aids.losses(_ours(battle))

    def random_choices(self) -> list[tuple[str, list[str], str]]:
        """What can be chosen for a random battle: its name, what it may be, and what it is by default."""
        return [(name, list(values), default) for name, values, default in player_aids.random_choices()]

    # -- for lists and checks ------------------------------------------------------------------------

    def summary(self, scenario: Scenario) -> Mapping[str, str | int]:
        """The size of its map and the number of its units, with where and when it happened."""
        grid = scenario.battlefield.grid
        left, top, right, bottom = grid.window if grid else (0, 0, -1, -1)
        size = f"{right - left + 1} x {bottom - top + 1} hexes" if grid else ""
        return {"map": size, "units": len(scenario.units), "place": scenario.place, "date": scenario.date}

    def load_map(self, document: Document) -> Battlefield:
        """A map from GeoJSON or from a sketch, in the words of this game."""
        if isinstance(document.data, dict) and isinstance(document.data.get("map"), dict):
            return Battlefield.from_sketch(document.data["map"], document, "map", known=vocabulary())
        return Battlefield.from_geojson(document, vocabulary())

    def load_charts(self, document: Document) -> Figures:
        """A user's own charts laid over ours (see README: who owns the published charts may use them)."""
        return read_charts(document)

    def random_battle(
        self,
        *,
        size: str | int = "small",
        year: str | int = 1944,
        nations: str | int = "german/american",
        terrain: str | int = "mixed",
        seed: str | int = 0,
    ) -> Scenario:
        """A scenario drawn at random; of the nations the first defends."""
        if not str(year).isdecimal():
            raise GrognardError(f"random battle: {year!r} is no year; write year=1944")
        try:
            return generator.random_battle(str(size), int(year), str(nations).split("/"), str(terrain), seed)
        except ValueError as error:
            raise GrognardError(f"random battle: {error}") from None
