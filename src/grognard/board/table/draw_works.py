"""What lies and is built on a table: hills, water, roads, walls, trenches, rocks and houses, in inches of the table."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import shapely
from shapely.affinity import translate

from grognard.board.svg import element
from grognard.board.table.bodies import Point
from grognard.board.table.draw_growth import Look, reeds, spread
from grognard.board.table.draw_paths import (
    along,
    closed_path,
    legs,
    line_path,
    quad,
    ring_path,
    softened,
    stroked,
    xy,
)

#: Where shadows fall: the light comes from the upper left.
FALL = (0.17, 0.25)


def shadow(d: str, colour: str, far: float = 1.0, opacity: float = 0.3) -> str:
    """The shadow of a shape."""
    where = f"translate({xy(FALL[0] * far, FALL[1] * far)})"
    return element("path", d=d, fill=colour, opacity=opacity, transform=where)


# ---- ground ------------------------------------------------------------------------------------------------


def hill(area: Any, look: Look, dark: str) -> Iterator[str]:
    """A hill in steps, each lighter than the one below, lit from the upper left and hatched down its slope."""
    soft = softened(area, 1.5)
    fills: Sequence[str] = look["fills"]
    short = min(area.bounds[2] - area.bounds[0], area.bounds[3] - area.bounds[1])
    step = min(1.1, short / (2 * len(fills) + 2))
    for i, fill in enumerate(fills):
        level = softened(soft.buffer(-i * step, quad_segs=6).simplify(0.03), min(3.0, short / 6)) if i else soft
        d = ring_path(level)
        if not d:
            return
        yield shadow(d, dark, 0.9 if i else 1.3, 0.2)
        yield element("path", d=d, fill=fill)
        # What faces the light gleams, what is turned from it is dim: the rim less itself moved.
        rim = 0.2
        yield element(
            "path", d=ring_path(level.difference(translate(level, rim, rim))), fill=look["light"], opacity=0.6
        )
        yield element(
            "path", d=ring_path(level.difference(translate(level, -rim, -rim))), fill=look["edge"], opacity=0.4
        )
        if i == 0:
            yield stroked(_hatching(level, step * 0.55), look["hatch"], 0.05, stroke_opacity=0.5)
            yield stroked(d, look["edge"], 0.09, stroke_opacity=0.85)


def _hatching(area: Any, long: float) -> str:
    """Short strokes from an edge inwards, up the slope."""
    ring = area.exterior if area.geom_type == "Polygon" else area.geoms[0].exterior
    d = ""
    count = max(8, round(ring.length / 0.45))
    inwards = 1 if ring.is_ccw else -1
    for i in range(count):
        one, two = ring.interpolate(i / count, normalized=True), ring.interpolate((i + 0.1) / count, normalized=True)
        far = math.dist((one.x, one.y), (two.x, two.y)) or 1.0
        nx, ny = -(two.y - one.y) / far * inwards, (two.x - one.x) / far * inwards
        reach = long * (1.0 if i % 2 else 0.6)
        d += f"M{xy(one.x + nx * 0.08, one.y + ny * 0.08)}l{xy(nx * reach, ny * reach)}"
    return d


def pond(area: Any, look: Look, dice: random.Random) -> Iterator[str]:
    """Still water: a bank, shallows, the deep and a few ripples, with reeds at the edge."""
    soft = softened(area, 1.2)
    yield element("path", d=ring_path(soft), fill=look["bank"])
    water = soft.buffer(-0.22)
    yield element("path", d=ring_path(water), fill=look["fill"])
    deep = softened(water.buffer(-0.6), 1.2)
    yield element("path", d=ring_path(deep), fill=look["deep"], opacity=0.75)
    yield stroked(
        _ripples(spread(water.buffer(-0.7), 1.9, dice, 0.4), dice, 0.0), look["gleam"], 0.055, stroke_opacity=0.7
    )
    rim = [(x, y) for x, y in along(soft.exterior, 0.7) if dice.random() < 0.45]
    yield stroked(reeds(rim, dice), look["reed"], 0.06)


def _ripples(spots: Sequence[Point], dice: random.Random, turn: float) -> str:
    d = ""
    for x, y in spots:
        w = dice.uniform(0.18, 0.34)
        cos, sin = math.cos(turn), math.sin(turn)
        rise = 0.45 * w
        d += f"M{xy(x - 2 * w * cos, y - 2 * w * sin)}"
        d += f"q{xy(w * cos + rise * sin, w * sin - rise * cos)} {xy(2 * w * cos, 2 * w * sin)}"
        d += f"t{xy(2 * w * cos, 2 * w * sin)}"
    return d


def rivers(lines: Sequence[tuple[Any, float]], look: Look, dice: random.Random) -> Iterator[str]:
    """Running water between its banks: all of it at once, so that waters join."""
    paths = [(line_path(line), wide) for line, wide in lines]
    for d, wide in paths:
        yield stroked(d, look["bank"], wide + 0.5, "butt")
    for d, wide in paths:
        yield stroked(d, look["fill"], wide - 0.1, "butt")
    for d, wide in paths:
        yield stroked(d, look["deep"], wide * 0.55, "butt", stroke_opacity=0.7)
    for line, wide in lines:
        d = ""
        for x, y, turn, _ in legs(line, 1.3):
            far = dice.uniform(-0.36, 0.36) * wide
            d += _ripples([(x - far * math.sin(turn), y + far * math.cos(turn))], dice, turn)
        yield stroked(d, look["gleam"], 0.055, stroke_opacity=0.65)


def roads(lines: Sequence[tuple[Any, float]], look: Look, dice: random.Random) -> Iterator[str]:
    """Dirt roads: verge, edge, surface, and the ruts of carts; all at once, so that crossings are open."""
    paths = [(line_path(line), wide) for line, wide in lines]
    for d, wide in paths:
        yield stroked(d, look["verge"], wide + 0.55, stroke_opacity=0.6)
    for d, wide in paths:
        yield stroked(d, look["edge"], wide, stroke_dasharray=None)
    for d, wide in paths:
        yield stroked(d, look["fill"], wide - 0.16)
    for line, wide in lines:
        for side in (-1, 1):
            rut = line_path(line.offset_curve(side * wide * 0.2).simplify(0.02))
            yield stroked(rut, look["rut"], wide * 0.1, stroke_opacity=0.85)
            yield stroked(rut, look["edge"], wide * 0.025, stroke_opacity=0.6, stroke_dasharray="1.3 .5 .6 .3")
        stones = tufts = ""
        for x, y, turn, _ in legs(line, 0.8):
            far = dice.choice((-0.4, -0.3, 0.31, 0.42)) * wide
            stones += f"M{xy(x - far * math.sin(turn), y + far * math.cos(turn))}h.01"
            far = dice.uniform(-0.05, 0.05) * wide
            tufts += f"M{xy(x - far * math.sin(turn), y + far * math.cos(turn))}l-.05 -.12m.05 .12l.06 -.1"
        yield stroked(stones, look["light"], 0.12)
        yield stroked(tufts, look["verge"], 0.06)


def under_roads(water: Any, ways: Sequence[tuple[Any, float]]) -> Any:
    """A water that stops at a road, where the bridge is, running on to the middle of the road."""
    points = list(water.coords)
    for end, inner in ((0, 1), (-1, -2)):
        (x, y), (ix, iy) = points[end], points[inner]
        for way, wide in ways:
            if 0 < way.distance(shapely.Point(x, y)) <= wide / 2 + 1.2:
                long = math.dist((x, y), (ix, iy)) or 1.0
                far = wide + 2.4
                ahead = shapely.LineString([(x, y), (x + (x - ix) / long * far, y + (y - iy) / long * far)])
                spots = [spot for spot in shapely.get_parts(way.intersection(ahead)) if spot.geom_type == "Point"]
                if spots:
                    spot = min(spots, key=lambda each: math.dist((each.x, each.y), (x, y)))
                    points[end] = spot.x + (x - ix) / long * 0.2, spot.y + (y - iy) / long * 0.2
                    break
    return shapely.LineString(points)


def bridges(
    ways: Sequence[tuple[Any, float]], waters: Sequence[tuple[Any, float]], look: Look, dark: str
) -> Iterator[str]:
    """A bridge of planks wherever a road crosses water: one, even where the water is of two pieces."""
    built: list[Point] = []
    for (way, wide), (water, broad) in itertools.product(ways, waters):
        for spot in shapely.get_parts(way.intersection(water)):
            if spot.geom_type != "Point" or any(math.dist((spot.x, spot.y), other) < broad for other in built):
                continue
            built.append((spot.x, spot.y))
            at, near = way.project(spot), water.project(spot)
            turn = _direction(way, at)
            lean = abs(math.sin(_direction(water, near) - turn))
            long = min(broad / max(lean, 0.35) + 1.6, 3 * broad + 2)
            yield from _bridge(spot.x, spot.y, turn, long, wide, look, dark)


def _direction(line: Any, at: float) -> float:
    """Which way a line runs at a distance along it, in radians."""
    one, two = line.interpolate(max(0.0, at - 0.3)), line.interpolate(min(line.length, at + 0.3))
    return math.atan2(two.y - one.y, two.x - one.x)


def _bridge(x: float, y: float, turn: float, long: float, wide: float, look: Look, dark: str) -> Iterator[str]:
    deck = closed_path(quad(x, y, turn, long, wide + 0.1))
    yield shadow(deck, dark, 1.3, 0.4)
    yield element("path", d=deck, fill=look["bridge"])
    planks, count = "", round(long / 0.28)
    cos, sin = math.cos(turn), math.sin(turn)
    for i in range(count + 1):
        a = (i / count - 0.5) * long
        planks += f"M{xy(x + a * cos + sin * wide / 2, y + a * sin - cos * wide / 2)}l{xy(-sin * wide, cos * wide)}"
    yield stroked(planks, look["rail"], 0.045, "butt", stroke_opacity=0.7)
    for side in (-1, 1):
        rx, ry = x - side * sin * (wide / 2 + 0.05), y + side * cos * (wide / 2 + 0.05)
        rail = f"M{xy(rx - cos * long / 2, ry - sin * long / 2)}l{xy(cos * long, sin * long)}"
        yield stroked(rail, look["rail"], 0.2)
        yield stroked(rail, look["light"], 0.07, stroke_opacity=0.6)


# ---- lines -------------------------------------------------------------------------------------------------


def wall(line: Any, look: Look, dice: random.Random, dark: str) -> Iterator[str]:
    """A wall of field stones."""
    wide = look["wide"]
    d = line_path(line)
    yield element("g", stroked(d, dark, wide, "butt", stroke_opacity=0.35), transform="translate(.14 .2)")
    yield stroked(d, look["ink"], wide, "round")
    heaps: dict[str, str] = {}
    for x, y, turn, long in legs(line, wide * 0.95):
        for side in (-1, 1):
            stone = quad(
                x - side * math.sin(turn) * wide * 0.23 + dice.uniform(-0.03, 0.03),
                y + side * math.cos(turn) * wide * 0.23,
                turn + dice.uniform(-0.12, 0.12),
                long * dice.uniform(0.72, 0.96),
                wide * dice.uniform(0.36, 0.48),
            )
            colour = dice.choice(look["stones"])
            heaps[colour] = heaps.get(colour, "") + closed_path(stone)
    for colour, stones in heaps.items():
        yield element("path", d=stones, fill=colour, stroke=colour, stroke_width=0.06, stroke_linejoin="round")


def fence(line: Any, look: Look, dark: str) -> Iterator[str]:
    """Posts and two rails."""
    d = line_path(line)
    yield element("g", stroked(d, dark, 0.16, stroke_opacity=0.3), transform="translate(.12 .18)")
    for far in (-0.08, 0.08):
        rail = line_path(line.offset_curve(far))
        yield stroked(rail, look["wood"], 0.09)
        yield stroked(rail, look["light"], 0.035, stroke_dasharray=".9 .08")
    posts = "".join(f"M{xy(x, y)}h.01" for x, y in along(line, 1.0))
    yield stroked(posts, look["wood"], 0.3)
    yield stroked(posts, look["light"], 0.14)


def teeth(line: Any, look: Look, dark: str) -> Iterator[str]:
    """Concrete pyramids in two rows, one in the gaps of the other."""
    faces = [""] * 4
    shades = ""
    size = 0.34
    for row, (x, y, turn, long) in enumerate(itertools.chain(legs(line, 1.0))):
        for side in (-1, 1):
            cos, sin = math.cos(turn), math.sin(turn)
            shift = long / 4 * side
            px, py = x + shift * cos - side * sin * 0.32, y + shift * sin + side * cos * 0.32
            base = quad(px, py, 0.12 * ((row % 3) - 1), 2 * size, 2 * size)
            top = (px - 0.04, py - 0.05)
            for i in range(4):
                faces[i] += closed_path([base[i], base[(i + 1) % 4], top])
            shades += closed_path(base)
    yield shadow(shades, dark, 1.2, 0.35)
    # quad begins at the upper left: its sides face up, right, down and left.
    for face, colour in zip(
        faces, (look["faces"][0], look["faces"][1], look["faces"][2], look["faces"][3]), strict=True
    ):
        yield element("path", d=face, fill=colour)
    yield stroked(shades, look["ink"], 0.05)


def trench(line: Any, look: Look, dice: random.Random) -> Iterator[str]:
    """Fire bays and traverses: a zigzag in thrown-up earth, with boards at its foot."""
    points: list[Point] = []
    for number_, (x, y, turn, long) in enumerate(legs(line, 1.5)):
        side = 0.3 if number_ % 2 else -0.3
        cos, sin = math.cos(turn), math.sin(turn)
        ends = (-long / 2 + 0.2, long / 2 - 0.2)
        points += [(x + a * cos - side * sin, y + a * sin + side * cos) for a in ends]
    path = shapely.LineString([tuple(line.coords[0]), *points, tuple(line.coords[-1])])
    d, wide = line_path(path), look["wide"]
    yield stroked(d, look["earth"], wide + 0.75, stroke_opacity=0.9)
    clods = "".join(
        f"M{xy(x + dice.uniform(-0.62, 0.62), y + dice.uniform(-0.62, 0.62))}h.01" for x, y in along(path, 0.22)
    )
    yield stroked(clods, look["earth"], 0.26)
    yield stroked(clods, look["bank"], 0.12, stroke_opacity=0.6)
    yield stroked(d, look["bank"], wide + 0.22)
    yield stroked(d, look["dark"], wide)
    yield stroked(d, look["board"], wide * 0.5, "butt", stroke_dasharray=".16 .1", stroke_opacity=0.85)


# ---- stones and smoke --------------------------------------------------------------------------------------


def stones(area: Any, look: Look, dice: random.Random, dark: str, *, pitch: float, size: float) -> Iterator[str]:
    """Boulders or broken masonry, each with a lit side, big ones among small."""
    shades, lights, heaps = "", "", dict[str, str]()
    for x, y in spread(area.buffer(-size * 0.8), pitch, dice, 0.42):
        r = size * dice.choice((0.35, 0.5, 0.6, 1.0))
        corners = []
        turn, count = dice.random(), dice.randint(5, 7)
        for i in range(count):
            far, angle = r * dice.uniform(0.75, 1.1), turn + i * math.tau / count
            corners.append((x + far * math.cos(angle), y + far * math.sin(angle)))
        d = closed_path(corners)
        shades += d
        colour = dice.choice(look["stones"])
        heaps[colour] = heaps.get(colour, "") + d
        lit = [(x + (px - x) * 0.62 - r * 0.12, y + (py - y) * 0.62 - r * 0.15) for px, py in corners]
        lights += closed_path(lit)
    yield shadow(shades, dark, 0.8, 0.4)
    for colour, d in heaps.items():
        yield element("path", d=d, fill=colour, stroke=look["ink"], stroke_width=0.04, stroke_linejoin="round")
    yield element("path", d=lights, fill=look.get("light", look["stones"][0]), opacity=0.55)


def scree(area: Any, look: Look, dice: random.Random) -> str:
    """The stony ground under rocks and rubble."""
    d = ring_path(softened(area, 0.35))
    specks = "".join(f"M{xy(x, y)}h.01" for x, y in spread(area, 0.5, dice, 0.5))
    return (
        element("path", d=d, fill=look["floor"], opacity=0.85)
        + stroked(d, look["ink"], 0.09, stroke_dasharray=".3 .22", stroke_opacity=0.5)
        + stroked(specks, look["stones"][-1], 0.1, stroke_opacity=0.7)
    )


def beams(area: Any, look: Look, dice: random.Random) -> str:
    """Charred beams lying about."""
    d = ""
    for x, y in spread(area.buffer(-0.6), 2.2, dice, 0.4):
        angle, far = dice.random() * math.tau, dice.uniform(0.35, 0.7)
        dx, dy = far * math.cos(angle), far * math.sin(angle)
        d += f"M{xy(x - dx, y - dy)}L{xy(x + dx, y + dy)}"
    return stroked(d, str(look.get("beam", look["ink"])), 0.14)


def ruined_walls(area: Any, look: Look, dice: random.Random, dark: str) -> Iterator[str]:
    """What stands of a house: thick walls with gaps."""
    d = ""
    ring = area.buffer(-0.16, join_style="mitre")
    outline = ring.exterior if ring.geom_type == "Polygon" and not ring.is_empty else area.exterior
    for (ax, ay), (bx, by) in itertools.pairwise(outline.coords):
        long = math.dist((ax, ay), (bx, by))
        at = 0.0
        while at < long:
            stand = min(long, at + dice.uniform(0.9, 2.4))
            one, two = at / long, stand / long
            d += f"M{xy(ax + (bx - ax) * one, ay + (by - ay) * one)}"
            d += f"L{xy(ax + (bx - ax) * two, ay + (by - ay) * two)}"
            at = stand + dice.uniform(0.35, 0.9)
    yield element("g", stroked(d, dark, 0.36, "butt", stroke_opacity=0.4), transform="translate(.2 .28)")
    yield stroked(d, look["ink"], 0.42, "butt")
    yield stroked(d, look["wall"], 0.32, "butt")
    yield element("g", stroked(d, look["light"], 0.12, "butt"), transform="translate(-.05 -.06)")


def smoke(area: Any, fills: Sequence[str], dice: random.Random) -> Iterator[str]:
    """Drifting puffs: the fills are soft at their edges."""
    for x, y in spread(area.buffer(0.2), 1.15, dice, 0.45):
        yield element("circle", cx=x, cy=y, r=dice.uniform(1.2, 2.0), fill=dice.choice(fills))
