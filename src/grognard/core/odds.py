"""Exact odds by running the rules themselves under branching dice.

Answers are played on in concealed copies of the battle, once for each path of the dice: those that are given, in the
order in which they are asked for, and wherever else somebody is asked the answer that the question names for the
meantime (`Ask.meanwhile`). What happened is told in records (`Change`); words are made of them last.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.battle import Battle
from grognard.core.dice import BranchingDice, FairDice, TooDeepError
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.events import NO_NAMES, Change, Event, Rolled
from grognard.core.tally import Tally
from grognard.core.words import side_name

if TYPE_CHECKING:
    from grognard.core.ask import Ask
    from grognard.core.game import Game
    from grognard.core.session import Session

BRANCHES = 20_000
SAMPLES = 2_000
#: After how many paths the whole is judged from the part that was walked.
LOOK = 500
#: The same for what takes long to play: so many branches and samples, judged after so many paths.
COSTLY_BRANCHES, COSTLY_SAMPLES, COSTLY_LOOK = 200, 80, 20
#: What a first estimate rests on at least, however little time there is: what comes after it is exact.
FEWEST = 8
#: The verbs by which a side does nothing more, in every game.
HOLD = ("pass", "done")


class AbandonedError(GrognardError):
    """Nobody wants to know the odds any more."""


class Outcome(NamedTuple):
    """One way it can end: how likely it is, what changes, and each change in words."""

    probability: Fraction
    changes: tuple[Change, ...] = ()
    results: tuple[str, ...] = ()
    text: str = "no effect"


class Part(NamedTuple):
    """One thing that can come of it, whatever else does: how likely it is, and how much of it on average."""

    probability: Fraction
    change: Change
    mean: Fraction
    text: str


class Assumed(NamedTuple):
    """An answer that nobody gave: who was asked what, and with what the odds went on."""

    side: str
    prompt: str
    key: str
    label: str

    @property
    def text(self) -> str:
        """The assumption as a sentence."""
        return f"Assuming the {side_name(self.side)} player answers “{self.prompt}” with “{self.label}”"


class Behind(NamedTuple):
    """A number behind a roll, and whose roll it is."""

    roll: str
    tally: Tally
    side: str = ""


class Odds(NamedTuple):
    """The distribution of what answers lead to for the ``side`` that is asked, with the tallies behind it.

    ``anyway`` is what happens before any die is thrown, and what one's own side pays whatever they show. It is no part
    of the outcomes: whoever fires from hiding is revealed by it, and whoever fires with all might is worn out, which
    says nothing about how good the shot is. ``reached`` is how often the last answer that was given is asked for at
    all; ``ends`` are the questions that stand at the end, because nobody answered them.
    """

    side: str
    outcomes: tuple[Outcome, ...]
    tallies: tuple[Behind, ...]
    exact: bool
    paths: int
    anyway: tuple[Change, ...] = ()
    assumed: tuple[Assumed, ...] = ()
    reached: Fraction = Fraction(1)
    ends: tuple[str, ...] = ()
    names: Mapping[str, str] = NO_NAMES

    @property
    def to_them(self) -> Fraction:
        """The probability that the enemy comes to any harm."""
        return self.chance(lambda change: change.harm and change.side not in ("", self.side))

    @property
    def to_us(self) -> Fraction:
        """The probability that one's own side comes to any harm."""
        return self.chance(lambda change: change.harm and change.side == self.side)

    @property
    def besides(self) -> Fraction:
        """The probability of anything that harms nobody, such as a rally, a test passed or failed, or a way out."""
        return self.chance(lambda change: not change.harm)

    def chance(self, wanted: Callable[[Change], bool]) -> Fraction:
        """The probability of a change of some sort."""
        return sum((o.probability for o in self.outcomes if any(map(wanted, o.changes))), Fraction(0))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Each thing by itself that the outcomes are made of, the likeliest first: several can happen together.

        An assault has a hundred outcomes; what one wants to know is who wins how often and at what price.
        """
        chances: dict[Change, Fraction] = {}
        means: dict[Change, Fraction] = {}
        amounts: dict[Change, set[int]] = {}
        for outcome in self.outcomes:
            for change in outcome.changes:
                kind = change.kind
                chances[kind] = chances.get(kind, Fraction(0)) + outcome.probability
                means[kind] = means.get(kind, Fraction(0)) + outcome.probability * change.amount
                amounts.setdefault(kind, set()).add(change.amount)
        found: list[Part] = []
        for kind, chance in chances.items():
            mean, each = means[kind] / chance, amounts[kind]
            if len(each) == 1:
                found.append(Part(chance, kind._replace(amount=min(each)), mean, self._said(kind, min(each))))
            else:
                text = kind.say(self.names, f"{float(mean):.1f}") + " on average"
                found.append(Part(chance, kind, mean, text))
        return tuple(sorted(found, key=lambda part: -part.probability))

    def _said(self, kind: Change, amount: int) -> str:
        return kind._replace(amount=amount).say(self.names)

    def say(self, changes: Iterable[Change]) -> str:
        """Changes in words."""
        return _say(changes, self.names)


def _say(changes: Iterable[Change], names: Mapping[str, str]) -> str:
    """Changes in words; what happens to one unit after the other names it once."""
    told, last = "", ""
    for change in changes:
        goes_on = bool(change.unit) and change.unit == last
        told += (", " if goes_on else "; ") + change.say(names, named=not goes_on)
        last = change.unit
    return told[2:] or "no effect"


def odds(
    session: Session,
    keys: Sequence[str],
    branches: int = BRANCHES,
    samples: int = SAMPLES,
    stop: Callable[[], bool] = lambda: False,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Odds:
    """What answers lead to, from what the answering side may know.

    The last quiet state is played again for each path of the dice, up to the next question that nobody answers or to
    where the game ends the consequences of an answer. Past a budget of branches, as soon as the part walked shows that
    the whole would go past it, or on a path without end, it falls back to sampling, always with the same dice, and
    ``exact`` says so. With ``seconds`` by the ``clock`` it is an estimate from as many samples as they leave time for,
    but a few at least, unless the exact figures are found in half of them. Where a path is `Battle.costly` there are
    fewer of both. Once ``stop`` says so it is given up with an AbandonedError.
    """
    walk = _Walk(session, keys, stop)
    start = clock()

    def late(share: float) -> bool:
        return seconds is not None and clock() - start > share * seconds

    dice = BranchingDice()
    walked = Fraction(0)
    while True:
        dice.restart()
        try:
            walk.path(dice, lambda: dice.weight)
        except TooDeepError:
            break
        if not dice.advance():
            return walk.found(True)
        walked += dice.weight
        most, look = (min(branches, COSTLY_BRANCHES), COSTLY_LOOK) if walk.costly else (branches, LOOK)
        if walk.paths >= most or (walk.paths % look == 0 and walk.paths > most * walked) or late(0.5):
            break
    walk.afresh()
    for number in range(min(samples, COSTLY_SAMPLES) if walk.costly else samples):
        walk.path(FairDice(b"sample %d" % number), lambda: Fraction(1))
        if number + 1 >= FEWEST and late(1.0):
            break
    return walk.found(False)


def changes(
    game: Game, battle: Battle[object], events: Iterable[Event]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """What events changed: before the first throw so far as it harms nobody, and all else, what is counted added up.

    Where nothing is thrown all of it is the outcome.
    """
    before: list[Change] = []
    found: dict[Change, Change] = {}
    thrown = False
    for event in events:
        if isinstance(event, Rolled):
            thrown = True
            continue
        change = event.change()
        if change is None:
            continue
        change = change._replace(side=(change.unit and game.owner(battle, change.unit)) or event.side)
        if not thrown and not change.harm:
            before.append(change)
            continue
        same = found.get(change.kind)
        found[change.kind] = change if same is None else same._replace(amount=same.amount + change.amount)
    after = _by_unit(found.values())
    return (tuple(before), after) if thrown else ((), (*before, *after))


def _by_unit(found: Iterable[Change]) -> tuple[Change, ...]:
    """What happens to each unit together, the units in the order in which anything happens to them."""
    units: dict[str, list[Change]] = {}
    for change in found:
        units.setdefault(change.unit, []).append(change)
    return tuple(change for each in units.values() for change in each)


class _Settled(Exception):
    """All that the answers led to has happened."""


class _Walk:
    """Plays answers on, path after path, and notes what comes of it."""

    def __init__(self, session: Session, keys: Sequence[str], stop: Callable[[], bool]) -> None:
        assert session.ask is not None
        self.session, self.side, self.keys, self.stop = session, session.ask.side, tuple(keys), stop
        #: The answers up to the first throw, the same on every path, with how many of the given ones are used by then.
        self.opening: list[tuple[int, str]] | None = None
        self.tallies: dict[tuple[str, str, str], Behind] = {}
        self.assumed: dict[tuple[str, str, str], Assumed | None] = {}
        self.ends: dict[str, None] = {}
        self.anyway: tuple[Change, ...] = ()
        self.names: dict[str, str] = {}
        self.most = 0
        #: Whether any path led through something that takes long (`Battle.costly`).
        self.costly = False
        self.refused: dict[int, IllegalError] = {}
        self.afresh()

    def afresh(self) -> None:
        """Forget what was found, as when samples take the place of paths."""
        self.outcomes: dict[tuple[Change, ...], Fraction] = {}
        #: The same changes in another order are the same outcome: told in the order that was met first.
        self.told: dict[frozenset[Change], tuple[Change, ...]] = {}
        self.reached = self.whole = Fraction(0)
        self.paths = 0

    # -- one path ----------------------------------------------------------------------------------

    def path(self, dice: BranchingDice | FairDice, weight: Callable[[], Fraction]) -> None:
        """Play the answers once; the weight of the path is asked for at its end."""
        if self.stop():
            raise AbandonedError("these odds are no longer wanted")
        battle, procedure, ask = self.session.rerun()
        self.session.game.conceal(battle, self.side)
        battle.dice, battle.for_odds = dice, True
        start = len(battle.log)
        given = 0
        opening: list[tuple[int, str]] = []

        def settled() -> None:
            if given == len(self.keys):
                raise _Settled

        battle.on_settled = settled
        try:
            for given, known in self.opening or ():  # noqa: B007 - settled() reads it
                ask = procedure.send(known)
            while ask is not None:
                given, key = self._answer(ask, given, dice.position > 0)
                if key is None:
                    if not ask.quiet:
                        self.ends.setdefault(ask.prompt)
                    break
                if not dice.position:
                    opening.append((given, key))
                ask = procedure.send(key)
        except (StopIteration, _Settled):
            ask = None
        if self.opening is None:
            if not dice.position:
                self._all_given(given)
            self.opening = opening
        self.most = max(self.most, given)
        self.costly = self.costly or battle.costly
        chance = weight()
        self.whole += chance
        if given == len(self.keys):
            self.reached += chance
        changes = self._changes(battle, start)
        if any(change.unit and change.unit not in self.names for change in (*changes, *self.anyway)):
            self._learn_names(battle)
        changes = self.told.setdefault(frozenset(changes), changes)
        self.outcomes[changes] = self.outcomes.get(changes, Fraction(0)) + chance
        self.paths += 1

    def _answer(self, ask: Ask, given: int, thrown: bool) -> tuple[int, str | None]:
        """How a question is answered, and how many of the answers are used up then; None if odds end with it.

        An answer that is given is for the first question that takes it. A question of the meantime that does not take
        it is passed over; any other ends the path, and where no die was thrown before it the chain is illegal.
        """
        if given < len(self.keys):
            try:
                ask.option(self.keys[given])
            except IllegalError as error:
                refused = self.refused.setdefault(given, error)
                if not thrown and not ask.meanwhile:
                    raise refused from None
            else:
                return given + 1, self.keys[given]
        key = ask.meanwhile
        if not key:
            return given, None
        known = (ask.side, ask.reaction or ask.prompt, key)
        if known not in self.assumed:
            option = ask.option(key)
            # Where the side itself does no more, the odds are just those of the answers that are given.
            own = ask.side == self.side and option.verb in HOLD
            self.assumed[known] = None if own else Assumed(ask.side, ask.prompt, key, option.label)
        return given, key

    def _learn_names(self, battle: Battle[object]) -> None:
        """How people call the units and places that there are now: a crew may have got out."""
        found = self.session.game.names(battle)
        for word, name in found.items():
            self.names.setdefault(word, name)

    def _all_given(self, given: int) -> None:
        """Refuse a chain of which an answer was never asked for."""
        if given == len(self.keys):
            return
        if (refused := self.refused.get(given)) is not None:
            raise refused
        key = self.keys[given]
        before = f"after {self.keys[given - 1]!r} " if given else ""
        raise IllegalError(key, None, f"{before}no question takes the answer {key!r}")

    def _changes(self, battle: Battle[object], start: int) -> tuple[Change, ...]:
        """What changed by the dice, with the tallies behind them noted; where none were thrown, all that changed."""
        events = battle.log[start:]
        for event in events:
            if isinstance(event, Rolled):
                for tally in event.tallies:
                    self.tallies.setdefault((event.side, event.what, tally.what), Behind(event.what, tally, event.side))
        before, after = changes(self.session.game, battle, events)
        self.anyway = before
        return after

    # -- all paths ---------------------------------------------------------------------------------

    def found(self, exact: bool) -> Odds:
        """The odds, from the paths walked."""
        self._all_given(self.most)
        chances = {changes: chance / self.whole for changes, chance in self.outcomes.items()}
        anyway = self.anyway
        # Where only the side itself is in danger, that is what the odds are about.
        if len(chances) > 1 and any(change.side != self.side for changes in chances for change in changes):
            first = next(iter(chances))
            paid = [c for c in first if c.side == self.side and not c.harm and all(c in each for each in chances)]
            if paid:
                anyway = (*anyway, *paid)
                left: dict[tuple[Change, ...], Fraction] = {}
                for changes, chance in chances.items():
                    rest = tuple(change for change in changes if change not in paid)
                    left[rest] = left.get(rest, Fraction(0)) + chance
                chances = left
        names = self.names
        outcomes = [
            Outcome(chance, changes, tuple(change.say(names) for change in changes), _say(changes, names))
            for changes, chance in chances.items()
        ]
        outcomes.sort(key=lambda outcome: (-outcome.probability, outcome.results))
        return Odds(
            self.side,
            tuple(outcomes),
            tuple(self.tallies.values()),
            exact,
            self.paths,
            anyway,
            tuple(filter(None, self.assumed.values())),
            self.reached / self.whole,
            tuple(self.ends),
            names,
        )
