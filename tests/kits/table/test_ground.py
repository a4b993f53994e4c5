"""What is in the way of stands: shut ground, enemies, and what is not their road."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
import shapely

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.core.ask import Bar
from grognard.core.dice import FairDice
from grognard.core.files import Document
from grognard.kits.table.ground import Keep, footing_for
from grognard.kits.table.state import Wreck
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.game import GAME
from tests.kits.table.stands.standing import OFF, SHUT, Going, shut
from tests.kits.table.stands.state import Unit

ROOM = charts().distance("spacing", "from_enemy")


def battle() -> Field:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["crossing"]))
    return Field(scenario, GAME.begin(scenario), FairDice(b"ground"))


@pytest.mark.parametrize("seed", range(4))
def test_a_stand_may_be_where_it_keeps_off_everything_that_is_closed(seed: int) -> None:
    field, random = battle(), Random(seed)
    unit = field.units("red")[0]
    body = field.bodies(unit)[1]
    radius = body.foot.narrowest
    start = np.array([(body.x, body.y)], float)
    over = footing_for(Going(field), unit, start, radius, 20000)
    closed = [field.table.area(piece) for piece in field.table.pieces if shut(field.table, piece)]
    foes = [other for foe in field.enemies(unit.side) for other in field.bodies(foe)]
    for _ in range(200):
        x, y = random.randrange(field.table.width), random.randrange(field.table.height)
        at = shapely.Point(x, y)
        off = min(shape.distance(at) for shape in closed) - radius
        away = min(bodies.gap_to_point(foe, x, y) for foe in foes) - radius - ROOM
        bar = over.why_not_here(x, y)
        if off > 2 and away > 2:
            assert bar is None, bar
        elif off < -2:
            assert bar is not None
        elif away < -2:
            assert bar is not None and bar.rule == "2.3"
    assert over.why_not_here(-5, 5) == OFF


def test_more_shapes_close_the_country_to_those_on_the_track() -> None:
    field = battle()
    unit = field.units("red")[0]
    starts = np.array([(3000, 7300)], float)
    on, off = (footing_for(Going(field, pace), unit, starts, 150, 3000) for pace in ("track", "bad going"))
    assert on.why_not_here(2000, 2000) == Bar("2.1", "the track does not lead there")
    assert off.why_not_here(2000, 2000) is None


class Passing(Going):
    """Friends let each other through, and wrecks nobody."""

    wreck = SHUT

    def keeps(self, unit: Unit, other: Unit, body: Body) -> Iterator[Keep]:
        yield Keep(100, Bar("2.3", "it would stop by a friend"), passing=True)

    def stands(self, unit: Unit, other: Unit) -> bool:
        return other.side == unit.side


def test_one_may_pass_but_not_stop_by_friends_and_not_go_through_a_wreck() -> None:
    field = battle()
    unit, friend, *_ = field.units("red")
    foe = field.enemies("red")[0]
    mate, enemy = field.bodies(friend)[0], field.bodies(foe)[0]
    field.state.wrecks.append(Wreck("w", "company", 1000, 1000, 0))
    starts = np.array([(mate.x - 2000, mate.y)], float)
    over = footing_for(Passing(field), unit, starts, 150, 20000)
    assert over.why_not_here(mate.x, mate.y) == Bar("2.3", "it would stop by a friend")
    ways = np.array([(mate.x, mate.y)], float)
    assert over.clear(starts, ways, stop=False)[0] and not over.clear(starts, ways)[0]
    assert over.why_not_here(enemy.x, enemy.y) is None, "who takes up no room is in nobody's way"
    assert over.why_not_here(1000, 1000) == SHUT
    # Where they are put down nobody is nearer than he began.
    placed = footing_for(Passing(field), unit, np.array([(1000.0, 1000.0)]), 150, 500, placed=True)
    came = footing_for(Passing(field), unit, np.array([(1000.0, 1000.0)]), 150, 500)
    near = np.array([(1000.0, 1000.0)])
    out = np.array([(1000.0, 2500.0)])
    assert not placed.clear(near, out, stop=False)[0] and came.clear(near, out, stop=False)[0]
