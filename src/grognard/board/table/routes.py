"""Where to go within reach: as far from somebody or as near to something as can be, and the way in steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import DISC, RECT, Body, Point, gap_to_shape, gaps, shape
from grognard.board.table.drive import Drive, End
from grognard.board.table.formations import turns
from grognard.board.table.reach import Reach
from grognard.board.table.visibility import Floats
from grognard.core.poses import Pose

if TYPE_CHECKING:  # areas are made of ways, which use this module
    from grognard.board.table.placement import FormationArea

#: Places that are looked at first lie this far apart, in hundredths, on the edge of a region and within it.
_EDGE, _INSIDE = 20.0, 60.0
#: How many of the best places are looked at more closely.
_CLOSER = 6
_STRIDES = (16, 8, 4, 2, 1)
#: Poses of a unit that are so much alike in distance count as equally good, in hundredths.
ALIKE = 1.0
#: The headings in which the forms of a unit are tried.
HEADINGS = tuple(range(0, 360, 45))
#: How many corners of a region are looked at closely.
_CORNERS = 12
#: How far inward from a corner a legal pose is looked for, as parts of the way to the middle.
_INWARD = (0.0, 0.002, 0.005, 0.01, 0.02, 0.05)
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


# ---- poses of a unit ---------------------------------------------------------------------------------------


def poses_away(
    area: FormationArea, bodies: Sequence[Body], *, most: int | None = 4, roughly: bool = False
) -> list[Pose]:
    """The poses that end farthest from some bodies, those that come to the same; [] if the unit cannot get away at all.

    Every form is tried, in headings all round, until one gets away as far as a straight run can take the nearest model.
    Those less than an inch apart are one choice. ``roughly`` is content with the first that gets away.
    """
    now = float(gaps(area.known, bodies).min())
    farthest = now + max(ways.far for ways in area.ways)
    scored: list[tuple[float, Pose]] = []
    best = now + 2 * ALIKE
    for form in area.names:
        for heading in _headings(area, form):
            for gap, pose in _far_ends(area, form, heading, bodies, best - ALIKE):
                scored.append((gap, pose))
                best = max(best, gap)
            if scored and roughly:
                return [scored[0][1]]
        if best >= farthest - ALIKE:
            break
    return _told_apart(area, [(-gap, pose) for gap, pose in scored], -best, most)


def poses_toward(area: FormationArea, goal: BaseGeometry, *, most: int | None = 4) -> list[Pose]:
    """The poses that bring the nearest model closest to a goal, those that come to the same; [] if none comes closer.

    The goal is any shape: a point, an edge of the table, somebody's base. Every form is tried, in headings all round,
    until one comes as close as a straight run can take a model. Those less than an inch apart are one choice.
    """
    now = min(gap_to_shape(body, goal) for body in area.known)
    nearest = max(0.0, now - max(ways.far for ways in area.ways))
    scored: list[tuple[float, Pose]] = []
    best = now - 2 * ALIKE
    for form in area.names:
        for heading in _headings(area, form):
            for gap, pose in _near_ends(area, form, heading, goal):
                if gap <= best + ALIKE:
                    scored.append((gap, pose))
                    best = min(best, gap)
        if best <= nearest + ALIKE:
            break
    return _told_apart(area, scored, best, most)


def _headings(area: FormationArea, form: str) -> tuple[int, ...]:
    """The headings in which a form is worth a try."""
    known = [area.known[number] for number in area.party]
    if all(body.foot.shape == DISC for body in known):
        # What stands in a form of round bases stands the same turned right round.
        return HEADINGS[:4] if turns(form, known) else (0,)
    return HEADINGS


def _told_apart(area: FormationArea, scored: Sequence[tuple[float, Pose]], best: float, most: int | None) -> list[Pose]:
    """The best of some poses with their scores, the lowest first: those that come to the same and lie apart."""
    inch = area.ways[0].grounds[0].table.inch
    found: list[Pose] = []
    for score, pose in sorted(scored):
        if score <= best + ALIKE and all(math.dist(pose[:2], other[:2]) >= inch for other in found):
            found.append(pose)
    return found[:most]


def _far_ends(
    area: FormationArea, form: str, heading: int, enemy: Sequence[Body], least: float
) -> Iterator[tuple[float, Pose]]:
    """The legal poses of a form at the far ends of an area that are at least so far from bodies, each with how far.

    The farthest come first, and none that are nearer than one that was found.
    """
    known = [area.known[number] for number in area.party]
    offsets = np.array(area.offsets(form, heading), dtype=np.float64)
    # Taken as round, a base is up to this much larger than it is.
    slack = max(_roundness(body) for body in known) + max(_roundness(foe) for foe in enemy)
    foes = np.array([(foe.x, foe.y) for foe in enemy], dtype=np.float64)
    sizes = np.array([b.foot.farthest for b in known])[None, :, None] + np.array([f.foot.farthest for f in enemy])
    for region in area.regions(form, heading):
        if region.is_empty:
            continue
        points = shapely.get_coordinates(region)
        ends = points[:, None, :] + offsets[None]
        apart = np.hypot(ends[:, :, None, 0] - foes[None, None, :, 0], ends[:, :, None, 1] - foes[None, None, :, 1])
        out = (apart - sizes).min(axis=(1, 2))
        for i in np.argsort(-out, kind="stable")[:_CORNERS]:
            if out[i] + slack < least:
                break
            pose = _inward(area, points[i], region, form, heading)
            if pose is None:
                continue
            stand = area.stand(pose, area.ends(pose))
            gap = float(gaps([stand[number] for number in area.party], enemy).min())
            if gap >= least:
                least = max(least, gap - ALIKE)
                yield gap, pose


def _near_ends(area: FormationArea, form: str, heading: int, goal: BaseGeometry) -> Iterator[tuple[float, Pose]]:
    """The legal poses of a form that bring each of its models as close to a goal as it comes, each with how close."""
    for region in area.regions(form, heading):
        if region.is_empty:
            continue
        for x, y in area.offsets(form, heading):
            near = shapely.get_coordinates(shapely.shortest_line(region, affinity.translate(goal, -x, -y)))[0]
            pose = _inward(area, near, region, form, heading)
            if pose is not None:
                stand = area.stand(pose, area.ends(pose))
                yield min(gap_to_shape(stand[number], goal) for number in area.party), pose


def _roundness(body: Body) -> float:
    """How much farther from its centre a base goes one way than another."""
    foot = body.foot
    return foot.farthest - (foot.width / 2 if foot.shape == RECT else foot.radius)


def _inward(area: FormationArea, point: Floats, region: BaseGeometry, form: str, heading: int) -> Pose | None:
    """The legal pose at, or a little inside, a point of the region's edge."""
    middle = region.representative_point()
    for part in _INWARD:
        x = round(point[0] + (middle.x - point[0]) * part)
        y = round(point[1] + (middle.y - point[1]) * part)
        pose = Pose(x, y, heading, form)
        if area.allows(pose):
            return pose
    return None


# ---- steps -------------------------------------------------------------------------------------------------


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
