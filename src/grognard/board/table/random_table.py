"""Random tables, fair by construction: whatever lies before one side lies turned by 180 degrees before the other.

Nothing that stops anybody stands in the strip along either long edge, roads run from edge to edge and meet in the
middle, and between any two things that stop a vehicle there is room for one to pass. The figures, in inches, are in
``random_table.toml``; the kinds are the game's own, each known by what it looks like, and others are left out.
"""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import shapely

from grognard.board.table.bodies import Place
from grognard.board.table.terrain import MEASURES, Kind, Piece, Table

#: How often a place is looked for before the table is called full.
TRIES = 250

Figures = dict[str, Any]


@cache
def _figures() -> Figures:
    return tomllib.loads(files("grognard.board.table").joinpath("random_table.toml").read_text("utf-8"))


def random_table(
    seed: int | str,
    width: int,
    height: int,
    kinds: Mapping[str, Kind],
    density: float = 1.0,
    *,
    measure: str,
    passable: frozenset[str] = frozenset({"open", "road"}),
    figures: Mapping[str, Figures] | None = None,
) -> Table:
    """A table of so many hundredths across and down, the same for the same seed.

    ``density`` is how full it is (0 empty, 1 usual, 2 crowded); ``measure`` what its lengths are hundredths
    of; ``passable`` the grounds that stop nobody, in the game's words; ``figures`` a game's own, laid over those of
    ``random_table.toml``: of its ``layout``, or of what a kind looks like.
    """
    made = {name: {**_figures().get(name, {}), **more} for name, more in (figures or {}).items()}
    dice = random.Random(f"{seed}/{width}/{height}/{density}")
    maker = _Maker(dice, width, height, kinds, MEASURES[measure], passable, {**_figures(), **made})
    maker.roads()
    maker.fill(density)
    return Table(f"Table {seed}", width, height, kinds, maker.pieces, measure=measure)


class _Maker:
    """Puts pieces on a table in pairs, one the other turned by 180 degrees about the middle."""

    def __init__(
        self,
        dice: random.Random,
        width: int,
        height: int,
        kinds: Mapping[str, Kind],
        inch: int,
        passable: frozenset[str],
        figures: Mapping[str, Figures],
    ) -> None:
        self.dice, self.width, self.height, self.kinds, self.inch = dice, width, height, kinds, inch
        self.passable = passable
        self.layout: Figures = figures["layout"]
        looks = {name: kind.drawn_as for name, kind in kinds.items()}
        #: What each kind is like, in the order of the figures; the first that looks like a road is the road.
        self.figures = {
            name: each for look, each in figures.items() if look != "layout" for name in kinds if looks[name] == look
        }
        self.looks = looks
        self.road = next((name for name, look in looks.items() if look == "road"), "")
        self.pieces: list[Piece] = []
        self.counts: dict[str, int] = {}
        self.ways: list[Any] = []
        self.beds: list[Any] = []
        self.stops: list[Any] = []
        self.soft: list[Any] = []
        edge, margin = self.of("open_edge"), self.of("margin")
        self.inside = shapely.box(margin, margin, width - margin, height - margin)
        self.middle = shapely.box(margin, edge, width - margin, height - edge)

    def of(self, name: str) -> float:
        """A length of the layout in hundredths."""
        return float(self.layout[name]) * self.inch

    def length(self, figures: Figures) -> float:
        low, high = figures["long"]
        return self.dice.uniform(low, high) * self.inch

    # the other side

    def across(self, points: list[Place]) -> list[Place]:
        """The same for the other side: turned by 180 degrees about the middle of the table."""
        return [(self.width - x, self.height - y) for x, y in points]

    def add_pair(self, kind: str, points: list[Place], soft: bool = False) -> None:
        """A piece for each side."""
        number = self.counts[kind] = self.counts.get(kind, 0) + 1
        for letter, corners in (("a", points), ("b", self.across(points))):
            self.pieces.append(Piece(f"{kind}-{number}{letter}", kind, tuple(corners), soft=soft))

    # roads

    def roads(self) -> None:
        """A road through the middle from edge to edge, and perhaps another that crosses it there."""
        if not self.road or self.dice.random() > self.layout["roads"]:
            return
        along = self.dice.random() < 0.6
        self._road(along)
        if self.dice.random() < self.layout["crossing"]:
            self._road(not along)

    def _road(self, along: bool) -> None:
        """Half a road from an edge to the middle, then the same turned round."""
        dice, w, h = self.dice, self.width, self.height
        share = dice.uniform(0.3, 0.7)
        start = (0.0, share * h) if along else (share * w, 0.0)
        middle = (w / 2, h / 2)
        bend = (start[0] + middle[0]) / 2, (start[1] + middle[1]) / 2
        sway = dice.uniform(-0.07, 0.07) * min(w, h)
        bend = (bend[0], bend[1] + sway) if along else (bend[0] + sway, bend[1])
        half = [(round(x), round(y)) for x, y in (start, bend)]
        points = [*half, (round(middle[0]), round(middle[1])), *reversed(self.across(half))]
        number = self.counts[self.road] = self.counts.get(self.road, 0) + 1
        self.pieces.append(Piece(f"{self.road}-{number}", self.road, tuple(points)))
        wide = self.kinds[self.road].width or 3 * self.inch
        line = shapely.LineString(points)
        self.ways.append(line)
        self.beds.append(line.buffer(wide / 2))

    # everything else

    def fill(self, density: float) -> None:
        """Hills, for others stand on them; what no table is without; areas until the density is met; then lines."""
        known = {name: f for name, f in self.figures.items() if (f["form"] == "row") == self.kinds[name].linear}
        if density <= 0:
            return
        wanted = density * self.layout["coverage"] * self.width * self.height
        scale = self.width * self.height / (72 * 48 * self.inch**2) * max(1.0, density)
        hills = [name for name, figures in known.items() if figures.get("under")]
        for name in hills:
            for _ in range(known[name]["most"]):
                if self.dice.random() < min(0.9, 0.75 * density):
                    self._try(name, known[name], 30)
        covered = 0.0
        areas = [name for name, figures in known.items() if name not in hills and figures["form"] != "row"]
        for name in areas:
            for _ in range(round(known[name].get("least", 0) * min(1.0, density))):
                covered += 2 * self._try(name, known[name], 40)
        weights = [known[name]["weight"] for name in areas]
        for _ in range(TRIES if areas else 0):
            if covered >= wanted:
                break
            name = self.dice.choices(areas, weights)[0]
            if self.counts.get(name, 0) < max(1, round(known[name]["most"] * scale)):
                covered += 2 * self._try(name, known[name], 6)
        for name in known:
            if name not in hills and name not in areas:
                for _ in range(round(known[name]["most"] * scale)):
                    if self.dice.random() < min(1.0, known[name]["likely"] * density):
                        self._try(name, known[name], 40)

    def _try(self, name: str, figures: Figures, times: int) -> float:
        """Look for a place for a pair; the area that one of them covers, 0 if there was no place."""
        draw = {"blob": self._blob, "field": self._field, "house": self._house, "row": self._row}[figures["form"]]
        for _ in range(times):
            points = [(round(x), round(y)) for x, y in draw(figures)]
            shape = self._shape(name, points)
            if shape is None or not self._free(name, figures, shape):
                continue
            wooden = figures["form"] == "house" and self.dice.random() < 0.25
            self.add_pair(name, points, soft=wooden and self.looks[name] == "building")
            self._claim(name, figures, shape)
            if figures["form"] == "field" and self.dice.random() < self.layout["bounded"]:
                self._bound(figures, points)
            return float(shape.area)
        return 0.0

    def _shape(self, name: str, points: list[Place]) -> Any:
        shape = shapely.LineString(points) if self.kinds[name].linear else shapely.Polygon(points)
        return shape if shape.is_valid else None

    def _turned(self, shape: Any) -> Any:
        return shapely.transform(shape, lambda xy: (self.width, self.height) - xy)

    def _free(self, name: str, figures: Figures, shape: Any) -> bool:
        """Whether a piece and its other self keep clear of everything, of each other, and of the strips and roads."""
        stops = self.kinds[name].ground not in self.passable
        if not (self.middle if stops else self.inside).contains(shape):
            return False
        if figures.get("under"):
            clear = [*self.stops, *self.soft]
            return shape.distance(self._turned(shape)) > self.of("vehicle_gap") and all(
                shape.disjoint(other) for other in clear
            )
        if any(shape.distance(bed) < self.of("road_clear") for bed in self.beds):
            return False
        near = self.of("vehicle_gap") if stops else self.inch
        pair = self._turned(shape)
        if shape.distance(pair) < self.of("vehicle_gap"):
            return False
        if any(shape.distance(other) < near for other in self.stops):
            return False
        if any(shape.distance(other) < self.inch for other in self.soft):
            return False
        # On a hill or off it, not half on its slope; water runs off.
        if figures.get("low"):
            return all(shape.disjoint(hill) for hill in self.hills)
        return all(shape.within(hill) or shape.disjoint(hill) for hill in self.hills)

    @property
    def hills(self) -> list[Any]:
        """The areas on which others may stand."""
        under = [name for name, figures in self.figures.items() if figures.get("under")]
        return [shapely.Polygon(piece.points) for piece in self.pieces if piece.kind in under]

    def _claim(self, name: str, figures: Figures, shape: Any) -> None:
        if figures.get("under"):
            return
        stops = self.kinds[name].ground not in self.passable
        (self.stops if stops else self.soft).extend([shape, self._turned(shape)])

    # shapes

    def _spot(self) -> tuple[float, float]:
        """Somewhere in the half of the table that is made first."""
        return self.dice.uniform(0, self.width), self.dice.uniform(0, self.height / 2)

    def _blob(self, figures: Figures) -> list[tuple[float, float]]:
        dice, (x, y) = self.dice, self._spot()
        long = self.length(figures) / 2
        short = long * dice.uniform(*figures["ratio"])
        turn, count = dice.uniform(0, math.pi), 14
        # A few slow waves about an ellipse: round, but like no other.
        waves = [(dice.uniform(0.03, 0.09), dice.uniform(0, math.tau), n) for n in (2, 3, 5)]
        found = []
        for i in range(count):
            angle = i * math.tau / count
            far = 1 + sum(size * math.sin(n * angle + shift) for size, shift, n in waves)
            a, b = long * far * math.cos(angle), short * far * math.sin(angle)
            found.append((x + a * math.cos(turn) - b * math.sin(turn), y + a * math.sin(turn) + b * math.cos(turn)))
        return found

    def _field(self, figures: Figures) -> list[tuple[float, float]]:
        x, y = self._spot()
        long = self.length(figures)
        return self._box(x, y, long, long * self.dice.uniform(*figures["ratio"]), self._lie())

    def _lie(self) -> float:
        """How fields and houses lie: with the roads, or with the table, or a little askew."""
        turn = 0.0
        if self.ways:
            line = self.dice.choice(self.ways)
            (ax, ay), (bx, by) = line.coords[0], line.coords[1]
            turn = math.atan2(by - ay, bx - ax)
        return turn + math.radians(self.dice.choice((0, 0, 90, 90)) + self.dice.uniform(-6, 6))

    def _house(self, figures: Figures) -> list[tuple[float, float]]:
        """A house along a road, or anywhere if there is none or the dice say so."""
        dice = self.dice
        long = self.length(figures)
        deep = long * dice.uniform(*figures["ratio"])
        if not self.ways or dice.random() < 0.2:
            x, y = self._spot()
            return self._box(x, y, long, deep, self._lie())
        number = dice.randrange(len(self.ways))
        line, wide = self.ways[number], (self.kinds[self.road].width or 3 * self.inch)
        at = dice.uniform(0.12, 0.5) * line.length
        one, two = line.interpolate(at - 50), line.interpolate(at + 50)
        turn = math.atan2(two.y - one.y, two.x - one.x)
        side = dice.choice((-1, 1))
        away = wide / 2 + self.of("house_clear") + deep / 2
        x, y = (one.x + two.x) / 2 - side * math.sin(turn) * away, (one.y + two.y) / 2 + side * math.cos(turn) * away
        return self._box(x, y, long, deep, turn)

    def _box(self, x: float, y: float, long: float, deep: float, turn: float) -> list[tuple[float, float]]:
        cos, sin = math.cos(turn), math.sin(turn)
        sides = ((-long, -deep), (long, -deep), (long, deep), (-long, deep))
        return [(x + (a * cos - b * sin) / 2, y + (a * sin + b * cos) / 2) for a, b in sides]

    def _row(self, figures: Figures) -> list[tuple[float, float]]:
        """A line with a bend, as a rule across the way from one side to the other."""
        dice, (x, y) = self.dice, self._spot()
        half, turn = self.length(figures) / 2, self._lie()
        bend = turn + math.radians(dice.uniform(-25, 25))
        return [
            (x - half * math.cos(turn), y - half * math.sin(turn)),
            (x, y),
            (x + half * math.cos(bend), y + half * math.sin(bend)),
        ]

    # what goes about a field

    def _bound(self, figures: Figures, corners: list[Place]) -> None:
        """A hedge or wall along two or three sides of a field, with a way in; left out where it would close a gap."""
        known = [name for look in figures.get("bounds", ()) for name in self.kinds if self.looks[name] == look]
        if not known:
            return
        kind = self.dice.choice(known)
        out = [(float(x), float(y)) for x, y in corners]
        middle = sum(x for x, _ in out) / 4, sum(y for _, y in out) / 4
        grown = []
        for x, y in out:
            far = math.dist((x, y), middle)
            by = 1 + 0.75 * self.inch / far
            grown.append((middle[0] + (x - middle[0]) * by, middle[1] + (y - middle[1]) * by))
        first = self.dice.randrange(4)
        for turn in range(4):
            ring = [grown[(first + turn + i) % 4] for i in range(4)]
            # From the middle of one side, about a corner, along a side, and half of the next: the rest is open.
            start = self._part(ring[0], ring[1], 0.5 + self.of("gate") / 2 / math.dist(ring[0], ring[1]))
            line = [start, ring[1], ring[2]]
            if self.dice.random() < 0.5:
                line.append(self._part(ring[2], ring[3], 0.5))
            points = [(round(x), round(y)) for x, y in line]
            if self._may_bound(kind, corners, shapely.LineString(points)):
                self.add_pair(kind, points)
                self._claim(kind, {}, shapely.LineString(points))
                return

    def _may_bound(self, kind: str, corners: list[Place], shape: Any) -> bool:
        """Whether a line about a field keeps clear of everything but the field."""
        stops = self.kinds[kind].ground not in self.passable
        field = shapely.Polygon(corners)
        fields = (field, self._turned(field))
        others = [other for other in self.stops if not any(other.equals(each) for each in fields)]
        return (
            bool((self.middle if stops else self.inside).contains(shape))
            and all(shape.distance(bed) >= 0.3 * self.inch for bed in self.beds)
            and all(shape.distance(other) >= self.of("vehicle_gap") for other in others)
            and all(shape.disjoint(other) for other in self.soft)
            and shape.distance(self._turned(shape)) >= self.of("vehicle_gap")
            and all(shape.within(hill) or shape.disjoint(hill) for hill in self.hills)
        )

    @staticmethod
    def _part(a: tuple[float, float], b: tuple[float, float], t: float) -> tuple[float, float]:
        return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
