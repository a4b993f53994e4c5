"""Who sees whom: the one function behind fire, spotting, the map tool and the bots (58).

`line_of_sight` has the rules. Here a question about units becomes one about two stances on the ground,
and the answer is kept: the ground changes only when a structure falls (32.1), and all battles on one map
share it. Smoke, wrecks and roadblocks are looked at last, on the lines that cross them.
"""

from __future__ import annotations

from typing import NamedTuple

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.line_of_sight import (
    BLOCKS,
    DEGRADES,
    EFFECTS,
    INSIDE,
    MOUNTED,
    MOUNTED_ON_ROAD,
    NONE,
    ON_ROAD,
    OUTSIDE,
    ROAD_STANCES,
    Counters,
    Ground,
    Line,
    Met,
    Sight,
    Stance,
    forbidden,
    ground_of,
    hex_effect,
    lines,
    look,
    look_along,
    low_obstacle,
    met_along,
    step,
)
from grognard.games.ost.state import GOOD, ON_MAP, State, Unit

__all__ = ["Sight", "SightReport", "can_spot", "explain", "sight", "sight_from", "sight_hex"]

#: Beyond this many kept answers a ground forgets them all: memory is worth more than the rest.
KEEP = 250_000


class _Place(NamedTuple):
    """A hex or spine on a kept line: whether it degrades already, and which hexes would with a wreck."""

    id: str
    hexes: tuple[str, ...]
    low: tuple[str, ...]


class _Answer:
    """A kept answer, with what is needed to lay counters over it."""

    __slots__ = ("hexes", "key", "places", "sight")

    def __init__(self, sight: Sight, key: tuple[Stance, Stance]) -> None:
        self.sight, self.key = sight, key
        self.hexes: frozenset[str] | None = None
        self.places: tuple[_Place, ...] | None = None


class _Kept:
    """What is known of a ground: a number for each stance that was met, and the answers by two numbers."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.stances: list[Stance] = []
        self.numbers: dict[Stance, int] = {}
        self.by_unit: dict[tuple[str, str, bool, bool], int] = {}
        self.by_hex: dict[str, int] = {}
        self.answers: dict[tuple[int, int], _Answer] = {}
        counters = ground.figures.counter
        #: The works that degrade as wrecks do: roadblocks.
        self.low_works = {name for name, c in counters.items() if c.fortification and c.los == "degrade"}
        # Fallen structures change few lines; the others are taken from the map as it was.
        self.whole: _Kept | None = None
        if ground.rubble:
            self.whole = _kept(ground_of(ground.field, ground.figures, ground.urban, frozenset()))

    def number(self, stance: Stance) -> int:
        """The number of a stance."""
        known = self.numbers.get(stance)
        if known is None:
            known = self.numbers[stance] = len(self.stances)
            self.stances.append(stance)
        return known

    def of_unit(self, battle: OstBattle, unit: Unit) -> int:
        """The stance of a unit, by its number."""
        key = (unit.kind, unit.hex, unit.on_road, not unit.aboard)
        known = self.by_unit.get(key)
        if known is None:
            known = self.by_unit[key] = self.number(stance_of(self.ground, battle, unit))
        return known

    def of_hex(self, hex: str) -> int:
        """The stance of a foot unit in a hex, by its number."""
        known = self.by_hex.get(hex)
        if known is None:
            known = self.by_hex[hex] = self.number(self.ground.default_stance(hex))
        return known

    def answer(self, a: int, b: int) -> _Answer:
        """The sight between two stances, worked out when first asked for."""
        viewer, target = self.stances[a], self.stances[b]
        found = self._whole_answer(viewer, target) or _Answer(look(self.ground, viewer, target), (viewer, target))
        if len(self.answers) >= KEEP:
            self.answers.clear()
        self.answers[a, b] = found
        return found

    def _whole_answer(self, viewer: Stance, target: Stance) -> _Answer | None:
        whole = self.whole
        if whole is None or viewer.kind in ROAD_STANCES or target.kind in ROAD_STANCES:
            return None
        rubble = self.ground.rubble
        if viewer.hex in rubble or target.hex in rubble:
            return None
        a, b = whole.number(viewer), whole.number(target)
        found = whole.answers.get((a, b)) or whole.answer(a, b)
        # A wall between row houses stands as high as they do, so a neighbour's fall matters.
        near = any(hex in rubble for step in found.sight.crossed for hex in step) or any(
            hex in rubble for side in self.ground.walls for hex in side
        )
        return None if near else found
