"""What lines and ways cross: many sight lines through many pieces at once, and a way that is stopped at an edge.

A piece is crossed where it lies in plan, with the width of a line that has one; heights are the game's affair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.bodies import Footprint, Place
from grognard.board.table.routes import along, long
from grognard.board.table.terrain import Piece, Table
from grognard.board.table.ways import Path

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Which side of a line a corner is on, in square hundredths: what is nearer than this is on its right.
_TINY = 1e-3
#: Lengths that differ by less than this, in hundredths, are one.
_SAME = 1e-6
#: Lines worked out in one go, so that arrays stay in the cache.
_ROWS = 200


class Spans(NamedTuple):
    """Where lines are in pieces, as arrays of a row for each line and a column for each piece.

    A line first ``enter``s a piece and last ``leave``s it so far along, from 0 at its start to 1 at its end; where they
    do not meet these are ∞ and -∞. ``inside`` is the length in it, in hundredths: less than from the one to the other
    if it comes out in between. To touch a piece from outside is not to meet it. A line of no width is crossed at a
    point.
    """

    enter: Floats
    leave: Floats
    inside: Floats


class _Outlines(NamedTuple):
    """The outlines of pieces, corner after corner; rings are closed and have their inside on one and the same hand."""

    corners: Floats
    #: The piece of each corner, and whether an edge begins there.
    piece: Ints
    edge: NDArray[np.bool_]
    #: By piece: whether it has an inside.
    solid: NDArray[np.bool_]


def spans(table: Table, starts: Floats, ends: Floats, pieces: Sequence[Piece] | None = None) -> Spans:
    """Where straight lines, from points to points, are in some pieces; in all of the table's where nothing is said."""
    pieces = table.pieces if pieces is None else pieces
    starts, ends = (np.asarray(points, dtype=np.float64).reshape(-1, 2) for points in (starts, ends))
    shape = len(starts), len(pieces)
    found = Spans(np.full(shape, np.inf), np.full(shape, -np.inf), np.zeros(shape))
    if not len(starts) or not len(pieces):
        return found
    outlines = _outlines(table, pieces)
    for first in range(0, len(starts), _ROWS):
        some = slice(first, first + _ROWS)
        _cross(outlines, starts[some], ends[some], Spans(*(each[some] for each in found)))
    return found


def _cross(outlines: _Outlines, starts: Floats, ends: Floats, found: Spans) -> None:
    """Fill in the spans of some lines.

    A line's part in a ring needs no sorting: with the ring's edges met at t1, t2, ... in whatever order, entering and
    leaving in turn, it is the sum of ±(1 - t), each t taken into the line first.
    """
    way = ends - starts
    length = np.hypot(way[:, 0], way[:, 1])
    point = length == 0
    way[point, 0] = 1.0  # a point looks any way to know whether it is inside
    dx, dy = way[:, 0, None], way[:, 1, None]
    across = outlines.corners[None, :, 0] - starts[:, 0, None], outlines.corners[None, :, 1] - starts[:, 1, None]
    side = dx * across[1] - dy * across[0]
    left = side > _TINY
    row, at = np.nonzero((left[:, 1:] != left[:, :-1]) & outlines.edge[None, :-1])
    one, two = side[row, at], side[row, at + 1]
    far = [(dx[row, 0] * across[0][row, k] + dy[row, 0] * across[1][row, k]) for k in (at, at + 1)]
    t = (far[0] + one / (one - two) * (far[1] - far[0])) / (way * way).sum(axis=1)[row]
    count = found.enter.shape[1]
    cell = row * count + outlines.piece[at]
    sign = np.where(left[row, at], 1.0, -1.0)
    enter, leave, inside = (np.zeros(found.enter.size) for _ in range(3))
    within = (t > 0) & (t < 1)
    enter[:], leave[:] = np.inf, -np.inf
    np.minimum.at(enter, cell[within], t[within])
    np.maximum.at(leave, cell[within], t[within])
    # Whose start or end is inside has met its rim an odd number of times before or behind.
    solid = np.tile(outlines.solid, len(starts))
    enter[(np.bincount(cell[t <= 0], minlength=enter.size) % 2 == 1) & solid] = 0.0
    leave[(np.bincount(cell[t >= 1], minlength=enter.size) % 2 == 1) & solid] = 1.0
    inside = np.abs(np.bincount(cell, sign * (1.0 - np.clip(t, 0.0, 1.0)), enter.size)) * solid
    found.enter[:], found.leave[:] = enter.reshape(-1, count), leave.reshape(-1, count)
    found.inside[:] = inside.reshape(-1, count) * length[:, None]
    here = found.enter[point] == 0
    found.enter[point], found.leave[point] = np.where(here, 0.0, np.inf), np.where(here, 1.0, -np.inf)


def _outlines(table: Table, pieces: Sequence[Piece]) -> _Outlines:
    """The outlines of some pieces, kept with the table."""
    key = ("outlines", tuple(piece.id for piece in pieces))
    found: _Outlines | None = table.cache.get(key)
    if found is None:
        corners, owner, edge, solid = [], [], [], []
        for number, piece in enumerate(pieces):
            thin = table.thin(piece)
            plan = table.line(piece) if thin else shapely.orient_polygons(table.area(piece))
            for part in [plan] if thin else shapely.get_rings(plan):
                points = shapely.get_coordinates(part)
                corners.append(points)
                owner += [number] * len(points)
                edge += [True] * (len(points) - 1) + [False]
            solid.append(not thin)
        found = _Outlines(np.concatenate(corners), np.array(owner), np.array(edge), np.array(solid))
        table.cache[key] = found
    return found


# ---- ways --------------------------------------------------------------------------------------------------


class Met(NamedTuple):
    """A point of a way at which it comes into a piece or out of it: how far along in hundredths, and where."""

    far: float
    piece: Piece
    at: Place
    entering: bool


def met(table: Table, path: Path, wanted: Callable[[Piece], bool], *, foot: Footprint | None = None) -> list[Met]:
    """Where a way meets the pieces that are wanted, in order: each point at which it comes into one or out of it.

    With a footprint it is a base that goes, as the disc of its narrower half, and meets a piece as soon as it touches
    it. A line of no width is only entered. Where the way begins and ends is not told, so that a move that was stopped
    at an edge may go on from there.
    """
    if len(path) < 2:
        return []
    grow, whole, found = foot.narrowest if foot is not None else 0.0, long(path), []
    for number, piece in enumerate(table.near(shapely.LineString(path), grow)):
        if not wanted(piece):
            continue
        thin = table.thin(piece)
        plan = table.line(piece) if thin else table.area(piece)
        plan = plan.buffer(grow) if grow else plan
        for begin, end in _stretches(path, plan):
            if begin > _SAME:
                found.append((begin, number, Met(begin, piece, along(path, begin), True)))
            if end < whole - _SAME and (grow or not thin):
                found.append((end, number, Met(end, piece, along(path, end), False)))
    return [each for _, _, each in sorted(found, key=lambda one: one[:2])]


def _stretches(path: Path, plan: Any) -> list[tuple[float, float]]:
    """The stretches of a way in a shape, from so far to so far; where it only touches an area there is none."""
    least = _SAME if plan.area else -1.0
    found: list[tuple[float, float]] = []
    for begin, end in sorted(_parts(path, plan)):
        if found and begin <= found[-1][1] + _SAME:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return [(begin, end) for begin, end in found if end - begin > least]


def _parts(path: Path, plan: Any) -> Iterator[tuple[float, float]]:
    """The same leg by leg."""
    gone = 0.0
    for start, end in pairwise(path):
        length = math.dist(start, end)
        if length:
            for part in shapely.get_parts(shapely.LineString([start, end]).intersection(plan)):
                points = shapely.get_coordinates(part)
                if len(points):
                    off = np.hypot(*(points - start).T)
                    yield gone + float(off.min()), gone + float(off.max())
        gone += length
