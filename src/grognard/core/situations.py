"""Situations: positions that somebody sets up by hand, read into the Structs of a game's own state.

A field of the state's unit stands in the Struct and nowhere else: the table that a file may have for it is made from
the Struct, and the Struct is filled from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, each_record, read_name, read_record, read_word

T = TypeVar("T", bound=msgspec.Struct)


def table_of(kind: type[msgspec.Struct], /, without: Iterable[str] = (), **otherwise: Any) -> type[msgspec.Struct]:
    """The table that a file has for a Struct of the state: the same fields with the same defaults, numbers bounded.

    Fields that only the program sets are left out (``without``); ``otherwise`` gives, as type and default or as a type
    alone, what a file writes in another form or writes besides.
    """
    fields: dict[str, tuple[Any, ...]] = {}
    for field in msgspec.structs.fields(kind):
        if field.name not in {*without, *otherwise}:
            wanted = Count if field.type is int else field.type
            fields[field.name] = (field.name, wanted) if field.required else (field.name, wanted, field.default)
    for name, form in otherwise.items():
        fields[name] = (name, *form) if isinstance(form, tuple) else (name, form)
    return msgspec.defstruct(f"{kind.__name__}Table", list(fields.values()), kw_only=True)


def filled(kind: type[T], table: msgspec.Struct, /, **given: Any) -> T:
    """A Struct of the state with what its table says, and what the program knows better."""
    own = {field.name for field in msgspec.structs.fields(kind)}
    said = {name: getattr(table, name) for name in table.__struct_fields__ if name in own}
    return kind(**said | given)


class SituationReader:
    """What reading a situation is in every game: the units' tables, both sides, and ids.

    ``nation_of`` gives the nation of a kind of unit, "" where there is no such kind; a unit without a side is its
    nation's. ``usual`` are the sides of a file that names none and has too few units to tell.
    """

    def __init__(
        self,
        doc: Document,
        units: Any,
        table: type[msgspec.Struct],
        sides: Iterable[str],
        nation_of: Callable[[str], str],
        usual: Iterable[str],
    ) -> None:
        self.doc = doc
        self.tables: list[tuple[FilePath, Any]] = []
        for path, item in each_record(doc, ("unit",), units):
            if (found := read_record(doc, path, item, table)) is not None:
                self.tables.append((path, found))
        #: Of each side the nation of its first unit.
        self.nations: dict[str, str] = {}
        #: Where each unit stands in the file, by id.
        self.places: dict[str, FilePath] = {}
        self.names = self._side_names(list(sides), nation_of, list(usual))

    def _side_names(self, given: list[str], nation_of: Callable[[str], str], usual: list[str]) -> tuple[str, str]:
        for _, table in self.tables:
            nation = nation_of(table.kind)
            if side := table.side or nation:
                self.nations.setdefault(side, nation)
        found = dict.fromkeys(given or self.nations)
        for side in () if given else usual:
            if len(found) < 2:
                found.setdefault(side)
        names = tuple(found)
        if len(names) != 2:
            example = ", ".join(f'"{side}"' for side in usual[-2:])
            self.doc.fault("sides", f"{len(names)} sides: {', '.join(names)}", f"sides = [{example}]")
            self.doc.check()
        return names[0], names[1]

    def side(self, path: FilePath, side: str) -> str:
        """A side as it is written; one that there is not is a fault."""
        read_word(self.doc, path, "side", side, self.names)
        return side

    def id_of(self, path: FilePath, table: Any, letter: str) -> str:
        """A unit's id: the one given, or its side's letter with the next number; kept with its place in the file."""
        id: str = table.id
        if not id:
            taken = {*self.places, *(other.id for _, other in self.tables)}
            number = 1
            while f"{letter}{number}" in taken:
                number += 1
            id = f"{letter}{number}"
        read_name(self.doc, (*path, "id"), id, "g3")
        if id in self.places:
            self.doc.fault((*path, "id"), f'the id "{id}" twice', "a different id")
        self.places[id] = path
        return id

    def check_sides(self, head: msgspec.Struct, keys: Iterable[str]) -> None:
        """Note where a table of the head is about a side that there is not."""
        for key in keys:
            for side in getattr(head, key):
                self.side((key, side), side)

    def check_units(self, units: Mapping[str, Any], keys: Iterable[str]) -> None:
        """Note where a unit names another that there is not; a field may name several."""
        for unit in units.values():
            for key in keys:
                for name in getattr(unit, key).split():
                    if name not in units:
                        where = (*self.places[unit.id], key)
                        self.doc.fault(where, f'no unit "{name}"', f"one of {', '.join(units)}")
