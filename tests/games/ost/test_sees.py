"""Whether one unit sees another is what their sight says of it, all through random games."""

from __future__ import annotations

import random

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.game import GAME
from grognard.games.ost.line_of_sight import look
from grognard.games.ost.sight import counters_now, ground_now, sees, stance_of


@pytest.mark.parametrize("name", ["steppe", "print_works", "canal_bridge"])
def test_what_is_seen_is_what_the_line_of_sight_says(name: str) -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"sees", snapshots=False)
    rng = random.Random(8)
    seen = through = answers = 0
    while session.ask is not None and answers < 500:
        battle = session.battle
        assert isinstance(battle, OstBattle)
        if answers % 25 == 24 and battle.state.phase == "play":
            state = battle.state
            if answers % 50 == 49:  # more smoke than there ever is, and a house down
                state.smoke[rng.choice(battle.grid.hexes)] = 1
                houses = [h for h in battle.grid.hexes if battle.terrain(h).structure and h not in state.rubble]
                state.rubble.extend(houses[:1] if answers == 299 else [])
            ground, counters = ground_now(battle), counters_now(battle)
            first, second = battle.sides
            for unit in battle.units(first):
                for target in battle.units(second):
                    ends = stance_of(ground, battle, unit), stance_of(ground, battle, target)
                    clear = look(ground, *ends, counters).clear
                    assert sees(battle, unit, target) is clear, (answers, unit.id, target.id)
                    seen += clear
                    through += clear is not look(ground, *ends).clear
        answers += 1
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    assert seen > 100
    assert name != "canal_bridge" or through, "no counter ever stood in the way"
