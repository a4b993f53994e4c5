"""What can happen in the sequence of play: Impulses, cards, control and victory (3 to 6, 62 to 67, 88.8, 111)."""

from __future__ import annotations

from typing import ClassVar

from grognard.games.ost.events import Happening


def _points(before: str, points: int, kind: str, after: str = "") -> str:
    """A sentence about points, one or several."""
    return f"{before} {{points}} {kind} Point{'' if points == 1 else 's'}{after}"


# ---- turns and Impulses (66, 67, 111) --------------------------------------------------------------


class Phase(Happening, frozen=True, kw_only=True):
    """Turn turn: phase."""

    sentence: ClassVar[str] = "Turn {turn}: {phase}"
    phase: str
    turn: int


class Initiative(Happening, frozen=True, kw_only=True):
    """Side has the Initiative (totals to totals)."""

    sentence: ClassVar[str] = "{side} has the Initiative ({totals[0]} to {totals[1]})"
    totals: tuple[int, int]


class Impulses(Happening, frozen=True, kw_only=True):
    """Side has points Impulse Points this turn."""

    points: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} has", self.points, "Impulse", " this turn")


class Spent(Happening, frozen=True, kw_only=True):
    """Side spends points, left left."""

    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} spends", self.points, "Impulse", ", {left} left")


class Gained(Happening, frozen=True, kw_only=True):
    """Side gains points Impulse Points, left left."""

    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} gains", self.points, "Impulse", ", {left} left")


class LostPoints(Happening, frozen=True, kw_only=True):
    """Side loses points Impulse Points, left left."""

    points: int
    left: int

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} loses", self.points, "Impulse", ", {left} left")


class Passed(Happening, frozen=True, kw_only=True):
    """Side passes."""

    sentence: ClassVar[str] = "{side} passes"


class Declared(Happening, frozen=True, kw_only=True):
    """Unit what target or place, how."""

    sentence: ClassVar[str] = "{unit} {what} {target}{place} {how}"
    unit: str
    what: str
    target: str = ""
    place: str = ""
    how: str = ""


class Marked(Happening, frozen=True, kw_only=True):
    """Unit is marked marker."""

    sentence: ClassVar[str] = "{unit} is marked {marker}"
    unit: str
    marker: str


# ---- Luck cards, assets and control (62, 65) -------------------------------------------------------


class CardDrawn(Happening, frozen=True, kw_only=True):
    """Side draws card."""

    sentence: ClassVar[str] = "{side} draws {card}"
    card: str


class CardPlayed(Happening, frozen=True, kw_only=True):
    """Side plays card."""

    sentence: ClassVar[str] = "{side} plays {card}"
    card: str


class AssetGained(Happening, frozen=True, kw_only=True):
    """Side gets count of kind."""

    sentence: ClassVar[str] = "{side} gets {count} more: {kind}"
    kind: str
    count: int


class Captured(Happening, frozen=True, kw_only=True):
    """Side takes place."""

    sentence: ClassVar[str] = "{side} takes {place}"
    place: str


# ---- scoring and the end (4 to 6, 64) --------------------------------------------------------------


class Scored(Happening, frozen=True, kw_only=True):
    """Side scores points Casualty Point(s) on unit."""

    points: int
    unit: str

    def pattern(self) -> str:
        """One point or several."""
        return _points("{side} scores", self.points, "Casualty", " on {unit}")


class VictoryScored(Happening, frozen=True, kw_only=True):
    """Side scores points Victory Point(s) place."""

    points: int
    place: str = ""

    def pattern(self) -> str:
        """One point or several, and for which hex."""
        return _points("{side} scores", self.points, "Victory", " for {place}" if self.place else "")


class Ended(Happening, frozen=True, kw_only=True):
    """The battle ends: why."""

    sentence: ClassVar[str] = "the battle ends: {why}"
    winner: str
    why: str
