"""Battles that are some way in when the browser opens them: played here at once, then taken in as saved games."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Page, Response, WebSocket

from grognard.core.open_files import open_scenario
from grognard.core.session import Session
from tests.server.live import Live, Table

#: What is done rather than other things, and how much rather: enough for a battle that looks like one.
WARLIKE = {"fire": 6, "move": 4, "step": 4}

Enough = Callable[[Session], bool]


def play(session: Session, enough: Enough, seed: int) -> None:
    """Answer for all sides until it is enough, or to the end; what can be hidden is hidden.

    Nobody thinks here: what comes of thinking depends on how much time there was for it.
    """
    rng = Random(seed)
    while session.ask is not None and not enough(session):
        options = session.ask.options
        verbs = sorted({option.verb for option in options})
        verb = "hide" if "hide" in verbs else rng.choices(verbs, [WARLIKE.get(each, 1) for each in verbs])[0]
        session.answer(rng.choice([option.key for option in options if option.verb == verb]), trusted=True)


def at_the_end(session: Session) -> bool:
    """Enough only when it is over."""
    return session.over


def after_set_up(session: Session) -> bool:
    """Enough when all stand."""
    return session.game.turn_of(session.battle)[1] != "Set-up"


def turns_played(turns: int) -> Enough:
    """Enough when so many turns have been played."""
    seen: set[int] = set()

    def enough(session: Session) -> bool:
        seen.add(session.game.turn_of(session.battle)[0])
        return len(seen) > turns

    return enough


@cache
def saved(scenario: str, turns: int = 0, side: str = "", seed: int = 7) -> str:
    """The text of a battle after so many turns, once a side is asked what its units do; with 0 turns, at its end."""
    game, opened = open_scenario(scenario)
    session = Session(game, opened, seed=seed.to_bytes(16, "big"))
    play(session, turns_played(turns) if turns else at_the_end, seed)
    if side:
        play(session, lambda now: _free_to_act(now, side), seed)
    return session.save().decode()


def _free_to_act(session: Session, side: str) -> bool:
    ask = session.ask
    return ask is not None and ask.side == side and {"fire", "move"} <= {option.verb for option in ask.options}


@cache
def set_up(scenario: str, seed: int = 7) -> str:
    """The text of a battle just after its set-up."""
    game, opened = open_scenario(scenario)
    session = Session(game, opened, seed=seed.to_bytes(16, "big"))
    play(session, after_set_up, seed)
    return session.save().decode()


def take_in(live: Live, save: str, **new: Any) -> Table:
    """A saved game as a battle on the server; by default two people at one screen."""
    answer = live.web.post("/api/battles/import", json={"save": save} | new)
    assert answer.status_code == 201, answer.text
    return Table(live, answer.json())


class Wire:
    """Everything that comes to a window: the bodies of all answers, and every message of its sockets."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []
        self._answers: list[Response] = []
        page.on("websocket", self._socket)
        page.on("response", lambda answer: self._answers.append(answer))

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.frames.append(data if isinstance(data, str) else data.decode()))

    def told(self) -> list[str]:
        """All of it so far, as texts; the client's own files say nothing of a battle."""
        answers = [answer for answer in self._answers if "/api/" in answer.url and answer.status < 400]
        return [*self.frames, *(f"{answer.url} {answer.text()}" for answer in answers)]


class Secrets(NamedTuple):
    """What a side cannot know: the enemy's hidden units with where they are, and the places of hidden fields.

    ``lines`` are those of the enemy's log that name such a place and stand in no line of the side's own.
    """

    units: dict[str, str]
    fields: dict[str, str]
    lines: set[str]


def secrets(live: Live, table: Table, side: str) -> Secrets:
    """What is hidden from a side now, from the server's own state."""

    async def look() -> Secrets:
        battle = await live.battles.open(table.id)
        return await battle.runner.run(lambda: _hidden(battle.session, side))

    # The battles live in the server's own loop.
    return asyncio.run_coroutine_threadsafe(look(), live.loop).result(30)


def _hidden(session: Session, side: str) -> Secrets:
    mine = session.game.view(session.battle, side)
    known = {unit.id for unit in mine.units}
    marked = {(marker.kind, marker.place) for marker in mine.markers}
    public = {line.text for line in session.view(side).log}
    found = Secrets({}, {}, set())
    for enemy in session.scenario.sides:
        if enemy != side:
            theirs = session.game.view(session.battle, enemy)
            found.units.update({u.id: u.place for u in theirs.units if u.id not in known and "hidden" in u.states})
            found.fields.update({m.place: m.kind for m in theirs.markers if (m.kind, m.place) not in marked})
            named = (line for line in session.view(enemy).log if set(line.places) & set(found.fields))
            found.lines.update({line.text for line in named} - public)
    return found


def play_by_call(table: Table, count: int, rng: Random, enough: Callable[[Any], bool] = lambda _: False) -> None:
    """Answer for both sides from outside the browser, hiding whatever can be hidden; stop when it is enough."""
    sides = [side for side in table.tokens if side != "watcher"]
    state: Any = {"waiting": ""}
    for _ in range(count):
        while state["waiting"] != "you":
            sides.reverse()
            state = table.state(sides[0])
            assert state["waiting"] != "over"
        if enough(state):
            return
        options = state["view"]["ask"]["options"]
        verbs = sorted({option.get("verb", "") for option in options})
        verb = "hide" if "hide" in verbs else rng.choice(verbs)
        key = rng.choice([option["key"] for option in options if option.get("verb", "") == verb])
        state = table.post("/answer", sides[0], {"seq": state["seq"], "key": key})


def mentions(texts: list[str], word: str) -> list[str]:
    """Where a word stands in what was told, with what is about it."""
    return [
        text[max(0, at.start() - 100) : at.end() + 60] for text in texts for at in re.finditer(rf"\b{word}\b", text)
    ]
