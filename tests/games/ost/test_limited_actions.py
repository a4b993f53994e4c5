"""Two actions a turn, Moving Fire and Intensive Fire (74, 88.7-88.9, 89, 90)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import turn_events
from grognard.games.ost.state import BROKEN, GOOD, SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, lines, options, position, state, tally, unit
from tests.games.ost.shots import FAIL, NOTHING, Attack, all_thrown, attacks, dice_thrown, shoot, shots

ALONE: dict[str, Any] = {"points": {"german": 8, "american": 0}}  # all Impulses are German
RIFLES = ("g1 ger_rifle D3", "a1 us_rifle D7")


def verbs(session: Session, unit: str = "g1") -> set[str]:
    """What a unit may do now."""
    return {option.verb for option in options(session) if option.unit == unit}


def markers(session: Session) -> list[str]:
    """The markers put on units, in order."""
    return [event.marker for event in happened(session, turn_events.Marked)]


# ---- 74: limited actions ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "74.1", "74.2", "74.6", "74.3", "89.1")
def test_move_then_fire_is_moving_fire_and_uses_the_unit_up() -> None:
    session = position(*RIFLES, dice=NOTHING, **ALONE)
    answer(session, "move g1", "step D4", "stop")
    assert verbs(session) == {"fire", "cover"}
    shoot(session, "g1", "a1 own")
    assert lines(tally(session, "attack roll")) == {"moving_fire": -1}
    assert markers(session) == ["Moved", "Used"]
    assert battle(session).used(unit(session, "g1"))
    assert options(session, "fire")[0].label == "Intensive Fire" and keys(session, "move") == []


@pytest.mark.rule("ost", "74.1", "74.4", "89.3", "74.6")
def test_fire_then_move_is_no_moving_fire() -> None:
    session = position(*RIFLES, dice=NOTHING, **ALONE)
    shoot(session, "g1", "a1 own")
    assert lines(tally(session, "attack roll")) == {}
    answer(session, "move g1", "step D4", "stop")
    assert markers(session) == ["Fired", "Used"]
    assert verbs(session) == {"fire", "cover"} and options(session, "fire")[0].label == "Intensive Fire"


@pytest.mark.rule("ost", "74.1", "74.5", "74.6", "88.7", "88.8", "88.9")
def test_a_unit_may_fire_twice_and_no_more() -> None:
    session = position(*RIFLES, dice=NOTHING * 2, **ALONE)
    shoot(session, "g1", "a1 own")
    assert (unit(session, "g1").fired, markers(session)) == (1, ["Fired"])
    shoot(session, "g1", "a1 own")
    assert (unit(session, "g1").fired, markers(session)) == (2, ["Fired", "Used"])
    assert keys(session, "move") == [] and options(session, "fire")[0].label == "Intensive Fire"
    assert attacks(session) == [Attack("ICT", "a1", 4, 4, 0)] * 2


@pytest.mark.rule("ost", "74.2", "82.5")
@pytest.mark.parametrize("first", ["moved", "fired"])
def test_an_assault_move_is_an_action_too(first: str) -> None:
    session = position(f"g1 ger_rifle D4 {first}", "a1 us_rifle D5", **ALONE)
    assert keys(session, "assault")
    used = position("g1 ger_rifle D4 used", "a1 us_rifle D5")
    assert keys(used, "assault") == []
    answer(session, keys(session, "assault")[0])
    assert battle(session).used(unit(session, "g1")) and verbs(session) == set()


@pytest.mark.rule("ost", "74.1", "75.2")
def test_a_unit_moves_once_a_turn() -> None:
    assert "move" not in verbs(position("g1 ger_rifle D3 moved", "a1 us_rifle D7"))
    assert "move" in verbs(position("g1 ger_rifle D3 fired", "a1 us_rifle D7"))


@pytest.mark.rule("ost", "74.7", "25.2")
def test_rally_and_cover_are_no_limited_actions() -> None:
    session = position("g1 ger_rifle D3 shaken used", "a1 us_rifle D7", dice=(1, *FAIL, 1, *FAIL, 5), **ALONE)
    answer(session, "cover g1", "rally g1", "cover g1", "rally g1", "cover g1")
    assert all_thrown(session)
    assert dice_thrown(session) == ["Cover g1", "Rally g1", "Cover g1", "Rally g1", "Cover g1"]
    assert state(session).works["D3"].kind == "cover"
    assert lines(tally(session, "rally modifiers")) == {}  # no penalty
    fresh = position("g1 ger_rifle D3 shaken", "a1 us_rifle D7", dice=(1, *FAIL), **ALONE)
    answer(fresh, "cover g1", "rally g1")
    assert battle(fresh).actions(unit(fresh, "g1")) == 0


@pytest.mark.rule("ost", "74.6", "111.11", "8.8")
def test_a_new_turn_gives_new_actions() -> None:
    units = ("g1 ger_rifle D3 moved fired", "a1 us_rifle D7 used")
    session = position(*units, points={"german": 1, "american": 0}, dice=(6, 5, 1, 2, 3, 3, 3, 3))
    answer(session, "burn")
    assert verbs(session) == {"move", "fire", "cover"}
    assert options(session, "fire")[0].label == "Fire" and state(session).turn == 4


# ---- 89: Moving Fire --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "89.1")
def test_moving_fire_counts_for_every_roll_of_every_shot() -> None:
    units = ("g1 ger_pz4h D4 f=4 moved", "a1 us_m4a1 D7 f=1", "a2 us_rifle E7")
    session = position(*units, dice=(3, 4, *NOTHING, *NOTHING))  # 7 - 1 = 6 hits
    shoot(session, "g1", "a1 main", "a2 mg")
    assert lines(tally(session, "To Hit roll")) == {"moving_fire": -1}
    assert [attack.roll for attack in attacks(session)] == [-1, -1]
    missed = position(*units, dice=(3, 3))
    shoot(missed, "g1", "a1 main")
    assert attacks(missed) == []


@pytest.mark.rule("ost", "89.2", "76.7")
def test_a_vehicle_that_pivots_has_moved() -> None:
    session = position("g1 ger_stug3g D4 f=1", "a1 us_rifle D7", dice=NOTHING, **ALONE)
    assert shots(session, "g1") == ["a1 mg"]
    answer(session, "move g1", "pivot 4", "stop")
    shoot(session, "g1", "a1 main")
    assert lines(tally(session, "attack roll")) == {"moving_fire": -1}


@pytest.mark.rule("ost", "89.2", "17.14")
def test_a_gun_that_spins_has_moved() -> None:
    session = position("g1 ger_pak40 D4 f=1", "a1 us_m4a1 D7 f=1", dice=(3, 4, *NOTHING), **ALONE)
    answer(session, "move g1", "pivot 4")
    shoot(session, "g1", "a1 main")
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == {"moving_fire": -1}


@pytest.mark.rule("ost", "89.3")
def test_whoever_is_fired_at_while_moving_does_not_hinder_the_shot() -> None:
    session = position("g1 ger_rifle D8", "a1 us_rifle D4", dice=NOTHING)
    answer(session, "move g1", "step D7", "a1 at g1 own")
    assert lines(tally(session, "attack roll")) == {}


# ---- 90: Intensive Fire -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "74.8", "90.1", "90.2", "90.3")
def test_a_used_unit_may_fire_intensively() -> None:
    session = position("g1 ger_rifle D3 used", "a1 us_rifle D7", dice=NOTHING)
    shoot(session, "g1", "a1 own")
    assert lines(tally(session, "Firepower")) == {"intensive_fire_fp": -1}
    assert lines(tally(session, "attack roll")) == {"intensive_fire_roll": -1}
    assert unit(session, "g1").morale == SHAKEN and all_thrown(session)  # no Gut Check
    assert markers(session) == ["Intensive Fire"] and state(session).points["german"] == 4


@pytest.mark.rule("ost", "90.1")
@pytest.mark.parametrize("flags", ["", "fired", "moved"])
def test_only_a_used_unit_fires_intensively(flags: str) -> None:
    session = position(f"g1 ger_rifle D3 {flags}", "a1 us_rifle D7", dice=NOTHING)
    assert options(session, "fire")[0].label == "Fire"
    shoot(session, "g1", "a1 own")
    assert lines(tally(session, "Firepower")) == {} and unit(session, "g1").morale == GOOD


@pytest.mark.rule("ost", "90.3", "89.1")
def test_intensive_fire_adds_to_moving_fire() -> None:
    units = ("g1 ger_pz4h D4 f=4 moved fired", "a1 us_m4a1 D7 f=1", "a2 us_rifle E7")
    session = position(*units, dice=(4, 4, *NOTHING, *NOTHING))
    shoot(session, "g1", "a1 main", "a2 mg")  # both armaments are one Intensive Fire
    both = {"moving_fire": -1, "intensive_fire_roll": -1}
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == both
    assert [attack.firepower for attack in attacks(session)] == [10, 1]
    assert markers(session) == ["Intensive Fire"]


@pytest.mark.rule("ost", "90.2", "68.10")
def test_a_shaken_unit_is_broken_by_intensive_fire() -> None:
    session = position("g1 ger_rifle D3 used shaken", "a1 us_rifle D7", dice=NOTHING)
    shoot(session, "g1", "a1 own")
    assert unit(session, "g1").morale == BROKEN


@pytest.mark.rule("ost", "90.2")
def test_the_leader_of_the_unit_stays_calm() -> None:
    units = ("g1 ger_rifle D3 used", "g2 ger_sgt - attached=g1", "a1 us_rifle D7")
    session = position(*units, dice=NOTHING)
    shoot(session, "g1", "a1 own")
    assert unit(session, "g2").morale == GOOD and all_thrown(session)


@pytest.mark.rule("ost", "90.2")
def test_what_intensive_fire_costs_is_no_chance_of_an_effect() -> None:
    """That it leaves the firer Shaken is certain; how good the shot is, the odds of a plain one nearly tell."""
    session = position("g1 ger_rifle D3 used", "a1 us_rifle D7")
    answer(session, "fire g1")
    odds = session.odds("at a1 own")
    assert [change.unit for change in odds.anyway if change.what == "is Shaken"] == ["g1"] and odds.to_us == 0
    assert 0 < odds.to_them < 0.5
    assert not any("g1" in text for outcome in odds.outcomes for text in outcome.results)


@pytest.mark.rule("ost", "90.4")
def test_after_intensive_fire_a_unit_does_nothing_more_this_turn() -> None:
    session = position("g1 ger_rifle D3 used", "a1 us_rifle D7", dice=NOTHING, **ALONE)
    shoot(session, "g1", "a1 own")
    assert verbs(session) == set()  # no Fire, no Move, no Rally, no Cover
    lenient = position(
        "g1 ger_rifle D3 shaken used intensive", "a1 us_rifle D7", options={"intensive_bars_rally": False}
    )
    assert "rally" in verbs(lenient)


@pytest.mark.rule("ost", "90.4")
def test_nor_does_it_fire_at_what_moves() -> None:
    session = position("g1 ger_rifle D8", "a1 us_rifle D4 intensive used")
    answer(session, "move g1", "step D7")
    assert session.ask is not None and session.ask.side == "german"


@pytest.mark.rule("ost", "90.4")
def test_it_defends_itself_in_melee() -> None:
    units = ("g1 ger_rifle D4 shaken intensive used", "a1 us_rifle D4")
    session = position(*units, melees=["D4 american"], phase="melee", dice=NOTHING * 2)
    assert dice_thrown(session) == ["Melee attack g1", "Melee attack a1"]


@pytest.mark.rule("ost", "90.1", "105.1")
def test_intensive_fire_may_be_opportunity_fire() -> None:
    session = position("g1 ger_rifle D8", "a1 us_rifle D4 used", dice=NOTHING)
    answer(session, "move g1", "step D7", "a1 at g1 own")
    assert lines(tally(session, "Firepower")) == {"intensive_fire_fp": -1}
    assert unit(session, "a1").morale == SHAKEN and unit(session, "a1").intensive


@pytest.mark.rule("ost", "90.1", "20mo.11")
def test_intensive_fire_is_an_attack_and_lays_no_smoke() -> None:
    mortar = "g1 ger_rifle D3 {} with=ger_mortar50"
    assert "smoke w1" in shots(position(mortar.format("fired"), "a1 us_rifle D7"), "g1")
    assert shots(position(mortar.format("used"), "a1 us_rifle D7"), "g1") == ["a1 own", "shell w1 D7"]


@pytest.mark.rule("ost", "90.1", "92.1")
def test_a_used_unit_is_in_no_fire_group() -> None:
    units = ("g2 ger_sgt - attached=g1", "g3 ger_rifle E4", "a1 us_rifle D7")
    assert keys(position("g1 ger_rifle D3", *units), "fire_group")
    assert keys(position("g1 ger_rifle D3 used", *units), "fire_group") == []
