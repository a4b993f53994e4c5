"""Movement on foot (8), the assault move (21.2, 21.5), regrouping (21.10) and panic (4.7)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from grognard.core.errors import IllegalError
from grognard.core.session import Session
from grognard.games.bolt_action import advance_and_run, charge, panic_and_escape, regroup
from grognard.games.bolt_action.move_events import FellShort, Halted, LeftTable, Moved
from tests.games.bolt_action import play as table
from tests.games.bolt_action.play import answer, box, field, happened, keys, look, piece, run, the_battle, unit

LT = "us_2lt"  # one man: his pose is his place


def play(*units: Any, **more: Any) -> Session:
    """A position in which the next die comes out of the cup by itself."""
    return table.play(*units, seed=b"movement", **more)


def told(session: Session, key: str) -> str:
    """What is said of an answer that is refused."""
    with pytest.raises(IllegalError) as refusal:
        session.answer(key)
    return str(refusal.value)


def ordered(session: Session, id: str, order: str) -> Session:
    """Give a unit its order; it is asked where to."""
    answer(session, f"unit {id}", order)
    return session


def place(session: Session, id: str, model: int = 0) -> tuple[int, int]:
    found = look(session, id).models[model]
    return found.x, found.y


@pytest.mark.rule("bolt_action", "8.1", "8.3", "2.2", "2.3")
def test_infantry_goes_six_inches_with_advance_and_twelve_with_run() -> None:
    for order, far in (("advance", 6), ("run", 12)):
        session = ordered(
            play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(5, 5)), drawn="american"), "a1", order
        )
        assert "[8.3]" in told(session, f"pose 30 {30 - far - 0.02:.2f} 0")
        events = answer(session, f"pose 30 {30 - far} 0")
        assert place(session, "a1") == (3000, (30 - far) * 100)
        moved = next(event for event in events if isinstance(event, Moved))
        assert (moved.inches, moved.start, moved.end) == (str(far), "30,30", f"30,{30 - far}")
        assert "8.1" in moved.rules
        assert look(session, "a1").moving and look(session, "a1").moved == 1


@pytest.mark.rule("bolt_action", "8.3")
def test_a_path_is_measured_along_itself_round_what_is_in_the_way() -> None:
    pond = box("pond", 28, 25, 32, 28)
    session = ordered(
        play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(5, 5)), terrain=[pond], drawn="american"),
        "a1",
        "advance",
    )
    # Straight over the pond it is 6 in, round it, half an inch off, 9.1.
    assert "[8.5]" in told(session, "pose 30 24 0")
    session = ordered(
        play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(5, 5)), terrain=[pond], drawn="american"),
        "a1",
        "run",
    )
    answer(session, "pose 30 24 0")
    (moved,) = happened(session, Moved)
    assert 9.0 < float(moved.inches) < 9.5


@pytest.mark.rule("bolt_action", "8.3", "7.2")
def test_each_model_goes_on_its_own_and_single_models_may_be_set_by_hand() -> None:
    session = ordered(
        play(unit("us_squad10", "a1", at=(30, 30), men=3), unit("ger_2lt", "g1", at=(5, 5)), drawn="american"),
        "a1",
        "advance",
    )
    assert "[7.2]" in told(session, "pose 30 25 0 line m3@34.5,26")
    assert "[8.5]" in told(session, "pose 30 25 0 line m3@30,25")
    assert "[8.3]" in told(session, "pose 30 24.5 0 line m3@31.4,23.2")
    answer(session, "pose 30 25 0 line m3@31.2,26.5")
    assert place(session, "a1", 2) == (3120, 2650)


@pytest.mark.rule("bolt_action", "8.4")
def test_no_model_comes_within_an_inch_of_an_enemy() -> None:
    session = ordered(
        play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 26)), drawn="american"), "a1", "advance"
    )
    # Two bases of half an inch and the inch between: two inches from middle to middle.
    assert "[8.4]" in told(session, "pose 30 27.9 0")
    assert "[8.4]" in told(session, "pose 30 24.2 0"), "nor does it pass there"
    answer(session, "pose 30 28.02 0")
    assert the_battle(session).gap(look(session, "a1"), look(session, "g1")) >= 100


@pytest.mark.rule("bolt_action", "8.4")
def test_an_enemy_is_gone_round_at_an_inch() -> None:
    session = ordered(
        play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 25)), drawn="american"), "a1", "run"
    )
    answer(session, "pose 30 20 0")
    (moved,) = happened(session, Moved)
    assert 10.5 < float(moved.inches) <= 12


@pytest.mark.rule("bolt_action", "8.4", "8.5")
def test_infantry_passes_friends_but_does_not_stop_within_an_inch() -> None:
    session = ordered(
        play(
            unit(LT, "a1", at=(30, 30)),
            unit("us_1lt", "a2", at=(30, 27)),
            unit("ger_2lt", "g1", at=(5, 5)),
            drawn="american",
        ),
        "a1",
        "advance",
    )
    assert "another friendly unit" in told(session, "pose 30.6 25.5 0")
    answer(session, "pose 30.6 24.4 0")
    (moved,) = happened(session, Moved)
    assert float(moved.inches) < 5.7, "straight through them"


@pytest.mark.rule("bolt_action", "8.5", "20.7")
def test_vehicles_guns_and_wrecks_are_gone_round() -> None:
    things: list[dict[str, Any]] = [
        {"units": [unit("us_m4", "a2", at=(30, 27), heading=90)]},
        {"units": [unit("us_57mm", "a2", at=(30, 27), models=[(30, 27), (40, 40), (41.2, 40), (42.4, 40)])]},
        {"wreck": [{"kind": "ger_stug3", "at": [30, 27], "heading": 90}]},
    ]
    for thing in things:
        units = [unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(5, 5)), *thing.get("units", [])]
        session = ordered(play(*units, drawn="american", wreck=thing.get("wreck", [])), "a1", "advance")
        text = told(session, "pose 30 27 0")
        assert "[20.7]" in text or "[8.5]" in text or "[8.4]" in text
        answer(session, "stay")
        session = ordered(play(*units, drawn="american", wreck=thing.get("wreck", [])), "a1", "run")
        answer(session, "pose 30 23 0")
        (moved,) = happened(session, Moved)
        assert float(moved.inches) > 7.1


@pytest.mark.rule("bolt_action", "8.5")
def test_nobody_leaves_the_table_unless_the_scenario_says_so() -> None:
    units = [unit(LT, "a1", at=(30, 2)), unit("ger_2lt", "g1", at=(5, 40))]
    session = ordered(play(*units, drawn="american"), "a1", "advance")
    assert "[8.5]" in told(session, "pose 30 -1 0")
    assert not keys(session, "exit")
    way_out = {"exit": [{"side": "american", "edge": "top", "points": 1}]}
    session = ordered(play(*units, drawn="american", victory=way_out), "a1", "advance")
    assert keys(session, "exit") == ["exit top"]
    answer(session, "exit top")
    assert look(session, "a1").status == "exited"
    assert [event.edge for event in happened(session, LeftTable)] == ["top"]


@pytest.mark.rule("bolt_action", "2.8")
def test_an_advance_may_be_of_no_distance() -> None:
    session = ordered(
        play(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 24)), drawn="american"), "a1", "advance"
    )
    answer(session, "stay")
    assert not happened(session, Moved) and not look(session, "a1").moving


@pytest.mark.rule("bolt_action", "16.4", "16.6")
def test_the_move_is_made_inch_by_inch_while_somebody_lies_in_ambush() -> None:
    session = play(
        unit(LT, "a1", at=(30, 30)),
        unit("us_1lt", "a2", at=(60, 40)),
        unit("ger_2lt", "g1", at=(30, 20), die="ambush"),
        drawn="american",
    )
    ordered(session, "a1", "advance")
    answer(session, "pass")  # when the order was given
    session.answer("pose 30 26.5 0")
    seen = []
    while session.ask is not None and session.ask.reaction == "ambush":
        seen.append(place(session, "a1")[1])
        session.answer("pass")
    assert seen[:3] == [2900, 2800, 2700]
    assert place(session, "a1") == (3000, 2650)


@pytest.mark.rule("bolt_action", "16.6")
def test_fire_that_stops_a_vehicle_ends_its_move() -> None:
    battle = field(
        unit("us_m4", "a1", at=(30, 30), die="advance"), unit("ger_pak40", "g1", at=(30, 10), heading=180, die="ambush")
    )
    tank = battle.unit("a1")
    moving = advance_and_run.move(battle, tank, "advance")
    next(moving)
    ask = moving.send("pose 30 25 0 drive")
    assert ask.reaction == "ambush"
    tank.die = "down"  # what Crew Stunned does
    with pytest.raises(StopIteration):
        while True:
            moving.send("pass")
    assert tank.models[0].y == 2900
    assert happened(battle, Halted)


# ---- assault (21) ------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "21.2", "21.5")
def test_the_nearest_comes_into_contact_and_the_others_close_up() -> None:
    battle = field(
        unit("us_squad10", "a1", at=(30, 30), die="run"), unit("ger_grenadiers", "g1", at=(30, 21), heading=180)
    )
    us, them = battle.unit("a1"), battle.unit("g1")
    assert run(charge.charge(battle, us, them)) == "contact"
    assert battle.gap(us, them) <= 2
    (moved,) = happened(battle, Moved)
    assert moved.how == "assault" and float(moved.inches) <= 12
    from grognard.board.table import formations

    assert formations.clear(battle.bodies(us)) and formations.chained(battle.bodies(us), 100)
    touching = sum(min(b for b in row) <= 2 for row in _gaps(battle, us, them))
    assert touching >= 5


def _gaps(battle, one, other):  # type: ignore[no-untyped-def]
    from grognard.board.table.bodies import gaps

    return gaps(battle.bodies(one), battle.bodies(other)).tolist()


@pytest.mark.rule("bolt_action", "21.2")
def test_an_assault_that_cannot_reach_makes_its_full_move_and_stops_an_inch_away() -> None:
    battle = field(unit(LT, "a1", at=(30, 30), die="run"), unit("ger_2lt", "g1", at=(30, 16)))
    us, them = battle.unit("a1"), battle.unit("g1")
    assert not charge.can_reach(battle, us, them)
    assert run(charge.charge(battle, us, them)) == "short"
    assert happened(battle, FellShort)
    assert battle.gap(us, them) >= 100
    assert us.models[0].y == pytest.approx(1800, abs=30)


@pytest.mark.rule("bolt_action", "9.10", "21.2")
def test_an_assault_goes_through_rough_ground_and_over_obstacles_but_only_six_inches() -> None:
    for terrain in ([piece("hedge", (20, 27), (40, 27))], [box("woods", 20, 24, 40, 28)]):
        near = field(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 23.2)), terrain=terrain)
        assert run(charge.charge(near, near.unit("a1"), near.unit("g1"))) == "contact"
        far = field(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 22)), terrain=terrain)
        assert not charge.can_reach(far, far.unit("a1"), far.unit("g1"))
    # Who starts in rough ground has six inches, too (B7).
    woods = [box("woods", 28, 28, 32, 32)]
    battle = field(unit(LT, "a1", at=(30, 30)), unit("ger_2lt", "g1", at=(30, 22)), terrain=woods)
    assert advance_and_run.can_move(battle, battle.unit("a1"), "run").rule == "9.6"  # type: ignore[union-attr]
    assert not charge.can_reach(battle, battle.unit("a1"), battle.unit("g1"))


@pytest.mark.rule("bolt_action", "25.7")
def test_who_assaults_a_building_must_reach_an_opening() -> None:
    house = box("building", 28, 18, 34, 24, id="farm", openings=[2])  # the bottom edge
    battle = field(
        unit(LT, "a1", at=(30, 30)),
        unit(LT, "a2", at=(30, 12)),
        unit("ger_2lt", "g1", at=(31, 21), building="farm"),
        terrain=[house],
    )
    them = battle.unit("g1")
    assert not charge.can_reach(battle, battle.unit("a2"), them), "the door is on the other side"
    assert run(charge.charge(battle, battle.unit("a1"), them)) == "contact"
    assert charge.touching(battle, battle.unit("a1"), them)


@pytest.mark.rule("bolt_action", "21.10")
def test_survivors_regroup_in_formation_and_an_inch_clear() -> None:
    battle = field(
        unit("us_1lt", "a1", models=[(30, 30), (31.1, 30)]), unit("ger_panzer4", "g1", at=(30, 28), heading=90)
    )
    us, tank = battle.unit("a1"), battle.unit("g1")
    asking = regroup.regroup(battle, us, 3)
    ask = next(asking)
    assert "stay" not in [option.key for option in ask.options], "it stands within an inch of the enemy"
    assert all(option.verb == "pose" for option in ask.options) and ask.options
    with pytest.raises(IllegalError, match=r"\[8\.4\]"):
        ask.option("pose 30.5 30.3 0 as_they_stand")
    with pytest.raises(IllegalError, match=r"\[8\.3\]"):
        ask.option("pose 30.5 34 0 as_they_stand")
    with pytest.raises(StopIteration):
        asking.send("pose 30.5 32.5 0 as_they_stand")
    assert battle.gap(us, tank) >= 100
    assert happened(battle, Moved)[0].how == "regroup"


# ---- panic (4) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "4.7", "4.4")
def test_a_panicking_unit_ends_as_far_as_possible_from_the_closest_enemy() -> None:
    battle = field(unit(LT, "a1", at=(30, 24)), unit("ger_2lt", "g1", at=(30, 14)), unit("ger_1lt", "g2", at=(3, 45)))
    us = battle.unit("a1")
    assert run(panic_and_escape.panic(battle, us)) is True
    assert math.hypot(us.models[0].x - 3000, us.models[0].y - 3600) < 40
    assert happened(battle, Moved)[0].how == "panic"


@pytest.mark.rule("bolt_action", "4.7")
def test_panic_stops_at_the_edge_and_the_owner_chooses_among_equal_ways() -> None:
    battle = field(unit(LT, "a1", at=(36, 46)), unit("ger_2lt", "g1", at=(36, 36)))
    us = battle.unit("a1")
    fleeing = panic_and_escape.panic(battle, us)
    ask = next(fleeing)
    assert len(ask.options) == 2, "to either side along the edge"
    with pytest.raises(StopIteration) as done:
        fleeing.send(ask.options[0].key)
    assert done.value.value is True
    assert 0 <= us.models[0].y <= 4800 and abs(us.models[0].x - 3600) > 1000


@pytest.mark.rule("bolt_action", "4.7")
def test_a_panicking_tank_backs_away_straight() -> None:
    battle = field(unit("us_m4", "a1", at=(30, 24)), unit("ger_2lt", "g1", at=(30, 14)))
    assert run(panic_and_escape.panic(battle, battle.unit("a1"))) is True
    hull = battle.unit("a1").models[0]
    assert (hull.x, hull.heading) == (3000, 0) and hull.y == pytest.approx(2400 + 450, abs=2)


@pytest.mark.rule("bolt_action", "4.7", "10.1")
def test_a_panicking_car_takes_the_turn_that_its_run_allows_where_that_leads_farther() -> None:
    """A lane of houses: straight back is short, straight on leads to a corner, and round it lies the way out."""
    houses = [box("building", 30, 0, 36, 26), box("building", 18, 30, 36, 34), box("building", 18, 0, 24, 29.9)]
    foe = unit("ger_2lt", "g1", at=(27, 8), heading=180)
    battle = field(unit("us_jeep", "a1", at=(27, 14), heading=180), foe, terrain=houses)
    car = battle.unit("a1")
    assert run(panic_and_escape.panic(battle, car)) is True
    hull = car.models[0]
    assert hull.x > 3800, "east along the street"
    assert sum(float(event.inches) for event in happened(battle, Moved)) <= 24
    assert len(happened(battle, Moved)) == 2


@pytest.mark.rule("bolt_action", "4.7")
def test_men_who_cannot_flee_abreast_flee_in_file() -> None:
    """Six men abreast before two houses with a gap of three inches: as they stand they would stop at the walls."""
    houses = [box("building", 20, 26, 28.5, 30), box("building", 31.5, 26, 40, 30)]
    men = [(27 + 1.2 * n, 24) for n in range(6)]
    battle = field(unit("us_squad", "a1", models=men), unit("ger_2lt", "g1", at=(30, 16), heading=180), terrain=houses)
    squad = battle.unit("a1")
    assert run(panic_and_escape.panic(battle, squad), *()) is True
    assert min(model.y for model in squad.models) > 3000, "all of them are through"


def test_in_thought_panic_is_a_flight_by_the_first_good_way() -> None:
    """Two ways along the edge are as good: nobody is asked, and no other is looked for."""
    battle = field(unit(LT, "a1", at=(36, 46)), unit("ger_2lt", "g1", at=(36, 36)))
    battle.in_playout = True
    us = battle.unit("a1")
    before = battle.gap(us, battle.unit("g1"))
    assert run(panic_and_escape.panic(battle, us)) is True
    assert battle.gap(us, battle.unit("g1")) > before and happened(battle, Moved)[0].how == "panic"


@pytest.mark.rule("bolt_action", "4.6")
def test_who_cannot_move_does_not_panic_away() -> None:
    battle = field(unit("us_m4", "a1", at=(30, 24), immobilised=True), unit("ger_2lt", "g1", at=(30, 14)))
    assert run(panic_and_escape.panic(battle, battle.unit("a1"))) is False
    battle = field(
        unit(LT, "a1", at=(30, 24)), unit("ger_2lt", "g1", at=(30, 5)), terrain=[box("building", 20, 10, 40, 16)]
    )
    assert run(panic_and_escape.panic(battle, battle.unit("a1"))) is False, "it sees nobody"


@pytest.mark.rule("bolt_action", "21.10", "8.4")
def test_survivors_get_clear_of_the_enemy_even_on_a_low_die() -> None:
    men = [(29.4, 47.7), (30.6, 47.7)]  # between a tank and the edge of the table
    battle = field(unit("us_squad", "a1", models=men), unit("ger_panzer4", "g1", at=(30, 46.14), heading=90))
    us = battle.unit("a1")
    assert battle.gap(us, battle.unit("g1")) <= 2
    asking = regroup.regroup(battle, us, 1)
    ask = next(asking)
    assert "stay" not in [option.key for option in ask.options], "they must end an inch clear"
    assert "must get 1″ clear" in ask.prompt and "(1″ is not enough)" in ask.prompt
    with pytest.raises(StopIteration):
        asking.send(ask.options[0].key)
    assert battle.gap(us, battle.unit("g1")) >= 98


@pytest.mark.rule("bolt_action", "21.10", "23.4")
def test_a_spotter_who_fought_gets_clear_with_the_others() -> None:
    crew = [{"id": f"m{i}", "at": (28 + 1.2 * i, 30)} for i in (1, 2, 3)]
    spotter = {"id": "m4", "at": (32.8, 30), "role": "spotter"}
    tank = unit("ger_panzer4", "g1", at=(31, 28.44), heading=90)
    battle = field(unit("us_mortar_medium", "a1", models=[*crew, spotter]), tank)
    us = battle.unit("a1")
    asking = regroup.regroup(battle, us, 4)
    ask = next(asking)
    for option in ask.options:
        assert option.key != "stay"
    with pytest.raises(StopIteration):
        asking.send(ask.options[0].key)
    assert battle.gap(us, battle.unit("g1")) >= 98


# ---- what is offered is the whole move (8.1, 8.2) --------------------------------------------------------


def offered(kind: str, order: str, heading: int, **more: Any) -> tuple[list[float], list[str]]:
    """How far the listed moves of a unit lead, in hundredths, and what their labels say."""
    foe = unit("ger_2lt", "g1", at=more.pop("foe", (60, 3)))
    battle = field(unit(kind, "a1", models=[(36, 24)], heading=heading, **more), foe)
    who = battle.unit("a1")
    ask = next(advance_and_run.move(battle, who, order))
    poses = [option for option in ask.options if option.verb == "pose"]
    at = [option.key.split() for option in poses]
    lengths = [math.hypot(float(word[1]) * 100 - 3600, float(word[2]) * 100 - 2400) for word in at]
    return lengths, [option.label for option in poses]


@pytest.mark.rule("bolt_action", "8.1")
@pytest.mark.parametrize(("order", "most"), [("advance", 600), ("run", 1200)])
@pytest.mark.parametrize("foe", [(60, 3), (37, 2), (41, 1), (1, 30), (12, 45.5)])
def test_the_moves_that_are_offered_to_men_are_as_long_as_they_say(order: str, most: int, foe: Any) -> None:
    """Toward the enemy, away from him and to both sides, on any slant: told to the hundredth, 12″ are 12.00."""
    lengths, labels = offered("us_2lt", order, 0, foe=foe)
    whole = [far for far, label in zip(lengths, labels) if label.startswith(f"{most // 100}″")]
    assert len(whole) >= 4
    assert all(most - 0.5 < far <= most + 0.01 for far in whole), whole


@pytest.mark.rule("bolt_action", "8.1", "8.2")
def test_a_move_along_the_edges_of_the_table_is_exact() -> None:
    battle = field(unit("us_2lt", "a1", models=[(36, 24)]), unit("ger_2lt", "g1", models=[(36, 4)]))
    ask = next(advance_and_run.move(battle, battle.unit("a1"), "run"))
    keys = {option.key for option in ask.options}
    assert {"pose 36 36 0 as_they_stand", "pose 48 24 0 as_they_stand", "pose 24 24 0 as_they_stand"} <= keys


@pytest.mark.rule("bolt_action", "8.2")
@pytest.mark.parametrize("heading", [0, 37, 90, 200])
@pytest.mark.parametrize(("order", "most"), [("advance", 900), ("run", 1800)])
def test_the_legs_that_are_offered_to_a_vehicle_are_as_long_as_they_say(order: str, most: int, heading: int) -> None:
    lengths, labels = offered("us_m3_halftrack", order, heading)
    straight = lengths[labels.index(next(label for label in labels if "straight on" in label))]
    assert most - 1 < straight <= most + 0.01
    assert heading % 90 or straight == most
