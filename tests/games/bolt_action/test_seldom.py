"""What happens seldom: the branches of the rules that no other test comes to, chapter by chapter."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import (
    barrages_and_aircraft,
    buildings,
    casualties,
    close_quarters,
    damage,
    formation,
    fubar,
    line_of_sight,
    morale,
    movement,
    orders,
    regroup,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.casualties import Toll
from grognard.games.bolt_action.fire_events import DamageLost, Tended
from grognard.games.bolt_action.move_events import LeftTable
from grognard.games.bolt_action.shooting import declaring
from grognard.games.bolt_action.state import Strike
from grognard.games.bolt_action.turn_events import BarrageFalls, WentDown
from tests.games.bolt_action.fire_play import enemy, faces, us
from tests.games.bolt_action.play import answer, box, field, happened, keys, lines, look, piece, play, rolled, run, unit

rule = pytest.mark.rule

FOE = unit("ger_2lt", "g1", at=(2, 2), heading=180)


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


# ---- dice (1.10, 1.11) ---------------------------------------------------------------------------------------


@rule("bolt_action", "1.10")
@pytest.mark.parametrize(
    ("die", "cup", "aside", "after"), [("fire", 1, 0, (1, 1)), ("", 1, 0, (0, 0)), ("", 0, 1, (0, 0))]
)
def test_where_the_die_of_a_unit_goes_that_is_destroyed(die: str, cup: int, aside: int, after: tuple[int, int]) -> None:
    """Beside it: set aside. In the cup, or set aside already because nobody could use it: gone."""
    battle = field(unit("us_2lt", "a1", at=(20, 40), die=die), FOE, cup={"american": cup, "german": 1})
    battle.state.aside["american"] = aside
    morale.destroy(battle, battle.unit("a1"), ("14.5",))
    assert (battle.state.cup["american"], battle.state.aside["american"]) == after
    morale.destroy(battle, battle.unit("a1"), ("14.5",))
    assert battle.state.lost["american"] == ["a1"], "nobody dies twice"


@rule("bolt_action", "20.9", "1.11")
@pytest.mark.parametrize(("cup", "aside", "after"), [(1, 1, (0, 1)), (0, 1, (0, 0)), (0, 0, (0, 0))])
def test_where_a_down_die_comes_from(cup: int, aside: int, after: tuple[int, int]) -> None:
    battle = field(unit("us_2lt", "a1", at=(20, 40)), FOE, cup={"american": cup, "german": 1})
    battle.state.aside["american"] = aside
    morale.put_down(battle, battle.unit("a1"), "20.3")
    assert battle.unit("a1").die == "down"
    assert (battle.state.cup["american"], battle.state.aside["american"]) == after
    morale.put_down(battle, battle.unit("a1"), "20.3")
    assert len(happened(battle, WentDown)) == 1


@rule("bolt_action", "16.1", "20.9")
@pytest.mark.parametrize(("cup", "taken"), [(1, True), (0, False)])
def test_a_die_is_taken_only_out_of_a_cup_that_has_one(cup: int, taken: bool) -> None:
    battle = field(unit("us_2lt", "a1", at=(20, 40)), FOE, cup={"american": cup, "german": 1})
    assert morale.take_die(battle, battle.unit("a1"), "fire") is taken
    assert (battle.unit("a1").die, battle.state.cup["american"]) == ("fire" if taken else "", 0)


# ---- FUBAR (4) -----------------------------------------------------------------------------------------------


@rule("bolt_action", "4.2", "4.3")
def test_the_opponent_picks_among_several_friends() -> None:
    """Only units of the firer's own side, on the table, and not itself."""
    units = [
        unit("us_squad", "a1", at=(36, 40), die="fire"),
        unit("us_2lt", "a2", at=(30, 30)),
        unit("us_1lt", "a3", at=(42, 30)),
        unit("us_mmg", "a4", status="reserve"),
    ]
    battle = place(*units, unit("ger_2lt", "g1", at=(36, 22), heading=180), dice=(1,) * 40)
    assert [each.id for each in fubar.friendly_targets(battle, battle.unit("a1"))] == ["a2", "a3"]
    firing = fubar.friendly_fire(battle, battle.unit("a1"))
    ask = next(firing)
    assert (ask.side, ask.rule, [option.key for option in ask.options]) == ("german", "4.2", ["at a2", "at a3"])
    with pytest.raises(StopIteration):
        firing.send("at a3")
    assert {event.unit for event in rolled(battle, "to hit")} == {"a1"} and battle.unit("a2").pins == 0


@rule("bolt_action", "4.3", "4.4")
def test_who_is_not_on_the_table_neither_shoots_nor_runs() -> None:
    truck, rider = unit("us_truck", "t1", at=(36, 40)), unit("us_squad10", "a1", aboard="t1", die="run")
    battle = place(truck, rider, unit("us_2lt", "a2", at=(30, 30)), unit("ger_2lt", "g1", at=(36, 22), heading=180))
    assert fubar.friendly_targets(battle, battle.unit("a1")) == []
    run(fubar.panic(battle, battle.unit("a1")))
    assert battle.unit("a1").die == "down" and happened(battle, WentDown)[0].rules == ("4.4",)


@rule("bolt_action", "4.4", "16.4", "16.6")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_ambush_meets_whoever_panics_and_may_stop_him(moment: str) -> None:
    watch = unit("ger_mmg", "g1", at=(36, 22), heading=180, die="ambush")
    battle = place(unit("us_2lt", "a1", at=(36, 32), die="run"), unit("us_1lt", "a2", at=(70, 46)), watch)
    fleeing = fubar.panic(battle, battle.unit("a1"))
    ask = next(fleeing)
    assert (ask.side, ask.reaction) == ("german", "ambush") and "acts" in ask.prompt
    start = (battle.unit("a1").models[0].x, battle.unit("a1").models[0].y)
    if moment == "before":
        morale.put_down(battle, battle.unit("a1"), "16.6")
        with pytest.raises(StopIteration):
            fleeing.send("pass")
        assert (battle.unit("a1").models[0].x, battle.unit("a1").models[0].y) == start
        return
    try:
        while True:
            ask = fleeing.send("pass" if "pass" in [option.key for option in ask.options] else ask.options[0].key)
    except StopIteration:
        pass
    assert "has moved" in ask.prompt, "the last moment is when he has run"
    assert (battle.unit("a1").models[0].x, battle.unit("a1").models[0].y) != start


# ---- officers (5.5) ------------------------------------------------------------------------------------------


@rule("bolt_action", "5.5")
def test_an_officer_in_a_vehicle_is_heard_there_only_and_riders_hear_him_through_its_hull() -> None:
    units = [
        unit("us_truck", "t1", at=(36, 40)),
        unit("us_2lt", "a1", aboard="t1"),
        unit("us_mmg", "a2", aboard="t1"),
        unit("us_squad", "a3", at=(36, 35), men=3),
        unit("us_mmg", "a4", status="reserve"),
    ]
    battle = place(*units, FOE)
    bonus = {
        id: lines(morale.target(battle, battle.unit(id), morale.ORDER_TEST)).get("officer", 0)
        for id in ("t1", "a2", "a3", "a4")
    }
    assert bonus == {"t1": 1, "a2": 1, "a3": 0, "a4": 0}
    outside = place(
        unit("us_truck", "t1", at=(36, 40)),
        unit("us_mmg", "a2", aboard="t1"),
        unit("us_captain", "a1", at=(36, 30)),
        unit("us_squad", "a4", status="reserve"),
        FOE,
    )
    assert lines(morale.target(outside, outside.unit("a2"), morale.ORDER_TEST)) == {"officer": 3}
    assert lines(morale.target(outside, outside.unit("a4"), morale.ORDER_TEST)) == {}


# ---- leaving the table (8.5) ---------------------------------------------------------------------------------


@rule("bolt_action", "8.5", "28.5")
def test_only_the_kinds_and_the_side_that_a_scenario_names_leave_the_table() -> None:
    ways = {"exit": [{"side": "american", "edge": "top", "points": 2, "kinds": ["infantry"]}]}
    units = [unit("us_squad", "a1", at=(36, 5), men=2), unit("us_mmg", "a2", at=(20, 5)), FOE]
    battle = place(*units, victory=ways)
    edges = {id: movement.exit_edges(battle, battle.unit(id)) for id in ("a1", "a2", "g1")}
    assert edges == {"a1": ["top"], "a2": [], "g1": []}


@rule("bolt_action", "8.5", "1.10")
@pytest.mark.parametrize(("far", "leaves"), [(6, True), (6.1, False)])
def test_a_unit_leaves_over_an_edge_that_all_its_men_can_reach(far: float, leaves: bool) -> None:
    """Two men, one nearer; the last has six inches to the edge, from the middle of his base."""
    ways = {"exit": [{"side": "american", "edge": "left", "points": 2}]}
    squad = unit("us_squad", "a1", models=[(far - 1.2, 24), (far, 24)])
    session = play(
        squad,
        unit("us_2lt", "a2", at=(60, 40)),
        FOE,
        victory=ways,
        drawn="american",
        cup={"american": 1, "german": 1},
        dice=[1],
    )
    answer(session, "unit a1", "advance")
    assert ("exit left" in keys(session)) is leaves
    if leaves:
        answer(session, "exit left")
        who = look(session, "a1")
        assert (who.status, who.models, who.die) == ("exited", [], "")
        assert [(event.unit, event.edge) for event in happened(session, LeftTable)] == [("a1", "left")]


@rule("bolt_action", "8.5", "1.10")
def test_whoever_rides_leaves_with_his_vehicle_and_their_dice_leave_the_cup() -> None:
    battle = place(
        unit("us_truck", "t1", at=(36, 5), die="run"),
        unit("us_2lt", "a1", aboard="t1"),
        FOE,
        cup={"american": 1, "german": 1},
    )
    movement.off_table(battle, battle.unit("t1"), "top")
    assert {battle.unit(id).status for id in ("t1", "a1")} == {"exited"}
    assert battle.state.cup["american"] == 0 and battle.state.aside["american"] == 1
    assert battle.state.scratch.exits == {"t1": "top", "a1": "top"}


# ---- sight (11.1) --------------------------------------------------------------------------------------------


@rule("bolt_action", "11.1", "26.2")
def test_an_observer_in_a_house_sees_what_its_windows_look_at() -> None:
    farm = box("building", 33, 36, 39, 42, id="farm", openings=[0])
    battle = place(us("us_observer", (36, 39), building="farm"), FOE, terrain=[farm])
    points = [(3600, 2000), (1000, 2000), (3600, 4700), (6900, 4000)]
    assert list(line_of_sight.sees_points(battle, battle.unit("a1"), points)) == [True, True, False, False]


@rule("bolt_action", "11.1")
def test_nobody_sees_or_is_seen_off_the_table() -> None:
    battle = place(
        us("us_squad"),
        us("us_2lt", None, "a2", status="reserve"),
        enemy("ger_infantry", (36, 20)),
        enemy("ger_2lt", None, "g2", status="reserve"),
    )
    sees = {
        (a, b): line_of_sight.sees(battle, battle.unit(a), battle.unit(b)) for a in ("a1", "a2") for b in ("g1", "g2")
    }
    assert sees == {("a1", "g1"): True, ("a1", "g2"): False, ("a2", "g1"): False, ("a2", "g2"): False}


# ---- casualties (15.2, 15.6, 26.1) ---------------------------------------------------------------------------


@rule("bolt_action", "15.2")
def test_damage_that_finds_nobody_in_sight_is_lost_and_told() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 20), men=4))
    foe = battle.unit("g1")
    seen = frozenset({foe.models[0].id})
    lost = run(casualties.take(battle, foe, "american", [Toll(3, 0)], visible=seen))
    assert lost == 1 and len(foe.models) == 3
    assert [(event.side, event.unit) for event in happened(battle, DamageLost)] == [("german", "g1")]
    assert run(casualties.take(battle, foe, "american", [Toll(2, 0)], visible=frozenset())) == 0
    whole = place(us("us_squad"), enemy("ger_infantry", (36, 20), men=2))
    run(casualties.take(whole, whole.unit("g1"), "american", [Toll(3, 0, anywhere=True)]))
    assert not happened(whole, DamageLost) and whole.unit("g1").status == "lost"


@rule("bolt_action", "26.1")
def test_a_medic_saves_only_whom_small_arms_hit() -> None:
    """Two men shot and two shelled: he throws for the first two and saves one."""
    battle = place(us("us_medic", (36, 38), "a2"), us("us_squad"), FOE, dice=(6, 5))
    tolls = [Toll(1, 1, small=True), Toll(2, 0)]
    found = casualties.tend(battle, battle.unit("a1"), tolls)
    assert [(toll.owner, toll.shooter) for toll in found] == [(0, 1), (2, 0)]
    assert faces(battle, "medic") == [(6, 5)]
    assert [(event.side, event.medic, event.men) for event in happened(battle, Tended)] == [("american", "a2", 1)]
    truck = place(us("us_medic", (36, 38), "a2"), us("us_truck", (36, 42)), FOE)
    assert casualties.medic_near(truck, truck.unit("a1")) is None
    assert casualties.medic_near(truck, truck.unit("a2")) is None, "he does not tend himself"


# ---- ambush (16.8, 16.7) -------------------------------------------------------------------------------------


@rule("bolt_action", "16.8")
def test_what_has_shot_only_is_not_bound_by_what_the_gun_has_loaded() -> None:
    """A Crocodile has shells in its gun; its flamethrower flames all the same."""
    crocodile = us("gb_crocodile", (36, 40), side="american", die="ambush", ammunition="he")
    battle = place(crocodile, enemy("ger_infantry", (36, 26)))
    loads = declaring.plans(battle, battle.unit("a1"), battle.unit("g1"), False, "ambush")
    assert any(
        battle.weapon(battle.unit("a1"), load.held.slot).flame for mode in loads.values() for load in mode.firers
    )


@rule("bolt_action", "16.8")
def test_a_gun_that_named_nothing_may_fire_either() -> None:
    battle = place(us("us_57mm", die="ambush"), enemy("ger_infantry", (36, 20)))
    found = declaring.options(battle, battle.unit("a1"), False, "ambush", "g1")
    assert [option.key for option in found] == ["at g1 ap", "at g1 he"]


@rule("bolt_action", "21.3", "12.3", "17.1")
def test_a_mortar_does_not_shoot_at_assaulters_nearer_than_its_least_range() -> None:
    mortar = enemy("ger_mortar_medium", (36, 28))
    battle = place(us("sov_rifles", (36, 38), men=3), mortar)
    bar = close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None and bar.rule == "12.3"


# ---- orders (22.3, 7.3) --------------------------------------------------------------------------------------


@rule("bolt_action", "9.10", "2.3")
def test_where_a_run_can_only_be_one_assault_nobody_is_asked_which() -> None:
    """Men in a marsh cannot run; one enemy is near enough to be assaulted."""
    marsh = piece("marsh", (20, 36), (50, 36), (50, 46), (20, 46))
    session = play(
        us("sov_rifles", (36, 38), men=3, die=""),
        enemy("ger_2lt", (36, 33)),
        terrain=[marsh],
        sides=["american", "german"],
        drawn="american",
        dice=[1] * 40,
    )
    answer(session, "unit a1", "run")
    assert rolled(session, "damage"), "they are in at once"


@rule("bolt_action", "22.3", "3.6")
@pytest.mark.parametrize(("dice", "dares"), [((3, 3), True), ((3, 4), False)])
def test_men_dare_to_assault_a_tank_or_go_down(dice: tuple[int, int], dares: bool) -> None:
    """Regulars have 9, three less for a tank."""
    battle = place(us("us_squad", (36, 38), die="run"), enemy("ger_panzer4", (36, 33)), dice=(*dice, *[1] * 30))
    fighting = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    try:
        ask = next(fighting)
        while True:
            ask = fighting.send("stay" if "stay" in [option.key for option in ask.options] else ask.options[0].key)
    except StopIteration:
        pass
    assert bool(rolled(battle, "assault on a vehicle")) is dares
    assert battle.unit("a1").die == ("run" if dares else "down")


@rule("bolt_action", "7.3")
def test_a_unit_with_a_broken_chain_only_moves_or_goes_down() -> None:
    battle = place(us("us_squad", models=[(20, 40), (30, 40)], die=""), enemy("ger_infantry", (36, 20)))
    allowed = [
        o
        for o in ("fire", "advance", "run", "ambush", "rally", "down")
        if orders.bar(battle, battle.unit("a1"), o) is None
    ]
    assert allowed == ["advance", "run", "down"]


# ---- regrouping (21.10) --------------------------------------------------------------------------------------


@rule("bolt_action", "21.10", "7.2")
@pytest.mark.parametrize(
    ("men", "foe", "may_stay"),
    [
        ([(36, 38), (37.2, 38)], (36, 30), True),
        ([(36, 38), (39, 38)], (36, 30), False),
        ([(36, 38)], (36, 36.5), False),
    ],
    ids=["in formation and clear", "torn apart", "too near to an enemy"],
)
def test_who_is_torn_apart_or_too_near_must_regroup(men: list[Any], foe: tuple[float, float], may_stay: bool) -> None:
    battle = place(us("sov_rifles", models=men), enemy("ger_2lt", foe))
    ask = next(regroup.regroup(battle, battle.unit("a1"), 4))
    assert (ask.side, "stay" in [option.key for option in ask.options]) == ("american", may_stay)


@rule("bolt_action", "21.10", "25.7")
def test_men_in_a_building_do_not_regroup() -> None:
    farm = box("building", 33, 36, 39, 42, id="farm")
    battle = place(us("sov_rifles", (36, 39), men=3, building="farm"), enemy("ger_2lt", (36, 30)), terrain=[farm])
    assert next(regroup.regroup(battle, battle.unit("a1"), 4), None) is None


# ---- buildings (25.1, 25.2) ----------------------------------------------------------------------------------


@rule("bolt_action", "25.1", "25.2", "9.4")
def test_which_houses_a_squad_may_enter() -> None:
    """The empty one, and that of its own men; not that of the enemy, nor the one it is in."""
    near = [box("building", x, 30, x + 5, 35, id=id) for x, id in ((20, "empty"), (27, "ours"), (34, "theirs"))]
    units = [
        us("sov_rifles", (29.5, 39), men=3),
        us("us_2lt", (29.5, 32.5), "a2", building="ours"),
        enemy("ger_2lt", (36.5, 32.5), building="theirs"),
    ]
    battle = place(*units, terrain=near)
    ways = movement.ways_of(battle, battle.unit("a1"), "run")
    assert [each.id for each in buildings.enterable(battle, battle.unit("a1"), ways)] == ["empty", "ours"]
    ways = movement.ways_of(battle, battle.unit("a2"), "run")
    assert [each.id for each in buildings.enterable(battle, battle.unit("a2"), ways)] == ["empty"]
    bars = {id: buildings.bar_occupy(battle, battle.unit("a1"), id) for id in ("empty", "ours", "theirs", "nowhere")}
    assert {id: bar.rule if bar else "" for id, bar in bars.items()} == {
        "empty": "",
        "ours": "",
        "theirs": "25.1",
        "nowhere": "25.1",
    }
    truck = place(us("us_truck", (29.5, 42)), enemy("ger_2lt", (5, 5)), terrain=near)
    bar = buildings.bar_occupy(truck, truck.unit("a1"), "empty")
    assert bar is not None and bar.rule == "9.4"
    gun = place(us("us_57mm", (29.5, 39)), enemy("ger_2lt", (5, 5)), terrain=near)
    found = buildings.bar_enter(gun, gun.unit("a1"), "empty", movement.ways_of(gun, gun.unit("a1"), "run"))
    assert found is not None and found.rule == "9.4"


# ---- aircraft (26.6) -----------------------------------------------------------------------------------------


def strike(battle: BoltBattle, *answers: str) -> list[tuple[str, str]]:
    """An air strike of the Americans on g1, called a turn ago: who is asked for what."""
    battle.state.strikes.append(Strike("air", "american", "a1", 1, target="g1"))
    resolving = barrages_and_aircraft.resolve(battle)
    asked: list[tuple[str, str]] = []
    try:
        ask = next(resolving)
        for key in answers:
            asked.append((ask.side, ask.rule))
            ask = resolving.send(key)
        raise AssertionError(f"asked {ask.prompt!r}")
    except StopIteration:
        return asked


def called(*units: dict[str, Any], dice: tuple[int, ...]) -> BoltBattle:
    return place(us("us_air_observer", (36, 46), called=True), *units, turn=2, dice=dice)


@rule("bolt_action", "26.6")
def test_an_aircraft_whose_target_is_gone_flies_home() -> None:
    battle = called(enemy("ger_infantry", None, status="lost"), enemy("ger_2lt", (5, 5), "g2"), dice=(3,))
    assert strike(battle) == []
    assert battle.state.strikes == [] and [event.what for event in rolled(battle)] == ["air strike"]


@rule("bolt_action", "26.6")
@pytest.mark.parametrize(("face", "comes"), [(2, False), (3, True)])
def test_an_aircraft_comes_on_a_three(face: int, comes: bool) -> None:
    battle = called(enemy("ger_tiger", (36, 10)), dice=(face, 2, 1))
    strike(battle)
    assert (battle.state.strikes == []) is comes


@rule("bolt_action", "26.6", "24.4")
def test_an_aircraft_attacks_the_vehicle_that_its_target_has_boarded() -> None:
    truck = enemy("ger_truck", (36, 10), "t1")
    battle = called(truck, enemy("ger_2lt", None, aboard="t1"), dice=(6, 2, 3, 1, 1, 1, 1))
    strike(battle)
    assert battle.unit("t1").pins == 1 and {event.unit for event in rolled(battle, "damage")} == {"t1"}


@rule("bolt_action", "26.6", "6.5")
@pytest.mark.parametrize(("kind", "pins"), [("ger_tiger", 0), ("ger_marder3", 1), ("ger_infantry", 1)])
def test_a_fighter_pins_all_but_closed_armour_and_damages_no_armour(kind: str, pins: int) -> None:
    battle = called(enemy(kind, (36, 10)), dice=(6, 2, 1, 1, 1))
    strike(battle)
    assert battle.unit("g1").pins == pins
    assert bool(rolled(battle, "damage")) is (kind == "ger_infantry")
    assert faces(battle, "hits of the fighter") == [(1,)]


@rule("bolt_action", "26.6")
def test_the_opponent_sends_a_stray_aircraft_at_anybody_within_twelve_inches_of_its_target() -> None:
    near = us("us_2lt", (36, 22.9), "a2")
    far = us("us_1lt", (36, 24.2), "a3")
    battle = called(enemy("ger_tiger", (36, 8), heading=180), near, far, dice=(6, 1, 1, 1, 1))
    battle.state.strikes.append(Strike("air", "american", "a1", 1, target="g1"))
    resolving = barrages_and_aircraft.resolve(battle)
    ask = next(resolving)
    assert (ask.side, ask.rule, [option.key for option in ask.options]) == ("german", "26.6", ["wrong g1", "wrong a2"])
    with pytest.raises(StopIteration):
        resolving.send("wrong a2")
    assert battle.unit("a2").pins == 1 and battle.unit("g1").pins == 0


@rule("bolt_action", "26.6")
@pytest.mark.parametrize(("kind", "miss", "hit"), [(4, 3, 4), (6, 2, 3)])
def test_bombs_may_miss(kind: int, miss: int, hit: int) -> None:
    for face, falls in ((miss, False), (hit, True)):
        battle = called(enemy("ger_tiger", (36, 10)), dice=(6, kind, face, 1))
        strike(battle)
        assert (battle.unit("g1").pins == 1) is falls


@rule("bolt_action", "26.6")
def test_every_other_enemy_within_six_inches_of_the_target_takes_a_pin() -> None:
    units = [
        enemy("ger_tiger", (36, 10)),
        enemy("ger_2lt", (36, 19.4), "g2"),
        enemy("ger_1lt", (36, 20.6), "g3"),
        us("us_2lt", (40, 10), "a2"),
    ]
    battle = called(*units, dice=(6, 2, 1))
    gaps = [battle.gap(battle.unit("g1"), battle.unit(id)) for id in ("g2", "g3")]
    assert gaps[0] <= 700 and gaps[1] > 600
    strike(battle)
    expected = {id: int(battle.gap(battle.unit("g1"), battle.unit(id)) <= 600) for id in ("g2", "g3")}
    assert {id: battle.unit(id).pins for id in ("g1", "g2", "g3", "a2")} == {"g1": 0, **expected, "a2": 0}


# ---- observers (26.2, 26.5) ----------------------------------------------------------------------------------


@rule("bolt_action", "26.2", "26.5")
@pytest.mark.parametrize("kind", ["us_observer", "us_air_observer"])
@pytest.mark.parametrize(("more", "may"), [({}, True), ({"called": True}, False), ({"status": "reserve"}, False)])
def test_an_observer_calls_once_and_from_the_table(kind: str, more: dict[str, Any], may: bool) -> None:
    at = None if "status" in more else (36, 40)
    battle = place(us(kind, at, **more), us("us_2lt", (5, 44), "a2"), enemy("ger_infantry", (36, 20)))
    assert barrages_and_aircraft.may_call(battle, battle.unit("a1")) is may
    assert not barrages_and_aircraft.may_call(battle, battle.unit("a2"))


@rule("bolt_action", "26.2", "2.1")
def test_an_observer_may_shoot_instead_and_keeps_his_call() -> None:
    battle = place(us("us_observer", (36, 40)), enemy("ger_infantry", (36, 20)))
    calling = barrages_and_aircraft.call(battle, battle.unit("a1"))
    ask = next(calling)
    assert ask.side == "american" and "shoot" in [option.key for option in ask.options]
    with pytest.raises(StopIteration) as done:
        calling.send("shoot")
    assert done.value.value is False and not battle.unit("a1").called and not battle.state.strikes


# ---- the barrage (26.3) --------------------------------------------------------------------------------------


@rule("bolt_action", "26.3")
def test_a_stray_barrage_falls_where_it_was_called_if_its_marker_is_left_there() -> None:
    battle = place(us("us_observer", (36, 46), called=True), enemy("ger_2lt", (36, 10)), turn=2, dice=(1, 1, 1))
    battle.state.strikes.append(Strike("barrage", "american", "a1", 1, 3600, 1000))
    resolving = barrages_and_aircraft.resolve(battle)
    ask = next(resolving)
    assert (ask.side, ask.rule) == ("german", "26.3")
    with pytest.raises(StopIteration):
        resolving.send("stay")
    (falls,) = happened(battle, BarrageFalls)
    assert (falls.place, falls.astray, falls.side) == ("36,10", True, "american") and battle.state.strikes == []
    assert [event.unit for event in rolled(battle, "barrage effect")] == ["g1"]


# ---- vehicles that leave the table (8.5, 28.5) ---------------------------------------------------------------


@rule("bolt_action", "8.5", "28.5", "24.3")
@pytest.mark.parametrize(("y", "order", "leaves"), [(5, "advance", True), (20, "advance", False), (20, "run", True)])
def test_a_truck_drives_off_over_its_edge_with_its_riders(y: float, order: str, leaves: bool) -> None:
    ways = {"exit": [{"side": "american", "edge": "top", "points": 2}]}
    units = [
        unit("us_truck", "a1", at=(36, y)),
        unit("us_squad10", "a2", aboard="a1"),
        unit("us_2lt", "a3", at=(60, 40)),
    ]
    session = play(*units, FOE, victory=ways, drawn="american", cup={"american": 3, "german": 1}, dice=[1])
    answer(session, "unit a1", order)
    assert ("exit top" in keys(session)) is leaves
    if leaves:
        answer(session, "exit top")
        assert [look(session, id).status for id in ("a1", "a2", "a3")] == ["exited", "exited", "table"]
        assert {(event.unit, event.edge) for event in happened(session, LeftTable)} >= {("a1", "top")}


# ---- what cannot be done -------------------------------------------------------------------------------------


@rule("bolt_action", "14.4", "14.3")
def test_what_no_die_can_damage_is_not_rolled_for() -> None:
    battle = place(us("us_squad", (36, 40)), enemy("ger_infantry", (36, 20), quality="veteran"), dice=())
    target = battle.unit("g1")
    hard = damage.tally(battle, target, -3)
    assert hard.total > 6
    assert damage.roll(battle, "american", target, damage.Blow(4, hard)) == (Toll(0, 0), False)
    assert damage.roll(battle, "american", target, damage.Blow(0, damage.tally(battle, target, 0))) == (
        Toll(0, 0),
        False,
    )
    assert not rolled(battle, "damage")


@rule("bolt_action", "23.3", "21.2")
@pytest.mark.parametrize(("run", "cited"), [(1200, ""), (0, "23.3")])
def test_whoever_cannot_run_does_not_assault(run: int, cited: str, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = place(us("us_squad", (36, 28), die=""), enemy("ger_2lt", (36, 23)))
    moves_as = battle.type(battle.unit("a1")).moves_as
    rates = battle.charts.rates
    monkeypatch.setitem(rates, moves_as, rates[moves_as]._replace(run=run))
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert (bar.rule if bar else "") == cited


@rule("bolt_action", "22.3", "3.4", "4.1")
def test_men_who_should_go_for_a_tank_may_get_it_all_wrong() -> None:
    battle = place(us("sov_rifles", (36, 30), men=3, die="run"), enemy("ger_panzer4", (36, 26)), dice=(6, 6, 4))
    going = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    try:
        ask = next(going)
        while True:
            ask = going.send(ask.options[-1].key)
    except StopIteration:
        pass
    assert [event.meaning for event in rolled(battle, "order test")] == ["fubar"] and rolled(battle, "FUBAR")
    assert not rolled(battle, "assault on a vehicle")


@rule("bolt_action", "24.7", "28.7")
def test_a_side_whose_last_vehicle_stands_empty_among_the_enemy_has_lost_at_the_turn_s_end() -> None:
    session = play(
        unit("us_truck", "a1", at=(36, 30)),
        unit("ger_infantry", "g1", at=(36, 24), heading=180),
        phase="turn_end",
        cup={"american": 1, "german": 1},
        dice=[1],
    )
    assert session.over and session.result is not None and session.result.winner == "german"
    assert look(session, "a1").status == "lost"


@rule("bolt_action", "17.4", "7.3")
def test_a_crew_stays_near_its_gun() -> None:
    battle = place(us("us_57mm", (36, 40)), enemy("ger_2lt", (5, 5)))
    gun = battle.unit("a1")
    stand, numbers = battle.bodies(gun), list(range(len(gun.models)))
    assert formation.bar_layout(battle, gun, stand, numbers) is None
    men = [number for number, model in enumerate(gun.models) if model.role != "gun"]
    last = max(men, key=lambda number: stand[number].y)
    first = next(number for number in men if number != last)
    away = list(stand)
    away[first] = stand[last].at(stand[last].x, stand[last].y + 190, 0)
    assert formation.bar_layout(battle, gun, away, numbers) == formation.FAR_FROM_GUN
