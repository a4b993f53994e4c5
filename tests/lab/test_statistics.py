"""Statistics against figures known from elsewhere, and luck taken out without moving what is estimated."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from grognard.lab.frames import Frames
from grognard.lab.pool import play_here
from grognard.lab.record import GameRecord, RollRecord, SideRecord
from grognard.lab.statistics import first_fire, kinds_table, mean, over_time, verdict, wilson, win_shares, without_luck
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
    assert found.margin == pytest.approx(1.959964 * np.std([1, 2, 3, 4], ddof=1) / 2, rel=1e-6)
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
                seed="",
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
    truth = 0.5  # what both are fair to on average
    hits, plain_margin, adjusted_margin, values = 0, [], [], []
    for seed in range(120):
        frames = made_up(80, 0.0, 2.0, seed)
        rows = frames.sides.filter(side="red").select("number", pl.col("won").alias("value"))
        adjusted, explained = without_luck(frames, "s", rows)
        assert explained > 0.3
        values.append(adjusted.value)
        hits += abs(adjusted.value - truth) <= adjusted.margin
        adjusted_margin.append(adjusted.margin)
        plain_margin.append(mean(rows["value"].to_numpy()).margin)
    assert np.mean(values) == pytest.approx(truth, abs=0.01)
    assert hits >= 106  # 114 of 120 are expected
    assert np.mean(adjusted_margin) < 0.8 * np.mean(plain_margin)


def test_the_verdict_names_the_favoured_side() -> None:
    said = verdict(made_up(200, 0.6, 1.0, 1), "s")
    assert said.side == "red"
    assert said.best.value > said.best.margin
    assert said.say().startswith("favours Red by")
    assert verdict(made_up(200, -0.6, 1.0, 1), "s").side == "blue"
    assert verdict(made_up(200, 0.0, 1.0, 2), "s").say().startswith("even so far as 200 games can tell")
    certain = verdict(made_up(30, 50.0, 0.0, 1), "s")
    assert certain.best.value == 0.5
    assert certain.best.margin > 0.01  # thirty wins of thirty are not certainty


def test_tables_of_real_games() -> None:
    series = small(8)
    frames = Frames(play_here(series, range(8)), series)
    shares = win_shares(frames, "first_steps")
    assert sum(share.rate for share in shares.values()) == pytest.approx(1.0)
    kinds = kinds_table(frames, "first_steps")
    lost = frames.sides["lost"].sum() / 8
    assert kinds["lost"].sum() == pytest.approx(lost)
    course = over_time(frames, "first_steps")
    assert course["turn"].to_list() == [turn for turn in range(1, 5) for _ in range(2)]
    fire = first_fire(frames, "first_steps")
    assert fire.did.games == fire.did_not.games <= 8
    assert fire.did.rate + fire.did_not.rate == pytest.approx(1.0)
