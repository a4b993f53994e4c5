"""Suppression (11): markers for hits, on whom, and off again."""

from __future__ import annotations

import pytest

from grognard.games.company import casualties, suppression, training
from grognard.games.company.fire_events import MarksLifted, MarksMoved
from tests.games.company.playing import (
    answer,
    battle_of,
    box,
    happened,
    keys,
    marks_of,
    platoon,
    play,
    run,
    team,
    team_of,
    unit_of,
)
from tests.games.company.shooting import fires, moved, shoot


def men(*marks: int, kind: str = "us_rifle", **more: object) -> dict[str, object]:
    """Rifle teams with so many markers each."""
    spots = [team(20 + 2.5 * n, 26, kind=kind, marks=each) for n, each in enumerate(marks)]
    return moved("us_rifles", "a1", *spots, **{"leader": "", **more})


@pytest.mark.rule("company", "11.1", "11.8")
@pytest.mark.parametrize(("hits", "markers"), [(2, 0), (3, 1), (7, 2), (9, 3)])
def test_every_three_hits_are_a_marker_saved_or_not(hits: int, markers: int) -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(18 + 2.5 * n, 20, kind="ger_pioneer") for n in range(5))),
        men(0, 0, 0, 0),
        dice=(6,) * hits + (1,) * (10 - hits) + (6,) * 20,
    )
    assert shoot(battle, "g1", "a1").hits == hits
    assert sum(marks_of(battle, "a1").values()) == markers


@pytest.mark.rule("company", "11.8")
def test_two_shootings_of_a_turn_are_counted_apart() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(18 + 2.5 * n, 20, kind="ger_pioneer") for n in range(2))),
        men(0, 0, 0, 0),
        dice=(6, 6, 6, 6) * 2,
    )
    shoot(battle, "g1", "a1", teams=["t1"])
    shoot(battle, "g1", "a1", teams=["t2"])
    assert marks_of(battle, "a1") == {}, "two and two hits, and fractions are lost"


@pytest.mark.rule("company", "11.1", "11.9")
def test_markers_go_on_valid_targets_and_on_those_that_bear_none_first() -> None:
    battle = battle_of(men(0, 1, 0), platoon("ger_pioneers", "g1", (20, 40)))
    run(suppression.mark(battle, unit_of(battle, "a1"), 1, ["t2", "t3"], ("11.1",)))
    assert marks_of(battle, "a1") == {"t2": 1, "t3": 1}
    run(suppression.mark(battle, unit_of(battle, "a1"), 1, ["t2"], ("11.1",)))
    assert marks_of(battle, "a1") == {"t2": 2, "t3": 1}, "only the second was a target"


@pytest.mark.rule("company", "11.4")
def test_when_all_are_suppressed_further_markers_double() -> None:
    battle = battle_of(men(1, 1), platoon("ger_pioneers", "g1", (20, 40)))
    run(suppression.mark(battle, unit_of(battle, "a1"), 3, ["t1", "t2"], ("11.1",)))
    assert sorted(marks_of(battle, "a1").values()) == [2, 3]


@pytest.mark.rule("company", "11.8")
def test_markers_are_placed_after_casualties_on_anybody_if_no_target_is_left() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *(team(18 + 2.5 * n, 20, kind="ger_pioneer") for n in range(2))),
        moved("us_rifles", "a1", team(20, 26, kind="us_rifle"), team(20, 36, kind="us_rifle"), leader=""),
        terrain=[box("woods", 10, 28, 30, 32)],
        dice=(6, 6, 6, 1, 1, 1, 1),
    )
    shoot(battle, "g1", "a1")
    assert marks_of(battle, "a1") == {"t2": 1}


def test_the_owner_chooses_who_is_suppressed_where_teams_differ() -> None:
    battle = battle_of(men(0, 0, leader="t1"), platoon("ger_pioneers", "g1", (20, 40)))
    run(suppression.mark(battle, unit_of(battle, "a1"), 1, ["t1", "t2"], ("11.1",)), "mark t1")
    assert marks_of(battle, "a1") == {"t1": 1}
    usual = battle_of(men(0, 0, leader="t1"), platoon("ger_pioneers", "g1", (20, 40)))
    run(suppression.mark(usual, unit_of(usual, "a1"), 1, ["t1", "t2"], ("11.1",)), "deal")
    assert marks_of(usual, "a1") == {"t2": 1}


@pytest.mark.rule("company", "11.5")
def test_the_markers_of_a_team_that_is_lost_move_to_another() -> None:
    battle = battle_of(men(2, 0, 1), platoon("ger_pioneers", "g1", (20, 40)))
    run(casualties.lose(battle, unit_of(battle, "a1"), "t1", ("8.4",)))
    assert marks_of(battle, "a1") == {"t2": 2, "t3": 1} and happened(battle, MarksMoved)


@pytest.mark.rule("company", "3.16", "11.2")
def test_who_is_suppressed_is_on_overwatch_no_longer() -> None:
    battle = battle_of(men(0), platoon("ger_pioneers", "g1", (20, 40)))
    team_of(battle, "a1", "t1").watch = True
    suppression.put(battle, unit_of(battle, "a1"), "t1", 1, ("11.1",))
    assert not team_of(battle, "a1", "t1").watch


@pytest.mark.rule("company", "11.3")
@pytest.mark.parametrize(
    ("level", "marks", "needs"), [("veteran", 2, 6), ("elite", 2, 5), ("green", 1, 6), ("green", 2, 7)]
)
def test_each_marker_adds_one_to_the_check_to_activate(level: str, marks: int, needs: int) -> None:
    battle = battle_of(men(*(1,) * marks, 0, training=level), platoon("ger_pioneers", "g1", (20, 40)))
    unit = unit_of(battle, "a1")
    assert training.needed(battle, unit, modifiers=training.suppression(battle, unit)).total == needs


@pytest.mark.rule("company", "11.6", "11.7")
def test_a_check_that_is_made_lifts_all_markers_one_that_fails_one() -> None:
    for die, left in ((6, 0), (2, 1)):
        mates = [team(20 + 2.5 * n, 26, kind="us_rifle", marks=1) for n in range(2)]
        session = play(
            platoon("us_rifles", "a1", *mates, leader=""),
            platoon("ger_pioneers", "g1", (20, 40)),
            dice=(die,),
        )
        answer(session, "activate a1")
        assert len(marks_of(session, "a1")) == left and happened(session, MarksLifted)
        assert ("all run" in keys(session)) == (not left)


@pytest.mark.rule("company", "11.7")
def test_the_owner_says_whose_marker_goes_where_it_matters() -> None:
    battle = battle_of(men(1, 1, leader="t1"), platoon("ger_pioneers", "g1", (20, 40)))
    run(suppression.lift(battle, unit_of(battle, "a1"), all=False), "lift t2")
    assert marks_of(battle, "a1") == {"t1": 1}
