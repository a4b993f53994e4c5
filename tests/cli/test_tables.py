"""``try``, ``odds`` and ``los`` where there are no hexes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import GrognardError
from grognard.core.words import unit_called
from tests.cli.conftest import run_command

FARM = Path(__file__).parents[2] / "docs" / "examples" / "farm.toml"


def test_sight_between_units_by_id_and_by_name() -> None:
    by_id = run_command("los", FARM, "a1", "g2").stdout
    assert by_id == run_command("los", FARM, "Infantry squad", "panzer iv").stdout
    assert "The copse" in by_id and "[11.3]" in by_id


def test_sight_between_a_unit_and_a_point() -> None:
    assert "(20″ from the left, 6″ from the bottom)" in run_command("los", FARM, "g1", "20,30").stdout
    assert "neither a unit nor a place" in run_command("los", FARM, "g1", "nowhere", code=2).stderr


def test_a_name_that_several_have_is_not_guessed() -> None:
    names = {"a1": "Squad a1", "a2": "Squad a2"}
    assert unit_called("a2", names) == unit_called("squad A2", names) == "a2"
    with pytest.raises(GrognardError, match=r"could be Squad a1 \(a1\), Squad a2 \(a2\)"):
        unit_called("squad", names)
    assert unit_called("12,30", names) == "12,30"


def test_a_pose_is_tried_and_a_bad_one_refused_with_its_rule() -> None:
    told = run_command("try", FARM, "--do", "unit a1 / advance / pose 20 22 0").stdout
    assert "> pose 20 22 0" in told and "advances" in told
    refused = run_command("try", FARM, "--do", "unit a1 / advance / pose 20 12.5 0", code=2).stderr
    assert "at most 6″ [8.3]" in refused and "any 'pose' inside its area" in refused


def test_text_play_lists_poses_and_previews_them(tmp_path: Path) -> None:
    saved = tmp_path / "farm.save"
    run_command("try", FARM, "--save", saved)
    typed = "unit a1\nadvance\npreview pose 20 22 0\npreview pose 20 2 0\nlos a1 'panzer iv'\nquit\n"
    told = run_command("play", "--text", "--load", saved, "--sides", "human,human", typed=typed).stdout
    assert "or anywhere in reach: pose ACROSS DOWN HEADING" in told
    assert "Not allowed: " in told and "The copse" in told


def test_units_go_by_their_names_in_answers_too() -> None:
    told = run_command("try", FARM, "--do", "unit infantry squad / fire / at Panzer IV", code=2)
    assert "> unit a1" in told.stdout
    assert "it isn't in sight: The copse is in the way [11.1]" in told.stderr
    assert "The copse is in the way" in run_command("why", FARM, "Infantry squad fire panzer iv").stdout
    same = [run_command("odds", FARM, name, "fire", "at g1").stdout for name in ("unit a1", "unit Infantry")]
    assert same[0] == same[1]


def test_of_many_outcomes_the_likeliest_are_listed_and_the_others_added_up(tmp_path: Path) -> None:
    melee = tmp_path / "melee.toml"
    unit = '[[unit]]\nid = "{}"\nkind = "{}"\nhex = "D4"\n'
    melee.write_text(
        'game = "ost"\nturn = 5\nphase = "melee"\ninitiative = "german"\n[map]\ncolumns = 8\nrows = 8\n'
        + unit.format("p", "ger_pioneer")
        + 'weapons = ["ger_lmg"]\n'
        + unit.format("a", "us_rifle")
        + '[[melee]]\nhex = "D4"\ninitiator = "german"\n'
    )
    told = run_command("odds", melee, "none").stdout.splitlines()
    begin = next(n for n, line in enumerate(told) if line.lstrip()[:1].isdigit() and "%" in line)
    lines = told[begin : told.index("Each on its own (they overlap, so they don't add up to 100 %):")]
    assert len(lines) == 26 and "rarer outcomes" in lines[-1]
    assert sum(float(line.split()[0]) for line in lines) == pytest.approx(100, abs=0.2)
