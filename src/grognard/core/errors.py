"""The three ways input can be wrong: malformed, illegal, stale.

Whatever is raised from here has changed nothing. Each error says what was wrong, where, and what
would be right; a malformed file reports all of its faults at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: As many faults of a file are told at once; who mends these will see the rest.
MOST_FAULTS = 100


def plain(text: str, most: int = 0) -> str:
    """Text as a terminal may show it: what would move the cursor or change colours is spelt out, and no more than fits.

    >>> print(plain("\\x1b[31mred", 6))
    \\x1b[31 …
    """
    if most and len(text) > most:
        text = f"{text[: most - 2]} …"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode("ascii") for c in text)


class GrognardError(Exception):
    """Anything a user did that Grognard refuses."""


class Fault(NamedTuple):
    """One thing wrong with a file: where it stands, what is wrong, and what would be right."""

    file: str
    line: int
    place: str
    wrong: str
    right: str = ""

    def __str__(self) -> str:
        file, place, wrong, right = plain(self.file, 300), plain(self.place, 200), plain(self.wrong, 500), self.right
        where = f"{file}:{self.line}" if self.line else file
        text = f"{where}: {place}: {wrong}" if place else f"{where}: {wrong}"
        return f"{text} ({plain(right, 3000)})" if right else text


class MalformedError(GrognardError):
    """Input that cannot be read as what it claims to be: all its faults together."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        if (more := len(self.faults) - MOST_FAULTS) > 0:
            left_out = Fault(self.faults[0].file, 0, "", f"and {more:,} more faults", "fix these first")
            self.faults = (*self.faults[:MOST_FAULTS], left_out)
        super().__init__("\n".join(map(str, self.faults)))


class VersionError(MalformedError):
    """A save, or another file, of a version that this program does not read."""


class IllegalError(GrognardError):
    """An answer that is not among the options of the ask."""

    def __init__(self, key: str, ask: object, reason: str) -> None:
        self.key, self.ask, self.reason = key, ask, reason
        super().__init__(reason)


class StaleError(GrognardError):
    """An answer to a question that no longer stands."""

    def __init__(self, given: int, current: int) -> None:
        self.given, self.current = given, current
        super().__init__(
            f"you answered question {given}, but the question is now {current}; look at it and answer again"
        )
