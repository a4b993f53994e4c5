"""Who stands at an objective, and who would: by the very bases, as it is counted at the end (28.5).

The chart knows only the middle of a unit. A squad holds a place with any one of its men, so that it may stand in cover
beside it, and dispute it from just outside the enemy's reach when he stands on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from grognard.board.table.bodies import HAIR, Body, gap_to_point
from grognard.core.poses import Pose
from grognard.games.bolt_action import buildings
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ON_TABLE, Unit
from grognard.games.bolt_action.tactics_ground import Bools, objective_reach

#: A place that is fought for: where it is, in hundredths.
Spot = tuple[float, float]

#: How far from an objective places about it are looked for, and in how many directions.
RINGS, ROUND = (100.0, 230.0, 330.0, 430.0), 12


def stand_at(bases: Iterable[Body], at: Spot) -> bool:
    """Whether any of some bases is at a place that is fought for (28.5)."""
    near = objective_reach() + HAIR
    x, y = at
    for body in bases:
        room = near + body.foot.farthest
        if abs(body.x - x) <= room and abs(body.y - y) <= room and gap_to_point(body, x, y) <= near:
            return True
    return False


def stands_at(battle: BoltBattle, unit: Unit, at: Spot) -> bool:
    """Whether a unit is at a place that is fought for."""
    return unit.status == ON_TABLE and stand_at(battle.bodies(unit), at)


def would_stand_at(area: FootArea, poses: Sequence[Pose], at: Spot) -> Bools:
    """Which poses on foot put a man where the place is held from."""
    near = objective_reach() - 2
    found: Bools = np.zeros(len(poses), np.bool_)
    for number, pose in enumerate(poses):
        if abs(pose.x - at[0]) > 2000 or abs(pose.y - at[1]) > 2000:
            continue
        for man, (x, y) in area.ends(pose).items():
            if math.hypot(x - at[0], y - at[1]) - area.known[man].foot.radius <= near:
                found[number] = True
                break
    return found


def inside_at(battle: BoltBattle, unit: Unit, building: str, at: Spot) -> bool:
    """Whether a unit would hold a place from inside a building, where its men would find room (25.1)."""
    shape = battle.table.area(battle.table.by_id[building])
    left, top, right, bottom = shape.bounds
    near = objective_reach() + 100
    if not (left - near <= at[0] <= right + near and top - near <= at[1] <= bottom + near):
        return False
    taken = [(m.x, m.y) for other in buildings.inside(battle, building) if other is not unit for m in other.models]
    men = battle.bodies(unit)
    places = buildings.spots(shape, taken, len(men))
    return stand_at((body.at(x, y) for body, (x, y) in zip(men, places)), at)


def places_about(at: Spot, start: Spot, far: float) -> list[tuple[int, int]]:
    """Points about a place that is fought for, within a move, those nearest to where one comes from first."""
    x0, y0 = start
    found = []
    for ring in RINGS:
        for step in range(ROUND):
            angle = math.tau * step / ROUND
            x, y = at[0] + math.sin(angle) * ring, at[1] - math.cos(angle) * ring
            if (away := math.hypot(x - x0, y - y0)) <= far:
                found.append((away, round(x), round(y)))
    return [(x, y) for _, x, y in sorted(found)]
