"""What can happen in a battle of Old School Tactical: typed records with the rules behind them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from grognard.core.events import NO_NAMES, Event


class Happening(Event, frozen=True, kw_only=True):
    """An event whose sentence is filled in from its fields, units by their names."""

    def say(self, names: Mapping[str, str] = NO_NAMES) -> str:
        """The event as a sentence."""
        fields = {name: _in_words(name, getattr(self, name), names) for name in self.__struct_fields__}
        sentence = SENTENCES[type(self)]
        pattern = sentence if isinstance(sentence, str) else sentence(self)
        text = pattern.format(**fields).strip()
        return text if pattern.startswith(BY_NAME) else text[:1].upper() + text[1:]


def _in_words(field: str, value: Any, names: Mapping[str, str]) -> Any:
    """A field as it stands in a sentence: units by their names, sides as names, kinds without underscores."""
    if not isinstance(value, str):
        return value
    if field == "side":
        return value.replace("_", " ").capitalize()
    if field in ("kind", "card"):
        return names.get(value) or value.replace("_", " ")
    return names.get(value, value)


def _points(before: str, kind: str, after: str = "") -> Callable[[Any], str]:
    """A sentence about points, one or several."""
    return lambda event: f"{before} {{points}} {kind} Point{'' if event.points == 1 else 's'}{after}"


def _placed(verb: str) -> Callable[[Any], str]:
    """A sentence about a marker: "foxholes are placed"."""
    return lambda event: f"{{kind}} {'are' if event.kind in PLURAL else 'is'} {verb} {{place}}"


#: Sentences that begin with a name begin as it does.
BY_NAME = ("{unit}", "{weapon}")

#: Markers that are several things.
PLURAL = frozenset({"foxholes", "mines"})


class Phase(Happening, frozen=True, kw_only=True):
    """Turn turn: phase."""

    phase: str
    turn: int


class Spent(Happening, frozen=True, kw_only=True):
    """Side spends points, left left."""

    points: int
    left: int


class Gained(Happening, frozen=True, kw_only=True):
    """Side gains points Impulse Points, left left."""

    points: int
    left: int


class LostPoints(Happening, frozen=True, kw_only=True):
    """Side loses points Impulse Points, left left."""

    points: int
    left: int


class Passed(Happening, frozen=True, kw_only=True):
    """Side passes."""


class Initiative(Happening, frozen=True, kw_only=True):
    """Side has the Initiative (totals to totals)."""

    totals: tuple[int, int]


class Impulses(Happening, frozen=True, kw_only=True):
    """Side has points Impulse Points this turn."""

    points: int


class Scored(Happening, frozen=True, kw_only=True):
    """Side scores points Casualty Point(s) on unit."""

    points: int
    unit: str


class VictoryScored(Happening, frozen=True, kw_only=True):
    """Side scores points Victory Point(s) place."""

    points: int
    place: str = ""


class Moved(Happening, frozen=True, kw_only=True):
    """Unit moves from start to place for cost MP."""

    unit: str
    start: str
    place: str
    cost: str


class Reversed(Moved, frozen=True, kw_only=True):
    """Unit reverses from start to place for cost MP."""


class Turned(Happening, frozen=True, kw_only=True):
    """Unit faces facing."""

    unit: str
    facing: int
    way: str = ""


class Halted(Happening, frozen=True, kw_only=True):
    """Unit stops in place: why."""

    unit: str
    place: str
    why: str


class Marked(Happening, frozen=True, kw_only=True):
    """Unit is marked marker."""

    unit: str
    marker: str


class Declared(Happening, frozen=True, kw_only=True):
    """Unit what target or place, how."""

    unit: str
    what: str
    target: str = ""
    place: str = ""
    how: str = ""


class LeftOut(Happening, frozen=True, kw_only=True):
    """There is no place for unit: it takes no part."""

    unit: str


class Entered(Happening, frozen=True, kw_only=True):
    """Unit enters the map at place."""

    unit: str
    place: str


class Exited(Happening, frozen=True, kw_only=True):
    """Unit leaves the map at place."""

    unit: str
    place: str


class Loaded(Happening, frozen=True, kw_only=True):
    """Unit loads onto vehicle."""

    unit: str
    vehicle: str


class Unloaded(Happening, frozen=True, kw_only=True):
    """Unit unloads from vehicle."""

    unit: str
    vehicle: str


class Attached(Happening, frozen=True, kw_only=True):
    """Unit is attached to to."""

    unit: str
    to: str


class Detached(Happening, frozen=True, kw_only=True):
    """Unit is on his own."""

    unit: str


class WeaponTaken(Happening, frozen=True, kw_only=True):
    """Unit takes weapon."""

    unit: str
    weapon: str


class WeaponLeft(Happening, frozen=True, kw_only=True):
    """Weapon is left in place."""

    weapon: str
    place: str


class WeaponLost(Happening, frozen=True, kw_only=True):
    """Weapon is gone."""

    weapon: str


class Manned(Happening, frozen=True, kw_only=True):
    """Unit mans gun."""

    unit: str
    gun: str
    captured: bool = False


class GunLeft(Happening, frozen=True, kw_only=True):
    """Unit leaves gun."""

    unit: str
    gun: str


class Unmanned(Happening, frozen=True, kw_only=True):
    """Unit stands unmanned in place."""

    unit: str
    place: str


class AmmoOut(Happening, frozen=True, kw_only=True):
    """Unit is out of ammunition; squad fights on."""

    unit: str
    squad: str


class Revealed(Happening, frozen=True, kw_only=True):
    """Unit is revealed in place."""

    unit: str
    place: str


class MinesRevealed(Happening, frozen=True, kw_only=True):
    """Mines are found in place."""

    place: str


class Placed(Happening, frozen=True, kw_only=True):
    """Kind is placed in place."""

    kind: str
    place: str


class Removed(Happening, frozen=True, kw_only=True):
    """Kind is removed from place."""

    kind: str
    place: str


class Reduced(Happening, frozen=True, kw_only=True):
    """Unit is reduced."""

    unit: str


class Eliminated(Happening, frozen=True, kw_only=True):
    """Unit is eliminated."""

    fatal: ClassVar[bool] = True
    unit: str


class Shaken(Happening, frozen=True, kw_only=True):
    """Unit is Shaken."""

    unit: str


class Broken(Happening, frozen=True, kw_only=True):
    """Unit is Broken."""

    unit: str


class Rallied(Happening, frozen=True, kw_only=True):
    """Unit rallies."""

    unit: str


class Restored(Happening, frozen=True, kw_only=True):
    """Unit is what again."""

    unit: str
    what: str


class Damaged(Happening, frozen=True, kw_only=True):
    """Unit is damaged: what."""

    unit: str
    what: str


class Wrecked(Happening, frozen=True, kw_only=True):
    """Unit is a wreck in place."""

    fatal: ClassVar[bool] = True
    unit: str
    place: str


class Abandoned(Happening, frozen=True, kw_only=True):
    """Unit is abandoned."""

    fatal: ClassVar[bool] = True
    unit: str


class CrewSurvived(Happening, frozen=True, kw_only=True):
    """The crew of unit survives as crew."""

    unit: str
    crew: str


class Bogged(Happening, frozen=True, kw_only=True):
    """Unit bogs down."""

    unit: str


class Freed(Happening, frozen=True, kw_only=True):
    """Unit is free of the bog."""

    unit: str


class Immobilized(Happening, frozen=True, kw_only=True):
    """Unit is immobilized."""

    unit: str


class Acquired(Happening, frozen=True, kw_only=True):
    """Unit has acquired target."""

    unit: str
    target: str


class MeleeSet(Happening, frozen=True, kw_only=True):
    """Melee in place."""

    place: str


class MeleeOver(Happening, frozen=True, kw_only=True):
    """The Melee in place is over."""

    place: str


class MeleeGoesOn(Happening, frozen=True, kw_only=True):
    """The Melee in place goes on."""

    place: str


class Evaded(Happening, frozen=True, kw_only=True):
    """Unit evades to place."""

    unit: str
    place: str


class Retreated(Happening, frozen=True, kw_only=True):
    """Unit retreats to place."""

    unit: str
    place: str


class Captured(Happening, frozen=True, kw_only=True):
    """Side takes place."""

    place: str


class StrikeCalled(Happening, frozen=True, kw_only=True):
    """Side calls kind on place."""

    kind: str
    place: str
    smoke: bool = False


class Drifted(Happening, frozen=True, kw_only=True):
    """It drifts from start to place."""

    start: str
    place: str


class StrikeLost(Happening, frozen=True, kw_only=True):
    """The strike drifts off the map and is lost."""

    place: str


class AirStrike(Happening, frozen=True, kw_only=True):
    """Side: air strike on places."""

    places: tuple[str, ...]


class Collapsed(Happening, frozen=True, kw_only=True):
    """The kind in place collapses."""

    place: str
    kind: str


class AssetGained(Happening, frozen=True, kw_only=True):
    """Side gets count of kind."""

    kind: str
    count: int


class CardDrawn(Happening, frozen=True, kw_only=True):
    """Side draws card."""

    card: str


class CardPlayed(Happening, frozen=True, kw_only=True):
    """Side plays card."""

    card: str


class Landed(Happening, frozen=True, kw_only=True):
    """Unit lands in place."""

    unit: str
    place: str


class RollingCover(Happening, frozen=True, kw_only=True):
    """Unit and vehicle: Rolling Cover on."""

    unit: str
    vehicle: str
    on: bool = True


class Ended(Happening, frozen=True, kw_only=True):
    """The battle ends: why."""

    winner: str
    why: str


SENTENCES: dict[type[Event], str | Callable[[Any], str]] = {
    Phase: "Turn {turn}: {phase}",
    Spent: _points("{side} spends", "Impulse", ", {left} left"),
    Gained: _points("{side} gains", "Impulse", ", {left} left"),
    LostPoints: _points("{side} loses", "Impulse", ", {left} left"),
    Passed: "{side} passes",
    Initiative: "{side} has the Initiative ({totals[0]} to {totals[1]})",
    Impulses: _points("{side} has", "Impulse", " this turn"),
    Scored: _points("{side} scores", "Casualty", " on {unit}"),
    VictoryScored: lambda event: _points("{side} scores", "Victory", " for {place}" if event.place else "")(event),
    Moved: "{unit} moves from {start} to {place} for {cost} MP",
    Reversed: "{unit} reverses from {start} to {place} for {cost} MP",
    Turned: lambda event: "{unit} faces {way}" if event.way else "{unit} faces {facing}",
    Halted: "{unit} stops in {place}: {why}",
    Marked: "{unit} is marked {marker}",
    Declared: "{unit} {what} {target}{place} {how}",
    LeftOut: "there is no place for {unit}: it takes no part",
    Entered: "{unit} enters the map at {place}",
    Exited: "{unit} leaves the map at {place}",
    Loaded: "{unit} loads onto {vehicle}",
    Unloaded: "{unit} unloads from {vehicle}",
    Attached: "{unit} is attached to {to}",
    Detached: "{unit} is on his own",
    WeaponTaken: "{unit} takes {weapon}",
    WeaponLeft: "{weapon} is left in {place}",
    WeaponLost: "{weapon} is gone",
    Manned: "{unit} mans {gun}",
    GunLeft: "{unit} leaves {gun}",
    Unmanned: "{unit} stands unmanned in {place}",
    AmmoOut: "{unit} is out of ammunition; {squad} fights on",
    Revealed: "{unit} is revealed in {place}",
    MinesRevealed: "mines are found in {place}",
    Placed: _placed("placed in"),
    Removed: _placed("removed from"),
    Reduced: "{unit} is reduced",
    Eliminated: "{unit} is eliminated",
    Shaken: "{unit} is Shaken",
    Broken: "{unit} is Broken",
    Rallied: "{unit} rallies",
    Restored: "{unit} is {what} again",
    Damaged: "{unit} is damaged: {what}",
    Wrecked: "{unit} is a wreck in {place}",
    Abandoned: "{unit} is abandoned",
    CrewSurvived: "the crew of {unit} survives as {crew}",
    Bogged: "{unit} bogs down",
    Freed: "{unit} is free of the bog",
    Immobilized: "{unit} is immobilized",
    Acquired: "{unit} has acquired {target}",
    MeleeSet: "a Melee begins in {place}",
    MeleeOver: "the Melee in {place} is over",
    MeleeGoesOn: "the Melee in {place} goes on",
    Evaded: "{unit} evades to {place}",
    Retreated: "{unit} retreats to {place}",
    Captured: "{side} takes {place}",
    StrikeCalled: "{side} calls {kind} on {place}",
    Drifted: "it drifts from {start} to {place}",
    StrikeLost: "the strike drifts off the map and is lost",
    AirStrike: "{side}: air strike on {places[0]} and {places[1]}",
    Collapsed: "the {kind} in {place} collapses",
    AssetGained: "{side} gets {count} more: {kind}",
    CardDrawn: "{side} draws {card}",
    CardPlayed: "{side} plays {card}",
    Landed: "{unit} lands in {place}",
    RollingCover: lambda event: f"{{unit}} {'goes' if event.on else 'no longer goes'} behind {{vehicle}}",
    Ended: "the battle ends: {why}",
}

# The events that change a unit's fate: what odds are told in.
EFFECTS = frozenset(
    {
        Reduced,
        Eliminated,
        Shaken,
        Broken,
        Rallied,
        Restored,
        Damaged,
        Wrecked,
        Abandoned,
        CrewSurvived,
        Bogged,
        Freed,
        Immobilized,
        Collapsed,
        Placed,
        Removed,
        Drifted,
        StrikeLost,
        Evaded,
        Unmanned,
        AmmoOut,
        Revealed,
    }
)
