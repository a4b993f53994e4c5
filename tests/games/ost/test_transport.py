"""Transport: riding, loading and unloading (79)."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.games.ost import melee, movement, transport, turn_events
from grognard.games.ost.state import LOST, ON_MAP
from tests.games.ost.helpers import answer, battle, happened, keys, lines, options, position, rolled, state, tally, unit
from tests.games.ost.marches import cost, march, offered, shelter


def bar_ride(session: Session, id: str, vehicle: str) -> str:
    """The rule that keeps a unit off a vehicle."""
    found = transport.bar_ride(battle(session), unit(session, id), unit(session, vehicle))
    return found.rule if found else ""


# ---- who rides on what -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "79.1", "79.3")
def test_who_may_ride() -> None:
    riders = ("ger_rifle", "ger_lt", "ger_hmg42", "ger_pak40")
    for kind in riders:
        session = march("g1 ger_truck D4 f=1", f"g2 {kind} D4")
        answer(session, "move g2")
        assert offered(session, "load g1")
    assert bar_ride(march("g1 ger_truck D4 f=1", "g2 ger_crew D4"), "g2", "g1") == "79.1"
    assert bar_ride(march("g1 ger_marder3 D4 f=1", "g2 ger_rifle D4"), "g2", "g1") == "79.1", "No Riders"


@pytest.mark.rule("ost", "79.3")
def test_one_unit_and_its_leader_only() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1", "g3 ger_rifle D4", "g4 ger_lt D4 attached=g3")
    assert bar_ride(session, "g3", "g1") == "79.3"
    session = march("g1 ger_truck D4 f=1", "g3 ger_rifle D4 with=ger_lmg,ger_panzerfaust", "g4 ger_lt D4 attached=g3")
    answer(session, "move g3", "load g1")
    assert {unit(session, id).aboard for id in ("g3", "g4")} == {"g1"}
    assert len(battle(session).weapons(unit(session, "g3"))) == 2, "any number of weapons comes along"


@pytest.mark.rule("ost", "79.11")
def test_loading_in_the_vehicle_s_hex() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D5")
    assert bar_ride(session, "g2", "g1") == "79.11"
    answer(session, "move g2")
    assert not keys(session, "load")


# ---- loading (79.5-79.8) -----------------------------------------------------------------------------


@pytest.mark.rule("ost", "79.2", "79.5", "79.6", "79.8")
def test_march_load_and_drive_off() -> None:
    """Worked example E-28: two points spent, both marked Moved."""
    session = march("g1 ger_truck D6 f=1", "g2 ger_rifle D4", map="open 10x14")
    answer(session, "move g2", "step D5", "step D6")
    assert cost(session, "load g1") == "1 MP"
    answer(session, "load g1")
    assert unit(session, "g2").aboard == "g1"
    assert state(session).points["german"] == 8
    answer(session, "move g1")
    assert session.ask is not None and "8 MP left" in session.ask.prompt, "the truck has its own points"
    for hex in ("D5", "D4", "D3", "D2", "D1"):
        answer(session, f"step {hex}", "face 1")
    answer(session, "stop")
    assert state(session).points["german"] == 7
    assert [mark.unit for mark in happened(session, turn_events.Marked)] == ["g2", "g1"]
    assert unit(session, "g2").hex == unit(session, "g1").hex == "D1"
    assert not keys(session, "move")


@pytest.mark.rule("ost", "79.8")
def test_no_loading_without_the_point() -> None:
    session = march("g1 ger_truck D8 f=1", "g2 ger_rifle D4")
    answer(session, "move g2", "step D5", "step D6", "step D7", "step D8")
    assert unit(session, "g2").aboard == "" and session.ask is not None and session.ask.quiet


@pytest.mark.rule("ost", "79.7")
def test_a_vehicle_that_moved_may_still_be_loaded_but_not_on_its_way() -> None:
    session = march("g1 ger_truck D4 f=4", "g2 ger_rifle D5", "g3 ger_rifle C4 aboard=g9", "g9 ger_truck C4 f=1")
    answer(session, "move g1", "step D5", "face 4")
    assert not keys(session, "load") and not keys(session, "unload"), "nobody gets on or off along the path"
    answer(session, "stop", "move g2", "load g1")
    assert unit(session, "g2").aboard == "g1" and not keys(session, "move g1")


@pytest.mark.rule("ost", "79.10", "17ct.6")
def test_transport_only_weapon_loads_and_unloads_for_a_point_each() -> None:
    session = march("g1 ger_sdkfz7 D4 f=4", "g2 ger_flak36 D4 f=1")
    answer(session, "move g2")
    assert not keys(session, "step") and offered(session, "load g1")
    answer(session, "load g1")
    assert unit(session, "g2").moved and state(session).points["german"] == 8
    later = march("g1 ger_sdkfz7 D4 f=4", "g2 ger_flak36 D4 f=1 aboard=g1")
    answer(later, "move g2", "unload", "face 5")
    assert (unit(later, "g2").aboard, unit(later, "g2").moved, unit(later, "g2").facing) == ("", True, 5)
    assert state(later).points["german"] == 8


# ---- unloading (79.9-79.12) --------------------------------------------------------------------------


@pytest.mark.rule("ost", "79.9", "79.6", "79.11")
def test_unloading_costs_a_point_and_the_hex() -> None:
    session = march(
        "g1 ger_sdkfz251 D4 f=1", "g2 ger_rifle D4 aboard=g1", "g3 ger_lt D4 attached=g2", terrain={"woods": "D4"}
    )
    answer(session, "move g2")
    assert keys(session) == ["unload"] and cost(session, "unload") == "3 MP"
    answer(session, "unload")
    assert (unit(session, "g2").aboard, unit(session, "g3").aboard, unit(session, "g2").hex) == ("", "", "D4")
    assert session.ask is not None and "1 MP left" in session.ask.prompt, "it may walk on"
    answer(session, "step D5")
    assert unit(session, "g3").hex == "D5" and unit(session, "g1").hex == "D4"


@pytest.mark.rule("ost", "79.9")
def test_too_few_points_to_unload_unless_one_is_all_it_has() -> None:
    session = march("g1 ger_sdkfz251 D4 f=1", "g2 ger_rifle D4 aboard=g1 shaken", terrain={"woods": "D4"})
    found = movement.bar_move(battle(session), unit(session, "g2"))
    assert found is not None and found.rule == "79.9", "1 + 2 points, and it has 2"
    gun = march("g1 ger_truck D4 f=1", "g2 ger_pak40 D4 f=1 aboard=g1", terrain={"woods": "D4"}, roads=["D4, D5"])
    answer(gun, "move g2", "unload", "face 1")
    assert unit(gun, "g2").aboard == "" and gun.ask is not None and gun.ask.quiet


@pytest.mark.rule("ost", "79.7", "75.2")
def test_whoever_loaded_this_turn_does_not_unload() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4")
    answer(session, "move g2", "load g1")
    assert not keys(session, "move g2")
    assert movement.bar_move(battle(session), unit(session, "g2")) == movement.HAS_MOVED


@pytest.mark.rule("ost", "79.12", "17.11")
def test_unloaded_gun_sets_its_arc_and_does_not_fire() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_pak40 D4 f=1 aboard=g1", "a1 us_m4a1 H4 f=5")
    answer(session, "move g2", "unload")
    assert keys(session) == [f"face {facing}" for facing in range(1, 7)]
    answer(session, "face 3")
    assert unit(session, "g2").facing == 3 and unit(session, "g2").new_hex
    assert not keys(session, "fire")


@pytest.mark.rule("ost", "72.1", "79.23")
def test_unloading_must_not_overstack() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1", "g3 ger_rifle D4")
    found = movement.bar_move(battle(session), unit(session, "g2"))
    assert found is not None and found.rule == "72.1"


@pytest.mark.rule("ost", "68.6", "79.11")
def test_broken_passenger_stays_aboard() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1 broken")
    assert not keys(session, "move g2") and "move g2" not in keys(session)


@pytest.mark.rule("ost", "57.1", "79.9")
def test_unloading_in_the_street() -> None:
    session = march(
        "g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1", roads=["D3, D4, D5"], buildings=["heavy_structure D4"]
    )
    answer(session, "move g2")
    assert (cost(session, "unload road"), cost(session, "unload building")) == ("2 MP", "3 MP")
    answer(session, "unload building", "stop")
    assert not unit(session, "g2").on_road and shelter(session, "g2") == 2


# ---- weapons as cargo (79.4) -------------------------------------------------------------------------


@pytest.mark.rule("ost", "79.4", "79.1")
def test_vehicles_pick_up_and_drop_weapons_at_a_point_a_stop() -> None:
    session = march("g1 ger_truck D4 f=4", weapons=["w1 ger_lmg D5", "w2 ger_lmg D5"])
    answer(session, "move g1", "step D5", "face 4")
    assert cost(session, "take w1") == "1 MP"
    answer(session, "take w1")
    assert cost(session, "take w2") == "", "one stop"
    answer(session, "take w2")
    assert session.ask is not None and "6 MP left" in session.ask.prompt
    answer(session, "step D6", "face 4", "stop")
    assert {weapon.unit for weapon in state(session).weapons.values()} == {"g1"}


# ---- fire from and at carriers (79.13-79.22) ---------------------------------------------------------


@pytest.mark.rule("ost", "79.13", "79.14", "79.15")
def test_loaded_vehicles_and_passengers_hold_their_fire() -> None:
    session = march(
        "g1 ger_pz4h D4 f=2",
        "g2 ger_rifle D4 aboard=g1",
        "g3 ger_sdkfz251 D5 f=2",
        "g4 ger_rifle D5 aboard=g3",
        "a1 us_rifle G4",
    )
    assert keys(session, "fire") == ["fire g3"], "the half-track alone fires, its machine guns"
    answer(session, "fire g3")
    assert {key.split()[2] for key in keys(session, "at")} == {"mg"}


@pytest.mark.rule("ost", "79.16", "79.17", "79.18")
@pytest.mark.parametrize(("carrier", "change"), [("ger_pz4h", -1), ("ger_truck", -1), ("ger_sdkfz251", 1)])
def test_passengers_defense(carrier: str, change: int) -> None:
    session = march(f"g1 {carrier} D4 f=1", "g2 ger_rifle D4 aboard=g1", works=["trench D4"])
    assert shelter(session, "g2") == change, "and nothing for the trench"


TRUCK = ("g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1", "a1 us_rifle D7")


@pytest.mark.rule("ost", "79.19")
def test_vehicle_and_passenger_are_separate_targets() -> None:
    session = position(*TRUCK, active="american")
    answer(session, "fire a1")
    assert {"at g1 own", "at g2 own"} <= set(keys(session))


@pytest.mark.rule("ost", "79.22", "79.20", "100.3")
def test_small_arms_at_a_truck_always_threaten_the_passenger() -> None:
    session = position(*TRUCK, active="american", dice=(1, 1, 1, 1))
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").status == ON_MAP
    assert [roll.unit for roll in rolled(session, "ICT attack")] == ["g2"]
    assert tally(session, "column", "ICT attack").total == -5


@pytest.mark.rule("ost", "79.20", "79.21", "100.2")
def test_destroyed_truck_leaves_its_passenger_in_the_hex() -> None:
    session = position(*TRUCK, active="american", dice=(6, 6, 6, 1, 1))
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").status == LOST and state(session).wrecks == {"D4": 1}
    assert (unit(session, "g2").aboard, unit(session, "g2").hex) == ("", "D4")
    assert tally(session, "column", "ICT attack").total == -4


@pytest.mark.rule("ost", "79.24")
def test_passenger_fights_at_half_strength() -> None:
    session = march("g1 ger_sdkfz251 D4 f=1", "g2 ger_rifle D4 aboard=g1", "a1 us_rifle D4", melees=["D4 american"])
    squad = unit(session, "g2")
    assert melee.unit_firepower(battle(session), squad).total == 2
    assert melee.unit_defense(battle(session), squad).total == 2
    assert lines(melee.unit_firepower(battle(session), squad))
    target_ids = {target.id for target in battle(session).stack("D4", "german")}
    assert "g2" in target_ids


@pytest.mark.rule("ost", "68.6", "79.9")
def test_a_broken_leader_stays_aboard_when_his_unit_unloads() -> None:
    session = march("g1 ger_truck D4 f=1", "g2 ger_rifle D4 aboard=g1", "g3 ger_lt D4 attached=g2 aboard=g1 broken")
    answer(session, "move g2", "unload", "stop")
    leader = unit(session, "g3")
    assert (leader.attached, leader.aboard, leader.moved) == ("", "g1", False)
    assert unit(session, "g2").aboard == "" and unit(session, "g2").moved


@pytest.mark.rule("ost", "79.8", "28.5", "57.1")
def test_loading_from_a_bunker_or_building_pays_for_the_way_out() -> None:
    def price(*units: str, **ground: object) -> str:
        session = march("g1 ger_truck D4 f=1", *units, **ground)
        answer(session, "move g2")
        return next((option.cost for option in options(session) if option.key == "load g1"), "")

    assert price("g2 ger_rifle D4 inside", works=["bunker D4 german"]) == "2 MP"
    assert price("g2 ger_rifle D4", works=["bunker D4 german"]) == "1 MP"
    street = {"roads": ["D5:D1"], "buildings": ["heavy_structure D4"]}
    assert price("g2 ger_rifle D4", **street) == "2 MP"
    assert price("g2 ger_rifle D4 on_road", **street) == "1 MP"
    assert price("g2 ger_pak40 D4 inside", works=["bunker D4 german"]) == "1 MP", "with 1 MP it uses all it has"


@pytest.mark.rule("ost", "12.2", "79.1")
def test_a_sniper_does_not_ride() -> None:
    session = march("g1 ger_sniper D4", "g2 ger_truck D5 f=1")
    answer(session, "move g1")
    assert "step D5" not in keys(session), "he cannot even join the truck"


@pytest.mark.rule("ost", "79.4", "20.12")
def test_a_weapon_is_picked_up_in_one_hex_and_dropped_in_another() -> None:
    session = march("g1 ger_truck D4 f=1", weapons=["w9 ger_lmg D4", "w8 ger_lmg D3"])
    answer(session, "move g1", "take w9")
    assert not offered(session, "drop w9"), "not in the same hex again"
    answer(session, "step D3", "face 1", "take w8", "drop w9")
    weapons = state(session).weapons
    assert (weapons["w9"].hex, weapons["w9"].unit, weapons["w8"].unit) == ("D3", "", "g1")
    assert session.ask is not None and "5 MP left" in session.ask.prompt, "a stop in each hex and a step"
    squad = march("g1 ger_rifle D4", weapons=["w9 ger_lmg D4"])
    answer(squad, "move g1", "take w9", "step D3", "drop w9", "step D2")
    assert state(squad).weapons["w9"].hex == "D3"
