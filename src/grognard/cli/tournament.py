"""``grognard tournament``: programs against each other, sides swapped, and how strong they turned out to be."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from grognard import __version__
from grognard.cli import show
from grognard.cli.json_output import plain, print_json
from grognard.cli.show import say
from grognard.cli.writing import write_safely
from grognard.core import open_files
from grognard.core.errors import GrognardError
from grognard.core.game import Game
from grognard.core.open_files import read_bytes
from grognard.core.random_battles import RANDOM
from grognard.core.tactics import Clock
from grognard.core.words import unknown
from grognard.players.matches import Match, Played, half, pairings, play_match, records
from grognard.players.ratings import Record, rate, wilson
from grognard.players.seats import HUMAN, is_player, player_names

ALL = "all"
#: What has been played is written at most so often, in seconds.
KEPT = 5.0


class Wishes(NamedTuple):
    """What was asked for on the command line."""

    players: str
    scenarios: str
    games: int
    seconds: float | None
    jobs: int
    by_work: bool
    seed: str
    out: Path | None
    game: str
    json: bool
    resume: bool = False


def hold_tournament(wishes: Wishes) -> None:
    """Let every pair of players meet in every scenario, and tell who won how often."""
    players = read_players(wishes.players)
    scenarios = read_scenarios(wishes.scenarios, wishes.game)
    matches = list(pairings(players, scenarios, wishes.games, wishes.seed, wishes.seconds))
    if not matches:
        raise GrognardError("--games: at least one game must be played")
    played = _begun(wishes, players, scenarios)
    done = {(each.scenario, tuple(each.players.values()), each.seed) for each in played}
    left = [match for match in matches if (match.scenario, match.players, match.seed) not in done]
    stopped = False
    written = time.monotonic()
    try:
        with _stopped_gently(), _progress(len(matches), len(played), silent=wishes.json) as step:
            for each in play_all(left, wishes.jobs, wishes.by_work):
                played.append(each)
                step()
                if time.monotonic() - written > KEPT:
                    _keep(wishes, tournament_record(wishes, players, scenarios, played, len(matches)))
                    written = time.monotonic()
    except KeyboardInterrupt:
        stopped = True
    record = tournament_record(wishes, players, scenarios, played, len(matches))
    _keep(wishes, record)
    if wishes.json:
        print_json(record)
        return
    if stopped:
        say(f"Stopped after {len(played)} of {len(matches)} games.")
    show_tournament(players, scenarios, played)
    if wishes.out is not None:
        say(f"Every game is in {wishes.out}.")


def _options(wishes: Wishes, players: Sequence[str], scenarios: Sequence[str]) -> dict[str, Any]:
    """What was played for, as the file tells it."""
    return {
        "players": list(players),
        "scenarios": list(scenarios),
        "games": wishes.games,
        "seconds": wishes.seconds,
        "by_work": wishes.by_work,
        "seed": wishes.seed,
    }


def _keep(wishes: Wishes, record: dict[str, Any]) -> None:
    """Write all that has been played."""
    if wishes.out is not None:
        write_safely(wishes.out, msgspec.json.format(msgspec.json.encode(plain(record)), indent=1) + b"\n")


class _Begun(msgspec.Struct):
    """A tournament as its file has it; the rest follows from these."""

    options: dict[str, Any]
    games: list[Played]


def _begun(wishes: Wishes, players: Sequence[str], scenarios: Sequence[str]) -> list[Played]:
    """The games that an earlier run of the same tournament has played already."""
    out = wishes.out
    if out is None:
        if wishes.resume:
            raise GrognardError("--resume: which tournament? Give --out FILE")
        return []
    if not out.exists():
        if wishes.resume:
            raise GrognardError(f"--resume: {out}: there is no such file")
        return []
    if not wishes.resume:
        raise GrognardError(
            f"{out}: there is already a file with that name; continue it with --resume, or choose another name"
        )
    try:
        begun = msgspec.json.decode(read_bytes(out), type=_Begun)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise GrognardError(f"{out}: this is not a tournament to continue: {error}") from None
    wanted = _options(wishes, players, scenarios)
    for name, value in wanted.items():
        # The number of games may grow: the games before are the same.
        if begun.options.get(name) != value and name != "games":
            raise GrognardError(
                f"{out}: played with --{name.replace('_', '-')} {begun.options.get(name)}, not {value}; "
                "use the same value, or choose another file"
            )
    return begun.games


def read_players(text: str) -> list[str]:
    """The programs that take part."""
    found = list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    for name in found:
        if not is_player(name) or name == HUMAN:
            raise unknown("program", name, [name for name in player_names() if name != HUMAN])
    if len(found) < 2:
        raise GrognardError("--players: name two or more, such as greedy,random")
    return found


def read_scenarios(text: str, only: str = "") -> list[str]:
    """The scenarios to be played; ``all`` is every one that comes with the games."""
    if text.strip() == ALL:
        return [f"{entry.game.name}/{entry.name}" for entry in open_files.listed(only)]
    found: list[str] = []
    for word in (word.strip() for word in text.split(",") if word.strip()):
        if found and found[-1].startswith(f"{RANDOM}:") and "=" in word:
            found[-1] += f",{word}"  # a further choice of a random battle
        else:
            found.append(word)
    if not found:
        raise GrognardError(f"--scenarios: name one or more, or {ALL}")
    for word in found:
        open_files.open_scenario(word, only)
    return found


# ---- playing -----------------------------------------------------------------------------------------------------


@cache
def _opened(scenario: str) -> tuple[Game, Any]:
    return open_files.open_scenario(scenario)


def play_one(match: Match) -> Played:
    """Play a match in this process, which keeps what it knows of a scenario."""
    return play_match(*_opened(match.scenario), match)


def _prepare(by_work: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    if by_work:
        Clock.now = time.thread_time


def play_all(matches: Sequence[Match], jobs: int, by_work: bool = False) -> Iterator[Played]:
    """Play matches in so many processes; they come as they end."""
    # Started afresh, for a copy of this process could hold another thread's locks.
    with multiprocessing.get_context("spawn").Pool(jobs, _prepare, (by_work,)) as workers:
        yield from workers.imap_unordered(play_one, matches)


@contextmanager
def _stopped_gently() -> Iterator[None]:
    """Whoever ends the program from outside stops it as Ctrl-C does, so that what is done is kept."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress(total: int, done: int, silent: bool) -> Iterator[Callable[[], None]]:
    """A bar on the terminal's error stream, with what is left."""
    if silent or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=total, completed=done)
        yield lambda: bar.advance(task)


# ---- telling -----------------------------------------------------------------------------------------------------


def tournament_record(
    wishes: Wishes, players: Sequence[str], scenarios: Sequence[str], played: Sequence[Played], wanted: int
) -> dict[str, Any]:
    """All of it for a program: its version, every option, every game, and what follows from them."""
    pairs = half(records(played))
    return {
        "program": __version__,
        "options": _options(wishes, players, scenarios),
        "wanted": wanted,
        "ratings": rate(players, pairs),
        "pairs": [_told(pair, record) for pair, record in pairs.items()],
        "scenarios": [
            {"scenario": scenario, **_told(pair, record)}
            for scenario in scenarios
            for pair, record in half(records([each for each in played if each.scenario == scenario])).items()
        ],
        "over": _worst(played),
        "games": list(played),
    }


def _told(pair: tuple[str, str], record: Record) -> dict[str, Any]:
    """What two players did against each other, with the first one's share of the games that were decided."""
    low, high = wilson(record.wins, record.wins + record.losses)
    return {"players": pair, "record": record, "share": record.of_decided, "low": low, "high": high}


def show_tournament(players: Sequence[str], scenarios: Sequence[str], played: Sequence[Played]) -> None:
    """The tables: ratings, pairs, scenarios, and the slowest answer."""
    found = records(played)
    totals = {name: sum((r for (one, _), r in found.items() if one == name), Record()) for name in players}
    ratings = rate(players, half(found))
    rows = [
        (each.player, f"{each.elo:+.0f} ± {each.margin:.0f}", *_cells(totals[each.player]))
        for each in ratings
        if totals[each.player].games
    ]
    show.table(["Player", "Elo", "Games", "Won", "Lost", "Drawn", "Share of decided"], rows, right=range(1, 7))
    order = {each.player: number for number, each in enumerate(ratings)}
    pairs = {pair: record for pair, record in found.items() if order[pair[0]] < order[pair[1]]}
    say()
    rows = [(f"{one} against {other}", *_cells(record)) for (one, other), record in pairs.items()]
    show.table(["Pair", "Games", "Won", "Lost", "Drawn", "Share of decided"], rows, right=range(1, 6))
    say()
    rows = []
    for scenario in scenarios:
        there = records([each for each in played if each.scenario == scenario])
        rows += [
            (scenario, f"{one} against {other}", *_cells(there[one, other]))
            for one, other in pairs
            if (one, other) in there
        ]
    show.table(["Scenario", "Pair", "Games", "Won", "Lost", "Drawn", "Share of decided"], rows, right=range(2, 7))
    say()
    for name, (over, slowest) in _worst(played).items():
        late = f"{over:.2f} s over its time" if over > 0 else "never over its time"
        say(f"{name}: slowest answer {slowest:.2f} s, {late}.")


def _cells(record: Record) -> tuple[str, ...]:
    rate = record.of_decided
    low, high = wilson(record.wins, record.wins + record.losses)
    share = "" if rate is None else f"{rate:.0%} ({low:.0%} to {high:.0%})"
    return (str(record.games), str(record.wins), str(record.losses), str(record.draws), share)


def _worst(played: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """By how much each player's slowest answer came past its time, and how long it took."""
    found: dict[str, tuple[float, float]] = {}
    for each in played:
        for side, name in each.players.items():
            over, slowest = found.get(name, (0.0, 0.0))
            found[name] = max(over, each.over[side]), max(slowest, each.slowest[side])
    return found
