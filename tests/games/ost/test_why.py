"""Why not? The reason with its rule, from the same code that left something out of the options."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.games.ost.helpers import answer, keys, position


def rules(session: Session, words: str, side: str = "german") -> set[str]:
    return {bar.rule for bar in session.why_not(side, words)}


def test_what_is_offered_has_no_bar() -> None:
    session = position("g1 ger_rifle D4 shaken", "a1 us_rifle D6", "g2 ger_rifle F4")
    for words in ("g1 fire a1", "g1 rally", "g1 move D3", "g1 cover", "fire g1 a1", "g2 move F5", "g1 fire", "burn"):
        assert session.why_not("german", words) == [], words


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("g1 rally", "70.1"),  # in good order
        ("g2 move D3", "75.2"),  # has moved
        ("g1 move D6", "75.10"),  # the enemy is there
        ("g1 move J8", "75.6"),  # too far
        ("g1 fire a2", "88.2"),  # out of range
        ("g3 fire a1", "13.1"),  # a Leader
        ("g4 fire a1", "68.6"),  # Broken
        ("g4 assault D6", "82.7"),
        ("g5 move D2", "79.10"),  # by transport only
        ("g1 g2 group_move", "75.2"),
        ("pass", "67.6"),
        ("oba mortars", "106.0"),
        ("air", "106.0"),
        ("card old_soldier", "62.3"),
        ("g1 demolish", "28.8"),
        ("g1 engineer_smoke", "10.1"),
        ("a1 move D7", "67.2"),  # not his
    ],
)
def test_each_bar_has_its_rule(words: str, rule: str) -> None:
    session = position(
        "g1 ger_rifle D4",
        "g2 ger_rifle D4 moved",
        "g3 ger_sgt E4",
        "g4 ger_rifle C5 broken",
        "g5 ger_flak36 D1",
        "a1 us_rifle D6",
        "a2 us_rifle P8",
        map="open 16x8",
    )
    assert rule in rules(session, words)


def test_a_unit_alone_gives_what_bars_each_of_its_actions() -> None:
    session = position("g1 ger_rifle D4 moved", "a1 us_rifle J8")
    reasons = [bar.reason for bar in session.why_not("german", "g1")]
    assert any(reason.startswith("move:") for reason in reasons)
    assert any(reason.startswith("fire:") for reason in reasons)
    assert not any(reason.startswith("cover:") for reason in reasons)


def test_timing_and_points() -> None:
    session = position("g1 ger_rifle D4", "g2 ger_rifle D4", "a1 us_rifle F4", points={"german": 1, "american": 1})
    assert "67.1" in rules(session, "a1 fire g1", "american")
    assert "7.0" in rules(session, "g1 g2 group_move")
    answer(session, "burn")
    assert "67.5" in rules(session, "g1 fire a1")


def test_nonsense_is_answered_kindly() -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle J8")
    for words in ("", "x9 fire", "g1 fly", "fire", "\x00", "g1 fire x9", "move " * 50):
        bars = session.why_not("german", words)
        assert bars and all(bar.reason for bar in bars), words


def test_bars_and_options_agree_in_play() -> None:
    """Whatever a unit is offered at the top level has no bar; for the verbs not offered there is one."""
    from grognard.games.ost.game import GAME

    session = Session(GAME, GAME.random_battle(seed=4), seed=b"why")
    player = RandomPlayer(3)
    checked = 0
    while session.ask is not None and checked < 12:
        if session.ask.quiet and session.ask.prompt.startswith("Your Impulse") and len(session.answers) % 5 == 0:
            side, offered = session.ask.side, set(keys(session))
            for unit in session.battle.units(side):
                for verb in ("move", "fire", "rally", "cover"):
                    bars = session.why_not(side, f"{unit.id} {verb}")
                    assert (f"{verb} {unit.id}" in offered) is (not bars), (verb, unit, bars)
            checked += 1
        session.answer(player.choose(None, session.ask), trusted=True)
    assert checked == 12


@pytest.mark.rule("ost", "72.1", "72.4", "75.6")
def test_full_hexes_on_the_way() -> None:
    """A full hex cannot be entered, nor passed on the way to another."""
    full = ("g2 ger_rifle D2", "g3 ger_rifle D2", "a1 us_rifle J8")
    assert rules(position("g1 ger_rifle D4", *full), "g1 move D2") == {"72.1"}
    around = position("g1 ger_rifle D3 shaken", *full, terrain={"woods": "C2, E2"})
    assert rules(around, "g1 move D1") == {"75.6"}, "two hexes away, but not through D2"


LOADED = ("k us_m4a1 D7 facing=1", "a us_rifle D7 aboard=k", "h ger_rifle D4")


@pytest.mark.rule("ost", "79.13", "79.9")
def test_a_loaded_tank_is_told_that_it_carries_a_unit() -> None:
    session = position(*LOADED, active="american")
    for words in ("k fire h", "fire k", "k at h"):
        assert rules(session, words, "american") == {"79.13"}, words
    assert rules(session, "unload k", "american") == {"79.9"}, "the passenger unloads, not the tank"
    assert session.why_not("american", "unload a") == []
    assert rules(session, "step a D6", "american") == {"79.9"}


@pytest.mark.rule("ost", "92.2", "92.5", "18.1", "47.8")
def test_every_verb_of_the_questions_has_its_reason() -> None:
    session = position(
        "a ger_rifle D6",
        "b ger_rifle E6",
        "c ger_rifle A1",
        "l ger_lt D6",
        "k ger_pz4h C7 facing=1",
        "m ger_truck G7 facing=1",
        "t us_rifle D2",
        hexsides={"bocage": "C7|C6"},
    )
    said = {
        "fire_group a b t": "92.2",  # the Leader is attached to neither
        "fire_group a c": "92.5",
        "sustained a t": "18.1",
        "step k C6": "47.8",
        "unload m": "79.2",
        "load a m": "79.11",
        "reverse a D7": "76.9",
        "pivot a 2": "76.6",
        "attach l a": "111.3",
        "evade a": "11.3",
        "concentrate t": "103.1",
    }
    for words, rule in said.items():
        bars = session.why_not("german", words)
        assert rule in {bar.rule for bar in bars} and all(bar.reason for bar in bars), (words, bars)


def test_reasons_go_by_the_question_that_stands() -> None:
    """After "fire g1" it is the target that is wanted, and the reason is why g1 cannot fire at it."""
    session = position("g1 ger_rifle D4", "a1 us_rifle D6", "a2 us_rifle P8", map="open 16x8")
    answer(session, "fire g1")
    assert rules(session, "at a2") == {"88.2"}
    assert session.why_not("german", "at a1") == []


def test_sight_tells_range_arc_and_each_weapon() -> None:
    session = position(
        "k us_m4a1 D6 facing=1", "p ger_pak40 D3 facing=1", "s ger_rifle D4 with=ger_lmg", active="american"
    )
    game = session.game
    tank = game.sight(session.battle, "", "k", "p").say()
    assert "with the 75mm M3: in range (3 of 20) [88.2]" in tank and "To Hit 6, AP 7 at this range, HE 4 [95.3]" in tank
    gun = game.sight(session.battle, "", "p", "k").say()
    assert "outside the covered arc [17.13]" in gun and "hit in its front, Defense 5 [76.2]" in gun
    squad = game.sight(session.battle, "", "s", "k").say()
    assert "with its own fire: small arms and HE can't hurt an armored vehicle [21.0]" in squad
    far = game.sight(session.battle, "", "p", "D8").say()
    assert "outside the covered arc [17.13]" in far


def test_units_that_are_not_on_the_map_have_a_reason_for_every_verb() -> None:
    session = position(
        "g1 ger_rifle D4", "g2 ger_rifle - due=3 entry=A1-A3", "a1 us_rifle D6", "a2 us_rifle - due=3 entry=J1"
    )
    for verb in (help.verb for help in session.game.verbs()):
        for words in (f"{verb} g2", f"{verb} g1 a2", f"{verb} g2 g1 a1"):
            bars = session.why_not("german", words)
            assert bars and all(bar.reason for bar in bars), words
    assert session.why_not("german", "with g1"), "a word that may be left out elsewhere is a verb here"


def test_at_a_question_about_targets_the_unit_that_is_named_is_the_target() -> None:
    session = position("g1 ger_rifle D4", "g2 ger_rifle D7", "a1 us_rifle D6")
    answer(session, "fire g1")
    (bar,) = session.why_not("german", "at g2")
    assert bar.say() == "it is on your side (Rifle Squad g2) [88.1]"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("g1 fire g2", "it is on your side (Rifle Squad g2) [88.1]"),
        ("shell g1 D6", "it doesn't have a mortar [20mo.1]"),
        ("satchel g1 D6", "it doesn't have a Satchel Charge [20sc.1]"),
        ("enter g1 D4", "it is already on the map [78.3]"),
        ("move g1 to the D6", "an enemy unit is in the hex [75.10]"),
        ("fire g1 at a2 own", "out of range [88.2]"),
    ],
)
def test_the_reason_fits_what_was_wanted(words: str, says: str) -> None:
    session = position("g1 ger_rifle D4", "g2 ger_rifle D7", "a1 us_rifle D6", "a2 us_rifle P8", map="open 16x8")
    assert [bar.say() for bar in session.why_not("german", words)] == [says]


def test_who_may_fire_at_a_mover_is_not_told_that_it_is_not_its_impulse() -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle D7", "a2 us_rifle P8", map="open 16x8")
    answer(session, "move g1", "step E4")
    assert session.ask is not None and session.ask.side == "american"
    assert rules(session, "a2 at g1 own", "american") == {"88.2"}
    assert rules(session, "a1 sustained g1 g1", "american") == {"18.1"}
    assert session.why_not("american", "a1 at g1 own") == []


def test_sight_says_how_far_out_of_range_a_target_is() -> None:
    session = position("g1 ger_rifle A1", "a1 us_rifle K1", map="open 16x8")
    assert (
        "with its own fire: out of range (10 of 6) [88.2]"
        in session.game.sight(session.battle, "german", "g1", "a1").say()
    )


@pytest.mark.parametrize(
    ("begun", "words", "says"),
    [
        (("move g1", "step D5"), "step D7", "the hex isn't next to it [75.1]"),
        (("move g1", "step D5"), "step D6", "an enemy unit is in the hex [75.10]"),
        (("move g1", "step D5"), "reverse D4", "only vehicles can reverse [76.9]"),
        (("rolling_cover g2 k",), "step A3", "the hex isn't next to it [75.1]"),
        (
            ("rolling_cover g2 k",),
            "step B5",
            "a vehicle moves forward into the hex it faces; it must turn first [76.4]",
        ),
    ],
)
def test_a_step_of_a_move_under_way_has_the_reason_of_that_step(begun: tuple[str, ...], words: str, says: str) -> None:
    session = position(
        "g1 ger_rifle D4",
        "g2 ger_rifle A5",
        "k ger_pz4h A5 facing=1",
        "a1 us_rifle D6 fired",
        map="open 16x8",
        points={"german": 2, "american": 0},
    )
    answer(session, *begun)
    assert [bar.say() for bar in session.why_not("german", words)] == [says]


def test_what_does_not_answer_the_question_is_told_as_it_was_said() -> None:
    session = position("g2 ger_rifle A5", "k ger_pz4h A5 facing=1", "a1 us_rifle P8", map="open 16x8")
    answer(session, "rolling_cover g2 k", "step A4")
    [bar] = session.why_not("german", "step A3")
    assert bar.say().startswith("“step A3” is not an answer to “Which way does PzKpfw IV H k face in A4?”; ")
