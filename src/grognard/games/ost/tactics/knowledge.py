"""What is found once about a scenario and kept: its victory values, its land, and who sees what from where."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.sight import ground_now, pairs_now, sight_hex, stance_of
from grognard.games.ost.state import Unit
from grognard.games.ost.tactics.approaches import OstApproaches
from grognard.games.ost.tactics.ground import Land, Way
from grognard.games.ost.tactics.pieces import Piece
from grognard.games.ost.tactics.profiles import Profile, Profiles
from grognard.games.ost.tactics.victory_values import VictoryValues
from grognard.kits.hex.looks import Pairs

if TYPE_CHECKING:
    from grognard.games.ost.tactics.moves import Plan

#: How many rows of sight are kept before all are forgotten.
KEEP = 3000
#: How many states of the ground, and how many scenarios, are kept at once.
GROUNDS, SCENARIOS = 40, 12

#: How many positions of the enemy are kept with what was found out about the hexes before them.
VIEWS = 40


class Row(dict[str, int]):
    """What is seen from a place: hexes with how often the line to them is degraded, -1 where it is blocked.

    ``bare`` is the same row over the ground without ``counters``, the hexes with smoke, wrecks and roadblocks.
    """

    __slots__ = ("bare", "counters")

    def __init__(self, bare: Row | None, counters: tuple[str, ...]) -> None:
        super().__init__()
        self.bare, self.counters = bare, counters


class Rows(dict[tuple[str, str, bool, bool], Row]):
    """All rows over the ground as it is at one time, with those over the ground without counters."""

    __slots__ = ("bare", "counters")

    def __init__(self, bare: Rows | None, counters: tuple[str, ...]) -> None:
        super().__init__()
        self.bare, self.counters = bare, counters


class View(NamedTuple):
    """What is known before enemies who stand just so: the danger for men and vehicles in hexes, fire from there, and
    the Moves that units have planned."""

    men: dict[tuple[str, int], tuple[float, float]]
    vehicles: dict[tuple[str, str, int, int], tuple[float, float]]
    aim: dict[tuple[Profile, str, int, int], float]
    plans: dict[tuple[Any, ...], tuple[Way | None, dict[str, Plan]]]


def ground_of(battle: OstBattle) -> tuple[Any, ...]:
    """What lies on the map that may be in the way of sight."""
    state = battle.state
    blocks = [hex for hex, work in state.works.items() if work.kind == "roadblock" and not work.hidden]
    if not (state.smoke or state.wrecks or blocks or state.rubble):
        return ()
    return (tuple(state.smoke), tuple(state.wrecks), tuple(blocks), tuple(state.rubble))


class Knowledge:
    """What a commander knows of a scenario before he looks at a position."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.victory_values = VictoryValues(scenario)
        self.profiles = Profiles(self.victory_values)
        self.land = Land()
        self.approaches = OstApproaches(self, scenario)
        self._seen: dict[tuple[Any, ...], Rows] = {}
        self._pairs: Pairs | None = None
        self._whole: dict[str, Row] = {}
        self._views: OrderedDict[tuple[Any, ...], View] = OrderedDict()

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
        ground = ground_of(battle)
        found = self._seen.get(ground)
        if found is None:
            if len(self._seen) >= GROUNDS:
                self._seen.clear()
            counters = tuple(dict.fromkeys(hex for hexes in ground[:3] for hex in hexes))
            bare = None
            if counters:
                rubble = ground[3]
                empty = ((), (), (), rubble) if rubble else ()
                bare = self._seen.get(empty)
                if bare is None:
                    bare = self._seen[empty] = Rows(None, ())
            found = self._seen[ground] = Rows(bare, counters)
        return found

    def view(self, battle: OstBattle, foes: Iterable[Piece]) -> View:
        """What has been found out already about hexes against enemies that stand just so."""
        melees = battle.state.melees
        stands = [
            (
                *(foe.profile, foe.hex, foe.lead, foe.fresh, foe.guard, foe.power, foe.can_fire),
                *(foe.unit.on_road, foe.unit.aboard, foe.hex in melees),
            )
            for foe in foes
        ]
        key = (ground_of(battle), *stands)
        found = self._views.get(key)
        if found is None:
            if len(self._views) >= VIEWS:
                self._views.popitem(last=False)
            found = self._views[key] = View({}, {}, {}, {})
        else:
            self._views.move_to_end(key)
        return found

    def row(self, battle: OstBattle, rows: Rows, unit: Unit) -> Row:
        """What a unit sees from where it stands, as far as it has been asked for: hexes with their degradations."""
        key = (unit.kind, unit.hex, unit.on_road, not unit.aboard)
        found = rows.get(key)
        if found is None:
            if len(rows) >= KEEP:
                rows.clear()
            if rows.bare is not None:
                found = Row(self.row(battle, rows.bare, unit), rows.counters)
            else:
                found = self._surveyed(battle, unit) or Row(None, ())
            rows[key] = found
        return found

    def survey(self) -> None:
        """Find out at once what is seen from where over the bare ground, before anybody's time runs."""
        if self._pairs is None:
            self._pairs = pairs_now(self.approaches.bare)
        self.approaches.survey()

    def _surveyed(self, battle: OstBattle, unit: Unit) -> Row | None:
        """The whole row of a unit that stands in its hex as foot units do, if the map has been surveyed as it is."""
        if self._pairs is None or battle.state.rubble:
            return None
        ground, hex = ground_now(battle), unit.hex
        if stance_of(ground, battle, unit) != ground.default_stance(hex):
            return None
        found = self._whole.get(hex)
        if found is None:
            grid = self._pairs.grid
            found = self._whole[hex] = Row(None, ())
            found.update(zip(grid.hexes, self._pairs.verdict[grid.index[hex]].tolist()))
        return found

    def see(self, battle: OstBattle, unit: Unit, row: Row, hex: str) -> int:
        """How often the line from a unit to a hex is degraded; -1 where it is blocked."""
        bare = row.bare
        if bare is not None:
            known = bare.get(hex)
            if known == -1:  # what the ground blocks no counter opens
                row[hex] = -1
                return -1
            # A counter lies on the line between two hexes only if the way over it is hardly longer.
            dist = battle.grid.dist
            here = dist[unit.hex]
            most = here[hex] + 1
            for counter in row.counters:
                if here[counter] + dist[counter][hex] <= most:
                    bare = None
                    break
            else:
                if known is not None:
                    row[hex] = known
                    return known
        line = sight_hex(battle, unit, hex)
        found = row[hex] = len(line.degraded) if line.clear else -1
        if bare is not None:
            bare[hex] = found
        return found

    def seen(self, battle: OstBattle, unit: Unit, row: Row, hex: str) -> int:
        """As `see`, from what is kept if it is."""
        found = row.get(hex)
        return self.see(battle, unit, row, hex) if found is None else found


_KNOWN: dict[int, Knowledge] = {}
