"""Who sits where: the players of the sides of a battle, people and programs."""

from __future__ import annotations

import pkgutil
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Protocol, runtime_checkable

from grognard.core.ask import Ask
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.view import View
from grognard.core.words import unknown

HUMAN = "human"
#: How long a player that thinks may do so over one question, in seconds.
BUDGET = 1.0


class Player(Protocol):
    """A program that answers questions. One that does not want to see the view says ``looks = False``."""

    def choose(self, view: View | None, ask: Ask) -> str:
        """The key of an option."""


@runtime_checkable
class Thinker(Protocol):
    """A player that looks ahead: it gets a copy of the battle with what its side knows, and dice of its own."""

    thinks: bool

    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the probe's question, found before ``time.monotonic()`` comes to the deadline."""


@runtime_checkable
class Quick(Protocol):
    """A player that chooses from the options alone and in no time, so that nothing need be made ready for it."""

    quick: bool

    def choose(self, view: View | None, ask: Ask) -> str:
        """The key of an option; there is no view."""


Seats = Mapping[str, Player | Thinker | None]


class Level(NamedTuple):
    """An opponent that can be chosen, for people to read."""

    name: str
    title: str
    text: str


@cache
def _modules() -> tuple[str, ...]:
    package = import_module("grognard.players")
    return tuple(sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.name != "seats"))


def _class(name: str) -> Any:
    return getattr(import_module(f"grognard.players.{name}"), f"{name.title().replace('_', '')}Player")


def player_names() -> list[str]:
    """Who can play: people, and each module of the players' package but this one."""
    return [HUMAN, *_modules()]


def levels() -> list[Level]:
    """The programs that can be played against, the weakest first."""
    classes = sorted((_class(name) for name in _modules()), key=lambda each: int(each.rank))
    return [Level(each.name, each.title, each.text) for each in classes]


def make_player(name: str, seed: str) -> Player | Thinker | None:
    """A player by name; None is a person."""
    if name not in player_names():
        raise unknown("player", name, player_names())
    made: Player | Thinker | None = None if name == HUMAN else _class(name)(seed)
    return made


def name_seats(text: str, sides: Sequence[str], default: str = "random") -> dict[str, str]:
    """Who plays each side, in the order of the sides or as ``side=player``; if not told, a person comes first."""
    names = dict.fromkeys(sides, default)
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
    for name in names.values():
        if name not in player_names():
            raise unknown("player", name, player_names())
    return names


def read_seats(text: str, sides: Sequence[str], seed: str) -> Seats:
    """The players of each side, made from their names."""
    return {side: make_player(name, f"{seed} {side}") for side, name in name_seats(text, sides).items()}


def pick(player: Player | Thinker, session: Session, budget: float = BUDGET) -> str:
    """The answer of a program to the question that stands."""
    assert session.ask is not None
    if isinstance(player, Thinker):
        return player.choose_from(session.probe(), time.monotonic() + budget)
    view = session.view(session.ask.side) if getattr(player, "looks", True) else None
    return player.choose(view, session.ask)


def let_play(session: Session, seats: Seats) -> None:
    """Let a program answer the question that stands."""
    assert session.ask is not None
    player = seats[session.ask.side]
    assert player is not None
    session.answer(pick(player, session))
