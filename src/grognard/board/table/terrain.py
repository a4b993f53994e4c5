"""A table of terrain without a grid: pieces that are areas or lines, each of a kind whose words are the game's own.

Positions are whole hundredths of the board's unit, x to the right, y down, the origin at the top left. A table is
written by hand as TOML (`grognard.board.table.terrain_file`) or kept as GeoJSON that any GIS tool opens.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
import shapely
from shapely import LineString, Polygon, STRtree

from grognard.board.table.bodies import Place
from grognard.core.files import Document

#: The measures of tables, each with how many hundredths of it make an inch.
MEASURES = {"inch": 100, "cm": 254}
#: How far from a line of no width a point may lie to be on it, in hundredths.
ON_LINE = 0.5


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of terrain: how it is drawn up, how one moves there, what cover it gives and what it does to sight.

    ``ground`` is the movement class in the game's word. ``sight`` is "clear", "no_through" (a line may enter or leave
    but not pass, and runs ``depth_visible`` inside at most), "blocks", or "crest" (a hill: it raises the ground).
    ``looks`` names the kind that it is drawn as, where its own name has no look in the styles.
    """

    name: str
    shape: str
    ground: str
    cover: str = "none"
    sight: str = "clear"
    height: int = 0
    depth_visible: int = 0
    width: int = 0
    anti_tank: bool = False
    title: str = ""
    looks: str = ""

    @property
    def linear(self) -> bool:
        """Whether its pieces are lines."""
        return self.shape == "line"

    @property
    def drawn_as(self) -> str:
        """The word by which the styles know it."""
        return self.looks or self.name

    @property
    def called(self) -> str:
        """The title, or the name as words."""
        return self.title or self.name.replace("_", " ").capitalize()


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One piece of terrain: the corners of an area (not closed) or the points of a line.

    Edge ``n`` of an area runs from point ``n`` to the next; ``openings`` are the edges with doors and windows, all of
    them where nothing is said. ``soft`` marks a building of wood or a ruin. ``height`` and ``width`` of -1 are those
    of the kind.
    """

    id: str
    kind: str
    points: tuple[Place, ...]
    openings: tuple[int, ...] = ()
    name: str = ""
    soft: bool = False
    height: int = -1
    width: int = -1

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges with openings."""
        return self.openings or tuple(range(len(self.points)))


class Table:
    """A named table of pieces; treat it as fixed once it is made. Tables are equal when their content is.

    ``measure`` is what its lengths are hundredths of: "inch" or "cm". All that tells a length asks the table.
    """

    def __init__(
        self,
        name: str,
        width: int,
        height: int,
        kinds: Mapping[str, Kind],
        pieces: Iterable[Piece] = (),
        *,
        measure: str,
    ) -> None:
        if measure not in MEASURES:
            raise ValueError(f"no measure called {measure!r}; use one of {', '.join(MEASURES)}")
        self.name, self.width, self.height, self.measure = name, width, height, measure
        self.kinds = kinds
        self.pieces: tuple[Piece, ...] = tuple(pieces)
        #: The pieces by id.
        self.by_id: dict[str, Piece] = {piece.id: piece for piece in self.pieces}
        #: What other modules have worked out about this table and want to keep with it.
        self.cache: dict[Any, Any] = {}
        self._areas: dict[str, Polygon] = {}
        self._changed: dict[frozenset[tuple[str, str]], Table] = {}

    @property
    def inch(self) -> int:
        """How many hundredths of its measure make an inch."""
        return MEASURES[self.measure]

    # what a piece is

    def kind(self, piece: Piece) -> Kind:
        """The kind of a piece."""
        return self.kinds[piece.kind]

    def title(self, piece: Piece) -> str:
        """What a piece is called: its own name, or its kind's."""
        return piece.name or self.kinds[piece.kind].called

    def height_of(self, piece: Piece) -> int:
        """How high a piece stands above its ground."""
        return piece.height if piece.height >= 0 else self.kinds[piece.kind].height

    def width_of(self, piece: Piece) -> int:
        """How wide a line is."""
        return piece.width if piece.width >= 0 else self.kinds[piece.kind].width

    def area(self, piece: Piece) -> Polygon:
        """The plan of a piece: its polygon, or the band that a line with a width covers."""
        found = self._areas.get(piece.id)
        if found is None:
            if self.kind(piece).linear:
                found = self.line(piece).buffer(self.width_of(piece) / 2, cap_style="flat", join_style="mitre")
            else:
                found = Polygon(piece.points)
            shapely.prepare(found)
            self._areas[piece.id] = found
        return found

    def line(self, piece: Piece) -> LineString:
        """A line piece's line, or the outline of an area."""
        if self.kind(piece).linear:
            return LineString(piece.points)
        return LineString([*piece.points, piece.points[0]])

    # what is where

    @cached_property
    def _tree(self) -> STRtree:
        return STRtree([self.line(piece) if self.thin(piece) else self.area(piece) for piece in self.pieces])

    def thin(self, piece: Piece) -> bool:
        """Whether a piece is a line of no width."""
        return self.kind(piece).linear and self.width_of(piece) <= 0

    def at(self, x: float, y: float) -> list[Piece]:
        """The pieces at a point, inside or on the edge, in the table's order."""
        if not self.pieces:
            return []
        found = self._tree.query(shapely.Point(x, y), predicate="dwithin", distance=0.0)
        near = self._tree.query(shapely.Point(x, y), predicate="dwithin", distance=ON_LINE)
        numbers = {*map(int, found), *(int(n) for n in near if self.thin(self.pieces[int(n)]))}
        return [self.pieces[number] for number in sorted(numbers)]

    def near(self, geometry: shapely.Geometry, distance: float = 0.0) -> list[Piece]:
        """The pieces whose plan comes within a distance of a geometry, in the table's order."""
        if not self.pieces:
            return []
        found = self._tree.query(geometry, predicate="dwithin", distance=distance)
        return [self.pieces[number] for number in sorted(map(int, found))]

    def ground_height(self, x: float, y: float) -> int:
        """How high the ground is: that of the highest hill there (B11), 0 on the plain."""
        point = shapely.Point(x, y)
        return max((height for hill, height in self._hills if hill.covers(point)), default=0)

    @cached_property
    def _hills(self) -> list[tuple[Polygon, int]]:
        hills = [piece for piece in self.pieces if self.kind(piece).sight == "crest"]
        return [(self.area(piece), self.height_of(piece)) for piece in hills]

    @cached_property
    def base(self) -> dict[str, int]:
        """The ground on which each piece stands: that of its inner point; hills stand on the plain."""
        found = {}
        for piece in self.pieces:
            hill = self.kind(piece).sight == "crest"
            inner = (self.line(piece) if self.thin(piece) else self.area(piece)).representative_point()
            found[piece.id] = 0 if hill else self.ground_height(inner.x, inner.y)
        return found

    # change and content

    def with_changes(self, changed: Mapping[str, str]) -> Table:
        """The table after pieces have become another kind, by id; "" takes the piece away. The same for the same."""
        if not changed:
            return self
        key = frozenset(changed.items())
        if key not in self._changed:
            pieces = []
            for piece in self.pieces:
                kind = changed.get(piece.id, piece.kind)
                if kind == piece.kind:
                    pieces.append(piece)
                elif kind:
                    # It falls in: neither its openings nor the height of its walls are what they were.
                    pieces.append(msgspec.structs.replace(piece, kind=kind, openings=(), height=-1, width=-1))
            self._changed[key] = Table(self.name, self.width, self.height, self.kinds, pieces, measure=self.measure)
        return self._changed[key]

    @cached_property
    def digest(self) -> str:
        """A hash of the content, the same wherever the content is."""
        words = sorted({piece.kind for piece in self.pieces})
        content = [self.measure, self.to_geojson(), [msgspec.to_builtins(self.kinds[word]) for word in words]]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Table) and self.digest == other.digest)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Table {self.name!r}, {self.width / 100:g} x {self.height / 100:g}, {len(self.pieces)} pieces>"

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, memo: Any) -> Table:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Table, measure=self.measure)
        return made, (self.name, self.width, self.height, dict(self.kinds), self.pieces)

    # files

    def to_geojson(self) -> dict[str, Any]:
        """The table as a GeoJSON FeatureCollection in the board's unit, which `from_geojson` reads back the same."""
        from grognard.board.table.terrain_file import to_geojson

        return to_geojson(self)

    @classmethod
    def from_geojson(cls, doc: Document, kinds: Mapping[str, Kind], *, measure: str) -> Table:
        """Read a FeatureCollection; all its faults are raised together."""
        from grognard.board.table.terrain_file import read_geojson

        table = read_geojson(doc, kinds, measure)
        doc.check()
        assert table is not None
        return table

    @classmethod
    def read(
        cls,
        doc: Document,
        path: tuple[str | int, ...],
        data: Any,
        terrain_path: tuple[str | int, ...],
        terrain: Any,
        kinds: Mapping[str, Kind],
        *,
        measure: str,
    ) -> Table | None:
        """The table in part of a file, its pieces in another part; None with the faults noted in the document."""
        from grognard.board.table.terrain_file import read_parts

        return read_parts(doc, path, data, terrain_path, terrain, kinds, measure)

    @classmethod
    def from_document(cls, doc: Document, kinds: Mapping[str, Kind], *path: str | int, measure: str) -> Table:
        """Read a table from a parsed file; all its faults are raised together.

        A FeatureCollection is read as such. In TOML the table stands at ``path`` (``[table]`` where nothing is said)
        with its ``name`` and ``size``, and its pieces are ``[[table.terrain]]`` or ``[[terrain]]`` of the file.
        """
        from grognard.board.table.terrain_file import read_table

        if not path and isinstance(doc.data, dict) and doc.data.get("type") == "FeatureCollection":
            return cls.from_geojson(doc, kinds, measure=measure)
        table = read_table(doc, kinds, measure, *path)
        doc.check()
        assert table is not None
        return table


def load_table(path: Path, kinds: Mapping[str, Kind], *, measure: str) -> Table:
    """Read a table from a .toml or a .geojson file."""
    return Table.from_document(Document.read(path), kinds, measure=measure)
