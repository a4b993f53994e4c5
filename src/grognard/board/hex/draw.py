"""Drawing a battlefield as SVG, in layers from the ground up, and as text for terminals."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import Feature, polygons
from grognard.board.hex.grid import Point
from grognard.board.hex.land import Land
from grognard.board.hex.pieces import (
    Counter,
    Marker,
    Sight,
    draw_counter,
    draw_marker,
    facing_angle,
    place_point,
)
from grognard.board.hex.sheet import Sheet, line, stroke
from grognard.board.hex.terminal import draw_text
from grognard.board.style import LIGHT, level_colour, style, styles
from grognard.board.svg import clean, closed, element, label, number, points

__all__ = ["Counter", "Marker", "Sight", "draw_land", "draw_svg", "draw_text", "draw_thumbnail"]

#: How far a bridge over a hexside reaches, in hexes.
DECK = 0.34

_PATH_DATA = re.compile(r' d="[^"]*"')
_HUNDREDTHS = re.compile(r"(\.\d)\d")


def draw_svg(
    battlefield: Battlefield,
    counters: Sequence[Counter] = (),
    markers: Sequence[Marker] = (),
    *,
    highlight: Collection[str] | Mapping[str, str] = (),
    sight: Sequence[Sight] = (),
    scale: float | None = None,
    numbers: bool = True,
) -> str:
    """The battlefield with its pieces as an SVG document.

    ``highlight`` is hexes, or hexes with their colours; ``scale`` is pixels per metre. Each hex is
    a ``.hex`` element with its ``data-hex``, each counter a ``.counter`` with its ``data-unit``.
    """
    places = [counter.place for counter in counters] + [marker.place for marker in markers]
    sheet = _Drawing(battlefield, scale, places)
    land = Land(sheet, sheet.grid) if sheet.grid is not None else None
    layers = {
        "features": sheet.free_features(),
        "hexsides": sheet.hexsides(),
        "grid": sheet.grid_lines(numbers),
        "marks": (*land.level_marks(), *land.building_marks()) if land else (),
        "labels": sheet.labels(),
        "highlight": sheet.highlights(highlight),
        "markers": sheet.markers(markers, {counter.place for counter in counters}),
        "counters": sheet.counters(counters),
        "sight": sheet.sights(sight),
    }
    return sheet.document(land.layers() if land else (), layers)


def draw_land(battlefield: Battlefield, theme: str = LIGHT, scale: float | None = None) -> str:
    """The battlefield without any piece as an SVG document: a picture to lay pieces on, without names of its parts.

    Its pixels are those of the `outline` of the same battlefield.
    """
    sheet = _Drawing(battlefield, scale, theme=theme)
    land = Land(sheet, sheet.grid) if sheet.grid is not None else None
    layers = {
        "features": sheet.free_features(),
        "hexsides": sheet.hexsides(named=False),
        "grid": sheet.grid_lines(numbers=True),
        "marks": (*land.level_marks(), *land.building_marks()) if land else (),
        "labels": sheet.labels(),
    }
    return sheet.document(land.layers(named=False) if land else (), layers)


def draw_thumbnail(battlefield: Battlefield, theme: str = LIGHT, width: float = 320.0) -> str:
    """The battlefield as a small picture: heights, ground, water, roads and buildings, without textures and texts."""
    whole = Sheet(battlefield)
    sheet = _Drawing(battlefield, whole.scale * width / whole.width, theme=theme)
    land = Land(sheet, sheet.grid) if sheet.grid is not None else None
    layers = {"features": sheet.free_features(), "hexsides": sheet.plain_hexsides()}
    drawn = sheet.document(land.layers(named=False, textures=False) if land else (), layers)
    # A tenth of a pixel is enough at this size.
    return _PATH_DATA.sub(lambda found: _HUNDREDTHS.sub(r"\1", found[0]), drawn)


def _across(ends: Sequence[Point], long: float) -> list[Point]:
    """A line of a length across the middle of another."""
    (x1, y1), (x2, y2) = ends
    x, y, part = (x1 + x2) / 2, (y1 + y2) / 2, long / 2 / (math.dist(*ends) or 1.0)
    dx, dy = (y2 - y1) * part, (x1 - x2) * part
    return [(x - dx, y - dy), (x + dx, y + dy)]


class _Drawing(Sheet):
    """The layers of one drawing above the land, each as pieces of markup."""

    @property
    def styles(self) -> dict[str, Any]:
        """The styles of the drawing's theme."""
        return styles(self.theme)

    def _style(self, table: str, kind: str) -> dict[str, Any]:
        return style(table, kind, self.theme)

    def document(self, land: Iterable[str], layers: Mapping[str, Iterable[str]]) -> str:
        """The SVG of the land and the layers above it."""
        body = [element("title", clean(self.field.name)), self.background(), *land]
        body += [element("g", "".join(drawn), class_=name) for name, layer in layers.items() if (drawn := list(layer))]
        return element(
            "svg",
            "\n".join(body) + "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=self.width,
            height=self.height,
            viewBox=f"0 0 {number(self.width)} {number(self.height)}",
            font_family=self.styles["sheet"]["font"],
        )

    def background(self) -> str:
        colour = self.styles["sheet"]["background"]
        return element("rect", width=self.width, height=self.height, fill=colour)

    def free_features(self) -> Iterator[str]:
        """The features as they are, where no grid says what they mean."""
        for feature in self.field.features if self.grid is None else ():
            yield self._shape(feature)

    def _shape(self, feature: Feature) -> str:
        kind = str(feature.properties.get("terrain", feature.kind))
        look = self._style("terrain", kind)
        ink = look.get("ink", self.styles["sheet"]["ink"])
        fill = look.get("fill", look.get("tint", level_colour(1, self.theme)))
        title = element("title", clean(feature.properties.get("name", kind.replace("_", " "))))
        geometry = feature.geometry or {"type": "", "coordinates": []}
        drawn = ""
        for rings in polygons(feature.geometry):
            d = "".join(closed(map(self.xy, ring)) for ring in rings)
            drawn += element("path", d=d, fill=fill, fill_rule="evenodd", stroke=ink, stroke_width=1.5)
        if geometry["type"].endswith("LineString"):
            lines = geometry["coordinates"]
            for line in [lines] if geometry["type"] == "LineString" else lines:
                side = self._style("hexside", kind)
                look = self.styles["road"] if kind == "road" else side
                drawn += element(
                    "polyline",
                    points=points(map(self.xy, line)),
                    fill="none",
                    stroke=look["colour"],
                    stroke_width=look["width"] * self.s,
                    stroke_linejoin="round",
                )
        if geometry["type"] == "Point":
            x, y = self.xy(geometry["coordinates"])
            drawn += label(feature.properties.get("text", kind), x, y, self.s * 0.18, fill=ink)
        return element("g", title + drawn)

    def plain_hexsides(self) -> Iterator[str]:
        """Hedges, walls and the like, each kind in one stroke."""
        grid = self.grid
        paths: dict[str, str] = {}
        for side, kind in sorted(self.field.hexsides.items()) if grid else ():
            assert grid is not None
            (x1, y1), (x2, y2) = (self.xy(end) for end in grid.side_points(*grid.side_hexes(side)))
            paths[kind] = paths.get(kind, "") + f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"
        for kind, d in paths.items():
            look = self._style("hexside", kind)
            look = self._style("hexside", look["over"]) if "over" in look else look
            yield stroke(d, look["colour"], look["width"] * self.s)

    def hexsides(self, named: bool = True) -> Iterator[str]:
        """Hedges, walls and the like along their hexsides."""
        grid = self.grid
        if grid is None:
            return
        for side, kind in sorted(self.field.hexsides.items()):
            look = self._style("hexside", kind)
            ends = [self.xy(end) for end in grid.side_points(*grid.side_hexes(side))]
            wide = look["width"] * self.s
            drawn = element("title", clean(f"{side} {kind.replace('_', ' ')}")) if named else ""
            if "over" in look:
                below = self._style("hexside", look["over"])
                drawn += line(ends, below["colour"], below["width"] * self.s)
                ends = _across(ends, self.s * DECK)
            if "casing" in look:
                drawn += line(ends, look["casing"], wide + self.s * 0.03, None, "butt" if "over" in look else "round")
            dash = " ".join(number(part * self.s) for part in look.get("dash", ())) or None
            drawn += line(ends, look["colour"], wide, dash, "butt" if dash or "over" in look else "round")
            if look.get("bumps"):
                (x1, y1), (x2, y2) = ends
                for i in range(6):
                    t = (i + 0.5) / 6
                    x, y = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
                    drawn += element(
                        "circle",
                        cx=x,
                        cy=y,
                        r=wide * 0.62,
                        fill=look["colour"],
                        stroke=look["casing"],
                        stroke_width=self.s * 0.01,
                    )
            yield element("g", drawn, class_="side", data_side=side) if named else drawn

    def grid_lines(self, numbers: bool) -> Iterator[str]:
        """The hexes' edges, and their numbers."""
        grid = self.grid
        if grid is None:
            return
        sheet = self.styles["sheet"]
        d = "".join(closed(map(self.xy, grid.corners(name))) for name in self.hexes)
        yield element("path", d=d, fill="none", stroke=sheet["grid"], stroke_width=self.s * 0.011, stroke_opacity=0.55)
        up = 0.41 if grid.layout == "flat" else 0.42
        size = self.s * 0.1
        halos, texts = [], []
        for name in self.hexes if numbers else ():
            x, y = self.spots[name]
            # As in `label`, baselines are placed by hand.
            texts.append(element("text", name, x=x, y=y - self.s * up + size * 0.35))
            if self._style("terrain", self.field.terrain[name]).get("pattern") not in (None, "building"):
                halos.append(texts[-1])
        font = {"font_size": size, "text_anchor": "middle"}
        if halos:
            halo = {"stroke": sheet["background"], "stroke_width": size * 0.3, "opacity": 0.75}
            yield element("g", "".join(halos), fill=sheet["background"], **halo, **font)
        if texts:
            yield element("g", "".join(texts), fill=sheet["number"], **font)

    def labels(self) -> Iterator[str]:
        """Place names, readable on any ground."""
        look = self.styles["label"]
        for name, text in self.field.labels.items():
            x, y = self.spots[name]
            size = self.s * 0.17
            low = y + self.s * 0.36
            halo = {"stroke": look["halo"], "stroke_width": size * 0.28, "stroke_linejoin": "round"}
            font = {"font_style": "italic", "font_weight": "bold"}
            yield label(text, x, low, size, fill=look["halo"], **halo, **font)
            yield label(text, x, low, size, fill=look["ink"], **font)

    def highlights(self, hexes: Collection[str] | Mapping[str, str]) -> Iterator[str]:
        """A wash and a rim over each highlighted hex."""
        default = self.styles["highlight"]["colour"]
        colours = hexes if isinstance(hexes, Mapping) else dict.fromkeys(hexes, default)
        for name, colour in colours.items() if self.grid else ():
            yield element(
                "polygon",
                points=self.outline(self.grid, name) if self.grid else "",
                fill=colour,
                fill_opacity=0.28,
                stroke=colour,
                stroke_width=self.s * 0.045,
                stroke_linejoin="round",
            )

    def markers(self, markers: Sequence[Marker], taken: Collection[Any]) -> Iterator[str]:
        """Markers, several in one place above each other, and lower where a counter stands."""
        seen: dict[Any, int] = {}
        for marker in markers:
            x, y = self.xy(place_point(self.grid, marker.place))
            count = seen[marker.place] = seen.get(marker.place, -1) + 1
            low = 0.36 if marker.place in taken else 0.0
            yield draw_marker(marker, x, y + self.s * (low - 0.17 * count), self.s)

    def counters(self, counters: Sequence[Counter]) -> Iterator[str]:
        """Counters, those at the bottom of a stack first."""
        tallest: dict[Any, int] = {}
        for counter in counters:
            tallest[counter.place] = max(tallest.get(counter.place, 0), counter.stack)
        for counter in sorted(counters, key=lambda each: each.stack):
            x, y = self.xy(place_point(self.grid, counter.place))
            # A stack leans evenly to both sides of the middle, so far that what lies below can be read.
            high = tallest[counter.place]
            lean = self.s * min(0.13, 0.3 / max(high, 1)) * (counter.stack - high / 2)
            angle = facing_angle(self.grid, counter.facing) if counter.facing else 0.0
            yield draw_counter(counter, x + lean, y - lean, self.s, angle)

    def sights(self, lines: Sequence[Sight]) -> Iterator[str]:
        """Lines of sight: solid when clear, dashed when degraded or blocked, a cross where it ends."""
        for sight in lines:
            colour = self.styles["sight"].get(sight.state, self.styles["sight"]["clear"])
            ends = [
                self.xy(place_point(self.grid, sight.a, sight.from_side)),
                self.xy(place_point(self.grid, sight.b, sight.to_side)),
            ]
            dash = None if sight.state == "clear" else f"{number(self.s * 0.12)} {number(self.s * 0.07)}"
            yield element("g", line(ends, "#ffffff", self.s * 0.075), opacity=0.7)
            yield line(ends, colour, self.s * 0.04, dash)
            for x, y in ends:
                yield element("circle", cx=x, cy=y, r=self.s * 0.05, fill=colour, stroke="#fff")
            if sight.at:
                x, y = self.xy(place_point(self.grid, sight.at))
                r = self.s * 0.12
                d = f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}"
                d += f"m0 {number(-2 * r)}l{number(-2 * r)} {number(2 * r)}"
                yield stroke(d, "#ffffff", self.s * 0.09)
                yield stroke(d, colour, self.s * 0.05)
