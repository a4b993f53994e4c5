"""Section 1: Initiatives, whose turn it is, and what is done between two turns."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.dice_words import readings
from grognard.core.events import Event, Rolled
from grognard.core.session import Session
from grognard.games.company import turn
from grognard.games.company.command_events import CompanyChecked, SmokeClears
from grognard.games.company.turn_events import Holds, InitiativeBegins, LastTeam, NobodyLeft, TurnBegins, TurnEnds
from tests.games.company.playing import answer, happened, keys, platoon, play, rolled, unit_of

PASS, FAIL = 6, 1


def far_apart(*, mine: int = 2, theirs: int = 2, **more: Any) -> Session:
    """Rifle platoons along one edge and grenadiers along the other, out of each other's way."""
    units = [platoon("us_rifles", f"a{n}", (6 * n, 45), (6 * n + 2.5, 45)) for n in range(1, mine + 1)]
    units += [
        platoon("ger_grenadiers", f"g{n}", (6 * n, 3), (6 * n + 2.5, 3), heading=180) for n in range(1, theirs + 1)
    ]
    return play(*units, **more)


def order(session: Session, *kinds: type[Event]) -> list[str]:
    """The events of some kinds as they came."""
    return [type(event).__name__ for event in session.log if type(event) in kinds]


@pytest.mark.rule("company", "1.1", "1.2")
def test_the_higher_roll_has_the_first_initiative_and_ties_are_rolled_again() -> None:
    session = far_apart(phase="start", dice=(3, 3, 2, 5))
    assert [roll.meaning for roll in rolled(session, "the first Initiative")] == ["a tie", "German"]
    assert order(session, TurnBegins, InitiativeBegins) == ["TurnBegins", "InitiativeBegins"]
    assert session.ask is not None and session.ask.side == "german"
    assert session.battle.state.first == "german"


@pytest.mark.rule("company", "1.3", "1.4", "1.6")
def test_a_side_goes_on_until_a_unit_fails() -> None:
    session = far_apart(dice=(PASS, FAIL, PASS), initiative=1)
    assert keys(session) == ["activate a1", "activate a2"]
    answer(session, "activate a1", "all nothing")
    assert session.ask is not None and session.ask.side == "american"
    assert keys(session) == ["activate a2"]
    answer(session, "activate a2")
    assert session.ask.side == "american"  # its Fail action comes first
    answer(session, "all move", "stay")
    assert session.ask.side == "german"
    assert session.battle.state.initiative == 2
    answer(session, "activate g1", "all nothing")
    assert session.battle.state.initiative == 2


@pytest.mark.rule("company", "1.7")
def test_nobody_may_pass() -> None:
    session = far_apart()
    assert {key.split()[0] for key in keys(session)} == {"activate"}


@pytest.mark.rule("company", "1.5", "1.8")
def test_who_has_nobody_left_is_passed_over_and_the_turn_ends_when_all_have_acted() -> None:
    session = far_apart(mine=2, theirs=1, dice=(FAIL, PASS, FAIL, 5, 2), initiative=1)
    answer(session, "activate a1", "all nothing", "activate g1", "all nothing")
    # The Germans have nobody left, and so the Americans go on, in an Initiative of their own.
    assert session.ask is not None and session.ask.side == "american"
    assert session.battle.state.initiative == 3
    assert not happened(session, TurnEnds)
    answer(session, "activate a2", "all nothing")
    assert len(happened(session, TurnEnds)) == 1
    assert session.battle.state.turn == 2
    assert keys(session) == ["activate a1", "activate a2"]  # everybody may act again
    assert session.ask.side == "american"


@pytest.mark.rule("company", "1.8")
def test_after_a_failure_the_same_side_begins_an_initiative_where_the_other_has_nobody_left() -> None:
    session = far_apart(mine=2, theirs=1, dice=(PASS, FAIL, FAIL), initiative=1, side="german")
    answer(session, "activate g1", "all nothing", "activate a1", "all nothing")
    assert len(happened(session, NobodyLeft)) == 1
    assert [event.side for event in happened(session, InitiativeBegins)] == ["american", "american"]
    assert session.battle.state.initiative == 3


@pytest.mark.rule("company", "1.9", "12.1", "12.4", "14.10", "15.17")
def test_a_turn_ends_in_its_order() -> None:
    worn = platoon("us_rifles", "a1", (6, 45), (8.5, 45), (11, 45), size=8, lost_now=1, acted=1)
    alone = platoon("us_rifles", "a2", (30, 45), size=11, acted=1)
    beaten = platoon("ger_grenadiers", "g1", (6, 3), (8.5, 3), heading=180)
    session = play(
        platoon("us_rifles", "a4", (60, 45), (62.5, 45)),
        platoon("us_commander", "a5", (50, 45)),
        worn,
        alone,
        beaten,
        lost={"american": ["a6"]},
        company={"american": {"start": 4}},
        smoke=[{"at": [40, 24], "until": 1}],
        dice=(PASS, PASS, PASS, PASS, 6, 2),
    )
    answer(session, "activate a4", "all nothing", "activate g1", "all nothing")
    assert order(session, TurnEnds, Holds, LastTeam, SmokeClears, TurnBegins, CompanyChecked, Rolled)[-7:] == [
        "Holds",
        "LastTeam",
        "SmokeClears",
        "TurnBegins",
        "Rolled",
        "CompanyChecked",
        "Rolled",
    ]
    assert unit_of(session, "a2").status == "lost"
    assert session.battle.state.clouds == []


def test_the_question_whom_to_activate_can_be_entered_afresh() -> None:
    session = far_apart(dice=(PASS, FAIL), initiative=1)
    answer(session, "activate a1", "all nothing", "activate a2", "all nothing")
    before = session.battle.state.initiative, len(session.log)
    again = session.fork()
    assert (again.battle.state.initiative, len(again.log)) == before
    assert keys(again) == keys(session)


@pytest.mark.rule("company", "1.2")
def test_whoever_throws_his_own_dice_is_told_what_they_mean() -> None:
    told = [(line.faces, line.meaning) for line in readings(2, 6, turn.higher(("german", "american")))]
    assert told == [("first die higher", "German"), ("second die higher", "American"), ("both the same", "roll again")]
