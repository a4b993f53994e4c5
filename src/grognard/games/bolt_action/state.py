"""The state of a battle: plain data, lengths in hundredths of an inch, nothing refers to another object but by id."""

from __future__ import annotations

import msgspec

from grognard.core.copies import copier
from grognard.kits.table import state as kit
from grognard.kits.table.state import ON_TABLE

# the orders of the dice (section 2)
FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN = "fire", "advance", "run", "ambush", "rally", "down"
ORDERS = (FIRE, ADVANCE, RUN, AMBUSH, RALLY, DOWN)

# what a model is within its unit
MAN, GUNNER, LOADER, CREW, SPOTTER, GUN, HULL = "man", "gunner", "loader", "crew", "spotter", "gun", "hull"

# the phases: deploy -> (start -> orders -> turn_end)* -> over (notes, part e)
DEPLOY, START, ORDERS_PHASE, TURN_END, OVER = "deploy", "start", "orders", "turn_end", kit.OVER


class Model(kit.Model, array_like=True):
    """A figure, a gun or a vehicle, and the weapons it bears.

    ``arms`` are indexes into the unit type's list of weapons; a one-shot weapon that was fired is taken out. ``role``
    says whether it serves a Team weapon. Infantry's heading means something only to the gunner of a Fixed weapon (B20).
    """

    role: str = MAN
    arms: tuple[int, ...] = ()


class Unit(kit.Unit[Model], array_like=True):
    """A unit with its living models; whoever dies is taken out of the list. The gun does not count in its size (7.5).

    It is aboard what carries or tows it (24).
    """

    quality: str = ""
    die: str = ""  # the order that its die shows, "" without a die this turn
    pins: int = 0
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
    empty: tuple[int, ...] = ()  # weapons without fuel or ammunition, by index (17.17)
    green: bool = False  # Green and not yet tried (27.5)
    called: bool = False  # its barrage or air strike was called (26.2, 26.5)
    scores: bool = True  # False where its loss counts for nobody (17.17)


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


class Laid(msgspec.Struct, array_like=True, frozen=True):
    """How a weapon that ranges in was laid at its last shot, and where both parties stood (17.8, 17.11)."""

    heading: int
    places: tuple[tuple[str, int, int], ...]


class Scratch(msgspec.Struct, array_like=True):
    """What rules note for a while besides what stands on the table."""

    # while one unit carries out its order
    acting: str = ""  # the unit (16.4)
    holding: tuple[str, ...] = ()  # sides whose ambushers wait until it has done (16.4)
    reacted: dict[str, tuple[str, ...]] = {}  # by unit, what of it has fired in reaction (16.4, 21.4)
    fighting: tuple[str, ...] = ()  # both units in close quarters (21)
    spilled: list[str] = []  # destroyed vehicles whose passengers still have to get out (24.5)
    # within a turn
    acted: dict[str, int] = {}  # by side, how many of its units had orders (27: slow loaders)
    kept: list[str] = []  # units that keep their dice at the end of it (1.12)
    ran: dict[str, int] = {}  # vehicles that were ordered to Run, with the turn (24.3)
    unhitched: dict[str, int] = {}  # guns that were unhitched, with the turn (24.8)
    # for the whole battle
    placing: str = ""  # the unit that is being deployed (28.6)
    laid: dict[str, Laid] = {}  # by unit that ranges in (17.8)
    exits: dict[str, str] = {}  # by unit that left the table, over which edge (28.5)
    extended: bool = False  # one turn more is being played (28.3)


class State(kit.TableState[Unit], array_like=True):
    """Everything that changes in a battle. ``side``: whose die was drawn, or who deploys next."""

    phase: str = DEPLOY
    drawn: bool = False  # a die of ``side`` lies on the table, waiting for its unit
    cup: dict[str, int] = {}  # dice in the cup by side
    aside: dict[str, int] = {}  # dice set aside until the end of the turn (1.10, 1.11)
    smoke: list[tuple[int, int, int]] = []
    strikes: list[Strike] = []
    step: int = 0  # how far a phase has come that asks several things
    last_turn: int = 6  # 28.3
    lost: dict[str, list[str]] = {}  # by side, the units destroyed that count (28.4)
    scratch: Scratch = msgspec.field(default_factory=Scratch)


copy_state = copier(State)


def on_the_ground(unit: Unit) -> bool:
    """Whether its models stand somewhere: not in a vehicle, nor in a building (25.1)."""
    return unit.status == ON_TABLE and not unit.building


def party(unit: Unit) -> list[int]:
    """The models that keep formation, by number: a spotter need not (23.4), but leaves a vehicle with the rest."""
    if not on_the_ground(unit):
        return list(range(len(unit.models)))
    kept = [i for i, model in enumerate(unit.models) if model.role != SPOTTER]
    return kept or list(range(len(unit.models)))
