"""The random player: legal, the same for the same seed, and not blind to rare verbs."""

from __future__ import annotations

from collections import Counter

from grognard.core.ask import Ask, Option
from grognard.players.random import RandomPlayer

ASK = Ask("us", "What now?", [*(Option(f"move {n}", verb="move") for n in range(30)), Option("rally 1", verb="rally")])


def test_it_answers_with_an_option() -> None:
    player = RandomPlayer(1)
    assert all(player.choose(None, ASK) in {option.key for option in ASK.options} for _ in range(50))


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = RandomPlayer("x"), RandomPlayer("x")
    assert [one.choose(None, ASK) for _ in range(20)] == [other.choose(None, ASK) for _ in range(20)]


def test_rare_verbs_come_up_as_often_as_common_ones() -> None:
    player = RandomPlayer(2)
    count = Counter(player.choose(None, ASK).split()[0] for _ in range(400))
    assert 140 < count["rally"] < 260
