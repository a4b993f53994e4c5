"""The clerk: one thread that writes everything, many games' changes in one transaction.

A change is acknowledged after its commit. While a commit waits for the disk others queue up behind it, and the next
transaction takes all of them: the more games, the fewer commits a change.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from grognard.core.errors import GrognardError
from grognard.server.crew import tell
from grognard.server.store import Change

log = logging.getLogger("grognard.server")

#: The most changes of one transaction, so that the first of them does not wait for ever.
MOST = 200


class StoreError(GrognardError):
    """A change could not be written; it is as if it had not been asked for."""


class _Slip(NamedTuple):
    """A change with whom to tell when it is written."""

    change: Change
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]
    result: Any


class Clerk:
    """Writes changes in the order in which they come."""

    def __init__(self, write: Callable[[Sequence[Change]], None]) -> None:
        self._write = write
        self._slips: queue.SimpleQueue[_Slip | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="clerk", daemon=True)
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
        self._slips.put(_Slip(change, loop, done, result))

    def stop(self) -> None:
        """Write what is queued, and end."""
        self._slips.put(None)
        self._thread.join()

    def _work(self) -> None:
        going = True
        while going:
            slips: list[_Slip] = []
            slip = self._slips.get()
            while True:
                if slip is None:
                    going = False
                    break
                slips.append(slip)
                if len(slips) == MOST:
                    break
                try:
                    slip = self._slips.get_nowait()
                except queue.Empty:
                    break
            if slips:
                self._commit(slips)

    def _commit(self, slips: list[_Slip]) -> None:
        try:
            self._write([slip.change for slip in slips])
        except GrognardError as error:
            # One change does not fit, and has taken the others down with it: each once more by itself.
            if len(slips) == 1:
                _tell(slips, error)
            else:
                for slip in slips:
                    self._commit([slip])
        except Exception:
            log.exception("%d changes could not be written", len(slips))
            _tell(slips, StoreError("this could not be stored, so it did not happen; try again"))
        else:
            _tell(slips, None)


def _tell(slips: list[_Slip], error: Exception | None) -> None:
    """Tell everybody who waits; those of one event loop are woken once."""
    for loop in dict.fromkeys(slip.loop for slip in slips):
        tell(loop, [(slip.done, slip.result, error) for slip in slips if slip.loop is loop])
