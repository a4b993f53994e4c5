"""Stacking limits (72)."""

from __future__ import annotations

import pytest

from grognard.games.ost import stacking
from tests.games.ost.helpers import answer, battle, keys, unit
from tests.games.ost.marches import march, offered


def bar(session: object, hex: str, *ids: str) -> str:
    """The rule against these units in a hex."""
    ours = battle(session)  # type: ignore[arg-type]
    found = stacking.bar_stack(ours, "german", hex, [ours.unit(id) for id in ids])
    return found.rule if found else ""


@pytest.mark.rule("ost", "72.1", "75.10")
def test_third_unit_may_not_enter() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4", "g3 ger_hmg42 E4", "a1 us_rifle D5")
    answer(session, "move g1")
    assert not offered(session, "step E4")
    assert not offered(session, "step D5") and offered(session, "step C5"), "nor where an enemy is"
    assert bar(session, "E4", "g1") == "72.1"
    assert bar(session, "E5", "g1") == ""


@pytest.mark.rule("ost", "72.1")
def test_two_leaders_at_most() -> None:
    session = march(
        "g1 ger_rifle D4",
        "g2 ger_lt D4 attached=g1",
        "g3 ger_rifle E4",
        "g4 ger_sgt E4 attached=g3",
        "g5 ger_cpt E4",
        "g6 ger_rifle D5",
    )
    assert bar(session, "E4", "g1") == "72.1", "its Lieutenant would be the third Leader"
    assert bar(session, "E4", "g6") == ""


@pytest.mark.rule("ost", "72.1", "16.6")
def test_an_armor_leader_counts_with_his_vehicle() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h E4 f=1", "g3 ger_arm_lt E4 attached=g2", "g4 ger_rifle C4")
    answer(session, "move g1")
    assert offered(session, "step E4"), "the tank is one unit, and he is no Leader of the two"
    answer(session, "step E4", "stop")
    assert bar(session, "E4", "g4") == "72.1"
    led = march("g2 ger_pz4h E4 f=1", "g3 ger_arm_lt E4 attached=g2", "g1 ger_rifle D4", "g4 ger_sgt D4 attached=g1")
    assert bar(led, "E4", "g1") == ""
    three = march(
        "g2 ger_pz4h E4 f=1", "g3 ger_arm_lt E4 attached=g2", "g4 ger_sgt E4", "g5 ger_lt E4", "g1 ger_rifle D4"
    )
    assert bar(three, "E4", "g1") == "", "two Leaders besides him"


@pytest.mark.rule("ost", "72.1")
def test_any_number_of_support_weapons() -> None:
    session = march(
        "g1 ger_rifle D4 with=ger_lmg",
        "g2 ger_rifle E4 with=ger_lmg",
        weapons=["w7 ger_panzerfaust E4", "w8 ger_panzerfaust E4", "w9 ger_satchel E4"],
    )
    answer(session, "move g1", "step E4", "stop")
    assert unit(session, "g1").hex == "E4"
    assert len(battle(session).weapons_lying("E4")) == 3


@pytest.mark.rule("ost", "72.2", "79.23")
def test_vehicle_and_passenger_count_as_one() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_sdkfz251 E4", "g3 ger_rifle E4 aboard=g2", "g4 ger_rifle C4")
    assert bar(session, "E4", "g1") == ""
    answer(session, "move g1", "step E4", "stop")
    assert bar(session, "E4", "g4") == "72.1"


@pytest.mark.rule("ost", "72.4")
def test_no_passing_through_a_full_hex() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D3", "g3 ger_rifle D3", map="open 10x8")
    answer(session, "move g1")
    assert not offered(session, "step D3")
    answer(session, "step E4")
    assert not offered(session, "step D3") and offered(session, "step E3")


@pytest.mark.rule("ost", "12.2")
def test_sniper_stacks_with_nobody() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_sniper E4", "g3 ger_lt D5", "g4 ger_sniper C4")
    assert bar(session, "E4", "g1") == "12.2"
    assert bar(session, "E4", "g3") == "12.2"
    assert bar(session, "D4", "g2") == "12.2"
    assert bar(session, "D3", "g4") == ""


@pytest.mark.rule("ost", "28.1", "29.1", "72.1")
@pytest.mark.parametrize("work", ["bunker", "pillbox"])
@pytest.mark.parametrize(("second", "third"), [("", ""), ("inside", ""), ("inside", "inside")])
def test_bunkers_and_pillboxes_hold_no_more(work: str, second: str, third: str) -> None:
    """Inside or outside, all who are in the hex count; with one of them fewer there is room, and a way in."""
    works = [f"{work} E4 german facing=1"]
    units = ("g1 ger_rifle D4", f"g2 ger_rifle E4 {second}", f"g3 ger_rifle E4 {third}")
    full = march(*units, works=works)
    answer(full, "move g1")
    assert not offered(full, "step E4") and bar(full, "E4", "g1") == "72.1"
    room = march(*units[:2], works=works)
    answer(room, "move g1", "step E4", "inside", "stop")
    assert unit(room, "g1").hex == "E4" and unit(room, "g1").inside


@pytest.mark.rule("ost", "34.5")
def test_wrecks_do_not_count() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4", wrecks={"E4": 2})
    answer(session, "move g1", "step E4")
    assert unit(session, "g1").hex == "E4"


@pytest.mark.rule("ost", "72.1")
def test_hidden_friends_count_hidden_enemies_do_not_tell() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4 hidden", "g3 ger_rifle E4 hidden", "a1 us_rifle D3 hidden")
    answer(session, "move g1")
    assert "step E4" not in keys(session)
    assert "step D3" in keys(session)
