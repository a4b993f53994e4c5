"""The player that looks ahead: it plays the best proposals on in thought, and takes the one that comes out best."""

from __future__ import annotations

from itertools import count
from math import inf
from random import Random
from typing import NamedTuple

import msgspec

from grognard.core.ask import Ask
from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal, Reason, tactics_of
from grognard.players import worker_processes
from grognard.players.gc_pause import gc_paused
from grognard.players.greedy import propose
from grognard.players.playouts import LEAST, Line, Playouts, Score, Settings
from grognard.players.thought import Thought, Weighed, note, option_of, weighed

#: The part of the time that the proposals may take, and what is kept back for the answer, in seconds.
PROPOSING, RESERVE = 0.45, 0.1
#: The part of what is left for thought in which other ways to go on are looked for.
FORESEEING = 0.15
#: How many playouts an answer takes where nobody says how long it may take.
PLAYOUTS = 200
#: The number of rounds that should fit into the time, and the least number of candidates that take part in them.
ENOUGH, FEWEST = 5, 3


class Raced(NamedTuple):
    """A line that was played on, what came of it, and by how many hundredths it is thought better than the first."""

    line: Line
    score: Score
    better: float = 0.0


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
        #: What was answered last where there was a choice, and how it is meant to go on.
        self.line = Line("")

    @gc_paused()
    def choose_from(self, probe: Session, deadline: float) -> str:
        """The key of an option of the question that stands in a copy which knows what its side knows."""
        begun = Clock.now()
        ask = probe.ask
        if ask is None:
            raise GrognardError("the battle is over")
        tactics = tactics_of(probe.game, probe.scenario)
        self.settings = self._told or Settings(bias=tactics.doubt, looks=tactics.looks, spread=tactics.spread)
        if self.playouts is not None:
            deadline = inf
        clock = Clock(deadline - min(RESERVE, 0.1 * max(deadline - begun, 0.0)))
        proposals = self._kept_to(ask, propose(tactics, probe, clock.part(PROPOSING)))
        raced = [Raced(Line(proposals[0].key), Score())]
        if not ask.only and tactics.joined(probe.battle):
            raced = self._race(probe, self._candidates(proposals), clock)
        chosen = raced[0].line
        if not ask.only:
            self.line = chosen
        self.thought = note(
            probe,
            self.name,
            chosen.key,
            _options(ask, proposals, raced),
            seconds=Clock.now() - begun,
            standing=tactics.standing(probe.battle, ask.side),
            looked=sum(each.score.visits for each in raced),
            meant=(chosen.prompt, chosen.then),
        )
        return chosen.key

    def recall(self, thought: Thought) -> None:
        """Go on with what was meant by somebody who played the side before, as his thought tells."""
        self.line = Line(thought.chosen, 0, *thought.meant)

    def _kept_to(self, ask: Ask, proposals: list[Proposal]) -> list[Proposal]:
        """The proposals; what was meant when the last real question was answered comes first."""
        meant = next((each for each in proposals if (ask.prompt, each.key) == (self.line.prompt, self.line.then)), None)
        if meant is None:
            return proposals
        others = [each for each in proposals if each is not meant]
        if (short := proposals[0].worth - meant.worth) > 0:
            reason = Reason("it was part of the plan", short)
            meant = meant._replace(worth=proposals[0].worth, reasons=(*meant.reasons, reason))
        return [meant, *others]

    def _candidates(self, proposals: list[Proposal]) -> list[Proposal]:
        """The proposals that may turn out to be best."""
        least = proposals[0].worth - self.settings.cut
        found = {each.key: each for each in reversed(proposals) if each.worth >= least}
        return list(found.values())[::-1][: self.settings.candidates]

    def _lines(self, playouts: Playouts, raced: list[Proposal], clock: Clock) -> tuple[list[Line], list[float]]:
        """The candidates and other ways to go on with them, by how much they promise: less than the first does."""
        best = raced[0].worth
        found = [(Line(each.key), each.worth - best) for each in raced]
        if self.settings.lines:
            end = clock.part(FORESEEING)
            for each in raced:
                if end.late:
                    break
                more = playouts.other_lines(each.key, self.settings.ways, end)
                found += [(line, each.worth - best + less) for line, less in more]
        first, *others = found
        others = sorted(others, key=lambda each: -each[1])
        kept = [first, *(each for each in others if each[1] >= -self.settings.cut)]
        kept = kept[: max(self.settings.lines, self.settings.candidates)]
        return [line for line, _ in kept], [prior for _, prior in kept]

    def _race(self, probe: Session, raced: list[Proposal], clock: Clock) -> list[Raced]:
        """What was raced and what came of it, the line that is taken first."""
        assert probe.ask is not None
        tactics = tactics_of(probe.game, probe.scenario)
        seed = str(Random(f"{self.seed} {probe.digest} {probe.ask.prompt}").getrandbits(64))
        rounds, playouts = self.rounds, Playouts(probe, tactics, seed, self.settings)
        lines, priors = self._lines(playouts, raced, clock)
        if len(lines) == 1:
            return [Raced(lines[0], Score())]
        if rounds is None and clock.end == inf:
            rounds = max((self.playouts or PLAYOUTS) // len(lines), 1)
        elif rounds is None:
            playouts, fit = self._within(clock, playouts, lines)
            lines, priors = lines[:fit], priors[:fit]
        task = worker_processes.Task(None, lines, priors, seed, playouts.settings, clock.end, self.workers, rounds)
        asked = worker_processes.ask(probe, task) if self.workers > 1 else []
        numbers = range(0, rounds, self.workers) if rounds is not None else count(0, self.workers)
        scores = playouts.race(lines, priors, iter(numbers), clock)
        self.failed, self.answers = playouts.failed, playouts.answers
        for more in worker_processes.collect(asked, clock, wait=rounds is not None):
            for score, other in zip(scores, more):
                score.add(other)
        judged = [score.judge(prior, self.settings) for score, prior in zip(scores, priors)]
        sure = self.settings.sure
        better = [n for n, each in enumerate(judged) if n and scores[n].pairs >= LEAST and each.taken(sure)]
        taken = max(better, key=lambda n: judged[n].better, default=0)
        order = sorted(range(len(lines)), key=lambda n: n != taken)
        return [Raced(lines[n], scores[n], judged[n].better if n else 0.0) for n in order]

    def _within(self, clock: Clock, playouts: Playouts, lines: list[Line]) -> tuple[Playouts, int]:
        """How far to look and at how many candidates, so that enough rounds fit into the time.

        Where playouts take long one looks at fewer candidates, and then less far.
        """
        playout = playouts.try_out(lines[0], clock)
        fit = clock.left * self.workers / playout / ENOUGH
        if fit >= min(FEWEST, len(lines)):
            return playouts, min(int(fit), len(lines))
        settings = playouts.settings
        if settings.looks > 1:
            looks = max(int(settings.looks * fit / FEWEST), 1)
            nearer, fit = settings._replace(looks=looks), fit * settings.looks / looks
        else:
            nearer = settings._replace(turns=max(settings.turns // 2, 1), answers=settings.answers // 2)
            fit *= 2
        less_far = Playouts(playouts.probe, playouts.tactics, playouts.seed, nearer)
        return less_far, min(len(lines), max(FEWEST, int(fit)))


def _options(ask: Ask, proposals: list[Proposal], raced: list[Raced]) -> list[Weighed]:
    """The proposals as they are kept, with the best way to go on with each that was found: what is taken, then by what
    they were worth in the end."""
    taken, *others = raced
    found = {taken.line.key: taken}
    for each in sorted(others, key=lambda each: -each.better):
        found.setdefault(each.line.key, each)
    first = proposals[0].worth
    kept = [_weighed(each, ask, found.get(each.key), first, first + taken.better) for each in proposals]
    return sorted(kept, key=lambda each: (each.key != taken.line.key, -each.worth))


def _weighed(proposal: Proposal, ask: Ask, raced: Raced | None, first: float, most: float) -> Weighed:
    """A proposal as it is kept. What playouts made of its worth is a reason like the others.

    What seems better than the answer that is taken, and not surely so, counts for no more than that answer.
    """
    option = option_of(ask, proposal.key)
    if raced is None:
        return weighed(proposal, option)
    line, score, better = raced
    if score.visits:
        worth = min(first + better, most)
        if worth != proposal.worth:
            times = "once" if score.visits == 1 else f"{score.visits} times"
            reason = Reason(f"played out {times}", worth - proposal.worth)
            proposal = proposal._replace(worth=worth, reasons=(*proposal.reasons, reason))
    found = weighed(proposal, option, score.mean, score.visits)
    if not line.label or found.label == found.key:  # a pose that is not listed has no words of its own
        return found
    return msgspec.structs.replace(found, label=f"{found.label}, then {line.label}")
