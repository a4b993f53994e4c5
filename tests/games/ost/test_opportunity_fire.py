"""Opportunity Fire (105): halting a moving unit, and whose Impulse comes next."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.games.ost import turn_events
from grognard.games.ost.state import GOOD, SHAKEN
from tests.games.ost.helpers import answer, happened, keys, lines, position, rolled, state, tally, unit
from tests.games.ost.test_combat import dice_for

rule = pytest.mark.rule

HMG, MOVER = "g1 ger_hmg42 D1", "a1 us_rifle D5"


def moving(*units: str, **kw: Any) -> Session:
    """The American is to act."""
    return position(*(units or (HMG, MOVER)), active="american", **kw)


def asked(session: Session) -> tuple[str, str]:
    assert session.ask is not None
    return session.ask.side, session.ask.reaction


@rule("ost", "105.0", "105.1", "105.2", "105.3", "105.6", "105.9")
def test_the_books_first_example() -> None:
    """E-49: two shots without effect; the move is completed and the German has the next Impulse."""
    session = moving(dice=(*dice_for("B", 3), 4, 4, 1, 1))
    answer(session, "move a1", "step D4")
    assert asked(session) == ("german", "opportunity fire") and keys(session)[0] == "pass"
    answer(session, "g1 at a1 own")
    assert unit(session, "a1").morale == GOOD and unit(session, "g1").fired == 1
    answer(session, "step D3", "g1 at a1 own")
    assert unit(session, "g1").fired == 2 and state(session).points == {"german": 3, "american": 4}
    answer(session, "stop")
    assert unit(session, "a1").hex == "D3" and unit(session, "a1").moved
    assert asked(session) == ("german", "")
    marks = [(e.unit, e.marker) for e in happened(session, turn_events.Marked)]
    assert marks == [("g1", "Fired"), ("g1", "Used"), ("a1", "Moved")]


@rule("ost", "105.3", "105.7", "75.11", "94.4")
def test_the_books_second_example() -> None:
    """E-50: Shaken, the squad stops where it is, and the American goes again."""
    session = moving(dice=(*dice_for("S", 3), 1, 1))
    answer(session, "move a1", "step D4", "g1 at a1 own")
    mover = unit(session, "a1")
    assert (mover.hex, mover.moved, mover.morale) == ("D4", True, SHAKEN)
    assert asked(session) == ("american", "") and unit(session, "g1").fired == 1


@rule("ost", "105.7", "94.1", "94.2", "94.3")
@pytest.mark.parametrize("result", ["C", "X", "B"])
def test_casualties_and_worse_halt_the_move_and_give_it_back(result: str) -> None:
    session = moving(HMG, MOVER, "a2 us_rifle H8", dice=(*dice_for(result, 3), 1, 1))
    answer(session, "move a1", "step D4", "g1 at a1 own")
    assert asked(session) == ("american", "") and "step" not in {k.split()[0] for k in keys(session)}


@rule("ost", "105.9")
def test_one_attack_a_hex_the_last_one_included() -> None:
    session = moving(HMG, "g2 ger_hmg42 E1", MOVER, dice=(1, 1, 1, 1, 1, 1, 1, 1))
    answer(session, "move a1")
    for hex, gun in (("D4", "g1"), ("D3", "g2"), ("D2", "g1")):
        answer(session, f"step {hex}")
        assert asked(session) == ("german", "opportunity fire")
        answer(session, f"{gun} at a1 own")
        assert asked(session)[1] == ""  # the other gun has no second attack in the same hex
    assert len(rolled(session, "ICT attack")) == 3


@rule("ost", "105.1")
def test_without_points_there_is_no_answer_and_declining_costs_nothing() -> None:
    session = moving(points={"german": 0, "american": 3})
    answer(session, "move a1", "step D4")
    assert asked(session) == ("american", "")
    session = moving()
    answer(session, "move a1", "step D4", "pass")
    assert asked(session) == ("american", "") and state(session).points["german"] == 5


@rule("ost", "105.2", "90.1")
def test_a_used_unit_answers_with_intensive_fire() -> None:
    session = moving("g1 ger_hmg42 D1 used", MOVER, dice=(1, 1))
    answer(session, "move a1", "step D4", "g1 at a1 own")
    assert unit(session, "g1").intensive and unit(session, "g1").morale == SHAKEN
    assert lines(tally(session, "Firepower")) == {"intensive_fire_fp": -1}


@rule("ost", "105.8")
def test_a_group_answers_for_two_points() -> None:
    group = ("g1 ger_rifle D1", "g2 ger_sgt - attached=g1", "g3 ger_rifle D1")
    session = moving(*group, MOVER, dice=(1, 1))
    answer(session, "move a1", "step D4", "fire_group g1 g3 at a1")
    assert state(session).points["german"] == 3 and tally(session, "Firepower").total == 8
    just = moving(*group, MOVER, points={"german": 2, "american": 3}, dice=(1, 1))
    answer(just, "move a1", "step D4")
    assert keys(just, "fire_group") == ["fire_group g1 g3 at a1"], "two points are enough"
    answer(just, "fire_group g1 g3 at a1")
    assert state(just).points["german"] == 0
    poor = moving(*group, MOVER, points={"german": 1, "american": 3})
    answer(poor, "move a1", "step D4")
    assert not [k for k in keys(poor) if k.startswith("fire_group")]


GROUP = ("a1 us_rifle D5", "a2 us_sgt - attached=a1", "a3 us_rifle D5")


@rule("ost", "105.10", "80.6", "80.7")
def test_one_unit_of_a_group_is_attacked_but_sustained_fire_may_take_both() -> None:
    session = moving(HMG, *GROUP, dice=(*dice_for("S", 3), 1, 1, 6, 6))
    answer(session, "group_move a1 a3", "step D4")
    offered = keys(session)
    assert "g1 at a1 own" in offered and "g1 sustained a1 a3" in offered
    answer(session, "g1 at a3 own")
    assert unit(session, "a3").morale == SHAKEN and unit(session, "a1").hex == "D4"
    assert asked(session) == ("american", "") and unit(session, "a1").moved and unit(session, "a3").moved


@rule("ost", "105.4", "75.12")
def test_a_hurt_passenger_does_not_stop_his_vehicle() -> None:
    session = moving(HMG, "a1 us_truck D5 f=1", "a2 us_rifle - aboard=a1", dice=(*dice_for("S", 4), 1, 1))
    answer(session, "move a1", "step D4", "g1 at a2 own")
    assert unit(session, "a2").morale == SHAKEN
    assert session.ask is not None and session.ask.side == "american" and not session.ask.quiet


@rule("ost", "105.5", "97.4")
def test_damage_that_does_not_stop_a_vehicle_lets_it_go_on() -> None:
    from grognard.games.ost.charts import charts

    vct = charts().vct
    dice = (6, 5, *dice_for("D", 4 - 5, chart=vct))
    session = moving("g1 ger_pak36 D1 f=4", "a1 us_m4a1 D5 f=1", dice=(*dice, 4))
    answer(session, "move a1", "step D4", "g1 at a1 main")
    assert unit(session, "a1").guns_out == (0,) and session.ask is not None and not session.ask.quiet
    session = moving("g1 ger_pak36 D1 f=4", "a1 us_m4a1 D5 f=1", dice=(*dice, 5))
    answer(session, "move a1", "step D4", "g1 at a1 main")
    assert unit(session, "a1").immobilized and asked(session) == ("american", "") and session.ask.quiet  # type: ignore[union-attr]


@rule("ost", "76.5", "105.0")
def test_a_vehicle_is_fired_at_before_it_turns() -> None:
    session = moving("g1 ger_pak40 D1 f=4", "a1 us_m4a1 D5 f=1", dice=(6, 5, 1, 1, 6, 6))
    answer(session, "move a1", "step D4")
    assert asked(session)[1] == "opportunity fire"  # asked before the facing is chosen
    answer(session, "g1 at a1 main")
    assert tally(session, "Defense").total == 5


@rule("ost", "95.14")
def test_a_tanks_second_armament_must_take_the_same_target() -> None:
    session = moving("g1 ger_pz4h D1 f=4", MOVER, "a2 us_rifle E3", dice=(1, 1))
    answer(session, "move a1", "step D4", "g1 at a1 main")
    assert keys(session) == ["hold", "at a1 mg"]


@rule("ost", "73.9", "73.6")
def test_a_hidden_unit_ambushes_what_moves_and_stays_hidden_if_it_holds_fire() -> None:
    held = moving("g1 ger_hmg42 D1 hidden", MOVER)
    answer(held, "move a1", "step D4", "pass")
    assert unit(held, "g1").hidden
    session = moving("g1 ger_hmg42 D1 hidden", MOVER, dice=(1, 1))
    answer(session, "move a1", "step D4", "g1 at a1 own")
    assert not unit(session, "g1").hidden
    assert lines(tally(session, "Firepower")) == {"ambush_fp": 1}
    assert lines(tally(session, "attack roll")) == {"ambush_roll": 1}


@rule("ost", "105.11")
def test_no_luck_cards_or_strikes_as_opportunity_fire() -> None:
    session = moving(HMG, MOVER, cards={"german": ["strafing_run"]}, assets={"german": {"mortars": 1, "air": 1}})
    answer(session, "move a1", "step D4")
    assert {o.verb for o in session.ask.options} <= {"pass", "at", "sustained", "fire_group"}  # type: ignore[union-attr]


@rule("ost", "105.0")
def test_standing_orders_hold_fire_beyond_a_range() -> None:
    session = moving(dice=(1, 1))
    session.give_order(StandingOrder("german", "opportunity fire", beyond=2))
    answer(session, "move a1", "step D4")
    assert asked(session) == ("american", "")
    answer(session, "step D3")
    assert asked(session) == ("german", "opportunity fire")


@rule("ost", "105.0", "18.6")
def test_odds_of_an_answer_are_exact_before_it_is_given() -> None:
    session = moving()
    answer(session, "move a1", "step D4")
    odds = session.odds("g1 at a1 own")
    assert odds.exact and sum(o.probability for o in odds.outcomes) == 1
    assert {what for what, _, _ in odds.tallies} >= {"ICT attack"}
    changes = {change for outcome in odds.outcomes for change in outcome.changes}
    fatal = {change for change in changes if change.fatal}
    assert fatal == {change for change in changes if change.what == "is eliminated"} < changes
    assert all(change.harm and change.side == "american" for change in changes)
    assert not rolled(session)


@rule("ost", "105.1", "20.8")
def test_a_captured_mortar_reaches_a_mover_further_than_its_new_squad_ever_could() -> None:
    session = position(
        "g1 ger_rifle R1", "r1 sov_smg A1 with=us_mortar60", map="open 20x4", dice=(6, 1, 1), active="german"
    )
    answer(session, "move g1", "step Q1")
    assert "r1 shell w1 Q1" in keys(session)


@rule("ost", "105.1", "90.1")
@pytest.mark.parametrize(("flag", "intensive"), [("fired", False), ("used", True)])
def test_an_answer_by_intensive_fire_says_so(flag: str, intensive: bool) -> None:
    session = moving(f"{HMG} {flag}", MOVER)
    answer(session, "move a1", "step D4")
    assert session.ask is not None
    assert session.ask.option("g1 at a1 own").label.startswith("Intensive Fire: ") is intensive
