"""PettingZoo's own tests, on a battle on hexes and on one on a table."""

from __future__ import annotations

import time
from typing import Any

import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from grognard import env

SCENARIOS = ("ost/training_ground", "bolt_action/first_steps")
each_scenario = pytest.mark.parametrize("scenario", SCENARIOS)

pytestmark = [
    # A dictionary with a mask and sides for names are what its own board games have too.
    pytest.mark.filterwarnings("ignore:.*(Observation is not a NumPy array|Observation space for each agent)"),
    pytest.mark.filterwarnings("ignore:.*We recommend agents to be named"),
]


@each_scenario
def test_api(scenario: str) -> None:
    api_test(env.env(scenario), num_cycles=60)


@each_scenario
def test_seeds(scenario: str) -> None:
    seed_test(lambda: env.env(scenario), num_cycles=60)


@each_scenario
def test_performance(scenario: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """It runs for five seconds of the clock; here for a hundred looks at it."""
    looks = iter(range(10**6))
    monkeypatch.setattr(time, "time", lambda: next(looks) / 20)
    performance_benchmark(env.env(scenario))
    assert "turns per second" in capsys.readouterr().out


def test_the_series_of_a_seed_goes_on() -> None:
    """Without a seed the games that follow differ from each other, and are the same for the same first seed."""

    def dice() -> list[bytes]:
        battle = env.raw_env(SCENARIOS[0], options=16)
        battle.reset(seed=5)
        seeds = [battle.session.dice.seed]
        battle.reset()
        return [*seeds, battle.session.dice.seed]

    assert dice() == dice()
    assert len(set(dice())) == 2
