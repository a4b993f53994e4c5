"""Section 12: checks at the end of a turn, and Units that are down to one Team; 14.9 and 14.20 with them."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.company import morale
from grognard.games.company.turn_events import Breaks, Holds, LastTeam
from tests.games.company.playing import (
    answer,
    battle_of,
    happened,
    keys,
    lines,
    platoon,
    play,
    rolled,
    tally,
    unit_of,
)

MEN = [(10, 45), (12.5, 45), (15, 45), (17.5, 45), (20, 45)]
FOE = platoon("ger_grenadiers", "g9", (70, 3), (70, 6), heading=180, acted=1)
LAST = platoon("us_rifles", "a9", (60, 45), (62.5, 45))


def worn(left: int, size: int, id: str = "a1", **more: Any) -> dict[str, Any]:
    """Riflemen of whom so many are left, all of whom have acted."""
    return platoon("us_rifles", id, *MEN[:left], size=size, acted=1, **{"lost_now": 1, **more})


def turn_ends(*units: dict[str, Any], dice: tuple[int, ...], **more: Any) -> Session:
    """The last Unit acts, and the turn ends."""
    session = play(*units, LAST, FOE, dice=(6, *dice, 6, 1), **more)
    answer(session, "activate a9", "all nothing")
    return session


def must_check(left: int, size: int, **more: Any) -> bool:
    battle = battle_of(worn(left, size, **more), FOE)
    return morale.must_check(battle, unit_of(battle, "a1"))


@pytest.mark.rule("company", "12.1")
@pytest.mark.parametrize(("size", "most"), [(9, 4), (8, 3), (7, 3), (4, 1)])
def test_a_unit_checks_below_half_of_the_teams_that_it_began_with(size: int, most: int) -> None:
    assert must_check(most, size)
    assert not must_check(most + 1, size)


@pytest.mark.rule("company", "12.1", "12.3")
def test_it_checks_in_each_turn_in_which_it_takes_casualties_and_in_no_other() -> None:
    assert not must_check(3, 8, lost_now=0)
    session = turn_ends(worn(3, 8), dice=(5,))
    assert [event.unit for event in happened(session, Holds)] == ["a1"]
    assert unit_of(session, "a1").lost_now == 0
    for unit in session.battle.state.units.values():
        unit.acted = session.battle.state.turn
    assert not morale.must_check(session.battle, unit_of(session, "a1"))  # type: ignore[arg-type]
    unit_of(session, "a1").lost_now = 1
    assert morale.must_check(session.battle, unit_of(session, "a1"))  # type: ignore[arg-type]


@pytest.mark.rule("company", "12.2")
def test_a_unit_that_fails_is_destroyed() -> None:
    session = turn_ends(worn(3, 8), dice=(3,))
    assert [event.unit for event in happened(session, Breaks)] == ["a1"]
    unit = unit_of(session, "a1")
    assert unit.status == "lost" and not unit.models
    assert session.battle.state.lost["american"] == ["a1"]


@pytest.mark.rule("company", "12.5")
def test_suppression_does_not_change_it() -> None:
    session = turn_ends(worn(3, 8, marks=2), dice=(4,))
    assert happened(session, Holds)
    assert lines(tally(session, "Training Check", "morale")) == {}


@pytest.mark.rule("company", "12.4")
@pytest.mark.parametrize(
    ("kind", "lost"), [("us_rifles", True), ("us_57_platoon", True), ("us_m4_platoon", False), ("us_m8_platoon", False)]
)
def test_a_unit_with_one_team_left_is_destroyed_unless_it_is_a_tank_unit(kind: str, lost: bool) -> None:
    session = turn_ends(platoon(kind, "a1", (20, 45), size=4, acted=1), dice=())
    assert (unit_of(session, "a1").status == "lost") == lost
    assert bool(happened(session, LastTeam)) == lost


@pytest.mark.rule("company", "12.4")
def test_it_is_destroyed_whether_it_lost_anybody_this_turn_or_not_and_after_its_check() -> None:
    session = turn_ends(worn(1, 8, lost_now=0), dice=())
    assert unit_of(session, "a1").status == "lost" and not rolled(session, "morale")
    both = turn_ends(worn(1, 8), dice=(6,))
    assert [event.unit for event in happened(both, Holds)] == [event.unit for event in happened(both, LastTeam)]


@pytest.mark.rule("company", "12.5")
def test_a_unit_that_began_with_one_team_is_exempt() -> None:
    session = turn_ends(platoon("us_rifles", "a1", (20, 45), size=1, acted=1), dice=())
    assert unit_of(session, "a1").status == "table"


@pytest.mark.rule("company", "12.6")
def test_the_side_with_the_first_initiative_checks_first_in_the_order_of_its_list() -> None:
    foes = [
        platoon("ger_grenadiers", id, (x, 3), (x + 2.5, 3), heading=180, size=9, acted=1, lost_now=1)
        for id, x in (("g1", 10), ("g2", 30))
    ]
    session = turn_ends(worn(3, 8), *foes, dice=(6, 6, 6), first="german")
    assert [event.unit for event in happened(session, Holds)] == ["g1", "g2", "a1"]


@pytest.mark.rule("company", "14.20", "14.9", "14.8")
def test_the_checks_are_one_more_initiative_for_the_commander_and_he_pays_for_a_second_failure() -> None:
    captain = platoon("us_commander", "a8", (40, 45))
    more = [platoon("us_rifles", "a2", (30, 40), (32.5, 40), size=8, acted=1, lost_now=1), captain]
    # He has had a check rolled again in the Initiative in which the turn ends, and may all the same.
    session = turn_ends(
        worn(2, 8), *more, dice=(2, 2, 2), initiative=5, company={"american": {"rerolled": 5, "start": 3}}
    )
    assert keys(session) == ["reroll", "keep"] and session.battle.state.initiative == 6
    answer(session, "reroll")
    assert unit_of(session, "a1").status == "lost" and unit_of(session, "a8").status == "lost"
    assert unit_of(session, "a2").status == "lost"  # nobody could have its check rolled again
    assert session.battle.company("american").commander == ""  # type: ignore[attr-defined]


@pytest.mark.rule("company", "14.9")
def test_he_does_not_pay_for_a_check_that_he_let_stand() -> None:
    session = turn_ends(worn(2, 8), platoon("us_commander", "a8", (40, 45)), dice=(2, 6))
    answer(session, "keep")
    assert unit_of(session, "a1").status == "lost" and unit_of(session, "a8").status == "table"
