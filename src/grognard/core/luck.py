"""What each side rolled against what it could expect, in value."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from grognard.core.events import Event, Rolled


class Luck(msgspec.Struct):
    """The rolls of one kind by one side: how many, what they were worth and what was to be expected."""

    rolls: int = 0
    value: float = 0.0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, event: Rolled) -> None:
        """Count one more roll."""
        self.rolls += 1
        self.value += event.value
        self.expected += event.expected
        self.variance += event.variance

    @property
    def deviations(self) -> float:
        """How far from the expected, in standard deviations: above 2 is remarkable."""
        return (self.value - self.expected) / math.sqrt(self.variance) if self.variance > 0 else 0.0


def luck_report(events: Iterable[Event]) -> dict[str, dict[str, Luck]]:
    """Luck by side and kind of roll. High rolls are taken as good for the side that throws."""
    report: dict[str, dict[str, Luck]] = {}
    for event in events:
        if isinstance(event, Rolled):
            report.setdefault(event.side, {}).setdefault(event.what, Luck()).add(event)
    return report
