"""Line of sight and cover (11, 12.3, 23.2, 25.3): what the models of a unit see of another.

The geometry is `board.table.sight`; looks are kept by the kit (`kits.table.looks`). Here is what the rules add: a gun
looks from its front, men in buildings look out of its openings (25.3), friends in the way bar fire (11.2), and the
cover of a unit is decided by majority (11.5).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, HAIR, Body, Footprint, front, gaps
from grognard.board.table.scene import Eye, Mark, SightRules
from grognard.board.table.sight import Pairs
from grognard.games.bolt_action import windows
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import GUN, GUNNER, HULL, SPOTTER, Unit
from grognard.games.bolt_action.to_hit import HARD, SOFT
from grognard.kits.table.looks import Floats, Look, Looks, Sighting, kept_look
from grognard.kits.table.state import ON_TABLE

#: Without a place at any opening (25.4).
NO_WINDOW = -2


@cache
def rules() -> SightRules:
    """The game's figures for sight (11.1, 11.8)."""
    now = charts()
    chart = now["sight"]
    return SightRules(
        target_height=float(chart["target_height"]),
        at_hand=now.distance("sight", "at_hand"),
        low=now.distance("sight", "low"),
    )


class BoltSighting(Sighting[BoltBattle, Unit]):
    """How the kit is told the rules of sight."""

    @property
    def rules(self) -> SightRules:
        """The game's figures (11.1, 11.8)."""
        return rules()

    def eye(self, unit: Unit, row: int, body: Body) -> Eye:
        """A model looks from its centre, a gun from the middle of its front edge (B9)."""
        if unit.models[row].role == GUN:
            x, y = front(body)
            return Eye(x, y, float(body.foot.eye), body)
        return self.battle.scene.eye(body)

    def eyes(self, unit: Unit, toward: Sequence[Body]) -> list[Eye]:
        """The models of a unit, or the openings of its building that face the bases (25.3)."""
        if not unit.building:
            return super().eyes(unit, toward)
        foot = charts().footprints["man"]
        found = windows.toward(self.battle, unit.building, toward)
        return [Eye(x, y, float(foot.eye), Body(round(x), round(y), 0, foot), unit.building) for _, x, y in found]

    def marks(self, unit: Unit) -> list[Mark]:
        """The bases of a unit, and the building that they are in."""
        return [Mark(body, unit.building) for body in self.battle.bodies(unit)]

    def ranges(
        self, target: Unit, there: Sequence[Body], eyes: Sequence[Eye], posts: Sequence[Body], pairs: Pairs
    ) -> Floats:
        """From base to base; to the openings of a building that the target is in (25.3)."""
        if target.building:
            return windows.ranges(self.battle, target.building, len(there), eyes, posts, pairs, rules())
        return gaps(posts, there)

    def cover(self, target: Unit, pairs: Pairs) -> tuple[int, ...]:
        """What more than half of the men have, the gun not counted (11.5, B13); in a building it is hard."""
        if target.building:
            return (HARD,) * len(pairs.cover)
        living = [column for column, model in enumerate(target.models) if model.role != GUN]
        return _majority(pairs.cover[:, living] if living else pairs.cover)

    def look_out(self, looks: Looks[BoltBattle, Unit], unit: Unit, target: Unit) -> Look | None:
        """Men in a building look out of its openings (25.4)."""
        return _out_of_building(looks, unit, target) if unit.building else None

    @property
    def clearance(self) -> float:
        """Friends within 1 in of the line are in its way (11.2, B12)."""
        return charts().distance("sight", "friends_gap") + HAIR

    def bars_fire(self, unit: Unit, friend: Unit) -> bool:
        """Men in buildings are nowhere exactly, and in nobody's way."""
        return not friend.building


def _majority(cover: NDArray[Any]) -> tuple[int, ...]:
    """The cover of a unit from each firing model: what more than half of its models have (11.5, B13)."""
    count = cover.shape[1]
    some = (cover > 0).sum(axis=1) * 2 > count
    hard = (cover == HARD).sum(axis=1) * 2 > count
    return tuple(HARD if h else SOFT if s else 0 for s, h in zip(some.tolist(), hard.tolist()))


# ---- buildings (25.3, 25.4) --------------------------------------------------------------------------


def _out_of_building(looks: Looks[BoltBattle, Unit], unit: Unit, target: Unit) -> Look:
    """Men in a building look out of the openings that face the target, at most half of them out of one side (25.4).

    The best armed get the first places at the side that is nearest to the target.
    """
    battle = looks.battle
    there = battle.bodies(target)
    foot = Footprint(DISC, 0, 0, 0, *_man())
    posts: list[tuple[int, Eye, Body]] = []
    for side, x, y in windows.toward(battle, unit.building, there):
        body = Body(round(x), round(y), 0, foot)
        posts.append((side, Eye(x, y, float(foot.eye), body, unit.building), body))
    count = len(unit.models)
    if not posts:
        nothing = np.zeros((count, len(there)))
        blind = Pairs(
            nothing.astype(np.bool_),
            nothing.astype(np.int64) + 9,
            nothing.astype(np.int8),
            nothing.astype(np.int64) - 1,
        )
        no, far = (NO_WINDOW,) * count, (math.inf,) * count
        nowhere = ((0.0, 0.0),) * count
        spots = tuple(battle.bodies(unit))
        return Look(blind, blind.seen, nothing + np.inf, (0,) * count, far, no, nowhere, (False,) * count, spots)
    eyes, bodies = [eye for _, eye, _ in posts], [body for _, _, body in posts]
    pairs = looks.sighting.see(eyes, looks.sighting.marks(target))
    sides = tuple(side for side, _, _ in posts)
    whole = looks.finish(target, eyes, bodies, pairs, sides)
    order = sorted(range(len(posts)), key=lambda post: whole.nearest[post])
    each = -(-count // 2)
    best = sorted(range(count), key=lambda row: _worth_a_window(battle, unit, row))
    place = {row: (order[n // each] if n // each < len(order) else -1) for n, row in enumerate(best)}
    rows = np.array([max(place[row], 0) for row in range(count)])
    lost = np.array([place[row] < 0 for row in range(count)])
    seen = pairs.seen[rows] & ~lost[:, None]
    return Look(
        Pairs(seen, pairs.hidden[rows], pairs.cover[rows], pairs.by[rows]),
        seen,
        whole.gaps[rows],
        tuple(whole.cover[row] for row in rows),
        tuple(math.inf if gone else whole.nearest[row] for row, gone in zip(rows, lost)),
        tuple(NO_WINDOW if gone else sides[row] for row, gone in zip(rows, lost)),
        tuple((eyes[row].x, eyes[row].y) for row in rows),
        tuple(bool(row.any()) for row in seen),
        tuple(bodies[row] for row in rows),
    )


@cache
def _man() -> tuple[int, int]:
    foot = charts().footprints["man"]
    return foot.height, foot.eye


def _worth_a_window(battle: BoltBattle, unit: Unit, row: int) -> tuple[int, int, int]:
    """Who comes to the window first: whoever mans a Team weapon or gun, then who has most shots, spotters last."""
    model = unit.models[row]
    # What is fired once does not count: a look is kept, and must not hang on what was fired.
    shots = [weapon.shots for index in model.arms if not (weapon := battle.weapon(unit, index)).one_shot]
    most = max((int(each) if each.isdigit() else 6 for each in shots), default=0)
    first = 0 if model.role in (GUN, GUNNER, HULL) else 2 if model.role == SPOTTER or not shots else 1
    return first, -most, row


# ---- the questions that others ask -------------------------------------------------------------------


def looks_of(battle: BoltBattle) -> Looks[BoltBattle, Unit]:
    """Units looking at units by these rules."""
    return Looks(BoltSighting(battle))


def look(battle: BoltBattle, unit: Unit, target: Unit) -> Look:
    """What the models of a unit see of another's."""
    return kept_look(battle, unit, target) or looks_of(battle).look(unit, target)


def sees(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether any model of a unit sees any of another (11.1)."""
    if unit.status != ON_TABLE or target.status != ON_TABLE or not unit.models or not target.models:
        return False
    return look(battle, unit, target).sees()


def sees_points(battle: BoltBattle, unit: Unit, points: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether any model of a unit would see a man standing at each of the points (26.2)."""
    if not points or unit.status != ON_TABLE:
        return [False] * len(points)
    foot = charts().footprints["man"]
    marks = [Mark(Body(x, y, 0, foot)) for x, y in points]
    if unit.building:
        small = Footprint(DISC, 0, 0, 0, *_man())
        spots = windows.toward(battle, unit.building, [mark.body for mark in marks])
        middles = {side: _middle(battle, unit.building, side) for side, _, _ in spots}
        eyes = [
            Eye(x, y, float(small.eye), Body(round(x), round(y), 0, small), unit.building) for x, y in middles.values()
        ]
    else:
        eyes = BoltSighting(battle).eyes(unit, ())
    if not eyes:
        return [False] * len(points)
    seen = BoltSighting(battle).see(eyes, marks).seen
    return [bool(column.any()) for column in seen.T]


def _middle(battle: BoltBattle, building: str, side: int) -> tuple[float, float]:
    points = battle.table.by_id[building].points
    (ax, ay), (bx, by) = points[side], points[(side + 1) % len(points)]
    return (ax + bx) / 2, (ay + by) / 2
