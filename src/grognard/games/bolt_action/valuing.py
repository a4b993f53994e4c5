"""What things are worth: units by what their loss costs, objectives and ways out by the scenario's points (28.4, 28.5).

Everything is counted in victory points; `standing` turns the points that are to be expected at the end into the chance
to win by this scenario's conditions.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from grognard.games.bolt_action import morale, victory
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.scenario import Objective
from grognard.games.bolt_action.state import ABOARD, EXITED, LOST, ON_TABLE, OVER, RESERVE, UNPLACED, Unit

#: So many roster points are worth a victory point for what they can still do.
POINTS_EACH = 140.0
#: Hundredths of a battle that a victory point is worth.
HUNDREDTHS = 6.0
#: What a man lost costs of the worth of his unit, in proportion, and what a pin costs of it.
OF_MEN, OF_PIN = 0.6, 0.07
#: How much of a further turn is to be expected after the last (28.3).
FURTHER = 0.5


def scored_for(battle: BoltBattle, unit: Unit) -> float:
    """The points that the enemy gets for destroying a unit (28.4)."""
    enemy = battle.other(unit.side)
    each = battle.scenario.victory.attrition.get(enemy, figures().number("length", "attrition"))
    return float(each) if unit.scores else 0.0


def worth(battle: BoltBattle, unit: Unit) -> float:
    """What a unit is worth to its side: what its loss scores, what it can still do, and its way out."""
    key = ("worth", unit.id, len(unit.models))
    found: float | None = battle.memo.get(key)
    if found is None:
        kind = battle.type(unit)
        left = len(unit.models) / max(len(unit.models), unit.size, 1)
        found = scored_for(battle, unit) + kind.points / POINTS_EACH * (0.4 + 0.6 * left)
        found += max((way.points for way in battle.scenario.victory.exits if way.side == unit.side), default=0) * 0.5
        if kind.rank:
            found += 0.4
        battle.memo[key] = found
    return found


def strength(battle: BoltBattle, unit: Unit) -> float:
    """How much a unit counts in a fight for a place: men, quality and pins."""
    kind = battle.type(unit)
    if kind.vehicle:
        base = 1.2 if kind.armoured and kind.weapons else 0.25
    elif kind.artillery:
        base = 0.4
    else:
        base = len(unit.models) / 10 * {"inexperienced": 0.7, "veteran": 1.3}.get(unit.quality, 1.0)
    return base * max(0.2, 1 - unit.pins / max(morale.base(battle, unit), 1))


def turns_left(battle: BoltBattle) -> float:
    """The turns that are still to come, the present one included, and the further one by its chance (28.3)."""
    state = battle.state
    left = float(state.last_turn - max(state.turn, 1) + 1)
    if battle.scenario.further_turn and not state.memory.get("extended"):
        left += FURTHER
    return max(left, 0.0)


class Stake(NamedTuple):
    """What an objective is worth to a side: the points that it scores, and those that it denies the enemy."""

    objective: Objective
    ours: float
    theirs: float

    @property
    def both(self) -> float:
        """The whole swing."""
        return self.ours + self.theirs


def stakes(battle: BoltBattle, side: str) -> list[Stake]:
    """The objectives with what is at stake for a side."""
    enemy = battle.other(side)
    return [
        Stake(each, float(each.points * (side in each.sides)), float(each.points * (enemy in each.sides)))
        for each in battle.scenario.objectives
    ]


def may_exit(battle: BoltBattle, unit: Unit) -> tuple[str, int] | None:
    """The edge over which a unit gets points by leaving, and how many; None where there is none (8.5, 28.5)."""
    for way in battle.scenario.victory.exits:
        if way.side == unit.side and (not way.kinds or battle.type(unit).kind in way.kinds):
            return way.edge, way.points
    return None


# ---- how it stands -------------------------------------------------------------------------------------------


def standing(battle: BoltBattle, side: str) -> float:
    """How the battle stands for a side, from -1 to 1: what its points may come to by the end."""
    state = battle.state
    if state.phase == OVER:
        return 0.0 if not state.winner else 1.0 if state.winner == side else -1.0
    first = battle.sides[0]
    value = _stands(battle, first)
    return value if side == first else -value


def _stands(battle: BoltBattle, side: str) -> float:
    """The same for the first side."""
    margin, left = expected(battle, side)
    rules = battle.scenario.victory
    spread = 1.1 + 0.45 * left
    if rules.otherwise:
        ahead = margin - rules.lead if rules.otherwise != side else margin + rules.lead
        return math.tanh((ahead + (0.5 if rules.otherwise != side else -0.5)) / (1.4 * spread))
    up, down = margin - rules.lead + 0.5, -margin - rules.lead + 0.5
    won, lost = 0.5 + 0.5 * math.tanh(up / spread), 0.5 + 0.5 * math.tanh(down / spread)
    return won - lost


def expected(battle: BoltBattle, side: str) -> tuple[float, float]:
    """By how many points a side may be ahead at the end, and the turns left."""
    enemy, left = battle.other(side), turns_left(battle)
    rules, state = battle.scenario.victory, battle.state
    each = {one: rules.attrition.get(one, figures().number("length", "attrition")) for one in battle.sides}
    margin: float = each[side] * len(state.lost.get(enemy, ())) - each[enemy] * len(state.lost.get(side, ()))
    margin += _forces(battle, side, each, left)
    there = [(unit, unit.models[0].x, unit.models[0].y) for unit in battle.units() if unit.models]
    for objective in battle.scenario.objectives:
        held = _hold(battle, side, objective, there, left)
        ours, theirs = side in objective.sides, enemy in objective.sides
        margin += objective.points * (max(held, 0.0) * ours + min(held, 0.0) * theirs)
    return margin, left


def _forces(battle: BoltBattle, side: str, each: dict[str, int], left: float) -> float:
    """What both forces may still do: strength left, pins, and who has got away or may."""
    found = 0.0
    exits = {way.side: way for way in battle.scenario.victory.exits}
    far = max(battle.table.width, battle.table.height)
    later = min(left, 4.0) / 4.0
    for unit in battle.state.units.values():
        sign = 1.0 if unit.side == side else -1.0
        way = exits.get(unit.side)
        if unit.status == LOST:
            continue
        if unit.status == EXITED:
            found += sign * (way.points if way is not None else 0)
            continue
        kind = battle.kinds[unit.kind]
        enemy = battle.other(unit.side)
        whole = len(unit.models) / max(unit.size, 1) if not kind.vehicle else 1.0
        shaken = min(unit.pins / 9.0, 1.0)
        # A unit worn down is a point that the enemy will soon have.
        found += sign * later * (kind.points / 200.0 * min(whole, 1.0) * (1 - 0.6 * shaken))
        found -= sign * each[enemy] * later * 0.5 * (max(0.0, 1 - whole) * 0.8 + shaken * 0.5)
        if way is not None and unit.status in (ON_TABLE, ABOARD, UNPLACED, RESERVE):
            found += sign * way.points * _gets_out(battle, unit, way.edge, left, far)
    return found


def _gets_out(battle: BoltBattle, unit: Unit, edge: str, left: float, far: int) -> float:
    """A guess at the chance that a unit leaves the table in time."""
    carrier = battle.state.units.get(unit.aboard, unit) if unit.aboard else unit
    if not carrier.models or carrier.status != ON_TABLE:
        return 0.3
    x, y = carrier.models[0].x, carrier.models[0].y
    table = battle.table
    away = {"left": x, "right": table.width - x, "top": y, "bottom": table.height - y}[edge]
    rate = 1500.0 if battle.kinds[carrier.kind].vehicle else 1000.0
    spare = left - away / rate - 0.15 * unit.pins
    return 1 / (1 + math.exp(-1.6 * (spare - 0.6))) * 0.9


def _hold(
    battle: BoltBattle, side: str, objective: Objective, there: list[tuple[Unit, int, int]], left: float
) -> float:
    """How surely an objective will be a side's at the end, from -1 to 1: who is there, and who can get there."""
    ours = theirs = 0.0
    kinds = battle.kinds
    for unit, x, y in there:
        kind = kinds[unit.kind]
        if kind.kind == "artillery":
            continue
        away = math.hypot(x - objective.x, y - objective.y)
        turns = max(0.0, away - 350.0) / (1500.0 if kind.kind == "vehicle" else 1000.0) + 0.1 * unit.pins
        if turns > left:
            continue
        men = 8.0 if kind.kind == "vehicle" else float(len(unit.models))
        weight = (men + 2.0) * (0.55**turns) * (0.35 if kind.kind == "vehicle" and not kind.armoured else 1.0)
        if unit.side == side:
            ours += weight
        else:
            theirs += weight
    both = ours + theirs
    likely = (ours - theirs) / (both + 3.0) if both else 0.0
    now = victory.holder(battle, objective)
    held = 0.0 if not now else 1.0 if now == side else -1.0
    sure = 1.0 / (1.0 + max(left - 0.5, 0.0) * 0.55)
    return sure * held + (1 - sure) * likely
