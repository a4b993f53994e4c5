"""The grammar of "why not?": which words name a unit, a verb, a target or a place, and whom to ask for reasons.

A game fills in a table: for each verb the function that gives reasons against it, made of the very bars that leave
things out of its options. Everything before that is the same in every game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from grognard.core.ask import Bar
from grognard.core.battle import Battle

B = TypeVar("B", bound=Battle[Any])


class Wish(NamedTuple):
    """What somebody asks about, sorted by what the words mean.

    ``own`` are units of the side that acts, ``others`` all that are not; each in the order in which they were named.
    ``rest`` is what is neither a unit nor a place nor the verb: a weapon, a card, a building.
    """

    side: str
    verb: str
    own: list[Any]
    others: list[Any]
    places: list[str]
    rest: list[str]
    words: list[str]
    reacts: bool = False

    @property
    def targets(self) -> list[Any]:
        """Every unit but the one that is to act."""
        return [*self.own[1:], *self.others]


#: What speaks against a wish; nothing where nothing does.
Reason = Callable[[B, Wish], Iterable[Bar]]


class Reasons(ABC, Generic[B]):
    """A game's reasons, by verb."""

    #: What a unit may be asked to do, and what a side may do that takes no unit.
    units: ClassVar[Mapping[str, Reason[Any]]]
    sides: ClassVar[Mapping[str, Reason[Any]]] = {}
    #: The verbs looked at where a unit is named without one.
    usual: ClassVar[tuple[str, ...]]
    #: Why nobody commands the other side's units.
    not_yours: ClassVar[Bar]
    #: How one asks, in words: "write it as: g3 fire a7".
    example: ClassVar[str]

    @abstractmethod
    def knows(self, battle: B, side: str, unit: Any) -> bool:
        """Whether a side may know of a unit; of others it is told that there is no such thing."""

    @abstractmethod
    def is_place(self, battle: B, word: str) -> bool:
        """Whether a word names a place."""

    def everybody(self, battle: B) -> Mapping[str, Any]:
        """The units of both sides by id."""
        units: Mapping[str, Any] = battle.state.units
        return units

    def is_thing(self, battle: B, word: str) -> bool:
        """Whether a word is one of an answer without being a unit, a place or a verb."""
        return False

    def timing(self, battle: B, wish: Wish) -> Iterable[Bar]:
        """Why it is not the time for it. Other reasons follow."""
        return ()

    def why_not(
        self, battle: B, side: str, words: str, *, verbs: Collection[str] = (), reacts: bool = False
    ) -> list[Bar]:
        """Why something is not offered, each reason once; nothing where the game has none.

        ``words`` are those of an answer in any order. ``verbs`` are those that belong to questions of their own, whose
        answers say what is possible. A side that ``reacts`` needs no turn of its own.
        """
        wish = self.read(battle, side, words.split(), verbs, reacts)
        return [wish] if isinstance(wish, Bar) else list(dict.fromkeys(self.against(battle, wish)))

    def read(
        self, battle: B, side: str, words: list[str], verbs: Collection[str] = (), reacts: bool = False
    ) -> Wish | Bar:
        """The words sorted by what they mean, or why they mean nothing."""
        units = self.everybody(battle)
        known = {word: units[word] for word in words if word in units and self.knows(battle, side, units[word])}
        mine = (*self.units, *self.sides)
        verb = next((word for word in words if word in mine and word not in known), "")
        verb = verb or next((word for word in words if word in verbs and word not in known), "")
        places = [word for word in words if word not in known and self.is_place(battle, word)]
        for word in words:
            if not (word in known or word in mine or word in verbs or word in places or self.is_thing(battle, word)):
                return Bar("", f"you know of no “{word}”; {self.example}")
        needs_unit = not verb or verb in self.units
        if not known and needs_unit:
            return Bar("", f"name the unit; {self.example}")
        acts = side or next((unit.side for unit in known.values()), "")
        own = [unit for unit in known.values() if unit.side == acts]
        if not own and needs_unit:
            return self.not_yours
        others = [unit for unit in known.values() if unit.side != acts]
        rest = [word for word in words if word not in known and word not in places and word != verb]
        return Wish(acts, verb, own, others, places, rest, words, reacts)

    def against(self, battle: B, wish: Wish) -> Iterator[Bar]:
        """Everything that speaks against a wish."""
        yield from self.timing(battle, wish)
        yield from self.of_verb(battle, wish)

    def of_verb(self, battle: B, wish: Wish) -> Iterator[Bar]:
        """What speaks against the verb; against each of the usual ones where there is none."""
        if reason := self.sides.get(wish.verb) or self.units.get(wish.verb):
            yield from reason(battle, wish)
        elif not wish.verb:
            for verb in self.usual:
                for bar in self.units[verb](battle, wish._replace(verb=verb)):
                    yield Bar(bar.rule, f"{verb}: {bar.reason}", bar.source)


def some(bar: Bar | None) -> Iterator[Bar]:
    """A bar, where there is one."""
    if bar is not None:
        yield bar


def unless_one_works(bars: Iterable[Bar | None]) -> list[Bar]:
    """All the reasons, unless one of the ways is free."""
    found = list(bars)
    return [] if None in found else [bar for bar in found if bar is not None]
