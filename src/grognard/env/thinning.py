"""Fewer of many, fairly: when a question has more options than there are rows for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def thinned(things: Sequence[T], most: int, kind: Callable[[T], str]) -> list[T]:
    """At most so many of the things, in their order: every kind keeps as many as any other, so far as it has them.

    Kinds that have few keep all; those that have many share what is left, and keep things evenly spread over their
    list, the first among them. So no kind is lost while there are as many rows as kinds.

    >>> thinned(["a1", "b1", "b2", "b3", "b4", "b5"], 4, lambda word: word[0])
    ['a1', 'b1', 'b3', 'b5']
    """
    if len(things) <= most:
        return list(things)
    groups: dict[str, list[int]] = {}
    for number, thing in enumerate(things):
        groups.setdefault(kind(thing), []).append(number)
    kept: list[int] = []
    rows = most
    for left, group in zip(range(len(groups), 0, -1), sorted(groups.values(), key=len)):
        share = min(len(group), -(-rows // left))
        kept += evenly(group, share)
        rows -= share
    return [things[number] for number in sorted(kept)]


def evenly(numbers: Sequence[int], count: int) -> list[int]:
    """So many of the numbers, from the first to the last in even steps.

    >>> evenly(range(9), 3), evenly(range(9), 1), evenly(range(9), 0)
    ([0, 4, 8], [0], [])
    """
    if count < 2:
        return list(numbers[:count])
    step = (len(numbers) - 1) / (count - 1)
    return [numbers[round(place * step)] for place in range(count)]
