"""Battles made to order: what can be chosen, what cannot be, and the file that is written.

A random battle is written as the TOML of a scenario and read back, so that it is a scenario like any other: it can be
saved, printed, changed by hand and checked. The same choices and the same seed give the same battle.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.words import unknown

#: What a battle's name begins with, and the choice that every game has.
RANDOM, SEED = "random", "seed"


class Choice(NamedTuple):
    """Something that can be chosen for a random battle: its name, what it may be, and what it is by default.

    Every value goes with the defaults of the others. Where it is ``open`` others than those listed may be said, too.
    """

    name: str
    values: tuple[str, ...]
    usual: str
    open: bool = False


class RandomBattles(ABC):
    """What a game makes its random battles from."""

    #: The choices that a battle is named after, in this order; the seed comes last.
    named_after: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def choices(self) -> Sequence[Choice]:
        """What can be chosen besides the seed."""

    @abstractmethod
    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        """The file of a scenario. Everything in it follows from the name, which has the choices and the seed."""

    def squads(self) -> Mapping[str, Collection[int]]:
        """Of each nation the years in which it has squads; a game without nations and years leaves it out."""
        return {}

    def check(self, chosen: Mapping[str, str]) -> None:
        """Raise what cannot be: by default a value that is not listed, and nations without squads in a year."""
        for choice in self.choices():
            if not choice.open and chosen[choice.name] not in choice.values:
                raise cannot(f"no {choice.name} {chosen[choice.name]!r}; there are {', '.join(choice.values)}")
        if squads := self.squads():
            check_nations(chosen["nations"], chosen["year"], squads)

    def document(self, given: Mapping[str, str | int]) -> Document:
        """The file of a battle with what was chosen; what was not is as usual."""
        usual = {choice.name: choice.usual for choice in self.choices()} | {SEED: "0"}
        for name in given:
            if name not in usual:
                raise unknown("choice for a random battle", name, usual)
        chosen = usual | {name: str(value) for name, value in given.items()}
        self.check(chosen)
        parts = [chosen[name].replace("/", "_") for name in self.named_after]
        name = "_".join([RANDOM, *parts, plain_word(chosen[SEED])])
        return Document.from_toml(self.write(name, chosen, Random(name)), f"{name}.toml")


def cannot(why: str) -> GrognardError:
    """The refusal of a choice."""
    return GrognardError(f"random battle: {why}")


def plain_word(seed: str) -> str:
    """A seed as part of a name.

    >>> plain_word("Hill 112!")
    'hill_112_'
    """
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in seed.lower()) or "0"


def pair_of(nations: str) -> tuple[str, str]:
    """Two nations, written with a stroke between them.

    >>> pair_of("german/american")
    ('german', 'american')
    """
    first, _, second = nations.partition("/")
    return first, second


def check_nations(nations: str, year: str, squads: Mapping[str, Collection[int]]) -> None:
    """Raise what is wrong with two nations and a year; every nation has squads in some years."""
    if not (year.isascii() and year.isdecimal()):
        raise cannot(f"{year!r} is not a year; write year=1944")
    first, second = pair_of(nations)
    if first == second or not {first, second} <= set(squads):
        known = ", ".join(sorted(squads))
        raise cannot(f"two different nations are needed, not {nations!r}; there are {known}")
    for nation in (first, second):
        years = squads[nation]
        if int(year) not in years:
            raise cannot(f"{nation} has no squads in {year}; it has from {min(years)} to {max(years)}")


def years_of(kinds: Iterable[Any]) -> dict[str, set[int]]:
    """The years of each nation's kinds of units."""
    found: dict[str, set[int]] = {}
    for kind in kinds:
        found.setdefault(kind.nation, set()).update(range(kind.years[0], kind.years[1] + 1))
    return found


# ---- writing -----------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A text as a file has it."""
    return json.dumps(text, ensure_ascii=False)


def head_lines(game: str, name: str, title: str, date: str, briefing: str) -> Iterator[str]:
    """What the file of a scenario begins with."""
    yield from (f"game = {quoted(game)}", f"name = {quoted(name)}", f"title = {quoted(title)}")
    yield from (f"date = {quoted(date)}", f"briefing = {quoted(briefing)}")


def unit_lines(
    side: str,
    counts: Mapping[str, int],
    table: str = "unit",
    more: Callable[[str], Iterable[str]] = lambda _: (),
) -> Iterator[str]:
    """A side's units by kind, with how many of each; ``more`` adds lines to a kind."""
    for kind, count in counts.items():
        yield from (f"[[side.{side}.{table}]]", f"kind = {quoted(kind)}", f"count = {count}", *more(kind))
