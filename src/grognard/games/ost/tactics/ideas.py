"""An answer in the making: what it is worth, and why, told only if somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from grognard.core.tactics import Proposal, Reason

Why = Callable[[], tuple[Reason, ...]]

#: How many answers are proposed.
MOST = 8


class Idea(NamedTuple):
    """An answer with its worth; its reasons are worked out when it is proposed."""

    worth: float
    key: str
    why: Why | None = None


def propose(ideas: Iterable[Idea], most: int = MOST) -> list[Proposal]:
    """The best ideas as proposals; of equals the first comes first."""
    best = sorted(ideas, key=lambda idea: -idea.worth)[:most]
    return [Proposal(idea.key, round(idea.worth, 3), _told(idea)) for idea in best]


def _told(idea: Idea) -> tuple[Reason, ...]:
    if idea.why is None:
        return ()
    return tuple(Reason(reason.text, round(reason.worth, 3)) for reason in idea.why())


def because(text: str, worth: float) -> Why:
    """A single reason."""
    return lambda: (Reason(text, worth),)
