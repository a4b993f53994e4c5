"""Room for stands on a bare table: on it with the whole base, and clear of the others."""

from __future__ import annotations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.stand_area import Bools, Floats
from grognard.core.ask import Bar


class Standing:
    """A `Room` without terrain; ``taken`` and ``off`` are why a base has none."""

    def __init__(self, size: tuple[int, int], others: list[Body], *, taken: Bar, off: Bar) -> None:
        self.size, self.others, self.taken, self.off = size, others, taken, off

    def room(self, foot: Footprint, heading: int) -> BaseGeometry:
        base = Body(0, 0, heading, foot)
        left, top, right, bottom = bodies.shape(base).bounds
        on = shapely.box(-left, -top, self.size[0] - right, self.size[1] - bottom)
        return on.difference(shapely.union_all([bodies.sum_of(other, base, 0.5) for other in self.others]))

    def has_room(self, foot: Footprint, heading: int, x: Floats, y: Floats) -> Bools:
        left, top, right, bottom = bodies.shape(Body(0, 0, heading, foot)).bounds
        free = (x >= -left) & (y >= -top) & (x <= self.size[0] - right) & (y <= self.size[1] - bottom)
        here = [Body(round(px), round(py), heading, foot) for px, py in zip(x, y)]
        return np.asarray(free & (bodies.separations(here, self.others).min(axis=1, initial=np.inf) >= 0.25))

    def why_not(self, body: Body) -> Bar:
        return self.taken if bodies.overlaps(body, self.others) else self.off
