"""Reading the tables of scenarios, situations and force files, so that every fault in them is told at once."""

from __future__ import annotations

import math

import shapely

from grognard.board.table.bodies import HAIR
from grognard.board.table.places import exactly
from grognard.board.table.terrain import Table
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.roster import UnitType, roster

#: A table to go on with where a file's own cannot be read.
BLANK = {"width": 72, "height": 48}


def read_kind(doc: Document, path: FilePath, name: str) -> UnitType | None:
    """A unit of the roster."""
    kinds = roster()
    if name not in kinds:
        doc.fault(path, f'no unit called "{name}"', did_you_mean(name, kinds))
        return None
    return kinds[name]


def check_buildings(doc: Document, table: Table) -> None:
    """A building is no larger than 8 x 8 in; a larger one is several that touch (25.1)."""
    most = charts().distance("buildings", "largest")
    for number, piece in enumerate(table.pieces):
        if table.kind(piece).ground != "building":
            continue
        about = shapely.get_coordinates(shapely.minimum_rotated_rectangle(table.area(piece)))
        sides = [math.dist(about[n], about[n + 1]) for n in (0, 1)]
        if max(sides) > most + HAIR:
            long, wide = (exactly(side, "") for side in sorted(sides, reverse=True))
            right = f"several that touch, each at most {exactly(most, '')} by {exactly(most, '')} (25.1)"
            doc.fault(("terrain", number, "points"), f"a building of {long} by {wide}", right)
