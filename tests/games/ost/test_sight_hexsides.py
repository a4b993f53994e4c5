"""Hedges (46), bocage (47), stone walls (48) and the walls of row houses (56) on a line of sight."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.ost.sight_help import Board

DEGRADING = pytest.mark.parametrize("kind", ["hedge", "stone_wall"])


# ---- 46, 48: hedges and stone walls ----------------------------------------------------------------


@pytest.mark.rule("ost", "46.2", "48.2", "48.3")
@DEGRADING
def test_crossing_one_degrades(kind: str) -> None:
    assert Board(**{kind: "D4|D5"}).see("D2", "D7").degraded == ("D4|D5",)
    assert Board(**{kind: "C4|D4, D4|E4, D4|E5"}).verdict("D2", "D7") == "clear", "beside the line"


@pytest.mark.rule("ost", "46.11", "48.3")
@DEGRADING
def test_two_hexsides_of_one_hex_degrade_twice(kind: str) -> None:
    assert Board(**{kind: "D3|D4, D4|D5"}).see("D2", "D7").degraded == ("D3|D4", "D4|D5")
    assert Board(**{kind: "D3|D4, D4|D5, D5|D6"}).verdict("D2", "D7") == "D5|D6 59.2"


def test_a_hedge_and_the_hex_behind_it_count_each() -> None:
    assert Board(hedge="D3|D4", brush="D4").verdict("D2", "D7") == "-2"


@pytest.mark.rule("ost", "46.13", "48.3")
@DEGRADING
def test_those_of_the_end_hexes_do_not_degrade(kind: str) -> None:
    board = Board(**{kind: "D2|D3, D6|D7"})
    seen = board.see("D2", "D7")
    assert seen.degraded == ()
    assert seen.sides == ("D6|D7",), "but it gives the target its Defense (46.8)"
    assert board.see("D7", "D2").sides == ("D2|D3",)
    assert board.see("D2", "D3").sides == ("D2|D3",)
    assert board.see("D3", "D2").sides == ("D2|D3",), "both sides of one hedge get it (46.12)"
    assert Board(**{kind: "D5|D6"}).see("D2", "D7").sides == (), "not the target's own hexside"


def test_the_wall_of_the_example_degrades_and_gives_no_defense() -> None:
    """L-4, E-38: a wall between two other hexes on the way to a Rifle in an orchard."""
    seen = Board({"g": "ger_rifle D2", "a": "us_rifle D5"}, stone_wall="D3|D4", orchard="D5").see("g", "a")
    assert seen.degraded == ("D3|D4",)
    assert seen.sides == ()


@pytest.mark.rule("ost", "46.14", "48.3")
@DEGRADING
def test_along_its_length_it_degrades_once(kind: str) -> None:
    assert Board(**{kind: "C3|C4"}).see("B3", "D3").degraded == ("C3|C4",)
    assert Board(**{kind: "C3|C4, E3|E4"}).verdict("B3", "F3") == "-2"


@pytest.mark.rule("ost", "46.3", "48.3")
@DEGRADING
def test_touching_an_end_touches_it(kind: str) -> None:
    # From D2 to E7 the line passes the vertex of D3, D4 and E4.
    for side in ("D3|D4", "D3|E4", "D4|E4"):
        assert Board(**{kind: side}).see("D2", "E7").degraded == (side,)
    assert Board(**{kind: "D4|D5, C4|D4, D4|E5"}).see("D2", "E7").degraded == ("D4|E5",)


@pytest.mark.rule("ost", "46.3", "48.3")
@DEGRADING
def test_all_that_meet_at_one_vertex_count_once(kind: str) -> None:
    assert Board(**{kind: "D3|D4, D3|E4, D4|E4"}).verdict("D2", "E7") == "-1"
    # On the way from B3 to F3 the line leaves the spine C3|C4 where two hexsides of D3 end.
    assert Board(**{kind: "C3|D3, C4|D3"}).verdict("B3", "F3") == "-1"
    assert Board(**{kind: "C3|D3, C4|D3, D3|E3"}).verdict("B3", "F3") == "-2", "and the other vertex of D3"
    assert Board(**{kind: "C3|C4, C3|D3"}).verdict("B3", "F3") == "-2", "one followed, another touched"


@pytest.mark.rule("ost", "46.3", "46.13")
def test_entering_the_target_by_a_vertex_meets_both_hexsides() -> None:
    seen = Board(hedge="C3|D3", stone_wall="C4|D3").see("B3", "D3")
    assert seen.degraded == ()
    assert seen.sides == ("C3|D3", "C4|D3")
    assert Board(hedge="C3|D3").see("B3", "D3").sides == ("C3|D3",)
    assert Board(hedge="B3|C3").see("B3", "D3").sides == (), "the viewer's own gives the target nothing"


@pytest.mark.rule("ost", "46.2", "48.2", "60.8")
@DEGRADING
def test_not_between_levels_and_not_on_lower_ground(kind: str) -> None:
    assert Board(levels={2: "D2"}, **{kind: "D4|D5"}).verdict("D2", "D7") == "clear"
    assert Board(levels={2: "D2, D7"}, **{kind: "D4|D5"}).verdict("D2", "D7") == "clear", "in the valley between"
    assert Board(levels={2: "D2-D7"}, **{kind: "D4|D5"}).verdict("D2", "D7") == "-1", "on the same plateau"
    ridge = Board(levels={2: "D1, D4, D5"}, **{kind: "D4|D5"})
    assert ridge.verdict("D1", "D8") == "clear", "not even on a ridge as high as the viewer"
    seen = Board(levels={2: "D2"}, **{kind: "D6|D7"}).see("D2", "D7")
    assert seen.sides == ("D6|D7",), "the Defense still applies"


# ---- 47: bocage ------------------------------------------------------------------------------------

FOOT, TANK = "us_rifle", "us_m4a1"


@pytest.mark.rule("ost", "47.2", "47.3")
def test_bocage_blocks_between_others() -> None:
    for kind in (FOOT, TANK):
        board = Board({"a": f"{kind} D2", "g": "ger_rifle D7"}, bocage="D4|D5")
        assert board.verdict("a", "g") == "D4|D5 47.3"
        assert board.verdict("g", "a") == "D4|D5 47.3"


@pytest.mark.rule("ost", "47.2")
def test_bocage_blocks_along_its_length_and_at_its_ends() -> None:
    assert Board(bocage="C3|C4").verdict("B3", "D3") == "C3|C4 47.3"
    for side in ("D3|D4", "D3|E4", "D4|E4"):
        assert Board(bocage=side).verdict("D2", "E7") == f"{side} 47.3"


@pytest.mark.rule("ost", "47.3")
def test_a_foot_unit_beside_bocage_sees_and_is_seen_through_it() -> None:
    board = Board({"a": "us_rifle D4", "g": "ger_rifle D7", "t": "ger_pz4h D6"}, bocage="D4|D5")
    seen = board.see("a", "g")
    assert seen.clear
    assert seen.degraded == (), "Firepower is not affected"
    assert board.see("g", "a").sides == ("D4|D5",), "it is in the bocage for its Defense"
    assert seen.sides == (), "the other is not"
    assert board.see("t", "a").clear
    assert board.see("a", "t").clear


@pytest.mark.rule("ost", "47.3")
def test_bocage_on_the_far_side_is_as_open() -> None:
    # The unit need not be the viewer, nor on the near side.
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D5"}, bocage="D4|D5")
    assert board.verdict("a", "g") == "clear"
    assert Board({"a": "us_rifle D2", "g": "ger_rifle D5"}, bocage="D3|D4").verdict("a", "g") == "D3|D4 47.3"
    both = Board({"a": "us_rifle D3", "g": "ger_rifle D5"}, bocage="D3|D4, D4|D5")
    assert both.verdict("a", "g") == "clear", "each opens his own"


@pytest.mark.rule("ost", "47.7")
def test_a_vehicle_beside_bocage_is_not_in_it() -> None:
    board = Board({"t": "us_m4a1 D4", "g": "ger_rifle D7", "p": "ger_pz4h D5", "h": "ger_rifle D5"}, bocage="D4|D5")
    assert board.verdict("t", "g") == "D4|D5 47.3"
    assert board.verdict("g", "t") == "D4|D5 47.3"
    assert board.verdict("t", "p") == "D4|D5 47.3", "not even vehicles on both sides of it"
    assert board.verdict("h", "t") == "clear", "only foot units adjacent to that bocage"
    assert board.verdict("t", "h") == "clear"


@pytest.mark.rule("ost", "47.7")
def test_a_passenger_is_with_its_vehicle() -> None:
    board = Board({"t": "us_m4a1 D4", "a": "us_rifle D4 aboard=t", "g": "ger_rifle D7"}, bocage="D4|D5")
    assert board.verdict("a", "g") == "D4|D5 47.3"


@pytest.mark.rule("ost", "47.4")
def test_from_a_structure_only_into_the_hex_across() -> None:
    units = {"a": "us_rifle D4", "g": "ger_rifle D5", "h": "ger_rifle D6", "p": "ger_pz4h D5", "q": "ger_pz4h D6"}
    board = Board(units, bocage="D4|D5", light_structure="D4")
    for near, far in (("g", "h"), ("p", "q")):
        assert board.verdict("a", near) == "clear"
        assert board.verdict(near, "a") == "clear"
        assert board.verdict("a", far) == "D4|D5 47.3"
        assert board.verdict(far, "a") == "D4|D5 47.3"
    assert board.see("D4", "C4").clear


def test_bocage_between_levels_is_an_obstacle_of_height_1() -> None:
    # Looked over from above, except right behind it.
    assert Board(levels={2: "D2"}, bocage="D4|D5").verdict("D2", "D7") == "clear"
    board = Board({"a": "us_rifle D2", "p": "ger_pz4h D5", "g": "ger_rifle D5"}, levels={2: "D2"}, bocage="D4|D5")
    assert board.verdict("a", "p") == "D4|D5 60.13", "a vehicle behind it is in the blind spot"
    assert board.verdict("a", "g") == "clear", "a foot unit is in the bocage"
    # On the edge of a hill it stands on the higher ground, and a vehicle beside it is not in it.
    units = {"t": "us_m4a1 D2", "g": "ger_rifle D7"}
    assert Board(units, levels={2: "D2"}, bocage="D2|D3").verdict("t", "g") == "D2|D3 47.3"
    house = [{"terrain": "light_structure", "hexes": "D2", "level": 2}]
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D7"}, buildings=house, bocage="D2|D3")
    assert board.verdict("a", "g") == "D2|D3 60.11"
    assert board.verdict("g", "a") == "D2|D3 60.14"
    house[0]["level"] = 3
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D7"}, buildings=house, bocage="D2|D3")
    assert board.verdict("a", "g") == "clear", "two steps down it is looked over"


# ---- 56: row houses --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "56.3", "55.6")
def test_row_house_walls_cut_even_adjacent_hexes() -> None:
    row = [{"terrain": "heavy_structure", "hexes": "D3-D6", "walls": "D4|D5"}]
    board = Board(buildings=row)
    assert board.verdict("D4", "D5") == "D4|D5 56.3"
    assert board.verdict("D3", "D4") == "clear"
    assert board.verdict("D5", "D6") == "clear"
    assert board.verdict("D3", "D5") == "D4 55.6"


@pytest.mark.rule("ost", "56.3")
def test_row_house_walls_block_lines_that_pass_the_drawing() -> None:
    # The houses are drawn small, so only the wall stands between.
    assert Board(buildings=small_houses(1)).verdict("D3", "D6") == "-2"
    assert Board(buildings=small_houses(1), row_house_wall="D4|D5").verdict("D3", "D6") == "D4|D5 56.3"
    # It is as high as the houses, and of an end's own house it counts from any height.
    hills = {2: "D2, D8"}
    assert Board(buildings=small_houses(2), levels=hills).verdict("D2", "D8") == "clear"
    assert Board(buildings=small_houses(2), levels=hills, row_house_wall="D4|D5").verdict("D2", "D8") == "D4|D5 56.3"
    assert Board(buildings=small_houses(1), levels=hills, row_house_wall="D4|D5").verdict("D2", "D8") == "clear"
    assert Board(buildings=small_houses(1), levels={3: "D2"}).verdict("D2", "D5") == "-1"
    assert (
        Board(buildings=small_houses(1), levels={3: "D2"}, row_house_wall="D4|D5").verdict("D2", "D5") == "D4|D5 56.3"
    )


@pytest.mark.rule("ost", "56.3", "46.3")
def test_row_house_walls_reach_to_their_ends() -> None:
    # From D2 to E7 the line goes through the vertex of D3, D4 and E4.
    assert Board(row_house_wall="D3|D4").verdict("D2", "E7") == "D3|D4 56.3"
    assert Board(row_house_wall="D4|D5").verdict("D2", "E7") == "clear"


def small_houses(level: int) -> list[dict[str, Any]]:
    """Two houses in D4 and D5, drawn in a corner that lines down the column miss."""
    corner = [[-0.4, -0.4], [-0.3, -0.4], [-0.3, -0.3]]
    return [{"terrain": "heavy_structure", "hexes": hex, "level": level, "outline": corner} for hex in ("D4", "D5")]


def test_row_houses_are_looked_over_from_above_as_the_houses_are() -> None:
    row = [{"terrain": "heavy_structure", "hexes": "D4-D5", "walls": "D4|D5"}]
    assert Board(buildings=row, levels={2: "D2"}).verdict("D2", "D8") == "clear"
    assert Board(buildings=row, levels={2: "D2"}).verdict("D2", "D6") == "D5 60.13"
    assert Board(buildings=row, levels={2: "D2"}).verdict("D2", "D5") == "D4 60.13"
    tall = [{"terrain": "heavy_structure", "hexes": "D4-D5", "level": 2, "walls": "D4|D5"}]
    assert Board(buildings=tall, levels={2: "D2, D8"}).verdict("D2", "D8") == "D4 54.2"
    assert Board(buildings=row, levels={3: "D4"}).verdict("D4", "D5") == "D4|D5 56.3", "its own wall, however high"
