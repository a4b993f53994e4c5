"""Sight between two models as one would explain it: line by line, feature by feature.

This is the reference for the arrays of `grognard.board.table.sight`, and what the tool that explains a line uses. A
sight line runs from an eye to one of nine points of the target (B9), at a part of its height (B10). Things hide what
lies behind them below their top; woods may be looked into but not through; a line such as a bocage hides unless one
of the two is at it. Cover comes from where the target stands, from a line at hand before it, and from being hidden in
part (11.4, 11.8).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, direction, gap, gap_to_line, samples
from grognard.board.table.places import from_edges
from grognard.board.table.scene import (
    BLOCKS,
    COVERS,
    CREST,
    LINE,
    NO_THROUGH,
    TINY,
    USUAL,
    Eye,
    Mark,
    Scene,
    Shape,
    SightRules,
    windows,
)

#: A line that runs this little inside a thing, in hundredths, passes it.
CHORD = 1e-3
#: "Within" and "longer than" forgive this much, in hundredths.
FORGIVEN = 0.01
#: The ends of a sight line do not cross what they touch.
END = 1e-9
NONE, SOFT, HARD = 0, 1, 2
POINTS = 9

Spot = tuple[float, float]
BLOCK, COVER, NOTHING = "block", "cover", "none"


class Pairs(NamedTuple):
    """What each eye sees of each target: whether at all, how many of nine points are hidden, the cover, and by what.

    ``by`` numbers the scene's things: what hides a target that is not seen, or what gives the cover; -1 for nothing.
    """

    seen: NDArray[np.bool_]
    hidden: NDArray[np.int64]
    cover: NDArray[np.int8]
    by: NDArray[np.int64]


class Crossing(NamedTuple):
    """One thing that has to do with a sight line: where it is met, what it does, and why in a word and a sentence.

    ``why`` is one of: through, deep, entered, behind, crest, high_line, inside, over, at_hand, too_far, area, line,
    part, wall. ``points`` is how many of the target's nine points it hides.
    """

    thing: int
    id: str
    title: str
    at: Spot
    effect: str
    why: str
    says: str
    points: int = 0
    cover: int = 0


class Trace(NamedTuple):
    """What an eye sees of a target and why; ``lines`` are the nine sight lines with what first hides each (-1)."""

    seen: bool
    hidden: int
    cover: int
    by: int
    crossings: list[Crossing]
    lines: list[tuple[Spot, int]]


class Ray(NamedTuple):
    """A sight line in plan, and the heights of its ends."""

    x: float
    y: float
    dx: float
    dy: float
    z0: float
    z1: float

    def at(self, t: float) -> Spot:
        return self.x + t * self.dx, self.y + t * self.dy

    @property
    def length(self) -> float:
        return math.sqrt(self.dx * self.dx + self.dy * self.dy)


def place_in(points: Sequence[Spot], x: float, y: float) -> int:
    """Where a point is: 0 outside a ring, 1 on its edge, 2 inside."""
    inside = 0
    for number, (bx, by) in enumerate(points):
        ax, ay = points[number - 1]
        side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if abs(side) <= TINY and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 1
        if (ay > y) != (by > y) and (side > 0) == (by > ay):
            inside = 2 - inside
    return inside


def meets(ray: Ray, a: Spot, b: Spot) -> float | None:
    """Where the endless line of a ray meets an edge: 0 at the eye, 1 at the target's point; None if it does not."""
    one = ray.dx * (a[1] - ray.y) - ray.dy * (a[0] - ray.x)
    two = ray.dx * (b[1] - ray.y) - ray.dy * (b[0] - ray.x)
    if (one > TINY) == (two > TINY):
        return None
    part = one / (one - two)
    px, py = a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])
    return ((px - ray.x) * ray.dx + (py - ray.y) * ray.dy) / max(ray.dx * ray.dx + ray.dy * ray.dy, TINY)


def inside_parts(ray: Ray, ring: Sequence[Spot]) -> list[tuple[float, float]]:
    """The parts of a ray's endless line inside a ring, in order."""
    found = sorted(t for n in range(len(ring)) if (t := meets(ray, ring[n - 1], ring[n])) is not None)
    return list(zip(found[::2], found[1::2]))


def below(z0: float, z1: float, top: float) -> tuple[float, float]:
    """The part of a ray that is lower than a top."""
    if z0 == z1:
        return (0.0, 1.0) if z0 < top else (0.0, 0.0)
    cut = min(1.0, max(0.0, (top - z0) / (z1 - z0)))
    return (0.0, cut) if z1 > z0 else (cut, 1.0)


def over_base(ray: Ray, body: Body) -> tuple[float, float] | None:
    """The part of a ray that lies over a base, None if it misses it or only touches it."""
    foot, (x, y) = body.foot, (ray.x - body.x, ray.y - body.y)
    if foot.shape == DISC:
        a = max(ray.dx * ray.dx + ray.dy * ray.dy, TINY)
        b, c = x * ray.dx + y * ray.dy, x * x + y * y - foot.radius * foot.radius
        root = b * b - a * c
        if root <= 0:
            return None
        low, high = (-b - math.sqrt(root)) / a, (-b + math.sqrt(root)) / a
    else:
        fx, fy = direction(body.heading)
        low, high = -math.inf, math.inf
        for at, way, half in (
            (x * fx + y * fy, ray.dx * fx + ray.dy * fy, foot.length / 2),
            (y * fx - x * fy, ray.dy * fx - ray.dx * fy, foot.width / 2),
        ):
            if abs(way) <= TINY:
                if abs(at) > half:
                    return None
                continue
            one, two = sorted(((-half - at) / way, (half - at) / way))
            low, high = max(low, one), min(high, two)
    low, high = max(low, 0.0), min(high, 1.0)
    return (low, high) if low < high else None


class Finding(NamedTuple):
    """What a shape does to one sight line: whether it hides the point, why, and where it is met (or None)."""

    hides: bool
    why: str
    at: Spot


class Look:
    """One eye and one target: everything that has to do with the nine lines between them."""

    def __init__(
        self, scene: Scene, eye: Eye, target: Body | Mark, rules: SightRules, not_blocking: Sequence[int] = ()
    ) -> None:
        self.scene, self.eye, self.rules = scene, eye, rules
        self.mark = target if isinstance(target, Mark) else Mark(target)
        self.not_blocking = frozenset(not_blocking)
        body, table = self.mark.body, scene.table
        z0 = self._ground(eye.x, eye.y) + eye.z
        z1 = self._ground(body.x, body.y) + rules.target_height * body.foot.height
        spots = (
            windows(table, self.mark.inside) if self.mark.inside else [(float(x), float(y)) for x, y in samples(body)]
        )
        self.rays = [Ray(eye.x, eye.y, x - eye.x, y - eye.y, z0, z1) for x, y in spots]
        #: For each shape, what it does to each of the rays.
        self.findings: list[list[Finding | None]] = [self._shape(shape) for shape in scene.shapes]
        self.hiding = [sum(f is not None and f.hides for f in found) for found in self.findings]
        self.hidden = sum(any(f is not None and f.hides for f in column) for column in zip(*self.findings))

    def _ground(self, x: float, y: float) -> float:
        table = self.scene.table
        hills = [piece for piece in table.pieces if table.kind(piece).sight == "crest"]
        return float(max((table.height_of(p) for p in hills if place_in(p.points, x, y)), default=0))

    # what hides

    def _shape(self, shape: Shape) -> list[Finding | None]:
        if shape.sight == LINE:
            return [self._line(shape, ray) for ray in self.rays]
        if shape.thing >= self.scene.first_blocker:
            number = shape.thing - self.scene.first_blocker
            if number in self.not_blocking or self.scene.blockers[number] in (self.eye.body, self.mark.body):
                return [None] * POINTS
        eye_in, mark_in = self._in(shape, self.eye.x, self.eye.y), self._in(shape, *self.mark.body[:2])
        return [self._area(shape, ray, eye_in, mark_in) for ray in self.rays]

    def _in(self, shape: Shape, x: float, y: float) -> int:
        pieces = self.scene.table.pieces
        return place_in(pieces[shape.thing].points if shape.thing < len(pieces) else shape.points, x, y)

    def _area(self, shape: Shape, ray: Ray, eye_in: int, mark_in: int) -> Finding | None:
        parts = inside_parts(ray, shape.points)
        crossed = [(a, b) for a, b in parts if b > 0 and a < 1]
        low, high = below(ray.z0, ray.z1, shape.tops[0])
        under = [(max(a, low), min(b, high)) for a, b in crossed if min(b, high) > max(a, low)]
        length = sum(b - a for a, b in under) * ray.length
        piece = self.scene.things[shape.thing].id
        if shape.sight == BLOCKS and self.eye.inside == piece:
            return self._out_of(shape, ray)
        if not crossed:
            return None
        met = ray.at(max(crossed[0][0], 0.0))
        if length <= CHORD:
            return Finding(False, "over", met)
        met = ray.at(under[0][0])
        if shape.sight == CREST:
            return Finding(True, "crest", met)
        if shape.sight == NO_THROUGH:
            ends_in = any(a < 1 <= b for a, b in parts)
            if eye_in or mark_in or ends_in:
                deep = self._deep(under, ray) > shape.depth + FORGIVEN
                return Finding(deep, "deep" if deep else "entered", met)
            return Finding(True, "through", met)
        if eye_in == 2 or (mark_in == 2 and self.mark.inside != piece):
            return Finding(False, "inside", met)
        return Finding(True, "behind", met)

    def _deep(self, under: Sequence[tuple[float, float]], ray: Ray) -> float:
        """How deep in woods a line runs, from base to base: what of it lies over the bases themselves is left out."""
        body = None if self.mark.inside else self.mark.body
        leaves = over_base(ray, self.eye.body)
        enters = over_base(ray, body) if body is not None else None
        begin = leaves[1] if leaves is not None and leaves[0] <= 0 else 0.0
        end = enters[0] if enters is not None else 1.0
        found = sum(max(0.0, min(b, end) - max(a, begin)) for a, b in under) * ray.length
        return found if body is None else min(found, gap(self.eye.body, body))

    def _out_of(self, shape: Shape, ray: Ray) -> Finding | None:
        """A man in a building looks out of its openings; a wall without one stops him (25.3)."""
        if self.mark.inside == self.eye.inside:
            return None
        ring = shape.points
        for number, wall in enumerate(shape.walls):
            t = meets(ray, ring[number], ring[(number + 1) % len(ring)]) if wall else None
            if t is not None and END < t < 1 - END and ray.z0 + t * (ray.z1 - ray.z0) < shape.tops[0]:
                return Finding(True, "wall", ray.at(t))
        return None

    def _line(self, shape: Shape, ray: Ray) -> Finding | None:
        found: Finding | None = None
        for number, (a, b) in enumerate(zip(shape.points, shape.points[1:])):
            t = meets(ray, a, b)
            if t is None or not END < t < 1 - END:
                continue
            if not self.solid(shape):
                found = found or Finding(False, "too_far", ray.at(t))
            elif ray.z0 + t * (ray.z1 - ray.z0) >= shape.tops[number]:
                found = found or Finding(False, "over", ray.at(t))
            elif self._at(self.eye.body, a, b) or self._at(self.mark.body, a, b):
                found = found or Finding(False, "at_hand", ray.at(t))
            else:
                return Finding(True, "high_line", ray.at(t))
        return found

    def solid(self, shape: Shape) -> bool:
        """Whether a line is high enough to hide (11.8)."""
        return shape.height >= self.rules.low

    def _at(self, body: Body, a: Spot, b: Spot) -> bool:
        return gap_to_line(body, [a, b]) <= self.rules.at_hand + FORGIVEN

    # cover

    def level(self, shape: Shape) -> int:
        """The cover of what a shape hides in part."""
        if shape.sight == CREST:
            return self.rules.crest_cover
        if shape.cover < 0:
            return self.rules.blocker_cover
        return shape.cover or self.rules.screen_cover

    def standing(self) -> list[tuple[int, int]]:
        """The area cover in which the target stands, and the building that it is in: level and thing."""
        table, found = self.scene.table, []
        for number, piece in enumerate(table.pieces):
            level = COVERS[table.kind(piece).cover]
            if piece.id == self.mark.inside and level:
                found.append((level, number))
            elif not table.kind(piece).linear and level and self.rules.area_cover:
                if place_in(piece.points, self.mark.body.x, self.mark.body.y):
                    found.append((level, number))
        clouds = self.scene.moving[: len(self.scene.smoke)] if self.rules.smoke_cover else ()
        x, y = self.mark.body.x, self.mark.body.y
        found += [(cloud.cover, cloud.thing) for cloud in clouds if cloud.cover and place_in(cloud.points, x, y)]
        return found

    def behind(self, shape: Shape) -> bool:
        """Whether a line gives the target cover: at hand, on its far side, the firer not at the same stretch (11.8)."""
        if not self.rules.line_cover or not shape.cover:
            return False
        return any(self._stretch(a, b) for a, b in zip(shape.points, shape.points[1:]))

    def _stretch(self, a: Spot, b: Spot) -> bool:
        def side(x: float, y: float) -> float:
            return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])

        body = self.mark.body
        ours, theirs = side(self.eye.x, self.eye.y), side(body.x, body.y)
        far = abs(ours) > TINY and (abs(theirs) <= TINY or (ours > 0) != (theirs > 0))
        if not far or not self._at(body, a, b) or (self._at(self.eye.body, a, b) and not self.rules.both_at_line):
            return False
        rays = self.rays[:1] if self.rules.middle_behind_line else self.rays
        return any((t := meets(ray, a, b)) is not None and END < t < 1 - END for ray in rays)

    def main_hider(self) -> int | None:
        """The shape that hides the most points; of several the one that gives hard cover (B15)."""
        best, most = None, 0
        for number, (shape, count) in enumerate(zip(self.scene.shapes, self.hiding)):
            score = 2 * count + (self.level(shape) == HARD) if count else 0
            if score > most:
                best, most = number, score
        return best

    def result(self) -> tuple[bool, int, int, int]:
        """Whether the target is seen, how many points are hidden, its cover and what decides."""
        hider = self.main_hider()
        shapes = self.scene.shapes
        if self.hidden == POINTS:
            assert hider is not None
            return False, POINTS, self.rules.hidden_cover, shapes[hider].thing
        found = self.standing()
        found += [(shape.cover, shape.thing) for shape in shapes if shape.sight == LINE and self.behind(shape)]
        if hider is not None and self.rules.partly_hidden:
            found.append((self.level(shapes[hider]), shapes[hider].thing))
        level, thing = max(found, key=lambda item: (item[0], -item[1]), default=(NONE, -1))
        return True, self.hidden, level, thing if level else -1


def sight_plain(
    scene: Scene,
    eyes: Sequence[Eye],
    targets: Sequence[Body | Mark],
    rules: SightRules = USUAL,
    *,
    not_blocking: Sequence[int] = (),
) -> Pairs:
    """What each eye sees of each target, one pair at a time; see `grognard.board.table.sight.sight`."""
    looks = [[Look(scene, eye, target, rules, not_blocking).result() for target in targets] for eye in eyes]
    shape = len(eyes), len(targets)
    table = np.array(looks, np.int64).reshape(*shape, 4)
    return Pairs(table[..., 0] != 0, table[..., 1], table[..., 2].astype(np.int8), table[..., 3])


# ---- a line explained --------------------------------------------------------------------------------------

_SAYS = {
    "through": "you can see into it or out of it, not through it",
    "deep": "the line runs deeper inside than you can see",
    "entered": "the line only enters or leaves it",
    "behind": "it stands in the way",
    "crest": "the ground rises above the line",
    "high_line": "it is too high to see over, and neither unit is at it",
    "wall": "there is no opening on this side",
    "inside": "one of the two units is in it",
    "over": "the line passes above it",
    "at_hand": "one of the two units is at it and sees over it",
    "too_far": "it is low and hides nothing",
    "near_firer": "the firer is at the same stretch of it",
    "far_target": "the target is not at it",
    "near_side": "the target is on the near side of it",
    "area": "the target stands in it",
    "building": "the target is inside and seen at its openings",
    "line": "the target is at it on the far side",
}
_LEVELS = ("no", "soft", "hard")


def trace(
    scene: Scene,
    eye: Eye,
    target: Body | Mark,
    rules: SightRules = USUAL,
    *,
    not_blocking: Sequence[int] = (),
) -> Trace:
    """Why an eye sees a target or not, and where its cover comes from: every thing on the way, nearest first."""
    look = Look(scene, eye, target, rules, not_blocking)
    seen, hidden, cover, by = look.result()
    hider = look.main_hider()
    found: list[Crossing] = []
    for number, (shape, met) in enumerate(zip(scene.shapes, look.findings)):
        first = next((f for f in met if f is not None and f.hides), None) or next((f for f in met if f), None)
        if shape.sight == LINE and look.behind(shape):
            at = first.at if first else (float(look.mark.body.x), float(look.mark.body.y))
            found.append(_crossing(scene, shape.thing, at, COVER, "line", look.hiding[number], shape.cover))
        elif first is not None:
            count = look.hiding[number]
            effect, level = NOTHING, NONE
            if count:
                effect = BLOCK
                level = look.level(shape) if number == hider and seen and rules.partly_hidden else NONE
            why = _why_not(look, shape) if first.why == "too_far" and shape.cover else first.why
            found.append(_crossing(scene, shape.thing, first.at, effect, why, count, level))
    found.sort(key=lambda each: (each.at[0] - eye.x) ** 2 + (each.at[1] - eye.y) ** 2)
    spot = float(look.mark.body.x), float(look.mark.body.y)
    for level, thing in look.standing():
        inside = scene.things[thing].id == look.mark.inside
        found.append(_crossing(scene, thing, spot, COVER, "building" if inside else "area", 0, level))
    lines = []
    for number, ray in enumerate(look.rays):
        hit = [
            (math.dist(f.at, (eye.x, eye.y)), shape.thing)
            for shape, met in zip(scene.shapes, look.findings)
            if (f := met[number]) is not None and f.hides
        ]
        lines.append((ray.at(1.0), min(hit)[1] if hit else -1))
    return Trace(seen, hidden, cover, by, found, lines)


def _why_not(look: Look, shape: Shape) -> str:
    """Why a low line that is crossed gives no cover."""
    stretches = list(zip(shape.points, shape.points[1:]))
    near = [(a, b) for a, b in stretches if look._at(look.mark.body, a, b)]
    if not near:
        return "far_target"
    return "near_firer" if any(look._at(look.eye.body, a, b) for a, b in near) else "near_side"


def _crossing(scene: Scene, thing: int, at: Spot, effect: str, why: str, points: int, level: int) -> Crossing:
    item = scene.things[thing]
    does = f"hides {points} of {POINTS} points" if effect == BLOCK else "no effect"
    if level:
        does = f"{_LEVELS[level]} cover" if effect == COVER else f"{does}: {_LEVELS[level]} cover"
    says = f"{item.title} ({from_edges(scene.table, *at)}): {does}; {_SAYS[why]}"
    return Crossing(thing, item.id, item.title, at, effect, why, says, points, level)
