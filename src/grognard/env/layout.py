"""What stands where in an observation: globals, then a row a unit, a row a marker and a row an option.

All figures lie in -1 to 1. Which columns there are follows from the game's verbs and from the words of a scenario:
environments with the same sizes and words have the same columns.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grognard.core.dice import FairDice
from grognard.core.game import Game
from grognard.core.sixths import PARTS

Floats = NDArray[np.float32]

#: How many columns words of an open-ended kind are spread over; see `spread`.
STATES, QUESTIONS, PHASES, MARKS = 64, 32, 16, 24

GLOBALS = ("turn", "side", "active", "reaction", "quiet", "offered", "thinned")
UNITS = ("there", "own", "on map", "x", "y", "facing x", "facing y", "worth", "carried", "may act", "may be target")
MARKERS = ("there", "own", "x", "y", "objective")
OPTIONS = (
    "there",
    "place in list",
    "unit",
    "unit row",
    "unit x",
    "unit y",
    "unit worth",
    "target",
    "target row",
    "target own",
    "target worth",
    "place",
    "place x",
    "place y",
    "across",
    "down",
    "to objective",
    "nearer objective",
    "on objective",
    "to enemy",
    "nearer enemy",
    "to friend",
    "cost",
    "range",
)

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LETTERS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=4096)
def spread(word: str, columns: int) -> list[int]:
    """The two columns of a word among so many, always the same: two words may share one, but hardly ever both.

    >>> spread("pin", 64), spread("advance", 64)
    ([51, 55], [51, 47])
    """
    number = crc32(word.encode())
    return [number % columns, number // columns % columns]


def squash(value: float, half: float) -> float:
    """A figure of any size in -1 to 1; half of it is reached at ``half``."""
    return value / (abs(value) + half)


def number_in(value: Any) -> float | None:
    """The figure that a value is, or the first that it has in its words; None if it has none.

    >>> number_in(4), number_in("10 of 12"), number_in("1½ MP"), number_in("½ MP"), number_in("Regular")
    (4.0, 10.0, 1.5, 0.5, None)
    """
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    part = sum(float(PARTS[sign]) for sign in value if sign in PARTS)
    found = _NUMBER.search(value)
    return float(found[0]) + part if found else part or None


@lru_cache(maxsize=4096)
def state(text: str) -> tuple[list[int], float]:
    """The columns of a unit's state, by its first word, and how much of it there is.

    >>> state("1 pin")[0] == state("3 pins")[0], state("1 pin")[1], state("shaken")[1]
    (True, 0.2, 1.0)
    """
    word = _LETTERS.search(text)
    figure = _NUMBER.search(text)
    name = word[0].lower() if word else text
    if figure is None:
        return spread(name, STATES), 1.0
    return spread(name.removesuffix("s"), STATES), squash(float(figure[0]), 4.0)


def grounds(text: str) -> dict[str, float]:
    """What the words for a hex say of its ground, each with how much of it there is; names of places are left out.

    >>> grounds("light woods, level 2, Hill 187")
    {'light woods': 1.0, 'level': 0.5}
    """
    found = {}
    for part in text.split(", "):
        if part[:1].islower():
            figure = _NUMBER.search(part)
            name = _NUMBER.sub("", part).strip()
            found[name] = squash(float(figure[0]), 2.0) if figure else 1.0
    return found


class Words(NamedTuple):
    """The words that name columns: what is counted for each side, what units have figures of, kinds of ground."""

    tracks: tuple[str, ...]
    stats: tuple[str, ...]
    grounds: tuple[str, ...]

    @classmethod
    def of(cls, game: Game, scenario: Any) -> Words:
        """The words of a scenario as it opens, as its sides see it."""
        battle = game.battle(scenario, game.begin(scenario), FairDice(b"words"))
        tracks: dict[str, None] = {}
        stats: set[str] = set()
        for side in scenario.sides:
            view = game.view(battle, side)
            tracks |= {
                name: None for name, track in view.tracks.items() if all(each in track for each in scenario.sides)
            }
            for unit in view.units:
                stats |= {name for name, value in unit.stats.items() if number_in(value) is not None}
        ground = {name for hex in game.board(scenario).hexes for name in grounds(hex.text)}
        return cls(tuple(tracks), tuple(sorted(stats)), tuple(sorted(ground)))

    def joined(self, *others: Words) -> Words:
        """The words of several scenarios together, for one player that learns all of them."""
        every = (self, *others)
        tracks = dict.fromkeys(track for each in every for track in each.tracks)
        stats = {stat for each in every for stat in each.stats}
        return Words(
            tuple(tracks), tuple(sorted(stats)), tuple(sorted({name for each in every for name in each.grounds}))
        )


class Parts(NamedTuple):
    """The parts of an observation, each a view into it."""

    globals: Floats
    units: Floats
    markers: Floats
    options: Floats


class Layout:
    """How an observation is laid out, for so many units, markers and options."""

    def __init__(self, verbs: tuple[str, ...], words: Words, units: int, markers: int, options: int) -> None:
        self.words = words
        self.units, self.markers, self.options = units, markers, options
        self.verbs = {verb: number for number, verb in enumerate(verbs)}
        states, ground = _numbered("state", STATES), tuple(f"ground {name}" for name in words.grounds)
        tracks = [f"{track}, {whose}" for track in words.tracks for whose in ("own", "enemy")]
        #: The names of the columns of each part.
        self.columns: dict[str, tuple[str, ...]] = {
            "globals": (*GLOBALS, *tracks, *_numbered("question", QUESTIONS), *_numbered("phase", PHASES)),
            "units": (*UNITS, *(f"figure {stat}" for stat in words.stats), *states, *ground),
            "markers": (*MARKERS, *_numbered("kind", MARKS)),
            "options": (*OPTIONS, *ground, *(f"verb {verb}" for verb in verbs), "verb unknown"),
        }
        rows = {"globals": 1, "units": units, "markers": markers, "options": options}
        self.shapes = {part: (count, len(self.columns[part])) for part, count in rows.items()}
        ends = np.cumsum([count * width for count, width in self.shapes.values()]).tolist()
        self.size: int = ends[-1]
        self._cuts = ends[:-1]

    def split(self, observation: Floats) -> Parts:
        """The parts of an observation: globals as a line, the others as tables with a row a thing."""
        pieces = np.split(observation, self._cuts)
        tables = [piece.reshape(shape) for piece, shape in zip(pieces, self.shapes.values())]
        return Parts(tables[0][0], *tables[1:])

    def column(self, part: str, name: str) -> int:
        """The number of a column of a part; ValueError if there is none of that name."""
        return self.columns[part].index(name)


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name} {number}" for number in range(count))
