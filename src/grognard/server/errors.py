"""What the server refuses besides what the engine does."""

from __future__ import annotations

from grognard.core.errors import GrognardError


class MissingError(GrognardError):
    """There is no such battle, scenario, unit, moment or rule."""


class ForbiddenError(GrognardError):
    """The seat may not do that: the token isn't valid here, or the question isn't this side's."""


class TooMuchError(GrognardError):
    """More than the server takes: too large, too often, or too many at once. ``status`` is 413 or 429."""

    def __init__(self, message: str, status: int = 429) -> None:
        self.status = status
        super().__init__(message)


class TokenError(ForbiddenError):
    """No token came with the call, or one that isn't valid for this battle."""


class LateError(GrognardError):
    """A message that did not come whole in time."""
