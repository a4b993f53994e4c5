"""The shooting procedure (12): declaring, reacting, range and arcs, and who fires what at whom."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from grognard.core.ask import Bar
from grognard.games.bolt_action import reactions
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Harmless, Hit, HoldsFire, Shoots, ShotLost
from grognard.games.bolt_action.shooting import declaring, procedure, targets
from grognard.games.bolt_action.turn_events import Pinned
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import start
from tests.games.bolt_action.fire_play import enemy, faces, fire, needs, shoot, tallies, us
from tests.games.bolt_action.play import (
    answer,
    box,
    field,
    happened,
    keys,
    look,
    piece,
    play,
    rolled,
    run,
    the_battle,
    unit,
)

rule = pytest.mark.rule
MISS = (1,) * 30


def place(*units: dict[str, Any], terrain: list[dict[str, Any]] | None = None, **head: Any) -> BoltBattle:
    return field(*units, terrain=terrain or [], sides=["american", "german"], **head)


def bar(battle: BoltBattle, target: str = "g1", moved: bool = False) -> Bar:
    found = targets.bar(battle, battle.unit("a1"), battle.unit(target), moved)
    assert found is not None
    return found


def offered(battle: BoltBattle, moved: bool = False) -> list[str]:
    return [option.key for option in declaring.options(battle, battle.unit("a1"), moved)]


@rule("bolt_action", "12.1", "2.1", "16.1")
def test_a_fire_order_goes_through_the_seven_steps() -> None:
    """Declare, the target goes Down, range, to hit, to damage, casualties, and no check for one man of ten."""
    session = play(
        us("sov_rifles", men=3, quality="regular", die=""),
        enemy("ger_infantry", (36, 30), men=9, die=""),
        sides=["american", "german"],
        drawn="american",
        dice=(4, 5, 1, 4, 3),
    )
    answer(session, "unit a1", "fire", "at g1", "down")
    assert look(session, "g1").die == "down"
    what = [event.what for event in rolled(session)]
    assert what[:1] == ["to hit"]
    answer(session, "usual")
    order = [type(event).__name__ for event in session.log]
    steps = ["Shoots", "WentDown", "Hit", "Pinned", "Losses"]
    assert [name for name in order if name in steps] == steps
    assert [event.what for event in rolled(session)][:2] == ["to hit", "damage"]
    assert len(look(session, "g1").models) == 8
    assert look(session, "g1").pins == 1


@rule("bolt_action", "12.2")
def test_the_whole_squad_shoots_at_one_unit() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (30, 28)), enemy("ger_infantry", (46, 28), "g2"), dice=MISS)
    fire(battle, "at g2")
    assert [event.target for event in happened(battle, Shoots)] == ["g2"]
    assert len(rolled(battle, "to hit")) == 1


@rule("bolt_action", "12.2", "17.6", "12.6")
def test_a_one_shot_weapon_may_choose_its_own_target() -> None:
    squad = us("ger_grenadiers", side="american")
    battle = place(squad, enemy("us_squad", (36, 30), men=5), enemy("us_m4", (46, 32), "g2"), dice=MISS)
    assert "apart" in keys_of(battle)
    bearers = [model.id for model in battle.unit("a1").models if len(model.arms) > 1]
    fire(battle, "apart", "at g2", "hold", "at g1", "fire", "fire", "fire")
    shot = {event.target: event.weapons for event in happened(battle, Shoots)}
    assert shot["g2"] == "panzerfaust"
    assert "panzerfaust" not in shot["g1"]
    # the bearer fired his panzerfaust and not his rifle: 6 rifles, not 7
    assert "6 × rifle" in shot["g1"]
    left = [model.id for model in battle.unit("a1").models if len(model.arms) > 1]
    assert len(left) == len(bearers) - 1


def keys_of(battle: BoltBattle, moved: bool = False) -> list[str]:
    """The answers to the first question of a unit that shoots."""
    ask = next(procedure.shoot(battle, battle.unit("a1"), moved=moved, reacts=reactions.target_reacts))
    return [option.key for option in ask.options]


@rule("bolt_action", "12.2", "12.6")
def test_each_weapon_of_a_vehicle_may_choose_its_own_target() -> None:
    tank = us("us_m4", at=(36, 40))
    battle = place(tank, enemy("ger_stug3", (30, 24)), enemy("ger_infantry", (42, 28), "g2"), dice=MISS)
    fire(battle, "apart", "at g1 ap", "at g2")
    assert [(event.target, event.weapons) for event in happened(battle, Shoots)] == [
        ("g1", "medium anti-tank gun"),
        ("g2", "medium machine gun"),
    ]


@rule("bolt_action", "12.6")
def test_a_vehicle_fires_everything_but_the_coaxial_gun_only_instead_of_the_main_gun() -> None:
    battle = place(us("us_m4"), enemy("ger_infantry", (36, 26)), dice=MISS)
    assert keys_of(battle) == ["at g1 ap", "at g1 he", "at g1 coaxial", "apart", "done"]
    fire(battle, "at g1 he")
    assert happened(battle, Shoots)[0].weapons == "medium anti-tank gun, high explosive, medium machine gun"
    battle = place(us("us_m4"), enemy("ger_infantry", (36, 26)), dice=MISS)
    fire(battle, "at g1 coaxial")
    assert happened(battle, Shoots)[0].weapons == "2 × medium machine gun"


@rule("bolt_action", "12.6")
def test_a_man_with_two_weapons_fires_one_of_them() -> None:
    squad = us("ger_grenadiers", side="american", men=10)
    battle = place(squad, enemy("us_squad", (36, 30), men=9), dice=MISS)
    fire(battle, "at g1 panzerfaust")
    shots = [len(each) for each in faces(battle, "to hit")]
    # two panzerfausts; of ten men one loads and two fire no rifle: 5 rifles, SMG 2, LMG 3
    assert sorted(shots) == [2, 10]


@rule("bolt_action", "12.3")
def test_range_is_measured_man_by_man_and_who_is_too_far_misses() -> None:
    firers = us("sov_rifles", models=[(36, 40), (37.2, 41), (38.4, 42)], quality="regular")
    battle = place(firers, enemy("ger_2lt", (36, 15.2), id="g1"), dice=MISS)
    fire(battle, "at g1")
    assert len(faces(battle, "to hit")[0]) == 1  # only the first is within 24 in
    assert needs(battle) == [5]  # long range, small unit


@rule("bolt_action", "12.3")
def test_who_sees_nobody_does_not_shoot() -> None:
    house = [box("building", 36.6, 30, 44, 36)]
    firers = us("sov_rifles", models=[(36, 40), (37.2, 40), (38.4, 40)], quality="regular")
    battle = place(firers, enemy("ger_2lt", (36, 26)), terrain=house, dice=MISS)
    fire(battle, "at g1")
    assert len(faces(battle, "to hit")[0]) < 3


@rule("bolt_action", "12.3", "11.1", "11.2", "12.5", "12.7")
def test_every_target_that_is_not_offered_has_a_reason() -> None:
    battle = place(us("us_squad", men=3), enemy("ger_infantry", (36, 5)))
    assert bar(battle).rule == "12.3"
    assert "away" in bar(battle).reason
    battle = place(
        us("us_squad", men=3), enemy("ger_2lt", (36, 22)), terrain=[box("building", 30, 26, 42, 32, name="Mill")]
    )
    assert bar(battle) == Bar("11.1", "it isn't in sight: Mill is in the way")
    battle = place(us("us_mmg", heading=90), enemy("ger_infantry", (36, 22)))
    assert bar(battle).rule == "12.7"
    assert offered(battle) == []
    battle = place(us("us_mortar_medium"), enemy("ger_infantry", (36, 30)))
    assert bar(battle).rule == "12.3"
    assert "least range" in bar(battle).reason
    battle = place(us("us_jeep"), enemy("ger_infantry", (36, 30)))
    assert bar(battle).rule == "17.1"
    battle = place(us("us_squad"), us("us_squad", (36, 30), "a2"), enemy("ger_2lt", (10, 10)))
    assert bar(battle, "a2").rule == "12.2"


@rule("bolt_action", "12.4")
def test_a_declaration_is_binding_when_the_target_gets_away() -> None:
    """The recce car escapes behind the house; the shot is lost, and no other target may be chosen."""
    session = play(
        us("us_57mm", die=""),
        enemy("ger_puma", (36, 20), die="", heading=90),
        enemy("ger_infantry", (20, 20), "g2"),
        terrain=[box("building", 38.5, 24, 56, 30)],
        sides=["american", "german"],
        drawn="american",
        dice=MISS,
    )
    answer(session, "unit a1", "fire", "at g1 ap", "escape")
    assert session.ask is not None
    car = look(session, "g1")
    assert car.die == "run"
    poses = [option for option in session.ask.options if option.verb == "pose"]
    away = max(poses, key=lambda option: float(option.place.split(",")[0]))
    answer(session, away.key)
    if session.ask.side == "german":
        answer(session, "done")
    assert happened(session, ShotLost)
    assert not rolled(session, "to hit")


@rule("bolt_action", "12.5")
def test_nobody_shoots_at_a_unit_that_fights_in_close_quarters() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 30)))
    battle.state.scratch.fighting = ("a9", "g1")
    assert bar(battle).rule == "12.5"
    assert offered(battle) == []


@rule("bolt_action", "12.5", "24.4", "24.6")
def test_passengers_neither_shoot_nor_are_shot_at() -> None:
    battle = place(
        us("us_m3_halftrack", id="h1"),
        us("us_squad10", at=None, aboard="h1", status="aboard"),
        enemy("ger_sdkfz251", (36, 28), "h2"),
        enemy("ger_infantry", None, aboard="h2", status="aboard"),
    )
    assert bar(battle, "h2").rule == "12.5"
    found = targets.bar(battle, battle.unit("h1"), battle.unit("g1"))
    assert found is not None
    assert found.rule == "24.4"


@rule("bolt_action", "12.7", "17.5")
@pytest.mark.parametrize(("x", "inside"), [(45, True), (46, True), (48, False)])
def test_a_fixed_weapon_covers_45_degrees_to_each_side(x: float, inside: bool) -> None:
    battle = place(us("us_mmg", models=[(36, 40), (35, 41), (37, 41)]), enemy("ger_2lt", (x, 30)))
    assert (offered(battle) == ["at g1"]) is inside


@rule("bolt_action", "12.7")
def test_any_sample_point_in_the_arc_is_enough() -> None:
    # the centre of his base is outside of 45 degrees, a point of its rim inside
    battle = place(us("us_57mm", at=(36, 40)), enemy("ger_2lt", (46.3, 30)))
    assert "at g1 ap" in offered(battle)


@rule("bolt_action", "12.7")
def test_a_turret_looks_all_round_and_a_hull_gun_to_the_front() -> None:
    tank = us("us_m4", at=(36, 40), heading=180)
    battle = place(tank, enemy("ger_infantry", (36, 26)), dice=MISS)
    fire(battle, "at g1 coaxial")
    assert happened(battle, Shoots)[0].weapons == "medium machine gun"  # the hull gun looks the other way
    assert bar(place(us("ger_stug3", heading=90, side="american"), enemy("us_m4", (36, 20)))).rule == "12.7"


@rule("bolt_action", "12.8", "2.3")
def test_a_vehicle_that_runs_does_not_shoot_and_one_that_advances_shoots_worse() -> None:
    battle = place(us("us_m4", die="run"), enemy("ger_infantry", (36, 26)))
    assert bar(battle).rule == "12.8"
    battle = shoot(us("us_m4", die="advance"), enemy("ger_infantry", (36, 26)), key="at g1 he", moved=True, dice=MISS)
    assert all("fire_on_the_move" in {line.id for line in tally.lines} for tally in tallies(battle))


@rule("bolt_action", "2.8")
def test_a_unit_may_choose_not_to_shoot() -> None:
    battle = shoot(us("us_squad"), enemy("ger_infantry", (36, 30)), key="done")
    assert happened(battle, HoldsFire)
    assert not rolled(battle)


@rule("bolt_action", "2.8", "12.6")
def test_single_weapons_of_a_squad_may_hold_their_fire() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 30), men=9), dice=MISS)
    fire(battle, "apart", "at g1", "hold", "fire", "hold")  # SMG, rifles, BAR
    assert happened(battle, Shoots)[0].weapons == "10 × rifle"


@rule("bolt_action", "17.14", "2.8")
def test_a_squad_may_hold_its_flamethrower() -> None:
    battle = place(us("ger_pioneers", side="american"), enemy("us_squad", (36, 33.4), men=9), dice=MISS)
    assert "at g1 hold flamethrower" in keys_of(battle)
    fire(battle, "at g1 hold flamethrower")
    assert "flamethrower" not in happened(battle, Shoots)[0].weapons


@rule("bolt_action", "6.5", "14.4")
def test_small_arms_do_nothing_to_an_enclosed_vehicle_but_pin_an_open_one() -> None:
    battle = shoot(us("us_squad"), enemy("ger_stug3", (36, 30)))
    assert happened(battle, Harmless)
    assert not rolled(battle)
    assert battle.unit("g1").pins == 0
    battle = shoot(us("us_squad"), enemy("ger_sdkfz251", (36, 30)), dice=(6,) * 20)
    assert battle.unit("g1").pins == 1
    assert not rolled(battle, "damage")


@rule("bolt_action", "6.1")
def test_any_number_of_hits_is_one_pin() -> None:
    battle = shoot(us("us_squad"), enemy("ger_infantry", (36, 30), men=9), dice=(6,) * 14 + (1,) * 14)
    assert [event.pins for event in happened(battle, Pinned)] == [1]
    assert happened(battle, Hit)[0].hits == 14


@rule("bolt_action", "6.6", "6.3")
def test_pins_come_before_damage_and_break_a_unit_after_casualties() -> None:
    target = enemy("ger_infantry", (36, 30), men=9, pins=8)
    battle = shoot(us("sov_rifles", men=1, quality="regular"), target, dice=(4, 1))
    assert battle.unit("g1").status == "lost"
    order = [type(event).__name__ for event in battle.log]
    assert order.index("Pinned") < len(order) - 1 - order[::-1].index("Rolled") < order.index("Destroyed")
    assert len(rolled(battle, "damage")) == 1


@rule("bolt_action", "16.1", "16.2", "12.1")
def test_the_target_reacts_after_the_declaration_and_before_the_range() -> None:
    battle = place(us("us_squad"), enemy("ger_infantry", (36, 28), men=9, die=""), cup={"german": 1}, dice=MISS)
    run(procedure.shoot(battle, battle.unit("a1"), moved=False, reacts=reactions.target_reacts), "at g1", "down")
    assert all("target_down" in {line.id for line in tally.lines} for tally in tallies(battle))


@rule("bolt_action", "4.5", "16.3")
def test_friendly_fire_asks_nobody_and_its_target_does_not_go_down() -> None:
    battle = place(us("us_squad"), us("us_squad", (36, 30), "a2", die="", men=9), enemy("ger_2lt", (36, 24)), dice=MISS)
    assert targets.may_fire_at(battle, battle.unit("a1"), "a2")
    fire(battle, at="a2", reaction="friendly")
    assert happened(battle, Shoots)[0].target == "a2"


@rule("bolt_action", "16.7", "16.8")
def test_an_ambusher_fires_what_it_has_loaded() -> None:
    gun = us("us_57mm", die="ambush", ammunition="he")
    battle = place(gun, enemy("ger_stug3", (36, 20)), dice=MISS)
    fire(battle, at="g1", reaction="ambush")
    assert "high explosive" in happened(battle, Shoots)[0].weapons
    battle = place(us("us_mortar_medium", die="ambush"), enemy("ger_infantry", (36, 16)))
    assert not targets.may_fire_at(battle, battle.unit("a1"), "g1")


@rule("bolt_action", "11.1", "16.8")
def test_an_ambusher_is_told_first_that_it_does_not_see_its_target() -> None:
    """Which shell is loaded would come to matter only after that."""
    gun, house = us("us_57mm", die="ambush", ammunition="he"), piece("building", (33, 26), (39, 26), (39, 30), (33, 30))
    for terrain, rule_told in (([house], "11.1"), ([], None)):
        battle = place(gun, enemy("ger_2lt", (36, 20)), terrain=terrain)
        bar = targets.bar(battle, battle.unit("a1"), battle.unit("g1"), reaction="ambush")
        assert (bar and bar.rule) == rule_told


@rule("bolt_action", "12.1", "12.3", "12.7", "11.1", "11.2", "25.4")
@pytest.mark.parametrize(
    ("nearer", "farther"),
    [*pairwise(["12.3", "12.7", "11.2", "25.4", "11.1", "16.8"]), ("11.1", "16.7"), ("11.1", "21.4")],
)
def test_of_several_reasons_the_one_nearest_to_a_shot_is_told(
    nearer: str, farther: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of range is nearer than out of the arc, that nearer than friends in the way, and so on."""
    battle = place(us("us_57mm"), enemy("ger_2lt", (36, 20)))
    for told in ([nearer, farther], [farther, nearer]):
        groups = [(None, [], [Bar(each, "") for each in told])]
        monkeypatch.setattr(targets, "all_modes", lambda *_, groups=groups: groups)
        assert targets._nearest_to_a_shot(battle, battle.unit("a1"), battle.unit("g1"), False, "").rule == nearer


@rule("bolt_action", "12.1")
def test_the_odds_of_a_squads_fire_are_exact() -> None:
    session = play(
        us("us_squad", die=""),
        enemy("ger_infantry", (36, 27), die=""),
        terrain=[piece("hedge", (20, 28), (52, 28))],
        sides=["american", "german"],
        drawn="american",
        seed=b"odds",
    )
    answer(session, "unit a1", "fire")
    assert keys(session, "at") == ["at g1"]
    found = session.odds("at g1")
    assert found.exact
    assert sum(outcome.probability for outcome in found.outcomes) == 1
    assert any("loses 2 men" in outcome.text for outcome in found.outcomes)
    assert {tally.what for _, tally, _ in found.tallies} >= {"To hit, 10 × rifle", "To damage, small arms"}


def test_an_unknown_target_is_far_beyond_every_weapon() -> None:
    battle = place(us("us_2lt"), enemy("ger_infantry", (36, 4)), unit("us_2lt", "a2", at=(2, 2), side="american"))
    assert offered(battle) == []
    assert not targets.has_target(battle, battle.unit("a1"))


@pytest.mark.parametrize(("scenario", "seed"), [("bridge", 0), ("oder_suburb", 1), ("gazala", 2)])
def test_what_bars_a_shot_is_what_keeps_it_off_the_list(scenario: str, seed: int) -> None:
    """Whoever may shoot is not told why not, whoever may not is; and what is listed can be fired."""
    session, player = start("bolt_action", scenario, seed), RandomPlayer(seed)
    for _ in range(120):
        if session.ask is not None:
            session.answer(player.choose(None, session.ask))
    battle = the_battle(session)
    pairs = [(one, other) for one in battle.units() for other in battle.units() if one is not other]
    allowed = 0
    for one, other in pairs:
        for moved, reaction in ((False, ""), (True, ""), (False, "ambush"), (False, "assault"), (False, "friendly")):
            may = targets.may_shoot(battle, one, other, moved, reaction)
            assert may == (targets.bar(battle, one, other, moved, reaction) is None)
            assert may <= bool(declaring.plans(battle, one, other, moved, reaction))
            allowed += may
    assert allowed, "somebody can shoot at somebody"
