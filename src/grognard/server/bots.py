"""Programs at the table: they think beside the event loop, in threads of their own, and within a time.

A program thinks on a copy of the game that holds only what its side knows; meanwhile people may look, and even take
back what it thinks about. What it answers is then checked and stored like a person's answer.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from grognard.core.ask import Ask
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
from grognard.server.clerk import StoreError
from grognard.server.store import ConflictError

if TYPE_CHECKING:
    from grognard.server.stage import Stage

log = logging.getLogger("grognard.server")

#: How many times the seconds that a program may think about an answer, until it is no longer waited for.
HARD = 3.0
#: How many threads may be lost to thoughts without an end before no more are started.
LOST = 8
#: Seconds until an answer that could not be stored is tried again: at first, and at most.
RETRY = (0.5, 30.0)

T = TypeVar("T")


# ---- threads that think ------------------------------------------------------------------------------------------


class _Thought:
    """Something to be thought about for so many seconds, and whom to tell."""

    def __init__(self, think: Callable[[float], Any], seconds: float) -> None:
        self.think, self.seconds = think, seconds
        self.loop = asyncio.get_running_loop()
        self.begun: asyncio.Future[None] = self.loop.create_future()
        self.done: asyncio.Future[Any] = self.loop.create_future()
        # These two are looked at and set with the thinkers' lock held.
        self.started = False
        self.given_up = threading.Event()

    def tell(self, settle: Callable[[], None]) -> None:
        """Let the event loop know, if it is still there."""
        try:
            self.loop.call_soon_threadsafe(settle)
        except RuntimeError:
            log.debug("nobody waits for a thought any more")

    def begin(self) -> None:
        """Say that it has its turn."""
        self.tell(lambda: None if self.begun.done() else self.begun.set_result(None))

    def end(self, found: Any) -> None:
        """Say what came of it."""
        self.tell(lambda: None if self.done.done() else self.done.set_result(found))


class Thinkers:
    """A few threads that think for all games, first come, first served. A game has one thought at a time, so that
    none waits longer than one thought of each other game."""

    def __init__(self, threads: int = 2, budget: float = BUDGET) -> None:
        self.budget = budget
        self._thoughts: queue.SimpleQueue[_Thought | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._lost = 0
        for _ in range(threads):
            self._start()

    def _start(self) -> None:
        self._threads += 1
        threading.Thread(target=self._work, name="thinker", daemon=True).start()

    def _work(self) -> None:
        while (thought := self._thoughts.get()) is not None:
            with self._lock:
                if thought.given_up.is_set():
                    continue
                thought.started = True
            thought.begin()
            found = None
            try:
                found = thought.think(time.monotonic() + thought.seconds)
            except Exception:
                log.exception("a program failed to choose; something simple is answered for it")
            with self._lock:
                if thought.given_up.is_set():  # another thread has taken this one's place
                    self._lost -= 1
                    return
                thought.given_up.set()
            thought.end(found)

    async def choose(self, think: Callable[[float], T], share: float = 1.0) -> T | None:
        """What ``think`` finds before its deadline; None if it fails, or takes far too long.

        ``share`` is how much of the usual time it has: who looks far ahead has more.
        """
        thought = _Thought(think, share * self.budget)
        self._thoughts.put(thought)
        try:
            await thought.begun
            async with asyncio.timeout(HARD * thought.seconds):
                found: T | None = await thought.done
                return found
        except TimeoutError:
            log.warning("a program thought for more than %.1f s; something simple is answered", HARD * thought.seconds)
            return None
        finally:
            self._give_up(thought)

    def _give_up(self, thought: _Thought) -> None:
        """Wait no longer. If a thread is still at it, its late thought is thrown away, and another takes its place."""
        with self._lock:
            if thought.given_up.is_set():
                return
            thought.given_up.set()
            if thought.started and self._lost < LOST:
                self._lost += 1
                self._start()

    def stop(self) -> None:
        """Think about nothing more."""
        for _ in range(self._threads):
            self._thoughts.put(None)


# ---- programs that play ----------------------------------------------------------------------------------------------


class _Position(NamedTuple):
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


async def play_bots(room: Stage, thinkers: Thinkers, pace: float) -> None:
    """Let the programs of a room answer for as long as they are asked, each answer after ``pace`` seconds at least."""
    wait = RETRY[0]
    while room.bots_turn():
        try:
            if pace or not await room.let_bot_choose(lambda session: _at_once(room, session)):
                await _think(room, thinkers, pace)
            wait = RETRY[0]
        except StaleError:
            continue
        except (StoreError, ConflictError):  # the battle has been read anew meanwhile, or will be
            await asyncio.sleep(wait)
            wait = min(2 * wait, RETRY[1])
        except Exception:
            log.exception("battle %s: a program's answer could not be carried out", room.id)
            if wait == RETRY[1]:
                return  # whoever comes next wakes the program again
            await asyncio.sleep(wait)
            wait = min(2 * wait, RETRY[1])


async def _think(room: Stage, thinkers: Thinkers, pace: float) -> None:
    """Let a program take its time over one answer."""
    position = await room.run(lambda: _position(room), for_bot=True)
    if position is None:
        return
    begun = time.monotonic()
    share = budget_of(room.bots[position.side].player) / BUDGET
    key = await thinkers.choose(position.think, share)
    await asyncio.sleep(max(0.0, begun + pace - time.monotonic()) if pace else 0.0)
    await _give(room, position, key)


def _at_once(room: Stage, session: Session) -> str | None:
    """The answer of a program that says of itself that it needs no time to choose; None for any other."""
    ask = session.ask
    assert ask is not None
    player = _player(room, session, ask)
    if not isinstance(player, Quick) or not player.quick:
        return None
    key = player.choose(None, ask)
    return key if any(option.key == key for option in ask.options) else None


def _player(room: Stage, session: Session, ask: Ask) -> Player | Thinker:
    """A player for this question alone; of what was thought before it is told only how the last answer was meant."""
    seat = room.bots[ask.side]
    # A battle kept by an older version may have a player that is no more.
    name = seat.player if seat.player in player_names() else DEFAULT
    player = make_player(name, f"{seat.seed} {session.seq}")
    assert player is not None
    if isinstance(player, Planner) and (thought := room.notebook.latest(session, ask.side)) is not None:
        player.recall(thought)
    return player


def _position(room: Stage) -> _Position | None:
    session = room.session
    ask = session.ask
    if ask is None or not room.bots_turn():
        return None
    player = _player(room, session, ask)
    make_ready(session, [player])
    looks = not isinstance(player, Thinker) and getattr(player, "looks", True)
    number = len(session.answers)
    return _Position(ask.side, session.seq, number, player, session.probe(), session.view(ask.side) if looks else None)


async def _give(room: Stage, position: _Position, key: str | None) -> None:
    side, seq = position.side, position.seq
    if key is not None:
        thought = getattr(position.player, "thought", None)
        if isinstance(thought, Thought):
            room.note_thought(position.number, thought)
        try:
            await room.answer_for_bot(side, seq, key)
            return
        except IllegalError as error:
            log.warning("the program %s answered something illegal: %s", room.bots[side].player, error)

    def simple() -> str:
        ask = room.session.ask
        if ask is None or room.session.seq != seq:
            raise StaleError(seq, room.session.seq)
        return simple_answer(ask, f"{room.bots[side].seed} {seq}")

    await room.answer_for_bot(side, seq, await room.run(simple, for_bot=True))
