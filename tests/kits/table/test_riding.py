"""Getting in and out: ways to a hull, and room about it."""

from __future__ import annotations

import itertools
import math
from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Footprint
from grognard.board.table.placement import FormationArea
from grognard.core.ask import Bar
from grognard.core.poses import read_pose
from grognard.kits.table import riding
from grognard.kits.table.ground import footing_for
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.moving import paces
from tests.kits.table.stands.standing import Going
from tests.kits.table.stands.state import Unit
from tests.kits.table.test_ground import battle

TRUCK = Footprint("rect", length=700, width=300, height=250, eye=200)
FAR = 1000
OUTSIDE = Bar("5.1", "it is too far from the truck")


def area_about(field: Field, unit: Unit, hull: Body, *, gone: bool = False) -> FormationArea:
    def over(radius: float, starts: riding.Floats, reach: float) -> object:
        return footing_for(Going(field), unit, starts, radius, reach, placed=True)

    stand = field.bodies(unit)
    ways = riding.ways_off(stand, hull, FAR, over, OUTSIDE, gone=gone)
    ids = [model.id for model in unit.models]
    return FormationArea(unit.id, ids, stand, [ways], names=["cluster", "line"], spacing=50, rule="5.1")


@pytest.mark.parametrize("seed", range(6))
def test_who_gets_out_is_beside_the_hull_and_not_too_far_from_it(seed: int) -> None:
    field, random = battle(), Random(seed)
    unit = field.units("red")[0]
    hull = Body(random.randrange(1500, 6000), random.randrange(1500, 2500), random.randrange(360), TRUCK)
    area = area_about(field, unit, hull)
    closed = [field.table.area(piece) for piece in field.table.pieces if field.table.kind(piece).ground == "shut"]
    options = list(riding.places_about(area, hull, FAR, field.measure))
    assert options and len({option.key for option in options}) == len(options)
    for option in options:
        read = read_pose(option.key)
        assert read is not None and area.bar(read[1]) is None
        stand = area.stand(read[1], area.ends(read[1]))
        assert formations.clear(stand)
        for body in stand:
            off = bodies.gap_to_point(hull, body.x, body.y)
            assert body.foot.farthest <= off <= FAR + body.foot.farthest + 2
            assert not any(shape.distance(shapely.Point(body.x, body.y)) < body.foot.farthest - 2 for shape in closed)
    far = min(options, key=lambda option: -float(option.label.split()[0]))
    assert any(far.label.endswith(side) for side in riding.SIDES.values())
    one = next(riding.places_about(area, hull, FAR, field.measure, most=1))
    assert one.key == options[0].key


def test_a_hull_that_is_gone_leaves_its_own_place_free() -> None:
    field = battle()
    unit = field.units("red")[0]
    hull = Body(3000, 2000, 0, TRUCK)
    stays, gone = (area_about(field, unit, hull, gone=each).ways[0] for each in (False, True))
    assert not stays.can(1, (3000, 2000)) and gone.can(1, (3000, 2000))
    assert stays.why_not(1, (9000, 2000)) == OUTSIDE


def test_narrow_stands_come_nearer_to_the_hull() -> None:
    field = battle()
    unit = field.units("red")[0]
    hull = Body(3000, 2000, 0, TRUCK)

    def over(radius: float, starts: riding.Floats, reach: float) -> object:
        return footing_for(Going(field), unit, starts, radius, reach, placed=True)

    wide, narrow = (riding.ways_off(field.bodies(unit), hull, FAR, over, OUTSIDE, narrow=one) for one in (False, True))
    beside = (3000 + 150 + 160, 2000)
    assert field.bodies(unit)[1].foot.narrowest < 155 < field.bodies(unit)[1].foot.farthest
    assert narrow.can(1, beside) and not wide.can(1, beside)
    ways, body = paces(field, unit), field.bodies(unit)[1]
    truck = Body(body.x, body.y - 1200, 90, TRUCK)
    for one, out in ((True, body.foot.narrowest), (False, body.foot.farthest)):
        path = riding.way_to_hull(ways, 1, truck, body, 100, narrow=one)
        assert path is not None and out + 90 < bodies.gap_to_point(truck, *path[-1]) <= out + 100


def test_some_may_be_farther_out_than_others() -> None:
    field = battle()
    unit = field.units("red")[0]
    hull = Body(3000, 2000, 0, TRUCK)

    def over(radius: float, starts: riding.Floats, reach: float) -> object:
        return footing_for(Going(field), unit, starts, radius, reach, placed=True)

    stand = field.bodies(unit)
    leader = stand[0]
    ways = riding.ways_off(
        stand, hull, FAR, over, OUTSIDE, room=lambda body: FAR + 500.0 if body is leader else float(FAR)
    )
    out = (3000 + 150 + FAR + 400, 2000)
    assert ways.can(0, out) and not ways.can(1, (out[0] + 100, out[1]))


@pytest.mark.parametrize("seed", range(6))
def test_the_way_to_a_hull_ends_within_its_gap(seed: int) -> None:
    field, random = battle(), Random(seed)
    unit = field.units("red")[0]
    ways = paces(field, unit)
    met = 0
    for number, body in enumerate(field.bodies(unit)):
        x, y = body.x + random.randrange(-2600, 2600), body.y + random.randrange(-2600, 0)
        hull = Body(x, y, random.randrange(360), TRUCK)
        path = riding.way_to_hull(ways, number, hull, body, 250)
        straight = bodies.gap_to_point(hull, body.x, body.y) - body.foot.farthest - 250
        if path is None:
            continue
        met += 1
        assert path[0] == (body.x, body.y)
        assert bodies.gap_to_point(hull, *path[-1]) <= body.foot.farthest + 250
        long = sum(itertools.starmap(math.dist, itertools.pairwise(path)))
        assert straight - 3 <= long <= ways.fars[number] + 2
        assert np.isfinite(long)
    assert met
