"""What stands in the way of a unit that moves: ground that is closed to it, other units, and wrecks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import Body
from grognard.board.table.footing import Barrier, Footing, barriers, edges_of
from grognard.board.table.terrain import Piece
from grognard.core.ask import Bar
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Unit

Floats = NDArray[np.float64]
B = TypeVar("B", bound=TableBattle[Any, Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])


class Keep(NamedTuple):
    """How far models keep off a base, and why; where they are ``passing`` they may go nearer, but not stop there."""

    gap: float
    bar: Bar
    passing: bool = False


class GroundRules(ABC, Generic[B, U]):
    """What is in the way on one kind of move, such as a march, a run along a road or an assault."""

    off_table: ClassVar[Bar]
    #: Why nobody goes through a wreck; None where they may.
    wreck: ClassVar[Bar | None] = None
    #: Whoever stands farther than this beyond the move is not in its way: more than a base and the gap to be kept.
    near: ClassVar[float] = 500.0

    def __init__(self, battle: B) -> None:
        self.battle = battle

    @abstractmethod
    def closed(self, unit: U, piece: Piece) -> tuple[Bar, bool] | None:
        """Why ground is closed to a unit, and whether to its whole bases or to their middles only; None if it is not.

        It may hang on nothing but the table and the `key`: it is asked once for them.
        """

    @abstractmethod
    def key(self, unit: U) -> Hashable:
        """Moves of one key, of this and of every other game, find the same ground closed."""

    def shapes(self, unit: U) -> Iterable[tuple[BaseGeometry, Bar]]:
        """What else its middles may not enter, such as all that is not road on a move along the road."""
        return ()

    def stands(self, unit: U, other: U) -> bool:
        """Whether another unit on the table takes up room."""
        return True

    @abstractmethod
    def keeps(self, unit: U, other: U, body: Body) -> Iterable[Keep]:
        """How the models of a unit keep off a base of another."""


def terrain_for(rules: GroundRules[B, U], unit: U, radius: float) -> list[Barrier]:
    """The terrain that is closed to bases of a radius; worked out once for each table."""
    return barriers(rules.battle.table, rules.key(unit), radius, lambda piece: rules.closed(unit, piece))


def footing_for(
    rules: GroundRules[B, U], unit: U, starts: Floats, radius: float, far: float, *, placed: bool = False
) -> Footing:
    """The ground for bases that go as discs of a radius, on a move of at most so far from any of the starts.

    Whoever begins too near to somebody, or in closed ground, may go away from it. Models that are ``placed`` do not
    come from the starts, which only say where to look.
    """
    battle = rules.battle
    found = Footing(battle.table, rules.off_table)
    low, high = starts.min(0) - far - rules.near, starts.max(0) + far + rules.near
    starts = starts[:0] if placed else starts
    found.block_terrain(terrain_for(rules, unit, radius), starts, low, high)
    for shape, bar in rules.shapes(unit):
        found.block_shape(shape, edges_of(shape), bar)
    for other in battle.units():
        if other.id == unit.id or not rules.stands(unit, other):
            continue
        for body in battle.bodies(other):
            if not (low[0] <= body.x <= high[0] and low[1] <= body.y <= high[1]):
                continue
            for keep in rules.keeps(unit, other, body):
                if keep.passing:
                    found.no_stop(body, radius + keep.gap, keep.bar)
                else:
                    found.block_body(body, radius + keep.gap, keep.bar, starts)
    if rules.wreck is not None:
        for wreck in battle.wreck_bodies():
            if low[0] <= wreck.x <= high[0] and low[1] <= wreck.y <= high[1]:
                found.block_body(wreck, radius, rules.wreck, starts)
    return found
