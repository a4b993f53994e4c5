"""2.2, 2.3: where stands may end, and what is in their way."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.stand_area import SAFE, Bools, Floats
from grognard.board.table.terrain import Piece, Table
from grognard.core.ask import Bar
from grognard.kits.table import cohesion
from grognard.kits.table.ground import GroundRules, Keep
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.state import Unit

OFF, TAKEN = Bar("2.3", "it would leave the table"), Bar("2.3", "somebody stands there")
SHUT = Bar("2.3", "nobody goes in there")


def shut(table: Table, piece: Piece) -> bool:
    return table.kind(piece).ground == "shut"


def ground_of(table: Table, kind: str) -> BaseGeometry:
    return shapely.union_all([table.area(piece) for piece in table.pieces if table.kind(piece).ground == kind])


def led(stand: Sequence[Body]) -> bool:
    """2.2: whether at least half of the others are by the leader."""
    return sum(cohesion.led(stand, 0, charts().distance("spacing", "from_leader"))[1:]) * 2 >= len(stand) - 1


class Standing:
    """2.3: where stands may end: on the table, off what is shut, clear of friends, and 2 cm from the enemy."""

    def __init__(self, battle: Field, unit: Unit) -> None:
        self.table = battle.table
        self.shut = [self.table.area(piece) for piece in self.table.pieces if shut(self.table, piece)]
        room = charts().distance("spacing", "from_enemy")
        others = [(one, one.side != unit.side) for one in battle.units() if one is not unit]
        self.others = [(body, room if enemy else 0) for one, enemy in others for body in battle.bodies(one)]

    def _frame(self, foot: Footprint, heading: int) -> tuple[float, float, float, float]:
        left, top, right, bottom = bodies.shape(Body(0, 0, heading, foot)).bounds
        return -left, -top, self.table.width - right, self.table.height - bottom

    def room(self, foot: Footprint, heading: int) -> BaseGeometry:
        base = Body(0, 0, heading, foot)
        closed = [bodies.sum_of(other, base, gap + SAFE) for other, gap in self.others]
        closed += [area.buffer(foot.farthest) for area in self.shut]
        return shapely.box(*self._frame(foot, heading)).difference(shapely.union_all(closed))

    def has_room(self, foot: Footprint, heading: int, x: Floats, y: Floats) -> Bools:
        left, top, right, bottom = self._frame(foot, heading)
        free: Bools = (x >= left) & (y >= top) & (x <= right) & (y <= bottom)
        here = [Body(round(px), round(py), heading, foot) for px, py in zip(x, y)]
        apart = bodies.separations(here, [other for other, _ in self.others]) - [gap for _, gap in self.others]
        free &= (apart >= 0).all(axis=1)
        for area in self.shut:
            free &= shapely.distance(area, shapely.points(x, y)) >= foot.farthest - SAFE
        return free

    def why_not(self, body: Body) -> Bar:
        if any(bodies.separation(body, other) < gap for other, gap in self.others):
            return TAKEN
        return (
            SHUT
            if any(area.distance(shapely.Point(body.x, body.y)) < body.foot.farthest for area in self.shut)
            else OFF
        )


class Going(GroundRules[Field, Unit]):
    """2.1, 2.3: what is in the way of stands along a track, across country, or on bad going."""

    off_table: ClassVar[Bar] = OFF
    near: ClassVar[float] = 1000.0

    def __init__(self, battle: Field, pace: str = "bad going") -> None:
        super().__init__(battle)
        self.pace = pace

    def closed(self, unit: Unit, piece: Piece) -> tuple[Bar, bool] | None:
        return (SHUT, True) if shut(self.battle.table, piece) else None

    def key(self, unit: Unit) -> Hashable:
        return "stands"

    def shapes(self, unit: Unit) -> Iterator[tuple[BaseGeometry, Bar]]:
        table = self.battle.table
        if self.pace == "track":
            everywhere = shapely.box(-9, -9, table.width + 9, table.height + 9)
            yield everywhere.difference(ground_of(table, "easy")), Bar("2.1", "the track does not lead there")
        elif self.pace == "country":
            yield ground_of(table, "thick"), Bar("2.1", "a spinney is in the way")

    def keeps(self, unit: Unit, other: Unit, body: Body) -> Iterator[Keep]:
        if other.side != unit.side:
            yield Keep(charts().distance("spacing", "from_enemy"), Bar("2.3", "it is too near to the enemy"))
