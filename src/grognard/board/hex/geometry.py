"""Segments and polygons on the plane, in metres."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grognard.board.hex.grid import Point

Segment = tuple[Point, Point]
Box = tuple[float, float, float, float]

#: How near counts as touching, in metres. Corners of hexes have irrational coordinates, so that a
#: line along a wall misses it by a rounding error; a centimetre is nothing on a battlefield.
TOUCH = 0.01


class Outline(tuple[Point, ...]):
    """A polygon as its corners in order, the first not repeated, with its bounding box at hand."""

    box: Box

    def __new__(cls, points: Iterable[Sequence[float]]) -> Outline:
        ring = [(float(point[0]), float(point[1])) for point in points]
        if len(ring) > 1 and ring[0] == ring[-1]:
            ring.pop()
        self = super().__new__(cls, ring)
        self.box = bounds(ring)
        return self


def bounds(points: Sequence[Point]) -> Box:
    """The smallest box around points: left, top, right, bottom."""
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon; on the boundary it may be told either way."""
    x, y = point
    hit = False
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            hit = not hit
        x1, y1 = x2, y2
    return hit


def inside_rings(point: Point, rings: Sequence[Sequence[Point]]) -> bool:
    """Whether a point lies in a polygon with holes: the outer ring first, then the holes."""
    return inside(point, rings[0]) and not any(inside(point, hole) for hole in rings[1:])


def distance_to_segment(point: Point, segment: Segment) -> float:
    """The distance from a point to the nearest point of a segment."""
    (x, y), ((x1, y1), (x2, y2)) = point, segment
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / square))
    nx, ny = x - x1 - t * dx, y - y1 - t * dy
    return float((nx * nx + ny * ny) ** 0.5)


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _meet(first: Segment, second: Segment) -> bool:
    """Whether two segments cross, or come within `TOUCH` of each other."""
    (a, b), (c, d) = first, second
    if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
        return True
    return (
        distance_to_segment(c, first) <= TOUCH
        or distance_to_segment(d, first) <= TOUCH
        or distance_to_segment(a, second) <= TOUCH
        or distance_to_segment(b, second) <= TOUCH
    )


def crosses(segment: Segment, polygon: Sequence[Point]) -> bool:
    """Whether a segment meets a polygon, lies inside it, or touches its boundary.

    The answer is the same for the segment turned round. An `Outline` brings its bounding box;
    of any other sequence of corners it is worked out.
    """
    a, b = segment if segment[0] <= segment[1] else (segment[1], segment[0])
    left, top, right, bottom = polygon.box if isinstance(polygon, Outline) else bounds(polygon)
    if b[0] < left - TOUCH or a[0] > right + TOUCH:
        return False
    if max(a[1], b[1]) < top - TOUCH or min(a[1], b[1]) > bottom + TOUCH:
        return False
    if inside(a, polygon) or inside(b, polygon):
        return True
    previous = polygon[-1]
    for corner in polygon:
        if _meet((a, b), (previous, corner)):
            return True
        previous = corner
    return False


def clip(polygon: Sequence[Point], convex: Sequence[Point]) -> Outline | None:
    """The part of a polygon inside a convex one given clockwise (y downward), or None if there is none."""
    points = list(polygon)
    start = convex[-1]
    for end in convex:
        kept: list[Point] = []
        for i, point in enumerate(points):
            previous = points[i - 1]
            here, before = _turn(start, end, point), _turn(start, end, previous)
            if here * before < 0:
                t = before / (before - here)
                kept.append((previous[0] + t * (point[0] - previous[0]), previous[1] + t * (point[1] - previous[1])))
            if here >= 0:
                kept.append(point)
        points = kept
        start = end
    if len(points) < 3 or abs(area(points)) < TOUCH * TOUCH:
        return None
    return Outline(points)


def area(polygon: Sequence[Point]) -> float:
    """The area of a polygon in square metres, positive when its corners go clockwise (y downward)."""
    total = 0.0
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        total += x1 * y2 - x2 * y1
        x1, y1 = x2, y2
    return total / 2
