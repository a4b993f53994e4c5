"""Past friends: whose lines of fire pass too near to models of their own side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, Point, shape
from grognard.kits.table.positions import AnyBattle
from grognard.kits.table.state import Unit


class Friend(NamedTuple):
    """A model that may be in the way: the number that it has in its unit, and where it stands."""

    unit: str
    row: int
    body: Body


def about(
    battle: AnyBattle, friends: Iterable[Unit[Any]], eyes: Sequence[Point], there: Sequence[Body], near: float
) -> tuple[Friend, ...]:
    """The models of friends in the box about the lines from eyes to a target: most are not in it."""
    xs = [eye[0] for eye in eyes] + [body.x for body in there]
    ys = [eye[1] for eye in eyes] + [body.y for body in there]
    left, right, top, bottom = min(xs) - near, max(xs) + near, min(ys) - near, max(ys) + near
    return tuple(
        Friend(friend.id, row, body)
        for friend in friends
        for row, body in enumerate(battle.bodies(friend))
        if left - (far := body.foot.farthest) <= body.x <= right + far and top - far <= body.y <= bottom + far
    )


def in_the_way(
    eyes: Sequence[Point], there: Sequence[Body], friends: Sequence[Body], bars: NDArray[np.bool_], near: float
) -> NDArray[np.bool_]:
    """Which lines, from eyes to where targets are, pass so near to a friendly base that ``bars`` the fire of it."""
    starts = np.array(eyes)
    ends = np.array([(body.x, body.y) for body in there], dtype=np.float64)
    places = np.array([(body.x, body.y) for body in friends], dtype=np.float64)
    along = ends[None, :, :] - starts[:, None, :]
    length = np.maximum((along**2).sum(axis=2), 1e-9)
    rel = places[None, :, :] - starts[:, None, :]
    t = np.clip(np.einsum("nmd,nkd->nmk", along, rel) / length[:, :, None], 0.0, 1.0)
    nearest = starts[:, None, None, :] + t[..., None] * along[:, :, None, :]
    away = np.hypot(nearest[..., 0] - places[:, 0], nearest[..., 1] - places[:, 1])
    reach = np.array([body.foot.farthest for body in friends]) + near
    close = (away <= reach) & bars[:, None, :]
    for k, body in enumerate(friends):
        if body.foot.shape != DISC and close[:, :, k].any():
            rows, columns = np.nonzero(close[:, :, k])
            lines = shapely.linestrings(np.stack([starts[rows], ends[columns]], axis=1))
            close[rows, columns, k] = shapely.distance(lines, shape(body)) <= near
    return np.asarray(close.any(axis=2))
