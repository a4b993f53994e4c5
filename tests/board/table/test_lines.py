"""What lines and ways cross: in bulk against plain geometry, and step by step along a way."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import numpy as np
import pytest
import shapely

from grognard.board.table.bodies import Footprint
from grognard.board.table.lines import met, spans
from grognard.board.table.routes import along, long
from grognard.board.table.terrain import Piece, Table
from tests.board.table.scenes import box, random_scene, table


def plain(field: Table, start: tuple[float, float], end: tuple[float, float], piece: Piece) -> tuple[float, ...]:
    """The same of one line and one piece with plain geometry."""
    way = shapely.LineString([start, end])
    plan = field.line(piece) if field.thin(piece) else field.area(piece)
    length, common = way.length, way.intersection(plan)
    if common.is_empty or (not field.thin(piece) and common.length < 1e-6):
        return math.inf, -math.inf, 0.0
    off = np.hypot(*(shapely.get_coordinates(common) - start).T) / length
    return float(off.min()), float(off.max()), float(common.length)


@pytest.mark.parametrize("seed", range(12))
def test_many_lines_at_once_are_the_lines_one_by_one(seed: int) -> None:
    rng = random.Random(seed)
    field = random_scene(rng, pieces=20).table
    points = np.array([(rng.uniform(0, 7200), rng.uniform(0, 4800)) for _ in range(60)])
    starts, ends = points[:30], points[30:]
    some = [piece for piece in field.pieces if rng.random() < 0.7]
    found = spans(field, starts, ends, some)
    assert found.enter.shape == (30, len(some))
    hits = 0
    for i in range(30):
        for j, piece in enumerate(some):
            enter, leave, inside = plain(field, tuple(starts[i]), tuple(ends[i]), piece)
            hits += enter <= leave
            assert found.enter[i, j] == pytest.approx(enter, abs=1e-6), (i, piece)
            assert found.leave[i, j] == pytest.approx(leave, abs=1e-6)
            assert found.inside[i, j] == pytest.approx(inside, abs=1e-3)
    assert hits > 20
    every = spans(field, starts, ends)
    columns = [field.pieces.index(piece) for piece in some]
    assert all(np.array_equal(one[:, columns], other) for one, other in zip(every, found))


@pytest.mark.parametrize("seed", range(8))
def test_lines_on_a_lattice_touch_corners_and_edges(seed: int) -> None:
    """A line along an edge counts or not; any other is inside as far as it is really inside."""
    rng = random.Random(seed)
    field = random_scene(rng, pieces=20, grid=200).table
    points = np.array([(rng.randrange(37) * 200, rng.randrange(25) * 200) for _ in range(160)], float)
    starts, ends = points[:80], points[80:]
    found = spans(field, starts, ends)
    for i, (start, end) in enumerate(zip(starts, ends)):
        way = shapely.LineString([start, end])
        for j, piece in enumerate(field.pieces):
            if field.thin(piece):
                continue
            area = field.area(piece)
            rim = way.intersection(area.exterior).length
            least, most = way.intersection(area).length - rim, way.intersection(area).length
            assert least - 1e-3 <= found.inside[i, j] <= most + 1e-3, (start, end, piece)
            if found.inside[i, j] > 1e-3:
                assert (found.leave[i, j] - found.enter[i, j]) * way.length >= found.inside[i, j] - 1e-3


def test_spans_one_can_check_with_a_ruler() -> None:
    field = table(
        ("woods", box(10, 0, 10, 10)),
        ("hedge", [(30, 0), (30, 10)]),
        ("road", [(40, 0), (40, 10)]),
        ("crops", [(50, 0), (60, 0), (60, 10), (58, 10), (58, 2), (52, 2), (52, 10), (50, 10)]),
    )
    starts = [(0.0, 500.0), (1500.0, 500.0), (1500.0, 500.0), (500.0, 500.0)]
    ends = [(7000.0, 500.0), (1500.0, 2500.0), (1500.0, 500.0), (500.0, 500.0)]
    enter, leave, inside = spans(field, np.array(starts), np.array(ends))
    assert enter[0].tolist() == pytest.approx([1000 / 7000, 3000 / 7000, 3850 / 7000, 5000 / 7000])
    assert leave[0].tolist() == pytest.approx([2000 / 7000, 3000 / 7000, 4150 / 7000, 6000 / 7000])
    assert inside[0].tolist() == pytest.approx([1000, 0, 300, 400]), "through the two arms of the crops"
    assert (enter[1, 0], leave[1, 0], inside[1, 0]) == (0, 0.25, 500), "it begins in the woods"
    assert (enter[2, 0], leave[2, 0], inside[2, 0]) == (0, 1, 0), "a point in the woods"
    assert enter[3, 0] == math.inf and leave[3, 0] == -math.inf, "a point outside"
    nothing = spans(field, np.zeros((0, 2)), np.zeros((0, 2)))
    assert nothing.enter.shape == (0, 4) and spans(table(), np.zeros((2, 2)), np.ones((2, 2))).inside.shape == (2, 0)


def test_a_road_that_runs_in_a_circle_has_an_inside_that_is_no_road() -> None:
    ring = [(30 + 8 * math.sin(turn), 20 + 8 * math.cos(turn)) for turn in np.linspace(0, math.tau, 25)]
    field = table(("road", [*ring[:-1], ring[0]]))
    found = spans(field, np.array([[1000.0, 2000.0]]), np.array([[5000.0, 2000.0]]))
    assert found.inside[0, 0] == pytest.approx(600, rel=0.03)
    assert found.enter[0, 0] * 4000 == pytest.approx(1050, abs=15)


# ---- ways --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_a_way_meets_what_one_finds_step_by_step(seed: int) -> None:
    rng = random.Random(seed)
    field = random_scene(rng, pieces=20).table
    path = [(rng.randint(500, 6700), rng.randint(500, 4300)) for _ in range(4)]
    foot = rng.choice([None, Footprint("disc", radius=50), Footprint("rect", length=200, width=120)])
    grow = foot.narrowest if foot else 0.0
    found = met(field, path, lambda piece: not field.thin(piece), foot=foot)
    assert [one.far for one in found] == sorted(one.far for one in found)
    for one in found:
        assert math.dist(one.at, along(path, one.far)) == 0
    for piece in field.pieces:
        mine = [one for one in found if one.piece is piece]
        if field.thin(piece):
            assert not mine, "it was not wanted"
            continue
        plan = field.area(piece).buffer(grow) if grow else field.area(piece)
        turns = [one.far for one in mine]
        # Between two points at which it comes in or out it is in or out all the time.
        marks = [0.0, *turns, long(path)]
        inside = bool(shapely.intersects_xy(plan, *path[0]))
        for low, high in pairwise(marks):
            if high - low > 4:
                for part in (0.02, 0.5, 0.98):
                    far = low + 2 + (high - low - 4) * part
                    spot = shapely.Point(exact(path, far))
                    if plan.boundary.distance(spot) > 0.1:
                        assert plan.contains(spot) == inside, (piece, far)
            inside = not inside
        assert [one.entering for one in mine] == [
            bool(n % 2) == bool(shapely.intersects_xy(plan, *path[0])) for n in range(len(mine))
        ]


def exact(path: list[tuple[int, int]], far: float) -> tuple[float, float]:
    point = shapely.LineString(path[:1] * 2 if len(path) < 2 else path).interpolate(far)
    return point.x, point.y


def test_a_way_stops_at_an_edge_and_goes_on_from_it() -> None:
    field = table(("woods", box(10, 0, 10, 10)), ("hedge", [(25, 0), (25, 10)]))
    way = [(500, 500), (3000, 500)]
    found = met(field, way, lambda piece: True)
    assert [(one.far, one.piece.id, one.at, one.entering) for one in found] == [
        (500, "woods-1", (1000, 500), True),
        (1500, "woods-1", (2000, 500), False),
        (2000, "hedge-1", (2500, 500), True),
    ]
    rest = met(field, [found[0].at, (3000, 500)], lambda piece: piece.kind == "woods")
    assert [(one.far, one.entering) for one in rest] == [(1000, False)]
    # A base meets it by its rim, and a hedge then has two sides.
    wide = met(field, way, lambda piece: True, foot=Footprint("rect", length=200, width=100))
    assert [(round(one.far), one.entering) for one in wide] == [
        (450, True),
        (1550, False),
        (1950, True),
        (2050, False),
    ]
    corner = met(field, [(900, 900), (1000, 1000), (1100, 1100)], lambda piece: True)
    assert corner == [], "to touch a corner is not to enter"
    assert met(field, [(500, 500)], lambda piece: True) == []
    round_it = met(field, [(500, 500), (1500, 500), (1500, 1500), (1500, 500)], lambda piece: True)
    assert [(one.far, one.entering) for one in round_it] == [(500, True), (1500, False), (2500, True)]
