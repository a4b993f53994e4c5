"""Sustained Fire of crewed machine guns, and running out of ammunition (18)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import combat_events, turn_events
from grognard.games.ost.roster import roster
from grognard.games.ost.state import BROKEN, LOST, ON_MAP, SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit
from tests.games.ost.shots import FAIL, NOTHING, Attack, all_thrown, attacks, dice_for, dice_thrown, shots

KINDS = roster()
HMG = "g1 ger_hmg42 D4"
QUIET = (1, 2)  # nothing, and no natural pair of ones
FAR = "a9 us_rifle J8"


def sustained(*units: str, at: str = "a1 a1", by: str = "g1", **head: Any) -> Session:
    """A position, and Sustained Fire in it; every die of the script must be thrown, and none be wanting."""
    session = position(*units, **head)
    answer(session, f"fire {by}", f"sustained {at}")
    assert all_thrown(session), session.ask
    return session


def pairs(*units: str, by: str = "g1", **head: Any) -> list[str]:
    """The targets at which Sustained Fire is offered."""
    found = shots(position(*units, **head), by)
    return [shot.removeprefix("sustained ") for shot in found if shot.startswith("sustained")]


@pytest.mark.rule("ost", "18.1", "63.4")
def test_it_belongs_to_crewed_machine_guns_whose_card_says_so() -> None:
    for kind in KINDS.values():
        if kind.nation == "american" and (kind.foot or kind.vehicle):
            offered = pairs(f"a1 {kind.id} D4 f=4", "g1 ger_rifle D5", by="a1")
            assert (offered == ["g1 g1"]) == kind.sustained_fire, kind.id
            assert not kind.sustained_fire or kind.class_ in ("hmg", "mmg")
    assert pairs("a1 us_mmg D4", "g1 ger_rifle D5", by="a1")


@pytest.mark.rule("ost", "18.2", "18.3")
def test_it_is_declared_instead_of_normal_fire() -> None:
    session = position(HMG, "a1 us_rifle D6", dice=NOTHING)
    assert shots(session, "g1") == ["a1 own", "sustained a1 a1"]
    answer(session, "fire g1", "at a1 own")
    assert attacks(session) == [Attack("ICT", "a1", 7, 4, 0)]
    assert unit(session, "g1").status == ON_MAP  # a pair of ones is nothing to normal fire


@pytest.mark.rule("ost", "18.4")
def test_lmgs_and_the_machine_guns_of_vehicles_cannot() -> None:
    session = position("g1 ger_rifle D4 with=ger_lmg", "g2 ger_pz4h E5", "a1 us_rifle D6")
    assert not any("sustained" in shot for shot in [*shots(session, "g1"), *shots(session, "g2")])


@pytest.mark.rule("ost", "18.5", "92.7")
def test_a_fire_group_makes_one_attack() -> None:
    units = (HMG, "g2 ger_sgt - attached=g1", "g3 ger_rifle E4", "a1 us_rifle D6")
    session = position(*units, dice=QUIET)
    answer(session, "fire_group g1 g3")
    assert keys(session) == ["at a1"]
    answer(session, "at a1")
    assert dice_thrown(session) == ["ICT attack a1"] and all_thrown(session)


@pytest.mark.rule("ost", "18.6")
def test_its_targets_are_one_unit_twice_or_two_in_the_same_or_adjoining_hexes() -> None:
    stack = pairs(HMG, "a1 us_rifle D6", "a2 us_rifle D6")
    assert stack == ["a1 a1", "a1 a2", "a2 a1", "a2 a2"]
    adjoining = pairs(HMG, "a1 us_rifle D6", "a2 us_rifle E7")
    assert adjoining == stack
    apart = pairs(HMG, "a1 us_rifle D6", "a2 us_rifle D8")
    assert apart == ["a1 a1", "a2 a2"]


@pytest.mark.rule("ost", "18.6")
def test_both_targets_must_be_in_sight() -> None:
    units = (HMG, "a1 us_rifle D6", "a2 us_rifle E7")
    assert "a1 a2" in pairs(*units)
    assert pairs(*units, terrain={"woods": "E5, E6"}) == ["a1 a1"]


@pytest.mark.rule("ost", "18.6", "18.7", "18.10", "18.11", "88.8")
def test_two_attacks_with_their_own_dice_for_one_point_and_one_fire_action() -> None:
    session = sustained(HMG, "a1 us_rifle D6", "a2 us_mmg E7", at="a1 a2", terrain={"woods": "E7"}, dice=QUIET * 2)
    assert attacks(session) == [Attack("ICT", "a1", 7, 4, 0), Attack("ICT", "a2", 7, 6, 0)]
    assert (unit(session, "g1").fired, state(session).points["german"]) == (1, 4)
    assert [event.marker for event in happened(session, turn_events.Marked)] == ["Fired"]
    assert session.ask is not None and session.ask.side == "american"  # both in the same Impulse


@pytest.mark.rule("ost", "18.11", "88.9", "74.5")
def test_it_may_be_used_in_both_fire_actions_but_is_no_intensive_fire() -> None:
    session = position(HMG, "a1 us_rifle D6", points={"american": 0}, dice=QUIET * 4)
    answer(session, "fire g1", "sustained a1 a1", "fire g1", "sustained a1 a1")
    assert [event.marker for event in happened(session, turn_events.Marked)] == ["Fired", "Used"]
    assert shots(session, "g1") == ["a1 own"]


@pytest.mark.rule("ost", "18.8")
def test_the_second_target_stays_the_second_target() -> None:
    units = (HMG, "a1 us_rifle D6", "a2 us_rifle D6", "a3 us_rifle E7")
    session = sustained(*units, at="a1 a2", dice=(*dice_for("X", 3), *QUIET))
    assert unit(session, "a1").status == LOST
    assert [attack.target for attack in attacks(session)] == ["a1", "a2"]  # nothing was asked in between


@pytest.mark.rule("ost", "18.9", "18.8")
def test_the_second_attack_on_a_destroyed_target_is_lost() -> None:
    session = sustained(HMG, "a1 us_rifle D6", "a2 us_rifle D6", at="a1 a1", dice=dice_for("X", 3))
    assert dice_thrown(session) == ["ICT attack a1"]
    assert unit(session, "g1").fired == 1


@pytest.mark.rule("ost", "18.7", "18.10")
def test_the_second_attack_meets_what_the_first_left() -> None:
    session = sustained(HMG, "a1 us_rifle D6", dice=(*dice_for("C", 3), *dice_for("C", 4)), at="a1 a1")
    assert attacks(session) == [Attack("ICT", "a1", 7, 4, 0), Attack("ICT", "a1", 7, 3, 0)]
    assert unit(session, "a1").status == LOST and state(session).casualties["german"] == 2


@pytest.mark.rule("ost", "18.6", "21.12", "21.15")
def test_soft_vehicles_and_exposed_crews_are_targets_too() -> None:
    session = sustained(HMG, "a1 us_truck D6", "a2 us_m18 D6", at="a1 a2:crew", dice=QUIET * 2)
    assert attacks(session) == [Attack("VCT", "a1", 3, 2, 0), Attack("ICT", "a2", 3, 5, 0)]


# ---- Ammo Out (18.12) -------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "18.12")
@pytest.mark.parametrize("dice", [(1, 1), (*QUIET, 1, 1)])
def test_a_natural_pair_of_ones_in_either_attack_ends_the_gun(dice: tuple[int, ...]) -> None:
    session = sustained(HMG, "a1 us_rifle D6", dice=dice)
    (event,) = happened(session, combat_events.AmmoOut)
    squad = unit(session, event.squad)
    assert unit(session, "g1").status == LOST and battle(session).at["D4"] == [squad]
    assert (squad.kind, squad.reduced, squad.hex, squad.side) == ("ger_rifle", True, "D4", "german")
    assert state(session).casualties == {"german": 0, "american": 0}
    assert len(attacks(session)) == len(dice) // 2


@pytest.mark.rule("ost", "18.12", "18.7")
def test_the_log_tells_the_result_of_each_attack_and_when_it_was_the_last() -> None:
    session = sustained(HMG, "a1 us_rifle D6", dice=(*QUIET, 1, 1))
    said = [line.text for line in session.view("american").log if line.text.startswith("ICT attack")]
    assert [text.partition("→ ")[2] for text in said] == ["no result", "ammo out"]


@pytest.mark.rule("ost", "18.12")
def test_modifiers_make_no_pair_of_ones_and_unmake_none() -> None:
    led = sustained(HMG, "g2 ger_sgt - attached=g1", "a1 us_rifle D6", dice=(1, 1))
    assert lines(tally(led, "attack roll")) == {"attached_leader": 1}
    (event,) = happened(led, combat_events.AmmoOut)
    assert unit(led, "g2").attached == event.squad
    moved = sustained(f"{HMG} moved", "a1 us_rifle D6", dice=QUIET * 2)  # 3 - 1 = 2
    assert not happened(moved, combat_events.AmmoOut)


@pytest.mark.rule("ost", "18.12")
@pytest.mark.parametrize("strength", ["", "reduced"])
def test_the_squad_is_a_reduced_one_whatever_the_gun_was_and_keeps_its_marks(strength: str) -> None:
    session = sustained(f"{HMG} moved shaken {strength}", "a1 us_rifle D6", FAR, dice=(1, 1))
    squad = unit(session, happened(session, combat_events.AmmoOut)[0].squad)
    assert squad.reduced and squad.morale == SHAKEN
    assert squad.moved and squad.fired == 1  # it is Used


@pytest.mark.rule("ost", "18.12")
def test_the_attack_itself_still_counts() -> None:
    # an ambush on a Crew in wire in a marsh: 8 - 0 = +8, and 2 + 1 = 3 is a B
    place: dict[str, Any] = {"terrain": {"marsh": "D6"}, "works": ["wire D6"]}
    session = sustained(f"{HMG} hidden", "a1 us_crew D6", **place, dice=(1, 1, *FAIL))
    assert unit(session, "a1").morale == BROKEN
    assert happened(session, combat_events.AmmoOut)


@pytest.mark.rule("ost", "18.12")
def test_it_happens_on_the_vehicle_table_too() -> None:
    assert happened(sustained(HMG, "a1 us_truck D6", dice=(1, 1)), combat_events.AmmoOut)


@pytest.mark.rule("ost", "18.12")
@pytest.mark.parametrize(
    ("gun", "squad"),
    [
        ("a1 us_hmg", "us_rifle"),
        ("a1 us_ab_mmg", "us_rifle"),  # the Airborne have no plain Rifle squad
        ("a1 sov_hmg_maxim", "sov_rifle"),
        ("a1 cw_mmg", "cw_rifle"),
        ("a1 ger_hmg42 side=american manned_by=us_engineer captured", "us_rifle"),
    ],
)
def test_the_squad_is_of_the_nation_that_fired(gun: str, squad: str) -> None:
    words = gun.split()
    session = sustained(" ".join([*words[:2], "D4", *words[2:]]), "g1 ger_rifle D6", by="a1", at="g1 g1", dice=(1, 1))
    assert unit(session, happened(session, combat_events.AmmoOut)[0].squad).kind == squad


@pytest.mark.rule("ost", "18.12", "18.3")
def test_intensive_fire_with_a_machine_gun_is_normal_fire() -> None:
    session = position(f"{HMG} used", "a1 us_rifle D6", dice=(1, 1))
    answer(session, "fire g1", "at a1 own")
    assert not happened(session, combat_events.AmmoOut) and rolled(session)[0].meaning == ""


@pytest.mark.rule("ost", "18.7", "73.9")
def test_only_the_first_attack_from_hiding_is_an_ambush() -> None:
    session = sustained(f"{HMG} hidden", "a1 us_rifle D6", dice=QUIET * 2)
    assert [(attack.firepower, attack.roll) for attack in attacks(session)] == [(8, 1), (7, 0)]
    assert not unit(session, "g1").hidden


@pytest.mark.rule("ost", "18.2", "18.7")
def test_the_log_tells_of_sustained_fire() -> None:
    session = sustained(HMG, "a1 us_rifle D6", dice=QUIET * 2)
    declared = happened(session, turn_events.Declared)
    assert [(event.what, event.rules) for event in declared] == [("uses Sustained Fire at", ("18.2", "18.7"))] * 2
