"""Line of sight (58), what degrades it (59), and the terrain and counters it meets (30-45, 50-53)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grognard.games.ost import line_of_sight
from grognard.games.ost import sight as module
from grognard.games.ost.charts import charts
from grognard.games.ost.sight import can_spot, sight, sight_from, sight_hex
from grognard.games.ost.state import BROKEN, OFF_MAP, SHAKEN, Melee, Weapon
from grognard.kits.hex.looks import Looks
from tests.games.ost.sight_help import Board

# D2 looks straight down the column: D3, D4, D5, D6 ... are entered one after the other.
# B3 looks along its row: the spine C3|C4, then D3, the spine E3|E4, then F3 ...


# ---- 58: the line ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "58.1")
def test_the_line_runs_from_centre_to_centre() -> None:
    # From C3 to F5 it enters D3, D4, E4 and E5, and nothing else.
    for hex in ("D3", "D4", "E4", "E5"):
        assert Board(woods=hex).verdict("C3", "F5") == f"{hex} 41.6"
    assert Board(woods="C4, C5, D2, D5, E3, E6, F4, F6").verdict("C3", "F5") == "clear"


@pytest.mark.rule("ost", "58.1")
def test_a_hex_of_which_only_a_corner_is_touched_does_not_count() -> None:
    # D2 to E7 passes from D3 to D4 through the corner of E4.
    board = Board(woods="E4")
    assert board.see("D2", "E7").crossed == (("D3",), ("D4",), ("E5",), ("E6",))
    assert board.verdict("D2", "E7") == "clear"


@pytest.mark.rule("ost", "58.1", "58.8", "59.4")
def test_terrain_of_the_two_ends_does_not_count() -> None:
    """E-19: a Rifle in brush fires at a unit in woods, neither degraded nor blocked."""
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D4"}, brush="D2", woods="D4")
    assert board.verdict("a", "g") == "clear"
    assert Board(brush="D2, D4").verdict("D2", "D4") == "clear"
    assert Board(heavy_structure="D2, D4").verdict("D2", "D4") == "clear"


@pytest.mark.rule("ost", "58.4")
def test_looking_costs_nothing_and_changes_nothing() -> None:
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D6"}, brush="D4")
    before = repr(board.state)
    for _ in range(3):
        assert board.verdict("a", "g") == "-1"
        assert board.told("a", "g").sight.degraded == ("D4",)
    assert repr(board.state) == before
    assert board.battle.log == []


@pytest.mark.rule("ost", "58.6")
def test_units_are_no_obstacle() -> None:
    units = {"a": "us_rifle D2", "g": "ger_rifle D6", "t": "us_m4a1 D3", "h": "ger_rifle D4", "p": "ger_pz4h D5"}
    assert Board(units).verdict("a", "g") == "clear"
    assert Board(units, wrecks="D4").verdict("a", "g") == "-1"


@pytest.mark.rule("ost", "58.7")
def test_a_melee_is_no_obstacle() -> None:
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D6"})
    board.state.melees["D4"] = Melee("german", 5)
    assert board.verdict("a", "g") == "clear"


@pytest.mark.rule("ost", "58.2", "107.5", "107.6")
def test_spotting_needs_sight_good_order_and_range() -> None:
    units = {"a": "us_rifle A1", "s": "us_sgt A2", "p": "ger_pak40 A3", "f": "ger_pak43 B1"}
    board = Board(units, size="32x3", woods="D1")
    a, s = board["a"], board["s"]
    assert board.see("A1", "C1").clear
    assert can_spot(board.battle, a, "C1")
    assert not can_spot(board.battle, a, "G1"), "woods at D1 are in the way"
    assert can_spot(board.battle, s, "U3"), "a Leader at range 20"
    assert board.battle.grid.distance("A2", "V3") == 21
    assert sight_hex(board.battle, s, "V3").clear
    assert not can_spot(board.battle, s, "V3")
    assert can_spot(board.battle, board["p"], "Y3"), "its gun reaches 24"
    assert sight_hex(board.battle, board["p"], "Z3").clear
    assert not can_spot(board.battle, board["p"], "Z3")
    for morale in (SHAKEN, BROKEN):
        a.morale = morale
        assert not can_spot(board.battle, a, "C1")
    a.morale = 0
    a.hidden = True
    assert can_spot(board.battle, a, "C1")
    assert a.hidden, "spotting does not reveal (L-16)"
    a.hidden = False
    board.state.melees["A1"] = Melee("german", 5)
    assert not can_spot(board.battle, a, "C1")


@pytest.mark.rule("ost", "107.6")
def test_a_weapon_that_a_squad_carries_can_lengthen_its_spotting_range() -> None:
    board = Board({"a": "us_rifle A2"}, size="32x3")
    board.state.weapons["w"] = Weapon("w", "us_mortar60", "a")
    assert not can_spot(board.battle, board["a"], "W2")
    longer = msgspec.structs.replace(board.battle.kinds["us_mortar60"], range=25)
    board.battle.kinds = {**board.battle.kinds, "us_mortar60": longer}
    assert can_spot(board.battle, board["a"], "W2")


def test_only_units_on_the_map_spot() -> None:
    board = Board({"a": "us_rifle B2"})
    assert can_spot(board.battle, board["a"], "D2")
    board["a"].status = OFF_MAP
    assert not can_spot(board.battle, board["a"], "D2")


@pytest.mark.rule("ost", "107.6")
def test_passengers_do_not_spot() -> None:
    board = Board({"t": "us_m4a1 B2", "a": "us_rifle B2 aboard=t"})
    assert not can_spot(board.battle, board["a"], "D2")
    assert can_spot(board.battle, board["t"], "D2")


# ---- what each terrain does ------------------------------------------------------------------------

NO_EFFECT = ("open", "farm", "wheatfield", "stream", "marsh", "shell_holes", "river")
DEGRADING = ("brush", "orchard", "cemetery", "debris", "rubble")
BLOCKING = ("woods", "light_structure", "heavy_structure")


@pytest.mark.rule("ost", "35.6", "58.5", "36.3", "39.3", "40.3", "44.4", "45.5", "50.2")
@pytest.mark.parametrize("terrain", NO_EFFECT)
def test_terrain_that_lets_sight_pass(terrain: str) -> None:
    board = Board(**{terrain: "D3-D6"})
    assert board.verdict("D2", "D7") == "clear"
    assert [line.effect for line in board.told("D2", "D7").lines] == ["none"] * 4


@pytest.mark.rule("ost", "35.6", "58.5", "59.1", "37.4", "42.5", "43.4", "51.2", "52.2")
@pytest.mark.parametrize("terrain", DEGRADING)
def test_terrain_that_degrades(terrain: str) -> None:
    seen = Board(**{terrain: "D4"}).see("D2", "D7")
    assert seen.clear
    assert seen.degraded == ("D4",)


@pytest.mark.rule("ost", "35.6", "58.5", "41.6", "53.4", "54.2")
@pytest.mark.parametrize("terrain", BLOCKING)
def test_terrain_that_blocks(terrain: str) -> None:
    rule = {"woods": "41.6", "light_structure": "53.4", "heavy_structure": "54.2"}[terrain]
    assert Board(**{terrain: "D4"}).verdict("D2", "D7") == f"D4 {rule}"


@pytest.mark.rule("ost", "58.5")
def test_each_terrain_has_exactly_one_effect() -> None:
    known = charts().terrain
    assert {name for name, each in known.items() if each.los == "degrade"} == set(DEGRADING)
    assert {name for name, each in known.items() if each.los == "block"} == set(BLOCKING)
    assert {each.los for each in known.values()} == {"none", "degrade", "block"}


@pytest.mark.rule("ost", "36.3", "38.3", "39.3")
def test_roads_open_and_farms_have_no_effect_of_their_own() -> None:
    assert Board(roads=["D1:D8"]).verdict("D2", "D7") == "clear"
    assert Board(roads=["D1:D8"], brush="D4").verdict("D2", "D7") == "-1", "the other terrain of the hex counts"
    assert [charts().terrain[name].defense for name in ("open", "road", "farm")] == [0, 0, 0]


# ---- counters --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "30.9", "31.7")
def test_wire_does_nothing_and_a_roadblock_degrades() -> None:
    assert Board(works={"D4": "wire"}).verdict("D2", "D7") == "clear"
    assert Board(works={"D4": "roadblock"}).see("D2", "D7").degraded == ("D4",)
    for work in ("cover", "foxholes", "trench", "bunker", "pillbox"):
        assert Board(works={"D4": work}).verdict("D2", "D7") == "clear"


def test_a_hidden_roadblock_is_not_on_the_board() -> None:
    board = Board()
    board.work("D4", "roadblock", hidden=True)
    assert board.verdict("D2", "D7") == "clear"
    board.work("D4", "roadblock")
    assert board.verdict("D2", "D7") == "-1"


@pytest.mark.rule("ost", "33.5", "34.1")
def test_smoke_and_wrecks_degrade() -> None:
    assert Board(smoke="D4").see("D2", "D7").degraded == ("D4",)
    assert Board(wrecks="D4").see("D2", "D7").degraded == ("D4",)
    board = Board(smoke="D4")
    board.state.smoke["D4"] = 2
    assert board.verdict("D2", "D7") == "-1", "Smoke 2 like Smoke"


def test_a_hex_degrades_once_whatever_it_holds() -> None:
    """L-2: brush, smoke and a wreck in one hex are one degradation."""
    board = Board(brush="D4", smoke="D4", wrecks="D4", works={"D4": "roadblock"})
    assert board.see("D2", "D7").degraded == ("D4",)


@pytest.mark.rule("ost", "58.8")
def test_counters_at_the_ends_do_not_degrade() -> None:
    """L-9: smoke in an end hex works on Defense and Firepower instead (33.4)."""
    board = Board(smoke="D2 D7", wrecks="D2 D7", works={"D2": "roadblock", "D7": "roadblock"})
    assert board.verdict("D2", "D7") == "clear"


def test_counters_come_and_go() -> None:
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D7"}, brush="D3")
    assert board.verdict("a", "g") == "-1"
    board.state.smoke["D5"] = 1
    assert board.see("a", "g").degraded == ("D3", "D5")
    board.state.wrecks["D4"] = 1
    assert board.verdict("a", "g") == "D5 59.2"
    board.state.smoke.clear()
    assert board.see("a", "g").degraded == ("D3", "D4")
    board.state.smoke["H8"] = 1
    assert board.see("a", "g").degraded == ("D3", "D4"), "smoke elsewhere"
    board.state.wrecks.clear()
    board.state.smoke.clear()
    assert board.verdict("a", "g") == "-1"


@pytest.mark.rule("ost", "32.3", "52.2")
def test_a_fallen_structure_degrades() -> None:
    board = Board({"a": "us_rifle D2", "g": "ger_rifle D7", "b": "ger_rifle D4"}, heavy_structure="D4, F4")
    assert board.verdict("a", "g") == "D4 54.2"
    assert board.see("b", "g").clear
    board.state.rubble.append("D4")
    assert board.see("a", "g").degraded == ("D4",)
    assert board.verdict("F2", "F7") == "F4 54.2", "the other one stands"
    assert board.see("b", "g").clear


def test_rubble_is_told_apart_from_the_whole_map() -> None:
    """Lines without rubble are taken from the map as it was; they must not mix."""
    buildings = [{"terrain": "heavy_structure", "hexes": "D4-D5", "level": 2}]
    board = Board(buildings=buildings, brush="F3", rubble="D4")
    whole = Board(buildings=buildings, brush="F3")
    for a in board.battle.grid.hexes:
        for b in ("A1", "D3", "D4", "D5", "F6", "I9"):
            assert sight_from(board.battle, a, b) == board.unkept(a, b)
            assert sight_from(whole.battle, a, b) == whole.unkept(a, b)
    assert board.verdict("D3", "D6") == "D5 54.2"
    assert whole.verdict("D3", "D6") == "D4 54.2"


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Looks, "keep", 5)
    monkeypatch.setattr(Looks, "keep_obscured", 2)
    board = Board(brush="C3, D4, E6", woods="F2", size="8x8")
    kept = module._cache_for(board.battle)
    for smoke in ("", "D4", "D5", "D6", "E4"):
        board.state.smoke = dict.fromkeys(smoke.split(), 1)
        for target in ("D3", "D5", "D7", "D8", "F7", "G2", "D7"):
            assert sight_from(board.battle, "D2", target) == board.unkept("D2", target)
            assert len(kept.answers) <= 5
            assert all(len(answer.obscured) <= 2 for answer in kept.answers.values())
    for smoke in ("D4", "D5", "D6"):
        board.state.smoke = {smoke: 1}
        assert sight_from(board.battle, "D2", "D7") == board.unkept("D2", "D7")
    assert all(len(answer.obscured) <= 2 for answer in kept.answers.values())


def test_battles_on_one_map_share_what_is_kept() -> None:
    one, two = (Board({"a": "us_rifle D2", "g": "ger_rifle D7"}, brush="D4", orchard="E4") for _ in range(2))
    assert one.see("a", "g") is two.see("a", "g")
    city = Board({"a": "us_rifle D2", "g": "ger_rifle D7"}, brush="D4", orchard="E4", urban=True)
    assert module._cache_for(city.battle) is not module._cache_for(one.battle)


# ---- 59: degraded ----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "35.7", "59.1", "59.2")
def test_a_third_degradation_blocks() -> None:
    assert Board(brush="D3").verdict("D2", "D7") == "-1"
    assert Board(brush="D3, D4").verdict("D2", "D7") == "-2"
    seen = Board(brush="D3-D5").see("D2", "D7")
    assert (seen.clear, seen.blocked_by, seen.rule) == (False, "D5", "59.2")
    assert seen.degraded == ("D3", "D4")


@pytest.mark.rule("ost", "59.2", "46.11")
def test_hexes_and_hexsides_count_together() -> None:
    assert Board(brush="D3", hedge="D4|D5").see("D2", "D7").degraded == ("D3", "D4|D5")
    assert Board(brush="D3, D5", hedge="D4|D5").verdict("D2", "D7") == "D5 59.2"
    assert Board(brush="D3", hedge="D4|D5", smoke="D6").verdict("D2", "D7") == "D6 59.2"


# ---- spines ----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "35.9")
def test_along_a_spine_the_worse_hex_counts() -> None:
    """E-15, E-16."""
    assert Board(brush="C3", woods="C4").verdict("B3", "D3") == "C4 41.6"
    assert Board(woods="C3", brush="C4").verdict("B3", "D3") == "C3 41.6"
    assert Board(brush="C3").see("B3", "D3").degraded == ("C3",)
    assert Board(brush="C4").see("B3", "D3").degraded == ("C4",)
    assert Board(woods="C4").verdict("B3", "D3") == "C4 41.6"
    assert Board().verdict("B3", "D3") == "clear"


@pytest.mark.rule("ost", "35.9")
def test_a_spine_degrades_once() -> None:
    board = Board(brush="C3, C4")
    assert board.see("B3", "D3").degraded == ("C3/C4",)
    assert Board(brush="C3, C4, E3, E4").verdict("B3", "F3") == "-2"
    assert Board(brush="C3, C4, D3, E4").verdict("B3", "F3") == "E4 59.2"


@pytest.mark.rule("ost", "35.9")
def test_counters_on_a_spine_count_as_the_worse_hex() -> None:
    assert Board(smoke="C4").see("B3", "D3").degraded == ("C4",)
    assert Board(brush="C3", smoke="C4").see("B3", "D3").degraded == ("C3/C4",)
    assert Board(wrecks="C3").verdict("B3", "D3") == "-1"


def test_a_spine_at_the_edge_of_the_map() -> None:
    # A1 and C1 look along the top of B1.
    assert Board(woods="B1").verdict("A1", "C1") == "B1 41.6"
    assert Board(brush="B1").verdict("A1", "C1") == "-1"
    assert Board().verdict("A1", "C1") == "clear"


# ---- the report ------------------------------------------------------------------------------------


def test_a_report_tells_everything_on_the_line_in_order() -> None:
    board = Board(
        {"a": "us_rifle B3", "g": "ger_rifle H3"},
        brush="D3",
        hedge="B3|C3, D3|E3",
        woods="G4",
        smoke="F3",
        levels={2: "G3"},
    )
    report = board.told("a", "g")
    assert [tuple(line) for line in report.lines] == [
        ("B3|C3", "hedge, at its end", "none", "46.13"),
        ("C3/C4", "open / open", "none", "36.3"),
        ("D3", "brush", "degrade", "37.4"),
        ("D3|E3", "hedge, at its end", "degrade", "46.2"),
        ("E3/E4", "open / open", "none", "36.3"),
        ("F3", "open with smoke", "degrade", "33.5"),
        ("G3/G4", "open on level 2 / woods", "block", "49.8"),
    ]
    assert report.sight == sight(board.battle, board["a"], board["g"])
    assert (report.range, report.viewer_height, report.target_height) == (6, "level 1", "level 1")
    assert report.say().splitlines()[0] == "B3 to H3, range 6: blocked by G3 [49.8]", "the ground alone"


def test_reports_of_hexes_and_verdicts_in_words() -> None:
    board = Board(brush="D4", works={"D5": "roadblock"}, levels={-1: "H3-H5"})
    assert board.told("D2", "D7").say() == (
        "D2 to D7, range 5: clear, degraded 2 (D4, D5)\n"
        "  D3: open: none [36.3]\n"
        "  D4: brush: degrade [37.4]\n"
        "  D5: open with a roadblock: degrade [31.7]\n"
        "  D6: open: none [36.3]"
    )
    assert board.told("A1", "A2").say() == "A1 to A2, range 1: clear"
    assert board.told("H3", "H4").viewer_height == "level -1"


def test_a_hex_off_the_map_is_refused() -> None:
    board = Board({"a": "us_rifle D2"})
    with pytest.raises(ValueError, match="Z9 is off the map"):
        sight_hex(board.battle, board["a"], "Z9")


def test_a_unit_sees_its_own_hex() -> None:
    board = Board({"a": "us_rifle D2", "b": "us_sgt D2"}, woods="D2")
    assert board.verdict("a", "b") == "clear"


@pytest.mark.rule("ost", "61.9", "61.10", "58.1")
def test_of_two_lines_the_better_is_taken_and_of_equals_the_first() -> None:
    def seen(clear: bool, degraded: int, sides: int, name: str) -> tuple[Any, Any]:
        sight = line_of_sight.Sight(clear, ("D4",) * degraded, "", "", ("D4|D5",) * sides, False, 0, ())
        return name, sight

    worse, same, best = seen(True, 1, 0, "worse"), seen(True, 0, 1, "same"), seen(True, 0, 0, "best")
    blocked = seen(False, 0, 0, "blocked")
    for lines in ([worse, best], [best, worse], [blocked, best], [same, best], [best], [best, ("again", best[1])]):
        assert line_of_sight.best(lines)[0] == "best"
    assert line_of_sight.best([blocked, worse])[0] == "worse"
    assert line_of_sight.best([worse, same])[0] == "same"
