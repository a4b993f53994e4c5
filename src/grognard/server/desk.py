"""What every call to the application needs at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from litestar.connection import ASGIConnection

from grognard.server.limits import Buckets, Heads, Limits
from grognard.server.lobby import Lobbyist
from grognard.server.pictures import Pictures

if TYPE_CHECKING:
    from grognard.server.hall import Hall


class Desk(NamedTuple):
    """The hall of battles, the limits and what has been used of them, and what is kept in memory."""

    hall: Hall
    limits: Limits
    seats: Buckets
    makers: Buckets
    sockets: Heads
    pictures: Pictures
    lobby: Lobbyist


def lay_out(hall: Hall, limits: Limits) -> Desk:
    """A desk with nothing used yet."""
    return Desk(
        hall,
        limits,
        Buckets(limits.seat_rate, limits.seat_burst),
        Buckets(limits.make_rate, limits.make_burst),
        Heads(limits.sockets_per_address),
        Pictures(),
        Lobbyist(),
    )


def desk_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Desk:
    """The desk of the application that a call came to."""
    desk: Desk = connection.app.state.desk
    return desk
