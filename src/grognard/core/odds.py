"""Exact odds by running the rules themselves under branching dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.dice import BranchingDice, FairDice, TooDeepError
from grognard.core.errors import GrognardError
from grognard.core.events import Event, Rolled
from grognard.core.tally import Tally

if TYPE_CHECKING:
    from grognard.core.ask import Ask
    from grognard.core.session import Session

BRANCHES = 20_000
SAMPLES = 2_000
#: The answer that ends what is declared piece by piece.
DONE = "done"
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


class Part(NamedTuple):
    """One thing that can come of it, whatever else does: how likely it is, and in words, an amount as its average."""

    probability: Fraction
    text: str


#: An amount in a result, after the unit that it is about: "g3 loses 2 men".
_AMOUNT = re.compile(r"(?<=\s)(\d+)\s+(\S.*)")


def _split(result: str) -> tuple[str, int, str]:
    """A result as what comes before its amount, the amount and of what; without an amount the last is "".

    >>> _split("75mm Pak 40 g9 takes 2 pins")
    ('75mm Pak 40 g9 takes', 2, 'pins')
    >>> _split("75mm Pak 40 g9 is destroyed")
    ('75mm Pak 40 g9 is destroyed', 1, '')
    """
    name = _subject(result, result)
    found = _AMOUNT.search(result, len(name))
    if found is None:
        return result, 1, ""
    return result[: found.start()].rstrip(), int(found[1]), found[2]


def _one(words: str) -> str:
    """Things that are counted, as one of them: so that "1 man" and "2 men" are added up."""
    first, _, rest = words.partition(" ")
    return " ".join(filter(None, ("man" if first == "men" else first.removesuffix("s"), rest)))


def _many(words: str) -> str:
    """Things that are counted, as several of them."""
    first, _, rest = _one(words).partition(" ")
    return " ".join(filter(None, ("men" if first == "man" else f"{first}s", rest)))


class AbandonedError(GrognardError):
    """Nobody wants to know the odds any more."""


class Odds(NamedTuple):
    """The distribution of what an answer leads to, with the tallies behind it.

    ``anyway`` is what happens before any die is thrown, and what one's own side pays whatever they show. It is no part
    of the outcomes: whoever fires from hiding is revealed by it, and whoever fires with all might is worn out, which
    says nothing about how good the shot is. ``fatal`` are those of the results that put somebody out of the fight.
    """

    outcomes: tuple[Outcome, ...]
    tallies: tuple[tuple[str, Tally], ...]
    exact: bool
    paths: int
    anyway: tuple[str, ...] = ()
    fatal: frozenset[str] = frozenset()

    @property
    def effect(self) -> Fraction:
        """The probability that anything at all comes of the dice, or of the answer where none are thrown."""
        return sum((o.probability for o in self.outcomes if o.results), Fraction(0))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Each thing by itself that the outcomes are made of, the likeliest first.

        An assault has a hundred outcomes; what one wants to know is who wins how often and at what price.
        """
        chances: dict[tuple[str, str], Fraction] = {}
        means: dict[tuple[str, str], Fraction] = {}
        amounts: dict[tuple[str, str], set[int]] = {}
        for outcome in self.outcomes:
            sums: dict[tuple[str, str], int] = {}
            for result in outcome.results:
                head, amount, things = _split(result)
                thing = head, _one(things)
                sums[thing] = sums.get(thing, 0) + amount
            for thing, total in sums.items():
                chances[thing] = chances.get(thing, Fraction(0)) + outcome.probability
                means[thing] = means.get(thing, Fraction(0)) + outcome.probability * total
                amounts.setdefault(thing, set()).add(total)
        found = [Part(chance, _told(thing, chance, means[thing], amounts[thing])) for thing, chance in chances.items()]
        return tuple(sorted(found, key=lambda part: -part.probability))


def _told(thing: tuple[str, str], chance: Fraction, mean: Fraction, amounts: set[int]) -> str:
    """A part in words: the amount if it is always the same, else what it is on average when it happens."""
    head, things = thing
    if not things:
        return head
    if len(amounts) == 1:
        amount = next(iter(amounts))
        return f"{head} {amount} {things if amount == 1 else _many(things)}"
    return f"{head} {float(mean / chance):.1f} {_many(things)} on average"


def odds(
    session: Session,
    keys: Sequence[str],
    branches: int = BRANCHES,
    samples: int = SAMPLES,
    stop: Callable[[], bool] = lambda: False,
) -> Odds:
    """What answering leads to, from what the answering side may know.

    The last quiet state is played again for each path of the dice, up to the next question or to where the
    game ends the consequences of an answer. Past a budget of branches, as soon as the part walked shows that the whole
    would go past it, or on a path without end, it falls back to sampling, always with the same dice, and ``exact``
    says so. Once ``stop`` says so it is given up with an AbandonedError.
    """
    assert session.ask is not None
    side = session.ask.side
    keys = _whole(session, keys, side)
    found: dict[tuple[str, ...], Fraction] = {}
    tallies: dict[tuple[str, str], Tally] = {}
    own: set[str] = set()
    fatal: set[str] = set()
    dice = BranchingDice()
    paths = 0
    walked = Fraction(0)
    while True:
        _go_on(stop)
        dice.restart()
        try:
            anyway, results = _run(session, keys, side, dice, tallies, own, fatal)
        except TooDeepError:
            break
        found[results] = found.get(results, Fraction(0)) + dice.weight
        paths += 1
        if not dice.advance():
            return _sorted(found, tallies, True, paths, anyway, own, fatal)
        walked += dice.weight
        if paths >= branches or (paths % LOOK == 0 and paths > branches * walked):
            break
    found = {}
    for number in range(samples):
        _go_on(stop)
        anyway, results = _run(session, keys, side, FairDice(b"sample %d" % number), tallies, own, fatal)
        found[results] = found.get(results, Fraction(0)) + Fraction(1, samples)
    return _sorted(found, tallies, False, samples, anyway, own, fatal)


def _whole(session: Session, keys: Sequence[str], side: str) -> Sequence[str]:
    """The answers, and that nothing more is declared if the last one aims at somebody and nothing is thrown yet.

    Where weapons are declared one by one, the odds of a shot are those of this shot alone.
    """
    ask: Ask | None = session.ask
    assert ask is not None
    aim = ask.option(keys[0]).target
    if len(keys) == 1 and not aim:
        return keys
    battle, procedure = session.rerun()
    session.game.conceal(battle, side)
    battle.dice, battle.ahead = FairDice(b"whole"), True
    start = len(battle.log)
    try:
        for key in keys:
            if ask is None or any(isinstance(event, Rolled) for event in battle.log[start:]):
                return keys
            aim = ask.option(key).target
            ask = procedure.send(key)
    except StopIteration:
        return keys
    if not aim or ask is None or ask.side != side or any(isinstance(event, Rolled) for event in battle.log[start:]):
        return keys
    return (*keys, DONE) if any(option.key == DONE for option in ask.options) else keys


def _go_on(stop: Callable[[], bool]) -> None:
    if stop():
        raise AbandonedError("nobody waits for these odds any more")


def _run(
    session: Session,
    keys: Sequence[str],
    side: str,
    dice: BranchingDice | FairDice,
    tallies: dict[tuple[str, str], Tally],
    own: set[str],
    fatal: set[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What happens before the first throw, and what after it; where nothing is thrown all of it is an outcome.

    What befalls the side itself is noted in ``own``, and what puts anybody out of the fight in ``fatal``.
    """
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
    before: list[Event] = []
    results: list[Event] = []
    thrown = False
    names = game.names(battle)
    for event in battle.log[start:]:
        if isinstance(event, Rolled):
            if not thrown:
                before, results, thrown = results, [], True
            for tally in event.tallies:
                tallies.setdefault((event.what, tally.what), tally)
        else:
            _note(results, event)

    def told(events: Iterable[Event]) -> tuple[str, ...]:
        texts = []
        for event in events:
            if (text := game.outcome(event, names)) is not None:
                texts.append(text)
                if event.side == side:
                    own.add(text)
                if event.fatal:
                    fatal.add(text)
        return tuple(texts)

    return told(before), told(results)


def _note(events: list[Event], event: Event) -> None:
    """Note an event; what is told as one becomes one, as two pins that a unit takes one after the other."""
    if type(event).joined is not Event.joined:
        for at, earlier in enumerate(events):
            if type(earlier) is type(event) and (whole := earlier.joined(event)) is not None:
                events[at] = whole
                return
    events.append(event)


def _sorted(
    found: dict[tuple[str, ...], Fraction],
    tallies: dict[tuple[str, str], Tally],
    exact: bool,
    paths: int,
    anyway: tuple[str, ...],
    own: set[str],
    fatal: set[str],
) -> Odds:
    # Where only the side itself is in danger, that is what the odds are about.
    if len(found) > 1 and any(text not in own for results in found for text in results):
        first = dict.fromkeys(next(iter(found)))
        paid = [text for text in first if text in own and all(text in results for results in found)]
        anyway = (*anyway, *paid)
        found = {tuple(text for text in results if text not in paid): chance for results, chance in found.items()}
    outcomes = sorted((Outcome(p, r) for r, p in found.items()), key=lambda o: (-o.probability, o.results))
    behind = tuple((what, tally) for (what, _), tally in tallies.items())
    return Odds(tuple(outcomes), behind, exact, paths, anyway, frozenset(fatal))
