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
    from grognard.games.ost import GAME
    from grognard.games.ost.generator import random_battle

    session = Session(GAME, random_battle(seed=4), seed=b"why")
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
