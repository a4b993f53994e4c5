"""Firing (6): targets, arcs, friends in the way, weapons and shells, going to ground, and whole shootings."""

from __future__ import annotations

import pytest

from grognard.games.company import firing, leaders, volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.command_events import Directed
from grognard.games.company.fire_events import Fires, Hit, WentToGround
from grognard.games.company.invariants import invariants
from grognard.games.company.volley import FIRE, MODES
from tests.games.company.playing import battle_of, box, happened, lines, platoon, rolled, run, team, team_of, unit_of
from tests.games.company.shooting import fires, moved, row, shoot

MISS = (1,) * 60


def everybody(battle: CompanyBattle, unit: str = "g1", mode: str = "fire") -> dict[str, volley.Mode]:
    return dict.fromkeys((each.id for each in unit_of(battle, unit).models), MODES[mode])


def firers(battle: CompanyBattle, unit: str = "g1", target: str = "a1", word: str = "") -> list[str]:
    """Who would fire at a target."""
    found = volley.plan(battle, unit_of(battle, unit), unit_of(battle, target), everybody(battle, unit), word)
    return [firer.team for firer in found.firers]


def bar(battle: CompanyBattle, unit: str = "g1", target: str = "a1") -> str:
    """The rule by which nobody can fire at a target."""
    found = volley.bar_target(battle, unit_of(battle, unit), unit_of(battle, target), everybody(battle, unit))
    return found.rule if found is not None else ""


# ---- targets (6.1, 6.2, 6.26) --------------------------------------------------------------------------------


@pytest.mark.rule("company", "6.1", "6.25")
def test_a_unit_may_split_its_fire_a_team_may_not() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *row(4, 20, 20)),
        moved("us_rifles", "a1", *row(2, 20, 26)),
        moved("us_paras", "a2", *row(2, 28, 26)),
        dice=MISS,
    )
    asked = firing.fire(battle, unit_of(battle, "g1"), everybody(battle))
    run(asked, "some", "team t2", "team t3", "done", "at a1", "at a2")
    shots = happened(battle, Fires)
    assert [each.target for each in shots] == ["a1", "a2"]
    assert [roll.dice for roll in rolled(battle, "to hit")] == ["4d6", "3d6"], "the SMG of the Leader is at long range"
    assert all(each.shot == battle.state.initiative for each in unit_of(battle, "g1").models)
    assert not firing.can_fire(battle, unit_of(battle, "g1"), "t2")


@pytest.mark.rule("company", "6.2", "6.26")
def test_a_target_is_in_sight_and_within_twice_the_range() -> None:
    assert bar(battle_of(fires("ger_pioneers", "g1", (20, 10)), moved("us_rifles", "a1", (20, 23.1)))) == "6.26"
    assert bar(battle_of(fires("ger_pioneers", "g1", (20, 10)), moved("us_rifles", "a1", (20, 22.9)))) == ""
    wood = box("woods", 10, 14, 30, 18)
    assert (
        bar(battle_of(fires("ger_pioneers", "g1", (20, 10)), moved("us_rifles", "a1", (20, 20)), terrain=[wood]))
        == "6.2"
    )


@pytest.mark.rule("company", "6.26", "6.11")
def test_range_is_measured_team_by_team_to_the_nearest_that_it_sees() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer"), team(23, 10, kind="ger_pioneer")),
        moved("us_rifles", "a1", (20, 26), (20, 30)),
        dice=MISS,
    )
    shoot(battle, "g1", "a1")
    near, far = rolled(battle, "to hit")[0].tallies
    assert near.what.startswith("To hit, 2 dice") and lines(near) == {}
    assert far.what.startswith("To hit, 1 die") and lines(far) == {"long_range": 1}


# ---- arcs (6.3 to 6.5) ---------------------------------------------------------------------------------------


@pytest.mark.rule("company", "6.3", "6.4")
def test_infantry_fires_all_round_and_guns_ahead() -> None:
    target = moved("us_rifles", "a1", (20, 30))
    assert bar(battle_of(fires("ger_pioneers", "g1", (20, 25), heading=0), target)) == ""
    gun = team(20, 20, kind="ger_hmg")
    assert bar(battle_of(fires("ger_hmg_platoon", "g1", gun, heading=0), target)) == "6.3"
    battle = battle_of(fires("ger_hmg_platoon", "g1", gun, heading=100), target, dice=MISS)
    assert bar(battle) == ""
    shoot(battle, "g1", "a1")
    assert team_of(battle, "g1", "t1").heading == 180, "it turns to face its target"


@pytest.mark.rule("company", "6.5")
def test_a_turret_has_an_arc_of_its_own_and_turns_alone() -> None:
    target = moved("us_m4_platoon", "a1", (20, 30))
    hull_away = battle_of(fires("ger_pz4_platoon", "g1", team(20, 20, turret=180), heading=0), target, dice=MISS)
    assert bar(hull_away) == ""
    turret_away = battle_of(fires("ger_pz4_platoon", "g1", team(20, 20, turret=0), heading=180), target)
    assert bar(turret_away) == "6.3"
    aside = battle_of(fires("ger_pz4_platoon", "g1", team(20, 20, turret=100), heading=0), target, dice=MISS)
    shoot(aside, "g1", "a1")
    assert (team_of(aside, "g1", "t1").turret, team_of(aside, "g1", "t1").heading) == (180, 0)
    stug = battle_of(fires("ger_stug_platoon", "g1", (20, 20), heading=120), target, dice=MISS)
    shoot(stug, "g1", "a1")
    assert team_of(stug, "g1", "t1").heading == 180, "a hull gun turns its hull"


def test_a_gun_without_room_to_turn_fires_without_turning() -> None:
    battle = battle_of(
        fires("ger_at_platoon", "g1", team(20, 20, kind="ger_pak40"), team(22.1, 20, kind="ger_pak40")),
        moved("us_rifles", "a1", (30, 26)),
        dice=MISS,
    )
    shoot(battle, "g1", "a1")
    assert team_of(battle, "g1", "t1").heading == 180


# ---- friends in the way (6.6) --------------------------------------------------------------------------------


@pytest.mark.rule("company", "6.6")
def test_fire_does_not_pass_through_friends_but_guns_and_tanks_fire_over_infantry() -> None:
    target = moved("us_rifles", "a1", (20, 30))
    men, tank = fires("ger_grenadiers", "g2", (20, 26)), fires("ger_pz4_platoon", "g2", (20, 25))
    rifle, gun = team(20, 21, kind="ger_pioneer"), team(20, 19, kind="ger_hmg")
    assert bar(battle_of(fires("ger_pioneers", "g1", rifle), men, target)) == "6.6"
    assert bar(battle_of(fires("ger_pioneers", "g1", rifle), tank, target)) == "6.6"
    assert bar(battle_of(fires("ger_hmg_platoon", "g1", gun), men, target)) == ""
    assert bar(battle_of(fires("ger_hmg_platoon", "g1", gun), tank, target)) == "6.6"
    assert bar(battle_of(fires("ger_pz4_platoon", "g1", (20, 17)), men, moved("us_m4_platoon", "a1", (20, 30)))) == ""


@pytest.mark.rule("company", "6.6")
def test_infantry_is_in_the_way_of_its_own_unit_unless_it_touches_its_front() -> None:
    kinds = "ger_pioneer"
    apart = fires("ger_pioneers", "g1", team(20, 20, kind=kinds), team(20, 23, kind=kinds))
    touching = fires("ger_pioneers", "g1", team(20, 20, kind=kinds), team(20, 21.25, kind=kinds))
    target = moved("us_rifles", "a1", (20, 28))
    assert firers(battle_of(apart, target)) == ["t2"]
    assert firers(battle_of(touching, target)) == ["t1", "t2"]


# ---- weapons and shells (6.25, 16.7) -------------------------------------------------------------------------


@pytest.mark.rule("company", "16.7", "6.25")
def test_a_gun_fires_its_shell_instead_of_shot_where_its_owner_wants() -> None:
    def fired(word: str, target: str) -> tuple[str, str]:
        battle = battle_of(
            fires("ger_pz4_platoon", "g1", (20, 20)),
            moved("us_rifles", "a1", *row(3, 20, 30)),
            moved("us_m4_platoon", "a2", *row(2, 30, 30, 4)),
            dice=MISS,
        )
        shoot(battle, "g1", target, word=word)
        return rolled(battle, "to hit")[0].dice, happened(battle, Fires)[0].weapons

    assert fired("", "a1") == ("3d6", "Long 7.5cm gun, shells"), "at men as usual"
    assert fired("", "a2") == ("3d6", "Long 7.5cm gun"), "at tanks shot"
    assert fired("shot", "a1") == ("3d6", "Long 7.5cm gun")
    assert fired("mg", "a1") == ("3d6", "Vehicle MG")


@pytest.mark.rule("company", "16.7")
def test_ways_to_fire_are_offered_that_differ() -> None:
    battle = battle_of(
        fires("ger_pz4_platoon", "g1", (20, 20)),
        moved("us_armored_rifles", "a1", *row(3, 20, 30), team(30, 30, kind="us_m3ht")),
        moved("us_rifles", "a2", (10, 30)),
    )
    unit = unit_of(battle, "g1")
    words = {
        id: [each.word for each in volley.ways(battle, unit, unit_of(battle, id), everybody(battle))]
        for id in ("a1", "a2")
    }
    assert words == {"a1": ["", "shot", "mg", "tanks", "infantry"], "a2": ["", "shot", "mg"]}
    keys = [
        each.key
        for each in (
            firing.option(battle, unit, unit_of(battle, "a1"), v)
            for v in volley.ways(battle, unit, unit_of(battle, "a1"), everybody(battle))
        )
    ]
    assert keys[:2] == ["at a1", "at a1 shot"] and "at a1 tanks" in keys


def test_small_arms_do_not_fire_at_armour_alone() -> None:
    assert bar(battle_of(fires("ger_pioneers", "g1", (20, 20)), moved("us_m4_platoon", "a1", (20, 25)))) == "9.3"


# ---- one shooting an Initiative, suppressed Teams ------------------------------------------------------------


@pytest.mark.rule("company", "7.2", "11.2")
def test_who_is_suppressed_or_has_fired_in_this_initiative_does_not_fire() -> None:
    battle = battle_of(
        fires(
            "ger_pioneers", "g1", team(20, 22), team(22.5, 22, marks=1), team(25, 22, shot=1), team(27.5, 22, shot=0)
        ),
        moved("us_rifles", "a1", *row(3, 20, 26)),
        initiative=1,
        dice=MISS,
    )
    assert firers(battle) == ["t1", "t4"]
    shoot(battle, "g1", "a1")
    assert firers(battle) == [] and bar(battle) == "7.2"
    battle.state.initiative += 1
    assert firers(battle) == ["t1", "t3", "t4"], "the enemy's Initiative is another one"


# ---- dice (6.7, 6.19, 14.4, 6.31) ----------------------------------------------------------------------------


@pytest.mark.rule("company", "6.7")
def test_every_team_throws_its_fire_points_and_each_die_that_reaches_the_number_hits() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *row(4, 20, 20)),
        moved("us_rifles", "a1", *row(4, 20, 25.5)),
        dice=(2, 3, 4, 1, 6, 2, 1, 1, 6, 6, 6),
    )
    shoot(battle, "g1", "a1")
    assert rolled(battle, "to hit")[0].dice == "8d6" and happened(battle, Hit)[0].hits == 3


@pytest.mark.rule("company", "6.31", "14.4")
def test_the_leader_has_the_misses_of_a_team_thrown_again_once() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *row(3, 20, 20, 2.1), helped=0),
        moved("us_rifles", "a1", *row(3, 20, 25)),
        dice=(1, 1, 1, 1, 1, 1, 5, 5, 1, 6),
    )
    assert shoot(battle, "g1", "a1", "direct t1").hits == 2
    assert rolled(battle, "misses again")[0].dice == "2d6" and rolled(battle, "misses again")[0].rules == (
        "14.4",
        "6.31",
    )
    assert happened(battle, Directed) and not leaders.helpers(battle, unit_of(battle, "g1"))


# ---- going to ground before the dice (6.23, 6.24, 6.28, 6.30) ------------------------------------------------


def ground(**more: object) -> CompanyBattle:
    return battle_of(
        fires("ger_pioneers", "g1", *row(3, 20, 20)),
        platoon("us_rifles", "a1", *row(3, 20, 25), **{"moved": True, "fired": True, "helped": 1, **more}),
        dice=MISS,
    )


@pytest.mark.rule("company", "6.23", "6.28")
def test_a_unit_that_has_not_acted_may_go_to_ground_before_the_dice() -> None:
    battle = ground()
    shoot(battle, "g1", "a1", "ground")
    assert lines(rolled(battle, "to hit")[0].tallies[0]) == {"target_gone_to_ground": 1}
    unit = unit_of(battle, "a1")
    assert unit.down and unit.down_turn == battle.state.turn
    plain = ground()
    shoot(plain, "g1", "a1", "pass")
    assert lines(rolled(plain, "to hit")[0].tallies[0]) == {} and not happened(plain, WentToGround)


@pytest.mark.rule("company", "6.23", "6.30")
def test_who_has_acted_goes_to_ground_only_from_overwatch_and_gives_it_up() -> None:
    acted = ground(acted=1)
    shoot(acted, "g1", "a1")  # nobody is asked
    watching = battle_of(
        fires("ger_pioneers", "g1", *row(3, 20, 20)),
        platoon("us_rifles", "a1", team(20, 25, watch=True), team(22.5, 25, moved=True), acted=1),
        dice=MISS,
    )
    shoot(watching, "g1", "a1", "ground")
    assert not any(each.watch for each in unit_of(watching, "a1").models)


@pytest.mark.rule("company", "6.28")
def test_the_bonus_is_not_counted_twice_and_nobody_is_asked_for_nothing() -> None:
    down = battle_of(fires("ger_pioneers", "g1", (20, 20)), platoon("us_rifles", "a1", *row(3, 20, 25)), dice=MISS)
    shoot(down, "g1", "a1")  # all are down already: no question
    assert lines(rolled(down, "to hit")[0].tallies[0]) == {"target_concealed": 1, "target_gone_to_ground": 1}
    again = ground()
    shoot(again, "g1", "a1", "ground", teams=["t1"])
    shoot(again, "g1", "a1", teams=["t2"])
    assert lines(rolled(again, "to hit")[1].tallies[0])["target_gone_to_ground"] == 1, "it stays down"


@pytest.mark.rule("company", "6.24")
def test_who_went_to_ground_may_react_and_is_down_no_longer() -> None:
    battle = ground(helped=1)
    shoot(battle, "g1", "a1", "ground")
    shoot(battle, "a1", "g1", mode="reaction")
    unit = unit_of(battle, "a1")
    assert lines(rolled(battle, "to hit")[1].tallies[0])["reaction_fire"] == 1
    assert not unit.down and unit.down_turn == battle.state.turn, "it takes no action this turn all the same"


def test_a_unit_is_shot_at_four_times_in_a_turn_on_four_different_numbers() -> None:
    """Stayed put; then down by declaration; it reacts and is down no longer; it has moved."""
    battle = battle_of(
        fires("ger_pioneers", "g1", *row(4, 20, 20)),
        platoon("us_rifles", "a1", *row(3, 20, 25), fired=True, helped=1),
        dice=MISS,
    )
    shoot(battle, "g1", "a1", "pass", teams=["t1"])
    shoot(battle, "g1", "a1", "ground", teams=["t2"])
    shoot(battle, "a1", "g1", mode="reaction")
    shoot(battle, "g1", "a1", "pass", teams=["t3"])
    for each in unit_of(battle, "a1").models:
        each.moved = True
    unit_of(battle, "a1").acted = 1
    shoot(battle, "g1", "a1", teams=["t4"])
    told = [lines(roll.tallies[0]) for roll in rolled(battle, "to hit") if roll.side == unit_of(battle, "g1").side]
    assert told == [
        {"target_concealed": 1},
        {"target_concealed": 1, "target_gone_to_ground": 1},
        {"target_concealed": 1},
        {},
    ]


def test_why_nobody_can_fire_is_told() -> None:
    battle = battle_of(fires("ger_pioneers", "g1", team(20, 20, marks=1)), moved("us_rifles", "a1", (20, 25)))
    found = firing.bar_fire(battle, unit_of(battle, "g1"))
    assert found is not None and found.rule == "11.2"
    assert volley.ready(battle, unit_of(battle, "g1"), {"t1": FIRE}) == {}


@pytest.mark.rule("company", "6.3")
def test_a_gun_at_the_edge_of_the_table_fires_without_turning_off_it() -> None:
    battle = battle_of(
        platoon("us_57_platoon", "a1", (40, 40), (20, 46.75)), platoon("ger_grenadiers", "g1", (6, 36)), dice=MISS
    )
    gun = team_of(battle, "a1", "t2")
    run(firing.shoot(battle, unit_of(battle, "a1"), {"t2": FIRE}, unit_of(battle, "g1")))
    assert gun.fired and gun.heading == 0 and invariants(battle) == []
