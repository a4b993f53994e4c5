"""Games on all cores of one machine: processes that load a series once and stay warm."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

import msgspec

from grognard.core.errors import GrognardError
from grognard.lab.game_run import play_job
from grognard.lab.record import DECODER, ENCODER, GameRecord
from grognard.lab.series import Series

#: How many games wait for each worker, so that none is idle and a stop is soon.
WAITING = 2
#: How often a game may take its worker with it until the run is given up.
PATIENCE = 3

_series: Series | None = None


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _warm(encoded: bytes) -> None:
    """Make a worker ready: the series is read once, and a stop is the parent's business."""
    global _series
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _series = msgspec.msgpack.decode(encoded, type=Series)


def _play(number: int) -> bytes:
    assert _series is not None
    return ENCODER.encode(play_job(_series, _series.job(number)))


def play_here(series: Series, numbers: Iterable[int]) -> Iterator[GameRecord]:
    """Games in this process, one after the other."""
    for number in numbers:
        yield play_job(series, series.job(number))


def play_on_cores(series: Series, numbers: Iterable[int], jobs: int) -> Iterator[GameRecord]:
    """Games in so many processes, as they end. A game whose worker died is played again."""
    left = deque(numbers)
    lost: Counter[int] = Counter()
    while left:
        outstanding: dict[Future[bytes], int] = {}
        pool = ProcessPoolExecutor(
            min(jobs, len(left)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_warm,
            initargs=(msgspec.msgpack.encode(series),),
        )
        try:
            while left or outstanding:
                while left and len(outstanding) < jobs * WAITING:
                    number = left.popleft()
                    outstanding[pool.submit(_play, number)] = number
                done, _ = wait(outstanding, return_when=FIRST_COMPLETED)
                for future in done:
                    record = DECODER.decode(future.result())
                    del outstanding[future]
                    yield record
        except BrokenProcessPool:
            _count_lost(lost, outstanding.values())
            left.extendleft(sorted(outstanding.values(), reverse=True))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _count_lost(lost: Counter[int], numbers: Iterable[int]) -> None:
    """Note whose workers died; it is not known which of several games it was."""
    lost.update(numbers)
    number, times = lost.most_common(1)[0]
    if times > PATIENCE * WAITING:
        raise GrognardError(f"workers keep dying, with game {number} among what they play; the run is stopped")
