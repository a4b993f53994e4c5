"""Pins (6): placed, counted, lost, and too many of them."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import pins, victory
from grognard.games.bolt_action.turn_events import Destroyed, Pinned, Unpinned
from grognard.kits.table.state import LOST
from tests.games.bolt_action.play import answer, field, happened, play, tally, unit

ENEMY = unit("ger_infantry", "g1", at=(20, 2), heading=180)


@pytest.mark.rule("bolt_action", "6.3", "5.1")
@pytest.mark.parametrize(("kind", "base"), [("sov_rifles", 8), ("us_squad", 9), ("us_paras", 10)])
def test_pins_equal_to_base_morale_destroy_a_unit(kind: Any, base: Any) -> None:
    battle = field(unit(kind, "x1", at=(20, 40)), ENEMY)
    squad = battle.unit("x1")
    pins.add(battle, squad, base - 1, "6.1")
    assert pins.settle(battle, squad) is False and squad.pins == base - 1
    pins.add(battle, squad, 1, "6.1")
    assert pins.settle(battle, squad) is True and squad.status == LOST
    assert happened(battle, Destroyed)[0].rules == ("6.3",)


@pytest.mark.rule("bolt_action", "6.3")
def test_an_officer_does_not_help_against_too_many_pins() -> None:
    """It is the base morale that counts, without modifiers."""
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=8), unit("us_major", "a2", at=(20, 37)), ENEMY)
    pins.add(battle, battle.unit("a1"), 1, "6.1")
    assert pins.settle(battle, battle.unit("a1")) is True


@pytest.mark.rule("bolt_action", "6.2")
def test_each_pin_is_one_off_morale() -> None:
    session = play(unit("us_squad", "a1", at=(20, 40), pins=4), ENEMY, dice=(2, 2), drawn="american")
    answer(session, "unit a1", "ambush")
    assert tally(session, "order test").total == 5


@pytest.mark.rule("bolt_action", "6.4")
def test_pins_never_go_below_zero() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=2), ENEMY)
    squad = battle.unit("a1")
    assert pins.remove(battle, squad, 5, "6.4") == 2 and squad.pins == 0
    assert [event.pins for event in happened(battle, Unpinned)] == [2]
    assert pins.remove(battle, squad, 1, "6.4") == 0


@pytest.mark.rule("bolt_action", "6.1")
def test_markers_add_up() -> None:
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=2), ENEMY)
    pins.add(battle, battle.unit("a1"), 3, "18.3")
    assert battle.unit("a1").pins == 5
    assert [(event.pins, event.left, event.rules) for event in happened(battle, Pinned)] == [(3, 5, ("18.3",))]


@pytest.mark.rule("bolt_action", "27.3")
def test_fanatics_fight_on_under_any_pins_while_two_of_them_live() -> None:
    battle = field(unit("ger_hitlerjugend", "g2", at=(20, 20), men=2), unit("us_squad", "a1", at=(20, 40)))
    fanatics = battle.unit("g2")
    pins.add(battle, fanatics, 12, "6.1")
    assert pins.settle(battle, fanatics) is False
    fanatics.models.pop()
    battle.invalidate()
    assert pins.settle(battle, fanatics) is True


@pytest.mark.rule("bolt_action", "6.3", "28.7")
def test_the_last_unit_that_gives_up_loses_the_battle() -> None:
    """A side without anybody loses at once, in the middle of the turn (B35)."""
    battle = field(unit("us_squad", "a1", at=(20, 40), pins=8), ENEMY, drawn="american")
    pins.add(battle, battle.unit("a1"), 1, "6.1")
    assert pins.settle(battle, battle.unit("a1"))
    assert victory.wiped_out(battle)
    assert (battle.state.winner, battle.state.ending_rule) == ("german", "28.7")
