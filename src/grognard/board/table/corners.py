"""The corners that a shortest path bends round: who sees whom, how far each is, and what each opens up.

Only corners that stick out matter, and only lines that touch them without cutting in. A path that comes along one side
of a corner goes on into the cone between that way and the other side; the two cones of a corner are looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import Point
from grognard.board.table.visibility import HAIR, Bools, Floats, Ints, Stars, Walls, look, outline, polygons_of, unit

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

    def routes(self, stars: Stars, far: float) -> list[Routes]:
        """The shortest ways from each of some starts to all corners, given what the starts see."""
        points, origins = self.points, stars.origins
        # A row for each corner, a column for each start.
        out = np.hypot(points[:, :1] - origins[:, 0], points[:, 1:] - origins[:, 1])
        ways = np.full(out.shape, np.inf)
        near, start = np.nonzero(out < far)
        seen = stars.sees(start, points[near])
        near, start = near[seen], start[seen]
        ways[near, start] = out[near, start]
        before = np.full(out.shape, -1)
        if len(self.end) and len(near):
            straight = ways.copy()
            while True:
                best = np.minimum.reduceat(ways[self.start] + self.way[:, None], self.first)
                known = ways[self.ends]
                better = best < np.minimum(known - 1e-9, far)
                if not better.any():
                    break
                ways[self.ends] = np.where(better, best, known)
            bent = ways < straight - 1e-9
            shortest = ways[self.start] + self.way[:, None] <= ways[self.end] + 1e-9
            through, start = np.nonzero(bent[self.end] & shortest)
            before[self.end[through], start] = self.start[through]
        return [Routes(self, origin, ways[:, i], before[:, i]) for i, origin in enumerate(origins)]


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


def fans(routes: Sequence[Routes], far: float) -> tuple[Ints, NDArray[np.object_]]:
    """What the corners open up to walks over one ground, each as far as the way left: whose, and as polygons."""
    corners = routes[0].corners
    stars, points = corners.stars, corners.points
    ways, before = np.array([r.ways for r in routes]), np.array([r.before for r in routes])
    walk, used = np.nonzero(ways < far - _LITTLE)
    behind = before[walk, used]
    came = np.where(behind[:, None] >= 0, points[behind], np.array([r.origin for r in routes])[walk])
    heading = np.arctan2(points[used, 1] - came[:, 1], points[used, 0] - came[:, 0])
    both = 2 * used[:, None] + np.arange(2)
    turn = np.mod(heading[:, None] - stars.base[both] + 1e-7, _FULL) - 1e-7
    one, side = np.nonzero(turn <= stars.width[both] + 1e-7)
    if not len(one):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=object)
    walk, used, behind, turn = walk[one], used[one], behind[one], turn[one, side]
    cones, gone = 2 * used + side, ways[walk, used]
    width = stars.width[cones]
    # The first cone is left by turning up to its end, the second by turning back to its base.
    room = np.where(side == 0, width - turn, turn) + WIDEN
    number = np.full((len(routes), 2, len(points)), -1)
    number[walk, side, used] = np.arange(len(used))
    along = (behind >= 0) & (corners.next[side, behind] == used)
    chain, place, ends = _chains(np.where(along, number[walk, side, behind], -1), gone, room)
    begins = place == 0
    low = np.where(side == 0, np.maximum(turn - WIDEN * begins, 0.0), WIDEN * ~ends)
    high = np.where(side == 0, width - WIDEN * ~ends, np.minimum(turn + WIDEN * begins, width))
    order = np.lexsort((place * (1 - 2 * side), chain))
    cones = cones[order]
    owner, rim = stars.rims(cones, low[order], high[order], far - gone[order])
    # Each shape goes along its rims and back over its corners.
    _, first, ring = np.unique(chain[order], return_index=True, return_inverse=True)
    rings = np.concatenate([ring[owner], ring[::-1]])
    rim = np.concatenate([rim, stars.origins[cones[::-1]]])
    sort = np.argsort(rings, kind="stable")
    shapes = shapely.polygons(shapely.linearrings(rim[sort], indices=rings[sort]))
    return walk[order][first], np.asarray(shapes, dtype=object)


def _chains(ahead: Ints, ways: Floats, room: Floats) -> tuple[Ints, Ints, Bools]:
    """Which views are one shape, as a walk goes on along an edge from the one before: of which chain, its place in the
    chain, and which ones end theirs.

    The view from a corner ends along the edge to the next, and there the next one's begins, with as much way left:
    a walk round a bush with thirty corners opens one shape and not thirty slivers.
    """
    chain, place, turned = list(range(len(ahead))), [0] * len(ahead), room.tolist()
    ends = np.ones(len(ahead), dtype=bool)
    linked = np.flatnonzero(ahead >= 0)
    linked = linked[np.argsort(ways[linked], kind="stable")]
    for i, front in zip(linked.tolist(), ahead[linked].tolist()):
        if turned[front] + turned[i] < _ROUND:
            chain[i], place[i], turned[i] = chain[front], place[front] + 1, turned[front] + turned[i]
            ends[front] = False
    return np.array(chain), np.array(place), ends


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
