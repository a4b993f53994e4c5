"""Victory (16.4 to 16.6, 14.10): who holds what, who leads by how much, and how a battle ends."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.company import victory
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import OVER
from grognard.kits.table.state import EXITED, LOST
from grognard.kits.table.victory import Ended, result
from tests.games.company.playing import battle_of, happened, platoon, unit_of

rule = pytest.mark.rule

FARM = {"id": "farm", "name": "The farm", "at": [30, 24], "points": 2}
MILL = {"id": "mill", "name": "The mill", "at": [50, 24], "points": 1}


def field(*platoons: dict[str, Any], **more: Any) -> CompanyBattle:
    more = {"objective": [FARM, MILL], **more}
    return battle_of(*platoons, **more)


def rifles(x: float, y: float, id: str = "a1", kind: str = "us_rifles") -> dict[str, Any]:
    return platoon(kind, id, (x, y))


def grenadiers(x: float, y: float, id: str = "g1") -> dict[str, Any]:
    return platoon("ger_grenadiers", id, (x, y), heading=180)


def holders(battle: CompanyBattle) -> list[str]:
    return [victory.holder(battle, objective) for objective in battle.scenario.objectives]


@rule("company", "16.4")
def test_an_objective_is_held_by_who_alone_is_within_four_inches() -> None:
    # The base of a Platoon Leader is an inch deep: its edge lies half an inch nearer than its middle.
    assert holders(field(rifles(30, 28.5), grenadiers(60, 5))) == ["american", ""]
    assert holders(field(rifles(30, 28.52), grenadiers(60, 5))) == ["", ""]
    assert holders(field(rifles(30, 28), grenadiers(30, 20))) == ["", ""]
    assert holders(field(rifles(30, 28), grenadiers(30, 19), rifles(50, 26, "a2", "us_commander"))) == ["american"] * 2


@rule("company", "16.4")
def test_points_are_compared_after_the_last_turn() -> None:
    battle = field(rifles(30, 26), grenadiers(50, 22))
    assert victory.score(battle) == {"american": 2, "german": 1}
    victory.decide(battle)
    state = battle.state
    assert (state.phase, state.winner, state.reason, state.ending_rule) == (OVER, "american", "2 points to 1", "16.4")
    [ended] = happened(battle, Ended)
    assert ended.say() == "The American side wins: 2 points to 1"
    assert result(battle) is not None


@rule("company", "16.4")
def test_equal_points_are_a_draw_unless_the_scenario_says_otherwise() -> None:
    battle = field(rifles(5, 40), grenadiers(5, 5))
    victory.decide(battle)
    assert (battle.state.winner, battle.state.reason) == ("", "0 points to 0")
    battle = field(rifles(5, 40), grenadiers(5, 5), victory={"otherwise": "german"})
    victory.decide(battle)
    assert battle.state.winner == "german"
    battle = field(rifles(50, 26), grenadiers(5, 5), victory={"lead": 2, "otherwise": "german"})
    victory.decide(battle)
    assert (battle.state.winner, battle.state.reason) == ("german", "1 point to 0, which is not enough for the enemy")


@rule("company", "16.4", "14.14")
def test_a_company_without_any_unit_has_lost_whatever_the_points_say() -> None:
    battle = field(rifles(30, 26), grenadiers(60, 5), platoon("ger_commander", "g9", (50, 22)))
    assert not victory.wiped_out(battle)
    gone = unit_of(battle, "g1")
    gone.status, gone.models = LOST, []
    battle.state.lost["german"] = ["g1"]
    battle.invalidate()
    assert victory.wiped_out(battle), "a commander is no Unit"
    victory.decide(battle)
    assert (battle.state.winner, battle.state.reason) == ("american", "the enemy has no Unit left")


@rule("company", "14.10")
def test_a_company_that_retreats_has_lost() -> None:
    battle = field(rifles(30, 26), grenadiers(60, 5))
    victory.retreat(battle, "american")
    assert (battle.state.winner, battle.state.ending_rule) == ("german", "14.10")


EXITS = {
    "exit": [
        {"side": "american", "edge": "right", "points": 2},
        {"side": "american", "edge": "top", "points": 1, "kinds": ["us_m8_platoon"]},
    ]
}


@rule("company", "16.6")
def test_units_that_left_over_their_edge_score_and_are_neither_lost_nor_present() -> None:
    battle = field(
        rifles(30, 26),
        rifles(40, 40, "a2"),
        platoon("us_m8_platoon", "a3", (60, 40)),
        grenadiers(5, 5),
        victory=EXITS,
    )
    for id, edge in (("a2", "right"), ("a3", "top")):
        unit_of(battle, id).status = EXITED
        battle.state.exits[id] = edge
    battle.invalidate()
    lines = [(line.id, line.amount) for line in victory.points(battle, "american").lines]
    assert lines == [("objective", 2), ("exited", 2), ("exited", 1)]
    battle.state.exits["a2"] = "top"
    assert victory.score(battle)["american"] == 3, "rifles score nothing at the top"
    assert battle.state.lost["american"] == []


@rule("company", "16.4", "16.6")
def test_a_side_whose_last_unit_left_as_it_was_meant_to_is_not_beaten() -> None:
    battle = field(rifles(60, 40), grenadiers(50, 22), victory=EXITS)
    unit_of(battle, "a1").status = EXITED
    battle.state.exits["a1"] = "right"
    battle.invalidate()
    assert victory.wiped_out(battle)
    victory.decide(battle)
    assert (battle.state.winner, battle.state.reason) == ("american", "2 points to 1")
