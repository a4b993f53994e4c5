"""What bars whom, asked for directly: reasons that no option shows, because nothing is offered there."""

from __future__ import annotations

import pytest

from grognard.core.ask import Bar
from grognard.games.ost import (
    arms,
    assault,
    crewed_weapons,
    entry,
    fire_groups,
    fortifications,
    group_move,
    leaders,
    morale,
    movement,
    stacking,
    support_weapons,
    terrain,
    transport,
)
from tests.games.ost.helpers import answer, battle, keys, position, state, unit
from tests.games.ost.marches import march, offered

rule = pytest.mark.rule


def said(bar: Bar | None) -> str:
    """The rule behind a bar, "" for none."""
    return bar.rule if bar is not None else ""


@rule("ost", "75.1", "82.1", "67.2", "25.1", "88.1", "19.1")
def test_who_is_not_on_the_map_does_nothing_there() -> None:
    session = march(
        "g1 ger_rifle - due=3 entry=A4", "g2 ger_pak40 D4 f=1 manned_by=ger_ss", "g3 ger_pioneer - due=3 entry=A4"
    )
    ours, waiting, engineer = battle(session), unit(session, "g1"), unit(session, "g3")
    assert movement.bar_move(ours, waiting) == movement.NOT_ON_MAP
    assert assault.bar_assault(ours, waiting, "D4") == assault.NOT_ON_MAP
    assert fortifications.bar_task(ours, waiting) == fortifications.NOT_ON_MAP
    assert fortifications.bar_engineer(ours, engineer) == fortifications.NOT_ON_MAP
    assert fortifications.bar_cover(ours, waiting) == fortifications.NOT_ON_MAP
    assert arms.bar_fire(ours, waiting) == arms.NOT_HERE
    assert said(transport.bar_unload(ours, waiting)) != ""
    gun = unit(session, "g2")
    assert crewed_weapons.bar_abandon(ours, gun) is None
    answer(session, "abandon g2")
    assert crewed_weapons.bar_abandon(ours, gun) == crewed_weapons.NOT_ON_MAP


@rule("ost", "79.2", "15.7", "82.10", "25.1", "10.1")
def test_who_rides_or_is_attached_acts_with_what_he_is_with() -> None:
    session = march(
        "g1 ger_sdkfz251 D4 f=1",
        "g2 ger_pioneer - aboard=g1",
        "g3 ger_sgt - attached=g2",
        "g4 ger_rifle E4",
        "g5 ger_lt E4 attached=g4",
        "a1 us_rifle D3",
        "a2 us_rifle E3",
    )
    ours = battle(session)
    assert assault.bar_assaulter(ours, unit(session, "g2")) == assault.RIDING
    assert fortifications.bar_task(ours, unit(session, "g2")) == fortifications.RIDING
    assert fortifications.bar_cover(ours, unit(session, "g2")) == fortifications.RIDING
    assert arms.bar_fire(ours, unit(session, "g2")) == arms.RIDING
    assert assault.bar_assaulter(ours, unit(session, "g5")) == assault.WITH_UNIT
    assert fortifications.bar_task(ours, unit(session, "g5")) == fortifications.WITH_UNIT
    assert fortifications.bar_cover(ours, unit(session, "g5")) == fortifications.WITH_UNIT
    assert movement.bar_move(ours, unit(session, "g5")) == movement.WITH_UNIT
    assert not {"cover g2", "cover g3", "cover g5", "engineer_smoke g2"} & set(keys(session))


@rule("ost", "90.4", "82.4")
def test_after_intensive_fire_nobody_assaults() -> None:
    session = march("g1 ger_rifle D4 intensive", "a1 us_rifle D5")
    assert said(assault.bar_assault(battle(session), unit(session, "g1"), "D5")) == "90.4"


@rule("ost", "17.3", "17.7")
def test_only_an_unmanned_gun_of_the_own_hex_is_manned_and_only_by_squads() -> None:
    session = march(
        "g1 ger_rifle D4",
        "g2 ger_crew D4",
        "p1 us_at57 D4 unmanned f=1",
        "p2 us_at57 E4 unmanned f=1",
        "g3 ger_pak40 D5 f=1",
    )
    ours, squad = battle(session), unit(session, "g1")
    assert crewed_weapons.bar_man(ours, squad, unit(session, "p1")) is None
    assert crewed_weapons.bar_man(ours, squad, unit(session, "p2")) == crewed_weapons.NOT_UNMANNED
    assert crewed_weapons.bar_man(ours, squad, unit(session, "g3")) == crewed_weapons.NOT_UNMANNED
    assert crewed_weapons.bar_man(ours, unit(session, "g2"), unit(session, "p1")) == crewed_weapons.SQUADS_ONLY


@rule("ost", "28.8", "29.11")
def test_only_who_is_in_a_bunker_blows_it_up() -> None:
    def why(flags: str, *works: str) -> str:
        session = march(f"g1 ger_rifle D4 {flags}", works=list(works))
        found = said(fortifications.bar_demolish(battle(session), unit(session, "g1")))
        assert (keys(session, "demolish") == ["demolish g1"]) is (found == "")
        return found

    assert why("inside", "bunker D4 german") == ""
    assert why("", "bunker D4 german") == "28.8" and why("") == "28.8" and why("", "trench D4") == "28.8"
    assert why("inside", "pillbox D4 german facing=1") == "29.11"


@rule("ost", "28.3", "29.3", "25.5", "24.0b")
def test_where_works_may_be() -> None:
    session = march(
        "g1 ger_rifle A1",
        buildings=["light_structure D4"],
        terrain={"stream": "E4", "woods": "F4"},
        works=["trench G4 german"],
    )
    ours = battle(session)
    found = {
        (work, hex): said(fortifications.bar_work(ours, hex, work))
        for work in ("bunker", "pillbox", "cover", "trench", "wire")
        for hex in ("C4", "D4", "E4", "F4", "G4")
    }
    assert {place: cited for place, cited in found.items() if cited} == {
        ("bunker", "D4"): "28.3",
        ("bunker", "E4"): "28.3",
        ("pillbox", "D4"): "29.3",
        ("pillbox", "E4"): "29.3",
        ("cover", "E4"): "25.5",
        **{(work, "G4"): "24.0b" for work in ("bunker", "pillbox", "cover", "trench", "wire")},
    }


@rule("ost", "78.3", "15.7", "79.2", "78.4")
def test_who_enters_with_another_does_not_enter_alone() -> None:
    session = march(
        "g1 ger_truck - due=5 entry=A4",
        "g2 ger_rifle - aboard=g1 due=5 entry=A4",
        "g3 ger_rifle - due=5 entry=A4",
        "g4 ger_sgt - attached=g3 due=5 entry=A4",
        "g5 ger_rifle - due=4 entry=A4",
        "g6 ger_rifle D4",
    )
    assert keys(session, "enter") == ["enter g1", "enter g3"]
    ours = battle(session)
    assert all(said(entry.bar_enter(ours, unit(session, id))) for id in ("g2", "g4", "g5", "g6"))
    assert said(entry.bar_enter(ours, unit(session, "g3"))) == ""


@rule("ost", "15.1", "15.3", "20.13")
def test_what_cannot_be_attached_or_handed_over() -> None:
    session = position(
        "g1 ger_rifle D4",
        "g2 ger_sgt D4 attached=g1",
        "g3 ger_rifle E4 hidden",
        "g4 ger_lt E4",
        "g5 ger_rifle F4 with=ger_lmg",
        "g6 ger_rifle F4 hidden",
        "g7 ger_rifle G4",
        "a1 us_rifle J8",
        weapons=["w9 ger_lmg G4"],
        phase="attach",
        dice=(6, 6, 1, 1, 3, 3, 3, 3),
    )
    ours = battle(session)

    def why(leader: str, to: str) -> Bar | None:
        return leaders.bar_attach(ours, unit(session, leader), unit(session, to))

    assert why("g2", "g1") == leaders.ALREADY and why("g1", "g1") == leaders.NO_LEADER
    assert why("g4", "g3") == leaders.HIDDEN
    weapons = state(session).weapons
    held = next(weapon for weapon in weapons.values() if weapon.unit == "g5")
    assert leaders.bar_hand_over(ours, held, unit(session, "g5")) == leaders.HOLDS_IT
    assert leaders.bar_hand_over(ours, held, unit(session, "g6")) == leaders.HIDDEN
    assert leaders.bar_hand_over(ours, held, unit(session, "g7")) == leaders.OTHER_HEX
    assert leaders.bar_hand_over(ours, weapons["w9"], unit(session, "g7")) == leaders.NOT_HELD
    assert "give w9 g7" not in keys(session)


@rule("ost", "72.1", "79.23")
def test_who_gets_down_counts_beside_his_own_side_only() -> None:
    riding = ("g1 ger_truck D4 f=1", "g2 ger_rifle - aboard=g1", "g3 ger_sgt - attached=g2")
    for others, cited in (((), ""), (("g4 ger_rifle D4",), "72.1"), (("a1 us_rifle D5",), "")):
        session = march(*riding, *others)
        assert said(stacking.bar_alone(battle(session), unit(session, "g2"))) == cited
    fight = march(*riding, "a1 us_rifle D4", "a2 us_rifle D4", melees=["D4 german"])
    assert said(stacking.bar_alone(battle(fight), unit(fight, "g2"))) == "", "the enemy's stack is the enemy's"


@rule("ost", "44.1", "53.7", "57.4", "41.3", "17.9", "29.2", "31.1", "47.8", "56.4")
def test_where_nobody_of_the_kind_ever_goes() -> None:
    session = march(
        "g1 ger_rifle D4",
        "g2 ger_truck D4 f=1",
        "g3 ger_flak36 H4 f=1",
        terrain={"river": "D3", "woods": "E4"},
        buildings=["light_structure E5", "light_structure C4", "light_structure H5"],
        roads=["C4, C3"],
        works=["pillbox C5 german facing=1", "roadblock D5"],
    )
    ours = battle(session)

    def why(id: str, hex: str, road: bool | None = None) -> str:
        return said(terrain.bar_entry(ours, unit(session, id), unit(session, id).hex, hex, road=road))

    foot = {hex: why("g1", hex) for hex in ("D3", "E4", "E5", "C4", "C5", "D5")}
    assert foot == {"D3": "44.1", "E4": "", "E5": "", "C4": "", "C5": "", "D5": ""}
    truck = {hex: why("g2", hex) for hex in foot}
    assert truck == {"D3": "44.1", "E4": "41.3", "E5": "53.7", "C4": "57.4", "C5": "29.2", "D5": "31.1"}
    assert why("g3", "H5") == "17.9" and why("g3", "H3") == ""
    found = terrain.entry_cost(ours, unit(session, "g1"), "D4", "G4")
    assert found == terrain.NOT_ADJACENT


@rule("ost", "73.3", "29.2", "31.1", "30.2")
def test_a_hidden_work_of_the_enemy_bars_and_costs_nothing_until_it_shows() -> None:
    for hidden, cited, price in (("hidden", "", 2), ("", "29.2", 0)):
        session = march(
            "g1 ger_truck D4 f=4", "a1 us_rifle D5 hidden inside", works=[f"pillbox D5 american facing=1 {hidden}"]
        )
        found = terrain.entry_cost(battle(session), unit(session, "g1"), "D4", "D5")
        assert (said(found), 0) == (cited, 0) if isinstance(found, Bar) else (found.points, cited) == (price, "")
    own = march("g1 ger_truck D4 f=4", "g2 ger_rifle D5 hidden inside", works=["pillbox D5 german facing=1 hidden"])
    assert said(terrain.bar_entry(battle(own), unit(own, "g1"), "D4", "D5")) == "29.2", "one knows one's own"


@rule("ost", "80.1", "80.2", "80.8", "81.1", "81.10")
def test_who_may_not_move_as_a_group() -> None:
    def why(first: str, second: str, *units: str, **more: object) -> str:
        session = march(*units, **more)
        return said(group_move.bar_group_move(battle(session), unit(session, first), unit(session, second)))

    led = ("g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_sgt D4 attached=g1")
    assert why("g1", "g2", *led) == why("g2", "g1", *led) == ""
    assert why("g1", "g2", *led, points={"german": 1, "american": 0}) == "80.3"
    assert why("g1", "g2", *led, points={"german": 2, "american": 0}) == ""
    assert why("g1", "g2", "g1 ger_rifle D4", "g2 ger_rifle D4", "g3 ger_sgt D4") == "80.2"
    tanks = ("g1 ger_pz4h D4 f=1", "g2 ger_pz4h D4 f=1", "g3 ger_arm_lt D4 attached=g1")
    assert why("g1", "g2", *tanks) == "80.8"
    paired = (
        "g1 ger_pz4h D4 f=1 partner=g2",
        "g2 ger_rifle D4 partner=g1",
        "g4 ger_rifle D5",
        "g3 ger_sgt D5 attached=g4",
    )
    assert why("g4", "g2", *paired) != "" and why("g2", "g4", *paired) != ""
    assert offered(march(*led), "group_move g1 g2") and not offered(march(*led), "group_move g2 g1")


# ---- reasons that stand seldom -----------------------------------------------------------------------------


@rule("ost", "79.13", "97.1", "23.1", "87.1")
def test_why_a_unit_has_nothing_to_fire_with() -> None:
    session = march(
        "g1 ger_truck D4 f=1",
        "g2 ger_brummbar E4 f=1",
        "g3 ger_pz4h F4 f=1 mgs_out guns_out=0",
        "g4 ger_kubel G4 f=1",
    )
    ours = battle(session)
    brummbar = unit(session, "g2")
    assert arms.bar_arms(ours, unit(session, "g1")) == arms.bar_arms(ours, unit(session, "g4")) == arms.NO_WEAPON
    assert arms.bar_arms(ours, brummbar) is None
    brummbar.main_fires, brummbar.mgs_out = 1, True
    assert said(arms.bar_arms(ours, brummbar)) == "97.1"
    brummbar.mgs_out = False
    assert {arm.kind for arm in arms.arms(ours, brummbar)} == {"mg"}, "one shell, and then its machine gun alone"
    assert said(arms.bar_arms(ours, unit(session, "g3"))) == "97.1"


@rule("ost", "88.2", "21.17", "95.4", "21.6")
def test_what_an_arm_does_not_bear_on() -> None:
    session = position("g1 ger_rifle D4", "g2 ger_pz4h E4 f=1", "a1 us_rifle D5", "a2 us_rifle D6", "a3 us_rifle E8")
    ours = battle(session)
    squad, tank, foe = (unit(session, id) for id in ("g1", "g2", "a1"))
    (small,) = [arm for arm in arms.arms(ours, squad) if arm.kind == "small"]
    gun = next(arm for arm in arms.arms(ours, tank) if arm.kind == "gun")
    assert arms.bar_shot(ours, squad, foe, small) is None
    assert arms.bar_shot(ours, squad, foe, small, crew=True) == arms.NO_EXPOSED_CREW
    foe.hex = "D4"
    assert arms.bar_shot(ours, squad, foe, small) == arms.SAME_HEX
    assert arms.bar_hex(ours, squad, "D4", small) is None
    far = small.range
    assert [hex for hex in ("D5", "D8") if arms.bar_hex(ours, squad, hex, small._replace(range=3))] == ["D8"]
    assert arms.bar_hex(ours, squad, "D8", small._replace(range=3)) == arms.OUT_OF_RANGE and far >= 4
    assert arms.bar_hex(ours, squad, "D8", small._replace(range=4)) is None
    assert arms.bar_hex(ours, tank, "E8", gun._replace(range=3)) == arms.GUN_RANGE


@rule("ost", "82.8", "81.10")
def test_who_is_in_rolling_cover_assaults_with_no_third() -> None:
    session = march(
        "g1 ger_rifle D4 partner=g2",
        "g2 ger_pz4h D4 f=4 partner=g1",
        "g3 ger_rifle E5",
        "g4 ger_sgt E5 attached=g3",
        "a1 us_rifle D5",
    )
    ours = battle(session)
    one, two, three = (unit(session, id) for id in ("g1", "g2", "g3"))
    assert assault.bar_group_assault(ours, three, one, "D5") == assault.PAIRED
    assert assault.bar_group_assault(ours, one, two, "D5") != assault.PAIRED


@rule("ost", "81.1", "81.3", "80.3", "92.2", "88.1")
def test_what_costs_two_points_is_barred_with_one() -> None:
    units = ("g1 ger_rifle D4", "g2 ger_pz4h D4 f=4")
    for points, cited in ((2, ""), (1, group_move.NO_POINTS.rule)):
        session = march(*units, points={"german": points, "american": 0})
        found = group_move.bar_rolling_cover(battle(session), unit(session, "g1"), unit(session, "g2"))
        assert said(found) == cited


@rule("ost", "92.2", "68.6")
def test_a_broken_squad_is_of_no_fire_group() -> None:
    session = march("g1 ger_rifle D4", "g2 ger_sgt D4 attached=g1", "g3 ger_rifle E4 broken", "g4 ger_rifle F4")
    ours = battle(session)
    led = unit(session, "g1")
    assert (
        said(fire_groups.bar_pair(ours, led, unit(session, "g3")))
        == said(arms.bar_fire(ours, unit(session, "g3")))
        != ""
    )
    assert fire_groups.bar_pair(ours, unit(session, "g3"), led) is not None
    assert fire_groups.bar_pair(ours, led, unit(session, "g4")) is not None, "two hexes away"


@rule("ost", "20.13", "79.2", "101.3")
def test_no_weapon_changes_hands_between_the_ground_and_a_vehicle_nor_in_a_melee() -> None:
    session = march(
        "g1 ger_truck D4 f=1",
        "g2 ger_rifle - aboard=g1",
        "g3 ger_rifle D4 with=ger_lmg",
        "g4 ger_rifle E4 with=ger_lmg",
        "g5 ger_rifle E4",
        "a1 us_rifle E4",
        melees=["E4 german"],
    )
    ours, weapons = battle(session), {weapon.unit: weapon for weapon in state(session).weapons.values()}
    assert leaders.bar_hand_over(ours, weapons["g3"], unit(session, "g2")) == leaders.NOT_ABOARD
    assert leaders.bar_hand_over(ours, weapons["g4"], unit(session, "g5")) == leaders.IN_MELEE


@rule("ost", "70.1", "75.1", "20.5", "10.5")
def test_who_is_not_there_does_not_rally_and_steps_lead_to_the_next_hex() -> None:
    session = march(
        "g1 ger_rifle - due=3 entry=A4 shaken", "g2 ger_rifle D4 with=ger_flamethrower", "g3 ger_pioneer E4"
    )
    ours, (flame,) = battle(session), state(session).weapons.values()
    assert morale.bar_rally(ours, unit(session, "g1")) == morale.NOT_ON_MAP
    assert movement.bar_step(ours, [unit(session, "g2")], "D6") == terrain.NOT_ADJACENT
    assert support_weapons.bar_use(ours, unit(session, "g2"), flame) == arms.ENGINEERS_ONLY
    assert support_weapons.bar_use(ours, unit(session, "g3"), flame) is None


@rule("ost", "73.6", "68.6", "75.2", "79.9")
def test_who_does_not_get_on_or_off() -> None:
    session = march(
        "g1 ger_truck D4 f=1 hidden",
        "g2 ger_rifle D4",
        "g3 ger_truck E4 f=1",
        "g4 ger_rifle - aboard=g3 broken",
        "g5 ger_truck F4 f=1",
        "g6 ger_rifle - aboard=g5 loaded",
    )
    ours = battle(session)
    assert transport.bar_ride(ours, unit(session, "g2"), unit(session, "g1")) == transport.HIDDEN_VEHICLE
    assert said(transport.bar_unload(ours, unit(session, "g4"))) == "68.6"
    assert transport.bar_unload(ours, unit(session, "g6")) == transport.LOADED_THIS_TURN
    unit(session, "g4").morale, unit(session, "g6").loaded = "shaken", False
    assert transport.bar_unload(ours, unit(session, "g4")) is transport.bar_unload(ours, unit(session, "g6")) is None


@rule("ost", "78.3", "41.3", "53.7")
@pytest.mark.parametrize(("ground", "rule_"), [("woods", "41.3"), ("heavy_structure", "53.7"), ("brush", "")])
def test_ground_that_is_closed_to_a_unit_is_closed_where_it_enters(ground: str, rule_: str) -> None:
    session = march("g1 ger_truck - due=5 entry=A4", "g2 ger_rifle - due=5 entry=A4", terrain={ground: "A4"})
    ours = battle(session)
    assert said(entry.bar_entry_hex(ours, unit(session, "g1"), "A4")) == rule_
    assert said(entry.bar_entry_hex(ours, unit(session, "g2"), "A4")) == ""
    assert keys(session, "enter") == (["enter g2"] if rule_ else ["enter g1", "enter g2"])


@rule("ost", "75.6")
def test_a_unit_that_can_go_nowhere_is_offered_no_move() -> None:
    around = "C4, C5, D3, D5, E4, E5"
    alone = march("g1 ger_rifle D4", terrain={"river": around})
    assert keys(alone, "move") == [] and movement.bar_move(battle(alone), unit(alone, "g1")) == movement.NOWHERE
    with_truck = march("g1 ger_rifle D4", "g2 ger_truck D4 f=1", terrain={"river": around})
    assert "move g1" in keys(with_truck, "move"), "it can load"


@rule("ost", "19.1", "79.2", "78.3", "75.2")
def test_a_gun_on_a_truck_is_not_left_and_nobody_enters_twice() -> None:
    session = march(
        "g1 ger_truck D4 f=1",
        "g2 ger_pak40 - aboard=g1 manned_by=ger_ss f=1",
        "g3 ger_rifle - due=5 entry=A4",
        "g4 ger_rifle - due=5 entry=A3,A4",
        "a1 us_rifle A4 hidden",
    )
    ours = battle(session)
    assert crewed_weapons.bar_abandon(ours, unit(session, "g2")) == crewed_weapons.RIDING
    assert said(entry.bar_entry_hex(ours, unit(session, "g3"), "A3")) == entry.NO_ENTRY.rule
    assert entry.bar_entry_hex(ours, unit(session, "g4"), "A3") is None
    answer(session, "enter g3")
    assert unit(session, "g3").status == "off" and entry.bar_enter(ours, unit(session, "g3")) == movement.HAS_MOVED


@rule("ost", "78.3", "57.1")
def test_who_enters_a_road_and_structure_hex_says_where_in_it() -> None:
    session = march("g1 ger_rifle - due=5 entry=A4", buildings=["light_structure A4"], roads=["A4, B4"])
    answer(session, "enter g1")
    assert keys(session) == ["at A4 road", "at A4 building"]
    for word, on_road in (("road", True), ("building", False)):
        fork = session.fork()
        answer(fork, f"at A4 {word}")
        assert unit(fork, "g1").on_road is on_road and unit(fork, "g1").hex == "A4"
