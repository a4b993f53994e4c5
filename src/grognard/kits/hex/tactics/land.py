"""The ground of a scenario as a commander sees it: what each step costs, and how far everything is.

Prices are whole numbers in whatever fraction of a Movement Point the game counts. What the map alone says is worked out
once and kept.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Any, Generic, NamedTuple, TypeVar

from grognard.kits.hex.battle import HexBattle

#: How many distance maps are kept, and how many maps of prices.
KEEP, PRICES = 400, 12
#: Nothing is as far as this.
FAR = 10_000


class Step(NamedTuple):
    """A step to the next hex: its price, whether it is one to be shy of (a vehicle may bog), and its direction."""

    hex: str
    points: int
    bog: bool
    way: int


#: From which hexes a hex is entered, at what price, and in which direction.
Back = dict[str, list[tuple[str, int, int]]]

B = TypeVar("B", bound=HexBattle[Any, Any, Any, Any])
#: What a game keeps of how far it is to a goal from each hex.
W = TypeVar("W")


class Land(ABC, Generic[B, W]):
    """What is known of a scenario's map. ``move`` is how a unit moves, in the game's own words."""

    #: What a plan adds to the price of a step that it is shy of.
    shy: int = 0

    def __init__(self) -> None:
        self._steps: dict[Hashable, dict[str, tuple[Step, ...]]] = {}
        self._by_way: dict[Hashable, dict[str, tuple[Step | None, ...]]] = {}
        self._back: dict[Hashable, Back] = {}
        self._ways: dict[Hashable, W] = {}

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def step(self, battle: B, move: str, start: str, way: int, hex: str) -> Step | None:
        """What the map says of the step to the next hex; None where nobody may take it."""

    @abstractmethod
    def extra(self, battle: B, side: str, move: str) -> dict[str, int]:
        """What lies on the map and adds to the price of a hex in a side's plan."""

    @abstractmethod
    def distances(self, battle: B, move: str, ends: tuple[str, ...], back: Back) -> W:
        """How far it is to the nearest of some hexes, made of prices; `far` is that for who needs no facing."""

    def changes(self, battle: B) -> Hashable:
        """What tells the map as it is now from the map as it was."""
        return 0

    # -- steps -------------------------------------------------------------------------------------------

    def steps(self, battle: B, move: str) -> dict[str, tuple[Step, ...]]:
        """The steps that the map allows from each hex."""
        key = (move, self.changes(battle))
        known = self._steps.get(key)
        if known is None:
            known = self._steps[key] = {hex: self._from(battle, move, hex) for hex in battle.grid.hexes}
        return known

    def _from(self, battle: B, move: str, start: str) -> tuple[Step, ...]:
        around = battle.grid.neighbors[start]
        ends = ((way, hex) for way in range(1, 7) if (hex := around[way]) is not None)
        return tuple(step for way, hex in ends if (step := self.step(battle, move, start, way, hex)) is not None)

    def by_way(self, battle: B, move: str) -> dict[str, tuple[Step | None, ...]]:
        """As `steps`, by direction: the step ahead is found under the number that a vehicle faces."""
        key = (move, self.changes(battle))
        known = self._by_way.get(key)
        if known is None:
            known = self._by_way[key] = {}
            for hex, steps in self.steps(battle, move).items():
                ways = {step.way: step for step in steps}
                known[hex] = tuple(ways.get(way) for way in range(7))
        return known

    # -- distances ---------------------------------------------------------------------------------------

    def way(self, battle: B, side: str, move: str, goals: Iterable[str]) -> W:
        """How far it is from everywhere to the nearest of the goals."""
        return self.way_past(battle, move, goals, self.extra(battle, side, move))

    def way_past(self, battle: B, move: str, goals: Iterable[str], extra: Mapping[str, int]) -> W:
        """As `way`, where it is known already what some hexes cost more."""
        ends = tuple(sorted(goals))
        key = (move, ends, tuple(sorted(extra.items())), self.changes(battle))
        known = self._ways.get(key)
        if known is None:
            if len(self._ways) >= KEEP:
                self._ways.clear()
            known = self._ways[key] = self.distances(battle, move, ends, self._prices(battle, move, extra))
        return known

    def _prices(self, battle: B, move: str, extra: Mapping[str, int]) -> Back:
        """The steps backwards, with what they cost in a plan."""
        key = (move, tuple(sorted(extra.items())), self.changes(battle))
        known = self._back.get(key)
        if known is not None:
            return known
        if len(self._back) >= PRICES:
            self._back.clear()
        back: Back = {hex: [] for hex in battle.grid.hexes}
        for start, steps in self.steps(battle, move).items():
            for step in steps:
                price = step.points + extra.get(step.hex, 0) + (self.shy if step.bog else 0)
                back[step.hex].append((start, price, step.way))
        self._back[key] = back
        return back


def far(ends: Iterable[str], back: Back) -> dict[str, int]:
    """How far it is to the nearest of some hexes from each hex that leads there, without a facing."""
    found = dict.fromkeys(ends, 0)
    queue = [(0, hex) for hex in found]
    while queue:
        cost, hex = heappop(queue)
        if cost > found[hex]:
            continue
        for start, price, _ in back[hex]:
            new = cost + price
            if new < found.get(start, FAR):
                found[start] = new
                heappush(queue, (new, start))
    return found
