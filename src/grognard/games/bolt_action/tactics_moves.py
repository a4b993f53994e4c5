"""Where a unit goes: poses that are worth most, of those that the question lists and of any that its area takes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.core.ask import Ask, Option
from grognard.core.poses import Area, Pose, read_pose
from grognard.games.bolt_action import candidates
from grognard.games.bolt_action.areas import FootArea, Placed, TurnArea
from grognard.games.bolt_action.entry import DriveOn
from grognard.games.bolt_action.state import ABOARD, ADVANCE, GUN, Unit
from grognard.games.bolt_action.tactics_drives import drive
from grognard.games.bolt_action.tactics_goals import ALMOST, aim_by
from grognard.games.bolt_action.tactics_holding import inside_at, places_about
from grognard.games.bolt_action.tactics_orders import SHOT_TAKEN, Judge, within
from grognard.games.bolt_action.tactics_poses import at_goal, look, ranked, way_off, weighed
from grognard.games.bolt_action.tactics_shots import Choice, Why, best_assault, would_fire
from grognard.games.bolt_action.vehicles import DriveArea

#: How many points of the net are tried for a move on foot, and how many of those to which no straight way leads.
TRIED, ROUND = 30, 4
#: How many poses are looked at closely for the shots from them.
CLOSELY = 5


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


def _weigh(judge: Judge, unit: Unit, poses: Sequence[Pose], shoots: bool, area: Area | None) -> list[Choice]:
    """Poses with their worth and why, each at its own point."""
    if not poses:
        return []
    outlook = judge.outlook
    xs, ys = np.array([float(p.x) for p in poses]), np.array([float(p.y) for p in poses])
    there = at_goal(judge, unit, area, poses)
    worth, _ = outlook.places_at(unit, xs, ys, shoots, there)
    return weighed(judge, unit, poses, worth, there, shoots)


def _closely(judge: Judge, unit: Unit, found: dict[str, Choice], area: Area) -> dict[str, Choice]:
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
        value = float(outlook.places_at(unit, xs, ys, False, at_goal(judge, unit, area, [pose]))[0][0])
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
    wanted = points_for(judge, unit, area, shoots)
    poses += _straight(judge, unit, area, wanted, placed)
    for choice in _weigh(judge, unit, list(dict.fromkeys(poses)), shoots, area):
        found.setdefault(choice.key, choice)
    if shoots and not unit.building:
        found |= _closely(judge, unit, found, area)
    if unit.die == "run" and unit.status == "table" and any(option.verb == "assault" for option in ask.options):
        offered = {option.key for option in ask.options}
        best = best_assault(outlook, unit)
        if best is not None and best.key in offered:
            found[best.key] = best._replace(worth=best.worth + judge.after_fight(unit, best))
    return ranked(found)


def points_for(judge: Judge, unit: Unit, area: FootArea, shoots: bool) -> list[int]:
    """The points of the net within a move that are worth most, the best first."""
    chart = judge.outlook.chart
    order = ADVANCE if shoots else "run"
    worth = judge.after(unit, order)
    near = np.zeros(len(chart.x), np.bool_)
    for ways in area.ways:
        x, y = ways.starts.mean(axis=0)
        near |= np.hypot(chart.x - x, chart.y - y) <= ways.far - 20
    near &= chart.building[chart.where] < 0
    straight = within(judge.outlook, unit, order)
    found: list[int] = []
    # What no straight way leads to must not crowd out what one does.
    for places, most in ((np.flatnonzero(near & straight), TRIED), (np.flatnonzero(near & ~straight), ROUND)):
        found += places[np.argsort(-worth[places], kind="stable")][:most].tolist()
    return sorted(found, key=lambda point: -float(worth[point]))


def _straight(judge: Judge, unit: Unit, area: FootArea, points: Sequence[int], placed: bool) -> list[Pose]:
    """Poses at points of the net that everybody can get to: straight, and for the best of them by any way."""
    chart = judge.outlook.chart
    own = unit.models[area.party[0]].heading
    gun = any(model.role == GUN for model in unit.models)
    wished: list[Pose] = []
    spots = [(round(float(chart.x[point])), round(float(chart.y[point]))) for point in points]
    for x, y in _about_goal(judge, unit, area) + spots:
        heading = own if gun else look(judge, unit, x, y)
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


def _about_goal(judge: Judge, unit: Unit, area: FootArea) -> list[tuple[int, int]]:
    """Places about the goal of a unit that is not at it, where the move may reach that far."""
    goal = judge.outlook.goal(unit)
    if goal is None or goal.at is None or judge.outlook.stands_at(unit, goal.at):
        return []
    found: list[tuple[int, int]] = []
    for ways in area.ways:
        x, y = ways.starts.mean(axis=0)
        found += places_about(goal.at, (float(x), float(y)), ways.far)
    return list(dict.fromkeys(found))


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
        return way_off(judge, unit, option)
    if option.verb == "enter":
        middle = battle.table.area(battle.table.by_id[option.target]).centroid
        point = outlook.chart.nearest(middle.x, middle.y)
        order = ADVANCE if shoots else "run"
        worth, there = float(judge.after(unit, order)[point]), None
        if (goal := outlook.goal(unit)) is not None and goal.at is not None:
            there = inside_at(battle, unit, option.target, goal.at)
            turns = np.array([0.0 if there else max(float(goal.turns[point]), ALMOST)])
            worth += float(aim_by(goal, turns, outlook.left)[0]) - float(outlook.aim(unit)[point])
        return Choice(option.key, worth, judge.why_there(unit, order, point, there), point)
    if option.verb == "board":
        carrier = battle.unit(option.target)
        goal = outlook.goal(carrier)
        if goal is None or not goal.exit:
            return None
        worth = outlook.ride(carrier, 1)
        return Choice(option.key, worth, ((f"rides to {goal.name}", worth),))
    return None


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
    return ranked(found)


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
    for choice in _weigh(judge, unit, list(dict.fromkeys(poses)), shoots, area):
        found.setdefault(choice.key, choice)
    return ranked(found)
