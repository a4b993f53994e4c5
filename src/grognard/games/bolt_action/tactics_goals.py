"""What units are after: objectives that need them, or the way out; and what it is worth to be on the way there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grognard.games.bolt_action import valuing
from grognard.games.bolt_action.state import ABOARD, ON_TABLE, Unit
from grognard.games.bolt_action.tactics_ground import Floats
from grognard.games.bolt_action.tactics_holding import Spot
from grognard.games.bolt_action.valuing import Stake

if TYPE_CHECKING:
    from grognard.games.bolt_action.tactics_outlook import Outlook

#: How much nearer to a goal a turn's march brings, of what the goal is worth.
PER_TURN = 0.14
#: What it is worth to be there already, of what the goal is worth.
THERE = 1.12
#: How much an objective that has enough units already is worth to one more.
SECOND = 0.7
#: The strength that an objective needs at least; and who is weaker than this goes where nobody disputes the place.
LEAST, WEAK = 0.9, 0.5
#: How much less an objective wants one more unit when it has all that it needs.
SATED = 0.75
#: How much more it wants the first one where no enemy is near: it is had for the asking.
FREE = 1.6
#: How well soft vehicles are suited to hold a place: at the end any wheel on it counts (28.5).
SOFT, SOFT_LATE, LATE = 0.2, 0.6, 2.0
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


def assign(outlook: Outlook) -> dict[str, Goal | None]:
    """Every unit gets a goal: the way out, or an objective that needs it, the nearest units first."""
    battle, chart = outlook.battle, outlook.chart
    found: dict[str, Goal | None] = {}
    able: list[Unit] = []
    for unit in battle.units(outlook.side, on_table=False):
        if not battle.alive(unit):
            continue
        if (way := valuing.may_exit(battle, unit)) is not None:
            edge, points = way
            riders = len(battle.passengers(unit))
            turns = chart.turns_off(edge, _column(outlook, unit))
            found[unit.id] = Goal(f"the {edge} edge", float(points * (1 + riders)), turns, edge)
        elif not battle.type(unit).artillery and unit.status in (ON_TABLE, ABOARD):
            able.append(unit)
    at_stake = [stake for stake in valuing.stakes(battle, outlook.side) if stake.both]
    if at_stake:
        _share_out(outlook, able, at_stake, found)
    return found


def _column(outlook: Outlook, unit: Unit) -> str:
    return outlook.battle.type(unit).column


def turns_to(outlook: Outlook, unit: Unit, stake: Stake) -> Floats:
    """The turns from every point to an objective, for a unit."""
    objective = stake.objective
    return outlook.chart.turns_near(objective.id, objective.x, objective.y, _column(outlook, unit))


def _share_out(outlook: Outlook, able: list[Unit], at_stake: list[Stake], found: dict[str, Goal | None]) -> None:
    """Give objectives the units that they need: as strong as what the enemy has near, and somebody to hold them."""
    battle = outlook.battle
    need: dict[str, float] = {}
    free: list[str] = []
    for stake in at_stake:
        objective = stake.objective
        near = [
            valuing.strength(battle, foe)
            for foe in outlook.foes
            if math.hypot(outlook.spot(foe)[0] - objective.x, outlook.spot(foe)[1] - objective.y) < 1400
        ]
        need[objective.id] = max(LEAST, 0.45 * stake.both) + 1.1 * sum(near)
        if not near:
            free.append(objective.id)
    pairs = []
    for unit in able:
        suits, weak = _suits(outlook, unit), valuing.strength(battle, unit) < WEAK
        for stake in at_stake:
            away = float(turns_to(outlook, unit, stake)[outlook.here(unit)])
            if math.isfinite(away):
                fit = suits * math.sqrt(min(LEAST / need[stake.objective.id], 1.0)) if weak else suits
                pairs.append((stake.both * fit * 0.62**away * _in_time(away, outlook.left), -unit.n, unit, stake))
    have = dict.fromkeys(need, 0.0)
    while pairs:
        # What an objective has already makes it want the next unit less: nobody leaves a second one to the enemy.
        wanted = {id: max(1 - SATED * have[id] / need[id], 1 - SATED) for id in need}
        wanted |= {id: FREE for id in free if not have[id]}
        best = max(pairs, key=lambda each: (each[0] * wanted[each[3].objective.id], each[1]))
        _, _, unit, stake = best
        id = stake.objective.id
        found[unit.id] = _goal(outlook, unit, stake, 1.0 if have[id] < need[id] else SECOND)
        have[id] += valuing.strength(battle, unit)
        pairs = [pair for pair in pairs if pair[2] is not unit]


def _in_time(away: float, left: float) -> float:
    """How likely a unit is to get somewhere before the end."""
    return 1.0 if away <= THERE_WITHIN else 1 / (1 + math.exp(-1.7 * max(left - 1.2 - away, -20.0)))


def _goal(outlook: Outlook, unit: Unit, stake: Stake, share: float) -> Goal:
    worth = (
        stake.both * share * (0.25 + 0.35 * min(valuing.strength(outlook.battle, unit), 1.2)) * _suits(outlook, unit)
    )
    at = (stake.objective.x, stake.objective.y)
    return Goal(stake.objective.name, worth, _from_here(outlook, unit, turns_to(outlook, unit, stake), at), at=at)


def _from_here(outlook: Outlook, unit: Unit, turns: Floats, at: Spot) -> Floats:
    """The turns to an objective with none from where a unit stands, if it stands at it by its very bases (28.5)."""
    here, there = outlook.here(unit), outlook.stands_at(unit, at)
    if (turns[here] <= THERE_WITHIN) == there:
        return turns
    found: Floats = turns.copy()
    found[here] = 0.0 if there else ALMOST
    return found


def _suits(outlook: Outlook, unit: Unit) -> float:
    """How well a unit is suited to take and hold a place."""
    kind = outlook.battle.type(unit)
    if kind.vehicle:
        return 0.8 if kind.armoured else SOFT_LATE if outlook.left <= LATE else SOFT
    if kind.kind == "team":
        return 0.3
    return 0.45 if kind.kind == "hq" else 1.0


def aim_by(goal: Goal, turns: Floats, left: float) -> Floats:
    """What an objective is worth to whoever is so many turns from it."""
    turns = np.minimum(turns, 12.0)
    spare = left - 1.0 - turns
    there = turns <= THERE_WITHIN
    likely = np.where(there, THERE, 1 / (1 + np.exp(-1.7 * np.clip(spare - 0.2, -20, 20))))
    near: Floats = goal.worth * likely * (1 - PER_TURN * np.minimum(turns, 6.0))
    return near
