"""How programs play the company game: what they think of fire, assaults and ground is what the rules make of it."""

from __future__ import annotations

from itertools import product
from math import inf

import numpy as np
import pytest

from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.games.company import volley
from grognard.games.company.fire_events import Hit
from grognard.games.company.tactics import barrages, replies
from grognard.games.company.tactics.assaults import halted, outcome
from grognard.games.company.tactics.captain import Captain
from grognard.games.company.tactics.outlook import CompanyOutlook
from grognard.games.company.tactics.player import CompanyTactics
from grognard.games.company.tactics.shots import effect_of
from grognard.games.company.tactics.volleys import FIRED, MOVED, STILL, fire_of, target_of, tolls
from grognard.games.company.volley import MODES
from grognard.players.greedy import GreedyPlayer
from grognard.players.random import RandomPlayer
from tests.games.company.playing import GAME, answer, battle_of, box, keys, platoon, play, unit_of


def chosen(session: Session) -> str:
    """What greedy answers."""
    return GreedyPlayer(1).choose_from(session.probe(), inf)


def captain(session: Session) -> Captain:
    """Whoever weighs what the side that is asked may do."""
    assert session.ask is not None
    return Captain(CompanyOutlook(session.battle, session.ask.side))


RIFLES = ((20, 30), (22.5, 30), (25, 30), (27.5, 30))
FOES = ((20, 20), (22.5, 20), (25, 20), (27.5, 20))


# ---- what fire comes to ------------------------------------------------------------------------------------


@pytest.mark.parametrize("terrain", [[], [box("woods", 15, 18, 32, 23)], [box("building", 15, 18, 32, 23)]])
@pytest.mark.parametrize("mode", ["fire", "aimed_fire"])
def test_a_volley_is_expected_to_do_what_the_rules_make_of_it(terrain: list[dict[str, object]], mode: str) -> None:
    ours, theirs = platoon("us_rifles", "a1", *RIFLES), platoon("ger_grenadiers", "g1", *FOES, moved=True, fired=True)
    battle = battle_of(ours, theirs, terrain=terrain)
    unit, foe = unit_of(battle, "a1"), unit_of(battle, "g1")
    fired = volley.plan(battle, unit, foe, dict.fromkeys((t.id for t in unit.models), MODES[mode]))
    expected = effect_of(battle, foe, fired)
    lost = []
    for seed in range(70):
        session = play(ours, theirs, terrain=terrain, seed=f"volley {seed}".encode())
        while not session.over and f"all {mode}" not in keys(session):
            if session.ask is None or "activate a1" not in keys(session):
                break
            answer(session, "activate a1")
        if f"all {mode}" not in keys(session):
            continue
        answer(session, f"all {mode}", "at g1")
        while session.ask is not None and not session.ask.quiet and session.ask.meanwhile:
            session.answer(session.ask.meanwhile)
        if any(isinstance(event, Hit) for event in session.log):
            lost.append(len(FOES) - len(unit_of(session, "g1").models))
    assert len(lost) > 20
    error = 3.5 * float(np.std(lost)) / len(lost) ** 0.5 + 0.05
    assert abs(float(np.mean(lost)) - expected.lost) < error, (np.mean(lost), expected)


def test_the_chart_expects_of_a_volley_what_the_tallies_do() -> None:
    ours, theirs = platoon("us_rifles", "a1", *RIFLES), platoon("ger_grenadiers", "g1", *FOES, moved=True, fired=True)
    battle = battle_of(ours, theirs)
    unit, foe = unit_of(battle, "a1"), unit_of(battle, "g1")
    exact = effect_of(
        battle, foe, volley.plan(battle, unit, foe, dict.fromkeys((t.id for t in unit.models), MODES["fire"]))
    )
    fire = fire_of(battle, unit, target_of(battle, foe), 0)
    by_chart = tolls(fire, np.array([1000.0]), np.zeros(1, np.int8), 0.0)
    assert float(by_chart.lost[0]) == pytest.approx(0.8 * exact.lost, rel=0.25), "four of five Teams bear"
    far = tolls(fire, np.array([1500.0, 9900.0]), np.zeros(2, np.int8), 0.0)
    assert 0 <= float(far.lost[0]) < float(by_chart.lost[0]) and float(far.lost[1]) == 0


def test_who_keeps_still_has_less_to_fear_than_who_fires_and_who_fires_less_than_who_moves() -> None:
    battle = battle_of(platoon("us_rifles", "a1", *RIFLES), platoon("ger_grenadiers", "g1", *FOES))
    outlook = CompanyOutlook(battle, "american")
    unit = unit_of(battle, "a1")
    here = outlook.here(unit)
    still, fired, moved = (float(outlook.danger_if(unit, posture)[here]) for posture in (STILL, FIRED, MOVED))
    assert 0 < still < fired < moved


# ---- assaults ----------------------------------------------------------------------------------------------


def test_the_chance_that_an_assault_is_halted_is_exact() -> None:
    dice = ((3, 4), (5, 3))
    faces = [number for number, count in dice for _ in range(count)]
    ways = sum(sum(face >= need for face, need in zip(roll, faces)) >= 5 for roll in product(range(1, 7), repeat=7))
    assert halted(dice) == pytest.approx(ways / 6**7)
    assert halted(((3, 4),)) == 0, "four dice are never five hits"
    assert halted(((7, 20),)) == 0, "no die hits on a 7"


def test_more_who_storm_win_more_and_more_dice_against_them_less() -> None:
    few, many = (outcome(storm, 4, 0.33, ((4, 6),), 5, 4, False) for storm in (3, 8))
    assert many.felled > few.felled and many.lands == few.lands
    met = outcome(8, 4, 0.33, ((4, 16),), 5, 4, False)
    assert met.lands < many.lands and met.felled < many.felled


def test_it_storms_who_cannot_fire_back() -> None:
    ours = platoon("us_rifles", "a1", *((18 + 2.5 * n, 26) for n in range(8)))
    theirs = platoon("ger_grenadiers_green", "g1", (24, 18), (27, 18), marks=1)
    session = play(ours, theirs, dice=(4,), objective=[{"at": [25, 18], "points": 3}])
    answer(session, "activate a1")
    thought = {
        choice.key: choice.worth for choice in captain(session).actions(unit_of(session, "a1"), ("assault", "run"))
    }
    assert thought["all assault"] > thought.get("all run", -inf)


# ---- choices -----------------------------------------------------------------------------------------------


def test_it_fires_at_who_stands_in_the_open_and_not_at_who_cannot_be_hurt() -> None:
    session = play(
        platoon("us_hmg_platoon", "a1", *((20 + 2.5 * n, 34) for n in range(4))),
        platoon("ger_grenadiers", "g1", *FOES, moved=True, fired=True),
        platoon("ger_tiger_platoon", "g2", (34, 19), heading=180),
        dice=(4,),
    )
    answer(session, "activate a1")
    assert chosen(session) in ("all aimed_fire", "all fire")
    answer(session, "all aimed_fire")
    assert chosen(session) == "at g1"


def test_a_check_that_failed_is_thrown_again() -> None:
    session = play(
        platoon("us_rifles", "a1", *RIFLES),
        platoon("us_commander", "a2", (23, 33)),
        platoon("ger_grenadiers", "g1", *FOES),
        dice=(1, 5),
    )
    answer(session, "activate a1")
    assert "reroll" in keys(session) and chosen(session) == "reroll"


def test_whoever_has_nothing_better_to_do_goes_to_ground_under_heavy_fire() -> None:
    ours = platoon("us_rifles", "a1", *RIFLES, moved=True, fired=True)
    guns = platoon("ger_hmg_platoon", "g1", *((19 + 2.5 * n, 19) for n in range(4)))
    session = play(guns, ours, dice=(6,), sides=["german", "american"])
    answer(session, "activate g1", "all aimed_fire", "at a1")
    assert session.ask is not None and session.ask.reaction == "go to ground"
    told = {choice.key: choice for choice in CompanyTactics(session.scenario).decide(session.battle, session.ask)}
    assert told["ground"].why[0][1] > 0, "it is worth something"


def test_a_barrage_is_worth_more_where_more_stand_together_and_less_on_friends() -> None:
    crowd = platoon("ger_grenadiers", "g1", *((24 + 2.2 * (n % 3), 12 + 1.6 * (n // 3)) for n in range(6)), moved=True)
    loner = platoon("ger_grenadiers_green", "g2", (50, 12), moved=True, leader="")
    mortars = platoon("us_mortars", "a1", (24, 40), (27, 40), (30, 40))
    battle = battle_of(mortars, crowd, loner)
    outlook = CompanyOutlook(battle, "american")
    unit = unit_of(battle, "a1")
    from_here = [team for team in unit.models if battle.team_type(team).howitzer]
    square = barrages.indirect.square_at(battle, unit, from_here, 2600, 1300)
    worth, under = barrages.fallen(outlook, from_here, square, False)
    assert worth > 0 and under == 6
    for each in unit_of(battle, "g1").models[3:]:
        each.x += 2000
    battle.invalidate()
    less, fewer = barrages.fallen(CompanyOutlook(battle, "american"), from_here, square, False)
    assert fewer == 3 and 0 < less < worth
    own = CompanyOutlook(battle, "german")
    assert barrages.fallen(own, from_here, square, False)[0] < 0, "they would be one's own"


# ---- games -------------------------------------------------------------------------------------------------


def new(name: str, seed: str) -> Session:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()[name]))
    return Session(GAME, scenario, seed=seed.encode())


def won_by(name: str, seat: int) -> str:
    """Who wins a game of the program in a seat against random answers: "greedy", "random" or nobody."""
    session, anybody = new(name, f"{name} {seat}"), RandomPlayer(seat)
    side = session.scenario.sides[seat]
    while session.ask is not None:
        ours = session.ask.side == side
        session.answer(chosen(session) if ours else anybody.choose(None, session.ask))
    result = GAME.result(session.battle)
    assert result is not None
    return {side: "greedy", "": ""}.get(result.winner, "random")


def test_it_beats_whoever_plays_at_random() -> None:
    games = [won_by(name, seat) for name in ("sunken_lane", "the_gap") for seat in (0, 1)]
    assert games.count("greedy") >= 3 and "random" not in games, games


def test_quick_answers_are_legal_and_come_to_an_end() -> None:
    session = new("sunken_lane", "quick")
    tactics, verbs = CompanyTactics(session.scenario), set()
    while session.ask is not None:
        verbs.add(session.ask.options[0].verb)
        session.answer(tactics.best(session.battle, session.ask, Clock.of(60)))
        assert GAME.invariants(session.battle) == []
    assert len(verbs) > 4


def test_a_glance_is_kept_while_nothing_changes() -> None:
    battle = battle_of(platoon("us_rifles", "a1", *RIFLES), platoon("ger_grenadiers", "g1", *FOES))
    first = replies.sketch_of(battle, "american")
    assert replies.sketch_of(battle, "american") is first
    unit_of(battle, "g1").models[0].marks = 1
    assert replies.sketch_of(battle, "american") is not first
