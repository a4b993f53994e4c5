"""Weapons and their special rules (17), snipers and German machine guns (27.1, 27.9)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.games.bolt_action import casualties, line_of_sight, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.fire_events import Hit, OutOfFuel, RangesIn, Rocketed, Shoots, Spent
from grognard.games.bolt_action.shooting import declaring, targets, volley
from grognard.games.bolt_action.turn_events import Pinned
from tests.games.bolt_action.fire_play import damage_needs, enemy, faces, fire, needs, shoot, tallies, us
from tests.games.bolt_action.play import field, happened, lines, piece, rolled, run

rule = pytest.mark.rule
MISS = (1,) * 30


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


@rule("bolt_action", "17.1")
@pytest.mark.parametrize(
    ("weapon", "far", "shots", "pen"),
    [
        ("rifle", 24, "1", None),
        ("smg", 12, "2", None),
        ("lmg", 30, "3", None),
        ("mmg", 36, "4", None),
        ("hmg", 36, "3", 1),
        ("panzerfaust", 12, "1", 6),
        ("medium_at", 60, "1", 5),
        ("heavy_mortar", 72, "1", None),
    ],
)
def test_the_weapons_chart(weapon: str, far: int, shots: str, pen: int | None) -> None:
    found = charts().weapons[weapon]
    assert (found.max, found.shots, found.pen) == (far * 100, shots, pen)


@rule("bolt_action", "17.2")
def test_small_arms_have_no_penetration_and_heavy_weapons_do() -> None:
    small = {id for id, weapon in charts().weapons.items() if weapon.small}
    assert small == {"rifle", "pistol", "smg", "automatic_rifle", "assault_rifle", "lmg", "mmg"}


@rule("bolt_action", "17.1", "17.19")
def test_every_shot_of_a_weapon_is_a_die() -> None:
    battle = shoot(us("us_mmg"), enemy("ger_infantry", (36, 26)), dice=(3, 3, 1, 1, 1, 1))
    assert len(faces(battle, "to hit")[0]) == 4
    assert happened(battle, Hit)[0].hits == 2


@rule("bolt_action", "17.4")
def test_the_loader_serves_and_does_not_fire_his_rifle() -> None:
    battle = place(us("ger_infantry", side="american"), enemy("us_squad", (36, 29), men=9), dice=MISS)
    roles = [model.role for model in battle.unit("a1").models]
    assert roles.count("loader") == 1
    fire(battle, "at g1")
    assert happened(battle, Shoots)[0].weapons == "submachine gun, 7 × rifle, light machine gun"


@rule("bolt_action", "17.4", "13.13")
def test_a_loader_farther_than_an_inch_from_the_gunner_is_no_help() -> None:
    gunner: dict[str, Any] = {"id": "m9", "at": (36, 40)}
    loader: dict[str, Any] = {"id": "m10", "at": (39, 40)}
    battle = place(
        us("ger_infantry", side="american", models=[gunner, loader]), enemy("us_squad", (36, 26), men=9), dice=MISS
    )
    fire(battle, "at g1")
    assert "single_crew" in lines(tallies(battle)[0])
    loader = {"id": "m10", "at": (37.5, 40)}
    battle = place(
        us("ger_infantry", side="american", models=[gunner, loader]), enemy("us_squad", (36, 26), men=9), dice=MISS
    )
    fire(battle, "at g1")
    assert "single_crew" not in lines(tallies(battle)[0])


@rule("bolt_action", "17.5")
def test_a_fixed_weapon_shoots_into_its_front_arc_only_and_turned_with_advance_at_one_worse() -> None:
    battle = place(us("us_mmg", heading=180), enemy("ger_infantry", (36, 26)))
    assert not targets.has_target(battle, battle.unit("a1"))
    battle = shoot(us("us_mmg", heading=0, die="advance"), enemy("ger_infantry", (36, 26)), moved=True, dice=MISS)
    assert lines(tallies(battle)[0]) == {"fire_on_the_move": 1}


@rule("bolt_action", "17.6")
def test_a_panzerfaust_is_fired_once() -> None:
    battle = place(us("ger_grenadiers", side="american"), enemy("us_m4", (36, 32)), dice=MISS)
    fire(battle, "at g1 panzerfaust")
    assert len(happened(battle, Spent)) == 2
    assert not any(
        battle.weapon(battle.unit("a1"), index).one_shot for m in battle.unit("a1").models for index in m.arms
    )
    assert "at g1 panzerfaust" not in [o.key for o in declaring.options(battle, battle.unit("a1"), False)]


@rule("bolt_action", "17.7", "19.4")
def test_a_bazooka_at_long_range_on_a_medium_tanks_front_needs_four() -> None:
    """Shaped charge: no loss at 20 in; 5 against 9."""
    battle = shoot(us("us_bazooka", models=[(36, 40), (37.2, 40)]), enemy("ger_panzer4", (36, 17.4)), dice=(6, 3))
    pen, value = tallies(battle, "damage")
    assert (pen.total, value.total) == (5, 9)
    assert rolled(battle, "damage")[0].meaning == ""
    battle = shoot(us("us_bazooka", models=[(36, 40), (37.2, 40)]), enemy("ger_panzer4", (36, 17.4)), dice=(6, 4, 1))
    assert rolled(battle, "damage")[0].meaning == "superficial"


# ---- indirect fire -----------------------------------------------------------------------------------


def mortar(**more: Any) -> dict[str, Any]:
    return us("us_mortar_medium", models=[(36, 40), (35, 41), (37, 41), (38.2, 41)], **more)


@rule("bolt_action", "17.8")
def test_indirect_shots_come_nearer_turn_by_turn() -> None:
    """6, 5, 4, 3, 2, whatever the cover, the pins or the range."""
    hedge = [piece("stone_wall", (20, 12.3), (50, 12.3))]
    battle = place(mortar(pins=3), enemy("ger_infantry", (36, 11.5), men=9), terrain=hedge, dice=MISS)
    for turn in range(1, 7):
        battle.state.turn = turn
        fire(battle, "at g1")
    assert needs(battle) == [6, 5, 4, 3, 2, 2]


@rule("bolt_action", "17.8")
def test_after_a_hit_the_next_shot_needs_two() -> None:
    battle = place(mortar(), enemy("ger_infantry", (36, 12), men=9), dice=(6, 1, 1, 1, 1, 2, 1, 1, 1))
    battle.state.turn = 1
    fire(battle, "at g1")
    assert happened(battle, RangesIn)[0].on_target
    battle.state.turn = 2
    fire(battle, "at g1")
    assert needs(battle) == [6, 2]


@rule("bolt_action", "17.11")
def test_any_move_of_either_or_another_target_begins_again_but_casualties_do_not() -> None:
    battle = place(mortar(), enemy("ger_infantry", (36, 12), men=9), enemy("ger_2lt", (50, 12), "g2"), dice=MISS)
    target, firer = battle.unit("g1"), battle.unit("a1")

    def needed(id: str = "g1") -> int:
        return weapons.indirect_tally(battle, firer, battle.unit(id), 0).total

    battle.state.turn = 1
    fire(battle, "at g1")
    battle.state.turn = 2
    assert needed() == 5
    assert needed("g2") == 6  # another target
    del target.models[0]  # a casualty is no move
    battle.invalidate(target)
    assert needed() == 5
    target.models[0].x += 10
    battle.invalidate(target)
    assert needed() == 6  # any man of the target moved
    target.models[0].x -= 10
    assert needed() == 5
    firer.models[0].heading = 20
    assert needed() == 6  # the mortar was turned
    firer.models[0].heading = 0
    firer.moved = 2
    assert needed() == 6


@rule("bolt_action", "17.9")
def test_indirect_fire_needs_sight_of_the_target_and_its_least_range() -> None:
    battle = place(mortar(), enemy("ger_infantry", (36, 23.5), men=9))
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None
    assert found.rule == "12.3"  # under 18 in
    wood = piece("woods", (20, 20), (60, 20), (60, 30), (20, 30))
    battle = place(mortar(), enemy("ger_infantry", (36, 12), men=9), terrain=[wood])
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None
    assert found.rule == "11.1"


@rule("bolt_action", "17.9", "23.2")
def test_a_target_that_no_spotter_sees_is_out_of_every_range() -> None:
    wood = piece("woods", (20, 20), (60, 20), (60, 30), (20, 30))
    for terrain, far in (([wood], math.inf), ([], 2800.0)):
        battle = place(mortar(), enemy("ger_2lt", (36, 11)), terrain=terrain)
        firer = volley.Firer(weapons.in_hand(battle, battle.unit("a1"))[0], he=True, indirect=True)
        seen = line_of_sight.look(battle, battle.unit("a1"), battle.unit("g1"))
        assert volley.distance(battle, battle.unit("a1"), firer, seen, False) == pytest.approx(far, abs=100)
        for model in battle.unit("a1").models:
            model.role = "man"
        assert volley.distance(battle, battle.unit("a1"), firer, seen, False) == math.inf, "nobody is left who may spot"


@rule("bolt_action", "17.10", "19.2")
def test_indirect_fire_strikes_the_top_armour() -> None:
    battle = shoot(mortar(), enemy("ger_panzer4", (36, 12)), dice=(6, 1))
    assert lines(tallies(battle, "damage")[0]) == {"top": 1}


@rule("bolt_action", "17.12", "17.13")
def test_a_howitzer_fires_directly_from_nought_or_indirectly_from_24_inches() -> None:
    battle = place(us("us_105", at=(36, 40)), enemy("ger_infantry", (36, 24), men=9))
    assert [option.key for option in declaring.options(battle, battle.unit("a1"), False)] == ["at g1"]
    battle = place(us("us_105", at=(36, 43)), enemy("ger_infantry", (36, 8), men=9), dice=(1,))
    assert [o.key for o in declaring.options(battle, battle.unit("a1"), False)] == ["at g1", "at g1 indirect"]
    fire(battle, "at g1 indirect")
    assert needs(battle) == [6]
    battle = place(us("us_105", at=(36, 43)), enemy("ger_infantry", (36, 8), men=9), dice=(1,))
    fire(battle, "at g1")
    assert lines(tallies(battle)[0]) == {"long_range": 1}


@rule("bolt_action", "17.13")
def test_a_howitzer_needs_its_own_sight_to_fire_directly() -> None:
    house = piece("building", (33, 30), (39, 30), (39, 35), (33, 35))
    models = [{"id": "gun", "at": (36, 44)}, {"id": "m1", "at": (32, 46)}, {"id": "m2", "at": (33.2, 46)}]
    battle = place(us("us_105", models=models), enemy("ger_2lt", (34, 12)), terrain=[house])
    keys = [option.key for option in declaring.options(battle, battle.unit("a1"), False)]
    assert keys == ["at g1 indirect"]


@rule("bolt_action", "17.18")
def test_rockets_need_a_six_for_every_unit_near_the_point_and_never_improve() -> None:
    launcher = us("ger_nebelwerfer", at=(36, 44), side="american")
    near, far = enemy("ger_2lt", (38, 12), "g2"), enemy("ger_2lt", (60, 12), "g3")
    battle = place(launcher, enemy("ger_2lt", (36, 12)), near, far, dice=(5, 6, 1, 1, 1, 1, 1, 5, 5))
    fire(battle, "at g1")
    assert [event.target for event in happened(battle, Rocketed)] == ["g2"]
    assert [event.unit for event in rolled(battle, "rockets")] == ["g1", "g2"]
    battle.state.turn += 1
    if battle.alive(battle.unit("g1")):
        fire(battle, "at g1")
    assert {tally.total for tally in tallies(battle, "rockets")} == {6}


# ---- flamethrowers -----------------------------------------------------------------------------------


@rule("bolt_action", "17.14")
def test_a_flamethrower_rolls_its_shots_and_minds_no_cover() -> None:
    wall = [piece("stone_wall", (30, 34.7), (42, 34.7))]
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    target = enemy("us_squad", (36, 34), men=9, die="down")
    # 4 shots, all hit, pins 1 + D3, damage of four, check, fuel
    battle = shoot(team, target, terrain=wall, dice=(4, 1, 1, 1, 1, 6))
    assert faces(battle, "shots") == [(4,)]
    assert lines(tallies(battle)[0]) == {"point_blank": -1}
    assert len(faces(battle, "to hit")[0]) == 4


@rule("bolt_action", "17.15")
def test_fire_takes_a_vehicle_on_top_and_loses_nothing_at_long_range() -> None:
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    battle = shoot(team, enemy("us_m4", (36, 32.9)), dice=(1, 6, 1, 1, 3, 3, 6))
    assert lines(tallies(battle, "damage")[0]) == {"top": 1}


@rule("bolt_action", "17.16")
def test_fire_pins_more_and_forces_a_check_whatever_the_losses() -> None:
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    target = enemy("us_squad", (36, 34), men=9)
    battle = shoot(team, target, dice=(1, 6, 3, 1, 4, 4, 6))  # a shot, a hit, D3 is 3, no damage, check 8 of 5, fuel
    assert [event.pins for event in happened(battle, Pinned)] == [1, 3]
    assert [event.rules for event in rolled(battle, "morale check")] == [("3.7", "17.16")]
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "17.16")
def test_a_vehicle_hit_by_fire_checks_its_morale_too() -> None:
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    battle = shoot(team, enemy("us_m4", (36, 32.9)), dice=(1, 6, 1, 1, 3, 3, 6))
    assert len(rolled(battle, "morale check")) == 1
    assert battle.unit("g1").pins == 2


@rule("bolt_action", "17.16")
def test_a_vehicle_that_the_fire_has_knocked_out_checks_nothing() -> None:
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    battle = shoot(team, enemy("us_m3_halftrack", (36, 32.9)), dice=(1, 6, 1, 6, 6, 6))
    assert battle.unit("g1").status == "lost" and not rolled(battle, "morale check")


@rule("bolt_action", "17.17")
@pytest.mark.parametrize(("face", "empty"), [(1, True), (2, True), (3, False)])
def test_a_flamethrower_team_out_of_fuel_goes_home_and_scores_nothing(face: int, empty: bool) -> None:
    team = us("ger_flamethrower", side="american", models=[(36, 40), (37.1, 40.2)])
    battle = shoot(team, enemy("us_squad", (36, 34), men=9), dice=(1, 1, face))
    assert (battle.unit("a1").status == "lost") is empty
    assert bool(happened(battle, OutOfFuel)) is empty
    assert not battle.state.lost.get("american")


@rule("bolt_action", "17.17")
def test_a_squads_flamethrower_that_is_empty_cannot_fire_again() -> None:
    squad = us("ger_pioneers", side="american")
    battle = place(squad, enemy("us_squad", (36, 33.4), men=9), dice=(1,) * 40)
    fire(battle, "at g1")
    unit = battle.unit("a1")
    assert battle.alive(unit)
    assert unit.empty
    fire(battle, "at g1")
    assert "flamethrower" not in happened(battle, Shoots)[-1].weapons


# ---- snipers and national rules ----------------------------------------------------------------------


def sniper(**more: Any) -> dict[str, Any]:
    return us("us_sniper", models=[(36, 40), (37.1, 40.3)], **more)


@rule("bolt_action", "27.1")
def test_a_sniper_minds_only_his_pins() -> None:
    wall = [piece("stone_wall", (20, 8.7), (52, 8.7))]
    target = enemy("ger_infantry", (36, 8), men=1, die="down")
    battle = shoot(sniper(pins=1, quality="inexperienced"), target, terrain=wall, dice=(1,))
    assert lines(tallies(battle)[0]) == {"per_pin_on_firer": 1}


@rule("bolt_action", "27.1")
def test_a_sniper_reaches_36_inches_but_not_under_12() -> None:
    battle = place(sniper(), enemy("ger_infantry", (36, 4.5), men=9))
    assert targets.may_fire_at(battle, battle.unit("a1"), "g1")
    battle = place(sniper(), enemy("ger_infantry", (36, 28.5), men=9))
    found = targets.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert found is not None
    assert found.rule == "12.3"
    # with Advance he has a rifle like any other
    assert targets.may_fire_at(battle, battle.unit("a1"), "g1", moved=True)


@rule("bolt_action", "27.1", "15.3")
def test_a_snipers_damage_is_always_exceptional() -> None:
    battle = place(sniper(), enemy("ger_infantry", (36, 16)), dice=(3, 4))
    gunner = next(model.id for model in battle.unit("g1").models if model.role == "gunner")
    fire(battle, "at g1", f"remove g1.{gunner}")
    assert not any(model.role == "gunner" for model in battle.unit("g1").models)


@rule("bolt_action", "27.1", "14.6")
def test_a_sniper_minds_no_gun_shield() -> None:
    battle = shoot(sniper(), enemy("ger_pak40", (36, 16)), dice=(3, 1))
    assert damage_needs(battle) == [4]


@rule("bolt_action", "27.1", "13.13")
def test_a_sniper_misses_his_assistant() -> None:
    battle = shoot(us("us_sniper", models=[(36, 40)]), enemy("ger_infantry", (36, 16)), dice=(1,))
    assert lines(tallies(battle)[0]) == {"single_crew": 1}


@rule("bolt_action", "27.9")
@pytest.mark.parametrize(("rapid", "shots"), [(False, 4), (True, 5)])
def test_german_machine_guns_fire_one_more_where_a_scenario_says_so(rapid: bool, shots: int) -> None:
    head: dict[str, Any] = {"german_machine_guns": True} if rapid else {}
    battle = shoot(us("ger_mmg", side="american"), enemy("us_squad", (36, 26)), dice=MISS, **head)
    assert len(faces(battle, "to hit")[0]) == shots
    battle = shoot(us("us_mmg"), enemy("ger_infantry", (36, 26)), dice=MISS, **head)
    assert len(faces(battle, "to hit")[0]) == 4


@rule("bolt_action", "17.8")
def test_a_position_may_begin_with_a_mortar_that_has_ranged_in() -> None:
    battle = place(mortar(ranged="g1", shots=2, ranged_turn=2), enemy("ger_infantry", (36, 12)), turn=3, dice=(1,))
    fire(battle, "at g1")
    assert needs(battle) == [4]


@rule("bolt_action", "17.11", "15.6")
def test_a_mortar_whose_gunner_falls_stays_ranged_in() -> None:
    battle = place(mortar(), enemy("ger_infantry", (36, 12)), dice=(1,))
    fire(battle, "at g1")
    battle.state.turn += 1
    unit = battle.unit("a1")
    run(casualties.take(battle, unit, "german", [casualties.Toll(1, 0)]), "remove a1.m1")
    assert weapons.indirect_tally(battle, unit, battle.unit("g1"), 0).total == 5


@rule("bolt_action", "27.1", "21.3")
def test_a_sniper_who_is_assaulted_has_no_time_for_his_scope() -> None:
    assaulters = enemy("ger_infantry", (36, 30), men=9)
    battle = place(us("us_sniper", models=[(36, 40), (37.1, 40.3)]), assaulters, dice=MISS)
    fire(battle, "at g1", at="g1", reaction="assault")
    rifle = next(tally for tally in tallies(battle) if "rifle" in tally.what)
    assert lines(rifle) == {}
    assert rifle.total == 3
