"""Formations: every form keeps the chain and puts no base in another."""

from __future__ import annotations

import itertools
import math
import time

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.table import formations as f
from grognard.board.table.bodies import Body, disc, gap, gap_to_line, rect, separation

REACH = 100
places = st.integers(0, 2000)
headings = st.integers(0, 359)


def men(count: int, radius: int = 50) -> list[Body]:
    return [disc(137 * i % 700, 211 * i % 900, radius) for i in range(count)]


def laid(
    form: str, unit: list[Body], x: int, y: int, heading: int, spacing: int, wall: list[tuple[int, int]] | None = None
) -> list[Body]:
    found = f.lay_out(form, unit, x, y, heading, spacing, wall=wall)
    return [body.at(*place, heading) for body, place in zip(unit, found, strict=True)]


@st.composite
def units(draw: st.DrawFn) -> list[Body]:
    count = draw(st.integers(1, 15))
    unit = [disc(draw(places), draw(places), 50) for _ in range(count)]
    gun = draw(st.sampled_from(["none", "none", "gun", "vehicle", "sizes"]))
    if gun == "gun":
        unit[draw(st.integers(0, count - 1))] = rect(500, 500, draw(st.integers(80, 300)), 120, 30)
    if gun == "vehicle":
        unit = [rect(500, 500, 450, 220, 77)]
    if gun == "sizes":
        unit = [disc(body.x, body.y, draw(st.sampled_from([40, 50, 75]))) for body in unit]
    return unit


@settings(max_examples=300, deadline=None)
@given(units(), st.sampled_from([f.LINE, f.COLUMN, f.CLUSTER, f.WALL]), headings, st.integers(0, REACH))
def test_every_form_keeps_the_chain_and_overlaps_nothing(
    unit: list[Body], form: str, heading: int, spacing: int
) -> None:
    there = laid(form, unit, 3000, 2000, heading, spacing)
    assert f.clear(there)
    assert f.chained(there, REACH)
    # And what stands so can go on as it stands.
    again = laid(f.AS_THEY_STAND, there, 1000, 1000, heading, spacing)
    assert f.clear(again)
    assert f.chained(again, REACH)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 15),
    st.lists(st.tuples(places, places), min_size=2, max_size=5, unique=True),
    st.tuples(places, places),
    headings,
    st.integers(0, REACH),
)
def test_along_any_wall_the_chain_is_kept(
    count: int, wall: list[tuple[int, int]], pose: tuple[int, int], heading: int, spacing: int
) -> None:
    there = laid(f.WALL, men(count), *pose, heading, spacing, wall)
    assert f.clear(there)
    assert f.chained(there, REACH)


def test_along_a_wall_they_stand_on_the_side_of_the_pose() -> None:
    wall = [(0, 1000), (1500, 1000), (2500, 1300)]
    below = laid(f.WALL, men(8), 1500, 1400, 0, 60, wall)
    assert all(0 < gap_to_line(man, wall) <= 100 for man in below)
    assert all(man.y > 1000 for man in below)
    above = laid(f.WALL, men(8), 1500, 800, 0, 60, wall)
    assert all(0 < gap_to_line(man, wall) <= 100 for man in above)
    assert max(man.y for man in above) < 1300
    assert all(shapely.Point(man.x, man.y).distance(shapely.LineString(wall)) >= 59 for man in above)


def test_a_pose_on_the_wall_looks_across_it() -> None:
    wall = [(0, 1000), (2500, 1000)]
    assert all(man.y > 1000 for man in laid(f.WALL, men(5), 1200, 1000, 0, 60, wall))
    assert all(man.y < 1000 for man in laid(f.WALL, men(5), 1200, 1000, 180, 60, wall))


def test_where_the_wall_is_short_the_rest_stand_behind() -> None:
    wall = [(0, 0), (300, 0)]
    there = laid(f.WALL, men(7), 150, 100, 0, 50, wall)
    assert sum(gap_to_line(man, wall) <= 20 for man in there) == 3
    assert all(-60 <= man.x <= 360 for man in there)


def test_a_line_is_across_the_heading_and_a_column_along_it() -> None:
    line = laid(f.LINE, men(5), 1000, 1000, 0, 60)
    assert len({man.y for man in line}) == 1
    assert max(man.x for man in line) - min(man.x for man in line) > 500
    column = laid(f.COLUMN, men(5), 1000, 1000, 0, 60)
    assert len({man.x for man in column}) == 1
    turned = laid(f.LINE, men(5), 1000, 1000, 90, 60)
    assert len({man.x for man in turned}) == 1


def test_a_large_unit_stands_in_two_ranks_or_files() -> None:
    assert len({man.y for man in laid(f.LINE, men(10), 1000, 1000, 0, 60)}) == 2
    assert len({man.x for man in laid(f.COLUMN, men(10), 1000, 1000, 0, 60)}) == 2


def test_a_crew_stands_close_about_its_gun() -> None:
    unit = [disc(0, 0, 50), rect(200, 0, 250, 150), disc(0, 300, 50), disc(100, 200, 50), disc(300, 200, 50)]
    for form, heading in itertools.product((f.LINE, f.COLUMN, f.CLUSTER, f.WALL), (0, 33, 90, 200)):
        there = laid(form, unit, 1000, 1000, heading, 80)
        assert (there[1].x, there[1].y) == (1000, 1000)
        assert all(gap(man, there[1]) <= 100 for man in there)
    # Nobody stands before the muzzle.
    assert all(man.y > 800 for man in laid(f.CLUSTER, unit, 1000, 1000, 0, 80))


def test_a_vehicle_stands_at_its_pose() -> None:
    for form in f.FORMS:
        assert f.lay_out(form, [rect(5, 6, 400, 200, 10)], 900, 800, 45, 100) == [(900, 800)]
    two = [rect(0, 0, 400, 200), rect(500, 0, 400, 200)]
    there = laid(f.LINE, two, 900, 800, 45, 100)
    assert f.clear(there)
    assert f.chained(there, 100)


def test_men_as_they_stand_keep_their_places_and_a_crew_turns_with_its_gun() -> None:
    unit = [disc(0, 0, 50), disc(120, 30, 50), disc(240, -30, 50)]
    assert f.anchor(unit) == (120, 0)
    assert f.lay_out(f.AS_THEY_STAND, unit, 620, 500, 90, 60) == [(500, 500), (620, 530), (740, 470)]
    assert not f.turns(f.AS_THEY_STAND, unit)
    assert f.turns(f.LINE, unit)
    gun = [rect(0, 0, 200, 100), disc(0, 200, 50)]
    assert f.turns(f.AS_THEY_STAND, gun)
    assert f.lay_out(f.AS_THEY_STAND, gun, 1000, 1000, 90, 60) == [(1000, 1000), (800, 1000)]


@settings(max_examples=60, deadline=None)
@given(units(), st.sampled_from([f.LINE, f.COLUMN, f.CLUSTER]), headings, st.tuples(places, places))
def test_a_layout_is_the_same_wherever_the_pose_is(
    unit: list[Body], form: str, heading: int, pose: tuple[int, int]
) -> None:
    here = f.lay_out(form, unit, 0, 0, heading, 60)
    there = f.lay_out(form, unit, *pose, heading, 60)
    assert there == [(x + pose[0], y + pose[1]) for x, y in here]
    assert there == f.lay_out(form, unit, *pose, heading, 60)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(places, places), min_size=2, max_size=6), headings)
def test_the_places_are_shared_out_with_the_least_squares(spots: list[tuple[int, int]], heading: int) -> None:
    unit = [disc(x, y, 50) for x, y in spots]
    there = f.lay_out(f.LINE, unit, 1000, 1000, heading, 60)
    walked = sum(math.dist(a, c) ** 2 for a, c in zip(spots, there, strict=True))
    best = min(
        sum(math.dist(a, c) ** 2 for a, c in zip(spots, order, strict=True)) for order in itertools.permutations(there)
    )
    # The places are rounded after they are shared out.
    assert walked <= best + 10_000


def test_nobody_crosses_over_when_a_line_goes_forward() -> None:
    unit = [disc(x, 2000, 50) for x in (480, 0, 320, 160)]
    there = f.lay_out(f.LINE, unit, 240, 1400, 0, 62)
    assert [x for x, _ in there] == [480, 0, 320, 160]


def test_slots_are_offsets_at_heading_nothing() -> None:
    assert f.slots(f.LINE, men(3), 52) == [(-150, 0), (0, 0), (150, 0)]
    assert f.slots(f.CLUSTER, [], 52) == []
    with pytest.raises(ValueError, match="no form called"):
        f.slots("circle", men(3), 52)


def test_a_unit_falls_into_pieces() -> None:
    unit = [disc(0, 0, 50), disc(200, 0, 50), disc(401, 0, 50), disc(601, 0, 50)]
    assert f.pieces(unit, 100) == [[0, 1], [2, 3]]
    assert not f.chained(unit, 100)
    assert f.chained(unit, 101)
    assert f.chained([], 100)
    assert f.clear(unit[:1])
    assert not f.clear([disc(0, 0, 50), disc(50, 0, 50)])


@settings(max_examples=150, deadline=None)
@given(units(), st.tuples(places, places), headings)
def test_the_area_of_one_model_is_where_the_chain_holds(unit: list[Body], place: tuple[int, int], heading: int) -> None:
    unit = laid(f.CLUSTER, unit, 1000, 1000, heading, 60)
    one, others = unit[-1].at(*place), unit[:-1]
    area = f.chain_area(others, one, REACH)
    if not others:
        assert area.is_empty
        return
    apart = [separation(one, other) for other in others]
    legal = f.chained([*others, one], REACH) and min(apart) >= 0
    at = shapely.Point(place)
    if area.boundary.distance(at) > 2:
        assert area.contains(at) == legal


def test_the_area_of_a_model_that_joins_two_groups() -> None:
    others = [disc(0, 0, 50), disc(300, 0, 50)]
    area = f.chain_area(others, disc(0, 0, 50), 100)
    assert area.contains(shapely.Point(150, 0))
    assert not area.contains(shapely.Point(-150, 0))


def test_laying_out_is_quick() -> None:
    unit = men(10)
    wall = [(0, 900), (900, 1000), (2500, 1100)]
    for form in f.FORMS:
        best = math.inf
        for _ in range(20):
            begun = time.perf_counter()
            f.lay_out(form, unit, 1000, 1000, 37, 60, wall=wall)
            best = min(best, time.perf_counter() - begun)
        assert best < 0.001
