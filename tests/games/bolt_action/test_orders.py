"""The six orders (2): which are legal, and what each does (1.3 to 1.6)."""

from __future__ import annotations

import pytest

from grognard.games.bolt_action import orders
from grognard.games.bolt_action.fire_events import HoldsFire
from grognard.games.bolt_action.turn_events import OrderGiven
from tests.games.bolt_action.play import answer, box, field, happened, keys, lines, look, play, rolled, tally, unit

ENEMY = unit("ger_infantry", "g1", at=(20, 12), heading=180, die="down")
SQUAD = unit("us_squad10", "a1", at=(20, 30))


@pytest.mark.rule("bolt_action", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6")
def test_a_squad_may_be_given_any_of_the_six_orders() -> None:
    session = play(SQUAD, ENEMY, drawn="american")
    answer(session, "unit a1")
    assert keys(session) == ["fire", "advance", "run", "ambush", "rally", "down"]
    answer(session, "down")
    assert [(event.unit, event.order) for event in happened(session, OrderGiven)] == [("a1", "down")]


@pytest.mark.rule("bolt_action", "2.1")
def test_fire_shoots_from_where_the_unit_stands() -> None:
    session = play(SQUAD, ENEMY, drawn="american", dice=[1] * 30)
    answer(session, "unit a1", "fire")
    assert "at g1" in keys(session) and not keys(session, "pose")
    answer(session, "at g1")
    shots = [t for event in rolled(session) for t in event.tallies if t.what.startswith("To hit")]
    assert shots and not any("fire_on_the_move" in lines(shot) for shot in shots)


@pytest.mark.rule("bolt_action", "2.2", "2.8")
def test_advance_moves_then_shoots_with_the_penalty_even_without_a_step() -> None:
    session = play(SQUAD, ENEMY, drawn="american", dice=[1] * 30)
    answer(session, "unit a1", "advance", "stay")
    assert "at g1" in keys(session)
    answer(session, "at g1")
    shots = [t for event in rolled(session) for t in event.tallies if t.what.startswith("To hit")]
    assert shots and all(lines(shot).get("fire_on_the_move") == 1 for shot in shots)


@pytest.mark.rule("bolt_action", "2.8")
def test_a_unit_may_choose_not_to_shoot() -> None:
    session = play(SQUAD, ENEMY, drawn="american", dice=[1] * 30)
    answer(session, "unit a1", "fire", "done")
    assert not rolled(session) and look(session, "a1").die == "fire"
    assert [(event.unit, event.rules) for event in happened(session, HoldsFire)] == [("a1", ("2.8",))]


@pytest.mark.rule("bolt_action", "2.3")
def test_run_goes_twice_as_far_and_does_not_shoot() -> None:
    session = play(unit("us_sniper", "a1", at=(40, 40)), ENEMY, drawn="american", dice=[1] * 5)
    answer(session, "unit a1", "run", "pose 40 29 0 line")
    assert all(model.y < 3000 for model in look(session, "a1").models)
    assert not keys(session, "at")


@pytest.mark.rule("bolt_action", "2.4")
def test_ambush_waits() -> None:
    session = play(SQUAD, ENEMY, unit("us_mmg", "a2", at=(40, 40)), drawn="american", dice=[1])
    answer(session, "unit a1", "ambush")
    assert look(session, "a1").die == "ambush" and keys(session) == ["unit a2"]


@pytest.mark.rule("bolt_action", "20.9")
def test_an_immobilised_vehicle_may_fire_ambush_rally_or_go_down() -> None:
    session = play(unit("us_m4", "a1", at=(20, 40), immobilised=True), ENEMY, drawn="american")
    answer(session, "unit a1")
    assert keys(session) == ["fire", "ambush", "rally", "down"]


@pytest.mark.rule("bolt_action", "7.3")
def test_a_unit_with_a_broken_chain_may_only_advance_run_or_go_down() -> None:
    apart = unit("us_sniper", "a1", models=[(20, 40), (26, 40)])
    session = play(apart, ENEMY, drawn="american")
    answer(session, "unit a1")
    assert keys(session) == ["advance", "run", "down"]


@pytest.mark.rule("bolt_action", "12.5", "24.3")
def test_passengers_get_out_rally_or_stay() -> None:
    session = play(unit("us_truck", "a1", at=(20, 40)), unit("us_squad10", "a2", aboard="a1"), ENEMY, drawn="american")
    answer(session, "unit a2")
    assert keys(session) == ["advance", "run", "rally", "down"]


def test_a_truck_has_nothing_to_shoot_with() -> None:
    battle = field(unit("us_truck", "a1", at=(20, 40)), ENEMY)
    assert [orders.bar(battle, battle.unit("a1"), order) is None for order in ("fire", "ambush", "advance")] == [
        False,
        False,
        True,
    ]


@pytest.mark.rule("bolt_action", "1.4")
def test_why_a_unit_with_a_die_can_take_no_other() -> None:
    battle = field(SQUAD, ENEMY)
    assert orders.bar_unit(battle, battle.unit("g1")).rule == "1.4"
    assert orders.bar_unit(battle, battle.unit("a1")) is None


# ---- declaring an assault (D1) -----------------------------------------------------------------------

TANK = unit("ger_panzer4", "g1", at=(20, 22), heading=180, die="fire")


@pytest.mark.rule("bolt_action", "22.3")
def test_assaulting_a_tank_without_anti_tank_weapons_takes_a_test_at_three_less() -> None:
    session = play(SQUAD, TANK, drawn="american", dice=[3, 4, *[1] * 20])
    answer(session, "unit a1", "run")
    assert "assault g1" in keys(session) and "move" in keys(session)
    answer(session, "assault g1")
    needed = tally(session, "order test")
    assert lines(needed) == {"without_at": -3} and needed.total == 6
    assert look(session, "a1").die == "down", "seven is more than six"


@pytest.mark.rule("bolt_action", "22.3", "3.1")
def test_the_same_unit_runs_past_the_tank_without_any_test() -> None:
    session = play(SQUAD, TANK, drawn="american", dice=[1] * 20)
    answer(session, "unit a1", "run", "move")
    assert not rolled(session, "order test") and keys(session, "pose") and not keys(session, "assault")


@pytest.mark.rule("bolt_action", "22.3", "3.2")
def test_pins_and_the_tank_make_one_test() -> None:
    session = play(unit("us_squad10", "a1", at=(20, 30), pins=1), TANK, drawn="american", dice=[2, 2, *[1] * 20])
    answer(session, "unit a1", "run", "assault g1")
    assert lines(tally(session, "order test")) == {"pins": -1, "without_at": -3}
    assert len(rolled(session, "order test")) == 1


@pytest.mark.rule("bolt_action", "2.3", "21.2")
def test_an_assault_of_a_squad_without_pins_is_one_of_the_ways_to_run() -> None:
    near = unit("ger_mmg", "g1", at=(20, 24), heading=180, die="fire")
    session = play(SQUAD, near, drawn="american", dice=[1] * 40)
    answer(session, "unit a1", "run")
    assert "assault g1" in keys(session) and keys(session, "pose")


@pytest.mark.rule("bolt_action", "9.10", "9.6")
def test_men_in_a_wood_may_run_only_to_assault() -> None:
    woods = [{"kind": "woods", "points": [[10, 28], [30, 28], [30, 36], [10, 36]]}]
    near = unit("ger_mmg", "g1", at=(20, 26), heading=180, die="fire")
    session = play(SQUAD, near, terrain=woods, drawn="american", dice=[1] * 40)
    answer(session, "unit a1")
    assert "run" in keys(session)
    alone = play(SQUAD, ENEMY, terrain=woods, drawn="american", dice=[1])
    answer(alone, "unit a1")
    assert "run" not in keys(alone)


@pytest.mark.rule("bolt_action", "16.4")
def test_a_hull_that_only_turns_gives_ambushers_a_moment_before_it_shoots() -> None:
    gun = unit("ger_pak40", "g1", at=(20, 8), heading=180, die="ambush", ammunition="ap")
    session = play(unit("us_m4", "a1", at=(20, 40), heading=90), gun, drawn="american")
    answer(session, "unit a1", "advance", "pass", "pose 20 40 0 drive", "done")
    assert "spring g1" in keys(session), "it shows another face now"


@pytest.mark.rule("bolt_action", "24.8")
def test_a_gun_that_was_unhitched_does_not_shoot_with_its_advance() -> None:
    gun = unit("us_57mm", "a1", aboard="a2")
    session = play(unit("us_m3_halftrack", "a2", at=(20, 30)), gun, ENEMY, drawn="american", cup={"american": 1})
    answer(session, "unit a1", "advance", "pose 20 26.62 0 line")
    assert keys(session) == ["unit a2"]


@pytest.mark.rule("bolt_action", "24.4")
def test_pins_of_the_vehicle_count_for_getting_out_and_nothing_else() -> None:
    squad = unit("us_squad10", "a1", aboard="a2", pins=1)
    session = play(unit("us_m3_halftrack", "a2", at=(20, 30), pins=2), squad, ENEMY, drawn="american", dice=(4, 4, 1))
    answer(session, "unit a1")
    assert session.ask is not None
    costs = {option.key: option.cost for option in session.ask.options}
    assert costs["advance"] == costs["run"] == "42 % obeys" and costs["rally"] == "72 % obeys"
    answer(session, "rally")
    assert lines(tally(session, "order test")) == {"pins": -1}


@pytest.mark.rule("bolt_action", "28.2")
def test_the_enemy_does_not_read_the_orders_of_a_secret_reserve() -> None:
    waits = unit("us_m4", "a2", status="reserve")
    session = play(SQUAD, waits, ENEMY, drawn="american", hidden_reserves=True, dice=(1, 1))
    answer(session, "unit a2", "down")
    assert "a2" in str(session.view("american").log) and "a2" not in str(session.view("german").log)
    assert "M4A3" not in str(session.view("german"))


@pytest.mark.rule("bolt_action", "2.1")
def test_people_are_told_that_an_order_to_fire_finds_nobody() -> None:
    wall = box("building", 0, 18, 60, 22)
    for terrain, label in (([], "Fire"), ([wall], "Fire (nothing in sight)")):
        session = play(unit("us_squad", "a1", at=(20, 30)), ENEMY, terrain=terrain, drawn="american")
        answer(session, "unit a1")
        view = session.view("american")
        assert view.ask is not None
        assert [option.label for option in view.ask.options if option.key == "fire"] == [label]
