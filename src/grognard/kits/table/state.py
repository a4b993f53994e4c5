"""The state of a battle on a table: plain data, lengths in hundredths of the table's measure.

A game derives its models, its units and its state from these, and adds what its rules need to remember. Nothing refers
to another object but by id.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

# where a unit is
UNPLACED, ON_TABLE, ABOARD, RESERVE, LOST, EXITED = "unplaced", "table", "aboard", "reserve", "lost", "exited"
STATUSES = (ON_TABLE, ABOARD, RESERVE, UNPLACED, LOST, EXITED)

#: The phase of a battle that has ended.
OVER = "over"


class Model(msgspec.Struct, array_like=True):
    """A figure, a stand, a gun or a vehicle: where its middle is, and which way it looks."""

    id: str
    x: int = 0
    y: int = 0
    heading: int = 0


M = TypeVar("M", bound=Model)


class Unit(msgspec.Struct, Generic[M], array_like=True):
    """A unit with the models that are left of it.

    ``n`` is its place in the order of battle: units are always listed by it. ``size`` is how many models it had when
    the battle began, as its game counts them; ``aboard`` the vehicle that carries or tows it.
    """

    id: str
    n: int
    kind: str
    side: str
    models: list[M] = []
    size: int = 0
    status: str = UNPLACED
    aboard: str = ""


U = TypeVar("U", bound=Unit[Any])


class Wreck(msgspec.Struct, array_like=True):
    """What is left of a vehicle on the table."""

    id: str
    kind: str
    x: int
    y: int
    heading: int


class TableState(msgspec.Struct, Generic[U], array_like=True):
    """Everything that changes in a battle on a table, so far as every game has it.

    ``side`` is whose go it is; ``changed`` are pieces of terrain that became something else, by id their new kind.
    """

    units: dict[str, U]
    phase: str = ""
    turn: int = 0
    side: str = ""
    wrecks: list[Wreck] = []
    changed: dict[str, str] = {}
    winner: str = ""
    reason: str = ""
    ending_rule: str = ""
