"""Tables of terrain: reading and writing files, the faults of bad ones, and what is where."""

from __future__ import annotations

import copy
import json
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grognard.board.table.terrain import Kind, Piece, Table, load_table
from grognard.board.table.terrain_file import to_toml
from grognard.core.errors import MalformedError, VersionError
from grognard.core.files import Document
from tests.board.table.scenes import KINDS, box, random_scene, table

FARM = """
[table]
name = "The farm"
size = [72, 48]

[[terrain]]
id = "farm"
kind = "building"
name = "Farmhouse"
area = [[38, 16], [44, 16], [44, 22], [38, 22]]
openings = [0, 2]
soft = true
height = 3.5

[[terrain]]
kind = "hedge"
line = [[4, 30.25], [24, 30]]

[[terrain]]
kind = "hedge"
points = [[4, 40], [24, 40]]

[[terrain]]
kind = "hill"
area = [[36, 10], [50, 10], [50, 30], [36, 30], [36, 10]]

[[terrain]]
kind = "road"
line = [[0, 24], [72, 24]]
width = 4
"""


def read(text: str, name: str = "farm.toml") -> Table:
    return Table.from_document(Document.from_toml(text, name), KINDS, measure="inch")


def faults(terrain: str, head: str = "[table]\nsize = [72, 48]\n") -> list[str]:
    with pytest.raises(MalformedError) as caught:
        read(head + terrain)
    return [str(fault) for fault in caught.value.faults]


# ---- files -------------------------------------------------------------------------------------------------


def test_a_table_is_read_from_toml() -> None:
    farm = read(FARM)
    assert (farm.name, farm.width, farm.height) == ("The farm", 7200, 4800)
    assert [piece.id for piece in farm.pieces] == ["farm", "hedge-1", "hedge-2", "hill-1", "road-1"]
    house = farm.by_id["farm"]
    assert house == Piece(
        "farm",
        "building",
        ((3800, 1600), (4400, 1600), (4400, 2200), (3800, 2200)),
        (0, 2),
        "Farmhouse",
        soft=True,
        height=350,
    )
    assert farm.by_id["hedge-1"].points == ((400, 3025), (2400, 3000))
    assert len(farm.by_id["hill-1"].points) == 4, "a ring may be closed or not"
    assert farm.by_id["hill-1"].edges == (0, 1, 2, 3), "all edges have openings where nothing is said"


def test_a_table_survives_both_forms_of_file(tmp_path: Path) -> None:
    farm = read(FARM)
    (tmp_path / "farm.geojson").write_text(json.dumps(farm.to_geojson()))
    (tmp_path / "farm.toml").write_text(to_toml(farm))
    assert (
        load_table(tmp_path / "farm.geojson", KINDS, measure="inch")
        == farm
        == load_table(tmp_path / "farm.toml", KINDS, measure="inch")
    )
    assert farm != read(FARM.replace("3.5", "3.6"))


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_any_table_is_read_back_the_same(seed: int) -> None:
    field = random_scene(random.Random(seed)).table
    assert (
        Table.from_geojson(Document.from_json(json.dumps(field.to_geojson()), "t.geojson"), KINDS, measure="inch")
        == field
    )
    assert read(to_toml(field)).pieces == field.pieces


def test_the_geojson_is_what_other_tools_read() -> None:
    data = read(FARM).to_geojson()
    house = data["features"][0]
    assert house["geometry"] == {
        "type": "Polygon",
        "coordinates": [[[38, 16], [44, 16], [44, 22], [38, 22], [38, 16]]],
    }
    assert data["features"][1]["geometry"]["type"] == "LineString"
    # A tool that saves it again may add words of its own.
    house["properties"]["stroke"] = "#ff0000"
    assert Table.from_geojson(Document.from_json(json.dumps(data), "t.geojson"), KINDS, measure="inch") == read(FARM)


def test_the_table_may_stand_inside_another_file() -> None:
    text = "[battle.table]\nwidth = 48\nheight = 48\n[[terrain]]\nkind = 'hedge'\nline = [[1, 1], [2, 2]]"
    doc = Document.from_toml(text, "battle.toml")
    found = Table.from_document(doc, KINDS, "battle", "table", measure="inch")
    assert (found.width, len(found.pieces)) == (4800, 1)
    same = Table.read(
        doc, ("battle", "table"), doc.data["battle"]["table"], ("terrain",), doc.data["terrain"], KINDS, measure="inch"
    )
    assert same == found


# ---- faults ------------------------------------------------------------------------------------------------

PIECE = "[[terrain]]\nkind = "


@pytest.mark.parametrize(
    ("terrain", "fault"),
    [
        (
            f"{PIECE}'bulding'\narea = [[1, 1], [2, 1], [2, 2]]",
            'farm.toml:4: terrain[1].kind: unknown kind "bulding" (did you mean "building"?)',
        ),
        (
            f"{PIECE}'building'\narea = [[1, 1], [5, 5], [5, 1], [1, 5]]",
            "farm.toml:5: terrain[1].area: the outline crosses itself at [3, 3]",
        ),
        (
            f"{PIECE}'building'\narea = [[1, 1], [3, 3], [5, 5]]",
            "farm.toml:5: terrain[1].area: the outline",
        ),
        (
            f"{PIECE}'hedge'\nline = [[1, 1], [74, 5]]",
            "farm.toml:5: terrain[1].line[2]: [74, 5] is off the table (it is 72 by 48)",
        ),
        (f"{PIECE}'hedge'\nline = [[1, 1]]", "farm.toml:5: terrain[1].line: only 1 points (at least 2)"),
        (f"{PIECE}'woods'\narea = [[1, 1], [2, 2]]", "farm.toml:5: terrain[1].area: only 2 points (at least 3)"),
        (
            f"{PIECE}'hedge'\nline = [[1, 1], [1, 1]]",
            "farm.toml:5: terrain[1].line[1]: the point [1, 1] twice in a row",
        ),
        (
            f"{PIECE}'hedge'\nline = [[1, 1.234], [2, 2]]",
            "[1.0, 1.234] is not a point ([x, y] with at most two decimals)",
        ),
        (f"{PIECE}'hedge'\nline = [[1, 1, 1], [2, 2]]", "is not a point"),
        (f"{PIECE}'hedge'\nline = [[1, nan], [2, 2]]", "nan is not a number"),
        (f"{PIECE}'hedge'\nline = 3", "farm.toml:5: terrain[1].line: Expected `array | null`, got `int`"),
        (
            f"{PIECE}'hedge'\nlien = [[1, 1], [2, 2]]",
            'terrain[1].lien: a piece doesn\'t have "lien" (did you mean "line"?)',
        ),
        (
            f"{PIECE}'hedge'\narea = [[1, 1], [2, 2], [2, 1]]",
            "a hedge is a line (line = [[x, y], ...] and nothing else)",
        ),
        (f"{PIECE}'woods'", "a woods is an area"),
        (f"{PIECE}'hedge'\nheight = -1\nline = [[1, 1], [2, 2]]", "farm.toml:5: terrain[1].height: -1 is not a length"),
        (
            f"{PIECE}'building'\narea = [[1, 1], [5, 1], [5, 5]]\nopenings = [3]",
            "farm.toml:6: terrain[1].openings: [3] are not edges of this piece (edges from 0 to 2, at least one)",
        ),
        (
            f"{PIECE}'hedge'\nid = 'a'\nline = [[1, 1], [2, 2]]\n{PIECE}'hedge'\nid = 'a'\nline = [[3, 1], [3, 2]]",
            'farm.toml:9: terrain[2].id: the id "a" twice (a different id)',
        ),
        ("terrain = 5", "not a list of pieces"),
    ],
)
def test_a_bad_piece_is_named_with_its_line(terrain: str, fault: str) -> None:
    (found,) = faults(terrain)
    assert fault in found


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x = 1", "table: a file without a table"),
        ("[table]\nname = 'x'", "farm.toml:1: table.size: no size"),
        ("[table]\nsize = [72]", "farm.toml:2: table.size: [72.0] is not a size"),
        ("[table]\nsize = [72, 4800]", "is not a size"),
        (
            "[table]\nsize = [72, 48]\nsise = 4",
            'farm.toml:3: table.sise: a table doesn\'t have "sise" (did you mean "size"?)',
        ),
    ],
)
def test_a_bad_table_is_named_with_its_line(text: str, fault: str) -> None:
    (found,) = faults("", text)
    assert fault in found


def test_all_faults_are_told_together() -> None:
    bad = [
        f"{PIECE}'hedg'\nline = [[1, 1], [2, 2]]",
        f"{PIECE}'woods'\narea = [[1, 1]]",
        f"{PIECE}'hedge'\nline = [[9, 99], [2, 2]]",
    ]
    assert len(faults("\n".join(bad))) == 3


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ([], "not a GeoJSON FeatureCollection"),
        ({"type": "FeatureCollection", "grognard": 3}, "3 instead of a table"),
        ({"type": "FeatureCollection", "grognard": {"table": [72, 48]}}, "a file without a list of features"),
        ({"type": "FeatureCollection", "grognard": {"table": [72, 48]}, "features": [3]}, "not a GeoJSON Feature"),
        (
            {
                "type": "FeatureCollection",
                "grognard": {"table": [72, 48]},
                "features": [{"type": "Feature", "geometry": {"type": "Point"}, "properties": {}}],
            },
            "features[1].geometry: neither an outline nor a line",
        ),
        (
            {
                "type": "FeatureCollection",
                "grognard": {"table": [72, 48]},
                "features": [
                    {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[], []]}, "properties": {}}
                ],
            },
            "an outline with holes",
        ),
        (
            {
                "type": "FeatureCollection",
                "grognard": {"table": [72, 48]},
                "features": [{"type": "Feature", "geometry": {"type": "LineString", "coordinates": []}}],
            },
            "a feature without properties",
        ),
    ],
)
def test_bad_geojson_is_refused(data: object, fault: str) -> None:
    with pytest.raises(MalformedError, match=r"t\.geojson") as caught:
        Table.from_geojson(Document.from_json(json.dumps(data), "t.geojson"), KINDS, measure="inch")
    assert fault in str(caught.value)


def test_a_later_version_is_refused() -> None:
    data = {**read(FARM).to_geojson(), "grognard": {"version": 9}}
    with pytest.raises(VersionError):
        Table.from_document(Document.from_json(json.dumps(data), "t.geojson"), KINDS, measure="inch")


# ---- what is where -----------------------------------------------------------------------------------------


def test_what_is_at_a_point() -> None:
    farm = read(FARM)
    assert [piece.id for piece in farm.at(4100, 2000)] == ["farm", "hill-1"]
    assert [piece.id for piece in farm.at(4400, 2000)] == ["farm", "hill-1"], "on the edge is in (B6)"
    assert [piece.id for piece in farm.at(4401, 2000)] == ["hill-1"]
    assert [piece.id for piece in farm.at(1000, 4000)] == ["hedge-2"]
    assert [piece.id for piece in farm.at(100, 2590)] == ["road-1"], "a road is as wide as it says"
    assert farm.at(100, 2610) == []
    assert table().at(1, 1) == table().near(farm.area(farm.pieces[0])) == []
    assert [piece.id for piece in farm.near(farm.line(farm.by_id["road-1"]), 250)] == ["farm", "hill-1", "road-1"]


def test_hills_raise_the_ground_and_what_stands_on_it() -> None:
    two = table(("hill", box(10, 10, 20, 20)), ("hill", box(15, 15, 5, 5)), ("building", box(24, 24, 4, 4)))
    higher = two.with_changes({})
    assert higher is two
    assert (two.ground_height(1200, 1200), two.ground_height(500, 500)) == (200, 0)
    assert two.ground_height(1000, 1000) == 200, "its edge is on it"
    assert two.base == {"hill-1": 0, "hill-2": 0, "building-1": 200}


def test_a_piece_has_the_height_and_width_of_its_kind_unless_it_says_otherwise() -> None:
    farm = read(FARM)
    assert farm.height_of(farm.by_id["farm"]) == 350
    assert farm.height_of(farm.by_id["hedge-1"]) == 100
    assert farm.width_of(farm.by_id["road-1"]) == 400
    assert (farm.title(farm.by_id["farm"]), farm.title(farm.by_id["hedge-1"])) == ("Farmhouse", "Hedge")
    assert Kind("stone_wall", "line", "obstacle").called == "Stone wall"


def test_a_table_changes_into_another_and_stays_itself() -> None:
    farm = read(FARM)
    fallen = farm.with_changes({"farm": "ruins", "hedge-1": ""})
    assert [piece.kind for piece in fallen.pieces] == ["ruins", "hedge", "hill", "road"]
    assert fallen.height_of(fallen.by_id["farm"]) == 300 and fallen.by_id["farm"].openings == ()
    assert farm.by_id["farm"].kind == "building" and farm != fallen
    assert farm.with_changes({"farm": "ruins", "hedge-1": ""}) is fallen


def test_copies_are_the_same_table() -> None:
    farm = read(FARM)
    assert copy.deepcopy(farm) is farm is copy.copy(farm)
    assert pickle.loads(pickle.dumps(farm)) == farm and hash(farm) == hash(read(FARM))
    assert repr(farm) == "<Table 'The farm', 72 x 48, 5 pieces>"
