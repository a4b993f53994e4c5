"""What shelters a target: terrain, hexsides, counters, riding, facing (24-57, 76, 79, 81, 86.2)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost.combat import defense_tally
from tests.games.ost.helpers import answer, battle, lines, position, tally, unit

rule = pytest.mark.rule

RIFLE = "g1 ger_rifle D3"


def fired_at(
    *targets: str, arm: str = "own", at: str = "a1", by: str = "g1", dice: Any = (1, 1, 1, 1), **kw: Any
) -> Session:
    """A position in which g1 (a Rifle in D3 unless told otherwise) has fired at a1; harmless dice."""
    units = [RIFLE, *targets] if by == "g1" and not any(t.startswith("g1 ") for t in targets) else list(targets)
    session = position(*units, dice=dice, **kw)
    answer(session, f"fire {by}", f"at {at} {arm}")
    return session


def defense(session: Session) -> tuple[int, dict[str, int]]:
    found = tally(session, "Defense")
    return found.total, lines(found)


@pytest.mark.parametrize(
    ("terrain", "value"),
    [
        ("open", 0),
        pytest.param("brush", 1, marks=rule("ost", "37.3")),
        pytest.param("farm", 0, marks=rule("ost", "39.3")),
        pytest.param("wheatfield", 1, marks=rule("ost", "40.4")),
        pytest.param("woods", 2, marks=rule("ost", "41.4")),
        pytest.param("orchard", 1, marks=rule("ost", "42.3")),
        pytest.param("cemetery", 1, marks=rule("ost", "43.3")),
        pytest.param("stream", -2, marks=rule("ost", "44.3")),
        pytest.param("marsh", -2, marks=rule("ost", "45.4")),
        pytest.param("shell_holes", 1, marks=rule("ost", "50.4")),
        pytest.param("debris", 1, marks=rule("ost", "51.4")),
        pytest.param("rubble", 3, marks=rule("ost", "52.4", "32.4")),
        pytest.param("light_structure", 1, marks=rule("ost", "53.6", "56.5")),
        pytest.param("heavy_structure", 2, marks=rule("ost", "54.3", "56.5")),
    ],
)
@rule("ost", "35.3", "86.2", "36.3")
def test_terrain_adds_to_the_defense_of_units_in_it(terrain: str, value: int) -> None:
    kw: dict[str, Any] = {"terrain": {terrain: "D5"}} if terrain != "open" else {}
    session = fired_at("a1 us_rifle D5", **kw)
    assert defense(session) == (4 + value, {"terrain": value} if value else {})


@rule("ost", "35.3", "38.3", "38.4")
def test_the_other_terrain_of_a_road_hex_gives_the_defense() -> None:
    assert defense(fired_at("a1 us_rifle D5", terrain={"woods": "D5"}, roads=["A5, B4, C5, D5, D6"]))[0] == 6
    assert defense(fired_at("a1 us_rifle D5", roads=["D4:D8"]))[0] == 4


@rule("ost", "57.2", "57.3", "38.4")
def test_between_buildings_the_road_gives_nothing_and_the_house_its_own() -> None:
    town: dict[str, Any] = {"buildings": ["heavy_structure D5"], "roads": ["D4:D7"]}
    assert defense(fired_at("a1 us_rifle D5 on_road", **town))[0] == 4
    assert defense(fired_at("a1 us_rifle D5", **town))[0] == 6
    session = position(RIFLE, "a1 us_truck D5 on_road", **town)
    assert defense_tally(battle(session), unit(session, "a1")).total == 2


@rule("ost", "46.8", "46.10", "46.12")
@pytest.mark.parametrize(("kind", "value"), [("hedge", 1), pytest.param("stone_wall", 2, marks=rule("ost", "48.5"))])
def test_a_hedge_or_wall_of_its_own_hex_shelters_from_what_crosses_it(kind: str, value: int) -> None:
    assert defense(fired_at("a1 us_rifle D5", hexsides={kind: "D4|D5"})) == (4 + value, {"hexside": value})
    # the hex's own terrain is added (E-18)
    assert defense(fired_at("a1 us_rifle D5", hexsides={kind: "D4|D5"}, terrain={"woods": "D5"}))[0] == 6 + value
    # not when the attack comes another way
    assert defense(fired_at("a1 us_rifle D5", hexsides={kind: "D5|D6"}))[0] == 4
    # neighbours on either side of it both have it
    for hexes in (("D4", "D5"), ("D5", "D4")):
        session = fired_at(f"g1 ger_rifle {hexes[0]}", f"a1 us_rifle {hexes[1]}", hexsides={kind: "D4|D5"})
        assert defense(session)[0] == 4 + value


@rule("ost", "46.9", "47.6", "48.6", "106.13", "107.11")
@pytest.mark.parametrize("kind", ["hedge", "stone_wall", "bocage"])
def test_hexsides_do_nothing_against_what_falls_from_above(kind: str) -> None:
    session = position(
        RIFLE, "a1 us_rifle D5", hexsides={kind: "D5:123456"}, terrain={"orchard": "D5"}, works=["foxholes D5"]
    )
    target = unit(session, "a1")
    for attack in ("air", "mortar"):
        assert lines(defense_tally(battle(session), target, attack)) == {"terrain": 1, "work": 1}
    assert lines(defense_tally(battle(session), target, "oba")) == {"airburst": -1, "work": 1}


@rule("ost", "47.3", "47.5", "47.4")
def test_bocage_shelters_foot_units_behind_it_only_through_it() -> None:
    assert defense(fired_at("a1 us_rifle D5", hexsides={"bocage": "D4|D5"}))[0] == 6
    assert defense(fired_at("a1 us_rifle D5", hexsides={"bocage": "D5|D6"}))[0] == 4
    housed = fired_at(
        "g1 ger_rifle D4", "a1 us_rifle D5", hexsides={"bocage": "D4|D5"}, buildings=["light_structure D5"]
    )
    assert defense(housed) == (5, {"terrain": 1})  # 47.4: the structure's own only


@rule("ost", "47.7")
def test_a_vehicle_beside_bocage_is_not_in_it() -> None:
    session = position("g1 ger_rifle D4", "a1 us_truck D5 f=1", hexsides={"bocage": "D4|D5"}, dice=(1, 1))
    answer(session, "fire g1", "at a1 own")
    assert "hexside" not in lines(tally(session, "Defense"))


@rule("ost", "47.3", "47.7")
def test_a_passenger_beside_bocage_is_not_in_it() -> None:
    found = defense(
        fired_at("g1 ger_rifle D4", "a2 us_truck D5 f=1", "a1 us_rifle D5 aboard=a2", hexsides={"bocage": "D4|D5"})
    )
    assert found == (3, {"exposed_passenger": -1})


@pytest.mark.parametrize(
    ("work", "flags", "value"),
    [
        pytest.param("cover", "", 1, marks=rule("ost", "25.3")),
        pytest.param("foxholes", "", 1, marks=rule("ost", "26.2")),
        pytest.param("trench", "", 2, marks=rule("ost", "26.3")),
        pytest.param("bunker", "inside", 3, marks=rule("ost", "28.4", "28.12")),
        pytest.param("bunker", "", 0, marks=rule("ost", "28.12")),
        pytest.param("pillbox", "inside", 3, marks=rule("ost", "29.4")),
        pytest.param("wire", "", -1, marks=rule("ost", "30.1")),
        pytest.param("roadblock", "", 1, marks=rule("ost", "31.3")),
    ],
)
@rule("ost", "24.0", "24.0c")
def test_works_add_to_terrain(work: str, flags: str, value: int) -> None:
    told = f"{work} D5 side=american" + (" facing=1" if work == "pillbox" else "")
    plain = fired_at(f"a1 us_rifle D5 {flags}", works=[told])
    assert defense(plain)[0] == 4 + value
    wooded = fired_at(f"a1 us_rifle D5 {flags}", works=[told], terrain={"woods": "D5"})
    assert defense(wooded)[0] == 6 + value  # E-14: Cover in woods is +3


@rule("ost", "24.0")
def test_one_counter_shelters_every_unit_in_the_hex() -> None:
    for target in ("a1", "a2"):  # E-13
        session = fired_at("a1 us_rifle D5", "a2 us_rifle D5", works=["trench D5"], at=target)
        assert defense(session)[0] == 6


@rule("ost", "26.4", "26.5", "25.3")
def test_holes_in_the_ground_serve_either_side_but_no_vehicle() -> None:
    for work in ("foxholes", "trench"):
        session = position("g1 ger_rifle A1", "a1 us_m4a1 D5", "g2 ger_rifle F5", works=[f"{work} D5", f"{work} F5"])
        assert defense_tally(battle(session), unit(session, "a1"), flank=True).total == 4
        assert lines(defense_tally(battle(session), unit(session, "g2")))["work"] > 0
    session = position("g1 ger_rifle A1", "a1 us_m4a1 D5", works=["cover D5 american"])
    assert defense_tally(battle(session), unit(session, "a1"), flank=True).total == 5


@rule("ost", "33.4", "34.2", "34.3")
def test_smoke_and_wrecks_add_one_each_however_many_wrecks() -> None:
    session = fired_at("a1 us_rifle D5", smoke={"D5": 2}, wrecks="D5")
    assert defense(session) == (6, {"smoke": 1, "wreck": 1})
    assert lines(tally(session, "Firepower")) == {}
    session = fired_at("a1 us_rifle D5", smoke={"D3": 1})
    assert lines(tally(session, "Firepower")) == {"firing_out_of_smoke": -1}
    many = position(RIFLE, "a1 us_rifle D5")
    many.state.wrecks["D5"] = 3
    assert defense_tally(battle(many), unit(many, "a1")).total == 5


@rule("ost", "76.2", "76.3", "95.8", "21ct.7", "21ct.8", "21ct.1")
@pytest.mark.parametrize(("facing", "value"), [(1, 5), (2, 5), (6, 5), (3, 4), (4, 4), (5, 4)])
def test_front_defense_through_the_front_arc_else_flank(facing: int, value: int) -> None:
    session = position("g1 ger_pak40 D2 f=4", f"a1 us_m4a1 D6 f={facing}", dice=(6, 5, 1, 1))
    answer(session, "fire g1", "at a1 main")
    assert tally(session, "Defense").total == value


@rule("ost", "76.3")
def test_the_line_between_the_arcs_is_flank() -> None:
    # F5 looks north; a gun in D5's row lies exactly on the dividing line at 90 degrees
    session = position("g1 ger_pak40 B5 f=2", "a1 us_m4a1 F5 f=1", dice=(6, 5, 1, 1))
    found = defense_tally(battle(session), unit(session, "a1"), firers=["B5"])
    assert found.total == 4 and found.rule == "76.3"
    assert defense_tally(battle(session), unit(session, "a1"), firers=["B2"]).total == 5


@rule("ost", "79.16", "79.17", "79.18", "79.19")
@pytest.mark.parametrize(("carrier", "value"), [("us_truck", 3), ("us_m4a1", 3), ("us_m3a1ht", 5)])
def test_riders_are_exposed_except_in_armored_transports(carrier: str, value: int) -> None:
    session = fired_at(f"a2 {carrier} D5", "a1 us_rifle - aboard=a2")
    assert defense(session)[0] == value


@rule("ost", "79.16", "26.4")
def test_riders_get_terrain_but_no_holes_in_the_ground() -> None:
    session = fired_at("a2 us_truck D5", "a1 us_rifle - aboard=a2", works=["trench D5"], terrain={"brush": "D5"})
    assert defense(session) == (4, {"terrain": 1, "exposed_passenger": -1})


@rule("ost", "81.7")
def test_a_squad_in_rolling_cover_has_one_more() -> None:
    session = fired_at("a1 us_rifle D5 partner=a2", "a2 us_m4a1 D5 partner=a1", terrain={"brush": "D5"})
    assert defense(session) == (6, {"terrain": 1, "rolling_cover": 1})


@rule("ost", "21.19")
def test_an_open_top_is_weaker_against_what_falls_in() -> None:
    session = position(RIFLE, "a1 us_m18 D5", "a2 us_m4a1 E5")
    for attack, change in (("oba", -1), ("air", -1), ("close", -1), ("fire", 0), ("mines", 0)):
        assert defense_tally(battle(session), unit(session, "a1"), attack, flank=True).total == 3 + change
        assert defense_tally(battle(session), unit(session, "a2"), attack, flank=True).total == 4


@rule("ost", "59.3", "59.4", "46.13")
def test_degrading_terrain_costs_firepower_on_the_way_but_not_at_the_ends() -> None:
    session = fired_at("g1 ger_rifle D2", "a1 us_rifle D5", terrain={"brush": "D2, D3, D4, D5"})
    assert lines(tally(session, "Firepower")) == {"degraded_los": -2} and defense(session)[0] == 5
    assert tally(session, "Firepower").lines[0].source == "D3, D4"
    session = fired_at("g1 ger_rifle D3", "a1 us_rifle D4", hexsides={"hedge": "D3|D4"})
    assert lines(tally(session, "Firepower")) == {}


@rule("ost", "60.8")
def test_between_levels_a_hedge_gives_its_defense_without_degrading() -> None:
    session = fired_at("g1 ger_rifle D2", "a1 us_rifle D5", hexsides={"hedge": "D4|D5, D3|D4"}, levels={2: "D2"})
    assert lines(tally(session, "Firepower")) == {} and defense(session)[1] == {"hexside": 1}


@rule("ost", "60.13")
def test_the_hex_behind_degrading_terrain_costs_one_from_above() -> None:
    session = fired_at("g1 ger_rifle D2", "a1 us_rifle D6", levels={2: "D2"}, terrain={"brush": "D4, D5"})
    assert tally(session, "Firepower").total == 3  # E-23


@rule("ost", "57.2", "57.4")
def test_who_rides_or_sits_in_a_vehicle_between_the_houses_is_not_in_them() -> None:
    street: dict[str, Any] = {"roads": ["D4, D5, D6"], "buildings": ["heavy_structure D5"]}
    session = fired_at("a2 us_truck D5 on_road", "a1 us_rifle - aboard=a2", **street)
    assert lines(tally(session, "Defense")) == {"exposed_passenger": -1}
