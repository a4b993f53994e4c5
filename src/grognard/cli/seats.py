"""Who sits where: the players of the sides of a battle, people and programs."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

from grognard.cli.words import unknown
from grognard.core.ask import Ask
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.view import View

HUMAN = "human"


class Player(Protocol):
    """A program that answers questions. One that does not want to see the view says ``looks = False``."""

    def choose(self, view: View | None, ask: Ask) -> str:
        """The key of an option."""


Seats = Mapping[str, Player | None]


def player_names() -> list[str]:
    """Who can play: people, and each module of the players' package."""
    package = import_module("grognard.players")
    return [HUMAN, *sorted(module.name for module in pkgutil.iter_modules(package.__path__))]


def make_player(name: str, seed: str) -> Player | None:
    """A player by name; None is a person."""
    if name not in player_names():
        raise unknown("player", name, player_names())
    if name == HUMAN:
        return None
    made: Any = getattr(import_module(f"grognard.players.{name}"), f"{name.title().replace('_', '')}Player")
    player: Player = made(seed)
    return player


def read_seats(text: str, sides: Sequence[str], seed: str) -> Seats:
    """The players of each side, in the order of the sides or as ``side=player``; by default a person comes first."""
    names = dict.fromkeys(sides, "random")
    names[sides[0]] = HUMAN
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    if words and all("=" in word for word in words):
        for word in words:
            side, _, name = word.partition("=")
            if side.strip() not in names:
                raise unknown("side", side.strip(), sides)
            names[side.strip()] = name.strip()
    elif words:
        if len(words) != len(sides):
            raise GrognardError(f"--sides: {len(words)} players for {', '.join(sides)}; write --sides {HUMAN},random")
        names = dict(zip(sides, words))
    return {side: make_player(name, f"{seed} {side}") for side, name in names.items()}


def let_play(session: Session, seats: Seats) -> None:
    """Let a program answer the question that stands."""
    ask = session.ask
    assert ask is not None
    player = seats[ask.side]
    assert player is not None
    view = session.view(ask.side) if getattr(player, "looks", True) else None
    session.answer(player.choose(view, ask))
