"""Observers, barrages, air strikes and flak (26.2 to 26.8, D14, D17)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import IllegalError
from grognard.games.bolt_action import fubar
from grognard.games.bolt_action.turn_events import (
    AircraftComes,
    AircraftDown,
    BarrageFalls,
    FlakFires,
    Pinned,
    StrikeCalled,
    StrikeDelayed,
    StrikeMisses,
)
from tests.games.bolt_action.play import (
    answer,
    happened,
    keys,
    look,
    options,
    play,
    rolled,
    the_battle,
    the_state,
    unit,
)

OBSERVER = unit("us_observer", "a1", at=(20, 44))
AIRMAN = unit("us_air_observer", "a1", at=(20, 44))
ENEMY = unit("ger_infantry", "g1", at=(20, 6), heading=180)
#: Far from everything, so that the Germans go on when g1 is lost.
SPARE = unit("ger_sniper", "g9", at=(68, 3), heading=180)


# ---- calling (26.2, 26.5) ----------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "26.2")
def test_an_observer_calls_a_barrage_on_a_point_that_he_sees() -> None:
    session = play(OBSERVER, ENEMY, drawn="american", dice=[1])
    answer(session, "unit a1", "fire")
    assert "barrage_on g1" in keys(session) and "shoot" in keys(session)
    answer(session, "barrage 30.5 12 0")
    assert happened(session, StrikeCalled)[0].place == "30.5,12"
    (strike,) = the_state(session).strikes
    assert (strike.kind, strike.x, strike.y, strike.turn) == ("barrage", 3050, 1200, 1)
    assert look(session, "a1").called and look(session, "a1").die == "fire"


@pytest.mark.rule("bolt_action", "26.2")
def test_a_point_behind_a_house_is_not_seen() -> None:
    house = [{"kind": "building", "points": [[0, 20], [72, 20], [72, 26], [0, 26]]}]
    session = play(OBSERVER, ENEMY, terrain=house, drawn="american")
    answer(session, "unit a1", "fire")
    assert keys(session) == ["shoot"]
    with pytest.raises(IllegalError, match=r"26\.2"):
        answer(session, "barrage 20 6 0")
    answer(session, "barrage 20 36 0")
    assert the_state(session).strikes


@pytest.mark.rule("bolt_action", "26.2")
def test_a_barrage_is_called_once_in_a_game() -> None:
    session = play(unit("us_observer", "a1", at=(20, 44), called=True), ENEMY, drawn="american")
    answer(session, "unit a1", "fire")
    assert not options(session, "barrage_on") and "shoot" not in keys(session)


@pytest.mark.rule("bolt_action", "26.5")
def test_an_air_observer_calls_aircraft_on_an_enemy_unit() -> None:
    session = play(AIRMAN, ENEMY, SPARE, drawn="american", dice=[1])
    answer(session, "unit a1", "fire")
    assert keys(session) == ["air g1", "air g9", "shoot"]
    answer(session, "air g1")
    assert the_state(session).strikes[0].target == "g1"
    assert happened(session, StrikeCalled)[0].rules == ("26.5",)


@pytest.mark.rule("bolt_action", "26.5")
def test_aircraft_are_called_once_in_a_game() -> None:
    session = play(unit("us_air_observer", "a1", at=(20, 44), called=True), ENEMY, SPARE, drawn="american", dice=[1])
    answer(session, "unit a1", "fire")
    assert not options(session, "air") and not happened(session, StrikeCalled)


@pytest.mark.rule("bolt_action", "26.5", "26.2")
def test_an_observer_may_shoot_instead() -> None:
    session = play(AIRMAN, unit("ger_infantry", "g1", at=(20, 34), heading=180), drawn="american")
    answer(session, "unit a1", "fire", "shoot")
    assert "at g1" in keys(session) and not look(session, "a1").called


# ---- the barrage (26.3, 26.4) ------------------------------------------------------------------------


def shelled(*dice: Any, units: Any = (ENEMY, SPARE), at: Any = (20, 6), **more: Any) -> Any:
    """The start of the turn after a barrage was called."""
    strike = [{"kind": "barrage", "side": "american", "unit": "a1", "turn": 1, "at": list(at)}]
    return play(OBSERVER, *units, strike=strike, phase="start", turn=2, dice=dice, **more)


@pytest.mark.rule("bolt_action", "26.3")
@pytest.mark.parametrize("face", [2, 3])
def test_a_delayed_barrage_is_rolled_for_again_next_turn(face: Any) -> None:
    session = shelled(face, 1, 4, 1, 2, 1)
    assert happened(session, StrikeDelayed) and len(the_state(session).strikes) == 1
    while the_state(session).turn == 2:  # everybody goes Down, and nobody stays there
        answer(session, next(key for key in ("down", "done", keys(session)[0]) if key in keys(session)))
    assert [roll.what for roll in rolled(session)][-4:-1] == ["barrage", "reach of the barrage", "barrage effect"]
    assert happened(session, BarrageFalls) and not the_state(session).strikes


@pytest.mark.rule("bolt_action", "26.3")
def test_a_barrage_does_not_fall_in_the_turn_in_which_it_was_called() -> None:
    strike = [{"kind": "barrage", "side": "american", "unit": "a1", "turn": 2, "at": [20, 6]}]
    session = play(OBSERVER, ENEMY, strike=strike, phase="start", turn=2, dice=[1])
    assert not rolled(session, "barrage")


@pytest.mark.rule("bolt_action", "26.3", "26.4")
def test_a_barrage_falls_before_any_die_is_drawn() -> None:
    session = shelled(4, 1, 2, 1)
    assert [roll.what for roll in rolled(session)] == [
        "barrage",
        "reach of the barrage",
        "barrage effect",
        "order die",
    ]
    assert happened(session, BarrageFalls)[0].radius == 7
    assert look(session, "g1").pins == 1 and not the_state(session).strikes


@pytest.mark.rule("bolt_action", "26.3")
def test_a_barrage_astray_falls_where_the_opponent_moves_its_marker() -> None:
    session = shelled(1, 1, 1, 1, at=(20, 34))
    assert session.ask.side == "german" and keys(session) == ["marker_on a1", "stay"]
    with pytest.raises(IllegalError, match=r"26\.3"):
        answer(session, "marker 20 21.9 0")
    answer(session, "marker_on a1")
    (falls,) = happened(session, BarrageFalls)
    assert falls.place == "20,44" and falls.astray
    assert [roll.unit for roll in rolled(session, "barrage effect")] == ["a1"], "friend or foe"


@pytest.mark.rule("bolt_action", "26.4")
def test_a_barrage_strikes_everybody_with_a_model_in_its_reach() -> None:
    """Reach 7: a base that comes within 7 in of the marker is in it, one farther off is not."""
    near = unit("ger_sniper", "g2", at=(20, 13.5), heading=180, men=1)
    far = unit("ger_sniper", "g3", at=(20, 15), heading=180, men=1)
    session = shelled(5, 1, 1, 1, 1, units=(ENEMY, near, far))
    assert [roll.unit for roll in rolled(session, "barrage effect")] == ["g1", "g2"]


@pytest.mark.rule("bolt_action", "26.4")
@pytest.mark.parametrize(("dice", "pins"), [((1,), 0), ((2,), 1), ((3,), 1), ((4, 1), 1), ((5, 3), 3)])
def test_what_a_barrage_does_to_a_unit(dice: Any, pins: Any) -> None:
    session = shelled(6, 1, *dice, 1)
    assert look(session, "g1").pins == pins


@pytest.mark.rule("bolt_action", "26.4")
def test_a_direct_hit_is_that_of_a_great_shell() -> None:
    session = shelled(6, 1, 6, *[2] * 40)
    assert len(look(session, "g1").models) < 10 or session.ask.reaction == "casualties"
    assert happened(session, Pinned)[0].unit == "g1"


@pytest.mark.rule("bolt_action", "26.4")
def test_a_direct_hit_on_armour_is_one_hit_on_top() -> None:
    tank = unit("ger_panzer4", "g1", at=(20, 6), heading=180)
    session = shelled(6, 1, 6, *[3] * 10, units=(tank, SPARE))
    tallies = [t for roll in rolled(session) if roll.unit == "g1" for t in roll.tallies]
    assert any(line.amount == 1 for t in tallies for line in t.lines), "one more for the top"


@pytest.mark.rule("bolt_action", "26.4", "6.3")
def test_the_pins_of_a_barrage_can_break_a_unit() -> None:
    session = shelled(6, 1, 2, 1, units=(unit("ger_infantry", "g1", at=(20, 6), heading=180, pins=8), SPARE))
    assert look(session, "g1").status == "lost"


# ---- the air strike (26.6) ---------------------------------------------------------------------------


def attacked(*dice: Any, units: Any = (ENEMY, SPARE), **more: Any) -> Any:
    """The start of the turn after an air strike on g1 was called."""
    strike = [{"kind": "air", "side": "american", "unit": "a1", "turn": 1, "target": "g1"}]
    return play(AIRMAN, *units, strike=strike, phase="start", turn=2, dice=dice, **more)


@pytest.mark.rule("bolt_action", "26.5", "26.6")
@pytest.mark.parametrize("face", [1, 2])
def test_aircraft_may_not_come_yet(face: Any) -> None:
    session = attacked(face, 1)
    assert happened(session, StrikeDelayed) and the_state(session).strikes


@pytest.mark.rule("bolt_action", "26.6")
def test_a_fighter_strafes_with_small_arms_that_pin() -> None:
    session = attacked(3, 2, 1, *[1] * 10)
    assert happened(session, AircraftComes)[0].kind == "fighter"
    assert rolled(session, "hits of the fighter")[0].meaning == 2
    assert look(session, "g1").pins == 1 and len(look(session, "g1").models) == 10


@pytest.mark.rule("bolt_action", "26.6", "6.5")
def test_a_fighter_does_nothing_to_an_enclosed_tank() -> None:
    session = attacked(3, 2, 1, 1, units=(unit("ger_panzer4", "g1", at=(20, 6), heading=180), SPARE))
    assert look(session, "g1").pins == 0


@pytest.mark.rule("bolt_action", "26.6")
@pytest.mark.parametrize(("kind", "needed"), [(4, 4), (6, 3)])
def test_bombs_want_a_number_to_hit(kind: Any, needed: Any) -> None:
    session = attacked(3, kind, needed - 1, 1)
    assert happened(session, StrikeMisses)[0].target == "g1" and look(session, "g1").pins == 0
    hit = attacked(3, kind, needed, *[2] * 40)
    assert not happened(hit, StrikeMisses) and look(hit, "g1").pins > 0


@pytest.mark.rule("bolt_action", "26.6")
def test_every_other_enemy_near_the_target_takes_a_pin() -> None:
    beside = unit("ger_mmg", "g2", at=(20, 12), heading=180)
    mine = unit("us_sniper", "a2", at=(30, 6))
    session = attacked(3, 4, 1, 1, units=(ENEMY, beside, mine, SPARE))
    assert (look(session, "g2").pins, look(session, "a2").pins, look(session, "g9").pins) == (1, 0, 0)


@pytest.mark.rule("bolt_action", "26.6", "26.5")
def test_an_aircraft_astray_attacks_whom_the_opponent_picks_near_the_target() -> None:
    mine = unit("us_squad", "a2", at=(20, 14))
    session = attacked(3, 1, 1, *[1] * 10, units=(ENEMY, mine, SPARE))
    assert session.ask.side == "german" and keys(session) == ["wrong g1", "wrong a2"]
    answer(session, "wrong a2")
    assert happened(session, AircraftComes)[0].astray and look(session, "a2").pins == 1


# ---- flak (26.8) -------------------------------------------------------------------------------------

GUN = unit("ger_flakvierling", "g2", at=(40, 6), heading=180)


@pytest.mark.rule("bolt_action", "26.8")
def test_flak_may_shoot_at_an_aircraft_and_bring_it_down_with_three_hits() -> None:
    session = attacked(3, 5, 6, 5, 1, 1, units=(ENEMY, GUN, SPARE))
    assert session.ask.side == "german" and session.ask.reaction == "flak" and keys(session) == ["flak g2", "pass"]
    answer(session, "flak g2")
    assert happened(session, FlakFires)[0].hits == 3 and happened(session, AircraftDown)
    assert not happened(session, AircraftComes) and look(session, "g2").die == "fire"
    assert not the_state(session).strikes


@pytest.mark.rule("bolt_action", "26.8")
def test_two_hits_do_not_stop_it_and_flak_may_hold_its_fire() -> None:
    session = attacked(3, 5, 6, 4, 1, 4, 1, 1, units=(ENEMY, GUN, SPARE))
    answer(session, "flak g2")
    assert happened(session, AircraftComes)
    other = attacked(3, 4, 1, 1, units=(ENEMY, GUN, SPARE))
    answer(other, "pass")
    assert happened(other, AircraftComes) and look(other, "g2").die == ""


@pytest.mark.rule("bolt_action", "26.8")
def test_the_pins_of_flak_count_against_it() -> None:
    pinned = unit("ger_flakvierling", "g2", at=(40, 6), heading=180, pins=1)
    session = attacked(3, 5, 5, 5, 6, 4, 1, 1, units=(ENEMY, pinned, SPARE))
    answer(session, "flak g2")
    assert happened(session, FlakFires)[0].hits == 1


@pytest.mark.rule("bolt_action", "26.8")
def test_flak_that_kept_its_die_does_not_shoot() -> None:
    kept = unit("ger_flakvierling", "g2", at=(40, 6), heading=180, die="down")
    session = attacked(3, 4, 1, 1, units=(ENEMY, kept, SPARE))
    assert happened(session, AircraftComes) and not happened(session, FlakFires)


@pytest.mark.rule("bolt_action", "26.8")
def test_the_hits_of_several_guns_count_together_and_no_more_are_asked_than_are_needed() -> None:
    second = unit("ger_flakvierling", "g3", at=(50, 6), heading=180)
    together = attacked(3, 5, 6, 1, 1, 5, 1, 1, 1, 1, units=(ENEMY, GUN, second, SPARE))
    answer(together, "flak g2")
    assert keys(together) == ["flak g3", "pass"]
    answer(together, "flak g3")
    assert [event.hits for event in happened(together, FlakFires)] == [2, 1] and happened(together, AircraftDown)
    alone = attacked(3, 5, 5, 5, 1, 1, units=(ENEMY, GUN, second, SPARE))
    answer(alone, "flak g2")
    assert happened(alone, AircraftDown) and look(alone, "g3").die == ""


@pytest.mark.rule("bolt_action", "26.6", "26.5")
def test_an_aircraft_astray_with_nobody_near_attacks_its_target_all_the_same() -> None:
    session = attacked(3, 1, 1, *[1] * 10, units=(ENEMY, SPARE))
    assert happened(session, AircraftComes)[0].astray and look(session, "g1").pins == 1


@pytest.mark.rule("bolt_action", "26.6")
@pytest.mark.parametrize(("back", "pins"), [(0, 1), (1, 0)])
def test_the_pin_of_an_air_strike_reaches_as_far_as_its_splash(back: int, pins: int) -> None:
    """Measured from base to base: as near as it must be, and a hundredth of an inch farther away."""
    battle = the_battle(play(AIRMAN, ENEMY, unit("ger_mmg", "g2", at=(20, 20), heading=180), SPARE, drawn="american"))
    reach = battle.charts.distance("air_strike_figures", "splash_radius")
    beside = battle.unit("g2")
    while battle.gap(beside, battle.unit("g1")) > reach:
        for model in beside.models:
            model.y -= 1
        battle.invalidate()
    models = [{"id": m.id, "at": [m.x / 100, (m.y + back) / 100]} for m in beside.models]
    session = attacked(3, 4, 1, 1, units=(ENEMY, unit("ger_mmg", "g2", models=models, heading=180), SPARE))
    assert look(session, "g2").pins == pins


@pytest.mark.rule("bolt_action", "4.4", "24.3")
def test_a_truck_that_has_panicked_has_run_whatever_becomes_of_its_die() -> None:
    battle = the_battle(play(unit("us_truck", "a1", at=(36, 24)), unit("ger_infantry", "g1", at=(36, 10), heading=180)))
    truck = battle.unit("a1")
    fleeing = fubar.panic(battle, truck)
    try:
        ask = next(fleeing)
        while True:
            ask = fleeing.send(ask.options[0].key)
    except StopIteration:
        pass
    truck.die = "down"
    assert battle.runs(truck)
    battle.state.turn += 1
    assert not battle.runs(truck)
