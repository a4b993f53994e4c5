"""Riding: what a vehicle takes (24.1), when one gets in (24.2) and out (24.3), and who is thrown out (24.5)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.games.bolt_action import advance_and_run, bailing_out, morale, transports
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Losses
from grognard.games.bolt_action.move_events import Boarded, Spilled
from grognard.games.bolt_action.turn_events import Destroyed
from tests.games.bolt_action.play import answer, box, field, happened, keys, look, play, rolled, run, the_state, unit

rule = pytest.mark.rule

FOE = unit("ger_2lt", "g1", at=(5, 5))
TRUCK = unit("us_truck", "t1", at=(30, 24))


def why(battle: BoltBattle, id: str = "a1", order: str = "advance") -> str:
    """The rule that keeps a unit from boarding t1 with an order, "" if nothing does."""
    found = transports.bar_board(battle, battle.unit(id), battle.unit("t1"), order)
    return found.rule if found is not None else ""


@rule("bolt_action", "24.1", "9.7")
@pytest.mark.parametrize(
    ("kind", "more", "barred"),
    [
        ("us_squad10", {}, ""),
        ("us_squad", {}, ""),
        ("us_57mm", {}, ""),
        ("us_57mm", {"dug_in": True}, "9.7"),
        ("us_3in", {}, "24.1"),
        ("us_jeep", {}, "24.1"),
        ("ger_infantry", {"side": "german"}, "24.1"),
    ],
)
def test_who_rides_in_a_truck(kind: str, more: dict[str, Any], barred: str) -> None:
    battle = field(TRUCK, unit(kind, "a1", at=(30, 30), **more), FOE)
    found = transports.bar_aboard(battle, battle.unit("a1"), battle.unit("t1"))
    assert (found.rule if found is not None else "") == barred


@rule("bolt_action", "24.1")
def test_what_carries_nobody_is_no_transport() -> None:
    battle = field(unit("us_m4", "t1", at=(30, 24)), unit("us_2lt", "a1", at=(30, 29)), FOE)
    assert why(battle) == "24.1"


@rule("bolt_action", "24.1")
@pytest.mark.parametrize(("riders", "barred"), [(2, ""), (3, "24.1")])
def test_a_jeep_is_full_with_three_men(riders: int, barred: str) -> None:
    aboard = unit("us_captain", "a2", aboard="t1", men=riders)
    battle = field(unit("us_jeep", "t1", at=(30, 24)), unit("us_2lt", "a1", at=(30, 28)), aboard, FOE)
    assert why(battle) == barred


@rule("bolt_action", "24.2")
@pytest.mark.parametrize(
    ("status", "moving", "barred"), [("", False, ""), ("", True, "24.2"), ("reserve", False, "24.2")]
)
def test_one_boards_what_stands_on_the_table_and_has_not_moved(status: str, moving: bool, barred: str) -> None:
    battle = field(unit("us_truck", "t1", at=(30, 24), moving=moving), unit("us_2lt", "a1", at=(30, 29)), FOE)
    battle.unit("t1").status = status or "table"
    battle.invalidate()
    assert why(battle) == barred


@rule("bolt_action", "24.2", "8.1")
@pytest.mark.parametrize(("away", "barred"), [(6.97, ""), (7.1, "24.2")])
def test_every_man_must_end_within_an_inch_of_the_vehicle(away: float, barred: str) -> None:
    """Six inches and the one that is left, from the side of the truck; the last of the three is the farthest."""
    at = 30 + 0.85 + 0.5 + away
    men = unit("us_captain", "a1", models=[(at - 2.2, 24), (at - 1.1, 24), (at, 24)])
    assert why(field(TRUCK, men, FOE)) == barred


@rule("bolt_action", "24.2", "16.4", "1.6")
def test_a_vehicle_destroyed_on_the_way_to_it_is_not_boarded() -> None:
    """An ambush does not stop the men, but there is nothing left for them to board."""
    watch = unit("ger_mmg", "g2", at=(50, 24), heading=270, die="ambush")
    battle = field(TRUCK, unit("us_2lt", "a1", at=(30, 31), die="advance"), watch)
    boarding = transports.board(battle, battle.unit("a1"), battle.unit("t1"), "advance")
    ask = next(boarding)
    assert (ask.side, ask.rule) == ("german", "16.4")
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "is destroyed")
    with pytest.raises(StopIteration):
        while True:
            boarding.send("hold")
    who = battle.unit("a1")
    assert (who.status, who.aboard) == ("table", "") and not happened(battle, Boarded)
    assert who.models[0].y < 3100, "they went all the same"


@rule("bolt_action", "24.2", "16.4")
def test_who_is_destroyed_on_the_way_boards_nothing() -> None:
    watch = unit("ger_mmg", "g2", at=(50, 24), heading=270, die="ambush")
    battle = field(TRUCK, unit("us_2lt", "a1", at=(30, 31), die="advance"), watch)
    boarding = transports.board(battle, battle.unit("a1"), battle.unit("t1"), "advance")
    next(boarding)
    morale.destroy(battle, battle.unit("a1"), ("20.6",), "is destroyed")
    with pytest.raises(StopIteration):
        boarding.send("hold")
    assert (battle.unit("a1").status, battle.unit("a1").aboard) == ("lost", "") and not happened(battle, Boarded)


@rule("bolt_action", "24.3")
def test_nobody_gets_out_of_a_vehicle_that_waits_in_reserve() -> None:
    battle = field(unit("us_truck", "t1", status="reserve"), unit("us_2lt", "a1", aboard="t1"), FOE)
    bar = advance_and_run.can_move(battle, battle.unit("a1"), "advance")
    assert bar is not None and bar.rule == "24.3"


# ---- thrown out (24.5) ---------------------------------------------------------------------------------------


def wrecked(*units: dict[str, Any], answers: tuple[str, ...] = (), **head: Any) -> BoltBattle:
    """The end of t1 and what follows for its riders."""
    battle = field(*units, FOE, cup={"american": 4, "german": 1}, **head)
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "is destroyed")
    run(bailing_out.aftermath(battle), *answers)
    return battle


#: Houses all round a half-track, whose wreck stays where it is.
CLOSE = [
    box("building", 22, 14, 29.15, 34),
    box("building", 30.85, 14, 38, 34),
    box("building", 29.15, 14, 30.85, 21.8),
    box("building", 29.15, 26.2, 30.85, 34),
]


@rule("bolt_action", "24.5", "28.4")
def test_riders_who_find_no_room_at_all_are_lost() -> None:
    battle = wrecked(
        unit("us_m3_halftrack", "t1", at=(30, 24)), unit("us_squad10", "a1", aboard="t1"), terrain=CLOSE, dice=[1] * 9
    )
    squad = battle.unit("a1")
    assert (squad.status, squad.models, squad.aboard) == ("lost", [], "")
    assert [(event.unit, event.rules) for event in happened(battle, Destroyed)][-1] == ("a1", ("24.5",))
    assert [event.hits for event in happened(battle, Spilled)] == [1], "the hits come first"
    assert battle.state.lost["american"] == ["t1", "a1"]


@rule("bolt_action", "24.5")
def test_a_gun_that_finds_no_room_is_lost_with_its_crew() -> None:
    battle = wrecked(
        unit("us_m3_halftrack", "t1", at=(30, 24)), unit("us_57mm", "a1", aboard="t1"), terrain=CLOSE, dice=[1] * 9
    )
    assert battle.unit("a1").status == "lost" and not happened(battle, Losses)


@rule("bolt_action", "24.5")
def test_each_unit_aboard_has_its_own_hits_pin_and_down() -> None:
    riders = [unit("us_1lt", "a1", aboard="t1"), unit("us_mmg", "a2", aboard="t1")]
    # two hits on the officers that fail, one on the team
    battle = wrecked(TRUCK, *riders, dice=[2, 1, 1, 1, 1])
    assert [(event.unit, event.hits) for event in happened(battle, Spilled)] == [("a1", 2), ("a2", 1)]
    for id in ("a1", "a2"):
        who = battle.unit(id)
        assert (who.status, who.aboard, who.pins, who.die) == ("table", "", 1, "down")


@rule("bolt_action", "24.5", "14.1", "15.1")
def test_the_hits_on_riders_damage_as_small_arms_do() -> None:
    """Regulars fall on a 4 or more; no penetration is added."""
    battle = wrecked(TRUCK, unit("us_squad10", "a1", aboard="t1"), answers=("usual",), dice=[4, 4, 3, 4, 3])
    squad = battle.unit("a1")
    losses = happened(battle, Losses)
    assert [event.men for event in losses] == [2] and len(squad.models) == 8
    assert [event.side for event in rolled(battle, "damage")] == ["german"], "as if the enemy had hit them"


@rule("bolt_action", "24.5", "6.3", "5.2")
@pytest.mark.parametrize(("pins", "status", "after"), [(7, "table", 8), (8, "lost", 0)])
def test_the_pin_of_being_thrown_out_may_be_the_last(pins: int, status: str, after: int) -> None:
    """Regulars give up with nine pins."""
    battle = wrecked(TRUCK, unit("us_2lt", "a1", aboard="t1", pins=pins), dice=[1] * 9)
    assert (battle.unit("a1").status, battle.unit("a1").pins) == (status, after)


@rule("bolt_action", "24.2", "2.2")
def test_boarding_is_offered_and_ends_the_order() -> None:
    session = play(TRUCK, unit("us_2lt", "a1", at=(30, 30)), FOE, drawn="american", seed=b"riding")
    answer(session, "unit a1", "run")
    assert keys(session, "board") == ["board t1"]
    answer(session, "board t1")
    (event,) = happened(session, Boarded)
    assert (event.side, event.unit, event.vehicle) == ("american", "a1", "t1")
    rider = look(session, "a1")
    assert rider.moving and rider.moved == the_state(session).turn, "it has moved, whatever it rides in"


#: A yard in which five men find room when their truck is gone.
YARD = [
    box("building", 22, 14, 29.05, 34),
    box("building", 30.95, 14, 38, 34),
    box("building", 29.05, 14, 30.95, 21.7),
    box("building", 29.05, 26.3, 30.95, 34),
]


@rule("bolt_action", "24.5", "8.5")
def test_men_thrown_out_into_a_yard_stand_in_no_wall_and_in_nobody() -> None:
    """Room for a few of ten: each of them stands on open ground, in the place of the truck."""
    battle = wrecked(TRUCK, unit("us_squad10", "a1", aboard="t1"), terrain=YARD, dice=[1] * 9)
    squad = battle.unit("a1")
    men = battle.bodies(squad)
    assert 2 <= len(men) < 10
    assert all(2905 + 49 <= man.x <= 3095 - 49 and 2170 + 49 <= man.y <= 2630 - 49 for man in men)
    assert all(not bodies.overlaps(man, men[:number]) for number, man in enumerate(men))


@rule("bolt_action", "24.5", "8.5")
@pytest.mark.parametrize("heading", [0, 90])
def test_men_thrown_out_use_a_yard_up_to_its_walls(heading: int) -> None:
    """Five of ten find room in a yard two men wide, along or across the table: only if some stand at its far wall."""
    turned = [
        box("building", 22, 14, 38, 23.05),
        box("building", 22, 24.95, 38, 34),
        box("building", 22, 23.05, 27.7, 24.95),
        box("building", 32.3, 23.05, 38, 24.95),
    ]
    truck = unit("us_truck", "t1", at=(30, 24), heading=heading)
    squad = unit("us_squad10", "a1", aboard="t1")
    battle = wrecked(truck, squad, terrain=turned if heading else YARD, dice=[1] * 9)
    across = [model.y if heading else model.x for model in battle.unit("a1").models]
    middle = 2400 if heading else 3000
    assert len(across) == 5 and (min(across), max(across)) == (middle - 45, middle + 45)


@rule("bolt_action", "24.5", "15.7")
def test_who_takes_over_from_a_loader_that_finds_no_room() -> None:
    men = unit("sov_lmg_squad", "a1", aboard="t1", side="american")
    battle = field(TRUCK, men, FOE, cup={"american": 4, "german": 1}, terrain=YARD, dice=[1] * 9)
    squad = battle.unit("a1")
    squad.models = squad.models[4:]  # the last two are the gunner and his loader
    morale.destroy(battle, battle.unit("t1"), ("20.6",), "is destroyed")
    run(bailing_out.aftermath(battle), "loader a1.m8")
    assert [(event.men, event.models) for event in happened(battle, Losses)] == [(1, ("m10",))]
    assert {model.id: model.role for model in squad.models if model.role != "man"} == {"m8": "loader", "m9": "gunner"}
