"""What terrain looks like: a drawing for each pattern named in ``styles.toml``.

A pattern draws around (0, 0) in a hex of ``s`` pixels from flat to flat. Its little irregularities
come from the hex's own dice, so that a map always looks the same.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from grognard.board.hex.grid import Point
from grognard.board.svg import element, number, points

Style = dict[str, Any]
Pattern = Callable[[float, Style, random.Random], str]


def dice_of(label: str) -> random.Random:
    """The little irregularities of a hex, always the same."""
    return random.Random(zlib.crc32(label.encode()))


def scatter(s: float, dice: random.Random, count: int, spread: float = 0.36) -> Iterator[Point]:
    """Points spread evenly but not regularly over a hex, from top to bottom."""
    golden = math.pi * (3 - math.sqrt(5))
    turn = dice.random() * math.tau
    found = []
    for i in range(count):
        far = spread * s * math.sqrt((i + 0.5) / count)
        angle = turn + i * golden + dice.uniform(-0.2, 0.2)
        found.append((far * math.cos(angle), far * math.sin(angle)))
    # Lower things stand in front of higher ones.
    yield from sorted(found, key=lambda point: point[1])


def tree(x: float, y: float, radius: float, look: Style) -> str:
    """A tree from above: shadow, crown and a light spot."""
    return (
        element("circle", cx=x + radius * 0.18, cy=y + radius * 0.22, r=radius, fill="#000", opacity=0.18)
        + element("circle", cx=x, cy=y, r=radius, fill=look["fill"], stroke=look["ink"], stroke_width=radius * 0.14)
        + element("circle", cx=x - radius * 0.3, cy=y - radius * 0.3, r=radius * 0.35, fill="#fff", opacity=0.16)
    )


def trees(s: float, look: Style, dice: random.Random) -> str:
    """Woods: crowns of several sizes."""
    return "".join(tree(x, y, s * dice.uniform(0.085, 0.125), look) for x, y in scatter(s, dice, 11, 0.4))


def orchard(s: float, look: Style, dice: random.Random) -> str:
    """An orchard: small trees in rows."""
    short, long = (-0.16, 0.0, 0.16), (-0.3, -0.1, 0.1, 0.3)
    rows: list[tuple[float, tuple[float, ...]]] = [(-0.27, short), (-0.09, long), (0.09, long), (0.27, short)]
    return "".join(tree(x * s, y * s, s * 0.062, look) for y, xs in rows for x in xs)


def tufts(s: float, look: Style, dice: random.Random) -> str:
    """Brush: tufts of three blades."""
    blades = ""
    for x, y in scatter(s, dice, 9, 0.4):
        h = s * dice.uniform(0.06, 0.09)
        for lean in (-0.6, 0.0, 0.6):
            blades += f"M{number(x)} {number(y)}l{number(lean * h)} {number(-h)}"
    return element("path", d=blades, stroke=look["ink"], stroke_width=s * 0.02, fill="none", stroke_linecap="round")


def rows(corners: list[Point], lie: float, s: float, look: Style) -> str:
    """A field's furrows across a hex, in line with those of its neighbours.

    ``lie`` is the direction of the furrows in degrees.
    """
    cos, sin = math.cos(math.radians(lie)), math.sin(math.radians(lie))
    apart = s * look.get("spacing", 0.13)
    across = [y * cos - x * sin for x, y in corners]
    lines = ""
    for i in range(math.ceil(min(across) / apart), math.floor(max(across) / apart) + 1):
        ends = []
        for j, (x2, y2) in enumerate(corners):
            (x1, y1), low, high = corners[j - 1], across[j - 1] - i * apart, across[j] - i * apart
            if (low < 0) != (high < 0):
                t = low / (low - high)
                ends.append((x1 + (x2 - x1) * t, y1 + (y2 - y1) * t))
        if len(ends) == 2:
            (x1, y1), (x2, y2) = ends
            lines += f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
    dash = " ".join(number(part * s) for part in look.get("dash", (0.17, 0.025)))
    return element(
        "path",
        d=lines,
        stroke=look["ink"],
        stroke_width=s * look.get("thick", 0.018),
        stroke_dasharray=dash,
        fill="none",
    )


def grass(s: float, ink: str, dice: random.Random) -> str:
    """Open ground: a few faint blades."""
    d = ""
    for x, y in scatter(s, dice, 5, 0.42):
        h = s * dice.uniform(0.025, 0.04)
        d += f"M{number(x)} {number(y)}l{number(-0.5 * h)} {number(-h)}m{number(0.5 * h)} {number(h)}"
        d += f"l{number(0.5 * h)} {number(-h)}"
    return element("path", d=d, stroke=ink, stroke_width=s * 0.012, fill="none", opacity=0.55)


def waves(s: float, look: Style, dice: random.Random) -> str:
    """Water: a few ripples."""
    d = ""
    w = s * 0.07
    for x, y in scatter(s, dice, 5, 0.36):
        d += f"M{number(x - 2 * w)} {number(y)}q{number(w)} {number(-w * 0.8)} {number(2 * w)} 0"
        d += f"t{number(2 * w)} 0"
    return element("path", d=d, stroke=look["ink"], stroke_width=s * 0.018, fill="none", stroke_linecap="round")


def reeds(s: float, look: Style, dice: random.Random) -> str:
    """Marsh: reeds over little waters."""
    d = water = ""
    for x, y in scatter(s, dice, 7, 0.38):
        h = s * 0.075
        water += f"M{number(x - 1.6 * h)} {number(y)}h{number(3.2 * h)}"
        for lean, high in ((-0.7, 0.8), (-0.25, 1.1), (0.25, 1.1), (0.7, 0.8)):
            d += f"M{number(x)} {number(y)}l{number(lean * h)} {number(-high * h)}"
    return element("path", d=water, stroke=look["fill"], stroke_width=s * 0.022, fill="none") + element(
        "path", d=d, stroke=look["ink"], stroke_width=s * 0.016, fill="none"
    )


def rocks(s: float, look: Style, dice: random.Random) -> str:
    """Rough ground: stones."""
    return "".join(_stone(x, y, s * dice.uniform(0.04, 0.075), look, dice) for x, y in scatter(s, dice, 8))


def _stone(x: float, y: float, r: float, look: Style, dice: random.Random) -> str:
    corners = []
    for i in range(6):
        far = r * dice.uniform(0.7, 1.15)
        corners.append((x + far * math.cos(i * math.pi / 3), y + 0.8 * far * math.sin(i * math.pi / 3)))
    return element("polygon", points=points(corners), fill=look["fill"], stroke=look["ink"], stroke_width=r * 0.2)


def rubble(s: float, look: Style, dice: random.Random) -> str:
    """A fallen building: a heap of angular blocks."""
    blocks = ""
    for x, y in scatter(s, dice, 13, 0.31):
        w, h = s * dice.uniform(0.06, 0.13), s * dice.uniform(0.05, 0.08)
        turn = f"rotate({dice.randrange(180)} {number(x)} {number(y)})"
        blocks += element(
            "rect",
            x=x - w / 2,
            y=y - h / 2,
            width=w,
            height=h,
            fill=look["fill"],
            stroke=look["ink"],
            stroke_width=s * 0.012,
            transform=turn,
        )
    return blocks


def debris(s: float, look: Style, dice: random.Random) -> str:
    """Scattered debris: short strokes every way."""
    d = ""
    for x, y in scatter(s, dice, 14, 0.4):
        angle, far = dice.random() * math.tau, s * dice.uniform(0.02, 0.045)
        dx, dy = far * math.cos(angle), far * math.sin(angle)
        d += f"M{number(x - dx)} {number(y - dy)}L{number(x + dx)} {number(y + dy)}"
    return element("path", d=d, stroke=look["ink"], stroke_width=s * 0.022, fill="none")


def craters(s: float, look: Style, dice: random.Random) -> str:
    """Shell holes: rings with a shadow."""
    found = ""
    for x, y in scatter(s, dice, 6, 0.34):
        r = s * dice.uniform(0.045, 0.085)
        found += element(
            "ellipse",
            cx=x,
            cy=y,
            rx=r,
            ry=r * 0.72,
            fill=look["fill"],
            stroke=look["ink"],
            stroke_width=s * 0.014,
        )
        found += element(
            "ellipse", cx=x + r * 0.12, cy=y + r * 0.12, rx=r * 0.6, ry=r * 0.4, fill=look["ink"], opacity=0.6
        )
    return found


def dots(s: float, look: Style, dice: random.Random) -> str:
    """Sand: dots."""
    return "".join(element("circle", cx=x, cy=y, r=s * 0.012, fill=look["ink"]) for x, y in scatter(s, dice, 26, 0.43))


def graves(s: float, look: Style, dice: random.Random) -> str:
    """A cemetery: crosses in rows."""
    d = ""
    h = s * 0.06
    for y in (-0.2, 0.03, 0.26):
        for x in (-0.24, -0.08, 0.08, 0.24):
            d += f"M{number(x * s)} {number(y * s - h)}v{number(2 * h)}m{number(-0.6 * h)} {number(-1.4 * h)}"
            d += f"h{number(1.2 * h)}"
    return element("path", d=d, stroke=look["ink"], stroke_width=s * 0.022, fill="none")


def gully(s: float, look: Style, dice: random.Random) -> str:
    """A gully: hatching down a slope."""
    d = ""
    for i in range(-4, 5):
        x = i * s * 0.085
        d += f"M{number(x)} {number(-s * 0.2)}v{number(s * 0.12)}M{number(x)} {number(s * 0.2)}v{number(-s * 0.12)}"
    return element(
        "path",
        d=d,
        stroke=look["ink"],
        stroke_width=s * 0.02,
        fill="none",
        transform=f"rotate({dice.choice((0, 60, 120))})",
    )


def trench(s: float, look: Style, dice: random.Random) -> str:
    """A trench: a zigzag."""
    w = s * 0.11
    zigzag = f"M{number(-3.5 * w)} 0" + "".join(f"l{number(w)} {number(w if i % 2 else -w)}" for i in range(7))
    return element("path", d=zigzag, stroke=look["ink"], stroke_width=s * 0.05, fill="none")


def cross(s: float, look: Style, dice: random.Random) -> str:
    """Terrain that the styles do not know: crosshatching, so that it shows."""
    d = ""
    for i in range(-2, 3):
        x = i * s * 0.14
        d += f"M{number(x - s * 0.12)} {number(s * 0.3)}l{number(s * 0.24)} {number(-s * 0.6)}"
    return element("path", d=d, stroke=look["ink"], stroke_width=s * 0.015, fill="none", opacity=0.7)


#: The drawing of each pattern; "building" is drawn from the features, and "furrows" by `rows` field by field.
PATTERNS: dict[str, Pattern] = {
    "trees": trees,
    "orchard": orchard,
    "tufts": tufts,
    "waves": waves,
    "reeds": reeds,
    "rocks": rocks,
    "rubble": rubble,
    "debris": debris,
    "craters": craters,
    "dots": dots,
    "graves": graves,
    "gully": gully,
    "trench": trench,
    "cross": cross,
}
