"""The way off the table, planned over all the moves that are left: from one place out of the enemy's fire to the next.

A unit is shot at where it stands between its moves. What a place is worth to whoever has to get out is therefore what
the best chain of such stops brings from there: the points for leaving, by the chance to live through every stop, less
what the enemy scores if it does not. The ways of a single move are found once for a table and kept with it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grognard.games.bolt_action import movement, valuing
from grognard.games.bolt_action.figures import figures
from grognard.games.bolt_action.roster import UnitType
from grognard.games.bolt_action.state import ON_TABLE, RUN, Unit
from grognard.games.bolt_action.tactics_ground import CELL, CLOSED, FREE, MESH, SLOW, Bools, Bytes, Chart, Floats, Ints

if TYPE_CHECKING:
    from grognard.games.bolt_action.tactics_goals import Goal
    from grognard.games.bolt_action.tactics_outlook import Outlook

#: How much of the points is left if a unit leaves a turn later: what can be had now may not be had then.
LATER = 0.95
#: How much of them every turn of the way that is still to go puts at risk.
TO_GO = 0.01
#: The enemy moves too: a place is nearly as dangerous as those about it, within so many meshes of the net.
ABOUT, NEAR = 0.8, 3
#: No stop is reckoned more deadly than this.
DEADLY = 0.9
#: How much of those aboard is lost with their vehicle, of what their loss scores (24.7).
THROWN_OUT = 0.5
#: How much of what the enemy scores counts: whoever stays behind to be safe has lost the battle all the same.
MINDED = 0.3
#: How much room a hull needs on either side, and how long it is before its middle, in hundredths.
BESIDE, BEFORE = 100, 200
#: How far off the straight way out a tracked vehicle may run, in degrees: it does not turn when it runs (10.1).
STRAIGHT = 8.0
#: How many moves ahead are thought of at most.
FORESEEN = 8
#: At which parts of a way it is looked at.
PARTS = (np.arange(24) + 1) / 24
#: Which way each edge is.
OUT = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


class Pace(NamedTuple):
    """How something moves, as far as ways go: its column of the terrain chart, its rates, and its pivots in a Run."""

    column: str
    run: float
    advance: float
    pivots: bool
    vehicle: bool


class Strides(NamedTuple):
    """The ways of one move between the points of a net.

    ``to`` is where they lead, those from each point beginning at its ``first``; ``off`` tells from which points one
    leads off the table, and ``gone`` how far that is, along a road half of it.
    """

    to: Ints
    first: Ints
    off: Bools
    gone: Floats


def pace_of(kind: UnitType) -> Pace:
    """How a kind of unit moves."""
    rates = figures().rates[kind.moves_as]
    pivots = not kind.vehicle or figures().pivots[kind.mobility].run > 0
    return Pace(kind.column, float(rates.run), float(rates.advance), pivots, kind.vehicle)


def strides(chart: Chart, pace: Pace, edge: str) -> Strides:
    """The ways of one move at a pace, with the edge to leave over; found once for a table."""
    kept: dict[tuple[Pace, str], Strides] = chart.table.kept.setdefault("bolt_action strides", {})
    found = kept.get((pace, edge))
    if found is None:
        found = kept[pace, edge] = _strides(chart, pace, edge)
    return found


def _ground(chart: Chart, pace: Pace) -> Bytes:
    """The ground of every cell for the middle of a unit: a hull needs room about it."""
    ground = chart.move[pace.column].reshape(chart.high, chart.wide)
    if not pace.vehicle:
        return ground.ravel()
    wide = BESIDE // CELL
    closed = np.pad(ground == CLOSED, wide, constant_values=True)
    near = np.zeros(ground.shape, np.bool_)
    for down in range(2 * wide + 1):
        for across in range(2 * wide + 1):
            near |= closed[down : down + chart.high, across : across + chart.wide]
    found: Bytes = np.where(near, CLOSED, ground).astype(np.int8).ravel()
    return found


def _cells(chart: Chart, x: Floats, y: Floats) -> Ints:
    """The cells of the chart where points are; those off the table are at its edge."""
    column = np.clip((x / CELL).astype(np.int64), 0, chart.wide - 1)
    line = np.clip((y / CELL).astype(np.int64), 0, chart.high - 1)
    return line * chart.wide + column


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
    """Where one move leads from a point, straight: along a road twice as far (8.2, 10.1)."""
    away_x, away_y = chart.x - x, chart.y - y
    away = np.hypot(away_x, away_y)
    places = np.flatnonzero(away <= (2 * pace.run if pace.vehicle else pace.run))
    far, away_x, away_y = away[places], away_x[places], away_y[places]
    cells = _cells(chart, x + away_x[:, None] * PARTS, y + away_y[:, None] * PARTS)
    worst = ground[cells].max(axis=1)
    runs = far <= pace.run
    if pace.vehicle:
        runs |= chart.road[cells].all(axis=1)
    runs &= worst <= FREE
    if not pace.pivots:
        out = OUT[edge]
        runs &= away_x * out[0] + away_y * out[1] >= math.cos(math.radians(STRAIGHT)) * far
    walks = (far <= pace.advance) & (worst <= SLOW)
    found: Ints = places[runs | walks | (far == 0)]
    return found


def _off(chart: Chart, pace: Pace, edge: str, ground: Bytes) -> tuple[Bools, Floats]:
    """From which points one move leads straight off the table, and how far it is (8.5)."""
    table, out = chart.table, OUT[edge]
    far = {"left": chart.x, "right": table.width - chart.x, "top": chart.y, "bottom": table.height - chart.y}[edge]
    gone = np.maximum(far - (BEFORE if pace.vehicle else 0), 0.0)
    steps = gone[:, None] * PARTS
    cells = _cells(chart, chart.x[:, None] + out[0] * steps, chart.y[:, None] + out[1] * steps)
    # What is beyond the edge leaves room enough.
    inner = steps < gone[:, None] - BESIDE
    worst = np.where(inner, ground[cells], chart.move[pace.column][cells]).max(axis=1)
    gone = np.where(chart.road[cells].all(axis=1) & pace.vehicle, gone / 2, gone)
    found: Bools = ((gone <= pace.run) & (worst <= FREE)) | ((gone <= pace.advance) & (worst <= SLOW))
    return found, gone


def leaves(outlook: Outlook, unit: Unit, edge: str, order: str) -> bool:
    """Whether a unit can leave the table over an edge with an order, as far as can be seen at a glance (8.5, 10.1)."""
    battle, here = outlook.battle, outlook.here(unit)
    if unit.status != ON_TABLE or unit.immobilised:
        return False
    ways = strides(outlook.chart, pace_of(outlook.battle.type(unit)), edge)
    far = float(ways.gone[here]) + MESH / 2  # it may stand behind its point of the net
    kind = battle.type(unit)
    if kind.vehicle:
        pivots = battle.figures.pivots[kind.mobility]
        if not (pivots.run if order == RUN else pivots.advance):
            angle = math.radians(battle.hull(unit).heading)
            ahead = math.sin(angle) * OUT[edge][0] - math.cos(angle) * OUT[edge][1]
            far = far / ahead if ahead > 0.5 else math.inf
    return bool(ways.off[here]) and far <= movement.rate(battle, unit, order)


def scored(outlook: Outlook, unit: Unit) -> float:
    """What it counts that the enemy scores a unit which is destroyed on its way, with its part of those aboard."""
    battle = outlook.battle
    riders = sum(valuing.scored_for(battle, rider) for rider in battle.passengers(unit))
    return MINDED * (valuing.scored_for(battle, unit) + THROWN_OUT * riders)


def deadly(danger: Floats, value: float) -> Floats:
    """The chance to be lost at a stop, by what is to be feared there and what the unit is worth."""
    found: Floats = np.clip(danger / max(value, 0.1), 0.0, DEADLY)
    return found


def _blurred(chart: Chart, field: Floats) -> Floats:
    """The mean of a field over the points about every point."""
    wide = 2 * NEAR + 1
    padded = np.pad(field.reshape(chart.lines, chart.columns), NEAR, mode="edge")
    rows = np.sum([padded[step : step + chart.lines] for step in range(wide)], axis=0)
    found: Floats = np.sum([rows[:, step : step + chart.columns] for step in range(wide)], axis=0).ravel() / wide**2
    return found


def risks(chart: Chart, danger: Floats, value: float) -> Floats:
    """The chance to be lost at every stop on the way out: the enemy goes a few steps before he shoots."""
    here = deadly(danger, value)
    return here + ABOUT * np.maximum(_blurred(chart, here) - here, 0.0)


def prospects(outlook: Outlook, unit: Unit, goal: Goal, moves: int) -> list[Floats]:
    """What every point is worth to a unit that is to leave, with 0, 1, 2 and so on moves still to make from there."""
    chart = outlook.chart
    if unit.immobilised:
        return [np.zeros(len(chart.x))]
    ways = strides(chart, pace_of(outlook.battle.type(unit)), goal.exit)
    risk = outlook.risk(unit)
    lost = scored(outlook, unit)
    found: list[Floats] = [np.zeros(len(chart.x))]
    for _ in range(min(moves, FORESEEN)):
        stop = LATER * (1 - risk) * found[-1] - risk * lost
        best: Floats = np.maximum.reduceat(stop[ways.to], ways.first)
        found.append(np.where(ways.off, np.maximum(goal.worth, best), best))
    still = TO_GO * goal.worth * np.minimum(chart.turns_off(goal.exit, outlook.battle.type(unit).column), 8.0)
    return [field - still for field in found]
