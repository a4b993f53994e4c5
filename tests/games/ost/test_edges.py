"""Edges of the rules: just enough points, the second of a group, who counts and who does not, what stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.games.ost import (
    airborne,
    assault,
    attacks,
    combat_events,
    fire_groups,
    fortifications,
    group_move,
    move_events,
    opportunity_fire,
    results,
    retreats,
    terrain,
    turn_events,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import roster
from grognard.games.ost.state import GOOD, LOST, SHAKEN, Unit
from tests.games.ost.helpers import answer, battle, happened, keys, lines, position, rolled, run, state, tally, unit
from tests.games.ost.marches import left, march, offered
from tests.games.ost.shots import FAIL, NOTHING, PASS, VCT, dice_for, shots

rule = pytest.mark.rule


# ---- movement -----------------------------------------------------------------------------------------


@rule("ost", "75.4", "75.5", "75.9", "76.9", "30.2", "28.5", "38.2", "49.3")
def test_what_is_offered_is_what_is_paid() -> None:
    """The quick price of a step and the one that is paid line by line are the same, for everybody everywhere."""
    session = march(
        "g1 ger_rifle D4 inside",
        "g2 ger_truck D4 f=1",
        "g3 ger_pz4h E5 f=1",
        terrain={"woods": "C4", "brush": "D5", "marsh": "E4", "stream": "F5", "farm": "C5"},
        levels={2: "D3, F4", 3: "E6"},
        hexsides={"hedge": "D4|D5", "stone_wall": "D4|E4", "bocage": "E5|F5"},
        roads=["C4, D4, E5, E6"],
        buildings=["light_structure F6", "heavy_structure E6 level=2"],
        works=["bunker D4 german", "wire D3 american", "roadblock F4", "trench C5 german"],
    )
    ours, looked = battle(session), 0
    for id in ("g1", "g2", "g3"):
        mover = unit(session, id)
        for hex in ours.grid.adjacent[mover.hex]:
            for road in (None, True, False):
                for reverse in (False, True):
                    cost = terrain.entry_cost(ours, mover, mover.hex, hex, road=road, reverse=reverse)
                    bar = terrain.bar_entry(ours, mover, mover.hex, hex, road=road)
                    assert isinstance(cost, terrain.Cost) == (bar is None)
                    if isinstance(cost, terrain.Cost):
                        looked += 1
                        points = terrain.entry_points(ours, mover, mover.hex, hex, road=road, reverse=reverse)
                        assert points == cost.points == cost.tally.total, (id, hex, road, reverse)
    assert looked > 60
    rifle = {hex: terrain.entry_points(ours, unit(session, "g1"), "D4", hex) for hex in ours.grid.adjacent["D4"]}
    assert rifle == {"D3": 2 + 2 + 2 + 2, "E4": 4 + 2 + 2, "E5": 2 + 2, "D5": 2 + 2 + 2, "C5": 2 + 2, "C4": 2 + 2}
    tank = terrain.entry_cost(ours, unit(session, "g3"), "E5", "E6", road=True)
    assert isinstance(tank, terrain.Cost) and lines(tank.tally) == {"level": 4} and tank.tally.base == 1


@rule("ost", "76.6", "76.8")
def test_the_last_point_is_enough_for_a_pivot() -> None:
    session = march("g1 ger_pz4h D1 f=4", map="open 10x20")
    answer(session, "move g1")
    for row in range(2, 7):
        answer(session, f"step D{row}", "face 4")
    assert left(session) == "1" and len(keys(session, "pivot")) == 5
    answer(session, "step D7", "face 4")
    assert session.ask is not None and session.ask.quiet, "nothing is left to do"


@rule("ost", "79.8", "79.11", "75.3")
def test_whoever_gets_on_has_moved_and_goes_no_further() -> None:
    session = march("g1 ger_truck D5 f=1", "g2 ger_rifle D4")
    answer(session, "move g2", "step D5", "load g1")
    assert session.ask is not None and session.ask.quiet and unit(session, "g2").aboard == "g1"
    assert unit(session, "g2").moved
    still = march("g1 ger_truck D5 f=1", "g2 ger_rifle D5")
    answer(still, "move g2", "load g1")
    assert unit(still, "g2").moved and not unit(still, "g2").new_hex, "it came into no other hex"
    down = march("g1 ger_truck D5 f=1", "g2 ger_rifle D5 aboard=g1")
    answer(down, "move g2", "unload")
    assert unit(down, "g2").moved and unit(down, "g2").new_hex


@rule("ost", "80.7", "27.2")
@pytest.mark.parametrize(("flags", "dice"), [("", (*dice_for("S", 1), *FAIL)), ("reduced", (6, 6))])
def test_a_group_stops_where_mines_stop_or_kill_one_of_it(flags: str, dice: tuple[int, ...]) -> None:
    for first in (True, False):
        hurt, whole = ("g1", "g2") if first else ("g2", "g1")
        kinds = {hurt: f"ger_rifle D4 {flags}", whole: "ger_pioneer D4"}
        session = march(
            f"g1 {kinds['g1']}",
            f"g2 {kinds['g2']}",
            f"g3 ger_sgt D4 attached={whole}",
            mines=["D5 american"],
            dice=dice,
        )
        answer(session, "group_move g1 g2", "step D5")
        assert session.ask is not None and session.ask.quiet, "the Move is over"
        assert unit(session, whole).hex == "D5" and unit(session, whole).moved and unit(session, whole).morale == GOOD
        assert unit(session, hurt).morale == SHAKEN or unit(session, hurt).status == LOST


@rule("ost", "62.4", "75.6")
@pytest.mark.parametrize("kind", ["ger_pz4h D4 f=4", "ger_hmg42 D4", "ger_rifle D4 shaken"])
def test_double_time_is_for_squads_in_good_order(kind: str) -> None:
    plain, helped = march(f"g1 {kind}"), march(f"g1 {kind}", boons=["german:double_time"])
    for session in (plain, helped):
        answer(session, "move g1")
    assert left(plain) == left(helped)


@rule("ost", "81.10", "101.3")
def test_rolling_cover_is_not_lifted_in_a_melee() -> None:
    pair = ("g1 ger_rifle D4 partner=g2", "g2 ger_pz4h D4 f=1 partner=g1")
    session = march(*pair, "a1 us_rifle D4", melees=["D4 german"])
    assert group_move.bar_lift(battle(session), unit(session, "g1")) is not None
    free = march(*pair)
    assert group_move.bar_lift(battle(free), unit(free, "g1")) is None
    assert group_move.bar_lift(battle(free), unit(free, "z9")) is not None, "it is in no Rolling Cover"


# ---- assaults -----------------------------------------------------------------------------------------


GROUP = ("g1 ger_rifle D4", "g2 ger_pioneer D4", "g3 ger_lt D4 attached=g1")


@rule("ost", "82.8", "82.9")
def test_two_points_are_enough_for_a_group_assault_and_both_must_reach_the_hex() -> None:
    session = march(*GROUP, "a1 us_rifle D5", points={"german": 2, "american": 0})
    assert keys(session, "group_assault") == ["group_assault g1 g2 D5"]
    answer(session, "group_assault g1 g2 D5")
    assert state(session).points["german"] == 0
    assert not keys(march(*GROUP, "a1 us_rifle D5", points={"german": 1, "american": 0}), "group_assault")
    apart = march("g1 ger_rifle D4", "g2 ger_pz4h D3 f=4", "g3 ger_lt D4 attached=g1", "a1 us_rifle D5")
    assert not keys(apart, "group_assault"), "the tank is two hexes away"


@rule("ost", "30.5", "77.2", "82.1")
def test_only_vehicles_bog_and_crush_wire_in_an_assault() -> None:
    foot = march("g1 ger_rifle D4", "a1 us_rifle D5", works=["wire D5"])
    answer(foot, "assault g1 D5")
    assert "D5" in state(foot).works and not rolled(foot)
    lost = march(
        "g2 ger_sdkfz251 D4 f=4", "a1 us_rifle D5", terrain={"marsh": "D5"}, mines=["D5 american"], dice=(6, 6)
    )
    answer(lost, "assault g2 D5")
    assert unit(lost, "g2").status == LOST and not rolled(lost, "Bog roll")


@rule("ost", "73.8", "82.6")
def test_hidden_enemies_beside_the_one_that_is_assaulted_come_to_light() -> None:
    session = march("g1 ger_rifle D4", "a1 us_rifle D5", "a2 us_rifle D5 hidden")
    answer(session, "assault g1 D5")
    assert not unit(session, "a2").hidden and [e.unit for e in happened(session, move_events.Revealed)] == ["a2"]


# ---- fire ---------------------------------------------------------------------------------------------


@rule("ost", "92.1", "92.2")
def test_the_leader_of_a_fire_group_may_be_with_the_later_unit() -> None:
    units = ("g1 ger_rifle D3", "g2 ger_rifle D3 with=ger_lmg", "g3 ger_sgt - attached=g2", "a1 us_rifle D5")
    session = position(*units, dice=(*NOTHING, *PASS))
    assert keys(session, "fire_group") == ["fire_group g2 g1"]
    answer(session, "fire_group g2 g1", "at a1", "with own+w1")
    assert state(session).weapons["w1"].used_by == "g2", "nobody else uses it this turn (20.9)"
    both = position(*units[:3], "g4 ger_lt - attached=g1", units[3])
    assert keys(both, "fire_group") == ["fire_group g1 g2"], "the same pair once"


@rule("ost", "73.8", "73.9", "105.8")
def test_a_group_that_was_stumbled_over_ambushes() -> None:
    session = position(
        "g1 ger_rifle D4",
        "a1 us_rifle D5 hidden",
        "a2 us_lt - attached=a1 hidden",
        "a3 us_rifle D5 hidden",
        dice=(*NOTHING, *PASS),
    )
    answer(session, "move g1", "step D5", "fire_group a1 a3 at g1")
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1, "ambush_roll": 1}
    assert lines(tally(session, "Firepower"))["ambush_fp"] == 1


@rule("ost", "92.8", "92.5")
def test_why_a_group_does_not_reach_its_target() -> None:
    guns = ("g1 ger_pak40 D3 f=4", "g2 ger_sgt - attached=g1", "g3 ger_pak38 D3 f=4")
    for group, target, cited in (
        (guns, "us_m4a1 D5", "92.8"),
        (("g1 ger_rifle D3", guns[1], "g3 ger_rifle D3"), "us_rifle J8", "92.5"),
    ):
        session = position(*group, f"a1 {target} f=1" if "m4" in target else f"a1 {target}")
        found = fire_groups.bar_group(battle(session), *(unit(session, id) for id in ("g1", "g3", "a1")))
        assert found is not None and found.rule == cited


@rule("ost", "105.3", "105.6", "94.2")
def test_a_reduced_mover_goes_on_when_the_fire_does_nothing() -> None:
    session = position("g1 ger_hmg42 D1", "a1 us_rifle D5 reduced", active="american", dice=NOTHING)
    answer(session, "move a1", "step D4", "g1 at a1 own")
    assert session.ask is not None and session.ask.side == "american" and not session.ask.quiet


@rule("ost", "105.3", "96.4", "69.3")
@pytest.mark.parametrize(("check", "goes_on"), [(PASS, True), (FAIL, False)])
def test_a_vehicle_whose_crew_keeps_its_nerve_drives_on(check: tuple[int, int], goes_on: bool) -> None:
    dice = (6, 5, *dice_for("S", 4 - 5, chart=VCT), *check)
    session = position("g1 ger_pak36 D1 f=4", "a1 us_m4a1 D5 f=1", active="american", dice=dice)
    answer(session, "move a1", "step D4", "g1 at a1 main")
    assert session.ask is not None and session.ask.quiet is not goes_on


@rule("ost", "110.1", "110.3")
def test_machine_guns_bring_no_building_down() -> None:
    house: dict[str, Any] = {"buildings": ["light_structure D5"]}
    heavy = next(kind.id for kind in roster().values() if kind.vehicle and kind.collapse and kind.secondary.fp)
    side, foe = ("german", "us_rifle") if heavy.startswith("ger") else ("soviet", "ger_rifle")
    session = position(f"g1 {heavy} D3 f=4", f"a1 {foe} D5", sides=[side, "american" if side == "german" else "german"],
                       dice=(*NOTHING, *NOTHING, 1), **house)  # fmt: skip
    answer(session, "fire g1", "at a1 mg", "hold")
    assert rolled(session, "ICT attack") and not rolled(session, "collapse")


@rule("ost", "20.9", "20sc.1", "20mo.3")
def test_a_weapon_that_was_thrown_or_lobbed_is_used_this_turn() -> None:
    session = march("g1 ger_rifle D1 with=ger_mortar50", "a1 us_rifle D6", dice=(6, *NOTHING))
    answer(session, "fire g1", "shell w1 D6")
    assert state(session).weapons["w1"].used_by == "g1"
    taken = march("g1 ger_rifle D1 with=ger_mortar50", "g2 ger_rifle D1", "a1 us_rifle D6", dice=(6, *NOTHING))
    answer(taken, "fire g1", "shell w1 D6")
    state(taken).weapons["w1"].unit = "g2"
    assert not any("w1" in shot for shot in shots(taken, "g2")), "another squad has used it"


@rule("ost", "20.1", "101.2", "20sc.1")
def test_satchels_are_thrown_by_squads_and_not_into_a_melee() -> None:
    session = march("g1 ger_pioneer D4 with=ger_satchel", "a1 us_rifle D5", "g2 ger_rifle D5", melees=["D5 german"])
    assert not any("satchel" in shot for shot in shots(session, "g1"))
    gun = march("g1 ger_hmg42 D4", "a1 us_rifle D5", weapons=["w1 ger_satchel D4"])
    state(gun).weapons["w1"].unit, state(gun).weapons["w1"].hex = "g1", ""
    assert not any("satchel" in shot for shot in shots(gun, "g1"))


@rule("ost", "18.1", "18.7")
def test_sustained_fire_reaches_both_targets_or_none() -> None:
    session = position("g1 ger_hmg42 D1", "a1 us_rifle D4", "a2 us_rifle E5", "a3 us_rifle D7")
    found = [shot for shot in shots(session, "g1") if shot.startswith("sustained")]
    assert "sustained a1 a2" in found and "sustained a1 a1" in found
    assert not any(set(shot.split()[1:]) == {"a1", "a3"} for shot in found), "D4 and D7 are not adjacent"
    assert len(found) == len(set(found)) == 5, "each order of two that are near, and each alone"


# ---- losses -------------------------------------------------------------------------------------------


def knocked_out(*units: str, dice: tuple[int, ...], **more: Any) -> Session:
    """A PaK 40 in D3 destroys the vehicle a1 in D5."""
    session = position("g1 ger_pak40 D3 f=4", *units, "a9 us_rifle J8", dice=(6, 5, 6, 6, *dice), **more)
    answer(session, "fire g1", "at a1 main")
    return session


@rule("ost", "99.3", "72.1", "72.4")
def test_a_crew_for_which_there_is_no_room_stands_in_the_next_hex_that_has_some() -> None:
    """The passenger and the squad beside the tank fill its hex; the crew lives on a six."""
    units = ("a1 us_m4a1 D5 f=1", "a2 us_rifle - aboard=a1", "a3 us_rifle D5")
    around = battle(position("g1 ger_rifle A1", "a1 us_rifle J8")).grid.adjacent["D5"]
    assert list(around) == ["D4", "E5", "E6", "D6", "C6", "C5"]

    def where(*more: str, **ground: Any) -> str:
        session = knocked_out(*units, *more, dice=(6, *NOTHING), **ground)
        crews = [u for u in state(session).units.values() if u.kind == "us_crew"]
        assert len(crews) == 1 and not crews[0].on_road
        return crews[0].hex

    assert where() == "D4"
    assert where("g2 ger_rifle D4") == "E5", "not among enemies"
    assert where("a4 us_rifle D4", "a5 us_rifle D4") == "E5", "nor where it is full"
    assert where(terrain={"river": "D4, E5"}) == "E6", "nor in deep water"
    assert where("a4 us_rifle D4", "g2 ger_rifle D4", melees=["D4 german"]) == "E5", "nor into a Melee"
    lost = knocked_out(*units, dice=(6, *NOTHING), terrain={"river": "C5-C6, D4, D6, E5-E6"})
    assert not [u for u in state(lost).units.values() if u.kind == "us_crew"]
    assert state(lost).casualties["german"] == 2, "no room: it is lost with its vehicle"


@rule("ost", "15.12", "79.3", "79.21")
def test_an_orphaned_leader_joins_nobody_in_another_place() -> None:
    session = position(
        "g1 ger_hmg42 D3",
        "a1 us_m3a1ht D5 f=1",
        "a2 us_rifle - aboard=a1 reduced",
        "a3 us_sgt - attached=a2",
        "a4 us_rifle D5",
        "a9 us_rifle J8",
        dice=(6, 6, 6),
    )
    answer(session, "fire g1", "at a2 own")
    assert unit(session, "a2").status == LOST and unit(session, "a3").attached == ""
    assert [event.rules for event in happened(session, move_events.Detached)] == [("15.12",)]


@rule("ost", "100.2", "100.3", "79.20", "79.21")
@pytest.mark.parametrize(("roll", "column", "cited"), [((6, 6), -4, "100.2"), ((1, 1), -5, "100.3")])
def test_collateral_damage_cites_its_column(roll: tuple[int, int], column: int, cited: str) -> None:
    dice = (6, 5, *roll, *((1,) if roll == (6, 6) else ()), *NOTHING)
    session = position(
        "g1 ger_pak40 D3 f=4", "a1 us_m4a1 D5 f=1", "a2 us_rifle - aboard=a1", "a9 us_rifle J8", dice=dice
    )
    answer(session, "fire g1", "at a1 main")
    (hit,) = rolled(session, "ICT attack")
    assert (hit.unit, hit.tallies[0].total, hit.rules) == ("a2", column, ("93.4", cited, "100.1"))


@rule("ost", "96.3", "96.4", "94.3", "94.4", "94.1", "94.2")
@pytest.mark.parametrize(("result", "vct", "ict"), [("S", "96.4", "94.4"), ("B", "96.3", "94.3")])
def test_morale_results_cite_their_line(result: str, vct: str, ict: str) -> None:
    tank = position("g1 ger_pak36 D3 f=4", "a1 us_m4a1 D5 f=1", dice=(6, 5, *dice_for(result, -1, chart=VCT), *FAIL))
    answer(tank, "fire g1", "at a1 main")
    squad = position("g1 ger_rifle D3", "a1 us_rifle D5", dice=(*dice_for(result, 0), *FAIL))
    answer(squad, "fire g1", "at a1 own")
    kind = combat_events.Shaken if result == "S" else combat_events.Broken
    for session, cited in ((tank, vct), (squad, ict)):
        (event,) = happened(session, kind)
        assert cited in event.rules


@rule("ost", "27.3", "10.3", "27.2")
def test_who_finds_mines_is_told_by_the_rule() -> None:
    for kind, cited in (("ger_pioneer", ("27.3", "10.3")), ("ger_rifle", ("27.2",))):
        session = march(f"g1 {kind} D4", mines=["D5 american"], dice=NOTHING)
        answer(session, "move g1", "step D5")
        (event,) = happened(session, move_events.MinesRevealed)
        assert (event.place, event.rules) == ("D5", cited)
        assert bool(rolled(session, "ICT attack")) is (kind == "ger_rifle")


@rule("ost", "10.4", "27.4", "30.6", "31.4")
def test_what_engineers_can_clear() -> None:
    for ground, found in (
        ({"works": ["wire D4"]}, ["wire"]),
        ({"works": ["roadblock D4"]}, ["roadblock"]),
        ({"works": ["trench D4"]}, []),
        ({"works": ["bunker D4 german"]}, []),
        ({"mines": ["D4 american revealed"]}, ["mines"]),
        ({"mines": ["D4 american"]}, []),
        ({"mines": ["D4 german"], "works": ["wire D4"]}, ["mines", "wire"]),
    ):
        session = march("g1 ger_pioneer D4", "g2 ger_rifle D4", **ground)
        assert fortifications.obstacles(battle(session), unit(session, "g1")) == found
        assert keys(session, "clear") == [f"clear g1 {obstacle}" for obstacle in found]


@rule("ost", "67.2", "10.2", "10.4", "28.8", "92.4")
def test_after_an_action_the_other_side_has_the_impulse() -> None:
    for key, flags, ground in (
        (("engineer_smoke g1", "smoke D5"), "", {}),
        (("clear g1 mines",), "", {"mines": ["D4 american revealed"]}),
        (("demolish g1",), "inside", {"works": ["bunker D4 german"]}),
        (("cover g1",), "", {}),
        (("fire_group g1 g2", "at a2"), "", {}),
        (("move g1", "step D3", "stop"), "", {}),
    ):
        session = position(
            f"g1 ger_pioneer D4 {flags}",
            f"g2 ger_rifle D4 {flags}",
            "g3 ger_sgt - attached=g1",
            "a1 us_rifle J8",
            "a2 us_truck F7 f=1",
            dice=NOTHING,
            **ground,  # type: ignore[arg-type]
        )
        answer(session, *key)
        assert session.ask is not None and (session.ask.side, session.ask.reaction) == ("american", ""), key


@rule("ost", "85.6", "85.7")
def test_which_landings_are_hard() -> None:
    hard = {"woods": "85.6", "orchard": "85.6", "stream": "85.6", "brush": "85.7", "marsh": "85.7", "rubble": "85.7"}
    for ground, cited in hard.items():
        session = position("a1 us_airborne D4", "g1 ger_rifle J8", terrain={ground: "D4"})
        column = airborne.landing_column(battle(session), "D4")
        assert column == (-3 if cited == "85.6" else -5)
    assert airborne.landing_column(battle(position("a1 us_rifle D4", "g1 ger_rifle J8")), "D4") is None


@rule("ost", "105.0", "105.10", "12.4")
def test_whom_opportunity_fire_may_take() -> None:
    session = march(
        "g1 ger_truck D4 f=1", "g2 ger_rifle - aboard=g1", "g3 ger_sgt - attached=g2", "g4 ger_rifle E4", "g5 ger_lt E4"
    )
    ours = battle(session)
    found = opportunity_fire._targets(ours, [unit(session, "g1")])
    assert [each.id for each in found] == ["g1", "g2", "g3"]
    assert [each.id for each in opportunity_fire._targets(ours, [unit(session, "g4")])] == ["g4"]
    unit(session, "g4").status = LOST
    assert opportunity_fire._targets(ours, [unit(session, "g4")]) == []


@rule("ost", "21.17")
@pytest.mark.parametrize(
    ("result", "dice", "falls"), [("S", PASS, False), ("S", FAIL, True), ("X", (), True), ("", (), False)]
)
def test_an_exposed_crew_stops_only_if_it_falls(result: str, dice: tuple[int, ...], falls: bool) -> None:
    session = position("g1 ger_rifle D3", "a1 us_m18 D5 f=1", dice=dice)
    effect = results.apply_to_crew(battle(session), unit(session, "a1"), result)
    assert (effect.suffered, effect.halted) == (falls, falls) and bool(unit(session, "a1").morale) is falls


@rule("ost", "67.5", "7.0")
def test_what_is_spent_is_told() -> None:
    session = march("g1 ger_rifle D4")
    answer(session, "move g1", "step D5", "stop")
    (spent,) = happened(session, turn_events.Spent)
    assert (spent.side, spent.points, spent.left, spent.rules) == ("german", 1, 8, ("67.2",))
    assert offered(session, "burn") or session.ask is not None


@rule("ost", "82.2", "82.8")
def test_each_of_an_assaulting_group_must_be_next_to_the_hex() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pz4h D3 f=4", "g3 ger_lt D4 attached=g1", "a1 us_rifle D5")
    for first, second in (("g1", "g2"), ("g2", "g1")):
        found = assault.bar_group_assault(battle(session), unit(session, first), unit(session, second), "D5")
        assert found is not None and found.rule == "75.1"


@rule("ost", "86.4", "95.9")
def test_firepower_at_a_vehicle_never_falls_below_one_either() -> None:
    session = position(
        "g1 ger_security D2 reduced shaken",
        "a1 us_truck D5 f=1",
        terrain={"brush": "D3, D4"},
        smoke={"D2": 1},
        dice=NOTHING,
    )
    answer(session, "fire g1", "at a1 own")
    firepower = tally(session, "Firepower", "VCT attack")
    assert firepower.total == 1 and lines(firepower)["minimum"] > 0


@rule("ost", "29.8")
def test_a_pillbox_shelters_only_who_is_in_it_from_fire_past_its_arc() -> None:
    for flags, seen in (("inside", False), ("", True)):
        session = march("g1 ger_rifle D7", f"a1 us_rifle D4 {flags}", works=["pillbox D4 american facing=1"])
        assert ("a1 own" in shots(session, "g1")) is seen


@rule("ost", "92.9", "89.1")
def test_moving_fire_counts_once_for_a_group_that_moved() -> None:
    units = ("g1 ger_rifle D3 moved", "g2 ger_sgt - attached=g1", "g3 ger_rifle D3 moved", "a1 us_rifle D5")
    session = position(*units, dice=NOTHING)
    answer(session, "fire_group g1 g3", "at a1")
    assert lines(tally(session, "attack roll")) == {"attached_leader": 1, "moving_fire": -1}
    assert tally(session, "attack roll").total == 0


@rule("ost", "95.16", "95.18")
def test_a_target_is_acquired_once() -> None:
    session = march("g1 ger_pak40 D3 f=4", "a1 us_m4a1 D6 f=1", dice=(1, 1, 1, 1))
    answer(session, "fire g1", "at a1 main", "fire g1", "at a1 main")
    assert unit(session, "g1").acquired == "a1"
    assert lines(tally(session, "To Hit roll"))["acquired_target"] == 1


@rule("ost", "17.3", "17.4", "75.3")
def test_a_gun_that_a_group_mans_is_marked_moved() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_pioneer D4", "g3 ger_lt D4 attached=g1", "g9 ger_pak40 D5 unmanned f=1")
    answer(session, "group_move g1 g2", "step D5", "man g9 g2")
    marked = [(event.unit, event.marker) for event in happened(session, turn_events.Marked)]
    assert sorted(marked) == [("g1", "Moved"), ("g9", "Moved")]


@rule("ost", "13.3", "15.11", "101.3", "70.9")
def test_who_helps_to_rally() -> None:
    def helped(*leaders: str, **more: Any) -> bool:
        session = march("g1 ger_rifle D4 shaken", *leaders, dice=PASS, **more)
        answer(session, "rally g1")
        return "leader" in lines(tally(session, "rally modifiers"))

    reach = roster()["ger_sgt"].command_range
    assert helped("g2 ger_sgt D4") and helped(f"g2 ger_sgt D{4 + reach}") and not helped(f"g2 ger_sgt D{5 + reach}")
    assert not helped("g2 ger_sgt D5 shaken") and not helped("g2 ger_arm_lt D5 attached=g3", "g3 ger_pz4h D5 f=1")
    assert not helped("g2 ger_sgt D5", "a1 us_rifle D5", melees=["D5 german"]), "he is locked in a Melee"
    assert not helped("g2 ger_sgt D5 hidden")
    alone = march("g2 ger_sgt D4 shaken", dice=PASS)
    answer(alone, "rally g2")
    assert "leader" not in lines(tally(alone, "rally modifiers")), "nobody helps himself"


@rule("ost", "104.3", "82.6")
def test_a_duel_is_fought_in_the_melee_phase() -> None:
    tanks = ("g1 ger_pz4h D4 f=4", "a1 us_m4a1 D5 f=1")
    waiting = position(*tanks, points={"german": 2, "american": 0})
    answer(waiting, "assault g1 D5")
    assert not rolled(waiting) and state(waiting).phase == "play", "not before the Impulses are over"
    session = position(*tanks, points={"german": 1, "american": 0}, dice=(6, 5, 6, 6, 1, 1, 1, 1, *PASS))
    answer(session, "assault g1 D5")
    begun = [index for index, event in enumerate(session.log) if isinstance(event, turn_events.Phase)]
    fought = [index for index, event in enumerate(session.log) if event in rolled(session, "duel initiative")]
    assert state(session).phase == "melee" and begun and begun[0] < min(fought)
    assert [roll.side for roll in rolled(session, "duel shot")] == ["american", "german"]


@rule("ost", "15.9", "15.10", "16.5", "68.2")
@pytest.mark.parametrize(("flags", "bonus"), [("", {"attached_leader": 1}), ("shaken", {}), ("broken", {})])
def test_only_a_leader_in_good_order_helps_in_combat(flags: str, bonus: dict[str, int]) -> None:
    session = march("g1 ger_rifle D4", f"g2 ger_sgt - attached=g1 {flags}", "a1 us_rifle D6", dice=NOTHING)
    answer(session, "fire g1", "at a1 own")
    assert lines(tally(session, "attack roll")) == bonus


@pytest.mark.parametrize(("guns", "fits"), [("0", True), ("1", False), ("-1", False)])
def test_a_position_names_only_guns_that_a_vehicle_has(guns: str, fits: bool) -> None:
    if fits:
        assert unit(march(f"g1 ger_pz4h D4 f=1 guns_out={guns}"), "g1").guns_out == (int(guns),)
    else:
        with pytest.raises(MalformedError):
            march(f"g1 ger_pz4h D4 f=1 guns_out={guns}")


# ---- what happens seldom -----------------------------------------------------------------------------------


@rule("ost", "100.1", "80.7", "81.3")
@pytest.mark.parametrize(("faces", "halted"), [((1, 1, 6, 6, 1, 1, 1, 1), True), ((1, 1, 1, 1), False)])
def test_a_squad_that_is_shaken_beside_its_tank_stops_them_both(faces: tuple[int, ...], halted: bool) -> None:
    """The tank is hit without harm; the squad that walks beside it is hurt, or is not."""
    session = position("g1 ger_rifle D4", "g2 ger_pz4h D4 f=4", "a1 us_at57 D8 f=1", dice=faces)
    ours = battle(session)
    two = [unit(session, id) for id in ("g1", "g2")]
    two[0].partner, two[1].partner = "g2", "g1"
    effect = run(_hit(ours, two[1]))
    assert effect.halted is halted and not effect.destroyed


def _hit(ours: OstBattle, tank: Unit) -> Any:
    weak, strong = Tally("Firepower", 0, "95.8"), Tally("Defense", 9, "95.8")
    return attacks.vehicle_attack(ours, "american", tank, weak, strong, Tally("attack roll", 0, "95.10"), "95.10")


@rule("ost", "100.1")
def test_who_is_gone_is_hurt_no_more() -> None:
    session = position("g1 ger_rifle D4 status=lost", "g2 ger_rifle E4", "a1 us_rifle D6")
    assert run(attacks.collateral(battle(session), unit(session, "g1"), "american", lost=True)) == results.NOTHING
    assert not rolled(session)


@rule("ost", "65.6", "102.30", "107.8")
def test_a_melee_that_a_strike_ends_gives_the_hex_to_who_is_left() -> None:
    session = position(
        "g1 ger_rifle D4", "a1 us_rifle D4 reduced", "a2 us_rifle H8", melees=["D4 german"], control={"D4": "american"}
    )
    ours = battle(session)
    run(results.eliminate(ours, unit(session, "a1"), "german", "107.8"))
    assert state(session).control["D4"] == "german" and "D4" not in state(session).melees
    kinds = [type(event).__name__ for event in session.log]
    assert kinds[-2:] == ["MeleeOver", "Captured"]


@rule("ost", "20.8", "21.8", "79.21")
def test_what_a_lost_vehicle_carried_lies_in_its_hex() -> None:
    session = position("g1 ger_truck D4 f=1", "g2 ger_rifle E4", "a1 us_rifle H8", weapons=["w1 ger_lmg D4"])
    weapon = state(session).weapons["w1"]
    weapon.unit, weapon.hex = "g1", ""
    run(results.destroy_vehicle(battle(session), unit(session, "g1"), "american", "96.1"))
    assert (weapon.unit, weapon.hex) == ("", "D4") and state(session).wrecks == {"D4": 1}


@rule("ost", "99.2", "72.1", "101.2")
def test_a_crew_that_lives_stands_in_the_nearest_hex_with_room_for_it() -> None:
    """Its own hex first, even beside enemies; then the next in order that is free, passable and without enemies."""
    around = march("g1 ger_rifle D4").battle.grid.adjacent["D4"]  # type: ignore[attr-defined]
    full = ("g1 ger_rifle D4", "g2 ger_rifle D4")

    def place(*units: str, **ground: Any) -> str:
        return results.place_of_crew(battle(march(*units, **ground)), "german", "D4")

    first, second, third = around[:3]
    assert place("g1 ger_rifle D4") == "D4"
    assert place("g1 ger_rifle D4", "a1 us_rifle D4", melees=["D4 german"]) == "D4"
    assert place(*full) == first
    assert place(*full, f"a1 us_rifle {first}") == second
    assert place(*full, f"g3 ger_rifle {first}", f"g4 ger_rifle {first}") == second
    assert place(*full, terrain={"river": f"{first}, {second}"}) == third
    fight = (f"g3 ger_rifle {first}", f"a1 us_rifle {first}")
    assert place(*full, *fight, melees=[f"{first} german"]) == second
    assert place(*full, terrain={"river": ", ".join(around)}) == ""


@rule("ost", "102.28", "79.21", "100.1")
def test_who_rides_on_what_cannot_retreat_is_attacked_by_the_enemy() -> None:
    session = position(
        "g1 ger_sdkfz251 D4 f=1 immobilized",
        "g2 ger_rifle - aboard=g1",
        "a1 us_rifle D4",
        melees=["D4 german"],
        dice=(1, 1, 1, 1, 1, 1),
    )
    run(retreats.retreat(battle(session), unit(session, "g1")))
    attacks_made = [event for event in session.log if getattr(event, "what", "") == "ICT attack"]
    assert [(event.side, event.unit) for event in attacks_made] == [("american", "g2")]  # type: ignore[attr-defined]
