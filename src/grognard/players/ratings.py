"""How strong players are, from the games they played against each other: Elo by maximum likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np

#: Ratings in which 400 points mean ten wins to one.
SCALE = 400.0 / log(10.0)
#: Every pair that has met is taken to have drawn so many games besides: else who wins always has no end to its rating.
PRIOR = 1.0
#: The number of standard deviations of a 95 % interval.
WIDE = 1.96
STEPS = 100


class Rating(NamedTuple):
    """A player's Elo, and by how much it may be off with 95 % confidence; the mean of all players is 0."""

    player: str
    elo: float
    margin: float


class Record(NamedTuple):
    """What one player did against another."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games it is."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """Wins, and draws as halves."""
        return self.wins + 0.5 * self.draws

    def __add__(self, other: object) -> Record:
        assert isinstance(other, Record)
        return Record(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)

    @property
    def turned(self) -> Record:
        """The same from the other's seat."""
        return Record(self.losses, self.wins, self.draws)

    @property
    def of_decided(self) -> float | None:
        """The part of the games with a winner that was won."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None


def wilson(wins: float, games: float, wide: float = WIDE) -> tuple[float, float]:
    """The interval in which a rate may well lie, after Wilson.

    >>> [round(end, 3) for end in wilson(95, 100)]
    [0.888, 0.978]
    """
    if not games:
        return 0.0, 1.0
    rate, square = wins / games, wide * wide
    middle = (rate + square / (2 * games)) / (1 + square / games)
    half = wide / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def rate(players: Sequence[str], records: Mapping[tuple[str, str], Record]) -> list[Rating]:
    """The ratings of players from the records of their pairs, the strongest first.

    Bradley and Terry's model with draws as halves, by Newton's method; the intervals are from the curvature at the
    maximum.

    >>> [(each.player, round(each.elo)) for each in rate(["a", "b"], {("a", "b"): Record(75, 25)})]
    [('a', 94), ('b', -94)]
    """
    index = {player: number for number, player in enumerate(players)}
    size = len(players)
    pairs = [
        (index[one], index[other], record.points + PRIOR / 2, record.games + PRIOR)
        for (one, other), record in records.items()
        if record.games
    ]
    strength = np.zeros(size)
    information = np.zeros((size, size))
    for _ in range(STEPS):
        slope, information = np.zeros(size), np.zeros((size, size))
        for a, b, points, games in pairs:
            chance = 1.0 / (1.0 + np.exp(strength[b] - strength[a]))
            slope[a] += points - games * chance
            slope[b] -= points - games * chance
            weight = games * chance * (1.0 - chance)
            information[[a, b], [a, b]] += weight
            information[[a, b], [b, a]] -= weight
        step = np.linalg.pinv(information) @ slope
        strength += np.clip(step, -2.0, 2.0)
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
    strength -= strength.mean() if size else 0.0
    deviations = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0))
    found = [
        Rating(player, float(SCALE * strength[number]), float(WIDE * SCALE * deviations[number]))
        for player, number in index.items()
    ]
    return sorted(found, key=lambda each: -each.elo)
