"""Close combat (13.7 to 13.13, 13.17 to 13.20): checks Team by Team, counter-attacks, armour, casualties."""

from __future__ import annotations

import math

import pytest

from grognard.games.company import close_combat
from grognard.games.company.assault_events import AssaultLands, CounterAttacks, CutDown
from grognard.games.company.command_events import CheckThrownAgain
from grognard.games.company.fire_events import Struck, TeamLost
from grognard.games.company.move_events import Moved
from tests.games.company.fighting import assaults, go_on, grenadiers, rifles
from tests.games.company.playing import (
    answer,
    battle_of,
    happened,
    keys,
    marks_of,
    platoon,
    rolled,
    tally,
    team,
    team_of,
    teams_of,
    unit_of,
)


@pytest.mark.rule("company", "13.7", "13.17")
def test_each_success_removes_an_enemy_team_without_a_save() -> None:
    session = assaults(rifles(), grenadiers())
    go_on(session, "hold", close_combat=(6, 1, 6))
    assert happened(session, AssaultLands)
    dice = sum(int(roll.dice.split("d")[0]) for roll in rolled(session, "close combat"))
    assert dice == 3, "each of the three is within 2 inches"
    assert len(happened(session, CutDown)) == len(happened(session, TeamLost)) >= 1
    assert not rolled(session, "Saves")
    assert tally(session, "Training Check", "close combat").total == 4, "the training of those who strike"


@pytest.mark.rule("company", "13.7")
def test_who_has_no_enemy_within_two_inches_does_not_check() -> None:
    battle = battle_of(rifles(13.01, count=1), grenadiers())
    a1, g1 = unit_of(battle, "a1"), unit_of(battle, "g1")
    a1.models.append(type(a1.models[0])("t9", 3000, 2000, kind="us_rifle"))
    battle.invalidate()
    blows = close_combat.fighting(battle, a1, g1, ["t1", "t9"])
    assert [blow.teams for blow in blows] == [("t1",)]
    assert set(blows[0].foes) == {"t1", "t2"}, "t3 stands farther off than 2 inches"


@pytest.mark.rule("company", "13.17")
def test_teams_check_one_by_one_and_stop_when_no_enemy_is_left_to_them() -> None:
    # B27: three strike at one Team; the first success removes it.
    session = assaults(rifles(), grenadiers(count=1), platoon("ger_hmg_platoon", "g2", (60, 4)))
    go_on(session, "hold", close_combat=6)
    assert len(happened(session, CutDown)) == 1
    assert unit_of(session, "g1").status == "lost" and session.battle.state.lost["german"] == ["g1"]


@pytest.mark.rule("company", "13.17")
def test_the_owner_says_which_team_falls() -> None:
    near = platoon("ger_grenadiers", "g1", (30, 12), (32.2, 12), (60, 6), heading=180)
    session = assaults(rifles(count=1), near)
    answer(session, "hold", "dice 6")
    assert keys(session) == ["deal", "lose t2", "lose t1"], "the usual one first, t3 is too far off"
    answer(session, "lose t1")
    assert teams_of(session, "g1") == ["t2", "t3"] and unit_of(session, "g1").leader == ""


@pytest.mark.rule("company", "13.17", "3.13")
def test_suppression_does_not_change_checks_in_close_combat() -> None:
    marked = [team(30 + 2.5 * n, 12, marks=2) for n in range(3)]
    session = assaults(rifles(count=5), platoon("ger_grenadiers", "g1", *marked, heading=180))
    assert session.ask is not None and "react g1" not in keys(session), "suppressed Teams do not fire"
    go_on(session, close_combat=1)
    go_on(session, "stand", counter_attack=4, close_combat=4)
    assert happened(session, CounterAttacks)
    assert tally(session, "Training Check", "counter-attack").total == 4
    assert tally(session, "Training Check", "close combat").total == 4


# ---- counter-attacks (13.8, 13.9, 13.11) ---------------------------------------------------------------------


@pytest.mark.rule("company", "13.8", "13.9")
def test_a_counter_attack_closes_in_by_four_inches_and_strikes() -> None:
    spread = platoon("ger_grenadiers", "g1", (30, 12), (32.5, 12), (37.5, 12), (44, 12), heading=180)
    session = assaults(rifles(count=2), spread)
    go_on(session, "hold", close_combat=1)
    assert session.ask is not None and session.ask.side == "german"
    assert keys(session) == ["counter", "stand", "break_off"]
    seen = session.preview("counter")
    assert {"t3", "t4"} <= {model.id for model in seen.models} and seen.lines
    go_on(session, "counter", counter_attack=6, close_combat=6)
    [moved] = [event for event in happened(session, Moved) if event.how == "counter"]
    assert moved.unit == "g1"
    assert all(math.dist((x0, y0), (x1, y1)) <= 402 for _, x0, y0, x1, y1, *_ in moved.models)
    assert not unit_of(session, "a1").models, "both attackers fall"


@pytest.mark.rule("company", "13.9", "13.22")
def test_guns_do_not_close_in_but_fight_where_they_stand() -> None:
    guns = platoon("ger_at_platoon", "g1", (44, 4), (30, 10), (38, 10), heading=180)
    session = assaults(rifles(count=2), guns)
    go_on(session, "hold", close_combat=1)
    assert keys(session) == ["stand", "break_off"], "its Leader is too far away, and guns do not move"
    go_on(session, "stand", counter_attack=6, close_combat=6)
    assert not [event for event in happened(session, Moved) if event.unit == "g1"]
    assert len(teams_of(session, "a1")) < 2


@pytest.mark.rule("company", "13.11", "13.20")
def test_they_go_on_in_turn_until_one_breaks_off() -> None:
    session = assaults(rifles(count=4), grenadiers(count=4))
    go_on(session, "hold", close_combat=1)
    for side in ("german", "american", "german"):
        assert session.ask is not None and session.ask.side == side
        go_on(session, "stand", counter_attack=6, close_combat=1)
    assert len(happened(session, CounterAttacks)) == 3
    assert session.ask.side == "american" and "break_off" in keys(session)


# ---- markers for casualties (13.12, 13.19) -------------------------------------------------------------------


@pytest.mark.rule("company", "13.12", "13.19")
def test_each_casualty_of_the_fight_is_a_marker_when_it_is_over() -> None:
    session = assaults(rifles(count=5), grenadiers(count=6))
    # Two fall by defensive fire: those have had their marker for hits, and count no more.
    go_on(session, "react g1", to_hit=[6, 6, 6, *[1] * 20], saves=(1, 1, 6), close_combat=1)
    before = len(teams_of(session, "a1"))
    assert (before, sum(marks_of(session, "a1").values())) == (3, 1)
    go_on(session, "stand", counter_attack=6, close_combat=iter([6, *[1] * 20]))
    fallen = before - len(teams_of(session, "a1"))
    assert 1 <= fallen < before
    go_on(session, "break_off", breaks_off=6)
    go_on(session, keys(session)[0], "stay", pursues=1)
    assert sum(marks_of(session, "a1").values()) == 1 + before - len(teams_of(session, "a1"))
    assert marks_of(session, "g1") == {}, "it has lost nobody"


# ---- armour (13.13, 13.14, 13.18) ----------------------------------------------------------------------------


@pytest.mark.rule("company", "13.13", "13.18")
def test_men_against_tanks_check_by_their_tank_assault_rating() -> None:
    tanks = platoon("ger_pz4_platoon", "g1", (30, 12), (60, 6), heading=180)
    session = assaults(rifles(count=1), tanks)
    rating = session.battle.team_type(team_of(session, "a1", "t1")).tank_assault
    go_on(session, "hold", close_combat=6, armour_saves=1, vehicle_damage=5)
    [blow] = rolled(session, "close combat")
    assert blow.dice == f"{rating}d6" and rating == 2
    assert sum(int(roll.dice.split("d")[0]) for roll in rolled(session, "armour Saves")) == rating
    damage = tally(session, "Vehicle damage")
    assert damage.total == 0, "nothing is added, though he came from anywhere"
    assert "2 suppressions" in happened(session, Struck)[0].result
    assert "t1" in teams_of(session, "g1")


@pytest.mark.rule("company", "13.13", "13.12")
def test_a_tank_that_is_destroyed_in_close_combat_is_a_casualty() -> None:
    tanks = platoon("ger_pz4_platoon", "g1", (30, 12), (60, 6), heading=180)
    session = assaults(rifles(count=1), tanks)
    go_on(session, "hold", close_combat=6, armour_saves=1, vehicle_damage=6)
    assert teams_of(session, "g1") == ["t2"]
    go_on(session, "break_off", breaks_off=1)
    go_on(session, keys(session)[0])
    assert marks_of(session, "g1") == {"t2": 1}


@pytest.mark.rule("company", "13.18")
def test_trucks_fall_like_infantry_and_a_tank_makes_one_check() -> None:
    battle = battle_of(
        platoon("us_m4_platoon", "a1", (30, 14.6), (36, 14.6)),
        platoon("ger_pak40_motorised", "g1", (30, 12), (50, 4), (54, 4), (58, 4), (36, 12), heading=180),
    )
    a1, g1 = unit_of(battle, "a1"), unit_of(battle, "g1")
    blows = close_combat.fighting(battle, a1, g1, ["t1", "t2"])
    # The truck stands before the second of them: vehicles do not assault vehicles.
    assert [(blow.teams, blow.foes, blow.dice, blow.armored) for blow in blows] == [(("t1",), ("t1",), 1, False)]
    men = battle_of(
        rifles(13.9, count=2),
        platoon("ger_pak40_motorised", "g1", (50, 4), (40, 4), (44, 4), (48, 4), (32.5, 12), heading=180),
    )
    blows = close_combat.fighting(men, unit_of(men, "a1"), unit_of(men, "g1"), ["t2"])
    assert [(blow.foes, blow.dice, blow.armored) for blow in blows] == [(("t5",), 1, False)]


@pytest.mark.rule("company", "13.14")
def test_a_tank_has_no_check_against_a_tank_beside_it() -> None:
    battle = battle_of(
        platoon("us_m4_platoon", "a1", (30, 14.4)), platoon("ger_pz4_platoon", "g1", (30, 11.5), heading=180)
    )
    assert close_combat.fighting(battle, unit_of(battle, "a1"), unit_of(battle, "g1"), ["t1"]) == []


# ---- the commander's help (14.8) -----------------------------------------------------------------------------


@pytest.mark.rule("company", "14.8")
def test_the_commander_may_have_one_check_of_the_fight_thrown_again() -> None:
    boss = platoon("us_commander", "a9", (30, 30))
    session = assaults(rifles(count=2), grenadiers(count=4), boss)
    answer(session, "hold")
    while session.ask is not None and not keys(session):
        answer(session, f"dice {' '.join(['1'] * session.ask.number)}")  # type: ignore[attr-defined]
    assert keys(session) == ["reroll", "keep"]
    answer(session, "reroll")
    go_on(session, close_combat=6)
    assert len(happened(session, CheckThrownAgain)) == 1 and len(happened(session, CutDown)) >= 1
