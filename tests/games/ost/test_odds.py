"""Odds keep their promise: what is answered is played, and in a Melee both sides tell their numbers."""

from __future__ import annotations

import pytest

from grognard.core.errors import IllegalError
from grognard.core.session import Session
from tests.games.ost.helpers import answer, position

rule = pytest.mark.rule


def outnumbered() -> Session:
    """Two German squads may assault a machine gun; with their last points the Impulses are over."""
    return position(
        "m us_mmg D4",
        "l us_lt D4 attached=m",
        "g1 ger_rifle D3",
        "g2 ger_rifle D3",
        "gl ger_lt D3 attached=g1",
        points={"german": 2, "american": 0},
    )


@rule("ost", "102.8", "103.1", "111.10")
def test_a_chain_goes_on_into_the_melee() -> None:
    session = outnumbered()
    only = session.odds("group_assault g1 g2 D4")
    assert [outcome.text for outcome in only.outcomes] == ["A Melee begins in D4"]
    odds = session.odds("group_assault g1 g2 D4", "concentrate g2")
    assert odds.exact and sum(outcome.probability for outcome in odds.outcomes) == 1
    hurt = {change.unit for outcome in odds.outcomes for change in outcome.changes if change.side == "german"}
    assert hurt == {"g2"}, "the machine gun attacks nobody else"
    assert 0 < odds.to_us < 1 and 0 < odds.to_them < 1
    both = session.odds("group_assault g1 g2 D4", "all")
    hurt = {change.unit for outcome in both.outcomes for change in outcome.changes if change.side == "german"}
    assert hurt == {"g1", "g2", "gl"}
    with pytest.raises(IllegalError, match="'concentrate m' is not an answer to “Melee in D4"):
        session.odds("group_assault g1 g2 D4", "concentrate m")


@rule("ost", "102.9", "102.10", "102.11")
def test_the_odds_of_a_melee_show_the_tallies_of_both_sides() -> None:
    odds = outnumbered().odds("group_assault g1 g2 D4", "all")
    attacks = [
        (behind.side, behind.tally.what, behind.tally.total) for behind in odds.tallies if "Melee" in behind.roll
    ]
    assert attacks == [
        ("german", "Firepower", 11),
        ("german", "Defense", 5),
        ("german", "roll modifiers", 1),
        ("american", "Firepower", 8),
        ("american", "Defense", 9),
        ("american", "roll modifiers", 1),
    ]


@rule("ost", "105.1", "105.3")
def test_a_move_assumes_that_nobody_fires_unless_it_is_told_so() -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle D7")
    answer(session, "move g1")
    quiet, fired = session.odds("step D5"), session.odds("step D5", "a1 at g1 own")
    assert [(each.side, each.key, each.label) for each in quiet.assumed] == [("american", "pass", "Hold fire")]
    assert (quiet.to_us, quiet.to_them) == (0, 0)
    assert fired.assumed == () and fired.to_us > 0 and fired.to_them == 0
    # From the other end: what the shot does is done to them.
    answer(session, "step D5")
    assert session.odds("a1 at g1 own").to_them == fired.to_us
    assert session.odds("pass").to_them == 0
