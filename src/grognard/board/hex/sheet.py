"""The sheet that a battlefield is drawn on: where its points are in pixels, and strokes on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import Geometry
from grognard.board.hex.geometry import bounds
from grognard.board.hex.grid import HexGrid, Point
from grognard.board.style import LIGHT
from grognard.board.svg import element, points

#: The size in pixels of a hex from flat to flat, or the width of a board without a grid.
HEX, TABLE = 80.0, 1000.0


class Sheet:
    """Where the points of a battlefield are in pixels; ``s`` is a hex from flat to flat."""

    def __init__(
        self, field: Battlefield, scale: float | None = None, places: Sequence[Any] = (), theme: str = LIGHT
    ) -> None:
        self.field, self.grid, self.theme = field, field.grid, theme
        if self.grid is not None:
            box = self.grid.box
            self.scale = scale or HEX / self.grid.size
            self.s = self.grid.size * self.scale
        else:
            found = [point for feature in field.features for point in all_points(feature.geometry)]
            found += [place for place in places if not isinstance(place, str)]
            box = bounds(found or [(0.0, 0.0), (1.0, 1.0)])
            self.scale = scale or TABLE / (max(box[2] - box[0], box[3] - box[1]) or 1.0)
            self.s = HEX
        self.margin = self.s * 0.2
        self.origin = (box[0], box[1])
        self.width = (box[2] - box[0]) * self.scale + 2 * self.margin
        self.height = (box[3] - box[1]) * self.scale + 2 * self.margin
        self.spots = {name: self.xy(self.grid.center(name)) for name in self.hexes} if self.grid else {}

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes of the grid, if there is one."""
        return self.grid.hexes if self.grid else ()

    def xy(self, point: Sequence[float]) -> Point:
        """A point of the battlefield in pixels."""
        return (
            (point[0] - self.origin[0]) * self.scale + self.margin,
            (point[1] - self.origin[1]) * self.scale + self.margin,
        )

    def outline(self, grid: HexGrid, name: str) -> str:
        """A hex as the points of a polygon."""
        return points(self.xy(corner) for corner in grid.corners(name))


def all_points(geometry: Geometry | None) -> Iterator[Point]:
    """Every point of a geometry."""

    def walk(value: Any) -> Iterator[Point]:
        if value and isinstance(value[0], (int, float)):
            yield float(value[0]), float(value[1])
        else:
            for part in value:
                yield from walk(part)

    yield from walk(geometry["coordinates"]) if geometry else ()


def line(ends: Sequence[Point], colour: str, width: float, dash: str | None = None, cap: str = "round") -> str:
    """A stroke through points."""
    return element(
        "polyline",
        points=points(ends),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_linejoin="round",
        stroke_dasharray=dash,
    )


def stroke(d: str, colour: str, width: float, cap: str = "round", **more: Any) -> str:
    """A stroke along path data."""
    return element(
        "path",
        d=d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_linejoin="round",
        **more,
    )
