"""Drawing contours: a tint for each height, thin lines of which every fifth is bold, and their heights along them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import shapely

from grognard.board.hex.grid import Point
from grognard.board.hex.sheet import Sheet, stroke
from grognard.board.style import styles
from grognard.board.svg import closed, element, number

#: Every so many lines one is bold.
BOLD = 5
#: Along a line its height is written about every so many hexes; a shorter line than this has it once.
APART = 11.0
#: The part of a hex that a line must have to be written on.
SHORTEST = 1.2


class ReliefDrawing:
    """The relief of a sheet, in its theme."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.s = sheet, sheet.s
        self.relief = sheet.field.relief
        self.look = styles(sheet.theme)["contours"]

    def tints(self) -> Iterator[str]:
        """The ground at or above each height in its colour, low ground first."""
        colours: Sequence[str] = self.look["colours"]
        for rank, height in enumerate(self.relief.levels):
            area = self.relief.areas[height]
            rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(shapely.get_parts(area))]
            d = "".join(closed(map(self.sheet.xy, ring[:-1])) for ring in rings)
            if d:
                yield element("path", d=d, fill=colours[min(rank, len(colours) - 1)], fill_rule="evenodd")

    def lines(self) -> Iterator[str]:
        """The contour lines, every fifth of them bold."""
        for height in self.relief.levels:
            if d := "".join(_open(course) for course in self._courses(height)):
                bold = height // self.sheet.field.interval % BOLD == 0
                width = self.look["bold" if bold else "width"]
                yield stroke(d, self.look["ink"], self.s * width, class_="contour", data_height=height)

    def texts(self) -> Iterator[str]:
        """The heights of the lines in metres, written along them."""
        texts = [
            self._text(height, course, far)
            for height in self.relief.levels
            for course in self._courses(height)
            for far in self._places(course)
        ]
        size = self.s * self.look["size"]
        font = {"font_size": size, "text_anchor": "middle"}
        halo = {"stroke": self.look["halo"], "stroke_width": size * 0.45, "stroke_linejoin": "round"}
        if texts:
            yield element("g", "".join(texts), fill=self.look["halo"], **halo, **font)
            yield element("g", "".join(texts), fill=self.look["text"], **font)

    def _courses(self, height: int) -> list[list[Point]]:
        """The lines of a height in pixels, each from end to end, the same every time."""
        merged = shapely.line_merge(self.relief.lines[height])
        courses = [
            [self.sheet.xy(point) for point in shapely.get_coordinates(part)] for part in shapely.get_parts(merged)
        ]
        return sorted(course for course in courses if len(course) > 1)

    def _places(self, course: list[Point]) -> list[float]:
        """How far along a line its height is written: where it bends least."""
        long = _length(course)
        count = 1 if long < 2 * APART * self.s else int(long / (APART * self.s))
        if long < SHORTEST * self.s:
            return []
        part, reach = long / count, 0.5 * self.s
        spots = []
        for each in range(count):
            tries = [part * (each + 0.2 + 0.1 * step) for step in range(7)]
            spots.append(
                max(tries, key=lambda far: math.dist(_along(course, far - reach), _along(course, far + reach)))
            )
        return spots

    def _text(self, height: int, course: list[Point], far: float) -> str:
        reach = 0.4 * self.s
        (x1, y1), (x, y), (x2, y2) = (_along(course, far + step) for step in (-reach, 0.0, reach))
        angle = math.degrees(math.atan2(y2 - y1, x2 - x1))
        angle -= 180 if angle > 90 else -180 if angle < -90 else 0
        low = self.s * self.look["size"] * 0.35
        turned = f"translate({number(x)} {number(y)}) rotate({number(angle)})"
        return element("text", str(height), y=low, transform=turned)


def _open(course: Sequence[Point]) -> str:
    """A line as path data; one that comes back to its beginning is closed."""
    first, *rest = course
    d = f"M{number(first[0])} {number(first[1])}"
    d += "".join(f"L{number(x)} {number(y)}" for x, y in (rest[:-1] if rest[-1] == first else rest))
    return d + ("Z" if rest[-1] == first else "")


def _length(course: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(course))


def _along(course: Sequence[Point], far: float) -> Point:
    """The point so far along a line, at the most its end."""
    far = max(far, 0.0)
    for (x1, y1), (x2, y2) in pairwise(course):
        step = math.dist((x1, y1), (x2, y2))
        if far <= step and step:
            return x1 + (x2 - x1) * far / step, y1 + (y2 - y1) * far / step
        far -= step
    return course[-1]
