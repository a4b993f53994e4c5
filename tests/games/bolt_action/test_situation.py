"""Situations: positions set by hand, what they come to, and what is told of faulty ones."""

from __future__ import annotations

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.bolt_action import GAME
from grognard.games.bolt_action.battle import copy_state
from grognard.games.bolt_action.invariants import invariants
from grognard.games.bolt_action.situation import load_situation
from grognard.games.bolt_action.state import ABOARD, ON_TABLE, RESERVE, State
from tests.games.bolt_action.play import box, field, look, piece, play, situation, the_state, unit

US = unit("us_squad", "a1", at=(20, 30))
GERMAN = unit("ger_grenadiers", "g1", at=(20, 10), heading=180)


def faults(*units: dict[str, object], **head: object) -> list[str]:
    text = situation(*units, **head)  # type: ignore[arg-type]
    with pytest.raises(MalformedError) as error:
        load_situation(Document.from_toml(text, "position.toml"))
    return [str(fault) for fault in error.value.faults]


def loaded(*units: dict[str, object], **head: object) -> State:
    text = situation(*units, **head)  # type: ignore[arg-type]
    return load_situation(Document.from_toml(text, "position.toml"))[1]


@pytest.mark.rule("bolt_action", "1.9")
def test_there_is_a_die_in_the_cup_for_every_unit_without_one() -> None:
    state = loaded(US, unit("us_mmg", at=(40, 30), die="ambush"), GERMAN, drawn="american")
    assert state.cup == {"american": 0, "german": 1}
    assert (state.drawn, state.side) == (True, "american")
    assert loaded(US, GERMAN).cup == {"american": 1, "german": 1}


def test_a_line_stands_where_it_is_told() -> None:
    men = look(play(US, GERMAN, drawn="american"), "a1").models
    assert sum(man.x for man in men) / len(men) == pytest.approx(2000, abs=1)
    assert {man.y for man in men} == {3000}


def test_single_models_can_be_set_and_the_others_are_dead() -> None:
    state = loaded(unit("us_squad", "a1", models=[(10, 10), (11.5, 10), {"id": "m12", "at": (13, 10)}]), GERMAN)
    assert [(man.id, man.x, man.y) for man in state.units["a1"].models] == [
        ("m1", 1000, 1000),
        ("m2", 1150, 1000),
        ("m12", 1300, 1000),
    ]
    assert state.units["a1"].size == 12


def test_whoever_rides_is_where_the_vehicle_is() -> None:
    state = loaded(US, GERMAN, unit("ger_sdkfz251", "h1", at=(50, 20)), unit("ger_mmg", "g2", aboard="h1"))
    riders = state.units["g2"]
    assert riders.status == ABOARD
    assert {(man.x, man.y) for man in riders.models} == {(5000, 2000)}


def test_a_reserve_needs_no_place() -> None:
    state = loaded(US, GERMAN, unit("ger_stug3", "g2", status="reserve"))
    assert state.units["g2"].status == RESERVE
    assert state.units["g1"].status == ON_TABLE


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ([unit("us_squat", "a1", at=(3, 3))], 'no unit called "us_squat"'),
        ([unit("us_squad", "a1", at=(99, 3))], "is not on the table"),
        ([unit("us_squad", "a1")], "a unit on the table without a place"),
        ([US, unit("us_mmg", "a1", at=(50, 30))], 'the id "a1" twice'),
        ([US, unit("us_mmg", "a2", at=(50, 30), die="hide")], "order"),
        ([US, unit("us_mmg", "a2", aboard="a9")], 'no unit "a9"'),
        ([US, unit("us_mmg", "a2", at=(50, 30), building="farm")], 'no piece of terrain "farm"'),
        ([US, unit("us_mmg", "a2", at=(50, 30), heading=360)], "a heading of 360"),
        ([US, unit("us_mmg", "a2", at=(50, 30), status="gone")], "status"),
        ([unit("us_mmg", "a2", models=[(1, 1), (3, 1), (5, 1), (7, 1)])], "more places than the 3 models"),
        ([unit("us_mmg", "a2", models=[{"id": "m7", "at": (1, 1)}])], 'no model "m7"'),
        ([unit("us_mmg", "a2", models=[{"id": "m1"}])], "missing required field"),
        ([US, unit("us_mmg", "a2", at=(20, 30))], "stand in each other"),
        ([unit("us_m4", "a2", at=(1, 20))], "off the table"),
        ([unit("us_squad", "a1", at=(20, 30), pins=9)], "9 pins and should be gone (6.3)"),
        ([unit("us_jeep", "a1", at=(20, 30)), unit("us_squad", "a2", aboard="a1")], "has room for 3 (24.1)"),
        ([unit("us_jeep", "a1", at=(20, 30)), unit("us_3in", "a2", aboard="a1")], "tows what it cannot (24.1)"),
        ([unit("us_squad", "a1", models=[{"at": (3, 3), "arms": [7]}])], "a weapon that the unit has not"),
    ],
)
def test_what_cannot_be_is_told(units: list[dict[str, object]], told: str) -> None:
    found = faults(*units, GERMAN)
    assert any(told in fault for fault in found), found


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ({"phase": "tea"}, "phase"),
        ({"drawn": "british"}, "side"),
        ({"wreck": [{"kind": "ger_stug9", "at": [3, 3]}]}, "no unit called"),
        ({"strike": [{"kind": "rain", "side": "american", "unit": "a1"}]}, "strike"),
        ({"cup": {"soviet": 3}}, "side"),
        ({"terrain": [piece("hege", (1, 1), (5, 5))]}, "hege"),
        ({"colour": "red"}, 'unknown key "colour"'),
        ({"unit_": [3]}, "unknown key"),
        ({"sides": ["american", "german", "soviet"]}, "3 sides"),
    ],
)
def test_a_faulty_head_is_told(head: dict[str, object], told: str) -> None:
    found = faults(US, GERMAN, **head)
    assert any(told in fault for fault in found), found


def test_wrecks_smoke_and_called_fire_lie_where_they_are_told() -> None:
    state = loaded(
        US,
        unit("us_observer", "a2", at=(40, 40), called=True),
        GERMAN,
        wreck=[{"kind": "ger_stug3", "at": [50, 20], "heading": 90}],
        smoke=[[30, 20, 3]],
        strike=[{"kind": "barrage", "side": "american", "unit": "a2", "turn": 1, "at": [20, 8]}],
        changed={"barn": "rubble"},
        terrain=[box("building", 60, 5, 65, 10, id="barn")],
    )
    assert [(wreck.x, wreck.y, wreck.heading) for wreck in state.wrecks] == [(5000, 2000, 90)]
    assert state.smoke == [(3000, 2000, 300)]
    assert [(strike.kind, strike.x, strike.y) for strike in state.strikes] == [("barrage", 2000, 800)]


def test_a_copy_is_equal_and_shares_nothing() -> None:
    state = the_state(play(US, GERMAN, drawn="american", lost={"german": ["g9"]}))
    copy = copy_state(state)
    assert GAME.encode(copy) == GAME.encode(state)
    copy.units["a1"].models[0].arms.append(1)
    copy.units["a1"].models.pop()
    copy.cup["american"] = 9
    copy.lost["german"].append("g8")
    assert GAME.encode(copy) != GAME.encode(state)
    assert len(state.units["a1"].models) == 12 and state.units["a1"].models[0].arms == [0]
    assert state.lost["german"] == ["g9"]


def test_a_decoded_state_is_the_same() -> None:
    state = the_state(play(US, GERMAN, drawn="american"))
    assert GAME.encode(GAME.decode(GAME.encode(state))) == GAME.encode(state)


# ---- invariants ---------------------------------------------------------------------------------------------


def test_a_sound_position_has_nothing_wrong() -> None:
    assert invariants(field(US, GERMAN, drawn="american")) == []


@pytest.mark.rule("bolt_action", "1.9", "1.10")
def test_dice_are_neither_lost_nor_made() -> None:
    battle = field(US, GERMAN)
    battle.state.cup["american"] = 0
    assert any("american has 1 units" in wrong for wrong in invariants(battle))
    battle.state.cup["american"] = 2
    assert any("2 dice to come for 1 units" in wrong for wrong in invariants(battle))
    battle.state.cup["american"] = -1
    assert any("-1 dice" in wrong for wrong in invariants(battle))


@pytest.mark.rule("bolt_action", "8.4")
def test_enemies_keep_an_inch_apart() -> None:
    battle = field(US, unit("ger_mmg", "g1", at=(20.62, 28.5), heading=180))
    assert any("0.50″ apart (8.4)" in wrong for wrong in invariants(battle))


def test_broken_records_are_told() -> None:
    battle = field(US, GERMAN)
    squad = battle.unit("a1")
    squad.die, squad.side, squad.pins = "hide", "french", -1
    squad.models[1].id = "m1"
    battle.unit("g1").models.clear()
    battle.touched()
    told = " / ".join(invariants(battle))
    for words in ("belongs to no side", "'hide'", "-1 pins", "two models of one id", "without anybody"):
        assert words in told


@pytest.mark.rule("bolt_action", "1.9", "1.10")
def test_a_die_set_aside_is_not_in_the_cup_as_well() -> None:
    battle = field(US, GERMAN)
    battle.state.cup["american"], battle.state.aside["american"] = 2, 1
    assert any("2 dice to come for 1 units" in wrong for wrong in invariants(battle))


@pytest.mark.rule("bolt_action", "28.4")
def test_losses_are_counted_once_and_leave_nothing() -> None:
    battle = field(US, GERMAN)
    gone = battle.unit("g1")
    gone.status = "lost"
    battle.touched()
    told = " / ".join(invariants(battle))
    assert "still has a die, pins, a building or models" in told and "counted 0 times" in told


@pytest.mark.rule("bolt_action", "9.2", "9.4", "25.1")
def test_nobody_stands_where_he_cannot_be() -> None:
    rocks = [box("woods", 30, 20, 40, 30, id="wood"), box("building", 50, 20, 56, 26, id="farm")]
    truck = unit("us_truck", "a2", at=(35, 25))
    held = unit("us_2lt", "a3", at=(52, 23), building="farm")
    battle = field(US, GERMAN, truck, held, unit("ger_2lt", "g2", at=(54, 23), building="farm"), terrain=rocks)
    told = " / ".join(invariants(battle))
    assert "stands in wood (9.2)" in told and "both sides are in farm" in told
    battle.unit("g2").building = ""
    battle.state.changed["farm"] = "rubble"
    battle.touched()
    assert "is in 'farm', which is no building" in " / ".join(invariants(battle))
