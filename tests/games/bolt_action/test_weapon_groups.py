"""What is kept of the weapons in hand is what looking afresh finds, all through random games."""

from __future__ import annotations

import random

import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.bolt_action import weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.shooting import weapon_groups
from grognard.kits.table.state import ON_TABLE


@pytest.mark.parametrize("name", ["bridge", "crossroads"])
def test_kept_weapons_are_the_weapons_in_hand(name: str) -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    session = Session(GAME, scenario, seed=b"in hand", snapshots=False)
    rng = random.Random(2)
    looked = 0
    while session.ask is not None and looked < 1_500:
        battle = session.battle
        assert isinstance(battle, BoltBattle)
        for unit in battle.units():
            if unit.status == ON_TABLE and unit.models:
                looked += 1
                afresh = weapon_groups._weapon_groups(battle, unit)
                assert weapon_groups.weapon_groups(battle, unit) == afresh, unit.id
                reaches = [
                    weapons.reach(battle, unit, held.slot, moved=False, indirect=False).most
                    for group in afresh
                    for held in group.weapons
                ]
                assert not reaches or weapon_groups.longest(battle, unit, False) == max(reaches)
        session.answer(rng.choice(session.ask.options).key, trusted=True)
    assert looked >= 1_500
