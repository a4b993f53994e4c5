"""What all moves have in common: which poses are told, which way to look, and whether the goal is reached."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Option
from grognard.core.poses import Area, Pose
from grognard.games.bolt_action import valuing
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.state import ADVANCE, Unit
from grognard.games.bolt_action.tactics_ground import Bools, Floats
from grognard.games.bolt_action.tactics_holding import stand_at, would_stand_at
from grognard.games.bolt_action.tactics_orders import GONE, Judge
from grognard.games.bolt_action.tactics_shots import Choice
from grognard.games.bolt_action.vehicles import FACE

#: How many answers are told.
TOLD = 8


def ranked(found: dict[str, Choice]) -> list[Choice]:
    """The best answers, of poses that differ in their form only the first."""
    told: list[Choice] = []
    spots: set[tuple[str, ...]] = set()
    for choice in sorted(found.values(), key=lambda choice: -choice.worth):
        words = choice.key.split()
        spot = tuple(words[:3]) if words[0] == "pose" and words[-1] != FACE else tuple(words)
        if spot not in spots:
            spots.add(spot)
            told.append(choice)
    return told[:TOLD]


def weighed(
    judge: Judge, unit: Unit, poses: Sequence[Pose], worth: Floats, there: Bools | None, shoots: bool
) -> list[Choice]:
    """Poses with their worth and why; ``there`` says of each whether the goal is reached, where that is known."""
    order = ADVANCE if shoots else "run"
    found = []
    for number, (pose, value) in enumerate(zip(poses, worth.tolist())):
        point = judge.outlook.chart.nearest(pose.x, pose.y)
        why = judge.why_there(unit, order, point, None if there is None else bool(there[number]))
        found.append(Choice(pose.key(), value, why, point))
    return found


def look(judge: Judge, unit: Unit, x: float, y: float) -> int:
    """Which way to look from a point: at the nearest enemy."""
    foes = [judge.outlook.spot(foe) for foe in judge.outlook.foes]
    if not foes:
        return unit.models[0].heading if unit.models else 0
    near = min(foes, key=lambda spot: math.hypot(spot[0] - x, spot[1] - y))
    return round(bearing(x, y, *near)) % 360


def at_goal(judge: Judge, unit: Unit, area: Area | None, poses: Sequence[Pose]) -> Bools | None:
    """At which poses a unit would be at its goal, by its very bases; None where that is not known."""
    goal = judge.outlook.goal(unit)
    if goal is None or goal.at is None:
        return None
    if isinstance(area, FootArea):
        return would_stand_at(area, poses, goal.at)
    hull = judge.outlook.battle.hull(unit)
    return np.array([stand_at([hull.at(pose.x, pose.y, pose.heading)], goal.at) for pose in poses], np.bool_)


def way_off(judge: Judge, unit: Unit, option: Option) -> Choice:
    """To leave the table with whoever is aboard (28.5)."""
    battle = judge.outlook.battle
    way = valuing.may_exit(battle, unit)
    points = (way[1] if way else 0) * (1 + len(battle.passengers(unit))) + GONE
    return Choice(option.key, judge.stay(unit) + points, (("off the table with its points", points),))
