"""Looking for an even scenario from the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from grognard.cli.writing import write_safely
from grognard.core.errors import GrognardError
from grognard.lab.balance import Balance, Searcher, Trial

#: How many of the settings that were tried are listed.
SHOWN = 12


class Wish(NamedTuple):
    """What was asked for."""

    scenario: str
    games: int
    players: str
    seed: str
    limit: int
    jobs: int
    ray: str
    knobs: str
    out: Path | None
    json: bool


def run(wish: Wish) -> None:
    """Search, tell, and write the changed scenario."""
    if wish.out and wish.out.exists():
        raise GrognardError(f"{wish.out}: there is already a file with that name; choose another name")
    searcher = Searcher(
        wish.scenario,
        games=wish.games,
        players=[word.strip() for word in wish.players.split(",")],
        seed=wish.seed,
        limit=wish.limit,
        jobs=wish.jobs,
        ray=wish.ray,
        only=[word.strip() for word in wish.knobs.split(",") if word.strip()],
    )
    stopped = _search(searcher)
    if not searcher.begun:
        print("Stopped before the first game ended.", file=sys.stderr)
        raise SystemExit(130)
    found = searcher.found()
    if wish.out and found.best.settings:
        write_safely(wish.out, found.source.encode())
    if wish.json:
        sys.stdout.buffer.write(msgspec.json.encode(_as_json(found)) + b"\n")
    else:
        _tell(found, wish.out, stopped=stopped)
    if stopped:
        raise SystemExit(130)


def _search(searcher: Searcher) -> bool:
    """Let it search, with a bar for the games that are being played; whether it was stopped."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left of this step"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task("The scenario as it is", total=searcher.games)

        def tell(what: str, done: int, of: int) -> None:
            if bar.tasks[task].description != what:
                bar.reset(task, total=of, description=what)
            bar.update(task, completed=done, total=of)

        searcher.progress = tell
        try:
            searcher.search()
        except KeyboardInterrupt:
            return True
    return False


def _tell(found: Balance, out: Path | None, *, stopped: bool) -> None:
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    side = found.side.replace("_", " ").capitalize()
    table = Table(title=f"{found.field.title}: {side}'s share of wins (50 % is even)")
    for name in ("Setting", "Share", "±", "Games", ""):
        table.add_column(name, justify="right" if name in ("Share", "±", "Games") else "left")
    for trial in found.tried[:SHOWN]:
        mark = "best" if trial == found.best else "as it is" if trial == found.before else ""
        table.add_row(
            found.say(trial),
            f"{100 * trial.share.value:.1f} %",
            f"{100 * trial.share.margin:.1f}",
            str(trial.share.games),
            mark,
        )
    console.print(table)
    if len(found.tried) > SHOWN:
        console.print(f"{len(found.tried) - SHOWN} more settings were tried.")
    console.print(f"As it is, {_share(found.before, side)}.")
    if stopped:
        console.print("Stopped: the settings with the most games, above, were closest to even so far.")
    if not found.best.settings:
        if not stopped:
            console.print(
                "None of the settings tried is closer to even."
                if len(found.tried) > 1
                else "It is closer to even than this many games can tell, so nothing was changed; try more --games."
            )
        return
    if found.checked:
        console.print(f"With {found.say(found.best)}, {_share(found.checked, side)} that played no part in the choice.")
    else:
        console.print(f"With {found.say(found.best)}, {_share(found.best, side)}, the games it was chosen by.")
    if out:
        console.print(f"Written to {out}")
    else:
        console.print("Write the changed scenario with --out FILE.")


def _share(trial: Trial, side: str) -> str:
    share = trial.share
    even = "even as far as they can tell" if trial.even else "not even"
    return f"{side} wins {100 * share.value:.1f} ± {100 * share.margin:.1f} % ({even}) in {share.games} games"


def _as_json(found: Balance) -> dict[str, object]:
    def one(trial: Trial) -> dict[str, object]:
        return {
            "settings": dict(trial.settings),
            "share": trial.share.value,
            "margin": trial.share.margin,
            "games": trial.share.games,
        }

    return {
        "scenario": found.field.name,
        "side": found.side,
        "before": one(found.before),
        "best": one(found.best),
        "checked": one(found.checked) if found.checked else None,
        "tried": [one(trial) for trial in found.tried],
        "source": found.source,
    }
