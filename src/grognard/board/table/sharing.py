"""Who takes which place: the places of a form shared out among the models of a unit, so that nobody walks far."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from grognard.board.table.bodies import HAIR, Body, Place

Offset = tuple[float, float]


def shared_out(bodies: Sequence[Body], found: list[Offset], *, alike: bool) -> list[Offset]:
    """The places shared out among bases that fit, with the least sum of squared walks wherever the pose is."""
    taken = list(found)
    kinds: dict[Any, list[int]] = {}
    for i, body in enumerate(bodies):
        kinds.setdefault("any" if alike else body.foot, []).append(i)
    for same in kinds.values():
        if len(same) < 2:
            continue
        # What the squares owe to where the pose is comes to the same for every way of sharing: the rest is this.
        mx, my = sum(bodies[i].x for i in same) / len(same), sum(bodies[i].y for i in same) / len(same)
        costs = [[-(bodies[i].x - mx) * found[j][0] - (bodies[i].y - my) * found[j][1] for j in same] for i in same]
        for i, j in enumerate(_assigned(costs)):
            taken[same[i]] = found[same[j]]
    return taken


def side_by_side(
    bodies: Sequence[Body], places: Sequence[Place], pairs: Sequence[tuple[int, int]], reach: int
) -> list[Place]:
    """Places shared out so that as many pairs as can be stand within reach of each other: the cheapest swaps do it."""
    found = list(places)

    def apart() -> int:
        return sum(
            math.dist(found[a], found[b]) - bodies[a].foot.farthest - bodies[b].foot.farthest > reach + HAIR
            for a, b in pairs
        )

    def price(i: int, j: int) -> int:
        # How much longer the squared walks become when these two change places, wherever the pose is.
        (xi, yi), (xj, yj) = found[i], found[j]
        return (bodies[i].x - bodies[j].x) * (xi - xj) + (bodies[i].y - bodies[j].y) * (yi - yj)

    paired = sorted({number for pair in pairs for number in pair})
    swaps = [(i, j) for i in paired for j in range(len(bodies)) if i != j and bodies[i].foot == bodies[j].foot]
    left = apart()
    while left:
        tried: list[tuple[int, int, int, int]] = []
        for i, j in swaps:
            cost = price(i, j)
            found[i], found[j] = found[j], found[i]
            tried.append((apart(), cost, i, j))
            found[i], found[j] = found[j], found[i]
        best = min(tried, default=None)
        if best is None or best[0] >= left:
            break
        left, _, i, j = best
        found[i], found[j] = found[j], found[i]
    return found


def _assigned(costs: list[list[float]]) -> list[int]:
    """The cheapest assignment: which column each row takes (the Hungarian method by shortest paths)."""
    count = len(costs)
    rows, columns = [0.0] * (count + 1), [0.0] * (count + 1)
    match = [0] * (count + 1)
    for row in range(1, count + 1):
        match[0] = row
        at = 0
        least = [math.inf] * (count + 1)
        way = [0] * (count + 1)
        used = [False] * (count + 1)
        while match[at]:
            used[at] = True
            here = match[at]
            cost, given = costs[here - 1], rows[here]
            delta, best = math.inf, 0
            for j in range(1, count + 1):
                if used[j]:
                    continue
                now = cost[j - 1] - given - columns[j]
                if now < least[j]:
                    least[j], way[j] = now, at
                if least[j] < delta:
                    delta, best = least[j], j
            for j in range(count + 1):
                if used[j]:
                    rows[match[j]] += delta
                    columns[j] -= delta
                else:
                    least[j] -= delta
            at = best
        while at:
            match[at] = match[way[at]]
            at = way[at]
    found = [0] * count
    for j in range(1, count + 1):
        found[match[j] - 1] = j - 1
    return found
