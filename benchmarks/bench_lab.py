"""The lab: games a second of players on a ten-unit battle, two processes against one, and playouts of the search.

Every rate stands beside random playouts of python-chess in the same run. Workers are warm when they are measured: what
it takes to start them and to load a scenario is left out, and so is the end of a run, where some have nothing to do.
"""

from __future__ import annotations

import time
from itertools import islice

from benchmarks.bench_playouts import SCENARIO, chess_playouts
from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.lab.game_run import opened, play_job
from grognard.lab.pool import play_on_cores
from grognard.lab.series import Series, make_series
from grognard.players.greedy import GreedyPlayer
from grognard.players.search import SearchPlayer
from grognard.players.seats import make_ready, pick

#: Seconds of each measurement, and how many there are of the ratio.
SECONDS, ROUNDS = 6.0, 2
#: More games than are ever played: a measurement ends by the clock.
PLENTY = 100_000
#: How many decisions of a battle go by between two at which the search is measured.
STRIDE = 25


def series_of(player: str) -> Series:
    """A series of the ten-unit battle."""
    return make_series([SCENARIO], games=PLENTY, players=(player, player), seed="bench")


def pool_rate(series: Series, jobs: int, seconds: float) -> float:
    """Games a second of so many warm workers."""
    playing = play_on_cores(series, range(series.size), jobs)
    for _ in islice(playing, 3 * jobs):  # every worker has loaded the scenario and filled its caches
        pass
    games, start = 0, time.perf_counter()
    for _ in playing:
        games += 1
        if time.perf_counter() - start >= seconds:
            break
    took = time.perf_counter() - start
    playing.close()
    return games / took


def core_rate(player: str, seconds: float) -> tuple[float, float]:
    """Games and answers a second of work of one core."""
    series = series_of(player)
    play_job(series, series.job(0))
    games = answers = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        games += 1
        answers += play_job(series, series.job(games)).answers
    took = time.process_time() - start
    return games / took, answers / took


def search_rate(seconds: float) -> tuple[float, float]:
    """Playouts and nodes (answers in thought) a second of the search, at decisions of a battle of greedy players."""
    game, scenario = opened(series_of("greedy").fields[0])
    session = Session(game, scenario, seed=b"bench search")
    greedy, search = GreedyPlayer("bench"), SearchPlayer("bench")
    make_ready(session, [greedy])
    looked, nodes, spent, number = 0, 0, 0.0, 0
    while session.ask is not None and spent < seconds:
        number += 1
        if number % STRIDE == 0 and len(session.ask.options) > 1:
            start = time.process_time()
            search.choose_from(session.probe(), Clock.now() + 1.0)
            spent += time.process_time() - start
            looked += search.thought.looked if search.thought else 0
            nodes += search.answers
        session.answer(pick(greedy, session, 1.0))
    return looked / max(spent, 1e-9), nodes / max(spent, 1e-9)


def run() -> list[tuple[str, str]]:
    """Measure one and two processes in turn, then the players on one core."""
    series = series_of("random")
    one = two = 0.0
    for _ in range(ROUNDS):
        one = max(one, pool_rate(series, 1, SECONDS))
        two = max(two, pool_rate(series, 2, SECONDS))
    theirs = chess_playouts(SECONDS / 2)
    random_games, random_answers = core_rate("random", SECONDS)
    greedy_games, greedy_answers = core_rate("greedy", SECONDS)
    playouts, nodes = search_rate(SECONDS)
    return [
        (f"simulate {SCENARIO}, one warm process", f"{one:.2f} games/s"),
        ("two warm processes", f"{two:.2f} games/s"),
        ("ratio (at least 1.8 on an idle machine with two cores)", f"{two / one:.2f}"),
        ("python-chess, random playouts", f"{theirs:,.0f} moves/s"),
        ("random games on one core, with all rows", f"{random_games:.2f} games/s, {random_answers:,.0f} answers/s"),
        ("answers to python-chess's moves", f"{random_answers / theirs:.1%}"),
        ("greedy games on one core", f"{greedy_games:.2f} games/s, {greedy_answers:,.0f} answers/s"),
        ("answers to python-chess's moves", f"{greedy_answers / theirs:.1%}"),
        ("search on one core", f"{nodes:,.0f} nodes/s in {playouts:,.0f} playouts/s"),
        ("nodes to python-chess's moves", f"{nodes / theirs:.1%}"),
    ]
