"""Victory (28.4, 28.5, 28.7)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.games.bolt_action import victory
from tests.games.bolt_action.play import answer, field, play, the_state, unit


def two(*more: Any, **head: Any) -> Any:
    return field(
        unit("us_squad", "a1", at=(20, 44)), unit("ger_infantry", "g1", at=(20, 3), heading=180), *more, **head
    )


@pytest.mark.rule("bolt_action", "28.4")
@pytest.mark.parametrize(("lost", "winner"), [(1, ""), (2, "american")])
def test_attrition_wants_a_lead_of_two(lost: Any, winner: Any) -> None:
    names = [f"g{number}" for number in range(2, 2 + lost)]
    battle = two(*(unit("ger_mmg", name, status="lost") for name in names), lost={"german": names})
    assert victory.score(battle) == {"american": lost, "german": 0}
    assert victory.standing(battle).winner == winner


@pytest.mark.rule("bolt_action", "28.5")
@pytest.mark.parametrize(("away", "held"), [(3.5, "american"), (3.6, "")])
def test_an_objective_belongs_to_who_stands_within_three_inches(away: Any, held: Any) -> None:
    battle = two(
        unit("us_sniper", "a2", at=(40, 24 + away), men=1), objective=[{"at": [40, 24], "points": 3, "name": "Bridge"}]
    )
    assert victory.holder(battle, battle.scenario.objectives[0]) == held
    assert victory.score(battle)["american"] == (3 if held else 0)


@pytest.mark.rule("bolt_action", "28.5")
def test_an_objective_that_both_reach_belongs_to_nobody_and_guns_do_not_count() -> None:
    at = [{"at": [40, 24], "points": 3}]
    contested = two(unit("us_mmg", "a2", at=(40, 26)), unit("ger_mmg", "g2", at=(40, 22), heading=180), objective=at)
    assert victory.holder(contested, contested.scenario.objectives[0]) == ""
    gun = two(unit("us_57mm", "a2", at=(40, 24)), objective=at)
    assert victory.holder(gun, gun.scenario.objectives[0]) == ""
    vehicle = two(unit("us_m4", "a2", at=(40, 24)), unit("ger_pak38", "g2", at=(40, 20), heading=180), objective=at)
    assert victory.holder(vehicle, vehicle.scenario.objectives[0]) == "american"


@pytest.mark.rule("bolt_action", "28.4", "28.5")
def test_the_battle_ends_with_the_count_of_points() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 44), die="fire"),
        unit("ger_infantry", "g1", at=(40, 24), heading=180, die="fire"),
        objective=[{"at": [40, 24], "points": 2}],
        phase="turn_end",
        turn=6,
        dice=[1],
    )
    assert session.ask is None
    assert (session.result.winner, session.result.rule) == ("german", "28.4")
    assert "2 points to 0" in session.result.reason


@pytest.mark.rule("bolt_action", "28.4")
def test_short_of_the_lead_the_scenario_may_name_a_winner() -> None:
    battle = two(victory={"otherwise": "german"})
    assert victory.standing(battle).winner == "german"


@pytest.mark.rule("bolt_action", "28.7")
def test_a_side_with_nobody_left_loses_at_once() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 44)),
        unit("ger_infantry", "g1", status="lost"),
        sides=["american", "german"],
        drawn="american",
    )
    assert session.ask is None
    assert (session.result.winner, session.result.rule) == ("american", "28.7")


@pytest.mark.rule("bolt_action", "28.7")
def test_a_reserve_keeps_its_side_in_the_battle() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 44)),
        unit("ger_infantry", "g1", status="reserve"),
        sides=["american", "german"],
        drawn="american",
    )
    assert session.ask is not None and session.result is None


def test_units_that_left_the_table_score_what_the_scenario_says() -> None:
    battle = two(
        unit("ger_truck", "g2", status="exited"),
        unit("ger_mmg", "g3", status="exited"),
        victory={"exit": [{"side": "german", "edge": "right", "points": 2, "kinds": ["vehicle"]}]},
    )
    assert victory.score(battle) == {"american": 0, "german": 2}


def test_a_side_whose_men_all_got_away_is_not_beaten_by_that() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 44)),
        unit("ger_truck", "g1", status="exited"),
        sides=["american", "german"],
        victory={"exit": [{"side": "german", "edge": "right", "points": 2}]},
    )
    assert victory.wiped_out(battle) and battle.state.winner == "german" and battle.state.ending_rule == "28.4"


def test_answers_after_the_end_are_refused() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 44)),
        unit("ger_infantry", "g1", status="lost"),
        sides=["american", "german"],
        drawn="american",
    )
    with pytest.raises(Exception, match="over"):
        answer(session, "unit a1")
    assert the_state(session).phase == "over"
