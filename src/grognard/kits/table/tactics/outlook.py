"""How the battle looks to a side at a moment: where it is dangerous, where it can shoot, and where it wants to be."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from grognard.kits.table.state import ON_TABLE
from grognard.kits.table.tactics.chart import Bools, Chart, Floats, Row
from grognard.kits.table.tactics.goals import ALMOST, THERE_WITHIN, Goal, aim_by, assign
from grognard.kits.table.tactics.taste import Taste
from grognard.kits.table.tactics.threats import B, P, Threats, U
from grognard.kits.table.tactics.way_out import Pace, deadly, prospects, risks


class Parts(NamedTuple):
    """What some places are worth to a unit, part by part: for its goal's sake, what danger takes of that, the shots of
    the next turn, and the neighbourhood. ``turns`` are those from there to the goal, ``rows`` who sees what there."""

    aim: Floats
    risked: Floats
    later: Floats
    neighbours: Floats
    turns: Floats
    rows: dict[str, Row]

    @property
    def worth(self) -> Floats:
        """All of it."""
        return self.aim + self.risked + self.later + self.neighbours


class Outlook(Threats[B, U, P]):
    """A side's view of the battle: what threatens, what can be shot at, and what it is after."""

    def __init__(self, battle: B, side: str, chart: Chart, taste: Taste) -> None:
        super().__init__(battle, side, chart, taste)
        self._from_foes: Floats | None = None
        self._places: dict[str, Floats] = {}
        self._parts: dict[str, Parts] = {}
        self._posts: dict[str, float] = {}
        self._goals: dict[str, Goal | None] | None = None
        self._ways_out: dict[str, list[Floats]] = {}
        self._risks: dict[str, Floats] = {}
        self._to_leave = any(self.exit_of(unit) is not None for unit in self.own)

    # ---- what the game says ----

    @abstractmethod
    def column(self, unit: U) -> str:
        """The column of the chart of terrain that a unit is judged by: a word of `ChartGround.goings`."""

    def strength(self, unit: U) -> float:
        """How much a unit counts in a fight for a place; 1 is a whole squad."""
        return 1.0

    def suits(self, unit: U) -> float:
        """How well a unit is suited to take and hold a place, from 0 to 1."""
        return 1.0

    def exit_of(self, unit: U) -> tuple[str, int] | None:
        """The edge over which a unit scores by leaving, and how much; None where there is none."""
        return None

    def scored(self, unit: U) -> float:
        """What it counts that the enemy scores a unit which is destroyed on its way out."""
        return 0.0

    def can_move(self, unit: U) -> bool:
        """Whether a unit will ever move again."""
        return True

    def pace(self, unit: U) -> Pace:
        """How a unit goes on its way out."""
        going = self.chart.ground.goings[self.column(unit)]
        return Pace(self.column(unit), going.free, going.rough, going.road)

    def neighbours(self, unit: U) -> Floats:
        """What the neighbourhood is worth to a unit at every point: whoever is after nothing else seeks the enemy."""
        return self.toward_foes() if self.goal(unit) is None else np.zeros(len(self.chart.x))

    # ---- what units are worth ----

    def value(self, unit: U) -> float:
        """What a unit is worth now: an enemy more who bars the way out."""
        found = self._values.get(unit.id)
        if found is None:
            found = super().value(unit)
            if self._to_leave and unit.side == self.enemy and unit.status == ON_TABLE:
                found += self._bars(unit)
            self._values[unit.id] = found
        return found

    def _bars(self, foe: U) -> float:
        """What an enemy costs those who have to pass him on their way out, by what he can do to them on it."""
        found = 0.0
        for unit in self.own:
            goal = self.goal(unit) if unit.status == ON_TABLE else None
            if goal is None or not goal.exit:
                continue
            ahead = goal.turns < goal.turns[self.here(unit)]
            if ahead.any():
                field = self.fire_field(foe, unit, False, at_target=True)
                found += float(field[ahead].mean()) * (goal.worth + self.scored(unit)) / self.value(unit)
        return found

    # ---- goals ----

    def goal(self, unit: U) -> Goal | None:
        """What a unit is after; None if nothing but the enemy."""
        if self._goals is None:
            self._goals = assign(self)
        return self._goals.get(unit.id)

    def at_goal(self, unit: U, point: int) -> bool:
        """Whether a point is at what a unit is after."""
        goal = self.goal(unit)
        return goal is not None and float(goal.turns[point]) <= THERE_WITHIN

    def aim(self, unit: U) -> Floats:
        """What it is worth to a unit to be at every point for its goal's sake."""
        goal = self.goal(unit)
        if goal is None:
            return np.zeros(len(self.chart.x))
        if goal.exit:
            return self.way_out(unit, goal, self.left - 1)
        return self.aim_from(unit, goal, goal.turns)

    def aim_from(self, unit: U, goal: Goal, turns: Floats) -> Floats:
        """What an objective is worth to a unit so many turns from it: less where it would leave it to get there."""
        found = aim_by(goal, turns, self.left, self.taste)
        post = self.post(unit, goal)
        return found - np.where(turns > THERE_WITHIN, post, 0.0) if post else found

    def post(self, unit: U, goal: Goal) -> float:
        """What it costs a unit to leave an objective that it alone holds for its side, out of sight or in cover."""
        found = self._posts.get(unit.id)
        if found is None:
            found, at = 0.0, goal.at
            if at is not None and unit.status == ON_TABLE and self.stands_at(unit, at):
                alone = not any(self.stands_at(own, at) for own in self.own if own is not unit)
                found = self.taste.post * goal.worth if alone and self.covered(unit) else 0.0
            self._posts[unit.id] = found
        return found

    def covered(self, unit: U) -> bool:
        """Whether nobody sees a unit where it stands but through cover."""
        here = self.here(unit)
        rows = [self.row(foe) for foe in self.foes]
        return all(not row.seen[here] or row.cover_there[here] for row in rows)

    def way_out(self, unit: U, goal: Goal, moves: float) -> Floats:
        """What every point is worth to a unit that is to leave the table with so many moves still to make."""
        found = self._ways_out.get(unit.id)
        if found is None:
            found = self._ways_out[unit.id] = prospects(self, unit, goal, math.ceil(self.left))
        whole = min(int(max(moves, 0.0)), len(found) - 1)
        more = min(whole + 1, len(found) - 1)
        part = max(moves, 0.0) - whole
        return found[whole] if not part else (1 - part) * found[whole] + part * found[more]

    def aboard(self, unit: U) -> float:
        """What it is worth to a unit to be carried on, where its vehicle takes it to its goal."""
        return self.ride(self.battle.unit(unit.aboard), 0)

    def ride(self, carrier: U, more: int) -> float:
        """What it is worth to one of those aboard a vehicle to be taken to its goal, with so ``more`` of them."""
        goal = self.goal(carrier)
        if goal is None or not goal.exit or not self.can_move(carrier) or carrier.status != ON_TABLE:
            return 0.0
        return float(self.places(carrier)[self.here(carrier)]) / (1 + len(self.battle.passengers(carrier)) + more)

    # ---- all together ----

    def places(self, unit: U) -> Floats:
        """What a unit's place is worth at every point: its goal, its danger, and the shots of the next turn."""
        found = self._places.get(unit.id)
        if found is None:
            found = self._places[unit.id] = self.parts(unit).worth
        return found

    def parts(self, unit: U) -> Parts:
        """The same part by part."""
        found = self._parts.get(unit.id)
        if found is None:
            aim, goal = self.aim(unit), self.goal(unit)
            risked = self._risked(unit, aim, self.danger(unit), self.risk(unit)) - aim
            found = self._parts[unit.id] = Parts(
                aim,
                risked,
                self.next_shots(unit),
                self.neighbours(unit),
                np.full(len(aim), np.inf) if goal is None else goal.turns,
                {foe.id: self.row(foe) for foe in self.foes},
            )
        return found

    def next_shots(self, unit: U) -> Floats:
        """What the best shot of the next turn counts at every point."""
        return self._next(self.shots(unit, False)[0])

    def _next(self, shots: Floats) -> Floats:
        """What shots of the next turn count now: nothing where none is to come."""
        found: Floats = self.taste.next_shot * shots * min(max(self.left - 1, 0.0), 1.0)
        return found

    def parts_at(self, unit: U, xs: Floats, ys: Floats, there: Bools | None = None) -> Parts:
        """The same for any points; ``there`` tells at which of them the unit would be at its goal, where that is known
        exactly."""
        rows = self.rows_to(xs, ys)
        net = np.array([self.chart.nearest(x, y) for x, y in zip(xs, ys)], dtype=np.int64)
        goal = self.goal(unit)
        aim, turns = self.aim(unit)[net], np.full(len(xs), np.inf) if goal is None else goal.turns[net]
        if goal is not None and goal.at is not None:
            if there is None:
                there = np.hypot(xs - goal.at[0], ys - goal.at[1]) <= self.chart.ground.reach - 20
            turns = np.where(there, 0.0, np.maximum(turns, ALMOST))
            aim = self.aim_from(unit, goal, turns)
        best, _ = self.shots_by(unit, False, rows, xs, ys)
        risked = self._risked(unit, aim, self.danger_by(unit, rows, len(xs)), self.risk(unit)[net]) - aim
        return Parts(aim, risked, self._next(best), self.neighbours(unit)[net], turns, rows)

    def risk(self, unit: U) -> Floats:
        """The chance of a unit on its way out to be lost at every point before it moves again; 0 for any other."""
        found = self._risks.get(unit.id)
        if found is None:
            goal = self.goal(unit)
            found = np.zeros(len(self.chart.x))
            if goal is not None and goal.exit:
                found = risks(self.chart, self.danger(unit), self.value(unit), self.taste)
            self._risks[unit.id] = found
        return found

    def _risked(self, unit: U, aim: Floats, danger: Floats, least: Floats) -> Floats:
        """What places are worth for a goal's sake less their danger: who does not live through it does not get out."""
        goal = self.goal(unit)
        if goal is None or not goal.exit:
            return aim - danger
        risk = np.maximum(deadly(danger, self.value(unit), self.taste), least)
        found: Floats = aim * (1 - risk) - risk * self.scored(unit)
        return found

    def toward_foes(self) -> Floats:
        """What it costs at every point to be far from the enemy."""
        if self._from_foes is None:
            self._from_foes = np.zeros(len(self.chart.x))
            if self.foes:
                away = np.min([self.row(foe).far for foe in self.foes], axis=0)
                self._from_foes = np.maximum(away - self.taste.apart, 0.0) / 100.0 * self.taste.closes_in
        return -self._from_foes
