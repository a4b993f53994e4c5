"""What every call to the application needs: the battles, the limits, and what is cached for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar.connection import ASGIConnection

from grognard.server.limits import CountLimit, Limits, RateLimit
from grognard.server.lobby import LobbyCache
from grognard.server.pictures import Pictures

if TYPE_CHECKING:
    from grognard.server.battles import Battles


class AppContext:
    """The battles, the limits and what has been used of them, and what is cached."""

    def __init__(self, battles: Battles, limits: Limits) -> None:
        self.battles, self.limits = battles, limits
        self.seats = RateLimit(limits.seat_rate, limits.seat_burst)
        self.makers = RateLimit(limits.make_rate, limits.make_burst)
        self.sockets = CountLimit(limits.sockets_per_address)
        self.pictures = Pictures()
        self.lobby = LobbyCache()


def context_of(connection: ASGIConnection[Any, Any, Any, Any]) -> AppContext:
    """The context of the application that a call came to."""
    context: AppContext = connection.app.state.context
    return context
