"""Throws that are made together when only odds are wanted: hits and the damage they do, as one spread.

A squad's shots and the damage of their hits have thousands of paths one after the other, but few meanings together.
No rule is told a second time here: which faces hit and which damage is said by `to_hit`, for the dice of a game too;
only throws are added to throws. `to_hit.COMBINING` switches it off, and a test demands
exactly the same odds both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from grognard.core.dice import Faces, Reader, meanings, pool, total
from grognard.games.bolt_action.charts import throw_of
from grognard.games.bolt_action.to_hit import FaceValues, doubled_faces

#: Every shot takes two dice of this many faces: two sixes after each other are one of them.
SIDES = 36

ALWAYS: FaceValues = (1, 1, 1, 1, 1, 1)


class Struck(NamedTuple):
    """What shots came to: whether any hit, the plain damage, and the exceptional."""

    hit: bool
    plain: int
    exceptional: int


class Shots(NamedTuple):
    """So many shots, or as many as dice such as "2D6" show, each of which hits on the same faces."""

    number: int
    dice: str
    hits: FaceValues


def throw(shots: tuple[Shots, ...]) -> str:
    """The dice of a throw: those that tell the number of shots, and two for each shot there may be."""
    return f"{sum(_many(each) + 2 * _most(each) for each in shots)}d{SIDES}"


@cache
def reader(shots: tuple[Shots, ...], damage: FaceValues) -> Reader:
    """Reads shots and the damage of their hits together (13.1, 14.3, 15.3).

    >>> read = reader((Shots(1, "", (0, 0, 1, 1, 1, 1)),), (0, 0, 0, 1, 1, 1))
    >>> [(tuple(each), ways) for each, ways in meanings(2, 36, read)]
    [((False, 0, 0), 432), ((True, 0, 0), 432), ((True, 1, 0), 432)]
    """
    hurt = doubled_faces(damage, 1)

    def read(faces: Faces) -> Struck:
        left = iter(faces)
        hit, found = False, [0, 0, 0]
        for each in shots:
            number = _shown(each, [next(left) for _ in range(_many(each))])
            dice = [(next(left), next(left)) for _ in range(_most(each))]
            hits = doubled_faces(each.hits, 0)
            for first, second in dice[:number]:
                if hits[first - 1]:
                    hit = True
                    found[hurt[second - 1]] += 1
        return Struck(hit, found[1], found[2])

    def spread(number: int, sides: int) -> dict[Any, int]:
        ways: dict[Struck, int] = {Struck(False, 0, 0): 1}
        for each in shots:
            ways = _after(ways, each, hurt)
        return ways

    read.spread = spread  # type: ignore[attr-defined]
    read.worth = lambda meaning: meaning.plain + meaning.exceptional  # type: ignore[attr-defined]
    return read


def _many(each: Shots) -> int:
    """How many dice tell the number of shots."""
    return pool(throw_of(each.dice))[0] if each.dice else 0


def _shown(each: Shots, faces: list[int]) -> int:
    """How many shots there are: each die of 36 is read as one of the dice that tell it."""
    if not each.dice:
        return each.number
    sides = pool(throw_of(each.dice)).sides
    return sum((face - 1) % sides + 1 for face in faces)


def _most(each: Shots) -> int:
    """How many shots there may be."""
    return max(number for number, _ in _numbers(each))


def _numbers(each: Shots) -> Iterable[tuple[int, int]]:
    """Every number of shots with its ways, of 36 for each die that tells it."""
    if not each.dice:
        return ((each.number, 1),)
    many, sides, _ = pool(throw_of(each.dice))
    return tuple((number, ways * (SIDES // sides) ** many) for number, ways in meanings(many, sides, total()))


def _after(ways: dict[Struck, int], each: Shots, hurt: FaceValues) -> dict[Struck, int]:
    """The spread after some more shots."""
    hits = sum(1 for value in doubled_faces(each.hits, 0) if value)
    kinds = [hits * hurt.count(value) for value in range(3)]
    missed = (SIDES - hits) * SIDES
    most = _most(each)
    wanted = dict(_numbers(each))
    found: dict[Struck, int] = {}
    for number in range(most + 1):
        for struck, count in ways.items() if number in wanted else ():
            count *= wanted[number] * (SIDES * SIDES) ** (most - number)
            found[struck] = found.get(struck, 0) + count
        ways = _one_more(ways, missed, kinds)
    return found


def _one_more(ways: dict[Struck, int], missed: int, kinds: list[int]) -> dict[Struck, int]:
    found: dict[Struck, int] = {}
    for (hit, plain, exceptional), count in ways.items():
        for struck, equal in (
            (Struck(hit, plain, exceptional), missed),
            (Struck(True, plain, exceptional), kinds[0]),
            (Struck(True, plain + 1, exceptional), kinds[1]),
            (Struck(True, plain, exceptional + 1), kinds[2]),
        ):
            if equal:
                found[struck] = found.get(struck, 0) + count * equal
    return found
