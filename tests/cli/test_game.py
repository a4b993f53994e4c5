"""The command line with the game that there is, some of it as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grognard.core import open_files, registry
from tests.cli.conftest import Run

SITUATION = Path(__file__).parent / "situation.toml"
ROOT = Path(__file__).parents[2]


def program(*words: object, typed: str = "", code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m grognard`` as a process."""
    result = subprocess.run(
        [sys.executable, "-m", "grognard", *map(str, words)],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=300,
    )
    assert result.returncode == code, f"{words}: {result.returncode}\n{result.stdout}\n{result.stderr}"
    assert "Traceback" not in result.stderr
    return result


# ---- a whole game ------------------------------------------------------------------------------------


def test_a_whole_game_of_the_smallest_scenario_by_typing(run: Run) -> None:
    """Both sides always take the last option: passing, stopping and holding fire when they may."""
    game, scenario = open_files.smallest()
    lines = ["help", "map", "units", "luck", "log 3", "briefing", "rules impulse", "undo"]
    typed = "\n".join(lines + ["1"] * 20 + ["odds 1", "why", ""] + ["1"] * 4000)
    told = run("play", "--text", "--seed", "7", "--sides", "human,human", "--no-board", typed=typed).stdout
    assert told.startswith(f"{scenario.title} ({game.title})")
    assert "Seed: 7" in told and "rolls match it" in told and ("wins: " in told or "A draw: " in told)


def test_a_whole_game_against_the_random_player(tmp_path: Path, run: Run) -> None:
    save = tmp_path / "game.save"
    typed = "\n".join(["1"] * 4000)
    words = ("play", "--text", "--seed", "3", "--sides", "human,random", "--save", save, "--no-board")
    assert "Seed: 3" in run(*words, typed=typed).stdout
    record = json.loads(run("replay", save, "--json").stdout)
    assert record["over"] and record["fair"] and record["digest"] == json.loads(save.read_text())["digest"]


@pytest.mark.parametrize("game", registry.names())
def test_a_scenario_plays_itself(game: str, run: Run) -> None:
    """One of each game; that every scenario can be played to its end is seen in tests/conformance."""
    name = next(iter(registry.game(game).scenario_files()))
    record = json.loads(run("play", name, "--text", "--sides", "random,random", "--seed", "1", "--json").stdout)
    assert record["over"] and record["fair"] and record["result"]["reason"]


def test_play_goes_on_from_a_save_made_in_the_middle(tmp_path: Path, run: Run) -> None:
    save = tmp_path / "middle.save"
    typed = "\n".join(["1"] * 9)
    run("play", "--text", "--seed", "3", "--sides", "human,human", "--save", save, typed=typed)
    assert len(json.loads(save.read_text())["answers"]) == 9
    told = run("play", "--text", "--load", save, "--sides", "random,random", "-q").stdout
    assert "Seed: 3" in told
    assert "OK (save)" in run("check", save).stdout and "lead to the state" in run("replay", save).stdout
    assert "<svg" in run("draw", save).stdout


# ---- the referee -------------------------------------------------------------------------------------


def test_try_in_a_situation(run: Run) -> None:
    record = json.loads(run("try", SITUATION, "--json").stdout)
    keys = [option["key"] for option in record["ask"]["options"]]
    assert "fire g1" in keys and [unit["id"] for unit in record["state"]["units"]][:3] == ["g1", "g2", "g3"]
    seen = json.loads(run("try", SITUATION, "--as", "american", "--json").stdout)
    assert "g3" not in [unit["id"] for unit in seen["state"]["units"]], "the hidden squad"
    assert "mines" not in json.dumps(seen)
    told = run("try", SITUATION, "--do", "fire g1 / at a1 own+w1", "--dice", "6,6").stdout
    assert "Rifle Squad a1 is eliminated [" in told and "American: Your Impulse" in told


def test_odds_and_sight_in_a_situation(run: Run) -> None:
    record = json.loads(run("odds", SITUATION, "fire g1", "at a1 own+w1", "--json").stdout)
    assert record["exact"] and sum(each["probability"] for each in record["outcomes"]) == pytest.approx(1)
    assert {tally["what"] for tally in record["tallies"]} >= {"Firepower", "Defense"}
    report = json.loads(run("los", SITUATION, "g1", "a1", "--json").stdout)
    assert report["sight"]["clear"] and report["text"].startswith("D4 to G5, range 3: clear")
    assert "neither a hex nor a unit" in run("los", SITUATION, "g1", "Z99", code=2).stderr
    assert "neither a hex nor a unit" in run("los", SITUATION, "a1", "g3", "--as", "american", code=2).stderr


def test_maps_can_be_checked_drawn_and_turned_into_geojson(tmp_path: Path, run: Run) -> None:
    sketch = tmp_path / "field.toml"
    sketch.write_text('[map]\nname = "field"\ncolumns = 4\nrows = 3\nterrain = { woods = "B2" }\n')
    out = tmp_path / "field.geojson"
    assert "OK (map)" in run("check", sketch).stdout
    run("draw", sketch, "-o", out)
    assert "OK (map)" in run("check", out).stdout
    assert run("draw", out, "--format", "svg").stdout == run("draw", sketch).stdout
    assert "W woods" in run("draw", out, "--format", "txt").stdout
    sketch.write_text(sketch.read_text().replace("woods", "wods"))
    assert 'field.toml:5: map.terrain.wods: unknown terrain "wods"' in run("check", sketch, code=2).stderr
    run("draw", SITUATION, "-o", out)
    assert json.loads(out.read_text())["type"] == "FeatureCollection"


def test_random_battles(run: Run) -> None:
    words = ("--text", "--sides", "random,random", "--seed", "1", "--json")
    assert json.loads(run("play", "random:seed=5,terrain=hills", *words).stdout)["over"]
    for choice in ("size=huge", "year=never", "year=1812", "nations=german", "nations=german/martian", "terrain=moon"):
        assert "random battle: " in run("play", f"random:{choice}", "--text", code=2).stderr


def test_what_comes_with_a_game_is_good(run: Run) -> None:
    files = [path for each in registry.games() for path in sorted(each.folder.rglob("*.*json"))]
    files += [path for each in registry.games() for path in each.scenario_files().values()]
    files += [each.folder / "charts.toml" for each in registry.games()]
    assert len(run("check", *files).stdout.splitlines()) == len(files)


# ---- as a program ------------------------------------------------------------------------------------


def test_the_program() -> None:
    assert json.loads(program("scenarios", "--json").stdout)
    assert "Usage" in program(code=2).stderr + program(code=2).stdout
    assert program("check", "none.toml", code=2).stderr.startswith("none.toml: can't be read: No such file")
    assert "did you mean" in program("play", "first_patrl", "--text", code=2).stderr
    told = program("play", "--text", "--seed", "1", typed="1\nquit\n\n").stdout
    assert "Save in which file?" in told


def test_the_end_of_input_leaves_the_game(tmp_path: Path) -> None:
    save = tmp_path / "kept.save"
    assert f"Saved in {save}" in program("play", "--text", "--seed", "1", "--save", save, typed="1\n1\n").stdout
    assert len(json.loads(save.read_text())["answers"]) >= 2


def test_a_terminal_with_few_letters() -> None:
    result = program("play", "--text", "--seed", "1", typed="1\nquit\n\n", PYTHONIOENCODING="ascii")
    assert "?" in result.stdout


def test_a_reader_that_goes_away() -> None:
    """``grognard rules GAME | head -1``."""
    words = [sys.executable, "-m", "grognard", "rules", registry.names()[0]]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_coverage_has_the_line_that_scripts_read(run: Run) -> None:
    name = registry.names()[0]
    record = json.loads(program("rules", name, "--coverage", "--json", code=_coverage_code(name)).stdout)
    assert record["of"] == len(registry.game(name).ledger.to_prove) and not record["unknown"]


def _coverage_code(name: str) -> int:
    from grognard.core.ledger import proofs

    proved = proofs(ROOT / "tests", name)
    return 0 if all(rule.id in proved for rule in registry.game(name).ledger.to_prove) else 1


def test_the_command_line_starts_light() -> None:
    """What only some commands need is imported when they run."""
    code = "import sys, grognard.cli; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "rich", "msgspec", "grognard.core.session", "grognard.games"} & set(modules)


def test_a_save_carries_the_users_own_map(tmp_path: Path, run: Run) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    maps = next(path for game in registry.games() for path in (game.folder / "maps").glob("first_patrol.geojson"))
    scenario = maps.parents[1] / "scenarios" / "first_patrol.toml"
    (here / "mine.geojson").write_bytes(maps.read_bytes())
    (here / "mine.toml").write_text(scenario.read_text().replace('map = "first_patrol"', 'map = "mine"'))
    saved = there / "game.save"
    run("play", str(here / "mine.toml"), "--text", "--sides", "random,random", "--seed", "3", "--save", str(saved))
    (here / "mine.geojson").unlink()
    run("replay", str(saved))
