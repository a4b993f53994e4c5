"""Why something is not offered, lines of sight, and fields of fire: told from what a side may know."""

from __future__ import annotations

import pytest

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.games.bolt_action import GAME
from tests.games.bolt_action.play import box, keys, piece, play, the_battle, unit

US = unit("us_squad", "a1", at=(20, 30))
GERMAN = unit("ger_grenadiers", "g1", at=(20, 14), heading=180)


@pytest.fixture
def session() -> Session:
    return play(
        US,
        unit("us_m4", "a2", at=(50, 40), immobilised=True),
        unit("us_mmg", "a3", at=(35, 30), die="fire"),
        unit("us_squad10", "a4", at=(60, 30), models=[(60, 30), (61.5, 30), (66, 30)]),
        unit("us_3in", "a5", at=(8, 40)),
        unit("us_m8", "a6", status="reserve"),
        GERMAN,
        unit("ger_pak40", "g2", at=(60, 4), heading=180),
        unit("ger_2lt", "g3", at=(43, 13), building="farm"),
        terrain=[box("building", 40, 10, 46, 16, id="farm", name="Farm"), box("woods", 30, 20, 36, 26)],
        drawn="american",
    )


def told(session: Session, words: str, side: str = "american") -> str:
    return " / ".join(bar.say() for bar in GAME.why_not(the_battle(session), side, words))


def test_what_is_offered_is_not_barred(session: Session) -> None:
    assert "unit a1" in keys(session)
    for words in (
        "a1",
        "a1 fire",
        "fire a1 g1",
        "a1 at g1",
        "a1 g1",
        "a1 advance 20,25",
        "a1 run",
        "a1 down",
    ):
        assert told(session, words) == "", words


@pytest.mark.rule("bolt_action", "1.4")
def test_a_unit_has_one_order_a_turn(session: Session) -> None:
    assert told(session, "a3 run") == "it has its order for this turn: Fire [1.4]"
    assert "unit a3" not in keys(session)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("a1 assault g1", "21.2"),
        ("a1 assault g2", "[21.2]"),
        ("a2 assault g1", "immobilised [20.9]"),
        ("a1 at g2", "[12.3]"),
        ("a1 advance 20,5", "[8.3]"),
        ("a2 advance", "[20.9]"),
        ("a4 fire", "[7.3]"),
        ("a5 run", "[23.3]"),
        ("a6 fire", "[28.2]"),
        ("a1 fire a2", "own side [12.1]"),
        ("g1 fire", "not a unit of yours [1.3]"),
    ],
)
def test_the_reason_has_its_rule(session: Session, words: str, rule: str) -> None:
    assert rule in told(session, words)


def test_a_unit_alone_is_asked_about_every_order(session: Session) -> None:
    assert "run: " in told(session, "a2") and "advance: " in told(session, "a2")


def test_nobody_gives_orders_without_a_die(session: Session) -> None:
    assert "not yours [1.2]" in told(session, "g1", "german")
    ended = play(unit("us_squad", "a1", at=(20, 30), die="down"), GERMAN, phase="turn_end")
    assert "[1.2]" in told(ended, "a1")


def test_words_that_mean_nothing_are_told(session: Session) -> None:
    assert "there is no “x9”" in told(session, "x9 fire")
    assert "say which unit" in told(session, "")


def test_a_secret_reserve_is_not_known() -> None:
    session = play(US, GERMAN, unit("ger_tiger", "g2", status="reserve"), drawn="american", hidden_reserves=True)
    assert "not a unit" not in told(session, "a1 fire g2")
    assert GAME.field_of_fire(the_battle(session), "american", "g1").unit == "g1"
    with pytest.raises(GrognardError, match="no unit on the table"):
        GAME.field_of_fire(the_battle(session), "american", "g2")


# ---- sight ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "11.1")
def test_a_line_of_sight_is_told_in_words_and_threads(session: Session) -> None:
    report = GAME.sight(the_battle(session), "american", "a1", "g1")
    assert "sees" in report.say()
    view = report.view()
    assert view.state == "clear" and view.lines


def test_places_see_each_other_too(session: Session) -> None:
    blocked = GAME.sight(the_battle(session), "american", "33,28", "33,18")
    assert blocked.view().state == "blocked"
    assert "Woods" in blocked.say()


@pytest.mark.parametrize(("start", "end"), [("a1", "z9"), ("nowhere", "g1"), ("a6", "g1")])
def test_sight_needs_two_places(session: Session, start: str, end: str) -> None:
    with pytest.raises(GrognardError, match=r"neither a unit nor a place|not on the table"):
        GAME.sight(the_battle(session), "american", start, end)


# ---- fields of fire ---------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "12.7")
def test_a_squad_shoots_all_round_and_a_gun_to_its_front(session: Session) -> None:
    squad = GAME.field_of_fire(the_battle(session), "american", "a1")
    assert {(fan.width, fan.range) for fan in squad.fans} == {(360, 12.0), (360, 24.0), (360, 30.0)}
    gun = GAME.field_of_fire(the_battle(session), "american", "g2")
    assert [(fan.heading, fan.width, fan.range) for fan in gun.fans] == [(180, 90, 72.0)]
    assert "Heavy anti-tank gun" in gun.fans[0].text


def test_what_a_unit_sees_is_outlined(session: Session) -> None:
    areas = GAME.field_of_fire(the_battle(session), "american", "a1").areas
    assert areas and all(len(area) >= 3 for area in areas)
    assert all(-0.01 <= x <= 72.01 and -0.01 <= y <= 48.01 for area in areas for x, y in area)


def test_the_other_units_are_seen_or_not(session: Session) -> None:
    field = GAME.field_of_fire(the_battle(session), "american", "a1")
    seen = {place.place: place.state for place in field.places}
    assert seen["20,14"] == "clear"
    assert seen["43,13"] == "degraded"


@pytest.mark.rule("bolt_action", "5.4", "26.1")
def test_officers_and_medics_have_rings() -> None:
    session = play(
        unit("us_captain", "a1", at=(20, 30)),
        unit("us_medic", "a2", at=(30, 30)),
        unit("ger_panzer4_command", "g1", at=(20, 10)),
        drawn="american",
    )
    battle = the_battle(session)
    assert [(ring.range, ring.text) for ring in GAME.field_of_fire(battle, "american", "a1").rings] == [
        (12, "officer's bonus of 3")
    ]
    assert [ring.range for ring in GAME.field_of_fire(battle, "american", "a2").rings] == [6]
    assert [ring.range for ring in GAME.field_of_fire(battle, "american", "g1").rings] == [12]


def test_a_mortar_cannot_reach_what_is_near() -> None:
    session = play(
        unit("us_mortar_medium", "a1", at=(20, 30)), unit("us_105", "a2", at=(40, 40)), GERMAN, drawn="american"
    )
    (fan,) = GAME.field_of_fire(the_battle(session), "american", "a1").fans
    assert fan.text == "Medium mortar: 60″, 18″ at least"
    (fan,) = GAME.field_of_fire(the_battle(session), "american", "a2").fans
    assert fan.text.endswith("24″ at least when firing indirectly")


def test_a_hedge_is_a_line_of_terrain() -> None:
    session = play(US, GERMAN, terrain=[piece("hedge", (10, 20), (30, 20))], drawn="american")
    assert "Hedge" in GAME.sight(the_battle(session), "american", "a1", "g1").say()
