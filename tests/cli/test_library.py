"""scenarios, rules, check: on a game that the command line has never heard of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, install
from tests.cli.stub import SCENARIO, Duel

RunJson = Callable[..., Any]


def test_scenarios(duel: Duel, run: Run, run_json: RunJson) -> None:
    lines = run("scenarios").stdout.splitlines()
    assert lines[0].split() == ["game", "name", "title", "sides", "turns", "map", "units"]
    assert "meeting" in lines[2] and "red, blue" in lines[2] and lines[2].endswith("4")
    listed = run_json("scenarios", "--game", "duel")
    assert [entry["name"] for entry in listed] == ["brawl", "meeting"]
    assert listed[1]["units"] == 4 and listed[1]["sides"] == ["red", "blue"] and listed[1]["map"] == "a field"


def test_an_unknown_game_gets_the_nearest_name(duel: Duel, run: Run) -> None:
    assert "no game called 'deul'; did you mean 'duel'?" in run("scenarios", "--game", "deul", code=2).stderr
    assert "no game called 'xyz'; there is only duel" in run("rules", "xyz", code=2).stderr


def test_a_faulty_scenario_of_the_game_is_told(duel: Duel, run: Run) -> None:
    bad = duel.folder / "scenarios" / "bad.toml"
    bad.write_text('name = "bad"\n[side.red]\nmen = "two"\n')
    assert "bad.toml:" in run("scenarios", code=2).stderr


def test_no_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    install(monkeypatch, Duel(tmp_path))
    assert "no scenarios" in run("scenarios").stdout
    assert "there is no scenario to play" in run("play", "--text", code=2).stderr


# ---- rules -------------------------------------------------------------------------------------------


def test_rules(duel: Duel, run: Run, run_json: RunJson) -> None:
    assert len(run("rules", "duel").stdout.splitlines()) == 4
    assert run("rules", "duel", "1.2").stdout == "1.2 (procedure) A target may duck.\n"
    assert len(run("rules", "duel", "1").stdout.splitlines()) == 4
    assert run("rules", "duel", "--search", "DUCK target").stdout.startswith("1.2")
    assert "No rule has" in run("rules", "duel", "--search", "tanks").stdout
    assert run_json("rules", "duel", "1.3") == [{"id": "1.3", "kind": "procedure", "text": "A shaken man stays."}]
    assert "did you mean" in run("rules", "duel", "1.9", code=2).stderr


def test_coverage(duel: Duel, tmp_path: Path, run: Run, run_json: RunJson) -> None:
    tests = tmp_path / "proofs"
    tests.mkdir()
    proof = tests / "test_duel.py"
    proof.write_text('@pytest.mark.rule("duel", "1.1", "1.2", "9.9")\ndef test_it(): ...\n')
    told = run("rules", "duel", "--coverage", "--tests", tests, code=1).stdout.splitlines()
    assert told == [
        "1.3 (procedure) A shaken man stays.",
        "1.4 (procedure) Look.",
        "test_duel.py::test_it proves rule 9.9, which is not in the ledger",
        "duel: 2 of 4 rules proved",
    ]
    record = run_json("rules", "duel", "--coverage", "--tests", tests, code=1)
    assert (record["proved"], record["of"]) == (2, 4) and record["unknown"] == {"9.9": ["test_duel.py::test_it"]}
    proof.write_text('@pytest.mark.rule("duel", "1.1", "1.2", "1.3", "1.4")\ndef test_it(): ...\n')
    assert run("rules", "duel", "--coverage", "--tests", tests).stdout == "duel: 4 of 4 rules proved\n"
    proof.write_text("def (:")
    assert "can't read a test" in run("rules", "duel", "--coverage", "--tests", tests, code=2).stderr
    assert "say where they are" in run("rules", "duel", "--coverage", "--tests", tmp_path / "no", code=2).stderr


def test_coverage_finds_the_tests_beside_or_in_the_repository(duel: Duel, tmp_path: Path, run: Run) -> None:
    assert "of 4 rules proved" in run("rules", "duel", "--coverage", code=1).stdout
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_duel.py").write_text('@mark.rule("duel", "1.4")\nclass TestIt: ...\n')
    assert "duel: 1 of 4" in run("rules", "duel", "--coverage", code=1).stdout


# ---- check -------------------------------------------------------------------------------------------


def test_check_tells_files_apart_by_their_content(duel: Duel, situation: Path, tmp_path: Path, run: Run) -> None:
    save = tmp_path / "game"
    run("play", "meeting", "--text", "--sides", "random,random", "--save", save, "-q")
    charts = tmp_path / "mine.toml"
    charts.write_text("[shot]\nneeded = 8\n[weather.fog]\nreach = 1\n")
    rules = tmp_path / "ledger.toml"
    rules.write_text('[[rule]]\nid = "1"\nkind = "procedure"\ntext = "Do it."\n')
    scenario = duel.folder / "scenarios" / "brawl.toml"
    told = run("check", save, situation, scenario, charts, rules).stdout.splitlines()
    assert told == [
        f"{path}: OK ({kind})"
        for path, kind in [
            (save, "save"),
            (situation, "situation"),
            (scenario, "scenario"),
            (charts, "charts"),
            (rules, "rules"),
        ]
    ]


def test_check_tells_all_faults_of_all_files(duel: Duel, tmp_path: Path, run: Run, run_json: RunJson) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text('[[unit]]\nid = "a"\nside = "green"\n[[unit]]\nid = "b"\nside = "grey"\n')
    two.write_text('[shot]\nneeded = "8"\nneded = 8\n[weather.fog]\n')
    told = run("check", one, two, code=2)
    assert told.stdout == ""
    assert told.stderr.splitlines() == [
        f"{one}:3: unit[1].side: no side green (red or blue)",
        f"{one}:6: unit[2].side: no side grey (red or blue)",
        f"{two}:2: shot.needed: a text '8' (a number, such as 7)",
        f'{two}:3: shot.neded: unknown key "neded" (did you mean "needed"?)',
        f'{two}:4: weather.fog: "reach" is missing (reach = 3)',
    ]
    records = run_json("check", one, two, code=2)
    assert [record["ok"] for record in records] == [False, False]
    assert records[0]["faults"][1] == {
        "file": str(one),
        "line": 6,
        "place": "unit[2].side",
        "wrong": "no side grey",
        "right": "red or blue",
    }


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.toml", b"turns = ", "a.toml:1: not valid TOML"),
        ("a.toml", b"x = 1\ny = [1,\n\n", "a.toml:4: not valid TOML"),
        ("a.toml", b"x = 1\n\xff\xfe", "a.toml:2: not UTF-8 text (save the file as UTF-8)"),
        ("a.toml", b"", "a.toml: neither a scenario nor"),
        ("a.toml", b"weather = 3", "a.toml: neither a scenario nor"),
        ("a.json", b"[1, 2", "a.json: not valid JSON"),
        ("a.json", b"[1, 2]", "a.json: neither a scenario nor"),
        ("a.toml", b"{\"format\": 1}", "a.toml: neither a scenario nor"),
        ("a.toml", b"x = " + b"[" * 100_000, "a.toml"),
        ("a.toml", b"x = " + b"9" * 5000, "a.toml"),
        ("a.json", b"[" * 100_000, "a.json"),
        ("a.toml", b'game = "chess"\n[side.red]\n', 'a.toml:1: game: no game called "chess" (game = "duel")'),
        ("a.toml", b'game = 7\n[side.red]\n', 'a.toml:1: game: no game called "7" (game = "duel")'),
        ("a.geojson", b'{"type": "FeatureCollection", "features": []}', "has no map files"),
        ("a.toml", b'[[rule]]\nid = 7\n', "a.toml:2: rule[1].id"),
        ("a.save", b'{"format": "grognard save", "version": 99}', "version 99 (this program reads version 1)"),
        ("a.save", b'{"format": "grognard save", "version": 1}', "Object missing required field"),
        ("a.save", b'{"answers": [], "digest": ""}', 'format: not a saved game (one begins with "grognard save")'),
    ],
)  # fmt: skip
def test_bad_files(duel: Duel, tmp_path: Path, run: Run, name: str, content: bytes, says: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    told = run("check", path, code=2).stderr
    assert says in told and str(path) in told


def test_what_is_no_file(duel: Duel, tmp_path: Path, run: Run) -> None:
    assert "can't be read: No such file" in run("check", tmp_path / "none.toml", code=2).stderr
    assert "can't be read: Is a directory" in run("check", tmp_path, code=2).stderr
    run("check", "a\0b.toml", code=2)


def changed(save: Path, **fields: Any) -> Path:
    """A copy of a save with some fields changed."""
    copy = save.with_name("changed.save")
    copy.write_text(json.dumps({**json.loads(save.read_text()), **fields}))
    return copy


def test_bad_saves(duel: Duel, tmp_path: Path, run: Run) -> None:
    save = tmp_path / "good.save"
    run("play", "meeting", "--text", "--sides", "random,random", "--seed", "7", "--save", save, "-q")
    good = json.loads(save.read_text())
    cases: dict[str, dict[str, Any]] = {
        'changed.save: game: no game called "chess" (duel)': {"game": "chess"},
        "rules: a save under rules version 8 (the rules of duel are at version 1)": {"rules": 8},
        "seed: non-hexadecimal": {"seed": "zz"},
        "seed: a seed has 1 to 64 bytes": {"seed": "00" * 65},
        "answers[1]: green cannot answer here (Red to answer: Your shot)": {"answers": [["green", "x", False]]},
        "answers[1]: 'x' is not an answer to": {"answers": [["red", "x", False]]},
        "digest: its answers do not lead to its state": {"answers": good["answers"][:3]},
        "changed.save: its scenario:1: not valid TOML": {"source": "name ="},
        "the battle is over": {"answers": good["answers"] * 2},
        "answers[2]: 9 9 is not a result of 2d6": {
            "script": [9, 9],
            "answers": [["red", "shoot r0 b0", False], ["blue", "pass", False]],
        },
    }
    for says, fields in cases.items():
        for command in ("check", "replay", "try", "draw"):
            assert says in run(command, changed(save, **fields), code=2).stderr
        told = run("play", "--text", "--load", changed(save, **fields), code=2).stderr
        assert says in told


# ---- several games -----------------------------------------------------------------------------------


def test_several_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, run_json: RunJson) -> None:
    one, two = Duel(make(tmp_path / "one")), Duel(make(tmp_path / "two"), "joust", "The Joust")
    install(monkeypatch, one, two)
    assert len(run_json("scenarios")) == 4 and len(run_json("scenarios", "--game", "joust")) == 2
    told = run("play", "meeting", "--text", code=2).stderr
    assert "several games have a scenario called 'meeting'; choose duel/meeting or joust/meeting" in told
    assert run_json("play", "joust/meeting", "--text", "--sides", "random,random")["game"] == "joust"
    assert run_json("play", "meeting", "--game", "joust", "--text", "--sides", "random,random")["game"] == "joust"
    nameless = tmp_path / "nameless.toml"
    nameless.write_text(SCENARIO.format(name="n", title="N", turns=4, men=1).split("\n", 1)[1])
    told = run("check", nameless, code=2).stderr
    assert 'nameless.toml:1: game: it doesn\'t say which game it belongs to (game = "duel" or game = "joust")' in told
    assert "OK" in run("check", nameless, "--game", "joust").stdout


def make(folder: Path) -> Path:
    from tests.cli.stub import make_folder

    return make_folder(folder)
