"""What lies on a battlefield when it is drawn: counters, markers, and lines of sight."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from grognard.board.hex.grid import HexGrid, Point
from grognard.board.style import ink_on, side_colour, style
from grognard.board.svg import clean, element, label, number, points

#: Where a piece is: a hex, a hexside ("C4|D4"), or a point in metres.
Place = str | Point

#: The width of a counter as a part of a hex from flat to flat.
COUNTER = 0.56


class Counter(NamedTuple):
    """A unit as it is drawn.

    ``symbol`` is the large text in the middle, ``values`` the line below it, ``markers`` short
    texts for states. ``facing`` 0 is none; ``stack`` counts up from 0 at the bottom of a stack.
    Without a ``colour`` the side's own is used.
    """

    id: str
    side: str = ""
    symbol: str = ""
    name: str = ""
    values: str = ""
    place: Place = ""
    facing: int = 0
    markers: tuple[str, ...] = ()
    stack: int = 0
    colour: str = ""


class Marker(NamedTuple):
    """A thing lying on the map: smoke, a wreck, an objective; ``kind`` finds its style."""

    kind: str
    place: Place
    text: str = ""
    side: str = ""


class Sight(NamedTuple):
    """A line of sight to draw; ``state`` is "clear", "degraded" or "blocked", ``at`` the hex that did it."""

    a: Place
    b: Place
    state: str = "clear"
    from_side: int = 0
    to_side: int = 0
    at: str = ""


def place_point(grid: HexGrid | None, place: Place, side: int = 0) -> Point:
    """The point in metres of a place; ValueError if the battlefield has no such place."""
    if not isinstance(place, str):
        return float(place[0]), float(place[1])
    if grid is None:
        raise ValueError(f"{place!r} is a hex, but the battlefield has none; give a point (x, y) in metres")
    if "|" in place:
        (x1, y1), (x2, y2) = grid.side_points(*grid.side_hexes(grid.parse_hexside(place)))
        return (x1 + x2) / 2, (y1 + y2) / 2
    return grid.side_middle(place, side)


def facing_angle(grid: HexGrid | None, facing: int) -> float:
    """Degrees clockwise from up of a facing: a direction of the grid, or of 60-degree steps without one."""
    pointy = grid is not None and grid.layout == "pointy"
    return (facing - 1) * 60.0 + (30.0 if pointy else 0.0)


def draw_counter(counter: Counter, x: float, y: float, s: float, angle: float) -> str:
    """A counter as a rounded square around a point, in a hex of s pixels."""
    w = s * COUNTER
    colour = counter.colour or side_colour(counter.side)
    ink = ink_on(colour)
    half = w / 2
    parts = [element("title", clean(_title(counter)))]
    if counter.facing:
        # Far enough out to be seen past the corner of the square, inside the hex all the same.
        tip, base, wide = s * 0.485, s * 0.385, s * 0.1
        parts.append(
            element(
                "polygon",
                points=points([(x, y - tip), (x + wide, y - base), (x - wide, y - base)]),
                fill="#fff7d6",
                stroke="#1a1a1a",
                stroke_width=s * 0.016,
                transform=f"rotate({number(angle)} {number(x)} {number(y)})",
            )
        )
    parts.append(_square(x + s * 0.015, y + s * 0.022, w, {"fill": "#000", "opacity": 0.3}))
    parts.append(_square(x, y, w, {"fill": colour, "stroke": "#1a1a1a", "stroke_width": s * 0.016}))
    if counter.name:
        parts.append(_fitted(counter.name, x, y - half * 0.68, w * 0.19, w * 0.9, fill=ink))
    if counter.symbol:
        parts.append(_fitted(counter.symbol, x, y - half * 0.04, w * 0.4, w * 0.86, fill=ink, bold=True))
    if counter.values:
        parts.append(_fitted(counter.values, x, y + half * 0.68, w * 0.25, w * 0.9, fill=ink, bold=True))
    for number_, text in enumerate(counter.markers):
        parts.append(_badge(text, x + half * 0.98, y - half * 0.55 + number_ * w * 0.27, w * 0.21))
    return element("g", "".join(parts), class_="counter", data_unit=counter.id)


def _title(counter: Counter) -> str:
    words = [counter.name or counter.id, counter.side, counter.values, *counter.markers]
    return ", ".join(word for word in words if word)


def _square(x: float, y: float, w: float, look: dict[str, Any]) -> str:
    return element("rect", x=x - w / 2, y=y - w / 2, width=w, height=w, rx=w * 0.12, **look)


def _fitted(text: str, x: float, y: float, size: float, width: float, fill: str, bold: bool = False) -> str:
    """Text no wider than given: about 0.6 of its size for each letter."""
    size = min(size, width / (0.6 * max(1, len(text))))
    return label(text, x, y, size, fill=fill, font_weight="bold" if bold else None)


def _badge(text: str, x: float, y: float, size: float) -> str:
    width = size * (0.62 * len(text) + 0.7)
    box = element(
        "rect",
        x=x - width / 2,
        y=y - size * 0.65,
        width=width,
        height=size * 1.3,
        rx=size * 0.4,
        fill="#fff7d6",
        stroke="#8c1d18",
        stroke_width=size * 0.1,
    )
    return box + label(text, x, y, size, fill="#8c1d18", font_weight="bold")


def draw_marker(marker: Marker, x: float, y: float, s: float) -> str:
    """A marker around a point, in a hex of s pixels."""
    look = style("marker", marker.kind)
    colour = side_colour(marker.side) if marker.side else look["colour"]
    ink = ink_on(colour) if marker.side else look["ink"]
    text = marker.text or marker.kind.replace("_", " ")
    outline: dict[str, Any] = {"fill": colour, "stroke": ink, "stroke_width": s * 0.014}
    shape = look.get("shape", "tag")
    r = s * 0.2
    if shape == "cloud":
        puffs = [(-0.8, 0.2, 0.7), (0.8, 0.2, 0.7), (0.0, -0.45, 0.85), (0.0, 0.35, 0.85)]
        drawn = "".join(
            element("circle", cx=x + px * r, cy=y + py * r, r=pr * r, fill=colour, opacity=0.85) for px, py, pr in puffs
        )
    elif shape == "star":
        corners = []
        for i in range(10):
            far = s * 0.3 if i % 2 == 0 else s * 0.15
            corners.append((x + far * math.sin(i * math.pi / 5), y - far * math.cos(i * math.pi / 5)))
        drawn = element("polygon", points=points(corners), **outline)
    else:
        width, height = s * 0.46, s * 0.2
        drawn = element("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=s * 0.03, **outline)
    drawn += _fitted(text, x, y, s * 0.13, s * 0.42, fill=ink, bold=True)
    title = element("title", clean(" ".join((marker.kind.replace("_", " "), marker.text)).strip()))
    return element("g", title + drawn, class_="marker", data_kind=marker.kind)
