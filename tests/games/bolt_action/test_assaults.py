"""Assaults: who may be assaulted (21.2, 22.1), who shoots at assaulters (21.3, 21.4), and how they close in (21.5)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.games.bolt_action import charge, close_quarters, formation
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Assaults, Contact, Shoots
from grognard.games.bolt_action.move_events import FellShort, LeftBuilding, Moved
from tests.games.bolt_action.fire_play import enemy, us
from tests.games.bolt_action.play import answer, box, field, happened, keys, piece, play, run

rule = pytest.mark.rule


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def why(battle: BoltBattle) -> str:
    """The rule that keeps a1 from assaulting g1, "" if nothing does."""
    found = close_quarters.bar(battle, battle.unit("a1"), battle.unit("g1"))
    return found.rule if found is not None else ""


def close_in(battle: BoltBattle) -> str:
    """Let a1 charge g1: how it ends."""
    found: str = run(charge.charge(battle, battle.unit("a1"), battle.unit("g1")))
    return found


SQUAD = us("sov_rifles", (36, 40), men=4)


# ---- who may be assaulted (21.2, 22.1) -----------------------------------------------------------------------


@rule("bolt_action", "21.2", "22.1")
@pytest.mark.parametrize("kind", ["ger_infantry", "ger_mmg", "ger_pak36"])
@pytest.mark.parametrize("die", ["", "run", "advance", "fire", "ambush", "down"])
def test_infantry_and_guns_are_assaulted_whatever_their_die_shows(kind: str, die: str) -> None:
    assert why(place(SQUAD, enemy(kind, (36, 34), die=die))) == ""


@rule("bolt_action", "22.1", "22.9")
@pytest.mark.parametrize(
    ("more", "barred"),
    [
        ({"die": "run"}, "22.1"),
        ({"die": "run", "immobilised": True}, ""),
        ({"die": "advance"}, ""),
        ({"die": "down"}, ""),
        ({"die": ""}, ""),
    ],
)
def test_a_vehicle_is_not_assaulted_while_it_runs(more: dict[str, Any], barred: str) -> None:
    assert why(place(SQUAD, enemy("ger_truck", (36, 32), **more))) == barred


@rule("bolt_action", "21.2", "2.3")
def test_men_who_have_run_are_assaulted_in_play() -> None:
    """They ran up to the squad, and now its own Run goes into them."""
    session = play(
        us("sov_rifles", (36, 33), men=5, die=""),
        enemy("ger_infantry", (36, 28), men=2, die="run"),
        sides=["american", "german"],
        drawn="american",
        dice=(5, 5, 1, 1, 1, 3, 3, 3),
    )
    answer(session, "unit a1", "run")
    assert "assault g1" in keys(session)
    answer(session, "assault g1")
    assert [event.target for event in happened(session, Contact)] == ["g1"]


@rule("bolt_action", "21.2")
@pytest.mark.parametrize(
    "target",
    [
        enemy("ger_infantry", (36, 34), side="american"),
        enemy("ger_infantry", None, status="reserve"),
        enemy("ger_infantry", None, status="lost"),
    ],
)
def test_only_enemies_on_the_table_are_assaulted(target: dict[str, Any]) -> None:
    other = enemy("ger_2lt", (5, 5), "g9")
    assert why(place(SQUAD, target, other)) == "21.2"


@rule("bolt_action", "21.2", "24.3")
def test_nobody_assaults_out_of_a_vehicle_or_from_the_reserve() -> None:
    rider = us("sov_rifles", (36, 40), men=4, status="aboard", aboard="t1")
    assert why(place(us("us_truck", (36, 40), "t1"), rider, enemy("ger_infantry", (36, 34)))) == "24.3"
    reserve = us("sov_rifles", None, men=4, status="reserve")
    assert why(place(us("us_truck", (36, 40), "t1"), reserve, enemy("ger_infantry", (36, 34)))) == "21.2"


@rule("bolt_action", "21.2", "8.1")
@pytest.mark.parametrize(("away", "barred"), [(12, ""), (12.1, "21.2")])
def test_an_assault_is_declared_at_twelve_inches_and_no_more(away: float, barred: str) -> None:
    """From edge to edge: both bases are half an inch wide."""
    man, foe = us("sov_rifles", (36, 40), men=1), enemy("ger_infantry", (36, 40 - 1 - away), men=1)
    assert why(place(man, foe)) == barred


# ---- reaction fire (21.3, 21.4) ------------------------------------------------------------------------------


@rule("bolt_action", "21.3", "21.4")
@pytest.mark.parametrize(("away", "barred"), [(6, "21.4"), (6.1, "")])
def test_assaulters_are_shot_at_from_just_over_six_inches(away: float, barred: str) -> None:
    battle = place(us("sov_rifles", (36, 40), men=1), enemy("ger_infantry", (36, 40 - 1 - away), men=1))
    found = close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1"))
    assert (found.rule if found is not None else "") == barred


@rule("bolt_action", "21.3")
def test_the_nearest_assaulter_tells_whether_the_target_may_shoot() -> None:
    """One man starts near enough, the others do not."""
    near = us("sov_rifles", models=[(36, 34), (36, 35.5), (36, 37)])
    battle = place(near, enemy("ger_infantry", (36, 28), men=3))
    bar = close_quarters.bar_reaction_fire(battle, battle.unit("a1"), battle.unit("g1"))
    assert bar is not None and bar.rule == "21.4"


@rule("bolt_action", "21.3", "2.8")
def test_the_owner_of_the_target_may_hold_its_fire() -> None:
    battle = place(us("sov_rifles", (36, 38), men=3), enemy("ger_infantry", (36, 28), men=1), dice=(5, 1, 1, 1))
    fighting = close_quarters.assault(battle, battle.unit("a1"), battle.unit("g1"))
    ask = next(fighting)
    assert (ask.side, ask.rule, [option.key for option in ask.options][-1]) == ("german", "21.3", "hold")
    assert [(event.side, event.unit, event.target) for event in happened(battle, Assaults)] == [
        ("american", "a1", "g1")
    ]
    ask = fighting.send("hold")
    assert not happened(battle, Shoots)
    assert ask.side == "american" and "regroup" in ask.prompt.lower()


# ---- closing in (21.5, 21.8) ---------------------------------------------------------------------------------


@rule("bolt_action", "21.5")
def test_the_nearest_man_goes_straight_in_and_the_others_come_as_close_as_they_can() -> None:
    """One defender in the open has room for all four about him."""
    battle = place(us("sov_rifles", (36, 40), men=4), enemy("ger_infantry", (36, 32), men=1))
    away = battle.gap(battle.unit("a1"), battle.unit("g1"))
    assert close_in(battle) == "contact"
    foe = battle.bodies(battle.unit("g1"))[0]
    assert all(bodies.gap(body, foe) <= 3 for body in battle.bodies(battle.unit("a1")))
    ways = [((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 for _, x0, y0, x1, y1, _ in happened(battle, Moved)[0].models]
    assert min(ways) == pytest.approx(away, abs=3), "no farther than he stood from him"


@rule("bolt_action", "21.5", "9.10")
def test_men_who_cannot_keep_up_go_all_their_way_toward_the_one_in_contact() -> None:
    """One man starts in the open and runs ten inches; the others come out of a marsh and have six."""
    marsh = piece("marsh", (24, 38.7), (48, 38.7), (48, 46), (24, 46))
    men = us("sov_rifles", models=[(36, 38), (36, 39.5), (36, 40.9)])
    battle = place(men, enemy("ger_2lt", (36, 28)), terrain=[marsh])
    assert close_in(battle) == "contact"
    first, second, third = battle.unit("a1").models
    assert (first.x, first.y / 100) == (3600, pytest.approx(29, abs=0.03))
    assert (second.x, second.y / 100) == (3600, pytest.approx(39.5 - 6, abs=0.06))
    body, before = battle.body(battle.unit("a1"), second), battle.body(battle.unit("a1"), third)
    assert bodies.gap(body, before) <= formation.reach(battle), "the last stays in the chain of the one before him"


@rule("bolt_action", "21.5", "8.5")
def test_nobody_ends_an_assault_in_another_base() -> None:
    crowd = enemy("ger_infantry", None, models=[(34.9, 30), (36, 30), (37.1, 30), (36, 29)])
    battle = place(us("sov_rifles", (36, 38), men=8), crowd)
    assert close_in(battle) == "contact"
    ours, theirs = battle.bodies(battle.unit("a1")), battle.bodies(battle.unit("g1"))
    for number, body in enumerate(ours):
        assert not bodies.overlaps(body, [*ours[:number], *ours[number + 1 :], *theirs])
    assert not formation.broken(battle, battle.unit("a1"))


@rule("bolt_action", "21.5", "8.5")
def test_the_shortest_way_leads_round_what_cannot_be_crossed() -> None:
    """A pond lies across the straight way; round its end it is less than twelve inches."""
    pond = box("pond", 30, 33, 37, 35)
    battle = place(us("sov_rifles", (36, 38), men=1), enemy("ger_infantry", (36, 31), men=1), terrain=[pond])
    assert close_in(battle) == "contact"
    inches = float(happened(battle, Moved)[0].inches)
    assert 6.1 < inches < 8, "six inches lead straight through the water"


@rule("bolt_action", "21.8")
@pytest.mark.parametrize(
    ("terrain", "together"),
    [
        ([piece("hedge", (25, 33), (45, 33))], True),
        ([piece("hedge", (25, 33), (30, 33))], False),
        ([piece("hedge", (33, 38), (33, 29), (40, 29))], False),
        ([piece("road", (25, 33), (45, 33))], False),
        ([piece("road", (25, 33), (45, 33)), piece("hedge", (25, 31), (30, 31))], False),
        ([box("crops", 30, 32, 40, 34), piece("hedge", (40, 33), (45, 33))], False),
        ([box("rocks", 30, 32, 40, 34)], False),
        ([], False),
    ],
    ids=[
        "hedge",
        "hedge beside the way",
        "hedge about it",
        "road",
        "road, and a hedge beside",
        "crops, and a hedge",
        "rocks",
        "open",
    ],
)
def test_only_an_obstacle_on_the_way_makes_both_strike_at_once(terrain: list[Any], together: bool) -> None:
    battle = place(us("sov_rifles", (36, 36), men=1), enemy("ger_infantry", (36, 31), men=1), terrain=terrain)
    assert close_quarters.strikes_together(battle, battle.unit("a1"), battle.unit("g1")) is together


@rule("bolt_action", "21.8", "22.10")
def test_a_vehicle_behind_a_hedge_does_not_strike_at_all() -> None:
    hedge = piece("hedge", (25, 33), (45, 33))
    battle = place(us("sov_rifles", (36, 36), men=1), enemy("ger_truck", (36, 29)), terrain=[hedge])
    assert not close_quarters.strikes_together(battle, battle.unit("a1"), battle.unit("g1"))


@rule("bolt_action", "21.8", "21.2")
def test_a_wall_that_the_assault_does_not_get_to_makes_nobody_strike_at_once() -> None:
    wall = piece("stone_wall", (20, 30), (50, 30))
    battle = place(us("sov_rifles", (36, 40), men=4), enemy("ger_infantry", (36, 20)), terrain=[wall])
    assert charge.approach(battle, battle.unit("a1"), battle.unit("g1")) is None
    assert not close_quarters.strikes_together(battle, battle.unit("a1"), battle.unit("g1"))


@rule("bolt_action", "21.8")
@pytest.mark.parametrize(("first", "together"), [(31, False), (28.4, True)])
def test_only_an_obstacle_before_the_man_who_is_met_counts(first: float, together: bool) -> None:
    """One of two defenders stands behind the hedge; it matters if he is the one that the assaulters come to."""
    hedge = piece("hedge", (25, 29.5), (45, 29.5))
    foes = enemy("ger_sniper", None, models=[(36, first), (36, 27)])
    battle = place(us("sov_rifles", (36, 34), men=1), foes, terrain=[hedge])
    assert close_quarters.strikes_together(battle, battle.unit("a1"), battle.unit("g1")) is together


# ---- out of a building (21.2, 25.2) --------------------------------------------------------------------------

FARM = box("building", 33, 36, 39, 42, id="farm")


def inside(count: int = 4) -> dict[str, Any]:
    return us("sov_rifles", (36, 39), men=count, building="farm")


@rule("bolt_action", "21.2", "21.5", "25.2")
@pytest.mark.parametrize(("y", "reached"), [(33, True), (29, True), (24.6, True)])
def test_men_in_a_building_assault_out_of_the_nearest_opening(y: float, reached: bool) -> None:
    """Their twelve inches are measured from the opening that looks at the enemy."""
    battle = place(inside(), enemy("ger_2lt", (36, y)), terrain=[FARM])
    assert why(battle) == ""
    assert charge.can_reach(battle, battle.unit("a1"), battle.unit("g1")) is reached
    assert close_in(battle) == "contact"
    who = battle.unit("a1")
    assert who.building == "" and [event.piece for event in happened(battle, LeftBuilding)] == ["farm"]
    assert not formation.broken(battle, who)
    ours = battle.bodies(who)
    assert all(not bodies.overlaps(body, ours[:number]) for number, body in enumerate(ours))
    assert all(model.y < 3600 for model in who.models), "nobody is left inside the walls"


@rule("bolt_action", "21.2", "25.2")
def test_men_in_a_building_whose_door_is_on_the_other_side_stop_short() -> None:
    """The only way out looks away from the enemy, and the way round the house is too long."""
    farm = box("building", 33, 36, 39, 42, id="farm", openings=[2])
    battle = place(inside(2), enemy("ger_2lt", (36, 31), die="down"), terrain=[farm])
    who, foe = battle.unit("a1"), battle.unit("g1")
    assert not charge.can_reach(battle, who, foe)
    assert close_in(battle) == "short"
    assert happened(battle, FellShort)
    assert battle.gap(who, foe) >= 100


@rule("bolt_action", "21.5", "7.1")
def test_assaulters_close_in_as_one_on_defenders_who_are_apart() -> None:
    """A second enemy stands alone within reach: nobody leaves the others to go for him."""
    attackers = us("us_captain", None, models=[(34, 36), (36, 36), (38, 36)])
    battle = place(attackers, enemy("ger_sniper", None, models=[(33, 31), (39, 31)]))
    assert close_in(battle) == "contact"
    assert not formation.broken(battle, battle.unit("a1"))
