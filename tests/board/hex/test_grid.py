"""Labels, neighbours, distances and metres of a hex grid."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.grid import HexGrid, Layout, Numbering, Shove, hex_grid, letters

GRID = hex_grid(12, 10)

grids = st.builds(
    hex_grid,
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from(["flat", "pointy"]),
    st.sampled_from(["A1", "29.17"]),
    st.sampled_from(["even", "odd"]),
)


def test_rows_from_below_change_labels_and_nothing_else() -> None:
    above, below = HexGrid(30, 17, numbering="29.17"), HexGrid(30, 17, numbering="29.17", rows_from="bottom")
    assert below.hexes[:2] == ("01.17", "01.16") and below.ends == ("01.01", "30.17") == above.ends
    assert below.label(0, 0) == "01.17" and below.position("01.17") == (0, 0)
    for old, new in zip(above.hexes, below.hexes):
        assert above.position(old) == below.position(new) and above.center(old) == below.center(new)
        assert above.axial(old) == below.axial(new) and above.index[old] == below.index[new]
    assert below.neighbor("05.05", 1) == "05.06"
    assert below.parse_hexes("01.01-02.02") == ["01.01", "01.02", "02.01", "02.02"]
    assert below != above and below == HexGrid(30, 17, numbering="29.17", rows_from="bottom")
    assert HexGrid(3, 4, rows_from="bottom").hexes[0] == "A4"
    part = hex_grid(30, 17, numbering="29.17", rows_from="bottom").part("03.04", "06.09")
    assert part.ends == ("03.04", "06.09") and part.whole == below
    assert pickle.loads(pickle.dumps(part)) is part
    with pytest.raises(ValueError, match=r"its hexes run from 03\.04 to 06\.09"):
        part.axial("03.03")
    with pytest.raises(ValueError, match="rows_from is 'left'"):
        HexGrid(3, 3, rows_from="left")  # type: ignore[arg-type]


def test_labels_run_down_each_column() -> None:
    grid = HexGrid(2, 2)
    assert grid.hexes == ("A1", "A2", "B1", "B2")
    assert "B2" in grid
    assert "C1" not in grid
    assert grid.label(1, 0) == "B1"
    assert grid.position("B1") == (1, 0)


def test_columns_go_on_past_z() -> None:
    assert [letters(i) for i in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
    assert "AB3" in HexGrid(28, 3)


def test_numbers_of_two_digits() -> None:
    grid = HexGrid(30, 17, numbering="29.17")
    assert grid.hexes[0] == "01.01"
    assert grid.position("29.17") == (28, 16)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("Z99", "off the map; its hexes run from A1 to L10"),
        ("a1", '"A1" would be one'),
        ("", "is not a hex"),
        ("4", "run from A1 to L10"),
    ],
)
def test_a_wrong_label_says_what_would_be_right(label: str, says: str) -> None:
    with pytest.raises(ValueError, match="hex") as caught:
        GRID.position(label)
    assert says in str(caught.value)
    with pytest.raises(ValueError, match="hex"):
        GRID.distance("A1", label)
    with pytest.raises(ValueError, match="hex"):
        GRID.distance(label, "A1")


def test_off_the_map_by_numbers() -> None:
    with pytest.raises(ValueError, match="12 columns and 10 rows"):
        GRID.label(12, 0)


@pytest.mark.parametrize(
    "wrong", [{"columns": 0}, {"layout": "round"}, {"numbering": "B"}, {"shove": "up"}, {"size": math.nan}]
)
def test_a_grid_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"needs|must be"):
        HexGrid(**{"columns": 3, "rows": 3, **wrong})  # type: ignore[arg-type]


def test_flat_neighbours_clockwise_from_north() -> None:
    # B stands half a hex lower than A and C.
    assert GRID.neighbors["B2"] == (None, "B1", "C2", "C3", "B3", "A3", "A2")
    assert GRID.neighbors["C3"] == (None, "C2", "D2", "D3", "C4", "B3", "B2")
    assert GRID.neighbors["A1"] == (None, None, None, "B1", "A2", None, None)
    assert GRID.adjacent["A1"] == ("B1", "A2")


def test_flat_neighbours_with_the_odd_columns_lower() -> None:
    grid = HexGrid(4, 4, shove="odd")
    assert grid.neighbors["B2"] == (None, "B1", "C1", "C2", "B3", "A2", "A1")


def test_pointy_neighbours_clockwise_from_north_east() -> None:
    grid = HexGrid(4, 4, "pointy")
    # Row 2 stands half a hex to the right.
    assert grid.neighbors["B2"] == (None, "C1", "C2", "C3", "B3", "A2", "B1")
    assert grid.neighbors["B3"] == (None, "B2", "C3", "B4", "A4", "A3", "A2")


def test_distances() -> None:
    assert GRID.distance("A1", "A1") == 0
    assert GRID.distance("A1", "A5") == 4
    assert GRID.distance("A5", "L5") == 11
    assert GRID.distance("A1", "C2") == 2
    assert GRID.dist["A1"]["B1"] == 1


def test_within_and_ring() -> None:
    assert GRID.within("B2", 1) == ["A2", "A3", "B1", "B2", "B3", "C2", "C3"]
    assert len(GRID.ring("F5", 2)) == 12
    assert GRID.ring("F5", 0) == ["F5"]


def test_going_off_in_a_line() -> None:
    assert GRID.line_off("C5", 1, 3) == "C2"
    assert GRID.line_off("C5", 1, 5) is None
    assert GRID.last_on_map("C5", 1, 99) == "C1"
    assert GRID.last_on_map("C5", 1, 2) == "C3"


def test_edges() -> None:
    assert GRID.is_edge("A5")
    assert GRID.is_edge("B10")
    assert not GRID.is_edge("B9")


def test_a_neighbour_in_no_direction() -> None:
    with pytest.raises(ValueError, match="directions are 1 to 6"):
        GRID.neighbor("A1", 7)
    assert GRID.neighbor("A1", 3) == "B1"
    assert GRID.direction("A1", "B1") == 3
    assert GRID.direction("A1", "C1") == 0


def test_metres() -> None:
    x, y = GRID.center("A1")
    assert x == pytest.approx(50 / math.sqrt(3))
    assert y == pytest.approx(25)
    assert GRID.center("A2")[1] == pytest.approx(75)
    assert GRID.center("B1")[1] == pytest.approx(50)
    assert min(c for label in GRID.hexes for corner in GRID.corners(label) for c in corner) == pytest.approx(0)


def test_hexsides_have_one_name() -> None:
    assert GRID.hexside("D4", "C4") == GRID.hexside("C4", "D4") == "C4|D4"
    assert GRID.parse_hexside(" D4 | C4 ") == "C4|D4"
    assert GRID.side_hexes("C4|D4") == ("C4", "D4")
    assert GRID.hexside("A10", "A9") == "A9|A10"
    with pytest.raises(ValueError, match="don't share a hexside"):
        GRID.hexside("A1", "C1")
    with pytest.raises(ValueError, match="write two adjacent hexes"):
        GRID.parse_hexside("A1")


def test_side_points_are_the_shared_corners() -> None:
    assert GRID.side_points("C4", "D4") == GRID.side_points("D4", "C4")
    assert set(GRID.side_points("C4", "D4")) == set(GRID.corners("C4")) & set(GRID.corners("D4"))
    # Side 1 of a flat hex is its top, from left to right.
    (x1, y1), (x2, y2) = GRID.edge_points("A1", 1)
    assert y1 == y2 == pytest.approx(0)
    assert x1 < x2


def test_lists_of_hexes() -> None:
    assert GRID.parse_hexes("H9-I10, K3") == ["H9", "H10", "I9", "I10", "K3"]
    assert GRID.parse_hexes("A7:E7") == ["A7", "B7", "C7", "D7", "E7"]
    assert GRID.parse_hexes("B7:E7") == ["B7", "C7", "D7", "E7"]
    assert GRID.parse_hexes("A3-A1") == ["A3", "A2", "A1"]
    assert GRID.parse_hexes("A1, A1-A2,") == ["A1", "A2"]
    assert GRID.parse_hexes("") == []
    with pytest.raises(ValueError, match="is missing one end"):
        GRID.parse_hexes("A1-")
    with pytest.raises(ValueError, match="off the map"):
        GRID.parse_hexes("A1:Z1")
    assert HexGrid(9, 9, numbering="29.17").parse_hexes("01.01-02.01, 05.05") == ["01.01", "02.01", "05.05"]


def test_equal_grids() -> None:
    assert HexGrid(3, 3) == HexGrid(3, 3)
    assert len({HexGrid(3, 3), HexGrid(3, 3), HexGrid(3, 4)}) == 2
    assert hex_grid(3, 3) is hex_grid(3, 3)
    assert pickle.loads(pickle.dumps(HexGrid(3, 3))) == HexGrid(3, 3)


@given(grids)
@settings(max_examples=60, deadline=None)
def test_neighbours_are_one_hex_size_apart(grid: HexGrid) -> None:
    for label in grid.hexes:
        assert grid.at(*grid.axial(label)) == label
        assert grid.label(*grid.position(label)) == label
        for direction in range(1, 7):
            other = grid.neighbors[label][direction]
            middle = grid.side_middle(label, direction)
            assert math.dist(grid.center(label), middle) == pytest.approx(25)
            if other is not None:
                assert grid.direction(label, other) == direction
                assert grid.direction(other, label) == (direction + 2) % 6 + 1
                assert math.dist(grid.center(label), grid.center(other)) == pytest.approx(50)
                assert middle == pytest.approx(grid.side_middle(other, (direction + 2) % 6 + 1))


@given(grids, st.data())
@settings(max_examples=60, deadline=None)
def test_distance_is_the_number_of_steps(grid: HexGrid, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(grid.hexes))
    found, frontier, steps = {start: 0}, [start], 0
    while frontier:
        steps += 1
        frontier = list({n for f in frontier for n in grid.adjacent[f] if n not in found})
        found.update(dict.fromkeys(frontier, steps))
    # Ways off the map can only be shorter.
    assert all(grid.distance(start, label) <= steps for label, steps in found.items())
    if grid.columns > 1 and grid.rows > 1:
        assert set(found) == set(grid.hexes)


@given(grids, st.data())
@settings(max_examples=100, deadline=None)
def test_a_straight_chain_is_a_shortest_path(grid: HexGrid, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(grid.hexes)) for _ in "ab")
    try:
        chain = grid.straight(a, b)
    except ValueError as error:
        assert "leaves the map" in str(error)
        return
    assert (chain[0], chain[-1], len(chain)) == (a, b, grid.distance(a, b) + 1)
    assert all(grid.direction(one, two) for one, two in pairwise(chain))


@pytest.mark.parametrize("shove", ["even", "odd"])
def test_a_row_is_straight(shove: Shove) -> None:
    flat: Layout = "flat"
    plain: Numbering = "A1"
    grid = hex_grid(12, 5, flat, plain, shove)
    for start in "AB":
        for end in "KL":
            row = [label for label in (grid.label(c, 2) for c in range(12)) if start <= label[0] <= end]
            assert grid.straight(f"{start}3", f"{end}3") == row
