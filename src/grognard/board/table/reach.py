"""How far a model can walk: shortest paths round obstacles, and the region that they fill.

A path is a polyline of the model's centre, and its length is what counts. Obstacles are polygons that a centre may not
enter; they are already grown by the model's size. A shortest path bends only at corners that stick out, so the region
within reach is what the start sees, and behind every corner that still has some way left what that corner sees.
Whatever a straight line decides is decided by it alone: the corners are looked at only when one has to go round.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import Point
from grognard.board.table.corners import Ground, Routes, fans
from grognard.board.table.regions import SPECK, areas_only
from grognard.board.table.visibility import (
    HAIR,
    Bools,
    Floats,
    Lookout,
    Stars,
    Walls,
    look,
    outline,
    polygons_of,
)
from grognard.core.poses import Polygon

#: Left, top, right and bottom.
Box = tuple[float, float, float, float]

#: A length may exceed its limit by this much, as ways are summed in floating point (and "within" has a tolerance).
TOLERANCE = 0.01
#: Who stands in an obstacle no deeper than this, by rounding to whole hundredths, starts from its edge.
SLACK = 3.0
#: How many starts are remembered, and about how many places what is there.
_STARTS, _GROUNDS = 40, 4
#: How much further than needed one looks on the second time, in hundredths.
_MARGIN = 500.0
#: Where models end in less than this part of where they could go, only that part is looked at.
_SMALL = 0.6


class Region(Protocol):
    """Anything with a region, such as a `Reach`."""

    @property
    def polygon(self) -> BaseGeometry:
        """The region."""


class Obstacles:
    """Where a centre may not be or pass on a table; edges may be touched. Shared by all models of one size.

    >>> wall = shapely.box(400, 0, 500, 900)
    >>> Obstacles(1000, 1000, [wall]).free(400, 200)
    True
    """

    def __init__(self, width: int, height: int, blocked: Sequence[BaseGeometry]) -> None:
        self.width, self.height = width, height
        self.polygons = polygons_of(blocked)
        self._raw = Walls.around(outline(self.polygons), width, height)
        self._bounds = shapely.bounds(self.polygons).reshape(-1, 4)
        self._starts: deque[tuple[float, float, float]] = deque(maxlen=_STARTS)
        self._grounds: deque[Ground] = deque(maxlen=_GROUNDS)

    def on_table(self, points: Floats) -> Bools:
        """Which points lie on the table, its edge included."""
        x, y = points[:, 0], points[:, 1]
        return (x >= 0) & (y >= 0) & (x <= self.width) & (y <= self.height)

    def free(self, x: float, y: float) -> bool:
        """Whether a centre may be here."""
        return 0 <= x <= self.width and 0 <= y <= self.height and not self._raw.inside(x, y)

    def inside(self, points: Floats) -> Bools:
        """Which points lie in an obstacle, deeper than by a hair."""
        x, y = points[:, :1], points[:, 1:]
        low_x, low_y, high_x, high_y = self._bounds.T
        which, polygon = np.nonzero((x > low_x) & (x < high_x) & (y > low_y) & (y < high_y))
        spots = np.asarray(shapely.points(points[which]), dtype=object)
        deep = shapely.contains(self.polygons[polygon], spots)
        deep[deep] = shapely.distance(shapely.boundary(self.polygons[polygon[deep]]), spots[deep]) > HAIR
        found = np.zeros(len(points), dtype=bool)
        found[which[deep]] = True
        return found

    def walls_about(self, x: float, y: float, far: float) -> Walls:
        """The outlines that a walk from here can meet, overlapping as they were given."""
        return self._raw.near(x - far, y - far, x + far, y + far)

    def merged(self, x: float, y: float, far: float) -> BaseGeometry:
        """The obstacles about a point as one geometry."""
        return self._merge(np.array((x - far, y - far)), np.array((x + far, y + far)))

    def _merge(self, low: Floats, high: Floats) -> BaseGeometry:
        near = (self._bounds[:, :2] <= high).all(axis=1) & (self._bounds[:, 2:] >= low).all(axis=1)
        return shapely.unary_union(self.polygons[near])

    def expect(self, x: float, y: float, far: float) -> None:
        """Take note of a start, so that what is about it is worked out together with that of its fellows."""
        self._starts.append((x, y, far))

    def ground(self, x: float, y: float, far: float) -> Ground:
        """What a walk from here has to do with; kept for the next start."""
        for known in self._grounds:
            if known.covers(x, y, far):
                return known
        fellows = [s for s in self._starts if abs(s[0] - x) <= far and abs(s[1] - y) <= far]
        starts = np.array([*fellows, (x, y, far)])
        far = float(starts[:, 2].max())
        low, high = starts[:, :2].min(axis=0) - far, starts[:, :2].max(axis=0) + far
        # Fellows that ask one after another, unannounced, are not to make a ground each.
        if any((known.low < (x, y)).all() and (known.high > (x, y)).all() for known in self._grounds):
            low, high = low - _MARGIN, high + _MARGIN
        found = Ground((self.width, self.height), self._merge(low, high), low, high, far)
        self._grounds.append(found)
        return found

    def ground_in(self, low: Floats, high: Floats, far: float) -> Ground:
        """What walks have to do with that do not leave a box."""
        for known in self._grounds:
            if far <= known.far and (known.low <= low).all() and (known.high >= high).all():
                return known
        return Ground((self.width, self.height), self._merge(low, high), low, high, far)


class Reach:
    """Where a model can walk from its start within a distance.

    ``no_end`` may be passed but not ended in, such as the room of friends. Staying where one is is always possible.
    """

    def __init__(self, obstacles: Obstacles, start: Point, far: float, *, no_end: BaseGeometry | None = None) -> None:
        self.obstacles, self.start, self.far = obstacles, start, float(far)
        self.no_end = None if no_end is None or no_end.is_empty else no_end
        #: Whether it has been followed once where it was needed, and not everywhere.
        self.cut_before = False
        obstacles.expect(start[0], start[1], self.far)

    @cached_property
    def origin(self) -> Point | None:
        """Where the walk begins: the start, or the edge of what it stands in by a hair; None if it is shut in."""
        x, y = float(self.start[0]), float(self.start[1])
        if self.obstacles.free(x, y) and not self._in_a_seam(x, y):
            return x, y
        if not (0 <= x <= self.obstacles.width and 0 <= y <= self.obstacles.height):
            return None
        near = self.obstacles.merged(x, y, SLACK)
        edge = shapely.get_coordinates(shapely.shortest_line(near.boundary, shapely.Point(x, y)))
        if len(edge) and float(np.hypot(*(edge[0] - (x, y)))) <= SLACK and self.obstacles.free(*edge[0]):
            return float(edge[0][0]), float(edge[0][1])
        return None

    def _in_a_seam(self, x: float, y: float) -> bool:
        """Whether a place that looks free lies where two obstacles meet."""
        walls = self.obstacles.walls_about(x, y, SLACK)
        return len(walls) > 0 and walls.touches(x, y) and self.obstacles.ground(x, y, self.far).walls.inside(x, y)

    @cached_property
    def _lookout(self) -> Lookout:
        assert self.origin is not None
        return Lookout(self.obstacles.walls_about(*self.origin, self.far), *self.origin)

    def _clear(self, points: Floats) -> Bools:
        """Which points a straight line from the origin reaches."""
        assert self.origin is not None
        clear = self._lookout.clear(points)
        doubtful = np.flatnonzero(clear & self._lookout.skirts(points))
        if len(doubtful):
            merged = Lookout(self.obstacles.ground(*self.origin, self.far).walls, *self.origin)
            clear[doubtful] = merged.clear(points[doubtful])
        return clear

    @cached_property
    def _routes(self) -> Routes:
        return _look_round([self])[1][0]

    def may_end(self, points: Floats) -> Bools:
        """Which points are on the table and outside ``no_end``."""
        good = self.obstacles.on_table(points)
        if self.no_end is not None:
            shapely.prepare(self.no_end)
            good &= ~shapely.contains_xy(self.no_end, points)
        return good | self._stay(points)

    def _stay(self, points: Floats) -> Bools:
        """Which points are the start itself."""
        here: Bools = (points == np.asarray(self.start, dtype=float)).all(axis=1)
        return here

    def lengths(self, points: Floats) -> Floats:
        """The shortest ways to points, whether one may end there or not; infinity beyond reach."""
        points = np.asarray(points, dtype=float).reshape(-1, 2)
        ways = np.full(len(points), np.inf)
        if self.origin is not None:
            out = np.hypot(points[:, 0] - self.origin[0], points[:, 1] - self.origin[1])
            maybe = np.flatnonzero((out <= self.far + TOLERANCE) & self.obstacles.on_table(points))
            straight = self._clear(points[maybe])
            ways[maybe[straight]] = out[maybe[straight]]
            rest = maybe[~straight]
            if len(rest) and "_routes" not in self.__dict__:
                # Who ends in an obstacle has no way round it: the corners are not needed to say so.
                rest = rest[~self.obstacles.inside(points[rest])]
            if len(rest):
                ways[rest] = self._routes.lengths(points[rest], self.far + TOLERANCE)[0]
        ways[self._stay(points)] = 0.0
        return ways

    def straight(self, points: Floats) -> Bools:
        """Which points can be reached in a straight line and ended in; never looks at corners."""
        points = np.asarray(points, dtype=float).reshape(-1, 2)
        good = self.may_end(points)
        if self.origin is None:
            return good & self._stay(points)
        good &= np.hypot(points[:, 0] - self.origin[0], points[:, 1] - self.origin[1]) <= self.far + TOLERANCE
        good[good] = self._clear(points[good])
        return good

    def contains_many(self, points: Floats) -> Bools:
        """Which points can be walked to and ended in."""
        points = np.asarray(points, dtype=float).reshape(-1, 2)
        good = self.may_end(points)
        good[good] = np.isfinite(self.lengths(points[good]))
        return good

    def contains(self, x: float, y: float) -> bool:
        """Whether a point can be walked to and ended in."""
        if (x, y) == self.start:
            return True
        if self.origin is None or math.hypot(x - self.origin[0], y - self.origin[1]) > self.far + TOLERANCE:
            return False
        return bool(self.contains_many(np.array([[x, y]], dtype=float))[0])

    def length(self, x: float, y: float) -> float:
        """The length of the shortest way to a point; infinity if it is beyond reach."""
        return float(self.lengths(np.array([[x, y]], dtype=float))[0])

    def path(self, x: float, y: float) -> list[Point] | None:
        """The shortest way to a point, start and end included; None if it cannot be walked to and ended in."""
        end = np.array([[x, y]], dtype=float)
        if not self.may_end(end)[0]:
            return None
        if (x, y) == self.start or self.origin is None:
            return [self.start, (x, y)] if (x, y) == self.start else None
        if self.straight(end)[0]:
            return [self.start, (x, y)]
        if not np.isfinite(self.length(x, y)):
            return None
        return [self.start, *self._routes.bends(end[0], self.far + TOLERANCE), (x, y)]

    @cached_property
    def whole(self) -> BaseGeometry:
        """Everything that can be walked to, ``no_end`` included."""
        if self.origin is None or self.far <= 0:
            return shapely.Polygon()
        return _wholes([self])[0]

    @cached_property
    def polygon(self) -> BaseGeometry:
        """Everything that can be walked to and ended in; empty if one can only stay."""
        if self.no_end is None:
            return self.whole
        return areas_only(shapely.difference(self.whole, self.no_end))


class Reaches:
    """Several reaches of one model taken together: it goes by whichever of them leads there."""

    def __init__(self, parts: Sequence[Reach]) -> None:
        self.parts = list(parts)

    @cached_property
    def polygon(self) -> BaseGeometry:
        """Everything that can be walked to and ended in."""
        _explore(self.parts)
        return shapely.union_all([part.polygon for part in self.parts])

    def contains_many(self, points: Floats) -> Bools:
        """Which points can be walked to and ended in."""
        return np.asarray(np.logical_or.reduce([part.contains_many(points) for part in self.parts]))

    def contains(self, x: float, y: float) -> bool:
        """Whether a point can be walked to and ended in."""
        return any(part.contains(x, y) for part in self.parts)

    def lengths(self, points: Floats) -> Floats:
        """The shortest ways to points, whether one may end there or not; infinity beyond reach."""
        return np.asarray(np.minimum.reduce([part.lengths(points) for part in self.parts]))


def _look_round(walks: Sequence[Reach], ground: Ground | None = None) -> tuple[Stars, list[Routes]]:
    """What walks as far as each other over one ground see from their starts, and their ways to the corners."""
    origins = np.array([walk.origin for walk in walks], dtype=float)
    far = walks[0].far
    if ground is None:
        ground = walks[0].obstacles.ground(float(origins[0, 0]), float(origins[0, 1]), far)
    walls = ground.walls.near(*(origins.min(axis=0) - far), *(origins.max(axis=0) + far))
    stars = look(walls, origins, np.zeros(len(walks)), np.full(len(walks), 2 * np.pi), far)
    return stars, ground.corners.routes(stars, far)


def _wholes(
    walks: Sequence[Reach], ground: Ground | None = None, boxes: Sequence[Box] | None = None
) -> list[BaseGeometry]:
    """Everything that walks as far as each other over one ground can get to; with ``boxes``, at least within these."""
    stars, routes = _look_round(walks, ground)
    far, each, zero = walks[0].far, np.arange(len(walks)), np.zeros(len(walks))
    whose, rim = stars.rims(each, zero, zero + 2 * np.pi, zero + far)
    seen = shapely.polygons(shapely.linearrings(rim, indices=whose))
    owner, shapes = fans(routes, far)
    owner, shapes = np.concatenate([each, owner]), np.concatenate([seen, shapes])
    if boxes is not None:
        left, top, right, bottom = np.array(boxes)[owner].T
        low_x, low_y, high_x, high_y = shapely.bounds(shapes).T
        near = (low_x <= right) & (high_x >= left) & (low_y <= bottom) & (high_y >= top)
        owner, shapes = owner[near], shapes[near]
    # A shape that floating point has tied in a knot is untied first.
    knots = ~shapely.is_valid(shapes)
    if knots.any():
        shapes[knots] = shapely.make_valid(shapes[knots])
    table = walks[0].obstacles
    return [_clip(areas_only(shapely.unary_union(shapes[owner == i])), table.width, table.height) for i in each]


def _explore(walks: Iterable[Reach]) -> None:
    """Find everything that walks can get to, those over one ground together: that is quicker than one by one."""
    parties: dict[tuple[int, float], list[Reach]] = {}
    for walk in walks:
        if "whole" not in walk.__dict__ and walk.origin is not None and walk.far > 0:
            ground = walk.obstacles.ground(*walk.origin, walk.far)
            parties.setdefault((id(ground), walk.far), []).append(walk)
    for party in parties.values():
        for walk, whole in zip(party, _wholes(party)):
            walk.whole = whole


def _clip(shape: BaseGeometry, width: float, height: float) -> BaseGeometry:
    """The part of a shape on the table."""
    x0, y0, x1, y1 = shape.bounds if not shape.is_empty else (0, 0, 0, 0)
    if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
        return shape
    return areas_only(shapely.intersection(shape, shapely.box(0, 0, width, height)))


def common(reaches: Sequence[Region], offsets: Sequence[tuple[int, int]]) -> list[Polygon]:
    """Where a unit's point may be so that every model, at its offset from it, is within its own reach."""
    return rings(common_area(reaches, offsets))


def common_area(reaches: Sequence[Region], offsets: Sequence[tuple[int, int]]) -> BaseGeometry:
    """The same as a geometry.

    Models that stand far apart have little in common, and their walks are followed only as far as they can end in it.
    Who is asked a second time, for another form, is followed everywhere: that is kept, and serves all forms.
    """
    found: BaseGeometry | None = None
    boxes = _boxes(reaches, offsets)
    if not boxes:
        return shapely.Polygon()
    walks = {id(walk): (walk, box) for reach, box in zip(reaches, boxes) for walk in _walks(reach)}
    fresh = [each for each in walks.values() if "whole" not in each[0].__dict__]
    cut = _cut(fresh) if _far_apart(fresh) and not any(walk.cut_before for walk, _ in fresh) else {}
    if not cut:
        _explore(walk for walk, _ in walks.values())
    for reach, (dx, dy) in zip(reaches, offsets, strict=True):
        parts = _walks(reach) if cut else []
        each = shapely.union_all([_known(walk, cut) for walk in parts]) if parts else reach.polygon
        moved = affinity.translate(each, -dx, -dy)
        found = moved if found is None else shapely.intersection(found, moved)
        if found.is_empty:
            break
    return shapely.Polygon() if found is None else areas_only(found)


def _walks(reach: Region) -> list[Reach]:
    """The walks that a region is made of."""
    parts = reach.parts if isinstance(reach, Reaches) else [reach]
    return [part for part in parts if isinstance(part, Reach)]


def _known(walk: Reach, cut: Mapping[int, BaseGeometry]) -> BaseGeometry:
    """What a walk can get to and end in, so far as it was followed."""
    found = cut.get(id(walk))
    return walk.polygon if found is None else found


def _boxes(reaches: Sequence[Region], offsets: Sequence[tuple[int, int]]) -> list[Box]:
    """For each model the box in which it ends, wherever the unit's point is; none if they cannot all get to it."""
    low, high = np.full(2, -np.inf), np.full(2, np.inf)
    for reach, offset in zip(reaches, offsets, strict=True):
        if walks := _walks(reach):
            starts, far = np.array([walk.start for walk in walks]), np.array([[walk.far + SLACK] for walk in walks])
            low = np.maximum(low, (starts - far).min(axis=0) - offset)
            high = np.minimum(high, (starts + far).max(axis=0) - offset)
    if (low > high).any():
        return []
    return [(*(low + offset).tolist(), *(high + offset).tolist()) for offset in offsets]


def _bounds(walk: Reach, box: Box) -> Box:
    """The box that a walk does not leave if it ends in another: whoever goes beyond that has to come back."""
    (x, y), far = walk.start, walk.far + SLACK
    left, top, right, bottom = box
    return (x - far + left) / 2, (y - far + top) / 2, (x + far + right) / 2, (y + far + bottom) / 2


def _far_apart(walks: Sequence[tuple[Reach, Box]]) -> bool:
    """Whether models end in so small a part of where they could go that it is worth looking only there."""
    if not walks:
        return False
    whole = np.array([(*(np.array(walk.start) - walk.far), *(np.array(walk.start) + walk.far)) for walk, _ in walks])
    small = np.array([_bounds(walk, box) for walk, box in walks])
    sizes = [np.prod(each[:, 2:].max(axis=0) - each[:, :2].min(axis=0)) for each in (whole, small)]
    return bool(sizes[1] < _SMALL * sizes[0])


def _cut(walks: Sequence[tuple[Reach, Box]]) -> dict[int, BaseGeometry]:
    """What each walk can get to and end in within its box, and perhaps more, by the walk's id."""
    found: dict[int, BaseGeometry] = {}
    parties: dict[tuple[int, float], list[tuple[Reach, Box]]] = {}
    for walk, box in walks:
        walk.cut_before = True
        found[id(walk)] = shapely.Polygon()
        if walk.origin is not None and walk.far > 0:
            parties.setdefault((id(walk.obstacles), walk.far), []).append((walk, box))
    for (_, far), party in parties.items():
        bounds = np.array([_bounds(walk, box) for walk, box in party])
        ground = party[0][0].obstacles.ground_in(bounds[:, :2].min(axis=0), bounds[:, 2:].max(axis=0), far)
        wholes = _wholes([walk for walk, _ in party], ground, [box for _, box in party])
        for (walk, box), whole in zip(party, wholes):
            part = shapely.intersection(whole, shapely.box(*box))
            found[id(walk)] = areas_only(part if walk.no_end is None else shapely.difference(part, walk.no_end))
    return found


def rings(geometry: BaseGeometry) -> list[Polygon]:
    """Polygons as rings of whole hundredths, the outer one first; specks and slits are left out."""
    found: list[Polygon] = []
    for part in polygons_of([geometry]) if not geometry.is_empty else ():
        outer, *holes = [
            [(int(x), int(y)) for x, y in np.round(shapely.get_coordinates(ring)[:-1])]
            for ring in shapely.get_rings(part)
            if shapely.area(shapely.Polygon(ring)) > SPECK
        ] or [[]]
        if len(outer) >= 3:
            found.append([outer, *holes])
    return found
