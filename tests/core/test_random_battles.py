"""Battles made to order: choices, what is refused, and the file that is written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from random import Random

import pytest

from grognard.core.errors import GrognardError
from grognard.core.random_battles import Choice, RandomBattles, head_lines, unit_lines, years_of
from tests.core.toy import TOY


class Kind:
    def __init__(self, nation: str, first: int, last: int) -> None:
        self.nation, self.years = nation, (first, last)


KINDS = [Kind("red", 1941, 1942), Kind("red", 1944, 1945), Kind("blue", 1942, 1945)]


class Raids(RandomBattles):
    named_after = ("nations", "size")

    def choices(self) -> Sequence[Choice]:
        return (
            Choice("size", ("small", "large"), "small"),
            Choice("nations", ("red/blue",), "red/blue", open=True),
            Choice("year", ("1944",), "1944", open=True),
        )

    def squads(self) -> dict[str, set[int]]:
        return years_of(KINDS)

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        head = head_lines("toy", name, f'A "{chosen["size"]}" raid', chosen["year"], "Räder")
        more = unit_lines("red", {"squad": 2, "gun": 1}, more=lambda kind: ["hidden = true"] * (kind == "gun"))
        return "\n".join([*head, f"luck = {random.randrange(10**6)}", *more])


RAIDS = Raids()


def test_the_file_of_a_battle_can_be_read() -> None:
    document = RAIDS.document({"size": "large", "seed": "Hill 112"})
    assert document.name == "random_red_blue_large_hill_112.toml"
    data = tomllib.loads(document.text)
    assert data["title"] == 'A "large" raid' and data["date"] == "1944" and data["briefing"] == "Räder"
    assert data["side"]["red"]["unit"] == [
        {"kind": "squad", "count": 2},
        {"kind": "gun", "count": 1, "hidden": True},
    ]


def test_the_same_seed_gives_the_same_file_and_another_another() -> None:
    one, same, other = (RAIDS.document({"seed": seed}).text for seed in (7, "7", 8))
    assert one == same != other


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"size": "huge"}, "random battle: no size 'huge'; there are small, large"),
        ({"nations": "red/red"}, "two different nations are needed, not 'red/red'; there are blue, red"),
        ({"nations": "red"}, "two different nations are needed, not 'red'"),
        ({"nations": "red/green"}, "two different nations are needed, not 'red/green'"),
        ({"year": "never"}, "'never' is not a year; write year=1944"),
        ({"year": 1941}, "blue has no squads in 1941; it has from 1942 to 1945"),
        ({"year": 1943}, "red has no squads in 1943"),
        ({"sise": "small"}, "no choice for a random battle called 'sise'; did you mean 'size'?"),
    ],
)
def test_what_cannot_be_is_refused(choices: dict[str, str | int], says: str) -> None:
    with pytest.raises(GrognardError) as error:
        RAIDS.document(choices)
    assert says in str(error.value)


def test_a_game_without_random_battles_says_so() -> None:
    assert list(TOY.random_choices()) == []
    with pytest.raises(GrognardError, match="Toy makes no random battles"):
        TOY.random_battle(seed=1)
