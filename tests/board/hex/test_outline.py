"""The outline of a battlefield and the pictures that go with it: the same pixels, by day and by night."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from grognard.board.hex.battlefield import Battlefield, Feature
from grognard.board.hex.draw import draw_land, draw_svg, draw_thumbnail
from grognard.board.hex.grid import COMPASS, hex_grid
from grognard.board.hex.outline import outline
from grognard.board.style import THEMES, level_colour, night, style, styles
from grognard.core.errors import GrognardError
from tests.board.hex.test_draw import field, found, texts


def lightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize("scale", [None, 2.5])
def test_hexes_are_where_they_are_drawn(scale: float | None) -> None:
    board = outline(field(), "hexes of 50 m", str.lower, ["german", "nobody"], scale)
    root = ElementTree.fromstring(draw_land(field(), scale=scale))
    assert float(root.attrib["width"]) == pytest.approx(board.width, abs=0.01)
    drawn = dict(zip(found(draw_svg(field(), scale=scale), "data-hex"), board.hexes))
    assert all(name == hex.id and hex.text == hex.id.lower() for name, hex in drawn.items())
    grid = hex_grid(8, 6)
    at = {hex.id: hex for hex in board.hexes}
    for name in grid.hexes:
        for other in grid.adjacent[name]:
            apart = ((at[name].x - at[other].x) ** 2 + (at[name].y - at[other].y) ** 2) ** 0.5
            assert apart == pytest.approx(board.step, abs=0.03)
        assert (at[name].q, at[name].r) == grid.axials[name]
    assert board.facings == [0, 60, 120, 180, 240, 300] and len(board.corners) == 6
    assert set(board.colours) == {"german", "nobody"} and board.measure == "hexes of 50 m"


def test_pointed_hexes_face_between() -> None:
    pointed = field('[map]\ncolumns = 4\nrows = 4\nlayout = "pointy"')
    assert outline(pointed, "hexes").facings[0] == 30
    assert [len(set(words)) for words in COMPASS.values()] == [6, 6]
    assert hex_grid(2, 2).compass(1) == "north" and hex_grid(2, 2, "pointy").compass(2) == "east"


def test_a_table_has_no_hexes_but_a_measure() -> None:
    shape = {"type": "Polygon", "coordinates": [[[0, 0], [90, 0], [90, 50], [0, 0]]]}
    table = Battlefield("table", None, [Feature("f", "area", shape, {"terrain": "woods"})])
    board = outline(table, "inches")
    assert not board.hexes and board.step > 0 and board.width > board.height
    for picture in (draw_land(table), draw_thumbnail(table)):
        ElementTree.fromstring(picture)


@pytest.mark.parametrize("theme", THEMES)
def test_the_land_has_texts_but_no_names_of_its_parts(theme: str) -> None:
    land, small = draw_land(field(), theme), draw_thumbnail(field(), theme)
    assert {"A1", "H6", "Mill", "2"} <= texts(land) and not texts(small)
    for picture in (land, small):
        ElementTree.fromstring(picture)
        assert "data-" not in picture
    assert len(small) < len(land) / 2 < len(draw_svg(field()))
    assert float(ElementTree.fromstring(small).attrib["width"]) == pytest.approx(320, abs=1)


def test_night_is_dark_and_keeps_the_terrains_apart() -> None:
    assert lightness(level_colour(1, "dark")) < 80 < lightness(level_colour(1))
    colours = set(re.findall(r"<(?:path|polygon|rect)[^>]* fill=\"(#[0-9a-f]{6})\"", draw_land(field(), "dark")))
    assert colours and max(map(lightness, colours)) < 150
    tints = {kind: look["tint"] for kind, look in styles("dark")["terrain"].items() if "tint" in look}
    day = {kind: look["tint"] for kind, look in styles()["terrain"].items() if "tint" in look}
    assert len(set(tints.values())) == len(set(day.values()))
    assert lightness(styles("dark")["sheet"]["number"]) > 120, "hex numbers are light on dark"
    assert style("terrain", "dense_woods", "dark")["pattern"] == "trees"
    assert lightness(night("#ffffff")) > lightness(night("#808080")) > lightness(night("#000000"))


def test_a_theme_that_nobody_knows_is_refused() -> None:
    with pytest.raises(GrognardError, match="no theme called 'noon'; there are light and dark"):
        draw_land(field(), "noon")
