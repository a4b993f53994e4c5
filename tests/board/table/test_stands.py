"""Forms of stands: any form at any heading, no base in another, and gaps as they were asked for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.table import formations as f
from grognard.board.table.bodies import Body, disc, gaps, rect, separations

FORMS = [f.LINE, f.COLUMN, f.CLUSTER, f.WEDGE, f.WALL]
places = st.integers(0, 2000)
headings = st.integers(0, 359)
sizes = st.tuples(st.integers(60, 400), st.integers(60, 400))


@st.composite
def stands(draw: st.DrawFn) -> list[Body]:
    """Two to fourteen stands of one size, of several sizes, or with round bases among them."""
    count, sort = draw(st.integers(2, 14)), draw(st.sampled_from(["alike", "sizes", "mixed"]))
    same = draw(sizes)
    unit = [rect(draw(places), draw(places), *(same if sort == "alike" else draw(sizes))) for _ in range(count)]
    if sort == "mixed":
        for number in range(2, count, 2):
            unit[number] = disc(unit[number].x, unit[number].y, draw(st.integers(20, 150)))
    return unit


def laid(form: str, unit: list[Body], x: int, y: int, heading: int, spacing: int) -> list[Body]:
    found = f.lay_out(form, unit, x, y, heading, spacing)
    return [body.at(*place, heading) for body, place in zip(unit, found, strict=True)]


@settings(max_examples=300, deadline=None)
@given(stands(), st.sampled_from(FORMS), headings, st.integers(0, 200))
def test_any_form_at_any_heading_keeps_its_gaps(unit: list[Body], form: str, heading: int, spacing: int) -> None:
    there = laid(form, unit, 3000, 2000, heading, spacing)
    asked = max(spacing, 4)
    assert f.clear(there)
    apart = separations(there, there)
    np.fill_diagonal(apart, np.inf)
    # Two hundredths are kept for rounding, and one for whole places on the way to an even gap.
    assert apart.min() >= max(0.0, asked - 4.5)
    assert f.chained(there, asked)
    assert f.anchor(there) == (3000, 2000)
    # And what stands so can go on as it stands, turned or not.
    assert laid(f.AS_THEY_STAND, there, 3000, 2000, heading, spacing) == there
    turned = laid(f.AS_THEY_STAND, there, 700, 900, (heading + 77) % 360, spacing)
    assert f.anchor(turned) == (700, 900)
    assert np.abs(gaps(turned, turned) - gaps(there, there)).max() < 3


@settings(max_examples=60, deadline=None)
@given(stands(), st.sampled_from(FORMS), headings, st.tuples(places, places))
def test_a_layout_is_the_same_wherever_the_pose_is(
    unit: list[Body], form: str, heading: int, pose: tuple[int, int]
) -> None:
    here = f.lay_out(form, unit, 0, 0, heading, 60)
    assert f.lay_out(form, unit, *pose, heading, 60) == [(x + pose[0], y + pose[1]) for x, y in here]


def platoon(count: int) -> list[Body]:
    return [rect(300 * i, 0, 125, 200) for i in range(count)]


def rows(unit: list[Body]) -> list[int]:
    """How many stands there are in each rank, the front one first."""
    return [len(list(same)) for _, same in itertools.groupby(sorted(body.y for body in unit))]


@pytest.mark.parametrize(
    ("form", "count", "expected"),
    [
        (f.LINE, 6, [6]),
        (f.LINE, 8, [4, 4]),
        (f.COLUMN, 4, [1] * 4),
        (f.COLUMN, 8, [2] * 4),
        (f.CLUSTER, 8, [2] * 4),
        (f.WEDGE, 5, [1, 2, 2]),
    ],
)
def test_how_stands_stand(form: str, count: int, expected: list[int]) -> None:
    there = laid(form, platoon(count), 2000, 2000, 0, 60)
    assert rows(there) == expected
    assert f.turns(form, there) and f.turns(f.AS_THEY_STAND, there)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(40, 60), min_size=2, max_size=9), headings, st.data())
def test_round_bases_of_several_sizes_make_a_wedge(sizes: list[int], heading: int, data: st.DataObject) -> None:
    men = [disc(data.draw(places), data.draw(places), size) for size in sizes]
    there = laid(f.WEDGE, men, 3000, 2000, heading, 100)
    apart = separations(there, there)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() >= 95.5 and f.chained(there, 100)


def test_a_wedge_has_its_point_ahead() -> None:
    there = laid(f.WEDGE, platoon(5), 2000, 2000, 0, 60)
    first = min(there, key=lambda body: body.y)
    right = sorted((b for b in there if b.x > first.x), key=lambda body: body.x)
    assert [b.y for b in right] == sorted(b.y for b in right), "each stands farther back than the one before it"
    assert len(right) == 2


def test_one_rectangle_is_a_gun_and_two_are_stands() -> None:
    gun = [rect(500, 500, 200, 100, 30), disc(700, 500, 50), disc(800, 500, 50)]
    assert not f.are_stands(gun) and f.anchor(gun) == (500, 500)
    two = [*gun, rect(900, 900, 200, 100, 90)]
    assert f.are_stands(two) and f.anchor(two) == (725, 600) and f.facing(two) == 30
    assert f.facing([disc(0, 0, 50, 77)]) == 77
