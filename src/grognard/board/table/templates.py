"""Templates laid on the table, and which bases they touch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from grognard.board.table.bodies import HAIR, Body, Footprint, Point, direction, separations, shape


class Disc(NamedTuple):
    """A round template about its centre, in hundredths."""

    x: int
    y: int
    radius: int

    def body(self) -> Body:
        """The template as a base."""
        return Body(self.x, self.y, 0, Footprint("disc", radius=self.radius))

    def outline(self) -> list[Point]:
        """Its edge as a ring."""
        return _ring(self.body())


class Square(NamedTuple):
    """A square template about its centre, turned to a heading."""

    x: int
    y: int
    side: int
    heading: int = 0

    def body(self) -> Body:
        """The template as a base."""
        return Body(self.x, self.y, self.heading, Footprint("rect", length=self.side, width=self.side))

    def outline(self) -> list[Point]:
        """Its edge as a ring."""
        return _ring(self.body())


class Strip(NamedTuple):
    """A strip that begins at a point and runs along a heading: a burst, a beaten zone, the run of an aircraft."""

    x: int
    y: int
    heading: int
    length: int
    width: int

    def body(self) -> Body:
        """The template as a base."""
        fx, fy = direction(self.heading)
        middle = round(self.x + fx * self.length / 2), round(self.y + fy * self.length / 2)
        return Body(*middle, self.heading, Footprint("rect", length=self.length, width=self.width))

    def outline(self) -> list[Point]:
        """Its edge as a ring."""
        return _ring(self.body())


Template = Disc | Square | Strip


def touched(bodies: Sequence[Body], template: Template) -> list[bool]:
    """Which bases a template touches, if only by a hair."""
    if not bodies:
        return []
    return [bool(apart <= HAIR) for apart in separations(bodies, [template.body()])[:, 0]]


def _ring(body: Body) -> list[Point]:
    return [(float(x), float(y)) for x, y in shape(body).exterior.coords[:-1]]
