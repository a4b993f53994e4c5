"""What can happen in the sequence of play: Impulses, cards, control and victory (3 to 6, 62 to 67, 88.8, 111)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Told


def _points(before: str, points: int, kind: str, after: str = "") -> str:
    """A sentence about points, one or several."""
    return f"{before} {{points}} {kind} Point{'' if points == 1 else 's'}{after}"


# ---- turns and Impulses (66, 67, 111) --------------------------------------------------------------


class Phase(Told, frozen=True, kw_only=True):
    """Turn {turn}: {phase}."""

    phase: str
    turn: int


class Initiative(Told, frozen=True, kw_only=True):
    """{side} has the Initiative ({totals[0]} to {totals[1]}).

    Side has the Initiative (totals to totals).
    """

    totals: tuple[int, int]


class Impulses(Told, frozen=True, kw_only=True):
    """Side has points Impulse Points this turn."""

    points: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} has", self.points, "Impulse", " this turn")


class Spent(Told, frozen=True, kw_only=True):
    """Side spends points, left left."""

    choice: ClassVar[bool] = True
    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} spends", self.points, "Impulse", ", {left} left")


class Gained(Told, frozen=True, kw_only=True):
    """Side gains points Impulse Points, left left."""

    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} gains", self.points, "Impulse", ", {left} left")


class LostPoints(Told, frozen=True, kw_only=True):
    """Side loses points Impulse Points, left left."""

    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} loses", self.points, "Impulse", ", {left} left")


class Passed(Told, frozen=True, kw_only=True):
    """{side} passes."""


class Declared(Told, frozen=True, kw_only=True):
    """{unit} {what} {target}{place} {how}.

    Unit what target or place, how.
    """

    unit: str
    what: str
    target: str = ""
    place: str = ""
    how: str = ""


class Marked(Told, frozen=True, kw_only=True):
    """{unit} is marked {marker}."""

    unit: str
    marker: str


# ---- Luck cards, assets and control (62, 65) -------------------------------------------------------


class CardDrawn(Told, frozen=True, kw_only=True):
    """{side} draws {card}."""

    card: str


class CardPlayed(Told, frozen=True, kw_only=True):
    """{side} plays {card}."""

    card: str


class AssetGained(Told, frozen=True, kw_only=True):
    """{side} gets {count} more: {kind}.

    Side gets count of kind.
    """

    kind: str
    count: int


class Captured(Told, frozen=True, kw_only=True):
    """{side} takes {place}."""

    place: str


# ---- scoring and the end (4 to 6, 64) --------------------------------------------------------------


class Scored(Told, frozen=True, kw_only=True):
    """Side scores points Casualty Point(s) on unit."""

    points: int
    unit: str

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} scores", self.points, "Casualty", " on {unit}")


class VictoryScored(Told, frozen=True, kw_only=True):
    """Side scores points Victory Point(s) place."""

    points: int
    place: str = ""

    def pattern(self) -> str:
        """One point or several, and for which hex."""
        return _points("{side} scores", self.points, "Victory", " for {place}" if self.place else "")


class Ended(Told, frozen=True, kw_only=True):
    """the battle ends: {why}."""

    winner: str
    why: str
