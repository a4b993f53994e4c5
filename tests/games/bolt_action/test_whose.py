"""Whose everything is: who throws which dice, whose an event is, who is asked, and who does what to whom."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.events import Rolled
from grognard.games.bolt_action import barrages_and_aircraft, charge, close_quarters, fubar, vehicle_assault
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.shooting import declaring, targets, volley
from grognard.games.bolt_action.state import Strike
from tests.games.bolt_action.fire_play import enemy, fire, us
from tests.games.bolt_action.play import box, field, piece, run

rule = pytest.mark.rule

A, G = "american", "german"


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=[A, G], **head)


def told(battle: BoltBattle) -> list[tuple[str, str]]:
    """What happened and whose it was; of throws their purpose."""
    return [(event.what if isinstance(event, Rolled) else type(event).__name__, event.side) for event in battle.log]


def assault(battle: BoltBattle, *answers: str) -> list[tuple[str, str]]:
    """The assault of a1 on g1 with these answers: who was asked, and for what rule."""
    fighting = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    asked: list[tuple[str, str]] = []
    try:
        ask = next(fighting)
        for key in answers:
            asked.append((ask.side, ask.rule))
            ask = fighting.send(key)
        raise AssertionError(f"asked {ask.prompt!r} of {ask.side}: {[option.key for option in ask.options]}")
    except StopIteration:
        return asked


@rule("bolt_action", "12.1", "13.1", "14.3", "15.1", "15.5", "6.1")
def test_in_a_volley_the_firer_throws_and_the_target_loses_and_checks() -> None:
    """Two of four fall; the other two pass their check."""
    foe = enemy("sov_rifles", None, models=[(34.8 + 1.2 * n, 20) for n in range(4)], quality="regular")
    battle = place(us("sov_rifles", men=2, quality="regular"), foe, dice=(5, 5, 5, 5, 1, 2))
    fire(battle, "at g1", "usual")
    assert told(battle) == [
        ("Shoots", A),
        ("to hit", A),
        ("Hit", A),
        ("Pinned", G),
        ("damage", A),
        ("Losses", G),
        ("morale check", G),
        ("Held", G),
    ]
    assert len(battle.unit("g1").models) == 2


@rule("bolt_action", "19.1", "20.1", "20.4")
def test_in_a_shot_at_armour_the_firer_throws_and_the_vehicle_suffers() -> None:
    battle = place(us("us_57mm"), enemy("ger_panzer4", (36, 20)), dice=(6, 5, 2))
    fire(battle, "at g1 ap")
    assert told(battle) == [
        ("Shoots", A),
        ("to hit", A),
        ("Hit", A),
        ("Pinned", G),
        ("damage", A),
        ("Penetration", A),
        ("damage result", A),
        ("Damaged", G),
        ("Pinned", G),
        ("WentDown", G),
    ]


@rule("bolt_action", "6.5", "14.4")
def test_bullets_that_do_nothing_are_the_firers() -> None:
    battle = place(us("us_mmg"), enemy("ger_tiger", (36, 26)))
    fire(battle, "at g1")
    assert told(battle) == [("Shoots", A), ("Harmless", A)]


@rule("bolt_action", "17.8", "17.11")
def test_indirect_fire_ranges_in_for_the_side_that_fires() -> None:
    mortar = us("us_mortar_medium", at=(36, 44), models=[(36, 44), (35, 45), (37, 45), (38.5, 45)])
    battle = place(mortar, enemy("ger_infantry", (36, 12)), dice=(1,))
    fire(battle, "at g1")
    assert told(battle) == [("Shoots", A), ("to hit", A), ("RangesIn", A), ("Hit", A)]


@rule("bolt_action", "17.18", "18.2", "18.3")
def test_rockets_are_thrown_for_by_the_launchers_side_over_friend_and_foe() -> None:
    """A friend of the launcher is under its salvo, too, and rolls his own morale, not his hits."""
    launcher = us("ger_nebelwerfer", (36, 44), side=A)
    friend = us("us_2lt", (36, 14.2), "a2", heading=0)
    battle = place(launcher, friend, enemy("ger_infantry", (36, 12)), dice=(6, 1, 1, 1, 1, 1, 6, 1, 1, 1, 1, 1))
    fire(battle, "at g1")
    found = told(battle)
    assert ("Shoots", A) in found
    assert {side for what, side in found if what in ("rockets", "HE 2D6", "damage", "Rocketed", "Shelled")} == {A}
    assert [side for what, side in found if what == "Pinned"] == [A, G]


@rule("bolt_action", "21.1", "21.7", "21.9", "21.10")
def test_in_close_quarters_each_side_strikes_for_itself() -> None:
    """Three attack two: one defender falls, the other strikes back in vain; the Germans lost more."""
    battle = place(
        us("sov_rifles", models=[(36, 33), (37.2, 33), (38.4, 33)]),
        enemy("sov_rifles", None, models=[(36, 28), (37.2, 28)], quality="regular"),
        dice=(4, 1, 1, 1, 2),
    )
    asked = assault(battle, "usual", "stay")
    assert asked == [(G, "15.1"), (A, "21.10")]
    assert told(battle) == [
        ("Assaults", A),
        ("Moved", A),
        ("Contact", A),
        ("damage", A),
        ("Losses", G),
        ("damage", G),
        ("RoundOver", A),
        ("Destroyed", G),
        ("regroup", A),
    ]


@rule("bolt_action", "21.7", "15.3")
def test_the_striker_picks_the_victim_of_exceptional_damage_in_close_quarters() -> None:
    battle = place(
        us("sov_rifles", models=[(36, 33), (37.2, 33)]),
        enemy("ger_infantry", None, models=[{"id": "m1", "at": (36, 28)}, {"id": "m2", "at": (37.2, 28)}]),
        dice=(6, 1, 6, 1, 2),
    )
    asked = assault(battle, "remove g1.m1", "stay")
    assert asked[0] == (A, "15.3")
    struck = place(
        us("sov_rifles", models=[(36, 33), (37.2, 33)]),
        enemy("sov_rifles", None, models=[(36, 28)], quality="regular"),
        dice=(1, 1, 6, 6, 2),
    )
    assert assault(struck, "remove a1.m2", "stay")[0] == (G, "15.3")


@rule("bolt_action", "21.11")
def test_after_five_drawn_rounds_the_attackers_step_back_and_nobody_else() -> None:
    foe = enemy("sov_rifles", None, models=[(36, 28)])
    battle = place(us("sov_rifles", models=[(36, 33)]), foe, dice=(1,) * 10)
    assert assault(battle) == []
    assert told(battle)[-1] == ("Parted", A)
    assert (battle.unit("g1").models[0].x, battle.unit("g1").models[0].y) == (3600, 2800)
    assert battle.unit("a1").models[0].y / 100 == pytest.approx(30, abs=0.05)
    assert battle.unit("a1").moved == battle.state.turn


@rule("bolt_action", "12.5", "21.5")
def test_while_two_units_fight_nobody_may_shoot_at_either() -> None:
    """Asked who falls, in the middle of the fight; once it is over both may be shot at again."""
    battle = place(
        us("sov_rifles", models=[(36, 33), (37.2, 33), (38.4, 33)]),
        us("us_mmg", (30, 44), "a2"),
        enemy("sov_rifles", None, models=[(36, 28), (37.2, 28)], quality="regular"),
        enemy("ger_mmg", (30, 10), "g2"),
        dice=(4, 1, 1, 1, 2),
    )
    fighting = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    next(fighting)
    for firer, target in (("a2", "g1"), ("g2", "a1")):
        bar = targets.bar(battle, battle.unit(firer), battle.unit(target))
        assert bar is not None and bar.rule == "12.5"
    fighting.send("usual")
    with pytest.raises(StopIteration):
        fighting.send("stay")
    assert targets.bar(battle, battle.unit("g2"), battle.unit("a1")) is None


@rule("bolt_action", "22.5", "22.6", "22.10")
def test_in_an_assault_on_a_tank_only_the_assaulters_throw() -> None:
    battle = place(us("us_rangers", (36, 30), men=3), enemy("ger_panzer4", (36, 26.5)), dice=(4, 4, 4, 6, 2))
    run(vehicle_assault.fight(battle, battle.unit("a1"), battle.unit("g1")))
    assert told(battle) == [
        ("assault on a vehicle", A),
        ("VehicleAssaulted", A),
        ("damage", A),
        ("Penetration", A),
        ("damage result", A),
        ("Damaged", G),
        ("Pinned", G),
        *([("WentDown", G)] if battle.unit("g1").die == "down" else []),
    ]


@rule("bolt_action", "22.7")
def test_a_truck_is_destroyed_by_what_the_assaulters_throw() -> None:
    battle = place(us("us_squad", (36, 30), men=3), enemy("ger_truck", (36, 26.5)), dice=(4, 4, 4, 3))
    run(vehicle_assault.fight(battle, battle.unit("a1"), battle.unit("g1")))
    assert told(battle) == [
        ("assault on a vehicle", A),
        ("VehicleAssaulted", A),
        ("damage", A),
        ("Destroyed", G),
    ]


@rule("bolt_action", "21.2", "22.1")
def test_an_assault_that_meets_nobody_is_told_as_the_assaulters() -> None:
    pond = box("pond", 33, 34, 45, 36)
    battle = place(
        us("sov_rifles", (36, 40), models=[(36, 40)]),
        enemy("ger_infantry", None, models=[(39, 30)], die="down"),
        terrain=[pond],
    )
    assert assault(battle) == []
    assert [each for each in told(battle) if each[0] != "Moved"] == [("Assaults", A), ("FellShort", A)]


@rule("bolt_action", "22.1", "22.4", "16.9")
def test_a_recce_vehicle_that_makes_off_leaves_the_assaulters_with_nothing() -> None:
    battle = place(
        us("us_rangers", (36, 38), men=3),
        enemy("ger_puma", (36, 30), die="", heading=0),
        cup={A: 0, G: 1},
    )
    fighting = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    ask = next(fighting)
    assert (ask.side, ask.rule) == (G, "16.9")
    ask = fighting.send("escape")
    pose = next(option.key for option in ask.options if option.verb == "pose")
    try:
        ask = fighting.send(pose)
        while True:
            ask = fighting.send("done")
    except StopIteration:
        pass
    assert told(battle)[-1] == ("AssaultFails", A) and ("Escaped", G) in told(battle)
    assert not any(what == "assault on a vehicle" for what, _ in told(battle))


@rule("bolt_action", "26.8")
def test_flak_brings_down_the_enemys_aircraft_for_its_own_side() -> None:
    flak = enemy("ger_flakvierling", (36, 20), die="")
    observer = us("us_air_observer", (36, 44), called=True)
    battle = place(observer, flak, turn=2, cup={A: 1, G: 1}, dice=(6, 5, 5, 5, 5))
    battle.state.strikes.append(Strike("air", A, "a1", 1, target="g1"))
    resolving = barrages_and_aircraft.resolve(battle)
    ask = next(resolving)
    assert (ask.side, ask.rule) == (G, "26.8")
    with pytest.raises(StopIteration):
        resolving.send(ask.options[0].key)
    found = told(battle)
    assert found[0] == ("air strike", A) and ("flak", G) in found and found[-1] == ("AircraftDown", G)


# ---- who does what to whom: nothing here is the same from the other end --------------------------------------


@rule("bolt_action", "21.2", "11.1", "4.4")
def test_who_sees_is_not_always_seen() -> None:
    """Men in a house look out of their only window; whoever stands beside it does not see in, nor do they see him."""
    farm = box("building", 33, 36, 39, 42, id="farm", openings=[0])
    inside = us("sov_rifles", (36, 39), men=3, building="farm")
    for at, open_to in (((36, 30), True), ((45, 39), False)):
        battle = place(inside, enemy("ger_2lt", at), terrain=[farm])
        assert fubar.sees_enemy(battle, battle.unit("a1")) is open_to
        bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
        assert (bar is None) is open_to


@rule("bolt_action", "21.2", "8.1", "9.10")
def test_the_assaulters_move_counts_and_not_that_of_the_target() -> None:
    """Men in a marsh have six inches; men in the open, whom they would meet, have twelve."""
    marsh = piece("marsh", (20, 36), (50, 36), (50, 46), (20, 46))
    battle = place(us("sov_rifles", (36, 38), men=1), enemy("ger_infantry", (36, 28), men=1), terrain=[marsh])
    ours, theirs = battle.unit("a1"), battle.unit("g1")
    assert not charge.can_reach(battle, ours, theirs)
    assert charge.out_of_reach(battle, ours, theirs) and not charge.out_of_reach(battle, theirs, ours)


@rule("bolt_action", "21.5")
def test_assaulters_look_at_whom_they_assault() -> None:
    battle = place(us("sov_rifles", models=[(30, 36)], heading=90), enemy("ger_2lt", (36, 36)))
    assert run(charge.charge(battle, battle.unit("a1"), battle.unit("g1"))) == "contact"
    assert battle.unit("a1").models[0].heading == 90
    battle = place(us("sov_rifles", models=[(36, 40)], heading=90), enemy("ger_2lt", (36, 34)))
    run(charge.charge(battle, battle.unit("a1"), battle.unit("g1")))
    assert battle.unit("a1").models[0].heading == 0


@rule("bolt_action", "16.10", "12.3")
def test_what_the_firer_can_still_reach_counts_after_the_target_has_moved_off() -> None:
    """A car escapes out of the range of the firer's bazooka, whose own gun would still reach back."""
    battle = place(us("us_bazooka", (36, 44)), enemy("ger_puma", (36, 21), heading=0, die=""), cup={A: 1, G: 1})
    loads = declaring.plans(battle, battle.unit("a1"), battle.unit("g1"), False)[""].firers
    assert volley.prepare(battle, battle.unit("a1"), battle.unit("g1"), loads, False, "").pools
    battle.unit("g1").models[0].y = 1500
    battle.invalidate()
    assert not volley.prepare(battle, battle.unit("a1"), battle.unit("g1"), loads, False, "").pools
