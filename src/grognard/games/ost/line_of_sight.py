"""Line of sight (58) and degraded line of sight (59): the rules over one whole line.

This is the plain version, which says what each hex and hexside on the line does and by which rule: what lies
where is in `sight_ground`, what it does to a line in `obstacles`. `sight` keeps its answers, `sight_bulk` works
out a whole map at once, and both must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from grognard.board.hex.trace import SideEvent, pattern
from grognard.games.ost.obstacles import (
    BEHIND,
    CLEAR,
    DEPRESSION_EDGE,
    INSIDE_BUILDING,
    Effect,
    Line,
    along,
    one_hex,
    one_side,
)
from grognard.games.ost.sight_ground import (
    BLOCKS,
    DEGRADES,
    DEPRESSION,
    GROUND_STEP,
    INSIDE,
    ROAD_STANCES,
    Counters,
    Ground,
    Stance,
)


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
