"""An answer in the making: what it is worth, and why, told only if somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from grognard.core.tactics import Proposal, Reason

Why = Callable[[], tuple[Reason, ...]]

#: How many answers are proposed, and what counts for too little to be told.
MOST, SLIGHT = 8, 0.005


class Choice(NamedTuple):
    """An answer with its worth; its reasons are worked out when it is proposed."""

    worth: float
    key: str
    why: Why | None = None


def propose(choices: Iterable[Choice], most: int = MOST) -> list[Proposal]:
    """The best choices as proposals; of equals the first comes first."""
    best = sorted(choices, key=lambda choice: -choice.worth)[:most]
    return [Proposal(choice.key, round(choice.worth, 3), _told(choice)) for choice in best]


def _told(choice: Choice) -> tuple[Reason, ...]:
    if choice.why is None:
        return ()
    return tuple(reason._replace(worth=round(reason.worth, 3)) for reason in choice.why())


def also(why: Why | None, *more: Reason) -> Why:
    """The same reasons and some more, of which those that count for nothing are left out."""
    return lambda: (*(why() if why is not None else ()), *(reason for reason in more if abs(reason.worth) >= SLIGHT))


def because(text: str, worth: float, *, secret: bool = False) -> Why:
    """A single reason."""
    return lambda: (Reason(text, worth, secret),)
