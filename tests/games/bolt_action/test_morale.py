"""Morale (5), morale checks (3.7), officers, command vehicles, and how units are lost (1.10)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from grognard.games.bolt_action import morale
from grognard.games.bolt_action.turn_events import Destroyed, Held
from grognard.kits.table.state import LOST
from tests.games.bolt_action.play import field, happened, lines, rolled, tally, unit

ENEMY = unit("ger_infantry", "g1", at=(20, 2), heading=180)


@pytest.mark.rule("bolt_action", "5.1")
@pytest.mark.parametrize(("kind", "base"), [("sov_rifles", 8), ("us_squad", 9), ("us_paras", 10)])
def test_base_morale_goes_by_quality(kind: Any, base: Any) -> None:
    battle = field(unit(kind, "x1", at=(20, 40)), ENEMY)
    assert morale.target(battle, battle.unit("x1"), morale.MORALE_CHECK).total == base


@pytest.mark.rule("bolt_action", "5.3")
@pytest.mark.parametrize(("rank", "bonus"), [("2lt", 1), ("1lt", 2), ("captain", 3), ("major", 4)])
def test_an_officer_near_adds_his_bonus(rank: Any, bonus: Any) -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40)), unit(f"us_{rank}", "a2", at=(20, 36)), ENEMY)
    for what in (morale.ORDER_TEST, morale.MORALE_CHECK):
        assert lines(morale.target(battle, battle.unit("a1"), what)) == {"officer": bonus}


@pytest.mark.rule("bolt_action", "5.4")
@pytest.mark.parametrize(("rank", "away", "heard"), [("2lt", 7.0, True), ("2lt", 7.1, False), ("captain", 13, True)])
def test_the_bonus_reaches_from_the_officer_himself(rank: Any, away: Any, heard: Any) -> None:
    """Men are half an inch in radius: middles 7 in apart are 6 in from base to base."""
    battle = field(
        unit("us_sniper", "a1", at=(20, 40), men=1), unit(f"us_{rank}", "a2", at=(20, 40 - away), men=1), ENEMY
    )
    assert ("officer" in lines(morale.target(battle, battle.unit("a1"), morale.ORDER_TEST))) is heard


@pytest.mark.rule("bolt_action", "5.4")
def test_only_the_best_single_bonus_counts_and_only_of_friends() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 40)),
        unit("us_2lt", "a2", at=(18, 37)),
        unit("us_captain", "a3", at=(24, 37)),
        unit("ger_major", "g2", at=(20, 34)),
        ENEMY,
    )
    assert lines(morale.target(battle, battle.unit("a1"), morale.ORDER_TEST)) == {"officer": 3}


@pytest.mark.rule("bolt_action", "5.4")
def test_the_officers_own_unit_has_his_bonus_until_he_falls() -> None:
    """The man beside him is no officer (B29)."""
    battle = field(unit("us_1lt", "a1", at=(20, 40)), unit("us_squad", "a2", at=(20, 37)), ENEMY)
    headquarters = battle.unit("a1")
    assert morale.target(battle, headquarters, morale.ORDER_TEST).total == 11
    headquarters.models.pop(0)
    battle.invalidate()
    assert morale.target(battle, headquarters, morale.ORDER_TEST).total == 9
    assert morale.target(battle, battle.unit("a2"), morale.ORDER_TEST).total == 9


@pytest.mark.rule("bolt_action", "5.5")
def test_the_bonus_is_for_vehicles_and_guns_too() -> None:
    battle = field(
        unit("us_captain", "a1", at=(20, 40)),
        unit("us_m4", "a2", at=(26, 36)),
        unit("us_57mm", "a3", at=(14, 36)),
        ENEMY,
    )
    for id in ("a2", "a3"):
        assert lines(morale.target(battle, battle.unit(id), morale.MORALE_CHECK)) == {"officer": 3}


@pytest.mark.rule("bolt_action", "5.5")
def test_an_officer_in_a_vehicle_helps_it_and_its_passengers_only() -> None:
    battle = field(
        unit("us_m3_halftrack", "a1", at=(20, 40)),
        unit("us_captain", "a2", aboard="a1"),
        unit("us_bazooka", "a3", aboard="a1"),
        unit("us_squad", "a4", at=(20, 35)),
        unit("us_m3_halftrack", "a5", at=(24, 40)),
        unit("us_bazooka", "a6", aboard="a5"),
        ENEMY,
    )
    found = {unit.id: lines(morale.target(battle, unit, morale.ORDER_TEST)) for unit in battle.state.units.values()}
    helped = {"officer": 3}
    assert {id: told for id, told in found.items() if told} == {"a1": helped, "a2": helped, "a3": helped}


@pytest.mark.rule("bolt_action", "26.7")
def test_a_command_vehicle_helps_itself_and_armour_near_it() -> None:
    battle = field(
        unit("ger_panzer4_command", "g2", at=(20, 20)),
        unit("ger_panzer4", "g3", at=(32, 20)),
        unit("ger_panzer4", "g4", at=(20, 40)),
        unit("ger_truck", "g5", at=(26, 20)),
        unit("ger_infantry", "g6", at=(20, 14)),
        unit("us_squad", "a1", at=(60, 44)),
    )
    found = {
        id: lines(morale.target(battle, battle.unit(id), morale.ORDER_TEST)) for id in ("g2", "g3", "g4", "g5", "g6")
    }
    assert found == {"g2": {"command_vehicle": 1}, "g3": {"command_vehicle": 1}, "g4": {}, "g5": {}, "g6": {}}


# ---- checks (3.7) ------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "3.7", "6.2")
def test_a_morale_check_is_rolled_like_an_order_test_but_removes_no_pin() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=2), ENEMY, dice=(3, 4))
    squad = battle.unit("a1")
    assert morale.check(battle, squad, ("15.5",)) is True
    assert tally(battle, "morale check").total == 7
    assert squad.pins == 2 and happened(battle, Held)


@pytest.mark.rule("bolt_action", "3.7")
def test_a_unit_that_fails_a_morale_check_is_destroyed() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=2), ENEMY, dice=(4, 4))
    squad = battle.unit("a1")
    assert morale.check(battle, squad, ("15.5",)) is False
    assert squad.status == LOST and not squad.models
    (event,) = happened(battle, Destroyed)
    assert event.unit == "a1" and "3.7" in event.rules


@pytest.mark.rule("bolt_action", "3.7")
@pytest.mark.parametrize(("pins", "dice", "holds"), [(8, (1, 1), True), (0, (6, 6), False)])
def test_doubles_decide_a_morale_check_without_any_fubar(pins: Any, dice: Any, holds: Any) -> None:
    """A Major beside them makes the number 13, and still a double six fails."""
    battle = field(
        unit("us_squad", "a1", at=(20, 40), pins=pins), unit("us_major", "a2", at=(20, 37)), ENEMY, dice=dice
    )
    assert morale.check(battle, battle.unit("a1"), ()) is holds
    assert not rolled(battle, "FUBAR")


@pytest.mark.rule("bolt_action", "27.4")
def test_stubborn_men_ignore_pins_in_checks_but_not_in_order_tests() -> None:
    battle = field(unit("gb_paras", "b1", at=(20, 40), pins=4), ENEMY)
    paras = battle.unit("b1")
    assert morale.target(battle, paras, morale.MORALE_CHECK).total == 10
    assert morale.target(battle, paras, morale.ORDER_TEST).total == 6


# ---- losing a unit (1.10, 20.7, 20.8, 28.4) ----------------------------------------------------------


@pytest.mark.rule("bolt_action", "1.10")
def test_a_unit_destroyed_without_a_die_takes_one_out_of_the_cup() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40)), unit("us_mmg", "a2", at=(40, 40)), ENEMY)
    assert battle.state.cup["american"] == 2
    morale.destroy(battle, battle.unit("a2"), ("6.3",))
    assert battle.state.cup["american"] == 1 and battle.state.aside["american"] == 0


@pytest.mark.rule("bolt_action", "1.10")
def test_the_die_of_a_unit_that_had_one_is_set_aside() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40)), unit("us_mmg", "a2", at=(40, 40), die="fire"), ENEMY)
    morale.destroy(battle, battle.unit("a2"), ("6.3",))
    assert battle.state.cup["american"] == 1 and battle.state.aside["american"] == 1


@pytest.mark.rule("bolt_action", "20.7", "20.8")
def test_armour_leaves_a_wreck_and_a_truck_leaves_none() -> None:
    battle = field(unit("us_m4", "a1", at=(20, 40), heading=30), unit("us_truck", "a2", at=(40, 40)), ENEMY)
    morale.destroy(battle, battle.unit("a1"), ("20.6",))
    morale.destroy(battle, battle.unit("a2"), ("22.7",))
    assert [(w.kind, w.x, w.y, w.heading) for w in battle.state.wrecks] == [("us_m4", 2000, 4000, 30)]


@pytest.mark.rule("bolt_action", "28.4", "17.17")
def test_what_counts_for_nobody_is_not_among_the_lost() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 40)), unit("ger_flamethrower", "g2", at=(40, 40), scores=False), ENEMY
    )
    morale.destroy(battle, battle.unit("a1"), ("6.3",))
    morale.destroy(battle, battle.unit("g2"), ("17.17",))
    assert battle.state.lost == {"american": ["a1"], "german": []}


# ---- borders -----------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "26.7")
@pytest.mark.parametrize(
    ("kind", "away", "helped"),
    [("ger_panzer4", 11.9, True), ("ger_panzer4", 12.1, False), ("ger_truck", 3, False), ("ger_infantry", 3, False)],
)
def test_a_command_vehicle_helps_armour_as_far_as_its_range(kind: str, away: float, helped: bool) -> None:
    battle = field(
        unit("ger_panzer4_command", "g2", at=(20, 20)),
        unit(kind, "g3", at=(20, 30)),
        unit("us_squad", "a1", at=(60, 44)),
    )
    command, other = battle.unit("g2"), battle.unit("g3")
    gap = battle.gap(command, other)
    for model in other.models:
        model.y += round(away * 100 - gap)
    battle.invalidate()
    assert battle.gap(command, other) == pytest.approx(100 * away, abs=1)
    assert ("command_vehicle" in lines(morale.target(battle, other, morale.ORDER_TEST))) is helped


@pytest.mark.rule("bolt_action", "26.7")
@pytest.mark.parametrize(
    ("whose", "status", "helped"), [("ger", "table", True), ("ger", "reserve", False), ("us", "table", False)]
)
def test_only_a_command_vehicle_of_ones_own_on_the_table_helps(whose: str, status: str, helped: bool) -> None:
    tank = {"ger": "ger_panzer4", "us": "us_m4"}[whose]
    where = {"at": (20, 20)} if status == "table" else {"status": status}
    battle = field(
        unit("ger_panzer4_command", "g2", **where),  # type: ignore[arg-type]
        unit(tank, "x3", at=(27, 20)),
        unit("us_squad", "a1", at=(60, 44)),
        unit("ger_infantry", "g9", at=(60, 4)),
    )
    found = morale.command_vehicle(battle, battle.unit("x3"))
    assert (found is not None) is helped


@pytest.mark.rule("bolt_action", "5.4", "5.5")
@pytest.mark.parametrize(("status", "bonus"), [("table", {"officer": 3}), ("reserve", {})])
def test_an_officer_who_waits_in_reserve_is_not_heard_on_the_table(status: str, bonus: dict[str, int]) -> None:
    where = {"at": (20, 36)} if status == "table" else {"status": status}
    battle = field(unit("us_squad", "a1", at=(20, 40)), unit("us_captain", "a2", **where), ENEMY)  # type: ignore[arg-type]
    assert lines(morale.target(battle, battle.unit("a1"), morale.ORDER_TEST)) == bonus


@pytest.mark.rule("bolt_action", "5.4", "1.10")
def test_a_dead_officer_helps_nobody() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40)), unit("us_captain", "a2", at=(20, 36)), ENEMY)
    morale.destroy(battle, battle.unit("a2"), ("6.3",))
    assert lines(morale.target(battle, battle.unit("a1"), morale.ORDER_TEST)) == {}
    assert not morale.living(battle.unit("a2")) and morale.living(battle.unit("a1"))


@pytest.mark.rule("bolt_action", "20.7", "24.7")
@pytest.mark.parametrize(("removed", "wreck", "left"), [(False, True, 1), (True, True, 0), (False, False, 0)])
def test_a_wreck_stays_unless_the_scenario_takes_it_off_or_the_vehicle_is_only_lost(
    removed: bool, wreck: bool, left: int
) -> None:
    battle = field(unit("us_m4", "a1", at=(20, 40)), ENEMY)
    battle.scenario = replace(battle.scenario, wrecks_removed=removed)
    morale.destroy(battle, battle.unit("a1"), ("20.6",), wreck=wreck)
    assert len(battle.state.wrecks) == left and battle.unit("a1").models == []


@pytest.mark.rule("bolt_action", "24.5", "1.10")
def test_a_destroyed_vehicle_keeps_its_place_until_its_riders_are_out() -> None:
    units = [
        unit("us_truck", "a1", at=(20, 40)),
        unit("us_squad10", "a2", aboard="a1"),
        unit("us_truck", "a3", at=(40, 40)),
    ]
    battle = field(*units, ENEMY)
    for id in ("a1", "a3"):
        morale.destroy(battle, battle.unit(id), ("14.5",))
    assert battle.state.scratch.spilled == ["a1"]
    assert len(battle.unit("a1").models) == 1 and battle.unit("a3").models == []


@pytest.mark.rule("bolt_action", "28.2")
def test_only_what_waits_in_a_secret_reserve_is_told_to_its_side_alone() -> None:
    units = [
        unit("us_squad", "a1", at=(20, 40)),
        unit("us_truck", "a2", status="reserve"),
        unit("us_squad10", "a3", aboard="a2"),
        ENEMY,
    ]
    for secret, told in ((True, ["", "american", "american"]), (False, ["", "", ""])):
        battle = field(*units, hidden_reserves=secret)
        assert [morale.told_to(battle, battle.unit(id)) for id in ("a1", "a2", "a3")] == told


@pytest.mark.rule("bolt_action", "1.11", "3.6")
@pytest.mark.parametrize(("aside", "left"), [(2, 1), (1, 0), (0, 0)])
def test_who_goes_down_when_the_cup_is_empty_finds_his_die_among_those_set_aside(aside: int, left: int) -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40)), ENEMY, cup={"american": 0, "german": 0})
    battle.state.aside["american"] = aside
    morale.put_down(battle, battle.unit("a1"), "3.6")
    assert battle.unit("a1").die == "down" and battle.state.aside["american"] == left
