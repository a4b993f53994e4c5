"""Areas of hexes as one shape: their common boundary, rounded like the edge of a wood or a contour line."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection

from grognard.board.hex.features import Geometry, ring
from grognard.board.hex.geometry import area, inside
from grognard.board.hex.grid import Axial, HexGrid, Point

#: A corner of a hex in axial coordinates counted in sixths, which are whole numbers.
Corner = tuple[int, int]

#: Each point is drawn toward its neighbours and then, by a little more, pushed away again: what wiggles from
#: corner to corner goes, and an area keeps its size (Taubin's fairing).
FAIRING = (0.6, -0.64, 0.6, -0.64)


def with_rim(grid: HexGrid, hexes: Collection[str]) -> set[Axial]:
    """The axial coordinates of hexes, carried one hex beyond the map's edge where they reach it.

    So a wood at the edge is not rounded off there, but runs on until the drawing is cut.
    """
    found = {grid.axials[name] for name in hexes}
    beyond: dict[Axial, list[bool]] = {}
    for name, (q, r) in grid.axials.items():
        if not grid.is_edge(name):
            continue
        for dq, dr in grid.steps[1:]:
            place = (q + dq, r + dr)
            if place not in grid.by_axial:
                beyond.setdefault(place, []).append((q, r) in found)
    # A hex off the map is like the middle one of its neighbours, or the first of two.
    found.update(place for place, votes in beyond.items() if votes[(len(votes) - 1) // 2])
    return found


def boundary(grid: HexGrid, hexes: Collection[Axial]) -> list[list[Corner]]:
    """The closed lines around an area, each as the corners that it runs through.

    Outer lines run clockwise and holes the other way round.
    """
    following: dict[Corner, Corner] = {}
    for q, r in hexes:
        for direction in range(1, 7):
            dq, dr = grid.steps[direction]
            if (q + dq, r + dr) not in hexes:
                following[_corner(grid, q, r, direction - 1)] = _corner(grid, q, r, direction)
    loops = []
    while following:
        start = min(following)
        loop = [start]
        corner = following.pop(start)
        while corner != start:
            loop.append(corner)
            corner = following.pop(corner)
        loops.append(loop)
    return loops


def area_of(grid: HexGrid, hexes: Collection[str]) -> Geometry:
    """Hexes as a GeoJSON MultiPolygon of their common outline, holes and all."""
    loops = boundary(grid, {grid.axials[name] for name in hexes})
    return _areas(grid, loops, lambda loop: [grid.point(*corner) for corner in loop])


def rounded_area_of(grid: HexGrid, hexes: Collection[str], wild: float = 0.0) -> Geometry:
    """Hexes as a GeoJSON MultiPolygon with the rounded outline of `rounded`, running on beyond the map's edge."""
    loops = boundary(grid, with_rim(grid, hexes))
    return _areas(grid, loops, lambda loop: rounded(grid, loop, wild))


def _areas(grid: HexGrid, loops: list[list[Corner]], drawn: Callable[[list[Corner]], list[Point]]) -> Geometry:
    """Closed lines as areas: each outer one with the holes in it, as they are drawn."""
    corners = [[grid.point(*corner) for corner in loop] for loop in loops]
    areas = [(outer, [drawn(loop)]) for outer, loop in zip(corners, loops) if area(outer) > 0]
    for hole, loop in zip(corners, loops):
        if area(hole) < 0:
            around = [each for each in areas if inside(hole[0], each[0])]
            min(around, key=lambda each: area(each[0]))[1].append(drawn(loop))
    return {"type": "MultiPolygon", "coordinates": [[ring(each) for each in rings] for _, rings in areas]}


def _corner(grid: HexGrid, q: int, r: int, number: int) -> Corner:
    # Corner n lies between directions n and n + 1; 0 is also 6.
    aq, ar = grid.steps[number or 6]
    bq, br = grid.steps[number % 6 + 1]
    return 6 * q + 2 * (aq + bq), 6 * r + 2 * (ar + br)


def nudge(corner: Corner, far: float) -> Point:
    """A small shift of a corner, always the same for the same corner."""
    bits = zlib.crc32(b"%d %d" % corner)
    return far * ((bits & 0xFF) / 127.5 - 1), far * ((bits >> 8 & 0xFF) / 127.5 - 1)


def rounded(grid: HexGrid, loop: list[Corner], wild: float = 0.0, steps: int = 3) -> list[Point]:
    """A closed line in metres, rounded, its corners shifted by up to ``wild`` parts of a hex.

    The curve is the quadratic spline of the corners, after the zigzag of the hexes has been taken out of them.
    """
    controls = []
    for corner in loop:
        x, y = grid.point(*corner)
        dx, dy = nudge(corner, wild * grid.size)
        controls.append((x + dx, y + dy))
    for weight in FAIRING:
        controls = [
            _toward(point, _toward(controls[i - 1], controls[(i + 1) % len(controls)], 0.5), weight)
            for i, point in enumerate(controls)
        ]
    found = []
    for i, bend in enumerate(controls):
        start, end = _toward(controls[i - 1], bend, 0.5), _toward(bend, controls[(i + 1) % len(controls)], 0.5)
        for part in range(steps):
            t = part / steps
            found.append(_toward(_toward(start, bend, t), _toward(bend, end, t), t))
    return found


def _toward(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
