"""The battlefield: vector features on a plane, and what a hex grid laid over them finds in each hex.

The features are the truth, stored as GeoJSON that any GIS tool opens; everything looked up by hex
or hexside is worked out from them once. Kinds of terrain are the game's own words.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grognard.board.hex.features import (
    KINDS,
    OPEN,
    ROAD,
    ROW_HOUSE_WALL,
    STEP,
    Feature,
    Vocabulary,
    by_layer,
    check_geometry,
    covered,
    cut,
    polygons,
    road_links,
    way_out,
)
from grognard.board.hex.geometry import Outline, clip, inside
from grognard.board.hex.grid import HexGrid, Layout, Numbering, RowsFrom, Shove, Window, hex_grid
from grognard.core.errors import Fault, VersionError
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, check_word, did_you_mean

if TYPE_CHECKING:
    from grognard.board.hex.cover import Cover
    from grognard.board.hex.relief import Relief

__all__ = ["OPEN", "Battlefield", "Feature", "Vocabulary", "load_battlefield"]

VERSION = 1
#: The level of a hex that no feature raises or lowers.
GROUND = 1
#: The metres between two neighbouring contour lines, unless a map says otherwise.
INTERVAL = 20
#: The most columns or rows that a file may ask for, so that a slip cannot fill the memory.
LARGEST = 250


class GridSpec(msgspec.Struct, forbid_unknown_fields=True):
    """The parameters of a grid as a file gives them."""

    columns: int
    rows: int
    layout: Layout = "flat"
    numbering: Numbering = "A1"
    shove: Shove = "even"
    size: float = 50.0
    window: Window | None = None
    rows_from: RowsFrom = "top"

    def build(self) -> HexGrid:
        """The shared grid of these parameters; ValueError if there can be none."""
        about = (self.columns, self.rows, self.layout, self.numbering, self.shove, self.size, self.window)
        return hex_grid(*about, self.rows_from)


class Battlefield:
    """A named plane of features, perhaps with a hex grid; treat it as fixed once it is made.

    With a grid, ``terrain``, ``level`` and ``roads`` have an entry for every hex; the other
    lookups only hold what is there. Battlefields are equal when their content is.
    """

    def __init__(
        self,
        name: str,
        grid: HexGrid | None = None,
        features: Iterable[Feature] = (),
        *,
        interval: int = INTERVAL,
        doc: Document | None = None,
        path: FilePath = (),
    ) -> None:
        self.name, self.grid = name, grid
        #: The metres between two neighbouring contour lines.
        self.interval = interval
        self.features: list[Feature] = list(features)
        hexes = grid.hexes if grid else ()
        #: The kind of terrain of each hex.
        self.terrain: dict[str, str] = dict.fromkeys(hexes, OPEN)
        #: The height level of each hex.
        self.level: dict[str, int] = dict.fromkeys(hexes, GROUND)
        #: The directions in which a road leaves each hex, off the map as well.
        self.roads: dict[str, frozenset[int]] = dict.fromkeys(hexes, frozenset())
        #: The kinds of road over each hexside that has any, or off the map where the id is ``A5>6``.
        self.road_kinds: dict[str, frozenset[str]] = {}
        self.bridges: frozenset[str] = frozenset()
        #: The kind of each hexside that has one, by its id.
        self.hexsides: dict[str, str] = {}
        #: The drawn outlines of buildings, cut to each hex, in metres. A building hex without an
        #: entry has no outline of its own: the building fills the hex.
        self.outlines: dict[str, list[Outline]] = {}
        #: The drawn outlines of hills, cut to each hex, in metres.
        self.hill_edges: dict[str, list[Outline]] = {}
        #: The id of the building in a hex; the hexes of one building share it.
        self.building: dict[str, str] = {}
        #: How high the structure in a hex is.
        self.building_level: dict[str, int] = {}
        #: Place names by hex.
        self.labels: dict[str, str] = {}
        #: Whatever else a map says of a hex.
        self.extra: dict[str, dict[str, Any]] = {}
        if grid is not None:
            report = doc if doc is not None else Document({}, name)
            _Surveyor(self, grid, report, path).survey()
            if doc is None:
                report.check()

    @cached_property
    def digest(self) -> str:
        """A hash of the content, the same wherever the content is."""
        text = json.dumps(self.to_geojson(), sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Battlefield) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Battlefield {self.name!r}, {len(self.features)} features, {self.grid!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.name, self.grid, self.features, self.interval)

    @cached_property
    def contoured(self) -> bool:
        """Whether contour lines tell the heights of the ground."""
        return any(feature.kind == "contour" for feature in self.features)

    @property
    def relief(self) -> Relief:
        """The heights of the ground as its contour lines tell them, worked out when first asked for."""
        from grognard.board.hex.relief import relief_of

        return relief_of(self)

    @property
    def cover(self) -> Cover:
        """What lies in each hex, partly as well as wholly, worked out when first asked for."""
        from grognard.board.hex.cover import cover_of

        return cover_of(self)

    def roads_between(self, a: str, b: str) -> frozenset[str]:
        """The kinds of road that lead from a hex to the next."""
        assert self.grid is not None
        return self.road_kinds.get(self.grid.hexside(a, b), frozenset())

    def roads_in(self, hex: str) -> frozenset[str]:
        """The kinds of road in a hex."""
        assert self.grid is not None
        sides = (way_out(self.grid, hex, way) for way in self.roads[hex])
        return frozenset(kind for side in sides for kind in self.road_kinds[side])

    def same_building(self, a: str, b: str) -> bool:
        """Whether two hexes hold parts of one building."""
        return a in self.building and self.building[a] == self.building.get(b)

    def part(self, a: str, b: str) -> Battlefield:
        """The part of the battlefield between two corner hexes; roads that it cuts lead off the map there."""
        assert self.grid is not None
        grid = self.grid.part(a, b)
        features = [kept for each in self.features for kept in cut(each, self.grid, grid)]
        return Battlefield(self.name, grid, features, interval=self.interval)

    def to_geojson(self) -> dict[str, Any]:
        """The battlefield as a GeoJSON FeatureCollection, which `from_geojson` reads back the same."""
        about: dict[str, Any] = {"version": VERSION, "name": self.name}
        if self.interval != INTERVAL:
            about["interval"] = self.interval
        if self.grid is not None:
            about["grid"] = {
                "columns": self.grid.columns,
                "rows": self.grid.rows,
                "layout": self.grid.layout,
                "numbering": self.grid.numbering,
                "shove": self.grid.shove,
                "size": self.grid.size,
            }
            if len(self.grid.hexes) < self.grid.columns * self.grid.rows:
                about["grid"]["window"] = list(self.grid.window)
            if self.grid.rows_from != "top":
                about["grid"]["rows_from"] = self.grid.rows_from
        features = [feature.to_geojson() for feature in self.features]
        return {"type": "FeatureCollection", "grognard": about, "features": features}

    @classmethod
    def from_geojson(cls, doc: Document, known: Vocabulary | None = None) -> Battlefield:
        """Read a FeatureCollection; all its faults are raised together."""
        data = doc.data
        if not isinstance(data, dict) or data.get("type") != "FeatureCollection":
            doc.fault("type", "not a GeoJSON FeatureCollection", '"type": "FeatureCollection"')
            doc.check()
        name, grid, interval = _about(doc, data.get("grognard", {}))
        features: list[Feature] = []
        members = data.get("features")
        if not isinstance(members, list):
            doc.fault("features", "a file without a list of features", '"features": [...]')
            members = []
        for number, member in enumerate(members):
            feature = _feature(doc, ("features", number), member, len(features))
            if feature is not None:
                if known is not None:
                    _check_words(doc, ("features", number, "properties"), feature, known)
                features.append(feature)
        check_ids(doc, ("features",), features)
        # A feature left out for its faults would shift the numbers of those after it.
        doc.check()
        battlefield = cls(name, grid, features, interval=interval, doc=doc, path=("features",))
        doc.check()
        return battlefield

    @classmethod
    def from_sketch(
        cls, data: dict[str, Any], doc: Document, *path: str | int, known: Vocabulary | None = None
    ) -> Battlefield:
        """Read the compact form that people write by hand; see `grognard.board.hex.sketch`."""
        from grognard.board.hex.sketch import read_sketch

        name, grid, features, interval = read_sketch(data, doc, path, known)
        doc.check()
        battlefield = cls(name, grid, features, interval=interval, doc=doc, path=path)
        doc.check()
        return battlefield


def _again(name: str, grid: HexGrid | None, features: list[Feature], interval: int) -> Battlefield:
    """A battlefield as another process gets it."""
    return Battlefield(name, grid, features, interval=interval)


def load_battlefield(path: Path, known: Vocabulary | None = None) -> Battlefield:
    """Read a battlefield from a .geojson file, or from the [map] table of a .toml file."""
    doc = Document.read(path)
    if path.suffix in (".geojson", ".json"):
        return Battlefield.from_geojson(doc, known)
    table = doc.data.get("map")
    if not isinstance(table, dict):
        doc.fault("map", "no [map] table", "a sketch starts with [map]")
        doc.check()
    return Battlefield.from_sketch(table, doc, "map", known=known)


# reading GeoJSON


def _about(doc: Document, about: Any) -> tuple[str, HexGrid | None, int]:
    if not isinstance(about, dict):
        doc.fault("grognard", f"{about!r} instead of a table", '"grognard": {"version": 1, "name": ...}')
        return "", None, INTERVAL
    version = about.get("version", VERSION)
    if version != VERSION:
        wrong = f"version {version}, which this program can't read"
        raise VersionError([Fault(doc.name, 0, "grognard.version", wrong, f"it reads version {VERSION}")])
    name = doc.convert(about.get("name", ""), str, "grognard", "name") or ""
    interval = read_interval(doc, ("grognard", "interval"), about.get("interval", INTERVAL))
    if about.get("grid") is None:
        return name, None, interval
    return name, read_grid(doc, ("grognard", "grid"), about["grid"]), interval


def read_interval(doc: Document, path: FilePath, data: Any) -> int:
    """The metres between two neighbouring contour lines; whatever cannot be is a fault."""
    interval = doc.convert(data, int, *path)
    if interval is not None and (interval <= 0 or interval % STEP):
        doc.fault(path, f"contour lines {interval} m apart", f"a multiple of {STEP} m, such as {INTERVAL}")
        return INTERVAL
    return INTERVAL if interval is None else interval


def read_grid(doc: Document, path: FilePath, data: Any) -> HexGrid | None:
    """The grid that a table describes, or None with the fault noted."""
    spec = doc.convert(data, GridSpec, *path)
    if spec is None:
        return None
    if spec.columns > LARGEST or spec.rows > LARGEST:
        doc.fault(path, f"{spec.columns} columns and {spec.rows} rows", f"at most {LARGEST} of each")
        return None
    try:
        return spec.build()
    except ValueError as error:
        doc.fault(path, str(error))
        return None


def _feature(doc: Document, path: FilePath, member: Any, number: int) -> Feature | None:
    if not isinstance(member, dict) or member.get("type") != "Feature":
        doc.fault(path, "not a GeoJSON Feature", '{"type": "Feature", "geometry": ..., "properties": ...}')
        return None
    properties = member.get("properties")
    if not isinstance(properties, dict) or not isinstance(properties.get("kind"), str):
        doc.fault((*path, "properties", "kind"), "no kind", f'a kind such as "{KINDS[0]}"')
        return None
    kind = properties["kind"]
    ident = member.get("id", f"{kind}-{number + 1}")
    if isinstance(ident, bool) or not isinstance(ident, (str, int)):
        doc.fault((*path, "id"), f"{ident!r} is not an id", "a text or a whole number")
        return None
    geometry = member.get("geometry")
    if not check_geometry(doc, (*path, "geometry"), geometry):
        return None
    rest = {key: value for key, value in properties.items() if key != "kind"}
    return Feature(ident, kind, geometry, rest)


def check_ids(doc: Document, path: FilePath, features: Iterable[Feature]) -> None:
    """Note a fault for each feature whose id an earlier one has."""
    seen: set[str] = set()
    for number, feature in enumerate(features):
        if str(feature.id) in seen:
            doc.fault((*path, number, "id"), f'the id "{feature.id}" twice', "a different id")
        seen.add(str(feature.id))


def _check_words(doc: Document, path: FilePath, feature: Feature, known: Vocabulary) -> None:
    properties = feature.properties
    if feature.kind in ("terrain", "building") and "terrain" in properties:
        check_word(doc, (*path, "terrain"), "terrain", properties["terrain"], {OPEN, *known.terrain})
    if feature.kind == "hexside" and "hexside" in properties:
        check_word(doc, (*path, "hexside"), "hexside", properties["hexside"], {ROW_HOUSE_WALL, *known.hexsides})
    if feature.kind == "road" and "road" in properties:
        check_word(doc, (*path, "road"), "road", properties["road"], {ROAD, *known.roads})
    if feature.kind == "contour":
        check_contoured(doc, path, known)
    if feature.kind == "level" and "level" in properties:
        check_word(doc, (*path, "level"), "level", properties["level"], {GROUND, *known.levels})


def check_contoured(doc: Document, path: FilePath, known: Vocabulary | None) -> None:
    """Note contour lines on a map for a game that would not look at them."""
    if known is not None and not known.contours:
        doc.fault(path, "contour lines, which this game does not know", f"levels: {', '.join(map(str, known.levels))}")


class _Surveyor:
    """Works out what the features of a gridded battlefield say of each hex and hexside."""

    def __init__(self, field: Battlefield, grid: HexGrid, doc: Document, path: FilePath) -> None:
        self.field, self.grid, self.doc, self.path = field, grid, doc, path
        self.roads: dict[str, set[int]] = {}
        self.road_kinds: dict[str, set[str]] = {}
        self.bridges: set[str] = set()
        self.contours: list[tuple[FilePath, Feature]] = []

    def survey(self) -> None:
        for number, feature in by_layer(self.field.features):
            path = (*self.path, number)
            if feature.kind in KINDS:
                getattr(self, f"_{feature.kind}")((*path, "properties"), feature)
            elif (near := did_you_mean(feature.kind, KINDS)).startswith("did"):
                # Other kinds are a game's own business, but a near miss is a slip of the pen.
                self.doc.fault((*path, "properties", "kind"), f'unknown kind "{feature.kind}"', near)
        if self.contours:
            from grognard.board.hex.relief import check_contours

            check_contours(self.doc, self.contours, self.grid, self.field.interval)
        self.field.roads.update({label: frozenset(ways) for label, ways in self.roads.items()})
        self.field.road_kinds.update({side: frozenset(kinds) for side, kinds in self.road_kinds.items()})
        self.field.bridges = frozenset(self.bridges)

    def _get(self, path: FilePath, feature: Feature, key: str, kind: Any, default: Any = None) -> Any:
        if key in feature.properties:
            return self.doc.convert(feature.properties[key], kind, *path, key)
        if default is None:
            self.doc.fault((*path, key), f"a {feature.kind} feature without it", f'"{key}": ...')
        return default

    def _hexes(self, path: FilePath, feature: Feature) -> list[str]:
        if "hexes" not in feature.properties:
            found = covered(self.grid, feature.geometry)
            if not found and not (feature.geometry or {}).get("type", "").endswith("Polygon"):
                self.doc.fault(
                    (*path, "hexes"), f"a {feature.kind} feature without hexes", '"hexes": [...] or a polygon'
                )
            return found
        labels = self._get(path, feature, "hexes", list[str]) or []
        return [label for label in labels if self._on_map((*path, "hexes"), label)]

    def _on_map(self, path: FilePath, label: str) -> bool:
        try:
            self.grid.axial(label)
        except ValueError as error:
            self.doc.fault(path, str(error))
            return False
        return True

    def _terrain(self, path: FilePath, feature: Feature) -> None:
        terrain = self._get(path, feature, "terrain", str)
        for label in self._hexes(path, feature):
            self.field.terrain[label] = terrain

    def _level(self, path: FilePath, feature: Feature) -> None:
        level = self._get(path, feature, "level", int)
        for label in self._hexes(path, feature):
            self.field.level[label] = level

    def _contour(self, path: FilePath, feature: Feature) -> None:
        self.contours.append((path, feature))

    def _road(self, path: FilePath, feature: Feature) -> None:
        steps = self._get(path, feature, "path", list[str])
        kind = self._get(path, feature, "road", str, ROAD)
        try:
            for label, direction in road_links(self.grid, steps or []) if steps is not None else []:
                self.roads.setdefault(label, set()).add(direction)
                self.road_kinds.setdefault(way_out(self.grid, label, direction), set()).add(kind)
        except ValueError as error:
            self.doc.fault((*path, "path"), str(error))

    def _bridge(self, path: FilePath, feature: Feature) -> None:
        if "hexes" not in feature.properties and (label := self._hex_at(feature)):
            self.bridges.add(label)
        else:
            self.bridges.update(self._hexes(path, feature))

    def _hexside(self, path: FilePath, feature: Feature) -> None:
        kind = self._get(path, feature, "hexside", str)
        for side in self._get(path, feature, "sides", list[str]) or []:
            try:
                self.field.hexsides[self.grid.parse_hexside(side)] = kind
            except ValueError as error:
                self.doc.fault((*path, "sides"), str(error))

    def _building(self, path: FilePath, feature: Feature) -> None:
        terrain = self._get(path, feature, "terrain", str)
        level = self._get(path, feature, "level", int, 1)
        hexes = self._hexes(path, feature)
        for label in hexes:
            self.field.terrain[label] = terrain
            self.field.building[label] = str(feature.id)
            self.field.building_level[label] = level
        # A file that says nothing of its geometry has drawn it; the default one says so.
        if self._get(path, feature, "outline", bool, True):
            self._cut(path, feature, hexes, self.field.outlines)

    def _hill(self, path: FilePath, feature: Feature) -> None:
        self._cut(path, feature, self._hexes(path, feature), self.field.hill_edges)

    def _cut(self, path: FilePath, feature: Feature, hexes: list[str], into: dict[str, list[Outline]]) -> None:
        # Only outer rings count: nobody looks across a courtyard.
        shapes = [Outline(rings[0]) for rings in polygons(feature.geometry)]
        for label in hexes if shapes else ():
            corners = self.grid.corners(label)
            parts = [part for shape in shapes if (part := clip(shape, corners)) is not None]
            into.setdefault(label, []).extend(parts)
            if not parts:
                self.doc.fault((*path, "hexes"), f"the outline doesn't reach {label}", "leave the hex out")

    def _label(self, path: FilePath, feature: Feature) -> None:
        text = self._get(path, feature, "text", str)
        label = self._get(path, feature, "hex", str, "") or self._hex_at(feature)
        if label and self._on_map((*path, "hex"), label):
            self.field.labels[label] = text

    def _extra(self, path: FilePath, feature: Feature) -> None:
        values = self._get(path, feature, "values", dict[str, Any]) or {}
        for label in self._hexes(path, feature):
            self.field.extra.setdefault(label, {}).update(values)

    def _hex_at(self, feature: Feature) -> str:
        if feature.geometry is None or feature.geometry["type"] != "Point":
            return ""
        x, y = feature.geometry["coordinates"][:2]
        return next((label for label in self.grid.hexes if inside((x, y), self.grid.corners(label))), "")
