"""Playing a series: where its games are played, what is kept, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from pathlib import Path

import polars as pl

from grognard.core.errors import GrognardError
from grognard.lab.frames import Frames
from grognard.lab.game_rows import Failure, GameRecord
from grognard.lab.journal import Journal
from grognard.lab.pool import cores, play_here, play_on_cores
from grognard.lab.series import LIMIT, Series, make_series

#: Told of every game as it ends, and of every game that a fault of the program ended.
Progress = Callable[[GameRecord], None]
Failed = Callable[[Failure], None]


class FailedGameError(GrognardError):
    """A fault of the program ended a game of a series."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.say())
        self.failure = failure


def play_series(
    series: Series,
    *,
    jobs: int = 0,
    ray: str = "",
    journal: Journal | None = None,
    progress: Progress | None = None,
    failed: Failed | None = None,
) -> list[GameRecord]:
    """Play the games of a series that are not done yet; all its games by number.

    With a journal each game is kept as it ends, so that a run that is stopped loses none of them. ``jobs`` 0 is a
    process for every core; ``ray`` names a cluster. A game that breaks off is told to ``failed`` and left out; if
    nobody wants to be told, it ends the run.
    """
    done = {record.number: record for record in journal.records()} if journal else {}
    numbers = [number for number in range(series.size) if number not in done]
    try:
        with closing(play_numbers(series, numbers, jobs=jobs, ray=ray, failed=failed)) as playing:
            for record in playing:
                if record.number in done:
                    continue
                if journal:
                    journal.add(record)
                done[record.number] = record
                if progress:
                    progress(record)
    finally:
        if journal:
            journal.close()
    return [done[number] for number in sorted(done)]


def play_numbers(
    series: Series, numbers: Sequence[int], *, jobs: int = 0, ray: str = "", failed: Failed | None = None
) -> Generator[GameRecord, None, None]:
    """Games of a series by their numbers, as they end, wherever they are played."""
    jobs = min(jobs or cores(), len(numbers))
    if ray:
        from grognard.lab.ray_pool import play_on_ray  # an extra that need not be installed

        playing = play_on_ray(series, numbers, ray)
    elif jobs <= 1:
        playing = play_here(series, numbers)
    else:
        playing = play_on_cores(series, numbers, jobs)
    # Closed by name, so that a stop ends workers now and not when somebody collects the rubbish.
    with closing(playing):
        for played in playing:
            if not isinstance(played, Failure):
                yield played
            elif failed:
                failed(played)
            else:
                raise FailedGameError(played)


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
