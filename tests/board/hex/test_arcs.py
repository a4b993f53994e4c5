"""Arcs: golden cases for every facing, and the angles themselves for all others."""

from __future__ import annotations

import math

import pytest

from grognard.board.hex.arcs import arc_hexes, bearings, covered_arc, front_arc, in_front_arc, turned, turns
from grognard.board.hex.grid import HexGrid, hex_grid

GRID = hex_grid(11, 11)
GRIDS = [
    GRID,
    hex_grid(11, 11, "pointy"),
    hex_grid(11, 11, "flat", "29.17", "odd"),
    hex_grid(9, 9, "pointy", "A1", "odd"),
]
FACINGS = range(1, 7)


def around(direction: int, by: int = 1) -> str:
    found = GRID.line_off("F6", turned(1, direction - 1), by)
    assert found is not None
    return found


def test_turning() -> None:
    assert [turned(6, 1), turned(1, -1), turned(3, 6), turned(2, -3)] == [1, 6, 3, 5]
    assert [turns(1, 6), turns(1, 4), turns(2, 5), turns(3, 3), turns(6, 2)] == [1, 3, 3, 0, 2]


@pytest.mark.parametrize("facing", FACINGS)
def test_front_holds_the_faced_hex_and_the_two_beside_it(facing: int) -> None:
    front = {way for way in FACINGS if front_arc(GRID, "F6", facing, around(way))}
    assert front == {turned(facing, -1), facing, turned(facing, 1)}
    assert in_front_arc(GRID, facing, "F6", around(facing, 3))
    assert not front_arc(GRID, "F6", facing, around(turned(facing, 3), 4))


@pytest.mark.parametrize("facing", FACINGS)
def test_the_dividing_line_is_flank(facing: int) -> None:
    # Straight out to the side, two hexes off: one step ahead to the right, one step back.
    right = GRID.neighbor(around(turned(facing, 1)), turned(facing, 2))
    left = GRID.neighbor(around(turned(facing, -1)), turned(facing, -2))
    assert right is not None
    assert left is not None
    assert not front_arc(GRID, "F6", facing, right)
    assert not front_arc(GRID, "F6", facing, left)


@pytest.mark.parametrize("facing", FACINGS)
def test_the_covered_arc_includes_both_its_rows(facing: int) -> None:
    for by in (1, 2, 4):
        assert covered_arc(GRID, "F6", facing, around(turned(facing, -1), by))
        assert covered_arc(GRID, "F6", facing, around(facing, by))
        assert covered_arc(GRID, "F6", facing, around(turned(facing, 1), by))
        assert not covered_arc(GRID, "F6", facing, around(turned(facing, 2), by))
        assert not covered_arc(GRID, "F6", facing, around(turned(facing, 3), by))
    beyond = GRID.neighbor(around(turned(facing, 1), 3), turned(facing, 3))
    assert beyond is not None
    assert not covered_arc(GRID, "F6", facing, beyond)


def test_facing_north_by_name() -> None:
    # Columns E and G stand half a hex higher than F.
    assert front_arc(GRID, "F6", 1, "G6")
    assert not front_arc(GRID, "F6", 1, "G7")
    assert not front_arc(GRID, "F6", 1, "H6")
    assert front_arc(GRID, "F6", 1, "H5")
    assert covered_arc(GRID, "F6", 1, "H5")
    assert not covered_arc(GRID, "F6", 1, "H6")
    assert arc_hexes(GRID, "F6", 1, 1) == ["E6", "F5", "G6"]
    assert len(arc_hexes(GRID, "F6", 1, 2)) == 8


def test_the_hex_itself_is_in_no_arc() -> None:
    assert not front_arc(GRID, "F6", 1, "F6")
    assert not covered_arc(GRID, "F6", 1, "F6")
    assert bearings(GRID, "F6", "F6") == ()


def test_bearings() -> None:
    assert [bearings(GRID, "F6", around(way, 3)) for way in FACINGS] == [(way,) for way in FACINGS]
    assert bearings(GRID, "A2", "C2") == (2, 3)
    assert bearings(GRID, "C4", "B2") == (1, 6)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_arcs_are_what_the_angles_say(grid: HexGrid) -> None:
    at = grid.label(5, 5)
    x0, y0 = grid.center(at)
    for facing in FACINGS:
        fx, fy = grid.side_middle(at, facing)
        for other in grid.hexes:
            if other == at:
                continue
            x, y = grid.center(other)
            angle = math.degrees(math.atan2(y - y0, x - x0) - math.atan2(fy - y0, fx - x0))
            apart = abs((angle + 180) % 360 - 180)
            assert front_arc(grid, at, facing, other) == (apart < 90 - 1e-6)
            assert covered_arc(grid, at, facing, other) == (apart < 60 + 1e-6)
            assert (facing in bearings(grid, at, other)) == (apart < 30 + 1e-6)
