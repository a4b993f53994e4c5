"""Threads that do the work of the event loop's tasks: much lighter than those of the standard library's executors."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

log = logging.getLogger("grognard.server")

T = TypeVar("T")


class Crew:
    """A few threads that work off one queue. They are started as they are needed."""

    def __init__(self, most: int, name: str) -> None:
        self._most, self._name = most, name
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._lock = threading.Lock()

    def put(self, job: Callable[[], None]) -> None:
        """Let a thread do something that tells its outcome, and its errors, by itself."""
        with self._lock:
            if self._idle:
                self._idle -= 1
            elif len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name=f"{self._name} {len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._jobs.put(job)

    async def do(self, work: Callable[[], T]) -> T:
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

        self.put(job)
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
