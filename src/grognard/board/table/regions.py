"""Regions made of shapes."""

from __future__ import annotations

from collections.abc import Iterable

import shapely
from shapely.geometry.base import BaseGeometry

#: What is smaller than this, in square hundredths, is no region.
SPECK = 1.0


def areas_only(shape: BaseGeometry) -> BaseGeometry:
    """The polygons of a shape without its specks, and without the lines and points that cutting leaves behind."""
    parts = shapely.get_parts(shape)
    parts = parts[(shapely.get_type_id(parts) == 3) & (shapely.area(parts) > SPECK)]
    return parts[0] if len(parts) == 1 else shapely.MultiPolygon(list(parts))


def covered(shapes: Iterable[BaseGeometry], least: int) -> BaseGeometry:
    """Where at least so many of some shapes overlap; with ``least`` of 0 or below it would be everywhere: an error.

    >>> covered([shapely.box(0, 0, 2, 1), shapely.box(1, 0, 3, 1), shapely.box(5, 0, 6, 1)], 2).bounds
    (1.0, 0.0, 2.0, 1.0)
    """
    if least < 1:
        raise ValueError("at least one shape has to cover a place")
    # After each shape, number k is where more than k of those so far overlap.
    deep: list[BaseGeometry] = [shapely.Polygon() for _ in range(least)]
    for shape in shapes:
        for k in range(least - 1, 0, -1):
            if not deep[k - 1].is_empty:
                deep[k] = deep[k].union(deep[k - 1].intersection(shape))
        deep[0] = deep[0].union(shape)
    return deep[-1]
