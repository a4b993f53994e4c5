"""The table as a program that plays sees it: a coarse chart of cover, sight and ways, kept with the table.

Exact sight between two units costs milliseconds, and a player weighs thousands of points. Here the table is drawn in
small cells and looked at over a net of points a few cells apart: good enough to tell which points are worth a closer
look. What is done in earnest is weighed by the game's very rules.
"""

from __future__ import annotations

import heapq
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.terrain import Kind, Table

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Bytes = NDArray[np.int8]

#: How many points of a line are looked at.
SAMPLES = 80
#: How many rows of sight are kept with a table, and how many fields of what one unit does to another. Of a table with
#: a larger net than this fewer are kept: they take the same memory.
KEPT, FIELDS, NET = 600, 3000, 36 * 24
#: Ground for movement: free, too rough to hurry in, closed.
FREE, SLOW, CLOSED = 0, 1, 2
#: Cover: none, soft, hard.
NONE, SOFT, HARD = 0, 1, 2


class Going(NamedTuple):
    """How far one goes in a turn, as a rule of thumb for long ways: over free ground, and where it is rough.

    A ``road`` takes one so many times as far; a narrow ``strip`` of rough ground costs so much of a turn beside. Who
    goes ``indoors`` walks out of a building and into one as over free ground.
    """

    free: float
    rough: float
    road: float = 1.0
    strip: float = 0.0
    indoors: bool = False


class ChartGround(ABC):
    """What a game tells about its ground so that it can be charted. Lengths are hundredths of the table's measure."""

    #: The sides of a cell and of the net's meshes.
    cell: int
    mesh: int
    #: How high the eyes of those on foot are.
    eye: float
    #: At which distances a wall is looked for that is at hand.
    at_hand: tuple[float, ...]
    #: By how much a thing that blocks sight is taken to be higher, for the ground that it may stand on.
    roof: float = 0.0
    #: How deep one looks into growth and out of it.
    deep: float = math.inf

    @property
    @abstractmethod
    def goings(self) -> Mapping[str, Going]:
        """How those go who move alike, by the name of their column of the game's chart of terrain."""

    @property
    @abstractmethod
    def looked_at(self) -> float:
        """How high above the ground a target is looked at."""

    @property
    def reach(self) -> float:
        """How near to a place one has to be to hold it; 0 in a game without such places."""
        return 0.0

    @abstractmethod
    def state(self, kind: Kind, column: str) -> int:
        """What a kind of terrain is to those of a column: FREE, SLOW or CLOSED."""

    def cover(self, kind: Kind) -> int:
        """The cover that a kind of terrain gives: NONE, SOFT or HARD."""
        return {"soft": SOFT, "hard": HARD}.get(kind.cover, NONE)

    def sight(self, kind: Kind) -> str:
        """What a kind of terrain does to sight, in the board's words: "crest", "blocks", "no_through" or "clear"."""
        return kind.sight

    def building(self, kind: Kind) -> bool:
        """Whether units are inside pieces of a kind, to be seen and to see over its edge."""
        return False

    def road(self, kind: Kind) -> bool:
        """Whether a kind is a road."""
        return False

    def obstacle(self, kind: Kind) -> bool:
        """Whether a kind lies between two who fight across it."""
        return False


class Row(NamedTuple):
    """What is seen between a point and every point of the net: whether, how far, and the cover at either end."""

    seen: Bools
    far: Floats
    cover_there: Bytes
    cover_here: Bytes


#: A row is known by its point and the height that is looked from.
RowKey = tuple[int, int, int]


class Chart:
    """A table in cells, and its net of points."""

    def __init__(self, table: Table, ground: ChartGround) -> None:
        self.table, self.ground = table, ground
        self.size, self.mesh = ground.cell, ground.mesh
        self.wide, self.high = -(-table.width // self.size), -(-table.height // self.size)
        self._draw(table)
        across = np.arange(self.mesh / 2, table.width, self.mesh)
        down = np.arange(self.mesh / 2, table.height, self.mesh)
        self.columns, self.lines = len(across), len(down)
        grid = np.array([(x, y) for y in down for x in across], dtype=np.float64)
        self.x, self.y = grid[:, 0], grid[:, 1]
        self.where = self.cells(self.x, self.y)
        share = min(1.0, NET / max(1, len(grid)))
        self._kept, self._fields_kept = int(KEPT * share), int(FIELDS * share)
        self._rows: dict[RowKey, Row] = {}
        self._turns: dict[object, Floats] = {}
        self._fields: dict[object, tuple[object, Floats]] = {}
        self._moves: dict[object, Bools] = {}
        #: What other modules have worked out over the chart and want to keep with it.
        self.cache: dict[Any, Any] = {}

    # ---- drawing ----

    def _draw(self, table: Table) -> None:
        """Everything that matters of the terrain, cell by cell."""
        ground = self.ground
        down, across = np.mgrid[0 : self.high, 0 : self.wide]
        x, y = (across.ravel() + 0.5) * self.size, (down.ravel() + 0.5) * self.size
        count = len(x)
        self.top = np.zeros(count)  # the height of what blocks, above the plain
        self.hill = np.zeros(count)
        self.thicket = np.zeros(count, np.bool_)
        self.cover = np.zeros(count, np.int8)
        self.edge_cover = np.zeros(count, np.int8)
        self.building = np.full(count, -1, np.int64)
        self.obstacle = np.zeros(count, np.bool_)
        self.move = {column: np.zeros(count, np.int8) for column in ground.goings}
        self.road = np.zeros(count, np.bool_)
        self.pieces = list(table.pieces)
        for number, piece in enumerate(self.pieces):
            kind = table.kind(piece)
            thin = kind.linear and table.width_of(piece) <= 0
            if thin:
                inside = shapely.distance(table.line(piece), shapely.points(x, y)) <= self.size * 0.75
            else:
                inside = shapely.contains_xy(table.area(piece), x, y)
            level, sight = ground.cover(kind), ground.sight(kind)
            if ground.building(kind):
                self.building[inside] = number
            if sight == "crest":
                self.hill[inside] = np.maximum(self.hill[inside], table.height_of(piece))
            elif sight == "blocks":
                self.top[inside] = np.maximum(self.top[inside], table.height_of(piece) + ground.roof)
            elif sight == "no_through":
                self.thicket |= inside
            self.obstacle |= inside & ground.obstacle(kind)
            if thin:
                self.edge_cover[inside] = np.maximum(self.edge_cover[inside], level)
            else:
                self.cover[inside] = np.maximum(self.cover[inside], level)
            self.road |= inside & ground.road(kind)
            for column, states in self.move.items():
                states[inside] = np.maximum(states[inside], ground.state(kind, column))

    def cells(self, x: Floats, y: Floats) -> Ints:
        """The cells of points; those off the table are at its edge."""
        column = np.clip((x / self.size).astype(np.int64), 0, self.wide - 1)
        line = np.clip((y / self.size).astype(np.int64), 0, self.high - 1)
        return line * self.wide + column

    def cell(self, x: float, y: float) -> int:
        """The cell of a point."""
        column = min(max(int(x // self.size), 0), self.wide - 1)
        return min(max(int(y // self.size), 0), self.high - 1) * self.wide + column

    def nearest(self, x: float, y: float) -> int:
        """The point of the net nearest to a point."""
        column = min(max(int(x // self.mesh), 0), self.columns - 1)
        return min(max(int(y // self.mesh), 0), self.lines - 1) * self.columns + column

    def inside(self, point: int) -> str:
        """The building in which a point of the net lies; "" if none."""
        number = int(self.building[self.where[point]])
        return self.pieces[number].id if number >= 0 else ""

    def about(self, x: float, y: float) -> Ints:
        """The point of the net nearest to a point, and those about it."""
        column = min(max(int(x // self.mesh), 0), self.columns - 1)
        line = min(max(int(y // self.mesh), 0), self.lines - 1)
        lines = np.arange(max(line - 1, 0), min(line + 2, self.lines))
        columns = np.arange(max(column - 1, 0), min(column + 2, self.columns))
        return (lines[:, None] * self.columns + columns).ravel()

    # ---- sight ----

    def row(self, x: float, y: float, tall: float | None = None) -> Row:
        """Sight between a point and the whole net; kept for points an inch apart."""
        return self.known_row(x, y, self.ground.eye if tall is None else tall)[1]

    def known_row(self, x: float, y: float, tall: float) -> tuple[RowKey, Row]:
        """The same, with what it is known by: the middle of the inch, unless that is in a building or out of one."""
        mid_x, mid_y = (x // 100 + 0.5) * 100, (y // 100 + 0.5) * 100
        if self.building[self.cell(mid_x, mid_y)] != self.building[self.cell(x, y)]:
            mid_x, mid_y = float(round(x)), float(round(y))
        key = (int(mid_x), int(mid_y), int(tall))
        found = self._rows.get(key)
        if found is None:
            make_room(self._rows, self._kept)
            found = self._rows[key] = self.sight(mid_x, mid_y, self.x, self.y, tall)
        return key, found

    def field(self, key: object, anchor: object, work_out: Callable[[], Floats]) -> Floats:
        """Something over the whole net that is worked out once and not to be changed; while ``anchor`` is the same."""
        found = self._fields.get(key)
        if found is None or found[0] is not anchor:
            make_room(self._fields, self._fields_kept)
            found = self._fields[key] = anchor, work_out()
        return found[1]

    def sight(self, x: float, y: float, xs: Floats, ys: Floats, tall: float) -> Row:
        """Sight between a point and others, by sampling the lines between them; from eyes so tall."""
        away_x, away_y = xs - x, ys - y
        far = np.hypot(away_x, away_y)
        part = (np.arange(SAMPLES) + 0.5) / SAMPLES
        cells = self.cells(x + away_x[:, None] * part, y + away_y[:, None] * part)
        here = self.cell(x, y)
        there = self.cells(xs, ys)
        own, other = self.building[here], self.building[there]
        low = self.hill[here] + tall
        looked_at = self.hill[there] + self.ground.looked_at
        line = low + (looked_at - low)[:, None] * part
        indoors = self.building[cells]
        mine = (indoors >= 0) & ((indoors == own) | (indoors == other[:, None]))
        blocked = ((self.top[cells] > line) & ~mine) | (self.hill[cells] > line + 1)
        seen: Bools = ~blocked.any(axis=1)
        left = np.flatnonzero(seen)
        if self.thicket.any() and len(left):
            seen[left] = ~self._through(self.thicket[cells[left]], far[left])
        return Row(
            seen, far, self._cover(xs, ys, -away_x, -away_y, far, other), self._cover_at(x, y, away_x, away_y, far)
        )

    def _through(self, wood: Bools, far: Floats) -> Bools:
        """Whether lines go through growth: it may be looked into and out of only so deep."""
        deep = self.ground.deep
        count = wood.shape[1]
        step = far[:, None] / count * np.arange(1, count + 1)
        out = np.logical_and.accumulate(wood, axis=1) & (step <= deep)
        into = np.logical_and.accumulate(wood[:, ::-1], axis=1) & (step <= deep)
        found: Bools = (wood & ~out & ~into[:, ::-1]).any(axis=1)
        return found

    def _cover(self, xs: Floats, ys: Floats, dx: Floats, dy: Floats, far: Floats, inside: Ints) -> Bytes:
        """The cover that men at points have from a direction: what they stand in, or a wall at hand."""
        found = self.cover[self.cells(xs, ys)].copy()
        found[inside >= 0] = 2
        safe = np.maximum(far, 1.0)
        ux, uy = dx / safe, dy / safe
        for step in self.ground.at_hand:
            np.maximum(found, self.edge_cover[self.cells(xs + ux * step, ys + uy * step)], out=found)
        return found

    def _cover_at(self, x: float, y: float, dx: Floats, dy: Floats, far: Floats) -> Bytes:
        """The cover that men at one point have from each of many directions."""
        count = len(far)
        inside = np.full(count, self.building[self.cell(x, y)])
        return self._cover(np.full(count, x), np.full(count, y), dx, dy, far, inside)

    def closed(self, x: Floats, y: Floats, column: str) -> Bools:
        """Which points on the table nobody of a column may move over."""
        on_table = (x >= 0) & (x < self.table.width) & (y >= 0) & (y < self.table.height)
        found: Bools = (self.move[column][self.cells(x, y)] == CLOSED) & on_table
        return found

    def crosses(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Whether a straight way crosses a hedge, a wall or the like."""
        part = (np.arange(24) + 0.5) / 24
        return bool(self.obstacle[self.cells(x + (to_x - x) * part, y + (to_y - y) * part)].any())

    def sees(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Whether two points see each other, roughly: one line, for those in a hurry."""
        part = (np.arange(48) + 0.5) / 48
        cells = self.cells(x + (to_x - x) * part, y + (to_y - y) * part)
        here, there = self.cell(x, y), self.cell(to_x, to_y)
        indoors = self.building[cells]
        mine = (indoors >= 0) & ((indoors == self.building[here]) | (indoors == self.building[there]))
        low = self.hill[here] + self.ground.eye
        line = low + (self.hill[there] + self.ground.looked_at - low) * part
        if bool((((self.top[cells] > line) & ~mine) | (self.hill[cells] > line + 1)).any()):
            return False
        wood = self.thicket[cells]
        return not wood.any() or not bool(self._through(wood[None], np.array([math.hypot(to_x - x, to_y - y)]))[0])

    # ---- ways ----

    def reachable(self, x: float, y: float, column: str, far: float, *, run: bool) -> Bools:
        """The points of the net that a move of so far leads to, more or less straight; along a road it leads farther.

        Who runs keeps to free ground.
        """
        key = (x, y, column, far, run)
        found = self._moves.get(key)
        if found is None:
            make_room(self._moves, self._kept)
            found = self._moves[key] = self._reachable(x, y, column, far, run)
        return found.copy()

    def _reachable(self, x: float, y: float, column: str, far: float, run: bool) -> Bools:
        going = self.ground.goings[column]
        away = np.hypot(self.x - x, self.y - y)
        near: Bools = away <= going.road * far
        places = np.flatnonzero(near)
        if not len(places):
            return near
        part = (np.arange(24) + 1) / 24
        xs = x + (self.x[places] - x)[:, None] * part
        ys = y + (self.y[places] - y)[:, None] * part
        limit = FREE if run else SLOW
        cells = self.cells(xs, ys)
        state = self.move[column][cells]
        if going.indoors:
            indoors, here = self.building[cells], self.building[self.cell(x, y)]
            ends = self.building[self.where[places]][:, None]
            state = np.where((indoors >= 0) & ((indoors == here) | (indoors == ends)), FREE, state)
        free = (state <= limit).all(axis=1)
        if going.road > 1:
            free &= (away[places] <= far) | self.road[cells].all(axis=1)
        near[places] = free
        return near

    def turns_to(self, goal: object, sources: Iterable[int], column: str) -> Floats:
        """In how many turns each point of the net leads to a goal, by the quickest way there is."""
        key = (goal, column)
        found = self._turns.get(key)
        if found is None:
            found = self._turns[key] = self._spread(list(sources), column)
        return found

    def turns_near(self, goal: str, x: float, y: float, column: str) -> Floats:
        """In how many turns each point of the net leads to a place that is held, by its name and where it is."""
        found = self._turns.get((goal, column))
        near = self.ground.reach - self.size
        return self.turns_to(goal, self.near_point(x, y, near), column) if found is None else found

    def turns_off(self, edge: str, column: str) -> Floats:
        """In how many turns each point of the net leads to an edge of the table."""
        found = self._turns.get((("edge", edge), column))
        return self.turns_to(("edge", edge), self.along_edge(edge), column) if found is None else found

    def near_point(self, x: float, y: float, reach: float) -> list[int]:
        """The points of the net within a distance of a point; the nearest one at least."""
        away = np.hypot(self.x - x, self.y - y)
        found = np.flatnonzero(away <= reach).tolist()
        return found or [int(away.argmin())]

    def along_edge(self, edge: str) -> list[int]:
        """The points of the net next to an edge of the table."""
        if edge in ("left", "right"):
            return np.flatnonzero(self.x == (self.x.min() if edge == "left" else self.x.max())).tolist()
        return np.flatnonzero(self.y == (self.y.min() if edge == "top" else self.y.max())).tolist()

    def _links(self, column: str) -> list[list[tuple[int, float]]]:
        """From every point of the net its neighbours, with the part of a turn that the step takes."""
        key = ("links", column)
        kept = self._turns.get(key)
        if kept is not None:
            return kept  # type: ignore[return-value]
        going = self.ground.goings[column]
        steps = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (2, -1), (1, 2), (1, -2)]
        links: list[list[tuple[int, float]]] = [[] for _ in self.x]
        part = (np.arange(9)) / 8
        for dx, dy in steps:
            far = math.hypot(dx, dy) * self.mesh
            lines, columns = np.mgrid[0 : self.lines, 0 : self.columns]
            good = (columns + dx < self.columns) & (lines + dy >= 0) & (lines + dy < self.lines)
            starts = (lines * self.columns + columns)[good]
            ends = ((lines + dy) * self.columns + columns + dx)[good]
            xs = self.x[starts][:, None] + dx * self.mesh * part
            ys = self.y[starts][:, None] + dy * self.mesh * part
            cells = self.cells(xs, ys)
            state = self.move[column][cells]
            slow = (state == SLOW).mean(axis=1)
            road = self.road[cells].all(axis=1)
            cost = far * (slow / going.rough + (1 - slow) / going.free) / np.where(road, going.road, 1.0)
            cost = cost + np.where((slow > 0) & (slow < 0.5), going.strip, 0.0)
            for a, b, price, worst in zip(starts.tolist(), ends.tolist(), cost.tolist(), state.max(axis=1).tolist()):
                if worst < CLOSED:
                    links[a].append((b, price))
                    links[b].append((a, price))
        self._turns[key] = links  # type: ignore[assignment]
        return links

    def _spread(self, sources: list[int], column: str) -> Floats:
        """The shortest times from points to all others."""
        links = self._links(column)
        best = [math.inf] * len(self.x)
        heap = [(0.0, source) for source in sources]
        for source in sources:
            best[source] = 0.0
        while heap:
            time, here = heapq.heappop(heap)
            if time > best[here]:
                continue
            for there, price in links[here]:
                if time + price < best[there]:
                    best[there] = time + price
                    heapq.heappush(heap, (time + price, there))
        return np.array(best, dtype=np.float64)


def make_room(kept: dict[Any, Any], most: int) -> None:
    """Where so many things are kept the oldest quarter goes."""
    if len(kept) >= most:
        for old in list(kept)[: most // 4]:
            del kept[old]


def chart_of(table: Table, ground: ChartGround) -> Chart:
    """The chart of a table, drawn once."""
    found: Chart | None = table.cache.get("chart")
    if found is None:
        found = table.cache["chart"] = Chart(table, ground)
    return found
