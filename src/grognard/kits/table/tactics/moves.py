"""Where a unit goes: poses that are worth most, of those that the question lists and of any that its area takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from grognard.board.table.bodies import bearing
from grognard.board.table.placement import FormationArea, TurnArea
from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose, read_pose
from grognard.kits.table.state import Unit
from grognard.kits.table.tactics.chart import Bools, Floats
from grognard.kits.table.tactics.choices import Choice, Why, by_weight, ranked
from grognard.kits.table.tactics.holding import places_about, would_stand_at
from grognard.kits.table.tactics.judge import Aim, Judge
from grognard.kits.table.tactics.outlook import Parts

U = TypeVar("U", bound=Unit[Any])
AnyJudge = Judge[Any, Any]

#: How many points of the net are tried for a move, and how many of those to which no straight way leads.
TRIED, ROUND = 30, 4
#: How many poses are looked at closely for the shots from them.
CLOSELY = 5
#: How far from a place that is fought for points about it are looked for, in hundredths of an inch.
RINGS = (100.0, 230.0, 330.0, 430.0)


class Shots(NamedTuple):
    """What the best shot from each of some places is worth by the chart, and that at each enemy."""

    best: Floats
    each: list[tuple[Any, Floats]]


def spots(poses: Sequence[Pose]) -> tuple[Floats, Floats]:
    """Where poses are."""
    return np.array([float(pose.x) for pose in poses]), np.array([float(pose.y) for pose in poses])


def look(judge: AnyJudge, unit: Any, x: float, y: float) -> int:
    """Which way to look from a point: at the nearest enemy."""
    foes = [judge.outlook.spot(foe) for foe in judge.outlook.foes]
    if not foes:
        return int(unit.models[0].heading) if unit.models else 0
    near = min(foes, key=lambda spot: math.hypot(spot[0] - x, spot[1] - y))
    return round(bearing(x, y, *near)) % 360


def weighed(
    judge: AnyJudge,
    unit: Any,
    poses: Sequence[Pose],
    parts: Parts,
    shots: Shots | None = None,
    more: Sequence[tuple[str, Floats]] = (),
) -> list[Choice]:
    """Poses with their worth and why, each from its own point: the place, ``more`` of it, and the shot from there."""
    outlook, taste = judge.outlook, judge.outlook.taste
    worth = parts.worth + sum((each for _, each in more), np.zeros(len(poses)))
    if shots is not None:
        worth = worth + taste.chart_shot * shots.best
    found = []
    for number, (pose, value) in enumerate(zip(poses, worth.tolist())):
        why = judge.tell(unit, parts, number)
        why += [(text, float(each[number])) for text, each in more if abs(float(each[number])) > taste.slight]
        guessed = judge.by_chart(shots.each, number) if shots is not None else []
        point = outlook.chart.nearest(pose.x, pose.y)
        found.append(Choice(pose.key(), value, by_weight([*why, *guessed]), point, tuple(guessed)))
    return found


def weigh_poses(
    judge: AnyJudge, unit: Any, poses: Sequence[Pose], shoots: bool, there: Bools | None = None
) -> list[Choice]:
    """Poses with their worth and why, each at its own point; ``there`` tells at which it is known to be at its goal."""
    if not poses:
        return []
    xs, ys = spots(poses)
    parts = judge.outlook.parts_at(unit, xs, ys, there)
    shots = Shots(*judge.outlook.shots_by(unit, True, parts.rows, xs, ys)) if shoots else None
    return weighed(judge, unit, poses, parts, shots)


def closely(
    judge: AnyJudge, found: dict[str, Choice], poses: Mapping[str, Pose], look_from: Callable[[Pose], Aim | None]
) -> dict[str, Choice]:
    """The choices that lead to poses again, the best with the shot that the unit would really have from them.

    Who has not looked does not say that it fires at anybody.
    """
    again: dict[str, Choice] = {}
    seen: dict[Pose, Aim | None] = {}
    order = sorted((choice for choice in found.values() if choice.key in poses), key=lambda choice: -choice.worth)
    for choice in order:
        pose = poses[choice.key]._replace(form="")
        if pose not in seen:
            if len(seen) >= CLOSELY or judge.late:
                continue
            seen[pose] = look_from(poses[choice.key])
        shot = seen[pose]
        worth = choice.worth - sum(worth for _, worth in choice.guessed) + judge.worth_of(shot)
        why = by_weight([*(each for each in choice.why if each not in choice.guessed), *judge.taken(shot)])
        again[choice.key] = choice._replace(worth=worth, why=why, guessed=())
    left = min((choice.worth for choice in again.values()), default=0.0)
    # What was not looked at closely is not preferred to what was.
    for choice in order:
        if choice.key not in again:
            worth = min(choice.worth, left)
            held_back = ("not looked at closely", worth - choice.worth)
            again[choice.key] = choice._replace(worth=worth, why=by_weight([*choice.why, held_back]))
    return again


class Moves(Generic[U]):
    """Weighs a move in formation: any pose that the area takes, and what the question offers beside.

    A game derives its own where more than places is offered, or where it can tell sooner which poses are free.
    """

    def __init__(self, judge: AnyJudge, ask: Ask, unit: U, area: FormationArea, how: str) -> None:
        self.judge, self.ask, self.unit, self.area, self.how = judge, ask, unit, area, how
        self.outlook = judge.outlook
        self.shoots = judge.shoots(unit, how)

    # ---- what the game may say ----

    def other(self, option: Option) -> Choice | None:
        """What is offered beside poses: to stay as one is, and nothing else."""
        if option.verb != "stay":
            return None
        return Choice(option.key, self.judge.stay(self.unit), (("stays", 0.0),))

    def shot_from(self, pose: Pose) -> Aim | None:
        """The shot that the unit would really have from a pose."""
        return None

    def forms(self) -> list[str]:
        """The forms that are tried."""
        return list(self.area.names[:2])

    def heading(self, x: int, y: int) -> int:
        """Which way to look from a point."""
        return look(self.judge, self.unit, x, y)

    def free(self, poses: Sequence[Pose]) -> list[Pose]:
        """Those of some poses that may be taken, the best of them; all are tried until a few are found."""
        found: list[Pose] = []
        for pose in poses:
            if len(found) >= ROUND or (found and self.judge.late):
                break
            if self.area.bar(pose) is None:
                found.append(pose)
        return found

    # ---- the moves ----

    def choose(self) -> list[Choice]:
        """The places that the question offers, the best first."""
        return ranked(self.weigh().values())

    def weigh(self) -> dict[str, Choice]:
        """What is offered, by key."""
        found: dict[str, Choice] = {}
        poses: list[Pose] = []
        for option in self.ask.options:
            read = read_pose(option.key)
            if read is not None:
                poses.append(read[1])
            elif (choice := self.other(option)) is not None:
                found[choice.key] = choice
        poses = list(dict.fromkeys(poses + self.free(self.wished())))
        for choice in weigh_poses(self.judge, self.unit, poses, self.shoots, self.at_goal(poses)):
            found.setdefault(choice.key, choice)
        if self.shoots:
            known = {key: read[1] for key in found if (read := read_pose(key)) is not None}
            found |= closely(self.judge, found, known, self.shot_from)
        return found

    def wished(self) -> list[Pose]:
        """Poses at the points of the net that are worth most, and about the goal."""
        chart = self.outlook.chart
        points = [(round(float(chart.x[point])), round(float(chart.y[point]))) for point in self.points()]
        found: list[Pose] = []
        for x, y in self.about_goal() + points:
            heading = self.heading(x, y)
            found += [Pose(x, y, heading, form) for form in self.forms()]
        return found

    def points(self) -> list[int]:
        """The points of the net within the move that are worth most, the best first."""
        return points_for(self.judge, self.unit, self.area, self.how)

    def about_goal(self) -> list[tuple[int, int]]:
        """Places about the goal of a unit that is not at it, where the move may reach that far."""
        goal = self.outlook.goal(self.unit)
        if goal is None or goal.at is None or self.outlook.stands_at(self.unit, goal.at):
            return []
        inch = self.outlook.battle.table.inch
        rings = [ring * inch / 100 for ring in RINGS]
        found: list[tuple[int, int]] = []
        for ways in self.area.ways:
            x, y = ways.starts.mean(axis=0)
            found += places_about(goal.at, (float(x), float(y)), ways.far, rings)
        return list(dict.fromkeys(found))

    def at_goal(self, poses: Sequence[Pose]) -> Bools | None:
        """At which poses the unit would be at its goal, by its very bases; None where that is not known."""
        goal = self.outlook.goal(self.unit)
        if goal is None or goal.at is None:
            return None
        return would_stand_at(self.area, poses, goal.at, self.outlook.chart.ground.reach, self.outlook.taste.far_out)


def points_for(judge: AnyJudge, unit: Any, area: FormationArea, how: str) -> list[int]:
    """The points of the net within a move that are worth most, the best first."""
    chart = judge.outlook.chart
    worth = judge.after(unit, how)
    near = np.zeros(len(chart.x), np.bool_)
    for ways in area.ways:
        x, y = ways.starts.mean(axis=0)
        near |= np.hypot(chart.x - x, chart.y - y) <= ways.far - 20
    near &= chart.building[chart.where] < 0
    straight = judge.leads_to(unit, how)
    found: list[int] = []
    # What no straight way leads to must not crowd out what one does.
    for places, most in ((np.flatnonzero(near & straight), TRIED), (np.flatnonzero(near & ~straight), ROUND)):
        found += places[np.argsort(-worth[places], kind="stable")][:most].tolist()
    return sorted(found, key=lambda point: -float(worth[point]))


def turn(judge: AnyJudge, unit: Any, area: TurnArea) -> list[Choice]:
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
                why: tuple[Why, ...] = ((f"faces {outlook.battle.name(foe)}", value),)
                found[pose.key()] = Choice(pose.key(), stay + value, why)
                break
    return ranked(found.values())
