"""Scenarios on a table: what a battle is fought with, where, for how long and for what.

A scenario is fixed once it is read: the state of a battle names its units by id and finds here what deployment and
victory need to know of them. Lengths are hundredths of the table's measure.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from grognard.board.table.terrain import Table

#: What the ground is made of, for the picture.
SURFACES = ("grass", "sand", "snow", "mud")
EDGES = ("top", "right", "bottom", "left")


class Zone(msgspec.Struct, frozen=True):
    """Where units are deployed: the corners of a polygon."""

    name: str
    points: tuple[tuple[int, int], ...]


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a force, and how it comes to the table.

    It deploys in a ``zone`` by name, or stands ``at`` a place from the start, or rides ``aboard`` a unit from the
    start, or is a reserve that enters over an ``edge`` of the table from ``turn`` on.
    """

    id: str
    n: int
    kind: str
    side: str
    name: str = ""  # what its people call it, instead of the roster's name
    zone: str = ""
    at: tuple[int, int] | None = None
    heading: int = 0
    aboard: str = ""
    turn: int = 0
    edge: str = ""
    entry: tuple[int, int] | None = None  # from where to where along the edge; the whole of it without


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A point of the table that is worth holding."""

    id: str
    name: str
    x: int
    y: int
    points: int
    sides: tuple[str, ...]  # the sides that score for it

    @property
    def called(self) -> str:
        """Its name within a sentence, where an article is small: "toward the bridge"."""
        return f"the {self.name[4:]}" if self.name.startswith("The ") else self.name


class ExitPoints(msgspec.Struct, frozen=True, kw_only=True):
    """What a side scores for each of its units that leaves the table over an edge, and which may."""

    side: str
    edge: str
    points: int
    kinds: tuple[str, ...] = ()  # kinds of unit that score; all without


class VictoryRules(msgspec.Struct, frozen=True, kw_only=True):
    """How a battle is won by points. A game derives its own where it scores for more than objectives and exits.

    Whoever leads by ``lead`` points wins; short of that ``otherwise`` does, or nobody.
    """

    exits: tuple[ExitPoints, ...] = ()
    lead: int = 1
    otherwise: str = ""
    text: str = ""


P = TypeVar("P", bound=Placing)


class TableScenario(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """A battle to fight. A game derives its own, with its victory conditions and special rules."""

    name: str
    title: str
    source: str
    table: Table
    side_names: tuple[str, str]
    files: dict[str, str] = {}
    briefing: str = ""
    notes: str = ""
    surface: str = "grass"
    place: str = ""
    date: str = ""
    turns: int = 6
    titles: dict[str, str] = {}  # what the sides are called
    nations: dict[str, str] = {}
    zones: dict[str, tuple[Zone, ...]] = {}  # by side
    units: tuple[P, ...] = ()
    objectives: tuple[Objective, ...] = ()
    victory: VictoryRules = VictoryRules()
    attacker: str = ""
    first_to_deploy: str = ""
    callings: dict[str, str] = {}  # what people call units; without any they are called with their ids

    @property
    def sides(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.side_names

    def title_of(self, side: str) -> str:
        """What people call a side's force, within a sentence."""
        return self.titles.get(side, side.replace("_", " ").capitalize())

    def placing(self, id: str) -> P | None:
        """How a unit comes to the table."""
        return next((placing for placing in self.units if placing.id == id), None)

    def objective(self, id: str) -> Objective:
        """The objective of an id."""
        return next(objective for objective in self.objectives if objective.id == id)

    def zone(self, placing: P) -> Zone | None:
        """The zone that a unit deploys in: the one it names, or its side's first."""
        zones = self.zones.get(placing.side, ())
        return next((zone for zone in zones if zone.name == placing.zone), zones[0] if zones else None)
