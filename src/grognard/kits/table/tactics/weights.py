"""How a battle stands: signs that tell who will win, weighed as whole games have shown.

Every sign is counted for one side and against the other, so that both add up to nothing. What a sign is worth hangs on
the turns that are left: points in hand decide at the end, strength at the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Weight(NamedTuple):
    """What a sign is worth as long as the battle lasts, how much more the nearer its end is, and at the very last."""

    always: float = 0.0
    late: float = 0.0
    last: float = 0.0


def lateness(left: float) -> float:
    """How near the end is with so many turns left: above 3 at the very last, 0.15 with six turns to come."""
    return 1.0 / (0.3 + left)


def told(weights: Iterable[Weight], signs: Iterable[float], left: float) -> float:
    """What signs tell of a battle with so many turns left, from -1 to 1."""
    late = lateness(left)
    found = sum((w.always + (w.late + w.last * late) * late) * sign for w, sign in zip(weights, signs))
    return math.tanh(found / 2)
