"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.table.terrain import Table
from grognard.core.aids import BoardView, ChartView, FieldView, Lesson, VerbHelp
from grognard.core.ask import Ask, Bar, Rules
from grognard.core.battle import Battle
from grognard.core.chronicle import Attack, Muster
from grognard.core.dice import Dice
from grognard.core.errors import GrognardError
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.handles import Handle
from grognard.core.poses import Points, place
from grognard.core.tactics import Tactics
from grognard.core.view import Result, View
from grognard.games.bolt_action import (
    chronicle,
    field_of_fire,
    forces,
    formation,
    generator,
    handles,
    invariants,
    orders,
    pictures,
    player_aids,
    scenario_file,
    setup,
    situation,
    turn,
    victory,
    view,
    why,
)
from grognard.games.bolt_action.battle import BoltBattle, copy_state
from grognard.games.bolt_action.figures import FOLDER, Figures, figures, read_charts
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.state import DECODER, ENCODER, ON_TABLE, State


def _ours(battle: Battle[Any]) -> BoltBattle:
    assert isinstance(battle, BoltBattle)
    return battle


class BoltActionGame(Game):
    """Bolt Action."""

    name: ClassVar[str] = "bolt_action"
    title: ClassVar[str] = "Bolt Action"
    rules_version: ClassVar[int] = 2
    folder: ClassVar[Path] = FOLDER

    # -- data ------------------------------------------------------------------------------------

    @property
    def phrases(self) -> Mapping[str, str]:
        """Short names of the modifiers, for tallies."""
        return figures().phrases

    def load_scenario(self, document: Document) -> Scenario:
        """A scenario from its file, or all the file's faults."""
        return scenario_file.load_scenario(document)

    def load_situation(self, document: Document) -> tuple[Scenario, State]:
        """A hand-set position: a scenario and the state in it."""
        return situation.load_situation(document)

    # -- play ------------------------------------------------------------------------------------

    def begin(self, scenario: Scenario) -> State:
        """The state in which a scenario opens."""
        return setup.begin(scenario)

    def battle(self, scenario: Scenario, state: State, dice: Dice) -> BoltBattle:
        """A battle in a state."""
        return BoltBattle(scenario, state, dice)

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

    def hints(self, battle: Battle[Any], ask: Ask) -> Mapping[str, str]:
        """Which orders would come to nothing."""
        return orders.hints(_ours(battle), ask)

    def why_not(self, battle: Battle[Any], side: str, words: str) -> list[Bar]:
        """Why a unit, or a unit's order, or its attack on a target, is not offered."""
        return why.why_not(_ours(battle), side, words)

    def sight(self, battle: Battle[Any], side: str, start: str, end: str) -> Any:
        """Line of sight between two units or places, with what it crosses."""
        return why.line_of_sight_report(_ours(battle), side, start, end)

    def names(self, battle: Battle[Any]) -> Mapping[str, str]:
        """How people call the units, by id."""
        return view.names(_ours(battle))

    def whereabouts(self, battle: Battle[Any], unit: str) -> tuple[str, int]:
        """The middle of a unit, as its view tells it, and which way it looks."""
        found = _ours(battle).state.units.get(unit)
        if found is None or found.status != ON_TABLE or not found.models:
            return "", 0
        return place(*formation.anchor(_ours(battle), found)), found.models[0].heading

    def outcome(self, event: Event, names: Mapping[str, str]) -> str | None:
        """What an event changes in words, for odds; None for events that change nothing."""
        outcome = getattr(event, "outcome", False)
        if callable(outcome):
            told: str | None = outcome(names)
            return told
        return event.say(names) if outcome else None

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
        return pictures.draw(_ours(battle), side)

    def draw_text(self, battle: Battle[Any], side: str) -> str:
        """The battle as text."""
        return pictures.draw_text(_ours(battle), side)

    def board(self, scenario: Scenario) -> BoardView:
        """The sheet that the battle is fought on, in the pixels of the picture that ``land`` gives."""
        return pictures.board(scenario)

    def land(self, scenario: Scenario, theme: str = "light") -> str:
        """The table as SVG without any model on it; the theme is "light" or "dark"."""
        return pictures.land(scenario, theme)

    def thumbnail(self, scenario: Scenario, theme: str = "light") -> str:
        """The table as a small SVG without details."""
        return pictures.thumbnail(scenario, theme)

    def places(self, scenario: Scenario) -> Container[str]:
        """Every point of the table."""
        return Points(scenario.table.width, scenario.table.height)

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

    def tactics(self, scenario: Scenario) -> Tactics:
        """How a scenario is played well."""
        from grognard.games.bolt_action.tactics import BoltTactics  # only programs that play need it

        return BoltTactics(scenario)

    def lessons(self) -> list[Lesson]:
        """The guided battles that come with the game."""
        return player_aids.lessons()

    def forces(self, scenario: Scenario) -> dict[str, list[str]]:
        """The force of each side in words."""
        return player_aids.forces(scenario)

    def losses(self, battle: Battle[Any]) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return player_aids.losses(_ours(battle))

    def random_choices(self) -> list[tuple[str, list[str], str]]:
        """What can be chosen for a random battle: its name, what it may be, and what it is by default."""
        return player_aids.random_choices()

    # -- for lists and checks ------------------------------------------------------------------------

    def summary(self, scenario: Scenario) -> Mapping[str, str | int]:
        """The size of its table and the number of its units, with where and when it happened."""
        size = f"{scenario.table.width / 100:g} x {scenario.table.height / 100:g} inches"
        return {"map": size, "units": len(scenario.units), "place": scenario.place, "date": scenario.date}

    def load_map(self, document: Document) -> Table:
        """A table from GeoJSON or TOML, in the words of this game."""
        data = document.data if isinstance(document.data, dict) else {}
        about = data.get("grognard", data)
        if not isinstance(about, dict) or "table" not in about:
            raise GrognardError(f"{document.name}: no table of {self.title}")
        return Table.from_document(document, figures().kinds)

    def load_charts(self, document: Document) -> Figures:
        """A user's own charts laid over ours (see README: who owns the published charts may use them)."""
        return read_charts(document)

    def check_force(self, document: Document) -> list[str]:
        """A force file checked against the reinforced platoon (28.1): what it comes to in words, or all its faults."""
        return forces.check_force(document)

    def random_battle(
        self,
        *,
        points: str | int = 750,
        nations: str | int = "american/german",
        year: str | int = 1944,
        terrain: str | int = "mixed",
        seed: str | int = 0,
    ) -> Scenario:
        """A scenario drawn at random: two forces of about so many points on a fair table."""
        try:
            return generator.random_battle(str(points), str(nations).split("/"), str(year), str(terrain), str(seed))
        except ValueError as error:
            raise GrognardError(f"random battle: {error}") from None
