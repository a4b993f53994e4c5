"""Dice: fair and checkable, scripted, and branching over meanings."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.core.charts import Chart
from grognard.core.dice import (
    BranchingDice,
    FacesNeededError,
    FairDice,
    ScriptedDice,
    at_least,
    by_face,
    counts,
    fair_faces,
    meanings,
    needed,
    pool,
    total,
    weigh,
)


@pytest.mark.parametrize(
    ("text", "meant"), [("2d6", (2, 6, 0)), ("3d6+2", (3, 6, 2)), ("1d10-1", (1, 10, -1)), ("2d6 + 3", (2, 6, 3))]
)
def test_notation(text: str, meant: tuple[int, int, int]) -> None:
    assert tuple(pool(text)) == meant


@pytest.mark.parametrize("text", ["", "d6", "2x6", "0d6", "2d0", "2d6++1", "two"])
def test_bad_notation_says_what_would_be_right(text: str) -> None:
    with pytest.raises(ValueError, match="2d6"):
        pool(text)


@given(st.binary(min_size=1, max_size=64), st.integers(1, 2**40), st.integers(1, 30), st.integers(2, 20))
def test_fair_faces_are_faces_and_the_same_every_time(seed: bytes, count: int, number: int, sides: int) -> None:
    faces = fair_faces(seed, count, number, sides)
    assert len(faces) == number and all(1 <= face <= sides for face in faces)
    assert faces == fair_faces(seed, count, number, sides)


def test_many_throws_show_every_face_alike() -> None:
    dice = FairDice(b"long run")
    counts = Counter(dice.roll(1, 6, total())[0] for _ in range(6000))
    assert all(abs(counts[face] - 1000) < 150 for face in range(1, 7))


def test_the_commitment_binds_the_seed_without_telling_it() -> None:
    assert FairDice(b"a").commitment != FairDice(b"b").commitment
    assert FairDice(b"a").commitment == FairDice(b"a", 17).commitment
    with pytest.raises(ValueError, match="64"):
        FairDice(b"")


def test_scripted_dice() -> None:
    dice = ScriptedDice([3, 4, 9])
    assert dice.roll(2, 6, total()) == (7, (3, 4))
    with pytest.raises(ValueError, match="from 1 to 6"):
        dice.roll(1, 6, total())
    dice.position = 3
    with pytest.raises(FacesNeededError):
        dice.roll(1, 6, total())


def test_readers_are_cached_so_that_meanings_are() -> None:
    assert at_least(7, 1) is at_least(7, 1) and total() is total()
    assert dict(meanings(2, 6, at_least(7))) == {False: 15, True: 21}
    assert by_face(("a", "b"))((9,)) == "b" and by_face(("a", "b"), -3)((1,)) == "a"
    assert weigh(2, 6, total()).mean == 7.0 and weigh(2, 6, total()).variance == pytest.approx(35 / 6)


def test_what_a_throw_needs_is_one_span_of_totals() -> None:
    assert needed(2, 6, at_least(7)) == (7, 12)
    assert needed(1, 6, by_face((False, True, True, False, False, False))) == (2, 3)
    assert needed(2, 6, total()) is None, "every total counts"
    assert needed(1, 6, by_face(("left", "right"))) is None, "words that nobody has weighed"
    assert needed(1, 6, by_face((True, False, True, False))) is None, "two spans"
    assert needed(2, 6, counts(((0, 1, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1)))) is None, "dice that differ"


def test_branching_walks_every_path_once_and_the_weights_sum_to_one() -> None:
    dice, paths = BranchingDice(), {}
    while True:
        dice.restart()
        path = [dice.roll(2, 6, at_least(7))[0]]
        if path[0]:
            path.append(dice.roll(1, 6, by_face(("x", "x", "y", "y", "y", "y")))[0])
        paths[tuple(path)] = dice.weight
        if not dice.advance():
            break
    assert paths == {(False,): Fraction(15, 36), (True, "x"): Fraction(7, 36), (True, "y"): Fraction(14, 36)}


def test_a_chart_clamps_and_shifts() -> None:
    chart = Chart.from_table(
        "t",
        {
            "rows": [["", "S"], ["S", "X"]],
            "columns": [0, 1],
            "results": ["", "S", "X"],
            "first_column": 0,
            "first_roll": 2,
        },
    )
    assert [chart.result(r, c) for r, c in ((1, -5), (2, 1), (3, 1), (99, 99))] == ["", "S", "X", "X"]
    assert chart.reader(1, -9)((6, 6)) == "X" and chart.reader(1, -9) is chart.reader(1, -9)
    assert weigh(2, 6, chart.reader(5, 0)).mean > weigh(2, 6, chart.reader(0, 0)).mean
    for broken in ({"rows": [["S"]]}, {"results": [""]}):
        table = {"rows": [["", "S"]], "columns": [0, 1], "results": ["", "S"], "first_column": 0, "first_roll": 2}
        with pytest.raises(ValueError):
            Chart.from_table("t", {**table, **broken})
