"""What happened, as typed records with rule ids. Text for people is made from them last."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any, ClassVar, NamedTuple

import msgspec

from grognard.core.tally import Tally
from grognard.core.words import side_name

NO_NAMES: Mapping[str, str] = {}
#: A sentence repeats so much of an answer.
LONG_KEY = 200


class Names(dict[str, str]):
    """How people call units and other things, by id; a game whose places are mere numbers has words for them, too."""

    def place(self, word: str) -> str:
        """A place as people call it."""
        return word


def place_told(word: str, names: Mapping[str, str]) -> str:
    """A place as people call it, so far as names have words for places."""
    return names.place(word) if isinstance(names, Names) else word


class Change(NamedTuple):
    """What an event does to a unit, as odds reckon with it: a record, of which words are made last.

    ``what`` goes on after the unit's name; in it # stands for an ``amount`` of some ``thing`` and {} for each name of
    ``about``. ``side`` is whose unit it is. What does ``harm`` counts against that side; ``fatal`` is what puts the
    unit out of the fight.
    """

    unit: str
    what: str
    amount: int = 0
    thing: str = ""
    about: tuple[str, ...] = ()
    side: str = ""
    harm: bool = False
    fatal: bool = False

    @property
    def kind(self) -> Change:
        """The same without its amount: what is added up and what is told by itself goes by this."""
        return self._replace(amount=0)

    def say(self, names: Mapping[str, str] = NO_NAMES, amount: str = "", *, named: bool = True) -> str:
        """The change in words; ``amount`` takes the place of its own, and the unit's name can be left out."""
        told = [names.get(word) or place_told(word, names) for word in self.about]
        text = self.what.format(*told)
        if self.thing:
            one = (amount or str(self.amount)) == "1"
            text = text.replace("#", f"{amount or self.amount} {self.thing if one else several(self.thing)}")
        if not self.unit:
            return text[:1].upper() + text[1:]
        return f"{names.get(self.unit, self.unit)} {text}" if named else text


def several(thing: str) -> str:
    """More than one of a thing.

    >>> several("man"), several("pin")
    ('men', 'pins')
    """
    return thing[:-2] + "en" if thing.endswith("man") else f"{thing}s"


@cache
def predicate(sentence: str) -> tuple[str, tuple[str, ...]]:
    """A sentence's pattern as what a `Change` says, and the fields that fill its gaps.

    >>> predicate("{unit} evades to {place}")
    ('evades to {}', ('place',))
    """
    what, fields = "", list[str]()
    for text, field, _, _ in Formatter().parse(sentence.removeprefix("{unit} ")):
        what += text
        if field is not None:
            what += "{}"
            fields.append(field)
    return what, tuple(fields)


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, omit_defaults=True):
    """Something that happened. Every game derives its own kinds.

    ``side`` is the side that did it, ``rules`` the rules that made it so, ``seen_by`` the only side that
    may see it ("" for everyone), and ``shows`` is True when it told somebody a secret.
    """

    #: Whether it only tells what a side has chosen or spent: nothing on the map has come of it, nobody reacts to it.
    choice: ClassVar[bool] = False
    side: str = ""
    rules: tuple[str, ...] = ()
    seen_by: str = ""
    shows: bool = False

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        parts = [
            f"{name} {getattr(self, name)}"
            for name in self.__struct_fields__
            if name not in ("side", "rules", "seen_by", "shows") and getattr(self, name) not in ("", (), None)
        ]
        return f"{type(self).__name__}: " + ", ".join(parts)

    def change(self) -> Change | None:
        """What it changes, for odds; None where it changes nothing that they tell of."""
        return None


class Told(Event, frozen=True, kw_only=True):
    """An event whose docstring is its sentence: the first paragraph, with the event's fields in braces.

    Units are told by their names, places in words, sides and kinds as people write them. It ``matters`` where odds
    tell it as part of what an answer leads to; it may ``harm`` the unit, or be ``fatal`` to it.
    """

    matters: ClassVar[bool] = False
    harm: ClassVar[bool] = False
    fatal: ClassVar[bool] = False
    #: By field, what people call its values.
    words: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    def pattern(self) -> str:
        """The sentence with its gaps; some events have several."""
        return sentence_of(type(self))

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        pattern = self.pattern()
        text = pattern.format(**{name: self._in_words(name, names) for name in self.__struct_fields__}).strip()
        return text if pattern.startswith(_BY_NAME) else text[:1].upper() + text[1:]

    def change(self) -> Change | None:
        """What it changes, where it matters; its subject is the unit if the sentence begins with one."""
        if not self.matters:
            return None
        pattern = self.pattern()
        what, fields = predicate(pattern)
        unit = getattr(self, "unit", "") if pattern.startswith("{unit} ") else ""
        # Units and places are told last, by names that are not known here.
        about = tuple(str(self._in_words(field, NO_NAMES)) for field in fields)
        return Change(unit, what, about=about, harm=self.harm, fatal=self.fatal)

    def counted(self, what: str, amount: int, thing: str, *about: str) -> Change:
        """A change that is so many of a thing."""
        return Change(getattr(self, "unit", ""), what, amount, thing, about, harm=self.harm)

    def _in_words(self, field: str, names: Mapping[str, str]) -> Any:
        value = getattr(self, field)
        if not isinstance(value, str):
            return value
        if field in self.words:
            return self.words[field].get(value, value)
        if field == "side":
            return side_name(value)
        if field == "place":
            return place_told(value, names)
        if field in ("kind", "card"):
            return names.get(value) or value.replace("_", " ")
        return names.get(value, value)


#: A sentence that begins with a name begins as the name does.
_BY_NAME = ("{unit}", "{weapon}")


@cache
def sentence_of(kind: type[Told]) -> str:
    """The sentence of an event: the first paragraph of its docstring without its full stop."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split()).removesuffix(".")


class Rolled(Event, frozen=True, kw_only=True):
    """Dice were thrown: what for, what stood behind the number, the faces and what they meant.

    ``value`` is what the meaning is worth, against what was ``expected``; ``chance`` how likely that meaning was.
    ``words`` say what is counted, where a meaning is numbers; ``needed`` are the lowest and the highest total that come
    to anything, of one die where each is read by itself, and None where every throw does.
    """

    what: str
    dice: str
    unit: str = ""
    faces: tuple[int, ...] = ()
    meaning: Any = None
    tallies: tuple[Tally, ...] = ()
    value: float = 0.0
    expected: float = 0.0
    variance: float = 0.0
    chance: float = 0.0
    words: tuple[str, ...] = ()
    needed: tuple[int, int] | None = None

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The roll as a sentence."""
        faces = f" ({' '.join(map(str, self.faces))})" if self.faces else ""
        unit = f", {names.get(self.unit, self.unit)}" if self.unit else ""
        what = self.what[:1].upper() + self.what[1:]
        return f"{what}{unit}: {self.dice}{faces} → {say_meaning(self.meaning, self.words)}"


def say_needed(number: int, sides: int, span: tuple[int, int] | None, *, each: bool = False) -> str:
    """What a throw needed to come to anything, in words; "" where every throw does.

    >>> say_needed(2, 6, (8, 12)), say_needed(2, 6, (2, 8)), say_needed(3, 6, (4, 6), each=True)
    ('8 or more', '8 or less', '4 or more each')
    """
    if span is None:
        return ""
    low, high = span
    least, most = (1, sides) if each else (number, number * sides)
    if low == high:
        text = str(low)
    elif low == least:
        text = f"{high} or less"
    else:
        text = f"{low} or more" if high == most else f"{low} to {high}"
    return f"{text} each" if each and number > 1 else text


def say_meaning(meaning: Any, words: tuple[str, ...] = ()) -> str:
    """A meaning in words; one of several parts has them all.

    >>> say_meaning((3, 1), ("good", "on a six")), say_meaning(0, ("good",))
    ('3 good, 1 on a six', 'none')
    """
    if words:
        numbers = meaning if isinstance(meaning, tuple) else (meaning,)
        return ", ".join(f"{number} {word}" for number, word in zip(numbers, words, strict=False) if number) or "none"
    if isinstance(meaning, tuple):
        return ", ".join(map(say_meaning, meaning))
    if isinstance(meaning, bool):
        return "passed" if meaning else "failed"
    return "no result" if meaning == "" else str(meaning).replace("_", " ")


class Asked(Event, frozen=True, kw_only=True):
    """A side answered a question, itself or by a standing order."""

    key: str
    by_order: bool = False

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The answer as a sentence; of a long one, such as orders that were drawn, the beginning."""
        key = self.key if len(self.key) <= LONG_KEY else f"{self.key[:LONG_KEY]} …"
        return f"{self.side}: {key}" + (" (standing order)" if self.by_order else "")
