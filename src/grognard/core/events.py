"""What happened, as typed records with rule ids. Text for people is made from them last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from grognard.core.tally import Tally

NO_NAMES: Mapping[str, str] = {}


class Names(dict[str, str]):
    """How people call units and other things, by id; a game whose places are mere numbers has words for them, too."""

    def place(self, word: str) -> str:
        """A place as people call it."""
        return word


def place_told(word: str, names: Mapping[str, str]) -> str:
    """A place as people call it, so far as names have words for places."""
    return names.place(word) if isinstance(names, Names) else word


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag=True, omit_defaults=True):
    """Something that happened. Every game derives its own kinds.

    ``side`` is the side that did it, ``rules`` the rules that made it so, ``seen_by`` the only side that
    may see it ("" for everyone), and ``shows`` is True when it told somebody a secret.
    """

    #: Whether it puts a unit out of the fight.
    fatal: ClassVar[bool] = False
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

    def joined(self, _later: Event) -> Event | None:
        """This event and a later one of the same kind as one, for the outcome of an attack; None if they stay two."""
        return None


class Rolled(Event, frozen=True, kw_only=True):
    """Dice were thrown: what for, what stood behind the number, the faces and what they meant.

    ``value`` is what the meaning is worth, against what was ``expected``; ``chance`` how likely that meaning was.
    ``words`` say what is counted, where a meaning is numbers.
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

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The roll as a sentence."""
        faces = f" ({' '.join(map(str, self.faces))})" if self.faces else ""
        unit = f", {names.get(self.unit, self.unit)}" if self.unit else ""
        what = self.what[:1].upper() + self.what[1:]
        return f"{what}{unit}: {self.dice}{faces} → {_meaning(self.meaning, self.words)}"


def _meaning(meaning: Any, words: tuple[str, ...] = ()) -> str:
    """A meaning in words; one of several parts has them all.

    >>> _meaning((3, 1), ("good", "on a six")), _meaning(0, ("good",))
    ('3 good, 1 on a six', 'none')
    """
    if words:
        numbers = meaning if isinstance(meaning, tuple) else (meaning,)
        return ", ".join(f"{number} {word}" for number, word in zip(numbers, words, strict=False) if number) or "none"
    if isinstance(meaning, tuple):
        return ", ".join(map(_meaning, meaning))
    if isinstance(meaning, bool):
        return "passed" if meaning else "failed"
    return "no result" if meaning == "" else str(meaning).replace("_", " ")


class Asked(Event, frozen=True, kw_only=True):
    """A side answered a question, itself or by a standing order."""

    key: str
    by_order: bool = False

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The answer as a sentence."""
        return f"{self.side}: {self.key}" + (" (standing order)" if self.by_order else "")
