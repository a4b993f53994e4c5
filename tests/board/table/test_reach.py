"""How far a model can walk: round obstacles, along their edges, and no further than the truth."""

from __future__ import annotations

import math
import random
import time
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import affinity

from grognard.board.table import corners, reach
from grognard.board.table.bodies import disc, shape
from grognard.board.table.reach import Obstacles, Reach, common, common_area, rings

WIDTH, HEIGHT = 2400, 1800


def crowded(seed: int, count: int = 30) -> list[Any]:
    """Bushes, houses, walls and corners of walls, all over each other."""
    rng = random.Random(seed)
    found: list[Any] = []
    for _ in range(count):
        x, y, kind = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT), rng.random()
        if kind < 0.4:
            found.append(shapely.Point(x, y).buffer(rng.uniform(40, 180), quad_segs=rng.choice([2, 8])))
        elif kind < 0.7:
            house = shapely.box(x, y, x + rng.uniform(50, 500), y + rng.uniform(50, 300))
            found.append(affinity.rotate(house, rng.choice([0, 45, rng.uniform(0, 360)])))
        elif kind < 0.85:
            ends = [(x + rng.uniform(-500, 500), y + rng.uniform(-500, 500)) for _ in range(2)]
            found.append(shapely.LineString([(x, y), *ends]).buffer(rng.uniform(5, 60), quad_segs=2))
        else:
            hook = [(0, 0), (200, 0), (200, 200), (150, 200), (150, 50), (0, 50)]
            found.append(shapely.Polygon([(x + dx, y + dy) for dx, dy in hook]))
    return found


class Plain:
    """Shortest ways as a book would have it: every corner joined to every other, and the nearest first."""

    def __init__(self, blocked: list[Any], start: tuple[float, float], far: float) -> None:
        merged = shapely.unary_union(blocked)
        self.solid = shapely.buffer(merged, -0.05, join_style="mitre")
        shapely.prepare(self.solid)
        corners = [tuple(c) for c in shapely.get_coordinates(merged) if 0 < c[0] < WIDTH and 0 < c[1] < HEIGHT]
        self.points = np.array([start, *(c for c in dict.fromkeys(corners) if math.dist(c, start) < far)])
        count = len(self.points)
        one, two = np.triu_indices(count, 1)
        clear = self._clear(self.points[one], self.points[two])
        one, two = one[clear], two[clear]
        way = np.full((count, count), np.inf)
        way[one, two] = way[two, one] = np.hypot(*(self.points[one] - self.points[two]).T)
        self.ways, done = way[0].copy(), np.zeros(count, dtype=bool)
        self.ways[0] = 0
        for _ in range(count):
            nearest = np.where(done, np.inf, self.ways).argmin()
            done[nearest] = True
            self.ways = np.minimum(self.ways, self.ways[nearest] + way[nearest])

    def _clear(self, ones: Any, others: Any) -> Any:
        return ~shapely.intersects(self.solid, shapely.linestrings(np.stack([ones, others], axis=1)))

    def length(self, point: Any) -> float:
        """The shortest way to a point."""
        clear = self._clear(self.points, np.broadcast_to(point, self.points.shape))
        out = np.hypot(*(self.points - point).T) + self.ways
        return float(np.where(clear, out, np.inf).min())


def somewhere(obstacles: Obstacles, rng: random.Random) -> tuple[int, int]:
    """A free place."""
    while True:
        x, y = rng.randint(0, WIDTH), rng.randint(0, HEIGHT)
        if obstacles.free(x, y):
            return x, y


@pytest.mark.parametrize("seed", range(16))
def test_it_agrees_with_the_plain_way_on_crowded_tables(seed: int) -> None:
    rng = random.Random(seed)
    blocked = crowded(seed)
    obstacles = Obstacles(WIDTH, HEIGHT, blocked)
    start, far = somewhere(obstacles, rng), rng.choice([300, 600, 900, 1200])
    no_end = shapely.unary_union([shapely.Point(*somewhere(obstacles, rng)).buffer(120) for _ in range(4)])
    walk = Reach(obstacles, start, far, no_end=no_end)
    points = np.array([(start[0] + rng.uniform(-far, far), start[1] + rng.uniform(-far, far)) for _ in range(120)])
    points = points[obstacles.on_table(points)]
    plain = Plain(blocked, start, far)
    truth = np.array([plain.length(point) for point in points])
    near = truth <= far + 0.01

    # Ways hug outlines drawn in by a hair: a tenth of a hundredth of an inch is all they may differ by.
    assert np.allclose(np.where(near, truth, 0), np.where(near, walk.lengths(points), 0), atol=0.2)
    sure = np.abs(truth - far) > 0.2
    legal = near & ~shapely.contains_xy(no_end, points)
    assert (walk.contains_many(points) == legal)[sure].all()

    region = walk.polygon
    assert region.is_valid
    edge = shapely.distance(shapely.boundary(region), shapely.points(points))
    within = shapely.contains_xy(region, points)
    assert (within == legal)[edge > 2].all()


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_among_files_of_men_and_houses_in_rows(seed: int) -> None:
    """Edges in line with each other, shared or meeting in corners, are what floating point likes least."""
    rng = random.Random(seed)
    x, y = rng.randrange(200, 1600, 100), rng.randrange(200, 1200, 100)
    blocked = [shape(disc(x + 140 * (i % 5), y + 140 * (i // 5), 50), 100) for i in range(10)]
    for _ in range(12):
        x, y = rng.randrange(100, 2200, 100), rng.randrange(100, 1600, 100)
        blocked.append(shapely.box(x, y, x + 100 * rng.randint(1, 3), y + 100))
    obstacles = Obstacles(WIDTH, HEIGHT, blocked)
    start = somewhere(obstacles, rng)
    walk, plain = Reach(obstacles, start, 700), Plain(blocked, start, 700)
    points = np.array([(rng.randrange(10, WIDTH, 10), rng.randrange(10, HEIGHT, 10)) for _ in range(300)], dtype=float)
    truth = np.array([plain.length(point) for point in points])
    near, sure = truth <= 700.01, np.abs(truth - 700) > 0.2
    assert (walk.contains_many(points) == near)[sure].all()
    assert np.allclose(np.where(near, truth, 0), np.where(near, walk.lengths(points), 0), atol=0.2)
    edge = shapely.distance(shapely.boundary(walk.polygon), shapely.points(points))
    assert (shapely.contains_xy(walk.polygon, points) == near)[edge > 2].all()


def test_there_is_no_way_along_the_seam_of_two_houses() -> None:
    houses = [shapely.box(500, 500, 900, 700), shapely.box(500, 700, 900, 900)]
    obstacles = Obstacles(1400, 1400, houses)
    assert Reach(obstacles, (400, 700), 550).path(1000, 700) is None
    points = np.array(
        [(1000, 700), (700, 700), (900, 400), (400, 900)] + [(100 + i, 700) for i in range(20)], dtype=float
    )
    assert list(Reach(obstacles, (400, 700), 650).contains_many(points))[:4] == [False, False, True, True]
    assert Reach(obstacles, (700, 700), 600).polygon.is_empty
    assert not Reach(obstacles, (700, 700), 600).contains(700, 400)


@pytest.mark.parametrize("seed", range(16, 24))
def test_the_rings_and_contains_say_the_same(seed: int) -> None:
    rng = random.Random(seed)
    obstacles = Obstacles(WIDTH, HEIGHT, crowded(seed, 45))
    start = somewhere(obstacles, rng)
    walk = Reach(obstacles, start, 900)
    drawn = shapely.MultiPolygon([(outer, holes) for outer, *holes in rings(walk.polygon)]).buffer(0)
    points = np.array([(rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT)) for _ in range(1500)])
    edge = shapely.distance(shapely.boundary(drawn), shapely.points(points))
    within = shapely.contains_xy(drawn, points)
    good = walk.contains_many(points)
    assert (within == good)[edge > 2].all()
    assert within.any() and not within.all()


@pytest.mark.parametrize("seed", range(24, 28))
def test_a_path_is_clear_and_as_long_as_it_says(seed: int) -> None:
    rng = random.Random(seed)
    blocked = crowded(seed)
    obstacles = Obstacles(WIDTH, HEIGHT, blocked)
    start = somewhere(obstacles, rng)
    walk = Reach(obstacles, start, 900)
    solid = shapely.buffer(shapely.unary_union(blocked), -0.1, join_style="mitre")
    bent = 0
    for _ in range(60):
        x, y = start[0] + rng.randint(-800, 800), start[1] + rng.randint(-800, 800)
        path = walk.path(x, y)
        assert (path is not None) == walk.contains(x, y)
        if path:
            assert path[0] == start and path[-1] == (x, y)
            assert sum(math.dist(a, b) for a, b in pairwise(path)) == pytest.approx(walk.length(x, y))
            assert not shapely.LineString(path).intersects(solid) or len(set(path)) == 1
            bent += len(path) > 2
    assert bent


def test_a_wall_is_walked_round() -> None:
    obstacles = Obstacles(2000, 2000, [shapely.box(1000, 500, 1100, 2000)])
    walk = Reach(obstacles, (800, 600), 1000)
    assert walk.path(1300, 600) == [(800, 600), (1000, 500), (1100, 500), (1300, 600)]
    assert walk.length(1300, 600) == pytest.approx(2 * math.hypot(200, 100) + 100)
    # A straight line would reach it; the way round the table's edge is no way.
    assert not walk.contains(1300, 1300)
    assert walk.path(1300, 1300) is None and walk.length(1300, 1300) == math.inf


def test_edges_may_be_touched_and_walked_along() -> None:
    obstacles = Obstacles(2000, 2000, [shapely.box(1000, 500, 1100, 1500)])
    walk = Reach(obstacles, (1000, 600), 1000)
    assert walk.path(1000, 1500) == [(1000, 600), (1000, 1500)]
    assert walk.contains(1100, 500) and not walk.contains(1001, 501)
    assert walk.contains(1000, 600)


def test_a_line_stops_like_a_thin_wall_and_parts_count_one_by_one() -> None:
    fence = shapely.MultiLineString([[(500, 0), (500, 900)], [(500, 1100), (500, 2000)]])
    walk = Reach(Obstacles(1000, 2000, [fence, shapely.Polygon()]), (400, 1000), 400)
    assert walk.contains(700, 1000)
    assert not walk.contains(700, 700) and walk.contains(700, 750) and walk.contains(510, 890)


def test_a_gap_too_narrow_is_no_gap() -> None:
    house, shed = shapely.box(500, 0, 600, 1000), shapely.box(500, 900, 600, 2000)
    obstacles = Obstacles(1000, 2000, [house, shed])
    assert not Reach(obstacles, (400, 950), 5000).contains(700, 950)
    assert not Reach(obstacles, (400, 0), 5000).contains(700, 0)
    ajar = Obstacles(1000, 2000, [house, shapely.box(500, 1001, 600, 2000)])
    assert Reach(ajar, (400, 950), 5000).contains(700, 950)


def test_a_courtyard_is_a_region_of_its_own() -> None:
    yard = shapely.box(500, 500, 1500, 1500).difference(shapely.box(600, 600, 1400, 1400))
    obstacles = Obstacles(2000, 2000, [yard])
    inside = Reach(obstacles, (1000, 1000), 3000)
    assert inside.polygon.area == pytest.approx(800 * 800, rel=1e-3)
    outside = Reach(obstacles, (250, 250), 9000)
    assert not outside.contains(1000, 1000)
    assert len(rings(outside.polygon)) == 1 and len(rings(outside.polygon)[0]) == 2


def test_the_open_table_is_a_circle_cut_off_at_its_edge() -> None:
    walk = Reach(Obstacles(2000, 2000, []), (1000, 300), 600)
    assert walk.polygon.bounds == pytest.approx((400, 0, 1600, 900), abs=0.6)
    assert walk.contains(1000, 900) and not walk.contains(1000, 901) and not walk.contains(1000, -1)
    assert walk.contains(1000, 0)


def test_friends_may_be_passed_but_not_ended_in() -> None:
    friends = shapely.box(800, 0, 1000, 2000)
    walk = Reach(Obstacles(2000, 2000, []), (700, 1000), 600, no_end=friends)
    assert not walk.contains(900, 1000) and walk.path(900, 1000) is None
    assert walk.contains(1100, 1000) and walk.path(1100, 1000) == [(700, 1000), (1100, 1000)]
    assert walk.contains(800, 1000)
    assert len(rings(walk.polygon)) == 2
    assert not walk.polygon.contains(shapely.Point(900, 1000))


def test_staying_is_always_possible() -> None:
    everywhere = shapely.box(0, 0, 2000, 2000)
    among = Reach(Obstacles(2000, 2000, []), (700, 1000), 600, no_end=everywhere)
    assert among.contains(700, 1000) and not among.contains(701, 1000)
    assert among.path(700, 1000) == [(700, 1000), (700, 1000)]
    stuck = Reach(Obstacles(2000, 2000, [everywhere]), (700, 1000), 600)
    assert stuck.contains(700, 1000) and not stuck.contains(701, 1000) and stuck.path(701, 1000) is None
    assert stuck.polygon.is_empty and stuck.length(701, 1000) == math.inf
    assert list(stuck.straight(np.array([(700, 1000), (701, 1000)]))) == [True, False]
    assert Reach(Obstacles(2000, 2000, []), (700, 1000), 0).polygon.is_empty
    outside = Reach(Obstacles(2000, 2000, []), (-100, 1000), 600)
    assert not outside.contains(100, 1000)


def test_who_stands_in_an_obstacle_by_rounding_starts_from_its_edge() -> None:
    obstacles = Obstacles(2000, 2000, [shapely.box(1000, 0, 1200, 2000)])
    walk = Reach(obstacles, (1002, 1000), 600)
    assert walk.contains(400, 1000) and not walk.contains(1300, 1000)
    assert walk.polygon.contains(shapely.Point(500, 1000))
    assert Reach(obstacles, (1004, 1000), 600).polygon.is_empty


def test_what_a_straight_line_decides_needs_no_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    obstacles = Obstacles(WIDTH, HEIGHT, crowded(5))
    start = somewhere(obstacles, random.Random(5))
    whole = Reach(obstacles, start, 600)
    points = np.random.default_rng(5).uniform((0, 0), (WIDTH, HEIGHT), (400, 2))
    seen = whole.straight(points)
    solid = shapely.buffer(shapely.unary_union(crowded(5)), -0.05, join_style="mitre")
    slow = [math.dist(start, p) <= 600 and not solid.intersects(shapely.LineString([start, p])) for p in points]
    assert list(seen) == slow and any(slow)
    good = whole.contains_many(points)
    assert (good | ~seen).all() and good.sum() > seen.sum()

    def never(*_: Any) -> None:
        raise AssertionError("the corners were looked at")

    monkeypatch.setattr(reach, "Ground", never)
    fresh = Reach(Obstacles(WIDTH, HEIGHT, crowded(5)), start, 600)
    beyond = np.array([(x, y) for x, y in points if math.dist((x, y), start) > 601])
    assert fresh.contains_many(points[seen]).all()
    assert not fresh.contains_many(beyond).any()
    assert not fresh.contains_many(points[obstacles.inside(points)]).any()
    x, y = points[seen][0]
    assert fresh.path(x, y) == [start, (x, y)] and fresh.contains(x, y)


def test_fellows_share_what_is_known_about_the_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(corners.Ground):
        def __init__(self, *given: Any) -> None:
            made.append(given)
            super().__init__(*given)

    monkeypatch.setattr(reach, "Ground", Counted)
    obstacles = Obstacles(WIDTH, HEIGHT, crowded(3, 12))
    rng = random.Random(3)
    start = somewhere(obstacles, rng)
    walks = [Reach(obstacles, (start[0] + 20 * i, start[1]), 500) for i in range(10)]
    assert all(not walk.polygon.is_empty or not obstacles.free(*walk.start) for walk in walks)
    assert len(made) == 1
    points = np.array(start) + np.random.default_rng(3).uniform(-500, 500, (100, 2))
    one_by_one = Obstacles(WIDTH, HEIGHT, crowded(3, 12))
    for walk in walks:
        same = Reach(one_by_one, walk.start, 500)
        assert same.whole.area == pytest.approx(walk.whole.area, rel=1e-4)
        assert np.allclose(same.lengths(points), walk.lengths(points), rtol=0, atol=1e-9)
    assert len(made) <= 4


def test_a_unit_goes_where_all_of_it_can() -> None:
    obstacles = Obstacles(3000, 3000, [shapely.box(1500, 0, 1600, 1400), shapely.box(1500, 1600, 1600, 3000)])
    offsets = [(-100, 0), (100, 0), (0, 150)]
    walks = [Reach(obstacles, (1300 + dx, 1500 + dy), 600) for dx, dy in offsets]
    drawn = common(walks, offsets)
    region = shapely.MultiPolygon([(outer, holes) for outer, *holes in drawn])
    rng = np.random.default_rng(7)
    for x, y in rng.uniform((700, 900), (2000, 2100), (500, 2)):
        spot = shapely.Point(x, y)
        if region.boundary.distance(spot) > 2:
            together = all(walk.contains(x + dx, y + dy) for walk, (dx, dy) in zip(walks, offsets))
            assert region.contains(spot) == together
    apart = [Reach(obstacles, (300, 300), 200), Reach(obstacles, (2500, 300), 200), Reach(obstacles, (300, 300), 200)]
    assert common(apart, [(0, 0)] * 3) == []
    assert common_area([], []).is_empty


@pytest.mark.parametrize("seed", range(28, 32))
def test_walks_explored_together_are_what_they_are_alone(seed: int) -> None:
    """Of different lengths and sizes, one of them shut in, one twice: each gets its own region."""
    rng = random.Random(seed)
    grounds = [Obstacles(WIDTH, HEIGHT, [house.buffer(grow) for house in crowded(seed, 15)]) for grow in (0, 30)]
    x, y = somewhere(grounds[1], rng)
    walks = [
        Reach(ground, (x + dx, y), far)
        for ground in grounds
        for far in (300, 600)
        for dx in (0, 25, 50)
        if ground.free(x + dx, y)
    ]
    walks.append(walks[0])
    inside = next(house.representative_point() for house in crowded(seed, 15) if house.area > 10000)
    together = common_area(walks, [(0, 0)] * len(walks))
    alone = [Reach(walk.obstacles, walk.start, walk.far) for walk in walks]
    # Arcs may be drawn from other points of the same circle.
    for one, same in zip(
        [together, *(walk.whole for walk in walks)],
        [shapely.intersection_all([walk.whole for walk in alone]), *(walk.whole for walk in alone)],
    ):
        assert shapely.symmetric_difference(one, same).area < 1e-3 * one.area
        assert shapely.hausdorff_distance(one.boundary, same.boundary, densify=0.01) < 1.0
    shut = Reach(grounds[0], (inside.x, inside.y), 300)
    assert common_area([*walks, shut], [(0, 0)] * (len(walks) + 1)).is_empty


@pytest.mark.parametrize("seed", range(40, 48))
def test_models_far_apart_are_followed_only_where_they_can_meet(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they have in common is the same, in a fraction of the ground; the second form asks for all of it."""
    rng = random.Random(seed)
    blocked = crowded(seed, 20)
    no_end = shapely.box(0, 0, WIDTH, HEIGHT / 4)
    ground = Obstacles(WIDTH, HEIGHT, blocked)
    starts = [(300, 900), (2100, 900), (1200, 1500)]
    starts = [min((somewhere(ground, rng) for _ in range(40)), key=lambda p, at=at: math.dist(p, at)) for at in starts]
    offsets = [(0, 0), (60, 0), (30, 50)]
    far = 1000 + 100 * (seed % 4)
    sizes: list[float] = []
    kept = reach.Ground

    def made(table: Any, merged: Any, low: Any, high: Any, far: float) -> Any:
        sizes.append(float(np.prod(high - low)))
        return kept(table, merged, low, high, far)

    def walks() -> list[Reach]:
        fresh = Obstacles(WIDTH, HEIGHT, blocked)
        return [Reach(fresh, start, far, no_end=no_end) for start in starts]

    monkeypatch.setattr(reach, "Ground", made)
    some = walks()
    first = common_area(some, offsets)
    spread = np.ptp(np.array(starts), axis=0) + 2 * far
    assert len(sizes) == 1 and sizes[0] < 0.6 * float(np.prod(spread))
    again = common_area(some, offsets)
    assert len(sizes) > 1 and not any(walk.whole.is_empty for walk in some)
    alone = [affinity.translate(walk.polygon, -dx, -dy) for walk, (dx, dy) in zip(walks(), offsets)]
    plain = shapely.intersection_all(alone)
    for each in (first, again):
        # Arcs may be drawn from other points of the same circle.
        assert shapely.symmetric_difference(each, plain).buffer(-1).is_empty


def test_rings_leave_out_specks_and_lines() -> None:
    bits = shapely.GeometryCollection(
        [shapely.box(0, 0, 0.5, 0.5), shapely.box(10.4, 10, 30, 30), shapely.box(50, 0, 51, 1000)]
    )
    assert [sorted(outer) for (outer,) in rings(bits)] == [
        [(10, 10), (10, 30), (30, 10), (30, 30)],
        [(50, 0), (50, 1000), (51, 0), (51, 1000)],
    ]
    assert rings(shapely.Polygon()) == []


def test_straight_lines_are_quick() -> None:
    """Random play asks for hundreds of points at a time; the bound is loose, as the machine may be busy."""
    obstacles = Obstacles(WIDTH, HEIGHT, crowded(11))
    start = somewhere(obstacles, random.Random(11))
    walk = Reach(obstacles, start, 900)
    points = np.array(start) + np.random.default_rng(1).uniform(-600, 600, (200, 2))
    walk.straight(points)
    best = math.inf
    for _ in range(20):
        before = time.perf_counter()
        walk.straight(points)
        best = min(best, time.perf_counter() - before)
    assert best < 0.002
