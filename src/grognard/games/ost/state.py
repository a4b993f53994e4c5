"""The state of a battle: plain data, nothing in it refers to another object but by id."""

from __future__ import annotations

from typing import Any

import msgspec

GOOD, SHAKEN, BROKEN = 0, 1, 2
MORALE = ("good order", "shaken", "broken")

# where a unit is
ON_MAP, OFF_MAP, PLANE, UNMANNED, LOST, EXITED, UNPLACED = (
    "map",
    "off",
    "plane",
    "unmanned",
    "lost",
    "exited",
    "unplaced",
)

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


class Unit(msgspec.Struct, array_like=True):
    """A counter: which it is, where it stands, and every marker on it.

    ``n`` is its place in the order of battle: units of a hex are always listed by it.
    """

    id: str
    n: int
    kind: str
    side: str
    status: str = UNPLACED
    hex: str = ""
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
    guns_out: list[int] = []  # main armaments destroyed, by their number on the card
    acquired: str = ""  # the vehicles it fired at this turn, while sight holds (95.16)
    manned_by: str = ""  # kind of the squad that re-manned this weapon (19.3)
    captured: bool = False
    due: int = 0  # the turn on which it becomes available off board
    entry: list[str] = []  # hexes by which it may enter


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


class State(msgspec.Struct, array_like=True):
    """Everything that a battle is at one moment."""

    units: dict[str, Unit]
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


_copied: Any = msgspec.Struct.__copy__  # type: ignore[attr-defined]  # the C copy, without the detour of copy.copy


def copy_state(state: State) -> State:
    """A copy that shares nothing that can change: counters are copied, markers are immutable and shared."""
    copy: State = _copied(state)
    copy.units = {id: _copy_unit(unit) for id, unit in state.units.items()}
    copy.weapons = {id: _copied(weapon) for id, weapon in state.weapons.items()}
    copy.melees = {hex: _copied(melee) for hex, melee in state.melees.items()}
    for name in _DICTS:
        setattr(copy, name, dict(getattr(state, name)))
    for name in _LISTS:
        setattr(copy, name, list(getattr(state, name)))
    copy.cards = {side: list(cards) for side, cards in state.cards.items()}
    copy.assets = {side: dict(assets) for side, assets in state.assets.items()}
    return copy


_DICTS = ("points", "casualties", "victory", "works", "mines", "smoke", "wrecks", "control")
_LISTS = ("rubble", "strikes", "played", "boons", "done")


def _copy_unit(unit: Unit) -> Unit:
    copy: Unit = _copied(unit)
    if copy.guns_out:
        copy.guns_out = list(copy.guns_out)
    if copy.entry:
        copy.entry = list(copy.entry)
    return copy


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(State)
