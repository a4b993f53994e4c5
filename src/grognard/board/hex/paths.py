"""The cheapest ways from a place: how far a budget reaches, and by which path.

Costs are whole numbers; a game with half points counts in halves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import TypeVar

P = TypeVar("P", bound=Hashable)
Steps = Callable[[P], Iterable[tuple[P, int]]]
Reach = dict[P, tuple[int, P | None]]


def reach(start: P, budget: int | None, steps: Steps[P]) -> Reach[P]:
    """Every place within a budget (None: no limit), with its least cost and the place before it.

    ``steps(place)`` yields the places next to one and the cost of going there. Places come in the
    order of their cost; among equally cheap ways the one found first is kept.

    >>> reach(0, 3, lambda n: [(n + 1, 2), (n - 1, 1)])
    {0: (0, None), -1: (1, 0), 1: (2, 0), -2: (2, -1), -3: (3, -2)}
    """
    return _search(start, None, budget, steps)


def cheapest(
    start: P, goal: P | Callable[[P], bool], steps: Steps[P], budget: int | None = None
) -> tuple[int, list[P]] | None:
    """The least cost to a goal, or to the nearest place that satisfies it, and the path; None without one."""
    done: Callable[[P], bool] = goal if callable(goal) else lambda place: place == goal
    found = _search(start, done, budget, steps)
    last = next(reversed(found))
    return (found[last][0], path_to(found, last)) if done(last) else None


def path_to(found: Reach[P], goal: P) -> list[P]:
    """The places from the start of a reach to a goal, both included; KeyError if it is out of reach."""
    path: list[P] = []
    place: P | None = goal
    while place is not None:
        path.append(place)
        place = found[place][1]
    return path[::-1]


def _search(start: P, done: Callable[[P], bool] | None, budget: int | None, steps: Steps[P]) -> Reach[P]:
    found: Reach[P] = {}
    best: dict[P, int] = {start: 0}
    # The running number keeps the order of discovery and spares comparing places.
    queue: list[tuple[int, int, P, P | None]] = [(0, 0, start, None)]
    count = 0
    while queue:
        cost, _, place, before = heappop(queue)
        if place in found:
            continue
        found[place] = (cost, before)
        if done is not None and done(place):
            break
        for following, price in steps(place):
            if price < 0:
                raise ValueError(f"the step from {place} to {following} costs {price}; costs are 0 or more")
            total = cost + price
            if (budget is None or total <= budget) and total < best.get(following, total + 1):
                best[following] = total
                count += 1
                heappush(queue, (total, count, following, place))
    return found
