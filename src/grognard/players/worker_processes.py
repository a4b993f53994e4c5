"""Other processes that think along: they are started once, keep what they know of a scenario, and end with this one.

A worker is a program of its own that reads tasks from its standard input, so it can be started from a server with
threads, from a notebook and from a test alike. It ends when its input does.
"""

from __future__ import annotations

import atexit
import queue
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from hashlib import sha256
from itertools import count
from typing import IO, Any, NamedTuple

import msgspec

from grognard.core import registry
from grognard.core.game import Game
from grognard.core.packing import PackedSession, open_scenario_of, pack, unpack
from grognard.core.session import Session
from grognard.core.tactics import Clock, tactics_of
from grognard.players.gc_pause import gc_paused
from grognard.players.playouts import Line, Playouts, Score, Settings

#: How many scenarios a worker keeps.
SCENARIOS = 8
#: The least that a worker is waited for past its time, in seconds: its last words are on their way.
LAST_WORDS = 0.02
#: How long a worker may take that has been told how many rounds to play.
PATIENCE = 600.0


class Task(msgspec.Struct, array_like=True):
    """What a worker plays: the rounds ``first``, ``first + workers`` and so on, up to ``rounds`` or its time's end."""

    packed: PackedSession | None
    lines: list[Line]
    priors: list[float]
    seed: str
    settings: Settings
    end: float
    workers: int
    rounds: int | None
    first: int = 0
    number: int = 0


class Report(msgspec.Struct, array_like=True):
    """What came of a task."""

    number: int
    scores: list[Score]


# ---- asking --------------------------------------------------------------------------------------------------------


class WorkerProcess:
    """A process that thinks along. One task at a time: whoever has ``busy`` may ask."""

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self._number = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grognard.players.worker_processes"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._reports: queue.SimpleQueue[Report | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="worker", daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while (message := _read(self._process.stdout)) is not None:
            self._reports.put(msgspec.msgpack.decode(message, type=Report))
        self._reports.put(None)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ask(self, task: Task) -> bool:
        """Give it a task; whether it could be told."""
        self._number = task.number = self._number + 1
        assert self._process.stdin is not None
        try:
            _write(self._process.stdin, msgspec.msgpack.encode(task))
        except OSError:
            return False
        return True

    def hear(self, seconds: float) -> list[Score] | None:
        """What came of the last task; None if it is not told in time. What came late of others is thrown away."""
        clock = Clock.of(seconds)
        while True:
            try:
                report = self._reports.get(timeout=max(clock.left, 0.001))
            except queue.Empty:
                return None
            if report is None:
                return None
            if report.number == self._number:
                return report.scores

    def close(self) -> None:
        """Let it end, and wait for it."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            self._process.kill()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_workers: list[WorkerProcess] = []
_lock = threading.Lock()


def _free(wanted: int) -> list[WorkerProcess]:
    """So many workers that have nothing to do, taken for whoever asks; new ones are started up to that number."""
    with _lock:
        for gone in [worker for worker in _workers if not worker.alive]:
            _workers.remove(gone)
        while len(_workers) < wanted:
            _workers.append(WorkerProcess())
        found = [worker for worker in _workers if worker.busy.acquire(blocking=False)]
        for spare in found[wanted:]:
            spare.busy.release()
        return found[:wanted]


def ask(probe: Session, task: Task) -> list[WorkerProcess]:
    """Let workers play their share of a task."""
    packed = pack(probe)
    told = []
    for first, worker in enumerate(_free(task.workers - 1), 1):
        share = Task(packed, task.lines, task.priors, task.seed, task.settings, task.end, task.workers, task.rounds)
        share.first = first
        if worker.ask(share):
            told.append(worker)
        else:
            worker.busy.release()
    return told


def collect(workers: list[WorkerProcess], clock: Clock, wait: bool) -> list[list[Score]]:
    """What workers found in time; with ``wait``, however long they take."""
    found = []
    for worker in workers:
        scores = worker.hear(PATIENCE if wait else clock.left + LAST_WORDS)
        if scores is not None:
            found.append(scores)
        worker.busy.release()
    return found


def warm_up(workers: int) -> None:
    """Start workers before they are wanted."""
    for worker in _free(workers - 1):
        worker.busy.release()


def close_workers() -> None:
    """End all workers."""
    with _lock:
        while _workers:
            _workers.pop().close()


atexit.register(close_workers)


# ---- working -------------------------------------------------------------------------------------------------------


class _Loaded(NamedTuple):
    game: Game
    scenario: Any


_scenarios: OrderedDict[bytes, _Loaded] = OrderedDict()


def _load(packed: PackedSession) -> _Loaded:
    parts = [packed.game, packed.source, str(packed.situation), *(f"{k}\0{v}" for k, v in sorted(packed.files.items()))]
    digest = sha256("\0".join(parts).encode()).digest()
    if digest not in _scenarios:
        game = registry.game(packed.game)
        _scenarios[digest] = _Loaded(game, open_scenario_of(packed, game))
        while len(_scenarios) > SCENARIOS:
            _scenarios.popitem(last=False)
    _scenarios.move_to_end(digest)
    return _scenarios[digest]


@gc_paused()
def do(task: Task) -> Report:
    """Play a task's playouts."""
    assert task.packed is not None
    game, scenario = _load(task.packed)
    clock = Clock(task.end)
    probe = unpack(task.packed, game, scenario)
    playouts = Playouts(probe, tactics_of(game, scenario), task.seed, task.settings)
    numbers = count(task.first, task.workers) if task.rounds is None else range(task.first, task.rounds, task.workers)
    return Report(task.number, playouts.race(task.lines, task.priors, iter(numbers), clock))


def work_through(source: IO[bytes], sink: IO[bytes]) -> None:
    """Do tasks until there are no more."""
    while (message := _read(source)) is not None:
        task = msgspec.msgpack.decode(message, type=Task)
        _write(sink, msgspec.msgpack.encode(do(task)))


def _read(source: IO[bytes]) -> bytes | None:
    head = source.read(4)
    if len(head) < 4:
        return None
    return source.read(int.from_bytes(head, "big"))


def _write(sink: IO[bytes], message: bytes) -> None:
    sink.write(len(message).to_bytes(4, "big") + message)
    sink.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asked; a worker ends with its input
    work_through(sys.stdin.buffer, sys.stdout.buffer)
