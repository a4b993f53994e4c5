"""The player that takes the best proposal."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from tests.core.toy import TOY, ToyScenario
from tests.players.toy_tactics import opened

from grognard.core.ask import Option
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.tactics import Proposal, Reason
from grognard.players.greedy import GreedyPlayer
from grognard.players.thought import REST, weighed


def soon() -> float:
    return time.monotonic() + 60


def test_it_takes_the_best_proposal_and_says_why() -> None:
    session = opened()
    player = GreedyPlayer(1)
    key = player.choose_from(session.probe(), soon())
    assert key.startswith("shoot")
    thought = player.thought
    assert thought is not None
    assert (thought.side, thought.prompt, thought.chosen, thought.player) == ("red", "Your shot", key, "greedy")
    assert thought.options[0].key == key and thought.options[0].reasons[0].text == "shoot"
    worths = [option.worth for option in thought.options]
    assert worths == sorted(worths, reverse=True) and len(worths) <= 8
    assert thought.looked == 0 and thought.standing is not None


def test_with_slack_it_takes_lesser_answers_at_times_and_the_same_ones_again() -> None:
    session = opened()
    session.answer("shoot r0 b0")
    probe = session.probe()
    plain = {GreedyPlayer(seed).choose_from(probe, soon()) for seed in range(10)}
    assert plain == {"duck"}
    taken = [GreedyPlayer(seed, slack=3.0).choose_from(probe, soon()) for seed in range(60)]
    assert Counter(taken)["duck"] > Counter(taken)["pass"] > 0
    assert taken == [GreedyPlayer(seed, slack=3.0).choose_from(probe, soon()) for seed in range(60)]


def test_what_was_chosen_is_among_the_options_that_are_kept() -> None:
    session = opened()
    probe = session.probe()
    for seed in range(30):
        player = GreedyPlayer(seed, slack=50.0)
        key = player.choose_from(probe, soon())
        assert player.thought is not None
        assert key in [option.key for option in player.thought.options]


def test_a_game_without_tactics_says_so() -> None:
    session = Session(TOY, ToyScenario(), seed=b"none")
    with pytest.raises(GrognardError, match="no tactics"):
        GreedyPlayer(1).choose_from(session.probe(), soon())


def test_reasons_add_up_to_the_worth() -> None:
    def told(worth: float, *shares: float) -> list[tuple[str, float]]:
        proposal = Proposal("a", worth, tuple(Reason("why", share) for share in shares))
        return [(why.text, why.worth) for why in weighed(proposal, Option("a")).reasons]

    assert told(5.0, 3.0, 1.8) == [("why", 3.0), ("why", 1.8)], "trifles are left out"
    assert told(26.0, 5.0, 2.0)[-1] == (REST, 19.0)
    assert told(-2.0, 1.0)[-1] == (REST, -3.0)
    assert told(4.0) == [], "where nothing was said nothing is left"
