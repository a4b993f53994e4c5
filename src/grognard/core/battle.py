"""A battle: the state, its scenario, its dice and its log. Every rule takes it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from grognard.core.dice import Dice, Reader, needed, pool, weigh
from grognard.core.events import Event, Rolled
from grognard.core.tally import Tally

S = TypeVar("S")


class Throw(NamedTuple):
    """What dice are thrown for: who throws, what for, on which tallies, for which unit, and how they are read."""

    side: str = ""
    what: str = ""
    tallies: tuple[Tally, ...] = ()
    unit: str = ""
    read: Reader | None = None
    rules: tuple[str, ...] = ()
    seen_by: str = ""


class Battle(Generic[S]):
    """What a rule acts on. Games derive their own with whatever indexes they keep beside the state."""

    def __init__(self, scenario: Any, state: S, dice: Dice) -> None:
        self.scenario, self.state, self.dice = scenario, state, dice
        self.log: list[Event] = []
        #: Called where the consequences of an answer end: odds look no further, play goes on.
        self.on_settled: Callable[[], None] | None = None
        #: True where throws that follow one another may be made as one, to the same effect: odds have fewer paths then.
        self.for_odds = False
        #: True while somebody plays on in thought: where a rule looks for the best of many places, a good one will do.
        self.in_playout = False
        #: True once something was played that takes long, such as layouts found at every step: odds look at less of it.
        self.costly = False
        #: The throw in hand, for when its faces must be told.
        self.throw = Throw()

    def settled(self) -> None:
        """Say that all that an answer led to has happened: odds end here, unless they are told of further answers."""
        if self.on_settled is not None:
            self.on_settled()

    def emit(self, event: Event) -> None:
        """Note what happened."""
        self.log.append(event)

    def roll(
        self,
        side: str,
        what: str,
        dice: str,
        read: Reader,
        rules: tuple[str, ...] = (),
        tallies: tuple[Tally, ...] = (),
        unit: str = "",
        seen_by: str = "",
    ) -> Any:
        """Throw dice for a side; the meaning that the reader gives is logged with its tallies."""
        number, sides, _ = pool(dice)
        self.throw = Throw(side, what, tallies, unit, read, rules, seen_by)
        meaning, faces = self.dice.roll(number, sides, read)
        weighed = weigh(number, sides, read)
        value, chance = weighed.each[meaning]
        self.log.append(
            Rolled(
                side=side,
                what=what,
                dice=dice,
                unit=unit,
                faces=faces or (),
                meaning=meaning,
                words=getattr(read, "words", ()),
                tallies=tallies,
                rules=rules,
                value=value,
                expected=weighed.mean,
                variance=weighed.variance,
                chance=chance,
                needed=needed(number, sides, read),
                seen_by=seen_by,
            )
        )
        return meaning
