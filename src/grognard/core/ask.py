"""Questions and answers: an Ask with its options, each answer a short string."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from grognard.core.errors import IllegalError
from grognard.core.tally import Tally

if TYPE_CHECKING:
    from grognard.core.poses import Area


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One legal answer: its stable key, and what a client needs to show it."""

    key: str
    label: str = ""
    verb: str = ""
    unit: str = ""
    place: str = ""
    target: str = ""
    cost: str = ""
    rule: str = ""
    range: int = -1


class Bar(msgspec.Struct, frozen=True, array_like=True):
    """Why something is not allowed: the rule, the reason, and where it lies."""

    rule: str
    reason: str
    source: str = ""

    def say(self) -> str:
        """The reason as people read it."""
        source = f" ({self.source})" if self.source else ""
        return f"{self.reason}{source}" + (f" [{self.rule}]" if self.rule else "")


class Ask:
    """A choice that a side must make. Its options are listed only when somebody looks.

    ``quiet`` asks are those to which the state alone leads back; ``reaction`` names the kind of interrupt
    (such as ``"opportunity fire"``) so that a standing order can answer it. A free placement has an ``area``: then any
    pose in it is an answer too, and the poses among the options are only good ones to choose from.
    """

    __slots__ = ("_area", "_list", "_options", "prompt", "quiet", "reaction", "rule", "seq", "side")

    def __init__(
        self,
        side: str,
        prompt: str,
        options: Callable[[], Iterable[Option]] | list[Option],
        *,
        quiet: bool = False,
        reaction: str = "",
        rule: str = "",
        area: Callable[[], Area] | None = None,
    ) -> None:
        self._area: Callable[[], Area] | Area | None = area
        self.side, self.prompt, self.quiet, self.reaction, self.rule = side, prompt, quiet, reaction, rule
        self.seq = 0
        self._options: list[Option] | None = None
        self._list: Callable[[], Iterable[Option]] | None = None
        if callable(options):
            self._list = options
        else:
            self._options = options

    @property
    def options(self) -> list[Option]:
        """Every legal answer. This list is the whole truth about legality."""
        if self._options is None:
            assert self._list is not None
            self._options = list(self._list())
        return self._options

    @property
    def only(self) -> str | None:
        """The key of the one answer that there is; None where there is a choice."""
        return self.options[0].key if len(self.options) == 1 and self.area is None else None

    @property
    def area(self) -> Area | None:
        """Where a pose is an answer too; None where there is no free placement."""
        if callable(self._area):
            self._area = self._area()
        return self._area

    def option(self, key: str) -> Option:
        """The option of a key; any other key is illegal, and the error says what would be right."""
        area = self.area
        if area is not None and key.split(" ", 1)[0] == area.verb:
            found = area.option(key)
            if isinstance(found, str):
                wrong = f"{key!r} is not an answer to “{self.prompt}” ({self.side}): {found}"
                raise IllegalError(key, self, f"{wrong}; legal: {self._legal()}")
            # A pose that is listed has its cost and label.
            return next((option for option in self.options if option.key == key), found)
        for option in self.options:
            if option.key == key:
                return option
        raise IllegalError(
            key, self, f"{key!r} is not an answer to “{self.prompt}” ({self.side}); legal: {self._legal()}"
        )

    def _legal(self) -> str:
        """What would be an answer, in words."""
        keys = [option.key for option in self.options]
        shown = ", ".join(keys[:12]) + (f", … ({len(keys)} in all)" if len(keys) > 12 else "")
        return shown if self.area is None else f"{shown}, and any {self.area.verb!r} inside its area"

    def __repr__(self) -> str:
        return f"Ask({self.side!r}, {self.prompt!r}, quiet={self.quiet})"


class FacesAsk(Ask):
    """The table's own dice are wanted: the answer is ``dice 3 4``."""

    __slots__ = ("number", "sides", "tallies", "what")

    def __init__(self, side: str, number: int, sides: int, what: str = "", tallies: tuple[Tally, ...] = ()) -> None:
        self.number, self.sides, self.what, self.tallies = number, sides, what, tallies
        super().__init__(side, f"What did {number}d{sides} show{f' for {what}' if what else ''}?", [])

    def option(self, key: str) -> Option:
        """Any faces that such dice can show."""
        words = key.split()
        good = (
            len(words) == self.number + 1
            and words[0] == "dice"
            and all(len(w) <= 4 and w.isascii() and w.isdigit() and 1 <= int(w) <= self.sides for w in words[1:])
        )
        if not good:
            example = " ".join(["dice", *["3"] * self.number])
            raise IllegalError(
                key, self, f"{key!r} does not say what {self.number}d{self.sides} showed; write it as {example!r}"
            )
        return Option(key)


R = TypeVar("R")
Procedure = Generator[Ask, str, R]
Rules = Generator[Ask, str, Any]
