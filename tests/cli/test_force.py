"""``grognard force``: what a player's force costs, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run

FORCE = """
game = "bolt_action"
title = "Rifles"
nation = "american"
year = 1944
points = 400
[[unit]]
kind = "us_2lt"
[[unit]]
kind = "us_squad"
count = 2
"""


def written(folder: Path, text: str) -> str:
    path = folder / "force.toml"
    path.write_text(text, "utf-8")
    return str(path)


def test_a_force_is_listed_with_its_price(tmp_path: Path, run: Run) -> None:
    lines = run("force", written(tmp_path, FORCE)).stdout.splitlines()
    assert lines[0] == "Rifles (American, 1944)"
    assert lines[-1].split() == ["306", "points", "of", "400,", "3", "order", "dice"]


def test_a_program_reads_it_as_json(tmp_path: Path, run: Run) -> None:
    listed = json.loads(run("force", written(tmp_path, FORCE), "--json").stdout)
    assert listed["lines"][0].startswith("Rifles")


def test_every_fault_is_told_with_its_line_and_what_would_be_right(tmp_path: Path, run: Run) -> None:
    faulty = FORCE.replace("points = 400", "points = 300").replace("count = 2", "count = 6")
    told = run("force", written(tmp_path, faulty), code=2).stderr
    assert "force.toml:6: points: the force costs 818 points (300 or less: 518 too many)" in told
    assert "force.toml:10: unit[2].kind: 6 of the role infantry squad (at most 5 (28.1))" in told


def test_check_knows_force_files(tmp_path: Path, run: Run) -> None:
    assert run("check", written(tmp_path, FORCE)).stdout.endswith("OK (force)\n")


def test_a_game_without_forces_says_so(tmp_path: Path, run: Run) -> None:
    told = run("force", written(tmp_path, FORCE.replace("bolt_action", "ost")), code=2).stderr
    assert "Old School Tactical has no force files" in told
