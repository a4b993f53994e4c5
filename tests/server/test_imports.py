"""Files that somebody wrote, taken in as battles: situations and scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.live import Live, Table

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
SCENARIOS = sorted((ROOT / "src" / "grognard" / "games").glob("*/scenarios/*.toml"))


@pytest.mark.parametrize("name", ["hedge.toml", "farm.toml"])
def test_a_situation_is_played_from_where_it_was_set_up(name: str, live: Live) -> None:
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    made = live.web.post("/api/battles/import", json={"save": text, "players": {"2": "normal"}, "free_undo": True})
    assert made.status_code == 201, made.text
    table = Table(live, made.json())
    assert table.battle["mode"] == "solo"
    (side,) = table.tokens.keys() - {"watcher"}
    units = table.state(side)["view"]["units"]
    assert {unit["id"] for unit in units} >= {"a1", "g1"}
    # What was taken in is kept like any battle: it can be saved, and the file taken in again.
    again = live.web.post("/api/battles/import", json={"save": table.call("GET", "/save", side).text})
    assert again.status_code == 201, again.text


@pytest.mark.parametrize("path", [SCENARIOS[0], SCENARIOS[-1]], ids=lambda path: path.stem)
def test_a_scenario_begins_at_its_beginning(path: Path, live: Live) -> None:
    made = live.web.post("/api/battles/import", json={"save": path.read_text(encoding="utf-8")})
    assert made.status_code == 201, made.text
    assert made.json()["battle"]["title"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ((EXAMPLES / "faulty.toml").read_text(encoding="utf-8"), "ger_rifel"),
        ('game = "ost"\n[map]\ncolumns = 3\nrows = 3\n', "not a saved game, a situation"),
        ('game = "chess"\n[[unit]]\nid = "a"\n', "chess"),
        ("just some words", "the file"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, word: str, live: Live) -> None:
    bad = live.web.post("/api/battles/import", json={"save": text})
    assert bad.status_code == 400 and bad.json()["error"] == "malformed"
    assert word in bad.text


def test_a_map_beside_the_server_is_not_read(live: Live) -> None:
    """A file may name a map, but none that lies elsewhere on the server's machine."""
    for name in ("../../etc/passwd", "/etc/passwd"):
        text = f'game = "ost"\nmap = "{name}"\n[[unit]]\nid = "a1"\nkind = "us_rifle"\nhex = "A1"\n'
        bad = live.web.post("/api/battles/import", json={"save": text})
        assert bad.status_code == 400 and "root:" not in bad.text


def test_a_file_that_is_too_large(live: Live) -> None:
    bad = live.web.post("/api/battles/import", json={"save": "#" * (300 * 1024)})
    assert bad.status_code == 413
