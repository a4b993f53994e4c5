"""Where a unit goes: on foot in formation, into buildings and vehicles, off the table, and on from its edge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grognard.board.table.ways import Placed
from grognard.core.ask import Ask, Option
from grognard.core.poses import Area, Pose, read_pose
from grognard.games.bolt_action.areas import FootArea, TurnArea
from grognard.games.bolt_action.entry import DriveOn
from grognard.games.bolt_action.state import ADVANCE, GUN, RUN, Unit
from grognard.games.bolt_action.tactics.drives import drive, hull_at_goal, way_off
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge, within
from grognard.games.bolt_action.tactics.holding import inside_at
from grognard.games.bolt_action.tactics.shots import aims, best_assault, would_fire
from grognard.games.bolt_action.vehicles import DriveArea
from grognard.kits.table.good_poses import straight_to
from grognard.kits.table.state import ABOARD, ON_TABLE
from grognard.kits.table.tactics.choices import Choice, by_weight, ranked
from grognard.kits.table.tactics.goals import ALMOST
from grognard.kits.table.tactics.judge import Aim
from grognard.kits.table.tactics.moves import ROUND, Moves, closely, turn, weigh_poses


def choose(judge: BoltJudge, ask: Ask, unit: Unit) -> list[Choice]:
    """The places that a question offers a unit, the best first."""
    area = ask.area
    if isinstance(area, TurnArea):
        return turn(judge, unit, area)
    if isinstance(area, DriveArea):
        return drive(judge, ask, unit, area)
    if isinstance(area, FootArea):
        return March(judge, ask, unit, area).choose()
    return listed(judge, ask, unit, area)


class March(Moves[Unit]):
    """A move on foot: any pose within reach, a building, the way off the table, an assault, or none."""

    judge: BoltJudge
    area: FootArea

    def __init__(self, judge: BoltJudge, ask: Ask, unit: Unit, area: FootArea) -> None:
        shoots = unit.die == ADVANCE and unit.status != ABOARD and ask.rule != "21.10"  # it regroups
        super().__init__(judge, ask, unit, area, ADVANCE if shoots else RUN)

    def weigh(self) -> dict[str, Choice]:
        """With the best assault, where the Run may be one (21.2)."""
        found = super().weigh()
        unit, offered = self.unit, {option.key for option in self.ask.options}
        if unit.die == RUN and unit.status == ON_TABLE and any(o.verb == "assault" for o in self.ask.options):
            best = best_assault(self.outlook, unit)
            if best is not None and best.key in offered:
                found[best.key] = self.judge.fought(unit, best)
        return found

    def shot_from(self, pose: Pose) -> Aim | None:
        """With every man where the pose puts him."""
        return would_fire(self.outlook, self.unit, pose.x, pose.y, pose.heading, ends=self.area.ends(pose))

    def forms(self) -> list[str]:
        """No columns: they are for roads."""
        return [form for form in self.area.names if form != "column"][:2]

    def heading(self, x: int, y: int) -> int:
        """A gun is not turned while it is moved."""
        if any(model.role == GUN for model in self.unit.models):
            return self.unit.models[self.area.party[0]].heading
        return super().heading(x, y)

    def free(self, poses: Sequence[Pose]) -> list[Pose]:
        """Those that everybody can get to: straight, and for the best of them by any way."""
        area = self.area
        if any(isinstance(way, Placed) for way in area.ways):
            return [pose for pose in poses[:12] if area.bar(pose) is None]
        if not poses:
            return []
        found: list[Pose] = []
        for ways in area.ways:
            free = straight_to(area, poses, ways)
            found += [pose for pose, good in zip(poses, free) if good and area.bar_stand(pose, area.ends(pose)) is None]
        seen = {(pose.x, pose.y) for pose in found}
        tried = 0
        for pose in poses:
            if self.judge.late:
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

    def other(self, option: Option) -> Choice | None:
        """What a move offers beside poses."""
        judge, outlook, unit = self.judge, self.outlook, self.unit
        if option.verb == "stay":
            shot = next(iter(aims(outlook, unit, True)), None) if self.shoots else None
            worth = judge.stay(unit) + judge.worth_of(shot)
            return Choice(option.key, worth, (("stays", 0.0), *judge.taken(shot)))
        if option.verb == "close_up":
            return Choice(option.key, judge.stay(unit) + 0.3, (("it is out of formation", 0.3),))
        if option.verb == "exit":
            return way_off(judge, unit, option)
        if option.verb == "enter":
            return self._enter(option)
        if option.verb == "board":
            carrier = outlook.battle.unit(option.target)
            goal = outlook.goal(carrier)
            if goal is None or not goal.exit:
                return None
            worth = outlook.ride(carrier, 1)
            return Choice(option.key, worth, ((f"rides to {goal.name}", worth),))
        return None

    def _enter(self, option: Option) -> Choice:
        """To go into a building, and what can be fired at from there."""
        judge, outlook, unit = self.judge, self.outlook, self.unit
        table = outlook.battle.table
        middle = table.area(table.by_id[option.target]).centroid
        point = outlook.chart.nearest(middle.x, middle.y)
        worth, there = float(outlook.places(unit)[point]), None
        if (goal := outlook.goal(unit)) is not None and goal.at is not None:
            there = inside_at(outlook.battle, unit, option.target, goal.at)
            turns = np.array([0.0 if there else max(float(goal.turns[point]), ALMOST)])
            worth += float(outlook.aim_from(unit, goal, turns)[0]) - float(outlook.aim(unit)[point])
        shot = would_fire(outlook, unit, middle.x, middle.y, building=option.target) if self.shoots else None
        worth += judge.worth_of(shot)
        why = (*judge.why_there(unit, RUN, point, there), *judge.taken(shot))
        return Choice(option.key, worth, by_weight(why), point)


# ---- coming on, and the rest ---------------------------------------------------------------------------------


def listed(judge: BoltJudge, ask: Ask, unit: Unit, area: Area | None) -> list[Choice]:
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
    poses = list(dict.fromkeys(poses))
    for choice in weigh_poses(judge, unit, poses, shoots, hull_at_goal(judge, unit, poses)):
        found.setdefault(choice.key, choice)
    if shoots:
        known = {key: read[1] for key in found if (read := read_pose(key)) is not None}
        found |= closely(
            judge, found, known, lambda pose: would_fire(judge.outlook, unit, pose.x, pose.y, pose.heading)
        )
    return ranked(found.values())
