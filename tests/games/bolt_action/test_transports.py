"""Transports and tows (24)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.core.errors import IllegalError
from grognard.core.poses import Pose
from grognard.core.session import Session
from grognard.games.bolt_action import advance_and_run, bailing_out, formation, morale, orders, transports
from grognard.games.bolt_action.fire_events import Losses
from grognard.games.bolt_action.invariants import structure
from grognard.games.bolt_action.move_events import Boarded, GotOut, Hitched, LeftBuilding, Spilled
from grognard.games.bolt_action.turn_events import Destroyed
from tests.games.bolt_action import play as table
from tests.games.bolt_action.play import answer, field, happened, keys, look, run, the_battle, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))
TRUCK = unit("us_truck", "t1", at=(30, 24))


def play(*units: Any, **more: Any) -> Session:
    return table.play(*units, seed=b"transports", **more)


@pytest.mark.rule("bolt_action", "24.1")
def test_how_many_a_transport_carries_and_what_it_tows() -> None:
    battle = field(
        TRUCK,
        unit("us_squad10", "a1", at=(30, 30)),
        unit("us_1lt", "a2", at=(40, 30), status="aboard", aboard="t1"),
        unit("us_2lt", "a3", at=(50, 30)),
        unit("us_57mm", "a4", at=(20, 30)),
        unit("us_3in", "a5", at=(10, 30)),
        unit("us_57mm", "a6", at=(20, 40), status="aboard", aboard="t1"),
        FOE,
    )
    truck = battle.unit("t1")
    assert transports.bar_aboard(battle, battle.unit("a1"), truck) is None, "ten and two are twelve"
    transports.put_aboard(battle, battle.unit("a1"), truck)
    assert transports.bar_aboard(battle, battle.unit("a3"), truck).rule == "24.1"  # type: ignore[union-attr]
    assert "already" in transports.bar_aboard(battle, battle.unit("a4"), truck).reason  # type: ignore[union-attr]
    assert "weight" in transports.bar_aboard(battle, battle.unit("a5"), truck).reason  # type: ignore[union-attr]


@pytest.mark.rule("bolt_action", "24.2", "8.4")
def test_boarding_within_an_inch_of_a_transport_that_has_not_moved() -> None:
    session = play(TRUCK, unit("us_squad10", "a1", at=(30, 31)), FOE, drawn="american")
    answer(session, "unit a1", "advance")
    assert keys(session, "board") == ["board t1"]
    answer(session, "board t1")
    who = look(session, "a1")
    assert (who.status, who.aboard) == ("aboard", "t1")
    assert happened(session, Boarded) and not keys(session, "at")


@pytest.mark.rule("bolt_action", "24.2", "25.2")
def test_who_boards_out_of_a_house_comes_out_of_it_first() -> None:
    house = table.box("building", 27, 26.5, 33, 32, id="farm")
    session = play(TRUCK, unit("us_squad10", "a1", building="farm", men=5), FOE, terrain=[house], drawn="american")
    answer(session, "unit a1", "advance", "board t1")
    assert [(event.unit, event.piece) for event in happened(session, LeftBuilding)] == [("a1", "farm")]
    assert (look(session, "a1").aboard, look(session, "a1").building) == ("t1", "")


@pytest.mark.rule("bolt_action", "24.2")
def test_no_boarding_of_what_moved_or_is_too_far() -> None:
    moved = unit("us_truck", "t1", at=(30, 24), moving=True, die="advance")
    session = play(moved, unit("us_squad10", "a1", at=(30, 31)), FOE, drawn="american")
    answer(session, "unit a1", "advance")
    assert not keys(session, "board")
    battle = the_battle(session)
    assert "moved" in transports.bar_board(battle, look(session, "a1"), look(session, "t1"), "advance").reason  # type: ignore[union-attr]
    battle = field(TRUCK, unit("us_squad10", "a1", at=(30, 37)), FOE)
    bar = transports.bar_board(battle, battle.unit("a1"), battle.unit("t1"), "advance")
    assert bar is not None and bar.rule == "24.2"
    assert transports.bar_board(battle, battle.unit("a1"), battle.unit("t1"), "run") is None


@pytest.mark.rule("bolt_action", "24.3")
@pytest.mark.parametrize(("order", "far"), [("advance", 6), ("run", 12)])
def test_getting_out_within_six_or_twelve_inches_of_the_hull(order: str, far: int) -> None:
    rider = unit("us_2lt", "a1", at=(30, 24), status="aboard", aboard="t1")
    session = play(TRUCK, rider, FOE, drawn="american")
    answer(session, "unit a1", order)
    # The hull's side is 0.85 in from its middle, the man's base half an inch wide.
    edge = 30 + 0.85 + far + 0.5
    with pytest.raises(IllegalError, match=r"\[24\.3\]"):
        session.answer(f"pose {edge + 0.03:.2f} 24 90")
    with pytest.raises(IllegalError, match=r"\[24\.3\]"):
        session.answer("pose 30 24 90")
    answer(session, f"pose {edge - 0.03:.2f} 24 90")
    who = look(session, "a1")
    assert who.status == "table" and who.aboard == "" and who.moving
    assert [event.vehicle for event in happened(session, GotOut)] == ["t1"]
    assert not keys(session, "assault")


@pytest.mark.rule("bolt_action", "24.3")
def test_nobody_gets_out_of_a_vehicle_that_has_run() -> None:
    ran = unit("us_truck", "t1", at=(30, 24), moving=True, die="run")
    battle = field(ran, unit("us_2lt", "a1", at=(30, 24), status="aboard", aboard="t1"), FOE)
    assert advance_and_run.can_move(battle, battle.unit("a1"), "advance").rule == "24.3"  # type: ignore[union-attr]
    went = unit("us_truck", "t1", at=(30, 24), moving=True, die="advance")
    battle = field(went, unit("us_2lt", "a1", at=(30, 24), status="aboard", aboard="t1"), FOE)
    assert advance_and_run.can_move(battle, battle.unit("a1"), "advance") is None


@pytest.mark.rule("bolt_action", "24.3", "7.2")
def test_a_squad_gets_out_in_formation() -> None:
    battle = field(TRUCK, unit("us_squad10", "a1", at=(30, 24), status="aboard", aboard="t1"), FOE)
    who = battle.unit("a1")
    ask = next(advance_and_run.move(battle, who, "advance"))
    poses = [option.key for option in ask.options if option.verb == "pose"]
    assert 4 <= len(poses) <= 14
    run(advance_and_run.move(battle, who, "advance"), poses[0])
    assert not formation.broken(battle, who)
    hull = battle.hull(battle.unit("t1"))
    assert all(bodies.gap(body, hull) <= 601 for body in battle.bodies(who))


@pytest.mark.rule("bolt_action", "24.8")
def test_hitching_and_unhitching_a_gun() -> None:
    battle = field(unit("us_truck", "t1", at=(30, 24)), unit("us_57mm", "a1", at=(30, 29)), FOE)
    gun = battle.unit("a1")
    run(advance_and_run.move(battle, gun, "run"), "board t1")
    assert gun.status == "aboard" and happened(battle, Hitched)
    gun.die = "advance"
    leaving = advance_and_run.move(battle, gun, "advance")
    ask = next(leaving)
    with pytest.raises(IllegalError, match=r"\[24\.8\]"):
        ask.option("pose 30 30 200 cluster")
    poses = [option.key for option in ask.options if option.verb == "pose"]
    assert poses
    with pytest.raises(StopIteration):
        leaving.send(poses[0])
    assert gun.status == "table"
    assert bodies.gap(battle.hull(gun), battle.hull(battle.unit("t1"))) <= 100


@pytest.mark.rule("bolt_action", "24.8", "23.3")
def test_a_heavy_gun_is_hitched_where_it_stands_when_the_tow_is_there() -> None:
    crew = [(30, 30), (28.5, 29), (28.5, 30.2), (28.5, 31.4), (31.5, 30)]
    tow = unit("us_m3_halftrack", "t1", at=(30, 25.6))
    battle = field(tow, unit("us_3in", "a1", models=crew), FOE)
    assert transports.bar_board(battle, battle.unit("a1"), battle.unit("t1"), "run") is None
    away = unit("us_m3_halftrack", "t1", at=(30, 24.4))
    battle = field(away, unit("us_3in", "a1", models=crew), FOE)
    bar = transports.bar_board(battle, battle.unit("a1"), battle.unit("t1"), "run")
    assert bar is not None and bar.rule == "24.2"


@pytest.mark.rule("bolt_action", "24.5")
def test_passengers_of_a_destroyed_transport_are_thrown_out() -> None:
    battle = field(
        TRUCK,
        unit("us_squad10", "a1", at=(30, 24), status="aboard", aboard="t1"),
        FOE,
        dice=[3, 1, 1, 1],
        cup={"american": 2, "german": 1},
    )
    squad, truck = battle.unit("a1"), battle.unit("t1")
    morale.destroy(battle, truck, ("20.6",), "knocked out")
    run(bailing_out.aftermath(battle))
    assert [event.hits for event in happened(battle, Spilled)] == [3]
    assert squad.status == "table" and squad.pins == 1 and squad.die == "down" and len(squad.models) == 10
    assert not formation.broken(battle, squad)
    assert all(abs(m.x - 3000) <= 85 + 300 + 50 and abs(m.y - 2400) <= 220 + 300 + 50 for m in squad.models)


@pytest.mark.rule("bolt_action", "24.7")
def test_empty_transports_among_the_enemy_are_lost() -> None:
    battle = field(
        unit("us_truck", "t1", at=(30, 24)),
        unit("us_jeep", "t2", at=(30, 30)),  # another empty one is no friend
        unit("us_m3_halftrack", "t3", at=(36, 24)),  # it has a weapon
        unit("us_truck", "t4", at=(60, 40)),
        unit("us_2lt", "a1", at=(60, 46)),
        unit("ger_2lt", "g1", at=(24, 24)),
        cup={"american": 5, "german": 1},
    )
    # The half-track is nearer to the first truck than the enemy is: it is a friend, and armed.
    assert [u.id for u in transports.stranded(battle)] == []
    battle.unit("t3").models[0].x = 6900
    battle.invalidate()
    assert [u.id for u in transports.stranded(battle)] == ["t1", "t2"]


@pytest.mark.rule("bolt_action", "24.8")
def test_a_gun_remembers_that_it_was_unhitched_this_turn() -> None:
    battle = field(
        unit("us_truck", "t1", at=(30, 24)), unit("us_57mm", "a1", at=(50, 40), status="aboard", aboard="t1"), FOE
    )
    gun = battle.unit("a1")
    ask = next(advance_and_run.move(battle, gun, "advance"))
    run(advance_and_run.move(battle, gun, "advance"), next(o.key for o in ask.options if o.verb == "pose"))
    assert transports.unhitched(battle, gun)
    battle.state.turn += 1
    assert not transports.unhitched(battle, gun)


@pytest.mark.rule("bolt_action", "24.3")
def test_nobody_gets_out_of_a_vehicle_that_ran_and_was_then_brought_to_a_halt() -> None:
    for words in (("pose 20 20 0 drive", "done"), ("stay",)):
        session = play(
            unit("us_m3_halftrack", "t1", at=(20, 30)), unit("us_squad10", "a1", aboard="t1"), FOE, drawn="american"
        )
        answer(session, "unit t1", "run", *words)
        battle = the_battle(session)
        vehicle = battle.unit("t1")
        assert vehicle.die == "run"
        morale.put_down(battle, vehicle, "20.3")
        assert vehicle.die == "down"
        bar = transports.bar_leave(battle, battle.unit("a1"), "advance")
        assert bar is not None and bar.rule == "24.3"


@pytest.mark.rule("bolt_action", "24.3")
@pytest.mark.parametrize(("die", "gets_out"), [("run", False), ("advance", True), ("down", True), ("", True)])
def test_nobody_gets_out_of_a_vehicle_that_was_ordered_to_run_moved_or_not(die: str, gets_out: bool) -> None:
    """A file that gives it a Run die means the same as a Run that was ordered in play."""
    battle = field(
        unit("us_m3_halftrack", "t1", at=(20, 30), die=die), unit("us_squad10", "a1", men=8, aboard="t1"), FOE
    )
    found = [orders.bar(battle, battle.unit("a1"), order) for order in ("advance", "run")]
    assert [bar is None for bar in found] == [gets_out] * 2
    assert gets_out or {bar.rule for bar in found if bar} == {"24.3"}


@pytest.mark.rule("bolt_action", "24.3", "3.6")
def test_who_refuses_to_run_lets_its_passengers_out() -> None:
    session = table.play(
        unit("us_m3_halftrack", "t1", at=(20, 30), pins=3),
        unit("us_squad10", "a1", men=8, aboard="t1"),
        FOE,
        drawn="american",
        dice=(6, 5, 1, 1, 1),
    )
    answer(session, "unit t1", "run")
    assert look(session, "t1").die == "down"
    assert transports.bar_leave(the_battle(session), look(session, "a1"), "advance") is None


@pytest.mark.rule("bolt_action", "24.5", "15.5")
def test_the_hits_and_the_check_come_before_the_place_the_pin_and_the_down_order() -> None:
    """Five of nine fall: the check is on 9, for the pin comes after it, and those who are left keep their chain."""
    riders = unit("us_squad10", "a1", men=9, aboard="t1")
    battle = field(TRUCK, riders, FOE, dice=[5, 5, 5, 5, 5, 5, 6, 3], cup={"american": 2, "german": 1})
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "knocked out")
    run(bailing_out.aftermath(battle), "usual")
    squad = battle.unit("a1")
    assert len(squad.models) == 4 and squad.pins == 1 and squad.die == "down"
    assert not formation.broken(battle, squad)
    assert table.tally(battle, "morale check").total == 9
    order = [type(event).__name__ for event in battle.log]
    assert order.index("Spilled") < order.index("Losses") < order.index("Held") < order.index("Pinned")


@pytest.mark.rule("bolt_action", "24.5")
@pytest.mark.parametrize("heading", [0, 30, 90, 200])
@pytest.mark.parametrize(
    ("x", "y", "hull"), [(2.4, 37.6, 270), (52.71, 45.78, 180), (43.34, 45.7, 180), (4.35, 37.51, 270), (30, 24, 45)]
)
def test_a_gun_thrown_out_stands_in_nobodys_base_and_on_the_table(x: float, y: float, hull: int, heading: int) -> None:
    """Near the edge of the table, where it finds room only turned or one by one."""
    battle = field(
        unit("us_truck", "t1", at=(x, y), heading=hull),
        unit("us_57mm", "a1", aboard="t1", heading=heading),
        unit("us_2lt", "a2", aboard="t1"),
        FOE,
        dice=[1] * 12,
        cup={"american": 3, "german": 1},
    )
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "knocked out")
    run(bailing_out.aftermath(battle))
    assert battle.unit("a1").status == "table"
    assert not structure(battle)


@pytest.mark.rule("bolt_action", "24.5", "7.2")
def test_men_thrown_out_in_a_narrow_lane_stand_in_one_chain_where_the_truck_was() -> None:
    lane = [table.box("building", 22, 14, 28.4, 34), table.box("building", 31.6, 14, 38, 34)]
    battle = field(TRUCK, unit("us_squad10", "a1", aboard="t1"), FOE, terrain=lane)
    hull, squad = battle.hull(battle.unit("t1")), battle.unit("a1")
    battle.unit("t1").status = "lost"
    assert bailing_out.set_down(battle, squad, hull, 300, gone=True) == []
    assert len(squad.models) == 10 and not formation.broken(battle, squad)


@pytest.mark.rule("bolt_action", "24.5")
def test_men_who_find_no_room_to_get_out_are_told_as_losses() -> None:
    """A truck in a yard hardly larger than itself: once it is gone there is room for a few of its ten riders."""
    walls = [
        table.box("building", 22, 14, 29.05, 34),
        table.box("building", 30.95, 14, 38, 34),
        table.box("building", 29.05, 14, 30.95, 21.7),
        table.box("building", 29.05, 26.3, 30.95, 34),
    ]
    squad = unit("us_squad10", "a1", aboard="t1")
    battle = field(TRUCK, squad, FOE, terrain=walls, dice=[1] * 9, cup={"american": 2, "german": 1})
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "knocked out")
    run(bailing_out.aftermath(battle))
    left = battle.unit("a1")
    lost = [event for event in happened(battle, Losses) if event.rules == ("24.5",)]
    assert 0 < len(left.models) < 10
    assert [event.men for event in lost] == [10 - len(left.models)]
    assert not {model.id for model in left.models} & set(lost[0].models)


@pytest.mark.rule("bolt_action", "24.7")
def test_who_drives_an_empty_truck_among_the_enemy_is_told_what_will_become_of_it() -> None:
    friend = unit("us_2lt", "a1", at=(30, 30))
    session = play(TRUCK, friend, unit("ger_2lt", "g1", at=(30, 10)), drawn="american")
    answer(session, "unit t1", "advance")
    assert session.ask is not None and session.ask.area is not None
    told = {y: session.ask.area.preview(Pose(3000, y, 0, "drive")).lines for y in (2200, 1500)}
    assert any("would be lost" in line for line in told[1500]) and not any("lost" in line for line in told[2200])
    answer(session, "pose 30 15 0 drive")
    assert [each.id for each in transports.stranded(the_battle(session))] == ["t1"]


@pytest.mark.rule("bolt_action", "24.7", "28.4")
def test_an_empty_truck_nearer_to_the_enemy_is_lost_when_the_turn_ends() -> None:
    """Of two trucks the one near its own men stays, the other is gone and counts as destroyed; it leaves no wreck."""
    session = table.play(
        unit("us_truck", "t1", at=(30, 24), die="fire"),
        unit("us_truck", "t2", at=(60, 40), die="fire"),
        unit("us_2lt", "a1", at=(60, 46), die="fire"),
        unit("ger_2lt", "g1", at=(24, 24), die="fire"),
        phase="turn_end",
        dice=[1] * 3,
    )
    assert (look(session, "t1").status, look(session, "t2").status) == ("lost", "table")
    assert the_battle(session).state.lost["american"] == ["t1"] and not the_battle(session).state.wrecks
    assert [event.rules for event in happened(session, Destroyed)] == [("24.7",)]
