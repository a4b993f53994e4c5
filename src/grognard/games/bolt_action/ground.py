"""Ground (8.4, 8.5, 9): what stops whom, and where a model may pass but not stop.

How it is judged is the business of `board.table.footing` and `kits.table.ground`; what stands in it is told here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator
from functools import lru_cache
from typing import Any, ClassVar

import shapely

from grognard.board.table import bodies, footing
from grognard.board.table.bodies import Body
from grognard.board.table.footing import FREE, Barrier, Thing, shape_of
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.core.ask import Bar
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.ground import GroundRules, Keep
from grognard.kits.table.state import ABOARD

OPEN, ROUGH, OBSTACLE, BUILDING, ROAD, IMPASSABLE = "open", "rough", "obstacle", "building", "road", "impassable"

OFF_TABLE = Bar("8.5", "models can't leave the table")
WRECK = Bar("20.7", "a wreck is impassable")


# ---- terrain (9) -------------------------------------------------------------------------------------------


def effect(kind: Kind, column: str) -> str:
    """What a kind of terrain does to those who are judged by a column of the chart (9.1 to 9.5)."""
    return str(charts().ground[kind.ground][column])


def stops(kind: Kind, column: str, *, run: bool) -> bool:
    """Whether terrain is closed to a move (9.1 to 9.6); infantry go into buildings, but by their openings (25.2)."""
    what = effect(kind, column)
    if kind.ground == BUILDING or what in ("no", "no_deploy"):
        return True
    return (what == "no_run" and run) or (what == "ok_unless_at" and kind.anti_tank)


def bar_of(table: Table, piece: Piece, column: str) -> Bar:
    """Why terrain is closed to a move."""
    kind, name = table.kind(piece), table.title(piece)
    rule = str(charts().ground[kind.ground]["rule"])
    if kind.ground == BUILDING:
        return Bar("25.2" if column == "infantry" else rule, "there is a building in the way", name)
    if kind.ground == IMPASSABLE:
        return Bar(rule, "the ground is impassable", name)
    if effect(kind, column) == "no_run":
        return Bar("9.6", f"a Run can't go {'across an obstacle' if kind.linear else 'into rough ground'}", name)
    who = {"infantry": "infantry", "artillery": "a gun and its crew", "wheeled": "a wheeled vehicle"}
    return Bar(rule, f"{who.get(column, 'a vehicle')} can't go {'across it' if kind.linear else 'in'}", name)


def closed(table: Table, piece: Piece, column: str, *, run: bool) -> tuple[Bar, bool] | None:
    """Why terrain is closed to a move, and whether to whole bases; None where it is open."""
    kind = table.kind(piece)
    if not stops(kind, column, run=run):
        return None
    return bar_of(table, piece, column), kind.ground in (BUILDING, IMPASSABLE)


def barriers(table: Table, column: str, *, run: bool, radius: float) -> list[Barrier]:
    """The terrain that is closed to bases of a radius; worked out once for each table."""

    return footing.barriers(
        table, ("bolt_action", column, run), radius, lambda piece: closed(table, piece, column, run=run)
    )


def starting_on(battle: BoltBattle, unit: Unit) -> Bar | None:
    """Why a unit cannot Run where it stands: some model of it begins in ground closed to a Run (B7)."""
    if unit.building:
        return None
    table, column = battle.table, battle.type(unit).column
    key = ("bolt_action no run", column)
    closed: list[tuple[Piece, Any, tuple[float, float, float, float]]] | None = table.cache.get(key)
    if closed is None:
        shut = [p for p in table.pieces if not table.kind(p).linear and effect(table.kind(p), column) == "no_run"]
        closed = table.cache[key] = [(piece, area := table.area(piece), area.bounds) for piece in shut]
    for piece, area, (x0, y0, x1, y1) in closed:
        for model in unit.models:
            if x0 <= model.x <= x1 and y0 <= model.y <= y1 and shapely.intersects_xy(area, model.x, model.y):
                return Bar("9.6", "it starts on ground you can't Run on", table.title(piece))
    return None


def corridor(table: Table) -> Any:
    """Where the centre of a vehicle must keep to for its move to be along a road (B8); None without roads."""
    if "bolt_action roads" not in table.cache:
        roads = [shape_of(table, piece) for piece in table.pieces if table.kind(piece).ground == ROAD]
        table.cache["bolt_action roads"] = shapely.union_all(roads) if roads else None
    return table.cache["bolt_action roads"]


# ---- who stands in the way (8.4, 8.5) ----------------------------------------------------------------------


class FootGround(GroundRules[BoltBattle, Unit]):
    """What is in the way of men, and of a gun taken as round (8.4, 8.5, 9).

    In an assault the distance to enemies does not count, only their bases (8.4); ``through`` lets it cross what is
    closed to a Run (9.10). ``but`` are units that are in nobody's way.
    """

    off_table: ClassVar[Bar] = OFF_TABLE
    wreck: ClassVar[Bar | None] = WRECK

    def __init__(
        self,
        battle: BoltBattle,
        *,
        run: bool,
        assault: bool = False,
        through: bool = False,
        but: Collection[str] = (),
    ) -> None:
        super().__init__(battle)
        self.run, self.assault, self.through, self.but = run and not through, assault, through, but
        self.enemy_gap = 0 if assault else battle.charts.distance("movement_figures", "enemy_gap")
        self.friend_gap = battle.charts.distance("movement_figures", "friend_gap")

    def _column(self, unit: Unit) -> str:
        return "infantry" if self.through else self.battle.type(unit).column

    def key(self, unit: Unit) -> Hashable:
        """The column of the terrain chart, and whether they run."""
        return "bolt_action", self._column(unit), self.run

    def closed(self, unit: Unit, piece: Piece) -> tuple[Bar, bool] | None:
        """By the terrain chart (9.1)."""
        return closed(self.battle.table, piece, self._column(unit), run=self.run)

    def stands(self, unit: Unit, other: Unit) -> bool:
        """Men in a building are in nobody's way."""
        return not other.building and other.id not in self.but

    def keeps(self, unit: Unit, other: Unit, body: Body) -> Iterator[Keep]:
        """An inch from enemies; through friends, but not to stop within an inch of them (8.4, 8.5)."""
        name = self.battle.name(other)
        if other.side != unit.side:
            what = "an enemy stands there" if self.assault else "models can't come within 1″ of an enemy"
            yield Keep(self.enemy_gap, Bar("8.5" if self.assault else "8.4", what, name))
            return
        if self.battle.type(other).vehicle or body.foot.shape == bodies.RECT:
            yield Keep(0, Bar("8.5", "a vehicle or a gun stands in the way", name))
        yield Keep(self.friend_gap, Bar("8.4", "models can't stop within 1″ of another friendly unit", name), True)


@lru_cache(maxsize=4096)
def _shape(body: Body, grow: float) -> Any:
    """The shape of a base, kept: most of what stands about stands there for long."""
    return bodies.kept_clear(body, grow) if grow > 0 else bodies.shape(body)


def hull_barriers(
    battle: BoltBattle, unit: Unit, body: Body, far: float, *, run: bool
) -> tuple[list[Thing], list[Thing]]:
    """What a hull may not touch, and what its centre may not enter or cross, within reach (8.4, 8.5, 9, B4, B6)."""
    hulls: list[Thing] = []
    centres: list[Thing] = []
    table = battle.table
    reach = far + 600
    for barrier in barriers(table, battle.type(unit).column, run=run, radius=0):
        x0, y0, x1, y1 = barrier.box
        if x1 < body.x - reach or x0 > body.x + reach or y1 < body.y - reach or y0 > body.y + reach:
            continue
        (hulls if barrier.whole else centres).append(Thing(barrier.shape, barrier.bar))
    gap = battle.charts.distance("movement_figures", "enemy_gap")
    riders = {unit.id, *(u.id for u in battle.units(unit.side, on_table=False) if u.status == ABOARD)}
    for other in battle.units():
        if other.id in riders or other.building:
            continue
        grow = gap if other.side != unit.side else 0
        rule = "8.4" if grow else "10.6"
        what = "models can't come within 1″ of an enemy" if grow else "vehicles can't drive through models"
        bar = Bar(rule, what, battle.name(other))
        for base in battle.bodies(other):
            if abs(base.x - body.x) > reach or abs(base.y - body.y) > reach:
                continue
            room = float(grow)
            if math.dist(base[:2], body[:2]) < body.foot.farthest + base.foot.farthest + grow + 1:
                room = max(0.0, min(room, bodies.gap(body, base) - FREE))
            hulls.append(Thing(_shape(base, room), bar))
    hulls += [
        Thing(bodies.shape(wreck), WRECK)
        for wreck in battle.wreck_bodies()
        if abs(wreck.x - body.x) <= reach and abs(wreck.y - body.y) <= reach
    ]
    return hulls, centres
