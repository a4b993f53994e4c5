"""Reading situations on a table: what the head of every game's has, the ground and both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from grognard.board.table.terrain import Kind
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath
from grognard.core.situations import SituationReader
from grognard.kits.table.reading import letters, read_ground, read_objectives

#: The sides of a file that names none and has too few units to tell.
USUAL = ("american", "german")


class Served(Protocol):
    """What a situation needs to know of a kind of unit."""

    @property
    def nation(self) -> str: ...


class SituationHead(msgspec.Struct, kw_only=True):
    """What a situation on a table begins with. A game derives its own, with what its state remembers besides."""

    table: Any = None
    terrain: Any = []
    game: str = ""
    name: str = "situation"
    title: str = "A situation"
    briefing: str = ""
    sides: list[str] = []
    nations: dict[str, str] = {}
    turn: Count = 1
    turns: Count = 0
    side: str = ""
    lost: dict[str, list[str]] = {}
    objective: Any = []
    victory: Any = {}
    unit: Any = []


H = TypeVar("H", bound=SituationHead)


class TableSituation(SituationReader, Generic[H]):
    """Reads the ground and both sides; ``roster`` are the kinds of unit, ``unit`` is the table that a file has of one.

    ``titles`` are what people call the nations, ``known`` the letters that the ids of their units begin with.
    """

    def __init__(
        self,
        doc: Document,
        head: H,
        unit: type[msgspec.Struct],
        roster: Mapping[str, Served],
        titles: Mapping[str, str],
        known: Mapping[str, str],
        kinds: Mapping[str, Kind],
        measure: str,
        blank: Mapping[str, int],
    ) -> None:
        self.head, self._titles, self._known_letters = head, titles, known
        self.table = read_ground(doc, blank if head.table is None else head.table, head.terrain, kinds, measure, blank)
        nations = {id: kind.nation for id, kind in roster.items()}
        super().__init__(doc, head.unit, unit, head.sides, lambda kind: nations.get(kind, ""), USUAL)

    def scenario_fields(self) -> dict[str, Any]:
        """What a game's scenario has of the kit's, by field; its turns and its victory are the game's."""
        doc, head, names = self.doc, self.head, self.names
        return {
            "name": head.name,
            "title": head.title,
            "source": doc.text,
            "files": doc.files,
            "table": self.table,
            "side_names": names,
            "briefing": head.briefing,
            "titles": {side: self._titles.get(side, side.capitalize()) for side in names},
            "nations": {side: head.nations.get(side, self.nations.get(side, side)) for side in names},
            "objectives": read_objectives(doc, ("objective",), head.objective, self.table, names),
        }

    def next_id(self, path: FilePath, record: Any, side: str) -> str:
        """The id of a unit: the one given, or its side's letter with the next number."""
        known = letters(self.names, self.nations, self._known_letters)
        return self.id_of(path, record, known.get(side, side[:1]))
