"""The figures of a game on a table: its ``charts.toml`` has the table's measure, the program hundredths of it."""

from __future__ import annotations

from typing import Any

from grognard.board.table.bodies import Footprint
from grognard.board.table.terrain import Kind
from grognard.core.charts import Charts
from grognard.core.files import convert


def hundredths(value: float) -> int:
    """A length of a file as the program counts it."""
    return round(value * 100)


def entries(table: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The entries of a table by name, without what is said of the whole of it."""
    return [(id, entry) for id, entry in table.items() if isinstance(entry, dict)]


def read_footprint(entry: dict[str, Any]) -> Footprint:
    """A base: its ``shape``, "disc" or "rect", with its lengths."""
    lengths = (hundredths(entry.get(key, 0)) for key in ("radius", "length", "width", "height", "eye"))
    return Footprint(entry["shape"], *lengths)


def read_kind(id: str, entry: dict[str, Any]) -> Kind:
    """A kind of terrain."""
    lengths: dict[str, int] = {
        key: hundredths(entry[key]) for key in ("height", "depth_visible", "width") if key in entry
    }
    whole: dict[str, Any] = {**entry, **lengths, "name": id}
    return convert(whole, Kind)


class TableCharts(Charts):
    """The figures of a game on a table. A game derives its own."""

    def distance(self, table: str, key: str) -> int:
        """A length of a table, in hundredths of the measure."""
        return hundredths(self.tables[table][key])
