"""The arithmetic of sight in arrays: gaps to stretches, where lines meet edges, and what lies below a top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, direction
from grognard.board.table.scene import TINY, Floats, Ints, Mesh


def stretch_gaps(
    bodies: Sequence[Body], ax: Floats, ay: Floats, bx: Floats, by: Floats, within: float = np.inf
) -> Floats:
    """The gap between each body and each straight stretch; of one wider than ``within`` only that it is wider."""
    dx, dy = bx - ax, by - ay
    length = np.maximum(dx * dx + dy * dy, TINY)
    at = np.array([(body.x, body.y, body.foot.farthest) for body in bodies], np.float64)
    x, y = at[:, 0, None], at[:, 1, None]
    part = np.minimum(np.maximum(((x - ax) * dx + (y - ay) * dy) / length, 0.0), 1.0)
    gaps = np.hypot(ax + part * dx - x, ay + part * dy - y) - at[:, 2, None]
    for number, body in enumerate(bodies):
        if body.foot.shape != DISC:
            # Beyond the circle about it a rect need not be gone into.
            near = np.flatnonzero(gaps[number] <= within + 1.0)
            if len(near):
                gaps[number, near] = _rect_gaps(body, ax[near], ay[near], bx[near], by[near])
    return np.maximum(gaps, 0.0)


def _rect_gaps(body: Body, ax: Floats, ay: Floats, bx: Floats, by: Floats) -> Floats:
    """The gap between a rect and each stretch: in its own frame it is a box, and the nearest points are a corner or an
    end, unless the stretch runs through it."""
    fx, fy = direction(body.heading)
    long, wide = body.foot.length / 2, body.foot.width / 2
    px, py = (ax - body.x) * fx + (ay - body.y) * fy, (ay - body.y) * fx - (ax - body.x) * fy
    qx, qy = (bx - body.x) * fx + (by - body.y) * fy, (by - body.y) * fx - (bx - body.x) * fy
    ends = np.minimum(
        np.hypot(np.maximum(np.abs(px) - long, 0), np.maximum(np.abs(py) - wide, 0)),
        np.hypot(np.maximum(np.abs(qx) - long, 0), np.maximum(np.abs(qy) - wide, 0)),
    )
    dx, dy = qx - px, qy - py
    length = np.maximum(dx * dx + dy * dy, TINY)
    sides = []
    for cx, cy in ((long, wide), (long, -wide), (-long, -wide), (-long, wide)):
        part = np.clip(((cx - px) * dx + (cy - py) * dy) / length, 0.0, 1.0)
        ends = np.minimum(ends, np.hypot(px + part * dx - cx, py + part * dy - cy))
        sides.append(dx * (cy - py) - dy * (cx - px))
    # It runs through the box if the box has corners on both its sides and their spans overlap on both axes.
    through = (np.min(sides, axis=0) <= 0) & (np.max(sides, axis=0) >= 0)
    through &= (np.minimum(px, qx) <= long) & (np.maximum(px, qx) >= -long)
    through &= (np.minimum(py, qy) <= wide) & (np.maximum(py, qy) >= -wide)
    return np.where(through, 0.0, ends)


def over_base(body: Body, x: Floats, y: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
    """From where to where lines lie over a base, 0 at their start and 1 at their end; nowhere if that is no stretch."""
    foot, x, y = body.foot, x - body.x, y - body.y
    if foot.shape == DISC:
        a = np.maximum(dx * dx + dy * dy, TINY)
        b = x * dx + y * dy
        square = b * b - a * (x * x + y * y - foot.radius * foot.radius)
        root = np.sqrt(np.maximum(square, 0.0))
        low, high = (-b - root) / a, np.where(square > 0, (-b + root) / a, -np.inf)
    else:
        fx, fy = direction(body.heading)
        low, high = np.full(len(x), -np.inf), np.full(len(x), np.inf)
        for at, way, half in (
            (x * fx + y * fy, dx * fx + dy * fy, foot.length / 2),
            (y * fx - x * fy, dy * fx - dx * fy, foot.width / 2),
        ):
            flat = np.abs(way) <= TINY
            part = np.where(flat, 1.0, way)
            one, two = (-half - at) / part, (half - at) / part
            low = np.where(flat, low, np.maximum(low, np.minimum(one, two)))
            high = np.where(flat, np.where(np.abs(at) > half, -np.inf, high), np.minimum(high, np.maximum(one, two)))
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


class Met(NamedTuple):
    """Where endless lines meet edges: the line, the corner where the edge begins, how far along, in or out (±1)."""

    row: Ints
    corner: Ints
    t: Floats
    sign: Floats


def meet(mesh: Mesh, corners: Ints, aside: Floats, along: Floats) -> Met:
    """Where lines meet the edges that begin at some corners: where the two ends are on different sides.

    ``aside`` and ``along`` have three rows, which times (x, y, 1) of a corner say which side of each line it is on, and
    how far along. Lines run along the last axis throughout, for numpy is slow with many short rows.
    """
    spots = np.ones((len(corners), 3))
    spots[:, 0], spots[:, 1] = mesh.x.take(corners), mesh.y.take(corners)
    side, far = spots @ aside, spots @ along
    left = side > TINY
    changes = left[1:] != left[:-1]
    changes[~mesh.edge.take(corners[:-1])] = False
    first = np.flatnonzero(changes)
    column = np.repeat(np.arange(len(changes)), np.count_nonzero(changes, axis=1))
    row = first - column * side.shape[1]
    second = first + side.shape[1]
    one, t = side.ravel().take(first), far.ravel().take(first)
    apart = one - side.ravel().take(second)
    t += one / apart * (far.ravel().take(second) - t)
    return Met(row, corners.take(column), t, np.copysign(1.0, apart))


def below(z0: Floats, z1: Floats, top: Floats) -> tuple[Floats, Floats]:
    """The part of each pair's lines that is lower than each top."""
    start, rise = z0[:, None, None], (z1[None] - z0[:, None])[..., None]
    level = rise == 0
    cut = np.minimum(np.maximum((top - start) / np.where(level, 1.0, rise), 0.0), 1.0)
    low = np.where(rise < 0, cut, 0.0)
    high = np.where(rise > 0, cut, np.where(level & (start >= top), 0.0, 1.0))
    return low, high


def in_ring(ring: Sequence[tuple[float, float]], x: Floats, y: Floats) -> NDArray[np.int8]:
    """For each point: 0 outside a ring, 1 on its edge, 2 inside."""
    a = np.array(ring, np.float64)
    b = np.roll(a, -1, axis=0)
    px, py = x[:, None], y[:, None]
    side = (b[:, 0] - a[:, 0]) * (py - a[:, 1]) - (b[:, 1] - a[:, 1]) * (px - a[:, 0])
    across = ((a[:, 1] > py) != (b[:, 1] > py)) & ((side > 0) == (b[:, 1] > a[:, 1]))
    found = np.asarray(across.sum(axis=1) % 2 * 2, np.int8)
    low, high = np.minimum(a, b), np.maximum(a, b)
    on = (np.abs(side) <= TINY) & (low[:, 0] <= px) & (px <= high[:, 0]) & (low[:, 1] <= py) & (py <= high[:, 1])
    found[on.any(axis=1)] = 1
    return found
