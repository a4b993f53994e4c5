"""Drafts: what is drawn without a fault is taken and keeps every invariant; all else is refused without any change."""

from __future__ import annotations

import json
from random import Random

import pytest

from grognard.core.ask import Ask
from grognard.core.drafts import LONGEST, Draft
from grognard.core.errors import IllegalError
from grognard.core.forms import spoil, write_form
from grognard.core.resuming import load as load_save
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, start

Battle = tuple[str, str]


def _asks(battle: Battle, seed: int, most: int) -> list[tuple[Session, Draft]]:
    """Questions with a draft from a random game, spread over it."""
    session, player = start(*battle, seed), RandomPlayer(seed)
    found: list[tuple[Session, Draft]] = []
    for count in range(300):
        ask = session.ask
        if ask is None or len(found) == most:
            break
        if count % 7 == 0 and ask.draft is not None:
            fork = session.fork()
            found.append((fork, _draft(fork)))
        session.answer(player.choose(None, ask), trusted=True)
    return found


def _draft(session: Session) -> Draft:
    assert session.ask is not None and session.ask.draft is not None
    return session.ask.draft


def _all_of(session: Session) -> tuple[object, ...]:
    """Everything that a refused answer must leave as it is."""
    return (session.game.encode(session.state), len(session.log), session.dice.position, session.seq, session.given)


def test_what_passes_is_taken_and_what_does_not_is_refused_without_change(battle: Battle, seed: int) -> None:
    rng = Random(f"{battle} {seed}")
    for session, draft in _asks(battle, 30 + seed, 8 * LONG):
        for _ in range(6):
            form = draft.sample(rng)
            for each in (form, spoil(form, rng), spoil(spoil(form, rng), rng)):
                _judged(session, draft.key(each))


def _judged(session: Session, key: str) -> None:
    draft, before = _draft(session), _all_of(session)
    _, bars = draft.read(key)
    shown = session.preview(key)
    assert shown.legal == (not bars) and len(shown.bars) == len(bars)
    assert all(bar.reason for bar in bars)
    if not bars:
        fork = session.fork()
        fork.answer(key)
        assert not fork.game.invariants(fork.battle), key
        assert fork.given[-1][1] == key
        for reader in (*fork.scenario.sides, "watcher"):
            fork.view(reader)
    else:
        with pytest.raises(IllegalError) as error:
            session.answer(key)
        assert all(bar.reason in str(error.value) for bar in bars), "all faults at once"
        assert session.why_not(session.ask.side if session.ask else "", key) == bars
    assert _all_of(session) == before


def test_rubbish_is_refused_without_change(battle: Battle) -> None:
    rng = Random(f"{battle}")
    for session, draft in _asks(battle, 7, 3 * LONG):
        before, form = _all_of(session), draft.sample(rng)
        word = write_form(form)
        for text in (
            "",
            "{",
            "[]",
            "null",
            "[" * 2000,
            '{"a":' * 500,
            '{"a":NaN}',
            '{"a":1,"a":1}',
            '{"\\ud800":1}',
            "{}\x00",
            '{"é":1}',
            word + word,
            word[:-1],
            json.dumps({**form, "nonsense": 1}),
            json.dumps({"x": "y" * LONGEST}),
        ):
            with pytest.raises(IllegalError):
                session.answer(f"{draft.verb} {text}")
            assert not session.preview(f"{draft.verb} {text}").legal
        for key in (draft.verb, f"{draft.verb}{word}", f" {draft.key(form)}"):
            with pytest.raises(IllegalError):
                session.answer(key)
        assert _all_of(session) == before


def test_what_an_editor_opens_with_can_be_shown(battle: Battle) -> None:
    for session, draft in _asks(battle, 9, 3 * LONG):
        key = draft.key(draft.start())
        assert draft.takes(key) and len(key) <= LONGEST
        session.preview(key)
        view = session.ask_view(session.ask.side if session.ask else "")
        assert view is not None and view.draft is not None and view.draft.start == key


def test_listed_drafts_are_legal(battle: Battle) -> None:
    for session, draft in _asks(battle, 11, 5 * LONG):
        assert isinstance(session.ask, Ask)
        for option in session.ask.options:
            if draft.takes(option.key):
                assert session.ask.option(option.key) is option or session.ask.option(option.key) == option
                assert session.preview(option.key).legal, option.key


def test_drafts_are_prepared_while_the_other_side_is_asked(battle: Battle) -> None:
    session, player, rng = start(*battle, 13), RandomPlayer(13), Random(13)
    for count in range(120):
        if session.ask is None:
            return
        if count % 20 == 0:
            before = _all_of(session)
            for side in session.scenario.sides:
                view = session.view(side)
                drafts = session.game.drafts(session.battle, side)
                assert [draft.verb for draft in view.drafts] == [draft.verb for draft in drafts]
                for draft in drafts:
                    key = draft.key(draft.sample(rng))
                    assert session.prepares(side, key) and session.prepared(side, key).key == key
            assert not session.view("watcher").drafts
            assert _all_of(session) == before
        session.answer(player.choose(None, session.ask), trusted=True)


def test_drafts_are_saved_and_read_again(battle: Battle) -> None:
    rng = Random(f"{battle} saved")
    for session, draft in _asks(battle, 17, 4 * LONG):
        keys = [draft.key(draft.sample(rng)) for _ in range(8)]
        key = next((key for key in keys if not draft.read(key)[1]), "")
        if key:
            session.answer(key)
            data = session.save()
            again = load_save(data, session.game, session.scenario)
            assert again.digest == session.digest and again.given == session.given and again.save() == data
            assert session.may_undo() == "" or session.may_undo()
