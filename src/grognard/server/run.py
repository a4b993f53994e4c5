"""Runs the server: a port that is free, a clean stop on Ctrl-C, and nothing secret in its log."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from grognard.core.errors import GrognardError
from grognard.server.app import create_app
from grognard.server.connections import BACKLOG, connection_protocol
from grognard.server.limits import Limits
from grognard.server.log_filter import RepeatFilter

if TYPE_CHECKING:
    from grognard.server.battles import Battles

DEFAULT_PORT = 8642
#: Seconds for which a thread may keep the interpreter while another wants it; Python's own is five times as long.
SWITCH = 0.001
Ready = Callable[[str], Awaitable[None]]


def open_port(host: str, port: int | None) -> socket.socket:
    """A listening place: the port that is wanted, or without a wish the usual one, or any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [DEFAULT_PORT, 0] if port is None else [port]
    for number in wanted:
        place = socket.socket(family, socket.SOCK_STREAM)
        # A port whose last user has just left can be had at once; one that is in use cannot.
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            place.bind((host, number))
            place.listen()
        except (OSError, OverflowError) as error:
            place.close()
            if number == wanted[-1]:
                reason = getattr(error, "strerror", None) or str(error)
                raise GrognardError(f"Can't listen on {host} port {number}: {reason}. Try another --port.") from None
        else:
            return place
    raise AssertionError("the last wish either succeeds or fails")


def url_of(place: socket.socket) -> str:
    """The address of a listening place for a browser on this machine."""
    host, port = place.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(
    battles: Battles,
    place: socket.socket,
    *,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    ready: Ready | None = None,
    behind_proxy: bool = False,
    verbose: bool = False,
) -> None:
    """Serve until a signal comes, then finish what is being answered, close the sockets and the battles, and return.

    ``ready`` is called with the address once the server listens; what it raises stops the server and is raised here.
    """
    limits = limits or Limits()
    # A thread that is busy with one battle gives way sooner to the event loop, which serves all of them.
    sys.setswitchinterval(SWITCH)
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.INFO if verbose else logging.WARNING)
    for handler in logging.getLogger().handlers:
        handler.addFilter(RepeatFilter())
    server = _Server(configure(battles, limits, hosts, behind_proxy, opens=False), ready, url_of(place))
    asyncio.run(_serve(battles, server, place))


async def _serve(battles: Battles, server: _Server, place: socket.socket) -> None:
    # Not left to the application: a database that cannot be opened is then told as what it is.
    await battles.start()
    try:
        await server.serve(sockets=[place])
    finally:
        await battles.stop()
    if server.failure is not None:
        raise server.failure


def configure(
    battles: Battles,
    limits: Limits | None = None,
    hosts: Iterable[str] = (),
    behind_proxy: bool = False,
    opens: bool = True,
) -> uvicorn.Config:
    """How the application is served."""
    limits = limits or Limits()
    return uvicorn.Config(
        create_app(battles, limits=limits, hosts=hosts, opens=opens),
        http=connection_protocol(limits, behind_proxy),
        backlog=BACKLOG,
        ws_max_size=limits.socket_message,
        ws_ping_interval=limits.socket_ping,
        ws_ping_timeout=limits.socket_ping,
        ws_per_message_deflate=True,
        lifespan="on",
        # The application keeps its own access log, which leaves out what is secret.
        access_log=False,
        log_config=None,
        log_level=logging.WARNING,
        server_header=False,
        # Who calls is told by the connection, unless a proxy on this machine is trusted to tell.
        proxy_headers=behind_proxy,
        forwarded_allow_ips="127.0.0.1,::1" if behind_proxy else "",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
    )


class _Server(uvicorn.Server):
    """A server that says when it is ready, and that ends a wished-for stop as a success."""

    def __init__(self, config: uvicorn.Config, ready: Ready | None, url: str) -> None:
        super().__init__(config)
        self.ready, self.url = ready, url
        self.failure: Exception | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.ready is None or self.should_exit:
            return
        try:
            await self.ready(self.url)
        except Exception as error:
            self.failure, self.should_exit = error, True

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
