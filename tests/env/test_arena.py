"""Battles as environments: actions, rewards, ends, opponents and what is refused."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

from grognard import env
from grognard.core.errors import GrognardError, IllegalError
from grognard.env import arena
from grognard.env.arena import BattleEnv

SMALL = "ost/training_ground"


@pytest.fixture(scope="module")
def battle() -> BattleEnv:
    """The smallest battle."""
    return env.raw_env(SMALL, options=32)


def play(battle: BattleEnv, seed: int) -> dict[str, float]:
    """Play to the end at random; what each agent got in all."""
    battle.reset(seed=seed)
    rng, total = Random(seed), dict.fromkeys(battle.agents, 0.0)
    while battle.agents:
        agent = battle.agent_selection
        _, reward, ended, stopped, _ = battle.last(observe=False)
        total[agent] += reward
        battle.step(None if ended or stopped else rng.randrange(len(battle.options)))
    return total


def test_actions_are_the_options_in_their_order(battle: BattleEnv) -> None:
    battle.reset(seed=1)
    ask = battle.session.ask
    assert ask is not None and len(ask.options) > 1
    assert battle.options == ask.options
    seen = battle.observe(battle.agent_selection)
    assert seen["action_mask"].tolist() == [1] * len(ask.options) + [0] * (32 - len(ask.options))
    battle.step(np.int64(1))
    assert battle.session.answers[0].key == ask.options[1].key


def test_the_other_side_has_no_actions(battle: BattleEnv) -> None:
    battle.reset(seed=1)
    other = next(agent for agent in battle.agents if agent != battle.agent_selection)
    seen = battle.observe(other)
    assert not seen["action_mask"].any()
    assert not battle.layout.split(seen["observation"]).options.any()


def test_a_masked_action_changes_nothing(battle: BattleEnv) -> None:
    battle.reset(seed=1)
    before = battle.session.digest
    for action in (len(battle.options), -1, None):
        with pytest.raises(IllegalError, match="is masked; 0 to"):
            battle.step(action)
    assert battle.session.digest == before


def test_wrapped_a_masked_action_loses() -> None:
    battle = env.env(SMALL, options=32)
    battle.reset(seed=1)
    agent = battle.agent_selection
    battle.last()
    battle.step(31)
    assert battle.terminations[agent] and battle.rewards[agent] == -1


def test_the_winner_gets_what_the_loser_loses(battle: BattleEnv) -> None:
    winners = set()
    for seed in range(6):
        got = play(battle, seed)
        result = battle.session.result
        assert result is not None
        winners.add(result.winner)
        assert got == {side: 0.0 if not result.winner else 1.0 if side == result.winner else -1.0 for side in got}
    assert len(winners) > 1


@pytest.mark.parametrize("shaping", ["score", "standing"])
def test_shaping_adds_up_to_the_same_however_it_is_played(shaping: str) -> None:
    shaped = env.raw_env(SMALL, options=32, shaping=shaping)
    for seed in range(4):
        shaped.reset(seed=seed)
        opening = shaped._potential
        got = play(shaped, seed)
        result = shaped.session.result
        assert result is not None
        assert got["american"] == pytest.approx((1 if result.winner == "american" else -1) - opening)
        assert sum(got.values()) == pytest.approx(0)


def test_a_long_game_is_cut_short() -> None:
    battle = env.raw_env(SMALL, options=32, limit=10)
    battle.reset(seed=3)
    while not any(battle.truncations.values()):
        battle.step(0)
    assert len(battle.session.answers) == 10
    assert not any(battle.terminations.values())
    assert not battle.observe("german")["action_mask"].any()


def test_forced_answers_are_given_unless_they_are_wanted() -> None:
    skipping, asking = (env.raw_env(SMALL, options=32, skip_forced=skip) for skip in (True, False))
    for battle, least in ((skipping, 2), (asking, 1)):
        battle.reset(seed=4)
        rng, fewest = Random(4), 99
        while not battle.terminations[battle.agent_selection]:
            fewest = min(fewest, len(battle.options))
            battle.step(rng.randrange(len(battle.options)))
        assert fewest == least


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_a_side_may_be_played_by_the_house(opponent: str) -> None:
    battle = env.raw_env(SMALL, options=32, opponents={"german": opponent})
    assert battle.possible_agents == ["american"]
    games = []
    for _ in range(2):
        battle.reset(seed=6)
        for _ in range(12):
            assert battle.agent_selection == "american"
            battle.step(0)
        games.append(battle.session.digest)
    assert {answer.side for answer in battle.session.answers} == {"american", "german"}
    assert games[0] == games[1]


def test_pictures() -> None:
    text = env.raw_env(SMALL, options=32, render_mode="ansi")
    text.reset(seed=1)
    assert "G3: Rifle Squad g1, german" in str(text.render())
    picture = env.raw_env(SMALL, options=32, render_mode="svg")
    picture.reset(seed=1)
    assert ElementTree.fromstring(str(picture.render())).tag.endswith("svg")


def test_what_makes_no_environment_is_refused(battle: BattleEnv) -> None:
    for choices, words in (
        ({"opponents": {"germans": "random"}}, "did you mean 'german'"),
        ({"opponents": {"german": "human"}}, "is a person"),
        ({"opponents": {"german": "gredy"}}, "did you mean 'greedy'"),
        ({"opponents": {"german": "random", "american": "random"}}, "no side is left"),
        ({"shaping": "scores"}, "did you mean 'score'"),
        ({"render_mode": "rgb_array"}, "render mode"),
        ({"options": 0}, "at least 1"),
    ):
        with pytest.raises(GrognardError, match=words):
            env.raw_env(SMALL, **choices)
    battle.reset(seed=1)
    with pytest.raises(GrognardError, match="render_mode="):
        battle.render()


def test_without_pettingzoo_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    spec = spec_from_file_location("arena_alone", str(arena.__file__))
    assert spec is not None and spec.loader is not None
    with pytest.raises(ImportError, match=r"pip install 'grognard\[rl\]'"):
        spec.loader.exec_module(module_from_spec(spec))


def test_a_battle_made_at_random_has_a_name_too() -> None:
    battle = env.raw_env("random:size=small,seed=7")
    assert re.fullmatch(r"grognard_[a-z0-9_]+_v0", str(battle))
