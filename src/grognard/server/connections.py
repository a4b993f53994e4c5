"""Connections: how many there are, and that none is held open by somebody who says nothing, or reads nothing.

A connection that waits for a request is worth little. When an address, or the whole server, has as many as it may
have, the one that has waited longest makes way for the newcomer, so that nobody is kept out by idle connections.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict

try:
    import resource
except ImportError:  # not everywhere are descriptors counted like this
    COUNTED = False
else:
    COUNTED = True

from uvicorn.protocols.http.h11_impl import H11Protocol

from grognard.server.limits import Limits

#: Connections that the system may take in at once before the first of them is looked at.
BACKLOG = 128
#: File descriptors kept for the database, files and what the system takes in meanwhile.
RESERVE = BACKLOG + 128
#: As many descriptors as are asked for, if the system allows it.
DESCRIPTORS = 16_384
FULL = b"HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\nRetry-After: 5\r\n\r\n"


def most_connections(wanted: int) -> int:
    """How many connections can be held without running out of file descriptors."""
    if not COUNTED:
        return min(wanted, 400)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(8, min(wanted, soft - RESERVE))


class Connections:
    """The connections of a server that speak HTTP, by address; those that have waited longest come first."""

    def __init__(self, most: int, per_address: int) -> None:
        self.most, self.per_address = most, per_address
        self._all: OrderedDict[HttpConnection, None] = OrderedDict()
        self._addresses: dict[str, OrderedDict[HttpConnection, None]] = {}

    def enter(self, connection: HttpConnection, open: int) -> bool:
        """Take a connection in, if need be in place of an idle one; ``open`` counts all others, sockets too."""
        others = self._addresses.setdefault(connection.address, OrderedDict())
        if connection.address and len(others) >= self.per_address and not _close_idle(others):
            return False
        if open >= self.most and not _close_idle(self._all):
            return False
        others[connection] = self._all[connection] = None
        return True

    def rest(self, connection: HttpConnection) -> None:
        """A connection has been served and waits again: it is the last that makes way."""
        if connection in self._all:
            self._all.move_to_end(connection)
            self._addresses[connection.address].move_to_end(connection)

    def leave(self, connection: HttpConnection) -> None:
        """A connection has ended, or is a socket from now on."""
        self._all.pop(connection, None)
        others = self._addresses.get(connection.address)
        if others is not None:
            others.pop(connection, None)
            if not others:
                del self._addresses[connection.address]


def _close_idle(connections: OrderedDict[HttpConnection, None]) -> bool:
    idle = next((connection for connection in connections if connection.waits), None)
    if idle is None:
        return False
    idle.drop()
    return True


class HttpConnection(H11Protocol):
    """A connection that is given up when a request, or the reading of an answer, takes too long."""

    pool: Connections
    limits: Limits
    #: Whether all connections come from a proxy, which is no one's address.
    proxied: bool
    address = ""
    _since = 0.0
    _stuck = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        self.address = "" if self.proxied or not self.client else self.client[0]
        if not self.pool.enter(self, len(self.connections) - 1):
            transport.write(FULL)
            transport.close()
            return
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        self.pool.leave(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: object) -> None:
        self.pool.leave(self)  # sockets are counted by themselves
        super().handle_websocket_upgrade(event)  # type: ignore[arg-type]

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        self.pool.rest(self)
        super().on_response_complete()

    @property
    def waits(self) -> bool:
        """Whether no request is being answered, and the last answer has gone out."""
        cycle = getattr(self, "cycle", None)
        return (cycle is None or cycle.response_complete) and not self.transport.get_write_buffer_size()

    def drop(self) -> None:
        """Close the connection at once."""
        self.pool.leave(self)
        self.transport.abort()

    def _look_later(self) -> None:
        self.loop.call_later(min(5.0, self.limits.request_time / 2), self._look)

    def _look(self) -> None:
        # A connection that has become a socket has another protocol by now, which looks after itself.
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        now = self.loop.time()
        if self.transport.get_write_buffer_size():
            self._since = now
            self._stuck = self._stuck or now
        else:
            self._stuck = 0.0
        late = self.waits and now - self._since >= self.limits.request_time
        if late or (self._stuck and now - self._stuck >= self.limits.response_time):
            self.drop()
        else:
            self._look_later()


def connection_protocol(limits: Limits, proxied: bool = False) -> type[H11Protocol]:
    """The protocol of a server with these limits."""
    pool = Connections(most_connections(limits.connections), limits.connections_per_address)
    return type("ServerConnection", (HttpConnection,), {"pool": pool, "limits": limits, "proxied": proxied})
