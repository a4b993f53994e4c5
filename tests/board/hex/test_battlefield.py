"""Battlefields: sketches, GeoJSON there and back, and every fault reported at once."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield, Feature, Vocabulary, load_battlefield
from grognard.board.hex.grid import hex_grid
from grognard.core.errors import MalformedError, VersionError
from grognard.core.files import Document

SKETCH = """\
[map]
name = "demo"
columns = 12
rows = 10
bridges = "H9"
labels = { F6 = "Mill" }
[map.terrain]
woods = "C3, D4-E5"
[map.levels]
2 = "H3-I4"
[map.hexsides]
hedge = "C5|C6, D5|D4, C7:12"
[[map.road]]
path = "A5>6, A5:L5, L5 > 3"
[[map.road]]
path = "C1>1, C1-C4, C5"
[[map.building]]
terrain = "heavy_structure"
hexes = "F6-G7"
level = 2
outline = [[-0.3, -0.3], [0.95, -0.3], [0.95, 1.3], [-0.3, 1.3]]
walls = "F6|F7"
[[map.building]]
terrain = "light_structure"
hexes = "J8"
[[map.hill]]
hexes = "K2"
outline = [[-0.4, -0.4], [0.4, -0.4], [0.0, 0.4]]
[map.extra.F6]
garrison = 3
"""
KNOWN = Vocabulary({"woods", "heavy_structure", "light_structure"}, {"hedge"}, {1, 2, 3})


def sketch(text: str, known: Vocabulary | None = None) -> Battlefield:
    doc = Document.from_toml(text, "demo.toml")
    return Battlefield.from_sketch(doc.data["map"], doc, "map", known=known)


def geojson(data: Any, known: Vocabulary | None = None) -> Battlefield:
    return Battlefield.from_geojson(Document.from_json(json.dumps(data), "demo.geojson"), known)


def faults(text: str, known: Vocabulary | None = None) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        sketch(text, known)
    return [str(fault) for fault in caught.value.faults]


def small(*features: dict[str, Any], **about: Any) -> dict[str, Any]:
    """A FeatureCollection over a map of 4 by 4 hexes."""
    whole = {"version": 1, "name": "small", "grid": {"columns": 4, "rows": 4}, **about}
    return {"type": "FeatureCollection", "grognard": whole, "features": list(features)}


def feature(kind: str, geometry: Any = None, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry, "properties": {"kind": kind, **properties}}


def geojson_faults(data: Any, known: Vocabulary | None = None) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        geojson(data, known)
    return [str(fault) for fault in caught.value.faults]


# what a sketch says


def test_terrain_and_levels() -> None:
    field = sketch(SKETCH, KNOWN)
    assert field.name == "demo"
    assert {h for h, kind in field.terrain.items() if kind == "woods"} == {"C3", "D4", "D5", "E4", "E5"}
    assert field.terrain["A1"] == "open"
    assert field.level["H3"] == 2
    assert field.level["A1"] == 1
    assert set(field.terrain) == set(field.level) == set(field.roads) == set(hex_grid(12, 10).hexes)


def test_roads_and_bridges() -> None:
    field = sketch(SKETCH)
    assert field.roads["A5"] == {6, 3}
    assert field.roads["L5"] == {3, 6}
    assert field.roads["C5"] == {1, 3, 5}
    assert field.roads["C1"] == {1, 4}
    assert field.roads["A1"] == frozenset()
    assert field.bridges == {"H9"}


def test_hexsides_either_way_of_writing() -> None:
    assert sketch(SKETCH).hexsides == {
        "C5|C6": "hedge",
        "D4|D5": "hedge",
        "C6|C7": "hedge",
        "C7|D6": "hedge",
        "F6|F7": "row_house_wall",
    }


def test_buildings() -> None:
    field = sketch(SKETCH)
    assert {field.building[h] for h in ("F6", "F7", "G6", "G7")} == {"building-1"}
    assert field.same_building("F6", "G7")
    assert not field.same_building("F6", "J8")
    assert not field.same_building("A1", "A2")
    assert field.building_level == {"F6": 2, "F7": 2, "G6": 2, "G7": 2, "J8": 1}
    assert field.terrain["F6"] == "heavy_structure"
    # Only a building drawn by hand has outlines, each cut to its hex.
    assert set(field.outlines) == {"F6", "F7", "G6", "G7"}
    grid = hex_grid(12, 10)
    x, y = grid.center("F6")
    left, top, _, bottom = field.outlines["F6"][0].box
    assert left == pytest.approx(x - 15, abs=0.001)
    assert top == pytest.approx(y - 15, abs=0.001)
    assert bottom == pytest.approx(y + 25)


def test_hills_labels_and_extras() -> None:
    field = sketch(SKETCH)
    assert len(field.hill_edges["K2"][0]) == 5  # two corners reach past the hex and are cut off
    assert field.labels == {"F6": "Mill"}
    assert field.extra == {"F6": {"garrison": 3}}


def test_the_later_entry_holds() -> None:
    field = sketch('[map]\ncolumns = 3\nrows = 3\n[map.terrain]\nwoods = "A1-C3"\nopen = "B2"')
    assert field.terrain["B2"] == "open"
    assert field.terrain["B1"] == "woods"


def test_other_grids() -> None:
    head = '[map]\ncolumns = 30\nrows = 20\nlayout = "pointy"\nnumbering = "29.17"\nshove = "odd"\nsize = 125\n'
    field = sketch(head + '[map.terrain]\nwoods = "29.17"')
    assert field.grid == hex_grid(30, 20, "pointy", "29.17", "odd", 125.0)
    assert field.terrain["29.17"] == "woods"


# what is wrong with a sketch


def test_all_faults_of_a_sketch_at_once() -> None:
    text = (
        SKETCH.replace("woods", "woodz")
        .replace("C3,", "Z99, C3, 4,")
        .replace("hedge", "hegde")
        .replace("C7:12", "A1:1, Q, C7:9")
        .replace("A5:L5", "A5, C5")
        .replace("2 = ", "9 = ")
        .replace('hexes = "J8"', 'hexes = "J8"\nlevel = 0')
    )
    assert faults(text, KNOWN) == [
        'demo.toml:8: map.terrain.woodz: unknown terrain "woodz" (did you mean "woods"?)',
        "demo.toml:8: map.terrain.woodz: Z99 is off the map; its hexes run from A1 to L10",
        "demo.toml:8: map.terrain.woodz: '4' is not a hex; the hexes run from A1 to L10",
        'demo.toml:10: map.levels.9: unknown level "9" (known: 1, 2, 3)',
        'demo.toml:12: map.hexsides.hegde: unknown hexside "hegde" (did you mean "hedge"?)',
        "demo.toml:12: map.hexsides.hegde: side 1 of A1 is the edge of the map; its inner sides are 34",
        'demo.toml:12: map.hexsides.hegde: \'Q\' is not a hexside; write "C5|C6", or "C5:13" for its sides 1 and 3',
        'demo.toml:12: map.hexsides.hegde: \'C7:9\' is not a hexside; write "C5|C6", or "C5:13" for its sides 1 and 3',
        "demo.toml:14: map.road[1].path: the road jumps from A5 to C5; next to A5 are A4, B4, B5, A6",
        "demo.toml:26: map.building[2].level: a building of level 0 (1 or more)",
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("columns = 12", "", "missing required field `columns`"),
        ("columns = 12", "columns = 0", "at least one of each"),
        ("columns = 12", "columns = 9999", "at most 250 of each"),
        ("rows = 10", 'rows = 10\nlayout = "round"', "map.layout"),
        ("rows = 10", "rows = 10\ncolums = 3", 'did you mean "columns"?'),
        ('name = "demo"', "name = 3", "map.name: Expected `str`"),
        ('"C3, D4-E5"', "3", "map.terrain.woods: Expected `str`"),
        ('"C3, D4-E5"', '""', "an empty list"),
        ("2 = ", "high = ", '"high" is not a level'),
        ("A5>6", "A5>7", "doesn't give a direction"),
        ("A5>6", "A5>3", "leads to B5 on the map; name B5 instead"),
        ("A5:L5, L5 > 3", "A5, A6>6, A7", "is in the middle of the road"),
        ("A5>6, A5:L5, L5 > 3", "A5", "leads nowhere"),
        ('[[map.road]]\npath = "C1>1, C1-C4, C5"', "[[map.road]]", "map.road[2]: Object missing required field"),
        ("[[-0.4, -0.4], [0.4, -0.4], [0.0, 0.4]]", "[[0, 0], [1, 1]]", "at least three"),
        ("[[-0.4, -0.4], [0.4, -0.4], [0.0, 0.4]]", "[[0, 0], [1, 1], [nan, 2]]", "nan is not a number"),
        ("[[-0.4, -0.4], [0.4, -0.4], [0.0, 0.4]]", "[[5, 5], [6, 5], [6, 6]]", "doesn't reach K2"),
        ('"F6|F7"', '"F6|F9"', "map.building[1].walls: F6 and F9 don't share a hexside"),
        ("F6 = ", "Z6 = ", "map.labels.Z6: Z6 is off the map"),
        ("garrison = 3", "garrison = 1979-05-27", "can't be kept"),
        ('hexes = "J8"', 'hexes = "J8"\nid = "building-1"', 'the id "building-1" twice'),
        ('bridges = "H9"', "bridges = 9", "map.bridges: Expected `str`"),
        ('bridges = "H9"', 'hill = "H9"', "[[map.hill]]"),
    ],
)
def test_a_fault_says_where_and_what_would_be_right(old: str, new: str, says: str) -> None:
    assert old in SKETCH
    text = SKETCH.replace(old, new, 1)
    if 'hill = "H9"' in new:
        text = text.split("[[map.hill]]")[0]
    found = faults(text)
    assert any(says in fault for fault in found), found


def test_a_map_that_is_no_table() -> None:
    doc = Document({"map": 3}, "demo.toml")
    with pytest.raises(MalformedError, match="instead of a table"):
        Battlefield.from_sketch(doc.data["map"], doc, "map")


@pytest.mark.parametrize("key", ["terrain", "levels", "hexsides", "labels", "extra"])
def test_a_table_that_is_none(key: str) -> None:
    assert "instead of a table" in faults(f"[map]\ncolumns = 3\nrows = 3\n{key} = 5")[0]


# there and back


def test_geojson_there_and_back() -> None:
    field = sketch(SKETCH)
    again = geojson(field.to_geojson(), KNOWN)
    assert again == field
    assert hash(again) == hash(field)
    assert again.to_geojson() == field.to_geojson()
    for lookup in ("terrain", "level", "roads", "bridges", "hexsides", "outlines", "hill_edges", "building"):
        assert getattr(again, lookup) == getattr(field, lookup)
    assert again.building_level == field.building_level
    assert again.labels == field.labels
    assert again.extra == field.extra
    assert pickle.loads(pickle.dumps(field)) == field


def test_content_tells_battlefields_apart() -> None:
    field = sketch(SKETCH)
    assert field != sketch(SKETCH.replace("D4-E5", "D4-E6"))
    assert field != 3
    assert "demo" in repr(field)
    assert len(field.digest) == 32


LABELS = list(hex_grid(6, 5).hexes)
SIDES = sorted({hex_grid(6, 5).hexside(a, b) for a in LABELS for b in hex_grid(6, 5).adjacent[a]})
hexes = st.lists(st.sampled_from(LABELS), min_size=1, max_size=6, unique=True)
words = st.sampled_from(["woods", "brush", "stone", "mud"])


def shown(most: int) -> st.SearchStrategy[str]:
    """Texts of letters that a page can show: a file may hold no others."""
    return st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=most)


@st.composite
def sketches(draw: st.DrawFn) -> dict[str, Any]:
    def listed(what: st.SearchStrategy[list[str]]) -> str:
        return ", ".join(draw(what))

    def outline() -> Any:
        return draw(st.sampled_from([None, [[-0.3, -0.3], [0.31, -0.3], [0.1, 0.3]]]))

    table: dict[str, Any] = {"name": draw(shown(5)), "columns": 6, "rows": 5}
    table["shove"] = draw(st.sampled_from(["even", "odd"]))
    table["terrain"] = {draw(words): listed(hexes) for _ in range(draw(st.integers(0, 3)))}
    table["levels"] = {str(draw(st.integers(-1, 4))): listed(hexes) for _ in range(draw(st.integers(0, 2)))}
    if table["shove"] == "even":
        sides = st.lists(st.sampled_from(SIDES), min_size=1, max_size=4)
        table["hexsides"] = {draw(words): listed(sides) for _ in range(draw(st.integers(0, 2)))}
    table["road"] = [{"path": "A2:F2"}, {"path": "A1>1, A1-A5, A5>4"}][: draw(st.integers(0, 2))]
    table["building"] = []
    for label in draw(st.lists(st.sampled_from(LABELS), max_size=3, unique=True)):
        building = {"terrain": draw(words), "hexes": label, "level": draw(st.integers(1, 3))}
        if (points := outline()) is not None:
            building["outline"] = points
        table["building"].append(building)
    table["labels"] = {draw(st.sampled_from(LABELS)): draw(shown(4)) for _ in range(2)}
    table["extra"] = {draw(st.sampled_from(LABELS)): {"x": draw(st.integers(-1000, 1000))}}
    if draw(st.booleans()):
        table["bridges"] = listed(hexes)
    return table


@given(sketches())
@settings(max_examples=60, deadline=None)
def test_every_battlefield_survives_the_way_there_and_back(table: dict[str, Any]) -> None:
    field = Battlefield.from_sketch(table, Document({"map": table}, "any"), "map")
    again = geojson(field.to_geojson())
    assert again == field
    assert again.to_geojson() == field.to_geojson()
    skip = {"features", "digest"}
    assert {k: v for k, v in vars(again).items() if k not in skip} == {
        k: v for k, v in vars(field).items() if k not in skip
    }


# GeoJSON of other origin


def test_a_polygon_covers_the_hexes_whose_centre_it_holds() -> None:
    grid = hex_grid(4, 4)
    (x1, y1), (x2, y2) = grid.center("B2"), grid.center("C3")
    ring = [[x1 - 1, y1 - 1], [x2 + 1, y1 - 1], [x2 + 1, y2 + 1], [x1 - 1, y2 + 1], [x1 - 1, y1 - 1]]
    shape = {"type": "Polygon", "coordinates": [ring]}
    field = geojson(small(feature("terrain", shape, terrain="woods"), feature("building", shape, terrain="stone")))
    found = {label for label in grid.hexes if x1 - 1 < grid.center(label)[0] < x2 + 1}
    found &= {label for label in grid.hexes if y1 - 1 < grid.center(label)[1] < y2 + 1}
    assert found >= {"B2", "C3"}
    assert {label for label, kind in field.terrain.items() if kind == "stone"} == found
    # A polygon that came with the file is an outline.
    assert set(field.outlines) == found


def test_points_find_their_hex() -> None:
    x, y = hex_grid(4, 4).center("C2")
    spot = {"type": "Point", "coordinates": [x + 3, y - 4]}
    field = geojson(small(feature("label", spot, text="Well"), feature("bridge", spot)))
    assert field.labels == {"C2": "Well"}
    assert field.bridges == {"C2"}


def test_a_table_without_a_grid_keeps_whatever_it_is_given() -> None:
    shape = {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}
    data = {
        "type": "FeatureCollection",
        "grognard": {"version": 1, "name": "table"},
        "features": [feature("ruin", shape, height=2), feature("terrain", None, terrain="woods", hexes=["Q"])],
    }
    field = geojson(data)
    assert field.grid is None
    assert field.terrain == {}
    assert field.features[0] == Feature("ruin-1", "ruin", shape, {"height": 2})
    assert geojson(field.to_geojson()) == field


def test_kinds_of_its_own_are_kept_but_slips_are_faults() -> None:
    assert geojson(small(feature("spring", None, depth=20))).features[0].kind == "spring"
    assert 'did you mean "terrain"?' in geojson_faults(small(feature("terrian")))[0]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "not a GeoJSON FeatureCollection"),
        ({"type": "FeatureCollection"}, "a file without a list of features"),
        ({"type": "FeatureCollection", "grognard": 3, "features": []}, "instead of a table"),
        (small(name=3), "grognard.name"),
        (small(grid={"columns": "x", "rows": 2}), "grognard.grid.columns"),
        (small({"type": "Point"}), "features[1]: not a GeoJSON Feature"),
        (small({"type": "Feature", "properties": None}), "features[1].properties.kind: no kind"),
        (small({**feature("road"), "id": 1.5}), "is not an id"),
        (small({**feature("x", hexes=[]), "id": "a"}, {**feature("y"), "id": "a"}), 'the id "a" twice'),
        (small(feature("terrain", {"type": "Blob"}, terrain="woods")), "is not a type of geometry"),
        (small(feature("terrain", 5, terrain="woods")), "is not a type of geometry"),
        (small(feature("label", {"type": "Point", "coordinates": 3}, text="x")), "instead of a list"),
        (small(feature("label", {"type": "Point", "coordinates": [3]}, text="x")), "fewer than two"),
        (small(feature("label", {"type": "Point", "coordinates": [3, "x"]}, text="x")), "number of metres"),
        (small(feature("road", {"type": "LineString", "coordinates": [[1, 2]]})), "at least 2 are needed"),
        (small(feature("hill", {"type": "Polygon", "coordinates": []})), "an empty list"),
        (small(feature("terrain", hexes=["A1"])), "properties.terrain: a terrain feature without it"),
        (small(feature("terrain", terrain="woods")), "without hexes"),
        (small(feature("terrain", terrain="woods", hexes=["A1", "Q9"])), "Q9 is off the map"),
        (small(feature("terrain", terrain="woods", hexes="A1")), "properties.hexes: Expected `array`"),
        (small(feature("level", level="x", hexes=["A1"])), "properties.level: Expected `int`"),
        (small(feature("road", path=["A1", "C1"])), "the road jumps from A1 to C1"),
        (small(feature("road", path=[])), "leads nowhere"),
        (small(feature("hexside", hexside="hedge", sides=["A1|C1"])), "don't share a hexside"),
        (small(feature("label", text="x", hex="Q9")), "properties.hex: Q9 is off the map"),
        (small(feature("extra", values=3, hexes=["A1"])), "properties.values"),
    ],
)
def test_malformed_geojson(data: Any, says: str) -> None:
    found = geojson_faults(data)
    assert any(says in fault for fault in found), found


def test_unknown_words_in_geojson() -> None:
    data = small(
        feature("terrain", terrain="woodz", hexes=["A1"]),
        feature("terrain", terrain=["woods"], hexes=["A1"]),
        feature("hexside", hexside="hegde", sides=["A1|A2"]),
        feature("level", level=7, hexes=["A1"]),
    )
    found = geojson_faults(data, KNOWN)
    assert [fault.split(" (")[0] for fault in found] == [
        'demo.geojson: features[1].properties.terrain: unknown terrain "woodz"',
        'demo.geojson: features[3].properties.hexside: unknown hexside "hegde"',
        'demo.geojson: features[4].properties.level: unknown level "7"',
    ]


def test_an_outline_that_misses_its_hex() -> None:
    shape = {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}
    found = geojson_faults(small(feature("building", shape, terrain="stone", hexes=["D4"])))
    assert "the outline doesn't reach D4" in found[0]


def test_a_version_of_the_future() -> None:
    with pytest.raises(VersionError, match="it reads version 1"):
        geojson(small(version=2))


def test_a_battlefield_made_in_code_is_checked_too() -> None:
    wrong = Feature("x", "terrain", None, {"terrain": "woods", "hexes": ["Z9"]})
    with pytest.raises(MalformedError, match="off the map"):
        Battlefield("code", hex_grid(4, 4), [wrong])
    assert Battlefield("code", hex_grid(4, 4)).terrain["A1"] == "open"


# files


def test_loading_files(tmp_path: Path) -> None:
    toml, gis = tmp_path / "demo.toml", tmp_path / "demo.geojson"
    toml.write_text(SKETCH, "utf-8")
    field = load_battlefield(toml, KNOWN)
    gis.write_text(json.dumps(field.to_geojson()), "utf-8")
    assert load_battlefield(gis, KNOWN) == field
    toml.write_text("[mop]\n", "utf-8")
    with pytest.raises(MalformedError, match=r"no \[map\] table"):
        load_battlefield(toml)
    with pytest.raises(MalformedError, match="can't be read"):
        load_battlefield(tmp_path / "none.toml")
