"""Morale, Gut Checks, Rally and Free Rally, and Leaders in all of them (68-71, 13.3, 14.2, 15.15, 16.2, 91.4)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.session import Session
from grognard.games.ost import combat_events, turn_events
from grognard.games.ost.state import BROKEN, GOOD, LOST, SHAKEN
from tests.games.ost.helpers import answer, battle, happened, keys, lines, options, position, rolled, state, tally, unit
from tests.games.ost.shots import FAIL, NOTHING, PASS, VCT, all_thrown, dice_for, dice_thrown, shoot, shots

FAR = "a1 us_rifle J8"
ALONE: dict[str, Any] = {"points": {"american": 0}}  # all Impulses are German
NEXT_TURN = (6, 5, 1, 2, 3, 3, 3, 3)  # Initiative and Impulse Points
MORALE = {"good": GOOD, "shaken": SHAKEN, "broken": BROKEN}


def under_fire(result: str, *dice: int, was: str = "good", gut_check: Any = 7) -> Session:
    """An American Rifle, good, Shaken or Broken, that suffers a result at even odds; then the given dice."""
    flag = "" if was == "good" else was
    units = ("g1 ger_rifle D4", f"a1 us_rifle D6 {flag}", "a9 us_rifle J8")
    session = position(*units, gut_check=gut_check, dice=(*dice_for(result, 0), *dice))
    shoot(session, "g1", "a1 own")
    assert all_thrown(session), session.ask
    return session


def rally(*units: str, dice: tuple[int, ...], **head: Any) -> Session:
    """A paid attempt to rally g1."""
    session = position(*units, FAR, dice=dice, **head)
    answer(session, "rally g1")
    return session


def modifiers(*units: str, **head: Any) -> dict[str, int]:
    """What modifies a rally of g1."""
    return lines(tally(rally(*units, dice=(1, 1), **head), "rally modifiers"))


# ---- 68: the states ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "68.1", "68.2", "68.9", "69.2", "69.4")
@pytest.mark.parametrize(("result", "morale"), [("S", SHAKEN), ("B", BROKEN)])
def test_a_unit_is_in_good_order_shaken_or_broken(result: str, morale: int) -> None:
    session = under_fire(result, *FAIL)
    assert unit(session, "a1").morale == morale
    assert battle(session).good_order(unit(session, "a9")) and not battle(session).good_order(unit(session, "a1"))
    marked = happened(session, combat_events.Shaken) + happened(session, combat_events.Broken)
    assert [event.unit for event in marked] == ["a1"]


@pytest.mark.rule("ost", "68.2")
def test_good_order_halves_nothing() -> None:
    session = position("g1 ger_assault D4", "a1 us_rifle D6", dice=NOTHING)
    shoot(session, "g1", "a1 own")
    assert lines(tally(session, "Firepower")) == {} and tally(session, "Firepower").total == 5


@pytest.mark.rule("ost", "68.3")
def test_a_shaken_unit_has_half_its_firepower_rounded_down() -> None:
    for kind, arm, firepower in (("ger_assault", "own", 2), ("ger_hmg42", "own", 3), ("ger_pak40", "main", 2)):
        session = position(f"g1 {kind} D4 f=4 shaken", "a1 us_rifle D6", dice=NOTHING)
        shoot(session, "g1", f"a1 {arm}")
        assert tally(session, "Firepower").total == firepower


@pytest.mark.rule("ost", "68.3")
def test_a_shaken_vehicle_halves_ap_he_and_machine_guns_but_not_to_hit() -> None:
    units = ("g1 ger_pz4h D4 f=4 shaken", "a1 us_m4a1 D6 f=1", "a2 us_rifle E6")
    session = position(*units, dice=(3, 3, *NOTHING, *NOTHING))
    shoot(session, "g1", "a1 main", "a2 mg")
    assert lines(tally(session, "To Hit roll")) == {}
    assert [event.tallies[0].total for event in rolled(session)[1:]] == [5, 1]


@pytest.mark.rule("ost", "68.3", "33.4")
def test_firepower_is_halved_before_anything_is_added_or_taken_off() -> None:
    session = position("g1 ger_assault D4 shaken", "a1 us_rifle D6", smoke={"D4": 1}, dice=NOTHING)
    shoot(session, "g1", "a1 own")
    assert list(lines(tally(session, "Firepower")).items()) == [("shaken_fp", -3), ("firing_out_of_smoke", -1)]


@pytest.mark.rule("ost", "68.3")
@pytest.mark.parametrize(("kind", "hexes"), [("ger_rifle", 2), ("ger_pioneer", 1)])
def test_a_shaken_unit_has_half_its_movement_rounded_down(kind: str, hexes: int) -> None:
    session = position(f"g1 {kind} D8 shaken", "a1 us_rifle J1", **ALONE)
    answer(session, "move g1")
    for row in range(7, 7 - hexes, -1):
        answer(session, f"step D{row}")
    assert unit(session, "g1").hex == f"D{8 - hexes}"
    assert unit(session, "g1").moved and keys(session, "step") == []


@pytest.mark.rule("ost", "68.4", "68.7")
@pytest.mark.parametrize("morale", ["good", "shaken", "broken"])
def test_neither_shaken_nor_broken_units_assault_or_spot(morale: str) -> None:
    flag = "" if morale == "good" else morale
    session = position(f"g1 ger_rifle D4 {flag}", "a1 us_rifle D5", assets={"german": {"mortars": 1}})
    good = morale == "good"
    assert bool(keys(session, "assault")) == good
    assert bool(keys(session, "oba")) == good


@pytest.mark.rule("ost", "68.6")
def test_a_broken_unit_neither_moves_nor_fires() -> None:
    session = position("g1 ger_rifle D4 broken", "g2 ger_pz4h D5 broken", "a1 us_rifle D6")
    assert {option.verb for option in options(session) if option.unit} == {"rally", "cover"}


@pytest.mark.rule("ost", "68.6")
def test_a_broken_unit_makes_no_opportunity_fire() -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle D7 broken")
    answer(session, "move g1", "step D5")
    assert session.ask is not None and session.ask.side == "german"


@pytest.mark.rule("ost", "68.5", "68.8")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
@pytest.mark.parametrize("way_out", [True, False])
def test_units_without_good_order_leave_a_melee_or_die(morale: str, way_out: bool) -> None:
    ring = ["D3", "E4", "E5", "D5", "C5", "C4"]
    session = position(
        f"g1 ger_rifle D4 {morale}",
        "a1 us_rifle D4",
        "g9 ger_rifle J8",
        *([] if way_out else [f"a{n} us_rifle {hex}" for n, hex in enumerate(ring, 2)]),
        melees=["D4 american"],
        phase="melee",
        dice=(*NOTHING, *(NOTHING if morale == "shaken" else ()), *(PASS if way_out else ()), *NEXT_TURN),
    )
    if way_out:
        assert session.ask is not None and session.ask.side == "german"
        assert {option.place for option in options(session)} == set(ring)
        answer(session, "retreat g1 C5")
        assert unit(session, "g1").hex == "C5"
    else:
        assert unit(session, "g1").status == LOST


@pytest.mark.rule("ost", "68.10", "68.11", "69.2")
@pytest.mark.parametrize(
    ("was", "result", "dice", "morale"),
    [
        ("shaken", "S", FAIL, BROKEN),
        ("shaken", "B", FAIL, BROKEN),
        ("shaken", "S", PASS, SHAKEN),
        ("broken", "S", (), BROKEN),  # no Gut Check is rolled
        ("broken", "B", (), BROKEN),
    ],
)
def test_morale_gets_worse_to_broken_and_no_further(was: str, result: str, dice: tuple[int, ...], morale: int) -> None:
    session = under_fire(result, *dice, was=was)
    assert unit(session, "a1").morale == morale
    broken = happened(session, combat_events.Broken)
    assert bool(broken) == (was == "shaken" and morale == BROKEN)
    assert ["68.10" in event.rules for event in broken] == [result == "S" for _ in broken]


@pytest.mark.rule("ost", "68.11")
def test_a_broken_unit_still_takes_casualties() -> None:
    session = under_fire("C-S", was="broken")
    assert unit(session, "a1").reduced and unit(session, "a1").morale == BROKEN


@pytest.mark.rule("ost", "68.11", "91.4")
def test_a_result_that_a_broken_unit_ignores_does_not_concern_its_leader() -> None:
    units = ("g1 ger_rifle D4", "a1 us_rifle D6 broken", "a2 us_sgt - attached=a1")
    session = position(*units, dice=dice_for("B", 0))
    shoot(session, "g1", "a1 own")
    assert all_thrown(session) and unit(session, "a2").morale == GOOD


# ---- 69: Gut Checks ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "69.1", "69.3", "69.4", "69.5")
@pytest.mark.parametrize("number", [5, 7, 9])
@pytest.mark.parametrize("result", ["S", "B"])
def test_the_sides_gut_check_number_or_more_passes(number: int, result: str) -> None:
    numbers = {"german": 12, "american": number}
    passed = under_fire(result, 3, number - 3, gut_check=numbers)
    assert unit(passed, "a1").morale == GOOD
    failed = under_fire(result, 3, number - 4, gut_check=numbers)
    assert unit(failed, "a1").morale == MORALE["shaken" if result == "S" else "broken"]
    roll = rolled(failed, "Gut Check")[0]
    assert (roll.side, roll.dice, roll.tallies[0].total, roll.tallies[0].lines) == ("american", "2d6", number, [])


@pytest.mark.rule("ost", "69.5")
def test_a_leader_and_good_cover_do_not_change_a_gut_check() -> None:
    units = ("g1 ger_hmg42 D4", "a1 us_rifle D6 reduced", "a2 us_maj - attached=a1")
    session = position(*units, terrain={"heavy_structure": "D6"}, dice=(*dice_for("S", 2), 3, 4))
    shoot(session, "g1", "a1 own")
    assert rolled(session, "Gut Check")[0].tallies[0].lines == [] and unit(session, "a1").morale == GOOD


@pytest.mark.rule("ost", "69.2", "69.4")
def test_a_result_of_the_vct_makes_the_vehicle_check() -> None:
    units = ("g1 ger_pak40 D4 f=4", "a1 us_m4a1 D6 f=1")
    session = position(*units, dice=(5, 5, *dice_for("B", 6, VCT), *FAIL))
    shoot(session, "g1", "a1 main")
    assert dice_thrown(session)[-1] == "Gut Check a1" and unit(session, "a1").morale == BROKEN


# ---- 91: Leaders under fire -------------------------------------------------------------------------------

LED = ("g1 ger_rifle D4", "a1 us_rifle D6", "a2 us_cpt - attached=a1", "a9 us_rifle J8")


@pytest.mark.rule("ost", "91.4", "91.1")
@pytest.mark.parametrize(
    ("dice", "squad", "captain"),
    [((*FAIL, *FAIL), BROKEN, BROKEN), ((*FAIL, *PASS), BROKEN, GOOD), (PASS, GOOD, GOOD)],
)
def test_a_leader_checks_when_his_unit_fails(dice: tuple[int, ...], squad: int, captain: int) -> None:
    """E-34: B on a Rifle with a Captain; both fail and both are Broken."""
    session = position(*LED, dice=(*dice_for("B", 0), *dice))
    shoot(session, "g1", "a1 own")
    assert all_thrown(session)
    assert (unit(session, "a1").morale, unit(session, "a2").morale) == (squad, captain)


@pytest.mark.rule("ost", "91.5", "91.3")
@pytest.mark.parametrize(("die", "lives"), [(1, False), (2, True)])
def test_a_leader_rolls_once_for_the_worst_part(die: int, lives: bool) -> None:
    """E-35: C-S; one roll for the casualty, a 1 kills."""
    session = position(*LED, dice=(*dice_for("C-S", 0), die, *FAIL))
    shoot(session, "g1", "a1 own")
    assert dice_thrown(session) == ["ICT attack a1", "Leader Casualty a2", "Gut Check a1"]
    assert (unit(session, "a1").reduced, unit(session, "a1").morale) == (True, SHAKEN)
    assert (unit(session, "a2").status != LOST) == lives and unit(session, "a2").morale == GOOD


# ---- 70: Rally --------------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "70.1", "70.3", "70.4", "70.5", "70.7", "70.8", "70.6")
@pytest.mark.parametrize(
    ("was", "dice", "now"),
    [("shaken", (3, 4), GOOD), ("shaken", (3, 3), SHAKEN), ("broken", (5, 4), GOOD), ("broken", (4, 4), SHAKEN)],
)
def test_a_rally_attempt(was: str, dice: tuple[int, int], now: int) -> None:
    session = rally(f"g1 ger_rifle D4 {was}", dice=dice)
    assert unit(session, "g1").morale == now
    assert bool(happened(session, combat_events.Rallied)) == (now == GOOD)
    assert bool(happened(session, combat_events.Shaken)) == (was == "broken" and now == SHAKEN)
    roll = rolled(session, "Rally")[0]
    assert (roll.side, roll.dice, roll.faces) == ("german", "2d6", dice)
    assert tally(session, "rally number").total == (7 if was == "shaken" else 9)
    assert state(session).points == {"german": 4, "american": 5}
    assert session.ask is not None and session.ask.side == "american"


@pytest.mark.rule("ost", "70.1")
def test_only_shaken_and_broken_units_outside_melee_are_rallied() -> None:
    units = ("g1 ger_rifle D4", "g2 ger_rifle E4 shaken", "g3 ger_pz4h F4 broken", "g4 ger_sgt G4 shaken")
    session = position(*units, "g5 ger_rifle H4 shaken", "a1 us_rifle H4", melees=["H4 german"])
    assert keys(session, "rally") == ["rally g2", "rally g3", "rally g4"]


@pytest.mark.rule("ost", "70.4", "68.2")
def test_a_rallied_unit_acts_as_usual() -> None:
    session = position("g1 ger_rifle D4 broken", "a1 us_rifle D6", dice=(6, 5, *NOTHING), **ALONE)
    answer(session, "rally g1")
    shoot(session, "g1", "a1 own")
    assert tally(session, "Firepower").total == 4


@pytest.mark.rule("ost", "70.2", "74.7")
def test_there_is_no_limit_on_attempts_even_for_a_used_unit() -> None:
    session = position("g1 ger_rifle D4 broken used", FAR, dice=FAIL * 4, **ALONE)
    answer(session, *["rally g1"] * 4)
    assert state(session).points["german"] == 1
    assert "rally g1" in keys(session)
    assert unit(session, "g1").fired == 2 and not unit(session, "g1").intensive


@pytest.mark.rule("ost", "13.2", "13.3", "70.9")
@pytest.mark.parametrize(("leader", "reach"), [("ger_sgt", 1), ("ger_lt", 2), ("ger_cpt", 3), ("ger_maj", 4)])
def test_a_leader_helps_within_his_command_range(leader: str, reach: int) -> None:
    assert modifiers("g1 ger_rifle D2 shaken", f"g2 {leader} D{2 + reach}") == {"leader": 1}
    assert modifiers("g1 ger_rifle D2 shaken", f"g2 {leader} D{3 + reach}") == {}


@pytest.mark.rule("ost", "13.3", "70.7")
def test_a_six_rallies_a_shaken_unit_near_its_leader() -> None:
    session = rally("g1 ger_rifle D4 shaken", "g2 ger_sgt D5", dice=(3, 3))
    assert unit(session, "g1").morale == GOOD


@pytest.mark.rule("ost", "70.9", "15.11")
def test_two_leaders_help_no_more_than_one() -> None:
    assert modifiers("g1 ger_rifle D4 shaken", "g2 ger_sgt D4", "g3 ger_maj D4") == {"leader": 1}


@pytest.mark.rule("ost", "13.3", "15.15")
def test_a_leader_helps_another_leader_but_not_himself() -> None:
    assert modifiers("g1 ger_lt D4 broken", "g2 ger_sgt D5") == {"leader": 1}
    assert modifiers("g1 ger_lt D4 shaken") == {}
    session = rally("g1 ger_lt D4 broken", "g2 ger_sgt D5", dice=(4, 4))
    assert unit(session, "g1").morale == GOOD


@pytest.mark.rule("ost", "13.3")
@pytest.mark.parametrize("morale", ["shaken", "broken"])
def test_a_leader_without_good_order_helps_nobody(morale: str) -> None:
    assert modifiers("g1 ger_rifle D4 shaken", f"g2 ger_sgt D5 {morale}") == {}


@pytest.mark.rule("ost", "14.2", "14.0", "14.1", "14.0b")
def test_a_leader_of_another_branch_helps_to_rally_and_nothing_else() -> None:
    """E-7: an Airborne Lieutenant attached to an Army squad."""
    army = ("a1 us_rifle D4{}", "a2 us_ab_lt - attached=a1", "g1 ger_rifle D7", "g2 ger_pz4h D6")
    units = [army[0].format(" with=us_bazooka"), *army[1:]]
    session = position(*units, dice=NOTHING)
    shoot(session, "a1", "g1 own")
    assert lines(tally(session, "attack roll")) == {}
    session = position(*units, dice=(3, 4, *NOTHING))
    shoot(session, "a1", "g2 w1")
    assert lines(tally(session, "To Hit roll")) == lines(tally(session, "attack roll")) == {}
    session = position(army[0].format(" shaken"), army[1], "g1 ger_rifle D7", dice=FAIL)
    answer(session, "rally a1")
    assert lines(tally(session, "rally modifiers")) == {"leader": 1}
    session = position("a1 us_airborne D4", army[1], "g1 ger_rifle D7", dice=NOTHING)  # his own branch
    shoot(session, "a1", "g1 own")
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1}


@pytest.mark.rule("ost", "14.4b", "14.1", "15.9")
@pytest.mark.parametrize(
    ("squad", "leader", "helps"),
    [
        ("us_rifle", "us_sgt", True),
        ("us_airborne", "us_sgt", False),
        ("ger_rifle", "ger_ss_sgt", False),
        ("ger_ss", "ger_ss_sgt", True),
        ("ger_ss", "ger_sgt", False),
        ("sov_guards", "sov_sgt", False),
        ("sov_rifle", "sov_g_sgt", False),
        ("brit_rifle", "cw_sgt", False),
        ("cw_rifle", "cw_sgt", True),
        pytest.param("sov_rifle", "sov_commissar", True, marks=pytest.mark.rule("ost", "14.4")),
        pytest.param("sov_guards", "sov_commissar", True, marks=pytest.mark.rule("ost", "14.4")),
        pytest.param("sov_partisan", "sov_commissar", True, marks=pytest.mark.rule("ost", "14.4")),
    ],
)
def test_branches_and_the_leaders_who_help_them_in_combat(squad: str, leader: str, helps: bool) -> None:
    enemy = "us_rifle" if squad.startswith("ger") else "ger_rifle"
    session = position(f"x1 {squad} D4", f"x2 {leader} - attached=x1", f"y1 {enemy} D6", dice=NOTHING)
    shoot(session, "x1", "y1 own")
    assert lines(tally(session, "attack roll")) == ({"attached_leader": 1} if helps else {})


@pytest.mark.rule("ost", "16.2", "13.4")
def test_armor_leaders_help_vehicles_and_leaders_do_not() -> None:
    panzer = "g2 ger_pz4h {}", "g3 ger_arm_lt - attached=g2"
    assert modifiers("g1 ger_pz4h D2 shaken", panzer[0].format("D5"), panzer[1]) == {"leader": 1}
    assert modifiers("g1 ger_pz4h D2 shaken", panzer[0].format("D6"), panzer[1]) == {}
    assert modifiers("g1 ger_rifle D2 shaken", panzer[0].format("D3"), panzer[1]) == {}
    assert modifiers("g1 ger_pz4h D2 shaken", "g2 ger_maj D3") == {}


@pytest.mark.rule("ost", "16.2")
def test_an_armor_leader_helps_his_own_shaken_vehicle() -> None:
    assert modifiers("g1 ger_pz4h D2 shaken", "g2 ger_arm_lt - attached=g1") == {"leader": 1}


@pytest.mark.rule("ost", "70.9")
@pytest.mark.parametrize(
    ("unit_words", "place", "sheltered"),
    [
        ("ger_rifle D4", {"terrain": {"woods": "D4"}}, True),
        ("ger_rifle D4", {"terrain": {"light_structure": "D4"}}, True),
        ("ger_rifle D4", {"rubble": "D4", "terrain": {"heavy_structure": "D4"}}, True),
        ("ger_rifle D4", {"terrain": {"brush": "D4"}}, False),
        ("ger_rifle D4", {"works": ["trench D4"]}, True),
        ("ger_rifle D4", {"works": ["foxholes D4"]}, True),
        ("ger_rifle D4", {"works": ["cover D4 german"]}, True),
        ("ger_rifle D4", {"works": ["wire D4"]}, False),
        ("ger_rifle D4 inside", {"works": ["bunker D4"]}, True),
        ("ger_rifle D4", {"works": ["bunker D4"]}, False),
        ("ger_pz4h D4", {"terrain": {"woods": "D4"}}, True),
        ("ger_pz4h D4", {"works": ["cover D4 german"]}, True),
        ("ger_pz4h D4", {"works": ["trench D4"]}, False),
    ],
)
def test_shelter_helps(unit_words: str, place: dict[str, Any], sheltered: bool) -> None:
    assert modifiers(f"g1 {unit_words} shaken", **place) == ({"in_cover": 1} if sheltered else {})


@pytest.mark.rule("ost", "70.9")
@pytest.mark.parametrize(
    ("enemy", "hinders"),
    [
        ("us_rifle D5", True),
        ("us_rifle D5 shaken", True),
        ("us_rifle D5 broken", False),
        ("us_rifle D5 hidden", False),
        ("us_sgt D5", False),
        ("us_truck D5", False),
        ("us_m4a1 D5", True),
        ("us_rifle D6", False),
    ],
)
def test_an_adjacent_enemy_hinders(enemy: str, hinders: bool) -> None:
    assert modifiers("g1 ger_rifle D4 shaken", f"a2 {enemy}") == ({"enemy_adjacent": -1} if hinders else {})


@pytest.mark.rule("ost", "70.9")
def test_rally_modifiers_add_up() -> None:
    units = ("g1 ger_rifle D4 shaken reduced", "g2 ger_sgt D4", "a2 us_rifle D5")
    everything = {"leader": 1, "in_cover": 1, "enemy_adjacent": -1, "reduced": -1}
    assert modifiers(*units, terrain={"woods": "D4"}) == everything
    assert unit(rally(*units, terrain={"woods": "D4"}, dice=(3, 4)), "g1").morale == GOOD
    assert unit(rally("g1 ger_rifle D4 shaken reduced", dice=(3, 4)), "g1").morale == SHAKEN


# ---- 71: Free Rally ---------------------------------------------------------------------------------------


@pytest.mark.rule("ost", "71.1", "71.2", "70.6", "111.6")
def test_every_shaken_or_broken_unit_of_both_sides_rallies_free_at_the_start_of_a_turn() -> None:
    session = position(
        "g1 ger_rifle D4 shaken",
        "g2 ger_rifle E4 broken",
        "g3 ger_rifle F4",
        "a1 us_rifle J1 broken",
        "a2 us_sgt J2",
        phase="rally",
        dice=(3, 4, 4, 4, 4, 4, *NEXT_TURN),
    )
    rolls = rolled(session, "Rally")
    assert [(roll.unit, roll.side) for roll in rolls] == [("g1", "german"), ("g2", "german"), ("a1", "american")]
    assert [unit(session, id).morale for id in ("g1", "g2", "a1")] == [GOOD, SHAKEN, GOOD]
    assert lines(rolls[2].tallies[1]) == {"leader": 1}  # 8 + 1 rallies a Broken unit
    assert not happened(session, turn_events.Spent)


@pytest.mark.rule("ost", "71.1", "101.3")
def test_units_in_melee_have_no_free_rally() -> None:
    units = ("g1 ger_rifle D4 shaken", "a1 us_rifle D4", "g2 ger_rifle E1 shaken")
    session = position(*units, melees=["D4 german turn=6"], phase="rally", dice=(6, 6, *NEXT_TURN))
    assert [roll.unit for roll in rolled(session, "Rally")] == ["g2"]


@pytest.mark.rule("ost", "71.1", "90.4")
def test_the_free_rally_of_the_next_turn_is_open_after_intensive_fire() -> None:
    units = ("g1 ger_rifle D4 shaken intensive used", "a1 us_rifle J8")
    session = position(*units, points={"german": 1, "american": 0}, seed=b"free")
    assert keys(session, "rally") == []
    answer(session, "burn")
    while not rolled(session, "Rally"):
        answer(session, keys(session)[-1])
    assert rolled(session, "Rally")[0].unit == "g1"
    assert "71.1" in rolled(session, "Rally")[0].rules


@pytest.mark.rule("ost", "70.4", "65.3")
def test_a_unit_that_rallies_in_a_control_hex_takes_it() -> None:
    session = rally("g1 ger_rifle D4 shaken", dice=(5, 5), control={"D4": "american"})
    assert state(session).control["D4"] == "german"
    assert shots(session, "g1") == []
