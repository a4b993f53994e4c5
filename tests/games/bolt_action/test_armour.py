"""Shooting at armoured vehicles (19) and what damage does to them (20, 27.8)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import armour, line_of_sight, pins
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.fire_events import Damaged, FireOut, Penetration
from grognard.games.bolt_action.turn_events import Pinned
from tests.games.bolt_action.fire_play import enemy, fire, shoot, tallies, us
from tests.games.bolt_action.play import field, happened, lines, rolled

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def tank(*dice: int, kind: str = "ger_panzer4", **more: Any) -> BoltBattle:
    return place(us("us_squad"), enemy(kind, (36, 20), **more), dice=dice)


def hit(battle: BoltBattle, pen: int = 5, face: str = "front", *, indirect: bool = False) -> None:
    """One hit of the Americans on g1, and its pins settled."""
    tank = battle.unit("g1")
    added = armour.penetration(battle, tank, pen, face=face, indirect=indirect)
    armour.strike(battle, "american", tank, added, indirect=indirect)
    pins.settle(battle, tank)


def results(battle: BoltBattle) -> list[str]:
    return [event.result for event in happened(battle, Damaged)]


@rule("bolt_action", "19.1")
def test_a_gun_rolls_a_die_and_its_penetration_against_the_damage_value() -> None:
    battle = shoot(us("us_57mm"), enemy("ger_panzer4", (36, 20)), key="at g1 ap", dice=(6, 4, 1))
    pen, value = tallies(battle, "damage")
    assert (pen.base, value.base) == (5, 9)
    assert rolled(battle, "damage")[0].meaning == "superficial"


@rule("bolt_action", "19.2", "19.4", "19.6")
def test_a_medium_gun_at_40_inches_on_a_medium_tanks_side() -> None:
    """5, 1 for the side, less 1 for long range: 4 is superficial, 5 and 6 full, massive is impossible."""
    gun, target = us("us_57mm", at=(36, 45)), enemy("ger_panzer4", (36, 3), heading=90)
    battle = shoot(gun, target, key="at g1 ap", dice=(6, 4, 1))
    assert lines(tallies(battle, "damage")[0]) == {"side": 1, "long_range": -1}
    assert tallies(battle, "damage")[0].total == 5
    read = armour.grade_reader(5, 9)
    assert [read((face,)) for face in range(1, 7)] == ["", "", "", "superficial", "full", "full"]


@rule("bolt_action", "19.3", "19.6")
def test_a_panzerfaust_in_the_rear_of_a_heavy_tank() -> None:
    """3 and 6 and 2 is 11, one over: full damage."""
    squad = us("ger_grenadiers", side="american", models=[{"id": "m8", "at": (36, 34)}])
    battle = place(squad, enemy("ger_tiger", (36, 25), heading=0), dice=(6, 3, 4))
    fire(battle, "at g1 panzerfaust")
    assert lines(tallies(battle, "damage")[0]) == {"rear": 2}
    assert happened(battle, Penetration)[0].grade == "full"
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "19.5")
@pytest.mark.parametrize(
    ("x", "y", "face"),
    [(36, 30, ""), (46, 20, "side"), (26, 20, "side"), (36, 10, "rear"), (39, 26.2, ""), (40, 26, "side")],
)
def test_the_face_is_the_quadrant_of_the_firer_by_the_hulls_diagonals(x: float, y: float, face: str) -> None:
    """The tank is 4.3 by 2.1 and looks down the table; a firer on a diagonal strikes the thicker face."""
    models = [{"id": "m1", "at": (x, y)}, {"id": "m2", "at": (x + 1.2, y)}]
    battle = place(us("us_bazooka", models=models), enemy("ger_panzer4", (36, 20)), dice=(6, 1))
    fire(battle, "at g1")
    assert "".join(lines(tallies(battle, "damage")[0])) == face


@rule("bolt_action", "19.6")
@pytest.mark.parametrize(
    ("margin", "grade"), [(-1, None), (0, "superficial"), (1, "full"), (2, "full"), (3, "massive"), (6, "massive")]
)
def test_grades_of_damage_go_by_the_margin(margin: int, grade: str | None) -> None:
    found = charts().grade(margin)
    assert (found.id if found else None) == grade


@rule("bolt_action", "14.4", "19.6")
def test_a_natural_one_never_damages_armour() -> None:
    battle = tank(1)
    hit(battle, pen=12)
    assert happened(battle, Penetration)[0].grade == ""


@rule("bolt_action", "19.7", "17.7", "17.15")
def test_shells_shaped_charges_and_fire_lose_nothing_at_long_range() -> None:
    battle = tank()
    target = battle.unit("g1")
    plain = armour.penetration(battle, target, 5, face="front", long_range=True)
    assert plain.total == 4
    hows: list[dict[str, Any]] = [{"he": True}, {"shaped": True}, {"flame": True}]
    for how in hows:
        found = armour.penetration(battle, target, 5, face="front", long_range=True, **how)
        assert "long_range" not in lines(found)


@rule("bolt_action", "27.8")
def test_a_tank_armoured_all_round_has_no_weak_face() -> None:
    battle = place(us("us_squad"), enemy("sov_kv1", (36, 20)))
    for face in ("side", "rear", "top"):
        assert armour.penetration(battle, battle.unit("g1"), 5, face=face).total == 5
    for kind, heading, lines_ in (("sov_kv1", 0, {}), ("ger_tiger", 0, {"rear": 2}), ("sov_kv1", 90, {})):
        battle = shoot(us("us_57mm"), enemy(kind, (36, 20), heading=heading), key="at g1 ap", dice=(6, 1))
        assert lines(tallies(battle, "damage")[0]) == lines_, (kind, heading)


@rule("bolt_action", "19.1")
def test_heavy_frontal_armour_is_thicker_in_front() -> None:
    battle = place(us("us_squad"), enemy("ger_panther", (36, 20)))
    assert armour.penetration(battle, battle.unit("g1"), 5, face="front").total == 4
    assert armour.penetration(battle, battle.unit("g1"), 5, face="side").total == 6


# ---- results -----------------------------------------------------------------------------------------


@rule("bolt_action", "20.1")
@pytest.mark.parametrize(
    ("face", "result"), [(6, "on_fire"), (4, "crew_stunned"), (1, "crew_stunned"), (5, "immobilised")]
)
def test_superficial_damage_takes_three_off_and_never_knocks_out(face: int, result: str) -> None:
    battle = tank(4, face, 1, 1)
    hit(battle)
    assert results(battle)[0] == result
    assert battle.alive(battle.unit("g1"))


@rule("bolt_action", "20.1", "20.6", "20.7", "20.8")
@pytest.mark.parametrize("face", [4, 5, 6])
def test_full_damage_knocks_out_on_four_or_more_and_leaves_a_wreck(face: int) -> None:
    battle = tank(5, face)
    hit(battle)
    assert results(battle) == ["knocked_out"]
    assert [wreck.id for wreck in battle.state.wrecks] == ["g1"]


@rule("bolt_action", "20.8", "20.7")
def test_a_wreck_blocks_sight_like_the_vehicle() -> None:
    tall = enemy("ger_tiger", (36, 28), heading=90)
    battle = place(us("sov_rifles", men=1), tall, enemy("ger_2lt", (36, 25), "g2"), dice=(5, 6))
    hit(battle, pen=6)
    assert battle.unit("g1").status == "lost"
    assert not line_of_sight.sees(battle, battle.unit("a1"), battle.unit("g2"))


@rule("bolt_action", "20.2")
def test_an_open_topped_vehicle_hit_indirectly_adds_one() -> None:
    """Superficial damage, die 6: 6 - 3 + 1 = 4, knocked out."""
    battle = tank(4, 6, kind="ger_marder3")
    value = charts().damage_classes[battle.type(battle.unit("g1")).damage_class].value
    hit(battle, pen=value - 5, indirect=True)
    assert results(battle) == ["knocked_out"]


@rule("bolt_action", "20.3", "20.9")
def test_a_stunned_crew_is_pinned_and_loses_its_action() -> None:
    battle = tank(4, 1, die="")
    dice = battle.state.cup["german"]
    hit(battle)
    unit = battle.unit("g1")
    assert (unit.pins, unit.die) == (1, "down")
    assert battle.state.cup["german"] == dice - 1  # the die comes from the cup
    battle = tank(4, 1, die="fire")
    dice = battle.state.cup.get("german", 0)
    hit(battle)
    assert battle.unit("g1").die == "down"
    assert battle.state.cup.get("german", 0) == dice


@rule("bolt_action", "20.4")
def test_an_immobilised_vehicle_that_has_acted_goes_down_and_one_that_has_not_does_not() -> None:
    battle = tank(4, 5, die="advance")
    hit(battle)
    unit = battle.unit("g1")
    assert unit.immobilised
    assert (unit.pins, unit.die) == (1, "down")
    battle = tank(4, 5, die="")
    hit(battle)
    assert battle.unit("g1").die == ""
    battle = tank(4, 5, die="advance")
    battle.state.scratch.acting = "g1"  # it is just carrying out its order
    hit(battle)
    assert battle.unit("g1").die == "advance"


@rule("bolt_action", "20.4")
def test_a_second_immobilised_result_knocks_out() -> None:
    battle = tank(4, 5, immobilised=True)
    hit(battle)
    assert results(battle) == ["knocked_out"]
    assert battle.unit("g1").status == "lost"


@rule("bolt_action", "20.5")
def test_a_fire_is_put_out_or_the_crew_leave() -> None:
    battle = tank(4, 6, 4, 4)
    hit(battle)
    assert happened(battle, FireOut)
    assert battle.unit("g1").die == "down"
    battle = tank(4, 6, 5, 4)  # 9 on a morale of 9 less one pin
    hit(battle)
    assert battle.unit("g1").status == "lost"
    assert battle.state.wrecks


@rule("bolt_action", "20.5")
def test_the_check_for_a_fire_counts_the_pins_just_placed() -> None:
    battle = tank(4, 6, 1, 1, pins=2)
    hit(battle)
    check = tallies(battle, "morale check")[0]
    assert lines(check)["pins"] == -3


@rule("bolt_action", "20.1", "20.10")
def test_massive_damage_has_two_results_whose_pins_both_count() -> None:
    battle = tank(6, 1, 2)
    hit(battle, pen=6)
    assert results(battle) == ["crew_stunned", "immobilised"]
    assert battle.unit("g1").pins == 2


@rule("bolt_action", "20.10")
def test_the_second_result_is_not_rolled_on_a_knocked_out_vehicle() -> None:
    battle = tank(6, 4)
    hit(battle, pen=6)
    assert results(battle) == ["knocked_out"]
    assert len(rolled(battle, "damage result")) == 1


@rule("bolt_action", "6.5", "6.1")
def test_a_hit_pins_armour_once_and_each_hit_is_rolled_until_it_is_knocked_out() -> None:
    """B25: three hits of a heavy machine gun on a half-track: one pin, and each rolled in turn."""
    battle = shoot(us("us_hmg"), enemy("ger_sdkfz251", (36, 26)), dice=(6, 6, 6, 2, 3, 2))
    assert [event.pins for event in happened(battle, Pinned)] == [1]
    assert len(rolled(battle, "damage")) == 3
    battle = shoot(us("us_hmg"), enemy("ger_sdkfz251", (36, 26), immobilised=True), dice=(6, 6, 6, 6, 5))
    assert len(rolled(battle, "damage")) == 1  # knocked out by the first: 6 + 1 = 7, then 5 - 3 = 2 again


@rule("bolt_action", "6.5", "14.4")
def test_penetration_is_needed_to_pin_an_enclosed_vehicle() -> None:
    battle = shoot(us("us_hmg"), enemy("ger_tiger", (36, 26)), dice=(6, 1, 1, 6))
    assert battle.unit("g1").pins == 1
    battle = shoot(us("us_mmg"), enemy("ger_tiger", (36, 26)), dice=(6, 6, 6, 6))
    assert battle.unit("g1").pins == 0 and not rolled(battle)
