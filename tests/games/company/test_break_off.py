"""Breaking off (13.8, 13.10, 13.20, 13.22): one die for each Unit, pursuit, and who is run down."""

from __future__ import annotations

import math

import pytest

from grognard.core.session import Session
from grognard.games.company import break_off
from grognard.games.company.assault_events import BreaksOff, LostOverTheEdge, RunDown
from grognard.games.company.move_events import Moved
from tests.games.company.fighting import assaults, gap, go_on, grenadiers, rifles
from tests.games.company.playing import (
    GAME,
    battle_of,
    happened,
    keys,
    marks_of,
    options,
    platoon,
    rolled,
    teams_of,
    unit_of,
)


def broken(*units: object, **more: object) -> Session:
    """A session in which g1 breaks off after an exchange in which nobody fell."""
    session = assaults(*units, **more)  # type: ignore[arg-type]
    go_on(session, "hold", close_combat=1)
    go_on(session, "break_off")
    return session


@pytest.mark.rule("company", "13.8", "13.10")
def test_who_fails_to_counter_attack_breaks_off() -> None:
    session = assaults(rifles(), grenadiers())
    go_on(session, "hold", close_combat=1)
    go_on(session, "stand", counter_attack=1, breaks_off=3)
    assert happened(session, BreaksOff)[0].unit == "g1"


@pytest.mark.rule("company", "13.10", "13.20")
def test_all_go_back_one_die_and_the_enemy_follows_one_die() -> None:
    session = broken(rifles(), grenadiers())
    go_on(session, breaks_off=6)
    assert session.ask is not None and all(key.startswith("away") for key in keys(session))
    assert session.preview(keys(session)[0]).models
    go_on(session, keys(session)[0], pursues=2)
    assert keys(session) == ["pursue", "stay"] and session.ask.side == "american"
    assert session.preview("pursue").models
    go_on(session, "pursue")
    moves = {event.how: event for event in happened(session, Moved)}
    for how, most in (("break_off", 600), ("pursue", 200)):
        for _, x0, y0, x1, y1, *_ in moves[how].models:
            assert math.dist((x0, y0), (x1, y1)) <= most + 1
    assert [roll.dice for roll in rolled(session) if roll.what in ("breaks off", "pursues")] == ["1d6", "1d6"]
    assert not happened(session, RunDown) and len(teams_of(session, "g1")) == 3
    assert marks_of(session, "g1") == {} and GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "13.10")
def test_who_is_caught_within_two_inches_is_destroyed() -> None:
    session = broken(rifles(), grenadiers(), platoon("ger_hmg_platoon", "g2", (60, 4)))
    go_on(session, breaks_off=1)
    go_on(session, keys(session)[0], pursues=6)
    go_on(session, "pursue")
    assert len(happened(session, RunDown)) == 3 and unit_of(session, "g1").status == "lost"


@pytest.mark.rule("company", "13.20")
def test_the_attacker_need_not_pursue() -> None:
    session = broken(rifles(), grenadiers())
    go_on(session, breaks_off=6)
    go_on(session, keys(session)[0], pursues=6)
    where = [(team.x, team.y) for team in unit_of(session, "a1").models]
    go_on(session, "stay")
    assert where == [(team.x, team.y) for team in unit_of(session, "a1").models]
    assert len(teams_of(session, "g1")) == 3


@pytest.mark.rule("company", "13.22", "13.10")
def test_guns_are_left_behind_and_fall_if_somebody_ends_near() -> None:
    guns = platoon("ger_at_platoon", "g1", (30, 8), (30, 10.5), (60, 10), heading=180)
    session = broken(rifles(), guns)
    go_on(session, breaks_off=6)
    go_on(session, keys(session)[0], pursues=1)
    go_on(session, "stay")
    assert [event.team for event in happened(session, RunDown)] == ["7.5cm Pak 40 t2"]
    assert teams_of(session, "g1") == ["t1", "t3"] and sum(marks_of(session, "g1").values()) == 1
    assert (unit_of(session, "g1").models[1].x, unit_of(session, "g1").models[1].y) == (6000, 1000)


@pytest.mark.rule("company", "13.10")
def test_armour_is_not_caught() -> None:
    tanks = platoon("ger_pz4_platoon", "g1", (32, 12), heading=180)
    session = broken(rifles(), tanks)
    go_on(session, breaks_off=1)
    go_on(session, keys(session)[0], pursues=6)
    assert not rolled(session, "pursues"), "there is nobody to be caught"
    assert teams_of(session, "g1") == ["t1"] and not happened(session, RunDown)


@pytest.mark.rule("company", "13.20")
def test_who_cannot_go_the_whole_way_stops() -> None:
    block = platoon("us_57_platoon", "a2", (60, 4), (30, 8.6), (32.6, 8.6), (35.2, 8.6), heading=180)
    session = broken(rifles(), grenadiers(), block)
    go_on(session, breaks_off=6)
    before = [(team.x, team.y) for team in unit_of(session, "g1").models]
    go_on(session, keys(session)[-1])
    after = [(team.x, team.y) for team in unit_of(session, "g1").models]
    gone = [math.dist(one, other) for one, other in zip(before, after)]
    assert gone and min(gone) < 590, "a gun stands in the way"
    assert GAME.invariants(session.battle) == [], "nobody stands in anybody"


@pytest.mark.rule("company", "13.20")
def test_over_the_edge_of_the_table_they_are_lost() -> None:
    session = broken(rifles(10), grenadiers(3))
    go_on(session, breaks_off=6)
    lost = {option.key: "lost over the edge" in option.label for option in options(session)}
    assert any(lost.values())
    go_on(session, next(key for key, gone in lost.items() if gone))
    assert happened(session, LostOverTheEdge)
    assert len(teams_of(session, "g1")) == 3 - len(happened(session, LostOverTheEdge)) - len(happened(session, RunDown))


@pytest.mark.rule("company", "13.20")
def test_the_attackers_may_break_off_from_the_second_exchange_on() -> None:
    session = assaults(rifles(), grenadiers())
    go_on(session, "hold", close_combat=1)
    go_on(session, "stand", counter_attack=6, close_combat=1)
    assert session.ask is not None and session.ask.side == "american"
    go_on(session, "break_off", breaks_off=6)
    go_on(session, keys(session)[0], pursues=1)
    go_on(session, "stay")
    assert happened(session, BreaksOff)[0].unit == "a1" and gap(session, "a1", "g1") > 2


@pytest.mark.rule("company", "13.10", "13.20")
def test_nobody_goes_back_into_one_who_stays() -> None:
    deep = [(30, 12), (32.5, 12), (35, 12), (32.5, 10.2), (32.5, 8.6), (30, 10.2)]
    for inches in (1, 3, 6):
        session = broken(rifles(count=6), platoon("ger_grenadiers", "g1", *deep, heading=180))
        go_on(session, breaks_off=inches)
        for key in keys(session):
            trial = session.fork()
            go_on(trial, key)
            assert GAME.invariants(trial.battle) == []


def test_a_pursuer_who_touches_his_enemy_already_stays() -> None:
    battle = battle_of(rifles(13.01, count=1), grenadiers(count=1))
    strides = break_off.Strides(battle, unit_of(battle, "a1"), unit_of(battle, "g1"), 300)
    here = strides.stand[0]
    assert strides.ends({0: (here.x, here.y)}) == {0: here} and strides.paths({0: here}) == {}
