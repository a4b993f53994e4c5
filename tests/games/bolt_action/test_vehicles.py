"""Vehicle manoeuvre (10, 20.9, 27.8) and driving down buildings (25.8); escape (16.9)."""

from __future__ import annotations

from typing import Any
from weakref import ref

import pytest

from grognard.core.errors import IllegalError
from grognard.core.poses import Pose
from grognard.core.session import Session
from grognard.games.bolt_action import advance_and_run, panic_and_escape, vehicles
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Moved, Rammed, Turned
from tests.games.bolt_action import play as table
from tests.games.bolt_action.play import answer, box, field, happened, keys, look, piece, run, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))


def play(*units: Any, **more: Any) -> Session:
    return table.play(*units, seed=b"vehicles", **more)


def on(kind: str, heading: int = 0, at: tuple[float, float] = (30, 30), **more: Any) -> BoltBattle:
    return field(unit(kind, "a1", at=at, heading=heading), FOE, **more)


def leg(battle: BoltBattle, order: str, *, reverse: bool = False) -> vehicles.DriveArea:
    who = battle.unit("a1")
    return vehicles.DriveArea(battle, who, vehicles.begin(battle, who, order, reverse=reverse))


def says(area: vehicles.DriveArea, x: float, y: float, heading: int = 0, form: str = "") -> str:
    bar = area.bar(Pose(round(x * 100), round(y * 100), heading, form))
    return bar.rule if bar else ""


def test_an_area_that_nobody_wants_any_more_is_gone_at_once() -> None:
    """What holds itself together piles up in thoughts until somebody looks for garbage."""
    area = ref(leg(on("us_m4"), "advance"))
    assert area() is None


@pytest.mark.rule("bolt_action", "8.2")
@pytest.mark.parametrize(
    ("kind", "advance", "run_"), [("us_m4", 9, 18), ("us_m3_halftrack", 9, 18), ("us_jeep", 12, 24)]
)
def test_rates(kind: str, advance: int, run_: int) -> None:
    for order, far in (("advance", advance), ("run", run_)):
        area = leg(on(kind), order)
        assert says(area, 30, 30 - far) == "" and says(area, 30, 30 - far - 0.1) == "8.2"


@pytest.mark.rule("bolt_action", "10.7")
def test_slow_vehicles() -> None:
    for order, far in (("advance", 6), ("run", 12)):
        area = leg(field(unit("gb_matilda", "a1", at=(30, 30)), FOE), order)
        assert says(area, 30, 30 - far) == "" and says(area, 30, 30 - far - 0.1) == "10.7"


@pytest.mark.rule("bolt_action", "10.1", "10.2")
def test_a_tracked_vehicle_pivots_once_with_advance_and_not_with_run() -> None:
    session = play(unit("us_m4", "a1", at=(30, 30)), FOE, drawn="american")
    answer(session, "unit a1", "advance", "pose 34 30 90 drive")
    hull = look(session, "a1").models[0]
    assert (hull.x, hull.y, hull.heading) == (3400, 3000, 90)
    with pytest.raises(IllegalError, match=r"\[10\.1\]"):
        session.answer("pose 34 28 0 drive")
    answer(session, "pose 39 30 90 drive")  # what is left of nine inches, straight on
    assert look(session, "a1").models[0].x == 3900
    area = leg(on("us_m4"), "run")
    assert says(area, 34, 28) == "10.1" and says(area, 30, 20) == ""


@pytest.mark.rule("bolt_action", "10.1", "10.2")
def test_wheels_and_half_tracks_pivot_twice_with_advance_and_once_with_run() -> None:
    for kind in ("us_jeep", "us_m3_halftrack"):
        battle = on(kind)
        who = battle.unit("a1")
        run(
            advance_and_run.move(battle, who, "advance"),
            "pose 33 30 90 drive",
            "pose 33 27 0 drive",
            "pose 33 24.5 0",
            "done",
        )
        assert (who.models[0].x, who.models[0].y, who.models[0].heading) == (3300, 2450, 0)
        battle = on(kind)
        driving = advance_and_run.move(battle, battle.unit("a1"), "run")
        next(driving)
        ask = driving.send("pose 33 30 90 drive")
        with pytest.raises(IllegalError, match=r"\[10\.1\]"):
            ask.option("pose 33 27 0 drive")


@pytest.mark.rule("bolt_action", "10.2")
def test_a_pivot_costs_no_distance_and_may_be_made_at_the_end() -> None:
    battle = on("us_m4")
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "advance"), "pose 30 21 90 face")
    hull = who.models[0]
    assert (hull.y, hull.heading) == (2100, 90)
    assert happened(battle, Moved)[0].inches == "9"
    battle = on("us_m4")
    run(advance_and_run.move(battle, battle.unit("a1"), "advance"), "pose 30 30 45", "done")
    assert [(e.start, e.heading) for e in happened(battle, Turned)] == [(0, 45)]
    battle = on("us_m4")
    with pytest.raises(IllegalError, match=r"\[10\.1\]"):
        run(advance_and_run.move(battle, battle.unit("a1"), "advance"), "pose 30 30 120")


@pytest.mark.rule("bolt_action", "10.2")
def test_a_heading_that_no_pivot_is_left_for_is_not_turned_to() -> None:
    area = leg(on("us_m4"), "advance")
    shown = area.preview(Pose(3400, 3000, 0, "face"))
    assert shown.bar is None and shown.models[0].heading == 90, "the one pivot went into the start"
    assert "0 pivots left" in shown.cost and shown.cost.startswith("4 of 9″")


@pytest.mark.rule("bolt_action", "10.3", "10.5")
def test_reverse_is_half_the_advance_rate_straight_back() -> None:
    for order in ("advance", "run"):
        area = leg(on("us_m4"), order, reverse=True)
        assert says(area, 30, 34.5) == "" and says(area, 30, 34.7) == "10.3"
        assert says(area, 33, 32) == "10.3"
    battle = on("us_jeep")
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "advance"), "reverse", "pose 30 36 0 drive")
    assert (who.models[0].y, who.models[0].heading) == (3600, 0)
    assert happened(battle, Moved)[0].how == "reverse"


@pytest.mark.rule("bolt_action", "10.4")
def test_recce_vehicles_reverse_at_the_full_rate_and_pivot() -> None:
    area = leg(field(unit("gb_daimler", "a1", at=(30, 24)), FOE), "advance", reverse=True)
    assert says(area, 30, 36) == "" and says(area, 30, 36.1) == "10.3"
    assert says(area, 36, 30) == ""
    found, pivots = area.end(Pose(3600, 2400, 0))
    assert (found.heading, pivots) == (270, 1), "it goes tail first"


@pytest.mark.rule("bolt_action", "10.5")
def test_one_move_is_all_forward_or_all_reverse() -> None:
    session = play(unit("us_m4", "a1", at=(30, 30)), FOE, drawn="american")
    answer(session, "unit a1", "advance")
    assert keys(session, "reverse") == ["reverse"]
    answer(session, "reverse")
    assert keys(session, "forward") == ["forward"] and not keys(session, "reverse")
    answer(session, "pose 30 32 0 drive")
    assert not keys(session, "forward") and keys(session, "done")


@pytest.mark.rule("bolt_action", "10.5", "9.5")
def test_roads_double_reverse_too_and_a_turn_off_the_road_ends_it() -> None:
    road = piece("road", (30, 48), (30, 0))
    area = leg(on("us_m4", at=(30, 20), terrain=[road]), "advance", reverse=True)
    assert says(area, 30, 29) == "" and says(area, 30, 29.2) == "10.3"
    battle = on("us_jeep", at=(30, 40), terrain=[road])
    driving = advance_and_run.move(battle, battle.unit("a1"), "advance")
    next(driving)
    ask = driving.send("pose 30 35 0 drive")
    area2 = ask.area
    assert isinstance(area2, vehicles.DriveArea)
    assert says(area2, 30, 16) == "", "24 in as long as it keeps to the road"
    assert says(area2, 37, 35) == "" and says(area2, 37.2, 35) == "8.2", "7 in are left of 12 off it"


@pytest.mark.rule("bolt_action", "9.5")
def test_who_came_to_the_road_on_his_move_does_not_drive_at_double_rate() -> None:
    battle = on("us_jeep", at=(30, 40), terrain=[piece("road", (30, 36), (30, 0))])
    driving = advance_and_run.move(battle, battle.unit("a1"), "advance")
    next(driving)
    ask = driving.send("pose 30 35 0 drive")
    assert isinstance(ask.area, vehicles.DriveArea)
    assert says(ask.area, 30, 28) == "" and says(ask.area, 30, 27.8) == "8.2", "7 in are left of 12"


@pytest.mark.rule("bolt_action", "10.6", "8.5", "8.4")
def test_vehicles_drive_through_nobody() -> None:
    battle = field(unit("us_m4", "a1", at=(30, 30)), unit("us_2lt", "a2", at=(30, 24)), FOE)
    assert says(leg(battle, "advance"), 30, 22) == "10.6"
    battle = field(unit("us_m4", "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 24)))
    area = leg(battle, "advance")
    # Half the hull, the inch, and the base of the man.
    assert says(area, 30, 24 + 2.15 + 1 + 0.5 + 0.05) == "" and says(area, 30, 24 + 3.5) == "8.4"


@pytest.mark.rule("bolt_action", "10.6")
def test_vehicles_do_not_assault() -> None:
    session = play(unit("us_m4", "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 20)), drawn="american")
    answer(session, "unit a1", "run")
    assert not keys(session, "assault")


@pytest.mark.rule("bolt_action", "20.9")
def test_an_immobilised_vehicle_neither_moves_nor_pivots() -> None:
    session = play(unit("us_m4", "a1", at=(30, 30), immobilised=True), FOE, drawn="american")
    answer(session, "unit a1")
    assert "advance" not in keys(session) and "run" not in keys(session)
    battle = field(unit("us_m4", "a1", at=(30, 30), immobilised=True), FOE)
    assert advance_and_run.can_move(battle, battle.unit("a1"), "advance").rule == "20.9"  # type: ignore[union-attr]


@pytest.mark.rule("bolt_action", "27.8")
def test_who_turns_on_the_spot_reverses_at_run_rate_and_looks_the_way_it_went() -> None:
    battle = field(unit("gb_carrier", "a1", at=(30, 20)), FOE)
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "run"), "reverse", "pose 30 38 0 drive")
    assert (who.models[0].y, who.models[0].heading) == (3800, 180)


@pytest.mark.rule("bolt_action", "25.8")
@pytest.mark.parametrize(("die", "down"), [(4, True), (3, False)])
def test_a_heavy_tank_drives_down_a_soft_building(die: int, down: bool) -> None:
    shed = box("building", 27, 20, 33, 24, id="shed", soft=True)
    battle = field(unit("ger_tiger", "g1", at=(30, 30)), unit("us_2lt", "a1", at=(60, 5)), terrain=[shed], dice=[die])
    tank = battle.unit("g1")
    run(advance_and_run.move(battle, tank, "advance"), "demolish shed")
    assert tank.models[0].y == pytest.approx(2400 + 245, abs=4), "the move ends on contact"
    assert tank.immobilised is not down
    assert battle.state.changed == ({"shed": "rubble"} if down else {})
    assert battle.table.kind(battle.table.by_id["shed"]).ground == ("rough" if down else "building")
    assert [event.down for event in happened(battle, Rammed)] == [down]


@pytest.mark.rule("bolt_action", "25.8", "9.4")
def test_only_heavy_tanks_and_only_empty_soft_buildings_with_advance() -> None:
    def demolishes(kind: str, order: str, *, soft: bool = True, held: bool = False) -> bool:
        shed = box("building", 27, 20, 33, 24, id="shed", soft=soft)
        inside = [unit("us_2lt", "a2", at=(30, 22), building="shed")] if held else []
        battle = field(unit(kind, "g1", at=(30, 30)), unit("us_2lt", "a1", at=(60, 5)), *inside, terrain=[shed])
        ask = next(advance_and_run.move(battle, battle.unit("g1"), order))
        return "demolish shed" in [option.key for option in ask.options]

    assert demolishes("ger_tiger", "advance")
    assert not demolishes("ger_tiger", "run")
    assert not demolishes("ger_panzer4", "advance")
    assert not demolishes("ger_tiger", "advance", soft=False)
    assert not demolishes("ger_tiger", "advance", held=True)


@pytest.mark.rule("bolt_action", "16.9")
def test_an_escape_ends_farther_from_the_attacker() -> None:
    battle = field(unit("ger_puma", "g1", at=(30, 30)), unit("us_m4", "a1", at=(30, 18), heading=180))
    car, attacker = battle.unit("g1"), battle.unit("a1")
    away = panic_and_escape.escape(battle, car, attacker)
    ask = next(away)
    with pytest.raises(IllegalError, match=r"\[16\.9\]"):
        ask.option("pose 30 27 0 drive")
    assert all(option.verb in ("stay", "reverse") or "pose" in option.key for option in ask.options)
    ask = away.send("reverse")
    ask.option("pose 30 41.9 0 drive")
    ask = away.send("pose 30 41.9 0 drive")
    with pytest.raises(StopIteration) as done:
        away.send("done")
    assert done.value.value is True and car.models[0].y == 4190
    assert "16.9" in happened(battle, Moved)[0].rules


def test_good_legs_are_legal_and_few() -> None:
    battle = on("us_m4", terrain=[box("woods", 20, 10, 28, 25), box("building", 33, 20, 39, 26)])
    for order in ("advance", "run"):
        ask = next(advance_and_run.move(battle, battle.unit("a1"), order))
        assert len(ask.options) <= 20
        for option in ask.options:
            ask.option(option.key)


def test_an_answer_that_is_no_drive_says_why() -> None:
    area = leg(on("us_m4"), "advance")
    assert says(area, 30, -3) == "8.5"
    wall = box("building", 26, 24, 34, 26)
    area = leg(on("us_m4", terrain=[wall]), "advance")
    assert says(area, 30, 23) == "9.4"


@pytest.mark.rule("bolt_action", "8.4")
def test_a_vehicle_passes_friends_closely_but_stops_an_inch_clear() -> None:
    battle = field(unit("us_m4", "a1", at=(30, 33)), unit("us_2lt", "a2", at=(32, 28)), FOE)
    area = leg(battle, "advance")
    # The hull's side is 1.05 in from its middle: the man beside it is 0.45 in off.
    assert says(area, 30, 28) == "8.4" and says(area, 30, 24.6) == ""
    battle = field(unit("us_m4", "a1", at=(30, 34)), unit("us_jeep", "a2", at=(32.5, 28), heading=20), FOE)
    assert says(leg(battle, "advance"), 30, 28) == "8.4"


@pytest.mark.rule("bolt_action", "24.8", "23.3", "8.4")
def test_a_tow_comes_up_to_a_heavy_gun_and_takes_it_away() -> None:
    battle = field(unit("us_m3_halftrack", "t1", at=(36, 30), heading=270), unit("us_3in", "a1", at=(30, 30)), FOE)
    tow, gun = battle.unit("t1"), battle.unit("a1")
    area = vehicles.DriveArea(battle, tow, vehicles.begin(battle, tow, "advance"))
    far = 36 - 30 - 0.8 - 2.1
    assert area.bar(Pose(round((36 - far + 0.2) * 100), 3000, 270)) is None
    battle = field(unit("us_m3_halftrack", "t1", at=(33.1, 30), heading=270), unit("us_3in", "a1", at=(30, 30)), FOE)
    tow, gun = battle.unit("t1"), battle.unit("a1")
    assert advance_and_run.can_move(battle, gun, "run") is None
    run(advance_and_run.move(battle, gun, "run"), "board t1")
    assert (gun.status, gun.aboard) == ("aboard", tow.id)


@pytest.mark.rule("bolt_action", "9.6", "10.5")
def test_a_run_in_reverse_keeps_out_of_ground_closed_to_a_run() -> None:
    woods = box("woods", 25, 32, 35, 40)
    assert says(leg(on("us_m4", terrain=[woods]), "advance", reverse=True), 30, 34) == ""
    assert says(leg(on("us_m4", terrain=[woods]), "run", reverse=True), 30, 34) == "9.6"


@pytest.mark.rule("bolt_action", "16.9")
def test_an_escape_does_not_end_with_a_turn_that_brings_the_hull_as_near_again() -> None:
    battle = field(unit("ger_puma", "g1", at=(30, 30), heading=90), unit("us_m4", "a1", at=(30, 18), heading=180))
    ask = next(panic_and_escape.escape(battle, battle.unit("g1"), battle.unit("a1")))
    area = ask.area
    assert isinstance(area, panic_and_escape.EscapeArea)
    beside, away = Pose(3400, 3000, 0, "face"), Pose(4000, 3000, 0, "face")
    assert area.bar(beside) is None and area.bar(away) is None
    assert area.end(beside)[1] == 0 and area.end(away)[1] == 1


@pytest.mark.rule("bolt_action", "16.9")
def test_a_pivot_alone_is_no_escape() -> None:
    battle = field(unit("ger_puma", "g1", at=(30, 30)), unit("us_m4", "a1", at=(30, 18), heading=180))
    ask = next(panic_and_escape.escape(battle, battle.unit("g1"), battle.unit("a1")))
    with pytest.raises(IllegalError, match=r"\[16\.9\]"):
        ask.option("pose 30 30 90")


@pytest.mark.rule("bolt_action", "16.4")
def test_the_inches_of_a_move_count_on_from_leg_to_leg() -> None:
    battle = field(
        unit("us_jeep", "a1", at=(30, 30), die="advance"),
        unit("ger_grenadiers", "g1", at=(30, 12), heading=180, die="ambush"),
    )
    driving = advance_and_run.move(battle, battle.unit("a1"), "advance")
    next(driving)
    ask = driving.send("pose 30 29.1 0")
    assert ask.reaction == "", "nine tenths of an inch"
    ask = driving.send("pose 30 28.2 0")
    assert ask.reaction == "ambush" and battle.unit("a1").models[0].y == 2900
    ask = driving.send("pass")
    assert ask.reaction == "" and battle.unit("a1").models[0].y == 2820
    ask = driving.send("pose 30 28 0")
    assert ask.reaction == "", "a leg that ends on the inch"
    ask = driving.send("pose 30 27.5 0")
    assert ask.reaction == "ambush" and battle.unit("a1").models[0].y == 2800


@pytest.mark.rule("bolt_action", "9.5")
@pytest.mark.parametrize(("x", "keeps"), [(2850, True), (2849, True), (2848, False), (3151, True), (3152, False)])
def test_the_centre_keeps_to_the_road_as_far_as_its_edge(x: int, keeps: bool) -> None:
    battle = on("us_jeep", terrain=[piece("road", (30, 48), (30, 0))])
    assert vehicles.keeps_to_road(battle, (3000, 3000), (x, 2000)) is keeps
    assert vehicles.keeps_to_road(battle, (x, 3000), (x, 3000)) is keeps


@pytest.mark.rule("bolt_action", "8.5", "9.5")
def test_a_road_takes_a_vehicle_off_the_table_at_double_rate() -> None:
    ways = {"exit": [{"side": "american", "edge": "top", "points": 2}]}
    road = [piece("road", (20, 0), (20, 48))]
    for terrain, leaves in ((road, True), ([], False)):
        session = table.play(unit("us_truck", "a1", at=(20, 18)), FOE, terrain=terrain, victory=ways, drawn="american")
        answer(session, "unit a1", "advance")
        assert ("exit top" in keys(session)) is leaves
