"""What lies in each hex, also where it takes only part of it: woods and buildings with outlines of their own.

``Battlefield.terrain`` says what lies at a hex's centre. Here a hex has every kind of terrain that takes at least a
fiftieth of it, and each kind has the shape in which it lies on the map, for whoever asks about a point. Later features
lie over earlier ones, and buildings over the ground that they stand on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely

from grognard.board.hex.features import OPEN, SLIVER, Feature, by_layer, hexes_of, polygons
from grognard.board.hex.geometry import TOUCH
from grognard.board.hex.grid import HexGrid
from grognard.board.hex.relief import shape_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from grognard.board.hex.battlefield import Battlefield


class Cover:
    """The shapes of all kinds of terrain on a map, and the kinds in each hex; `cover_of` keeps one for each map."""

    def __init__(self, field: Battlefield) -> None:
        assert field.grid is not None
        self.grid = field.grid
        #: The shape of each kind as it can be seen from above, in the order of the map's features.
        self.shapes = _shapes(self.grid, field.features)
        #: How much of each hex a kind takes, those in the order of ``shapes`` and what is open last.
        self.shares: dict[str, dict[str, float]] = self._shares()
        #: The kinds in each hex, those that take least left out.
        self.kinds: dict[str, tuple[str, ...]] = {
            hex: tuple(kind for kind, share in shares.items() if share >= SLIVER) for hex, shares in self.shares.items()
        }

    def _shares(self) -> dict[str, dict[str, float]]:
        cells = shapely.polygons([self.grid.corners(hex) for hex in self.grid.hexes])
        whole = shapely.area(cells)
        found: dict[str, dict[str, float]] = {hex: {} for hex in self.grid.hexes}
        for kind, shape in self.shapes.items():
            shapely.prepare(shape)
            meets = np.flatnonzero(shapely.intersects(shape, cells))
            shares = shapely.area(shapely.intersection(shape, cells[meets])) / whole[meets]
            for number, share in zip(meets, shares.tolist()):
                if kind != OPEN and share > 0:
                    found[self.grid.hexes[number]][kind] = share
        for shares_of in found.values():
            shares_of[OPEN] = max(0.0, 1.0 - sum(shares_of.values()))
        return found

    def covers(self, kind: str, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which of many points lie in a kind of terrain or on its edge."""
        if kind not in self.shapes:
            return np.zeros(len(xs), dtype=bool)
        wide = shapely.buffer(self.shapes[kind], TOUCH, join_style="mitre")
        shapely.prepare(wide)
        return np.asarray(shapely.contains_xy(wide, xs, ys))


def _shapes(grid: HexGrid, features: list[Feature]) -> dict[str, BaseGeometry]:
    """The kinds of terrain of features with what can be seen of each from above."""
    layers = [each for _, each in by_layer(features) if each.kind in ("terrain", "building")]
    parts: dict[str, list[BaseGeometry]] = {str(each.properties["terrain"]): [] for each in layers}
    above: BaseGeometry = shapely.MultiPolygon()
    for feature in reversed(layers):
        shape = _outline(grid, feature)
        parts[str(feature.properties["terrain"])].append(shapely.difference(shape, above))
        above = shapely.union(above, shape)
    return {kind: shapely.union_all(shapes) for kind, shapes in parts.items()}


def _outline(grid: HexGrid, feature: Feature) -> BaseGeometry:
    """What a feature takes of the map: its own outline, or its hexes where it has none."""
    own = feature.kind == "terrain" or feature.properties.get("outline", True)
    if own and polygons(feature.geometry):
        return shapely.make_valid(shape_of(feature.geometry))
    return shape_of(hexes_of(grid, feature.properties.get("hexes", ())))


@lru_cache(maxsize=32)
def cover_of(field: Battlefield) -> Cover:
    """What lies in each hex of a map, worked out once for all battles on it."""
    return Cover(field)
