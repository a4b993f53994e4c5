"""Forms for stands: rectangular bases, with round ones among them if a unit has any, about the pose at heading 0.

Neighbours stand exactly a gap apart, whatever their sizes: each rank moves up until it would come nearer to the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.board.table.bodies import RECT, Body

Offset = tuple[float, float]

#: A line or a column of more than this many takes two ranks or files.
ABREAST = 6


def line(bodies: Sequence[Body], gap: float) -> list[Offset]:
    """One rank, or two."""
    count = len(bodies)
    return _ranks(bodies, count if count <= ABREAST else (count + 1) // 2, gap)


def column(bodies: Sequence[Body], gap: float) -> list[Offset]:
    """One file, or two."""
    return _ranks(bodies, 1 if len(bodies) <= ABREAST else 2, gap)


def block(bodies: Sequence[Body], gap: float) -> list[Offset]:
    """As many ranks as make it as deep as it is wide."""
    count = len(bodies)
    wide, deep = (sum(2 * _half(body)[side] for body in bodies) / count + gap for side in (0, 1))

    def size(abreast: int) -> tuple[float, float, int]:
        across, down = abreast * wide, math.ceil(count / abreast) * deep
        return max(across, down), across + down, -abreast

    return _ranks(bodies, min(range(1, count + 1), key=size), gap)


def wedge(bodies: Sequence[Body], gap: float) -> list[Offset]:
    """The first at the point, the others right and left of it in turn, each half a base farther back."""
    found: list[Offset] = [(0.0, 0.0)] * len(bodies)
    for side, first in ((1, 1), (-1, 2)):
        arm = [0]
        for number in range(first, len(bodies), 2):
            down = found[arm[-1]][1] + _half(bodies[arm[-1]])[1]
            across = max(abs(found[n][0]) + _aside(bodies[n], bodies[number], down - found[n][1], gap) for n in arm)
            found[number] = side * across, down
            arm.append(number)
    return found


def _ranks(bodies: Sequence[Body], abreast: int, gap: float) -> list[Offset]:
    """Ranks of so many, one behind the other, each about the middle; the last may have fewer."""
    found: list[Offset] = []
    before: list[tuple[Body, Offset]] = []
    for first in range(0, len(bodies), abreast):
        rank = bodies[first : first + abreast]
        row = _row(rank, gap)
        down = max((y + _behind(a, b, bx - ax, gap) for b, bx in zip(rank, row) for a, (ax, y) in before), default=0.0)
        before += [(body, (x, down)) for body, x in zip(rank, row)]
        found += [(x, down) for x in row]
    return found


def _row(bodies: Sequence[Body], gap: float) -> list[float]:
    """Bases side by side, about the middle of the row: how far across each is."""
    found, at = [], 0.0
    for body in bodies:
        half = _half(body)[0]
        found.append(at + half)
        at += 2 * half + gap
    middle = (at - gap) / 2
    return [x - middle for x in found]


def _half(body: Body) -> tuple[float, float]:
    """Half of how wide and of how long a base is."""
    foot = body.foot
    return (foot.width / 2, foot.length / 2) if foot.shape == RECT else (float(foot.radius), float(foot.radius))


def _aside(one: Body, other: Body, down: float, gap: float) -> float:
    """How far to the side of one base another, so far down from it, has to be to leave a gap."""
    (wide, long), round_ = _sum(one, other)
    return _leaves(wide, long, round_ + gap, down)


def _behind(one: Body, other: Body, across: float, gap: float) -> float:
    """How far behind one base another, so far to its side, has to be to leave a gap."""
    (wide, long), round_ = _sum(one, other)
    return _leaves(long, wide, round_ + gap, across)


def _sum(one: Body, other: Body) -> tuple[tuple[float, float], float]:
    """Half the sides of the rectangle that two bases make together, and how far it is rounded."""
    rects = [body.foot for body in (one, other) if body.foot.shape == RECT]
    sides = sum(foot.width for foot in rects) / 2, sum(foot.length for foot in rects) / 2
    return sides, float(sum(body.foot.radius for body in (one, other) if body.foot.shape != RECT))


def _leaves(half: float, across: float, reach: float, off: float) -> float:
    """How far along one axis the rim of a rounded rectangle is, at an offset along the other; -inf beside it."""
    beside = max(0.0, abs(off) - across)
    return half + math.sqrt(reach * reach - beside * beside) if beside < reach else -math.inf
