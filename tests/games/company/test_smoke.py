"""Smoke (15.12, 15.13, 15.17, 15.18): laying it, what it does to sight, and how long it hangs."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.games.company import cover, indirect, smoke
from grognard.games.company.command_events import RangedIn, SmokeClears, SmokeLaid
from grognard.games.company.state import Cloud
from tests.games.company.fighting import ACTS, go_on, grenadiers, rifles
from tests.games.company.playing import answer, battle_of, happened, keys, platoon, play, tally, unit_of


def laying(*more: dict[str, object]) -> Session:
    """A session in which mortars are about to lay smoke."""
    guns = platoon("us_mortars", "a1", (30, 46), (30, 30), *[(26 + 3 * n, 44) for n in range(3)])
    session = play(guns, grenadiers(), *more, dice=(ACTS,))
    answer(session, "activate a1", "all barrage")
    if "barrage t2" in keys(session):
        answer(session, "barrage t2")
    answer(session, "smoke")
    return session


@pytest.mark.rule("company", "15.12", "15.18")
def test_smoke_is_laid_at_a_point_on_a_three() -> None:
    session = laying()
    assert session.preview("at 33 18 0").legal and session.preview("at 33 18 0").outline
    assert not session.preview("at 30 40 0").legal, "nearer than 8 inches"
    go_on(session, "at 33 18 0", ranging_in=3)
    assert tally(session, "To range in").total == 3 and happened(session, RangedIn)[0].on_target
    [cloud] = session.battle.state.clouds
    assert (cloud.x, cloud.y, cloud.until) == (3300, 1800, 2) and cloud.heading == 9
    assert happened(session, SmokeLaid)


@pytest.mark.rule("company", "15.12", "15.7")
def test_smoke_that_misses_is_shifted_too() -> None:
    session = laying()
    go_on(session, "at 33 18 0", ranging_in=2)
    assert session.ask is not None and session.ask.side == "german"
    answer(session, "at 38 18 0")
    [cloud] = session.battle.state.clouds
    assert (cloud.x, cloud.y) == (3800, 1800)
    unit = unit_of(session, "a1")
    square = indirect.square_at(session.battle, unit, unit.models[2:], 3800, 1800)
    assert cloud.heading == square.heading == 19, "turned to the guns anew"


@pytest.mark.rule("company", "15.13", "15.17")
def test_one_sees_into_it_and_not_across() -> None:
    for y, seen in ((17, False), (12, True)):
        battle = battle_of(rifles(24), grenadiers(12))
        battle.state.clouds = [Cloud(3250, y * 100, 0, 2)]
        battle.invalidate()
        one, other = unit_of(battle, "a1"), unit_of(battle, "g1")
        assert cover.look(battle, one, other).sees() is seen
        if seen:
            judged = cover.judged(battle, one, range(len(one.models)), other)
            assert judged.concealed and min(judged.cover) > cover.OPEN


@pytest.mark.rule("company", "15.17", "1.9")
def test_it_hangs_until_the_end_of_the_next_turn() -> None:
    battle = battle_of(rifles(24), grenadiers(12))
    battle.state.clouds = [Cloud(3250, 1700, 0, 2), Cloud(4000, 1700, 0, 1)]
    smoke.age(battle)
    assert [cloud.x for cloud in battle.state.clouds] == [3250]
    battle.state.turn = 2
    smoke.age(battle)
    assert battle.state.clouds == [] and len(happened(battle, SmokeClears)) == 2
