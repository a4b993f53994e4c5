"""Where a hull may pass but not stop: too near to somebody.

A hull looks along its course, so that how near it comes depends on the course it takes: on each one everybody near bars
a stretch of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import shapely

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.drive import Drive
from grognard.core.ask import Bar


class Stretch(NamedTuple):
    """From where to where on a course the hull would stand too near to somebody."""

    start: float
    end: float
    bar: Bar


class Near(NamedTuple):
    """A base to keep clear of, and why."""

    body: Body
    bar: Bar


def stretches(drive: Drive, course: int, near: Sequence[Near], gap: float) -> list[Stretch]:
    """The stretches of a course on which a hull would be within a gap of somebody."""
    hull = drive.body
    ux, uy = bodies.direction(course)
    heading = (course + 180) % 360 if drive.reverse else course
    long, wide = hull.foot.length / 2, hull.foot.width / 2
    most = max(drive.far, drive.far_on_road)
    found = []
    for friend, bar in near:
        dx, dy = friend.x - hull.x, friend.y - hull.y
        ahead, aside = dx * ux + dy * uy, abs(dx * uy - dy * ux)
        reach = gap + friend.foot.farthest
        if aside > wide + reach or ahead < -long - reach or ahead > most + long + reach:
            continue
        if friend.foot.shape == bodies.DISC:
            off = max(0.0, aside - wide)
            if off <= reach:
                half = long + math.sqrt(reach * reach - off * off)
                found.append(Stretch(ahead - half, ahead + half, bar))
            continue
        room = bodies.sum_of(friend, hull.at(hull.x, hull.y, heading), gap)
        way = shapely.LineString([(hull.x, hull.y), (hull.x + ux * (most + 1), hull.y + uy * (most + 1))])
        points = shapely.get_coordinates(room.intersection(way))
        if len(points):
            along = (points[:, 0] - hull.x) * ux + (points[:, 1] - hull.y) * uy
            found.append(Stretch(float(along.min()), float(along.max()), bar))
    return found


def bar_stop(drive: Drive, x: int, y: int, near: Sequence[Near], gap: float) -> Bar | None:
    """Why a hull may not stop where it would drive to."""
    found = drive.course_to(x, y)
    if not near or found is None:
        return None
    course, along, _ = found
    for stretch in stretches(drive, course, near, gap):
        if stretch.start <= along <= stretch.end + bodies.HAIR:
            return stretch.bar
    return None


def shadows(drive: Drive, near: Sequence[Near], gap: float) -> list[Any]:
    """The same for every course, as shapes to take out of what the hull can drive to."""
    slope = math.tan(math.radians(0.5))
    single = len(drive.courses) == 1
    found = []
    for course in drive.courses:
        if drive.limits[course] < 1:
            continue
        ux, uy = bodies.direction(course)
        for start, end, _ in stretches(drive, course, near, gap):
            if end <= 0:
                continue
            begin = max(start, 0.0)
            sides = [(begin, 0.0), (end, 0.0)]
            wide = drive.body.foot.width / 2 + 1
            ring = [(u, -(wide if single else u * slope)) for u, _ in sides]
            ring += [(u, wide if single else u * slope) for u, _ in reversed(sides)]
            points = [(drive.body.x + ux * u - uy * v, drive.body.y + uy * u + ux * v) for u, v in ring]
            shape = shapely.Polygon(points)
            if shape.area > 0:
                found.append(shape.buffer(0.05))
    return found
