"""The files of a game's folder that help people to play: verbs, glossary, headings of charts, lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from grognard.core.aid_views import Lesson, VerbHelp
from grognard.core.chart_views import Heading
from grognard.core.files import Document
from grognard.core.glossary import Term
from grognard.core.lessons import load_lesson

K = TypeVar("K", bound=msgspec.Struct)


class Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verb of verbs.toml.

    ``odds`` says whether the odds of what follows help to choose between options of this verb, ``idle`` whether it lets
    one's go by.
    """

    title: str
    text: str
    rule: str
    letter: str = ""
    odds: bool = True
    idle: bool = False


class Meaning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of glossary.toml: what a tag or an abbreviation means."""

    title: str
    text: str
    rule: str
    also: tuple[str, ...] = ()
    alone: bool = False


class FolderFiles:
    """What a game's folder has for people: each file is read when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _entries(self, file: str, kind: type[K]) -> dict[str, K]:
        """The entries of a file by name; none where the game has no such file."""
        path = self.folder / file
        if not path.exists():
            return {}
        document = Document.read(path)
        found = {name: document.convert(entry, kind, name) for name, entry in document.data.items()}
        document.check()
        return {name: entry for name, entry in found.items() if entry is not None}

    @cached_property
    def headings(self) -> dict[str, Heading]:
        """How each chart is headed, from headings.toml."""
        return self._entries("headings.toml", Heading)

    @cached_property
    def _verbs(self) -> dict[str, Verb]:
        return self._entries("verbs.toml", Verb)

    def verbs(self) -> list[VerbHelp]:
        """What each verb means, for somebody who has not read the rules."""
        return [
            VerbHelp(name, verb.title, verb.text, verb.rule, verb.letter, verb.odds, verb.idle)
            for name, verb in self._verbs.items()
        ]

    @cached_property
    def _meanings(self) -> dict[str, Meaning]:
        return self._entries("glossary.toml", Meaning)

    def glossary(self) -> list[Term]:
        """What the game's tags and abbreviations mean."""
        return [
            Term(word, meaning.title, meaning.text, meaning.rule, meaning.also, meaning.alone)
            for word, meaning in self._meanings.items()
        ]

    def lesson_files(self) -> list[Path]:
        """The lessons that come with the game."""
        return sorted((self.folder / "lessons").glob("*.toml"))

    @cached_property
    def _lessons(self) -> tuple[Lesson, ...]:
        return tuple(load_lesson(Document.read(path)) for path in self.lesson_files())

    def lessons(self) -> list[Lesson]:
        """The guided battles."""
        return list(self._lessons)


def counted(names: Iterable[str]) -> list[str]:
    """Names with how often each comes: "4 Rifle Squad"."""
    return [f"{count} {name}" for name, count in Counter(names).items()]
