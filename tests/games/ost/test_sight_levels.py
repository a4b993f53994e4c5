"""Sight between levels (49, 60), structures and their outlines (53-55, 59), the city and the road (57, 61)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.ost.sight_ground import step
from tests.games.ost.sight_help import Board

#: A square in the upper left of a hex: lines through the centre miss it.
CORNER = [[-0.45, -0.3], [-0.25, -0.3], [-0.25, -0.2], [-0.45, -0.2]]
#: A square around the centre.
MIDDLE = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]


def house(hexes: str, level: int = 1, terrain: str = "heavy_structure", **more: Any) -> dict[str, Any]:
    return {"terrain": terrain, "hexes": hexes, "level": level, **more}


# ---- same level ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "60.1", "60.2", "60.5")
def test_levels_are_four_neighbouring_steps() -> None:
    assert [step(level) for level in (-1, 1, 2, 3)] == [0, 1, 2, 3]
    board = Board(levels={-1: "A1", 2: "C1", 3: "D1"})
    assert [board.see("A1", hex).level_diff for hex in ("A1", "B1", "C1", "D1")] == [0, -1, -2, -3]
    assert board.battle.ground_level("B1") == 1


@pytest.mark.rule("ost", "49.8", "60.3", "60.4", "60.6")
def test_a_hill_blocks_for_units_lower_than_it() -> None:
    for level in (2, 3):
        assert Board(levels={level: "D4"}).verdict("D2", "D7") == "D4 49.8"
    assert Board(levels={2: "D2, D7", 3: "D4"}).verdict("D2", "D7") == "D4 49.8"
    assert Board(levels={2: "D2, D4, D7"}).verdict("D2", "D7") == "clear", "as high as they stand"
    assert Board(levels={3: "D2, D7", 2: "D4"}).verdict("D2", "D7") == "clear"


@pytest.mark.rule("ost", "60.6", "60.13")
def test_on_one_level_terrain_of_lower_ground_is_looked_over() -> None:
    for terrain in ("woods", "brush", "heavy_structure"):
        assert Board(levels={2: "D2, D7"}, **{terrain: "D3-D6"}).verdict("D2", "D7") == "clear"
    assert Board(levels={2: "D2-D7"}, woods="D4").verdict("D2", "D7") == "D4 41.6"
    assert Board(levels={2: "D2-D7"}, brush="D4").verdict("D2", "D7") == "-1"
    assert Board(levels={2: "D2, D7"}, wrecks="D4").verdict("D2", "D7") == "clear"
    assert Board(levels={2: "D2, D4, D7"}, wrecks="D4").verdict("D2", "D7") == "-1"


@pytest.mark.rule("ost", "60.7")
def test_what_has_no_height_never_matters() -> None:
    for terrain in ("farm", "wheatfield", "shell_holes", "open", "stream"):
        board = Board(levels={2: "D2"}, roads=["D3:D6"], **{terrain: "D3-D6"})
        assert board.verdict("D2", "D7") == "clear"
    for work in ("bunker", "wire"):
        board = Board(levels={2: "D2"}, works={"D3": work, "D6": work})
        assert board.verdict("D2", "D7") == "clear"


# ---- crest and plateau -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "60.10", "60.11", "60.12")
def test_only_a_crest_looks_down() -> None:
    board = Board(levels={2: "D1-D3"})
    assert board.verdict("D3", "D7") == "clear", "D3 is the crest"
    assert board.verdict("D2", "D7") == "D3 60.11", "one hex back is a plateau"
    assert board.verdict("D7", "D2") == "D3 60.12", "and nobody below sees it"
    assert board.verdict("D7", "D3") == "clear"
    assert board.verdict("D1", "D3") == "clear", "the same level"
    assert Board(levels={2: "D2, D3", 3: "D7"}).verdict("D2", "D7") == "clear", "a plateau sees what is higher"


@pytest.mark.rule("ost", "60.10", "60.11")
def test_the_crest_must_face_the_target() -> None:
    board = Board(levels={2: "D3, D4"})
    assert board.verdict("D3", "D1") == "clear"
    assert board.verdict("D3", "D7") == "D4 60.11"


@pytest.mark.rule("ost", "35.9", "60.10")
def test_a_crest_seen_along_a_spine_needs_both_hexes_lower() -> None:
    assert Board(levels={2: "B3"}).verdict("B3", "F3") == "clear"
    assert Board(levels={2: "B3, C4"}).verdict("B3", "F3") == "C4 60.11"


@pytest.mark.rule("ost", "60.11", "60.14")
def test_a_blockage_at_its_feet_makes_a_plateau() -> None:
    for terrain in ("woods", "light_structure"):
        board = Board(levels={2: "D2"}, **{terrain: "D3"})
        assert board.verdict("D2", "D7") == "D3 60.11"
        assert board.verdict("D7", "D2") == "D3 60.14"
    assert Board(levels={2: "D2"}, brush="D3").verdict("D2", "D7") == "clear", "only what blocks"
    assert Board(levels={3: "D2"}, woods="D3").verdict("D2", "D7") == "clear", "two steps down it is looked over"
    assert Board(levels={3: "D2", 2: "D3"}, woods="D3").verdict("D2", "D7") == "D3 60.11"
    assert Board(levels={2: "D2, D7"}, woods="D3").verdict("D2", "D7") == "clear", "a plateau sees its own level"


def test_adjacent_units_always_see_each_other() -> None:
    for high, low in ((2, 1), (3, 1), (3, 2), (3, -1), (1, -1)):
        assert Board(levels={high: "D2", low: "D3"}, woods="D2, D3").verdict("D2", "D3") == "clear"


# ---- looking over, and the blind spot --------------------------------------------------------------


@pytest.mark.rule("ost", "60.13")
def test_the_figure_of_the_hill() -> None:
    """E-20 to E-23: a machine gun on a hill, and what hides the squads below it."""
    board = Board(
        {"h": "ger_hmg42 B2", "s1": "us_rifle B6", "s2": "us_rifle D6", "s3": "us_rifle G5", "s4": "us_rifle F2"},
        levels={2: "B2"},
        woods="B5",
        hedge="C4|C5, C5|D5, C4|D4",
        light_structure="F4",
        brush="E2, E3",
    )
    assert board.verdict("h", "s1") == "B5 60.13"
    assert board.verdict("h", "s2") == "clear"
    assert board.verdict("h", "s3") == "F4 60.13"
    seen = board.see("h", "s4")
    assert seen.degraded == ("E2/E3",)
    assert seen.behind
    assert seen.level_diff == 1
    # That hedge does lie on the line, and would cost a shot on the level.
    assert Board(hedge="C4|C5, C5|D5, C4|D4").verdict("B2", "D6") == "-2"


@pytest.mark.rule("ost", "60.13", "49.9")
def test_lower_terrain_hides_only_the_hex_behind_it() -> None:
    board = Board(levels={2: "D1"}, woods="D4")
    assert [board.verdict("D1", f"D{row}") for row in (3, 4, 5, 6, 7)] == [
        "clear",
        "clear",
        "D4 60.13",
        "clear",
        "clear",
    ]
    board = Board(levels={3: "D1", 2: "D4"})
    assert board.verdict("D1", "D5") == "D4 60.13", "behind a hill"
    assert board.verdict("D1", "D6") == "clear"
    board = Board(levels={2: "D1"}, brush="D4, D5, D6")
    assert [board.see("D1", f"D{row}").degraded for row in (4, 5, 7, 8)] == [(), ("D4",), ("D6",), ()]


@pytest.mark.rule("ost", "49.9", "60.13")
def test_a_ridge_as_high_as_the_viewer_hides_what_is_right_behind_it() -> None:
    board = Board(levels={2: "D1, D4"})
    assert board.verdict("D1", "D5") == "D4 60.13"
    assert board.verdict("D1", "D6") == "clear"
    assert Board(levels={2: "D1, D4"}, woods="D4").verdict("D1", "D7") == "D4 41.6"
    assert Board(levels={2: "D1, D4"}, brush="D4").verdict("D1", "D7") == "-1"
    assert Board(levels={2: "D1", 3: "D4"}).verdict("D1", "D7") == "D4 49.8"


@pytest.mark.rule("ost", "60.13")
def test_fortifications_and_wrecks_half_hide_the_hex_behind_them() -> None:
    for board in (Board(levels={2: "D1"}, wrecks="D4"), Board(levels={2: "D1"}, works={"D4": "roadblock"})):
        seen = board.see("D1", "D5")
        assert seen.degraded == ("D4",)
        assert seen.behind
        assert board.verdict("D1", "D6") == "clear"
        assert board.verdict("D1", "D4") == "clear"


@pytest.mark.rule("ost", "60.11", "60.13")
def test_woods_on_lower_ground_hide_a_level_2_unit_from_level_3() -> None:
    """L-7 (4) as it is written; by 60.11 alone the lower unit could look up."""
    board = Board(levels={3: "D2", 2: "D6"}, woods="D5")
    assert board.verdict("D2", "D6") == board.verdict("D6", "D2") == "D5 60.13"
    told = board.told("D6", "D2").say()
    assert told.startswith("D6 (level 2) to D2 (level 3), range 4: blocked by D5 [60.13]")
    assert "  D5: woods, next to the lower unit: block [60.13]" in told
    assert Board(levels={3: "D2", 2: "D6"}, woods="D4").verdict("D6", "D2") == "clear", "not next to it"
    plateau = Board(levels={3: "D2", 2: "D3"}, woods="D3").told("D2", "D7").say()
    assert "  D3: woods on level 2, next to the higher unit: block [60.11]" in plateau


@pytest.mark.rule("ost", "60.13")
def test_any_lower_obstacle_right_in_front_makes_a_blind_spot() -> None:
    """L-7 (4) asks what stands in the hex next to the lower unit, not how high it stands."""
    assert Board(levels={3: "D1", 2: "D6"}, woods="D5").verdict("D1", "D6") == "D5 60.13"
    assert Board(levels={3: "D1", 2: "D6"}, brush="D5").verdict("D1", "D6") == "-1"
    assert Board(levels={3: "D1", 2: "D5, D6"}, woods="D5").verdict("D1", "D6") == "D5 60.13"
    assert Board(levels={2: "D1, D6"}, woods="D5").verdict("D1", "D6") == "clear", "on one level it is looked over"


@pytest.mark.rule("ost", "60.13")
def test_the_blind_spot_along_a_spine() -> None:
    assert Board(levels={2: "B3"}, woods="E4").verdict("B3", "F3") == "E4 60.13"
    assert Board(levels={2: "B3"}, brush="E3, E4").see("B3", "F3").degraded == ("E3/E4",)
    assert Board(levels={2: "B3"}, woods="D3").verdict("B3", "F3") == "clear"


@pytest.mark.rule("ost", "33.7", "60.15")
def test_smoke_is_never_looked_over_and_hides_no_more() -> None:
    for levels in ({2: "D1"}, {3: "D1"}, {3: "D1, D7"}, {3: "D1", 2: "D7"}, {-1: "D4"}):
        for hex in ("D3", "D4", "D6"):
            board = Board(levels=levels, smoke=hex)
            seen = board.see("D1", "D7")
            assert seen.degraded == (hex,), (levels, hex)
            assert not seen.behind
    assert Board(levels={2: "D1"}, brush="D6", smoke="D6").verdict("D1", "D7") == "-1"
    assert Board(levels={-1: "D3-D7"}, smoke="D4").verdict("D3", "D7") == "-1"


# ---- depressions -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "60.5", "60.18")
def test_a_depression_sees_itself_and_its_edge() -> None:
    board = Board(levels={-1: "D3-D6"})
    assert board.verdict("D3", "D6") == "clear"
    assert board.verdict("D4", "D7") == "clear", "the edge at the end of the row"
    assert board.verdict("D4", "D8") == "D7 60.18", "not what lies beyond"
    assert board.verdict("D4", "F4") == "E4 60.18", "nor past the bank"
    assert board.verdict("D4", "E4") == "clear", "but the bank itself"
    assert Board(levels={-1: "D3-D4, D6-D7"}).verdict("D4", "D6") == "D5 60.18", "another depression"


@pytest.mark.rule("ost", "60.18")
def test_nothing_higher_than_level_1_sees_into_a_depression() -> None:
    assert Board(levels={-1: "D4-D6", 2: "D2"}).verdict("D2", "D5") == "D2 60.18"
    board = Board(levels={-1: "D4-D6", 2: "D3"})
    assert board.verdict("D3", "D6") == "D3 60.18"
    assert board.verdict("D3", "D4") == "clear", "unless it is adjacent"


@pytest.mark.rule("ost", "60.18")
def test_a_house_on_the_edge_sees_into_the_depression() -> None:
    board = Board({"a": "us_rifle D3", "g": "ger_rifle D6"}, levels={-1: "D4-D6"}, buildings=[house("D3", 2)])
    assert board.verdict("a", "g") == "clear"
    assert board.see("a", "g").level_diff == 2


@pytest.mark.rule("ost", "60.18")
def test_two_on_the_level_look_across_a_gully() -> None:
    assert Board(levels={-1: "D3-D6"}, woods="D4").verdict("D2", "D7") == "clear"
    assert Board(levels={-1: "D3-D6", 2: "D2"}, woods="D4").verdict("D2", "D7") == "clear"


@pytest.mark.rule("ost", "60.13", "60.18")
def test_terrain_in_a_depression() -> None:
    assert Board(levels={-1: "D3-D6"}, woods="D4").verdict("D3", "D6") == "D4 41.6"
    assert Board(levels={-1: "D3-D6"}, brush="D4").verdict("D3", "D6") == "-1"
    assert Board(levels={-1: "D3-D6"}, brush="D5").verdict("D2", "D6") == "-1", "right behind it, from the edge"
    assert Board(levels={-1: "D3-D6"}, brush="D4").verdict("D2", "D6") == "clear", "from the edge it is looked over"
    assert Board(levels={-1: "D3-D6"}, woods="D3").verdict("D2", "D6") == "D3 60.11"
    cellar = Board(levels={-1: "D3-D6"}, light_structure="D4")
    assert cellar.verdict("D2", "D6") == "clear", "a house of one storey stands no higher than the bank"
    assert cellar.verdict("D3", "D6") == "D4 53.4"


# ---- outlines --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "35.8", "53.4", "54.2", "59.7")
def test_only_the_drawing_of_a_structure_blocks() -> None:
    for terrain, rule in (("light_structure", "53.4"), ("heavy_structure", "54.2")):
        missed = Board(buildings=[house("D4", terrain=terrain, outline=CORNER)])
        assert missed.see("D2", "D7").degraded == ("D4",)
        assert missed.told("D2", "D7").lines[1].rule == "59.7"
        hit = Board(buildings=[house("D4", terrain=terrain, outline=MIDDLE)])
        assert hit.verdict("D2", "D7") == f"D4 {rule}"
        assert Board(buildings=[house("D4", terrain=terrain)]).verdict("D2", "D7") == f"D4 {rule}", (
            "no drawing: all of it"
        )
    # Some lines hit the drawing in the corner, and the same hex is told apart for each.
    missed = Board(buildings=[house("D4", outline=CORNER)])
    for viewer, target in (("B3", "E5"), ("B4", "E4"), ("D3", "C6")):
        assert missed.verdict(viewer, target) == "D4 54.2"
    for viewer, target in (("B4", "F3"), ("C5", "F4"), ("C3", "D6"), ("C4", "E4")):
        assert missed.verdict(viewer, target) == "-1"


@pytest.mark.rule("ost", "59.7")
def test_past_a_tall_house_only_its_yard_counts() -> None:
    """A multi-level structure stands as high as its storeys; the rest of the hex lies on the ground."""
    tall = [house("D4", 3, outline=CORNER)]
    assert Board(buildings=tall).verdict("D2", "D7") == "-1"
    assert Board(buildings=tall, levels={2: "D2, D7"}).verdict("D2", "D7") == "clear"
    assert Board(buildings=[house("D4", 3)], levels={2: "D2, D7"}).verdict("D2", "D7") == "D4 54.2"


@pytest.mark.rule("ost", "35.8", "49.10", "49.11", "59.8")
def test_only_the_drawing_of_a_hill_blocks() -> None:
    def hill(outline: list[list[float]], level: int = 2) -> list[dict[str, Any]]:
        return [{"hexes": "D4", "outline": outline}]

    missed = Board(levels={2: "D4"}, hills=hill(CORNER))
    assert missed.see("D2", "D7").degraded == ("D4",)
    assert missed.told("D2", "D7").lines[1].rule == "59.8"
    assert Board(levels={3: "D4"}, hills=hill(CORNER)).verdict("D2", "D7") == "-1"
    assert Board(levels={2: "D4"}, hills=hill(MIDDLE)).verdict("D2", "D7") == "D4 49.8"
    assert Board(levels={2: "D4"}, hills=hill(CORNER), woods="D4").verdict("D2", "D7") == "D4 41.6"
    assert Board(levels={2: "D2, D4, D7"}, hills=hill(CORNER)).verdict("D2", "D7") == "clear", "nobody is lower"
    # Right in front of the lower unit it half hides it; next to the higher one it is no plateau.
    assert Board(levels={3: "D1", 2: "D4"}, hills=hill(CORNER)).see("D1", "D5").degraded == ("D4",)
    assert Board(levels={2: "D3, D4"}, hills=hill(CORNER)).verdict("D3", "D7") == "clear"


# ---- 55: multi-level and multi-hex structures ------------------------------------------------------


@pytest.mark.rule("ost", "55.4")
def test_a_unit_in_a_tall_house_is_at_its_top() -> None:
    board = Board({"a": "us_rifle D1", "g": "ger_rifle D8"}, buildings=[house("D1", 2)], woods="D4")
    seen = board.see("a", "g")
    assert seen.clear
    assert seen.level_diff == 1
    assert board.see("g", "a").level_diff == -1
    assert Board({"a": "us_rifle D1", "g": "ger_rifle D8"}, buildings=[house("D1")], woods="D4").verdict("a", "g") == (
        "D4 41.6"
    )


@pytest.mark.rule("ost", "55.5")
def test_a_heavy_weapon_is_on_the_ground_floor() -> None:
    board = Board({"a": "us_at57 D1", "g": "ger_rifle D8"}, buildings=[house("D1", 3)], woods="D4")
    assert board.verdict("a", "g") == "D4 41.6"
    assert board.see("a", "g").level_diff == 0


@pytest.mark.rule("ost", "55.6")
def test_inside_a_building_only_adjacent_hexes() -> None:
    board = Board(buildings=[house("D3-D6", 2)])
    assert board.verdict("D3", "D4") == "clear"
    assert board.verdict("D3", "D5") == "D4 55.6"
    assert board.verdict("D3", "D6") == "D4 55.6"
    assert board.verdict("D3", "D8") == "D4 54.2", "nor out of it through it"
    mixed = Board(buildings=[house("D3-D5")], levels={2: "D3, D5"})
    assert mixed.verdict("D3", "D5") == "D4 55.6", "even where the ground would let it pass"


@pytest.mark.rule("ost", "55.6", "61.5")
def test_across_a_gap_in_the_building() -> None:
    """E-24: hexes with art but no triangle are open, and the line over them is not inside."""
    board = Board(size="16x22", buildings=[house("N19, O19, N21, M19", 2)], urban=True)
    assert board.verdict("N21", "N19") == "clear"
    assert board.verdict("N21", "O19") == "clear"
    assert board.verdict("M19", "O19") == "N19 55.6", "that one is inside"
    assert board.verdict("N19", "O19") == "clear"


@pytest.mark.rule("ost", "61.5")
def test_a_drawing_that_spills_over_is_ignored() -> None:
    wide = [[-0.5, -0.5], [0.5, -0.5], [0.5, 1.4], [-0.5, 1.4]]
    board = Board(buildings=[house("D4", 2, outline=wide)], urban=True)
    assert board.verdict("C5", "F5") == "clear", "the drawing reaches into D5, which is not marked"
    assert board.verdict("D3", "D6") == "D4 61.2"


# ---- 61: the city ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "61.1", "61.2")
def test_in_the_city_multi_level_buildings_always_block() -> None:
    buildings = [house("D1", 3), house("D4", 2)]
    assert Board(buildings=buildings, urban=True).verdict("D1", "D8") == "D4 61.2"
    assert Board(buildings=buildings).verdict("D1", "D8") == "clear", "elsewhere 60 governs"
    low = [house("D1", 3), house("D4", 1)]
    assert Board(buildings=low, urban=True).verdict("D1", "D8") == "clear", "level 1 is looked over"
    assert (
        Board(buildings=[house("D1", 3), house("D8", 3), house("D4", 2)], urban=True).verdict("D1", "D8") == "D4 61.2"
    )
    assert Board(buildings=[house("D1", 3), house("D8", 3), house("D4", 2)]).verdict("D1", "D8") == "clear"


@pytest.mark.rule("ost", "61.4", "61.3")
def test_between_multi_level_buildings_level_1_is_ignored() -> None:
    ends = [house("D1", 3), house("D8", 2)]
    wild: dict[str, str] = {"woods": "D3, D7", "brush": "D5", "debris": "D6", "light_structure": "D2, D4"}
    seen = Board(buildings=ends, urban=True, **wild).see("D1", "D8")
    assert (seen.clear, seen.degraded, seen.level_diff) == (True, (), 1)
    assert Board(buildings=ends, **wild).verdict("D1", "D8") == "D7 60.13", "elsewhere it is in the blind spot"
    assert Board(buildings=ends, urban=True, brush="D7").verdict("D1", "D8") == "clear"
    assert Board(buildings=ends, urban=True, wrecks="D7").verdict("D1", "D8") == "clear"
    assert Board(buildings=ends, wrecks="D7").verdict("D1", "D8") == "-1"
    assert Board(buildings=ends, urban=True, bocage="D7|D8").verdict("D1", "D8") == "clear"
    assert Board(buildings=ends, bocage="D7|D8").verdict("D1", "D8") == "D7|D8 60.13"
    assert Board(buildings=ends, urban=True, smoke="D4", **wild).verdict("D1", "D8") == "-1", "smoke has all levels"
    # What stands higher counts as ever.
    assert Board(buildings=ends, urban=True, levels={2: "D7"}, woods="D7").verdict("D1", "D8") == "D7 60.13"
    # From the ground floor, or from a house of one storey, level 1 counts.
    units = {"a": "us_at57 D1", "g": "ger_rifle D8"}
    assert Board(units, buildings=ends, urban=True, woods="D7").verdict("a", "g") == "D7 60.14"
    low = [house("D1", 3), house("D8", 1)]
    assert Board(buildings=low, urban=True, woods="D7").verdict("D1", "D8") == "D7 60.13"


@pytest.mark.rule("ost", "61.6")
def test_level_1_structures_count_with_their_whole_drawing() -> None:
    for urban in (False, True):
        assert Board(buildings=[house("D4", outline=MIDDLE)], urban=urban).verdict("D2", "D7") == "D4 54.2"
        assert Board(buildings=[house("D4", outline=CORNER)], urban=urban).verdict("D2", "D7") == "-1"
        two = [house("D4, D5", outline=[[-0.1, 0.3], [0.1, 0.3], [0.1, 0.7], [-0.1, 0.7]])]
        assert Board(buildings=two, urban=urban).verdict("D2", "D8") == "D4 54.2", "in each of its hexes"


# ---- on the road: 57.6, 61.9-61.12 -----------------------------------------------------------------

# The road runs down column D, past a house in D4; woods stand in C4. From A4 the centre of D4 is hidden,
# the point where the road leaves towards D5 is not.
STREET: dict[str, Any] = {"roads": ["D1:D8"], "woods": "C4"}
HOUSE: dict[str, Any] = {**STREET, "light_structure": "D4"}


@pytest.mark.rule("ost", "61.9", "61.10", "57.6")
def test_on_the_road_any_part_of_it_sees_and_is_seen() -> None:
    units = {"a": "us_rifle D4 on_road", "t": "us_m4a1 D4", "g": "ger_rifle A4"}
    board = Board(units, **HOUSE)
    inside = Board({"i": "us_rifle D4", "g": "ger_rifle A4"}, **HOUSE)
    assert inside.verdict("i", "g") == "C4 41.6", "in the house by the centre"
    assert board.verdict("g", "a") == "clear"
    assert board.verdict("a", "g") == "clear"
    assert board.verdict("g", "t") == "clear", "a vehicle can be nowhere but on the road (57.4)"
    assert board.see("g", "a").crossed == (("B4",), ("C5",))
    board.state.smoke["C5"] = 1
    assert board.see("g", "a").degraded == ("C5",)
    board.state.smoke["B4"] = board.state.wrecks["C5"] = 1
    assert board.verdict("g", "a") == "-2"


@pytest.mark.rule("ost", "61.9")
def test_the_best_part_of_the_road_counts() -> None:
    units = {"a": "us_rifle D4 on_road", "g": "ger_rifle B4"}
    plain = {"roads": ["D1:D8"], "light_structure": "D4"}
    # By the centre along the spine C4|C5, by the road's ends through C4 or C5 alone.
    assert Board(units, brush="C5", **plain).see("g", "a").crossed == (("C4",),)
    assert Board(units, brush="C5", **plain).verdict("g", "a") == "clear"
    assert Board(units, brush="C4", **plain).verdict("g", "a") == "clear"
    assert Board(units, brush="C4, C5", **plain).verdict("g", "a") == "-1"
    board = Board(units, smoke="C4", **plain)
    assert board.verdict("g", "a") == "clear", "smoke on one of the lines leaves the other"
    board.state.smoke["C5"] = 1
    assert board.verdict("g", "a") == "-1"
    assert Board(units, **plain).see("g", "a").crossed == (("C4", "C5"),), "the centre, where nothing is better"


@pytest.mark.rule("ost", "47.7", "47.3")
def test_on_the_road_bocage_tells_men_from_vehicles() -> None:
    units = {"a": "us_rifle D4 on_road", "t": "us_m4a1 D4", "g": "ger_rifle F4"}
    board = Board(units, roads=["D1:D8"], light_structure="D4", bocage="D4:123, D3:3, D5:2, E4:4, E5:1")
    assert board.verdict("t", "g").endswith("47.3")
    assert Board(units, roads=["D1:D8"], light_structure="D4", bocage="D4:123").verdict("a", "g") == "clear"


def test_a_road_that_leaves_the_map_is_no_way_round() -> None:
    # The roads of A1 and C1 leave to the north; beyond the map nothing would stand between them.
    units = {"a": "us_rifle A1 on_road", "g": "ger_rifle C1 on_road"}
    roads = ["A1>1, A1", "C1>1, C1"]
    assert Board(units, roads=roads, light_structure="A1, C1", woods="B1").verdict("a", "g") == "B1 41.6"
    # Of B1 and D1 they leave level with the centre of C1, which is on the map.
    units = {"a": "us_rifle B1 on_road", "g": "ger_rifle D1 on_road"}
    roads = ["B1>1, B1", "D1>1, D1"]
    assert Board(units, roads=roads, light_structure="B1, D1", woods="C2").verdict("a", "g") == "clear"


@pytest.mark.rule("ost", "61.11", "61.12")
def test_elsewhere_the_centre_counts() -> None:
    units = {"a": "us_rifle D4 on_road", "t": "us_m4a1 D4", "g": "ger_rifle A4"}
    fallen = Board(units, **HOUSE)
    fallen.state.rubble.append("D4")
    for board in (Board(units, **STREET), Board(units, debris="D4", **STREET), fallen):
        assert board.verdict("a", "g") == "C4 41.6"
        assert board.verdict("t", "g") == "C4 41.6"
