"""The rows of a run as Polars frames and Parquet files."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import Any

import polars as pl

from grognard.lab.game_rows import GameRecord, KindRecord, PlaceRecord, RollRecord, SideRecord, TurnRecord
from grognard.lab.journal import Journal, write_whole
from grognard.lab.series import Series

#: The tables besides ``games``: what a row is, and where a game keeps it.
ROWS: dict[str, tuple[type[Any], str]] = {
    "sides": (SideRecord, "sides"),
    "turns": (TurnRecord, "by_turn"),
    "kinds": (KindRecord, "by_kind"),
    "rolls": (RollRecord, "by_roll"),
    "places": (PlaceRecord, "by_place"),
}
_NESTED = {attribute for _, attribute in ROWS.values()}
_TYPES: dict[str, Any] = {
    "str": pl.String,
    "float": pl.Float64,
    "int": pl.Int64,
    "bool": pl.Boolean,
    "tuple[str, ...]": pl.List(pl.String),
}


class Frames:
    """The tables of a run: ``games`` with a row a game, and the others by side, turn, kind, roll and place."""

    def __init__(self, records: Iterable[GameRecord], series: Series) -> None:
        kept = sorted(records, key=lambda record: record.number)
        own = {name: kind for name, kind in _schema(GameRecord).items() if name not in _NESTED}
        read = attrgetter(*own)
        games = pl.DataFrame([read(record) for record in kept], own, orient="row")
        # A row says with what it was played: a file that has lost its folder still tells.
        self.games = games.with_columns(
            pl.lit(series.digest).alias("series"),
            pl.lit(series.program).alias("program"),
            pl.lit(series.seed).alias("series_seed"),
            pl.lit(series.games).alias("series_games"),
            pl.lit(series.swap).alias("series_swap"),
            pl.lit(series.seconds).alias("series_seconds"),
            pl.lit(series.limit).alias("series_limit"),
        )
        self.sides, self.turns, self.kinds, self.rolls, self.places = (_rows(kept, name) for name in ROWS)

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables by name."""
        return {name: getattr(self, name) for name in ("games", *ROWS)}

    def write(self, folder: Path) -> None:
        """Each table as a Parquet file, whole or not at all."""
        for name, frame in self.tables.items():
            packed = BytesIO()
            frame.write_parquet(packed, compression="zstd")
            write_whole(folder / f"{name}.parquet", packed.getvalue())


def _schema(kind: type[Any]) -> dict[str, Any]:
    """The columns of a record, by what its fields are."""
    return {name: _TYPES.get(kind.__annotations__[name]) for name in kind.__struct_fields__}


def _rows(records: list[GameRecord], name: str) -> pl.DataFrame:
    """A table of one of the things that a game has several of, each row with its game's number and scenario."""
    kind, attribute = ROWS[name]
    schema = _schema(kind)
    read = attrgetter(*schema)
    listed = [(each.number, each.scenario, *read(row)) for each in records for row in getattr(each, attribute)]
    return pl.DataFrame(listed, {"number": pl.Int64, "scenario": pl.String, **schema}, orient="row")


def read_frames(folder: Path) -> Frames:
    """The tables of the run of a folder, from what it has written down."""
    journal = Journal.open(folder)
    return Frames(journal.records(), journal.series)
