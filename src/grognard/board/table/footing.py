"""What stands in the way of a model: each thing with the rule that makes it so, and where one may pass but not stop.

A `Footing` is made for one size of model on one kind of move. Straight ways are judged here with plain arithmetic,
because nearly every move is a straight one; ways round things are the business of `grognard.board.table.reach`, which
gets the same things as shapes. What is closed to whom, and why, is the game's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.reach import Obstacles
from grognard.board.table.terrain import Piece, Table
from grognard.core.ask import Bar

Floats = NDArray[np.float64]

#: A line feature is as thick as this for geometry: who crosses it goes through its inside.
THIN = 1.0
#: What lies in the way of a model that is there already is shrunk to leave it this free.
FREE = 0.5

OFF_TABLE = Bar("", "models can't leave the table")


class Thing(NamedTuple):
    """Something in the way: its shape where a centre may not be, and the rule and name for whoever asks why."""

    shape: Any
    bar: Bar


class Footing:
    """What a model of one size may not enter, and where it may not stop."""

    def __init__(self, table: Table, off_table: Bar = OFF_TABLE) -> None:
        self.table, self.off_table = table, off_table
        self.things: list[Thing | None] = []  # a shape is made only when somebody needs it
        self.bars: list[Bar] = []
        self._make: list[Any] = []
        self._edges: list[Floats] = []
        self._edge_of: list[int] = []
        self._discs: list[tuple[float, float, float]] = []
        self._disc_of: list[int] = []
        self._stops: list[tuple[Body, float, Bar]] = []
        self._stop_shapes: list[Thing] = []

    # ---- making it ----

    def block_disc(self, body: Body, radius: float, bar: Bar) -> None:
        """No centre nearer than a radius to a round base."""
        self._disc_of.append(len(self.bars))
        self._discs.append((body.x, body.y, radius))
        self._note(lambda: bodies.kept_clear(body, radius - body.foot.radius), bar)

    def block_shape(self, shape: Any, edges: Floats, bar: Bar) -> None:
        """No centre inside a shape; its edges are given as an array of x0, y0, x1, y1."""
        self._edge_of += [len(self.bars)] * len(edges)
        self._edges.append(edges)
        self._note(lambda: shape, bar)

    def _note(self, make: Any, bar: Bar) -> None:
        self.bars.append(bar)
        self._make.append(make)
        self.things.append(None)

    def block_body(self, body: Body, grow: float, bar: Bar, starts: Floats) -> None:
        """No centre within a distance of a base; who begins nearer may go, but not nearer still, nor stop there."""
        # Round bases are most of what stands about, and know their distance without geometry.
        if body.foot.shape == bodies.DISC:
            near = float(np.hypot(starts[:, 0] - body.x, starts[:, 1] - body.y).min()) if len(starts) else np.inf
            radius = body.foot.radius + grow
            if near < radius + FREE:
                self.no_stop(body, grow, bar)
                radius = near - FREE
            if radius > 0:
                self.block_disc(body, radius, bar)
            return
        near = min((bodies.gap_to_point(body, x, y) for x, y in starts), default=np.inf)
        if near < grow + FREE:
            self.no_stop(body, grow, bar)
            grow = near - FREE
        if grow > 0:
            shape = bodies.kept_clear(body, grow)
            self.block_shape(shape, edges_of(shape), bar)

    def no_stop(self, body: Body, grow: float, bar: Bar) -> None:
        """A model may pass, but not stop, nearer to a base than a distance; exactly so far away it may stop."""
        self._stops.append((body, grow, bar))

    def no_stop_in(self, shape: Any, bar: Bar) -> None:
        """A model may not stop inside a shape."""
        self._stop_shapes.append(Thing(shape, bar))

    def block_terrain(
        self, closed: Iterable[Barrier], starts: Floats, low: Sequence[float], high: Sequence[float]
    ) -> None:
        """Terrain between two corners of the table is closed; who begins in it may come out, but not stop there."""
        for barrier in closed:
            x0, y0, x1, y1 = barrier.box
            if x1 < low[0] or x0 > high[0] or y1 < low[1] or y0 > high[1]:
                continue
            near = starts[(starts[:, 0] > x0) & (starts[:, 0] < x1) & (starts[:, 1] > y0) & (starts[:, 1] < y1)]
            if not len(near) or not shapely.contains_xy(barrier.shape, near[:, 0], near[:, 1]).any():
                self.block_shape(barrier.shape, barrier.edges, barrier.bar)
                continue
            if not barrier.whole:
                continue
            bare = shape_of(self.table, barrier.piece)
            close = float(shapely.distance(shapely.points(starts), bare).min()) - FREE
            self.no_stop_in(barrier.shape, barrier.bar)
            if close > 0:
                shape = bare.buffer(close, quad_segs=4)
                self.block_shape(shape, edges_of(shape), barrier.bar)

    # ---- straight ways ----

    @cached_property
    def _arrays(self) -> tuple[Floats, Floats]:
        edges = np.concatenate(self._edges) if self._edges else np.empty((0, 4))
        return edges, np.array(self._discs, dtype=np.float64).reshape(-1, 3)

    @cached_property
    def _stop_arrays(self) -> tuple[Floats, list[tuple[Body, float]]]:
        discs = [(b.x, b.y, b.foot.radius + grow) for b, grow, _ in self._stops if b.foot.shape == bodies.DISC]
        rects = [(b, grow) for b, grow, _ in self._stops if b.foot.shape != bodies.DISC]
        return np.array(discs, dtype=np.float64).reshape(-1, 3), rects

    def clear(self, starts: Floats, ends: Floats, *, stop: bool = True) -> NDArray[np.bool_]:
        """Which of the straight ways touch nothing that is blocked and end where one may stop; the rest may or may not.

        Only ways that begin outside everything blocked can be judged so. Without ``stop`` they end anywhere, as those
        of men do who go into something.
        """
        free = self.may_stop(ends) if stop else self.on_table(ends)
        edges, discs = self._arrays
        low = np.minimum(starts.min(0), ends.min(0))
        high = np.maximum(starts.max(0), ends.max(0))
        if len(discs):
            reach = discs[:, 2]
            near = (
                (discs[:, 0] + reach > low[0])
                & (discs[:, 0] - reach < high[0])
                & (discs[:, 1] + reach > low[1])
                & (discs[:, 1] - reach < high[1])
            )
            if near.any():
                free &= ~_meets_discs(starts, ends, discs[near])
        if len(edges):
            near = (
                (np.maximum(edges[:, 0], edges[:, 2]) >= low[0])
                & (np.minimum(edges[:, 0], edges[:, 2]) <= high[0])
                & (np.maximum(edges[:, 1], edges[:, 3]) >= low[1])
                & (np.minimum(edges[:, 1], edges[:, 3]) <= high[1])
            )
            if near.any():
                free &= ~_meets_edges(starts, ends, edges[near])
        return free

    def on_table(self, ends: Floats) -> NDArray[np.bool_]:
        """Which points are on the table."""
        x, y = ends[:, 0], ends[:, 1]
        return np.asarray((x >= 0) & (y >= 0) & (x <= self.table.width) & (y <= self.table.height))

    def may_stop(self, ends: Floats) -> NDArray[np.bool_]:
        """Which points are on the table and not where one may pass only."""
        x, y = ends[:, 0], ends[:, 1]
        free = self.on_table(ends)
        discs, rects = self._stop_arrays
        if len(discs):
            apart = np.hypot(x[:, None] - discs[None, :, 0], y[:, None] - discs[None, :, 1])
            free &= (apart >= discs[None, :, 2] - bodies.HAIR).all(1)
        for body, grow in rects:
            dx, dy = x - body.x, y - body.y
            fx, fy = bodies.direction(body.heading)
            ahead = np.maximum(np.abs(dx * fx + dy * fy) - body.foot.length / 2, 0.0)
            aside = np.maximum(np.abs(dy * fx - dx * fy) - body.foot.width / 2, 0.0)
            free &= np.hypot(ahead, aside) >= grow - bodies.HAIR
        for thing in self._stop_shapes:
            free &= ~shapely.contains_xy(thing.shape, x, y)
        return free

    @cached_property
    def corners(self) -> Floats:
        """The corners of what is blocked, a hair outside: where a way round something bends. Bases are left out."""
        found = []
        for edges in self._edges:
            points = edges[:, :2]
            out = points - points.mean(axis=0)
            found.append(points + out / np.maximum(np.hypot(out[:, 0], out[:, 1]), 1.0)[:, None] * (2 * THIN))
        return np.concatenate(found) if found else np.empty((0, 2))

    # ---- the same as shapes ----

    def shape(self, number: int) -> Any:
        """The shape of the thing of a number."""
        thing = self.things[number]
        if thing is None:
            thing = self.things[number] = Thing(self._make[number](), self.bars[number])
        return thing.shape

    @cached_property
    def obstacles(self) -> Obstacles:
        """Everything blocked, for ways round it."""
        shapes = [self.shape(number) for number in range(len(self.bars))]
        return Obstacles(self.table.width, self.table.height, shapes)

    @cached_property
    def no_end(self) -> Any:
        """Where a model may pass but not stop, as a shape; None where there is no such place."""
        shapes = [bodies.kept_clear(body, grow) for body, grow, _ in self._stops]
        shapes += [thing.shape for thing in self._stop_shapes]
        return shapely.union_all(shapes) if shapes else None

    # ---- why not ----

    def why_not_here(self, x: float, y: float) -> Bar | None:
        """Why a model may not stand at a point."""
        if not (0 <= x <= self.table.width and 0 <= y <= self.table.height):
            return self.off_table
        for number, bar in enumerate(self.bars):
            if shapely.contains_xy(self.shape(number), x, y):
                return bar
        for body, grow, bar in self._stops:
            if bodies.gap_to_point(body, x, y) < grow - bodies.HAIR:
                return bar
        for thing in self._stop_shapes:
            if shapely.contains_xy(thing.shape, x, y):
                return thing.bar
        return None

    def why_not_across(self, start: Sequence[float], end: Sequence[float]) -> Bar | None:
        """What stands in the straight way between two points."""
        way = shapely.LineString([start, end])
        crossed = [n for n in range(len(self.bars)) if shapely.intersects(self.shape(n), way)]
        here = shapely.Point(start)
        return self.bars[min(crossed, key=lambda n: float(self.shape(n).distance(here)))] if crossed else None


def _meets_discs(starts: Floats, ends: Floats, discs: Floats) -> NDArray[np.bool_]:
    """Which ways come nearer to a disc's middle than its radius."""
    way = ends - starts
    long = np.maximum((way * way).sum(1), 1e-9)
    to = discs[None, :, :2] - starts[:, None, :]
    along = np.clip((to * way[:, None, :]).sum(2) / long[:, None], 0.0, 1.0)
    off = to - along[:, :, None] * way[:, None, :]
    met: NDArray[np.bool_] = ((off * off).sum(2) < discs[None, :, 2] ** 2).any(1)
    return met


def _meets_edges(starts: Floats, ends: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which ways touch or cross an edge."""
    ax, ay, bx, by = starts[:, 0, None], starts[:, 1, None], ends[:, 0, None], ends[:, 1, None]
    px, py, qx, qy = edges[None, :, 0], edges[None, :, 1], edges[None, :, 2], edges[None, :, 3]
    dx, dy, ex, ey = bx - ax, by - ay, qx - px, qy - py
    one = dx * (py - ay) - dy * (px - ax)
    two = dx * (qy - ay) - dy * (qx - ax)
    three = ex * (ay - py) - ey * (ax - px)
    four = ex * (by - py) - ey * (bx - px)
    return np.asarray(np.any((one * two <= 0) & (three * four <= 0), axis=1))


def edges_of(shape: Any) -> Floats:
    """The edges of a polygon, or of several, as an array of x0, y0, x1, y1."""
    parts = []
    for part in getattr(shape, "geoms", [shape]):
        for ring in (part.exterior, *part.interiors):
            points = shapely.get_coordinates(ring)
            parts.append(np.concatenate([points[:-1], points[1:]], axis=1))
    return np.concatenate(parts) if parts else np.empty((0, 4))


# ---- terrain -----------------------------------------------------------------------------------------------


class Barrier(NamedTuple):
    """A piece of terrain that stops somebody: where no centre may be, its edges, and why.

    ``whole`` says that the whole base has to keep out of it, not only its centre; ``box`` is what it lies in.
    """

    piece: Piece
    shape: Any
    edges: Floats
    bar: Bar
    whole: bool
    box: tuple[float, float, float, float]


def shape_of(table: Table, piece: Piece) -> Any:
    """What a piece of terrain covers: an area, a line with its width, or a line as thin as can be."""
    if table.kind(piece).linear and table.width_of(piece) <= 0:
        return table.line(piece).buffer(THIN, cap_style="square")
    return table.area(piece)


def barriers(
    table: Table, key: Hashable, radius: float, closed: Callable[[Piece], tuple[Bar, bool] | None]
) -> list[Barrier]:
    """The terrain that is closed to bases of a radius, worked out once for each table and key.

    ``closed`` gives for a piece why it is, and whether to the whole base or to its centre only; None where it is open.
    """
    at = ("barriers", key, radius)
    made: list[Barrier] | None = table.cache.get(at)
    if made is None:
        made = []
        for piece in table.pieces:
            if (found := closed(piece)) is None:
                continue
            bar, whole = found
            shape = shape_of(table, piece)
            if whole and radius:
                shape = shape.buffer(radius, quad_segs=4)
            made.append(Barrier(piece, shape, edges_of(shape), bar, whole, shape.bounds))
        table.cache[at] = made
    return made
