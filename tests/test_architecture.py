"""Dependencies point one way: core, board, kits, games; players on core; lab, env and server, cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "grognard"
LAYERS = ["core", "board", "kits", "games", "players", "lab", "env", "server", "cli"]
ALLOWED = {
    "core": {"core"},
    "board": {"core", "board"},
    "kits": {"core", "board", "kits"},
    "games": {"core", "board", "kits", "games"},
    "players": {"core", "players"},
    "lab": {"core", "players", "lab"},
    "env": {"core", "players", "lab", "env"},
    "server": {"core", "players", "server"},
    "cli": set(LAYERS),
}
MODULES = sorted(SOURCE.rglob("*.py"))
#: Kits and games: inside each there is no import inside a function, and no cycle.
ROOMS = sorted(
    path for kind in ("kits", "games") for path in (SOURCE / kind).glob("*") if (path / "__init__.py").exists()
)


def imports(path: Path) -> set[str]:
    """Every grognard module that a file imports."""
    return {name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for name in names(node, path)}


def names(node: ast.AST, path: Path) -> Iterator[str]:
    """The grognard modules that a statement imports, and what it takes from them."""
    found = []
    if isinstance(node, ast.Import):
        found = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        assert node.level == 0, f"{path}: relative import"
        found = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return (name for name in found if name.split(".")[0] == "grognard")


def dotted(path: Path) -> str:
    """The dotted name of a module."""
    return ".".join(["grognard", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")


def layer(name: str) -> str:
    """The layer of a dotted module name, "" for the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else ""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    own = layer(dotted(path))
    if not own:
        return
    for name in imports(path):
        if layer(name):
            assert layer(name) in ALLOWED[own], f"{dotted(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_game_and_no_kit_imports_another(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    if parts[0] not in ("games", "kits") or len(parts) < 3:
        return
    for name in imports(path):
        pieces = name.split(".")
        if len(pieces) > 2 and pieces[1] == parts[0]:
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


# ---- inside a kit and a game -------------------------------------------------------------------------------


def imports_in_functions(path: Path) -> set[str]:
    """What a module imports inside its functions."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        name
        for function in ast.walk(tree)
        if isinstance(function, functions)
        for node in ast.walk(function)
        for name in names(node, path)
    }


def for_types(tree: ast.AST) -> set[ast.AST]:
    """What stands under ``if TYPE_CHECKING``: no module needs it to run."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }


def graph(room: Path) -> dict[str, set[str]]:
    """Which modules of a kit or a game import which others of it, in functions too."""
    modules = {dotted(path): path for path in sorted(room.rglob("*.py"))}
    found = {}
    for name, path in modules.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        typing = for_types(tree)
        wanted = {each for node in ast.walk(tree) if node not in typing for each in names(node, path)}
        found[name] = {each for each in wanted if each in modules and each != name and each != dotted(room)}
    return found


def knot(room: Path) -> set[str]:
    """The modules that are part of a cycle, without the room's name before them."""
    edges = graph(room)
    reach: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        todo = [start]
        while todo:
            for following in edges[todo.pop()] - seen:
                seen.add(following)
                todo.append(following)
        reach[start] = seen
    return {name.removeprefix(dotted(room) + ".") for name in edges if name in reach[name]}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_import_inside_a_function(room: Path) -> None:
    late = {dotted(path).removeprefix(dotted(room) + ".") for path in room.rglob("*.py") if imports_in_functions(path)}
    assert late == set(), "an import belongs at the top"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_no_cycle(room: Path) -> None:
    assert knot(room) == set(), "a cycle"
