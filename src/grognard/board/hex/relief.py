"""The heights of the ground, read from contour lines as people read them from a map.

A contour is the area of all ground at or above its height. Between two neighbouring heights the map falls into faces,
and each face is one of three: between a lower and a higher line the distances to both tell the height; inside a last
high line it is a hilltop, and inside a last low line a bottom, both flat at the height of their line. The sheet's own
edge is no line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

from grognard.board.hex.features import SLIVER, STEP, Feature, Geometry, polygons
from grognard.board.hex.geometry import TOUCH
from grognard.board.hex.grid import HexGrid, Point
from grognard.core.files import Document

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from grognard.board.hex.battlefield import Battlefield

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

#: Distances are compared in whole millimetres.
MILLIMETRES = 1000

_Place = tuple[str | int, ...]


class _Face(NamedTuple):
    """The ground between two neighbouring heights that hangs together, with the pieces of line that bound it."""

    shape: BaseGeometry
    low: int | None
    high: int | None
    lower: Any
    upper: Any


class Relief:
    """The heights of a map with contours; `relief_of` keeps one for each map.

    ``levels`` are the heights of its lines, lowest first; ``areas`` the ground at or above each.
    """

    def __init__(self, grid: HexGrid, contours: Mapping[int, BaseGeometry]) -> None:
        self.grid = grid
        sheet = shapely.box(*grid.whole.box)
        rim = shapely.buffer(sheet.exterior, TOUCH)
        self.levels = tuple(sorted(contours))
        self.areas = {height: shapely.intersection(contours[height], sheet) for height in self.levels}
        #: The lines of each height as they run over the sheet.
        self.lines = {height: shapely.difference(self.areas[height].boundary, rim) for height in self.levels}
        self._faces = list(self._find_faces(sheet))

    def _find_faces(self, sheet: BaseGeometry) -> Iterator[_Face]:
        bands = [(None, sheet), *((height, self.areas[height]) for height in self.levels)]
        for (low, ground), above in zip(bands, [*bands[1:], None]):
            band = ground if above is None else shapely.difference(ground, above[1])
            high = None if above is None else above[0]
            for part in shapely.get_parts(band):
                if shapely.area(part) > TOUCH:
                    yield self._face(part, low, high)

    def _face(self, shape: BaseGeometry, low: int | None, high: int | None) -> _Face:
        corners = [shapely.get_coordinates(ring) for ring in shapely.get_rings(shape)]
        pieces: Any = shapely.linestrings(np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in corners]))
        middles = shapely.line_interpolate_point(pieces, 0.5, normalized=True)

        def along(height: int | None) -> Any:
            """The pieces of the face's edge that run along the lines of a height; None without any."""
            if height is None:
                return None
            shapely.prepare(self.lines[height])
            found = pieces[shapely.dwithin(self.lines[height], middles, TOUCH / 10)]
            return shapely.STRtree(found) if len(found) else None

        shapely.prepare(shape)
        return _Face(shape, low, high, along(low), along(high))

    # heights

    def heights(self, xs: Floats, ys: Floats) -> Ints:
        """The heights in metres of many points at once."""
        found = np.zeros(len(xs), dtype=np.int64)
        left = np.arange(len(xs))
        for face in self._faces:
            x0, y0, x1, y1 = face.shape.bounds
            x, y = xs[left], ys[left]
            near = np.flatnonzero((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
            near = near[shapely.contains_xy(face.shape, x[near], y[near])]
            inside = left[near]
            found[inside] = _height_in(face, xs[inside], ys[inside])
            left = np.delete(left, near)
        if len(left) and self._faces:
            # Right on a line, or off the sheet: the nearest ground tells.
            points = shapely.points(xs[left], ys[left])
            nearest = shapely.STRtree([face.shape for face in self._faces]).nearest(points)
            for number in np.unique(nearest):
                here = left[nearest == number]
                found[here] = _height_in(self._faces[number], xs[here], ys[here])
        return found

    def height(self, point: Point) -> int:
        """The height in metres of a point."""
        return int(self.heights(np.array([point[0]]), np.array([point[1]]))[0])

    @cached_property
    def dot(self) -> dict[str, int]:
        """The height of each hex's centre."""
        xs, ys = np.array([self.grid.center(hex) for hex in self.grid.hexes]).T
        return dict(zip(self.grid.hexes, self.heights(xs, ys).tolist()))

    # lines

    @cached_property
    def lines_in(self) -> dict[str, tuple[int, ...]]:
        """The heights of the lines that run through each hex, lowest first.

        One that only grazes it, with next to nothing of it on one side, is left out.
        """
        cells = shapely.polygons([self.grid.corners(hex) for hex in self.grid.hexes])
        whole = shapely.area(cells)
        found: dict[str, list[int]] = {hex: [] for hex in self.grid.hexes}
        for height, area in self.areas.items():
            shapely.prepare(area)
            meets = np.flatnonzero(shapely.intersects(area, cells) & ~shapely.contains_properly(area, cells))
            share = shapely.area(shapely.intersection(area, cells[meets])) / whole[meets]
            for number in meets[(share >= SLIVER) & (share <= 1 - SLIVER)]:
                found[self.grid.hexes[number]].append(height)
        return {hex: tuple(heights) for hex, heights in found.items()}

    def crosses(self, a: str, b: str) -> tuple[int, ...]:
        """The heights of the lines that the straight way between two neighbouring dots meets, lowest first.

        A line under the dot that is left does not count, one under the dot that is entered does.
        """
        between = self._between[self.grid.hexside(a, b)]
        under = self._under.get(b, ())
        return between if not under else tuple(sorted({*between, *under}))

    @cached_property
    def _under(self) -> dict[str, tuple[int, ...]]:
        """The heights of the lines under each dot that has any."""
        dots = shapely.points([self.grid.center(hex) for hex in self.grid.hexes])
        found: dict[str, list[int]] = {}
        for height, line in self.lines.items():
            for number in np.flatnonzero(shapely.dwithin(line, dots, TOUCH)):
                found.setdefault(self.grid.hexes[number], []).append(height)
        return {hex: tuple(heights) for hex, heights in found.items()}

    @cached_property
    def _between(self) -> dict[str, tuple[int, ...]]:
        """The heights of the lines strictly between the dots on both sides of each hexside."""
        sides = [
            (hex, other) for hex in self.grid.hexes for other in self.grid.neighbors[hex][2:5] if other is not None
        ]
        found: dict[str, list[int]] = {self.grid.hexside(*side): [] for side in sides}
        if not sides:
            return {}
        ends = np.array([[self.grid.center(hex) for hex in side] for side in sides])
        # Both ends are drawn in a little, so that what lies under a dot is not between two.
        inward = (ends[:, 1] - ends[:, 0]) * (2 * TOUCH / self.grid.size)
        ways = shapely.linestrings(np.stack([ends[:, 0] + inward, ends[:, 1] - inward], axis=1))
        for height, line in self.lines.items():
            shapely.prepare(line)
            for number in np.flatnonzero(shapely.intersects(line, ways)):
                found[self.grid.hexside(*sides[number])].append(height)
        return {side: tuple(heights) for side, heights in found.items()}


def _height_in(face: _Face, xs: Floats, ys: Floats) -> Any:
    """The heights of points in a face, by the case that it is."""
    if face.low is None or face.lower is None:
        if face.high is not None and face.upper is not None:
            return face.high  # a bottom
        return face.low if face.low is not None else face.high or 0  # no line on the sheet tells more
    if face.high is None or face.upper is None:
        return face.low  # a hilltop
    points = shapely.points(xs, ys)
    up, down = _far(face.upper, points), _far(face.lower, points)
    steps, whole = (face.high - face.low) // STEP, np.maximum(up + down, 1)
    # Where both lines meet, as along a cliff, the point lies on the higher one.
    down = np.where(up + down == 0, 1, down)
    return face.low + STEP * ((2 * steps * down + whole) // (2 * whole))


def _far(lines: Any, points: Any) -> Ints:
    """The distance of each point to the nearest piece of line, in millimetres."""
    (found, _), far = lines.query_nearest(points, return_distance=True, all_matches=False)
    distances = np.zeros(len(points))
    distances[found] = far
    return np.rint(distances * MILLIMETRES).astype(np.int64)


# contours of a map


def shape_of(geometry: Geometry | None) -> BaseGeometry:
    """The polygons of a GeoJSON geometry as one shape, holes and all."""
    return shapely.union_all([shapely.Polygon(rings[0], rings[1:]) for rings in polygons(geometry)])


def geometry_of(shape: BaseGeometry) -> Geometry:
    """A shape as a GeoJSON MultiPolygon, to the millimetre."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > TOUCH]
    rings = [[part.exterior, *part.interiors] for part in parts]
    return {
        "type": "MultiPolygon",
        "coordinates": [[[[round(x, 3), round(y, 3)] for x, y in ring.coords] for ring in each] for each in rings],
    }


def areas_of(features: Iterable[Feature]) -> dict[int, BaseGeometry]:
    """The ground at or above each height that contours are drawn for."""
    parts: dict[int, list[BaseGeometry]] = {}
    for feature in features:
        if feature.kind == "contour":
            parts.setdefault(feature.properties["height"], []).append(shape_of(feature.geometry))
    return {height: shapely.union_all(shapes) for height, shapes in parts.items()}


@lru_cache(maxsize=32)
def relief_of(field: Battlefield) -> Relief:
    """The heights of a map, worked out once for all battles on it."""
    assert field.grid is not None
    return Relief(field.grid, areas_of(field.features))


def check_heights(doc: Document, places: Mapping[int, _Place], interval: int) -> None:
    """Note heights that no line of this map can have, and the lines that are missing between others."""
    for height, place in places.items():
        if height % interval:
            doc.fault(place, f"a line at {height} m", f"multiples of {interval} m, the interval of the map's lines")
    told = sorted(height for height in places if not height % interval)
    for low, high in pairwise(told):
        if high - low > interval:
            missing = " and ".join(f"{height} m" for height in range(low + interval, high, interval))
            doc.fault(places[high], f"a line at {high} m after one at {low} m", f"the line at {missing} as well")


def check_contours(doc: Document, contours: Sequence[tuple[_Place, Feature]], grid: HexGrid, interval: int) -> None:
    """Note contours that are not closed, cross themselves, or leave the ground of the next lower one."""
    good = [(place, feature) for place, feature in contours if _check_rings(doc, place, feature)]
    places: dict[int, _Place] = {}
    for place, feature in good:
        places.setdefault(feature.properties["height"], (*place, "height"))
    check_heights(doc, places, interval)
    areas = areas_of(feature for _, feature in good)
    sheet = shapely.box(*grid.whole.box)
    heights = sorted(areas)
    for low, high in pairwise(heights):
        beyond = shapely.difference(shapely.intersection(areas[high], sheet), shapely.buffer(areas[low], TOUCH))
        if not beyond.is_empty:
            x, y = beyond.representative_point().coords[0]
            near = min(grid.hexes, key=lambda hex: (grid.center(hex)[0] - x) ** 2 + (grid.center(hex)[1] - y) ** 2)
            wrong = f"the contour of {high} m crosses that of {low} m near {near}"
            doc.fault(places[high], wrong, f"ground above {high} m lies inside the contour of {low} m")


def _check_rings(doc: Document, place: _Place, feature: Feature) -> bool:
    """Whether the lines of a contour are closed and do not cross themselves; if not, the faults are noted."""
    height = feature.properties.get("height")
    if isinstance(height, bool) or not isinstance(height, int):
        doc.fault((*place, "height"), f"a contour of height {height!r}", "a whole number of metres")
        return False
    before = len(doc.faults)
    rings = [ring for rings in polygons(feature.geometry) for ring in rings]
    if not rings:
        doc.fault(place, f"the contour of {height} m is no area", "a polygon around all ground at or above it")
    for ring in rings:
        if ring[0] != ring[-1]:
            wrong = f"the contour of {height} m is not closed: it begins at {ring[0]} and ends at {ring[-1]}"
            doc.fault(place, wrong, "the first position again at the end, along the edge of the map if need be")
    if len(doc.faults) == before:
        reason = shapely.is_valid_reason(
            shapely.MultiPolygon([(rings[0], rings[1:]) for rings in polygons(feature.geometry)])
        )
        if reason != "Valid Geometry":
            doc.fault(place, f"the contour of {height} m crosses itself: {reason}", "lines that never cross")
    return len(doc.faults) == before
