"""What can happen to units that move: typed records with the rules behind them (sections 7 to 10, 23 to 25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from grognard.board.table.places import measured
from grognard.core.events import NO_NAMES, Change, Told, place_told
from grognard.core.poses import hundredths
from grognard.games.bolt_action.charts import MEASURE

#: One model's move: its id, where it was and where it is, in hundredths, and the way it looks now.
Step = tuple[str, int, int, int, int, int]


class MoveEvent(Told, frozen=True, kw_only=True):
    """An event of a unit that moves."""

    unit: str


class Moved(MoveEvent, frozen=True, kw_only=True):
    """A unit went from one place to another; ``models`` are the moves of its models, ``how`` what moved it."""

    how: str
    start: str
    end: str
    inches: str
    models: tuple[Step, ...] = ()

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The move as a sentence."""
        way = f"{measured(hundredths(self.inches), MEASURE)} to {place_told(self.end, names)}"
        return f"{names.get(self.unit, self.unit)} {HOW.get(self.how, 'moves')} {way}"


HOW = {
    "advance": "advances",
    "run": "runs",
    "assault": "charges",
    "panic": "flees",
    "escape": "escapes",
    "regroup": "regroups",
    "reverse": "reverses",
    "leave": "gets out and goes",
    "enter_table": "comes onto the table and goes",
}


class Turned(MoveEvent, frozen=True, kw_only=True):
    """{unit} turns to {heading}°.

    A unit turned on the spot.
    """

    heading: int
    start: int


class Halted(MoveEvent, frozen=True, kw_only=True):
    """{unit} is halted {place}.

    Fire ended a unit's move on its way.
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    place: str


class FellShort(MoveEvent, frozen=True, kw_only=True):
    """{unit} cannot reach {target}: the assault fails.

    An assault could not reach its target.
    """

    matters: ClassVar[bool] = True
    target: str


class Boarded(MoveEvent, frozen=True, kw_only=True):
    """{unit} boards {vehicle}.

    A unit got into a transport, or was hitched to a tow.
    """

    vehicle: str


class Hitched(MoveEvent, frozen=True, kw_only=True):
    """{unit} is hitched to {vehicle}.

    A gun was hitched to a tow.
    """

    vehicle: str


class GotOut(MoveEvent, frozen=True, kw_only=True):
    """{unit} gets out of {vehicle}.

    A unit left a transport or its tow.
    """

    vehicle: str


class Spilled(MoveEvent, frozen=True, kw_only=True):
    """The passengers of a destroyed vehicle got out with so many hits."""

    matters: ClassVar[bool] = True
    vehicle: str
    hits: int

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """Who got out, and how hard."""
        hits = f"{self.hits} hit{'' if self.hits == 1 else 's'}"
        return f"{names.get(self.unit, self.unit)} is thrown out of {names.get(self.vehicle, self.vehicle)}: {hits}"

    def change(self) -> Change | None:
        """Who got out, and how hard."""
        return Change(self.unit, "is thrown out of {} with #", self.hits, "hit", (self.vehicle,), harm=True)


class Occupied(MoveEvent, frozen=True, kw_only=True):
    """{unit} enters {piece}.

    A unit went into a building.
    """

    piece: str


class LeftBuilding(MoveEvent, frozen=True, kw_only=True):
    """{unit} leaves {piece}.

    A unit came out of a building.
    """

    piece: str


class Rammed(MoveEvent, frozen=True, kw_only=True):
    """A tank drove into a building: it came down, or the tank stuck in it."""

    matters: ClassVar[bool] = True
    piece: str
    down: bool

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """What came of it."""
        unit = names.get(self.unit, self.unit)
        piece = names.get(self.piece, self.piece)
        return f"{unit} drives down {piece}" if self.down else f"{unit} gets stuck in {piece} and is immobilised"

    def change(self) -> Change | None:
        """What came of it."""
        what = "drives down {}" if self.down else "gets stuck in {} and is immobilised"
        return Change(self.unit, what, about=(self.piece,), harm=not self.down)


class Collapsed(Told, frozen=True, kw_only=True):
    """{piece} collapses.

    A building came down: it is rough ground now.
    """

    matters: ClassVar[bool] = True
    piece: str


class LeftTable(MoveEvent, frozen=True, kw_only=True):
    """{unit} leaves the table over its {edge} edge.

    A unit left the table where the scenario lets it.
    """

    matters: ClassVar[bool] = True
    edge: str
