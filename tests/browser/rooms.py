"""Battles that are some way in when the browser opens them: played here at once, then taken in as saved games."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from playwright.sync_api import Page, Response, WebSocket

from grognard.core.opening import open_scenario
from grognard.core.session import Session
from grognard.players.seats import Thinker, make_player
from tests.server.live import Live, Table

#: How long a player that thinks may do so in a test, in seconds.
BUDGET = 0.2


def play(
    session: Session, enough: Callable[[Session], bool], level: str = "regular", rng: Random | None = None
) -> None:
    """Let programs play until it is enough, or to the end."""
    rng = rng or Random(1)
    player = make_player(level, "1")
    while session.ask is not None and not enough(session):
        ask = session.ask
        options = ask.options
        if isinstance(player, Thinker) and level != "random":
            key = player.choose_from(session.probe(), time.monotonic() + BUDGET)
        else:
            verb = rng.choice(sorted({option.verb for option in options}))
            key = rng.choice([option.key for option in options if option.verb == verb])
        session.answer(key, trusted=True)


class Rounds:
    """Enough when so many turns have been played."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.seen: set[int] = set()

    def __call__(self, session: Session) -> bool:
        """Whether it is enough."""
        self.seen.add(session.game.turn_of(session.battle)[0])
        return len(self.seen) > self.turns


def never(session: Session) -> bool:
    """Enough only at the end."""
    return session.over


@cache
def saved(scenario: str, turns: int, level: str = "regular", seed: int = 7) -> str:
    """The text of a battle after so many turns; with 0 turns, at its end."""
    game, opened = open_scenario(scenario)
    session = Session(game, opened, seed=seed.to_bytes(16, "big"))
    play(session, Rounds(turns) if turns else never, level, Random(seed))
    return session.save().decode()


def take_in(live: Live, save: str, **new: Any) -> Table:
    """A saved game as a battle on the server; by default two people at one screen."""
    answer = live.web.post("/api/battles/import", json={"save": save} | new)
    assert answer.status_code == 201, answer.text
    return Table(live, answer.json())
