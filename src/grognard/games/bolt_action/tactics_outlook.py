"""How the battle looks to a side at a moment: where it is dangerous, where it can shoot, and where it wants to be."""

from __future__ import annotations

import numpy as np

from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ON_TABLE, Unit
from grognard.games.bolt_action.tactics_goals import ALMOST, THERE_WITHIN, Goal, aim_by, assign
from grognard.games.bolt_action.tactics_ground import Bools, Floats, Row, objective_reach
from grognard.games.bolt_action.tactics_threats import Threats

#: How much a shot of the next turn counts now.
NEXT_SHOT = 0.5
#: How much of the danger on the way out counts: it has to be passed sooner or later, and to wait makes it no less.
BRAVED = 0.5


class Outlook(Threats):
    """A side's view of the battle: what threatens, what can be shot at, and what it is after."""

    def __init__(self, battle: BoltBattle, side: str) -> None:
        super().__init__(battle, side)
        self._from_foes: Floats | None = None
        self._places: dict[str, Floats] = {}
        self._goals: dict[str, Goal | None] | None = None

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
        return np.zeros(len(self.chart.x)) if goal is None else aim_by(goal, goal.turns, self.left)

    def aboard(self, unit: Unit) -> float:
        """What it is worth to a unit to be carried on, where its vehicle takes it to its goal."""
        carrier = self.battle.unit(unit.aboard)
        goal = self.goal(carrier)
        if goal is None or not goal.exit or carrier.immobilised or carrier.status != ON_TABLE:
            return 0.0
        alone = goal._replace(worth=goal.worth / (1 + len(self.battle.passengers(carrier))))
        return float(aim_by(alone, goal.turns[self.here(carrier)][None], self.left)[0])

    # ---- all together ----

    def places(self, unit: Unit) -> Floats:
        """What a unit's place is worth at every point: its goal, its danger, and the shots of the next turn."""
        found = self._places.get(unit.id)
        if found is None:
            best, _ = self.shots(unit, False)
            here = (
                self.aim(unit)
                - self.braves(unit) * self.danger(unit)
                + NEXT_SHOT * best * min(max(self.left - 1, 0.0), 1.0)
            )
            found = self._places[unit.id] = here + self._company(unit)
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
        found: Floats = (
            aim
            - self.braves(unit) * self.danger_by(unit, rows, len(xs))
            + NEXT_SHOT * best * min(max(self.left - 1, 0.0), 1.0)
        )
        found = found + (company[net] if isinstance(company, np.ndarray) else company)
        if shoots:
            found = found + 0.9 * self.shots_by(unit, True, rows, xs, ys)[0]
        return found, rows

    def braves(self, unit: Unit) -> float:
        """How much of the danger counts: less for whoever has to pass through it to get out, sooner or later."""
        goal = self.goal(unit)
        return BRAVED if goal is not None and goal.exit else 1.0

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
