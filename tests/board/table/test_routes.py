"""Where to go within reach: away from somebody, toward somebody, and the way step by step."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import Body, disc, gap, gap_to_shape, gaps, rect
from grognard.board.table.drive import Drive
from grognard.board.table.footing import Footing
from grognard.board.table.placement import FormationArea
from grognard.board.table.reach import Obstacles, Reach
from grognard.board.table.routes import ALIKE, away, drive_away, gaps_from, poses_away, poses_toward, steps, toward
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar
from grognard.core.poses import Pose
from tests.board.table import test_stand_area as stands

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


# ---- poses -------------------------------------------------------------------------------------------------


def men(far: float = 600.0) -> FormationArea:
    """Five men in the open, and a wall to go round."""
    stand = [disc(1500 + 130 * n, 1500, 50) for n in range(5)]
    starts = [(man.x, man.y) for man in stand]
    ground = Footing(Table("bare", SIZE, SIZE, {}, measure="inch"))
    ground.block_body(rect(1700, 1250, 100, 700), 50, Bar("1", "a wall"), np.array(starts, float))
    ways = Ways(starts, [ground] * 5, far)
    return FormationArea("a1", [f"m{n}" for n in range(5)], stand, [ways], names=["as_they_stand", "line"], spacing=60)


def tried(area: FormationArea, random: Random, count: int) -> Iterator[tuple[Pose, list[Body]]]:
    """Legal poses of an area at random, in the headings that are looked at."""
    for _ in range(count):
        x, y = area.start.x + random.randint(-900, 900), area.start.y + random.randint(-900, 900)
        pose = Pose(x, y, random.randrange(0, 360, 45), random.choice(area.names))
        if area.allows(pose):
            stand = area.stand(pose, area.ends(pose))
            yield pose, [stand[number] for number in area.party]


def area_of(seed: int) -> tuple[FormationArea, Random]:
    """Men, or stands in a crowd."""
    if seed % 2:
        return men(), Random(seed)
    random, unit, others, ways = stands.scene(seed, 25, 4)
    return stands.area(unit, others, ways), random


@pytest.mark.parametrize("seed", range(10))
def test_no_pose_of_a_unit_ends_farther_away(seed: int) -> None:
    area, random = area_of(seed)
    x, y = area.start[:2]
    foes = [disc(x + random.randint(-900, 900), y + random.randint(-900, 900), 50) for _ in range(2)]
    foes.append(rect(x + 500, y + random.randint(-500, 500), 300, 200, random.randrange(360)))
    now, found = float(gaps(area.known, foes).min()), poses_away(area, foes)
    best = max((float(gaps(stand, foes).min()) for _, stand in tried(area, random, 400)), default=now)
    if not found:
        assert best <= now + 4 * ALIKE
        return
    ends = [area.stand(pose, area.ends(pose)) for pose in found]
    assert all(area.bar(pose) is None for pose in found) and len(found) <= 4
    out = [float(gaps([stand[n] for n in area.party], foes).min()) for stand in ends]
    assert min(out) > now and max(out) - min(out) <= ALIKE
    # The farthest point is a corner of the area but for a little that rounding inward costs.
    assert max(out) >= best - 15
    assert all(math.dist(a[:2], b[:2]) >= 100 for a, b in combinations(found, 2))


@pytest.mark.parametrize("seed", range(10))
def test_no_pose_of_a_unit_comes_closer(seed: int) -> None:
    area, random = area_of(seed)
    x, y = area.start[:2]
    goal: BaseGeometry = shapely.Point(x + random.randint(-1200, 1200), y + random.randint(-1200, 1200))
    if seed % 3 == 0:
        goal = shapely.LineString([(0, 0), (0, SIZE)])
    now, found = min(gap_to_shape(body, goal) for body in area.known), poses_toward(area, goal)
    near = [min(gap_to_shape(body, goal) for body in stand) for _, stand in tried(area, random, 400)]
    best = min(near, default=now)
    if not found:
        assert best >= now - 4 * ALIKE
        return
    ends = [area.stand(pose, area.ends(pose)) for pose in found]
    assert all(area.bar(pose) is None for pose in found) and len(found) <= 4
    close = [min(gap_to_shape(stand[n], goal) for n in area.party) for stand in ends]
    assert max(close) < now and max(close) - min(close) <= ALIKE
    assert min(close) <= best + 15


def test_a_unit_retires_straight_and_pursues_straight() -> None:
    area = men()
    foe = [disc(1760, 1900, 50)]
    (pose,) = poses_away(area, foe, most=1)
    assert gaps(area.stand(pose, area.ends(pose)), foe).min() > gaps(area.known, foe).min() + 200, (
        "past the end of the wall"
    )
    assert poses_away(area, [disc(1760, 1900, 50)], roughly=True)
    (toward_it,) = poses_toward(area, shapely.Point(1500, 2800), most=1)
    stand = area.stand(toward_it, area.ends(toward_it))
    assert min(gap_to_shape(man, shapely.Point(1500, 2800)) for man in stand) == pytest.approx(650, abs=2)
    assert poses_toward(area, shapely.Point(1500, 1500)) == [], "it is there"
    rooted = men(0.5)
    assert poses_away(rooted, foe) == [] == poses_toward(rooted, shapely.Point(1500, 2800))


def test_a_way_is_cut_into_steps() -> None:
    assert steps([(0, 0), (150, 0), (150, 100)], 100) == [(100, 0), (150, 50), (150, 100)]
    assert steps([(0, 0), (0, 0), (300, 0)], 100) == [(100, 0), (200, 0), (300, 0)]
    assert steps([(0, 0), (40, 0)], 100) == [(40, 0)]
    assert steps([(5, 5)], 100) == [] and steps([(5, 5), (5, 5)], 100) == [(5, 5)]
