"""Corners of shooting and fighting: limits met exactly, modifiers on top of each other, weapons side by side."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.ask import Bar
from grognard.games.bolt_action import armour, casualties, close_quarters, line_of_sight, vehicle_assault, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.shooting import declaring, targets
from tests.games.bolt_action.fire_play import enemy, fire, needs, tallies, us
from tests.games.bolt_action.play import box, field, lines, play, rolled, run, unit

rule = pytest.mark.rule

SIDES: dict[str, Any] = {"sides": ["american", "german"]}


def put(*units: Any, **more: Any) -> BoltBattle:
    return field(*units, **{**SIDES, **more})


def bar(battle: BoltBattle, by: str = "a1", at: str = "g1", **more: Any) -> Bar | None:
    return targets.bar(battle, battle.unit(by), battle.unit(at), **more)


def men(kind: str, *places: tuple[float, float], **more: Any) -> dict[str, Any]:
    return enemy(kind, (1, 1), models=list(places), **more)


@rule("bolt_action", "13.1", "13.3", "13.4", "13.5", "13.6", "13.7", "13.8", "13.9", "13.12")
def test_every_modifier_at_once() -> None:
    battle = put(
        us("us_squad10", models=[(36, 40)], quality="inexperienced", pins=2, die="advance"),
        enemy("ger_2lt", (36, 26), die="down"),
        terrain=[box("rocks", 30, 24, 40, 28)],
        dice=(6, 5),
    )
    fire(battle, "at g1", moved=True)
    assert needs(battle) == [3 + 1 + 2 + 1 + 1 + 2 + 1 + 1]
    assert battle.unit("g1").pins == 0, "a six that is not followed by a six misses"


@rule("bolt_action", "17.12", "23.2")
@pytest.mark.parametrize(("y", "indirectly"), [(15.0, True), (15.01, False)])
def test_a_howitzer_fires_indirectly_from_24_inches_of_a_crewman(y: float, indirectly: bool) -> None:
    crew = [{"id": "gun", "at": (36, 36)}, {"id": "m1", "at": (36, 40)}]
    battle = put(us("us_105", models=crew), enemy("ger_2lt", (36, y)))
    plans = declaring.plans(battle, battle.unit("a1"), battle.unit("g1"), False)
    assert ("indirect" in plans) is indirectly and "" in plans


@rule("bolt_action", "17.9", "17.1")
@pytest.mark.parametrize(("y", "reaches"), [(27.0, True), (27.02, False)])
def test_a_light_mortar_from_12_inches(y: float, reaches: bool) -> None:
    battle = put(us("us_mortar_light", models=[(36, 40), (37.2, 40)]), enemy("ger_2lt", (36, y)))
    assert (bar(battle) is None) is reaches


@rule("bolt_action", "17.17")
def test_fuel_is_spent_by_shots_that_miss() -> None:
    battle = put(us("ger_flamethrower", models=[(36, 40), (37.2, 40)]), enemy("ger_infantry", (36, 35)), dice=(1, 1, 2))
    fire(battle, "at g1")
    assert battle.unit("a1").status == "lost" and "a1" not in battle.state.lost.get("american", [])
    assert battle.unit("g1").pins == 0


@rule("bolt_action", "14.6")
@pytest.mark.parametrize(("x", "shielded"), [(46, True), (46.2, False)])
def test_a_shield_covers_exactly_45_degrees(x: float, shielded: bool) -> None:
    battle = put(us("us_2lt", (x, 24)), enemy("ger_pak40", (36, 14)))
    firer = battle.unit("a1").models[0]
    assert weapons.shielded(battle, battle.unit("g1"), firer.x, firer.y) is shielded


@rule("bolt_action", "20.4", "20.10")
def test_massive_damage_that_immobilises_twice_knocks_out() -> None:
    battle = put(us("us_m4", (36, 30)), enemy("ger_panzer4", (36, 14)), dice=(2, 2))
    armour.results(battle, "american", battle.unit("g1"), "massive")
    assert battle.unit("g1").status == "lost" and len(battle.state.wrecks) == 1


@rule("bolt_action", "11.2")
@pytest.mark.parametrize(("x", "masked"), [(37.5, True), (37.52, False)])
def test_a_friend_exactly_an_inch_from_the_line(x: float, masked: bool) -> None:
    battle = put(us("us_squad10", models=[(36, 40)]), us("us_2lt", (x, 32), id="a2"), enemy("ger_2lt", (36, 22)))
    found = bar(battle)
    assert (found is not None and found.rule == "11.2") is masked


@rule("bolt_action", "12.7")
@pytest.mark.parametrize(("more", "inside"), [(0.70, True), (0.72, False)])
def test_a_base_of_which_one_point_is_at_45_degrees(more: float, inside: bool) -> None:
    battle = put(us("us_mmg", models=[(36, 40), (34.75, 40), (33.5, 40)]), enemy("ger_2lt", (46 + more, 30)))
    assert (bar(battle) is None) is inside


@rule("bolt_action", "25.6")
def test_a_house_falls_on_every_unit_in_it() -> None:
    battle = put(
        us("sov_is2", (36, 40)),
        enemy("ger_infantry", (36, 7), building="farm"),
        enemy("ger_2lt", (35, 8), id="g2", building="farm"),
        terrain=[box("building", 33, 4, 39, 10, id="farm")],
        dice=(6, 1, 1, 1, 1, 5, 5),
    )
    fire(battle, "at g1 he")
    assert battle.unit("g1").status == battle.unit("g2").status == "lost"


@rule("bolt_action", "25.1", "25.4")
def test_half_of_the_men_fire_from_house_to_house() -> None:
    houses = [box("building", 33, 4, 39, 10, id="farm"), box("building", 33, 20, 39, 26, id="mill")]
    battle = put(
        unit("us_squad10", "a1", side="american", building="mill", die="fire"),
        unit("ger_infantry", "g1", side="german", building="farm", die="fire"),
        terrain=houses,
    )
    seen = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
    assert sum(seen.in_sight) == 5 and seen.nearest[-1] == 1000


@rule("bolt_action", "15.4")
def test_a_heavy_machine_gun_can_destroy_a_gun() -> None:
    battle = put(us("us_hmg", (36, 30)), enemy("ger_pak40", (36, 14)), dice=(6, 1, 1, 6, 6))
    fire(battle, "at g1")
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "26.1", "15.3")
def test_a_medic_saves_a_man_whom_the_shooter_would_have_picked() -> None:
    battle = put(
        us("us_squad10", models=[(36, 30)]),
        enemy("ger_infantry", (36, 20)),
        enemy("ger_medic", (36, 17), id="g2"),
        dice=(6, 6, 6, 6),
    )
    fire(battle, "at g1")
    assert len(battle.unit("g1").models) == 10


@rule("bolt_action", "12.6", "12.7")
def test_what_stands_behind_a_tank_is_fired_at_by_its_turret_only() -> None:
    battle = put(us("us_m4", (36, 30)), enemy("ger_infantry", (36, 44)))
    plans = declaring.plans(battle, battle.unit("a1"), battle.unit("g1"), False)
    assert set(plans) == {"ap", "he", "coaxial"} and all(len(mode.firers) == 1 for mode in plans.values())


@rule("bolt_action", "14.4", "12.2")
def test_small_arms_do_not_join_in_against_an_enclosed_vehicle() -> None:
    battle = put(us("us_m4", (36, 30)), enemy("ger_panzer4", (36, 14)), enemy("ger_marder3", (44, 14), id="g2"))
    tank = battle.unit("a1")
    assert len(declaring.plans(battle, tank, battle.unit("g1"), False)["ap"].firers) == 1
    assert len(declaring.plans(battle, tank, battle.unit("g2"), False)["ap"].firers) == 2, (
        "an open one is pinned by them"
    )


@rule("bolt_action", "21.3", "13.10")
def test_reaction_fire_beyond_a_weapons_range() -> None:
    runners = us("us_squad10", models=[(36, 40), (37.1, 40), (38.2, 40)], die="run")
    battle = put(runners, men("ger_major", (36, 30)), dice=(1,))
    fire(battle, "at a1", by="g1", at="a1", reaction="assault")
    assert needs(battle) == [3], "a pistol as at 6 in: point blank and long range cancel"
    battle = put(runners, men("ger_sniper", (36, 31.5), (37.1, 31.5), pins=1), dice=(1, 1))
    fire(battle, "at a1", by="g1", at="a1", reaction="assault")
    assert needs(battle) == [4, 4], "a sniper has a plain rifle here (27.1)"


@rule("bolt_action", "22.6", "14.4")
def test_a_natural_one_never_damages_an_assaulted_vehicle() -> None:
    battle = put(us("us_rangers", (36, 18)), enemy("ger_truck", (36, 14)), dice=(6,) * 8 + (1,))
    run(vehicle_assault.fight(battle, battle.unit("a1"), battle.unit("g1")))
    assert battle.unit("g1").status == "table"


@rule("bolt_action", "22.10", "27.7")
def test_tank_hunters_cause_massive_damage() -> None:
    battle = put(us("us_rangers", (36, 18)), enemy("ger_panzer4", (36, 14)), dice=(4,) * 8 + (6, 4))
    run(vehicle_assault.fight(battle, battle.unit("a1"), battle.unit("g1")))
    assert battle.unit("g1").status == "lost" and [r.meaning for r in rolled(battle, "damage")] == ["massive"]


@rule("bolt_action", "15.7")
def test_gunner_and_loader_fall_together() -> None:
    battle = put(us("us_paras", (36, 30)), enemy("ger_infantry", (36, 18)))
    squad = battle.unit("a1")
    run(casualties.take(battle, squad, "german", [Toll(2, 0, True)]), "remove a1.m9", "remove a1.m10")
    assert {model.role for model in squad.models} == {"man"} and len(squad.models) == 8


@rule("bolt_action", "17.8", "17.11", "17.13")
def test_a_direct_shot_between_does_not_spoil_the_ranging_in() -> None:
    battle = put(us("us_105", (36, 44)), enemy("ger_infantry", (36, 10)), dice=(1, 1), turn=2)
    fire(battle, "at g1 indirect")
    battle.state.turn = 3
    fire(battle, "at g1")
    battle.state.turn = 4
    assert weapons.indirect_tally(battle, battle.unit("a1"), battle.unit("g1"), 0).total == 5


@rule("bolt_action", "15.5", "5.3")
def test_the_check_after_an_officer_has_fallen_has_no_officer() -> None:
    battle = put(us("us_squad10", models=[(36, 20)]), enemy("ger_1lt", (36, 12)), dice=(6, 6, 1, 3, 5))
    fire(battle, "at g1", "remove g1.m1")
    check = tallies(battle, "morale check")[0]
    assert lines(check) == {"pins": -1} and check.total == 8


@rule("bolt_action", "24.8", "21.3")
def test_a_gun_unhitched_this_turn_shoots_at_nobody() -> None:
    battle = put(us("us_squad10", (36, 25)), enemy("ger_pak36", (36, 14)), turn=2)
    battle.state.scratch.unhitched = {"g1": 2}
    found = close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None and found.rule == "24.8"
    battle.state.turn = 3
    assert close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1")) is None


@rule("bolt_action", "24.4", "12.5")
def test_why_passengers_are_not_offered_as_a_target() -> None:
    session = play(
        us("us_squad10", (36, 30), die=""),
        enemy("ger_sdkfz251", (36, 14)),
        unit("ger_2lt", "g2", aboard="g1", side="german"),
        seed=b"why",
        drawn="american",
        **SIDES,
    )
    assert [found.rule for found in session.why_not("american", "a1 at g2")] == ["24.4"]
