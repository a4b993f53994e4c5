"""Who would hold an objective from inside a building (25.1)."""

from __future__ import annotations

from grognard.games.bolt_action import buildings
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.tactics.ground import GROUND
from grognard.kits.table.tactics.holding import Spot, stand_at


def inside_at(battle: BoltBattle, unit: Unit, building: str, at: Spot) -> bool:
    """Whether a unit would hold a place from inside a building, where its men would find room (25.1)."""
    shape = battle.table.area(battle.table.by_id[building])
    left, top, right, bottom = shape.bounds
    near = GROUND.reach + 100
    if not (left - near <= at[0] <= right + near and top - near <= at[1] <= bottom + near):
        return False
    taken = [(m.x, m.y) for other in battle.inside(building) if other is not unit for m in other.models]
    men = battle.bodies(unit)
    places = buildings.spots(shape, taken, len(men))
    return stand_at((body.at(x, y) for body, (x, y) in zip(men, places)), at, GROUND.reach)
