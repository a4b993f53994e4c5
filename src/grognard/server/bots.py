"""Programs at the table: they think beside the event loop, in threads of their own, and within a time.

A program thinks on a copy of the game that holds only what its side knows; meanwhile people may look, and even take
back what it thinks about. What it answers is then checked and stored like a person's answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import NamedTuple

from grognard.core.aid_views import Lesson
from grognard.core.ask import Ask, FacesAsk
from grognard.core.errors import IllegalError, StaleError
from grognard.core.session import Session
from grognard.core.view import View
from grognard.players.random import RandomPlayer
from grognard.players.seats import (
    BUDGET,
    DEFAULT,
    Planner,
    Player,
    Quick,
    Thinker,
    budget_of,
    make_player,
    make_ready,
    player_names,
)
from grognard.players.thought import Thought
from grognard.server.runner import Runner
from grognard.server.store import ConflictError
from grognard.server.thought_log import NewThought, ThoughtLog, idle
from grognard.server.writer import StoreError

log = logging.getLogger("grognard.server")

#: Seconds until an answer that could not be stored is tried again: at first, and at most.
RETRY = (0.5, 30.0)


class _Question(NamedTuple):
    """What a program thinks about: only what its side knows."""

    side: str
    seq: int
    number: int
    player: Player | Thinker
    probe: Session
    view: View | None

    def think(self, deadline: float) -> str:
        """The program's choice."""
        ask = self.probe.ask
        assert ask is not None
        if isinstance(self.player, Thinker):
            return self.player.choose_from(self.probe, deadline)
        return self.player.choose(self.view, ask)


def simple_answer(ask: Ask, seed: str) -> str:
    """A legal answer that needs no thought: to pass where one can, else anything."""
    held = next((option.key for option in ask.options if option.verb == "pass"), None)
    return RandomPlayer(seed).choose(None, ask) if held is None else held


class Bots:
    """The programs of one battle. They answer for as long as they are asked, each answer after a pace at least."""

    def __init__(self, runner: Runner, lesson: Lesson | None, thought_log: ThoughtLog) -> None:
        self._runner, self._lesson, self._thought_log = runner, lesson, thought_log
        self._thinking, self._pace = runner.resources.thinking, runner.resources.pace
        self._task: asyncio.Task[None] | None = None

    @property
    def asked(self) -> bool:
        """Whether a program is asked, and the battle still open to it. Programs alone play only to somebody."""
        position = self._runner.position
        ask = position.session.ask
        if self._runner.closed or ask is None or isinstance(ask, FacesAsk):
            return False
        return ask.side in position.bots and (bool(position.humans) or self._runner.attended)

    def wake(self) -> None:
        """Let a program think, if it is asked."""
        if self.asked and (self._task is None or self._task.done()):
            self._task = self._runner.spawn(self._play())

    def stop(self) -> None:
        """Think no more."""
        if self._task is not None:
            self._task.cancel()

    async def _play(self) -> None:
        wait = RETRY[0]
        while self.asked:
            try:
                if not await self._runner.change_for_bot(self._answer_at_once):
                    await self._think()
                wait = RETRY[0]
            except StaleError:
                continue
            except (StoreError, ConflictError):  # the battle has been read again meanwhile, or will be
                await asyncio.sleep(wait)
                wait = min(2 * wait, RETRY[1])
            except Exception:
                log.exception("battle %s: a program's answer could not be carried out", self._runner.id)
                if wait == RETRY[1]:
                    return  # whoever comes next wakes the program again
                await asyncio.sleep(wait)
                wait = min(2 * wait, RETRY[1])

    # -- answers that need no time -----------------------------------------------------------------------------------

    def _answer_at_once(self, session: Session, step: Callable[[], None]) -> bool:
        """Let a program that needs no time choose and answer in one go; whether it did."""
        if not self.asked or (key := self._quick_choice(session)) is None:
            return False
        session.answer(key)
        step()
        return True

    def _quick_choice(self, session: Session) -> str | None:
        """The answer of a lesson's opponent, or of a program that needs no time to choose; None for any other.

        Where every answer takes its time, only what a lesson wants is given at once.
        """
        ask = session.ask
        assert ask is not None
        if (scripted := self._scripted(session, ask)) is not None:
            return scripted
        player = None if self._pace else self._player(session, ask)
        if not isinstance(player, Quick) or not player.quick:
            return None
        key = player.choose(None, ask)
        return key if any(option.key == key for option in ask.options) else None

    def _scripted(self, session: Session, ask: Ask) -> str | None:
        """What a lesson wants its opponent to answer here, so that there is something to learn from."""
        if self._lesson is None or not self._lesson.script:
            return None
        turn, _ = session.game.turn_of(session.battle)
        offered = [option.key for option in ask.options]
        return next((key for part in self._lesson.script if (key := part.choose(turn, offered)) is not None), None)

    # -- answers that take time --------------------------------------------------------------------------------------

    async def _think(self) -> None:
        """Let a program take its time over one answer."""
        question = await self._runner.run(self._question, for_bot=True)
        if question is None:
            return
        begun = time.monotonic()
        position = self._runner.position
        share = budget_of(position.bots[question.side].player) / BUDGET
        key = await self._thinking.choose(question.think, share, self._runner.caller if position.humans else None)
        await asyncio.sleep(max(0.0, begun + self._pace - time.monotonic()) if self._pace else 0.0)
        await self._give(question, key)

    def _question(self) -> _Question | None:
        session = self._runner.position.session
        ask = session.ask
        if ask is None or not self.asked:
            return None
        player = self._player(session, ask)
        make_ready(session, [player])
        looks = not isinstance(player, Thinker) and getattr(player, "looks", True)
        view = session.view(ask.side) if looks else None
        return _Question(ask.side, session.seq, len(session.answers), player, session.probe(), view)

    def _player(self, session: Session, ask: Ask) -> Player | Thinker:
        """A player for this question alone; of earlier thoughts it is told only how the last answer was meant."""
        seat = self._runner.position.bots[ask.side]
        # A battle stored by an older version may have a player that is no more.
        name = seat.player if seat.player in player_names() else DEFAULT
        player = make_player(name, f"{seat.seed} {session.seq}")
        assert player is not None
        if isinstance(player, Planner) and (thought := self._thought_log.latest(session, ask.side)) is not None:
            player.recall(thought)
        return player

    async def _give(self, question: _Question, key: str | None) -> None:
        side, seq = question.side, question.seq
        seat = self._runner.position.bots[side]
        if key is not None:
            thought = getattr(question.player, "thought", None)
            if isinstance(thought, Thought):
                self._note(question.number, thought)
            try:
                await self._answer(side, seq, key)
                return
            except IllegalError as error:
                log.warning("the program %s answered something illegal: %s", seat.player, error)

        def simple() -> str:
            session = self._runner.position.session
            if session.ask is None or session.seq != seq:
                raise StaleError(seq, session.seq)
            return simple_answer(session.ask, f"{seat.seed} {seq}")

        await self._answer(side, seq, await self._runner.run(simple, for_bot=True))

    async def _answer(self, side: str, seq: int, key: str) -> None:
        """A program's answer; it is stored and told like a person's."""

        def act(session: Session, step: Callable[[], None]) -> None:
            if session.ask is None or session.ask.side != side:
                raise StaleError(seq, session.seq)
            session.answer(key, seq)
            step()

        await self._runner.change_for_bot(act)

    def _note(self, number: int, thought: Thought) -> None:
        """Keep what a program thought; nobody waits until it is written."""
        if idle(thought):
            return
        change = NewThought(self._runner.id, number, self._thought_log.add(number, thought), thought)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        done.add_done_callback(_log_failure)
        self._runner.resources.writer.put(change, loop, done)


def _log_failure(done: asyncio.Future[None]) -> None:
    """Note what could not be written, where nobody waits for it."""
    if not done.cancelled() and (error := done.exception()) is not None:
        log.warning("%s", error)
