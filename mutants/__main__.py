"""``python -m mutants``: put single faults into rules and figures, and say which the tests notice."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from mutants.faults import Fault, fault_at, sites_of
from mutants.figures import figures_of
from mutants.loaded import Task, try_all
from mutants.running import BOUND, Trial
from mutants.selection import FOLLOWED, KITS, ROOT, SETTINGS, Selection, followed, kept_in_forks, kits, measure, suites

GAMES = ROOT / "src" / "grognard" / "games"
CONSOLE = Console(highlight=False)
Thing = TypeVar("Thing")


def games() -> list[str]:
    """All games there are, by their folders."""
    return sorted(path.parent.name for path in GAMES.glob("*/rules.toml"))


def rules_modules(game: str) -> list[Path]:
    """The modules of a game's rules and of its kit, without those that show, read or play it."""
    found = []
    for folder in (GAMES / game, *(KITS / kit for kit in kits(game))):
        for path in sorted(folder.rglob("*.py")):
            name = ".".join(path.relative_to(folder).with_suffix("").parts)
            if not any(re.fullmatch(word, name) for word in SETTINGS["not_rules"]):
                found.append(path)
    return found


def sample(game: str, count: int, seed: int, modules: str = "") -> list[Fault]:
    """Faults to try: a part of them figures, the others of every kind in like numbers as far as there are so many.

    Those that change nothing are set aside, and others take their place.
    """
    rng = Random(f"{game} {seed}")
    aside = SETTINGS["unchanged"].get(game, {})
    figures = [fault for name in SETTINGS["figures"] for fault in figures_of(GAMES / game / name)]
    figures = [fault for fault in figures if re.search(modules, fault.path.stem) and fault.name not in aside]
    rng.shuffle(figures)
    chosen = _in_turn(figures, lambda fault: fault.path.name)[: round(count * SETTINGS["share_of_figures"])]
    sites = [site for path in rules_modules(game) if re.search(modules, path.stem) for site in sites_of(path)]
    rng.shuffle(sites)
    names: set[str] = set()
    for site in _in_turn(sites, lambda site: site.kind):
        if len(chosen) >= count:
            break
        fault = fault_at(site)
        if fault is not None and fault.name not in aside and fault.name not in names:
            names.add(fault.name)
            chosen.append(fault)
    rng.shuffle(chosen)
    return chosen


def _in_turn(things: list[Thing], kind: Callable[[Thing], str]) -> list[Thing]:
    """One of each kind, then a second of each, and so on."""
    turns: Counter[str] = Counter()
    ranks = []
    for thing in things:
        turns[kind(thing)] += 1
        ranks.append(turns[kind(thing)])
    return [thing for _, thing in sorted(zip(ranks, things, strict=True), key=lambda one: one[0])]


def run(game: str, options: argparse.Namespace) -> bool:
    """Try a sample of a game's faults; whether as many were noticed as should be, of all that were tried."""
    selection = measure(game, options.jobs, as_known=options.as_known)
    chosen = sample(game, options.sample, options.seed, options.modules)
    CONSOLE.print(f"[bold]{game}[/]: {len(chosen)} faults, seed {options.seed}, {options.minutes:g} minutes at most")
    tasks = [_task(selection, fault, game, options.most) for fault in chosen]
    kept_in = kept_in_forks(game)
    trials = try_all(
        [*suites(game), *followed(game)], tasks, options.jobs, options.minutes, _tell, options.seconds, kept_in
    )
    _report(game, trials, len(chosen))
    if options.out:
        rows = [
            {"name": t.fault.name, "kind": t.fault.kind, "line": t.fault.line, "outcome": _outcome(t), "by": t.by}
            for t in trials
        ]
        Path(options.out.format(game=game)).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    return bool(trials) and sum(trial.noticed for trial in trials) >= SETTINGS["noticed"] * len(trials)


def _task(selection: Selection, fault: Fault, game: str, most: int) -> Task:
    """A fault with the tests that run its line.

    A figure is shown to the tests that are about figures first. A line that is run only when modules are loaded belongs
    to no test. Of both any test may take notice. Games that are followed come last.
    """
    if fault.kind == "figure":
        files = sorted(path for folder in suites(game) for path in (ROOT / folder).rglob("test_*.py"))
        about = [
            [str(path.relative_to(ROOT)) for path in files if re.search(words, path.stem)]
            for words in SETTINGS["about_figures"]
        ]
        return Task(fault, [*about, suites(game), followed(game)], at_loading=True)
    tests = selection.tests(fault)
    games = [test for test in tests if test.startswith(FOLLOWED)]
    own = [test for test in tests if test not in games][: most or None]
    return Task(fault, [own or suites(game), games], not most and selection.runs_at_loading(fault))


def _outcome(trial: Trial) -> str:
    if trial.noticed:
        return "noticed"
    return "unnoticed" if trial.judged else "not judged"


def _tell(trial: Trial) -> None:
    colour = "green" if trial.noticed else "red" if trial.judged else "yellow"
    CONSOLE.print(f"[{colour}]{_outcome(trial):10}[/] {trial.seconds:5.1f} s  {trial.fault.kind:10}", end=" ")
    CONSOLE.print(trial.fault.name, markup=False, soft_wrap=True)


def _report(game: str, trials: list[Trial], chosen: int) -> None:
    late = f"; there was no time for the other {chosen - len(trials)}" if len(trials) < chosen else ""
    CONSOLE.print(f"[bold]{game}[/]: {len(trials)} of {chosen} faults tried{late}")
    table = Table()
    for heading in ("kind", "tried", "judged", "noticed", ""):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    kinds = Counter(trial.fault.kind for trial in trials)
    for kind, count in [*sorted(kinds.items()), ("all", len(trials))]:
        of_kind = [trial for trial in trials if kind in ("all", trial.fault.kind)]
        judged, noticed = sum(trial.judged for trial in of_kind), sum(trial.noticed for trial in of_kind)
        table.add_row(kind, str(count), str(judged), str(noticed), f"{noticed / count:.0%}" if count else "")
    CONSOLE.print(table)
    by_games = sum(trial.by.startswith(FOLLOWED) for trial in trials)
    CONSOLE.print(f"{by_games} of those noticed only by games that are followed ({FOLLOWED.split('::')[0]})")
    for trial in sorted((trial for trial in trials if not trial.noticed), key=lambda one: one.fault.name):
        told = f"{_outcome(trial)}: line {trial.fault.line}, {trial.fault.name}"
        CONSOLE.print(told, markup=False, soft_wrap=True)


def main() -> None:
    """Read the options, try every game, and exit with 1 if too few faults were noticed."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games; all of them if none is named")
    parser.add_argument("--sample", type=int, default=100, help="how many faults for each game")
    parser.add_argument("--seed", type=int, default=1, help="which faults: the same seed, the same faults")
    parser.add_argument("--minutes", type=float, default=60.0, help="no new fault is tried after this, for each game")
    parser.add_argument("--seconds", type=float, default=BOUND, help="a fault is not judged after this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument(
        "--as-known", action="store_true", help="choose tests by what was measured last, whatever changed"
    )
    parser.add_argument("--most", type=int, default=0, help="so many tests a fault at the most, the narrowest first")
    parser.add_argument("--modules", default="", help="only modules whose name matches")
    parser.add_argument("--out", default="", help="write the rows here as JSON; {game} stands for the game's name")
    options = parser.parse_args()
    # Of what hypothesis finds with a fault nothing is kept.
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.devnull
    good = [run(game, options) for game in options.games or games()]
    raise SystemExit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
