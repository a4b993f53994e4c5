"""What can happen when units move and take things up, and what is found or placed on the map (15 to 34, 73 to 85)."""

from __future__ import annotations

from typing import ClassVar

from grognard.games.ost.events import Happening

#: Markers that are several things.
PLURAL = frozenset({"foxholes", "mines"})


def _placed(verb: str, kind: str) -> str:
    """A sentence about a marker: "foxholes are placed"."""
    return f"{{kind}} {'are' if kind in PLURAL else 'is'} {verb} {{place}}"


# ---- movement (74 to 85) ---------------------------------------------------------------------------


class LeftOut(Happening, frozen=True, kw_only=True):
    """There is no place for unit: it takes no part."""

    sentence: ClassVar[str] = "there is no place for {unit}: it takes no part"
    unit: str


class Moved(Happening, frozen=True, kw_only=True):
    """Unit moves from start to place for cost MP."""

    sentence: ClassVar[str] = "{unit} moves from {start} to {place} for {cost} MP"
    unit: str
    start: str
    place: str
    cost: str


class Reversed(Moved, frozen=True, kw_only=True):
    """Unit reverses from start to place for cost MP."""

    sentence: ClassVar[str] = "{unit} reverses from {start} to {place} for {cost} MP"


class Turned(Happening, frozen=True, kw_only=True):
    """Unit faces facing."""

    unit: str
    facing: int
    way: str = ""

    def pattern(self) -> str:
        """Which way, by its name if that is told."""
        return "{unit} faces {way}" if self.way else "{unit} faces {facing}"


class Halted(Happening, frozen=True, kw_only=True):
    """Unit stops in place: why."""

    sentence: ClassVar[str] = "{unit} stops in {place}: {why}"
    unit: str
    place: str
    why: str


class Bogged(Happening, frozen=True, kw_only=True):
    """Unit bogs down."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} bogs down"
    unit: str


class Freed(Happening, frozen=True, kw_only=True):
    """Unit is free of the bog."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is free of the bog"
    unit: str


class Immobilized(Happening, frozen=True, kw_only=True):
    """Unit is immobilized."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is immobilized"
    unit: str


class Entered(Happening, frozen=True, kw_only=True):
    """Unit enters the map at place."""

    sentence: ClassVar[str] = "{unit} enters the map at {place}"
    unit: str
    place: str


class Exited(Happening, frozen=True, kw_only=True):
    """Unit leaves the map at place."""

    sentence: ClassVar[str] = "{unit} leaves the map at {place}"
    unit: str
    place: str


class Loaded(Happening, frozen=True, kw_only=True):
    """Unit loads onto vehicle."""

    sentence: ClassVar[str] = "{unit} loads onto {vehicle}"
    unit: str
    vehicle: str


class Unloaded(Happening, frozen=True, kw_only=True):
    """Unit unloads from vehicle."""

    sentence: ClassVar[str] = "{unit} unloads from {vehicle}"
    unit: str
    vehicle: str


class RollingCover(Happening, frozen=True, kw_only=True):
    """Unit and vehicle: Rolling Cover on."""

    unit: str
    vehicle: str
    on: bool = True

    def pattern(self) -> str:
        """Whether the cover begins or ends."""
        return f"{{unit}} {'goes' if self.on else 'no longer goes'} behind {{vehicle}}"


class Landed(Happening, frozen=True, kw_only=True):
    """Unit lands in place."""

    sentence: ClassVar[str] = "{unit} lands in {place}"
    unit: str
    place: str


# ---- Leaders and weapons (15 to 20) ----------------------------------------------------------------


class Attached(Happening, frozen=True, kw_only=True):
    """Unit is attached to to."""

    sentence: ClassVar[str] = "{unit} is attached to {to}"
    unit: str
    to: str


class Detached(Happening, frozen=True, kw_only=True):
    """Unit is on his own."""

    sentence: ClassVar[str] = "{unit} is on his own"
    unit: str


class WeaponTaken(Happening, frozen=True, kw_only=True):
    """Unit takes weapon."""

    sentence: ClassVar[str] = "{unit} takes {weapon}"
    unit: str
    weapon: str


class WeaponLeft(Happening, frozen=True, kw_only=True):
    """Weapon is left in place."""

    sentence: ClassVar[str] = "{weapon} is left in {place}"
    weapon: str
    place: str


class WeaponLost(Happening, frozen=True, kw_only=True):
    """Weapon is gone."""

    sentence: ClassVar[str] = "{weapon} is gone"
    weapon: str


class Manned(Happening, frozen=True, kw_only=True):
    """Unit mans gun."""

    sentence: ClassVar[str] = "{unit} mans {gun}"
    unit: str
    gun: str
    captured: bool = False


class GunLeft(Happening, frozen=True, kw_only=True):
    """Unit leaves gun."""

    sentence: ClassVar[str] = "{unit} leaves {gun}"
    unit: str
    gun: str


class Unmanned(Happening, frozen=True, kw_only=True):
    """Unit stands unmanned in place."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} stands unmanned in {place}"
    unit: str
    place: str


# ---- what is on the map (24 to 34, 73) -------------------------------------------------------------


class Revealed(Happening, frozen=True, kw_only=True):
    """Unit is revealed in place."""

    matters: ClassVar[bool] = True
    sentence: ClassVar[str] = "{unit} is revealed in {place}"
    unit: str
    place: str


class MinesRevealed(Happening, frozen=True, kw_only=True):
    """Mines are found in place."""

    sentence: ClassVar[str] = "mines are found in {place}"
    place: str


class Placed(Happening, frozen=True, kw_only=True):
    """Kind is placed in place."""

    matters: ClassVar[bool] = True
    kind: str
    place: str

    def pattern(self) -> str:
        """One thing or several."""
        return _placed("placed in", self.kind)


class Removed(Happening, frozen=True, kw_only=True):
    """Kind is removed from place."""

    matters: ClassVar[bool] = True
    kind: str
    place: str

    def pattern(self) -> str:
        """One thing or several."""
        return _placed("removed from", self.kind)
