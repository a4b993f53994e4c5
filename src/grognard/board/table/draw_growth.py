"""What grows on a table: woods, orchards, hedges, crops and marsh, in inches of the table."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from grognard.board.svg import element, number
from grognard.board.table.bodies import Point
from grognard.board.table.draw_paths import along, ring_path, softened, stroked, xy

Look = dict[str, Any]

#: How many shapes of crown there are of each colour.
SHAPES = 3


class Crowns:
    """The crowns of trees and bushes as symbols: each is drawn once and used wherever one stands."""

    def __init__(self, prefix: str, shadow: str) -> None:
        self.prefix, self.shadow = prefix, shadow
        self._defined: dict[str, str] = {}

    def name(self, look: Look, dice: random.Random) -> str:
        """One of the crowns of a look."""
        colours = look["crowns"][dice.randrange(len(look["crowns"]))]
        shape = dice.randrange(SHAPES)
        name = f"{self.prefix}-{''.join(colour.lstrip('#')[:3] for colour in colours)}-{shape}"
        if name not in self._defined:
            self._defined[name] = self._symbol(name, colours, random.Random(f"{name}"))
        return name

    def use(self, look: Look, dice: random.Random, x: float, y: float, radius: float) -> str:
        """A crown of a look somewhere."""
        name = self.name(look, dice)
        place = f"translate({xy(x, y)}) scale({number(radius)})"
        return f'<use href="#{name}" transform="{place}"/>'

    def definitions(self) -> str:
        """Every crown that is used."""
        return "".join(self._defined.values())

    def _symbol(self, name: str, colours: Sequence[str], dice: random.Random) -> str:
        outer = _lobes(dice, 9, 1.0)
        drawn = element("path", d=outer, fill=self.shadow, opacity=0.3, transform="translate(.16 .24)")
        drawn += element("path", d=outer, fill=colours[0])
        drawn += element("path", d=_lobes(dice, 8, 0.78), fill=colours[1], transform="translate(-.09 -.12)")
        light = ""
        for _ in range(5):
            angle, far = dice.uniform(math.pi * 0.8, math.pi * 1.75), dice.uniform(0.1, 0.55)
            x, y, r = far * math.cos(angle), far * math.sin(angle), dice.uniform(0.12, 0.24)
            light += _blob(x, y, r, dice)
        drawn += element("path", d=light, fill=colours[2], opacity=0.75)
        dark = "".join(
            _blob(0.62 * math.cos(a), 0.62 * math.sin(a), dice.uniform(0.07, 0.12), dice)
            for a in (dice.uniform(-0.6, 2.0) for _ in range(4))
        )
        drawn += element("path", d=dark, fill=colours[0], opacity=0.8)
        return element("g", drawn, id=name)


def _lobes(dice: random.Random, count: int, radius: float) -> str:
    """A round shape of so many lobes."""
    turn = dice.random() * math.tau
    ends = []
    for i in range(count):
        angle = turn + (i + dice.uniform(-0.22, 0.22)) * math.tau / count
        far = radius * dice.uniform(0.8, 0.95)
        ends.append((far * math.cos(angle), far * math.sin(angle), angle))
    d = f"M{xy(ends[0][0], ends[0][1])}"
    for i, (_, _, angle) in enumerate(ends):
        x, y, other = ends[(i + 1) % count]
        middle = angle + ((other - angle) % math.tau) / 2
        far = radius * dice.uniform(1.16, 1.32)
        d += f"Q{xy(far * math.cos(middle), far * math.sin(middle))} {xy(x, y)}"
    return d + "Z"


def _blob(x: float, y: float, r: float, dice: random.Random) -> str:
    stretch = dice.uniform(0.7, 1.0)
    return f"M{xy(x - r, y)}a{xy(r, r * stretch)} 0 1 0 {number(2 * r)} 0a{xy(r, r * stretch)} 0 1 0 {number(-2 * r)} 0"


def spread(area: Any, pitch: float, dice: random.Random, jitter: float = 0.3) -> list[Point]:
    """Points over an area, evenly but not regularly, from top to bottom."""
    if area.is_empty:
        return []
    left, top, right, bottom = area.bounds
    found, turn = [], dice.random()
    row = 0
    y = top + turn * pitch * 0.5
    while y <= bottom:
        x = left + (pitch / 2 if row % 2 else 0.0) - pitch * dice.random() * 0.3
        while x <= right:
            found.append((x + dice.uniform(-jitter, jitter) * pitch, y + dice.uniform(-jitter, jitter) * pitch))
            x += pitch
        y += pitch * 0.87
        row += 1
    if not found:
        return []
    spots = np.array(found)
    inside = shapely.contains_xy(area, spots[:, 0], spots[:, 1])
    return sorted(((float(x), float(y)) for x, y in spots[inside]), key=lambda p: p[1])


# ---- areas -------------------------------------------------------------------------------------------------


def floor(area: Any, look: Look, soft: float = 0.4) -> str:
    """The ground under what grows, in its own colour, with a ragged edge."""
    d = ring_path(softened(area, soft))
    return element("path", d=d, fill=look["floor"]) + stroked(
        d, look["edge"], 0.14, stroke_dasharray=".5 .16 .2 .12", stroke_opacity=0.75
    )


def woods(area: Any, look: Look, dice: random.Random, crowns: Crowns) -> Iterator[str]:
    """A canopy: bushes at the edge, then crowns of several sizes, lower ones in front."""
    edge = softened(area, 0.4).buffer(-0.32)
    stand: list[tuple[float, float, float]] = []
    if not edge.is_empty:
        for x, y in along(edge.exterior if edge.geom_type == "Polygon" else edge.geoms[0].exterior, 0.95):
            stand.append((x + dice.uniform(-0.15, 0.15), y + dice.uniform(-0.15, 0.15), dice.uniform(0.38, 0.6)))
    for x, y in spread(area.buffer(-0.95), 1.42, dice):
        stand.append((x, y, dice.uniform(0.82, 1.2)))
    for x, y, radius in sorted(stand, key=lambda tree: tree[1] + tree[2]):
        yield crowns.use(look, dice, x, y, radius)


def undergrowth(area: Any, look: Look, dice: random.Random) -> str:
    """Tufts at the foot of trees."""
    d = "".join(
        f"M{xy(x, y)}l{number(-0.07)} -.14m.07 .14l.02 -.17m-.02 .17l.09 -.12"
        for x, y in spread(area.buffer(-0.1), 0.9, dice, 0.45)
    )
    return stroked(d, look["edge"], 0.04)


def orchard(area: Any, look: Look, dice: random.Random, crowns: Crowns) -> Iterator[str]:
    """Small trees in rows along the longest side."""
    for x, y in sorted(_lattice(area.buffer(-0.5), 1.7, lie_of(area)), key=lambda p: p[1]):
        yield crowns.use(look, dice, x, y, dice.uniform(0.56, 0.68))
        spots = "".join(f"M{xy(x + dice.uniform(-0.4, 0.4), y + dice.uniform(-0.4, 0.4))}h0" for _ in range(4))
        yield stroked(spots, look["fruit"], 0.1)


def mown(area: Any, look: Look) -> str:
    """The grass between the rows of an orchard."""
    return stroked(_furrows(area, 0.85, lie_of(area)), look["edge"], 0.18, stroke_opacity=0.25)


def lie_of(area: Any) -> float:
    """The direction of the longest side of an area, in radians."""
    corners = list(area.minimum_rotated_rectangle.exterior.coords)
    (ax, ay), (bx, by) = max(itertools.pairwise(corners), key=lambda side: math.dist(*side))
    return math.atan2(by - ay, bx - ax)


def _lattice(area: Any, pitch: float, lie: float) -> list[Point]:
    if area.is_empty:
        return []
    middle = area.centroid
    cos, sin = math.cos(lie), math.sin(lie)
    count = math.ceil(max(area.bounds[2] - area.bounds[0], area.bounds[3] - area.bounds[1]) / pitch)
    spots = np.array(
        [
            (middle.x + (i * cos - j * sin) * pitch, middle.y + (i * sin + j * cos) * pitch)
            for i in range(-count, count + 1)
            for j in range(-count, count + 1)
        ]
    )
    inside = shapely.contains_xy(area, spots[:, 0], spots[:, 1])
    return [(float(x), float(y)) for x, y in spots[inside]]


def _furrows(area: Any, apart: float, lie: float) -> str:
    """Parallel lines across an area as path data."""
    if area.is_empty:
        return ""
    middle = area.centroid
    far = math.dist(area.bounds[:2], area.bounds[2:])
    cos, sin = math.cos(lie), math.sin(lie)
    count = math.ceil(far / apart / 2)
    lines = [
        shapely.LineString(
            [
                (middle.x - far * cos - i * apart * sin, middle.y - far * sin + i * apart * cos),
                (middle.x + far * cos - i * apart * sin, middle.y + far * sin + i * apart * cos),
            ]
        )
        for i in range(-count, count + 1)
    ]
    d = ""
    for part in shapely.get_parts(shapely.intersection(np.array(lines), area)):
        if part.geom_type == "LineString" and not part.is_empty:
            (ax, ay), (bx, by) = part.coords[0], part.coords[-1]
            d += f"M{xy(ax, ay)}L{xy(bx, by)}"
    return d


def crops(area: Any, look: Look, dice: random.Random) -> Iterator[str]:
    """Standing corn: rows with light and dark sides, inside a trodden edge."""
    d = ring_path(softened(area, 0.12))
    yield element("path", d=d, fill=look["fill"])
    lie = lie_of(area)
    inner = area.buffer(-0.16)
    dark = _furrows(inner, 0.38, lie)
    yield stroked(dark, look["row"], 0.13, stroke_dasharray=".16 .07", cap="butt")
    # The light side of each row is the row again, moved towards the light.
    light = stroked(dark, look["light"], 0.06, stroke_dasharray=".1 .13", cap="butt", stroke_opacity=0.9)
    yield element("g", light, transform="translate(-.07 -.1)")
    yield stroked(d, look["edge"], 0.1, stroke_dasharray=".34 .1", stroke_opacity=0.8)
    trodden = spread(inner.buffer(-0.5), 4.5, dice, 0.5)
    patches = "".join(_blob(x, y, dice.uniform(0.3, 0.7), dice) for x, y in trodden)
    yield element("path", d=patches, fill=look["row"], opacity=0.22)


def marsh(area: Any, look: Look, dice: random.Random) -> Iterator[str]:
    """Wet ground: pools with a gleam, and reeds."""
    pools = gleams = ""
    for x, y in spread(area.buffer(-0.75), 2.0, dice, 0.35):
        r = dice.uniform(0.45, 0.85)
        pools += _blob(x, y, r, dice)
        gleams += f"M{xy(x - r * 0.5, y - 0.12)}h{number(r * 0.7)}m.1 .2h{number(r * 0.3)}"
    yield element("path", d=pools, fill=look["water"])
    yield stroked(gleams, look["gleam"], 0.05, stroke_opacity=0.8)
    yield stroked(reeds(spread(area.buffer(-0.2), 0.85, dice, 0.45), dice), look["reed"], 0.055)


def sand(area: Any, look: Look, dice: random.Random) -> Iterator[str]:
    """Soft sand: ripples that the wind has drawn."""
    d = ""
    for x, y in spread(area.buffer(-0.5), 0.85, dice, 0.4):
        w = dice.uniform(0.2, 0.45)
        d += f"M{xy(x - w, y)}q{xy(w, -w * 0.55)} {xy(2 * w, 0)}"
    yield stroked(d, look["edge"], 0.07, stroke_opacity=0.6)
    yield element("g", stroked(d, look["light"], 0.05), transform="translate(0 -.08)")


def reeds(spots: Sequence[Point], dice: random.Random) -> str:
    """Reeds as path data."""
    d = ""
    for x, y in spots:
        h = dice.uniform(0.22, 0.36)
        d += f"M{xy(x, y)}"
        for lean in (-0.5, -0.1, 0.35):
            dx, dy = number(lean * h), number(-h * (1.1 - abs(lean)))
            d += f"l{dx} {dy}m{number(-lean * h)} {number(h * (1.1 - abs(lean)))}"
    return d


# ---- lines -------------------------------------------------------------------------------------------------


def hedge(line: Any, look: Look, dice: random.Random, crowns: Crowns) -> Iterator[str]:
    """Bushes side by side along a line, on a bank of earth."""
    wide = look["wide"]
    bushes = []
    for x, y in along(line, wide * 0.62):
        lean = wide * 0.13
        bushes.append((x + dice.uniform(-lean, lean), y + dice.uniform(-lean, lean), wide * dice.uniform(0.46, 0.62)))
    for x, y, radius in sorted(bushes, key=lambda bush: bush[1]):
        yield crowns.use(look, dice, x, y, radius)
