"""The game as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from grognard.board.battlefield import Battlefield
from grognard.core.ask import Bar, Rules
from grognard.core.battle import Battle
from grognard.core.dice import Dice
from grognard.core.errors import GrognardError
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.ledger import Ledger
from grognard.core.view import Result, View
from grognard.games.ost import events, generator, invariants, setup, situation, turn, victory, view, why
from grognard.games.ost import scenario_file as scenarios
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.figures import Figures, figures, read_charts
from grognard.games.ost.reading import vocabulary
from grognard.games.ost.roster import FOLDER
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import DECODER, ENCODER, State, copy_state


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

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger.load(FOLDER / "rules.toml")

    @property
    def ledger(self) -> Ledger:
        """Every rule in our own words."""
        return self._ledger

    @property
    def phrases(self) -> Mapping[str, str]:
        """Short names of the modifiers, for tallies."""
        return figures().phrases

    def scenario_files(self) -> dict[str, Path]:
        """The scenarios that come with the game, by name."""
        return {path.stem: path for path in sorted((FOLDER / "scenarios").glob("*.toml"))}

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

    def sight(self, battle: Battle[Any], side: str, start: str, end: str) -> Any:
        """Line of sight between two places, with what it crosses."""
        return why.line_of_sight(_ours(battle), side, start, end)

    def names(self, battle: Battle[Any]) -> Mapping[str, str]:
        """How people call the units, by id."""
        return view.names(_ours(battle))

    def outcome(self, event: Event, names: Mapping[str, str]) -> str | None:
        """What an event changes in words, for odds; None for events that change nothing."""
        return event.say(names) if type(event) in events.EFFECTS else None

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
        if not isinstance(year, int):
            raise GrognardError(f"random battle: {year!r} is no year; write year=1944")
        try:
            return generator.random_battle(str(size), year, str(nations).split("/"), str(terrain), seed)
        except ValueError as error:
            raise GrognardError(f"random battle: {error}") from None
