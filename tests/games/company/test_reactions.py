"""Reaction Fire and Overwatch (7): who may fire at whom on his way, when he is asked, and how often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grognard.core.session import Session
from grognard.games.company import reactions
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.fire_events import Fires, WentToGround
from grognard.games.company.reactions import OVERWATCH, REACTION_FIRE
from grognard.kits.table.travel import travel
from tests.games.company.playing import (
    answer,
    battle_of,
    box,
    happened,
    keys,
    lines,
    platoon,
    play,
    rolled,
    team,
    team_of,
    unit_of,
)
from tests.games.company.shooting import moved, row

MISS = (1,) * 60


def walk(
    battle: CompanyBattle,
    unit: str,
    by: tuple[float, float],
    *answers: str,
    party: Sequence[int] | None = None,
    assaulted: str = "",
) -> list[tuple[str, list[str], str]]:
    """A Unit goes so many inches, and whoever may react is asked: the questions, with their options and kind."""
    mover = unit_of(battle, unit)
    numbers = range(len(mover.models)) if party is None else party
    paths = {}
    for number in numbers:
        one = mover.models[number]
        paths[one.id] = [(one.x, one.y), (one.x + round(by[0] * 100), one.y + round(by[1] * 100))]
    watch = reactions.watch(battle, mover, numbers, assaulted=assaulted)

    def note(mover: object) -> None:
        for each in unit_of(battle, unit).models:
            each.moved = each.moved or each.id in paths
        battle.invalidate(unit_of(battle, unit))

    given, asked = list(answers), []
    going = travel(battle, mover, paths, {}, watch=watch, moved=note)
    try:
        ask = next(going)
        while True:
            asked.append((ask.side, [each.key for each in ask.options], ask.reaction))
            key = given.pop(0) if given else ask.meanwhile
            ask.option(key)
            ask = going.send(key)
    except StopIteration:
        assert not given, f"never asked for {given}"
    return asked


def across(gap: float, *, watch: bool = False, watcher: str = "ger_pioneers", **more: object) -> CompanyBattle:
    """Somebody who goes to the right past a Unit that stands so far below his way."""
    kinds = {"ger_pioneers": "ger_pioneer", "ger_hmg_platoon": "ger_hmg"}
    mine = [team(30 + 2.5 * n, 20 + gap + 1.25, kind=kinds[watcher], watch=watch) for n in range(2)]
    return battle_of(
        platoon("us_rifles", "a1", team(20, 20, kind="us_rifle"), heading=90, helped=1),
        platoon(watcher, "g1", *mine, helped=1, **more),
        dice=MISS,
    )


@pytest.mark.rule("company", "7.1")
def test_teams_fire_at_who_moves_within_eight_inches_at_plus_one() -> None:
    near = across(7.5)
    asked = walk(near, "a1", (20, 0), "react g1")
    assert asked[0][1][:2] == ["react g1", "pass"] and asked[0][2] == REACTION_FIRE
    assert lines(rolled(near, "to hit")[0].tallies[0]) == {"reaction_fire": 1}
    assert walk(across(8.5), "a1", (20, 0)) == []


@pytest.mark.rule("company", "7.3")
def test_overwatch_fires_anywhere_in_sight_arc_and_range_without_the_plus_one() -> None:
    battle = across(14, watch=True)
    asked = walk(battle, "a1", (20, 0), "react g1")
    assert asked[0][2] == OVERWATCH
    assert lines(rolled(battle, "to hit")[0].tallies[0]) == {"long_range": 1}
    assert not any(each.watch for each in unit_of(battle, "g1").models), "it has fired"
    hidden = battle_of(
        platoon("us_rifles", "a1", (20, 20), heading=90),
        platoon("ger_pioneers", "g1", team(30, 34, watch=True)),
        terrain=[box("woods", 10, 24, 60, 28)],
    )
    assert walk(hidden, "a1", (20, 0)) == []
    away = across(14, watch=True, watcher="ger_hmg_platoon", heading=180)
    assert walk(away, "a1", (20, 0)) == [], "it looks the other way"


@pytest.mark.rule("company", "7.3", "7.1")
def test_those_on_overwatch_and_the_others_fire_together_each_on_its_number() -> None:
    battle = across(7)
    team_of(battle, "g1", "t1").watch = True
    walk(battle, "a1", (20, 0), "pass", "react g1")
    roll = rolled(battle, "to hit")[0]
    assert [lines(each) for each in roll.tallies] == [{}, {"reaction_fire": 1}] and roll.dice == "4d6"


@pytest.mark.rule("company", "7.2", "7.5")
def test_each_team_fires_once_in_an_initiative_and_may_in_the_next() -> None:
    battle = across(7)
    walk(battle, "a1", (12, 0), "pass", "react g1")
    assert [each.shot for each in unit_of(battle, "g1").models] == [battle.state.initiative] * 2
    assert walk(battle, "a1", (4, 0)) == []
    battle.state.initiative += 1
    assert walk(battle, "a1", (4, 0), "react g1"), "whether it has activated this turn or not"


@pytest.mark.rule("company", "7.5", "11.2")
def test_suppressed_teams_do_not_react() -> None:
    battle = across(7, marks=1)
    assert walk(battle, "a1", (20, 0)) == [] and reactions.watch(battle, unit_of(battle, "a1"), [0]) is None
    found = reactions.bar_react(battle, unit_of(battle, "g1"))
    assert found is not None and found.rule == "11.2"


@pytest.mark.rule("company", "7.4")
def test_only_teams_within_eight_inches_are_hit_by_reaction_fire_and_survivors_go_on() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", *(team(20, 20 - 6 * n, kind="us_rifle") for n in range(2)), heading=90, leader=""),
        platoon("ger_pioneers", "g1", *(team(28 + 2.5 * n, 27, kind="ger_pioneer") for n in range(2))),
        dice=(6, 6, *MISS),
    )
    walk(battle, "a1", (12, 0), "react g1")
    unit = unit_of(battle, "a1")
    assert [each.id for each in unit.models] == ["t2"] and unit.models[0].x == 3200, "the far one could not be hit"


@pytest.mark.rule("company", "7.6")
def test_who_is_fired_at_on_the_move_does_not_go_to_ground() -> None:
    battle = across(7)
    walk(battle, "a1", (12, 0), "react g1")
    assert happened(battle, Fires) and not happened(battle, WentToGround)


@pytest.mark.rule("company", "7.4", "7.7")
def test_one_is_asked_at_the_first_chance_and_at_the_best() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", team(10, 20, kind="us_rifle"), heading=90),
        platoon("ger_pioneers", "g1", team(34, 24, kind="ger_pioneer", watch=True)),
        dice=MISS,
    )
    asked = walk(battle, "a1", (30, 0))
    assert len(asked) == 2 and "hold" in asked[0][1] and "hold" not in asked[1][1]


@pytest.mark.rule("company", "7.7")
def test_a_move_past_three_platoons_asks_at_most_six_times() -> None:
    past = (
        platoon("us_rifles", "a1", *row(10, 10, 20), heading=90),
        platoon("ger_grenadiers", "g1", *row(8, 30, 28)),
        platoon("ger_pioneers", "g2", *row(5, 36, 12), heading=180),
        platoon("ger_hmg_platoon", "g3", *(team(50 + 3 * n, 27, kind="ger_hmg", watch=True) for n in range(4))),
    )
    asked = walk(battle_of(*past, dice=MISS), "a1", (24, 0))
    assert 3 <= len(asked) <= 6
    held = walk(battle_of(*past, dice=MISS), "a1", (24, 0), "hold")
    assert len(held) < len(asked), "whoever holds his fire on this move is not asked again"


@pytest.mark.rule("company", "7.4")
def test_a_unit_fires_once_at_a_move_however_many_of_its_teams_have_not_fired() -> None:
    battle = across(7)
    asked = walk(battle, "a1", (20, 0), "react g1")
    assert len(asked) == 1 and len(happened(battle, Fires)) == 1


@pytest.mark.rule("company", "7.7")
def test_the_end_of_a_way_is_a_point_too() -> None:
    battle = across(7.9)
    unit = unit_of(battle, "a1")
    unit.models[0].x, unit.models[0].y = 3000, 1940
    battle.invalidate()
    assert walk(battle, "a1", (0, 0.5)), "half an inch, and within 8 only at its end"


@pytest.mark.rule("company", "7.7")
def test_where_several_can_react_their_owner_says_in_which_order() -> None:
    battle = battle_of(
        platoon("us_rifles", "a1", *(team(20 + 2.5 * n, 20, kind="us_rifle") for n in range(3)), heading=90),
        platoon("ger_pioneers", "g1", team(24, 25, kind="ger_pioneer")),
        platoon("ger_grenadiers", "g2", team(24, 15, kind="ger_rifle_mg")),
        dice=MISS,
    )
    asked = walk(battle, "a1", (3, 0), "react g2", "react g1")
    assert asked[0][1][:2] == ["react g1", "react g2"]
    assert [each.unit for each in happened(battle, Fires)] == ["g2", "g1"]


@pytest.mark.rule("company", "13.21")
def test_the_assaulted_unit_has_its_own_say() -> None:
    assert walk(across(7), "a1", (12, 0), assaulted="g1") == []


@pytest.mark.rule("company", "3.12", "3.17")
def test_overwatch_is_set_by_an_action_and_fires_in_the_enemys_initiative() -> None:
    session: Session = play(
        platoon("ger_pioneers", "g1", *(team(20 + 2.5 * n, 30, kind="ger_pioneer") for n in range(3)), leader="t1"),
        moved("us_rifles", "a1", team(20, 8, kind="us_rifle"), acted=0, leader=""),
        sides=["german", "american"],
        dice=(6, 6, *MISS),
    )
    answer(session, "activate g1", "all overwatch")
    assert all(each.watch for each in unit_of(session, "g1").models)
    answer(session, "activate a1", "all run")
    pose = next(key for key in keys(session) if key.startswith("pose"))
    answer(session, pose)
    assert session.ask is not None and (not session.ask.reaction or session.ask.reaction == OVERWATCH)
