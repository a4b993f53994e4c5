"""The three ways input can be wrong: malformed, illegal, stale.

Whatever is raised from here has changed nothing. Each error says what was wrong, where, and what
would be right; a malformed file reports all of its faults at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


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
        where = f"{self.file}:{self.line}" if self.line else self.file
        text = f"{where}: {self.place}: {self.wrong}" if self.place else f"{where}: {self.wrong}"
        return f"{text} ({self.right})" if self.right else text


class MalformedError(GrognardError):
    """Input that cannot be read as what it claims to be: all its faults together."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
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
            f"the answer is for question {given}, but question {current} stands now; look at it and answer again"
        )
