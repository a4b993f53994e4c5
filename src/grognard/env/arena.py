"""A battle as an environment in which agents answer one after the other (PettingZoo's AEC), with masks of actions."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grognard.core import open_files
from grognard.core.ask import Option
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.session import Session
from grognard.core.tactics import tactics_of
from grognard.core.words import unknown
from grognard.env.encoding import Encoder
from grognard.env.layout import Layout, Words
from grognard.env.thinning import thinned
from grognard.players.seats import HUMAN, Player, Thinker, make_player, make_ready, pick

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError("grognard.env needs PettingZoo; install it with: pip install 'grognard[rl]'") from error

#: The version of the environments, in their names: raised when observations, actions or rewards change.
VERSION = 0

#: What a game of which nobody wins is worth to everybody, and what the winner gets and the others lose.
DRAW, WIN = 0.0, 1.0

#: What rewards can be shaped by; "" is nothing but the result.
SHAPES = ("", "score", "standing")
#: By this many points of the score more than the enemy, besides what both have, the score is half a win.
EVEN_SCORE = 10.0

RENDERS = ("ansi", "human", "svg")


def env(scenario: str = "", **choices: Any) -> Any:
    """A battle as an environment, wrapped as is the custom: see `BattleEnv` for the choices.

    An action that the mask forbids ends the game as a loss of whoever took it.
    """
    battle = wrappers.TerminateIllegalWrapper(BattleEnv(scenario, **choices), illegal_reward=-WIN)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(battle))


class BattleEnv(AECEnv):  # type: ignore[misc]
    """A scenario, named as on the command line, whose sides are the agents; "" is the smallest there is.

    ``options``, ``units`` and ``markers`` are how many rows an observation has of each; there are as many actions as
    options. ``words`` names its columns, by default those of the scenario. ``limit`` truncates a game after so many
    answers. ``opponents`` names players of the house for sides that are no agents then. ``skip_forced`` answers
    questions that have one answer. ``shaping`` adds to the rewards how the "score" or the "standing" changes.
    ``render_mode`` is "ansi", "human" (the same, printed) or "svg".
    """

    def __init__(
        self,
        scenario: str = "",
        *,
        options: int = 256,
        units: int = 48,
        markers: int = 24,
        words: Words | None = None,
        limit: int = 5000,
        opponents: Mapping[str, str] | None = None,
        skip_forced: bool = True,
        shaping: str = "",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game, self.scenario = open_files.open_scenario(scenario)
        sides: Sequence[str] = self.scenario.sides
        self.opponents = dict(opponents or {})
        _check(self.opponents, sides, shaping, render_mode, {"options": options, "units": units, "limit": limit})
        verbs = tuple(help.verb for help in self.game.verbs())
        self.layout = Layout(verbs, words or Words.of(self.game, self.scenario), units, markers, options)
        self.limit, self.skip_forced, self.shaping, self.render_mode = limit, skip_forced, shaping, render_mode
        name = re.sub(r"\W+", "_", f"grognard_{self.game.name}_{self.scenario.name}".lower())
        self.metadata = {"name": f"{name}_v{VERSION}", "render_modes": list(RENDERS), "is_parallelizable": False}
        self.possible_agents: list[str] = [side for side in sides if side not in self.opponents]
        self._encoder = Encoder(self.game, self.scenario, self.layout)
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(options) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.np_random: np.random.Generator | None = None
        #: The options that the actions stand for, in their order; none when the battle is over.
        self.options: list[Option] = []

    def _observation_space(self) -> Dict:
        figures = Box(-1.0, 1.0, (self.layout.size,), np.float32)
        return Dict({"observation": figures, "action_mask": Box(0, 1, (self.layout.options,), np.int8)})

    def observation_space(self, agent: str) -> Dict:
        """What the observations of an agent look like."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The actions of an agent."""
        return self.action_spaces[agent]

    # -- play ------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new battle; the same seed gives the same dice. Without one the next of a series follows."""
        if seed is not None or self.np_random is None:
            self.np_random, _ = seeding.np_random(seed)
        dice = self.np_random.bytes(16)
        players = {side: make_player(name, f"{dice.hex()} {side}") for side, name in self.opponents.items()}
        self._players: dict[str, Player | Thinker] = {side: each for side, each in players.items() if each is not None}
        thinking = any(isinstance(player, Thinker) for player in players.values())
        self.session = Session(self.game, self.scenario, seed=dice, snapshots=thinking)
        make_ready(self.session, self._players.values())
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._go_on()
        self._potential = self._standing()

    def step(self, action: int | None) -> None:
        """Answer the question that stands with an option, by its number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self.options):
            right = f"0 to {len(self.options) - 1} are" if len(self.options) > 1 else "0 is"
            raise IllegalError(str(action), self.session.ask, f"action {action!r} is masked; {right} legal")
        self._cumulative_rewards[agent] = 0.0
        self.session.answer(self.options[action].key, trusted=True)
        self._go_on()
        self._reward()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _go_on(self) -> None:
        """Let the players of the house answer, and whatever has one answer, up to an agent's question or the end."""
        session = self.session
        while (ask := session.ask) is not None and len(session.answers) < self.limit:
            player = self._players.get(ask.side)
            if player is not None:
                session.answer(pick(player, session, math.inf), trusted=True)
            elif self.skip_forced and len(ask.options) == 1:
                session.answer(ask.options[0].key, trusted=True)
            else:
                break
        self._observed: dict[str, dict[str, Any]] = {}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.options = []
        if ask is None or len(session.answers) >= self.limit:
            self._end(over=ask is None)
            return
        self.agent_selection = ask.side
        self.infos[ask.side] = {"prompt": ask.prompt}
        self.options = thinned(ask.options, self.layout.options, lambda option: option.verb)

    def _end(self, over: bool) -> None:
        """The battle is over, or long enough."""
        ended = self.terminations if over else self.truncations
        ended.update(dict.fromkeys(self.agents, True))
        self.agent_selection = self.agents[0]
        if result := self.session.result:
            for info in self.infos.values():
                info.update(winner=result.winner, reason=result.reason)

    def _reward(self) -> None:
        """What the last answer brought each agent: the result at the end, and the change of what shapes it.

        A battle that is over stands even, so that shaping adds up to the same however it is played: it moves rewards
        to where they are earned, and no other play becomes the best.
        """
        before, self._potential = self._potential, self._standing()
        result = self.session.result if self.session.over else None
        first = self.scenario.sides[0]
        for agent in self.agents:
            won = DRAW if result is None or not result.winner else WIN if result.winner == agent else -WIN
            gain = self._potential - before
            self.rewards[agent] = won + (gain if agent == first else -gain)

    def _standing(self) -> float:
        """How the battle stands for the first side, by whatever shapes the rewards."""
        if not self.shaping or self.session.over:
            return 0.0
        battle, first = self.session.battle, self.scenario.sides[0]
        if self.shaping == "standing":
            return tactics_of(self.game, self.scenario).standing(battle, first)
        score = self.game.score(battle)
        own, both = score.get(first, 0.0), sum(score.values())
        return (2 * own - both) / (abs(own) + abs(both - own) + EVEN_SCORE)

    # -- what is seen ------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and which actions it may take: none unless it is asked."""
        if agent not in self._observed:
            ask = self.session.ask if self.options else None
            if ask is not None and ask.side != agent:
                ask = None
            options = self.options if ask is not None else []
            mask = np.zeros(self.layout.options, dtype=np.int8)
            mask[: len(options)] = 1
            figures = self._encoder.encode(self.session.battle, agent, ask, options)
            self._observed[agent] = {"observation": figures, "action_mask": mask}
        return self._observed[agent]

    def render(self) -> str | None:
        """The battle as a referee sees it: as text, printed, or as a picture in SVG."""
        if self.render_mode is None:
            raise GrognardError(f"say how to render when the environment is made: render_mode={RENDERS[0]!r}")
        if self.render_mode == "svg":
            return self.game.draw(self.session.battle, "")
        text = self.game.draw_text(self.session.battle, "")
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """There is nothing to let go of."""


#: The environment without wrappers: a masked action is an error, and changes nothing.
raw_env = BattleEnv


def _check(
    opponents: Mapping[str, str], sides: Sequence[str], shaping: str, render_mode: str | None, sizes: Mapping[str, int]
) -> None:
    """Refuse choices that make no environment."""
    for side, name in opponents.items():
        if side not in sides:
            raise unknown("side", side, sides)
        if name == HUMAN:
            raise GrognardError(f"{HUMAN!r} is a person; an opponent is a program such as 'random'")
        make_player(name, "")
    if len(opponents) >= len(sides):
        raise GrognardError("no side is left for an agent; leave one out of the opponents")
    if shaping not in SHAPES:
        raise unknown("shaping of rewards", shaping, SHAPES[1:])
    if render_mode is not None and render_mode not in RENDERS:
        raise unknown("render mode", render_mode, RENDERS)
    for name, size in sizes.items():
        if size < 1:
            raise GrognardError(f"{name}={size}: at least 1 is needed")
