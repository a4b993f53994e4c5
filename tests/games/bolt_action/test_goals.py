"""What a side must do to win, in words made of the victory conditions, and how that stands (28.4, 28.5)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.goals import GoalView
from grognard.games.bolt_action import goals
from tests.games.bolt_action.play import field, unit


def goal(side: str, **head: Any) -> GoalView | None:
    american = unit("us_squad", "a1", at=(20, 44))
    german = unit("ger_infantry", "g1", at=(20, 3), heading=180)
    return goals.goal(field(american, german, **head), side)


@pytest.mark.rule("bolt_action", "28.4", "28.5")
def test_the_lead_what_it_is_made_of_and_how_it_stands() -> None:
    at = [{"at": [20, 43], "points": 3, "name": "The bridge"}, {"at": [60, 24], "points": 1, "name": "The mill"}]
    found = goal("american", objective=at)
    assert found is not None
    assert (
        found.task == "Lead by 2 points at the end: 3 for the bridge, 1 for the mill, 1 for each enemy unit destroyed"
    )
    assert found.stands == "if it ended now: American 3, German 0"


def test_who_wins_without_a_lead_must_only_keep_the_other_from_it() -> None:
    rules = {"otherwise": "german", "lead": 3}
    mine, theirs = goal("american", victory=rules), goal("german", victory=rules)
    assert mine is not None
    assert theirs is not None
    assert mine.task.startswith("Lead by 3 points at the end")
    assert theirs.task.startswith("Don’t let the American side lead by 3 points at the end")


def test_the_turns_that_are_left_have_the_one_in_hand_among_them() -> None:
    found = [goal("american", turn=turn) for turn in (1, 5, 6)]
    assert [each.left for each in found if each] == ["6 turns left", "2 turns left", "the last turn"]


def test_who_watches_has_no_goal() -> None:
    assert goal("") is None
