"""The player that looks ahead: it plays the best proposals on in thought, and takes the one that comes out best."""

from __future__ import annotations

from itertools import count
from math import inf
from random import Random

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal, tactics_of
from grognard.players import helpers
from grognard.players.greedy import propose
from grognard.players.playouts import Playouts, Score, Settings
from grognard.players.thought import Thought, note, option_of, weighed
from grognard.players.undisturbed import undisturbed

#: The part of the time that the proposals may take, and what is kept back for the answer, in seconds.
PROPOSING, RESERVE = 0.45, 0.1
#: How many playouts an answer takes where nobody says how long it may take.
PLAYOUTS = 200
#: The number of rounds that should fit into the time, and the least number of candidates that take part in them.
ENOUGH, FEWEST = 5, 3


class SearchPlayer:
    """Looks ahead from its game's proposals, as long as it may.

    With a number of ``playouts`` it looks at no clock, and so it does with a usual number where there is no deadline
    (``inf``): the same seed in the same position then answers the same on any machine. ``rounds`` says how often every
    candidate is played on at most. ``workers`` is how many processes think, this one among them.
    """

    thinks = True

    def __init__(
        self,
        seed: int | str | bytes = 0,
        *,
        name: str = "search",
        playouts: int | None = None,
        rounds: int | None = None,
        workers: int = 1,
        settings: Settings | None = None,
    ) -> None:
        self.seed = seed.hex() if isinstance(seed, bytes) else str(seed)
        self.name, self.workers, self._told = name, workers, settings
        self.settings = settings or Settings()
        self.playouts, self.rounds = playouts, rounds
        #: What was thought about the last question, how many playouts led nowhere, and how many answers they took.
        self.thought: Thought | None = None
        self.failed = self.answers = 0

    @undisturbed()
    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the question that stands in a copy which knows what its side knows."""
        begun = Clock.now()
        ask = probe.ask
        if ask is None:
            raise GrognardError("the battle is over; no question stands")
        tactics = tactics_of(probe.game, probe.scenario)
        self.settings = self._told or Settings(bias=tactics.doubt)
        if self.playouts is not None:
            deadline = inf
        clock = Clock(deadline - min(RESERVE, 0.1 * max(deadline - begun, 0.0)))
        proposals = propose(tactics, probe, clock.part(PROPOSING))
        raced = self._candidates(proposals) if tactics.joined(probe.battle) else proposals[:1]
        scores: list[Score] = []
        chosen = raced[0].key
        if len(raced) > 1:
            scores = self._race(probe, raced, clock)
            best = raced[0].worth
            judged = [score.judge(each.worth - best, self.settings) for score, each in zip(scores[1:], raced[1:])]
            taken = [n for n, each in enumerate(judged, 1) if each.taken(self.settings.sure)]
            if taken:
                chosen = raced[max(taken, key=lambda n: judged[n - 1].better)].key
        seen = {each.key: score for each, score in zip(raced, scores)}
        self.thought = note(
            probe,
            self.name,
            chosen,
            [
                weighed(each, option_of(ask, each.key), seen.get(each.key, NONE).mean, seen.get(each.key, NONE).visits)
                for each in proposals
            ],
            seconds=Clock.now() - begun,
            standing=tactics.standing(probe.battle, ask.side),
            looked=sum(score.visits for score in scores),
        )
        return chosen

    def _candidates(self, proposals: list[Proposal]) -> list[Proposal]:
        """The proposals that may turn out to be best."""
        least = proposals[0].worth - self.settings.cut
        found = {each.key: each for each in reversed(proposals) if each.worth >= least}
        return list(found.values())[::-1][: self.settings.candidates]

    def _race(self, probe: Session, raced: list[Proposal], clock: Clock) -> list[Score]:
        assert probe.ask is not None
        tactics = tactics_of(probe.game, probe.scenario)
        seed = str(Random(f"{self.seed} {probe.digest} {probe.ask.prompt}").getrandbits(64))
        keys = [each.key for each in raced]
        priors = [each.worth - raced[0].worth for each in raced]
        rounds, playouts = self.rounds, Playouts(probe, tactics, seed, self.settings)
        if rounds is None and clock.end == inf:
            rounds = max((self.playouts or PLAYOUTS) // len(keys), 1)
        elif rounds is None:
            playouts, fit = self._within(clock, playouts, keys)
            keys, priors = keys[:fit], priors[:fit]
        task = helpers.Task(None, keys, priors, seed, playouts.settings, clock.end, self.workers, rounds)
        asked = helpers.ask(probe, task) if self.workers > 1 else []
        numbers = range(0, rounds, self.workers) if rounds is not None else count(0, self.workers)
        scores = playouts.race(keys, priors, iter(numbers), clock)
        self.failed, self.answers = playouts.failed, playouts.answers
        for more in helpers.collect(asked, clock, wait=rounds is not None):
            for score, other in zip(scores, more):
                score.add(other)
        return scores

    def _within(self, clock: Clock, playouts: Playouts, keys: list[str]) -> tuple[Playouts, int]:
        """How far to look and at how many candidates, so that enough rounds fit into the time.

        Where playouts take long one looks at fewer candidates, and then half as far.
        """
        playout = playouts.try_out(keys[0], clock)
        fit = clock.left * self.workers / playout / ENOUGH
        if fit >= min(FEWEST, len(keys)):
            return playouts, min(int(fit), len(keys))
        settings = playouts.settings
        settings = settings._replace(turns=max(settings.turns // 2, 1), answers=settings.answers // 2)
        nearer = Playouts(playouts.probe, playouts.tactics, playouts.seed, settings)
        return nearer, min(len(keys), max(FEWEST, int(2 * fit)))


NONE = Score()
