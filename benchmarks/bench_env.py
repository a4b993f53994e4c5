"""Steps a second of the learning environments, with observations, against plain random playouts of the same battles."""

from __future__ import annotations

import random
import time

from benchmarks.bench_playouts import SCENARIO, TABLE, battle_playouts, find
from grognard.env import BattleEnv

SECONDS = 4.0


def steps(seconds: float, scenario: str, observe: bool, seed: int = 1) -> float:
    """Steps a second of games in which every agent chooses at random, looking at its observation or not.

    Answers that are forced are given without a step; they are counted, for a playout counts them too.
    """
    env = BattleEnv(scenario)
    rng = random.Random(seed)
    answers, games, start = 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        env.reset(seed=seed * 1000 + games)
        games += 1
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            env.last(observe)
            env.step(rng.randrange(len(env.options)))
        answers += len(env.session.answers)
    return answers / (time.process_time() - start)


def run() -> list[tuple[str, str]]:
    """Measure a battle on hexes and one on a table."""
    rows = []
    for name in (SCENARIO, TABLE):
        scenario = f"{find(name)[0].name}/{name}"
        battle_playouts(SECONDS, 77, name)  # warm the caches of sight and movement
        plain, _ = battle_playouts(SECONDS, 1, name)
        blind, seeing = (steps(SECONDS, scenario, observe) for observe in (False, True))
        rows += [
            (f"{name}, random playouts", f"{plain:,.0f} answers/s"),
            (f"{name}, environment without observations", f"{blind:,.0f} answers/s ({blind / plain:.0%})"),
            (f"{name}, environment with observations", f"{seeing:,.0f} answers/s ({seeing / plain:.0%})"),
        ]
    return rows
