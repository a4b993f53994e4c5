"""What sight has to do with on a table, as arrays: the terrain (kept with the table), and vehicles and smoke on top.

A thing that hides is a prism over its plan: everything below its top and inside its outline. Outlines are drawn in by
a hair, so that a line along a wall or past a corner is free and no test has a special case for it.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import RECT, Body, Point, corners, direction
from grognard.board.table.templates import Disc, Template
from grognard.board.table.terrain import Kind, Piece, Table

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: How far outlines are drawn in, in hundredths.
HAIR = 0.05
#: Which side of a line a point is on, in square hundredths: what is nearer than this is on its left.
TINY = 1e-3
COVERS = {"none": 0, "soft": 1, "hard": 2}
BLOCKS, NO_THROUGH, CREST, LINE = range(4)
_SIGHTS = {"blocks": BLOCKS, "no_through": NO_THROUGH, "crest": CREST}
#: Smoke where a game has no kind of that name.
SMOKE = Kind("smoke", "area", "open", "soft", "no_through", 600, 300, title="Smoke")
_PUFF = 24


class SightRules(NamedTuple):
    """What a game says about sight and cover (the defaults are Bolt Action's rulings); lengths in hundredths.

    Levels of cover are 0 none, 1 soft, 2 hard.
    """

    #: How high up a target is looked at, as a part of its height (B10).
    target_height: float = 0.7
    #: A model this near to a line is at it (B6, 11.8).
    at_hand: int = 100
    #: A line lower than this never hides anything (11.8).
    low: int = 150
    #: Whether a model that stands in area cover has it, one behind a line that is at hand, one that is partly hidden.
    area_cover: bool = True
    line_cover: bool = True
    partly_hidden: bool = True
    #: The cover that a crest gives to what it hides in part, a vehicle or wreck, and what gives none by its kind.
    crest_cover: int = 2
    blocker_cover: int = 2
    screen_cover: int = 1
    #: The cover of a model that is hidden completely (11.4).
    hidden_cover: int = 2
    #: Whether a line covers a model at it from a firer who is at its other side, and only if the middle is behind it.
    both_at_line: bool = False
    middle_behind_line: bool = False
    #: Whether a model that stands in smoke has the cover of its kind.
    smoke_cover: bool = False


USUAL = SightRules()


class Eye(NamedTuple):
    """Where a model looks from: ``z`` above its ground. ``inside`` is the building that it looks out of, or ""."""

    x: float
    y: float
    z: float
    body: Body
    inside: str = ""


class Mark(NamedTuple):
    """A model to look at; ``inside`` is the building that it is in, at whose openings it is seen (25.3), or ""."""

    body: Body
    inside: str = ""


class Thing(NamedTuple):
    """What can hide or cover: a piece of terrain, smoke or a blocker, by its number there."""

    sort: str
    id: str
    title: str
    number: int


class Shape(NamedTuple):
    """One thing in plan: a ring drawn in by a hair (not closed), or the points of a line.

    ``tops`` is how high it comes above the plain, for a line by stretch; ``walls`` are the edges without an opening.
    """

    thing: int
    sight: int
    points: tuple[Point, ...]
    tops: tuple[float, ...]
    height: float
    depth: float
    cover: int
    walls: tuple[bool, ...]


def drawn_in(points: Sequence[Point], outward: Container[int] = ()) -> tuple[Point, ...]:
    """A ring with every edge moved inwards by a hair, or outwards where it is named; corners stay in their order."""
    count = len(points)
    turn = sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(count))
    normals = []
    for i, (x, y) in enumerate(points):
        dx, dy = points[(i + 1) % count][0] - x, points[(i + 1) % count][1] - y
        length = math.copysign(math.sqrt(dx * dx + dy * dy) or 1.0, turn)
        normals.append((-dy / length, dx / length))
    found = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = normals[i - 1], normals[i]
        one, two = (-HAIR if (edge % count) in outward else HAIR for edge in (i - 1, i))
        across = ax * by - ay * bx
        if abs(across) < 0.02:  # nearly straight on, or a needle whose mitre would be endless
            found.append((x + (one * ax + two * bx) / 2, y + (one * ay + two * by) / 2))
        else:
            found.append((x + (one * by - two * ay) / across, y + (two * ax - one * bx) / across))
    return tuple(found)


def adjoining(piece: Piece, others: Iterable[Piece]) -> set[int]:
    """The edges of a piece along which another one lies: there is no looking through the crack between them."""
    found = set()
    walls = [(a, b) for other in others for a, b in zip(other.points, (*other.points[1:], other.points[0]))]
    for number, (a, b) in enumerate(zip(piece.points, (*piece.points[1:], piece.points[0]))):
        ex, ey = b[0] - a[0], b[1] - a[1]
        for c, d in walls:
            beside = [ex * (p[1] - a[1]) - ey * (p[0] - a[0]) for p in (c, d)]
            if beside == [0, 0]:
                spans = sorted(ex * (p[0] - a[0]) + ey * (p[1] - a[1]) for p in (c, d))
                if spans[0] < ex * ex + ey * ey and spans[1] > 0:
                    found.add(number)
    return found


class Mesh(NamedTuple):
    """Shapes as arrays: of corners (rings closed, one after another), and of shapes."""

    x: Floats
    y: Floats
    #: The shape of each corner; whether an edge begins there; whether that edge has no opening; its top.
    shape: Ints
    edge: Bools
    wall: Bools
    edge_top: Floats
    start: Ints
    #: By shape: its thing, what it does to sight, its (highest) top, depth that one sees into it, cover and height.
    thing: Ints
    sight: Ints
    top: Floats
    depth: Floats
    cover: Ints
    height: Floats
    low_x: Floats
    low_y: Floats
    high_x: Floats
    high_y: Floats

    @classmethod
    def of(cls, shapes: Sequence[Shape]) -> Mesh:
        """The arrays of some shapes."""
        x: list[float] = []
        y: list[float] = []
        owner: list[int] = []
        edge: list[bool] = []
        wall: list[bool] = []
        tops: list[float] = []
        start: list[int] = []
        for number, shape in enumerate(shapes):
            line = shape.sight == LINE
            points = shape.points if line else (*shape.points, shape.points[0])
            start.append(len(x))
            x += [point[0] for point in points]
            y += [point[1] for point in points]
            owner += [number] * len(points)
            edge += [True] * (len(points) - 1) + [False]
            wall += [*shape.walls, False]
            tops += [*shape.tops, 0.0] if line else [shape.tops[0]] * len(points)
        at, xs, ys = np.array(start, np.int64), np.array(x, np.float64), np.array(y, np.float64)
        none = np.zeros(0)
        return cls(
            xs,
            ys,
            np.array(owner, np.int64),
            np.array(edge, np.bool_),
            np.array(wall, np.bool_),
            np.array(tops, np.float64),
            at,
            np.array([shape.thing for shape in shapes], np.int64),
            np.array([shape.sight for shape in shapes], np.int64),
            np.array([max(shape.tops) for shape in shapes], np.float64),
            np.array([shape.depth for shape in shapes], np.float64),
            np.array([shape.cover for shape in shapes], np.int64),
            np.array([shape.height for shape in shapes], np.float64),
            np.minimum.reduceat(xs, at) if shapes else none,
            np.minimum.reduceat(ys, at) if shapes else none,
            np.maximum.reduceat(xs, at) if shapes else none,
            np.maximum.reduceat(ys, at) if shapes else none,
        )

    def plus(self, other: Mesh) -> Mesh:
        """These shapes and others after them."""
        if not len(other.thing):
            return self
        if not len(self.thing):
            return other
        moved = other._replace(shape=other.shape + len(self.thing), start=other.start + len(self.x))
        return Mesh(*(np.concatenate(both) for both in zip(self, moved)))


class Ground:
    """The terrain of a table as sight sees it; made once and kept with the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.things = [Thing("piece", piece.id, table.title(piece), n) for n, piece in enumerate(table.pieces)]
        self.number = {piece.id: n for n, piece in enumerate(table.pieces)}
        self.shapes: list[Shape] = []
        areas: list[int] = []
        solid = [
            piece for piece in table.pieces if table.kind(piece).sight == "blocks" and not table.kind(piece).linear
        ]
        for number, piece in enumerate(table.pieces):
            kind, height = table.kind(piece), float(table.height_of(piece))
            cover = COVERS[kind.cover]
            if kind.linear:
                if cover or (kind.sight == "blocks" and height > 0):
                    self._line(number, height, cover)
                continue
            if cover or kind.sight in _SIGHTS:
                areas.append(number)
            if kind.sight in _SIGHTS and height > 0:
                top = float(table.base[piece.id]) + height
                walls = tuple(edge not in piece.edges for edge in range(len(piece.points)))
                sight, depth = _SIGHTS[kind.sight], float(kind.depth_visible)
                ring = drawn_in(piece.points, adjoining(piece, [p for p in solid if p is not piece]))
                self.shapes.append(Shape(number, sight, ring, (top,), height, depth, cover, walls))
        self.mesh = Mesh.of(self.shapes)
        #: The areas whose insides matter, as numbers of pieces, with what they give.
        self.areas = np.array(areas, np.int64)
        #: The number among the areas of each piece, or -1.
        self.column = np.full(max(1, len(table.pieces)), -1, np.int64)
        self.column[self.areas] = np.arange(len(areas))
        pieces = [table.pieces[n] for n in areas]
        self.area_cover = np.array([COVERS[table.kind(piece).cover] for piece in pieces], np.int64)
        hills = [table.kind(piece).sight == "crest" for piece in pieces]
        self.hill = np.array([table.height_of(p) if hill else 0 for p, hill in zip(pieces, hills)], np.float64)
        ends = np.array(
            [(*a, *b) for piece in pieces for a, b in zip(piece.points, (*piece.points[1:], piece.points[0]))],
            np.float64,
        ).reshape(-1, 4)
        ax, ay, bx, by = np.ascontiguousarray(ends.T)
        self._ends = ax, ay, by, bx - ax, by - ay, by > ay
        self._boxes = np.minimum(ax, bx), np.maximum(ax, bx), np.minimum(ay, by), np.maximum(ay, by)
        self._starts = np.cumsum([0, *(len(piece.points) for piece in pieces)])[:-1]

    def _line(self, number: int, height: float, cover: int) -> None:
        table, piece = self.table, self.table.pieces[number]
        middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in zip(piece.points, piece.points[1:])]
        tops = tuple(table.ground_height(x, y) + height for x, y in middles)
        points = tuple((float(x), float(y)) for x, y in piece.points)
        self.shapes.append(Shape(number, LINE, points, tops, height, 0.0, cover, (False,) * len(middles)))

    def where(self, x: Floats, y: Floats) -> NDArray[np.int8]:
        """For each point and each of the ``areas``: 0 outside, 1 on the edge, 2 inside."""
        if not len(self.areas):
            return np.zeros((len(x), 0), np.int8)
        ax, ay, by, dx, dy, up = self._ends
        low_x, high_x, low_y, high_y = self._boxes
        x, y = x[:, None], y[:, None]
        side = dx * (y - ay) - dy * (x - ax)
        across = ((ay > y) != (by > y)) & ((side > 0) == up)
        on = np.abs(side) <= TINY
        if on.any():
            on &= (low_x <= x) & (x <= high_x) & (low_y <= y) & (y <= high_y)
        inside = np.add.reduceat(across, self._starts, axis=1, dtype=np.int64) % 2 * 2
        if on.any():
            inside[np.logical_or.reduceat(on, self._starts, axis=1)] = 1
        return inside.astype(np.int8)

    def heights(self, where: NDArray[np.int8]) -> Floats:
        """The height of the ground at points whose areas are known (B11)."""
        if not where.shape[1]:
            return np.zeros(len(where))
        return np.asarray(((where > 0) * self.hill).max(axis=1))


def ground_of(table: Table) -> Ground:
    """The terrain of a table as sight sees it."""
    found = table.cache.get("ground")
    if found is None:
        found = table.cache["ground"] = Ground(table)
    assert isinstance(found, Ground)
    return found


class Scene:
    """A table with what stands on it and hides: ``blockers`` (vehicles and wrecks) and clouds of smoke of any outline.

    It is cheap to make, since the terrain's arrays are the table's. ``things`` lists pieces, then smoke, then blockers.
    """

    def __init__(
        self,
        table: Table,
        blockers: Sequence[Body] = (),
        smoke: Iterable[Template] = (),
        *,
        titles: Sequence[str] = (),
    ) -> None:
        self.table = table
        self.blockers = tuple(blockers)
        self.smoke = tuple(smoke)
        self.ground = ground_of(table)
        self.titles = tuple(titles)
        #: The number among the things of the first blocker.
        self.first_blocker = len(table.pieces) + len(self.smoke)

    def with_smoke(self, smoke: Iterable[Template]) -> Scene:
        """The same scene with other clouds."""
        return Scene(self.table, self.blockers, smoke, titles=self.titles)

    @cached_property
    def things(self) -> list[Thing]:
        """Everything that can hide or cover, as `Pairs.by` numbers it."""
        kind = self.table.kinds.get("smoke", SMOKE)
        clouds = [Thing("smoke", f"smoke-{n + 1}", kind.called, n) for n in range(len(self.smoke))]
        hulls = []
        for number in range(len(self.blockers)):
            title = self.titles[number] if number < len(self.titles) else "Vehicle"
            hulls.append(Thing("blocker", f"blocker-{number + 1}", title, number))
        return [*self.ground.things, *clouds, *hulls]

    @cached_property
    def moving(self) -> list[Shape]:
        """Smoke and blockers in plan."""
        found = []
        number = len(self.table.pieces)
        bases = [cloud.body() for cloud in self.smoke] + list(self.blockers)
        ground = self.ground_heights([(float(base.x), float(base.y)) for base in bases])
        kind = self.table.kinds.get("smoke", SMOKE)
        for cloud, base in zip(self.smoke, ground):
            ring = _puff(cloud) if isinstance(cloud, Disc) else outline(cloud.body())
            top, depth = base + kind.height, float(kind.depth_visible)
            sight = _SIGHTS.get(kind.sight, NO_THROUGH)
            found.append(
                Shape(number, sight, ring, (top,), kind.height, depth, COVERS[kind.cover], (False,) * len(ring))
            )
            number += 1
        for body, base in zip(self.blockers, ground[len(self.smoke) :]):
            tall = float(body.foot.height)
            found.append(Shape(number, BLOCKS, outline(body), (base + tall,), tall, 0.0, -1, (False,) * 4))
            number += 1
        return found

    @cached_property
    def mesh(self) -> Mesh:
        """All shapes as arrays, in the order of their things."""
        return self.ground.mesh.plus(Mesh.of(self.moving)) if self.blockers or self.smoke else self.ground.mesh

    @cached_property
    def shapes(self) -> list[Shape]:
        """All shapes, as the mesh numbers them."""
        return [*self.ground.shapes, *self.moving]

    def ground_heights(self, points: Sequence[tuple[float, float]]) -> list[float]:
        """The height of the ground at some points."""
        if not points or not self.ground.hill.any():
            return [0.0] * len(points)
        at = np.array(points, np.float64)
        return [float(height) for height in self.ground.heights(self.ground.where(at[:, 0], at[:, 1]))]

    def eye(self, body: Body, inside: str = "") -> Eye:
        """The eye of a model: at its centre, as high as its footprint says."""
        return Eye(float(body.x), float(body.y), float(body.foot.eye), body, inside)


def _puff(cloud: Disc) -> tuple[Point, ...]:
    """The ring of a round cloud."""
    turns = [math.tau * step / _PUFF for step in range(_PUFF)]
    return tuple((cloud.x + cloud.radius * math.cos(turn), cloud.y + cloud.radius * math.sin(turn)) for turn in turns)


def outline(body: Body) -> tuple[Point, ...]:
    """The ring of a blocker, drawn in by a hair; a disc blocks as the square in its rim."""
    foot = body.foot
    if foot.shape == RECT:
        return drawn_in([(float(x), float(y)) for x, y in corners(body)])
    fx, fy = direction(body.heading)
    r = foot.radius - HAIR
    return tuple((body.x + r * dx, body.y + r * dy) for dx, dy in ((fx, fy), (-fy, fx), (-fx, -fy), (fy, -fx)))


def windows(table: Table, piece_id: str) -> list[Point]:
    """Nine points along the openings of a building, just outside its walls, at which men inside are seen (25.3)."""
    kept = table.cache.setdefault("windows", {})
    if piece_id not in kept:
        kept[piece_id] = _windows(table.by_id[piece_id])
    return list(kept[piece_id])


def _windows(piece: Piece) -> list[Point]:
    # Twice as far out as the outline may be drawn out.
    turn = _turn(piece)
    edges = []
    for (ax, ay), (bx, by) in _openings(piece):
        length = math.copysign(math.dist((ax, ay), (bx, by)), turn)
        ox, oy = 2 * HAIR * (by - ay) / length, 2 * HAIR * (ax - bx) / length
        edges.append(((ax + ox, ay + oy), (bx + ox, by + oy)))
    edges = sorted(edges, key=lambda edge: -math.dist(*edge))[:9] if len(edges) > 9 else edges
    each = 9 // len(edges)
    found = [
        (ax + (bx - ax) * (step + 1) / (each + 1), ay + (by - ay) * (step + 1) / (each + 1))
        for (ax, ay), (bx, by) in edges
        for step in range(each)
    ]
    return found + [found[-1]] * (9 - len(found))


def _turn(piece: Piece) -> int:
    """Above 0 if the inside is to the left of the edges (with y up)."""
    points = piece.points
    return sum(points[i - 1][0] * points[i][1] - points[i][0] * points[i - 1][1] for i in range(len(points)))


def _openings(piece: Piece) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [(piece.points[n], piece.points[(n + 1) % len(piece.points)]) for n in piece.edges]


def window_toward(table: Table, piece_id: str, x: float, y: float) -> Point | None:
    """The point of an opening on the side towards a point that is nearest to it (25.3); None if no side faces it."""
    piece = table.by_id[piece_id]
    turn = 1 if _turn(piece) > 0 else -1
    best: tuple[float, float, float] | None = None
    for (ax, ay), (bx, by) in _openings(piece):
        ex, ey = bx - ax, by - ay
        if (ex * (y - ay) - ey * (x - ax)) * turn >= 0:
            continue  # the point is not outside this wall
        along = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)))
        px, py = ax + along * ex, ay + along * ey
        far = (px - x) ** 2 + (py - y) ** 2
        if best is None or far < best[0]:
            best = far, px, py
    return None if best is None else (best[1], best[2])
