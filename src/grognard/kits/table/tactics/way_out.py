"""The way off the table, planned over all the moves that are left: from one place out of the enemy's fire to the next.

A unit is shot at where it stands between its moves. What a place is worth to whoever has to get out is therefore what
the best chain of such stops brings from there: the points for leaving, by the chance to live through every stop, less
what the enemy scores if it does not. The ways of a single move are found once for a table and kept with it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from grognard.kits.table.tactics.chart import CLOSED, FREE, SLOW, Bools, Bytes, Chart, Floats, Ints
from grognard.kits.table.tactics.taste import Taste

if TYPE_CHECKING:
    from grognard.kits.table.tactics.goals import Goal
    from grognard.kits.table.tactics.outlook import Outlook

#: How many meshes of the net about a stop the enemy goes before he shoots.
NEAR = 3
#: How far off the straight way out whoever goes straight may go, in degrees.
STRAIGHT = 8.0
#: How many moves ahead are thought of at most.
FORESEEN = 8
#: At which parts of a way it is looked at.
PARTS = (np.arange(24) + 1) / 24
#: Which way each edge is.
OUT = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


class Pace(NamedTuple):
    """How something moves, as far as ways go: its column of the chart of terrain, and its moves over free ground and
    where it is rough.

    Who goes ``straight`` does not turn on a move over free ground. A hull needs room ``beside`` its middle, and is so
    long ``before`` it.
    """

    column: str
    free: float
    rough: float
    road: float = 1.0
    straight: bool = False
    beside: int = 0
    before: int = 0


class Strides(NamedTuple):
    """The ways of one move between the points of a net.

    ``to`` is where they lead, those from each point beginning at its ``first``; ``off`` tells from which points one
    leads off the table, and ``gone`` how far that is, along a road only a part of it.
    """

    to: Ints
    first: Ints
    off: Bools
    gone: Floats


def strides(chart: Chart, pace: Pace, edge: str) -> Strides:
    """The ways of one move at a pace, with the edge to leave over; found once for a table."""
    key = ("strides", pace, edge)
    found: Strides | None = chart.cache.get(key)
    if found is None:
        found = chart.cache[key] = _strides(chart, pace, edge)
    return found


def _ground(chart: Chart, pace: Pace) -> Bytes:
    """The ground of every cell for the middle of a unit: a hull needs room about it."""
    ground = chart.move[pace.column].reshape(chart.high, chart.wide)
    if not pace.beside:
        return ground.ravel()
    wide = pace.beside // chart.size
    closed = np.pad(ground == CLOSED, wide, constant_values=True)
    near = np.zeros(ground.shape, np.bool_)
    for down in range(2 * wide + 1):
        for across in range(2 * wide + 1):
            near |= closed[down : down + chart.high, across : across + chart.wide]
    found: Bytes = np.where(near, CLOSED, ground).astype(np.int8).ravel()
    return found


def _strides(chart: Chart, pace: Pace, edge: str) -> Strides:
    ground = _ground(chart, pace)
    to: list[Ints] = []
    first: list[int] = []
    count = 0
    for x, y in zip(chart.x.tolist(), chart.y.tolist()):
        places = _one_move(chart, pace, edge, ground, x, y)
        to.append(places)
        first.append(count)
        count += len(places)
    return Strides(np.concatenate(to), np.array(first, dtype=np.int64), *_off(chart, pace, edge, ground))


def _one_move(chart: Chart, pace: Pace, edge: str, ground: Bytes, x: float, y: float) -> Ints:
    """Where one move leads from a point, straight."""
    away_x, away_y = chart.x - x, chart.y - y
    away = np.hypot(away_x, away_y)
    places = np.flatnonzero(away <= pace.road * pace.free)
    far, away_x, away_y = away[places], away_x[places], away_y[places]
    cells = chart.cells(x + away_x[:, None] * PARTS, y + away_y[:, None] * PARTS)
    worst = ground[cells].max(axis=1)
    runs = far <= pace.free
    if pace.road > 1:
        runs |= chart.road[cells].all(axis=1)
    runs &= worst <= FREE
    if pace.straight:
        out = OUT[edge]
        runs &= away_x * out[0] + away_y * out[1] >= math.cos(math.radians(STRAIGHT)) * far
    walks = (far <= pace.rough) & (worst <= SLOW)
    found: Ints = places[runs | walks | (far == 0)]
    return found


def _off(chart: Chart, pace: Pace, edge: str, ground: Bytes) -> tuple[Bools, Floats]:
    """From which points one move leads straight off the table, and how far it is."""
    table, out = chart.table, OUT[edge]
    far = {"left": chart.x, "right": table.width - chart.x, "top": chart.y, "bottom": table.height - chart.y}[edge]
    gone = np.maximum(far - pace.before, 0.0)
    steps = gone[:, None] * PARTS
    cells = chart.cells(chart.x[:, None] + out[0] * steps, chart.y[:, None] + out[1] * steps)
    # What is beyond the edge leaves room enough.
    inner = steps < gone[:, None] - pace.beside
    worst = np.where(inner, ground[cells], chart.move[pace.column][cells]).max(axis=1)
    gone = np.where(chart.road[cells].all(axis=1), gone / pace.road, gone)
    found: Bools = ((gone <= pace.free) & (worst <= FREE)) | ((gone <= pace.rough) & (worst <= SLOW))
    return found, gone


def deadly(danger: Floats, value: float, taste: Taste) -> Floats:
    """The chance to be lost at a stop, by what is to be feared there and what the unit is worth."""
    found: Floats = np.clip(danger / max(value, 0.1), 0.0, taste.deadly)
    return found


def _blurred(chart: Chart, field: Floats) -> Floats:
    """The mean of a field over the points about every point."""
    wide = 2 * NEAR + 1
    padded = np.pad(field.reshape(chart.lines, chart.columns), NEAR, mode="edge")
    rows = np.sum([padded[step : step + chart.lines] for step in range(wide)], axis=0)
    found: Floats = np.sum([rows[:, step : step + chart.columns] for step in range(wide)], axis=0).ravel() / wide**2
    return found


def risks(chart: Chart, danger: Floats, value: float, taste: Taste) -> Floats:
    """The chance to be lost at every stop on the way out: the enemy goes a few steps before he shoots."""
    here = deadly(danger, value, taste)
    return here + taste.about * np.maximum(_blurred(chart, here) - here, 0.0)


def prospects(outlook: Outlook[Any, Any, Any], unit: Any, goal: Goal, moves: int) -> list[Floats]:
    """What every point is worth to a unit that is to leave, with 0, 1, 2 and so on moves still to make from there."""
    chart, taste = outlook.chart, outlook.taste
    if not outlook.can_move(unit):
        return [np.zeros(len(chart.x))]
    pace = outlook.pace(unit)
    ways = strides(chart, pace, goal.exit)
    risk = outlook.risk(unit)
    lost = outlook.scored(unit)
    found: list[Floats] = [np.zeros(len(chart.x))]
    for _ in range(min(moves, FORESEEN)):
        stop = taste.later * (1 - risk) * found[-1] - risk * lost
        best: Floats = np.maximum.reduceat(stop[ways.to], ways.first)
        found.append(np.where(ways.off, np.maximum(goal.worth, best), best))
    still = taste.to_go * goal.worth * np.minimum(chart.turns_off(goal.exit, pace.column), 8.0)
    return [field - still for field in found]
