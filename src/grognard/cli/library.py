"""``scenarios``, ``rules`` and ``check``: what there is, and whether it is as it should be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from grognard.cli import rulebook, show
from grognard.cli.records import fault_record, plain, print_json
from grognard.cli.show import say
from grognard.core import opening
from grognard.core.errors import Fault, GrognardError, MalformedError
from grognard.core.ledger import Ledger, proofs
from grognard.core.opening import Found


def list_scenarios(only: str, json: bool) -> None:
    """The scenarios of all games, or of one."""
    found = list(opening.listed(only))
    if json:
        print_json([_scenario_record(entry) for entry in found])
        return
    rows = [
        (
            entry.game.name,
            entry.name,
            entry.scenario.title,
            ", ".join(entry.scenario.sides),
            entry.scenario.turns,
            entry.summary.get("map", ""),
            entry.summary.get("units", ""),
        )
        for entry in found
    ]
    if rows:
        show.table(("game", "name", "title", "sides", "turns", "map", "units"), rows, right=(4, 6))
    else:
        say("There are no scenarios.")


def _scenario_record(entry: opening.Listed) -> dict[str, Any]:
    scenario = entry.scenario
    head = {"game": entry.game.name, "name": entry.name, "title": scenario.title, "sides": list(scenario.sides)}
    return {**head, "turns": scenario.turns, "briefing": scenario.briefing, **entry.summary}


# ---- rules -------------------------------------------------------------------------------------------


def show_rules(name: str, id: str, words: str, json: bool) -> None:
    """The ledger: all of it, a rule, a section, or what a search finds."""
    game = opening.find_game(name)
    if words:
        found = rulebook.search(game, words)
    elif id:
        found = rulebook.find_rules(game, id)
    else:
        found = list(game.ledger.rules.values())
    if json:
        print_json(found)
        return
    for rule in found:
        say(rulebook.rule_line(rule))
    if not found:
        say(f"No rule has all of these words: {words}")


def show_coverage(name: str, tests: Path | None, json: bool) -> None:
    """Which rules no test proves. Ends with code 1 while there are any."""
    game = opening.find_game(name)
    folder = _tests(tests)
    try:
        found = proofs(folder, game.name)
    except (SyntaxError, ValueError) as error:
        raise GrognardError(f"{folder}: a test cannot be read: {error}") from None
    wanted = game.ledger.to_prove
    missing = [rule for rule in wanted if rule.id not in found]
    strange = {id: tests for id, tests in found.items() if id not in game.ledger}
    proved = len(wanted) - len(missing)
    if json:
        record = {"game": game.name, "proved": proved, "of": len(wanted), "unproved": plain(missing)}
        print_json({**record, "proofs": found, "unknown": strange})
    else:
        for rule in missing:
            say(rulebook.rule_line(rule))
        for id, places in strange.items():
            say(f"{places[0]} proves rule {id}, which is not in the ledger")
        say(f"{game.name}: {proved} of {len(wanted)} rules proved")
    if missing:
        raise typer.Exit(1)


def _tests(given: Path | None) -> Path:
    home = Path(__file__).parents[3] / "tests"
    choices = [given] if given is not None else [Path("tests"), home]
    for folder in choices:
        if folder.is_dir() and (given is not None or any(folder.rglob("test_*.py"))):
            return folder
    looked = " and ".join(map(str, choices))
    raise GrognardError(f"no tests in {looked}; say where they are with --tests DIR")


# ---- check -------------------------------------------------------------------------------------------


def check_files(paths: Sequence[Path], only: str, json: bool) -> None:
    """Whether files are as they should be; all their faults. Ends with code 2 if there are any."""
    if only:
        opening.find_game(only)
    results = []
    for path in paths:
        kind, faults = _check(path, only)
        results.append({"file": str(path), "kind": kind, "ok": not faults, "faults": list(map(fault_record, faults))})
        if not json:
            for fault in faults:
                typer.echo(str(fault), err=True)
            if not faults:
                say(f"{path}: OK ({kind})")
    if json:
        print_json(results)
    if not all(result["ok"] for result in results):
        raise typer.Exit(2)


def _check(path: Path, only: str) -> tuple[str, Sequence[Fault]]:
    kind = ""
    try:
        found = opening.recognise(path)
        kind = found.kind
        _load(path, found, only)
    except MalformedError as error:
        return kind, error.faults
    except GrognardError as error:
        return kind, [Fault(str(path), 0, "", str(error))]
    return kind, ()


def _load(path: Path, found: Found, only: str) -> None:
    document = found.document
    if found.kind == "save":
        opening.open_save(path, found.raw)
    elif found.kind in opening.LOADERS:
        opening.LOADERS[found.kind](opening.game_of(document, found.kind, only), document)
    elif found.kind == "rules":
        Ledger.load(path)
    elif found.kind == "map":
        opening.load_map(document, only)
    else:
        opening.charts_game(document, only).load_charts(document)


def show_force(path: Path, only: str, json: bool) -> None:
    """A player's force line by line, with what it costs; its faults otherwise."""
    document = opening.recognise(path).document
    lines = opening.game_of(document, "force", only).check_force(document)
    if json:
        print_json({"file": str(path), "lines": lines})
    else:
        for line in lines:
            say(line)
