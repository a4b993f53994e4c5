"""Observations: their layout, their bounds, what they tell, and that they tell no secret."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from grognard import env
from grognard.core.session import Session
from grognard.env.arena import BattleEnv
from grognard.env.encoding import Encoder
from grognard.env.layout import Floats, Layout, Words, state
from grognard.env.thinning import thinned
from tests.players.test_honesty import pairs


def test_parts_are_views_of_the_whole() -> None:
    layout = Layout(("move", "fire"), Words(("Points",), ("range",), ("woods",)), 3, 2, 4)
    whole = np.arange(layout.size, dtype=np.float32)
    parts = layout.split(whole)
    assert [part.size for part in parts] == [np.prod(shape) for shape in layout.shapes.values()]
    assert np.concatenate([part.ravel() for part in parts]).tolist() == whole.tolist()
    parts.options[3, layout.column("options", "verb fire")] = -1
    assert (whole == -1).sum() == 1


@pytest.mark.parametrize("scenario", ["ost/steppe", "ost/canal_bridge", "bolt_action/bridge"])
def test_figures_keep_within_their_bounds(scenario: str) -> None:
    battle = env.raw_env(scenario)
    battle.reset(seed=2)
    rng = Random(2)
    names = {part: list(columns) for part, columns in battle.layout.columns.items()}
    assert all(len(set(columns)) == len(columns) for columns in names.values())
    for count in range(90):
        if count % 3 == 0:
            agent = battle.agent_selection
            seen = battle.observe(agent)
            assert battle.observation_space(agent).contains(seen)
            parts = battle.layout.split(seen["observation"])
            assert parts.options[:, 0].sum() == len(battle.options) == seen["action_mask"].sum()
            verbs = parts.options[:, names["options"].index(f"verb {next(iter(battle.layout.verbs))}") :]
            assert verbs.sum() == len(battle.options)
            assert not verbs[:, -1].any(), "a verb that the game does not explain"
            assert parts.units[:, 0].sum() == len(battle.game.view(battle.session.battle, agent).units)
        battle.step(rng.randrange(len(battle.options)))


STATE_WORDS = """
fired moved reduced shaken broken used aboard hidden bogged immobilized captured unmanned inside intensive assaulted pin
advance fire run ambush rally down dug green out carries loaded to in has enters immobilised machine clearing rolling
"""


def test_states_keep_apart() -> None:
    words = STATE_WORDS.split()
    assert len({tuple(state(word)[0]) for word in words}) == len(words)


def americans_first() -> BattleEnv:
    """The smallest battle, where the Americans have won the initiative."""
    battle = env.raw_env("ost/training_ground")
    for seed in range(20):
        battle.reset(seed=seed)
        if battle.agent_selection == "american":
            return battle
    raise AssertionError("the Americans never begin")


def test_an_observation_tells_the_position() -> None:
    battle = americans_first()
    parts = battle.layout.split(battle.observe("american")["observation"])
    unit = {name: parts.units[:, number] for number, name in enumerate(battle.layout.columns["units"])}
    assert unit["own"][:6].tolist() == [1, 1, 1, 1, -1, 0]  # the second German squad is not on the map yet
    assert unit["on map"][:5].all() and not unit["on map"][5:].any()
    assert unit["worth"][1] < unit["worth"][0]  # a2 has been shelled
    objective = parts.markers[0]
    assert objective[:2].tolist() == [1, -1] and objective[4] == 1
    assert (objective[2], objective[3]) == (unit["x"][4], unit["y"][4])  # the German squad stands on it


def test_a_step_towards_the_objective_is_told() -> None:
    battle = americans_first()
    battle.step(next(number for number, option in enumerate(battle.options) if option.key == "move a1"))
    parts = battle.layout.split(battle.observe("american")["observation"])
    nearer = parts.options[:, battle.layout.column("options", "nearer objective")]
    steps = {option.place: nearer[number] for number, option in enumerate(battle.options) if option.verb == "step"}
    assert max(steps, key=lambda place: steps[place])[0] == "C"  # from B3 to G3
    assert min(steps.values()) < 0 < max(steps.values())


def test_many_options_are_thinned_by_verb() -> None:
    battle = env.raw_env("ost/steppe", options=24)
    battle.reset(seed=1)
    ask = battle.session.ask
    assert ask is not None and len(ask.options) > 24
    assert len(battle.options) == 24
    assert {option.verb for option in battle.options} == {option.verb for option in ask.options}
    assert battle.options[0] == ask.options[0] and battle.options[-1] == ask.options[-1]
    assert battle.layout.split(battle.observe(ask.side)["observation"]).globals[6] == 1
    keys = [option.key for option in ask.options]
    assert [keys.index(option.key) for option in battle.options] == sorted(
        keys.index(option.key) for option in battle.options
    )


@pytest.mark.parametrize("most", range(1, 40))
def test_thinning_is_fair(most: int) -> None:
    words = [*(f"a{n}" for n in range(3)), *(f"b{n}" for n in range(20)), *(f"c{n}" for n in range(12))]
    kept = thinned(words, most, lambda word: word[0])
    assert len(kept) == len(set(kept)) == min(most, len(words))
    counts = [sum(word[0] == letter for word in kept) for letter in "abc"]
    if most >= 3:
        assert min(counts) >= 1
    for count, there in zip(counts, (3, 20, 12)):
        assert count == there or count >= max(counts) - 1


def test_scenarios_can_share_their_columns() -> None:
    names = ("ost/training_ground", "ost/steppe")
    words = [env.raw_env(name).layout.words for name in names]
    both = words[0].joined(words[1])
    assert set(both.stats) == {*words[0].stats, *words[1].stats}
    assert set(both.grounds) == {*words[0].grounds, *words[1].grounds} > {"open", "road"}
    one, two = (env.raw_env(name, words=both) for name in names)
    assert one.layout.columns == two.layout.columns
    assert one.observation_space(one.possible_agents[0]) == two.observation_space(two.possible_agents[0])


# ---- secrets -----------------------------------------------------------------------------------------


def encoded(session: Session, side: str) -> Floats:
    """A position as a side sees it, with its options if it is asked."""
    game, scenario, ask = session.game, session.scenario, session.ask
    assert ask is not None
    verbs = tuple(help.verb for help in game.verbs())
    encoder = Encoder(game, scenario, Layout(verbs, Words.of(game, scenario), 48, 24, 64))
    if side != ask.side:
        return encoder.encode(session.battle, side, None, ())
    return encoder.encode(session.battle, side, ask, thinned(ask.options, 64, lambda option: option.verb))


SECRETIVE = [("ost", "canal_bridge"), ("ost", "mill_farm"), ("ost", "print_works"), ("bolt_action", "breakout")]


@pytest.mark.parametrize("battle", SECRETIVE, ids="/".join)
def test_what_a_side_cannot_know_is_not_in_its_observation(battle: tuple[str, str]) -> None:
    hidden = 0
    for true, other in pairs(battle):
        side = true.ask.side if true.ask else ""
        enemy = next(each for each in true.scenario.sides if each != side)
        assert np.array_equal(encoded(true, side), encoded(other, side))
        hidden += not np.array_equal(encoded(true, enemy), encoded(other, enemy))
    assert hidden, "nothing was hidden that an observation could have told"
