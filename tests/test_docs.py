"""The documentation is true: its examples run, its links lead somewhere, and what it lists is what there is."""

from __future__ import annotations

import doctest
import os
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import msgspec
import pytest

from grognard.core import open_files, registry

# The figures that come with the game are meant, not those of whoever runs the tests.
os.environ.setdefault("XDG_DATA_HOME", "/nonexistent")

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
OST = DOCS / "old-school-tactical.md"

FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$")


def name(path: Path) -> str:
    """A page as the tests call it."""
    return str(path.relative_to(ROOT))


each_page = pytest.mark.parametrize("page", PAGES, ids=name)


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, with the line on which each begins."""
    language, start = None, 0
    lines: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if fence and language is None:
            language, start, lines = fence[2].strip(), number, []
        elif fence:
            assert language is not None
            yield Block(start, language, "\n".join(lines) + "\n")
            language = None
        elif language is not None:
            lines.append(line)
    assert language is None, f"{name(page)}:{start}: the block is never closed"


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    inside, kept = False, []
    for line in page.read_text(encoding="utf-8").splitlines():
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


# ---- examples ----------------------------------------------------------------------------------------


def run_doctest(test: doctest.DocTest) -> None:
    """Run the examples of a text; what went wrong is the assertion's message."""
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not result.failed, "".join(said)


@each_page
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = page.read_text(encoding="utf-8").splitlines()
    text = "\n".join("" if FENCE.match(line) else line for line in lines) + "\n"
    run_doctest(doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0))


@each_page
def test_other_python_code_compiles(page: Path) -> None:
    for block in blocks(page):
        if block.language == "python" and ">>>" not in block.text:
            compile("\n" * block.line + block.text, str(page), "exec")


def module_names() -> Iterator[str]:
    """Every module with examples in its docstrings."""
    for path in sorted((SOURCE / "grognard").rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(SOURCE).with_suffix("").parts)


@pytest.mark.parametrize("module", list(module_names()))
def test_examples_in_docstrings_run(module: str) -> None:
    found = doctest.DocTestFinder(exclude_empty=True).find(import_module(module))
    assert found
    for test in found:
        run_doctest(test)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output that is shown."""
    command, shown = "", ""
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], ""
        elif command:
            shown += line + "\n"
    if command:
        yield command, shown


@each_page
def test_console_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands after ``$ grognard …`` in a console block is what it prints; ``...`` stands for anything."""
    from typer.testing import CliRunner

    from grognard.cli import app

    monkeypatch.chdir(ROOT)
    checker = doctest.OutputChecker()
    for block in blocks(page):
        if block.language != "console":
            continue
        for command, shown in commands(block):
            program, *words = shlex.split(command)
            assert program == "grognard", f"{name(page)}:{block.line}: {command}"
            result = CliRunner().invoke(app, words)
            where = f"{name(page)}:{block.line}: {command}\n{result.output}\n{result.exception!r}"
            same = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert not shown or checker.check_output(shown, result.output, same), where


# ---- links -------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    found: set[str] = set()
    for line in prose(page).splitlines():
        heading = HEADING.match(line)
        if heading:
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            found.add(re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-"))
    return found


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name(page)}: nothing at {target}"
        assert file.is_relative_to(ROOT), f"{name(page)}: {target} leads out of the project"
        if anchor:
            assert anchor in anchors(file), f"{name(page)}: no heading for {target}"


def test_every_page_is_in_the_index() -> None:
    linked = set(LINK.findall((DOCS / "index.md").read_text(encoding="utf-8")))
    assert {page.name for page in DOCS.glob("*.md")} - {"index.md"} <= linked


@each_page
def test_pages_name_no_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.~])/(work|root|home|tmp|Users)/", text)


# ---- what is listed is what there is ------------------------------------------------------------------


def test_the_readme_lists_the_commands() -> None:
    from typer.main import get_command

    from grognard.cli import app

    group: Any = get_command(app)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `grognard (\w+)`", text, re.MULTILINE))
    assert table == set(group.commands)
    used = {word for page in PAGES for word in re.findall(r"`grognard ([a-z]+)", page.read_text(encoding="utf-8"))}
    assert used <= set(group.commands)


def test_every_option_is_on_the_page_with_its_default() -> None:
    from grognard.games.ost.optional_rules import OptionalRules

    rows = dict(re.findall(r"^\| `(\w+)` +\| `([^`]+)`", OST.read_text(encoding="utf-8"), re.MULTILINE))
    defaults = {
        field.name: msgspec.json.encode(field.default).decode() for field in msgspec.structs.fields(OptionalRules)
    }
    assert rows == defaults


def test_rulings_are_numbered_without_gaps() -> None:
    found: dict[str, list[int]] = {}
    for letter, number in re.findall(r"^- \*\*([A-Z])-(\d+)\*\* ", OST.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(letter, []).append(int(number))
    assert set(found) == set("SGTAMLFWKVXDHCOPZY")
    for letter, numbers in found.items():
        assert numbers == list(range(1, len(numbers) + 1)), letter


def test_rulings_cited_in_the_code_are_on_the_page() -> None:
    page = OST.read_text(encoding="utf-8")
    for path in (SOURCE / "grognard" / "games" / "ost").rglob("*.py"):
        for id in re.findall(r"\b[SGTAMLFWKVXDHCOPZY]-\d+\b", path.read_text(encoding="utf-8")):
            if id not in SHELLS:
                assert f"**{id}**" in page, f"{path.name} cites {id}"


#: Results of the combat tables and names of tanks look like rulings, but are none.
SHELLS = frozenset({"T-34", "C-47"})


def test_modules_named_on_the_page_exist_and_all_chapters_are_named() -> None:
    folder = SOURCE / "grognard" / "games" / "ost"
    page = OST.read_text(encoding="utf-8")
    table = page[page.index("## Where to find a rule") :]
    named = set(re.findall(r"`([\w/]+\.(?:py|toml))`", table))
    assert all((folder / file).exists() for file in named)
    modules = [path for path in folder.rglob("*.py") if path.parent.name != "tactics"]
    chapters = {path.relative_to(folder).as_posix() for path in modules if re.search(r"\(\d", _first_line(path))}
    assert chapters - named <= {"why.py", "battle.py"}


def _first_line(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("\n", 1)[0]


def test_the_readme_counts_the_rules() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for game in registry.games():
        assert f"{len(game.ledger.rules)} of {game.title}" in text


def test_the_pictures_are_of_positions_that_load() -> None:
    for path in sorted((DOCS / "pictures").glob("*.toml")):
        open_files.open_position(str(path))
        assert ElementTree.parse(path.with_suffix(".svg")).getroot().tag.endswith("svg")
