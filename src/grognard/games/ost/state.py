"""The state of a battle: plain data, nothing in it refers to another object but by id."""

from __future__ import annotations

import msgspec

from grognard.core.copies import copier
from grognard.kits.hex import state as kit
from grognard.kits.hex.state import EXITED, LOST, OFF_MAP, ON_MAP, UNPLACED

__all__ = ["EXITED", "LOST", "OFF_MAP", "ON_MAP", "UNPLACED"]

GOOD, SHAKEN, BROKEN = 0, 1, 2
MORALE = ("good order", "shaken", "broken")

# where a unit is, besides what every game on hexes has
PLANE, UNMANNED = "plane", "unmanned"

# the phases of the turn (111), in order, between set-up and the end
PHASES = (
    "setup",
    "luck",
    "marker",
    "reinforcements",
    "attach",
    "smoke",
    "rolls",
    "rally",
    "initiative",
    "impulses",
    "play",
    "melee",
    "clean",
    "score",
    "end_turn",
    "extended",
    "end",
    "over",
)


class Unit(kit.Unit, array_like=True):
    """A counter: which it is, where it stands, and every marker on it."""

    facing: int = 0
    reduced: bool = False
    morale: int = GOOD
    # limited actions of this turn (74): one Move, one Assault Move, at most two Fires
    moved: bool = False
    fired: int = 0
    assaulted: bool = False
    intensive: bool = False
    new_hex: bool = False  # moved or unloaded into a new hex this turn (17.11)
    main_fires: int = 0  # main armament shots this turn (23.1)
    loaded: bool = False  # loaded this turn, so it may not unload (one Move a turn)
    attached: str = ""  # a Leader's unit, an Armor Leader's vehicle (15.6, 16.6)
    aboard: str = ""  # the vehicle that carries it (79.2)
    partner: str = ""  # the other half of a Rolling Cover pair (81)
    inside: bool = False  # inside the Bunker or Pillbox of its hex (28.12)
    on_road: bool = False  # on the road of a road and structure hex (57.6)
    hidden: bool = False
    clearing: str = ""  # what it clears: mines, wire, roadblock; several as words (10.4)
    bogged: bool = False
    immobilized: bool = False
    mgs_out: bool = False
    guns_out: tuple[int, ...] = ()  # main armaments destroyed, by their number on the card
    acquired: str = ""  # the vehicles it fired at this turn, while sight holds (95.16)
    manned_by: str = ""  # kind of the squad that re-manned this weapon (19.3)
    captured: bool = False
    due: int = 0  # the turn on which it becomes available off board
    entry: tuple[str, ...] = ()  # hexes by which it may enter


class Weapon(msgspec.Struct, array_like=True):
    """A support weapon: with a unit, or lying in a hex, or gone (both empty)."""

    id: str
    kind: str
    unit: str = ""
    hex: str = ""
    used_by: str = ""  # the squad that used it this turn (20.9)


class Work(msgspec.Struct, array_like=True, frozen=True):
    """A fortification counter: at most one a hex (24)."""

    kind: str
    side: str = ""
    facing: int = 0
    hidden: bool = False


class Mines(msgspec.Struct, array_like=True, frozen=True):
    """A mined hex."""

    side: str
    revealed: bool = False


class Strike(msgspec.Struct, array_like=True, frozen=True):
    """An OBA strike that stays for the turn (107.14)."""

    side: str
    kind: str
    hex: str


class Melee(msgspec.Struct, array_like=True):
    """A Melee: who started it, the turn it was set, and whether it was fought this turn."""

    initiator: str
    turn: int
    fought: bool = False


class State(kit.HexState[Unit], array_like=True):
    """Everything that a battle is at one moment."""

    weapons: dict[str, Weapon]
    turn: int
    phase: str = "setup"
    step: str = ""  # where inside the phase
    active: str = ""
    initiative: str = ""
    opening: bool = True  # the first turn does not lower the marker (2.0)
    extended: bool = False
    points: dict[str, int] = {}
    casualties: dict[str, int] = {}  # points a side scored on its enemy (5)
    victory: dict[str, int] = {}
    works: dict[str, Work] = {}
    mines: dict[str, Mines] = {}
    smoke: dict[str, int] = {}  # 1 Smoke, 2 Smoke 2
    wrecks: dict[str, int] = {}
    rubble: list[str] = []
    strikes: list[Strike] = []
    melees: dict[str, Melee] = {}
    control: dict[str, str] = {}
    cards: dict[str, list[str]] = {}
    played: list[str] = []
    assets: dict[str, dict[str, int]] = {}
    boons: list[str] = []  # Luck cards that hold for this Impulse
    done: list[str] = []  # scratch of the phase: who or what has been dealt with
    winner: str = ""
    ending: str = ""  # why it ended; "" while it goes on
    born: int = 0  # counters made in play, to name them


copy_state = copier(State)
