"""The stub game, and a short word for running a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from grognard.cli import app
from grognard.core import open_files, registry
from tests.cli.stub import SITUATION, Duel, make_folder

Run = Callable[..., Result]


def run_command(*words: object, typed: str = "", code: int = 0) -> Result:
    """Run ``grognard WORDS`` in this process; what it ends with must be ``code``."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=typed)
    told = f"{words}: code {result.exit_code}\n{result.stdout}\n{result.stderr}"
    assert result.exception is None or isinstance(result.exception, SystemExit), f"{told}\n{result.exception!r}"
    assert result.exit_code == code, told
    assert "Traceback" not in result.output
    if code == 2:
        assert result.stderr.strip() or "--json" in words, told
    return result


@pytest.fixture
def run() -> Run:
    return run_command


@pytest.fixture
def run_json() -> Callable[..., Any]:
    def run(*words: object, code: int = 0) -> Any:
        return json.loads(run_command(*words, "--json", code=code).stdout)

    return run


def install(monkeypatch: pytest.MonkeyPatch, *games: Duel) -> None:
    """Make the registry know these games alone."""
    known = {game.name: game for game in games}
    monkeypatch.setattr(registry, "names", lambda: tuple(known))
    monkeypatch.setattr(registry, "game", known.__getitem__)
    open_files.chart_names.cache_clear()


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Duel:
    """The only game there is is the stub."""
    game = Duel(make_folder(tmp_path / "duel"))
    install(monkeypatch, game)
    monkeypatch.chdir(tmp_path)
    return game


@pytest.fixture
def situation(duel: Duel, tmp_path: Path) -> Path:
    """A position of the stub."""
    path = tmp_path / "line.toml"
    path.write_text(SITUATION)
    return path
