"""Reading what scenarios and situations have in common, so that every fault in them is told at once."""

from __future__ import annotations

from functools import cache
from typing import Any

from grognard.board.hex.battlefield import Battlefield
from grognard.board.hex.features import Vocabulary
from grognard.core.dice import pool
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean, read_record, read_word
from grognard.core.unit_files import with_figures
from grognard.games.ost.charts import charts
from grognard.games.ost.optional_rules import OptionalRules
from grognard.games.ost.roster import FOLDER, UnitType, roster
from grognard.games.ost.scenario import ASSETS
from grognard.kits.hex import reading as kit

MAPS = FOLDER / "maps"


@cache
def vocabulary() -> Vocabulary:
    """The words that a map of this game may use."""
    known = charts()
    return Vocabulary(tuple(known.terrain), tuple(known.hexside), tuple(known["levels"]["values"]))


def read_map(doc: Document, data: Any, area: str) -> Battlefield:
    """The map, or the part of it in play by its corner hexes (64.5, 64.6)."""
    return kit.read_area(doc, kit.read_map(doc, data, vocabulary(), MAPS), area)


def read_kind(doc: Document, path: FilePath, name: str, *wanted: str) -> UnitType | None:
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


def read_figures(
    doc: Document, path: FilePath, kind: UnitType | None, figures: dict[str, Any], types: dict[str, UnitType]
) -> UnitType | None:
    """A counter with the figures that a situation gives it, noted among ``types``; without any, as it is."""
    if kind is None or not figures:
        return kind
    made = with_figures(doc, path, FOLDER, kind, figures)
    if made is not None:
        types[made.id] = made
    return made


def read_options(doc: Document, data: Any) -> OptionalRules:
    """The switches of a scenario."""
    found = read_record(doc, ("options",), data, OptionalRules)
    if found is not None:
        read_word(doc, ("options", "melee_shaken"), "choice", found.melee_shaken, ("all", "any"))
    return found or OptionalRules()


def read_dice(doc: Document, path: FilePath, text: str) -> str:
    """Dice notation such as ``3d6+2``."""
    try:
        number, sides, _ = pool(text)
    except ValueError as error:
        doc.fault(path, str(error))
        return "2d6"
    if number > 10 or sides > 20:
        doc.fault(path, f"{text} is too many dice", "such as 3d6+2")
    return text.replace(" ", "")


def read_assets(doc: Document, path: FilePath, table: dict[str, int]) -> dict[str, int]:
    """Off-board assets by kind (64.9)."""
    for kind, number in table.items():
        read_word(doc, (*path, kind), "asset", kind, ASSETS)
        if not 0 <= number <= 99:
            doc.fault((*path, kind), f"{number}", "0 to 99")
    return dict(table)
