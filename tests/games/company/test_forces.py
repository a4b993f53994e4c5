"""Force files: what a company costs, the organisation table, and every fault with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.games.company.charts import FOLDER
from grognard.games.company.game import GAME
from tests.games.company.playing import battle_of, platoon, unit_of

LISTS = sorted((FOLDER / "lists").glob("*.toml"))

GOOD = """game = "company"
title = "Rifles"
nation = "american"
year = 1944
points = 260
[[unit]]
kind = "us_commander"
[[unit]]
kind = "us_rifles"
count = 2
[[unit]]
kind = "us_hmg_platoon"
training = "elite"
teams = { us_hmg = 2 }
"""


def check(text: str) -> list[str]:
    return GAME.check_force(Document.from_toml(text, "force.toml"))


def faults(text: str) -> str:
    with pytest.raises(MalformedError) as caught:
        check(text)
    return str(caught.value)


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_example_lists_are_sound(path: Path) -> None:
    lines = GAME.check_force(Document.read(path))
    assert "points of" in lines[-1] and "Units" in lines[-1] and "no commander" not in lines[-1]


def test_there_are_two_lists_for_each_of_four_nations() -> None:
    nations = [Document.read(path).data["nation"] for path in LISTS]
    assert sorted(nations) == ["american"] * 2 + ["british"] * 2 + ["german"] * 2 + ["soviet"] * 2


def test_a_force_in_words_with_its_price() -> None:
    assert check(GOOD) == [
        "Rifles (American, 1944)",
        "   15  Company commander (Veteran, 1 Company Commander)",
        "  158  2 x Rifle platoon (Veteran, 1 Platoon Leader, 9 Rifle team, 1 Bazooka team)",
        "   43  HMG platoon (Elite, 1 Platoon Leader, 2 HMG team)",
        "  216  points of 260, 3 Units",
    ]


@pytest.mark.rule("company", "14.11")
def test_a_force_without_a_commander_is_warned() -> None:
    lines = check(GOOD.replace('[[unit]]\nkind = "us_commander"\n', ""))
    assert lines[-1].endswith("no commander: with half of its Units lost the company retreats")


def test_all_faults_of_a_force_are_told_at_once_with_their_lines() -> None:
    told = faults(
        GOOD.replace("points = 260", "points = 100")
        .replace("count = 2", "count = 1")
        .replace('training = "elite"', 'training = "brave"')
        .replace("us_hmg = 2", "us_hmg = 40, us_57 = 1")
        + '[[unit]]\nkind = "ger_tiger_platoon"\n[[unit]]\nkind = "us_artillery"\ncount = 2\n'
    )
    for wrong in (
        "1 of the role Rifle, grenadier, pioneer and armoured infantry platoons (2 such as",
        'force.toml:13: unit[3].training: unknown training "brave"',
        "40 of us_hmg (0 to 14)",
        'unknown Team "us_57"',
        "Tiger platoon is German (a unit that is American)",
        "2 of the role Howitzer and rocket batteries (at most 1 (2.1))",
        "100 or less",
    ):
        assert wrong in told, told


def test_a_unit_out_of_its_time_is_refused() -> None:
    assert "Rifle platoon in 1941 (it served from 1942 to 1945)" in faults(GOOD.replace("year = 1944", "year = 1941"))


def test_losses_in_words() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", (10, 30), (13, 30), size=5),
        platoon("us_rifles", "a2", (30, 30)),
        platoon("ger_grenadiers", "g1", at=(20, 5)),
    )
    gone = unit_of(battle, "a2")
    gone.status, gone.models = "lost", []
    assert GAME.losses(battle) == {"american": ["1 Rifle platoon", "3 Teams of other Units"], "german": []}
