"""Geometry as SVG path data, in inches of the table, and places along lines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import shapely

from grognard.board.svg import element, number
from grognard.board.table.bodies import Point


def xy(x: float, y: float) -> str:
    """A point in path data."""
    return f"{number(x)} {number(y)}"


def stroked(d: str, colour: str, width: float, cap: str = "round", **more: Any) -> str:
    """A stroke along path data; nothing where there is none."""
    if not d:
        return ""
    return element(
        "path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_linecap=cap, stroke_linejoin="round", **more
    )


def ring_path(area: Any) -> str:
    """An area's rings as path data: for a fill with the rule "evenodd", or any where there are no holes."""
    d = ""
    for part in shapely.get_parts(area):
        if part.geom_type == "Polygon" and not part.is_empty:
            for ring in (part.exterior, *part.interiors):
                d += _joined(list(ring.coords)[:-1]) + "Z"
    return d


def line_path(line: Any) -> str:
    """Lines as path data."""
    return "".join(_joined(list(part.coords)) for part in shapely.get_parts(line) if len(part.coords) > 1)


def _joined(points: list[Any]) -> str:
    return "M" + "L".join(xy(x, y) for x, y in points)


def softened(area: Any, radius: float) -> Any:
    """An area with round corners; the area itself where it is too small for that."""
    inner = area.buffer(-radius)
    if inner.is_empty or inner.geom_type != "Polygon":
        return area
    rounded = inner.buffer(2 * radius, quad_segs=5).buffer(-radius, quad_segs=5).simplify(0.02)
    return area if rounded.is_empty else rounded


def bent(line: Any, cut: float = 1.5) -> Any:
    """A line with its corners rounded: each is left a cut before it and met again a cut after."""
    points = list(line.coords)
    found = [points[0]]
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        into, out = math.dist(before, here), math.dist(here, after)
        a, b = min(cut, into / 2) / into, min(cut, out / 2) / out
        x0, y0 = here[0] + (before[0] - here[0]) * a, here[1] + (before[1] - here[1]) * a
        x1, y1 = here[0] + (after[0] - here[0]) * b, here[1] + (after[1] - here[1]) * b
        for i in range(7):
            t = i / 6
            u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
            found.append((u * x0 + v * here[0] + w * x1, u * y0 + v * here[1] + w * y1))
    return shapely.LineString([*found, points[-1]])


def run_on(line: Any, width: float, height: float, far: float = 4.0) -> Any:
    """A line that ends at the table's edge, running on beyond it, so that the edge cuts it straight."""
    points = list(line.coords)
    for end, inner in ((0, 1), (-1, -2)):
        (x, y), (ix, iy) = points[end], points[inner]
        if min(x, y, width - x, height - y) < 0.05:
            long = math.dist((x, y), (ix, iy))
            points[end] = x + (x - ix) / long * far, y + (y - iy) / long * far
    return shapely.LineString(points)


def along(line: Any, pitch: float) -> list[Point]:
    """Places along a line or a ring, a pitch apart or a little less, both ends included."""
    count = max(1, math.ceil(line.length / pitch))
    found = shapely.line_interpolate_point(line, [line.length * i / count for i in range(count + 1)])
    return [(float(point.x), float(point.y)) for point in found]


def legs(line: Any, pitch: float) -> Iterator[tuple[float, float, float, float]]:
    """Stretches along a line, each straight: its middle, its direction in radians and its length."""
    points = list(line.coords)
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        long = math.dist((ax, ay), (bx, by))
        if long < 1e-6:
            continue
        count, turn = max(1, round(long / pitch)), math.atan2(by - ay, bx - ax)
        for i in range(count):
            t = (i + 0.5) / count
            yield ax + (bx - ax) * t, ay + (by - ay) * t, turn, long / count


def quad(x: float, y: float, turn: float, long: float, wide: float) -> list[Point]:
    """The corners of a rectangle about a point, its length in a direction in radians."""
    cos, sin = math.cos(turn), math.sin(turn)
    return [
        (x + a * cos - b * sin, y + a * sin + b * cos)
        for a, b in ((-long / 2, -wide / 2), (long / 2, -wide / 2), (long / 2, wide / 2), (-long / 2, wide / 2))
    ]


def closed_path(corners: list[Point]) -> str:
    """Corners as the path data of a closed shape."""
    return _joined(corners) + "Z"
