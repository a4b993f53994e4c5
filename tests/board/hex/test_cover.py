"""Woods and buildings with edges of their own: the kinds in a hex, their shapes, and their drawing."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield, Vocabulary
from grognard.board.hex.draw import draw_land, draw_thumbnail
from grognard.board.hex.grid import hex_grid
from grognard.core.errors import MalformedError
from grognard.core.files import Document

SQUARE = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]
#: The western part of a hex, without its centre.
WEST = [[-0.6, -0.5], [-0.1, -0.5], [-0.1, 0.5], [-0.6, 0.5]]


def sketch(known: Vocabulary | None = None, **tables: Any) -> Battlefield:
    data = {"columns": 12, "rows": 10, **tables}
    return Battlefield.from_sketch(data, Document(data, "demo.toml"), "map", known=known)


def faults(**tables: Any) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        sketch(**tables, known=Vocabulary({"woods"}, (), ()))
    return [str(fault) for fault in caught.value.faults]


def patch(terrain: str, hexes: str, outline: Any = None) -> dict[str, Any]:
    return {"terrain": terrain, "hexes": hexes, **({} if outline is None else {"outline": outline})}


def at(field: Battlefield, kind: str, hex: str, dx: float = 0.0, dy: float = 0.0) -> bool:
    """Whether a kind lies at a point told in hexes from a hex's centre."""
    assert field.grid is not None
    x, y = field.grid.center(hex)
    size = field.grid.size
    return bool(field.cover.covers(kind, np.array([x + dx * size]), np.array([y + dy * size]))[0])


def test_any_part_of_a_hex_counts_and_the_centre_is_told_as_before() -> None:
    field = sketch(patch=[patch("woods", "D4", WEST)])
    assert field.terrain["D4"] == "open"
    assert field.cover.kinds["D4"] == ("woods", "open")
    assert at(field, "woods", "D4", dx=-0.3) and not at(field, "woods", "D4", dx=0.1)


def test_less_than_a_fiftieth_of_a_hex_is_not_any_of_it() -> None:
    field = sketch(patch=[patch("woods", "D4", SQUARE)])
    assert field.cover.kinds["D4"] == ("woods", "open")
    tiny = [[0.05 * x, 0.05 * y] for x, y in SQUARE]
    assert sketch(patch=[patch("woods", "D4", tiny)]).cover.kinds["D4"] == ("open",)


def test_an_outline_reaches_into_the_hexes_next_to_it() -> None:
    assert sketch(patch=[patch("woods", "D4", [[-1, -0.4], [0, -0.4], [0, 0.4], [-1, 0.4]])]).cover.kinds["C4"] == (
        "woods",
        "open",
    )


def test_later_patches_lie_over_earlier_ones_and_a_clearing_is_open() -> None:
    field = sketch(patch=[patch("woods", "C3-F6"), patch("orchard", "E4"), patch("open", "D5", SQUARE)])
    assert field.terrain["D4"] == "woods" and field.terrain["E4"] == "orchard" and field.terrain["D5"] == "open"
    assert at(field, "orchard", "E4") and not at(field, "woods", "E4")
    assert not at(field, "woods", "D5") and at(field, "woods", "D5", dx=0.4)
    assert field.cover.kinds["D5"] == ("woods", "open")
    assert "orchard" in field.cover.kinds["E4"]


def test_buildings_lie_over_the_ground_by_their_outline_or_fill_their_hexes() -> None:
    houses = [
        {"terrain": "house", "hexes": "D4", "outline": SQUARE},
        {"terrain": "house", "hexes": "H4-H5"},
    ]
    field = sketch(terrain={"woods": "D4-D5"}, building=houses)
    assert field.terrain["D4"] == "house" and set(field.cover.kinds["D4"]) == {"woods", "house"}
    assert at(field, "house", "D4") and not at(field, "woods", "D4") and at(field, "woods", "D4", dx=0.4)
    assert field.cover.kinds["H4"] == ("house",) and at(field, "house", "H4", dy=0.5)
    assert field.cover.kinds["D5"] == ("woods",) and field.cover.kinds["A1"] == ("open",)


def test_hexes_without_a_shape_are_taken_whole() -> None:
    about = {"version": 1, "name": "x", "grid": {"columns": 4, "rows": 4}}
    wood = {"kind": "terrain", "terrain": "woods", "hexes": ["B2"]}
    data = {
        "type": "FeatureCollection",
        "grognard": about,
        "features": [{"type": "Feature", "geometry": None, "properties": wood}],
    }
    field = Battlefield.from_geojson(Document.from_json(json.dumps(data), "x.geojson"))
    assert field.cover.kinds["B2"] == ("woods",) and field.cover.kinds["B3"] == ("open",)
    assert not at(field, "marsh", "B2")


@given(st.sets(st.sampled_from(hex_grid(9, 8).hexes), min_size=1, max_size=25))
@settings(max_examples=25, deadline=None)
def test_a_rounded_patch_takes_part_of_its_hexes_and_of_no_other(hexes: set[str]) -> None:
    field = sketch(columns=9, rows=8, patch=[patch("woods", ", ".join(sorted(hexes)))])
    assert {hex for hex, kinds in field.cover.kinds.items() if "woods" in kinds} == hexes
    assert {hex for hex, terrain in field.terrain.items() if terrain == "woods"} == hexes
    for hex, shares in field.cover.shares.items():
        assert sum(shares.values()) == pytest.approx(1.0, abs=0.01), hex
    assert Battlefield.from_geojson(Document.from_json(json.dumps(field.to_geojson()), "x")) == field


def test_faults_of_patches() -> None:
    told = faults(patch=[patch("wood", "D4"), patch("woods", "Z99"), patch("woods", "D4", [[0, 0], [1, 1]])])
    assert len(told) == 3
    assert 'did you mean "woods"' in told[0] and "Z99" in told[1] and "an outline of 2 points" in told[2]
    assert "the outline doesn't reach G4" in faults(patch=[patch("woods", "D4, G4", SQUARE)])[0]
    assert "unknown key" in faults(patches=[])[0] or "patch" in faults(patches=[])[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_of_patch_is_drawn(theme: str) -> None:
    kinds = ("woods", "orchard", "village", "wheatfield", "brush", "strange", "open")
    patches = [patch(kind, f"{'ABCDEFGHIJKL'[number]}3-{'ABCDEFGHIJKL'[number]}4") for number, kind in enumerate(kinds)]
    field = sketch(patch=[*patches, patch("woods", "J8", WEST)])
    drawn = draw_land(field, theme)
    ElementTree.fromstring(drawn)
    assert drawn == draw_land(field, theme)
    assert drawn.count("<circle") > 30  # trees
    assert drawn.count("<rect") > 3  # houses
    ElementTree.fromstring(draw_thumbnail(field, theme))
