"""The ground that an eye overlooks: where it would see the middle of a model that stood there.

What a thing hides is its shadow: its plan scaled up from the eye, as far as the line to a standing model stays below
its top. So the answer is cut out of polygons, not sampled: near crests and roofs it shows the dead ground and what is
seen again beyond it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import gap_to_line
from grognard.board.table.scene import BLOCKS, CREST, LINE, NO_THROUGH, TINY, USUAL, Eye, Scene, Shape, SightRules
from grognard.board.table.sight_arrays import over_base
from grognard.board.table.sight_plain import FORGIVEN, place_in
from grognard.core.poses import Polygon

#: A man: how tall he is and how far he reaches from his centre, in hundredths.
MAN, MAN_RADIUS = 120, 50
#: Rays that feel their way through woods are no farther apart than this, in degrees.
_STEP = 1.0
#: What is left over by rounding is no ground: square hundredths.
_SLIVER = 400.0


def visible_outline(
    scene: Scene,
    eye: Eye,
    far: float,
    rules: SightRules = USUAL,
    *,
    height: int = MAN,
    radius: int = MAN_RADIUS,
    not_blocking: Sequence[int] = (),
) -> list[Polygon]:
    """Where an eye would see the middle of a model of some height, within a distance: polygons with their holes."""
    return _Outlook(scene, eye, far, rules, height, radius, frozenset(not_blocking)).polygons()


class _Outlook:
    def __init__(
        self, scene: Scene, eye: Eye, far: float, rules: SightRules, height: int, radius: int, free: frozenset[int]
    ) -> None:
        self.scene, self.eye, self.far, self.rules = scene, eye, far, rules
        self.height, self.radius, self.free = height, radius, free
        self.z = scene.ground_heights([(eye.x, eye.y)])[0] + eye.z

    def polygons(self) -> list[Polygon]:
        table = self.scene.table
        whole: BaseGeometry = shapely.box(0, 0, table.width, table.height)
        whole = whole.intersection(shapely.Point(self.eye.x, self.eye.y).buffer(self.far, quad_segs=32))
        seen = []
        for level, region in self._levels(whole):
            if region.is_empty:
                continue
            shadows = [shadow for shape in self.scene.shapes for shadow in self._shadow(shape, level)]
            seen.append(region.difference(shapely.union_all(shadows)) if shadows else region)
        return list(_rings(shapely.union_all(seen)))

    def _levels(self, whole: BaseGeometry) -> Iterable[tuple[float, BaseGeometry]]:
        """The ground at each height."""
        table = self.scene.table
        hills = [piece for piece in table.pieces if table.kind(piece).sight == "crest"]
        higher: BaseGeometry = shapely.Polygon()
        for level in sorted({table.height_of(piece) for piece in hills}, reverse=True):
            here = shapely.union_all([table.area(p) for p in hills if table.height_of(p) == level]).difference(higher)
            yield float(level), here.intersection(whole)
            higher = higher.union(here)
        yield 0.0, whole.difference(higher)

    def _span(self, top: float, level: float) -> tuple[float, float] | None:
        """By which factors a plan is scaled up to its shadow on ground of some level, the lines being below its top."""
        rise = level + self.rules.target_height * self.height - self.z
        if rise == 0:
            return (1.0, math.inf) if self.z < top else None
        cut = (top - self.z) / rise
        if rise > 0:
            return None if cut <= 0 else (max(1.0, 1 / cut), math.inf)
        if cut >= 1:
            return None
        return 1.0, 1 / cut if cut > 0 else math.inf

    def _shadow(self, shape: Shape, level: float) -> list[BaseGeometry]:
        eye, scene = self.eye, self.scene
        if shape.sight == LINE:
            return self._line(shape, level)
        span = self._span(shape.tops[0], level)
        if span is None:
            return []
        number = shape.thing - scene.first_blocker
        if number >= 0 and (number in self.free or scene.blockers[number] == eye.body):
            return []
        ring = shape.points
        pieces = scene.table.pieces
        inside = place_in(pieces[shape.thing].points if shape.thing < len(pieces) else ring, eye.x, eye.y)
        if shape.sight == BLOCKS and scene.things[shape.thing].id == eye.inside:
            walls = [(ring[n], ring[(n + 1) % len(ring)]) for n, wall in enumerate(shape.walls) if wall]
            return self._swept(walls, span)
        if shape.sight == NO_THROUGH:
            found = self._deep(shape, level, bool(inside))
            if not inside:
                found.append(shapely.union_all(self._prism(ring, span)).difference(shapely.Polygon(ring)))
            return found
        if shape.sight != CREST and inside == 2:
            return []
        return self._prism(ring, span)

    def _line(self, shape: Shape, level: float) -> list[BaseGeometry]:
        if shape.height < self.rules.low:
            return []
        found = []
        for number, (a, b) in enumerate(zip(shape.points, shape.points[1:])):
            span = self._span(shape.tops[number], level)
            if span is None or gap_to_line(self.eye.body, [a, b]) <= self.rules.at_hand + FORGIVEN:
                continue
            at_it = shapely.LineString([a, b]).buffer(self.rules.at_hand + self.radius)
            found += [each.difference(at_it) for each in self._swept([(a, b)], span)]
        return found

    def _prism(self, ring: Sequence[tuple[float, float]], span: tuple[float, float]) -> list[BaseGeometry]:
        edges = [(ring[n - 1], ring[n]) for n in range(len(ring))]
        found = self._swept(edges, span)
        for factor in span:
            if factor < math.inf:
                found.append(shapely.Polygon([self._scaled(point, factor) for point in ring]))
        return found

    def _scaled(self, point: tuple[float, float], factor: float) -> tuple[float, float]:
        return self.eye.x + (point[0] - self.eye.x) * factor, self.eye.y + (point[1] - self.eye.y) * factor

    def _swept(
        self, edges: Sequence[tuple[tuple[float, float], tuple[float, float]]], span: tuple[float, float]
    ) -> list[BaseGeometry]:
        """What edges pass over as they are scaled from one factor to another."""
        if not edges:
            return []
        here = np.array([self.eye.x, self.eye.y])
        ends = np.array(edges) - here
        last = np.full(len(edges), span[1])
        if span[1] == math.inf:
            off = shapely.distance(shapely.linestrings(ends), shapely.Point(0, 0))
            last = span[0] * 3 * self.far / np.maximum(off, 0.01)
        quads = shapely.polygons(np.concatenate([ends * span[0], ends[:, ::-1] * last[:, None, None]], axis=1) + here)
        return [_valid(quad) for quad in quads[shapely.area(quads) > 0]]

    def _deep(self, shape: Shape, level: float, inside: bool) -> list[BaseGeometry]:
        """The ground that lies deeper in woods than one sees, and beyond them if the eye is in them."""
        eye, depth = self.eye, shape.depth + FORGIVEN
        rise = level + self.rules.target_height * self.height - self.z
        above = max(0.0, (shape.tops[0] - self.z) / rise) if rise < 0 else 0.0
        nudges = {math.atan2(y - eye.y, x - eye.x) + nudge for x, y in shape.points for nudge in (-1e-5, 1e-5)}
        turns = np.array(sorted(nudges | {math.radians(step * _STEP) - math.pi for step in range(int(360 / _STEP))}))
        crossings = self._crossings(turns, shape.points)
        nearest = (depth + self.radius) / (1 - above) if above < 1 else math.inf
        # It counts from base to base: from where a ray leaves that of the eye to where it comes to the model's.
        ways = np.column_stack([np.cos(turns), np.sin(turns)])
        at = np.full(len(turns), eye.x), np.full(len(turns), eye.y)
        low, high = over_base(eye.body, *at, *(ways.T * self.far))
        leaves = np.where((low < high) & (low <= 0), high * self.far, 0.0)
        # How far off the hidden part of each ray begins and ends; nothing is hidden where it does not begin before.
        begin, last = np.full(len(turns), np.inf), np.zeros(len(turns))
        left, open_ = np.full(len(turns), depth), np.ones(len(turns), dtype=bool)
        for start, end in zip(crossings.T[::2], crossings.T[1::2]):
            start = np.maximum(start, leaves)
            met = open_ & (end > start)  # never where there is no end
            spent = met & (end - start > left)
            begin[spent] = np.maximum(start + left + self.radius, nearest)[spent]
            last[spent] = np.maximum(3 * self.far, end)[spent] if inside else end[spent]
            open_ &= ~spent
            left[met] -= (end - start)[met]
        hidden = begin < last
        begin[~hidden] = 0.0
        here = np.array([eye.x, eye.y])
        return _fans(here + ways * begin[:, None], here + ways * last[:, None], hidden)

    def _crossings(self, turns: np.ndarray, ring: Sequence[tuple[float, float]]) -> np.ndarray:
        """How far off the endless line of each ray meets the edges of a ring, in order; what is left over is NaN."""
        a = np.array(ring) - (self.eye.x, self.eye.y)
        ways = np.column_stack([np.cos(turns), np.sin(turns)])[:, None, :]
        side = ways[..., 0] * a[None, :, 1] - ways[..., 1] * a[None, :, 0]
        before = np.roll(side, 1, axis=1)
        # The eye may stand on the outline, which is drawn in by a hair.
        crossed = (before * self.far > TINY) != (side * self.far > TINY)
        part = before / np.where(crossed, before - side, 1.0)
        met = np.roll(a, 1, axis=0) + part[..., None] * (a - np.roll(a, 1, axis=0))
        return np.sort(np.where(crossed, (met * ways).sum(axis=2), np.nan), axis=1)


def _fans(near: np.ndarray, away: np.ndarray, hidden: np.ndarray) -> list[BaseGeometry]:
    """The ground between the near and the far ends of neighbouring rays all round, where they hide any."""
    if hidden.all():
        return [_valid(shapely.Polygon(away, [near]))]
    # Begun at a ray that hides nothing, no fan goes over the end of the list.
    order = np.roll(np.arange(len(hidden)), -int(np.argmin(hidden)))
    fans = np.split(order, np.flatnonzero(np.diff(hidden[order].astype(np.int8))) + 1)
    return [
        _valid(shapely.Polygon(np.concatenate([near[fan], away[fan[::-1]]])))
        for fan in fans
        if hidden[fan[0]] and len(fan) > 1
    ]


def _valid(polygon: BaseGeometry) -> BaseGeometry:
    return polygon if polygon.is_valid else polygon.buffer(0)


def _rings(geometry: BaseGeometry) -> Iterable[Polygon]:
    parts = shapely.get_parts(np.array([geometry], dtype=object))
    for part in parts:
        part = part.simplify(1.0)
        if part.geom_type == "Polygon" and part.area > _SLIVER:
            rings = [part.exterior, *(hole for hole in part.interiors if shapely.Polygon(hole).area > _SLIVER)]
            yield [[(round(x), round(y)) for x, y in ring.coords[:-1]] for ring in rings]
