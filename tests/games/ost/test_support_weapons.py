"""Support weapons: whose they are, what they add, what they do alone; anti-tank weapons, satchels, mortars (20)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.core.session import Session
from grognard.games.ost import combat_events, move_events
from grognard.games.ost.roster import roster
from grognard.games.ost.state import BROKEN, GOOD, SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, state, tally, unit
from tests.games.ost.shots import FAIL, NOTHING, PASS, Attack, all_thrown, attacks, dice_for, dice_thrown, shoot, shots

KINDS = roster()
HIT = (5, 5)
FAR = "a9 us_rifle J8"  # somebody who keeps the battle going
ALONE: dict[str, Any] = {"points": {"american": 0}}  # all Impulses are German


def use(session: Session, key: str, by: str = "g1") -> Session:
    """Fire in the given words; every die of the script must be thrown, and none be wanting."""
    answer(session, f"fire {by}", key)
    assert all_thrown(session), session.ask
    return session


# ---- 20: whose they are -----------------------------------------------------------------------------------


@pytest.mark.rule("ost", "20.1", "12.3", "13.6")
@pytest.mark.parametrize("kind", ["ger_sniper", "ger_sgt", "ger_crew", "ger_hmg42"])
def test_only_squads_have_support_weapons(kind: str) -> None:
    with pytest.raises(MalformedError, match=r"20\.1"):
        position(f"g1 {kind} D4 with=ger_lmg", "a1 us_rifle D6")


@pytest.mark.rule("ost", "12.3", "13.6", "20.1", "20.12")
@pytest.mark.parametrize("kind", ["ger_sniper", "ger_sgt", "ger_crew", "ger_hmg42", "ger_rifle"])
def test_only_squads_take_up_a_weapon_or_use_one_that_lies_there(kind: str) -> None:
    session = position(f"g1 {kind} D4", "a1 us_rifle D6", weapons=["w1 ger_lmg D4"])
    squad = kind == "ger_rifle"
    assert ("take w1" in shots(session, "g1")) == squad
    assert not any("+w1" in shot for shot in shots(session, "g1"))
    answer(session, "move g1")
    assert ("take w1" in keys(session)) == squad


@pytest.mark.rule("ost", "20.2")
def test_a_weapon_belongs_to_the_unit_above_it() -> None:
    session = position("g1 ger_rifle D4", "g2 ger_rifle D4 with=ger_lmg", "a1 us_rifle D6")
    assert shots(session, "g1") == ["a1 own"]
    assert shots(session, "g2") == ["a1 own", "a1 own+w1"]


@pytest.mark.rule("ost", "20.3", "88.1")
def test_a_support_weapons_firepower_is_added_to_the_squads() -> None:
    """E-9: Rifle 4 + LMG 2 = 6."""
    session = use(position("g1 ger_rifle D4 with=ger_lmg", "a1 us_rifle D6", dice=NOTHING), "at a1 own+w1")
    firepower = tally(session, "Firepower")
    assert (firepower.base, lines(firepower), firepower.total) == (4, {"support_weapon": 2}, 6)
    without = use(position("g1 ger_rifle D4 with=ger_lmg", "a1 us_rifle D6", dice=NOTHING), "at a1 own")
    assert tally(without, "Firepower").total == 4


@pytest.mark.rule("ost", "20.3")
@pytest.mark.parametrize(
    ("squad", "weapon", "reach", "firepower"),
    [
        ("us_rifle", "us_bar", 6, 5),
        ("sov_smg", "sov_ampulomet", 3, 9),  # the squad's range
        ("sov_rifle", "sov_ampulomet", 4, 7),  # the weapon's
        ("ger_pioneer", "ger_flamethrower", 1, 11),
        ("ger_rifle", "ger_bundle", 1, 10),
        ("sov_rifle", "sov_molotov", 1, 7),
    ],
)
def test_combined_fire_needs_both_in_range(squad: str, weapon: str, reach: int, firepower: int) -> None:
    enemy = "us_rifle" if not squad.startswith("us") else "ger_rifle"
    session = position(f"g1 {squad} D1 with={weapon}", f"a1 {enemy} D{1 + reach}", dice=NOTHING)
    assert tally(use(session, "at a1 own+w1"), "Firepower").total == firepower
    beyond = position(f"g1 {squad} D1 with={weapon}", f"a1 {enemy} D{2 + reach}")
    assert "a1 own+w1" not in shots(beyond, "g1")


@pytest.mark.rule("ost", "20.3")
def test_a_flamethrower_does_not_burn_terrain_away() -> None:
    units = ("g1 ger_pioneer D4 with=ger_flamethrower", "a1 us_rifle D5")
    session = use(position(*units, terrain={"woods": "D5"}, dice=NOTHING), "at a1 own+w1")
    assert lines(tally(session, "Defense")) == {"terrain": 2}


@pytest.mark.rule("ost", "20.4")
def test_an_lmg_fires_alone_beyond_the_range_of_its_squad() -> None:
    for row in (7, 8, 9, 10):
        session = position("g1 ger_rifle D1 with=ger_lmg", f"a1 us_rifle D{row}", map="open 5x10", dice=NOTHING)
        expected = ["a1 own", "a1 own+w1"] if row == 7 else ["a1 w1"] if row < 10 else []
        assert shots(session, "g1") == expected
    session = position("g1 ger_rifle D1 with=ger_lmg", "a1 us_rifle D9", map="open 5x10", dice=NOTHING)
    use(session, "at a1 w1")
    assert attacks(session) == [Attack("ICT", "a1", 2, 4, 0)] and tally(session, "Firepower").rule == "20.4"
    assert unit(session, "g1").fired == 1  # it was the squad's Fire action


@pytest.mark.rule("ost", "20.4")
def test_no_other_weapon_has_that_right() -> None:
    assert shots(position("a1 us_airborne D1 with=us_bar", "g1 ger_rifle D7"), "a1") == []
    reduced = position("g1 ger_assault D1 with=ger_lmg", "a1 us_rifle D6", dice=NOTHING)
    assert shots(reduced, "g1") == ["a1 w1"]


@pytest.mark.rule("ost", "20.4", "49.7")
def test_from_a_height_the_squad_itself_reaches_a_hex_further() -> None:
    session = position("g1 ger_rifle D1 with=ger_lmg", "a1 us_rifle D8", levels={"2": "D1"})
    assert shots(session, "g1") == ["a1 own", "a1 own+w1"]


SINGLE_USE = [
    ("ger_rifle", "ger_satchel", "satchel w1 D5"),
    ("ger_rifle", "ger_bundle", "at a1 own+w1"),
    ("ger_rifle", "sov_molotov", "at a1 own+w1"),
    ("ger_rifle", "ger_panzerfaust", "at a2 w1"),
]
DURABLE = [
    ("ger_rifle", "ger_lmg", "at a1 own+w1"),
    ("ger_rifle", "us_bar", "at a1 own+w1"),
    ("ger_rifle", "ger_atr", "at a2 w1"),
    ("ger_rifle", "sov_ampulomet", "at a1 own+w1"),
    ("ger_rifle", "ger_mortar50", "shell w1 D7"),
    ("ger_rifle", "ger_panzerschreck", "at a2 w1"),
    ("ger_rifle", "us_bazooka", "at a2 w1"),
    ("ger_pioneer", "ger_flamethrower", "at a1 own+w1"),
]


def used(squad: str, weapon: str, key: str) -> Session:
    dice = {"shell w1 D7": (6, *NOTHING), "at a2 w1": (1, 2)}.get(key, NOTHING)
    units = (f"g1 {squad} D4 with={weapon}", "a1 us_rifle D5", "a2 us_m4a1 C5", "a3 us_rifle D7")
    return use(position(*units, dice=dice, **ALONE), key)


@pytest.mark.rule("ost", "20.5", "5.10")
@pytest.mark.parametrize(("squad", "weapon", "key"), SINGLE_USE)
def test_single_use_weapons_are_gone_when_used_hit_or_miss(squad: str, weapon: str, key: str) -> None:
    session = used(squad, weapon, key)
    assert (state(session).weapons["w1"].unit, state(session).weapons["w1"].hex) == ("", "")
    assert [event.weapon for event in happened(session, move_events.WeaponLost)] == ["w1"]
    assert shots(session, "g1") == ["a1 own", "a3 own"]
    assert state(session).casualties == {"german": 0, "american": 0}


@pytest.mark.rule("ost", "20.6")
@pytest.mark.parametrize(("squad", "weapon", "key"), DURABLE)
def test_the_others_last_all_game(squad: str, weapon: str, key: str) -> None:
    session = used(squad, weapon, key)
    assert state(session).weapons["w1"].unit == "g1"
    assert key.removeprefix("at ") in shots(session, "g1")


@pytest.mark.rule("ost", "20.5", "20.6")
def test_every_support_weapon_is_one_or_the_other() -> None:
    single = {kind.class_ for kind in KINDS.values() if kind.kind == "support" and kind.single_use}
    assert single == {"satchel", "grenade_bundle", "molotov", "panzerfaust"}


@pytest.mark.rule("ost", "20.7")
@pytest.mark.parametrize(
    ("weapon", "firepower"), [("ger_flamethrower", 3), ("ger_bundle", 3), ("sov_molotov", 2), ("ger_satchel", 5)]
)
@pytest.mark.parametrize("target", ["us_m4a1", "us_truck"])
def test_close_weapons_hit_an_adjacent_vehicle_at_half_their_firepower(
    weapon: str, firepower: int, target: str
) -> None:
    key = "satchel w1 D5" if "satchel" in weapon else "at a1 w1"
    session = position(f"g1 ger_pioneer D4 with={weapon}", f"a1 {target} D5 f=1", dice=NOTHING)
    use(session, key)
    assert dice_thrown(session) == ["VCT attack a1"]  # no To Hit
    assert attacks(session) == [Attack("VCT", "a1", firepower, KINDS[target].front, 0)]  # nothing of the squad's
    assert [line.rule for line in tally(session, "Firepower").lines] == ["20.7"]
    flank = position(f"g1 ger_pioneer D4 with={weapon}", f"a1 {target} D5 f=4", dice=NOTHING)
    assert tally(use(flank, key), "Defense").base == KINDS[target].flank
    away = position(f"g1 ger_pioneer D4 with={weapon}", f"a1 {target} D6")
    assert not any("w1" in shot for shot in shots(away, "g1"))


@pytest.mark.rule("ost", "20.7", "20at.2")
@pytest.mark.parametrize("weapon", ["ger_flamethrower", "ger_bundle", "ger_panzerfaust"])
def test_such_a_weapon_is_not_combined_with_the_squads_fire_at_a_truck(weapon: str) -> None:
    session = position(f"g1 ger_pioneer D4 with={weapon}", "a1 us_truck D5")
    assert shots(session, "g1") == ["a1 own", "a1 w1"]


@pytest.mark.rule("ost", "20.7", "68.3")
def test_a_shaken_squad_halves_a_close_weapon_once_more() -> None:
    session = position("g1 ger_pioneer D4 shaken with=ger_flamethrower", "a1 us_m4a1 D5", dice=NOTHING)
    firepower = tally(use(session, "at a1 w1"), "Firepower")
    assert lines(firepower) == {"shaken_fp": -3, "close_weapon_vs_vehicle": -2}


@pytest.mark.rule("ost", "20.8", "20.12")
def test_the_weapon_of_a_lost_squad_lies_there_for_either_side() -> None:
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle C4", "a1 us_rifle D6", "a2 us_rifle D5")
    session = position(*units, active="american", dice=(*dice_for("X", 0), *NOTHING))
    shoot(session, "a1", "g1 own")
    assert state(session).weapons["w1"].hex == "D4"
    friend = session.fork()
    answer(friend, "move g2", "step D4", "pass", "take w1")
    assert friend.state.weapons["w1"].unit == "g2"
    answer(session, "burn", "move a2", "step D4", "pass", "take w1", "stop", "burn")
    shoot(session, "a2", "g2 own+w1")
    assert tally(session, "Firepower").total == 6  # W-5: a captured weapon works at full value


@pytest.mark.rule("ost", "20.10")
def test_the_weapon_of_a_lost_squad_passes_to_the_squad_stacked_with_it() -> None:
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle D4", "a1 us_rifle D5")
    session = position(*units, active="american", dice=dice_for("X", 0))
    shoot(session, "a1", "g1 own")
    assert state(session).weapons["w1"].unit == "g2"
    assert "a1 own+w1" in shots(session, "g2")


@pytest.mark.rule("ost", "20.10", "20.9")
def test_a_weapon_used_this_turn_passes_on_but_stays_silent() -> None:
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle D4", "a1 us_rifle D5")
    session = position(*units, dice=(*NOTHING, *dice_for("X", 0)))
    shoot(session, "g1", "a1 own+w1")
    shoot(session, "a1", "g1 own")
    assert state(session).weapons["w1"].unit == "g2"
    assert shots(session, "g2") == ["a1 own"]


@pytest.mark.rule("ost", "20.8", "20.10")
def test_a_crewed_weapon_or_leader_in_the_stack_takes_nothing() -> None:
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_hmg42 D4", "g3 ger_sgt D4", "a1 us_rifle D5")
    session = position(*units, active="american", dice=dice_for("X", 0))
    shoot(session, "a1", "g1 own")
    assert state(session).weapons["w1"].hex == "D4"


@pytest.mark.rule("ost", "20.9")
def test_a_weapon_is_used_by_one_squad_a_turn() -> None:
    """E-11: two Rifles, one LMG; the first has fired it."""
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle D4", "a1 us_rifle D6")
    session = position(*units, dice=NOTHING * 2, **ALONE)
    shoot(session, "g1", "a1 own+w1")
    assert "a1 own+w1" in shots(session, "g1")
    answer(session, "move g1", "drop w1", "stop")
    answer(session, "fire g2", "take w1")
    assert keys(session) == ["at a1 own"]


@pytest.mark.rule("ost", "20.9")
@pytest.mark.parametrize(("weapon", "word"), [("ger_satchel", "satchel w1 D5"), ("ger_mortar50", "shell w1 D7")])
def test_satchels_and_mortars_are_bound_to_their_user_too(weapon: str, word: str) -> None:
    units = ("g1 ger_rifle D4", "a1 us_rifle D5", "a2 us_rifle D7")
    assert word in shots(position(*units, weapons=[f"w1 {weapon} unit=g1"]), "g1")
    assert not any("w1" in shot for shot in shots(position(*units, weapons=[f"w1 {weapon} unit=g1 used_by=g9"]), "g1"))


@pytest.mark.rule("ost", "20.9")
def test_a_unit_uses_one_support_weapon_at_a_time() -> None:
    session = position("g1 ger_rifle D4 with=ger_lmg,ger_bundle", "a1 us_rifle D5")
    assert shots(session, "g1") == ["a1 own", "a1 own+w1", "a1 own+w2"]


@pytest.mark.rule("ost", "20.9", "111.11")
def test_the_next_turn_another_squad_may_use_it() -> None:
    units = ("g1 ger_rifle D4", "g2 ger_rifle D4", "a1 us_rifle D6")
    lmg = ["w1 ger_lmg unit=g2 used_by=g1"]
    session = position(*units, weapons=lmg, points={"german": 1, "american": 0}, seed=b"twenty")
    assert shots(session, "g2") == ["a1 own"]
    answer(session, "burn")
    assert state(session).weapons["w1"].used_by == ""


@pytest.mark.rule("ost", "20.11")
def test_a_unit_carries_one_support_weapon_while_moving() -> None:
    session = position("g1 ger_rifle D4 with=ger_lmg,ger_bundle", "a1 us_rifle J8", weapons=["w3 ger_atr D4"], **ALONE)
    answer(session, "move g1")
    assert keys(session, "step") == []
    answer(session, "drop w2", "step D3")
    assert state(session).weapons["w1"].unit == "g1"
    assert [weapon.id for weapon in battle(session).weapons_lying("D4")] == ["w2", "w3"]


@pytest.mark.rule("ost", "20.12")
def test_taking_up_and_destroying_weapons_costs_nothing() -> None:
    weapons = ["w1 us_bar D4", "w2 ger_lmg D3", "w3 ger_atr D3"]
    session = position("g1 ger_rifle D4", "a1 us_rifle J8", weapons=weapons, **ALONE)
    answer(session, "move g1", "take w1", "step D3", "destroy w2", "destroy w3", "step D2", "step D1", "step C1")
    assert (unit(session, "g1").hex, state(session).weapons["w1"].unit) == ("C1", "g1")  # all of its 4 MP
    assert state(session).points["german"] == 4
    assert not state(session).weapons["w2"].hex and state(session).casualties["german"] == 0


@pytest.mark.rule("ost", "20.12")
def test_a_unit_that_fires_may_first_take_up_or_destroy_a_weapon_in_its_hex() -> None:
    weapons = ["w1 ger_lmg D4", "w2 ger_atr D4", "w3 ger_lmg D3"]
    session = position("g1 ger_rifle D4", "a1 us_rifle D6", weapons=weapons, dice=NOTHING)
    answer(session, "fire g1", "take w1", "destroy w2")
    assert [event.weapon for event in happened(session, move_events.WeaponTaken)] == ["w1"]
    assert keys(session) == ["at a1 own", "at a1 own+w1"]
    answer(session, "at a1 own+w1")
    assert tally(session, "Firepower").total == 6
    assert unit(session, "g1").fired == 1 and state(session).points["german"] == 4
    assert state(session).weapons["w2"].hex == "" and state(session).weapons["w3"].hex == "D3"


@pytest.mark.rule("ost", "20.12")
@pytest.mark.parametrize(
    ("weapon", "enemy", "key"),
    [
        ("us_bazooka", "us_m4a1 D5", "at a1 w1"),
        ("ger_lmg", "us_rifle J8", "at a1 w1"),
        ("ger_satchel", "us_m4a1 D5", "satchel w1 D5"),
        ("ger_mortar50", "us_rifle J8", "shell w1 J8"),
    ],
)
def test_it_may_fire_although_it_has_only_what_lies_there_to_fire_with(weapon: str, enemy: str, key: str) -> None:
    units = ("g1 ger_rifle D4", f"a1 {enemy}")
    assert keys(position(*units), "fire") == []
    session = position(*units, weapons=[f"w1 {weapon} D4", "w2 ger_bundle C4"])
    answer(session, "fire g1")
    assert keys(session) == ["take w1"]
    answer(session, "take w1")
    assert key in keys(session)


@pytest.mark.rule("ost", "20.12")
def test_a_weapon_that_lies_there_and_is_of_no_use_gives_no_fire_action() -> None:
    units = ("g1 ger_rifle D4", "a1 us_m4a1 D5", "a2 us_rifle J8")
    assert keys(position(*units, weapons=["w1 ger_flamethrower D4"]), "fire") == []  # for Engineers
    assert keys(position(*units, weapons=["w1 ger_bundle D4"]), "fire") == ["fire g1"]
    away = ("g1 ger_rifle D4", "a1 us_rifle J8")
    assert keys(position(*away, weapons=["w1 ger_satchel D4", "w2 ger_bundle D4"]), "fire") == []
    crew = ("g1 ger_crew D4", "a1 us_rifle J8")
    assert keys(position(*crew, weapons=["w1 ger_lmg D4"]), "fire") == []


@pytest.mark.rule("ost", "20.13", "111.3")
def test_weapons_change_hands_in_a_stack_at_the_start_of_a_turn() -> None:
    units = ("g1 ger_rifle D4 with=ger_lmg", "g2 ger_rifle D4", "g3 ger_rifle D5", "a1 us_rifle D7")
    session = position(*units, phase="attach", seed=b"x")
    assert keys(session, "give") == ["give w1 g2"]  # not to another hex
    answer(session, "give w1 g2")
    assert state(session).weapons["w1"].unit == "g2"
    assert not any(key.startswith("give") for key in keys(position(*units)))


@pytest.mark.rule("ost", "20.15", "68.3")
def test_a_shaken_squad_halves_the_sum() -> None:
    """E-10: (4 + 2) / 2 = 3."""
    session = use(position("g1 ger_rifle D4 shaken with=ger_lmg", "a1 us_rifle D6", dice=NOTHING), "at a1 own+w1")
    assert tally(session, "Firepower").total == 3
    odd = use(position("g1 ger_assault D4 shaken with=ger_lmg", "a1 us_rifle D6", dice=NOTHING), "at a1 own+w1")
    assert tally(odd, "Firepower").total == 3  # 7 / 2


@pytest.mark.rule("ost", "20.3")
def test_a_reduced_squad_uses_a_weapon_at_full_value() -> None:
    session = use(position("g1 ger_rifle D4 reduced with=ger_lmg", "a1 us_rifle D6", dice=NOTHING), "at a1 own+w1")
    assert tally(session, "Firepower").total == 4


@pytest.mark.rule("ost", "10.5")
def test_only_engineers_use_flamethrowers() -> None:
    for squad, may in (("ger_pioneer", True), ("ger_rifle", False), ("ger_assault", False)):
        session = position(f"g1 {squad} D4 with=ger_flamethrower", "a1 us_rifle D5", "a2 us_m4a1 E5")
        found = shots(session, "g1")
        assert ("a1 own+w1" in found) == ("a2 w1" in found) == may
        assert "a1 own" in found  # anybody may carry it


# ---- anti-tank weapons ------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "20at.1", "95.6")
@pytest.mark.parametrize(
    ("weapon", "distance", "needed", "ap"),
    [
        ("ger_panzerfaust", 1, 7, 14),
        ("ger_panzerschreck", 1, 6, 13),
        ("ger_panzerschreck", 3, 8, 13),
        ("us_bazooka", 3, 9, 9),
        ("brit_piat", 2, 9, 10),
        ("ger_atr", 2, 7, 3),
        ("sov_atr", 8, 9, 2),
    ],
)
def test_anti_tank_weapons_hit_first_and_then_attack_with_their_ap(
    weapon: str, distance: int, needed: int, ap: int
) -> None:
    units = (f"g1 ger_rifle D1 with={weapon}", f"s1 sov_is2 D{1 + distance} f=1")
    dice = (3, needed - 3, *NOTHING)
    session = use(position(*units, map="open 5x12", dice=dice), "at s1 w1")
    assert dice_thrown(session) == ["To Hit s1", "VCT attack s1"]
    assert tally(session, "To Hit number").base == needed
    assert attacks(session) == [Attack("VCT", "s1", ap, 10, 0)]
    missed = use(position(*units, map="open 5x12", dice=(3, needed - 4)), "at s1 w1")
    assert attacks(missed) == []
    reach = KINDS[weapon].range
    away = position(f"g1 ger_rifle D1 with={weapon}", f"s1 sov_is2 D{2 + reach} f=1", map="open 5x12")
    assert shots(away, "g1") == []


@pytest.mark.rule("ost", "20at.1", "95.12")
def test_anti_tank_weapons_use_he_on_soft_vehicles() -> None:
    session = position("g1 ger_rifle D4 with=ger_panzerschreck", "a1 us_truck D5", dice=(*HIT, *NOTHING))
    assert attacks(use(session, "at a1 w1")) == [Attack("VCT", "a1", 3, 2, 0)]


INSIDE = [
    ({"terrain": {"light_structure": "D5"}}, ""),
    ({"terrain": {"heavy_structure": "D5"}}, ""),
    ({"works": ["bunker D5"]}, "inside"),
    ({"works": ["pillbox D5 facing=1"]}, "inside"),
]


@pytest.mark.rule("ost", "20at.2", "95.11")
@pytest.mark.parametrize(("place", "flag"), INSIDE)
@pytest.mark.parametrize(("weapon", "he"), [("ger_panzerfaust", 3), ("ger_panzerschreck", 3), ("us_bazooka", 2)])
def test_at_units_behind_walls_they_add_their_he(place: dict[str, Any], flag: str, weapon: str, he: int) -> None:
    session = position(f"g1 ger_rifle D4 with={weapon}", f"a1 us_rifle D5 {flag}", **place, dice=NOTHING)
    use(session, "at a1 own+w1")
    assert dice_thrown(session) == ["ICT attack a1"]
    assert lines(tally(session, "Firepower")) == {"support_weapon": he}
    assert tally(session, "Firepower").total == 4 + he


@pytest.mark.rule("ost", "20at.2")
def test_in_the_open_or_with_a_rifle_they_do_not() -> None:
    bunker: dict[str, Any] = {"works": ["bunker D5"]}
    assert shots(position("g1 ger_rifle D4 with=us_bazooka", "a1 us_rifle D5"), "g1") == ["a1 own"]
    assert shots(position("g1 ger_rifle D4 with=us_bazooka", "a1 us_rifle D5", **bunker), "g1") == ["a1 own"]
    assert shots(position("g1 ger_rifle D4 with=ger_atr", "a1 us_rifle D5 inside", **bunker), "g1") == ["a1 own"]


@pytest.mark.rule("ost", "20at.3")
@pytest.mark.parametrize("work", ["bunker D4", "pillbox D4 facing=4"])
@pytest.mark.parametrize("weapon", ["ger_panzerfaust", "ger_panzerschreck", "us_bazooka"])
def test_no_blowback_weapon_is_fired_from_a_bunker_or_pillbox(weapon: str, work: str) -> None:
    units = ("a1 us_m4a1 D5", "a2 us_rifle E5")
    inside = position(f"g1 ger_rifle D4 inside with={weapon}", *units, works=[work])
    assert shots(inside, "g1") == ["a2 own"]
    beside = position(f"g1 ger_rifle D4 with={weapon}", *units, works=[work])
    assert "a1 w1" in shots(beside, "g1")
    rifle = position("g1 ger_rifle D4 inside with=ger_atr", *units, works=[work])
    assert "a1 w1" in shots(rifle, "g1")


@pytest.mark.rule("ost", "20at.3")
@pytest.mark.parametrize("weapon", ["ger_panzerfaust", "ger_panzerschreck", "us_bazooka"])
def test_fired_from_a_building_they_shake_whoever_fails_a_gut_check(weapon: str) -> None:
    units = (f"g1 ger_rifle D4 with={weapon}", "g2 ger_rifle D4", "g3 ger_sgt D4", "a1 us_m4a1 D5")
    session = position(*units, terrain={"heavy_structure": "D4"}, dice=(1, 1, *FAIL, *PASS, *FAIL))
    use(session, "at a1 w1")  # a miss; the blast comes all the same
    assert dice_thrown(session) == ["To Hit a1", "Gut Check g1", "Gut Check g2", "Gut Check g3"]
    assert [unit(session, id).morale for id in ("g1", "g2", "g3")] == [SHAKEN, GOOD, SHAKEN]


@pytest.mark.rule("ost", "20at.3", "91.4")
def test_an_attached_leader_checks_only_if_his_unit_failed() -> None:
    units = ("g1 ger_rifle D4 with=us_bazooka", "g2 ger_sgt - attached=g1", "a1 us_m4a1 D5")
    house: dict[str, Any] = {"terrain": {"light_structure": "D4"}}
    passed = use(position(*units, **house, dice=(1, 1, *PASS)), "at a1 w1")
    assert unit(passed, "g2").morale == GOOD
    failed = use(position(*units, **house, dice=(1, 1, *FAIL, *FAIL)), "at a1 w1")
    assert unit(failed, "g1").morale == unit(failed, "g2").morale == SHAKEN


@pytest.mark.rule("ost", "20at.3", "68.10")
def test_blowback_breaks_who_is_shaken_and_the_piat_has_none() -> None:
    house: dict[str, Any] = {"terrain": {"heavy_structure": "D4"}}
    units = ("g1 ger_rifle D4 shaken with=us_bazooka", "a1 us_m4a1 D5")
    assert unit(use(position(*units, **house, dice=(1, 1, *FAIL)), "at a1 w1"), "g1").morale == BROKEN
    units = ("b1 brit_rifle D4 with=brit_piat", "g1 ger_pz4h D5")
    assert dice_thrown(use(position(*units, **house, dice=(1, 1)), "at g1 w1", by="b1")) == ["To Hit g1"]


# ---- satchel charges --------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "20sc.1", "20.7")
def test_a_satchel_attacks_every_unit_in_the_hex() -> None:
    """E-12: one attack for each, Firepower 10, terrain counts."""
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", "a2 us_mmg D5", "a3 us_sgt D5")
    session = use(position(*units, terrain={"woods": "D5"}, dice=NOTHING * 3), "satchel w1 D5")
    assert attacks(session) == [Attack("ICT", id, 10, 6, 0) for id in ("a1", "a2", "a3")]
    assert (unit(session, "g1").fired, state(session).points["german"]) == (1, 4)


@pytest.mark.rule("ost", "20sc.1")
def test_a_satchels_firepower_is_never_modified_but_its_dice_are() -> None:
    units = ("g1 ger_rifle D4 shaken moved fired with=ger_satchel", "a1 us_rifle D5")  # moved and fired: Used
    session = position(*units, terrain={"rubble": "D5"}, smoke={"D4": 1}, dice=NOTHING)
    use(session, "satchel w1 D5")
    assert lines(tally(session, "Firepower")) == {} and tally(session, "Firepower").total == 10
    assert lines(tally(session, "attack roll")) == {"moving_fire": -1, "intensive_fire_roll": -1}


@pytest.mark.rule("ost", "20sc.1")
def test_a_satchel_is_thrown_into_an_adjacent_hex_with_something_in_it() -> None:
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", "a2 us_rifle D6")
    assert [shot for shot in shots(position(*units), "g1") if "satchel" in shot] == ["satchel w1 D5"]
    wall = position("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", hexsides={"row_house_wall": "D4|D5"})
    assert shots(wall, "g1") == []


@pytest.mark.rule("ost", "20sc.1", "20mo.3", "101.2")
def test_nothing_is_thrown_into_a_melee() -> None:
    units = ("a1 us_rifle D5", "g2 ger_rifle D5", "g1 ger_rifle {} with=ger_satchel,ger_mortar50")
    for place in ("D4", "D3"):
        session = position(*units[:2], units[2].format(place), melees=["D5 german"], active="german")
        assert shots(session, "g1") == ["smoke w2"]
        answer(session, "fire g1", "smoke w2")
        assert "hex D5" not in keys(session) and "hex D6" in keys(session)


@pytest.mark.rule("ost", "20sc.1", "91.2", "100.2")
def test_a_satchel_finds_passengers_and_leaves_leaders_to_their_rolls() -> None:
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_truck D5", "a2 us_rifle - aboard=a1", FAR)
    # the truck: 5 - 2 = +3, X; collateral on -4; then the squad's own attack, now on foot
    dice = (*dice_for("X", 3), *NOTHING, *NOTHING)
    session = use(position(*units, dice=dice), "satchel w1 D5")
    assert dice_thrown(session) == ["VCT attack a1", "ICT attack a2", "ICT attack a2"]
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", "a2 us_sgt - attached=a1", FAR)
    session = use(position(*units, dice=(*dice_for("X", 6), 4)), "satchel w1 D5")
    assert dice_thrown(session) == ["ICT attack a1", "Leader Casualty a2"]


@pytest.mark.rule("ost", "20sc.1", "73.7")
def test_a_satchel_shows_the_hidden_units_it_hits() -> None:
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5", "a2 us_rifle D5 hidden")
    session = use(position(*units, dice=NOTHING * 2), "satchel w1 D5")
    assert not unit(session, "a2").hidden
    assert [attack.target for attack in attacks(session)] == ["a1", "a2"]


@pytest.mark.rule("ost", "20sc.2", "110.7")
@pytest.mark.parametrize(
    ("place", "die", "falls"),
    [
        ("light_structure", 3, False),
        ("light_structure", 4, True),
        ("heavy_structure", 4, False),
        ("heavy_structure", 5, True),
    ],
)
def test_a_satchel_may_bring_the_building_down(place: str, die: int, falls: bool) -> None:
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5")
    dice = (*NOTHING, die, *(NOTHING if falls else ()))
    session = use(position(*units, terrain={place: "D5"}, dice=dice), "satchel w1 D5")
    assert lines(tally(session, "collapse roll")) == {"satchel": 1}
    assert bool(happened(session, combat_events.Collapsed)) == falls
    assert state(session).rubble == (["D5"] if falls else [])


@pytest.mark.rule("ost", "20sc.2")
def test_no_collapse_roll_where_nothing_can_fall() -> None:
    units = ("g1 ger_rifle D4 with=ger_satchel", "a1 us_rifle D5")
    assert dice_thrown(use(position(*units, dice=NOTHING), "satchel w1 D5")) == ["ICT attack a1"]


@pytest.mark.rule("ost", "30.7", "31.5")
@pytest.mark.parametrize("work", ["wire", "roadblock"])
def test_a_satchel_clears_an_obstacle_even_in_an_empty_hex(work: str) -> None:
    session = position("g1 ger_rifle D4 with=ger_satchel", FAR, works=[f"{work} D5"])
    use(session, "satchel w1 D5")
    assert state(session).works == {}
    (event,) = happened(session, move_events.Removed)
    assert (event.kind, event.place, event.rules) == (work, "D5", ("30.7" if work == "wire" else "31.5",))


# ---- mortars ----------------------------------------------------------------------------------------------

MORTAR = "g1 ger_rifle D1 with=ger_mortar50"
TALL: dict[str, Any] = {"map": "open 7x14"}


@pytest.mark.rule("ost", "20mo.1")
def test_a_mortar_has_a_least_and_a_greatest_range() -> None:
    for row, may in ((2, False), (3, True), (11, True), (12, False)):
        session = position(MORTAR, f"a1 us_rifle D{row}", **TALL)
        assert (f"shell w1 D{row}" in shots(session, "g1")) == may
        if "fire g1" in keys(session):
            answer(session, "fire g1", "smoke w1")
            assert (f"hex D{row}" in keys(session)) == may


@pytest.mark.rule("ost", "20mo.2")
def test_the_squad_adds_its_firepower_within_its_own_range() -> None:
    near = use(position(MORTAR, "a1 us_rifle D7", **TALL, dice=(4, *NOTHING)), "shell w1 D7")
    assert lines(tally(near, "Firepower")) == {"squad": 4} and tally(near, "Firepower").total == 6
    far = use(position(MORTAR, "a1 us_rifle D8", **TALL, dice=(4, *NOTHING)), "shell w1 D8")
    assert tally(far, "Firepower").total == 2
    off = {"mortar_adds_squad_fp": False}
    alone = use(position(MORTAR, "a1 us_rifle D7", **TALL, options=off, dice=(4, *NOTHING)), "shell w1 D7")
    assert tally(alone, "Firepower").total == 2


@pytest.mark.rule("ost", "20mo.2", "20.15")
def test_a_shaken_mortar_squad_halves_the_sum() -> None:
    shaken = MORTAR + " shaken"
    session = use(position(shaken, "a1 us_rifle D7", **TALL, dice=(5, *NOTHING)), "shell w1 D7")
    assert tally(session, "Firepower").total == 3


@pytest.mark.rule("ost", "20mo.2", "90.3", "73.9", "33.4")
@pytest.mark.parametrize(
    ("flags", "smoke", "modifiers"),
    [
        ("used", {}, {"intensive_fire_fp": -1}),
        ("hidden", {}, {"ambush_fp": 1}),
        ("", {"D1": 1}, {"firing_out_of_smoke": -1}),
    ],
)
def test_a_mortars_firepower_is_modified_like_any_other(
    flags: str, smoke: dict[str, int], modifiers: dict[str, int]
) -> None:
    session = position(f"{MORTAR} {flags}", "a1 us_rifle D8", smoke=smoke, **TALL, dice=(4, *NOTHING))
    assert lines(tally(use(session, "shell w1 D8"), "Firepower")) == modifiers


@pytest.mark.rule("ost", "20mo.3")
def test_the_squad_itself_must_see_the_target() -> None:
    session = position(MORTAR, "g2 ger_rifle D7", "a1 us_rifle D9", terrain={"woods": "D4"}, **TALL)
    assert "a1 own" in shots(session, "g2")
    assert "shell w1 D9" not in shots(session, "g1")
    answer(session, "fire g1", "smoke w1")
    assert "hex D9" not in keys(session) and "hex D3" in keys(session)


@pytest.mark.rule("ost", "20mo.4")
@pytest.mark.parametrize(
    ("flags", "leader", "modifiers", "needed"),
    [
        ("", False, {}, 4),
        ("", True, {"attached_leader": 1}, 3),
        ("shaken", False, {"shaken_or_moved": -1}, 5),
        ("moved", False, {"shaken_or_moved": -1}, 5),
        ("shaken moved", False, {"shaken_or_moved": -1}, 5),
        ("moved", True, {"attached_leader": 1, "shaken_or_moved": -1}, 4),
    ],
)
def test_accuracy(flags: str, leader: bool, modifiers: dict[str, int], needed: int) -> None:
    units = [f"{MORTAR} {flags}", "a1 us_rifle D8", *(["g2 ger_sgt - attached=g1"] if leader else [])]
    session = use(position(*units, **TALL, dice=(needed, *NOTHING)), "shell w1 D8")
    assert lines(tally(session, "accuracy")) == modifiers
    assert not happened(session, combat_events.Drifted) and attacks(session)[0].target == "a1"
    drifts = use(position(*units, **TALL, dice=(needed - 1, 1)), "shell w1 D8")
    assert happened(drifts, combat_events.Drifted)


@pytest.mark.rule("ost", "20mo.4", "14.1")
def test_a_leader_of_another_branch_does_not_help_the_aim() -> None:
    units = (MORTAR, "g2 ger_ss_sgt - attached=g1", "a1 us_rifle D8")
    session = use(position(*units, **TALL, dice=(4, *NOTHING)), "shell w1 D8")
    assert lines(tally(session, "accuracy")) == {}


@pytest.mark.rule("ost", "20mo.5", "20mo.6", "109.2")
@pytest.mark.parametrize(("direction", "place"), list(enumerate(["D4", "E5", "E6", "D6", "C6", "C5"], 1)))
def test_an_inaccurate_shell_drifts_one_hex(direction: int, place: str) -> None:
    ring = [f"a{n} us_rifle {hex}" for n, hex in enumerate(("D4", "E5", "E6", "D6", "C6", "C5"), 1)]
    session = position(MORTAR, "a9 us_rifle D5", *ring, **TALL, dice=(3, direction, *NOTHING))
    use(session, "shell w1 D5")
    assert [(event.start, event.place) for event in happened(session, combat_events.Drifted)] == [("D5", place)]
    assert [attack.target for attack in attacks(session)] == [f"a{direction}"]  # that hex and no other
    assert tally(session, "Firepower").total == 2  # W-9: the squad aimed elsewhere


@pytest.mark.rule("ost", "20mo.5")
def test_a_shell_that_drifts_off_the_map_is_lost() -> None:
    units = ("g1 ger_rifle D5 with=ger_mortar50", "a1 us_rifle D1")
    session = use(position(*units, dice=(1, 1)), "shell w1 D1")
    assert happened(session, combat_events.StrikeLost) and attacks(session) == []


@pytest.mark.rule("ost", "20mo.7", "109.6")
def test_every_unit_in_the_hex_is_attacked_own_ones_too() -> None:
    units = (MORTAR, "a1 us_rifle D8", "a2 us_mmg D8", "g2 ger_rifle D9", "g3 ger_sgt D9")
    session = use(position(*units, **TALL, dice=(6, *NOTHING, *NOTHING)), "shell w1 D8")
    assert [attack.target for attack in attacks(session)] == ["a1", "a2"]
    session = use(position(*units, **TALL, dice=(1, 4, *NOTHING, *NOTHING)), "shell w1 D8")
    assert [attack.target for attack in attacks(session)] == ["g2", "g3"]


@pytest.mark.rule("ost", "20mo.7", "73.7")
def test_a_shell_finds_hidden_units() -> None:
    units = (MORTAR, "a1 us_rifle D8", "a2 us_rifle D9 hidden")
    session = use(position(*units, **TALL, dice=(1, 4, *NOTHING)), "shell w1 D8")
    assert not unit(session, "a2").hidden and attacks(session)[0].target == "a2"


@pytest.mark.rule("ost", "20mo.8")
def test_armor_is_neither_aimed_at_nor_hurt() -> None:
    units = (MORTAR, "a1 us_m4a1 D8", "a2 us_arm_lt - attached=a1")
    assert "shell w1 D8" not in shots(position(*units, **TALL), "g1")
    session = use(position(*units, "a3 us_rifle D8", **TALL, dice=(6, *NOTHING)), "shell w1 D8")
    assert [attack.target for attack in attacks(session)] == ["a3"]


@pytest.mark.rule("ost", "20mo.9")
def test_soft_vehicles_are_attacked_on_the_vct() -> None:
    session = use(position(MORTAR, "a1 us_truck D5", **TALL, dice=(6, *NOTHING)), "shell w1 D5")
    assert dice_thrown(session)[1:] == ["VCT attack a1"]
    assert attacks(session) == [Attack("VCT", "a1", 6, 2, 0)]  # shells are no small arms: not halved


@pytest.mark.rule("ost", "20mo.10")
def test_no_collapse_and_no_airburst() -> None:
    house = position(MORTAR, "a1 us_rifle D5", terrain={"light_structure": "D5"}, **TALL, dice=(6, *NOTHING))
    assert dice_thrown(use(house, "shell w1 D5")) == ["mortar accuracy g1", "ICT attack a1"]
    woods = position(MORTAR, "a1 us_rifle D5", terrain={"woods": "D5"}, **TALL, dice=(6, *NOTHING))
    assert lines(tally(use(woods, "shell w1 D5"), "Defense")) == {"terrain": 2}


@pytest.mark.rule("ost", "20mo.11", "33.6")
def test_a_mortar_may_lay_smoke_in_one_hex() -> None:
    session = position(MORTAR, "a1 us_rifle D12", **TALL, dice=(4,))
    answer(session, "fire g1", "smoke w1", "hex D6")
    assert state(session).smoke == {"D6": 1}
    assert unit(session, "g1").fired == 1 and attacks(session) == []
    session = position(MORTAR, "a1 us_rifle D12", **TALL, dice=(3, 2))
    answer(session, "fire g1", "smoke w1", "hex D6")
    assert state(session).smoke == {"E6": 1}


@pytest.mark.rule("ost", "20mo.12", "59.2")
def test_degrading_terrain_takes_nothing_off_but_a_third_hex_blocks() -> None:
    for brush, firepower in (("D3, D4", 6), ("D3", 6)):
        units = (MORTAR, "a1 us_rifle D7")
        session = use(position(*units, terrain={"brush": brush}, **TALL, dice=(6, *NOTHING)), "shell w1 D7")
        assert tally(session, "Firepower").total == firepower
    assert shots(position(MORTAR, "a1 us_rifle D7", terrain={"brush": "D3-D5"}, **TALL), "g1") == ["smoke w1"]


@pytest.mark.rule("ost", "20mo.7", "46.9", "48.6")
def test_walls_give_no_shelter_from_shells() -> None:
    units = (MORTAR, "a1 us_rifle D5")
    session = position(*units, hexsides={"stone_wall": "D4|D5"}, **TALL, dice=(6, *NOTHING))
    assert lines(tally(use(session, "shell w1 D5"), "Defense")) == {}


@pytest.mark.rule("ost", "20mo.7", "89.1", "15.9")
def test_the_dice_of_a_shell_are_modified_like_any_others() -> None:
    units = (f"{MORTAR} moved", "g2 ger_sgt - attached=g1", "a1 us_rifle D5")
    session = use(position(*units, **TALL, dice=(6, *NOTHING)), "shell w1 D5")
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1, "moving_fire": -1}


@pytest.mark.rule("ost", "20sc.1", "30.7")
def test_a_satchel_thrown_at_wire_spares_friends() -> None:
    session = position("g1 ger_pioneer D4 with=ger_satchel", "g2 ger_rifle D5", "a1 us_rifle H8", works=["wire D5"])
    answer(session, "fire g1", "satchel w1 D5")
    assert "D5" not in state(session).works and not attacks(session)
    assert (unit(session, "g2").status, unit(session, "g2").morale) == ("map", GOOD)


@pytest.mark.rule("ost", "20at.3", "73.2")
def test_blowback_does_not_give_a_hidden_unit_away() -> None:
    session = position(
        "g1 ger_rifle D4 with=ger_panzerschreck",
        "g2 ger_rifle D4 hidden",
        "a1 us_m4a1 D6 f=1",
        buildings=["heavy_structure D4"],
        dice=(1, 1, *FAIL, *FAIL),
    )
    answer(session, "fire g1", "at a1 w1")
    assert unit(session, "g2").morale == SHAKEN and unit(session, "g2").hidden
    log = {side: [line.text for line in session.view(side).log] for side in ("german", "american")}
    assert any("g1 is Shaken" in text for text in log["american"])
    assert any("g2 is Shaken" in text for text in log["german"])
    assert not any("g2" in text for text in log["american"])
