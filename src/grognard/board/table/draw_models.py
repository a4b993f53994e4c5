"""Models on a table as SVG: men on round bases, guns, vehicles, and the markers beside them; in inches."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from grognard.board.style import LIGHT, ink_on, style, styles
from grognard.board.svg import clean, element, label, number, points
from grognard.board.table.draw_roofs import shaded
from grognard.core.poses import place, point
from grognard.core.view import MarkerView, ModelView, UnitView


def draw_unit(unit: UnitView, colour: str, theme: str = LIGHT) -> str:
    """A unit's models, and its name above them."""
    look = styles(theme)["tabletop_model"]
    drawn = element("title", clean(f"{unit.name} ({unit.side})"))
    drawn += "".join(_model(model, colour, look) for model in unit.models)
    top = min(model.y - max(model.radius, model.length / 2) for model in unit.models)
    middle = sum(model.x for model in unit.models) / len(unit.models)
    ink = styles(theme)["label"]
    text = " ".join([unit.id, *unit.badges])
    drawn += label(
        text,
        middle,
        top - 0.45,
        0.72,
        fill=ink["ink"],
        stroke=ink["halo"],
        stroke_width=0.2,
        paint_order="stroke",
        stroke_linejoin="round",
        font_weight="700",
    )
    return element("g", drawn, class_="unit", data_unit=unit.id)


def unit_sized(unit: UnitView, size: float) -> UnitView:
    """A unit with its models where a unit of the table is so many inches."""
    if size == 1:
        return unit
    models = [
        msgspec.structs.replace(
            model,
            x=model.x * size,
            y=model.y * size,
            radius=model.radius * size,
            length=model.length * size,
            width=model.width * size,
        )
        for model in unit.models
    ]
    return msgspec.structs.replace(unit, models=models)


def marker_sized(marker: MarkerView, size: float) -> MarkerView:
    """A marker where a unit of the table is so many inches."""
    if size == 1:
        return marker
    try:
        x, y = (round(value * size) for value in point(marker.place))
    except ValueError:
        return marker
    return msgspec.structs.replace(
        marker,
        place=place(x, y),
        radius=marker.radius * size,
        length=marker.length * size,
        width=marker.width * size,
        outline=[(a * size, b * size) for a, b in marker.outline],
    )


def _model(model: ModelView, colour: str, look: dict[str, Any]) -> str:
    at = f"translate({number(model.x)} {number(model.y)}) rotate({model.heading})"
    if model.radius:
        return element("g", _man(model.radius, colour, look), transform=at)
    return element("g", _hull(model.length, model.width, colour, look), transform=at)


def _man(r: float, colour: str, look: dict[str, Any]) -> str:
    """A rifleman from above on his base: shoulders, helmet and rifle, looking up."""
    cloth = shaded(colour, -0.4)
    return (
        element("circle", cx=r * 0.12, cy=r * 0.16, r=r, fill="#000", opacity=0.3)
        + element("circle", r=r * 0.95, fill=shaded(colour, 0.12), stroke=look["rim"], stroke_width=r * 0.06)
        + element("circle", r=r, fill="none", stroke=look["edge"], stroke_width=r * 0.09)
        + element(
            "ellipse", cy=r * 0.06, rx=r * 0.66, ry=r * 0.34, fill=cloth, stroke=look["rim"], stroke_width=r * 0.05
        )
        + element(
            "path",
            d=f"M{number(r * 0.3)} {number(r * 0.1)}L{number(r * 0.08)} {number(-r * 0.88)}",
            stroke=look["steel"],
            stroke_width=r * 0.12,
            stroke_linecap="round",
        )
        + element("circle", cx=r * 0.22, cy=-r * 0.32, r=r * 0.1, fill=look["skin"])
        + element("circle", r=r * 0.34, fill=shaded(colour, -0.2), stroke=look["rim"], stroke_width=r * 0.06)
        + element("circle", cx=-r * 0.08, cy=-r * 0.1, r=r * 0.1, fill="#fff", opacity=0.35)
    )


def _hull(long: float, wide: float, colour: str, look: dict[str, Any]) -> str:
    """A vehicle or gun from above, its front up."""
    dark, light = shaded(colour, -0.3), shaded(colour, 0.18)
    top, left = -long / 2, -wide / 2
    rim = {"stroke": look["rim"], "stroke_width": 0.05}
    drawn = element("rect", x=left + 0.12, y=top + 0.18, width=wide, height=long, rx=0.15, fill="#000", opacity=0.32)
    track = wide * 0.22
    for x in (left, wide / 2 - track):
        drawn += element("rect", x=x, y=top, width=track, height=long, rx=track * 0.35, fill=look["track"], **rim)
        links = "".join(f"M{number(x)} {number(top + i * 0.2)}h{number(track)}" for i in range(1, int(long / 0.2)))
        drawn += element("path", d=links, stroke=dark, stroke_width=0.05)
    nose = long * 0.12
    hull = [
        (left + track * 0.7, top + nose),
        (left + track * 1.1, top + 0.03),
        (-left - track * 1.1, top + 0.03),
        (-left - track * 0.7, top + nose),
        (-left - track * 0.7, -top - 0.08),
        (left + track * 0.7, -top - 0.08),
    ]
    drawn += element("polygon", points=points(hull), fill=colour, **rim)
    drawn += element(
        "path",
        d=f"M{number(left + track)} {number(top + nose)}H{number(-left - track)}",
        stroke=dark,
        stroke_width=0.05,
    )
    grille = "".join(f"M{number(-wide * 0.22)} {number(-top - 0.2 - i * 0.13)}h{number(wide * 0.44)}" for i in range(4))
    drawn += element("path", d=grille, stroke=dark, stroke_width=0.05)
    r = wide * 0.32
    drawn += element("line", x1=0, y1=0, x2=0, y2=top - long * 0.1, stroke=look["rim"], stroke_width=wide * 0.12)
    drawn += element("line", x1=0, y1=0, x2=0, y2=top - long * 0.09, stroke=dark, stroke_width=wide * 0.08)
    drawn += element("circle", cy=0.03, cx=0.05, r=r, fill="#000", opacity=0.3)
    drawn += element("circle", r=r, fill=light, **rim)
    return drawn + element("circle", cx=-r * 0.3, cy=r * 0.25, r=r * 0.36, fill=colour, **rim)


def draw_marker(marker: MarkerView) -> str:
    """A marker: of its own size where it has one, else a small disc with its text."""
    # A marker is to be seen by night, too.
    look = style("marker", marker.kind)
    try:
        x, y = (value / 100 for value in point(marker.place))
    except ValueError:
        return ""
    fill, ink = look["colour"], look["ink"]
    title = element("title", clean(marker.text or marker.kind.replace("_", " ")))
    size = {"fill": fill, "fill_opacity": 0.55, "stroke": ink, "stroke_width": 0.1}
    if marker.outline:
        return element("g", title + element("polygon", points=points(marker.outline), **size))
    if marker.length and marker.width:
        box = element(
            "rect", x=-marker.width / 2, y=-marker.length / 2, width=marker.width, height=marker.length, rx=0.1, **size
        )
        return element("g", title + box, transform=f"translate({number(x)} {number(y)}) rotate({marker.facing})")
    if marker.radius:
        return element("g", title + element("circle", cx=x, cy=y, r=marker.radius, **size))
    shape = _star(x, y, 0.85) if look.get("shape") == "star" else None
    drawn = element("polygon", points=shape, fill=fill, stroke=ink, stroke_width=0.1) if shape else ""
    drawn = drawn or element("circle", cx=x, cy=y, r=0.6, fill=fill, stroke=ink, stroke_width=0.1)
    if marker.text:
        drawn += label(marker.text[:3], x, y, 0.62, fill=ink_on(fill), font_weight="700")
    return element("g", title + drawn)


def _star(x: float, y: float, r: float) -> str:
    corners = []
    for i in range(10):
        far = r if i % 2 == 0 else r * 0.48
        corners.append((x + far * math.sin(i * math.pi / 5), y - far * math.cos(i * math.pi / 5)))
    return points(corners)
