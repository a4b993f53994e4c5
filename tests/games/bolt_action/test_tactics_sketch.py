"""The first glance, quick answers, and what was once played badly: dead ends, idle ambushes, the last turn."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.tactics import victory_values
from grognard.games.bolt_action.tactics.drives import cramped
from grognard.games.bolt_action.tactics.giving_orders import BoltJudge, within
from grognard.games.bolt_action.tactics.ground import chart_of
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.games.bolt_action.tactics.sketch import Sketch
from grognard.kits.table.state import ON_TABLE
from grognard.players.greedy import propose
from tests.games.bolt_action.play import answer, box, field, keys, look, play, the_battle, unit

WELL = [{"at": [36, 24], "points": 3, "name": "The well"}]


def standing(battle: BoltBattle, side: str) -> float:
    return GAME.tactics(battle.scenario).standing(battle, side)


def proposals(session: Session) -> list[Proposal]:
    told: list[Proposal] = propose(GAME.tactics(session.scenario), session.probe(), Clock.of(20))
    return told


# ---- the glance --------------------------------------------------------------------------------------------------


def test_a_glance_finds_the_unit_that_can_do_something() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 30)),
        unit("us_squad", "a2", at=(60, 46)),
        unit("ger_grenadiers", "g1", at=(20, 16), heading=180),
    )
    sketch = Sketch(BoltOutlook(battle, "american"))
    assert sketch.gain(battle.unit("a1"))[0] > sketch.gain(battle.unit("a2"))[0] + 0.1
    assert sketch.target(battle.unit("a1"), False)[1] is battle.unit("g1")


def test_a_glance_is_near_to_what_exact_looks_say() -> None:
    battle = field(
        unit("ger_mmg", "g1", at=(20, 30)),
        unit("us_squad", "a1", at=(20, 14), heading=180),
    )
    outlook, gun = BoltOutlook(battle, "german"), battle.unit("g1")
    seems = {choice.key: choice.worth for choice in Sketch(outlook).weigh(gun)}
    exact = {choice.key: choice.worth for choice in BoltJudge(outlook).weigh(gun)}
    assert seems["fire"] == pytest.approx(exact["fire"], rel=0.35)
    assert max(seems, key=seems.__getitem__) == max(exact, key=exact.__getitem__) == "fire"


def test_what_is_kept_with_the_table_tells_the_same_as_what_is_found_anew() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("us_squad", "a2", at=(40, 40)),
        unit("ger_grenadiers", "g1", at=(24, 16), heading=180, pins=1),
        unit("ger_mmg", "g2", at=(44, 12), heading=180),
        objective=WELL,
        drawn="american",
        seed=b"1",
    )
    first = proposals(session)
    assert proposals(session) == first
    the_battle(session).table.cache.clear()
    assert proposals(session) == first


def test_what_is_seen_from_a_point_does_not_hang_on_who_looked_before() -> None:
    house = [box("building", 20, 20, 26, 26)]
    rows = []
    for first in (2040.0, 2099.0):
        chart = chart_of(field(unit("us_squad", "a1", at=(40, 40)), terrain=house).table)
        chart.row(first, 1915.0)
        rows.append(chart.row(2060.0, 1990.0))
    assert (rows[0].seen == rows[1].seen).all() and (rows[0].far == rows[1].far).all()
    inside, outside = chart.known_row(2010.0, 2300.0, 110.0), chart.known_row(1990.0, 2300.0, 110.0)
    assert inside[0] != outside[0]


def test_shots_over_the_net_are_kept_until_the_target_changes() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 30)), unit("ger_grenadiers", "g1", at=(20, 14), heading=180, die="fire")
    )
    us, them = battle.unit("a1"), battle.unit("g1")
    before = BoltOutlook(battle, "american").shots(us, False)[1][0][1]
    assert BoltOutlook(battle, "american").shots(us, False)[1][0][1] is before
    here = chart_of(battle.table).nearest(2000, 3000)
    del them.models[4:]
    battle.invalidate()
    after = BoltOutlook(battle, "american").shots(us, False)[1][0][1]
    assert after is not before and after[here] != before[here]


@pytest.mark.parametrize("name", ["first_steps", "oder_suburb"])
def test_the_best_at_a_glance_plays_a_battle_to_its_end(name: str) -> None:
    from grognard.core.files import Document

    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    tactics, session = GAME.tactics(scenario), Session(GAME, scenario, seed=b"glance")
    clock = Clock(inf)
    while session.ask is not None:
        session.answer(tactics.best(session.battle, session.ask, clock))  # which refuses what is not legal
    assert session.result is not None


@pytest.mark.parametrize("loaded", ["ap", "he"])
def test_whoever_springs_an_ambush_fires_what_is_loaded_at_whoever_acts(loaded: str) -> None:
    """What would be best with the other load, or at somebody else, is not on offer (16.4, 16.8)."""
    session = play(
        unit("us_m5", "a1", at=(20, 30)),
        unit("us_squad", "a2", at=(24, 26)),
        unit("ger_panzer3", "g1", at=(20, 16), heading=180, die="ambush", ammunition=loaded),
        drawn="american",
        seed=b"2",
    )
    answer(session, "unit a1", "run", "spring g1")
    best = GAME.tactics(session.scenario).best(session.battle, session.ask, Clock(inf))
    assert best in keys(session) and best.startswith("at a1")


# ---- vehicles ----------------------------------------------------------------------------------------------------

FORGE = [box("building", 31, 20, 37, 34)]


def test_a_place_before_a_wall_with_no_room_to_turn_costs_what_lies_beyond() -> None:
    battle = field(
        unit("ger_sdkfz251", "g1", at=(18, 27), heading=90),
        unit("us_squad", "a1", at=(12, 44)),
        terrain=FORGE,
        victory={"exit": [{"side": "german", "edge": "right", "points": 2}]},
    )
    judge, vehicle = BoltJudge(BoltOutlook(battle, "german")), battle.unit("g1")
    xs, ys = np.array([2885.0, 2600.0, 2885.0]), np.full(3, 2700.0)
    at_the_wall, short_of_it, looking_away = cramped(judge, vehicle, xs, ys, np.array([90.0, 90.0, 270.0]))
    assert short_of_it == looking_away == 0.0
    goal = judge.outlook.goal(vehicle)
    assert goal is not None and at_the_wall > 0.15 * goal.worth  # more than a turn's way is worth


def test_whoever_stands_before_a_wall_goes_back() -> None:
    session = play(
        unit("ger_sdkfz251", "g1", at=(28.85, 27), heading=90),
        unit("us_squad", "a1", at=(12, 44)),
        terrain=FORGE,
        victory={"exit": [{"side": "german", "edge": "right", "points": 2}]},
        drawn="german",
        turn=2,
        seed=b"1",
    )
    battle = the_battle(session)
    outlook = BoltOutlook(battle, "german")
    leads = within(outlook, battle.unit("g1"), "run")
    assert leads.any() and float(outlook.chart.x[leads].max()) < 2885
    answer(session, "unit g1", "run")
    assert proposals(session)[0].key == "reverse"


def test_every_place_that_is_proposed_for_an_escape_is_one() -> None:
    session = play(
        unit("us_57mm", "a1", at=(20, 40)),
        unit("ger_puma", "g1", at=(20, 20), heading=90),
        unit("us_squad", "a2", at=(44, 20), heading=270),
        sides=["american", "german"],
        drawn="american",
        dice=[1] * 9,
    )
    answer(session, "unit a1", "fire")
    answer(session, next(key for key in keys(session) if key.startswith("at g1")))
    answer(session, "escape")
    told = proposals(session)
    assert session.ask is not None and "escape" in session.ask.prompt
    for proposal in told:
        session.ask.option(proposal.key)


# ---- orders ------------------------------------------------------------------------------------------------------


def test_nobody_waits_in_ambush_where_no_enemy_can_come_into_sight() -> None:
    """The enemy is near, but behind a building: the squad goes for the objective instead."""
    session = play(
        unit("us_squad", "a1", at=(36, 40)),
        unit("ger_grenadiers", "g1", at=(6, 30), heading=90),
        terrain=[box("building", 16, 18, 22, 46), box("building", 16, 2, 22, 17)],
        objective=WELL,
        drawn="american",
        turn=2,
        seed=b"1",
    )
    outlook = BoltOutlook(the_battle(session), "american")
    assert outlook.may_catch(look(session, "a1"), look(session, "g1")) < 0.02
    answer(session, "unit a1")
    told = {proposal.key: proposal.worth for proposal in proposals(session)}
    assert max(told, key=told.__getitem__) in ("run", "advance")
    assert told["run"] > told["ambush"] + 0.5


def test_an_ambush_is_worth_while_where_the_enemy_must_come_into_the_open() -> None:
    battle = field(
        unit("us_squad", "a1", at=(36, 40)),
        unit("ger_grenadiers", "g1", at=(36, 18), heading=180),
        terrain=[box("building", 33, 20, 39, 24)],
    )
    outlook = BoltOutlook(battle, "american")
    assert outlook.may_catch(battle.unit("a1"), battle.unit("g1")) > 0.03


def test_men_in_hand_count_less_in_the_last_turn_and_what_their_loss_scores_as_much() -> None:
    early, late = (field(unit("us_squad", "a1", at=(20, 30)), turn=turn) for turn in (1, 6))
    scored = victory_values.scored_for(late, late.unit("a1"))
    first, last = (victory_values.worth(battle, battle.unit("a1")) - scored for battle in (early, late))
    assert 0 < last < 0.6 * first


# ---- how it stands -----------------------------------------------------------------------------------------------


def test_the_standing_sees_a_man_a_pin_a_step_and_a_die() -> None:
    def stands(**more: object) -> float:
        squad = unit("us_squad", "a1", **({"at": (36, 40)} | more))
        battle = field(squad, unit("ger_grenadiers", "g1", at=(36, 6), heading=180), objective=WELL, turn=3)
        assert standing(battle, "american") == -standing(battle, "german")
        assert battle.unit("g1").status == ON_TABLE
        return standing(battle, "american")

    plain = stands()
    assert stands(men=9) < plain - 0.003
    assert stands(pins=1) < plain - 0.003
    assert stands(die="fire") < plain - 0.003
    assert stands(at=(36, 34)) > plain + 0.003


def test_points_in_hand_tell_more_the_nearer_the_end_is() -> None:
    def stands(turn: int) -> float:
        us, them = unit("us_squad", "a1", at=(36, 25)), unit("ger_grenadiers", "g1", at=(12, 8), heading=180)
        return standing(field(us, them, objective=WELL, turn=turn), "american")

    assert 0 < stands(1) < stands(4) < stands(6)
    assert stands(6) > 0.6
