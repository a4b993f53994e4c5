"""What a side must do to win, in words made of the victory conditions, and how that stands (64.10)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.goals import GoalView
from grognard.games.ost import goals
from tests.games.ost.helpers import battle, position

UNITS = ("g1 ger_rifle B2", "a1 us_rifle I7")
HOLD = {"otherwise": "german", "win": [{"side": "american", "when": "end", "owns": "D4"}]}


def goal(side: str, *units: str, **kept: Any) -> GoalView:
    found = goals.goal(battle(position(*(units or UNITS), turns=9, **kept)), side)
    assert found is not None
    return found


@pytest.mark.rule("ost", "64.10")
def test_one_side_must_make_a_condition_true_and_the_other_must_not_let_it() -> None:
    kept: dict[str, Any] = {"victory": HOLD, "control": {"D4": "german"}, "turn": 3}
    assert goal("american", **kept) == GoalView("Control D4 at the end", "D4: German", "3 turns left")
    assert goal("german", **kept).task == "Don’t let the American side control D4 at the end"


def test_a_condition_of_every_turn_counts_at_the_last_as_well() -> None:
    both = [{"side": "american", "when": "turn", "owns": "D4"}, {"side": "american", "when": "end", "owns": "D4"}]
    assert goal("american", victory={"win": both}, control={"D4": ""}).task == "Control D4 at the end of a turn"
    assert goal("american", victory={"win": both}, control={"D4": ""}).stands == "D4: nobody"


def test_all_parts_of_a_condition_are_told() -> None:
    present = {"units": ["squad", "tank"], "hexes": "A1-B2", "good_order": True, "at_least": 2}
    win = {"side": "american", "when": "end", "owns": "D4", "present": present, "casualties": 3}
    assert goal("american", victory={"win": [win]}, control={"D4": ""}).task == (
        "Control D4, have 2 good order squad or tank between A1 and B2 and lead by 3 in Casualty Points at the end"
    )


@pytest.mark.rule("ost", "4.0")
def test_points_are_told_as_they_would_be_if_it_ended_now() -> None:
    rules = {
        "control": [{"hexes": "D4, E5", "points": 2}, {"hexes": "F6", "points": 3, "when": "turn", "from": 4}],
        "casualties": [{"per": 5}],
        "tie": "german",
    }
    kept: dict[str, Any] = {
        "victory": rules,
        "control": {"D4": "german", "E5": "american", "F6": ""},
        "casualties": {"american": 10},
    }
    found = goal("american", **kept)
    assert found.task == (
        "Have more Victory Points than the German side at the end: 3 for F6 at the end of each turn from turn 4 on; "
        "2 each for D4 and E5, 1 for every 5 Casualty Points"
    )
    assert found.stands == "if it ended now: German 2, American 4"
    assert goal("german", **kept).task.startswith("Have as many Victory Points as the American side")


def test_a_lead_that_is_needed_is_told_to_both() -> None:
    rules = {"control": [{"hexes": "D4", "points": 3}], "lead": {"american": 3}, "tie": "german"}
    assert goal("american", victory=rules, control={"D4": ""}).task.startswith("Lead by 3 Victory Points at the end")
    told = goal("german", victory=rules, control={"D4": ""}).task
    assert told.startswith("Don’t let the American side lead by 3 Victory Points at the end")


def test_who_watches_has_no_goal() -> None:
    assert goals.goal(battle(position(*UNITS)), "") is None
