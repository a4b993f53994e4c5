"""What Leaders, the commander and observers do: typed records with the rules behind them (14, 15)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Change, Told

# ---- Leaders and the commander (14) --------------------------------------------------------------------------


class LeaderPlaced(Told, frozen=True, kw_only=True):
    """The Leader of {unit} goes to {place}.

    He is placed, which is no move (14.2, 14.17).
    """

    unit: str
    place: str


class Hurried(Told, frozen=True, kw_only=True):
    """{helper} hurries {team} on.

    A Team moves farther to end by whoever helps it (14.3).
    """

    choice: ClassVar[bool] = True
    helper: str
    unit: str
    team: str


class Directed(Told, frozen=True, kw_only=True):
    """{helper} directs the fire of {team}.

    Its misses are thrown again (14.4).
    """

    choice: ClassVar[bool] = True
    helper: str
    unit: str
    team: str


class MarksShifted(Told, frozen=True, kw_only=True):
    """{helper} rallies {team}.

    Its markers go to another Team of the Unit (14.5).
    """

    helper: str
    unit: str
    team: str
    other: str
    marks: int

    def pattern(self) -> str:
        """Who bears how many markers now."""
        return f"{{helper}} rallies {{team}} of {{unit}}: {{other}} takes {self.marks} of its suppression"


class CheckThrownAgain(Told, frozen=True, kw_only=True):
    """The commander has {unit} check again.

    One check of an Initiative may be thrown again (14.8).
    """

    choice: ClassVar[bool] = True
    unit: str


class CommanderJoins(Told, frozen=True, kw_only=True):
    """The commander joins {unit}.

    Under attack (14.12), or to act with it (14.14).
    """

    choice: ClassVar[bool] = True
    unit: str


class CommanderPays(Told, frozen=True, kw_only=True):
    """The commander goes with the men of {unit}.

    The check that he had thrown again failed, and removed the Unit (14.9).
    """

    unit: str


class Appointed(Told, frozen=True, kw_only=True):
    """{unit} has a new Leader: {team}.

    The commander puts a Team in the place of a Leader who was killed (14.13).
    """

    matters: ClassVar[bool] = True
    unit: str
    team: str


class CompanyChecked(Told, frozen=True, kw_only=True):
    """Half of a company is gone: it holds, or retreats (14.10, 14.11)."""

    holds: bool
    commander: bool = True

    def pattern(self) -> str:
        """What comes of it."""
        if self.holds:
            return "The {side} company has lost half of its Units and holds"
        return "The {side} company has lost half of its Units and " + (
            "retreats" if self.commander else "retreats: nobody commands it"
        )


# ---- indirect fire (15) --------------------------------------------------------------------------------------


class BarrageOpens(Told, frozen=True, kw_only=True):
    """{unit} fires a barrage with {guns} guns; {observer} observes.

    Guns and observer (15.1, 15.3).
    """

    choice: ClassVar[bool] = True
    unit: str
    guns: int
    observer: str
    smoke: bool = False

    def pattern(self) -> str:
        """Shells or smoke."""
        what = "smoke" if self.smoke else "a barrage"
        return f"{{unit}} fires {what} with {self.guns} guns; {{observer}} observes"


class RangedIn(Told, frozen=True, kw_only=True):
    """Whether the ranging in succeeded (15.5 to 15.7)."""

    matters: ClassVar[bool] = True
    unit: str
    on_target: bool

    def pattern(self) -> str:
        """On target, or not."""
        return "{unit} ranges in" if self.on_target else "{unit} fails to range in"


class BarrageFalls(Told, frozen=True, kw_only=True):
    """The barrage falls at {place}."""

    unit: str
    place: str
    teams: int

    def pattern(self) -> str:
        """With how many under it."""
        return f"The barrage of {{unit}} falls at {{place}}, on {self.teams} Team{'' if self.teams == 1 else 's'}"


class Shelled(Told, frozen=True, kw_only=True):
    """So many Teams of a Unit are hit under a barrage (15.8)."""

    unit: str
    target: str
    hits: int
    teams: int

    def pattern(self) -> str:
        """How many dice hit how many Teams."""
        if not self.hits:
            return "The barrage of {unit} hits nobody of {target}"
        dice = "die hits" if self.hits == 1 else "dice hit"
        return f"{self.hits} {dice} {self.teams} Team{'' if self.teams == 1 else 's'} of {{target}}"


class SmokeLaid(Told, frozen=True, kw_only=True):
    """{unit} lays smoke at {place}.

    A square of it takes the template's place (15.12).
    """

    unit: str
    place: str

    def change(self) -> Change | None:
        """Smoke is what a barrage of smoke comes to."""
        return Change(self.unit, "lays smoke")


class SmokeClears(Told, frozen=True, kw_only=True):
    """The smoke at {place} drifts away.

    It hangs until the end of the turn after the one in which it was fired (15.17).
    """

    place: str
