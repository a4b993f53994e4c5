"""What a game tells a program that plays it: which answers are worth a thought, and how a battle stands.

A game that has ``tactics`` can be played by every player of the house. What they see is a copy of the battle that knows
only what their side knows; nothing here may ask for more.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple

from typing_extensions import TypeVar

from grognard.core.ask import Ask
from grognard.core.battle import Battle

if TYPE_CHECKING:
    from grognard.core.game import Game

#: A game's battle.
B = TypeVar("B", bound=Battle[Any], default=Battle[Any])

#: How many scenarios' tactics a thread keeps.
SCENARIOS = 8


class Reason(NamedTuple):
    """One line of why an answer is thought good or bad, and how much it counts.

    A ``secret`` one tells of something that is hidden from the enemy, whether or not it names it.
    """

    text: str
    worth: float
    secret: bool = False


class Proposal(NamedTuple):
    """An answer worth a thought: what it is worth to the side that is asked, and why."""

    key: str
    worth: float
    reasons: tuple[Reason, ...] = ()


class Clock:
    """How long one may think. Whoever thinks looks at it often and always has an answer at hand.

    It goes by the time of day. On a machine that has other work to do it can go by the work of the thread that thinks
    instead (``Clock.now = time.thread_time``), so that strength can be measured there.
    """

    __slots__ = ("end",)

    #: What all clocks of this process go by.
    now: ClassVar[Callable[[], float]] = time.monotonic

    def __init__(self, end: float) -> None:
        self.end = end

    @classmethod
    def of(cls, seconds: float) -> Clock:
        """A clock that runs for so many seconds from now."""
        return cls(cls.now() + seconds)

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(self.end - Clock.now(), 0.0)

    @property
    def late(self) -> bool:
        """Whether it is time to answer with the best that is at hand."""
        return Clock.now() >= self.end

    def part(self, share: float) -> Clock:
        """A clock for a part of what is left."""
        return Clock(Clock.now() + share * self.left)


class Tactics(ABC, Generic[B]):
    """How a game is played well, for one scenario: what is found once is kept in it.

    Worths are in hundredths of a battle: an answer worth 5 makes up for a position that is worse by 0.05.
    """

    #: By how many hundredths what comes of playing on with ``best`` may be wrong on average, ever so often.
    doubt: ClassVar[float] = 1.0
    #: By how many hundredths two answers that are played on with the same dice may well differ in one round.
    spread: ClassVar[float] = 8.0
    #: How often one looks how the battle stands while one plays on in thought, further and further ahead.
    looks: ClassVar[int] = 1

    def __init__(self, scenario: Any) -> None:
        self.scenario = scenario

    def prepare(self) -> None:
        """Find out now what takes long and is wanted only once, before anybody's time runs; nothing by default."""
        return

    @abstractmethod
    def standing(self, battle: B, side: str) -> float:
        """How a battle stands for a side, from -1 (lost) to 1 (won); for two sides the sum is 0. Quick."""

    @abstractmethod
    def propose(self, battle: B, ask: Ask, clock: Clock) -> list[Proposal]:
        """The answers to a question that are worth a thought, the best first; at least one.

        The same position gives the same proposals, while time suffices.
        """

    def best(self, battle: B, ask: Ask, clock: Clock) -> str:
        """The answer with which one plays on in thought: what is proposed first, or what comes near to it much sooner.

        No reasons are wanted, and the same position gives the same answer.
        """
        return ask.only or self.propose(battle, ask, clock)[0].key

    def joined(self, battle: B) -> bool:
        """Whether battle is joined. While armies are set up, playing on a little tells nothing: proposals stand."""
        return True

    def redeal(self, battle: B, side: str, rng: Random) -> None:
        """Put into a battle in thought what its enemy may well have that the side does not know; nothing by default."""
        return


class _TacticsCache(threading.local):
    """The tactics that a thread has used: each thread its own, for what they find out they write down in themselves."""

    def __init__(self) -> None:
        self.tactics: OrderedDict[int, Tactics] = OrderedDict()


_cache = _TacticsCache()


def tactics_of(game: Game, scenario: Any) -> Tactics:
    """The tactics of a scenario, with all that this thread has found out about it before."""
    known = _cache.tactics
    found = known.get(id(scenario))
    if found is None or found.scenario is not scenario:
        found = known[id(scenario)] = game.tactics(scenario)
        while len(known) > SCENARIOS:
            known.popitem(last=False)
    known.move_to_end(id(scenario))
    return found
