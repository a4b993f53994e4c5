"""Line of sight (58), degraded (59), between levels (60) and in the city (61): the rules over one line.

This is the plain version, which says what each hex and hexside on the line does and by which rule.
`sight` keeps its answers, `sight_bulk` works out a whole map at once, and both must agree with it.

Levels are counted in *steps* here: -1, 1, 2, 3 become 0, 1, 2, 3, for there is no level 0 (60.1, L-7).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from grognard.board.battlefield import Battlefield
from grognard.board.features import ROW_HOUSE_WALL
from grognard.board.grid import HexGrid
from grognard.board.trace import Outline, Segment, SideEvent, crosses, pattern, segment, steps, trace
from grognard.games.ost.figures import Figures

NONE, DEGRADES, BLOCKS = 0, 1, 2
EFFECTS = ("none", "degrade", "block")

#: Who looks, or is looked at: on foot outside a structure, in a structure, a vehicle or aboard one,
#: and on the road of a road and structure hex, on foot or not (57.6).
OUTSIDE, INSIDE, MOUNTED, ON_ROAD, MOUNTED_ON_ROAD = range(5)
ROAD_STANCES = (ON_ROAD, MOUNTED_ON_ROAD)
FOOT_OUTSIDE = (OUTSIDE, ON_ROAD)

#: The step of ground level (60.2), and of the bottom of a depression (60.5).
GROUND_STEP, DEPRESSION = 1, 0


def step(level: int) -> int:
    """A map level as a step: -1 and 1 are neighbours (60.1)."""
    return level if level > 0 else level + 1


# ---- what lies where -------------------------------------------------------------------------------


class Effect(NamedTuple):
    """What something does to a line, and by which rule."""

    kind: int
    rule: str


class Site(NamedTuple):
    """What sight meets in a hex.

    ``stand`` is the step on which its terrain stands: the ground, or the top storey of a multi-level
    structure, whose hex is marked with that level like a hill (55.1, 60.3).
    """

    ground: int
    stand: int
    los: int
    rule: str
    what: str
    multi: bool = False
    structure: bool = False
    building: str = ""
    outlines: tuple[Outline, ...] = ()
    hill_edges: tuple[Outline, ...] = ()
    beside_structure: int = NONE
    hill_missed: bool = False

    def past_structure(self) -> Site:
        """The hex for a line that misses the structure drawn in it (53.4, 59.7)."""
        return self._replace(stand=self.ground, los=self.beside_structure, rule="59.7", multi=False, structure=False)

    def past_hill(self) -> Site:
        """The hex for a line that misses the hill drawn in it (49.11, 59.8)."""
        return self._replace(hill_missed=True)


class Edge(NamedTuple):
    """What sight meets on a hexside: terrain that stands on the higher of its two hexes."""

    hexes: tuple[str, str]
    ground: int
    los: int
    rule: str
    what: str
    row_house_wall: bool = False


class Stance(NamedTuple):
    """One end of a line: the hex, the step, and one of OUTSIDE, INSIDE, MOUNTED and so on."""

    hex: str
    step: int
    kind: int


class Counters(NamedTuple):
    """Where counters lie that degrade: Smoke at all levels (33.7); wrecks and roadblocks of height 1 (60.6)."""

    smoke: Container[str]
    wrecks: Container[str]
    roadblocks: Container[str]


class Ground:
    """The ground of a battlefield as it is now: what each hex and hexside does to sight."""

    def __init__(self, field: Battlefield, figures: Figures, urban: bool, rubble: frozenset[str]) -> None:
        assert field.grid is not None
        self.field, self.figures, self.urban, self.rubble = field, figures, urban, rubble
        self.grid: HexGrid = field.grid
        self.most: int = figures["los"]["degrade_max"]
        self.inside_reach: int = figures["los"]["inside_multi_hex_structure"]
        self.sites = {hex: self._site(hex) for hex in self.grid.hexes}
        self.edges = {side: self._edge(side, name) for side, name in field.hexsides.items()}
        self.bocage = any(edge.los == BLOCKS and not edge.row_house_wall for edge in self.edges.values())

    def _site(self, hex: str) -> Site:
        field = self.field
        level = step(field.level[hex])
        name = "rubble" if hex in self.rubble else field.terrain[hex]
        terrain = self.figures.terrain[name]
        rule: str = self.figures["terrain"][name].get("los_rule", terrain.rule)
        hills = tuple(field.hill_edges.get(hex, ()))
        los = EFFECTS.index(terrain.los)
        if not terrain.structure:
            return Site(level, level, los, rule, name, hill_edges=hills)
        storeys = field.building_level.get(hex, 1)
        multi = storeys > 1
        return Site(
            ground=level,
            stand=max(level, storeys) if multi else level,
            los=los,
            rule=rule,
            what=name,
            multi=multi,
            structure=True,
            building=field.building.get(hex, ""),
            outlines=tuple(field.outlines.get(hex, ())),
            hill_edges=hills,
            beside_structure=EFFECTS.index(terrain.los_outside_outline or terrain.los),
        )

    def _edge(self, side: str, name: str) -> Edge:
        a, b = self.grid.side_hexes(side)
        kind = self.figures.hexside[name]
        rule: str = self.figures["hexside"][name].get("los_rule", kind.rule)
        wall = name == ROW_HOUSE_WALL
        one, two = self.sites[a], self.sites[b]
        # The wall of a row house is as high as the house.
        base = max(one.stand, two.stand) if wall else max(one.ground, two.ground)
        return Edge((a, b), base, EFFECTS.index(kind.los), rule, name, wall)

    def default_stance(self, hex: str) -> Stance:
        """A foot unit in a hex: in its structure, at the top (55.4), or in the open."""
        site = self.sites[hex]
        return Stance(hex, site.stand, INSIDE if site.structure else OUTSIDE)


@lru_cache(maxsize=64)
def ground_of(field: Battlefield, figures: Figures, urban: bool, rubble: frozenset[str]) -> Ground:
    """The ground, shared by all battles on the same map with the same rubble."""
    return Ground(field, figures, urban, rubble)


# ---- the line --------------------------------------------------------------------------------------


class Levels(NamedTuple):
    """The steps of the two ends, which end is the higher, and whether 61.4 lets the line ignore level 1."""

    high: int
    low: int
    upward: bool
    over_roofs: bool

    @property
    def same(self) -> bool:
        """Whether both ends are on one level."""
        return self.high == self.low


class Line:
    """A line between two ends, by centres or by the midpoints of the sides that a road crosses (61.9).

    ``steps`` are the hexes between them; ``sides`` the hexsides met, where the map has any terrain on such.
    """

    __slots__ = ("_segment", "from_side", "grid", "levels", "sides", "steps", "target", "to_side", "viewer")

    def __init__(self, ground: Ground, viewer: Stance, target: Stance, from_side: int = 0, to_side: int = 0) -> None:
        self.grid, self.viewer, self.target = ground.grid, viewer, target
        self.from_side, self.to_side = from_side, to_side
        self.sides: tuple[SideEvent, ...] = ()
        if ground.edges:
            self.steps, self.sides = trace(ground.grid, viewer.hex, target.hex, from_side, to_side)
        else:
            self.steps = steps(ground.grid, viewer.hex, target.hex, from_side, to_side)
        self.levels = levels_of(ground, viewer, target)
        self._segment: Segment | None = None

    @property
    def segment(self) -> Segment:
        """The line in metres, for outlines."""
        if self._segment is None:
            ends = (self.viewer.hex, self.target.hex, self.from_side, self.to_side)
            self._segment = segment(self.grid, *ends)
        return self._segment


def levels_of(ground: Ground, viewer: Stance, target: Stance) -> Levels:
    """The levels of a line between two ends."""
    over_roofs = ground.urban and in_multi_level(ground, viewer) and in_multi_level(ground, target)
    if viewer.step >= target.step:
        return Levels(viewer.step, target.step, False, over_roofs)
    return Levels(target.step, viewer.step, True, over_roofs)


def in_multi_level(ground: Ground, end: Stance) -> bool:
    """Whether an end is in the upper storeys of a multi-level building; a heavy weapon is not (55.5)."""
    site = ground.sites[end.hex]
    return end.kind == INSIDE and site.multi and end.step == site.stand


# ---- hexes: 35, 49, 53, 60, 61 ---------------------------------------------------------------------

CLEAR = Effect(NONE, "")
LOOKED_OVER = Effect(NONE, "60.13")
HILL = Effect(BLOCKS, "49.8")
HILL_MISSED = Effect(DEGRADES, "59.8")
BLIND_SPOT = Effect(BLOCKS, "60.13")
BEHIND = Effect(DEGRADES, "60.13")
DEPRESSION_EDGE = Effect(BLOCKS, "60.18")
MULTI_LEVEL = Effect(BLOCKS, "61.2")
LEVEL_1_IGNORED = Effect(NONE, "61.4")
INSIDE_BUILDING = Effect(BLOCKS, "55.6")
SMOKE = Effect(DEGRADES, "33.5")
SMOKE_ABOVE = Effect(DEGRADES, "60.15")


def hex_effect(site: Site, levels: Levels, near_high: bool, near_low: bool, urban: bool) -> Effect:
    """What a hex between the ends does to the line (L-7), the hexes next to either end told apart."""
    if levels.low == DEPRESSION and site.ground != DEPRESSION:
        return DEPRESSION_EDGE
    if urban and site.multi:
        return MULTI_LEVEL
    if levels.over_roofs and site.stand <= GROUND_STEP:
        return LEVEL_1_IGNORED
    effect = at_level(site, levels.high)
    if levels.same or effect.kind == BLOCKS:
        return effect
    if near_high and (plateau := plateau_effect(site, levels)):
        return plateau
    if near_low:
        return worse(effect, blind_spot(site, levels.low))
    return effect


def at_level(site: Site, level: int) -> Effect:
    """A hex seen at its own level or from below; from above it is looked over (49.8, 60.13, L-7)."""
    if site.stand < level:
        return LOOKED_OVER if site.los else CLEAR
    if site.los == BLOCKS or site.stand == level:
        return Effect(site.los, site.rule)
    return HILL_MISSED if site.hill_missed else HILL


def plateau_effect(site: Site, levels: Levels) -> Effect | None:
    """The hex next to the higher unit must fall away, with nothing as high as its feet (60.10-60.12, 60.14)."""
    if site.stand >= levels.high and not site.hill_missed:
        return Effect(BLOCKS, "60.12" if levels.upward else "60.11")
    if site.los == BLOCKS and site.stand == levels.high - 1:
        return Effect(BLOCKS, "60.14" if levels.upward else "60.11")
    return None


def blind_spot(site: Site, low: int) -> Effect:
    """The hex next to the lower unit hides it by blocking or by its height, and half hides it by degrading (60.13)."""
    if site.los == BLOCKS or (site.stand > low and not site.hill_missed):
        return BLIND_SPOT
    return BEHIND if site.los or site.stand > low else CLEAR


def worse(one: Effect, other: Effect) -> Effect:
    """Blocking before degrading before none (35.9)."""
    return other if other.kind > one.kind else one


def along(site: Site, line: Line) -> Site:
    """A hex as a line meets it: past the outlines drawn in it, or through them (L-11)."""
    if site.outlines and not any(crosses(line.segment, outline) for outline in site.outlines):
        site = site.past_structure()
    if site.hill_edges and not any(crosses(line.segment, outline) for outline in site.hill_edges):
        site = site.past_hill()
    return site


def low_obstacle(site: Site, rule: str) -> Site:
    """A wreck or roadblock on the ground of a hex: height 1, degrading (31.7, 34.1, 60.6)."""
    return Site(site.ground, site.ground, DEGRADES, rule, "", hill_missed=site.hill_missed)


def one_hex(ground: Ground, line: Line, hex: str, ends: tuple[bool, bool], counters: Counters | None) -> Effect:
    """One hex with whatever counters lie in it; it degrades at most once (L-2)."""
    site = ground.sites[hex]
    if site.outlines or site.hill_edges:
        site = along(site, line)
    levels = line.levels
    near_high, near_low = ends[::-1] if levels.upward else ends
    effect = hex_effect(site, levels, near_high, near_low, ground.urban)
    if counters is None:
        return effect
    for rule, places in (("34.1", counters.wrecks), ("31.7", counters.roadblocks)):
        if hex in places:
            obstacle = low_obstacle(site, rule)
            effect = worse(effect, hex_effect(obstacle, levels, near_high, near_low, ground.urban))
    return worse(effect, SMOKE if levels.same else SMOKE_ABOVE) if hex in counters.smoke else effect


# ---- hexsides: 46, 47, 48, 56 ----------------------------------------------------------------------

OWN_SIDE = Effect(NONE, "46.13")
OTHER_LEVEL = Effect(NONE, "60.8")
THROUGH_BOCAGE = Effect(NONE, "47.3")


def side_effect(edge: Edge, levels: Levels, at_high: bool, at_low: bool, opened: bool) -> Effect:
    """What terrain on a hexside does to the line that crosses it, follows it, or touches its end (46.3).

    ``at_high`` and ``at_low`` tell whether it borders the hex of the higher or the lower end,
    ``opened`` whether a unit beside it lets the line through bocage.
    """
    if edge.row_house_wall:
        return wall_effect(edge, levels, at_high or at_low)
    if edge.los == BLOCKS:
        return bocage_effect(edge, levels, at_high, at_low, opened)
    if at_high or at_low:
        return OWN_SIDE
    if not levels.same:
        return OTHER_LEVEL
    return looked_over(edge, levels) or Effect(edge.los, edge.rule)


def looked_over(edge: Edge, levels: Levels) -> Effect | None:
    """A hexside on lower ground is looked over, in the city one on level 1 (60.13, 61.4)."""
    if levels.over_roofs and edge.ground <= GROUND_STEP:
        return LEVEL_1_IGNORED
    return LOOKED_OVER if edge.ground < levels.high else None


def wall_effect(edge: Edge, levels: Levels, own: bool) -> Effect:
    """No line goes through the wall between row houses (56.3); it is looked over as the houses are."""
    over = None if own else looked_over(edge, levels)
    return over or Effect(BLOCKS, edge.rule)


def bocage_effect(edge: Edge, levels: Levels, at_high: bool, at_low: bool, opened: bool) -> Effect:
    """Bocage blocks (47.3); between levels like any obstacle of height 1 in front of either unit (60.11, 60.13)."""
    if opened:
        return THROUGH_BOCAGE
    over = looked_over(edge, levels)
    if over is None or over is LEVEL_1_IGNORED or levels.same:
        return over or Effect(BLOCKS, edge.rule)
    if at_high and edge.ground == levels.high - 1:
        return Effect(BLOCKS, "60.14" if levels.upward else "60.11")
    return BLIND_SPOT if at_low else over


def bocage_opened(edge: Edge, viewer: Stance, target: Stance) -> bool:
    """Whether a unit beside bocage opens it (L-10): on foot outside, or from a structure to the hex across."""
    for end, other in ((viewer, target), (target, viewer)):
        if end.hex in edge.hexes:
            if end.kind in FOOT_OUTSIDE:
                return True
            if end.kind == INSIDE and other.hex in edge.hexes:
                return True
    return False


def one_side(ground: Ground, line: Line, side: str) -> Effect:
    """One hexside that the line meets."""
    edge = ground.edges.get(side)
    if edge is None:
        return CLEAR
    at_viewer, at_target = line.viewer.hex in edge.hexes, line.target.hex in edge.hexes
    at_high, at_low = (at_target, at_viewer) if line.levels.upward else (at_viewer, at_target)
    opened = edge.los == BLOCKS and bocage_opened(edge, line.viewer, line.target)
    return side_effect(edge, line.levels, at_high, at_low, opened)


# ---- the whole line: 58, 59 ------------------------------------------------------------------------


class Sight(NamedTuple):
    """Whether one sees another, and how.

    ``degraded`` names each hex ("D7", on a spine "D7/E6" when both do) or hexside ("D7|D8") that degrades;
    ``blocked_by`` what blocks, by ``rule``. ``sides`` are the hexsides with terrain of the target's hex that
    the line meets, for its Defense. ``behind`` tells of the -1 for a hex next to the lower unit (60.13).
    ``level_diff`` is positive when the viewer is higher. ``crossed`` lists the hexes, two where on a spine.
    """

    clear: bool
    degraded: tuple[str, ...]
    blocked_by: str
    rule: str
    sides: tuple[str, ...]
    behind: bool
    level_diff: int
    crossed: tuple[tuple[str, ...], ...]


class Met(NamedTuple):
    """Something met on a line: the hex or hexside that counts, what it does, and all that was met there."""

    place: str
    effect: Effect
    hexes: tuple[str, ...] = ()
    sides: SideEvent | None = None


def look(ground: Ground, viewer: Stance, target: Stance, counters: Counters | None = None) -> Sight:
    """The sight of one end from the other: along the best line there is (58.1, 61.9, 61.10)."""
    return best([(line, look_along(ground, line, counters)) for line in lines(ground, viewer, target)])[1]


def best(seen: list[tuple[Line, Sight]]) -> tuple[Line, Sight]:
    """The line that serves the viewer best; the first of equals, which is that between centres."""
    return seen[0] if len(seen) == 1 else min(seen, key=_badness)


def _badness(seen: tuple[Line, Sight]) -> tuple[bool, int, int]:
    sight = seen[1]
    return not sight.clear, len(sight.degraded), len(sight.sides)


def lines(ground: Ground, viewer: Stance, target: Stance) -> list[Line]:
    """The line between centres (58.1); On Road, also those to the sides that the road crosses (L-14)."""
    found = [Line(ground, viewer, target)]
    if viewer.hex == target.hex or not (viewer.kind in ROAD_STANCES or target.kind in ROAD_STANCES):
        return found
    grid = ground.grid
    (q, r), (q1, r1) = grid.axial(viewer.hex), grid.axial(target.hex)
    for from_side in _road_points(ground, viewer):
        for to_side in _road_points(ground, target):
            line = Line(ground, viewer, target, from_side, to_side)
            whole = pattern(q1 - q, r1 - r, from_side, to_side, grid.layout)
            # A line that leaves the map is none.
            if (from_side or to_side) and len(whole.steps) == len(line.steps):
                found.append(line)
    return found


def _road_points(ground: Ground, end: Stance) -> list[int]:
    return [0, *sorted(ground.field.roads[end.hex])] if end.kind in ROAD_STANCES else [0]


def look_along(ground: Ground, line: Line, counters: Counters | None = None) -> Sight:
    """Follow a line until something blocks it; one degradation too many blocks as well (59.2).

    What the ground blocks no counter changes.
    """
    if counters is not None and not (bare := look_along(ground, line)).clear:
        return bare
    degraded: list[str] = []
    behind = False
    for met in chain(forbidden(ground, line), met_along(ground, line, counters)):
        kind, rule = met.effect
        if kind == BLOCKS:
            return _sight(ground, line, degraded, met.place, rule, behind)
        if kind == DEGRADES:
            if len(degraded) == ground.most:
                return _sight(ground, line, degraded, met.place, "59.2", behind)
            degraded.append(met.place)
            behind = behind or rule == BEHIND.rule
    return _sight(ground, line, degraded, "", "", behind)


def _sight(ground: Ground, line: Line, degraded: list[str], blocked_by: str, rule: str, behind: bool) -> Sight:
    difference = line.viewer.step - line.target.step
    sides = target_sides(ground, line) if ground.edges else ()
    return Sight(not rule, tuple(degraded), blocked_by, rule, sides, behind, difference, line.steps)


def target_sides(ground: Ground, line: Line) -> tuple[str, ...]:
    """The hexsides of the target's hex through which the line comes: they give Defense (46.8, 46.13)."""
    found = []
    for event in line.sides:
        for side in event.sides:
            edge = ground.edges.get(side)
            if edge is not None and line.target.hex in edge.hexes:
                found.append(side)
    return tuple(found)


def forbidden(ground: Ground, line: Line) -> Iterator[Met]:
    """What forbids a line as a whole: the depth of a depression, the inside of a building."""
    if not line.steps:
        return
    if line.levels.low == DEPRESSION:
        for end in (line.viewer, line.target):
            # Only hexes of level 1 form its edge (60.18, L-8).
            if ground.sites[end.hex].ground > GROUND_STEP:
                yield Met(end.hex, DEPRESSION_EDGE)
    viewer, target = line.viewer, line.target
    if viewer.kind == target.kind == INSIDE:
        building = ground.sites[viewer.hex].building
        if building and building == ground.sites[target.hex].building:
            yield from within_building(ground, line, building)


def within_building(ground: Ground, line: Line, building: str) -> Iterator[Met]:
    """Inside a building sight reaches adjacent hexes only (55.6); across its courtyard it is not inside (E-24)."""
    if ground.grid.distance(line.viewer.hex, line.target.hex) > ground.inside_reach:
        for hexes in line.steps:
            for hex in hexes:
                site = ground.sites[hex]
                if site.building == building and along(site, line).structure:
                    yield Met(hex, INSIDE_BUILDING, hexes)
                    return


def met_along(ground: Ground, line: Line, counters: Counters | None = None) -> Iterator[Met]:
    """Everything on the line in order, the hexes of its ends left out (58.8)."""
    between = line.steps
    last = len(between) - 1
    done = 0
    if ground.edges:
        # From the midpoint of a side a line enters its first hex without crossing anything.
        entered = line.from_side != 0
        for event in line.sides:
            if entered and event.kind != "along":
                entered = False
                if between and not any(line.viewer.hex in ground.grid.side_hexes(side) for side in event.sides):
                    yield met_hexes(ground, line, between[0], (True, last == 0), counters)
                    done = 1
            yield met_sides(ground, line, event)
            if event.kind != "along" and done <= last:
                yield met_hexes(ground, line, between[done], (done == 0, done == last), counters)
                done += 1
    for number in range(done, last + 1):
        yield met_hexes(ground, line, between[number], (number == 0, number == last), counters)


def met_hexes(
    ground: Ground, line: Line, hexes: tuple[str, ...], ends: tuple[bool, bool], counters: Counters | None
) -> Met:
    """A hex that the line enters, or the worse of two on a spine, counted once (35.9, L-1)."""
    first = one_hex(ground, line, hexes[0], ends, counters)
    if len(hexes) == 1:
        return Met(hexes[0], first, hexes)
    second = one_hex(ground, line, hexes[1], ends, counters)
    if first.kind == second.kind == DEGRADES:
        return Met(f"{hexes[0]}/{hexes[1]}", first, hexes)
    return Met(hexes[0], first, hexes) if first.kind >= second.kind else Met(hexes[1], second, hexes)


def met_sides(ground: Ground, line: Line, event: SideEvent) -> Met:
    """A hexside crossed or followed counts for itself; those touched at one vertex count once together (46.3, L-2)."""
    place, effect = event.sides[0], CLEAR
    for side in event.sides:
        found = one_side(ground, line, side)
        if found.kind > effect.kind or (found.rule and not effect.rule):
            place, effect = side, found
    return Met(place, effect, sides=event)
