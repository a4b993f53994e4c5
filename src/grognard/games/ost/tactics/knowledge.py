"""What is found once about a scenario and kept: its stakes, its land, and who sees what from where."""

from __future__ import annotations

from typing import Any

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import sight_hex
from grognard.games.ost.state import Unit
from grognard.games.ost.tactics.front import Front
from grognard.games.ost.tactics.ground import Land, Way
from grognard.games.ost.tactics.stakes import Stakes

#: How many rows of sight are kept before all are forgotten.
KEEP = 3000
#: How many states of the ground, and how many scenarios, are kept at once.
GROUNDS, SCENARIOS = 40, 12

Row = dict[str, int]
Rows = dict[tuple[str, str, bool, bool], Row]


class Knowledge:
    """What a commander knows of a scenario before he looks at a position."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.stakes = Stakes(scenario)
        self.land = Land(scenario)
        self.front = Front(self, scenario)
        self._quick: dict[tuple[Any, ...], Way] = {}
        self._seen: dict[tuple[Any, ...], Rows] = {}

    @classmethod
    def of(cls, scenario: Scenario) -> Knowledge:
        """What is known of a scenario, kept for the scenarios looked at last."""
        known = _KNOWN.get(id(scenario))
        if known is None or known.scenario is not scenario:
            if len(_KNOWN) >= SCENARIOS:
                _KNOWN.clear()
            known = _KNOWN[id(scenario)] = cls(scenario)
        return known

    def rows(self, battle: OstBattle) -> Rows:
        """All rows of sight over the map with what lies on it now: smoke, wrecks, roadblocks and rubble."""
        state = battle.state
        blocks = [hex for hex, work in state.works.items() if work.kind == "roadblock" and not work.hidden]
        ground = (tuple(state.smoke), tuple(state.wrecks), tuple(blocks), tuple(state.rubble))
        found = self._seen.get(ground)
        if found is None:
            if len(self._seen) >= GROUNDS:
                self._seen.clear()
            found = self._seen[ground] = {}
        return found

    def row(self, rows: Rows, unit: Unit) -> Row:
        """What a unit sees from where it stands, as far as it has been asked for: hexes with their degradations."""
        key = (unit.kind, unit.hex, unit.on_road, not unit.aboard)
        found = rows.get(key)
        if found is None:
            if len(rows) >= KEEP:
                rows.clear()
            found = rows[key] = {}
        return found

    def see(self, battle: OstBattle, unit: Unit, row: Row, hex: str) -> int:
        """How often the line from a unit to a hex is degraded; -1 where it is blocked."""
        line = sight_hex(battle, unit, hex)
        found = row[hex] = len(line.degraded) if line.clear else -1
        return found

    def seen(self, battle: OstBattle, unit: Unit, row: Row, hex: str) -> int:
        """As `see`, from what is kept if it is."""
        found = row.get(hex)
        return self.see(battle, unit, row, hex) if found is None else found

    def quick_way(self, battle: OstBattle, unit: Unit) -> Way | None:
        """The way to what a unit would go for, at a glance: an exit, or the hex that is worth most for its distance."""
        kind, side = battle.kinds[unit.kind], unit.side
        exit_worth, hexes = self.stakes.exit_of(kind, side)
        if exit_worth:
            return self._way(battle, side, kind.move_type, tuple(h for h in hexes if battle.grid.is_edge(h)))
        control, here = battle.state.control, battle.grid.dist[unit.hex]
        best, most = "", 0.0
        for hex, owner in control.items():
            worth = (1.0 if owner != side else 0.3) / (3 + here[hex])
            if worth > most:
                best, most = hex, worth
        return self._way(battle, side, kind.move_type, (best,)) if best else None

    def _way(self, battle: OstBattle, side: str, move: str, ends: tuple[str, ...]) -> Way:
        """As the land's own, but looked up by less: works hardly change."""
        key = (side, move, ends, len(battle.state.works), len(battle.state.rubble))
        found = self._quick.get(key)
        if found is None:
            if len(self._quick) > KEEP:
                self._quick = {}
            found = self._quick[key] = self.land.way(battle, side, move, ends)
        return found


_KNOWN: dict[int, Knowledge] = {}
