"""Leaders (14.1 to 14.7, 14.13, 14.15, 14.17 to 14.19): placing, the three helps, new Leaders."""

from __future__ import annotations

import pytest

from grognard.core.errors import IllegalError
from grognard.games.company import leaders
from grognard.games.company.command_events import Appointed, Directed, Hurried, LeaderPlaced, MarksShifted
from tests.games.company.fighting import ACTS, go_on, grenadiers, rifles
from tests.games.company.playing import (
    GAME,
    answer,
    battle_of,
    happened,
    keys,
    marks_of,
    platoon,
    play,
    rolled,
    run,
    team,
    team_of,
    unit_of,
)


@pytest.mark.rule("company", "14.1")
def test_every_unit_has_its_leader_and_a_tank_unit_names_a_tank() -> None:
    battle = battle_of(rifles(), platoon("us_m4_platoon", "a2", (50, 30), (54, 30)), grenadiers())
    assert unit_of(battle, "a1").leader == "t1" == unit_of(battle, "a2").leader
    assert leaders.helpers(battle, unit_of(battle, "a1")) and not leaders.helpers(battle, unit_of(battle, "a2"))


# ---- placing (14.2, 14.17) -----------------------------------------------------------------------------------


@pytest.mark.rule("company", "14.2", "14.17", "10.13")
def test_the_leader_is_placed_near_his_men_and_has_not_moved() -> None:
    session = play(rifles(30, count=5), grenadiers(), dice=(ACTS,))
    answer(session, "activate a1", "lead")
    assert keys(session, "stay") and len(keys(session, "pose")) >= 3
    assert session.preview("pose 37.5 27 0").legal
    # Six inches off the nearest Team, and no farther.
    assert session.preview("pose 48 30 0").bar.rule == "14.17"  # type: ignore[union-attr]
    assert session.preview("pose 37.5 13.5 0").bar is not None, "within two inches of the enemy, and far from his men"
    answer(session, "pose 37.5 27 0")
    leader = team_of(session, "a1", "t1")
    assert (leader.x, leader.y, leader.moved) == (3750, 2700, False)
    assert happened(session, LeaderPlaced) and "lead" not in keys(session), "once in an activation"
    assert GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "14.17", "5.2")
def test_half_of_the_unit_has_to_be_in_cohesion_with_him_there() -> None:
    spread = platoon("us_rifles", "a1", (30, 30), (32, 30), (34, 30), (36, 30), (58, 30), heading=0)
    session = play(spread, grenadiers(), dice=(ACTS,))
    answer(session, "activate a1", "lead")
    with pytest.raises(IllegalError, match="cohesion"):
        answer(session, "pose 56 30 0")
    answer(session, "pose 36 28 0")


@pytest.mark.rule("company", "14.17")
def test_a_leader_in_a_vehicle_or_with_a_gun_is_not_placed() -> None:
    battle = battle_of(platoon("us_m4_platoon", "a1", (30, 30), (34, 30)), grenadiers())
    bar = leaders.bar_lead(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "14.17"
    dead = battle_of(platoon("us_rifles", "a1", team(30, 30, kind="us_rifle"), leader=""), grenadiers())
    bar = leaders.bar_lead(dead, unit_of(dead, "a1"))
    assert bar is not None and bar.rule == "14.6"


# ---- the three helps (14.3 to 14.5) --------------------------------------------------------------------------


@pytest.mark.rule("company", "14.3")
def test_a_team_is_hurried_to_end_by_its_leader_once_an_initiative() -> None:
    session = play(rifles(30, count=3), grenadiers(), dice=(ACTS,))
    answer(session, "activate a1", "all move")
    hurry = keys(session, "hurry")
    assert hurry, keys(session)
    battle = session.battle
    unit = unit_of(session, "a1")
    assert leaders.hurriers(battle, unit)
    leaders.hurry(battle, unit, team_of(session, "a1", "t2"))
    assert [event.team for event in battle.log if isinstance(event, Hurried)] == ["Rifle team t2"]
    assert not leaders.hurriers(battle, unit), "once in an Initiative"
    battle.state.initiative += 2
    assert leaders.hurriers(battle, unit)


@pytest.mark.rule("company", "14.4", "6.31")
def test_misses_of_a_team_by_its_leader_are_thrown_again() -> None:
    session = play(rifles(20, count=4), grenadiers(10), dice=(ACTS,))
    answer(session, "activate a1", "all fire", "at g1")
    session.answer(f"dice {' '.join(['1'] * session.ask.number)}")  # type: ignore[union-attr]
    assert set(keys(session)) == {"direct t1", "direct t2", "pass"}, "t3 stands farther off than two inches"
    answer(session, "direct t2")
    go_on(session, misses_again=1)
    assert [event.team for event in happened(session, Directed)] == ["Rifle team t2"]
    assert len(rolled(session, "misses again")) == 1, "no die is thrown a third time, and he helps once"
    assert unit_of(session, "a1").helped == 1


@pytest.mark.rule("company", "14.4", "14.15")
def test_he_directs_reaction_fire_too() -> None:
    session = play(rifles(20, count=3), grenadiers(13, count=2), dice=(ACTS,))
    answer(session, "activate a1", "all assault", "assault g1", "done", "react g1")
    session.answer(f"dice {' '.join(['1'] * session.ask.number)}")  # type: ignore[union-attr]
    assert [key for key in keys(session) if key.startswith("direct")]
    assert session.ask is not None and session.ask.side == "german", "in an Initiative of the enemy"


@pytest.mark.rule("company", "14.5", "14.19")
def test_markers_are_moved_from_a_team_by_the_leader_to_another() -> None:
    marked = [team(30 + 2.5 * n, 30, marks=2 * (n == 1)) for n in range(4)]
    session = play(platoon("us_rifles", "a1", *marked), grenadiers(), dice=(1,))
    answer(session, "activate a1")
    assert marks_of(session, "a1") == {"t2": 1}, "one is taken off by the failure"
    battle, unit = session.battle, unit_of(session, "a1")
    team_of(session, "a1", "t2").marks = 2
    assert {option.key for option in leaders.shifts(battle, unit)} == {
        f"shift t2 {other}{many}" for other in ("t1", "t3", "t4") for many in ("", " 1")
    }
    leaders.shift(battle, unit, "shift t2 t4")
    assert marks_of(session, "a1") == {"t4": 2}
    assert not leaders.shifts(battle, unit), "his help is spent"
    [moved] = [event for event in battle.log if isinstance(event, MarksShifted)]
    assert (moved.marks, moved.rules) == (2, ("14.5", "14.19"))


@pytest.mark.rule("company", "14.5", "14.15")
def test_markers_are_moved_in_ones_own_initiative_only() -> None:
    marked = [team(30 + 2.5 * n, 30, marks=int(n == 1)) for n in range(4)]
    battle = battle_of(platoon("us_rifles", "a1", *marked), grenadiers(), side="german", sides=["american", "german"])
    assert not leaders.shifts(battle, unit_of(battle, "a1"))
    assert not leaders.hurriers(battle, unit_of(battle, "a1"))


@pytest.mark.rule("company", "15.23", "14.5")
def test_no_marker_goes_to_an_observer() -> None:
    teams = [team(30, 30), team(30, 32), *[team(32.6 + 3 * n, 31, marks=int(n == 0)) for n in range(3)]]
    battle = battle_of(platoon("us_mortars", "a1", *teams), grenadiers())
    found = {option.key.split()[2] for option in leaders.shifts(battle, unit_of(battle, "a1"))}
    assert "t2" not in found


# ---- new Leaders (14.13) -------------------------------------------------------------------------------------


@pytest.mark.rule("company", "14.13")
def test_the_commander_appoints_a_team_within_two_inches() -> None:
    led = platoon("us_rifles", "a1", *[team(30 + 2.5 * n, 30, kind="us_rifle") for n in range(3)], leader="")
    boss = platoon("us_commander", "a9", (32.5, 32))
    session = play(led, boss, grenadiers(), dice=(ACTS,))
    assert "appoint a1 t2" in keys(session) and "appoint a1 t1" in keys(session)
    answer(session, "appoint a1 t2")
    assert unit_of(session, "a1").leader == "t2" and team_of(session, "a1", "t2").kind == "us_pl"
    assert happened(session, Appointed) and not keys(session, "appoint"), "once in an Initiative"
    assert leaders.helpers(session.battle, unit_of(session, "a1"))
    assert GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "14.13")
def test_he_appoints_nobody_far_away_nor_where_the_leader_lives() -> None:
    boss = platoon("us_commander", "a9", (60, 32))
    led = platoon("us_rifles", "a1", *[team(30 + 2.5 * n, 30, kind="us_rifle") for n in range(3)], leader="")
    session = play(led, boss, grenadiers(), dice=(ACTS,))
    assert not keys(session, "appoint")
    unit = unit_of(session, "a1")
    bar = leaders.bar_appoint(session.battle, unit, unit.models[0])
    assert bar is not None and "2 inches" in bar.reason
    alive = battle_of(rifles(30), platoon("us_commander", "a9", (31, 32)), grenadiers())
    bar = leaders.bar_appoint(alive, unit_of(alive, "a1"), team_of(alive, "a1", "t2"))
    assert bar is not None and "killed" in bar.reason


@pytest.mark.rule("company", "14.13", "14.17")
def test_a_tank_unit_gets_a_tank_for_its_leader() -> None:
    tanks = platoon("us_m4_platoon", "a1", team(30, 30), team(34, 30), leader="")
    session = play(tanks, platoon("us_commander", "a9", (30, 32.5)), grenadiers(), dice=(ACTS,))
    answer(session, "appoint a1 t1")
    assert unit_of(session, "a1").leader == "t1" and team_of(session, "a1", "t1").kind == "us_m4"


def test_help_is_refused_where_there_is_none() -> None:
    battle = battle_of(rifles(30), grenadiers())
    assert run(leaders.direct(battle, unit_of(battle, "a1"), {})) == ""


@pytest.mark.rule("company", "14.17")
def test_a_leader_with_nobody_but_an_observer_is_not_placed() -> None:
    battle = battle_of(platoon("us_mortars", "a1", (30, 30), (33, 30), size=5), grenadiers())
    bar = leaders.bar_lead(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "14.2"
