"""The opponent at what the battle is fought for: who holds it, who disputes it, and who goes where."""

from __future__ import annotations

from typing import Any

from grognard.core.session import Session
from grognard.games.bolt_action import victory
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.tactics.giving_orders import within
from grognard.games.bolt_action.tactics.holding import inside_at
from grognard.games.bolt_action.tactics.outlook import TASTE, BoltOutlook
from grognard.games.bolt_action.tactics.shots import nerve
from grognard.kits.table.tactics.goals import THERE_WITHIN
from tests.games.bolt_action.play import answer, box, field, piece, play, the_battle, unit
from tests.games.bolt_action.test_tactics import best, proposals

WELL = {"id": "well", "at": [36, 24], "points": 3, "name": "The well"}
MILL = {"id": "mill", "at": [14, 24], "points": 1, "name": "The mill"}


def holder(session: Session) -> str:
    """Who holds the first objective."""
    battle = the_battle(session)
    return victory.holder(battle, battle.scenario.objectives[0])


def play_on(session: Session, side: str) -> None:
    """The side that has the die plays one order out as it thinks best."""
    unit_asked = False
    while session.ask is not None and session.ask.side == side:
        if session.ask.quiet and unit_asked:
            break
        unit_asked = True
        answer(session, session.ask.only or best(session))


# ---- who is there ----------------------------------------------------------------------------------------------


def test_whoever_holds_a_place_with_one_man_knows_it() -> None:
    battle = field(
        unit("us_squad", "a1", at=(42, 24)),
        unit("ger_grenadiers", "g1", at=(42, 6), heading=180),
        objective=[WELL],
        seed=b"1",
    )
    squad, outlook = battle.unit("a1"), BoltOutlook(battle, "american")
    goal = outlook.goal(squad)
    assert outlook.stands_at(squad, (3600, 2400)) and goal is not None
    assert goal.turns[outlook.here(squad)] <= THERE_WITHIN
    assert goal.turns[outlook.chart.nearest(4500, 2400)] > THERE_WITHIN


def test_nobody_moves_up_to_a_place_that_he_holds_already() -> None:
    session = play(
        unit("us_squad", "a1", at=(42, 24)),
        unit("ger_grenadiers", "g1", at=(42, 9), heading=180),
        objective=[WELL],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1")
    assert best(session) == "fire"


def test_men_inside_hold_what_is_near_enough_to_them() -> None:
    barn = box("building", 33, 15, 39, 21, id="barn")
    near = field(unit("us_squad", "a1", at=(36, 40)), terrain=[barn], objective=[WELL], seed=b"1")
    assert inside_at(near, near.unit("a1"), "barn", (3600, 2150))
    assert not inside_at(near, near.unit("a1"), "barn", (3600, 2500))


def test_a_place_with_the_enemy_on_it_is_disputed_in_the_last_turn() -> None:
    session = play(
        unit("us_squad", "a1", at=(36, 36), men=6),
        unit("ger_vet_grenadiers", "g1", at=(36, 24), heading=180, ranks=2, die="fire"),
        objective=[WELL],
        turn=6,
        drawn="american",
        seed=b"1",
    )
    assert holder(session) == "german"
    answer(session, "unit a1")
    assert best(session) == "run"
    answer(session, "run")
    if session.ask is not None and session.ask.rule == "2.3":
        answer(session, "move")
    told = next(each for each in proposals(session) if each.key.startswith("pose"))
    assert any(reason.text == "at The well" for reason in told.reasons)
    answer(session, told.key)
    assert holder(session) == ""


# ---- who goes where --------------------------------------------------------------------------------------------


def goals(battle: BoltBattle, side: str) -> dict[str, str]:
    """What every unit of a side is after."""
    outlook = BoltOutlook(battle, side)
    found = {each.id: outlook.goal(each) for each in outlook.own}
    return {id: goal.name for id, goal in found.items() if goal is not None}


def test_a_small_objective_is_not_left_lying_for_a_great_one() -> None:
    battle = field(
        unit("us_squad", "a1", at=(32, 38), ranks=2),
        unit("us_squad", "a2", at=(44, 38), ranks=2),
        unit("us_squad", "a3", at=(18, 36), ranks=2),
        unit("ger_grenadiers", "g1", at=(30, 16), heading=180),
        unit("ger_grenadiers", "g2", at=(44, 16), heading=180),
        unit("ger_grenadiers", "g3", at=(37, 11), heading=180),
        objective=[WELL, MILL],
        seed=b"1",
    )
    assert goals(battle, "american") == {"a1": "The well", "a2": "The well", "a3": "The mill"}


def test_nobody_sets_out_for_what_he_cannot_reach_in_time() -> None:
    battle = field(
        unit("us_squad", "a1", at=(36, 25)),
        unit("us_squad", "a2", at=(14, 35)),
        unit("ger_grenadiers", "g1", at=(36, 4), heading=180),
        objective=[WELL, MILL],
        turn=6,
        seed=b"1",
    )
    assert goals(battle, "american") == {"a1": "The well", "a2": "The mill"}


def test_a_jeep_takes_what_nobody_disputes_at_the_end() -> None:
    session = play(
        unit("us_jeep", "a1", at=(14, 42)),
        unit("us_squad", "a2", at=(36, 30), die="fire"),
        unit("ger_grenadiers", "g1", at=(36, 10), heading=180, die="fire"),
        terrain=[box("building", 22, 8, 28, 30)],
        objective=[WELL, MILL],
        turn=6,
        drawn="american",
        seed=b"1",
    )
    assert goals(the_battle(session), "american")["a1"] == "The mill"
    play_on(session, "american")
    battle = the_battle(session)
    assert victory.holder(battle, battle.scenario.objectives[1]) == "american"


def test_one_may_run_out_of_a_building_and_into_one() -> None:
    battle = field(
        unit("us_squad", "a1", building="barn"),
        unit("ger_grenadiers", "g1", at=(60, 4), heading=180),
        terrain=[box("building", 10, 20, 16, 26, id="barn"), box("building", 22, 20, 26, 26, id="shed")],
        objective=[WELL],
        seed=b"1",
    )
    outlook = BoltOutlook(battle, "american")
    reach = within(outlook, battle.unit("a1"), "run")
    assert reach[outlook.chart.nearest(1300, 3300)] and reach[outlook.chart.nearest(2350, 2300)]


def test_whoever_runs_finds_a_way_beside_what_cannot_be_run_through() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 40), ranks=2),
        unit("ger_grenadiers", "g1", at=(66, 4), heading=180),
        terrain=[box("woods", 24, 20, 44, 46)],
        objective=[WELL],
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "run")
    assert best(session) != "stay"


def test_men_without_anti_tank_weapons_do_not_go_for_a_tank_for_the_ground_it_stands_on() -> None:
    session = play(
        unit("us_squad", "a1", at=(36, 34), ranks=2),
        unit("ger_stug3", "g1", at=(36, 24), heading=180, die="fire"),
        unit("ger_grenadiers", "g2", at=(36, 14), heading=180, ranks=2),
        objective=[WELL],
        turn=3,
        drawn="american",
        seed=b"1",
    )
    squad, tank = (the_battle(session).unit(id) for id in ("a1", "g1"))
    assert nerve(the_battle(session), squad, tank) < 0.6
    answer(session, "unit a1")
    assert "in close quarters" not in proposals(session)[0].reasons[0].text


# ---- the way out -----------------------------------------------------------------------------------------------


def test_whoever_has_men_aboard_and_the_way_out_in_reach_does_not_stop_to_shoot() -> None:
    session = play(
        unit("ger_sdkfz251", "g1", at=(44, 24), heading=90),
        unit("ger_grenadiers", "g2", aboard="g1", status="aboard"),
        unit("us_squad", "a1", at=(52, 14), heading=180),
        terrain=[piece("road", (0, 24), (72, 24))],
        victory={"exit": [{"side": "german", "edge": "right", "points": 2}]},
        drawn="german",
        seed=b"1",
    )
    answer(session, "unit g1")
    assert best(session) == "run"


# ---- who stays ---------------------------------------------------------------------------------------------------


def test_whoever_holds_a_place_in_cover_stays() -> None:
    """The well counts more, is nobody's, and is near enough; but there is nobody else to hold the mill."""
    more: dict[str, Any] = {"terrain": [box("building", 11, 21, 17, 27, id="barn")], "objective": [MILL, WELL]}
    foe = unit("ger_grenadiers", "g1", at=(60, 6), heading=180)
    session = play(unit("us_squad", "a1", at=(14, 24), building="barn"), foe, drawn="american", seed=b"1", **more)
    assert goals(the_battle(session), "american") == {"a1": "The mill"}
    answer(session, "unit a1")
    play_on(session, "american")
    assert BoltOutlook(the_battle(session), "american").stands_at(the_battle(session).unit("a1"), (1400, 2400))
    two = field(
        unit("us_squad", "a1", at=(14, 24), building="barn"),
        unit("us_squad", "a2", at=(14, 40)),
        foe,
        seed=b"1",
        **more,
    )
    assert goals(two, "american") == {"a1": "The mill", "a2": "The well"}


def test_to_leave_what_nobody_else_holds_costs_what_it_counts() -> None:
    wood: dict[str, Any] = {"terrain": [box("woods", 33, 21, 39, 27, id="wood")], "objective": [WELL]}
    foe = unit("ger_grenadiers", "g1", at=(36, 6), heading=180)
    alone = field(unit("us_squad", "a1", at=(36, 24)), foe, seed=b"1", **wood)
    bare = field(unit("us_squad", "a1", at=(36, 24)), foe, objective=[WELL], seed=b"1")
    both = field(unit("us_squad", "a1", at=(36, 24)), unit("us_squad", "a2", at=(37, 27)), foe, seed=b"1", **wood)
    costs, worths = [], []
    for battle in (alone, bare, both):
        outlook, squad = BoltOutlook(battle, "american"), battle.unit("a1")
        goal = outlook.goal(squad)
        assert goal is not None
        costs.append(outlook.post(squad, goal))
        worths.append(goal.worth)
    assert costs == [TASTE.post * worths[0], 0.0, 0.0], (
        "in the open there is a better place; and a second one holds it, too"
    )


def test_an_empty_lorry_keeps_away_from_the_enemy() -> None:
    """At the turn's end it is lost where he is nearer than its friends (24.7): no wheel on the well is worth that."""
    men = (unit("us_squad", "a1", at=(36, 42)), unit("ger_grenadiers", "g1", at=(36, 8), heading=180))
    session = play(unit("us_truck", "a9", at=(36, 30)), *men, objective=[WELL], turn=6, drawn="american", seed=b"1")
    answer(session, "unit a9")
    play_on(session, "american")
    battle = the_battle(session)
    lorry, friend, enemy = (battle.unit(id) for id in ("a9", "a1", "g1"))
    assert battle.gap(lorry, friend) < battle.gap(lorry, enemy)
    outlook = BoltOutlook(battle, "american")
    assert outlook.idle(lorry) and not outlook.idle(friend)
    near, far = outlook.chart.nearest(3600, 1600), outlook.chart.nearest(3600, 4000)
    company = outlook.parts(lorry).neighbours
    assert company[near] < -0.5 * outlook.value(lorry) and company[far] == 0.0


def test_a_lorry_with_men_aboard_fears_no_more_than_they_do() -> None:
    lorry, men = unit("us_truck", "a9", at=(36, 30)), unit("us_squad", "a1", aboard="a9")
    battle = field(lorry, men, unit("ger_grenadiers", "g1", at=(36, 8), heading=180), objective=[WELL], seed=b"1")
    assert not BoltOutlook(battle, "american").idle(battle.unit("a9"))
