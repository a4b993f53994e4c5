"""Off Board Artillery: spotting, accuracy, drift, the attacks and the zone (107-109)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.session import Session
from grognard.games.ost import artillery, combat_events, move_events
from grognard.games.ost.state import GOOD, LOST, ON_MAP, SHAKEN, Strike
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, run, state, tally, unit

MORTARS = {"american": {"mortars": 1}}


def strike(session: Session, hex: str, kind: str = "mortars", what: str = "shells") -> Session:
    """Call a strike; every die of the script must be thrown, and none be wanting."""
    answer(session, f"oba {kind}", f"hex {hex}", what)
    done(session)
    return session


def done(session: Session) -> None:
    assert not isinstance(session.ask, FacesAsk), session.ask
    assert isinstance(session.dice, ScriptedDice)
    assert session.dice.position == len(session.dice.script), "dice are left over"


def attacked(session: Session) -> list[tuple[str, int, int]]:
    """Who was attacked, with what Firepower against what Defense, in order."""
    return [
        (event.unit, event.tallies[0].total, event.tallies[1].total)
        for event in rolled(session)
        if event.what in ("ICT attack", "VCT attack") and len(event.tallies) == 3
    ]


def game(*units: str, dice: tuple[int, ...] = (), **more: Any) -> Session:
    """An American rifle squad in A4, with whatever else; one mortar strike at hand."""
    return position("a1 us_rifle A4", *units, dice=dice, **{"assets": MORTARS, **more})


# ---- assets and points --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "106.0", "107.1", "107.2", "107.4", "108.1", "108.2")
@pytest.mark.parametrize(
    ("kind", "full", "half", "needed"), [("mortars", 4, 2, 4), ("artillery", 6, 3, 5), ("rockets", 8, 4, 6)]
)
def test_each_kind_of_strike_has_its_firepower_and_accuracy(kind: str, full: int, half: int, needed: int) -> None:
    session = game("g1 ger_rifle F4", "g2 ger_rifle F3", dice=(needed, 1, 1, 1, 1), assets={"american": {kind: 1}})
    assert keys(session, "oba") == [f"oba {kind}"]
    strike(session, "F4", kind)
    assert attacked(session) == [("g1", full, 4), ("g2", half, 4)]
    assert tally(session, "accuracy number").total == needed
    assert state(session).strikes == [Strike("american", kind, "F4")]
    assert state(session).points["american"] == 4
    assert state(session).assets["american"][kind] == 0
    assert not happened(session, combat_events.Drifted)
    assert [(e.kind, e.place, e.smoke) for e in happened(session, combat_events.StrikeCalled)] == [(kind, "F4", False)]


@pytest.mark.rule("ost", "108.2", "109.1", "109.4")
@pytest.mark.parametrize(("kind", "rolled_"), [("mortars", 3), ("artillery", 4), ("rockets", 5)])
def test_below_the_accuracy_number_it_drifts(kind: str, rolled_: int) -> None:
    session = game("g1 ger_rifle F4", dice=(rolled_, 4, 3), assets={"american": {kind: 1}})
    strike(session, "F4", kind)
    assert [(e.start, e.place) for e in happened(session, combat_events.Drifted)] == [("F4", "F7")]
    assert state(session).strikes == [Strike("american", kind, "F7")]
    assert attacked(session) == []


@pytest.mark.rule("ost", "106.0")
def test_only_assets_at_hand_are_offered_and_each_call_uses_one_up() -> None:
    session = game("g1 ger_rifle F4", dice=(6, 1, 1), assets={"american": {"mortars": 1, "artillery": 1}})
    assert keys(session, "oba") == ["oba mortars", "oba artillery"]
    strike(session, "F4")
    answer(session, "burn")
    assert keys(session, "oba") == ["oba artillery"]


@pytest.mark.rule("ost", "106.0")
def test_an_asset_may_come_later_in_the_battle() -> None:
    late = {"american": {"mortars": 4}}
    assert keys(game("g1 ger_rifle F4", turn=5, asset_turns=late), "oba") == []
    assert keys(game("g1 ger_rifle F4", turn=4, asset_turns=late), "oba") == ["oba mortars"]
    assert keys(game("g1 ger_rifle F4", turn=3, asset_turns=late), "oba") == ["oba mortars"]


# ---- spotting -----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "107.5", "68.4", "68.7")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
def test_a_shaken_or_broken_unit_does_not_spot(morale: str) -> None:
    session = position(f"a1 us_rifle A4 {morale}", "g1 ger_rifle F4", assets=MORTARS)
    assert keys(session, "oba") == []
    assert artillery.bar_oba(battle(session), "american", "mortars") == artillery.NO_SPOTTER


@pytest.mark.rule("ost", "107.5", "101.3")
def test_passengers_and_units_in_melee_do_not_spot() -> None:
    carried = position("a1 us_truck A4 broken", "a2 us_rifle A4 aboard=a1", "g1 ger_rifle F4", assets=MORTARS)
    assert keys(carried, "oba") == []
    fighting = position("a1 us_rifle A4", "g1 ger_rifle A4", "g2 ger_rifle F4", melees=["A4 german"], assets=MORTARS)
    assert keys(fighting, "oba") == []


@pytest.mark.rule("ost", "107.5", "16.7")
def test_an_armor_leader_does_not_spot_for_his_shaken_vehicle() -> None:
    units = ("a1 us_m4a1 A4 shaken", "a2 us_arm_lt A4 attached=a1", "g1 ger_rifle F4")
    assert keys(position(*units, assets=MORTARS), "oba") == []


@pytest.mark.rule("ost", "107.4")
def test_a_strike_needs_a_point() -> None:
    session = game("g1 ger_rifle F4", points={"american": 0})
    assert artillery.bar_oba(battle(session), "american", "mortars") == artillery.NO_POINT
    last = game("g1 ger_rifle F4", points={"american": 1}, dice=(4, 1, 1))
    answer(last, "oba mortars", "hex F4", "shells")
    assert state(last).points["american"] == 0, "one is enough, and it is spent"
    assert artillery.bar_oba(battle(session), "american", "mortars", free=True) is None


@pytest.mark.rule("ost", "107.5", "58.2")
def test_the_target_hex_must_be_in_sight() -> None:
    session = game("g1 ger_rifle J8", terrain={"woods": "C1-C8"})
    answer(session, "oba mortars")
    offered = keys(session)
    assert "hex B4" in offered and "hex C4" in offered
    assert "hex E4" not in offered and "hex J8" not in offered


@pytest.mark.rule("ost", "107.6")
def test_spotting_range_is_20_or_the_longest_weapon_range() -> None:
    rifle = position("a1 us_rifle A2", "g1 ger_rifle A1", map="open 30x3", assets=MORTARS)
    answer(rifle, "oba mortars")
    distance = battle(rifle).grid.dist["A2"]
    assert max(distance[key.split()[1]] for key in keys(rifle)) == 20
    gun = position("g1 ger_pak40 A2", "a1 us_rifle A1", map="open 30x3", assets={"german": {"mortars": 1}})
    answer(gun, "oba mortars")
    assert max(distance[key.split()[1]] for key in keys(gun)) == 24


@pytest.mark.rule("ost", "107.5")
def test_a_melee_is_not_aimed_at_but_empty_hexes_are() -> None:
    session = game("a2 us_rifle D4", "g1 ger_rifle D4", melees=["D4 german"])
    answer(session, "oba mortars")
    assert "hex D4" not in keys(session)
    assert "hex D5" in keys(session)


@pytest.mark.rule("ost", "107.5")
def test_a_hidden_unit_spots_and_stays_hidden() -> None:
    session = position("a1 us_rifle A4 hidden", "g1 ger_rifle F4", dice=(6, 1, 1), assets=MORTARS)
    strike(session, "F4")
    assert unit(session, "a1").hidden


@pytest.mark.rule("ost", "13.3", "108.3", "15.16")
@pytest.mark.parametrize(
    ("leader", "bonus"),
    [
        ("a2 us_lt A6", 1),  # two hexes away, command range 2
        ("a2 us_lt A7", 0),  # three hexes away
        ("a2 us_lt A6 shaken", 0),
        ("a2 us_ab_lt A6", 0),  # another branch (14.1)
        ("a2 us_sgt A4 attached=a1", 1),
    ],
)
def test_a_leader_in_command_range_helps_accuracy(leader: str, bonus: int) -> None:
    wanting = () if bonus else (1, 1)
    session = game(leader, "g1 ger_rifle J1", dice=(3, *wanting))
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == ({"spotting_leader": 1} if bonus else {})
    assert bool(happened(session, combat_events.Drifted)) is not bool(bonus)


@pytest.mark.rule("ost", "108.3", "13.3")
def test_the_spotter_with_the_leader_is_taken_and_two_leaders_help_once() -> None:
    session = game("a2 us_rifle J8", "a3 us_lt J8 attached=a2", "a4 us_sgt J8", "g1 ger_rifle A1", dice=(3,))
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == {"spotting_leader": 1}


@pytest.mark.rule("ost", "14.4", "108.3")
@pytest.mark.parametrize(("leader", "bonus"), [("sov_commissar", 1), ("sov_lt", 0), ("sov_g_lt", 1)])
def test_a_commissar_helps_every_branch(leader: str, bonus: int) -> None:
    dice = (3,) if bonus else (3, 1, 1)
    units = ("s1 sov_guards A4", f"s2 {leader} A4", "g1 ger_rifle J1")
    session = position(*units, dice=dice, assets={"soviet": {"mortars": 1}})
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == ({"spotting_leader": 1} if bonus else {})


@pytest.mark.rule("ost", "108.3", "101.3")
def test_a_leader_locked_in_a_melee_does_not_help() -> None:
    units = ("a2 us_rifle A5", "a3 us_lt A5 attached=a2", "g1 ger_rifle A5", "g2 ger_rifle J8")
    session = game(*units, melees=["A5 german"], dice=(3, 1, 1))
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == {}


@pytest.mark.rule("ost", "108.3")
def test_a_hidden_leader_helps_without_being_named() -> None:
    session = position("a1 us_rifle A4 hidden", "a2 us_lt A4 attached=a1", "g1 ger_rifle J1", dice=(3,), assets=MORTARS)
    strike(session, "F4")
    assert [(line.id, line.source) for line in tally(session, "accuracy roll").lines] == [("spotting_leader", "")]


@pytest.mark.rule("ost", "108.3")
def test_the_leader_must_help_one_who_sees_the_hex() -> None:
    # a2 and its Leader stand behind woods; a1 sees the hex, but is out of his range
    units = ("a2 us_rifle A8", "a3 us_sgt A8 attached=a2", "g1 ger_rifle J8")
    session = game(*units, terrain={"woods": "A7, B7, B8"}, dice=(3, 1, 1))
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == {}


@pytest.mark.rule("ost", "108.3")
def test_a_leader_alone_spots_without_helping_himself() -> None:
    session = position("a1 us_lt A4", "g1 ger_rifle J1", dice=(3, 1, 1), assets=MORTARS)
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == {}


@pytest.mark.rule("ost", "16.2", "108.3", "13.4")
@pytest.mark.parametrize(
    ("helper", "bonus"),
    [("a3 us_arm_lt C4 attached=a2", 1), ("a3 us_arm_lt E4 attached=a2", 0), ("a3 us_lt A4", 0)],
)
def test_a_vehicle_spots_with_an_armor_leader_in_range(helper: str, bonus: int) -> None:
    hex = helper.split()[2] if "arm" in helper else "J8"
    # The other tank is Shaken and does not spot itself; nor may the lone Lieutenant be the better spotter.
    head: dict[str, Any] = {"dice": (3,) if bonus else (3, 1, 1), "assets": MORTARS}
    session = position("a1 us_m4a1 A4", f"a2 us_m4a1 {hex} shaken", helper, "g1 ger_rifle J1", **head)
    strike(session, "H4")
    assert lines(tally(session, "accuracy roll")) == ({"spotting_leader": 1} if bonus else {})


@pytest.mark.rule("ost", "16.2")
def test_an_armor_leader_does_not_help_foot_spotters() -> None:
    session = game("a2 us_m4a1 A4 shaken", "a3 us_arm_lt A4 attached=a2", "g1 ger_rifle J1", dice=(3, 1, 1))
    strike(session, "F4")
    assert lines(tally(session, "accuracy roll")) == {}


# ---- drift --------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "109.2", "109.3")
@pytest.mark.parametrize(("direction", "place"), [(1, "E2"), (2, "G3"), (3, "G5"), (4, "E6"), (5, "C5"), (6, "C3")])
def test_drift_counts_clockwise_from_north(direction: int, place: str) -> None:
    session = game("g1 ger_rifle J8", dice=(1, direction, 2))
    strike(session, "E4")
    assert state(session).strikes == [Strike("american", "mortars", place)]


@pytest.mark.rule("ost", "109.7")
def test_a_strike_that_drifts_off_the_map_is_lost_whole() -> None:
    session = game("g1 ger_rifle E1", dice=(1, 1, 4))
    strike(session, "E4")  # to "E0": its ring would reach E1
    assert happened(session, combat_events.StrikeLost)
    assert attacked(session) == []
    assert state(session).strikes == []
    assert state(session).assets["american"]["mortars"] == 0


@pytest.mark.rule("ost", "107.7")
def test_a_ring_partly_off_the_map_works_on_the_rest() -> None:
    session = game("g1 ger_rifle E1", "g2 ger_rifle D1", "g3 ger_rifle E2", dice=(4, 1, 1, 1, 1, 1, 1))
    strike(session, "E1")
    assert attacked(session) == [("g1", 4, 4), ("g3", 2, 4), ("g2", 2, 4)]


@pytest.mark.rule("ost", "109.5")
def test_once_called_it_cannot_be_called_off() -> None:
    session = game("g1 ger_rifle F4")
    answer(session, "oba mortars")
    assert all(key.startswith("hex ") for key in keys(session))
    answer(session, "hex F4")
    assert keys(session) == ["shells", "smoke"]


@pytest.mark.rule("ost", "109.6", "107.8")
def test_it_may_drift_onto_its_own_side_and_the_enemy_scores() -> None:
    # 1: inaccurate; south-west 5 from F4 comes down on A... the squad's own hex is A4 + ring
    session = position("a1 us_rifle A4", "a2 us_rifle F6", "g1 ger_rifle J1", dice=(1, 4, 2, 6, 6), assets=MORTARS)
    strike(session, "F4")
    assert attacked(session) == [("a2", 4, 4)]
    assert unit(session, "a2").status == LOST
    assert state(session).casualties == {"american": 0, "german": 2}


# ---- the attacks --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "107.7", "107.8")
def test_full_in_the_hex_half_around_it_nothing_beyond_in_the_order_of_the_ring() -> None:
    units = [
        "g1 ger_rifle C4",
        "g2 ger_rifle D3",
        "g3 ger_rifle D4",
        "g4 ger_rifle E4",
        "g5 ger_rifle D4",
        "g6 ger_rifle D6",
    ]
    session = game(*units, dice=(4, *[1] * 10))
    strike(session, "D4")
    assert attacked(session) == [("g3", 4, 4), ("g5", 4, 4), ("g2", 2, 4), ("g4", 2, 4), ("g1", 2, 4)]


@pytest.mark.rule("ost", "107.3", "107.10", "21.19")
def test_vehicles_are_hit_on_the_flank_and_open_tops_are_worse_off() -> None:
    session = game("g1 ger_pz4h D4", "g2 ger_marder3 D4", dice=(4, 1, 1, 1, 1))
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, 4), ("g2", 4, 1)]
    assert [event.what for event in rolled(session)] == ["accuracy", "VCT attack", "VCT attack"]
    assert lines(rolled(session)[-1].tallies[1]) == {"open_top": -1}
    assert [line.rule for line in rolled(session)[-1].tallies[1].lines] == ["21.19"], "21.18 is for Melee"


@pytest.mark.rule("ost", "107.9", "91.6")
def test_an_attached_leader_rolls_once_for_his_unit() -> None:
    # g1: column 0, roll 9 is C; the Leader's roll is 1: killed. g3 is not hurt.
    session = game("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_rifle D4", dice=(4, 4, 5, 1, 1, 1))
    strike(session, "D4")
    assert [event.unit for event in rolled(session)] == ["", "g1", "g2", "g3"]
    assert unit(session, "g1").reduced
    assert unit(session, "g2").status == LOST


@pytest.mark.rule("ost", "107.9", "107.8")
def test_leaders_on_their_own_are_attacked_normally() -> None:
    session = game("g1 ger_sgt D4", "g2 ger_rifle D3", "g3 ger_lt D3", dice=(4, 5, 4, *[1] * 4))
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, 4), ("g2", 2, 4), ("g3", 2, 4)]
    assert unit(session, "g1").status == LOST  # column 0, roll 9: C


@pytest.mark.rule("ost", "16.9")
def test_an_armor_leader_is_not_attacked_by_oba() -> None:
    session = game("g1 ger_pz4h D4", "g2 ger_arm_lt D4 attached=g1", dice=(4, 1, 1))
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, 4)]


@pytest.mark.rule("ost", "107.11", "46.9", "47.6", "48.6")
def test_terrain_and_works_count_but_hexsides_do_not() -> None:
    session = game(
        "g1 ger_rifle D4",
        "g2 ger_rifle D3",
        dice=(4, 1, 1, 1, 1),
        terrain={"brush": "D4, D3"},
        works=["trench D4"],
        hexsides={"hedge": "D4|E4", "stone_wall": "D4|D5", "bocage": "C4|D4"},
    )
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, 7), ("g2", 2, 5)]


@pytest.mark.rule("ost", "107.12", "107.13", "41.5", "42.4")
@pytest.mark.parametrize(
    ("target", "terrain", "work", "defense"),
    [
        ("ger_rifle D4", "woods", "", 3),
        ("ger_rifle D4", "orchard", "", 3),
        ("ger_hmg42 D4", "woods", "", 3),
        ("ger_rifle D4", "woods", "trench D4", 5),
        ("ger_rifle D4 inside", "woods", "bunker D4", 6),
        ("ger_pz4h D4", "woods", "", 6),  # vehicles keep the +2
        ("ger_rifle D4", "brush", "", 5),  # no airburst here
    ],
)
def test_airburst_among_trees(target: str, terrain: str, work: str, defense: int) -> None:
    dice = (4, 1, 1, 1) if "bunker" in work else (4, 1, 1)
    session = game(f"g1 {target}", dice=dice, terrain={terrain: "D4"}, works=[work] if work else [])
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, defense)]
    assert ("airburst" in lines(rolled(session)[1].tallies[1])) is (terrain != "brush" and "pz4" not in target)


@pytest.mark.rule("ost", "73.7")
def test_hidden_units_under_a_strike_are_revealed_and_attacked() -> None:
    session = game(
        "g1 ger_rifle D4 hidden",
        "g2 ger_sgt D4 attached=g1",
        "g3 ger_rifle D3 hidden",
        "g4 ger_rifle D7 hidden",
        dice=(4, 1, 1, 1, 1),
    )
    strike(session, "D4")
    assert attacked(session) == [("g1", 4, 4), ("g3", 2, 4)]
    assert [unit(session, id).hidden for id in ("g1", "g2", "g3", "g4")] == [False, False, False, True]
    assert {"73.7"} == {rule for event in happened(session, move_events.Revealed) for rule in event.rules}


@pytest.mark.rule("ost", "73.7", "73.3")
def test_a_hidden_work_under_a_strike_is_shown() -> None:
    session = game("g1 ger_rifle J8", works=["bunker D4 german hidden"], dice=(4, 1))
    strike(session, "D4")
    assert not state(session).works["D4"].hidden
    assert [event.what for event in rolled(session)] == ["accuracy", "collapse"]


@pytest.mark.rule("ost", "107.8", "109.6")
def test_a_melee_under_the_ring_suffers_on_both_sides() -> None:
    session = game("a2 us_rifle D4", "g1 ger_rifle D4", melees=["D4 german"], dice=(4, 1, 1, 1, 1))
    strike(session, "D3")
    assert attacked(session) == [("a2", 2, 4), ("g1", 2, 4)]


@pytest.mark.rule("ost", "107.8", "79.19", "79.20")
def test_vehicle_and_passenger_take_an_attack_each_and_the_hit_adds_collateral() -> None:
    session = game("g1 ger_truck D4", "g2 ger_rifle D4 aboard=g1", dice=(4, 1, 1, 1, 1, 1, 1))
    strike(session, "D4")
    attacks = [event for event in rolled(session) if event.what != "accuracy"]
    assert [(e.what, e.unit, len(e.tallies)) for e in attacks] == [
        ("VCT attack", "g1", 3),
        ("ICT attack", "g2", 1),  # collateral: a fixed column
        ("ICT attack", "g2", 3),
    ]
    assert attacks[1].tallies[0].total == -5
    assert attacks[2].tallies[1].total == 3  # exposed: 4 - 1


@pytest.mark.rule("ost", "107.8", "79.21", "34.2")
def test_a_passenger_set_down_by_the_strike_is_attacked_as_it_then_stands() -> None:
    # VCT +2: a 12 destroys the truck; collateral at -4 does nothing; then 4 against 4, and 1 for the wreck
    session = game("g1 ger_truck D4", "g2 ger_rifle D4 aboard=g1", dice=(4, 6, 6, 1, 1, 1, 1))
    strike(session, "D4")
    assert unit(session, "g1").status == LOST
    assert [t.total for t in rolled(session)[2].tallies] == [-4]
    assert attacked(session)[-1] == ("g2", 4, 5)


@pytest.mark.rule("ost", "107.8")
def test_a_crew_that_climbs_out_is_not_attacked_again() -> None:
    # VCT column 0, roll 12: X; the crew survives on a 6
    session = game("g1 ger_pz4h D4", dice=(4, 6, 6, 6))
    strike(session, "D4")
    assert len(attacked(session)) == 1
    assert [event.crew for event in happened(session, combat_events.CrewSurvived)]


# ---- obstacles ----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "30.8", "31.6")
@pytest.mark.parametrize("kind", ["wire", "roadblock"])
@pytest.mark.parametrize(("face", "gone"), [(4, False), (5, True), (6, True)])
@pytest.mark.parametrize("hex", ["D4", "D5"])
def test_wire_and_roadblocks_under_a_strike_go_on_5_or_6(kind: str, face: int, gone: bool, hex: str) -> None:
    session = game("g1 ger_rifle J8", dice=(4, face), works=[f"{kind} {hex} german"])
    strike(session, "D4")
    assert (hex not in state(session).works) is gone
    assert rolled(session)[-1].side == "american"
    assert rolled(session)[-1].rules == ("30.8" if kind == "wire" else "31.6",)


@pytest.mark.rule("ost", "30.8")
def test_wire_beyond_the_ring_is_left_alone() -> None:
    session = game("g1 ger_rifle J8", dice=(4,), works=["wire D6 german"])
    strike(session, "D4")
    assert "D6" in state(session).works


# ---- smoke --------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "33.3", "33.1", "107.17", "107.18")
def test_smoke_fills_seven_hexes_attacks_nobody_and_leaves_no_zone() -> None:
    session = game("g1 ger_rifle D4", dice=(4,))
    strike(session, "D4", what="smoke")
    assert state(session).smoke == {"D4": 1, **dict.fromkeys(battle(session).grid.adjacent["D4"], 2)}
    assert state(session).strikes == []
    assert attacked(session) == []
    assert state(session).points["american"] == 4


@pytest.mark.rule("ost", "107.18", "107.17", "109.4")
def test_smoke_is_declared_before_the_accuracy_roll_and_drifts_too() -> None:
    session = game("g1 ger_rifle J8", dice=(3, 4, 2))
    answer(session, "oba mortars", "hex D4")
    assert rolled(session) == []
    answer(session, "smoke")
    done(session)
    assert state(session).smoke["D6"] == 1
    assert state(session).smoke["D5"] == 2
    assert "D4" not in state(session).smoke


# ---- the zone -----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "107.14")
@pytest.mark.parametrize(("hex", "power"), [("D4", 4), ("D3", 2)])
def test_a_unit_entering_the_zone_is_attacked_with_the_same_firepower(hex: str, power: int) -> None:
    session = position("a1 us_rifle D1", "g1 ger_rifle J8", strikes=["german mortars D4"], dice=(1, 1))
    battle(session).place(unit(session, "a1"), hex)
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), hex)) is False
    assert attacked(session) == [("a1", power, 4)]


@pytest.mark.rule("ost", "107.14")
def test_it_attacks_whoever_enters_the_callers_own_units_too_and_each_strike_for_itself() -> None:
    session = position(
        "a1 us_rifle D3", "g1 ger_rifle J8", strikes=["american mortars D4", "german rockets D2"], dice=(1, 1, 1, 1)
    )
    run(artillery.enter_zone(battle(session), unit(session, "a1"), "D3"))
    assert attacked(session) == [("a1", 2, 4), ("a1", 4, 4)]


@pytest.mark.rule("ost", "107.14")
def test_a_unit_that_suffers_in_the_zone_must_stop() -> None:
    session = position("a1 us_rifle D4", "g1 ger_rifle J8", strikes=["german mortars D4"], dice=(3, 4, 1, 1))
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), "D4")) is True
    assert unit(session, "a1").morale == SHAKEN


@pytest.mark.rule("ost", "107.14", "75.12")
def test_a_passenger_hurt_in_the_zone_does_not_stop_its_vehicle() -> None:
    # VCT column +2, roll 2: nothing; collateral -5: nothing; the passenger, +1 on roll 12, is destroyed
    session = position(
        "a1 us_truck D4",
        "a2 us_rifle D4 aboard=a1",
        "g1 ger_rifle J8",
        strikes=["german mortars D4"],
        dice=(1, 1, 1, 1, 6, 6),
    )
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), "D4")) is False
    assert unit(session, "a2").status == LOST
    assert unit(session, "a1").status == ON_MAP


@pytest.mark.rule("ost", "107.14")
def test_two_zones_in_one_hex_stop_whoever_suffers_in_either_and_kill_only_once() -> None:
    both = ["german mortars D4", "german mortars D4"]
    # Shaken by the first, missed by the second
    session = position("a1 us_rifle D4", "g1 ger_rifle J8", strikes=both, dice=(3, 4, 1, 1, 1, 1))
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), "D4")) is True
    dead = position("a1 us_rifle D4", "a2 us_rifle A1", "g1 ger_rifle J8", strikes=both, dice=(6, 6))
    assert run(artillery.enter_zone(battle(dead), unit(dead, "a1"), "D4")) is True
    assert unit(dead, "a1").status == LOST
    assert len(attacked(dead)) == 1


@pytest.mark.rule("ost", "107.14")
def test_outside_the_zone_nothing_happens() -> None:
    session = position("a1 us_rifle D6", "g1 ger_rifle J8", strikes=["german mortars D4"])
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), "D6")) is False
    assert rolled(session) == []


@pytest.mark.rule("ost", "107.14")
def test_moving_through_the_zone_is_attacked_hex_by_hex() -> None:
    session = position(
        "a1 us_rifle D1", "g1 ger_rifle J8", strikes=["german mortars D4"], points={"german": 0}, dice=(1, 1, 1, 1)
    )
    answer(session, "move a1", "step D2")
    assert rolled(session) == []
    answer(session, "step D3")
    assert attacked(session) == [("a1", 2, 4)]
    answer(session, "step D4")
    assert attacked(session) == [("a1", 2, 4), ("a1", 4, 4)]


@pytest.mark.rule("ost", "107.15")
def test_units_caught_in_a_strike_may_leave_without_another_attack() -> None:
    session = game("g1 ger_rifle D5", dice=(4, 1, 1), points={"american": 1})
    strike(session, "D4")
    before = len(rolled(session))
    answer(session, "move g1", "step D6")
    assert len(rolled(session)) == before


@pytest.mark.rule("ost", "107.14")
def test_the_zone_ends_with_the_turn() -> None:
    session = position("a1 us_rifle D6", "g1 ger_rifle J8", strikes=["german mortars D4"])
    artillery.clear_strikes(battle(session))
    assert state(session).strikes == []
    assert [(e.kind, e.place) for e in happened(session, move_events.Removed)] == [("Strike", "D4")]
    assert run(artillery.enter_zone(battle(session), unit(session, "a1"), "D4")) is False


@pytest.mark.rule("ost", "105.11")
def test_oba_air_strikes_and_cards_are_no_opportunity_fire() -> None:
    assets = {"german": {"mortars": 1, "air": 1}}
    session = position("a1 us_rifle D1", "g1 ger_rifle D6", assets=assets, cards={"german": ["strafing_run"]})
    answer(session, "move a1", "step D2")
    assert session.ask is not None and session.ask.side == "german" and session.ask.reaction
    assert not [key for key in keys(session) if key.split()[0] in ("oba", "air", "card")]


@pytest.mark.rule("ost", "107.4")
def test_the_next_impulse_is_the_enemys() -> None:
    session = game("g1 ger_rifle D4", dice=(4, 1, 1))
    strike(session, "D4")
    assert session.ask is not None and session.ask.side == "german"
    assert unit(session, "a1").morale == GOOD and battle(session).actions(unit(session, "a1")) == 0
