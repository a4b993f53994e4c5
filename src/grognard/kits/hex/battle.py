"""A battle on hexes: the state with the indexes that make looking things up quick."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import HexGrid
from grognard.core.battle import Battle
from grognard.core.dice import Dice
from grognard.kits.hex.state import ON_MAP, HexState, Unit

#: A game's scenario, its state, its units and what it knows of a kind of unit.
Sc = TypeVar("Sc")
S = TypeVar("S", bound=HexState[Any])
U = TypeVar("U", bound=Unit)
K = TypeVar("K")


class HexBattle(Battle[S], Generic[Sc, S, U, K]):
    """State, scenario, map, dice and log, and what can be worked out from them.

    ``at`` lists the units on each hex in the order of their numbers, whoever rides along and whoever is hidden
    included. It follows from the state alone, so that a decoded state leads to the same battle.
    """

    scenario: Sc

    def __init__(self, scenario: Any, state: S, dice: Dice, kinds: Mapping[str, K]) -> None:
        super().__init__(scenario, state, dice)
        self.kinds = kinds
        self.field: Battlefield = scenario.battlefield
        assert self.field.grid is not None
        self.grid: HexGrid = self.field.grid
        self.sides: tuple[str, str] = scenario.side_names
        self._listed: dict[str, list[U]] | None = None
        self.at: dict[str, list[U]] = {}
        for unit in state.units.values():
            if unit.status == ON_MAP:
                self.at.setdefault(unit.hex, []).append(unit)

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def name(self, unit: Any) -> str:
        """How people call a unit."""

    def followers(self, unit: U) -> Sequence[U]:
        """Who goes wherever a unit goes: those on the map whom it carries or tows, and whoever leads it."""
        return ()

    # -- sides and units ---------------------------------------------------------------------------------

    def other(self, side: str) -> str:
        """The enemy of a side."""
        first, second = self.sides
        return second if side == first else first

    def type(self, unit: U) -> K:
        """What is printed on the unit's counter."""
        return self.kinds[unit.kind]

    def unit(self, id: str) -> U:
        """The unit of an id."""
        found: U = self.state.units[id]
        return found

    def units(self, side: str) -> list[U]:
        """The side's units on the map, in the order of battle.

        Every kind of action asks for them at every turn, so the lists are kept until a unit is placed or lifted.
        """
        if self._listed is None:
            self._listed = {name: [] for name in self.sides}
            for unit in self.state.units.values():
                if unit.status == ON_MAP:
                    self._listed[unit.side].append(unit)
        return self._listed[side]

    # -- stacks --------------------------------------------------------------------------------------------

    def stack(self, hex: str, side: str) -> list[U]:
        """The side's units in a hex."""
        return [u for u in self.at.get(hex, ()) if u.side == side]

    def place(self, unit: U, hex: str) -> None:
        """Put a unit in a hex, with whoever goes where it goes."""
        followers = self.followers(unit)
        self.lift(unit)
        self._listed = None
        unit.status, unit.hex = ON_MAP, hex
        here = self.at.setdefault(hex, [])
        here.append(unit)
        here.sort(key=_number)
        for follower in followers:
            self.place(follower, hex)

    def lift(self, unit: U) -> None:
        """Take a unit off the index of its hex; its new status is the caller's business, at once."""
        self._listed = None
        if unit.status == ON_MAP:
            here = self.at[unit.hex]
            here.remove(unit)
            if not here:
                del self.at[unit.hex]


def _number(unit: Unit) -> int:
    return unit.n
