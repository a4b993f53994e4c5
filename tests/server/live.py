"""A real server on a free port of this machine, and short words for calling it."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import httpx
import uvicorn
from websockets.sync.client import ClientConnection, connect

from grognard.server.battles import Battles
from grognard.server.limits import Limits
from grognard.server.run import configure, open_port, url_of

#: Tests call faster than people do.
ROOMY = Limits(seat_rate=1e6, seat_burst=10**6, address_rate=1e6, address_burst=10**6, make_rate=1e6, make_burst=10**6)
#: Where a battle without a seed gets one.
CHANCE = "grognard.core.session.secrets"
SMALL = {"game": "ost", "scenario": "first_patrol", "seed": "7"}


class Live:
    """A running server."""

    def __init__(self, url: str, battles: Battles, server: uvicorn.Server, loop: asyncio.AbstractEventLoop) -> None:
        self.url, self.battles, self.server, self.loop = url, battles, server, loop
        self.web = httpx.Client(base_url=url, timeout=30)

    def make(self, *, dice: bytes | None = None, **new: Any) -> Table:
        """A new battle; by default two people at a small one.

        ``dice`` settles the dice of a battle of which nobody may choose the seed, so that a test is the same each time.
        """
        with nullcontext() if dice is None else patch(CHANCE, SimpleNamespace(token_bytes=lambda _: dice)):
            answer = self.web.post("/api/battles", json=SMALL | new)
        assert answer.status_code == 201, answer.text
        return Table(self, answer.json())

    @contextmanager
    def socket(self, id: str, **options: Any) -> Iterator[ClientConnection]:
        """A socket of a battle, before its first message."""
        with connect(f"{self.url.replace('http', 'ws')}/api/battles/{id}/socket", max_size=None, **options) as socket:
            yield socket


class Table:
    """A battle on a running server, with the tokens of its seats."""

    def __init__(self, live: Live, made: dict[str, Any]) -> None:
        self.live, self.battle = live, made["battle"]
        self.id: str = self.battle["id"]
        self.tokens: dict[str, str] = {seat["side"]: seat["token"] for seat in made["seats"]}

    def call(self, method: str, path: str, side: str, **options: Any) -> httpx.Response:
        """Call an address of the battle as a side."""
        headers = {"Authorization": f"Bearer {self.tokens[side]}"} | options.pop("headers", {})
        return self.live.web.request(method, f"/api/battles/{self.id}{path}", headers=headers, **options)

    def get(self, path: str, side: str, code: int = 200, **params: Any) -> Any:
        """What a side reads there."""
        answer = self.call("GET", path, side, params=params)
        assert answer.status_code == code, answer.text
        return answer.json()

    def post(self, path: str, side: str, body: Any, code: int = 200) -> Any:
        """What a side is told after sending this."""
        answer = self.call("POST", path, side, json=body)
        assert answer.status_code == code, answer.text
        return answer.json()

    def state(self, side: str) -> Any:
        """What a side sees now."""
        return self.get("/state", side)

    def asked(self) -> str:
        """The person's side that is asked."""
        return next(side for side in self.tokens if side != "watcher" and self.state(side)["waiting"] == "you")

    @contextmanager
    def listen(self, side: str, **hello: int) -> Iterator[ClientConnection]:
        """A socket that has taken the side's seat."""
        with self.live.socket(self.id) as socket:
            socket.send(json.dumps({"token": self.tokens[side], **hello}))
            yield socket


@contextmanager
def running(folder: Path, limits: Limits = ROOMY, hosts: tuple[str, ...] = (), **battles: Any) -> Iterator[Live]:
    """A server with a database in a folder, stopped at the end."""
    place = open_port("127.0.0.1", 0)
    inside = Battles(f"sqlite:///{folder / 'games.sqlite'}", limits=limits, **battles)
    server = uvicorn.Server(configure(inside, limits, hosts))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(server.serve(sockets=[place])), daemon=True)
    thread.start()
    live = Live(url_of(place), inside, server, loop)
    while not server.started and thread.is_alive():
        thread.join(0.02)
    assert server.started
    try:
        yield live
    finally:
        live.web.close()
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive(), "the server did not stop"
        loop.close()
