"""Every game with every scenario that comes with it, and a battle of its generator where it has one."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import Any

import pytest

from grognard.core import registry
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.players.random import RandomPlayer

os.environ.setdefault("XDG_DATA_HOME", "/nonexistent")

#: More of everything: ``GROGNARD_LONG=10 pytest tests/conformance``.
LONG = int(os.environ.get("GROGNARD_LONG", "1"))
#: The most answers that a game may take: past this it is taken to go on for ever.
ENDLESS = 10_000


@cache
def battles() -> list[tuple[str, str]]:
    """Each game with each of its scenarios; "random" is one of its generator's."""
    found = []
    for game in registry.games():
        found += [(game.name, name) for name in game.scenario_files()]
        if find_spec(f"grognard.games.{game.name}.generator") is not None:
            found.append((game.name, "random"))
    return found


def load(game_name: str, scenario: str) -> tuple[Game, Any]:
    """A game and a scenario of it."""
    game = registry.game(game_name)
    return game, _scenario(game, scenario)


@cache
def _scenario(game: Game, scenario: str) -> Any:
    if scenario == "random":
        return game.random_battle(seed=1)
    return game.load_scenario(Document.read(game.scenario_files()[scenario]))


def start(game_name: str, scenario: str, seed: int = 0) -> Session:
    """A new session of a scenario."""
    game, loaded = load(game_name, scenario)
    return Session(game, loaded, seed=f"conformance {seed}".encode())


def play(session: Session, seed: int = 0, steps: int = ENDLESS) -> int:
    """Play on at random; how many answers were given."""
    player = RandomPlayer(seed)
    for count in range(steps):
        if session.ask is None:
            return count
        session.answer(player.choose(None, session.ask), trusted=True)
    assert steps < ENDLESS, f"not over after {steps} answers"
    return steps


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "battle" in metafunc.fixturenames:
        metafunc.parametrize("battle", battles(), ids=[f"{game}-{name}" for game, name in battles()])
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(LONG))
