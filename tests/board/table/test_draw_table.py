"""Tables as pictures and as text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from grognard.board.style import THEMES, night, side_colour, style, styles
from grognard.board.table.draw_paths import bent, run_on, softened
from grognard.board.table.draw_roofs import shaded
from grognard.board.table.draw_table import draw_battle, draw_table, draw_table_thumbnail, table_board
from grognard.board.table.table_text import table_text
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.core.view import MarkerView, ModelView, UnitView

LINES = {
    "hedge": 0,
    "bocage": 0,
    "fence": 0,
    "stone_wall": 0,
    "dragons_teeth": 0,
    "trench": 0,
    "road": 300,
    "river": 400,
    "stream": 100,
    "tripwire": 0,
}
AREAS = (
    "soft_sand",
    "woods",
    "orchard",
    "crops",
    "rocks",
    "marsh",
    "ruins",
    "rubble",
    "hill",
    "building",
    "pond",
    "smoke",
    "lava",
)
KINDS = {name: Kind(name, "line", "obstacle", width=width) for name, width in LINES.items()} | {
    name: Kind(name, "area", "rough", title="Old wood" if name == "woods" else "") for name in AREAS
}


def piece(kind: str, *points: tuple[float, float], **more: object) -> Piece:
    return Piece(f"{kind}-1", kind, tuple((round(x * 100), round(y * 100)) for x, y in points), **more)  # type: ignore[arg-type]


def table(*pieces: Piece, measure: str = "inch") -> Table:
    return Table("Sainte-Croix", 7200, 4800, KINDS, pieces, measure=measure)


def one_of_each() -> Table:
    areas = []
    for number, kind in enumerate(AREAS):
        x, y = 2 + number % 6 * 11, 2 + number // 6 * 12
        areas.append(piece(kind, (x, y), (x + 9, y + 1), (x + 8, y + 9), (x + 1, y + 8)))
    lines = [piece(kind, (2, 26 + 2 * n), (30, 27 + 2 * n), (70, 26 + 2 * n)) for n, kind in enumerate(LINES)]
    return table(*areas, *lines)


@pytest.mark.parametrize("theme", THEMES)
def test_every_kind_is_drawn_by_day_and_by_night(theme: str) -> None:
    drawn = draw_table(one_of_each(), theme)
    root = ET.fromstring(drawn)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1440", "960", "0 0 72 48")
    titles = {each.text for each in root.iter("{http://www.w3.org/2000/svg}title")}
    assert {"Sainte-Croix", "Old wood", "Hedge", "Lava"} <= titles
    assert len(drawn) < 400_000


def test_a_kind_without_a_look_is_drawn_plainly() -> None:
    drawn = draw_table(table(piece("lava", (10, 10), (20, 10), (15, 20))))
    assert style("tabletop", "lava")["fill"] in drawn


def test_the_same_table_is_the_same_picture_and_whatever_it_uses_is_there() -> None:
    drawn = draw_table(one_of_each())
    assert drawn == draw_table(one_of_each())
    ids = re.findall(r' id="([^"]+)"', drawn)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(ids)
    assert set(re.findall(r"url\(#([^)]+)\)", drawn)) <= set(ids)


def test_day_and_night_can_stand_on_one_page() -> None:
    ids = [set(re.findall(r' id="([^"]+)"', draw_table(one_of_each(), theme))) for theme in THEMES]
    assert not ids[0] & ids[1]


def test_names_are_written_and_escaped() -> None:
    drawn = draw_table(table(piece("building", (10, 10), (16, 10), (16, 15), (10, 15), name="Rose & <Crown>")))
    assert "Rose &amp; &lt;Crown&gt;" in drawn
    ET.fromstring(drawn)


def test_doors_are_drawn_where_the_openings_are() -> None:
    corners = ((10, 10), (16, 10), (16, 15), (10, 15))
    door = style("tabletop", "building")["door"]
    assert draw_table(table(piece("building", *corners))).count(f'fill="{door}"') == 4
    assert draw_table(table(piece("building", *corners, openings=(0, 2)))).count(f'fill="{door}"') == 2


def test_an_angled_house_has_a_roof_for_each_wing() -> None:
    house = piece("building", (10, 10), (20, 10), (20, 14), (14, 14), (14, 20), (10, 20))
    ET.fromstring(draw_table(table(house)))
    tiny = piece("building", (10, 10), (10.2, 10), (10.1, 10.2), soft=True)
    ET.fromstring(draw_table(table(tiny)))


def test_a_road_over_a_river_has_a_bridge() -> None:
    road, river = piece("road", (0, 20), (72, 22)), piece("river", (30, 0), (32, 48))
    plank = style("tabletop", "road")["bridge"]
    assert plank in draw_table(table(road, river))
    assert plank not in draw_table(table(road))


def test_a_canal_that_stops_at_the_road_runs_on_under_one_bridge() -> None:
    road = piece("road", (0, 24), (72, 24))
    upper, lower = piece("river", (36, 0), (36, 22)), piece("river", (36, 26), (36, 48))
    drawn = draw_table(table(road, upper, Piece("river-2", "river", lower.points)))
    assert drawn.count(f'fill="{style("tabletop", "road")["bridge"]}"') == 1


@pytest.mark.parametrize("surface", ["sand", "snow", "mud"])
def test_a_table_of_another_surface(surface: str) -> None:
    for theme in THEMES:
        ground = style("tabletop_ground", surface, theme)
        drawn = draw_table(one_of_each(), theme, surface=surface)
        ET.fromstring(drawn)
        assert f'fill="{ground["grass"]}"' in drawn
        assert f'fill="{ground["hill"]["fills"][0]}"' in drawn
        assert ground["grass"] in draw_table_thumbnail(one_of_each(), theme, surface=surface)
    assert ground["grass"] in draw_battle(one_of_each(), UNITS, theme=theme, surface=surface)


def test_names_keep_clear_of_each_other_and_of_the_edge() -> None:
    one = piece("road", (0, 24), (72, 24), name="The Bayeux road")
    two = Piece("road-2", "road", ((3600, 0), (3600, 4800)), name="Church lane")
    three = piece("woods", (0, 0), (4, 0), (4, 4), (0, 4), name="A very long name of a wood")
    root = ET.fromstring(draw_table(table(one, two, three)))
    spots = {each.text: (float(each.get("x", 0)), float(each.get("y", 0))) for each in root.iter() if each.get("x")}
    assert abs(spots["The Bayeux road"][1] - spots["Church lane"][1]) > 1
    assert spots["A very long name of a wood"][0] > 5


def test_a_table_in_centimetres_is_the_same_picture() -> None:
    wood = ((10, 10), (20, 10), (20, 20), (10, 20))
    inches = draw_table(table(piece("woods", *wood)))
    metric = Table(
        "Sainte-Croix", 18288, 12192, KINDS, [piece("woods", *((x * 2.54, y * 2.54) for x, y in wood))], measure="cm"
    )
    drawn = draw_table(metric, scale=20 / 2.54)
    assert 'viewBox="0 0 72 48"' in drawn
    assert drawn.count("<use") == pytest.approx(inches.count("<use"), abs=6)


@pytest.mark.parametrize("theme", THEMES)
def test_a_thumbnail_is_small(theme: str) -> None:
    drawn = draw_table_thumbnail(one_of_each(), theme)
    assert ET.fromstring(drawn).get("width") == "320"
    assert len(drawn) < 10_000


UNITS = [
    UnitView(
        "a1",
        "allied",
        "First squad",
        "",
        "24,26",
        badges=("2",),
        models=[ModelView(f"m{n}", 24 + 1.5 * n, 26, 90, radius=0.5) for n in range(5)],
    ),
    UnitView("t1", "axis", "Panzer IV", "", "40,30", models=[ModelView("m1", 40, 30, 270, length=4.3, width=2.1)]),
    UnitView("r1", "axis", "In reserve", "", ""),
]
MARKERS = [
    MarkerView("objective", "50,40", text="Hill"),
    MarkerView("smoke", "10,10", radius=1.5),
    MarkerView("wreck", "20,10", length=4, width=2, facing=45),
    MarkerView("zone", "1,1", outline=[(1, 1), (5, 1), (5, 5)]),
    MarkerView("mines", "30,30"),
    MarkerView("cup", "beside the table"),
]


@pytest.mark.parametrize("theme", THEMES)
def test_models_and_markers_lie_on_the_table(theme: str) -> None:
    drawn = draw_battle(one_of_each(), UNITS, MARKERS, colours={"axis": "#123456"}, theme=theme)
    root = ET.fromstring(drawn)
    units = [each.get("data-unit") for each in root.iter() if each.get("class") == "unit"]
    assert units == ["a1", "t1"]
    assert "#123456" in drawn
    assert "First squad (allied)" in drawn
    assert "translate(40 30) rotate(270)" in drawn
    metric = draw_battle(table(*one_of_each().pieces, measure="cm"), UNITS)
    assert "translate(15.75 11.81) rotate(270)" in metric and metric.count('font-size="0.72"') == 2


def test_the_board_of_a_table_has_the_pixels_of_its_picture() -> None:
    board = table_board(one_of_each(), ["allied", "axis"], 25)
    assert (board.width, board.height, board.step, board.measure) == (1800, 1200, 25, "inch")
    assert board.table
    assert not board.hexes
    assert board.colours == {"allied": side_colour("allied"), "axis": side_colour("axis")}
    assert table_board(one_of_each(), {"axis": "#000000"}).colours == {"axis": "#000000"}


def test_every_look_of_a_table_has_a_letter_and_a_night() -> None:
    for theme in THEMES:
        looks = styles(theme)["tabletop"]
        assert all(len(look["letter"]) == 1 and look["drawn"] for look in looks.values())
    day, dark = styles("light")["tabletop"]["woods"]["floor"], styles("dark")["tabletop"]["woods"]["floor"]
    assert dark not in (day, night(day))


def test_a_table_as_text() -> None:
    ground = table(
        piece("hill", (0, 0), (20, 0), (20, 20), (0, 20)),
        piece("woods", (4, 4), (10, 4), (10, 10), (4, 10)),
        piece("hedge", (40, 0), (40, 20)),
        piece("road", (0, 30), (72, 30)),
        piece("building", (60, 10), (66, 10), (66, 16), (60, 16), name="Mill"),
    )
    lines = table_text(ground, UNITS, MARKERS).splitlines()
    assert lines[0].split() == ["0", "12", "24", "36", "48", "60"]
    assert lines[1].startswith("  0 h!hh")
    assert lines[4][4:].startswith("hhhhWWWWWWhh")
    assert lines[4][4 + 40] == "#"
    assert lines[7][4 + 62] == "B"
    assert lines[14][4 + 24 : 4 + 31] == "a1.oo.o"
    assert lines[16][4:].startswith("=" * 30 + "!" + "=" * 9 + "t1")
    assert lines[21][4 + 50] == "!"
    legend = "\n".join(lines[25:])
    assert "W old wood" in legend
    assert "Mill: 63,13" in legend
    assert "a1  First squad (allied) at 24,26, 5 models [2]" in legend
    assert "t1  Panzer IV (axis) at 40,30" in legend
    assert "! Hill at 50,40" in legend
    assert len(table_text(ground, legend=False, across=2).splitlines()) == 13


def test_lines_are_rounded_and_run_on_over_the_edge() -> None:
    ground = one_of_each()
    line = ground.line(ground.by_id["road-1"])
    assert bent(line).length < line.length + 1
    road = run_on(ground.line(piece("road", (0, 20), (72, 22))), 7200, 4800)
    assert road.bounds[0] < 0
    assert road.bounds[2] > 7200
    wood = ground.area(ground.by_id["woods-1"])
    assert softened(wood, 40).symmetric_difference(wood).area < 0.02 * wood.area
    assert softened(wood, 4000).equals(wood)


def test_colours_are_shaded() -> None:
    assert shaded("#808080", 1.0) == "#ffffff"
    assert shaded("#808080", -1.0) == "#000000"
