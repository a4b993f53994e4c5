"""Fire Groups (92, 59.5, 14.3): two units and a Leader make one attack."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import turn_events
from tests.games.ost.helpers import answer, happened, keys, lines, position, rolled, state, tally, unit

rule = pytest.mark.rule

GROUP = ("g1 ger_rifle D3 with=ger_lmg", "g2 ger_sgt - attached=g1", "g3 ger_rifle D3")
TARGET = "a1 us_rifle D5"


def grouped(
    *units: str, key: str = "fire_group g1 g3", at: str = "a1", arms: tuple[str, ...] = (), **kw: Any
) -> Session:
    session = position(*(units or (*GROUP, TARGET)), dice=kw.pop("dice", (1, 1, 6, 6, 6, 6)), **kw)
    answer(session, key, f"at {at}", *arms)
    return session


def offered(*units: str, **kw: Any) -> list[str]:
    return keys(position(*units, **kw), "fire_group")


@rule("ost", "92.1", "92.3", "92.4", "7.0")
def test_a_group_sums_its_firepower_for_two_points() -> None:
    session = grouped(arms=("with own+w1",))
    assert tally(session, "Firepower").total == 4 + 2 + 4 and len(rolled(session, "ICT attack")) == 1
    assert state(session).points["german"] == 3
    assert (unit(session, "g1").fired, unit(session, "g3").fired) == (1, 1)
    declared = happened(session, turn_events.Declared)
    assert [(event.side, event.unit, event.target, event.rules) for event in declared] == [
        ("german", "g1", "a1", ("92.3",))
    ]


@rule("ost", "92.4")
def test_with_one_point_left_there_is_no_group() -> None:
    assert offered(*GROUP, TARGET, points={"german": 1, "american": 1}) == []
    assert offered(*GROUP, TARGET, points={"german": 2, "american": 1}) == ["fire_group g1 g3"]


@rule("ost", "92.2", "80.2")
def test_a_group_needs_an_attached_leader_in_good_order() -> None:
    assert offered(*GROUP, TARGET) == ["fire_group g1 g3"]
    assert offered(GROUP[0], "g2 ger_sgt D3", GROUP[2], TARGET) == []
    assert offered(GROUP[0], "g2 ger_sgt - attached=g1 shaken", GROUP[2], TARGET) == []


@rule("ost", "92.5")
def test_members_are_in_the_same_or_adjacent_hexes_and_each_sees_the_target() -> None:
    assert offered(*GROUP[:2], "g3 ger_rifle E4", TARGET) == ["fire_group g1 g3"]
    assert offered(*GROUP[:2], "g3 ger_rifle F3", TARGET) == []
    assert offered(*GROUP[:2], "g3 ger_rifle C3", TARGET, terrain={"woods": "C4, D4"}) == []
    assert offered(*GROUP[:2], "g3 ger_assault D2", "a1 us_rifle D7") == []  # out of the assault squad's range


@rule("ost", "92.6", "12.1")
def test_crewed_weapons_may_take_part_but_vehicles_and_snipers_may_not() -> None:
    assert offered(*GROUP[:2], "g3 ger_hmg42 D3", TARGET) == ["fire_group g1 g3"]
    assert offered(*GROUP[:2], "g3 ger_pz4h D3", TARGET) == []
    assert offered(*GROUP[:2], "g3 ger_sniper E4", TARGET) == []


@rule("ost", "88.5", "88.6")
def test_a_group_fires_at_a_leader_only_when_he_is_seen_alone() -> None:
    assert offered(*GROUP, "a1 us_sgt D5") == ["fire_group g1 g3"]
    assert offered(*GROUP, "a1 us_sgt D5", "a2 us_m4a1 D5") == []
    assert offered(*GROUP, "a1 us_sgt D5", "a2 us_rifle D5 hidden") == ["fire_group g1 g3"]


@rule("ost", "92.7", "18.5")
def test_there_is_no_sustained_fire_in_a_group() -> None:
    session = position(*GROUP[:2], "g3 ger_hmg42 D3", TARGET, "a2 us_rifle D5")
    answer(session, "fire_group g1 g3")
    assert keys(session) == ["at a1", "at a2"]


@rule("ost", "92.8")
def test_grouped_guns_do_not_attack_vehicles() -> None:
    guns = ("g1 ger_pak40 D3 f=4", "g2 ger_sgt - attached=g1", "g3 ger_pak38 D3 f=4")
    assert offered(*guns, "a1 us_m4a1 D5") == [] and offered(*guns, "a1 us_truck D5") == []
    assert offered(*guns, "a1 us_rifle D5") == ["fire_group g1 g3"]
    assert offered(*GROUP, "a1 us_truck D5") == ["fire_group g1 g3"]  # small arms at a soft vehicle


@rule("ost", "92.3", "21.14", "21.15")
def test_a_group_fires_its_small_arms_at_a_truck_in_one_attack() -> None:
    session = grouped(*GROUP, "a1 us_truck D5 f=1", arms=("with own",), dice=(5, 5, 4, 1))
    (shot,) = rolled(session, "VCT attack")
    assert shot.unit == "a1" and "92.3" in shot.rules
    firepower, defense, roll = shot.tallies
    assert firepower.total == 4 and lines(firepower)["group"] == 4, "each member is halved"
    assert (defense.total, lines(roll)) == (2, {"attached_leader": 1})
    assert unit(session, "a1").status == "lost", "it is not only offered"
    assert (unit(session, "g1").fired, unit(session, "g3").fired) == (1, 1)


@rule("ost", "76.2", "76.3", "92.3", "21.12", "21.16")
def test_a_group_at_a_vehicle_counts_its_front_only_if_all_are_before_it() -> None:
    """And the exposed crew of an open top is attacked on the ICT."""
    across = ("g1 ger_rifle D3", "g2 ger_sgt - attached=g1", "g3 ger_rifle E4")
    front = grouped(*across, "a1 us_m3a1ht D5 f=1", at="a1:crew")
    assert rolled(front, "ICT attack")[0].unit == "a1" and tally(front, "Defense").total == 5
    other = ("g1 ger_rifle E4", "g2 ger_sgt - attached=g1", "g3 ger_rifle D3")
    for facing in range(1, 7):
        for group in (across, other):
            side = "76.2" if facing in (1, 2) else "76.3"
            assert tally(grouped(*group, f"a1 us_truck D5 f={facing}"), "Defense").rule == side


@rule("ost", "92.9")
def test_one_member_that_moved_makes_it_moving_fire() -> None:
    session = grouped(*GROUP[:2], "g3 ger_rifle D3 moved", TARGET, arms=("with own",))
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1, "moving_fire": -1}


@rule("ost", "92.10", "92.11", "59.5")
def test_shared_degrading_terrain_counts_once_and_different_terrain_adds_up() -> None:
    """E-36, E-37."""
    target = "a1 us_rifle D6"
    same = grouped(*GROUP, target, terrain={"brush": "D4"}, arms=("with own",))
    assert lines(tally(same, "Firepower")) == {"group": 4, "degraded_los": -1}
    apart = grouped(
        *GROUP[:2],
        "g3 ger_rifle C4",
        target,
        terrain={"brush": "D4"},
        hexsides={"hedge": "C5|D5"},
        arms=("with own",),
    )
    assert lines(tally(apart, "Firepower")) == {"group": 4, "degraded_los": -2}


@rule("ost", "92.11", "59.2")
def test_more_than_two_degrading_places_forbid_the_shot() -> None:
    units = (*GROUP[:2], "g3 ger_rifle C4", "a1 us_rifle D6")
    country: dict[str, Any] = {"terrain": {"brush": "D4, C5"}, "hexsides": {"hedge": "D4|D5"}}
    session = position(*units, **country)
    assert keys(session, "fire") == ["fire g1", "fire g3"]  # each alone has no more than two
    assert keys(session, "fire_group") == []


@rule("ost", "14.3", "14.1")
def test_a_leader_of_another_branch_leads_but_gives_no_bonus_unless_one_member_is_of_his() -> None:
    foreign = ("g1 ger_rifle D3", "g2 ger_ss_sgt - attached=g1", "g3 ger_rifle D3", TARGET)
    assert lines(tally(grouped(*foreign), "attack roll")) == {}
    mixed = ("g1 ger_rifle D3", "g2 ger_ss_sgt - attached=g1", "g3 ger_ss D3", TARGET)
    assert lines(tally(grouped(*mixed), "attack roll")) == {"attached_leader": 1}


@rule("ost", "15.11", "15.9")
def test_two_leaders_still_add_one() -> None:
    units = ("g1 ger_rifle D3", "g2 ger_sgt - attached=g1", "g3 ger_rifle D3", "g4 ger_lt - attached=g3", TARGET)
    assert lines(tally(grouped(*units), "attack roll")) == {"attached_leader": 1}


@rule("ost", "68.3", "92.3")
def test_each_member_is_halved_for_itself() -> None:
    session = grouped("g1 ger_rifle D3 shaken", "g2 ger_sgt - attached=g1", "g3 ger_rifle D3 reduced", TARGET)
    assert tally(session, "Firepower").total == 2 + 2


@rule("ost", "73.9")
def test_an_ambush_by_a_group_needs_both_hidden() -> None:
    both = grouped("g1 ger_rifle D3 hidden", "g2 ger_sgt - attached=g1 hidden", "g3 ger_rifle D3 hidden", TARGET)
    assert lines(tally(both, "attack roll")) == {"attached_leader": 1, "ambush_roll": 1}
    one = grouped("g1 ger_rifle D3 hidden", "g2 ger_sgt - attached=g1 hidden", "g3 ger_rifle E4", TARGET)
    assert "ambush_roll" not in lines(tally(one, "attack roll")) and not unit(one, "g1").hidden


@rule("ost", "110.1", "110.2", "110.3", "92.6")
def test_a_heavy_gun_in_a_group_threatens_the_building_too() -> None:
    """Z-7: the collapse roll follows the attack of the group, with the gun named as its cause."""
    session = grouped(
        "g1 ger_rifle D3",
        "g2 ger_sgt - attached=g1",
        "g3 ger_sig33 D3 f=4",
        TARGET,
        buildings=["light_structure D5"],
        dice=(1, 1, 5, 6, 6, 1, 1),
    )
    (roll,) = rolled(session, "collapse")
    assert roll.rules == ("110.5", "110.1") and tally(session, "collapse roll").source == "150mm sIG 33"
    assert state(session).rubble == ["D5"] and len(rolled(session, "ICT attack")) == 2


@rule("ost", "110.1")
def test_a_group_without_heavy_weapons_rolls_for_no_collapse() -> None:
    session = grouped(buildings=["light_structure D5"], arms=("with own",))
    assert rolled(session, "collapse") == []


@rule("ost", "92.1", "92.3", "68.3", "20.3")
def test_the_tally_of_a_group_tells_what_each_member_brings() -> None:
    session = grouped(
        "g1 ger_rifle D3",
        "g2 ger_sgt - attached=g1",
        "g3 ger_rifle D3 shaken with=ger_lmg",
        TARGET,
        arms=("with own+w1",),
    )
    found = [(line.id, line.amount, line.rule) for line in tally(session, "Firepower").lines]
    assert found == [("group", 4, "92.3"), ("support_weapon", 2, "20.3"), ("shaken_fp", -3, "68.3")]
