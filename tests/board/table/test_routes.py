"""Where to go within reach: away from somebody, toward somebody, and the way step by step."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely

from grognard.board.table.bodies import disc, gap, rect
from grognard.board.table.drive import Drive
from grognard.board.table.reach import Obstacles, Reach
from grognard.board.table.routes import away, drive_away, gaps_from, steps, toward

SIZE = 3000


def test_who_runs_away_runs_straight_away() -> None:
    walk = Reach(Obstacles(SIZE, SIZE, []), (1500, 1500), 1200)
    x, y = away(walk, [disc(1200, 1500, 50)])
    assert x == 2700 and abs(y - 1500) <= 5


def test_running_away_stops_at_the_table_edge() -> None:
    walk = Reach(Obstacles(SIZE, SIZE, []), (1500, 300), 1200)
    x, y = away(walk, [disc(1500, 600, 50)])
    # Of whole hundredths the one just off the corner is a little farther than any on the edge.
    assert y <= 1 and abs(abs(x - 1500) - math.sqrt(1200**2 - 300**2)) <= 1


@pytest.mark.parametrize("seed", range(6))
def test_nowhere_within_reach_is_farther(seed: int) -> None:
    rng = random.Random(seed)
    blocked = [shapely.Point(rng.randint(0, SIZE), rng.randint(0, SIZE)).buffer(200, quad_segs=3) for _ in range(20)]
    obstacles = Obstacles(SIZE, SIZE, [thing for thing in blocked if not thing.contains(shapely.Point(1500, 1500))])
    walk = Reach(obstacles, (1500, 1500), 900)
    enemies = [disc(rng.randint(1000, 2000), rng.randint(1000, 2000), 50) for _ in range(3)]
    enemies.append(rect(rng.randint(1000, 2000), rng.randint(1000, 2000), 600, 300, rng.randrange(360)))
    x, y = away(walk, enemies)
    assert walk.contains(x, y)
    rest = np.random.default_rng(seed).integers(600, 2400, (4000, 2)).astype(float)
    rest = rest[walk.contains_many(rest)]
    assert gaps_from(np.array([(x, y)], dtype=float), enemies)[0] >= gaps_from(rest, enemies).max() - 1


def test_who_can_only_stay_stays() -> None:
    stuck = Reach(Obstacles(SIZE, SIZE, [shapely.box(0, 0, SIZE, SIZE)]), (1500, 1500), 900)
    assert away(stuck, [disc(1200, 1500, 50)]) == (1500, 1500)
    assert toward(stuck, [disc(1200, 1500, 50)], 100, 50) == (1500, 1500)


def test_who_charges_short_goes_as_near_as_it_can() -> None:
    walk = Reach(Obstacles(SIZE, SIZE, []), (500, 1500), 1200)
    assert toward(walk, [disc(2500, 1500, 50)], 100, 50) == (1700, 1500)


def test_who_could_reach_it_stops_a_gap_away() -> None:
    walk = Reach(Obstacles(SIZE, SIZE, []), (500, 1500), 1200)
    target = disc(1200, 1500, 50)
    x, y = toward(walk, [target], 100, 50)
    assert gap(disc(x, y, 50), target) == pytest.approx(100, abs=1)
    assert gap(disc(x, y, 50), target) >= 100 - 1e-6


def test_it_goes_round_a_wall_to_get_nearer() -> None:
    wall = shapely.box(900, 1000, 1000, 1800)
    walk = Reach(Obstacles(SIZE, SIZE, [wall]), (700, 1100), 1200)
    x, y = toward(walk, [rect(1500, 1500, 600, 300)], 0, 50)
    assert x > 1000 and walk.contains(x, y)


def test_too_near_already_it_stays_where_nothing_is_better() -> None:
    walk = Reach(Obstacles(SIZE, SIZE, []), (1000, 1000), 10)
    assert toward(walk, [disc(1050, 1000, 50)], 500, 50) == (1000, 1000)


def test_a_vehicle_drives_off_forward_or_back() -> None:
    hull = rect(1500, 1500, 600, 300, 0)
    enemy = [disc(1500, 300, 50)]
    ahead = Drive(hull, [], SIZE, SIZE, 900, 0)
    back = Drive(hull, [], SIZE, SIZE, 450, 0, reverse=True)
    assert drive_away([ahead], enemy) == (1500, 1500, 0, 0.0, 0)
    assert drive_away([ahead, back], enemy) == (1500, 1950, 0, 450.0, 0)
    turning = Drive(hull, [], SIZE, SIZE, 900, 1)
    assert drive_away([turning, back], [disc(300, 1500, 50)])[:3] == (2400, 1500, 90)
    assert drive_away([ahead], []) == (1500, 1500, 0, 0.0, 0)
    hemmed = Drive(hull, [shapely.box(1400, 1100, 1600, 1200)], SIZE, SIZE, 900, 0)
    assert drive_away([hemmed], [disc(1500, 2800, 50)]) == (1500, 1500, 0, 0.0, 0)


def test_a_way_is_cut_into_steps() -> None:
    assert steps([(0, 0), (150, 0), (150, 100)], 100) == [(100, 0), (150, 50), (150, 100)]
    assert steps([(0, 0), (0, 0), (300, 0)], 100) == [(100, 0), (200, 0), (300, 0)]
    assert steps([(0, 0), (40, 0)], 100) == [(40, 0)]
    assert steps([(5, 5)], 100) == [] and steps([(5, 5), (5, 5)], 100) == [(5, 5)]
