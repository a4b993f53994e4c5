"""Who stands at a place that is fought for, and who would: by the very bases, as it is counted at the end.

The chart knows only the middle of a unit. A unit holds a place with any one of its models, so that it may stand in
cover beside it, and dispute it from just outside the enemy's reach when he stands on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from grognard.board.table.bodies import HAIR, Body, gap_to_point
from grognard.board.table.placement import FormationArea
from grognard.core.poses import Pose
from grognard.kits.table.tactics.chart import Bools

#: A place that is fought for: where it is, in hundredths.
Spot = tuple[float, float]

#: In how many directions places about one that is fought for are looked for.
ROUND = 12


def stand_at(bases: Iterable[Body], at: Spot, reach: float) -> bool:
    """Whether any of some bases is within reach of a place that is fought for."""
    near = reach + HAIR
    x, y = at
    for body in bases:
        room = near + body.foot.farthest
        if abs(body.x - x) <= room and abs(body.y - y) <= room and gap_to_point(body, x, y) <= near:
            return True
    return False


def would_stand_at(area: FormationArea, poses: Sequence[Pose], at: Spot, reach: float, far_out: float) -> Bools:
    """Which poses put a model where a place is held from; none has one so ``far_out`` from its point."""
    near = reach - 2
    found: Bools = np.zeros(len(poses), np.bool_)
    for number, pose in enumerate(poses):
        if abs(pose.x - at[0]) > far_out or abs(pose.y - at[1]) > far_out:
            continue
        for model, (x, y) in area.ends(pose).items():
            if math.hypot(x - at[0], y - at[1]) - area.known[model].foot.narrowest <= near:
                found[number] = True
                break
    return found


def places_about(at: Spot, start: Spot, far: float, rings: Iterable[float]) -> list[tuple[int, int]]:
    """Points about a place that is fought for, within a move, those nearest to where one comes from first."""
    x0, y0 = start
    found = []
    for ring in rings:
        for step in range(ROUND):
            angle = math.tau * step / ROUND
            x, y = at[0] + math.sin(angle) * ring, at[1] - math.cos(angle) * ring
            if (away := math.hypot(x - x0, y - y0)) <= far:
                found.append((away, round(x), round(y)))
    return [(x, y) for _, x, y in sorted(found)]
