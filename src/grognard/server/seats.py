"""Seats at a battle, and the tokens that open them."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from grognard.server.errors import TokenError
from grognard.server.rows import SeatRow

WATCHER = "watcher"


class Seat(NamedTuple):
    """A place at the table: the side ("watcher" has none of its own) and who plays it."""

    side: str
    player: str


def token_hash(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()


def seat_of(seats: Iterable[SeatRow], token: str) -> Seat:
    """The seat that a token opens."""
    given, found = token_hash(token), None
    for seat in seats:
        if seat.token and hmac.compare_digest(seat.token, given):
            found = Seat(seat.side, seat.player)
    if found is None:
        raise TokenError("This link isn't valid for this battle. Open the link you were given.")
    return found
