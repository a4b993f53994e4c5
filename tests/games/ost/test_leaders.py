"""Leaders (13-16): who can be attached to whom and when, weapons handed over, and what a Leader is good for."""

from __future__ import annotations

import pytest

from grognard.core.ask import Bar
from grognard.core.session import Session
from grognard.games.ost import leaders, move_events
from grognard.games.ost.roster import roster
from grognard.games.ost.state import GOOD
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit

rule = pytest.mark.rule

START = (6, 6, 1, 1, 3, 3, 3, 3)  # Initiative to the first side, and Impulse Points


def attaching(*units: str, **kept: object) -> Session:
    """The Attach phase of a position."""
    return position(*units, "a9 us_rifle J8", phase="attach", dice=START, **kept)  # type: ignore[arg-type]


def why(session: Session, leader: str, to: str) -> Bar | None:
    return leaders.bar_attach(battle(session), unit(session, leader), unit(session, to))


# ---- attaching (15) --------------------------------------------------------------------------------------


@rule("ost", "15.1", "15.2", "15.3", "111.3")
def test_any_foot_unit_of_his_hex_but_no_other() -> None:
    session = attaching(
        "g1 ger_rifle D4", "g2 ger_sgt D4", "g3 ger_pak40 D4", "g4 ger_crew E4", "g5 ger_lt E4", "g6 ger_rifle F4"
    )
    assert keys(session) == ["done", "attach g2 g1", "attach g2 g3", "attach g5 g4"]
    assert why(session, "g2", "g6") == leaders.OTHER_HEX
    assert why(session, "g2", "a9") == leaders.ENEMY
    answer(session, "attach g2 g3")
    assert unit(session, "g2").attached == "g3" and state(session).points == {"german": 5, "american": 5}
    assert [event.unit for event in happened(session, move_events.Attached)] == ["g2"]


@rule("ost", "15.13", "15.14", "11.1")
def test_not_to_snipers_leaders_vehicles_or_a_unit_that_has_one() -> None:
    session = attaching(
        "g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_lt D4", "g4 ger_pz4h D4", "g5 ger_sniper E4"
    )
    assert why(session, "g3", "g1") == leaders.HAS_LEADER
    assert why(session, "g3", "g4") == why(session, "g3", "g2") == why(session, "g3", "g5") == leaders.NOT_TO_THIS
    assert keys(session) == ["done", "detach g2"]


@rule("ost", "15.1", "15.6")
def test_he_may_change_units_or_leave_once_a_phase() -> None:
    session = attaching("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_sgt D4 attached=g1")
    assert keys(session) == ["done", "attach g3 g2", "detach g3"]
    answer(session, "attach g3 g2")
    assert unit(session, "g3").attached == "g2" and state(session).phase == "play"
    other = attaching("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_sgt D4 attached=g1")
    answer(other, "detach g3")
    assert unit(other, "g3").attached == "" and happened(other, move_events.Detached)
    assert state(other).phase == "play"  # he has been dealt with


@rule("ost", "16.6")
def test_an_armor_leader_stays() -> None:
    session = attaching("g1 ger_pz4h D4", "g2 ger_pz4h D4", "g3 ger_arm_lt D4 attached=g1")
    assert why(session, "g3", "g2") == leaders.ARMOR_STAYS
    assert leaders.bar_detach(battle(session), unit(session, "g3")) == leaders.ARMOR_STAYS
    assert state(session).phase == "play"  # nothing to ask


@rule("ost", "15.3", "79.3", "73.4", "101.3")
def test_riders_hidden_men_and_men_in_melee_stay_as_they_are() -> None:
    session = attaching(
        "g1 ger_sdkfz251 D4",
        "g2 ger_rifle - aboard=g1",
        "g3 ger_sgt - attached=g2",
        "g4 ger_lt D4",
        "g5 ger_rifle E4 hidden",
        "g6 ger_cpt - attached=g5",
        "g7 ger_rifle F4",
        "g8 ger_lt F4",
        "a1 us_rifle F4",
        melees=["F4 german"],
    )
    assert leaders.bar_detach(battle(session), unit(session, "g3")) == leaders.RIDES
    assert leaders.bar_detach(battle(session), unit(session, "g6")) == leaders.HIDDEN
    assert why(session, "g8", "g7") == leaders.IN_MELEE
    assert why(session, "g4", "g2") == leaders.NOT_ABOARD


@rule("ost", "15.1")
def test_each_side_is_asked_in_turn_and_only_where_there_is_a_choice() -> None:
    session = position("g1 ger_rifle D4", "g2 ger_sgt D4", "a1 us_rifle J8", "a2 us_sgt J8", phase="attach", dice=START)
    assert session.ask is not None and session.ask.side == "german" and session.ask.quiet
    answer(session, "done")
    assert session.ask.side == "american" and keys(session) == ["done", "attach a2 a1"]
    fork = session.fork()
    assert fork.ask is not None and fork.ask.side == "american" and keys(fork) == keys(session)


@rule("ost", "20.13", "111.3", "13.6", "20.1")
def test_weapons_change_hands_between_stacked_squads() -> None:
    session = attaching(
        "g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle D4", "g3 ger_sgt D4 attached=g1", "g4 ger_rifle E4"
    )
    assert keys(session, "give") == ["give w1 g2"]  # not to the Leader, not to the next hex
    answer(session, "give w1 g2")
    assert state(session).weapons["w1"].unit == "g2"
    assert not keys(session, "give") and state(session).points["german"] == 5
    bar = leaders.bar_hand_over(battle(session), state(session).weapons["w1"], unit(session, "g3"))
    assert bar == leaders.NO_SQUAD


@rule("ost", "15.5", "20.13", "15.2")
def test_nobody_deals_with_the_leaders_and_weapons_of_the_enemy() -> None:
    """Each side is offered its own; and in the hex of a Melee no bar but the enemy's own is needed."""
    session = attaching(
        "g1 ger_rifle D4 with=ger_lmg",
        "g2 ger_rifle D4",
        "g3 ger_sgt D4",
        "a1 us_rifle F4 with=us_bar",
        "a2 us_rifle F4",
        "a3 us_sgt F4",
    )
    assert session.ask is not None and session.ask.side == "german"
    assert keys(session) == ["done", "attach g3 g1", "attach g3 g2", "give w1 g2"]
    answer(session, "done")
    assert session.ask.side == "american"
    assert keys(session) == ["done", "attach a3 a1", "attach a3 a2", "give w2 a2"]
    fight = attaching(
        "g1 ger_rifle D4 with=ger_lmg",
        "g3 ger_sgt D4",
        "g4 ger_rifle F4",
        "g5 ger_sgt F4",
        "a1 us_rifle D4",
        melees=["D4 german"],
    )
    assert why(fight, "g3", "a1") == leaders.ENEMY
    bar = leaders.bar_hand_over(battle(fight), state(fight).weapons["w1"], unit(fight, "a1"))
    assert bar == leaders.ENEMY


# ---- what he is good for ----------------------------------------------------------------------------------


@rule("ost", "15.7", "67.5")
def test_an_attached_leader_moves_with_his_unit_for_one_point() -> None:
    """E-8."""
    session = position("g1 ger_rifle D4", "g2 ger_lt D4 attached=g1", "a1 us_rifle P1", map="open 16x8")
    assert "move g2" not in keys(session)
    answer(session, "move g1", "step D5", "stop")
    assert unit(session, "g2").hex == unit(session, "g1").hex == "D5"
    assert state(session).points["german"] == 4


@rule("ost", "14.0", "14.1", "14.2", "15.9")
@pytest.mark.parametrize(("leader", "bonus"), [("us_lt", 1), ("us_ab_lt", 0)])
def test_a_leader_of_another_branch_helps_to_rally_only(leader: str, bonus: int) -> None:
    """E-7: a US Airborne Lieutenant with a US Army squad."""
    session = position(
        "a1 us_rifle D4", f"a2 {leader} D4 attached=a1", "g1 ger_rifle D7", active="american", dice=(1, 1)
    )
    answer(session, "fire a1", "at g1 own")
    assert tally(session, "attack roll").total == bonus
    shaken = position(
        "a1 us_rifle D4 shaken", f"a2 {leader} D4 attached=a1", "g1 ger_rifle J8", active="american", dice=(3, 3)
    )
    answer(shaken, "rally a1")
    assert lines(tally(shaken, "rally modifiers")) == {"leader": 1} and unit(shaken, "a1").morale == GOOD


@rule("ost", "13.1", "13.2", "13.6", "15.8", "16.1", "11.1")
def test_what_stands_on_a_leaders_counter() -> None:
    for kind in roster().values():
        if kind.leader or kind.armor_leader:
            assert kind.command_range >= 1 and not kind.fp and not kind.guns and kind.reduced is None
            assert kind.single == kind.leader
    session = position("g1 ger_sgt D4", "a1 us_rifle D5")
    assert "fire g1" not in keys(session) and "move g1" in keys(session)
    assert battle(session).allowance(unit(session, "g1")) == 2 * int(roster()["ger_sgt"].move)


@rule("ost", "13.2", "13.3", "13.4", "16.2", "15.16")
@pytest.mark.parametrize(
    ("leader", "patient", "helped"),
    [
        ("g2 ger_sgt D5", "g1 ger_rifle D4 shaken", True),  # command range 1
        ("g2 ger_sgt D6", "g1 ger_rifle D4 shaken", False),
        ("g2 ger_cpt D7", "g1 ger_rifle D4 shaken", True),  # command range 3
        ("g2 ger_cpt D7 shaken", "g1 ger_rifle D4 shaken", False),  # only in good order
        ("g2 ger_cpt D5", "g1 ger_pz4h D4 shaken", False),  # not for vehicles
        ("g2 ger_cpt D5", "g1 ger_sgt D4 shaken", True),  # 15.15: other Leaders too
    ],
)
def test_command_range(leader: str, patient: str, helped: bool) -> None:
    session = position(patient, leader, "a1 us_rifle J8", dice=(1, 1))
    answer(session, "rally g1")
    assert ("leader" in lines(tally(session, "rally modifiers"))) is helped


@rule("ost", "16.2", "13.4")
def test_an_armor_leader_rallies_the_vehicles_in_his_range() -> None:
    session = position(
        "g1 ger_pz4h D4 shaken", "g2 ger_pz4h D6", "g3 ger_arm_lt - attached=g2", "a1 us_rifle J8", dice=(1, 1)
    )
    answer(session, "rally g1")
    assert lines(tally(session, "rally modifiers")) == {"leader": 1}
    assert rolled(session, "Rally")[0].unit == "g1"


@pytest.mark.rule("ost", "15.12", "73.4")
def test_an_orphaned_leader_does_not_join_a_hidden_unit() -> None:
    session = position(
        "g1 ger_rifle D4",
        "g2 ger_sgt D4 attached=g1",
        "g3 ger_hmg42 D4 hidden",
        "a1 us_hmg D6",
        active="american",
        dice=(6, 6, 6),
    )
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").status == "lost" and unit(session, "g2").attached == ""
    assert unit(session, "g3").hidden and not any("g3" in line.text for line in session.view("american").log)


@pytest.mark.rule("ost", "16.9")
def test_the_defense_of_an_armor_leader_is_told_with_its_rule() -> None:
    units = "g1 ger_sniper D4", "a1 us_m4a1 D7", "a2 us_arm_lt D7 attached=a1"
    session = position(*units, dice=(1, 1))
    answer(session, "fire g1", "at a2 own")
    assert (tally(session, "Defense").base, tally(session, "Defense").rule) == (5, "16.9")


@pytest.mark.rule("ost", "14.1", "14.4")
@pytest.mark.parametrize(
    ("squad", "leader", "bonus"),
    [
        ("us_airborne", "us_ab_sgt", 1),
        ("us_airborne", "brit_pa_sgt", 0),  # both are airborne, but of two armies
        ("us_rifle", "sov_commissar", 0),  # he assists Soviet units
        ("sov_guards", "sov_commissar", 1),
    ],
)
def test_a_branch_is_that_of_one_army(squad: str, leader: str, bonus: int) -> None:
    units = f"a1 {squad} D4 side=allied", f"a2 {leader} D4 side=allied attached=a1", "g1 ger_rifle D6 side=german"
    session = position(*units, points={"allied": 5, "german": 5}, active="allied", dice=(1, 1))
    answer(session, "fire a1", "at g1 own")
    assert lines(tally(session, "attack roll")).get("attached_leader", 0) == bonus
