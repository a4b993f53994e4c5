"""Getting in and out: ways to a hull, where models are set down about one, and poses there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.bodies import RECT, Body
from grognard.board.table.footing import Footing
from grognard.board.table.placement import FormationArea
from grognard.board.table.places import measured
from grognard.board.table.ways import Path, Placed, Ways, Zone
from grognard.core.ask import Bar, Option
from grognard.core.poses import Pose

Floats = NDArray[np.float64]
#: The ground for a base of a radius about some points, within a distance of them.
GroundFor = Callable[[float, Floats, float], Footing]

#: Riders come out onto the ground beside the hull, this far from it at least.
BESIDE = 2.0
#: Points about a hull that are looked at for a way to it, and how far inside the limit they lie: by so much at least,
#: and by so much of it, since round parts of a rim lie outside the true one.
AROUND, INSIDE, OUTSIDE = 24, 2.0, 0.006
#: How far past the limit others are looked for who may be in the way.
PAST = 200

#: Where a place is, seen from a vehicle: by degrees from where it looks.
SIDES = {
    0: "ahead of it",
    45: "ahead on its right",
    90: "on its right",
    135: "behind on its right",
    180: "behind it",
    225: "behind on its left",
    270: "on its left",
    315: "ahead on its left",
}


# ---- getting in ----------------------------------------------------------------------------------------------


def way_to_hull(ways: Ways, number: int, hull: Body, body: Body, near: float, *, narrow: bool = False) -> Path | None:
    """The shortest way of a model to where its base is within a gap of a hull; None if there is none.

    A ``narrow`` stand may end turned any way: only half its narrower side is sure to lie nearer than its middle.
    """
    x, y = ways.starts[number]
    out = _radius(body, narrow) + near
    rim = bodies.shape(hull, out - max(INSIDE, out * OUTSIDE)).exterior
    nearest = rim.interpolate(rim.project(shapely.Point(x, y)))
    points = [(nearest.x, nearest.y)]
    points += [(p.x, p.y) for p in (rim.interpolate(i / AROUND, normalized=True) for i in range(AROUND))]
    return ways.way_to(number, np.array(points, dtype=np.float64))


# ---- getting out ---------------------------------------------------------------------------------------------


def ways_off(
    stand: Sequence[Body],
    hull: Body,
    far: float,
    ground: GroundFor,
    outside: Bar,
    *,
    room: Callable[[Body], float] | None = None,
    gone: bool = False,
    narrow: bool = False,
) -> Placed:
    """Where each model may be set down within a distance of a hull, or where the hull was if it is ``gone``.

    ``narrow`` stands pass as discs of half their narrower side; where they may end is for their area to say.
    ``room`` is how far out a base may be, where that is not ``far`` for all, as for a crew about its gun.
    """
    source = bodies.shape(hull)
    starts = shapely.get_coordinates(source)
    zones: dict[tuple[float, float, float], tuple[Zone, Footing]] = {}
    picked = []
    for body in stand:
        radius = _radius(body, narrow)
        out = far if room is None else room(body)
        # A rectangle lies on the table with all its corners, however it is turned.
        edge = radius if body.foot.shape == RECT else 0.0
        key = (radius, out, edge)
        if key not in zones:
            over = ground(radius, starts, out + PAST)
            not_here = shapely.Polygon() if gone else source.buffer(radius + BESIDE)
            region = source.buffer(out + radius, quad_segs=32).intersection(_inside(over, edge)).difference(not_here)
            closed = closed_off(over)
            zones[key] = Zone(region if closed.is_empty else region.difference(closed)), over
        picked.append(zones[key])
    return Placed(source, [zone for zone, _ in picked], [over for _, over in picked], far, outside)


def _radius(body: Body, narrow: bool) -> float:
    """The radius of the disc that a base is taken for."""
    return body.foot.narrowest if narrow else body.foot.farthest


def _inside(over: Footing, edge: float) -> Any:
    """The table without a margin."""
    return shapely.box(edge, edge, over.table.width - edge, over.table.height - edge)


def closed_off(over: Footing) -> Any:
    """Where a base may not be set down: what is blocked, and where nobody may stop."""
    closed = [over.shape(number) for number in range(len(over.bars))]
    if over.no_end is not None:
        closed.append(over.no_end)
    return shapely.union_all(closed)


def places_about(area: FormationArea, hull: Body, far: float, measure: str, *, most: int = 12) -> Iterator[Option]:
    """A few poses round a hull: as far out as may be, half as far, and close by."""
    shown: set[str] = set()
    own = max(body.foot.farthest for body in area.known)
    for part in (1.0, 0.5, 0.0):
        for by in (0, 90, 180, 270, 45, 135, 225, 315):
            course = (hull.heading + by) % 360
            for form in area.names:
                offsets = area.offsets(form, course)
                wide = max(math.hypot(x, y) for x, y in offsets)
                ux, uy = bodies.direction(course)
                edge = _half(hull, course)
                out = edge + own + 6 if part == 0.0 else edge + max(own + 6, far * part - wide - own)
                pose = Pose(round(hull.x + ux * out), round(hull.y + uy * out), course, form)
                if area.allows(pose):
                    if pose.key() not in shown:
                        shown.add(pose.key())
                        label = f"{measured(out - edge, measure)} {SIDES[by]}"
                        yield Option(pose.key(area.verb), label, area.verb, area.unit, pose.place, rule=area.rule)
                    break
            if len(shown) >= most:
                return


def _half(hull: Body, course: int) -> float:
    """How far a hull goes from its middle on a course, at most."""
    angle = math.radians(bodies.off(hull.heading, course))
    long, wide = hull.foot.length / 2, hull.foot.width / 2
    return min(hull.foot.farthest, abs(math.cos(angle)) * long + abs(math.sin(angle)) * wide)
