"""Games of programs against each other: one game, and what is to be known of it afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any

import msgspec

from grognard.core.errors import GrognardError
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.players.gc_pause import settle
from grognard.players.ratings import Record
from grognard.players.seats import HUMAN, budget_of, make_player, make_ready, pick

#: A game that takes more answers than this is given up as a draw: it would never end.
ENDLESS = 20_000


class Match(msgspec.Struct, frozen=True):
    """A game to be played: the scenario, who plays each side in its order, the seed of the dice, and the time.

    ``seconds`` is how long a player may think about an answer; None leaves each its own time.
    """

    scenario: str
    players: tuple[str, ...]
    seed: str
    seconds: float | None = None


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played.

    ``winner`` is a side and ``won_by`` who played it, both empty for a draw. ``over`` is by how many seconds the
    slowest answer of each side came past its time (0 if none did), ``thought`` the seconds that each side thought.
    """

    scenario: str
    players: dict[str, str]
    seed: str
    winner: str
    won_by: str
    reason: str
    turn: int
    answers: int
    over: dict[str, float]
    slowest: dict[str, float]
    thought: dict[str, float]


def play_match(game: Game, scenario: Any, match: Match) -> Played:
    """Play a game to its end."""
    sides: Sequence[str] = scenario.sides
    if len(match.players) != len(sides):
        raise GrognardError(f"{match.scenario} has {len(sides)} sides; choose a player for each of them")
    names = dict(zip(sides, match.players))
    players = {side: make_player(name, f"{match.seed} {side}") for side, name in names.items()}
    budgets = {side: _budget(name, match.seconds) for side, name in names.items()}
    session = Session(game, scenario, seed=match.seed.encode()[:64])
    make_ready(session, players.values())
    settle()
    over, slowest, thought = dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0.0), dict.fromkeys(sides, 0.0)
    while session.ask is not None and len(session.answers) < ENDLESS:
        side = session.ask.side
        player = players[side]
        if player is None:
            raise GrognardError(f"{HUMAN!r} is a person; only programs play matches")
        begun = Clock.now()
        key = pick(player, session, budgets[side])
        spent = Clock.now() - begun
        thought[side] += spent
        slowest[side] = max(slowest[side], spent)
        over[side] = max(over[side], spent - budgets[side])
        session.answer(key)
    result = session.result
    winner = result.winner if result else ""
    return Played(
        scenario=match.scenario,
        players=names,
        seed=match.seed,
        winner=winner,
        won_by=names.get(winner, ""),
        reason=result.reason if result else f"not over after {ENDLESS} answers",
        turn=game.turn_of(session.battle)[0],
        answers=len(session.answers),
        over={side: round(value, 3) for side, value in over.items()},
        slowest={side: round(value, 3) for side, value in slowest.items()},
        thought={side: round(value, 3) for side, value in thought.items()},
    )


def _budget(name: str, seconds: float | None) -> float:
    """How long a player may think: who counts playouts has all the time."""
    own = budget_of(name)
    return own if seconds is None or own == inf else seconds


def pairings(
    players: Sequence[str], scenarios: Sequence[str], games: int, seed: str, seconds: float | None = None
) -> Iterator[Match]:
    """Every pair of players in every scenario: so many games each, with the sides swapped after every game.

    Two games with swapped sides have the same dice, and so have the games of all pairs. The scenarios come in turn,
    so that what is done when somebody stops is spread over all.
    """
    for number in range(games):
        for scenario in scenarios:
            for pair in combinations(players, 2):
                seats = pair if number % 2 == 0 else pair[::-1]
                yield Match(scenario, seats, f"{seed} {scenario} {number // 2}", seconds)


def records(played: Sequence[Played]) -> dict[tuple[str, str], Record]:
    """What each player did against each other, both ways round."""
    found: dict[tuple[str, str], Record] = {}
    for each in played:
        one, other = each.players.values()
        if one == other:
            continue
        record = Record(each.won_by == one, each.won_by == other, not each.won_by)
        found[one, other] = found.get((one, other), Record()) + record
        found[other, one] = found.get((other, one), Record()) + record.turned
    return found


def half(found: Mapping[tuple[str, str], Record]) -> dict[tuple[str, str], Record]:
    """Of records both ways round, each pair once."""
    kept: dict[tuple[str, str], Record] = {}
    for (one, other), record in found.items():
        if (other, one) not in kept:
            kept[one, other] = record
    return kept
