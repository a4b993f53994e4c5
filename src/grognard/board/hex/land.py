"""Drawing the land of a battlefield with hexes: heights, what grows, water, roads and buildings.

Hexes are what the rules count; the drawing shows the country under them. Woods and contours are
rounded, but never so far that a hex's centre would change sides.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from grognard.board.hex.arcs import turns
from grognard.board.hex.battlefield import GROUND, Feature
from grognard.board.hex.features import ROAD, covered, polygons, way_out
from grognard.board.hex.geometry import area
from grognard.board.hex.grid import HexGrid, Point
from grognard.board.hex.regions import boundary, nudge, rounded, with_rim
from grognard.board.hex.sheet import Sheet, line, stroke
from grognard.board.shapes import PATTERNS, dice_of, grass, rows, tree
from grognard.board.style import level_colour, style, styles
from grognard.board.svg import clean, closed, element, label, number, points

if TYPE_CHECKING:
    from grognard.board.hex.draw_cover import Patches
    from grognard.board.hex.draw_relief import ReliefDrawing

Look = dict[str, Any]


class Land:
    """The layers of the land, from the ground up."""

    def __init__(self, sheet: Sheet, grid: HexGrid) -> None:
        self.sheet, self.grid, self.field, self.s = sheet, grid, sheet.field, sheet.s
        self.styles = styles(sheet.theme)
        self.looks = {name: self._style("terrain", terrain) for name, terrain in self.field.terrain.items()}
        # The cut keeps what runs on beyond the map from showing; its name is that of the map's shape, for
        # several maps may stand on one page.
        self.cut = f"map-{grid.layout}-{grid.columns}x{grid.rows}-{grid.shove}-{number(self.s)}"

    def _style(self, table: str, kind: str) -> Look:
        return style(table, kind, self.sheet.theme)

    def layers(self, *, named: bool = True, textures: bool = True) -> Iterator[str]:
        """The whole land: with or without hexes that can be found by their names, and what grows in them."""
        path = element("path", d=self._area(self.grid.hexes))
        yield element("defs", element("clipPath", path, id=self.cut))
        yield element("g", "".join(self.ground() if named else self.bare_ground()), class_="ground")
        relief = self.relief
        for name, layer in (
            ("levels", self.heights()),
            ("tints", relief.tints() if relief else ()),
            ("surfaces", self.surfaces()),
            ("terrain", self.washes()),
            ("contours", self.contours(hatched=textures)),
            ("relief", relief.lines() if relief else ()),
            ("water", self.water()),
            ("patterns", self.patterns() if textures else ()),
            ("roads", self.roads()),
            ("buildings", self.buildings()),
            ("heights", relief.texts() if relief and textures else ()),
        ):
            if drawn := "".join(layer):
                clip = f"url(#{self.cut})"
                yield element("g", drawn, class_=name, clip_path=clip, pointer_events="none")

    @cached_property
    def relief(self) -> ReliefDrawing | None:
        """The contour lines, where the map has any."""
        if not self.field.contoured:
            return None
        from grognard.board.hex.draw_relief import ReliefDrawing

        return ReliefDrawing(self.sheet)

    @cached_property
    def patches(self) -> Patches | None:
        """Terrain with an edge of its own, where the map has any."""
        if not any(each.kind == "terrain" and "hexes" not in each.properties for each in self.field.features):
            return None
        from grognard.board.hex.draw_cover import Patches

        return Patches(self.sheet, self.grid, self.field.building)

    # shapes

    def _area(self, hexes: Iterable[str]) -> str:
        """Hexes as path data, with their true edges."""
        loops = boundary(self.grid, {self.grid.axials[name] for name in hexes})
        return "".join(closed(self.sheet.xy(self.grid.point(*corner)) for corner in loop) for loop in loops)

    def _soft(self, hexes: Collection[str], wild: float) -> list[list[Point]]:
        """Hexes as rounded shapes in pixels, running on beyond the map's edge."""
        loops = boundary(self.grid, with_rim(self.grid, hexes))
        return [[self.sheet.xy(point) for point in rounded(self.grid, loop, wild)] for loop in loops]

    # layers

    def ground(self) -> Iterator[str]:
        """Each hex, to be found by its name."""
        colour = level_colour(GROUND, self.sheet.theme)
        for name in self.grid.hexes:
            title = element("title", clean(f"{name} {self.field.terrain[name].replace('_', ' ')}"))
            outline = self.sheet.outline(self.grid, name)
            drawn = element("polygon", points=outline, fill=colour, stroke=colour, stroke_width=0.7)
            yield element("g", title + drawn, class_="hex", data_hex=name)

    def bare_ground(self) -> Iterator[str]:
        """All hexes in one."""
        yield element("path", d=self._area(self.grid.hexes), fill=level_colour(GROUND, self.sheet.theme))

    @cached_property
    def slopes(self) -> list[tuple[int, list[list[Point]]]]:
        """The ground above and below the common level: levels with the outlines of their areas, lower ones first."""
        hills: dict[int, list[Feature]] = {}
        for feature in self.field.features:
            if feature.kind == "hill":
                heights = [self.field.level.get(name, GROUND) for name in feature.properties.get("hexes", ())]
                hills.setdefault(max(GROUND + 1, *heights, GROUND), []).append(feature)
        found = []
        levels = {*self.field.level.values(), *hills}
        for level in sorted(each for each in levels if each > GROUND):
            # A hill with an outline of its own is drawn by it, not by the edge of its hexes.
            own = {name for feature in hills.get(level, ()) for name in feature.properties.get("hexes", ())}
            rest = {name for name, height in self.field.level.items() if height >= level} - own
            loops = self._soft(rest, 0.05)
            for feature in hills.get(level, ()):
                for rings in polygons(feature.geometry):
                    ring = [self.sheet.xy(point) for point in rings[0][:-1]]
                    loops.append(ring if area(ring) > 0 else ring[::-1])
            found.append((level, loops))
        for level in sorted((each for each in levels if each < GROUND), reverse=True):
            low = {name for name, height in self.field.level.items() if height <= level}
            found.append((level, self._soft(low, 0.05)))
        return found

    def heights(self) -> Iterator[str]:
        """High and low ground in its colour."""
        for level, loops in self.slopes:
            d = "".join(closed(loop) for loop in loops)
            yield element("path", d=d, fill=level_colour(level, self.sheet.theme), fill_rule="evenodd")

    def contours(self, hatched: bool = True) -> Iterator[str]:
        """The edge of high and low ground, hatched down the slope."""
        edge = self.styles["levels"]["edge"]
        for level, loops in self.slopes:
            far = self.s * (0.075 if level > GROUND else -0.075)
            if hatched:
                ticks = "".join(_hatching(loop, self.s * 0.09, far) for loop in loops)
                yield stroke(ticks, edge, self.s * 0.016, "butt")
            yield stroke("".join(closed(loop) for loop in loops), edge, self.s * 0.03)

    def surfaces(self) -> Iterator[str]:
        """Snow, paving and the like, which change the look of the ground and nothing else."""
        for feature in self._surfaces:
            look = self._style("surface", str(feature.properties.get("surface", "")))
            d = "".join(closed(map(self.sheet.xy, ring)) for rings in polygons(feature.geometry) for ring in rings)
            yield element("path", d=d, fill=look["tint"], fill_opacity=look["opacity"], fill_rule="evenodd")

    @property
    def _surfaces(self) -> list[Feature]:
        return [feature for feature in self.field.features if feature.kind == "surface"]

    def washes(self) -> Iterator[str]:
        """Each kind of terrain as a wash over the ground, soft-edged where nature drew the edge."""
        kinds: dict[str, list[str]] = {}
        own = self.patches.hexes if self.patches else ()
        for name, terrain in self.field.terrain.items():
            if "tint" in self.looks[name] and name not in own:
                kinds.setdefault(terrain, []).append(name)
        for terrain, hexes in sorted(kinds.items()):
            look = self._style("terrain", terrain)
            if look.get("soft"):
                d = "".join(closed(loop) for loop in self._soft(hexes, look.get("wild", 0.07)))
            else:
                d = self._area(hexes)
            shore = {"stroke": look["shore"], "stroke_width": self.s * 0.05} if "shore" in look else {}
            yield element("path", d=d, fill=look["tint"], fill_opacity=look["opacity"], fill_rule="evenodd", **shore)
        yield from self.patches.washes() if self.patches else ()

    def water(self) -> Iterator[str]:
        """Streams, which run from hex to hex and off the map."""
        courses: dict[str, list[str]] = {}
        for name, look in self.looks.items():
            if "course" in look:
                courses.setdefault(self.field.terrain[name], []).append(name)
        for terrain, hexes in sorted(courses.items()):
            look = self._style("terrain", terrain)
            ways = {name: self._course(name, set(hexes)) for name in hexes}
            bends = {}
            for name in hexes:
                (x, y), (dx, dy) = self.sheet.spots[name], nudge(self.grid.axials[name], self.s * 0.16)
                bends[name] = x + dx, y + dy
            d = "".join(self._winding(ways, bends).values())
            yield stroke(d, look["bank"], self.s * (look["course"] + 0.07))
            yield stroke(d, look["fill"], self.s * look["course"])
            yield stroke(
                d,
                self.styles["sheet"]["gleam"],
                self.s * 0.02,
                stroke_opacity=0.45,
                stroke_dasharray=number(self.s * 0.13),
            )

    def _course(self, name: str, hexes: set[str]) -> set[int]:
        """The directions in which a stream leaves a hex."""
        grid = self.grid
        ways = {way for way in range(1, 7) if grid.neighbors[name][way] in hexes}
        ways |= {way for way in range(1, 7) if self._flows_into(grid.neighbors[name][way])}
        # Where three hexes of water touch, two links are enough to join them.
        for way in sorted(ways):
            if {way % 6 + 1, (way - 2) % 6 + 1} <= ways:
                ways.discard(way)
        # An end of it runs off the map, or seeps away into a marsh.
        ends = [way for way in range(1, 7) if grid.neighbors[name][way] is None]
        ends = ends or [way for way in range(1, 7) if self._seeps_into(grid.neighbors[name][way])]
        if ends and len(ways) < 2:
            only = min(ways, default=0)
            ways.add(max(ends, key=lambda way: (turns(way, only) if only else 0, -way)))
        return ways

    def _winding(self, ways: Mapping[str, Collection[int]], bends: dict[str, Point]) -> dict[str, str]:
        """A smooth line through the hexes that it links, as path data for each.

        The bends are the control points of a quadratic spline; a third way joins in the middle of the others.
        """
        grid, found = self.grid, {}
        for name, bend in bends.items():
            d, ends = "", {}
            for way in sorted(ways[name]):
                other = grid.neighbors[name][way]
                if other in bends:
                    ends[way] = _middle(bend, bends[other])
                    continue
                ends[way] = end = self.sheet.xy(grid.side_middle(name, way))
                # Beyond the rim it runs on, so that the cut gives it a straight end.
                x, y = self.sheet.spots[name]
                d += f"M{_at(end)}L{number(2 * end[0] - x)} {number(2 * end[1] - y)}"
            meet = bend
            if len(ends) > 1:
                pairs = [(a, b) for a in ends for b in ends if a < b]
                one, two = max(pairs, key=lambda pair: (turns(*pair), -pair[0]))
                (ax, ay), (bx, by) = ends.pop(one), ends.pop(two)
                meet = (ax + 2 * bend[0] + bx) / 4, (ay + 2 * bend[1] + by) / 4
                d += f"M{_at((ax, ay))}Q{_at(bend)} {_at((bx, by))}"
            found[name] = d + "".join(f"M{_at(end)}L{_at(meet)}" for end in ends.values())
        return found

    def _flows_into(self, name: str | None) -> bool:
        return name is not None and "shore" in self.looks[name]

    def _seeps_into(self, name: str | None) -> bool:
        return name is not None and self.looks[name].get("pattern") == "reeds"

    def patterns(self) -> Iterator[str]:
        """What grows or lies in each hex, running on into the next of the same kind."""
        grid = self.grid
        lies = self._lies()
        bare = {name for feature in self._surfaces for name in covered(grid, feature.geometry)}
        own = self.patches.hexes if self.patches else ()
        for name in grid.hexes:
            if name in own:
                continue
            look = self.looks[name]
            kind = look.get("pattern", "")
            x, y = self.sheet.spots[name]
            if kind == "furrows":
                yield rows([self.sheet.xy(corner) for corner in grid.corners(name)], lies[name], self.s, look)
                continue
            dice = dice_of(name)
            drawn = PATTERNS[kind](self.s, look, dice) if kind in PATTERNS else ""
            if not kind and name not in bare and not self.field.roads[name]:
                drawn = grass(self.s, self.styles["sheet"]["grass"], dice)
            if drawn:
                yield element("g", drawn, transform=f"translate({number(x)} {number(y)})")
            for direction in (1, 2, 3):
                other = grid.neighbors[name][direction]
                if kind == "trees" and other is not None and self.looks[other] is look:
                    px, py = self.sheet.xy(grid.side_middle(name, direction))
                    yield tree(px + dice.uniform(-3, 3), py + dice.uniform(-3, 3), self.s * 0.1, look)
        yield from self.patches.patterns() if self.patches else ()

    def _lies(self) -> dict[str, float]:
        """How the furrows of each field lie, in degrees: a field is what no hedge, wall or road divides."""
        grid, found = self.grid, dict[str, float]()
        for name in grid.hexes:
            if name in found or self.looks[name].get("pattern") != "furrows":
                continue
            lie = dice_of(name).choice((8.0, 38.0, 68.0, 98.0, 128.0, 158.0))
            reach = [name]
            while reach:
                here = reach.pop()
                found[here] = lie
                for way, other in enumerate(grid.neighbors[here]):
                    if other is None or other in found or self.field.terrain[other] != self.field.terrain[here]:
                        continue
                    if grid.hexside(here, other) not in self.field.hexsides and way not in self.field.roads[here]:
                        reach.append(other)
        return found

    def level_marks(self) -> Iterator[str]:
        """The number of each hex's level in a triangle, which points down for low ground."""
        colour, r = self.styles["levels"]["edge"], self.s * 0.1
        for name, level in self.field.level.items():
            if level == GROUND:
                continue
            x, y = self.sheet.spots[name]
            x, y, up = x - self.s * 0.3, y + self.s * 0.3, 1 if level > GROUND else -1
            corners = [(x, y - r * up), (x + r, y + r * 0.75 * up), (x - r, y + r * 0.75 * up)]
            yield element(
                "polygon", points=points(corners), fill=self.styles["sheet"]["mark"], stroke=colour, stroke_width=1
            )
            yield label(level, x, y + r * 0.2 * up, r * 0.95, fill=colour, font_weight="bold")

    def roads(self) -> Iterator[str]:
        """Roads as smooth lines over their darker edges, railroads with their ties; bridges beneath them."""
        found: dict[str, dict[str, set[int]]] = {}
        for name, links in self.field.roads.items():
            for way in sorted(links):
                for kind in self.field.road_kinds[way_out(self.grid, name, way)]:
                    found.setdefault(kind, {}).setdefault(name, set()).add(way)
        kinds = sorted(found, key=lambda kind: (self._road_look(kind).get("layer", 0), kind))
        drawn = []
        for kind in kinds:
            ways, look = found[kind], self._road_look(kind)
            paths = self._winding(ways, {name: self._bend(name, links) for name, links in ways.items()})
            drawn.append((look, paths, "".join(paths.values())))
        for look, _, whole in drawn:
            if "casing" in look:
                yield stroke(whole, look["casing"], self.s * (look["width"] + 0.045))
        bridge = self.styles["bridge"]
        for name in sorted(self.field.bridges, key=self.grid.index.__getitem__):
            for _, paths, _ in drawn:
                if name in paths:
                    yield stroke(paths[name], bridge["ink"], self.s * (bridge["width"] + 0.05), "butt")
                    yield stroke(paths[name], bridge["colour"], self.s * bridge["width"], "butt")
        for look, _, whole in drawn:
            dash = self._dashes(look, "dash")
            yield stroke(whole, look["colour"], self.s * look["width"], "butt" if dash else "round", **dash)
            if "ties" in look:
                yield stroke(whole, look["colour"], self.s * look["tie"], "butt", **self._dashes(look, "ties"))

    def _road_look(self, kind: str) -> Look:
        return self.styles["road"] if kind == ROAD else self._style("roads", kind)

    def _dashes(self, look: Look, key: str) -> dict[str, str]:
        return {"stroke_dasharray": " ".join(number(part * self.s) for part in look[key])} if key in look else {}

    def _bend(self, name: str, ways: Collection[int]) -> Point:
        """Half way between the middle of a hex and the straight line through it: a road cuts its corners."""
        x, y = self.sheet.spots[name]
        pairs = [(a, b) for a in ways for b in ways if a < b]
        if not pairs:
            return x, y
        one, two = max(pairs, key=lambda pair: (turns(*pair), -pair[0]))
        straight = _middle(*(self.sheet.xy(self.grid.side_middle(name, way)) for way in (one, two)))
        return _middle((x, y), straight)

    def buildings(self) -> Iterator[str]:
        """Buildings from above: their own outline, or a house in each hex joined to the next."""
        housed = set()
        for feature in self.field.features:
            if feature.kind != "building":
                continue
            look = self._style("terrain", str(feature.properties.get("terrain", "structure")))
            # Terrain that the styles do not know as a building still needs a roof here.
            look = {**self.styles["terrain"]["structure"], **look}
            hexes = [name for name, ident in self.field.building.items() if ident == str(feature.id)]
            housed.update(hexes)
            if feature.properties.get("outline", True) and polygons(feature.geometry):
                for rings in polygons(feature.geometry):
                    yield self._roof([self.sheet.xy(point) for point in rings[0][:-1]], look)
            else:
                yield self._houses(hexes, look)
        housed |= self.patches.hexes if self.patches else set()
        for name in self.grid.hexes:
            if self.looks[name].get("pattern") == "building" and name not in housed:
                yield self._houses([name], self.looks[name])

    def building_marks(self) -> Iterator[str]:
        """The number of storeys of each hex of a high building."""
        for name, level in self.field.building_level.items():
            if level > 1:
                x, y = self.sheet.spots[name]
                r = self.s * 0.09
                colour = self.styles["sheet"]["mark_ink"]
                yield element(
                    "circle", cx=x, cy=y, r=r, fill=self.styles["sheet"]["mark"], stroke=colour, stroke_width=1
                )
                yield label(level, x, y, r * 1.3, fill=colour, font_weight="bold")

    def _roof(self, ring: list[Point], look: Look) -> str:
        d, shade = closed(ring), ""
        if len(ring) == 4:
            # A ridge between the middles of the shorter sides, the southern half in shadow.
            a, b, c, e = ring if math.dist(ring[0], ring[1]) >= math.dist(ring[1], ring[2]) else [*ring[1:], ring[0]]
            one, two = _middle(b, c), _middle(e, a)
            half = [a, b, one, two] if a[1] + b[1] > c[1] + e[1] else [c, e, two, one]
            shade = element("path", d=closed(half), fill="#000", opacity=0.16)
            shade += line([one, two], look["ink"], self.s * 0.014)
        return (
            element("path", d=d, fill="#000", opacity=0.25, transform="translate(2.5 3)")
            + element("path", d=d, fill=look["fill"])
            + shade
            + element("path", d=d, fill="none", stroke=look["ink"], stroke_width=self.s * 0.025)
        )

    def _houses(self, hexes: list[str], look: Look) -> str:
        grid, spots = self.grid, self.sheet.spots
        if len(hexes) == 1:
            x, y = spots[hexes[0]]
            w, h = self.s * 0.27, self.s * 0.2
            lean = math.radians(dice_of(hexes[0]).choice((-30, 0, 0, 30, 90)))
            cos, sin = math.cos(lean), math.sin(lean)
            box = ((-w, -h), (w, -h), (w, h), (-w, h))
            return self._roof([(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in box], look)
        wide, rim = self.s * 0.5, self.s * 0.0225

        def walls(over: float) -> str:
            d = ""
            for name in hexes:
                x, y = spots[name]
                joined = [spots[other] for other in grid.adjacent[name] if other in hexes]
                half = wide * 0.56 + over
                d += f"M{number(x - half)} {number(y)}H{number(x + half)}"
                d += "".join(f"M{_at((x, y))}L{_at(other)}" for other in joined)
            return d

        shadow = element("g", stroke(walls(rim), "#000", wide, "butt"), opacity=0.25, transform="translate(2.5 3)")
        ridge = "".join(
            f"M{_at(spots[name])}L{_at(spots[other])}"
            for name in hexes
            for other in grid.adjacent[name]
            if other in hexes and name < other
        )
        return (
            shadow
            + stroke(walls(rim), look["ink"], wide + 2 * rim, "butt")
            + stroke(walls(0), look["fill"], wide, "butt")
            + stroke(ridge, look["ink"], self.s * 0.014, "butt")
        )


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _hatching(loop: Sequence[Point], every: float, far: float) -> str:
    """Short strokes across a clockwise line, outward, or inward if ``far`` is negative."""
    d, left = "", every / 2
    for i, (x1, y1) in enumerate(loop):
        x2, y2 = loop[(i + 1) % len(loop)]
        length = math.dist((x1, y1), (x2, y2))
        while length and left <= length:
            t = left / length
            x, y = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
            dx, dy = (y2 - y1) / length * far, (x1 - x2) / length * far
            d += f"M{number(x)} {number(y)}l{number(dx)} {number(dy)}"
            left += every
        left -= length
    return d
