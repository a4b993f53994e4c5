"""Facings and arcs on a hex grid, told exactly.

A facing is a direction 1..6: the hexside that a vehicle or gun looks across.
"""

from __future__ import annotations

from grognard.board.hex.grid import Axial, HexGrid


def turned(facing: int, by: int) -> int:
    """A facing turned clockwise by a number of hexsides (negative: the other way)."""
    return (facing - 1 + by) % 6 + 1


def turns(a: int, b: int) -> int:
    """How many hexsides lie between two facings, the shorter way: 0 to 3."""
    apart = (a - b) % 6
    return min(apart, 6 - apart)


def _offset(grid: HexGrid, at: str, other: str) -> Axial:
    (q0, r0), (q1, r1) = grid.axial(at), grid.axial(other)
    return q1 - q0, r1 - r0


def _cross(a: Axial, b: Axial) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _between(grid: HexGrid, left: int, right: int, offset: Axial) -> bool:
    """Whether an offset lies in the wedge from one direction clockwise to another, both edges included."""
    return _cross(grid.steps[left], offset) >= 0 and _cross(offset, grid.steps[right]) >= 0


def front_arc(grid: HexGrid, hex: str, facing: int, target: str) -> bool:
    """Whether a target hex lies in front: strictly less than 90 degrees from the facing.

    A target whose centre is exactly on the dividing line is not in front; nor is the hex itself.
    """
    q, r = _offset(grid, hex, target)
    dq, dr = grid.steps[facing]
    # Twice the scalar product: the two axes of axial coordinates are 60 degrees apart.
    return 2 * (q * dq + r * dr) + q * dr + r * dq > 0


def in_front_arc(grid: HexGrid, facing: int, at: str, other: str) -> bool:
    """`front_arc` with the facing first."""
    return front_arc(grid, at, facing, other)


def covered_arc(grid: HexGrid, hex: str, facing: int, target: str) -> bool:
    """Whether a target hex lies at most 60 degrees from the facing.

    That is the wedge between the hex rows that run through the hexes left and right of the faced
    one, both rows included. The hex itself is not in it.
    """
    offset = _offset(grid, hex, target)
    return offset != (0, 0) and _between(grid, turned(facing, -1), turned(facing, 1), offset)


def bearings(grid: HexGrid, at: str, other: str) -> tuple[int, ...]:
    """The directions nearest to the bearing of another hex: one, two on the line between them.

    The hex itself has none.
    """
    offset = q, r = _offset(grid, at, other)
    if offset == (0, 0):
        return ()
    closeness = {
        way: 2 * (q * grid.steps[way][0] + r * grid.steps[way][1]) + q * grid.steps[way][1] + r * grid.steps[way][0]
        for way in range(1, 7)
    }
    best = max(closeness.values())
    return tuple(way for way, value in closeness.items() if value == best)


def arc_hexes(grid: HexGrid, hex: str, facing: int, reach: int) -> list[str]:
    """The hexes of a covered arc up to a distance, in grid order."""
    return [other for other in grid.within(hex, reach) if covered_arc(grid, hex, facing, other)]
