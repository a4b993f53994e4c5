"""What no rule leads to: the invariants find it, whoever did it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grognard.games.company.battle import CompanyBattle
from grognard.games.company.invariants import invariants
from tests.games.company.playing import battle_of, platoon, team, team_of, unit_of

RIDERS = [{"kind": "us_rifle", "aboard": "t2"}]


def field() -> CompanyBattle:
    return battle_of(
        platoon("us_rifles", "a1", (10, 30), (13, 30), (16, 30)),
        platoon("us_armored_rifles", "a2", (24, 30), team(27, 30, kind="us_m3ht"), riders=RIDERS),
        platoon("us_mortars", "a3", (34, 30), (37, 30), (40, 30)),
        platoon("us_m4_platoon", "a4", (50, 30), (53, 30)),
        platoon("us_commander", "a5", (60, 30)),
        platoon("ger_grenadiers", "g1", at=(20, 5), heading=180),
    )


def test_a_sound_state_has_none() -> None:
    assert invariants(field()) == []


def _shift(battle: CompanyBattle) -> None:
    one, other = unit_of(battle, "a1").models[:2]
    other.x, other.y = one.x + 20, one.y


def _off(battle: CompanyBattle) -> None:
    team_of(battle, "a1", "t1").x = 10


def _mark_observer(battle: CompanyBattle) -> None:
    team_of(battle, "a3", "t2").marks = 1


def _turret_on_foot(battle: CompanyBattle) -> None:
    team_of(battle, "a1", "t2").turret = 90


def _no_turret(battle: CompanyBattle) -> None:
    team_of(battle, "a4", "t1").turret = -1


def _watch_suppressed(battle: CompanyBattle) -> None:
    found = team_of(battle, "a1", "t2")
    found.watch, found.marks = True, 1


def _fires_too_soon(battle: CompanyBattle) -> None:
    team_of(battle, "a1", "t2").shot = 2


def _twice(battle: CompanyBattle) -> None:
    team_of(battle, "a1", "t2").id = "t1"


def _stranger_leads(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").leader = "t9"


def _too_many(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").size = 2


def _acts_tomorrow(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").acted = 2


def _nobody_there(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").models.clear()


def _rides_nothing(battle: CompanyBattle) -> None:
    unit_of(battle, "a2").riders[0].aboard = "t1"


def _rides_and_stands(battle: CompanyBattle) -> None:
    team_of(battle, "a2", "t1").aboard = "t2"


def _lost_but_there(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").status = "lost"


def _down_and_watching(battle: CompanyBattle) -> None:
    unit_of(battle, "a1").down = team_of(battle, "a1", "t2").watch = True


def _unit_too_many(battle: CompanyBattle) -> None:
    battle.company("american").start = 3


def _joined_nobody(battle: CompanyBattle) -> None:
    battle.company("american").joined = "a9"


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (_shift, "overlap"),
        (_off, "is off the table"),
        (_mark_observer, "a marker on its Forward Observer"),
        (_turret_on_foot, "Rifle team t2 has a turret"),
        (_no_turret, "M4 Sherman 75 t1 has no turret"),
        (_watch_suppressed, "on Overwatch and suppressed"),
        (_fires_too_soon, "fired in Initiative 2, which is yet to come"),
        (_twice, "two Teams t1"),
        (_stranger_leads, "led by t9, who is none of its Teams"),
        (_too_many, "has 3 Teams of 2"),
        (_acts_tomorrow, "acted in turn 2, which is yet to come"),
        (_nobody_there, "on the table without any Team"),
        (_rides_nothing, "rides in 't1', no transport"),
        (_rides_and_stands, "stands on the table, but rides in t2"),
        (_lost_but_there, "is lost, but has Teams"),
        (_down_and_watching, "has gone to ground and is on Overwatch"),
        (_unit_too_many, "the american company has 4 Units of 3"),
        (_joined_nobody, "has joined a9, which there is not"),
    ],
)
def test_what_is_wrong_is_found(spoil: Callable[[CompanyBattle], None], wrong: str) -> None:
    battle = field()
    spoil(battle)
    battle.invalidate()
    assert any(wrong in told for told in invariants(battle)), invariants(battle)
