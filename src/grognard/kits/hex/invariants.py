"""What no rule of any game on hexes leads to: units off the map, two of one number, riders far from their carrier."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.state import ON_MAP, Unit

AnyBattle = HexBattle[Any, Any, Any, Any]


class Wrong(NamedTuple):
    """Something that cannot be so: what, what would be right, and of which counter ("g3", "work D4") and key."""

    what: str
    right: str = ""
    of: str = ""
    key: str = ""


def units(battle: AnyBattle, standing: Collection[str] = (ON_MAP,)) -> Iterator[Wrong]:
    """Every unit is filed under its own id, has a number of its own and, where it is standing, a hex of the map."""
    filed = battle.state.units
    for id, unit in filed.items():
        if id != unit.id:
            yield Wrong(f"{id} is filed under another id than its own, {unit.id}")
        if unit.status in standing and unit.hex not in battle.grid:
            yield Wrong(f"{id} is on the map at {unit.hex!r}, which is not a hex", "a hex of the map", id, "hex")
    if len({unit.n for unit in filed.values()}) < len(filed):
        yield Wrong("two units have the same number in the order of battle")


def company(battle: AnyBattle, unit: Unit, keys: Iterable[str], status: Collection[str] = (ON_MAP,)) -> Iterator[Wrong]:
    """Whoever rides, or leads, is where the unit is that he names under one of the keys, and on its side.

    Asked of those of a ``status`` only; of the others nobody says where they are.
    """
    for key in keys:
        name = getattr(unit, key)
        if not name or unit.status not in status:
            continue
        other = battle.state.units.get(name)
        if other is None or other.status != unit.status or (other.hex != unit.hex and unit.status == ON_MAP):
            yield Wrong(f"{unit.id} is {key} to {name}, which is not with it", "both in one hex", unit.id, key)
        elif other.side != unit.side:
            yield Wrong(f"{unit.id} is {key} to {name} of the enemy", "a unit of its own side", unit.id, key)


def index(battle: AnyBattle) -> Iterator[Wrong]:
    """The lists of who is in which hex say what the units say, in the order of battle."""
    for hex, here in battle.at.items():
        if not here or any(unit.hex != hex or unit.status != ON_MAP for unit in here):
            yield Wrong(f"a unit is listed in {hex} that is not there")
        if [unit.n for unit in here] != sorted(unit.n for unit in here):
            yield Wrong(f"the units in {hex} are not in the order of battle")
    for unit in battle.state.units.values():
        if unit.status == ON_MAP and not any(unit is other for other in battle.at.get(unit.hex, ())):
            yield Wrong(f"{unit.id} is not listed in {unit.hex}", of=unit.id)


def markers(battle: AnyBattle, hexes: Iterable[str]) -> Iterator[Wrong]:
    """Whatever lies on the map lies in a hex of it."""
    for hex in hexes:
        if hex not in battle.grid:
            yield Wrong(f"a marker is in {hex!r}, which is not a hex", "a hex of the map")
