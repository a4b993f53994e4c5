"""Setting up: cover, fields of fire and the way to what the battle is fought for."""

from __future__ import annotations

import math
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import shapely

from grognard.core.ask import Ask, Option
from grognard.core.poses import Pose, read_pose
from grognard.core.tactics import Clock
from grognard.kits.table.deployment import DeployArea
from grognard.kits.table.state import Unit
from grognard.kits.table.tactics.chart import Floats
from grognard.kits.table.tactics.choices import Choice, Why, best_first, by_weight
from grognard.kits.table.tactics.goals import Goal, stakes
from grognard.kits.table.tactics.outlook import Outlook

#: How many points are looked at closely, and how many poses in the zone are tried for room; so many are enough.
CLOSELY, TRIED, ENOUGH = 10, 60, 8
#: Where the enemy may come from: so many points of his zone.
LOOKOUTS = 5
#: Lengths in hundredths of an inch: how near friends crowd a unit, and one who leads them; how far he leads; how near
#: an objective one's own are at it; and over what length ground matters less about what counts.
ROOM, LEADERS_ROOM, LEADS, AT_IT, FADES = 500.0, 200.0, 700.0, 1300.0, 900.0

L = TypeVar("L", bound=Outlook[Any, Any, Any])
U = TypeVar("U", bound=Unit[Any])


class Habits(NamedTuple):
    """What counts for a unit when it is set up.

    ``suits`` is how much the way to objectives counts; whoever does not ``advance`` looks for nothing but cover and a
    field of fire, which counts ``sweeps`` over the ground between ``least`` and ``most`` from it.
    """

    cover: float = 0.6
    suits: float = 1.0
    advances: bool = True
    leads: bool = False
    sweeps: float = 0.3
    least: float = 0.0
    most: float = 0.0


class Setter(Generic[L, U]):
    """Weighs where a unit is set up."""

    def __init__(self, outlook: L, unit: U, habits: Habits, clock: Clock | None = None) -> None:
        self.outlook, self.unit, self.habits, self.clock = outlook, unit, habits, clock
        self.battle, self.chart = outlook.battle, outlook.chart
        self.inch = self.battle.table.inch / 100
        #: What a point is worth for each reason, when it has been found out.
        self.parts: dict[str, Floats] = {}

    # ---- what the game may say ----

    def where(self, option: Option) -> tuple[float, float, str] | None:
        """Where an option puts the unit, and in what: "pose", "aboard" or the game's word for what it is inside of."""
        if (read := read_pose(option.key)) is not None:
            return read[1].x, read[1].y, "pose"
        if option.verb == "aboard":
            return *self.outlook.spot(self.battle.unit(option.target)), "aboard"
        return None

    def within(self, how: str) -> float:
        """What it is worth to begin in something."""
        return -5.0 if how == "aboard" else 0.0

    # ---- the choice ----

    def choose(self, ask: Ask) -> list[Choice]:
        """The places for the unit, the best first."""
        area = ask.area
        where = {option.key: place for option in ask.options if (place := self.where(option)) is not None}
        worth = self.rough()
        if isinstance(area, DeployArea):
            for pose in self._in_zone(area, worth):
                where.setdefault(pose.key(), (pose.x, pose.y, "pose"))
        ranked = sorted(where, key=lambda key: -self._at(worth, *where[key]))
        found: list[Choice] = []
        for key in ranked[:CLOSELY]:
            if found and self.clock is not None and self.clock.late:
                break
            found.append(self._closely(key, worth, *where[key]))
        return best_first(found)

    def _at(self, worth: Floats, x: float, y: float, how: str) -> float:
        return float(worth[self.chart.nearest(x, y)]) + self.within(how)

    def rough(self) -> Floats:
        """What every point is worth, but for fields of fire."""
        self.parts = {"goals": self._goals(), "cover": self._cover(), "friends": self._friends()}
        if self.outlook.foes:
            self.parts["danger"] = -0.6 * self.outlook.danger(self.unit)
            self.parts["targets"] = 0.6 * self.outlook.shots(self.unit, False)[0]
        found: Floats = np.sum(list(self.parts.values()), axis=0)
        return found

    def _cover(self) -> Floats:
        """What it is worth to be hard to see from where the enemy may look."""
        cover: Floats = np.zeros(len(self.chart.x))
        for x, y in self._lookouts():
            row = self.chart.row(x, y)
            cover += np.where(row.seen, row.cover_there * 0.5, 1.0) / LOOKOUTS
        return self.habits.cover * cover

    def _friends(self) -> Floats:
        """What the neighbourhood of friends is worth: a leader's to those whom he leads, else room."""
        chart, leads = self.chart, self.habits.leads
        found: Floats = np.zeros(len(chart.x))
        room = (LEADERS_ROOM if leads else ROOM) * self.inch
        for friend in self.battle.units(self.unit.side):
            x, y = self.outlook.spot(friend)
            away = np.hypot(chart.x - x, chart.y - y)
            found -= np.where(away < room, 0.25, 0.0)
            if leads:
                found += np.where(away < LEADS * self.inch, 0.12, 0.0)
        return found

    def _goals(self) -> Floats:
        """The way to objectives, to each the less the more of one's own are near it, or to the way out."""
        chart, outlook, unit = self.chart, self.outlook, self.unit
        found: Floats = np.zeros(len(chart.x))
        if (way := outlook.exit_of(unit)) is not None:
            goal = Goal("", float(way[1] * (1 + len(self.battle.passengers(unit)))), found, way[0])
            found += outlook.way_out(unit, goal, outlook.left)
        if not self.habits.advances:
            return found
        best: Floats = np.full(len(chart.x), -np.inf)
        for stake in stakes(self.battle.scenario, unit.side):
            if not stake.both:
                continue
            objective = stake.objective
            near = sum(
                math.hypot(outlook.spot(own)[0] - objective.x, outlook.spot(own)[1] - objective.y) < AT_IT * self.inch
                for own in self.battle.units(unit.side)
                if outlook.holds(own)
            )
            turns = np.minimum(chart.turns_near(objective.id, objective.x, objective.y, outlook.column(unit)), 8.0)
            crowd = 0.75 ** (near / max(stake.both / 2, 1.0))
            best = np.maximum(best, 0.35 * stake.both * crowd * 0.72**turns - 0.08 * turns)
        if np.isfinite(best).any():
            found += self.habits.suits * best
        return found

    def _lookouts(self) -> list[tuple[float, float]]:
        """Where the enemy may look from: his zone, on the side toward us."""
        battle, enemy = self.battle, self.outlook.enemy
        zones = [shapely.Polygon(zone.points) for zone in battle.scenario.zones.get(enemy, ())]
        table = battle.table
        if not zones:
            return [(table.width * (step + 0.5) / LOOKOUTS, table.height / 2.0) for step in range(LOOKOUTS)]
        left, top, right, bottom = shapely.union_all(zones).bounds
        return [
            (left + (right - left) * (step + 0.5) / LOOKOUTS, top + (bottom - top) * (step + 0.5) / LOOKOUTS)
            if bottom - top > right - left
            else (left + (right - left) * (step + 0.5) / LOOKOUTS, (top + bottom) / 2)
            for step in range(LOOKOUTS)
        ]

    def _matters(self) -> Floats:
        """How much every point matters: that about objectives, and the ground that the enemy comes over."""
        chart, battle, fades = self.chart, self.battle, FADES * self.inch
        found: Floats = np.full(len(chart.x), 0.15)
        for stake in stakes(battle.scenario, self.unit.side):
            away = np.hypot(chart.x - stake.objective.x, chart.y - stake.objective.y)
            found += stake.both * np.exp(-away / fades)
        for x, y in self._lookouts():
            found += 0.5 * np.exp(-np.hypot(chart.x - x, chart.y - y) / fades)
        return found

    def _in_zone(self, area: DeployArea, worth: Floats) -> list[Pose]:
        """Poses at good points of the net that have room."""
        chart = self.chart
        inside = shapely.contains_xy(area.zone, chart.x, chart.y)
        places = np.flatnonzero(inside & (chart.building[chart.where] < 0))
        found: list[Pose] = []
        for point in places[np.argsort(-worth[places], kind="stable")][:TRIED]:
            x, y = round(float(chart.x[point])), round(float(chart.y[point]))
            for form in area.names[:2]:
                pose = Pose(x, y, area.facing, form)
                if area.bar(pose) is None:
                    found.append(pose)
                    break
            if len(found) >= ENOUGH:
                break
        return found

    def _closely(self, key: str, worth: Floats, x: float, y: float, how: str) -> Choice:
        """The same with the field of fire, and why."""
        value, habits = self._at(worth, x, y, how), self.habits
        why: list[Why] = []
        point = self.chart.nearest(x, y)
        if habits.most and how != "aboard":
            row = self.chart.row(x, y)
            swept = row.seen & (row.far <= habits.most) & (row.far >= habits.least)
            matters = self._matters()
            part = float((matters * swept).sum() / max(matters.sum(), 1e-6))
            value += habits.sweeps * part
            why.append((f"covers {100 * part:.0f} % of the key ground", habits.sweeps * part))
        why += self._why(point, x, y, how)
        return Choice(key, value, by_weight(why), point)

    def _why(self, point: int, x: float, y: float, how: str) -> list[Why]:
        """What speaks for a point and against it, beside the field of fire."""
        cover = int(self.chart.cover[self.chart.cell(x, y)])
        way = self.outlook.exit_of(self.unit)
        words = {
            "goals": f"the {way[0]} edge is the way out" if way is not None else "on the way to the objectives",
            "cover": ("out of the enemy's sight at first", "in soft cover", "in hard cover")[cover],
            "friends": "with the units it leads" if self.parts["friends"][point] > 0 else "crowded by friends",
            "danger": "under the enemy's fire",
            "targets": "has targets",
        }
        found: list[Why] = [(words[name], float(part[point])) for name, part in self.parts.items()]
        found.append(("starts aboard" if how == "aboard" else f"starts in a {how}", self.within(how)))
        return [each for each in found if abs(each[1]) > self.outlook.taste.slight]
