"""Standing room: where a base of a unit may be set up, on its ground and clear of everybody else."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies, footing
from grognard.board.table.bodies import RECT, Body, Footprint
from grognard.core.ask import Bar
from grognard.kits.table.setup_rules import BASE, MIDDLE, SetupRules

Floats = NDArray[np.float64]

#: What arithmetic with round shapes may lose: bases are kept this much farther apart.
SAFE = 0.5


class StandingRoom:
    """The room that the bases of a unit have in a zone, as shapes and by arithmetic; ``key`` names the zone."""

    def __init__(
        self, rules: SetupRules[Any, Any], unit: Any, zone: Any, key: bytes, feet: Sequence[Footprint]
    ) -> None:
        self.battle, self.rules, self.of = rules.battle, rules, unit
        self.zone, self.key, self.feet = zone, key, feet
        self.grounds = [rules.ground_key(unit, model) for model in unit.models]
        self._rooms: dict[tuple[Footprint, int, Hashable], Any] = {}

    def room(self, number: int, heading: int) -> Any:
        """Where the centre of a model's base may be, as a shape: on ground it can be on, and clear of others."""
        foot = self.feet[number]
        key = (foot, heading if foot.shape == RECT else 0, self.grounds[number])
        found = self._rooms.get(key)
        if found is None:
            base = Body(0, 0, key[1], foot)
            near = [bodies.sum_of(body, base, grow + SAFE) for body, grow in self._others]
            found = self._rooms[key] = self._land(number, base).difference(shapely.union_all(near))
        return found

    def has_room(self, number: int, heading: int, x: Floats, y: Floats) -> NDArray[np.bool_]:
        """For which centres a base has room: the same as `room`, by arithmetic, because so much of it is asked."""
        foot = self.feet[number]
        base = Body(0, 0, heading if foot.shape == RECT else 0, foot)
        free: NDArray[np.bool_] = shapely.intersects_xy(self._land(number, base), x, y)
        left = np.flatnonzero(free)
        if not len(left) or not self._others:
            return free
        x, y = x[left], y[left]
        discs, rects = self._arrays
        if len(discs):
            across, down = x[:, None] - discs[:, 0], y[:, None] - discs[:, 1]
            reach = discs[:, 2] + (foot.radius if foot.shape != RECT else 0)
            free[left] &= (_off(across, down, base) > reach).all(1)
        for body, grow in rects:
            if foot.shape == RECT:
                free[left] &= ~shapely.intersects_xy(bodies.sum_of(body, base, grow), x, y)
            else:
                free[left] &= _off(x - body.x, y - body.y, body) > grow + foot.radius
        return free

    @cached_property
    def _others(self) -> list[tuple[Body, float]]:
        """Whoever stands on the table, and how far from him the unit has to be."""
        battle = self.battle
        found = [
            (body, self.rules.apart(self.of, unit))
            for unit in battle.units()
            if self.rules.stands(unit) and unit.id != self.of.id
            for body in battle.bodies(unit)
        ]
        found += [(wreck, SAFE) for wreck in battle.wreck_bodies()]
        # Who is far from the zone is in nobody's way there.
        own = max(foot.farthest for foot in self.feet)
        left, top, right, bottom = self.zone.bounds
        near = []
        for body, grow in found:
            far = body.foot.farthest + own + grow + 2
            if left - far <= body.x <= right + far and top - far <= body.y <= bottom + far:
                near.append((body, grow))
        return near

    @cached_property
    def _arrays(self) -> tuple[Floats, list[tuple[Body, float]]]:
        """The same as an array of round bases with how near one may not come, and the others one by one."""
        discs = [(b.x, b.y, b.foot.radius + grow) for b, grow in self._others if b.foot.shape != RECT]
        return np.array(discs, dtype=np.float64).reshape(-1, 3), [o for o in self._others if o[0].foot.shape == RECT]

    def _land(self, number: int, base: Body) -> Any:
        """The part of the zone that a base can be set up on, whoever stands there; kept with the table."""
        table = self.battle.table
        key = ("deployment", self.key, base, self.grounds[number])
        found = table.cache.get(key)
        if found is None:
            wide, high = _half(base)
            inside = shapely.box(wide, high, table.width - wide, table.height - high)
            found = self.zone.intersection(inside).difference(shapely.union_all(self._barred(number, base)))
            shapely.prepare(found)
            table.cache[key] = found
        return found

    def _barred(self, number: int, base: Body) -> list[Any]:
        """Where its centre may not be for the ground."""
        table = self.battle.table
        found = []
        for piece in table.pieces:
            closed = self.rules.closed(self.of, self.of.models[number], piece)
            if closed == BASE:
                found.append(spread(footing.shape_of(table, piece), base))
            elif closed == MIDDLE and base.foot.shape == RECT:
                found.append(footing.shape_of(table, piece))
        return found

    def why_not(self, number: int, body: Body) -> Bar:
        """Why a model has no room where it would stand."""
        battle, rules, model = self.battle, self.rules, self.of.models[number]
        if not shapely.intersects_xy(self.zone, body.x, body.y):
            return rules.outside
        wide, high = _half(body)
        if not (wide <= body.x <= battle.table.width - wide and high <= body.y <= battle.table.height - high):
            return rules.off_table
        for unit in battle.units():
            if unit.id == self.of.id or not rules.stands(unit):
                continue
            apart = rules.apart(self.of, unit)
            if any(bodies.gap(body, other) <= apart for other in battle.bodies(unit)):
                return rules.too_near(self.of, unit)
        here = bodies.shape(body)
        for piece in battle.table.pieces:
            near = footing.shape_of(battle.table, piece).distance(here) <= SAFE
            if near and rules.closed(self.of, model, piece):
                return rules.why_closed(self.of, model, piece)
        return rules.no_room


def _half(base: Body) -> tuple[float, float]:
    """Half of how wide and how high a base is on the table as it is turned."""
    if base.foot.shape != RECT:
        return float(base.foot.radius), float(base.foot.radius)
    turn = math.radians(base.heading)
    across, along = abs(math.sin(turn)), abs(math.cos(turn))
    long, wide = base.foot.length, base.foot.width
    return (across * long + along * wide) / 2, (along * long + across * wide) / 2


def _off(across: Floats, down: Floats, base: Body) -> Floats:
    """How far points, given from a base's centre, lie from its rim; from the centre of a round one."""
    if base.foot.shape != RECT:
        return np.hypot(across, down)
    turn = math.radians(base.heading)
    ahead = np.abs(across * math.sin(turn) - down * math.cos(turn)) - base.foot.length / 2
    aside = np.abs(across * math.cos(turn) + down * math.sin(turn)) - base.foot.width / 2
    return np.hypot(np.maximum(ahead, 0.0), np.maximum(aside, 0.0))


def spread(shape: Any, base: Body) -> Any:
    """Where the centre of a base is that touches a shape."""
    if base.foot.shape != RECT:
        return shape.buffer(base.foot.radius + SAFE, quad_segs=16)
    corners = bodies.corners(base) - np.array((base.x, base.y))
    parts = [shape]
    for x0, y0, x1, y1 in footing.edges_of(shape):
        ends = np.concatenate([corners + np.array((x0, y0)), corners + np.array((x1, y1))])
        parts.append(shapely.MultiPoint(ends).convex_hull)
    return shapely.union_all(parts).buffer(SAFE, quad_segs=4)
