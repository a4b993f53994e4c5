"""Past friends (11.2, B12): whose lines of fire pass too near to models of their own side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, HAIR, Body, gaps, shape
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.state import Unit

Point = tuple[float, float]


def about(battle: BoltBattle, unit: Unit, target: Unit, eyes: Sequence[Point]) -> tuple[Body, ...]:
    """The friendly models of other units in the box about the lines from a unit to a target: most are not in it."""
    near = figures().distance("sight", "friends_gap") + HAIR
    there = battle.bodies(target)
    xs = [eye[0] for eye in eyes] + [body.x for body in there]
    ys = [eye[1] for eye in eyes] + [body.y for body in there]
    left, right, top, bottom = min(xs) - near, max(xs) + near, min(ys) - near, max(ys) + near
    return tuple(
        body
        for friend in battle.units(unit.side)
        if friend is not unit and friend is not target and not friend.building
        for body in battle.bodies(friend)
        if left - (far := body.foot.farthest) <= body.x <= right + far and top - far <= body.y <= bottom + far
    )


def in_the_way(
    eyes: Sequence[Point], posts: Sequence[Body], there: Sequence[Body], friends: Sequence[Body]
) -> NDArray[np.bool_]:
    """Which lines, from eyes to where targets are, pass within 1 in of a friendly model of another unit (11.2, B12).

    The posts are the bases of those who look. Friends within 1 in of the firing model do not count, nor men in
    buildings, who are nowhere exactly.
    """
    near = figures().distance("sight", "friends_gap") + HAIR
    starts = np.array(eyes)
    ends = np.array([(body.x, body.y) for body in there], dtype=np.float64)
    beside = gaps(posts, friends) <= near
    places = np.array([(body.x, body.y) for body in friends], dtype=np.float64)
    along = ends[None, :, :] - starts[:, None, :]
    length = np.maximum((along**2).sum(axis=2), 1e-9)
    rel = places[None, :, :] - starts[:, None, :]
    t = np.clip(np.einsum("nmd,nkd->nmk", along, rel) / length[:, :, None], 0.0, 1.0)
    nearest = starts[:, None, None, :] + t[..., None] * along[:, :, None, :]
    away = np.hypot(nearest[..., 0] - places[:, 0], nearest[..., 1] - places[:, 1])
    reach = np.array([body.foot.farthest for body in friends]) + near
    close = (away <= reach) & ~beside[:, None, :]
    for k, body in enumerate(friends):
        if body.foot.shape != DISC and close[:, :, k].any():
            rows, columns = np.nonzero(close[:, :, k])
            lines = shapely.linestrings(np.stack([starts[rows], ends[columns]], axis=1))
            close[rows, columns, k] = shapely.distance(lines, shape(body)) <= near
    return np.asarray(close.any(axis=2))
