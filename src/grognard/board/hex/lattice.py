"""The ground of a map at points a twelfth of a hex apart: what lines of sight are tested against, in whole numbers.

Points are pairs of axial coordinates counted in twelfths, so that centres, corners and the middles of hexsides are
points of the lattice. A line between two of them is tested at every twelfth of a hex, at the point of the lattice that
lies nearest; it is walked from whichever end comes first, so that it meets the same points both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import HexGrid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

#: Points of the lattice to a step from hex to hex.
FINE = 12
#: How far the lattice reaches beyond the centre of a hex at the edge of the map.
RIM = FINE
#: The height of what lies off the map: nothing there blocks a line.
NOWHERE = -1_000_000

#: A point in axial coordinates counted in twelfths.
Spot = tuple[int, int]


class Sample(NamedTuple):
    """A point on a line: how many twelfths from its beginning, in which hex ("" off the map), and what is there.

    ``cover`` is the kind of terrain that stands on the ground there and makes it as high as ``top``. What lies in the
    hex of an end, or on its edge, does not ``count``.
    """

    step: int
    hex: str
    ground: int
    cover: str
    top: int
    counts: bool


class Lattice:
    """Heights and cover of a map on its lattice; `lattice_of` keeps one for each map.

    ``tall`` says by how many metres each kind of terrain rises above the ground.
    """

    def __init__(self, field: Battlefield, tall: Mapping[str, int]) -> None:
        assert field.grid is not None
        self.field, self.grid = field, field.grid
        axials = np.array([self.grid.axials[hex] for hex in self.grid.hexes])
        low, high = axials.min(axis=0) * FINE - RIM, axials.max(axis=0) * FINE + RIM
        self.origin: Spot = int(low[0]), int(low[1])
        #: How far apart in the arrays two points are whose first coordinates differ by one.
        self.width = int(high[1] - low[1]) + 1
        size = (int(high[0] - low[0]) + 1) * self.width
        #: The place in the arrays of each hex's centre, in grid order.
        self.centres: NDArray[np.int64] = (axials[:, 0] * FINE - low[0]) * self.width + axials[:, 1] * FINE - low[1]
        cell = np.array([x * self.width + y for x, y in CELL])
        #: The number in grid order of the hex of each point, the first of those that share it; -1 off the map.
        self.hex_at: Ints = np.full(size, -1, dtype=np.int32)
        for number in reversed(range(len(self.centres))):
            self.hex_at[self.centres[number] + cell] = number
        places = np.flatnonzero(self.hex_at >= 0)
        xs, ys = self._metres(places)
        #: The height of the ground at each point, of what stands on it, and which of ``kinds`` that is (-1: nothing).
        self.ground: Ints = np.full(size, NOWHERE, dtype=np.int32)
        self.ground[places] = field.relief.heights(xs, ys)
        self.top: Ints = self.ground.copy()
        self.kinds = tuple(tall)
        self.cover_at = np.full(size, -1, dtype=np.int8)
        for number, kind in enumerate(self.kinds):
            here = places[field.cover.covers(kind, xs, ys)]
            higher = here[self.ground[here] + tall[kind] > self.top[here]]
            self.top[higher] = self.ground[higher] + tall[kind]
            self.cover_at[higher] = number

    def _metres(self, places: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where points lie in metres, as the grid has them."""
        q, r = places // self.width + self.origin[0], places % self.width + self.origin[1]
        (x0, y0), (qx, qy), (rx, ry) = (self.grid.point(*sixths) for sixths in ((0, 0), (6, 0), (0, 6)))
        return x0 + (q * (qx - x0) + r * (rx - x0)) / FINE, y0 + (q * (qy - y0) + r * (ry - y0)) / FINE

    def place(self, spot: Spot) -> int:
        """The place in the arrays of a point."""
        return (spot[0] - self.origin[0]) * self.width + spot[1] - self.origin[1]

    def height(self, hex: str, side: int = 0) -> int:
        """The height of the ground at a hex's centre, or at the middle of its side 1..6."""
        return int(self.ground[self.place(spot_of(self.grid, hex, side))])

    def profile(self, a: str, b: str, side: int = 0) -> Iterator[Sample]:
        """What lies at every twelfth of a hex between a hex's centre and another's, or the middle of that one's side.

        Toward a side the hex that it belongs to is no end: what lies in it on the way counts.
        """
        start, end = spot_of(self.grid, a), spot_of(self.grid, b, side)
        for step, spot in enumerate(line(start, end), 1):
            place = self.place(spot)
            number, cover = int(self.hex_at[place]), int(self.cover_at[place])
            counts = number >= 0 and not in_cell(spot, start) and (side > 0 or not in_cell(spot, end))
            yield Sample(
                step,
                self.grid.hexes[number] if number >= 0 else "",
                int(self.ground[place]),
                self.kinds[cover] if cover >= 0 else "",
                int(self.top[place]),
                counts,
            )


def spot_of(grid: HexGrid, hex: str, side: int = 0) -> Spot:
    """The point of a hex's centre, or of the middle of its side 1..6."""
    if not 0 <= side <= 6:
        raise ValueError(f"side {side}; a side is 1 to 6, or 0 for the centre")
    (q, r), (dq, dr) = grid.axial(hex), grid.steps[side]
    return FINE * q + FINE // 2 * dq, FINE * r + FINE // 2 * dr


def steps_between(start: Spot, end: Spot) -> int:
    """How many twelfths of a hex two points lie apart, as hexes are counted."""
    x, y = end[0] - start[0], end[1] - start[1]
    return max(abs(x), abs(y), abs(x + y))


def line(start: Spot, end: Spot) -> list[Spot]:
    """The points between two others, a twelfth of a hex apart, in order; the same ones from the other end."""
    if end < start:
        return line(end, start)[::-1]
    x, y = end[0] - start[0], end[1] - start[1]
    count = steps_between(start, end)
    found = []
    for step in range(1, count):
        # Of the three coordinates x, y and x + y the longest advances by one each time; another is rounded.
        across, down = (2 * x * step + count) // (2 * count), (2 * y * step + count) // (2 * count)
        if abs(x) == count:
            across = step if x > 0 else -step
        elif abs(y) == count:
            down = step if y > 0 else -step
        else:
            down = (step if x + y > 0 else -step) - across
        found.append((start[0] + across, start[1] + down))
    return found


def in_cell(spot: Spot, centre: Spot) -> bool:
    """Whether a point lies in the hex about a centre, or on its edge."""
    x, y = spot[0] - centre[0], spot[1] - centre[1]
    return max(abs(x - y), abs(x + 2 * y), abs(2 * x + y)) <= FINE


#: The points of a hex, its edge included, from its centre.
CELL = [(x, y) for x in range(-FINE, FINE + 1) for y in range(-FINE, FINE + 1) if in_cell((x, y), (0, 0))]


@lru_cache(maxsize=16)
def _lattice(field: Battlefield, tall: tuple[tuple[str, int], ...]) -> Lattice:
    return Lattice(field, dict(tall))


def lattice_of(field: Battlefield, tall: Mapping[str, int]) -> Lattice:
    """The lattice of a map, worked out once for all battles on it."""
    return _lattice(field, tuple(tall.items()))
