"""Where a vehicle may pass but not stop (8.4): within 1 in of a model of another friendly unit.

How near a hull comes on its course is the business of `board.table.clearance`; whom it keeps clear of is told here.
"""

from __future__ import annotations

from grognard.board.table.clearance import Near
from grognard.core.ask import Bar
from grognard.games.bolt_action import transports
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Unit


def friends(battle: BoltBattle, unit: Unit, far: float) -> list[Near]:
    """Whom a vehicle must not stop close to; a gun that it has come to tow is none of them (24.8)."""
    hull = battle.hull(unit)
    reach = far + hull.foot.farthest + 400
    found = []
    for other in battle.units(unit.side):
        if other.id == unit.id or other.building:
            continue
        near = [b for b in battle.bodies(other) if abs(b.x - hull.x) < reach and abs(b.y - hull.y) < reach]
        if not near:
            continue
        if battle.type(other).artillery and transports.bar_aboard(battle, other, unit) is None:
            continue
        bar = Bar("8.4", "models can't stop within 1″ of another friendly unit", battle.name(other))
        found += [Near(body, bar) for body in near]
    return found
