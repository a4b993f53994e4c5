"""Houses on a table: walls, roofs with their ridges and tiles, chimneys and doors, in inches of the table."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import shapely
from shapely.geometry.polygon import orient
from shapely.ops import split

from grognard.board.svg import element
from grognard.board.table.bodies import Point
from grognard.board.table.draw_growth import Look
from grognard.board.table.draw_paths import closed_path, quad, ring_path, stroked, xy
from grognard.board.table.draw_works import shadow


def house(
    points: Sequence[Point],
    doors: Collection[int],
    look: Look,
    dice: random.Random,
    dark: str,
    *,
    wooden: bool = False,
) -> Iterator[str]:
    """A house: its shadow, a strip of wall, the slopes of its roof each in its own light, a chimney, its doors."""
    area = shapely.Polygon(points)
    outline = closed_path(list(points))
    yield shadow(outline, dark, 2.4, 0.38)
    yield element("path", d=outline, fill=look["wall"], stroke=look["ink"], stroke_width=0.07, stroke_linejoin="round")
    colour = dice.choice(look["wooden"] if wooden else look["roofs"])
    gabled = dice.random() < 0.65
    wings = _wings(area.buffer(-0.12, join_style="mitre"))
    for wing in wings:
        yield from _roof(wing, colour, look, gabled)
    if not wooden:
        yield _chimney(max(wings, key=lambda wing: float(wing.area)), look, dice, dark)
    yield "".join(_doors(points, doors, look))


def _wings(area: Any) -> list[Any]:
    """The convex parts of a plan, cut where a wall runs on inwards: an L is two wings."""
    if area.is_empty or area.geom_type != "Polygon":
        return [area]
    pending: list[Any] = [area]
    found: list[Any] = []
    while pending:
        part = pending.pop()
        cut = _cut(part) if len(found) + len(pending) < 8 else None
        if cut is None:
            found.append(part)
        else:
            pending += cut
    return found


def _cut(area: Any) -> list[Any] | None:
    ring = list(orient(area).exterior.coords)[:-1]
    best: list[Any] | None = None
    for i, here in enumerate(ring):
        before, after = ring[i - 1], ring[(i + 1) % len(ring)]
        turn = (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])
        if turn >= -1e-6:
            continue
        for end in (before, after):
            long = math.dist(end, here) or 1.0
            dx, dy = (here[0] - end[0]) / long, (here[1] - end[1]) / long
            knife = shapely.LineString(
                [(here[0] - dx * 1e-6, here[1] - dy * 1e-6), (here[0] + dx * 99, here[1] + dy * 99)]
            )
            parts = list(split(area, knife).geoms)
            # The squarest pair of wings: the larger the largest part, the better.
            if len(parts) > 1 and (best is None or max(p.area for p in parts) > max(p.area for p in best)):
                best = parts
    return best


def _roof(area: Any, colour: str, look: Look, gabled: bool) -> Iterator[str]:
    """The slopes of a convex roof: each wall's is what lies nearer to it than to any other; gables have none."""
    ring = [(float(corner[0]), float(corner[1])) for corner in list(orient(area).exterior.coords)[:-1]]
    walls = [(ring[i], ring[(i + 1) % len(ring)]) for i in range(len(ring))]
    walls = [wall for wall in walls if math.dist(*wall) > 1e-6]
    sloped = walls
    if gabled and len(walls) == 4:
        sloped = sorted(walls, key=lambda wall: -math.dist(*wall))[:2]
    ridge = ""
    for wall in sloped:
        slope = area
        for other in sloped:
            if other is not wall:
                slope = slope.intersection(_nearer(wall, other, area))
        if slope.is_empty:
            continue
        (ax, ay), (bx, by) = wall
        long = math.dist(*wall)
        # Outwards of a wall: the ring runs so that inside is on its left.
        nx, ny = (by - ay) / long, -(bx - ax) / long
        light = -(nx * 0.55 + ny * 0.83)
        d = ring_path(slope)
        yield element("path", d=d, fill=shaded(colour, 0.17 * light))
        yield stroked(_tiles(slope, wall), shaded(colour, 0.17 * light - 0.12), 0.045, "butt", stroke_opacity=0.8)
        ridge += d
    yield stroked(ridge, shaded(colour, -0.3), 0.07)


def _nearer(wall: tuple[Point, Point], other: tuple[Point, Point], area: Any) -> Any:
    """Where one wall is nearer than another, as a half plane about the area."""

    def line(side: tuple[Point, Point]) -> tuple[float, float, float]:
        (ax, ay), (bx, by) = side
        long = math.dist(*side)
        nx, ny = -(by - ay) / long, (bx - ax) / long
        return nx, ny, -(nx * ax + ny * ay)

    (a1, b1, c1), (a2, b2, c2) = line(wall), line(other)
    # Nearer is a1 x + b1 y + c1 <= a2 x + b2 y + c2.
    a, b, c = a2 - a1, b2 - b1, c2 - c1
    size = math.hypot(a, b)
    if size < 1e-9:
        return area
    a, b, c = a / size, b / size, c / size
    middle = area.centroid
    far = c + a * middle.x + b * middle.y
    x, y = middle.x - a * far, middle.y - b * far
    big = 200.0
    return shapely.Polygon(
        [
            (x - b * big, y + a * big),
            (x + b * big, y - a * big),
            (x + b * big + a * big, y - a * big + b * big),
            (x - b * big + a * big, y + a * big + b * big),
        ]
    )


def _tiles(slope: Any, wall: tuple[Point, Point]) -> str:
    """Courses of tiles parallel to the eaves."""
    (ax, ay), (bx, by) = wall
    long = math.dist(*wall)
    dx, dy = (bx - ax) / long, (by - ay) / long
    d = ""
    for i in range(1, 40):
        x, y = ax - dy * i * 0.3, ay + dx * i * 0.3
        course = slope.intersection(shapely.LineString([(x - dx * 99, y - dy * 99), (x + dx * 99, y + dy * 99)]))
        if course.is_empty or course.geom_type != "LineString":
            break
        (px, py), (qx, qy) = course.coords[0], course.coords[-1]
        d += f"M{xy(px, py)}L{xy(qx, qy)}"
    return d


def _chimney(area: Any, look: Look, dice: random.Random, dark: str) -> str:
    box = list(area.minimum_rotated_rectangle.exterior.coords)
    (ax, ay), (bx, by) = max(itertools.pairwise(box), key=lambda side: math.dist(*side))
    long, turn = math.dist((ax, ay), (bx, by)), math.atan2(by - ay, bx - ax)
    middle, far = area.centroid, dice.choice((-0.3, 0.3)) * long
    x, y = middle.x + far * math.cos(turn), middle.y + far * math.sin(turn)
    stack = closed_path(quad(x, y, turn, 0.62, 0.5))
    return (
        shadow(stack, dark, 1.5, 0.4)
        + element("path", d=stack, fill=look["chimney"], stroke=look["ink"], stroke_width=0.05)
        + element("path", d=closed_path(quad(x, y, turn, 0.3, 0.22)), fill=look["ink"])
    )


def _doors(points: Sequence[Point], doors: Collection[int], look: Look) -> Iterator[str]:
    """A step before each side that has an opening: that is where one goes in and looks out."""
    middle = shapely.Polygon(points).centroid
    for edge in doors:
        (ax, ay), (bx, by) = points[edge % len(points)], points[(edge + 1) % len(points)]
        turn = math.atan2(by - ay, bx - ax)
        x, y = (ax + bx) / 2, (ay + by) / 2
        nx, ny = -math.sin(turn), math.cos(turn)
        if (x - middle.x) * nx + (y - middle.y) * ny < 0:
            nx, ny = -nx, -ny
        step = quad(x + nx * 0.13, y + ny * 0.13, turn, 0.85, 0.3)
        yield element("path", d=closed_path(step), fill=look["door"], stroke=look["ink"], stroke_width=0.05)


def shaded(colour: str, by: float) -> str:
    """A colour lighter (up to 1) or darker (down to -1).

    >>> shaded("#808080", 0.5), shaded("#808080", -0.5)
    ('#c0c0c0', '#404040')
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [part + (255 - part) * by if by > 0 else part * (1 + by) for part in parts]
    return "#" + "".join(f"{min(255, max(0, round(part))):02x}" for part in mixed)
