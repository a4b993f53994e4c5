"""Threads that do the work of the event loop's tasks: much lighter than those of the standard library's executors."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

log = logging.getLogger("grognard.server")

T = TypeVar("T")

Job = Callable[[], None]


class TakingTurns(Generic[T]):
    """Things that wait. Callers take turns, so that one with many does not keep those with few waiting."""

    def __init__(self) -> None:
        self._callers: OrderedDict[str, deque[T]] = OrderedDict()

    def add(self, caller: str, thing: T) -> None:
        """One more of a caller's."""
        self._callers.setdefault(caller, deque()).append(thing)

    def next(self) -> T | None:
        """The next one; None if nothing waits."""
        if not self._callers:
            return None
        caller, things = self._callers.popitem(last=False)
        thing = things.popleft()
        if things:
            self._callers[caller] = things
        return thing


class _TurnsQueue:
    """A queue of jobs in which callers take turns."""

    def __init__(self) -> None:
        self._more = threading.Condition()
        self._jobs = TakingTurns[Job]()
        self._ends = 0

    def put(self, job: Job | None, caller: str = "") -> None:
        """One more job; None ends one thread, when all is done."""
        with self._more:
            if job is None:
                self._ends += 1
            else:
                self._jobs.add(caller, job)
            self._more.notify()

    def get(self) -> Job | None:
        """Wait for the next job."""
        with self._more:
            while (job := self._jobs.next()) is None and not self._ends:
                self._more.wait()
            if job is None:
                self._ends -= 1
            return job


class _PlainQueue:
    """A queue of jobs in which everybody is served in the order in which they come."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()

    def put(self, job: Job | None, caller: str = "") -> None:
        """One more job, whoever it is for; None ends one thread."""
        self._jobs.put(job)

    def get(self) -> Job | None:
        """Wait for the next job."""
        return self._jobs.get()


class ThreadPool:
    """A few threads that work off one queue. They are started as they are needed. With ``turns`` callers take turns."""

    def __init__(self, most: int, name: str, *, turns: bool = False) -> None:
        self._most, self._name = most, name
        self._jobs: _TurnsQueue | _PlainQueue = _TurnsQueue() if turns else _PlainQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._lock = threading.Lock()

    def put(self, job: Job, caller: str = "") -> None:
        """Let a thread do something for a caller that tells its outcome, and its errors, by itself."""
        with self._lock:
            if self._idle:
                self._idle -= 1
            elif len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name=f"{self._name} {len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._jobs.put(job, caller)

    async def do(self, work: Callable[[], T], caller: str = "") -> T:
        """What something returns or raises, done in a thread."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def job() -> None:
            try:
                result = work()
            except BaseException as error:
                tell(loop, [(done, None, error)])
            else:
                tell(loop, [(done, result, None)])

        self.put(job, caller)
        return await done

    def stop(self) -> None:
        """Do what is queued, and end."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # what it held is not held while there is nothing to do
            with self._lock:
                self._idle += 1


def tell(
    loop: asyncio.AbstractEventLoop, outcomes: list[tuple[asyncio.Future[Any], Any, BaseException | None]]
) -> None:
    """Let the event loop know outcomes, all at one waking; a future that nobody waits for any more is left alone."""

    def settle() -> None:
        for future, result, error in outcomes:
            if future.done():
                continue
            if error is None:
                future.set_result(result)
            elif isinstance(error, StopIteration):  # a future cannot hold it
                future.set_exception(RuntimeError(f"stopped: {error}"))
            else:
                future.set_exception(error)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the loop has ended: nobody waits any more
        log.debug("nobody waits for what a thread did")
