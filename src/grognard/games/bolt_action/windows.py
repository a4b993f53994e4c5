"""Openings of buildings (25.3): which of them face somebody, and how far it is to the nearest that one sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, Footprint, gap_to_point
from grognard.board.table.scene import Eye, SightRules, windows
from grognard.board.table.sight import Pairs, sight
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts

Floats = NDArray[np.float64]

#: A point of an opening is looked at from this far outside its wall, in hundredths.
OUTSIDE = 2.0


class _Point(NamedTuple):
    """A point of an opening: how far it is, and what is looked at there, just outside the wall."""

    far: float
    mark: Body


def ranges(
    battle: BoltBattle,
    building: str,
    men: int,
    eyes: Sequence[Eye],
    bodies: Sequence[Body],
    pairs: Pairs,
    rules: SightRules,
) -> Floats:
    """The range of every eye to each man in a building: to the nearest point of an opening that it sees (25.3)."""
    found = np.full((len(eyes), men), np.inf)
    near: dict[int, list[_Point]] = {}
    for row in np.flatnonzero(pairs.seen.any(axis=1)).tolist():
        # Who stands in line with a wall faces none of its openings, but may see a man at one of them.
        spots = [(x, y) for _, x, y in toward(battle, building, [bodies[row]])] or windows(battle.table, building)
        near[row] = _points_at(battle, building, bodies[row], spots)
    if not near:
        return found
    marks = [each[0].mark for each in near.values()]
    clear = sight(battle.scene, [eyes[row] for row in near], marks, rules).seen.diagonal()
    for (row, each), seen in zip(near.items(), clear.tolist()):
        found[row] = each[0].far if seen else _past_the_first(battle, building, eyes[row], bodies[row], each, rules)
    return found


def _past_the_first(
    battle: BoltBattle, building: str, eye: Eye, body: Body, near: Sequence[_Point], rules: SightRules
) -> float:
    """The range where the nearest point of the openings is hidden: to others of them, and points along them all."""
    tried = [*near[1:], *_points_at(battle, building, body, windows(battle.table, building))]
    seen = sight(battle.scene, [eye], [point.mark for point in tried], rules).seen[0]
    # Somebody at an opening is seen, if only between the points that are tried.
    return min((point.far for point, clear in zip(tried, seen.tolist()) if clear), default=near[0].far)


def _points_at(battle: BoltBattle, building: str, body: Body, spots: Sequence[tuple[float, float]]) -> list[_Point]:
    """Points of openings, the nearest first; what is looked at lies off the wall, which would hide it."""
    inside = battle.table.area(battle.table.by_id[building]).representative_point()
    man = charts().footprints["man"]
    foot = Footprint(DISC, 0, 0, 0, man.height, man.eye)
    found = []
    for x, y in spots:
        off = OUTSIDE / (math.hypot(x - inside.x, y - inside.y) or 1.0)
        mark = Body(round(x + (x - inside.x) * off), round(y + (y - inside.y) * off), 0, foot)
        found.append(_Point(gap_to_point(body, x, y), mark))
    return sorted(found, key=lambda point: point.far)


def toward(battle: BoltBattle, building: str, there: Sequence[Body]) -> list[tuple[int, float, float]]:
    """The sides of a building that face somebody, each with the point of its openings nearest to him (25.3)."""
    piece = battle.table.by_id[building]
    points = piece.points
    turn = sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points)))
    found = []
    for side in piece.edges:
        (ax, ay), (bx, by) = points[side], points[(side + 1) % len(points)]
        ex, ey = bx - ax, by - ay
        best: tuple[float, float, float] | None = None
        for body in there:
            if (ex * (body.y - ay) - ey * (body.x - ax)) * (1 if turn > 0 else -1) >= 0:
                continue
            along = min(1.0, max(0.0, ((body.x - ax) * ex + (body.y - ay) * ey) / (ex * ex + ey * ey)))
            x, y = ax + along * ex, ay + along * ey
            far = math.dist((x, y), (body.x, body.y))
            if best is None or far < best[0]:
                best = far, x, y
        if best is not None:
            found.append((side, best[1], best[2]))
    return found
