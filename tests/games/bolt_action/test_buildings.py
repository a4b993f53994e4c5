"""Buildings (25): in, out, and down."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import IllegalError
from grognard.core.session import Session
from grognard.games.bolt_action import advance_and_run, buildings, collapse, formation, line_of_sight, movement, weapons
from grognard.games.bolt_action.invariants import structure
from grognard.games.bolt_action.move_events import Collapsed, Halted, LeftBuilding, Occupied
from grognard.games.bolt_action.shooting import targets
from tests.games.bolt_action import play as table
from tests.games.bolt_action.play import answer, box, field, happened, keys, look, run, the_battle, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))
FARM = box("building", 27, 20, 33, 26, id="farm", name="the farm")


def play(*units: Any, **more: Any) -> Session:
    return table.play(*units, seed=b"buildings", **more)


@pytest.mark.rule("bolt_action", "25.2", "25.1")
def test_a_unit_enters_if_every_model_reaches_an_opening() -> None:
    session = play(unit("us_squad10", "a1", at=(30, 29)), FOE, terrain=[FARM], drawn="american")
    answer(session, "unit a1", "advance")
    assert keys(session, "enter") == ["enter farm"]
    answer(session, "enter farm")
    who = look(session, "a1")
    assert who.building == "farm"
    area = the_battle(session).table.area(the_battle(session).table.by_id["farm"])
    assert all(area.bounds[0] < m.x < area.bounds[2] and area.bounds[1] < m.y < area.bounds[3] for m in who.models)
    assert [event.piece for event in happened(session, Occupied)] == ["farm"]


@pytest.mark.rule("bolt_action", "25.2")
def test_openings_are_on_their_sides_only() -> None:
    blind = box("building", 27, 20, 33, 26, id="farm", openings=[0])  # the far side
    session = play(unit("us_2lt", "a1", at=(30, 29)), FOE, terrain=[blind], drawn="american")
    answer(session, "unit a1", "advance")
    assert not keys(session, "enter")
    battle = the_battle(session)
    bar = buildings.bar_enter(
        battle, look(session, "a1"), "farm", movement.ways_of(battle, look(session, "a1"), "advance")
    )
    assert bar is not None and bar.rule == "25.2"
    session = play(unit("us_2lt", "a1", at=(30, 29)), FOE, terrain=[blind], drawn="american")
    answer(session, "unit a1", "run")
    assert keys(session, "enter") == ["enter farm"], "round the house it is farther than six inches"


@pytest.mark.rule("bolt_action", "25.1", "9.4")
def test_a_building_holds_infantry_of_one_side() -> None:
    held = unit("ger_1lt", "g2", at=(30, 23), building="farm")
    battle = field(unit("us_2lt", "a1", at=(30, 29)), held, FOE, unit("us_57mm", "a2", at=(40, 29)), terrain=[FARM])
    assert buildings.bar_occupy(battle, battle.unit("a1"), "farm").rule == "25.1"  # type: ignore[union-attr]
    battle = field(unit("us_2lt", "a1", at=(30, 29)), FOE, unit("us_57mm", "a2", at=(30, 33)), terrain=[FARM])
    ways = movement.ways_of(battle, battle.unit("a2"), "run")
    assert buildings.bar_enter(battle, battle.unit("a2"), "farm", ways).rule == "9.4"  # type: ignore[union-attr]
    with_friend = field(
        unit("us_2lt", "a1", at=(30, 29)), unit("us_1lt", "a2", at=(30, 23), building="farm"), FOE, terrain=[FARM]
    )
    assert buildings.bar_occupy(with_friend, with_friend.unit("a1"), "farm") is None


@pytest.mark.rule("bolt_action", "25.2", "7.2")
def test_leaving_is_measured_from_the_opening() -> None:
    door = box("building", 27, 20, 33, 26, id="farm", openings=[2])
    inside = unit("us_squad10", "a1", at=(30, 23), ranks=3, building="farm")
    session = play(inside, FOE, terrain=[door], drawn="american")
    answer(session, "unit a1", "advance")
    with pytest.raises(IllegalError):
        session.answer("pose 30 33 180 cluster")
    with pytest.raises(IllegalError):
        session.answer("pose 30 17 0 cluster")
    assert keys(session, "stay") == ["stay"] and keys(session, "pose")
    answer(session, "pose 30 29.5 180 cluster")
    who = look(session, "a1")
    assert who.building == "" and not formation.broken(the_battle(session), who)
    assert [event.piece for event in happened(session, LeftBuilding)] == ["farm"]


@pytest.mark.rule("bolt_action", "25.2")
def test_each_opening_is_a_way_out() -> None:
    battle = field(unit("us_2lt", "a1", at=(30, 23), building="farm"), FOE, terrain=[FARM])
    who = battle.unit("a1")
    area = movement.area_of(battle, who, "advance")
    assert len(area.ways) == 4 and len(area.polygons("cluster", 0)) == 1
    for x, y in ((30, 15), (38, 23), (30, 31), (22, 23)):
        from grognard.core.poses import Pose

        assert area.bar(Pose(x * 100, y * 100, 0, "cluster")) is None
    run(advance_and_run.move(battle, who, "advance"), "pose 38 23 90 cluster")
    assert (who.models[0].x, who.models[0].y) == (3800, 2300)


@pytest.mark.rule("bolt_action", "25.6")
def test_a_building_that_collapses_buries_whoever_is_inside() -> None:
    battle = field(
        unit("us_1lt", "a1", at=(30, 23), building="farm"),
        unit("us_2lt", "a2", at=(40, 40)),
        FOE,
        terrain=[FARM],
        cup={"american": 2, "german": 1},
    )
    collapse.collapse(battle, "farm", ("25.6",))
    assert battle.unit("a1").status == "lost" and battle.unit("a2").status == "table"
    assert [event.piece for event in happened(battle, Collapsed)] == ["farm"]
    assert battle.table.kind(battle.table.by_id["farm"]).ground == "rough"


def test_from_one_building_into_the_next() -> None:
    barn = box("building", 36, 20, 40, 26, id="barn")
    battle = field(unit("us_2lt", "a1", at=(30, 23), building="farm"), FOE, terrain=[FARM, barn])
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "advance"), "enter barn")
    assert who.building == "barn"


@pytest.mark.rule("bolt_action", "16.6", "25.2")
def test_men_who_are_halted_as_they_come_out_do_not_stand_in_one_another() -> None:
    watcher = unit("ger_mmg", "g2", at=(30, 44), heading=0, die="ambush")
    squad = unit("us_squad10", "a1", at=(30, 23), ranks=2, men=6, building="farm")
    battle = field(squad, watcher, FOE, terrain=[{**FARM, "openings": [2]}])
    who = battle.unit("a1")
    who.die = "advance"
    going = advance_and_run.move(battle, who, "advance")
    ask = next(going)
    ask = going.send(next(option.key for option in ask.options if option.verb == "pose"))
    assert ask.reaction == "ambush", "an inch out of the door, all in one place"
    who.die = "down"  # as the fire on green men may turn it (27.5)
    with pytest.raises(StopIteration):
        going.send("pass")
    assert structure(battle) == [] and happened(battle, Halted)


@pytest.mark.rule("bolt_action", "12.7", "25.3")
@pytest.mark.parametrize(("heading", "rule"), [(180, None), (270, "12.7"), (90, "12.7"), (0, "12.7"), (140, None)])
def test_a_fixed_weapon_in_a_building_looks_where_its_file_says(heading: int, rule: str | None) -> None:
    battle = field(
        unit("ger_mmg", "g1", heading=heading, building="A"),
        unit("us_squad10", "a1", models=[(34.8, 30), (36, 30), (37.2, 30)]),
        terrain=[box("building", 33, 14, 39, 20, id="A", name="Farm")],
        sides=["german", "american"],
    )
    assert {model.heading for model in battle.unit("g1").models} == {heading}
    found = targets.bar(battle, battle.unit("g1"), battle.unit("a1"))
    assert (found.rule if found else None) == rule


@pytest.mark.rule("bolt_action", "12.7", "25.1", "25.3")
def test_the_arc_of_a_gun_in_a_building_opens_at_its_window() -> None:
    """The man before the right end of a long house is straight before a window, whatever the middle of it sees."""
    battle = field(
        unit("ger_mmg", "g1", heading=180, building="A"),
        unit("us_2lt", "a1", models=[(37.4, 21.6)]),
        terrain=[box("building", 30, 18, 38, 20, id="A")],
        sides=["german", "american"],
    )
    gun, foe = battle.unit("g1"), battle.unit("a1")
    arm = weapons.in_hand(battle, gun)[0]
    assert not weapons.covers(battle, gun, arm, foe)
    assert targets.bar(battle, gun, foe) is None


@pytest.mark.rule("bolt_action", "25.6", "25.8")
def test_where_an_empty_building_has_come_down_one_sees_and_may_go_at_once() -> None:
    battle = field(unit("us_2lt", "a1", at=(30, 29)), unit("ger_2lt", "g1", at=(30, 15), heading=180), terrain=[FARM])
    one, other = battle.unit("a1"), battle.unit("g1")
    assert not line_of_sight.sees(battle, one, other)
    assert [p.id for p in buildings.enterable(battle, one, movement.area_of(battle, one, "advance").ways)] == ["farm"]
    collapse.collapse(battle, "farm")
    assert line_of_sight.sees(battle, one, other)
    assert buildings.enterable(battle, one, movement.area_of(battle, one, "advance").ways) == []
