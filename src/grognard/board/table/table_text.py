"""A table as text: for terminals, tests and screen readers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from grognard.board.style import style
from grognard.board.table.draw_paths import along
from grognard.board.table.terrain import Table
from grognard.core.poses import length, point
from grognard.core.view import MarkerView, UnitView

#: How much of the table a character shows across and down, in its units: characters are twice as high as wide.
CELL = (1.0, 2.0)
OPEN = "."
MAN, VEHICLE, MARKER = "o", "@", "!"
#: What lies under what: kinds that are drawn in other ways come between.
_LOW, _HIGH = ("hill",), ("road", "building", "ruins")


def table_text(
    table: Table,
    units: Sequence[UnitView] = (),
    markers: Sequence[MarkerView] = (),
    *,
    across: float = CELL[0],
    legend: bool = True,
) -> str:
    """The table as monospace text, a character for so many units of it across and twice as many down.

    Letters tell the terrain; a unit's id is written among its models; a legend explains both.
    """
    cells = _Cells(table, across)
    cells.terrain()
    for marker in markers:
        cells.put_marker(marker)
    for unit in units:
        cells.put_models(unit)
    for unit in units:
        cells.put_name(unit)
    lines = cells.lines()
    if legend:
        lines += _legend(table, units, markers)
    return "\n".join(line.rstrip() for line in lines) + "\n"


class _Cells:
    """A canvas of characters over a table."""

    def __init__(self, table: Table, across: float) -> None:
        self.table, self.wide, self.high = table, across * 100, across * 100 * CELL[1] / CELL[0]
        self.columns, self.rows = max(1, round(table.width / self.wide)), max(1, round(table.height / self.high))
        self.canvas = np.full((self.rows, self.columns), OPEN, dtype="<U1")

    def put(self, x: float, y: float, letter: str) -> None:
        """A character at a point in hundredths, if that is on the table."""
        column, row = int(x // self.wide), int(y // self.high)
        if 0 <= column < self.columns and 0 <= row < self.rows:
            self.canvas[row, column] = letter

    def terrain(self) -> None:
        """Hills below, then what covers the ground, roads and houses above, and thin lines over all."""
        xs = (np.arange(self.columns) + 0.5) * self.wide
        ys = (np.arange(self.rows) + 0.5) * self.high
        grid_x, grid_y = np.meshgrid(xs, ys)

        def height(number: int) -> tuple[int, int]:
            piece = self.table.pieces[number]
            drawn = style("tabletop", self.table.kinds[piece.kind].drawn_as)["drawn"]
            thin = self.table.kinds[piece.kind].linear and not self.table.width_of(piece)
            return (3 if thin else 0 if drawn in _LOW else 2 if drawn in _HIGH else 1), number

        for _, number in sorted(height(number) for number in range(len(self.table.pieces))):
            piece = self.table.pieces[number]
            letter = style("tabletop", self.table.kinds[piece.kind].drawn_as)["letter"]
            if self.table.kinds[piece.kind].linear and not self.table.width_of(piece):
                for x, y in along(self.table.line(piece), self.wide / 2):
                    self.put(x, y, letter)
            else:
                self.canvas[shapely.contains_xy(self.table.area(piece), grid_x, grid_y)] = letter

    def put_marker(self, marker: MarkerView) -> None:
        """A marker at its place."""
        try:
            self.put(*point(marker.place), MARKER)
        except ValueError:
            return

    def put_models(self, unit: UnitView) -> None:
        """A unit's models."""
        for model in unit.models:
            self.put(model.x * 100, model.y * 100, MAN if model.radius else VEHICLE)

    def put_name(self, unit: UnitView) -> None:
        """A unit's id, beginning at its first model."""
        if unit.models:
            x, y = unit.models[0].x * 100, unit.models[0].y * 100
            for number, letter in enumerate(_plain(unit.id)):
                self.put(x + number * self.wide, y, letter)

    def lines(self) -> list[str]:
        """The canvas with a scale above and at the left."""
        ticks = [" "] * (self.columns + 4)
        for column in range(0, self.columns, 12):
            text = length(round(column * self.wide))
            ticks[column : column + len(text)] = text
        found = ["    " + "".join(ticks)]
        for row in range(self.rows):
            text = length(round(row * self.high)) if row % 3 == 0 else ""
            found.append(f"{text:>3} " + "".join(self.canvas[row]))
        return found


def _legend(table: Table, units: Sequence[UnitView], markers: Sequence[MarkerView]) -> list[str]:
    words: dict[str, dict[str, None]] = {}
    for piece in table.pieces:
        letter = style("tabletop", table.kinds[piece.kind].drawn_as)["letter"]
        words.setdefault(letter, {})[table.kinds[piece.kind].called.lower()] = None
    found = ["", f"{OPEN} open   " + "   ".join(f"{letter} {', '.join(kinds)}" for letter, kinds in words.items())]
    for piece in table.pieces:
        if piece.name:
            plan = table.area(piece)
            middle = (
                table.line(piece).interpolate(0.5, normalized=True) if plan.is_empty else plan.representative_point()
            )
            found.append(f"{piece.name}: {length(round(middle.x))},{length(round(middle.y))}")
    found += [f"{MARKER} {marker.text or marker.kind.replace('_', ' ')} at {marker.place}" for marker in markers]
    for unit in units:
        badges = f" [{' '.join(unit.badges)}]" if unit.badges else ""
        count = f", {len(unit.models)} models" if len(unit.models) > 1 else ""
        found.append(f"{unit.id}  {unit.name} ({unit.side}) at {unit.place}{count}{badges}")
    return [_plain(line) for line in found]


def _plain(text: str) -> str:
    """Text without characters that would move a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)
