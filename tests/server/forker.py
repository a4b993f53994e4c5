"""Starts servers quickly: everything is imported once, and each server is a process of its own.

``python -m tests.server.forker`` reads lines "PORT DATABASE" and says the process number of each server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
import traceback

import uvicorn

from grognard.core import registry
from grognard.core.errors import GrognardError
from grognard.server.battles import Battles
from grognard.server.run import configure, open_port
from tests.server.live import ROOMY


def place_at(port: int) -> socket.socket:
    """The port, as soon as whoever had it is quite dead."""
    until = time.monotonic() + 10
    while True:
        try:
            return open_port("127.0.0.1", port)
        except GrognardError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def main() -> None:
    """Start servers until nobody wants more."""
    for game in registry.games():
        game.lessons()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever is killed is gone at once
    started: list[int] = []
    prepared: dict[str, uvicorn.Config] = {}
    for line in sys.stdin:
        port, database = line.split()
        if database not in prepared:
            prepared[database] = configure(Battles(database, limits=ROOMY), ROOMY)
        child = os.fork()
        if child == 0:
            os.close(0)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            try:
                asyncio.run(uvicorn.Server(prepared[database]).serve(sockets=[place_at(int(port))]))
            except Exception:
                traceback.print_exc()
            finally:
                os._exit(0)
        started.append(child)
        print(child, flush=True)
    for child in started:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main()
