"""A number that explains itself: a base and the lines that changed it, each with reason and rule."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

import msgspec


class Line(msgspec.Struct, frozen=True, array_like=True):
    """One change: which modifier, by how much, under which rule, and where it comes from."""

    id: str
    amount: int
    rule: str
    source: str = ""


class Tally(msgspec.Struct, array_like=True):
    """A base value and its modifiers, in the order in which they were applied.

    >>> firepower = Tally("firepower", 4, "20.3", "Rifle Squad")
    >>> firepower.add("support_weapon", 2, "20.3", "LMG")
    >>> firepower.multiply("shaken_fp", 0.5, "68.3")
    >>> firepower.total
    3
    >>> [(line.id, line.amount) for line in firepower.lines]
    [('support_weapon', 2), ('shaken_fp', -3)]
    """

    what: str
    base: int
    rule: str = ""
    source: str = ""
    lines: list[Line] = []

    @property
    def total(self) -> int:
        """The base with every line applied."""
        value = self.base
        for line in self.lines:
            value += line.amount
        return value

    def add(self, id: str, amount: int, rule: str, source: str = "") -> None:
        """Add a modifier. The same id from the same source twice is an error of the rules."""
        for line in self.lines:
            if line.id == id and line.source == source:
                raise ValueError(f"modifier {id!r} ({source}) is there twice in the tally of {self.what}")
        self.lines.append(Line(id, amount, rule, source))

    def multiply(self, id: str, factor: float, rule: str, source: str = "") -> None:
        """Multiply what stands so far, rounding down."""
        value = self.total
        self.add(id, floor(value * factor) - value, rule, source)

    def at_least(self, least: int, id: str, rule: str) -> None:
        """Raise to a minimum, with a line that says so; nothing where it is reached."""
        if (value := self.total) < least:
            self.add(id, least - value, rule)

    def say(self, phrases: Mapping[str, str] | None = None) -> str:
        """The tally as a sentence for people: ``Firepower: 4 Rifle Squad [88.1], +2 LMG [20.3] = 6``."""
        base = " ".join(filter(None, (str(self.base), self.source, f"[{self.rule}]" if self.rule else "")))
        if not self.lines:
            return f"{self.what}: {base}"
        parts = [base]
        for line in self.lines:
            name = (phrases or {}).get(line.id, line.id.replace("_", " "))
            source = f" ({line.source})" if line.source else ""
            parts.append(f"{line.amount:+d} {name}{source}" + (f" [{line.rule}]" if line.rule else ""))
        return f"{self.what}: " + ", ".join(parts) + f" = {self.total}"
