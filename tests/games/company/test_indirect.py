"""Indirect fire (15): observers, ranging in, the template and its shift, dice and Saves, markers, friends."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.company import indirect
from grognard.games.company.command_events import BarrageFalls, BarrageOpens, RangedIn, Shelled
from grognard.games.company.fire_events import Suppressed, TeamLost, WentToGround
from grognard.games.company.state import Team
from tests.games.company.fighting import ACTS, go_on, grenadiers
from tests.games.company.playing import (
    GAME,
    answer,
    battle_of,
    box,
    happened,
    keys,
    line,
    lines,
    marks_of,
    options,
    platoon,
    play,
    rolled,
    tally,
    team,
    team_of,
    teams_of,
    unit_of,
)


def mortars(guns: int = 3, fo: tuple[float, float] = (30, 30), **more: Any) -> dict[str, Any]:
    """A mortar platoon a1: its Leader behind, an observer ahead, and its mortars t3, t4, …"""
    return platoon("us_mortars", "a1", (30, 46), fo, *[(26 + 3 * n, 44) for n in range(guns)], **more)


def barrages(*units: dict[str, Any], **more: Any) -> Session:
    """A session in which a1 is about to fire a barrage."""
    session = play(*units, dice=(ACTS,), **more)
    answer(session, "activate a1", "all barrage")
    return session


def ranges(session: Session, target: str = "range g1 t2", **faces: Any) -> None:
    """The observer has the guns range in, and what falls is played out."""
    if "barrage t2" in keys(session):
        answer(session, "barrage t2")
    go_on(session, target, **faces)


# ---- who and where (15.1 to 15.4, 15.9, 15.14, 15.21) --------------------------------------------------------


@pytest.mark.rule("company", "15.1", "3.11")
def test_artillery_attacks_whom_it_does_not_see() -> None:
    wall = line("tall_wall", (10, 38), (60, 38))
    session = barrages(mortars(), grenadiers(), terrain=[wall])
    assert keys(session, "range") == ["range g1 t1", "range g1 t2", "range g1 t3"], "the observer alone sees them"
    seen = session.preview("range g1 t2")
    assert seen.outline and seen.lines == ["3 of Grenadier platoon g1 would be under it"]
    battle = battle_of(platoon("us_rifles", "a1", (30, 40)), grenadiers())
    bar = indirect.bar_barrage(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "15.1"


@pytest.mark.rule("company", "15.1", "15.21")
def test_range_minimum_range_and_arc() -> None:
    battle = battle_of(mortars(), grenadiers())
    unit = unit_of(battle, "a1")
    gun = team_of(battle, "a1", "t3")
    here = battle.body(unit, gun)
    for dy, reached in ((-780, False), (-1050, True), (-4000, True)):
        assert bool(indirect.reach(battle, unit, gun, [here.at(gun.x, gun.y + dy)])[0]) is reached, dy
    far = platoon("us_mortars", "a1", (4, 46), (4, 40), *[(4 + 3 * n, 44) for n in range(3)])
    wide = battle_of(far, grenadiers())
    there = wide.body(unit_of(wide, "a1"), team_of(wide, "a1", "t3")).at(7100, 100)
    assert indirect.reach(wide, unit_of(wide, "a1"), team_of(wide, "a1", "t3"), [there])[0], "twice its range"
    gun.heading = 180
    battle.invalidate()
    assert not indirect.reach(battle, unit, gun, [here.at(gun.x, gun.y - 1500)])[0], "behind it"


@pytest.mark.rule("company", "15.2")
def test_a_gun_stands_off_from_what_it_fires_over() -> None:
    for y, over in ((42, False), (40, True)):
        battle = battle_of(mortars(), grenadiers(), terrain=[line("bocage", (20, y), (40, y))])
        unit, gun = unit_of(battle, "a1"), team_of(battle, "a1", "t3")
        target = battle.bodies(unit_of(battle, "g1"))[0]
        assert bool(indirect.reach(battle, unit, gun, [target])[0]) is over, "bocage is 1.5 inches tall"


@pytest.mark.rule("company", "15.3", "15.14", "6.14")
def test_the_leader_an_observer_or_the_commander_observes() -> None:
    boss = platoon("us_commander", "a9", (40, 30))
    session = barrages(mortars(), boss, grenadiers())
    assert keys(session) == ["barrage t2", "barrage t1", "barrage cc", "barrage guns"]
    answer(session, "barrage cc")
    need = next(option.label for option in options(session, "range"))
    answer(session, "range g1 t2")
    go_on(session, ranging_in=6, barrage=1)
    assert lines(tally(session, "To range in"))["commander_observes"] == 1 and "6+" in need
    assert happened(session, BarrageOpens)[0].observer == "Company Commander"


@pytest.mark.rule("company", "15.3")
def test_whoever_nobody_sees_cannot_be_ranged_in_on() -> None:
    session = barrages(mortars(fo=(30, 42)), grenadiers(), terrain=[line("tall_wall", (0, 36), (72, 36))])
    assert (not keys(session, "range") and keys(session)[-2:] == ["smoke", "done"]) or "barrage t2" in keys(session)


@pytest.mark.rule("company", "15.4", "15.14", "15.25")
def test_who_moves_does_not_observe_and_who_observes_has_neither_moved_nor_fired() -> None:
    battle = battle_of(mortars(), grenadiers())
    unit = unit_of(battle, "a1")
    guns = [each for each in unit.models if indirect.bar_gun(battle, each) is None]
    assert [each.id for each in indirect.observers(battle, unit, guns, {"t1", "t2"})] == ["guns"]
    session = barrages(mortars(), grenadiers())
    ranges(session, ranging_in=6, barrage=1)
    watcher = team_of(session, "a1", "t2")
    assert not watcher.moved and not watcher.fired
    assert all(team_of(session, "a1", id).fired for id in ("t3", "t4", "t5")), "a barrage is firing"
    assert session.battle.state.initiative >= 1


@pytest.mark.rule("company", "15.9")
def test_a_single_gun_fires_no_barrage() -> None:
    battle = battle_of(mortars(guns=1), grenadiers())
    bar = indirect.bar_barrage(battle, unit_of(battle, "a1"))
    assert bar is not None and bar.rule == "15.9"
    marked = platoon("us_mortars", "a1", (30, 46), (30, 30), (26, 44), team(29, 44, marks=1))
    battle = battle_of(marked, grenadiers())
    bar = indirect.bar_barrage(battle, unit_of(battle, "a1"))
    assert bar is not None, "a suppressed mortar does not fire"


@pytest.mark.rule("company", "15.8", "15.9", "15.19")
@pytest.mark.parametrize(
    ("kinds", "far", "number"),
    [
        (["us_mortar81"] * 5, False, 3),
        (["us_mortar81"] * 4, False, 2),
        (["us_mortar81"] * 3, False, 2),
        (["sov_mortar120"] * 2, False, 1),
        (["us_mortar81"] * 5, True, 1),
        (["sov_mortar120"] * 2, True, 0),
        (["us_mortar81", "sov_mortar120", "sov_mortar120"], False, 2),
    ],
)
def test_dice_by_the_number_of_guns(kinds: list[str], far: bool, number: int) -> None:
    battle = battle_of(mortars(), grenadiers())
    guns = [Team(f"t{n}", kind=kind) for n, kind in enumerate(kinds)]
    assert indirect.dice(battle, guns, far).total == number


# ---- ranging in (15.5 to 15.7, 15.18, 15.22) -----------------------------------------------------------------


@pytest.mark.rule("company", "15.5", "15.18")
def test_ranging_in_is_one_hit_roll_with_all_that_can_apply() -> None:
    session = barrages(mortars(), grenadiers(), terrain=[box("woods", 26, 8, 44, 16)])
    ranges(session, ranging_in=5, barrage=1)
    [roll] = rolled(session, "ranging in")
    assert roll.dice == "1d6"
    assert lines(roll.tallies[0]) == {"target_concealed": 1, "target_gone_to_ground": 1}
    assert roll.tallies[0].total == 5 and happened(session, RangedIn)[0].on_target
    far = platoon("us_mortars", "a1", (70, 46), (40, 20), *[(61 + 3 * n, 44) for n in range(3)])
    foe = platoon("ger_grenadiers", "g1", *[team(26 + 2.5 * n, 10, fired=True, moved=True) for n in range(3)])
    session = barrages(far, foe)
    ranges(session, ranging_in=6, barrage=1)
    assert lines(tally(session, "To range in")) == {"long_range": 1}


@pytest.mark.rule("company", "15.22")
def test_the_unit_ranged_in_on_may_go_to_ground_before() -> None:
    foe = platoon("ger_grenadiers", "g1", *[team(30 + 2.5 * n, 12, fired=True) for n in range(3)], heading=180)
    near = platoon("ger_hmg_platoon", "g2", team(28, 10, fired=True), team(28, 13.5, fired=True), heading=180)
    session = barrages(mortars(), foe, near, turn=2)
    if "barrage t2" in keys(session):
        answer(session, "barrage t2")
    answer(session, "range g1 t1")
    assert keys(session) == ["ground", "pass"] and "ranges in" in session.ask.prompt  # type: ignore[union-attr]
    go_on(session, "ground", ranging_in=6, barrage=1)
    assert [event.unit for event in happened(session, WentToGround)] == ["g1"], "nobody else is asked"
    assert lines(tally(session, "To range in"))["target_gone_to_ground"] == 1


@pytest.mark.rule("company", "15.6")
def test_a_hit_lays_the_square_over_the_team_turned_to_the_guns() -> None:
    session = barrages(mortars(), grenadiers())
    ranges(session, ranging_in=6, barrage=1)
    [fell] = happened(session, BarrageFalls)
    assert fell.place == "32.5,12"
    unit = unit_of(session, "a1")
    guns = [team_of(session, "a1", id) for id in ("t3", "t4")]
    square = indirect.square_at(session.battle, unit, guns, 3250, 1200)
    assert (square.side, square.heading) == (600, 9), "from the middle of the guns that fire"
    assert indirect.square_at(session.battle, unit, guns[:1], 3250, 1200).heading == 11


@pytest.mark.rule("company", "15.7")
def test_a_miss_lets_the_enemy_shift_it_by_six_inches() -> None:
    session = barrages(mortars(), grenadiers())
    ranges(session, ranging_in=1)
    assert session.ask is not None and session.ask.side == "german" and "pass" in keys(session)
    assert session.preview("at 32.5 6.1 0").legal and session.preview("at 32.5 6.1 0").outline
    assert not session.preview("at 32.5 5.9 0").legal
    go_on(session, "at 36 7.5 0", barrage=6)
    [fell] = happened(session, BarrageFalls)
    assert fell.place == "36,7.5" and fell.teams == 0
    assert not marks_of(session, "g1")


@pytest.mark.rule("company", "6.16", "15.5")
def test_a_number_of_seven_cannot_be_rolled() -> None:
    foe = grenadiers(training="elite")
    boss = platoon("us_commander", "a9", (40, 20))
    session = barrages(mortars(), boss, foe, terrain=[box("woods", 26, 8, 44, 16)])
    answer(session, "barrage cc", "range g1 t2")
    assert not rolled(session, "ranging in") and "ground" not in keys(session)
    assert session.ask is not None and session.ask.side == "german", "it misses, and is shifted"


# ---- what falls (15.8, 15.10, 15.11, 15.19 to 15.21, 15.23, 15.24) -------------------------------------------


@pytest.mark.rule("company", "15.8", "15.10", "15.11", "15.20")
def test_each_team_is_attacked_saves_once_and_the_unit_is_marked() -> None:
    session = barrages(mortars(), grenadiers())
    ranges(session, ranging_in=6, barrage=6, saves=(1, 6, 6))
    assert [roll.dice for roll in rolled(session, "barrage")] == ["2d6"] * 3
    assert sum(int(roll.dice.split("d")[0]) for roll in rolled(session, "Saves")) == 3, "one Save for two hits"
    assert len(happened(session, TeamLost)) == 1
    # Six hits are two markers, and to be ranged in on is one more.
    assert sum(event.marks for event in happened(session, Suppressed)) == 3
    assert GAME.invariants(session.battle) == []


@pytest.mark.rule("company", "15.11", "15.20")
def test_who_is_ranged_in_on_is_marked_even_if_no_die_hits() -> None:
    session = barrages(mortars(guns=2), grenadiers())
    ranges(session, ranging_in=6, barrage=1)
    assert sum(marks_of(session, "g1").values()) == 1
    beside = platoon("ger_hmg_platoon", "g2", (34, 10), (36, 10), heading=180)
    session = barrages(mortars(), grenadiers(), beside)
    ranges(session, ranging_in=6, barrage=1)
    assert sum(marks_of(session, "g1").values()) == 1 and not marks_of(session, "g2"), "not who is only under it"


@pytest.mark.rule("company", "15.19")
def test_two_guns_of_three_at_long_range_throw_no_dice_and_still_mark() -> None:
    guns = platoon("sov_heavy_mortars", "a1", (71, 46), (40, 20), (67, 44), (64, 44), side="american")
    session = barrages(guns, platoon("ger_grenadiers", "g1", (18, 6), (20.5, 6), (23, 6), heading=180))
    ranges(session, ranging_in=6, barrage=6)
    assert not rolled(session, "barrage") and sum(marks_of(session, "g1").values()) == 1


@pytest.mark.rule("company", "15.19")
def test_friends_under_it_are_attacked_too() -> None:
    friends = platoon("us_rifles", "a2", (30, 14.6), (32.5, 14.6))
    session = barrages(mortars(), friends, grenadiers())
    assert session.preview("range g1 t2").lines if "range g1 t2" in keys(session) else True
    ranges(session, ranging_in=6, barrage=6, saves=1)
    assert {event.target for event in happened(session, Shelled)} == {"a2", "g1"}
    assert unit_of(session, "a2").status == "lost"


@pytest.mark.rule("company", "15.19", "15.24")
def test_cover_from_above_is_that_of_areas_and_not_of_lines() -> None:
    hedge, woods = line("stone_wall", (28, 12.7), (40, 12.7)), box("building", 28, 10, 40, 14)
    for terrain, need, save in (([hedge], 5, 3), ([woods], 5, 2)):
        session = barrages(mortars(), grenadiers(), terrain=terrain)
        ranges(session, ranging_in=6, barrage=6, saves=6)
        found = tally(session, "To hit", "barrage")
        assert found.total == need, "down and stayed put; the wall adds nothing"
        assert tally(session, "Save", "Saves").total == save


@pytest.mark.rule("company", "15.19")
def test_concealment_is_that_of_the_unit_under_the_template() -> None:
    one = platoon("ger_grenadiers", "g1", *[team(30 + 2.5 * n, 12, fired=True, moved=n == 2) for n in range(3)])
    session = barrages(mortars(), one)
    ranges(session, ranging_in=6, barrage=1)
    assert lines(tally(session, "To hit", "barrage")) == {}, "one that has moved reveals the others"


@pytest.mark.rule("company", "15.21", "9.9")
def test_armour_is_harmed_only_with_the_at_trait_and_from_above() -> None:
    tanks = platoon("ger_pz4_platoon", "g1", (30, 12), (32.5, 12), heading=180)
    session = barrages(mortars(), tanks)
    ranges(session, target="range g1 t1", ranging_in=6)
    assert not rolled(session, "barrage") and sum(marks_of(session, "g1").values()) == 1, "but it is marked"
    guns = platoon("us_artillery", "a1", (30, 46), (30, 30), *[(24 + 4 * n, 44) for n in range(3)])
    session = barrages(guns, tanks)
    ranges(session, target="range g1 t1", ranging_in=6, barrage=6, armour_saves=1, vehicle_damage=5)
    damage = tally(session, "Vehicle damage")
    assert lines(damage) == {"top_hit": 1}
    assert sum(int(roll.dice.split("d")[0]) for roll in rolled(session, "armour Saves")) == 2, "one for each tank"
    assert unit_of(session, "g1").status == "lost"


@pytest.mark.rule("company", "15.15", "15.16", "15.23")
def test_hits_on_an_observer_count_for_no_marker() -> None:
    theirs = platoon("ger_mortars", "g1", (30, 8), team(32, 12, fired=True), (50, 4), (53, 4), heading=180)
    session = barrages(mortars(), theirs, terrain=[box("field", 31, 10, 34, 14)])
    ranges(session, target="range g1 t2", ranging_in=6, barrage=6, saves=6)
    assert lines(tally(session, "To range in"))["target_gone_to_ground"] == 1, "he fired, but stands in a field"
    assert happened(session, Shelled)[0].hits == 2
    # Two hits make none; the one for being ranged in on goes to another Team.
    assert "t2" not in marks_of(session, "g1") and sum(marks_of(session, "g1").values()) == 1


@pytest.mark.rule("company", "3.8", "15.10")
def test_who_ran_saves_twice() -> None:
    ran = platoon("ger_grenadiers", "g1", *[team(30 + 2.5 * n, 12, ran=True, moved=True) for n in range(3)])
    session = barrages(mortars(), ran)
    ranges(session, ranging_in=6, barrage=6, saves=6, saves_again=1)
    assert unit_of(session, "g1").status == "lost"


# ---- odds ----------------------------------------------------------------------------------------------------


def test_odds_of_teams_that_are_alike_are_the_same_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    session = barrages(mortars(), platoon("ger_grenadiers", "g1", (60, 4), (30, 12), (32.5, 12), heading=180))
    if "barrage t2" in keys(session):
        answer(session, "barrage t2")
    together = session.odds("range g1 t2")
    monkeypatch.setattr("grognard.games.company.dealing.sameness", lambda battle, unit, team: team.id)
    apart = session.odds("range g1 t2")
    assert together.exact and apart.exact and together.paths < apart.paths

    def lost(odds: Any) -> dict[str, Any]:
        return {part.text: part.probability for part in odds.parts if "Team" in part.text}

    assert lost(together) == lost(apart)


def test_the_spread_of_dice_is_that_of_throwing_them() -> None:
    read = indirect.struck(2, 2, (0, 0, 1, 1, 1, 1))
    from itertools import product

    ways: dict[tuple[int, int], int] = {}
    for faces in product(range(1, 7), repeat=4):
        ways[read(faces)] = ways.get(read(faces), 0) + 1
    assert read.spread(4, 6) == ways  # type: ignore[attr-defined]


def test_teams_aboard_are_not_under_it() -> None:
    assert teams_of(play(mortars(), grenadiers(), dice=(ACTS,)), "g1") == ["t1", "t2", "t3"]


@pytest.mark.parametrize(
    ("where", "terrain", "rule"),
    [
        ((30, 12), [], ""),
        ((30, 12), [line("tall_wall", (0, 20), (72, 20))], "15.3"),
        ((30, 36), [], "15.21"),
    ],
)
def test_why_nobody_ranges_in(where: tuple[float, float], terrain: list[dict[str, Any]], rule: str) -> None:
    guns = platoon("us_mortars", "a1", (36, 46), (38, 44), *[(27 + 3 * n, 42) for n in range(3)])
    battle = battle_of(guns, platoon("ger_grenadiers", "g1", where, heading=180), terrain=terrain)
    bar = indirect.bar_range(battle, unit_of(battle, "a1"), unit_of(battle, "g1"))
    assert (bar.rule if bar is not None else "") == rule
    told = GAME.why_not(battle, "american", "a1 barrage g1")
    assert [each.rule for each in told] == [rule] * bool(rule)
    assert told == GAME.why_not(battle, "american", "a1 range g1")
