"""How far a vehicle can drive and turn: what its hull sweeps is clear, and a hair further it is not."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import affinity

from grognard.board.table.bodies import Body, direction, rect, shape
from grognard.board.table.drive import Drive

WIDTH, HEIGHT = 4800, 3600


def crowded(seed: int, hull: Body, count: int = 25) -> list[Any]:
    """Houses and bases all about a hull, none of them in it."""
    rng = random.Random(seed)
    own = shape(hull)
    found: list[Any] = []
    while len(found) < count:
        x, y = hull.x + rng.uniform(-1400, 1400), hull.y + rng.uniform(-1400, 1400)
        if rng.random() < 0.5:
            thing: Any = shapely.Point(x, y).buffer(50, quad_segs=8)
        else:
            house = shapely.box(x, y, x + rng.uniform(10, 400), y + rng.uniform(10, 400))
            thing = affinity.rotate(house, rng.uniform(0, 360))
        if not thing.intersects(own):
            found.append(thing)
    return found


def swept(hull: Body, course: int, go: float) -> Any:
    """What a hull looking along a course covers while it drives."""
    ux, uy = direction(course)
    here = shape(hull.at(hull.x, hull.y, course))
    return shapely.MultiPolygon([here, affinity.translate(here, ux * go, uy * go)]).convex_hull


def tank(x: int = 2000, y: int = 2000, heading: int = 0) -> Body:
    """A hull of 6 by 3 inches."""
    return rect(x, y, 600, 300, heading)


@pytest.mark.parametrize("seed", range(10))
def test_what_it_sweeps_is_clear_and_a_hair_further_is_not(seed: int) -> None:
    rng = random.Random(seed)
    hull = tank(rng.randint(700, 4000), rng.randint(700, 2900), rng.randrange(360))
    things = shapely.unary_union(crowded(seed, hull))
    table = shapely.box(0, 0, WIDTH, HEIGHT)
    drive = Drive(hull, [things], WIDTH, HEIGHT, 900, 1)
    for course in range(360):
        go = float(drive.limits[course])
        if course not in drive.courses:
            assert go == 0
            continue
        over = swept(hull, course, go)
        assert over.intersection(things).area < 0.2 * go + 60 and table.buffer(0.1).contains(over)
        inner = swept(hull._replace(foot=hull.foot._replace(length=599, width=299)), course, go)
        assert not inner.intersects(things)
        if go < 900:
            further = swept(hull, course, go + 1)
            assert further.intersects(things) or not table.contains(further)


@pytest.mark.parametrize("seed", range(10))
def test_it_turns_until_it_touches(seed: int) -> None:
    rng = random.Random(seed + 50)
    hull = tank(heading=rng.randrange(360))
    things = shapely.unary_union(crowded(seed + 50, hull, 60))
    drive = Drive(hull, [things], WIDTH, HEIGHT, 900, 1)
    for sign, most in ((-1, drive.turns[0]), (1, drive.turns[1])):
        assert most > 0
        inner = hull._replace(foot=hull.foot._replace(length=599, width=299))
        for part in np.linspace(0, min(most, 180), 40):
            assert not _at(inner, hull.heading + sign * part).intersects(things)
        if most < 180:
            assert _at(hull, hull.heading + sign * (most + 0.3)).intersects(things)
    for by in range(-90, 91):
        back, on = drive.turns
        assert drive.may_pivot((hull.heading + by) % 360) == (-back <= by <= on)


def _at(hull: Body, heading: float) -> Any:
    return affinity.rotate(shape(hull.at(hull.x, hull.y, 0)), heading, origin=(hull.x, hull.y))


@pytest.mark.parametrize("seed", range(10))
def test_where_it_ends_it_lies_in_nothing(seed: int) -> None:
    rng = random.Random(seed + 100)
    hull = tank(rng.randint(500, 4300), rng.randint(500, 3100), rng.randrange(360))
    things = crowded(seed + 100, hull)
    drive = Drive(hull, things, WIDTH, HEIGHT, 900, 1, reverse=seed % 2 == 1)
    solid, table = shapely.unary_union(things), shapely.box(0, 0, WIDTH, HEIGHT).buffer(0.1)
    ends = 0
    for _ in range(150):
        x, y = hull.x + rng.randint(-950, 950), hull.y + rng.randint(-950, 950)
        end = drive.end(x, y)
        assert (end is not None) == drive.contains(x, y)
        if end is None:
            continue
        ends += 1
        there = shape(hull.at(end.x, end.y, end.heading))
        assert shapely.buffer(there, -0.1, join_style="mitre").disjoint(solid) and table.contains(there)
        course = (end.heading + 180 * drive.reverse) % 360
        assert end.distance <= drive.limits[course] + 0.01
        assert math.dist((x, y), (end.x, end.y)) <= 0.01 * math.dist((x, y), (hull.x, hull.y)) + 4
    assert ends > 2


@pytest.mark.parametrize("seed", range(6))
def test_the_polygons_and_contains_say_the_same(seed: int) -> None:
    rng = random.Random(seed + 200)
    hull = tank(rng.randint(500, 4300), rng.randint(500, 3100), rng.randrange(360))
    drive = Drive(hull, crowded(seed + 200, hull), WIDTH, HEIGHT, 900, seed % 3)
    region = shapely.unary_union([shapely.Polygon(*[outer]).buffer(0) for (outer,) in drive.polygons()])
    for _ in range(400):
        x, y = hull.x + rng.uniform(-950, 950), hull.y + rng.uniform(-950, 950)
        if region.boundary.distance(shapely.Point(x, y)) > 2:
            assert region.contains(shapely.Point(x, y)) == drive.contains(x, y)


def test_a_house_ahead_stops_it_at_its_wall() -> None:
    drive = Drive(tank(), [shapely.box(1900, 1000, 2100, 1200)], WIDTH, HEIGHT, 900, 1)
    assert drive.limits[0] == pytest.approx(500)
    assert drive.end(2000, 1500) == (2000, 1500, 0, 500.0, 0)
    assert drive.end(2000, 1499) is None and not drive.contains(2000, 1000)
    # A house beside its way does not: it brushes past.
    assert Drive(tank(), [shapely.box(2150, 1000, 2300, 2900)], WIDTH, HEIGHT, 900, 1).limits[0] == 900


def test_without_pivots_the_strip_ahead_stands_for_its_axis() -> None:
    drive = Drive(tank(heading=90), [], WIDTH, HEIGHT, 900, 0)
    assert drive.courses == [90]
    assert drive.polygons() == [[[(2000, 1850), (2900, 1850), (2900, 2150), (2000, 2150)]]]
    assert drive.end(2500, 2140) == (2500, 2000, 90, 500.0, 0)
    assert drive.end(2500, 2151) is None and drive.end(1990, 2000) is None and drive.end(2901, 2000) is None
    blocked = Drive(tank(heading=90), [shapely.box(2300, 1900, 2400, 2100)], WIDTH, HEIGHT, 900, 0)
    assert blocked.polygons() == [] and blocked.end(2001, 2000) is None
    assert blocked.end(2000, 2000) == (2000, 2000, 90, 0.0, 0)


def test_pivots_open_courses_of_ninety_degrees_each() -> None:
    assert Drive(tank(), [], WIDTH, HEIGHT, 900, 1).courses == [*range(91), *range(270, 360)]
    round_about = Drive(tank(), [], WIDTH, HEIGHT, 900, 2)
    assert round_about.courses == list(range(360))
    assert round_about.end(2000, 2500) == (2000, 2500, 180, 500.0, 2)
    assert round_about.end(2500, 2000) == (2500, 2000, 90, 500.0, 1)
    (whole,) = round_about.polygons()
    assert len(whole) == 1 and (2000, 2000) not in whole[0]
    assert Drive(tank(), [], WIDTH, HEIGHT, 900, 1, 45).courses == [*range(46), *range(315, 360)]


def test_in_reverse_it_goes_backwards_and_keeps_looking_ahead() -> None:
    drive = Drive(tank(), [shapely.box(1900, 1500, 2100, 1600)], WIDTH, HEIGHT, 450, 0, reverse=True)
    assert drive.courses == [180]
    assert drive.end(2000, 2400) == (2000, 2400, 0, 400.0, 0)
    assert drive.end(2000, 1900) is None and drive.end(2000, 2451) is None
    recce = Drive(tank(), [], WIDTH, HEIGHT, 900, 1, reverse=True)
    assert recce.end(1500, 2000) == (1500, 2000, 90, 500.0, 1)


def test_on_a_road_it_goes_twice_as_far_while_its_centre_stays_on_it() -> None:
    road = shapely.box(1900, 0, 2100, 2200)
    drive = Drive(tank(), [], WIDTH, HEIGHT, 600, 1, corridors=road, far_on_road=1200)
    assert drive.limits[0] == 1200 and drive.limits[45] == 600
    # At 7 degrees the centre leaves the road after 100 / sin 7.
    assert drive.limits[7] == pytest.approx(100 / math.sin(math.radians(7)), abs=0.5)
    assert drive.limits[10] == 600
    short = Drive(tank(), [], WIDTH, HEIGHT, 600, 1, corridors=shapely.box(1900, 1200, 2100, 2200), far_on_road=1200)
    assert short.limits[0] == pytest.approx(800, abs=0.1)
    off = Drive(tank(), [], WIDTH, HEIGHT, 600, 1, corridors=shapely.box(0, 0, 100, 100), far_on_road=1200)
    assert off.limits[0] == 600
    wreck = Drive(tank(), [shapely.box(1950, 900, 2050, 1000)], WIDTH, HEIGHT, 600, 0, corridors=road, far_on_road=1200)
    assert wreck.limits[0] == pytest.approx(700)


def test_the_hull_stays_on_the_table() -> None:
    drive = Drive(tank(2000, 400), [], WIDTH, HEIGHT, 900, 1)
    assert drive.limits[0] == 100
    assert drive.end(2000, 299) is None
    corner = Drive(tank(150, 300), [], WIDTH, HEIGHT, 900, 1)
    assert not corner.may_pivot(45) and corner.courses == [0] and corner.limits[0] == 0
    assert corner.polygons() == []


def test_coming_in_over_the_edge_it_may_only_go_further_in() -> None:
    entering = Drive(tank(2000, HEIGHT), [], WIDTH, HEIGHT, 900, 1)
    assert entering.limits[0] == 900
    backwards = Drive(tank(2000, HEIGHT), [], WIDTH, HEIGHT, 900, 0, reverse=True)
    assert backwards.limits.max() == 0


def test_a_neighbour_it_touches_does_not_hold_it() -> None:
    beside = shapely.box(2149.5, 1900, 2300, 2100)
    drive = Drive(tank(), [beside], WIDTH, HEIGHT, 900, 1)
    assert drive.limits[0] == 900 and not drive.may_pivot(20)
    behind = shapely.box(1900, 2299.5, 2100, 2400)
    assert Drive(tank(), [behind], WIDTH, HEIGHT, 900, 1).limits[0] == 900
    ahead = shapely.box(1900, 1600, 2100, 1700.5)
    assert Drive(tank(), [ahead], WIDTH, HEIGHT, 900, 0).limits[0] == 0


def test_who_cannot_turn_either_way_turns_about_if_there_is_room() -> None:
    drive = Drive(tank(), [], WIDTH, HEIGHT, 900, 2)
    assert drive.may_pivot(180) and drive.pivots_to(180) == 2
    # A post at its right shoulder: it can turn neither left, for its rear, nor right.
    narrow = Drive(tank(), [shapely.box(2160, 1700, 2170, 1800)], WIDTH, HEIGHT, 900, 2)
    assert not narrow.may_pivot(180) and not narrow.may_pivot(90)


def test_in_a_lane_as_wide_as_itself_it_drives_on_between_the_walls() -> None:
    lane = [shapely.box(1750, 500, 1850, 2500), shapely.box(2150, 500, 2250, 2500)]
    turned = [affinity.rotate(wall, 31, origin=(2000, 2000)) for wall in lane]
    drive = Drive(tank(heading=31), turned, WIDTH, HEIGHT, 900, 0)
    ux, uy = direction(31)
    assert drive.limits[31] == 900
    end = drive.end(2000 + 700 * ux, 2000 + 700 * uy)
    assert end is not None and end.distance == pytest.approx(700, abs=5)
    inner = shapely.buffer(shape(tank(end.x, end.y, end.heading)), -1.1, join_style="mitre")
    assert inner.disjoint(shapely.unary_union(turned))
    assert Drive(tank(end.x, end.y, 31), turned, WIDTH, HEIGHT, 100, 0).limits[31] == 100


def test_rounding_never_puts_it_over_the_edge() -> None:
    for heading in range(1, 90, 7):
        drive = Drive(tank(4000, 800, heading), [], WIDTH, HEIGHT, 900, 0)
        end = drive.last(heading)
        assert end is not None
        assert shapely.box(-0.02, -0.02, WIDTH + 0.02, HEIGHT + 0.02).contains(shape(tank(end.x, end.y, heading)))
        assert drive.limits[heading] - 5 <= end.distance <= drive.limits[heading] + 0.01


def test_ground_that_is_judged_by_the_centre_stops_the_centre() -> None:
    bog = shapely.box(1000, 1000, 3000, 1500)
    drive = Drive(tank(), [], WIDTH, HEIGHT, 900, 0, centres=[bog])
    assert drive.limits[0] == pytest.approx(500, abs=1)
    end = drive.last(0)
    assert end is not None and not bog.contains(shapely.Point(end.x, end.y))
    # Who is in it already may leave it, and a hull moved on sees the same things.
    assert drive.moved(tank(2000, 1400)).limits[0] == 900
    assert drive.moved(tank(2000, 1700)).limits[0] == pytest.approx(200, abs=1)


def test_an_end_leads_to_itself() -> None:
    drive = Drive(rect(1500, 1500, 450, 250), [], 4000, 4000, 1200, 1)
    for course in range(-90, 91, 7):
        for far in (151, 640, 1199):
            ux, uy = direction(course)
            x, y = round(1500 + ux * far), round(1500 + uy * far)
            end = drive.end(x, y)
            assert end is not None and (end.x, end.y) == (x, y), (course, far)
            assert drive.end(end.x, end.y) == end


@pytest.mark.parametrize("over", [0, 1])
def test_who_came_to_the_edge_of_ground_does_not_get_in_with_the_next_leg(over: int) -> None:
    bog = shapely.box(1000, 1000, 3000, 1500)
    drive = Drive(tank(2000, 1500 - over), [], WIDTH, HEIGHT, 900, 1, centres=[bog])
    assert drive.limits[0] < 1 and drive.limits[20] < 1, "on its edge, by rounding a little over it"
    assert drive.limits[90] == 900, "but along it"
