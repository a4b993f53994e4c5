"""How much the server takes from one address, one seat and in all; generous for people, too little for floods."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

import msgspec

from grognard.server.errors import TooMuchError


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is limited. Sizes are in bytes, times in seconds, rates in calls a second."""

    body: int = 256 * 1024
    import_body: int = 6 * 1024 * 1024
    socket_message: int = 4 * 1024
    seat_rate: float = 60.0
    seat_burst: int = 200
    address_rate: float = 600.0
    address_burst: int = 2000
    make_rate: float = 1.0
    make_burst: int = 60
    sockets_per_address: int = 64
    socket_hello: float = 10.0
    #: How often a socket is pinged, and how long it may take to answer.
    socket_ping: float = 20.0
    #: How long a listener may take for one message before it is given up.
    socket_send: float = 20.0
    #: Updates that wait for a slow listener before they are collapsed to the latest.
    socket_queue: int = 32
    #: How long a connection may take to begin a request, and a request to send its body.
    request_time: float = 30.0
    #: How long somebody may take to read an answer that is larger than what the system holds for them.
    response_time: float = 120.0
    #: Connections at once; the longest idle ones make way for new ones.
    connections: int = 4000
    connections_per_address: int = 256
    games: int = 2000


class RateLimit:
    """Token buckets by key: each fills at ``rate`` up to ``burst``; a call that finds its bucket empty is too much."""

    def __init__(
        self, rate: float, burst: int, keep: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rate, self.burst, self.keep, self.clock = rate, burst, keep, clock
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable, what: str) -> None:
        """Take one token of a key's bucket; TooMuchError says when there will be one."""
        now = self.clock()
        level, then = self._levels.get(key, (float(self.burst), now))
        level = min(float(self.burst), level + (now - then) * self.rate)
        if level < 1.0:
            wait = (1.0 - level) / self.rate
            raise TooMuchError(f"Too many {what}. Wait {wait:.1f} seconds and try again.")
        self._levels[key] = (level - 1.0, now)
        self._levels.move_to_end(key)
        while len(self._levels) > self.keep:
            self._levels.popitem(last=False)


class CountLimit:
    """How many of something each key has at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._counts: dict[Hashable, int] = {}

    def enter(self, key: Hashable, what: str) -> None:
        """One more; TooMuchError when there are enough."""
        count = self._counts.get(key, 0)
        if count >= self.most:
            raise TooMuchError(f"Too many {what}: {count} are open. Close one first.")
        self._counts[key] = count + 1

    def leave(self, key: Hashable) -> None:
        """One fewer."""
        count = self._counts.get(key, 0) - 1
        if count > 0:
            self._counts[key] = count
        else:
            self._counts.pop(key, None)
