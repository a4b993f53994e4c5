"""Ground (8.4, 8.5, 9): what stops whom, and where a model may pass but not stop.

A `Ground` is what stands in the way of one kind of model on one kind of move, each thing with the rule that makes it
so. How it is judged is the business of `board.table.footing`; what stands in it is told here.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies, footing
from grognard.board.table.bodies import Body
from grognard.board.table.footing import FREE, Barrier, Footing, Thing, shape_of
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.core.ask import Bar
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import ABOARD, Unit

Floats = NDArray[np.float64]

OPEN, ROUGH, OBSTACLE, BUILDING, ROAD, IMPASSABLE = "open", "rough", "obstacle", "building", "road", "impassable"

OFF_TABLE = Bar("8.5", "no model may leave the table")


class Ground(Footing):
    """What a model of one size may not enter, and where it may not stop; none may leave the table (8.5)."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, OFF_TABLE)


# ---- terrain (9) -------------------------------------------------------------------------------------------


def effect(kind: Kind, column: str) -> str:
    """What a kind of terrain does to those who are judged by a column of the chart (9.1 to 9.5)."""
    return str(figures().ground[kind.ground][column])


def stops(kind: Kind, column: str, *, run: bool) -> bool:
    """Whether terrain is closed to a move (9.1 to 9.6); infantry go into buildings, but by their openings (25.2)."""
    what = effect(kind, column)
    if kind.ground == BUILDING or what in ("no", "no_deploy"):
        return True
    return (what == "no_run" and run) or (what == "ok_unless_at" and kind.anti_tank)


def bar_of(table: Table, piece: Piece, column: str) -> Bar:
    """Why terrain is closed to a move."""
    kind, name = table.kind(piece), table.title(piece)
    rule = str(figures().ground[kind.ground]["rule"])
    if kind.ground == BUILDING:
        return Bar("25.2" if column == "infantry" else rule, "there is a building in the way", name)
    if kind.ground == IMPASSABLE:
        return Bar(rule, "it is impassable ground", name)
    if effect(kind, column) == "no_run":
        return Bar("9.6", f"a Run may not go {'across an obstacle' if kind.linear else 'into rough ground'}", name)
    who = {"infantry": "infantry", "artillery": "a gun and its crew", "wheeled": "a wheeled vehicle"}
    return Bar(rule, f"{who.get(column, 'a vehicle')} may not go {'across it' if kind.linear else 'in'}", name)


def barriers(table: Table, column: str, *, run: bool, radius: float) -> list[Barrier]:
    """The terrain that is closed to bases of a radius; worked out once for each table."""

    def closed(piece: Piece) -> tuple[Bar, bool] | None:
        kind = table.kind(piece)
        if not stops(kind, column, run=run):
            return None
        return bar_of(table, piece, column), kind.ground in (BUILDING, IMPASSABLE)

    return footing.barriers(table, ("bolt_action", column, run), radius, closed)


def starting_on(battle: BoltBattle, unit: Unit) -> Bar | None:
    """Why a unit cannot Run where it stands: some model of it begins in ground closed to a Run (B7)."""
    if unit.building:
        return None
    table, column = battle.table, battle.type(unit).column
    key = ("bolt_action no run", column)
    closed: list[tuple[Piece, Any, tuple[float, float, float, float]]] | None = table.kept.get(key)
    if closed is None:
        shut = [p for p in table.pieces if not table.kind(p).linear and effect(table.kind(p), column) == "no_run"]
        closed = table.kept[key] = [(piece, area := table.area(piece), area.bounds) for piece in shut]
    for piece, area, (x0, y0, x1, y1) in closed:
        for model in unit.models:
            if x0 <= model.x <= x1 and y0 <= model.y <= y1 and shapely.intersects_xy(area, model.x, model.y):
                return Bar("9.6", "it begins in ground that is closed to a Run", table.title(piece))
    return None


def corridor(table: Table) -> Any:
    """Where the centre of a vehicle must keep to for its move to be along a road (B8); None without roads."""
    if "bolt_action roads" not in table.kept:
        roads = [shape_of(table, piece) for piece in table.pieces if table.kind(piece).ground == ROAD]
        table.kept["bolt_action roads"] = shapely.union_all(roads) if roads else None
    return table.kept["bolt_action roads"]


# ---- who stands in the way (8.4, 8.5) ----------------------------------------------------------------------


def for_model(
    battle: BoltBattle,
    unit: Unit,
    starts: Floats,
    radius: float,
    far: float,
    *,
    run: bool,
    assault: bool = False,
    through: bool = False,
    placed: bool = False,
    but: Collection[str] = (),
) -> Ground:
    """The ground for a man, or a gun taken as round, on a move of at most so far from any of the starts.

    In an assault the distance to enemies does not count, only their bases (8.4); ``through`` lets it cross what is
    closed to a Run (9.10). Models that are ``placed`` do not come from the starts, which only say where to look;
    ``but`` are units that are in nobody's way.
    """
    found = Ground(battle.table)
    low, high = starts.min(0) - far - 500, starts.max(0) + far + 500
    starts = starts[:0] if placed else starts
    column = "infantry" if through else battle.type(unit).column
    closed = barriers(battle.table, column, run=run and not through, radius=radius)
    found.block_terrain(closed, starts, low, high)
    enemy_gap = 0 if assault else battle.figures.distance("movement_figures", "enemy_gap")
    friend_gap = battle.figures.distance("movement_figures", "friend_gap")
    for other in battle.units():
        if other.id == unit.id or other.building or other.id in but:
            continue
        vehicle = battle.type(other).vehicle
        enemy = other.side != unit.side
        name = battle.say(other)
        for body in battle.bodies(other):
            if not (low[0] <= body.x <= high[0] and low[1] <= body.y <= high[1]):
                continue
            if enemy:
                what = "an enemy stands there" if assault else "no model may come within 1″ of an enemy"
                grow = radius + (0 if assault else enemy_gap)
                found.block_body(body, grow, Bar("8.4" if not assault else "8.5", what, name), starts)
                continue
            if vehicle or body.foot.shape == bodies.RECT:
                found.block_body(body, radius, Bar("8.5", "a vehicle or a gun stands in the way", name), starts)
            found.no_stop(
                body, radius + friend_gap, Bar("8.4", "no model may stop within 1″ of another friendly unit", name)
            )
    for wreck in battle.wreck_bodies():
        if low[0] <= wreck.x <= high[0] and low[1] <= wreck.y <= high[1]:
            found.block_body(wreck, radius, Bar("20.7", "a wreck is impassable"), starts)
    return found


@lru_cache(maxsize=4096)
def _shape(body: Body, grow: float) -> Any:
    """The shape of a base, kept: most of what stands about stands there for long."""
    return bodies.shape(body, grow)


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
    gap = battle.figures.distance("movement_figures", "enemy_gap")
    riders = {unit.id, *(u.id for u in battle.units(unit.side, on_table=False) if u.status == ABOARD)}
    for other in battle.units():
        if other.id in riders or other.building:
            continue
        grow = gap if other.side != unit.side else 0
        for base in battle.bodies(other):
            if abs(base.x - body.x) > reach or abs(base.y - body.y) > reach:
                continue
            rule = "8.4" if grow else "10.6"
            what = "no model may come within 1″ of an enemy" if grow else "a vehicle drives through no model"
            bar = Bar(rule, what, battle.say(other))
            room = float(grow)
            if np.hypot(base.x - body.x, base.y - body.y) < body.foot.farthest + base.foot.farthest + grow + 1:
                room = max(0.0, min(room, bodies.gap(body, base) - FREE))
            hulls.append(Thing(_shape(base, room), bar))
    hulls += [
        Thing(bodies.shape(wreck), Bar("20.7", "a wreck is impassable"))
        for wreck in battle.wreck_bodies()
        if abs(wreck.x - body.x) <= reach and abs(wreck.y - body.y) <= reach
    ]
    return hulls, centres
