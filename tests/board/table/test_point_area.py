"""Markers and templates: any point of a shape, what a template covers, and whom it touches."""

from __future__ import annotations

import random

import pytest
import shapely

from grognard.board.table.bodies import disc, gap, rect
from grognard.board.table.point_area import PointArea
from grognard.board.table.templates import Disc, Square, Template
from grognard.core.ask import Bar
from grognard.core.poses import Hand, Pose
from grognard.core.view import preview_view

SHAPE = shapely.box(1000, 1000, 3000, 2000).difference(shapely.box(1500, 1200, 1800, 1500))
MEN = [disc(1200 + 110 * n, 1100, 50) for n in range(5)]
TANK = [rect(2500, 1500, 400, 200, 30)]
STANDING = [("Second squad", MEN), ("Tiger", TANK)]


def area(template: bool = True, *, turns: bool = True) -> PointArea:
    def square(pose: Pose) -> Template:
        return Square(pose.x, pose.y, 300, pose.heading)

    return PointArea(
        "a1",
        lambda: SHAPE,
        (100, 200),
        label="Fire here",
        verb="fire",
        rule="5.1",
        template=square if template else None,
        standing=lambda: STANDING,
        turns=turns,
    )


@pytest.mark.parametrize("seed", range(3))
def test_any_point_of_the_shape_and_no_other(seed: int) -> None:
    rng, one = random.Random(seed), area()
    shapes = [shapely.Polygon(part[0], part[1:]) for part in one.polygons("", 0)]
    assert shapely.union_all(shapes).equals(SHAPE)
    for _ in range(200):
        pose = Pose(rng.randint(800, 3200), rng.randint(800, 2200), rng.randrange(360))
        legal = SHAPE.intersects(shapely.Point(pose.x, pose.y))
        assert (one.bar(pose) is None) == legal
        preview = one.preview(pose)
        template = Square(pose.x, pose.y, 300, pose.heading)
        assert shapely.Polygon(preview.outline[0]).symmetric_difference(shapely.Polygon(template.outline())).area < 900
        under = sum(gap(man, template.body()) <= 0.01 for man in MEN)
        words = [f"{under} of Second squad would be under it"] if under else []
        words += ["Tiger would be under it"] if gap(TANK[0], template.body()) <= 0.01 else []
        assert preview.lines == words
        assert preview_view(preview).outline == preview.outline


def test_what_a_marker_is_asked_for() -> None:
    plain, turning = area(template=False, turns=False), area()
    assert plain.preview(plain.start).outline == [] and plain.bar(plain.start) is None
    assert plain.headings() == (0,) and turning.headings() == ()
    assert plain.option("fire 12 11 0") and "no heading 90" in str(plain.option("fire 12 11 90"))
    assert plain.bar(Pose(100, 100)) == Bar("5.1", "the marker can't go there")
    assert plain.bar(Pose(1100, 1100, 0, "", (Hand("m1", 1100, 1100),))) is not None
    nowhere = PointArea("a1", shapely.Polygon, (100, 200), label="", verb="fire", outside=Bar("2", "out of sight"))
    assert nowhere.start == Pose(100, 200, 0, "marker") and nowhere.polygons("", 0) == []
    assert nowhere.bar(nowhere.start) == Bar("2", "out of sight")


def test_a_round_template_is_shown_round() -> None:
    one = PointArea("a1", lambda: SHAPE, (0, 0), label="", verb="fire", template=lambda pose: Disc(pose.x, pose.y, 250))
    ring = shapely.Polygon(one.preview(Pose(1200, 1100)).outline[0])
    assert ring.contains(shapely.Point(1200, 1100).buffer(248)) and ring.area < 3.2 * 252**2
