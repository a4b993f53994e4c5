"""Statistics against figures known from elsewhere, and luck taken out without moving what is estimated."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from grognard.lab.frames import Frames
from grognard.lab.game_rows import GameRecord, RollRecord, SideRecord
from grognard.lab.run import play_numbers
from grognard.lab.statistics import (
    Advantage,
    estimate,
    first_fire,
    kinds_table,
    luckier,
    mean,
    over_time,
    score_share,
    shares,
    verdict,
    wilson,
    without_luck,
)
from tests.lab.test_series import small


def test_wilson_as_in_the_literature() -> None:
    """Newcombe (1998), Table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        share = wilson(wins, games)
        assert (round(share.low, 4), round(share.high, 4)) == (low, high)
    assert wilson(0, 0)[:3] == (0.5, 0.0, 1.0)


def test_a_mean_with_its_margin() -> None:
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found.value == 2.5
    assert found.margin == pytest.approx(3.1824 * np.std([1, 2, 3, 4], ddof=1) / 2, rel=0.02)  # Student's t
    assert mean([1.0]).margin == np.inf


def made_up(games: int, favour: float, weight: float, seed: int) -> Frames:
    """Games that the first side wins by its ``favour``, by chance, and by what it rolls, so far as ``weight`` goes."""
    rng = np.random.default_rng(seed)
    records = []
    for number in range(games):
        luck = float(rng.normal())
        won = float(rng.normal() + weight * luck + favour > 0)
        sides = tuple(
            SideRecord(side, "p", share, 0.0, 10.0, 1.0, 1.0, 1, side == "red", 1, 0.0, 0.0)
            for side, share in (("red", won), ("blue", 1 - won))
        )
        records.append(
            GameRecord(
                number=number,
                game="g",
                scenario="s",
                seed=str(number),
                players=("p", "p"),
                finished=True,
                winner="red" if won else "blue",
                reason="",
                rule="",
                turns=1,
                answers=1,
                seconds=0.0,
                first_fire="red",
                digest="",
                given=(),
                sides=sides,
                by_turn=(),
                by_kind=(),
                by_roll=(RollRecord("red", "to hit", 10, luck, 1.0),),
                by_place=(),
            )
        )
    return Frames(records, small())


def test_luck_taken_out_narrows_the_interval_and_keeps_the_middle() -> None:
    """Over many runs the adjusted share is right on average, and its interval holds it as often as promised."""
    rng = np.random.default_rng(11)
    for weight, low, high in ((2.0, 0.4, 0.75), (0.0, 0.0, 1.08)):  # nothing to explain must not cost much either
        values, hits, explained, narrower = [], 0, [], []
        for _ in range(400):
            luck = rng.normal(size=(80, 2))
            won = (rng.normal(size=80) + weight * luck[:, 0] > 0).astype(float)
            found, share = without_luck(won, luck)
            assert found is not None
            values.append(found.value)
            hits += abs(found.value - 0.5) <= found.margin
            explained.append(share)
            narrower.append(found.margin / mean(won).margin)
        assert np.mean(values) == pytest.approx(0.5, abs=0.01)
        assert hits >= 368  # 380 of 400 are expected
        assert np.mean(explained) >= low
        assert np.mean(narrower) < high


def test_luck_is_taken_out_of_rows() -> None:
    found = estimate(made_up(80, 0.0, 2.0, 5), "s", "red")
    assert found.explained > 0.3
    assert found.adjusted is not None
    assert found.best.margin < 0.8 * found.plain.margin
    assert found.best.games == 80
    assert estimate(made_up(12, 0.0, 2.0, 5), "s", "red").adjusted is None, "too few to tell"


def test_draws_and_pairs_scatter_less_than_wins() -> None:
    """The interval holds the truth as often as promised whatever the values between 0 and 1 are."""
    rng = np.random.default_rng(7)
    for chances in ([0.45, 0.0, 0.55], [0.1, 0.8, 0.1], [0.02, 0.5, 0.48]):
        truth = 0.5 * chances[1] + chances[2]
        hits = 0
        for _ in range(400):
            share = score_share(rng.choice([0.0, 0.5, 1.0], size=60, p=chances))
            hits += share.low <= truth <= share.high
        assert hits >= 368, chances  # 380 of 400 are expected
    assert score_share(np.array([1.0] * 60 + [0.0] * 40)) == wilson(60, 100)
    drawn = score_share(np.full(50, 0.5))
    assert 0.45 < drawn.low < 0.5 < drawn.high < 0.55


def test_players_and_sides_are_told_apart() -> None:
    """One player is far better and red is a little favoured: with sides swapped both come out, narrow and right."""
    rng = np.random.default_rng(3)
    frames = made_up(0, 0.0, 0.0, 1)
    games, sides = [], []
    for number in range(200):
        good = "red" if number % 2 else "blue"
        red = float(rng.normal() + (1.5 if good == "red" else -1.5) + 0.3 > 0)
        games.append({"number": number, "scenario": "s", "seed": str(number // 2)})
        for side, won in (("red", red), ("blue", 1 - red)):
            player = "good" if side == good else "poor"
            sides.append({"number": number, "scenario": "s", "side": side, "player": player, "won": won})
    frames.games, frames.sides = pl.DataFrame(games), pl.DataFrame(sides)
    players, by_side = shares(frames, "s", "player"), shares(frames, "s")
    assert players["good"].low > 0.85
    assert players["good"].games == 200
    assert 0.45 < by_side["red"].low < by_side["red"].rate < by_side["red"].high < 0.65
    assert by_side["red"].high - by_side["red"].low < 0.1, "players' strength is no scatter of the sides"
    said = verdict(frames, "s", "player")
    assert said.who == "good"
    assert said.best.games == 200


def test_the_verdict_names_the_favoured_side() -> None:
    said = verdict(made_up(200, 0.6, 1.0, 1), "s")
    assert said.who == "red"
    assert said.best.value > said.best.margin
    assert said.say().startswith("favours Red by")
    assert verdict(made_up(200, -0.6, 1.0, 1), "s").who == "blue"
    assert verdict(made_up(200, 0.0, 1.0, 2), "s").say().startswith("even as far as 200 games can tell")
    certain = verdict(made_up(30, 50.0, 0.0, 1), "s")
    assert certain.best.margin > 0.01  # thirty wins of thirty are not certainty
    assert certain.best.value + certain.best.margin == pytest.approx(0.5)


def test_tables_of_real_games() -> None:
    series = small(8)
    frames = Frames(play_numbers(series, range(8), jobs=1), series)
    found = shares(frames, "first_steps")
    assert sum(share.rate for share in found.values()) == pytest.approx(1.0)
    kinds = kinds_table(frames, "first_steps")
    lost = frames.sides["lost"].sum() / 8
    assert kinds["lost"].sum() == pytest.approx(lost)
    course = over_time(frames, "first_steps")
    assert course["turn"].to_list() == [turn for turn in range(1, 5) for _ in range(2)]
    fire = first_fire(frames, "first_steps")
    assert fire is None or fire.did.games + fire.did_not.games <= 8
    assert luckier(frames, "first_steps").games <= 8


def test_a_game_that_is_over_stands_as_it_ended() -> None:
    """Red wins a game in its first turn and loses another in its second: on average they end as they ended."""
    frames = made_up(0, 0.0, 0.0, 1)
    rows = [(0, 1, "red", 6.0), (1, 1, "red", 2.0), (1, 2, "red", 0.0)]
    frames.turns = pl.DataFrame(
        [
            {
                "number": number,
                "scenario": "s",
                "turn": turn,
                "side": side,
                "score": score,
                "lost": 0.0,
                "held": 1,
                "units": 3,
            }
            for number, turn, side, score in rows
        ]
    )
    course = over_time(frames, "s")
    assert course.select("turn", "score", "games").rows() == [(1, 4.0, 2), (2, 3.0, 2)]


def test_the_first_shot_is_held_against_the_same_side() -> None:
    """Red wins nine in ten and always fires first: that says nothing of the first shot."""
    assert first_fire(made_up(40, 1.3, 0.0, 1), "s") is None
    found = Advantage("red", wilson(56, 70), wilson(48, 80)).gain
    # Newcombe (1998), Table II, method 10: 56/70 - 48/80 is 0.2000, 0.0524 to 0.3339.
    assert [round(value, 4) for value in found] == [0.2, 0.0524, 0.3339]
