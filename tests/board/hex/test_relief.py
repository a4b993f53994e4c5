"""Heights of the ground: the three cases of contour lines, dots, lines in hexes and between them, and their drawing."""

from __future__ import annotations

import json
import pickle
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.hex.battlefield import Battlefield, Vocabulary
from grognard.board.hex.draw import draw_land, draw_svg, draw_text, draw_thumbnail
from grognard.board.hex.grid import hex_grid
from grognard.board.hex.relief import Relief, relief_of
from grognard.core.errors import MalformedError
from grognard.core.files import Document

SVG = "{http://www.w3.org/2000/svg}"


def box(left: float, top: float, right: float, bottom: float) -> list[list[float]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]


def map_of(*contours: tuple[int, list[Any]], interval: int = 20, columns: int = 20, rows: int = 20) -> Battlefield:
    """A map of 100 m hexes with contours given as their height and rings."""
    about = {
        "version": 1,
        "name": "hills",
        "interval": interval,
        "grid": {"columns": columns, "rows": rows, "size": 100},
    }
    features = [
        {
            "type": "Feature",
            "geometry": {"type": "Polygon", "coordinates": rings},
            "properties": {"kind": "contour", "height": height},
        }
        for height, rings in contours
    ]
    data = {"type": "FeatureCollection", "grognard": about, "features": features}
    return Battlefield.from_geojson(Document.from_json(json.dumps(data), "hills.geojson"))


def relief(*contours: tuple[int, list[Any]], interval: int = 20) -> Relief:
    return relief_of(map_of(*contours, interval=interval))


def faults(*contours: tuple[int, list[Any]], interval: int = 20) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        map_of(*contours, interval=interval)
    return [str(fault) for fault in caught.value.faults]


def sketch(**tables: Any) -> Battlefield:
    data = {"columns": 12, "rows": 10, **tables}
    return Battlefield.from_sketch(data, Document(data, "demo.toml"), "map")


def sketch_faults(**tables: Any) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        sketch(**tables)
    return [str(fault) for fault in caught.value.faults]


# the three cases


def test_between_two_lines_the_distances_to_both_tell_the_nearest_quarter() -> None:
    hills = relief((20, [box(200, -100, 2100, 2200)]), (40, [box(1000, -100, 2100, 2200)]))
    # From 200 to 1000 the ground rises by 20 m; every quarter is 200 m long, and nearest for 100 m to both sides.
    told = {x: hills.height((x, 800)) for x in (201, 290, 310, 490, 510, 690, 710, 890, 910, 999)}
    assert told == {201: 20, 290: 20, 310: 25, 490: 25, 510: 30, 690: 30, 710: 35, 890: 35, 910: 40, 999: 40}


def test_a_point_on_a_line_has_its_height() -> None:
    hills = relief((20, [box(200, 200, 1400, 1400)]), (40, [box(600, 600, 1000, 1000)]))
    assert hills.height((200, 700)) == 20 and hills.height((600, 700)) == 40


def test_a_hilltop_is_flat_at_its_last_line() -> None:
    hills = relief((20, [box(200, 200, 1400, 1400)]), (40, [box(600, 600, 1000, 1000)]))
    assert hills.height((800, 800)) == hills.height((650, 950)) == 40


def test_a_bottom_is_flat_at_its_last_line_whether_a_hollow_or_the_low_ground() -> None:
    hollow = box(700, 700, 900, 900)[::-1]
    hills = relief((20, [box(200, 200, 1400, 1400)]), (40, [box(600, 600, 1000, 1000), hollow]))
    assert hills.height((800, 800)) == 40
    assert hills.height((100, 100)) == hills.height((1600, 1600)) == 20


def test_a_hollow_with_a_lower_line_in_it_falls_toward_it() -> None:
    outer, inner = box(500, 500, 1100, 1100)[::-1], box(700, 700, 900, 900)[::-1]
    hills = relief((20, [box(-100, -100, 2100, 2100), inner]), (40, [box(-100, -100, 2100, 2100), outer]))
    assert [hills.height((800, y)) for y in (520, 560, 600, 640, 680, 800)] == [40, 35, 30, 25, 20, 20]


def test_only_the_lines_around_a_point_count_and_not_those_beyond_a_ridge() -> None:
    # To the east the 20 m line is nearer, but behind the crest of 40 m.
    hills = relief((20, [box(100, -100, 1110, 2200)]), (40, [box(1000, -100, 1100, 2200)]))
    assert hills.height((990, 800)) == 40 and hills.height((550, 800)) == 30
    assert hills.height((320, 800)) == 25 and hills.height((780, 800)) == 35


def test_the_edge_of_the_sheet_is_no_line() -> None:
    field = map_of((20, [box(0, 0, 1000, 3000)]), (40, [box(0, 0, 500, 3000)]))
    assert field.grid is not None
    hills = relief_of(field)
    assert hills.height((30, 30)) == 40 and hills.height((750, 30)) == 30 and hills.height((1500, 1500)) == 20


def test_without_any_line_the_ground_is_flat() -> None:
    assert not map_of().contoured
    assert set(relief_of(map_of()).dot.values()) == {0}


def test_lines_ten_metres_apart_give_steps_of_five() -> None:
    hills = relief((20, [box(200, -100, 2100, 2200)]), (30, [box(1000, -100, 2100, 2200)]), interval=10)
    assert {hills.height((x, 800)) for x in range(210, 1000, 10)} == {20, 25, 30}


def test_two_areas_of_one_height_are_one_contour() -> None:
    hills = relief((20, [box(200, 200, 500, 500)]), (20, [box(400, 400, 800, 800)]))
    assert hills.levels == (20,) and hills.height((450, 450)) == 20
    assert hills.lines[20].length == pytest.approx(4 * 300 + 4 * 400 - 4 * 100)


# hexes


def test_dots_lines_in_a_hex_and_lines_between_dots() -> None:
    field = map_of((20, [box(-100, -100, 1000, 2200)]), (40, [box(-100, -100, 970, 2200)]))
    assert field.grid is not None
    hills, grid = relief_of(field), field.grid
    assert set(hills.dot) == set(grid.hexes)
    west = [hex for hex in grid.hexes if grid.center(hex)[0] < 900]
    assert {hills.dot[hex] for hex in west} == {40}
    steep = [hex for hex in grid.hexes if hills.lines_in[hex] == (20, 40)]
    assert steep and all(900 < grid.center(hex)[0] < 1070 for hex in steep)
    for hex in grid.hexes:
        for other in grid.adjacent[hex]:
            xs = sorted((grid.center(hex)[0], grid.center(other)[0]))
            assert hills.crosses(hex, other) == tuple(
                height for height, x in ((20, 1000), (40, 970)) if xs[0] < x < xs[1]
            )


def test_a_line_under_a_dot_counts_for_those_who_enter_and_not_for_those_who_leave() -> None:
    grid = hex_grid(20, 20, size=100.0)
    x, _ = grid.center("J8")
    hills = relief_of(map_of((20, [box(-100, -100, x, 2200)])))
    assert hills.dot["J8"] == 20
    assert hills.crosses("I8", "J8") == (20,) and hills.crosses("J8", "I8") == ()
    assert hills.crosses("J7", "J8") == (20,)


def test_a_line_that_grazes_a_hex_is_not_in_it() -> None:
    grid = hex_grid(20, 20, size=100.0)
    left = min(x for x, _ in grid.corners("J8"))
    assert relief_of(map_of((20, [box(-100, -100, left + 3, 2200)]))).lines_in["J8"] == ()
    assert relief_of(map_of((20, [box(-100, -100, left + 20, 2200)]))).lines_in["J8"] == (20,)


def test_part_of_a_map_lies_as_high_as_in_the_whole() -> None:
    field = sketch(heights={"20": "A3-L10", "40": "C4-H8", "60": "E5-F6"})
    part = field.part("D3", "J8")
    assert part.grid is not None
    assert relief_of(part).dot == {hex: relief_of(field).dot[hex] for hex in part.grid.hexes}


# what files say


def test_a_sketch_needs_only_the_hexes_at_or_above_a_height() -> None:
    field = sketch(heights={"20": "A3-L10", "40": "C4-H8", "60": "E5-F6"}, interval=20)
    hills = relief_of(field)
    assert field.contoured and hills.levels == (20, 40, 60)
    assert hills.dot["A1"] == 20 and hills.dot["E5"] == 60
    assert 20 < hills.dot["A6"] < 40 <= hills.dot["C4"]
    assert Battlefield.from_geojson(Document.from_json(json.dumps(field.to_geojson()), "x")) == field
    assert pickle.loads(pickle.dumps(field)) == field


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_every_hex_lies_at_the_height_that_a_sketch_says(data: st.DataObject) -> None:
    grid = hex_grid(9, 8)
    some = st.sets(st.sampled_from(grid.hexes), min_size=1, max_size=30)
    named = [data.draw(some) for _ in range(data.draw(st.integers(1, 3)))]
    heights = {str(20 * number): ", ".join(sorted(hexes)) for number, hexes in enumerate(named, 1)}
    field = sketch(columns=9, rows=8, heights=heights)
    hills = relief_of(field)
    again = Battlefield.from_geojson(Document.from_json(json.dumps(field.to_geojson()), "x"))
    assert again == field
    for hex in grid.hexes:
        level = max((number for number, hexes in enumerate(named, 1) if hex in hexes), default=0)
        assert hills.dot[hex] % 5 == 0
        assert 20 * max(level, 1) <= hills.dot[hex] <= 20 * (level + 1)
        for other in grid.adjacent[hex]:
            if hills.dot[other] // 20 != hills.dot[hex] // 20 and hills.dot[hex] % 20 and hills.dot[other] % 20:
                assert hills.crosses(hex, other)


def test_faults_of_a_sketch() -> None:
    told = sketch_faults(heights={"20": "A1", "high": "B2", "33": "C3", "80": "D4", "40": "Z99"}, interval=20)
    assert len(told) == 4
    assert any('"high" is not a height' in each for each in told)
    assert any("Z99" in each for each in told)
    assert any("a line at 33 m" in each and "multiples of 20 m" in each for each in told)
    assert any("a line at 80 m after one at 40 m" in each and "60 m" in each for each in told)
    assert "contour lines 7 m apart" in sketch_faults(interval=7)[0]


def test_a_game_that_knows_no_contours_refuses_them() -> None:
    levels = Vocabulary((), (), (-1, 1, 2))
    data = {"columns": 5, "rows": 5, "heights": {"20": "B2"}}
    with pytest.raises(
        MalformedError, match=r"heights: contour lines, which this game does not know \(levels: -1, 1, 2"
    ):
        Battlefield.from_sketch(data, Document(data, "demo.toml"), "map", known=levels)
    drawn = Document.from_json(json.dumps(map_of((20, [box(1, 1, 900, 900)])).to_geojson()), "x")
    with pytest.raises(MalformedError, match="contour lines, which this game does not know"):
        Battlefield.from_geojson(drawn, levels)
    assert Battlefield.from_geojson(drawn.fresh(), levels._replace(contours=True)).contoured


def test_a_contour_that_is_not_closed_is_a_fault() -> None:
    told = faults((20, [box(200, 200, 1400, 1400)[:-1]]))
    assert len(told) == 1 and "is not closed: it begins at (200.0, 200.0) and ends at (200.0, 1400.0)" in told[0]


def test_contours_that_cross_each_other_are_a_fault_that_says_where() -> None:
    told = faults((20, [box(200, 200, 1000, 1000)]), (40, [box(600, 600, 1300, 900)]))
    assert len(told) == 1 and "the contour of 40 m crosses that of 20 m near" in told[0]


def test_a_contour_that_crosses_itself_has_no_height_or_is_no_area_is_a_fault() -> None:
    eight = [[200, 200], [900, 900], [900, 200], [200, 900], [200, 200]]
    assert "crosses itself" in faults((20, [eight]))[0]
    assert "a contour of height 'high'" in faults(("high", [box(1, 1, 900, 900)]))[0]  # type: ignore[arg-type]
    data = map_of().to_geojson()
    data["features"] = [
        {"type": "Feature", "geometry": None, "properties": {"kind": "contour", "height": 20}},
    ]
    with pytest.raises(MalformedError, match="the contour of 20 m is no area"):
        Battlefield.from_geojson(Document.from_json(json.dumps(data), "x"))


def test_a_missing_line_is_a_fault() -> None:
    told = faults((20, [box(1, 1, 1400, 1400)]), (60, [box(100, 100, 900, 900)]), (65, [box(200, 200, 300, 300)]))
    assert len(told) == 2 and "a line at 65 m" in told[0] and "the line at 40 m as well" in told[1]


# pictures


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_lines_are_drawn_with_their_heights(theme: str) -> None:
    field = sketch(heights={"20": "A3-L10", "40": "C4-H8", "60": "E5-F6"})
    root = ElementTree.fromstring(draw_land(field, theme))
    lines = [path for path in root.iter(f"{SVG}path") if path.get("class") == "contour"]
    assert [path.get("data-height") for path in lines] == ["20", "40", "60"]
    written = {text.text for text in root.iter(f"{SVG}text")}
    assert {"20", "40", "60"} <= written
    assert draw_land(field, theme) == draw_land(field, theme)
    small = ElementTree.fromstring(draw_thumbnail(field, theme))
    assert not {"20", "40", "60"} & {text.text for text in small.iter(f"{SVG}text")}


def test_the_board_as_text_tells_heights() -> None:
    field = sketch(heights={"20": "A3-L10", "40": "C4-H8"}, road=[{"path": "A5:L5"}], numbering="A1")
    text = draw_text(field, legend=False)
    assert "A1 .20 " in text and "D5 .40=" in text and f"A5 .{relief_of(field).dot['A5']}= " in text
    numbered = sketch(heights={"20": "01.01-12.10", "40": "02.02-09.09"}, numbering="29.17", columns=12, rows=10)
    assert "05.05 .40 " in draw_text(numbered, legend=False)
    assert draw_text(sketch(), legend=False).splitlines()[0].startswith("A1 .              C1 .")


def test_a_line_that_leaves_the_map_is_drawn_as_far_as_the_map_goes() -> None:
    field = sketch(heights={"20": "A6-L10"})
    root = ElementTree.fromstring(draw_svg(field))
    (line,) = (path for path in root.iter(f"{SVG}path") if path.get("class") == "contour")
    assert "Z" not in str(line.get("d"))
