"""Melee: the phase, the combat, the concentrated attack, evasion (101-103, 11.3)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.events import Rolled
from grognard.core.session import Session
from grognard.games.ost import assault, combat_events, melee, morale
from grognard.games.ost.combat_events import MeleeGoesOn, MeleeOver, MeleeSet
from grognard.games.ost.limited_actions import IN_MELEE
from grognard.games.ost.turn_events import Scored

from .fray import AROUND, HEX, Fray, unit
from .helpers import answer, keys, position, rolled
from .helpers import battle as battle_of
from .helpers import state as state_of
from .helpers import unit as unit_of

RIFLES = (unit("us_rifle", "a1"), unit("ger_rifle", "g1"))
NOTHING = "1 1 "  # a roll that does nothing on any column below +8


def example(dice: str = "", **more: Any) -> Fray:
    """The example of 102: Rifle and Sherman against Rifle and Sergeant."""
    return Fray(
        unit("us_rifle", "a1"),
        unit("us_m4a1", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_sgt", "g2", attached="g1"),
        dice=dice,
        **more,
    )


# ---- the worked examples -------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "102.0", "102.9", "102.10", "102.11", "102.12", "102.13", "102.15", "102.17", "102.18")
def test_the_example_of_102_american_attack() -> None:
    fray = example(NOTHING * 4).fight("all")
    first, second = fray.rolls()[:2]
    assert (first.side, first.unit, second.unit) == ("american", "g1", "g2")
    assert fray.column(0) == fray.column(1) == (12, 5, 0)
    assert fray.lines(0, 0) == [
        ("small_arms", 4, "102.9", "a1"),
        ("turret_gun", 4, "102.13", "a2"),
        ("machine_guns", 2, "102.13", "a2"),
        ("melee_fp", 2, "102.17", ""),
    ]
    assert fray.lines(0, 1) == [("unit", 4, "102.10", "g1"), ("single_person", 1, "102.18", "g2")]
    assert [tally.source for tally in first.tallies[:2]] == ["american", "german"], "ours against theirs"


@pytest.mark.rule("ost", "102.0", "102.11", "102.12", "102.15", "102.16", "15.10")
def test_the_example_of_102_german_attack() -> None:
    # 10 and the Leader's 1 make 11: on the -2 column a casualty on the ICT, damage on the VCT
    fray = example(NOTHING * 2 + "5 5 5 5 1").fight("all")
    third, fourth = fray.rolls()[2:]
    assert (third.side, third.unit, fourth.unit) == ("german", "a1", "a2")
    assert fray.column(2) == fray.column(3) == (7, 9, 1)
    assert fray.lines(2, 0) == [
        ("small_arms", 4, "102.9", "g1"),
        ("single_person", 1, "102.18", "g2"),
        ("melee_fp", 2, "102.17", ""),
    ]
    assert fray.lines(2, 1) == [("unit", 4, "102.10", "a1"), ("front", 5, "102.12", "a2")]
    assert fray.lines(2, 2) == [("attached_leader", 1, "15.10", "g2")]
    assert (third.meaning, fourth.meaning) == ("C", "D")
    assert fray["a1"].reduced and fray.where("a2") == HEX


@pytest.mark.rule("ost", "103.6", "103.1", "103.2", "103.4")
def test_the_example_of_103() -> None:
    fray = example(NOTHING * 2 + "3 3").fight("concentrate a1")
    assert len(fray.rolls()) == 3
    assert fray.rolls()[2].unit == "a1"
    assert fray.column(2) == (7, 4, 1)  # +3 on the ICT, where 7 is a casualty
    assert fray.rolls()[2].meaning == "C"


# ---- 101: Melee Phase ----------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "101.1", "102.2")
def test_every_melee_is_fought_once_in_the_order_of_the_initiative_winner() -> None:
    pairs = [
        (unit("us_rifle", f"a{i}", hex), unit("ger_rifle", f"g{i}", hex)) for i, hex in enumerate(("B2", "D4", "F6"))
    ]
    fray = Fray(*[u for pair in pairs for u in pair], dice=NOTHING * 6, melees=("B2", "D4", "F6"))
    fray.fight("melee F6", "melee B2")  # the last is not asked
    assert [ask.side for ask in fray.asks] == ["german", "german"]
    assert all(ask.quiet for ask in fray.asks)
    assert [option.key for option in fray.asks[1].options] == ["melee B2", "melee D4"]
    assert [roll.unit for roll in fray.rolls()] == ["g2", "a2", "g0", "a0", "g1", "a1"]
    assert all(not melee.fought for melee in fray.battle.state.melees.values())


@pytest.mark.rule("ost", "101.1")
def test_the_phase_can_be_entered_afresh_between_two_melees() -> None:
    fray = Fray(
        *RIFLES, unit("us_rifle", "a2", "B2"), unit("ger_rifle", "g2", "B2"), melees=("D4", "B2"), dice=NOTHING * 2
    )
    fray.battle.state.melees["D4"].fought = True
    fray.fight()
    assert {roll.unit for roll in fray.rolls()} == {"a2", "g2"}


@pytest.mark.rule("ost", "101.1", "102.30")
def test_a_melee_with_one_side_left_is_over_without_a_roll() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1"))
    fray.battle.lift(fray["g1"])
    fray["g1"].status = "lost"
    fray.fight()
    assert fray.battle.state.melees == {}
    assert fray.events(MeleeOver)


# a unit next to the Melee, one locked in it, and the Melee itself, seen from an Impulse


def beside_a_melee(*more: str, **head: Any) -> Session:
    return position(
        "a1 us_rifle D4 shaken", "g1 ger_rifle D4", "a2 us_rifle E4", *more, melees=["D4 american"], turn=5, **head
    )


@pytest.mark.rule("ost", "101.2")
def test_a_melee_hex_is_not_fired_into() -> None:
    session = beside_a_melee("g2 ger_rifle F4")
    answer(session, "fire a2")
    assert {option.target for option in session.ask.options if option.target} == {"g2"}  # type: ignore[union-attr]
    assert "fire a2" not in keys(beside_a_melee())


@pytest.mark.rule("ost", "101.3")
def test_units_in_a_melee_are_locked_in() -> None:
    session = beside_a_melee("g2 ger_rifle C4")
    assert not [option.key for option in session.ask.options if option.unit == "a1"]  # type: ignore[union-attr]
    assert [option.key for option in session.ask.options if option.unit == "a2"]  # type: ignore[union-attr]
    assert morale.bar_rally(battle_of(session), unit_of(session, "a1")) is IN_MELEE


@pytest.mark.rule("ost", "101.3")
def test_units_in_a_melee_have_no_free_rally() -> None:
    session = beside_a_melee()
    morale.free_rally(battle_of(session))
    assert unit_of(session, "a1").morale == 1
    assert session.log == []


@pytest.mark.rule("ost", "101.4")
def test_nobody_enters_a_melee_set_this_turn() -> None:
    session = beside_a_melee("g2 ger_rifle E5")
    assert "assault a2 E5" in keys(session)
    assert "assault a2 D4" not in keys(session)
    assert assault.bar_assault(battle_of(session), unit_of(session, "a2"), "D4") is assault.MELEE_SET


@pytest.mark.rule("ost", "101.5")
def test_a_melee_hex_is_not_moved_through() -> None:
    session = beside_a_melee()
    answer(session, "move a2")
    places = {option.place for option in session.ask.options}  # type: ignore[union-attr]
    assert "E5" in places and "D4" not in places


@pytest.mark.rule("ost", "101.5", "58.7")
def test_a_melee_does_not_stand_in_the_line_of_others() -> None:
    session = beside_a_melee("g2 ger_rifle D5", "a3 us_rifle D3")
    answer(session, "fire a3")
    assert "g2" in {option.target for option in session.ask.options}  # type: ignore[union-attr]


@pytest.mark.rule("ost", "102.32", "82.6")
def test_an_unresolved_melee_is_reinforced_in_a_later_turn_and_the_new_units_fight() -> None:
    session = position(
        "a1 us_rifle D4", "g1 ger_rifle D4", "a2 us_rifle E4",
        melees=["D4 german turn=6"], turn=5, points={"american": 1, "german": 0},
        dice=(1, 1) * 3 + (6, 6, 1, 1) + (3, 3) * 2,  # the Melee; Initiative and points of the next turn
    )  # fmt: skip
    answer(session, "assault a2 D4")
    assert session.ask is not None and session.ask.prompt.startswith("Melee in D4")  # the German may concentrate
    answer(session, "all")
    attack = rolled(session, "Melee attack")
    assert {roll.side: roll.tallies[0].total for roll in attack} == {"german": 6, "american": 10}
    assert state_of(session).melees["D4"].initiator == "german"


@pytest.mark.rule("ost", "102.32", "102.7", "72.1")
def test_reinforcements_keep_the_stacking_limit() -> None:
    session = position(
        "a1 us_rifle D4", "a2 us_rifle D4", "g1 ger_rifle D4", "a3 us_rifle E4", melees=["D4 german turn=6"], turn=5
    )
    assert "assault a3 D4" not in keys(session)


@pytest.mark.rule("ost", "11.3", "82.6")
def test_when_everybody_evades_there_is_no_melee() -> None:
    session = position(
        "a1 us_rifle E4", "g1 ger_sgt D4", "g2 ger_rifle A1", turn=5, dice=(5,), control={"D4": "german"}
    )
    answer(session, "assault a1 D4", "evade g1", "evade g1 C4")
    assert state_of(session).melees == {}
    assert unit_of(session, "a1").hex == "D4" and unit_of(session, "g1").hex == "C4"
    assert state_of(session).control["D4"] == "american"


@pytest.mark.rule("ost", "101.1")
def test_undo_and_fork_lead_back_between_melees() -> None:
    session = position(
        "a1 us_rifle D4", "g1 ger_rifle D4", "a2 us_rifle B2", "g2 ger_rifle B2", "a3 us_rifle F6", "g3 ger_rifle F6",
        melees=["D4 american", "B2 german", "F6 german"], phase="melee", initiative="german", dice=(1, 1) * 2,
    )  # fmt: skip
    assert keys(session) == ["melee D4", "melee B2", "melee F6"]
    answer(session, "melee B2")
    assert keys(session) == ["melee D4", "melee F6"]
    assert keys(session.fork()) == ["melee D4", "melee F6"]


# ---- how a Melee begins (11.3, 82.6, 104.2) ------------------------------------------------------------------


@pytest.mark.rule("ost", "82.6", "104.2")
def test_an_assault_sets_a_melee_marker() -> None:
    fray = Fray(*RIFLES, turn=4)
    fray.battle.state.melees.clear()
    melee.set_melee(fray.battle, HEX, "american")
    marker = fray.battle.state.melees[HEX]
    assert (marker.initiator, marker.turn, marker.fought) == ("american", 4, False)
    assert fray.events(MeleeSet)[0].place == HEX
    melee.set_melee(fray.battle, HEX, "german")  # a reinforcement later on does not change who began it
    assert fray.battle.state.melees[HEX].initiator == "american"
    assert len(fray.events(MeleeSet)) == 1


def test_a_melee_shows_units_hidden_in_the_hex() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1", hidden=True), melees=())
    melee.set_melee(fray.battle, HEX, "american")
    assert not fray["g1"].hidden


def evasion(kind: str, dice: str, **more: Any) -> Fray:
    person = unit(kind, "g1")
    return Fray(unit("us_rifle", "a1"), person, dice=dice, **more)


@pytest.mark.rule("ost", "11.3")
@pytest.mark.parametrize("kind", ["ger_sniper", "ger_sgt"])
@pytest.mark.parametrize("face", [5, 6])
def test_a_sniper_or_lone_leader_evades_on_5_and_6(kind: str, face: int) -> None:
    fray = evasion(kind, str(face))
    fray.run(melee.evade(fray.battle, HEX, "american"), "evade g1", "evade g1 C5")
    assert fray.where("g1") == "C5"
    assert {ask.side for ask in fray.asks} == {"german"}
    assert sorted(option.place for option in fray.asks[1].options) == sorted(AROUND)
    assert fray.rules(combat_events.Evaded) == {"11.3"}


@pytest.mark.rule("ost", "11.3")
@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_evasion_fails_on_1_to_4(face: int) -> None:
    fray = evasion("ger_sgt", str(face))
    fray.run(melee.evade(fray.battle, HEX, "american"), "evade g1")
    assert fray.where("g1") == HEX


@pytest.mark.rule("ost", "11.3")
def test_evasion_is_a_choice() -> None:
    fray = evasion("ger_sniper", "")
    fray.run(melee.evade(fray.battle, HEX, "american"), "stand")
    assert fray.where("g1") == HEX


@pytest.mark.rule("ost", "11.3")
def test_others_do_not_evade() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_rifle", "g1"),
        unit("ger_sgt", "g2", attached="g1"),
        unit("ger_truck", "g3"),
        unit("ger_lt", "g4", aboard="g3"),
    )
    fray.run(melee.evade(fray.battle, HEX, "american"))
    assert fray.asks == []


@pytest.mark.rule("ost", "11.3")
def test_evasion_needs_a_hex_without_enemies_that_can_be_entered_and_has_room() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_sniper", "g1"),
        unit("us_rifle", "a2", "D3"),
        unit("ger_rifle", "g2", "E4"),  # a Sniper does not stack
        dice="6",
        map={"terrain": {"river": "E5, D5, C5"}},
    )
    fray.run(melee.evade(fray.battle, HEX, "american"), "evade g1")  # one hex is left: nothing to choose
    assert fray.where("g1") == "C4"


@pytest.mark.rule("ost", "11.3")
def test_nobody_is_asked_to_evade_who_cannot() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_sniper", "g1"), map={"terrain": {"river": ", ".join(AROUND)}})
    fray.run(melee.evade(fray.battle, HEX, "american"))
    assert fray.asks == []


@pytest.mark.rule("ost", "11.3")
def test_an_evader_who_runs_into_hidden_enemies_picks_again() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_sgt", "g1"), unit("us_rifle", "a2", "C5", hidden=True), dice="6")
    fray.run(melee.evade(fray.battle, HEX, "american"), "evade g1", "evade g1 C5", "evade g1 D5")
    assert fray.where("g1") == "D5"
    assert not fray["a2"].hidden
    assert "evade g1 C5" not in [option.key for option in fray.asks[2].options]


# ---- 102: what counts and what does not ----------------------------------------------------------------------


@pytest.mark.rule("ost", "102.3")
def test_terrain_and_works_count_for_nothing() -> None:
    fray = Fray(
        *RIFLES,
        dice=NOTHING * 2,
        map={"terrain": {"woods": HEX}},
        work=[{"kind": "trench", "hex": HEX}],
        smoke={HEX: 1},
        wrecks=HEX,
    ).fight()
    assert fray.column(0) == fray.column(1) == (6, 4, 0)


@pytest.mark.rule("ost", "102.4")
def test_moving_fire_counts_for_nothing() -> None:
    fray = Fray(unit("us_rifle", "a1", moved=True, assaulted=True), unit("ger_rifle", "g1"), dice=NOTHING * 2).fight()
    assert fray.column(0) == (6, 4, 0)


@pytest.mark.rule("ost", "102.5", "68.3")
def test_shaken_units_have_half_firepower_and_minus_1() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_assault", "g1", morale="shaken"), dice=NOTHING * 2).fight(
        "retreat g1 D5"
    )
    assert fray.column(1) == (4, 4, -1)
    assert fray.lines(1, 0) == [
        ("small_arms", 5, "102.9", "g1"),
        ("shaken_fp", -3, "102.5", "g1"),
        ("melee_fp", 2, "102.17", ""),
    ]
    assert fray.lines(1, 2) == [("shaken_in_melee", -1, "102.5", "")]


def mixed(**more: Any) -> Fray:
    return Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2", morale="shaken"),
        dice=NOTHING * 4,
        **more,
    ).fight("retreat g2 D5")


@pytest.mark.rule("ost", "102.5")
def test_the_minus_1_needs_every_fighting_unit_shaken_by_the_ruling() -> None:
    fray = mixed()
    assert fray.column(2) == (4 + 2 + 2, 8, 0)


@pytest.mark.rule("ost", "102.5")
def test_a_scenario_may_let_any_shaken_unit_cost_the_minus_1() -> None:
    assert mixed(options={"melee_shaken": "any"}).column(2) == (8, 8, -1)


@pytest.mark.rule("ost", "102.6", "68.8")
def test_broken_units_do_not_attack_but_their_defense_counts() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1", morale="broken"),
        unit("ger_rifle", "g2"),
        dice=NOTHING * 4,
    ).fight("retreat g1 D5")
    assert fray.column(0) == (10, 8, 0)
    assert fray.column(2) == (6, 8, 0)
    assert fray.lines(2, 0)[0] == ("broken", 0, "102.6", "g1")


@pytest.mark.rule("ost", "102.6", "68.8")
def test_a_side_that_is_wholly_broken_makes_no_roll() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_rifle", "g1", morale="broken"), dice=NOTHING).fight("retreat g1 D5")
    assert [roll.side for roll in fray.rolls()] == ["american"]


@pytest.mark.rule("ost", "102.7", "20.14")
def test_two_units_two_leaders_and_one_weapon_a_squad() -> None:
    fray = Fray(
        unit("us_rifle", "a1", weapons=["us_bar", "us_lmg"]),
        unit("us_rifle", "a2", weapons=["us_bar"]),
        unit("us_lt", "a3", attached="a1"),
        unit("us_sgt", "a4", attached="a2"),
        unit("ger_rifle", "g1"),
        dice=NOTHING * 5 + "6 6",  # on +8 even a 2 Shakes: the check passes
    ).fight("use w2", "use w3", "all")
    keys = [[option.key for option in ask.options] for ask in fray.asks]
    assert keys[:2] == [["none", "use w1", "use w2"], ["none", "use w3"]]
    assert fray.column(0) == (4 + 2 + 4 + 1 + 1 + 1 + 2, 4, 1)
    assert ("support_weapon", 2, "20.3", "w2") in fray.lines(0, 0)
    assert fray.column(1) == (6, 4 + 4 + 1 + 1, 0)


@pytest.mark.rule("ost", "102.8")
def test_both_sides_can_destroy_each_other() -> None:
    fray = Fray(*RIFLES, dice="6 6 6 6", control={HEX: {"owner": "german"}}).fight()
    assert fray.where("a1") == fray.where("g1") == "lost"
    assert fray.battle.state.melees == {}
    assert fray.battle.state.control[HEX] == "german"


@pytest.mark.rule("ost", "102.8")
def test_every_roll_is_made_on_the_state_before_the_combat() -> None:
    # the first American roll reduces the German squad; it still strikes with its full 4
    fray = Fray(*RIFLES, dice="4 4 1 1").fight()
    assert fray["g1"].reduced
    assert fray.column(1) == (6, 4, 0)


@pytest.mark.rule("ost", "102.9")
def test_guns_use_their_he_and_machine_guns_their_firepower() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_pak40", "g1"),
        unit("ger_hmg42", "g2", reduced=True),
        dice=NOTHING * 4,
    ).fight()
    assert fray.lines(2, 0)[:2] == [("high_explosive", 4, "102.9", "g1"), ("small_arms", 4, "102.9", "g2")]
    assert fray.column(0) == (10, 4 + 3, 0)


@pytest.mark.rule("ost", "102.12", "21.18")
def test_vehicles_count_their_front_and_lose_1_with_an_open_top() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_marder3", "g1"), dice=NOTHING * 2).fight()
    assert fray.column(0) == (6, 2, 0)
    assert fray.lines(0, 1) == [("front", 3, "102.12", "g1"), ("open_top", -1, "21.18", "g1")]


@pytest.mark.rule("ost", "102.13")
def test_vehicles_count_only_what_still_works() -> None:
    whole = Fray(unit("us_m3_lee", "a1"), unit("ger_rifle", "g1"), dice=NOTHING * 2).fight()
    assert whole.lines(0, 0)[:3] == [
        ("hull_gun", 4, "102.13", "a1"),
        ("turret_gun", 2, "102.13", "a1"),
        ("machine_guns", 3, "102.13", "a1"),
    ]
    torn = Fray(unit("us_m3_lee", "a1", guns_out=[0], mgs_out=True), unit("ger_rifle", "g1"), dice=NOTHING * 2).fight()
    assert torn.lines(0, 0) == [("turret_gun", 2, "102.13", "a1"), ("melee_fp", 2, "102.17", "")]


@pytest.mark.rule("ost", "102.13")
def test_a_vehicle_without_working_weapons_makes_no_attack() -> None:
    fray = Fray(unit("us_m4a1", "a1", guns_out=[0], mgs_out=True), unit("ger_rifle", "g1"), dice=NOTHING).fight()
    assert [roll.side for roll in fray.rolls()] == ["german"]


@pytest.mark.rule("ost", "102.14", "102.24")
@pytest.mark.parametrize("kind", ["ger_truck", "ger_kubel"])
def test_trucks_add_defense_but_no_firepower(kind: str) -> None:
    fray = Fray(
        unit("us_rifle", "a1"), unit("us_rifle", "a2"), unit("ger_rifle", "g1"), unit(kind, "g2"), dice=NOTHING * 4
    ).fight("retreat g2 D5")
    front = fray.battle.type(fray["g2"]).front
    assert fray.column(0) == (10, 4 + front, 0)
    assert fray.column(2) == (6, 8, 0)
    assert ("truck", 0, "102.14", "g2") in fray.lines(2, 0)


@pytest.mark.rule("ost", "102.14")
def test_a_truck_alone_makes_no_attack() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_truck", "g1"), dice=NOTHING).fight("retreat g1 D5")
    assert [roll.side for roll in fray.rolls()] == ["american"]


@pytest.mark.rule("ost", "102.15", "102.16")
def test_a_roll_for_each_enemy_on_one_column_by_the_table_of_its_kind() -> None:
    # 10 against 4 + 7: on the -1 column a 10 is C on the ICT and D on the VCT; then the damage is minor
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_pz4h", "g2"),
        dice="5 5 5 5 1 1 1 1 1",
    ).fight()
    assert fray.column(0) == fray.column(1) == (10, 11, 0)
    assert [roll.meaning for roll in fray.rolls()] == ["C", "D", "", ""]


@pytest.mark.rule("ost", "102.17")
def test_the_plus_2_counts_once() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2"),
        dice=NOTHING * 4,
    ).fight()
    assert [line[0] for line in fray.lines(0, 0)].count("melee_fp") == 1
    assert fray.column(0) == (10, 8, 0)


@pytest.mark.rule("ost", "12.6", "102.18")
def test_a_sniper_has_1_and_1_and_no_plus_2() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_sniper", "g1"), dice=NOTHING * 2).fight()
    assert fray.column(0) == (6, 1, 0)
    assert fray.column(1) == (1, 4, 0)
    assert fray.lines(1, 0) == [("single_person", 1, "102.18", "g1")]


@pytest.mark.rule("ost", "13.5", "102.18", "102.25")
def test_a_leader_alone_has_1_and_1_no_plus_2_and_no_leader_bonus() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_cpt", "g1"), dice=NOTHING * 2).fight("retreat g1 E4")
    assert fray.column(0) == (6, 1, 0)
    assert fray.column(1) == (1, 4, 0)
    assert fray.where("g1") == "E4"


@pytest.mark.rule("ost", "13.5", "86.4")
def test_a_shaken_leader_alone_still_attacks_with_1() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_cpt", "g1", morale="shaken"), dice=NOTHING * 2).fight("retreat g1 E4")
    assert fray.column(1) == (1, 4, -1)
    assert ("minimum", 1, "86.4", "") in fray.lines(1, 0)


@pytest.mark.rule("ost", "102.19", "91.1")
def test_leaders_are_attacked_themselves_and_make_no_casualty_rolls() -> None:
    # column 6 - 5 = +1: the squad is reduced by a 9, the Sergeant untouched by a 2
    fray = Fray(
        unit("us_rifle", "a1"), unit("ger_rifle", "g1"), unit("ger_sgt", "g2", attached="g1"), dice="4 5 1 1 1 1"
    ).fight()
    assert fray["g1"].reduced and fray.where("g2") == HEX
    assert not fray.rolls("Leader Casualty")
    killed = Fray(
        unit("us_rifle", "a1"), unit("ger_rifle", "g1"), unit("ger_sgt", "g2", attached="g1"), dice="1 1 4 5 1 1"
    ).fight()
    assert killed.where("g2") == "lost" and not killed["g1"].reduced


@pytest.mark.rule("ost", "102.19", "15.12")
def test_a_leader_whose_squad_dies_joins_the_other_one() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_m4a1", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2"),
        unit("ger_sgt", "g3", attached="g1"),
        dice="6 6" + " 1 1" * 4,
    ).fight()
    assert fray.where("g1") == "lost"
    assert fray["g3"].attached == "g2"


@pytest.mark.rule("ost", "102.20")
def test_casualty_points_are_scored_for_what_is_lost() -> None:
    fray = Fray(*RIFLES, dice="6 6 1 1").fight()
    assert fray.where("g1") == "lost"
    assert fray.battle.state.casualties == {"american": 2, "german": 0}
    assert [event.side for event in fray.events(Scored)] == ["american"]


@pytest.mark.rule("ost", "102.21", "102.31", "65.5")
def test_good_order_units_stay_and_the_melee_goes_on() -> None:
    fray = Fray(*RIFLES, dice=NOTHING * 2, control={HEX: {"owner": "german"}}).fight()
    assert fray.where("a1") == fray.where("g1") == HEX
    assert fray.battle.state.melees[HEX].initiator == "american"
    assert not fray.battle.state.melees[HEX].fought
    assert fray.events(MeleeGoesOn) and not fray.events(MeleeOver)
    assert fray.battle.state.control[HEX] == "german"


@pytest.mark.rule("ost", "102.31", "102.2")
def test_an_unresolved_melee_is_fought_again_in_the_next_turn() -> None:
    fray = Fray(*RIFLES, dice=NOTHING * 4)
    fray.dice.script, rest = fray.dice.script[:4], fray.dice.script[4:]
    fray.fight()
    fray.battle.state.turn -= 1
    fray.dice.script += rest
    fray.fight()
    assert len(fray.rolls()) == 4


@pytest.mark.rule("ost", "102.27")
def test_no_crew_survives_a_vehicle_lost_in_melee() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("us_rifle", "a2"), unit("ger_pz2f", "g1"), dice="6 6 1 1 1 1").fight("all")
    assert fray.where("g1") == "lost" and fray.battle.state.wrecks == {HEX: 1}
    assert not fray.rolls("crew survival")
    assert fray.battle.state.casualties["american"] == 2


@pytest.mark.rule("ost", "102.29")
def test_a_crewed_weapon_destroyed_in_melee_takes_its_gun_with_it() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_pak40", "g1"), dice="6 6 1 1").fight()
    assert fray.where("g1") == "lost"
    assert not fray.rolls("gun remains")


@pytest.mark.rule("ost", "102.30", "65.6")
def test_a_resolved_melee_loses_its_marker_and_gives_the_hex_to_who_is_left() -> None:
    # both are Shaken: the Germans, who did not begin it, stay and take the hex
    fray = Fray(
        unit("us_rifle", "a1", morale="shaken"),
        unit("ger_rifle", "g1", morale="shaken"),
        dice=NOTHING * 2,
        control={HEX: {"owner": "american"}},
    ).fight("retreat a1 D3")
    assert fray.battle.state.melees == {}
    assert fray.events(MeleeOver)
    assert fray.battle.state.control[HEX] == "german"


@pytest.mark.rule("ost", "65.6", "65.4")
def test_a_leader_left_alone_does_not_take_the_hex() -> None:
    fray = Fray(unit("us_rifle", "a1"), unit("ger_cpt", "g1"), dice="1 1 6 6", control={HEX: {"owner": "american"}})
    fray["a1"].reduced = True
    fray.fight()
    assert fray.where("a1") == "lost"
    assert fray.battle.state.control[HEX] == "american"


# ---- modifiers of the side's rolls (10.6, 15.10, 14, 16.5) ---------------------------------------------------


@pytest.mark.rule("ost", "10.6")
def test_engineers_add_1_once() -> None:
    fray = Fray(
        unit("us_engineer", "a1"),
        unit("us_engineer", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2"),
        dice=NOTHING * 4,
    ).fight()
    assert fray.lines(0, 2) == [("engineers_in_melee", 1, "10.6", "a1")]


@pytest.mark.rule("ost", "10.6", "102.5")
def test_shaken_engineers_still_add_their_1() -> None:
    """C-5 asks good order of Leaders, not of Engineers; who is Shaken takes the -1 beside it."""
    fray = Fray(unit("us_engineer", "a1", morale="shaken"), unit("ger_rifle", "g1"), dice=NOTHING * 2)
    fray.fight("retreat a1 D3")
    assert fray.lines(0, 2) == [("engineers_in_melee", 1, "10.6", "a1"), ("shaken_in_melee", -1, "102.5", "")]


@pytest.mark.rule("ost", "15.10", "15.11", "10.6")
def test_a_leader_adds_1_once_and_engineers_another() -> None:
    fray = Fray(
        unit("us_engineer", "a1"),
        unit("us_rifle", "a2"),
        unit("us_lt", "a3", attached="a1"),
        unit("us_sgt", "a4", attached="a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2"),
        dice=NOTHING * 6,
    ).fight()
    assert fray.lines(0, 2) == [("attached_leader", 1, "15.10", "a3"), ("engineers_in_melee", 1, "10.6", "a1")]


@pytest.mark.rule("ost", "15.10", "14.1")
@pytest.mark.parametrize(
    ("leader", "more", "bonus"),
    [
        ("us_sgt", {"attached": "a1"}, 1),
        ("us_ab_sgt", {"attached": "a1"}, 0),  # of another branch
        ("us_sgt", {"attached": "a1", "morale": "shaken"}, 0),
        ("us_sgt", {}, 0),  # not attached
    ],
)
def test_who_leads_in_melee(leader: str, more: dict[str, str], bonus: int) -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit(leader, "a2", **more),
        unit("ger_rifle", "g1"),
        initiator="german",
        dice=NOTHING * 3,
    )
    stays = more.get("attached") and "morale" not in more
    asked = [] if stays else ["retreat a2 D3"]
    if "attached" not in more:
        asked.insert(0, "all")  # two against one
    fray.fight(*asked)
    roll = next(i for i, rolled in enumerate(fray.rolls()) if rolled.side == "american")
    assert fray.column(roll)[2] == bonus


@pytest.mark.rule("ost", "16.5")
def test_an_armor_leader_leads_his_vehicle_in_melee_and_is_no_target() -> None:
    fray = Fray(
        unit("us_rifle", "a1"), unit("ger_pz4h", "g1"), unit("ger_arm_lt", "g2", attached="g1"), dice=NOTHING * 2
    ).fight()
    assert [roll.unit for roll in fray.rolls()] == ["g1", "a1"]
    assert fray.column(0) == (6, 7, 0)
    assert fray.lines(1, 2) == [("armor_leader", 1, "16.5", "g2")]


# ---- support weapons (20.14, 20at.4, 20sc.3, 20mo.13, 20.15) -------------------------------------------------


def armed(weapon: str, enemy: str = "ger_rifle", squad: str = "us_rifle", dice: str = NOTHING * 2, **more: Any) -> Fray:
    return Fray(unit(squad, "a1", weapons=[weapon], **more), unit(enemy, "g1"), dice=dice)


@pytest.mark.rule("ost", "20.14", "20.3")
def test_a_support_weapon_may_be_used_or_not() -> None:
    fray = armed("us_bar").fight("use w1")
    assert fray.column(0) == (4 + 1 + 2, 4, 0)
    assert fray.battle.state.weapons["w1"].used_by == "a1"
    assert armed("us_bar").fight("none").column(0) == (6, 4, 0)


@pytest.mark.rule("ost", "20.15", "102.5")
def test_a_shaken_squad_halves_the_sum_with_its_weapon() -> None:
    fray = armed("us_lmg", morale="shaken").fight("use w1", "retreat a1 D3")
    assert fray.column(0) == (3 + 2, 4, -1)


@pytest.mark.rule("ost", "20.5", "20.14")
def test_a_single_use_weapon_is_spent() -> None:
    fray = armed("sov_molotov").fight("use w1")
    weapon = fray.battle.state.weapons["w1"]
    assert (weapon.unit, weapon.hex) == ("", "")
    fp = fray.battle.kinds["sov_molotov"].fp
    assert fray.column(0) == (4 + fp + 2, 4, 0)


@pytest.mark.rule("ost", "20at.4")
@pytest.mark.parametrize("weapon", ["us_bazooka", "ger_panzerschreck", "ger_panzerfaust", "brit_piat"])
def test_anti_tank_weapons_add_2_with_an_enemy_vehicle(weapon: str) -> None:
    fray = armed(weapon, "ger_pz4h").fight("use w1")
    assert fray.column(0) == (4 + 2 + 2, 7, 0)
    assert ("at_weapon_in_melee", 2, "20at.4", "w1") in fray.lines(0, 0)


@pytest.mark.rule("ost", "20at.4")
@pytest.mark.parametrize("weapon", ["us_bazooka", "ger_panzerschreck", "ger_panzerfaust", "brit_piat"])
def test_anti_tank_weapons_are_not_used_without_an_enemy_vehicle(weapon: str) -> None:
    fray = armed(weapon)
    assert melee.bar_weapon(fray.battle, fray["a1"], fray.battle.state.weapons["w1"]) is melee.NO_ENEMY_VEHICLE
    fray.fight()
    assert fray.column(0) == (6, 4, 0)


@pytest.mark.rule("ost", "20sc.3", "20mo.13", "20at.4")
@pytest.mark.parametrize(
    ("weapon", "rule"), [("us_satchel", "20sc.3"), ("us_mortar60", "20mo.13"), ("ger_atr", "20at.4")]
)
def test_satchels_mortars_and_anti_tank_rifles_are_not_used(weapon: str, rule: str) -> None:
    fray = armed(weapon, "ger_pz4h")
    bar = melee.bar_weapon(fray.battle, fray["a1"], fray.battle.state.weapons["w1"])
    assert bar is not None and bar.rule == rule
    fray.fight()
    assert fray.asks == []


@pytest.mark.rule("ost", "10.5")
def test_only_engineers_use_flamethrowers() -> None:
    plain = armed("us_flamethrower").fight()
    assert plain.column(0) == (6, 4, 0)
    fray = armed("us_flamethrower", squad="us_engineer", dice=NOTHING * 2 + "6 6").fight("use w1")
    fp = fray.battle.firepower(fray["a1"])
    assert fray.column(0) == (fp + 6 + 2, 4, 1)


@pytest.mark.rule("ost", "20.9")
def test_a_weapon_used_by_another_squad_this_turn_is_not_used() -> None:
    fray = armed("us_lmg")
    fray.battle.state.weapons["w1"].used_by = "a9"
    fray.fight()
    assert fray.asks == []


@pytest.mark.rule("ost", "102.6", "20.14")
def test_a_broken_squad_uses_no_weapon() -> None:
    fray = armed("us_lmg", morale="broken", dice=NOTHING).fight("retreat a1 D3")
    assert [roll.side for roll in fray.rolls()] == ["german"]


# ---- passengers (79.24, X-10) --------------------------------------------------------------------------------


@pytest.mark.rule("ost", "79.24", "102.14", "102.24")
def test_a_passenger_adds_half_and_is_a_target() -> None:
    # two American rolls, one German; the truck is hit in any case, so its passenger takes collateral damage
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_truck", "g1"),
        unit("ger_assault", "g2", aboard="g1"),
        dice=NOTHING * 4,
    ).fight("retreat g1 D5")
    assert [roll.unit for roll in fray.rolls()] == ["g1", "g2", "a1"]
    assert fray.column(0) == fray.column(1) == (6, 2 + 1, 0)
    assert fray.lines(0, 1)[1:] == [("unit", 3, "102.10", "g2"), ("passenger_in_melee", -2, "79.24", "g2")]
    assert fray.column(2) == (5 // 2 + 2, 4, 0)
    assert ("passenger_in_melee", -3, "79.24", "g2") in fray.lines(2, 0)
    assert (fray.where("g1"), fray.where("g2"), fray["g2"].aboard) == ("D5", "D5", "g1")


@pytest.mark.rule("ost", "102.19", "100.2")
def test_collateral_damage_in_melee_does_not_touch_the_passengers_leader() -> None:
    # the Americans destroy the truck only; its machine gun fails its check and is Shaken or Broken
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_truck", "g1"),
        unit("ger_hmg42", "g2", aboard="g1"),
        unit("ger_sgt", "g3", aboard="g1", attached="g2"),
        dice="6 6 " + NOTHING * 3 + "6 6 1 1",
    ).fight("retreat g2 D3")
    assert [roll.unit for roll in fray.events(Rolled) if roll.what == "Gut Check"] == ["g2"]
    assert fray["g2"].morale and not fray["g3"].morale
    assert fray.where("g2") == fray.where("g3") == "D3"


@pytest.mark.rule("ost", "79.24", "79.21")
def test_a_passenger_whose_vehicle_dies_stands_in_the_hex() -> None:
    fray = Fray(
        unit("us_rifle", "a1"), unit("ger_truck", "g1"), unit("ger_rifle", "g2", aboard="g1"), dice="6 6 1 1 1 1 1 1"
    ).fight()
    assert fray.where("g1") == "lost"
    assert (fray.where("g2"), fray["g2"].aboard) == (HEX, "")
    assert HEX in fray.battle.state.melees
    assert ("passenger_in_melee", -2, "79.24") in [line[:3] for line in fray.lines(0, 1)], "half its Defense of 4"
    assert [roll.unit for roll in fray.rolls()] == ["g1", "g2", "a1"], "it is a target itself, and fights"
    (collateral,) = fray.rolls("ICT attack")
    assert (collateral.unit, collateral.tallies[0].total) == ("g2", -4)


@pytest.mark.rule("ost", "79.24", "102.5")
def test_a_shaken_passenger_is_halved_twice() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("ger_sdkfz251", "g1"),
        unit("ger_rifle", "g2", aboard="g1", morale="shaken"),
        dice=NOTHING * 4,
    ).fight()
    assert fray.lines(2, 0) == [
        ("machine_guns", 2, "102.13", "g1"),
        ("small_arms", 4, "102.9", "g2"),
        ("passenger_in_melee", -2, "79.24", "g2"),
        ("shaken_fp", -1, "102.5", "g2"),
        ("melee_fp", 2, "102.17", ""),
    ]


# ---- 103: Concentrated attack --------------------------------------------------------------------------------


def two_to_one(*enemies: dict[str, Any], dice: str = "", **more: Any) -> Fray:
    return Fray(*enemies, unit("ger_rifle", "g1"), dice=dice, **more)


@pytest.mark.rule("ost", "103.1", "103.4")
def test_the_outnumbered_side_may_attack_them_all() -> None:
    fray = two_to_one(unit("us_rifle", "a1"), unit("us_rifle", "a2"), dice=NOTHING * 3).fight("all")
    assert fray.asks[0].side == "german"
    assert fray.column(1) == fray.column(2) == (6, 8, 0)


@pytest.mark.rule("ost", "103.1")
def test_or_concentrate_on_one() -> None:
    fray = two_to_one(unit("us_rifle", "a1"), unit("us_rifle", "a2"), dice=NOTHING * 2).fight("concentrate a2")
    assert [roll.unit for roll in fray.rolls()] == ["g1", "a2"]
    assert fray.column(1) == (6, 4, 0)
    assert fray.column(0) == (10, 4, 0)  # the larger side attacks as ever


@pytest.mark.rule("ost", "103.2")
def test_attached_leaders_do_not_count_and_are_left_alone() -> None:
    fray = two_to_one(
        unit("us_rifle", "a1"), unit("us_rifle", "a2"), unit("us_lt", "a3", attached="a1"), dice=NOTHING * 2 + "6 6"
    ).fight("concentrate a1")
    assert [roll.unit for roll in fray.rolls()] == ["g1", "a1"]
    even = Fray(*RIFLES, unit("us_lt", "a3", attached="a1"), dice=NOTHING * 3).fight()
    assert even.asks == []


@pytest.mark.rule("ost", "103.3")
def test_only_squads_crewed_weapons_and_vehicles_can_be_aimed_at() -> None:
    fray = two_to_one(
        unit("us_rifle", "a1", reduced=True),
        unit("us_m4a1", "a2"),
        unit("us_lt", "a3", attached="a1"),
        dice=NOTHING * 2 + "6 6",
    ).fight("concentrate a2")
    assert [option.key for option in fray.asks[0].options] == ["all", "concentrate a1", "concentrate a2"]
    other = two_to_one(unit("us_mmg", "a1"), unit("us_crew", "a2"), dice=NOTHING * 3).fight("all")
    assert [option.key for option in other.asks[0].options] == ["all", "concentrate a1"]


@pytest.mark.rule("ost", "103.4", "103.5")
def test_even_numbers_use_the_totals() -> None:
    fray = Fray(
        unit("us_rifle", "a1"),
        unit("us_rifle", "a2"),
        unit("ger_rifle", "g1"),
        unit("ger_rifle", "g2"),
        dice=NOTHING * 4,
    ).fight()
    assert fray.asks == []
    assert Fray(*RIFLES, dice=NOTHING * 2).fight().asks == []


@pytest.mark.rule("ost", "103.1", "102.6")
def test_a_lone_broken_unit_has_nothing_to_concentrate() -> None:
    fray = Fray(
        unit("us_rifle", "a1"), unit("us_rifle", "a2"), unit("ger_rifle", "g1", morale="broken"), dice=NOTHING
    ).fight("retreat g1 D5")
    assert len(fray.asks) == 1
