"""Reading what files say of a map: hexes, the map itself and the part of it in play; every fault is told at once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from grognard.board.hex.battlefield import Battlefield, load_battlefield
from grognard.board.hex.features import Vocabulary
from grognard.board.hex.grid import HexGrid
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean

#: The six facings: 1 is up, and they go round clockwise.
FACINGS = (1, 2, 3, 4, 5, 6)
#: A sheet on which every likely hex lies, for files whose own map cannot be read.
BLANK = {"columns": 52, "rows": 60}


def sub_tables(doc: Document, path: FilePath, data: Any) -> dict[str, Any]:
    """A table of tables."""
    if isinstance(data, dict):
        return data
    doc.fault(path, f"{data!r} instead of a table", f"[{'.'.join(map(str, path))}.NAME]")
    return {}


def read_hexes(doc: Document, path: FilePath, grid: HexGrid, text: str) -> list[str]:
    """The hexes of a written list; every part that names none is a fault."""
    found: dict[str, None] = {}
    for part in text.split(","):
        if part.strip():
            try:
                found.update(dict.fromkeys(grid.parse_hexes(part)))
            except ValueError as error:
                doc.fault(path, str(error))
    return list(found)


def read_hex(doc: Document, path: FilePath, grid: HexGrid, label: str) -> bool:
    """Whether a label is a hex of the map; if not, the fault is noted."""
    try:
        grid.axial(label)
    except ValueError as error:
        doc.fault(path, str(error))
        return False
    return True


def read_facing(doc: Document, path: FilePath, facing: int) -> None:
    """Note a facing that there is not; 0 is none."""
    if facing and facing not in FACINGS:
        doc.fault(path, f"a facing of {facing}", "1 (north) to 6 (north-west), clockwise")


def read_area(doc: Document, field: Battlefield, text: str) -> Battlefield:
    """The part of the map in play, by its corner hexes; the hex lines through them are in play."""
    if not text:
        return field
    first, _, last = (corner.strip() for corner in text.partition("-"))
    try:
        return field.part(first, last)
    except ValueError as error:
        doc.fault("area", str(error), 'two corner hexes: area = "D3-P15"')
        return field


def read_map(doc: Document, data: Any, known: Vocabulary, maps: Path) -> Battlefield:
    """The map: by the name of its file, or as a sketch in place. A faulty one gives a blank sheet to read on with.

    ``known`` are the words that a map of the game may use, ``maps`` the folder of those that come with it.
    """
    before, doc.faults = doc.faults, []
    try:
        return _read_map(doc, data, known, maps)
    except MalformedError:
        return Battlefield.from_sketch(BLANK, Document(BLANK, doc.name), "map")
    finally:
        doc.faults = [*before, *doc.faults]


def _read_map(doc: Document, data: Any, known: Vocabulary, maps: Path) -> Battlefield:
    if isinstance(data, dict):
        field = Battlefield.from_sketch(data, doc, "map", known=known)
    elif isinstance(data, str):
        field = _named_map(doc, data, known, maps)
    else:
        wrong = "a file without a map" if data is None else f"{data!r} is not a map"
        doc.fault("map", wrong, 'map = "name" of a file in maps/, or a [map] table')
        doc.check()
    if field.grid is None:
        doc.fault("map", "the map needs a hex grid", "columns = ... and rows = ...")
        doc.check()
    return field


def _named_map(doc: Document, name: str, known: Vocabulary, maps: Path) -> Battlefield:
    if name in doc.files:  # a user's own map, which came with a saved game
        return Battlefield.from_geojson(Document.from_json(doc.files[name], f"{doc.name}: its map"), known)
    if name in ("", ".", "..") or Path(name).name != name or "\\" in name or "\0" in name:
        doc.fault("map", f"{name!r} is not the name of a map", "the name alone, without a folder")
        doc.check()
    home = Path(doc.name).parent
    # What did not come from a file, as a saved game's scenario, has no business in the folders around here.
    beside = [home, home / "maps", home.parent / "maps"] if Path(doc.name).is_file() else []
    folders = [*beside, maps]
    for folder in folders:
        path = folder / f"{name}.geojson"
        if path.is_file():
            stamp = path.stat()
            if folder != maps:
                doc.files[name] = Document.read(path).text
            try:
                return _load_map(path.resolve(), stamp.st_mtime_ns, stamp.st_size, known)
            except MalformedError as error:
                doc.faults.extend(error.faults)
                doc.check()
    listed = sorted({path.stem for folder in folders if folder.is_dir() for path in folder.glob("*.geojson")})
    doc.fault("map", f'no map called "{name}"', did_you_mean(name, listed) if listed else "a file maps/NAME.geojson")
    doc.check()
    raise AssertionError("unreachable")


@cache
def _load_map(path: Path, changed: int, size: int, known: Vocabulary) -> Battlefield:
    return load_battlefield(path, known)
