"""Reading situations on hexes: units that somebody has put in hexes, and whoever is with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from grognard.board.hex.grid import HexGrid
from grognard.core.files import Document
from grognard.core.read_tables import FilePath
from grognard.core.situations import SituationReader
from grognard.kits.hex.invariants import Wrong
from grognard.kits.hex.reading import read_hex, read_hexes
from grognard.kits.hex.state import Unit

U = TypeVar("U", bound=Unit)


class HexSituation(SituationReader):
    """What reading a situation on hexes is in every game."""

    def __init__(
        self,
        doc: Document,
        grid: HexGrid,
        units: Any,
        table: type[msgspec.Struct],
        sides: Iterable[str],
        nation_of: Callable[[str], str],
        usual: Iterable[str],
    ) -> None:
        super().__init__(doc, units, table, sides, nation_of, usual)
        self.grid = grid

    def hex(self, path: FilePath, label: str) -> bool:
        """Whether a label is a hex of the map; if not, the fault is noted."""
        return read_hex(self.doc, path, self.grid, label)

    def hexes(self, path: FilePath, text: str) -> list[str]:
        """The hexes of a written list."""
        return read_hexes(self.doc, path, self.grid, text)

    def follow(
        self,
        units: Mapping[str, U],
        lead_of: Callable[[U], str],
        along: Callable[[U, U], None] = lambda unit, lead: None,
    ) -> None:
        """Whoever goes with another stands where that one does; ``along`` hands on what else he has of him."""
        for _ in range(2):  # a leader of who rides
            for unit in units.values():
                lead = units.get(lead_of(unit))
                if lead is not None:
                    unit.hex, unit.status = unit.hex or lead.hex, lead.status
                    if along is not None:
                        along(unit, lead)

    def check_standing(self, units: Iterable[U], standing: Collection[str]) -> None:
        """Note who is on the map and in no hex."""
        for unit in units:
            if unit.status in standing and not unit.hex:
                self.doc.fault(self.places[unit.id], f"{unit.id} needs a place", 'hex = "D4"')

    def place_of(self, wrong: Wrong) -> FilePath:
        """Where in the file something is that cannot be so."""
        return (*self.places.get(wrong.of, ()), *((wrong.key,) if wrong.key else ()))
