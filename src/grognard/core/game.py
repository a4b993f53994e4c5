"""What a rule set offers to the rest of the house."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from grognard.core.aids import BoardView, ChartView, FieldView, Lesson, VerbHelp
from grognard.core.ask import Ask, Bar, Rules
from grognard.core.battle import Battle
from grognard.core.chronicle import Attack, Muster
from grognard.core.dice import Dice
from grognard.core.errors import GrognardError
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.handles import Handle
from grognard.core.ledger import Ledger
from grognard.core.tactics import Tactics
from grognard.core.view import Result, View


class Game(ABC):
    """A rule set: its data, its procedure, and what may be seen of it.

    The core drives it through these methods and knows nothing else of it. A scenario is whatever the
    game loads; the core asks it only for ``name``, ``title``, ``source``, ``files``, ``briefing``,
    ``sides`` and ``turns``.
    Where a side may look, "" is a referee who sees everything.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    folder: ClassVar[Path]

    # -- data ------------------------------------------------------------------------------------

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger.load(self.folder / "rules.toml")

    @property
    def ledger(self) -> Ledger:
        """Every rule in our own words: by default ``rules.toml`` of the game's folder."""
        return self._ledger

    @property
    @abstractmethod
    def phrases(self) -> Mapping[str, str]:
        """Short names of the modifiers, for tallies."""

    def scenario_files(self) -> dict[str, Path]:
        """The scenarios that come with the game, by name: by default all in its folder ``scenarios``."""
        return {path.stem: path for path in sorted((self.folder / "scenarios").glob("*.toml"))}

    @abstractmethod
    def load_scenario(self, document: Document) -> Any:
        """A scenario from its file, or all the file's faults."""

    @abstractmethod
    def load_situation(self, document: Document) -> tuple[Any, Any]:
        """A hand-set position: a scenario and the state in it."""

    # -- play ------------------------------------------------------------------------------------

    @abstractmethod
    def begin(self, scenario: Any) -> Any:
        """The state in which a scenario opens."""

    @abstractmethod
    def battle(self, scenario: Any, state: Any, dice: Dice) -> Battle[Any]:
        """A battle in a state."""

    @abstractmethod
    def play(self, battle: Battle[Any]) -> Rules:
        """The whole game as a procedure that starts wherever the state stands."""

    @abstractmethod
    def encode(self, state: Any) -> bytes:
        """The state as bytes; equal states give equal bytes."""

    @abstractmethod
    def decode(self, data: bytes) -> Any:
        """The state of those bytes."""

    def copy(self, state: Any) -> Any:
        """A copy that shares nothing that can change; a game may have a quicker way."""
        return self.decode(self.encode(state))

    @abstractmethod
    def result(self, battle: Battle[Any]) -> Result | None:
        """How the battle ended, or None while it goes on."""

    # -- what a side may know ----------------------------------------------------------------------

    @abstractmethod
    def view(self, battle: Battle[Any], side: str) -> View:
        """What a side may see, without question and log."""

    def hints(self, _battle: Battle[Any], _ask: Ask) -> Mapping[str, str]:
        """What people should know of options before they choose, by key; too dear to be told to programs every time."""
        return {}

    @abstractmethod
    def conceal(self, battle: Battle[Any], side: str) -> None:
        """Take out of the state what the side does not know."""

    @abstractmethod
    def why_not(self, battle: Battle[Any], side: str, words: str) -> list[Bar]:
        """Why a unit, or a unit's verb, or its attack on a target, is not offered."""

    @abstractmethod
    def sight(self, battle: Battle[Any], side: str, start: str, end: str) -> Any:
        """Line of sight between two places, with what it crosses.

        A record that can ``say()`` itself in words and give its ``view()``, a ``SightView`` for a client.
        """

    @abstractmethod
    def names(self, battle: Battle[Any]) -> Mapping[str, str]:
        """How people call the units, by id."""

    def whereabouts(self, battle: Battle[Any], unit: str) -> tuple[str, int]:
        """Where a unit is and which way it faces, 0 where it faces nowhere; a game may have a quicker way."""
        for seen in self.view(battle, "").units:
            if seen.id == unit:
                return seen.place, seen.facing
        return "", 0

    @abstractmethod
    def outcome(self, event: Event, names: Mapping[str, str]) -> str | None:
        """What an event changes in words, for odds; None for events that change nothing."""

    # -- checks and pictures -------------------------------------------------------------------------

    @abstractmethod
    def invariants(self, battle: Battle[Any]) -> list[str]:
        """What is wrong with a state that the rules should never reach."""

    @abstractmethod
    def draw(self, battle: Battle[Any], side: str) -> str:
        """The battle as SVG."""

    @abstractmethod
    def draw_text(self, battle: Battle[Any], side: str) -> str:
        """The battle as text."""

    @abstractmethod
    def board(self, scenario: Any) -> BoardView:
        """The sheet that the battle is fought on, in the pixels of the picture that ``land`` gives."""

    def places(self, scenario: Any) -> Container[str]:
        """The words that name places of the battlefield; a game without named places has none."""
        return ()

    @abstractmethod
    def land(self, scenario: Any, theme: str = "light") -> str:
        """The map as SVG without any piece on it; the theme is "light" or "dark"."""

    @abstractmethod
    def turn_of(self, battle: Battle[Any]) -> tuple[int, str]:
        """The turn and the title of its phase."""

    # -- what a chronicle asks -------------------------------------------------------------------------

    def muster(self, battle: Battle[Any]) -> dict[str, Muster]:
        """Every unit of both sides by id, with what is left of its worth: 0 when it is lost, whole when it left.

        By default every unit that can be seen is worth 1; a game knows better what its units are worth.
        """
        return {unit.id: Muster(unit.side, unit.name, unit.place, 1.0) for unit in self.view(battle, "").units}

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return None

    def held(self, battle: Battle[Any]) -> dict[str, str]:
        """What is fought over and who holds it, by place; "" where nobody does."""
        flags = [marker for marker in self.view(battle, "").markers if marker.kind == "objective"]
        return {flag.place: flag.side for flag in flags}

    def score(self, battle: Battle[Any]) -> dict[str, float]:
        """Each side's score, by whatever the scenario counts."""
        return {}

    # -- what a game may offer besides -----------------------------------------------------------------

    def summary(self, scenario: Any) -> Mapping[str, str | int]:
        """What a list of scenarios shows besides title, sides and turns: ``map`` in words, ``units`` as a number."""
        return {}

    def random_battle(self, *_: Any, **choices: Any) -> Any:
        """A scenario made to order; its ``source`` can be loaded again like that of any other.

        A game that makes them names its choices as keyword arguments; a command line offers them by these names.
        """
        raise GrognardError(f"{self.title} makes no random battles")

    def load_map(self, document: Document) -> Any:
        """A map from its file, or all the file's faults."""
        raise GrognardError(f"{self.title} has no maps in files of their own")

    def load_charts(self, document: Document) -> Any:
        """A user's own charts laid over the game's, or all the file's faults."""
        raise GrognardError(f"{self.title} has no charts")

    def check_force(self, document: Document) -> list[str]:
        """A player's own force from its file, line by line in words with what it costs; or all the file's faults."""
        raise GrognardError(f"{self.title} has no force files")

    def thumbnail(self, scenario: Any, theme: str = "light") -> str:
        """The map as a small SVG for lists; by default the whole picture."""
        return self.land(scenario, theme)

    def field_of_fire(self, battle: Battle[Any], side: str, unit: str) -> FieldView:
        """What a unit sees and can fire at from where it stands, so far as the side knows."""
        raise GrognardError(f"{self.title} has no fields of fire")

    def charts(self) -> list[ChartView]:
        """The charts in force, each with where it comes from."""
        return []

    def chart_overrides(self) -> list[str]:
        """The user's own files that were laid over the charts."""
        return []

    def verbs(self) -> list[VerbHelp]:
        """What each verb of the options means, for somebody who has not read the rules."""
        return []

    def tactics(self, scenario: Any) -> Tactics:
        """How a scenario is played well, for programs that play it."""
        raise GrognardError(f"{self.title} has no tactics yet; let it be played by people and at random")

    def handles(self, scenario: Any) -> list[Handle]:
        """What can be turned to make a scenario fairer; a game may have nothing to turn."""
        return []

    def lessons(self) -> list[Lesson]:
        """The guided battles that come with the game."""
        return []

    def forces(self, scenario: Any) -> dict[str, list[str]]:
        """The units of each side in words, such as "4 Rifle Squad", so far as everybody may know them."""
        return {}

    def losses(self, battle: Battle[Any]) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return {}

    def random_choices(self) -> list[tuple[str, list[str], str]]:
        """What can be chosen for a random battle: its name, what it may be, and what it is by default."""
        return []
