"""The player that takes the best of what its game's tactics propose."""

from __future__ import annotations

from math import exp, inf
from random import Random

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal, Tactics, tactics_of
from grognard.players.thought import Thought, note, option_of, weighed

#: Of a budget, the part that is left for writing the thought down.
SPARE = 0.02
#: Among so many of the best a player with slack chooses: the rest is not lesser but bad.
LESSER = 4


class GreedyPlayer:
    """Plays by its game's tactics. The same seed in the same position answers the same, while time suffices; without
    a deadline (``inf``) always.

    With ``slack`` it often takes a lesser answer: one that is worth so many hundredths of a battle less than the best
    is taken about a third as often.
    """

    #: It gets a copy of the battle to try things in.
    thinks = True

    def __init__(self, seed: int | str | bytes = 0, *, name: str = "greedy", slack: float = 0.0) -> None:
        self.seed = seed.hex() if isinstance(seed, bytes) else str(seed)
        self.name, self.slack = name, slack
        #: What was thought about the last question.
        self.thought: Thought | None = None

    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the question that stands in a copy which knows what its side knows."""
        begun = Clock.now()
        ask = probe.ask
        if ask is None:
            raise GrognardError("the battle is over")
        tactics = tactics_of(probe.game, probe.scenario)
        spare = 0.0 if deadline == inf else SPARE * (deadline - begun)
        proposals = propose(tactics, probe, Clock(deadline - spare))
        chosen = self._take(probe, proposals)
        self.thought = note(
            probe,
            self.name,
            chosen,
            [weighed(proposal, option_of(ask, proposal.key)) for proposal in proposals],
            seconds=Clock.now() - begun,
            standing=tactics.standing(probe.battle, ask.side),
        )
        return chosen

    def _take(self, probe: Session, proposals: list[Proposal]) -> str:
        best = proposals[0]
        if not self.slack or len(proposals) == 1:
            return best.key
        good = proposals[:LESSER]
        weights = [exp((proposal.worth - best.worth) / self.slack) for proposal in good]
        rng = Random(f"{self.seed} {probe.digest} {probe.ask.prompt if probe.ask else ''}")
        return rng.choices(good, weights)[0].key


def propose(tactics: Tactics, probe: Session, clock: Clock) -> list[Proposal]:
    """What the tactics propose; of a question with one answer, that one without a thought."""
    ask = probe.ask
    assert ask is not None
    if only := ask.only:
        return [Proposal(only, 0.0)]
    found = tactics.propose(probe.battle, ask, clock)
    if not found:
        raise GrognardError(
            f"{probe.game.title} proposes no answer to “{ask.prompt}”; its tactics must propose at least one"
        )
    return found
