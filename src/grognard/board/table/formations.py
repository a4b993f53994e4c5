"""Formations: how the models of a unit stand about its pose, and whether they keep together.

A unit is any number of round bases, a gun (a rectangle) with its crew about it, a single vehicle, or stands: two or
more rectangles, each of which turns as it goes. Spacing is the gap between neighbours' bases: while it is no more than
the reach of the game's rule of cohesion, every form keeps it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from grognard.board.table import stands
from grognard.board.table.bodies import HAIR, RECT, SLACK, Body, Place, Point, gaps, separations, sum_of, turned
from grognard.board.table.sharing import shared_out, side_by_side
from grognard.board.table.stands import ABREAST

AS_THEY_STAND, LINE, COLUMN, CLUSTER, WALL, WEDGE = "as_they_stand", "line", "column", "cluster", "wall", "wedge"
FORMS = (AS_THEY_STAND, LINE, COLUMN, CLUSTER, WALL, WEDGE)
#: The forms whose places are found about their middle.
_LAID_OUT = (LINE, COLUMN, CLUSTER, WEDGE)

#: What rounding to hundredths may take from a gap or add to it.
_ROUNDING = 2
#: The gap between a wall and those who stand at it.
STAND_OFF = 10

Offset = tuple[float, float]


# ---- keeping together --------------------------------------------------------------------------------------


def pieces(bodies: Sequence[Body], reach: int) -> list[list[int]]:
    """The groups that a unit falls into when neighbours must be within reach; the group of the first comes first."""
    if not bodies:
        return []
    near = (gaps(bodies, bodies) <= reach + HAIR).tolist()
    left, found = list(range(len(bodies))), []
    while left:
        group, edge = [left[0]], [left.pop(0)]
        while edge:
            here = edge.pop()
            for other in [i for i in left if near[here][i]]:
                left.remove(other)
                group.append(other)
                edge.append(other)
        found.append(sorted(group))
    return found


def chained(bodies: Sequence[Body], reach: int) -> bool:
    """Whether every model is joined to every other by a chain of gaps within reach."""
    return len(pieces(bodies, reach)) <= 1


def clear(bodies: Sequence[Body]) -> bool:
    """Whether no base of these lies in another."""
    if len(bodies) < 2:
        return True
    apart = separations(bodies, bodies)
    return not bool((apart[np.triu_indices(len(bodies), 1)] < -SLACK).any())


def chain_area(others: Sequence[Body], body: Body, reach: int) -> Any:
    """Where one model's centre may be so that the unit keeps together and no base lies in another.

    If the others fall into groups without it, it is where the model joins them all.
    """
    if not others:
        return shapely.Polygon()
    found: Any = None
    for group in pieces(others, reach):
        near = shapely.union_all([sum_of(others[i], body, reach) for i in group])
        found = near if found is None else found.intersection(near)
    # Just outside the true rim, so that whatever is left is free.
    return found.difference(shapely.union_all([sum_of(other, body, 0.2) for other in others]))


# ---- where a unit is ---------------------------------------------------------------------------------------


def are_stands(bodies: Sequence[Body]) -> bool:
    """Whether a unit is made of stands: one rectangle is a gun or a vehicle, two or more are stands."""
    return sum(body.foot.shape == RECT for body in bodies) > 1


def anchor(bodies: Sequence[Body]) -> Place:
    """The point that a unit's pose tells: its one gun or vehicle, else the middle of its models."""
    rects = [body for body in bodies if body.foot.shape == RECT]
    if len(rects) == 1:
        return rects[0].x, rects[0].y
    return _middle([(body.x, body.y) for body in bodies])


def facing(bodies: Sequence[Body]) -> int:
    """The way a unit looks: its first rectangle's, else that of its first model."""
    return next((body.heading for body in bodies if body.foot.shape == RECT), bodies[0].heading)


def _middle(places: Sequence[Place]) -> Place:
    """The middle of some places in whole hundredths, halves always rounded up: so it moves with them exactly."""
    count = len(places)
    across, down = sum(x for x, _ in places), sum(y for _, y in places)
    return (2 * across + count) // (2 * count), (2 * down + count) // (2 * count)


def turns(form: str, bodies: Sequence[Body]) -> bool:
    """Whether a form turns with the heading: men who stay as they are do not, nor do those along a wall."""
    guns = any(body.foot.shape == RECT for body in bodies)
    return form in _LAID_OUT or (guns and len(bodies) > 1)


# ---- the forms ---------------------------------------------------------------------------------------------


def slots(
    form: str,
    bodies: Sequence[Body],
    spacing: int,
    *,
    wall: Sequence[Point] | None = None,
    stand_off: int = STAND_OFF,
) -> list[Place]:
    """Each body's offset from the pose at heading 0, in their order; a wall is given about the pose."""
    return [(round(x), round(y)) for x, y in _slots(form, bodies, spacing, wall, 0, stand_off)]


def lay_out(
    form: str,
    bodies: Sequence[Body],
    pose_x: int,
    pose_y: int,
    heading: int,
    spacing: int,
    *,
    wall: Sequence[Point] | None = None,
    stand_off: int = STAND_OFF,
    pairs: Sequence[tuple[int, int]] = (),
) -> list[Place]:
    """Where each body goes, in their order: they share out the places so that nobody walks farther than need be.

    ``pairs``, by number, stand beside each other, such as a gunner and whoever serves his gun.
    Who takes which place depends on the form and the heading alone, not on the pose's point, so that a layout at the
    origin is every body's offset from any pose. Only along a wall it does not: there the models follow the line.
    """
    about = [(x - pose_x, y - pose_y) for x, y in wall] if wall else None
    found = _slots(form, bodies, spacing, about, heading, stand_off)
    if turns(form, bodies):
        found = [turned(x, y, heading) for x, y in found]
    if form != AS_THEY_STAND and bodies:
        # In a wedge neighbours stand a gap apart, whatever their sizes: only who is of one size may change places.
        found = shared_out(bodies, found, alike=form != WEDGE and _pitch(bodies, _gap(spacing)) is not None)
    places = [(round(x), round(y)) for x, y in found]
    if form != AS_THEY_STAND and pairs:
        places = side_by_side(bodies, places, pairs, spacing)
    rects = sum(body.foot.shape == RECT for body in bodies)
    if places and (rects > 1 or (form in _LAID_OUT and not rects)):
        # The unit's point, when it stands there, is the pose's to the hundredth.
        x0, y0 = _middle(places)
        pose_x, pose_y = pose_x - x0, pose_y - y0
    return [(pose_x + x, pose_y + y) for x, y in places]


def _slots(
    form: str, bodies: Sequence[Body], spacing: int, wall: Sequence[Point] | None, heading: int, stand_off: int
) -> list[Offset]:
    if form not in FORMS:
        raise ValueError(f"no form called {form!r}; there are {', '.join(FORMS)}")
    if not bodies:
        return []
    guns = [i for i, body in enumerate(bodies) if body.foot.shape == RECT]
    if form == AS_THEY_STAND:
        return _as_they_stand(bodies, guns)
    if len(bodies) == 1 and guns:
        return [(0.0, 0.0)]
    gap = _gap(spacing)
    if len(guns) == 1:
        return _about_gun(form, bodies, guns[0], gap)
    if len(guns) > 1 or form == WEDGE:
        return _centred(_STANDS[form](bodies, gap))
    pitch = _pitch(bodies, gap)
    if pitch is None:
        return _row(bodies, gap, upright=form != LINE and form != WALL)
    count = len(bodies)
    if form == WALL and wall is not None and len(wall) > 1:
        return _along(wall, count, max(body.foot.radius for body in bodies), pitch, heading, stand_off)
    if form == CLUSTER:
        return _centred(_cluster(count, pitch))
    ranks = _ranks(count, pitch)
    return _centred([(-y, x) for x, y in ranks] if form == COLUMN else ranks)


#: How stands take a form; along a wall they stand in line.
_STANDS = {LINE: stands.line, COLUMN: stands.column, CLUSTER: stands.block, WALL: stands.line, WEDGE: stands.wedge}


def _gap(spacing: int) -> int:
    """The gap that forms keep: even, so that ranks can stand in each other's gaps, and safe from rounding both ways."""
    return max(_ROUNDING, (spacing - _ROUNDING) // 2 * 2)


def _pitch(bodies: Sequence[Body], gap: int) -> int | None:
    """How far apart places are that have room for the greatest base, so that two small ones keep the gap, too.

    None where there is no such pitch: the bases are too different, or not all round.
    """
    radii = [body.foot.radius for body in bodies]
    tight = gap - 2 * (max(radii) - min(radii))
    if tight < _ROUNDING or any(body.foot.shape == RECT for body in bodies):
        return None
    return 2 * max(radii) + tight


def _as_they_stand(bodies: Sequence[Body], guns: list[int]) -> list[Offset]:
    x, y = anchor(bodies)
    found: list[Offset] = [(float(b.x - x), float(b.y - y)) for b in bodies]
    if guns and len(bodies) > 1:
        # The crew goes round with its gun, and stands with the first of them.
        return [turned(dx, dy, -bodies[guns[0]].heading) for dx, dy in found]
    return found


def _row(bodies: Sequence[Body], gap: int, *, upright: bool) -> list[Offset]:
    """Round bases of any size side by side, or one behind the other."""
    found, at = [], 0.0
    for body in bodies:
        size = 2 * body.foot.radius
        found.append((0.0, at + size / 2) if upright else (at + size / 2, 0.0))
        at += size + gap
    return _centred(found)


def _ranks(count: int, pitch: int) -> list[Offset]:
    """A line, or two with the second in the gaps of the first."""
    front = count if count <= ABREAST else (count + 1) // 2
    deep = math.floor(pitch * math.sqrt(3) / 2)
    return [(float(i * pitch), 0.0) for i in range(front)] + [
        (float(i * pitch + pitch // 2), float(deep)) for i in range(count - front)
    ]


def _cluster(count: int, pitch: int) -> list[Offset]:
    """The innermost points of a honeycomb."""
    deep, wide = math.floor(pitch * math.sqrt(3) / 2), math.isqrt(count) + 1
    comb = [
        (float(i * pitch + (pitch // 2 if j % 2 else 0)), float(j * deep))
        for j in range(-wide, wide + 1)
        for i in range(-wide, wide + 1)
    ]
    # About a point between three of them the first few make the roundest heap.
    middle = (pitch / 2, deep / 3) if count in (2, 3, 4, 5, 8, 9, 10, 11, 12) else (0.0, 0.0)
    return sorted(comb, key=lambda p: (round(math.hypot(p[0] - middle[0], p[1] - middle[1])), p[1], p[0]))[:count]


def _centred(found: list[Offset]) -> list[Offset]:
    count = len(found)
    x, y = round(sum(p[0] for p in found) / count), round(sum(p[1] for p in found) / count)
    return [(px - x, py - y) for px, py in found]


# ---- a gun and its crew ------------------------------------------------------------------------------------


def _about_gun(form: str, bodies: Sequence[Body], gun: int, gap: int) -> list[Offset]:
    """The gun at the pose and its crew close about it: behind, or in a line to both sides."""
    foot = bodies[gun].foot
    found: list[Offset] = [(0.0, 0.0)] * len(bodies)
    crew = [i for i in range(len(bodies)) if i != gun]
    radius = max(bodies[i].foot.radius for i in crew)
    # Never farther from the gun than crews commonly may be, and closer if the crew is many.
    close = min(gap, max(_ROUNDING, 20))
    pitch = 2 * radius + close
    ring = 0
    while crew:
        away = radius + close + ring * (pitch + _ROUNDING)
        for place in _ring_places(form, foot.length / 2, foot.width / 2, away, pitch):
            if not crew:
                break
            found[crew.pop(0)] = place
        ring += 1
    return found


def _ring_places(form: str, long: float, wide: float, away: float, pitch: float) -> Iterator[Offset]:
    """Places round a rect, away from its edge and a pitch from each other: the back and both sides first.

    They are the two sides seen from behind, each a walk from the middle of the back round to the muzzle.
    """
    back = math.pi / 2 * away
    legs = (wide, back, 2 * long, back, wide)
    half = sum(legs)
    # In a corner the straight way between two places is shorter than the way round: a quarter of a circle loses this.
    step = pitch * max(1.0, 1 / _chord(pitch, away))
    start = 0.0 if form in (COLUMN, WALL) else step / 2
    if form == LINE:
        start = max(step / 2, wide + back + long / 2)
        start = step / 2 + math.floor((start - step / 2) / step) * step
    ways = []
    far = start
    while far <= half - step / 2:
        ways.append(far)
        far += step
    far = start - step
    while far >= step / 2 or (far >= 0 and start == 0.0):
        ways.append(far)
        far -= step
    for far in ways:
        for side in (1, -1) if far > 0 else (1,):
            x, y = _on_ring(far, long, wide, away)
            yield side * x, y


def _chord(pitch: float, away: float) -> float:
    """The least part of a way along the ring that its chord can be."""
    angle = min(math.pi, pitch / away)
    # A step that turns by this angle on the round corner; longer steps only lose in the corner, too.
    return max(0.5, math.sin(angle / 2) / (angle / 2)) if angle > 0 else 1.0


def _on_ring(far: float, long: float, wide: float, away: float) -> Offset:
    """The point so far along the way from the middle of the back, by the right side, to the front."""
    turn = math.pi / 2 * away
    if far <= wide:
        return far, long + away
    far -= wide
    if far <= turn:
        angle = far / away
        return wide + away * math.sin(angle), long + away * math.cos(angle)
    far -= turn
    if far <= 2 * long:
        return wide + away, long - far
    far -= 2 * long
    if far <= turn:
        angle = far / away
        return wide + away * math.cos(angle), -long - away * math.sin(angle)
    return wide - (far - turn), -long - away


# ---- along a wall ------------------------------------------------------------------------------------------


def _along(wall: Sequence[Point], count: int, radius: int, pitch: int, heading: int, stand_off: int) -> list[Offset]:
    """Models along a line, on the side of it where the pose is, from the point of it nearest to the pose.

    Where the line is too short the rest stand behind. Where it is too crooked for that they stand in a straight row.
    """
    line = shapely.LineString(wall)
    left, direct = _side(line, heading)
    found: list[Offset] = []
    rank = 0
    while len(found) < count and rank < count:
        away = radius + stand_off + rank * pitch
        before = len(found)
        found += _rank(line, away if left else -away, pitch, count - len(found))
        if len(found) == before:
            break
        rank += 1
    if len(found) == count and _sound(found, pitch):
        return found
    near = line.interpolate(line.project(shapely.Point(0, 0)))
    nx, ny = (-direct[1], direct[0]) if left else (direct[1], -direct[0])
    away = radius + stand_off
    middle = near.x + nx * away, near.y + ny * away
    return [
        (middle[0] + direct[0] * x + nx * y, middle[1] + direct[1] * x + ny * y)
        for x, y in _centred(_ranks(count, pitch))
    ]


def _side(line: shapely.LineString, heading: int) -> tuple[bool, Point]:
    """Whether the pose is on the left of the line as geometry has it, and the line's direction at the nearest point.

    A pose on the line looks across it: its men are behind.
    """
    at = line.project(shapely.Point(0, 0))
    one, two = line.interpolate(max(0.0, at - 1)), line.interpolate(min(line.length, at + 1))
    long = math.hypot(two.x - one.x, two.y - one.y) or 1.0
    dx, dy = (two.x - one.x) / long, (two.y - one.y) / long
    across = dx * (0 - one.y) - dy * (0 - one.x)
    if abs(across) < 0.5:
        bx, by = turned(0, 100, heading)
        across = dx * by - dy * bx
    return across > 0, (dx, dy)


def _rank(line: shapely.LineString, away: float, pitch: float, count: int) -> list[Offset]:
    """Up to so many places a pitch apart along a line's parallel, both ways from the point nearest to the pose."""
    beside = shapely.offset_curve(line, away, quad_segs=4)
    if beside.is_empty:
        return []
    parts = list(getattr(beside, "geoms", [beside]))
    path = min(parts, key=lambda part: float(part.distance(shapely.Point(0, 0))))
    points = [(float(x), float(y)) for x, y in path.coords]
    at = path.project(shapely.Point(0, 0))
    middle = path.interpolate(at)
    found: list[Offset] = [(middle.x, middle.y)]
    seen, cut = 0.0, len(points) - 1
    for i in range(1, len(points)):
        seen += math.dist(points[i - 1], points[i])
        if seen >= at:
            cut = i
            break
    walks = [_steps(found[0], points[cut:], pitch), _steps(found[0], points[:cut][::-1], pitch)]
    while len(found) < count and walks:
        for walk in list(walks):
            place = next(walk, None)
            if place is None:
                walks.remove(walk)
            elif len(found) < count:
                found.append(place)
    return found


def _steps(start: Offset, points: Sequence[Offset], pitch: float) -> Iterator[Offset]:
    """Along a path from a point: every place that is a pitch from the one before, as the crow flies."""
    last = here = start
    for point in points:
        while math.dist(last, point) >= pitch:
            # Where the path leaves the circle about the last place: it enters it inside, so there is one such point.
            dx, dy = point[0] - here[0], point[1] - here[1]
            fx, fy = here[0] - last[0], here[1] - last[1]
            a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - pitch * pitch
            t = (-b + math.sqrt(max(0.0, b * b - a * c))) / a if a else 0.0
            last = here = here[0] + t * dx, here[1] + t * dy
            yield last
        here = point


def _sound(found: Sequence[Offset], pitch: float) -> bool:
    """Whether places keep a pitch from each other and each has a neighbour at that distance."""
    spots = np.array(found)
    apart = np.hypot(spots[:, 0, None] - spots[None, :, 0], spots[:, 1, None] - spots[None, :, 1])
    np.fill_diagonal(apart, np.inf)
    if (apart < pitch - 0.01).any():
        return False
    near = apart <= pitch + 0.01
    joined, edge = {0}, [0]
    while edge:
        for other in np.flatnonzero(near[edge.pop()]):
            if int(other) not in joined:
                joined.add(int(other))
                edge.append(int(other))
    return len(joined) == len(found)
