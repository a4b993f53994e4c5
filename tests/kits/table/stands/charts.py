"""The figures in force: charts.toml, with a user's own file laid over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from grognard.kits.table.charts import TableCharts, entries, read_footprint, read_kind

FOLDER = Path(__file__).parent
#: What tables are measured in, and how many hundredths of that are an inch.
MEASURE, INCH = "cm", 254


class StandsCharts(TableCharts):
    """All figures in force. A plain one is looked up: ``charts().distance("paces", "track")``."""

    folder: ClassVar[Path] = FOLDER

    def __init__(self, tables: dict[str, Any], user_tables: list[str]) -> None:
        super().__init__(tables, user_tables)
        self.stands = {id: read_footprint(entry) for id, entry in entries(tables["stands"])}
        self.kinds = {id: read_kind(id, entry) for id, entry in entries(tables["terrain"])}
        self.phrases = {"cover": "in cover"}


def charts() -> StandsCharts:
    """The figures in force."""
    return StandsCharts.in_force()
