"""What can happen around the order dice: typed records with the rules behind them (sections 1 to 6, 16, 26 to 28)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from grognard.core.events import Change, Told

ORDER_TITLES = {
    "fire": "Fire",
    "advance": "Advance",
    "run": "Run",
    "ambush": "Ambush",
    "rally": "Rally",
    "down": "Down",
}


class TurnEvent(Told, frozen=True, kw_only=True):
    """An event of the order dice."""

    words: ClassVar[Mapping[str, Mapping[str, str]]] = {"order": ORDER_TITLES}


def _article(word: str) -> str:
    """A or an, for the beginning of a sentence."""
    return "An" if word[:1].lower() in "aeio" else "A"


def _count(number: int, thing: str) -> str:
    """A number of things in words."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


# ---- the turn and its dice (1) -----------------------------------------------------------------------


class TurnBegins(TurnEvent, frozen=True, kw_only=True):
    """Turn {turn} begins.

    A turn begins with so many dice in the cup.
    """

    turn: int


class DieDrawn(TurnEvent, frozen=True, kw_only=True):
    """An order die comes out of the cup."""

    def pattern(self) -> str:
        """Whose die it is."""
        return f"{_article(self.side)} {{side}} die comes out of the cup"


class DieAside(TurnEvent, frozen=True, kw_only=True):
    """No {side} unit can take the die; it is set aside.

    Nobody can use the die that was drawn.
    """


class OrdersEnd(TurnEvent, frozen=True, kw_only=True):
    """Every unit has its order: the turn ends.

    The cup is empty.
    """


class DieKept(TurnEvent, frozen=True, kw_only=True):
    """{unit} keeps its {order} die.

    A unit on Ambush or Down keeps its die into the next turn.
    """

    unit: str
    order: str


class FurtherTurn(TurnEvent, frozen=True, kw_only=True):
    """Whether one more turn is played after the last."""

    further: bool

    def pattern(self) -> str:
        """Either way in words."""
        return "One more turn is played" if self.further else "No more turns are played"


# ---- orders (2, 3, 4) --------------------------------------------------------------------------------


class OrderGiven(TurnEvent, frozen=True, kw_only=True):
    """{unit}: {order}.

    A die is placed beside a unit.
    """

    choice: ClassVar[bool] = True
    unit: str
    order: str


class OrderRefused(TurnEvent, frozen=True, kw_only=True):
    """{unit} does not obey and goes Down.

    The order test failed.
    """

    matters: ClassVar[bool] = True
    unit: str


class OrderObeyed(TurnEvent, frozen=True, kw_only=True):
    """{unit} obeys.

    The order test was passed.
    """

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
            "friendly_fire": "FUBAR: {unit} mistakes its own side for the enemy",
            "panic": "FUBAR: {unit} panics",
        }[self.result]

    def change(self) -> Change | None:
        """What goes wrong."""
        what = {"friendly_fire": "mistakes its own side for the enemy (FUBAR)", "panic": "panics (FUBAR)"}[self.result]
        return Change(self.unit, what)


class WentDown(TurnEvent, frozen=True, kw_only=True):
    """{unit} goes Down.

    A unit goes Down other than by an order that it was given.
    """

    matters: ClassVar[bool] = True
    unit: str


class Rallied(TurnEvent, frozen=True, kw_only=True):
    """{unit} rallies.

    A Rally order is carried out.
    """

    unit: str


# ---- pins and losses (5, 6) --------------------------------------------------------------------------


class Pinned(TurnEvent, frozen=True, kw_only=True):
    """A unit gets pin markers."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    pins: int
    left: int

    def pattern(self) -> str:
        """How many it gets."""
        return f"{{unit}} takes {_count(self.pins, 'pin')}"

    def change(self) -> Change | None:
        """How many it gets."""
        return self.counted("takes #", self.pins, "pin")


class Unpinned(TurnEvent, frozen=True, kw_only=True):
    """A unit loses pin markers."""

    matters: ClassVar[bool] = True
    unit: str
    pins: int
    left: int

    def pattern(self) -> str:
        """How many it loses."""
        return f"{{unit}} loses {_count(self.pins, 'pin')}"

    def change(self) -> Change | None:
        """How many it loses."""
        return self.counted("loses #", self.pins, "pin")


class Held(TurnEvent, frozen=True, kw_only=True):
    """{unit} holds.

    A morale check is passed.
    """

    unit: str


class Destroyed(TurnEvent, frozen=True, kw_only=True):
    """A unit leaves the battle: ``side`` is its own side, ``how`` ends the sentence."""

    unit: str
    how: str = ""
    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
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
            "steady": "{unit}: the green men hold after their first loss",
            "regular": "{unit}: the green men have become Regulars",
        }[self.result]

    def change(self) -> Change | None:
        """How they take it."""
        what = {
            "shaken": "is shaken by its first loss",
            "steady": "holds after its first loss",
            "regular": "becomes Regular",
        }
        return Change(self.unit, what[self.result], harm=self.result == "shaken")


# ---- reactions (16) ----------------------------------------------------------------------------------


class AmbushSprung(TurnEvent, frozen=True, kw_only=True):
    """{unit} springs its ambush on {target}.

    A unit on Ambush interrupts an enemy.
    """

    unit: str
    target: str


class Escaped(TurnEvent, frozen=True, kw_only=True):
    """{unit} escapes.

    A recce vehicle makes off.
    """

    matters: ClassVar[bool] = True
    unit: str


class AmmunitionNamed(TurnEvent, frozen=True, kw_only=True):
    """A gun on Ambush has its ammunition named."""

    unit: str
    ammunition: str

    def pattern(self) -> str:
        """The shell in words."""
        return "{unit} lies in ambush with " + ("high explosive" if self.ammunition == "he" else "armour-piercing shot")


# ---- deployment (28) ---------------------------------------------------------------------------------


class DeploysFirst(TurnEvent, frozen=True, kw_only=True):
    """The {side} side places the first unit.

    The lower roller places the first unit.
    """


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
            return "{unit} can't find room and waits in reserve"
        if self.aboard:
            return "{unit} starts aboard {aboard}"
        return "{unit} is placed in {piece}" if self.piece else "{unit} is placed {place}"


class ReserveWaits(TurnEvent, frozen=True, kw_only=True):
    """{unit} stays in reserve.

    A reserve stays off the table for this turn.
    """

    unit: str


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
        return "The {side} barrage is delayed" if self.kind == "barrage" else "The {side} aircraft have not arrived yet"


class BarrageFalls(TurnEvent, frozen=True, kw_only=True):
    """The {side} barrage falls {place}, reaching {radius}″.

    A barrage falls on everybody near its marker.
    """

    place: str
    radius: int
    astray: bool = False

    def pattern(self) -> str:
        """Where it falls."""
        return super().pattern() + (", where the enemy wanted it" if self.astray else "")


class AircraftComes(TurnEvent, frozen=True, kw_only=True):
    """An aircraft attacks a unit."""

    kind: str
    target: str
    astray: bool = False

    def pattern(self) -> str:
        """What comes, and whom it takes for its target."""
        what = self.kind.replace("_", "-")
        does = "mistakes {target} for the enemy" if self.astray else "attacks {target}"
        return f"{_article(self.side)} {{side}} {what} {does}"


class AircraftDown(TurnEvent, frozen=True, kw_only=True):
    """{side} flak brings the aircraft down.

    Flak brings an aircraft down before it attacks.
    """


class FlakFires(TurnEvent, frozen=True, kw_only=True):
    """A flak unit shoots at an aircraft."""

    unit: str
    hits: int

    def pattern(self) -> str:
        """How often it hits."""
        return f"{{unit}} shoots at the aircraft: {_count(self.hits, 'hit')}"


class StrikeMisses(TurnEvent, frozen=True, kw_only=True):
    """The bombs miss {target}.

    The bombs fall wide.
    """

    target: str
