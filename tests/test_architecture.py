"""Dependencies point one way: core, board, games, players, lab, env and server, cli."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "grognard"
LAYERS = ["core", "board", "games", "players", "lab", "env", "server", "cli"]
ALLOWED = {
    "core": {"core"},
    "board": {"core", "board"},
    "games": {"core", "board", "games"},
    "players": {"core", "board", "games", "players"},
    "lab": {"core", "board", "games", "players", "lab"},
    "env": {"core", "board", "games", "players", "lab", "env"},
    "server": {"core", "board", "games", "players", "server"},
    "cli": set(LAYERS),
}
MODULES = sorted(SOURCE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Every grognard module that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "grognard"}


def layer(name: str) -> str:
    """The layer of a dotted module name, "" for the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else ""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    dotted = ".".join(["grognard", *path.relative_to(SOURCE).with_suffix("").parts])
    own = layer(dotted)
    if not own:
        return
    for name in imports(path):
        if layer(name):
            assert layer(name) in ALLOWED[own], f"{dotted} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_game_imports_another(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    if parts[0] != "games" or len(parts) < 3:
        return
    for name in imports(path):
        pieces = name.split(".")
        if len(pieces) > 2 and pieces[1] == "games":
            assert pieces[2] == parts[1], f"{path} imports {name}"


def test_nothing_outside_a_game_names_it() -> None:
    games = [p.name for p in (SOURCE / "games").iterdir() if p.is_dir() and not p.name.startswith("_")]
    for path in MODULES:
        if path.relative_to(SOURCE).parts[0] == "games":
            continue
        words = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            elif isinstance(node, ast.Name):
                words.add(node.id)
        assert not words & set(games), f"{path} names {words & set(games)}"
