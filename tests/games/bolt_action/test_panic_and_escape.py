"""Flight: where panic leads (4.4, 4.6, 4.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import pytest
import shapely

from grognard.board.table import clearance
from grognard.board.table.routes import poses_away
from grognard.core.poses import Polygon, Pose, read_pose
from grognard.games.bolt_action import movement, panic_and_escape, vehicles
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Moved
from tests.games.bolt_action.play import field, happened, piece, run, unit

FOE = unit("ger_infantry", "g1", at=(36, 14), heading=180)


def panics(battle: BoltBattle, number: int = 0) -> float:
    """Let a1 panic, by such a one of the ways that are equally far; how far from g1 it ends."""
    who = battle.unit("a1")
    who.die = "run"
    fleeing = panic_and_escape.panic(battle, who)
    try:
        ask = next(fleeing)
        assert (ask.side, ask.rule) == ("american", "4.7")
        fleeing.send(ask.options[number].key)
        raise AssertionError("asked twice")
    except StopIteration as done:
        assert done.value is True
    return battle.gap(who, battle.unit("g1"))


@pytest.mark.rule("bolt_action", "4.7")
def test_nowhere_that_a_man_could_run_to_is_farther_away() -> None:
    """An officer in a corner with a pond behind him: of all places he can run to he takes the farthest."""
    pond = piece("pond", (30, 33), (44, 33), (44, 40), (30, 40))
    officer, foe = unit("us_2lt", "a1", at=(36, 30)), unit("ger_2lt", "g1", at=(40, 24), heading=180)
    battle = field(officer, foe, terrain=[pond], table=(60, 40))
    area = movement.area_of(battle, battle.unit("a1"), "run")
    enemy = battle.body(battle.unit("g1"), battle.unit("g1").models[0])
    legal = [
        pose
        for x in range(2300, 4900, 100)
        for y in range(1750, 4000, 100)
        if area.bar(pose := Pose(x, y, 0, area.names[0])) is None
    ]
    assert len(legal) > 100
    farthest = max(((pose.x - enemy.x) ** 2 + (pose.y - enemy.y) ** 2) ** 0.5 - 100 for pose in legal)
    assert panics(battle) >= farthest - 2


@pytest.mark.rule("bolt_action", "4.7", "10.1", "10.3")
@pytest.mark.parametrize("heading", [0, 40, 90, 150, 180, 250])
def test_no_leg_of_a_vehicle_leads_farther_away(heading: int) -> None:
    """Of single legs forward and in reverse none ends farther from the enemy than the flight."""
    battle = field(unit("us_m4", "a1", at=(36, 24), heading=heading), FOE)
    who, foe = battle.unit("a1"), battle.unit("g1")
    farthest = 0.0
    for reverse in (False, True):
        area = vehicles.DriveArea(battle, who, vehicles.begin(battle, who, "run", reverse=reverse))
        for x in range(1600, 5700, 100):
            for y in range(100, 4800, 100):
                if area.bar(pose := Pose(x, y, 0, "drive")) is None:
                    end = area.end(pose)[0]
                    hull = area.body.at(end.x, end.y, end.heading)
                    farthest = max(farthest, min(vehicles.bodies.gap(hull, one) for one in battle.bodies(foe)))
    assert farthest > 0
    assert panics(battle) >= farthest - 100


@pytest.mark.rule("bolt_action", "4.7", "4.6", "8.4")
@pytest.mark.parametrize(("friend", "ends"), [((36, 45), 41.33), ((37.9, 42), 38.59)])
def test_a_friend_where_the_flight_would_end_only_shortens_it(friend: tuple[float, float], ends: float) -> None:
    """A tank that runs 18 in straight away may not stop within 1 in of a friend: it stops before him."""
    battle = field(unit("us_m4", "a1", at=(36, 24), heading=180), unit("us_2lt", "a2", at=friend), FOE)
    battle.unit("a1").die = "run"
    assert run(panic_and_escape.panic(battle, battle.unit("a1"))) is True, "no other way is as far, and nobody is asked"
    hull = battle.unit("a1").models[0]
    assert (hull.x / 100, hull.y / 100) == (36, pytest.approx(ends, abs=0.02))
    assert 100 <= battle.gap(battle.unit("a1"), battle.unit("a2")) < 110
    assert happened(battle, Moved)[0].rules[:2] == ("4.4", "4.7")


@pytest.mark.rule("bolt_action", "4.4", "4.7")
def test_one_flees_from_the_closest_enemy_that_is_seen() -> None:
    """The nearest stands behind a house: whoever panics runs from the next one, even toward the hidden one."""
    house = piece("building", (30, 30), (42, 30), (42, 33), (30, 33))
    near, hidden = unit("ger_2lt", "g1", at=(36, 12), heading=180), unit("ger_1lt", "g2", at=(36, 35))
    battle = field(unit("us_2lt", "a1", at=(36, 24)), near, hidden, terrain=[house])
    before = battle.gap(battle.unit("a1"), battle.unit("g1"))
    assert panics(battle) > before + 550
    both = field(unit("us_2lt", "a1", at=(36, 24)), near, unit("ger_1lt", "g2", at=(36, 34)))
    who = both.unit("a1")
    away = both.gap(who, both.unit("g2"))
    panics(both)
    assert both.gap(who, both.unit("g2")) > away, "ten inches are nearer than twelve"


@pytest.mark.rule("bolt_action", "4.7")
def test_the_owner_chooses_among_equal_ways_and_goes_the_one_he_chose() -> None:
    """A truck that looks at the enemy can turn away to the left or to the right."""
    for number, x in ((0, 12.0), (1, 60.0)):
        foe = unit("ger_infantry", "g1", at=(36, 10), heading=180)
        battle = field(unit("us_truck", "a1", at=(36, 20)), foe)
        panics(battle, number)
        assert battle.unit("a1").models[0].x / 100 == x


@pytest.mark.rule("bolt_action", "4.6", "4.7")
def test_a_vehicle_that_can_only_come_nearer_does_not_flee() -> None:
    """Houses beside it and behind it: every way leads to the enemy, and it stays."""
    walls = [
        piece("building", (x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
        for x, y, wide, deep in ((30, 36, 4.9, 6), (37.1, 36, 4.9, 6), (30, 42.3, 6, 4), (36, 42.3, 6, 4))
    ]
    battle = field(unit("us_truck", "a1", at=(36, 40), die="run"), FOE, terrain=walls)
    assert run(panic_and_escape.panic(battle, battle.unit("a1"))) is False
    hull = battle.hull(battle.unit("a1"))
    assert (hull.x, hull.y) == (3600, 4000) and not happened(battle, Moved)


@pytest.mark.rule("bolt_action", "4.7")
@pytest.mark.parametrize(
    ("kind", "at", "foe"),
    [("us_captain", (14, 28), (44, 11)), ("us_squad10", (64, 27), (25, 14)), ("us_squad", (36, 44), (36, 14))],
)
def test_none_of_the_ways_that_are_offered_ends_nearer_than_another(
    kind: str, at: tuple[float, float], foe: tuple[float, float]
) -> None:
    """Not even where one form gets away farther than another."""
    battle = field(unit(kind, "a1", at=at, die="run"), unit("ger_2lt", "g1", at=foe, heading=180))
    who, enemy = battle.unit("a1"), battle.unit("g1")
    area = movement.area_of(battle, who, "run")
    gaps = []
    for pose in poses_away(area, battle.bodies(enemy), most=None):
        stand = area.stand(pose, area.ends(pose))
        gaps.append(min(vehicles.bodies.gap(man, one) for man in stand for one in battle.bodies(enemy)))
    assert gaps and max(gaps) - min(gaps) <= panic_and_escape.ALIKE


@pytest.mark.rule("bolt_action", "4.7")
@pytest.mark.parametrize(("kind", "heading", "ways"), [("us_jeep", 0, 2), ("us_jeep", 150, 5), ("us_jeep", 180, 2)])
def test_the_ways_that_are_offered_to_a_vehicle_end_apart(kind: str, heading: int, ways: int) -> None:
    battle = field(unit(kind, "a1", at=(36, 24), heading=heading, die="run"), FOE)
    ask = next(panic_and_escape.panic(battle, battle.unit("a1")))
    ends = [read[1][:2] for option in ask.options if (read := read_pose(option.key)) is not None]
    assert len(ends) == ways
    assert min(math.dist(one, other) for one, other in combinations(ends, 2)) >= panic_and_escape.SAME


@pytest.mark.rule("bolt_action", "4.7")
def test_of_two_ways_that_end_alike_the_farther_is_offered() -> None:
    """A truck could get away on courses 155 and 153, half an inch apart: it is offered the one that leads farther."""
    battle = field(unit("us_truck", "a1", at=(36, 24), heading=90, die="run"), FOE)
    ask = next(panic_and_escape.panic(battle, battle.unit("a1")))
    ends = [read[1][:2] for option in ask.options if (read := read_pose(option.key)) is not None]
    assert sorted(ends) == [(3600, 4580), (3800, 4580), (4609, 4564)]


def near_a_friend(friend: tuple[float, float]) -> tuple[vehicles.DriveArea, list[tuple[Pose, float]]]:
    """A jeep that flees to the right past a friend: all legs it might take from where it is, and how long they are."""
    foe = unit("ger_2lt", "g1", at=(4, 24), heading=90)
    battle = field(unit("us_jeep", "a1", at=(10, 24), heading=90, die="run"), unit("us_2lt", "a2", at=friend), foe)
    area = vehicles.DriveArea(battle, battle.unit("a1"), vehicles.begin(battle, battle.unit("a1"), "run"))
    legs = [pose for _, pose in panic_and_escape._legs(area, area.drive, battle.bodies(battle.unit("g1")))]
    return area, [(pose, math.dist(pose[:2], (1000, 2400))) for pose in legs]


@pytest.mark.rule("bolt_action", "4.7", "8.4")
@pytest.mark.parametrize("friend", [(24.34, 25.58), (19.66, 25.58)])
def test_a_flight_ends_a_hundredth_clear_of_where_it_may_not(friend: tuple[float, float]) -> None:
    """Half of the way would end less than a hundredth of an inch before or beyond it."""
    area, legs = near_a_friend(friend)
    (closed,) = clearance.stretches(area.drive, 90, area.near, area.gap)
    ends = [far for pose, far in legs if pose.heading == 90]
    assert len(ends) >= 3
    assert all(far <= closed.start - 0.5 or far >= closed.end + 0.5 for far in ends)


@pytest.mark.rule("bolt_action", "4.7", "8.4")
def test_no_way_of_flight_that_is_tried_ends_where_a_vehicle_may_not() -> None:
    """Places are whole hundredths: a leg that ends a hair beyond a friend's room would end within it."""
    foe = unit("ger_2lt", "g1", at=(26.49, 20.91), heading=180)
    jeep, friend = unit("us_jeep", "a1", at=(36, 24), heading=106, die="run"), unit("us_2lt", "a2", at=(51.04, 28.89))
    battle = field(jeep, friend, foe)
    area = vehicles.DriveArea(battle, battle.unit("a1"), vehicles.begin(battle, battle.unit("a1"), "run"))
    legs = [pose for _, pose in panic_and_escape._legs(area, area.drive, battle.bodies(battle.unit("g1")))]
    assert len(legs) > 100 and [pose for pose in legs if area.bar(pose) is not None] == []


@pytest.mark.rule("bolt_action", "16.9")
def test_an_escape_leads_everywhere_that_a_drive_does_and_is_farther_away() -> None:
    """The attacker takes away the places about himself, and not a hundredth of the rest."""
    car, foe = unit("us_m8", "a1", at=(36, 24), heading=180), unit("ger_2lt", "g1", at=(36, 16), heading=180)
    battle = field(car, foe)
    who, enemy = battle.unit("a1"), battle.bodies(battle.unit("g1"))
    trip = vehicles.begin(battle, who, "advance")
    began = battle.gap(who, battle.unit("g1"))
    plain = vehicles.DriveArea(battle, who, trip)
    area = panic_and_escape.EscapeArea(battle, who, trip, enemy, began)

    def shapes(found: Sequence[Polygon]) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(rings[0], rings[1:]).buffer(0) for rings in found])

    every, left = shapes(plain.polygons("drive", 0)), shapes(area.polygons("drive", 0))
    closed = shapely.union_all(clearance.shadows(area.drive, area.enemy, began))
    assert 0 < left.area < every.area
    assert shapely.symmetric_difference(left, every.difference(closed)).area < every.length / 4


@pytest.mark.rule("bolt_action", "4.7")
def test_of_two_ways_that_end_alike_the_one_without_a_turn_on_the_way_is_taken() -> None:
    """By a turn on its way the truck would end a fifth of an inch aside, and no farther away that matters."""
    battle = field(unit("us_truck", "a1", at=(36, 24), heading=147, die="run"), FOE)
    ask = next(panic_and_escape.panic(battle, battle.unit("a1")))
    ends = [read[1][:2] for option in ask.options if (read := read_pose(option.key)) is not None]
    assert (4609, 4564) in ends and (4630, 4560) not in ends
