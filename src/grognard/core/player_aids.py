"""The files of a game's folder that help people to play: verbs, headings of charts, lessons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import msgspec

from grognard.core.aids import Lesson, VerbHelp
from grognard.core.chart_views import Heading
from grognard.core.files import Document
from grognard.core.lessons import load_lesson


class Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A verb of verbs.toml.

    ``odds`` says whether the odds of what follows help to choose between options of this verb.
    """

    title: str
    text: str
    rule: str
    letter: str = ""
    odds: bool = True


class PlayerAids:
    """What a game's folder has for people: each file is read when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def headings(self) -> dict[str, Heading]:
        """How each chart is headed, from headings.toml."""
        document = Document.read(self.folder / "headings.toml")
        found = {name: document.convert(entry, Heading, name) for name, entry in document.data.items()}
        document.check()
        return {name: heading for name, heading in found.items() if heading is not None}

    @cached_property
    def _verbs(self) -> dict[str, Verb]:
        document = Document.read(self.folder / "verbs.toml")
        found = {name: document.convert(entry, Verb, name) for name, entry in document.data.items()}
        document.check()
        return {name: verb for name, verb in found.items() if verb is not None}

    def verbs(self) -> list[VerbHelp]:
        """What each verb means, for somebody who has not read the rules."""
        return [
            VerbHelp(name, verb.title, verb.text, verb.rule, verb.letter, verb.odds)
            for name, verb in self._verbs.items()
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
