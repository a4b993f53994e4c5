"""Ground (9): what stops whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grognard.board.table import bodies
from grognard.core.errors import IllegalError
from grognard.core.poses import Pose
from grognard.games.bolt_action import advance_and_run, deployment, ground, movement, vehicles
from grognard.games.bolt_action.battle import BoltBattle
from grognard.kits.table.deployment import DeployArea
from tests.games.bolt_action.play import box, field, piece, run, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))
WOODS = box("woods", 20, 24, 40, 27)
HEDGE = piece("hedge", (20, 26), (40, 26))
BOCAGE = piece("bocage", (20, 26), (40, 26))
HOUSE = box("building", 27, 23, 33, 26, id="house")
CROPS = box("crops", 20, 24, 40, 27)


def on(kind: str, *terrain: Any, at: tuple[float, float] = (30, 30)) -> BoltBattle:
    return field(unit(kind, "a1", at=at), FOE, terrain=terrain)


def says(battle: BoltBattle, order: str, x: float, y: float) -> str:
    """The rule that keeps a1 from going straight up to a place; "" if it can."""
    who = battle.unit("a1")
    if bar := advance_and_run.can_move(battle, who, order):
        return bar.rule
    pose = Pose(round(x * 100), round(y * 100), 0)
    if battle.type(who).vehicle:
        found = vehicles.DriveArea(battle, who, vehicles.begin(battle, who, order)).bar(pose)
    else:
        found = movement.area_of(battle, who, order).bar(pose)
    return found.rule if found else ""


@pytest.mark.rule("bolt_action", "9.1")
def test_open_ground_stops_nobody() -> None:
    for kind in ("us_2lt", "us_m4", "us_jeep", "us_m3_halftrack"):
        for order in ("advance", "run"):
            assert says(on(kind, CROPS), order, 30, 25) == "", (kind, order)
    assert says(on("us_57mm", CROPS), "run", 30, 25) == ""


@pytest.mark.rule("bolt_action", "9.2", "9.6")
def test_rough_ground() -> None:
    assert says(on("us_2lt", WOODS), "advance", 30, 25) == ""
    assert says(on("us_2lt", WOODS), "run", 30, 25) == "9.6"
    assert says(on("us_2lt", WOODS), "run", 30, 22) == "9.6", "it may not be crossed either"
    assert says(on("us_m4", WOODS), "advance", 30, 25) == ""
    assert says(on("us_m4", WOODS), "run", 30, 25) == "9.6"
    assert says(on("us_jeep", WOODS), "advance", 30, 25) == "9.2"
    assert says(on("us_57mm", WOODS), "run", 30, 25) == "9.2"


@pytest.mark.rule("bolt_action", "9.6")
def test_who_begins_in_rough_ground_cannot_run() -> None:
    inside = on("us_2lt", WOODS, at=(30, 26))
    assert says(inside, "run", 30, 30) == "9.6" and says(inside, "advance", 30, 30) == ""
    assert says(on("us_m4", WOODS, at=(30, 26)), "run", 30, 20) == "9.6"
    assert says(on("us_2lt", WOODS, at=(30, 27.5)), "run", 30, 33) == "", "its base may stand over the edge"


@pytest.mark.rule("bolt_action", "9.3", "9.6")
def test_obstacles() -> None:
    assert says(on("us_2lt", HEDGE), "advance", 30, 25) == ""
    assert says(on("us_2lt", HEDGE), "run", 30, 25) == "9.6"
    for order in ("advance", "run"):
        assert says(on("us_m4", HEDGE), order, 30, 24) == ""
        assert says(on("us_m4", BOCAGE), order, 30, 24) == "9.3"
        assert says(on("us_jeep", HEDGE), order, 30, 24) == "9.3"
    assert says(on("us_57mm", HEDGE), "run", 30, 25) == "9.3"
    assert says(on("us_2lt", BOCAGE), "advance", 30, 25) == "", "men get through what stops tanks"


@pytest.mark.rule("bolt_action", "9.4")
def test_buildings() -> None:
    assert says(on("us_2lt", HOUSE), "advance", 30, 25) == "25.2", "men go in, but by the doors"
    assert says(on("us_57mm", HOUSE), "run", 30, 25) == "9.4"
    assert says(on("us_jeep", HOUSE), "advance", 30, 25) == "9.4"
    assert says(on("us_m4", HOUSE), "advance", 30, 25) == "9.4"
    assert says(on("ger_tiger", HOUSE), "advance", 30, 25) == "9.4"


@pytest.mark.rule("bolt_action", "9.5")
def test_roads_double_the_rate_of_vehicles_only() -> None:
    road = piece("road", (30, 48), (30, 0))
    for kind, order, far in (("us_jeep", "advance", 24), ("us_jeep", "run", 36), ("us_m4", "advance", 18)):
        battle = field(unit(kind, "a1", at=(30, 40)), FOE, terrain=[road])
        assert says(battle, order, 30, 40 - far + 0.1) == "", (kind, order)
    battle = field(unit("us_m4", "a1", at=(30, 44)), FOE, terrain=[road])
    assert says(battle, "run", 30, 44 - 36 + 0.1) == "" and says(battle, "run", 30, 44 - 36 - 0.1) == "8.2"
    battle = field(unit("us_jeep", "a1", at=(34, 40)), FOE, terrain=[road])
    assert says(battle, "advance", 34, 27) == "8.2", "beside the road it is no use"
    battle = field(unit("us_2lt", "a1", at=(30, 40)), FOE, terrain=[road])
    assert says(battle, "run", 30, 27.5) == "8.3"


@pytest.mark.rule("bolt_action", "9.8")
def test_half_tracks_go_by_the_tracked_column() -> None:
    assert says(on("us_m3_halftrack", WOODS), "advance", 30, 25) == ""
    assert says(on("us_m3_halftrack", WOODS), "run", 30, 25) == "9.6"
    assert says(on("us_m3_halftrack", BOCAGE), "advance", 30, 24) == "9.3"


@pytest.mark.rule("bolt_action", "9.9")
def test_a_gun_is_judged_for_every_model_of_its_unit() -> None:
    # The gun would pass on the left of the wood, but its crew would be in it.
    wood = box("woods", 30.6, 24, 40, 29)
    battle = field(unit("us_57mm", "a1", at=(30, 31)), FOE, terrain=[wood])
    assert says(battle, "run", 30, 27) == "9.2"
    assert says(field(unit("us_57mm", "a1", at=(26, 31)), FOE, terrain=[wood]), "run", 26, 27) == ""


@pytest.mark.rule("bolt_action", "9.9", "9.2")
def test_a_gun_in_tow_goes_where_its_tow_can() -> None:
    """By hand it would not get into the wood; behind a half-track it does, and not behind a truck."""
    assert says(on("us_57mm", WOODS), "run", 30, 25) == "9.2"
    gun = unit("us_57mm", "a2", aboard="a1")
    for kind, rule in (("us_m3_halftrack", ""), ("us_truck", "9.2")):
        battle = field(unit(kind, "a1", at=(30, 30)), gun, FOE, terrain=[WOODS])
        assert says(battle, "advance", 30, 25) == rule, kind
    battle = field(unit("us_m3_halftrack", "a1", at=(30, 30)), gun, FOE, terrain=[WOODS])
    run(advance_and_run.move(battle, battle.unit("a1"), "advance"), "pose 30 25 0 drive", "done")
    assert battle.unit("a1").models[0].y == 2500 and battle.unit("a2").aboard == "a1"


@pytest.mark.rule("bolt_action", "9.7")
def test_a_gun_set_up_in_rough_ground_does_not_move_again() -> None:
    battle = field(unit("us_57mm", "a1", at=(30, 25), dug_in=True), FOE, terrain=[WOODS])
    assert advance_and_run.can_move(battle, battle.unit("a1"), "run").rule == "9.7"  # type: ignore[union-attr]
    assert advance_and_run.can_move(battle, battle.unit("a1"), "advance") is None, "but it may be turned"


def test_straight_ways_agree_with_ways_by_shapes() -> None:
    """The quick test never lets through what the exact one refuses."""
    battle = field(
        unit("us_2lt", "a1", at=(30, 30)),
        unit("us_1lt", "a2", at=(33, 27)),
        unit("us_m4", "a3", at=(26, 30), heading=30),
        unit("ger_grenadiers", "g1", at=(30, 22)),
        terrain=[WOODS, HOUSE, piece("river", (40, 0), (36, 48))],
    )
    random = np.random.default_rng(7)
    for order in ("advance", "run"):
        ways = movement.ways_of(battle, battle.unit("a1"), order)[0]
        ends = random.integers(1500, 4500, size=(400, 2)).astype(np.float64)
        quick = ways.straight([0] * len(ends), ends)
        exact = ways.reach(0).contains_many(ends)
        assert not (quick & ~exact).any()
        assert quick.sum() > 5


def test_who_begins_within_an_inch_of_an_enemy_may_go_away() -> None:
    battle = field(unit("us_2lt", "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 28.7)))
    assert says(battle, "advance", 30, 33) == ""
    assert says(battle, "advance", 30.3, 30.1) == "8.4", "but not stop there"


def test_why_it_is_refused_names_what_is_in_the_way() -> None:
    battle = on("us_2lt", WOODS)
    area = movement.area_of(battle, battle.unit("a1"), "run")
    bar = area.bar(Pose(3000, 2500, 0))
    assert bar is not None and bar.source == "Woods"
    with pytest.raises(IllegalError):
        from grognard.core.ask import Ask

        Ask("american", "where?", [], area=lambda: area).option("pose 30 25 0")
    assert area.bar(Pose(3000, -5, 0)) == ground.OFF_TABLE


# ---- exactly 1.00 inch (8.4) ---------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "8.4")
@pytest.mark.parametrize("kind", ["ger_2lt", "us_2lt"])
@pytest.mark.parametrize(("dx", "dy"), [(0, 2), (2, 0), (1.2, 1.6), (-1.6, 1.2)])
def test_one_inch_exactly_is_far_enough_from_friend_and_enemy_alike(kind: str, dx: float, dy: float) -> None:
    """Two bases of an inch whose middles are 2.00 in apart have a gap of 1.00; a hundredth less is within 1 in."""
    other = unit(kind, "x1", models=[(30, 20)], die="fire")
    battle = field(unit("ger_infantry", "g1", models=[(30 + dx * 4, 20 + dy * 4)]), other, sides=["german", "american"])
    area = movement.area_of(battle, battle.unit("g1"), "run")
    assert area.bar(Pose(round((30 + dx) * 100), round((20 + dy) * 100))) is None
    near = area.bar(Pose(round((30 + dx * 0.994) * 100), round((20 + dy * 0.994) * 100)))
    assert near is not None and near.rule == "8.4"


@pytest.mark.rule("bolt_action", "8.4", "28.6")
def test_one_inch_exactly_is_far_enough_to_be_set_up() -> None:
    battle = field(unit("ger_2lt", "g1", models=[(30, 20)]), unit("ger_2lt", "g2", status="unplaced"))
    area = DeployArea(deployment.Deployment(battle), battle.unit("g2"), None)
    assert area.bar(Pose(3000, 2200)) is None
    near = area.bar(Pose(3000, 2199))
    assert near is not None and near.rule == "8.4"


@pytest.mark.rule("bolt_action", "8.4")
@pytest.mark.parametrize("kind", ["us_2lt", "ger_2lt"])
@pytest.mark.parametrize("heading", [0, 45, 90, 180])
def test_a_vehicle_may_stop_one_inch_exactly_from_friend_and_enemy_alike(kind: str, heading: int) -> None:
    other = unit(kind, "x1", models=[(30, 20)], die="fire")
    ahead = bodies.direction(heading)
    back = (3000 - round(ahead[0] * 1000), 2000 - round(ahead[1] * 1000))
    start = unit("us_jeep", "a1", at=(back[0] / 100, back[1] / 100), heading=heading)
    battle = field(start, other, FOE, sides=["american", "german"])
    jeep = battle.unit("a1")
    area = vehicles.DriveArea(battle, jeep, vehicles.begin(battle, jeep, "advance"))

    def beside(gap: float) -> Pose:
        """The jeep with so much room between its bonnet and the other base, rounded away from it."""
        x, y = bodies.onward(3000, 2000, heading + 180, 50 + gap + battle.hull(jeep).foot.length / 2)
        return Pose(x, y, heading, "drive")

    enough = beside(101 if heading % 90 else 100)  # on a slant whole hundredths come out a little short
    assert area.bar(enough) is None
    assert bodies.gap(battle.hull(jeep).at(enough.x, enough.y), battle.bodies(battle.unit("x1"))[0]) < 101.5
    near = area.bar(beside(99))
    assert near is not None and near.rule == "8.4"


@pytest.mark.rule("bolt_action", "8.4")
def test_a_vehicle_may_pass_an_enemy_at_one_inch_exactly() -> None:
    for gap, rule in ((100, ""), (99, "8.4")):
        alone = field(unit("us_jeep", "a1", at=(30, 30)), FOE)
        wide = alone.hull(alone.unit("a1")).foot.width // 2
        enemy = unit("ger_2lt", "x1", models=[(30 + (wide + gap + 50) / 100, 25)], die="fire")
        battle = field(unit("us_jeep", "a1", at=(30, 30)), enemy, sides=["american", "german"])
        jeep = battle.unit("a1")
        area = vehicles.DriveArea(battle, jeep, vehicles.begin(battle, jeep, "advance"))
        found = area.bar(Pose(3000, 2000, 0, "drive"))
        assert (found.rule if found else "") == rule


@pytest.mark.rule("bolt_action", "8.4")
@pytest.mark.parametrize("kind", ["us_truck", "ger_truck", "ger_stug3"])
@pytest.mark.parametrize("heading", [0, 90, 270])
def test_one_inch_exactly_is_far_enough_from_a_vehicle(kind: str, heading: int) -> None:
    """Beside its flat sides; the corners are round."""
    other = unit(kind, "x1", at=(30, 20), heading=heading, die="fire")
    battle = field(unit("us_2lt", "a1", at=(21, 22)), other, FOE, sides=["american", "german"])
    area = movement.area_of(battle, battle.unit("a1"), "run")
    big = next(body for body in battle.bodies(battle.unit("x1")) if body.foot.shape == bodies.RECT)
    half = (big.foot.length if heading % 180 else big.foot.width) // 2
    left = big.x - half - 50
    assert area.bar(Pose(left - 100, big.y)) is None
    near = area.bar(Pose(left - 99, big.y))
    assert near is not None and near.rule == "8.4"


@pytest.mark.rule("bolt_action", "8.4", "24.3")
@pytest.mark.parametrize("kind", ["us_2lt", "ger_2lt", "us_jeep", "ger_truck"])
def test_one_inch_exactly_is_far_enough_to_get_out_beside(kind: str) -> None:
    other = unit(kind, "x1", at=(41, 20), die="fire")
    battle = field(
        unit("us_truck", "a1", at=(35, 20)), unit("us_2lt", "a2", aboard="a1"), other, sides=["american", "german"]
    )
    base = battle.bodies(battle.unit("x1"))[0]
    left = base.x - (base.foot.width // 2 if base.foot.shape == bodies.RECT else base.foot.radius) - 50
    area = movement.area_of(battle, battle.unit("a2"), "advance")
    assert area.bar(Pose(left - 100, 2000)) is None
    near = area.bar(Pose(left - 99, 2000))
    assert near is not None and near.rule == "8.4"


@pytest.mark.rule("bolt_action", "8.4", "8.5", "21.5", "25.1")
def test_who_keeps_how_much_room_and_why() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 40)),
        unit("us_mmg", "a2", at=(30, 40)),
        unit("us_truck", "a3", at=(40, 40)),
        unit("us_57mm", "a4", at=(50, 40)),
        unit("us_2lt", "a5", building="house"),
        unit("ger_infantry", "g1", at=(20, 10), heading=180),
        terrain=[HOUSE],
    )
    who = battle.unit("a1")

    def kept(other: str, rules: ground.FootGround) -> list[tuple[float, str, str]]:
        foe = battle.unit(other)
        return [(keep.gap, keep.bar.rule, keep.bar.reason) for keep in rules.keeps(who, foe, battle.bodies(foe)[0])]

    walk, charge = ground.FootGround(battle, run=False), ground.FootGround(battle, run=True, assault=True)
    beside = (100, "8.4", "models can't stop within 1″ of another friendly unit")
    solid = (0, "8.5", "a vehicle or a gun stands in the way")
    assert kept("g1", walk) == [(100, "8.4", "models can't come within 1″ of an enemy")]
    assert kept("g1", charge) == [(0, "8.5", "an enemy stands there")]
    assert kept("a2", walk) == kept("a2", charge) == [beside]
    assert kept("a3", walk) == [solid, beside]
    assert walk.stands(who, battle.unit("a2")) and not walk.stands(who, battle.unit("a5"))
    but = ground.FootGround(battle, run=True, but=("a2",))
    assert not but.stands(who, battle.unit("a2")) and but.stands(who, battle.unit("a3"))
    assert but.key(who) == ("bolt_action", "infantry", True) and walk.key(who) == ("bolt_action", "infantry", False)
    assert ground.FootGround(battle, run=True, through=True).key(who)[2] is False  # type: ignore[index]
