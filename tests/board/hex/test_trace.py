"""Exact hex lines: the awkward ones by hand, and all others against a slow reference."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.geometry import Outline, area, clip, inside, inside_rings
from grognard.board.hex.grid import Axial, HexGrid, hex_grid
from grognard.board.hex.trace import SideEvent, Trace, crosses, pattern, point_of, segment, trace

GRID = hex_grid(12, 10)
SMALL = [hex_grid(7, 7, layout, "A1", shove) for layout in ("flat", "pointy") for shove in ("even", "odd")]


def cross(side: str) -> SideEvent:
    return SideEvent("cross", (side,))


def along(side: str) -> SideEvent:
    return SideEvent("along", (side,))


def vertex(*sides: str) -> SideEvent:
    return SideEvent("vertex", sides)


def test_a_hex_and_itself() -> None:
    assert trace(GRID, "C4", "C4") == Trace((), ())
    assert trace(GRID, "C4", "C4", 1, 4) == Trace((), ())


@pytest.mark.parametrize("direction", range(1, 7))
def test_adjacent_hexes_cross_one_side(direction: int) -> None:
    other = GRID.neighbor("F5", direction)
    assert other is not None
    assert trace(GRID, "F5", other) == Trace((), (cross(GRID.hexside("F5", other)),))


@pytest.mark.parametrize("direction", range(1, 7))
def test_straight_rows_in_all_six_directions(direction: int) -> None:
    row = ["F5", *(GRID.line_off("F5", direction, n) for n in (1, 2, 3))]
    assert None not in row
    found = trace(GRID, "F5", str(row[3]))
    assert found.steps == ((row[1],), (row[2],))
    assert found.sides == tuple(cross(GRID.hexside(str(a), str(b))) for a, b in pairwise(row))


def test_a_spine() -> None:
    assert trace(GRID, "A2", "C2") == Trace(
        (("B1", "B2"),), (vertex("A2|B1", "A2|B2"), along("B1|B2"), vertex("B1|C2", "B2|C2"))
    )


@pytest.mark.parametrize("direction", range(1, 7))
def test_spines_all_round(direction: int) -> None:
    left = GRID.neighbor("F5", direction)
    right = GRID.neighbor("F5", direction % 6 + 1)
    assert left is not None
    assert right is not None
    goal = GRID.neighbor(left, direction % 6 + 1)
    assert goal is not None
    found = trace(GRID, "F5", goal)
    assert [set(step) for step in found.steps] == [{left, right}]
    assert [event.kind for event in found.sides] == ["vertex", "along", "vertex"]
    assert set(found.sides[0].sides) == {GRID.hexside("F5", left), GRID.hexside("F5", right)}
    assert found.sides[1].sides == (GRID.hexside(left, right),)
    assert set(found.sides[2].sides) == {GRID.hexside(goal, left), GRID.hexside(goal, right)}


def test_a_long_spine_alternates() -> None:
    assert trace(GRID, "A5", "E5").steps == (("B4", "B5"), ("C5",), ("D4", "D5"))
    assert trace(GRID, "A5", "E5").hexes == ("B4", "B5", "C5", "D4", "D5")


def test_a_spine_along_the_edge_of_the_map() -> None:
    # The line from A1 to C1 runs along the top of B1, and beyond it is nothing.
    assert trace(GRID, "A1", "C1") == Trace((("B1",),), (vertex("A1|B1"), vertex("B1|C1")))


def test_an_ordinary_line() -> None:
    # One column to the right, two and a half hexes down.
    found = trace(GRID, "A1", "B3")
    assert found.steps == (("A2",), ("B2",))
    assert found.sides == (cross("A1|A2"), cross("A2|B2"), cross("B2|B3"))


def test_a_vertex_touched_in_passing_makes_no_step() -> None:
    # From the top of C5 to the centre of E6: through the corner where C5, D4 and D5 meet.
    found = trace(GRID, "C5", "E6", 1)
    assert found.steps == (("D5",),)
    assert found.sides == (vertex("C5|D4", "C5|D5", "D4|D5"), cross("D5|E6"))


def test_from_a_hexside_through_the_hex_itself() -> None:
    # From the top of C5 down the column: C5 is the end's own hex, so only C6 is between.
    assert trace(GRID, "C5", "C7", 1).steps == (("C6",),)
    assert trace(GRID, "C5", "C7", 1).sides == (cross("C5|C6"), cross("C6|C7"))


def test_from_a_hexside_away_from_the_hex() -> None:
    # From the bottom of C5: the line starts on C5|C6 and does not cross it.
    assert trace(GRID, "C5", "C7", 4) == Trace((("C6",),), (cross("C6|C7"),))
    assert trace(GRID, "C5", "C6", 4) == Trace((), ())
    assert trace(GRID, "C5", "C6", 4, 1) == Trace((), ())


def test_along_the_side_of_its_own_hex() -> None:
    # From the middle of B1|B2, as a side of B1, along it to C2: nothing is between but the side.
    assert trace(GRID, "B1", "C2", 4) == Trace((), (along("B1|B2"), vertex("B1|C2", "B2|C2")))
    # The same on to E2 runs between D1 and D2.
    assert trace(GRID, "B1", "E2", 4).steps == (("C2",), ("D1", "D2"))


def test_wrong_ends() -> None:
    with pytest.raises(ValueError, match="off the map"):
        trace(GRID, "A1", "Z9")
    with pytest.raises(ValueError, match="0 for the centre"):
        trace(GRID, "A1", "B3", 7)


def test_patterns_are_shared_by_all_places() -> None:
    assert pattern(1, 1) is pattern(1, 1)
    assert pattern(2, -1).steps == (((1, -1), (1, 0)),)
    assert pattern(2, -1).sides == (
        ("vertex", (((0, 0), (1, -1)), ((0, 0), (1, 0)))),
        ("along", (((1, -1), (1, 0)),)),
        ("vertex", (((1, -1), (2, -1)), ((1, 0), (2, -1)))),
    )
    # Side 6 of a pointed hex looks the way of side 1 of a flat one.
    assert pattern(3, 1, 6, 1, "pointy") == pattern(3, 1, 1, 2)


def test_kept_traces_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = HexGrid(5, 5)
    monkeypatch.setattr("grognard.board.hex.trace.KEEP", 3)
    for label in grid.hexes:
        trace(grid, "A1", label)
    assert len(grid.traces) <= 3


# the slow reference: cut the line with the six edges of every hex, in fractions


def corners(hex_: Axial) -> list[tuple[int, int]]:
    """The corners in sixths, going round."""
    q, r = hex_[0] * 6, hex_[1] * 6
    return [(q + x, r + y) for x, y in ((2, -4), (4, -2), (2, 2), (-2, 4), (-4, 2), (-2, -2))]


def span(start: Axial, goal: Axial, hex_: Axial) -> tuple[Fraction, Fraction, bool] | None:
    """When the line is in a hex, and whether it only runs along the hex's boundary."""
    t0, t1, edge = Fraction(0), Fraction(1), False
    ring = corners(hex_)
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
        ex, ey = bx - ax, by - ay
        height = ex * (start[1] - ay) - ey * (start[0] - ax)
        climb = ex * dy - ey * dx
        if climb == 0:
            if height < 0:
                return None
            edge = edge or height == 0
        elif climb > 0:
            t0 = max(t0, Fraction(-height, climb))
        else:
            t1 = min(t1, Fraction(-height, climb))
    return (t0, t1, edge) if t0 <= t1 else None


def reference(grid: HexGrid, a: str, b: str, fs: int, ts: int) -> list[tuple[str, ...]]:
    """The steps of a trace, looked for in every hex of the map and its surroundings."""
    (aq, ar), (bq, br) = grid.axial(a), grid.axial(b)
    start = (6 * aq + 3 * grid.steps[fs][0], 6 * ar + 3 * grid.steps[fs][1])
    goal = (6 * bq + 3 * grid.steps[ts][0], 6 * br + 3 * grid.steps[ts][1])
    singles: list[tuple[Fraction, tuple[str, ...]]] = []
    spines: dict[tuple[Fraction, Fraction], list[Axial]] = {}
    for q in range(-8, 16):
        for r in range(-8, 16):
            found = span(start, goal, (q, r))
            if found is None or found[0] == found[1]:
                continue
            t0, t1, edge = found
            if edge:
                spines.setdefault((t0, t1), []).append((q, r))
            elif (q, r) not in ((aq, ar), (bq, br)) and (label := grid.at(q, r)):
                singles.append((t0 + t1, (label,)))
    for (t0, t1), pair in spines.items():
        assert len(pair) == 2
        if (aq, ar) in pair or (bq, br) in pair:
            continue
        labels = [label for q, r in pair if (label := grid.at(q, r))]
        if labels:
            singles.append((t0 + t1, tuple(sorted(labels, key=grid.index.__getitem__))))
    return [step for _, step in sorted(singles)]


ends = st.sampled_from(SMALL).flatmap(
    lambda grid: st.tuples(
        st.just(grid), st.sampled_from(grid.hexes), st.sampled_from(grid.hexes), st.integers(0, 6), st.integers(0, 6)
    )
)


@given(ends)
@settings(max_examples=150, deadline=None)
def test_every_line_agrees_with_the_reference(line: tuple[HexGrid, str, str, int, int]) -> None:
    grid, a, b, fs, ts = line
    if a != b and point_of(grid, a, fs) != pytest.approx(point_of(grid, b, ts)):
        assert list(trace(grid, a, b, fs, ts).steps) == reference(grid, a, b, fs, ts)


@given(ends)
@settings(max_examples=400, deadline=None)
def test_a_line_is_the_mirror_of_the_line_back(line: tuple[HexGrid, str, str, int, int]) -> None:
    grid, a, b, fs, ts = line
    assert trace(grid, a, b, fs, ts) == trace(grid, b, a, ts, fs).reversed()


@given(ends)
@settings(max_examples=200, deadline=None)
def test_events_link_the_steps(line: tuple[HexGrid, str, str, int, int]) -> None:
    grid, a, b, fs, ts = line
    found = trace(grid, a, b, fs, ts)
    named = {a, b, *found.hexes}
    for kind, sides in found.sides:
        assert len(sides) == 1 or kind == "vertex"
        for side in sides:
            one, two = grid.side_hexes(side)
            assert grid.hexside(one, two) == side
            if kind == "cross":
                assert {one, two} <= named | set(grid.adjacent[a]) | set(grid.adjacent[b])


@given(ends)
@settings(max_examples=100, deadline=None)
def test_metres_agree_with_the_steps(line: tuple[HexGrid, str, str, int, int]) -> None:
    grid, a, b, fs, ts = line
    found = trace(grid, a, b, fs, ts)
    cut = segment(grid, a, b, fs, ts)
    single = {step[0] for step in found.steps}
    for label in grid.hexes:
        x, y = grid.center(label)
        core = [(x + (cx - x) * 0.999, y + (cy - y) * 0.999) for cx, cy in grid.corners(label)]
        if crosses(cut, core) and label not in (a, b) and a != b:
            assert label in found.hexes
        if label in found.hexes:
            assert crosses(cut, grid.corners(label))
    assert single <= set(found.hexes)


# polygons

BOX = Outline([(10, 10), (20, 10), (20, 20), (10, 20), (10, 10)])


@pytest.mark.parametrize(
    ("line", "hit"),
    [
        (((0, 15), (30, 15)), True),  # through
        (((12, 12), (13, 13)), True),  # inside
        (((0, 0), (10, 10)), True),  # touching a corner
        (((0, 10), (30, 10)), True),  # along a side
        (((0, 9.5), (30, 9.5)), False),  # past it
        (((0, 20), (9, 11)), False),  # short of it
        (((0, 19), (19, 0)), False),  # past a corner, within the box's shadow
        (((15, 15), (50, 50)), True),  # from inside out
        (((5, 5), (5, 50)), False),
        (((0, 30), (50, 31)), False),
    ],
)
def test_segments_and_outlines(line: tuple[tuple[float, float], tuple[float, float]], hit: bool) -> None:
    assert crosses(line, BOX) is hit
    assert crosses(line[::-1], BOX) is hit
    assert crosses(line, list(BOX)) is hit


def test_outlines_close_themselves() -> None:
    assert list(BOX) == [(10, 10), (20, 10), (20, 20), (10, 20)]
    assert BOX.box == (10.0, 10.0, 20.0, 20.0)
    assert area(BOX) == 100


def test_clipping_to_a_hex() -> None:
    corners = GRID.corners("C4")
    assert clip(BOX, corners) is None
    x, y = GRID.center("C4")
    within = [(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)]
    part = clip(within, corners)
    assert part is not None
    assert set(part) == set(within)
    whole = clip([(x - 99, y - 99), (x + 99, y - 99), (x + 99, y + 99), (x - 99, y + 99)], corners)
    assert whole is not None
    assert area(whole) == pytest.approx(area(corners))


def test_points_and_holes() -> None:
    hole = [(12.0, 12.0), (18.0, 12.0), (18.0, 18.0), (12.0, 18.0)]
    assert inside((15, 15), BOX)
    assert not inside((5, 15), BOX)
    assert not inside_rings((15, 15), [BOX, hole])
    assert inside_rings((11, 11), [BOX, hole])
