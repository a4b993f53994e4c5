"""Bases, gaps, arcs, faces and templates."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.table import bodies as b
from grognard.board.table.templates import Disc, Square, Strip, touched

places = st.integers(-1500, 1500)
headings = st.integers(0, 359)
discs = st.builds(b.disc, places, places, st.integers(10, 120), headings)
rects = st.builds(b.rect, places, places, st.integers(40, 600), st.integers(40, 300), headings)
any_body = discs | rects


def test_headings_go_clockwise_from_up() -> None:
    assert b.direction(0) == (0.0, -1.0)
    assert b.direction(90) == (1.0, 0.0)
    assert b.bearing(0, 0, 100, -100) == pytest.approx(45)
    assert b.off(350, 20) == 30
    assert b.turned(0, -100, 90) == (100.0, 0.0)
    assert b.turned(100, 0, 180) == pytest.approx((-100.0, 0.0))


def test_the_corners_of_a_rect_begin_at_the_front_left_and_go_clockwise() -> None:
    assert b.corners(b.rect(0, 0, 400, 200)).tolist() == [[-100, -200], [100, -200], [100, 200], [-100, 200]]
    assert b.corners(b.rect(0, 0, 400, 200, 90)).tolist() == [[200, -100], [200, 100], [-200, 100], [-200, -100]]
    assert b.front(b.rect(50, 0, 400, 200, 90)) == (250, 0)
    assert b.front(b.disc(0, 0, 50)) == (0, -50)
    assert b.eye(b.disc(10, 20, 50)) == (10, 20)


def test_a_gap_is_between_bases_not_centres() -> None:
    assert b.gap(b.disc(0, 0, 50), b.disc(300, 400, 50)) == 400
    assert b.gap(b.disc(0, 0, 50), b.disc(60, 0, 50)) == 0
    assert b.gap(b.disc(0, 0, 50), b.rect(0, 300, 200, 100)) == 150
    assert b.gap(b.rect(0, 0, 200, 100), b.rect(0, 400, 200, 100, 90)) == 250
    assert b.gap(b.rect(0, 0, 200, 100), b.rect(30, 10, 20, 10, 45)) == 0


@settings(max_examples=150, deadline=None)
@given(any_body, any_body)
def test_gaps_agree_with_geometry(one: b.Body, other: b.Body) -> None:
    def exact(body: b.Body) -> tuple[shapely.Geometry, int]:
        if body.foot.shape == b.DISC:
            return shapely.Point(body.x, body.y), body.foot.radius
        return shapely.Polygon(b.corners(body)), 0

    (ours, r1), (theirs, r2) = exact(one), exact(other)
    assert b.gap(one, other) == pytest.approx(max(0.0, ours.distance(theirs) - r1 - r2), abs=1e-6)
    assert b.gap(one, other) == pytest.approx(b.gap(other, one), abs=1e-6)
    assert b.separation(one, other) == pytest.approx(b.separation(other, one), abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(any_body, max_size=6), st.lists(any_body, max_size=6))
def test_gaps_of_many_are_the_gaps_of_each(ones: list[b.Body], others: list[b.Body]) -> None:
    expected = np.array([[b.separation(one, other) for other in others] for one in ones])
    assert np.allclose(b.separations(ones, others), expected.reshape(len(ones), len(others)), atol=1e-6)
    assert (b.gaps(ones, others) >= 0).all()


@settings(max_examples=100, deadline=None)
@given(any_body, any_body, st.integers(0, 300))
def test_the_sum_of_two_bases_is_where_they_are_near(one: b.Body, other: b.Body, reach: int) -> None:
    inside = b.sum_of(one, other, reach).contains(shapely.Point(other.x, other.y))
    apart = b.separation(one, other)
    if abs(apart - reach) > 2:
        assert inside == (apart < reach)


def test_gaps_to_lines_areas_and_points() -> None:
    man = b.disc(0, 0, 50)
    assert b.gap_to_line(man, [(100, -500), (100, 500)]) == 50
    assert b.gap_to_line(man, [(100, 0)]) == 50
    assert b.gap_to_area(man, [(200, -100), (400, -100), (400, 100), (200, 100)]) == 150
    assert b.gap_to_area(b.rect(0, 0, 200, 100), [(-500, -500), (500, -500), (500, 500), (-500, 500)]) == 0
    assert b.gap_to_point(man, 0, 70) == 20
    assert b.gap_to_point(man, 0, 20) == 0


def test_to_touch_is_not_to_overlap() -> None:
    man = b.disc(0, 0, 50)
    assert not b.overlaps(man, [b.disc(100, 0, 50)])
    assert b.overlaps(man, [b.disc(500, 0, 50), b.disc(90, 0, 50)])
    assert b.overlaps(man, [b.rect(0, 0, 300, 200)])


def test_nine_points_to_look_at() -> None:
    round_ones = b.samples(b.disc(100, 100, 50))
    assert round_ones.shape == (9, 2)
    assert round_ones[0].tolist() == [100, 100]
    assert np.allclose(np.hypot(*(round_ones[1:] - 100).T), 50)
    square = b.samples(b.rect(0, 0, 400, 200))
    assert square.shape == (9, 2)
    assert [-100, -200] in square.tolist()
    assert [0, -200] in square.tolist()


def test_a_shape_lies_outside_the_true_rim() -> None:
    grown = b.shape(b.disc(0, 0, 50), 25)
    assert grown.exterior.distance(shapely.Point(0, 0)) >= 75 - 1e-6
    hull = b.shape(b.rect(0, 0, 400, 200))
    assert hull.area == pytest.approx(400 * 200)
    assert b.shape(b.rect(0, 0, 400, 200), 10).contains(hull)
    assert b.Footprint("rect", length=60, width=80).farthest == 50
    assert b.disc(0, 0, 50).foot.farthest == 50
    assert b.disc(0, 0, 50).at(5, 6, 7) == b.disc(5, 6, 50, 7)


@pytest.mark.parametrize("heading", [0, 30, 90, 217])
def test_what_is_kept_clear_is_exact_along_flat_sides_and_lies_outside_round_ones(heading: int) -> None:
    hull = b.rect(1000, 1000, 400, 200, heading)
    clear = b.kept_clear(hull, 150)
    assert clear.is_valid and clear.buffer(1e-6).contains(b.shape(hull).buffer(150, quad_segs=64))
    for turn, half in ((0, 200), (90, 100), (180, 200), (270, 100)):
        ux, uy = b.direction(heading + turn)
        side = shapely.Point(1000 + ux * (half + 150), 1000 + uy * (half + 150))
        assert clear.exterior.distance(side) == pytest.approx(0, abs=1e-6)
    assert b.kept_clear(b.disc(0, 0, 50), 100).bounds == pytest.approx((-150, -150, 150, 150))


def test_an_arc_includes_its_edges() -> None:
    assert b.in_arc(0, 0, 0, 90, [(100, -100)])
    assert not b.in_arc(0, 0, 0, 90, [(101, -100)])
    assert b.in_arc(0, 0, 350, 90, [(10, -100), (0, 500)])
    assert b.in_arc(0, 0, 180, 90, [(0, 0)])


@given(any_body, headings, st.sampled_from((0, 45, 90, 180, 270, 359)))
def test_a_base_lies_in_an_arc_by_the_points_it_is_looked_at(body: b.Body, heading: int, width: int) -> None:
    assert b.base_in_arc(0, 0, heading, width, body) == b.in_arc(0, 0, heading, width, b.samples(body))


@given(any_body, any_body)
def test_bases_overlap_by_how_deep_they_lie_in_each_other(one: b.Body, other: b.Body) -> None:
    assert b.overlaps(one, [other]) == (b.separation(one, other) < -b.SLACK)


def test_the_face_of_a_hull_is_divided_by_its_diagonals() -> None:
    tank = b.rect(0, 0, 400, 200)
    assert b.face(tank, 0, -1000) == "front"
    assert b.face(tank, 1000, 0) == "side"
    assert b.face(tank, 0, 1000) == "rear"
    # On the diagonals: front before side, side before rear.
    assert b.face(tank, 500, -1000) == "front"
    assert b.face(tank, 500, 1000) == "side"
    assert b.face(tank._replace(heading=90), 1000, 0) == "front"
    assert b.face(tank._replace(heading=90), -1000, 30) == "rear"


@settings(max_examples=100, deadline=None)
@given(any_body, headings, st.integers(-900, 900), st.integers(-900, 900), st.none() | st.integers(0, 300))
def test_ahead_is_before_the_line_across_the_front(
    body: b.Body, turret: int, right: int, back: int, front: int | None
) -> None:
    dx, dy = b.turned(right, back, turret)
    far = b.ahead(body, turret, body.x + dx, body.y + dy, front)
    if front is not None:
        assert far == pytest.approx(-back - front, abs=1e-6)
        return
    # No part of the base is before its own front, and some part is on it.
    if body.foot.shape == b.RECT:
        rim = [b.ahead(body, turret, x, y) for x, y in b.corners(body)]
        assert max(rim) == pytest.approx(0, abs=1e-6)
        assert b.ahead(body, body.heading, *b.front(body)) == pytest.approx(0, abs=1e-6)
    else:
        assert far == pytest.approx(-back - body.foot.radius, abs=1e-6)


def test_a_base_goes_as_its_narrower_half() -> None:
    assert b.Footprint("rect", length=125, width=200).narrowest == 62.5
    assert b.Footprint("disc", radius=50).narrowest == 50


def test_templates_touch_bases() -> None:
    men = [b.disc(0, 0, 50), b.disc(200, 0, 50), b.disc(0, 400, 50)]
    assert touched(men, Disc(0, 0, 150)) == [True, True, False]
    assert touched(men, Disc(0, 0, 149)) == [True, False, False]
    assert touched(men, Square(200, 0, 100)) == [False, True, False]
    assert touched(men, Square(200, 0, 300, 45)) == [True, True, False]
    assert touched(men, Strip(0, 100, 180, 500, 10)) == [False, False, True]
    assert touched([], Disc(0, 0, 5)) == []
    assert math.isclose(shapely.Polygon(Strip(0, 0, 90, 500, 10).outline()).area, 5000)
    assert len(Square(0, 0, 10).outline()) == 4
    assert len(Disc(0, 0, 10).outline()) == 32
