"""Rolling to damage troops and soft-skins (14)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import damage, high_explosive
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Losses
from tests.games.bolt_action.fire_play import damage_needs, enemy, faces, shoot, tallies, us
from tests.games.bolt_action.play import field, happened, lines, rolled, run

rule = pytest.mark.rule


def one(
    kind: str = "ger_infantry", dice: tuple[int, ...] = (6, 1), at: tuple[float, float] = (36, 29), **more: Any
) -> BoltBattle:
    """A rifleman shoots at somebody ten inches away."""
    other = {"men": 9} if kind == "ger_infantry" else {}
    key = more.pop("key", "at g1")
    return shoot(us("sov_rifles", men=1, quality="regular"), enemy(kind, at, **{**other, **more}), dice=dice, key=key)


@rule("bolt_action", "14.1", "14.3")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
def test_men_are_damaged_by_their_quality(quality: str, needed: int) -> None:
    assert damage_needs(one(quality=quality)) == [needed]
    assert len(one(quality=quality, dice=(6, needed - 1)).unit("g1").models) == 9
    battle = one(quality=quality, dice=(6, needed), key=["at g1", "usual"]) if needed < 6 else None
    assert battle is not None
    assert len(battle.unit("g1").models) == 8


@rule("bolt_action", "14.1")
def test_artillery_has_the_value_of_its_crew_and_a_soft_skin_six() -> None:
    assert damage_needs(one("ger_pak40", at=(36, 26), heading=0)) == [4]
    assert damage_needs(one("ger_truck", dice=(6, 1))) == [6]


@rule("bolt_action", "14.2")
@pytest.mark.parametrize(
    ("kind", "value"),
    [("ger_sdkfz251", 7), ("ger_panzer2", 8), ("ger_panzer4", 9), ("ger_tiger", 10)],
)
def test_damage_values_of_armour(kind: str, value: int) -> None:
    battle = field(us("us_squad"), enemy(kind, (36, 20)), sides=["american", "german"])
    assert damage.value(battle, battle.unit("g1"))[:2] == (value, "14.2")


@rule("bolt_action", "14.2")
def test_a_super_heavy_tank_has_eleven() -> None:
    battle = field(us("us_squad"), enemy("ger_tiger", (36, 20)), sides=["american", "german"])
    assert battle.charts.damage_classes["super_heavy_tank"].value == 11


@rule("bolt_action", "14.3")
@pytest.mark.parametrize(
    ("kind", "quality", "needed"),
    [("ger_infantry", "regular", 3), ("ger_infantry", "veteran", 4), ("ger_truck", "regular", 5)],
)
def test_a_heavy_machine_gun_adds_one(kind: str, quality: str, needed: int) -> None:
    target = enemy(kind, (36, 26), quality=quality)
    battle = shoot(us("us_hmg"), target, dice=(6, 1, 1, 1))
    assert damage_needs(battle) == [needed]
    assert lines(tallies(battle, "damage")[0]) == {"penetration": -1}


@rule("bolt_action", "14.4")
def test_a_natural_one_to_damage_always_fails() -> None:
    battle = shoot(us("us_57mm"), enemy("ger_infantry", (36, 20), men=9), key="at g1 ap", dice=(6, 1))
    tally = tallies(battle, "damage")[0]
    assert tally.total == 2  # 4 - 5, but never better than 2
    assert tally.lines[-1].rule == "14.4"
    assert len(battle.unit("g1").models) == 9


@rule("bolt_action", "14.4")
def test_small_arms_cannot_damage_armour() -> None:
    battle = shoot(us("us_mmg"), enemy("ger_sdkfz251", (36, 26)), dice=(6,) * 4)
    assert not rolled(battle, "damage")
    assert battle.alive(battle.unit("g1"))


@rule("bolt_action", "14.5")
def test_each_point_of_damage_removes_a_man() -> None:
    battle = shoot(
        us("us_mmg"), enemy("ger_infantry", (36, 26), men=9), key=["at g1", "usual"], dice=(6, 6, 6, 1, 4, 5, 3)
    )
    assert happened(battle, Losses)[0].men == 2
    assert len(battle.unit("g1").models) == 7


@rule("bolt_action", "14.5", "20.8")
def test_one_point_destroys_a_soft_skin_and_leaves_no_wreck() -> None:
    battle = one("ger_truck", dice=(6, 6))
    assert battle.unit("g1").status == "lost"
    assert not battle.state.wrecks
    assert one("ger_truck", dice=(6, 5)).unit("g1").status == "table"


@rule("bolt_action", "14.6")
def test_a_gun_shield_helps_against_fire_from_the_front_only() -> None:
    front = one("ger_pak40", at=(36, 26), heading=180)
    assert lines(tallies(front, "damage")[0]) == {"gun_shield": 1}
    assert damage_needs(front) == [5]
    flank = one("ger_pak40", at=(36, 26), heading=90)
    assert damage_needs(flank) == [4]


@rule("bolt_action", "14.6")
def test_a_gun_shield_does_not_help_against_high_explosive() -> None:
    battle = shoot(us("us_m4"), enemy("ger_pak40", (36, 16)), key=["apart", "at g1 he", "hold"], dice=(6, 1, 1))
    assert "gun_shield" not in lines(tallies(battle, "damage")[0])


@rule("bolt_action", "14.3", "15.5")
def test_hits_from_elsewhere_are_rolled_like_any_other() -> None:
    battle = field(
        us("us_squad"), enemy("ger_infantry", (36, 20), men=4), sides=["american", "german"], dice=(4, 5, 1, 3, 3)
    )
    lost = run(
        damage.apply_hits(battle, "american", battle.unit("g1"), 3, "fighter"),
        "usual",
    )
    assert lost == 2
    assert len(rolled(battle, "morale check")) == 1
    assert battle.unit("g1").pins == 0


@rule("bolt_action", "19.2", "14.4")
def test_hits_from_above_on_armour_strike_its_top() -> None:
    battle = field(us("us_squad"), enemy("ger_panzer4", (36, 20)), sides=["american", "german"], dice=(3,))
    run(high_explosive.shell(battle, "american", battle.unit("g1"), "2D6", source="barrage"))
    assert lines(tallies(battle, "damage")[0]) == {"top": 1}
    run(damage.apply_hits(battle, "american", battle.unit("g1"), 4, "fighter"))
    assert len(faces(battle, "damage")) == 1


@rule("bolt_action", "14.5", "14.3")
def test_a_soft_skin_is_rolled_for_by_each_class_of_hits_until_it_is_gone() -> None:
    """No hits, and hits that cannot damage, are not rolled; the next are; after the first damage nothing is."""
    battle = field(us("us_squad"), enemy("ger_truck", (36, 20)), sides=["american", "german"], dice=(2, 5, 4))
    truck = battle.unit("g1")
    light, heavy, none = (damage.tally(battle, truck, pen) for pen in (0, 2, -1))
    blows = [
        damage.Blow(0, light),
        damage.Blow(3, none),
        damage.Blow(1, light),
        damage.Blow(1, heavy),
        damage.Blow(9, heavy),
    ]
    assert run(damage.strike(battle, "american", truck, blows)) == 0
    assert faces(battle, "damage") == [(2,), (5,)]
    assert truck.status == "lost" and battle.unit("a1").status == "table"


@rule("bolt_action", "6.3", "14.4")
def test_hits_from_elsewhere_on_armour_let_its_pins_tell() -> None:
    battle = field(us("us_squad"), enemy("ger_panzer4", (36, 20)), sides=["american", "german"])
    battle.unit("g1").pins = 9
    assert run(damage.apply_hits(battle, "american", battle.unit("g1"), 3, "fighter")) == 0
    assert battle.unit("g1").status == "lost" and not rolled(battle, "damage")


@rule("bolt_action", "15.4", "15.3")
@pytest.mark.parametrize("heavy", [True, False])
def test_exceptional_damage_of_a_heavy_weapon_destroys_a_gun(heavy: bool) -> None:
    battle = field(us("us_squad"), enemy("ger_pak40", (36, 20)), sides=["american", "german"], dice=(6, 6, 1, 1))
    gun = battle.unit("g1")
    blow = damage.Blow(1, damage.tally(battle, gun, 0), heavy=heavy)
    toll, gone = damage.roll(battle, "american", gun, blow)
    assert gone is heavy and toll.shooter == 1


@rule("bolt_action", "15.3")
def test_sure_damage_is_exceptional_without_a_second_throw() -> None:
    battle = field(us("us_squad"), enemy("ger_infantry", (36, 20)), sides=["american", "german"], dice=(6, 2))
    target = battle.unit("g1")
    toll, gone = damage.roll(battle, "american", target, damage.Blow(2, damage.tally(battle, target, 0), sure=True))
    assert (toll.owner, toll.shooter, gone) == (0, 1, False)
    assert faces(battle, "damage") == [(6, 2)]
