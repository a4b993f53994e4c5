"""What things are worth: units by what their loss costs, objectives and ways out by the scenario's points (28.4, 28.5).

Everything is counted in victory points. How a battle stands is in `standing`.
"""

from __future__ import annotations

from grognard.games.bolt_action import morale
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.state import Unit

#: What a hundred roster points are worth in victory points for what they can still do, with many turns left; and the
#: turns in which half of that is gone. (What tells who wins has the same shape: see `standing`.)
FORCE, HALF_GONE = 1.1, 1.3
#: Hundredths of a battle that a victory point is worth.
HUNDREDTHS = 6.0
#: What a pin costs of the worth of its unit.
OF_PIN = 0.07
#: How much of a further turn is to be expected after the last (28.3).
FURTHER = 0.5


def scored_for(battle: BoltBattle, unit: Unit) -> float:
    """The points that the enemy gets for destroying a unit (28.4)."""
    enemy = battle.other(unit.side)
    each = battle.scenario.victory.attrition.get(enemy, charts().number("length", "attrition"))
    return float(each) if unit.scores else 0.0


def worth(battle: BoltBattle, unit: Unit) -> float:
    """What a unit is worth to its side: what its loss scores, what it can still do in the turns left, its way out."""
    key = ("worth", unit.id, len(unit.models), battle.state.turn)
    found: float | None = battle.cache.get(key)
    if found is None:
        kind = battle.type(unit)
        left = len(unit.models) / max(len(unit.models), unit.size, 1)
        later = max(turns_left(battle) - 0.5, 0.1)
        able = kind.points / 100.0 * (0.4 + 0.6 * left) + (0.4 if kind.rank else 0.0)
        found = scored_for(battle, unit) + FORCE * able * later / (later + HALF_GONE)
        found += max((way.points for way in battle.scenario.victory.exits if way.side == unit.side), default=0) * 0.5
        battle.cache[key] = found
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
    if battle.scenario.further_turn and not state.scratch.extended:
        left += FURTHER
    return max(left, 0.0)


def may_exit(battle: BoltBattle, unit: Unit) -> tuple[str, int] | None:
    """The edge over which a unit gets points by leaving, and how many; None where there is none (8.5, 28.5)."""
    for way in battle.scenario.victory.exits:
        if way.side == unit.side and (not way.kinds or battle.type(unit).kind in way.kinds):
            return way.edge, way.points
    return None
