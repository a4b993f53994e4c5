"""Exact odds: they sum to 1, agree with the dice, and tell nothing of what the side does not know."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from grognard.core.events import Change
from grognard.core.odds import Odds, changes
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
            assert len({frozenset(o.changes) for o in odds.outcomes}) == len(odds.outcomes)
            if odds.exact and len(odds.outcomes) > 1:
                found.append((session.fork(), key, odds))
        session.answer(key, trusted=True)
    return found


def played(session: Session, keys: Sequence[str], seed: bytes) -> list[Change]:
    """What comes of answers in a copy that knows what the side knows, played through the session with fair dice."""
    copy = session.probe().fork(seed=seed)
    start, left, ends = len(copy.battle.log), list(keys), list[int]()

    def settled() -> None:
        if not left and not ends:
            ends.append(len(copy.battle.log))

    while copy.ask is not None and not ends:
        copy.battle.on_settled = settled
        if left and (copy.ask.area or left[0] in {option.key for option in copy.ask.options}):
            copy.answer(left.pop(0))
        elif copy.ask.meanwhile:
            copy.answer(copy.ask.meanwhile)
        else:
            break
    events = copy.battle.log[start : ends[0] if ends else None]
    return [change for part in changes(copy.game, copy.battle, events) for change in part]


def agree(session: Session, keys: Sequence[str], odds: Odds) -> None:
    """The odds are those with which it happens, within five sigmas."""
    seen: Counter[frozenset[Change]] = Counter()
    for number in range(SAMPLES):
        seen[frozenset(played(session, keys, b"play %d" % number)) - set(odds.anyway)] += 1
    expected: dict[frozenset[Change], Fraction] = {}
    for outcome in odds.outcomes:
        same = frozenset(outcome.changes)
        expected[same] = expected.get(same, Fraction(0)) + outcome.probability
    assert set(seen) <= set(expected)
    for what, probability in expected.items():
        p = float(probability)
        spread = math.sqrt(SAMPLES * p * (1 - p))
        assert abs(seen[what] - SAMPLES * p) <= 5 * spread + 1, what


def test_odds_sum_to_one_and_agree_with_the_dice(battle: Battle) -> None:
    # One answer in three is looked at: in a short game that may miss all that are open.
    games = (chances(start(*battle, seed), 4) for seed in range(16, 22))
    found = next(filter(None, games), [])
    assert found, "no roll of the dice in six whole games"
    session, key, odds = max(found, key=lambda item: len(item[2].outcomes))
    agree(session, [key], odds)


def chain_with_reaction(session: Session, key: str) -> list[str]:
    """An answer, and behind it a reaction of the other side that is not what odds assume; [] if it has none to make."""
    probe = session.probe()
    side, keys, rolled = probe.ask.side if probe.ask else "", [key], probe.dice.position
    probe.answer(key)
    while probe.ask is not None and probe.dice.position == rolled and probe.ask.meanwhile:
        if probe.ask.side != side and probe.ask.reaction:
            other = [option.key for option in probe.ask.options if option.key != probe.ask.meanwhile]
            return [*keys, other[0]] if other else []
        probe.answer(probe.ask.meanwhile)
    return []


def test_odds_of_chains_with_reactions_agree_with_what_is_played(battle: Battle) -> None:
    """A reaction that is given is played; one that is not given is said to be assumed."""
    session, player = start(*battle, 16), RandomPlayer(21)
    while session.ask is not None:
        key = player.choose(None, session.ask)
        if keys := chain_with_reaction(session, key):
            plain, odds = session.odds(key), session.odds(*keys)
            assert sum((o.probability for o in odds.outcomes), Fraction(0)) == 1
            assert any(each.side != odds.side for each in plain.assumed)
            if odds.exact and len(odds.outcomes) > 1:
                assert odds.reached == 1 and keys[1] not in {each.key for each in odds.assumed}
                agree(session, keys, odds)
                return
        session.answer(key, trusted=True)
    pytest.skip("nobody had anything to react to in this game")


def test_every_answer_of_the_meantime_is_legal(battle: Battle) -> None:
    session, player = start(*battle, 18), RandomPlayer(23)
    for _ in range(1_500):
        if session.ask is None:
            break
        if session.ask.meanwhile:
            session.ask.option(session.ask.meanwhile)
        session.answer(player.choose(None, session.ask), trusted=True)


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
