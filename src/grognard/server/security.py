"""What stands before the application: who may call it, how often, and which headers its answers carry."""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request
from litestar.enums import ScopeType
from litestar.params import FromPath
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from grognard.core.errors import GrognardError
from grognard.server.context import context_of
from grognard.server.errors import ForbiddenError, LateError, TokenError, TooMuchError
from grognard.server.limits import Limits, RateLimit
from grognard.server.problems import problem_of

if TYPE_CHECKING:
    from grognard.server.live_battle import LiveBattle
    from grognard.server.seats import Seat

access = logging.getLogger("grognard.access")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: An answer of so many bytes is compressed, and how hard; below, it takes longer than it saves.
PACK_FROM, PACK_LEVEL = 4096, 4
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def hostname(host: str) -> str:
    """The name in a Host header, without its port."""
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


def header(scope: Scope, name: bytes) -> str:
    """A header's value, "" if it did not come."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def address(scope: Scope) -> str:
    """The address of whoever calls."""
    client = scope.get("client")
    return client[0] if client else ""


class SecurityMiddleware:
    """Wraps the application: checks Host and Origin, counts calls by address, adds the headers, notes the access.

    ``hosts`` are the names by which the server may be called besides those of loopback; a page elsewhere that has its
    own name point here (DNS rebinding) is turned away. "*" lets every name in.
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: frozenset[str]) -> None:
        self.app, self.limits = app, limits
        self.hosts = frozenset(name.lower() for name in hosts) | LOOPBACK
        self.calls = RateLimit(limits.address_rate, limits.address_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a call through, or turn it away with a Problem."""
        if scope["type"] != ScopeType.HTTP:
            try:
                self._check(scope)
            except Exception as error:
                await self._refuse(scope, send, error)
            else:
                await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0
        packs = "gzip" in header(scope, b"accept-encoding")
        start: Message | None = None

        async def sending(message: Message) -> None:
            nonlocal status, start
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_extra(message)]
                if packs:
                    start = message  # it says how long the body is, and that is not yet known
                    return
            elif start is not None:
                first, start = start, None
                if not message.get("more_body"):
                    _pack(first, message)
                await send(first)
            await send(message)

        try:
            self._check(scope)
        except Exception as error:
            await self._refuse(scope, sending, error)
        else:
            await self.app(scope, self._hurry(receive), sending)
        if access.isEnabledFor(logging.INFO):
            took = 1000 * (time.perf_counter() - began)
            access.info("%s %s %s %d %.1f ms", address(scope), scope["method"], told(scope["path"]), status, took)

    def _check(self, scope: Scope) -> None:
        name = hostname(header(scope, b"host"))
        if "*" not in self.hosts and name not in self.hosts:
            raise ForbiddenError("This server isn't known by that name. Its operator can allow it with --allow-host.")
        origin = header(scope, b"origin")
        if (
            scope["type"] == ScopeType.WEBSOCKET
            and origin
            and urlsplit(origin).netloc.lower() != header(scope, b"host").lower()
        ):
            raise ForbiddenError("Pages from other sites can't open this socket.")
        self.calls.take(address(scope), "calls from this address")
        if scope["type"] == ScopeType.HTTP and (
            header(scope, b"content-length") not in ("", "0") or header(scope, b"transfer-encoding")
        ):
            # What a browser lets any page send without asking is refused: forms and plain text.
            if not header(scope, b"content-type").lower().startswith("application/json"):
                raise GrognardError("Send JSON, with the header Content-Type: application/json.")

    def _hurry(self, receive: Receive) -> Receive:
        """The same messages, but the body must have come in time: nobody is waited for without end."""
        deadline = time.monotonic() + self.limits.request_time
        reading = True

        async def hurried() -> Any:
            nonlocal reading
            if not reading:
                return await receive()
            try:
                async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                    message = await receive()
            except TimeoutError:
                raise LateError(f"The message didn't arrive within {self.limits.request_time:g} seconds.") from None
            reading = bool(message.get("more_body"))
            return message

        return hurried

    async def _refuse(self, scope: Scope, send: Send, error: Exception) -> None:
        status, problem = problem_of(error)
        if scope["type"] == ScopeType.WEBSOCKET:
            await send({"type": "websocket.close", "code": 1008, "reason": problem.message[:120]})
            return
        headers = [(b"content-type", b"application/json")]
        if isinstance(error, TooMuchError):
            headers.append((b"retry-after", b"1"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": msgspec.json.encode(problem), "more_body": False})


def _pack(start: Any, body: Any) -> None:
    """Compress an answer that is large enough for it to pay, unless it is packed already or would not shrink."""
    data, headers = body.get("body", b""), start["headers"]
    names = {name.lower(): value for name, value in headers}
    kind = names.get(b"content-type", b"")
    if len(data) < PACK_FROM or b"content-encoding" in names or not kind.startswith((b"application/json", b"text/")):
        return
    body["body"] = packed = gzip.compress(data, PACK_LEVEL, mtime=0)
    start["headers"] = [
        *((name, value) for name, value in headers if name.lower() != b"content-length"),
        (b"content-length", str(len(packed)).encode()),
        (b"content-encoding", b"gzip"),
        (b"vary", b"accept-encoding"),
    ]


def _extra(message: Any) -> list[tuple[bytes, bytes]]:
    """The headers of every answer; what does not say how long it may be kept is not kept at all."""
    if any(key.lower() == b"cache-control" for key, _ in message["headers"]):
        return list(HEADERS)
    return [*HEADERS, (b"cache-control", b"no-store")]


def told(path: str) -> str:
    """A path as the access log may tell it: a moment's token is its secret."""
    before, moments, _ = path.partition("/moment")
    return f"{before}/moments/…" if moments else path


class At:
    """Where a call sits: its battle and its seat."""

    def __init__(self, battle: LiveBattle, seat: Seat) -> None:
        self.battle, self.seat = battle, seat


def token_of(request: Request[Any, Any, Any]) -> str:
    """The token that came with a call; TokenError without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise TokenError("A seat's token is missing. It's in the seat's link; send it as Authorization: Bearer TOKEN.")
    return token.strip()


async def take_seat(request: Request[Any, Any, Any], id: FromPath[str]) -> At:
    """The seat of the token that came with a call; TokenError without one that is good here."""
    token = token_of(request)
    battle = await context_of(request).battles.open(id, address(request.scope))
    at = At(battle, battle.seat(token))
    battle.runner.caller = address(request.scope)
    context_of(request).seats.take((id, at.seat.side), "calls from this seat")
    return at
