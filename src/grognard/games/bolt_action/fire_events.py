"""What can happen when units shoot and fight: typed records with the rules behind them (sections 12 to 22)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Change, predicate
from grognard.games.bolt_action.turn_events import TurnEvent


def _count(number: int, one: str, several: str = "") -> str:
    """A number of things in words."""
    return f"{number} {one if number == 1 else several or one + 's'}"


# ---- shooting (12, 13) -------------------------------------------------------------------------------


class Shoots(TurnEvent, frozen=True, kw_only=True):
    """{unit} shoots at {target}: {weapons}.

    A unit declares its target; ``weapons`` says what it fires (12.1).
    """

    unit: str
    target: str
    weapons: str


class HoldsFire(TurnEvent, frozen=True, kw_only=True):
    """{unit} does not shoot.

    A unit that may shoot does not (2.8).
    """

    unit: str


class ShotLost(TurnEvent, frozen=True, kw_only=True):
    """{unit} has no shot at {target} any more.

    The declared target is out of sight or out of range when it comes to shooting (12.3, 16.10).
    """

    unit: str
    target: str


class Harmless(TurnEvent, frozen=True, kw_only=True):
    """Small arms do nothing to {target}.

    Small arms at an enclosed armoured vehicle (6.5, 14.4).
    """

    target: str


class Hit(TurnEvent, frozen=True, kw_only=True):
    """So many shots hit."""

    unit: str
    target: str
    shots: int
    hits: int

    def pattern(self) -> str:
        """How many of how many."""
        if not self.hits:
            return "{unit} misses {target}"
        return f"{{unit}} hits {{target}} with {self.hits} of {_count(self.shots, 'shot')}"


class RangesIn(TurnEvent, frozen=True, kw_only=True):
    """An indirect shot that missed brings the next one nearer, one that hit stays on target (17.8)."""

    unit: str
    target: str
    on_target: bool

    def pattern(self) -> str:
        """Where it stands."""
        return "{unit} is on target: {target}" if self.on_target else "{unit} ranges in on {target}"


class Spent(TurnEvent, frozen=True, kw_only=True):
    """{unit} has fired a {weapon}.

    A one-shot weapon was fired (17.6).
    """

    unit: str
    weapon: str


class OutOfFuel(TurnEvent, frozen=True, kw_only=True):
    """A flamethrower is empty; a team that has nothing else leaves the table (17.17)."""

    unit: str
    leaves: bool = False
    matters: ClassVar[bool] = True

    def pattern(self) -> str:
        """What becomes of them."""
        return "{unit} is out of fuel" + (" and leaves the table" if self.leaves else "")


# ---- high explosive (18, 25.6) -----------------------------------------------------------------------


class Shelled(TurnEvent, frozen=True, kw_only=True):
    """An HE shell that hit becomes so many hits (18.2)."""

    target: str
    hits: int

    def pattern(self) -> str:
        """How many."""
        return f"The shell bursts among {{target}}: {_count(self.hits, 'hit')}"


class Rocketed(TurnEvent, frozen=True, kw_only=True):
    """Rockets come down on {target}.

    A salvo of rockets comes down about a unit (17.18).
    """

    target: str


# ---- damage and casualties (14, 15, 26.1) ------------------------------------------------------------


class Losses(TurnEvent, frozen=True, kw_only=True):
    """Men of a unit are taken off (14.5, 15.1)."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    men: int
    models: tuple[str, ...] = ()

    def pattern(self) -> str:
        """How many."""
        return f"{{unit}} loses {_count(self.men, 'man', 'men')}"

    def change(self) -> Change | None:
        """How many; which of them is no matter."""
        return self.counted("loses #", self.men, "man")


class Tended(TurnEvent, frozen=True, kw_only=True):
    """A medic saves men (26.1)."""

    matters: ClassVar[bool] = True
    unit: str
    medic: str
    men: int

    def pattern(self) -> str:
        """How many."""
        return f"{{medic}} saves {_count(self.men, 'man', 'men')} of {{unit}}"

    def change(self) -> Change | None:
        """How many."""
        return self.counted("has # saved by {}", self.men, "man", self.medic)


class DamageLost(TurnEvent, frozen=True, kw_only=True):
    """Nobody of {unit} that is left can be seen.

    Damage is left over when nobody in sight remains (15.2).
    """

    unit: str


class TakesOver(TurnEvent, frozen=True, kw_only=True):
    """Another man serves the weapon, or it is lost with its gunner (15.6, 15.7)."""

    unit: str
    model: str
    role: str
    weapon: str = "weapon"

    def pattern(self) -> str:
        """As what."""
        if self.role == "man":
            return "{unit}: the {weapon} is lost with its gunner"
        return "{unit}: another man takes over as {role} of the {weapon}"


# ---- armour (19, 20) ---------------------------------------------------------------------------------


class Penetration(TurnEvent, frozen=True, kw_only=True):
    """A hit on an armoured vehicle is rolled to damage: "" or the grade (19.6)."""

    unit: str
    grade: str

    def pattern(self) -> str:
        """The grade in words."""
        return f"{{unit}}: {self.grade} damage" if self.grade else "{unit}: the armour holds"


class Damaged(TurnEvent, frozen=True, kw_only=True):
    """A result on the damage table (20.3 to 20.6)."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    result: str

    def pattern(self) -> str:
        """The result in words."""
        return {
            "crew_stunned": "{unit}: crew stunned",
            "immobilised": "{unit} is immobilised",
            "on_fire": "{unit} is on fire",
            "knocked_out": "{unit} is knocked out",
        }[self.result]

    def change(self) -> Change | None:
        """The result, said of the unit."""
        what = "has its crew stunned" if self.result == "crew_stunned" else predicate(self.pattern())[0]
        return Change(self.unit, what, harm=True)


class FireOut(TurnEvent, frozen=True, kw_only=True):
    """{unit}: the fire is out.

    The crew put the fire out (20.5).
    """

    unit: str


# ---- close quarters (21, 22) -------------------------------------------------------------------------


class Assaults(TurnEvent, frozen=True, kw_only=True):
    """{unit} assaults {target}.

    An assault is declared (21.1).
    """

    unit: str
    target: str


class AssaultFails(TurnEvent, frozen=True, kw_only=True):
    """{unit} does not reach {target}.

    The assaulters do not get there (21.2).
    """

    matters: ClassVar[bool] = True
    unit: str
    target: str


class Contact(TurnEvent, frozen=True, kw_only=True):
    """The assaulters reach the enemy, and every model of both units fights (21.5)."""

    unit: str
    target: str
    together: bool = False

    def pattern(self) -> str:
        """Who strikes first."""
        return "{unit} reaches {target}" + (": both strike at once" if self.together else "")


class RoundOver(TurnEvent, frozen=True, kw_only=True):
    """A round of close quarters with the losses of both (21.9); ``side`` is the winner, "" in a draw."""

    unit: str
    target: str
    ours: int
    theirs: int

    def pattern(self) -> str:
        """The score."""
        score = f"{{unit}} has lost {self.ours}, {{target}} {self.theirs}"
        return f"The round is over: {score}" + ("" if self.side else ", a draw")


class Parted(TurnEvent, frozen=True, kw_only=True):
    """{unit} breaks off from {target}.

    Nobody falls round after round, and the attackers step back (21.11).
    """

    matters: ClassVar[bool] = True
    unit: str
    target: str


class VehicleAssaulted(TurnEvent, frozen=True, kw_only=True):
    """So many assaulters got at a vehicle (22.5)."""

    unit: str
    target: str
    hits: int

    def pattern(self) -> str:
        """How many."""
        return (
            f"{{unit}} scores {_count(self.hits, 'hit')} on {{target}}" if self.hits else "{unit} can't hurt {target}"
        )
