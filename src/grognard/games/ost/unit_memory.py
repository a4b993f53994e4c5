"""What each unit was offered: listed again only where something near it changed.

Most of what an Impulse offers a unit hangs on itself, its hex and the hexes next to it, and an Impulse changes one or
two units of the many. So a battle remembers each such list, compares every unit, weapon and work with what it was at
the last listing, and lists again only near those that changed. Nothing here is a rule: the options of each action say
what is offered, and a test compares what is remembered with listing afresh all through random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, Protocol, TypeVar

from msgspec.structs import astuple

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import State, Unit

T = TypeVar("T")
#: What is listed for one unit. It may look at the unit and its hex, with a reach of 1 at the hexes next to it too,
#: and at nothing else that changes within a turn.
ForUnit = Callable[[OstBattle, Unit], Iterable[T]]
#: Where the hex stands in a unit as a tuple.
_HEX = Unit.__struct_fields__.index("hex")


class Each(Protocol):
    """Goes through the units of a side and lists something for each: anew, or from memory.

    Its ``reach`` is 1 where that hangs on the hexes next to the unit too, and 0 where its own is all.
    """

    def __call__(self, battle: OstBattle, side: str, listed: ForUnit[T], /, reach: int) -> list[T]: ...


def each_unit(battle: OstBattle, side: str, listed: ForUnit[T], /, reach: int) -> list[T]:
    """List something for every unit of a side on the map."""
    return [found for unit in battle.units(side) for found in listed(battle, unit)]


class UnitMemory:
    """What was listed for the units of a battle, by a clock that goes on with every listing.

    It does not hold its battle, which holds it: a battle in thought is to go as soon as nobody has it any more.
    """

    def __init__(self) -> None:
        self._clock = 0
        #: When something last changed in a hex; and in it or next to it.
        self._changed: tuple[dict[str, int], dict[str, int]] = {}, {}
        #: By side and what is listed, when that was, and what it came to for each unit.
        self._known: dict[tuple[str, ForUnit[Any]], tuple[int, dict[str, list[Any]]]] = {}
        #: For this listing: the ids of a side's units, and those units near which something changed after another one.
        self._ids: dict[str, list[str]] = {}
        self._stale: dict[tuple[str, int, int], list[Unit]] = {}
        # Everything as it was at the last listing.
        self._whole: tuple[Any, ...] = ()
        self._units: dict[str, tuple[Any, ...]] = {}
        self._weapons: dict[str, tuple[Any, ...]] = {}
        self._works: dict[str, Any] = {}
        self._mines: dict[str, Any] = {}
        self._melees: dict[str, Any] = {}

    def look_round(self, battle: OstBattle) -> None:
        """Note where something has changed since the last listing. To be called before anything is recalled."""
        state = battle.state
        self._clock += 1
        self._stale.clear()
        whole = (state.turn, state.phase, tuple(state.rubble), battle.kinds, battle.charts, battle.options)
        if whole != self._whole:
            self._whole = whole
            self._known.clear()
        near = self._changed_units(state)
        for id, weapon in state.weapons.items():
            now = astuple(weapon)
            before = self._weapons.get(id)
            if now != before:
                self._weapons[id] = now
                near.add(weapon.hex)
                for bearer in (weapon.unit, "" if before is None else before[2]):
                    if bearer in state.units:
                        near.add(state.units[bearer].hex)
        if state.works != self._works:
            near.update(hex for hex, _ in state.works.items() ^ self._works.items())
            self._works = dict(state.works)
        if state.mines != self._mines:
            near.update(hex for hex, _ in state.mines.items() ^ self._mines.items())
            self._mines = dict(state.mines)
        if state.melees.keys() != self._melees.keys():
            near.update(state.melees.keys() ^ self._melees.keys())
            self._melees = dict.fromkeys(state.melees)
        adjacent, (here, around), clock = battle.grid.adjacent, self._changed, self._clock
        for hex in near:
            if hex in adjacent:
                here[hex] = around[hex] = clock
                for other in adjacent[hex]:
                    around[other] = clock

    def _changed_units(self, state: State) -> set[str]:
        """Where units have changed, come or gone."""
        units, known, near = state.units, self._units, set[str]()
        for id, unit in units.items():
            now = astuple(unit)
            before = known.get(id)
            if now != before:
                known[id] = now
                near.add(unit.hex)
                if before is not None:
                    near.add(before[_HEX])
        if len(known) != len(units):
            for id in known.keys() - units.keys():
                near.add(known.pop(id)[_HEX])
        return near

    def recall(self, battle: OstBattle, side: str, listed: ForUnit[T], /, reach: int) -> list[T]:
        """What is listed for every unit of a side on the map: again only for those near whom something changed."""
        lists: dict[str, list[T]]
        last, lists = self._known.get((side, listed)) or (-1, {})
        for unit in self._changed_since(battle, side, last, reach):
            lists[unit.id] = list(listed(battle, unit))
        self._known[side, listed] = (self._clock, lists)
        return list(chain.from_iterable(map(lists.__getitem__, self._ids[side])))

    def _changed_since(self, battle: OstBattle, side: str, last: int, reach: int) -> list[Unit]:
        """The units of a side near which something changed after a listing."""
        found = self._stale.get((side, last, reach))
        if found is None:
            units, when = battle.units(side), self._changed[reach].get
            found = self._stale[side, last, reach] = [unit for unit in units if when(unit.hex, 0) > last]
            self._ids[side] = [unit.id for unit in units]
        return found


def memory_of(battle: OstBattle) -> UnitMemory:
    """The memory of a battle, as things are now."""
    memory: UnitMemory | None = battle.unit_memory
    if memory is None:
        memory = battle.unit_memory = UnitMemory()
    memory.look_round(battle)
    return memory
