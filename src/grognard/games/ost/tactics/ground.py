"""The ground of a scenario as a commander sees it: how far everything is, and what shelters.

Prices are half Movement Points, as everywhere. What the map alone says is worked out once and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from grognard.board.arcs import turned
from grognard.games.ost import terrain
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import UnitType, roster
from grognard.games.ost.scenario import Scenario

#: What a roadblock, wire and known mines cost a plan, in half points, beside their price.
BLOCKED, WIRED, MINED, BOGGY = 20, 4, 10, 5
#: How many distance maps are kept.
KEEP = 400
#: How many maps of prices.
PRICES = 12
FAR = 10_000
PIVOT = 2
REVERSE = 4


class Step(NamedTuple):
    """A step to the next hex: its price, whether a vehicle may bog there, and its direction."""

    hex: str
    points: int
    bog: bool
    way: int


class Way(NamedTuple):
    """How far it is to a goal: from each hex, and for vehicles from each hex and facing."""

    hexes: dict[str, int]
    faced: dict[tuple[str, int], int]


class Land:
    """What is known of a scenario's map."""

    def __init__(self, scenario: Scenario) -> None:
        self.grid = scenario.battlefield.grid
        self._steps: dict[tuple[str, int], dict[str, tuple[Step, ...]]] = {}
        self._by_way: dict[tuple[str, int], dict[str, tuple[Step | None, ...]]] = {}
        self._back: dict[tuple[object, ...], dict[str, list[tuple[str, int, int]]]] = {}
        self._ways: dict[tuple[object, ...], Way] = {}
        self._lifts: dict[tuple[str, tuple[str, ...]], tuple[Way, Way, Way]] = {}
        kinds = roster().values()
        self._type = {move: next(k for k in kinds if k.move_type == move) for move in ("foot", "wheeled", "tracked")}

    # -- steps ---------------------------------------------------------------------

    def steps(self, battle: OstBattle, move: str) -> dict[str, tuple[Step, ...]]:
        """The steps that the map allows from each hex; buildings are entered on foot."""
        key = (move, len(battle.state.rubble))
        known = self._steps.get(key)
        if known is None:
            known = self._steps[key] = {hex: self._from(battle, self._type[move], hex) for hex in battle.grid.hexes}
        return known

    def by_way(self, battle: OstBattle, move: str) -> dict[str, tuple[Step | None, ...]]:
        """As `steps`, by direction: the step ahead is found under the number that a vehicle faces."""
        key = (move, len(battle.state.rubble))
        known = self._by_way.get(key)
        if known is None:
            known = self._by_way[key] = {}
            for hex, steps in self.steps(battle, move).items():
                ways = {step.way: step for step in steps}
                known[hex] = tuple(ways.get(way) for way in range(7))
        return known

    def _from(self, battle: OstBattle, kind: UnitType, start: str) -> tuple[Step, ...]:
        found = []
        for way in range(1, 7):
            hex = battle.grid.neighbors[start][way]
            if hex is not None:
                step = terrain.ground(battle, kind, start, hex)
                if step.bar is None:
                    found.append(Step(hex, step.points, step.bog, way))
        return tuple(found)

    def extra(self, battle: OstBattle, side: str, move: str) -> dict[str, int]:
        """What works and known mines add to the price of a hex in a plan."""
        found: dict[str, int] = {}
        vehicle = move != "foot"
        for hex, work in battle.state.works.items():
            if work.hidden and work.side != side:
                continue
            if work.kind == "wire":
                found[hex] = battle.figures.counter["wire"].mp.get(move, 0) + WIRED
            elif work.kind == "roadblock":
                found[hex] = BLOCKED if vehicle else 2
            elif work.kind == "pillbox" and vehicle:
                found[hex] = BLOCKED
        for hex, mines in battle.state.mines.items():
            if mines.side != side and mines.revealed:
                found[hex] = found.get(hex, 0) + MINED
        return found

    # -- distances ---------------------------------------------------------------------

    def way(self, battle: OstBattle, side: str, move: str, goals: Iterable[str]) -> Way:
        """How far it is from everywhere to the nearest of the goals."""
        return self.way_past(battle, move, goals, self.extra(battle, side, move))

    def way_past(self, battle: OstBattle, move: str, goals: Iterable[str], extra: dict[str, int]) -> Way:
        """As `way`, where it is known already what the hexes with works and mines cost more."""
        ends = tuple(sorted(goals))
        key = (move, ends, tuple(sorted(extra.items())), len(battle.state.rubble))
        known = self._ways.get(key)
        if known is None:
            if len(self._ways) >= KEEP:
                self._ways.clear()
            make = self._on_foot if move == "foot" else self._driving
            known = self._ways[key] = make(battle, move, ends, extra)
        return known

    def lift(self, driven: Way, afoot: Way, move: str, ends: tuple[str, ...]) -> Way:
        """How far it is for a vehicle that carries men to a goal: as far as it drives and as they would walk.

        Whoever counts only the drive is content with standing anywhere by the road.
        """
        known = self._lifts.get((move, ends))
        if known is None or known[0] is not driven or known[1] is not afoot:
            if len(self._lifts) >= KEEP:
                self._lifts.clear()
            on = afoot.hexes
            way = Way(
                {hex: far + on.get(hex, far) for hex, far in driven.hexes.items()},
                {(hex, facing): far + on.get(hex, far) for (hex, facing), far in driven.faced.items()},
            )
            known = self._lifts[move, ends] = (driven, afoot, way)
        return known[2]

    def _prices(self, battle: OstBattle, move: str, extra: dict[str, int]) -> dict[str, list[tuple[str, int, int]]]:
        """Backwards: from which hexes a hex is entered, at what price, and in which direction."""
        key = (move, tuple(sorted(extra.items())), len(battle.state.rubble))
        known = self._back.get(key)
        if known is not None:
            return known
        if len(self._back) >= PRICES:
            self._back.clear()
        back: dict[str, list[tuple[str, int, int]]] = {hex: [] for hex in battle.grid.hexes}
        for start, steps in self.steps(battle, move).items():
            for step in steps:
                price = step.points + extra.get(step.hex, 0) + (BOGGY if step.bog else 0)
                back[step.hex].append((start, price, step.way))
        self._back[key] = back
        return back

    def _on_foot(self, battle: OstBattle, move: str, ends: tuple[str, ...], extra: dict[str, int]) -> Way:
        back = self._prices(battle, move, extra)
        far = dict.fromkeys(ends, 0)
        queue = [(0, hex) for hex in ends]
        while queue:
            cost, hex = heappop(queue)
            if cost > far[hex]:
                continue
            for start, price, _ in back[hex]:
                new = cost + price
                if new < far.get(start, FAR):
                    far[start] = new
                    heappush(queue, (new, start))
        return Way(far, {})

    def _driving(self, battle: OstBattle, move: str, ends: tuple[str, ...], extra: dict[str, int]) -> Way:
        """As on foot, but a vehicle goes where it faces, turns a hexside after each step, and pays to pivot (76)."""
        back = self._prices(battle, move, extra)
        far: dict[tuple[str, int], int] = {(hex, facing): 0 for hex in ends for facing in range(1, 7)}
        queue = [(0, hex, facing) for hex, facing in far]
        least: dict[str, int] = {}
        while queue:
            cost, hex, facing = heappop(queue)
            if cost > far[hex, facing]:
                continue
            if hex not in least:
                least[hex] = cost
                for other in range(1, 7):  # a pivot
                    if cost + PIVOT < far.get((hex, other), FAR):
                        far[hex, other] = cost + PIVOT
                        heappush(queue, (cost + PIVOT, hex, other))
            turns = (turned(facing, -1), facing, turned(facing, 1))
            for start, price, way in back[hex]:
                if way in turns:
                    new, before = cost + price, way
                elif turned(way, 3) in turns:
                    new, before = cost + price + REVERSE, turned(way, 3)
                else:
                    continue
                if new < far.get((start, before), FAR):
                    far[start, before] = new
                    heappush(queue, (new, start, before))
        return Way(least, far)

    # -- shelter ---------------------------------------------------------------------

    def shelter(self, battle: OstBattle, side: str, hex: str, foot: bool) -> int:
        """What a hex adds to the Defense of a unit that would stand in it, so far as its side knows."""
        ground = battle.terrain(hex)
        found = ground.defense if foot or not ground.structure else 0
        state = battle.state
        if (work := state.works.get(hex)) is not None and not (work.hidden and work.side != side):
            if work.kind == "cover":
                found += 1 if work.side == side else 0
            elif work.kind in ("foxholes", "trench"):
                found += battle.figures.counter[work.kind].defense if foot else 0
            elif work.kind in ("bunker", "pillbox"):
                found += 2 if foot else 0
            else:
                found += battle.figures.counter[work.kind].defense
        if hex in state.smoke:
            found += 1
        if hex in state.wrecks:
            found += battle.figures.counter["wreck"].defense
        return found
