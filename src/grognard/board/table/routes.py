"""Where to go within reach: as far from somebody or as near to somebody as can be, and the way in steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import shapely

from grognard.board.table.bodies import DISC, Body, gaps, shape
from grognard.board.table.drive import Drive, End
from grognard.board.table.reach import Point, Reach
from grognard.board.table.visibility import Floats

#: Places that are looked at first lie this far apart, in hundredths, on the edge of a region and within it.
_EDGE, _INSIDE = 20.0, 60.0
#: How many of the best places are looked at more closely.
_CLOSER = 6
_STRIDES = (16, 8, 4, 2, 1)
_AROUND = np.array([(x, y) for x in range(-2, 3) for y in range(-2, 3)], dtype=float)


def gaps_from(points: Floats, bodies: Sequence[Body]) -> Floats:
    """How far points are from the nearest of some bodies; 0 inside one."""
    nearest = np.full(len(points), np.inf)
    for body in bodies:
        if body.foot.shape == DISC:
            out: Floats = np.hypot(points[:, 0] - body.x, points[:, 1] - body.y) - body.foot.radius
        else:
            out = np.asarray(shapely.distance(shape(body), shapely.points(points)))
        nearest = np.minimum(nearest, np.maximum(out, 0.0))
    return nearest


def away(reach: Reach, bodies: Sequence[Body]) -> tuple[int, int]:
    """The place within reach, in whole hundredths, that is farthest from the nearest of some bodies."""
    return _best(reach, _places(reach), lambda points: gaps_from(points, bodies))


def drive_away(drives: Sequence[Drive], bodies: Sequence[Body]) -> End:
    """Where the hull ends that drives as far from the nearest of some bodies as it can, on any leg of several drives.

    The first drive's own place counts: it stays if nowhere is farther.
    """
    hull = drives[0].body
    best = End(hull.x, hull.y, hull.heading, 0.0, 0)
    top = float(gaps([hull], bodies).min(initial=math.inf))
    for drive in drives:
        ends = [end for end in map(drive.last, drive.courses) if end is not None]
        if ends:
            # A gap is convex along a leg, so the leg's end is its best but for several bodies round about.
            out = gaps([hull.at(end.x, end.y, end.heading) for end in ends], bodies).min(axis=1, initial=math.inf)
            if out.max() > top + 1e-9:
                best, top = ends[int(out.argmax())], float(out.max())
    return best


def toward(reach: Reach, bodies: Sequence[Body], gap: float = 0.0, radius: float = 0.0) -> tuple[int, int]:
    """The place within reach nearest to some bodies that leaves a gap to them.

    ``radius`` is the walker's own size, which the gap is measured from. Where there is no such place it stays.
    """

    def score(points: Floats) -> Floats:
        out = gaps_from(points, bodies) - radius
        return np.where(out >= gap - 1e-6, -out, -np.inf)

    places = [_places(reach)]
    room = shapely.unary_union([shape(body, gap + radius) for body in bodies])
    open_ = shapely.difference(reach.polygon, room)
    if not open_.is_empty:
        places.append(shapely.get_coordinates(shapely.shortest_line(open_, room))[:1])
    return _best(reach, np.concatenate(places), score)


def steps(path: Sequence[Point], size: float) -> list[Point]:
    """A way cut into steps of a length, the last one shorter: where each step ends, the start left out.

    >>> steps([(0, 0), (150, 0), (150, 100)], 100)
    [(100.0, 0.0), (150.0, 50.0), (150.0, 100.0)]
    """
    found: list[Point] = []
    left = size
    for (x0, y0), (x1, y1) in pairwise(path):
        length, done = math.hypot(x1 - x0, y1 - y0), 0.0
        while length - done >= left - 1e-9 and length > 0:
            done += left
            found.append((x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length))
            left = size
        left -= length - done
    if len(path) > 1 and (not found or math.dist(found[-1], path[-1]) > 1e-6):
        found.append((float(path[-1][0]), float(path[-1][1])))
    return found


def long(path: Sequence[Point]) -> float:
    """The length of a path.

    >>> long([(0, 0), (300, 0), (300, 400)])
    700.0
    """
    return float(sum(math.dist(a, b) for a, b in pairwise(path)))


def along(path: Sequence[Point], far: float) -> tuple[int, int]:
    """The point so far along a path, in whole hundredths; beyond its end, the end.

    >>> along([(0, 0), (300, 0), (300, 400)], 400)
    (300, 100)
    """
    for a, b in pairwise(path):
        part = math.dist(a, b)
        if far < part:
            return round(a[0] + (b[0] - a[0]) * far / part), round(a[1] + (b[1] - a[1]) * far / part)
        far -= part
    return round(path[-1][0]), round(path[-1][1])


def moments(gone: float, far: float, size: float) -> list[float]:
    """How far along a leg every whole stride of a move comes, its end left out; ``gone`` is what went before.

    >>> moments(0, 250, 100), moments(90, 90, 100), moments(100, 50, 100)
    ([100.0, 200.0], [10.0], [0.0])
    """
    first = math.ceil(gone / size - 0.001) if gone else 1
    found = []
    while first * size - gone < far - 0.1:
        found.append(max(0.0, float(first * size - gone)))
        first += 1
    return found


def strides(
    paths: Mapping[str, Sequence[Point]], size: float, gone: float = 0.0
) -> Iterator[tuple[float, dict[str, tuple[int, int]]]]:
    """Models on their paths, all arriving together: after every stride of the longest path how far it has come, and
    where each of them is. What reacts to a move may do so at any of these points; the last is the end.

    >>> for far, where in strides({"a": [(0, 0), (250, 0)], "b": [(0, 90), (125, 90)]}, 100):
    ...     print(far, where)
    100.0 {'a': (100, 0), 'b': (50, 90)}
    200.0 {'a': (200, 0), 'b': (100, 90)}
    250.0 {'a': (250, 0), 'b': (125, 90)}
    """
    lengths = {model: long(path) for model, path in paths.items()}
    far = max(lengths.values(), default=0.0)
    for at in moments(gone, far, size):
        yield at, {model: along(path, lengths[model] * at / far) for model, path in paths.items()}
    yield far, {m: (round(path[-1][0]), round(path[-1][1])) for m, path in paths.items()}


def _places(reach: Reach) -> Floats:
    """Places all over a region and along its edge, and the start."""
    region, start = reach.polygon, np.array([reach.start], dtype=float)
    if region.is_empty:
        return start
    edge = shapely.get_coordinates(shapely.segmentize(region, _EDGE))
    x0, y0, x1, y1 = region.bounds
    grid = np.stack(np.meshgrid(np.arange(x0, x1, _INSIDE), np.arange(y0, y1, _INSIDE)), axis=-1).reshape(-1, 2)
    shapely.prepare(region)
    return np.concatenate([start, edge, grid[shapely.contains_xy(region, grid)]])


def _best(reach: Reach, places: Floats, score: Callable[[Floats], Floats]) -> tuple[int, int]:
    """The whole hundredths within reach with the best score, climbing from the best of some places."""
    best = np.array(reach.start, dtype=float)
    top = float(score(best[None, :])[0])
    order = np.argsort(-score(places), kind="stable")
    tops: list[Floats] = []
    for place in places[order]:
        # The closest neighbours of the best place would only climb to the same one.
        if all(np.hypot(*(place - other)) > 2 * _EDGE for other in tops):
            tops.append(place)
            if len(tops) == _CLOSER:
                break
    for place in tops:
        at, value = np.round(place), -np.inf
        for stride in _STRIDES:
            for _ in range(12):
                around = at + _AROUND * stride
                around = around[reach.contains_many(around)]
                scores = score(around)
                if not len(around) or scores.max() <= value + 1e-9:
                    break
                at, value = around[scores.argmax()], float(scores.max())
        if value > top + 1e-9:
            best, top = at, value
    return int(best[0]), int(best[1])
