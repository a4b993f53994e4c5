"""What a side must do to win, how that stands now and how long is left: each in a few words, for the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec


class GoalView(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a side must do to win, how it would end now, and how many turns are left, each as a sentence's part."""

    task: str
    stands: str = ""
    left: str = ""


def turns_left(turns: int) -> str:
    """How long is left, the turn in hand included.

    >>> turns_left(3), turns_left(1), turns_left(0)
    ('3 turns left', 'the last turn', 'a further turn')
    """
    if turns > 1:
        return f"{turns} turns left"
    return "the last turn" if turns == 1 else "a further turn"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row.

    >>> listed(["the mill", "the ford", "the inn"]), listed(["a squad", "a tank"], "or")
    ('the mill, the ford and the inn', 'a squad or a tank')
    """
    *first, end = [*words] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def worth(things: Mapping[str, int], deeds: Mapping[str, int]) -> str:
    """What gives points: things to hold, those of equal worth together and the dearest first, and then deeds.

    >>> worth({"the camp": 1, "the bridge": 3, "the mill": 1}, {"each enemy unit destroyed": 1})
    '3 for the bridge, 1 each for the camp and the mill, 1 for each enemy unit destroyed'
    """
    said: list[str] = []
    for number in sorted({*things.values()}, reverse=True):
        alike = [thing for thing, own in things.items() if own == number]
        said.append(f"{number}{' each' if len(alike) > 1 else ''} for {listed(alike)}")
    return ", ".join([*said, *(f"{number} for {deed}" for deed, number in deeds.items())])
