"""Dice for playing on in thought: spread evenly over rounds, and the same for whatever they are compared with."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Any
from weakref import ref

from grognard.core.battle import Battle
from grognard.core.dice import Faces, Reader, meanings, worth

#: Rounds come in blocks of so many, over which throws are spread evenly, each in one of so many orders.
BLOCK, ORDERS = 8, 1024
_rng = Random("orders of a block")
_ORDERS = [tuple(_rng.sample(range(BLOCK), BLOCK)) for _ in range(ORDERS)]


class Spread:
    """How the throws of playouts fall, by what they are thrown for.

    A unit's n-th throw for the same thing falls alike in all playouts of a round, whatever was thrown in between: so
    what differs is due to the answers, and not to dice that have got out of step. Over each block of rounds it falls
    once into each of as many equal parts of its distribution, in an order of its own. So a few rounds tell as much as
    many would with dice that fall as they like, and every round by itself is as fair.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._known: dict[tuple[int, str, str, int], tuple[tuple[int, ...], int]] = {}

    def level(self, number: int, what: str, unit: str, count: int) -> float:
        """Where in its distribution the count-th throw of a unit for something falls in a round, from 0 to 1."""
        block, place = divmod(number, BLOCK)
        known = self._known.get((block, what, unit, count))
        if known is None:
            text = f"{self.seed}/{block}/{what}/{unit}/{count}"
            drawn = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
            known = self._known[block, what, unit, count] = (_ORDERS[drawn % ORDERS], drawn // ORDERS | 1)
        order, mixer = known
        return (order[place] + (mixer * (2 * place + 1) & 0xFFFFFFFF) / 0x100000000) / BLOCK


class StratifiedDice:
    """The dice of a round: they give meanings without faces, as dice that branch do."""

    __slots__ = ("_battle", "_counts", "_number", "_spread", "position")

    def __init__(self, spread: Spread, number: int) -> None:
        self.position, self._spread, self._number = 0, spread, number
        self._counts: dict[tuple[str, str], int] = {}
        self._battle: ref[Battle[object]] | None = None

    def of(self, battle: Battle[object]) -> StratifiedDice:
        """Be thrown in a battle, which tells what for.

        The battle is not held fast: thoughts that hold each other would pile up until somebody looks for garbage.
        """
        self._battle = ref(battle)
        return self

    def roll(self, number: int, sides: int, read: Reader) -> tuple[Any, Faces | None]:
        """The meaning of the next throw."""
        battle = self._battle() if self._battle is not None else None
        assert battle is not None
        self.position += 1
        what, unit = battle.throw.what, battle.throw.unit
        count = self._counts.get((what, unit), 0)
        self._counts[what, unit] = count + 1
        ends, found = _ladder(number, sides, read)
        return found[bisect_right(ends, self._spread.level(self._number, what, unit, count))], None


@lru_cache(maxsize=65536)
def _ladder(number: int, sides: int, read: Reader) -> tuple[list[float], list[Any]]:
    """The meanings of a throw from the worst to the best, and up to where in the unit interval each goes."""
    ways = sorted(meanings(number, sides, read), key=lambda way: worth(read, way[0]))
    total, sum_, ends = float(sides**number), 0, []
    for _, count in ways[:-1]:
        sum_ += count
        ends.append(sum_ / total)
    return ends, [meaning for meaning, _ in ways]
