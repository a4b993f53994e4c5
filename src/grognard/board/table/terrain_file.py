"""Tables of terrain in files: TOML as people write it, and GeoJSON for other tools.

Lengths are in the board's unit (inches, say) with at most two decimals. In TOML::

    [table]
    name = "Crossroads"
    size = [72, 48]

    [[terrain]]
    kind = "building"
    area = [[38, 16], [44, 16], [44, 22], [38, 22]]
    name = "The mill"           # optional, as are id, height, width, openings (edges from 0) and soft

    [[terrain]]
    kind = "hedge"
    line = [[4, 30], [24, 30]]

``points`` says the same as ``area`` and ``line``, and ``width`` and ``height`` of the table the same as its ``size``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from shapely import Polygon, is_valid_reason

from grognard.board.table.bodies import Place
from grognard.board.table.terrain import Kind, Piece, Table
from grognard.core.errors import Fault, VersionError
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean

VERSION = 1
#: The longest side that a file may ask for and the most pieces and points, so that a slip cannot fill the memory.
LARGEST, MOST_PIECES, MOST_POINTS = 400, 500, 500


class PieceSpec(msgspec.Struct, forbid_unknown_fields=True):
    """A piece as a file gives it."""

    kind: str
    area: list[list[float]] | None = None
    line: list[list[float]] | None = None
    points: list[list[float]] | None = None
    id: str = ""
    name: str = ""
    openings: list[int] | None = None
    soft: bool = False
    height: float | None = None
    width: float | None = None


# reading


def read_table(doc: Document, kinds: Mapping[str, Kind], measure: str, *path: str | int) -> Table | None:
    """The table at a path of a TOML file, or None with the faults noted."""
    at: FilePath = path or ("table",)
    data: Any = doc.data
    for part in at:
        data = data.get(part) if isinstance(data, dict) else None
    inside: FilePath = (*at, "terrain")
    rows = data.get("terrain") if isinstance(data, dict) else None
    if rows is None and isinstance(doc.data, dict) and "terrain" in doc.data:
        inside, rows = ("terrain",), doc.data["terrain"]
    return read_parts(doc, at, data, inside, rows, kinds, measure)


def read_parts(
    doc: Document, at: FilePath, data: Any, inside: FilePath, rows: Any, kinds: Mapping[str, Kind], measure: str
) -> Table | None:
    """The table that ``data`` describes with its pieces in ``rows``, or None with the faults noted."""
    if not isinstance(data, dict):
        doc.fault(at, "a file without a table", "[table] with a name and a size such as [72, 48]")
        return None
    known = ("name", "size", "width", "height", "terrain")
    for key in sorted(data.keys() - set(known)):
        doc.fault((*at, key), f'a table doesn\'t have "{key}"', did_you_mean(key, known))
    name = doc.convert(data.get("name", ""), str, *at, "name") or ""
    given = data.get("size")
    if given is None and "width" in data and "height" in data:
        given = [data["width"], data["height"]]
    size = _size(doc, (*at, "size"), given)
    rows = [] if rows is None else rows
    if not isinstance(rows, list):
        doc.fault(inside, "not a list of pieces", "[[terrain]] for each")
        return None
    before = len(doc.faults)
    reader = _Reader(doc, kinds, size, measure)
    for number, row in enumerate(rows[:MOST_PIECES]):
        reader.read((*inside, number), row, (*inside, number))
    if len(rows) > MOST_PIECES:
        doc.fault(inside, f"{len(rows)} pieces", f"at most {MOST_PIECES}")
    return reader.table(name) if len(doc.faults) == before else None


def read_geojson(doc: Document, kinds: Mapping[str, Kind], measure: str) -> Table | None:
    """The table that a FeatureCollection describes, or None with the faults noted."""
    data = doc.data
    if not isinstance(data, dict) or data.get("type") != "FeatureCollection":
        doc.fault("type", "not a GeoJSON FeatureCollection", '"type": "FeatureCollection"')
        return None
    about = data.get("grognard", {})
    if not isinstance(about, dict):
        doc.fault("grognard", f"{about!r} instead of a table", '"grognard": {"version": 1, "table": [72, 48]}')
        return None
    if about.get("version", VERSION) != VERSION:
        wrong = f"version {about['version']}, which this program can't read"
        raise VersionError([Fault(doc.name, 0, "grognard.version", wrong, f"it reads version {VERSION}")])
    name = doc.convert(about.get("name", ""), str, "grognard", "name") or ""
    reader = _Reader(doc, kinds, _size(doc, ("grognard", "table"), about.get("table")), measure)
    members = data.get("features")
    if not isinstance(members, list) or len(members) > MOST_PIECES:
        doc.fault("features", "a file without a list of features", f'"features": [...], at most {MOST_PIECES}')
        members = []
    for number, member in enumerate(members):
        place: FilePath = ("features", number)
        if not isinstance(member, dict) or member.get("type") != "Feature":
            doc.fault(place, "not a GeoJSON Feature", '{"type": "Feature", "geometry": ..., "properties": ...}')
            continue
        row = _row(doc, place, member)
        if row is not None:
            reader.read(place, row, (*place, "properties"))
    return None if doc.faults else reader.table(name)


def _row(doc: Document, place: FilePath, member: dict[str, Any]) -> dict[str, Any] | None:
    """A feature as TOML would give it."""
    geometry, properties = member.get("geometry"), member.get("properties")
    if not isinstance(geometry, dict) or geometry.get("type") not in ("Polygon", "LineString"):
        doc.fault((*place, "geometry"), "neither an outline nor a line", 'a "Polygon" or a "LineString"')
        return None
    if not isinstance(properties, dict):
        doc.fault((*place, "properties"), "a feature without properties", '"properties": {"kind": ...}')
        return None
    points = geometry.get("coordinates")
    row = {key: value for key, value in properties.items() if value is not None}
    if "id" in member:
        row["id"] = str(member["id"])
    if geometry["type"] == "LineString":
        row["line"] = points
    else:
        if not isinstance(points, list) or len(points) != 1:
            doc.fault(
                (*place, "geometry"), "an outline with holes, or without a ring", "one ring; terrain can't have holes"
            )
            return None
        row["area"] = points[0]
    return row


def _size(doc: Document, place: FilePath, data: Any) -> tuple[int, int] | None:
    size = doc.convert(data, list[float], *place) if data is not None else None
    if data is None:
        doc.fault(place, "no size", "size = [72, 48]: across and down")
    if size is None:
        return None
    if len(size) != 2 or not all(0 < side <= LARGEST for side in size):
        doc.fault(place, f"{size} is not a size", f"two lengths such as [72, 48], at most {LARGEST}")
        return None
    return round(size[0] * 100), round(size[1] * 100)


class _Reader:
    """Reads pieces one by one, noting what is wrong with each."""

    def __init__(self, doc: Document, kinds: Mapping[str, Kind], size: tuple[int, int] | None, measure: str) -> None:
        self.doc, self.kinds, self.size, self.measure = doc, kinds, size, measure
        self.pieces: list[Piece] = []
        self.ids: dict[str, int] = {}

    def table(self, name: str) -> Table | None:
        if self.size is None:
            return None
        return Table(name, *self.size, self.kinds, self.pieces, measure=self.measure)

    def read(self, place: FilePath, row: Any, said: FilePath) -> None:
        if isinstance(row, dict):
            for key in sorted(row.keys() - set(PieceSpec.__struct_fields__)):
                if isinstance(key, str) and said != place:
                    # Other tools leave their own properties in a GeoJSON file; they are none of our business.
                    row = {each: value for each, value in row.items() if each != key}
                else:
                    self.doc.fault(
                        (*said, key),
                        f'a piece doesn\'t have "{key}"',
                        did_you_mean(str(key), PieceSpec.__struct_fields__),
                    )
                    return
        spec = self.doc.convert(row, PieceSpec, *said)
        if spec is None:
            return
        kind = self.kinds.get(spec.kind)
        if kind is None:
            self.doc.fault((*said, "kind"), f'unknown kind "{spec.kind}"', did_you_mean(spec.kind, self.kinds))
            return
        where = "line" if kind.linear else "area"
        given = spec.line if kind.linear else spec.area
        if given is None and spec.points is not None:
            where, given = "points", spec.points
        other = spec.area if kind.linear else spec.line
        if given is None or other is not None:
            wrong = f"a {spec.kind} is {'a line' if kind.linear else 'an area'}"
            right = "line" if kind.linear else "area"
            self.doc.fault((*said, where), wrong, f"{right} = [[x, y], ...] and nothing else")
            return
        points = self._points((*said, where), given, closed=not kind.linear)
        height = self._length((*said, "height"), spec.height)
        width = self._length((*said, "width"), spec.width)
        if points is None or height is None or width is None:
            return
        if not kind.linear and not self._simple((*said, where), points):
            return
        openings = spec.openings
        if openings is not None and (kind.linear or not openings or any(not 0 <= n < len(points) for n in openings)):
            right = "leave it out" if kind.linear else f"edges from 0 to {len(points) - 1}, at least one"
            self.doc.fault((*said, "openings"), f"{openings} are not edges of this piece", right)
            return
        ident = spec.id or self._fresh(spec.kind)
        if ident in self.ids:
            self.doc.fault((*said, "id"), f'the id "{ident}" twice', "a different id")
            return
        self.ids[ident] = 1
        edges = tuple(sorted(set(openings or ())))
        self.pieces.append(Piece(ident, spec.kind, points, edges, spec.name, spec.soft, height, width))

    def _fresh(self, kind: str) -> str:
        number = 1 + sum(piece.kind == kind for piece in self.pieces)
        while f"{kind}-{number}" in self.ids:
            number += 1
        return f"{kind}-{number}"

    def _length(self, place: FilePath, given: float | None) -> int | None:
        """A length in hundredths, -1 for none given, None with the fault noted."""
        if given is None:
            return -1
        value = _hundredths(given)
        if value is None or value < 0:
            self.doc.fault(place, f"{given:g} is not a length", "0 or more, with at most two decimals")
            return None
        return value

    def _points(self, place: FilePath, given: list[list[float]], *, closed: bool) -> tuple[Place, ...] | None:
        points: list[Place] = []
        if len(given) > MOST_POINTS:
            self.doc.fault(place, f"{len(given)} points", f"at most {MOST_POINTS}")
            return None
        for number, pair in enumerate(given):
            values = [_hundredths(value) for value in pair]
            if len(values) != 2 or values[0] is None or values[1] is None:
                self.doc.fault((*place, number), f"{pair} is not a point", "[x, y] with at most two decimals")
                return None
            x, y = values[0], values[1]
            if self.size is not None and not (0 <= x <= self.size[0] and 0 <= y <= self.size[1]):
                size = f"{self.size[0] / 100:g} by {self.size[1] / 100:g}"
                self.doc.fault((*place, number), f"[{x / 100:g}, {y / 100:g}] is off the table", f"it is {size}")
                return None
            points.append((x, y))
        if closed and len(points) > 1 and points[0] == points[-1]:
            points.pop()
        least = 3 if closed else 2
        if len(points) < least:
            self.doc.fault(place, f"only {len(points)} points", f"at least {least}")
            return None
        following = points[1:] + (points[:1] if closed else [])
        for number, (one, next_) in enumerate(zip(points, following)):
            if one == next_:
                self.doc.fault((*place, number), f"the point [{one[0] / 100:g}, {one[1] / 100:g}] twice in a row")
                return None
        return tuple(points)

    def _simple(self, place: FilePath, points: tuple[Place, ...]) -> bool:
        shape = Polygon(points)
        if shape.is_valid and shape.area > 0:
            return True
        reason = is_valid_reason(shape)
        if "[" in reason:
            x, _, y = reason[reason.index("[") + 1 :].rstrip("]").partition(" ")
            self.doc.fault(place, f"the outline crosses itself at [{float(x) / 100:g}, {float(y) / 100:g}]")
        else:
            self.doc.fault(place, "the outline doesn't enclose an area")
        return False


def _hundredths(value: float) -> int | None:
    """A length in hundredths; None if it is none, or has more than two decimals."""
    if not -10 * LARGEST <= value <= 10 * LARGEST:
        return None
    whole = round(value * 100)
    return whole if abs(value * 100 - whole) < 1e-6 else None


# writing


def _number(hundredths: int) -> float | int:
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100


def to_geojson(table: Table) -> dict[str, Any]:
    """A table as a FeatureCollection, lengths in the board's unit."""
    features = []
    for piece in table.pieces:
        points = [[_number(x), _number(y)] for x, y in piece.points]
        geometry: dict[str, Any] = {"type": "LineString", "coordinates": points}
        if not table.kind(piece).linear:
            geometry = {"type": "Polygon", "coordinates": [[*points, points[0]]]}
        properties: dict[str, Any] = {"kind": piece.kind}
        if piece.name:
            properties["name"] = piece.name
        if piece.openings:
            properties["openings"] = list(piece.openings)
        if piece.soft:
            properties["soft"] = True
        for key, value in (("height", piece.height), ("width", piece.width)):
            if value >= 0:
                properties[key] = _number(value)
        features.append({"type": "Feature", "id": piece.id, "geometry": geometry, "properties": properties})
    about = {"version": VERSION, "name": table.name, "table": [_number(table.width), _number(table.height)]}
    return {"type": "FeatureCollection", "grognard": about, "features": features}


def to_toml(table: Table) -> str:
    """A table as people write it; `Table.from_document` reads it back the same."""
    quote = msgspec.json.encode
    lines = ["[table]", f"name = {quote(table.name).decode()}"]
    lines.append(f"size = [{_number(table.width)}, {_number(table.height)}]")
    for piece in table.pieces:
        points = ", ".join(f"[{_number(x)}, {_number(y)}]" for x, y in piece.points)
        word = "line" if table.kind(piece).linear else "area"
        lines += [
            "",
            "[[terrain]]",
            f"id = {quote(piece.id).decode()}",
            f'kind = "{piece.kind}"',
            f"{word} = [{points}]",
        ]
        if piece.name:
            lines.append(f"name = {quote(piece.name).decode()}")
        if piece.openings:
            lines.append(f"openings = {list(piece.openings)}")
        if piece.soft:
            lines.append("soft = true")
        for key, value in (("height", piece.height), ("width", piece.width)):
            if value >= 0:
                lines.append(f"{key} = {_number(value)}")
    return "\n".join(lines) + "\n"
