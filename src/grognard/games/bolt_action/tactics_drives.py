"""Where a vehicle drives: legs on courses all round, with a look at which way it then faces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Ask
from grognard.core.poses import Pose, read_pose
from grognard.games.bolt_action import valuing, weapons
from grognard.games.bolt_action.state import ADVANCE, Unit
from grognard.games.bolt_action.tactics_fire import profile
from grognard.games.bolt_action.tactics_ground import Floats, Row
from grognard.games.bolt_action.tactics_orders import Judge
from grognard.games.bolt_action.tactics_poses import at_goal, look, ranked, way_off, weighed
from grognard.games.bolt_action.tactics_shots import Choice
from grognard.games.bolt_action.vehicles import DRIVE, FACE, DriveArea

#: How far ahead of a vehicle there should be nothing in the way, in hundredths, and what it costs if there is.
AHEAD, CRAMPED = (150.0, 200.0, 250.0, 300.0, 350.0), 0.4
#: What a leg costs beside what it brings, so that nobody drives about for nothing.
LEG = 0.03


def drive(judge: Judge, ask: Ask, unit: Unit, area: DriveArea) -> list[Choice]:
    """A leg of a vehicle's move: any course that it can take, with a look at which way it then faces."""
    body = area.body
    flees = "escape" in ask.prompt or "flee" in ask.prompt
    shoots = unit.die == ADVANCE and not flees
    found: dict[str, Choice] = {}
    poses: list[Pose] = []
    for option in ask.options:
        read = read_pose(option.key)
        if read is not None:
            poses.append(read[1])
        elif option.verb in ("stay", "done"):
            here = Pose(body.x, body.y, body.heading, DRIVE)
            stay = _driven(judge, unit, [here], shoots)[0]
            found[option.key] = stay._replace(key=option.key, worth=stay.worth + 0.01)
        elif option.verb == "exit":
            found[option.key] = way_off(judge, unit, option)
        elif option.verb == "reverse":
            found[option.key] = _backing(judge, unit, area, shoots)
    poses += _legs(judge, unit, area)
    for choice in _driven(judge, unit, list(dict.fromkeys(poses)), shoots):
        found.setdefault(choice.key, choice._replace(worth=choice.worth - LEG))
    return ranked(found)


def _legs(judge: Judge, unit: Unit, area: DriveArea) -> list[Pose]:
    """Legs on courses all round, whole and in part, and turns to the enemy where a pivot is left."""
    body, limits = area.body, area.drive.limits
    back = 180 if area.trip.reverse else 0
    wished: list[Pose] = []
    for course in list(area.drive.courses)[:: max(1, len(area.drive.courses) // 24)]:
        for part in (1.0, 0.8, 0.6, 0.3):
            far = float(limits[course]) * part - 1
            if far < 60:
                continue
            ux, uy = math.sin(math.radians(course)), -math.cos(math.radians(course))
            x, y = round(body.x + ux * far), round(body.y + uy * far)
            wished.append(Pose(x, y, (course + back) % 360, DRIVE))
            if area.trip.pivots > area.trip.turned and part == 1.0 and not back:
                wished.append(Pose(x, y, look(judge, unit, x, y), FACE))
    worth = _driven(judge, unit, wished, unit.die == ADVANCE)
    order = sorted(range(len(wished)), key=lambda number: -worth[number].worth)
    found = []
    for number in order[:14]:
        if area.bar(wished[number]) is None:
            found.append(wished[number])
        if len(found) >= 5:
            break
    if area.trip.pivots > area.trip.turned and not back:
        for foe in judge.outlook.foes:
            heading = round(bearing(body.x, body.y, *judge.outlook.spot(foe))) % 360
            pose = Pose(body.x, body.y, heading, DRIVE)
            if heading != body.heading and area.turn(heading) is None and area.bar(pose) is None:
                found.append(pose)
    return found


def _driven(judge: Judge, unit: Unit, poses: Sequence[Pose], shoots: bool) -> list[Choice]:
    """Where legs lead, with what the way the hull then looks is worth."""
    if not poses:
        return []
    outlook = judge.outlook
    xs, ys = np.array([float(p.x) for p in poses]), np.array([float(p.y) for p in poses])
    headings = np.array([float(p.heading) for p in poses])
    there = at_goal(judge, unit, None, poses)
    worth, rows = outlook.places_at(unit, xs, ys, False, there)
    if shoots:
        worth = worth + 0.9 * _laid_shots(judge, unit, xs, ys, headings, rows)
    worth = worth - _faces(judge, unit, xs, ys, headings, rows) - cramped(judge, unit, xs, ys, headings)
    return weighed(judge, unit, poses, worth, there, shoots)


def _laid_shots(judge: Judge, unit: Unit, xs: Floats, ys: Floats, headings: Floats, rows: dict[str, Row]) -> Floats:
    """The best shot after a move, of weapons that bear from the way the hull looks."""
    outlook, battle = judge.outlook, judge.outlook.battle
    _, each = outlook.shots_by(unit, True, rows, xs, ys)
    slots = {index for model in unit.models for index in model.arms}
    widest = max((weapons.arc(battle, unit, slot) for slot in sorted(slots)[:1]), default=360)
    best: Floats = np.zeros(len(xs))
    for foe, worth in each:
        if widest < 360:
            x, y = outlook.spot(foe)
            course = np.degrees(np.arctan2(x - xs, ys - y))
            off = np.abs((course - headings + 180) % 360 - 180)
            worth = np.where(off <= widest / 2, worth, 0.25 * worth)
        np.maximum(best, worth, out=best)
    return best


def cramped(judge: Judge, unit: Unit, xs: Floats, ys: Floats, headings: Floats) -> Floats:
    """What it costs to stand with something before one that cannot be driven over: there is no room to turn (10.2)."""
    chart, column = judge.outlook.chart, judge.outlook.battle.type(unit).column
    ahead = np.array(AHEAD)
    angles = np.radians(headings)[:, None]
    x, y = xs[:, None] + np.sin(angles) * ahead, ys[:, None] - np.cos(angles) * ahead
    goal = judge.outlook.goal(unit)
    cost = CRAMPED * (1.0 + 0.5 * (goal.worth if goal is not None else 0.0))
    return np.where(chart.closed(x, y, column).any(axis=1), cost, 0.0)


def _faces(judge: Judge, unit: Unit, xs: Floats, ys: Floats, headings: Floats, rows: dict[str, Row]) -> Floats:
    """What it costs to show the enemy's anti-tank weapons the flank or the rear (19.2, 19.3)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    cost: Floats = np.zeros(len(xs))
    if not battle.type(unit).armoured:
        return cost
    value = valuing.worth(battle, unit)
    for foe in outlook.foes:
        row = rows[foe.id]
        x, y = outlook.spot(foe)
        course = np.degrees(np.arctan2(x - xs, ys - y))
        off = np.abs((course - headings + 180) % 360 - 180)
        flank = np.where(off <= 45, 0.0, np.where(off <= 135, 1.0, 1.7)) - 0.3
        for group in profile(battle, foe, unit, False):
            worse = group.out[1] - group.out[0]
            if worse > 0:
                cost += (
                    0.4 * value * worse * flank * row.seen * (row.far <= group.most) * group.chance[1, 0] * group.shots
                )
    return cost


def _backing(judge: Judge, unit: Unit, area: DriveArea, shoots: bool) -> Choice:
    """What it is worth to go back instead, looking the same way."""
    body = area.body
    half = area.trip.far / 2
    angle = math.radians(body.heading)
    poses = [
        Pose(round(body.x - math.sin(angle) * half * part), round(body.y + math.cos(angle) * half * part), body.heading)
        for part in (1.0, 0.5)
    ]
    table = judge.outlook.battle.table
    inside = [p for p in poses if 200 < p.x < table.width - 200 and 200 < p.y < table.height - 200]
    if not inside:
        return Choice("reverse", -9.0)
    best = max(_driven(judge, unit, inside, shoots), key=lambda choice: choice.worth)
    return Choice("reverse", best.worth - 0.12, best.why)
