"""What the games of a run say: win rates with intervals, luck taken out, and the verdict.

All intervals are at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from grognard.lab.frames import Frames

#: How many standard errors a 95 % interval reaches to each side.
Z = 1.959963984540054
#: A roll explains something only where there are so many games for each kind of roll that is looked at.
GAMES_A_KIND = 12
KINDS = 12


class Share(NamedTuple):
    """A share of games, with the interval that it lies in."""

    rate: float
    low: float
    high: float
    games: int

    def say(self) -> str:
        """As people read it."""
        return f"{100 * self.rate:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"


class Mean(NamedTuple):
    """A mean with the half of its interval."""

    value: float
    margin: float
    games: int


class Verdict(NamedTuple):
    """Whom a scenario favours, and by how many games in a hundred above one half.

    ``plain`` is what the games say, ``adjusted`` the same with luck taken out: narrower where dice explain much.
    """

    scenario: str
    side: str
    plain: Mean
    adjusted: Mean
    explained: float

    @property
    def best(self) -> Mean:
        """The narrower of the two."""
        return self.adjusted if self.adjusted.margin < self.plain.margin else self.plain

    def say(self, titles: dict[str, str] | None = None) -> str:
        """The verdict in a sentence."""
        best = self.best
        side = (titles or {}).get(self.side, self.side.replace("_", " ").capitalize())
        size = f"{100 * best.value:.1f} ± {100 * best.margin:.1f}"
        if best.value <= best.margin:
            return f"even so far as {best.games} games can tell: {side} by {size} games in a hundred"
        return f"favours {side} by {size} games in a hundred"


def wilson(wins: float, games: int) -> Share:
    """The share of wins with Wilson's interval; a draw is half a win.

    >>> wilson(60, 100).say()
    '60.0 % (50.2 to 69.1)'
    """
    if games == 0:
        return Share(0.5, 0.0, 1.0, 0)
    rate = wins / games
    wide = 1 + Z * Z / games
    middle = (rate + Z * Z / (2 * games)) / wide
    half = Z * math.sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games)) / wide
    return Share(rate, max(middle - half, 0.0), min(middle + half, 1.0), games)


def mean(values: Sequence[float] | np.ndarray) -> Mean:
    """The mean of values with the half of its interval."""
    array = np.asarray(values, dtype=float)
    if len(array) < 2:
        return Mean(float(array.mean()) if len(array) else 0.0, math.inf, len(array))
    return Mean(float(array.mean()), Z * float(array.std(ddof=1)) / math.sqrt(len(array)), len(array))


def win_shares(frames: Frames, scenario: str) -> dict[str, Share]:
    """How often each side won, a draw as half a win."""
    rows = frames.sides.filter(pl.col("scenario") == scenario)
    totals = rows.group_by("side", maintain_order=True).agg(pl.col("won").sum(), pl.len())
    return {side: wilson(won, games) for side, won, games in totals.iter_rows()}


# ---- luck taken out ----------------------------------------------------------------------------------------------


class Adjusted(NamedTuple):
    """A mean freed of luck, and the share of the variance that luck explained."""

    mean: Mean
    explained: float


def without_luck(frames: Frames, scenario: str, values: pl.DataFrame) -> Adjusted:
    """The mean of a value of each game (columns ``number`` and ``value``) with control variates.

    What a side rolls above its expectation is nothing on average, whatever the players do; so how a value goes along
    with that excess can be taken out of it without moving what is estimated, and what is left varies less.
    """
    games = values.sort("number")
    value = games["value"].to_numpy().astype(float)
    plain = mean(value)
    total = float(value.var(ddof=1)) if len(value) > 1 else 0.0
    excess = _excess(frames, scenario, games["number"].to_list())
    if total == 0 or excess.shape[1] == 0 or len(value) < 2 * GAMES_A_KIND:
        return Adjusted(plain, 0.0)
    design = np.column_stack([np.ones(len(value)), excess])
    fitted, *_ = np.linalg.lstsq(design, value, rcond=None)
    left = value - design @ fitted
    free = len(value) - design.shape[1]
    spread = float(left @ left) / free
    # The intercept is the value of a game in which every kind of roll came out as expected.
    covariance = np.linalg.pinv(design.T @ design) * spread
    return Adjusted(
        Mean(float(fitted[0]), Z * math.sqrt(max(covariance[0, 0], 0.0)), len(value)), max(0.0, 1.0 - spread / total)
    )


def _excess(frames: Frames, scenario: str, numbers: list[int]) -> np.ndarray:
    """What each side rolled above expectation by kind of roll, a row a game: the kinds that vary most."""
    rolls = frames.rolls.filter(pl.col("scenario") == scenario)
    most = min(KINDS, len(numbers) // GAMES_A_KIND)
    kinds = (
        rolls.group_by("side", "what")
        .agg(pl.col("variance").sum(), pl.col("number").n_unique().alias("games"))
        .filter(pl.col("variance") > 0)
        # The name decides between equals, so that the same games always give the same figures.
        .sort(["games", "variance", "side", "what"], descending=[True, True, False, False])
        .head(most)
    )
    index = {number: row for row, number in enumerate(numbers)}
    columns = {(side, what): column for column, (side, what, *_) in enumerate(kinds.iter_rows())}
    excess = np.zeros((len(numbers), len(columns)))
    spread = np.zeros(len(columns))
    for number, side, what, above, variance in rolls.select("number", "side", "what", "excess", "variance").iter_rows():
        column = columns.get((side, what))
        if column is not None and number in index:
            excess[index[number], column] += above
            spread[column] += variance
    scale = np.sqrt(spread / max(len(numbers), 1))
    return excess / np.where(scale > 0, scale, 1.0)


def verdict(frames: Frames, scenario: str) -> Verdict:
    """Whom a scenario favours."""
    rows = frames.sides.filter(pl.col("scenario") == scenario)
    first = rows["side"][0]
    values = rows.filter(pl.col("side") == first).select("number", pl.col("won").alias("value"))
    share = wilson(float(values["value"].sum()), values.height)
    # Wilson's interval has a width even where one side won every game.
    plain = Mean(share.rate, (share.high - share.low) / 2, share.games)
    adjusted, explained = without_luck(frames, scenario, values)
    if not explained:
        adjusted = plain
    best = adjusted if adjusted.margin < plain.margin else plain
    side, sign = (first, 1.0) if best.value >= 0.5 else (next(s for s in rows["side"] if s != first), -1.0)
    return Verdict(
        scenario,
        side,
        plain._replace(value=sign * (plain.value - 0.5)),
        adjusted._replace(value=sign * (adjusted.value - 0.5)),
        explained,
    )


# ---- what else people ask ------------------------------------------------------------------------------------------


class Advantage(NamedTuple):
    """How often the side that did something won, against the side that did not."""

    did: Share
    did_not: Share

    @property
    def gain(self) -> float:
        """By how much more often it won."""
        return self.did.rate - self.did_not.rate


def first_fire(frames: Frames, scenario: str) -> Advantage:
    """Whether it pays to fire first."""
    rows = frames.sides.filter(pl.col("scenario") == scenario)
    begun = frames.games.filter((pl.col("scenario") == scenario) & (pl.col("first_fire") != ""))["number"]
    rows = rows.filter(pl.col("number").is_in(begun.to_list()))
    did, did_not = (rows.filter(pl.col("first_fire") == yes)["won"] for yes in (True, False))
    return Advantage(wilson(float(did.sum()), len(did)), wilson(float(did_not.sum()), len(did_not)))


def kinds_table(frames: Frames, scenario: str) -> pl.DataFrame:
    """What each kind of unit destroyed and cost, a game: the most deadly first."""
    games = frames.games.filter(pl.col("scenario") == scenario).height
    return (
        frames.kinds.filter(pl.col("scenario") == scenario)
        .group_by("side", "kind")
        .agg(
            (pl.col("units").sum() / games).alias("units"),
            (pl.col("worth").sum() / games).alias("worth"),
            (pl.col("lost").sum() / games).alias("lost"),
            (pl.col("inflicted").sum() / games).alias("inflicted"),
            (pl.col("fires").sum() / games).alias("fires"),
        )
        .with_columns(
            pl.when(pl.col("worth") > 0).then(pl.col("inflicted") / pl.col("worth")).otherwise(None).alias("return")
        )
        .sort(["inflicted", "side", "kind"], descending=[True, False, False])
    )


def over_time(frames: Frames, scenario: str) -> pl.DataFrame:
    """Score, losses, ground held and units of each side at the end of each turn, on average over games that had it."""
    return (
        frames.turns.filter(pl.col("scenario") == scenario)
        .group_by("turn", "side")
        .agg(
            pl.col("score").mean(),
            pl.col("lost").mean(),
            pl.col("held").mean(),
            pl.col("units").mean(),
            pl.len().alias("games"),
        )
        .sort("turn", "side")
    )
