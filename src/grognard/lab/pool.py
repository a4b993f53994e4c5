"""Games on all cores of one machine: processes that load a series once and stay warm.

Every worker has a game at a time, so that it is known which game a worker died with, and a stop is at once: games that
are being played then are given up, and are played again from their seeds when the run goes on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import ModuleType

import msgspec

from grognard.core.errors import GrognardError
from grognard.lab.game_rows import Played, pack, unpack
from grognard.lab.game_run import play_safely
from grognard.lab.series import Series

#: How often a game may take its worker with it until the run is given up.
PATIENCE = 3
#: How long a worker that is told to go may take, in seconds.
GRACE = 5.0


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_here(series: Series, numbers: Iterable[int]) -> Generator[Played, None, None]:
    """Games in this process, one after the other."""
    for number in numbers:
        yield play_safely(series, number)


def play_on_cores(series: Series, numbers: Iterable[int], jobs: int) -> Generator[Played, None, None]:
    """Games in so many processes, as they end. A game whose worker died is played again."""
    left = deque(numbers)
    encoded = msgspec.msgpack.encode(series)
    died: Counter[int] = Counter()
    workers: dict[Connection, Worker] = {}
    try:
        while left or workers:
            while left and len(workers) < jobs:
                worker = Worker(encoded)
                workers[worker.line] = worker
                worker.give(left.popleft())
            for line in wait(list(workers)):
                assert isinstance(line, Connection)
                worker = workers[line]
                played = worker.take()
                if played is None:
                    died[worker.number] += 1
                    if died[worker.number] >= PATIENCE:
                        raise _deadly(series, worker)
                    left.appendleft(worker.number)
                if played is None or not left:
                    workers.pop(line).dismiss()
                else:
                    worker.give(left.popleft())
                if played is not None:
                    yield played
    finally:
        for worker in workers.values():
            worker.process.kill()
        for worker in workers.values():
            worker.dismiss()


def _deadly(series: Series, worker: Worker) -> GrognardError:
    job = series.job(worker.number)
    return GrognardError(
        f"game {job.number} ({series.fields[job.field].name}, seed {job.seed}) crashed its worker {PATIENCE} "
        f"times, the last time with code {worker.process.exitcode}; the run is stopped"
    )


class Worker:
    """A process that plays one game after the other, and the line to it."""

    def __init__(self, encoded: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs, encoded), daemon=True)
        self.number = -1
        with _stops_held_back(), _nameless():
            self.process.start()
        theirs.close()

    def give(self, number: int) -> None:
        """Let it play a game; one that has died meanwhile is found out when its answer is awaited."""
        self.number = number
        with suppress(OSError):
            self.line.send(number)

    def take(self) -> Played | None:
        """The game that it has played, or None if it has died."""
        try:
            return unpack(self.line.recv_bytes())
        except (EOFError, OSError):
            self.process.join(GRACE)
            return None

    def dismiss(self) -> None:
        """Let it go: without a line it ends."""
        self.line.close()
        self.process.join(GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def _work(line: Connection, encoded: bytes) -> None:
    """A worker: the series is read once, and a stop from the keyboard is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    series = msgspec.msgpack.decode(encoded, type=Series)
    # Without a line the parent is gone, and with it whoever wants to know.
    with suppress(EOFError, OSError):
        while True:
            line.send_bytes(pack(play_safely(series, line.recv())))


@contextmanager
def _nameless() -> Iterator[None]:
    """Start a process that does not load the program that started it: a worker needs nothing of it.

    Otherwise a script would have to guard what it does against being done by every worker again.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


@contextmanager
def _stops_held_back() -> Iterator[None]:
    """Start a process that Ctrl-C in the terminal does not reach, not even while it loads."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # It lets signals through again when it has started, so it must be there before.
    resource_tracker.ensure_running()
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
