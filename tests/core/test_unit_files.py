"""A user's own units laid over a game's, and one unit with figures of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core import open_files
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.session import Session
from tests.cli.conftest import run_command

MINE = """
[[unit]]
id = "ger_rifle"
fp = 5
reduced = { fp = 3 }

[[unit]]
id = "my_squad"
name = "My Squad"
nation = "german"
kind = "squad"
class = "rifle"
fp = 6
range = 6
defense = 4
move = 4
reduced = { fp = 3, range = 6, defense = 3, move = 4 }
"""


def test_an_owner_lays_his_own_counters_over_ours() -> None:
    found = open_files.find_game("ost").load_units(Document.from_toml(MINE, "units.toml"))
    rifle, mine = found["ger_rifle"], found["my_squad"]
    assert (rifle.fp, rifle.range, rifle.reduced.fp, rifle.reduced.defense) == (5, 6, 3, 3), "the rest stays ours"
    assert rifle.provenance == mine.provenance == "yours" and found["us_rifle"].provenance == "reconstructed"
    assert mine.squad and mine.foot


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[unit]]\nid = "ger_rifle"\nfpp = 5', 'mine.toml:3: unit[1].fpp: unknown key "fpp" (did you mean "fp"?)'),
        ('[[unit]]\nid = "ger_rifle"\nfp = "five"', "mine.toml:3: unit[1].fp: a text 'five' (a number, such as 4)"),
        ("[[unit]]\nfp = 5", "mine.toml:1: unit[1]: a unit without id"),
        (
            '[[unit]]\nid = "new_one"\nfp = 5',
            "unit[1]: \"name\" is missing: new_one is not one of our units (name = 'Rifle Squad')",
        ),
        ('[[unit]]\nid = "ger_rifle"\nfp = -1', "mine.toml:3: unit[1].fp: -1 is less than 0 (0 or more)"),
        ('[[unit]]\nid = "ger_rifle"\nreduced = { fp = -2 }', "unit[1].reduced.fp: -2 is less than 0"),
        ('[[unit]]\nid = "ger_rifle"\n[[unit]]\nid = "ger_rifle"', "unit ger_rifle appears twice"),
        ('[[unit]]\nid = "ger_rifle"\nreduced = { luck = 1 }', 'unit[1].reduced.luck: unknown key "luck"'),
    ],
)
def test_faults_of_a_users_units_have_their_line_and_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(MalformedError) as error:
        open_files.find_game("ost").load_units(Document.from_toml(text, "mine.toml"))
    assert says in str(error.value)


def test_the_users_folder_is_looked_at_by_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess
    import sys

    folder = tmp_path / "grognard" / "ost"
    folder.mkdir(parents=True)
    (folder / "units.toml").write_text(MINE)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    told = subprocess.run(
        [sys.executable, "-m", "grognard", "units", "ost", "my_squad"], capture_output=True, text=True, check=True
    ).stdout
    assert "my_squad: My Squad, german rifle squad" in told and "(yours)" in told and "fp 6" in told


def test_check_knows_a_file_of_units(tmp_path: Path) -> None:
    path = tmp_path / "units.toml"
    path.write_text(MINE)
    assert f"{path}: OK (units)" in run_command("check", path).stdout
    path.write_text(MINE.replace("fp = 5", "pf = 5"))
    assert "unit[1].pf" in run_command("check", path, code=2).stderr


def situation(unit: str) -> Session:
    text = f"""
game = "ost"
[map]
columns = 8
rows = 8
[[unit]]
id = "g1"
kind = "ger_rifle"
hex = "D4"
{unit}
[[unit]]
id = "g2"
kind = "ger_rifle"
hex = "E4"
[[unit]]
id = "a1"
kind = "us_rifle"
hex = "D6"
"""
    game = open_files.find_game("ost")
    scenario, state = game.load_situation(Document.from_toml(text, "one.toml"))
    return Session(game, scenario, state=state, script=())


def test_a_situation_gives_one_unit_figures_of_its_own() -> None:
    session = situation("figures = { fp = 9, reduced = { fp = 8 } }")
    battle = session.battle
    assert (battle.firepower(battle.unit("g1")), battle.firepower(battle.unit("g2"))) == (9, 4)
    assert battle.type(battle.unit("g1")).reduced.fp == 8 and battle.type(battle.unit("g1")).reduced.defense == 3
    session.answer("fire g1")
    assert [tally.total for tally in session.odds("at a1 own").tallies[0][1:2]] == [9]
    again = open_files.open_save("kept", session.save())
    assert again.battle.firepower(again.battle.unit("g1")) == 9, "a save has them too"
    assert session.game.tactics(session.scenario) is not None


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ("{ fpp = 9 }", 'one.toml:10: unit[1].figures.fpp: unknown key "fpp"'),
        ('{ nation = "american" }', 'unit[1].figures.nation: "nation" can\'t be changed'),
        ('{ fp = "many" }', "unit[1].figures.fp: a text 'many'"),
    ],
)
def test_wrong_figures_are_faults_with_their_place(figures: str, says: str) -> None:
    with pytest.raises(MalformedError) as error:
        situation(f"figures = {figures}")
    assert says in str(error.value)


def test_one_unit_of_a_table_has_figures_of_its_own() -> None:
    text = """
game = "bolt_action"
drawn = "german"
[table]
width = 48
height = 36
[[unit]]
id = "g1"
kind = "ger_mmg"
at = [20, 20]
figures = { points = 65, special = ["fanatics"] }
[[unit]]
id = "a1"
kind = "us_squad10"
at = [20, 5]
heading = 180
"""
    game = open_files.find_game("bolt_action")
    scenario, state = game.load_situation(Document.from_toml(text, "one.toml"))
    battle = Session(game, scenario, state=state, script=()).battle
    assert battle.type(battle.unit("g1")).points == 65 and battle.has(battle.unit("g1"), "fanatics")
    with pytest.raises(MalformedError, match="weapons for"):
        game.load_situation(Document.from_toml(text.replace("points = 65", "models = 7"), "one.toml"))


def test_units_lists_counters_with_guns_by_range() -> None:
    told = run_command("units", "ost", "pak 40").stdout
    assert "ger_pak40: 75mm PaK 40, german anti-tank gun" in told
    assert "hexes 0-6: to hit 6, ap 11" in told and "he 4" in told
    table = run_command("units", "ost").stdout
    assert "ger_rifle" in table and "us_m4a1" in table
    assert "no unit with 'elephant'" in run_command("units", "ost", "elephant", code=2).stderr
    assert "Medium machine gun: no. 1, range 36″, shots 4" in run_command("units", "bolt_action", "ger_mmg").stdout
