"""docs/command-line.md is true: its transcripts are played (tests/test_docs.py runs the rest)."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from grognard.cli import app
from grognard.cli.text_play import TextGame
from grognard.core.session import Session
from tests.cli.conftest import run_command
from tests.cli.stub import Duel, make_folder

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
TYPED = re.compile(r"^\w+> (.*)$", re.MULTILINE)


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks("text"))
def test_transcripts(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript is played by typing what it types; ``...`` stands for anything."""
    monkeypatch.chdir(ROOT)
    command, _, shown = block.partition("\n")
    typed = "".join(f"{line}\n" for line in [*TYPED.findall(shown), ""])
    told = run_command(*shlex.split(command.removeprefix("$ grognard ")), typed=typed).stdout
    same = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(shown, told, same), told


def test_the_position_is_the_one_in_the_file() -> None:
    assert blocks("toml") == [(ROOT / "docs" / "examples" / "hedge.toml").read_text()]


def test_every_command_and_all_that_can_be_typed_is_on_the_page(tmp_path: Path) -> None:
    from typer.main import get_command

    group: Any = get_command(app)
    assert set(re.findall(r"grognard (\w+)", PAGE)) - {"COMMAND"} == set(group.commands)
    game = Duel(make_folder(tmp_path / "duel"))
    table = TextGame(Session(game, game.random_battle()), {"red": None, "blue": None})
    words = {word for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for word in re.findall(r"`(\w+)", row)}
    assert words == set(table.commands)
