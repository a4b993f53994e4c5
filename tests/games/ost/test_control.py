"""Control hexes (65)."""

from __future__ import annotations

import pytest

from grognard.games.ost import control, turn_events
from tests.games.ost.helpers import answer, battle, happened, position, state, unit
from tests.games.ost.marches import march


@pytest.mark.rule("ost", "65.1", "65.2")
def test_hexes_start_with_an_owner_or_none() -> None:
    session = march("g1 ger_rifle D4", control={"D5": "american", "E5": "", "F5": "german"})
    assert state(session).control == {"D5": "american", "E5": "", "F5": "german"}


@pytest.mark.rule("ost", "65.3")
def test_passing_through_is_enough_and_leaving_changes_nothing() -> None:
    session = march("g1 ger_rifle D4", control={"D5": "american", "D6": ""})
    answer(session, "move g1", "step D5", "step D6", "step D7", "stop")
    assert state(session).control == {"D5": "german", "D6": "german"}
    assert [event.place for event in happened(session, turn_events.Captured)] == ["D5", "D6"]


@pytest.mark.rule("ost", "65.3")
@pytest.mark.parametrize("faces", [(3, 4, 1, 1), (3, 4, 6, 6)])
def test_whoever_loses_good_order_there_takes_nothing(faces: tuple[int, ...]) -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle D7", control={"D5": "american"}, dice=faces)
    answer(session, "move g1", "step D5")
    assert state(session).control["D5"] == "american", "not before Opportunity Fire"
    answer(session, "a1 at g1 own")
    assert state(session).control["D5"] == ("german" if faces[2] == 6 else "american")


@pytest.mark.rule("ost", "65.3", "70.4")
def test_rallying_on_the_spot_takes_it() -> None:
    session = march("g1 ger_rifle D5 shaken", control={"D5": "american"}, dice=(6, 6))
    answer(session, "rally g1")
    assert state(session).control["D5"] == "german"


@pytest.mark.rule("ost", "65.3")
def test_shaken_unit_passing_through_takes_nothing() -> None:
    session = march("g1 ger_rifle D4 shaken", control={"D5": "american"})
    answer(session, "move g1", "step D5", "stop")
    assert state(session).control["D5"] == "american"


@pytest.mark.rule("ost", "65.4", "11.2")
@pytest.mark.parametrize("kind", ["ger_lt", "ger_sniper", "ger_crew", "ger_truck", "ger_kubel"])
def test_who_cannot_take_a_hex(kind: str) -> None:
    session = march(f"g1 {kind} D4 f=4", control={"D5": "american"})
    answer(session, "move g1", "step D5")
    assert state(session).control["D5"] == "american"


@pytest.mark.rule("ost", "65.3", "65.4")
@pytest.mark.parametrize("kind", ["ger_rifle", "ger_hmg42", "ger_pz4h", "ger_sdkfz251"])
def test_who_can(kind: str) -> None:
    session = march(f"g1 {kind} D4 f=4", control={"D5": "american"})
    answer(session, "move g1", "step D5")
    assert state(session).control["D5"] == "german"


@pytest.mark.rule("ost", "65.4", "79.9")
def test_passengers_take_it_when_they_unload() -> None:
    session = march("g1 ger_truck D4 f=4", "g2 ger_rifle D4 aboard=g1", control={"D5": "american"})
    answer(session, "move g1", "step D5", "face 4", "stop")
    assert state(session).control["D5"] == "american"
    answer(session, "move g2", "unload", "stop")
    assert state(session).control["D5"] == "german"


@pytest.mark.rule("ost", "65.5")
def test_melee_leaves_the_old_owner() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D5", control={"D5": "american"})
    answer(session, "assault g1 D5")
    control.capture(battle(session), unit(session, "g1"))
    assert state(session).control["D5"] == "american"


@pytest.mark.rule("ost", "65.6")
@pytest.mark.parametrize(("who", "owner"), [("ger_rifle D5 broken", "german"), ("ger_truck D5 f=1", "american")])
def test_alone_after_a_melee_one_owns_it_whatever_one_s_morale(who: str, owner: str) -> None:
    session = march(f"g1 {who}", control={"D5": "american"})
    control.after_melee(battle(session), "D5")
    assert state(session).control["D5"] == owner


@pytest.mark.rule("ost", "65.6")
def test_both_sides_left_changes_nothing() -> None:
    session = march("g1 ger_rifle D5", "a1 us_rifle D5", melees=["D5 german"], control={"D5": "american"})
    control.after_melee(battle(session), "D5")
    assert state(session).control["D5"] == "american"


@pytest.mark.rule("ost", "65.3", "65.6")
def test_captures_cite_how_they_came_about() -> None:
    walked = march("g1 ger_rifle D4", control={"D5": "american"})
    answer(walked, "move g1", "step D5")
    fought = march("g1 ger_rifle D5", "a1 us_rifle H8", control={"D5": "american"})
    control.after_melee(battle(fought), "D5")
    told = [(e.side, e.place, e.rules) for session in (walked, fought) for e in happened(session, turn_events.Captured)]
    assert told == [("german", "D5", ("65.3",)), ("german", "D5", ("65.6",))]


@pytest.mark.rule("ost", "65.3")
@pytest.mark.parametrize(("flags", "owner"), [("", "german"), ("shaken", ""), ("broken", ""), ("hidden", "")])
def test_only_who_is_in_good_order_and_seen_takes_a_hex_that_nobody_owns(flags: str, owner: str) -> None:
    session = march(f"g1 ger_rifle D5 {flags}", control={"D5": ""})
    control.capture(battle(session), unit(session, "g1"))
    assert state(session).control["D5"] == owner


@pytest.mark.rule("ost", "65.6", "65.4", "79.2")
@pytest.mark.parametrize(
    ("units", "owner"),
    [
        (("g1 ger_truck D5 f=1", "g2 ger_rifle D5"), "german"),
        (("g1 ger_truck D5 f=1", "g2 ger_rifle D5 aboard=g1"), "american"),
        (("g1 ger_sgt D5", "g2 ger_rifle D5"), "german"),
        (("g1 ger_sgt D5",), "american"),
    ],
)
def test_after_a_melee_any_of_the_stack_that_may_owns_it(units: tuple[str, ...], owner: str) -> None:
    session = march(*units, control={"D5": "american"})
    control.after_melee(battle(session), "D5")
    assert state(session).control["D5"] == owner


@pytest.mark.rule("ost", "65.6")
def test_after_a_melee_the_owner_who_stays_takes_nothing_anew_and_other_hexes_are_none() -> None:
    session = march("g1 ger_rifle D5", "g2 ger_rifle E5", control={"D5": "german"})
    for hex in ("D5", "E5", "F5"):
        control.after_melee(battle(session), hex)
    assert not happened(session, turn_events.Captured) and state(session).control == {"D5": "german"}
