"""The state of a battle: plain data, lengths in hundredths of an inch, nothing refers to another object but by id."""

from __future__ import annotations

from typing import Any

import msgspec

# where a unit is
UNPLACED, ON_TABLE, ABOARD, RESERVE, LOST, EXITED = "unplaced", "table", "aboard", "reserve", "lost", "exited"

# the orders of the dice (section 2)
FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN = "fire", "advance", "run", "ambush", "rally", "down"
ORDERS = (FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN)

# what a model is within its unit
MAN, GUNNER, LOADER, CREW, SPOTTER, GUN, HULL = "man", "gunner", "loader", "crew", "spotter", "gun", "hull"

# the phases: deploy -> (start -> orders -> turn_end)* -> over (notes, part e)
DEPLOY, START, ORDERS_PHASE, TURN_END, OVER = "deploy", "start", "orders", "turn_end", "over"


class Model(msgspec.Struct, array_like=True):
    """A figure, a gun or a vehicle: where its middle is, which way it looks, and the weapons it bears.

    ``arms`` are indexes into the unit type's list of weapons; a one-shot weapon that was fired is taken out. ``role``
    says whether it serves a Team weapon. Infantry's heading means something only to the gunner of a Fixed weapon (B20).
    """

    id: str
    x: int = 0
    y: int = 0
    heading: int = 0
    role: str = MAN
    arms: list[int] = []


class Unit(msgspec.Struct, array_like=True):
    """A unit with its living models; whoever dies is taken out of the list.

    ``n`` is its place in the order of battle: units are always listed by it.
    """

    id: str
    n: int
    kind: str
    side: str
    quality: str
    models: list[Model] = []
    size: int = 0  # models when the game began, the gun not counted (7.5)
    status: str = UNPLACED
    die: str = ""  # the order that its die shows, "" without a die this turn
    pins: int = 0
    aboard: str = ""  # the vehicle that carries or tows it (24)
    building: str = ""  # the piece of terrain it occupies (25.1)
    dug_in: bool = False  # artillery set up in rough ground or a building (9.7)
    immobilised: bool = False
    moved: int = 0  # the turn in which any of its models last moved, for ranging in (17.11)
    moving: bool = False  # moved in the action of this turn: transports that may be boarded have not (24.2)
    ammunition: str = ""  # "he" or "ap", named when a gun goes on Ambush (16.8)
    ranged: str = ""  # the unit that it ranges in on (17.8)
    shots: int = 0  # indirect shots at it so far
    on_target: bool = False  # one of them hit
    ranged_turn: int = 0  # the turn of the last of them
    empty: list[int] = []  # weapons without fuel or ammunition, by index (17.17)
    green: bool = False  # Green and not yet tried (27.5)
    called: bool = False  # its barrage or air strike was called (26.2, 26.5)
    scores: bool = True  # False where its loss counts for nobody (17.17)


class Wreck(msgspec.Struct, array_like=True):
    """A knocked-out armoured vehicle: impassable, blocks sight, gives hard cover (20.7, 20.8)."""

    id: str
    kind: str
    x: int
    y: int
    heading: int


class Strike(msgspec.Struct, array_like=True):
    """A barrage or an air strike that was called and has not come yet (26.2 to 26.6).

    ``kind`` is "barrage" with a point or "air" with a target; ``turn`` the turn in which it was called.
    """

    kind: str
    side: str
    unit: str
    turn: int
    x: int = 0
    y: int = 0
    target: str = ""


class State(msgspec.Struct, array_like=True):
    """Everything that changes in a battle."""

    units: dict[str, Unit]
    phase: str = DEPLOY
    turn: int = 0
    side: str = ""  # whose die was drawn, or who deploys next
    drawn: bool = False  # a die of ``side`` lies on the table, waiting for its unit
    cup: dict[str, int] = {}  # dice in the cup by side
    aside: dict[str, int] = {}  # dice set aside until the end of the turn (1.10, 1.11)
    wrecks: list[Wreck] = []
    changed: dict[str, str] = {}  # pieces of terrain that became something else: id -> kind (25.6, 25.8)
    smoke: list[tuple[int, int, int]] = []
    strikes: list[Strike] = []
    step: int = 0  # how far a phase has come that asks several things
    last_turn: int = 6  # 28.3
    winner: str = ""
    reason: str = ""
    ending_rule: str = ""
    lost: dict[str, list[str]] = {}  # by side, the units destroyed that count (28.4)
    memory: dict[str, Any] = {}


ENCODER = msgspec.msgpack.Encoder()
DECODER = msgspec.msgpack.Decoder(State)
