"""Movement: a unit's Move step by step, limited actions, entering and leaving the map (74, 75, 78)."""

from __future__ import annotations

import pytest

from grognard.games.ost import entry, movement, turn_events
from grognard.games.ost.state import BROKEN, EXITED, OFF_MAP, ON_MAP, SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, position, rolled, state, unit
from tests.games.ost.marches import bar_of, cost, march, offered


def bar(session: object, id: str) -> str:
    """The rule that keeps a unit from moving at all."""
    found = movement.bar_move(battle(session), unit(session, id))  # type: ignore[arg-type]
    return found.rule if found else ""


# ---- 75: Movement ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "75.1", "75.3", "75.6")
def test_a_move_spends_points_until_none_are_left() -> None:
    session = march("g1 ger_rifle B4", terrain={"woods": "C4"})
    answer(session, "move g1")
    assert session.ask is not None and "4 MP left" in session.ask.prompt
    assert "stop" not in keys(session), "something must be done first"
    answer(session, "step C4", "step D4")
    assert "1 MP left" in session.ask.prompt
    answer(session, "step E5")
    mover = unit(session, "g1")
    assert (mover.hex, mover.moved, mover.new_hex) == ("E5", True, True), "no points left: the Move is over"
    assert [mark.marker for mark in happened(session, turn_events.Marked)] == ["Moved"]
    assert state(session).points["german"] == 8


@pytest.mark.rule("ost", "75.6")
def test_no_step_beyond_the_points() -> None:
    session = march("g1 ger_rifle B4", terrain={"woods": "F4"})
    answer(session, "move g1", "step C5", "step D4", "step E4")
    assert not offered(session, "step F4")
    assert cost(session, "step F3") == "1 MP"


@pytest.mark.rule("ost", "75.2")
def test_one_move_a_turn() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4 moved")
    assert keys(session, "move") == ["move g1"]
    assert bar(session, "g2") == "75.2"
    answer(session, "move g1", "step D5", "stop")
    assert not keys(session, "move")


@pytest.mark.rule("ost", "75.2", "82.4", "74.1", "74.6")
def test_move_next_to_the_enemy_then_assault() -> None:
    """Worked example E-27: legal in one turn, in two Impulses."""
    session = march("g1 ger_rifle D4", "a1 us_rifle D7")
    answer(session, "move g1", "step D5", "step D6", "stop")
    assert state(session).points["german"] == 8
    answer(session, "assault g1 D7")
    assert state(session).points["german"] == 7
    assert unit(session, "g1").hex == "D7" and "D7" in state(session).melees
    assert [mark.marker for mark in happened(session, turn_events.Marked)] == ["Moved", "Used"]


@pytest.mark.rule("ost", "75.7")
def test_one_hex_is_always_allowed() -> None:
    session = march("g1 ger_pak40 D4 f=2", terrain={"woods": "E4", "river": "D5"})
    answer(session, "move g1")
    assert cost(session, "step E4") == "2 MP", "more than its single point"
    assert not offered(session, "step D5")
    answer(session, "step E4")
    assert unit(session, "g1").hex == "E4" and unit(session, "g1").moved
    assert session.ask is not None and session.ask.quiet, "it was the first and the last hex"


@pytest.mark.rule("ost", "75.7", "68.3")
def test_one_hex_for_the_shaken_but_only_as_the_first() -> None:
    session = march("g1 ger_rifle D4 shaken", terrain={"woods": "E4,F4"}, hexsides={"hedge": "D4|E4"})
    answer(session, "move g1")
    assert cost(session, "step E4") == "3 MP"
    answer(session, "step E5")
    assert session.ask is not None and "1 MP left" in session.ask.prompt, "half of 4 points"
    assert not offered(session, "step F4") and offered(session, "step E6")


@pytest.mark.rule("ost", "75.7", "68.6", "77.3", "79.10")
def test_no_minimum_move_for_those_who_cannot_move() -> None:
    session = march(
        "g1 ger_rifle D4 broken",
        "g2 ger_pz4h E4 bogged f=1",
        "g3 ger_pz4h F4 immobilized f=1",
        "g4 ger_flak36 G4 f=1",
    )
    assert (bar(session, "g1"), bar(session, "g2"), bar(session, "g3")) == ("68.6", "77.5", "75.7")
    found = movement.bar_step(battle(session), [unit(session, "g4")], "G5")
    assert found is not None and found.rule == "79.10"


@pytest.mark.rule("ost", "75.9", "30.2", "31.2")
def test_fortifications_raise_the_cost() -> None:
    session = march("g1 ger_rifle D4", works=["wire E4", "roadblock D5"])
    answer(session, "move g1")
    assert (cost(session, "step E4"), cost(session, "step D5"), cost(session, "step D3")) == ("2 MP", "2 MP", "1 MP")


@pytest.mark.rule("ost", "75.10", "101.5")
@pytest.mark.parametrize("enemy", ["us_rifle", "us_lt", "us_truck"])
def test_enemy_units_bar_the_way(enemy: str) -> None:
    session = march("g1 ger_rifle D4", f"a1 {enemy} E4", "a2 us_at57 D3 unmanned", wrecks="E5")
    answer(session, "move g1")
    assert not offered(session, "step E4")
    assert offered(session, "step D3"), "an unmanned gun is no unit"
    assert offered(session, "step E5"), "nor is a wreck"


@pytest.mark.rule("ost", "101.5", "101.4")
def test_melees_bar_the_way() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4", "a1 us_rifle E4", melees=["E4 german"])
    answer(session, "move g1")
    assert not offered(session, "step E4")
    assert bar(session, "g2") == "101.3"


FIRE = ("g1 ger_rifle D4", "a1 us_rifle D7")


@pytest.mark.rule("ost", "75.11", "105.3", "105.7")
def test_failed_gut_check_stops_the_mover() -> None:
    session = position(*FIRE, dice=(3, 4, 1, 1))
    answer(session, "move g1", "step D5", "a1 at g1 own")
    mover = unit(session, "g1")
    assert (mover.hex, mover.morale, mover.moved) == ("D5", SHAKEN, True)
    assert session.ask is not None and session.ask.side == "german", "the mover's side has the next Impulse"


@pytest.mark.rule("ost", "75.11")
def test_casualties_stop_the_mover() -> None:
    session = position(*FIRE, dice=(4, 5))
    answer(session, "move g1", "step D5", "a1 at g1 own")
    assert unit(session, "g1").reduced and session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "75.11", "105.3", "105.6")
def test_passed_gut_check_lets_the_mover_go_on() -> None:
    session = position(*FIRE, dice=(3, 4, 6, 6))
    answer(session, "move g1", "step D5", "a1 at g1 own")
    answer(session, "step D4", "pass", "stop")
    assert unit(session, "g1").hex == "D4"
    assert session.ask is not None and session.ask.side == "american"


@pytest.mark.rule("ost", "75.12", "79.19", "105.4")
def test_passenger_hit_the_vehicle_rolls_on() -> None:
    session = position("g1 ger_truck D4 f=4", "g2 ger_rifle D4 aboard=g1", "a1 us_rifle H6", dice=(3, 4, 1, 1))
    answer(session, "move g1", "step D5", "a1 at g2 own")
    assert unit(session, "g2").morale == BROKEN
    answer(session, "face 4")
    assert offered(session, "step D6")


@pytest.mark.rule("ost", "107.14", "75.11")
def test_a_strike_zone_attacks_whoever_moves_in() -> None:
    session = march("g1 ger_rifle D4", strikes=["american mortars D6"], dice=(5, 5, 1, 1))
    answer(session, "move g1", "step D5")
    assert [roll.unit for roll in rolled(session, "ICT attack")] == ["g1"]
    assert unit(session, "g1").morale == BROKEN, "2 - 4: the -2 column has B at 10, and the Gut Check failed"
    assert session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "27.2", "105.7")
def test_a_mover_lost_to_mines_leaves_the_next_impulse_as_it_is() -> None:
    session = position(
        "g1 ger_rifle D4 reduced", "g2 ger_rifle A1", "a1 us_rifle D7", mines=["D5 american"], dice=(6, 6)
    )
    answer(session, "move g1", "step D5")
    assert unit(session, "g1").status == "lost"
    assert session.ask is not None and session.ask.quiet and session.ask.side == "american", (
        "mines are no Opportunity Fire"
    )


@pytest.mark.rule("ost", "75.5", "75.4")
def test_costs_differ_by_class() -> None:
    prices = []
    for kind in ("ger_rifle", "ger_truck", "ger_pz4h"):
        session = march(f"g1 {kind} D4 f=2", terrain={"brush": "E4"})
        answer(session, "move g1")
        prices.append(cost(session, "step E4"))
    assert prices == ["1 MP", "3 MP", "2 MP"]


@pytest.mark.rule("ost", "75.1")
def test_one_may_stop_early() -> None:
    session = march("g1 ger_rifle D4")
    answer(session, "move g1", "step D5", "stop")
    assert unit(session, "g1").hex == "D5"
    assert session.ask is not None and session.ask.quiet


# ---- 74: limited actions -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "74.1", "74.2", "74.5", "74.6")
def test_two_limited_actions() -> None:
    session = march("g1 ger_rifle D4 fired", "g2 ger_rifle E4 used", "g3 ger_rifle F4 fired intensive")
    assert (bar(session, "g1"), bar(session, "g2"), bar(session, "g3")) == ("", "74.1", "90.4")
    answer(session, "move g1", "step D5", "stop")
    assert [mark.marker for mark in happened(session, turn_events.Marked)] == ["Used"], "fired and moved"
    assert battle(session).used(unit(session, "g1"))


@pytest.mark.rule("ost", "74.3", "74.4", "74.6")
def test_fire_after_moving_is_moving_fire() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D7", dice=(1, 1))
    answer(session, "move g1", "step D5", "stop", "fire g1", "at a1 own")
    modifiers = next(
        t for t in rolled(session, "ICT attack")[-1].tallies if any(line.id == "moving_fire" for line in t.lines)
    )
    assert modifiers.total == -1
    first = march("g1 ger_rifle D4", "a1 us_rifle D7", dice=(1, 1))
    answer(first, "fire g1", "at a1 own", "move g1", "step D5", "stop")
    assert not any(line.id == "moving_fire" for t in rolled(first, "ICT attack")[-1].tallies for line in t.lines)
    assert battle(first).used(unit(first, "g1"))


@pytest.mark.rule("ost", "74.8", "90.1")
def test_used_unit_has_intensive_fire_left() -> None:
    session = march("g1 ger_rifle D4 moved fired", "g2 ger_rifle C4 fired", "a1 us_rifle D7", dice=(1, 1))
    answer(session, "fire g1", "at a1 own")
    assert unit(session, "g1").intensive and unit(session, "g1").morale == SHAKEN
    assert keys(session, "fire") == ["fire g2"]


@pytest.mark.rule("ost", "73.6")
def test_moving_reveals_a_hidden_unit() -> None:
    session = march("g1 ger_rifle D4 hidden", "g2 ger_lt D4 attached=g1")
    answer(session, "move g1")
    assert not unit(session, "g1").hidden and not unit(session, "g2").hidden


# ---- Leaders on the move (15.7, 15.8) ----------------------------------------------------------------


@pytest.mark.rule("ost", "15.7", "15.8", "67.2")
def test_attached_leader_moves_with_his_unit() -> None:
    """Worked example E-8: one Impulse Point for both, with the unit's Movement Points."""
    session = march("g1 ger_rifle D4", "g2 ger_lt D4 attached=g1")
    assert keys(session, "move") == ["move g1"]
    answer(session, "move g1", "step D5", "step D6", "step D7")
    assert session.ask is not None and "1 MP left" in session.ask.prompt, "the squad's 4, not the Leader's 5"
    answer(session, "stop")
    assert unit(session, "g2").hex == "D7" and unit(session, "g2").attached == "g1"
    assert state(session).points["german"] == 8


@pytest.mark.rule("ost", "15.8")
def test_lone_leader_uses_his_own_points() -> None:
    session = march("g1 ger_lt D4")
    answer(session, "move g1")
    assert session.ask is not None and "5 MP left" in session.ask.prompt


@pytest.mark.rule("ost", "68.6", "15.7")
def test_broken_leader_stays_behind() -> None:
    session = march(
        "g1 ger_rifle D4", "g2 ger_lt D4 attached=g1 broken", "g3 ger_rifle E4", "g4 ger_sgt E4 attached=g3 shaken"
    )
    answer(session, "move g1", "step D5", "stop", "move g3", "step E5", "stop")
    assert (unit(session, "g2").hex, unit(session, "g2").attached) == ("D4", "")
    assert (unit(session, "g4").hex, unit(session, "g4").attached) == ("E5", "g3")


# ---- support weapons on the way (20.11, 20.12) -------------------------------------------------------


@pytest.mark.rule("ost", "20.12", "20.8")
def test_weapons_are_picked_up_for_nothing() -> None:
    session = march("g1 ger_rifle D4", weapons=["w1 us_bazooka D5"])
    answer(session, "move g1", "step D5", "take w1")
    assert session.ask is not None and "3 MP left" in session.ask.prompt
    assert state(session).weapons["w1"].unit == "g1"
    assert not offered(session, "drop w1"), "each weapon once in a hex"
    answer(session, "step D6", "stop")
    assert [w.id for w in battle(session).weapons(unit(session, "g1"))] == ["w1"]


@pytest.mark.rule("ost", "20.11")
def test_one_weapon_is_carried_while_moving() -> None:
    session = march("g1 ger_rifle D4 with=ger_lmg", weapons=["w5 ger_panzerfaust D5"])
    answer(session, "move g1", "step D5")
    assert not offered(session, "take w5")
    answer(session, "drop w1", "take w5", "step D6", "stop")
    weapons = state(session).weapons
    assert (weapons["w1"].unit, weapons["w1"].hex, weapons["w5"].unit) == ("", "D5", "g1")


@pytest.mark.rule("ost", "20.11")
def test_a_squad_with_two_weapons_drops_one_before_it_moves() -> None:
    session = march("g1 ger_rifle D4 with=ger_lmg,ger_panzerfaust")
    answer(session, "move g1")
    assert not keys(session, "step")
    found = movement.bar_step(battle(session), [unit(session, "g1")], "D5")
    assert found is not None and found.rule == "20.11"
    answer(session, "drop w2")
    assert offered(session, "step D5")


@pytest.mark.rule("ost", "20.12")
def test_weapons_are_destroyed_for_nothing() -> None:
    session = march("g1 ger_rifle D4", weapons=["w5 us_bar D5"])
    answer(session, "move g1", "step D5", "destroy w5", "stop")
    weapon = state(session).weapons["w5"]
    assert (weapon.unit, weapon.hex) == ("", "")
    assert state(session).points["german"] == 8


@pytest.mark.rule("ost", "20.1", "12.3", "13.6")
def test_only_squads_carry_weapons() -> None:
    for kind in ("ger_sniper", "ger_lt", "ger_hmg42", "ger_crew"):
        session = march(f"g1 {kind} D4", weapons=["w5 us_bar D4"])
        answer(session, "move g1")
        assert not offered(session, "take w5")


# ---- 78: Enter and Exit ------------------------------------------------------------------------------


@pytest.mark.rule("ost", "78.1", "78.2")
def test_exit_costs_a_point_where_the_scenario_allows_it() -> None:
    session = march("g1 ger_rifle B4", "g2 ger_lt B4 attached=g1", exit={"german": "A4"}, control={"A4": ""})
    answer(session, "move g1", "step A5")
    assert not offered(session, "exit A5"), "an edge hex, but not one of the scenario's"
    answer(session, "step A4")
    assert cost(session, "exit A4") == "1 MP"
    answer(session, "exit A4")
    assert (unit(session, "g1").status, unit(session, "g2").status) == (EXITED, EXITED)
    assert state(session).casualties == {"german": 0, "american": 0}
    assert "A4" not in battle(session).at


@pytest.mark.rule("ost", "78.1")
def test_no_exit_without_the_point() -> None:
    session = march("g1 ger_rifle E4", exit={"german": "A4"})
    answer(session, "move g1", "step D4", "step C4", "step B3", "step A4")
    assert unit(session, "g1").hex == "A4" and session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "78.3", "78.4")
def test_entering_pays_the_hex_and_moves_on() -> None:
    session = march("g1 ger_rifle - due=5 entry=A3-A4", terrain={"woods": "A4"})
    answer(session, "enter g1")
    assert (cost(session, "at A3"), cost(session, "at A4")) == ("1 MP", "2 MP")
    answer(session, "at A4")
    assert state(session).points["german"] == 8
    assert session.ask is not None and "2 MP left" in session.ask.prompt
    answer(session, "step B4", "stop")
    mover = unit(session, "g1")
    assert (mover.status, mover.hex, mover.moved) == (ON_MAP, "B4", True)
    assert not offered(session, "move g1")


@pytest.mark.rule("ost", "78.4", "111.2")
def test_reinforcements_wait_until_due_and_may_come_later() -> None:
    session = march("g1 ger_rifle - due=4 entry=A3", "g2 ger_rifle - due=6 entry=A3", "g3 ger_rifle D4", turn=5)
    assert keys(session, "enter") == ["enter g2"]
    found = entry.bar_enter(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "111.2"


@pytest.mark.rule("ost", "78.3", "79.2", "15.5")
def test_vehicle_enters_along_the_road_with_all_it_carries() -> None:
    session = march(
        "g1 ger_truck - due=5 entry=A4",
        "g2 ger_rifle - aboard=g1",
        "g3 ger_lt - attached=g2",
        roads=["A4>6, A4:F4"],
    )
    answer(session, "enter g1")
    assert unit(session, "g1").facing == 3, "it drives in along the road"
    answer(session, "face 2")
    assert {unit(session, id).hex for id in ("g1", "g2", "g3")} == {"A4"}
    assert session.ask is not None and "7½ MP left" in session.ask.prompt


@pytest.mark.rule("ost", "15.5")
def test_leader_enters_attached() -> None:
    session = march("g1 ger_rifle - due=5 entry=A4", "g2 ger_lt - due=5 entry=A4")
    answer(session, "enter g1", "with g2", "stop")
    assert (unit(session, "g2").hex, unit(session, "g2").attached) == ("A4", "g1")
    alone = march("g1 ger_rifle - due=5 entry=A4", "g2 ger_lt - due=5 entry=A4")
    answer(alone, "enter g1", "alone", "stop")
    assert unit(alone, "g2").status == OFF_MAP
    for other in ("ger_truck", "ger_sniper"):  # a Leader is attached to neither (15.14)
        apart = march(f"g1 {other} - due=5 entry=A4", "g2 ger_lt - due=5 entry=A4")
        answer(apart, "enter g1")
        assert unit(apart, "g1").hex == "A4" and "with g2" not in keys(apart)
    enemy = march("g1 ger_rifle - due=5 entry=A4", "a1 us_lt - due=5 entry=A4")
    answer(enemy, "enter g1")
    assert unit(enemy, "g1").hex == "A4", "nobody asks whether the enemy's Leader comes along"


@pytest.mark.rule("ost", "78.3", "105.0")
def test_opportunity_fire_may_answer_in_the_entry_hex() -> None:
    session = position("g1 ger_rifle - due=5 entry=A4", "a1 us_rifle C4", dice=(3, 4, 1, 1))
    answer(session, "enter g1", "a1 at g1 own")
    assert (unit(session, "g1").hex, unit(session, "g1").morale) == ("A4", SHAKEN)
    assert session.ask is not None and session.ask.side == "german"


@pytest.mark.rule("ost", "75.10", "72.1", "78.3")
def test_no_entry_into_enemies_or_full_hexes() -> None:
    session = march("g1 ger_rifle - due=5 entry=A3-A4", "g2 ger_rifle A3", "g3 ger_rifle A3", "a1 us_rifle A4")
    assert not keys(session, "enter")
    found = entry.bar_enter(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "78.3"


@pytest.mark.rule("ost", "79.10", "17ct.6")
def test_transport_only_weapon_enters_by_transport_only() -> None:
    session = march("g1 ger_flak36 - due=5 entry=A4")
    assert not keys(session, "enter")


# ---- Luck cards that hold for a Move (62) ------------------------------------------------------------


@pytest.mark.rule("ost", "62.4")
def test_double_time_gives_a_squad_two_points_more() -> None:
    """The card itself is free; only the Move it helps is paid for."""
    session = march("g1 ger_rifle D4", cards={"german": ["double_time"]})
    answer(session, "card double_time")
    assert state(session).points["german"] == 9
    answer(session, "move g1")
    assert session.ask is not None and "6 MP left" in session.ask.prompt
    assert state(session).points["german"] == 8


@pytest.mark.rule("ost", "62.4")
def test_dead_ground_keeps_opportunity_fire_off() -> None:
    fired_at = position(*FIRE, cards={"german": ["dead_ground"]})
    answer(fired_at, "move g1", "step D5")
    assert fired_at.ask is not None and fired_at.ask.side == "american"
    session = position(*FIRE, cards={"german": ["dead_ground"]})
    answer(session, "card dead_ground")
    assert state(session).points["german"] == 5
    answer(session, "move g1", "step D5")
    assert session.ask is not None and session.ask.side == "german"


@pytest.mark.rule("ost", "35.5")
def test_what_is_not_adjacent_is_no_step() -> None:
    assert bar_of(march("g1 ger_rifle D4"), "g1", "F4") == "75.1"
