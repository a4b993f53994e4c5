"""Situations: positions set by hand, what they come to, and what is told of faulty ones."""

from __future__ import annotations

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.invariants import invariants
from grognard.games.bolt_action.situation import load_situation
from grognard.games.bolt_action.state import State, copy_state
from grognard.kits.table.state import ABOARD, ON_TABLE, RESERVE
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
        ([US, unit("us_mmg", "a2", at=(20, 30))], "overlap"),
        ([unit("us_m4", "a2", at=(1, 20))], "off the table"),
        ([unit("us_squad", "a1", at=(20, 30), pins=9)], "9 pins and should be gone (6.3)"),
        ([unit("us_jeep", "a1", at=(20, 30)), unit("us_squad", "a2", aboard="a1")], "has room for 3 (24.1)"),
        (
            [unit("us_jeep", "a1", at=(20, 30)), unit("us_3in", "a2", aboard="a1")],
            "tows a unit that it can't tow (24.1)",
        ),
        ([unit("us_squad", "a1", models=[{"at": (3, 3), "arms": [7]}])], "a weapon that the unit doesn't have"),
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
    copy.units["a1"].models[0].arms = (0, 1)
    copy.units["a1"].models.pop()
    copy.cup["american"] = 9
    copy.lost["german"].append("g8")
    assert GAME.encode(copy) != GAME.encode(state)
    assert len(state.units["a1"].models) == 12 and state.units["a1"].models[0].arms == (0,)
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
    battle.invalidate()
    told = " / ".join(invariants(battle))
    for words in ("doesn't belong to a side", "'hide'", "-1 pins", "two models of one id", "without any models"):
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
    battle.invalidate()
    told = " / ".join(invariants(battle))
    assert "still has a die, pins, a building or models" in told and "counted 0 times" in told


@pytest.mark.rule("bolt_action", "9.2", "9.4", "25.1")
def test_nobody_stands_where_he_cannot_be() -> None:
    rocks = [box("woods", 30, 20, 40, 30, id="wood"), box("building", 50, 20, 56, 26, id="farm")]
    truck = unit("us_truck", "a2", at=(45, 25))
    held = unit("us_2lt", "a3", at=(52, 23), building="farm")
    battle = field(US, GERMAN, truck, held, unit("ger_2lt", "g2", at=(60, 23)), terrain=rocks)
    assert not invariants(battle)
    battle.unit("a2").models[0].x = 3500
    battle.unit("g2").building = "farm"
    battle.invalidate()
    told = " / ".join(invariants(battle))
    assert "stands in wood (9.2)" in told and "both sides are in farm" in told
    battle.unit("g2").building = ""
    battle.state.changed["farm"] = "rubble"
    battle.invalidate()
    assert "is in 'farm', which is not a building" in " / ".join(invariants(battle))


# ---- what check tells, on which line -----------------------------------------------------------------------

FILE = """game = "bolt_action"
drawn = "american"
[table]
width = 48
height = 36
[[terrain]]
kind = "building"
id = "farm"
points = [[10, 2], [17, 2], [17, 9], [10, 9]]
[[terrain]]
kind = "woods"
id = "wood"
points = [[20, 2], [30, 2], [30, 9], [20, 9]]
[[unit]]
id = "a1"
kind = "us_squad10"
at = [24, 30]
[[unit]]
id = "g1"
kind = "ger_infantry"
at = [24, 14]
heading = 180
"""


def told(more: str, text: str = FILE) -> list[str]:
    """The faults of a file with more in it, without its name."""
    with pytest.raises(MalformedError) as error:
        load_situation(Document.from_toml(text + more, "position.toml"))
    return [str(fault).removeprefix("position.toml:") for fault in error.value.faults]


def added(kind: str, *lines: str) -> str:
    return "\n".join(["[[unit]]", 'id = "x1"', f'kind = "{kind}"', *lines, ""])


#: The line on which the first word of an added unit stands.
FIRST = FILE.count("\n") + 4


@pytest.mark.parametrize(
    ("kind", "lines", "line", "words"),
    [
        ("us_squad10", ["at = [24, 34]", "men = 14"], 1, "unit[3].men: 14 men in"),
        ("us_squad10", ["at = [24, 34]", "men = -1"], 1, "unit[3].men: Expected `int` >= 0"),
        ("us_jeep", ["at = [24, 33]", "men = 2"], 1, "unit[3].men: men = 2 for a vehicle"),
        ("us_2lt", ["heading = 0", "at = [13, 5]"], 1, "stands in farm (25.2)"),
        ("us_2lt", ["heading = 0", "at = [13, 5]"], 1, 'a place outside it, or building = "farm"'),
        ("us_bazooka", ["models = [[8, 5], [11, 5]]"], 0, "unit[3].models[2]: Bazooka team x1: m2 stands in farm"),
        ("us_jeep", ["heading = 0", "at = [25, 5]"], 1, "hull stands in wood (9.2)"),
        ("us_m4", ['building = "farm"'], 0, "a vehicle in a building (9.4)"),
        ("us_2lt", ['building = "wood"'], 0, "which is not a building (25.1)"),
        ("us_m4", ["heading = 90", "at = [1, 20]"], 1, "unit[3].at: M4A3 Sherman 75mm x1: hull is off the table"),
        ("us_2lt", ["heading = 0", "at = [24, 30]"], 1, "overlap"),
        ("us_2lt", ["at = [4, 30]", "pins = 9"], 1, "unit[3].pins: Second Lieutenant x1 has 9 pins"),
        ("us_2lt", ["at = [4, 30]", "pins = -1"], 1, "unit[3].pins: Expected `int` >= 0"),
    ],
)
def test_what_is_wrong_with_a_unit_is_told_on_its_own_line(kind: str, lines: list[str], line: int, words: str) -> None:
    (first, *_) = found = told(added(kind, *lines))
    assert first.startswith(f"{FIRST + line}:"), found
    assert words in first


def test_a_unit_with_too_many_aboard_is_told_where_the_last_of_them_gets_in() -> None:
    text = (
        added("us_jeep", "at = [4, 30]")
        + """[[unit]]
kind = "us_2lt"
aboard = "x1"
[[unit]]
kind = "us_mmg"
id = "a9"
aboard = "x1"
"""
    )
    (found,) = told(text)
    assert found.startswith(f"{FIRST + 7}:") and "carries 4 men and has room for 3 (24.1)" in found


def test_a_wreck_in_somebodys_place_is_told_on_its_line() -> None:
    (found, *_) = told('[[wreck]]\nkind = "us_m4"\nat = [24, 30]\n')
    assert found.startswith(f"{FIRST - 1}: wreck[1].at:") and "overlap" in found


@pytest.mark.rule("bolt_action", "25.1")
@pytest.mark.parametrize(
    ("points", "size"),
    [
        ("[[0, 11], [27, 11], [27, 16], [21, 16]]", "27 by 5"),
        ("[[30, 20], [38.01, 20], [38.01, 28], [30, 28]]", "8.01 by 8"),
        ("[[36, 12], [43, 19], [40, 22], [33, 15]]", "9.9 by 4.24"),
    ],
)
def test_a_building_larger_than_eight_by_eight_is_told(points: str, size: str) -> None:
    text = FILE.replace("[[10, 2], [17, 2], [17, 9], [10, 9]]", points)
    (found, *_) = told("", text)
    assert found.startswith(f"9: terrain[1].points: a building of {size}")


@pytest.mark.rule("bolt_action", "25.1")
def test_a_building_of_eight_by_eight_is_none_too_large() -> None:
    text = FILE.replace(
        "[[10, 2], [17, 2], [17, 9], [10, 9]]", "[[36, 12], [41.65, 17.65], [36, 23.3], [30.35, 17.65]]"
    )
    assert load_situation(Document.from_toml(text, "position.toml"))


@pytest.mark.rule("bolt_action", "25.1", "25.2")
def test_a_scenario_is_told_off_for_who_stands_in_a_house_or_in_another() -> None:
    """Scenarios place units too: their faults are found when they are read, and not when they are played."""
    text = GAME.scenario_files()["first_steps"].read_text(encoding="utf-8")
    assert "at = [29, 6]" in text
    at = next(n for n, line in enumerate(text.splitlines(), 1) if "at = [29, 6]" in line)
    for place, words in (("[24, 13]", "(25.2)"), ("[24, 8.5]", "overlap")):
        with pytest.raises(MalformedError) as error:
            GAME.load_scenario(Document.from_toml(text.replace("at = [29, 6]", f"at = {place}"), "first_steps.toml"))
        found = [str(fault) for fault in error.value.faults]
        assert all(words in fault for fault in found)
        assert any(fault.startswith(f"first_steps.toml:{at}:") for fault in found) or words != "(25.2)", found
