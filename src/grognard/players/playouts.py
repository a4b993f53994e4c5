"""Playing on in thought: what becomes of an answer, with hidden things dealt anew and fresh dice.

Answers race against the one that looked best. In every round each is played on with the same deal and the same dice,
so that what differs is due to the answers; one that falls hopelessly behind is given up.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count as count_from
from math import erfc, exp, pi, sqrt
from random import Random
from typing import NamedTuple

import msgspec

from grognard.core.ask import Ask, Rules
from grognard.core.battle import Battle
from grognard.core.session import Session
from grognard.core.tactics import Clock, Tactics
from grognard.players.stratified_dice import BLOCK, Spread, StratifiedDice
from grognard.players.thought import option_of

log = logging.getLogger("grognard.players")


class Settings(NamedTuple):
    """How far one looks, and how much one trusts what one sees.

    Of the proposals the best so many ``candidates`` race that are not worse than the first by the ``cut``, and with
    each so many other ``ways`` to go on with it as are worth a try, in all up to so many ``lines``.

    How the battle stands is looked at when the initiative has changed hands so many times as ``turns`` says, so that
    the enemy has had his answer; after so many ``answers`` at the next quiet question, and after ``most`` in any case.
    A playout ends with the last of so many ``looks``, which all count the same: the first knows best what the answer
    did, the last what it was good for.

    ``trust`` is by how many hundredths of a battle a proposal's worth may well be wrong, ``bias`` by how many the mean
    of ever so many playouts may, since nobody plays them on perfectly; ``spread`` is by how many two playouts may well
    differ, before any has been seen; each game says its own. What was proposed first is given up only for something
    that is better by ``sure`` standard deviations, and after `LEAST` rounds at the earliest: who changes his mind at
    every step gets nowhere.
    """

    candidates: int = 6
    lines: int = 24
    ways: int = 6
    cut: float = 12.0
    turns: int = 4
    looks: int = 1
    answers: int = 60
    most: int = 120
    trust: float = 8.0
    bias: float = 1.0
    spread: float = 8.0
    sure: float = 0.7


class Line(NamedTuple):
    """An answer that is played on, and how.

    After so many further answers one is asked what ``prompt`` says, and goes on as ``then`` says (``label`` in words),
    which is not what would be proposed first. Without a prompt everything is done as it would be proposed.
    """

    key: str
    after: int = 0
    prompt: str = ""
    then: str = ""
    label: str = ""


#: So many rounds are run before any candidate is given up, or taken in place of the first; the spread counts as much as
#: half of them.
LEAST, SPREAD_ROUNDS = 4, 2
#: A candidate is given up that would not be taken if what further rounds may tell spoke for it so strongly.
HOPE = 2.0
#: When further playouts promise less than so many hundredths of a battle, the first stands: nobody likes to wait.
WORTH_WAITING = 0.03
#: After so many playouts that led nowhere, and none that led anywhere, no more are tried.
FAILED = 8


class LateError(Exception):
    """Time ran out in the middle of a playout."""


class Judgement(NamedTuple):
    """By how many hundredths a candidate is thought better than the first, the deviation of that, and how much of it
    is for want of playouts."""

    better: float
    deviation: float
    open: float

    def taken(self, sure: float) -> bool:
        """Whether one may be so sure that it is better."""
        return self.better > sure * self.deviation

    def promise(self, sure: float) -> float:
        """By how many hundredths ever so many further playouts may be expected to better the answer, by taking it."""
        if not self.open:
            return 0.0
        short = (sure * self.deviation - self.better) / self.open
        beyond, density = 0.5 * erfc(short / sqrt(2)), exp(-short * short / 2) / sqrt(2 * pi)
        return self.open * density + self.better * beyond


class Score(msgspec.Struct, array_like=True):
    """What the playouts of a candidate came to: how often, how the battle then stood, how much better than the first
    candidate's with the same dice, and how often they ended in the very same state after as many throws."""

    visits: int = 0
    total: float = 0.0
    pairs: int = 0
    better: float = 0.0
    squares: float = 0.0
    alike: int = 0

    def add(self, other: Score) -> None:
        """Put another's playouts to one's own."""
        self.visits += other.visits
        self.total += other.total
        self.pairs += other.pairs
        self.better += other.better
        self.squares += other.squares
        self.alike += other.alike

    @property
    def same(self) -> bool:
        """Whether it came to the same as the first candidate every time: another way to the same place.

        A shot that seldom does anything is not the same as no shot: dice were thrown for it.
        """
        return 0 < self.pairs == self.alike or (self.pairs >= 2 * BLOCK and self.squares < 1e-9)

    @property
    def mean(self) -> float | None:
        """How the battle stood on average, from -1 to 1."""
        return self.total / self.visits if self.visits else None

    def judge(self, prior: float, settings: Settings) -> Judgement:
        """How a candidate compares with the first.

        The proposals' own opinion is weighed against the playouts by how far either may be wrong.
        """
        if not self.pairs:
            return Judgement(prior, settings.trust, settings.trust)
        mean = self.better / self.pairs
        scatter = max(self.squares - self.pairs * mean * mean, 0.0)
        variance = (SPREAD_ROUNDS * settings.spread**2 + scatter) / (SPREAD_ROUNDS + self.pairs - 1) / self.pairs
        before, seen = 1.0 / settings.trust**2, 1.0 / (variance + settings.bias**2)
        both = before + seen
        return Judgement((prior * before + mean * seen) / both, 1.0 / sqrt(both), seen / both * sqrt(variance))


class Playouts:
    """The playouts of one question, as the side that is asked can imagine them."""

    def __init__(self, probe: Session, tactics: Tactics, seed: str, settings: Settings) -> None:
        assert probe.ask is not None
        self.probe, self.tactics, self.seed, self.settings = probe, tactics, seed, settings
        self.side, self.quiet = probe.ask.side, probe.ask.quiet
        self.spread = Spread(seed)
        #: How many playouts led nowhere, and how many answers were given in all.
        self.failed = self.answers = 0
        #: The state in which the last playout ended, and after how many throws.
        self.end: tuple[object, int] = (None, 0)
        self._carrying_out: dict[tuple[Line, int, str], str] = {}
        self._beforehand: dict[tuple[Line, int], tuple[float | None, tuple[object, int]]] = {}

    def _begin(self, number: int, deal: bool = True) -> tuple[Battle[object], Rules]:
        """A copy before the question, with the dice of a number, and the hidden things unless nothing is dealt."""
        game, probe = self.probe.game, self.probe
        dice = StratifiedDice(self.spread, number)
        if self.quiet:  # the state alone leads to a quiet question
            battle = game.battle(probe.scenario, game.copy(probe.state), dice)
            dice.of(battle)
            if deal:
                self.tactics.redeal(battle, self.side, Random(f"{self.seed} {number}"))
            procedure = game.play(battle)
            next(procedure)
        else:
            battle, procedure, _ = probe.trial()
            battle.dice = dice.of(battle)
            if deal:
                self.tactics.redeal(battle, self.side, Random(f"{self.seed} {number}"))
        battle.log, battle.in_playout = [], True
        return battle, procedure

    def other_lines(self, key: str, most: int, clock: Clock) -> list[tuple[Line, float]]:
        """Other ways to go on after an answer than what is proposed first then, and how much less they promise.

        They are answers to the next real question of one's own, where nothing was left to chance before.
        """
        try:
            battle, procedure = self._begin(0, deal=False)
            ask = procedure.send(key)
            for count in range(self.settings.most):
                if ask.side != self.side or ask.quiet or battle.dice.position or clock.late:
                    return []
                if only := ask.only:
                    ask = procedure.send(only)
                    continue
                first, *others = self.tactics.propose(battle, ask, clock)
                self._carrying_out[Line(key), count, ask.prompt] = first.key
                return [
                    (
                        Line(key, count, ask.prompt, each.key, option_of(ask, each.key).label),
                        each.worth - first.worth,
                    )
                    for each in others[:most]
                ]
        except Exception:
            log.debug("what follows %r could not be foreseen", key, exc_info=True)
        return []

    def try_out(self, line: Line, clock: Clock) -> float:
        """Play an answer on as the first round will, which then need not; the seconds that it took."""
        begun = Clock.now()
        with suppress(LateError):
            self._beforehand[line, 0] = (self.play(line, 0, clock), self.end)
        return max(Clock.now() - begun, 1e-6)

    def play(self, line: Line, number: int, clock: Clock) -> float | None:
        """How the battle stands for the side some way after an answer; None where the answer led nowhere."""
        if known := self._beforehand.pop((line, number), None):
            value, self.end = known
            return value
        tactics, settings = self.tactics, self.settings
        looks: list[float] = []
        try:
            battle, procedure = self._begin(number)
            ask, last, turns, begun, planned = procedure.send(line.key), self.side, 0, 0, True
            for count in count_from(0):
                if ask.quiet and ask.side != last:
                    last, turns = ask.side, turns + 1
                enough = turns >= settings.turns or count - begun >= settings.answers
                if (ask.quiet and enough) or count - begun >= settings.most:
                    looks.append(tactics.standing(battle, self.side))
                    turns, begun = 0, count
                    if len(looks) == settings.looks:
                        break
                if clock.late:
                    raise LateError
                planned = planned and ask.side == self.side and not battle.dice.position
                answer = (
                    self._carried_out(line, count, battle, ask, clock) if planned else tactics.best(battle, ask, clock)
                )
                ask = procedure.send(answer)
                self.answers += 1
        except StopIteration:
            looks += [self._verdict(battle)] * (settings.looks - len(looks))
        except LateError:
            raise
        except Exception:
            # The hidden things may have been dealt so that the answer makes no sense. No thought may end a game.
            self.failed += 1
            log.debug("a playout of %r failed", line, exc_info=True)
            return None
        self.end = (battle.state, battle.dice.position)
        return sum(looks) / len(looks)

    def _verdict(self, battle: Battle[object]) -> float:
        """How a battle ended, or stands if nobody says."""
        result = self.probe.game.result(battle)
        if result is None:
            return self.tactics.standing(battle, self.side)
        return 0.0 if not result.winner else 1.0 if result.winner == self.side else -1.0

    def _carried_out(self, line: Line, count: int, battle: Battle[object], ask: Ask, clock: Clock) -> str:
        """How an answer is carried out, as long as nothing is left to chance: as it would be proposed in earnest.

        That takes its time and is the same in every round, so it is found once.
        """
        if only := ask.only:
            return only
        if (count, ask.prompt) == (line.after, line.prompt):
            return line.then
        known = self._carrying_out.get((line, count, ask.prompt))
        if known is None or (ask.area is None and all(known != option.key for option in ask.options)):
            known = self._carrying_out[line, count, ask.prompt] = self.tactics.propose(battle, ask, clock)[0].key
        return known

    def race(self, lines: Sequence[Line], priors: list[float], numbers: Iterator[int], clock: Clock) -> list[Score]:
        """Play candidates on, round by round, until time or numbers run out, or more of it promises nothing."""
        scores = [Score() for _ in lines]
        alive = list(range(1, len(lines)))
        rounds = 0
        try:
            for number in numbers:
                if clock.late or not alive:
                    break
                first = self.play(lines[0], number, clock)
                if first is None:
                    if self.failed >= FAILED and not scores[0].visits:
                        break  # nothing comes of it, however often
                    continue
                scores[0].add(Score(1, first))
                end = self.end
                for index in alive:
                    value = self.play(lines[index], number, clock)
                    if value is not None:
                        better = 100.0 * (value - first)
                        scores[index].add(Score(1, value, 1, better, better * better, self.end == end))
                rounds += 1
                if rounds >= LEAST:
                    alive = self._still_alive(alive, priors, scores, rounds)
        except LateError:
            pass
        return scores

    def _still_alive(self, alive: list[int], priors: list[float], scores: list[Score], rounds: int) -> list[int]:
        judged = {index: scores[index].judge(priors[index], self.settings) for index in alive}
        # Few rounds tell too little about how far playouts differ. And who would change his mind looks as long as he
        # may: whoever stops when something looks best takes what was only lucky.
        sure = self.settings.sure
        if rounds >= BLOCK and all(
            not each.taken(sure) and each.promise(sure) < WORTH_WAITING for each in judged.values()
        ):
            return []
        best = max(0.0, *(each.better for each in judged.values()))
        return [
            index
            for index, (better, deviation, unseen) in judged.items()
            if better + HOPE * unseen >= max(best, self.settings.sure * deviation) and not scores[index].same
        ]
