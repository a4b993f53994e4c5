"""How the battle looks to a side at a moment: where it is dangerous, where it can shoot, and where it wants to be."""

from __future__ import annotations

import math

import numpy as np

from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ON_TABLE, Unit
from grognard.games.bolt_action.tactics_goals import ALMOST, THERE_WITHIN, Goal, aim_by, assign
from grognard.games.bolt_action.tactics_ground import Bools, Floats, Row, objective_reach
from grognard.games.bolt_action.tactics_threats import Threats
from grognard.games.bolt_action.tactics_way_out import deadly, prospects, risks, scored

#: How much a shot of the next turn counts now.
NEXT_SHOT = 0.5


class Outlook(Threats):
    """A side's view of the battle: what threatens, what can be shot at, and what it is after."""

    def __init__(self, battle: BoltBattle, side: str) -> None:
        super().__init__(battle, side)
        self._from_foes: Floats | None = None
        self._places: dict[str, Floats] = {}
        self._goals: dict[str, Goal | None] | None = None
        self._ways_out: dict[str, list[Floats]] = {}
        self._risks: dict[str, Floats] = {}
        self._to_leave = any(way.side == side for way in battle.scenario.victory.exits)

    # ---- what units are worth ----

    def value(self, unit: Unit) -> float:
        """What a unit is worth now: an enemy more who bars the way out."""
        found = self._values.get(unit.id)
        if found is None:
            found = super().value(unit)
            if self._to_leave and unit.side == self.enemy and unit.status == ON_TABLE:
                found += self._bars(unit)
            self._values[unit.id] = found
        return found

    def _bars(self, foe: Unit) -> float:
        """What an enemy costs those who have to pass him on their way out, by what he can do to them on it."""
        found = 0.0
        for unit in self.own:
            goal = self.goal(unit) if unit.status == ON_TABLE else None
            if goal is None or not goal.exit:
                continue
            ahead = goal.turns < goal.turns[self.here(unit)]
            if ahead.any():
                field = self._fire_field(foe, unit, False, at_target=True)
                found += float(field[ahead].mean()) * (goal.worth + scored(self, unit)) / self.value(unit)
        return found

    # ---- goals ----

    def goal(self, unit: Unit) -> Goal | None:
        """What a unit is after; None if nothing but the enemy."""
        if self._goals is None:
            self._goals = assign(self)
        return self._goals.get(unit.id)

    def at_goal(self, unit: Unit, point: int) -> bool:
        """Whether a point is at what a unit is after."""
        goal = self.goal(unit)
        return goal is not None and float(goal.turns[point]) <= THERE_WITHIN

    def aim(self, unit: Unit) -> Floats:
        """What it is worth to a unit to be at every point for its goal's sake."""
        goal = self.goal(unit)
        if goal is None:
            return np.zeros(len(self.chart.x))
        return self.way_out(unit, goal, self.left - 1) if goal.exit else aim_by(goal, goal.turns, self.left)

    def way_out(self, unit: Unit, goal: Goal, moves: float) -> Floats:
        """What every point is worth to a unit that is to leave the table with so many moves still to make."""
        found = self._ways_out.get(unit.id)
        if found is None:
            found = self._ways_out[unit.id] = prospects(self, unit, goal, math.ceil(self.left))
        whole = min(int(max(moves, 0.0)), len(found) - 1)
        more = min(whole + 1, len(found) - 1)
        part = max(moves, 0.0) - whole
        return found[whole] if not part else (1 - part) * found[whole] + part * found[more]

    def aboard(self, unit: Unit) -> float:
        """What it is worth to a unit to be carried on, where its vehicle takes it to its goal."""
        return self.ride(self.battle.unit(unit.aboard), 0)

    def ride(self, carrier: Unit, more: int) -> float:
        """What it is worth to one of those aboard a vehicle to be taken to its goal, with so ``more`` of them."""
        goal = self.goal(carrier)
        if goal is None or not goal.exit or carrier.immobilised or carrier.status != ON_TABLE:
            return 0.0
        return float(self.places(carrier)[self.here(carrier)]) / (1 + len(self.battle.passengers(carrier)) + more)

    # ---- all together ----

    def places(self, unit: Unit) -> Floats:
        """What a unit's place is worth at every point: its goal, its danger, and the shots of the next turn."""
        found = self._places.get(unit.id)
        if found is None:
            here = self._risked(unit, self.aim(unit), self.danger(unit), self.risk(unit))
            here = here + self.next_shots(unit)
            found = self._places[unit.id] = here + self._company(unit)
        return found

    def next_shots(self, unit: Unit) -> Floats:
        """What the best shot of the next turn counts at every point."""
        return self._next(self.shots(unit, False)[0])

    def _next(self, shots: Floats) -> Floats:
        """What shots of the next turn count now: nothing where none is to come."""
        found: Floats = NEXT_SHOT * shots * min(max(self.left - 1, 0.0), 1.0)
        return found

    def places_at(
        self, unit: Unit, xs: Floats, ys: Floats, shoots: bool, there: Bools | None = None
    ) -> tuple[Floats, dict[str, Row]]:
        """The same for any points, with the shot from there if the unit ``shoots`` at once; and what is seen there.

        ``there`` tells at which of them the unit would be at its goal, where that is known exactly.
        """
        rows = self.rows_to(xs, ys)
        net = np.array([self.chart.nearest(x, y) for x, y in zip(xs, ys)], dtype=np.int64)
        aim, company = self.aim(unit)[net], self._company(unit)
        if (goal := self.goal(unit)) is not None and goal.at is not None:
            if there is None:
                there = np.hypot(xs - goal.at[0], ys - goal.at[1]) <= objective_reach() - 20
            aim = aim_by(goal, np.where(there, 0.0, np.maximum(goal.turns[net], ALMOST)), self.left)
        best, _ = self.shots_by(unit, False, rows, xs, ys)
        danger = self.danger_by(unit, rows, len(xs))
        found: Floats = self._risked(unit, aim, danger, self.risk(unit)[net])
        found = found + self._next(best)
        found = found + (company[net] if isinstance(company, np.ndarray) else company)
        if shoots:
            found = found + 0.9 * self.shots_by(unit, True, rows, xs, ys)[0]
        return found, rows

    def risk(self, unit: Unit) -> Floats:
        """The chance of a unit on its way out to be lost at every point before it moves again; 0 for any other."""
        found = self._risks.get(unit.id)
        if found is None:
            goal = self.goal(unit)
            found = np.zeros(len(self.chart.x))
            if goal is not None and goal.exit:
                found = risks(self.chart, self.danger(unit), self.value(unit))
            self._risks[unit.id] = found
        return found

    def _risked(self, unit: Unit, aim: Floats, danger: Floats, least: Floats) -> Floats:
        """What places are worth for a goal's sake less their danger: who does not live through it does not get out."""
        goal = self.goal(unit)
        if goal is None or not goal.exit:
            return aim - danger
        risk = np.maximum(deadly(danger, self.value(unit)), least)
        found: Floats = aim * (1 - risk) - risk * scored(self, unit)
        return found

    def _company(self, unit: Unit) -> Floats | float:
        """What the neighbourhood is worth: friends with pins to an officer, the enemy to whoever has no other goal."""
        battle = self.battle
        kind = battle.type(unit)
        if not self.foes:
            return 0.0
        found: Floats = np.zeros(len(self.chart.x))
        if kind.rank:
            for friend in self.own:
                if friend is not unit and not battle.type(friend).rank:
                    x, y = self.spot(friend)
                    away = np.hypot(self.chart.x - x, self.chart.y - y)
                    found += np.where(away <= 700, 0.05 + 0.06 * min(friend.pins, 4), 0.0)
        elif battle.has(unit, "medic"):
            for friend in self.own:
                if friend is not unit and battle.type(friend).infantry:
                    x, y = self.spot(friend)
                    found += np.where(np.hypot(self.chart.x - x, self.chart.y - y) <= 700, 0.05, 0.0)
        elif not self._goals or self.goal(unit) is None or kind.kind in ("team", "hq"):
            if self._from_foes is None:
                away = np.min([self.row(foe).far for foe in self.foes], axis=0)
                self._from_foes = np.maximum(away - 2200.0, 0.0) / 100.0 * 0.01
            found -= self._from_foes
        return found
