"""What can happen to units that move: typed records with the rules behind them (sections 7 to 10, 23 to 25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from grognard.board.table.places import measured
from grognard.core.events import NO_NAMES, Event, place_told
from grognard.core.poses import hundredths

#: One model's move: its id, where it was and where it is, in hundredths, and the way it looks now.
Step = tuple[str, int, int, int, int, int]


class MoveEvent(Event, frozen=True, kw_only=True):
    """An event about a unit whose sentence is filled in from its fields, units by their names.

    ``tells`` is True where it belongs to what an answer leads to, so that odds tell it.
    """

    sentence: ClassVar[str] = ""
    tells: ClassVar[bool] = False

    unit: str

    def outcome(self, names: Mapping[str, str] = NO_NAMES) -> str | None:
        """What it comes to, for odds; None where it says nothing new."""
        return self.say(names) if self.tells else None

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        fields = {name: _in_words(name, getattr(self, name), names) for name in self.__struct_fields__}
        return self.sentence.format(**fields)


def _in_words(field: str, value: Any, names: Mapping[str, str]) -> Any:
    if field == "place":
        return place_told(value, names)
    return names.get(value, value) if isinstance(value, str) else value


class Moved(MoveEvent, frozen=True, kw_only=True):
    """A unit went from one place to another; ``models`` are the moves of its models, ``how`` what moved it."""

    how: str
    start: str
    end: str
    inches: str
    models: tuple[Step, ...] = ()

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The move as a sentence."""
        way = f"{measured(hundredths(self.inches))} to {place_told(self.end, names)}"
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
    """A unit turned on the spot."""

    sentence: ClassVar[str] = "{unit} turns to {heading}°"
    heading: int
    start: int


class Halted(MoveEvent, frozen=True, kw_only=True):
    """Fire ended a unit's move on its way."""

    sentence: ClassVar[str] = "{unit} is halted {place}"
    tells: ClassVar[bool] = True
    place: str


class FellShort(MoveEvent, frozen=True, kw_only=True):
    """An assault could not reach its target."""

    sentence: ClassVar[str] = "{unit} cannot reach {target}: the assault fails"
    tells: ClassVar[bool] = True
    target: str


class Boarded(MoveEvent, frozen=True, kw_only=True):
    """A unit got into a transport, or was hitched to a tow."""

    sentence: ClassVar[str] = "{unit} boards {vehicle}"
    vehicle: str


class Hitched(MoveEvent, frozen=True, kw_only=True):
    """A gun was hitched to a tow."""

    sentence: ClassVar[str] = "{unit} is hitched to {vehicle}"
    vehicle: str


class GotOut(MoveEvent, frozen=True, kw_only=True):
    """A unit left a transport or its tow."""

    sentence: ClassVar[str] = "{unit} gets out of {vehicle}"
    vehicle: str


class Spilled(MoveEvent, frozen=True, kw_only=True):
    """The passengers of a destroyed vehicle got out with so many hits."""

    tells: ClassVar[bool] = True
    vehicle: str
    hits: int

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """Who got out, and how hard."""
        hits = f"{self.hits} hit{'' if self.hits == 1 else 's'}"
        return f"{names.get(self.unit, self.unit)} is thrown out of {names.get(self.vehicle, self.vehicle)}: {hits}"


class Occupied(MoveEvent, frozen=True, kw_only=True):
    """A unit went into a building."""

    sentence: ClassVar[str] = "{unit} enters {piece}"
    piece: str


class LeftBuilding(MoveEvent, frozen=True, kw_only=True):
    """A unit came out of a building."""

    sentence: ClassVar[str] = "{unit} leaves {piece}"
    piece: str


class Rammed(MoveEvent, frozen=True, kw_only=True):
    """A tank drove into a building: it came down, or the tank stuck in it."""

    tells: ClassVar[bool] = True
    piece: str
    down: bool

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """What came of it."""
        unit = names.get(self.unit, self.unit)
        piece = names.get(self.piece, self.piece)
        return f"{unit} drives down {piece}" if self.down else f"{unit} sticks in {piece} and is immobilised"


class Collapsed(Event, frozen=True, kw_only=True):
    """A building came down: it is rough ground now."""

    piece: str

    def outcome(self, names: Mapping[str, str] = NO_NAMES) -> str | None:
        """What it comes to, for odds."""
        return self.say(names)

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """What came down."""
        piece = names.get(self.piece, self.piece)
        return f"{piece[:1].upper()}{piece[1:]} collapses"


class LeftTable(MoveEvent, frozen=True, kw_only=True):
    """A unit left the table where the scenario lets it."""

    sentence: ClassVar[str] = "{unit} leaves the table over its {edge} edge"
    tells: ClassVar[bool] = True
    edge: str
