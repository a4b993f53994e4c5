"""Infantry assaulting vehicles (22), tank hunters (27.7)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import armour, close_quarters, vehicle_assault
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import AssaultFails, Contact, Damaged, Penetration, Shoots, VehicleAssaulted
from tests.games.bolt_action.fire_play import enemy, faces, fire, tallies, us
from tests.games.bolt_action.play import answer, field, happened, keys, lines, look, play, rolled, run

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def squad(count: int, y: float = 34, kind: str = "sov_rifles", **more: Any) -> dict[str, Any]:
    return us(kind, (30, y), models=[(30 + 1.2 * n, y) for n in range(count)], **more)


def fight(*dice: int, men: int = 3, kind: str = "ger_panzer4", by: str = "sov_rifles", **more: Any) -> BoltBattle:
    """Men who have reached a vehicle fight it."""
    battle = place(squad(men, kind=by), enemy(kind, (33, 28), **more), dice=dice)
    run(vehicle_assault.fight(battle, battle.unit("a1"), battle.unit("g1")))
    return battle


def assault(battle: BoltBattle, *answers: str, tested: bool = False) -> BoltBattle:
    generator = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"), tested=tested)
    given = list(answers)
    try:
        ask = next(generator)
        while True:
            known = [option.key for option in ask.options]
            key = given.pop(0) if given else next(k for k in ("usual", "stay", "hold", known[0]) if k in known)
            ask.option(key)
            ask = generator.send(key)
    except StopIteration:
        assert not given
    return battle


@rule("bolt_action", "22.1", "22.5", "22.9")
def test_a_running_vehicle_cannot_be_assaulted_unless_it_was_halted() -> None:
    battle = place(squad(3), enemy("ger_panzer4", (31, 28), die="run"))
    bar = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None
    assert bar.rule == "22.1"
    battle = place(squad(3), enemy("ger_panzer4", (31, 28), die="run", immobilised=True))
    assert close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1")) is None


@rule("bolt_action", "22.2", "22.10")
def test_without_anti_tank_weapons_damage_is_only_superficial() -> None:
    battle = fight(*(4,) * 8, 6, 1, men=8)  # 8 hits and a 6: 14 against 9
    assert happened(battle, Penetration)[0].grade == "superficial"


@rule("bolt_action", "22.3")
@pytest.mark.parametrize(("roll", "dares"), [((3, 3), True), ((4, 3), False)])
def test_men_without_them_need_a_test_at_minus_three(roll: tuple[int, int], dares: bool) -> None:
    """Regulars, no pins: 9 less 3."""
    battle = place(squad(3, quality="regular", die="run"), enemy("ger_panzer4", (31, 28)), dice=(*roll, 1, 1, 1, 1))
    assault(battle)
    tally = tallies(battle, "order test")[0]
    assert lines(tally)["without_at"] == -3
    assert bool(happened(battle, Contact)) is dares
    if not dares:
        assert battle.unit("a1").die == "down"


@rule("bolt_action", "22.3")
def test_the_test_comes_with_the_order_pinned_or_not() -> None:
    session = play(
        squad(3, quality="regular", die=""),
        enemy("ger_panzer4", (31, 28)),
        sides=["american", "german"],
        drawn="american",
        dice=(4, 3),
    )
    answer(session, "unit a1", "run")
    assert "assault g1" in keys(session)
    answer(session, "assault g1")
    assert len(rolled(session, "order test")) == 1
    assert look(session, "a1").die == "down"


@rule("bolt_action", "22.3", "22.2")
def test_open_topped_and_soft_vehicles_need_no_test() -> None:
    battle = place(squad(3, die="run"), enemy("ger_sdkfz251", (31, 28)))
    assert not vehicle_assault.needs_test(battle, battle.unit("a1"), battle.unit("g1"))


@rule("bolt_action", "22.4", "22.12")
def test_a_vehicle_shoots_at_men_who_start_far_away_with_what_bears() -> None:
    tank = enemy("ger_panzer4", (31, 26), heading=0, die="advance")
    battle = place(squad(3, 38, kind="us_rangers"), tank, dice=(1,) * 40)
    generator = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    ask = next(generator)
    assert (ask.side, ask.reaction) == ("german", "reaction fire")
    generator.send("at a1 coaxial")
    assert happened(battle, Shoots)[0].weapons == "medium machine gun"  # the hull gun looks away
    assert battle.unit("g1").die == "advance"
    for more, place_of in (({"die": "down"}, 38.0), ({"die": "fire"}, 33.0)):
        battle = place(squad(3, place_of, kind="us_rangers"), enemy("ger_panzer4", (31, 26), **more))
        assert close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1")) is not None


@rule("bolt_action", "22.4", "16.9")
def test_a_recce_vehicle_may_escape_instead() -> None:
    session = play(
        squad(3, 36, kind="us_rangers", die=""),
        enemy("ger_puma", (31, 26), die="", heading=0),
        sides=["american", "german"],
        drawn="american",
        dice=(1,) * 20,
    )
    answer(session, "unit a1", "run", "assault g1")
    assert session.ask is not None
    assert (session.ask.side, session.ask.reaction) == ("german", "escape")


@rule("bolt_action", "16.9", "22.1")
@pytest.mark.parametrize(("words", "fought"), [(("pose 31 25 0 drive", "done"), False), (("stay",), True)])
def test_who_has_made_off_is_not_fought_and_who_stayed_after_all_is(words: tuple[str, ...], fought: bool) -> None:
    session = play(
        squad(3, 36, kind="us_rangers", die=""),
        enemy("ger_puma", (31, 26), die="", heading=0),
        sides=["american", "german"],
        drawn="american",
        dice=(1,) * 40,
    )
    answer(session, "unit a1", "run", "assault g1", "escape", *words)
    while session.ask is not None and session.ask.rule != "1.3":
        answer(session, session.ask.options[-1].key)
    assert bool(happened(session, AssaultFails)) == (not fought)
    assert bool(happened(session, VehicleAssaulted)) == fought


@rule("bolt_action", "22.5", "22.9")
@pytest.mark.parametrize(
    ("die", "immobilised", "needed"),
    [
        ("advance", False, 6),
        ("", False, 4),
        ("fire", False, 4),
        ("down", False, 4),
        ("ambush", False, 4),
        ("advance", True, 4),
    ],
)
def test_what_assaulters_need_to_hit_a_vehicle(die: str, immobilised: bool, needed: int) -> None:
    battle = fight(1, 1, 1, die=die, immobilised=immobilised)
    assert tallies(battle, "assault on a vehicle")[0].total == needed


@rule("bolt_action", "22.6")
def test_the_hits_are_added_to_one_die() -> None:
    """3 hits and a 5 is 8: equal to a light tank's 8."""
    battle = fight(4, 5, 6, 5, 1, kind="ger_panzer2", by="us_rangers")
    added = tallies(battle, "damage")[0]
    assert lines(added) == {"hits": 3}
    assert len(rolled(battle, "damage")) == 1
    assert happened(battle, Penetration)[0].grade == "superficial"


@rule("bolt_action", "22.7")
@pytest.mark.parametrize(("kind", "value"), [("ger_truck", 6), ("ger_sdkfz251", 7)])
def test_a_soft_or_open_vehicle_is_destroyed_if_damaged(kind: str, value: int) -> None:
    battle = fight(4, 4, 4, value - 3, kind=kind)
    assert battle.unit("g1").status == "lost"
    battle = fight(4, 4, 4, value - 4, kind=kind)
    assert battle.alive(battle.unit("g1"))


@rule("bolt_action", "22.7", "22.10")
def test_an_enclosed_vehicle_rolls_on_the_table() -> None:
    battle = fight(4, 4, 4, 6, 2, men=3, by="us_rangers", kind="ger_panzer2")  # 9 against 8: full damage
    assert happened(battle, Penetration)[0].grade == "full"
    assert happened(battle, Damaged)[0].result == armour.IMMOBILISED


@rule("bolt_action", "22.8", "21.10", "21.6")
def test_an_assault_that_leaves_the_vehicle_in_play_is_over_and_the_men_regroup() -> None:
    battle = place(squad(3, 33, kind="us_rangers"), enemy("ger_panzer4", (31, 27), pins=2), dice=(1, 1, 1, 5))
    assault(battle)
    assert battle.alive(battle.unit("g1"))
    assert battle.unit("g1").pins == 0
    assert len(happened(battle, VehicleAssaulted)) == 1
    assert rolled(battle, "regroup")
    assert battle.gap(battle.unit("a1"), battle.unit("g1")) >= 99


@rule("bolt_action", "22.9")
def test_no_hits_no_damage_roll_and_no_facing() -> None:
    battle = fight(1, 2, 3)
    assert not rolled(battle, "damage")
    for heading in (0, 90, 180):
        battle = fight(4, 4, 4, 1, heading=heading)
        assert lines(tallies(battle, "damage")[0]) == {"hits": 3}


@rule("bolt_action", "22.10")
def test_assault_weapons_give_no_extra_rolls_and_vehicles_do_not_strike_back() -> None:
    battle = fight(1, 1, 1, by="sov_smg_squad")
    assert len(faces(battle, "assault on a vehicle")[0]) == 3
    assert len(battle.unit("a1").models) == 3
    assert [event.what for event in rolled(battle)] == ["assault on a vehicle"]


@rule("bolt_action", "22.11", "27.7")
@pytest.mark.parametrize(
    ("kind", "armed"),
    [
        ("us_rangers", True),
        ("ger_grenadiers", True),
        ("us_bazooka", True),
        ("gb_piat", True),
        ("ger_panzerschreck", True),
        ("ger_pioneers", True),
        ("us_squad", False),
        ("sov_at_rifle", False),
    ],
)
def test_what_counts_as_anti_tank_weapons(kind: str, armed: bool) -> None:
    battle = place(us(kind), enemy("ger_panzer4", (31, 20)))
    assert vehicle_assault.has_anti_tank(battle, battle.unit("a1")) is armed
    assert vehicle_assault.needs_test(battle, battle.unit("a1"), battle.unit("g1")) is not armed


@rule("bolt_action", "22.11")
def test_panzerfausts_that_were_fired_do_not_count() -> None:
    battle = place(us("ger_grenadiers", (36, 30), side="american"), enemy("us_m4", (36, 22)), dice=(1,) * 9)
    assert vehicle_assault.has_anti_tank(battle, battle.unit("a1"))
    fire(battle, "at g1 panzerfaust")
    assert not vehicle_assault.has_anti_tank(battle, battle.unit("a1"))
    assert vehicle_assault.needs_test(battle, battle.unit("a1"), battle.unit("g1"))


@rule("bolt_action", "27.7", "22.3")
def test_tank_hunters_need_no_test() -> None:
    battle = place(squad(3, 33, kind="us_rangers"), enemy("ger_panzer4", (31, 27)), dice=(1, 1, 1, 5))
    assault(battle)
    assert not rolled(battle, "order test")
