"""Places of a table in words."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from grognard.board.table.places import Landmark, TableNames, called, from_edges, measured, surroundings, the, told
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.core.events import Names, place_told

KINDS = {
    "woods": Kind("woods", "area", "rough", "soft"),
    "house": Kind("house", "area", "building", "hard"),
    "hedge": Kind("hedge", "line", "obstacle", "soft"),
    "road": Kind("road", "line", "road"),
}
ORCHARD = Piece("orchard", "woods", ((1000, 1000), (2000, 1000), (2000, 2000), (1000, 2000)), name="Orchard")
MILL = Piece("mill", "house", ((3000, 500), (3600, 500), (3600, 900), (3000, 900)), name="The Mill")
HEDGE = Piece("hedge-1", "hedge", ((500, 3000), (3000, 3000)), name="hedge")
ROAD = Piece("road-1", "road", ((0, 2500), (4800, 2500)))
TABLE = Table("farm", 4800, 3600, KINDS, [ORCHARD, MILL, HEDGE, ROAD], measure="inch")
#: The same ground, on which nothing has a name of its own.
NAMELESS = Table(
    "farm",
    4800,
    3600,
    KINDS | {"woods": Kind("orchard", "area", "rough", "soft"), "house": Kind("mill", "area", "building", "hard")},
    [msgspec.structs.replace(ORCHARD, name=""), msgspec.structs.replace(MILL, name=""), HEDGE, ROAD],
    measure="inch",
)


@pytest.mark.parametrize(
    ("hundredths", "measure", "words"),
    [
        (0, "inch", "0″"),
        (4, "inch", "0″"),
        (5, "inch", "0.1″"),
        (1234, "inch", "12.3″"),
        (1235.0, "inch", "12.4″"),
        (-30, "inch", "-0.3″"),
        (-4, "inch", "0″"),
        (250, "cm", "2.5 cm"),
        (250, "", "2.5"),
    ],
)
def test_a_length_is_told_to_a_tenth(hundredths: float, measure: str, words: str) -> None:
    assert measured(hundredths, measure) == words


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (1234, 500, "12.3″ from the left, 5″ from the top"),
        (3571, 3000, "12.3″ from the right, 6″ from the bottom"),
        (2400, 1800, "24″ from the left, 18″ from the top"),
        (2401, 1801, "24″ from the right, 18″ from the bottom"),
        (0, 3600, "0″ from the left, 0″ from the bottom"),
    ],
)
def test_a_point_is_told_from_the_nearer_edges(x: int, y: int, words: str) -> None:
    assert from_edges(TABLE, x, y) == words


def test_another_measure_has_its_name() -> None:
    metric = Table("farm", 4800, 3600, KINDS, [HEDGE], measure="cm")
    assert from_edges(metric, 1250, 300) == "12.5 cm from the left, 3 cm from the top"
    assert (surroundings(metric, 1000, 3254), surroundings(metric, 1000, 3255)) == ("at the hedge", ""), "an inch"
    assert metric != Table("farm", 4800, 3600, KINDS, [HEDGE], measure="inch")
    assert pickle.loads(pickle.dumps(metric)) == metric == metric.with_changes({})
    assert metric.with_changes({HEDGE.id: ""}).measure == "cm"
    with pytest.raises(ValueError, match="no measure called 'ell'; use one of inch, cm"):
        Table("farm", 4800, 3600, KINDS, measure="ell")


@pytest.mark.parametrize(
    ("x", "y", "where"),
    [
        (1500, 1500, "in the Orchard"),
        (3300, 700, "in the Mill"),
        (1000, 3100, "at the hedge"),
        (1000, 2900, "at the hedge"),
        (1000, 3101, ""),
        (400, 3000, "at the hedge"),
        (399, 3000, ""),
        (2100, 1500, ""),
        (1000, 2500, ""),
    ],
)
def test_what_gives_cover_is_named(x: int, y: int, where: str) -> None:
    """An area that one is in and a line that one is near to; a road gives none."""
    assert surroundings(TABLE, x, y) == where
    assert told(NAMELESS, x, y) == from_edges(TABLE, x, y) + (f", {where.lower()}" if where else "")


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (1500, 2500, "5″ south of the Orchard, in the open"),
        (1200, 2600, "4.8″ north-west of the ford, in the open"),
        (3700, 900, "1″ south-east of the Mill, in the open"),
        (1500, 1900, "11″ north of the ford, in the Orchard"),
        (1500, 2998, "0.3″ east of the ford, at the hedge"),
        (1470, 3001, "on the ford, at the hedge"),
        (1472, 3001, "beside the ford, at the hedge"),
    ],
)
def test_a_point_is_told_by_what_has_a_name_and_lies_near(x: int, y: int, words: str) -> None:
    """Of what one stands in only the name is told; a name that two pieces have is no help."""
    assert told(TABLE, x, y, marks=[Landmark("the ford", 1470, 3001)]) == words


def test_a_name_that_two_pieces_have_leads_nobody() -> None:
    twins = [ORCHARD, msgspec.structs.replace(ORCHARD, id="other", points=((0, 0), (500, 0), (500, 500), (0, 500)))]
    table = Table("farm", 4800, 3600, KINDS, twins, measure="inch")
    assert told(table, 4000, 3000) == from_edges(table, 4000, 3000)


def test_how_near_is_at_it_can_be_said() -> None:
    assert surroundings(TABLE, 1000, 3200, near=200) == "at the hedge" and surroundings(TABLE, 1000, 3200) == ""


def test_a_piece_is_called_by_its_name_or_its_kind() -> None:
    assert [called(TABLE, piece) for piece in TABLE.pieces] == ["Orchard", "The Mill", "hedge", "road"]
    assert [the(TABLE, piece) for piece in TABLE.pieces] == ["the Orchard", "the Mill", "the hedge", "the road"]


def test_names_tell_places_when_they_are_asked() -> None:
    names = TableNames({"a1": "First squad"}, TABLE)
    assert (names["a1"], "12.5,3" in names, list(names)) == ("First squad", False, ["a1"])
    assert place_told("12.5,3", names) == "7″ north of the Orchard, in the open"
    assert place_told("15,15", names) == "16.2″ south-west of the Mill, in the Orchard"
    assert place_told("15,30", TableNames({}, TABLE, (Landmark("the ford", 1600, 3000),))).startswith(
        "1″ west of the ford"
    )
    assert [place_told(word, names) for word in ("", "hedge", "1,2,3", "a,b")] == ["", "hedge", "1,2,3", "a,b"]
    assert place_told("12.5,3", {}) == place_told("12.5,3", Names()) == "12.5,3"
