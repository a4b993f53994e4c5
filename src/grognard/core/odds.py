"""Exact odds by running the rules themselves under branching dice."""

from __future__ import annotations

import re
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
#: After how many paths the whole is judged from the part that was walked.
LOOK = 500


class Outcome(NamedTuple):
    """One way it can end, and how likely it is."""

    probability: Fraction
    results: tuple[str, ...]

    @property
    def text(self) -> str:
        """The results in words; what happens to one unit after the other names it once."""
        told, last = "", ""
        for result in self.results:
            start = _subject(last, result) if last else ""
            told += ", " + result[len(start) :].lstrip(": ") if start else f"; {result}"
            last = result
        return told[2:] or "no effect"


#: The id at the end of a unit's name, as in "Grenadier squad g3".
_ID = re.compile(r"[A-Za-z]{1,3}\d+")


def _subject(one: str, other: str) -> str:
    """The unit's name with which two results begin; "" if they are about different things.

    >>> _subject("Grenadier squad g3 takes 1 pin", "Grenadier squad g3 loses 2 men")
    'Grenadier squad g3'
    """
    same: list[str] = []
    for a, b in zip(one.split(), other.split(), strict=False):
        if a.rstrip(":") != b.rstrip(":"):
            break
        same.append(a.rstrip(":"))
    while same and not _ID.fullmatch(same[-1]):
        same.pop()
    return " ".join(same)


class Odds(NamedTuple):
    """The distribution of what an answer leads to, with the tallies behind it.

    ``anyway`` is what happens before any die is thrown, and so is no part of the outcomes: whoever fires from hiding
    is revealed by it, which says nothing about how good the shot is.
    """

    outcomes: tuple[Outcome, ...]
    tallies: tuple[tuple[str, Tally], ...]
    exact: bool
    paths: int
    anyway: tuple[str, ...] = ()

    @property
    def effect(self) -> Fraction:
        """The probability that anything at all comes of the dice, or of the answer where none are thrown."""
        return sum((o.probability for o in self.outcomes if o.results), Fraction(0))


def odds(session: Session, keys: Sequence[str], branches: int = BRANCHES, samples: int = SAMPLES) -> Odds:
    """What answering leads to, from what the answering side may know.

    The last quiet state is played again for each path of the dice, up to the next question or to where the
    game ends the consequences of an answer. Past a budget of branches, as soon as the part walked shows that the whole
    would go past it, or on a path without end, it falls back to sampling, always with the same dice, and ``exact``
    says so.
    """
    assert session.ask is not None
    side = session.ask.side
    found: dict[tuple[str, ...], Fraction] = {}
    tallies: dict[tuple[str, str], Tally] = {}
    dice = BranchingDice()
    paths = 0
    walked = Fraction(0)
    while True:
        dice.restart()
        try:
            anyway, results = _run(session, keys, side, dice, tallies)
        except TooDeepError:
            break
        found[results] = found.get(results, Fraction(0)) + dice.weight
        paths += 1
        if not dice.advance():
            return _sorted(found, tallies, True, paths, anyway)
        walked += dice.weight
        if paths >= branches or (paths % LOOK == 0 and paths > branches * walked):
            break
    found = {}
    for number in range(samples):
        anyway, results = _run(session, keys, side, FairDice(b"sample %d" % number), tallies)
        found[results] = found.get(results, Fraction(0)) + Fraction(1, samples)
    return _sorted(found, tallies, False, samples, anyway)


def _run(
    session: Session,
    keys: Sequence[str],
    side: str,
    dice: BranchingDice | FairDice,
    tallies: dict[tuple[str, str], Tally],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What happens before the first throw, and what after it; where nothing is thrown all of it is an outcome."""
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
    before: list[str] = []
    results: list[str] = []
    thrown = False
    names = game.names(battle)
    for event in battle.log[start:]:
        if isinstance(event, Rolled):
            if not thrown:
                before, results, thrown = results, [], True
            for tally in event.tallies:
                tallies.setdefault((event.what, tally.what), tally)
        elif (text := game.outcome(event, names)) is not None:
            results.append(text)
    return tuple(before), tuple(results)


def _sorted(
    found: dict[tuple[str, ...], Fraction],
    tallies: dict[tuple[str, str], Tally],
    exact: bool,
    paths: int,
    anyway: tuple[str, ...],
) -> Odds:
    outcomes = sorted((Outcome(p, r) for r, p in found.items()), key=lambda o: (-o.probability, o.results))
    return Odds(tuple(outcomes), tuple((what, tally) for (what, _), tally in tallies.items()), exact, paths, anyway)
