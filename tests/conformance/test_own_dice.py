"""Games with the table's own dice: every throw says whose it is and what it decides, and nothing is told twice."""

from __future__ import annotations

import random

import msgspec

from grognard.core.ask import FacesAsk
from grognard.core.open_files import open_save
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import load

Battle = tuple[str, str]
#: How many throws of a game are looked at.
THROWS = 40


def test_a_throw_is_asked_for_with_all_that_has_happened(battle: Battle, seed: int) -> None:
    game, scenario = load(*battle)
    session = Session(game, scenario, script=())
    player, chance = RandomPlayer(31 + seed), random.Random(seed)
    throws = 0
    told: list[str] = []
    while session.ask is not None and throws < THROWS:
        ask = session.ask
        log = [event.say() for event in session.seen.log]
        assert log[: len(told)] == told, "what was told stays told"
        told = log
        if not isinstance(ask, FacesAsk):
            session.answer(player.choose(None, ask), trusted=True)
            continue
        throws += 1
        assert ask.side in session.scenario.sides and ask.what
        assert ask.throw.side in ("", *session.scenario.sides)
        shown = session.view(ask.side).ask
        assert shown is not None and shown.dice is not None
        assert shown.dice.meanings or shown.dice.things or ask.throw.seen_by or ask.number > 6, ask.what
        for side in session.scenario.sides:
            msgspec.json.encode(session.view(side))
        if throws % 10 == 3:
            again = open_save("kept", session.save())
            assert [event.say() for event in again.seen.log] == told, "a save keeps the answer that waits"
            assert isinstance(again.ask, FacesAsk) and again.ask.what == ask.what
        words = (
            [chance.choice(sorted(ask.names))]
            if ask.names
            else [str(chance.randint(1, ask.sides)) for _ in range(ask.number)]
        )
        session.answer(" ".join(["dice", *words]))
    assert throws
