"""Teach a player a battle: one line of weights a side, nothing but numpy, a minute or so on one core.

    python docs/examples/train.py --games 240

The player scores every option by its row of the observation, and chooses one by how good they look (a softmax).
After every few games the answers of the games that went better than usual are made likelier (REINFORCE). It learns
each side against an opponent that plays at random, and is then measured beside one that plays at random itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.env import BattleEnv, Layout
from grognard.lab.statistics import Share, wilson

SCENARIO = "ost/training_ground"
#: More than the options that a question of this battle has: small observations are quick ones.
OPTIONS = 32
#: Games between two steps of learning, and the length of such a step.
BATCH, STEP = 8, 0.1
#: How much of what comes one answer later is put down to an answer.
CREDIT = 0.9
#: How much of the earlier steps goes on in a step, in direction and in size (Adam's figures).
COURSE, SIZE = 0.9, 0.99
#: What counts differently for each kind of action: each verb has a weight of its own for these.
BY_VERB = ("unit worth", "target worth", "to objective", "nearer objective", "on objective", "to enemy", "range")

Floats = NDArray[np.float64]


class Learnt(NamedTuple):
    """What was learnt of a side: a weight for every feature of an option."""

    side: str
    weights: Floats


class Choice(NamedTuple):
    """An answer that was given: what was offered, how likely each option was, which it was, and what it brought."""

    features: Floats
    chances: Floats
    action: int
    reward: float


class Reader:
    """Reads the options of an observation as features: their rows, and what counts by verb."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        first = layout.column("options", f"verb {next(iter(layout.verbs))}")
        self.verbs = slice(first, first + len(layout.verbs))
        self.counts = [layout.column("options", name) for name in BY_VERB]
        self.size = layout.shapes["options"][1] + len(layout.verbs) * len(self.counts)

    def features(self, seen: dict[str, NDArray[np.float32]]) -> Floats:
        """A row of features for every option."""
        rows = self.layout.split(seen["observation"]).options[: int(seen["action_mask"].sum())].astype(float)
        each = rows[:, self.verbs, None] * rows[:, None, self.counts]
        return np.hstack([rows, each.reshape(len(rows), -1)])


def chances(features: Floats, weights: Floats) -> Floats:
    """How likely each option is chosen."""
    scores = features @ weights
    weighed = np.exp(scores - scores.max())
    shares: Floats = weighed / weighed.sum()
    return shares


def play(env: BattleEnv, reader: Reader, weights: Floats, rng: np.random.Generator, seed: int) -> Iterator[Choice]:
    """Play a game, and tell every answer with the reward that it brought."""
    env.reset(seed=seed)
    agent = env.agent_selection
    while not (env.terminations[agent] or env.truncations[agent]):
        features = reader.features(env.observe(agent))
        likely = chances(features, weights)
        action = int(rng.choice(len(likely), p=likely))
        env.step(action)
        yield Choice(features, likely, action, env.rewards[agent])


def battle(side: str, shaping: str = "") -> BattleEnv:
    """The battle for one side, against an opponent at random."""
    enemy = {"american": "german", "german": "american"}[side]
    return BattleEnv(SCENARIO, opponents={enemy: "random"}, shaping=shaping, options=OPTIONS)


def train(side: str, games: int, seed: int = 1) -> Learnt:
    """Learn a side in so many games. While it learns, every answer is rewarded by how the battle stands after it."""
    env = battle(side, "standing")
    reader, rng = Reader(env.layout), np.random.default_rng(seed)
    weights, course, size = np.zeros((3, reader.size))
    for step in range(1, games // BATCH + 1):
        played: list[Choice] = []
        gains: list[float] = []
        for game in range((step - 1) * BATCH, step * BATCH):
            answers = list(play(env, reader, weights, rng, seed * 1_000_000 + game))
            played += answers
            gains += credited([choice.reward for choice in answers])
        better = (np.array(gains) - np.mean(gains)) / (np.std(gains) + 1e-6)
        likelier = [choice.features[choice.action] - choice.chances @ choice.features for choice in played]
        slope = better @ np.array(likelier) / len(played)
        course = COURSE * course + (1 - COURSE) * slope
        size = SIZE * size + (1 - SIZE) * slope**2
        weights = weights + STEP * (course / (1 - COURSE**step)) / (np.sqrt(size / (1 - SIZE**step)) + 1e-3)
    return Learnt(side, weights)


def credited(rewards: list[float]) -> list[float]:
    """What each answer of a game brought: its own reward, and what came of it later."""
    gains, later = [], 0.0
    for reward in reversed(rewards):
        later = reward + CREDIT * later
        gains.append(later)
    return gains[::-1]


def measure(side: str, weights: Floats | None, games: int, seed: int = 2) -> Share:
    """How often a side wins against an opponent at random, with learnt weights or, without any, at random."""
    env = battle(side)
    reader, rng = Reader(env.layout), np.random.default_rng(seed)
    used = np.zeros(reader.size) if weights is None else weights
    won = 0.0
    for game in range(games):
        *_, last = play(env, reader, used, rng, seed * 1_000_000 + game)
        won += (1 + last.reward) / 2
    return wilson(won, games)


def main() -> None:
    """Train both sides and tell how well they do."""
    asked = argparse.ArgumentParser(description="Teach a player a battle.")
    asked.add_argument("--games", type=int, default=240, help="games to learn from, for each side")
    asked.add_argument("--tests", type=int, default=100, help="games to be measured by, for each side")
    asked.add_argument("--seed", type=int, default=1)
    choices = asked.parse_args()
    for side in ("american", "german"):
        learnt = train(side, choices.games, choices.seed)
        before = measure(side, None, choices.tests, choices.seed + 1)
        after = measure(side, learnt.weights, choices.tests, choices.seed + 1)
        print(f"{side}: wins {before.say()} at random, {after.say()} after {choices.games} games")


if __name__ == "__main__":
    main()
