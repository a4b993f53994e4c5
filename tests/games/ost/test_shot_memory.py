"""What is remembered of shots is what looking afresh finds, all through random games."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Iterator

import pytest

from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.ost.arms import bar_fire, shots, visible_targets
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.game import GAME
from grognard.games.ost.line_of_sight import look
from grognard.games.ost.shot_memory import firer, has_shot, looked_at
from grognard.games.ost.sight import counters_now, ground_now, sees, spotter, spotting_range, stance_of
from grognard.games.ost.turn import impulse_options


def quiet_moments(name: str, seed: bytes, most: int) -> Iterator[OstBattle]:
    """The battles of a random game at its Impulses, in a copy each time that may be changed."""
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=seed, snapshots=False)
    rng = random.Random(5)
    looked = 0
    while session.ask is not None and looked < most:
        battle = session.battle
        assert isinstance(battle, OstBattle)
        if session.ask.quiet and battle.state.phase == "play":
            looked += 1
            yield battle
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    assert looked > 30


@pytest.mark.parametrize("name", ["print_works", "mill_farm", "causeway"])
def test_remembered_shots_are_the_shots_there_are(name: str) -> None:
    for battle in quiet_moments(name, b"memory", 150):
        for side in battle.sides:
            targets = visible_targets(battle, side)
            keyed = looked_at(battle, side)
            assert [target.unit for target in keyed.values()] == targets
            for unit in battle.units(side):
                if bar_fire(battle, unit) is None:
                    afresh = next(shots(battle, unit, targets), None) is not None
                    assert has_shot(battle, firer(battle, unit), keyed) is afresh, unit.id


@pytest.mark.parametrize("name", sorted(GAME.scenario_files()))
def test_remembered_options_are_the_options_there_are(name: str) -> None:
    """For the side that is asked and for the other, whose units change while it is not."""
    offered = set()
    for battle in quiet_moments(name, b"near", 60):
        for side in battle.sides:
            recalled = impulse_options(battle, side)
            memory, battle.unit_memory, battle.shot_memory = (battle.unit_memory, battle.shot_memory), None, None
            assert recalled == impulse_options(battle, side)
            battle.unit_memory, battle.shot_memory = memory
            offered |= {option.verb for option in recalled}
    assert "move" in offered


@pytest.mark.parametrize("name", ["steppe", "mill_farm"])
def test_quick_sight_and_spotting_are_what_following_each_line_says(name: str) -> None:
    """Counters on the way are counted first, and the line is followed only where they could matter."""
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"counters", snapshots=False)
    rng = random.Random(3)
    looked = obscured = 0
    while session.ask is not None and looked < 60:
        battle = session.battle
        assert isinstance(battle, OstBattle)
        state = battle.state
        if session.ask.quiet and state.phase == "play":
            looked += 1
            hexes = battle.grid.hexes
            while len(state.smoke) < 12:  # more smoke than anybody would lay
                state.smoke[rng.choice(hexes)] = 1
            ground, counters = ground_now(battle), counters_now(battle)
            units = [unit for side in battle.sides for unit in battle.units(side)]
            for _ in range(40):
                one, two = rng.sample(units, 2)
                plain = look(ground, stance_of(ground, battle, one), stance_of(ground, battle, two), counters)
                assert sees(battle, one, two) is plain.clear
                obscured += bool(plain.degraded)
                spots, hex = spotter(battle, one), rng.choice(hexes)
                if spots is not None and battle.grid.distance(one.hex, hex) <= spotting_range(battle, one):
                    there = look(ground, stance_of(ground, battle, one), ground.default_stance(hex), counters)
                    assert spots(hex) is there.clear
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    assert looked > 30 and obscured > 100


def test_what_is_remembered_does_not_hold_its_battle() -> None:
    """Thoughts make thousands of battles; each goes at once, not when rubbish is collected."""
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["steppe"]))
    battle = GAME.battle(scenario, GAME.begin(scenario), ScriptedDice(()))
    impulse_options(battle, battle.sides[0])
    assert battle.unit_memory is not None and battle.shot_memory is not None
    gone = weakref.ref(battle)
    gc.disable()
    try:
        del battle
        assert gone() is None
    finally:
        gc.enable()
