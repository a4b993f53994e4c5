"""Training Checks (3.1, 3.2, 3.13, 14.8), and what suppression does to those that activate (11.3)."""

from __future__ import annotations

import pytest

from grognard.games.company import training
from grognard.games.company.charts import charts
from grognard.games.company.turn_events import Activated, FailedToActivate, OutOfTheQuestion
from tests.games.company.playing import (
    answer,
    battle_of,
    happened,
    keys,
    lines,
    options,
    platoon,
    play,
    rolled,
    run,
    tally,
    team,
    unit_of,
)

GERMANS = platoon("ger_grenadiers", "g1", (40, 3), (42.5, 3), heading=180)


def riflemen(**more: object) -> dict[str, object]:
    return platoon("us_rifles", "a1", (20, 45), (22.5, 45), (25, 45), **more)


@pytest.mark.rule("company", "3.2")
@pytest.mark.parametrize(("level", "check", "to_hit"), [("green", 5, 2), ("veteran", 4, 3), ("elite", 3, 4)])
def test_the_training_table(level: str, check: int, to_hit: int) -> None:
    row = charts().trainings[level]
    assert (row.check, row.to_hit) == (check, to_hit)


@pytest.mark.rule("company", "3.1", "3.2", "3.13")
@pytest.mark.parametrize(("level", "needs"), [("green", 5), ("veteran", 4), ("elite", 3)])
def test_a_unit_activates_on_the_number_of_its_training(level: str, needs: int) -> None:
    for die in range(1, 7):
        session = play(riflemen(training=level), GERMANS, dice=(die,))
        answer(session, "activate a1")
        assert bool(happened(session, Activated)) == (die >= needs)
        assert bool(happened(session, FailedToActivate)) == (die < needs)


@pytest.mark.rule("company", "3.13", "11.3")
@pytest.mark.parametrize(("level", "marks", "needs"), [("veteran", 2, 6), ("elite", 2, 5), ("green", 1, 6)])
def test_every_marker_makes_an_activation_harder(level: str, marks: int, needs: int) -> None:
    for die in (needs - 1, needs):
        unit = platoon("us_rifles", "a1", team(20, 45, marks=marks), (22.5, 45), training=level)
        session = play(unit, GERMANS, dice=(die,))
        assert options(session)[0].label.endswith(f"{needs}+")
        answer(session, "activate a1")
        assert bool(happened(session, Activated)) == (die >= needs)
        assert lines(tally(session, "Training Check")) == {"suppression": marks}


@pytest.mark.rule("company", "3.13")
@pytest.mark.parametrize(("level", "marks"), [("green", 2), ("veteran", 3)])
def test_a_number_above_six_cannot_be_made_and_no_die_is_rolled(level: str, marks: int) -> None:
    unit = platoon("us_rifles", "a1", team(20, 45, marks=marks), (22.5, 45), training=level)
    session = play(unit, platoon("us_commander", "a2", (30, 45)), GERMANS)
    assert "bound to fail" in options(session)[0].label
    answer(session, "activate a1")
    assert happened(session, OutOfTheQuestion)[0].needed == 7
    assert happened(session, FailedToActivate) and not rolled(session)
    # One marker goes all the same, and the Fail actions are open.
    assert sum(each.marks for each in unit_of(session, "a1").models) == marks - 1
    assert "all move" in keys(session)


@pytest.mark.rule("company", "3.13")
def test_a_one_always_fails_whatever_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = battle_of(riflemen(), GERMANS, dice=(1,))
    easy = charts().trainings["veteran"]._replace(check=1)
    monkeypatch.setattr(type(battle), "training", lambda self, unit: easy)
    assert not run(training.training_check(battle, unit_of(battle, "a1"), "a check", ("3.13",))).passed


@pytest.mark.rule("company", "3.13", "12.5")
def test_only_activations_are_changed_by_suppression() -> None:
    battle = battle_of(riflemen(marks=2), GERMANS, dice=(4,))
    assert run(training.training_check(battle, unit_of(battle, "a1"), "morale", ("12.1",))).passed
    assert lines(tally(battle, "Training Check")) == {}


@pytest.mark.rule("company", "14.8")
def test_the_commander_has_a_failed_check_rolled_again_once_an_initiative() -> None:
    session = play(
        riflemen(),
        platoon("us_rifles", "a3", (30, 45), (32.5, 45)),
        platoon("us_commander", "a2", (60, 45)),
        GERMANS,
        dice=(2, 5, 2),
        initiative=3,
    )
    answer(session, "activate a1")
    assert keys(session) == ["reroll", "keep"]
    assert session.ask is not None and session.ask.reaction == "commander"
    answer(session, "reroll")
    assert happened(session, Activated) and not happened(session, FailedToActivate)
    answer(session, "all nothing", "activate a3")
    assert "reroll" not in keys(session)  # he has done it in this Initiative
    assert len(happened(session, FailedToActivate)) == 1


@pytest.mark.rule("company", "14.8")
def test_a_check_may_be_left_as_it_is_and_a_second_failure_stands() -> None:
    units = riflemen(), platoon("us_commander", "a2", (60, 45)), GERMANS
    kept = play(*units, dice=(2,))
    answer(kept, "activate a1", "keep")
    assert happened(kept, FailedToActivate) and len(rolled(kept)) == 1
    again = play(*units, dice=(2, 3))
    answer(again, "activate a1", "reroll")
    assert happened(again, FailedToActivate) and len(rolled(again)) == 2


def test_odds_of_an_activation_are_those_of_one_die() -> None:
    session = play(riflemen(marks=0), GERMANS)
    odds = session.odds("activate a1")
    assert odds.exact
    chances = {part.text: part.probability for part in odds.parts if "activate" in part.text}
    assert {str(chance) for chance in chances.values()} == {"1/2"}
