"""Leaving a Melee hex (68.5, 68.8, 102.21-102.28), with its destroyed, its abandoned and its minefields."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.ost import retreats
from grognard.games.ost.combat_events import Abandoned, Eliminated, Retreated, Wrecked
from grognard.games.ost.move_events import Detached, RollingCover

from .fray import AROUND, HEX, Fray, unit

NOTHING = "1 1 "
WALLED_IN = {"terrain": {"river": ", ".join(AROUND)}}


def river(*but: str) -> dict[str, Any]:
    """A map on which only some of the hexes around the Melee can be entered."""
    return {"terrain": {"river": ", ".join(hex for hex in AROUND if hex not in but)}}


# ---- who must go (102.21-102.25, C-7) ------------------------------------------------------------------------


@pytest.mark.rule("ost", "68.5", "102.22", "102.21")
def test_the_shaken_retreat_before_a_good_order_enemy_to_a_hex_of_their_owners_choice() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1", morale="shaken"), dice=NOTHING * 2)
    fray.fight("retreat g1 C4")
    assert fray.asks[0].side == "german"
    assert {option.place for option in fray.asks[0].options} == set(AROUND)
    assert (fray.where("a1"), fray.where("g1"), fray.morale("g1")) == (HEX, "C4", "shaken")
    assert fray.rules(Retreated) == {"102.22", "68.5"}
    assert fray.battle.state.melees == {}


@pytest.mark.rule("ost", "68.8", "102.22")
def test_the_broken_retreat_and_stay_broken() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1", morale="broken"), dice=NOTHING).fight("retreat g1 D5")
    assert (fray.where("g1"), fray.morale("g1")) == ("D5", "broken")
    assert fray.rules(Retreated) == {"102.22", "68.8"}


@pytest.mark.rule("ost", "68.5", "102.22")
def test_a_unit_shaken_by_the_combat_itself_retreats() -> None:
    # column +2: a 6 Shakes, the Gut Check of 5 fails
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1"), dice="3 3 1 1 2 3").fight("retreat g1 D5")
    assert fray.morale("g1") == "shaken"
    assert fray.where("g1") == "D5"


@pytest.mark.rule("ost", "102.22", "65.6", "68.8")
def test_nobody_retreats_when_the_enemy_is_gone() -> None:
    fray = Fray(
        unit("us_rifle", "a1", morale="shaken"),
        unit("ger_rifle", "g1", reduced=True),
        dice="6 6 1 1",
        control={HEX: {"owner": "german"}},
    ).fight()
    assert fray.where("g1") == "lost"
    assert fray.where("a1") == HEX and fray.morale("a1") == "shaken"
    assert fray.battle.state.melees == {} and fray.battle.state.control[HEX] == "american"


@pytest.mark.rule("ost", "102.23")
@pytest.mark.parametrize(("initiator", "leaves"), [("american", "a1"), ("german", "g1")])
def test_only_the_initiator_retreats_when_nobody_is_in_good_order(initiator: str, leaves: str) -> None:
    fray = Fray(
        unit("us_rifle", "a1", morale="shaken"),
        unit("ger_rifle", "g1", morale="broken"),
        dice=NOTHING,
        initiator=initiator,
    ).fight(f"retreat {leaves} D5")
    assert fray.retreats() == {leaves: "D5"}
    assert fray.rules(Retreated) == {"102.23"}


@pytest.mark.rule("ost", "102.22", "102.23")
def test_shaken_units_stay_beside_a_good_order_friend_when_no_enemy_is_in_good_order() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2", morale="shaken"),
        unit("ger_rifle", "g1", morale="shaken"),
        dice=NOTHING * 3,
    ).fight("all", "retreat g1 D5")
    assert fray.retreats() == {"g1": "D5"}
    assert fray.where("a2") == HEX


@pytest.mark.rule("ost", "102.22")
def test_both_sides_retreat_the_initiator_first() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2", morale="shaken"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2", morale="broken"),
        dice=NOTHING * 4,
    ).fight("retreat a2 D3", "retreat g2 D5")
    assert [ask.side for ask in fray.asks] == ["american", "german"]
    assert HEX in fray.battle.state.melees


@pytest.mark.rule("ost", "102.24")
@pytest.mark.parametrize("enemy", ["good order", "shaken"])
def test_trucks_retreat_only_before_a_good_order_enemy(enemy: str) -> None:
    fray = Fray(unit("us_rifle", "a1", morale=enemy), unit("ger_truck", "g1"), dice=NOTHING, initiator="german")
    if enemy == "good order":
        fray.fight("retreat g1 D5")
        assert fray.rules(Retreated) == {"102.24"}
    else:
        fray.fight("retreat a1 D3")
        assert fray.where("g1") == HEX


@pytest.mark.rule("ost", "102.25")
def test_lone_leaders_retreat_and_attached_ones_stay() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_sgt", "g2", attached="g1"),
        unit("ger_lt", "g3"),
        dice=NOTHING * 5,
    ).fight("retreat g3 D5")
    assert fray.retreats() == {"g3": "D5"}
    assert fray.rules(Retreated) == {"102.25"}


@pytest.mark.rule("ost", "102.25", "102.19")
def test_a_leader_who_lost_his_squad_retreats() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_rifle", "g1", reduced=True),
        unit("ger_sgt", "g2", attached="g1"),
        dice="6 6 1 1 1 1",
    ).fight("retreat g2 E5")
    assert (fray.where("g1"), fray.where("g2")) == ("lost", "E5")


@pytest.mark.rule("ost", "102.22", "15.7")
def test_a_leader_goes_with_his_unit() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_rifle", "g1", morale="shaken"),
        unit("ger_sgt", "g2", attached="g1"),
        dice=NOTHING * 3,
    ).fight("retreat g1 C5")
    assert (fray.where("g1"), fray.where("g2"), fray["g2"].attached) == ("C5", "C5", "g1")


@pytest.mark.rule("ost", "102.22", "68.5")
def test_a_shaken_leader_leaves_a_unit_that_stays() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_rifle", "g1"),
        unit("ger_sgt", "g2", attached="g1", morale="shaken"),
        dice=NOTHING * 3,
    ).fight("retreat g2 C5")
    assert (fray.where("g1"), fray.where("g2"), fray["g2"].attached) == (HEX, "C5", "")
    assert fray.events(Detached)


@pytest.mark.rule("ost", "102.22")
def test_an_armor_leader_does_not_hold_the_hex_for_a_broken_tank() -> None:
    fray = Fray(
        unit("us_rifle", "a1", morale="shaken"),
        unit("ger_pz4h", "g1", morale="broken"),
        unit("ger_arm_lt", "g2", attached="g1"),
        dice=NOTHING,
    ).fight("retreat a1 D3")
    assert fray.where("g1") == HEX


# ---- where to (68.5, 102.26, C-8) ----------------------------------------------------------------------------


def retreating(kind: str, *others: dict[str, Any], **more: Any) -> Fray:
    """A Shaken German about to retreat before an American squad."""
    return Fray(unit("us_rifle", "a1"), unit(kind, "g1", morale="shaken"), *others, **more)


@pytest.mark.rule("ost", "68.5", "102.26")
def test_a_hex_with_enemies_is_not_open() -> None:
    fray = retreating("ger_rifle", unit("us_lt", "a2", "D5"))
    assert retreats.bar_hex(fray.battle, fray["g1"], "D5") is retreats.ENEMY_THERE
    assert "D5" not in retreats.open_hexes(fray.battle, fray["g1"])


@pytest.mark.rule("ost", "102.22", "72.4")
def test_a_full_hex_is_not_open() -> None:
    fray = retreating("ger_rifle", unit("ger_rifle", "g2", "D5"), unit("ger_rifle", "g3", "D5"))
    assert "D5" not in retreats.open_hexes(fray.battle, fray["g1"])
    leaders = retreating(
        "ger_rifle",
        unit("ger_sgt", "g2", attached="g1"),
        unit("ger_lt", "g3", "D5"),
        unit("ger_cpt", "g4", "D5"),
    )
    assert "D5" not in retreats.open_hexes(leaders.battle, leaders["g1"])


@pytest.mark.rule("ost", "102.26")
def test_terrain_the_unit_may_not_enter_is_not_open() -> None:
    map = {"terrain": {"woods": "D5", "river": "C5"}}
    truck, squad = retreating("ger_truck", map=map), retreating("ger_rifle", map=map)
    assert not {"D5", "C5"} & set(retreats.open_hexes(truck.battle, truck["g1"]))
    assert "D5" in retreats.open_hexes(squad.battle, squad["g1"])
    assert "C5" not in retreats.open_hexes(squad.battle, squad["g1"])


@pytest.mark.rule("ost", "79.10", "102.26")
def test_a_gun_moved_by_transport_only_cannot_retreat() -> None:
    fray = retreating("ger_flak36", dice=NOTHING * 2).fight()
    assert fray.where("g1") == "lost"


@pytest.mark.rule("ost", "68.5")
def test_the_only_open_hex_is_taken_without_asking() -> None:
    fray = retreating("ger_rifle", dice=NOTHING * 2, map=river("C4")).fight()
    assert fray.asks == []
    assert fray.where("g1") == "C4"


@pytest.mark.rule("ost", "68.5", "73.8")
def test_hidden_enemies_are_found_by_running_into_them() -> None:
    fray = retreating("ger_rifle", unit("us_rifle", "a2", "C4", hidden=True), dice=NOTHING * 2, map=river("C4", "C5"))
    fray.fight("retreat g1 C4")
    assert not fray["a2"].hidden
    assert fray.where("g1") == "C5"


@pytest.mark.rule("ost", "68.5", "73.8", "102.26")
def test_with_hidden_enemies_on_the_only_way_out_the_unit_is_destroyed() -> None:
    fray = retreating("ger_rifle", unit("us_rifle", "a2", "C4", hidden=True), dice=NOTHING * 2, map=river("C4")).fight()
    assert fray.where("g1") == "lost"


# ---- what becomes of them (102.26-102.28) --------------------------------------------------------------------


@pytest.mark.rule("ost", "102.26", "68.5", "102.20")
def test_a_unit_without_a_hex_to_go_to_is_destroyed() -> None:
    fray = retreating("ger_rifle", dice=NOTHING * 2, map=WALLED_IN).fight()
    assert fray.where("g1") == "lost"
    assert "102.26" in fray.rules(Eliminated)
    assert fray.battle.state.casualties["american"] == 2


@pytest.mark.rule("ost", "102.26", "102.27", "68.8")
def test_a_vehicle_without_a_hex_to_go_to_is_destroyed_with_its_crew() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_pz4h", "g1", morale="broken"), dice=NOTHING, map=WALLED_IN).fight()
    assert fray.where("g1") == "lost"
    assert fray.battle.state.casualties["american"] == 2
    assert not fray.rolls("crew survival")


@pytest.mark.rule("ost", "102.26", "102.29")
def test_a_crewed_weapon_that_cannot_retreat_leaves_no_gun() -> None:
    fray = retreating("ger_hmg42", dice=NOTHING * 2, map=WALLED_IN).fight()
    assert fray.where("g1") == "lost"


@pytest.mark.rule("ost", "102.26", "102.25")
def test_the_leader_of_a_unit_that_could_not_retreat_may_still_find_room() -> None:
    fray = retreating(
        "ger_rifle",
        unit("ger_sgt", "g2", attached="g1"),
        unit("ger_rifle", "g3", "C4"),
        unit("ger_rifle", "g4", "C4"),
        dice=NOTHING * 3,
        map=river("C4"),
    ).fight()
    assert (fray.where("g1"), fray.where("g2")) == ("lost", "C4")


@pytest.mark.rule("ost", "102.28")
@pytest.mark.parametrize("marker", ["immobilized", "bogged"])
def test_a_vehicle_that_cannot_move_is_abandoned(marker: str) -> None:
    fray = retreating("ger_pz4h", dice=NOTHING * 2)
    setattr(fray["g1"], marker, True)
    fray.fight()
    assert fray.where("g1") == "lost"
    assert "102.28" in fray.rules(Abandoned)
    assert fray.events(Wrecked) and fray.battle.state.casualties["american"] == 1


@pytest.mark.rule("ost", "102.28", "79.21")
def test_the_passenger_of_an_abandoned_vehicle_is_set_down_and_fights_on() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_sdkfz251", "g1", morale="shaken", immobilized=True),
        unit("ger_rifle", "g2", aboard="g1"),
        dice=NOTHING * 5,  # three attacks, collateral damage of the combat and of the loss
    ).fight()
    assert (fray.where("g1"), fray.where("g2"), fray["g2"].aboard) == ("lost", HEX, "")
    assert HEX in fray.battle.state.melees


@pytest.mark.rule("ost", "102.22", "27.2")
def test_mines_act_on_a_unit_that_retreats_into_them() -> None:
    # 5 Firepower against Defense 4: a 9 on the +1 column reduces it
    fray = retreating(
        "ger_rifle", dice=NOTHING * 2 + "4 5", map=river("C4"), mines=[{"hex": "C4", "side": "american"}]
    ).fight()
    assert fray.where("g1") == "C4"
    assert fray["g1"].reduced


@pytest.mark.rule("ost", "102.22")
def test_cover_goes_with_the_last_of_its_owners() -> None:
    fray = retreating("ger_rifle", dice=NOTHING * 2, work=[{"kind": "cover", "hex": HEX, "side": "german"}]).fight(
        "retreat g1 D5"
    )
    assert HEX not in fray.battle.state.works


@pytest.mark.rule("ost", "102.22", "81.10")
def test_a_retreat_ends_rolling_cover_and_leaves_the_works() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1", morale="shaken", partner="g2"),
        unit("ger_pz4h", "g2", partner="g1"),
        dice=NOTHING * 4,
    )
    fray["g1"].inside = fray["g1"].on_road = True
    fray.fight("retreat g1 D5")
    assert fray["g1"].partner == fray["g2"].partner == ""
    assert not fray["g1"].inside and not fray["g1"].on_road
    assert fray.events(RollingCover)


@pytest.mark.rule("ost", "102.22", "20.11")
def test_a_squad_takes_one_weapon_along_and_leaves_the_rest() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_rifle", "g1", morale="broken", weapons=["ger_lmg", "ger_panzerfaust"]),
        dice=NOTHING,
    ).fight("retreat g1 D5", "keep w2")
    weapons = fray.battle.state.weapons
    assert (weapons["w1"].unit, weapons["w1"].hex) == ("", HEX)
    assert weapons["w2"].unit == "g1"
