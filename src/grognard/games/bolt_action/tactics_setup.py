"""Setting up (28.6): cover, fields of fire and the way to what the battle is fought for."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from grognard.core.ask import Ask
from grognard.core.poses import Pose, read_pose
from grognard.core.tactics import Clock
from grognard.games.bolt_action import valuing
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.deployment import DeployArea
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.tactics_goals import Goal
from grognard.games.bolt_action.tactics_ground import Chart, Floats
from grognard.games.bolt_action.tactics_orders import SLIGHT, by_weight
from grognard.games.bolt_action.tactics_outlook import Outlook
from grognard.games.bolt_action.tactics_shots import Choice, Why

#: In which order units are placed: what others look to comes last.
FIRST = {"artillery": 0, "team": 1, "infantry": 2, "hq": 3, "vehicle": 4}
#: What cover is worth to each kind: an officer or a medic is one shot away from a point for the enemy.
COVER = {"vehicle": 0.1, "team": 0.8, "hq": 1.4}
#: How many points are looked at closely, and how many poses in the zone are tried for room.
CLOSELY, TRIED = 10, 60
#: Where the enemy may come from: so many points of his zone.
LOOKOUTS = 5


def which(battle: BoltBattle, units: Sequence[Unit]) -> list[Choice]:
    """Which unit to place next."""
    found = []
    for unit in units:
        kind = battle.type(unit)
        worth = -float(FIRST.get(kind.kind, 2)) - unit.n / 1000
        found.append(Choice(f"unit {unit.id}", worth / 100, (("guns and teams first, what drives last", worth / 100),)))
    return sorted(found, key=lambda choice: -choice.worth)


class Setter:
    """Weighs where a unit is set up."""

    def __init__(self, outlook: Outlook, unit: Unit, clock: Clock | None = None) -> None:
        self.outlook, self.unit, self.clock = outlook, unit, clock
        self.battle: BoltBattle = outlook.battle
        self.chart: Chart = outlook.chart
        self.kind = self.battle.type(unit)
        #: What a point is worth for each reason, when it has been found out.
        self.parts: dict[str, Floats] = {}

    def choose(self, ask: Ask) -> list[Choice]:
        """The places for a unit, the best first."""
        area = ask.area
        where: dict[str, tuple[float, float, str]] = {}
        for option in ask.options:
            read = read_pose(option.key)
            if read is not None:
                where[option.key] = (read[1].x, read[1].y, "pose")
            elif option.verb == "building":
                middle = self.battle.table.area(self.battle.table.by_id[option.key.split()[1]]).centroid
                where[option.key] = (middle.x, middle.y, "building")
            elif option.verb == "aboard":
                x, y = self.outlook.spot(self.battle.unit(option.target))
                where[option.key] = (x, y, "aboard")
        worth = self._rough()
        if isinstance(area, DeployArea):
            for pose in self._in_zone(area, worth):
                where.setdefault(pose.key(), (pose.x, pose.y, "pose"))
        ranked = sorted(where, key=lambda key: -self._at(worth, *where[key]))
        found: list[Choice] = []
        for key in ranked[:CLOSELY]:
            if found and self.clock is not None and self.clock.late:
                break
            found.append(self._closely(key, worth, *where[key]))
        found.sort(key=lambda choice: -choice.worth)
        return found

    def _at(self, worth: Floats, x: float, y: float, how: str) -> float:
        return float(worth[self.chart.nearest(x, y)]) + self._within(how)

    def _within(self, how: str) -> float:
        """What it is worth to begin in something: a vehicle or a building."""
        if how == "building":
            return 0.4 if self.kind.kind in ("infantry", "team", "hq") and not self._indirect() else -1.0
        return -5.0 if how == "aboard" else 0.0

    def _indirect(self) -> bool:
        weapon = self.kind.main_weapon
        return weapon is not None and weapon.indirect

    def _rough(self) -> Floats:
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
        return COVER.get(self.kind.kind, 0.6) * cover

    def _friends(self) -> Floats:
        """What the neighbourhood of friends is worth: an officer's to those whom he leads, else room."""
        chart = self.chart
        found: Floats = np.zeros(len(chart.x))
        for friend in self.battle.units(self.unit.side):
            x, y = self.outlook.spot(friend)
            away = np.hypot(chart.x - x, chart.y - y)
            near = 500.0 if not self.kind.rank else 200.0
            found -= np.where(away < near, 0.25, 0.0)
            if self.kind.rank:
                found += np.where(away < 700, 0.12, 0.0)
        return found

    def _goals(self) -> Floats:
        """The way to objectives, to each the less the more of one's own are near it, or to the way out."""
        chart, battle, unit = self.chart, self.battle, self.unit
        found: Floats = np.zeros(len(chart.x))
        if (way := valuing.may_exit(battle, unit)) is not None:
            goal = Goal("", float(way[1] * (1 + len(battle.passengers(unit)))), found, way[0])
            found += self.outlook.way_out(unit, goal, self.outlook.left)
        if self.kind.artillery or self._indirect():
            return found
        best: Floats = np.full(len(chart.x), -np.inf)
        for stake in valuing.stakes(battle, unit.side):
            if not stake.both:
                continue
            objective = stake.objective
            near = sum(
                math.hypot(self.outlook.spot(u)[0] - objective.x, self.outlook.spot(u)[1] - objective.y) < 1300
                for u in battle.units(unit.side)
                if not battle.type(u).artillery
            )
            turns = np.minimum(chart.turns_near(objective.id, objective.x, objective.y, self.kind.column), 8.0)
            crowd = 0.75 ** (near / max(stake.both / 2, 1.0))
            best = np.maximum(best, 0.35 * stake.both * crowd * 0.72**turns - 0.08 * turns)
        suits = {"infantry": 1.0, "vehicle": 0.6, "hq": 0.6}.get(self.kind.kind, 0.35)
        if np.isfinite(best).any():
            found += suits * best
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
        chart, battle = self.chart, self.battle
        found: Floats = np.full(len(chart.x), 0.15)
        for stake in valuing.stakes(battle, self.unit.side):
            away = np.hypot(chart.x - stake.objective.x, chart.y - stake.objective.y)
            found += stake.both * np.exp(-away / 900.0)
        for x, y in self._lookouts():
            found += 0.5 * np.exp(-np.hypot(chart.x - x, chart.y - y) / 900.0)
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
            if len(found) >= 8:
                break
        return found

    def _closely(self, key: str, worth: Floats, x: float, y: float, how: str) -> Choice:
        """The same with the field of fire, and why."""
        value = self._at(worth, x, y, how)
        weapon = self.kind.main_weapon
        why: list[Why] = []
        point = self.chart.nearest(x, y)
        if weapon is not None and how != "aboard":
            row = self.chart.row(x, y)
            least = weapon.min_indirect if weapon.indirect else 0
            swept = row.seen & (row.far <= weapon.max) & (row.far >= least)
            matters = self._matters()
            part = float((matters * swept).sum() / max(matters.sum(), 1e-6))
            weight = {"artillery": 2.4, "team": 1.5, "vehicle": 0.6}.get(self.kind.kind, 0.3)
            value += weight * part
            why.append((f"commands {100 * part:.0f} % of the ground that matters", weight * part))
        why += self._why(point, x, y, how)
        return Choice(key, value, by_weight(why), point)

    def _why(self, point: int, x: float, y: float, how: str) -> list[Why]:
        """What speaks for a point and against it, beside the field of fire."""
        cover = int(self.chart.cover[self.chart.cell(x, y)])
        way = valuing.may_exit(self.battle, self.unit)
        words = {
            "goals": f"the {way[0]} edge is the way out" if way is not None else "on the way to what counts",
            "cover": ("where the enemy does not see it at once", "in soft cover", "in hard cover")[cover],
            "friends": "with those whom it leads" if self.parts["friends"][point] > 0 else "no room among friends",
            "danger": "under the enemy's fire",
            "targets": "has somebody to fire at",
        }
        found: list[Why] = [(words[name], float(part[point])) for name, part in self.parts.items()]
        found.append(("begins in a building" if how == "building" else "begins aboard", self._within(how)))
        return [each for each in found if abs(each[1]) > SLIGHT]
