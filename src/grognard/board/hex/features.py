"""The vector features of a battlefield, and the GeoJSON shapes that stand for hexes and hexsides."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from grognard.board.hex.geometry import bounds, inside_rings
from grognard.board.hex.grid import HexGrid, Point
from grognard.core.files import Document

Geometry = dict[str, Any]

#: How deep the coordinates of each type of geometry are nested: a Point's are one list of numbers.
DEPTHS = {
    "Point": 1,
    "MultiPoint": 2,
    "LineString": 2,
    "MultiLineString": 3,
    "Polygon": 3,
    "MultiPolygon": 4,
}
#: How many members the innermost list of points needs.
FEWEST = {"LineString": 2, "MultiLineString": 2, "Polygon": 4, "MultiPolygon": 4}

#: Heights of ground with contour lines are told in steps of so many metres.
STEP = 5

#: The kinds of feature that fill the lookups of a gridded battlefield.
KINDS = ("terrain", "level", "contour", "road", "bridge", "hexside", "building", "hill", "label", "extra")

#: The terrain of a hex that no feature covers, known to every game.
OPEN = "open"
#: Less than this part of a hex is not any of it: slivers that a rounded edge cuts off do not count.
SLIVER = 0.02

#: The part of a hex that a building without an outline of its own is drawn to fill.
SHRUNK = 0.7

#: The kind of a road that does not say its own.
ROAD = "road"

#: The kind of hexside that the walls between row houses become.
ROW_HOUSE_WALL = "row_house_wall"


class Feature(NamedTuple):
    """One thing on the plane: what kind, where, and whatever else is known of it."""

    id: str | int
    kind: str
    geometry: Geometry | None
    properties: dict[str, Any]

    def to_geojson(self) -> dict[str, Any]:
        """The feature as a GeoJSON object."""
        return {
            "type": "Feature",
            "id": self.id,
            "geometry": self.geometry,
            "properties": {"kind": self.kind, **self.properties},
        }


def by_layer(features: Iterable[Feature]) -> list[tuple[int, Feature]]:
    """Features with their numbers, what lies below before what lies over it.

    Later features lie over earlier ones, and a building over the ground that it stands on.
    """
    return sorted(enumerate(features), key=lambda item: item[1].kind == "building")


class Vocabulary(NamedTuple):
    """The kinds of terrain, kinds of hexside, levels and kinds of road that a game knows, and whether contours."""

    terrain: Collection[str]
    hexsides: Collection[str]
    levels: Collection[int]
    roads: Collection[str] = ()
    contours: bool = False


# geometry as given


def check_geometry(doc: Document, path: tuple[str | int, ...], geometry: Any) -> bool:
    """Whether a geometry is one that a battlefield can hold; if not, the fault is noted."""
    if geometry is None:
        return True
    if not isinstance(geometry, dict) or str(geometry.get("type")) not in DEPTHS:
        found = geometry.get("type") if isinstance(geometry, dict) else geometry
        doc.fault(path, f"{found!r} is not a type of geometry", f"one of {', '.join(DEPTHS)}")
        return False
    kind = geometry["type"]
    wrong = _wrong(geometry.get("coordinates"), DEPTHS[kind], FEWEST.get(kind, 1))
    if wrong:
        doc.fault((*path, "coordinates"), wrong, f"coordinates as a GeoJSON {kind} has them")
    return not wrong


def _wrong(value: Any, depth: int, fewest: int) -> str:
    if not isinstance(value, list):
        return f"{value!r} instead of a list"
    if depth == 1:
        if len(value) < 2:
            return "a position of fewer than two numbers"
        for number in value:
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number):
                return f"{number!r} instead of a number of metres"
        return ""
    if depth == 2 and len(value) < fewest:
        return f"{len(value)} positions where at least {fewest} are needed"
    if not value:
        return "an empty list"
    for part in value:
        if wrong := _wrong(part, depth - 1, fewest):
            return wrong
    return ""


def polygons(geometry: Geometry | None) -> list[list[list[Point]]]:
    """The polygons of a geometry, each as its rings of points: the outer one first, then holes."""
    if geometry is None:
        return []
    found = {"Polygon": [geometry["coordinates"]], "MultiPolygon": geometry["coordinates"]}
    return [
        [[(float(point[0]), float(point[1])) for point in ring] for ring in rings]
        for rings in found.get(geometry["type"], [])
    ]


def covered(grid: HexGrid, geometry: Geometry | None) -> list[str]:
    """The hexes whose centre lies in a geometry's polygons, in grid order."""
    areas = [(bounds(area[0]), area) for area in polygons(geometry)]

    def lies_in(x: float, y: float) -> bool:
        return any(
            left <= x <= right and top <= y <= bottom and inside_rings((x, y), area)
            for (left, top, right, bottom), area in areas
        )

    return [label for label in grid.hexes if lies_in(*grid.center(label))]


# geometry made from hexes


def _place(point: Sequence[float]) -> list[float]:
    # Millimetres are enough for anything on a battlefield and keep the files readable.
    return [round(float(point[0]), 3), round(float(point[1]), 3)]


def ring(points: Sequence[Point]) -> list[list[float]]:
    """Corners as a closed GeoJSON ring."""
    return [_place(point) for point in (*points, points[0])]


def polygon_of(points: Sequence[Point]) -> Geometry:
    """A GeoJSON polygon with these corners."""
    return {"type": "Polygon", "coordinates": [ring(points)]}


def hexes_of(grid: HexGrid, hexes: Sequence[str], fill: float = 1.0) -> Geometry:
    """Hexes as a GeoJSON MultiPolygon, each shrunk about its centre to a part of its size."""
    areas = []
    for label in hexes:
        x, y = grid.center(label)
        areas.append([ring([(x + (cx - x) * fill, y + (cy - y) * fill) for cx, cy in grid.corners(label)])])
    return {"type": "MultiPolygon", "coordinates": areas}


def sides_of(grid: HexGrid, sides: Sequence[str]) -> Geometry:
    """Hexsides as a GeoJSON MultiLineString."""
    lines = [[_place(end) for end in grid.side_points(*grid.side_hexes(side))] for side in sides]
    return {"type": "MultiLineString", "coordinates": lines}


def point_at(grid: HexGrid, label: str) -> Geometry:
    """A hex's centre as a GeoJSON point."""
    return {"type": "Point", "coordinates": _place(grid.center(label))}


def line_through(grid: HexGrid, path: Sequence[str]) -> Geometry:
    """A road's path as a GeoJSON LineString through the centres, out to the map's edge at an exit."""
    points: list[list[float]] = []
    for item in path:
        label, _, direction = item.partition(">")
        center = _place(grid.center(label))
        if direction and not points:
            points.append(_place(grid.side_middle(label, int(direction))))
        if not points or points[-1] != center:
            points.append(center)
        if direction and item is path[-1] and len(path) > 1:
            points.append(_place(grid.side_middle(label, int(direction))))
    return {"type": "LineString", "coordinates": points}


def road_links(grid: HexGrid, path: Sequence[str]) -> list[tuple[str, int]]:
    """The hex and direction of each way out of a hex that a road's path makes; ValueError if it breaks."""
    links: list[tuple[str, int]] = []
    before: str | None = None
    for number, item in enumerate(path):
        label, mark, exit_ = (part.strip() for part in item.partition(">"))
        grid.axial(label)
        if before is not None and before != label:
            direction = grid.direction(before, label)
            if not direction:
                near = ", ".join(grid.adjacent[before])
                raise ValueError(f"the road jumps from {before} to {label}; next to {before} are {near}")
            links += [(before, direction), (label, grid.direction(label, before))]
        if mark:
            if number not in (0, len(path) - 1):
                raise ValueError(f"the exit {item} is in the middle of the road; an exit must start or end it")
            if exit_ not in ("1", "2", "3", "4", "5", "6"):
                raise ValueError(f'{item!r} doesn\'t give a direction; write an exit as "{label}>1" to "{label}>6"')
            beyond = grid.neighbors[label][int(exit_)]
            if beyond is not None:
                raise ValueError(f"the exit {item} leads to {beyond} on the map; name {beyond} instead")
            links.append((label, int(exit_)))
        before = label
    if not links:
        raise ValueError("a road of one hex leads nowhere; it needs two hexes, or one hex and an exit")
    return links


def way_out(grid: HexGrid, label: str, direction: int) -> str:
    """The id of the hexside by which a road leaves a hex; off the map as paths write it: ``"A5>6"``."""
    other = grid.neighbors[label][direction]
    return f"{label}>{direction}" if other is None else grid.hexside(label, other)


# part of a map


def cut(feature: Feature, whole: HexGrid, part: HexGrid) -> list[Feature]:
    """What is left of a feature on part of the map: the hexes, hexsides and stretches of road that lie in it.

    Shapes stay as they are drawn; what a game asks of them it asks hex by hex.
    """
    kept = dict(feature.properties)
    if isinstance(kept.get("path"), list):
        runs = _stretches([str(each) for each in kept["path"]], whole, part)
        ids = [feature.id, *(f"{feature.id}, {number}" for number in range(2, len(runs) + 1))]
        return [feature._replace(id=id, properties={**kept, "path": run}) for id, run in zip(ids, runs)]
    if isinstance(kept.get("hexes"), list):
        kept["hexes"] = [hex for hex in kept["hexes"] if hex in part]
        if not kept["hexes"]:
            return []
    if isinstance(kept.get("sides"), list):
        kept["sides"] = [side for side in kept["sides"] if all(hex in part for hex in whole.side_hexes(side))]
        if not kept["sides"]:
            return []
    if "hex" in kept and kept["hex"] not in part:
        return []
    return [feature._replace(properties=kept)]


def _stretches(path: list[str], whole: HexGrid, part: HexGrid) -> list[list[str]]:
    """The stretches of a road that lie in part of the map, each leading off it where it was cut."""
    runs: list[list[str]] = []
    run: list[str] = []
    before = ""
    for place in path:
        hex, way, _ = place.partition(">")
        if way:
            if hex in part:
                run.append(place)
            continue
        if hex in part:
            if before and before not in part:
                run.append(f"{hex}>{whole.direction(hex, before)}")
            run.append(hex)
        elif before in part:
            run.append(f"{before}>{whole.direction(before, hex)}")
            runs.append(run)
            run = []
        before = hex
    return [*runs, *([run] if run else [])]
