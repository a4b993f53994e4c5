"""Games to the end, forks, undo and replays: whatever is played, it goes on, ends and can be played again."""

from __future__ import annotations

import pytest

from grognard.core import session as sessions
from grognard.core.ask import Ask
from grognard.core.events import Event
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import ENDLESS, LONG, play, start

Battle = tuple[str, str]


def asked(ask: Ask | None) -> object:
    """A question as it can be compared."""
    return None if ask is None else (ask.side, ask.prompt, ask.quiet, ask.reaction, list(ask.options))


def fingerprint(session: Session) -> tuple[bytes, list[Event]]:
    """The state's bytes and the whole log."""
    return session.game.encode(session.state), list(session.log)


def test_random_games_end_and_keep_the_invariants(battle: Battle, seed: int) -> None:
    session = start(*battle, seed)
    player = RandomPlayer(seed)
    for _ in range(ENDLESS):
        if session.ask is None:
            break
        options = session.ask.options
        assert options, f"nothing to answer: {session.ask.prompt}"
        keys = [option.key for option in options]
        assert len(set(keys)) == len(keys), f"{session.ask.prompt}: an answer is there twice in {keys}"
        key = player.choose(None, session.ask)
        session.answer(key, trusted=True)
        wrong = session.game.invariants(session.battle)
        assert not wrong, f"after {key}: {wrong}"
    assert session.over
    assert session.result is not None
    assert session.result.winner in ("", *session.scenario.sides)
    assert session.result.reason


def test_a_fork_stands_before_the_same_question(battle: Battle) -> None:
    session = start(*battle)
    player = RandomPlayer(3)
    while session.ask is not None:
        fork = session.fork()
        assert asked(fork.ask) == asked(session.ask)
        assert fingerprint(fork) == fingerprint(session)
        session.answer(player.choose(None, session.ask), trusted=True)


def test_a_fork_has_the_same_future(battle: Battle) -> None:
    session = start(*battle, 1)
    player = RandomPlayer(4)
    for count in range(ENDLESS):
        if session.ask is None:
            return
        if count % (200 // LONG) == 107 // LONG:
            fork, again = session.fork(), session.fork()
            play(fork, count)
            play(again, count)
            assert fingerprint(fork) == fingerprint(again)
        session.answer(player.choose(None, session.ask), trusted=True)


def test_a_fork_with_dice_of_its_own_leaves_the_game_alone(battle: Battle) -> None:
    session = start(*battle)
    play(session, 5, 60)
    before = fingerprint(session)
    thought = session.fork(seed=b"other dice")
    play(thought, 6, 100)
    assert fingerprint(session) == before


def test_undo_goes_back_to_the_question_before(battle: Battle) -> None:
    session = start(*battle, 2)
    session.solo = True
    player = RandomPlayer(7)
    while session.ask is not None:
        before, question = fingerprint(session), asked(session.ask)
        key = player.choose(None, session.ask)
        session.answer(key, trusted=True)
        after = fingerprint(session)
        session.undo()
        assert asked(session.ask) == question
        assert fingerprint(session) == before
        session.answer(key, trusted=True)
        assert fingerprint(session) == after


def test_undo_is_refused_once_a_die_was_rolled(battle: Battle) -> None:
    session = start(*battle, 2)
    player = RandomPlayer(8)
    refused = 0
    for _ in range(300):
        if session.ask is None:
            break
        position = session.dice.position
        session.answer(player.choose(None, session.ask), trusted=True)
        if session.dice.position != position:
            refused += 1
            assert session.may_undo()
            with pytest.raises(sessions.UndoError):
                session.undo()
    assert refused


def test_the_same_seed_and_answers_give_the_same_game(battle: Battle) -> None:
    first, second = start(*battle, 3), start(*battle, 3)
    play(first, 9)
    for answer in list(first.answers):
        second.answer(answer.key)
    assert fingerprint(first) == fingerprint(second)


def test_without_snapshots_the_game_is_the_same(battle: Battle) -> None:
    first = start(*battle, 4)
    second = Session(first.game, first.scenario, seed=b"conformance 4", snapshots=False)
    play(first, 10, 150)
    play(second, 10, 150)
    assert fingerprint(first) == fingerprint(second)
    assert asked(second.fork().ask) == asked(first.ask)
