"""Special rules that touch orders and morale (27.3 to 27.6)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import casualties, special
from grognard.games.bolt_action.turn_events import Greened
from tests.games.bolt_action.play import field, happened, unit


def recruits(*dice: Any, **more: Any) -> Any:
    return field(
        unit("sov_recruits", "s1", at=(20, 40), **more), unit("ger_infantry", "g1", at=(20, 2), heading=180), dice=dice
    )


@pytest.mark.rule("bolt_action", "27.5")
def test_green_men_are_inexperienced_and_may_become_regulars_by_their_first_casualty() -> None:
    battle = recruits(5)
    green = battle.unit("s1")
    assert green.quality == "inexperienced" and green.green
    casualties.first_casualty(battle, green)
    assert green.quality == "regular" and not green.green and green.pins == 0


@pytest.mark.rule("bolt_action", "27.5")
def test_green_men_may_be_shaken_by_their_first_casualty() -> None:
    battle = recruits(1, 4)
    green = battle.unit("s1")
    dice = battle.state.cup["soviet"]
    casualties.first_casualty(battle, green)
    assert (green.pins, green.die, green.quality) == (4, "down", "inexperienced")
    assert battle.state.cup["soviet"] == dice - 1, "the Down die came out of the cup"


@pytest.mark.rule("bolt_action", "27.5")
@pytest.mark.parametrize("face", [2, 3, 4])
def test_green_men_may_bear_it(face: Any) -> None:
    battle = recruits(face)
    green = battle.unit("s1")
    casualties.first_casualty(battle, green)
    assert (green.pins, green.die, green.quality) == (0, "", "inexperienced")
    assert [event.result for event in happened(battle, Greened)] == ["steady"]


@pytest.mark.rule("bolt_action", "27.5")
def test_green_men_roll_only_once() -> None:
    battle = recruits(3)
    casualties.first_casualty(battle, battle.unit("s1"))
    casualties.first_casualty(battle, battle.unit("s1"))
    assert len(happened(battle, Greened)) == 1


@pytest.mark.rule("bolt_action", "27.3")
def test_fanatics_take_no_check_for_their_losses() -> None:
    battle = field(unit("ger_hitlerjugend", "g1", at=(20, 20)), unit("us_squad", "a1", at=(20, 40)))
    assert special.never_checks_losses(battle, battle.unit("g1"))
    assert not special.never_checks_losses(battle, battle.unit("a1"))
