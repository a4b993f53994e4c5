"""The socket of a battle: after one message that says which seat it is, every change is told as it happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from grognard.core.errors import GrognardError
from grognard.server.context import context_of
from grognard.server.errors import MissingError, TokenError, TooMuchError
from grognard.server.limits import Limits
from grognard.server.schema import Hello, Update
from grognard.server.security import address

if TYPE_CHECKING:
    from grognard.server.live_battle import LiveBattle
    from grognard.server.seats import Seat

log = logging.getLogger("grognard.server")

TOO_LARGE, REFUSED, WRONG_TOKEN, NO_BATTLE = 1009, 1008, 4401, 4404
FAULT = 1011


class Hangup(Exception):
    """The socket is closed for a reason that the client is told."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(reason)


@websocket("/api/battles/{id:str}/socket")
async def battle_socket(socket: WebSocket[Any, Any, Any], id: FromPath[str]) -> None:
    """Take the seat that the first message names, then tell it every change until either side hangs up."""
    context = context_of(socket)
    caller = address(socket.scope)
    try:
        context.sockets.enter(caller, "sockets from this address")
    except TooMuchError as error:
        await socket.close(REFUSED, str(error))
        return
    try:
        await socket.accept()
        await _serve(socket, id, context.limits)
    except Hangup as error:
        await _close(socket, error.code, error.reason)
    except (WebSocketDisconnect, OSError):
        pass  # the client has gone, or is gone while it was told something
    except Exception as error:
        log.error("socket of a battle", exc_info=error)
        await _close(socket, FAULT, "Something went wrong on the server. Open the socket again.")
    finally:
        context.sockets.leave(caller)


async def _serve(socket: WebSocket[Any, Any, Any], id: str, limits: Limits) -> None:
    hello = await _hello(socket, limits)
    try:
        battle: LiveBattle = await context_of(socket).battles.open(id, address(socket.scope))
        seat = battle.seat(hello.token)
    except MissingError as error:
        raise Hangup(NO_BATTLE, str(error)) from None
    except TokenError as error:
        raise Hangup(WRONG_TOKEN, str(error)) from None
    queue: asyncio.Queue[Update] = asyncio.Queue(limits.socket_queue)
    battle.runner.listen(seat, queue)
    try:
        # Listening comes first: what happens while the first picture is made is in the queue, and told if it is newer.
        first = await battle.update(seat, hello.log, hello.frames)
        await _talk(socket, battle, seat, queue, first, limits)
    except GrognardError as error:
        raise Hangup(REFUSED, str(error)) from None
    finally:
        battle.runner.leave(queue)


async def _talk(
    socket: WebSocket[Any, Any, Any],
    battle: LiveBattle,
    seat: Seat,
    queue: asyncio.Queue[Update],
    first: Update,
    limits: Limits,
) -> None:
    """Tell and hear at once, and see that what is told is read; the first of these that ends, ends the others."""
    teller = _Teller(socket, queue, first)
    work = (teller.tell(), _hear(socket, battle, seat, limits), teller.watch(limits.socket_send))
    tasks = [asyncio.create_task(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Teller:
    """Sends the updates of a queue. One who looks at it now and then is cheaper than a timer for each message."""

    def __init__(self, socket: WebSocket[Any, Any, Any], queue: asyncio.Queue[Update], first: Update) -> None:
        self.socket, self.queue, self.first = socket, queue, first
        self.sent = 0
        self.sending = False

    async def tell(self) -> None:
        await self._send(self.first)
        while True:
            update = await self.queue.get()
            # What is as old as the first picture may still tell who came or went.
            if update.number >= self.first.number:
                await self._send(update)

    async def _send(self, update: Update) -> None:
        self.sending = True
        await self.socket.send_text(msgspec.json.encode(update).decode())
        self.sent += 1
        self.sending = False

    async def watch(self, patience: float) -> None:
        """End when a message has not been taken for so long, or up to a quarter longer."""
        slice, waited, before = patience / 4, 0, -1
        while waited < 4 or not self.sending:
            await asyncio.sleep(slice)
            waited = waited + 1 if self.sending and self.sent == before else 0
            before = self.sent
        raise Hangup(REFUSED, "You aren't reading the messages. Open the socket again.")


async def _hear(socket: WebSocket[Any, Any, Any], battle: LiveBattle, seat: Seat, limits: Limits) -> None:
    while True:
        message = await _read(socket, limits)
        context_of(socket).seats.take((battle.id, seat.side), "messages from this seat")
        if message != "ping":
            raise Hangup(REFUSED, 'After the first message, send only "ping". Answers go by POST.')
        async with asyncio.timeout(limits.socket_send):
            await socket.send_text("pong")


async def _hello(socket: WebSocket[Any, Any, Any], limits: Limits) -> Hello:
    try:
        async with asyncio.timeout(limits.socket_hello):
            text = await _read(socket, limits)
    except TimeoutError:
        raise Hangup(REFUSED, f"No message came within {limits.socket_hello:g} seconds.") from None
    try:
        return msgspec.json.decode(text, type=Hello)
    except (msgspec.DecodeError, RecursionError):
        raise Hangup(REFUSED, 'The first message must be: {"token": "…", "log": 0, "frames": 0}') from None


async def _read(socket: WebSocket[Any, Any, Any], limits: Limits) -> str:
    """The next message as text."""
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="", code=event.get("code") or 1000)
    text = event.get("text")
    if not isinstance(text, str):
        raise Hangup(REFUSED, "Messages must be text.")
    if len(text) > limits.socket_message:
        raise Hangup(TOO_LARGE, f"Messages can have up to {limits.socket_message} bytes.")
    return text


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    with contextlib.suppress(Exception):
        # A reason has room for 123 bytes.
        await socket.close(code, reason.encode()[:120].decode(errors="ignore"))
