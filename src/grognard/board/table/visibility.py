"""What a point sees past polygons, for all points at once: edges as arrays, clear lines, and stars of sight.

Edges of a polygon may be walked along and its corners touched, so every test is made against outlines drawn in by a
hair (``HAIR``). A line along an edge then has a clear margin on its right side and no special cases are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: How far outlines are drawn in before they are tested, in hundredths.
HAIR = 0.05
#: A line or a point that blocks is this wide on either side.
THIN = 0.5
#: How far an arc may fall short of the true circle.
SAGITTA = 0.5
#: How far walls that end at the table's edge are drawn out over it.
_OVER = 1.0
#: So few lines are tested against every edge; with more it pays to sort them.
_FEW = 12
_FULL = 2.0 * np.pi
#: More than a full turn: what the keys of two cones lie apart.
_CONE = 8.0


class Outline(NamedTuple):
    """The corners of rings one after another: ``before`` and ``after`` are their neighbours' numbers.

    The inside lies to the left of every edge from a corner to the next (with y down: mathematically left). ``first`` is
    the number of each ring's first corner.
    """

    points: Floats
    before: Ints
    after: Ints
    first: Ints


def polygons_of(geometries: Sequence[BaseGeometry]) -> NDArray[np.object_]:
    """The polygons of any geometries; lines and points become thin polygons, empty ones vanish."""
    parts = shapely.get_parts(np.asarray(geometries, dtype=object))
    while len(parts) and (shapely.get_type_id(parts) > 3).any():
        parts = shapely.get_parts(parts)
    kinds = shapely.get_type_id(parts)
    if (kinds < 3).any():
        thin = shapely.buffer(parts[kinds < 3], THIN, quad_segs=2, cap_style="square", join_style="mitre")
        parts = np.concatenate([parts[kinds == 3], shapely.get_parts(thin)])
    return parts[~shapely.is_empty(parts)]


def outline(polygons: NDArray[np.object_]) -> Outline:
    """All rings of polygons, each turned so that the inside is on its left."""
    nothing = np.zeros(0, dtype=np.int64)
    if not len(polygons):
        return Outline(np.zeros((0, 2)), nothing, nothing, nothing)
    rings, of = shapely.get_rings(polygons, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    # Rings repeat their first point at the end, and buffered ones may repeat points in between.
    keep = np.ones(len(points), dtype=bool)
    keep[:-1] = (ring[1:] == ring[:-1]) & ((points[1:] != points[:-1]).any(axis=1))
    keep[-1] = False
    points, ring = points[keep], ring[keep]
    first = np.flatnonzero(np.r_[True, ring[1:] != ring[:-1]])
    last = np.r_[first[1:] - 1, len(ring) - 1]
    number = np.arange(len(points))
    before, after = number - 1, number + 1
    before[first], after[last] = last, first
    ahead = points[after]
    twice = np.add.reduceat(points[:, 0] * ahead[:, 1] - points[:, 1] * ahead[:, 0], first)
    hole = np.r_[False, of[1:] == of[:-1]]
    # Ring numbers of those that kept any point at all.
    turned = (twice < 0) != hole[ring[first]]
    swap = np.repeat(turned, last - first + 1)
    return Outline(points, np.where(swap, after, before), np.where(swap, before, after), first)


def unit(vectors: Floats) -> Floats:
    """Vectors at length 1."""
    return vectors / np.maximum(np.hypot(vectors[:, 0], vectors[:, 1]), 1e-12)[:, None]


def drawn_in(shape: Outline, by: float = HAIR) -> Floats:
    """The corners moved inward so that each edge lies ``by`` inside its place."""
    along = unit(shape.points[shape.after] - shape.points)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    behind = normal[shape.before]
    both = normal + behind
    inner: Floats = shape.points + both * (by / np.maximum(1.0 + (normal * behind).sum(axis=1), 0.1))[:, None]
    return inner


class Walls:
    """The drawn-in edges of outlines, as arrays, with what can be asked of them."""

    def __init__(self, starts: Floats, ends: Floats) -> None:
        self.starts, self.ends = starts, ends
        self.low, self.high = np.minimum(starts, ends), np.maximum(starts, ends)

    @cached_property
    def along(self) -> Floats:
        """The directions of the walls."""
        return unit(self.ends - self.starts)

    @cached_property
    def level(self) -> Floats:
        """The cross product of a wall's direction with any point on it: what a point's must be compared with."""
        level: Floats = self.along[:, 0] * self.starts[:, 1] - self.along[:, 1] * self.starts[:, 0]
        return level

    @classmethod
    def around(cls, shape: Outline, width: float, height: float) -> Walls:
        """The walls of an outline on a table. What ends at the table's edge leaves no way between them."""
        points = drawn_in(shape)
        for axis, size in ((0, width), (1, height)):
            points[shape.points[:, axis] <= HAIR, axis] -= _OVER
            points[shape.points[:, axis] >= size - HAIR, axis] += _OVER
        return cls(points, points[shape.after])

    def __len__(self) -> int:
        return len(self.starts)

    def near(self, x0: float, y0: float, x1: float, y1: float) -> Walls:
        """Only the edges that touch a box."""
        some = (self.high[:, 0] >= x0) & (self.low[:, 0] <= x1) & (self.high[:, 1] >= y0) & (self.low[:, 1] <= y1)
        return self if some.all() else Walls(self.starts[some], self.ends[some])

    def inside(self, x: float, y: float) -> bool:
        """Whether a point lies in any polygon: the sum of their windings, as they may overlap."""
        y0, y1 = self.starts[:, 1], self.ends[:, 1]
        spans = np.flatnonzero((y0 <= y) != (y1 <= y))
        if not len(spans):
            return False
        a, b = self.starts[spans], self.ends[spans]
        at = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
        up = np.where(b[:, 1] > a[:, 1], 1, -1)
        return bool(up[at > x].sum())

    def touches(self, x: float, y: float) -> bool:
        """Whether a place lies on a wall, as far as a hair matters."""
        ahead = (x - self.starts[:, 0]) * self.along[:, 0] + (y - self.starts[:, 1]) * self.along[:, 1]
        aside = (y - self.starts[:, 1]) * self.along[:, 0] - (x - self.starts[:, 0]) * self.along[:, 1]
        long = np.hypot(self.ends[:, 0] - self.starts[:, 0], self.ends[:, 1] - self.starts[:, 1])
        return bool(((np.abs(aside) <= 2 * HAIR) & (ahead >= -2 * HAIR) & (ahead <= long + 2 * HAIR)).any())


class Lookout:
    """Straight lines from one place outside all polygons: what they meet."""

    def __init__(self, walls: Walls, x: float, y: float) -> None:
        self.x, self.y = x, y
        a0, a1 = walls.starts[:, 0] - x, walls.starts[:, 1] - y
        b0, b1 = walls.ends[:, 0] - x, walls.ends[:, 1] - y
        e0, e1 = b0 - a0, b1 - a1
        beyond = a0 * e1 - a1 * e0
        # Who goes in through an edge crosses it from its right to its left: the others need no look.
        facing = beyond < 0
        self._arrays = tuple(v[facing] for v in (a0, a1, b0, b1, e0, e1, beyond))
        # Walls that point at the place, both of whose ends may lie in one line with it.
        beside = np.abs(beyond) <= 3 * HAIR * np.hypot(e0, e1)
        ends = np.concatenate([np.stack([a0, a1], axis=1)[beside], np.stack([b0, b1], axis=1)[beside]])
        self._pointing = [(float(tx), float(ty)) for tx, ty in ends if math.hypot(tx, ty) > 3 * HAIR]

    @cached_property
    def _spans(self) -> tuple[Floats, Floats]:
        """The angles between which each wall is seen."""
        a0, a1, b0, b1, *_ = self._arrays
        low = np.arctan2(b1, b0)
        return low, low + np.mod(np.arctan2(a1, a0) - low, _FULL)

    def clear(self, points: Floats) -> Bools:
        """Which points a straight line reaches without entering a polygon."""
        clear = np.ones(len(points), dtype=bool)
        a0, a1, b0, b1, e0, e1, beyond = self._arrays
        if not len(a0) or not len(points):
            return clear
        d0, d1 = points[:, 0] - self.x, points[:, 1] - self.y
        if len(points) <= _FEW:
            hit = (d0[:, None] * a1 - d1[:, None] * a0 >= 0) != (d0[:, None] * b1 - d1[:, None] * b0 >= 0)
            hit &= d0[:, None] * e1 - d1[:, None] * e0 < beyond
            few: Bools = ~hit.any(axis=1)
            return few
        # Many points are sorted by their angle: each wall then has to do with one run of them, or two.
        angles = np.arctan2(d1, d0)
        order = np.argsort(angles)
        angles = angles[order]
        low, high = self._spans
        round = np.flatnonzero(high > np.pi)
        first = np.concatenate([np.searchsorted(angles, low), np.zeros(len(round), dtype=np.int64)])
        last = np.searchsorted(angles, np.concatenate([high, high[round] - _FULL]), side="right")
        wall, point = ranges(first, last)
        wall, point = np.concatenate([np.arange(len(low)), round])[wall], order[point]
        hit = d0[point] * e1[wall] - d1[point] * e0[wall] < beyond[wall]
        clear[point[hit]] = False
        return clear

    def skirts(self, points: Floats) -> Bools:
        """Which lines run along a wall.

        Between two polygons that share an edge such a line finds a slit where there is none; it has to be looked at
        again when they are one.
        """
        found = np.zeros(len(points), dtype=bool)
        for tx, ty in self._pointing:
            d0, d1 = points[:, 0] - self.x, points[:, 1] - self.y
            found |= (np.abs(d0 * ty - d1 * tx) <= 3 * HAIR * math.hypot(tx, ty)) & (d0 * tx + d1 * ty > 0)
        return found


class Stars(NamedTuple):
    """What points see in cones: spans of angles, sorted, and the wall that ends the view in each, or -1 for none.

    ``keys`` are the ends of the spans, as the number of the cone times `_CONE` plus the angle from the cone's base;
    ``wall`` and ``cone`` belong to the span from one key to the next.
    """

    origins: Floats
    base: Floats
    width: Floats
    keys: Floats
    wall: Ints
    walls: Walls

    def wall_distance(self, cones: Ints, wall: Ints, angles: Floats) -> Floats:
        """How far from the cones' origins the lines of walls lie at angles from the base; infinity for no wall."""
        if not len(self.walls):
            return np.full(len(angles), np.inf)
        ends = self.walls.starts[wall] - self.origins[cones]
        along = self.walls.along[wall]
        true = self.base[cones] + angles
        with np.errstate(divide="ignore", invalid="ignore"):
            out = (ends[:, 0] * along[:, 1] - ends[:, 1] * along[:, 0]) / (
                np.cos(true) * along[:, 1] - np.sin(true) * along[:, 0]
            )
        return np.where((wall < 0) | ~(out > 0), np.inf, out)

    def view(self, cones: Ints, angles: Floats) -> Floats:
        """How far the cones' origins see at angles from the base."""
        span = np.searchsorted(self.keys, cones * _CONE + angles, side="right") - 1
        return self.wall_distance(cones, self.wall[np.minimum(span, len(self.wall) - 1)], angles)

    def sees(self, cones: Ints, points: Floats) -> Bools:
        """Whether the origin of each cone sees the point beside it; False where it lies outside the cone."""
        rel = points - self.origins[cones]
        angles = np.mod(np.arctan2(rel[:, 1], rel[:, 0]) - self.base[cones], _FULL)
        within = angles <= self.width[cones]
        within[within] &= np.hypot(rel[within, 0], rel[within, 1]) <= self.view(cones[within], angles[within])
        return within

    def rims(self, cones: Ints, low: Floats, high: Floats, radius: Floats) -> tuple[Ints, Floats]:
        """The far rim of what cones' origins see between two angles as far as a radius: whose, and points in order.

        Arcs are inscribed.
        """
        first = np.searchsorted(self.keys, cones * _CONE + low, side="right") - 1
        last = np.searchsorted(self.keys, cones * _CONE + high, side="left")
        last = np.minimum(last, len(self.keys) - 1)
        fan, span = ranges(first, last)
        wall = self.wall[span]
        begin = np.maximum(self.keys[span] - cones[fan] * _CONE, low[fan])
        end = np.minimum(self.keys[span + 1] - cones[fan] * _CONE, high[fan])
        # Where a wall leaves the circle the span is cut in up to three.
        walls = self.walls if len(self.walls) else _NO_WALL
        ends = walls.starts[wall] - self.origins[cones[fan]]
        along = walls.along[wall]
        off = ends[:, 0] * along[:, 1] - ends[:, 1] * along[:, 0]
        toward = np.arctan2(-along[:, 0], along[:, 1]) + np.where(off < 0, np.pi, 0.0)
        half = np.arccos(np.clip(np.abs(off) / radius[fan], 0.0, 1.0))
        middle = (begin + end) / 2
        turn = np.mod(toward - self.base[cones[fan]] - middle + np.pi, _FULL) - np.pi + middle
        one, two = np.clip(turn - half, begin, end), np.clip(turn + half, begin, end)
        nothing = wall < 0
        one[nothing] = two[nothing] = end[nothing]
        cut = np.stack([begin, one, two, end], axis=1)
        begin, end = cut[:, :-1].ravel(), cut[:, 1:].ravel()
        fan, wall = np.repeat(fan, 3), np.repeat(wall, 3)
        arc = np.tile([True, False, True], len(cut))
        some = end - begin > 1e-9
        begin, end, fan, wall, arc = begin[some], end[some], fan[some], wall[some], arc[some]
        step = 2 * np.arccos(np.maximum(1.0 - SAGITTA / radius, 0.0))
        steps = np.where(arc, np.ceil((end - begin) / step[fan]), 1).astype(np.int64)
        piece, number = ranges(np.zeros(len(steps), dtype=np.int64), steps + 1)
        angles = begin[piece] + (end - begin)[piece] * number / steps[piece]
        owner = fan[piece]
        out = np.minimum(radius[owner], self.wall_distance(cones[owner], np.where(arc, -1, wall)[piece], angles))
        true = self.base[cones[owner]] + angles
        points = self.origins[cones[owner]] + out[:, None] * np.stack([np.cos(true), np.sin(true)], axis=1)
        fresh = np.r_[True, (np.abs(points[1:] - points[:-1]) > 1e-6).any(axis=1) | (owner[1:] != owner[:-1])]
        return owner[fresh], points[fresh]


#: What stands in for walls where there are none at all.
_NO_WALL = Walls(np.zeros((1, 2)), np.ones((1, 2)))


def ranges(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """All numbers from each first up to its last, and whose they are."""
    counts = np.maximum(last - first, 0)
    whose = np.repeat(np.arange(len(counts)), counts)
    numbers = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts) + first[whose]
    return whose, numbers


def look(walls: Walls, origins: Floats, base: Floats, width: Floats, radius: float) -> Stars:
    """What origins outside the walls see, each in a cone from its base angle, as far as a radius.

    Walls do not cross each other, so from one end of a wall to the next end of any, the nearest wall is the same one.
    """
    cones = np.arange(len(origins))
    # Plain products and no matrix ones: those would start threads for so little.
    x, y = origins[:, :1], origins[:, 1:]
    off = y * walls.along[:, 0] - x * walls.along[:, 1] - walls.level
    maybe = (off < 0) & (off > -radius)
    if width.max(initial=0.0) < np.pi:
        # Walls wholly on the wrong side of either edge of the cone are out.
        for turn, sign in ((base, 1.0), (base + width, -1.0)):
            across, along = -sign * np.sin(turn)[:, None], sign * np.cos(turn)[:, None]
            level = across * x + along * y
            starts = across * walls.starts[:, 0] + along * walls.starts[:, 1] >= level
            maybe &= starts | (across * walls.ends[:, 0] + along * walls.ends[:, 1] >= level)
    cone, wall = np.nonzero(maybe)
    # Seen from outside a wall runs from its end to its start.
    a, b = walls.starts[wall] - origins[cone], walls.ends[wall] - origins[cone]
    low = np.mod(np.arctan2(b[:, 1], b[:, 0]) - base[cone], _FULL)
    high = low + np.mod(np.arctan2(a[:, 1], a[:, 0]) - np.arctan2(b[:, 1], b[:, 0]), _FULL)
    round = high > _FULL
    cone, wall = np.concatenate([cone, cone[round]]), np.concatenate([wall, wall[round]])
    low = np.concatenate([low, np.maximum(low[round] - _FULL, 0.0)])
    high = np.minimum(np.concatenate([high, high[round] - _FULL]), width[cone])
    some = high - low > 1e-9
    cone, wall, low, high = cone[some], wall[some], low[some], high[some]
    low, high = np.round(cone * _CONE + low, 10), np.round(cone * _CONE + high, 10)
    bounds = np.concatenate([cones * _CONE, np.round(cones * _CONE + width, 10)])
    keys = np.unique(np.concatenate([low, high, bounds]))
    whose, span = ranges(np.searchsorted(keys, low), np.searchsorted(keys, high))
    nearest = np.full(len(keys), -1, dtype=np.int64)
    stars = Stars(origins, base, width, keys, nearest, walls)
    of = cone[whose]
    out = stars.wall_distance(
        of, wall[whose], (keys[span] + keys[np.minimum(span + 1, len(keys) - 1)]) / 2 - of * _CONE
    )
    best = np.full(len(keys), np.inf)
    np.minimum.at(best, span, out)
    won = out <= best[span]
    nearest[span[won]] = wall[whose[won]]
    # Spans with the same wall are one; what lies behind it does not matter. Keys between two cones stay.
    change = np.isin(keys, bounds)
    change[1:] |= nearest[1:] != nearest[:-1]
    return Stars(origins, base, width, keys[change], nearest[change], walls)
