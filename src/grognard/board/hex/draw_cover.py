"""Drawing terrain with an edge of its own: woods, orchards and villages as they lie, whatever hexes they cut."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator

import numpy as np
import shapely

from grognard.board.hex.features import Feature, covered, polygons
from grognard.board.hex.grid import HexGrid
from grognard.board.hex.sheet import Sheet
from grognard.board.shapes import PATTERNS, Style, dice_of, rows, scatter, tree
from grognard.board.style import style
from grognard.board.svg import closed, element, number

#: Where the trees of an orchard stand in a hex, in parts of it.
ROWS = [(x, y) for y in (-0.36, -0.18, 0.0, 0.18, 0.36) for x in (-0.4, -0.24, -0.08, 0.08, 0.24, 0.4)]


class Patches:
    """The terrain of a map that has an edge of its own, drawn on a sheet.

    ``hexes`` are those whose centre lies in such terrain: nothing else is drawn in them.
    """

    def __init__(self, sheet: Sheet, grid: HexGrid, building: Collection[str]) -> None:
        self.sheet, self.grid, self.s = sheet, grid, sheet.s
        self.features: list[Feature] = []
        self.hexes: set[str] = set()
        for feature in sheet.field.features:
            if feature.kind == "terrain" and "hexes" not in feature.properties:
                self.features.append(feature)
                self.hexes.update(covered(grid, feature.geometry))
            elif feature.kind == "terrain":
                self.hexes.difference_update(feature.properties["hexes"])
        self.hexes.difference_update(building)

    def _look(self, feature: Feature) -> Style:
        return style("terrain", str(feature.properties["terrain"]), self.sheet.theme)

    def _path(self, feature: Feature) -> str:
        return "".join(closed(map(self.sheet.xy, ring[:-1])) for rings in polygons(feature.geometry) for ring in rings)

    def washes(self) -> Iterator[str]:
        """Each as a wash over the ground, with its edge."""
        for feature in self.features:
            look = self._look(feature)
            if "tint" not in look:
                continue
            edge = {"stroke": look.get("shore", look.get("ink")), "stroke_width": self.s * 0.014}
            opacity = {"fill_opacity": look["opacity"], "stroke_opacity": 0.5}
            yield element("path", d=self._path(feature), fill=look["tint"], fill_rule="evenodd", **opacity, **edge)

    def patterns(self) -> Iterator[str]:
        """What grows or stands in each, up to its edge and no further."""
        for number_, feature in enumerate(self.features):
            look = self._look(feature)
            kind = look.get("pattern", "")
            shape = shapely.union_all(
                [
                    shapely.Polygon([self.sheet.xy(p) for p in rings[0]], [[*map(self.sheet.xy, r)] for r in rings[1:]])
                    for rings in polygons(feature.geometry)
                ]
            )
            names = self._touched(shape)
            if kind in ("trees", "orchard", "building"):
                yield from self._standing(kind, look, shape, names)
            elif kind == "furrows" or kind in PATTERNS:
                drawn = "".join(self._pattern(kind, look, name) for name in names)
                cut = f"patch-{number_}-{number(self.s)}"
                path = element("path", d=self._path(feature), clip_rule="evenodd")
                yield element("clipPath", path, id=cut) + element("g", drawn, clip_path=f"url(#{cut})")

    def _touched(self, shape: shapely.Geometry) -> list[str]:
        cells = shapely.polygons([[self.sheet.xy(corner) for corner in self.grid.corners(n)] for n in self.grid.hexes])
        return [self.grid.hexes[i] for i in np.flatnonzero(shapely.intersects(shape, cells))]

    def _standing(self, kind: str, look: Style, shape: shapely.Geometry, names: list[str]) -> Iterator[str]:
        """Trees or houses, each one whole inside the shape."""
        inner = shapely.buffer(shape, -self.s * 0.06)
        shapely.prepare(inner)
        for name in names:
            x, y = self.sheet.spots[name]
            dice = dice_of(f"{name} {kind}")
            if kind == "orchard":
                places = [(x * self.s, y * self.s) for x, y in ROWS]
            else:
                places = list(scatter(self.s, dice, 7 if kind == "building" else 17, 0.52))
            for dx, dy in places:
                one = self._one(kind, look, x + dx, y + dy, dice)
                if shapely.contains_xy(inner, x + dx, y + dy):
                    yield one

    def _one(self, kind: str, look: Style, x: float, y: float, dice: random.Random) -> str:
        if kind == "building":
            w, h = self.s * dice.uniform(0.1, 0.15), self.s * dice.uniform(0.07, 0.09)
            turn = f"rotate({dice.randrange(0, 180, 15)} {number(x)} {number(y)})"
            box = {"x": x - w / 2, "y": y - h / 2, "width": w, "height": h, "transform": turn}
            return element("rect", **box, fill=look["fill"], stroke=look["ink"], stroke_width=self.s * 0.014)
        return tree(x, y, self.s * (0.062 if kind == "orchard" else dice.uniform(0.075, 0.11)), look)

    def _pattern(self, kind: str, look: Style, name: str) -> str:
        if kind == "furrows":
            return rows([self.sheet.xy(corner) for corner in self.grid.corners(name)], 38.0, self.s, look)
        x, y = self.sheet.spots[name]
        moved = f"translate({number(x)} {number(y)})"
        return element("g", PATTERNS[kind](self.s, look, dice_of(name)), transform=moved)
