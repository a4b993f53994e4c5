"""The opponent on its way off the table: stops out of the enemy's fire, who bars the way, and when to go."""

from __future__ import annotations

import numpy as np

from grognard.games.bolt_action.tactics.leaving import leaves
from grognard.games.bolt_action.tactics.outlook import BoltOutlook, pace_of
from grognard.kits.table.tactics.way_out import strides
from tests.games.bolt_action.play import answer, box, field, piece, play, unit
from tests.games.bolt_action.test_tactics import best

EXIT = {"exit": [{"side": "german", "edge": "right", "points": 2}], "otherwise": "american"}
ROAD = piece("road", (0, 24), (72, 24))


def moves_to_leave(outlook: BoltOutlook, id: str) -> np.ndarray:
    """How many moves every point is from the right edge, for a unit."""
    ways = strides(outlook.chart, pace_of(outlook.battle.type(outlook.battle.unit(id))), "right")
    found = np.where(ways.off, 1.0, np.inf)
    for _ in range(8):
        found = np.minimum(found, np.minimum.reduceat(found[ways.to], ways.first) + 1)
    return found


# ---- ways ------------------------------------------------------------------------------------------------------


def test_a_road_leads_out_in_half_the_moves() -> None:
    lorry = unit("ger_truck", "g1", at=(10, 24), heading=90)
    plain = BoltOutlook(field(lorry, victory=EXIT), "german")
    road = BoltOutlook(field(lorry, terrain=[ROAD], victory=EXIT), "german")
    here = plain.here(plain.battle.unit("g1"))
    assert moves_to_leave(plain, "g1")[here] == 3 and moves_to_leave(road, "g1")[here] == 2


def test_no_way_leads_through_a_wall_of_buildings() -> None:
    outlook = BoltOutlook(
        field(
            unit("ger_truck", "g1", at=(10, 24), heading=90),
            terrain=[box("building", 30, 0, 36, 46)],
            victory=EXIT,
        ),
        "german",
    )
    moves = moves_to_leave(outlook, "g1")
    assert moves[outlook.chart.nearest(4500, 2400)] == 2
    assert moves[outlook.chart.nearest(2000, 2400)] > 3


def test_a_tank_that_runs_does_not_turn_to_leave() -> None:
    for heading, out in ((90, True), (0, False)):
        battle = field(unit("ger_panzer4", "g1", at=(60, 24), heading=heading), victory=EXIT)
        assert leaves(BoltOutlook(battle, "german"), battle.unit("g1"), "right", "run") is out


def test_a_lorry_turns_and_leaves_with_one_run() -> None:
    battle = field(unit("ger_truck", "g1", at=(55, 24), heading=0), victory=EXIT)
    outlook, lorry = BoltOutlook(battle, "german"), battle.unit("g1")
    assert leaves(outlook, lorry, "right", "run") and not leaves(outlook, lorry, "right", "advance")


# ---- stops -----------------------------------------------------------------------------------------------------


def test_a_stop_behind_a_house_is_worth_more_than_one_before_the_gun() -> None:
    battle = field(
        unit("ger_truck", "g1", at=(12, 24), heading=90),
        unit("us_57mm", "a1", at=(62, 24), heading=270),
        terrain=[box("building", 34, 18, 40, 30)],
        victory=EXIT,
        seed=b"1",
    )
    outlook, lorry = BoltOutlook(battle, "german"), battle.unit("g1")
    places, chart = outlook.places(lorry), outlook.chart
    assert places[chart.nearest(3100, 2500)] > places[chart.nearest(3100, 3900)]


def test_the_way_out_is_worth_less_the_fewer_moves_are_left() -> None:
    battle = field(unit("ger_truck", "g1", at=(12, 24), heading=90), victory=EXIT)
    outlook, lorry = BoltOutlook(battle, "german"), battle.unit("g1")
    goal = outlook.goal(lorry)
    assert goal is not None and goal.exit == "right"
    here = outlook.here(lorry)
    worths = [float(outlook.way_out(lorry, goal, moves)[here]) for moves in (1, 2, 3, 5)]
    assert worths[0] <= 0 and worths[1] <= 0 < worths[2] <= worths[3]


def test_riders_of_a_vehicle_that_cannot_move_have_nothing_from_it() -> None:
    riders = (unit("ger_grenadiers", "g2", aboard="g1", status="aboard"),)
    worths = []
    for stuck in (False, True):
        battle = field(unit("ger_sdkfz251", "g1", at=(40, 24), heading=90, immobilised=stuck), *riders, victory=EXIT)
        worths.append(BoltOutlook(battle, "german").aboard(battle.unit("g2")))
    assert worths[0] > 1.0 and worths[1] == 0.0


# ---- who bars the way ------------------------------------------------------------------------------------------


def test_a_gun_that_bars_the_way_out_is_worth_more_than_the_same_gun_elsewhere() -> None:
    foes = (
        unit("us_57mm", "a1", at=(60, 24), heading=270),
        unit("us_57mm", "a2", at=(3, 45), heading=0),
    )
    wall = box("building", 0, 34, 12, 40)
    lorry = unit("ger_truck", "g1", at=(20, 24), heading=90)
    battle = field(lorry, *foes, terrain=[wall], victory=EXIT, seed=b"1")
    outlook = BoltOutlook(battle, "german")
    assert outlook.value(battle.unit("a1")) > outlook.value(battle.unit("a2")) + 0.1
    plain = field(lorry, *foes, terrain=[wall], seed=b"1")
    outlook = BoltOutlook(plain, "german")
    assert outlook.value(plain.unit("a1")) == outlook.value(plain.unit("a2"))


def test_whoever_can_leave_goes_although_the_enemy_is_in_sight() -> None:
    session = play(
        unit("ger_sdkfz251", "g1", at=(58, 24), heading=90),
        unit("us_57mm", "a1", at=(66, 40), heading=0),
        unit("us_squad", "a2", at=(60, 12), heading=180),
        victory=EXIT,
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1")
    assert best(session) == "run"
    answer(session, "run")
    assert best(session) == "exit right"
