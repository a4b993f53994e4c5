"""Who sees whom: the one function behind fire, spotting, the map tool and the bots (58).

`line_of_sight` has the rules. Here a question about units becomes one about two stances on the ground, and
the answer is kept: the ground changes only when a structure falls (32.1), and all battles on one map share
it. Smoke, wrecks and roadblocks are a thin layer, looked at only on lines that cross them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from grognard.board.hex.battlefield import Battlefield
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import OstCharts
from grognard.games.ost.line_of_sight import Met, Sight, best, forbidden, lines, look, look_along, met_along
from grognard.games.ost.obstacles import Line
from grognard.games.ost.sight_bulk import pairs_of
from grognard.games.ost.sight_ground import (
    EFFECTS,
    INSIDE,
    MOUNTED,
    MOUNTED_ON_ROAD,
    ON_ROAD,
    OUTSIDE,
    Counters,
    Ground,
    Stance,
    ground_of,
    step,
)
from grognard.games.ost.state import GOOD, ON_MAP, State, Unit
from grognard.kits.hex.looks import SEEN, UNKNOWN, UNSEEN, Looks, Pairs
from grognard.kits.hex.sight_report import ReportLine, SightReport

__all__ = ["Sight", "can_spot", "explain", "sees", "sight", "sight_from", "sight_hex"]


# ---- the questions ---------------------------------------------------------------------------------


def sight(battle: OstBattle, viewer: Unit, target: Unit) -> Sight:
    """Whether a unit sees another, and through what. Sight is mutual (L-15)."""
    # The most asked question of a game: two look-ups for the ends and one for the answer.
    cache, state = _cache_for(battle), battle.state
    known = cache.by_unit.get
    a = known((viewer.kind, viewer.hex, viewer.on_road, not viewer.aboard))
    b = known((target.kind, target.hex, target.on_road, not target.aboard))
    if a is None or b is None:
        a, b = cache.of_unit(battle, viewer), cache.of_unit(battle, target)
    answer = cache.answers.get((a, b))
    if answer is None or state.smoke or state.wrecks or state.works:
        return cache.sight(state, a, b)
    return answer.sight


def sees(battle: OstBattle, viewer: Unit, target: Unit) -> bool:
    """Whether a unit sees another, as `sight` tells with all that is on the way: listing shots needs no more."""
    cache, state = _cache_for(battle), battle.state
    known = cache.by_unit.get
    a = known((viewer.kind, viewer.hex, viewer.on_road, not viewer.aboard))
    b = known((target.kind, target.hex, target.on_road, not target.aboard))
    if a is None or b is None:
        a, b = cache.of_unit(battle, viewer), cache.of_unit(battle, target)
    row = cache.verdicts[a]
    verdict = row[b] if b < len(row) else UNKNOWN
    verdict = verdict or cache.verdict(a, b)
    if verdict == UNSEEN:
        return False  # what the ground blocks no counter opens
    if not (state.smoke or state.wrecks or state.works):
        return True
    here, there = battle.grid.dist[viewer.hex], battle.grid.dist[target.hex]
    most = here[target.hex] + 1  # a hex lies on the line between two others only if the way over it is hardly longer
    degraded = verdict - SEEN
    for hex in state.smoke:
        if here[hex] + there[hex] <= most:
            degraded += 1
    for hex in state.wrecks:
        if here[hex] + there[hex] <= most:
            degraded += 1
    for hex, work in state.works.items():
        if work.kind in cache.roadblocks and not work.hidden and here[hex] + there[hex] <= most:
            degraded += 1
    # A counter blocks nothing, and a hex with one degrades once more at most: so many are no matter.
    return degraded <= cache.ground.most or cache.ask(a, b, state).clear


def sight_hex(battle: OstBattle, viewer: Unit, hex: str) -> Sight:
    """Whether a unit sees a hex: a foot unit that would be there, in its structure if it has one (58.2)."""
    cache = _cache_for(battle)
    return cache.sight(battle.state, cache.of_unit(battle, viewer), cache.of_hex(hex))


def sight_from(battle: OstBattle, a: str, b: str) -> Sight:
    """The sight between foot units that would be in two hexes, for tools and plans (58.4)."""
    cache = _cache_for(battle)
    return cache.sight(battle.state, cache.of_hex(a), cache.of_hex(b))


def can_spot(battle: OstBattle, unit: Unit, hex: str) -> bool:
    """Whether a unit may spot a hex for a strike (107.5, 107.6)."""
    spots = spotter(battle, unit)
    return spots is not None and spots(hex)


def spotter(battle: OstBattle, unit: Unit) -> Callable[[str], bool] | None:
    """What tells whether a unit spots a hex: in good order, free to look, in sight and range (107.5, 107.6, L-16).

    A strike may be aimed at any hex of the map, so the bare ground is taken from the sight of the whole map before
    anything fell, and only lines that rubble or counters could lie on are followed.
    """
    state = battle.state
    if unit.status != ON_MAP or unit.morale != GOOD or unit.aboard or unit.hex in state.melees:
        return None
    cache = _cache_for(battle)
    own, dist, reach = cache.of_unit(battle, unit), battle.grid.dist, spotting_range(battle, unit)
    distances = dist[unit.hex]
    seen = cache.seen_from(unit.hex) if cache.stances[own] == cache.ground.default_stance(unit.hex) else None
    rubble = cache.ground.rubble
    counters = [*state.smoke, *state.wrecks, *(hex for hex in state.works if cache.in_the_way(state, hex))]

    def between(things: Iterable[str], hex: str) -> int:
        # a hex lies on the line between two others only if the way over it is hardly longer
        most, count = distances[hex] + 1, 0
        for thing in things:
            if distances[thing] + dist[thing][hex] <= most:
                count += 1
        return count

    def spots(hex: str) -> bool:
        if distances[hex] > reach:
            return False
        if seen is not None and not (rubble and between(rubble, hex)):
            degraded = seen.get(hex)
            if degraded is None:
                return False
            if not counters or degraded + between(counters, hex) <= cache.ground.most:
                return True  # as in `sees`: a counter blocks nothing and degrades once at most
        return cache.sight(state, own, cache.of_hex(hex)).clear

    return spots


def spotting_range(battle: OstBattle, unit: Unit) -> int:
    """20 hexes, or the unit's longest weapon's range if that is greater (107.6, L-16)."""
    common: int = battle.charts["los"]["spotting_range"]
    weapons = [battle.kinds[weapon.kind].reach for weapon in battle.weapons(unit)]
    return max(common, battle.kinds[unit.kind].reach, *weapons)


# ---- what is kept ----------------------------------------------------------------------------------


class _SightCache(Looks[Stance, Sight, State, Counters]):
    """What is known of a ground: the looks over it, the stance of every unit that was met, and of foot by hex."""

    mutual = True  # L-15

    def __init__(self, ground: Ground) -> None:
        # Fallen structures change few lines; the others are taken from the map as it was.
        whole = _cache_of(ground.field, ground.charts, ground.urban, frozenset()) if ground.rubble else None
        super().__init__(ground.rubble, whole)
        self.ground, self.whole = ground, whole
        self.rubble = len(ground.rubble)
        self.by_unit: dict[tuple[str, str, bool, bool], int] = {}
        self.by_hex: dict[str, int] = {}
        #: The works that stand in the way: roadblocks (31.7).
        self.roadblocks = {
            name for name, work in ground.charts.counter.items() if work.fortification and work.los == "degrade"
        }
        self.seen: dict[str, Mapping[str, int]] = {}
        self.pairs: Pairs | None = None

    def look(self, viewer: Stance, target: Stance, things: Counters | None = None) -> Sight:
        """The plain rule."""
        return look(self.ground, viewer, target, things)

    def between(self, viewer: Stance, target: Stance) -> Iterator[str]:
        """The hexes of every line where there are several (61.9)."""
        return (hex for line in lines(self.ground, viewer, target) for hexes in line.steps for hex in hexes)

    def lying(self, now: State, hexes: frozenset[str]) -> Counters | None:
        """The counters in some hexes that degrade (31.7, 33.5, 34.1)."""
        smoke, wrecks, works = now.smoke, now.wrecks, now.works
        if hexes.isdisjoint(smoke) and hexes.isdisjoint(wrecks) and hexes.isdisjoint(works):
            return None
        roadblocks = frozenset(hex for hex in hexes.intersection(works) if self.in_the_way(now, hex))
        return Counters(hexes.intersection(smoke), hexes.intersection(wrecks), roadblocks)

    def sight(self, state: State, a: int, b: int) -> Sight:
        """The sight between two stances as the board is now."""
        return self.ask(a, b, state if state.smoke or state.wrecks or state.works else None)

    def degradations(self, sight: Sight) -> int:
        """How often a clear sight is degraded (59.1)."""
        return len(sight.degraded)

    def seen_from(self, hex: str) -> Mapping[str, int]:
        """The hexes in sight of a foot unit in a hex before anything fell, each with its degradations."""
        if self.whole is not None:
            return self.whole.seen_from(hex)
        known = self.seen.get(hex)
        if known is None:
            known = self.seen[hex] = self.all_pairs().seen_from(hex)
        return known

    def all_pairs(self) -> Pairs:
        """Who sees whom on the whole map at once."""
        if self.pairs is None:
            self.pairs = pairs_of(self.ground)
        return self.pairs

    def of_unit(self, battle: OstBattle, unit: Unit) -> int:
        """The stance of a unit, by its number."""
        key = (unit.kind, unit.hex, unit.on_road, not unit.aboard)
        known = self.by_unit.get(key)
        if known is None:
            known = self.by_unit[key] = self.number(stance_of(self.ground, battle, unit))
        return known

    def of_hex(self, hex: str) -> int:
        """The stance of a foot unit in a hex, by its number."""
        known = self.by_hex.get(hex)
        if known is None:
            self.ground.grid.axial(hex)
            known = self.by_hex[hex] = self.number(self.ground.default_stance(hex))
        return known

    def in_the_way(self, state: State, hex: str) -> bool:
        """Whether the work in a hex is one that degrades, and on the board for all to see."""
        work = state.works[hex]
        return work.kind in self.roadblocks and not work.hidden


@lru_cache(maxsize=64)
def _cache_of(field: Battlefield, charts: OstCharts, urban: bool, rubble: frozenset[str]) -> _SightCache:
    return _SightCache(ground_of(field, charts, urban, rubble))


def _cache_for(battle: OstBattle) -> _SightCache:
    cache: _SightCache | None = battle.sight_cache
    if cache is None or cache.rubble != len(battle.state.rubble):
        cache = battle.sight_cache = _cache_of(
            battle.field, battle.charts, battle.options.urban, frozenset(battle.state.rubble)
        )
    return cache


def ground_now(battle: OstBattle) -> Ground:
    """The ground of a battle as it is now."""
    return _cache_for(battle).ground


def pairs_now(battle: OstBattle) -> Pairs:
    """What is seen from where over the ground of a battle as it is now, for the whole map at once."""
    return _cache_for(battle).all_pairs()


def counters_now(battle: OstBattle) -> Counters:
    """The counters that lie on the board now and degrade sight."""
    cache, state = _cache_for(battle), battle.state
    return Counters(state.smoke, state.wrecks, [hex for hex in state.works if cache.in_the_way(state, hex)])


def stance_of(ground: Ground, battle: OstBattle, unit: Unit) -> Stance:
    """How a unit stands in its hex: on foot, in the structure, mounted, or on the road (53.2, 57.6)."""
    kind = battle.kinds[unit.kind]
    level = step(battle.level(unit))
    if battle.in_structure(unit):
        return Stance(unit.hex, level, INSIDE)
    on_foot = kind.foot and not unit.aboard
    if ground.sites[unit.hex].structure and ground.field.roads[unit.hex]:
        return Stance(unit.hex, level, ON_ROAD if on_foot else MOUNTED_ON_ROAD)
    # Only bocage tells vehicles from men.
    return Stance(unit.hex, level, OUTSIDE if on_foot or not ground.bocage else MOUNTED)


# ---- explained -------------------------------------------------------------------------------------


def explain(battle: OstBattle, viewer: Unit | str, target: Unit | str) -> SightReport[Sight]:
    """The sight between two units or hexes with everything on the line; of several lines the best (61.9)."""
    cache = _cache_for(battle)
    ground, counters = cache.ground, counters_now(battle)
    ends = [
        cache.stances[cache.of_hex(end) if isinstance(end, str) else cache.of_unit(battle, end)]
        for end in (viewer, target)
    ]
    tried = lines(ground, *ends)
    line, seen = best([(line, look_along(ground, line, counters)) for line in tried])
    rows = [
        _row(ground, battle.state, line, met)
        for met in [*forbidden(ground, line), *met_along(ground, line, counters)]
        if met.sides is None or any(side in ground.edges for side in met.sides.sides)
    ]
    a, b = (end.hex for end in ends)
    heights = [f"level {end.step or -1}" for end in ends]
    return SightReport(a, b, heights[0], heights[1], battle.grid.distance(a, b), seen, tuple(rows))


#: Why something on lower ground counts, for it would be looked over elsewhere (60.11-60.14, L-7).
NEXT_TO = {
    "60.11": ", next to the higher unit",
    "60.12": ", next to the higher unit",
    "60.13": ", next to the lower unit",
    "60.14": ", next to the higher unit",
}


def _row(ground: Ground, state: State, line: Line, met: Met) -> ReportLine:
    if met.sides is None:
        place = "/".join(met.hexes) or met.place
        what = " / ".join(_hex_words(ground, state, hex) for hex in met.hexes or (met.place,))
    else:
        sides = [side for side in met.sides.sides if side in ground.edges]
        place = ", ".join(sides)
        manner = {"cross": "", "along": ", along it", "vertex": ", at its end"}[met.sides.kind]
        what = ", ".join(ground.edges[side].what.replace("_", " ") for side in sides) + manner
    if met.effect.kind:
        what += NEXT_TO.get(met.effect.rule, "")
    return ReportLine(place, what, EFFECTS[met.effect.kind], met.effect.rule)


def _hex_words(ground: Ground, state: State, hex: str) -> str:
    site = ground.sites[hex]
    words = [site.what.replace("_", " ")]
    level = ground.field.level[hex]
    if site.multi:
        words.append(f"of level {site.stand}")
    elif level != 1:
        words.append(f"on level {level}")
    if hex in state.smoke:
        words.append("with smoke")
    if hex in state.wrecks:
        words.append("with a wreck")
    work = state.works.get(hex)
    if work is not None and not work.hidden and ground.charts.counter[work.kind].los == "degrade":
        words.append(f"with a {work.kind}")
    return " ".join(words)
