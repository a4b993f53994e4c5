"""Where a unit goes: poses that are worth most, of those that the question lists and of any that its area takes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Ask, Option
from grognard.core.poses import Area, Pose, read_pose
from grognard.games.bolt_action import candidates, valuing, weapons
from grognard.games.bolt_action.areas import FootArea, Placed, TurnArea
from grognard.games.bolt_action.entry import DriveOn
from grognard.games.bolt_action.state import ABOARD, ADVANCE, GUN, Unit
from grognard.games.bolt_action.tactics_fire import profile
from grognard.games.bolt_action.tactics_goals import aim_by
from grognard.games.bolt_action.tactics_ground import Floats, Row
from grognard.games.bolt_action.tactics_orders import SHOT_TAKEN, Judge, within
from grognard.games.bolt_action.tactics_shots import Choice, Why, best_assault, would_fire
from grognard.games.bolt_action.vehicles import DRIVE, FACE, DriveArea

#: How many points of the net are tried for a move on foot, and how many of those to which no straight way leads.
TRIED, ROUND = 30, 4
#: How many poses are looked at closely for the shots from them.
CLOSELY = 5
#: How many answers are told.
TOLD = 8
#: How far ahead of a vehicle there should be nothing in the way, in hundredths, and what it costs if there is.
AHEAD, CRAMPED = (150.0, 200.0, 250.0, 300.0, 350.0), 0.4
#: What a leg costs beside what it brings, so that nobody drives about for nothing.
LEG = 0.03


def choose(judge: Judge, ask: Ask, unit: Unit) -> list[Choice]:
    """The places that a question offers a unit, the best first."""
    area = ask.area
    if isinstance(area, TurnArea):
        return turn(judge, unit, area)
    if isinstance(area, DriveArea):
        return drive(judge, ask, unit, area)
    if isinstance(area, FootArea):
        return march(judge, ask, unit, area)
    return listed(judge, ask, unit, area)


def _ranked(found: dict[str, Choice]) -> list[Choice]:
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


def _look(judge: Judge, unit: Unit, x: float, y: float) -> int:
    """Which way to look from a point: at the nearest enemy."""
    foes = [judge.outlook.spot(foe) for foe in judge.outlook.foes]
    if not foes:
        return unit.models[0].heading if unit.models else 0
    near = min(foes, key=lambda spot: math.hypot(spot[0] - x, spot[1] - y))
    return round(bearing(x, y, *near)) % 360


def _weigh(judge: Judge, unit: Unit, poses: Sequence[Pose], shoots: bool) -> list[Choice]:
    """Poses with their worth and why, each at its own point."""
    if not poses:
        return []
    outlook = judge.outlook
    xs, ys = np.array([float(p.x) for p in poses]), np.array([float(p.y) for p in poses])
    worth, _ = outlook.places_at(unit, xs, ys, shoots)
    order = ADVANCE if shoots else "run"
    found = []
    for pose, value in zip(poses, worth.tolist()):
        point = outlook.chart.nearest(pose.x, pose.y)
        found.append(Choice(pose.key(), value, judge.why_there(unit, order, point), point))
    return found


def _closely(judge: Judge, unit: Unit, found: dict[str, Choice]) -> dict[str, Choice]:
    """The best poses again, with the shots that the unit would really have from them."""
    outlook = judge.outlook
    ranked = sorted((c for c in found.values() if c.key.startswith("pose")), key=lambda choice: -choice.worth)
    again: dict[str, Choice] = {}
    spots: set[tuple[int, int]] = set()
    for choice in ranked:
        read = read_pose(choice.key)
        if read is None or (read[1].x, read[1].y) in spots or len(spots) >= CLOSELY:
            continue
        if judge.clock is not None and judge.clock.late:
            break
        pose = read[1]
        spots.add((pose.x, pose.y))
        xs, ys = np.array([float(pose.x)]), np.array([float(pose.y)])
        value = float(outlook.places_at(unit, xs, ys, False)[0][0])
        turned = pose.heading if outlook.battle.type(unit).vehicle else None
        shot = would_fire(outlook, unit, pose.x, pose.y, turned)
        why = [each for each in choice.why if not each[0].startswith("fires at")]
        if shot is not None:
            value += SHOT_TAKEN * shot.worth
            why += shot.why[:1]
        again[choice.key] = choice._replace(worth=value, why=tuple(sorted(why, key=lambda each: -abs(each[1]))))
    left = min((choice.worth for choice in again.values()), default=0.0)
    # What was not looked at closely is not preferred to what was.
    for choice in ranked:
        if choice.key not in again:
            again[choice.key] = choice._replace(worth=min(choice.worth, left))
    return again


# ---- on foot -------------------------------------------------------------------------------------------------


def march(judge: Judge, ask: Ask, unit: Unit, area: FootArea) -> list[Choice]:
    """A move on foot: any pose within reach, a building, the way off the table, an assault, or none."""
    outlook = judge.outlook
    aboard = unit.status == ABOARD
    placed = any(isinstance(way, Placed) for way in area.ways)
    shoots = unit.die == ADVANCE and not aboard and "regroup" not in ask.prompt
    found: dict[str, Choice] = {}
    poses: list[Pose] = []
    for option in ask.options:
        read = read_pose(option.key)
        if read is not None:
            poses.append(read[1])
        elif (choice := _other(judge, unit, option, shoots)) is not None:
            found[choice.key] = choice
    wanted = _points(judge, unit, area, shoots)
    poses += _straight(judge, unit, area, wanted, placed)
    for choice in _weigh(judge, unit, list(dict.fromkeys(poses)), shoots):
        found.setdefault(choice.key, choice)
    if shoots and not unit.building:
        found |= _closely(judge, unit, found)
    if unit.die == "run" and unit.status == "table" and any(option.verb == "assault" for option in ask.options):
        offered = {option.key for option in ask.options}
        best = best_assault(outlook, unit)
        if best is not None and best.key in offered:
            there = float(outlook.places(unit)[best.point])
            found[best.key] = best._replace(worth=best.worth + 0.5 * (there + judge.stay(unit)))
    return _ranked(found)


def _points(judge: Judge, unit: Unit, area: FootArea, shoots: bool) -> list[int]:
    """The points of the net within a move that are worth most, the best first."""
    chart = judge.outlook.chart
    worth = judge.after(unit, ADVANCE if shoots else "run")
    near = np.zeros(len(chart.x), np.bool_)
    for ways in area.ways:
        x, y = ways.starts.mean(axis=0)
        near |= np.hypot(chart.x - x, chart.y - y) <= ways.far - 20
    near &= chart.building[chart.where] < 0
    places = np.flatnonzero(near)
    order = places[np.argsort(-worth[places], kind="stable")]
    return [int(point) for point in order[:TRIED]]


def _straight(judge: Judge, unit: Unit, area: FootArea, points: Sequence[int], placed: bool) -> list[Pose]:
    """Poses at points of the net that everybody can get to: straight, and for the best of them by any way."""
    chart = judge.outlook.chart
    own = unit.models[area.party[0]].heading
    gun = any(model.role == GUN for model in unit.models)
    wished: list[Pose] = []
    for point in points:
        x, y = round(float(chart.x[point])), round(float(chart.y[point]))
        heading = own if gun else _look(judge, unit, x, y)
        wished += [Pose(x, y, heading, form) for form in area.names if form != "column"][:2]
    if not wished:
        return []
    if placed:
        return [pose for pose in wished[:12] if area.bar(pose) is None]
    found: list[Pose] = []
    for ways in area.ways:
        free = candidates.straight_to(area, wished, ways)
        found += [pose for pose, good in zip(wished, free) if good and area.bar_stand(pose, area.ends(pose)) is None]
    seen = {(pose.x, pose.y) for pose in found}
    tried = 0
    for pose in wished:
        if judge.clock is not None and judge.clock.late:
            break
        if (pose.x, pose.y) in seen:
            if tried >= 1:
                break
            continue
        if tried >= ROUND:
            break
        tried += 1
        if area.bar(pose) is None:
            found.append(pose)
    return found


def _other(judge: Judge, unit: Unit, option: Option, shoots: bool) -> Choice | None:
    """What a move offers beside poses."""
    outlook, battle = judge.outlook, judge.outlook.battle
    if option.verb == "stay":
        worth = judge.stay(unit)
        if shoots:
            worth += 0.9 * float(outlook.shots(unit, True)[0][outlook.here(unit)])
        return Choice(option.key, worth, (("stays", 0.0),))
    if option.verb == "close_up":
        return Choice(option.key, judge.stay(unit) + 0.3, (("its chain is broken", 0.3),))
    if option.verb == "exit":
        way = valuing.may_exit(battle, unit)
        points = (way[1] if way else 0) * (1 + len(battle.passengers(unit))) + 1.5
        return Choice(option.key, judge.stay(unit) + points, (("off the table with its points", points),))
    if option.verb == "enter":
        middle = battle.table.area(battle.table.by_id[option.target]).centroid
        point = outlook.chart.nearest(middle.x, middle.y)
        worth = float(judge.after(unit, ADVANCE if shoots else "run")[point]) * 1.0
        return Choice(option.key, worth, judge.why_there(unit, ADVANCE if shoots else "run", point), point)
    if option.verb == "board":
        carrier = battle.unit(option.target)
        goal = outlook.goal(carrier)
        if goal is None or not goal.exit:
            return None
        alone = goal._replace(worth=goal.worth / (1 + len(battle.passengers(carrier))))
        worth = float(aim_by(alone, goal.turns[outlook.here(carrier)][None], outlook.left)[0])
        return Choice(option.key, worth, ((f"rides to {goal.name}", worth),))
    return None


# ---- by wheel ------------------------------------------------------------------------------------------------


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
        elif option.verb == "exit" and (choice := _other(judge, unit, option, shoots)) is not None:
            found[choice.key] = choice
        elif option.verb == "reverse":
            found[option.key] = _backing(judge, unit, area, shoots)
    poses += _legs(judge, unit, area)
    for choice in _driven(judge, unit, list(dict.fromkeys(poses)), shoots):
        found.setdefault(choice.key, choice._replace(worth=choice.worth - LEG))
    return _ranked(found)


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
                wished.append(Pose(x, y, _look(judge, unit, x, y), FACE))
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
    worth, rows = outlook.places_at(unit, xs, ys, False)
    if shoots:
        worth = worth + 0.9 * _laid_shots(judge, unit, xs, ys, headings, rows)
    worth = worth - _faces(judge, unit, xs, ys, headings, rows) - cramped(judge, unit, xs, ys, headings)
    order = ADVANCE if shoots else "run"
    found = []
    for pose, value in zip(poses, worth.tolist()):
        point = outlook.chart.nearest(pose.x, pose.y)
        found.append(Choice(pose.key(), value, judge.why_there(unit, order, point), point))
    return found


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


# ---- turning, coming on, and the rest ------------------------------------------------------------------------


def turn(judge: Judge, unit: Unit, area: TurnArea) -> list[Choice]:
    """A weapon that is turned on the spot: at the enemy that it can do most to."""
    outlook = judge.outlook
    here = outlook.here(unit)
    _, each = outlook.shots(unit, True)
    stay = judge.stay(unit)
    x, y = area.at
    found: dict[str, Choice] = {"stay": Choice("stay", stay, (("stays as it is", 0.0),))}
    for foe, worth in each:
        fx, fy = outlook.spot(foe)
        heading = round(bearing(x, y, fx, fy)) % 360
        value = float(worth[here])
        away = math.hypot(fx - x, fy - y)
        value = value if value > 0 else 0.02 * math.exp(-away / 2000)
        for swerve in (0, 20, -20, 40, -40):
            pose = Pose(x, y, (heading + swerve) % 360, area.start.form)
            if area.bar(pose) is None:
                why: tuple[Why, ...] = ((f"looks at {outlook.battle.say(foe)}", value),)
                found[pose.key()] = Choice(pose.key(), stay + value, why)
                break
    return _ranked(found)


def listed(judge: Judge, ask: Ask, unit: Unit, area: Area | None) -> list[Choice]:
    """Poses that a question lists, and a few of its area: for reserves that drive on, and for any other."""
    found: dict[str, Choice] = {}
    poses: list[Pose] = []
    shoots = unit.die == ADVANCE
    for option in ask.options:
        read = read_pose(option.key)
        if read is not None:
            poses.append(read[1])
        else:
            waits = judge.stay(unit) - (0.5 if isinstance(area, DriveOn) else 0.0)
            found[option.key] = Choice(option.key, waits, (("waits", 0.0),))
    if isinstance(area, DriveOn):
        chart = judge.outlook.chart
        worth = judge.after(unit, unit.die)
        places = np.flatnonzero(within(judge.outlook, unit, unit.die))
        for point in places[np.argsort(-worth[places], kind="stable")][:12]:
            pose = Pose(round(float(chart.x[point])), round(float(chart.y[point])), area.heading, "drive")
            if area.bar(pose) is None:
                poses.append(pose)
    for choice in _weigh(judge, unit, list(dict.fromkeys(poses)), shoots):
        found.setdefault(choice.key, choice)
    return _ranked(found)
