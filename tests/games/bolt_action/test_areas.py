"""Areas: whatever lies inside the polygons is accepted, whatever lies outside is refused."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from grognard.board.table import formations
from grognard.core.poses import Area, Pose, read_pose
from grognard.games.bolt_action import advance_and_run, areas, artillery, formation, movement, transports, vehicles
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.deployment import Deployment
from grognard.kits.table.deployment import DeployArea
from tests.games.bolt_action.play import box, field, piece, unit

#: So near to an edge rounding to whole hundredths may decide.
HAIR = 3.0

TERRAIN = [
    box("woods", 20, 22, 27, 27),
    box("building", 33, 22, 38, 27, id="farm"),
    piece("hedge", (22, 33), (30, 34)),
    piece("stone_wall", (34, 31), (40, 31)),
    piece("road", (10, 40), (60, 38)),
    box("pond", 42, 28, 46, 33),
    box("rocks", 27, 36, 31, 40),
]
OTHERS = [
    unit("us_1lt", "a8", at=(31, 28)),
    unit("us_m4", "a9", at=(38, 35), heading=40),
    unit("ger_grenadiers", "g1", at=(30, 18), heading=180),
    unit("ger_panzer4", "g2", at=(44, 22), heading=200),
]


@lru_cache(maxsize=64)
def area(kind: str, order: str, how: str = "") -> Area:
    """Where a unit in the middle of things can go."""
    more: dict[str, Any] = {"ranks": 2} if how != "ranks" else {}
    if kind in ("us_m4", "us_jeep", "us_m3_halftrack", "us_m8", "us_57mm"):
        more = {}
    at = (31, 33)
    if how == "aboard":
        mine = [unit("us_truck", "a1", at=at), unit(kind, "a2", at=(60, 45), status="aboard", aboard="a1")]
    elif how == "inside":
        mine = [unit(kind, "a1", at=(35.5, 24.5), ranks=4, building="farm")]
    else:
        mine = [unit(kind, "a1", at=at, **more)]
    battle = field(*mine, *OTHERS, terrain=TERRAIN)
    if how == "aboard":
        return transports.area_of(battle, battle.unit("a2"), order)
    who = battle.unit("a1")
    if battle.type(who).vehicle:
        return vehicles.DriveArea(battle, who, vehicles.begin(battle, who, order, reverse=how == "reverse"))
    if movement.turns_only(battle, who, order):
        return artillery.area_of(battle, who)
    return movement.area_of(battle, who, order)


@lru_cache(maxsize=512)
def shape(kind: str, order: str, how: str, form: str, heading: int) -> Any:
    parts = area(kind, order, how).polygons(form, heading)
    return shapely.union_all([shapely.Polygon(part[0], part[1:]).buffer(0) for part in parts])


CASES = [
    ("us_squad10", "advance", ""),
    ("us_squad10", "run", ""),
    ("us_squad", "run", ""),
    ("us_2lt", "run", ""),
    ("us_1lt", "advance", ""),
    ("us_mmg", "run", ""),
    ("us_mmg", "advance", ""),
    ("us_57mm", "run", ""),
    ("us_57mm", "advance", ""),
    ("us_m4", "advance", ""),
    ("us_m4", "run", ""),
    ("us_m4", "advance", "reverse"),
    ("us_jeep", "advance", ""),
    ("us_jeep", "run", ""),
    ("us_m3_halftrack", "advance", ""),
    ("us_m8", "advance", "reverse"),
    ("us_squad10", "advance", "aboard"),
    ("us_squad10", "run", "aboard"),
    ("us_57mm", "advance", "aboard"),
    ("us_squad10", "advance", "inside"),
    ("us_1lt", "run", "inside"),
]


@pytest.mark.rule("bolt_action", "8.3", "8.4", "8.5", "10.2")
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(filter(None, case)))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=some.data())
def test_inside_is_accepted_and_outside_refused(case: tuple[str, str, str], data: Any) -> None:
    here = area(*case)
    form = data.draw(some.sampled_from([form.name for form in here.forms()]), "form")
    heading = data.draw(some.sampled_from([0, 137, 270]), "heading")
    region = shape(*case, form, heading)
    start = here.start
    reach = 2700 if case[0] == "us_jeep" else 1500
    x = start.x + data.draw(some.integers(-reach, reach), "x")
    y = start.y + data.draw(some.integers(-reach, reach), "y")
    if not region.is_empty and data.draw(some.booleans(), "near"):
        rim = region.boundary
        at = rim.interpolate(data.draw(some.floats(0, 1), "along"), normalized=True)
        x = round(at.x) + data.draw(some.integers(-30, 30), "dx")
        y = round(at.y) + data.draw(some.integers(-30, 30), "dy")
    point = shapely.Point(x, y)
    if region.boundary.distance(point) <= HAIR if not region.is_empty else False:
        return
    pose = Pose(x, y, heading, form)
    if (x, y) == (start.x, start.y):
        return
    inside = not region.is_empty and region.contains(point)
    bar = here.bar(pose)
    assert (bar is None) == inside, bar
    assert isinstance(here.option(pose.key()), str) == (not inside)
    if inside and isinstance(here, FootArea):
        ends = here.ends(pose)
        stand = here.stand(pose, ends)
        chain = [stand[number] for number in here.party]
        assert formations.clear(stand) and formations.chained(chain, formation.reach(here.battle))
        shown = here.preview(pose)
        assert shown.bar is None and shown.cost


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(filter(None, case)))
def test_the_poses_that_are_listed_are_legal(case: tuple[str, str, str]) -> None:
    kind, order, how = case
    here = area(*case)
    if isinstance(here, FootArea):
        battle, who = here.battle, here.of
        if how == "aboard":
            found = list(transports.options(battle, who, order))
        else:
            found = list(advance_and_run.options(battle, who, order, assault=False))
    elif isinstance(here, vehicles.DriveArea):
        found = list(vehicles.options(here.battle, here.of, here.trip, here))
    else:
        assert hasattr(here, "may")
        found = list(artillery.options(here.battle, here.of, here))  # type: ignore[attr-defined, arg-type]
    poses = [option for option in found if option.verb == "pose"]
    assert len(found) <= 20
    assert poses or all(shape(kind, order, how, form.name, 0).is_empty for form in here.forms()[:1])
    for option in poses:
        read = read_pose(option.key)
        assert read is not None and here.bar(read[1]) is None, option
        assert option.place and option.label and option.rule


def test_the_preview_shows_paths_cost_and_cover() -> None:
    battle = field(
        unit("us_2lt", "a1", at=(30, 30)),
        unit("ger_grenadiers", "g1", at=(30, 18), heading=180, die="ambush"),
        terrain=[box("rocks", 28, 25, 32, 28), box("building", 10, 10, 14, 14)],
    )
    here = movement.area_of(battle, battle.unit("a1"), "advance")
    shown = here.preview(Pose(3000, 2650, 0, "as_they_stand"))
    assert shown.cost == "3.5 of 6″"
    assert shown.models[0].path == [(3000, 3000), (3000, 2650)]
    assert any("hard cover" in line for line in shown.lines) and any("ambush" in line for line in shown.lines)
    open_ = here.preview(Pose(3500, 2900, 0, "as_they_stand"))
    assert any("open" in line for line in open_.lines)


def test_cover_from_a_man_who_is_alone_in_a_building() -> None:
    battle = field(
        unit("us_squad", "a1", at=(36, 40)),
        unit("ger_infantry", "g1", building="farm", models=[{"id": "m1", "at": (35, 25)}]),
        terrain=[box("building", 33, 22, 38, 27, id="farm"), piece("stone_wall", (30, 39), (42, 39))],
    )
    squad = battle.unit("a1")
    assert areas.cover_from(battle, battle.unit("g1"), squad, battle.bodies(squad)) == "hard"


@pytest.mark.parametrize("kind", ["us_m4", "us_57mm", "us_squad"])
@pytest.mark.parametrize("heading", [0, 35, 90])
def test_room_is_the_same_by_arithmetic_as_by_shapes(kind: str, heading: int) -> None:
    """For every base of the unit, beside men, a tank and ground that it can't be on."""
    battle = field(unit(kind, "a1", at=(10, 10)), *OTHERS, terrain=TERRAIN)
    area = DeployArea(Deployment(battle), battle.unit("a1"), None)
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(2800.0, 4600.0, 17), np.arange(1600.0, 3800.0, 17)))
    feet = [body.foot for body in battle.bodies(battle.unit("a1"))]
    for number in {feet.index(foot) for foot in feet}:
        room = area.standing.room(number, heading)
        surely, never = room.buffer(-1), shapely.difference(shapely.box(0, 0, 7200, 4800), room.buffer(1))
        has_room = area.standing.has_room(number, heading, x, y)
        inside, outside = shapely.intersects_xy(surely, x, y), shapely.intersects_xy(never, x, y)
        assert inside.any() and outside.any()
        assert has_room[inside].all()
        assert not has_room[outside].any()


def test_the_preview_tells_the_dangerous_first_and_does_not_call_the_unseen_cover() -> None:
    battle = field(
        unit("us_2lt", "a1", at=(30, 30)),
        unit("ger_grenadiers", "g1", at=(30, 18), heading=180),
        unit("ger_grenadiers", "g2", at=(50, 18), heading=180),
        unit("ger_grenadiers", "g3", at=(12, 4), heading=180),
        terrain=[box("building", 4, 8, 24, 14), box("rocks", 25, 25, 27, 35)],
    )
    here = movement.area_of(battle, battle.unit("a1"), "advance")
    lines = here.preview(Pose(3000, 2950, 0, "as_they_stand")).lines
    assert lines[-2:] == [
        "In the open to Grenadier squad g1 and Grenadier squad g2",
        "Out of sight of the other enemy",
    ]
