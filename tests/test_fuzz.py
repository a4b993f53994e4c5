"""``python -m tests.fuzz``: that a run is the same again, finds what is wrong, and goes on where it was."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from grognard.core import registry
from grognard.core.battle import Battle
from grognard.core.events import Asked
from grognard.core.open_files import listed, open_save
from tests.fuzz import Journal, Row, drawn, main, plans, play, rest

GAME = type(registry.game("ost"))


def test_every_battle_comes_up_and_small_ones_more_often() -> None:
    found = Counter(plan.battle for plan in plans(200, "1"))
    assert set(found) >= {f"{each.game.name}/{each.name}" for each in listed()}
    assert {f"random:game={game.name}" for game in registry.games()} <= set(found)
    assert found["ost/training_ground"] > found["ost/two_columns"]
    assert plans(200, "1")[:50] == plans(50, "1"), "more games begin with the same"


def test_battles_to_order_differ_and_are_the_same_again() -> None:
    some = plans(4, "1", "random:game=ost")
    assert len({drawn(plan) for plan in some}) == 4
    assert [drawn(plan) for plan in some] == [drawn(plan) for plan in plans(4, "1", "random:game=ost")]


def test_a_game_is_the_same_again_also_with_a_greedy_player_in_it() -> None:
    plan = plans(1, "1", "training_ground")[0]._replace(share=0.2)
    lines: list[list[str]] = [[], []]
    rows = [play(plan, 100, lines[n].append)[0] for n in range(2)]
    assert not rows[0].wrong
    assert lines[0] == lines[1] and len(lines[0]) == rows[0].answers > 0


def test_what_is_wrong_is_told_with_all_that_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def third(self: object, battle: Battle[object]) -> list[str]:
        given = sum(isinstance(event, Asked) for event in battle.log)
        return ["two men share a hat"] if given >= 3 else []

    monkeypatch.setattr(GAME, "invariants", third)
    out = tmp_path / "run.jsonl"
    arguments = ["--games", "1", "--only", "training_ground", "--out", str(out)]
    assert main(arguments) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "ost/training_ground" in said and "seed '1 0'" in said and "answer 3" in said and "hat" in said
    session = open_save(tmp_path / "run-0.save")
    assert len(session.answers) == 2 and session.ask is not None
    row = json.loads(out.read_text().splitlines()[1])
    assert row["key"] in [option.key for option in session.ask.options]
    assert main(["--again", "0", "--only", "training_ground"]) == 1
    assert f"-> {row['key']}" in capsys.readouterr().out
    monkeypatch.undo()
    assert main(arguments) == 0, "what went wrong is tried again"


def test_a_fault_of_the_program_is_told_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, battle: object) -> list[str]:
        raise KeyError("hat")

    monkeypatch.setattr(GAME, "invariants", broken)
    row, save = play(plans(1, "1", "training_ground")[0], 100)
    assert row.answers == 1 and "KeyError: 'hat'" in row.wrong and save


def test_a_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run.jsonl"
    run = ["--only", "training_ground", "--limit", "20", "--out", str(out)]
    assert main([*run, "--games", "2"]) == 0
    with out.open("a") as file:
        file.write('{"number": 2, "batt')  # it was killed while it wrote
    assert main([*run, "--games", "3"]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert [row["number"] for row in rows] == [0, 1, 2]
    assert all(row["answers"] == 20 and not row["over"] for row in rows), "a game is left at its limit"
    assert main([*run, "--seed", "2"]) == 2
    assert "another run" in capsys.readouterr().err


def test_no_game_begins_when_time_is_up(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    assert main(["--games", "5", "--minutes", "-1", "--out", str(out)]) == 0
    assert len(out.read_text().splitlines()) == 1


def test_games_that_went_wrong_are_played_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run.jsonl", {})
    some = plans(3, "1", "training_ground")
    for plan in some[:2]:
        journal.add(Row(number=plan.number, battle=plan.battle, seed=plan.seed, share=0.0, wrong="!" * plan.number))
    assert [plan.number for plan in rest(some, journal)] == [1, 2]


def test_a_name_that_no_battle_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "waterloo"]) == 2
    assert "waterloo" in capsys.readouterr().err
