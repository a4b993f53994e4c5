"""Order tests (3) and the morale they are taken on (5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from grognard.games.bolt_action import morale, order_tests
from grognard.games.bolt_action.state import ADVANCE, DOWN, FIRE, RALLY
from grognard.games.bolt_action.turn_events import OrderObeyed, OrderRefused
from tests.games.bolt_action.play import answer, field, happened, lines, look, play, rolled, tally, unit


def squad_with(pins: int = 0, dice: tuple[int, ...] = (), **more: Any) -> Any:
    return play(
        unit("us_squad", "a1", at=(20, 40), pins=pins, **more),
        unit("ger_grenadiers", "g1", at=(20, 5), heading=180),
        dice=dice,
        drawn="american",
    )


@pytest.mark.rule("bolt_action", "3.1")
def test_a_unit_without_pins_obeys_without_a_test() -> None:
    session = squad_with(0)
    answer(session, "unit a1", "ambush")
    assert not rolled(session, "order test") and look(session, "a1").die == "ambush"


@pytest.mark.rule("bolt_action", "3.1", "3.2", "3.5")
def test_a_pinned_unit_tests_and_loses_a_pin_when_it_passes() -> None:
    session = squad_with(2, dice=(3, 4))
    answer(session, "unit a1", "ambush")
    needed = tally(session, "order test")
    assert (needed.base, lines(needed), needed.total) == (9, {"pins": -2}, 7)
    assert look(session, "a1").die == "ambush" and look(session, "a1").pins == 1
    assert happened(session, OrderObeyed)


@pytest.mark.rule("bolt_action", "3.2", "3.6")
def test_one_over_the_number_fails_and_the_unit_goes_down_with_its_pins() -> None:
    session = squad_with(2, dice=(4, 4))
    answer(session, "unit a1", "ambush")
    assert look(session, "a1").die == "down" and look(session, "a1").pins == 2
    assert happened(session, OrderRefused)


@pytest.mark.rule("bolt_action", "3.3")
def test_a_double_one_always_passes() -> None:
    session = squad_with(8, dice=(1, 1))
    answer(session, "unit a1", "ambush")
    assert tally(session, "order test").total == 1
    assert look(session, "a1").die == "ambush" and look(session, "a1").pins == 7


@pytest.mark.rule("bolt_action", "3.4", "4.1")
def test_a_double_six_always_fails_and_is_fubar() -> None:
    """A Major makes the number 12, and still a double six fails."""
    session = play(
        unit("us_squad", "a1", at=(20, 40), pins=1),
        unit("us_major", "a2", at=(20, 37), die="down"),
        unit("ger_grenadiers", "g1", at=(20, 5), heading=180, die="down"),
        terrain=[{"kind": "building", "points": [[0, 15], [72, 15], [72, 20], [0, 20]]}],
        dice=(6, 6, 3),
        drawn="american",
    )
    answer(session, "unit a1", "ambush")
    assert tally(session, "order test").total == 12
    assert [roll.meaning for roll in rolled(session, "order test")] == ["fubar"]
    assert [roll.meaning for roll in rolled(session, "FUBAR")] == ["panic"]


@pytest.mark.rule("bolt_action", "3.2", "3.3", "3.4")
def test_the_odds_of_an_order_are_those_of_its_test() -> None:
    """Seven or less on two dice: 21 of 36; a double six: 1 of 36."""
    session = squad_with(2)
    answer(session, "unit a1")
    odds = session.odds("ambush")
    assert odds.exact
    obeys = sum(o.probability for o in odds.outcomes if "obeys" in o.text)
    refuses = sum(o.probability for o in odds.outcomes if "does not obey" in o.text)
    wrong = sum(o.probability for o in odds.outcomes if "FUBAR" in o.text)
    assert (obeys, refuses, wrong) == (Fraction(21, 36), Fraction(14, 36), Fraction(1, 36))


@pytest.mark.rule("bolt_action", "2.7")
def test_going_down_needs_no_test() -> None:
    session = squad_with(5)
    answer(session, "unit a1", "down")
    assert not rolled(session, "order test") and look(session, "a1").die == "down" and look(session, "a1").pins == 5


@pytest.mark.rule("bolt_action", "27.6")
def test_shirkers_test_for_every_order_but_down_and_count_pins_double() -> None:
    battle = field(unit("sov_penal", "s1", at=(20, 40), pins=2), unit("ger_infantry", "g1", at=(20, 5), heading=180))
    shirkers = battle.unit("s1")
    assert lines(morale.target(battle, shirkers, morale.ORDER_TEST)) == {"pins": -4}
    assert lines(morale.target(battle, shirkers, morale.MORALE_CHECK)) == {"pins": -2}
    shirkers.pins = 0
    assert order_tests.needed(battle, shirkers, FIRE) and not order_tests.needed(battle, shirkers, DOWN)


@pytest.mark.rule("bolt_action", "22.3", "3.1")
def test_a_modifier_of_its_own_makes_a_test_of_any_order() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 40)), unit("ger_infantry", "g1", at=(20, 5), heading=180), dice=(3, 3)
    )
    squad = battle.unit("a1")
    assert not order_tests.needed(battle, squad, ADVANCE) and order_tests.needed(battle, squad, ADVANCE, -3)
    assert order_tests.take(battle, squad, [("without_at", -3, "22.3")]) == "pass"
    assert tally(battle, "order test").total == 6


@pytest.mark.rule("bolt_action", "24.4")
def test_pins_of_its_vehicle_count_for_a_unit_that_gets_out() -> None:
    battle = field(
        unit("us_m3_halftrack", "a1", at=(20, 40), pins=2),
        unit("us_squad10", "a2", aboard="a1", pins=1),
        unit("ger_infantry", "g1", at=(20, 5), heading=180),
    )
    riders = battle.unit("a2")
    assert lines(morale.target(battle, riders, morale.ORDER_TEST)) == {"pins": -1, "pins_of_the_vehicle": -2}
    riders.pins = 0
    assert order_tests.needed(battle, riders, ADVANCE)


@pytest.mark.rule("bolt_action", "2.5", "2.9", "6.4")
def test_rally_takes_a_pin_for_the_test_and_a_die_more() -> None:
    session = squad_with(6, dice=(1, 2, 4))
    answer(session, "unit a1", "rally")
    assert look(session, "a1").pins == 1 and look(session, "a1").die == RALLY


@pytest.mark.rule("bolt_action", "2.5", "2.9")
def test_rally_never_takes_more_pins_than_there_are() -> None:
    session = squad_with(3, dice=(1, 2, 4))
    answer(session, "unit a1", "rally")
    assert look(session, "a1").pins == 0


@pytest.mark.rule("bolt_action", "2.9", "3.6")
def test_rally_is_an_order_like_others_and_can_fail() -> None:
    session = squad_with(6, dice=(1, 3))
    answer(session, "unit a1", "rally")
    assert look(session, "a1").pins == 6 and look(session, "a1").die == "down"
