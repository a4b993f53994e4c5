"""What units are after: objectives that need them, or the way out; and what it is worth to be on the way there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grognard.games.bolt_action import valuing
from grognard.games.bolt_action.state import ABOARD, ON_TABLE, Unit
from grognard.games.bolt_action.tactics_ground import Floats
from grognard.games.bolt_action.valuing import Stake

if TYPE_CHECKING:
    from grognard.games.bolt_action.tactics_outlook import Outlook

#: How much nearer to a goal a turn's march brings, of what the goal is worth.
PER_TURN, PER_TURN_OUT = 0.14, 0.15
#: What it is worth to be there already, of what the goal is worth.
THERE = 1.12
#: How much an objective that has enough units already is worth to one more.
SECOND = 0.7


class Goal(NamedTuple):
    """What a unit is after: a name for people, what it is worth to get there, and the turns from every point."""

    name: str
    worth: float
    turns: Floats
    exit: bool = False
    at: tuple[float, float] | None = None


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
            found[unit.id] = Goal(f"the {edge} edge", (points + 0.5) * (1 + riders), turns, True)
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
    for stake in at_stake:
        objective = stake.objective
        near = [
            valuing.strength(battle, foe)
            for foe in outlook.foes
            if math.hypot(outlook.spot(foe)[0] - objective.x, outlook.spot(foe)[1] - objective.y) < 1400
        ]
        need[objective.id] = max(0.9, 0.45 * stake.both) + 1.1 * sum(near)
    pairs = []
    for unit in able:
        for stake in at_stake:
            away = float(turns_to(outlook, unit, stake)[outlook.here(unit)])
            if math.isfinite(away):
                pairs.append((stake.both * _suits(outlook, unit) * 0.62**away, unit.n, unit, stake))
    pairs.sort(key=lambda each: (-each[0], each[1]))
    have = dict.fromkeys(need, 0.0)
    second: dict[str, tuple[Unit, Stake]] = {}
    for _, _, unit, stake in pairs:
        id = stake.objective.id
        if unit.id in found:
            continue
        if have[id] >= need[id]:
            second.setdefault(unit.id, (unit, stake))
            continue
        have[id] += valuing.strength(battle, unit)
        found[unit.id] = _goal(outlook, unit, stake, 1.0)
    for unit, stake in second.values():
        if unit.id not in found:
            found[unit.id] = _goal(outlook, unit, stake, SECOND)


def _goal(outlook: Outlook, unit: Unit, stake: Stake, share: float) -> Goal:
    worth = (
        stake.both * share * (0.25 + 0.35 * min(valuing.strength(outlook.battle, unit), 1.2)) * _suits(outlook, unit)
    )
    return Goal(stake.objective.name, worth, turns_to(outlook, unit, stake), at=(stake.objective.x, stake.objective.y))


def _suits(outlook: Outlook, unit: Unit) -> float:
    """How well a unit is suited to take and hold a place."""
    kind = outlook.battle.type(unit)
    if kind.vehicle:
        return 0.8 if kind.armoured else 0.2
    if kind.kind == "team":
        return 0.3
    return 0.45 if kind.kind == "hq" else 1.0


def aim_by(goal: Goal, turns: Floats, left: float) -> Floats:
    """What a goal is worth to whoever is so many turns from it."""
    turns = np.minimum(turns, 12.0)
    spare = left - 1.0 - turns
    if goal.exit:
        likely = 1 / (1 + np.exp(-1.6 * np.clip(spare + 0.4, -20, 20)))
        found: Floats = goal.worth * likely * (1 - PER_TURN_OUT * np.minimum(turns, 6.0))
        return found
    there = turns <= 0.05
    likely = np.where(there, THERE, 1 / (1 + np.exp(-1.7 * np.clip(spare - 0.2, -20, 20))))
    near: Floats = goal.worth * likely * (1 - PER_TURN * np.minimum(turns, 6.0))
    return near
