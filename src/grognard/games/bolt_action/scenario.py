"""Scenarios (28.2): what a battle is fought with, where, for how long and for what.

A scenario is fixed once it is read (see `scenario_file`): the state of a battle names its units by id and finds here
what deployment and victory need to know of them. Lengths are hundredths of an inch.
"""

from __future__ import annotations

import msgspec

from grognard.board.table.terrain import Table
from grognard.games.bolt_action.roster import UnitType

SURFACES = ("grass", "sand", "snow", "mud")
EDGES = ("top", "right", "bottom", "left")


class Zone(msgspec.Struct, frozen=True):
    """Where units are deployed: the corners of a polygon (28.6)."""

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
    quality: str = ""  # another than the roster's
    name: str = ""  # what its people call it, instead of the roster's name
    zone: str = ""
    at: tuple[int, int] | None = None
    heading: int = 0
    aboard: str = ""
    turn: int = 0
    edge: str = ""
    entry: tuple[int, int] | None = None  # from where to where along the edge; the whole of it without


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A point of the table that is worth holding (28.5)."""

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
    """How a battle is won: points for units destroyed, for objectives and for units that got through (28.4, 28.5).

    Whoever leads by ``lead`` points wins; short of that ``otherwise`` does, or nobody.
    """

    attrition: dict[str, int] = {}  # by side, the points it scores for each enemy unit destroyed
    exits: tuple[ExitPoints, ...] = ()
    lead: int = 2
    otherwise: str = ""
    text: str = ""


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A battle to fight."""

    name: str
    title: str
    source: str
    table: Table
    side_names: tuple[str, str]
    files: dict[str, str] = {}
    briefing: str = ""
    notes: str = ""
    surface: str = "grass"  # what the ground is made of, for the picture
    place: str = ""
    date: str = ""
    turns: int = 6
    further_turn: bool = True  # a die decides on one turn more (28.3)
    titles: dict[str, str] = {}  # what the sides are called
    nations: dict[str, str] = {}
    zones: dict[str, tuple[Zone, ...]] = {}  # by side
    units: tuple[Placing, ...] = ()
    types: dict[str, UnitType] = {}  # units with upgrades, beside the roster's
    objectives: tuple[Objective, ...] = ()
    victory: VictoryRules = VictoryRules()
    attacker: str = ""
    first_to_deploy: str = ""  # who deploys all his units first; "" rolls and takes turns (28.6)
    hidden_reserves: bool = False  # the enemy does not know what is in reserve
    german_machine_guns: bool = False  # 27.9
    wrecks_removed: bool = False  # 20.7

    @property
    def sides(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.side_names

    def placing(self, id: str) -> Placing | None:
        """How a unit comes to the table."""
        return next((placing for placing in self.units if placing.id == id), None)

    def objective(self, id: str) -> Objective:
        """The objective of an id."""
        return next(objective for objective in self.objectives if objective.id == id)

    def zone(self, placing: Placing) -> Zone | None:
        """The zone that a unit deploys in: the one it names, or its side's first."""
        zones = self.zones.get(placing.side, ())
        return next((zone for zone in zones if zone.name == placing.zone), zones[0] if zones else None)
