"""Threads that think for the programs of all battles: people's battles first, and one caller after the other."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from grognard.players.seats import BUDGET
from grognard.server.threads import TakingTurns

log = logging.getLogger("grognard.server")

#: How many times the seconds that a program may think about an answer, until it is no longer waited for.
HARD = 3.0
#: How many threads may be lost to thoughts without an end before no more are started.
LOST = 8

T = TypeVar("T")


class _Thought:
    """Something to be thought about for so many seconds, and whom to tell."""

    def __init__(self, think: Callable[[float], Any], seconds: float, people: bool) -> None:
        self.think, self.seconds, self.people = think, seconds, people
        self.loop = asyncio.get_running_loop()
        self.begun: asyncio.Future[None] = self.loop.create_future()
        self.done: asyncio.Future[Any] = self.loop.create_future()
        # These are looked at and set with the threads' lock held.
        self.started = self.replaced = False
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


def _next_wanted(waiting: TakingTurns[_Thought]) -> _Thought | None:
    """The next thought that somebody still waits for."""
    while (thought := waiting.next()) is not None:
        if not thought.given_up.is_set():
            return thought
    return None


class ThinkingThreads:
    """A few threads that think for all games. A game has one thought at a time.

    Battles that people play come first, and one thread is always left to them: of the others no more are thought about
    at once than there are threads to spare.
    """

    def __init__(self, threads: int = 2, budget: float = BUDGET) -> None:
        self.budget = budget
        self._spare = max(1, threads - 1)
        self._change = threading.Condition()
        self._people, self._programs = TakingTurns[_Thought](), TakingTurns[_Thought]()
        self._alone = 0  # how many thoughts of battles without people are being thought
        self._stopped = False
        self._lost = 0
        for _ in range(threads):
            self._start()

    def _start(self) -> None:
        threading.Thread(target=self._work, name="thinking", daemon=True).start()

    def _next(self) -> _Thought | None:
        """Wait for a thought, and begin it; None at the end."""
        with self._change:
            while not self._stopped:
                thought = _next_wanted(self._people)
                if thought is None and self._alone < self._spare:
                    thought = _next_wanted(self._programs)
                if thought is not None:
                    thought.started = True
                    self._alone += not thought.people
                    return thought
                self._change.wait()
        return None

    def _work(self) -> None:
        while (thought := self._next()) is not None:
            thought.begin()
            found = None
            try:
                found = thought.think(time.monotonic() + thought.seconds)
            except Exception:
                log.exception("a program failed to choose; something simple is answered for it")
            with self._change:
                if thought.replaced:  # another thread has taken this one's place
                    self._lost -= 1
                    return
                if thought.given_up.is_set():
                    continue
                thought.given_up.set()
                self._release(thought)
            thought.end(found)

    def _release(self, thought: _Thought) -> None:
        if not thought.people:
            self._alone -= 1
            self._change.notify_all()

    async def choose(self, think: Callable[[float], T], share: float = 1.0, caller: str | None = "") -> T | None:
        """What ``think`` finds before its deadline; None if it fails, or takes far too long.

        ``share`` is how much of the usual time it has: who looks far ahead has more. ``caller`` is for whom it is
        thought; None where no person plays.
        """
        thought = _Thought(think, share * self.budget, caller is not None)
        with self._change:
            (self._programs if caller is None else self._people).add(caller or "", thought)
            self._change.notify()
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
        with self._change:
            if thought.given_up.is_set():
                return
            thought.given_up.set()
            if thought.started:
                self._release(thought)
                if self._lost < LOST:
                    thought.replaced = True
                    self._lost += 1
                    self._start()

    def stop(self) -> None:
        """Think about nothing more."""
        with self._change:
            self._stopped = True
            self._change.notify_all()
