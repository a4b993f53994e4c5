"""Sight over ground with contours: kept by hex, with smoke and the like on top, and told in words with heights.

The ground never changes, so what is seen from a hex or the middle of a hexside is kept for all battles on a map. Veils
are a thin layer: only lines that the ground leaves clear are looked along for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.lattice import lattice_of
from grognard.board.hex.sight import Look, look, veiled
from grognard.board.hex.viewsheds import viewsheds_of
from grognard.core.aid_views import PlaceWord
from grognard.core.errors import GrognardError
from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.sight_report import ReportLine, SightReport, read_end

AnyBattle = HexBattle[Any, Any, Any, Any]


class ReliefRules(NamedTuple):
    """The rules by which the ground and a veil block, and what a veil in a hex is called."""

    ground: str
    veil: str
    veil_words: Callable[[str], str]


class LineOfSight(NamedTuple):
    """What a look over the relief tells a report: clear or not, and what blocks by which rule."""

    clear: bool
    degraded: tuple[str, ...] = ()
    blocked_by: str = ""
    rule: str = ""


class ReliefSight:
    """Who sees what over the relief of a map, on which each kind of terrain in ``tall`` rises by so many metres."""

    def __init__(self, field: Battlefield, tall: Mapping[str, int]) -> None:
        self.lattice = lattice_of(field, tall)
        self.viewsheds = viewsheds_of(self.lattice)
        self.grid = self.lattice.grid

    def clear(self, a: str, b: str, side: int = 0, veils: Collection[str] = ()) -> bool:
        """Whether one sees from a hex to another, or to the middle of a side of that one."""
        return self.viewsheds.sees(a, b, side) and not veiled(self.grid, a, b, side, veils)

    def seeing(self, hex: str, side: int = 0, veils: Collection[str] = ()) -> list[str]:
        """The hexes from which one sees a hex, or the middle of its side, in grid order; itself among them."""
        found = self.viewsheds.seeing(hex, side)
        return [a for a in found if not veiled(self.grid, a, hex, side, veils)] if veils else found

    def look(self, a: str, b: str, side: int = 0, veils: Collection[str] = ()) -> Look:
        """The line that explains itself."""
        return look(self.lattice, a, b, side, veils)

    def report(
        self, a: str, b: str, rules: ReliefRules, side: int = 0, veils: Collection[str] = ()
    ) -> SightReport[LineOfSight]:
        """A line of sight in words, with both heights, and what blocks it where and by how much."""
        found = self.look(a, b, side, veils)
        line: ReportLine | None = None
        if found.block is not None:
            line = ReportLine(found.block.hex, found.block.say(), "block", rules.ground)
        elif found.veil:
            line = ReportLine(found.veil, rules.veil_words(found.veil), "block", rules.veil)
        verdict = LineOfSight(True)
        if line is not None:
            verdict = LineOfSight(False, (), f"{line.what} in {line.place}", line.rule)
        heights = (f"{found.a_height} m", f"{found.b_height} m")
        end = f"{b}/{side}" if side else b
        return SightReport(a, end, *heights, self.grid.distance(a, b), verdict, (line,) if line else ())


def read_spot(known: AnyBattle, word: str, knows: Callable[[Any], bool]) -> tuple[str, int]:
    """What somebody means by an end of a line: a unit or a hex, or the middle of a hexside, written ``D4/3``."""
    hex, slash, side = word.partition("/")
    if not slash:
        end = read_end(known, word, knows)
        return (end if isinstance(end, str) else end.hex), 0
    found: str = read_end(known, PlaceWord(hex), knows)
    if side not in ("1", "2", "3", "4", "5", "6"):
        raise GrognardError(f"{word!r} names no hexside; write a side of {hex} as {hex}/1 to {hex}/6, clockwise from 1")
    return found, int(side)
