"""Bodies on a table: round and rectangular bases, the gaps between them, arcs and faces.

Positions are whole hundredths of the table's unit, x to the right and y down; headings are degrees clockwise from up.
Nothing here knows a game: what a gap means is the game's business.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float]
#: A point of the table in whole hundredths, as states and poses have it.
Place = tuple[int, int]

DISC, RECT = "disc", "rect"
FRONT, SIDE, REAR = "front", "side", "rear"

#: "Within" and "in contact" forgive this much, in hundredths: what arithmetic with angles may lose.
HAIR = 0.01
#: Lengths are told in whole hundredths: who is no more than this short of one is told to be there.
UNTOLD = 0.49
#: Bases in contact: places are whole hundredths, so that two bases that touch may be this far apart.
CONTACT = 2.0
#: Bases that touch may lie this deep in each other, for the same reason.
SLACK = 1.0


class Footprint(NamedTuple):
    """What a model covers on the table, and how tall it is: in hundredths.

    A disc has a ``radius``, a rect a ``length`` along its heading and a ``width``; ``eye`` is how high it looks from.
    """

    shape: str
    radius: int = 0
    length: int = 0
    width: int = 0
    height: int = 0
    eye: int = 0

    @property
    def farthest(self) -> float:
        """How far from its centre it goes."""
        return float(self.radius) if self.shape == DISC else math.hypot(self.length, self.width) / 2

    @property
    def narrowest(self) -> float:
        """The radius of the disc as which a base goes that turns as it goes: half its narrower side."""
        return float(self.radius) if self.shape == DISC else min(self.length, self.width) / 2


class Body(NamedTuple):
    """A base on the table."""

    x: int
    y: int
    heading: int
    foot: Footprint

    def at(self, x: int, y: int, heading: int | None = None) -> Body:
        """The same base somewhere else."""
        return Body(x, y, self.heading if heading is None else heading, self.foot)


def disc(x: int, y: int, radius: int, heading: int = 0, height: int = 0, eye: int = 0) -> Body:
    """A round base."""
    return Body(x, y, heading, Footprint(DISC, radius=radius, height=height, eye=eye))


def rect(x: int, y: int, length: int, width: int, heading: int = 0, height: int = 0, eye: int = 0) -> Body:
    """A rectangular base, its length along the heading."""
    return Body(x, y, heading, Footprint(RECT, length=length, width=width, height=height, eye=eye))


# ---- directions --------------------------------------------------------------------------------------------


@lru_cache(maxsize=720)
def direction(heading: float) -> Point:
    """The unit vector of a heading; the four quarters are exact.

    >>> direction(0), direction(90)
    ((0.0, -1.0), (1.0, 0.0))
    """
    quarter, rest = divmod(heading % 360, 90)
    if rest == 0:
        return ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))[int(quarter)]
    turn = math.radians(heading)
    return math.sin(turn), -math.cos(turn)


def onward(x: float, y: float, course: float, far: float, aside: int = 0) -> tuple[int, int]:
    """The whole place that a course leads to after so far: as near as can be, and never farther away than that.

    Off the axes it is mostly a little short. Whoever need not keep to the course may end up to so many hundredths
    ``aside``, where the way is not so short that one would notice.

    >>> onward(0, 0, 90, 1200), onward(0, 0, 45, 1200)
    ((1200, 0), (848, -849))
    >>> onward(0, 0, 20, 1200), onward(0, 0, 20, 1200, aside=20)
    ((410, -1127), (409, -1128))
    """
    ux, uy = direction(course)
    there = x + ux * far, y + uy * far
    start, nearest, least = (x, y), (round(x), round(y)), math.inf
    for px in _round_both(there[0]):
        for py in _round_both(there[1]):
            if (short := math.dist((px, py), there)) < least and math.dist((px, py), start) <= far + HAIR:
                nearest, least = (px, py), short
    if far - math.dist(nearest, (x, y)) <= UNTOLD:
        return nearest
    for by in _nearest_first(aside):
        # The last whole place within reach in a row, or in a column, that the course crosses.
        if abs(ux) > abs(uy):
            row = round(there[1]) + by
            place = _last_before(x, math.copysign(math.sqrt(max(far**2 - (row - y) ** 2, 0.0)), ux)), row
        else:
            column = round(there[0]) + by
            place = column, _last_before(y, math.copysign(math.sqrt(max(far**2 - (column - x) ** 2, 0.0)), uy))
        if -HAIR <= far - math.dist(place, (x, y)) <= UNTOLD:
            return place
    return nearest


@cache
def _nearest_first(most: int) -> tuple[int, ...]:
    """The whole numbers up to so far from 0 on either side."""
    return tuple(sorted(range(-most, most + 1), key=abs))


def _last_before(start: float, by: float) -> int:
    """The last whole number on the way from a start."""
    return math.floor(start + by + HAIR) if by > 0 else math.ceil(start + by - HAIR)


def _round_both(value: float) -> tuple[int, int]:
    return math.floor(value), math.ceil(value)


def turned(x: float, y: float, heading: float) -> Point:
    """A point about the origin, given for heading 0, at another heading.

    >>> turned(0, -5, 90)
    (5.0, 0.0)
    """
    fx, fy = direction(heading)
    # Heading 0 has forward (0, -1) and right (1, 0); right of a heading is (-fy, fx).
    return -x * fy - y * fx, x * fx - y * fy


def bearing(x0: float, y0: float, x1: float, y1: float) -> float:
    """The direction from one point to another, in degrees clockwise from up: 0 up to 360.

    >>> bearing(0, 0, 5, 0), bearing(0, 0, 0, 5)
    (90.0, 180.0)
    """
    return math.degrees(math.atan2(x1 - x0, y0 - y1)) % 360


def off(heading: float, to: float) -> float:
    """How far apart two directions are: 0 up to 180 degrees.

    >>> off(350, 10)
    20
    """
    return abs((heading - to + 180) % 360 - 180)


def in_arc(x: float, y: float, heading: float, width: float, points: Iterable[Any]) -> bool:
    """Whether any of the points lies in an arc about a heading, its edges included; the point itself always does."""
    half = width / 2 + 1e-6
    return any((px == x and py == y) or off(heading, bearing(x, y, float(px), float(py))) <= half for px, py in points)


def face(target: Body, x: float, y: float) -> str:
    """Which face of a hull is turned to a point; its diagonals divide the faces.

    On a diagonal it is the face that is worse for whoever shoots from there: front before side, side before rear.
    """
    fx, fy = direction(target.heading)
    dx, dy = x - target.x, y - target.y
    length, width = target.foot.length or 1, target.foot.width or 1
    ahead, aside = (dx * fx + dy * fy) / length, abs(dx * -fy + dy * fx) / width
    if ahead >= aside - 1e-9:
        return FRONT
    return REAR if -ahead > aside + 1e-9 else SIDE


def ahead(body: Body, heading: float, x: float, y: float, front: float | None = None) -> float:
    """How far a point lies ahead of the line across a front that looks along a heading; below 0 it lies behind it.

    The front is the edge of the base on that side, or lies so far from its centre: that of a hull, or of a turret.

    >>> tank = rect(1000, 1000, 400, 200, heading=90)
    >>> ahead(tank, 90, 1500, 0), ahead(tank, 0, 1500, 0), ahead(tank, 0, 1500, 0, front=50)
    (300.0, 900.0, 950.0)
    """
    ux, uy = direction(heading)
    if front is None:
        foot = body.foot
        fx, fy = direction(body.heading)
        along, across = abs(ux * fx + uy * fy), abs(uy * fx - ux * fy)
        front = foot.radius if foot.shape == DISC else (foot.length * along + foot.width * across) / 2
    return (x - body.x) * ux + (y - body.y) * uy - front


# ---- outlines ----------------------------------------------------------------------------------------------


def corners(body: Body) -> Floats:
    """The corners of a rect: front left first, clockwise as one looks down on it."""
    return np.array(_corners(body))


def _corners(body: Body) -> list[Point]:
    fx, fy = direction(body.heading)
    long, wide = body.foot.length / 2, body.foot.width / 2
    lx, ly, wx, wy = fx * long, fy * long, -fy * wide, fx * wide
    x, y = body.x, body.y
    return [
        (x + lx - wx, y + ly - wy),
        (x + lx + wx, y + ly + wy),
        (x - lx + wx, y - ly + wy),
        (x - lx - wx, y - ly - wy),
    ]


#: A disc is drawn with so many corners, outside its rim: what is clear of the polygon is clear of the disc.
_SIDES = 32
_RIM = np.array([(math.sin(i * math.tau / _SIDES), -math.cos(i * math.tau / _SIDES)) for i in range(_SIDES)])
_OUTSIDE = 1 / math.cos(math.pi / _SIDES)


def shape(body: Body, grow: float = 0.0) -> shapely.Polygon:
    """The base as a polygon, grown by a distance on every side; round parts lie just outside the true rim."""
    disc = body.foot.shape == DISC
    # Without the trouble that `shapely.Polygon` goes to: this is asked for every base that stands about.
    rim = _RIM * ((body.foot.radius + grow) * _OUTSIDE) + (body.x, body.y) if disc else _corners(body)
    plain = cast(shapely.Polygon, shapely.polygons(rim))
    if disc or grow == 0.0:
        return plain
    return shapely.Polygon(plain.buffer(grow * _OUTSIDE, quad_segs=_SIDES // 4).exterior)


#: The same rim turned by half a corner: straight ahead and to the sides it touches the true one.
_TOUCHING = np.array([turned(x, y, 180 / _SIDES) for x, y in _RIM])


def kept_clear(body: Body, grow: float) -> shapely.Polygon:
    """What lies within a distance of a base, as a polygon: exact along the flat sides, round parts just outside.

    What stands straight before or beside a base at just that distance is clear of it; about a disc in every direction
    in which the polygon has a side.
    """
    if body.foot.shape == DISC:
        rim = _TOUCHING * ((body.foot.radius + grow) * _OUTSIDE)
    else:
        long, wide = body.foot.length / 2, body.foot.width / 2
        corners = np.repeat([(wide, -long), (wide, long), (-wide, long), (-wide, -long)], _SIDES // 4, axis=0)
        fx, fy = direction(body.heading)
        rim = (_TOUCHING * (grow * _OUTSIDE) + corners) @ np.array([(-fy, fx), (-fx, -fy)])
    return cast(shapely.Polygon, shapely.polygons(rim + np.array((body.x, body.y))))


def sum_of(one: Body, other: Body, grow: float = 0.0) -> Any:
    """Where the centre of `other`, at its heading, is within a distance of `one`: a shapely geometry."""
    parts = [_corners(b) if b.foot.shape == RECT else [(float(b.x), float(b.y))] for b in (one, other)]
    spread = [(ax + bx - other.x, ay + by - other.y) for ax, ay in parts[0] for bx, by in parts[1]]
    # Without the trouble that `shapely.MultiPoint` goes to: this is asked for every base that stands about.
    core: Any = shapely.convex_hull(shapely.multipoints(np.array(spread)))
    reach = grow + sum(b.foot.radius for b in (one, other) if b.foot.shape == DISC)
    return core.buffer(reach, quad_segs=16) if reach > 0 else core


#: The rim of a disc of radius 1 as it is looked at, after the centre.
_LOOKED_AT = np.concatenate([np.zeros((1, 2)), _RIM[:: _SIDES // 8]])


def samples(body: Body) -> Floats:
    """Nine points of a base to look at: its centre, then its rim from the front (a rect) or from up (a disc)."""
    if body.foot.shape == DISC:
        points: Floats = _LOOKED_AT * body.foot.radius + (body.x, body.y)
        return points
    found = _corners(body)
    rim = []
    for (ax, ay), (bx, by) in zip(found, found[1:] + found[:1], strict=True):
        rim += [(ax, ay), ((ax + bx) / 2, (ay + by) / 2)]
    return np.array([(body.x, body.y), *rim], dtype=np.float64)


def base_in_arc(x: float, y: float, heading: float, width: float, body: Body) -> bool:
    """Whether any of the points that a base is looked at by (`samples`) lies in an arc."""
    away, far = math.dist((x, y), (body.x, body.y)), body.foot.farthest
    if away > far:
        beyond = off(heading, bearing(x, y, body.x, body.y)) - width / 2
        if beyond <= 0:
            return True  # its middle is one of them
        if beyond > math.degrees(math.asin(far / away)) + 0.001:
            return False  # none of it goes so far aside
    return in_arc(x, y, heading, width, samples(body))


def eye(body: Body) -> Point:
    """Where a model looks from: its centre."""
    return float(body.x), float(body.y)


def front(body: Body) -> Point:
    """The middle of the front edge of a rect; of a disc, its rim straight ahead."""
    fx, fy = direction(body.heading)
    far = body.foot.radius if body.foot.shape == DISC else body.foot.length / 2
    return body.x + fx * far, body.y + fy * far


# ---- gaps --------------------------------------------------------------------------------------------------


def separation(a: Body, b: Body) -> float:
    """The shortest gap between two bases; below 0 it is how deep they lie in each other."""
    if a.foot.shape == DISC:
        return _from_point(b, a.x, a.y) - a.foot.radius
    if b.foot.shape == DISC:
        return _from_point(a, b.x, b.y) - b.foot.radius
    return _rects(a, b)


def _from_point(body: Body, x: float, y: float) -> float:
    """From a point to the rim of a base; below 0 inside."""
    dx, dy = x - body.x, y - body.y
    foot = body.foot
    if foot.shape == DISC:
        return math.hypot(dx, dy) - foot.radius
    fx, fy = direction(body.heading)
    ahead = abs(dx * fx + dy * fy) - foot.length / 2
    aside = abs(dy * fx - dx * fy) - foot.width / 2
    if ahead <= 0 and aside <= 0:
        return max(ahead, aside)
    return math.hypot(max(ahead, 0.0), max(aside, 0.0))


def _rects(a: Body, b: Body) -> float:
    # The nearest points of two rects that are apart are a corner of one and any point of the other; if they overlap
    # no axis parts them, and the axis on which they overlap least says how deep.
    ours, theirs = _corners(a), _corners(b)
    apart = -math.inf
    for heading in (a.heading, a.heading + 90, b.heading, b.heading + 90):
        ax, ay = direction(heading)
        us = [x * ax + y * ay for x, y in ours]
        them = [x * ax + y * ay for x, y in theirs]
        apart = max(apart, min(us) - max(them), min(them) - max(us))
    if apart <= 0:
        return apart
    return min(min(_from_point(b, x, y) for x, y in ours), min(_from_point(a, x, y) for x, y in theirs))


def gap(a: Body, b: Body) -> float:
    """The shortest gap between two bases: 0 if they touch or overlap."""
    return max(0.0, separation(a, b))


def separations(ones: Sequence[Body], others: Sequence[Body]) -> Floats:
    """`separation` for every pair, as an array."""
    found = np.empty((len(ones), len(others)))
    if not ones or not others:
        return found
    where, there = _places(ones), _places(others)
    dx = where[:, 0, None] - there[None, :, 0]
    dy = where[:, 1, None] - there[None, :, 1]
    radii = np.array([b.foot.radius for b in ones], float), np.array([b.foot.radius for b in others], float)
    found[:] = np.hypot(dx, dy) - radii[0][:, None] - radii[1][None, :]
    ours = [i for i, b in enumerate(ones) if b.foot.shape == RECT]
    theirs = [j for j, b in enumerate(others) if b.foot.shape == RECT]
    # A rect to a disc; two rects are looked at below, and most stands are rects.
    if ours and len(theirs) < len(others):
        round_ = [j for j in range(len(others)) if others[j].foot.shape == DISC]
        for i in ours:
            found[i, round_] = _from_points(ones[i], -dx[i, round_], -dy[i, round_]) - radii[1][round_]
    if theirs and len(ours) < len(ones):
        round_ = [i for i in range(len(ones)) if ones[i].foot.shape == DISC]
        for j in theirs:
            found[round_, j] = _from_points(others[j], dx[round_, j], dy[round_, j]) - radii[0][round_]
    if len(ours) * len(theirs) > _FEW:
        found[np.ix_(ours, theirs)] = _all_rects([ones[i] for i in ours], [others[j] for j in theirs])
        return found
    for i in ours:
        for j in theirs:
            found[i, j] = _rects(ones[i], others[j])
    return found


#: So few pairs of rects are quicker one by one than in arrays.
_FEW = 6


def _all_rects(ones: Sequence[Body], others: Sequence[Body]) -> Floats:
    """`_rects` for every pair, as an array."""
    ours, theirs = (np.array([_corners(body) for body in each]) for each in (ones, others))
    apart = np.full((len(ones), len(others)), -np.inf)
    near = np.full_like(apart, np.inf)
    for each, points, flip in ((ones, theirs, False), (others, ours, True)):
        forward = np.array([direction(body.heading) for body in each])
        half = np.array([(body.foot.length / 2, body.foot.width / 2) for body in each])
        # Each of these rects in turn is a box in its own frame, and the corners of the others lie about it.
        off = points[None] - _places(each)[:, None, None]
        fx, fy = forward[:, 0, None, None], forward[:, 1, None, None]
        spots = np.stack([off[..., 0] * fx + off[..., 1] * fy, off[..., 1] * fx - off[..., 0] * fy], axis=-1)
        sides = np.maximum(spots.min(axis=2), -spots.max(axis=2)) - half[:, None]
        out = np.maximum(np.abs(spots) - half[:, None, None], 0.0)
        gone, close = sides.max(axis=2), np.hypot(out[..., 0], out[..., 1]).min(axis=2)
        apart, near = np.maximum(apart, gone.T if flip else gone), np.minimum(near, close.T if flip else close)
    return np.where(apart <= 0, apart, near)


def _places(bodies: Sequence[Body]) -> Floats:
    return np.array([(b.x, b.y) for b in bodies], dtype=np.float64)


def _from_points(body: Body, dx: Floats, dy: Floats) -> Floats:
    fx, fy = direction(body.heading)
    ahead = np.abs(dx * fx + dy * fy) - body.foot.length / 2
    aside = np.abs(dy * fx - dx * fy) - body.foot.width / 2
    outside = np.hypot(np.maximum(ahead, 0.0), np.maximum(aside, 0.0))
    return np.where(outside > 0, outside, np.maximum(ahead, aside))


def gaps(ones: Sequence[Body], others: Sequence[Body]) -> Floats:
    """`gap` for every pair, as an array of a row for each of the ones."""
    return np.maximum(separations(ones, others), 0.0)


def gap_to_point(body: Body, x: float, y: float) -> float:
    """The shortest gap between a base and a point."""
    return max(0.0, _from_point(body, x, y))


def gap_to_line(body: Body, points: Sequence[Any]) -> float:
    """The shortest gap between a base and a polyline."""
    return gap_to_shape(body, shapely.LineString(points) if len(points) > 1 else shapely.Point(points[0]))


def gap_to_area(body: Body, points: Sequence[Any]) -> float:
    """The shortest gap between a base and an area, given by its corners: 0 inside."""
    return gap_to_shape(body, shapely.Polygon(points))


def gap_to_shape(body: Body, geometry: Any) -> float:
    """The shortest gap between a base and a shape."""
    if body.foot.shape == DISC:
        return max(0.0, float(shapely.Point(body.x, body.y).distance(geometry)) - body.foot.radius)
    return float(shapely.Polygon(_corners(body)).distance(geometry))


def overlaps(body: Body, others: Iterable[Body]) -> bool:
    """Whether a base lies in any of the others; to touch is not to overlap."""
    x, y, far = body.x, body.y, body.foot.farthest
    for other in others:
        # Most stand too far away to come into question.
        most = far + other.foot.farthest
        if abs(other.x - x) < most and abs(other.y - y) < most and separation(body, other) < -SLACK:
            return True
    return False
