"""What is remembered of shots is what looking afresh finds, all through random games."""

from __future__ import annotations

import random

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost.arms import bar_fire, shots, visible_targets
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.game import GAME
from grognard.games.ost.shot_memory import has_shot, looked_at


@pytest.mark.parametrize("name", ["print_works", "mill_farm", "causeway"])
def test_remembered_shots_are_the_shots_there_are(name: str) -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"memory", snapshots=False)
    rng = random.Random(5)
    looked = 0
    while session.ask is not None and looked < 150:
        battle = session.battle
        assert isinstance(battle, OstBattle)
        if session.ask.quiet and battle.state.phase == "play":
            looked += 1
            for side in battle.sides:
                targets = visible_targets(battle, side)
                keyed = looked_at(battle, side, targets)
                for unit in battle.units(side):
                    if bar_fire(battle, unit) is None:
                        afresh = next(shots(battle, unit, targets), None) is not None
                        assert has_shot(battle, unit, keyed) is afresh, unit.id
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    assert looked > 50
