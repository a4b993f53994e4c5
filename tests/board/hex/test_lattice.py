"""The lattice: its points, lines that are the same both ways, and the ground and cover at every point."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.grid import hex_grid
from grognard.board.hex.lattice import CELL, FINE, NOWHERE, Lattice, in_cell, lattice_of, line, spot_of, steps_between
from tests.board.hex.hills import TALL, hills

#: A coordinate of a point within some thirty hexes.
FAR = st.integers(-360, 360)


def test_centres_and_middles_of_sides_are_points_of_the_lattice() -> None:
    for layout in ("flat", "pointy"):
        grid = hex_grid(6, 6, layout)  # type: ignore[arg-type]
        for hex in ("C3", "A1"):
            for side in range(7):
                x, y = spot_of(grid, hex, side)
                assert grid.point(x / 2, y / 2) == pytest.approx(grid.side_middle(hex, side))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="side 7; a side is 1 to 6"):
        spot_of(hex_grid(3, 3), "B2", 7)


def test_two_hexes_share_the_middle_of_their_side() -> None:
    grid = hex_grid(6, 6)
    assert spot_of(grid, "C3", 1) == spot_of(grid, "C2", 4)
    assert steps_between(spot_of(grid, "A1"), spot_of(grid, "F3")) == FINE * grid.distance("A1", "F3")


@given(FAR, FAR)
@settings(max_examples=200)
def test_a_line_has_a_point_at_every_twelfth_next_to_the_straight_one(x: int, y: int) -> None:
    count = steps_between((0, 0), (x, y))
    points = line((0, 0), (x, y))
    assert len(points) == max(0, count - 1)
    assert line((x, y), (0, 0)) == points[::-1]
    for step, point in enumerate(points, 1):
        assert steps_between((0, 0), point) == step and steps_between(point, (x, y)) == count - step
        # Nearer than half a step to the true point, by each of the three coordinates.
        away = (point[0] * count - x * step, point[1] * count - y * step)
        assert max(abs(away[0]), abs(away[1]), abs(away[0] + away[1])) * 2 <= count


@given(st.integers(-40, 40), st.integers(-40, 40), FAR, FAR)
@settings(max_examples=100)
def test_a_line_is_the_same_wherever_it_lies(x: int, y: int, dx: int, dy: int) -> None:
    moved = [(a - x, b - y) for a, b in line((x, y), (x + dx, y + dy))]
    assert moved == line((0, 0), (dx, dy))


def test_every_point_of_a_hex_and_its_edge_is_in_its_cell() -> None:
    grid = hex_grid(6, 6)
    own = spot_of(grid, "C3")
    assert all(in_cell(spot_of(grid, "C3", side), own) for side in range(7))
    assert not any(in_cell(spot_of(grid, other), own) for other in grid.adjacent["C3"])
    # A hundred and forty-four to a hex, and those of its edge that it shares.
    assert len(CELL) > FINE * FINE and len({*CELL}) == len(CELL)
    assert sum(abs(x - y) < FINE and abs(x + 2 * y) < FINE and abs(2 * x + y) < FINE for x, y in CELL) < FINE * FINE


def test_ground_and_cover_at_centres_are_those_of_the_map() -> None:
    field = hills(3)
    assert field.grid is not None
    lattice = Lattice(field, TALL)
    for hex in field.grid.hexes:
        place = lattice.place(spot_of(field.grid, hex))
        assert lattice.height(hex) == field.relief.dot[hex]
        assert lattice.hex_at[place] == field.grid.index[hex]
        rise = TALL.get(field.terrain[hex], 0)
        assert lattice.top[place] == lattice.ground[place] + rise
        assert (lattice.cover_at[place] >= 0) == (rise > 0)


def test_the_middle_of_a_side_has_the_height_of_its_point() -> None:
    field = hills(5)
    assert field.grid is not None
    lattice = Lattice(field, TALL)
    for hex in field.grid.hexes:
        for side in range(1, 7):
            assert lattice.height(hex, side) == field.relief.height(field.grid.side_middle(hex, side))


def test_off_the_map_there_is_nothing() -> None:
    field = hills(1)
    lattice = Lattice(field, TALL)
    off = lattice.hex_at < 0
    assert off.any() and (lattice.top[off] == NOWHERE).all() and (lattice.top[~off] >= 0).all()
    assert field.grid is not None
    # To the upper side of C1 a line leaves the map above B1, which stands lower.
    samples = list(lattice.profile("A1", "C1", 1))
    assert any(not sample.hex for sample in samples) and any(sample.counts for sample in samples)
    assert all(not sample.counts for sample in samples if not sample.hex)


def test_what_lies_in_the_hexes_of_the_ends_does_not_count_but_on_the_way_to_a_side() -> None:
    field = hills(2)
    lattice = lattice_of(field, TALL)
    assert lattice is lattice_of(field, TALL)
    assert field.grid is not None
    near, far = spot_of(field.grid, "B2"), spot_of(field.grid, "B6")
    for sample, point in zip(lattice.profile("B2", "B6"), line(near, far)):
        assert sample.counts == (not in_cell(point, near) and not in_cell(point, far))
    # Side 4 lies behind the centre of B6 for who looks from B2: what the line meets in that hex counts.
    samples = list(lattice.profile("B2", "B6", 4))
    assert len(samples) == 12 * 4 + 6 - 1
    assert [sample.step for sample in samples if sample.counts] == list(range(7, 54))


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_part_of_a_map_has_the_ground_of_the_whole(layout: str) -> None:
    field = hills(4, 12, 10, layout)  # type: ignore[arg-type]
    part = field.part("C2", "I8")
    assert part.grid is not None
    whole, cut = Lattice(field, TALL), Lattice(part, TALL)
    for hex in part.grid.hexes:
        for side in range(7):
            assert whole.height(hex, side) == cut.height(hex, side)
