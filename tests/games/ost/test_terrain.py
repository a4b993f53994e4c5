"""Terrain: what it costs to enter, who may not, who rolls for bog, and what shelter it gives (35-57)."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.games.ost import terrain
from grognard.games.ost.sight import sight
from grognard.games.ost.terrain import Cost
from tests.games.ost.helpers import answer, battle, lines, rolled, tally, unit
from tests.games.ost.marches import bar_of, cost, march, offered, shelter

KINDS = {"foot": "ger_rifle", "wheeled": "ger_truck", "tracked": "ger_pz4h"}

# terrain: costs of foot, wheeled and tracked ("" may not enter), who rolls for bog, Defense
GROUND = {
    "open": ("1", "1", "1", "", 0),
    "brush": ("1", "3", "2", "wheeled", 1),
    "farm": ("1", "3", "2", "wheeled", 0),
    "wheatfield": ("1", "3", "2", "wheeled", 1),
    "woods": ("2", "", "3", "tracked", 2),
    "orchard": ("1", "3", "2", "", 1),
    "cemetery": ("1", "2", "2", "", 1),
    "stream": ("2", "4", "3", "wheeled tracked", -2),
    "marsh": ("2", "4", "3", "wheeled tracked", -2),
    "shell_holes": ("2", "4", "3", "wheeled tracked", 1),
    "debris": ("2", "3", "2", "wheeled tracked", 1),
    "rubble": ("2", "4", "3", "wheeled tracked", 3),
    "light_structure": ("2", "", "", "", 1),
    "heavy_structure": ("2", "", "", "", 2),
    "river": ("", "", "", "", 0),
}


def from_d4(mover: str, dice: tuple[int, ...] = (6,), **ground: object) -> Session:
    """A unit in D4 that looks at E4, at the first question of its Move; the die passes every Bog roll."""
    session = march(f"g1 {KINDS[mover]} D4 f=2", dice=dice, **ground)  # type: ignore[arg-type]
    answer(session, "move g1")
    return session


@pytest.mark.parametrize("mover", KINDS)
@pytest.mark.parametrize("name", GROUND)
@pytest.mark.rule("ost", "35.4", "35.5", "36.2", "37.2", "39.2", "40.2", "41.2", "41.3", "42.2", "43.2", "44.1", "44.2")
@pytest.mark.rule("ost", "45.2", "50.3", "51.3", "52.3", "53.5", "53.7", "54.2", "75.4", "75.8", "30.4")
def test_cost_and_bog_roll_of_each_terrain(name: str, mover: str) -> None:
    session = from_d4(mover, terrain={name: "E4"})
    price = GROUND[name][list(KINDS).index(mover)]
    if not price:
        assert not offered(session, "step E4")
        assert bar_of(session, "g1", "E4")
        return
    assert cost(session, "step E4") == f"{price} MP"
    answer(session, "step E4")
    assert unit(session, "g1").hex == "E4"
    assert bool(rolled(session, "Bog roll")) == (mover in GROUND[name][3].split())


@pytest.mark.parametrize("name", GROUND)
@pytest.mark.rule("ost", "35.1", "35.3", "36.3", "37.3", "39.3", "40.4", "41.4", "42.3", "43.3", "44.3", "45.4", "50.4")
@pytest.mark.rule("ost", "51.4", "52.4", "53.6", "54.3")
def test_defense_of_each_terrain(name: str) -> None:
    session = march("g1 ger_rifle D4", terrain={name: "E4"})
    battle(session).place(unit(session, "g1"), "E4")
    assert shelter(session, "g1") == GROUND[name][4]
    around = battle(session).grid.adjacent["E4"]
    prices = {
        found.points
        if isinstance(found := terrain.entry_cost(battle(session), unit(session, "g1"), hex, "E4"), Cost)
        else -1
        for hex in around
    }
    assert len(prices) == 1, "terrain fills the hex: it costs the same from every side"


@pytest.mark.rule("ost", "38.2", "38.4", "75.5")
def test_road_rate_along_the_road() -> None:
    for mover, price in (("foot", "1"), ("wheeled", "½"), ("tracked", "½")):
        session = from_d4(mover, terrain={"woods": "E4"}, roads=["C5, D4, E4"])
        assert cost(session, "step E4") == f"{price} MP"
        answer(session, "step E4")
        assert not rolled(session, "Bog roll")
        assert shelter(session, "g1") == 2, "the woods still shelter"


@pytest.mark.rule("ost", "38.4", "41.3")
def test_road_rate_needs_a_road_through_the_common_hexside() -> None:
    roads = ["D3, E4, F3", "C5, D4, D5"]  # both hexes have roads, but they do not meet
    session = from_d4("tracked", terrain={"woods": "E4"}, roads=roads)
    assert cost(session, "step E4") == "3 MP"
    assert bar_of(from_d4("wheeled", terrain={"woods": "E4"}, roads=roads), "g1", "E4") == "41.3"


@pytest.mark.rule("ost", "38.3")
def test_road_gives_no_defense() -> None:
    assert shelter(march("g1 ger_rifle D4", roads=["C5, D4, E4"]), "g1") == 0


@pytest.mark.rule("ost", "44.1", "38.4")
def test_bridge_is_entered_along_the_road_only() -> None:
    over_river = {"terrain": {"river": "E4"}, "roads": ["D4, E4, F4"], "bridges": "E4"}
    assert cost(from_d4("tracked", **over_river), "step E4") == "½ MP"
    session = march("g1 ger_rifle E5", **over_river)  # type: ignore[arg-type]
    assert bar_of(session, "g1", "E4") == "44.1"
    over_stream = {"terrain": {"stream": "E4"}, "roads": ["D3, E4, F4"], "bridges": "E4"}
    session = from_d4("tracked", **over_stream)
    assert cost(session, "step E4") == "3 MP", "beside the bridge it fords the stream"
    answer(session, "step E4")
    assert rolled(session, "Bog roll")


# ---- hexsides ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hexside", "mover", "price"),
    [
        ("hedge", "foot", "2"),
        ("hedge", "wheeled", "3"),
        ("hedge", "tracked", "3"),
        ("stone_wall", "foot", "2"),
        ("stone_wall", "wheeled", "4"),
        ("stone_wall", "tracked", "3"),
        ("bocage", "foot", "3"),
        ("bocage", "wheeled", ""),
        ("bocage", "tracked", ""),
    ],
)
@pytest.mark.rule("ost", "46.4", "46.5", "47.8", "47.9", "48.3", "48.4")
def test_crossing_a_hexside(hexside: str, mover: str, price: str) -> None:
    session = from_d4(mover, hexsides={hexside: "D4|E4"})
    if not price:
        assert bar_of(session, "g1", "E4") == "47.8"
        assert not offered(session, "step E4")
        return
    assert cost(session, "step E4") == f"{price} MP"
    answer(session, "step E4")
    assert bool(rolled(session, "Bog roll")) == (mover != "foot")


@pytest.mark.rule("ost", "35.2", "47.2")
@pytest.mark.parametrize("hexside", ["hedge", "bocage", "stone_wall"])
def test_hexside_terrain_lies_on_its_hexside_only(hexside: str) -> None:
    session = march("g1 ger_rifle D4", hexsides={hexside: "D4|E4"})
    answer(session, "move g1")
    assert {cost(session, f"step {hex}") for hex in ("D3", "E5", "D5", "C5", "C4")} == {"1 MP"}
    assert shelter(session, "g1") == 0


@pytest.mark.rule("ost", "46.5", "46.6", "46.7")
def test_tank_crosses_a_hedge_into_brush() -> None:
    """Worked example E-17: 2 + 2 MP and one Bog roll, bogged in the Brush on a 1."""
    session = from_d4("wheeled", dice=(2,), terrain={"brush": "E4"}, hexsides={"hedge": "D4|E4"})
    assert cost(session, "step E4") == "5 MP"
    answer(session, "step E4")
    assert len(rolled(session, "Bog roll")) == 1, "hedge and Brush both ask a truck, it rolls once"
    assert unit(session, "g1").bogged and unit(session, "g1").hex == "E4"
    session = from_d4("tracked", dice=(1,), terrain={"brush": "E4"}, hexsides={"hedge": "D4|E4"})
    assert cost(session, "step E4") == "4 MP"
    answer(session, "step E4")
    assert unit(session, "g1").bogged and unit(session, "g1").hex == "E4"


@pytest.mark.rule("ost", "46.4", "38.2", "49.3")
def test_hexside_and_level_are_added_to_the_road_rate() -> None:
    session = from_d4("tracked", roads=["D4, E4"], levels={2: "E4"}, hexsides={"hedge": "D4|E4"})
    found = terrain.entry_cost(battle(session), unit(session, "g1"), "D4", "E4")
    assert isinstance(found, Cost)
    assert (found.tally.base, lines(found.tally), found.points) == (1, {"hexside": 4, "level": 2}, 7)
    assert [line.rule for line in found.tally.lines] == ["46.5", "49.3"]


@pytest.mark.rule("ost", "45.3", "46.6", "35.4", "38.2")
@pytest.mark.parametrize("counter", ["hedge", "wire"])
def test_a_road_through_marsh_does_not_make_the_bog_roll_worse(counter: str) -> None:
    """What lies across the road asks for the roll; the marsh beside it takes nothing off."""
    across: dict[str, object] = {"hexsides": {"hedge": "D4|E4"}} if counter == "hedge" else {"works": ["wire E4"]}
    session = from_d4("tracked", dice=(2, 6), terrain={"marsh": "E4"}, roads=["D4, E4"], **across)
    answer(session, "step E4")
    assert len(rolled(session, "Bog roll")) == 1 and lines(tally(session, "Bog roll")) == {}
    assert not unit(session, "g1").bogged, "with one less it would bog on a 2"


@pytest.mark.rule("ost", "56.1", "56.2", "56.4", "56.5")
def test_row_house_walls_stop_everybody() -> None:
    session = march("g1 ger_rifle D4", buildings=["heavy_structure D4,E4 walls=D4|E4"])
    assert bar_of(session, "g1", "E4") == "56.4"
    answer(session, "move g1")
    assert not offered(session, "step E4") and offered(session, "step E5")
    assert shelter(session, "g1") == 2


# ---- levels ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "price"), [({2: "E4"}, "2"), ({3: "E4"}, "3"), ({2: "D4"}, "2"), ({-1: "E4"}, "2"), ({2: "D4,E4"}, "1")]
)
@pytest.mark.parametrize("mover", KINDS)
@pytest.mark.rule("ost", "49.2", "49.3", "49.4")
def test_levels_cost_one_point_each_up_or_down(levels: dict[str, str], price: str, mover: str) -> None:
    assert cost(from_d4(mover, levels=levels), "step E4") == f"{price} MP"


@pytest.mark.rule("ost", "49.3", "55.1", "55.2", "55.3", "53.2")
def test_no_level_cost_into_a_multi_level_building() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pak40 C4 f=2", buildings=["heavy_structure E4 level=3"])
    answer(session, "move g1")
    assert cost(session, "step E4") == "2 MP"
    answer(session, "step E4")
    assert battle(session).level(unit(session, "g1")) == 3, "it occupies all levels and looks from the top"
    hill = from_d4("foot", levels={2: "E4"}, buildings=["heavy_structure E4 level=2"])
    assert cost(hill, "step E4") == "2 MP"
    cottage = from_d4("foot", levels={2: "E4"}, buildings=["heavy_structure E4 level=1"])
    assert cost(cottage, "step E4") == "3 MP", "a low building on a hill is climbed to"


@pytest.mark.rule("ost", "53.3", "17.8", "17.12", "55.5")
def test_crewed_weapons_enter_structures_on_the_ground_level() -> None:
    session = march("g1 ger_pak36 D4 f=2", "g2 ger_hmg42 D4", buildings=["heavy_structure E4 level=2"])
    answer(session, "move g1", "step E4")
    assert battle(session).level(unit(session, "g1")) == 1, "an asterisk weapon stays on the ground"
    answer(session, "move g2", "step E4")
    assert battle(session).level(unit(session, "g2")) == 2


@pytest.mark.rule("ost", "17.9")
def test_flak_36_enters_no_structure() -> None:
    session = march("g1 ger_flak36 D4 f=2", buildings=["heavy_structure E4"], works=["bunker C5"])
    assert bar_of(session, "g1", "E4") == "17.9"


@pytest.mark.rule("ost", "32.2", "52.3")
def test_collapsed_building_is_entered_as_rubble() -> None:
    session = march("g1 ger_pz4h D4 f=2", buildings=["heavy_structure E4"], rubble="E4", dice=(6,))
    answer(session, "move g1")
    assert cost(session, "step E4") == "3 MP"
    answer(session, "step E4")
    assert rolled(session, "Bog roll")
    assert cost(from_d4("wheeled", buildings=["light_structure E4"], rubble="E4"), "step E4") == "4 MP"
    assert cost(from_d4("foot", buildings=["light_structure E4"], rubble="E4"), "step E4") == "2 MP"


# ---- road and structure (57) -------------------------------------------------------------------------

STREET = {"roads": ["C5, D4, E4, F3"], "buildings": ["heavy_structure E4"]}


@pytest.mark.rule("ost", "57.1", "57.2", "57.6", "75.5")
def test_foot_unit_declares_the_road() -> None:
    session = from_d4("foot", **STREET)
    assert not offered(session, "step E4")
    assert (cost(session, "step E4 road"), cost(session, "step E4 building")) == ("1 MP", "2 MP")
    answer(session, "step E4 road")
    assert unit(session, "g1").on_road
    assert shelter(session, "g1") == 0


@pytest.mark.rule("ost", "57.1", "57.3")
def test_foot_unit_declares_the_building() -> None:
    session = from_d4("foot", **STREET)
    answer(session, "step E4 building")
    assert not unit(session, "g1").on_road
    assert shelter(session, "g1") == 2
    assert cost(session, "road") == "1 MP"
    answer(session, "road", "stop")
    assert unit(session, "g1").on_road and unit(session, "g1").hex == "E4"


@pytest.mark.rule("ost", "57.1", "57.6")
def test_changing_to_the_building_is_a_move_but_no_new_hex() -> None:
    session = march("g1 ger_rifle E4 on_road", **STREET)  # type: ignore[arg-type]
    answer(session, "move g1")
    assert cost(session, "building") == "2 MP"
    answer(session, "building", "stop")
    mover = unit(session, "g1")
    assert (mover.on_road, mover.moved, mover.new_hex) == (False, True, False)


@pytest.mark.rule("ost", "57.4", "53.7")
def test_vehicles_use_the_road_alone() -> None:
    session = from_d4("tracked", **STREET)
    assert cost(session, "step E4") == "½ MP"
    answer(session, "step E4")
    assert unit(session, "g1").on_road
    beside = march("g1 ger_pz4h E5 f=1", **STREET)  # type: ignore[arg-type]
    assert bar_of(beside, "g1", "E4") == "57.4"


@pytest.mark.rule("ost", "57.1", "57.4")
@pytest.mark.parametrize(("mover", "price", "source"), [("foot", 4, "terrain"), ("tracked", 1, "road")])
def test_where_nothing_is_said_vehicles_take_the_road_and_men_the_building(mover: str, price: int, source: str) -> None:
    session = march(f"g1 {KINDS[mover]} D4 f=2", **STREET)  # type: ignore[arg-type]
    found = terrain.ground(battle(session), battle(session).type(unit(session, "g1")), "D4", "E4", None)
    assert (found.points, found.base.id, found.bar) == (price, source, None)


@pytest.mark.rule("ost", "38.4", "57.2")
def test_road_of_the_street_from_the_side_costs_the_structure() -> None:
    session = march("g1 ger_rifle E5", **STREET)  # type: ignore[arg-type]
    answer(session, "move g1")
    assert cost(session, "step E4 road") == "2 MP"


@pytest.mark.rule("ost", "57.5")
def test_road_and_building_share_the_stacking_limit() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle E4", "g3 ger_rifle E4 on_road", **STREET)  # type: ignore[arg-type]
    answer(session, "move g1")
    assert not offered(session, "step E4 road") and not offered(session, "step E4 building")


@pytest.mark.rule("ost", "53.1", "54.1", "53.5", "54.2")
def test_both_kinds_of_structure_cost_foot_units_two_points() -> None:
    for kind in ("light_structure", "heavy_structure"):
        session = from_d4("foot", buildings=[f"{kind} E4"])
        found = terrain.entry_cost(battle(session), unit(session, "g1"), "D4", "E4")
        assert isinstance(found, Cost)
        assert found.tally == Tally("half Movement Points", 4, "53.5" if kind[0] == "l" else "54.2", kind)


@pytest.mark.rule("ost", "36.3", "38.3", "39.3", "40.3", "44.4", "45.5", "50.2")
@pytest.mark.parametrize("name", ["open", "farm", "wheatfield", "stream", "marsh", "shell_holes"])
def test_ground_that_does_not_touch_sight(name: str) -> None:
    session = march("g1 ger_rifle D3", "a1 us_rifle D6", terrain={name: "D4-D5"}, roads=["C5, D4, E5"])
    line = sight(battle(session), unit(session, "g1"), unit(session, "a1"))
    assert line.clear and not line.degraded
