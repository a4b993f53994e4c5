"""Fortification and wreckage counters (24-34), and the work of engineers (10)."""

from __future__ import annotations

import pytest

from grognard.core.session import Session
from grognard.games.ost import combat, combat_events, fortifications, move_events
from grognard.games.ost.sight import sight
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit
from tests.games.ost.marches import bar_of, cost, march, offered, shelter
from tests.games.ost.shots import VCT, dice_for

NEXT_TURN = (6, 6, 1, 1, 6, 6, 1, 1)  # Initiative and Impulse rolls


def degraded(**counters: object) -> tuple[bool, int]:
    """Whether D3 sees D6 across what lies in D4, and how often the line is degraded."""
    session = march("g1 ger_rifle D3", "a1 us_rifle D6", **counters)  # type: ignore[arg-type]
    line = sight(battle(session), unit(session, "g1"), unit(session, "a1"))
    return line.clear, len(line.degraded)


# ---- 24: counters in general -------------------------------------------------------------------------


@pytest.mark.rule("ost", "24.0", "26.3")
def test_counter_serves_every_unit_in_the_hex() -> None:
    """Worked example E-13: two Rifles in a Trench."""
    session = march("g1 ger_rifle D4", "g2 ger_rifle D4", works=["trench D4"])
    assert (shelter(session, "g1"), shelter(session, "g2")) == (2, 2)


@pytest.mark.rule("ost", "24.0c", "25.3")
def test_terrain_and_counters_add_up() -> None:
    """Worked example E-14: Cover in woods."""
    session = march("g1 ger_rifle D4", works=["cover D4 german"], terrain={"woods": "D4"})
    assert shelter(session, "g1") == 3


@pytest.mark.rule("ost", "24.0b")
@pytest.mark.parametrize("work", ["cover", "bunker", "foxholes", "wire"])
def test_one_fortification_a_hex_smoke_apart(work: str) -> None:
    session = march("g1 ger_rifle D4", works=[f"{work} D4 german"], smoke={"D4": 1})
    found = fortifications.bar_work(battle(session), "D4", "cover")
    assert found is not None and found.rule == "24.0b"
    free = march("g1 ger_rifle D4", smoke={"D4": 1}, mines=["D4 german"], wrecks="D4")
    assert fortifications.bar_work(battle(free), "D4", "cover") is None


# ---- 25: Cover ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "25.1", "25.2", "25.3")
@pytest.mark.parametrize(("die", "found"), [(4, False), (5, True), (6, True)])
def test_cover_attempt(die: int, found: bool) -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h D4 f=1", dice=(die,))
    answer(session, "cover g2")
    assert state(session).points["german"] == 8
    assert (shelter(session, "g1"), shelter(session, "g2")) == ((1, 1) if found else (0, 0))
    assert ("D4" in state(session).works) is found
    assert unit(session, "g2").fired == 0 and not unit(session, "g2").moved


@pytest.mark.rule("ost", "25.2", "74.7")
def test_any_number_of_attempts_even_by_used_units() -> None:
    session = march("g1 ger_rifle D4 used", dice=(1, 1, 6))
    answer(session, "cover g1", "cover g1", "cover g1")
    assert state(session).works["D4"].kind == "cover"
    assert state(session).points["german"] == 6


@pytest.mark.rule("ost", "25.1")
def test_shaken_broken_and_housed_units_may_try() -> None:
    session = march(
        "g1 ger_rifle D4 shaken", "g2 ger_rifle E4 broken", "g3 ger_rifle F4", buildings=["heavy_structure F4"]
    )
    assert keys(session, "cover") == ["cover g1", "cover g2", "cover g3"]


@pytest.mark.rule("ost", "25.5", "24.0b")
@pytest.mark.parametrize("work", ["bunker", "pillbox", "foxholes", "trench", "wire", "roadblock"])
def test_no_cover_beside_other_works(work: str) -> None:
    session = march("g1 ger_rifle D4", works=[f"{work} D4 german facing=1"])
    assert not keys(session, "cover")
    found = fortifications.bar_cover(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "25.5"


@pytest.mark.rule("ost", "25.5")
def test_no_cover_in_a_stream_or_a_melee() -> None:
    assert not keys(march("g1 ger_rifle D4", terrain={"stream": "D4"}), "cover")
    assert not keys(march("g1 ger_rifle D4", "a1 us_rifle D4", melees=["D4 german"]), "cover")


@pytest.mark.rule("ost", "90.4")
def test_no_cover_after_intensive_fire() -> None:
    assert not keys(march("g1 ger_rifle D4 used intensive"), "cover")


@pytest.mark.rule("ost", "25.4")
def test_cover_goes_when_the_last_unit_leaves() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_rifle D4", works=["cover D4 german"])
    answer(session, "move g1", "step D5", "stop")
    assert "D4" in state(session).works
    answer(session, "move g2", "step D3", "stop")
    assert "D4" not in state(session).works


@pytest.mark.rule("ost", "25.4")
def test_cover_goes_when_the_last_unit_is_destroyed() -> None:
    session = position(
        "g1 ger_rifle D4 reduced", "a1 us_rifle D7", works=["cover D4 german"], active="american", dice=(6, 6)
    )
    answer(session, "fire a1", "at g1 own")
    assert unit(session, "g1").status == "lost" and "D4" not in state(session).works


@pytest.mark.rule("ost", "25.4", "98.1", "98.2")
def test_cover_goes_when_the_last_vehicle_is_abandoned() -> None:
    """Damage to a vehicle with damage: its crew runs (97.5), and leaves nobody in the hex."""
    for extra, left in ((), False), (("g2 ger_rifle D4",), True):
        session = position(
            "g1 ger_pz4h D4 f=4 mgs_out",
            *extra,
            "g9 ger_rifle J8",
            "a1 us_m4a1 D6 f=1",
            works=["cover D4 german"],
            active="american",
            dice=(6, 5, *dice_for("D", 7 - 8, chart=VCT), 3),
        )
        answer(session, "fire a1", "at g1 main")
        assert happened(session, combat_events.Abandoned)
        assert ("D4" in state(session).works) is left


@pytest.mark.rule("ost", "25.4", "96.1", "99.2")
@pytest.mark.parametrize(("crew", "left"), [(1, False), (6, True)])
def test_cover_goes_with_the_last_vehicle_unless_its_crew_lives(crew: int, left: bool) -> None:
    session = position(
        "g1 ger_pz4h D4 f=1",
        "g9 ger_rifle J8",
        "a1 us_m4a1 D6 f=1",
        works=["cover D4 german"],
        active="american",
        dice=(6, 5, *dice_for("X", 7 - 5, chart=VCT), crew),
    )
    answer(session, "fire a1", "at g1 main")
    assert happened(session, combat_events.Wrecked)
    assert ("D4" in state(session).works) is left


@pytest.mark.rule("ost", "25.3")
def test_an_enemy_does_not_inherit_cover() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D4", works=["cover D4 american"], melees=["D4 german"])
    assert (shelter(session, "g1"), shelter(session, "a1")) == (0, 1)


# ---- 26: Foxholes and Trenches -----------------------------------------------------------------------


@pytest.mark.rule("ost", "26.2", "26.3", "26.4")
@pytest.mark.parametrize(("work", "defense"), [("foxholes", 1), ("trench", 2)])
def test_holes_shelter_foot_units_only(work: str, defense: int) -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h D4 f=1", works=[f"{work} D4 german"])
    assert (shelter(session, "g1"), shelter(session, "g2")) == (defense, 0)


@pytest.mark.rule("ost", "26.1", "26.5")
def test_holes_stay_and_serve_either_side() -> None:
    session = march("g1 ger_rifle D4", works=["trench D4 american"])
    assert shelter(session, "g1") == 2
    answer(session, "move g1", "step D5", "stop")
    assert state(session).works["D4"].kind == "trench"
    assert not any("trench" in key or "foxhole" in key for key in keys(session)), "nobody digs in play"


# ---- 27: Mines ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "27.2", "27.7")
def test_mines_reveal_themselves_and_attack() -> None:
    session = march("g1 ger_rifle D4", mines=["D5 american"], dice=(3, 4, 1, 1))
    answer(session, "move g1", "step D5")
    assert state(session).mines["D5"].revealed
    firepower, defense, roll = rolled(session, "ICT attack")[0].tallies
    assert (firepower.total, firepower.rule, defense.total, roll.total) == (5, "27.7", 4, 0)
    assert rolled(session, "ICT attack")[0].side == "american"
    assert unit(session, "g1").morale and unit(session, "g1").hex == "D5"
    assert session.ask is not None and session.ask.quiet, "a result stops it there"


@pytest.mark.rule("ost", "27.1", "27.2")
def test_the_mover_does_not_know_of_mines() -> None:
    session = march("g1 ger_rifle D4", mines=["D5 american"], dice=(1, 1))
    answer(session, "move g1")
    assert cost(session, "step D5") == cost(session, "step D3")
    answer(session, "step D5")
    assert session.ask is not None and not session.ask.quiet, "without effect it goes on"


@pytest.mark.rule("ost", "27.8")
def test_mines_hit_a_vehicle_on_its_flank() -> None:
    session = march("g1 ger_pz4h D4 f=4", mines=["D5 american"], dice=(1, 1))
    answer(session, "move g1", "step D5")
    firepower, defense, _ = rolled(session, "VCT attack")[0].tallies
    assert firepower.total == 5
    assert defense.base == battle(session).type(unit(session, "g1")).flank
    assert not rolled(session, "To Hit")


@pytest.mark.rule("ost", "27.3", "10.3", "27.5")
def test_engineers_find_mines_unhurt_others_do_not() -> None:
    session = march("g1 ger_pioneer D4", "g2 ger_rifle D4", mines=["D5 american"], dice=(1, 1))
    answer(session, "move g1", "step D5", "stop")
    assert state(session).mines["D5"].revealed and not rolled(session)
    answer(session, "move g2", "step D5")
    assert len(rolled(session, "ICT attack")) == 1, "revealed mines go on attacking"
    assert "D5" in state(session).mines


@pytest.mark.rule("ost", "27.6")
def test_owner_walks_through_his_mines() -> None:
    session = march("g1 ger_rifle D4", mines=["D5 german"])
    answer(session, "move g1", "step D5", "step D6")
    assert not rolled(session) and not state(session).mines["D5"].revealed


@pytest.mark.rule("ost", "27.7", "91.1")
def test_attached_leader_shares_the_fate() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_lt D4 attached=g1", mines=["D5 american"], dice=(4, 5, 1))
    answer(session, "move g1", "step D5")
    assert unit(session, "g1").reduced and rolled(session, "Leader Casualty")


# ---- 28, 29: Bunkers and Pillboxes -------------------------------------------------------------------

SHELTERS = pytest.mark.parametrize("work", ["bunker", "pillbox"])


@SHELTERS
@pytest.mark.rule("ost", "28.4", "28.5", "28.12", "29.4", "29.5", "24.0c")
def test_a_point_in_and_a_point_out(work: str) -> None:
    session = march(
        "g1 ger_rifle D4", "g2 ger_lt D4 attached=g1", works=[f"{work} D5 german facing=1"], terrain={"brush": "D5"}
    )
    answer(session, "move g1")
    assert cost(session, "step D5") == "1 MP", "the hex itself costs its terrain"
    answer(session, "step D5")
    assert shelter(session, "g1") == 1, "outside it has the brush alone"
    assert cost(session, "inside") == "1 MP"
    answer(session, "inside")
    assert unit(session, "g1").inside and unit(session, "g2").inside
    assert shelter(session, "g1") == 4
    assert cost(session, "outside") == "1 MP"
    answer(session, "stop")
    out = march("g1 ger_rifle D5 inside", works=[f"{work} D5 german facing=1"])
    answer(out, "move g1")
    assert cost(out, "step D6") == "2 MP", "1 to leave and 1 for the hex"
    answer(out, "outside")
    assert not unit(out, "g1").inside and cost(out, "step D6") == "1 MP"


@SHELTERS
@pytest.mark.rule("ost", "28.6", "29.6")
def test_either_side_may_go_in(work: str) -> None:
    session = march("g1 ger_rifle D4", works=[f"{work} D4 american facing=1"])
    answer(session, "move g1", "inside", "stop")
    assert unit(session, "g1").inside and shelter(session, "g1") == 3


@pytest.mark.rule("ost", "28.2")
def test_vehicles_stay_outside_a_bunker() -> None:
    session = march("g1 ger_pz4h D4 f=4", works=["bunker D5 german"])
    answer(session, "move g1", "step D5", "face 4")
    assert not offered(session, "inside")
    assert shelter(session, "g1") == 0


@pytest.mark.rule("ost", "29.2")
def test_vehicles_keep_out_of_pillbox_hexes() -> None:
    session = march("g1 ger_pz4h D4 f=4", works=["pillbox D5 german facing=1"])
    assert bar_of(session, "g1", "D5") == "29.2"


@SHELTERS
@pytest.mark.rule("ost", "28.3", "29.3")
@pytest.mark.parametrize("ground", ["light_structure", "heavy_structure", "stream"])
def test_no_bunker_in_structures_and_streams(work: str, ground: str) -> None:
    session = march("g1 ger_rifle A1", terrain={ground: "D4"})
    found = fortifications.bar_work(battle(session), "D4", work)
    assert found is not None and found.rule == ("28.3" if work == "bunker" else "29.3")
    assert fortifications.bar_work(battle(session), "D5", work) is None


@pytest.mark.rule("ost", "28.7")
def test_all_round_fire_from_a_bunker() -> None:
    session = march(
        "g1 ger_rifle D5 inside", "a1 us_rifle D2", "a2 us_rifle D8", "a3 us_rifle G5", works=["bunker D5 german"]
    )
    answer(session, "fire g1")
    assert {"a1", "a2", "a3"} <= {key.split()[1] for key in keys(session, "at")}


@pytest.mark.rule("ost", "29.7", "29.8", "29.9")
def test_pillbox_fires_through_its_arc_but_all_round_next_door() -> None:
    units = ("g1 ger_rifle D5 inside", "g2 ger_hmg42 D5 inside", "a1 us_rifle D2", "a2 us_rifle D8", "a3 us_rifle D6")
    session = march(*units, works=["pillbox D5 german facing=1"])
    answer(session, "fire g1")
    assert {key.split()[1] for key in keys(session, "at")} == {"a1", "a3"}, "not at D8 behind it, but at D6 next to it"
    gun = march(*units, works=["pillbox D5 german facing=1"])
    answer(gun, "fire g2")
    assert "a3" not in {key.split()[1] for key in keys(gun, "at")}, "a crewed weapon keeps to the arc"
    back = position(*units, works=["pillbox D5 german facing=1"], active="american")
    assert "fire a2" not in keys(back), "nor is it shot at from behind"
    assert {"fire a1", "fire a3"} <= set(keys(back))


@pytest.mark.rule("ost", "28.8", "74.1")
def test_occupants_blow_up_their_bunker() -> None:
    session = march("g1 ger_rifle D4 inside", "g2 ger_pioneer D4 inside", works=["bunker D4 german"])
    answer(session, "demolish g1")
    assert "D4" not in state(session).works and not unit(session, "g2").inside
    assert (unit(session, "g1").fired, state(session).points["german"]) == (1, 8)
    assert unit(session, "g2").status == "map" and not rolled(session)
    assert not keys(march("g1 ger_rifle D4", works=["bunker D4 german"]), "demolish"), "outside it"
    assert not keys(march("g1 ger_rifle D4 inside used", works=["bunker D4 german"]), "demolish")


@pytest.mark.rule("ost", "28.8", "10.2", "10.4", "74.6", "74.1")
def test_a_unit_that_is_used_by_moving_and_firing_does_no_more_work() -> None:
    works = ["bunker D4 german", "wire E4 german"]
    for flags, free in (("moved fired", False), ("moved", True), ("fired", True), ("used", False)):
        session = march(f"g1 ger_pioneer D4 inside {flags}", f"g2 ger_pioneer E4 {flags}", works=works)
        assert keys(session, "demolish") == (["demolish g1"] if free else [])
        assert keys(session, "engineer_smoke") == (["engineer_smoke g1", "engineer_smoke g2"] if free else [])
        assert keys(session, "clear") == (["clear g2 wire"] if free else [])


@pytest.mark.rule("ost", "88.7", "74.1")
@pytest.mark.parametrize(("flags", "rule"), [("fired=2", "88.7"), ("moved fired", "74.1"), ("fired", "")])
def test_why_there_is_no_more_work(flags: str, rule: str) -> None:
    """Work counts as Fire, of which a unit has two; with a Move it has one."""
    session = march(f"g1 ger_pioneer D4 {flags}")
    found = fortifications.bar_task(battle(session), unit(session, "g1"))
    assert (found.rule if found else "") == rule


@pytest.mark.rule("ost", "28.8", "28.10")
def test_a_demolished_bunker_costs_the_guns_in_it() -> None:
    session = march(
        "g1 ger_rifle D4 inside",
        "g2 ger_pak40 D4 inside f=1",
        "g3 ger_sgt D4 attached=g2 inside",
        "k1 us_at57 D4 inside unmanned f=1",
        works=["bunker D4 german"],
    )
    answer(session, "demolish g1")
    (survived,) = happened(session, combat_events.CrewSurvived)
    assert unit(session, "g2").status == "lost" and unit(session, "g3").attached == survived.crew
    assert unit(session, "k1").status == "lost", "a gun that nobody mans goes with the Bunker"
    assert state(session).casualties == {"german": 0, "american": 1}
    assert not any(unit(session, id).inside for id in ("g1", "g3", survived.crew))


@pytest.mark.rule("ost", "29.10", "29.11")
def test_pillboxes_neither_turn_nor_fall() -> None:
    session = march("g1 ger_rifle D4 inside", works=["pillbox D4 german facing=2"])
    assert not keys(session, "demolish")
    found = fortifications.bar_demolish(battle(session), unit(session, "g1"))
    assert found is not None and found.rule == "29.11"
    answer(session, "move g1")
    assert not keys(session, "pivot") and state(session).works["D4"].facing == 2


@pytest.mark.rule("ost", "28.11", "17.14", "89.2")
def test_gun_in_a_bunker_still_spins_for_its_arc() -> None:
    session = march("g1 ger_pak40 D4 f=1 inside", "a1 us_rifle D7", works=["bunker D4 german"], dice=(1, 1))
    answer(session, "move g1", "pivot 4")
    assert unit(session, "g1").moved and unit(session, "g1").inside and unit(session, "g1").facing == 4
    answer(session, "fire g1", "at a1 main")
    assert any(line.id == "moving_fire" for t in rolled(session, "ICT attack")[-1].tallies for line in t.lines)


@pytest.mark.rule("ost", "17.8", "17.9")
def test_guns_in_bunkers_but_not_the_flak_36() -> None:
    gun = march("g1 ger_pak36 D4 f=1", works=["bunker D4 german"])
    answer(gun, "move g1", "inside", "stop")
    assert unit(gun, "g1").inside
    flak = march("g1 ger_flak36 D4 f=1", works=["bunker D4 german"])
    answer(flak, "move g1")
    assert not offered(flak, "inside")


@pytest.mark.rule("ost", "28.9", "28.10", "110.2")
def test_collapsing_bunker_turns_its_guns_into_crews() -> None:
    session = position(
        "g1 ger_rifle A1", "a1 us_mmg G5 inside", "a2 us_rifle G5 inside", works=["bunker G5 american"],
        assets={"german": {"artillery": 1}}, points={"german": 9, "american": 0}, dice=(6, 1, 1, 1, 1, 6),
    )  # fmt: skip
    answer(session, "oba artillery", "hex G5", "shells")
    assert "G5" not in state(session).works
    assert unit(session, "a1").status == "lost" and not unit(session, "a2").inside
    assert unit(session, "a2").morale == 0, "no further attack"
    assert state(session).casualties["german"] == 1
    assert [u.kind for u in battle(session).stack("G5", "american") if u.id != "a2"] == ["us_crew"]


# ---- 30, 31: Wire and Roadblocks ---------------------------------------------------------------------


@pytest.mark.rule("ost", "30.2", "30.4", "75.9")
@pytest.mark.parametrize(("kind", "price"), [("ger_rifle", "2"), ("ger_truck", "7"), ("ger_pz4h", "5")])
def test_cost_of_wire(kind: str, price: str) -> None:
    """In brush: the Wire and the cost of the terrain."""
    session = march(f"g1 {kind} D4 f=4", works=["wire D5"], terrain={"brush": "D5"}, dice=(6,))
    answer(session, "move g1")
    assert cost(session, "step D5") == f"{price} MP"
    answer(session, "step D5")
    assert len(rolled(session, "Bog roll")) == (kind != "ger_rifle")


@pytest.mark.rule("ost", "30.3", "30.1")
def test_wire_stops_everybody() -> None:
    session = march("g1 ger_rifle D4", works=["wire D5"])
    answer(session, "move g1", "step D5")
    assert session.ask is not None and session.ask.quiet and unit(session, "g1").moved
    assert shelter(session, "g1") == -1
    assert "D5" in state(session).works
    halted = happened(session, move_events.Halted)
    assert [(event.side, event.unit, event.place, event.why, event.rules) for event in halted] == [
        ("german", "g1", "D5", "wire", ("30.3",))
    ]


@pytest.mark.rule("ost", "30.3", "30.5")
def test_vehicle_crushes_wire_and_stops() -> None:
    session = march("g1 ger_pz4h D4 f=4", works=["wire D5"], dice=(2,))
    answer(session, "move g1", "step D5", "face 4")
    assert "D5" not in state(session).works
    assert session.ask is not None and session.ask.quiet, "it must stop all the same"


@pytest.mark.rule("ost", "31.1")
@pytest.mark.parametrize("kind", ["ger_truck", "ger_pz4h"])
def test_roadblock_stops_vehicles_even_on_the_road(kind: str) -> None:
    session = march(f"g1 {kind} D4 f=4", works=["roadblock D5"], roads=["D4, D5, D6"])
    assert bar_of(session, "g1", "D5") == "31.1"


@pytest.mark.rule("ost", "31.2", "31.3")
def test_foot_units_climb_a_roadblock() -> None:
    session = march("g1 ger_rifle D4", works=["roadblock D5"])
    answer(session, "move g1")
    assert cost(session, "step D5") == "2 MP"
    answer(session, "step D5", "step D6")
    assert unit(session, "g1").hex == "D6"
    assert shelter(march("g1 ger_rifle D5", works=["roadblock D5"]), "g1") == 1


@pytest.mark.rule("ost", "30.8", "31.6")
@pytest.mark.parametrize("work", ["wire", "roadblock"])
@pytest.mark.parametrize(("die", "left"), [(4, True), (5, False)])
def test_oba_may_remove_obstacles(work: str, die: int, left: bool) -> None:
    session = march("g1 ger_rifle D4", works=[f"{work} G5"], assets={"german": {"mortars": 1}}, dice=(6, die))
    answer(session, "oba mortars", "hex G5", "shells")
    assert ("G5" in state(session).works) is left


@pytest.mark.rule("ost", "30.7", "31.5")
@pytest.mark.parametrize("work", ["wire", "roadblock"])
def test_satchel_removes_obstacles(work: str) -> None:
    session = march("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", works=[f"{work} D5"], dice=(1, 1))
    answer(session, "fire g1")
    answer(session, next(key for key in keys(session) if "satchel" in key))
    assert "D5" not in state(session).works


# ---- lines of sight and shelter of counters ----------------------------------------------------------


@pytest.mark.rule("ost", "30.9", "31.7", "32.3", "33.5", "34.1", "34.3")
def test_counters_and_sight() -> None:
    assert degraded(works=["wire D4"]) == (True, 0)
    assert degraded(works=["roadblock D4"]) == (True, 1)
    assert degraded(buildings=["heavy_structure D4"], rubble="D4") == (True, 1)
    assert degraded(smoke={"D4": 1}) == (True, 1)
    assert degraded(smoke={"D4": 2}) == (True, 1)
    assert degraded(wrecks={"D4": 1}) == (True, 1)
    assert degraded(wrecks={"D4": 3}) == (True, 1)


@pytest.mark.rule("ost", "33.7")
def test_smoke_reaches_all_levels() -> None:
    session = march("g1 ger_rifle D3", "a1 us_rifle D7", levels={2: "D3"}, smoke={"D5": 1})
    line = sight(battle(session), unit(session, "g1"), unit(session, "a1"))
    assert line.clear and len(line.degraded) == 1


@pytest.mark.rule("ost", "32.1", "32.4")
def test_rubble_takes_the_structure_s_place() -> None:
    session = march("g1 ger_rifle D4", buildings=["heavy_structure D4 level=2"], rubble="D4")
    assert battle(session).terrain("D4").name == "rubble"
    assert shelter(session, "g1") == 3
    assert not battle(session).in_structure(unit(session, "g1"))


@pytest.mark.rule("ost", "34.2", "34.3", "34.4")
def test_wrecks_shelter_once_and_stay() -> None:
    session = march("g1 ger_rifle D4", wrecks={"D4": 2}, phase="clean", dice=NEXT_TURN)
    assert lines(combat.defense_tally(battle(session), unit(session, "g1"), "fire")) == {"wreck": 1}
    assert state(session).wrecks == {"D4": 2}


# ---- 33: Smoke ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "10.1", "10.2", "33.1", "33.6")
def test_engineers_place_smoke() -> None:
    session = march("g1 ger_pioneer D4", "g2 ger_rifle D5")
    assert keys(session, "engineer_smoke") == ["engineer_smoke g1"]
    answer(session, "engineer_smoke g1")
    assert keys(session) == [f"smoke {hex}" for hex in ("D4", "D3", "E4", "E5", "D5", "C5", "C4")]
    answer(session, "smoke E5")
    assert state(session).smoke == {"E5": 1}
    assert (unit(session, "g1").fired, state(session).points["german"]) == (1, 8)


@pytest.mark.rule("ost", "10.2", "74.1", "68.6")
def test_who_may_not_place_smoke() -> None:
    session = march("g1 ger_pioneer D4 used", "g2 ger_pioneer E4 broken", "g3 ger_pioneer F4 shaken")
    assert keys(session, "engineer_smoke") == ["engineer_smoke g3"]


@pytest.mark.rule("ost", "33.2", "111.4")
def test_smoke_lasts_two_turns() -> None:
    session = march("g1 ger_rifle D4", smoke={"D5": 1, "D6": 2}, phase="smoke", dice=(*NEXT_TURN, *NEXT_TURN))
    assert state(session).smoke == {"D5": 2}
    fortifications.age_smoke(battle(session))
    assert state(session).smoke == {}


@pytest.mark.rule("ost", "33.3", "107.17")
def test_oba_smoke_fills_seven_hexes() -> None:
    session = march("g1 ger_rifle D4", assets={"german": {"mortars": 1}}, dice=(6,))
    answer(session, "oba mortars", "hex G5", "smoke")
    assert state(session).smoke.pop("G5") == 1
    assert set(state(session).smoke.values()) == {2} and len(state(session).smoke) == 6


@pytest.mark.rule("ost", "33.4")
def test_smoke_shelters_and_hinders() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D6", smoke={"D4": 1}, dice=(1, 1))
    assert shelter(session, "g1") == 1
    answer(session, "fire g1", "at a1 own")
    assert tally(session, "Firepower", "ICT attack").total == 3


@pytest.mark.rule("ost", "33.2")
def test_the_fresher_smoke_stays() -> None:
    session = march("g1 ger_rifle D4", smoke={"D5": 1})
    fortifications.place_smoke(battle(session), "D5", 2)
    assert state(session).smoke["D5"] == 1


# ---- 10.4: clearing ----------------------------------------------------------------------------------

WORKS = {
    "wire": {"works": ["wire D4"]},
    "roadblock": {"works": ["roadblock D4"]},
    "mines": {"mines": ["D4 american revealed"]},
}


def engineer(obstacle: str, **more: object) -> Session:
    """A Pioneer in a hex with an obstacle, on the last point of the turn."""
    return march("g1 ger_pioneer D4", points={"german": 1, "american": 0}, **WORKS[obstacle], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("obstacle", WORKS)
@pytest.mark.rule("ost", "10.4", "27.4", "30.6", "31.4")
def test_engineers_clear_obstacles_by_the_turn_s_end(obstacle: str) -> None:
    session = engineer(obstacle, dice=NEXT_TURN)
    present = state(session).mines if obstacle == "mines" else state(session).works
    assert "D4" in present
    answer(session, f"clear g1 {obstacle}")
    assert state(session).points["german"] != 1 and state(session).turn == 4, "the turn is over"
    assert "D4" not in present
    assert [event.kind for event in happened(session, move_events.Removed)] == [obstacle]


@pytest.mark.rule("ost", "10.4")
def test_clearing_is_a_fire_action_and_takes_all_turn() -> None:
    session = march("g1 ger_pioneer D4", works=["wire D4"])
    answer(session, "clear g1 wire")
    assert (unit(session, "g1").fired, unit(session, "g1").clearing) == (1, "wire")
    assert "D4" in state(session).works
    assert not keys(session, "clear")


@pytest.mark.rule("ost", "10.4")
def test_moving_away_or_losing_heart_ends_it() -> None:
    session = march("g1 ger_pioneer D4", works=["wire D4"])
    answer(session, "clear g1 wire", "move g1", "step D5", "stop")
    assert unit(session, "g1").clearing == ""
    fired = position(
        "g1 ger_pioneer D4 clearing=wire fired",
        "a1 us_rifle D7",
        works=["wire D4"],
        active="american",
        dice=(4, 5, 1, 1),
    )
    answer(fired, "fire a1", "at g1 own")
    shaken = march("g1 ger_pioneer D4 clearing=wire fired shaken", works=["wire D4"])
    fortifications.clear_obstacles(battle(shaken))
    assert "D4" in state(shaken).works


@pytest.mark.rule("ost", "10.4", "10.1")
def test_who_may_clear() -> None:
    session = march(
        "g1 ger_rifle D4",
        "g2 ger_pioneer E4 shaken",
        "g3 ger_pioneer F4",
        works=["wire D4", "wire E4"],
        mines=["F4 american"],
    )
    assert not keys(session, "clear"), "no engineer; not in good order; nothing it knows of"


@pytest.mark.rule("ost", "10.4", "74.5")
def test_an_engineer_may_clear_two_obstacles_of_its_hex() -> None:
    session = march("g1 ger_pioneer D4", works=["wire D4 american"], mines=["D4 american revealed"])
    assert keys(session, "clear") == ["clear g1 mines", "clear g1 wire"]
    answer(session, "clear g1 mines")
    assert keys(session, "clear") == ["clear g1 wire"]
    bar = fortifications.bar_clear(battle(session), unit(session, "g1"), "mines")
    assert bar is not None and bar.rule == "10.4"
    answer(session, "clear g1 wire")
    assert not keys(session, "clear"), "it is Used"
    assert "clearing mines and wire" in next(u for u in session.view("german").units if u.id == "g1").states
    fortifications.clear_obstacles(battle(session))
    assert "D4" not in state(session).works and "D4" not in state(session).mines
