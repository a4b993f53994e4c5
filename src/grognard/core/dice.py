"""Dice that can be checked, scripted or branched, and the readers that give faces a meaning.

Rules never look at faces. They hand over a *reader*, a cached callable from faces to a hashable
meaning, so that the same rule can run under real dice, under a script, and under branching dice that
walk every distinct meaning with its exact probability.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from grognard.core.errors import GrognardError

#: With more throws than this nobody walks through all of them to say what each means.
MOST_THROWS = 50_000

Faces = tuple[int, ...]
Reader = Callable[[Faces], Any]

_NOTATION = re.compile(r"^(\d+)d(\d+)(?:([+-])(\d+))?$")


class Pool(NamedTuple):
    """A throw such as ``2d6`` with what is added to its sum."""

    number: int
    sides: int
    add: int = 0


@cache
def pool(notation: str) -> Pool:
    """Read dice notation.

    >>> pool("2d6+3")
    Pool(number=2, sides=6, add=3)
    """
    found = _NOTATION.match(notation.replace(" ", ""))
    if not found or not int(found[1]) or not int(found[2]):
        raise ValueError(f"not a dice roll: {notation!r} (write it as 2d6 or 3d6+2)")
    add = int(found[4] or 0)
    return Pool(int(found[1]), int(found[2]), -add if found[3] == "-" else add)


# ---- readers ---------------------------------------------------------------------------------------


@cache
def total(add: int = 0) -> Reader:
    """The sum of the faces, modified.

    >>> total(+2)((3, 4))
    9
    """

    def read(faces: Faces) -> int:
        return sum(faces) + add

    return read


@cache
def at_least(needed: int, add: int = 0) -> Reader:
    """Whether the modified sum reaches a number.

    >>> at_least(7)((3, 3)), at_least(7, add=1)((3, 3))
    (False, True)
    """

    def read(faces: Faces) -> bool:
        return sum(faces) + add >= needed

    return read


@cache
def by_face(meanings: tuple[Hashable, ...], add: int = 0) -> Reader:
    """The meaning that stands beside the modified sum of one die; past either end the last one counts.

    >>> by_face(("miss", "hit"))((2,))
    'hit'
    """

    def read(faces: Faces) -> Hashable:
        return meanings[min(max(sum(faces) + add, 1), len(meanings)) - 1]

    return read


@cache
def drawn(things: tuple[str, ...]) -> Reader:
    """One of several things drawn by chance, such as a die from a cup or a card: at a table it is said by its name.

    >>> drawn(("german", "german", "american"))((3,))
    'american'
    """

    def read(faces: Faces) -> str:
        return things[sum(faces) - 1]

    read.names = things  # type: ignore[attr-defined]
    return read


@cache
def counts(each: tuple[tuple[int, ...], ...], classes: int = 1, words: tuple[str, ...] = ()) -> Reader:
    """How many dice of a handful fall into each class; every die has its own list of the class of each face.

    Class 0 does not count. With one class the meaning is a number, with more a tuple. A handful of twenty dice has
    too many throws to walk, so the reader gives the spread of its meanings itself, by adding die to die. ``words``
    say what the dice of each class do, for the log: "3 good, 1 on a six".

    >>> hits = counts(((0, 0, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1)))  # one needs 3, the other 4
    >>> hits((3, 3)), sorted(meanings(2, 6, hits))
    (1, [(0, 6), (1, 18), (2, 12)])
    """

    def read(faces: Faces) -> Any:
        found = [0] * classes
        for sort, face in zip(each, faces, strict=True):
            if sort[face - 1]:
                found[sort[face - 1] - 1] += 1
        return found[0] if classes == 1 else tuple(found)

    def spread(number: int, sides: int) -> dict[Any, int]:
        ways: dict[tuple[int, ...], int] = {(0,) * classes: 1}
        for sort in each[:number]:
            faces = [sort[:sides].count(kind) for kind in range(classes + 1)]
            after: dict[tuple[int, ...], int] = {}
            for found, count in ways.items():
                for kind, equal in enumerate(faces):
                    if equal:
                        then = found if not kind else (*found[: kind - 1], found[kind - 1] + 1, *found[kind:])
                        after[then] = after.get(then, 0) + count * equal
            ways = after
        return {found[0] if classes == 1 else found: count for found, count in ways.items()}

    read.spread = spread  # type: ignore[attr-defined]
    read.each = each  # type: ignore[attr-defined]
    read.words = words  # type: ignore[attr-defined]
    read.worth = (lambda meaning: meaning) if classes == 1 else sum  # type: ignore[attr-defined]
    return read


@lru_cache(maxsize=65536)
def meanings(number: int, sides: int, read: Reader) -> tuple[tuple[Any, int], ...]:
    """Every distinct meaning of a throw, with how many of the equally likely throws have it."""
    if (spread := getattr(read, "spread", None)) is not None:
        return tuple(spread(number, sides).items())
    ways: dict[Any, int] = {}
    for faces in itertools.product(range(1, sides + 1), repeat=number):
        meaning = read(faces)
        ways[meaning] = ways.get(meaning, 0) + 1
    return tuple(ways.items())


class Weighed(NamedTuple):
    """What a throw is worth: its mean and variance, and of each meaning its value and its probability."""

    mean: float
    variance: float
    each: dict[Any, tuple[float, float]]


@lru_cache(maxsize=65536)
def weigh(number: int, sides: int, read: Reader) -> Weighed:
    """What a throw is worth, where its meaning can be valued, and how likely each meaning is."""
    counts = meanings(number, sides, read)
    throws = sides**number
    values = {meaning: (worth(read, meaning), count / throws) for meaning, count in counts}
    mean = sum(value * count for (value, _), (_, count) in zip(values.values(), counts)) / throws
    variance = sum((value - mean) ** 2 * count for (value, _), (_, count) in zip(values.values(), counts)) / throws
    return Weighed(mean, variance, values)


@lru_cache(maxsize=65536)
def needed(number: int, sides: int, read: Reader) -> tuple[int, int] | None:
    """The lowest and the highest total with which a throw comes to anything; of a handful read die by die, of each die.

    None where every throw means something, or nothing but words that nobody has weighed, or more than one span does.

    >>> needed(2, 6, at_least(7, add=1)), needed(2, 6, total())
    ((6, 12), None)
    >>> needed(3, 6, counts(((0, 0, 0, 1, 1, 1),) * 3))
    (4, 6)
    """
    if (each := getattr(read, "each", None)) is not None:
        alike = len(set(each[:number])) == 1
        return _span(range(1, sides + 1), lambda face: bool(each[0][face - 1])) if alike else None
    if sides**number > MOST_THROWS or hasattr(read, "rolls"):
        return None
    weighed = hasattr(read, "worth")
    good: dict[int, bool] = {}
    for faces in itertools.product(range(1, sides + 1), repeat=number):
        meaning = read(faces)
        if not weighed and not isinstance(meaning, bool):
            return None
        if good.setdefault(sum(faces), worth(read, meaning) > 0) != (worth(read, meaning) > 0):
            return None
    return _span(sorted(good), good.__getitem__)


def _span(totals: Sequence[int], counts: Callable[[int], bool]) -> tuple[int, int] | None:
    """The totals that count, if there are any and they lie in a row; None if all do."""
    found = [total for total in totals if counts(total)]
    if not found or len(found) == len(totals) or found[-1] - found[0] != len(found) - 1:
        return None
    return found[0], found[-1]


def worth(read: Reader, meaning: Any) -> float:
    """The value of a meaning: the reader's own scale, or the number it is."""
    scale = getattr(read, "worth", None)
    if scale is not None:
        return float(scale(meaning))
    return float(meaning) if isinstance(meaning, int | float) else 0.0


# ---- dice ------------------------------------------------------------------------------------------


class FacesNeededError(Exception):
    """A script of faces ran out: somebody must say what was rolled."""

    def __init__(self, number: int, sides: int) -> None:
        self.number, self.sides = number, sides
        super().__init__(f"{number}d{sides}")


class ImpossibleFacesError(GrognardError, ValueError):
    """A script has faces that the dice being rolled cannot show."""


class Dice(Protocol):
    """What a battle throws. ``position`` tells how far along the dice are, and can be set back."""

    position: int

    def roll(self, number: int, sides: int, read: Reader) -> tuple[Any, Faces | None]:
        """The meaning of the next throw, and its faces where there are any."""


class FairDice:
    """The n-th roll of a game is a keyed hash of n with the game's seed, read as faces without bias.

    The commitment is shown before the game and the seed after it, so anyone can check every roll.

    >>> dice = FairDice(b"a seed")
    >>> first = dice.roll(2, 6, total())[0]
    >>> dice.position = 0
    >>> dice.roll(2, 6, total())[0] == first
    True
    """

    __slots__ = ("position", "seed")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        if not 1 <= len(seed) <= 64:
            raise ValueError("a seed has 1 to 64 bytes")
        self.seed, self.position = seed, position

    @property
    def commitment(self) -> str:
        """The hash of the seed: it binds the dice without telling them."""
        return blake2b(self.seed, digest_size=16, person=b"grognard-commit").hexdigest()

    def roll(self, number: int, sides: int, read: Reader) -> tuple[Any, Faces | None]:
        """The next throw."""
        self.position += 1
        faces = fair_faces(self.seed, self.position, number, sides)
        return read(faces), faces


def fair_faces(seed: bytes, count: int, number: int, sides: int) -> Faces:
    """The faces of the count-th roll: hash bytes, leaving out those that would favour low faces."""
    fair = 256 - 256 % sides
    found: list[int] = []
    block = 0
    while True:
        message = count.to_bytes(8, "big") + block.to_bytes(2, "big")
        for byte in blake2b(message, key=seed).digest():
            if byte < fair:
                found.append(byte % sides + 1)
                if len(found) == number:
                    return tuple(found)
        block += 1


class ScriptedDice:
    """Faces given beforehand: for tests, replays and a referee who is told what was rolled."""

    __slots__ = ("position", "script")

    def __init__(self, script: Sequence[int] = ()) -> None:
        self.script, self.position = list(script), 0

    def roll(self, number: int, sides: int, read: Reader) -> tuple[Any, Faces | None]:
        """The next faces of the script; past its end somebody must say them."""
        faces = tuple(self.script[self.position : self.position + number])
        if len(faces) < number:
            raise FacesNeededError(number, sides)
        if any(not 1 <= face <= sides for face in faces):
            shown = " ".join(map(str, faces))
            raise ImpossibleFacesError(f"{shown} is not a result of {number}d{sides}; faces go from 1 to {sides}")
        self.position += number
        return read(faces), faces


class TooDeepError(Exception):
    """A path of branching dice that does not end, as when ties are rolled again."""


class BranchingDice:
    """Walks every path of meanings once, depth first: one run of the procedure a path."""

    DEEPEST = 60

    __slots__ = ("_path", "denominator", "numerator", "position")

    def __init__(self) -> None:
        self._path: list[tuple[int, tuple[tuple[Any, int], ...], int]] = []
        self.restart()

    def restart(self) -> None:
        """Begin the next run of the procedure."""
        self.position, self.numerator, self.denominator = 0, 1, 1

    @property
    def weight(self) -> Fraction:
        """The exact probability of the path walked in this run."""
        return Fraction(self.numerator, self.denominator)

    def roll(self, number: int, sides: int, read: Reader) -> tuple[Any, Faces | None]:
        """The meaning of this roll on the path now walked."""
        if self.position == len(self._path):
            if self.position == self.DEEPEST:
                raise TooDeepError
            self._path.append((0, meanings(number, sides, read), sides**number))
        index, branches, throws = self._path[self.position]
        self.position += 1
        meaning, count = branches[index]
        self.numerator *= count
        self.denominator *= throws
        return meaning, None

    def advance(self) -> bool:
        """Turn to the next path; False when all have been walked."""
        while self._path and self._path[-1][0] + 1 == len(self._path[-1][1]):
            self._path.pop()
        if not self._path:
            return False
        index, branches, throws = self._path[-1]
        self._path[-1] = (index + 1, branches, throws)
        return True
