"""Running a series of games from the command line: progress, a stop that loses nothing, and what came of it."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from grognard.cli.writing import write_safely, write_save
from grognard.core import registry
from grognard.core.errors import GrognardError
from grognard.lab.frames import Frames
from grognard.lab.game_rows import Failure, GameRecord
from grognard.lab.game_run import replay_record
from grognard.lab.journal import Journal, keep_failure
from grognard.lab.report import make_report
from grognard.lab.run import play_series
from grognard.lab.series import Series, make_series
from grognard.lab.statistics import mean, shares, verdict

REPORT = "report.html"
#: How many games a fault of the program may end until the run is given up.
FAILURES = 5


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
    done = {record.number: record for record in journal.records()} if journal else {}
    broken: list[tuple[Failure, Path]] = []
    with _stops() as stopped, _progress(series, len(done)) as told:

        def tell(record: GameRecord) -> None:
            done[record.number] = record
            told()

        def fail(failure: Failure) -> None:
            broken.append((failure, keep_failure(plan.out or Path(tempfile.gettempdir()), failure)))
            if len(broken) == FAILURES:
                raise GrognardError("\n".join([*map(_broken, broken), "So many that the run stops."]))

        try:
            play_series(series, jobs=plan.jobs, ray=plan.ray, journal=journal, progress=tell, failed=fail)
        except KeyboardInterrupt:
            stopped.append(signal.SIGINT)
    if journal:  # a stop may come between a game's being kept and its being told
        done = {record.number: record for record in journal.records()}
    if done:
        _finish(plan, series, journal, done, stopped=bool(stopped))
    for each in broken:
        print(_broken(each), file=sys.stderr)
    if stopped:
        if not done:
            print("Stopped before the first game ended.", file=sys.stderr)
        raise SystemExit(128 + stopped[0])
    if broken:
        raise SystemExit(1)


def _finish(plan: Plan, series: Series, journal: Journal | None, done: dict[int, GameRecord], *, stopped: bool) -> None:
    frames = Frames(done.values(), series)
    if journal:
        frames.write(journal.folder)
        _write_report(series, frames, journal.folder / REPORT)
    if plan.json:
        sys.stdout.buffer.write(msgspec.json.encode(_as_json(series, frames)) + b"\n")
    else:
        _tell(series, frames)
        _tell_where(series, journal, len(done), stopped)


def _broken(each: tuple[Failure, Path]) -> str:
    failure, path = each
    return (
        f"A bug in the program: {failure.say()}\n"
        f"  The game up to there is in {path}; {path.with_suffix('.txt').name} beside it says what went wrong."
    )


@contextmanager
def _stops() -> Iterator[list[int]]:
    """While a run is on, being told to end is the same as Ctrl-C: what is done is kept. Which signals came."""
    came: list[int] = []

    def stop(number: int, _: object) -> None:
        if not came:
            came.append(number)
            raise KeyboardInterrupt

    names = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    try:
        old = {name: signal.signal(name, stop) for name in names}
    except ValueError:  # not the main thread: whoever started it has signals in hand
        old = {}
    try:
        yield came
    finally:
        for name, handler in old.items():
            signal.signal(name, handler)


def _series(plan: Plan) -> Series:
    """The series that was asked for; one that is gone on with keeps its own seed where none is told."""
    seed = plan.seed
    if plan.resume:
        if plan.out is None:
            raise GrognardError("--resume continues a run; give its folder with --out DIR")
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
    for name in ("Scenario", "Side", _wins(frames), "Force lost", "Turns"):
        table.add_column(name)
    for field in series.fields:
        turns = mean(frames.games.filter(scenario=field.name)["turns"].to_numpy())
        for side, share in shares(frames, field.name).items():
            rows = frames.sides.filter(scenario=field.name, side=side)
            lost = mean((rows["lost"] / rows["force"].clip(1e-9)).to_numpy())
            table.add_row(field.name, side, share.say(), f"{100 * lost.value:.0f} %", f"{turns.value:.1f}")
    console.print(table)
    if len(series.seatings) > 1:
        console.print(_players(series, frames))
    for field in series.fields:
        if frames.sides.filter(scenario=field.name).height:
            console.print(f"{field.name}: {verdict(frames, field.name).say()}")
            if len(set(series.players)) > 1 and len(series.seatings) == 1:
                console.print(
                    "  The players differ, so this is as much about them. Use --swap to separate player from side."
                )


def _wins(frames: Frames) -> str:
    """What the column of wins counts."""
    return "Wins, a draw as half a win (95 %)" if frames.games.filter(winner="").height else "Wins (95 %)"


def _players(series: Series, frames: Frames) -> Table:
    """Who plays better is another question than which side is favoured; with sides swapped both have an answer."""
    table = Table(title="Players, with sides swapped")
    for name in ("Scenario", "Player", _wins(frames), "Slowest decision"):
        table.add_column(name)
    names = [field.name for field in series.fields]
    for scenario in [*names, *([""] if len(names) > 1 else [])]:
        for player, share in shares(frames, scenario, "player").items():
            rows = frames.sides.filter(player=player)
            rows = rows.filter(scenario=scenario) if scenario else rows
            slowest = rows["slowest"].max()
            assert isinstance(slowest, float)
            table.add_row(scenario or "all", player, share.say(), f"{slowest:.2f} s")
    return table


def _tell_where(series: Series, journal: Journal | None, done: int, stopped: bool) -> None:
    if journal:
        print(f"\nRows are in {journal.folder}, the report is {journal.folder / REPORT}")
        if done < series.size:
            rest = series.size - done
            left = f"{rest} games are left; run the same command with --resume to play them."
            if rest == 1:
                left = "1 game is left; run the same command with --resume to play it."
            print(f"{'Stopped: ' if stopped else ''}{left}")
    else:
        print(f"\nSeed {series.seed}. Keep rows and report with --out DIR.")


def _as_json(series: Series, frames: Frames) -> dict[str, Any]:
    found: dict[str, Any] = {"series": series, "digest": series.digest, "games": frames.games.height, "scenarios": {}}
    for field in series.fields:
        if not frames.sides.filter(scenario=field.name).height:
            continue
        said = verdict(frames, field.name)
        found["scenarios"][field.name] = {
            "wins": {side: share._asdict() for side, share in shares(frames, field.name).items()},
            "players": {name: share._asdict() for name, share in shares(frames, field.name, "player").items()},
            "verdict": said.say(),
            "favours": said.who,
            "by": said.best.value,
            "margin": said.best.margin,
            "explained_by_luck": said.explained,
        }
    return found


# ---- the report ----------------------------------------------------------------------------------------------------


def write_report(folder: Path, output: Path | None) -> None:
    """The report of a run from what it has written down."""
    journal = Journal.open(folder)
    records = journal.records()
    if not records:
        raise GrognardError(f"{folder}: no game of this run has finished yet")
    path = output or folder / REPORT
    _write_report(journal.series, Frames(records, journal.series), path)
    print(f"The report on {len(records)} games is {path}")


def _write_report(series: Series, frames: Frames, path: Path) -> None:
    write_safely(path, make_report(series, frames).encode())


# ---- games of a run -----------------------------------------------------------------------------------------------


def extract_game(folder: Path, number: int, output: Path) -> None:
    """A game of a run as a saved game, played again from its row and found to end as it did."""
    journal = Journal.open(folder)
    records = {record.number: record for record in journal.records()}
    if number not in records:
        raise GrognardError(
            f"{folder} doesn't have game {number}; it has {len(records)} of the games 0 to {journal.series.size - 1}"
        )
    record = records[number]
    session = replay_record(journal.series, record)
    if session.digest != record.digest:
        raise GrognardError(f"game {number} does not end as its row says; the rules or the scenario have changed")
    write_save(output, session)
    print(f"{record.scenario}, game {number}: {record.reason}. Written to {output}")
