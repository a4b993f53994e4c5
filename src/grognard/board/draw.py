"""Drawing a battlefield as SVG, in layers from the ground up, and as text for terminals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from grognard.board.arcs import turns
from grognard.board.battlefield import Battlefield
from grognard.board.features import Feature, Geometry, polygons
from grognard.board.geometry import bounds
from grognard.board.grid import HexGrid, Point
from grognard.board.pieces import (
    Counter,
    Marker,
    Sight,
    draw_counter,
    draw_marker,
    facing_angle,
    place_point,
)
from grognard.board.shapes import PATTERNS, dice_of, tree
from grognard.board.style import level_colour, style, styles
from grognard.board.svg import clean, closed, element, label, number, points
from grognard.board.terminal import draw_text

__all__ = ["Counter", "Marker", "Sight", "draw_svg", "draw_text"]

#: The size in pixels of a hex from flat to flat, or the width of a board without a grid.
HEX, TABLE = 80.0, 1000.0


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
    sheet = _Sheet(battlefield, scale, places)
    layers = {
        "features": sheet.free_features(),
        "ground": sheet.ground(),
        "patterns": sheet.patterns(),
        "levels": sheet.level_edges(),
        "roads": sheet.roads(),
        "buildings": sheet.buildings(),
        "hexsides": sheet.hexsides(),
        "grid": sheet.grid_lines(numbers),
        "labels": sheet.labels(),
        "highlight": sheet.highlights(highlight),
        "markers": sheet.markers(markers, {counter.place for counter in counters}),
        "counters": sheet.counters(counters),
        "sight": sheet.sights(sight),
    }
    body = [element("title", clean(battlefield.name)), sheet.background()]
    body += [element("g", "".join(drawn), class_=name) for name, layer in layers.items() if (drawn := list(layer))]
    return element(
        "svg",
        "\n".join(body) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        width=sheet.width,
        height=sheet.height,
        viewBox=f"0 0 {number(sheet.width)} {number(sheet.height)}",
        font_family=styles()["sheet"]["font"],
    )


class _Sheet:
    """One drawing: where things are in pixels, and each layer as pieces of markup."""

    def __init__(self, field: Battlefield, scale: float | None, places: Sequence[Any]) -> None:
        self.field, self.grid = field, field.grid
        if self.grid is not None:
            box = (0.0, 0.0, *self.grid.extent)
            self.scale = scale or HEX / self.grid.size
            self.s = self.grid.size * self.scale
        else:
            found = [point for feature in field.features for point in _points(feature.geometry)]
            found += [place for place in places if not isinstance(place, str)]
            box = bounds(found or [(0.0, 0.0), (1.0, 1.0)])
            self.scale = scale or TABLE / (max(box[2] - box[0], box[3] - box[1]) or 1.0)
            self.s = HEX
        self.margin = self.s * 0.2
        self.origin = (box[0], box[1])
        self.width = (box[2] - box[0]) * self.scale + 2 * self.margin
        self.height = (box[3] - box[1]) * self.scale + 2 * self.margin
        self.spots = {name: self.xy(self.grid.center(name)) for name in self.hexes} if self.grid else {}

    @property
    def hexes(self) -> tuple[str, ...]:
        return self.grid.hexes if self.grid else ()

    def xy(self, point: Sequence[float]) -> Point:
        """A point of the battlefield in pixels."""
        return (
            (point[0] - self.origin[0]) * self.scale + self.margin,
            (point[1] - self.origin[1]) * self.scale + self.margin,
        )

    def outline(self, grid: HexGrid, name: str) -> str:
        return points(self.xy(corner) for corner in grid.corners(name))

    # layers

    def background(self) -> str:
        colour = styles()["sheet"]["background"]
        return element("rect", width=self.width, height=self.height, fill=colour)

    def free_features(self) -> Iterator[str]:
        """The features as they are, where no grid says what they mean."""
        for feature in self.field.features if self.grid is None else ():
            yield self._shape(feature)

    def _shape(self, feature: Feature) -> str:
        kind = str(feature.properties.get("terrain", feature.kind))
        look = style("terrain", kind)
        ink = look.get("ink", styles()["sheet"]["ink"])
        fill = look.get("fill", look.get("tint", level_colour(1)))
        title = element("title", clean(feature.properties.get("name", kind.replace("_", " "))))
        geometry = feature.geometry or {"type": "", "coordinates": []}
        drawn = ""
        for rings in polygons(feature.geometry):
            d = "".join(closed(map(self.xy, ring)) for ring in rings)
            drawn += element("path", d=d, fill=fill, fill_rule="evenodd", stroke=ink, stroke_width=1.5)
        if geometry["type"].endswith("LineString"):
            lines = geometry["coordinates"]
            for line in [lines] if geometry["type"] == "LineString" else lines:
                side = style("hexside", kind)
                look = styles()["road"] if kind == "road" else side
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

    def ground(self) -> Iterator[str]:
        """Each hex in the colour of its level, washed with that of its terrain."""
        if self.grid is None:
            return
        for name in self.hexes:
            terrain = self.field.terrain[name]
            look = style("terrain", terrain)
            outline = self.outline(self.grid, name)
            colour = level_colour(self.field.level[name])
            title = element("title", clean(f"{name} {terrain.replace('_', ' ')}"))
            drawn = element("polygon", points=outline, fill=colour, stroke=colour, stroke_width=0.7)
            if "tint" in look:
                drawn += element("polygon", points=outline, fill=look["tint"], opacity=look["opacity"])
            yield element("g", title + drawn, class_="hex", data_hex=name)
        for feature in self.field.features:
            if feature.kind == "hill":
                look = styles()["hill"]
                for rings in polygons(feature.geometry):
                    yield element(
                        "path",
                        d=closed(map(self.xy, rings[0])),
                        fill=look["tint"],
                        fill_opacity=look["opacity"],
                        stroke=look["ink"],
                        stroke_width=self.s * 0.025,
                        stroke_linejoin="round",
                    )

    def patterns(self) -> Iterator[str]:
        """What grows or lies in each hex, running on into the next of the same kind."""
        grid = self.grid
        if grid is None:
            return
        for name in self.hexes:
            look = style("terrain", self.field.terrain[name])
            x, y = self.spots[name]
            if pattern := PATTERNS.get(look.get("pattern", "")):
                drawn = pattern(self.s, look, dice_of(name))
                yield element("g", drawn, transform=f"translate({number(x)} {number(y)})")
            for direction in range(1, 7):
                other = grid.neighbors[name][direction]
                if other is None or style("terrain", self.field.terrain[other]) is look:
                    if look.get("pattern") == "trees" and other is not None and direction <= 3:
                        side = self.xy(grid.side_middle(name, direction))
                        yield tree(*side, self.s * 0.1, look)
                elif "shore" in look:
                    ends = [self.xy(end) for end in grid.edge_points(name, direction)]
                    yield _line(ends, look["shore"], self.s * 0.035)

    def level_edges(self) -> Iterator[str]:
        """Where the ground rises: a brown edge with hatching down the slope, and the level's number."""
        grid = self.grid
        if grid is None:
            return
        colour = styles()["levels"]["edge"]
        for name in self.hexes:
            level, (x, y) = self.field.level[name], self.spots[name]
            for direction in range(1, 7):
                other = grid.neighbors[name][direction]
                if other is None or self.field.level[other] >= level:
                    continue
                (x1, y1), (x2, y2) = (self.xy(end) for end in grid.edge_points(name, direction))
                yield _line([(x1, y1), (x2, y2)], colour, self.s * 0.035)
                ox, oy = self.spots[other]
                dx, dy = (ox - x) * 0.055, (oy - y) * 0.055
                hatching = ""
                for i in range(1, 8):
                    px, py = x1 + (x2 - x1) * i / 8, y1 + (y2 - y1) * i / 8
                    hatching += f"M{number(px)} {number(py)}l{number(dx)} {number(dy)}"
                yield element("path", d=hatching, stroke=colour, stroke_width=self.s * 0.018, fill="none")
            if level != 1:
                yield self._level_mark(x - self.s * 0.3, y + self.s * 0.3, level)

    def _level_mark(self, x: float, y: float, level: int) -> str:
        r = self.s * 0.1
        corners = [(x, y - r), (x + r, y + r * 0.75), (x - r, y + r * 0.75)]
        colour = styles()["levels"]["edge"]
        return element("polygon", points=points(corners), fill="#fff8e6", stroke=colour, stroke_width=1) + label(
            level, x, y + r * 0.2, r * 0.95, fill=colour, font_weight="bold"
        )

    def roads(self) -> Iterator[str]:
        """Roads as smooth lines over their darker edges; bridges beneath them."""
        grid = self.grid
        if grid is None:
            return
        paths = {name: self._road(grid, name, ways) for name, ways in self.field.roads.items() if ways}
        road, bridge = styles()["road"], styles()["bridge"]
        whole = "".join(paths.values())
        if whole:
            yield _path(whole, road["casing"], self.s * (road["width"] + 0.045))
        for name in sorted(self.field.bridges, key=grid.index.__getitem__):
            if name in paths:
                yield _path(paths[name], bridge["colour"], self.s * bridge["width"], "butt")
        if whole:
            yield _path(whole, road["colour"], self.s * road["width"])

    def _road(self, grid: HexGrid, name: str, ways: Collection[int]) -> str:
        x, y = self.spots[name]
        ends = {way: self.xy(grid.side_middle(name, way)) for way in sorted(ways)}
        pairs = [(a, b) for a in ends for b in ends if a < b and (turns(a, b) > 1 or len(ends) == 2)]
        joined = {way for pair in pairs for way in pair}
        d = ""
        for a, b in pairs:
            (ax, ay), (bx, by) = ends[a], ends[b]
            d += f"M{number(ax)} {number(ay)}Q{number(x)} {number(y)} {number(bx)} {number(by)}"
        for way in ends:
            # Where three ways meet, lines to the middle fill the gap between the curves.
            if way not in joined or len(ends) > 2:
                d += f"M{number(x)} {number(y)}L{number(ends[way][0])} {number(ends[way][1])}"
        return d

    def buildings(self) -> Iterator[str]:
        """Buildings from above: their own outline, or a house in each hex joined to the next."""
        grid = self.grid
        if grid is None:
            return
        housed = set()
        for feature in self.field.features:
            if feature.kind != "building":
                continue
            look = style("terrain", str(feature.properties.get("terrain", "structure")))
            # Terrain that the styles do not know as a building still needs a roof here.
            look = {**styles()["terrain"]["structure"], **look}
            hexes = [name for name, ident in self.field.building.items() if ident == str(feature.id)]
            housed.update(hexes)
            if feature.properties.get("outline", True) and polygons(feature.geometry):
                d = "".join(closed(map(self.xy, rings[0])) for rings in polygons(feature.geometry))
                yield element("path", d=d, fill="#000", opacity=0.25, transform="translate(2.5 3)")
                yield element("path", d=d, fill=look["fill"], stroke=look["ink"], stroke_width=self.s * 0.025)
            else:
                yield self._houses(grid, hexes, look)
            for name in hexes[:1] if self.field.building_level.get(hexes[0] if hexes else "", 1) > 1 else ():
                x, y = self.spots[name]
                level = self.field.building_level[name]
                yield label(level, x, y + self.s * 0.12, self.s * 0.15, fill="#fff", font_weight="bold")
        for name in self.hexes:
            look = style("terrain", self.field.terrain[name])
            if look.get("pattern") == "building" and name not in housed:
                yield self._houses(grid, [name], look)

    def _houses(self, grid: HexGrid, hexes: list[str], look: dict[str, Any]) -> str:
        wide, rim = self.s * 0.42, self.s * 0.0225

        def walls(over: float) -> str:
            d = ""
            for name in hexes:
                x, y = self.spots[name]
                joined = [self.spots[other] for other in grid.adjacent[name] if other in hexes]
                half = wide * (0.5 if joined else 0.62) + over
                d += f"M{number(x - half)} {number(y)}H{number(x + half)}"
                d += "".join(f"M{number(x)} {number(y)}L{number(ox)} {number(oy)}" for ox, oy in joined)
            return d

        shadow = element("g", _path(walls(rim), "#000", wide, "butt"), opacity=0.25, transform="translate(2.5 3)")
        return (
            shadow
            + _path(walls(rim), look["ink"], wide + 2 * rim, "butt")
            + _path(walls(0), look["fill"], wide, "butt")
            + (_path(walls(0), look["ink"], self.s * 0.018, "butt") if len(hexes) == 1 else "")
        )

    def hexsides(self) -> Iterator[str]:
        """Hedges, walls and the like along their hexsides."""
        grid = self.grid
        if grid is None:
            return
        for side, kind in sorted(self.field.hexsides.items()):
            look = style("hexside", kind)
            ends = [self.xy(end) for end in grid.side_points(*grid.side_hexes(side))]
            wide = look["width"] * self.s
            drawn = element("title", clean(f"{side} {kind.replace('_', ' ')}"))
            if "casing" in look:
                drawn += _line(ends, look["casing"], wide + self.s * 0.03)
            dash = " ".join(number(part * self.s) for part in look.get("dash", ())) or None
            drawn += _line(ends, look["colour"], wide, dash, "butt" if dash else "round")
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
            yield element("g", drawn, class_="side", data_side=side)

    def grid_lines(self, numbers: bool) -> Iterator[str]:
        """The hexes' edges, and their numbers."""
        grid = self.grid
        if grid is None:
            return
        sheet = styles()["sheet"]
        d = "".join(closed(map(self.xy, grid.corners(name))) for name in self.hexes)
        yield element("path", d=d, fill="none", stroke=sheet["grid"], stroke_width=self.s * 0.011, stroke_opacity=0.55)
        up = 0.41 if grid.layout == "flat" else 0.42
        for name in self.hexes if numbers else ():
            x, y = self.spots[name]
            low, size = y - self.s * up, self.s * 0.1
            if style("terrain", self.field.terrain[name]).get("pattern") not in (None, "building"):
                halo = {"stroke": sheet["background"], "stroke_width": size * 0.3, "opacity": 0.75}
                yield label(name, x, low, size, fill=sheet["background"], **halo)
            yield label(name, x, low, size, fill=sheet["number"])

    def labels(self) -> Iterator[str]:
        """Place names, readable on any ground."""
        look = styles()["label"]
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
        default = styles()["highlight"]["colour"]
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
            # A stack leans evenly to both sides of the middle.
            lean = tallest[counter.place] * self.s * 0.035
            angle = facing_angle(self.grid, counter.facing) if counter.facing else 0.0
            yield draw_counter(counter, x - lean, y + lean, self.s, angle)

    def sights(self, lines: Sequence[Sight]) -> Iterator[str]:
        """Lines of sight: solid when clear, dashed when degraded or blocked, a cross where it ends."""
        for line in lines:
            colour = styles()["sight"].get(line.state, styles()["sight"]["clear"])
            ends = [
                self.xy(place_point(self.grid, line.a, line.from_side)),
                self.xy(place_point(self.grid, line.b, line.to_side)),
            ]
            dash = None if line.state == "clear" else f"{number(self.s * 0.12)} {number(self.s * 0.07)}"
            yield element("g", _line(ends, "#ffffff", self.s * 0.075), opacity=0.7)
            yield _line(ends, colour, self.s * 0.04, dash)
            for x, y in ends:
                yield element("circle", cx=x, cy=y, r=self.s * 0.05, fill=colour, stroke="#fff")
            if line.at:
                x, y = self.xy(place_point(self.grid, line.at))
                r = self.s * 0.12
                d = f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(2 * r)}"
                d += f"m0 {number(-2 * r)}l{number(-2 * r)} {number(2 * r)}"
                yield _path(d, "#ffffff", self.s * 0.09)
                yield _path(d, colour, self.s * 0.05)


def _points(geometry: Geometry | None) -> Iterator[Point]:
    def walk(value: Any) -> Iterator[Point]:
        if value and isinstance(value[0], (int, float)):
            yield float(value[0]), float(value[1])
        else:
            for part in value:
                yield from walk(part)

    yield from walk(geometry["coordinates"]) if geometry else ()


def _line(ends: Sequence[Point], colour: str, width: float, dash: str | None = None, cap: str = "round") -> str:
    return element(
        "polyline",
        points=points(ends),
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_dasharray=dash,
    )


def _path(d: str, colour: str, width: float, cap: str = "round") -> str:
    return element(
        "path",
        d=d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linecap=cap,
        stroke_linejoin="round",
    )
