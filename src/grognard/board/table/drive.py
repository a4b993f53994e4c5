"""How far a vehicle can drive: straight along its facing, after a pivot on the spot, without its hull hitting anything.

The hull always drives along its length, so what it sweeps on a course is a strip as wide as itself: the first corner or
edge in that strip stops it. A pivot turns the hull about its centre; its corners and what stands close by say how far.
Courses are whole degrees. A point is driven to on the course nearest to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import SLACK, Body, bearing, direction, off
from grognard.board.table.visibility import HAIR, Floats, Outline, outline, polygons_of, ranges
from grognard.core.poses import Polygon

#: A drive may exceed its limit by this much, in hundredths: ways are worked out in floating point.
TOLERANCE = 0.01
COURSES = 360
#: The centre stops so far short of ground that it may not enter.
SHORT = 0.5
#: A centre no deeper in such ground than this has come to its edge only.
EDGE = 2.0
#: How far short of its way a hull stops to lie clear, in hundredths, before it is let touch.
_BACK = 4.0


class End(NamedTuple):
    """Where a drive ends, which way the hull looks then, how far it went and how many pivots it took."""

    x: int
    y: int
    heading: int
    distance: float
    pivots: int


class Drive:
    """One straight leg of a vehicle's move, with a pivot before it if any are left.

    ``hulls`` is what the hull may not enter, ungrown, ``centres`` what only its centre may not; ``far`` is the rate,
    and where the whole path of the centre lies in ``corridors`` (roads) it is ``far_on_road``. In reverse the hull
    goes backwards: courses are where it goes, not where it looks.
    """

    def __init__(
        self,
        body: Body,
        hulls: Sequence[BaseGeometry],
        width: int,
        height: int,
        far: float,
        pivots: int,
        pivot_degrees: int = 90,
        *,
        reverse: bool = False,
        corridors: BaseGeometry | None = None,
        far_on_road: float = 0.0,
        centres: Sequence[BaseGeometry] = (),
    ) -> None:
        self.body, self.width, self.height, self.far = body, width, height, float(far)
        self.pivots, self.pivot_degrees, self.reverse = pivots, pivot_degrees, reverse
        self.corridors, self.far_on_road = corridors, float(far_on_road)
        self.centres = [left for shape in centres if (left := _but_for(shape, body.x, body.y)) is not None]
        self._hulls = hulls
        most = max(self.far, self.far_on_road) + body.foot.farthest + 1
        box = shapely.box(body.x - most, body.y - most, body.x + most, body.y + most)
        all_hulls = np.array(hulls, dtype=object)
        self._near = list(all_hulls[shapely.intersects(all_hulls, box)]) if len(hulls) else []
        shape = outline(polygons_of(self._near))
        #: Edges about the centre, as starts and ends.
        self._a = shape.points - (body.x, body.y)
        self._b = self._a[shape.after]
        self._first = shape.first
        self._long, self._wide = body.foot.length / 2.0, body.foot.width / 2.0
        # Who already lies in a neighbour, by rounding to whole hundredths, is taken to be that much smaller.
        self._less = HAIR if self._stands(body.x, body.y, body.heading, HAIR) else SLACK + HAIR

    # ---- standing and turning ------------------------------------------------------------------------------

    def _hull(self, x: float, y: float, heading: float, less: float) -> Floats:
        """The hull's corners somewhere, drawn in by a little."""
        ux, uy = direction(heading)
        long, wide = self._long - less, self._wide - less
        sides = np.array([(long, -wide), (long, wide), (-long, wide), (-long, -wide)])
        corners: Floats = np.array((x, y)) + sides @ np.array([(ux, uy), (-uy, ux)])
        return corners

    @cached_property
    def _solid(self) -> BaseGeometry:
        solid = shapely.GeometryCollection(list(polygons_of(self._near)))
        shapely.prepare(solid)
        return solid

    def _overhang(self, corners: Floats) -> Floats:
        """How far corners reach over each edge of the table; 0 where they do not."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        out = np.array([-low[0], high[0] - self.width, -low[1], high[1] - self.height])
        over: Floats = np.maximum(out, 0.0)
        return over

    def _stands(self, x: float, y: float, heading: float, less: float) -> bool:
        """Whether the hull may be here: clear of everything, and over no edge further than it is now."""
        now = self._overhang(self._hull(self.body.x, self.body.y, self.body.heading, 0.0))
        if (self._overhang(self._hull(x, y, heading, 0.0)) > now + TOLERANCE).any():
            return False
        corners = self._hull(x, y, heading, less)
        return not self._near or not shapely.intersects(self._solid, shapely.Polygon(corners))

    @cached_property
    def turns(self) -> tuple[float, float]:
        """How many degrees the hull can turn on the spot, counter-clockwise and clockwise, before it hits something."""
        long, wide = self._long - self._less, self._wide - self._less
        events = [_corner_events(self._a, self._b, long, wide), _side_events(self._a, long, wide)]
        over = self._overhang(self._hull(self.body.x, self.body.y, self.body.heading, 0.0))
        w, h = self.width, self.height
        lines = [((0, -h), (0, 2 * h)), ((w, -h), (w, 2 * h)), ((-w, 0), (2 * w, 0)), ((-w, h), (2 * w, h))]
        if edges := [line for line, out in zip(lines, over) if out <= TOLERANCE]:
            edge = np.array(edges, dtype=float) - (self.body.x, self.body.y)
            events.append(_corner_events(edge[:, 0], edge[:, 1], self._long - TOLERANCE, self._wide - TOLERANCE))
        found = np.mod(np.concatenate(events) - math.radians(self.body.heading), 2 * math.pi)
        if not len(found):
            return 360.0, 360.0
        return 360.0 - math.degrees(found.max()), math.degrees(found.min())

    def may_pivot(self, to_heading: int) -> bool:
        """Whether the hull can turn to a heading the shorter way round without touching anything."""
        by = (to_heading - self.body.heading + 180) % 360 - 180
        back, on = self.turns
        return by == 0 or (by > 0 and by <= on) or (by < 0 and -by <= back) or (by == -180 and on >= 180)

    # ---- driving -------------------------------------------------------------------------------------------

    def pivots_to(self, heading: int) -> int | None:
        """How many pivots it takes to look along a heading before driving; None if there are too few."""
        by = off(self.body.heading, heading)
        count = math.ceil(by / self.pivot_degrees - 1e-9) if by else 0
        return count if count <= self.pivots and self.may_pivot(heading) else None

    @cached_property
    def courses(self) -> list[int]:
        """The courses that it can take: its own at least."""
        behind = 180 if self.reverse else 0
        most = min(self.pivots * self.pivot_degrees, 180)
        turns = [by for by in range(-most, most + 1) if self.may_pivot(self.body.heading + by)] if most else [0]
        return sorted({(self.body.heading + behind + by) % COURSES for by in turns})

    @cached_property
    def limits(self) -> Floats:
        """How far it can go straight on each course of whole degrees; 0 where it cannot go or turn."""
        limits = np.zeros(COURSES)
        chosen = np.array(self.courses)
        ux, uy = np.array([direction(int(c)) for c in chosen]).T
        go = np.full(len(chosen), self.far)
        if self.corridors is not None and self.far_on_road > self.far:
            go = np.maximum(go, np.minimum(self._on_road(ux, uy), self.far_on_road))
        go = np.minimum(go, self._to_contact(ux, uy))
        if self.centres:
            reach = self._way_out(outline(polygons_of(self.centres)), ux, uy)
            go = np.minimum(go, np.maximum(reach - SHORT, 0.0))
        limits[chosen] = np.maximum(np.minimum(go, self._to_edge(ux, uy)), 0.0)
        return limits

    def _to_contact(self, ux: Floats, uy: Floats) -> Floats:
        """How far on each course until the hull touches something: the first thing in the strip that it sweeps."""
        if not len(self._a):
            return np.full(len(ux), np.inf)
        long, wide = self._long - self._less, self._wide - self._less
        # Most things miss most strips, or are too far away: only edges of things that a course may meet are looked at.
        last = np.append(self._first[1:], len(self._a))
        low, high = np.minimum.reduceat(self._a, self._first), np.maximum.reduceat(self._a, self._first)
        middle, round = (low + high) / 2, np.hypot(*(high - low).T) / 2 + 1.0
        beside = np.abs(ux[:, None] * middle[:, 1] - uy[:, None] * middle[:, 0]) < wide + round
        ahead = ux[:, None] * middle[:, 0] + uy[:, None] * middle[:, 1]
        far = max(self.far, self.far_on_road) + self._long
        course, thing = np.nonzero(beside & (ahead > -long - round) & (ahead < far + round))
        number, edge = ranges(self._first[thing], last[thing])
        course = course[number]
        side_a = ux[course] * self._a[edge, 1] - uy[course] * self._a[edge, 0]
        side_b = ux[course] * self._b[edge, 1] - uy[course] * self._b[edge, 0]
        crossed = ((side_a < wide) | (side_b < wide)) & ((side_a > -wide) | (side_b > -wide))
        course, edge, side_a, side_b = course[crossed], edge[crossed], side_a[crossed], side_b[crossed]
        a, b = self._a[edge], self._b[edge]
        ux, uy, courses = ux[course], uy[course], len(ux)
        along_a, along_b = ux * a[:, 0] + uy * a[:, 1], ux * b[:, 0] + uy * b[:, 1]
        # The part of each edge within the strip runs between these two fractions of it.
        across = side_b - side_a
        flat = np.abs(across) < 1e-9
        safe = np.where(flat, 1.0, across)
        one, two = (-wide - side_a) / safe, (wide - side_a) / safe
        first = np.where(flat, 0.0, np.clip(np.minimum(one, two), 0.0, 1.0))
        last = np.where(flat, 1.0, np.clip(np.maximum(one, two), 0.0, 1.0))
        at_first, at_last = along_a + first * (along_b - along_a), along_a + last * (along_b - along_a)
        within = (flat | (last > first)) & (np.maximum(at_first, at_last) > -long)
        nearest = np.full(courses, np.inf)
        np.minimum.at(nearest, course[within], np.minimum(at_first, at_last)[within])
        # It stops short by the hair that the tests draw the hull in, so that it never lies in anything.
        return np.maximum(nearest - self._long, 0.0)

    def _to_edge(self, ux: Floats, uy: Floats) -> Floats:
        """How far on each course until the hull reaches over the edge of the table."""
        way = np.full(len(ux), np.inf)
        half_x = np.abs(ux) * self._long + np.abs(uy) * self._wide
        half_y = np.abs(uy) * self._long + np.abs(ux) * self._wide
        x, y = self.body.x, self.body.y
        for step, room in (
            (-ux, x - half_x),
            (ux, self.width - x - half_x),
            (-uy, y - half_y),
            (uy, self.height - y - half_y),
        ):
            outward = step > 1e-9
            way[outward] = np.minimum(way[outward], np.maximum(room[outward], 0.0) / step[outward])
        return way

    def _on_road(self, ux: Floats, uy: Floats) -> Floats:
        """How far the centre stays on the road on each course; 0 if it does not stand on it."""
        assert self.corridors is not None
        wide = shapely.buffer(self.corridors, HAIR, join_style="mitre")
        here = shapely.Point(self.body.x, self.body.y)
        if not shapely.intersects(wide, here):
            return np.zeros(len(ux))
        return self._way_out(outline(polygons_of([wide])), ux, uy)

    def _way_out(self, shape: Outline, ux: Floats, uy: Floats) -> Floats:
        """How far on each course until the centre meets an outline."""
        a = shape.points - (self.body.x, self.body.y)
        e = shape.points[shape.after] - shape.points
        under = ux[:, None] * e[:, 1] - uy[:, None] * e[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            out = (a[:, 0] * e[:, 1] - a[:, 1] * e[:, 0]) / under
            at = (a[:, 0] * uy[:, None] - a[:, 1] * ux[:, None]) / under
        hit = (np.abs(under) > 1e-12) & (at >= -1e-9) & (at <= 1 + 1e-9) & (out > 0)
        way: Floats = np.where(hit, out, np.inf).min(axis=1)
        return way

    def moved(self, body: Body) -> Drive:
        """The same vehicle somewhere else among the same things, with the same to go."""
        return Drive(
            body,
            self._hulls,
            self.width,
            self.height,
            self.far,
            self.pivots,
            self.pivot_degrees,
            reverse=self.reverse,
            corridors=self.corridors,
            far_on_road=self.far_on_road,
            centres=self.centres,
        )

    def course_to(self, x: float, y: float) -> tuple[int, float, float]:
        """The course that a point is driven to on, how far along it, and how far it lies beside it."""
        dx, dy = x - self.body.x, y - self.body.y
        if len(self.courses) == 1:
            course = self.courses[0]
        else:
            course = round(bearing(self.body.x, self.body.y, x, y)) % COURSES
        ux, uy = direction(course)
        return course, dx * ux + dy * uy, abs(dx * uy - dy * ux)

    def contains(self, x: float, y: float) -> bool:
        """Whether it can drive to a point. Where it has one course only, the whole strip ahead stands for it."""
        if (x, y) == (self.body.x, self.body.y):
            return True
        course, along, beside = self.course_to(x, y)
        if len(self.courses) == 1 and beside > self._wide:
            return False
        return bool(0 <= along <= self.limits[course] + TOLERANCE)

    def end(self, x: float, y: float) -> End | None:
        """Where it ends if it drives to a point, in whole hundredths and clear of everything; None if it cannot."""
        if not self.contains(x, y):
            return None
        here = self.body
        if (x, y) == (here.x, here.y):
            return End(here.x, here.y, here.heading, 0.0, 0)
        course, along, beside = self.course_to(x, y)
        # A whole point beside the course by no more than rounding is the end itself: so an end leads to itself.
        if beside < 0.75 and x == int(x) and y == int(y):
            heading = (course + 180) % 360 if self.reverse else course
            distance = math.hypot(x - here.x, y - here.y)
            if distance <= self.limits[course] + TOLERANCE and self._stands(x, y, heading, self._less):
                return End(int(x), int(y), heading, distance, self.pivots_to(heading) or 0)
        return self._stop(course, min(along, float(self.limits[course])))

    def last(self, course: int) -> End | None:
        """Where it ends if it drives as far as it can on a course; None if it cannot drive there at all."""
        return self._stop(course, float(self.limits[course])) if self.limits[course] >= 1 else None

    def _stop(self, course: int, go: float) -> End:
        """Where it stops in whole hundredths: never in anything, if need be a little nearer to its start.

        In a lane just as wide as itself no whole hundredth may fit: there it may touch, as bases do that stand in
        contact.
        """
        here = self.body
        heading = (course + 180) % 360 if self.reverse else course
        pivots = self.pivots_to(heading) or 0
        ux, uy = direction(course)
        for less, most in ((self._less, min(go, _BACK)), (SLACK + HAIR, go)):
            for back in range(math.ceil(most)):
                px, py = here.x + ux * (go - back), here.y + uy * (go - back)
                spots = {(fx, fy) for fx in (math.floor(px), math.ceil(px)) for fy in (math.floor(py), math.ceil(py))}
                for sx, sy in sorted(spots, key=lambda spot: (math.dist(spot, (px, py)), spot)):
                    distance = math.hypot(sx - here.x, sy - here.y)
                    if distance <= self.limits[course] + TOLERANCE and self._stands(sx, sy, heading, less):
                        return End(sx, sy, heading, distance, pivots)
        return End(here.x, here.y, heading, 0.0, pivots)

    def polygons(self) -> list[Polygon]:
        """Where it can drive to: wedges about its courses, or the strip ahead if it has one course only."""
        x, y, limits = self.body.x, self.body.y, self.limits
        if len(self.courses) == 1:
            go = limits[self.courses[0]]
            ux, uy = direction(self.courses[0])
            strip = [(0.0, -self._wide), (go, -self._wide), (go, self._wide), (0.0, self._wide)]
            ring = [(round(x + ux * u - uy * v), round(y + uy * u + ux * v)) for u, v in strip]
            return [[ring]] if go >= 1 else []
        open_ = [c for c in self.courses if limits[c] >= 1]
        slope = math.tan(math.radians(0.5))
        found: list[Polygon] = []
        for run in _runs(open_):
            ring = [] if len(run) == COURSES else [(x, y)]
            for course in run:
                ux, uy = direction(course)
                for v in (-slope, slope):
                    spot = round(x + limits[course] * (ux - uy * v)), round(y + limits[course] * (uy + ux * v))
                    if not ring or ring[-1] != spot:
                        ring.append(spot)
            if len(ring) >= 3:
                found.append([ring])
        return found


def _but_for(shape: BaseGeometry, x: float, y: float) -> BaseGeometry | None:
    """Ground that a centre may not enter, for one that stands at a point: None if it is in there and may come out.

    Who came to its edge may lie over it by rounding: to him it begins where he stands.
    """
    if not shapely.intersects_xy(shape, x, y):
        return shape
    deep = float(shapely.distance(shapely.boundary(shape), shapely.Point(x, y)))
    if deep > EDGE:
        return None
    left = shape.buffer(-deep - TOLERANCE)
    return None if left.is_empty else left


def _runs(courses: Sequence[int]) -> list[list[int]]:
    """Courses in unbroken runs round the circle."""
    runs: list[list[int]] = []
    for course in courses:
        if runs and runs[-1][-1] == course - 1:
            runs[-1].append(course)
        else:
            runs.append([course])
    if len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == COURSES - 1:
        runs[0] = runs.pop() + runs[0]
    return runs


def _corner_events(a: Floats, b: Floats, long: float, wide: float) -> Floats:
    """The headings, in radians, at which a corner of the hull meets an edge."""
    e = b - a
    size = (e * e).sum(axis=1)
    half = (a * e).sum(axis=1)
    rest = (a * a).sum(axis=1) - (long * long + wide * wide)
    under = half * half - size * rest
    real = (under >= 0) & (size > 0)
    e, a, half, size, root = e[real], a[real], half[real], size[real], np.sqrt(under[real])
    found = []
    # The bearings of the four corners when the hull looks up: clockwise from up, as headings are.
    own = math.atan2(wide, long)
    bearings = np.array([own, math.pi - own, math.pi + own, -own])
    for sign in (-1.0, 1.0):
        t = (-half + sign * root) / size
        on = (t >= 0) & (t <= 1)
        spot = a[on] + t[on, None] * e[on]
        found.append((np.arctan2(spot[:, 0], -spot[:, 1])[:, None] - bearings).ravel())
    return np.concatenate(found)


def _side_events(points: Floats, long: float, wide: float) -> Floats:
    """The headings, in radians, at which a side of the hull meets a point."""
    out = np.hypot(points[:, 0], points[:, 1])
    close = (out <= math.hypot(long, wide)) & (out > 0)
    points, out = points[close], out[close]
    own = np.arctan2(points[:, 0], -points[:, 1])
    found = []
    for side, across, turn in (
        (long, wide, 0.0),
        (wide, long, math.pi / 2),
        (long, wide, math.pi),
        (wide, long, -math.pi / 2),
    ):
        reach = out >= side
        half = np.arccos(np.clip(side / out[reach], -1.0, 1.0))
        fits = out[reach] * np.sin(half) <= across + 1e-9
        found += [own[reach][fits] - turn - half[fits], own[reach][fits] - turn + half[fits]]
    return np.concatenate(found)
