"""Hidden units: stumbling over them, and the ambush (73)."""

from __future__ import annotations

import pytest

from grognard.games.ost import move_events
from grognard.games.ost.fortifications import bar_cover
from grognard.games.ost.state import ON_MAP
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, unit
from tests.games.ost.marches import march, offered

AMBUSH = ("g1 ger_rifle D4", "a1 us_rifle D5 hidden", "a2 us_lt D5 attached=a1")


@pytest.mark.rule("ost", "73.2", "75.10")
def test_the_mover_does_not_know() -> None:
    session = position(*AMBUSH)
    answer(session, "move g1")
    assert offered(session, "step D5")


@pytest.mark.rule("ost", "73.8", "73.4", "73.2")
def test_stumbling_over_a_hidden_unit() -> None:
    session = position(*AMBUSH)
    answer(session, "move g1", "step D5")
    assert not unit(session, "a1").hidden and not unit(session, "a2").hidden
    assert unit(session, "g1").hex == "D4", "it stays in the hex it came from"
    assert [event.unit for event in happened(session, move_events.Halted)] == ["g1"]
    assert session.ask is not None and session.ask.side == "american" and session.ask.reaction == "opportunity fire"
    answer(session, "pass")
    assert unit(session, "g1").moved and not unit(session, "g1").new_hex
    assert session.ask.side == "american" and session.ask.quiet, "the discovery alone is no Opportunity Fire"


@pytest.mark.rule("ost", "73.8", "73.9", "105.7")
def test_the_ambush() -> None:
    session = position(*AMBUSH, dice=(2, 3, 1, 1))
    answer(session, "move g1", "step D5", "a1 at g1 own")
    firepower, _, roll = rolled(session, "ICT attack")[0].tallies
    assert "ambush_fp" in lines(firepower) and "ambush_roll" in lines(roll)
    assert unit(session, "g1").morale
    assert session.ask is not None and session.ask.side == "german", "it halted the mover"
    assert state(session).points["american"] == 4


@pytest.mark.rule("ost", "73.8")
def test_only_the_stack_that_was_stumbled_over_answers() -> None:
    session = position(*AMBUSH, "a3 us_rifle D5 hidden", "a4 us_rifle E5", "a5 us_hmg D6", active="german")
    answer(session, "move g1", "step D5")
    assert {key.split()[0] for key in keys(session)} == {"pass", "a1", "a3", "fire_group"}
    assert keys(session, "fire_group") == ["fire_group a1 a3 at g1"], "nor is anybody else of the group"


@pytest.mark.rule("ost", "73.4")
def test_being_revealed_by_the_own_fire_is_no_effect_of_the_shot() -> None:
    hidden = position("g1 ger_rifle D4", "a1 us_rifle D6 hidden", active="american").odds("fire a1", "at g1 own")
    open_ = position("g1 ger_rifle D4", "a1 us_rifle D6", active="american").odds("fire a1", "at g1 own")
    assert "revealed" in hidden.say(hidden.anyway) and not open_.anyway
    assert open_.to_them < hidden.to_them < 1, "an ambush is better, but not sure"
    assert not any("revealed" in outcome.text for outcome in hidden.outcomes)


@pytest.mark.rule("ost", "73.8")
def test_no_points_no_ambush() -> None:
    session = march(*AMBUSH)
    answer(session, "move g1", "step D5")
    assert session.ask is not None and session.ask.side == "german" and session.ask.quiet
    assert unit(session, "g1").hex == "D4" and unit(session, "g1").moved


@pytest.mark.rule("ost", "73.8", "80.7")
def test_group_stumbles_as_one() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pioneer D4", "g3 ger_lt D4 attached=g1", "a1 us_rifle D5 hidden")
    answer(session, "group_move g1 g2", "step D5")
    assert unit(session, "g1").hex == unit(session, "g2").hex == "D4"
    assert unit(session, "g1").moved and unit(session, "g2").moved


@pytest.mark.rule("ost", "73.3")
def test_work_hidden_with_its_unit_shows_with_it() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D5 hidden inside", works=["bunker D5 american hidden"])
    answer(session, "move g1")
    answer(session, "step D5")
    assert not state(session).works["D5"].hidden


@pytest.mark.rule("ost", "73.3")
def test_no_cover_for_hidden_units() -> None:
    session = march("g1 ger_rifle D4 hidden", "g2 ger_rifle E4")
    assert keys(session, "cover") == ["cover g2"]
    found = bar_cover(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "73.3"


@pytest.mark.rule("ost", "73.6", "73.5")
def test_fire_and_movement_reveal_with_weapons() -> None:
    session = march("g1 ger_rifle D4 hidden with=ger_lmg", "a1 us_rifle D7", dice=(1, 1))
    answer(session, "fire g1", "at a1 own+w1")
    assert not unit(session, "g1").hidden
    assert state(session).weapons["w1"].unit == "g1"
    mover = march("g1 ger_rifle D4 hidden with=ger_lmg")
    answer(mover, "move g1")
    assert [event.unit for event in happened(mover, move_events.Revealed)] == ["g1"]


@pytest.mark.rule("ost", "73.7")
def test_oba_reveals() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle G5 hidden", assets={"german": {"mortars": 1}}, dice=(6, 1, 1))
    answer(session, "oba mortars", "hex G5", "shells")
    assert not unit(session, "a1").hidden
    assert rolled(session, "ICT attack")[0].unit == "a1"


@pytest.mark.rule("ost", "73.1", "73.2")
def test_hidden_units_are_the_scenario_s_and_secret() -> None:
    session = march("g1 ger_rifle D4 hidden", "a1 us_rifle G5 hidden")
    assert unit(session, "g1").hidden and unit(session, "g1").status == ON_MAP
    assert "a1" not in {piece.id for piece in session.view("german").units}
    assert "g1" in {piece.id for piece in session.view("german").units}


@pytest.mark.rule("ost", "73.8")
def test_entering_the_map_onto_hidden_enemies() -> None:
    session = march("g1 ger_rifle - due=5 entry=A4", "g2 ger_rifle D4", "a1 us_rifle A4 hidden")
    answer(session, "enter g1")
    assert unit(session, "g1").status == "off" and not unit(session, "a1").hidden
    assert unit(session, "g1").moved


@pytest.mark.rule("ost", "73.2", "27.1")
def test_odds_of_a_way_do_not_tell_what_is_hidden_on_it() -> None:
    def looked(**hidden: object) -> object:
        where = hidden.pop("at", "A1")
        session = position("g1 ger_rifle D4", f"a1 us_rifle {where} hidden", "a2 us_rifle J8", **hidden)  # type: ignore[arg-type]
        answer(session, "move g1")
        return session.odds("step D3", "step D2")

    assert looked() == looked(at="D3") == looked(mines=["D3 american"])


@pytest.mark.rule("ost", "73.6", "79.2")
def test_passengers_are_shown_with_the_transport_that_fires() -> None:
    session = position(
        "g1 ger_sdkfz251 D4 f=4 hidden",
        "g2 ger_rifle D4 aboard=g1 hidden",
        "g3 ger_sgt D4 attached=g2 hidden",
        "a1 us_rifle D6",
        dice=(1, 1),
    )
    answer(session, "fire g1", "at a1 mg")
    assert [event.unit for event in happened(session, move_events.Revealed)] == ["g1", "g2", "g3"]


@pytest.mark.rule("ost", "70.1", "73.2")
def test_the_rally_of_a_hidden_unit_is_secret() -> None:
    for morale, dice, said in (("shaken", (6, 6), "rall"), ("broken", (1, 1), "Shaken")):
        session = position(f"g1 ger_rifle D4 {morale} hidden", "a1 us_rifle H8", dice=dice)
        answer(session, "rally g1")
        log = {side: " ".join(line.text for line in session.view(side).log) for side in ("german", "american")}
        assert said.lower() in log["german"].lower() and "g1" not in log["american"]


@pytest.mark.rule("ost", "73.6", "79.9")
def test_a_passenger_that_unloads_shows_its_hidden_vehicle() -> None:
    session = march("g1 ger_truck D4 f=1 hidden", "g2 ger_rifle D4 aboard=g1 hidden")
    answer(session, "move g2", "unload")
    assert {event.unit for event in happened(session, move_events.Revealed)} == {"g1", "g2"}


@pytest.mark.rule("ost", "73.2", "73.3")
def test_the_log_tells_of_a_work_that_comes_to_light() -> None:
    units = "g1 ger_rifle D4 hidden inside", "a1 us_rifle D6"
    session = position(*units, works=["bunker D4 german hidden"], dice=(1, 1))
    answer(session, "fire g1", "at a1 own")
    (placed,) = happened(session, move_events.Placed)
    assert (placed.kind, placed.place, placed.rules) == ("bunker", "D4", ("73.2", "73.3"))
    assert any("bunker" in line.text.lower() for line in session.view("american").log)
