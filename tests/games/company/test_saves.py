"""Saves (8) and casualties: numbers, Saves thrown again, and who is taken off with what hangs on him."""

from __future__ import annotations

import itertools

import pytest

from grognard.core.dice import meanings
from grognard.games.company import casualties, saves
from grognard.games.company.cover import HARD, OPEN, SOFT
from grognard.games.company.dealing import Dealt, Lot
from grognard.games.company.fire_events import BailedOut, HitsDealt, LeaderLost, TeamLost, UnitDestroyed
from grognard.games.company.state import Team
from grognard.games.company.taking_hits import take
from grognard.kits.table.state import LOST
from tests.games.company.playing import (
    battle_of,
    box,
    happened,
    marks_of,
    platoon,
    rolled,
    run,
    team,
    team_of,
    teams_of,
    unit_of,
)
from tests.games.company.shooting import fires, moved, row, shoot


def numbers(kind: str, *, at: bool = False, **more: bool) -> list[int]:
    """The Save numbers of a Team in the open, in soft and in hard cover."""
    battle = battle_of(platoon("us_rifles", "a1", (20, 20)))
    one = Team("t1", kind=kind, **more)  # type: ignore[arg-type]
    return [saves.save_number(battle, one, level, at=at).total for level in (OPEN, SOFT, HARD)]


@pytest.mark.rule("company", "8.2", "10.2", "10.8")
def test_save_numbers() -> None:
    assert numbers("us_rifle") == [3, 3, 2]
    assert numbers("us_57", fired=True) == [5, 5, 3], "a gun gains two in hard cover: the table governs"


@pytest.mark.rule("company", "8.3")
def test_a_gun_that_neither_moved_nor_fired_saves_as_infantry() -> None:
    assert numbers("us_57") == [3, 3, 2]
    assert numbers("us_57", moved=True) == numbers("us_57", fired=True) == [5, 5, 3]


@pytest.mark.rule("company", "9.1", "9.2")
def test_a_truck_saves_like_infantry_and_against_at_weapons_like_a_gun() -> None:
    assert numbers("us_truck") == numbers("us_truck", moved=True) == [3, 3, 2]
    assert numbers("us_truck", at=True) == [5, 5, 3]


@pytest.mark.rule("company", "8.1", "8.4")
def test_who_fails_is_taken_off() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        moved("us_rifles", "a1", *row(5, 18, 26)),
        dice=(6, 6, 6, 1, 3, 2, 4),
    )
    found = shoot(battle, "g1", "a1")
    assert found == (3, 0, 1) and teams_of(battle, "a1") == ["t1", "t2", "t4", "t5"]
    assert rolled(battle, "Saves")[0].dice == "3d6" and rolled(battle, "Saves")[0].meaning == (0, 1, 0)
    assert unit_of(battle, "a1").lost_now == 1


@pytest.mark.rule("company", "8.5")
def test_one_die_that_fails_is_enough() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        moved("us_rifles", "a1", team(20, 26, kind="us_rifle"), team(20, 46, kind="us_rifle")),
        dice=(6, 6, 6, 1, 6, 2, 6),
    )
    assert shoot(battle, "g1", "a1").lost == 1 and rolled(battle, "Saves")[0].meaning == 1


@pytest.mark.rule("company", "3.8", "3.16", "8.5")
def test_a_team_that_ran_throws_saves_again_that_succeed_and_the_second_stands() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        moved("us_rifles", "a1", *(team(x, 26, kind="us_rifle") for x in (18, 20.5, 23, 25.5)), ran=True, leader=""),
        dice=(6, 6, 6, 6, 2, 3, 4, 5, 6, 1, 6),
    )
    assert shoot(battle, "g1", "a1").lost == 2
    assert [(roll.what, roll.dice) for roll in rolled(battle)][1:] == [("Saves", "4d6"), ("Saves again", "3d6")]
    assert teams_of(battle, "a1") == ["t2", "t4"], "the first failed at once, the third when it threw again"


def test_both_reasons_to_throw_again_are_one() -> None:
    """A number of 1 and a Team that ran: a Save that succeeds is thrown again once."""
    battle = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
        moved("us_rifles", "a1", *(team(x, 26, kind="us_rifle") for x in (20, 22.5)), ran=True, training="green"),
        dice=(6, 1, 5, 5),
    )
    assert shoot(battle, "g1", "a1", mode="aimed_fire").lost == 0
    assert [roll.what for roll in rolled(battle)] == ["to hit", "Saves", "Saves again"]


def test_saves_of_like_teams_counted_at_once_are_as_likely_as_one_by_one() -> None:
    """For odds it is told how many of a kind fall: as often as in all throws of the dice."""
    kinds = (((3,), (3, 2)), ((5,),))
    counted = dict(meanings(4, 6, saves.how_many(kinds)))
    found: dict[tuple[int, int], int] = {}
    for faces in itertools.product(range(1, 7), repeat=4):
        fell = (faces[0] < 3) + (faces[1] < 3 or faces[2] < 2), int(faces[3] < 5)
        found[fell] = found.get(fell, 0) + 1
    assert counted == found


# ---- casualties (8.4, 11.5, 14, 16.2) ------------------------------------------------------------------------


def test_a_unit_whose_last_team_falls_is_destroyed() -> None:
    battle = battle_of(platoon("us_rifles", "a1", (20, 20), (22.5, 20)), platoon("ger_pioneers", "g1", (20, 30)))
    run(casualties.lose(battle, unit_of(battle, "a1"), "t1", ("8.4",)))
    assert happened(battle, LeaderLost) and unit_of(battle, "a1").leader == ""
    run(casualties.lose(battle, unit_of(battle, "a1"), "t2", ("8.4",)))
    assert unit_of(battle, "a1").status == LOST and battle.state.lost[unit_of(battle, "a1").side] == ["a1"]
    assert [each.unit for each in happened(battle, UnitDestroyed)] == ["a1"]


@pytest.mark.rule("company", "14.16")
def test_a_commander_with_nobody_near_is_a_target_of_one_team_and_may_fall() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        platoon("us_commander", "ac", (21, 25), moved=True, acted=1),
        platoon("us_rifles", "a1", (60, 40)),
        dice=(6, 6, 6, 6, 1, 1, 1, 1),
    )
    shoot(battle, "g1", "ac")
    side = unit_of(battle, "ac").side
    assert battle.commander(side) is None and battle.company(side).commander == ""
    assert not any(battle.state.lost.values()), "he is no Unit"


@pytest.mark.rule("company", "14.12", "14.16")
def test_a_commander_under_fire_joins_a_unit_near_and_may_be_given_hits() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        platoon("us_commander", "ac", (21, 25), moved=True, acted=1),
        moved("us_rifles", "a1", *(team(x, 26, kind="us_rifle") for x in (23, 25.5))),
        dice=(6, 6, 6, 1, 6, 6, 6, 6),
    )
    assert shoot(battle, "g1", "ac").hits == 3
    assert "on Company Commander" in happened(battle, HitsDealt)[0].teams
    own = unit_of(battle, "ac")
    assert own.models and battle.company(own.side).joined == "", "he is by himself again"
    assert teams_of(battle, "a1") == ["t1", "t2"] and marks_of(battle, "a1"), "the marker is the platoon's"


@pytest.mark.rule("company", "16.2")
def test_who_is_aboard_a_transport_that_is_lost_saves_himself_or_is_lost_with_it() -> None:
    battle = battle_of(
        platoon(
            "us_armored_rifles",
            "a1",
            team(20, 20, kind="us_m3ht", id="t5"),
            team(30, 20, kind="us_rifle", id="t6"),
            riders=[team(kind="us_rifle", id="t7", aboard="t5"), team(kind="us_rifle", id="t8", aboard="t5")],
        ),
        platoon("ger_pioneers", "g1", (20, 40)),
        dice=(2, 3),
    )
    unit = unit_of(battle, "a1")
    run(casualties.lose(battle, unit, "t5", ("9.5",)))
    assert teams_of(battle, "a1") == ["t6", "t8"] and not unit.riders and unit.lost_now == 2
    assert [each.team for each in happened(battle, BailedOut)] == [battle.team_name(unit, team_of(battle, "a1", "t8"))]
    assert marks_of(battle, "a1") == {"t8": 1} and len(happened(battle, TeamLost)) == 2
    there = team_of(battle, "a1", "t8")
    assert abs(there.x - 2000) <= 400 and abs(there.y - 2000) <= 400 and there.aboard == ""


def test_plain_and_at_dice_on_a_truck_need_different_numbers() -> None:
    battle = battle_of(
        platoon("ger_pak40_motorised", "g2", team(20, 30, kind="ger_truck"), team(24, 30, kind="ger_truck")),
        platoon("us_rifles", "a1", (20, 20)),
        dice=(3, 4),
    )
    lots = {"t1": Lot(1, (("front", 1),))}
    lost, results = run(take(battle, unit_of(battle, "a1"), unit_of(battle, "g2"), Dealt(lots, {"t1": OPEN}, 2), False))
    assert (lost, results) == (1, 0), "3 saves against rifles, 4 does not against an AT gun"
    assert {tally.total for tally in rolled(battle, "Saves")[0].tallies} == {3, 5}


@pytest.mark.rule("company", "10.2", "10.12")
def test_hard_cover_counts_for_a_save_only_if_it_is_cover_from_all_who_fire() -> None:
    wall = box("building", 18, 24, 24, 28)
    for spots, needs in ((((21, 20),), 2), (((21, 20), (21, 25.5)), 2)):
        battle = battle_of(
            fires("ger_pioneers", "g1", *(team(*spot, kind="ger_pioneer") for spot in spots)),
            moved("us_rifles", "a1", team(21, 27, kind="us_rifle")),
            terrain=[wall],
            dice=(6, 6, 6, 6, 6, 6, 6, 6),
        )
        shoot(battle, "g1", "a1")
        assert rolled(battle, "Saves")[0].tallies[0].total == needs
