"""What can happen in combat: losses, morale, damage, Melee, and strikes (68 to 71, 86 to 110)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Change, Told

#: By these rules morale changes without any harm done by the enemy: Intensive Fire, and coming back from Broken.
NO_HARM = frozenset({"90.2", "70.6"})


def _of_itself(event: Told, change: Change | None) -> Change | None:
    if change is None or NO_HARM.isdisjoint(event.rules):
        return change
    return change._replace(harm=False)


# ---- fire and its results (68 to 71, 86 to 100) ----------------------------------------------------


class Acquired(Told, frozen=True, kw_only=True):
    """{unit} has acquired {target}."""

    unit: str
    target: str


class Reduced(Told, frozen=True, kw_only=True):
    """{unit} is reduced."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str


class Eliminated(Told, frozen=True, kw_only=True):
    """{unit} is eliminated."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    fatal: ClassVar[bool] = True
    unit: str


class AmmoOut(Told, frozen=True, kw_only=True):
    """{unit} is out of ammunition; {squad} fights on."""

    matters: ClassVar[bool] = True
    unit: str
    squad: str


class Shaken(Told, frozen=True, kw_only=True):
    """{unit} is Shaken."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str

    def change(self) -> Change | None:
        """That it is; by its own Intensive Fire, or from worse, nobody harms it."""
        return _of_itself(self, super().change())


class Broken(Told, frozen=True, kw_only=True):
    """{unit} is Broken."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str

    def change(self) -> Change | None:
        """That it is; by its own Intensive Fire, or from worse, nobody harms it."""
        return _of_itself(self, super().change())


class Rallied(Told, frozen=True, kw_only=True):
    """{unit} rallies."""

    matters: ClassVar[bool] = True
    unit: str


class Restored(Told, frozen=True, kw_only=True):
    """{unit} is {what} again."""

    matters: ClassVar[bool] = True
    unit: str
    what: str


class Damaged(Told, frozen=True, kw_only=True):
    """{unit} is damaged: {what}."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    what: str


class Wrecked(Told, frozen=True, kw_only=True):
    """{unit} is a wreck in {place}."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    fatal: ClassVar[bool] = True
    unit: str
    place: str


class Abandoned(Told, frozen=True, kw_only=True):
    """{unit} is abandoned."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    fatal: ClassVar[bool] = True
    unit: str


class CrewSurvived(Told, frozen=True, kw_only=True):
    """the crew of {unit} survives as {crew}."""

    matters: ClassVar[bool] = True
    unit: str
    crew: str

    def change(self) -> Change | None:
        """That the unit has a crew left."""
        return Change(self.unit, "has its crew survive as {}", about=(self.crew,))


# ---- Melee (101 to 104) ----------------------------------------------------------------------------


class MeleeSet(Told, frozen=True, kw_only=True):
    """a Melee begins in {place}.

    Melee in place.
    """

    matters: ClassVar[bool] = True
    place: str


class MeleeOver(Told, frozen=True, kw_only=True):
    """the Melee in {place} is over."""

    place: str


class MeleeGoesOn(Told, frozen=True, kw_only=True):
    """the Melee in {place} goes on."""

    place: str


class Evaded(Told, frozen=True, kw_only=True):
    """{unit} evades to {place}."""

    matters: ClassVar[bool] = True
    unit: str
    place: str


class Retreated(Told, frozen=True, kw_only=True):
    """{unit} retreats to {place}."""

    unit: str
    place: str


# ---- strikes and collapse (106 to 110) -------------------------------------------------------------


class StrikeCalled(Told, frozen=True, kw_only=True):
    """{side} calls {kind} on {place}."""

    kind: str
    place: str
    smoke: bool = False


class Drifted(Told, frozen=True, kw_only=True):
    """it drifts from {start} to {place}."""

    matters: ClassVar[bool] = True
    start: str
    place: str


class StrikeLost(Told, frozen=True, kw_only=True):
    """the strike drifts off the map and is lost."""

    matters: ClassVar[bool] = True
    place: str


class AirStrike(Told, frozen=True, kw_only=True):
    """{side}: air strike on {places[0]} and {places[1]}.

    Side: air strike on places.
    """

    places: tuple[str, ...]


class Collapsed(Told, frozen=True, kw_only=True):
    """the {kind} in {place} collapses."""

    matters: ClassVar[bool] = True
    place: str
    kind: str
