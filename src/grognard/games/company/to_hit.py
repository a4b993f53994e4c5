"""The hit number (6.8 to 6.17): what the target's training makes it, and every modifier, as a tally."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from grognard.core.tally import Tally
from grognard.games.company.charts import Training, charts

#: For each face of a die whether it hits.
Faces = tuple[int, ...]


def needed(
    training: Training,
    *,
    concealed: bool = False,
    down: bool = False,
    long: bool = False,
    lines: Sequence[str] = (),
    what: str = "To hit",
) -> Tally:
    """The number that the dice must reach against a Unit of a training (6.8).

    The target may be concealed (6.9) or gone to ground (6.10), at long range (6.11); ``lines`` are what hangs on who
    fires: that he moved (6.12), reacts (6.13) or aims (6.15), or that the commander observes (6.14).
    """
    found = Tally(what, training.to_hit, "3.2", training.title)
    for id, applies in (("target_concealed", concealed), ("target_gone_to_ground", down), ("long_range", long)):
        if applies:
            add(found, id)
    for id in lines:
        add(found, id)
    return found


def add(tally: Tally, id: str) -> None:
    """A modifier of the chart as a line of a tally."""
    modifier = charts().modifier(id)
    tally.add(id, modifier.amount, modifier.rule)


def ranging(training: Training, *, concealed: bool, down: bool, long: bool, commander: bool) -> Tally:
    """What ranging in needs, with every modifier that can apply (15.18)."""
    lines = ("commander_observes",) if commander else ()
    return needed(training, concealed=concealed, down=down, long=long, lines=lines, what="To range in")


def fails(tally: Tally) -> bool:
    """Whether no die can hit (6.16)."""
    return tally.total >= charts().number("to_hit_limits", "fails_at")


def saves_again(tally: Tally) -> bool:
    """Whether the target throws Saves again that succeed (6.17)."""
    return tally.total <= charts().number("to_hit_limits", "saves_again_at")


@cache
def faces(number: int) -> Faces:
    """Which faces of a die hit: the number and more, and never a 1 (6.7, 6.17).

    >>> faces(4), faces(0)
    ((0, 0, 0, 1, 1, 1), (0, 1, 1, 1, 1, 1))
    """
    return tuple(int(face >= max(number, 2)) for face in range(1, 7))
