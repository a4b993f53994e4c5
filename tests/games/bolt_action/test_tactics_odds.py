"""What attacks are expected to do, against the dice themselves; and the coarse chart against exact sight."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest

from grognard.board.table.bodies import Body
from grognard.board.table.scene import Mark
from grognard.board.table.sight import sight
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.bolt_action import line_of_sight
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.shooting import declaring, volley
from grognard.games.bolt_action.tactics.fire import (
    chance_to_damage,
    chance_to_hit,
    chance_to_pass,
    effect_of,
    mean_of,
    profile,
    tolls,
)
from grognard.games.bolt_action.tactics.ground import ON_FOOT, chart_of
from grognard.games.bolt_action.tactics.melee import fight
from tests.games.bolt_action.play import answer, piece, play, unit


def test_chances_are_those_of_the_readers() -> None:
    assert chance_to_hit(3) == pytest.approx(4 / 6) and chance_to_hit(8) == pytest.approx(1 / 36)
    assert chance_to_damage(4) == pytest.approx(1 / 2)
    assert chance_to_pass(7) == pytest.approx(21 / 36) and chance_to_pass(12) == pytest.approx(35 / 36)
    assert chance_to_pass(-3) == pytest.approx(1 / 36)
    assert (mean_of("D6"), mean_of("2D6"), mean_of("3")) == (3.5, 7.0, 3.0)


def _men_by_odds(session: Session, key: str) -> float:
    """The men that an answer costs its target, by the exact odds of the rules."""
    found = 0.0
    for outcome in session.odds(key).outcomes:
        lost = [int(n) for text in outcome.results for n in re.findall(r"loses (\d+) m[ae]n", text)]
        found += float(outcome.probability) * sum(lost)
    return found


@pytest.mark.parametrize("cover", [[], [piece("stone_wall", (10, 15), (30, 15))]])
def test_expected_losses_are_those_of_exact_odds(cover: list[dict[str, object]]) -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("ger_grenadiers", "g1", at=(20, 14), heading=180),
        terrain=cover,
        drawn="american",
        seed=b"1",
    )
    answer(session, "unit a1", "fire")
    battle = session.battle
    assert isinstance(battle, BoltBattle)
    ours, theirs = battle.unit("a1"), battle.unit("g1")
    mode = declaring.plans(battle, ours, theirs, False)[""]
    effect = effect_of(battle, theirs, volley.prepare(battle, ours, theirs, mode.firers, False, ""))
    assert effect.men == pytest.approx(_men_by_odds(session, "at g1"), rel=0.06)


def test_a_profile_gives_what_the_volley_gives() -> None:
    session = play(
        unit("us_squad", "a1", at=(20, 30)),
        unit("ger_grenadiers", "g1", at=(20, 20), heading=180),
        drawn="american",
        seed=b"1",
    )
    battle = session.battle
    assert isinstance(battle, BoltBattle)
    ours, theirs = battle.unit("a1"), battle.unit("g1")
    mode = declaring.plans(battle, ours, theirs, False)[""]
    exact = effect_of(battle, theirs, volley.prepare(battle, ours, theirs, mode.firers, False, ""))
    near = tolls(battle, theirs, profile(battle, ours, theirs, False), np.array([900.0]), np.zeros(1, np.int8))
    assert float(near.lost[0]) == pytest.approx(exact.men, rel=0.1)


def test_a_fight_of_one_against_one_is_exact() -> None:
    chance = 0.5
    first = fight(1, 1.0, chance, 1, 1.0, chance, False)
    # The attacker strikes first; if both miss they strike together until somebody falls.
    together = fight(1, 1.0, chance, 1, 1.0, chance, True)
    assert together.won >= together.lost - 1e-9
    assert first.won == pytest.approx(0.5 + 0.25 * together.won, abs=0.02)
    assert first.won > first.lost


def test_more_men_and_better_arms_win_fights() -> None:
    odds = [fight(men, arms, 0.5, 6, 1.0, 0.5, False).won for men, arms in product((4, 8), (1.0, 2.0))]
    assert odds == sorted(odds) and odds[-1] > 0.9


def test_the_chart_sees_nearly_what_the_rules_see() -> None:
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["crossroads"]))
    session = Session(GAME, scenario, seed=b"1")
    battle = session.battle
    assert isinstance(battle, BoltBattle)
    chart, foot = chart_of(scenario.table), charts().footprints["man"]
    outdoors = np.flatnonzero(chart.building[chart.where] < 0)[::9]
    row = chart.sight(3600, 3500, chart.x[outdoors], chart.y[outdoors], ON_FOOT)
    marks = [Mark(Body(int(chart.x[i]), int(chart.y[i]), 0, foot)) for i in outdoors]
    exact = sight(battle.scene, [battle.scene.eye(Body(3600, 3500, 0, foot))], marks, line_of_sight.rules())
    assert float((exact.seen[0] == row.seen).mean()) > 0.93


def test_ways_lead_round_what_is_closed() -> None:
    session = play(
        unit("us_squad", "a1", at=(10, 24)),
        unit("ger_grenadiers", "g1", at=(60, 4)),
        terrain=[piece("river", (36, 0), (36, 40))],
        drawn="american",
        seed=b"1",
    )
    chart = chart_of(session.scenario.table)
    turns = chart.turns_to("far bank", chart.near_point(4600, 1000, 200), "infantry")
    over, beside = float(turns[chart.nearest(2600, 1000)]), float(turns[chart.nearest(5600, 1000)])
    assert beside < 1.5 and over > 4
