"""Reach and cheapest paths."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.hex.grid import hex_grid
from grognard.board.hex.paths import cheapest, path_to, reach

GRID = hex_grid(6, 6)
MUD = {"B2", "B3", "C3"}


def steps(place: str) -> Iterator[tuple[str, int]]:
    for other in GRID.adjacent[place]:
        yield other, 4 if other in MUD else 1


def test_a_budget_reaches_so_far() -> None:
    assert set(reach("A1", 1, steps)) == {"A1", "A2", "B1"}
    assert reach("A1", 0, steps) == {"A1": (0, None)}
    assert set(reach("A1", None, steps)) == set(GRID.hexes)


def test_the_way_goes_round_the_mud() -> None:
    found = reach("A2", 9, steps)
    path = path_to(found, "C4")
    assert path[0] == "A2"
    assert path[-1] == "C4"
    assert not MUD & set(path)
    assert found["C4"][0] == len(path) - 1
    with pytest.raises(KeyError):
        path_to(reach("A1", 1, steps), "F6")


def test_cheapest() -> None:
    assert cheapest("A1", "A3", steps) == (2, ["A1", "A2", "A3"])
    assert cheapest("A1", "A3", steps, budget=1) is None
    assert cheapest("A1", "Z9", steps) is None
    assert cheapest("B1", lambda place: place in MUD, steps) == (4, ["B1", "B2"])
    assert cheapest("A1", "A1", steps) == (0, ["A1"])


def test_costs_are_not_negative() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        reach(0, 3, lambda n: [(n + 1, -1)])


@given(
    st.dictionaries(
        st.integers(0, 6), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=4), max_size=7
    ),
    st.integers(0, 12),
)
def test_reach_agrees_with_trying_again_and_again(roads: dict[int, list[tuple[int, int]]], budget: int) -> None:
    best = {0: 0}
    for _ in range(8):
        for place, ways in roads.items():
            for other, cost in ways:
                total = best.get(place, 99) + cost
                if total <= budget and total < best.get(other, 99):
                    best[other] = total
    found = reach(0, budget, lambda n: roads.get(n, []))
    assert {place: cost for place, (cost, _) in found.items()} == best
    assert list(found) == sorted(found, key=lambda place: found[place][0])
