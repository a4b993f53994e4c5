"""The combat formula, infantry and vehicle combat, and their results (86-100), with the book's examples."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import arms, combat_events, move_events
from grognard.games.ost.charts import charts
from grognard.games.ost.state import BROKEN, GOOD, LOST, SHAKEN, UNMANNED
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, state, tally, unit

rule = pytest.mark.rule
ICT, VCT = charts().ict, charts().vct


def pair(total: int) -> tuple[int, int]:
    """Two dice of a sum, not a natural double one or six unless it must be."""
    first = min(6, total - 1)
    return first, total - first


def dice_for(result: str, column: int, add: int = 0, chart: Any = ICT) -> tuple[int, int]:
    """Dice that give a result in a column."""
    for total in range(2, 13):
        if chart.result(total + add, column) == result:
            return pair(total)
    raise AssertionError(f"column {column} has no {result!r}")


def shoot(*units: str, arm: str = "own", at: str = "a1", by: str = "g1", **kw: Any) -> Session:
    session = position(*units, **kw)
    answer(session, f"fire {by}", f"at {at} {arm}")
    return session


def column(session: Session) -> int:
    return tally(session, "Firepower").total - tally(session, "Defense").total


# ---- the formula (86) ----


@rule("ost", "86.0", "86.1", "86.6", "86.7", "93.1", "93.2", "93.3", "93.4", "93.5", "88.1")
def test_firepower_less_defense_is_the_column_and_2d6_give_the_result() -> None:
    for total in range(2, 13):
        session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=(*pair(total), 6, 6, 6, 6))
        roll = rolled(session, "ICT attack")[0]
        assert column(session) == 0 and roll.meaning == ICT.result(total, 0) and roll.dice == "2d6"
        assert roll.side == "german"
    assert state(session).points["german"] == 4


@rule("ost", "86.5", "86.3", "15.9")
def test_the_books_infantry_example() -> None:
    """E-38: 4 + 2 - 1 = 5 against 4 + 1 + 1 = 6: column -1, with +1 for the Leader."""
    session = shoot(
        "g1 ger_rifle D2 with=ger_lmg",
        "g2 ger_sgt - attached=g1",
        "a1 us_rifle D5",
        arm="own+w1",
        terrain={"orchard": "D5"},
        works=["cover D5 american"],
        hexsides={"stone_wall": "D3|D4"},
        dice=(1, 1),
    )
    assert lines(tally(session, "Firepower")) == {"support_weapon": 2, "degraded_los": -1}
    assert tally(session, "Defense").total == 6 and column(session) == -1
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1}


@rule("ost", "86.4")
def test_firepower_never_falls_below_one() -> None:
    session = shoot(
        "g1 ger_security D2 reduced shaken", "a1 us_rifle D5", terrain={"brush": "D3, D4"}, smoke={"D2": 1}, dice=(1, 1)
    )
    firepower = tally(session, "Firepower")
    assert firepower.total == 1 and lines(firepower)["minimum"] > 0
    assert rolled(session)[0].meaning == ICT.result(2, -3)


@rule("ost", "86.6")
def test_columns_beyond_the_table_use_its_edge() -> None:
    session = shoot("g1 ger_crew D3", "a1 us_rifle D5", terrain={"rubble": "D5"}, dice=(6, 6, 6, 6))
    assert column(session) == -6 and rolled(session)[0].meaning == ICT.result(12, -5)


@rule("ost", "87.1", "87.2", "87.3", "95.1", "93.1")
def test_foot_targets_use_the_ict_and_vehicles_the_vct() -> None:
    for target, table in [
        ("us_rifle", "ICT"),
        ("us_sgt", "ICT"),
        ("us_mmg", "ICT"),
        ("us_crew", "ICT"),
        ("us_truck", "VCT"),
    ]:
        session = shoot("g1 ger_rifle D3", f"a1 {target} D5", dice=(1, 1))
        assert rolled(session)[-1].what == f"{table} attack"
    session = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D5", arm="main", dice=(6, 5, 1, 1))
    assert [r.what for r in rolled(session)] == ["To Hit", "VCT attack"]


# ---- combat (88) ----


@rule("ost", "88.2", "63.3")
def test_the_target_must_be_in_range_and_sight() -> None:
    assert "fire g1" in keys(position("g1 ger_rifle D1", "a1 us_rifle D7"))
    assert "fire g1" not in keys(position("g1 ger_rifle D1", "a1 us_rifle D8"))
    hidden = position("g1 ger_rifle D1", "a1 us_rifle D4", terrain={"woods": "D2"})
    assert "fire g1" not in keys(hidden)
    reasons = [bar.rule for bar in hidden.why_not("german", "g1 fire a1")]
    assert "41.6" in reasons or "41" in reasons


@rule("ost", "88.3", "72.3")
def test_one_target_of_a_stack_is_named() -> None:
    session = position("g1 ger_rifle D3", "a1 us_rifle D5", "a2 us_rifle D5", dice=(6, 6))
    answer(session, "fire g1")
    assert keys(session) == ["at a1 own", "at a2 own"]
    answer(session, "at a2 own")
    assert unit(session, "a2").status == LOST and unit(session, "a1").morale == GOOD


@rule("ost", "88.5", "88.6", "12.4")
def test_only_a_sniper_picks_a_leader_out_of_a_stack() -> None:
    stack = ("a1 us_rifle D5", "a2 us_sgt - attached=a1")
    session = position("g1 ger_rifle D3", *stack)
    answer(session, "fire g1")
    assert keys(session) == ["at a1 own"]
    session = position("g1 ger_sniper D3", *stack)
    answer(session, "fire g1")
    assert keys(session) == ["at a1 own", "at a2 own"]
    loose = position("g1 ger_rifle D3", "a1 us_rifle D5", "a2 us_sgt D5")
    answer(loose, "fire g1")
    assert keys(loose) == ["at a1 own"]
    alone = position("g1 ger_rifle D3", "a2 us_sgt D5")
    answer(alone, "fire g1")
    assert keys(alone) == ["at a2 own"]


# ---- height (49.5-49.7, 60.9, 60.16, 60.17, 61.3) ----


@rule("ost", "49.5", "49.6", "60.16", "60.17")
def test_height_helps_and_hinders_the_dice() -> None:
    down = shoot("g1 ger_rifle D3", "a1 us_rifle D5", levels={2: "D3"}, dice=(1, 1))
    assert lines(tally(down, "attack roll")) == {"height_advantage": 1}
    up = shoot("g1 ger_rifle D3", "a1 us_rifle D5", levels={3: "D5"}, dice=(1, 1))
    assert lines(tally(up, "attack roll")) == {"height_disadvantage": -1}
    tank = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D5", arm="main", levels={2: "D3"}, dice=(6, 5, 1, 1, 6, 6))
    assert lines(tally(tank, "To Hit roll")) == {"height_advantage": 1}


@rule("ost", "61.3")
def test_height_counts_between_tall_buildings() -> None:
    town = ["heavy_structure D3 level=3", "heavy_structure D5 level=2"]
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", buildings=town, options={"urban": True}, dice=(1, 1))
    assert lines(tally(session, "attack roll")) == {"height_advantage": 1}


@rule("ost", "49.7", "60.9", "95.4")
def test_a_hex_more_of_range_at_what_is_below() -> None:
    assert "fire g1" in keys(position("g1 ger_rifle D1", "a1 us_rifle D8", levels={2: "D1"}))
    assert "fire g1" not in keys(position("g1 ger_rifle D1", "a1 us_rifle D8", levels={2: "D8"}))
    # a gun's last range band is lengthened, the others stay as they are
    near = shoot("g1 ger_pz4f1 D1 f=4", "a1 us_m4a1 D6", arm="main", map="open 10x24", levels={2: "D1"}, dice=(1, 1))
    assert tally(near, "To Hit number").total == 7
    far = shoot("g1 ger_pz4f1 D1 f=4", "a1 us_m4a1 D20", arm="main", map="open 10x24", levels={2: "D1"}, dice=(1, 1))
    assert tally(far, "To Hit number").total == 10
    assert "fire g1" not in keys(position("g1 ger_pz4f1 D1 f=4", "a1 us_m4a1 D20", map="open 10x24"))


@rule("ost", "49.7", "60.9")
def test_no_more_range_at_the_own_level_or_from_the_ground() -> None:
    def reaches(levels: dict[Any, str], **more: Any) -> bool:
        return "fire g1" in keys(position("g1 ger_rifle D1", "a1 us_rifle D8", levels=levels, **more))

    assert reaches({2: "D1"}) and reaches({3: "D1"}) and reaches({3: "D1", 2: "D2-D8"})
    assert not reaches({2: "D1-D8"}) and not reaches({3: "D1-D8"}), "both on the same height"
    assert not reaches({2: "D1-D7", 3: "D8"}), "the target is above"
    assert not reaches({-1: "D2-D8"}), "the ground is no height, whatever lies below it"


# ---- infantry results (94, 91) ----


@rule("ost", "94.1", "5.1", "5.2", "94.5")
def test_x_destroys_and_scores_what_was_left() -> None:
    for flags, points in (("", 2), ("reduced", 1)):
        session = shoot("g1 ger_rifle D3", f"a1 us_rifle D5 {flags}", "a2 us_rifle H8", dice=(6, 6))
        assert unit(session, "a1").status == LOST and state(session).casualties["german"] == points
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=(1, 1))
    assert not happened(session, combat_events.Eliminated) and state(session).casualties.get("german", 0) == 0


@rule("ost", "94.2", "5.1", "5.2", "5.5", "5.8", "5.9", "9.0", "11.0")
def test_c_reduces_a_full_unit_and_removes_any_other() -> None:
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=dice_for("C", 0))
    assert unit(session, "a1").reduced and state(session).casualties["german"] == 1
    for kind, flags in [("us_rifle", "reduced"), ("us_crew", ""), ("us_sniper", ""), ("us_sgt", "")]:
        session = position("g1 ger_rifle D3", f"a1 {kind} D5 {flags}", "a9 us_rifle H8")
        answer(session, "fire g1", "at a1 own")
        defense = {"us_rifle": 3, "us_crew": 3, "us_sniper": 5, "us_sgt": 4}[kind]
        first, second = dice_for("C", 4 - defense)
        answer(session, f"dice {first} {second}")
        assert unit(session, "a1").status == LOST and state(session).casualties["german"] == 1


@rule("ost", "94.2", "96.2", "97.2")
def test_reductions_and_damage_are_told() -> None:
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=dice_for("C", 0))
    (event,) = happened(session, combat_events.Reduced)
    assert (event.side, event.unit, event.rules[0]) == ("american", "a1", "94.2")
    for face, what in ((3, "machine guns"), (4, "75mm M3")):
        (hurt,) = happened(_damaged(face), combat_events.Damaged)
        assert (hurt.side, hurt.unit, hurt.rules) == ("american", "a1", ("96.2", "97.2")) and what in hurt.what
    (stuck,) = happened(_damaged(5), move_events.Immobilized)
    assert (stuck.side, stuck.unit, stuck.rules) == ("american", "a1", ("96.2",))


@rule("ost", "94.3", "94.4", "69.2", "69.3", "69.4")
@pytest.mark.parametrize(("result", "morale"), [("S", SHAKEN), ("B", BROKEN)])
def test_s_and_b_take_a_gut_check(result: str, morale: int) -> None:
    failed = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=(*dice_for(result, 0), 3, 3))
    assert unit(failed, "a1").morale == morale
    passed = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=(*dice_for(result, 0), 3, 4))
    assert unit(passed, "a1").morale == GOOD


@rule("ost", "94.6")
@pytest.mark.parametrize(("result", "morale"), [("C-S", SHAKEN), ("C-B", BROKEN)])
def test_a_casualty_and_then_the_survivors_nerve(result: str, morale: int) -> None:
    """E-39."""
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5", dice=(*dice_for(result, 0), 1, 1))
    assert unit(session, "a1").reduced and unit(session, "a1").morale == morale
    gone = shoot(
        "g1 ger_rifle D3",
        "a1 us_rifle D5 reduced",
        "a2 us_rifle H8",
        terrain={"brush": "D5"},
        dice=dice_for(result, 0),
    )
    assert unit(gone, "a1").status == LOST and not rolled(gone, "Gut Check")


LED = ("a1 us_rifle D5", "a2 us_cpt - attached=a1")


@rule("ost", "91.1", "91.2", "88.4", "5.8")
@pytest.mark.parametrize(("face", "lost"), [(1, True), (3, True), (4, False), (6, False)])
def test_a_leader_may_die_with_his_unit(face: int, lost: bool) -> None:
    session = shoot("g1 ger_rifle D3", *LED, "a3 us_rifle H8", dice=(6, 6, face))
    assert (unit(session, "a2").status == LOST) is lost
    assert state(session).casualties["german"] == (3 if lost else 2)


@rule("ost", "91.3", "91.5")
@pytest.mark.parametrize(("face", "lost"), [(1, True), (2, False)])
@pytest.mark.parametrize("result", ["C", "C-S"])
def test_a_leader_rolls_once_for_the_worst_part(result: str, face: int, lost: bool) -> None:
    """E-35."""
    session = shoot("g1 ger_rifle D3", *LED, dice=(*dice_for(result, 0), face, 1, 1))
    assert (unit(session, "a2").status == LOST) is lost and len(rolled(session, "Leader Casualty")) == 1
    assert all(roll.unit == "a1" for roll in rolled(session, "Gut Check"))


@rule("ost", "91.4")
def test_a_leader_checks_when_his_unit_fails() -> None:
    """E-34."""
    both = shoot("g1 ger_rifle D3", *LED, dice=(*dice_for("B", 0), 1, 1, 1, 2))
    assert unit(both, "a1").morale == BROKEN and unit(both, "a2").morale == BROKEN
    steady = shoot("g1 ger_rifle D3", *LED, dice=(*dice_for("B", 0), 1, 1, 6, 2))
    assert unit(steady, "a1").morale == BROKEN and unit(steady, "a2").morale == GOOD
    unhurt = shoot("g1 ger_rifle D3", *LED, dice=(*dice_for("B", 0), 6, 1))
    assert len(rolled(unhurt, "Gut Check")) == 1


@rule("ost", "15.12", "20.8", "20.10")
def test_what_a_lost_unit_leaves() -> None:
    """E-52: the Leader joins the other unit of the stack, and so does the weapon; else they are left."""
    session = shoot(
        "g1 ger_rifle D3", "a1 us_rifle D5 with=us_bar", "a2 us_sgt - attached=a1", "a3 us_rifle D5", dice=(6, 6, 6)
    )
    assert unit(session, "a2").attached == "a3" and state(session).weapons["w1"].unit == "a3"
    session = shoot("g1 ger_rifle D3", "a1 us_rifle D5 with=us_bar", "a2 us_sgt - attached=a1", dice=(6, 6, 6))
    assert unit(session, "a2").attached == "" and state(session).weapons["w1"].hex == "D5"


# ---- vehicle combat (95) ----

TANK = "a1 us_m4a1 D5 f=1"


@rule("ost", "95.2", "95.3", "95.6", "63.2")
@pytest.mark.parametrize(("total", "hit"), [(5, False), (6, True), (11, True)])
def test_the_to_hit_number_of_the_range_or_more_hits(total: int, hit: bool) -> None:
    session = shoot("g1 ger_pak40 D3 f=4", TANK, arm="main", dice=(*pair(total), 1, 1))
    assert tally(session, "To Hit number").total == 6
    assert bool(rolled(session, "VCT attack")) is hit


@rule("ost", "95.7", "95.9")
def test_an_unmodified_double_six_is_a_critical_hit() -> None:
    session = shoot("g1 ger_pz4f1 D3 f=4 moved", TANK, arm="main", dice=(6, 6, 1, 1))
    assert lines(tally(session, "Firepower")) == {"critical_hit": 1} and column(session) == 5 + 1 - 5
    hit = shoot("g1 ger_pz4f1 D3 f=4", TANK, arm="main", dice=(6, 5, 1, 1))
    assert column(hit) == 0
    # it hits whatever the modifiers (G-5), and never goes past the last column (G-4)
    hard = position(
        "g1 ger_pz4f1 D1 f=4 moved", "a1 us_m4a1 D20", map="open 10x24", levels={2: "D1"}, dice=(6, 6, 1, 1)
    )
    answer(hard, "fire g1", "at a1 main")
    assert rolled(hard, "To Hit")[0].meaning == "critical"


@rule("ost", "95.8", "95.9", "95.10", "95.13", "95.14")
def test_the_books_vehicle_example() -> None:
    """E-40, E-41: the Hellcat fires AP at a Hetzer and its machine guns at a squad in one Impulse."""
    session = position(
        "a1 us_m18 D1 f=4",
        "g1 ger_hetzer D9 f=1",
        "g2 ger_rifle H3",
        map="open 12x12",
        buildings=["heavy_structure H3"],
        dice=(3, 4, 1, 1, 1, 1),
    )
    answer(session, "fire a1", "at g1 main")
    assert tally(session, "To Hit number").total == 7
    assert tally(session, "Firepower", "VCT attack").total == 9 and column(session) == 1
    assert "at g2 mg" in keys(session) and "hold" in keys(session)
    answer(session, "at g2 mg")
    assert column(session) == -4 and rolled(session)[-1].what == "ICT attack"
    assert state(session).points["american"] == 4 and unit(session, "a1").fired == 1


@rule("ost", "95.11", "21ct.3", "17ct.2")
def test_he_at_foot_units_needs_no_to_hit_roll() -> None:
    session = shoot("g1 ger_pak40 D3 f=4", "a1 us_rifle D5", arm="main", dice=(1, 1))
    assert [r.what for r in rolled(session)] == ["ICT attack"] and tally(session, "Firepower").total == 4


@rule("ost", "95.12", "21.15", "21.0b")
def test_guns_must_hit_a_truck_and_then_use_he() -> None:
    session = shoot("g1 ger_pak40 D3 f=4", "a1 us_truck D5", arm="main", dice=(6, 5, 1, 1))
    assert [r.what for r in rolled(session)] == ["To Hit", "VCT attack"]
    assert tally(session, "Firepower").total == 4
    missed = shoot("g1 ger_pak40 D3 f=4", "a1 us_truck D5", arm="main", dice=(1, 2))
    assert not rolled(missed, "VCT attack")


@rule("ost", "95.4", "95.5", "17ct.3", "21ct.4")
@pytest.mark.parametrize("target", ["us_m4a1", "us_rifle"])
def test_the_maximum_range_holds_for_ap_and_he(target: str) -> None:
    # PzKpfw IV F1: 18 hexes
    assert "fire g1" in keys(position("g1 ger_pz4f1 D1 f=4", f"a1 {target} D19", map="open 10x24"))
    assert "fire g1" not in keys(position("g1 ger_pz4f1 D1 f=4", f"a1 {target} D20", map="open 10x24"))


@rule("ost", "95.13", "95.15", "21ct.5", "21ct.6", "21.7")
def test_both_armaments_at_one_target_are_two_attacks() -> None:
    session = position("g1 ger_pz4h D3 f=4", "a1 us_rifle D5", dice=(1, 1, 1, 1))
    answer(session, "fire g1", "at a1 main", "at a1 mg")
    assert [tally_.total for r in rolled(session) for tally_ in r.tallies if tally_.what == "Firepower"] == [4, 2]
    assert state(session).points["german"] == 4 and unit(session, "g1").fired == 1
    held = position("g1 ger_pz4h D3 f=4", "a1 us_rifle D5", dice=(1, 1))
    answer(held, "fire g1", "at a1 mg", "hold")  # in either order, or one alone
    assert len(rolled(held)) == 1


@rule("ost", "59.6", "59.3")
def test_a_degraded_line_costs_a_gun_dice_and_firepower() -> None:
    kw: dict[str, Any] = {"terrain": {"brush": "D4"}, "arm": "main", "dice": (6, 5, 1, 1)}
    session = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D6", **kw)
    assert lines(tally(session, "To Hit roll")) == {"degraded_to_hit": -1}
    assert lines(tally(session, "Firepower")) == {"degraded_los": -1}
    lenient = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D6", options={"degraded_fp_applies_to_ap": False}, **kw)
    assert lines(tally(lenient, "Firepower")) == {}


@rule("ost", "95.16", "95.17", "95.18", "95.19")
def test_firing_again_at_the_same_vehicle_acquires_it() -> None:
    session = position(
        "g1 ger_pak40 D3 f=4", TANK, "a2 us_rifle H8", dice=(1, 1, 1, 2), points={"german": 3, "american": 1}
    )
    answer(session, "fire g1", "at a1 main")
    assert lines(tally(session, "To Hit roll")) == {} and unit(session, "g1").acquired == "a1"
    assert happened(session, combat_events.Acquired)
    answer(session, "pass", "fire g1", "at a1 main")
    assert lines(tally(session, "To Hit roll")) == {"acquired_target": 1}


@rule("ost", "95.3")
@pytest.mark.parametrize(
    ("firer", "arm", "named"),
    [
        ("ger_pak40 D3 f=4", "main", "75mm L/48, range 2"),
        ("ger_rifle D3 with=ger_panzerschreck", "w1", "Panzerschreck, range 2"),
    ],
)
def test_the_to_hit_number_names_the_gun_and_the_range(firer: str, arm: str, named: str) -> None:
    session = shoot(f"g1 {firer}", TANK, arm=arm, dice=(1, 1))
    assert tally(session, "To Hit number").source == named


@rule("ost", "95.16", "95.18")
def test_a_shot_at_another_vehicle_does_not_lose_the_first() -> None:
    """F-12: the second shot of the turn at a vehicle has the modifier, whatever was fired at in between."""
    session = position(
        "g1 ger_pak40 D3 f=4",
        TANK,
        "a3 us_m4a1 C7",
        "a2 us_rifle H8",
        dice=(1, 1, 1, 2, 1, 2),
        points={"german": 6, "american": 1},
    )
    answer(session, "fire g1", "at a1 main", "pass", "fire g1", "at a3 main")
    assert lines(tally(session, "To Hit roll")) == {} and unit(session, "g1").acquired == "a1 a3"
    gun = next(seen for seen in session.view("german").units if seen.id == "g1")
    assert {"has acquired M4A1 Sherman a1", "has acquired M4A1 Sherman a3"} <= set(gun.states)
    answer(session, "pass", "fire g1", "at a1 main")
    assert lines(tally(session, "To Hit roll")) == {"acquired_target": 1, "intensive_fire_roll": -1}


@rule("ost", "95.18")
def test_a_target_that_leaves_sight_is_acquired_no_longer() -> None:
    session = position(
        "g1 ger_pak40 D1 f=4 acquired=a1 fired", "a1 us_m4a1 D5 f=1", terrain={"woods": "E5, F4"}, active="american"
    )
    answer(session, "move a1", "pivot 3", "step E6")
    assert unit(session, "g1").acquired == ""


@rule("ost", "95.18")
def test_smoke_between_breaks_the_line_for_good() -> None:
    """F-12: sight lost at any moment ends it, here by the smoke of an engineer."""
    session = position(
        "g1 ger_pak40 D1 f=4 acquired=a1 fired",
        "a1 us_m4a1 D6 f=1",
        "a2 us_engineer E4",
        terrain={"brush": "D2, D3"},
        active="american",
    )
    answer(session, "engineer_smoke a2", "smoke D4")
    assert unit(session, "g1").acquired == ""


# ---- vehicle results (96-99) ----


def struck(
    result: str, *more: int, vehicle: str = "us_m4a1", flags: str = "", extra: tuple[str, ...] = (), **kw: Any
) -> Session:
    """A PaK 40 has hit the vehicle in D5 and got a result; ``more`` dice follow."""
    front = {"us_m4a1": 5, "us_truck": 2, "us_m3a1ht": 2, "brit_grant": 5, "us_m18": 3}[vehicle]
    power = 4 if vehicle == "us_truck" else 11
    dice = (6, 5, *dice_for(result, min(power - front, 8), chart=VCT), *more)
    return shoot(
        "g1 ger_pak40 D3 f=4", f"a1 {vehicle} D5 f=1 {flags}", "a9 us_rifle H8", *extra, arm="main", dice=dice, **kw
    )


@rule("ost", "96.1", "21.8", "21.9", "5.3", "99.1", "99.2", "99.3", "21.0c")
def test_x_makes_a_wreck_and_two_points() -> None:
    for face in range(1, 6):
        session = struck("X", face)
        assert unit(session, "a1").status == LOST and state(session).wrecks == {"D5": 1}
        assert state(session).casualties["german"] == 2
        (roll,) = rolled(session, "crew survival")
        assert (roll.side, roll.dice, roll.faces) == ("american", "1d6", (face,)), "the owner rolls"
        assert not any(u.kind == "us_crew" for u in state(session).units.values())


@rule("ost", "99.3", "99.4", "5.4")
def test_a_six_saves_the_crew() -> None:
    session = struck("X", 6)
    crew = next(u for u in state(session).units.values() if u.kind == "us_crew")
    assert crew.hex == "D5" and crew.side == "american" and crew.morale == GOOD
    assert state(session).casualties["german"] == 1


@rule("ost", "99.3", "57.4", "90.4")
def test_a_crew_stands_on_the_road_of_its_wreck_and_is_as_spent_as_the_vehicle() -> None:
    """V-8: its marks of the turn are the vehicle's; the wreck lies on the road between the houses, not inside."""
    session = struck(
        "X",
        6,
        flags="on_road fired=2 intensive shaken",
        roads=["D4, D5, D6"],
        buildings=["heavy_structure D5"],
    )
    crew = next(u for u in state(session).units.values() if u.kind == "us_crew")
    assert crew.on_road and crew.intensive and not battle(session).in_structure(crew)
    assert "fire" not in " ".join(key for key in keys(session) if crew.id in key)


@rule("ost", "99.5", "21.10", "5.6", "5.7")
@pytest.mark.parametrize("vehicle", ["us_truck", "us_m3a1ht"])
def test_trucks_and_armored_transports_have_no_crew_to_save(vehicle: str) -> None:
    session = struck("X", vehicle=vehicle)
    assert not rolled(session, "crew survival") and state(session).casualties["german"] == 1


@rule("ost", "96.2", "97.1", "97.4", "8.7")
@pytest.mark.parametrize(
    ("face", "what"), [(1, ""), (2, ""), (3, "mgs"), (4, "gun"), (5, "immobilized"), (6, "abandon")]
)
def test_the_damage_roll(face: int, what: str) -> None:
    session = _damaged(face, 1, 1)
    tank = unit(session, "a1")
    assert tank.mgs_out is (what == "mgs")
    assert tank.guns_out == ((0,) if what == "gun" else ())
    assert tank.immobilized is (what == "immobilized")
    assert (tank.status == LOST) is (what == "abandon")


def _damaged(*more: int, vehicle: str = "us_m4a1", flags: str = "") -> Session:
    """A weaker gun, so that the table has a plain D: a PaK 36 (AP 4) at the front."""
    front = {"us_m4a1": 5, "us_truck": 2, "us_m3a1ht": 2, "brit_grant": 5}[vehicle]
    power = 2 if vehicle == "us_truck" else 4
    dice = (6, 5, *dice_for("D", power - front, chart=VCT), *more)
    return shoot(
        "g1 ger_pak36 D3 f=4",
        f"a1 {vehicle} D5 f=1 {flags}",
        "a9 us_rifle H8" if vehicle != "brit_grant" else "a9 brit_rifle H8",
        arm="main",
        dice=dice,
    )


@rule("ost", "96.2", "98.1", "98.2", "98.3", "5.4")
def test_an_abandon_roll_is_a_gut_check() -> None:
    stays = _damaged(6, 3, 4)
    assert unit(stays, "a1").status == "map"
    runs = _damaged(6, 3, 3)
    assert unit(runs, "a1").status == LOST and state(runs).wrecks == {"D5": 1}
    assert state(runs).casualties["german"] == 1 and not rolled(runs, "crew survival")
    assert happened(runs, combat_events.Abandoned)


@rule("ost", "96.3", "96.4", "96.5")
@pytest.mark.parametrize(("result", "morale"), [("S", SHAKEN), ("B", BROKEN), ("", GOOD)])
def test_a_crews_nerve(result: str, morale: int) -> None:
    dice = (6, 5, *dice_for(result, -1, chart=VCT), 1, 1)
    session = shoot("g1 ger_pak36 D3 f=4", "a1 us_m4a1 D5 f=1", arm="main", dice=dice)
    assert unit(session, "a1").morale == morale


@rule("ost", "96.6")
def test_damage_and_then_the_crews_nerve() -> None:
    """E-42."""
    dice = (6, 5, *dice_for("D-S", -1, chart=VCT), 3, 1, 1)
    session = shoot("g1 ger_pak36 D3 f=4", "a1 us_m4a1 D5 f=1", arm="main", dice=dice)
    assert unit(session, "a1").mgs_out and unit(session, "a1").morale == SHAKEN
    gone = (6, 5, *dice_for("D-S", -1, chart=VCT), 4)
    session = shoot("g1 ger_pak36 D3 f=4", "a1 us_m4a1 D5 f=1 mgs_out", "a9 us_rifle H8", arm="main", dice=gone)
    assert unit(session, "a1").status == LOST and not rolled(session, "Gut Check")


@rule("ost", "97.2")
@pytest.mark.parametrize("face", [3, 4])
def test_a_single_armament_goes_with_either_result(face: int) -> None:
    session = _damaged(face, vehicle="us_m3a1ht")
    assert unit(session, "a1").mgs_out and unit(session, "a1").status == "map"
    dice = (6, 5, *dice_for("D", 7 - 6, chart=VCT), face)
    gun = shoot("a1 us_m4a1 D5 f=1", "s1 sov_su85 D3 f=4", "s9 sov_rifle H8", by="a1", at="s1", arm="main", dice=dice)
    assert unit(gun, "s1").guns_out == (0,) and unit(gun, "s1").status == "map"
    bar = arms.bar_arms(battle(gun), unit(gun, "s1"))
    assert bar is not None and bar.rule == "97.1", "and it has nothing left to fire"


@rule("ost", "97.3", "21.10")
@pytest.mark.parametrize("face", [2, 3, 6])
def test_an_unarmed_vehicle_is_destroyed_by_more_than_minor_damage(face: int) -> None:
    session = _damaged(face, vehicle="us_truck")
    assert (unit(session, "a1").status == LOST) is (face > 2)
    assert state(session).casualties.get("german", 0) == (1 if face > 2 else 0)


@rule("ost", "97.5", "98.3")
@pytest.mark.parametrize(("flags", "face"), [("guns_out=0", 3), ("mgs_out", 5), ("immobilized", 4), ("guns_out=0", 6)])
def test_a_second_damage_abandons(flags: str, face: int) -> None:
    """E-43: a Sherman without its gun takes machine gun damage."""
    session = _damaged(face, flags=flags)
    assert unit(session, "a1").status == LOST and state(session).casualties["german"] == 1
    assert not rolled(session, "Gut Check")
    minor = _damaged(2, flags=flags)
    assert unit(minor, "a1").status == "map"


@rule("ost", "16.7", "16.11", "5.8")
def test_an_armor_leader_goes_with_his_vehicle() -> None:
    session = struck("X", 6, extra=("a2 us_arm_lt - attached=a1",))
    assert unit(session, "a2").status == LOST and state(session).casualties["german"] == 2


# ---- collateral damage (100) ----


@rule("ost", "100.1", "100.3", "100.4", "79.20", "105.4")
def test_a_hit_on_a_vehicle_strikes_its_passenger_in_column_minus_five() -> None:
    dice = (6, 5, 1, 1, 6, 6, 1, 1)
    session = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D5 f=1", "a2 us_rifle - aboard=a1", arm="main", dice=dice)
    assert rolled(session, "ICT attack")[0].tallies[0].total == -5
    assert unit(session, "a2").morale == BROKEN and unit(session, "a2").aboard == "a1"
    missed = shoot("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D5", "a2 us_rifle - aboard=a1", arm="main", dice=(1, 1))
    assert not rolled(missed, "ICT attack")


@rule("ost", "100.2", "79.21")
def test_a_lost_vehicle_sets_its_passenger_down_in_column_minus_four() -> None:
    session = struck("X", 1, 1, 1, extra=("a2 us_rifle - aboard=a1",))
    assert rolled(session, "ICT attack")[0].tallies[0].total == -4
    assert unit(session, "a2").aboard == "" and unit(session, "a2").hex == "D5"


@rule("ost", "79.22", "21.13", "21.14")
def test_small_arms_at_a_truck_always_strike_who_rides_in_it() -> None:
    session = shoot("g1 ger_rifle D3", "a1 us_truck D5", "a2 us_rifle - aboard=a1", dice=(1, 1, 1, 1))
    assert [r.what for r in rolled(session)] == ["VCT attack", "ICT attack"]
    assert lines(tally(session, "Firepower")) == {"small_arms_vs_soft_vehicle": -2}


@rule("ost", "81.8", "100.1")
def test_the_squad_behind_a_tank_is_struck_too() -> None:
    units = ("a1 us_m4a1 D5 partner=a2 f=1", "a2 us_rifle D5 partner=a1")
    session = shoot("g1 ger_pak40 D3 f=4", *units, arm="main", dice=(6, 5, 1, 1, 1, 1))
    assert rolled(session, "ICT attack")[0].unit == "a2"


@rule("ost", "17.2")
@pytest.mark.parametrize(("face", "status"), [(4, LOST), (5, UNMANNED)])
def test_a_gun_may_outlive_its_crew(face: int, status: str) -> None:
    session = shoot("g1 ger_rifle D3", "a1 us_mmg D5", "a9 us_rifle H8", dice=(6, 6, face))
    assert unit(session, "a1").status == status and state(session).casualties["german"] == 2
    assert rolled(session, "gun remains")[0].side == "german"


# ---- what the log says ----


@rule("ost", "91.1", "91.3", "95.6", "106.4", "110.8", "81.5")
def test_the_log_says_plainly_what_came_of_it() -> None:
    said = []
    for session in (
        shoot("g1 ger_pak40 D3 f=4", TANK, arm="main", dice=(1, 1)),
        shoot("g1 ger_rifle D4", "a1 us_rifle D5", "a2 us_sgt - attached=a1", dice=(*dice_for("C", 0), 6)),
    ):
        said += [line.text.partition("→ ")[2] for line in session.view("german").log if line.kind == "Rolled"]
    assert said == ["miss", "C", "unhurt"]
    assert combat_events.AirStrike(side="german", places=("D4", "D5")).say() == "German: air strike on D4 and D5"
    assert combat_events.Collapsed(place="D4", kind="light_structure").say() == "The light structure in D4 collapses"
    off = move_events.RollingCover(side="german", unit="g1", vehicle="g2", on=False)
    assert off.say() == "g1 no longer goes behind g2"
