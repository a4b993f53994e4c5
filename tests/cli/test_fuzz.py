"""Whatever is in a file, `check` says OK or what is wrong; it never ends in a traceback.

The files of every game are taken as they come and spoilt: bytes changed, or values of the wrong kind put in the
place of right ones.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from grognard.cli import app
from grognard.core import open_files, registry
from grognard.core.game import Game
from grognard.core.session import Session
from tests.cli.conftest import run_command
from tests.games.ost.helpers import to_toml

RELAXED = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
FOLDER = Path(__file__).parent
SITUATIONS = {
    "ost": FOLDER / "situation.toml",
    "bolt_action": FOLDER / "table_situation.toml",
    "company": FOLDER / "company_situation.toml",
}
#: Charts are long, and half of them says as much: from where to where.
CHARTS = {
    "ost": ("[terrain.", "[hexside"),
    "bolt_action": ("[orders]", "[order_test]"),
    "company": ("[training]", "[to_hit]"),
}
KINDS = {"situation": "toml", "scenario": "toml", "map": "geojson", "charts": "toml", "save": "save", "force": "toml"}
FILES = [
    f"{game.name}-{kind}.{ending}"
    for game in registry.games()
    for kind, ending in KINDS.items()
    if kind != "force" or type(game).check_force is not Game.check_force
]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 12)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "A1",
            "D4",
            "german",
            "american",
            "g1",
            "a1",
            "ger_rifle",
            "us_squad",
            "A1-Z99",
            "A1:D4",
            "2d6",
            "D6",
            "woods",
            "",
        ]
    )
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner))


@cache
def originals() -> dict[str, bytes]:
    """A good file of every kind of every game."""
    return {name: content for game in registry.games() for name, content in files_of(game).items() if name in FILES}


def files_of(game: Game) -> dict[str, bytes]:
    """A good file of every kind."""
    scenario: Any = game.random_battle(seed=1)
    session = Session(game, scenario, seed=b"1")
    for _ in range(12):
        assert session.ask is not None
        session.answer(session.ask.options[0].key)
    field = scenario.table if hasattr(scenario, "table") else scenario.battlefield
    small = field.to_geojson()
    small["features"] = small["features"][:12]
    charts = (game.folder / "charts.toml").read_text(encoding="utf-8")
    first, last = map(charts.index, CHARTS[game.name])
    forces = sorted(game.folder.glob("lists/*.toml"))
    found = {
        "situation": SITUATIONS[game.name].read_bytes(),
        "scenario": scenario.source.encode(),
        "map": json.dumps(small).encode(),
        "charts": charts[first:last].encode(),
        "save": session.save(),
        "force": forces[0].read_bytes() if forces else b"",
    }
    return {f"{game.name}-{kind}.{KINDS[kind]}": content for kind, content in found.items()}


def parsed(name: str) -> Any:
    raw = originals()[name]
    return tomllib.loads(raw.decode()) if name.endswith(".toml") else json.loads(raw)


def written(name: str, data: Any) -> bytes:
    if name.endswith(".toml"):
        return to_toml({key: value for key, value in without_none(data).items() if value is not None}).encode()
    return json.dumps(data).encode()


def without_none(data: Any) -> Any:
    """TOML has no null."""
    if isinstance(data, dict):
        return {key: without_none(value) for key, value in data.items() if value is not None}
    return [without_none(each) for each in data if each is not None] if isinstance(data, list) else data


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a file."""
    if path:
        yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def run(*words: str) -> Result:
    """Run a command that may be refused, but not fail."""
    result = CliRunner().invoke(app, words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 2)
    return result


def check(folder: Path, name: str, content: bytes) -> None:
    """Check a file that may be anything; a position that is found good can be played."""
    path = folder / name
    path.write_bytes(content)
    result = run("check", str(path))
    assert ("OK" in result.stdout) == (result.exit_code == 0)
    if result.exit_code == 2:
        assert str(path) in result.stderr, result.stderr
    elif "(situation)" in result.stdout or "(scenario)" in result.stdout:
        assert run("try", str(path)).exit_code == 0


@pytest.mark.parametrize("name", FILES)
def test_the_originals_are_good(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(originals()[name])
    run_command("check", path)


@RELAXED
@given(content=st.binary(max_size=200), name=st.sampled_from(["x.toml", "x.geojson", "x.save", "x"]))
def test_any_bytes(tmp_path: Path, content: bytes, name: str) -> None:
    check(tmp_path, name, content)


@pytest.mark.parametrize("name", FILES)
@RELAXED
@given(data=st.data())
def test_changed_bytes(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = bytearray(originals()[name])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        end = min(len(content), at + data.draw(st.integers(0, 12)))
        content[at:end] = data.draw(st.binary(max_size=4) | st.sampled_from([b"=", b"]", b'"', b"\n[[unit]]\n", b"-1"]))
    check(tmp_path, name, bytes(content))


@pytest.mark.parametrize("name", FILES)
@RELAXED
@given(data=st.data())
def test_wrong_values(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = parsed(name)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(content))))
        inner = content
        for key in path[:-1]:
            inner = inner[key]
        change = data.draw(st.sampled_from(["put", "put", "drop", "twice"]))
        if change == "put":
            inner[path[-1]] = data.draw(values)
        elif change == "drop":
            del inner[path[-1]]
        elif isinstance(inner, list):
            inner.append(inner[path[-1]])
        if not isinstance(content, dict) or not list(places(content)):
            break
    check(tmp_path, name, written(name, content))


def test_recognise_is_total(tmp_path: Path) -> None:
    """Every good file is known for what it is."""
    for name, content in originals().items():
        (tmp_path / name).write_bytes(content)
        assert open_files.recognise(tmp_path / name).kind == name.partition("-")[2].partition(".")[0]


@pytest.mark.parametrize("name", [name for name in FILES if "save" not in name])
def test_a_file_that_does_not_name_its_game_is_known_by_what_is_in_it(name: str, tmp_path: Path) -> None:
    content = parsed(name)
    named = content.pop("game", "")
    assert named in ("", name.partition("-")[0])
    (tmp_path / name).write_bytes(written(name, content))
    run_command("check", tmp_path / name)
