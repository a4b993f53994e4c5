"""Buildings that come down (25.6, 25.8)."""

from __future__ import annotations

from grognard.games.bolt_action import morale
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Collapsed


def make_rough(battle: BoltBattle, id: str) -> None:
    """What was a building is rough ground now."""
    battle.state.changed[id] = str(battle.charts["buildings"]["becomes"])
    battle.invalidate()


def collapse(battle: BoltBattle, id: str, rules: tuple[str, ...] = ("25.6",)) -> None:
    """A building comes down: it is rough ground, and whoever was inside is destroyed (25.6)."""
    victims = battle.inside(id)
    battle.emit(Collapsed(piece=id, rules=rules))
    for unit in victims:
        unit.building = ""
    make_rough(battle, id)
    for unit in victims:
        morale.destroy(battle, unit, rules, "is buried under the building")
