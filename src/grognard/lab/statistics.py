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
GAMES_A_KIND = 20
KINDS = 12
#: Luck is taken out where either side has won so many games: below, no normal distribution is near.
EACH = 5


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


class Estimate(NamedTuple):
    """How often somebody wins: what the games say, and the same with luck taken out, which is narrower where dice
    explain much. ``explained`` is the share of the variance that the dice explain."""

    plain: Mean
    adjusted: Mean | None
    explained: float

    @property
    def best(self) -> Mean:
        """The one with luck taken out wherever that can be done; never the one that happens to suit."""
        return self.adjusted or self.plain


class Verdict(NamedTuple):
    """Whom something favours, a side or a player, and by how many games in a hundred above one half."""

    who: str
    plain: Mean
    best: Mean
    explained: float

    def say(self, title: str = "") -> str:
        """The verdict in a sentence."""
        best = self.best
        name = title or self.who.replace("_", " ").capitalize()
        size = f"{100 * best.value:.1f} ± {100 * best.margin:.1f}"
        if abs(best.value) < 0.0005:
            return f"even as far as {best.games} games can tell ({size} games in a hundred)"
        if best.value <= best.margin:
            return f"even as far as {best.games} games can tell ({name} by {size} games in a hundred)"
        return f"favours {name} by {size} games in a hundred"


def wilson(wins: float, games: float) -> Share:
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
    return Share(rate, max(middle - half, 0.0), min(middle + half, 1.0), round(games))


def student(free: float) -> float:
    """How many standard errors a 95 % interval reaches where so many degrees of freedom are left.

    >>> [round(student(free), 2) for free in (5, 10, 30, 1000)]
    [2.57, 2.23, 2.04, 1.96]
    """
    first = (Z**3 + Z) / 4
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + first / free + second / free**2 + third / free**3


def mean(values: Sequence[float] | np.ndarray) -> Mean:
    """The mean of values with the half of its interval."""
    array = np.asarray(values, dtype=float)
    if len(array) < 2:
        return Mean(float(array.mean()) if len(array) else 0.0, math.inf, len(array))
    margin = student(len(array) - 1) * float(array.std(ddof=1)) / math.sqrt(len(array))
    return Mean(float(array.mean()), margin, len(array))


def score_share(value: np.ndarray) -> Share:
    """The mean of values between 0 and 1 with Wilson's interval for as many games as would scatter like that.

    Where every value is 0 or 1 it is Wilson's interval itself; draws, and pairs of games that were played with the same
    dice, scatter less. What never came about may still be as likely as three in all that were played.
    """
    count = len(value)
    if not count:
        return wilson(0.0, 0)
    rate = float(value.mean())
    most = rate * (1 - rate)
    like = max(count, count * most / max(float(value.var()), 0.75 / count)) if most else count
    return wilson(rate * like, like)._replace(games=count)


def shares(frames: Frames, scenario: str = "", by: str = "side") -> dict[str, Share]:
    """How often each side won, or each player (``by="player"``), a draw as half a win."""
    rows = _of(frames.sides, scenario)
    return {
        who: score_share(_blocks(frames, scenario, who, by)["won"].to_numpy())._replace(games=games)
        for who, games in rows.group_by(by, maintain_order=True).len().iter_rows()
    }


def _of(table: pl.DataFrame, scenario: str) -> pl.DataFrame:
    """The rows of a scenario, or of all."""
    return table.filter(pl.col("scenario") == scenario) if scenario else table


# ---- who wins ------------------------------------------------------------------------------------------------------


def estimate(frames: Frames, scenario: str, who: str, by: str = "side") -> Estimate:
    """How often a side wins, or a player (``by="player"``); of all scenarios where none is named."""
    blocks = _blocks(frames, scenario, who, by)
    value = blocks["won"].to_numpy()
    games = int(blocks["number"].list.len().sum())
    share = score_share(value)
    # The middle of the interval is nearer to even than the share itself: so neither end lies beyond all games.
    plain = Mean((share.low + share.high) / 2, (share.high - share.low) / 2, games)
    if len(value) < GAMES_A_KIND or min(float(value.sum()), float((1 - value).sum())) < EACH:
        return Estimate(plain, None, 0.0)
    adjusted, explained = without_luck(value, _excess(frames, scenario, blocks["number"].to_list(), by))
    return Estimate(plain, adjusted._replace(games=games) if adjusted else None, explained)


def _blocks(frames: Frames, scenario: str, who: str, by: str) -> pl.DataFrame:
    """How often somebody won, a row for each seed.

    Games that were played with the same dice and the players swapped count as one observation: how strong the players
    are then cancels out of what the sides are worth, and the other way round.
    """
    seeds = frames.games.select("number", "seed")
    rows = _of(frames.sides, scenario).filter(pl.col(by) == who).join(seeds, on="number").sort("number")
    return rows.group_by("scenario", "seed", maintain_order=True).agg(pl.col("won").mean(), pl.col("number"))


def verdict(frames: Frames, scenario: str, by: str = "side") -> Verdict:
    """Whom a scenario favours; or which player is the better one there."""
    rows = _of(frames.sides, scenario)
    names = rows[by].unique(maintain_order=True).to_list()
    first, second = names[0], names[-1]
    found = estimate(frames, scenario, first, by)
    who, sign = (first, 1.0) if found.best.value >= 0.5 else (second, -1.0)
    plain, best = (each._replace(value=sign * (each.value - 0.5)) for each in (found.plain, found.best))
    return Verdict(who, plain, best, found.explained)


# ---- luck taken out ----------------------------------------------------------------------------------------------


def without_luck(value: np.ndarray, excess: np.ndarray) -> tuple[Mean | None, float]:
    """The mean of a value with control variates, and the share of its variance that they explain.

    What a side rolls above its expectation is nothing on average, whatever the players do; so how a value goes along
    with that excess can be taken out of it without moving what is estimated, and what is left varies less.
    """
    total = float(value.var(ddof=1)) if len(value) > 1 else 0.0
    free = len(value) - excess.shape[1] - 1
    if total == 0 or excess.shape[1] == 0 or free < 1:
        return None, 0.0
    design = np.column_stack([np.ones(len(value)), excess])
    fitted, *_ = np.linalg.lstsq(design, value, rcond=None)
    left = value - design @ fitted
    spread = float(left @ left) / free
    # The intercept is the value of a game in which every kind of roll came out as expected.
    covariance = np.linalg.pinv(design.T @ design) * spread
    margin = student(free) * math.sqrt(max(covariance[0, 0], 0.0))
    return Mean(float(fitted[0]), margin, len(value)), max(0.0, 1.0 - spread / total)


def _excess(frames: Frames, scenario: str, blocks: list[list[int]], by: str) -> np.ndarray:
    """What each side or player rolled above expectation by kind of roll, a row a block of games.

    The kinds are those that most games have, and of these the ones that vary most by the rules of chance: who won has
    no part in the choice.
    """
    rolls = _of(frames.rolls, scenario)
    if by == "player":
        seats = frames.sides.select("number", "side", "player")
        rolls = rolls.join(seats, on=["number", "side"]).drop("side").rename({"player": "side"})
    most = min(KINDS, len(blocks) // GAMES_A_KIND)
    kinds = (
        rolls.filter(pl.col("side") != "")
        .group_by("side", "what")
        .agg(pl.col("variance").sum(), pl.col("number").n_unique().alias("games"))
        .filter(pl.col("variance") > 0)
        # The name decides between equals, so that the same games always give the same figures.
        .sort(["games", "variance", "side", "what"], descending=[True, True, False, False])
        .head(most)
    )
    index = {number: row for row, numbers in enumerate(blocks) for number in numbers}
    columns = {(side, what): column for column, (side, what, *_) in enumerate(kinds.iter_rows())}
    excess = np.zeros((len(blocks), len(columns)))
    spread = np.zeros(len(columns))
    for number, side, what, above, variance in rolls.select("number", "side", "what", "excess", "variance").iter_rows():
        column = columns.get((side, what))
        if column is not None and number in index:
            excess[index[number], column] += above
            spread[column] += variance
    scale = np.sqrt(spread / max(len(blocks), 1))
    return excess / np.where(scale > 0, scale, 1.0)


# ---- what else people ask ------------------------------------------------------------------------------------------


class Advantage(NamedTuple):
    """How often a side won when it fired first, and when its enemy did.

    The same side is held against itself: else a side that is favoured anyway and likes to fire first would make the
    first shot look good.
    """

    side: str
    did: Share
    did_not: Share

    @property
    def gain(self) -> tuple[float, float, float]:
        """By how much more often it won, with Newcombe's interval."""
        one, other = self.did, self.did_not
        middle = one.rate - other.rate
        low = middle - math.hypot(one.rate - one.low, other.high - other.rate)
        return middle, low, middle + math.hypot(one.high - one.rate, other.rate - other.low)


def first_fire(frames: Frames, scenario: str) -> Advantage | None:
    """Whether it pays to fire first; None where always the same side does, or nobody."""
    rows = _of(frames.sides, scenario)
    side = rows["side"][0] if rows.height else ""
    begun = _of(frames.games, scenario).filter(pl.col("first_fire") != "").select("number")
    rows = rows.filter(pl.col("side") == side).join(begun, on="number")
    did, did_not = (rows.filter(pl.col("first_fire") == yes)["won"] for yes in (True, False))
    if not len(did) or not len(did_not):
        return None
    return Advantage(side, wilson(float(did.sum()), len(did)), wilson(float(did_not.sum()), len(did_not)))


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
    """Score, losses, ground held and units of each side at the end of each turn.

    Each on average, and in columns ``…_low`` and ``…_high`` what the middle half of the games lies between. A game that
    is over stands as it ended: else the last turns would show only those in which nobody could win before.
    """
    names = ("score", "lost", "held", "units")
    rows = _of(frames.turns, scenario).select("number", "side", "turn", *names)
    turns = rows.select("turn").unique()
    every = rows.select("number", "side").unique().join(turns, how="cross").sort("number", "side", "turn")
    return (
        every.join(rows, on=["number", "side", "turn"], how="left")
        .sort("number", "side", "turn")
        .with_columns(pl.col(names).forward_fill().over("number", "side"))
        .drop_nulls()
        .group_by("turn", "side")
        .agg(
            *(pl.col(name).mean() for name in names),
            *(pl.col(name).quantile(0.25).alias(f"{name}_low") for name in names),
            *(pl.col(name).quantile(0.75).alias(f"{name}_high") for name in names),
            pl.len().alias("games"),
        )
        .sort("turn", "side")
    )


def points_at_the_end(frames: Frames, scenario: str) -> float:
    """Which part of all points is counted only in the last turn of a game: 0 where nobody scores at all."""
    rows = _of(frames.turns, scenario).select("number", "side", "turn", "score").sort("number", "side", "turn")
    games = rows.group_by("number", "side", maintain_order=True).agg(pl.col("score"))
    ends = [scores[-1] for scores in games["score"].to_list()]
    before = [scores[-2] if len(scores) > 1 else 0.0 for scores in games["score"].to_list()]
    total = sum(map(abs, ends))
    return sum(abs(end - so_far) for end, so_far in zip(ends, before)) / total if total else 0.0


def points_decide(frames: Frames, scenario: str) -> float:
    """How often the side with more points won, of the games that somebody won by points or without them."""
    rows = _of(frames.sides, scenario).sort("number", "side").group_by("number", maintain_order=True)
    games = rows.agg(pl.col("won"), pl.col("score"))
    decided = [
        (won[0] > won[1]) == (score[0] > score[1]) and score[0] != score[1]
        for won, score in zip(games["won"].to_list(), games["score"].to_list())
        if len(won) == 2 and won[0] != won[1]
    ]
    return sum(decided) / len(decided) if decided else 1.0


def luckier(frames: Frames, scenario: str) -> Share:
    """How often the side won whose dice came out better, each measured by what its own rolls let one expect."""
    luck = (
        _of(frames.rolls, scenario)
        .group_by("number", "side")
        .agg((pl.col("excess").sum() / pl.col("variance").sum().sqrt()).alias("luck"))
        .filter(pl.col("luck").is_finite())
    )
    rows = _of(frames.sides, scenario).join(luck, on=["number", "side"]).select("number", "side", "won", "luck")
    best = rows.sort(["number", "luck", "side"], descending=[False, True, False]).group_by("number").head(1)
    return wilson(float(best["won"].sum()), best.height)
