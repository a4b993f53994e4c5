"""Cohesion: who of a unit is near whom, and where everybody goes who has been left behind."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Place

#: A group that comes to meet others does so by steps of this many hundredths.
STEP = 100


# ---- who is near whom ----------------------------------------------------------------------------------------


def links(stand: Sequence[Body], ids: Sequence[str], reach: float) -> dict[str, frozenset[str]]:
    """Who stands within reach of whom, by ids, each of himself too."""
    near = bodies.gaps(stand, stand) <= reach + bodies.HAIR
    return {id: frozenset(other for other, joined in zip(ids, row) if joined) for id, row in zip(ids, near.tolist())}


def strays(links: Mapping[str, frozenset[str]], left: Collection[str]) -> int:
    """How many of those who are left are not joined to the greatest group of them."""
    waiting = {id for id in left if id in links}
    count, greatest = len(waiting), 0
    while waiting:
        edge = [waiting.pop()]
        size = 0
        while edge:
            size += 1
            joined = links[edge.pop()] & waiting
            waiting -= joined
            edge += joined
        greatest = max(greatest, size)
    return count - greatest


def led(stand: Sequence[Body], leader: int, reach: float, *, by: int = 0) -> list[bool]:
    """Who is within reach of a leader, himself too, or of one who is, and so on by at most so many others."""
    near = bodies.gaps(stand, stand) <= reach + bodies.HAIR
    found = near[leader]
    for _ in range(by):
        found = near[found].any(axis=0)
    return [bool(each) for each in found]


# ---- closing up ----------------------------------------------------------------------------------------------


def close_up(
    known: Sequence[Body],
    numbers: Sequence[int],
    reach: int,
    spacing: int,
    can: Callable[[int, Place], bool],
) -> list[Place]:
    """Where each model goes to close a broken chain: to the greatest group, as near as it can get.

    Of all the ``known`` only those of these ``numbers`` keep the chain, in which nobody is farther than ``reach`` from
    the next. Where it is not enough that the others come, the group comes to meet them. ``can`` says whether a model
    may go to a place; ``spacing`` is the gap that newcomers leave.
    """
    groups = formations.pieces([known[i] for i in numbers], reach)
    groups.sort(key=len, reverse=True)
    main, rest = [numbers[i] for i in groups[0]], [numbers[i] for group in groups[1:] for i in group]
    best: tuple[float, list[Place]] | None = None
    for there in _coming(known, main, rest, can):
        ends = _gathered(known, there, rest, spacing, can)
        left = _left_open([known[i].at(*ends[i]) for i in numbers], reach)
        if best is None or left < best[0]:
            best = left, ends
        if left <= 0:
            break
    assert best is not None
    return best[1]


def _coming(
    known: Sequence[Body], main: Sequence[int], strays: Sequence[int], can: Callable[[int, Place], bool]
) -> Iterator[dict[int, Place]]:
    """Where the greatest group may stand: where it does, and an inch and more nearer to the nearest of the others."""
    yield {i: (known[i].x, known[i].y) for i in main}
    near, stray = min(itertools.product(main, strays), key=lambda pair: bodies.gap(known[pair[0]], known[pair[1]]))
    away = math.hypot(known[stray].x - known[near].x, known[stray].y - known[near].y)
    ux, uy = (known[stray].x - known[near].x) / away, (known[stray].y - known[near].y) / away
    rest = [known[i] for i in strays]
    for step in range(STEP, int(away), STEP):
        there = {i: (known[i].x + int(ux * step), known[i].y + int(uy * step)) for i in main}
        if not all(can(i, place) and _fits(known[i], place, rest) for i, place in there.items()):
            return
        yield there


def _gathered(
    known: Sequence[Body],
    there: Mapping[int, Place],
    strays: Sequence[int],
    spacing: int,
    can: Callable[[int, Place], bool],
) -> list[Place]:
    """Where everybody ends when the others join a group that stands somewhere."""
    found: list[Place] = [there.get(number, (body.x, body.y)) for number, body in enumerate(known)]
    placed, waiting = [known[i].at(*place) for i, place in there.items()], list(strays)
    while waiting:
        _, number = min((min(bodies.gap(known[i], body) for body in placed), i) for i in waiting)
        waiting.remove(number)
        body = known[number]
        rest = [*placed, *(known[i] for i in waiting)]
        spot = next((p for p in _spots(body, placed, spacing) if _fits(body, p, rest) and can(number, p)), None)
        if spot is None:
            spot = _toward(body, placed, rest, partial(can, number))
        found[number] = spot
        placed.append(body.at(*spot))
    return found


def _left_open(stand: Sequence[Body], far: int) -> float:
    """How wide the gaps are that are left between the pieces of a unit; 0 if it is whole."""
    groups = formations.pieces(list(stand), far)
    groups.sort(key=len, reverse=True)
    return sum(
        min(bodies.gap(stand[i], stand[j]) for i in group for j in range(len(stand)) if j not in group)
        for group in groups[1:]
    )


def _spots(body: Body, placed: Sequence[Body], gap: int) -> list[Place]:
    """Places beside those who stand, the nearest to a model first."""
    found = []
    for other in placed:
        far = other.foot.farthest + body.foot.farthest + gap
        for degrees in range(0, 360, 30):
            dx, dy = bodies.direction(degrees)
            found.append((round(other.x + dx * far), round(other.y + dy * far)))
    return sorted(set(found), key=lambda p: (math.hypot(p[0] - body.x, p[1] - body.y), p))


def _fits(body: Body, place: Place, others: Sequence[Body]) -> bool:
    return not bodies.overlaps(body.at(*place), others)


def _toward(body: Body, placed: Sequence[Body], rest: Sequence[Body], can: Callable[[Place], bool]) -> Place:
    """As far as a model can go straight toward those who stand."""
    near = min(placed, key=lambda other: bodies.gap(body, other))

    def at(part: float) -> Place:
        return body.x + int((near.x - body.x) * part), body.y + int((near.y - body.y) * part)

    def free(part: float) -> bool:
        return _fits(body, at(part), rest) and can(at(part))

    parts = np.linspace(1.0, 0.0, 21)
    good = next((part for part in parts[:-1] if free(part)), None)
    if good is None:
        return body.x, body.y
    bad = min(1.0, good + parts[0] - parts[1])
    for _ in range(7):
        middle = (good + bad) / 2
        good, bad = (middle, bad) if free(middle) else (good, middle)
    return at(good)
