"""Reading the tables of a scenario or a situation, so that every fault in them is told at once."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from grognard.board.battlefield import Battlefield, load_battlefield
from grognard.board.features import Vocabulary
from grognard.board.grid import HexGrid
from grognard.core.dice import pool
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.records import Place, did_you_mean, read_record, read_word
from grognard.games.ost.figures import figures
from grognard.games.ost.options import Options
from grognard.games.ost.roster import FOLDER, UnitType, roster
from grognard.games.ost.scenario import ASSETS

NAME = re.compile(r"[a-z][a-z0-9_]*")
MAPS = FOLDER / "maps"
FACINGS = (1, 2, 3, 4, 5, 6)
#: A sheet on which every likely hex lies, for files whose own map cannot be read.
BLANK = {"columns": 52, "rows": 60}


@cache
def vocabulary() -> Vocabulary:
    """The words that a map of this game may use."""
    known = figures()
    return Vocabulary(tuple(known.terrain), tuple(known.hexside), tuple(known["levels"]["values"]))


def sub_tables(doc: Document, path: Place, data: Any) -> dict[str, Any]:
    """A table of tables."""
    if isinstance(data, dict):
        return data
    doc.fault(path, f"{data!r} where a table belongs", f"[{'.'.join(map(str, path))}.NAME]")
    return {}


def read_hexes(doc: Document, path: Place, grid: HexGrid, text: str) -> list[str]:
    """The hexes of a written list; every part that names none is a fault."""
    found: dict[str, None] = {}
    for part in text.split(","):
        if part.strip():
            try:
                found.update(dict.fromkeys(grid.parse_hexes(part)))
            except ValueError as error:
                doc.fault(path, str(error))
    return list(found)


def read_hex(doc: Document, path: Place, grid: HexGrid, label: str) -> bool:
    """Whether a label is a hex of the map; if not, the fault is noted."""
    try:
        grid.axial(label)
    except ValueError as error:
        doc.fault(path, str(error))
        return False
    return True


def read_kind(doc: Document, path: Place, name: str, *wanted: str) -> UnitType | None:
    """A counter of the roster, of one of the kinds wanted."""
    kinds = roster()
    allowed = [id for id, kind in kinds.items() if not wanted or kind.kind in wanted]
    if name not in kinds:
        doc.fault(path, f'no unit called "{name}"', did_you_mean(name, allowed))
        return None
    if name not in allowed:
        doc.fault(path, f'"{name}" is a {kinds[name].kind}', f"a {' or '.join(wanted)}")
        return None
    return kinds[name]


def read_options(doc: Document, data: Any) -> Options:
    """The switches of a scenario."""
    found = read_record(doc, ("options",), data, Options)
    if found is not None:
        read_word(doc, ("options", "melee_shaken"), "choice", found.melee_shaken, ("all", "any"))
    return found or Options()


def read_area(doc: Document, field: Battlefield, text: str) -> Battlefield:
    """The part of the map in play, by its corner hexes; the hex lines through them are in play (64.5, 64.6)."""
    if not text:
        return field
    first, _, last = (corner.strip() for corner in text.partition("-"))
    try:
        return field.part(first, last)
    except ValueError as error:
        doc.fault("area", str(error), 'two corner hexes: area = "D3-P15"')
        return field


def read_map(doc: Document, data: Any) -> Battlefield:
    """The map: by the name of its file, or as a sketch in place. A faulty one gives a blank sheet to read on with."""
    before, doc.faults = doc.faults, []
    try:
        return _read_map(doc, data)
    except MalformedError:
        return Battlefield.from_sketch(BLANK, Document(BLANK, doc.name), "map")
    finally:
        doc.faults = [*before, *doc.faults]


def _read_map(doc: Document, data: Any) -> Battlefield:
    if isinstance(data, dict):
        field = Battlefield.from_sketch(data, doc, "map", known=vocabulary())
    elif isinstance(data, str):
        field = _named_map(doc, data)
    else:
        wrong = "no map" if data is None else f"{data!r} is no map"
        doc.fault("map", wrong, 'map = "name" of a file in maps/, or a [map] table')
        doc.check()
    if field.grid is None:
        doc.fault("map", "the map has no hex grid", "columns = ... and rows = ...")
        doc.check()
    return field


def _named_map(doc: Document, name: str) -> Battlefield:
    if name in doc.files:  # a user's own map, which came with a saved game
        return Battlefield.from_geojson(Document.from_json(doc.files[name], f"{doc.name}: its map"), vocabulary())
    if name in ("", ".", "..") or Path(name).name != name or "\\" in name or "\0" in name:
        doc.fault("map", f"{name!r} is no name of a map", "the name alone, without a folder")
        doc.check()
    home = Path(doc.name).parent
    # What did not come from a file, as a saved game's scenario, has no business in the folders around here.
    beside = [home, home / "maps", home.parent / "maps"] if Path(doc.name).is_file() else []
    folders = [*beside, MAPS]
    for folder in folders:
        path = folder / f"{name}.geojson"
        if path.is_file():
            stamp = path.stat()
            if folder != MAPS:
                doc.files[name] = Document.read(path).text
            try:
                return _load_map(path.resolve(), stamp.st_mtime_ns, stamp.st_size)
            except MalformedError as error:
                doc.faults.extend(error.faults)
                doc.check()
    known = sorted({path.stem for folder in folders if folder.is_dir() for path in folder.glob("*.geojson")})
    doc.fault("map", f'no map called "{name}"', did_you_mean(name, known) if known else "a file maps/NAME.geojson")
    doc.check()
    raise AssertionError("unreachable")


@cache
def _load_map(path: Path, changed: int, size: int) -> Battlefield:
    return load_battlefield(path, vocabulary())


def read_dice(doc: Document, path: Place, text: str) -> str:
    """Dice notation such as ``3d6+2``."""
    try:
        number, sides, _ = pool(text)
    except ValueError as error:
        doc.fault(path, str(error))
        return "2d6"
    if number > 10 or sides > 20:
        doc.fault(path, f"{text} is too many dice", "such as 3d6+2")
    return text.replace(" ", "")


def read_assets(doc: Document, path: Place, table: dict[str, int]) -> dict[str, int]:
    """Off-board assets by kind (64.9)."""
    for kind, number in table.items():
        read_word(doc, (*path, kind), "asset", kind, ASSETS)
        if not 0 <= number <= 99:
            doc.fault((*path, kind), f"{number}", "0 to 99")
    return dict(table)
