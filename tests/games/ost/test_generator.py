"""Random battles: the same for the same seed, balanced, playable, and readable like any scenario."""

from __future__ import annotations

from collections import Counter

import pytest

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.resuming import load
from grognard.core.session import Session
from grognard.games.ost.game import GAME
from grognard.games.ost.generator import ATTACK, SIZES, TERRAINS, worth
from grognard.games.ost.roster import roster
from grognard.games.ost.scenario import Scenario
from tests.conformance.conftest import play


def force(scenario: Scenario, side: str) -> float:
    kinds = roster()
    units = sum(worth(kinds[unit.kind]) for unit in scenario.units if unit.side == side)
    return units + sum(worth(kinds[weapon.kind]) for weapon in scenario.weapons if weapon.side == side)


def test_the_same_seed_gives_the_same_battle_and_another_another() -> None:
    one, same, other = (GAME.random_battle(seed=seed) for seed in (7, 7, 8))
    assert one.source == same.source and one.battlefield == same.battlefield
    assert one.source != other.source
    assert GAME.random_battle(seed="a word").name.endswith("a_word")


@pytest.mark.parametrize("terrain", TERRAINS)
@pytest.mark.parametrize("size", list(SIZES))
def test_every_size_and_terrain_is_drawn(size: str, terrain: str) -> None:
    scenario = GAME.random_battle(size=size, year=1943, nations="german/soviet", terrain=terrain, seed=11)
    grid = scenario.battlefield.grid
    assert grid is not None and (grid.columns, grid.rows) == SIZES[size][:2]
    assert scenario.turns == SIZES[size].turns and len(scenario.control) == 3
    count = Counter(scenario.battlefield.terrain.values())
    assert count["open"] > len(grid.hexes) * 0.2
    assert count["light_structure"] + count["heavy_structure"] >= SIZES[size].houses // 2
    assert any(scenario.battlefield.roads.values())
    if terrain == "woods":
        assert count["woods"] >= len(grid.hexes) * 0.05
    if terrain == "hills":
        assert sum(level > 1 for level in scenario.battlefield.level.values()) >= 5


@pytest.mark.parametrize("year", range(1941, 1946))
@pytest.mark.parametrize("nations", [("german", "soviet"), ("soviet", "german"), ("british", "german")])
def test_units_fit_the_year_and_the_forces_are_balanced(year: int, nations: tuple[str, str]) -> None:
    scenario = GAME.random_battle(size="medium", year=year, nations="/".join(nations), seed=year)
    for unit in scenario.units:
        first, last = roster()[unit.kind].years
        assert first <= year <= last and roster()[unit.kind].nation == unit.side
    defender, attacker = (force(scenario, side) for side in nations)
    assert ATTACK * 0.85 <= attacker / defender <= ATTACK * 1.25


def test_roads_run_without_a_break_from_edge_to_edge() -> None:
    for seed in range(5):
        field = GAME.random_battle(size="medium", seed=seed).battlefield
        assert field.grid is not None
        for hex, ways in field.roads.items():
            for way in ways:
                other = field.grid.neighbor(hex, way)
                assert other is None or (way + 2) % 6 + 1 in field.roads[other], (seed, hex, way)


def test_a_random_battle_is_a_scenario_like_any_other() -> None:
    scenario = GAME.random_battle(seed=5)
    again = GAME.load_scenario(Document.from_toml(scenario.source, "again.toml"))
    assert again.units == scenario.units and again.battlefield == scenario.battlefield
    session = Session(GAME, scenario, seed=b"random")
    play(session, 1, 60)
    assert load(session.save(), GAME, again).digest == session.digest


@pytest.mark.parametrize("seed", range(3))
def test_random_battles_are_fought_to_the_end(seed: int) -> None:
    terrain = TERRAINS[seed]
    session = Session(GAME, GAME.random_battle(year=1942 + seed, terrain=terrain, seed=seed), seed=b"x")
    play(session, seed)
    assert session.over and session.result is not None


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"size": "huge"}, "no size 'huge'; there are small, medium, large"),
        ({"terrain": "desert"}, "no terrain 'desert'"),
        ({"nations": "german/german"}, "two different nations"),
        ({"nations": "german/italian"}, "there are american, british, german, soviet"),
        ({"year": 1939}, "german has no squads in 1939; it has from 1941 to 1945"),
        ({"year": 1941}, "american has no squads in 1941; it has from 1942 to 1945"),
    ],
)
def test_what_cannot_be_made_is_refused_with_what_can(choices: dict[str, str | int], message: str) -> None:
    with pytest.raises(GrognardError, match=message):
        GAME.random_battle(**choices)
