"""Random battles on a table: what is offered and refused, and the file that is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from grognard.board.table.terrain import Kind
from grognard.core.errors import GrognardError
from grognard.core.random_battles import years_of
from grognard.kits.table.forces import draw_force, serving
from grognard.kits.table.generator import TableRandomBattles
from tests.kits.table.stands.charts import MEASURE, charts


class Company(NamedTuple):
    id: str
    name: str
    nation: str
    years: tuple[int, int] = (1943, 1944)
    points: int = 10
    role: str = "company"


KINDS = [Company(f"{nation}_line", "Line", nation) for nation in ("american", "german")]
KINDS.append(Company("german_guard", "Guard", "german", (1945, 1945), 15))


class Meetings(TableRandomBattles[Company]):
    """Companies of stands; with many points the table is wider."""

    game, measure, nations = "stands", MEASURE, {"american": "Red", "german": "Blue"}
    offered, least, most = ("20", "40", "60"), 20, 90
    depth = 30

    def squads(self) -> dict[str, set[int]]:
        return years_of(KINDS)

    def kinds(self) -> Mapping[str, Kind]:
        known = charts().kinds
        return {"woods": replace(known["spinney"], name="woods"), "building": replace(known["barn"], name="building")}

    def size(self, points: int) -> tuple[int, int]:
        return (200 if points > 50 else 150), 100

    def briefing(self, points: int, country: str) -> str:
        return f"{points} points in {country}"

    def head(self, chosen: Mapping[str, str]) -> Iterable[str]:
        return (f"turns = {len(chosen['points'])}",)

    def force(self, nation: str, year: int, points: int, random: Random) -> list[Company]:
        return draw_force(serving(KINDS, nation, year), points, lambda _: [], {"company": 9}, {}, random)


def made(**given: str | int) -> dict[str, Any]:
    data: dict[str, Any] = Meetings().document(given).data
    return data


def test_the_usual_battle_is_of_the_middle_price() -> None:
    data = made()
    assert data["name"] == "random_40_1944_american_german_mixed_0" and data["game"] == "stands"
    assert (data["title"], data["date"], data["briefing"]) == ("Red against Blue", "1944", "40 points in mixed country")
    assert data["turns"] == 2, "what the game adds to its heads"
    assert data["side"]["german"]["unit"] == [{"kind": "german_line", "count": 4}]


@pytest.mark.parametrize(("points", "wide"), [(40, 150), (60, 200)])
def test_each_side_has_its_strip_and_the_objectives_lie_between(points: int, wide: int) -> None:
    data = made(points=points, nations="german/american")
    assert data["table"]["size"] == [wide, 100]
    zones = {side: each["zone"] for side, each in data["side"].items()}
    assert zones == {
        "german": [{"name": "south", "points": [[0, 70], [wide, 70], [wide, 100], [0, 100]]}],
        "american": [{"name": "north", "points": [[0, 0], [wide, 0], [wide, 30], [0, 30]]}],
    }
    told = [(each["name"], each["at"], each["points"]) for each in data["objective"]]
    assert told == [
        ("The middle", [wide / 2, 50], 2),
        ("The west", [wide / 5, 50], 1),
        ("The east", [wide * 0.8, 50], 1),
    ]


def test_close_country_has_more_on_it_than_open_country() -> None:
    few, many = (len(made(terrain=terrain)["terrain"]) for terrain in ("open", "close"))
    assert 0 < few < many


def test_a_side_has_what_served_in_its_year() -> None:
    assert [kind.id for kind in serving(KINDS, "german", 1945)] == ["german_guard"]
    assert [kind.id for kind in serving(KINDS, "german", 1944)] == ["german_line"]


@pytest.mark.parametrize(
    ("choices", "wrong"),
    [
        ({"points": 19}, "'19' points; a force may have 20 to 90"),
        ({"points": 91}, "20 to 90"),
        ({"points": "many"}, "'many' points"),
        ({"year": 1945}, "american has no squads in 1945"),
        ({"terrain": "lunar"}, "no terrain 'lunar'; there are open, mixed, close"),
    ],
)
def test_what_cannot_be_is_refused(choices: dict[str, str | int], wrong: str) -> None:
    with pytest.raises(GrognardError, match=wrong):
        made(**choices)
