"""What a side sees: units with their models, markers, tracks, and what stays secret."""

from __future__ import annotations

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.view import UnitView, View
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.roster import roster
from grognard.games.bolt_action.view import as_known, symbol
from tests.games.bolt_action.play import answer, box, look, piece, play, the_battle, the_state, unit

US = unit("us_squad", "a1", at=(20, 30))
GERMAN = unit("ger_grenadiers", "g1", at=(20, 10), heading=180)


def seen(session: Session, side: str = "american") -> View:
    return GAME.view(the_battle(session), side)


def one(view: View, id: str) -> UnitView:
    return next(unit for unit in view.units if unit.id == id)


def test_a_squad_is_seen_man_by_man() -> None:
    squad = one(seen(play(US, GERMAN, drawn="american")), "a1")
    assert (squad.name, squad.short, squad.values, squad.place) == ("Infantry squad a1", "Inf a1", "12/12 M9", "20,30")
    assert len(squad.models) == 12
    assert {model.radius for model in squad.models} == {0.5}
    assert [model.short for model in squad.models].count("AR") == 1
    assert squad.models[0].title == "Submachine gun"
    assert squad.stats["move"] == "Advance 6, Run 12"


def test_a_vehicle_is_a_rectangle_that_looks_somewhere() -> None:
    tank = one(seen(play(US, GERMAN, unit("us_m4", "a2", at=(50, 40), heading=90), drawn="american")), "a2")
    (hull,) = tank.models
    assert (hull.length, hull.width, hull.heading, hull.radius) == (4.3, 2.1, 90, 0.0)
    assert (tank.facing, tank.place, tank.values) == (90, "50,40", "D9 M9")


def test_badges_tell_what_matters() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30), pins=3, die="down"),
        unit("us_m4", "a2", at=(50, 40), immobilised=True),
        unit("us_3in", "a3", at=(40, 40), dug_in=True, die="ambush", ammunition="ap"),
        unit("us_m3_halftrack", "a4", at=(60, 40)),
        unit("us_mmg", "a5", aboard="a4"),
        GERMAN,
        drawn="american",
    )
    view = seen(session)
    assert one(view, "a1").badges == ("DOWN", "3P")
    assert one(view, "a1").states == ("down die", "3 pins")
    assert one(view, "a2").badges == ("IMM",)
    assert one(view, "a3").badges == ("AMB", "DUG")
    assert "loaded with AP" in one(view, "a3").states
    assert one(view, "a4").badges == ("+3",)
    rider = one(view, "a5")
    assert (rider.place, rider.with_unit, rider.models) == ("60,40", "a4", [])


def test_a_broken_chain_and_a_building_are_told() -> None:
    session = play(
        unit("us_squad", "a1", models=[(10, 30), (11.5, 30), (20, 30)]),
        unit("us_mmg", "a2", at=(43, 13), building="farm"),
        GERMAN,
        terrain=[box("building", 40, 10, 46, 16, id="farm", name="Farm")],
        drawn="american",
    )
    view = seen(session)
    assert "out of formation" in one(view, "a1").states
    assert "in the Farm" in one(view, "a2").states


@pytest.mark.rule("bolt_action", "28.4", "28.5")
def test_the_tracks_count_dice_and_points() -> None:
    session = play(
        US,
        unit("us_mmg", at=(40, 40), die="fire"),
        GERMAN,
        drawn="american",
        objective=[{"at": [20, 31], "points": 3, "name": "The well"}],
        lost={"german": ["g8", "g9"]},
        aside={"american": 1, "german": 0},
    )
    tracks = seen(session).tracks
    assert tracks["Dice"] == {"american": 0, "german": 1}
    assert tracks["Points"] == {"american": 5, "german": 0}
    assert tracks["Losses"] == {"american": 0, "german": 2}
    assert tracks["Objectives"] == {"The well": "American (3)"}
    assert tracks["Dice set aside"] == {"american": 1, "german": 0}


def test_markers_show_what_lies_about() -> None:
    session = play(
        US,
        GERMAN,
        unit("us_observer", "a2", at=(40, 40), called=True),
        drawn="american",
        terrain=[box("building", 40, 10, 46, 16, id="farm", name="Farm")],
        changed={"farm": "rubble"},
        wreck=[{"kind": "ger_stug3", "at": [60, 20], "heading": 45}],
        smoke=[[30, 20, 3]],
        strike=[{"kind": "barrage", "side": "american", "unit": "a2", "at": [20, 8]}],
        objective=[{"at": [36, 24]}],
    )
    markers = {marker.kind: marker for marker in seen(session).markers}
    assert set(markers) == {"objective", "wreck", "smoke", "barrage", "rubble"}
    assert (markers["wreck"].facing, markers["wreck"].length) == (45, 4.3)
    assert markers["smoke"].radius == 3.0
    assert markers["objective"].radius == 3.0
    assert markers["rubble"].outline[0] == (40.0, 10.0)


def test_a_side_sees_its_own_as_friends() -> None:
    kind = roster()["us_squad"]
    assert symbol(kind, True)[3] == "3" and symbol(kind, False)[3] == "6"
    codes = {symbol(each, True) for each in roster().values()}
    assert all(len(code) == 20 and code.isdigit() for code in codes)
    assert len(codes) >= 12


# ---- secrets ------------------------------------------------------------------------------------------------


def test_reserves_are_open_unless_the_scenario_hides_them() -> None:
    units = (US, GERMAN, unit("ger_tiger", "g2", status="reserve"))
    assert "Tiger I" in one(seen(play(*units, drawn="american")), "g2").name
    secret = play(*units, drawn="american", hidden_reserves=True)
    assert [each.id for each in seen(secret).units] == ["a1", "g1"]
    assert [each.id for each in seen(secret, "german").units] == ["a1", "g1", "g2"]
    assert [each.id for each in seen(secret, "").units] == ["a1", "g1", "g2"]
    assert seen(secret).tracks["Reserves"] == {"american": [], "german": "1 unknown"}
    known = as_known(the_battle(secret), "american")
    assert known.unit("g2").kind != "ger_tiger" and known.unit("g2").models == []
    assert the_state(secret).units["g2"].kind == "ger_tiger"


def test_forces_name_no_secret_reserve() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["breakout"]))
    listed = GAME.forces(scenario)
    assert "2 held back" in listed["american"] and not any("Stuart" in line for line in listed["american"])
    assert "751 points" in listed["german"]


# ---- pictures and words ---------------------------------------------------------------------------------------


def test_a_battle_can_be_drawn_and_written() -> None:
    session = play(
        US,
        GERMAN,
        unit("ger_stug3", "g2", status="reserve"),
        terrain=[piece("hedge", (10, 20), (30, 20))],
        drawn="american",
    )
    battle = the_battle(session)
    svg = GAME.draw(battle, "american")
    assert svg.startswith("<svg") and "Infantry squad a1" in svg
    text = GAME.draw_text(battle, "american")
    assert "hedge" in text and "Off the table:\nStuG III Ausf G g2: in reserve" in text
    assert session._repr_svg_().startswith("<svg")


def test_the_board_is_a_table_in_inches() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["gazala"]))
    board = GAME.board(scenario)
    assert (board.table, board.measure) == (True, "inch")
    assert board.width / board.step == 72
    assert GAME.land(scenario) != GAME.land(scenario, "dark")
    assert len(GAME.thumbnail(scenario)) < len(GAME.land(scenario))
    assert GAME.summary(scenario)["map"] == "72 x 48 inches"


def test_losses_are_told_in_words() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30), men=9), unit("us_mmg", "a2", status="lost"), GERMAN, drawn="american"
    )
    assert GAME.losses(the_battle(session)) == {
        "american": ["1 Medium machine gun team", "3 men of other units"],
        "german": [],
    }


def test_the_game_knows_where_a_unit_is() -> None:
    session = play(US, unit("ger_stug3", "g1", at=(40, 10), heading=180), drawn="american")
    battle = the_battle(session)
    assert GAME.whereabouts(battle, "g1") == ("40,10", 180)
    assert GAME.whereabouts(battle, "g9") == ("", 0)
    assert GAME.turn_of(battle) == (1, "Orders")
    assert GAME.names(battle)["g1"] == "StuG III Ausf G g1"
    answer(session, "unit a1", "down")
    assert look(session, "a1").die == "down"
