"""Areas of stands: what is inside the polygons is taken, what is outside is refused, and no base ends in another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies
from grognard.board.table import formations as f
from grognard.board.table.bodies import Body, Footprint, rect
from grognard.board.table.footing import Footing
from grognard.board.table.regions import covered
from grognard.board.table.stand_area import StandArea
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar
from grognard.core.poses import Hand, Pose
from tests.board.table.standing import Standing

WIDE, HIGH, EDGE = 4000, 3000, 2.5
TAKEN, OFF = Bar("1", "somebody stands there"), Bar("2", "off the table")
FORMS = [f.AS_THEY_STAND, f.LINE, f.COLUMN, f.CLUSTER, f.WEDGE]


def clear_place(random: Random, foot: Footprint, others: list[Body], near: tuple[int, int, int]) -> Body | None:
    for _ in range(200):
        x, y = near[0] + random.randint(-near[2], near[2]), near[1] + random.randint(-near[2], near[2])
        body = Body(x, y, random.randrange(360), foot)
        corners = bodies.corners(body)
        if (corners < 0).any() or (corners > (WIDE, HIGH)).any():
            continue
        if all(bodies.separation(body, other) > 2 for other in others):
            return body
    return None


FEET = (
    Footprint("rect", length=125, width=200),
    Footprint("rect", length=250, width=130),
    Footprint("rect", length=90, width=90),
    Footprint("disc", radius=60),
)


def scene(
    seed: int, crowd: int = 40, count: int = 0, *, sizes: bool = False
) -> tuple[Random, list[Body], list[Body], list[Ways]]:
    """A unit of stands, of one size or of several with a round base among them, in a crowd of others; and its ways."""
    random = Random(seed)
    feet = list(FEET) if sizes else [random.choice(FEET[:2])]
    unit: list[Body] = []
    for number in range(count or random.randint(2, 8)):
        foot = feet[number] if sizes and number < 2 else random.choice(feet)
        if body := clear_place(random, foot, unit, (2000, 1500, 500)):
            unit.append(body)
    others: list[Body] = []
    for _ in range(crowd):
        other = random.choice([feet[0], Footprint("rect", length=300, width=150), FEET[3]])
        if body := clear_place(random, other, [*unit, *others], (2000, 1500, 1900)):
            others.append(body)
    starts = [(body.x, body.y) for body in unit]
    table = Table("bare", WIDE, HIGH, {}, measure="inch")
    grounds = {}
    for narrow in {body.foot.narrowest for body in unit}:
        grounds[narrow] = Footing(table, OFF)
        for one in others:
            grounds[narrow].block_body(one, narrow, TAKEN, np.array(starts, float))
    far = [random.choice([300.0, 600.0, 900.0]) for _ in unit] if sizes else random.choice([300.0, 600.0, 900.0])
    return random, unit, others, [Ways(starts, [grounds[body.foot.narrowest] for body in unit], far)]


def area(unit: list[Body], others: list[Body], ways: list[Ways], **more: object) -> StandArea:
    ids = [f"t{n}" for n in range(len(unit))]
    room = Standing((WIDE, HIGH), others, taken=TAKEN, off=OFF)
    return StandArea("a1", ids, unit, ways, room=room, names=FORMS, spacing=60, rule="9", **more)


def agrees(one: StandArea, others: list[Body], random: Random, form: str, heading: int, tries: int = 20) -> None:
    """Fuzz one form and heading, half of it where the polygons are."""
    shapes = [shapely.make_valid(shapely.Polygon(part[0], part[1:])) for part in one.polygons(form, heading)]
    shape = shapely.union_all(shapes)
    inner, outer = shape.buffer(-EDGE), shape.buffer(EDGE)
    x0, y0 = one.start[:2]
    about = x0 - 900, y0 - 900, x0 + 900, y0 + 900
    for number in range(tries):
        left, top, right, bottom = about if number % 2 or inner.is_empty else map(int, inner.bounds)
        x, y = random.randint(left, right), random.randint(top, bottom)
        pose = Pose(x, y, heading, form)
        bar = one.bar(pose)
        assert one.allows(pose) == (bar is None)
        if shapely.contains_xy(inner, x, y):
            assert bar is None, pose.key()
        elif not shapely.intersects_xy(outer, x, y):
            assert bar is not None, pose.key()
        if bar is None and number % 5 == 0:
            stand = one.stand(pose, one.ends(pose))
            assert f.clear(stand) and not any(bodies.overlaps(body, others) for body in stand), pose.key()
            preview = one.preview(pose)
            assert [(m.x, m.y, m.heading) for m in preview.models] == [
                (stand[n].x, stand[n].y, stand[n].heading) for n in one.ends(pose)
            ]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_offered_is_what_is_taken(seed: int) -> None:
    random, unit, others, ways = scene(seed)
    one = area(unit, others, ways)
    assert one.start == Pose(*f.anchor(unit), unit[0].heading, f.AS_THEY_STAND)
    assert one.bar(one.start) is None, "they may stay"
    for form in FORMS:
        agrees(one, others, random, form, random.randrange(360))
    agrees(one, others, random, f.AS_THEY_STAND, one.start.heading)


@pytest.mark.parametrize("seed", range(50, 60))
def test_stands_of_several_sizes_go_each_as_far_as_it_may(seed: int) -> None:
    random, unit, others, ways = scene(seed, 30, 6, sizes=True)
    one = area(unit, others, ways)
    assert one.bar(one.start) is None and one.allows(one.start)
    for form in FORMS:
        agrees(one, others, random, form, random.randrange(360))


@pytest.mark.parametrize("seed", range(70, 78))
def test_half_of_the_unit_keeps_within_6_of_its_leader(seed: int) -> None:
    """The leader rule, as a shape where some stay and as a rule of the form where all go."""
    random, unit, others, ways = scene(seed, 15, 6, sizes=True)
    apart = Bar("7", "less than half of the unit would be within 6 of its leader")

    def led(stand: Sequence[Body]) -> bool:
        return bool((bodies.gaps(stand[1:], stand[:1]) <= 600 + bodies.HAIR).sum() * 2 >= len(stand) - 1)

    def holds(stand: Sequence[Body], numbers: Sequence[int]) -> Bar | None:
        return None if len(numbers) < len(unit) or led(stand) else apart

    whole = area(unit, others, ways, holds=holds)
    for form in FORMS:
        agrees(whole, others, random, form, heading := random.randrange(360))
        pose = Pose(0, 0, heading, form)
        assert (whole.bar_stand(pose, whole.ends(pose)) == apart) == (not led(whole.stand(pose, whole.ends(pose))))

    # The leader and two more go; of five others three have to be within 6 of where he ends.
    party = [0, 1, 2]

    def within(form: str, heading: int) -> BaseGeometry:
        bases = [
            unit[n].at(x, y, some.heading(form, heading, n)) for n, (x, y) in zip(party, some.offsets(form, heading))
        ]
        leader, *with_him = bases
        mine = sum(bodies.gap(leader, base) <= 600 + bodies.HAIR for base in with_him)
        if mine >= 3:
            return shapely.box(0, 0, WIDE, HIGH)
        near = covered([bodies.sum_of(body, leader.at(0, 0), 600) for body in unit[3:]], 3 - mine)
        return shapely.affinity.translate(near, -leader.x, -leader.y)

    some = area(unit, others, ways, party=party, within=within, outside=apart, holds=holds)
    for form in FORMS[1:]:
        agrees(some, others, random, form, heading := random.randrange(360))
        for _ in range(20):
            pose = Pose(
                some.start.x + random.randint(-600, 600), some.start.y + random.randint(-600, 600), heading, form
            )
            stand = some.stand(pose, some.ends(pose))
            near = abs(bodies.gaps(stand[1:], stand[:1]) - 600).min() < EDGE
            bar = some.bar_stand(pose, some.ends(pose))
            if bar != some.in_the_way and not near:
                assert (bar == apart) == (not led(stand)), pose.key()


@pytest.mark.parametrize("seed", range(25, 33))
def test_some_go_and_some_stay(seed: int) -> None:
    random, unit, others, ways = scene(seed, 20, 6)
    party = [0, 2, 3]
    stay = [unit[n] for n in range(len(unit)) if n not in party]

    def within(form: str, heading: int) -> shapely.geometry.base.BaseGeometry:
        """The first of them keeps within 400 of at least one of those who stay."""
        x, y = one.offsets(form, heading)[0]
        base = Body(0, 0, one.heading(form, heading, 0), unit[0].foot)
        shapes = [bodies.sum_of(body, base, 400) for body in stay]
        return shapely.affinity.translate(covered(shapes, 1), -x, -y)

    one = area(unit, others, ways, party=party, within=within)
    for form in FORMS[1:]:
        agrees(one, others, random, form, random.randrange(360))
    far = Pose(one.start.x + 3000, one.start.y, 0, f.LINE)
    assert one.bar(far) is not None


def test_a_stand_set_by_hand_has_a_heading_of_its_own() -> None:
    unit = [rect(1000 + 260 * n, 1000, 125, 200) for n in range(3)]
    ground = Footing(Table("bare", WIDE, HIGH, {}, measure="inch"), OFF)
    ways = [Ways([(b.x, b.y) for b in unit], [ground] * 3, 600.0)]
    wall = rect(1260, 700, 100, 1000)
    one = area(unit, [wall], ways)
    pose = Pose(1260, 1000, 0, f.LINE, (Hand("t1", 1260, 1000, 90),))
    assert one.bar(pose) is None
    assert [model.heading for model in one.preview(pose).models] == [0, 90, 0]
    # Turned, its longer side reaches where the narrower did not.
    near = Hand("t1", 1260, 830)
    assert one.bar(Pose(1260, 1000, 0, f.LINE, (near,))) is None
    assert one.bar(Pose(1260, 1000, 0, f.LINE, (near._replace(heading=90),))) == Bar("1", f"model t1: {TAKEN.reason}")
    over = (Hand("t1", unit[0].x + 40, unit[0].y, 90),)
    assert one.bar(Pose(1260, 1000, 0, f.LINE, over)) == one.in_the_way


def test_stands_that_keep_their_form_turn_with_it() -> None:
    unit = [rect(1000, 1000, 125, 200, 30), rect(1400, 1000, 125, 200, 75)]
    ground = Footing(Table("bare", WIDE, HIGH, {}, measure="inch"), OFF)
    one = area(unit, [], [Ways([(1000, 1000), (1400, 1000)], [ground] * 2, 900.0)])
    pose = Pose(1200, 1000, 120, f.AS_THEY_STAND)
    assert [model.heading for model in one.preview(pose).models] == [120, 165]
    assert math.dist(*one.ends(pose).values()) == pytest.approx(400, abs=2)


def pair() -> StandArea:
    """Two stands of one base side by side on a bare table, of which only the first has room on its right half."""
    stand = [rect(1000, 1500, 125, 200), rect(1300, 1500, 125, 200, heading=90)]
    half = [rect(3000, 1500, 3000, 2000)]
    rooms = [Standing((WIDE, HIGH), taken, taken=TAKEN, off=OFF) for taken in ([], half)]
    table = Table("bare", WIDE, HIGH, {}, measure="inch")
    ways = [Ways([(1000, 1500), (1300, 1500)], [Footing(table, OFF)] * 2, 3000.0)]
    return StandArea("u", ["a", "b"], stand, ways, room=rooms, names=FORMS, spacing=50)


def test_each_model_may_have_a_room_of_its_own() -> None:
    area = pair()
    for first, second, free in (((2500, 1500), (1300, 1500), True), ((1000, 1500), (2500, 1500), False)):
        hands = tuple(Hand(id, *at) for id, at in zip("ab", (first, second)))
        assert (area.bar(Pose(1150, 1500, 0, f.AS_THEY_STAND, hands)) is None) == free
    shape = shapely.union_all([shapely.Polygon(part[0]) for part in area.polygons(f.AS_THEY_STAND, 0)])
    # The second, 1.5 to the right of the middle, stays out of the right half with all its base.
    assert shape.bounds[2] < 2000 - 150 and area.allows(Pose(1700, 1500, 0, f.AS_THEY_STAND))
    assert not area.allows(Pose(1800, 1500, 0, f.AS_THEY_STAND))


def test_stands_may_keep_their_places_and_only_turn() -> None:
    class Turning(StandArea):
        wheels = False

    plain = pair()
    turning = Turning("u", plain.models, plain.known, plain.ways, room=plain.rooms, names=FORMS, spacing=50)
    pose = Pose(1150, 1500, 90, f.AS_THEY_STAND)
    assert turning.ends(pose) == {0: (1000, 1500), 1: (1300, 1500)} != plain.ends(pose)
    assert [body.heading for body in turning.stand(pose, turning.ends(pose))] == [90, 180]
    assert [form.turns for form in turning.forms()][:2] == [False, True]
