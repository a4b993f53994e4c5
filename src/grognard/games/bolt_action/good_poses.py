"""Good poses of units on foot (8.3, 11.8, 17.4, 25.2): what the kit has to know of this game to list them."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Option
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import GUN, Unit, on_the_ground
from grognard.kits.table import good_poses as kit
from grognard.kits.table.good_poses import Wishes


def good_poses(battle: BoltBattle, unit: Unit, area: FootArea) -> Iterator[Option]:
    """A few poses worth choosing for a unit on foot; infantry lines walls, and a gun keeps its heading."""
    door = None
    if not on_the_ground(unit):
        middle = battle.table.area(battle.table.by_id[unit.building]).centroid
        door = middle.x, middle.y
    gun = any(model.role == GUN for model in unit.models)
    wishes = Wishes(
        door,
        unit.models[area.party[0]].heading if gun else None,
        battle.charts.distance("sight", "at_hand") if battle.type(unit).infantry else None,
        "11.8",
    )
    return kit.good_poses(battle, unit, area, wishes)
