"""Entering the table: which stretch of its edge is open, where models may come to from there, and places along it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, footing
from grognard.board.table.bodies import RECT, Body, Place
from grognard.board.table.footing import Footing
from grognard.board.table.placement import FormationArea
from grognard.board.table.places import told
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Path, Placed, Zone
from grognard.core.ask import Bar, Option
from grognard.core.poses import Pose
from grognard.kits.table.riding import GroundFor
from grognard.kits.table.scenario import Placing
from grognard.kits.table.state import ON_TABLE, Unit

#: Which way units look that come on over an edge.
INWARD = {"top": 180, "bottom": 0, "left": 90, "right": 270}
#: How many places along the edge are listed, and how deep they are, of the whole move.
STEPS, DEPTHS = 7, (1.0, 0.6)


class Edge(NamedTuple):
    """A stretch of an edge of the table: the edge, and the two ends of the stretch."""

    name: str
    a: Place
    b: Place

    @property
    def heading(self) -> int:
        """Which way is inward."""
        return INWARD[self.name]

    @property
    def line(self) -> BaseGeometry:
        """The stretch as a line."""
        return shapely.LineString([self.a, self.b])

    def strip(self, far: float) -> BaseGeometry:
        """The ground within a distance of it, straight in."""
        ux, uy = bodies.direction(self.heading)
        (ax, ay), (bx, by) = self.a, self.b
        return shapely.Polygon([self.a, self.b, (bx + ux * far, by + uy * far), (ax + ux * far, ay + uy * far)])

    def behind(self, shape: BaseGeometry, far: float) -> BaseGeometry:
        """A thing with its shadow inward: what cannot be reached straight from the edge because of it."""
        ux, uy = bodies.direction(self.heading)
        return sums(shape, [(0.0, 0.0), (ux * far, uy * far)])

    def at(self, step: int, deep: float, steps: int = STEPS) -> Place:
        """The place so many steps along the stretch, and so deep."""
        ux, uy = bodies.direction(self.heading)
        (ax, ay), (bx, by) = self.a, self.b
        return round(ax + (bx - ax) * step / steps + ux * deep), round(ay + (by - ay) * step / steps + uy * deep)


def edge_of(table: Table, placing: Placing | None) -> Edge:
    """The stretch of an edge that a reserve comes on over; the whole bottom edge where nothing else is said."""
    edge = (placing.edge if placing else "") or "bottom"
    across = table.width if edge in ("top", "bottom") else table.height
    low, high = placing.entry if placing and placing.entry else (0, across)
    if edge == "top":
        return Edge(edge, (low, 0), (high, 0))
    if edge == "bottom":
        return Edge(edge, (low, table.height), (high, table.height))
    return Edge(edge, (0 if edge == "left" else table.width, low), (0 if edge == "left" else table.width, high))


def sums(shape: BaseGeometry, points: Sequence[tuple[float, float]]) -> BaseGeometry:
    """A shape grown by a convex one about the origin, or drawn out along a line from it: all sums of their points."""
    by = np.array(points, dtype=np.float64)
    shape = shape if shape.area else shape.buffer(bodies.HAIR)
    hull = shape.convex_hull
    if hull.area - shape.area < 1.0 and hull.area > 0:
        ring = shapely.get_coordinates(hull)
        return shapely.MultiPoint((ring[:, None, :] + by[None]).reshape(-1, 2)).convex_hull
    edges = footing.edges_of(shape)
    ends = np.concatenate([edges[:, None, 0:2] + by[None], edges[:, None, 2:4] + by[None]], axis=1)
    return shapely.union_all([shape, *(shapely.MultiPoint(each).convex_hull for each in ends)])


def ways_on(
    stand: Sequence[Body], edge: Edge, far: float, ground: GroundFor, outside: Bar, *, narrow: bool = False
) -> Placed:
    """Where each model may come to: straight in from the edge, within its move.

    ``narrow`` stands pass as discs of half their narrower side; where they may end is for their area to say.
    """
    line, strip = edge.line, edge.strip(far)
    starts = np.array(line.coords, dtype=np.float64)
    zones: dict[float, tuple[Zone, Footing]] = {}
    picked = []
    for body in stand:
        radius = body.foot.narrowest if narrow else body.foot.farthest
        if radius not in zones:
            over = ground(radius, starts, far)
            closed: list[Any] = [edge.behind(over.shape(number), far) for number in range(len(over.bars))]
            if over.no_end is not None:
                closed.append(over.no_end)
            room = strip
            if body.foot.shape == RECT:
                wide, deep = over.table.width, over.table.height
                room = room.intersection(shapely.box(radius, radius, wide - radius, deep - radius))
            zones[radius] = Zone(room.difference(shapely.union_all(closed)) if closed else room), over
        picked.append(zones[radius])
    return Placed(line, [zone for zone, _ in picked], [over for _, over in picked], far, outside)


def places_along(area: FormationArea, edge: Edge, table: Table) -> Iterator[Option]:
    """A few poses along an edge: as far in as may be, and not so far."""
    far = area.ways[0].far
    for part in DEPTHS:
        for step in range(1, STEPS):
            for form in area.names:
                back = max(math.hypot(x, y) for x, y in area.offsets(form, edge.heading))
                pose = Pose(*edge.at(step, max(back + 1, far * part - back)), edge.heading, form)
                if area.bar(pose) is None:
                    label = told(table, pose.x, pose.y)
                    yield Option(pose.key(area.verb), label, area.verb, area.unit, pose.place, rule=area.rule)
                    break


def set_on(unit: Unit[Any], paths: dict[str, Path], heading: int) -> None:
    """Put a unit on the table where its ways begin, looking inward."""
    for model in unit.models:
        model.x, model.y = paths[model.id][0]
        model.heading = heading
    unit.status = ON_TABLE
