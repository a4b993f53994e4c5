"""Scenarios on hexes: what a battle is fought with, where, for how long and for what.

A scenario is fixed once it is read: the state of a battle names its units by id and finds here what set-up, entry and
victory need to know of them.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from grognard.board.hex.battlefield import Battlefield


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the order of battle, and how it comes to the map.

    It stands ``at`` a hex from the start, or is set up in the hexes of a ``zone``, or rides ``aboard`` a unit from the
    start, or comes on ``turn`` by one of the hexes of ``entry``.
    """

    id: str
    n: int
    kind: str
    side: str
    at: str = ""
    zone: tuple[str, ...] = ()
    aboard: str = ""
    turn: int = 0
    entry: tuple[str, ...] = ()


class ExitPoints(msgspec.Struct, frozen=True):
    """What a side scores for each unit of these kinds that left by these hexes."""

    side: str
    units: tuple[str, ...]
    hexes: frozenset[str]
    points: int


P = TypeVar("P", bound=Placing)


class HexScenario(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """A battle to fight. A game derives its own, with its victory conditions and special rules.

    ``exits`` are the hexes by which units of a side may leave the map.
    """

    name: str
    title: str
    source: str
    turns: int
    side_names: tuple[str, str]
    battlefield: Battlefield
    files: dict[str, str] = {}
    briefing: str = ""
    place: str = ""
    date: str = ""
    exits: dict[str, frozenset[str]] = {}
    units: tuple[P, ...] = ()
    callings: dict[str, str] = {}  # what people call units; without any they are called with their ids

    @property
    def sides(self) -> tuple[str, str]:
        """The names of both sides."""
        return self.side_names
