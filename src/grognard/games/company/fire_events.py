"""What can happen when Units fire and fight: typed records with the rules behind them (sections 6 to 11)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Change, Told


def count(number: int, thing: str) -> str:
    """A number of things in words."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def dice(number: int) -> str:
    """A number of dice in words."""
    return f"{number} {'die' if number == 1 else 'dice'}"


# ---- firing (6, 7) -------------------------------------------------------------------------------------------


class Fires(Told, frozen=True, kw_only=True):
    """{unit} fires at {target}: {weapons}.

    A Unit declares its target (6.1); ``weapons`` says what is fired.
    """

    choice: ClassVar[bool] = True
    unit: str
    target: str
    weapons: str


class CannotHit(Told, frozen=True, kw_only=True):
    """{unit} can't hit {target}: it would need {needed}.

    From 7 on the shooting fails (6.16).
    """

    unit: str
    target: str
    needed: int


class Hit(Told, frozen=True, kw_only=True):
    """So many dice of a shooting hit (6.7)."""

    unit: str
    target: str
    dice: int
    hits: int

    def pattern(self) -> str:
        """How many of how many."""
        if not self.hits:
            return "{unit} misses {target}"
        return f"{{unit}} hits {{target}} with {self.hits} of {dice(self.dice)}"


class WentToGround(Told, frozen=True, kw_only=True):
    """{unit} goes to ground.

    By declaration, before the dice (6.23).
    """

    matters: ClassVar[bool] = True
    unit: str


class HitsDealt(Told, frozen=True, kw_only=True):
    """{unit} deals the hits: {teams}.

    Each hit that counts lies on a Team (6.18 to 6.21).
    """

    unit: str
    teams: str


class NoHarm(Told, frozen=True, kw_only=True):
    """So many hits do nothing to armour (9.9)."""

    unit: str
    hits: int

    def pattern(self) -> str:
        """How many."""
        does = "does" if self.hits == 1 else "do"
        return f"{count(self.hits, 'hit')} {does} nothing to the armour of {{unit}}"


# ---- Saves and casualties (8, 9, 14, 16.2) --------------------------------------------------------------------


class TeamLost(Told, frozen=True, kw_only=True):
    """{unit} loses {team}.

    A Team that fails a Save or is destroyed is removed (8.4, 9.5).
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    team: str
    id: str

    def change(self) -> Change | None:
        """How many; which of them is no matter."""
        return self.counted("loses #", 1, "Team")


class LeaderLost(Told, frozen=True, kw_only=True):
    """{unit} loses its Leader.

    Nobody leads the Unit any more (14.6).
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str


class CommanderLost(Told, frozen=True, kw_only=True):
    """The {side} commander falls.

    Nobody commands the company any more (14.11).
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True


class UnitDestroyed(Told, frozen=True, kw_only=True):
    """{unit} is destroyed.

    None of its Teams is left, or they are removed.
    """

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    fatal: ClassVar[bool] = True
    unit: str


class Struck(Told, frozen=True, kw_only=True):
    """{team} of {unit} is hit: {result}.

    What the Vehicle Damage Table says (9.5).
    """

    unit: str
    team: str
    result: str


class BailedOut(Told, frozen=True, kw_only=True):
    """{team} of {unit} gets out of the wreck.

    Who is aboard a transport that is removed saves himself, or is lost with it (16.2).
    """

    unit: str
    team: str


# ---- suppression (11) ----------------------------------------------------------------------------------------


class Suppressed(Told, frozen=True, kw_only=True):
    """A Team of a Unit takes markers (11.1, 9.5, 4.5)."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    team: str
    marks: int

    def pattern(self) -> str:
        """How many markers."""
        return f"{{team}} of {{unit}} takes {count(self.marks, 'suppression marker')}"

    def change(self) -> Change | None:
        """How many; on which of its Teams is no matter."""
        return self.counted("takes #", self.marks, "marker")


class MarksMoved(Told, frozen=True, kw_only=True):
    """The markers of a Team that is lost move to another (11.5)."""

    unit: str
    team: str
    marks: int

    def pattern(self) -> str:
        """To whom."""
        return f"{{team}} of {{unit}} takes over {count(self.marks, 'marker')}"


class MarksLifted(Told, frozen=True, kw_only=True):
    """Markers are taken off a Unit (11.6, 11.7)."""

    matters: ClassVar[bool] = True
    unit: str
    marks: int
    team: str = ""

    def pattern(self) -> str:
        """All of them, or one."""
        marks = count(self.marks, "suppression marker")
        return f"{{unit}} takes {marks} off {{team}}" if self.team else f"{{unit}} sheds {marks}"

    def change(self) -> Change | None:
        """How many."""
        return self.counted("sheds #", self.marks, "marker")
