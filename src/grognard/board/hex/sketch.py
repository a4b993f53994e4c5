"""The sketch: a battlefield as people write it by hand in TOML.

::

    [map]
    name = "demo"
    columns = 12
    rows = 10
    rows_from = "top"          # or "bottom": rows are numbered from below
    bridges = "H9"
    labels = { F6 = "Mill" }
    surfaces = { snow = "A1-L10" }   # how the ground looks; no rule asks
    [map.terrain]
    woods = "C3, D4-E5"        # X-Y: a rectangle; X:Y: a straight line
    [[map.patch]]              # woods and the like with an edge of their own, rounded about these hexes
    terrain = "woods"
    hexes = "H6-J8"
    [[map.patch]]              # or drawn, in hexes from the first hex's centre, so that part of a hex can be taken
    terrain = "woods"
    hexes = "C8"
    outline = [[-0.5, -0.5], [0.1, -0.5], [0.1, 0.5], [-0.5, 0.5]]
    [map.levels]
    2 = "H3-I4"
    [map.heights]              # contours: hexes at or above so many metres; higher ones need not be named again
    40 = "C3-F7"
    60 = "D4-E5"
    [map.hexsides]
    hedge = "C5|C6, C5:123"    # between two hexes, or sides of a hex by direction
    [[map.road]]
    path = "A5>6, A5:L5"       # in order; ">6" leaves the map in direction 6
    road = "trail"             # its kind, in a game's own words; "road" where it says nothing
    [[map.building]]
    terrain = "stone"
    hexes = "F6-G7"
    level = 2
    outline = [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3]]   # in hexes, from the first hex's centre
    walls = "F6|F7"
    [[map.hill]]
    hexes = "H3-I4"
    outline = [[-0.5, -0.5], [2.0, 0.0], [0.0, 2.0]]
    [map.extra.F6]
    anything = "a game keeps it"

Where two entries name the same hex the later one holds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec

from grognard.board.hex.battlefield import GROUND, INTERVAL, check_contoured, check_ids, read_grid, read_interval
from grognard.board.hex.features import (
    OPEN,
    ROAD,
    ROW_HOUSE_WALL,
    SHRUNK,
    Feature,
    Vocabulary,
    hexes_of,
    line_through,
    point_at,
    polygon_of,
    road_links,
    sides_of,
)
from grognard.board.hex.geometry import clip
from grognard.board.hex.grid import HexGrid, Point
from grognard.board.hex.regions import area_of, rounded_area_of
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, check_word, did_you_mean

_GRID = ("columns", "rows", "layout", "numbering", "shove", "size", "rows_from")
_KEYS = (
    "name",
    *_GRID,
    "interval",
    "terrain",
    "patch",
    "levels",
    "heights",
    "hexsides",
    "road",
    "building",
    "hill",
    "bridges",
    "labels",
    "surfaces",
    "extra",
)


class RoadSketch(msgspec.Struct, forbid_unknown_fields=True):
    """A road: the hexes that it runs through, in order, and what kind it is."""

    path: str
    road: str = ROAD


class BuildingSketch(msgspec.Struct, forbid_unknown_fields=True):
    """A building: its hexes, what it is built of, and perhaps its own outline and inner walls."""

    terrain: str
    hexes: str
    level: int = 1
    outline: list[tuple[float, float]] | None = None
    walls: str = ""
    id: str = ""


class PatchSketch(msgspec.Struct, forbid_unknown_fields=True):
    """Terrain with an edge of its own: rounded about its hexes, or as it is drawn."""

    terrain: str
    hexes: str
    outline: list[tuple[float, float]] | None = None


class HillSketch(msgspec.Struct, forbid_unknown_fields=True):
    """The outline of a hill in the hexes that it takes part of."""

    hexes: str
    outline: list[tuple[float, float]]


def read_sketch(
    data: Any, doc: Document, path: FilePath, known: Vocabulary | None
) -> tuple[str, HexGrid | None, list[Feature], int]:
    """The name, grid, features and contour interval of a sketch; its faults are noted in the document."""
    if not isinstance(data, dict):
        doc.fault(path, f"{data!r} instead of a table", "a [map] table with columns and rows")
        return "", None, [], INTERVAL
    for key in data:
        if key not in _KEYS:
            doc.fault((*path, key), f'unknown key "{key}"', did_you_mean(key, _KEYS))
    name = doc.convert(data.get("name", ""), str, *path, "name") or ""
    interval = read_interval(doc, (*path, "interval"), data.get("interval", INTERVAL))
    grid = read_grid(doc, path, {key: data[key] for key in _GRID if key in data})
    if grid is None:
        return name, None, [], interval
    reader = _Reader(grid, doc, known, interval)
    for key in _KEYS:
        if key in data and key not in ("name", "interval", *_GRID):
            getattr(reader, f"read_{key}")((*path, key), data[key])
    check_ids(doc, path, reader.features)
    return name, grid, reader.features, interval


class _Reader:
    """Turns the tables of a sketch into features, noting what it cannot read."""

    def __init__(self, grid: HexGrid, doc: Document, known: Vocabulary | None, interval: int) -> None:
        self.grid, self.doc, self.known, self.interval = grid, doc, known, interval
        self.features: list[Feature] = []
        self.counts: dict[str, int] = {}

    def add(self, kind: str, geometry: dict[str, Any], ident: str = "", **properties: Any) -> None:
        number = self.counts[kind] = self.counts.get(kind, 0) + 1
        self.features.append(Feature(ident or f"{kind}-{number}", kind, geometry, properties))

    # pieces

    def texts(self, path: FilePath, table: Any) -> dict[str, str]:
        """A table of texts; whatever is none is a fault."""
        if not isinstance(table, dict):
            self.doc.fault(path, f"{table!r} instead of a table", 'entries such as name = "A1, B2-C3"')
            return {}
        found = {}
        for key, value in table.items():
            text = self.doc.convert(value, str, *path, key)
            if text is not None:
                found[key] = text
        return found

    def each(self, path: FilePath, text: str, read: Callable[[str], list[str]]) -> list[str]:
        """What each comma-separated part of a text stands for; every bad part is a fault."""
        found: dict[str, None] = {}
        for part in text.split(","):
            if part.strip():
                try:
                    found.update(dict.fromkeys(read(part.strip())))
                except ValueError as error:
                    self.doc.fault(path, str(error))
        if not found and not text.strip(" ,"):
            self.doc.fault(path, "an empty list", 'hexes such as "A1, B2-C3, A7:F7"')
        return list(found)

    def hexes(self, path: FilePath, text: str) -> list[str]:
        return self.each(path, text, self.grid.parse_hexes)

    def sides(self, path: FilePath, text: str) -> list[str]:
        return self.each(path, text, self._sides)

    def _sides(self, part: str) -> list[str]:
        if "|" in part:
            return [self.grid.parse_hexside(part)]
        label, mark, digits = (piece.strip() for piece in part.partition(":"))
        if not mark or not digits or any(digit not in "123456" for digit in digits):
            raise ValueError(f'{part!r} is not a hexside; write "C5|C6", or "C5:13" for its sides 1 and 3')
        self.grid.axial(label)
        sides = []
        for digit in digits:
            other = self.grid.neighbors[label][int(digit)]
            if other is None:
                ways = "".join(str(way) for way in range(1, 7) if self.grid.neighbors[label][way])
                raise ValueError(f"side {digit} of {label} is the edge of the map; its inner sides are {ways}")
            sides.append(self.grid.hexside(label, other))
        return sides

    def outline(self, path: FilePath, hexes: list[str], points: list[tuple[float, float]]) -> list[Point] | None:
        """An outline given in hexes from the first hex's centre, in metres."""
        if len(points) < 3:
            self.doc.fault(path, f"an outline of {len(points)} points", "at least three [x, y] points")
            return None
        if not all(math.isfinite(number) for point in points for number in point):
            self.doc.fault(path, "an outline with a number that is not finite", "fractions of a hex")
            return None
        if not hexes:
            return None
        x0, y0 = self.grid.center(hexes[0])
        drawn = [(x0 + x * self.grid.size, y0 + y * self.grid.size) for x, y in points]
        for label in hexes:
            if clip(drawn, self.grid.corners(label)) is None:
                self.doc.fault(path, f"the outline doesn't reach {label}", "widen it, or leave the hex out")
        return drawn

    def tables(self, path: FilePath, value: Any) -> list[tuple[FilePath, Any]]:
        """The tables of an array of them, each with its place."""
        if not isinstance(value, list):
            self.doc.fault(path, f"{value!r} instead of tables", f"[[{'.'.join(map(str, path))}]]")
            return []
        return [((*path, number), item) for number, item in enumerate(value)]

    # entries

    def read_terrain(self, path: FilePath, table: Any) -> None:
        for terrain, text in self.texts(path, table).items():
            if self.known is not None:
                check_word(self.doc, (*path, terrain), "terrain", terrain, {OPEN, *self.known.terrain})
            if hexes := self.hexes((*path, terrain), text):
                self.add("terrain", hexes_of(self.grid, hexes), terrain=terrain, hexes=hexes)

    def read_patch(self, path: FilePath, value: Any) -> None:
        for place, item in self.tables(path, value):
            patch = self.doc.convert(item, PatchSketch, *place)
            if patch is None:
                continue
            if self.known is not None:
                words = {OPEN, *self.known.terrain}
                check_word(self.doc, (*place, "terrain"), "terrain", patch.terrain, words)
            hexes = self.hexes((*place, "hexes"), patch.hexes)
            if patch.outline is not None:
                points = self.outline((*place, "outline"), hexes, patch.outline)
                if points is not None:
                    self.add("terrain", polygon_of(points), terrain=patch.terrain)
            elif hexes:
                self.add("terrain", self._rounded(hexes), terrain=patch.terrain)

    def _rounded(self, hexes: list[str]) -> dict[str, Any]:
        """The rounded area about hexes, which takes a part of each of them and of no other."""
        from grognard.board.hex.relief import geometry_of, shape_of

        soft, hard = rounded_area_of(self.grid, hexes), area_of(self.grid, hexes)
        return geometry_of(shape_of(soft).intersection(shape_of(hard)))

    def read_levels(self, path: FilePath, table: Any) -> None:
        for key, text in self.texts(path, table).items():
            hexes = self.hexes((*path, key), text)
            try:
                level = int(key)
            except ValueError:
                self.doc.fault((*path, key), f'"{key}" is not a level', "a whole number")
                continue
            if self.known is not None:
                check_word(self.doc, (*path, key), "level", level, {GROUND, *self.known.levels})
            if hexes:
                self.add("level", hexes_of(self.grid, hexes), level=level, hexes=hexes)

    def read_heights(self, path: FilePath, table: Any) -> None:
        from grognard.board.hex.relief import check_heights, geometry_of, shape_of

        check_contoured(self.doc, path, self.known)
        given: dict[int, list[str]] = {}
        places: dict[int, FilePath] = {}
        for key, text in self.texts(path, table).items():
            hexes = self.hexes((*path, key), text)
            try:
                height = int(key)
            except ValueError:
                self.doc.fault((*path, key), f'"{key}" is not a height', "a whole number of metres")
                continue
            given[height], places[height] = hexes, (*path, key)
        check_heights(self.doc, places, self.interval)
        # What lies high lies at or above every lower height too; and rounding may not let lines cross.
        below = None
        for height in sorted(given):
            reached = {hex for other, hexes in given.items() if other >= height for hex in hexes}
            if reached:
                shape = shape_of(rounded_area_of(self.grid, reached))
                below = shape if below is None else shape.intersection(below)
                self.add("contour", geometry_of(below), height=height)

    def read_hexsides(self, path: FilePath, table: Any) -> None:
        for kind, text in self.texts(path, table).items():
            if self.known is not None:
                words = {ROW_HOUSE_WALL, *self.known.hexsides}
                check_word(self.doc, (*path, kind), "hexside", kind, words)
            if sides := self.sides((*path, kind), text):
                self.add("hexside", sides_of(self.grid, sides), hexside=kind, sides=sides)

    def read_road(self, path: FilePath, value: Any) -> None:
        for place, item in self.tables(path, value):
            road = self.doc.convert(item, RoadSketch, *place)
            if road is None:
                continue
            if self.known is not None:
                check_word(self.doc, (*place, "road"), "road", road.road, {ROAD, *self.known.roads})
            try:
                steps = self._path(road.path)
                road_links(self.grid, steps)
            except ValueError as error:
                self.doc.fault((*place, "path"), str(error))
            else:
                kind = {} if road.road == ROAD else {"road": road.road}
                self.add("road", line_through(self.grid, steps), path=steps, **kind)

    def _path(self, text: str) -> list[str]:
        # A road may come back to a hex, so its parts are joined rather than gathered.
        steps: list[str] = []
        for part in text.split(","):
            part = part.strip()
            if ">" in part:
                steps.append(part.replace(" ", ""))
            elif part:
                hexes = self.grid.parse_hexes(part)
                steps += hexes[1:] if steps and hexes[0] == steps[-1] else hexes
        return steps

    def read_building(self, path: FilePath, value: Any) -> None:
        for place, item in self.tables(path, value):
            building = self.doc.convert(item, BuildingSketch, *place)
            if building is None:
                continue
            if self.known is not None:
                words = {OPEN, *self.known.terrain}
                check_word(self.doc, (*place, "terrain"), "terrain", building.terrain, words)
            hexes = self.hexes((*place, "hexes"), building.hexes)
            if building.level < 1:
                self.doc.fault((*place, "level"), f"a building of level {building.level}", "1 or more")
            points = None
            if building.outline is not None:
                points = self.outline((*place, "outline"), hexes, building.outline)
            if hexes:
                shape = hexes_of(self.grid, hexes, SHRUNK) if points is None else polygon_of(points)
                self.add(
                    "building",
                    shape,
                    building.id,
                    terrain=building.terrain,
                    hexes=hexes,
                    level=building.level,
                    outline=points is not None,
                )
            if building.walls and (sides := self.sides((*place, "walls"), building.walls)):
                self.add("hexside", sides_of(self.grid, sides), hexside=ROW_HOUSE_WALL, sides=sides)

    def read_hill(self, path: FilePath, value: Any) -> None:
        for place, item in self.tables(path, value):
            hill = self.doc.convert(item, HillSketch, *place)
            if hill is None:
                continue
            hexes = self.hexes((*place, "hexes"), hill.hexes)
            points = self.outline((*place, "outline"), hexes, hill.outline)
            if points is not None:
                self.add("hill", polygon_of(points), hexes=hexes)

    def read_bridges(self, path: FilePath, value: Any) -> None:
        text = self.doc.convert(value, str, *path)
        if text is not None and (hexes := self.hexes(path, text)):
            self.add("bridge", hexes_of(self.grid, hexes), hexes=hexes)

    def read_labels(self, path: FilePath, table: Any) -> None:
        for label, text in self.texts(path, table).items():
            try:
                self.add("label", point_at(self.grid, label), hex=label, text=text)
            except ValueError as error:
                self.doc.fault((*path, label), str(error))

    def read_surfaces(self, path: FilePath, table: Any) -> None:
        for surface, text in self.texts(path, table).items():
            if hexes := self.hexes((*path, surface), text):
                self.add("surface", area_of(self.grid, hexes), surface=surface)

    def read_extra(self, path: FilePath, table: Any) -> None:
        if not isinstance(table, dict):
            self.doc.fault(path, f"{table!r} instead of a table", "a table for each hex")
            return
        for key, values in table.items():
            hexes = self.hexes((*path, key), key)
            found = self.doc.convert(values, dict[str, Any], *path, key)
            try:
                json.dumps(found, allow_nan=False)
            except (TypeError, ValueError) as error:
                self.doc.fault((*path, key), f"can't be kept: {error}", "texts, numbers, lists and tables")
                continue
            if hexes and found is not None:
                self.add("extra", hexes_of(self.grid, hexes), hexes=hexes, values=found)
