"""How a battle stands, at a glance: for the ends of thoughts."""

from __future__ import annotations

from math import tanh

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, EXITED, GOOD, LOST, ON_MAP, UNMANNED
from grognard.games.ost.tactics.harm import FULL, HALF, ONLY
from grognard.games.ost.tactics.knowledge import Knowledge

#: Hundredths of a battle that make it three quarters won.
SCALE = 45.0
#: What a hex counts that is not owned yet, by who is near.
NEAR = 0.6


def standing(know: Knowledge, battle: OstBattle, side: str) -> float:
    """Between -1 and 1: points scored and to come, hexes owned and within reach, and what is left to fight with."""
    state = battle.state
    if state.ending:
        return 0.0 if not state.winner else 1.0 if state.winner == side else -1.0
    return tanh(lead(know, battle, side) / SCALE)


def lead(know: Knowledge, battle: OstBattle, side: str) -> float:
    """By how many hundredths a side is ahead."""
    state, stakes = battle.state, know.stakes
    enemy = battle.other(side)
    found = stakes.point * (state.victory.get(side, 0) - state.victory.get(enemy, 0))
    found += stakes.loss[side] * state.casualties.get(side, 0) - stakes.loss[enemy] * state.casualties.get(enemy, 0)
    goals = stakes.goals(battle)
    dist = battle.grid.dist
    rows = [(dist[goal.hex], goal) for goal in goals]
    pull = [0.0] * len(goals)
    kinds, reach = battle.kinds, 4.0 + 1.2 * state.turn
    forces = {side: 0.0, enemy: 0.0}
    for unit in state.units.values():
        status = unit.status
        if status in (LOST, UNMANNED):
            continue
        kind = kinds[unit.kind]
        sign = 1.0 if unit.side == side else -1.0
        if status == EXITED:
            found += sign * (stakes.exit_of(kind, unit.side)[0] or 0.3 * stakes.fighting(kind, unit.side))
            continue
        two = kind.reduced is not None
        left = ((HALF if unit.reduced else FULL) if two else ONLY)[unit.morale]
        power = stakes.fighting(kind, unit.side) * left
        forces[unit.side] = forces.get(unit.side, 0.0) + power
        if status == ON_MAP and unit.morale != BROKEN:
            hex = unit.hex
            for number, (row, _) in enumerate(rows):
                distance = row[hex]
                if distance < reach:
                    near = power / (1.0 + distance)
                    pull[number] += sign * (near * 1.5 if distance == 0 and unit.morale == GOOD else near)
            worth, hexes = stakes.exit_of(kind, unit.side)
            if worth and hexes:
                nearest = min(dist[hex][end] for end in hexes)
                found += sign * worth * max(0.0, 1 - nearest / (3.0 + 4.0 * state.turn)) * 0.8
    found += forces[side] - forces[enemy]
    late = 1.0 / (1.0 + 0.25 * state.turn)
    for number, goal in enumerate(goals):
        owner = state.control.get(goal.hex, "")
        mine, theirs = goal.worth.get(side, 0.0), goal.worth.get(enemy, 0.0)
        now = mine if owner == side else -theirs if owner == enemy else 0.0
        whole = (mine + theirs) / 2
        tending = whole * tanh(pull[number] / 4.0) + (mine - theirs) / 2
        found += (NEAR * late + 0.4) * now + (1 - NEAR * late - 0.4) * tending
    return found
