"""What units are after: objectives that need them, or the way out; and what it is worth to be on the way there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from grognard.kits.table.scenario import Objective, TableScenario
from grognard.kits.table.state import ABOARD, ON_TABLE
from grognard.kits.table.tactics.chart import Floats
from grognard.kits.table.tactics.holding import Spot
from grognard.kits.table.tactics.taste import Taste

if TYPE_CHECKING:
    from grognard.kits.table.tactics.outlook import Outlook

    AnyOutlook = Outlook[Any, Any, Any]

#: Within so many turns one is there; and how far off whoever is almost there is.
THERE_WITHIN, ALMOST = 0.05, 0.1


class Goal(NamedTuple):
    """What a unit is after: a name for people, what it is worth to get there, and the turns from every point.

    ``exit`` is the edge to leave over, if it is the way out; ``at`` where it is, if it is a place.
    """

    name: str
    worth: float
    turns: Floats
    exit: str = ""
    at: Spot | None = None


class Stake(NamedTuple):
    """What an objective is worth to a side: the points that it scores, and those that it denies the enemy."""

    objective: Objective
    ours: float
    theirs: float

    @property
    def both(self) -> float:
        """The whole swing."""
        return self.ours + self.theirs


def stakes(scenario: TableScenario[Any], side: str) -> list[Stake]:
    """The objectives with what is at stake for a side."""
    enemy = next(each for each in scenario.side_names if each != side)
    return [
        Stake(each, float(each.points * (side in each.sides)), float(each.points * (enemy in each.sides)))
        for each in scenario.objectives
    ]


def assign(outlook: AnyOutlook) -> dict[str, Goal | None]:
    """Every unit gets a goal: the way out, or an objective that needs it, the nearest units first."""
    battle, chart = outlook.battle, outlook.chart
    found: dict[str, Goal | None] = {}
    able: list[Any] = []
    for unit in battle.units(outlook.side, on_table=False):
        if not battle.alive(unit):
            continue
        if (way := outlook.exit_of(unit)) is not None:
            edge, points = way
            riders = len(battle.passengers(unit))
            turns = chart.turns_off(edge, outlook.column(unit))
            found[unit.id] = Goal(f"the {edge} edge", float(points * (1 + riders)), turns, edge)
        elif outlook.holds(unit) and unit.status in (ON_TABLE, ABOARD):
            able.append(unit)
    at_stake = [stake for stake in stakes(battle.scenario, outlook.side) if stake.both]
    if at_stake:
        _share_out(outlook, able, at_stake, found)
    return found


def turns_to(outlook: AnyOutlook, unit: Any, stake: Stake) -> Floats:
    """The turns from every point to an objective, for a unit."""
    objective = stake.objective
    return outlook.chart.turns_near(objective.id, objective.x, objective.y, outlook.column(unit))


def _share_out(outlook: AnyOutlook, able: list[Any], at_stake: list[Stake], found: dict[str, Goal | None]) -> None:
    """Give objectives the units that they need: as strong as what the enemy has near, and somebody to hold them."""
    taste = outlook.taste
    need: dict[str, float] = {}
    free: list[str] = []
    for stake in at_stake:
        objective = stake.objective
        near = [
            outlook.strength(foe)
            for foe in outlook.foes
            if math.hypot(outlook.spot(foe)[0] - objective.x, outlook.spot(foe)[1] - objective.y) < taste.near
        ]
        need[objective.id] = max(taste.least, 0.45 * stake.both) + 1.1 * sum(near)
        if not near:
            free.append(objective.id)
    pairs = []
    for unit in able:
        suits, weak = outlook.suits(unit), outlook.strength(unit) < taste.weak
        for stake in at_stake:
            away = float(turns_to(outlook, unit, stake)[outlook.here(unit)])
            if math.isfinite(away):
                fit = suits * math.sqrt(min(taste.least / need[stake.objective.id], 1.0)) if weak else suits
                pairs.append((stake.both * fit * 0.62**away * _in_time(away, outlook.left), -unit.n, unit, stake))
    have = dict.fromkeys(need, 0.0)
    for stake in at_stake:  # whoever holds a place in cover stays there, whatever else may be had
        if (holder := _holder(outlook, able, found, stake)) is not None:
            found[holder.id] = _goal(outlook, holder, stake, 1.0)
            have[stake.objective.id] += outlook.strength(holder)
            pairs = [pair for pair in pairs if pair[2] is not holder]
    while pairs:
        # What an objective has already makes it want the next unit less: nobody leaves a second one to the enemy.
        wanted = {id: max(1 - taste.sated * have[id] / need[id], 1 - taste.sated) for id in need}
        wanted |= {id: taste.free for id in free if not have[id]}
        best = max(pairs, key=lambda each: (each[0] * wanted[each[3].objective.id], each[1]))
        _, _, unit, stake = best
        id = stake.objective.id
        found[unit.id] = _goal(outlook, unit, stake, 1.0 if have[id] < need[id] else taste.second)
        have[id] += outlook.strength(unit)
        pairs = [pair for pair in pairs if pair[2] is not unit]


def _holder(outlook: AnyOutlook, able: list[Any], given: dict[str, Goal | None], stake: Stake) -> Any:
    """Who stands at an objective in cover, or out of the enemy's sight, and holds it best; None if nobody does."""
    at = (float(stake.objective.x), float(stake.objective.y))
    found = [
        unit
        for unit in able
        if unit.id not in given and unit.status == ON_TABLE and outlook.stands_at(unit, at) and outlook.covered(unit)
    ]
    return max(found, key=lambda unit: (outlook.strength(unit), -unit.n), default=None)


def _in_time(away: float, left: float) -> float:
    """How likely a unit is to get somewhere before the end."""
    return 1.0 if away <= THERE_WITHIN else 1 / (1 + math.exp(-1.7 * max(left - 1.2 - away, -20.0)))


def _goal(outlook: AnyOutlook, unit: Any, stake: Stake, share: float) -> Goal:
    worth = stake.both * share * (0.25 + 0.35 * min(outlook.strength(unit), 1.2)) * outlook.suits(unit)
    at = (stake.objective.x, stake.objective.y)
    return Goal(stake.objective.name, worth, _from_here(outlook, unit, turns_to(outlook, unit, stake), at), at=at)


def _from_here(outlook: AnyOutlook, unit: Any, turns: Floats, at: Spot) -> Floats:
    """The turns to an objective with none from where a unit stands, if it stands at it by its very bases."""
    here, there = outlook.here(unit), outlook.stands_at(unit, at)
    if (turns[here] <= THERE_WITHIN) == there:
        return turns
    found: Floats = turns.copy()
    found[here] = 0.0 if there else ALMOST
    return found


def aim_by(goal: Goal, turns: Floats, left: float, taste: Taste) -> Floats:
    """What an objective is worth to whoever is so many turns from it."""
    turns = np.minimum(turns, 12.0)
    spare = left - 1.0 - turns
    there = turns <= THERE_WITHIN
    likely = np.where(there, taste.there, 1 / (1 + np.exp(-1.7 * np.clip(spare - 0.2, -20, 20))))
    near: Floats = goal.worth * likely * (1 - taste.per_turn * np.minimum(turns, 6.0))
    return near
