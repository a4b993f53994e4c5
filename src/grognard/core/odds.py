"""Exact odds by running the rules themselves under branching dice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.dice import BranchingDice, FairDice, TooDeepError
from grognard.core.events import Rolled
from grognard.core.tally import Tally

if TYPE_CHECKING:
    from grognard.core.session import Session

BRANCHES = 20_000
SAMPLES = 2_000


class Outcome(NamedTuple):
    """One way it can end, and how likely it is."""

    probability: Fraction
    results: tuple[str, ...]

    @property
    def text(self) -> str:
        """The results in words."""
        return "; ".join(self.results) or "no effect"


class Odds(NamedTuple):
    """The distribution of what an answer leads to, with the tallies behind it."""

    outcomes: tuple[Outcome, ...]
    tallies: tuple[tuple[str, Tally], ...]
    exact: bool
    paths: int

    @property
    def effect(self) -> Fraction:
        """The probability that anything happens at all, other than what happens however the dice fall.

        Whoever fires from hiding is revealed by it: that says nothing about how good the shot is.
        """
        anyway = set(self.outcomes[0].results) if len(self.outcomes) > 1 else set()
        anyway.intersection_update(*(o.results for o in self.outcomes))
        return sum((o.probability for o in self.outcomes if not anyway.issuperset(o.results)), Fraction(0))


def odds(session: Session, keys: Sequence[str], branches: int = BRANCHES, samples: int = SAMPLES) -> Odds:
    """What answering leads to, from what the answering side may know.

    The last quiet state is played again for each path of the dice, up to the next question or to where the
    game ends the consequences of an answer. Past a budget of branches, or on a path without end, it falls back
    to sampling, always with the same dice, and ``exact`` says so.
    """
    assert session.ask is not None
    side = session.ask.side
    found: dict[tuple[str, ...], Fraction] = {}
    tallies: dict[tuple[str, str], Tally] = {}
    dice = BranchingDice()
    paths = 0
    while True:
        dice.restart()
        try:
            results = _run(session, keys, side, dice, tallies)
        except TooDeepError:
            break
        found[results] = found.get(results, Fraction(0)) + dice.weight
        paths += 1
        if not dice.advance():
            return _sorted(found, tallies, True, paths)
        if paths >= branches:
            break
    found = {}
    for number in range(samples):
        results = _run(session, keys, side, FairDice(b"sample %d" % number), tallies)
        found[results] = found.get(results, Fraction(0)) + Fraction(1, samples)
    return _sorted(found, tallies, False, samples)


def _run(
    session: Session,
    keys: Sequence[str],
    side: str,
    dice: BranchingDice | FairDice,
    tallies: dict[tuple[str, str], Tally],
) -> tuple[str, ...]:
    game = session.game
    battle, procedure = session.rerun()
    game.conceal(battle, side)
    battle.dice, battle.ahead = dice, True
    start = len(battle.log)
    try:
        for key in keys:
            procedure.send(key)
    except StopIteration:
        pass
    results = []
    names = game.names(battle)
    for event in battle.log[start:]:
        if isinstance(event, Rolled):
            for tally in event.tallies:
                tallies.setdefault((event.what, tally.what), tally)
        elif (text := game.outcome(event, names)) is not None:
            results.append(text)
    return tuple(results)


def _sorted(
    found: dict[tuple[str, ...], Fraction], tallies: dict[tuple[str, str], Tally], exact: bool, paths: int
) -> Odds:
    outcomes = sorted((Outcome(p, r) for r, p in found.items()), key=lambda o: (-o.probability, o.results))
    return Odds(tuple(outcomes), tuple((what, tally) for (what, _), tally in tallies.items()), exact, paths)
