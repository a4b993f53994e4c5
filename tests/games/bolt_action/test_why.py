"""Why something is not offered, lines of sight, and fields of fire: told from what a side may know."""

from __future__ import annotations

import pytest

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.games.bolt_action.game import GAME
from tests.games.bolt_action.play import answer, box, keys, piece, play, the_battle, unit

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
        ("a1 fire a2", "on your side [12.1]"),
        ("g1 fire", "isn't your unit [1.3]"),
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
    assert "you know of no “x9”" in told(session, "x9 fire")
    assert "name the unit" in told(session, "")


def test_a_secret_reserve_is_not_known() -> None:
    session = play(US, GERMAN, unit("ger_tiger", "g2", status="reserve"), drawn="american", hidden_reserves=True)
    assert "not a unit" not in told(session, "a1 fire g2")
    assert GAME.field_of_fire(the_battle(session), "american", "g1").unit == "g1"
    with pytest.raises(GrognardError, match="not a unit you know of on the table"):
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
    with pytest.raises(GrognardError, match=r"neither a unit nor a place|n.t on the table"):
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


@pytest.mark.rule("bolt_action", "12.3", "12.7")
def test_sight_tells_exact_range_and_arc_of_every_weapon() -> None:
    """A hair beyond 24 inches is told as such, man by man: m1 is in range and the others are not."""
    men = unit("us_squad10", "a1", models=[(20, 30), (21.2, 30), (22.4, 30)])

    def looked(y: float) -> str:
        session = play(men, unit("ger_2lt", "g1", models=[(20, y)], heading=180), drawn="american")
        return str(GAME.sight(the_battle(session), "", "a1", "g1").say())

    assert "Rifle (m1): range 24″ of 24″ [12.3]" in looked(5)
    assert "Rifle (m2): it is 24.03″ away, and the rifle reaches 24″ [12.3]" in looked(5)
    assert "sees Second Lieutenant g1 at 24.01″" in looked(4.99)
    tank = play(
        unit("ger_stug3", "g1", at=(36, 36)), unit("us_2lt", "a1", models=[(46.71, 26)], heading=180), drawn="german"
    )
    said = GAME.sight(the_battle(tank), "", "g1", "a1").say()
    assert "sees Second Lieutenant a1 at 11.95″" in said
    assert "it is outside the arc of the heavy anti-tank gun [12.7]" in said


def test_an_order_that_can_do_nothing_says_so_before_it_is_given() -> None:
    session = play(
        unit("ger_stug3", "g1", at=(36, 36)), unit("us_2lt", "a1", models=[(46.71, 26)], heading=180), drawn="german"
    )
    session.answer("unit g1")
    assert session.ask is not None
    hints = GAME.hints(the_battle(session), session.ask)
    assert hints["fire"] == "no shot: it is outside the arc of the heavy anti-tank gun"
    stuck = play(
        unit("us_m4", "a2", at=(10, 40), immobilised=True),
        unit("ger_2lt", "g1", at=(40, 4), heading=180),
        drawn="american",
    )
    stuck.answer("unit a2")
    assert stuck.ask is not None
    offered = {option.key for option in stuck.ask.options}
    assert "run" not in offered or GAME.hints(the_battle(stuck), stuck.ask)["run"].endswith("it would do nothing")


def test_verbs_of_the_questions_have_their_reasons(session: Session) -> None:
    assert "it can't carry this unit" in told(session, "a1 board a2")
    assert "only recce vehicles can escape [16.9]" in told(session, "a1 escape")
    assert told(session, "a1 enter farm").endswith("]")
    for words in ("remove a1", "spring a1", "marker a1", "keep a1"):
        bars = session.why_not("american", words)
        assert bars and all(bar.reason for bar in bars), words


# ---- in the middle of an order, and of a reaction ------------------------------------------------------------


def asked(session: Session, words: str) -> str:
    """The reasons at the question that stands, as its own side reads them."""
    assert session.ask is not None
    return " / ".join(bar.say() for bar in session.why_not(session.ask.side, words))


@pytest.mark.rule("bolt_action", "12.1", "1.4")
def test_while_an_order_is_carried_out_the_reason_is_that_of_the_shot(session: Session) -> None:
    """The die lies beside the unit already: that it has its order is no reason against what the order asks for."""
    answer(session, "unit a1", "fire")
    for target in ("g2", "g3"):
        reason = asked(session, f"at {target}")
        assert reason == told_before(session, f"fire a1 {target}") and "[12.3]" in reason, target
    assert "on your side [12.1]" in asked(session, "at a4")
    assert asked(session, "run") == "it has its order for this turn: Fire [1.4]"
    assert "another unit must carry out its order first (Infantry squad a1) [1.6]" in asked(session, "a4 fire g1")


def told_before(session: Session, words: str) -> str:
    """The same question before the order was given."""
    return " / ".join(bar.say() for bar in session.past(0).why_not("american", words))


@pytest.mark.rule("bolt_action", "8.3")
def test_a_pose_is_refused_with_its_reason(session: Session) -> None:
    answer(session, "unit a1", "advance")
    assert "the move is at most 6″ [8.3]" in asked(session, "pose 20 20 0")
    assert asked(session, "pose 20 26 0") == ""
    answer(session, "pose 20 26 0")
    assert "[12.3]" in asked(session, "at g2"), "the numbers of the pose before are no words that somebody asks about"


@pytest.mark.rule("bolt_action", "16.4")
def test_who_reacts_is_not_told_that_it_is_not_its_turn() -> None:
    session = play(
        unit("us_squad", "a1", at=(30, 30), side="american"),
        unit("ger_infantry", "g1", at=(30, 14), side="german", heading=180, die="ambush"),
        unit("ger_infantry", "g2", at=(45, 14), side="german", heading=180),
        sides=["american", "german"],
        drawn="american",
    )
    answer(session, "unit a1", "run")
    assert session.ask is not None and session.ask.side == "german"
    assert asked(session, "spring g1") == ""
    assert asked(session, "spring g2") == "it isn't on Ambush [16.4]"
    assert "[1.2]" not in asked(session, "assault g1") and asked(session, "assault g1")
