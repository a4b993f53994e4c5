"""The turn: trackers, Initiative, Impulses, phases, extended play (1-8, 66, 67, 111)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost import turn_events
from grognard.games.ost.game import GAME
from grognard.games.ost.state import GOOD, LOST, SHAKEN
from tests.games.ost.helpers import answer, happened, keys, lines, position, rolled, state, tally, unit

rule = pytest.mark.rule

START = (6, 6, 1, 1, 3, 3, 3, 3, 3, 3)  # Initiative to the first side, and Impulse Points
TWO = ("g1 ger_rifle A1", "a1 us_rifle J8")


def at(phase: str, *units: str, dice: Any = (), **kw: Any) -> Session:
    """A position at the beginning of a phase."""
    return position(*(units or TWO), phase=phase, dice=dice, **kw)


def phases(session: Session) -> list[str]:
    return [event.phase for event in happened(session, turn_events.Phase)]


# ---- the trackers (1-8) ----


@rule("ost", "1.0", "1.0b", "4.0", "5.0")
def test_a_hex_map_a_turn_for_both_and_three_tracks_a_side() -> None:
    session = position(
        *TWO, turn=4, points={"german": 3, "american": 2}, casualties={"german": 1}, score={"american": 6}
    )
    view = session.view("german")
    assert view.turn == 4 and session.scenario.battlefield.grid.distance("A1", "J8") == 12
    assert view.tracks["Impulse Points"] == {"german": 3, "american": 2}
    assert view.tracks["Casualty Points"]["german"] == 1 and view.tracks["Victory Points"]["american"] == 6


@rule("ost", "2.0", "111.1", "2.0b", "111.13")
def test_turns_count_down_but_not_before_the_first() -> None:
    """E-1: a fourteen-turn scenario begins on 14; its second turn is 13."""
    first = at("marker", turn=14, turns=14, opening=True, dice=START)
    assert state(first).turn == 14
    second = at("end_turn", turn=14, turns=14, dice=START)
    assert state(second).turn == 13


@rule("ost", "3.0", "111.14", "2.0b", "111.15", "111.16")
@pytest.mark.parametrize(("dice", "more"), [((3, 3), False), ((3, 4), True), ((6, 6), True)])
def test_extended_play_on_a_total_of_seven(dice: tuple[int, int], more: bool) -> None:
    session = at("end_turn", turn=1, dice=(*dice, 6, 6, 1, 1, 3, 3, 3, 3, 3, 3))
    assert [roll.side for roll in rolled(session, "Extended play")] == ["german", "american"]
    assert session.over is not more
    assert state(session).turn == (0 if more else 1)
    if not more:
        assert session.result is not None and happened(session, turn_events.Ended)


@rule("ost", "3.0", "111.13")
def test_the_extra_turn_is_the_last() -> None:
    session = at("end_turn", turn=0, extended=True)
    assert session.over and not rolled(session, "Extended play")


@rule("ost", "6.2")
def test_mounting_losses_take_impulse_points_but_never_the_last() -> None:
    """E-3: with 12 points suffered a roll of 8 gives 6."""
    session = at(
        "impulses",
        casualties={"german": 12},
        initiative="german",
        impulse={"german": "2d6", "american": "2d6"},
        dice=(3, 3, 4, 4),
    )
    assert state(session).points == {"german": 6, "american": 6}
    assert lines(tally(session, "Impulse Points")) == {"mounting_losses": -2}
    heavy = at(
        "impulses",
        casualties={"german": 60},
        initiative="german",
        impulse={"german": "2d6", "american": "2d6"},
        dice=(3, 3, 1, 1),
    )
    assert state(heavy).points["american"] == 1


@rule("ost", "8.0", "8.0b", "8.0c", "8.2", "8.3", "8.4", "8.5", "8.6", "8.9")
def test_units_fight_and_markers_tell_what_befell_them() -> None:
    session = position(
        "g1 ger_rifle A1 moved fired",
        "g2 ger_hmg42 B1 fired",
        "g3 ger_rifle C1 moved shaken",
        "g4 ger_pz4h E1 mgs_out broken",
        "g5 ger_rifle G1",
        "a1 us_rifle G1",
        melees=["G1 german"],
        control={"A1": "american"},
    )
    view = session.view("german")
    states = {u.id: set(u.states) for u in view.units}
    assert "used" in states["g1"] and "fired" in states["g2"] and {"moved", "shaken"} <= states["g3"]
    assert "broken" in states["g4"]
    kinds = {(m.kind, m.place, m.side) for m in view.markers}
    assert any(kind == "melee" and place == "G1" for kind, place, _ in kinds)
    assert any(place == "A1" and side == "american" for _, place, side in kinds)
    assert not {m.kind for m in view.markers} & {u.name for u in view.units}


@rule("ost", "8.8", "111.11", "81.10")
def test_the_turns_markers_come_off_and_the_others_stay() -> None:
    session = at(
        "clean",
        "g1 ger_rifle A1 moved fired shaken",
        "g2 ger_pz4h B2 bogged mgs_out fired acquired=a1 partner=g3",
        "g3 ger_rifle B2 partner=g2 intensive broken",
        "a1 us_m4a1 J8",
        "g5 ger_rifle E5",
        "a2 us_rifle E5",
        melees=["E5 german turn=5"],
        strikes=["german mortars H2"],
        turn=5,
        dice=(1, 1, 1, 1, 2, 6, 6, 1, 1, 3, 3, 3, 3, 3, 3),
    )
    units = state(session).units
    assert not any(u.moved or u.fired or u.intensive or u.acquired for u in units.values())
    assert units["g2"].bogged and units["g2"].mgs_out and units["g2"].partner == "g3"
    assert "E5" in state(session).melees and not state(session).strikes


# ---- Initiative (66) ----


@rule("ost", "66.1", "66.2", "66.4", "111.7", "111.8", "67.4")
def test_the_higher_roll_plays_first_and_ties_are_rolled_again() -> None:
    session = at("initiative", dice=(3, 4, 5, 2, 2, 2, 6, 1, 1, 2, 3, 1, 2, 3))
    assert [roll.meaning for roll in rolled(session, "Initiative")] == [7, 7, 4, 7]
    assert state(session).initiative == "american" and session.ask is not None and session.ask.side == "american"


@rule("ost", "66.3", "67.6")
def test_the_winner_may_pass_at_once_if_he_is_poorer() -> None:
    kw: dict[str, Any] = {"impulse": {"german": "1d6", "american": "1d6"}}
    poor = at("initiative", dice=(6, 6, 1, 1, 2, 5), **kw)
    assert session_side(poor) == "german" and "pass" in keys(poor) and "burn" not in keys(poor)
    rich = at("initiative", dice=(6, 6, 1, 1, 5, 2), **kw)
    assert "pass" not in keys(rich) and "burn" in keys(rich)


def session_side(session: Session) -> str:
    assert session.ask is not None
    return session.ask.side


# ---- Impulses (67) ----


@rule("ost", "67.3", "67.4")
def test_impulse_dice_and_the_scenarios_bonus() -> None:
    """E-4, E-5."""
    session = at("impulses", initiative="german", impulse={"german": "3d6", "american": "2d6+3"}, dice=(1, 3, 6, 2, 2))
    assert state(session).points == {"german": 10, "american": 7}


@rule("ost", "67.1", "67.2", "67.5", "7.0")
def test_play_passes_to_the_other_side_after_each_impulse() -> None:
    session = position("g1 ger_rifle A1", "a1 us_rifle J8", dice=(1, 1, 1, 1))
    answer(session, "cover g1")
    assert session_side(session) == "american" and state(session).points == {"german": 4, "american": 5}
    answer(session, "cover a1")
    assert session_side(session) == "german" and state(session).points == {"german": 4, "american": 4}


@rule("ost", "67.6")
def test_a_poorer_side_may_pass_free_and_the_other_goes_again() -> None:
    """E-6: German 10, American 4."""
    session = position(*TWO, points={"german": 10, "american": 4}, active="american")
    answer(session, "pass")
    assert session_side(session) == "german" and state(session).points["american"] == 4
    assert happened(session, turn_events.Passed)
    assert "pass" not in keys(session)


@rule("ost", "67.7")
def test_an_equal_or_richer_side_must_act_or_burn_a_point() -> None:
    session = position(*TWO, points={"german": 4, "american": 4})
    assert "pass" not in keys(session)
    answer(session, "burn")
    assert state(session).points["german"] == 3 and session_side(session) == "american"


@rule("ost", "67.8", "111.9", "111.10")
def test_a_side_without_points_is_skipped_and_the_turn_ends_when_both_have_none() -> None:
    session = position(*TWO, points={"german": 2, "american": 0}, turn=5, dice=START)
    answer(session, "burn")
    assert session_side(session) == "german" and state(session).turn == 5
    answer(session, "burn")
    assert state(session).turn == 4 and phases(session)[:3] == ["Melee", "Remove markers", "Score Victory Points"]


# ---- the sequence (111) ----


@rule("ost", "111.0", "111.2", "111.3", "111.12")
def test_a_turn_runs_through_its_phases_in_order() -> None:
    session = at(
        "marker",
        "g1 ger_rifle A1",
        "g2 ger_sgt A1",
        "a1 us_rifle J8",
        dice=START,
        impulse={"german": "1d6", "american": "1d6"},
    )
    answer(session, "done")
    while phases(session)[-1] != "Score Victory Points" and not session.over:
        session.answer(next(k for k in ("burn", "pass", "done") if k in keys(session)))
        if len(phases(session)) > 7:
            break
    assert phases(session)[:8] == [
        "Reinforcements",
        "Attach Leaders and weapons",
        "Free Rally and Bog rolls",
        "Initiative",
        "Play",
        "Melee",
        "Remove markers",
        "Score Victory Points",
    ]


@rule("ost", "111.4", "33.2")
def test_smoke_ages_in_its_phase() -> None:
    session = at("smoke", smoke={"D4": 1, "E4": 2}, dice=START)
    assert state(session).smoke == {"D4": 2}


@rule("ost", "111.6", "71.1")
def test_free_rally_comes_before_the_initiative() -> None:
    session = at(
        "rally",
        "g1 ger_rifle A1 shaken",
        "a1 us_rifle J8 broken",
        dice=(3, 4, 1, 1, 6, 6, 1, 1, 3, 3, 3, 3, 3, 3),
    )
    assert unit(session, "g1").morale == GOOD and unit(session, "a1").morale == SHAKEN
    assert [r.what for r in rolled(session)][:3] == ["Rally", "Rally", "Initiative"]


SCENARIO = """
game = "ost"
name = "toy"
title = "Toy"
turns = 3
briefing = "A toy."
[map]
columns = 8
rows = 6
[control.D3]
owner = "german"
[control.E3]
[side.german]
nation = "german"
impulse = "1d6"
gut_check = 8
cards = 0
exit = "A1-A6"
[[side.german.unit]]
kind = "ger_rifle"
at = "A1"
[side.american]
nation = "american"
impulse = "1d6+1"
gut_check = 7
cards = 0
zone = "G1-H6"
entry = "H1-H6"
[[side.american.unit]]
kind = "us_rifle"
at = "H6"
[[side.american.unit]]
kind = "us_m4a1"
turn = 2
[[roll]]
side = "american"
what = "Artillery comes on line"
dice = "1d6"
at_least = 4
from = 3
to = 2
assets = { artillery = 1 }
once = true
[victory]
tie = "german"
[[victory.control]]
hexes = "D3"
points = { german = 3, american = 2 }
when = "turn"
from = 2
[[victory.casualties]]
per = 5
points = 1
"""


# Three turns in which nothing is rolled but what must be, and no extra turn after them.
QUIET_GAME = (*(1, 6, 6, 1, 1, 1, 1) * 2, 6, 6, 1, 1, 1, 1, 1, 1)


def begin(text: str = SCENARIO, *dice: int) -> Session:
    return Session(GAME, GAME.load_scenario(Document.from_toml(text, "toy.toml")), script=dice)


def burn(session: Session, turns: int = 1) -> None:
    """Do nothing until so many turns have gone."""
    last = state(session).turn - turns
    while session.ask is not None and state(session).turn > last:
        session.answer(next(key for key in ("burn", "pass", "done") if key in keys(session)))


@rule("ost", "111.5", "64.9")
@pytest.mark.parametrize(("face", "held"), [(3, 0), (4, 1)])
def test_the_scenarios_own_rolls(face: int, held: int) -> None:
    session = begin(SCENARIO, face, 6, 6, 1, 1, 1, 1)
    assert state(session).assets.get("american", {}).get("artillery", 0) == held


@rule("ost", "111.2", "78.4")
def test_reinforcements_become_available_on_their_turn_and_stay_so() -> None:
    session = begin(SCENARIO, 1, 6, 6, 1, 1, 1, 1, 1, 1, 1, 6, 6, 2, 2, 3, 6, 6, 2, 2, 3)
    assert not any(key.startswith("enter") for key in keys(session))
    burn(session)
    while session_side(session) != "american":
        session.answer("burn" if "burn" in keys(session) else "pass")
    assert any(key.startswith("enter") for key in keys(session))


@rule("ost", "4.0", "65.3", "111.12")
def test_a_hex_scores_its_owners_own_value_from_the_turn_it_counts() -> None:
    """E-2."""
    session = begin(SCENARIO, *QUIET_GAME)
    burn(session)
    assert state(session).victory.get("german", 0) == 0  # turn 3 does not count
    burn(session)
    assert state(session).victory["german"] == 3
    state(session).control["D3"] = "american"
    burn(session)
    assert state(session).victory == {"german": 3, "american": 2}


@rule("ost", "4.0b", "64.10", "111.16", "5.0")
def test_points_counted_at_the_end_decide_and_a_tie_goes_to_whom_the_scenario_says() -> None:
    tied = at("end", casualties={"german": 4, "american": 4})
    assert tied.over and tied.result is not None and tied.result.winner == ""  # no tie rule: a draw
    session = begin(SCENARIO.replace('when = "turn"\nfrom = 2', 'when = "end"'), *QUIET_GAME)
    state(session).casualties["american"] = 26
    burn(session, 3)
    assert session.over and state(session).victory == {"german": 3, "american": 5}
    assert session.result is not None and session.result.winner == "american"


@rule("ost", "64.11")
def test_destroying_every_enemy_wins_at_once() -> None:
    session = position("g1 ger_rifle D3", "a1 us_rifle D5", dice=(6, 6), turn=9)
    answer(session, "fire g1", "at a1 own")
    assert session.over and session.result is not None and session.result.winner == "german"
    assert session.result.rule == "64.11" and unit(session, "a1").status == LOST
    waiting = position("g1 ger_rifle D3", "a1 us_rifle D5", "a2 us_rifle - due=2 entry=J8", dice=(6, 6), turn=9)
    answer(waiting, "fire g1", "at a1 own")
    assert not waiting.over  # one is still to come


# ---- scenarios (64) ----


@rule("ost", "64.1", "64.2", "64.3", "64.4", "64.7", "64.10", "67.3", "69.1", "65.1", "65.2")
def test_a_scenario_sets_everything_up() -> None:
    session = begin(SCENARIO, 1, 6, 6, 1, 1, 1, 1)
    scenario = session.scenario
    assert (scenario.title, scenario.turns, scenario.briefing.strip()) == ("Toy", 3, "A toy.")
    assert scenario.gut_check == {"german": 8, "american": 7}
    assert scenario.impulse == {"german": "1d6", "american": "1d6+1"}
    assert state(session).control == {"D3": "german", "E3": ""}
    placed = {u.id: u.hex for u in state(session).units.values()}
    assert set(placed.values()) >= {"A1", "H6"} and state(session).turn == 3


@rule("ost", "64.5", "64.6")
def test_a_scenario_may_use_part_of_a_map_between_its_corner_hexes() -> None:
    text = SCENARIO.replace("turns = 3", 'turns = 3\narea = "A1-H5"').replace('at = "H6"', 'at = "H5"')
    text = text.replace("G1-H6", "G1-H5").replace("H1-H6", "H1-H5").replace("A1-A6", "A1-A5")
    session = begin(text, 1, 6, 6, 1, 1, 1, 1)
    grid = session.scenario.battlefield.grid
    assert len(grid.hexes) == 40 and grid.is_edge("D5") and "D6" not in grid
    assert all(hex in grid for hex in ("A1", "H5", "H1", "A5"))  # the corners and the lines through them are in play
    answer(session, "move g1")
    assert all(key.split()[1] in grid for key in keys(session, "step"))
    with pytest.raises(MalformedError, match="area"):
        GAME.load_scenario(Document.from_toml(SCENARIO.replace("turns = 3", 'turns = 3\narea = "A1-Z9"'), "t"))
    with pytest.raises(MalformedError, match="H6 is off the map"):
        GAME.load_scenario(Document.from_toml(SCENARIO.replace("turns = 3", 'turns = 3\narea = "A1-H5"'), "t"))


@rule("ost", "64.6", "78.2")
def test_every_hex_of_the_map_is_in_play_up_to_its_edge_and_none_beyond() -> None:
    session = position("g1 ger_rifle A1", "a1 us_rifle J8")
    answer(session, "move g1")
    grid = session.scenario.battlefield.grid
    assert sorted(k.split()[1] for k in keys(session, "step")) == sorted(grid.adjacent["A1"])
    assert len(grid.hexes) == 80 and grid.is_edge("A1") and "K9" not in grid


@rule("ost", "64.8")
def test_special_rules_of_a_scenario_override_the_general_ones() -> None:
    text = SCENARIO.replace("[victory]", "[options]\nmortar_adds_squad_fp = false\n[victory]")
    scenario = GAME.load_scenario(
        Document.from_toml(text.replace('title = "Toy"', 'title = "Toy"\nspecial = ["No mortar men."]'), "t")
    )
    assert scenario.options.mortar_adds_squad_fp is False and scenario.special == ("No mortar men.",)


@rule("ost", "64.9", "106.0", "64.2")
def test_off_board_assets_are_those_that_the_scenario_lists() -> None:
    session = position("g1 ger_rifle A1", "a1 us_rifle J8", assets={"german": {"mortars": 1}})
    assert "oba mortars" in keys(session) and not [k for k in keys(session) if k in ("oba rockets", "air")]


# ---- Leaders (15, 16) ----


@rule("ost", "15.1", "15.2", "15.3", "15.6", "111.3")
def test_leaders_attach_in_their_phase_free_and_in_their_own_hex() -> None:
    session = at(
        "attach", "g1 ger_rifle A1", "g2 ger_hmg42 A1", "g3 ger_sgt A1", "g4 ger_rifle B1", "a1 us_rifle J8", dice=START
    )
    assert keys(session) == ["done", "attach g3 g1", "attach g3 g2"]
    answer(session, "attach g3 g2")
    assert unit(session, "g3").attached == "g2"
    in_play = position("g1 ger_rifle A1", "g3 ger_sgt A1", "a1 us_rifle J8")
    assert not [k for k in keys(in_play) if k.startswith("attach")]


@rule("ost", "15.1")
def test_a_leader_may_leave_his_unit() -> None:
    session = at("attach", "g1 ger_rifle A1", "g3 ger_sgt A1 attached=g1", "a1 us_rifle J8", dice=START)
    answer(session, "detach g3")
    assert unit(session, "g3").attached == ""


@rule("ost", "15.13", "15.14")
def test_one_leader_a_unit_and_none_with_snipers_leaders_or_vehicles() -> None:
    session = at(
        "attach", "g1 ger_rifle A1", "g2 ger_sgt A1 attached=g1", "g3 ger_lt A1", "g4 ger_pz4h A1", "a1 us_rifle J8"
    )
    assert not [k for k in keys(session) if k.startswith("attach g3")]


@rule("ost", "16.6")
def test_an_armor_leader_never_leaves_his_vehicle() -> None:
    session = at(
        "attach",
        "g1 ger_pz4h A1",
        "g2 ger_arm_lt A1 attached=g1",
        "g3 ger_pz4h A1",
        "g4 ger_rifle B1",
        "g5 ger_sgt B1",
        "a1 us_rifle J8",
    )
    assert not [k for k in keys(session) if "g2" in k.split()]


@rule("ost", "15.4")
def test_a_leader_may_begin_attached() -> None:
    text = SCENARIO.replace(
        'at = "A1"\n',
        'at = "A1"\nid = "first"\n[[side.german.unit]]\nkind = "ger_sgt"\nid = "boss"\nattached = "first"\n',
        1,
    )
    session = begin(text, 1, 6, 6, 1, 1, 1, 1)
    assert state(session).units["boss"].attached == "first" and state(session).units["boss"].hex == "A1"


@rule("ost", "61.7", "61.8", "57.1", "57.6")
def test_road_or_building_is_declared_and_the_road_is_marked() -> None:
    session = position(
        "g1 ger_rifle D3", "a1 us_rifle J8", buildings=["heavy_structure D4"], roads=["D3:D6"], options={"urban": True}
    )
    answer(session, "move g1")
    assert {"step D4 road", "step D4 building"} <= set(keys(session))
    answer(session, "step D4 road")
    if session.ask is not None and "stop" in keys(session):
        answer(session, "stop")
    assert unit(session, "g1").on_road and "on road" in next(
        u.states for u in session.view("german").units if u.id == "g1"
    )
