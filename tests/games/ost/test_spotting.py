"""What the sight of the whole map says of spotting is what each line says, counters or not."""

from __future__ import annotations

import random

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.game import GAME
from grognard.games.ost.sight import sight_hex, spotter, spotting_range


@pytest.mark.rule("ost", "107.5", "107.6", "58.2")
@pytest.mark.parametrize("fallen", [0, 5])
@pytest.mark.parametrize("name", ["print_works", "the_gully", "mill_farm"])
def test_spotting_by_the_map_agrees_with_every_line(name: str, fallen: int) -> None:
    session = Session(
        GAME, GAME.load_scenario(Document.read(GAME.scenario_files()[name])), seed=b"spots", snapshots=False
    )
    rng = random.Random(2)
    for _ in range(250):
        assert session.ask is not None
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    battle = session.battle
    assert isinstance(battle, OstBattle)
    for hex in rng.sample(battle.grid.hexes, 12):
        battle.state.smoke[hex] = 1
    houses = [hex for hex in battle.grid.hexes if battle.terrain(hex).structure]
    for hex in rng.sample(houses, min(fallen, len(houses))):
        battle.state.rubble.append(hex)
    looked = 0
    for side in battle.sides:
        for unit in battle.units(side):
            spots = spotter(battle, unit)
            if spots is None:
                continue
            for hex in battle.grid.hexes:
                looked += 1
                near = battle.grid.distance(unit.hex, hex) <= spotting_range(battle, unit)
                assert spots(hex) is (near and sight_hex(battle, unit, hex).clear), (unit.id, hex)
    assert looked > 1000
