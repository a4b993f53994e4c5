"""Random playouts of a ten-unit-a-side battle against python-chess: list the options, choose, answer.

A battle on a table, of about 750 points a side, is held against the one on hexes in the same run.

Rates hang on the machine and on what else it does; function calls an answer do not, so they tell whether a change
helped: `steppe` took 570 before what units were offered was remembered, and 462 after; `bridge` 1,417 and 1,376.

Where the time of `steppe` goes, by a profile: listing an Impulse 34 %, half of it who has a shot; a Move with its steps
and whom it lets fire 26 %; carrying out fire 9 %; lines of sight never followed before 7 %; targets of strikes 5 %;
the session 4 %. On a table a quarter is looking from unit to unit, and no function has a tenth of the whole.
"""

from __future__ import annotations

import cProfile
import pstats
import random
import time
from typing import Any

import chess

from grognard.core import registry
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.session import Session

SCENARIO = "steppe"
TABLE = "bridge"
SECONDS = 6.0
#: So many games are played for counting calls.
COUNTED = 6


def find(name: str) -> tuple[Game, Any]:
    """The game that has a scenario of a name, and the scenario."""
    game = next(game for game in registry.games() if name in game.scenario_files())
    return game, game.load_scenario(Document.read(game.scenario_files()[name]))


def chess_playouts(seconds: float, seed: int = 1) -> float:
    """Moves a second of random chess: generate the legal moves, choose one, push it."""
    rng = random.Random(seed)
    moves, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        board = chess.Board()
        while legal := list(board.legal_moves):
            board.push(rng.choice(legal))
            moves += 1
            if board.halfmove_clock >= 100:  # two lonely kings would wander for ever
                break
    return moves / (time.process_time() - start)


def play_one(game: Game, scenario: Any, number: int, rng: random.Random) -> int:
    """Play a random battle, snapshots off; how many answers it took."""
    session = Session(game, scenario, seed=f"bench {number}".encode(), snapshots=False)
    answers = 0
    while session.ask is not None:
        session.answer(rng.choice(session.ask.options).key, trusted=True)
        answers += 1
    return answers


def battle_playouts(seconds: float, seed: int = 1, name: str = SCENARIO) -> tuple[float, float]:
    """Answers a second of random battles; and answers a game."""
    game, scenario = find(name)
    rng = random.Random(seed)
    answers, games, start = 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        answers += play_one(game, scenario, games, rng)
        games += 1
    return answers / (time.process_time() - start), answers / games


def calls_an_answer(name: str) -> float:
    """Function calls an answer in a few random battles: the same on every machine, once the caches are warm."""
    game, scenario = find(name)
    rng, profile = random.Random(1), cProfile.Profile()
    answers = sum(profile.runcall(play_one, game, scenario, number, rng) for number in range(COUNTED))
    counted: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    return counted / answers


def run() -> list[tuple[str, str]]:
    """Measure both in turn, twice, and compare."""
    battle_playouts(2 * SECONDS, 77)  # warm the caches of sight and movement, as a long run does
    battle_playouts(SECONDS, 77, TABLE)
    theirs = ours = length = tables = answers = 0.0
    for round_ in range(2):
        theirs = max(theirs, chess_playouts(SECONDS / 2, round_))
        rate, length = battle_playouts(SECONDS, round_)
        ours = max(ours, rate)
        rate, answers = battle_playouts(SECONDS, round_, TABLE)
        tables = max(tables, rate)
    return [
        ("python-chess, random playouts", f"{theirs:,.0f} moves/s"),
        (f"{SCENARIO}, random playouts ({length:.0f} answers a game)", f"{ours:,.0f} answers/s"),
        ("ratio (at least 20 %, aim 40 %)", f"{ours / theirs:.1%}"),
        (f"{TABLE}, on a table ({answers:.0f} answers a game)", f"{tables:,.0f} answers/s"),
        ("ratio to the battle on hexes (at least 10 %)", f"{tables / ours:.1%}"),
        (f"{SCENARIO}, function calls an answer", f"{calls_an_answer(SCENARIO):,.0f}"),
        (f"{TABLE}, function calls an answer", f"{calls_an_answer(TABLE):,.0f}"),
    ]
