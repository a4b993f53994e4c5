"""Armour (9): armour Saves, hull and turret, the Vehicle Damage Table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from grognard.board.table import bodies
from grognard.core.dice import BranchingDice
from grognard.games.company import armour, dealing
from grognard.games.company.armour import CLOSE, TOP
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.dealing import BEHIND, FRONT, HULL_AWAY, TURRET_AWAY
from grognard.games.company.fire_events import Struck
from grognard.games.company.volley import FIRE, plan
from tests.games.company.playing import battle_of, happened, marks_of, platoon, rolled, run, team, teams_of, unit_of
from tests.games.company.shooting import fires, moved, shoot


def tanks(dice: tuple[int, ...] = (), **more: bool) -> CompanyBattle:
    return battle_of(
        platoon("us_m4_platoon", "a1", (20, 20), (24, 20), **more),
        platoon("ger_pioneers", "g1", (20, 40)),
        dice=dice,
    )


def strike(battle: CompanyBattle, hits: dict[str, int], team: str = "t1", again: bool = False) -> int:
    result: int = run(armour.strike(battle, "german", unit_of(battle, "a1"), team, hits, again=again))
    return result


@pytest.mark.rule("company", "9.4", "9.5")
def test_each_save_that_fails_is_a_roll_on_the_damage_table() -> None:
    battle = tanks((3, 4, 2, 3, 5))
    assert strike(battle, {FRONT: 3}) == 1, "an M4 saves on 4: two fail, 3 does nothing, 5 suppresses"
    assert marks_of(battle, "a1") == {"t1": 1} and rolled(battle, "vehicle damage")[0].dice == "2d6"
    for face, results, left in ((1, 0, 2), (3, 0, 2), (4, 1, 2), (5, 1, 2), (6, 1, 1)):
        one = tanks((1, face))
        assert strike(one, {FRONT: 1}) == results and len(teams_of(one, "a1")) == left, face


@pytest.mark.rule("company", "9.6", "9.8")
def test_from_behind_one_is_added() -> None:
    """Two Saves fail from behind, dice of 3 and 5: 4 and 6, a suppression and a kill; the marker moves on."""
    battle = tanks((1, 1, 3, 5))
    assert strike(battle, {BEHIND: 2}) == 2
    assert [each.result for each in happened(battle, Struck)] == ["1 suppression and destroyed"]
    assert teams_of(battle, "a1") == ["t2"] and marks_of(battle, "a1") == {"t2": 1}
    seven = tanks((1, 6))
    assert strike(seven, {BEHIND: 1}) == 1, "7 counts as 6"


@pytest.mark.rule("company", "9.7")
@pytest.mark.parametrize(
    ("aspect", "face", "results"), [(HULL_AWAY, 3, 1), (HULL_AWAY, 4, 0), (TURRET_AWAY, 3, 0), (TURRET_AWAY, 4, 1)]
)
def test_where_one_part_is_turned_away_a_die_says_which_is_hit(aspect: str, face: int, results: int) -> None:
    battle = tanks((1, face, 3))
    assert strike(battle, {aspect: 1}) == results, "a 3 is a 4 on the part that is turned away"
    assert rolled(battle, "part hit")


@pytest.mark.rule("company", "9.6", "9.7", "9.8", "6.5")
def test_in_front_or_behind_is_told_by_the_fronts_of_hull_and_turret() -> None:
    def aspect(x: float, y: float, heading: int, turret: int, kind: str = "us_m4_platoon") -> str:
        more = {"turret": turret} if turret >= 0 else {}
        battle = battle_of(
            fires("ger_at_platoon", "g1", team(x, y, kind="ger_pak40")),
            moved(kind, "a1", team(20, 20, heading=heading, **more)),
        )
        firer = unit_of(battle, "g1").models[0]
        firer.heading = round(bodies.bearing(x, y, 20, 20))
        battle.invalidate()
        fired = plan(battle, unit_of(battle, "g1"), unit_of(battle, "a1"), {"t1": FIRE})
        return dealing.aspect_of(battle, unit_of(battle, "a1"), 0, fired.firers[0])

    assert aspect(20, 5, 0, 0) == FRONT
    assert aspect(20, 35, 0, 0) == aspect(30, 19.6, 0, 0) == BEHIND, "beside it is behind the line of its front"
    assert aspect(20, 35, 0, 180) == HULL_AWAY and aspect(20, 5, 0, 180) == TURRET_AWAY
    # The hull's front edge is 1.3 ahead of its middle, the turret's line half an inch.
    assert aspect(30, 18.6, 0, 0) == FRONT and aspect(30, 19, 0, 0) == HULL_AWAY
    assert aspect(20, 35, 0, -1, "us_armored_rifles") == FRONT, "only armour has fronts"


@pytest.mark.rule("company", "15.21", "13.18")
def test_from_above_one_is_added_and_in_close_combat_nothing() -> None:
    assert armour.damage_tally(TOP).total == armour.damage_tally(BEHIND).total == 1
    assert armour.damage_tally(CLOSE).total == armour.damage_tally(FRONT).total == 0


@pytest.mark.rule("company", "9.4", "3.8", "6.17")
def test_armour_saves_are_thrown_again_too() -> None:
    battle = tanks((4, 2, 6), ran=True)
    assert strike(battle, {FRONT: 1}, again=True) == 1
    assert [roll.what for roll in rolled(battle)] == ["armour Saves", "armour Saves again", "vehicle damage"]


@pytest.mark.rule("company", "9.3", "10.11")
def test_armour_is_harmed_by_at_weapons_only_and_cover_does_not_help_it() -> None:
    battle = tanks()
    assert armour.save_tally(battle, unit_of(battle, "a1"), "t1").total == battle.teams["us_m4"].armor
    shot = battle_of(
        fires("ger_at_platoon", "g1", team(20, 20, kind="ger_pak40")),
        moved("us_m4_platoon", "a1", team(20, 40, heading=0)),
        dice=(6, 6, 1, 1, 2, 6, 4),
    )
    assert shoot(shot, "g1", "a1").results == 2
    assert teams_of(shot, "a1") == []


def test_the_markers_of_hits_on_armour_come_beside_those_of_the_table() -> None:
    battle = battle_of(
        fires("ger_at_platoon", "g1", team(20, 20, kind="ger_pak40")),
        moved("us_m4_platoon", "a1", team(20, 40, heading=0), team(24, 40, heading=0), leader=""),
        dice=(6, 6, 6, 1, 6, 6, 4),
    )
    assert shoot(battle, "g1", "a1") == (3, 1, 0)
    assert marks_of(battle, "a1") == {"t1": 1, "t2": 1}, "one by the table, one for three hits on who is not suppressed"


@pytest.mark.parametrize("aspect", [FRONT, BEHIND, HULL_AWAY, TURRET_AWAY, TOP])
@pytest.mark.parametrize("again", [False, True])
def test_odds_throw_hits_on_armour_at_once_to_the_same_effect(aspect: str, again: bool) -> None:
    def spread(at_once: bool) -> dict[tuple[int, bool], Fraction]:
        found: dict[tuple[int, bool], Fraction] = {}
        dice = BranchingDice()
        while True:
            dice.restart()
            battle = tanks()
            battle.dice, battle.for_odds = dice, at_once
            unit, hits = unit_of(battle, "a1"), {aspect: 2}
            if at_once:
                result = armour._at_once(battle, unit, "t1", hits, again, ())
            else:
                result = armour._one_by_one(battle, "german", unit, "t1", hits, again, ())
            found[result] = found.get(result, Fraction(0)) + dice.weight
            if not dice.advance():
                return found

    assert spread(True) == spread(False)
