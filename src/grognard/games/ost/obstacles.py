"""What a hex or a hexside does to a line of sight: terrain (35, 46-49, 53, 56), levels (60), and the city (61)."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board.hex.trace import Segment, SideEvent, crosses, segment, steps, trace
from grognard.games.ost.sight_ground import (
    BLOCKS,
    DEGRADES,
    DEPRESSION,
    FOOT_OUTSIDE,
    GROUND_STEP,
    INSIDE,
    NONE,
    Counters,
    Edge,
    Ground,
    Site,
    Stance,
)


class Effect(NamedTuple):
    """What something does to a line, and by which rule."""

    kind: int
    rule: str


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
