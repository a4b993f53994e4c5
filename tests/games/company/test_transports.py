"""16.1 and 16.2: what vehicles carry and tow, getting in and out, and what happens to those aboard."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.core.session import Session
from grognard.games.company import casualties, transports
from grognard.games.company.fire_events import BailedOut, TeamLost
from grognard.games.company.move_events import Dismounted, Mounted
from tests.games.company.playing import (
    answer,
    battle_of,
    box,
    happened,
    keys,
    marks_of,
    platoon,
    play,
    rolled,
    run,
    team,
    team_of,
    teams_of,
    unit_of,
)

PASS = 6
FAR = platoon("ger_grenadiers", "g1", (70, 3), (70, 6), heading=180)
#: What hides them: a Unit without its Leader does not move toward an enemy that it sees (14.6).
HOUSE = [box("building", 60, 0, 66, 16)]


def halftracks(
    *on_foot: Any, riders: tuple[Any, ...] = (), tracks: int = 1, y: float = 40, **more: Any
) -> dict[str, Any]:
    """Armored rifles: half-tracks h1, h2 … in a row, those on foot, and those aboard."""
    hulls = [team(20 + 4 * n, y, kind="us_m3ht", id=f"h{n + 1}") for n in range(tracks)]
    return platoon("us_armored_rifles", "a1", *hulls, *on_foot, riders=list(riders), **{"leader": "", **more})


def rifle(x: float, y: float, id: str) -> dict[str, Any]:
    return team(x, y, kind="us_rifle", id=id)


def inside(id: str, vehicle: str = "h1", kind: str = "us_rifle") -> dict[str, Any]:
    return team(kind=kind, id=id, aboard=vehicle)


def moving(unit: dict[str, Any], *more: dict[str, Any], action: str = "move", dice: tuple[int, ...] = ()) -> Session:
    session = play(unit, *more, *([] if more else [FAR]), dice=(PASS, *dice), terrain=HOUSE)
    answer(session, "activate a1", f"all {action}")
    return session


def aboard(session: Session, vehicle: str = "h1") -> list[str]:
    return [each.id for each in unit_of(session, "a1").riders if each.aboard == vehicle]


# ---- what they carry -----------------------------------------------------------------------------------------


@pytest.mark.rule("company", "16.1")
@pytest.mark.parametrize(
    ("vehicle", "men", "truck"),
    [("us_m3ht", 2, "us_truck"), ("us_truck", 2, "us_truck"), ("gb_carrier", 1, "gb_truck"), ("us_m4", 0, "us_truck")],
)
def test_a_vehicle_carries_so_many_infantry_teams_or_tows_one_gun(vehicle: str, men: int, truck: str) -> None:
    us = vehicle.startswith("us")
    kind, man, gun = ("us_rifles", "us_rifle", "us_57") if us else ("gb_rifles", "gb_rifle_mg", "gb_6pdr")

    def bar(load: list[str], who: str) -> bool:
        unit = platoon(
            kind,
            "x1",
            team(20, 40, kind=vehicle, id="h1"),
            team(20, 44, kind=who, id="t1"),
            riders=[inside(f"r{n}", kind=each) for n, each in enumerate(load)],
            leader="",
        )
        battle = battle_of(unit, FAR, sides=["american" if us else "british", "german"])
        here = unit_of(battle, "x1")
        return transports.bar_aboard(battle, here, battle.team(here, "t1"), battle.team(here, "h1")) is not None

    for already in range(men + 1):
        assert bar([man] * already, man) == (already == men)
    assert bar([], gun) == (men == 0)
    if men:
        assert bar([gun], man) and bar([gun], gun) and bar([man], gun)
        assert bar([], truck)  # no vehicle rides


@pytest.mark.rule("company", "16.1")
def test_the_commander_rides_with_nobody() -> None:
    session = play(halftracks(rifle(20, 44, "t1")), platoon("us_commander", "a2", (17, 44)), FAR, dice=(PASS,))
    answer(session, "activate a1", "commander", "all move")
    assert keys(session, "mount") == ["mount t1 h1"]


# ---- getting in ----------------------------------------------------------------------------------------------


@pytest.mark.rule("company", "16.1")
def test_teams_mount_as_their_move_ending_within_two_inches_of_the_vehicle() -> None:
    # The hull is 2.2 long and 1.1 wide; half a rifle stand's depth is 0.625: from 9.7 inches below, 6 are enough.
    edge = 30 + 1.1 + 2 + 0.62
    session = moving(halftracks(rifle(20, edge + 5.95, "t1"), y=30))
    assert keys(session, "mount") == ["mount t1 h1"]
    answer(session, "mount t1 h1")
    assert aboard(session) == ["t1"] and teams_of(session, "a1") == ["h1"]
    assert team_of(session, "a1", "t1").moved and len(happened(session, Mounted)) == 1
    assert keys(moving(halftracks(rifle(20, edge + 6.1, "t1"), y=30)), "mount") == []
    assert keys(moving(halftracks(rifle(20, edge + 6.1, "t1"), y=30), action="run"), "mount") == ["mount t1 h1"]


@pytest.mark.rule("company", "16.1")
def test_a_vehicle_that_is_mounted_does_not_move_in_that_activation() -> None:
    session = moving(halftracks(rifle(20, 43, "t1"), rifle(23, 43, "t2"), tracks=2))
    answer(session, "mount t1 h1")
    assert session.ask is not None and session.ask.area is not None
    ghosts = {model for form in session.ask.area.forms() for model, _, _ in form.models}
    assert ghosts == {"h2", "t2"}
    answer(session, "stay")
    assert not team_of(session, "a1", "h1").moved


@pytest.mark.rule("company", "16.1")
def test_a_vehicle_that_has_moved_is_not_mounted_or_left() -> None:
    session = play(halftracks(rifle(20, 43, "t1"), riders=(inside("t2"),), tracks=2), FAR, dice=(PASS,), terrain=HOUSE)
    answer(session, "activate a1", "split", "give move", "team h1", "done", "give move", "team t1", "team t2", "done")
    answer(session, "rest nothing", "pose 20 38 0")
    assert keys(session, "mount") == ["mount t1 h2"]
    assert keys(session, "dismount") == []
    assert (team_of(session, "a1", "t2").x, team_of(session, "a1", "t2").y) == (2000, 3800)  # he went along


@pytest.mark.rule("company", "16.1")
def test_all_mount_as_there_is_room() -> None:
    men = [rifle(18 + 2.2 * n, 43.5, f"t{n + 1}") for n in range(5)]
    session = moving(halftracks(*men, tracks=2))
    answer(session, "mount all")
    assert len(aboard(session, "h1")) == 2 and len(aboard(session, "h2")) == 2
    assert len(teams_of(session, "a1")) == 3
    assert session.game.invariants(session.battle) == []


@pytest.mark.rule("company", "16.1")
def test_a_gun_is_hitched_and_goes_along() -> None:
    unit = platoon(
        "us_57_platoon", "a1", team(20, 40, kind="us_truck", id="h1"), team(20, 45, kind="us_57", id="t1"), leader=""
    )
    session = moving(unit)
    answer(session, "mount t1 h1")
    assert aboard(session) == ["t1"]


# ---- getting out ---------------------------------------------------------------------------------------------


@pytest.mark.rule("company", "16.1")
def test_teams_get_out_within_two_inches_of_their_vehicle_which_does_not_move() -> None:
    session = moving(halftracks(riders=(inside("t1"), inside("t2"))))
    answer(session, "dismount h1")
    assert session.ask is not None and session.ask.area is not None
    for option in session.ask.options[1:]:
        fork = session.fork()
        answer(fork, option.key)
        hull, *men = fork.battle.bodies(unit_of(fork, "a1"))  # type: ignore[attr-defined]
        assert len(men) == 2 and all(bodies.gap(hull, man) <= 200.01 for man in men)
        assert fork.game.invariants(fork.battle) == []
    answer(session, session.ask.options[1].key)
    assert sorted(teams_of(session, "a1")) == ["h1", "t1", "t2"] and aboard(session) == []
    assert len(happened(session, Dismounted)) == 2 and team_of(session, "a1", "t1").moved
    assert session.ask is None or session.ask.quiet  # the vehicle may not move


@pytest.mark.rule("company", "16.1", "3.8")
def test_to_get_out_is_one_of_the_two_moves_of_a_run() -> None:
    session = moving(halftracks(riders=(inside("t1"), inside("t2"))), action="run")
    answer(session, "dismount h1")
    answer(session, keys(session, "pose")[0])
    assert session.ask is not None and "up to 6″" in session.ask.prompt
    answer(session, keys(session, "pose")[0])
    assert team_of(session, "a1", "t1").ran and not team_of(session, "a1", "h1").ran


@pytest.mark.rule("company", "16.1")
def test_who_stays_aboard_goes_where_the_vehicle_goes() -> None:
    session = moving(halftracks(riders=(inside("t1"),)))
    answer(session, "dismount h1", "stay", "pose 20 30 90")
    rider = team_of(session, "a1", "t1")
    assert (rider.x, rider.y, rider.heading, rider.aboard) == (2000, 3000, 90, "h1")


@pytest.mark.rule("company", "16.1")
def test_who_is_aboard_does_not_fire() -> None:
    foe = platoon("ger_grenadiers", "g1", (20, 33), (22.5, 33), heading=180)
    session = play(halftracks(riders=(inside("t1"), inside("t2"))), foe, dice=(PASS,))
    answer(session, "activate a1", "split", "give fire")
    # The half-track alone has a target: nobody else is asked about.
    answer(session, "rest nothing")
    assert all("t1" not in key and "t2" not in key for key in keys(session))


# ---- lost (16.2) ---------------------------------------------------------------------------------------------


def wrecked(*dice: int, more: tuple[dict[str, Any], ...] = ()) -> Any:
    battle = battle_of(halftracks(riders=(inside("t1"), inside("t2")), tracks=2), *more, FAR, dice=dice)
    run(casualties.lose(battle, unit_of(battle, "a1"), "h1", ("9.5",)))
    return battle


@pytest.mark.rule("company", "16.2")
@pytest.mark.parametrize(("dice", "left"), [((3, 2), ["h2", "t1"]), ((3, 6), ["h2", "t1", "t2"]), ((1, 2), ["h2"])])
def test_those_aboard_save_as_infantry_in_the_open(dice: tuple[int, int], left: list[str]) -> None:
    battle = wrecked(*dice)
    assert teams_of(battle, "a1") == left
    assert len(happened(battle, TeamLost)) == 4 - len(left)
    assert len(rolled(battle)) >= 1


@pytest.mark.rule("company", "16.2")
def test_survivors_stand_within_two_inches_suppressed() -> None:
    battle = wrecked(6, 6)
    unit = unit_of(battle, "a1")
    hull = bodies.Body(2000, 4000, 0, battle.teams["us_m3ht"].foot)
    for each in ("t1", "t2"):
        body = battle.body(unit, team_of(battle, "a1", each))
        assert bodies.gap(hull, body) <= 200.01
    assert marks_of(battle, "a1") == {"t1": 1, "t2": 1}
    assert len(happened(battle, BailedOut)) == 2 and not unit.riders


@pytest.mark.rule("company", "16.2")
def test_they_stand_in_nobody_and_not_within_two_inches_of_an_enemy() -> None:
    foe = platoon("ger_grenadiers", "g2", team(20, 35.4, heading=180))
    battle = wrecked(6, 6, more=(foe,))
    unit, them = unit_of(battle, "a1"), battle.bodies(unit_of(battle, "g2"))
    for body in battle.bodies(unit)[1:]:
        assert bodies.gap(body, them[0]) >= 200


@pytest.mark.rule("company", "14.13", "16.1")
def test_a_vehicle_does_not_become_a_leader_on_foot() -> None:
    unit = halftracks(rifle(20, 43, "t1"), riders=(inside("t2"),))
    session = play(unit, platoon("us_commander", "a2", (22.5, 42)), FAR)
    assert keys(session, "appoint") == ["appoint a1 t1"]
