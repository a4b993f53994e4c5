"""Where a vehicle drives: legs on courses all round, with a look at which way it then faces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.board.table.bodies import bearing, onward
from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose, read_pose
from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.state import ADVANCE, Unit
from grognard.games.bolt_action.tactics import victory_values
from grognard.games.bolt_action.tactics.fire import profile
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge
from grognard.games.bolt_action.tactics.shots import would_fire
from grognard.games.bolt_action.vehicles import DRIVE, FACE, DriveArea
from grognard.kits.table.tactics.chart import Bools, Floats, Row
from grognard.kits.table.tactics.choices import Choice, ranked
from grognard.kits.table.tactics.holding import stand_at
from grognard.kits.table.tactics.moves import Shots, closely, look, spots, weighed
from grognard.kits.table.tactics.outlook import Parts

#: How far ahead of a vehicle there should be nothing in the way, in hundredths, and what it costs if there is.
AHEAD, CRAMPED = (150.0, 200.0, 250.0, 300.0, 350.0), 0.4
#: What a leg costs beside what it brings, so that nobody drives about for nothing.
LEG = 0.03
#: What it costs to go back, beside what it brings.
BACKWARDS = 0.12


def drive(judge: BoltJudge, ask: Ask, unit: Unit, area: DriveArea) -> list[Choice]:
    """A leg of a vehicle's move: any course that it can take, with a look at which way it then faces."""
    body = area.body
    shoots = unit.die == ADVANCE and ask.rule != "16.9"  # an escape
    found: dict[str, Choice] = {}
    known: dict[str, Pose] = {}
    poses: list[Pose] = []
    for option in ask.options:
        read = read_pose(option.key)
        if read is not None:
            poses.append(read[1])
        elif option.verb in ("stay", "done"):
            known[option.key] = Pose(body.x, body.y, body.heading, DRIVE)
            stay = _driven(judge, unit, [known[option.key]], shoots)[0]
            found[option.key] = stay._replace(key=option.key, worth=stay.worth + 0.01)
        elif option.verb == "exit":
            found[option.key] = way_off(judge, unit, option)
        elif option.verb == "reverse" and (back := _backing(judge, unit, area, shoots)) is not None:
            known[option.key] = back[1]
            found[option.key] = back[0]
    poses += _legs(judge, unit, area)
    for choice, pose in zip(_driven(judge, unit, poses := list(dict.fromkeys(poses)), shoots), poses):
        known.setdefault(choice.key, pose)
        found.setdefault(choice.key, choice._replace(worth=choice.worth - LEG))
    if shoots:
        found |= closely(
            judge, found, known, lambda pose: would_fire(judge.outlook, unit, pose.x, pose.y, pose.heading)
        )
    return ranked(found.values())


def hull_at_goal(judge: BoltJudge, unit: Unit, poses: Sequence[Pose]) -> Bools | None:
    """At which poses a hull would be at its goal; None where that is not known."""
    goal = judge.outlook.goal(unit)
    if goal is None or goal.at is None:
        return None
    hull, reach = judge.outlook.battle.hull(unit), judge.outlook.chart.ground.reach
    return np.array([stand_at([hull.at(pose.x, pose.y, pose.heading)], goal.at, reach) for pose in poses], np.bool_)


def way_off(judge: BoltJudge, unit: Unit, option: Option) -> Choice:
    """To leave the table with whoever is aboard (28.5)."""
    battle, outlook = judge.outlook.battle, judge.outlook
    way = outlook.exit_of(unit)
    points = (way[1] if way else 0) * (1 + len(battle.passengers(unit))) + outlook.taste.gone
    return Choice(option.key, judge.stay(unit) + points, (("leaves the table and scores its points", points),))


def _legs(judge: BoltJudge, unit: Unit, area: DriveArea) -> list[Pose]:
    """Legs on courses all round, whole and in part, and turns to the enemy where a pivot is left."""
    body, limits = area.body, area.drive.limits
    back = 180 if area.trip.reverse else 0
    wished: list[Pose] = []
    for course in list(area.drive.courses)[:: max(1, len(area.drive.courses) // 24)]:
        for part in (1.0, 0.8, 0.6, 0.3):
            far = float(limits[course]) * part
            if far < 60:
                continue
            x, y = onward(body.x, body.y, course, far)
            wished.append(Pose(x, y, (course + back) % 360, DRIVE))
            if area.trip.pivots > area.trip.turned and part == 1.0 and not back:
                wished.append(Pose(x, y, look(judge, unit, x, y), FACE))
    worth = _worth_of_legs(judge, unit, wished, unit.die == ADVANCE)
    order = sorted(range(len(wished)), key=lambda number: -float(worth[number]))
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


def _driven(judge: BoltJudge, unit: Unit, poses: Sequence[Pose], shoots: bool) -> list[Choice]:
    """Where legs lead, with what the way the hull then looks is worth."""
    if not poses:
        return []
    parts, shots, more = _looked_at(judge, unit, poses, shoots)
    return weighed(judge, unit, poses, parts, shots, more)


def _worth_of_legs(judge: BoltJudge, unit: Unit, poses: Sequence[Pose], shoots: bool) -> Floats:
    """What legs are worth, with nothing said."""
    if not poses:
        return np.zeros(0)
    parts, shots, more = _looked_at(judge, unit, poses, shoots)
    found = parts.worth + sum((each for _, each in more), np.zeros(len(poses)))
    return found if shots is None else found + judge.outlook.taste.chart_shot * shots.best


def _looked_at(
    judge: BoltJudge, unit: Unit, poses: Sequence[Pose], shoots: bool
) -> tuple[Parts, Shots | None, list[tuple[str, Floats]]]:
    """What legs lead to: the places, the shots from there, and what the way the hull then looks costs."""
    xs, ys = spots(poses)
    headings = np.array([float(pose.heading) for pose in poses])
    parts = judge.outlook.parts_at(unit, xs, ys, hull_at_goal(judge, unit, poses))
    shots = _laid_shots(judge, unit, xs, ys, headings, parts.rows) if shoots else None
    more = [
        ("the armour it shows to enemy guns", -_faces(judge, unit, xs, ys, headings, parts.rows)),
        ("no room ahead", -cramped(judge, unit, xs, ys, headings)),
    ]
    return parts, shots, more


def _laid_shots(judge: BoltJudge, unit: Unit, xs: Floats, ys: Floats, headings: Floats, rows: dict[str, Row]) -> Shots:
    """The best shot after a move, of weapons that bear from the way the hull looks."""
    outlook, battle = judge.outlook, judge.outlook.battle
    _, each = outlook.shots_by(unit, True, rows, xs, ys)
    slots = {index for model in unit.models for index in model.arms}
    widest = max((weapons.arc(battle, unit, slot) for slot in sorted(slots)[:1]), default=360)
    best: Floats = np.zeros(len(xs))
    found = []
    for foe, worth in each:
        if widest < 360:
            x, y = outlook.spot(foe)
            course = np.degrees(np.arctan2(x - xs, ys - y))
            off = np.abs((course - headings + 180) % 360 - 180)
            worth = np.where(off <= widest / 2, worth, 0.25 * worth)
        np.maximum(best, worth, out=best)
        found.append((foe, worth))
    return Shots(best, found)


def cramped(judge: BoltJudge, unit: Unit, xs: Floats, ys: Floats, headings: Floats) -> Floats:
    """What it costs to stand with something before one that cannot be driven over: there isn't room to turn (10.2)."""
    chart, column = judge.outlook.chart, judge.outlook.battle.type(unit).column
    ahead = np.array(AHEAD)
    angles = np.radians(headings)[:, None]
    x, y = xs[:, None] + np.sin(angles) * ahead, ys[:, None] - np.cos(angles) * ahead
    goal = judge.outlook.goal(unit)
    cost = CRAMPED * (1.0 + 0.5 * (goal.worth if goal is not None else 0.0))
    return np.where(chart.closed(x, y, column).any(axis=1), cost, 0.0)


def _faces(judge: BoltJudge, unit: Unit, xs: Floats, ys: Floats, headings: Floats, rows: dict[str, Row]) -> Floats:
    """What it costs to show the enemy's anti-tank weapons the flank or the rear (19.2, 19.3)."""
    outlook, battle = judge.outlook, judge.outlook.battle
    cost: Floats = np.zeros(len(xs))
    if not battle.type(unit).armoured:
        return cost
    value = victory_values.worth(battle, unit)
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


def _backing(judge: BoltJudge, unit: Unit, area: DriveArea, shoots: bool) -> tuple[Choice, Pose] | None:
    """What it is worth to go back instead, looking the same way, and to where; None if there isn't room for it."""
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
        return None
    best, pose = max(zip(_driven(judge, unit, inside, shoots), inside), key=lambda each: each[0].worth)
    why = (*best.why, ("reversing is slow", -BACKWARDS))
    return Choice("reverse", best.worth - BACKWARDS, why, guessed=best.guessed), pose
