"""What can happen around the order dice: typed records with the rules behind them (sections 1 to 6, 16, 26 to 28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import structs

from grognard.core.events import NO_NAMES, Event, place_told

ORDER_TITLES = {
    "fire": "Fire",
    "advance": "Advance",
    "run": "Run",
    "ambush": "Ambush",
    "rally": "Rally",
    "down": "Down",
}


class TurnEvent(Event, frozen=True, kw_only=True):
    """An event whose sentence is filled in from its fields, units by their names.

    It ``matters`` where it belongs to what an order leads to, so that odds tell it.
    """

    sentence: ClassVar[str] = ""
    matters: ClassVar[bool] = False

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        fields = {name: _in_words(name, getattr(self, name), names) for name in self.__struct_fields__}
        return self.pattern().format(**fields)

    def outcome(self, names: Mapping[str, str] = NO_NAMES) -> str | None:
        """The event as odds tell it; None where it is no outcome."""
        return self.say(names) if self.matters else None

    def pattern(self) -> str:
        """The sentence with its gaps; some events have several."""
        return self.sentence


def _in_words(field: str, value: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(value, str):
        return value
    if field == "side":
        return value.upper() if len(value) <= 2 else value.replace("_", " ").capitalize()
    if field == "order":
        return ORDER_TITLES.get(value, value)
    if field == "place":
        return place_told(value, names)
    return names.get(value, value)


def _article(word: str) -> str:
    """A or an, for the beginning of a sentence."""
    return "An" if word[:1].lower() in "aeio" else "A"


def _count(number: int, thing: str) -> str:
    """A number of things in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# ---- the turn and its dice (1) -----------------------------------------------------------------------


class TurnBegins(TurnEvent, frozen=True, kw_only=True):
    """A turn begins with so many dice in the cup."""

    sentence: ClassVar[str] = "Turn {turn} begins"
    turn: int


class DieDrawn(TurnEvent, frozen=True, kw_only=True):
    """An order die comes out of the cup."""

    def pattern(self) -> str:
        """Whose die it is."""
        return f"{_article(self.side)} {{side}} die comes out of the cup"


class DieAside(TurnEvent, frozen=True, kw_only=True):
    """Nobody can use the die that was drawn."""

    sentence: ClassVar[str] = "No {side} unit can take the die; it is set aside"


class OrdersEnd(TurnEvent, frozen=True, kw_only=True):
    """The cup is empty."""

    sentence: ClassVar[str] = "Every unit has its order: the turn ends"


class DieKept(TurnEvent, frozen=True, kw_only=True):
    """A unit on Ambush or Down keeps its die into the next turn."""

    sentence: ClassVar[str] = "{unit} keeps its {order} die"
    unit: str
    order: str


class FurtherTurn(TurnEvent, frozen=True, kw_only=True):
    """Whether one more turn is played after the last."""

    further: bool

    def pattern(self) -> str:
        """Either way in words."""
        return "One further turn is played" if self.further else "No further turn is played"


# ---- orders (2, 3, 4) --------------------------------------------------------------------------------


class OrderGiven(TurnEvent, frozen=True, kw_only=True):
    """A die is placed beside a unit."""

    sentence: ClassVar[str] = "{unit}: {order}"
    unit: str
    order: str


class OrderRefused(TurnEvent, frozen=True, kw_only=True):
    """The order test failed."""

    sentence: ClassVar[str] = "{unit} does not obey and goes Down"
    matters: ClassVar[bool] = True
    unit: str


class OrderObeyed(TurnEvent, frozen=True, kw_only=True):
    """The order test was passed."""

    sentence: ClassVar[str] = "{unit} obeys"
    matters: ClassVar[bool] = True
    unit: str


class Fubar(TurnEvent, frozen=True, kw_only=True):
    """Double six in an order test."""

    unit: str
    result: str
    matters: ClassVar[bool] = True

    def pattern(self) -> str:
        """What goes wrong."""
        return {
            "friendly_fire": "FUBAR: {unit} takes its own side for the enemy",
            "panic": "FUBAR: {unit} panics",
        }[self.result]


class WentDown(TurnEvent, frozen=True, kw_only=True):
    """A unit goes Down other than by an order that it was given."""

    sentence: ClassVar[str] = "{unit} goes Down"
    matters: ClassVar[bool] = True
    unit: str


class Rallied(TurnEvent, frozen=True, kw_only=True):
    """A Rally order is carried out."""

    sentence: ClassVar[str] = "{unit} rallies"
    unit: str


# ---- pins and losses (5, 6) --------------------------------------------------------------------------


class Pinned(TurnEvent, frozen=True, kw_only=True):
    """A unit gets pin markers."""

    matters: ClassVar[bool] = True
    unit: str
    pins: int
    left: int

    def pattern(self) -> str:
        """How many it gets."""
        return f"{{unit}} takes {_count(self.pins, 'pin')}"

    def joined(self, later: Event) -> Event | None:
        """Pins of one attack are told together."""
        if not isinstance(later, Pinned) or later.unit != self.unit:
            return None
        return structs.replace(later, pins=self.pins + later.pins)


class Unpinned(TurnEvent, frozen=True, kw_only=True):
    """A unit loses pin markers."""

    matters: ClassVar[bool] = True
    unit: str
    pins: int
    left: int

    def pattern(self) -> str:
        """How many it loses."""
        return f"{{unit}} loses {_count(self.pins, 'pin')}"


class Held(TurnEvent, frozen=True, kw_only=True):
    """A morale check is passed."""

    sentence: ClassVar[str] = "{unit} holds"
    unit: str


class Destroyed(TurnEvent, frozen=True, kw_only=True):
    """A unit leaves the battle: ``side`` is its own side, ``how`` ends the sentence."""

    unit: str
    how: str = ""
    matters: ClassVar[bool] = True
    fatal: ClassVar[bool] = True

    def pattern(self) -> str:
        """That it is gone, and how."""
        return "{unit} {how}" if self.how else "{unit} is destroyed"


class Greened(TurnEvent, frozen=True, kw_only=True):
    """Green men have seen their first blood."""

    matters: ClassVar[bool] = True
    unit: str
    result: str

    def pattern(self) -> str:
        """How they take it."""
        return {
            "shaken": "{unit}: the green men are shaken",
            "steady": "{unit}: the green men bear their first loss",
            "regular": "{unit}: the green men have become Regulars",
        }[self.result]


# ---- reactions (16) ----------------------------------------------------------------------------------


class AmbushSprung(TurnEvent, frozen=True, kw_only=True):
    """A unit on Ambush interrupts an enemy."""

    sentence: ClassVar[str] = "{unit} springs its ambush on {target}"
    unit: str
    target: str


class Escaped(TurnEvent, frozen=True, kw_only=True):
    """A recce vehicle makes off."""

    sentence: ClassVar[str] = "{unit} escapes"
    matters: ClassVar[bool] = True
    unit: str


class AmmunitionNamed(TurnEvent, frozen=True, kw_only=True):
    """A gun on Ambush has its ammunition named."""

    unit: str
    ammunition: str

    def pattern(self) -> str:
        """The shell in words."""
        return "{unit} lies in ambush with " + ("high explosive" if self.ammunition == "he" else "armour-piercing shot")


# ---- deployment and the end (28) ---------------------------------------------------------------------


class DeploysFirst(TurnEvent, frozen=True, kw_only=True):
    """The lower roller places the first unit."""

    sentence: ClassVar[str] = "The {side} side places the first unit"


class Deployed(TurnEvent, frozen=True, kw_only=True):
    """A unit is placed: somewhere on the table, in a building (``piece``) or aboard a vehicle."""

    unit: str
    place: str = ""
    piece: str = ""
    aboard: str = ""
    waits: bool = False

    def pattern(self) -> str:
        """Where it begins."""
        if self.waits:
            return "{unit} finds no room and waits in reserve"
        if self.aboard:
            return "{unit} begins aboard {aboard}"
        return "{unit} is placed in {piece}" if self.piece else "{unit} is placed {place}"


class ReserveWaits(TurnEvent, frozen=True, kw_only=True):
    """A reserve stays off the table for this turn."""

    sentence: ClassVar[str] = "{unit} stays in reserve"
    unit: str


class Ended(TurnEvent, frozen=True, kw_only=True):
    """The battle is over; ``side`` is the winner, "" in a draw."""

    matters: ClassVar[bool] = True
    reason: str

    def pattern(self) -> str:
        """Who won, and why."""
        return "The {side} side wins: {reason}" if self.side else "A draw: {reason}"


# ---- barrages and aircraft (26) ----------------------------------------------------------------------


class StrikeCalled(TurnEvent, frozen=True, kw_only=True):
    """An observer calls a barrage on a point or an air strike on a unit."""

    unit: str
    kind: str
    place: str = ""
    target: str = ""
    matters: ClassVar[bool] = True

    def pattern(self) -> str:
        """What was called, and on what."""
        if self.kind == "barrage":
            return "{unit} calls a barrage on a point {place}"
        return "{unit} calls an air strike on {target}"


class StrikeDelayed(TurnEvent, frozen=True, kw_only=True):
    """A barrage or air strike does not come yet."""

    kind: str

    def pattern(self) -> str:
        """What is late."""
        return "The {side} barrage is delayed" if self.kind == "barrage" else "The {side} aircraft do not come yet"


class BarrageFalls(TurnEvent, frozen=True, kw_only=True):
    """A barrage falls on everybody near its marker."""

    place: str
    radius: int
    astray: bool = False
    sentence: ClassVar[str] = "The {side} barrage falls {place}, reaching {radius}″"

    def pattern(self) -> str:
        """Where it falls."""
        return self.sentence + (", where the enemy wanted it" if self.astray else "")


class AircraftComes(TurnEvent, frozen=True, kw_only=True):
    """An aircraft attacks a unit."""

    kind: str
    target: str
    astray: bool = False

    def pattern(self) -> str:
        """What comes, and whom it takes for its target."""
        what = self.kind.replace("_", "-")
        does = "takes {target} for its target" if self.astray else "attacks {target}"
        return f"{_article(self.side)} {{side}} {what} {does}"


class AircraftDown(TurnEvent, frozen=True, kw_only=True):
    """Flak brings an aircraft down before it attacks."""

    sentence: ClassVar[str] = "{side} flak brings the aircraft down"


class FlakFires(TurnEvent, frozen=True, kw_only=True):
    """A flak unit shoots at an aircraft."""

    unit: str
    hits: int

    def pattern(self) -> str:
        """How often it hits."""
        return f"{{unit}} shoots at the aircraft: {_count(self.hits, 'hit')}"


class StrikeMisses(TurnEvent, frozen=True, kw_only=True):
    """The bombs fall wide."""

    sentence: ClassVar[str] = "The bombs miss {target}"
    target: str
