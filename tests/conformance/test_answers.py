"""Enumeration is the only legality: every option is accepted, everything else refused without any change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.core.ask import Ask, shortened
from grognard.core.errors import IllegalError, StaleError
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, battles, load, play, start

Battle = tuple[str, str]


def test_every_option_is_accepted(battle: Battle) -> None:
    session = start(*battle, 5)
    player = RandomPlayer(11)
    for count in range(400):
        if session.ask is None:
            break
        if count % 12 == 5:
            options = session.ask.options
            step = max(1, len(options) // (8 * LONG))
            for option in options[::step]:
                fork = session.fork()
                fork.answer(option.key)
                assert not fork.game.invariants(fork.battle), option.key
        session.answer(player.choose(None, session.ask), trusted=True)


def test_other_answers_are_refused_without_change(battle: Battle) -> None:
    session = start(*battle, 6)
    player = RandomPlayer(12)
    seen: set[str] = set()
    for _ in range(250):
        if session.ask is None:
            break
        seen.update(option.key for option in session.ask.options)
        legal = {option.key for option in session.ask.options}
        some = sorted(seen - legal)[:: max(1, len(seen) // 4)]
        wrong = [key for key in some if not _taken(session.ask, key)]
        before = session.game.encode(session.state), len(session.log), len(session.answers), session.dice.position
        for key in [*wrong, "", "nonsense", next(iter(legal)) + " "]:
            with pytest.raises(IllegalError) as error:
                session.answer(key)
            assert shortened(key) in str(error.value) and "legal:" in str(error.value)
        assert before == (
            session.game.encode(session.state),
            len(session.log),
            len(session.answers),
            session.dice.position,
        )
        session.answer(player.choose(None, session.ask))


def _taken(ask: Ask, key: str) -> bool:
    """Whether a pose or a draft that was listed earlier is an answer now."""
    if ask.draft is not None and ask.draft.takes(key):
        return not ask.draft.read(key)[1]
    return ask.area is not None and not isinstance(ask.area.option(key), str)


def test_an_answer_to_an_old_question_is_stale(battle: Battle) -> None:
    session = start(*battle, 7)
    assert session.ask is not None
    old, key = session.seq, session.ask.options[0].key
    session.answer(key, old)
    before = session.game.encode(session.state)
    with pytest.raises(StaleError):
        session.answer(key, old)
    assert session.game.encode(session.state) == before


def _some_session(number: int) -> Session:
    game, scenario = battles()[number % len(battles())]
    session = start(game, scenario, number)
    play(session, number, 40 + 97 * number % 200)
    return session


@pytest.fixture(scope="module")
def midway() -> list[Session]:
    return [session for number in range(4) if (session := _some_session(number)).ask is not None]


@settings(max_examples=60 * LONG, deadline=None)
@given(text=st.one_of(st.text(max_size=40), st.binary(max_size=40).map(lambda b: b.decode("latin-1"))))
def test_random_bytes_change_nothing(midway: list[Session], text: str) -> None:
    for session in midway:
        assert session.ask is not None
        if any(option.key == text for option in session.ask.options):
            continue
        before = session.game.encode(session.state), len(session.log), session.dice.position
        with pytest.raises(IllegalError):
            session.answer(text)
        session.why_not(session.ask.side, text)
        assert (session.game.encode(session.state), len(session.log), session.dice.position) == before


def test_a_plan_stops_at_the_first_surprise(battle: Battle) -> None:
    game, scenario = load(*battle)
    session = Session(game, scenario, seed=b"plan")
    play(session, 1, 30)
    before = len(session.answers)
    assert session.plan(["nonsense", "more nonsense"]) == 0
    assert len(session.answers) == before
