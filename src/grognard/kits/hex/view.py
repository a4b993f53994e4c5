"""What a game on hexes shows: the places of counters in their stacks, the order of battle, and the ground in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from grognard.board.hex.battlefield import Battlefield
from grognard.core.callings import Enrolled
from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.state import ON_MAP, Unit

NO_WORDS: Mapping[str, str] = MappingProxyType({})
AnyBattle = HexBattle[Any, Any, Any, Any]
U = TypeVar("U", bound=Unit)


def place_in_stack(battle: HexBattle[Any, Any, U, Any], unit: U, knows: Callable[[U], bool]) -> int:
    """Where in the stack of its hex a unit lies, of those that somebody knows of: 0 at the bottom."""
    stack = battle.at.get(unit.hex, []) if unit.status == ON_MAP else []
    seen = [other for other in stack if knows(other)]
    return seen.index(unit) if unit in seen else 0


def called(battle: AnyBattle) -> dict[str, str]:
    """How people call the units, by id."""
    return {unit.id: battle.name(unit) for unit in battle.state.units.values()}


def enrolled(
    battle: HexBattle[Any, Any, U, Any], title: Callable[[U], str], hidden: Callable[[U], bool]
) -> Iterator[Enrolled]:
    """The order of battle, as a scenario's card prints it."""
    for unit in battle.state.units.values():
        yield Enrolled(unit.id, unit.side, title(unit), hidden(unit))


def ground_words(field: Battlefield, hex: str, terrain: str, *more: str, roads: Mapping[str, str] = NO_WORDS) -> str:
    """The ground of a hex in words: terrain, height, whatever the game says of it, road or bridge, and its name.

    ``roads`` has the words for kinds of roads; any other is a road.
    """
    words = [terrain, *more]
    if field.contoured:
        words.append(f"{field.relief.dot[hex]} m")
    if hex in field.bridges:
        words.append("bridge")
    elif field.roads[hex] and terrain != "road":
        words += sorted({roads.get(kind, "road") for kind in field.roads_in(hex)})
    if hex in field.labels:
        words.append(field.labels[hex])
    return ", ".join(words)
