"""Who sits where: the players of the sides of a battle, people and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import NamedTuple, Protocol, runtime_checkable

from grognard.core.ask import Ask
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.tactics import Clock, tactics_of
from grognard.core.view import View
from grognard.core.words import unknown
from grognard.players.gc_pause import gc_paused
from grognard.players.greedy import GreedyPlayer
from grognard.players.random import RandomPlayer
from grognard.players.search import SearchPlayer
from grognard.players.thought import SEES, Thought

HUMAN = "human"
#: How long a player that thinks may do so over one question, in seconds.
BUDGET = 1.0
#: Who plays where nobody says who.
DEFAULT = "normal"
#: How far below the best the easy level goes, in hundredths of a battle: see GreedyPlayer.
EASY_SLACK = 3.0


class Player(Protocol):
    """A program that answers questions. One that does not want to see the view says ``looks = False``."""

    def choose(self, view: View | None, ask: Ask) -> str:
        """The key of an option."""


@runtime_checkable
class Thinker(Protocol):
    """A player that looks ahead: it gets a copy of the battle with what its side knows, and dice of its own."""

    thinks: bool

    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the probe's question, found before ``Clock.now()`` comes to the deadline."""


@runtime_checkable
class Planner(Protocol):
    """A player whose answers may be the first step of a plan, which another one can go on with."""

    def recall(self, thought: Thought) -> None:
        """Be told what was thought about the last answer."""


@runtime_checkable
class Quick(Protocol):
    """A player that chooses from the options alone and in no time, so that nothing need be made ready for it."""

    quick: bool

    def choose(self, view: View | None, ask: Ask) -> str:
        """The key of an option; there is no view."""


Seats = Mapping[str, Player | Thinker | None]


class Level(NamedTuple):
    """An opponent that can be chosen, for people to read: how long it thinks about an answer, and what it sees."""

    name: str
    title: str
    text: str
    budget: float
    sees: str


#: How each player is made. ``random`` is the least; the levels are what people choose from, the weakest first.
_MAKERS: Mapping[str, Callable[[str], Player | Thinker]] = {
    "random": RandomPlayer,
    "easy": lambda seed: GreedyPlayer(seed, name="easy", slack=EASY_SLACK),
    "normal": lambda seed: GreedyPlayer(seed, name="normal"),
    "hard": lambda seed: SearchPlayer(seed, name="hard"),
    "greedy": GreedyPlayer,
    "search": SearchPlayer,
}

#: Who can be told to count playouts instead of seconds, and up to how many.
_COUNTING, MOST_PLAYOUTS = ("search", "hard"), 1_000_000

_LEVELS = (
    Level("random", "Recruit", "Plays any legal move, without a plan. Good for trying things out.", 0.1, SEES),
    Level(
        "easy",
        "Easy",
        "Knows what matters and plays the odds, but often picks a lesser option. A fair match for a newcomer.",
        0.5,
        SEES,
    ),
    Level(
        "normal",
        "Normal",
        "Plays the odds, the ground and the objectives, and considers what you can do in return.",
        1.0,
        SEES,
    ),
    Level(
        "hard",
        "Hard",
        "Plays like Normal, but plays out its best ideas against your likely replies before it chooses.",
        1.0,
        SEES,
    ),
)


def player_names() -> list[str]:
    """Who can play: people, the levels, and the plain players behind them."""
    return [HUMAN, *_MAKERS]


def levels() -> list[Level]:
    """The programs that can be played against, the weakest first."""
    return list(_LEVELS)


def level_of(name: str) -> Level | None:
    """The level of a name, if it is one."""
    return next((level for level in _LEVELS if level.name == name), None)


def budget_of(name: str) -> float:
    """How long a player of a name thinks about an answer, in seconds, where nobody says otherwise."""
    if _counted(name)[1] is not None:
        return inf
    level = level_of(name)
    return BUDGET if level is None else level.budget


def _counted(name: str) -> tuple[str, int | None]:
    """A name and the count that stands behind it, as in ``search@300``; only who searches can count."""
    plain, at, count = name.partition("@")
    good = plain in _COUNTING and count.isascii() and count.isdigit() and 0 < int(count) <= MOST_PLAYOUTS
    return (plain, int(count)) if at and good else (name, None)


def is_player(name: str) -> bool:
    """Whether somebody can play by this name: a person, a level, a plain player, or a search with its playouts
    counted, such as ``search@300``, which looks at no clock and plays the same on every machine."""
    return _counted(name)[0] in player_names()


def make_player(name: str, seed: str) -> Player | Thinker | None:
    """A player by name; None is a person."""
    if not is_player(name):
        raise unknown("player", name, player_names())
    plain, count = _counted(name)
    if count is not None:
        return SearchPlayer(seed, name=name, playouts=count)
    return None if plain == HUMAN else _MAKERS[plain](seed)


def name_seats(text: str, sides: Sequence[str], default: str = DEFAULT) -> dict[str, str]:
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
        if not is_player(name):
            raise unknown("player", name, player_names())
    return names


def read_seats(text: str, sides: Sequence[str], seed: str) -> Seats:
    """The players of each side, made from their names."""
    return {side: make_player(name, f"{seed} {side}") for side, name in name_seats(text, sides).items()}


def pick(player: Player | Thinker, session: Session, budget: float | None = None) -> str:
    """The answer of a program to the question that stands, found within so many seconds, or within its own."""
    assert session.ask is not None
    if isinstance(player, Thinker):
        if budget is None:
            budget = budget_of(getattr(player, "name", ""))
        end = Clock.now() + budget
        with gc_paused():
            return player.choose_from(session.probe(), end)
    view = session.view(session.ask.side) if getattr(player, "looks", True) else None
    return player.choose(view, session.ask)


def make_ready(session: Session, players: Iterable[Player | Thinker | None]) -> None:
    """Let players that think find out about a scenario what takes long, before they are asked anything."""
    if any(isinstance(player, Thinker) for player in players):
        tactics_of(session.game, session.scenario).prepare()


def let_play(session: Session, seats: Seats) -> None:
    """Let a program answer the question that stands."""
    assert session.ask is not None
    player = seats[session.ask.side]
    assert player is not None
    session.answer(pick(player, session))
