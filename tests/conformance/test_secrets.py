"""Redact first: what a side sees, is offered and is told of odds follows from what it may know."""

from __future__ import annotations

import msgspec

from grognard.core.events import Asked
from grognard.core.prospects import prospect
from grognard.core.session import Session
from grognard.core.view import Prospect
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, start

Battle = tuple[str, str]
#: At one question in so many a whole prospect is worked out: it tries all that a unit can do.
SELDOM = max(1, 50 // LONG)


def bytes_of(view: object) -> bytes:
    return msgspec.msgpack.encode(view)


def test_views_follow_from_what_the_side_knows(battle: Battle) -> None:
    """The view of the whole state and that of the state without the enemy's secrets are equal."""
    session = start(*battle, 8)
    player = RandomPlayer(13)
    while session.ask is not None:
        for side in session.scenario.sides:
            copy, _, _ = session.rerun()
            session.game.conceal(copy, side)
            assert bytes_of(session.game.view(copy, side)) == bytes_of(session.game.view(session.battle, side))
        session.answer(player.choose(None, session.ask), trusted=True)


def test_options_follow_from_what_the_side_knows(battle: Battle) -> None:
    session = start(*battle, 9)
    player = RandomPlayer(14)
    for count in range(600):
        if session.ask is None:
            break
        if count % 3 == 0:
            assert session.ask.options == concealed_options(session)
        session.answer(player.choose(None, session.ask), trusted=True)


def test_prospects_follow_from_what_the_side_knows(battle: Battle) -> None:
    session = start(*battle, 9)
    player = RandomPlayer(17)
    for count in range(400):
        if session.ask is None:
            break
        units = [option.unit for option in session.ask.options if option.unit]
        if units and count % SELDOM == 0:
            unit = units[count % len(units)]
            assert bytes_of(whole(session, unit)) == bytes_of(whole(session.probe(), unit))
        session.answer(player.choose(None, session.ask), trusted=True)


def whole(session: Session, unit: str) -> Prospect:
    """A prospect however long it takes."""
    return prospect(session, unit, seconds=600)


def concealed_options(session: Session) -> list[object]:
    """The options of the question when the enemy's secrets are gone before anybody lists them."""
    assert session.ask is not None
    copy = session.fork()
    assert copy.ask is not None
    copy.game.conceal(copy.battle, copy.ask.side)
    return list(copy.ask.options)


def test_only_the_side_that_is_asked_sees_the_options(battle: Battle) -> None:
    session = start(*battle, 10)
    player = RandomPlayer(15)
    for _ in range(80 * LONG):
        if session.ask is None:
            break
        for side in session.scenario.sides:
            view = session.view(side)
            assert (view.ask is not None) == (side == session.ask.side)
        session.answer(player.choose(None, session.ask), trusted=True)


def test_the_log_keeps_secrets(battle: Battle) -> None:
    """No line that only one side may see stands in the other's log, nor do the other's answers."""
    session = start(*battle, 11)
    player = RandomPlayer(16)
    for _ in range(200):
        if session.ask is None:
            break
        session.answer(player.choose(None, session.ask), trusted=True)
    for side in session.scenario.sides:
        lines = session.view(side).log
        secret = [e for e in session.log if e.seen_by not in ("", side) or (isinstance(e, Asked) and e.side != side)]
        assert secret
        assert len(lines) == len(session.log) - len(secret)
        assert all(line.side == side for line in lines if line.kind == "Asked")


def test_views_are_plain_data_of_one_schema(battle: Battle) -> None:
    session = start(*battle, 12)
    for side in session.scenario.sides:
        view = session.view(side)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
        assert session.game.draw(session.battle, side).startswith("<svg")
        assert session.game.draw_text(session.battle, side)
