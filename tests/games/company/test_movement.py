"""Section 4, with turning, hull and turret (6.4, 6.5), hurrying (14.3) and leaving over an edge (16.6)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.poses import Preview, read_pose
from grognard.core.session import Session
from grognard.games.company import ground, movement
from grognard.games.company.move_events import LeftTable, Moved, Turned
from tests.games.company.playing import (
    answer,
    battle_of,
    box,
    happened,
    keys,
    line,
    options,
    platoon,
    play,
    team,
    team_of,
    teams_of,
    unit_of,
)

PASS = 6
FAR = platoon("ger_grenadiers", "g1", (70, 3), (70, 6), heading=180)
HMG = "us_hmg"


def moving(*units: dict[str, Any], action: str = "move", dice: tuple[int, ...] = (), **more: Any) -> Session:
    """A session in which the first Unit is asked where it moves."""
    foes = [] if any(unit["id"].startswith("g") for unit in units) else [FAR]
    session = play(*units, *foes, dice=(PASS, *dice), **more)
    answer(session, f"activate {units[0]['id']}", f"all {action}")
    return session


def look(session: Session, pose: str) -> Preview:
    """What a pose would come to."""
    assert session.ask is not None and session.ask.area is not None
    read = read_pose(pose)
    assert read is not None
    return session.ask.area.preview(read[1])


def why(session: Session, pose: str) -> str:
    """Why a pose is refused, "" if it is not."""
    bar = look(session, pose).bar
    return "" if bar is None else bar.say()


def at(session: Session, unit: str, id: str) -> tuple[float, float, int]:
    """Where a Team stands, and which way it looks."""
    found = team_of(session, unit, id)
    return found.x / 100, found.y / 100, found.heading


# ---- how far (4.1) -------------------------------------------------------------------------------------------


@pytest.mark.rule("company", "4.1", "3.8")
@pytest.mark.parametrize(
    ("kind", "far"),
    [("us_rifles", 6), ("us_hmg_platoon", 3), ("us_m4_platoon", 12)],
)
def test_each_type_of_team_has_its_rate_and_a_run_is_twice_that(kind: str, far: int) -> None:
    for action, most in (("move", far), ("run", 2 * far)):
        one = team(20, 40, kind=HMG) if kind == "us_hmg_platoon" else (20, 40)
        # A gun without its Leader: it goes away from the enemy (14.6).
        away = 1 if kind == "us_hmg_platoon" else -1
        session = moving(platoon(kind, "a1", one, **({"leader": ""} if away > 0 else {})), action=action)
        assert why(session, f"pose 20 {40 + away * most} 0") == ""
        assert f"the move is at most {most}" in why(session, f"pose 20 {40 + away * (most + 0.1):.2f} 0")


@pytest.mark.rule("company", "4.1", "4.7")
def test_a_platoon_of_several_types_goes_as_far_as_its_slowest_in_a_form_and_each_by_hand_as_far_as_it_can() -> None:
    session = moving(platoon("us_hmg_platoon", "a1", (20, 40), (22, 40), (24, 40)))
    assert why(session, "pose 22 37 0 as_they_stand") == ""
    assert "at most 3" in why(session, "pose 22 36 0 as_they_stand")
    assert why(session, "pose 22 37 0 as_they_stand t1@20,34") == ""
    assert look(session, "pose 22 37 0 as_they_stand").cost == "3 of 3″"


@pytest.mark.rule("company", "4.7")
def test_it_is_the_path_of_the_centre_that_is_limited_and_turning_is_free() -> None:
    session = moving(platoon("us_m4_platoon", "a1", (20, 40)))
    answer(session, "pose 20 28 225 as_they_stand")
    assert at(session, "a1", "t1") == (20, 28, 225)
    turned = moving(platoon("us_m4_platoon", "a1", (20, 40)))
    answer(turned, "pose 20 40 180 as_they_stand")
    assert at(turned, "a1", "t1") == (20, 40, 180)
    assert happened(turned, Turned) and not happened(turned, Moved)
    assert team_of(turned, "a1", "t1").moved  # to turn is a move of what has a front (6.4)


@pytest.mark.rule("company", "4.7")
def test_who_goes_as_he_stands_keeps_his_place_whichever_way_they_look() -> None:
    session = moving(platoon("us_m4_platoon", "a1", (20, 40), team(24, 40, heading=90)))
    answer(session, "pose 22 36 90 as_they_stand")
    assert at(session, "a1", "t1") == (20, 36, 90)
    assert at(session, "a1", "t2") == (24, 36, 180)
    men = moving(platoon("us_rifles", "a1", (20, 40), (22.25, 40), (24.5, 40)))
    answer(men, "pose 22.25 36 37 as_they_stand")  # stands side by side have no room to turn
    assert [at(men, "a1", id) for id in ("t1", "t2", "t3")] == [(20, 36, 0), (22.25, 36, 0), (24.5, 36, 0)]


@pytest.mark.rule("company", "6.5", "4.7")
def test_hull_and_turret_are_set_apart() -> None:
    session = moving(platoon("us_m4_platoon", "a1", (20, 40), (24, 40)))
    answer(session, "pose 22 36 0 as_they_stand t2@24,36,90,270")
    assert (team_of(session, "a1", "t2").heading, team_of(session, "a1", "t2").turret) == (90, 270)
    assert team_of(session, "a1", "t1").turret == 0  # ahead, where nothing is said
    again = moving(platoon("us_m10_platoon", "a1", (20, 40)))
    assert why(again, "pose 20 36 0 as_they_stand t1@20,36,90,270") == ""
    guns = moving(platoon("us_57_platoon", "a1", (20, 40), (24, 40)))
    assert "doesn't have a turret" in why(guns, "pose 22 39 0 as_they_stand t2@24,39,90,270")


# ---- the ground (4.2, 4.3) -----------------------------------------------------------------------------------


@pytest.mark.rule("company", "4.2")
@pytest.mark.parametrize("kind", ["woods", "building", "ruins", "marsh", "orchard"])
def test_nothing_hinders_infantry(kind: str) -> None:
    session = moving(platoon("us_rifles", "a1", (20, 40), (22.5, 40)), terrain=[box(kind, 10, 34, 40, 37.5)])
    assert why(session, "pose 21.25 34 0 as_they_stand") == ""
    assert why(session, "pose 21.25 36 0 as_they_stand") == ""  # they may end there, too
    across = moving(platoon("us_rifles", "a1", (20, 40)), terrain=[line("tall_wall", (10, 37), (40, 37))])
    assert why(across, "pose 20 34.5 0") == ""


@pytest.mark.rule("company", "4.3")
@pytest.mark.parametrize(("kind", "open"), [("woods", False), ("orchard", True), ("ruins", False), ("field", True)])
def test_very_difficult_ground_is_closed_to_guns(kind: str, open: bool) -> None:
    gun = platoon("us_hmg_platoon", "a1", team(20, 40, kind=HMG))
    session = moving(gun, terrain=[box(kind, 10, 34, 40, 39)], action="run")
    refused = why(session, "pose 20 38 0")
    assert (refused == "") == open
    assert open or "[4.3]" in refused


@pytest.mark.rule("company", "4.3")
def test_no_part_of_a_guns_base_lies_in_ground_that_is_closed_to_it() -> None:
    gun = platoon("us_hmg_platoon", "a1", (20, 40), team(20, 42, kind=HMG))
    session = moving(gun, terrain=[box("woods", 10, 34, 40, 39.4)])
    # Its base is an inch deep and an inch and a quarter wide: with its side to the wood it comes nearer.
    assert why(session, "pose 20 40.5 0 as_they_stand t2@21.5,39.95") == ""
    assert "guns can't go" in why(session, "pose 20 40.5 0 as_they_stand t2@21.5,39.95,45")


def test_ground_is_closed_to_a_gun_and_not_to_a_leader_with_the_same_base() -> None:
    session = moving(platoon("us_hmg_platoon", "a1", (20, 40), (22, 40)), terrain=[box("woods", 10, 34, 40, 39)])
    assert why(session, "pose 21 40 0 as_they_stand t1@20,37") == ""
    assert "guns can't go" in why(session, "pose 21 40 0 as_they_stand t2@22,38.5")


@pytest.mark.rule("company", "4.4")
def test_vehicles_do_not_go_into_buildings() -> None:
    session = moving(platoon("us_m4_platoon", "a1", (20, 40)), terrain=[box("building", 16, 30, 24, 34)])
    assert "vehicles can't go through" in why(session, "pose 20 33 0")
    round_about = look(session, "pose 24.8 30.5 0")
    assert round_about.bar is None and len(round_about.models[0].path) > 2


# ---- others in the way (4.7, 4.8) ----------------------------------------------------------------------------


@pytest.mark.rule("company", "4.7")
def test_one_passes_through_friendly_infantry_and_through_nobody_else() -> None:
    men = platoon("us_rifles", "a2", *[(16 + 2.25 * n, 37) for n in range(5)])
    through = moving(platoon("us_m4_platoon", "a1", (20, 41)), men)
    assert look(through, "pose 20 33 0").models[0].path == [(2000, 4100), (2000, 3300)]
    tank = moving(
        platoon("us_m4_platoon", "a1", (20, 41)),
        platoon("us_m10_platoon", "a2", *[team(16 + 2.9 * n, 37, heading=90) for n in range(4)]),
    )
    assert len(look(tank, "pose 20 33 0").models[0].path) > 2 or why(tank, "pose 20 33 0")


@pytest.mark.rule("company", "4.7")
def test_vehicles_of_ones_own_unit_that_stay_are_in_the_way() -> None:
    units = platoon("us_m4_platoon", "a1", (20, 41), *[team(16 + 2.9 * n, 37, heading=90) for n in range(4)])
    units["teams"] = units["teams"][:1] + [
        {**each, "kind": "us_m4"} if isinstance(each, dict) else each for each in units["teams"][1:]
    ]
    session = play(units, FAR, dice=(PASS,))
    answer(session, "activate a1", "split", "give move", "team t1", "done", "rest nothing")
    path = look(session, "pose 20 33 0")
    assert path.bar is not None or len(path.models[0].path) > 2


@pytest.mark.rule("company", "4.7")
def test_nobody_ends_on_another_team() -> None:
    session = moving(platoon("us_rifles", "a1", (20, 40)), platoon("us_rifles", "a2", (20, 36)))
    assert "another Team stands there" in why(session, "pose 20 36.5 0")
    assert why(session, "pose 20 34.7 0") == ""
    own = moving(platoon("us_rifles", "a1", (20, 40), (22.5, 40)))
    assert "overlap" in why(own, "pose 21 39 0 as_they_stand t1@21,39 t2@21.5,39")


@pytest.mark.rule("company", "4.8")
def test_nobody_comes_within_two_inches_of_an_enemy() -> None:
    foe = platoon("ger_grenadiers", "g1", team(20, 35, heading=180), leader="")
    session = moving(platoon("us_rifles", "a1", (20, 40)), foe)
    half = 0.5 + 0.5  # both are leaders, an inch deep
    assert why(session, f"pose 20 {35 + half + 2} 0") == ""
    assert "2″ of an enemy" in why(session, f"pose 20 {35 + half + 1.95} 0")
    past = moving(platoon("us_m4_platoon", "a1", (20, 40)), foe)
    path = look(past, "pose 20 30.5 0").models[0].path
    assert not path or all(abs(x - 2000) + abs(y - 3500) > 250 for x, y in path)
    assert len(path) != 2  # not straight on


@pytest.mark.rule("company", "4.7")
def test_bases_stay_on_the_table() -> None:
    session = moving(platoon("us_rifles", "a1", (2, 40)))
    assert "leave the table" in why(session, "pose 0.5 40 0")
    assert why(session, "pose 0.63 40 0") == ""


# ---- suppressed (4.9) ----------------------------------------------------------------------------------------


@pytest.mark.rule("company", "4.9")
def test_a_suppressed_team_may_move() -> None:
    unit = platoon("us_rifles", "a1", team(20, 40, marks=1), team(22.5, 40, marks=2))
    session = play(unit, FAR, dice=(1,))
    answer(session, "activate a1")
    while not keys(session, "move"):
        answer(session, keys(session)[0])
    answer(session, "all move", "pose 21.25 36 0 as_they_stand")
    assert at(session, "a1", "t2")[:2] == (22.5, 36) and team_of(session, "a1", "t2").marks


# ---- poses and areas -----------------------------------------------------------------------------------------


def test_a_pose_moves_only_those_who_go() -> None:
    session = play(platoon("us_rifles", "a1", (20, 40), (22.5, 40), (25, 40)), FAR, dice=(PASS,))
    answer(session, "activate a1", "split", "give move", "team t2", "team t3", "done", "rest nothing")
    assert "doesn't move now" in why(session, "pose 23.75 38 0 as_they_stand t1@20,38")
    answer(session, "pose 23.75 38 0 as_they_stand")
    assert [at(session, "a1", id)[:2] for id in ("t1", "t2", "t3")] == [(20, 40), (22.5, 38), (25, 38)]
    assert not team_of(session, "a1", "t1").moved


@pytest.mark.parametrize(
    "pose",
    [
        "pose 21 36 0 as_they_stand t9@20,36",
        "pose 21 36 0 triangle",
        "pose 21 36 400 line",
        "pose 21 36 0 as_they_stand t1@20,36 t1@21,36",
        "pose -3 36 0 line",
        "pose " + "9" * 10_000,
        "pose 21 36 0 as_they_stand t1@21,36 t2@21,36",
    ],
)
def test_a_bad_pose_is_refused_and_changes_nothing(pose: str) -> None:
    session = moving(platoon("us_rifles", "a1", (20, 40), (22.5, 40)))
    before = (
        session.game.encode(session.battle.state) if hasattr(session.game, "encode") else repr(session.battle.state)
    )
    with pytest.raises(Exception, match="not an answer"):
        session.answer(pose)
    after = session.game.encode(session.battle.state) if hasattr(session.game, "encode") else repr(session.battle.state)
    assert before == after


def test_good_poses_are_legal_and_go_as_far_as_they_say() -> None:
    session = moving(platoon("us_rifles", "a1", *[(12 + 2.25 * n, 40) for n in range(6)]))
    found = options(session, "pose")
    assert len(found) >= 4
    assert all(why(session, option.key) == "" for option in found)
    assert any(option.label.startswith("6″ toward") for option in found)


# ---- hurried (14.3) ------------------------------------------------------------------------------------------


@pytest.mark.rule("company", "14.3", "14.15")
def test_a_team_goes_four_inches_more_to_end_by_its_leader_once_an_initiative() -> None:
    session = moving(platoon("us_rifles", "a1", (20, 40), (26, 40), (33, 40), (20, 42.5)), initiative=2)
    assert keys(session, "hurry") == ["hurry t2", "hurry t3"]  # the last is by him, and he himself needs it least
    answer(session, "hurry t3")
    assert "within 2″ of whoever hurries it" in why(session, "pose 29 37 0")
    assert "at most 10" in why(session, "pose 22.5 40 0")
    answer(session, "pose 23.6 40 0 as_they_stand")
    assert at(session, "a1", "t3")[:2] == (23.6, 40)
    assert unit_of(session, "a1").helped == 2
    assert keys(session, "hurry") == []
    answer(session, "stay")


@pytest.mark.rule("company", "14.3")
def test_whoever_is_not_hurried_after_all_moves_with_the_rest() -> None:
    session = moving(platoon("us_rifles", "a1", (20, 40), (20, 42.5), (25, 40), (31, 40)))
    answer(session, "hurry t4", "stay")
    assert keys(session, "hurry") == ["hurry t3"]
    assert unit_of(session, "a1").helped == 0
    answer(session, next(key for key in keys(session, "pose")))
    assert team_of(session, "a1", "t4").moved


# ---- over an edge (16.6) -------------------------------------------------------------------------------------


EXIT = {"exit": [{"side": "american", "edge": "top", "points": 3}]}


@pytest.mark.rule("company", "16.6")
def test_a_unit_leaves_over_an_edge_that_all_its_teams_can_reach() -> None:
    near = moving(platoon("us_rifles", "a1", (20, 5), (22.5, 6)), platoon("us_rifles", "a2", (40, 40)), victory=EXIT)
    assert keys(near, "exit") == ["exit top"]
    answer(near, "exit top")
    assert happened(near, LeftTable)[0].edge == "top"
    unit = unit_of(near, "a1")
    assert unit.status == "exited" and not unit.models
    assert near.battle.state.exits == {"a1": "top"}
    assert "a1" not in near.battle.state.lost.get("american", [])
    far = moving(platoon("us_rifles", "a1", (20, 5), (22.5, 6.5)), victory=EXIT)
    assert keys(far, "exit") == []
    running = moving(platoon("us_rifles", "a1", (20, 5), (22.5, 6.5)), action="run", victory=EXIT)
    assert keys(running, "exit") == ["exit top"]


@pytest.mark.rule("company", "16.6")
def test_it_does_not_leave_in_part_and_not_where_the_scenario_does_not_say_so() -> None:
    session = play(platoon("us_rifles", "a1", (20, 5), (22.5, 5)), FAR, dice=(PASS,), victory=EXIT)
    answer(session, "activate a1", "split", "give move", "team t1", "done", "rest nothing")
    assert keys(session, "exit") == []
    elsewhere = moving(platoon("us_rifles", "a1", (20, 5), (22.5, 5)))
    assert keys(elsewhere, "exit") == []


def test_rates_and_areas_are_those_of_the_charts() -> None:
    battle = battle_of(platoon("us_hmg_platoon", "a1", (20, 40), (22, 40)), FAR)
    unit = unit_of(battle, "a1")
    assert [ground.rate(battle, each) for each in unit.models] == [600, 300]
    assert [ground.rate(battle, each, 2) for each in unit.models] == [1200, 600]
    assert movement.area_of(battle, unit, [0], 1, frozenset()) is movement.area_of(battle, unit, [0], 1, frozenset())
    assert teams_of(battle, "a1") == ["t1", "t2"]
