"""Section 3: the Success and the Fail list, actions Team by Team, and the order in which they are done."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.events import Rolled
from grognard.core.session import Session
from grognard.games.company.fire_events import MarksLifted
from grognard.games.company.move_events import Moved
from grognard.games.company.turn_events import Acts, FailedToActivate, LiesLow, OnOverwatch
from tests.games.company.playing import (
    answer,
    happened,
    keys,
    lines,
    marks_of,
    platoon,
    play,
    rolled,
    team,
    team_of,
    teams_of,
    unit_of,
)

PASS, FAIL = 6, 1
SUCCESS = {"fire_and_move", "move_and_fire", "run", "aimed_fire", "assault"}
FAILS = {"move", "fire", "overwatch"}


def facing(*, gap: float = 10, dice: tuple[int, ...] = (), mine: dict[str, Any] | None = None, **more: Any) -> Session:
    """A rifle platoon of four stands and grenadiers so many inches ahead of it."""
    own = {"initiative": 4, **more}
    return play(
        platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40), (27.5, 40), **(mine or {})),
        platoon(
            "ger_grenadiers", "g1", (20, 40 - gap - 1.25), (22.5, 40 - gap - 1.25), (25, 40 - gap - 1.25), heading=180
        ),
        dice=dice,
        **own,
    )


def actions(session: Session) -> set[str]:
    """The actions that the whole Unit can take."""
    return {key.split()[1] for key in keys(session) if key.startswith("all ")}


def needed(session: Session) -> dict[str, int]:
    """The lines of the number of whoever fired last with rifles."""
    return lines(next(each for each in rolled(session, "to hit")[-1].tallies if "Rifles" in each.what))


def finish(session: Session, *answers: str) -> None:
    """Answer, and then as little as can be until the next Unit is activated."""
    answer(session, *answers)
    while session.ask is not None and not session.ask.quiet:
        answer(session, next(key for word in ("at", "pass", "stay", "done") for key in keys(session, word)))


def steps(session: Session) -> list[str]:
    """What was done, in order: who fired, and who moved."""
    found = []
    for event in session.log:
        if isinstance(event, Rolled) and event.what == "to hit":
            found.append("fire")
        elif isinstance(event, Moved):
            found.append("move")
        elif isinstance(event, OnOverwatch):
            found.append("overwatch")
    return found


@pytest.mark.rule("company", "3.3", "3.6", "3.7", "3.8", "3.9", "3.10", "3.12")
def test_a_check_that_is_made_opens_both_lists_and_one_that_fails_the_fail_list_alone() -> None:
    passed, failed = facing(dice=(PASS,)), facing(dice=(FAIL,))
    answer(passed, "activate a1")
    assert actions(passed) == SUCCESS | FAILS | {"nothing"}
    answer(failed, "activate a1")
    assert happened(failed, FailedToActivate)
    assert actions(failed) == FAILS | {"nothing"}


@pytest.mark.rule("company", "3.6", "3.14")
def test_fire_and_move_fires_before_it_moves() -> None:
    session = facing(dice=(PASS, *[1] * 20))
    answer(session, "activate a1", "all fire_and_move", "at g1", "pass")
    assert session.ask is not None and "move where" in session.ask.prompt
    assert "firer_moved" not in needed(session)
    answer(session, "stay")
    assert all(each.fired and not each.moved for each in unit_of(session, "a1").models[1:])


@pytest.mark.rule("company", "3.7", "3.14", "6.12")
def test_move_and_fire_moves_first_and_is_harder_to_hit_with() -> None:
    session = facing(dice=(PASS, *[1] * 20))
    finish(session, "activate a1", "all move_and_fire", "pose 23.75 39 0 as_they_stand", "at g1")
    assert steps(session)[:2] == ["move", "fire"]
    assert needed(session)["firer_moved"] == 1


@pytest.mark.rule("company", "3.8", "3.16")
def test_a_run_is_two_moves_and_lasts_until_the_next_activation() -> None:
    session = facing(gap=30, dice=(PASS, PASS, 5, 2, PASS))
    answer(session, "activate a1", "all run")
    assert session.ask is not None and "12" in session.ask.prompt
    answer(session, "pose 23.75 28.1 0 as_they_stand")
    assert all(each.ran and each.moved for each in unit_of(session, "a1").models)
    answer(session, "activate g1", "all nothing")
    assert all(each.ran for each in unit_of(session, "a1").models)
    answer(session, "activate a1", "all nothing")
    assert not any(each.ran or each.moved for each in unit_of(session, "a1").models)


@pytest.mark.rule("company", "3.8")
def test_who_stays_where_he_is_has_not_run() -> None:
    session = facing(gap=30, dice=(PASS,))
    answer(session, "activate a1", "all run", "stay")
    assert not any(each.ran or each.moved for each in unit_of(session, "a1").models)


@pytest.mark.rule("company", "3.9", "6.15")
def test_aimed_fire_is_easier_to_hit_with() -> None:
    session = facing(dice=(PASS, *[1] * 20))
    answer(session, "activate a1", "all aimed_fire", "at g1")
    assert needed(session)["aimed_fire"] == -1


@pytest.mark.rule("company", "3.4", "3.5", "11.8")
def test_some_teams_take_aimed_fire_while_others_run() -> None:
    session = facing(dice=(PASS, *[1] * 20))
    answer(session, "activate a1", "split", "give aimed_fire", "team t2", "team t3", "team t4", "team t4", "done")
    assert {key.removeprefix("give ") for key in keys(session) if key.startswith("give")} == (SUCCESS | FAILS) - {
        "assault"
    }
    answer(session, "give run", "team t1", "team t4", "done", "at g1", "pass")
    assert session.ask is not None and "run where" in session.ask.prompt
    answer(session, next(key for key in keys(session, "pose")))
    ran = {each.id for each in unit_of(session, "a1").models if each.ran}
    fired = {each.id for each in unit_of(session, "a1").models if each.fired}
    assert ran == {"t1", "t4"} and fired == {"t2", "t3"}
    assert [event.action for event in happened(session, Acts)] == ["aimed_fire", "run"]


@pytest.mark.rule("company", "11.8", "3.14")
def test_fire_and_aimed_fire_of_one_step_are_one_shooting() -> None:
    session = facing(dice=(PASS, *[1] * 20))
    answer(session, "activate a1", "split", "give aimed_fire", "team t2", "done")
    answer(session, "give fire", "team t3", "team t4", "done", "rest nothing", "at g1")
    assert len([key for key in steps(session) if key == "fire"]) == 1
    needs = {each.total for each in rolled(session, "to hit")[0].tallies}
    assert len(needs) == 2  # each Team on its own number


@pytest.mark.rule("company", "3.14")
def test_everything_is_announced_first_and_done_in_its_order() -> None:
    session = facing(gap=11, dice=(PASS, *[1] * 20))
    answer(session, "activate a1", "split", "give overwatch", "team t4", "done")
    answer(session, "give move_and_fire", "team t2", "done", "give fire_and_move", "team t3", "done")
    assert not steps(session)
    answer(session, "rest nothing")
    assert not steps(session) and len(happened(session, Acts)) == 3
    finish(session, "at g1", "pose 22.5 38.5 0 as_they_stand", "pose 25 38.5 0 as_they_stand")
    assert steps(session) == ["fire", "move", "move", "fire", "overwatch"]
    assert team_of(session, "a1", "t4").watch


@pytest.mark.rule("company", "3.15")
def test_an_assault_is_the_whole_units() -> None:
    session = facing(gap=8, dice=(PASS,))
    answer(session, "activate a1", "split")
    assert "give assault" not in keys(session)
    session = facing(gap=8, dice=(PASS,))
    answer(session, "activate a1", "all assault")
    assert session.ask is not None and any(key.startswith(("assault", "team", "done")) for key in keys(session))


@pytest.mark.rule("company", "3.11", "15.4")
def test_artillery_may_fire_a_barrage_if_its_check_is_made() -> None:
    def mortars(die: int) -> Session:
        session = play(
            platoon("us_mortars", "a1", (20, 45), (24, 45), (28, 45), (31, 45), (34, 45)),
            platoon("ger_grenadiers", "g1", (28, 20), (30.5, 20), heading=180),
            dice=(die,),
        )
        answer(session, "activate a1")
        return session

    assert "barrage" in actions(mortars(PASS))
    assert "barrage" not in actions(mortars(FAIL))
    rifles = facing(dice=(PASS,))
    answer(rifles, "activate a1")
    assert "barrage" not in actions(rifles)


@pytest.mark.rule("company", "3.12", "3.17")
def test_overwatch_is_marked_team_by_team() -> None:
    session = facing(dice=(FAIL,))
    answer(session, "activate a1", "split", "give overwatch", "team t2", "team t3", "done", "rest nothing")
    assert [each.id for each in unit_of(session, "a1").models if each.watch] == ["t2", "t3"]


@pytest.mark.rule("company", "3.16")
def test_overwatch_lasts_until_the_next_activation() -> None:
    session = facing(mine={"watch": True, "acted": 0}, dice=(PASS,))
    assert team_of(session, "a1", "t2").watch
    answer(session, "activate a1", "all nothing")
    assert not team_of(session, "a1", "t2").watch


@pytest.mark.rule("company", "3.16")
def test_overwatch_lasts_until_the_team_fires_or_is_suppressed() -> None:
    watchers = facing(gap=11, mine={"watch": True}, side="german", dice=(PASS, *[1] * 20))
    answer(watchers, "activate g1", "all move", "pose 22.5 30 180 as_they_stand")
    answer(watchers, next(key for key in keys(watchers) if key.startswith("react")))
    fired = [each for each in unit_of(watchers, "a1").models if each.fired]
    assert fired and not any(each.watch for each in fired)
    shot_at = play(
        platoon("us_rifles", "a1", (20, 40), (22.5, 40), watch=True),
        platoon("ger_hmg_platoon", "g1", (20, 30), (22.5, 30), (25, 30), heading=180),
        side="german",
        dice=(PASS, *[6, 6, 6] + [1] * 7, *[6] * 10),
    )
    answer(shot_at, "activate g1", "all fire", "at a1")
    while shot_at.ask and not shot_at.ask.quiet:
        answer(shot_at, keys(shot_at)[-1] if "pass" not in keys(shot_at, "pass") else "pass")
    marked = marks_of(shot_at, "a1")
    assert marked and not any(team_of(shot_at, "a1", id).watch for id in marked)


@pytest.mark.rule("company", "3.16")
def test_a_team_may_decline_to_act() -> None:
    session = facing(dice=(PASS,))
    answer(session, "activate a1", "split", "give overwatch", "team t2", "done", "rest nothing")
    unit = unit_of(session, "a1")
    assert not any(each.moved or each.fired for each in unit.models) and unit.acted == 1


@pytest.mark.rule("company", "11.6", "11.7", "11.2")
def test_success_lifts_all_markers_and_failure_one() -> None:
    own = platoon("us_rifles", "a1", team(20, 40, marks=1), team(22.5, 40, marks=1), (25, 40))
    foe = platoon("ger_grenadiers", "g1", (20, 28), (22.5, 28), heading=180)
    passed = play(own, foe, dice=(PASS,))
    answer(passed, "activate a1")
    assert marks_of(passed, "a1") == {} and "fire" in actions(passed)
    failed = play(own, foe, dice=(FAIL,))
    answer(failed, "activate a1")
    while not keys(failed, "split"):
        answer(failed, keys(failed)[0])
    assert sum(marks_of(failed, "a1").values()) == 1 and len(happened(failed, MarksLifted)) == 1
    answer(failed, "split", "give fire")
    suppressed = set(marks_of(failed, "a1"))
    assert not suppressed & {key.split()[1] for key in keys(failed, "team")}


@pytest.mark.rule("company", "6.28")
def test_who_has_gone_to_ground_checks_and_is_rallied_but_does_nothing() -> None:
    session = facing(mine={"down": True, "down_turn": 1, "marks": 1}, dice=(PASS,))
    unit = unit_of(session, "a1")
    for each in unit.models[1:]:
        each.marks = 0
    answer(session, "activate a1")
    assert happened(session, LiesLow) and marks_of(session, "a1") == {}
    assert session.ask is not None and session.ask.quiet and session.ask.side == "german"
    assert not any(each.moved or each.fired for each in unit_of(session, "a1").models)


@pytest.mark.rule("company", "14.14")
def test_the_commander_acts_with_a_unit_once_a_turn() -> None:
    session = play(
        platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40)),
        platoon("us_rifles", "a2", (40, 40), (42.5, 40), (45, 40)),
        platoon("us_commander", "a3", (20, 43)),
        platoon("ger_grenadiers", "g1", (20, 3), (22.5, 3), heading=180),
        dice=(PASS, PASS),
    )
    assert "activate a3" not in keys(session)
    answer(session, "activate a1", "commander", "split", "give move")
    assert "team cc" in keys(session)
    answer(session, "team cc", "done", "rest nothing", next(k for k in keys_now(session) if k.startswith("pose")))
    assert unit_of(session, "a3").models[0].moved
    assert teams_of(session, "a1") == ["t1", "t2", "t3"]  # he is by himself again
    answer(session, "activate a2")
    assert "commander" not in keys(session)


def keys_now(session: Session) -> list[str]:
    fork = session.fork()
    answer(fork, "team cc", "done", "rest nothing")
    return keys(fork)


@pytest.mark.rule("company", "15.14")
def test_an_observer_may_do_something_else_than_his_battery() -> None:
    session = play(
        platoon("us_mortars", "a1", (20, 45), (24, 45), (28, 45), (31, 45), (34, 45)),
        platoon("ger_grenadiers", "g1", (28, 20), (30.5, 20), heading=180),
        dice=(PASS,),
    )
    fo = next(each.id for each in unit_of(session, "a1").models if each.kind == "us_fo")
    answer(session, "activate a1", "split", "give run", f"team {fo}", "done")
    assert "give barrage" in keys(session)
    answer(session, "rest nothing")
    # He is bound to nobody: he may run out of cohesion.
    area = session.ask.area if session.ask else None
    assert area is not None and area.option("pose 24 33.2 0 as_they_stand") != ""
    answer(session, "pose 24 33.2 0 as_they_stand")
    assert team_of(session, "a1", fo).ran
