"""Casualties and the checks they bring (15), medics (26.1), fanatics (27.3)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import casualties, damage, formation, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.fire_events import DamageLost, Losses, TakesOver, Tended
from tests.games.bolt_action.fire_play import enemy, fire, shoot, us
from tests.games.bolt_action.play import box, field, happened, rolled, run

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def lose(battle: BoltBattle, *answers: str, owner: int = 0, shooter: int = 0, id: str = "g1", **more: Any) -> int:
    """Take casualties off a unit with these answers."""
    toll = Toll(owner, shooter, anywhere=True, **more)
    lost: int = run(
        casualties.take(battle, battle.unit(id), "american", [toll], enemy=battle.state.units.get("a1")), *answers
    )
    return lost


SHOOTER = us("us_squad", at=(36, 40))


@rule("bolt_action", "15.1")
def test_the_owner_picks_his_casualties_one_by_one_or_the_usual_way() -> None:
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28)))
    lose(battle, "remove g1.m3", "usual", owner=3)
    left = [model.id for model in battle.unit("g1").models]
    assert len(left) == 7
    assert "m3" not in left
    assert {"m9", "m10"} <= set(left)  # gunner and loader are not plain men
    assert happened(battle, Losses)[0].men == 3


@rule("bolt_action", "15.1")
def test_the_usual_way_takes_plain_men_farthest_from_the_enemy_first() -> None:
    models = [(30, 28), (30, 26.5), (30, 25), (31.2, 28)]
    battle = place(SHOOTER, enemy("sov_rifles", (30, 28), models=models))
    lose(battle, "usual", owner=1)
    assert [model.id for model in battle.unit("g1").models] == ["m1", "m2", "m4"]


@rule("bolt_action", "15.1")
def test_nobody_is_asked_where_there_is_no_choice() -> None:
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28), men=3))
    assert lose(battle, owner=3) == 3
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "15.2")
def test_direct_fire_fells_only_men_who_are_seen_and_the_rest_is_lost() -> None:
    """Two of five stand clear of the house; four points of damage take those two only."""
    house = [box("building", 30, 31, 38, 36)]
    models = [(33, 29), (34.2, 29), (35.4, 29), (48, 29), (49.2, 29)]
    target = enemy("ger_infantry", (36, 29), models=models)
    battle = shoot(
        us("us_mmg", models=[(36, 40), (35, 41), (37, 41)]), target, terrain=house, dice=(6, 6, 6, 6, 5, 5, 5, 5, 3, 3)
    )
    left = {model.id for model in battle.unit("g1").models}
    assert left == {"m1", "m2", "m3"}
    assert happened(battle, DamageLost)


@rule("bolt_action", "15.2")
def test_high_explosive_may_fell_anybody() -> None:
    house = [box("building", 30, 31, 38, 36)]
    models = [(33, 29), (34.2, 29), (35.4, 29), (48, 29), (49.2, 29)]
    target = enemy("ger_infantry", (36, 29), models=models)
    battle = shoot(
        us("us_105", at=(36, 42)), target, terrain=house, key=["at g1", "remove g1.m1"], dice=(6, 2, 1, 3, 2, 1, 1)
    )
    assert "m1" not in {model.id for model in battle.unit("g1").models}


@rule("bolt_action", "15.3")
def test_on_a_six_after_a_six_the_shooter_picks() -> None:
    battle = place(SHOOTER | {"men": 1, "kind": "sov_rifles"}, enemy("ger_infantry", (36, 28)), dice=(6, 6, 6))
    fire(battle, "at g1", "remove g1.m9")  # the shooter takes the machine gunner
    assert "m9" not in {model.id for model in battle.unit("g1").models}
    assert rolled(battle, "exceptional damage")[0].faces == (6,)
    assert "15.3" in happened(battle, Losses)[0].rules


@rule("bolt_action", "15.3")
def test_a_six_that_is_not_followed_by_a_six_is_plain_damage() -> None:
    battle = place(SHOOTER | {"men": 1, "kind": "sov_rifles"}, enemy("ger_infantry", (36, 28)), dice=(6, 6, 5))
    fire(battle, "at g1", "usual")
    assert len(battle.unit("g1").models) == 9
    assert any(model.id == "m9" for model in battle.unit("g1").models)


@rule("bolt_action", "15.4")
def test_exceptional_damage_by_a_heavy_weapon_destroys_a_gun() -> None:
    battle = shoot(us("us_hmg"), enemy("ger_pak40", (36, 20)), dice=(6, 1, 1, 6, 6))
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "15.4")
def test_exceptional_damage_by_small_arms_only_picks_a_crew_man() -> None:
    battle = shoot(us("us_mmg"), enemy("ger_pak40", (36, 20)), key=["at g1", "usual"], dice=(6, 1, 1, 1, 6, 6))
    assert battle.unit("g1").status == "table"
    assert sum(model.role == "crew" for model in battle.unit("g1").models) == battle.unit("g1").size - 1


@rule("bolt_action", "15.5", "3.7")
@pytest.mark.parametrize(("men", "lost", "checks"), [(10, 5, True), (10, 4, False), (3, 2, True), (2, 1, True)])
def test_half_or_more_lost_in_one_attack_calls_for_a_check(men: int, lost: int, checks: bool) -> None:
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28), men=men), dice=(5,) * lost + (1, 1))
    unit = battle.unit("g1")
    needed = damage.tally(battle, unit, 0)
    blow = damage.Blow(lost, needed, small=True, anywhere=True)
    run(damage.strike(battle, "american", unit, [blow]), "usual")
    assert bool(rolled(battle, "morale check")) is checks
    assert len(unit.models) == men - lost


@rule("bolt_action", "15.5", "3.7")
def test_a_unit_that_fails_its_check_is_destroyed_and_the_gun_does_not_count() -> None:
    gun = enemy("gb_6pdr", (36, 20))
    battle = shoot(us("us_mmg"), gun, key=["at g1", "usual"], dice=(6, 6, 1, 1, 5, 5, 6, 5))
    assert len(rolled(battle, "morale check")) == 1  # two of its crew of four, the gun would be a fifth
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "15.6")
def test_a_team_without_crew_is_destroyed_and_another_man_takes_over_for_its_gunner() -> None:
    battle = place(SHOOTER, enemy("ger_mmg", (36, 28)))
    lose(battle, "remove g1.m1", owner=1)
    unit = battle.unit("g1")
    gunner = next(model for model in unit.models if model.role == "gunner")
    assert gunner.arms == (0,)
    assert happened(battle, TakesOver)
    lose(battle, owner=2)
    assert unit.status == "lost"


@rule("bolt_action", "15.6")
def test_a_team_is_destroyed_when_exceptional_damage_picks_its_gunner() -> None:
    battle = place(SHOOTER, enemy("ger_mmg", (36, 28)))
    lose(battle, "remove g1.m1", shooter=1)
    assert battle.unit("g1").status == "lost"
    battle = place(SHOOTER, enemy("ger_mmg", (36, 28)))
    lose(battle, "remove g1.m2", shooter=1)
    assert battle.unit("g1").status == "table"


@rule("bolt_action", "15.6")
def test_a_gun_without_crew_is_destroyed() -> None:
    battle = place(SHOOTER, enemy("ger_pak40", (36, 28)))
    lose(battle, owner=4)
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "15.7")
def test_a_squads_weapon_dies_with_its_gunner_and_the_loader_falls_in() -> None:
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28)))
    lose(battle, "remove g1.m9", owner=1)
    unit = battle.unit("g1")
    assert not any(battle.weapon(unit, index).id == "lmg" for model in unit.models for index in model.arms)
    loader = next(model for model in unit.models if model.id == "m10")
    assert loader.role == "man"
    assert [battle.weapon(unit, index).id for index in loader.arms] == ["rifle"]


@rule("bolt_action", "15.7")
def test_another_man_beside_the_gunner_takes_a_dead_loaders_place_as_the_owner_likes() -> None:
    models = [
        {"id": "m9", "at": (36, 28)},
        {"id": "m10", "at": (37.2, 28)},
        {"id": "m2", "at": (34.8, 28)},
        {"id": "m3", "at": (36, 26.8)},
        {"id": "m4", "at": (33.5, 28)},
    ]
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28), models=models))
    lose(battle, "remove g1.m10", "loader g1.m3", owner=1)
    roles = {model.id: model.role for model in battle.unit("g1").models}
    assert roles["m3"] == "loader"
    assert roles["m2"] == roles["m4"] == "man"


@rule("bolt_action", "15.7")
def test_without_anybody_near_the_gunner_serves_alone() -> None:
    models = [{"id": "m9", "at": (36, 28)}, {"id": "m10", "at": (37.2, 28)}, {"id": "m2", "at": (39, 28)}]
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28), models=models))
    lose(battle, "remove g1.m10", owner=1)
    assert [model.role for model in battle.unit("g1").models].count("loader") == 0


@rule("bolt_action", "26.1")
def test_a_medic_saves_men_from_small_arms_on_a_six() -> None:
    medic = enemy("ger_medic", (36, 25.5), "g2")
    target = enemy("ger_infantry", (36, 28), men=9)
    battle = shoot(us("us_mmg"), target, medic, key=["at g1", "usual"], dice=(6, 6, 6, 1, 5, 5, 5, 6, 6, 1))
    assert rolled(battle, "medic")[0].faces == (6, 6, 1)
    assert happened(battle, Tended)[0].men == 2
    assert len(battle.unit("g1").models) == 8


@rule("bolt_action", "26.1")
def test_a_medic_is_no_help_against_heavy_weapons_or_from_afar() -> None:
    target = enemy("ger_infantry", (36, 28), men=9)
    battle = shoot(
        us("us_hmg"), target, enemy("ger_medic", (36, 25.5), "g2"), key=["at g1", "usual"], dice=(6, 1, 1, 5)
    )
    assert not rolled(battle, "medic")
    battle = shoot(
        us("us_mmg"), target, enemy("ger_medic", (36, 19), "g2"), key=["at g1", "usual"], dice=(6, 1, 1, 1, 5)
    )
    assert not rolled(battle, "medic")


@rule("bolt_action", "27.3")
def test_fanatics_take_no_check_for_losses() -> None:
    fanatics = enemy("ger_hitlerjugend", (36, 28), men=4)
    battle = place(SHOOTER, fanatics, dice=(5, 5))
    unit = battle.unit("g1")
    assert battle.has(unit, "fanatics")
    blow = damage.Blow(2, damage.tally(battle, unit, 0), small=True, anywhere=True)
    run(damage.strike(battle, "american", unit, [blow]), "usual")
    assert not rolled(battle, "morale check")
    assert len(unit.models) == 2


@rule("bolt_action", "27.3", "6.3")
def test_fanatics_bear_any_pins_while_two_of_them_live() -> None:
    shooter = us("sov_rifles", men=1, quality="regular")
    battle = shoot(shooter, enemy("ger_hitlerjugend", (36, 29), men=5, pins=9), dice=(6, 1))
    assert battle.alive(battle.unit("g1"))


@rule("bolt_action", "27.5")
def test_green_men_roll_at_their_first_casualty() -> None:
    battle = place(SHOOTER, enemy("ger_volkssturm", (36, 28), green=True), dice=(5,))
    lose(battle, "usual", owner=1)
    assert battle.unit("g1").quality == "regular"


@rule("bolt_action", "15.6", "15.3")
def test_a_gunner_who_falls_to_exceptional_damage_among_all_that_are_seen_takes_his_team_along() -> None:
    battle = place(SHOOTER, enemy("ger_mmg", (36, 28)))
    team = battle.unit("g1")
    seen = frozenset(model.id for model in team.models[:2])
    run(casualties.take(battle, team, "american", [Toll(0, 2)], visible=seen))
    assert team.status == "lost"


@rule("bolt_action", "15.6", "23.4")
def test_a_spotter_alone_is_no_crew() -> None:
    battle = place(SHOOTER, enemy("ger_mortar_medium", (36, 28)))
    team = battle.unit("g1")
    run(casualties.take(battle, team, "american", [Toll(3, 0)], visible=frozenset({"m1", "m2", "m3"})))
    assert team.status == "lost"


# ---- the usual way ---------------------------------------------------------------------------------------


def chain_after(battle: BoltBattle, owner: int) -> bool:
    lose(battle, "usual", owner=owner)
    return not formation.broken(battle, battle.unit("g1"))


@rule("bolt_action", "15.1", "7.2")
@pytest.mark.parametrize("from_where", [(36, 40), (10, 28), (62, 28), (36, 10)])
@pytest.mark.parametrize("owner", range(1, 9))
def test_the_usual_way_keeps_the_chain_of_a_single_line_from_any_direction(
    from_where: tuple[float, float], owner: int
) -> None:
    """Ten in one line, the gunner ninth: nobody in the middle falls, and the gun stays with a man beside it."""
    battle = place(us("us_squad", at=from_where, men=3), enemy("ger_infantry", (36, 28)))
    assert chain_after(battle, owner)
    left = battle.unit("g1").models
    assert "gunner" in {model.role for model in left}
    assert len(weapons.serving(battle, battle.unit("g1"))) == 1


@rule("bolt_action", "15.1", "17.4")
def test_the_usual_way_keeps_the_gun_before_the_leader_and_the_leader_before_the_loader() -> None:
    """A line can only lose its ends: the loader first, as another serves; then the leader, not the gunner."""
    battle = place(SHOOTER, enemy("ger_infantry", (36, 28)))
    lose(battle, "usual", owner=1)
    assert "m10" not in {model.id for model in battle.unit("g1").models}
    lose(battle, "usual", owner=1)
    assert {"m9", "m2"} <= {model.id for model in battle.unit("g1").models}
    assert "m1" not in {model.id for model in battle.unit("g1").models}


@rule("bolt_action", "15.1", "7.3")
def test_the_usual_way_mends_a_broken_chain_where_a_loss_can() -> None:
    models = [(30, 28), (31.2, 28), (32.4, 28), (40, 28)]
    battle = place(SHOOTER, enemy("sov_rifles", (30, 28), models=models))
    assert formation.broken(battle, battle.unit("g1"))
    assert chain_after(battle, 1)


@rule("bolt_action", "15.1", "15.2")
def test_the_usual_way_finds_the_one_set_of_losses_that_keeps_the_chain() -> None:
    """Three are seen and two fall. To take the plain ones one by one would end in a cut; two from one end do not."""
    models = [{"id": f"m{n}", "at": (30 + 1.25 * n, 28)} for n in range(1, 7)]
    battle = place(SHOOTER, enemy("sov_rifles", None, models=models))
    unit = battle.unit("g1")
    may = [model for model in unit.models if model.id in ("m1", "m2", "m5")]
    assert set(casualties.usual(battle, unit, may, 2)) == {"m1", "m2"}
    # Who falls already counts: with m6 gone m5 is an end.
    assert set(casualties.usual(battle, unit, may, 1, dead=["m6"])) <= {"m1", "m5"}


@rule("bolt_action", "15.1")
def test_in_a_building_there_is_no_chain_and_plain_men_fall() -> None:
    house = [box("building", 30, 24, 37, 31, id="house")]
    battle = place(SHOOTER, enemy("ger_infantry", None, building="house"), terrain=house)
    lose(battle, "usual", owner=7)
    assert {"m1", "m9", "m10"} == {model.id for model in battle.unit("g1").models}


@rule("bolt_action", "15.7", "25.1")
def test_in_a_building_anybody_takes_the_loaders_place() -> None:
    house = [box("building", 30, 24, 38, 32, id="house")]
    battle = place(SHOOTER, enemy("ger_infantry", None, building="house", men=10), terrain=house)
    lose(battle, "remove g1.m10", "loader g1.m2", owner=1)
    assert [model.id for model in battle.unit("g1").models if model.role == "loader"] == ["m2"]
