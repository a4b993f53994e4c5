"""Exact odds: they sum to 1, agree with the dice, and tell nothing of what the side does not know."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from grognard.core.dice import FairDice
from grognard.core.odds import Odds, _run
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, start

Battle = tuple[str, str]
SAMPLES = 1_000 * LONG  # 20,000 with GROGNARD_LONG=20


def chances(session: Session, limit: int) -> list[tuple[Session, str, Odds]]:
    """Some answers of a game whose outcome is open, with their odds."""
    found: list[tuple[Session, str, Odds]] = []
    player = RandomPlayer(21)
    asked = 0
    while session.ask is not None and len(found) < limit:
        asked += 1
        key = player.choose(None, session.ask)
        if asked % 3 == 0:
            odds = session.odds(key)
            assert sum((o.probability for o in odds.outcomes), Fraction(0)) == 1
            assert all(o.probability > 0 for o in odds.outcomes)
            if odds.exact and len(odds.outcomes) > 1:
                found.append((session.fork(), key, odds))
        session.answer(key, trusted=True)
    return found


def test_odds_sum_to_one_and_agree_with_the_dice(battle: Battle) -> None:
    found = chances(start(*battle, 16), 4)
    assert found, "no roll of the dice in a whole game"
    session, key, odds = max(found, key=lambda item: len(item[2].outcomes))
    assert session.ask is not None
    seen: Counter[tuple[str, ...]] = Counter()
    dice = FairDice(b"sampling")
    for _ in range(SAMPLES):
        before, results = _run(session, [key], session.ask.side, dice, {}, set(), set())
        paid = odds.anyway[len(before) :]
        seen[tuple(text for text in results if text not in paid)] += 1
    assert set(seen) <= {outcome.results for outcome in odds.outcomes}
    for outcome in odds.outcomes:
        p = float(outcome.probability)
        spread = math.sqrt(SAMPLES * p * (1 - p))
        assert abs(seen[outcome.results] - SAMPLES * p) <= 5 * spread + 1, outcome


def test_asking_for_odds_changes_nothing(battle: Battle) -> None:
    session = start(*battle, 17)
    player = RandomPlayer(22)
    for count in range(200):
        if session.ask is None:
            break
        key = player.choose(None, session.ask)
        if count % 25 == 9:
            before = session.game.encode(session.state), session.log[:], session.dice.position
            first, second = session.odds(key), session.odds(key)
            if first.exact:
                assert first == second
            assert before == (session.game.encode(session.state), session.log, session.dice.position)
        session.answer(key, trusted=True)
