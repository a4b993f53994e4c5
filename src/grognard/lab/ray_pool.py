"""Games on a Ray cluster. The same seeds give the same games there as on one machine.

A game is a task without a memory: what it needs comes with it, and what it gives is its record. So when a worker or a
whole node dies Ray plays its games again elsewhere, and since every task is answered once, none is lost or counted
twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from functools import lru_cache
from typing import Any

import msgspec

from grognard.core.errors import GrognardError
from grognard.lab.game_rows import Played, pack, unpack
from grognard.lab.game_run import play_safely
from grognard.lab.series import Series

#: How often a game is played again whose worker died.
RETRIES = 5
#: How many games wait for each core of the cluster.
WAITING = 2
#: A cluster of its own on this machine, instead of one that runs already.
LOCAL = "local"


def load_ray() -> Any:
    """Ray, or the word how to get it."""
    try:
        import ray
    except ImportError:
        raise GrognardError("--ray needs Ray, which is not installed: pip install 'grognard[ray]'") from None
    return ray


@lru_cache(maxsize=8)
def _read(encoded: bytes) -> Series:
    return msgspec.msgpack.decode(encoded, type=Series)


def _play(encoded: bytes, number: int) -> bytes:
    return pack(play_safely(_read(encoded), number))


def play_on_ray(series: Series, numbers: Iterable[int], address: str) -> Generator[Played, None, None]:
    """Games on a cluster, as they end: ``auto`` for the one that this machine belongs to, ``local`` for one of its own.

    A cluster that is connected already is used as it is, and left running.
    """
    ray = load_ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    try:
        yield from _gather(ray, series, numbers)
    finally:
        if ours:
            ray.shutdown()


def _connect(ray: Any, address: str) -> None:
    try:
        if address == LOCAL:
            ray.init(include_dashboard=False, log_to_driver=False)
        else:
            ray.init(address=address, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        start = "start one with `ray start --head` in a closed network (docs/lab.md says why), or write --ray local"
        raise GrognardError(f"no Ray cluster at {address!r}: {error}; {start}") from None


def _gather(ray: Any, series: Series, numbers: Iterable[int]) -> Generator[Played, None, None]:
    task = ray.remote(max_retries=RETRIES)(_play)
    encoded = ray.put(msgspec.msgpack.encode(series))
    left = deque(numbers)
    outstanding: dict[Any, int] = {}
    try:
        while left or outstanding:
            room = max(int(ray.cluster_resources().get("CPU", 1)), 1) * WAITING
            while left and len(outstanding) < room:
                number = left.popleft()
                outstanding[task.remote(encoded, number)] = number
            for reference in ray.wait(list(outstanding), num_returns=1)[0]:
                yield _get(ray, reference, outstanding.pop(reference))
    finally:
        # A cluster that goes on running shall not go on with games that nobody waits for.
        for reference in outstanding:
            ray.cancel(reference, force=True)


def _get(ray: Any, reference: Any, number: int) -> Played:
    try:
        return unpack(ray.get(reference))
    except ray.exceptions.RayError as error:
        last = str(error).strip().splitlines()[-1]
        hint = "every node needs the same grognard"
        raise GrognardError(f"game {number} could not be played on the cluster: {last}; {hint}") from None
