"""Why not? The game's own reasons, before and during an activation, and for reactions."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from tests.games.company.playing import answer, keys, platoon, play, team
from tests.games.company.shooting import row

SIDES = ["american", "german"]


def session(*dice: int, **more: object) -> Session:
    """Riflemen with the Initiative, grenadiers within their long range, and tanks that nobody can hurt."""
    return play(
        platoon("us_rifles", "a1", *row(4, 20, 30), **more),
        platoon("us_mortars", "a2", *row(3, 60, 44), acted=1),
        platoon("ger_grenadiers", "g1", *row(3, 20, 20), heading=180),
        platoon("ger_pz4_platoon", "g2", (50, 10), heading=180),
        sides=SIDES,
        dice=dice,
    )


def rules(here: Session, words: str, side: str = "american") -> list[str]:
    """The rules behind the game's own reasons."""
    return [bar.rule for bar in here.game.why_not(here.battle, side, words)]


@pytest.mark.rule("company", "1.6", "1.3")
def test_before_an_activation() -> None:
    here = session()
    assert rules(here, "activate a1") == [] and rules(here, "a1 run") == []
    assert "1.6" in rules(here, "activate a2")
    assert "1.3" in rules(here, "g1 run", "german"), "the other side has the Initiative"
    assert rules(here, "activate g1") == ["1.3"], "it is not theirs"


@pytest.mark.rule("company", "6.2", "9.3", "6.26")
def test_targets_say_why_they_are_none() -> None:
    here = session(6)
    assert rules(here, "a1 fire g1") == []
    assert "6.26" in rules(here, "a1 fire g2"), "too far"
    answer(here, "activate a1", "all aimed_fire")
    assert here.why_not("american", "at g1") == []
    assert [bar.rule for bar in here.why_not("american", "at g2")] == ["6.26"]


@pytest.mark.rule("company", "3.3")
def test_after_a_failure_only_the_fail_list_is_open() -> None:
    here = session(1)
    answer(here, "activate a1")
    assert "all run" not in keys(here)
    assert [bar.rule for bar in here.why_not("american", "all run")] == ["3.3"]
    assert here.why_not("american", "all fire") == []


@pytest.mark.rule("company", "11.2", "15.1")
def test_actions_say_why_nobody_can_take_them() -> None:
    assert rules(session(), "a1 barrage") == ["15.1"]
    assert rules(session(marks=1), "a1 fire") == ["11.2"]
    assert rules(session(leader=""), "a1 lead") == ["14.6"]
    assert rules(session(), "appoint a1") == ["14.13"] and rules(session(), "commander a1") == ["14.14"]


def test_reactions_say_why_not() -> None:
    here = play(
        platoon("us_rifles", "a1", team(20, 30, kind="us_rifle"), leader=""),
        platoon("ger_grenadiers", "g1", team(24, 22, kind="ger_rifle_mg", marks=1)),
        sides=SIDES,
    )
    assert rules(here, "react g1", "german") == ["11.2"]
    assert rules(here, "ground a1") == []
    assert "know of no" in here.why_not("american", "nonsense a1")[0].reason
