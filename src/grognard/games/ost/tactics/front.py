"""Where the enemy will come from and what he wants: the ways that matter, before anybody has moved."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from grognard.board.arcs import covered_arc
from grognard.core.dice import FairDice
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import spotter
from grognard.games.ost.state import ON_MAP, State, Unit

if TYPE_CHECKING:
    from grognard.games.ost.tactics.ground import Way
    from grognard.games.ost.tactics.knowledge import Knowledge

#: How much longer than the shortest a way may be to be thought of, in half points.
SLACK = 9


class Front:
    """What a scenario tells of both sides' ways."""

    def __init__(self, know: Knowledge, scenario: Scenario) -> None:
        self.know, self.scenario = know, scenario
        self.origins: dict[str, tuple[str, ...]] = {side: self._origin(side) for side in scenario.side_names}
        self._approach: dict[str, dict[str, float]] = {}
        self._scout = next(kind.id for kind in roster().values() if kind.squad)
        self._seen: dict[str, frozenset[str]] = {}
        self._fields: dict[tuple[str, str, int], float] = {}
        self._wanted: dict[tuple[object, ...], list[tuple[Way, float]]] = {}

    def survey(self) -> None:
        """Look over the map once: the ways to what counts, and sight between all hexes if anybody is to be set up."""
        if any(placing.zone for placing in self.scenario.units):
            self.seen_from(self.bare.grid.hexes[0])
        kinds = roster()
        for side in self.scenario.side_names:
            for move in {kinds[placing.kind].move_type for placing in self.scenario.units if placing.side == side}:
                for hexes, _ in self.ends(self.bare, side):
                    self.know.land.way(self.bare, side, move, hexes)

    def _origin(self, side: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for placing in self.scenario.units:
            if placing.side == side:
                hexes = (placing.at,) if placing.at else placing.entry or placing.zone
                found.update(dict.fromkeys(hex for hex in hexes if hex))
        return tuple(found)

    def moves(self, side: str) -> list[tuple[str, float]]:
        """How a side moves, by its share: on foot, on wheels, on tracks."""
        kinds = roster()
        counted: dict[str, float] = {}
        for placing in self.scenario.units:
            if placing.side == side:
                move = kinds[placing.kind].move_type
                counted[move] = counted.get(move, 0.0) + 1.0
        total = sum(counted.values()) or 1.0
        return [(move, share / total) for move, share in counted.items() if share / total > 0.15] or [("foot", 1.0)]

    def ends(self, battle: OstBattle, side: str) -> list[tuple[tuple[str, ...], float]]:
        """What a side wants: hexes together with what they are worth to it."""
        stakes, enemy = self.know.stakes, battle.other(side)
        found: list[tuple[tuple[str, ...], float]] = []
        for goal in stakes.goals(battle):
            worth = goal.worth.get(side, 0.0) + goal.worth.get(enemy, 0.0)
            if battle.state.control.get(goal.hex) != side and worth:
                found.append(((goal.hex,), worth))
        for _, hexes, worth in stakes.exit_points[side]:
            edge = tuple(hex for hex in hexes if battle.grid.is_edge(hex))
            if edge:
                found.append((edge, 3 * worth))
        return found

    def approach(self, battle: OstBattle, side: str) -> dict[str, float]:
        """The hexes that the enemies of a side will likely cross, with how likely and how much it matters."""
        known = self._approach.get(side)
        if known is not None:
            return known
        enemy = battle.other(side)
        found: dict[str, float] = {}
        origins = self.origins[enemy] or tuple(u.hex for u in battle.units(enemy) if not u.hidden)
        ends = self.ends(battle, enemy)
        if not ends:
            ends = [(tuple(self.origins[side]) or tuple(u.hex for u in battle.units(side)), 1.0)]
        total = sum(worth for _, worth in ends) or 1.0
        land = self.know.land
        for move, share in self.moves(enemy):
            if not origins:
                break
            back = land.way(battle, side, move, origins).hexes
            for hexes, worth in ends:
                if not hexes:
                    continue
                on = land.way(battle, side, move, hexes).hexes
                sums = {hex: back[hex] + far for hex, far in on.items() if hex in back}
                if not sums:
                    continue
                shortest = min(sums.values())
                for hex, length in sums.items():
                    over = length - shortest
                    if over < SLACK:
                        found[hex] = found.get(hex, 0.0) + share * worth / total * (1 - over / SLACK)
        self._approach[side] = found
        return found

    @cached_property
    def bare(self) -> OstBattle:
        """The map with nothing on it."""
        return OstBattle(self.scenario, State(units={}, weapons={}, turn=1), FairDice(b"survey"))

    def seen_from(self, hex: str) -> frozenset[str]:
        """The hexes in sight of a hex over the bare ground."""
        found = self._seen.get(hex)
        if found is None:
            battle = self.bare
            scout = Unit("scout", 0, self._scout, battle.sides[0], status=ON_MAP, hex=hex)
            spots = spotter(battle, scout)
            assert spots is not None, "a scout in good order spots"
            found = self._seen[hex] = frozenset(other for other in battle.grid.hexes if spots(other))
        return found

    def field(self, battle: OstBattle, side: str, hex: str, reach: int) -> float:
        """How much of the enemy's ways a unit would have under fire from a hex."""
        known = self._fields.get((side, hex, reach))
        if known is not None:
            return known
        approach, here = self.approach(battle, side), battle.grid.dist[hex]
        total = sum(approach.values()) or 1.0
        found = 0.0
        for other in self.seen_from(hex) & approach.keys():
            distance = here[other]
            if 0 < distance <= reach:
                found += approach[other] * (1.0 if distance <= 6 else 0.7)
        found = self._fields[side, hex, reach] = found / total
        return found

    def ahead(self, battle: OstBattle, side: str, hex: str, facing: int) -> float:
        """How much of the enemies that are seen, or of their ways, lies in the arc of a facing."""
        foes = [u.hex for u in battle.units(battle.other(side)) if not u.hidden and u.hex != hex]
        if foes:
            grid = battle.grid
            weights = [1 / (1 + grid.dist[hex][foe]) for foe in foes]
            within = [w for foe, w in zip(foes, weights) if covered_arc(grid, hex, facing, foe)]
            return sum(within) / sum(weights)
        approach, seen = self.approach(battle, side), self.seen_from(hex)
        ways = {other: w for other, w in approach.items() if other != hex and other in seen} or approach
        total = sum(ways.values()) or 1.0
        found = sum(w for other, w in ways.items() if other != hex and covered_arc(battle.grid, hex, facing, other))
        return found / total

    def far(self, battle: OstBattle, side: str, move: str, hex: str) -> int:
        """How far a hex is from what a side wants most, in half points."""
        key = (side, move, tuple(battle.state.control.items()), len(battle.state.works))
        ways = self._wanted.get(key)
        if ways is None:
            ends = self.ends(battle, side) or [
                ((goal.hex,), sum(goal.worth.values())) for goal in self.know.stakes.goals(battle)
            ]
            land = self.know.land
            ways = self._wanted[key] = [(land.way(battle, side, move, hexes), worth) for hexes, worth in ends]
        best, least = 0.0, 60
        for way, worth in ways:
            far = way.hexes.get(hex)
            if far is not None and worth / (4 + far) > best:
                best, least = worth / (4 + far), far
        return least
