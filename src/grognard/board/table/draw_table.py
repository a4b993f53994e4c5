"""Drawing a table as SVG, from above, as a modeller would have built it: by day and by night.

Everything is drawn in inches of the table, so that a picture of any size is the same picture; a table that is
measured otherwise knows how many hundredths an inch is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import shapely

from grognard.board.shapes import dice_of
from grognard.board.style import LIGHT, side_colour, style, styles
from grognard.board.svg import clean, element, label
from grognard.board.table import draw_growth as growth
from grognard.board.table import draw_roofs as roofs
from grognard.board.table import draw_works as works
from grognard.board.table.draw_models import draw_marker, draw_unit, marker_sized, unit_sized
from grognard.board.table.draw_paths import bent, line_path, ring_path, run_on, softened, stroked, xy
from grognard.board.table.terrain import MEASURES, Piece, Table
from grognard.core.aid_views import BoardView
from grognard.core.view import MarkerView, UnitView

#: Pixels for a unit of the table.
SCALE = 20.0
GRASS = "grass"
#: The size of names, in inches.
LETTER = 0.85
#: Where a name may stand on a line, in parts of its length, the best first.
_ALONG = (0.5, 0.32, 0.68, 0.2, 0.8, 0.1, 0.9)

Look = dict[str, Any]
_HUNDREDTHS = re.compile(r"(\.\d)\d")


def draw_table(table: Table, theme: str = LIGHT, scale: float = SCALE, *, surface: str = GRASS) -> str:
    """The table without any model as an SVG document, ``scale`` pixels to a unit of the table.

    ``surface`` is what its ground is made of: grass, sand, snow or mud.
    """
    return _Drawing(table, theme, scale, surface).document()


def draw_table_thumbnail(table: Table, theme: str = LIGHT, width: float = 320.0, *, surface: str = GRASS) -> str:
    """The table as a small picture: what lies where in plain colours, without textures and texts."""
    scale = width * 100 / table.width
    return _Drawing(table, theme, scale, surface).plain_document()


def draw_battle(
    table: Table,
    units: Sequence[UnitView],
    markers: Sequence[MarkerView] = (),
    *,
    colours: Mapping[str, str] | None = None,
    theme: str = LIGHT,
    scale: float = SCALE,
    surface: str = GRASS,
) -> str:
    """The table with the models and markers of a view on it, each unit with its name."""
    drawing = _Drawing(table, theme, scale, surface)
    known = {unit.side: side_colour(unit.side) for unit in units} | dict(colours or {})
    # Texts and edges are drawn in inches, so the places have to be, too.
    size = MEASURES["inch"] / table.inch
    above = [draw_marker(marker_sized(marker, size)) for marker in markers]
    above += [draw_unit(unit_sized(unit, size), known[unit.side], theme) for unit in units if unit.models]
    return drawing.document(element("g", "".join(above), class_="models"))


def table_board(table: Table, colours: Mapping[str, str] | Iterable[str] = (), scale: float = SCALE) -> BoardView:
    """The table as a client needs it, in the pixels of `draw_table` with the same scale.

    ``colours`` are those of the sides, or the sides, whose colours are then the usual ones.
    """
    known = dict(colours) if isinstance(colours, Mapping) else {side: side_colour(side) for side in colours}
    size = round(table.width / 100 * scale, 2), round(table.height / 100 * scale, 2)
    return BoardView(table.name, *size, round(scale, 2), table.measure, colours=known, table=True)


class _Drawing:
    """The layers of one table, from the ground up."""

    def __init__(self, table: Table, theme: str, scale: float, surface: str) -> None:
        self.table, self.theme, self.scale, self.inch = table, theme, scale, table.inch
        self.width, self.height = table.width / self.inch, table.height / self.inch
        self.ground: Look = style("tabletop_ground", surface, theme)
        self.dark: str = self.ground["shadow"]
        # Several tables may stand on one page, by day and by night.
        self.prefix = f"tt{theme[0]}{surface[:2]}{round(self.width)}x{round(self.height)}"
        self.crowns = growth.Crowns(self.prefix, self.dark)
        kinds = {piece.kind for piece in table.pieces}
        self.looks = {kind: style("tabletop", table.kinds[kind].drawn_as, theme) for kind in kinds}

    # documents

    def document(self, above: str = "") -> str:
        """The whole table, and what is above it."""
        layers = [
            ("ground", self.ground_layer()),
            ("hills", self.each(("hill",), self.hills)),
            ("floors", self.floors()),
            ("water", self.water()),
            ("roads", self.roads()),
            ("lines", self.lines()),
            ("stones", self.stones()),
            ("buildings", self.each(("building",), self.house)),
            ("trees", self.trees()),
            ("smoke", self.each(("smoke",), self.smoke)),
            ("edge", self.edge()),
            ("labels", self.labels()),
        ]
        body = [element("g", drawn, class_=name) for name, layer in layers if (drawn := "".join(layer))]
        # The crowns are known only after the trees are drawn.
        defs = element("defs", self.definitions() + self.crowns.definitions())
        return self._svg(defs + "\n" + "\n".join(body) + above)

    def plain_document(self) -> str:
        """The table in plain colours."""
        body = [self._rect(self.ground["grass"])]
        order = ("hill", "floor", "water", "road", "line", "building", "woods")
        drawn = [(order.index(_plain_layer(self.looks[p.kind])), n, p) for n, p in enumerate(self.table.pieces)]
        body += [self._plain(piece) for _, _, piece in sorted(drawn, key=lambda each: each[:2])]
        # A tenth of an inch is enough at this size.
        return _HUNDREDTHS.sub(r"\1", self._svg("".join(body)))

    def _svg(self, body: str) -> str:
        return element(
            "svg",
            element("title", clean(self.table.name)) + body + "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=self.table.width / 100 * self.scale,
            height=self.table.height / 100 * self.scale,
            viewBox=f"0 0 {xy(self.width, self.height)}",
            font_family=styles(self.theme)["sheet"]["font"],
        )

    def _rect(self, fill: str, **more: Any) -> str:
        return element("rect", width=self.width, height=self.height, fill=fill, **more)

    # pieces

    def points(self, piece: Piece) -> list[tuple[float, float]]:
        """A piece's points in inches."""
        return [(x / self.inch, y / self.inch) for x, y in piece.points]

    def area(self, piece: Piece) -> Any:
        """A piece's plan in inches: an area's own, or the band of a line."""
        if self.table.kinds[piece.kind].linear:
            return self.line(piece).buffer(max(self.wide(piece), 0.3) / 2, cap_style="flat")
        return shapely.Polygon(self.points(piece))

    def line(self, piece: Piece) -> Any:
        """A piece's line in inches; an area's outline."""
        points = self.points(piece)
        return shapely.LineString(points if self.table.kinds[piece.kind].linear else [*points, points[0]])

    def wide(self, piece: Piece) -> float:
        """How wide a line is, in inches."""
        return self.table.width_of(piece) / self.inch

    def of(self, *drawn: str) -> Iterator[tuple[Piece, Look, random.Random]]:
        """The pieces that are drawn in these ways, each with its look and its own little irregularities."""
        for piece in self.table.pieces:
            look = self.looks[piece.kind]
            if look["drawn"] in drawn:
                yield piece, look, dice_of(f"{piece.id}{piece.points[0]}")

    def each(
        self, drawn: tuple[str, ...], draw: Callable[[Piece, Look, random.Random], Iterable[str]]
    ) -> Iterator[str]:
        """A layer with every such piece in a group of its own, with its title."""
        for piece, look, dice in self.of(*drawn):
            yield self._group(piece, "".join(draw(piece, look, dice)))

    def _group(self, piece: Piece, drawn: str) -> str:
        return element("g", element("title", clean(self.table.title(piece))) + drawn)

    # layers

    def definitions(self) -> str:
        """Gradients for the patches of the ground, and tiles of grass."""
        found = ""
        glows = [(name, self.ground[name], 0.85) for name in ("light", "dark", "dry")]
        for kind, look in self.looks.items():
            glows += [(f"{kind}-{n}", colour, 0.8) for n, colour in enumerate(look.get("puffs", ()))]
        for name, colour, opacity in glows:
            stops = element("stop", offset="0", stop_color=colour, stop_opacity=opacity)
            stops += element("stop", offset=".45", stop_color=colour, stop_opacity=opacity * 0.72)
            stops += element("stop", offset="1", stop_color=colour, stop_opacity=0)
            found += element("radialGradient", stops, id=f"{self.prefix}-{name}")
        dice = random.Random(7)
        for name, size, colour, count in (("blades", 5.3, "blade", 190), ("flock", 7.1, "flock", 150)):
            d = ""
            for _ in range(count):
                x, y = dice.uniform(0.1, size - 0.1), dice.uniform(0.15, size - 0.05)
                if name == "blades":
                    d += f"M{xy(x, y)}l{xy(dice.uniform(-0.06, 0.06), -dice.uniform(0.07, 0.14))}"
                else:
                    d += f"M{xy(x, y)}h.01"
            mark = stroked(d, self.ground[colour], 0.035 if name == "blades" else 0.06, stroke_opacity=0.55)
            found += element(
                "pattern", mark, id=f"{self.prefix}-{name}", width=size, height=size, patternUnits="userSpaceOnUse"
            )
        return found

    def ground_layer(self) -> Iterator[str]:
        """Grass with lighter, darker and dry patches, and blades."""
        yield self._rect(self.ground["grass"])
        dice = dice_of(f"{self.table.name}{len(self.table.pieces)}")
        count = round(self.width * self.height / 30)
        for i in range(count):
            name = ("light", "dark", "light", "dark", "dry")[i % 5]
            far = dice.uniform(2.5, 7.0) if name != "dry" else dice.uniform(1.2, 3.6)
            yield element(
                "ellipse",
                cx=dice.uniform(0, self.width),
                cy=dice.uniform(0, self.height),
                rx=far,
                ry=far * dice.uniform(0.5, 0.9),
                fill=f"url(#{self.prefix}-{name})",
            )
        yield self._rect(f"url(#{self.prefix}-blades)")
        yield self._rect(f"url(#{self.prefix}-flock)")

    def hills(self, piece: Piece, look: Look, dice: random.Random) -> Iterator[str]:
        """A hill, grassed over."""
        yield from works.hill(self.area(piece), look | self.ground.get("hill", {}), self.dark)
        yield element("path", d=ring_path(softened(self.area(piece), 1.5)), fill=f"url(#{self.prefix}-blades)")

    def floors(self) -> Iterator[str]:
        """What covers the ground: fields, and the floors of what stands on them."""
        for piece, look, dice in self.of(
            "woods", "orchard", "crops", "marsh", "sand", "rocks", "rubble", "ruins", "plain"
        ):
            area = self.area(piece)
            drawn = look["drawn"]
            if drawn == "crops":
                parts = [*growth.crops(area, look, dice)]
            elif drawn in ("rocks", "rubble", "ruins"):
                parts = [works.scree(area, look, dice)]
            elif drawn == "plain":
                d = ring_path(area)
                parts = [element("path", d=d, fill=look["fill"], opacity=0.5) + stroked(d, look["ink"], 0.12)]
            else:
                parts = [growth.floor(area, look)]
                if drawn == "orchard":
                    parts.append(growth.mown(area, look))
                elif drawn == "woods":
                    parts.append(growth.undergrowth(area, look, dice))
                else:
                    parts += growth.marsh(area, look, dice) if drawn == "marsh" else growth.sand(area, look, dice)
            yield self._group(piece, "".join(parts))

    def _lines(self, drawn: str) -> list[tuple[Any, float]]:
        return [
            (bent(run_on(self.line(piece), self.width, self.height)), max(self.wide(piece), 0.4))
            for piece, _, _ in self.of(drawn)
        ]

    def water(self) -> Iterator[str]:
        """Ponds and rivers."""
        yield from self.each(("pond",), lambda p, look, dice: works.pond(self.area(p), look, dice))
        if rivers := self._rivers():
            look = next(self.of("river"))[1]
            yield from works.rivers(rivers, look, random.Random(3))

    def _rivers(self) -> list[tuple[Any, float]]:
        ways = self._lines("road")
        return [(works.under_roads(line, ways), wide) for line, wide in self._lines("river")]

    def roads(self) -> Iterator[str]:
        """Roads, and bridges where they cross rivers."""
        if ways := self._lines("road"):
            look = next(self.of("road"))[1]
            yield from works.roads(ways, look, random.Random(5))
            yield from works.bridges(ways, self._rivers(), look, self.dark)

    def lines(self) -> Iterator[str]:
        """Trenches, walls, fences and teeth, then the earth that hedges stand on."""

        def draw(piece: Piece, look: Look, dice: random.Random) -> Iterable[str]:
            line, drawn = self.line(piece), look["drawn"]
            if drawn == "trench":
                return works.trench(line, look, dice)
            if drawn == "wall":
                return works.wall(line, look, dice, self.dark)
            if drawn == "fence":
                return works.fence(line, look, self.dark)
            if drawn == "teeth":
                return works.teeth(line, look, self.dark)
            return [stroked(line_path(line), look["earth"], look["wide"] * 1.25, stroke_opacity=0.8)]

        yield from self.each(("trench",), draw)
        yield from self.each(("hedge",), draw)
        yield from self.each(("wall", "fence", "teeth"), draw)

    def stones(self) -> Iterator[str]:
        """Rocks, rubble, and ruins with what stands of their walls."""

        def draw(piece: Piece, look: Look, dice: random.Random) -> Iterator[str]:
            area = self.area(piece)
            if look["drawn"] == "rocks":
                yield from works.stones(area, look, dice, self.dark, pitch=0.95, size=0.75)
                return
            yield works.beams(area, look, dice)
            yield from works.stones(area, look, dice, self.dark, pitch=0.62, size=0.34)
            if look["drawn"] == "ruins":
                yield from works.ruined_walls(area, look, dice, self.dark)

        yield from self.each(("rocks", "rubble", "ruins"), draw)

    def house(self, piece: Piece, look: Look, dice: random.Random) -> Iterator[str]:
        """A building."""
        yield from roofs.house(self.points(piece), piece.edges, look, dice, self.dark, wooden=piece.soft)

    def trees(self) -> Iterator[str]:
        """Hedges and trees."""

        def draw(piece: Piece, look: Look, dice: random.Random) -> Iterator[str]:
            if look["drawn"] == "hedge":
                return growth.hedge(self.line(piece), look, dice, self.crowns)
            if look["drawn"] == "orchard":
                return growth.orchard(self.area(piece), look, dice, self.crowns)
            return growth.woods(self.area(piece), look, dice, self.crowns)

        yield from self.each(("hedge",), draw)
        yield from self.each(("orchard", "woods"), draw)

    def smoke(self, piece: Piece, look: Look, dice: random.Random) -> Iterator[str]:
        """Smoke."""
        fills = [f"url(#{self.prefix}-{piece.kind}-{n})" for n in range(len(look["puffs"]))]
        yield from works.smoke(self.area(piece), fills, dice)

    def edge(self) -> Iterator[str]:
        """The edge of the table, a little darker."""
        for wide, opacity in ((1.2, 0.06), (0.6, 0.1), (0.16, 0.6)):
            yield self._rect("none", stroke=self.ground["edge"], stroke_width=wide, stroke_opacity=opacity)

    def labels(self) -> Iterator[str]:
        """The names of pieces that have one, none over another where there is room."""
        ink = styles(self.theme)["label"]
        taken: list[tuple[float, float, float]] = []
        for piece in self.table.pieces:
            if not piece.name:
                continue
            half = 0.24 * LETTER * len(piece.name) + 0.2
            spots = self._spots(piece, half)
            x, y = next((spot for spot in spots if _clear(spot, half, taken)), spots[0])
            taken.append((x, y, half))
            yield label(
                piece.name,
                x,
                y,
                LETTER,
                fill=ink["ink"],
                stroke=ink["halo"],
                stroke_width=0.2,
                stroke_linejoin="round",
                paint_order="stroke",
                font_style="italic",
                font_weight="600",
            )

    def _spots(self, piece: Piece, half: float) -> list[tuple[float, float]]:
        """Where a piece's name may stand, the best place first; names stay on the table."""
        if self.table.kinds[piece.kind].linear:
            line = self.line(piece)
            found = [line.interpolate(part, normalized=True) for part in _ALONG]
            spots = [(point.x, point.y) for point in found]
        else:
            middle = self.area(piece).representative_point()
            spots = [(middle.x, middle.y + down * LETTER) for down in (0.0, 1.3, -1.3, 2.6, -2.6)]
        wide, high = max(half, self.width - half), max(LETTER, self.height - LETTER)
        return [(min(max(x, half), wide), min(max(y, LETTER), high)) for x, y in spots]

    def _plain(self, piece: Piece) -> str:
        look, drawn = self.looks[piece.kind], self.looks[piece.kind]["drawn"]
        if self.table.kinds[piece.kind].linear:
            colour = look.get("fill") or look.get("dark") or look.get("wood") or _first(look)
            wide = self.wide(piece) or look.get("wide", 0.5) + 0.2
            return stroked(line_path(self.line(piece)), colour, wide, "butt" if drawn == "river" else "round")
        colour = (look | self.ground.get("hill", {}))["fills"][0] if drawn == "hill" else _first(look)
        more = {"stroke": look["ink"], "stroke_width": 0.25} if drawn == "building" else {}
        return element("path", d=ring_path(self.area(piece)), fill=colour, **more)


def _clear(spot: tuple[float, float], half: float, taken: Sequence[tuple[float, float, float]]) -> bool:
    """Whether a name would stand clear of the others."""
    x, y = spot
    return all(abs(x - other) > half + width or abs(y - down) > 1.2 * LETTER for other, down, width in taken)


def _first(look: Look) -> str:
    """The colour that stands for a whole piece."""
    if "crowns" in look:
        return str(look["crowns"][0][1])
    for key in ("roofs", "stones", "faces", "puffs"):
        if key in look:
            return str(look[key][0])
    return str(look.get("fill") or look.get("floor") or look["ink"])


def _plain_layer(look: Look) -> str:
    drawn = look["drawn"]
    if drawn in ("hill", "road", "building", "woods"):
        return str(drawn)
    if drawn in ("pond", "river"):
        return "water"
    return "line" if drawn in ("hedge", "fence", "wall", "teeth", "trench") else "floor"
