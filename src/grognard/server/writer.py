"""One thread that writes everything, many games' changes in one transaction.

A change is acknowledged after its commit. While a commit waits for the disk others queue up behind it, and the next
transaction takes all of them: the more games, the fewer commits a change.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from grognard.core.errors import GrognardError
from grognard.server.store import Change
from grognard.server.threads import tell

log = logging.getLogger("grognard.server")

#: Seconds after which a failure is taken for the database's own: to try every change by itself would take for ever.
SLOW = 2.0
#: The most changes of one transaction, so that the first of them does not wait for ever.
MOST = 200


class StoreError(GrognardError):
    """A change could not be written; it is as if it had not been asked for."""


class _Pending(NamedTuple):
    """A change with whom to tell when it is written."""

    change: Change
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    result: Any


class Writer:
    """Writes changes in the order in which they come."""

    def __init__(self, write: Callable[[Sequence[Change]], None]) -> None:
        self._write = write
        self._queue: queue.SimpleQueue[_Pending | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    async def write(self, change: Change) -> None:
        """Write a change; returns when it is committed. An error says that it is not."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.put(change, loop, done)
        await done

    def put(
        self, change: Change, loop: asyncio.AbstractEventLoop, done: asyncio.Future[Any], result: Any = None
    ) -> None:
        """Write a change for a future of a loop, which has the result when it is committed; from any thread."""
        self._queue.put(_Pending(change, loop, done, result))

    def stop(self) -> None:
        """Write what is queued, and end."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        going = True
        while going:
            batch: list[_Pending] = []
            pending = self._queue.get()
            while True:
                if pending is None:
                    going = False
                    break
                batch.append(pending)
                if len(batch) == MOST:
                    break
                try:
                    pending = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[_Pending]) -> None:
        began = time.monotonic()
        try:
            self._write([pending.change for pending in batch])
        except Exception as error:
            if len(batch) > 1 and time.monotonic() - began < SLOW:
                # One change does not fit, and has taken the others down with it: each half once more by itself.
                self._commit(batch[: len(batch) // 2])
                self._commit(batch[len(batch) // 2 :])
            elif len(batch) == 1 and isinstance(error, GrognardError):
                _tell(batch, error)
            else:
                log.exception("%d changes could not be written", len(batch))
                _tell(batch, StoreError("This couldn't be stored, so it didn't happen. Try again."))
        else:
            _tell(batch, None)


def _tell(batch: list[_Pending], error: Exception | None) -> None:
    """Tell everybody who waits; those of one event loop are woken once."""
    for loop in dict.fromkeys(pending.loop for pending in batch):
        tell(loop, [(pending.done, pending.result, error) for pending in batch if pending.loop is loop])
