"""Kinds of roads, railroads and bridges: what a map says of them, and how they are drawn."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from grognard.board.hex.battlefield import Battlefield, Vocabulary
from grognard.board.hex.draw import draw_land, draw_svg, draw_thumbnail
from grognard.board.style import styles
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.kits.hex.view import ground_words

KNOWN = Vocabulary((), ("river", "bridge"), (), ("primary", "trail", "railroad"))
SKETCH: dict[str, Any] = {
    "columns": 8,
    "rows": 6,
    "rows_from": "bottom",
    "numbering": "29.17",
    "hexsides": {"river": "02.02|02.03, 03.03|03.04", "bridge": "03.03|03.04"},
    "road": [
        {"path": "01.03>6, 01.03:08.03", "road": "primary"},
        {"path": "03.06>1, 03.06:03.01", "road": "railroad"},
        {"path": "05.03, 05.04", "road": "trail"},
        {"path": "02.05, 02.06"},
        {"path": "05.03, 06.03", "road": "railroad"},
    ],
}


def field(data: dict[str, Any] = SKETCH, known: Vocabulary | None = KNOWN) -> Battlefield:
    return Battlefield.from_sketch(data, Document(data, "demo.toml"), "map", known=known)


def test_each_hexside_knows_the_kinds_of_road_over_it() -> None:
    found = field()
    assert found.grid is not None
    assert found.roads_between("03.03", "03.04") == found.roads_between("03.04", "03.03") == {"railroad"}
    assert found.roads_between("05.03", "05.04") == {"trail"} and found.roads_between("02.05", "02.06") == {"road"}
    assert found.roads_between("05.03", "06.03") == {"primary", "railroad"}
    assert found.roads_between("07.06", "08.06") == frozenset()
    assert found.road_kinds["01.03>6"] == {"primary"} and found.road_kinds["03.06>1"] == {"railroad"}
    assert found.roads_in("05.03") == {"primary", "railroad", "trail"} and found.roads_in("08.06") == frozenset()
    assert found.roads["03.06"] == {1, 4}
    assert found.hexsides["03.04|03.03"] == "bridge"


def test_files_keep_kinds_and_rows() -> None:
    found = field()
    again = Battlefield.from_geojson(Document.from_json(json.dumps(found.to_geojson()), "x"), KNOWN)
    assert again == found and again.road_kinds == found.road_kinds and again.grid == found.grid
    part = found.part("02.02", "06.04")
    assert part.grid is not None and part.road_kinds["02.03>5" if "02.03>5" in part.road_kinds else "02.03>6"]
    assert part.roads_between("05.03", "05.04") == {"trail"}


def test_a_game_that_knows_no_kinds_refuses_them() -> None:
    with pytest.raises(MalformedError, match=r'road\[1\]\.road: unknown road "primary"'):
        field(known=Vocabulary((), ("river", "bridge"), ()))
    slip = {**SKETCH, "road": [{"path": "01.03:08.03", "road": "primry"}]}
    with pytest.raises(MalformedError, match='did you mean "primary"'):
        field(slip)
    data = field().to_geojson()
    with pytest.raises(MalformedError, match='unknown road "trail"'):
        Battlefield.from_geojson(Document.from_json(json.dumps(data), "x"), KNOWN._replace(roads=("primary",)))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_kind_has_a_look_of_its_own(theme: str) -> None:
    drawn = draw_land(field(), theme)
    looks = styles(theme)["roads"]
    for kind in ("primary", "trail", "railroad"):
        assert looks[kind]["colour"] in drawn
    assert styles(theme)["road"]["colour"] in drawn
    assert styles(theme)["hexside"]["bridge"]["colour"] in drawn
    for picture in (drawn, draw_svg(field()), draw_thumbnail(field(), theme)):
        ElementTree.fromstring(picture)


def test_a_road_of_an_unknown_kind_is_drawn_as_a_road() -> None:
    strange = {**SKETCH, "road": [{"path": "01.03:08.03", "road": "causeway"}]}
    assert styles()["road"]["colour"] in draw_land(field(strange, None))


def test_the_ground_of_a_hex_names_its_roads() -> None:
    found, words = field(), {"primary": "primary road", "trail": "trail"}
    assert ground_words(found, "05.04", "open", roads=words) == "open, trail"
    assert ground_words(found, "05.03", "open", roads=words) == "open, primary road, road, trail"
    assert ground_words(found, "02.05", "open", roads=words) == "open, road"
    assert ground_words(found, "08.06", "open", roads=words) == "open"
