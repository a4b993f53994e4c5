"""Answers that are weighed: what each is worth and why, in the game's own points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from grognard.board.table.placement import DriveArea

#: What an answer's line of reasoning is made of: the words, and how much it counts.
Why = tuple[str, float]

#: How many answers are told.
TOLD = 8


class Choice(NamedTuple):
    """An answer: its key, its worth and why; the point of the chart where it leads, if anywhere.

    ``guessed`` are those of its reasons that nobody has looked at closely yet.
    """

    key: str
    worth: float
    why: tuple[Why, ...] = ()
    point: int = -1
    guessed: tuple[Why, ...] = ()


def by_weight(why: Iterable[Why]) -> tuple[Why, ...]:
    """Reasons with those first that count most."""
    return tuple(sorted(why, key=lambda each: -abs(each[1])))


def best_first(found: Iterable[Choice]) -> list[Choice]:
    """Choices with the best first; those that are worth the same as they came."""
    return sorted(found, key=lambda choice: -choice.worth)


def ranked(found: Iterable[Choice]) -> list[Choice]:
    """The best answers, of poses that differ in their form only the first."""
    told: list[Choice] = []
    spots: set[tuple[str, ...]] = set()
    for choice in best_first(found):
        words = choice.key.split()
        spot = tuple(words[:3]) if words[0] == "pose" and words[-1] != DriveArea.FACE else tuple(words)
        if spot not in spots:
            spots.add(spot)
            told.append(choice)
    return told[:TOLD]
