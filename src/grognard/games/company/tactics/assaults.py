"""What an assault comes to on average: whether it is halted, and who falls in the exchanges after (13)."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

from grognard.games.company.charts import charts
from grognard.games.company.tactics.volleys import passes
from grognard.games.company.to_hit import faces

#: So many exchanges are followed.
EXCHANGES = 4
#: Of the Teams that go in so many find an enemy within reach of them at once.
IN_REACH = 0.75


class Outcome(NamedTuple):
    """What an assault brings on average: the chance that it lands, and the Teams lost on both sides."""

    lands: float
    lost: float  # by whoever assaults
    felled: float  # of the enemy


def chance(number: int) -> float:
    """The chance of a die to reach a number (6.16, 6.17)."""
    return 0.0 if number >= charts().number("to_hit_limits", "fails_at") else sum(faces(number)) / 6


def halted(dice: tuple[tuple[int, int], ...]) -> float:
    """The chance that defensive fire halts an assault; the dice by the number that each must show (13.5)."""
    need = charts().number("assault", "hits_to_halt")
    chances = [1.0] + [0.0] * need
    for number, count in dice:
        hit = chance(number)
        spread = [comb(count, k) * hit**k * (1 - hit) ** (count - k) for k in range(count + 1)]
        after = [0.0] * (need + 1)
        for before, so_far in enumerate(chances):
            for more, part in enumerate(spread):
                after[min(before + more, need)] += so_far * part
        chances = after
    return chances[need]


@lru_cache(maxsize=4096)
def outcome(
    storm: int, check: int, falls: float, dice: tuple[tuple[int, int], ...], held: int, held_check: int, stands: bool
) -> Outcome:
    """An assault of so many Teams on a Unit of so many: by the checks of both, the defender's dice, and the chance that
    a Team which is hit falls. Gun Teams of the defender cannot get away (``stands``)."""
    hits = sum(count * chance(number) for number, count in dice)
    stop = halted(dice)
    shot = min(hits * falls, float(storm))
    ours, theirs = storm - shot, float(held)
    win, hold = passes(check), passes(held_check)
    felled = lost = 0.0
    on = 1.0  # the chance that it is still going on
    for exchange in range(EXCHANGES):
        blow = min(IN_REACH * ours * win, theirs) if exchange % 2 == 0 else min(IN_REACH * theirs * hold, ours)
        if exchange % 2 == 0:
            felled, theirs = felled + on * blow, theirs - blow
            # Whoever breaks off gets clear of half of those who are after him, but leaves his guns.
            broken = on * (1 - hold)
            felled += broken * theirs * (0.8 if stands else 0.4)
            on *= hold
        else:
            lost, ours = lost + on * blow, ours - blow
            on *= win
    return Outcome(1 - stop, shot + (1 - stop) * lost, (1 - stop) * min(felled, float(held)))
