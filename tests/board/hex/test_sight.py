"""Sight over relief: the plain line with its reckoning, and the bulk version, which says the same on every pair."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.grid import Layout
from grognard.board.hex.lattice import NOWHERE, Lattice, in_cell, lattice_of, spot_of
from grognard.board.hex.sight import look, veiled
from grognard.board.hex.trace import trace
from grognard.board.hex.viewsheds import Viewsheds, viewsheds_of
from grognard.core.files import Document
from tests.board.hex.hills import TALL, hills


def flat(columns: int = 24, rows: int = 6, **tables: Any) -> Lattice:
    data = {"columns": columns, "rows": rows, **tables}
    return Lattice(Battlefield.from_sketch(data, Document(data, "flat"), "map"), TALL)


def raise_to(lattice: Lattice, hex: str, ground: int, tall: int = 0) -> None:
    """Give the points of a hex's inside a height, and something that stands on them."""
    centre = spot_of(lattice.grid, hex)
    for x in range(-9, 10):
        for y in range(-9, 10):
            point = (centre[0] + x, centre[1] + y)
            if in_cell(point, centre) and max(abs(x - y), abs(x + 2 * y), abs(2 * x + y)) < 9:
                place = lattice.place(point)
                lattice.ground[place], lattice.top[place] = ground, ground + tall
                lattice.cover_at[place] = 0 if tall else -1


def test_a_point_above_the_line_blocks_and_the_reckoning_is_told() -> None:
    # Ends of 25 and 60 m eight hexes apart; three hexes from the low end a wood on ground of 30 m reaches 50 m.
    lattice = flat(columns=3, rows=12)
    raise_to(lattice, "B10", 25)
    raise_to(lattice, "B7", 30, 20)
    raise_to(lattice, "B2", 60)
    found = look(lattice, "B10", "B2")
    assert (found.a_height, found.b_height, found.clear) == (25, 60, False)
    assert found.block is not None and found.block.hex == "B7"
    assert (found.block.ground, found.block.cover, found.block.top) == (30, "woods", 50)
    at_the_dot = next(sample for sample in lattice.profile("B10", "B2") if sample.step == 36)
    assert at_the_dot.top == 50 > 3 * Fraction(60 - 25, 8) + 25 == Fraction("38.125")
    # The line rises toward the high end, so it is lowest above the near edge of the wood.
    assert found.block.step == 32 and found.block.line == 25 + Fraction(35 * 32, 96)
    assert found.block.over == 50 - found.block.line
    assert found.say() == (
        "B10 (25 m) to B2 (60 m): blocked in B7: 30 m of ground and 20 m of woods, "
        "13.3 m above the line, which has 36.7 m there"
    )


def test_a_point_below_the_line_leaves_it_clear_however_near() -> None:
    # Fifteen hexes, 20 m to 125 m; six from the low end 60 m with its trees, where the line has 62 m.
    lattice = flat(columns=3, rows=18)
    raise_to(lattice, "B17", 20)
    raise_to(lattice, "B2", 125)
    place = lattice.place(spot_of(lattice.grid, "B11"))
    lattice.ground[place], lattice.top[place] = 40, 60
    assert look(lattice, "B17", "B2").clear
    assert look(lattice, "B17", "B2").say() == "B17 (20 m) to B2 (125 m): clear"
    lattice.top[place] = 62
    found = look(lattice, "B17", "B2")
    assert found.block is not None and found.block.over == 0
    assert "62 m, as high as the line, which has 62 m there" in found.say().replace(
        "40 m of ground and 22 m of", "62 m"
    )


def test_level_ground_blocks_nothing_below_it_and_everything_on_it() -> None:
    lattice = flat(columns=8, rows=4)
    assert not look(lattice, "A2", "G2").clear  # on flat ground of one height whatever lies between is as high
    raise_to(lattice, "A2", 5)
    raise_to(lattice, "G2", 5)
    assert look(lattice, "A2", "G2").clear


def test_neighbours_always_see_each_other() -> None:
    lattice = flat(columns=5, rows=5)
    raise_to(lattice, "B2", 0, 20)
    for other in lattice.grid.adjacent["B2"]:
        assert look(lattice, "B2", other).clear
        assert all(look(lattice, other, "B2", side).clear for side in range(1, 7))
    assert look(lattice, "B2", "B2").clear


def test_woods_in_the_entered_hex_hide_the_far_side_of_it_and_not_its_centre() -> None:
    lattice = flat(columns=8, rows=8)
    raise_to(lattice, "D2", 30)
    raise_to(lattice, "D7", 0, 20)
    place = lattice.place(spot_of(lattice.grid, "D7", 4))
    lattice.ground[place] = lattice.top[place] = 0
    for hex in ("D3", "D4", "D5", "D6"):
        raise_to(lattice, hex, -100)
    # Only the edges of the hexes between still lie as high as the end: sink them.
    lattice.ground[lattice.ground == 0] = -100
    lattice.top[lattice.top == 0] = -100
    lattice.ground[place] = lattice.top[place] = 0
    lattice.ground[lattice.place(spot_of(lattice.grid, "D7"))] = 0
    assert look(lattice, "D2", "D7").clear
    found = look(lattice, "D2", "D7", 4)
    assert found.block is not None and found.block.hex == "D7" and found.block.cover == "woods"
    assert look(lattice, "D2", "D7", 1).clear


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_plain_and_bulk_agree_on_every_pair_both_ways(seed: int, layout: Layout) -> None:
    field = hills(seed, layout=layout)
    assert field.grid is not None
    lattice = lattice_of(field, TALL)
    sheds = Viewsheds(lattice)
    seen = {hex: set(sheds.seen_from(hex)) for hex in field.grid.hexes}
    clear = 0
    for a in field.grid.hexes:
        for b in field.grid.hexes:
            found = look(lattice, a, b)
            assert found.clear == (b in seen[a]) == (a in seen[b]) == sheds.sees(a, b), (a, b)
            clear += found.clear
    assert 0.05 < clear / len(field.grid.hexes) ** 2 < 0.95, "a map on which sight means something"


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_plain_and_bulk_agree_on_every_hexside(layout: Layout) -> None:
    field = hills(11, 8, 6, layout)
    assert field.grid is not None
    lattice = lattice_of(field, TALL)
    sheds = viewsheds_of(lattice)
    assert sheds is viewsheds_of(lattice)
    for b in field.grid.hexes:
        for side in range(1, 7):
            seeing = set(sheds.seeing(b, side))
            for a in field.grid.hexes:
                assert look(lattice, a, b, side).clear == (a in seeing) == sheds.sees(a, b, side), (a, b, side)


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_where_nothing_blocks_everything_is_seen_to_the_farthest_corners(layout: Layout) -> None:
    field = hills(3, 7, 5, layout)
    assert field.grid is not None
    lattice = Lattice(field, TALL)
    lattice.top[:] = NOWHERE
    sheds = Viewsheds(lattice)
    for hex in field.grid.hexes:
        assert all(sheds.row(hex, side).all() for side in range(7)), hex


def test_plain_and_bulk_agree_on_part_of_a_large_map() -> None:
    field = hills(7, 40, 30).part("H5", "AD24")
    assert field.grid is not None
    lattice = lattice_of(field, TALL)
    sheds, rng = viewsheds_of(lattice), random.Random(7)
    for _ in range(400):
        a, b = rng.choice(field.grid.hexes), rng.choice(field.grid.hexes)
        side = rng.randint(0, 6)
        assert look(lattice, a, b, side).clear == sheds.sees(a, b, side), (a, b, side)


def test_the_lattice_agrees_with_finer_ground_but_next_to_edges() -> None:
    # The same lines, followed at a hundredth of a hex over the polygons themselves.
    field = hills(21)
    assert field.grid is not None
    grid, lattice = field.grid, lattice_of(field, TALL)
    rng, wrong = random.Random(21), 0
    pairs = [tuple(rng.sample(grid.hexes, 2)) for _ in range(150)]
    for a, b in pairs:
        if grid.distance(a, b) < 2:
            continue
        (x0, y0), (x1, y1) = grid.center(a), grid.center(b)
        part = np.linspace(0, 1, 100 * grid.distance(a, b))[1:-1]
        xs, ys = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
        tops = field.relief.heights(xs, ys).astype(float)
        for kind, tall in TALL.items():
            tops += tall * field.cover.covers(kind, xs, ys)
        start, end = np.array([x0, y0]), np.array([x1, y1])
        points = np.stack([xs, ys], axis=1)
        # A hex is nearer to its own centre than to any other.
        own = np.minimum(np.hypot(*(points - start).T), np.hypot(*(points - end).T))
        others = np.min([np.hypot(*(points - grid.center(hex)).T) for hex in grid.hexes if hex not in (a, b)], axis=0)
        heights = field.relief.dot[a] + (field.relief.dot[b] - field.relief.dot[a]) * part
        fine = bool(((tops >= heights) & (others < own)).any())
        wrong += fine == look(lattice, a, b).clear
    assert wrong <= len(pairs) // 15


@given(st.integers(0, 5), st.data())
@settings(max_examples=30, deadline=None)
def test_veils_block_what_runs_through_or_along_them(seed: int, data: st.DataObject) -> None:
    field = hills(seed)
    assert field.grid is not None
    grid, lattice = field.grid, lattice_of(field, TALL)
    veils = data.draw(st.sets(st.sampled_from(grid.hexes), max_size=6))
    a, b = data.draw(st.sampled_from(grid.hexes)), data.draw(st.sampled_from(grid.hexes))
    side = data.draw(st.integers(0, 6))
    found, bare = look(lattice, a, b, side, veils), look(lattice, a, b, side)
    through = {hex for step in trace(grid, a, b, 0, side).steps for hex in step}
    hidden = grid.distance(a, b) > 1 and bool(through & veils)
    assert found.clear == (bare.clear and not hidden)
    assert bool(veiled(grid, a, b, side, veils)) == hidden
    if not side:
        assert look(lattice, b, a, 0, veils).clear == found.clear
    if found.veil:
        assert found.veil in veils and found.say().endswith(f"blocked in {found.veil}")


def test_a_line_may_end_in_a_veil() -> None:
    lattice = flat(columns=8, rows=4)
    for hex in ("A2", "G2"):
        raise_to(lattice, hex, 5)
    assert look(lattice, "A2", "G2", veils={"A2", "G2"}).clear
    assert look(lattice, "A2", "G2", veils={"D2"}).veil == "D2"
