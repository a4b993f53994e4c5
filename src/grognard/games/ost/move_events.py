"""What can happen when units move and take things up, and what is found or placed on the map (15 to 34, 73 to 85)."""

from __future__ import annotations

from typing import ClassVar

from grognard.core.events import Told

#: Markers that are several things.
PLURAL = frozenset({"foxholes", "mines"})


def _placed(verb: str, kind: str) -> str:
    """A sentence about a marker: "foxholes are placed"."""
    return f"{{kind}} {'are' if kind in PLURAL else 'is'} {verb} {{place}}"


# ---- movement (74 to 85) ---------------------------------------------------------------------------


class LeftOut(Told, frozen=True, kw_only=True):
    """there is no room for {unit}: it takes no part in the battle."""

    unit: str


class Moved(Told, frozen=True, kw_only=True):
    """{unit} moves from {start} to {place} for {cost} MP."""

    unit: str
    start: str
    place: str
    cost: str


class Reversed(Moved, frozen=True, kw_only=True):
    """{unit} reverses from {start} to {place} for {cost} MP."""


class Turned(Told, frozen=True, kw_only=True):
    """Unit faces facing."""

    unit: str
    facing: int
    way: str = ""

    def pattern(self) -> str:
        """Which way, by its name if that is told."""
        return "{unit} faces {way}" if self.way else "{unit} faces {facing}"


class Halted(Told, frozen=True, kw_only=True):
    """{unit} stops in {place}: {why}."""

    unit: str
    place: str
    why: str


class Bogged(Told, frozen=True, kw_only=True):
    """{unit} bogs down."""

    matters: ClassVar[bool] = True
    unit: str


class Freed(Told, frozen=True, kw_only=True):
    """{unit} is free of the bog."""

    matters: ClassVar[bool] = True
    unit: str


class Immobilized(Told, frozen=True, kw_only=True):
    """{unit} is immobilized."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str


class Entered(Told, frozen=True, kw_only=True):
    """{unit} enters the map at {place}."""

    unit: str
    place: str


class Exited(Told, frozen=True, kw_only=True):
    """{unit} leaves the map at {place}."""

    unit: str
    place: str


class Loaded(Told, frozen=True, kw_only=True):
    """{unit} loads onto {vehicle}."""

    unit: str
    vehicle: str


class Unloaded(Told, frozen=True, kw_only=True):
    """{unit} unloads from {vehicle}."""

    unit: str
    vehicle: str


class RollingCover(Told, frozen=True, kw_only=True):
    """Unit and vehicle: Rolling Cover on."""

    unit: str
    vehicle: str
    on: bool = True

    def pattern(self) -> str:
        """Whether the cover begins or ends."""
        return f"{{unit}} {'goes' if self.on else 'no longer goes'} behind {{vehicle}}"


class Landed(Told, frozen=True, kw_only=True):
    """{unit} lands in {place}."""

    unit: str
    place: str


# ---- Leaders and weapons (15 to 20) ----------------------------------------------------------------


class Attached(Told, frozen=True, kw_only=True):
    """{unit} is attached to {to}."""

    unit: str
    to: str


class Detached(Told, frozen=True, kw_only=True):
    """{unit} is on his own."""

    unit: str


class WeaponTaken(Told, frozen=True, kw_only=True):
    """{unit} takes {weapon}."""

    unit: str
    weapon: str


class WeaponLeft(Told, frozen=True, kw_only=True):
    """{weapon} is left in {place}."""

    weapon: str
    place: str


class WeaponLost(Told, frozen=True, kw_only=True):
    """{weapon} is gone."""

    weapon: str


class Manned(Told, frozen=True, kw_only=True):
    """{unit} mans {gun}."""

    unit: str
    gun: str
    captured: bool = False


class GunLeft(Told, frozen=True, kw_only=True):
    """{unit} leaves {gun}."""

    unit: str
    gun: str


class Unmanned(Told, frozen=True, kw_only=True):
    """{unit} is left unmanned in {place}."""

    matters: ClassVar[bool] = True
    harm: ClassVar[bool] = True
    unit: str
    place: str


# ---- what is on the map (24 to 34, 73) -------------------------------------------------------------


class Revealed(Told, frozen=True, kw_only=True):
    """{unit} is revealed in {place}."""

    matters: ClassVar[bool] = True
    unit: str
    place: str


class MinesRevealed(Told, frozen=True, kw_only=True):
    """mines are found in {place}."""

    place: str


class Placed(Told, frozen=True, kw_only=True):
    """Kind is placed in place."""

    matters: ClassVar[bool] = True
    kind: str
    place: str

    def pattern(self) -> str:
        """One thing or several."""
        return _placed("placed in", self.kind)


class Removed(Told, frozen=True, kw_only=True):
    """Kind is removed from place."""

    matters: ClassVar[bool] = True
    kind: str
    place: str

    def pattern(self) -> str:
        """One thing or several."""
        return _placed("removed from", self.kind)
