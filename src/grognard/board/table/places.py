"""Places of a table in words: how far from what has a name, or from the nearer edges, and which terrain they are in.

Rulers and files count from the top left corner; people say "9″ south of the mill, in the open", and where nothing on
a table has a name they look for the nearest edge.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import shapely

from grognard.board.table.terrain import Piece, Table
from grognard.core.events import Names
from grognard.core.poses import length, point

#: What stands behind a number of each measure; another one stands there itself, and "" is a bare number.
SIGNS = {"inch": "″", "": ""}


def measured(hundredths: float, measure: str) -> str:
    """A length to a tenth of the board's measure.

    >>> measured(1234, "inch"), measured(250, "cm")
    ('12.3″', '2.5 cm')
    """
    return tenths(hundredths) + _sign(measure)


def exactly(hundredths: float, measure: str) -> str:
    """A length as the ruler has it, where a hair decides: "it is 6.02″ away and the move is 6″ at most".

    >>> exactly(602, "inch"), exactly(250, "cm"), exactly(600, "")
    ('6.02″', '2.5 cm', '6')
    """
    return (length(round(hundredths)) if math.isfinite(hundredths) else "∞") + _sign(measure)


def apart(hundredths: float, measure: str) -> str:
    """How far apart two things are, rounded up: what is a hair beyond 24″ is never told as 24″.

    >>> apart(2400, "inch"), apart(2400.2, "inch"), apart(1190, "cm")
    ('24″', '24.01″', '11.9 cm')
    """
    return exactly(math.ceil(hundredths - 1e-6) if math.isfinite(hundredths) else hundredths, measure)


def _sign(measure: str) -> str:
    return SIGNS.get(measure, f" {measure}")


def tenths(hundredths: float) -> str:
    """A length to a tenth: hundredths are for the ruler.

    >>> tenths(1234), tenths(1235), tenths(300), tenths(-4), tenths(math.inf)
    ('12.3', '12.4', '3', '0', '∞')
    """
    if not math.isfinite(hundredths):
        return "∞"
    return length((int(abs(hundredths) + 5) // 10) * (-10 if hundredths < 0 else 10))


def from_edges(table: Table, x: float, y: float) -> str:
    """How far a point is from the nearer edges of a table: "12.3″ from the left, 4″ from the top"."""
    wide, high = table.width, table.height
    across, side = (wide - x, "right") if 2 * x > wide else (x, "left")
    down, end = (high - y, "bottom") if 2 * y > high else (y, "top")
    return f"{measured(across, table.measure)} from the {side}, {measured(down, table.measure)} from the {end}"


def surroundings(table: Table, x: float, y: float, near: float | None = None) -> str:
    """The cover that a point lies in or at: "in the orchard", "at the hedge", or ""; ``near`` is usually an inch."""
    spot, near = None, table.inch if near is None else near
    for piece, (left, top, right, bottom), shape in _covers(table, near):
        if left <= x <= right and top <= y <= bottom:
            spot = spot or shapely.Point(x, y)
            if table.kind(piece).linear:
                if shape.distance(spot) <= near:
                    return f"at {the(table, piece)}"
            elif shape.contains(spot):
                return f"in {the(table, piece)}"
    return ""


class Landmark(NamedTuple):
    """A point of a table that has a name, such as an objective; the name stands within a sentence."""

    name: str
    x: float
    y: float


#: The winds from the north on, clockwise; north is the upper edge of a table.
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def wind(dx: float, dy: float) -> str:
    """The wind in which something lies that is so far to the right and so far down.

    >>> wind(0, -5), wind(5, 5), wind(-5, 1)
    ('north', 'south-east', 'west')
    """
    return WINDS[round(math.degrees(math.atan2(dx, -dy)) / 45) % 8]


def from_landmark(table: Table, x: float, y: float, marks: Iterable[Landmark] = ()) -> str:
    """How far a point is from the nearest thing with a name that it does not lie in: "9″ south of the mill", or ""."""
    found = [(math.hypot(x - mark.x, y - mark.y), mark) for mark in marks]
    spot = shapely.Point(x, y)
    for mark, shape in _named(table):
        away = shape.distance(spot)
        if away > 0:
            found.append((away, mark))
    if not found:
        return ""
    away, mark = min(found, key=lambda each: each[0])
    told_away = measured(away, table.measure)
    if told_away == measured(0, table.measure):
        return f"beside {mark.name}" if away else f"on {mark.name}"
    return f"{told_away} {wind(x - mark.x, y - mark.y)} of {mark.name}"


def told(table: Table, x: float, y: float, near: float | None = None, marks: Iterable[Landmark] = ()) -> str:
    """Where a point is: how far from what has a name, ``marks`` too, or else from the edges, and in or at what."""
    where = surroundings(table, x, y, near)
    away = from_landmark(table, x, y, marks)
    if away:
        return f"{away}, {where or 'in the open'}"
    return from_edges(table, x, y) + (f", {where}" if where else "")


def called(table: Table, piece: Piece) -> str:
    """What a piece is called in a sentence: by its own name, or by its kind, which is no name."""
    usual = table.kind(piece).called.lower()
    return piece.name if piece.name and piece.name.lower() != usual else usual


def the(table: Table, piece: Piece) -> str:
    """The same with its article; a name that begins with one has no second."""
    name = called(table, piece)
    return f"the {name[4:]}" if name.lower().startswith("the ") else f"the {name}"


def _named(table: Table) -> list[tuple[Landmark, Any]]:
    """The areas of a table that have names of their own, each but once, with their middles; kept with the table."""
    found: list[tuple[Landmark, Any]] | None = table.cache.get("named")
    if found is None:
        own = [piece for piece in table.pieces if piece.name and called(table, piece) == piece.name]
        names = Counter(piece.name for piece in own)
        found = []
        for piece in own:
            if names[piece.name] == 1 and not table.kind(piece).linear:
                shape = table.area(piece)
                found.append((Landmark(the(table, piece), shape.centroid.x, shape.centroid.y), shape))
        table.cache["named"] = found
    return found


def _covers(table: Table, near: float) -> list[tuple[Piece, tuple[float, ...], Any]]:
    """The terrain that gives cover, with the box in which one is in it or at it; kept with the table."""
    key = ("covers", near)
    found: list[tuple[Piece, tuple[float, ...], Any]] | None = table.cache.get(key)
    if found is None:
        found = []
        for piece in table.pieces:
            kind = table.kind(piece)
            if kind.cover != "none":
                shape = table.line(piece) if kind.linear else table.area(piece)
                left, top, right, bottom = shape.bounds
                found.append((piece, (left - near, top - near, right + near, bottom + near), shape))
        table.cache[key] = found
    return found


class TableNames(Names):
    """How people call what is on a table, by id, and its places, which are ``"12.5,30"`` elsewhere.

    Places are put into words when they are asked for: most that happens is told to nobody.
    """

    def __init__(self, names: Mapping[str, str], table: Table, marks: tuple[Landmark, ...] = ()) -> None:
        super().__init__(names)
        self.table, self.marks = table, marks

    def place(self, word: str) -> str:
        """A place of the table in words; any other word as it is."""
        try:
            x, y = point(word)
        except ValueError:
            return word
        return told(self.table, x, y, marks=self.marks)
