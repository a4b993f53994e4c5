"""Dealing hits (6.18 to 6.21, 6.29, 9.9, 15.23)."""

from __future__ import annotations

import pytest

from grognard.games.company.fire_events import HitsDealt, NoHarm
from tests.games.company.playing import battle_of, box, happened, marks_of, platoon, rolled, team, teams_of
from tests.games.company.shooting import fires, moved, row, shoot

#: Six hits of four rifle teams, then Saves that all succeed.
SAVED = (6,) * 20


def dealt(battle: object) -> str:
    return happened(battle, HitsDealt)[-1].teams  # type: ignore[arg-type]


@pytest.mark.rule("company", "6.18", "6.20")
def test_six_hits_on_two_in_the_open_one_in_soft_and_one_in_hard_cover() -> None:
    """2, 2, 1, 1, and two markers."""
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x, _ in row(3, 20, 20))),
        moved("us_rifles", "a1", *(team(x, 27, kind="us_rifle") for x in (16, 18.5, 22, 26))),
        terrain=[box("woods", 20.5, 25, 23.5, 29), box("building", 24.5, 25, 28, 29)],
        dice=SAVED,
    )
    assert shoot(battle, "g1", "a1") == (6, 0, 0)
    assert dealt(battle) == "2 on Rifle team t1, 2 on Rifle team t2, 1 on Rifle team t3, 1 on Rifle team t4"
    assert sum(marks_of(battle, "a1").values()) == 2


@pytest.mark.rule("company", "6.20")
def test_who_is_down_is_dealt_hits_last() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
        platoon(
            "us_rifles",
            "a1",
            *(team(x, 27, kind="us_rifle", fired=fired) for x, fired in ((18, False), (20.5, True), (23, True))),
            acted=1,
        ),
        dice=(6, 6, *SAVED),
    )
    shoot(battle, "g1", "a1")
    assert dealt(battle) == "1 on Rifle team t2, 1 on Rifle team t3"


@pytest.mark.rule("company", "6.18")
def test_only_teams_in_range_and_sight_of_somebody_who_fires_are_dealt_hits() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
        moved("us_rifles", "a1", *(team(20, y, kind="us_rifle") for y in (26, 47)), team(30, 35, kind="us_rifle")),
        terrain=[box("woods", 25, 27, 40, 30)],
        dice=SAVED,
    )
    shoot(battle, "g1", "a1")
    assert dealt(battle) == "2 on Rifle team t1", "the second is out of range, the third out of sight"


@pytest.mark.rule("company", "6.18")
def test_the_owner_chooses_among_teams_of_one_class_that_differ() -> None:
    def hit(*answers: str) -> str:
        battle = battle_of(
            fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
            moved("us_rifles", "a1", team(20, 25), *(team(x, 25, kind="us_rifle") for x in (22.5, 25))),
            dice=(6, 1, *SAVED),
        )
        shoot(battle, "g1", "a1", *answers)
        return dealt(battle)

    assert hit() == "1 on Rifle team t2", "the Leader last"
    assert hit("give t1") == "1 on Platoon Leader t1" and hit("give t3") == "1 on Rifle team t3"
    alike = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
        moved("us_rifles", "a1", *(team(x, 25, kind="us_rifle") for x in (20, 22.5, 25))),
        dice=(6, 1, *SAVED),
    )
    shoot(alike, "g1", "a1")  # nobody is asked


@pytest.mark.rule("company", "6.19", "6.29")
def test_all_hits_of_an_at_weapon_fall_on_one_team_whatever_lies_there() -> None:
    battle = battle_of(
        fires("ger_at_platoon", "g1", *(team(x, 20, kind="ger_pak40") for x in (20, 24))),
        moved("us_m4_platoon", "a1", *(team(x, 40, kind="us_m4") for x in (20, 24))),
        dice=(6, 6, 6, 6, 6, 1, *SAVED),
    )
    shoot(battle, "g1", "a1")
    assert [roll.dice for roll in rolled(battle, "to hit")] == ["3d6", "3d6"], "each weapon by itself"
    assert dealt(battle) == "5 on M4 Sherman 75 t2"


@pytest.mark.rule("company", "6.21", "6.29")
def test_an_at_weapon_may_name_a_type_and_the_order_holds_within_it() -> None:
    def hit(word: str) -> str:
        battle = battle_of(
            fires("ger_at_platoon", "g1", team(20, 20, kind="ger_pak40")),
            moved(
                "us_armored_rifles",
                "a1",
                team(16, 34, kind="us_rifle"),
                team(20, 34, kind="us_m3ht"),
                team(24, 34, kind="us_m3ht"),
                leader="",
            ),
            terrain=[box("woods", 18.5, 31, 21.5, 37)],
            dice=SAVED,
        )
        shoot(battle, "g1", "a1", word=word or "shot")
        return dealt(battle)

    assert hit("tanks") == "3 on M3 half-track t3", "the half-track in the open before the one in the woods"
    assert hit("infantry") == "3 on Rifle team t1"
    assert hit("") == "3 on Rifle team t1", "in the open, and worth least"


@pytest.mark.rule("company", "9.9", "9.3")
def test_hits_without_at_go_to_others_than_armour_or_vanish() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(x, 20, kind="ger_pioneer") for x in (20, 22.5))),
        moved("us_armored_rifles", "a1", team(20, 27, kind="us_rifle"), team(24, 27, kind="us_m3ht")),
        dice=SAVED,
    )
    shoot(battle, "g1", "a1")
    assert dealt(battle) == "4 on Rifle team t1"
    bare = battle_of(
        fires("ger_pz4_platoon", "g1", (20, 20)),
        moved("us_armored_rifles", "a1", team(20, 27, kind="us_rifle"), team(24, 27, kind="us_m3ht")),
        terrain=[box("woods", 10, 22, 22, 24)],
        dice=(6, 6, 6, *SAVED),
    )
    assert shoot(bare, "g1", "a1", word="mg") == (0, 0, 0) or not happened(bare, NoHarm)


@pytest.mark.rule("company", "15.15", "15.23")
def test_hits_on_an_observer_are_not_counted_and_he_bears_no_marker() -> None:
    battle = battle_of(
        fires("ger_hmg_platoon", "g1", team(20, 20, kind="ger_hmg")),
        moved("us_mortars", "a1", team(20, 30, kind="us_fo"), team(20, 46, kind="us_mortar81")),
        dice=(6, 6, 6, 6, 6, *SAVED),
    )
    assert shoot(battle, "g1", "a1", only=["t1"]) == (0, 0, 0)
    assert marks_of(battle, "a1") == {} and teams_of(battle, "a1") == ["t1", "t2"]
