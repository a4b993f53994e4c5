"""The turn (1): the cup, the draw, the Turn End phase, and the last turn (28.3)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import turn
from grognard.games.bolt_action.turn_events import DieAside, DieDrawn, DieKept, FurtherTurn, OrdersEnd, TurnBegins
from tests.games.bolt_action.play import answer, field, happened, keys, look, play, rolled, the_state, unit

US = [unit("us_squad", "a1", at=(20, 44)), unit("us_mmg", "a2", at=(40, 44))]
GERMANS = [unit("ger_infantry", "g1", at=(20, 3), heading=180), unit("ger_mmg", "g2", at=(40, 3), heading=180)]
#: Nobody sees anybody through these houses.
HOUSES = [{"kind": "building", "points": [[0, 20], [72, 20], [72, 27], [0, 27]]}]


def both(*dice: Any, us: Any = US, germans: Any = GERMANS, **more: Any) -> Any:
    return play(*us, *germans, terrain=HOUSES, dice=dice, **more)


@pytest.mark.rule("bolt_action", "1.1", "1.2", "1.9")
def test_a_die_is_drawn_from_a_cup_with_one_for_every_unit() -> None:
    session = both(3, phase="start")
    assert happened(session, TurnBegins)[0].turn == 1
    (roll,) = rolled(session, "order die")
    assert roll.dice == "1d4" and roll.meaning == "German" and roll.chance == 0.5
    assert session.ask.side == "german" and the_state(session).cup == {"american": 2, "german": 1}


@pytest.mark.rule("bolt_action", "1.9", "1.11")
def test_units_aboard_and_in_reserve_have_dice_in_the_cup_too() -> None:
    session = both(
        1,
        us=[
            unit("us_truck", "a1", at=(20, 44)),
            unit("us_squad", "a2", aboard="a1"),
            unit("us_m4", "a3", status="reserve"),
        ],
        phase="start",
    )
    assert rolled(session, "order die")[0].dice == "1d5"


@pytest.mark.rule("bolt_action", "1.3", "1.4", "1.6")
def test_the_owner_gives_the_die_to_a_unit_without_one() -> None:
    session = both(1, 1, phase="start")
    assert keys(session) == ["unit a1", "unit a2"]
    answer(session, "unit a1", "ambush")
    assert look(session, "a1").die == "ambush" and the_state(session).cup == {"american": 0, "german": 2}
    assert session.ask.side == "american" and keys(session) == ["unit a2"]


@pytest.mark.rule("bolt_action", "1.5")
def test_a_unit_that_must_test_does_so_before_it_acts() -> None:
    session = both(1, 5, 5, 2, us=[unit("us_squad", "a1", at=(20, 44), pins=1)], phase="start")
    answer(session, "unit a1", "rally")
    assert look(session, "a1").die == "down", "ten is more than eight"


@pytest.mark.rule("bolt_action", "1.7")
def test_the_orders_phase_ends_when_the_cup_is_empty() -> None:
    session = both(1, 1, 1, phase="start")
    answer(session, "unit a1", "down", "unit a2", "down", "unit g1", "down", "unit g2", "ambush")
    assert happened(session, OrdersEnd) and the_state(session).phase == "turn_end"


@pytest.mark.rule("bolt_action", "1.2")
def test_dice_of_one_side_only_need_no_roll() -> None:
    session = both(
        phase="orders", cup={"american": 0, "german": 2}, us=[unit("us_squad", "a1", at=(20, 44), die="down")]
    )
    assert session.ask.side == "german" and not rolled(session)
    assert happened(session, DieDrawn)[0].side == "german"


@pytest.mark.rule("bolt_action", "1.11")
def test_a_die_that_nobody_can_use_is_set_aside_until_the_turn_ends() -> None:
    session = both(
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="down")],
        cup={"american": 1, "german": 2},
    )
    assert happened(session, DieAside)[0].side == "american"
    assert the_state(session).aside["american"] == 1 and session.ask.side == "german"


@pytest.mark.rule("bolt_action", "1.8", "1.12")
def test_units_on_ambush_or_down_may_keep_their_dice() -> None:
    session = both(
        2,
        us=[unit("us_squad", "a1", at=(20, 44), die="ambush"), unit("us_mmg", "a2", at=(40, 44), die="fire")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        phase="turn_end",
    )
    assert session.ask.side == "american" and keys(session) == ["keep a1", "done"]
    answer(session, "keep a1")
    assert [event.unit for event in happened(session, DieKept)] == ["a1"]
    assert the_state(session).turn == 2
    assert (look(session, "a1").die, look(session, "a2").die, look(session, "g1").die) == ("ambush", "", "")
    assert rolled(session, "order die")[0].dice == "1d2", "the kept die is not in the cup"
    assert session.ask.side == "german"


@pytest.mark.rule("bolt_action", "1.12", "1.4")
def test_a_unit_that_kept_its_die_gets_no_other_order_that_turn() -> None:
    session = both(
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="down"), unit("us_mmg", "a2", at=(40, 44), die="fire")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        phase="turn_end",
    )
    answer(session, "keep a1")
    assert keys(session) == ["unit a2"]


@pytest.mark.rule("bolt_action", "1.12")
def test_keeping_is_the_owners_choice_unit_by_unit() -> None:
    session = both(
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="down"), unit("us_mmg", "a2", at=(40, 44), die="ambush")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="down")],
        phase="turn_end",
    )
    assert keys(session) == ["keep a1", "keep a2", "done"]
    answer(session, "keep a2", "done")
    assert session.ask.side == "german" and keys(session) == ["keep g1", "done"]
    answer(session, "done")
    assert [look(session, id).die for id in ("a1", "a2", "g1")] == ["", "ambush", ""]


@pytest.mark.rule("bolt_action", "1.8", "1.10")
def test_the_dice_of_destroyed_units_leave_the_game() -> None:
    session = both(
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="fire"), unit("us_mmg", "a2", status="lost")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        aside={"american": 1},
        phase="turn_end",
    )
    assert rolled(session, "order die")[0].dice == "1d2"
    assert the_state(session).aside == {"american": 0, "german": 0}


@pytest.mark.rule("bolt_action", "28.3")
@pytest.mark.parametrize(("face", "further"), [(4, True), (3, False)])
def test_a_die_after_the_sixth_turn_gives_one_more_or_not(face: Any, further: Any) -> None:
    session = both(
        face,
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="fire")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        phase="turn_end",
        turn=6,
    )
    assert happened(session, FurtherTurn)[0].further is further
    assert (the_state(session).turn == 7 and session.ask is not None) is further
    assert (session.result is None) is further


@pytest.mark.rule("bolt_action", "28.3")
def test_there_is_only_one_further_turn() -> None:
    session = both(
        4,
        1,
        us=[unit("us_squad", "a1", at=(20, 44), die="fire")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        phase="turn_end",
        turn=6,
    )
    answer(session, "unit a1", "rally", "unit g1", "rally")
    assert session.result is not None and the_state(session).turn == 7


@pytest.mark.rule("bolt_action", "24.7")
def test_an_empty_transport_among_the_enemy_is_lost_at_the_end_of_the_turn() -> None:
    session = both(
        1,
        us=[unit("us_truck", "a1", at=(20, 12), die="fire"), unit("us_squad", "a2", at=(20, 44), die="fire")],
        germans=[unit("ger_infantry", "g1", at=(20, 3), heading=180, die="rally")],
        phase="turn_end",
    )
    assert look(session, "a1").status == "lost" and the_state(session).lost["american"] == ["a1"]


def test_the_state_alone_leads_back_to_the_quiet_questions() -> None:
    session = both(1, 1, 1, phase="start")
    for key in ("unit a1", "down", "unit a2", "down", "unit g1", "down", "unit g2", "ambush", "keep a1"):
        copy = session.fork()
        assert copy.ask.prompt == session.ask.prompt and keys(copy) == keys(session)
        assert copy.digest == session.digest
        answer(session, key)
    session.undo()
    assert "keep a1" in keys(session)


def test_a_slow_loader_is_not_the_first_of_its_side() -> None:
    session = both(
        1,
        us=[],
        germans=[*GERMANS, unit("sov_is2", "s1", at=(20, 44)), unit("sov_rifles", "s2", at=(40, 44))],
        sides=["soviet", "german"],
        phase="start",
    )
    assert keys(session) == ["unit s2"]


@pytest.mark.rule("bolt_action", "1.1", "1.9")
def test_at_the_end_of_each_phase_everything_before_it_has_happened() -> None:
    """Odds of an answer end with the phase: what the next turn brings is not added to it."""
    battle = field(*US, *GERMANS, terrain=HOUSES, dice=(1,), phase="turn_end", turn=1)
    told: list[tuple[str, int]] = []
    battle.on_settled = lambda: told.append((battle.state.phase, len(happened(battle, TurnBegins))))
    next(turn.play(battle))
    assert told[:2] == [("turn_end", 0), ("start", 1)]
