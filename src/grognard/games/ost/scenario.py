"""Scenarios (64): what a battle is fought with, where, for how long and for what.

A scenario is fixed once it is read (see `scenario_file`): the state of a battle names its units by id and
finds here what set-up needs to know of them.
"""

from __future__ import annotations

import msgspec

from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.roster import UnitType, roster
from grognard.kits.hex import scenario as kit
from grognard.kits.hex.scenario import ExitPoints

WORKS = ("cover", "foxholes", "trench", "bunker", "pillbox", "wire", "roadblock")
ASSETS = ("mortars", "artillery", "rockets", "air")
UNITS = ("squad", "crewed", "leader", "armor_leader", "sniper", "crew", "vehicle")


class Placing(kit.Placing, frozen=True, kw_only=True):
    """A unit of the order of battle, and what its set-up or entry may be (64.2)."""

    facing: int = 0
    hidden: str = ""  # "yes", or "may"
    attached: str = ""
    load: tuple[str, ...] = ()  # an aircraft's units, in the order of their drop (83.3)
    inside: bool = False
    on_road: bool = False
    reduced: bool = False
    morale: int = 0


class WeaponSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A support weapon: with a unit from the start, or free to assign at set-up."""

    id: str
    kind: str
    side: str
    unit: str = ""
    turn: int = 0


class WorkSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A fortification counter to place (24)."""

    kind: str
    side: str
    at: str = ""
    zone: tuple[str, ...] = ()
    facing: int = 0
    hidden: str = ""


class MinesSetup(msgspec.Struct, frozen=True, kw_only=True):
    """A mined hex to record (27.1)."""

    side: str
    at: str = ""
    zone: tuple[str, ...] = ()


class Limit(msgspec.Struct, frozen=True):
    """At most so many units of a side may be set up in these hexes."""

    hexes: frozenset[str]
    most: int


class ControlPoints(msgspec.Struct, frozen=True):
    """What control of hexes is worth, to whom and when (65, 4.0)."""

    hexes: tuple[str, ...]
    points: dict[str, int]
    when: str  # "end", or "turn"
    first: int  # the turn from which "turn" scores


class CasualtyPoints(msgspec.Struct, frozen=True):
    """Victory Points for every so many Casualty Points scored."""

    per: int
    points: int
    sides: tuple[str, ...]


class Presence(msgspec.Struct, frozen=True):
    """So many units of these kinds in these hexes."""

    units: tuple[str, ...]
    hexes: frozenset[str]
    good_order: bool
    at_least: int


class Win(msgspec.Struct, frozen=True):
    """A side wins, at once at the end of a turn or when the battle ends, if all of this holds."""

    side: str
    when: str  # "turn", or "end"
    owns: tuple[str, ...]
    present: Presence | None
    casualties: int | None  # Casualty Points scored, less those of the enemy, at least
    reason: str


class VictoryRules(msgspec.Struct, frozen=True, kw_only=True):
    """The victory conditions as data (64.10)."""

    control: tuple[ControlPoints, ...] = ()
    casualties: tuple[CasualtyPoints, ...] = ()
    exits: tuple[ExitPoints, ...] = ()
    wins: tuple[Win, ...] = ()
    otherwise: str = ""
    tie: str = ""
    lead: dict[str, int] = {}
    text: str = ""


class ScenarioRoll(msgspec.Struct, frozen=True):
    """A die roll in the Scenario Rolls phase: assets that may become available (111.5)."""

    side: str
    what: str
    dice: str
    at_least: int
    turns: tuple[int, int]  # first and last turn, counting down
    assets: dict[str, int]
    once: bool


class Scenario(kit.HexScenario[Placing], frozen=True, kw_only=True):
    """A battle to fight. ``side_names``: the side named first acts first before the Initiative (T-2)."""

    options: OptionalRules = OptionalRules()
    nations: dict[str, tuple[str, ...]] = {}
    gut_check: dict[str, int] = {}
    impulse: dict[str, str] = {}
    cards: dict[str, int] = {}
    assets: dict[str, dict[str, int]] = {}
    asset_turns: dict[str, dict[str, int]] = {}
    control: dict[str, str] = {}
    special: tuple[str, ...] = ()
    wrecks: tuple[str, ...] = ()
    setup_order: tuple[str, ...] = ()
    weapons: tuple[WeaponSetup, ...] = ()
    works: tuple[WorkSetup, ...] = ()
    mines: tuple[MinesSetup, ...] = ()
    limits: dict[str, tuple[Limit, ...]] = {}
    apart: dict[str, int] = {}
    stack: dict[str, int] = {}
    hideable: dict[str, int] = {}
    victory: VictoryRules = VictoryRules()
    rolls: tuple[ScenarioRoll, ...] = ()
    types: dict[str, UnitType] = {}  # counters with figures of their own, beside the roster's

    @property
    def kinds(self) -> dict[str, UnitType]:
        """Every counter that may be met: the roster's, and those with figures of their own."""
        return {**roster(), **self.types} if self.types else roster()
