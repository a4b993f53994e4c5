"""A line of sight over ground with heights, plainly: what is as high as the line blocks it, and by how much.

The line runs from the ground at one end to the ground at the other. Whatever rises to it or above it between the ends
blocks. Neighbours always see each other. Veils, such as smoke, fill hexes to any height: a line may end in one, but not
run through it or along its side.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from grognard.board.hex.grid import HexGrid
from grognard.board.hex.lattice import Lattice, spot_of, steps_between
from grognard.board.hex.trace import steps


class Block(NamedTuple):
    """The point that blocks a line most: where it lies, how high it is, and how high the line is there.

    ``step`` of ``steps`` twelfths of a hex from the first end.
    """

    hex: str
    ground: int
    cover: str
    top: int
    line: Fraction
    step: int
    steps: int

    @property
    def over(self) -> Fraction:
        """By how many metres it rises above the line."""
        return self.top - self.line

    def say(self) -> str:
        """The reckoning in words."""
        high = f"{self.top} m"
        if self.cover:
            high = f"{self.ground} m of ground and {self.top - self.ground} m of {self.cover.replace('_', ' ')}"
        rises = f"{_metres(self.over)} m above" if self.over else "as high as"
        return f"{high}, {rises} the line, which has {_metres(self.line)} m there"


class Look(NamedTuple):
    """A line of sight from a hex to another, or to the middle of its side: heights of both ends, and what blocks it.

    ``veil`` is the hex of smoke or the like that blocks a line which the ground leaves clear.
    """

    a: str
    b: str
    side: int
    a_height: int
    b_height: int
    block: Block | None
    veil: str

    @property
    def clear(self) -> bool:
        """Whether there is sight."""
        return self.block is None and not self.veil

    def say(self) -> str:
        """The line in words, with heights and what blocks."""
        ends = f"{self.a} ({self.a_height} m) to {self.b}{f'/{self.side}' if self.side else ''} ({self.b_height} m)"
        if self.block is not None:
            return f"{ends}: blocked in {self.block.hex}: {self.block.say()}"
        return f"{ends}: blocked in {self.veil}" if self.veil else f"{ends}: clear"


def look(lattice: Lattice, a: str, b: str, side: int = 0, veils: Collection[str] = ()) -> Look:
    """The line of sight from a hex to another, or to the middle of a side 1..6 of it, with veils on top."""
    a_height, b_height = lattice.height(a), lattice.height(b, side)
    found: Block | None = None
    if lattice.grid.distance(a, b) > 1:
        count = steps_between(spot_of(lattice.grid, a), spot_of(lattice.grid, b, side))
        for sample in lattice.profile(a, b, side):
            # Whole numbers decide; the line's height is made only where it is told.
            over = sample.top * count - (a_height * (count - sample.step) + b_height * sample.step)
            if sample.counts and over >= 0 and (found is None or over > found.over * count):
                line = sample.top - Fraction(over, count)
                found = Block(sample.hex, sample.ground, sample.cover, sample.top, line, sample.step, count)
    veil = "" if found is not None else veiled(lattice.grid, a, b, side, veils)
    return Look(a, b, side, a_height, b_height, found, veil)


def veiled(grid: HexGrid, a: str, b: str, side: int, veils: Collection[str]) -> str:
    """The first hex with a veil that a line runs through or along; "" where there is none. Neighbours see through."""
    if not veils or grid.distance(a, b) <= 1:
        return ""
    return next((hex for step in steps(grid, a, b, 0, side) for hex in step if hex in veils), "")


def _metres(value: Fraction) -> str:
    """A height as people read it.

    >>> _metres(Fraction(38125, 1000)), _metres(Fraction(40))
    ('38.1', '40')
    """
    tenths = round(value * 10)
    return str(tenths // 10) if tenths % 10 == 0 else f"{tenths / 10:.1f}"
