"""The pages of the game are true: their examples load, and the modules and scenarios that they name are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grognard.core.files import Document
from tests.games.company.playing import GAME

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "company.md").read_text(encoding="utf-8")
FILES = (ROOT / "docs" / "company-files.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", FILES, re.S)


@pytest.mark.parametrize(
    ("number", "read"), list(enumerate((GAME.load_scenario, GAME.load_situation, GAME.check_force)))
)
def test_the_examples_load(number: int, read: object) -> None:
    assert len(EXAMPLES) == 3 and callable(read)
    assert read(Document.from_toml(EXAMPLES[number], "example.toml"))


def test_the_modules_that_are_named_exist_and_all_chapters_are_named() -> None:
    table = PAGE[PAGE.index("## Where to find a rule") :]
    named = set(re.findall(r"`(\w+\.py)`", table))
    there = {path.name for path in GAME.folder.rglob("*.py")}
    assert named <= there
    first = {path.name: path.read_text(encoding="utf-8").split("\n", 1)[0] for path in GAME.folder.glob("*.py")}
    chapters = {name for name, line in first.items() if re.search(r"\(\d", line)}
    others = {"scenario.py", "scenario_file.py", "invariants.py", "chronicle.py", "battle.py", "why.py", "forces.py"}
    assert not {name for name in chapters - named - others if not name.endswith("_events.py")}


def test_the_scenarios_that_are_listed_are_those_that_there_are() -> None:
    listed = re.findall(r"^\| `(\w+)` \| ", PAGE[PAGE.index("Six scenarios") : PAGE.index("## Where to find")], re.M)
    assert sorted(listed) == sorted(GAME.scenario_files())


def test_the_answers_that_are_listed_are_verbs_of_the_game() -> None:
    verbs = {help.verb for help in GAME.verbs()}
    told = PAGE[PAGE.index("## How to answer") : PAGE.index("## Measuring")]
    first = {words.split()[0] for words in re.findall(r"`([a-z_]+[^`]*)`", told)}
    plain = {"all", "give", "rest", "deal", "hold", "he", "shot", "mg", "t3@14,30.5,90"}
    assert {word for word in first if word.isidentifier()} - plain <= verbs
