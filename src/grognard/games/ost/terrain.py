"""What it costs to enter a hex, and who must roll for bog: terrain, hexsides, levels, works (30-57, 75.4).

Movement Points are whole numbers of halves, because a road costs half a point (38.2). What the map alone
says of a step never changes, so it is worked out once for each map; works and collapsed buildings come on top.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from grognard.board.hex.arcs import turned
from grognard.board.hex.battlefield import Battlefield
from grognard.core.ask import Bar
from grognard.core.tally import Line, Tally
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import OstCharts, Terrain
from grognard.games.ost.roster import UnitType
from grognard.games.ost.state import Unit, Work

# A map level as a step of height (60.1, L-7).
HEIGHTS = {-1: 0, 1: 1, 2: 2, 3: 3}

VEHICLES_ON_ROADS = Bar("57.4", "vehicles can enter this hex only by road, and no road leads in here")
NO_VEHICLES = Bar("53.7", "vehicles can't enter structures")
DEEP_WATER = Bar("44.1", "deep water: only a bridge leads in")
TOO_LARGE = Bar("17.9", "it is too large for structures, Bunkers and Pillboxes")
NOT_WITH_VEHICLE = Bar("29.2", "vehicles can't enter a Pillbox hex")
NOT_ADJACENT = Bar("75.1", "the hex isn't next to it")


class Cost(NamedTuple):
    """The price of entering a hex in half Movement Points, and whether a Bog roll is due there."""

    points: int
    bog: bool
    bog_drm: int
    tally: Tally


class Ground(NamedTuple):
    """What the map alone says of a step: its price, Bog roll and what bars it."""

    points: int
    bog: bool
    bog_drm: int
    base: Line
    lines: tuple[Line, ...]
    bar: Bar | None


_Key = tuple[str, str, str, bool | None, bool]
_GROUND: WeakKeyDictionary[Battlefield, dict[_Key, Ground]] = WeakKeyDictionary()


def say_points(points: int) -> str:
    """Half Movement Points as people write them.

    >>> say_points(4), say_points(1), say_points(3)
    ('2', '½', '1½')
    """
    whole, half = divmod(points, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def road_and_structure(battle: OstBattle, hex: str) -> bool:
    """Whether a hex holds both a road and a standing structure (57.1)."""
    return bool(battle.field.roads[hex] and battle.terrain(hex).structure)


def road_through(field: Battlefield, start: str, end: str) -> bool:
    """Whether a road runs through the hexside between two adjacent hexes (38.4, M-4)."""
    assert field.grid is not None
    direction = field.grid.direction(start, end)
    return direction in field.roads[start] and turned(direction, 3) in field.roads[end]


def _road_off_map(field: Battlefield, hex: str) -> bool:
    assert field.grid is not None
    return any(field.grid.neighbors[hex][direction] is None for direction in field.roads[hex])


def ground(battle: OstBattle, kind: UnitType, start: str, end: str, road: bool | None = None) -> Ground:
    """What the map says of the step from one hex to the next; ``start`` is "" for entering from off the map.

    ``road`` says, in a road and structure hex, which of the two the unit uses; None is the road for vehicles
    and the building for foot units (57.1, 57.4).
    """
    known = battle.ground_known
    if known is None:
        known = battle.ground_known = _GROUND.setdefault(battle.field, {})
    key = (kind.move_type, start, end, road, end in battle.state.rubble)
    found = known.get(key)
    if found is None:
        found = known[key] = _survey(battle.field, battle.charts, *key)
    return found


def _survey(
    field: Battlefield, charts: OstCharts, mover: str, start: str, end: str, road: bool | None, rubble: bool
) -> Ground:
    terrain = charts.terrain["rubble" if rubble else field.terrain.get(end, "open")]
    foot = mover == "foot"
    linked = road_through(field, start, end) if start else _road_off_map(field, end)
    dual = bool(terrain.structure and field.roads[end])
    on_road = dual and (not foot if road is None else road)
    along = linked and (on_road or not dual)
    bar: Bar | None = None
    if along:
        base = Line("road", charts.terrain["road"].mp[mover], "38.2", end)
    else:
        base = Line("terrain", terrain.mp.get(mover, 0), terrain.mp_rule, terrain.name)
        bar = bar_terrain(terrain, mover, dual, end)
    lines: list[Line] = []
    bog = not along and mover in terrain.bog
    if start:
        assert field.grid is not None
        hexside = field.hexsides.get(field.grid.hexside(start, end))
        if hexside is not None:
            side = charts.hexside[hexside]
            if mover in side.prohibited:
                rule = {"bocage": "47.8", "row_house_wall": "56.4"}.get(hexside, side.rule)
                bar = Bar(rule, f"{'foot units' if foot else 'vehicles'} can't cross this {_words(hexside)}")
            else:
                lines.append(Line("hexside", side.mp[mover], side.mp_rule, hexside))
                bog = bog or mover in side.bog
        # 49.3, 55.3: climbing is free into a multi-level building
        climb = abs(HEIGHTS[field.level.get(end, 1)] - HEIGHTS[field.level.get(start, 1)])
        tall = terrain.structure and not on_road and field.building_level.get(end, 1) > 1
        if climb and not tall:
            per_level = int(2 * charts["hexside"]["level_change"]["mp_per_level"])
            lines.append(Line("level", climb * per_level, "49.3" if climb == 1 else "49.4", end))
    points = base.amount + sum(line.amount for line in lines)
    return Ground(points, bog, 0 if along else terrain.bog_drm, base, tuple(lines), bar)


def bar_terrain(terrain: Terrain, mover: str, dual: bool, hex: str) -> Bar | None:
    """Why a kind of mover may not enter terrain but by a road (35.5)."""
    if terrain.name == "bridge":  # entered from the side: over the water (M-13)
        return DEEP_WATER
    if mover in terrain.mp and mover not in terrain.prohibited:
        return None
    if terrain.structure:
        return VEHICLES_ON_ROADS if dual else NO_VEHICLES
    if terrain.name == "river":
        return DEEP_WATER
    rule = "41.3" if terrain.name == "woods" else "35.5"
    return Bar(rule, f"{mover} units can't enter {_words(terrain.name)}", hex)


def _words(name: str) -> str:
    return name.replace("_", " ")


# ---- what stands on the map now --------------------------------------------------------------------------


def known_work(battle: OstBattle, side: str, hex: str) -> Work | None:
    """The work of a hex as far as a side knows of it: one hidden with its enemy unit is not there (73.3)."""
    work = battle.state.works.get(hex)
    return None if work is None or (work.hidden and work.side != side) else work


def shelter(battle: OstBattle, side: str, hex: str) -> Work | None:
    """The Bunker or Pillbox of a hex, if the side knows of one (28, 29)."""
    work = known_work(battle, side, hex)
    return work if work is not None and work.kind in ("bunker", "pillbox") else None


def door_points(battle: OstBattle, work: Work, leaving: bool = False) -> int:
    """What entering or leaving a Bunker or Pillbox costs (28.5, 29.5)."""
    return int(2 * battle.charts["counter"][work.kind]["mp_exit" if leaving else "mp_enter"])


def bar_entry(battle: OstBattle, unit: Unit, start: str, hex: str, *, road: bool | None = None) -> Bar | None:
    """Why a unit can never enter a hex from another: prohibited terrain, hexsides and works (35.5, 75.7)."""
    kind = battle.kinds[unit.kind]
    found = ground(battle, kind, start, hex, road)
    if found.bar is not None:
        return found.bar
    if kind.no_structures and not road and battle.terrain(hex).structure:
        return TOO_LARGE
    if battle.state.works and kind.vehicle:
        work = known_work(battle, unit.side, hex)
        if work is not None:
            if work.kind == "pillbox":
                return NOT_WITH_VEHICLE
            if kind.move_type in battle.charts.counter[work.kind].prohibited:
                return Bar("31.1", f"vehicles can't enter a {work.kind} hex", hex)
    return None


def entry_points(
    battle: OstBattle, unit: Unit, start: str, hex: str, *, road: bool | None = None, reverse: bool = False
) -> int:
    """The price of a step in half points; for one that `bar_entry` allows. The quick half of `entry_cost`."""
    kind = battle.kinds[unit.kind]
    points = ground(battle, kind, start, hex, road).points
    if battle.state.works:
        work = known_work(battle, unit.side, hex)
        if work is not None:
            points += battle.charts.counter[work.kind].mp.get(kind.move_type, 0)
        if unit.inside and start and (left := shelter(battle, unit.side, start)) is not None:
            points += door_points(battle, left, leaving=True)
    if reverse and kind.vehicle:
        points += int(2 * battle.charts["movement"]["reverse_extra_mp"])
    return points


def entry_cost(
    battle: OstBattle, unit: Unit, start: str, hex: str, *, road: bool | None = None, reverse: bool = False
) -> Cost | Bar:
    """What a unit pays to enter a hex, line by line, or why it may never enter it (75.4, 75.5, 75.9)."""
    if start and not battle.grid.direction(start, hex):
        return NOT_ADJACENT
    if bar := bar_entry(battle, unit, start, hex, road=road):
        return bar
    kind = battle.kinds[unit.kind]
    found = ground(battle, kind, start, hex, road)
    tally = Tally("half Movement Points", found.base.amount, found.base.rule, found.base.source, list(found.lines))
    bog = found.bog
    work = known_work(battle, unit.side, hex)
    if work is not None:
        counter = battle.charts.counter[work.kind]
        if extra := counter.mp.get(kind.move_type, 0):
            tally.add("work", extra, "30.2" if work.kind == "wire" else "31.2", work.kind)
        bog = bog or kind.move_type in counter.bog
    if unit.inside and start and (left := shelter(battle, unit.side, start)) is not None:
        tally.add("leaving", door_points(battle, left, leaving=True), _door_rule(left), left.kind)
    if reverse and kind.vehicle:
        tally.add("reverse", int(2 * battle.charts["movement"]["reverse_extra_mp"]), "76.9")
    return Cost(tally.total, bog, found.bog_drm, tally)


def _door_rule(work: Work) -> str:
    return "28.5" if work.kind == "bunker" else "29.5"


def inside_cost(battle: OstBattle, unit: Unit, road: bool | None = None) -> int:
    """What being in this hex at all costs a foot unit: for unloading, and for changing to road or building.

    The terrain's own cost (79.9); over deep water, the bridge's.
    """
    terrain = battle.terrain(unit.hex)
    mover = battle.kinds[unit.kind].move_type
    if road or mover not in terrain.mp:
        return battle.charts.terrain["road"].mp[mover]
    return terrain.mp[mover]
