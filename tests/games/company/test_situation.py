"""Positions set by hand: what they may say, and every fault with its line and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.games.company.invariants import invariants
from tests.games.company.playing import battle_of, box, line, platoon, position, team, team_of, teams_of, unit_of


def refused(*platoons: dict[str, Any], **more: Any) -> str:
    """What is wrong with a position."""
    with pytest.raises(MalformedError) as caught:
        battle_of(*platoons, **more)
    assert all(fault.line for fault in caught.value.faults), caught.value
    return str(caught.value)


FOE = platoon("ger_grenadiers", "g1", at=(20, 5), heading=180)


def test_teams_are_placed_one_by_one_or_in_a_form() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", (20, 30), (22.5, 30), team(25, 30, kind="us_bazooka", id="b1", marks=2)),
        platoon("ger_pz4_platoon", "g1", team(24, 18, heading=90, turret=180), (28, 18), heading=180, training="elite"),
        platoon("us_mortars", "a2", at=(40, 40), form="cluster", heading=45),
    )
    assert teams_of(battle, "a1") == ["t1", "t2", "b1"]
    assert [each.kind for each in unit_of(battle, "a1").models] == ["us_pl", "us_rifle", "us_bazooka"]
    assert team_of(battle, "a1", "b1").marks == 2
    assert unit_of(battle, "a1").leader == "t1" and unit_of(battle, "a1").size == 3
    tank, other = unit_of(battle, "g1").models
    assert (tank.heading, tank.turret, other.heading, other.turret) == (90, 180, 180, 180)
    assert battle.training(unit_of(battle, "g1")).check == 3 and unit_of(battle, "g1").leader == "t1"
    assert len(teams_of(battle, "a2")) == 5 and invariants(battle) == []


def test_marks_of_a_unit_are_those_of_all_its_teams() -> None:
    rifles = platoon("us_rifles", "a1", (20, 30), team(23, 30, shot=2), moved=True, shot=1, marks=1)
    found = unit_of(battle_of(rifles, FOE, initiative=2), "a1").models
    assert [(each.moved, each.shot, each.marks) for each in found] == [(True, 1, 1), (True, 2, 1)]


def test_a_leader_may_be_dead_and_teams_may_ride() -> None:
    ride = [{"kind": "us_rifle", "aboard": "t5"}, {"kind": "us_rifle", "aboard": "t5"}]
    battle = battle_of(
        platoon("us_armored_rifles", "a1", (30, 30), team(34, 30, kind="us_m3ht", id="t5"), leader="", riders=ride), FOE
    )
    unit = unit_of(battle, "a1")
    assert unit.leader == "" and battle.leader(unit) is None
    assert [(each.id, each.aboard, each.x, each.y) for each in unit.riders] == [
        ("t3", "t5", 3400, 3000),
        ("t4", "t5", 3400, 3000),
    ]
    assert unit.size == 4


def test_companies_and_their_memory() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", at=(20, 30)),
        platoon("us_commander", "a2", (30, 36)),
        FOE,
        lost={"american": ["a7", "a8"]},
        company={"american": {"rerolled": 1}},
        smoke=[{"at": [10, 10], "heading": 30, "until": 3}],
        initiative=2,
    )
    mine, theirs = battle.company("american"), battle.company("german")
    assert (mine.start, mine.commander, mine.rerolled) == (3, "a2", 1)
    assert (theirs.start, theirs.commander) == (1, "")
    assert battle.commander("american") is unit_of(battle, "a2") and battle.commander("german") is None
    assert [unit.id for unit in battle.platoons("american")] == ["a1"]
    assert [(square.x, square.y, square.side, square.heading) for square in battle.clouds()] == [(1000, 1000, 600, 30)]


def test_names_of_units_and_teams() -> None:
    battle = battle_of(platoon("us_rifles", "a1", at=(20, 30)), platoon("us_commander", "a2", (30, 36)), FOE)
    unit = unit_of(battle, "a1")
    assert battle.name(unit) == "Rifle platoon a1"
    assert battle.team_name(unit, team_of(battle, "a1", "t3")) == "Rifle team t3"
    assert battle.team_name(unit_of(battle, "a2"), team_of(battle, "a2", "t1")) == "Company Commander"


def test_all_faults_are_told_at_once() -> None:
    told = refused(
        platoon("us_rifles", "a1", (20, 30), (99, 30), team(26, 30, heading=400), team(29, 30, turret=90)),
        platoon("ger_grenadier", "g1", at=(20, 5)),
        platoon("ger_grenadiers", "g2", at=(20, 5), training="keen", heading=720),
        platoon("ger_grenadiers", "g2", at=(40, 5), leader="t40"),
        platoon("ger_grenadiers", "g4"),
        phase="tea",
        side="french",
    )
    for wrong in (
        "[99, 30] is not on the table (0 to 72 across and 0 to 48 down)",
        "a heading of 400 (0 to 359 degrees",
        "Rifle team has no turret",
        'no unit called "ger_grenadier" (did you mean "ger_grenadiers"?)',
        'unknown training "keen"',
        "a heading of 720",
        'the id "g2" twice',
        'no Team "t40" in g2',
        "a unit on the table without a place",
        'unknown phase "tea"',
        'unknown side "french"',
    ):
        assert wrong in told, told


def test_what_no_battle_leads_to_is_refused() -> None:
    assert "(t1) and Rifle platoon a1 (t2) overlap" in refused(platoon("us_rifles", "a1", (20, 30), (20.5, 30)), FOE)
    assert "is off the table" in refused(platoon("us_rifles", "a1", (0.2, 30)), FOE)
    told = refused(platoon("us_mortars", "a1", (20, 30), team(23, 30, marks=1)), FOE)
    assert "marker on its Forward Observer" in told
    told = refused(platoon("us_rifles", "a1", team(20, 30, marks=1, watch=True)), FOE)
    assert "is on Overwatch and suppressed" in told
    assert "fired in Initiative 4" in refused(platoon("us_rifles", "a1", team(20, 30, shot=4)), FOE)
    assert "acted in turn 3" in refused(platoon("us_rifles", "a1", (20, 30), acted=3), FOE)
    told = refused(platoon("us_rifles", "a1", (20, 30), watch=True, down=True), FOE)
    assert "has gone to ground and is on Overwatch" in told
    assert "has 2 Teams of 1" in refused(platoon("us_rifles", "a1", (20, 30), (23, 30), size=1), FOE)


@pytest.mark.rule("company", "16.1")
def test_more_teams_aboard_than_fit_are_refused() -> None:
    def load(*kinds: str, carrier: str = "us_m3ht") -> str:
        riders = [{"kind": kind, "aboard": "h1"} for kind in kinds]
        here = team(34, 30, kind=carrier, id="h1")
        return refused(platoon("us_armored_rifles", "a1", (30, 30), here, riders=riders), FOE)

    assert "has 3 Teams aboard, with room for 2" in load("us_rifle", "us_rifle", "us_rifle")
    assert "tows a gun and has 1 more aboard" in load("us_57", "us_rifle")
    assert "carries a vehicle" in load("us_m3ht")
    assert "no transport" in load("us_rifle", carrier="us_m4")
    told = refused(platoon("us_rifles", "a1", (30, 30), riders=[{"kind": "us_rifle", "aboard": "t9"}]), FOE)
    assert 'no Team "t9" of a1 on the table (one of t1)' in told


@pytest.mark.rule("company", "4.3", "4.4")
def test_teams_on_ground_that_is_closed_to_them_are_refused() -> None:
    woods = [box("woods", 18, 25, 30, 34, name="Oak wood")]
    gun = platoon("us_hmg_platoon", "a1", (10, 30), (22, 30))
    assert "HMG team t2: guns can't go through" in refused(gun, FOE, terrain=woods)
    battle_of(platoon("us_rifles", "a1", (10, 30), (22, 30)), FOE, terrain=woods)
    told = refused(platoon("us_m4_platoon", "a1", (24, 28)), FOE, terrain=[box("building", 20, 24, 28, 32)])
    assert "vehicles can't go through" in told
    wall = [line("tall_wall", (20, 28), (28, 28))]
    assert "vehicles can't go through" in refused(platoon("us_m4_platoon", "a1", (24, 28)), FOE, terrain=wall)


def test_a_refused_position_says_where() -> None:
    text = position(platoon("us_rifles", "a1", (20, 30), (20.4, 30)), FOE)
    with pytest.raises(MalformedError) as caught:
        battle_of(platoon("us_rifles", "a1", (20, 30), (20.4, 30)), FOE)
    [fault] = caught.value.faults
    assert fault.place == "unit[1].teams[2]" and "a1" in text.splitlines()[fault.line - 1]


@pytest.mark.rule("company", "2.4", "14.1", "15.14")
def test_strangers_in_a_unit_are_refused() -> None:
    def rifles(*kinds: str, **more: Any) -> str:
        teams = [team(20 + 3 * n, 30, kind=kind) for n, kind in enumerate(kinds)]
        return refused(platoon("us_rifles", "a1", *teams, **more), FOE)

    assert "only artillery has a Forward Observer" in rifles("us_pl", "us_fo")
    assert "Rifle and MG42 team t2 is german" in rifles("us_pl", "ger_rifle_mg")
    assert "a second Platoon Leader" in rifles("us_pl", "us_pl")
    assert "a commander is a unit of his own" in rifles("us_pl", "us_cc")
    alone = battle_of(platoon("us_rifles", "a1", team(20, 30, kind="us_rifle")), FOE)
    assert unit_of(alone, "a1").leader == "", "without its Platoon Leader nobody leads it"
