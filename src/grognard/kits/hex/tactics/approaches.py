"""Where the enemy will come from: the hexes that ways from where he starts to what he wants lead over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.scenario import HexScenario

B = TypeVar("B", bound=HexBattle[Any, Any, Any, Any])
Sc = TypeVar("Sc", bound=HexScenario[Any])

#: Kinds of movement that less than this part of a side has do not shape its ways.
RARE = 0.15
#: How near is close enough for fire to count in full, and what it counts beyond.
CLOSE, BEYOND = 6, 0.7

#: Hexes that somebody wants together, with what they are worth to him.
Ends = list[tuple[tuple[str, ...], float]]


class Approaches(ABC, Generic[B, Sc]):
    """What a scenario tells of both sides' ways, before anybody has moved."""

    #: How much longer than the shortest a way may be to be thought of, in the land's prices.
    slack: int

    def __init__(self, scenario: Sc) -> None:
        self.scenario = scenario
        self.origins: dict[str, tuple[str, ...]] = {side: self._origin(side) for side in scenario.side_names}
        self._approach: dict[str, dict[str, float]] = {}
        self._fields: dict[tuple[str, str, int], float] = {}

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def move_of(self, kind: str) -> str:
        """How a kind of unit moves."""

    @abstractmethod
    def ends(self, battle: B, side: str) -> Ends:
        """What a side wants: hexes together with what they are worth to it."""

    @abstractmethod
    def seen_from(self, hex: str) -> frozenset[str]:
        """The hexes in sight of a hex over the bare ground."""

    @abstractmethod
    def far(self, battle: B, side: str, move: str, hexes: Iterable[str]) -> Mapping[str, int]:
        """How far each hex is from the nearest of some, to a side that plans."""

    @abstractmethod
    def standing(self, battle: B, side: str, known_to: str) -> tuple[str, ...]:
        """Where units of a side stand that another knows of, or it itself."""

    # -- ways --------------------------------------------------------------------------------------------

    def _origin(self, side: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for placing in self.scenario.units:
            if placing.side == side:
                hexes = (placing.at,) if placing.at else placing.entry or placing.zone
                found.update(dict.fromkeys(hex for hex in hexes if hex))
        return tuple(found)

    def moves(self, side: str) -> Sequence[tuple[str, float]]:
        """How a side moves, by its share."""
        counted: dict[str, float] = {}
        for placing in self.scenario.units:
            if placing.side == side:
                move = self.move_of(placing.kind)
                counted[move] = counted.get(move, 0.0) + 1.0
        total = sum(counted.values()) or 1.0
        return [(move, share / total) for move, share in counted.items() if share / total > RARE] or [("foot", 1.0)]

    def approach(self, battle: B, side: str) -> dict[str, float]:
        """The hexes that the enemies of a side will likely cross, with how likely and how much it matters."""
        known = self._approach.get(side)
        if known is not None:
            return known
        enemy = battle.other(side)
        found: dict[str, float] = {}
        origins = self.origins[enemy] or self.standing(battle, enemy, side)
        ends = self.ends(battle, enemy) or [(self.origins[side] or self.standing(battle, side, side), 1.0)]
        total = sum(worth for _, worth in ends) or 1.0
        for move, share in self.moves(enemy) if origins else ():
            back = self.far(battle, side, move, origins)
            for hexes, worth in ends:
                on = self.far(battle, side, move, hexes) if hexes else {}
                sums = {hex: back[hex] + far for hex, far in on.items() if hex in back}
                if not sums:
                    continue
                shortest = min(sums.values())
                for hex, length in sums.items():
                    over = length - shortest
                    if over < self.slack:
                        found[hex] = found.get(hex, 0.0) + share * worth / total * (1 - over / self.slack)
        self._approach[side] = found
        return found

    def field(self, battle: B, side: str, hex: str, reach: int) -> float:
        """How much of the enemy's ways a unit would have under fire from a hex, from 0 to 1."""
        known = self._fields.get((side, hex, reach))
        if known is not None:
            return known
        approach, here = self.approach(battle, side), battle.grid.dist[hex]
        total = sum(approach.values()) or 1.0
        found = 0.0
        for other in self.seen_from(hex) & approach.keys():
            distance = here[other]
            if 0 < distance <= reach:
                found += approach[other] * (1.0 if distance <= CLOSE else BEYOND)
        found = self._fields[side, hex, reach] = found / total
        return found
