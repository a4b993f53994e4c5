"""Saving, loading and replaying to identical bytes; a corpus of saved games from earlier days."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from grognard.core import registry
from grognard.core.errors import MalformedError, VersionError
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.saves import read_save
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import LONG, play, start

Battle = tuple[str, str]
CORPUS = sorted((Path(__file__).parent / "saves").glob("*.save"))


def reload(data: bytes) -> Session:
    """A game from nothing but its save."""
    save = read_save(data, "test.save")
    game = registry.game(save.game)
    document = Document.from_toml(save.source, save.scenario)
    if save.situation:
        return load(data, game, *game.load_situation(document))
    return load(data, game, game.load_scenario(document))


def test_a_save_leads_to_the_same_bytes(battle: Battle) -> None:
    session = start(*battle, 13)
    player = RandomPlayer(17)
    count = inside = 0
    while session.ask is not None:
        within = not session.ask.quiet and count > 100 and inside < 2 * LONG
        if within or count % 250 == 11:
            inside += within
            again = reload(session.save())
            assert again.game.encode(again.state) == session.game.encode(session.state)
            assert again.save() == session.save()
            assert again.ask is not None and again.ask.options == session.ask.options
        session.answer(player.choose(None, session.ask), trusted=True)
        count += 1
    again = reload(session.save())
    assert again.over and again.result == session.result


def test_standing_orders_are_saved_as_answers(battle: Battle) -> None:
    session = start(*battle, 14)
    for side in session.scenario.sides:
        session.give_order(StandingOrder(side))
    play(session, 18, 150)
    again = reload(session.save())
    assert again.save() == session.save()


def test_a_changed_save_is_refused(battle: Battle) -> None:
    session = start(*battle, 15)
    play(session, 19, 120)
    save = msgspec.json.decode(session.save())
    half = save["answers"][: len(save["answers"]) // 2]
    with pytest.raises(MalformedError, match="digest"):
        reload(msgspec.json.encode({**save, "answers": half}))
    with pytest.raises(MalformedError, match="answers"):
        reload(msgspec.json.encode({**save, "answers": [*half, [session.scenario.sides[0], "nonsense", False]]}))
    with pytest.raises(VersionError, match="rules"):
        reload(msgspec.json.encode({**save, "rules": 0}))
    with pytest.raises(VersionError, match="version"):
        reload(msgspec.json.encode({**save, "version": 0}))


@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_the_corpus_still_loads_and_plays_on(path: Path) -> None:
    """Some were saved inside reactions. A change of the rules that breaks one needs a new rules version."""
    session = reload(path.read_bytes())
    assert session.save() == path.read_bytes()
    play(session, 20, 40)
