"""Part of a map: the hexes between two corners, and nothing beyond them."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.draw import draw_svg, draw_text
from grognard.board.hex.grid import hex_grid
from grognard.board.hex.trace import trace
from grognard.core.files import Document

SKETCH = {
    "columns": 12,
    "rows": 10,
    "labels": {"E5": "Mill", "A1": "Far"},
    "terrain": {"woods": "A1-F3, K9", "brush": "L10"},
    "levels": {"2": "E5-F6"},
    "hexsides": {"hedge": "D4|D5, C4|C5, A1|A2"},
    "road": [{"path": "A5>6, A5, B5, C5, D5, E5, F5, G5, H5, I5, J5, K5, L5"}],
    "building": [{"terrain": "heavy_structure", "hexes": "F6-G7", "level": 2}],
}


def whole() -> Battlefield:
    return Battlefield.from_sketch(SKETCH, Document(SKETCH, "map"), "map")


def test_the_part_has_the_hexes_between_its_corners_with_all_that_is_in_them() -> None:
    field, part = whole(), whole().part("C3", "G8")
    assert part.grid is not None and field.grid is not None
    assert set(part.grid.hexes) == set(field.grid.rectangle("C3", "G8"))
    for hex in part.grid.hexes:
        assert (part.terrain[hex], part.level[hex], part.roads[hex]) == (
            field.terrain[hex],
            field.level[hex],
            field.roads[hex],
        )
    assert part.hexsides == {"D4|D5": "hedge", "C4|C5": "hedge"} and part.labels == {"E5": "Mill"}
    assert part.building_level == field.building_level and "A1" not in part.grid


def test_roads_lead_off_the_part_where_it_cuts_them() -> None:
    part = whole().part("C3", "G8")
    assert part.roads["C5"] and part.roads["G5"] == whole().roads["G5"]


def test_neighbours_and_lines_end_at_its_edge() -> None:
    grid = hex_grid(12, 10).part("C3", "G8")
    assert grid.is_edge("C3") and not grid.is_edge("E5") and "B3" not in grid
    assert all(other in grid for hex in grid.hexes for other in grid.adjacent[hex])
    assert grid.center("E5") == hex_grid(12, 10).center("E5")
    with pytest.raises(ValueError, match="run from C3 to G8"):
        grid.axial("A1")
    assert hex_grid(12, 10).part("G8", "C3") is grid


@given(st.sampled_from(hex_grid(12, 10).rectangle("C3", "G8")), st.sampled_from(hex_grid(12, 10).rectangle("C3", "G8")))
def test_distances_and_traces_are_those_of_the_whole(a: str, b: str) -> None:
    full, grid = hex_grid(12, 10), hex_grid(12, 10).part("C3", "G8")
    assert grid.distance(a, b) == full.distance(a, b) and grid.direction(a, b) == full.direction(a, b)
    inside = [tuple(h for h in step if h in grid) for step in trace(full, a, b).steps]
    assert list(trace(grid, a, b).steps) == [step for step in inside if step]


def test_it_is_a_map_like_any_other() -> None:
    part = whole().part("C3", "G8")
    again = Battlefield.from_geojson(Document.from_json(json.dumps(part.to_geojson()), "part"))
    assert again == part and again != whole() and pickle.loads(pickle.dumps(part)) == part
    assert draw_svg(part).startswith("<svg")
    text = draw_text(part)
    assert text.split()[0] == "C3" and "A1 " not in text.splitlines()[0]


def test_a_window_off_the_map_is_refused() -> None:
    with pytest.raises(ValueError, match="window"):
        hex_grid(5, 5, window=(0, 0, 5, 4))
