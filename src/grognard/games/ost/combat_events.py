"""What can happen in combat: losses, morale, damage, Melee, and strikes (68 to 71, 86 to 110)."""

from __future__ import annotations

from typing import ClassVar

from grognard.games.ost.events import Happening

# ---- fire and its results (68 to 71, 86 to 100) ----------------------------------------------------


class Acquired(Happening, frozen=True, kw_only=True):
    """Unit has acquired target."""

    sentence: ClassVar[str] = "{unit} has acquired {target}"
    unit: str
    target: str


class Reduced(Happening, frozen=True, kw_only=True):
    """Unit is reduced."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is reduced"
    unit: str


class Eliminated(Happening, frozen=True, kw_only=True):
    """Unit is eliminated."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is eliminated"
    fatal: ClassVar[bool] = True
    unit: str


class AmmoOut(Happening, frozen=True, kw_only=True):
    """Unit is out of ammunition; squad fights on."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is out of ammunition; {squad} fights on"
    unit: str
    squad: str


class Shaken(Happening, frozen=True, kw_only=True):
    """Unit is Shaken."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is Shaken"
    unit: str


class Broken(Happening, frozen=True, kw_only=True):
    """Unit is Broken."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is Broken"
    unit: str


class Rallied(Happening, frozen=True, kw_only=True):
    """Unit rallies."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} rallies"
    unit: str


class Restored(Happening, frozen=True, kw_only=True):
    """Unit is what again."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is {what} again"
    unit: str
    what: str


class Damaged(Happening, frozen=True, kw_only=True):
    """Unit is damaged: what."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is damaged: {what}"
    unit: str
    what: str


class Wrecked(Happening, frozen=True, kw_only=True):
    """Unit is a wreck in place."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is a wreck in {place}"
    fatal: ClassVar[bool] = True
    unit: str
    place: str


class Abandoned(Happening, frozen=True, kw_only=True):
    """Unit is abandoned."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is abandoned"
    fatal: ClassVar[bool] = True
    unit: str


class CrewSurvived(Happening, frozen=True, kw_only=True):
    """The crew of unit survives as crew."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "the crew of {unit} survives as {crew}"
    unit: str
    crew: str


# ---- Melee (101 to 104) ----------------------------------------------------------------------------


class MeleeSet(Happening, frozen=True, kw_only=True):
    """Melee in place."""

    sentence: ClassVar[str] = "a Melee begins in {place}"
    place: str


class MeleeOver(Happening, frozen=True, kw_only=True):
    """The Melee in place is over."""

    sentence: ClassVar[str] = "the Melee in {place} is over"
    place: str


class MeleeGoesOn(Happening, frozen=True, kw_only=True):
    """The Melee in place goes on."""

    sentence: ClassVar[str] = "the Melee in {place} goes on"
    place: str


class Evaded(Happening, frozen=True, kw_only=True):
    """Unit evades to place."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} evades to {place}"
    unit: str
    place: str


class Retreated(Happening, frozen=True, kw_only=True):
    """Unit retreats to place."""

    sentence: ClassVar[str] = "{unit} retreats to {place}"
    unit: str
    place: str


# ---- strikes and collapse (106 to 110) -------------------------------------------------------------


class StrikeCalled(Happening, frozen=True, kw_only=True):
    """Side calls kind on place."""

    sentence: ClassVar[str] = "{side} calls {kind} on {place}"
    kind: str
    place: str
    smoke: bool = False


class Drifted(Happening, frozen=True, kw_only=True):
    """It drifts from start to place."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "it drifts from {start} to {place}"
    start: str
    place: str


class StrikeLost(Happening, frozen=True, kw_only=True):
    """The strike drifts off the map and is lost."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "the strike drifts off the map and is lost"
    place: str


class AirStrike(Happening, frozen=True, kw_only=True):
    """Side: air strike on places."""

    sentence: ClassVar[str] = "{side}: air strike on {places[0]} and {places[1]}"
    places: tuple[str, ...]


class Collapsed(Happening, frozen=True, kw_only=True):
    """The kind in place collapses."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "the {kind} in {place} collapses"
    place: str
    kind: str
