"""The hex grid: labels, neighbours, distances, and where each hex lies in metres.

A hex is its label everywhere ("A1", or "01.01"). Inside, the work is done in axial coordinates
``(q, r)``, in which a step in a direction is always the same pair of whole numbers.

Directions are 1..6 clockwise. With flat tops 1 is north; with pointed tops 1 is north-east.
"""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from typing import Any, Literal, NoReturn

Layout = Literal["flat", "pointy"]
Numbering = Literal["A1", "29.17"]
Shove = Literal["even", "odd"]
RowsFrom = Literal["top", "bottom"]
Window = tuple[int, int, int, int]
Point = tuple[float, float]
Axial = tuple[int, int]

#: The axial step of each direction, index 1..6; index 0 stands still.
FLAT: tuple[Axial, ...] = ((0, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
POINTY: tuple[Axial, ...] = (FLAT[0], *FLAT[2:], FLAT[1])
STEPS: dict[str, tuple[Axial, ...]] = {"flat": FLAT, "pointy": POINTY}
#: What people call the directions.
COMPASS = {
    "flat": ("north", "north-east", "south-east", "south", "south-west", "north-west"),
    "pointy": ("north-east", "east", "south-east", "south-west", "west", "north-west"),
}

_LETTERS = re.compile(r"([A-Z]+)([1-9][0-9]*)")
_NUMBERS = re.compile(r"([0-9]{2,})\.([0-9]{2,})")


def letters(column: int) -> str:
    """The name of a column counted from 0: A..Z, AA..AZ, BA and so on.

    >>> letters(0), letters(25), letters(26), letters(52)
    ('A', 'Z', 'AA', 'BA')
    """
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


class _Distances(dict[str, dict[str, int]]):
    """Distances from each hex to all others, worked out the first time a hex is asked for."""

    def __init__(self, grid: HexGrid) -> None:
        super().__init__()
        self._grid = grid

    def __missing__(self, origin: str) -> dict[str, int]:
        q0, r0 = self._grid.axial(origin)
        row = {}
        for label, (q, r) in self._grid.axials.items():
            q, r = q - q0, r - r0
            row[label] = max(abs(q), abs(r), abs(q + r))
        self[origin] = row
        return row


class HexGrid:
    """A rectangle of hexes, ``size`` metres from flat to flat.

    Of flat-topped hexes the columns are stacks, and every second one stands half a hex lower:
    the even-numbered ones (B, D, ...) or, with ``shove="odd"``, the odd-numbered ones (A, C, ...).
    Of pointed hexes every second row stands half a hex to the right, likewise. Rows are numbered from the top, or with
    ``rows_from="bottom"`` from below; nothing but the labels follows from that.

    Grids are equal when their parameters are; `hex_grid` hands out one shared grid for each set.

    >>> grid = HexGrid(4, 3)
    >>> grid.adjacent["B2"]
    ('B1', 'C2', 'C3', 'B3', 'A3', 'A2')
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        layout: Layout = "flat",
        numbering: Numbering = "A1",
        shove: Shove = "even",
        size: float = 50.0,
        window: Window | None = None,
        rows_from: RowsFrom = "top",
    ) -> None:
        if columns < 1 or rows < 1:
            raise ValueError(f"a grid of {columns} columns and {rows} rows; it needs at least one of each")
        if layout not in STEPS:
            raise ValueError(f'layout is {layout!r}; it must be "flat" or "pointy"')
        if numbering not in ("A1", "29.17"):
            raise ValueError(f'numbering is {numbering!r}; it must be "A1" or "29.17"')
        if shove not in ("even", "odd"):
            raise ValueError(f'shove is {shove!r}; it must be "even" or "odd"')
        if not (math.isfinite(size) and size > 0):
            raise ValueError(f"size is {size}; it must be the metres from flat to flat, more than 0")
        if rows_from not in ("top", "bottom"):
            raise ValueError(f'rows_from is {rows_from!r}; it must be "top" or "bottom"')
        whole = (0, 0, columns - 1, rows - 1)
        left, top, right, bottom = window or whole
        if not (0 <= left <= right < columns and 0 <= top <= bottom < rows):
            raise ValueError(f"window is {window}; it must be the first and last column and row within {whole}")
        self.columns, self.rows = columns, rows
        #: The columns and rows in play, first and last, counted from 0: all of them, or part of a larger map.
        self.window: Window = (left, top, right, bottom)
        self.layout: Layout = layout
        self.numbering: Numbering = numbering
        self.shove: Shove = shove
        self.rows_from: RowsFrom = rows_from
        self.size = float(size)
        self.steps = STEPS[layout]
        part = None if self.window == whole else self.window
        self._key = (columns, rows, layout, numbering, shove, self.size, part, rows_from)
        self._build()
        #: Distances by origin and target, for loops: ``grid.dist[a][b]``.
        self.dist: dict[str, dict[str, int]] = _Distances(self)
        #: Traces already worked out; `grognard.board.hex.trace` keeps it.
        self.traces: dict[tuple[str, str, int, int], Any] = {}

    def _build(self) -> None:
        left, top, right, bottom = self.window
        positions = [(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]
        self.hexes: tuple[str, ...] = tuple(self._spell(column, row) for column, row in positions)
        #: The place of each hex in grid order: down the first column, then the next.
        self.index: dict[str, int] = {label: i for i, label in enumerate(self.hexes)}
        self._positions = dict(zip(self.hexes, positions))
        #: Axial coordinates of each hex, and back.
        self.axials: dict[str, Axial] = {
            label: self._to_axial(*position) for label, position in self._positions.items()
        }
        self.by_axial: dict[Axial, str] = {axial: label for label, axial in self.axials.items()}
        #: By label, then direction 1..6: the neighbour there, or None off the map (index 0 is None).
        self.neighbors: dict[str, tuple[str | None, ...]] = {}
        #: By label: the neighbours on the map, clockwise from direction 1.
        self.adjacent: dict[str, tuple[str, ...]] = {}
        self._directions: dict[tuple[str, str], int] = {}
        self._sides: dict[tuple[str, str], str] = {}
        for label, (q, r) in self.axials.items():
            around = [self.by_axial.get((q + dq, r + dr)) for dq, dr in self.steps[1:]]
            self.neighbors[label] = (None, *around)
            self.adjacent[label] = tuple(other for other in around if other is not None)
            for direction, other in enumerate(around, 1):
                if other is not None:
                    self._directions[label, other] = direction
                    first, second = sorted((label, other), key=self.index.__getitem__)
                    self._sides[label, other] = f"{first}|{second}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HexGrid) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"HexGrid({', '.join(map(repr, self._key))})"

    def __reduce__(self) -> tuple[Any, ...]:
        # What is kept for speed need not travel: another process shares its own grid.
        return hex_grid, self._key

    def __contains__(self, label: object) -> bool:
        return label in self.index

    # labels and coordinates

    def _spell(self, column: int, row: int) -> str:
        number = row + 1 if self.rows_from == "top" else self.rows - row
        if self.numbering == "A1":
            return f"{letters(column)}{number}"
        return f"{column + 1:02}.{number:02}"

    def _to_axial(self, column: int, row: int) -> Axial:
        lean = 0 if self.shove == "even" else 1
        if self.layout == "flat":
            return column, row - (column + lean) // 2
        return column - (row + lean) // 2, row

    def _unknown(self, label: object) -> NoReturn:
        first, last = self.ends
        pattern = _LETTERS if self.numbering == "A1" else _NUMBERS
        if isinstance(label, str) and pattern.fullmatch(label):
            raise ValueError(f"{label} is off the map; its hexes run from {first} to {last}")
        hint = ""
        if isinstance(label, str) and label.strip().upper() in self.index:
            hint = f'; "{label.strip().upper()}" would be one'
        raise ValueError(f"{label!r} is not a hex{hint}; the hexes run from {first} to {last}")

    @property
    def ends(self) -> tuple[str, str]:
        """The hexes with the lowest and the highest numbers: the corners between which all others lie."""
        left, top, right, bottom = self.window
        low, high = (top, bottom) if self.rows_from == "top" else (bottom, top)
        return self._spell(left, low), self._spell(right, high)

    def label(self, column: int, row: int) -> str:
        """The label of the hex in a column and row, both counted from 0."""
        left, top, right, bottom = self.window
        if left <= column <= right and top <= row <= bottom:
            return self._spell(column, row)
        raise ValueError(
            f"column {column}, row {row} is off the map, which has {self.columns} columns and {self.rows} rows"
        )

    def position(self, label: str) -> tuple[int, int]:
        """The column and row of a hex, both counted from 0."""
        try:
            return self._positions[label]
        except (KeyError, TypeError):
            self._unknown(label)

    def axial(self, label: str) -> Axial:
        """The axial coordinates of a hex."""
        try:
            return self.axials[label]
        except (KeyError, TypeError):
            self._unknown(label)

    def at(self, q: int, r: int) -> str | None:
        """The hex at axial coordinates, or None off the map."""
        return self.by_axial.get((q, r))

    # neighbours and distances

    def neighbor(self, label: str, direction: int) -> str | None:
        """The hex next to one in a direction 1..6, or None off the map."""
        self.axial(label)
        if not 1 <= direction <= 6:
            raise ValueError(f"direction {direction}; directions are 1 to 6")
        return self.neighbors[label][direction]

    def direction(self, a: str, b: str) -> int:
        """The direction 1..6 from a hex to a neighbour, or 0 if they are not adjacent."""
        return self._directions.get((a, b), 0)

    def distance(self, a: str, b: str) -> int:
        """The number of steps between two hexes."""
        try:
            return self.dist[a][b]
        except KeyError:
            self._unknown(b)

    def within(self, label: str, n: int) -> list[str]:
        """The hexes at most n steps away, the hex itself among them, in grid order."""
        return [other for other, steps in self.dist[label].items() if steps <= n]

    def ring(self, label: str, n: int) -> list[str]:
        """The hexes exactly n steps away, in grid order."""
        return [other for other, steps in self.dist[label].items() if steps == n]

    def line_off(self, label: str, direction: int, n: int) -> str | None:
        """The hex n steps away in a direction, or None off the map."""
        q, r = self.axial(label)
        dq, dr = self.steps[direction]
        return self.by_axial.get((q + n * dq, r + n * dr))

    def last_on_map(self, label: str, direction: int, n: int) -> str:
        """The last hex on the map when going up to n steps in a direction."""
        self.axial(label)
        for _ in range(n):
            following = self.neighbors[label][direction]
            if following is None:
                break
            label = following
        return label

    def is_edge(self, label: str) -> bool:
        """Whether a hex lies at the edge of the map: some neighbour is missing."""
        self.axial(label)
        return len(self.adjacent[label]) < 6

    # metres

    @cached_property
    def _basis(self) -> tuple[float, float, float, float, float, float]:
        across, along = self.size * math.sqrt(3) / 2, self.size
        half = self.size / math.sqrt(3)
        # The first hex is moved so that no corner of the map has a negative coordinate.
        if self.layout == "flat":
            top = along / 2 if self.shove == "even" else along
            return across, along / 2, 0.0, along, half, top
        left = along / 2 if self.shove == "even" else along
        return along, 0.0, along / 2, across, left, half

    def compass(self, direction: int) -> str:
        """A direction 1..6 as people say it, north being up: with flat tops 1 is north."""
        return COMPASS[self.layout][direction - 1]

    def point(self, q6: int, r6: int) -> Point:
        """The point in metres of axial coordinates counted in sixths.

        Whole sixths reach every centre, side midpoint and corner, so that two hexes that share a
        corner give exactly the same point for it.
        """
        qx, qy, rx, ry, x0, y0 = self._basis
        return x0 + (q6 * qx + r6 * rx) / 6, y0 + (q6 * qy + r6 * ry) / 6

    def center(self, label: str) -> Point:
        """The centre of a hex in metres; y grows downward."""
        q, r = self.axial(label)
        return self.point(6 * q, 6 * r)

    def side_middle(self, label: str, direction: int) -> Point:
        """The midpoint in metres of a hex's side in a direction 1..6 (0: the centre)."""
        q, r = self.axial(label)
        dq, dr = self.steps[direction]
        return self.point(6 * q + 3 * dq, 6 * r + 3 * dr)

    def corners(self, label: str) -> list[Point]:
        """The six corners in metres, clockwise: side d runs from ``corners[d-1]`` to ``corners[d % 6]``."""
        q, r = self.axial(label)
        points = []
        for direction in range(1, 7):
            aq, ar = self.steps[direction - 1 or 6]
            bq, br = self.steps[direction]
            points.append(self.point(6 * q + 2 * (aq + bq), 6 * r + 2 * (ar + br)))
        return points

    def edge_points(self, label: str, direction: int) -> tuple[Point, Point]:
        """The two ends in metres of a hex's side in a direction 1..6, on the map's rim as well."""
        corners = self.corners(label)
        return corners[direction - 1], corners[direction % 6]

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """The box in metres around the hexes in play; that of a whole map begins at (0, 0)."""
        corners = [corner for label in self.hexes if self.is_edge(label) for corner in self.corners(label)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def whole(self) -> HexGrid:
        """The grid that this is part of, or the grid itself."""
        return hex_grid(*self._key[:6], None, self.rows_from)

    def part(self, a: str, b: str) -> HexGrid:
        """The part of the grid between two corner hexes, their columns and rows included."""
        (c1, r1), (c2, r2) = self.position(a), self.position(b)
        window = (min(c1, c2), min(r1, r2), max(c1, c2), max(r1, r2))
        return hex_grid(*self._key[:6], window, self.rows_from)

    # hexsides

    def hexside(self, a: str, b: str) -> str:
        """The id of the hexside between two adjacent hexes, the same both ways round: ``"C4|D4"``."""
        try:
            return self._sides[a, b]
        except KeyError:
            self.axial(a)
            self.axial(b)
            raise ValueError(f"{a} and {b} don't share a hexside; {a} has {', '.join(self.adjacent[a])}") from None

    def parse_hexside(self, text: str) -> str:
        """A hexside id as written, in canonical order; ValueError if it is none."""
        a, bar, b = (part.strip() for part in text.partition("|"))
        if not bar:
            raise ValueError(f'{text!r} is not a hexside; write two adjacent hexes: "A1|A2"')
        return self.hexside(a, b)

    def side_hexes(self, side: str) -> tuple[str, str]:
        """The two hexes of a hexside id."""
        a, _, b = side.partition("|")
        return a, b

    def side_points(self, a: str, b: str) -> tuple[Point, Point]:
        """The two ends in metres of the hexside between two adjacent hexes, the same both ways round."""
        first, second = self.side_hexes(self.hexside(a, b))
        return self.edge_points(first, self.direction(first, second))

    # lists of hexes as people write them

    def straight(self, a: str, b: str) -> list[str]:
        """A chain of adjacent hexes along the straight line between two hexes, ends included.

        Where the line runs between two hexes it takes the one in the row of the first hex (the
        column, of pointed hexes), so that ``A5`` to ``L5`` is the whole of row 5.
        """
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        n = self.distance(a, b)
        axis = 1 if self.layout == "flat" else 0
        home = self.position(a)[axis]
        chain = [a]
        for i in range(1, n + 1):
            # The point i/n of the way, in units of 1/n, and the hexes whose cell holds it.
            q, r = aq * n + (bq - aq) * i, ar * n + (br - ar) * i
            q0, r0 = q // n, r // n
            found = []
            for hq, hr in ((q0, r0), (q0 + 1, r0), (q0, r0 + 1), (q0 + 1, r0 + 1)):
                x, y = q - hq * n, r - hr * n
                if max(abs(x - y), abs(x + 2 * y), abs(2 * x + y)) <= n:
                    label = self.by_axial.get((hq, hr))
                    if label is not None:
                        found.append((abs(self._positions[label][axis] - home), self.index[label], label))
            if not found:
                raise ValueError(f"the line from {a} to {b} leaves the map")
            chain.append(min(found)[2])
        return chain

    def rectangle(self, a: str, b: str) -> list[str]:
        """The hexes in the columns and rows between two hexes, counted from the first toward the second."""
        (c1, r1), (c2, r2) = self.position(a), self.position(b)
        columns = range(c1, c2 + 1) if c1 <= c2 else range(c1, c2 - 1, -1)
        rows = range(r1, r2 + 1) if r1 <= r2 else range(r1, r2 - 1, -1)
        return [self._spell(column, row) for column in columns for row in rows]

    def parse_hexes(self, text: str) -> list[str]:
        """The hexes of a written list: ``"H10-J12, K3, A7:R7"``, each once, in the order written.

        ``X-Y`` is the rectangle between two hexes, ``X:Y`` the straight line.
        """
        found: dict[str, None] = {}
        for part in text.split(","):
            part = part.strip()
            if not part:
                continue
            for mark, spread in (("-", self.rectangle), (":", self.straight)):
                a, given, b = (piece.strip() for piece in part.partition(mark))
                if given:
                    if not a or not b:
                        raise ValueError(f"{part!r} is missing one end; write a range as {mark.join(self.ends)}")
                    found.update(dict.fromkeys(spread(a, b)))
                    break
            else:
                self.axial(part)
                found[part] = None
        return list(found)


@lru_cache(maxsize=64)
def hex_grid(
    columns: int,
    rows: int,
    layout: Layout = "flat",
    numbering: Numbering = "A1",
    shove: Shove = "even",
    size: float = 50.0,
    window: Window | None = None,
    rows_from: RowsFrom = "top",
) -> HexGrid:
    """The one shared grid of these parameters, so that its distances and traces are shared as well."""
    return HexGrid(columns, rows, layout, numbering, shove, size, window, rows_from)
