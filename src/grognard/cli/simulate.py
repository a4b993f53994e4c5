"""Running a series of games from the command line: progress, a stop that loses nothing, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from grognard.cli.writing import write_save
from grognard.core import registry
from grognard.core.errors import GrognardError
from grognard.lab.frames import Frames
from grognard.lab.game_run import replay_record
from grognard.lab.journal import Journal
from grognard.lab.record import GameRecord
from grognard.lab.run import play_series
from grognard.lab.series import Series, make_series
from grognard.lab.statistics import mean, verdict, win_shares


class Plan(NamedTuple):
    """What was asked for."""

    scenarios: list[str]
    games: int
    players: str
    swap: bool
    seed: str
    seconds: float
    limit: int
    jobs: int
    ray: str
    out: Path | None
    resume: bool
    json: bool


def run(plan: Plan) -> None:
    """Play, keep, and tell."""
    series = _series(plan)
    journal = Journal.begin(plan.out, series, resume=plan.resume) if plan.out else None
    stopped = False
    done: dict[int, GameRecord] = {record.number: record for record in journal.records()} if journal else {}
    with _progress(series, len(done)) as told:

        def tell(record: GameRecord) -> None:
            done[record.number] = record
            told()

        try:
            play_series(series, jobs=plan.jobs, ray=plan.ray, journal=journal, progress=tell)
        except KeyboardInterrupt:
            stopped = True
    if not done:
        raise GrognardError("stopped before the first game had ended")
    frames = Frames(done.values(), series)
    if journal:
        frames.write(journal.folder)
    if plan.json:
        sys.stdout.buffer.write(msgspec.json.encode(_as_json(series, frames)) + b"\n")
    else:
        _tell(series, frames)
        _tell_where(series, journal, len(done), stopped)
    if stopped:
        raise SystemExit(130)


def _series(plan: Plan) -> Series:
    """The series that was asked for; one that is gone on with keeps its own seed where none is told."""
    seed = plan.seed
    if plan.resume:
        if plan.out is None:
            raise GrognardError("--resume goes on with a run in a folder; say which with --out DIR")
        if not seed and (plan.out / "series.json").is_file():
            seed = Journal.open(plan.out).series.seed
    return make_series(
        scenario_words(plan.scenarios),
        games=plan.games,
        players=[word.strip() for word in plan.players.split(",")],
        swap=plan.swap,
        seed=seed,
        seconds=plan.seconds,
        limit=plan.limit,
    )


def scenario_words(words: list[str]) -> list[str]:
    """The scenarios of words: a game's name stands for all of its own, ``all`` for all there are."""
    found: list[str] = []
    for word in words:
        if word in registry.names() or word == "all":
            games = registry.names() if word == "all" else [word]
            found += [f"{game}/{name}" for game in games for name in registry.game(game).scenario_files()]
        else:
            found.append(word)
    return found


# ---- while it runs ------------------------------------------------------------------------------------------------


class _Rate(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        """The rate so far."""
        speed = task.speed
        if not speed:
            return Text("– games/s")
        return Text(f"{speed:.1f} games/s" if speed >= 1 else f"{60 * speed:.1f} games/min")


@contextmanager
def _progress(series: Series, done: int) -> Iterator[Any]:
    """A bar with rate and time left on the terminal, and nothing elsewhere."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=120,
    )
    with bar:
        task = bar.add_task("Games", total=series.size, completed=done)
        yield lambda: bar.advance(task)


# ---- what came of it ------------------------------------------------------------------------------------------------


def _tell(series: Series, frames: Frames) -> None:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    table = Table(title=f"{frames.games.height} games, {' against '.join(series.players)}")
    for name in ("Scenario", "Side", "Wins (95 %)", "Losses of its force", "Turns"):
        table.add_column(name)
    for field in series.fields:
        shares = win_shares(frames, field.name)
        turns = mean(frames.games.filter(scenario=field.name)["turns"].to_numpy())
        for side, share in shares.items():
            rows = frames.sides.filter(scenario=field.name, side=side)
            lost = mean((rows["lost"] / rows["force"].clip(1e-9)).to_numpy())
            table.add_row(field.name, side, share.say(), f"{100 * lost.value:.0f} %", f"{turns.value:.1f}")
    console.print(table)
    for field in series.fields:
        if frames.sides.filter(scenario=field.name).height:
            console.print(f"{field.name}: {verdict(frames, field.name).say()}")


def _tell_where(series: Series, journal: Journal | None, done: int, stopped: bool) -> None:
    if journal:
        print(f"\nRows are in {journal.folder}")
        if done < series.size:
            rest = series.size - done
            print(f"{'Stopped: ' if stopped else ''}{rest} games are left; the same command with --resume plays them.")
    else:
        print(f"\nSeed {series.seed}. Keep rows and report with --out DIR.")


def _as_json(series: Series, frames: Frames) -> dict[str, Any]:
    found: dict[str, Any] = {"series": series, "digest": series.digest, "games": frames.games.height, "scenarios": {}}
    for field in series.fields:
        if not frames.sides.filter(scenario=field.name).height:
            continue
        said = verdict(frames, field.name)
        found["scenarios"][field.name] = {
            "wins": {side: share._asdict() for side, share in win_shares(frames, field.name).items()},
            "verdict": said.say(),
            "favours": said.side,
            "by": said.best.value,
            "margin": said.best.margin,
            "explained_by_luck": said.explained,
        }
    return found


# ---- games of a run -----------------------------------------------------------------------------------------------


def extract_game(folder: Path, number: int, output: Path) -> None:
    """A game of a run as a saved game, played again from its row and found to end as it did."""
    journal = Journal.open(folder)
    records = {record.number: record for record in journal.records()}
    if number not in records:
        raise GrognardError(
            f"{folder} has no game {number}; it has {len(records)} of the games up to {journal.series.size - 1}"
        )
    record = records[number]
    session = replay_record(journal.series, record)
    if session.digest != record.digest:
        raise GrognardError(f"game {number} does not end as its row says; the rules or the scenario have changed")
    write_save(output, session)
    print(f"{record.scenario}, game {number}: {record.reason}. Written to {output}")
