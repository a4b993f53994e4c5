"""What a scenario is about: what each hex, each loss and each exit is worth to whom, in hundredths of a battle."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from grognard.core.dice import pool
from grognard.games.ost import victory
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import EXITED, Unit

#: What all Victory Points together, a whole force, and a condition of victory are worth.
POINTS, FORCE, CONDITION = 60.0, 55.0, 60.0
#: A Casualty Point is worth this much at least: losses take Impulse Points away (6.2).
LOSS = 0.2
#: A control hex that scores nothing is worth little beside others that do, but something if it is all there is.
IDLE, BARE = 0.3, 8.0
#: Of all that could be lost so much is expected to be, for telling how much casualties decide.
EXPECTED = 0.45


@cache
def strength(kind: UnitType) -> float:
    """How well a unit fights, roughly in points of Firepower."""
    if kind.leader:
        return 2.0
    if kind.armor_leader:
        return 1.5
    if kind.sniper:
        return 2.5
    if kind.crew:
        return 0.7
    guns = max((gun.he * 0.6 + max(band[3] for band in gun.bands) * 0.35 for gun in kind.guns), default=0.0)
    if kind.vehicle:
        if kind.truck:
            return 0.6
        return 1.0 + guns + 0.5 * kind.secondary.fp + 0.35 * (kind.front + kind.flank)
    if kind.guns:
        return 1.0 + guns
    return 0.5 + kind.fp * (0.8 + kind.range / 30) + 0.25 * kind.defense


class Goal(NamedTuple):
    """A hex that counts: what it is worth to each side to own it, all in all."""

    hex: str
    worth: dict[str, float]


class VictoryValues:
    """What a scenario's victory conditions make of hexes, losses and exits; and what each unit is worth."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.sides = scenario, scenario.side_names
        kinds = roster()
        rules = scenario.victory
        self.total: dict[str, float] = dict.fromkeys(self.sides, 0.0)
        losable: dict[str, float] = dict.fromkeys(self.sides, 0.0)
        for placing in scenario.units:
            self.total[placing.side] += strength(kinds[placing.kind])
            losable[placing.side] += kinds[placing.kind].points
        #: Victory Points for one Casualty Point, by the side that scores.
        self.rate: dict[str, float] = dict.fromkeys(self.sides, 0.0)
        for loss in rules.casualties:
            for side in loss.sides:
                self.rate[side] += loss.points / loss.per
        at_stake = 0.0
        for entry in rules.control:
            times = min(entry.first, scenario.turns) if entry.when == "turn" else 1
            at_stake += times * len(entry.hexes) * max(entry.points.values(), default=0)
        for way in rules.exits:
            fit = sum(
                1 for placing in scenario.units if placing.side == way.side and _is(kinds[placing.kind], way.units)
            )
            at_stake += max(fit, 1) * way.points
        for side in self.sides:
            enemy = self.sides[side == self.sides[0]]
            at_stake += EXPECTED * losable[enemy] * self.rate[side]
        #: What a Victory Point is worth.
        self.point = POINTS / at_stake if at_stake else 0.0
        self._conditions(scenario)
        decisive = any(win.casualties is not None for win in rules.wins)
        self.loss = {side: LOSS + self.rate[side] * self.point + (0.8 if decisive else 0.0) for side in self.sides}
        self._kinds: dict[tuple[str, str], float] = {}
        #: The Impulse Points that a side gets in a turn on average, before losses mount (67.3).
        self.income = {side: _mean(scenario.impulse[side]) for side in self.sides}
        self.income_both = sum(self.income.values())
        self.edge = self._edge(scenario)
        self.exit_points: dict[str, list[tuple[tuple[str, ...], frozenset[str], float]]] = {
            side: [(way.units, way.hexes, way.points * self.point) for way in rules.exits if way.side == side]
            for side in self.sides
        }

    def _conditions(self, scenario: Scenario) -> None:
        """Hexes that a condition of victory asks for: they count for who wants them as for who must keep them."""
        self.wanted: dict[str, float] = {}
        self.presence: dict[str, frozenset[str]] = {}
        for win in scenario.victory.wins:
            for hex in win.owns:
                share = CONDITION / len(win.owns)
                self.wanted[hex] = max(self.wanted.get(hex, 0.0), share)
            if win.present is not None:
                self.presence[win.side] = win.present.hexes

    def _edge(self, scenario: Scenario) -> float:
        """What the first side is ahead by where points are even: who must lead by more, and whose a tie is (111.16)."""
        rules = scenario.victory
        if rules.otherwise or not self.point:
            return 0.0
        first, second = (rules.lead.get(side, 1) - 0.5 for side in self.sides)
        if rules.tie == self.sides[0]:
            return self.point * second
        return -self.point * first if rules.tie == self.sides[1] else self.point * (second - first) / 2

    def goals(self, battle: OstBattle) -> list[Goal]:
        """The hexes that still count, with what is left to be had from each."""
        turn = battle.state.turn
        found: dict[str, dict[str, float]] = {}
        for entry in self.scenario.victory.control:
            times = 1.0
            if entry.when == "turn":
                times = max(min(turn, entry.first), 0) + 0.6
            for hex in entry.hexes:
                worth = found.setdefault(hex, dict.fromkeys(self.sides, 0.0))
                for side, points in entry.points.items():
                    worth[side] += points * times * self.point
        for hex, share in self.wanted.items():
            worth = found.setdefault(hex, dict.fromkeys(self.sides, 0.0))
            for side in self.sides:
                worth[side] += share / 2
        spare = IDLE if found or any(self.exit_points.values()) else BARE
        for hex in battle.state.control:
            if hex not in found:
                found[hex] = dict.fromkeys(self.sides, spare)
        return [Goal(hex, worth) for hex, worth in found.items()]

    def verdict(self, battle: OstBattle) -> float:
        """By how many hundredths the first side would be ahead if the battle ended as it stands (111.16)."""
        state, rules = battle.state, self.scenario.victory
        first, second = self.sides
        if any(victory.holds(battle, win) for win in rules.wins if win.side == first):
            return CONDITION
        if any(victory.holds(battle, win) for win in rules.wins if win.side == second):
            return -CONDITION
        if rules.otherwise:
            return CONDITION if rules.otherwise == first else -CONDITION if rules.otherwise == second else 0.0
        found = self.point * (state.victory.get(first, 0) - state.victory.get(second, 0)) + self.edge
        for goal in self.goals(battle):
            owner = state.control.get(goal.hex, "")
            if owner:
                found += goal.worth[owner] * (1 if owner == first else -1)
        for side, sign in ((first, 1), (second, -1)):
            found += sign * self.rate[side] * self.point * state.casualties.get(side, 0)
        for unit in state.units.values():
            if unit.status == EXITED:
                worth = self.exit_of(battle.kinds[unit.kind], unit.side)[0]
                found += worth if unit.side == first else -worth
        return found

    def exit_of(self, kind: UnitType, side: str) -> tuple[float, frozenset[str]]:
        """What a unit of a kind scores by leaving the map, and by which hexes."""
        for units, hexes, worth in self.exit_points[side]:
            if _is(kind, units):
                return worth, hexes or self.scenario.exits.get(side, frozenset())
        return 0.0, frozenset()

    def fighting(self, kind: UnitType, side: str) -> float:
        """What the fighting power of a unit at full strength is worth to its side."""
        known = self._kinds.get((kind.id, side))
        if known is None:
            total = self.total.get(side) or 40.0
            known = FORCE * strength(kind) / max(total, 12.0) + 0.5 * self.exit_of(kind, side)[0]
            self._kinds[kind.id, side] = known
        return known

    def points_left(self, kind: UnitType, unit: Unit) -> int:
        """The Casualty Points that are still to be had for a unit."""
        return kind.points_reduced if unit.reduced and kind.points_reduced else kind.points


def _mean(dice: str) -> float:
    number, sides, add = pool(dice)
    return number * (sides + 1) / 2 + add


def _is(kind: UnitType, words: tuple[str, ...]) -> bool:
    return not words or kind.kind in words or kind.class_ in words
