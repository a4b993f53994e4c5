"""Random battles: fair by construction, by the organisation table, of the year and the points that were chosen."""

from __future__ import annotations

import pytest

from grognard.core.errors import GrognardError
from grognard.games.company.charts import charts
from grognard.games.company.game import GAME
from grognard.games.company.roster import roster


@pytest.mark.parametrize("points", [300, 400, 500])
@pytest.mark.parametrize("nations", ["american/german", "british/german", "soviet/german"])
def test_both_companies_cost_about_the_same_and_are_well_organised(points: int, nations: str) -> None:
    found = GAME.random_battle(points=points, nations=nations, seed=7)
    kinds = roster()
    for side in found.sides:
        own = [kinds[placing.kind] for placing in found.units if placing.side == side]
        cost = sum(kind.points for kind in own)
        assert points * 0.85 <= cost <= points, (side, cost)
        assert sum(kind.commander for kind in own) == 1
        for role in charts().organisation.values():
            assert role.least <= sum(kind.role == role.id for kind in own) <= role.most or role.id == "commander"
        assert all(kind.years[0] <= 1944 <= kind.years[1] for kind in own)
    assert [objective.points for objective in found.objectives] == [2, 1, 1]


@pytest.mark.parametrize("terrain", ["open", "mixed", "close"])
def test_the_table_is_the_same_from_both_sides(terrain: str) -> None:
    table = GAME.random_battle(terrain=terrain, seed=3).table
    turned = {
        (piece.kind, frozenset((table.width - x, table.height - y) for x, y in piece.points)) for piece in table.pieces
    }
    assert turned == {(piece.kind, frozenset(piece.points)) for piece in table.pieces}


def test_close_country_has_more_on_it_than_open_country() -> None:
    counts = [len(GAME.random_battle(terrain=terrain, seed=5).table.pieces) for terrain in ("open", "mixed", "close")]
    assert counts[0] < counts[1] < counts[2]


def test_the_same_choices_give_the_same_battle() -> None:
    one, same, other = (GAME.random_battle(seed=seed) for seed in (1, 1, 2))
    assert one.source == same.source != other.source


@pytest.mark.parametrize(
    ("choices", "wrong"),
    [
        ({"points": 9000}, "200 to 600"),
        ({"nations": "german/german"}, "two different nations"),
        ({"terrain": "lunar"}, "no terrain 'lunar'"),
        ({"year": 1939}, "has no squads in 1939"),
        ({"weather": "fair"}, "weather"),
    ],
)
def test_what_cannot_be_is_refused(choices: dict[str, str | int], wrong: str) -> None:
    with pytest.raises(GrognardError, match=wrong):
        GAME.random_battle(**choices)
