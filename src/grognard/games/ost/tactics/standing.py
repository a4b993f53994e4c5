"""How a battle stands, at a glance: for the ends of thoughts.

The weights were found from battles that the tactics fought against themselves in every scenario of the house. A
state's figures (`features`) were fitted to what became of it later on: the mean, further and further discounted, of
how the same battle stood afterwards, up to its verdict and margin. What is held to be so beforehand (a point is a
point, whoever is shaken is worth less) counted as evidence too, since battles are few and dice are many. The weights
are the same for all scenarios; each was also tried with weights that were found without it.
"""

from __future__ import annotations

from math import tanh

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.tactics.features import NAMES, account, time_left
from grognard.games.ost.tactics.knowledge import Knowledge

#: What each figure counts at the opening of a battle, half way through, and at its end.
WEIGHTS = {
    "scored": (0.97, 0.95, 1.20),
    "losses": (0.80, 0.73, 0.96),
    "edge": (0.31, 0.72, 1.31),
    "owned": (0.29, 0.36, 0.70),
    "pull": (0.33, 0.33, 0.18),
    "force": (0.71, 0.61, 0.30),
    "shaken": (0.04, 0.06, 0.12),
    "broken": (0.06, 0.08, 0.20),
    "out": (1.0, 1.0, 1.0),
    "way": (0.22, 0.32, 0.38),
    "reserve": (0.73, 0.57, 0.02),
    "danger": (0.95, 0.50, 0.25),
    "menace": (0.08, 0.05, 0.05),
    "fresh": (0.02, 0.02, 0.01),
    "points": (0.22, 0.10, 0.10),
    "melee": (1.31, 2.00, 2.00),
    "assets": (0.60, 0.40, 0.0),
    "cards": (0.20, 0.50, 0.50),
}
#: Hundredths of a battle that make it nine tenths won, likewise: the less time is left, the more a lead decides.
SCALE = (55.0, 40.0, 30.0)

_ROWS = tuple(WEIGHTS[name] for name in NAMES)


def standing(know: Knowledge, battle: OstBattle, side: str) -> float:
    """Between -1 and 1: points scored and to come, hexes owned and within reach, and what is left to fight with."""
    state = battle.state
    if state.ending:
        return 0.0 if not state.winner else 1.0 if state.winner == side else -1.0
    left = time_left(know, battle)
    # The weights of two of the three moments count, by how near they are.
    late, share = (0, 2 - 2 * left) if left > 0.5 else (1, 1 - 2 * left)
    lead = 0.0
    for figure, row in zip(account(know, battle), _ROWS):
        if figure:
            lead += figure * (row[late] + share * (row[late + 1] - row[late]))
    scale = SCALE[late] + share * (SCALE[late + 1] - SCALE[late])
    found = tanh(lead / scale)
    return found if side == battle.sides[0] else -found
