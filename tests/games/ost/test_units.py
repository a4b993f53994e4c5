"""The counters and their cards: squads, single persons, crewed weapons, vehicles (9-12, 16, 17, 21-23, 63)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.core.session import Session
from grognard.games.ost import combat_events, group_move, turn_events
from grognard.games.ost.roster import roster
from grognard.games.ost.state import BROKEN, GOOD, LOST, ON_MAP, SHAKEN, UNMANNED
from tests.games.ost.helpers import (
    answer,
    battle,
    happened,
    keys,
    lines,
    options,
    position,
    rolled,
    state,
    tally,
    unit,
)
from tests.games.ost.shots import (
    FAIL,
    NOTHING,
    PASS,
    VCT,
    Attack,
    all_thrown,
    attacks,
    dice_for,
    dice_thrown,
    shoot,
    shots,
)

KINDS = roster()
HIT = (5, 5)  # To Hit
FAR = "a9 us_rifle J8"  # somebody who keeps the battle going
ALONE = {"points": {"american": 0}}  # all Impulses are German


def fired(*units: str, at: str, by: str = "g1", **head: Any) -> Session:
    """A position, and the shot made in it."""
    session = position(*units, **head)
    shoot(session, by, at)
    return session


# ---- 9, 10: squads ----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "9.0")
def test_a_squad_is_a_soft_foot_unit_with_two_sides() -> None:
    squads = [kind for kind in KINDS.values() if kind.squad]
    assert all(kind.foot and not kind.armored and kind.reduced is not None for kind in squads)
    session = position("g1 ger_rifle D4", "a1 us_rifle D6", dice=(*dice_for("C", 0), *NOTHING, *NOTHING))
    shoot(session, "g1", "a1 own")  # soft: small arms on the ICT
    shoot(session, "a1", "g1 own")
    shoot(session, "g1", "a1 own")
    assert attacks(session) == [
        Attack("ICT", "a1", 4, 4, 0),
        Attack("ICT", "g1", 2, 4, 0),
        Attack("ICT", "a1", 4, 3, 0),
    ]


@pytest.mark.rule("ost", "10.1", "10.5")
@pytest.mark.parametrize("kind", [kind.id for kind in KINDS.values() if kind.class_ == "engineer"])
def test_pioneers_sappers_and_engineers_have_the_abilities_of_engineers(kind: str) -> None:
    side = KINDS[kind].nation
    enemy = "us_rifle" if side != "american" else "ger_rifle"
    session = position(f"g1 {kind} D4 with=ger_flamethrower", f"a1 {enemy} D5")
    assert "engineer_smoke g1" in keys(session)
    assert "a1 own+w1" in shots(session, "g1")
    plain = position("g1 ger_assault D4 with=ger_flamethrower", "a1 us_rifle D5")
    assert keys(plain, "engineer_smoke") == [] and shots(plain, "g1") == ["a1 own"]


# ---- 11, 12: single persons -------------------------------------------------------------------------------


@pytest.mark.rule("ost", "11.0", "11.1", "11.4", "5.8", "5.9")
@pytest.mark.parametrize(("kind", "column"), [("us_sniper", -1), ("us_lt", 0)])
def test_a_casualty_destroys_a_single_person(kind: str, column: int) -> None:
    assert KINDS[kind].foot and KINDS[kind].reduced is None
    session = fired("g1 ger_rifle D4", f"a1 {kind} D6", FAR, at="a1 own", dice=dice_for("C", column))
    assert attacks(session)[0].table == "ICT"
    assert unit(session, "a1").status == LOST
    assert state(session).casualties == {"german": 1, "american": 0}


@pytest.mark.rule("ost", "11.4")
def test_an_x_destroys_a_single_person() -> None:
    session = fired("g1 ger_rifle D4", "a1 us_lt D6", FAR, at="a1 own", dice=dice_for("X", 0))
    assert unit(session, "a1").status == LOST
    assert state(session).casualties["german"] == 1


@pytest.mark.rule("ost", "11.4")
def test_an_attached_leader_is_not_attacked_with_his_unit_but_rolls_for_himself() -> None:
    session = fired(
        "g1 ger_rifle D4", "a1 us_rifle D6", "a2 us_lt - attached=a1", at="a1 own", dice=(*dice_for("C", 0), 2)
    )
    assert dice_thrown(session) == ["ICT attack a1", "Leader Casualty a2"]
    assert unit(session, "a2").status == ON_MAP


@pytest.mark.rule("ost", "13.1")
def test_a_leader_cannot_attack_by_himself() -> None:
    session = position("g1 ger_maj D4", "g2 ger_rifle E5", "g3 ger_sgt - attached=g2", "a1 us_rifle D5")
    assert keys(session, "fire") == ["fire g2"]
    assert keys(session, "assault") == ["assault g2 D5"]


@pytest.mark.rule("ost", "12.1")
def test_a_sniper_is_in_no_fire_group_and_no_group_move() -> None:
    units = ("g1 ger_rifle D4", "g2 ger_sgt - attached=g1", "a1 us_rifle D6")
    assert keys(position(*units, "g3 ger_rifle E4"), "fire_group") == ["fire_group g1 g3"]
    session = position(*units, "g3 ger_sniper E4")
    assert keys(session, "fire_group") == []
    bar = group_move.bar_group_move(battle(session), unit(session, "g3"), unit(session, "g1"))
    assert bar is not None and bar.rule == "12.1"


@pytest.mark.rule("ost", "12.2")
def test_a_sniper_stacks_with_nobody() -> None:
    session = position("g1 ger_sniper D4", "g2 ger_rifle D3", "g3 ger_sgt D5", "a1 us_rifle J8")
    for mover, steps in (("g1", {"D3", "D5"}), ("g2", {"D4"}), ("g3", {"D4"})):
        look = session.fork()
        answer(look, f"move {mover}")
        places = {option.place for option in options(look, "step")}
        assert places and not places & steps
    with pytest.raises(MalformedError, match=r"12\.2"):
        position("g1 ger_sniper D4", "g2 ger_rifle D4", "a1 us_rifle D6")


@pytest.mark.rule("ost", "12.4", "12.5")
def test_a_sniper_may_take_the_leader_of_a_squad_with_doubled_firepower() -> None:
    session = position("g1 ger_sniper D4", "a1 us_rifle D6", "a2 us_lt - attached=a1", dice=dice_for("C", 2))
    assert shots(session, "g1") == ["a1 own", "a2 own"]
    shoot(session, "g1", "a2 own")
    assert attacks(session) == [Attack("ICT", "a2", 6, 4, 0)]
    assert lines(tally(session, "Firepower")) == {"sniper_vs_person": 3}
    assert unit(session, "a2").status == LOST
    assert unit(session, "a1").morale == GOOD and not unit(session, "a1").reduced
    assert all_thrown(session)


@pytest.mark.rule("ost", "12.5", "16.9")
@pytest.mark.parametrize(("target", "firepower"), [("us_sniper", 6), ("us_sgt", 6), ("us_rifle", 3), ("us_crew", 3)])
def test_a_snipers_firepower_is_doubled_against_single_men_only(target: str, firepower: int) -> None:
    session = fired("g1 ger_sniper D4", f"a1 {target} D6", at="a1 own", dice=NOTHING)
    assert tally(session, "Firepower").total == firepower


# ---- 16: Armor Leaders ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "16.1")
def test_an_armor_leader_has_a_command_range_and_nothing_else() -> None:
    for kind in KINDS.values():
        if kind.armor_leader:
            assert kind.command_range > 0
            assert (kind.fp, kind.range, kind.move, kind.guns) == (0, 0, 0, ())
    session = position("g1 ger_pz4h D4", "g2 ger_arm_lt - attached=g1", "a1 us_rifle D6")
    assert {option.unit for option in options(session)} == {"g1", ""}


@pytest.mark.rule("ost", "16.3", "80.8")
def test_an_armor_leader_forms_no_groups_of_vehicles() -> None:
    units = ("g1 ger_pz4h D4", "g2 ger_pz4h D4", "g3 ger_arm_lt - attached=g1", "a1 us_rifle D6")
    session = position(*units)
    assert keys(session, "fire_group") == keys(session, "group_move") == []


@pytest.mark.rule("ost", "16.4", "16.5")
def test_an_armor_leader_adds_one_to_the_rolls_of_his_own_vehicle() -> None:
    units = ("g1 ger_pz4h D4", "g2 ger_pz4h D4", "g3 ger_arm_lt - attached=g1", "a1 us_m4a3e2 D1 f=4")
    session = position(*units, dice=(*HIT, *NOTHING))
    shoot(session, "g1", "a1 main")
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == {"armor_leader": 1}
    session = position(*units, dice=(*HIT, *NOTHING))
    shoot(session, "g2", "a1 main")
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == {}


@pytest.mark.rule("ost", "16.5")
def test_his_bonus_holds_for_the_machine_guns_too() -> None:
    session = fired("g1 ger_pz4h D4", "g3 ger_arm_lt - attached=g1", "a1 us_rifle D1", at="a1 mg", dice=NOTHING)
    assert lines(tally(session, "attack roll")) == {"armor_leader": 1}


@pytest.mark.rule("ost", "16.7", "16.8", "16.11", "5.4")
def test_an_armor_leader_is_lost_with_his_vehicle_even_if_the_crew_lives() -> None:
    session = fired(
        "g1 ger_pz4h D4 f=4",
        "a1 us_m4a1 D1 f=1",
        "a2 us_arm_lt - attached=a1",
        FAR,
        at="a1 main",
        dice=(*HIT, *dice_for("X", 7, VCT), 6),
    )
    assert dice_thrown(session)[2:] == ["crew survival a1"]  # no roll for him (16.8)
    assert happened(session, combat_events.CrewSurvived)
    assert unit(session, "a2").status == LOST
    assert [(e.unit, e.points) for e in happened(session, turn_events.Scored)] == [("a2", 1), ("a1", 1)]


@pytest.mark.rule("ost", "16.7", "16.11")
def test_an_armor_leader_is_lost_with_an_abandoned_vehicle() -> None:
    session = fired(
        "g1 ger_pz4h D4",
        "a1 us_m4a1 D1 f=1 immobilized",
        "a2 us_arm_lt - attached=a1",
        FAR,
        at="a1 main",
        dice=(*HIT, *dice_for("D", 7, VCT), 3),
    )
    assert happened(session, combat_events.Abandoned)
    assert unit(session, "a2").status == LOST
    assert state(session).casualties["german"] == 2


@pytest.mark.rule("ost", "16.8")
def test_an_armor_leader_takes_no_roll_when_his_vehicle_suffers() -> None:
    session = fired(
        "g1 ger_pz4h D4",
        "a1 us_m4a1 D1 f=4",
        "a2 us_arm_lt - attached=a1",
        at="a1 main",
        dice=(*HIT, *dice_for("S", 6, VCT), *FAIL),
    )
    assert unit(session, "a1").morale == SHAKEN
    assert unit(session, "a2").morale == GOOD
    assert dice_thrown(session) == ["To Hit a1", "VCT attack a1", "Gut Check a1"]
    assert all_thrown(session)


@pytest.mark.rule("ost", "16.9", "12.5")
def test_only_snipers_attack_an_armor_leader_at_defense_five() -> None:
    tank = ("a1 us_m18 D6", "a2 us_arm_lt - attached=a1")
    for other in ("ger_rifle", "ger_hmg42", "ger_pz4h", "ger_pak40"):
        assert not any("a2" in shot for shot in shots(position(f"g1 {other} D4 f=4", *tank), "g1"))
    session = position("g1 ger_sniper D4", *tank, terrain={"woods": "D6"}, dice=NOTHING)
    assert "a2 own" in shots(session, "g1") and "a1 own" not in shots(session, "g1")
    shoot(session, "g1", "a2 own")
    assert attacks(session) == [Attack("ICT", "a2", 6, 7, 0)]
    assert tally(session, "Defense").base == 5


@pytest.mark.rule("ost", "16.10", "16.11", "5.8")
def test_a_sniper_who_kills_an_armor_leader_shakes_his_vehicle() -> None:
    tank = ("a1 us_m4a1 D6", "a2 us_arm_lt - attached=a1")
    session = fired("g1 ger_sniper D4", *tank, at="a2 own", dice=dice_for("C", 1))
    assert unit(session, "a2").status == LOST
    assert unit(session, "a1").morale == SHAKEN
    assert dice_thrown(session) == ["ICT attack a2"]  # no Gut Check
    assert state(session).casualties["german"] == 1


@pytest.mark.rule("ost", "16.9", "16.10")
@pytest.mark.parametrize("result", ["S", "B"])
def test_less_than_a_casualty_does_nothing_to_an_armor_leader(result: str) -> None:
    tank = ("a1 us_m4a1 D6", "a2 us_arm_lt - attached=a1")
    session = fired("g1 ger_sniper D4", *tank, at="a2 own", dice=dice_for(result, 1))
    assert unit(session, "a2").status == ON_MAP
    assert unit(session, "a1").morale == unit(session, "a2").morale == GOOD
    assert all_thrown(session)


# ---- 17: crewed weapons -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "17.0", "17ct.4", "17ct.5")
def test_a_crewed_weapon_is_a_soft_foot_unit_with_attack_defense_and_movement() -> None:
    for kind in KINDS.values():
        if kind.crewed:
            assert kind.foot and not kind.armored and not kind.squad
            assert (kind.fp or kind.guns[0].he) and kind.defense and kind.move
    for target, defense in (("us_hmg", 4), ("us_at3in", 3)):
        session = fired("g1 ger_rifle D4", f"a1 {target} D6", at="a1 own", dice=NOTHING)
        assert attacks(session) == [Attack("ICT", "a1", 4, defense, 0)]


@pytest.mark.rule("ost", "17ct.1", "63.2")
def test_the_greatest_ap_firepower_is_that_of_the_shortest_range() -> None:
    for kind in KINDS.values():
        for gun in kind.guns:
            assert gun.bands[0][0] == 0 and gun.bands[0][3] == max(band[3] for band in gun.bands)
    near = fired("g1 ger_pak40 D1 f=4", "a1 us_m4a1 D7 f=1", at="a1 main", dice=(*HIT, *NOTHING))
    assert tally(near, "Firepower").base == 11
    far = fired("g1 ger_pak40 D1 f=4", "a1 us_m4a1 D8 f=1", at="a1 main", dice=(*HIT, *NOTHING))
    assert tally(far, "Firepower").base == 10


@pytest.mark.rule("ost", "17ct.2", "21ct.3")
@pytest.mark.parametrize(("gun", "he"), [("ger_pak40", 4), ("ger_flak36", 5), ("ger_pz4h", 4), ("ger_pz3l", 2)])
def test_he_firepower_attacks_soft_targets(gun: str, he: int) -> None:
    session = fired(f"g1 {gun} D2 f=4", "a1 us_rifle D8", at="a1 main", dice=NOTHING)
    assert attacks(session) == [Attack("ICT", "a1", he, 4, 0)]
    truck = fired(f"g1 {gun} D2 f=4", "a1 us_truck D8", at="a1 main", dice=(*HIT, *NOTHING))
    assert attacks(truck) == [Attack("VCT", "a1", he, 2, 0)]


@pytest.mark.rule("ost", "17ct.3", "21ct.4")
@pytest.mark.parametrize(("gun", "reach"), [("ger_pak36", 16), ("ger_pak40", 24), ("ger_pz4f1", 18)])
@pytest.mark.parametrize("target", ["us_rifle", "us_m4a1"])
def test_max_range_holds_for_ap_and_he(gun: str, reach: int, target: str) -> None:
    row = 1 + reach
    assert shots(position(f"g1 {gun} A1 f=4", f"a1 {target} A{row}", map="open 2x30"), "g1") == ["a1 main"]
    assert shots(position(f"g1 {gun} A1 f=4", f"a1 {target} A{row + 1}", map="open 2x30"), "g1") == []


@pytest.mark.rule("ost", "17ct.6")
def test_foot_movement_is_what_the_counter_says_and_t_goes_by_transport_only() -> None:
    for kind, hexes in (("ger_pak36", ["D7", "D6"]), ("ger_hmg42", ["D7", "D6", "D5"])):
        session = position(f"g1 {kind} D8", "a1 us_rifle J1", **ALONE)
        answer(session, "move g1", *(f"step {hex}" for hex in hexes))
        assert unit(session, "g1").hex == hexes[-1]
        assert not session.ask or "step" not in {option.verb for option in options(session)}
    towed = position("g1 ger_pak43 D8", "a1 us_rifle J1")
    answer(towed, "move g1")
    assert {option.verb for option in options(towed)} == {"pivot"}


@pytest.mark.rule("ost", "17.1", "5.1", "5.2")
def test_a_casualty_flips_a_crewed_weapon() -> None:
    session = position("g1 ger_hmg42 D4", "a1 us_rifle D6", active="american", dice=(*dice_for("C", 0), *NOTHING))
    shoot(session, "a1", "g1 own")
    assert unit(session, "g1").reduced and state(session).casualties["american"] == 1
    shoot(session, "g1", "a1 own")
    assert tally(session, "Firepower").base == 4


@pytest.mark.rule("ost", "5.0", "17.1")
def test_points_are_counted_for_each_side_at_the_moment_of_each_loss() -> None:
    dice = (*dice_for("C", 0), *dice_for("C", 0), *dice_for("C", 1))
    session = position("g1 ger_hmg42 D4", "g2 ger_rifle D3", "a1 us_rifle D6", FAR, active="american", dice=dice)
    shoot(session, "a1", "g1 own")
    assert state(session).casualties == {"german": 0, "american": 1}
    shoot(session, "g2", "a1 own")
    assert state(session).casualties == {"german": 1, "american": 1}
    answer(session, "burn")
    shoot(session, "g2", "a1 own")
    assert state(session).casualties == {"german": 2, "american": 1}


@pytest.mark.rule("ost", "17.1")
def test_a_reduced_gun_keeps_its_ap_and_has_less_he() -> None:
    soft = fired("g1 ger_pak40 D4 f=4 reduced", "a1 us_rifle D6", at="a1 main", dice=NOTHING)
    assert tally(soft, "Firepower").base == 2
    hard = fired("g1 ger_pak40 D4 f=4 reduced", "a1 us_m4a1 D6", at="a1 main", dice=(*HIT, *NOTHING))
    assert tally(hard, "Firepower").base == 11


@pytest.mark.rule("ost", "17.2", "17ct.5")
@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("kind", ["us_mmg", "us_at57"])
def test_an_eliminated_crew_leaves_its_weapon_on_a_five_or_six(kind: str, die: int) -> None:
    session = fired("g1 ger_rifle D4", f"a1 {kind} D6 f=2", FAR, at="a1 own", dice=(*dice_for("X", 0), die))
    roll = rolled(session, "gun remains")[0]
    assert roll.side == "german" and roll.faces == (die,)
    assert unit(session, "a1").status == (UNMANNED if die >= 5 else LOST)
    assert unit(session, "a1").facing == 2
    assert state(session).casualties["german"] == 2
    assert "a1" not in [target.split()[0] for target in shots(session, "g1")]


@pytest.mark.rule("ost", "17.2")
def test_no_other_unit_leaves_a_weapon_to_roll_for() -> None:
    session = fired("g1 ger_rifle D4", "a1 us_rifle D6", FAR, at="a1 own", dice=dice_for("X", 0))
    assert dice_thrown(session) == ["ICT attack a1"]


@pytest.mark.rule("ost", "17.11", "17ct.7")
def test_an_asterisk_weapon_does_not_fire_in_a_new_hex() -> None:
    session = position("g1 ger_pak36 D3 f=4", "g2 ger_hmg42 E3", "a1 us_rifle D7", dice=NOTHING, **ALONE)
    answer(session, "move g1", "step D4", "stop")
    assert shots(session, "g1") == []
    answer(session, "move g2", "step E4", "stop")  # no asterisk
    shoot(session, "g2", "a1 own")
    assert lines(tally(session, "attack roll")) == {"moving_fire": -1}


@pytest.mark.rule("ost", "17.11", "17ct.7", "79.12")
def test_an_asterisk_weapon_does_not_fire_after_unloading() -> None:
    session = position("g1 ger_truck D4", "g2 ger_pak36 - aboard=g1", "a1 us_rifle D7", **ALONE)
    answer(session, "move g2", "unload", "face 4")
    assert unit(session, "g2").aboard == "" and unit(session, "g2").facing == 4
    assert shots(session, "g2") == []


@pytest.mark.rule("ost", "17.11", "89.2")
def test_an_asterisk_weapon_that_only_spins_may_fire() -> None:
    session = position("g1 ger_pak36 D3 f=1", "a1 us_rifle D7", dice=NOTHING, **ALONE)
    answer(session, "move g1", "pivot 4")
    shoot(session, "g1", "a1 main")
    assert lines(tally(session, "attack roll")) == {"moving_fire": -1}


@pytest.mark.rule("ost", "17.12", "17ct.8")
def test_an_asterisk_weapon_is_on_the_ground_level_of_a_building() -> None:
    tower = {"buildings": ["heavy_structure D4 level=2"], "dice": NOTHING}
    high = fired("g1 ger_hmg42 D4", "a1 us_rifle D7", at="a1 own", **tower)
    assert lines(tally(high, "attack roll")) == {"height_advantage": 1}
    low = fired("g1 ger_pak40 D4 f=4", "a1 us_rifle D7", at="a1 main", **tower)
    assert lines(tally(low, "attack roll")) == {}


ARC = {"E4": True, "E1": True, "F4": True, "G4": True, "D4": True, "C4": True, "F5": False, "G5": False, "E6": False}
RING = [f"a{number} us_truck {hex}" for number, hex in enumerate([*ARC, "D5", "C5"])]


@pytest.mark.rule("ost", "17.13", "17ct.9", "21.4", "21.6", "21ct.1")
@pytest.mark.parametrize("gun", ["ger_pak40", "ger_stug3g", "ger_marder3"])
def test_a_covered_arc_reaches_to_both_hex_rows_beside_the_front(gun: str) -> None:
    assert KINDS[gun].covered_arc
    found = shots(position(f"g1 {gun} E5 f=1", *RING), "g1")
    expected = [f"a{number} main" for number, hex in enumerate(ARC) if ARC[hex]]
    assert [shot for shot in found if shot.endswith("main")] == expected


@pytest.mark.rule("ost", "21.4", "21.5")
def test_a_turret_fires_all_round() -> None:
    assert not KINDS["ger_pz4h"].covered_arc
    session = position("g1 ger_pz4h E5 f=1", *RING, dice=(*HIT, *NOTHING))
    assert [shot for shot in shots(session, "g1") if shot.endswith("main")] == [f"a{n} main" for n in range(len(RING))]
    shoot(session, "g1", "a8 main")  # straight behind, and no penalty
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == {}


@pytest.mark.rule("ost", "21.7", "21ct.5", "21ct.6")
def test_machine_guns_fire_all_round_to_their_own_range() -> None:
    session = position("g1 ger_stug3g E2 f=1", "a1 us_rifle E8", "a2 us_rifle F8", dice=NOTHING)
    assert shots(session, "g1") == ["a1 mg"]  # behind, at range 6; F8 is 7 away
    shoot(session, "g1", "a1 mg")
    assert tally(session, "Firepower").base == 1
    session = fired("g1 ger_pz4h E2", "a1 us_rifle E8", at="a1 mg", dice=NOTHING)
    assert tally(session, "Firepower").base == 2


# ---- 21: vehicles -----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "21.0", "87.3")
def test_armor_is_attacked_with_ap_only() -> None:
    tank = "a1 us_m4a1 D5 f=1"
    for kind in ("ger_rifle", "ger_hmg42", "ger_sniper", "ger_crew"):
        assert shots(position(f"g1 {kind} D4", tank), "g1") == []
    session = fired("g1 ger_leig18 D4 f=4", tank, at="a1 main", dice=(*HIT, *NOTHING))
    assert attacks(session) == [Attack("VCT", "a1", 5, 5, 0)]  # its AP, not its HE of 4


@pytest.mark.rule("ost", "21.0b", "21.13", "21.14", "21.15", "87.3")
@pytest.mark.parametrize("target", ["us_truck", "us_jeep"])
@pytest.mark.parametrize(("kind", "firepower"), [("ger_rifle", 2), ("ger_hmg42", 3), ("ger_sniper", 1)])
def test_small_arms_hit_soft_vehicles_by_themselves_at_half_firepower(target: str, kind: str, firepower: int) -> None:
    session = fired(f"g1 {kind} D4", f"a1 {target} D6", at="a1 own", dice=NOTHING)
    assert dice_thrown(session) == ["VCT attack a1"]
    assert attacks(session) == [Attack("VCT", "a1", firepower, 2, 0)]
    assert list(lines(tally(session, "Firepower"))) == ["small_arms_vs_soft_vehicle"]


@pytest.mark.rule("ost", "21.15", "21.0b")
@pytest.mark.parametrize("kind", ["ger_pak40", "ger_pz4h"])
def test_guns_must_hit_a_soft_vehicle_and_then_use_he(kind: str) -> None:
    miss = fired(f"g1 {kind} D4 f=4", "a1 us_truck D6", at="a1 main", dice=(2, 3))
    assert dice_thrown(miss) == ["To Hit a1"]
    session = fired(f"g1 {kind} D4 f=4", "a1 us_truck D6", at="a1 main", dice=(2, 4, *NOTHING))
    assert attacks(session) == [Attack("VCT", "a1", 4, 2, 0)]
    assert lines(tally(session, "Firepower")) == {}


@pytest.mark.rule("ost", "21.14", "68.3")
def test_two_halvings_round_down_each_time() -> None:
    session = fired("g1 ger_assault D4 shaken", "a1 us_truck D6", at="a1 own", dice=NOTHING)
    assert lines(tally(session, "Firepower")) == {"shaken_fp": -3, "small_arms_vs_soft_vehicle": -1}


@pytest.mark.rule("ost", "21.0c", "21.1", "21.8", "21.9", "5.3")
def test_a_destroyed_vehicle_is_a_wreck_and_two_points() -> None:
    assert all(kind.reduced is None for kind in KINDS.values() if kind.vehicle)  # one counter, one vehicle
    session = fired("g1 ger_pz4h D4", "a1 us_m4a1 D6 f=4", FAR, at="a1 main", dice=(*HIT, *dice_for("X", 7, VCT), 5))
    assert unit(session, "a1").status == LOST
    assert state(session).wrecks == {"D6": 1}
    assert state(session).casualties["german"] == 2


@pytest.mark.rule("ost", "21.10", "5.6", "5.7")
@pytest.mark.parametrize(("kind", "column"), [("us_truck", 2), ("us_jeep", 2), ("us_m3a1ht", 9)])
def test_trucks_and_armored_transports_have_no_crew_and_count_one(kind: str, column: int) -> None:
    session = fired("g1 ger_pz4h D4", f"a1 {kind} D6 f=4", FAR, at="a1 main", dice=(*HIT, *dice_for("X", column, VCT)))
    assert dice_thrown(session) == ["To Hit a1", "VCT attack a1"]
    assert state(session).casualties["german"] == 1
    assert state(session).wrecks == {"D6": 1}


@pytest.mark.rule("ost", "21ct.1", "21ct.7", "21ct.8")
@pytest.mark.parametrize(("facing", "defense"), [(1, 7), (2, 7), (6, 7), (3, 4), (4, 4), (5, 4)])
def test_front_and_flank_defense_by_the_side_the_attack_comes_through(facing: int, defense: int) -> None:
    session = fired(
        f"g1 ger_pz4h D5 f={facing}",
        "a1 us_m4a1 D2",
        by="a1",
        at="g1 main",
        active="american",
        dice=(*HIT, *NOTHING),
    )
    assert tally(session, "Defense").base == defense


@pytest.mark.rule("ost", "21ct.2", "63.2")
def test_the_ap_on_a_vehicles_counter_is_that_at_close_range() -> None:
    session = fired("g1 ger_tiger1 D4", "a1 us_m4a3e2 D5", at="a1 main", dice=(*HIT, *NOTHING))
    assert tally(session, "Firepower").base == 13 == max(band[3] for band in KINDS["ger_tiger1"].guns[0].bands)


@pytest.mark.rule("ost", "21ct.9")
def test_movement_is_the_number_of_movement_points() -> None:
    session = position("g1 ger_pz4h D9 f=1", "a1 us_rifle J1", map="open 10x10", **ALONE)
    answer(session, "move g1")
    for hex in ("D8", "D7", "D6", "D5", "D4", "D3"):
        answer(session, f"step {hex}", "face 1")
    assert unit(session, "g1").hex == "D3"
    assert unit(session, "g1").moved and keys(session, "step") == []


@pytest.mark.rule("ost", "21.2")
@pytest.mark.parametrize(("kind", "cost"), [("ger_sdkfz222", "3 MP"), ("ger_pz2f", "2 MP")])
def test_wheels_and_tracks_pay_their_own_costs(kind: str, cost: str) -> None:
    session = position(f"g1 {kind} D4 f=1", "a1 us_rifle J1", terrain={"brush": "D3"})
    answer(session, "move g1")
    assert next(option.cost for option in options(session) if option.key == "step D3") == cost


@pytest.mark.rule("ost", "21.3")
def test_a_facing_is_one_of_six_hexsides() -> None:
    session = position("g1 ger_pz4h D4 f=2", "a1 us_rifle J1")
    answer(session, "move g1")
    assert keys(session, "pivot") == [f"pivot {facing}" for facing in (1, 3, 4, 5, 6)]
    with pytest.raises(MalformedError, match="facing"):
        position("g1 ger_pz4h D4 f=7", "a1 us_rifle J1")


# ---- open tops ----


@pytest.mark.rule("ost", "21.11", "21.12")
@pytest.mark.parametrize("kind", [k.id for k in KINDS.values() if k.vehicle and k.nation == "american"])
def test_small_arms_may_fire_at_the_crew_of_an_open_top_vehicle(kind: str) -> None:
    found = shots(position("g1 ger_rifle D4", f"a1 {kind} D6"), "g1")
    open_top = kind in ("us_m10", "us_m18", "us_m36", "us_m8", "us_m3a1ht")
    assert KINDS[kind].open_top == open_top
    assert ("a1:crew own" in found) == open_top


@pytest.mark.rule("ost", "21.12")
def test_only_small_arms_find_an_exposed_crew() -> None:
    session = position("g1 ger_pz4h D4", "g2 ger_pioneer E5 with=ger_flamethrower,ger_panzerfaust", "a1 us_m18 D5")
    assert shots(session, "g1") == ["a1 main", "a1:crew mg"]
    assert shots(session, "g2") == ["a1:crew own", "a1 w1", "a1 w2"]


@pytest.mark.rule("ost", "21.14", "21.16", "87.3")
def test_an_exposed_crew_has_defense_five_against_half_firepower() -> None:
    session = fired("g1 ger_hmg42 D4", "a1 us_m18 D6", at="a1:crew own", terrain={"orchard": "D6"}, dice=NOTHING)
    assert attacks(session) == [Attack("ICT", "a1", 3, 6, 0)]
    assert lines(tally(session, "Firepower")) == {"small_arms_vs_exposed_crew": -4}
    assert (tally(session, "Defense").base, lines(tally(session, "Defense"))) == (5, {"terrain": 1})


@pytest.mark.rule("ost", "21.17")
@pytest.mark.parametrize(
    ("result", "check", "morale"),
    [
        ("S", FAIL, SHAKEN),
        ("S", PASS, GOOD),
        ("B", FAIL, BROKEN),
        ("B", PASS, GOOD),
        ("C", (), SHAKEN),
        ("C-S", (), SHAKEN),
        ("C-B", FAIL, BROKEN),
        ("C-B", PASS, SHAKEN),
        ("X", (), BROKEN),
    ],
)
def test_what_small_arms_do_to_an_exposed_crew(result: str, check: tuple[int, ...], morale: int) -> None:
    # in a marsh the crew's Defense is 3: column 0
    session = fired(
        "g1 ger_hmg42 D4",
        "a1 us_m18 D6",
        at="a1:crew own",
        terrain={"marsh": "D6"},
        dice=(*dice_for(result, 0), *check),
    )
    assert all_thrown(session)
    assert unit(session, "a1").morale == morale
    assert unit(session, "a1").status == ON_MAP
    assert state(session).casualties["german"] == 0 and not happened(session, combat_events.Damaged)


@pytest.mark.rule("ost", "21.19", "20.7")
@pytest.mark.parametrize(
    ("weapon", "key"),
    [
        ("ger_flamethrower", "at a1 w1"),
        ("ger_bundle", "at a1 w1"),
        ("sov_molotov", "at a1 w1"),
        ("ger_satchel", "satchel w1 D5"),
    ],
)
def test_an_open_top_is_weaker_against_close_weapons(weapon: str, key: str) -> None:
    session = position(f"g1 ger_pioneer D4 with={weapon}", "a1 us_m10 D5 f=1", dice=NOTHING)
    answer(session, "fire g1", key)
    assert (tally(session, "Defense").base, lines(tally(session, "Defense"))) == (4, {"open_top": -1})


@pytest.mark.rule("ost", "21.19")
def test_an_open_top_is_weaker_against_shells_and_aircraft_but_not_against_guns() -> None:
    units = ("g1 ger_pz4h D3", "a1 us_m10 D6 f=1")
    session = position(*units, assets={"german": {"mortars": 1, "air": 1}}, dice=(6, *NOTHING), **ALONE)
    answer(session, "oba mortars", "hex D6", "shells")
    assert (tally(session, "Defense").base, lines(tally(session, "Defense"))) == (3, {"open_top": -1})
    session = position(*units, assets={"german": {"air": 1}}, dice=(3, *NOTHING), **ALONE)
    answer(session, "air", "hex D6", "hex D7")
    assert lines(tally(session, "Defense")) == {"open_top": -1}
    session = fired(*units, at="a1 main", dice=(*HIT, *NOTHING))
    assert lines(tally(session, "Defense")) == {}


# ---- 22, 23: dual armament and limited fire ---------------------------------------------------------------

LEE = "a1 us_m3_lee E5 f=1"


@pytest.mark.rule("ost", "22.0", "22.1", "22.2")
@pytest.mark.parametrize("gun", ["main", "main2"])
def test_one_main_armament_and_the_machine_guns_fire_in_an_impulse(gun: str) -> None:
    session = position(LEE, "g1 ger_rifle E2", dice=(*NOTHING, *NOTHING))
    assert shots(session, "a1") == ["g1 main", "g1 main2", "g1 mg"]
    shoot(session, "a1", f"g1 {gun}")
    assert keys(session) == ["hold", "at g1 mg"]
    answer(session, "at g1 mg")
    assert [attack.firepower for attack in attacks(session)] == [4 if gun == "main" else 2, 3]
    assert state(session).points["american"] == 4


@pytest.mark.rule("ost", "22.1", "22.2")
def test_after_the_machine_guns_one_of_the_main_armaments_may_fire() -> None:
    session = position(LEE, "g1 ger_rifle E2", FAR, dice=(*NOTHING, *NOTHING))
    shoot(session, "a1", "g1 mg", "g1 main2")
    assert session.ask is not None and session.ask.side == "german"
    assert unit(session, "a1").fired == 1


@pytest.mark.rule("ost", "22.3")
def test_the_hull_gun_fires_in_the_arc_and_the_turret_gun_all_round() -> None:
    assert shots(position(LEE, "g1 ger_rifle E8"), "a1") == ["g1 main2", "g1 mg"]
    assert shots(position("a1 us_m3_lee E5 f=4", "g1 ger_rifle E8"), "a1") == ["g1 main", "g1 main2", "g1 mg"]


@pytest.mark.rule("ost", "22.4")
@pytest.mark.parametrize("die", range(1, 7))
def test_which_main_armament_is_damaged(die: int) -> None:
    session = fired("g1 ger_pak40 E2 f=4", LEE, at="a1 main", dice=(*HIT, *dice_for("D", 6, VCT), 4, die))
    assert rolled(session, "which gun")[0].side == "american"
    left = [arm.split()[1] for arm in shots(session, "a1")]
    assert left == (["main", "mg"] if die <= 3 else ["main2", "mg"])


@pytest.mark.rule("ost", "23.1", "23.2")
@pytest.mark.parametrize("kind", [kind.id for kind in KINDS.values() if kind.limited_fire and kind.nation == "soviet"])
def test_a_limited_fire_vehicle_fires_its_main_armament_once_a_turn(kind: str) -> None:
    session = position(f"s1 {kind} D4 f=4", "g1 ger_rifle D6", dice=NOTHING * 4, points={"german": 0})
    shoot(session, "s1", "g1 main", "g1 mg")
    assert shots(session, "s1") == ["g1 mg"]
    shoot(session, "s1", "g1 mg")
    assert battle(session).used(unit(session, "s1"))
    assert shots(session, "s1") == ["g1 mg"]  # nor by Intensive Fire
    unlimited = position("s1 sov_kv1 D4", "g1 ger_rifle D6", dice=NOTHING * 2, points={"german": 0})
    shoot(unlimited, "s1", "g1 main", "g1 mg")
    assert shots(unlimited, "s1") == ["g1 main", "g1 mg"]


@pytest.mark.rule("ost", "23.2")
def test_the_machine_guns_of_a_limited_fire_vehicle_leave_its_main_armament_ready() -> None:
    session = position("s1 sov_is2 D4", "g1 ger_rifle D6", dice=NOTHING * 2, points={"german": 0})
    shoot(session, "s1", "g1 mg")
    answer(session, "hold")
    assert "g1 main" in shots(session, "s1")


# ---- 63: data cards ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "63.1", "63.2", "63.3")
@pytest.mark.parametrize(
    ("distance", "to_hit", "ap"),
    [
        (1, 6, 10),
        (6, 6, 10),
        (7, 7, 9),
        (10, 7, 9),
        (11, 7, 9),
        (12, 7, 8),
        (16, 7, 8),
        (17, 8, 7),
        (20, 8, 7),
        (22, 8, 6),
    ],
)
def test_the_card_of_the_hellcat(distance: int, to_hit: int, ap: int) -> None:
    """E-26 and the card of 63: at range 10 it hits on 7 with an AP Firepower of 9."""
    units = ("a1 us_m18 A1", f"g1 ger_tiger1 A{1 + distance} f=1")  # the firer's own hex is not counted (63.3)
    session = fired(*units, by="a1", at="g1 main", map="open 2x25", dice=(3, to_hit - 3, *NOTHING))
    assert tally(session, "To Hit number").base == to_hit
    assert tally(session, "Firepower").base == ap
    short = fired(*units, by="a1", at="g1 main", map="open 2x25", dice=(3, to_hit - 4))
    assert dice_thrown(short) == ["To Hit g1"]


@pytest.mark.rule("ost", "63.2")
def test_the_other_figures_of_the_hellcats_card() -> None:
    kind = KINDS["us_m18"]
    assert (kind.move, kind.move_type, kind.guns[0].he, kind.front, kind.flank) == (8, "tracked", 3, 3, 3)
    assert (kind.secondary.fp, kind.secondary.range, kind.guns[0].range, kind.open_top) == (2, 6, 22, True)
    assert kind.guns[0].bands == ((0, 6, 6, 10), (7, 11, 7, 9), (12, 16, 7, 8), (17, 20, 8, 7), (21, 22, 8, 6))


@pytest.mark.rule("ost", "63.4")
def test_what_stands_at_the_bottom_of_a_card_counts() -> None:
    def verbs(*units: str) -> set[str]:
        session = position(*units, "g1 ger_rifle J1")
        answer(session, "move a2")
        return {option.verb for option in options(session)}

    assert "load" in verbs("a1 sov_t34_76 D4", "a2 sov_rifle D4")
    assert "load" not in verbs("a1 sov_t70 D4", "a2 sov_rifle D4")  # No Riders
    assert any("sustained" in shot for shot in shots(position("a1 us_hmg D4", "g1 ger_rifle D6"), "a1"))
    house = {"terrain": {"heavy_structure": "D6"}, "dice": (*NOTHING, 1)}
    shelled = fired("g1 ger_sig33 D4 f=4", "a1 us_rifle D6", at="a1 main", **house)
    assert dice_thrown(shelled)[-1] == "collapse"  # Collapse
    spared = fired("g1 ger_leig18 D4 f=4", "a1 us_rifle D6", at="a1 main", **house)
    assert "collapse" not in dice_thrown(spared)
