"""A series of games: everything that decides how it runs, and the list of its games with their seeds.

A series is closed. It carries its scenarios whole and says every option, so that it is the same on any machine and
nothing is inherited from where it happens to run.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

import grognard
from grognard.core import registry
from grognard.core.errors import Fault, GrognardError, MalformedError, VersionError
from grognard.core.files import Document, read_kept
from grognard.core.game import Game
from grognard.core.open_files import open_scenario
from grognard.core.words import unknown
from grognard.players.seats import HUMAN, make_player, player_names

SERIES_VERSION = 1
#: A game that has not ended after so many answers is stopped and told apart from those that have.
LIMIT = 20_000


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario of a series, whole: its game, the version of the rules, its file and whatever files that needs."""

    word: str
    game: str
    rules: int
    name: str
    title: str
    sides: tuple[str, ...]
    source: str
    files: dict[str, str] = {}

    def open(self) -> tuple[Game, Any]:
        """The game and the scenario."""
        if self.game not in registry.names():
            known = ", ".join(registry.names())
            raise MalformedError([Fault("series", 0, "game", f"no game called {self.game!r}", known)])
        game = registry.game(self.game)
        if game.rules_version != self.rules:
            right = f"the rules of {game.name} are at version {game.rules_version}"
            raise VersionError([Fault("series", 0, "rules", f"a series under rules version {self.rules}", right)])
        document = Document.from_toml(self.source, f"series: {self.name}")
        document.files = dict(self.files)
        return game, game.load_scenario(document)


class Job(NamedTuple):
    """One game of a series: its number, its scenario by index, the seed of its dice and who sits where."""

    number: int
    field: int
    seed: str
    players: tuple[str, ...]


class Series(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A series: games of each scenario between two players, with sides swapped if wanted.

    ``seconds`` is 0 where players think by count and not by the clock: only then does the same seed give the same
    games on every machine.
    """

    format: str = "grognard series"
    version: int = SERIES_VERSION
    program: str = grognard.__version__
    fields: tuple[Field, ...]
    players: tuple[str, ...]
    games: int
    swap: bool = False
    seed: str
    seconds: float = 0.0
    limit: int = LIMIT

    @cached_property
    def digest(self) -> str:
        """A fingerprint of all that decides how the series runs."""
        return hashlib.blake2b(msgspec.json.encode(self), digest_size=16).hexdigest()

    @property
    def seatings(self) -> tuple[tuple[str, ...], ...]:
        """Who sits where: as told, and the other way round if sides are swapped and that is another thing."""
        other = tuple(reversed(self.players))
        return (self.players, other) if self.swap and other != self.players else (self.players,)

    @property
    def size(self) -> int:
        """How many games there are in all."""
        return len(self.fields) * len(self.seatings) * self.games

    def job(self, number: int) -> Job:
        """The game of a number. Games of the same scenario that differ only in who sits where have the same dice."""
        if not 0 <= number < self.size:
            raise GrognardError(f"no game {number}; the series has the games 0 to {self.size - 1}")
        round_, index = divmod(number, len(self.fields) * len(self.seatings))
        field, seating = divmod(index, len(self.seatings))
        text = f"{self.seed} {self.fields[field].game}/{self.fields[field].name} {round_}"
        seed = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return Job(number, field, seed, self.seatings[seating])

    def jobs(self) -> Iterator[Job]:
        """All games in order: one of each scenario and seating, then another, so that a part is a fair part."""
        return map(self.job, range(self.size))

    def encode(self) -> bytes:
        """The series as a file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


def make_series(
    scenarios: Sequence[str],
    *,
    games: int,
    players: Sequence[str],
    swap: bool = False,
    seed: str = "",
    seconds: float = 0.0,
    limit: int = LIMIT,
) -> Series:
    """A series of the scenarios of these words, each checked; without a seed it gets one of its own."""
    if games < 1:
        raise GrognardError(f"{games} games; a series needs at least one")
    if limit < 1:
        raise GrognardError(f"a limit of {limit} answers; a game needs at least one")
    if not 0 <= seconds < 3600:
        raise GrognardError(f"{seconds} seconds a decision; write 0 to think by count, or a time below an hour")
    if not scenarios:
        raise GrognardError("a series needs a scenario; `grognard scenarios` lists them")
    for name in players:
        # Who can make a player knows every way to write one, such as one with a count.
        if name == HUMAN or make_player(name, "") is None:
            raise unknown("player", name, [each for each in player_names() if each != HUMAN])
    fields = tuple(make_field(word) for word in scenarios)
    twice = [name for name, times in Counter(field.name for field in fields).items() if times > 1]
    if twice:
        raise GrognardError(f"two scenarios of the series are called {twice[0]}; play them in series of their own")
    for field in fields:
        if len(field.sides) != len(players):
            wanted = ", ".join(field.sides)
            raise GrognardError(f"{field.name} needs a player for each of {wanted}, not {len(players)}")
    return Series(
        fields=fields,
        players=tuple(players),
        games=games,
        swap=swap,
        seed=seed or secrets.token_hex(8),
        seconds=float(seconds),
        limit=limit,
    )


def make_field(word: str) -> Field:
    """A scenario by name, by file or made at random, carried whole."""
    game, scenario = open_scenario(word)
    return field_of(game, scenario, word)


def field_of(game: Game, scenario: Any, word: str = "") -> Field:
    """A scenario that was loaded, carried whole."""
    return Field(
        word=word or scenario.name,
        game=game.name,
        rules=game.rules_version,
        name=scenario.name,
        title=scenario.title,
        sides=tuple(scenario.sides),
        source=scenario.source,
        files=dict(scenario.files),
    )


def read_series(data: bytes, name: str) -> Series:
    """A series from its file."""
    return read_kept(data, name, Series, "grognard series", SERIES_VERSION, "series")
