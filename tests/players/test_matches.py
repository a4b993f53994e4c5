"""Matches of programs, and who meets whom."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.core.toy import ToyScenario
from tests.players.toy_tactics import TACTICAL

from grognard.core.errors import GrognardError
from grognard.players import matches
from grognard.players.matches import Match, Played, half, pairings, play_match, records
from grognard.players.ratings import Record


def test_a_match_is_played_to_its_end_and_again_the_same() -> None:
    match = Match("toy", ("greedy", "random"), "seed", 60.0)
    one, other = play_match(TACTICAL, ToyScenario(), match), play_match(TACTICAL, ToyScenario(), match)
    assert (one.winner, one.answers, one.reason) == (other.winner, other.answers, other.reason)
    assert one.players == {"red": "greedy", "blue": "random"}
    assert one.won_by == one.players.get(one.winner, "")
    assert one.over == {"red": 0.0, "blue": 0.0} and one.answers > 0


def test_what_is_known_is_set_aside_once_everybody_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(matches, "make_ready", lambda *_: done.append("ready"))
    monkeypatch.setattr(matches, "settle", lambda: done.append("settled"))
    play_match(TACTICAL, ToyScenario(), Match("toy", ("greedy", "random"), "seed", 60.0))
    assert done == ["ready", "settled"]


def test_a_match_needs_a_program_for_every_side() -> None:
    with pytest.raises(GrognardError, match="2 sides"):
        play_match(TACTICAL, ToyScenario(), Match("toy", ("greedy",), "seed"))
    with pytest.raises(GrognardError, match="a person"):
        play_match(TACTICAL, ToyScenario(), Match("toy", ("human", "greedy"), "seed"))


def test_every_pair_meets_with_sides_swapped_and_dice_shared() -> None:
    found = list(pairings(["a", "b", "c"], ["x", "y"], 4, "7"))
    assert len(found) == 4 * 2 * 3
    seats = Counter((match.scenario, match.players) for match in found)
    assert len(seats) == 12 and set(seats.values()) == {2}
    for match in found:
        swapped = [each for each in found if each.players == match.players[::-1] and each.seed == match.seed]
        assert len(swapped) == 1 and swapped[0].scenario == match.scenario


def game(one: str, other: str, won_by: str) -> Played:
    return Played(
        scenario="x",
        players={"red": one, "blue": other},
        seed="",
        winner="",
        won_by=won_by,
        reason="",
        turn=1,
        answers=1,
        over={},
        slowest={},
        thought={},
    )


def test_records_of_pairs_both_ways_round() -> None:
    found = records([game("a", "b", "a"), game("b", "a", "a"), game("a", "b", ""), game("b", "a", "b")])
    assert found == {("a", "b"): Record(2, 1, 1), ("b", "a"): Record(1, 2, 1)}
    assert half(found) == {("a", "b"): Record(2, 1, 1)}
