"""Finds the games: one folder, one rule set."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from grognard.core.game import Game


@cache
def names() -> tuple[str, ...]:
    """The names of all games that are installed."""
    package = import_module("grognard.games")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg))


@cache
def game(name: str) -> Game:
    """The game of a name."""
    if name not in names():
        raise KeyError(f"no game called {name!r}; there are {', '.join(names())}")
    found: Game = import_module(f"grognard.games.{name}.game").GAME
    return found


def games() -> list[Game]:
    """All games."""
    return [game(name) for name in names()]
