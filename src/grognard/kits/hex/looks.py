"""Looks that are kept: who sees whom over the ground of a map, by how each end stands, and what lies on the line now.

Most questions are about the same few stances on ground that hardly ever changes, so an answer is kept for good and
shared by all battles on a map. Smoke and the like are a thin layer: only clear lines that cross it are looked along
again. A game says what a stance is (a hex and a height, the middle of a hexside), how one looks, and what may lie on a
line; its plain rule stays the only place that knows what blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from grognard.board.hex.grid import HexGrid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Whether one stance sees another over the bare ground, as a byte that is kept for good: SEEN, and one more for each
#: time that the line is degraded.
UNKNOWN, UNSEEN, SEEN = range(3)
#: The verdict on a pair of hexes without sight; otherwise it is the number of degradations.
BLOCKED = -1


class Clear(Protocol):
    """What a look tells, whatever else it tells: whether there is sight."""

    @property
    def clear(self) -> bool: ...


class InHex(Hashable, Protocol):
    """One end of a line, which is in a hex or on the side of one."""

    @property
    def hex(self) -> str: ...


E = TypeVar("E", bound=InHex)
V = TypeVar("V", bound=Clear)
#: What says what lies on the map now, and what of it lies on a line.
N = TypeVar("N")
T = TypeVar("T", bound=Hashable)


class Answer(Generic[V, T]):
    """A kept sight; all hexes that its lines cross; and what things on these have made of it."""

    __slots__ = ("hexes", "obscured", "sight")

    def __init__(self, sight: V) -> None:
        self.sight = sight
        self.hexes: frozenset[str] | None = None
        self.obscured: dict[T, V] = {}


class Looks(ABC, Generic[E, V, N, T]):
    """What is known of a ground: a number for each stance that was met, and the answers by two numbers.

    Where the ground has ``changed`` in some hexes, the looks on it as it was ``before`` serve for all lines on which
    none of these lies.
    """

    #: Beyond this many kept answers a ground forgets them all: memory is worth more than the rest.
    keep = 6_000
    #: Likewise for what things have made of one answer.
    keep_obscured = 8
    #: Whether by the game's rules who is seen sees: then one look tells it for both.
    mutual = False

    def __init__(self, changed: frozenset[str] = frozenset(), before: Looks[E, V, N, T] | None = None) -> None:
        self.changed, self.before = changed, before
        self.stances: list[E] = []
        self.numbers: dict[E, int] = {}
        self.answers: dict[tuple[int, int], Answer[V, T]] = {}
        #: For each stance as viewer, a byte for each as target.
        self.verdicts: list[bytearray] = []

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def look(self, viewer: E, target: E, things: T | None = None) -> V:
        """The plain rule: the sight between two stances, over the bare ground or through things on the line.

        Where the ground alone blocks, things change nothing of what is told.
        """

    @abstractmethod
    def between(self, viewer: E, target: E) -> Iterable[str]:
        """All hexes that lines between two stances cross."""

    @abstractmethod
    def lying(self, now: N, hexes: frozenset[str]) -> T | None:
        """What lies in some hexes now that could matter to sight, None for nothing."""

    def degradations(self, sight: V) -> int:
        """How often a clear sight is degraded; a game without degradations has none."""
        return 0

    # -- answers -----------------------------------------------------------------------------------------

    def number(self, stance: E) -> int:
        """The number of a stance."""
        known = self.numbers.get(stance)
        if known is None:
            known = self.numbers[stance] = len(self.stances)
            self.stances.append(stance)
            self.verdicts.append(bytearray())
        return known

    def ask(self, a: int, b: int, now: N | None = None) -> V:
        """The sight between two stances: as things are now, or over the bare ground."""
        answer = self.answers.get((a, b)) or self.answer(a, b)
        # What the ground blocks nothing opens.
        if now is not None and answer.sight.clear:
            return self._through(answer, now, a, b)
        return answer.sight

    def verdict(self, a: int, b: int) -> int:
        """Whether one stance sees another over the bare ground: UNSEEN, or SEEN and what degrades it."""
        row = self._row(a, b)
        if row[b] == UNKNOWN:
            answer = self.answers.get((a, b)) or self.answer(a, b)
            row[b] = SEEN + self.degradations(answer.sight) if answer.sight.clear else UNSEEN
            if self.mutual:
                self._row(b, a)[a] = row[b]
        return row[b]

    def _row(self, viewer: int, target: int) -> bytearray:
        """What a stance sees, long enough to tell of another."""
        row = self.verdicts[viewer]
        if len(row) <= target:
            row.extend(bytes(len(self.stances) - len(row)))
        return row

    def answer(self, a: int, b: int) -> Answer[V, T]:
        """The sight between two stances over the bare ground, worked out when first asked for."""
        viewer, target = self.stances[a], self.stances[b]
        found = self._as_before(viewer, target) or Answer(self.look(viewer, target))
        if len(self.answers) >= self.keep:
            self.answers.clear()
        self.answers[a, b] = found
        return found

    def _as_before(self, viewer: E, target: E) -> Answer[V, T] | None:
        """The answer before anything changed, for lines on which nothing did."""
        before, changed = self.before, self.changed
        if before is None or viewer.hex in changed or target.hex in changed:
            return None
        a, b = before.number(viewer), before.number(target)
        found = before.answers.get((a, b)) or before.answer(a, b)
        return found if before.crossed(found, a, b).isdisjoint(changed) else None

    def crossed(self, answer: Answer[V, T], a: int, b: int) -> frozenset[str]:
        """All hexes between the ends, those of every line where there are several."""
        if answer.hexes is None:
            answer.hexes = frozenset(self.between(self.stances[a], self.stances[b]))
        return answer.hexes

    def _through(self, answer: Answer[V, T], now: N, a: int, b: int) -> V:
        things = self.lying(now, answer.hexes if answer.hexes is not None else self.crossed(answer, a, b))
        if things is None:
            return answer.sight
        found = answer.obscured.get(things)
        if found is None:
            if len(answer.obscured) >= self.keep_obscured:
                answer.obscured.clear()
            found = answer.obscured[things] = self.look(self.stances[a], self.stances[b], things)
        return found


class Pairs:
    """The verdict for every pair of hexes of a map at once: ``verdict[i, j]`` by their places in grid order."""

    def __init__(self, grid: HexGrid, verdict: NDArray[np.int8]) -> None:
        self.grid, self.verdict = grid, verdict

    def clear(self, a: str, b: str) -> bool:
        """Whether there is sight between two hexes."""
        return bool(self.verdict[self.grid.index[a], self.grid.index[b]] >= 0)

    def degradations(self, a: str, b: str) -> int:
        """How often the line between two hexes is degraded; BLOCKED where there is none."""
        return int(self.verdict[self.grid.index[a], self.grid.index[b]])

    def seen_from(self, hex: str) -> dict[str, int]:
        """The hexes in sight of one, in grid order, each with how often the line to it is degraded."""
        row = self.verdict[self.grid.index[hex]]
        return {other: verdict for other, verdict in zip(self.grid.hexes, row.tolist()) if verdict >= 0}
