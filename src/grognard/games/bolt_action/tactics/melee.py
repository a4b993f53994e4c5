"""How close quarters go (21.7 to 21.9): the dice of both sides followed round after round."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple


class Fight(NamedTuple):
    """How an assault goes: the chances that the attacker and the defender are gone, and the attacker's losses."""

    lost: float
    won: float
    losses: float


@lru_cache(maxsize=512)
def _binomial(number: int, chance: float) -> tuple[float, ...]:
    return tuple(math.comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1))


@lru_cache(maxsize=8192)
def fight(
    ours: int,
    our_attacks: float,
    our_chance: float,
    theirs: int,
    their_attacks: float,
    their_chance: float,
    together: bool,
) -> Fight:
    """A fight to the end: attacks are for each man; the loser of a round is destroyed (21.7 to 21.9)."""
    if ours <= 0 or theirs <= 0:
        return Fight(float(ours <= 0), float(theirs <= 0 < ours), 0.0)
    lost = won = losses = drawn = 0.0
    again: dict[tuple[int, int], float] = {}
    struck = _binomial(round(ours * our_attacks), our_chance)
    for hits, chance in enumerate(struck):
        fallen = min(hits, theirs)
        left = theirs if together else theirs - fallen
        back = _binomial(round(left * their_attacks), their_chance)
        for hits_back, chance_back in enumerate(back):
            both = chance * chance_back
            if both < 1e-6:
                continue
            ours_fallen = min(hits_back, ours)
            losses += both * ours_fallen
            if fallen >= theirs or ours_fallen < fallen:
                won += both
                lost += both * (ours_fallen >= ours)
            elif ours_fallen > fallen or ours_fallen >= ours:
                lost += both
            else:
                drawn += both
                pair = (ours - ours_fallen, theirs - fallen)
                again[pair] = again.get(pair, 0.0) + both
    for (ours_left, theirs_left), chance in again.items():
        if (ours_left, theirs_left) == (ours, theirs):
            continue  # as before: it comes to the same shares
        later = fight(ours_left, our_attacks, our_chance, theirs_left, their_attacks, their_chance, True)
        lost, won, losses = lost + chance * later.lost, won + chance * later.won, losses + chance * later.losses
        drawn -= chance
    rest = max(1 - drawn, 1e-6)
    return Fight(lost / rest, won / rest, losses)
