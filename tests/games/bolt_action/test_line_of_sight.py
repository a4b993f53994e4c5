"""Line of sight and cover (11), men in buildings (25.3, 25.4), and what the sight tool says."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.core.errors import GrognardError
from grognard.games.bolt_action import line_of_sight, sight_report
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.shooting import targets
from grognard.kits.table.state import RESERVE
from tests.games.bolt_action.fire_play import enemy, faces, needs, shoot, tallies, us
from tests.games.bolt_action.play import box, field, lines, piece, rolled, unit

rule = pytest.mark.rule


def place(*units: dict[str, Any], terrain: list[dict[str, Any]] | None = None, **head: Any) -> BoltBattle:
    """A position of Americans and Germans."""
    return field(*units, terrain=terrain or [], sides=["american", "german"], **head)


def sees(battle: BoltBattle, one: str = "a1", other: str = "g1") -> bool:
    return line_of_sight.sees(battle, battle.unit(one), battle.unit(other))


def cover(battle: BoltBattle, row: int = 0) -> int:
    return line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1")).cover[row]


MAN = us("sov_rifles", at=(36, 40), men=1)


@rule("bolt_action", "11.1")
def test_a_building_hides_what_is_behind_it_unless_a_part_looks_out() -> None:
    house = [box("building", 33, 30, 39, 36)]
    assert not sees(place(MAN, enemy("ger_2lt", (36, 20)), terrain=house))
    assert sees(place(MAN, enemy("ger_2lt", (48, 26)), terrain=house))
    # straight past the wall half of his base is seen, and that is enough
    assert sees(place(us("sov_rifles", at=(39.2, 40), men=1), enemy("ger_2lt", (39.2, 20)), terrain=house))


@rule("bolt_action", "11.2")
def test_men_do_not_block_sight_but_vehicles_and_wrecks_do() -> None:
    target = enemy("ger_2lt", (36, 20))
    assert sees(place(MAN, enemy("ger_infantry", (36, 30), "g2"), target))
    assert not sees(place(MAN, enemy("ger_tiger", (36, 30), "g2", heading=90), enemy("ger_2lt", (36, 26))))
    battle = place(MAN, enemy("ger_2lt", (36, 26)), wreck=[{"kind": "ger_tiger", "at": [36, 30], "heading": 90}])
    assert not sees(battle)


@rule("bolt_action", "11.2")
def test_nobody_shoots_past_a_friend_within_an_inch_of_his_line() -> None:
    target = enemy("ger_2lt", (36, 26))
    friend = unit("us_2lt", "a2", at=(37.2, 33), side="american", die="fire")
    battle = place(MAN, friend, target)
    assert sees(battle)
    bar = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "11.2"
    # farther from the line than an inch he is not in the way
    battle = place(MAN, unit("us_2lt", "a2", at=(37.6, 33), side="american", die="fire"), target)
    assert targets.bar(battle, battle.unit("a1"), battle.unit("g1")) is None
    # nor is a friend within an inch of the firer himself
    battle = place(MAN, unit("us_2lt", "a2", at=(36.5, 38.2), side="american", die="fire"), target)
    assert targets.bar(battle, battle.unit("a1"), battle.unit("g1")) is None


@rule("bolt_action", "11.2", "17.9")
def test_a_friendly_vehicle_is_in_the_way_too_and_indirect_fire_goes_over_friends() -> None:
    friend = unit("us_jeep", "a2", at=(37.5, 33), heading=0, side="american", die="fire")
    battle = place(MAN, friend, enemy("ger_2lt", (36, 26)))
    assert sees(battle)
    bar = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "11.2"
    mortar = us("us_mortar_medium", at=(36, 40), models=[(36, 40), (35, 41), (37, 41), (38.5, 41)])
    men = unit("us_2lt", "a2", at=(36, 30), side="american", die="fire")
    battle = shoot(mortar, men, enemy("ger_infantry", (36, 16)), dice=(1,))
    assert rolled(battle, "to hit")


@rule("bolt_action", "11.3")
def test_woods_are_looked_into_but_not_through_and_inside_for_six_inches() -> None:
    woods = [box("woods", 30, 24, 42, 34)]
    assert not sees(place(MAN, enemy("ger_2lt", (36, 20)), terrain=woods))
    assert sees(place(MAN, enemy("ger_2lt", (36, 30)), terrain=woods))
    inside = us("sov_rifles", at=(36, 33), men=1)
    assert sees(place(inside, enemy("ger_2lt", (36, 26)), terrain=woods)), "6 in from base to base"
    assert not sees(place(inside, enemy("ger_2lt", (36, 25.99)), terrain=woods))
    assert not sees(place(inside, enemy("ger_2lt", (36, 25)), terrain=woods))


@rule("bolt_action", "11.4", "11.7")
def test_area_cover_and_being_hidden_in_part_give_cover() -> None:
    assert cover(place(MAN, enemy("ger_2lt", (36, 30)), terrain=[box("crops", 30, 24, 42, 34)])) == 1
    assert cover(place(MAN, enemy("ger_2lt", (36, 30)), terrain=[box("rocks", 30, 24, 42, 34)])) == 2
    # half of his base looks out from behind a house: hard cover
    house = [box("building", 33, 30, 39, 36)]
    assert cover(place(us("sov_rifles", at=(39.2, 40), men=1), enemy("ger_2lt", (39.2, 20)), terrain=house)) == 2
    assert cover(place(MAN, enemy("ger_2lt", (36, 30)))) == 0


@rule("bolt_action", "11.4", "11.7")
def test_a_wreck_gives_hard_cover_and_a_vehicle_has_cover_like_anybody() -> None:
    wreck = [{"kind": "ger_tiger", "at": [33.4, 28], "heading": 90}]
    assert cover(place(MAN, enemy("ger_tiger", (36, 20)), wreck=wreck)) == 2
    assert cover(place(MAN, enemy("ger_tiger", (36, 30)), terrain=[box("crops", 30, 24, 42, 34)])) == 1


@rule("bolt_action", "11.4")
def test_a_model_that_is_hidden_completely_counts_as_in_hard_cover() -> None:
    house = [box("building", 33, 30, 39, 36)]
    # two of three are hidden behind the house, the third stands beside it
    target = enemy("ger_infantry", (36, 28), models=[(35.6, 27), (36.8, 27), (48, 27)])
    battle = place(MAN, target, terrain=house)
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1")).pairs
    assert found.seen.tolist() == [[False, False, True]]
    assert cover(battle) == 2


@rule("bolt_action", "11.5")
@pytest.mark.parametrize(("inside", "level"), [(5, 0), (6, 1)])
def test_cover_is_decided_by_more_than_half_of_the_men(inside: int, level: int) -> None:
    models = [(30 + 1.25 * n, 28 if n < inside else 31.5) for n in range(10)]
    battle = place(MAN, enemy("ger_infantry", (36, 28), models=models), terrain=[box("crops", 20, 25, 50, 29)])
    assert cover(battle) == level


@rule("bolt_action", "11.5", "11.6")
def test_hard_cover_for_more_than_half_makes_it_hard_otherwise_soft() -> None:
    models = [(30 + 1.25 * n, 28) for n in range(10)]
    crops, rocks = box("crops", 20, 25, 50, 29), box("rocks", 20, 25, 35.7, 29)
    battle = place(MAN, enemy("ger_infantry", (36, 28), models=models), terrain=[crops, rocks])
    assert cover(battle) == 1  # five in rocks, five in crops
    wider = box("rocks", 20, 25, 37, 29)
    assert cover(place(MAN, enemy("ger_infantry", (36, 28), models=models), terrain=[crops, wider])) == 2


@rule("bolt_action", "11.5")
@pytest.mark.parametrize(("left", "right", "found"), [(33, 35.2, 1), (35.25, 39, 0)])
def test_the_cover_of_a_gun_is_that_of_its_crew(left: float, right: float, found: int) -> None:
    models = [(36, 28), (34.5, 26.9), (34.5, 28), (34.5, 29.1)]
    oats = box("crops", left, 24, right, 32)
    assert cover(place(MAN, enemy("ger_pak38", (36, 28), models=models), terrain=[oats])) == found


@rule("bolt_action", "11.8")
def test_a_linear_obstacle_covers_only_men_at_it_on_the_far_side() -> None:
    wall = [piece("stone_wall", (30, 30), (42, 30))]
    assert cover(place(MAN, enemy("ger_2lt", (36, 29)), terrain=wall)) == 2
    assert cover(place(MAN, enemy("ger_2lt", (36, 27.5)), terrain=wall)) == 0  # not at it
    assert cover(place(MAN, enemy("ger_2lt", (36, 31)), terrain=wall)) == 0  # on the near side
    beside = us("sov_rifles", at=(36, 31), men=1)  # the firer leans over the same wall
    assert cover(place(beside, enemy("ger_2lt", (36, 29)), terrain=wall)) == 0


@rule("bolt_action", "11.8")
def test_a_high_obstacle_blocks_sight_unless_somebody_is_at_it() -> None:
    bocage = [piece("bocage", (20, 30), (52, 30))]
    assert not sees(place(MAN, enemy("ger_2lt", (36, 24)), terrain=bocage))
    assert sees(place(MAN, enemy("ger_2lt", (36, 29)), terrain=bocage))
    assert sees(place(us("sov_rifles", at=(36, 31), men=1), enemy("ger_2lt", (36, 24)), terrain=bocage))


@rule("bolt_action", "11.5")
def test_cover_is_judged_for_each_firing_model() -> None:
    """The left man looks along the wall's end, the right one over it."""
    wall = [piece("stone_wall", (35, 30), (37, 30))]
    firers = us("sov_rifles", at=(36, 40), models=[(20, 29.5), (36, 40)])
    battle = place(firers, enemy("ger_2lt", (36, 29.2)), terrain=wall)
    assert (cover(battle, 0), cover(battle, 1)) == (0, 2)


# ---- buildings ---------------------------------------------------------------------------------------

FARM = box("building", 33, 24, 39, 30, id="farm")


@rule("bolt_action", "25.3")
def test_men_in_a_building_are_in_hard_cover_and_measured_to_their_openings() -> None:
    battle = shoot(
        us("sov_rifles", at=(36, 40), men=1, quality="regular"),
        enemy("ger_infantry", (36, 27), building="farm", models=[(34, 26), (36, 26), (38, 26)]),
        terrain=[FARM],
        dice=(1,),
    )
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert found.nearest[0] == pytest.approx(950)  # from his base to the wall, not to any man
    assert lines(tallies(battle)[0]) == {"hard_cover": 2}


@rule("bolt_action", "25.3")
def test_men_in_a_building_shoot_from_the_wall_on_that_side() -> None:
    inside = us("sov_rifles", men=2, building="farm", models=[(34, 25.5), (38, 25.5)])
    battle = shoot(inside, enemy("ger_2lt", (36, 40)), terrain=[FARM], dice=(1,))
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert min(found.nearest) == pytest.approx(950)
    # a side without an opening is blind
    blind = {**FARM, "openings": [0, 1, 3]}
    battle = field(inside, enemy("ger_2lt", (36, 40)), terrain=[blind], sides=["american", "german"])
    assert not sees(battle)
    assert not sees(battle, "g1", "a1")


@rule("bolt_action", "25.4")
def test_half_of_the_men_at_most_shoot_out_of_one_side() -> None:
    models = [(34 + n % 5, 25 + n // 5 * 1.1) for n in range(7)]
    inside = us("sov_rifles", building="farm", models=models)
    battle = shoot(inside, enemy("ger_infantry", (36, 40), men=3), terrain=[FARM], dice=(1,) * 4)
    assert len(faces(battle, "to hit")[0]) == 4
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert found.sides.count(2) == 4


@rule("bolt_action", "25.4")
def test_a_target_off_the_corner_draws_fire_from_two_sides() -> None:
    models = [(34 + n % 5, 25 + n // 5 * 1.1) for n in range(7)]
    inside = us("sov_rifles", building="farm", models=models)
    battle = shoot(inside, enemy("ger_2lt", (46, 38)), terrain=[FARM], dice=(1,) * 7)
    assert len(faces(battle, "to hit")[0]) == 7


# ---- guns and spotters -------------------------------------------------------------------------------


@rule("bolt_action", "23.2")
def test_direct_fire_is_traced_and_measured_from_the_gun() -> None:
    gun = us("us_57mm", at=(36, 40))
    battle = shoot(gun, enemy("ger_infantry", (36, 30.5), men=1), key="at g1 ap", dice=(1,))
    front = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert front.eyes[0] == (3600.0, 3900.0)  # the middle of its front edge
    assert front.nearest[0] == pytest.approx(800)  # from the gun's base
    assert needs(battle) == [4]  # three, and a small unit


@rule("bolt_action", "23.2")
def test_enemies_measure_to_the_nearest_of_crew_and_gun() -> None:
    battle = place(MAN, enemy("ger_pak40", (36, 28), heading=180))
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    gun = next(n for n, model in enumerate(battle.unit("g1").models) if model.role == "gun")
    assert found.nearest[0] == pytest.approx(float(found.gaps[0][gun]))
    # from behind the crew is nearer
    battle = place(MAN, enemy("ger_pak40", (36, 28), heading=0))
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    crew = [float(found.gaps[0][n]) for n, model in enumerate(battle.unit("g1").models) if model.role == "crew"]
    assert found.nearest[0] == pytest.approx(min(crew)) and min(crew) < float(found.gaps[0][gun])


@rule("bolt_action", "23.4", "17.9")
def test_a_spotter_sees_for_his_mortar_with_a_fire_order_only() -> None:
    house = [box("building", 30, 32, 42, 38)]
    models = [(36, 42), (35, 43), (37, 43), (50, 42)]  # the last man is the spotter, out to one side
    mortar = us("us_mortar_medium", models=models)
    battle = place(mortar, enemy("ger_infantry", (36, 14)), terrain=house)
    assert targets.may_fire_at(battle, battle.unit("a1"), "g1")
    bar = targets.bar(battle, battle.unit("a1"), battle.unit("g1"), True)
    assert bar is not None
    assert bar.rule == "11.1"


# ---- the tool ----------------------------------------------------------------------------------------


@rule("bolt_action", "11.1")
def test_the_sight_tool_explains_units_and_points() -> None:
    terrain = [box("woods", 30, 24, 42, 34, name="Bois Noir"), piece("hedge", (20, 20), (30, 20))]
    battle = place(
        us("us_squad", at=(36, 40)), enemy("ger_2lt", (36, 20)), enemy("ger_2lt", (60, 38), "g2"), terrain=terrain
    )
    blocked = sight_report.report(battle, "a1", "g1")
    assert not blocked.clear
    assert "does not see" in blocked.say()
    assert "Bois Noir" in blocked.say()
    assert "11.3" in {crossed.rule for crossed in blocked.view().crossed}
    view = blocked.view()
    assert (view.start, view.end, view.state, len(view.lines)) == ("a1", "g1", "blocked", 12)
    assert any(line.blocked_at for line in view.lines)
    clear = sight_report.report(battle, "a1", "g2")
    assert clear.clear
    assert clear.view().state == "clear"
    assert "12 of 12" in clear.say()
    point = sight_report.report(battle, "a1", "60,36")
    assert point.clear
    assert point.view().range == round(point.range / 100)
    between = sight_report.report(battle, "36,40", "36,20")
    assert between.view().state == "blocked"
    assert len(between.view().lines) == 1
    assert sight_report.report(battle, "36,40", "g2").clear
    for wrong in ("nobody", "100,10", "1,2,3"):
        with pytest.raises(GrognardError):
            sight_report.report(battle, "a1", wrong)


@rule("bolt_action", "11.1", "25.3")
def test_the_sight_tool_looks_out_of_buildings_and_tells_of_friends() -> None:
    inside = us("sov_rifles", men=2, building="farm", models=[(34, 25.5), (38, 25.5)])
    friend = unit("us_2lt", "a2", at=(36, 35), side="american", die="fire")
    battle = field(inside, friend, enemy("ger_2lt", (36, 40)), terrain=[FARM], sides=["american", "german"])
    told = sight_report.report(battle, "a1", "g1")
    assert told.clear
    assert "friends are in the way" in told.say()
    assert sight_report.report(battle, "g1", "a1").view().state == "degraded"
    assert sight_report.report(battle, "a1", "36,45").clear


@rule("bolt_action", "11.1")
def test_many_points_are_looked_at_at_once() -> None:
    battle = place(MAN, enemy("ger_2lt", (36, 20)), terrain=[box("building", 33, 30, 39, 36)])
    unit = battle.unit("a1")
    assert line_of_sight.sees_points(battle, unit, [(3600, 2000), (6000, 2000)]) == [False, True]
    assert line_of_sight.sees_points(battle, unit, []) == []
    unit.status = RESERVE
    assert line_of_sight.sees_points(battle, unit, [(3600, 2000), (6000, 2000)]) == [False, False]


@rule("bolt_action", "11.1")
def test_what_was_seen_is_remembered_until_something_moves() -> None:
    battle = place(MAN, enemy("ger_2lt", (36, 20)), terrain=[box("building", 33, 30, 39, 36)])
    assert not sees(battle)
    battle.unit("g1").models[0].x = 6000
    battle.invalidate()
    assert sees(battle)


@rule("bolt_action", "25.3", "12.3")
def test_the_range_to_a_building_is_taken_from_the_hull_and_not_from_its_middle() -> None:
    farm = box("building", 33, 4, 39, 10, id="farm")
    inside = enemy("ger_infantry", (36, 7), building="farm", models=[(36, 7)])
    battle = field(us("gb_crocodile", (36, 30.4)), inside, terrain=[farm], sides=["american", "german"])
    hull = battle.hull(battle.unit("a1"))
    found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert found.nearest[0] == pytest.approx(2040 - hull.foot.length / 2, abs=1)


@rule("bolt_action", "25.3", "12.3")
def test_the_range_to_a_building_is_taken_to_an_opening_that_the_firer_sees() -> None:
    """A house hides the near half of the long wall: what counts is where its edge comes into sight."""
    barn = box("building", 30, 10, 38, 16, id="barn", openings=[2])
    house = box("building", 34, 18, 39, 22, id="house")
    inside = enemy("ger_infantry", (34, 13), building="barn", models=[(34, 13)])
    for terrain, far in (
        ([barn], 13.5),
        # From (36, 30) past the corner (34, 22) the wall at y 16 is seen up to x 32.5; it is looked at at 32.4.
        ([barn, house], math.hypot(36 - 32.4, 14) - 0.5),
    ):
        battle = field(us("us_2lt", at=(36, 30)), inside, terrain=terrain, sides=["american", "german"])
        assert sees(battle)
        found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1")).nearest[0]
        assert found == pytest.approx(far * 100, abs=2)


@rule("bolt_action", "25.3")
def test_whoever_sees_men_in_a_building_has_a_range_to_them() -> None:
    """All round a house, close to its walls and in line with them, with another house beside it."""
    inside = enemy("ger_infantry", (36, 27), building="farm", models=[(36, 27)])
    barn = box("building", 40, 22, 46, 28, id="barn")
    for step in range(72):
        x, y = 36 + 9 * math.sin(step * math.pi / 36), 27 + 7 * math.cos(step * math.pi / 36)
        x, y = (round(x * 2) / 2, round(y * 2) / 2) if step % 2 else (round(x, 2), round(y, 2))
        if 39 < x < 47 and 21 < y < 29:
            continue  # in the barn
        battle = field(us("us_2lt", at=(x, y)), inside, terrain=[FARM, barn], sides=["american", "german"])
        found = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
        assert found.in_sight[0] == math.isfinite(found.nearest[0]), (x, y)


@rule("bolt_action", "25.3")
def test_a_mortar_has_no_range_to_a_house_of_which_no_opening_faces_it() -> None:
    """Its spotter sees in at the other side, but the range is the crew's, by the openings."""
    crew = [(30, 24), (29, 25), (31, 25)]
    battle = field(
        unit("us_mortar_medium", "a1", models=[*crew, {"id": "m4", "at": (66, 24), "role": "spotter"}], heading=90),
        unit("ger_grenadiers", "g1", building="farm"),
        terrain=[box("building", 50, 20, 58, 28, id="farm", openings=[1])],
    )
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None and found.rule == "25.3" and "no opening" in found.reason
