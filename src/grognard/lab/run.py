"""Playing a series: where its games are played, what is kept, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from grognard.lab.frames import Frames
from grognard.lab.journal import Journal
from grognard.lab.pool import cores, play_here, play_on_cores
from grognard.lab.record import GameRecord
from grognard.lab.series import LIMIT, Series, make_series

#: Told of every game as it ends.
Progress = Callable[[GameRecord], None]


def play_series(
    series: Series,
    *,
    jobs: int = 0,
    ray: str = "",
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> list[GameRecord]:
    """Play the games of a series that are not done yet; all its games by number.

    With a journal each game is kept as it ends, so that a run that is stopped loses none of them. ``jobs`` 0 is a
    process for every core; ``ray`` names a cluster.
    """
    done = {record.number: record for record in journal.records()} if journal else {}
    numbers = [number for number in range(series.size) if number not in done]
    for record in _played(series, numbers, jobs or cores(), ray):
        if record.number in done:
            continue
        done[record.number] = record
        if journal:
            journal.add(record)
        if progress:
            progress(record)
    return [done[number] for number in sorted(done)]


def _played(series: Series, numbers: Sequence[int], jobs: int, ray: str) -> Iterator[GameRecord]:
    if ray:
        from grognard.lab.ray_pool import play_on_ray  # an extra that need not be installed

        return play_on_ray(series, numbers, ray)
    if jobs == 1 or len(numbers) == 1:
        return play_here(series, numbers)
    return play_on_cores(series, numbers, jobs)


def simulate(
    scenarios: str | Iterable[str],
    *,
    games: int = 100,
    players: Sequence[str] = ("greedy", "greedy"),
    swap: bool = False,
    seed: str = "",
    seconds: float = 0.0,
    limit: int = LIMIT,
    jobs: int = 0,
    ray: str = "",
    out: str | Path | None = None,
    resume: bool = False,
) -> pl.DataFrame:
    """Play scenarios many times; a Polars frame with a row a game.

    With a folder ``out`` all tables are kept there, and a run that was stopped goes on with ``resume=True``.
    """
    words = [scenarios] if isinstance(scenarios, str) else list(scenarios)
    series = make_series(words, games=games, players=players, swap=swap, seed=seed, seconds=seconds, limit=limit)
    journal = Journal.begin(Path(out), series, resume=resume) if out else None
    frames = Frames(play_series(series, jobs=jobs, ray=ray, journal=journal), series)
    if journal:
        frames.write(journal.folder)
    return frames.games
