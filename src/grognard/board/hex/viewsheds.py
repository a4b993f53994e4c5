"""What can be seen from a hex over ground with heights, all of a map at once: `sight.look` for every hex, in NumPy.

Which points of the lattice a line meets depends only on how far apart its ends are, and in which direction. So these
patterns are worked out once for a grid and laid on whichever end is asked about. Every answer is the plain rule's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grognard.board.hex.grid import HexGrid
from grognard.board.hex.lattice import FINE, Lattice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]


class _Ring(NamedTuple):
    """All lines of one length from an end: to which hexes, over which points, and which of those count.

    ``hexes`` are steps from the end's own hex in axial coordinates; points are places in the lattice's arrays from
    where the line begins.
    """

    length: int
    hexes: NDArray[np.int64]
    points: Ints
    counts: Bools


class Viewsheds:
    """What is seen from each hex of a map, kept once it was worked out."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice, self.grid = lattice, lattice.grid
        axials = np.array([self.grid.axials[hex] for hex in self.grid.hexes])
        self._axials, self._low = axials, axials.min(axis=0)
        span = axials.max(axis=0) - self._low + 1
        #: The number of the hex at axial coordinates, -1 off the map.
        self._numbers: NDArray[np.int64] = np.full(tuple(span), -1, dtype=np.int64)
        self._numbers[tuple((axials - self._low).T)] = np.arange(len(axials))
        self._span = span
        self._heights: Ints = lattice.ground[lattice.centres]
        self._kept: dict[tuple[str, int], Bools] = {}

    def sees(self, a: str, b: str, side: int = 0) -> bool:
        """Whether the ground leaves the line clear from a hex to another, or to the middle of a side of that one."""
        return bool(self.row(b, side)[self.grid.index[a]])

    def seen_from(self, hex: str) -> list[str]:
        """The hexes in sight of one, in grid order; itself among them."""
        return self.seeing(hex)

    def seeing(self, hex: str, side: int = 0) -> list[str]:
        """The hexes from whose centres one sees a hex's centre, or the middle of its side, in grid order."""
        return [self.grid.hexes[number] for number in np.flatnonzero(self.row(hex, side)).tolist()]

    def row(self, hex: str, side: int = 0) -> Bools:
        """Whether there is sight between each hex of the map, in grid order, and a hex or the middle of its side."""
        found = self._kept.get((hex, side))
        if found is None:
            found = self._kept[hex, side] = self._look_around(hex, side)
        return found

    def _look_around(self, hex: str, side: int) -> Bools:
        lattice, end = self.lattice, np.array(self.grid.axials[hex])
        dq, dr = self.grid.steps[side]
        if side > 3:
            # The same point as on the other side of the hex beyond, whose patterns serve, be it on the map or not.
            end, side = end + np.array((dq, dr)), side - 3
        place = int(lattice.centres[self.grid.index[hex]]) + FINE // 2 * (dq * lattice.width + dr)
        height = int(lattice.ground[place])
        seen = np.zeros(len(self.grid.hexes), dtype=bool)
        for ring in _rings(self.grid, lattice.width, side):
            there = ring.hexes + end - self._low
            inside = ((there >= 0) & (there < self._span)).all(axis=1)
            numbers = np.full(len(there), -1, dtype=np.int64)
            numbers[inside] = self._numbers[tuple(there[inside].T)]
            rows = np.flatnonzero(numbers >= 0)
            if not len(rows):
                continue
            numbers = numbers[rows]
            # Whole numbers: the line's height times its length, at every step from the end that is asked about.
            step = np.arange(1, ring.length, dtype=np.int32)
            rise = (self._heights[numbers] - height).astype(np.int32)
            line = height * ring.length + rise[:, None] * step
            top = lattice.top[ring.points[rows] + place] * np.int32(ring.length)
            seen[numbers] = ~((top >= line) & ring.counts[rows]).any(axis=1)
        near = [self.grid.index[other] for other in (hex, *self.grid.adjacent[hex])]
        seen[near] = True
        return seen


@lru_cache(maxsize=16)
def _rings(grid: HexGrid, width: int, side: int) -> list[_Ring]:
    """The lines from an end to all hexes that a map of this shape can have, by their length."""
    axials = np.array(list(grid.axials.values()))
    span = axials.max(axis=0) - axials.min(axis=0)
    q, r = (each.ravel() for each in np.meshgrid(*(np.arange(-most - 1, most + 2) for most in span), indexing="ij"))
    dq, dr = grid.steps[side]
    x, y = FINE * q - FINE // 2 * dq, FINE * r - FINE // 2 * dr
    length = np.maximum(np.maximum(abs(x), abs(y)), abs(x + y))
    return [
        _ring(np.stack([q, r], axis=1)[these], x[these], y[these], int(count), width, side)
        for count in np.unique(length[length > 0])
        for these in [length == count]
    ]


def _ring(
    hexes: NDArray[np.int64], x: NDArray[np.int64], y: NDArray[np.int64], count: int, width: int, side: int
) -> _Ring:
    """The lines of one length: their points as `lattice.line` has them, and those that count as `sight.look` does."""
    x, y = x[:, None], y[:, None]
    step = np.arange(1, count)[None, :]
    # A line that comes first from its far end is walked from there: then steps, and what is rounded, turn round.
    ahead = (x > 0) | ((x == 0) & (y > 0))
    sign, walked = np.where(ahead, 1, -1), np.where(ahead, step, count - step)
    across, down = sign * x, sign * y
    a = (2 * across * walked + count) // (2 * count)
    b = (2 * down * walked + count) // (2 * count)
    a = np.where(abs(across) == count, np.sign(across) * walked, a)
    third = np.where(abs(down) == count, np.sign(down) * walked, np.sign(across + down) * walked - a)
    b = np.where(abs(across) == count, b, third)
    px, py = np.where(ahead, a, x + a), np.where(ahead, b, y + b)
    counts = ~_in_cell(px - x, py - y)
    if not side:
        counts &= ~_in_cell(px, py)
    return _Ring(count, hexes, (px * width + py).astype(np.int32), counts)


def _in_cell(x: NDArray[np.int64], y: NDArray[np.int64]) -> Bools:
    found: Bools = np.maximum(np.maximum(abs(x - y), abs(x + 2 * y)), abs(2 * x + y)) <= FINE
    return found


@lru_cache(maxsize=16)
def viewsheds_of(lattice: Lattice) -> Viewsheds:
    """The viewsheds of a lattice, kept for all battles on its map."""
    return Viewsheds(lattice)
