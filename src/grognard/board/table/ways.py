"""How the models of a unit go: from where, over which ground and how far, each by its own way.

`Ways` is one manner of making a move. A unit may have several, such as one for every door of the house that it is in.
`Paced` lets each model choose among paces for its whole move, such as along a road or across country. `Placed` is one
without a path: models are set down anywhere within a region, such as around a transport.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.bodies import Place
from grognard.board.table.footing import Footing
from grognard.board.table.places import exactly
from grognard.board.table.reach import Reach, Reaches
from grognard.board.table.routes import long
from grognard.core.ask import Bar

Floats = NDArray[np.float64]
#: Where a model goes, corner by corner.
Path = list[Place]

#: How long a move may be over its limit: what rounding to hundredths may cost.
SLACK = 0.01
#: How many ends and bends are looked at for a way round something to a door.
MOST_ENDS, MOST_BENDS = 4, 24


class Ways:
    """From where each model goes, over which ground, and how far; models are numbered in their unit's order.

    ``far`` is one distance for all or one for each; as an attribute it is the greatest of them.
    A game that makes a class of its own from it says which rule limits a move.
    """

    rule = ""

    def __init__(self, starts: Sequence[Place], grounds: Sequence[Footing], far: float | Sequence[float]) -> None:
        self.starts: Floats = np.array(starts, dtype=np.float64).reshape(-1, 2)
        self.grounds = list(grounds)
        self.fars = [far] * len(self.grounds) if isinstance(far, (int, float)) else list(far)
        self.far = far if isinstance(far, (int, float)) else max(self.fars, default=0.0)
        self._limits = np.array(self.fars, dtype=np.float64)
        self._reaches: dict[Any, Any] = {}

    def reach(self, number: int) -> Any:
        """Where a model can get to."""
        x, y = self.starts[number]
        ground, far = self.grounds[number], self.fars[number]
        key = (x, y, id(ground), far)
        if key not in self._reaches:
            self._reaches[key] = Reach(ground.obstacles, (float(x), float(y)), far, no_end=ground.no_end)
        return self._reaches[key]

    def straight(self, numbers: Sequence[int], ends: Floats, *, stop: bool = True) -> NDArray[np.bool_]:
        """Which models can go straight to their ends; the others may find a way round or not.

        Without ``stop`` it does not matter whether they may stop there.
        """
        starts, limits = self.starts[list(numbers)], self._limits[list(numbers)]
        far: NDArray[np.bool_] = np.hypot(*(ends - starts).T) <= limits + SLACK
        kinds = [self.grounds[number] for number in numbers]
        first = kinds[0]
        if all(kind is first for kind in kinds):
            return first.clear(starts, ends, stop=stop) & far if far.any() else far
        for kind in {id(kind): kind for kind in kinds}.values():
            mine = [i for i, k in enumerate(kinds) if k is kind]
            far[mine] &= kind.clear(starts[mine], ends[mine], stop=stop)
        return far

    def missed(self, numbers: Sequence[int], ends: Sequence[Place]) -> Iterator[int]:
        """The models, of those named, that cannot get to their ends: as places in the list, found one by one."""
        points = np.array(ends, dtype=np.float64).reshape(-1, 2)
        if len(points):
            for i in np.flatnonzero(~self.straight(numbers, points)).tolist():
                if not self.reach(numbers[i]).contains(*ends[i]):
                    yield i

    def can_all(self, numbers: Sequence[int], ends: Sequence[Place]) -> bool:
        """Whether all the models named can get to their ends: the first that cannot is enough to say no."""
        return next(self.missed(numbers, ends), None) is None

    def can(self, number: int, end: Place) -> bool:
        """Whether a model can get to a place."""
        return self.can_all([number], [end])

    def path(self, number: int, end: Place, *, stop: bool = True) -> Path:
        """The shortest way of a model to a place, from where it stands to the place itself."""
        start = (round(self.starts[number][0]), round(self.starts[number][1]))
        if self.straight([number], np.array([end], dtype=np.float64), stop=stop)[0]:
            return [start, end]
        reach = self.reach(number)
        if not stop and reach.no_end is not None:
            reach = Reach(self.grounds[number].obstacles, reach.start, self.fars[number])
        found = reach.path(*end)
        if found is None:
            return [start, end]
        return [start, *((round(x), round(y)) for x, y in found[1:-1]), end]

    def way_to(self, number: int, ends: Floats) -> Path | None:
        """The shortest way of a model to any of some points, whether it may stop there or not.

        It goes straight or bends once or twice, at corners of what is in the way; None if there is no such way.
        """
        x, y = self.starts[number]
        start = np.array([[x, y]])
        apart = np.hypot(ends[:, 0] - x, ends[:, 1] - y)
        near = np.argsort(apart, kind="stable")
        near = near[apart[near] <= self.fars[number] + SLACK]
        if not len(near):
            return None
        ground, here = self.grounds[number], (round(x), round(y))
        free = ground.clear(np.repeat(start, len(near), axis=0), ends[near], stop=False)
        if free.any():
            end = ends[near[int(free.argmax())]]
            return [here, (round(end[0]), round(end[1]))]
        bends = self._round(number, ends[near])
        return None if bends is None else [here, *((round(px), round(py)) for px, py in bends)]

    def _round(self, number: int, ends: Floats) -> Floats | None:
        """The shortest way to any of some points that bends once or twice: its bends and its end."""
        ground, start, far = self.grounds[number], self.starts[number], self.fars[number]
        there = np.hypot(*(ground.corners - start).T)
        on = np.hypot(*(ground.corners[:, None] - ends[None]).transpose(2, 0, 1))
        total = there + on.min(axis=1)
        chosen = np.argsort(total, kind="stable")[:MOST_BENDS]
        chosen = chosen[total[chosen] <= far + SLACK]
        if not len(chosen):
            return None
        corners, there = ground.corners[chosen], there[chosen]
        count = len(corners)
        # From each corner only its nearest ends are looked at.
        nearest = np.argsort(on[chosen], axis=1)[:, :MOST_ENDS]
        on = np.take_along_axis(on[chosen], nearest, axis=1)
        first = np.where(ground.clear(np.repeat(start[None], count, axis=0), corners, stop=False), there, np.inf)
        begin, finish = np.repeat(corners, nearest.shape[1], axis=0), ends[nearest].reshape(-1, 2)
        last = np.where(ground.clear(begin, finish, stop=False).reshape(count, -1), on, np.inf)
        if not np.isfinite(first).any() or not np.isfinite(last).any():
            return None
        once = first[:, None] + last
        if once.min() <= far + SLACK:
            bend, end = np.unravel_index(int(once.argmin()), once.shape)
            return np.array([corners[bend], ends[nearest[bend, end]]])
        one, two = np.flatnonzero(np.isfinite(first)), np.flatnonzero(np.isfinite(last.min(axis=1)))
        begin, finish = np.repeat(corners[one], len(two), axis=0), np.tile(corners[two], (len(one), 1))
        free = ground.clear(begin, finish, stop=False).reshape(len(one), len(two))
        middle = np.hypot(*(corners[one][:, None] - corners[two][None]).transpose(2, 0, 1))
        twice = np.where(free, first[one][:, None] + middle + last[two].min(axis=1)[None], np.inf)
        if twice.min() > far + SLACK:
            return None
        a, b = np.unravel_index(int(twice.argmin()), twice.shape)
        return np.array([corners[one[a]], corners[two[b]], ends[nearest[two[b], int(last[two[b]].argmin())]]])

    def why_not(self, number: int, end: Place) -> Bar:
        """Why a model cannot get to a place."""
        ground, start = self.grounds[number], self.starts[number]
        if bar := ground.why_not_here(*end):
            return bar
        straight = float(np.hypot(end[0] - start[0], end[1] - start[1]))
        limit = self.say(self.fars[number])
        if straight > self.fars[number] + SLACK:
            return Bar(self.rule, f"it is {self.say(straight)} away, but the move is at most {limit}")
        if across := ground.why_not_across(start, end):
            return Bar(across.rule, f"{across.reason}, and there is no way round within {limit}", across.source)
        return Bar(self.rule, f"there is no way there within {limit}")

    def limit(self, number: int, end: Place) -> float:
        """How far a model may go on its way to a place."""
        return self.fars[number]

    def say(self, far: float) -> str:
        """A distance as people say it."""
        return exactly(far, self.grounds[0].table.measure)


class Pace(NamedTuple):
    """One way for a model to make its whole move: what people call it, the ground that is open to it, and how far."""

    name: str
    ground: Footing
    far: float


class Paced(Ways):
    """Models that each choose one of their paces for the whole move: along the road, across country, over bad going.

    A model takes the pace that leads where it wants to go by the shortest way; of equals the first in its list.
    """

    def __init__(self, starts: Sequence[Place], paces: Sequence[Sequence[Pace]]) -> None:
        self.paces = [list(each) for each in paces]
        super().__init__(starts, [each[0].ground for each in self.paces], [max(p.far for p in each) for each in paces])
        # One Ways for each place in the lists; the last pace of a shorter list stands in for what it lacks.
        deep = max((len(each) for each in self.paces), default=0)
        rows = [[each[min(k, len(each) - 1)] for each in self.paces] for k in range(deep)]
        self.gaits = [Ways(starts, [p.ground for p in row], [p.far for p in row]) for row in rows]
        for gait in self.gaits:
            gait.rule, gait._reaches = self.rule, self._reaches

    @classmethod
    def of(cls, ways: Mapping[str, Ways]) -> Paced:
        """Several ways of the same models from the same starts as paces, by what they are called."""
        rows = [
            [Pace(name, one.grounds[n], one.fars[n]) for n in range(len(one.grounds))] for name, one in ways.items()
        ]
        starts = [(round(x), round(y)) for x, y in next(iter(ways.values())).starts]
        return cls(starts, list(zip(*rows)))

    def reach(self, number: int) -> Any:
        """Where a model can get to at any of its paces."""
        parts = [gait.reach(number) for gait in self.gaits[: len(self.paces[number])]]
        return parts[0] if len(parts) == 1 else Reaches(parts)

    def straight(self, numbers: Sequence[int], ends: Floats, *, stop: bool = True) -> NDArray[np.bool_]:
        """Which models can go straight to their ends at one of their paces."""
        return np.asarray(np.logical_or.reduce([gait.straight(numbers, ends, stop=stop) for gait in self.gaits]))

    def _gait(self, number: int, end: Place) -> int | None:
        """The number of the pace at which a model goes to a place."""
        can = [k for k in range(len(self.paces[number])) if self.gaits[k].can(number, end)]
        if len(can) < 2:
            return can[0] if can else None
        return min(can, key=lambda k: float(self.gaits[k].reach(number).length(*end)))

    def pace(self, number: int, end: Place) -> Pace | None:
        """The pace at which a model goes to a place; None if it cannot get there."""
        k = self._gait(number, end)
        return None if k is None else self.paces[number][k]

    def path(self, number: int, end: Place, *, stop: bool = True) -> Path:
        """The shortest way of a model to a place, at the pace that it takes there."""
        k = self._gait(number, end)
        if k is None:
            lengths = [float(gait.reach(number).length(*end)) for gait in self.gaits]
            k = lengths.index(min(lengths))
        return self.gaits[k].path(number, end, stop=stop)

    def way_to(self, number: int, ends: Floats) -> Path | None:
        """The shortest way of a model to any of some points, at any pace; None if there is none."""
        found = [path for gait in self.gaits if (path := gait.way_to(number, ends)) is not None]
        return min(found, key=long, default=None)

    def limit(self, number: int, end: Place) -> float:
        """How far a model may go on its way to a place."""
        pace = self.pace(number, end)
        return self.fars[number] if pace is None else pace.far

    def why_not(self, number: int, end: Place) -> Bar:
        """Why a model cannot get to a place at any of its paces: what stops it at the one that comes nearest."""
        straight = float(np.hypot(*(np.array(end) - self.starts[number])))

        def falls_short(k: int) -> tuple[bool, float]:
            pace = self.paces[number][k]
            return pace.ground.why_not_here(*end) is not None, max(0.0, straight - pace.far)

        several = len(self.paces[number]) > 1
        k = min(range(len(self.paces[number])), key=falls_short)
        bar, name = self.gaits[k].why_not(number, end), self.paces[number][k].name
        return Bar(bar.rule, f"{bar.reason} ({name})" if several else bar.reason, bar.source)


class Zone:
    """A region in which models are set down without a path, as `reach.common` takes it."""

    def __init__(self, polygon: Any) -> None:
        self.polygon = polygon
        shapely.prepare(polygon)

    def contains(self, x: float, y: float) -> bool:
        """Whether a model may be set down at a point."""
        return bool(shapely.intersects_xy(self.polygon, x, y))

    def contains_many(self, points: Floats) -> NDArray[np.bool_]:
        """Which of many points a model may be set down at."""
        found: NDArray[np.bool_] = shapely.intersects_xy(self.polygon, points[:, 0], points[:, 1])
        return found


class Placed(Ways):
    """Models that are set down within a region: each has the zone of its size, and one bar for what is outside."""

    def __init__(
        self, source: Any, zones: Sequence[Zone], grounds: Sequence[Footing], far: float, outside: Bar
    ) -> None:
        middle = source.centroid
        super().__init__([(round(middle.x), round(middle.y))] * len(zones), grounds, far)
        self.source, self.zones, self.outside = source, list(zones), outside

    def reach(self, number: int) -> Any:
        """Where a model may be set down."""
        return self.zones[number]

    def straight(self, numbers: Sequence[int], ends: Floats, *, stop: bool = True) -> NDArray[np.bool_]:
        """Which models may be set down at their ends."""
        return np.array([self.zones[n].contains(x, y) for n, (x, y) in zip(numbers, ends)], dtype=np.bool_)

    def missed(self, numbers: Sequence[int], ends: Sequence[Place]) -> Iterator[int]:
        """The models, of those named, that may not be set down at their ends: as places in the list."""
        return (i for i, (n, end) in enumerate(zip(numbers, ends)) if not self.zones[n].contains(*end))

    def path(self, number: int, end: Place, *, stop: bool = True) -> Path:
        """From the nearest point of where they come from to the place."""
        near = shapely.shortest_line(self.source, shapely.Point(end)).coords[0]
        return [(round(near[0]), round(near[1])), end]

    def why_not(self, number: int, end: Place) -> Bar:
        """Why a model may not be set down at a place."""
        return self.grounds[number].why_not_here(*end) or self.outside
