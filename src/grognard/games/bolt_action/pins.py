"""Pin markers (6): who gets them, who loses them, and when they break a unit.

Whether a hit pins at all (6.1, 6.5) is for shooting to say; here the markers are counted.
"""

from __future__ import annotations

from grognard.games.bolt_action import morale, special, turn_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Unit


def add(battle: BoltBattle, unit: Unit, count: int, rule: str) -> None:
    """Give a unit pin markers (6.1); each is -1 to its morale and its shooting (6.2)."""
    if count <= 0 or not unit.models:
        return
    unit.pins += count
    battle.emit(turn_events.Pinned(side=unit.side, unit=unit.id, pins=count, left=unit.pins, rules=(rule,)))


def remove(battle: BoltBattle, unit: Unit, count: int, rule: str) -> int:
    """Take pin markers off a unit, never more than it has (6.4); how many came off."""
    gone = min(count, unit.pins)
    if gone > 0:
        unit.pins -= gone
        battle.emit(turn_events.Unpinned(side=unit.side, unit=unit.id, pins=gone, left=unit.pins, rules=(rule,)))
    return gone


def settle(battle: BoltBattle, unit: Unit) -> bool:
    """Destroy a unit whose pins reach its base morale, without modifiers (6.3); True if it is gone.

    It is called when casualties are off the table (6.6). Fanatics fight on while enough of them live (27.3).
    """
    if not battle.alive(unit) or unit.pins < morale.base(battle, unit) or special.fights_on(battle, unit):
        return False
    morale.destroy(battle, unit, ("6.3",), "is pinned beyond endurance and gives up")
    return True
