"""Sight between many models at once: every eye, target, point and edge in arrays.

It gives what `grognard.board.table.sight_plain` gives, which says what the rules are. A line's part inside a ring
needs no sorting: with the ring's edges met at t1, t2, ... in whatever order, entering and leaving in turn, the part
between `low` and `high` is the sum of ±(high - t), each t taken into that span first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, gaps, samples
from grognard.board.table.outlook import visible_outline
from grognard.board.table.scene import (
    BLOCKS,
    CREST,
    LINE,
    NO_THROUGH,
    TINY,
    USUAL,
    Bools,
    Eye,
    Floats,
    Ints,
    Mark,
    Mesh,
    Scene,
    SightRules,
    windows,
)
from grognard.board.table.sight_arrays import Met, below, in_ring, meet, over_base, stretch_gaps
from grognard.board.table.sight_plain import (
    CHORD,
    END,
    FORGIVEN,
    HARD,
    POINTS,
    Crossing,
    Pairs,
    Trace,
    sight_plain,
    trace,
)

__all__ = ["Crossing", "Pairs", "Trace", "sight", "sight_plain", "stretch_gaps", "trace", "visible_outline"]

#: More things than any scene has, to rank cover and then things in one number.
_MANY = 1 << 20
#: Lines worked out in one go, so that arrays stay in the cache; targets wider apart than this are no group.
_ROWS, _WIDE = 4000, 1600


class _Sides(NamedTuple):
    """Eyes and targets as arrays."""

    eyes: Sequence[Eye]
    marks: Sequence[Mark]
    ex: Floats
    ey: Floats
    ez: Floats
    mx: Floats
    my: Floats
    mz: Floats
    sx: Floats  # (targets, points)
    sy: Floats
    eye_in: NDArray[np.int8]  # by the ground's areas
    mark_in: NDArray[np.int8]

    def part(self, group: slice) -> _Sides:
        """The same eyes and some of the targets."""
        return self._replace(
            marks=self.marks[group],
            mx=self.mx[group],
            my=self.my[group],
            mz=self.mz[group],
            sx=self.sx[group],
            sy=self.sy[group],
            mark_in=self.mark_in[group],
        )


def sight(
    scene: Scene,
    eyes: Sequence[Eye],
    targets: Sequence[Body | Mark],
    rules: SightRules = USUAL,
    *,
    not_blocking: Sequence[int] = (),
) -> Pairs:
    """What each eye sees of each target: seen at all, points hidden, cover and by what (11.1, 11.3, 11.4, 11.8).

    ``not_blocking`` numbers blockers that hide nothing here; a blocker that looks or is looked at never hides itself.
    """
    count = len(eyes), len(targets)
    if not eyes or not targets:
        empty = np.zeros(count, np.int64)
        return Pairs(empty > 0, empty, empty.astype(np.int8), empty - 1)
    sides = _sides(scene, eyes, targets, rules)
    groups = _groups(sides)
    if len(groups) == 1:
        return _group(scene, sides, rules, not_blocking)
    parts = [_group(scene, sides.part(group), rules, not_blocking) for group in groups]
    return Pairs(*(np.concatenate(each, axis=1) for each in zip(*parts)))


def _groups(sides: _Sides) -> list[slice]:
    """Targets that stand together, in order: from one group of eyes they have the same few things in the way."""
    count = len(sides.marks)
    most = max(1, _ROWS // (len(sides.eyes) * POINTS))
    if count <= min(most, 16):
        return [slice(0, count)]
    found, start = [], 0
    xs, ys = sides.mx.tolist(), sides.my.tolist()
    box = [xs[0], ys[0], xs[0], ys[0]]
    for number in range(1, count):
        x, y = xs[number], ys[number]
        wider = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
        if number - start >= most or wider[2] - wider[0] > _WIDE or wider[3] - wider[1] > _WIDE:
            found.append(slice(start, number))
            start, wider = number, [x, y, x, y]
        box = wider
    return [*found, slice(start, count)]


def _group(scene: Scene, sides: _Sides, rules: SightRules, not_blocking: Sequence[int]) -> Pairs:
    """What each eye sees of each target of a group."""
    mesh = scene.mesh
    keep = _near(mesh, sides)
    lines = keep & (mesh.sight == LINE)
    reach = _stretches(scene, sides, lines, rules) if lines.any() else None
    keep &= ~lines if reach is None else ~lines | reach.shapes
    covers = _standing(scene, sides, rules)
    if not keep.any():
        ranked = np.broadcast_to(covers, (len(sides.eyes), len(sides.marks)))
        return _pairs(np.zeros(ranked.shape, np.int64), ranked, ranked, rules)
    return _Bulk(scene, sides, keep, reach, rules, not_blocking).pairs(covers)


def _sides(scene: Scene, eyes: Sequence[Eye], targets: Sequence[Body | Mark], rules: SightRules) -> _Sides:
    marks = [target if isinstance(target, Mark) else Mark(target) for target in targets]
    ground = scene.ground
    ex, ey, ez = np.array([eye[:3] for eye in eyes], np.float64).T
    spots = np.array([(m.body.x, m.body.y, m.body.foot.height) for m in marks], np.float64)
    mx, my = spots[:, 0], spots[:, 1]
    where = ground.where(np.concatenate((ex, mx)), np.concatenate((ey, my)))
    height = ground.heights(where)
    points = _points(scene, marks)
    return _Sides(
        eyes,
        marks,
        ex,
        ey,
        ez + height[: len(ex)],
        mx,
        my,
        rules.target_height * spots[:, 2] + height[len(ex) :],
        points[..., 0],
        points[..., 1],
        where[: len(ex)],
        where[len(ex) :],
    )


def _points(scene: Scene, marks: Sequence[Mark]) -> Floats:
    """The nine points of each target."""
    first = marks[0].body.foot
    if first.shape == DISC and all(mark.body.foot == first and not mark.inside for mark in marks):
        # A unit of men: the rim is the same for all.
        about = samples(Body(0, 0, 0, first))
        at = np.array([(mark.body.x, mark.body.y) for mark in marks], np.float64)
        return np.asarray(at[:, None, :] + about[None])
    return np.array(
        [windows(scene.table, mark.inside) if mark.inside else samples(mark.body) for mark in marks], np.float64
    )


def _near(mesh: Mesh, sides: _Sides) -> Bools:
    """The shapes that may have to do with any of the lines: those in the strip between the two groups."""
    if not len(mesh.thing):
        return np.zeros(0, np.bool_)
    xs = np.concatenate((sides.ex, sides.sx.ravel()))
    ys = np.concatenate((sides.ey, sides.sy.ravel()))
    keep: Bools = (mesh.low_x <= xs.max()) & (mesh.high_x >= xs.min())
    keep &= (mesh.low_y <= ys.max()) & (mesh.high_y >= ys.min())
    keep &= (mesh.top > min(float(sides.ez.min()), float(sides.mz.min()))) | (mesh.sight == LINE)
    if not keep.any():
        return keep
    # Along the middle line and across it.
    n, m = len(sides.ex), len(sides.mx)
    ux = float(np.add.reduce(sides.mx)) / m - float(np.add.reduce(sides.ex)) / n
    uy = float(np.add.reduce(sides.my)) / m - float(np.add.reduce(sides.ey)) / n
    for ax, ay in ((-uy, ux), (ux, uy)):
        theirs, ours = mesh.x * ax + mesh.y * ay, xs * ax + ys * ay
        keep &= np.minimum.reduceat(theirs, mesh.start) <= ours.max()
        keep &= np.maximum.reduceat(theirs, mesh.start) >= ours.min()
    return keep


# ---- lines -------------------------------------------------------------------------------------------------


class _Reach(NamedTuple):
    """Who is at which stretch of the lines; a stretch is known by the corner at which it begins."""

    corners: Ints
    eyes: Bools  # (eyes, stretches)
    marks: Bools
    high: Bools
    gives: Bools  # (eyes, targets, stretches): cover, if the stretch is crossed
    shapes: Bools  # the shapes that are still of interest


def _stretches(scene: Scene, sides: _Sides, keep: Bools, rules: SightRules) -> _Reach | None:
    """The stretches of lines that hide or cover anybody, if there are any: high ones, and those at a target."""
    mesh = scene.mesh
    corners = np.flatnonzero(keep[mesh.shape] & mesh.edge)
    shape = mesh.shape[corners]
    high = mesh.height[shape] >= rules.low
    within = rules.at_hand + FORGIVEN
    ax, ay, bx, by = mesh.x[corners], mesh.y[corners], mesh.x[corners + 1], mesh.y[corners + 1]
    marks = stretch_gaps([mark.body for mark in sides.marks], ax, ay, bx, by, within) <= within
    wanted = high | (marks.any(axis=0) & (mesh.cover[shape] > 0) & rules.line_cover)
    if not wanted.any():
        return None
    corners, shape, high, marks = corners[wanted], shape[wanted], high[wanted], marks[:, wanted]
    ax, ay, bx, by = ax[wanted], ay[wanted], bx[wanted], by[wanted]
    eyes = stretch_gaps([eye.body for eye in sides.eyes], ax, ay, bx, by, within) <= within
    ours = (bx - ax) * (sides.ey[:, None] - ay) - (by - ay) * (sides.ex[:, None] - ax)
    theirs = (bx - ax) * (sides.my[:, None] - ay) - (by - ay) * (sides.mx[:, None] - ax)
    far = (np.abs(theirs) <= TINY)[None] | ((ours > 0)[:, None] != (theirs > 0)[None])
    off = np.abs(ours) > TINY
    far &= (off if rules.both_at_line else off & ~eyes)[:, None] & marks[None]
    if not rules.line_cover:
        far[:] = False
    shapes = np.zeros(len(mesh.thing), np.bool_)
    shapes[shape] = True
    return _Reach(corners, eyes, marks, high, far, shapes)


# ---- cover where one stands --------------------------------------------------------------------------------


def _rank(level: Ints, thing: Ints) -> Ints:
    """Cover as one number: more cover first, then the thing that comes first."""
    return level * _MANY + (_MANY - 1 - thing)


def _standing(scene: Scene, sides: _Sides, rules: SightRules) -> Ints:
    """The best area cover of each target, ranked; 0 for none."""
    ground = scene.ground
    best = np.zeros(len(sides.marks), np.int64)
    if len(ground.areas) and rules.area_cover:
        ranks = np.where(ground.area_cover > 0, _rank(ground.area_cover, ground.areas), 0)
        best = ((sides.mark_in > 0) * ranks).max(axis=1)
    for number in range(len(scene.table.pieces), scene.first_blocker if rules.smoke_cover else 0):
        cloud = scene.moving[number - len(scene.table.pieces)]
        within = in_ring(cloud.points, sides.mx, sides.my) > 0
        best = np.maximum(best, within * (cloud.cover * _MANY + (_MANY - 1 - number)) * (cloud.cover > 0))
    for number, mark in enumerate(sides.marks):
        if mark.inside:
            piece = ground.number[mark.inside]
            found = np.flatnonzero(ground.areas == piece)
            level = int(ground.area_cover[found[0]]) if len(found) else 0
            if level:
                best[number] = max(int(best[number]), level * _MANY + (_MANY - 1 - piece))
    return best


# ---- everything at once ------------------------------------------------------------------------------------


def _span(x: Floats, y: Floats) -> tuple[float, float, float, float]:
    """The box about some points: left, right, top and bottom."""
    return float(x.min()), float(x.max()), float(y.min()), float(y.max())


def _overlap(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    """Whether two boxes have anything in common."""
    return one[0] <= two[1] and two[0] <= one[1] and one[2] <= two[3] and two[2] <= one[3]


class _Bulk:
    """All lines against the shapes that are kept."""

    def __init__(
        self,
        scene: Scene,
        sides: _Sides,
        keep: Bools,
        reach: _Reach | None,
        rules: SightRules,
        not_blocking: Sequence[int],
    ) -> None:
        self.scene, self.sides, self.reach, self.rules = scene, sides, reach, rules
        mesh = scene.mesh
        self.kept = np.flatnonzero(keep)
        self.corners = np.flatnonzero(keep[mesh.shape])
        #: The number among the kept shapes of each shape.
        self.local = np.zeros(len(keep), np.int64)
        self.local[self.kept] = np.arange(len(self.kept))
        self.shape = self.local[mesh.shape[self.corners]]
        self.sight, self.thing = mesh.sight[self.kept], mesh.thing[self.kept]
        self.top = mesh.top[self.kept]
        level = np.where(mesh.cover[self.kept] > 0, mesh.cover[self.kept], rules.screen_cover)
        level[mesh.cover[self.kept] < 0] = rules.blocker_cover
        level[self.sight == CREST] = rules.crest_cover
        self.level = level
        self._who(not_blocking)

    def _who(self, not_blocking: Sequence[int]) -> None:
        """For each eye and target, the kept shapes that it is in, looks out of, or is itself."""
        scene, sides, kept = self.scene, self.sides, self.kept
        n, m, shapes = len(sides.eyes), len(sides.marks), len(kept)
        eye_in, mark_in = np.zeros((n, shapes), np.int8), np.zeros((m, shapes), np.int8)
        #: Shapes that do not hide for an eye or a target at all.
        self.eye_free, self.mark_free = np.zeros((n, shapes), np.bool_), np.zeros((m, shapes), np.bool_)
        self.out_of = np.zeros((n, shapes), np.bool_)
        self.same = np.zeros((n, m), np.bool_)
        solid = self.sight != LINE
        column = scene.ground.column.take(self.thing, mode="clip")
        fixed = np.flatnonzero(solid & (self.thing < len(scene.table.pieces)) & (column >= 0))
        eye_in[:, fixed], mark_in[:, fixed] = sides.eye_in[:, column[fixed]], sides.mark_in[:, column[fixed]]
        mesh = scene.mesh
        solid[fixed] = False
        ours, theirs = _span(sides.ex, sides.ey), _span(sides.mx, sides.my)
        for number in np.flatnonzero(solid).tolist():
            thing, shape = int(self.thing[number]), kept[number]
            ring = scene.moving[thing - len(scene.table.pieces)].points
            box = mesh.low_x[shape], mesh.high_x[shape], mesh.low_y[shape], mesh.high_y[shape]
            if _overlap(box, ours):
                eye_in[:, number] = in_ring(ring, sides.ex, sides.ey)
            if _overlap(box, theirs):
                mark_in[:, number] = in_ring(ring, sides.mx, sides.my)
            if thing >= scene.first_blocker:
                body = scene.blockers[thing - scene.first_blocker]
                if thing - scene.first_blocker in not_blocking:
                    self.eye_free[:, number] = True
                self.eye_free[:, number] |= [eye.body == body for eye in sides.eyes]
                self.mark_free[:, number] |= [mark.body == body for mark in sides.marks]
        blocks = self.sight == BLOCKS
        self.eye_free |= (eye_in == 2) & blocks
        self.mark_free |= (mark_in == 2) & blocks
        by_thing = {int(thing): number for number, thing in enumerate(self.thing)}
        for i, eye in enumerate(sides.eyes):
            number = by_thing.get(scene.ground.number.get(eye.inside, -1), -1) if eye.inside else -1
            if number >= 0 and blocks[number]:
                self.eye_free[i, number] = self.out_of[i, number] = True
                self.same[i] = [mark.inside == eye.inside for mark in sides.marks]
        for j, mark in enumerate(sides.marks):
            number = by_thing.get(scene.ground.number.get(mark.inside, -1), -1) if mark.inside else -1
            if number >= 0:
                self.mark_free[j, number] = False
        self.contains = (eye_in > 0)[:, None] | (mark_in > 0)[None]

    def pairs(self, standing: Ints) -> Pairs:
        hide, lines = self._hide()
        n, m = lines.shape
        points = hide.view(np.uint8).reshape(len(hide), n * m, POINTS)
        counts = points.sum(axis=2, dtype=np.int64)
        hidden = np.logical_or.reduce(hide, axis=0).reshape(n, m, POINTS).sum(axis=2, dtype=np.int64)
        score = counts * 2 + ((self.level == HARD)[:, None] & (counts > 0))
        main = score.argmax(axis=0).reshape(n, m)
        hider = np.where(hidden > 0, _rank(self.level[main], self.thing[main]), 0)
        best = np.maximum(standing, lines)
        if self.rules.partly_hidden:
            best = np.maximum(best, hider)
        return _pairs(hidden, best, hider, self.rules)

    def _hide(self) -> tuple[Bools, Ints]:
        """Which shape hides which line (eye, target, point), and the ranked cover behind lines."""
        sides = self.sides
        n, m, shapes = len(sides.eyes), len(sides.marks), len(self.kept)
        rows = n * m * POINTS
        dx = (sides.sx[None] - sides.ex[:, None, None]).reshape(rows)
        dy = (sides.sy[None] - sides.ey[:, None, None]).reshape(rows)
        ex, ey = np.repeat(sides.ex, m * POINTS), np.repeat(sides.ey, m * POINTS)
        length = np.maximum(dx * dx + dy * dy, TINY)
        ax, ay = dx / length, dy / length
        aside = np.array((-dy, dx, dy * ex - dx * ey))
        along = np.array((ax, ay, -(ax * ex + ay * ey)))
        self.pair = np.repeat(np.arange(n * m), POINTS)
        hide = np.zeros((shapes, rows), np.bool_)
        lines = np.zeros(n * m, np.int64)
        flat = self.sight[self.shape] == LINE
        if not flat.all():
            self._rings(hide, meet(self.scene.mesh, self.corners[~flat], aside, along), np.sqrt(length))
        if self.reach is not None and flat.any():
            self._lines(hide, lines, meet(self.scene.mesh, self.corners[flat], aside, along))
        return hide, lines.reshape(n, m)

    def _z(self, pair: Ints, t: Floats) -> Floats:
        """How high the lines of pairs are."""
        m = len(self.sides.marks)
        z0, z1 = self.sides.ez[pair // m], self.sides.mz[pair % m]
        return np.asarray(z0 + t * (z1 - z0))

    def _rings(self, hide: Bools, met: Met, length: Floats) -> None:
        if not len(met.row):
            return
        sides, mesh = self.sides, self.scene.mesh
        n, m, shapes, rows = len(sides.eyes), len(sides.marks), len(self.kept), len(length)
        shape = self.local.take(mesh.shape.take(met.corner))
        pair = self.pair.take(met.row)
        low, high = below(sides.ez, sides.mz, self.top)
        slot, cell = pair * shapes + shape, shape * rows + met.row
        upper = high.ravel().take(slot)
        share = met.sign * (upper - np.minimum(np.maximum(met.t, low.ravel().take(slot)), upper))
        inside = np.abs(np.bincount(cell, share, rows * shapes)).reshape(shapes, rows)
        inside *= length
        hides = inside > CHORD
        woods = np.flatnonzero(self.sight == NO_THROUGH)
        if len(woods):
            # A line that ends inside has been entered more often than left.
            ends = np.bincount(cell, met.sign * (met.t < 1.0), rows * shapes).reshape(shapes, rows)[woods]
            only_deep = np.repeat(self.contains[..., woods].reshape(n * m, -1).T, POINTS, axis=1)
            only_deep |= np.abs(ends) > 0.5
            depth = (mesh.depth[self.kept[woods]] + FORGIVEN)[:, None]
            deep = inside[woods] > depth
            if (deep & only_deep).any():
                # It counts from base to base: what lies over the bases themselves is left out.
                begin, end = self._between(np.flatnonzero((deep & only_deep).any(axis=0)), rows)
                lower = np.maximum(low.ravel().take(slot), begin[met.row])
                upper = np.maximum(np.minimum(upper, end[met.row]), lower)
                share = met.sign * (upper - np.minimum(np.maximum(met.t, lower), upper))
                between = np.abs(np.bincount(cell, share, rows * shapes)).reshape(shapes, rows)[woods] * length
                apart = np.repeat(self._gaps(), POINTS)
                deep &= (np.minimum(between, apart) > depth) | ~only_deep
            hides[woods] &= ~only_deep | deep
        if self.eye_free.any() or self.mark_free.any():
            free = (self.eye_free[:, None] | self.mark_free[None]).reshape(n * m, shapes)
            hides &= ~np.repeat(free.T, POINTS, axis=1)
        hide |= hides
        if self.out_of.any():
            walls = np.flatnonzero(mesh.wall[met.corner] & (met.t > END) & (met.t < 1 - END))
            row, shape, pair, t = met.row[walls], shape[walls], pair[walls], met.t[walls]
            stops = self.out_of[pair // m, shape] & ~self.same.reshape(-1)[pair] & (self._z(pair, t) < self.top[shape])
            hide[shape[stops], row[stops]] = True

    def _between(self, wanted: Ints, rows: int) -> tuple[Floats, Floats]:
        """Where lines leave the base of the eye and come to that of the target; 0 and 1 for those not wanted."""
        sides = self.sides
        m = len(sides.marks)
        begin, end = np.zeros(rows), np.ones(rows)
        i, j = wanted // (m * POINTS), wanted // POINTS % m
        x, y = sides.ex[i], sides.ey[i]
        dx, dy = sides.sx.reshape(-1)[wanted % (m * POINTS)] - x, sides.sy.reshape(-1)[wanted % (m * POINTS)] - y
        for number, eye in enumerate(sides.eyes):
            some = np.flatnonzero(i == number)
            low, high = over_base(eye.body, x[some], y[some], dx[some], dy[some])
            begin[wanted[some]] = np.where((low < high) & (low <= 0), high, 0.0)
        for number, mark in enumerate(sides.marks):
            some = np.flatnonzero(j == number) if not mark.inside else wanted[:0]
            low, high = over_base(mark.body, x[some], y[some], dx[some], dy[some])
            end[wanted[some]] = np.where(low < high, low, 1.0)
        return begin, end

    def _gaps(self) -> Floats:
        """How far each eye's base is from each target's, by pairs; whoever is in a building is measured by lines."""
        sides = self.sides
        found = gaps([eye.body for eye in sides.eyes], [mark.body for mark in sides.marks])
        found[:, [number for number, mark in enumerate(sides.marks) if mark.inside]] = np.inf
        return found.ravel()

    def _lines(self, hide: Bools, lines: Ints, met: Met) -> None:
        """High lines hide unless one is at them; a line at hand before a target covers it (11.8)."""
        reach, mesh = self.reach, self.scene.mesh
        assert reach is not None
        number = np.full(len(mesh.x), -1, np.int64)
        number[reach.corners] = np.arange(len(reach.corners))
        known = (number[met.corner] >= 0) & (met.t > END) & (met.t < 1 - END)
        row, corner, t = met.row[known], met.corner[known], met.t[known]
        stretch, shape, pair = number[corner], self.local[mesh.shape[corner]], self.pair[row]
        m = len(self.sides.marks)
        i, j = pair // m, pair % m
        blocks = reach.high[stretch] & ~reach.eyes[i, stretch] & ~reach.marks[j, stretch]
        blocks &= self._z(pair, t) < mesh.edge_top[corner]
        hide[shape[blocks], row[blocks]] = True
        gives = reach.gives[i, j, stretch]
        if self.rules.middle_behind_line:
            gives &= row % POINTS == 0
        if gives.any():
            cover, thing = mesh.cover[self.kept[shape[gives]]], self.thing[shape[gives]]
            np.maximum.at(lines, pair[gives], np.where(cover > 0, _rank(cover, thing), 0))


def _pairs(hidden: Ints, best: Ints, hider: Ints, rules: SightRules) -> Pairs:
    seen = hidden < POINTS
    rank = np.where(seen, best, hider)
    level = np.where(seen, best // _MANY, rules.hidden_cover)
    by = np.where((rank > 0) & ~(seen & (level == 0)), _MANY - 1 - rank % _MANY, -1)
    return Pairs(seen, hidden, level.astype(np.int8), by)
