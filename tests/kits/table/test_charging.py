"""Ways into contact: of stands, which end as rectangles, and of round bases."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Footprint, rect
from grognard.board.table.footing import Footing, edges_of
from grognard.board.table.terrain import Table
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar
from grognard.kits.table.charging import Charge, step_back
from tests.kits.table.test_ground import battle

TEAM, TANK, MAN = (
    Footprint("rect", length=125, width=200),
    Footprint("rect", length=400, width=250),
    Footprint("disc", 49),
)
FAR = 1200


def line(random: Random, foot: Footprint, count: int, x: int, y: int, heading: int) -> list[Body]:
    bases = [Body(x, y, heading, foot)] * count
    places = formations.lay_out(random.choice([formations.LINE, formations.CLUSTER]), bases, x, y, heading, 60)
    return [Body(*place, heading, foot) for place in places]


def ways(table: Table, known: list[Body], foes: list[Body]) -> Ways:
    """The way is free but for the enemy himself."""
    grounds = []
    for body in known:
        over = Footing(table)
        radius = body.foot.narrowest if body.foot.length else body.foot.radius
        for foe in foes:
            over.block_body(foe, radius, Bar("7.1", "the enemy stands there"), np.empty((0, 2)))
        grounds.append(over)
    return Ways([(body.x, body.y) for body in known], grounds, FAR)


@pytest.mark.parametrize("seed", range(16))
def test_a_charge_ends_in_contact_and_nobody_in_another(seed: int) -> None:
    random, table = Random(seed), battle().table
    foot = random.choice([TEAM, TEAM, TANK, MAN])
    foes = line(random, random.choice([TEAM, TANK, MAN]), random.randrange(1, 6), 5000, 4000, random.randrange(360))
    course = math.radians(random.randrange(360))
    far = random.randrange(500, 1500)
    x, y = 5000 + round(far * math.sin(course)), 4000 - round(far * math.cos(course))
    known = line(random, foot, random.randrange(1, 7), x, y, round(bodies.bearing(x, y, 5000, 4000)))
    if any(bodies.overlaps(body, foes) for body in known):
        return
    over = ways(table, known, foes)
    plan = Charge(known, foes, over, reach=150)
    first = plan.first()
    assert (first is None) == (plan.first(any_will_do=True) is None)
    nearest = min(bodies.gap(body, foe) for body in known for foe in foes)
    if first is None:
        assert nearest > FAR - 250, "somebody could have gone straight"
        return
    assert first.far <= FAR + 2 and first.far >= nearest - 2
    ends = plan.close_in(first)
    stand = [body.at(*ends[number]) for number, body in enumerate(known)]
    assert formations.clear(stand)
    assert not any(bodies.overlaps(body, foes) for body in stand)
    assert min(bodies.gap(stand[first.number], foe) for foe in foes) <= bodies.CONTACT
    before = [min(bodies.gap(body, foe) for foe in foes) for body in known]
    after = [min(bodies.gap(body, foe) for foe in foes) for body in stand]
    assert sum(after) <= sum(before)
    paths = plan.paths(first)
    assert next(iter(paths)) == first.number
    for number, path in paths.items():
        assert path[0] == (known[number].x, known[number].y) and path[-1] == ends[number]
        assert shapely.LineString([*path, path[-1]]).length <= FAR + 3


@pytest.mark.parametrize("seed", range(6))
def test_nobody_ends_in_a_friend_whom_he_may_pass(seed: int) -> None:
    """Friends stand wherever the charge would end without them, and it ends beside them."""
    random, table = Random(seed), battle().table
    foes, known = line(random, MAN, 3, 5000, 4000, 180), line(random, MAN, 5, 5100, 4600, 0)
    over = ways(table, known, foes)
    plan = Charge(known, foes, over, reach=150)
    first = plan.first()
    assert first is not None
    ends = plan.close_in(first)
    for taken in (list(ends), [first.number], list(ends)[1:]):
        friends = [known[number].at(*ends[number]) for number in taken]
        beside = Charge(known, foes, over, reach=150, friends=friends)
        near = beside.first()
        assert near is not None
        stand = [known[number].at(*place) for number, place in beside.close_in(near).items()]
        assert not any(bodies.overlaps(body, friends) for body in stand) and formations.clear(stand)
        assert min(bodies.gap(stand[0], foe) for foe in foes) <= bodies.CONTACT


def test_who_cannot_keep_up_comes_as_far_as_he_can() -> None:
    table = battle().table
    foes = [rect(5000, 2000, 125, 200, 180)]
    known = [rect(5000, 2800, 125, 200, 0), rect(5300, 4500, 125, 200, 0)]
    plan = Charge(known, foes, ways(table, known, foes))
    first = plan.first()
    assert first is not None and first.number == 0
    end = plan.close_in(first)[1]
    gone = math.dist(end, (5300, 4500))
    assert FAR - 10 < gone <= FAR + 0.01
    assert bodies.off(bodies.bearing(5300, 4500, *end), bodies.bearing(5300, 4500, *first.place)) < 1


def test_whoever_charges_goes_round_what_is_in_the_way_or_not_at_all() -> None:
    table = battle().table
    foes, known = [rect(5000, 2000, 125, 200, 180)], [rect(5000, 2800, 125, 200, 0)]
    for wide, there in ((100, True), (3000, False)):
        over = ways(table, known, foes)
        wall = shapely.box(5000 - wide, 2338, 5000 + wide, 2482)
        over.grounds[0].block_shape(wall, edges_of(wall), Bar("7.1", "a wall"))
        assert (Charge(known, foes, over).first() is not None) is there


@pytest.mark.parametrize("seed", range(8))
def test_a_unit_steps_back_in_step_and_to_where_it_is_free(seed: int) -> None:
    random = Random(seed)
    foes = line(random, TEAM, 4, 5000, 4000, 0)
    known = line(random, TEAM, 3, 5000 + random.randrange(-300, 300), 4400, 0)
    ends = step_back(known, foes, 200, lambda body: True)
    moves = {(x - body.x, y - body.y) for body, (x, y) in zip(known, ends)}
    assert len(moves) == 1 and math.hypot(*moves.pop()) == pytest.approx(200, abs=1)
    before, after = (bodies.gaps(stand, foes).min() for stand in (known, [b.at(*e) for b, e in zip(known, ends)]))
    assert after > before
    # A wall behind them: they go to one side of it.
    aside = step_back(known, foes, 200, lambda body: body.y <= 4400 + 120)
    assert aside and all(y <= 4520 for _, y in aside) and aside != ends
    assert step_back(known, foes, 200, lambda body: False) == []
