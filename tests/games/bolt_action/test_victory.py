"""Victory (28.4, 28.5, 28.7)."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import MalformedError
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
    (line,) = victory.points(battle, "american").lines
    assert line.source == ("1 enemy unit" if lost == 1 else f"{lost} enemy units")


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


@pytest.mark.rule("bolt_action", "28.5")
def test_exit_points_go_to_the_side_and_for_the_edge_and_kinds_that_the_scenario_names() -> None:
    """Both sides have left over both edges: only the Germans score, and only what went over the right one."""
    ways = {"exit": [{"side": "german", "edge": "right", "points": 2, "kinds": ["vehicle", "infantry"]}]}
    gone = [
        unit("ger_truck", "g2", status="exited"),
        unit("ger_infantry", "g3", status="exited"),
        unit("ger_truck", "g4", status="exited"),
        unit("ger_mmg", "g5", status="exited"),
        unit("us_truck", "a2", status="exited"),
        unit("us_squad", "a3", status="exited"),
    ]
    battle = two(*gone, victory=ways)
    edges = {"g2": "right", "g3": "right", "g4": "left", "g5": "right", "a2": "right", "a3": "right"}
    battle.state.scratch.exits = edges
    assert victory.score(battle) == {"american": 0, "german": 4}
    tally = victory.points(battle, "german")
    assert [(line.id, line.amount, line.rule) for line in tally.lines] == [("exited", 4, "28.5")]
    ours = two(*gone, victory={"exit": [{"side": "american", "edge": "right", "points": 3}]})
    ours.state.scratch.exits = edges
    assert victory.score(ours) == {"american": 6, "german": 0}


@pytest.mark.rule("bolt_action", "28.4")
def test_the_dead_count_for_their_enemy_as_much_as_the_scenario_says() -> None:
    lost = [unit("ger_mmg", "g2", status="lost"), unit("us_mmg", "a2", status="lost"), unit("us_2lt", "a3", at=(5, 44))]
    names = {"german": ["g2"], "american": ["a2"]}
    assert victory.score(two(*lost, lost=names)) == {"american": 1, "german": 1}
    worth = two(*lost, lost=names, victory={"attrition": {"american": 3, "german": 0}})
    assert victory.score(worth) == {"american": 3, "german": 0}


@pytest.mark.rule("bolt_action", "28.5")
def test_an_objective_scores_only_for_the_sides_it_is_one_for() -> None:
    at = {"at": [40, 24], "points": 3}
    for sides, points in ((["american", "german"], 3), (["german"], 0)):
        battle = two(unit("us_mmg", "a2", at=(40, 26)), objective=[{**at, "sides": sides}])
        assert victory.score(battle) == {"american": points, "german": 0}


@pytest.mark.rule("bolt_action", "28.4")
@pytest.mark.parametrize(
    ("german", "american", "winner"), [(2, 0, "american"), (0, 2, "german"), (2, 1, ""), (1, 2, "")]
)
def test_the_lead_is_whoever_has_it(german: int, american: int, winner: str) -> None:
    names = {"german": [f"g{n}" for n in range(2, 2 + german)], "american": [f"a{n}" for n in range(2, 2 + american)]}
    dead = [unit("ger_mmg", id, status="lost") for id in names["german"]]
    dead += [unit("us_mmg", id, status="lost") for id in names["american"]]
    assert victory.standing(two(*dead, lost=names)).winner == winner


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ({"attrition": {"american": 1, "soviet": 2}}, "victory.attrition.soviet: "),
        ({"otherwise": "soviet"}, "victory.otherwise: "),
        ({"lead": -1}, "victory.lead: a lead of -1"),
        ({"lead": 0}, "victory.lead: a lead of 0"),
        ({"exit": [{"side": "soviet", "edge": "right", "points": 1}]}, r"victory.exit\[1\].side: "),
    ],
)
def test_victory_is_for_sides_that_there_are_and_by_a_lead_that_there_can_be(said: Any, where: str) -> None:
    with pytest.raises(MalformedError, match=where):
        two(victory=said)
