"""4.4 to 4.6 and 4.10: what vehicles roll for the ground that their ways meet."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.poses import read_pose
from grognard.core.session import Session
from grognard.games.company import terrain_checks
from grognard.games.company.fire_events import TeamLost
from grognard.games.company.move_events import Stuck
from tests.games.company.playing import (
    answer,
    battle_of,
    box,
    happened,
    keys,
    line,
    marks_of,
    platoon,
    play,
    rolled,
    tally,
    team,
    team_of,
    unit_of,
)

PASS = 6
FAR = platoon("ger_grenadiers", "g1", (70, 3), (70, 6), heading=180)
HEDGE = line("hedge", (5, 35), (60, 35), id="hedge", name="The Hedge")
WOODS = box("woods", 10, 30, 60, 35, id="wood")


def driving(
    *teams: Any, to: str, dice: tuple[int, ...], terrain: list[dict[str, Any]], action: str = "move", **more: Any
) -> Session:
    """A troop of Shermans that drives somewhere."""
    session = play(platoon("us_m4_platoon", "a1", *teams), FAR, dice=(PASS, *dice), terrain=terrain, **more)
    answer(session, "activate a1", f"all {action}", to)
    return session


def checks(session: Session) -> list[str]:
    """What was rolled for the ground."""
    return [roll.what for roll in rolled(session) if ": through " in roll.what]


@pytest.mark.rule("company", "4.4")
@pytest.mark.parametrize("die", range(1, 7))
def test_difficult_ground_takes_a_two(die: int) -> None:
    session = driving((20, 40), to="pose 20 30 0", dice=(die,), terrain=[HEDGE])
    assert tally(session, "Terrain check").total == 2
    assert bool(happened(session, Stuck)) == (die < 2)


@pytest.mark.rule("company", "4.4")
@pytest.mark.parametrize(("level", "needs"), [("green", 5), ("veteran", 4), ("elite", 3)])
def test_very_difficult_ground_takes_a_training_check(level: str, needs: int) -> None:
    for die in (needs - 1, needs):
        unit = platoon("us_m4_platoon", "a1", (20, 40), training=level)
        session = play(unit, FAR, dice=(PASS, die), terrain=[WOODS])
        answer(session, "activate a1", "all move", "pose 20 33 0")
        assert bool(happened(session, Stuck)) == (die < needs)


@pytest.mark.rule("company", "4.5", "4.6")
def test_who_fails_stops_where_it_meets_the_ground_and_is_suppressed_there() -> None:
    session = driving((20, 40), to="pose 20 30 0", dice=(1,), terrain=[HEDGE])
    tank = team_of(session, "a1", "t1")
    # It goes as a disc of half its narrower side, 0.7 inches, and stops as it touches the hedge.
    assert (tank.x, tank.y) == (2000, 3570)
    assert marks_of(session, "a1") == {"t1": 1} and tank.moved


@pytest.mark.rule("company", "4.6")
def test_the_others_go_on() -> None:
    session = driving((20, 40), (24, 40), to="pose 22 30 0 as_they_stand", dice=(1, 2), terrain=[HEDGE])
    assert team_of(session, "a1", "t1").y == 3570
    assert (team_of(session, "a1", "t2").y, marks_of(session, "a1")) == (3000, {"t1": 1})


@pytest.mark.rule("company", "4.6", "4.7")
def test_who_sticks_stands_in_nobody_and_nobody_in_it() -> None:
    session = driving((20, 38), (20, 41), to="pose 20 31.2 0 as_they_stand", dice=(1, 6), terrain=[HEDGE])
    assert session.game.invariants(session.battle) == []
    assert team_of(session, "a1", "t1").y >= 3570
    stuck = driving((20, 34), (20, 37), to="pose 20 30 0 as_they_stand", dice=(1, 6, 6, 6), terrain=[WOODS])
    assert session.game.invariants(stuck.battle) == []
    assert team_of(stuck, "a1", "t1").y == 3400  # it began in the wood, and stays where it is
    assert team_of(stuck, "a1", "t2").y > 3650  # the one behind has no way through it


@pytest.mark.rule("company", "4.6")
def test_a_move_and_fire_team_that_fails_does_not_fire() -> None:
    foe = platoon("ger_pz4_platoon", "g1", team(20, 20, heading=180))
    session = play(
        platoon("us_m4_platoon", "a1", (20, 40), (24, 40)), foe, dice=(PASS, 1, 6, *[1] * 8), terrain=[HEDGE]
    )
    answer(session, "activate a1", "all move_and_fire", "pose 22 33 0 as_they_stand")
    answer(session, next(key for key in keys(session, "at")))
    while session.ask is not None and not session.ask.quiet:
        answer(session, keys(session)[-1])
    fired = {each.id for each in unit_of(session, "a1").models if each.fired}
    assert fired == {"t2"}


@pytest.mark.rule("company", "4.6")
def test_every_separate_piece_is_rolled_for_once() -> None:
    two = [HEDGE, line("hedge", (5, 32), (60, 32), id="second")]
    session = driving((20, 40), to="pose 20 29 0", dice=(2, 3), terrain=two)
    assert len(checks(session)) == 2
    failed = driving((20, 40), to="pose 20 29 0", dice=(1,), terrain=two)
    assert len(checks(failed)) == 1  # it never comes to the second


@pytest.mark.rule("company", "4.6")
def test_a_move_that_begins_inside_is_rolled_for_and_so_is_each_move_of_a_run() -> None:
    inside = driving((20, 33), to="pose 20 28 0", dice=(4,), terrain=[WOODS])
    assert len(checks(inside)) == 1
    deep = box("woods", 10, 14, 60, 35, id="deep")
    run = driving((20, 40), to="pose 20 20 0", dice=(4, 4), terrain=[deep], action="run")
    # The first move ends inside, 12 inches on: the second begins there.
    assert len(checks(run)) == 2
    second = driving((20, 40), to="pose 20 20 0", dice=(4, 1), terrain=[deep], action="run")
    assert team_of(second, "a1", "t1").y == 2800
    thin = driving((20, 40), to="pose 20 20 0", dice=(2,), terrain=[HEDGE], action="run")
    assert len(checks(thin)) == 1


@pytest.mark.rule("company", "4.6")
def test_who_stuck_at_an_edge_rolls_again_to_go_on_and_not_to_turn_away() -> None:
    at_edge = battle_of(platoon("us_m4_platoon", "a1", (20, 35.7)), FAR, terrain=[HEDGE])
    body = at_edge.bodies(unit_of(at_edge, "a1"))[0]
    contacts = terrain_checks.contacts
    assert [contact.far for contact in contacts(at_edge, body, [(2000, 3570), (2000, 3000)])] == [0]
    assert contacts(at_edge, body, [(2000, 3570), (2000, 4000)]) == []
    assert contacts(at_edge, body, [(2000, 3570), (3000, 3570)]) == []
    by_wood = battle_of(platoon("us_m4_platoon", "a1", team(20, 35.7, heading=90)), FAR, terrain=[WOODS])
    body = by_wood.bodies(unit_of(by_wood, "a1"))[0]
    assert [contact.far for contact in contacts(by_wood, body, [(2000, 3570), (2000, 3300)])] == [0]
    assert contacts(by_wood, body, [(2000, 3570), (3000, 3570)]) == []


@pytest.mark.rule("company", "4.10")
def test_a_way_that_keeps_to_a_road_is_not_rolled_for() -> None:
    road = line("road", (20, 10), (20, 47), id="road")
    assert checks(driving((20, 40), to="pose 20 30 0", dice=(), terrain=[WOODS, HEDGE, road])) == []
    beside = driving((24, 40), to="pose 24 33 0", dice=(4, 4), terrain=[WOODS, HEDGE, road])
    assert len(checks(beside)) == 2
    leaves = driving((20, 36), to="pose 24 32 0", dice=(4,), terrain=[WOODS, road])
    assert len(checks(leaves)) == 1


@pytest.mark.rule("company", "4.10")
def test_a_pose_is_consent_to_roll_and_its_preview_says_so() -> None:
    session = play(platoon("us_m4_platoon", "a1", (20, 40), (24, 40)), FAR, dice=(PASS,), terrain=[HEDGE, WOODS])
    answer(session, "activate a1", "all move")
    assert session.ask is not None and session.ask.area is not None
    read = read_pose("pose 22 33 0 as_they_stand")
    assert read is not None
    told = [line for line in session.ask.area.preview(read[1]).lines if "needs" in line]
    assert [line.split(" needs ")[1] for line in told] == ["2+ at the Hedge", "4+ at the woods"] * 2


@pytest.mark.rule("company", "4.4")
def test_infantry_and_guns_roll_for_nothing() -> None:
    unit = platoon("us_57_platoon", "a1", (20, 40), (24, 40))
    session = play(unit, FAR, dice=(PASS,), terrain=[box("orchard", 10, 30, 60, 39)])
    answer(session, "activate a1", "all move", "pose 22 37 0 as_they_stand")
    assert checks(session) == []


@pytest.mark.rule("company", "14.8", "4.4")
def test_the_commander_may_have_a_check_of_very_difficult_ground_rolled_again() -> None:
    session = play(
        platoon("us_m4_platoon", "a1", (20, 40)),
        platoon("us_commander", "a2", (50, 45)),
        FAR,
        dice=(PASS, 1, 5),
        terrain=[WOODS],
        initiative=1,
    )
    answer(session, "activate a1", "all move", "pose 20 33 0", "reroll")
    assert not happened(session, Stuck)


def test_the_marker_of_who_sticks_goes_with_it_if_it_falls_on_the_way() -> None:
    guns = platoon("ger_at_platoon", "g1", (20, 20), team(20, 26, heading=180), heading=180, watch=True)
    session = play(
        platoon("us_m4_platoon", "a1", (20, 40), (40, 40)),
        guns,
        dice=(PASS, 1, *[6] * 3, *[1] * 3, *[6] * 3),
        terrain=[line("hedge", (5, 33), (30, 33), id="hedge")],
    )
    answer(session, "activate a1", "split", "give move", "team t1", "done", "rest nothing", "pose 20 31 0")
    answer(session, next(key for key in keys(session, "react")))
    while session.ask is not None and not session.ask.quiet:
        answer(session, keys(session)[0])
    assert happened(session, TeamLost) and not happened(session, Stuck)
    assert unit_of(session, "a1").models[0].id == "t2"
