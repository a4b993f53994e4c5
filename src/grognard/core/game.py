"""What a rule set offers to the rest of the house."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from grognard.core.aid_views import BoardView, ChartView, FieldView, Lesson, UnitSheet, VerbHelp
from grognard.core.ask import Ask, Bar, Rules
from grognard.core.battle import Battle
from grognard.core.callings import Enrolled, callings
from grognard.core.chart_views import chart_views
from grognard.core.charts import Charts
from grognard.core.chronicle import Attack, Muster
from grognard.core.copies import copier
from grognard.core.dice import Dice, ScriptedDice
from grognard.core.drafts import Draft
from grognard.core.errors import GrognardError
from grognard.core.events import Event
from grognard.core.files import Document
from grognard.core.folder_files import FolderFiles
from grognard.core.glossary import Term
from grognard.core.knobs import Knob
from grognard.core.ledger import Ledger
from grognard.core.random_battles import Choice, RandomBattles
from grognard.core.reasons import Reasons
from grognard.core.tactics import Tactics
from grognard.core.unit_files import user_units
from grognard.core.view import Result, View

#: A game's scenario, its state and its battle. Who drives any game at all writes ``Game`` alone.
Sc = TypeVar("Sc", default=Any)
St = TypeVar("St", default=Any)
B = TypeVar("B", bound=Battle[Any], default=Battle[Any])


class Game(ABC, Generic[Sc, St, B]):
    """A rule set: its data, its procedure, and what may be seen of it.

    The core drives it through these methods and knows nothing else of it. A scenario is whatever the game loads; the
    core asks it only for ``name``, ``title``, ``source``, ``files``, ``briefing``, ``sides``, ``turns`` and
    ``callings``. A state is a tree of Structs, lists and dicts, so that it can be encoded and copied by its types.
    Where a side may look, "" is a referee who sees everything.

    A game must say ten things: how scenarios and situations are read, how a battle begins, is played and ends, what a
    side sees and what is kept from it, how units are called and sight is traced, and what must always hold. The four
    pictures come from a kit; everything else has a default.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    folder: ClassVar[Path]
    #: The titles of a turn's phases, by the word that the state has for each.
    phases: ClassVar[Mapping[str, str]] = {}
    #: What a state and a battle of this game are.
    state_type: type[St]
    battle_type: Callable[[Sc, St, Dice], B]
    #: How its charts are read; a game without any leaves it out.
    charts_type: type[Charts] | None = None
    #: Why something is not offered, by verb: made of the very bars that leave it out of the options. A game without it
    #: says only what is offered instead.
    reasons: Reasons[Any] | None = None
    #: How battles are made to order; a game that makes none leaves it out.
    random_battles: RandomBattles | None = None

    # -- data ------------------------------------------------------------------------------------

    @cached_property
    def ledger(self) -> Ledger:
        """Every rule in our own words: ``rules.toml`` of the game's folder."""
        return Ledger.load(self.folder / "rules.toml")

    @cached_property
    def aids(self) -> FolderFiles:
        """The files of the game's folder that help people to play."""
        return FolderFiles(self.folder)

    @property
    def phrases(self) -> Mapping[str, str]:
        """Short names of the modifiers, for tallies."""
        return self.charts_type.in_force().phrases if self.charts_type else {}

    def meanings(self) -> Mapping[str, str]:
        """What the results of tables mean, for people who are asked for dice; a result that is a word needs nothing."""
        return {}

    def scenario_files(self) -> dict[str, Path]:
        """The scenarios that come with the game, by name: all in its folder ``scenarios``."""
        return {path.stem: path for path in sorted((self.folder / "scenarios").glob("*.toml"))}

    @abstractmethod
    def load_scenario(self, document: Document) -> Sc:
        """A scenario from its file, or all the file's faults at once.

        Equal files give equal scenarios, and ``source`` with ``files`` can be loaded again to the same effect: saves
        carry them.
        """

    @abstractmethod
    def load_situation(self, document: Document) -> tuple[Sc, St]:
        """A hand-set position: a scenario and the state in it; or all the file's faults, those against a rule too."""

    # -- play ------------------------------------------------------------------------------------

    @abstractmethod
    def begin(self, scenario: Sc) -> St:
        """The state in which a scenario opens, the same every time."""

    @abstractmethod
    def play(self, battle: B) -> Rules:
        """The whole game as a procedure that starts wherever the state stands.

        At a quiet question the state alone leads back to it: the procedure started afresh asks the same, with the same
        keys in the same order. Keys are stable: the same thing has the same key in every state and every version of a
        rule set. Dice are thrown through the battle alone, and nothing that is not in the state changes what is asked.
        """

    @abstractmethod
    def result(self, battle: B) -> Result | None:
        """How the battle ended; None while it goes on."""

    def battle(self, scenario: Sc, state: St, dice: Dice) -> B:
        """A battle in a state. It may work out what it likes from the state, and only from that."""
        return self.battle_type(scenario, state, dice)

    @cached_property
    def _encoder(self) -> msgspec.msgpack.Encoder:
        return msgspec.msgpack.Encoder()

    @cached_property
    def _decoder(self) -> msgspec.msgpack.Decoder[St]:
        return msgspec.msgpack.Decoder(self.state_type)

    @cached_property
    def copy(self) -> Callable[[St], St]:
        """Copies a state so that the copy shares nothing that can change."""
        return copier(self.state_type)

    def encode(self, state: St) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        return self._encoder.encode(state)

    def decode(self, data: bytes) -> St:
        """The state of those bytes."""
        return self._decoder.decode(data)

    # -- what a side may know ----------------------------------------------------------------------

    @abstractmethod
    def view(self, battle: B, side: str) -> View:
        """What a side may see, without question and log.

        Two states that differ only in what the side does not know give equal views, byte for byte.
        """

    @abstractmethod
    def conceal(self, battle: B, side: str) -> None:
        """Take out of the state what the side does not know: odds, sight and advice come from what is left."""

    def drafts(self, _battle: B, _side: str) -> Sequence[Draft]:
        """What a side may draw or fill in at any moment, to hand it in when a question takes it. None by default."""
        return ()

    def hints(self, _battle: B, _ask: Ask) -> Mapping[str, str]:
        """What people should know of options before they choose, by key; too dear to be told to programs every time."""
        return {}

    def why_not(self, battle: B, side: str, words: str, *, reacts: bool = False) -> list[Bar]:
        """Why a unit, or a unit's verb, or its attack on a target, is not offered.

        A side that ``reacts`` to what the other does needs no turn of its own.
        """
        if self.reasons is None:
            return []
        verbs = {help.verb for help in self.verbs()}
        return self.reasons.why_not(battle, side, words, verbs=verbs, reacts=reacts)

    @abstractmethod
    def sight(self, battle: B, side: str, start: str, end: str) -> Any:
        """Line of sight between two units or places, with what it crosses.

        A plain word is a unit's id before it is a place; a ``UnitWord`` or ``PlaceWord`` says which it is.

        A record that can ``say()`` itself in words and give its ``view()``, a ``SightView`` for a client.
        """

    @abstractmethod
    def names(self, battle: B) -> Mapping[str, str]:
        """How people call the units, by id: with their ids, or by the scenario's ``callings`` where it has any."""

    def enrolled(self, battle: B) -> Iterator[Enrolled]:
        """The order of battle, from which units get names for people; without one they are always called alike."""
        return iter(())

    def for_people(self, scenario: Sc, state: St | None = None) -> Sc:
        """The same scenario with its units called by names without ids, for a page on which nobody types an id."""
        opening = self.battle(scenario, self.begin(scenario) if state is None else state, ScriptedDice(()))
        called = callings(self.enrolled(opening))
        same: Any = scenario  # a Struct, which Sc does not say
        return msgspec.structs.replace(same, callings=called) if called else scenario

    def whereabouts(self, battle: B, unit: str) -> tuple[str, int]:
        """Where a unit is and which way it faces, 0 where it faces nowhere; a game may have a quicker way."""
        for seen in self.view(battle, "").units:
            if seen.id == unit:
                return seen.place, seen.facing
        return "", 0

    def owner(self, battle: B, unit: str) -> str:
        """The side that a unit belongs to, "" if there is none of that id; a game may have a quicker way."""
        return next((seen.side for seen in self.view(battle, "").units if seen.id == unit), "")

    def turn_of(self, battle: B) -> tuple[int, str]:
        """The turn and the title of its phase."""
        state = battle.state
        return state.turn, self.phases.get(state.phase, state.phase.capitalize())

    # -- checks and pictures -------------------------------------------------------------------------

    @abstractmethod
    def invariants(self, battle: B) -> list[str]:
        """What is wrong with a state that the rules should never reach."""

    @abstractmethod
    def draw(self, battle: B, side: str) -> str:
        """The battle as SVG."""

    @abstractmethod
    def draw_text(self, battle: B, side: str) -> str:
        """The battle as text."""

    @abstractmethod
    def board(self, scenario: Sc) -> BoardView:
        """The sheet that the battle is fought on, in the pixels of the picture that ``land`` gives."""

    @abstractmethod
    def land(self, scenario: Sc, theme: str = "light") -> str:
        """The map as SVG without any piece on it; the theme is "light" or "dark"."""

    def thumbnail(self, scenario: Sc, theme: str = "light") -> str:
        """The map as a small SVG for lists; by default the whole picture."""
        return self.land(scenario, theme)

    def places(self, scenario: Sc) -> Container[str]:
        """The words that name places of the battlefield; a game without named places has none."""
        return ()

    # -- what a chronicle asks -------------------------------------------------------------------------

    def muster(self, battle: B) -> dict[str, Muster]:
        """Every unit of both sides by id, with what is left of its worth: 0 when it is lost, whole when it left.

        By default every unit that can be seen is worth 1; a game knows better what its units are worth.
        """
        return {unit.id: Muster(unit.side, unit.name, unit.place, 1.0) for unit in self.view(battle, "").units}

    def attack(self, event: Event) -> Attack | None:
        """The attack that an event tells of, if it does."""
        return None

    def held(self, battle: B) -> dict[str, str]:
        """What is fought over and who holds it, by place; "" where nobody does."""
        flags = [marker for marker in self.view(battle, "").markers if marker.kind == "objective"]
        return {flag.place: flag.side for flag in flags}

    def score(self, battle: B) -> dict[str, float]:
        """Each side's score, by whatever the scenario counts."""
        return {}

    # -- what comes from the game's folder -------------------------------------------------------------

    def charts(self) -> list[ChartView]:
        """The charts in force that ``headings.toml`` names, each with where it comes from."""
        if self.charts_type is None:
            return []
        now = self.charts_type.in_force()
        return chart_views(now.tables, self.aids.headings, now.user_tables, str(self.charts_type.user_file()))

    def chart_overrides(self) -> list[str]:
        """The user's own files: charts that replace ours, and units laid over ours."""
        charts = [self.charts_type.user_file()] if self.charts_type else []
        return [str(path) for path in (*charts, user_units(self.name)) if path.exists()]

    def load_charts(self, document: Document) -> Charts:
        """A user's own charts laid over the game's, or all the file's faults."""
        if self.charts_type is None:
            raise GrognardError(f"{self.title} has no charts")
        return self.charts_type.read(document)

    def verbs(self) -> list[VerbHelp]:
        """What each verb of the options means, for somebody who has not read the rules."""
        return self.aids.verbs()

    def glossary(self) -> list[Term]:
        """What the tags and abbreviations on counters, in the log and in tallies mean."""
        return self.aids.glossary()

    def lessons(self) -> list[Lesson]:
        """The guided battles that come with the game."""
        return self.aids.lessons()

    # -- what a game may offer besides -----------------------------------------------------------------

    def summary(self, scenario: Sc) -> Mapping[str, str | int]:
        """What a list of scenarios shows besides title, sides and turns: ``map`` in words, ``units`` as a number."""
        return {}

    def random_battle(self, **choices: str | int) -> Sc:
        """A scenario made to order, with choices by their names and a ``seed``."""
        if self.random_battles is None:
            raise GrognardError(f"{self.title} makes no random battles")
        return self.load_scenario(self.random_battles.document(choices))

    def random_choices(self) -> Sequence[Choice]:
        """What can be chosen for a random battle."""
        return self.random_battles.choices() if self.random_battles else ()

    def load_map(self, document: Document) -> Any:
        """A map from its file, or all the file's faults."""
        raise GrognardError(f"{self.title} has no map files")

    def check_force(self, document: Document) -> list[str]:
        """A player's own force from its file, line by line in words with what it costs; or all the file's faults."""
        raise GrognardError(f"{self.title} has no force files")

    def field_of_fire(self, battle: B, side: str, unit: str) -> FieldView:
        """What a unit sees and can fire at from where it stands, so far as the side knows."""
        raise GrognardError(f"{self.title} has no fields of fire")

    def units(self) -> list[UnitSheet]:
        """Every unit of the roster with its figures, the user's own laid over ours."""
        raise GrognardError(f"{self.title} has no roster of units")

    def load_units(self, document: Document) -> Any:
        """A user's own units laid over the game's, or all the file's faults."""
        raise GrognardError(f"{self.title} has no roster of units")

    def tactics(self, scenario: Sc) -> Tactics[B]:
        """How a scenario is played well, for programs that play it."""
        raise GrognardError(f"{self.title} has no tactics yet; only people and random can play it")

    def knobs(self, scenario: Sc) -> list[Knob]:
        """What can be turned to make a scenario fairer; a game may have nothing to turn."""
        return []

    def forces(self, scenario: Sc) -> dict[str, list[str]]:
        """The units of each side in words, such as "4 Rifle Squad", so far as everybody may know them."""
        return {}

    def aims(self, scenario: Sc) -> str:
        """What each side must do to win, in words; by default the text of the scenario's victory conditions."""
        return str(getattr(getattr(scenario, "victory", None), "text", "")).strip()

    def losses(self, battle: B) -> dict[str, list[str]]:
        """What each side has lost, in words."""
        return {}
