"""What happens to Teams that move: typed records with the rules behind them (sections 4, 5 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from grognard.board.table.places import measured
from grognard.core.events import NO_NAMES, Told, place_told
from grognard.core.poses import hundredths
from grognard.games.company.charts import MEASURE

#: One Team's move: its id, where it was and where it is, in hundredths, the way it looks now, and its turret.
Step = tuple[str, int, int, int, int, int, int]

#: What Teams of a Unit do that go somewhere, by what moves them.
HOW = {
    "move": ("moves", "move"),
    "run": ("runs", "run"),
    "assault": ("charges", "charge"),
    "counter": ("closes in", "close in"),
    "break_off": ("falls back", "fall back"),
    "pursue": ("pursues", "pursue"),
    "halted": ("stops short", "stop short"),
    "hurry": ("hurries", "hurry"),
    "mount": ("goes to its transport", "go to their transport"),
    "exit": ("makes off", "make off"),
}


class MoveEvent(Told, frozen=True, kw_only=True):
    """An event of a Unit that moves."""

    unit: str


class Moved(MoveEvent, frozen=True, kw_only=True):
    """A Unit went from one place to another, or some of it did: ``who``, "" for all of it.

    ``models`` are the moves of its Teams, ``how`` what moved them.
    """

    how: str
    start: str
    end: str
    inches: str
    who: str = ""
    models: tuple[Step, ...] = ()

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The move as a sentence."""
        one, several = HOW[self.how]
        verb = several if len(self.models) > 1 and self.who else one
        way = f"{measured(hundredths(self.inches), MEASURE)} to {place_told(self.end, names)}"
        unit = names.get(self.unit, self.unit)
        return f"{unit}: {self.who} {verb} {way}" if self.who else f"{unit} {verb} {way}"


class Turned(MoveEvent, frozen=True, kw_only=True):
    """{unit}: {who} turned on the spot.

    Teams turned where they stand; that is a move of what has a front.
    """

    who: str
    models: tuple[Step, ...] = ()


class Stuck(MoveEvent, frozen=True, kw_only=True):
    """{unit}: {team} sticks in the terrain and is suppressed.

    A vehicle failed its terrain check.
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    team: str


class Mounted(MoveEvent, frozen=True, kw_only=True):
    """{unit}: {team} mounts {vehicle}.

    A Team got into a vehicle of its Unit, or was hitched to it.
    """

    team: str
    vehicle: str


class Dismounted(MoveEvent, frozen=True, kw_only=True):
    """{unit}: {team} gets out of {vehicle}.

    A Team left a vehicle of its Unit, or its tow.
    """

    team: str
    vehicle: str


class LeftTable(MoveEvent, frozen=True, kw_only=True):
    """{unit} leaves the table over its {edge} edge."""

    matters: ClassVar[bool] = True
    edge: str
