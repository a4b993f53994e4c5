"""``scenarios``, ``units``, ``rules`` and ``check``: what there is, and whether it is as it should be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from grognard.cli import rulebook, show
from grognard.cli.json_output import fault_record, plain, print_json
from grognard.cli.show import say
from grognard.core import open_files
from grognard.core.aid_views import UnitSheet
from grognard.core.errors import Fault, GrognardError, MalformedError
from grognard.core.ledger import Ledger, proofs
from grognard.core.open_files import Found


def list_scenarios(only: str, json: bool) -> None:
    """The scenarios of all games, or of one."""
    found = list(open_files.listed(only))
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


def _scenario_record(entry: open_files.Listed) -> dict[str, Any]:
    scenario = entry.scenario
    head = {"game": entry.game.name, "name": entry.name, "title": scenario.title, "sides": list(scenario.sides)}
    return {**head, "turns": scenario.turns, "briefing": scenario.briefing, **entry.summary}


# ---- rules -------------------------------------------------------------------------------------------


def show_rules(name: str, id: str, words: str, json: bool) -> None:
    """The ledger: all of it, a rule, a section, or what a search finds."""
    game = open_files.find_game(name)
    if words:
        found = rulebook.search(game, words)
    elif id:
        found = rulebook.find_rules(game, id)
    else:
        found = list(game.ledger.rules.values())
    if json:
        print_json(found)
        return
    if id and not words and (term := rulebook.find_term(game, id)):
        say(rulebook.term_line(term))
    for rule in found:
        say(rulebook.rule_line(rule))
    if not found:
        say(f"No rule has all of these words: {words}")


def show_coverage(name: str, tests: Path | None, json: bool) -> None:
    """Which rules no test proves. Ends with code 1 while there are any."""
    game = open_files.find_game(name)
    folder = _tests(tests)
    try:
        found = proofs(folder, game.name)
    except (SyntaxError, ValueError) as error:
        raise GrognardError(f"{folder}: can't read a test: {error}") from None
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
        open_files.find_game(only)
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
        found = open_files.recognise(path)
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
        open_files.open_save(path, found.raw)
    elif found.kind in open_files.LOADERS:
        open_files.LOADERS[found.kind](open_files.game_of(document, found.kind, only), document)
    elif found.kind == "rules":
        Ledger.load(path)
    elif found.kind == "map":
        open_files.load_map(document, only)
    else:
        open_files.charts_game(document, only).load_charts(document)


def show_units(name: str, word: str, json: bool) -> None:
    """The units of a game with their figures, all or those that have the word."""
    game = open_files.find_game(name)
    wanted = word.casefold().split()
    found = [sheet for sheet in game.units() if all(each in _words(sheet) for each in wanted)]
    if json:
        print_json(found)
        return
    if not found:
        raise GrognardError(f"{game.title} has no unit with {word!r}; 'grognard units {game.name}' lists them all")
    rows = [
        (sheet.id, sheet.name, sheet.nation, sheet.kind, show.figures_line(sheet.figures), sheet.provenance)
        for sheet in found
    ]
    if len(found) > ONE_BY_ONE:
        show.table(("id", "name", "nation", "type", "figures", "from"), rows)
        return
    for sheet in found:
        for line in show.unit_sheet(sheet):
            say(line)


#: Up to so many units are shown one by one with all their weapons; more are a table.
ONE_BY_ONE = 12


def _words(sheet: UnitSheet) -> str:
    return f"{sheet.id} {sheet.name} {sheet.nation} {sheet.kind}".casefold()


def show_force(path: Path, only: str, json: bool) -> None:
    """A player's force line by line, with what it costs; its faults otherwise."""
    document = open_files.recognise(path).document
    lines = open_files.game_of(document, "force", only).check_force(document)
    if json:
        print_json({"file": str(path), "lines": lines})
    else:
        for line in lines:
            say(line)
