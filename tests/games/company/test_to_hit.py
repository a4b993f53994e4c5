"""The hit number (3.2, 6.8 to 6.17), and the figures that it must come to."""

from __future__ import annotations

import pytest

from grognard.games.company import to_hit
from grognard.games.company.charts import charts
from grognard.games.company.fire_events import CannotHit, WentToGround
from grognard.games.company.volley import MODES, Shot
from tests.games.company.playing import battle_of, box, happened, lines, rolled, tally, team
from tests.games.company.shooting import fires, moved, row, shoot

#: A volley that must not hang on luck: every die misses.
MISS = (1,) * 40


def number(training: str, **more: object) -> int:
    lines = MODES[str(more.pop("mode", "fire"))].lines
    return to_hit.needed(charts().trainings[training], lines=lines, **more).total  # type: ignore[arg-type]


@pytest.mark.rule("company", "3.2", "6.8")
def test_the_hit_number_is_that_of_the_targets_training() -> None:
    assert [number(each) for each in ("green", "veteran", "elite")] == [2, 3, 4]
    for training, needs in (("green", 2), ("veteran", 3), ("elite", 4)):
        battle = battle_of(
            fires("ger_pioneers", "g1", (20, 20)), moved("us_rifles", "a1", (20, 24), training=training), dice=MISS
        )
        shoot(battle, "g1", "a1")
        assert rolled(battle, "to hit")[0].tallies[0].total == needs


@pytest.mark.rule("company", "6.9", "6.10", "6.11", "6.12", "6.13", "6.15")
def test_modifiers_are_added() -> None:
    assert number("veteran", concealed=True, down=True, long=True) == 6
    assert number("veteran", mode="move_and_fire") == 4
    assert number("veteran", mode="reaction") == 4
    assert number("green", mode="aimed_fire") == 1
    assert number("elite", concealed=True, down=True, long=True, mode="move_and_fire") == 8


@pytest.mark.rule("company", "6.14")
def test_a_commander_observes_less_well() -> None:
    plain = to_hit.ranging(charts().trainings["veteran"], concealed=True, down=False, long=False, commander=False)
    his = to_hit.ranging(charts().trainings["veteran"], concealed=True, down=False, long=False, commander=True)
    assert (plain.total, his.total) == (4, 5) and lines(his)["commander_observes"] == 1


@pytest.mark.rule("company", "6.9", "6.10", "6.11")
def test_veterans_in_woods_who_stayed_at_long_range_are_hit_on_six() -> None:
    battle = battle_of(
        fires("ger_hmg_platoon", "g1", team(20, 20, kind="ger_hmg")),
        moved("us_rifles", "a1", (20, 44.5), (23, 44.5), moved=False),
        terrain=[box("woods", 15, 42, 30, 47)],
        dice=MISS,
    )
    shoot(battle, "g1", "a1")
    roll = rolled(battle, "to hit")[0]
    assert roll.dice == "2d6", "five dice halved, rounded down"
    assert lines(roll.tallies[0]) == {"target_concealed": 1, "target_gone_to_ground": 1, "long_range": 1}
    assert roll.tallies[0].total == 6


@pytest.mark.rule("company", "6.16")
def test_on_a_number_of_seven_or_more_nothing_happens() -> None:
    """Elite in a building, gone to ground, at long range, who fires has moved: 8. Nobody is asked about the ground."""
    battle = battle_of(
        fires("ger_hmg_platoon", "g1", team(20, 20, kind="ger_hmg")),
        moved("us_rifles", "a1", (20, 44.5), training="elite", moved=False, acted=0),
        terrain=[box("building", 15, 42, 30, 47)],
    )
    assert shoot(battle, "g1", "a1", mode="move_and_fire") == (0, 0, 0)
    assert [event.needed for event in happened(battle, CannotHit)] == [8]
    assert not rolled(battle)


@pytest.mark.rule("company", "6.16", "6.23")
def test_going_to_ground_may_put_a_unit_out_of_reach() -> None:
    battle = battle_of(
        fires("ger_hmg_platoon", "g1", team(20, 20, kind="ger_hmg")),
        moved("us_rifles", "a1", (20, 44.5), training="elite", acted=0),
        terrain=[box("building", 15, 42, 30, 47)],
    )
    assert shoot(battle, "g1", "a1", "ground") == (0, 0, 0)
    assert happened(battle, WentToGround) and [event.needed for event in happened(battle, CannotHit)] == [7]


@pytest.mark.rule("company", "6.17")
def test_on_a_number_of_one_a_one_misses_and_saves_are_thrown_again() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", team(20, 20, kind="ger_pioneer")),
        moved("us_rifles", "a1", (20, 24), (22.5, 24), (25, 24), training="green"),
        dice=(1, 2, 6, 2),
    )
    assert shoot(battle, "g1", "a1", mode="aimed_fire") == (1, 0, 1)
    assert tally(battle, "To hit, 2 dice, Rifles and LMG").total == 1
    assert [roll.what for roll in rolled(battle)] == ["to hit", "Saves", "Saves again"]


@pytest.mark.rule("company", "6.11", "6.26")
def test_fire_points_are_halved_at_long_range_and_may_be_gone() -> None:
    """FP 5 leaves 2 dice, FP 3 one, FP 1 none."""
    weapons = charts().weapons
    assert [Shot(weapons[id]).dice(True) for id in ("hmg", "vehicle_mg", "rifle")] == [2, 1, 0]
    assert [Shot(weapons[id]).dice(False) for id in ("hmg", "vehicle_mg", "rifle")] == [5, 3, 1]


@pytest.mark.rule("company", "6.12", "6.25")
def test_who_moved_is_one_line_of_those_who_move_and_fire_only() -> None:
    battle = battle_of(
        fires("ger_pioneers", "g1", *row(3, 20, 20), moved=True),
        moved("us_rifles", "a1", (21, 26)),
        dice=MISS,
    )
    shoot(battle, "g1", "a1", teams=["t2"])
    shoot(battle, "g1", "a1", teams=["t3"], mode="move_and_fire")
    first, second = (lines(roll.tallies[0]) for roll in rolled(battle, "to hit"))
    assert first == {} and second == {"firer_moved": 1}
