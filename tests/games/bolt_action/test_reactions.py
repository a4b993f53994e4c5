"""Reactions (16): going Down, ambush fire, and the escape of recce vehicles (D4 to D7)."""

from __future__ import annotations

from typing import Any

import pytest
import shapely

from grognard.board.table import bodies
from grognard.core.errors import IllegalError
from grognard.core.poses import Pose
from grognard.core.standing_orders import StandingOrder
from grognard.games.bolt_action import orders, panic_and_escape, reactions
from grognard.games.bolt_action.fire_events import Contact, Shoots
from grognard.games.bolt_action.turn_events import AmbushSprung, Escaped, WentDown
from tests.games.bolt_action.play import answer, box, field, happened, keys, lines, look, play, rolled, the_state, unit

SQUAD = unit("us_squad", "a1", at=(20, 30))


def target(**more: Any) -> Any:
    return unit("ger_infantry", "g1", at=(20, 16), heading=180, **more)


def take_casualties(session: Any) -> None:
    """Remove casualties in the usual way."""
    while session.ask is not None and session.ask.reaction == "casualties":
        answer(session, "usual")


# ---- going Down (16.1 to 16.3) -----------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "16.1", "2.6")
def test_a_target_without_a_die_may_go_down_before_it_is_shot_at() -> None:
    session = play(SQUAD, target(), drawn="american", seed=b"1")
    answer(session, "unit a1", "fire", "at g1")
    assert session.ask.side == "german" and session.ask.reaction == "go down" and keys(session) == ["down", "pass"]
    answer(session, "down")
    assert look(session, "g1").die == "down" and the_state(session).cup["german"] == 0
    assert happened(session, WentDown)[0].rules == ("16.1",)
    assert not rolled(session, "order test")
    assert any("down" in line for event in rolled(session) for t in event.tallies for line in lines(t))


@pytest.mark.rule("bolt_action", "16.1")
def test_a_target_may_take_the_fire_as_it_stands() -> None:
    session = play(SQUAD, target(), drawn="american", seed=b"1")
    answer(session, "unit a1", "fire", "at g1", "pass")
    assert look(session, "g1").die == "" and not happened(session, WentDown)


@pytest.mark.rule("bolt_action", "16.2")
def test_a_unit_on_ambush_may_turn_its_die_to_down() -> None:
    session = play(SQUAD, target(die="ambush"), drawn="american", seed=b"1")
    answer(session, "unit a1", "fire", "pass", "at g1")
    assert session.ask.reaction == "go down"
    answer(session, "down")
    assert look(session, "g1").die == "down" and happened(session, WentDown)[0].rules == ("16.2",)


@pytest.mark.rule("bolt_action", "16.2")
@pytest.mark.parametrize("die", ["fire", "advance", "run", "rally", "down"])
def test_a_unit_with_any_other_die_cannot_react(die: Any) -> None:
    battle = field(SQUAD, target(die=die))
    assert reactions.bar_down(battle, battle.unit("g1"), "shooting").rule == "16.2"


@pytest.mark.rule("bolt_action", "16.1")
def test_vehicles_do_not_go_down_under_fire() -> None:
    battle = field(SQUAD, unit("ger_panzer4", "g1", at=(20, 16), heading=180))
    assert reactions.bar_down(battle, battle.unit("g1"), "shooting").rule == "16.1"


@pytest.mark.rule("bolt_action", "16.1")
def test_a_gun_may_go_down() -> None:
    battle = field(SQUAD, unit("ger_pak38", "g1", at=(20, 16), heading=180))
    assert reactions.bar_down(battle, battle.unit("g1"), "shooting") is None


@pytest.mark.rule("bolt_action", "16.3")
def test_nobody_goes_down_before_indirect_fire_has_hit() -> None:
    battle = field(SQUAD, target())
    assert reactions.bar_down(battle, battle.unit("g1"), "indirect").rule == "16.3"


@pytest.mark.rule("bolt_action", "16.3", "4.5")
def test_nobody_goes_down_under_the_fire_of_his_own_side() -> None:
    battle = field(SQUAD, unit("us_mmg", "a2", at=(40, 30)), target())
    react = reactions.target_reacts(battle, battle.unit("a2"), battle.unit("a1"), kind="shooting")
    with pytest.raises(StopIteration) as end:
        next(react)
    assert end.value.value == ""


def test_a_standing_order_takes_the_fire() -> None:
    session = play(SQUAD, target(), drawn="american", seed=b"1")
    session.give_order(StandingOrder("german", "go down"))
    answer(session, "unit a1", "fire", "at g1")
    assert session.ask.reaction != "go down" and look(session, "g1").die == ""


# ---- ambush (16.4 to 16.8) ---------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "16.4", "16.5")
def test_an_ambusher_fires_when_an_enemys_order_is_accepted() -> None:
    session = play(SQUAD, target(die="ambush", pins=1), drawn="american", seed=b"2")
    answer(session, "unit a1", "rally")
    assert session.ask.side == "german" and session.ask.reaction == "ambush"
    assert keys(session) == ["spring g1", "pass", "hold"]
    answer(session, "spring g1")
    assert look(session, "g1").die == "fire" and happened(session, AmbushSprung)[0].target == "a1"
    assert not rolled(session, "order test"), "pinned as it is, it needs no test to fire"
    shots = [t for event in rolled(session) for t in event.tallies if t.what.startswith("To hit")]
    assert shots and not any("fire_on_the_move" in lines(shot) for shot in shots)


@pytest.mark.rule("bolt_action", "16.4")
def test_the_odds_of_an_ambush_are_what_it_does_to_the_enemy() -> None:
    session = play(unit("us_squad", "a1", at=(20, 30), pins=3), target(die="ambush"), drawn="american", dice=[1, 1])
    answer(session, "unit a1", "rally")
    odds = session.odds("spring g1")
    assert odds.exact and odds.to_them > 0 and odds.to_us == 0
    # What the enemy goes on to do for himself is told, and is not harm that the ambush does.
    waits = session.odds("pass")
    assert waits.to_them == waits.to_us == 0 and waits.besides == 1


@pytest.mark.rule("bolt_action", "16.4", "16.5")
def test_an_ambusher_may_wait_and_keeps_its_die() -> None:
    session = play(SQUAD, target(die="ambush"), drawn="american", seed=b"2")
    answer(session, "unit a1", "rally", "pass")
    assert look(session, "g1").die == "ambush" and not happened(session, AmbushSprung)


@pytest.mark.rule("bolt_action", "16.4")
def test_ambushers_are_asked_while_the_enemy_moves_and_before_it_shoots() -> None:
    session = play(unit("us_sniper", "a1", at=(20, 40)), target(die="ambush"), drawn="american", seed=b"2")
    answer(session, "unit a1", "advance")
    moments = [session.ask.prompt]
    answer(session, "pass", "pose 20 37 0 line")
    while session.ask is not None and session.ask.reaction == "ambush":
        moments.append(session.ask.prompt)
        answer(session, "pass")
    assert len(moments) >= 4, moments
    assert "acts" in moments[0] and "has moved" in moments[-1]
    assert all("moves" in moment for moment in moments[1:-1])


@pytest.mark.rule("bolt_action", "16.4")
@pytest.mark.parametrize(("order", "far"), [("advance", 5.5), ("run", 5.5), ("run", 11.5)])
def test_who_comes_into_sight_with_the_last_half_inch_has_moved(order: str, far: float) -> None:
    house = box("building", 24, 14, 32, 20)
    start = 12.4 + far
    runner = unit("us_sniper", "a1", models=[(start, 26)], men=1)
    watch = unit("ger_volkssturm", "g1", models=[(28, 10)], heading=180, die="ambush")
    session = play(runner, watch, terrain=[house], drawn="american", seed=b"2")
    answer(session, "unit a1", order, f"pose {start - far:g} 26 0 as_they_stand")
    assert session.ask.reaction == "ambush" and session.ask.prompt.startswith("Sniper team a1 has moved")


@pytest.mark.rule("bolt_action", "16.4")
def test_to_hold_fire_is_to_wait_until_the_enemy_has_done() -> None:
    session = play(
        unit("us_sniper", "a1", at=(20, 40)),
        unit("us_mmg", "a2", at=(30, 40)),
        target(die="ambush"),
        drawn="american",
        seed=b"2",
    )
    answer(session, "unit a1", "advance", "hold", "pose 20 37 0 line")
    assert session.ask.reaction == "" and look(session, "g1").die == "ambush"
    answer(session, "done", "unit a2", "rally")
    assert session.ask.reaction == "ambush", "the next unit is another matter"


@pytest.mark.rule("bolt_action", "16.4")
def test_an_ambusher_that_does_not_see_the_enemy_is_not_asked() -> None:
    wall = [{"kind": "building", "points": [[0, 20], [72, 20], [72, 26], [0, 26]]}]
    session = play(SQUAD, target(die="ambush"), terrain=wall, drawn="american", seed=b"2")
    answer(session, "unit a1", "rally")
    assert session.ask.reaction == "" and keys(session) == ["keep g1", "done"]


@pytest.mark.rule("bolt_action", "16.6")
def test_several_ambushers_fire_one_after_the_other_as_their_owner_likes() -> None:
    second = unit("ger_mmg", "g2", at=(36, 16), heading=180, die="ambush")
    session = play(SQUAD, target(die="ambush"), second, drawn="american", seed=b"2")
    answer(session, "unit a1", "rally")
    assert keys(session, "spring") == ["spring g1", "spring g2"]
    answer(session, "spring g2")
    take_casualties(session)
    assert keys(session, "spring") == ["spring g1"]


@pytest.mark.rule("bolt_action", "16.6", "16.2")
def test_the_acting_unit_cannot_go_down_under_ambush_fire() -> None:
    """Not even one that has just been given Ambush itself."""
    session = play(SQUAD, target(die="ambush"), drawn="american", seed=b"2")
    answer(session, "unit a1", "ambush", "spring g1")
    assert session.ask is None or session.ask.reaction != "go down"
    assert look(session, "a1").die in ("ambush", "")


@pytest.mark.rule("bolt_action", "16.6")
def test_the_interrupted_enemy_goes_on_with_what_is_left_of_it() -> None:
    session = play(SQUAD, target(die="ambush"), drawn="american", seed=b"2")
    answer(session, "unit a1", "fire", "spring g1")
    take_casualties(session)
    assert session.ask.side == "american" and "at g1" in keys(session)


@pytest.mark.rule("bolt_action", "16.7")
def test_indirect_fire_cannot_lie_in_ambush() -> None:
    battle = field(unit("us_mortar_medium", "a1", at=(20, 40)), unit("us_mmg", "a2", at=(40, 40)), target())
    assert orders.bar(battle, battle.unit("a1"), "ambush").rule == "16.7"
    assert orders.bar(battle, battle.unit("a2"), "ambush") is None


@pytest.mark.rule("bolt_action", "16.8")
def test_a_gun_names_its_ammunition_when_it_goes_on_ambush() -> None:
    session = play(unit("us_57mm", "a1", at=(20, 40)), target(), drawn="american", seed=b"2")
    answer(session, "unit a1", "ambush")
    assert keys(session) == ["load ap", "load he"]
    answer(session, "load he")
    assert look(session, "a1").ammunition == "he"


@pytest.mark.rule("bolt_action", "16.8")
def test_men_with_rifles_have_nothing_to_name() -> None:
    session = play(SQUAD, target(die="down"), drawn="american", cup={"german": 1})
    answer(session, "unit a1", "ambush")
    assert look(session, "a1").die == "ambush" and look(session, "a1").ammunition == ""


# ---- escape (16.9, 16.10) ----------------------------------------------------------------------------

PUMA = ("ger_puma", "g1")


@pytest.mark.rule("bolt_action", "16.9", "16.10")
def test_a_recce_vehicle_may_escape_with_a_die_from_the_cup() -> None:
    session = play(
        unit("us_57mm", "a1", at=(20, 40)), unit(*PUMA, at=(20, 20), heading=0), drawn="american", dice=[1] * 9
    )
    answer(session, "unit a1", "fire")
    answer(session, next(key for key in keys(session) if key.startswith("at g1")))
    assert session.ask.side == "german" and session.ask.reaction == "escape" and keys(session) == ["escape", "pass"]
    answer(session, "escape")
    assert look(session, "g1").die == "run" and the_state(session).cup["german"] == 0
    answer(session, keys(session, "pose")[0])
    while session.ask.side == "german":
        answer(session, "done")
    assert look(session, "g1").models[0].y < 2000 and happened(session, Escaped)


@pytest.mark.rule("bolt_action", "16.10")
def test_a_pinned_recce_vehicle_tests_first_and_goes_down_if_it_fails() -> None:
    session = play(
        unit("us_57mm", "a1", at=(20, 40)),
        unit(*PUMA, at=(20, 20), heading=0, pins=2),
        drawn="american",
        dice=[5, 5, *[1] * 20],
    )
    answer(session, "unit a1", "fire")
    answer(session, next(key for key in keys(session) if key.startswith("at g1")))
    answer(session, "escape")
    assert look(session, "g1").die == "down" and look(session, "g1").models[0].y == 2000


@pytest.mark.rule("bolt_action", "16.9")
@pytest.mark.parametrize(("more", "rule"), [({"die": "fire"}, "16.9"), ({"immobilised": True}, "20.4"), ({}, None)])
def test_who_has_acted_or_is_immobilised_cannot_escape(more: Any, rule: Any) -> None:
    battle = field(unit("us_57mm", "a1", at=(20, 40)), unit(*PUMA, at=(20, 20), **more))
    found = reactions.bar_escape(battle, battle.unit("g1"))
    assert (found.rule if found else None) == rule


@pytest.mark.rule("bolt_action", "16.9")
def test_an_escape_is_measured_from_hull_to_base() -> None:
    """Broadside on, to turn away brings the tail nearer than the side was: it must drive on until that is made good."""
    battle = field(
        unit("us_2lt", "a1", at=(20, 40)), unit(*PUMA, at=(20, 20), heading=90), sides=["american", "german"]
    )
    puma, gun = battle.unit("g1"), battle.unit("a1")
    began, foot = battle.gap(puma, gun), battle.hull(puma).foot
    more = (foot.length - foot.width) / 200
    asking = panic_and_escape.escape(battle, puma, gun)
    ask = next(asking)
    with pytest.raises(IllegalError, match=r"farther from the attacker.*\[16\.9\]"):
        ask.option(f"pose 20 {20 - more + 0.1:.2f} 0 drive")
    with pytest.raises(IllegalError, match=r"\[16\.9\]"):
        ask.option("pose 20 20 0 drive")
    asking.send(f"pose 20 {20 - more - 0.1:.2f} 0 drive")
    assert began < battle.gap(puma, gun) <= began + 12


@pytest.mark.rule("bolt_action", "16.9")
def test_the_area_of_an_escape_is_what_it_lets_it_do() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 30)), unit(*PUMA, at=(20, 20), heading=60), sides=["american", "german"]
    )
    ask = next(panic_and_escape.escape(battle, battle.unit("g1"), battle.unit("a1")))
    began = battle.gap(battle.unit("g1"), battle.unit("a1"))
    area = ask.area
    (shape,) = [shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in area.polygons("drive", 0)])]
    for x in range(800, 3300, 70):
        for y in range(600, 3300, 70):
            pose = Pose(x, y, 0, "drive")
            if shape.boundary.distance(shapely.Point(x, y)) < 3:
                continue
            assert (area.bar(pose) is None) is bool(shapely.intersects_xy(shape, x, y)), pose
            if area.bar(pose) is None:
                end, _ = area.end(pose)
                hull = area.body.at(end.x, end.y, end.heading)
                assert min(bodies.gap(hull, base) for base in battle.bodies(battle.unit("a1"))) > began - 1


@pytest.mark.rule("bolt_action", "16.9")
def test_a_tank_that_is_no_recce_vehicle_does_not_escape() -> None:
    battle = field(unit("us_57mm", "a1", at=(20, 40)), unit("ger_panzer4", "g1", at=(20, 20)))
    assert reactions.bar_escape(battle, battle.unit("g1")).rule == "16.9"


@pytest.mark.rule("bolt_action", "16.4")
def test_a_standing_order_keeps_ambushers_waiting_beyond_a_range_or_below_a_chance() -> None:
    far = unit("us_squad", "a1", at=(20, 34))
    for order, asked in (
        (StandingOrder("german", "ambush", beyond=12), False),
        (StandingOrder("german", "ambush", beyond=20), True),
        (StandingOrder("german", "ambush", below=0.5), False),
        (StandingOrder("german", "ambush", below=0.05), True),
    ):
        session = play(far, target(die="ambush", pins=4), drawn="american", seed=b"1")
        session.give_order(order)
        answer(session, "unit a1", "advance")
        assert session.ask is not None and (session.ask.side == "german") is asked, order


@pytest.mark.rule("bolt_action", "16.1")
def test_a_standing_order_lets_men_go_down_only_under_fire_from_near() -> None:
    for beyond, asked in ((10, False), (14, True)):
        session = play(SQUAD, target(), drawn="american", seed=b"1")
        session.give_order(StandingOrder("german", "go down", beyond=beyond))
        answer(session, "unit a1", "fire", "at g1")
        assert (session.ask is not None and session.ask.reaction == "go down") is asked


# ---- one shot in reaction to one assault (16.4, 21.4) ---------------------------------------------------


def line(x: float, y: float, count: int) -> list[tuple[float, float]]:
    return [(x + 1.25 * number, y) for number in range(count)]


def assault_on_ambushers() -> Any:
    """Volkssturm in ambush, ten inches from the men who will assault them."""
    return play(
        unit("us_squad10", "a1", models=line(20, 30, 8)),
        unit("us_jeep", "zz", at=(3, 45), die="fire"),
        unit(
            "ger_volkssturm", "g1", heading=180, models=line(20, 20, 10), quality="regular", green=False, die="ambush"
        ),
        drawn="american",
        turn=2,
        dice=(1,) * 400,
    )


@pytest.mark.rule("bolt_action", "21.4", "16.4")
def test_who_has_sprung_his_ambush_does_not_shoot_at_the_same_assault_again() -> None:
    session = assault_on_ambushers()
    answer(session, "unit a1", "run", "spring g1", "at a1")
    take_casualties(session)
    assert session.ask.side == "american"
    answer(session, "assault g1")
    asked = [keys(session)] if session.ask.reaction == "reaction fire" else []
    # Only the panzerfausts of men who have not fired are left to shoot, and here nobody has kept one.
    assert all(not key.startswith("at") or "panzerfaust" in key for found in asked for key in found)
    shots = [event for event in happened(session, Shoots) if event.unit == "g1"]
    assert len(shots) == 1


@pytest.mark.rule("bolt_action", "21.4", "16.4")
def test_who_has_shot_at_assaulters_does_not_spring_his_ambush_on_them_as_well() -> None:
    session = assault_on_ambushers()
    answer(session, "unit a1", "run", "pass", "assault g1")
    assert session.ask.reaction == "reaction fire"
    answer(session, "at a1")
    take_casualties(session)
    asked = []
    while session.ask is not None and session.ask.reaction == "ambush":
        asked.append(keys(session))
        answer(session, "pass")
    assert asked == []


@pytest.mark.rule("bolt_action", "21.4", "16.4")
def test_a_weapon_that_held_its_fire_in_ambush_may_still_shoot_at_the_assault() -> None:
    """The panzerfausts fire from ambush alone: at the assault the rifles of the others do."""
    session = assault_on_ambushers()
    answer(session, "unit a1", "run", "spring g1", "apart")
    while "at a1" in keys(session):
        answer(session, "at a1" if "anzerfaust" in session.ask.prompt else "hold")
    take_casualties(session)
    answer(session, "assault g1")
    assert session.ask.reaction == "reaction fire" and "at a1" in keys(session)
    answer(session, "at a1")
    shots = [event.weapons for event in happened(session, Shoots) if event.unit == "g1"]
    assert len(shots) == 2 and "rifle" in shots[1]
    bearers = sum("panzerfaust" in shot for shot in shots[:1])
    assert bearers == 1 and shots[1] != "10 × rifle", "a man who fired his panzerfaust does not fire his rifle too"


# ---- the escape that fails, and the one that is not made (3.4, 16.10) -----------------------------------


def recce_under_attack(**more: Any) -> Any:
    return play(
        unit("us_57mm", "a1", at=(36, 44)),
        unit("us_jeep", "zz", at=(3, 4)),
        unit("ger_puma", "g1", at=(36, 17), heading=180, **more),
        unit("ger_infantry", "g2", at=(65, 4), heading=180),
        drawn="american",
        turn=2,
        dice=(6, 6, 1, 1, 1),
    )


@pytest.mark.rule("bolt_action", "16.10", "3.4")
def test_a_double_six_in_the_test_to_escape_puts_it_down_and_is_no_fubar() -> None:
    session = recce_under_attack(pins=1)
    answer(session, "unit a1", "fire", "at g1 ap", "escape")
    assert look(session, "g1").die == "down"
    (test,) = rolled(session, "order test")
    assert test.meaning == "fail" and "16.10" in test.rules and not rolled(session, "FUBAR")
    assert rolled(session, "to hit"), "and the attack goes on"


@pytest.mark.rule("bolt_action", "16.9", "16.10")
def test_who_declares_an_escape_and_stays_has_used_the_die_and_stands_still() -> None:
    session = recce_under_attack()
    before = the_state(session).cup["german"]
    answer(session, "unit a1", "fire", "at g1 ap", "escape", "stay")
    assert look(session, "g1").die == "down" and the_state(session).cup["german"] == before - 1
    assert not happened(session, Escaped) and rolled(session, "to hit")


@pytest.mark.rule("bolt_action", "16.10", "22.1")
def test_an_escape_that_is_not_made_does_not_keep_infantry_off() -> None:
    """Before, a declared escape counted as a Run however far it went, and nobody could assault it."""
    session = play(
        unit("us_squad10", "a1", at=(36, 25)),
        unit("ger_puma", "g1", at=(36, 17), heading=180),
        unit("ger_infantry", "g2", at=(65, 4), heading=180),
        drawn="american",
        turn=2,
        seed=b"assault",
    )
    answer(session, "unit a1", "run", "assault g1")
    while session.ask is not None and session.ask.reaction != "escape":
        answer(session, "assault g1" if "assault g1" in keys(session) else keys(session)[0])
    answer(session, "escape", "stay")
    assert happened(session, Contact)
