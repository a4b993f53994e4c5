"""The ground of a scenario as a commander sees it: how far everything is, and what shelters.

Prices are half Movement Points, as everywhere.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from grognard.board.hex.arcs import turned
from grognard.games.ost import terrain
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import roster
from grognard.kits.hex.tactics import land as kit
from grognard.kits.hex.tactics.land import FAR, KEEP, Back, Step, far

#: What a roadblock, wire and known mines cost a plan, in half points, beside their price.
BLOCKED, WIRED, MINED, BOGGY = 20, 4, 10, 5
PIVOT = 2
REVERSE = 4


class Way(NamedTuple):
    """How far it is to a goal: from each hex, and for vehicles from each hex and facing."""

    hexes: dict[str, int]
    faced: dict[tuple[str, int], int]


class Land(kit.Land[OstBattle, Way]):
    """What is known of a scenario's map."""

    shy = BOGGY

    def __init__(self) -> None:
        super().__init__()
        self._lifts: dict[tuple[str, tuple[str, ...]], tuple[Way, Way, Way]] = {}
        kinds = roster().values()
        self._type = {move: next(k for k in kinds if k.move_type == move) for move in ("foot", "wheeled", "tracked")}

    # -- what the map says -------------------------------------------------------------

    def step(self, battle: OstBattle, move: str, start: str, way: int, hex: str) -> Step | None:
        """A step without works on it; buildings are entered on foot."""
        ground = terrain.ground(battle, self._type[move], start, hex)
        return Step(hex, ground.points, ground.bog, way) if ground.bar is None else None

    def changes(self, battle: OstBattle) -> int:
        """Structures fall and stay down (32.1)."""
        return len(battle.state.rubble)

    def extra(self, battle: OstBattle, side: str, move: str) -> dict[str, int]:
        """What works and known mines add to the price of a hex in a plan."""
        found: dict[str, int] = {}
        vehicle = move != "foot"
        for hex, work in battle.state.works.items():
            if work.hidden and work.side != side:
                continue
            if work.kind == "wire":
                found[hex] = battle.charts.counter["wire"].mp.get(move, 0) + WIRED
            elif work.kind == "roadblock":
                found[hex] = BLOCKED if vehicle else 2
            elif work.kind == "pillbox" and vehicle:
                found[hex] = BLOCKED
        for hex, mines in battle.state.mines.items():
            if mines.side != side and mines.revealed:
                found[hex] = found.get(hex, 0) + MINED
        return found

    # -- distances ---------------------------------------------------------------------

    def distances(self, battle: OstBattle, move: str, ends: tuple[str, ...], back: Back) -> Way:
        """On foot from each hex, driving also by facing."""
        return Way(far(ends, back), {}) if move == "foot" else self._driving(ends, back)

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

    def _driving(self, ends: tuple[str, ...], back: Back) -> Way:
        """As on foot, but a vehicle goes where it faces, turns a hexside after each step, and pays to pivot (76)."""
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
                found += battle.charts.counter[work.kind].defense if foot else 0
            elif work.kind in ("bunker", "pillbox"):
                found += 2 if foot else 0
            else:
                found += battle.charts.counter[work.kind].defense
        if hex in state.smoke:
            found += 1
        if hex in state.wrecks:
            found += battle.charts.counter["wreck"].defense
        return found
