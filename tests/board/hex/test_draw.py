"""Drawings: well-formed, complete, safe with any text, and the same every time."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield, Feature
from grognard.board.hex.draw import Counter, Marker, Sight, draw_svg, draw_text
from grognard.board.hex.features import covered
from grognard.board.hex.geometry import inside
from grognard.board.hex.grid import hex_grid
from grognard.board.hex.pieces import facing_angle, place_point
from grognard.board.hex.regions import area_of, boundary, rounded, with_rim
from grognard.board.shapes import PATTERNS
from grognard.board.style import ink_on, level_colour, side_colour, style, styles
from grognard.board.svg import element, number
from grognard.core.files import Document

NS = "{http://www.w3.org/2000/svg}"
SKETCH = """\
[map]
name = "Hill & <Dale>"
columns = 8
rows = 6
bridges = "D4"
labels = { B2 = "Mill" }
surfaces = { snow = "A1-H6", strange = "E2" }
[map.terrain]
woods = "A1-B2"
stream = "A6, B5, C6, H2"
wheatfield = "H4-H5"
water = "D1:D6"
strange_place = "F1"
light_structure = "G5"
[map.levels]
2 = "F3-G4"
0 = "H1"
[map.hexsides]
hedge = "A3:3"
wall = "B4:1"
oddity = "C5:1"
[[map.road]]
path = "A4>6, A4:H4"
[[map.road]]
path = "C1>1, C1-C6"
[[map.building]]
terrain = "heavy_structure"
hexes = "E5-E6"
level = 2
[[map.building]]
terrain = "unheard_of"
hexes = "G2"
outline = [[-0.3, -0.3], [0.3, -0.3], [0.0, 0.3]]
[[map.hill]]
hexes = "B5"
outline = [[-0.3, -0.3], [0.3, -0.3], [0.0, 0.3]]
"""
COUNTERS = (
    Counter("g1", "german", "INF", "1st squad", "4-6", "A4", 0, ("SHK",), 0),
    Counter("g2", "german", "MG", "LMG", "6-8", "A4", 0, (), 1),
    Counter("s1", "soviet", "T-34", "T-34/76", "9/7", "F3", 6, ("HID", "CRW"), 0, "#102030"),
)
MARKERS = (Marker("smoke", "C3"), Marker("wreck", "A4"), Marker("objective", "E5", "VP"), Marker("wire", "A3|A4"))
SIGHTS = (Sight("A4", "F3", "blocked", at="D4"), Sight("A4", "C4", from_side=3), Sight("A4", "C5", "degraded"))


def field(text: str = SKETCH) -> Battlefield:
    doc = Document.from_toml(text, "demo.toml")
    return Battlefield.from_sketch(doc.data["map"], doc, "map")


def found(svg: str, name: str) -> list[str | None]:
    return [each.get(name) for each in ElementTree.fromstring(svg).iter() if each.get(name) is not None]


def texts(svg: str) -> set[str | None]:
    return {each.text for each in ElementTree.fromstring(svg).iter(f"{NS}text")}


def test_everything_is_in_the_drawing() -> None:
    svg = draw_svg(field(), COUNTERS, MARKERS, highlight=["B3"], sight=SIGHTS)
    assert set(found(svg, "data-hex")) == set(hex_grid(8, 6).hexes)
    assert found(svg, "data-unit") == ["g1", "s1", "g2"]
    assert sorted(map(str, found(svg, "data-kind"))) == ["objective", "smoke", "wire", "wreck"]
    assert set(found(svg, "data-side")) == set(field().hexsides)
    assert {"1st squad", "LMG", "T-34", "9/7", "HID", "VP", "Mill", "A1", "2"} <= texts(svg)
    assert "Hill &amp; &lt;Dale&gt;" in svg


def test_areas_of_hexes_have_one_outline_and_keep_their_holes() -> None:
    grid = hex_grid(5, 5)
    ring = grid.ring("C3", 1)
    (rings,) = area_of(grid, ring)["coordinates"]
    assert [len(each) for each in rings] == [19, 7]
    assert set(covered(grid, area_of(grid, ring))) == set(ring)
    assert len(area_of(grid, ["A1", "E5"])["coordinates"]) == 2
    for hexes in (ring, ["C3"], ["A1", "A2", "B1"]):
        for loop in boundary(grid, {grid.axials[name] for name in hexes}):
            line = rounded(grid, loop, 0.07)
            assert [name for name in grid.hexes if inside(grid.center(name), line)] == [
                name for name in grid.hexes if inside(grid.center(name), [grid.point(*corner) for corner in loop])
            ]


def test_an_area_runs_on_beyond_the_edge() -> None:
    grid = hex_grid(3, 3)
    assert with_rim(grid, grid.hexes) > set(grid.by_axial)
    assert with_rim(grid, []) == set()
    assert with_rim(grid, ["B2"]) == {grid.axials["B2"]}


def test_the_same_drawing_every_time() -> None:
    assert draw_svg(field(), COUNTERS, MARKERS) == draw_svg(field(), COUNTERS, MARKERS)


def test_size_and_numbers() -> None:
    root = ElementTree.fromstring(draw_svg(field(), scale=1.0))
    left, top, width, height = hex_grid(8, 6).box
    assert (left, top) == pytest.approx((0, 0), abs=1e-6)
    assert float(root.attrib["width"]) == pytest.approx(width + 20, abs=0.01)
    assert float(root.attrib["height"]) == pytest.approx(height + 20, abs=0.01)
    assert "A1" not in texts(draw_svg(field(), numbers=False))


def test_highlights_with_colours() -> None:
    svg = draw_svg(field(), highlight={"A1": "#123456"})
    assert "#123456" in svg
    with pytest.raises(ValueError, match="off the map"):
        draw_svg(field(), highlight=["Z9"])


def test_a_piece_off_the_map_is_refused() -> None:
    with pytest.raises(ValueError, match="off the map"):
        draw_svg(field(), [Counter("x", place="Z9")])


def test_pointed_hexes() -> None:
    sketch = '[map]\ncolumns = 4\nrows = 4\nlayout = "pointy"\n[map.terrain]\nwoods = "A1-B2"'
    ElementTree.fromstring(draw_svg(field(sketch), [Counter("x", place="B2", facing=2)]))


def test_a_table_without_a_grid() -> None:
    shape = {"type": "Polygon", "coordinates": [[[0, 0], [90, 0], [90, 90], [0, 0]]]}
    road = {"type": "LineString", "coordinates": [[0, 50], [100, 50]]}
    walls = {"type": "MultiLineString", "coordinates": [[[0, 5], [100, 5]]]}
    table = Battlefield(
        "table",
        None,
        [
            Feature(1, "woods", shape, {"name": "Copse"}),
            Feature(2, "road", road, {}),
            Feature(3, "wall", walls, {}),
            Feature(4, "label", {"type": "Point", "coordinates": [5, 5]}, {"text": "Farm"}),
            Feature(5, "nothing", None, {}),
        ],
    )
    svg = draw_svg(table, [Counter("x", place=(10, 120))], [Marker("smoke", (50, 50))])
    assert "Farm" in texts(svg)
    assert "Copse" in svg
    root = ElementTree.fromstring(svg)
    assert float(root.attrib["height"]) == pytest.approx(1032)
    assert "at (10, 120)" in draw_text(table, [Counter("x", place=(10, 120))])
    with pytest.raises(ValueError, match="give a point"):
        draw_svg(table, [Counter("x", place="A1")])
    ElementTree.fromstring(draw_svg(Battlefield("empty")))


@given(st.text(max_size=12), st.text(max_size=12))
@settings(max_examples=60, deadline=None)
def test_any_text_is_well_formed(one: str, two: str) -> None:
    bare = Battlefield(one, hex_grid(2, 2))
    counter = Counter(one, two, two, one, two, "A1", 1, (one, two), 0, one)
    svg = draw_svg(bare, [counter], [Marker(one, "A2", two)], highlight={"A1": two})
    ElementTree.fromstring(svg.encode())
    assert len(draw_text(bare, [counter], legend=False).splitlines()) <= 5


def test_every_pattern_named_by_a_style_can_be_drawn() -> None:
    for kind, look in styles()["terrain"].items():
        assert look.get("pattern", "building") in {*PATTERNS, "building", "furrows"}, kind
        assert len(look["letter"]) == 1
    kinds = list(styles()["terrain"])
    every = "\n".join(f'"{kind}" = "A{row}"' for row, kind in enumerate(kinds, 1))
    drawn = field(f"[map]\ncolumns = 1\nrows = {len(kinds)}\n[map.terrain]\n{every}")
    assert list(drawn.terrain.values()) == kinds
    ElementTree.fromstring(draw_svg(drawn))


def test_styles_of_unknown_kinds() -> None:
    assert style("terrain", "dense_woods") is style("terrain", "woods")
    assert style("terrain", "shell_hole") is style("terrain", "holes")
    assert style("terrain", "Stone-Walls")["letter"] == "?"
    assert style("hexside", "stone_wall") is style("hexside", "wall")
    assert style("marker", "whatever") is styles()["marker"]["fallback"]
    assert side_colour("german") != side_colour("soviet")
    assert side_colour("martian") == side_colour("martian")
    assert side_colour("palette").startswith("#")
    assert level_colour(99) == level_colour(5)
    assert level_colour(-99) == level_colour(-2)
    assert [ink_on("#ffffff"), ink_on("#000000"), ink_on("red")] == ["#000000", "#ffffff", "#000000"]


def test_places_and_facings() -> None:
    grid = hex_grid(4, 4)
    assert place_point(grid, "A1") == grid.center("A1")
    assert place_point(grid, "A2|A1") == pytest.approx(grid.side_middle("A1", 4))
    assert place_point(None, (1, 2)) == (1.0, 2.0)
    assert [facing_angle(grid, f) for f in (1, 2, 6)] == [0, 60, 300]
    assert facing_angle(hex_grid(4, 4, "pointy"), 1) == 30
    assert facing_angle(None, 4) == 180


def test_markup() -> None:
    assert element("a", None, x=None, stroke_width=1.504, class_='"') == '<a stroke-width="1.5" class=\'"\'/>'
    assert [number(0.001), number(-0.001), number(-0.5), number(10.0), number(100)] == ["0", "0", "-0.5", "10", "100"]


def test_the_board_as_text() -> None:
    sketch = (
        '[map]\ncolumns = 3\nrows = 2\nlabels = { A1 = "Mill" }\n[map.terrain]\nwoods = "B1"\n[map.levels]\n2 = "B1"\n'
    )
    sketch += '[map.hexsides]\nhedge = "A1|A2"\n[[map.road]]\npath = "A2, B2"'
    counters = [
        Counter("g1", "german", "INF", "Squad", "4-6", "B1", 2, ("SHK",)),
        *(Counter(f"u{i}", place="C2") for i in range(6)),
    ]
    assert draw_text(field(sketch), counters[:1], [Marker("smoke", "C1")]) == (
        "A1 .              C1 .\n"
        "         B1 W2    *smoke\n"
        "A2 .=    g1       C2 .\n"
        "         B2 .=\n"
        "\n"
        "\n"
        "Terrain: . open, W woods, digit level, = road\n"
        "Hedge: A1|A2\n"
        "A1 is Mill\n"
        "g1 at B1: Squad, german, 4-6, facing 2, SHK\n"
        "* at C1: smoke\n"
    )
    assert "u0,u1,+4" in draw_text(field(sketch), counters)
    crowd = [Counter(f"very-long-{i}", place="C2") for i in range(3)]
    assert "+3\n" in draw_text(field(sketch), crowd, legend=False)
    assert "very-lon\n" in draw_text(field(sketch), crowd[:1], legend=False)


def test_pointed_hexes_as_text() -> None:
    sketch = '[map]\ncolumns = 2\nrows = 2\nlayout = "pointy"\n[map.terrain]\nfarm = "A1"\nfield = "B1"'
    text = draw_text(field(sketch))
    assert text.startswith("A1 f     B1 i\n\n    A2 .     B2 .\n")
    assert "f farm, i field" in text
