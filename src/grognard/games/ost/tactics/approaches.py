"""Where the enemy will come from and what he wants: the ways that matter, before anybody has moved."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.board.hex.arcs import covered_arc
from grognard.core.dice import FairDice
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import spotter
from grognard.games.ost.state import ON_MAP, State, Unit
from grognard.kits.hex.tactics.approaches import Approaches

if TYPE_CHECKING:
    from grognard.games.ost.tactics.ground import Way
    from grognard.games.ost.tactics.knowledge import Knowledge


class OstApproaches(Approaches[OstBattle, Scenario]):
    """What a scenario tells of both sides' ways."""

    slack = 9

    def __init__(self, know: Knowledge, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.know = know
        self._scout = next(kind.id for kind in roster().values() if kind.squad)
        self._seen: dict[str, frozenset[str]] = {}
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

    def move_of(self, kind: str) -> str:
        """On foot, on wheels or on tracks."""
        return roster()[kind].move_type

    def far(self, battle: OstBattle, side: str, move: str, hexes: Iterable[str]) -> dict[str, int]:
        """How far each hex is from the nearest of some, in half points."""
        return self.know.land.way(battle, side, move, hexes).hexes

    def standing(self, battle: OstBattle, side: str, known_to: str) -> tuple[str, ...]:
        """Where units of a side stand that another knows of: of the enemy's not the hidden ones (73.2)."""
        return tuple(u.hex for u in battle.units(side) if side == known_to or not u.hidden)

    def ends(self, battle: OstBattle, side: str) -> list[tuple[tuple[str, ...], float]]:
        """What a side wants: hexes together with what they are worth to it."""
        victory_values, enemy = self.know.victory_values, battle.other(side)
        found: list[tuple[tuple[str, ...], float]] = []
        for goal in victory_values.goals(battle):
            worth = goal.worth.get(side, 0.0) + goal.worth.get(enemy, 0.0)
            if battle.state.control.get(goal.hex) != side and worth:
                found.append(((goal.hex,), worth))
        for _, hexes, worth in victory_values.exit_points[side]:
            edge = tuple(hex for hex in hexes if battle.grid.is_edge(hex))
            if edge:
                found.append((edge, 3 * worth))
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

    def wanted(self, battle: OstBattle, side: str, move: str, hex: str) -> int:
        """How far a hex is from what a side wants most, in half points."""
        key = (side, move, tuple(battle.state.control.items()), len(battle.state.works))
        ways = self._wanted.get(key)
        if ways is None:
            ends = self.ends(battle, side) or [
                ((goal.hex,), sum(goal.worth.values())) for goal in self.know.victory_values.goals(battle)
            ]
            land = self.know.land
            ways = self._wanted[key] = [(land.way(battle, side, move, hexes), worth) for hexes, worth in ends]
        best, least = 0.0, 60
        for way, worth in ways:
            far = way.hexes.get(hex)
            if far is not None and worth / (4 + far) > best:
                best, least = worth / (4 + far), far
        return least
