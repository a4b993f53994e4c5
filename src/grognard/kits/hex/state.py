"""The state of a battle on hexes: plain data. A game derives its units and its state, and adds what its rules need.

Nothing refers to another object but by id.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

# where a unit is
ON_MAP, OFF_MAP, LOST, EXITED, UNPLACED = "map", "off", "lost", "exited", "unplaced"


class Unit(msgspec.Struct, array_like=True):
    """A counter: which it is and where it stands.

    ``n`` is its place in the order of battle: units of a hex are always listed by it.
    """

    id: str
    n: int
    kind: str
    side: str
    status: str = UNPLACED
    hex: str = ""


U = TypeVar("U", bound=Unit)


class HexState(msgspec.Struct, Generic[U], array_like=True):
    """Everything that changes in a battle on hexes, so far as every game has it."""

    units: dict[str, U]
