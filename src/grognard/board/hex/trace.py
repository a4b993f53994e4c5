"""The exact line between two hexes: what it passes through, runs along, and touches.

All decisions are made in whole numbers. In axial coordinates a hex is the set of points whose three
differences of cube coordinates are at most 1 in size, so a straight line crosses it during an
interval that is a ratio of whole numbers. Counted in sixths, centres, side midpoints and corners
are whole as well. What a line meets depends only on the displacement between its ends, so the
pattern is worked out once and shifted to wherever it is needed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from grognard.board.hex.geometry import Outline, Segment, crosses
from grognard.board.hex.grid import FLAT, Axial, HexGrid, Layout, Point

__all__ = [
    "Outline",
    "Pattern",
    "Segment",
    "SideEvent",
    "Trace",
    "crosses",
    "pattern",
    "point_of",
    "segment",
    "steps",
    "trace",
]

Kind = Literal["cross", "along", "vertex"]

#: Beyond this many kept traces a grid forgets them all: memory is worth more than the rest.
KEEP = 4_000


class SideEvent(NamedTuple):
    """A line meets hexsides: crosses one, runs along one, or passes the vertex where several end."""

    kind: Kind
    sides: tuple[str, ...]


class Trace(NamedTuple):
    """What a line meets between its ends, in order; see `trace`."""

    steps: tuple[tuple[str, ...], ...]
    sides: tuple[SideEvent, ...]

    @property
    def hexes(self) -> tuple[str, ...]:
        """All hexes of the steps in order."""
        return tuple(label for step in self.steps for label in step)

    def reversed(self) -> Trace:
        """The same line from its other end."""
        return Trace(self.steps[::-1], self.sides[::-1])


class Pattern(NamedTuple):
    """A trace relative to its first hex: hexes are axial offsets, hexsides are pairs of them."""

    steps: tuple[tuple[Axial, ...], ...]
    sides: tuple[tuple[Kind, tuple[tuple[Axial, Axial], ...]], ...]


class _Touched(NamedTuple):
    """The interval of a line, in units of 1/L, during which it is in a closed hex."""

    start: int
    end: int
    along: bool


def pattern(dq: int, dr: int, fs: int = 0, ts: int = 0, layout: Layout = "flat") -> Pattern:
    """The pattern of a line to the hex at an axial offset; fs and ts as the sides in `trace`.

    The offsets include hexes off the map; the layout only tells which side a number means.
    """
    if layout == "pointy":
        fs, ts = fs and fs % 6 + 1, ts and ts % 6 + 1
    return _pattern(dq, dr, fs, ts)


@lru_cache(maxsize=65536)
def _pattern(dq: int, dr: int, fs: int, ts: int) -> Pattern:
    ends = ((0, 0), (dq, dr))
    if ends[0] == ends[1]:
        return Pattern((), ())
    start = (3 * FLAT[fs][0], 3 * FLAT[fs][1])
    goal = (6 * dq + 3 * FLAT[ts][0], 6 * dr + 3 * FLAT[ts][1])
    if start == goal:
        return Pattern((), ())
    length, touched = _touched(start, goal)
    steps: list[tuple[int, tuple[Axial, ...]]] = []
    events: list[tuple[int, Kind, tuple[tuple[Axial, Axial], ...]]] = []
    spines: dict[tuple[int, int], list[Axial]] = {}
    moments: set[int] = set()
    for offset, (t0, t1, along) in touched.items():
        if t0 == t1:
            continue
        moments.update((t0, t1))
        if along:
            spines.setdefault((t0, t1), []).append(offset)
        elif offset not in ends:
            steps.append((t0 + t1, (offset,)))
    for (t0, t1), pair in spines.items():
        first, second = sorted(pair)
        events.append((t0 + t1, "along", ((first, second),)))
        # Along the side of an end's own hex there is nothing between the ends to name.
        if first not in ends and second not in ends:
            steps.append((t0 + t1, (first, second)))
    spine_ends = {(t, tuple(sorted(pair))) for span, pair in spines.items() for t in span}
    for t in moments - {0, length}:
        here = sorted(offset for offset, (t0, t1, _) in touched.items() if t0 <= t <= t1)
        pairs = tuple((a, b) for i, a in enumerate(here) for b in here[i + 1 :] if (t, (a, b)) not in spine_ends)
        events.append((2 * t, "cross" if len(here) == 2 else "vertex", pairs))
    steps.sort()
    events.sort()
    return Pattern(tuple(step for _, step in steps), tuple((kind, pairs) for _, kind, pairs in events))


def _touched(start: Axial, goal: Axial) -> tuple[int, dict[Axial, _Touched]]:
    """The hexes that a line in sixths touches, each with its interval, and the whole's length."""
    base = _differences(*start)
    rates = [there - here for there, here in zip(_differences(*goal), base)]
    length = 1
    for rate in rates:
        length *= abs(rate) or 1

    def interval(q: int, r: int) -> _Touched | None:
        t0, t1, along = 0, length, False
        for value, rate, middle in zip(base, rates, _differences(6 * q, 6 * r)):
            off = value - middle
            if rate == 0:
                if abs(off) > 6:
                    return None
                along = along or abs(off) == 6
                continue
            scale = length // rate
            one, two = (-6 - off) * scale, (6 - off) * scale
            t0, t1 = max(t0, min(one, two)), min(t1, max(one, two))
        return _Touched(t0, t1, along) if t0 <= t1 else None

    # Whatever a line touches hangs together, so spreading from the first hex finds it all.
    touched: dict[Axial, _Touched] = {}
    seen = {(0, 0)}
    queue = [(0, 0)]
    for q, r in queue:
        found = interval(q, r)
        if found is None:
            continue
        touched[q, r] = found
        for step_q, step_r in FLAT[1:]:
            following = (q + step_q, r + step_r)
            if following not in seen:
                seen.add(following)
                queue.append(following)
    return length, touched


def _differences(q: int, r: int) -> tuple[int, int, int]:
    return q - r, q + 2 * r, -2 * q - r


def trace(grid: HexGrid, a: str, b: str, from_side: int = 0, to_side: int = 0) -> Trace:
    """The line from one hex to another, from centre to centre or to the midpoints of hexsides 1..6.

    A step names one hex that the line passes through, or the two between which it runs along a
    hexside; the hexes of the ends are no steps, nor is a run along a side of theirs, nor a hex of
    which only a corner is touched. The events tell every hexside met strictly between the end
    points: crossed, run along, or ending at a vertex that the line passes. What lies off the map
    is left out.

    >>> trace(HexGrid(5, 5), "A2", "C2").steps
    (('B1', 'B2'),)
    """
    key = (a, b, from_side, to_side)
    kept: Trace | None = grid.traces.get(key)
    if kept is not None:
        return kept
    (q, r), relative = grid.axial(a), _relative(grid, a, b, from_side, to_side)
    at, order, name = grid.by_axial.get, grid.index.__getitem__, grid.hexside
    events = []
    for kind, pairs in relative.sides:
        sides = []
        for (x1, y1), (x2, y2) in pairs:
            one, two = at((q + x1, r + y1)), at((q + x2, r + y2))
            if one is not None and two is not None:
                first, second = order(one), order(two)
                sides.append((first, second, name(one, two)) if first < second else (second, first, name(two, one)))
        if len(sides) > 1:
            sides.sort()
        if sides:
            events.append(SideEvent(kind, tuple([side for _, _, side in sides])))
    if len(grid.traces) >= KEEP:
        grid.traces.clear()
    result = grid.traces[key] = Trace(steps(grid, a, b, from_side, to_side), tuple(events))
    return result


def steps(grid: HexGrid, a: str, b: str, from_side: int = 0, to_side: int = 0) -> tuple[tuple[str, ...], ...]:
    """The steps of a trace alone, for maps without anything on their hexsides: a fraction of its cost."""
    (q, r), relative = grid.axial(a), _relative(grid, a, b, from_side, to_side)
    at, order = grid.by_axial.get, grid.index.__getitem__
    found: list[tuple[str, ...]] = []
    for offsets in relative.steps:
        x, y = offsets[0]
        one = at((q + x, r + y))
        if len(offsets) == 1:
            if one is not None:
                found.append((one,))
            continue
        x, y = offsets[1]
        two = at((q + x, r + y))
        if one is not None and two is not None:
            found.append((one, two) if order(one) < order(two) else (two, one))
        elif one is not None or two is not None:
            found.append((one or two or "",))
    return tuple(found)


def _relative(grid: HexGrid, a: str, b: str, from_side: int, to_side: int) -> Pattern:
    (q, r), (q1, r1) = grid.axial(a), grid.axial(b)
    if not (0 <= from_side <= 6 and 0 <= to_side <= 6):
        raise ValueError(f"sides {from_side} and {to_side}; a side is 1 to 6, or 0 for the centre")
    return pattern(q1 - q, r1 - r, from_side, to_side, grid.layout)


def point_of(grid: HexGrid, label: str, side: int = 0) -> Point:
    """The end point of a trace in metres: a hex's centre, or the midpoint of its side 1..6."""
    return grid.side_middle(label, side)


def segment(grid: HexGrid, a: str, b: str, from_side: int = 0, to_side: int = 0) -> Segment:
    """The line of a trace in metres, for testing against outlines with `crosses`."""
    return point_of(grid, a, from_side), point_of(grid, b, to_side)
