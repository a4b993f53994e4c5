"""The corners that a shortest path bends round: who sees whom, how far each is, and what each opens up.

Only corners that stick out matter, and only lines that touch them without cutting in. A path that comes along one side
of a corner goes on into the cone between that way and the other side; the two cones of a corner are looked at once.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from grognard.board.table.visibility import HAIR, Floats, Ints, Stars, Walls, look, outline, polygons_of, unit

Point = tuple[float, float]

#: Cones are this much wider on either side, in radians, so that neighbouring views overlap.
WIDEN = 0.01
#: A corner that sticks out by less than this, in radians, is no corner.
STRAIGHT = 1e-6
#: With less way left than this a corner opens nothing worth drawing.
_LITTLE = 0.5
_FULL = 2.0 * np.pi
#: A shape that turns further than this, in radians, could run into itself.
_ROUND = 2.5


class Corners:
    """Corners, with the way from each to all that it sees, for walks no longer than ``far``."""

    def __init__(self, points: Floats, next: Ints, stars: Stars, far: float) -> None:
        self.points, self.stars, self.far = points, stars, far
        #: For the first and the second cone, the corner that a walk along the edge comes to, or -1.
        self.next = next
        self._join()

    def _join(self) -> None:
        """Find the pairs that see each other, each within a cone of the other."""
        points, stars = self.points, self.stars
        count = len(points)
        rel_x = points[None, :, 0] - points[:, None, 0]
        rel_y = points[None, :, 1] - points[:, None, 1]
        away = rel_x * rel_x + rel_y * rel_y
        close = np.triu(away < self.far * self.far, 1)
        # Touching without cutting in: both neighbours of the corner are on the same side of the line.
        touch = np.zeros((count, count), dtype=bool)
        for side in (0, 1):
            base, width = stars.base[side::2], stars.width[side::2]
            one_x, one_y = np.cos(base)[:, None], np.sin(base)[:, None]
            two_x, two_y = np.cos(base + width)[:, None], np.sin(base + width)[:, None]
            touch |= (one_x * rel_y - one_y * rel_x >= 0) & (two_x * rel_y - two_y * rel_x <= 0)
        here, there = np.nonzero(close & touch & touch.T)
        seen = stars.sees(2 * here, points[there]) | stars.sees(2 * here + 1, points[there])
        here, there = here[seen], there[seen]
        way = np.sqrt(away[here, there])
        start, end, way = np.concatenate([here, there]), np.concatenate([there, here]), np.concatenate([way, way])
        order = np.argsort(end, kind="stable")
        self.start, self.end, self.way = start[order], end[order], way[order]
        self.ends, self.first = np.unique(self.end, return_index=True)

    def routes(self, star: Stars, origin: Point, far: float) -> Routes:
        """The shortest ways from a start to all corners, given what it sees."""
        points = self.points
        ways = np.full(len(points), np.inf)
        out = np.hypot(points[:, 0] - origin[0], points[:, 1] - origin[1])
        near = np.flatnonzero(out < far)
        if len(near):
            near = near[star.sees(np.zeros(len(near), dtype=np.int64), points[near])]
        ways[near] = out[near]
        before = np.full(len(points), -1)
        if len(self.end) and len(near):
            while True:
                best = np.minimum.reduceat(ways[self.start] + self.way, self.first)
                better = best < np.minimum(ways[self.ends] - 1e-9, far)
                if not better.any():
                    break
                ways[self.ends[better]] = best[better]
            bent = np.isfinite(ways)
            bent[near] = ways[near] < out[near] - 1e-9
            through = np.flatnonzero(bent[self.end] & (ways[self.start] + self.way <= ways[self.end] + 1e-9))
            before[self.end[through]] = self.start[through]
        return Routes(self, np.array(origin), ways, before)


class Routes(NamedTuple):
    """The shortest ways from one start to the corners, and the corner before each (-1: straight from the start)."""

    corners: Corners
    origin: Floats
    ways: Floats
    before: Ints

    def lengths(self, points: Floats, limit: float) -> tuple[Floats, Ints]:
        """The shortest ways round corners to points, no longer than a limit, and the last corner of each."""
        reached = np.flatnonzero(self.ways < limit)
        best, last = np.full(len(points), np.inf), np.full(len(points), -1)
        if not len(reached):
            return best, last
        at = self.corners.points[reached]
        out = np.hypot(points[:, :1] - at[:, 0], points[:, 1:] - at[:, 1]) + self.ways[reached]
        which, corner = np.nonzero(out <= limit)
        cones = 2 * reached[corner]
        stars = self.corners.stars
        seen = stars.sees(cones, points[which]) | stars.sees(cones + 1, points[which])
        which, corner = which[seen], corner[seen]
        order = np.argsort(-out[which, corner], kind="stable")
        which, corner = which[order], corner[order]
        best[which], last[which] = out[which, corner], reached[corner]
        return best, last

    def bends(self, point: Floats, limit: float) -> list[Point]:
        """The corners on the shortest way to a point, in order."""
        at = int(self.lengths(point[None, :], limit)[1][0])
        found: list[Point] = []
        while at >= 0:
            found.append((float(self.corners.points[at, 0]), float(self.corners.points[at, 1])))
            at = int(self.before[at])
        return found[::-1]

    def fans(self, far: float) -> NDArray[np.object_]:
        """What the corners open up, each as far as the way left, as polygons."""
        stars, points = self.corners.stars, self.corners.points
        used = np.flatnonzero(self.ways < far - _LITTLE)
        came = np.where(self.before[used, None] >= 0, points[self.before[used]], self.origin)
        heading = np.arctan2(points[used, 1] - came[:, 1], points[used, 0] - came[:, 0])
        left = far - self.ways[used]
        shapes: list[NDArray[np.object_]] = []
        for side in (0, 1):
            turn = np.mod(heading - stars.base[2 * used + side] + 1e-7, _FULL) - 1e-7
            fits = turn <= stars.width[2 * used + side] + 1e-7
            if fits.any():
                shapes.append(self._chains(side, used[fits], turn[fits], left[fits]))
        return np.concatenate(shapes) if shapes else np.zeros(0, dtype=object)

    def _chains(self, side: int, used: Ints, turn: Floats, left: Floats) -> NDArray[np.object_]:
        """The views from corners on the same side; where a walk goes on along an edge they are one shape.

        The view from a corner ends along the edge to the next, and there the next one's begins, with as much way left:
        a walk round a bush with thirty corners opens one shape and not thirty slivers.
        """
        stars, width = self.corners.stars, self.corners.stars.width[2 * used + side]
        # The first cone is left by turning up to its end, the second by turning back to its base.
        room = (width - turn if side == 0 else turn) + WIDEN
        follows, next = self.before[used].tolist(), self.corners.next[side]
        chain, place, turned = [0] * len(used), [0] * len(used), [0.0] * len(used)
        ends = np.ones(len(used), dtype=bool)
        number = {corner: i for i, corner in enumerate(used.tolist())}
        for chains, i in enumerate(np.argsort(self.ways[used], kind="stable").tolist()):
            ahead = number.get(follows[i], -1)
            if ahead >= 0 and next[follows[i]] == used[i] and turned[ahead] + room[i] < _ROUND:
                chain[i], place[i], turned[i] = chain[ahead], place[ahead] + 1, turned[ahead] + room[i]
                ends[ahead] = False
            else:
                chain[i], turned[i] = chains, room[i]
        begins = np.array(place) == 0
        if side == 0:
            low, high = np.maximum(turn - WIDEN * begins, 0.0), width - WIDEN * ~ends
        else:
            low, high = WIDEN * ~ends, np.minimum(turn + WIDEN * begins, width)
        order = np.lexsort((np.array(place) * (1 - 2 * side), np.array(chain)))
        cones = 2 * used[order] + side
        owner, points = stars.rims(cones, low[order], high[order], left[order])
        # Each shape goes along its rims and back over its corners.
        ring = np.unique(np.array(chain)[order], return_inverse=True)[1]
        rings = np.concatenate([ring[owner], ring[::-1]])
        points = np.concatenate([points, stars.origins[cones[::-1]]])
        sort = np.argsort(rings, kind="stable")
        return np.asarray(shapely.polygons(shapely.linearrings(points[sort], indices=rings[sort])), dtype=object)


class Ground:
    """The obstacles in a box as one, for all walks no longer than ``far`` that stay in it."""

    def __init__(self, table: tuple[int, int], merged: BaseGeometry, low: Floats, high: Floats, far: float) -> None:
        self.table, self.low, self.high, self.far = table, low, high, far
        self.outline = outline(polygons_of([merged]))
        self.walls = Walls.around(self.outline, *table)

    def covers(self, x: float, y: float, far: float) -> bool:
        """Whether everything that a walk from here can meet is known."""
        low, high = self.low, self.high
        return bool(
            far <= self.far and x - far >= low[0] and y - far >= low[1] and x + far <= high[0] and y + far <= high[1]
        )

    @cached_property
    def corners(self) -> Corners:
        """The corners that stick out and leave room to the table's edge."""
        shape, points = self.outline, self.outline.points
        into, out = unit(points - points[shape.before]), unit(points[shape.after] - points)
        turn = np.arctan2(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0], (into * out).sum(axis=1))
        low, high = np.maximum(self.low, HAIR), np.minimum(self.high, np.array(self.table) - HAIR)
        chosen = (turn > STRAIGHT) & (points >= low).all(axis=1) & (points <= high).all(axis=1)
        number = np.full(len(points), -1)
        number[chosen] = np.arange(int(chosen.sum()))
        next = np.stack([number[shape.after[chosen]], number[shape.before[chosen]]])
        points, into, turn = points[chosen], into[chosen], turn[chosen]
        heading = np.arctan2(into[:, 1], into[:, 0])
        base = np.stack([heading - WIDEN, heading + np.pi - WIDEN], axis=1).ravel()
        stars = look(
            self.walls.near(*self.low, *self.high),
            np.repeat(points, 2, axis=0),
            base,
            np.repeat(turn + 2 * WIDEN, 2),
            self.far,
        )
        return Corners(points, next, stars, self.far)
