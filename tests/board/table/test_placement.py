"""Footings, ways and the ready-made areas: what looks legal is, and everything else says why."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table import formations as f
from grognard.board.table.bodies import Body, Footprint, disc, rect
from grognard.board.table.drive import Drive
from grognard.board.table.footing import Footing, Thing, barriers
from grognard.board.table.placement import DriveArea, FormationArea, TurnArea
from grognard.board.table.routes import strides
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.board.table.ways import Placed, Ways, Zone
from grognard.core.ask import Bar
from grognard.core.poses import Area, Hand, Pose

KINDS = {
    "house": Kind("house", "area", "shut"),
    "bog": Kind("bog", "area", "wet"),
    "ditch": Kind("ditch", "line", "wet"),
}
HOUSE = Piece("house-1", "house", ((1000, 1000), (1600, 1000), (1600, 1500), (1000, 1500)))
BOG = Piece("bog-1", "bog", ((2000, 1000), (2600, 1000), (2600, 1600), (2000, 1600)))
DITCH = Piece("ditch-1", "ditch", ((400, 2200), (1800, 2200)))
SHUT, WET = Bar("1", "the house is shut"), Bar("2", "it is wet")


class Walk(Ways):
    rule = "3"


def table(*pieces: Piece) -> Table:
    return Table("A table", 4000, 3000, KINDS, pieces, measure="cm")


def closed(piece: Piece) -> tuple[Bar, bool]:
    return (SHUT, True) if piece.kind == "house" else (WET, False)


def footing(on: Table, starts: list[tuple[int, int]], radius: int = 50) -> Footing:
    found = Footing(on, Bar("4", "it is the edge"))
    found.block_terrain(barriers(on, "men", radius, closed), np.array(starts, float), (0, 0), (4000, 3000))
    return found


def walk(starts: list[tuple[int, int]], far: float, *pieces: Piece) -> Walk:
    ground = footing(table(*pieces), starts)
    return Walk(starts, [ground] * len(starts), far)


def test_a_way_says_why_it_is_none() -> None:
    ways = walk([(900, 900)], 1200, HOUSE, BOG, DITCH)
    assert ways.can(0, (700, 1900)) and ways.can(0, (1650, 1300))
    assert ways.why_not(0, (1200, 1200)) == SHUT
    assert ways.why_not(0, (980, 1200)) == SHUT, "its base would touch the wall"
    assert ways.why_not(0, (900, 4000)).reason == "it is the edge"
    assert ways.why_not(0, (2900, 900)).say() == "it is 20 cm away, but the move is at most 12 cm [3]"
    assert ways.why_not(0, (1700, 1750)).say() == "the house is shut, and there is no way round within 12 cm [1]"
    assert ways.path(0, (1650, 1100))[1:-1], "it goes round the corner"


def test_who_begins_inside_may_come_out() -> None:
    # Only the centre counts in a bog: one in it is free to leave it.
    assert walk([(2300, 1300)], 800, BOG).can(0, (2300, 1900))
    # A base that stands by the wall, nearer than it may stop, walks off but not along into it.
    ways = walk([(970, 1200)], 800, HOUSE)
    assert ways.can(0, (700, 1200)) and not ways.can(0, (975, 1300))


def test_who_is_too_near_may_go_but_not_stop_nearer() -> None:
    starts = [(1000, 1000)]
    ground = footing(table(), starts)
    ground.block_body(disc(1120, 1000, 50), 150, WET, np.array(starts, float))
    ground.no_stop(disc(1000, 1500, 50), 50, SHUT)
    ways = Walk(starts, [ground], 900)
    assert ways.can(0, (700, 1000)) and not ways.can(0, (1000, 1010))
    assert not ways.can(0, (1000, 1450)) and ways.can(0, (1000, 1700)), "it passes where it may not stop"
    assert ways.why_not(0, (1000, 1450)) == SHUT


def area(ways: list[Ways], stand: list[Body], **more: object) -> FormationArea:
    ids = [f"m{n}" for n in range(len(stand))]
    return FormationArea("a1", ids, stand, ways, names=[f.AS_THEY_STAND, f.LINE], spacing=52, **more)  # type: ignore[arg-type]


def agrees(one: Area, form: str, heading: int, seed: int) -> None:
    """Points in the polygons are legal, points outside are not."""
    shapes = [shapely.make_valid(shapely.Polygon(part[0], part[1:])) for part in one.polygons(form, heading)]
    shape = shapely.union_all(shapes)
    random, tried = Random(seed), 0
    inner, outer = shape.buffer(-2.5), shape.buffer(2.5)
    left, top, right, bottom = (int(edge) for edge in shape.buffer(300).bounds)
    for _ in range(300):
        x, y = random.randrange(left, right), random.randrange(top, bottom)
        if inner.contains(shapely.Point(x, y)):
            assert one.bar(Pose(x, y, heading, form)) is None, (x, y)
            tried += 1
        elif not outer.intersects(shapely.Point(x, y)):
            assert one.bar(Pose(x, y, heading, form)) is not None, (x, y)
    assert tried > 5


@pytest.mark.parametrize(("form", "heading"), [(f.AS_THEY_STAND, 0), (f.LINE, 0), (f.LINE, 77)])
def test_the_area_of_a_unit_is_what_its_models_can_reach(form: str, heading: int) -> None:
    starts = [(700, 900), (860, 900), (780, 1030)]
    stand = [disc(x, y, 50) for x, y in starts]
    agrees(area([walk(starts, 1200, HOUSE, BOG, DITCH)], stand), form, heading, heading)


def test_several_ways_are_as_many_areas_in_one() -> None:
    doors = [[(900, 500)] * 2, [(2600, 2400)] * 2]
    stand = [disc(0, 0, 50), disc(150, 0, 50)]
    one = area([walk(starts, 500, HOUSE) for starts in doors], stand)
    assert len(one.polygons(f.LINE, 0)) == 2
    agrees(one, f.LINE, 0, 5)
    path = one.paths(Pose(2600, 2200, 0, f.LINE))
    assert all(way[0] == (2600, 2400) for way in path.values())


def test_a_form_that_does_not_hold_has_no_area() -> None:
    starts = [(700, 900), (1300, 900)]
    stand = [disc(x, y, 50) for x, y in starts]
    apart = Bar("5", "they fall apart")
    asked = []

    def holds(bodies: object, numbers: object) -> Bar | None:
        asked.append(numbers)
        return None if f.chained(bodies, 100) else apart  # type: ignore[arg-type]

    one = area([walk(starts, 600)], stand, holds=holds)
    assert one.polygons(f.AS_THEY_STAND, 0) == [] and one.bar(Pose(1000, 900)) == apart
    assert one.polygons(f.LINE, 0) and one.bar(Pose(1000, 900, 0, f.LINE)) is None
    for x in range(900, 1100, 20):
        one.bar(Pose(x, 900, 0, f.LINE))
    assert len(asked) == 2, "a form is the same wherever it is"
    assert one.bar(Pose(1000, 900, 0, f.LINE, (Hand("m1", 1400, 900),))) == apart
    assert one.bar(Pose(1000, 900, 0, f.LINE, (Hand("m9", 1400, 900),))) is not None
    assert one.bar(Pose(1000, 900, 0, f.LINE, (Hand("m1", 1080, 900, 90),))) is not None, "men all look one way"
    assert one.bar(Pose(1000, 900, 0, f.LINE, (Hand("m1", 1080, 900),))) is None
    assert area([walk(starts, 600)], stand, holds=holds, sure={f.AS_THEY_STAND}).polygons(f.AS_THEY_STAND, 0)


def test_models_that_keep_no_formation_stay() -> None:
    starts = [(700, 900), (860, 900), (2000, 2000)]
    one = area([walk(starts, 600)], [disc(x, y, 50) for x, y in starts], party=[0, 1])
    assert set(one.ends(Pose(900, 900, 0, f.LINE))) == {0, 1}
    assert [model.id for model in one.preview(Pose(900, 900, 0, f.LINE, (Hand("m2", 2100, 2000),))).models] == [
        "m0",
        "m1",
        "m2",
    ]


def test_models_are_set_down_in_a_zone() -> None:
    around = shapely.box(500, 500, 900, 900)
    ground = footing(table(HOUSE), [(700, 700)])
    outside = Bar("6", "that is too far from the truck")
    placed = Placed(shapely.Point(700, 700), [Zone(around)] * 2, [ground] * 2, 300, outside)
    one = area([placed], [disc(0, 0, 50), disc(150, 0, 50)])
    agrees(one, f.LINE, 0, 9)
    assert one.bar(Pose(950, 700, 0, f.LINE)) == Bar("6", f"model m1 can't get there: {outside.reason}")
    assert one.paths(Pose(700, 700, 0, f.LINE))["m0"][0] == (700, 700)


def test_a_unit_turns_where_it_stands() -> None:
    gun = [rect(1000, 1000, 200, 100), disc(1000, 1130, 50)]
    bar = Bar("7", "there is a wall")
    one = TurnArea("g1", ["gun", "m1"], gun, lambda heading: bar if heading > 180 else None, rule="7")
    assert one.start == Pose(1000, 1000, 0, f.AS_THEY_STAND)
    assert one.bar(Pose(1000, 1000, 90)) is None and one.bar(Pose(1000, 1000, 200)) == bar
    assert one.bar(Pose(1200, 1000, 90)) is not None and one.polygons("", 200) == []
    assert one.forms()[0].turns


def leg(pivots: int = 1, *, reverse: bool = False, centres: tuple[shapely.Polygon, ...] = ()) -> DriveArea:
    house = shapely.Polygon(HOUSE.points)
    hull = rect(1300, 2200, 400, 200)
    drive = Drive(hull, [house], 4000, 3000, 1400, pivots, reverse=reverse, centres=centres)
    things = [Thing(shape, WET) for shape in centres]
    return DriveArea("t1", "m1", drive, [Thing(house, SHUT)], things, measure="cm", rule="8")


def test_a_leg_says_what_stops_it() -> None:
    one = leg()
    assert one.bar(Pose(1300, 1750)) is None
    assert one.bar(Pose(1300, 1200)) == SHUT
    assert one.bar(Pose(1300, 2800)) == one.too_far_round
    assert one.bar(Pose(1300, 2200, 90)) is None and one.bar(Pose(1300, 2200, 91)) == one.too_far_round
    assert one.bar(Pose(3000, 2200)).say() == "it is 17 cm away, but its move is 14 cm [8]"  # type: ignore[union-attr]
    assert one.preview(Pose(2000, 2200)).cost == "7 cm, 0 pivots left"
    agrees(one, one.DRIVE, 0, 3)


def test_a_leg_in_reverse_goes_straight_back() -> None:
    one = leg(0, reverse=True)
    assert one.bar(Pose(1300, 2600)) is None and one.end(Pose(1300, 2600))[0].heading == 0
    assert one.bar(Pose(1900, 2500)) == one.straight_back
    assert [form.name for form in one.forms()] == [one.DRIVE]


def test_a_leg_may_turn_at_its_end_if_a_pivot_is_left() -> None:
    one = leg(2)
    end, pivots = one.end(Pose(2000, 2200, 180, one.FACE))
    assert (end.heading, pivots, one.last_heading(Pose(2000, 2200, 180, one.FACE), end, pivots)) == (90, 2, 180)
    one = leg(1)
    end, pivots = one.end(Pose(2000, 2200, 180, one.FACE))
    assert pivots == 1 and one.last_heading(Pose(2000, 2200, 180, one.FACE), end, pivots) == 90


def test_only_the_centre_keeps_out_of_some_ground() -> None:
    bog = shapely.box(1800, 2000, 2600, 2400)
    one = leg(centres=(bog,))
    # The hull's front is in the bog before its centre comes to its edge.
    assert one.bar(Pose(1790, 2200)) is None and one.bar(Pose(1850, 2200)) == WET
    agrees(one, one.DRIVE, 0, 4)
    there = Drive(rect(2000, 2200, 400, 200), [], 4000, 3000, 1400, 1, centres=[bog])
    assert there.contains(2000, 1500), "who is in it may leave it"


def test_all_models_arrive_together() -> None:
    found = list(strides({"a": [(0, 0), (1000, 0)], "b": [(0, 100), (0, 100)]}, 300))
    assert [far for far, _ in found] == [300, 600, 900, 1000]
    assert all(where["b"] == (0, 100) for _, where in found) and found[-1][1]["a"] == (1000, 0)
    assert list(strides({}, 300)) == [(0.0, {})]


def test_bases_of_several_sizes_share_out_the_places() -> None:
    small, big = Footprint("disc", radius=50), Footprint("disc", radius=60)
    men = [Body(x, 0, 0, big if x == 450 else small) for x in (0, 150, 300, 450)]
    for form in (f.LINE, f.COLUMN, f.CLUSTER):
        for heading in (0, 33, 270):
            places = f.lay_out(form, men, 1000, 1000, heading, 60)
            stand = [body.at(*at) for body, at in zip(men, places)]
            assert f.clear(stand) and f.chained(stand, 60), form
            assert f.anchor(stand) == (1000, 1000)
    # The great base stands at the right end and goes to the right end.
    assert max(f.lay_out(f.LINE, men, 1000, 1000, 0, 60)) == f.lay_out(f.LINE, men, 1000, 1000, 0, 60)[3]
