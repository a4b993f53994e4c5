"""A game's units with a user's own laid over them, and one unit with figures of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from platformdirs import user_data_path

from grognard.core.charts import compare_shape, merge
from grognard.core.files import Document
from grognard.core.read_tables import FilePath, did_you_mean, each_record

K = TypeVar("K", bound=msgspec.Struct)
#: What makes a unit the one that it is: nothing that a single counter could have otherwise.
FIXED = ("id", "kind", "nation", "provenance")
#: Where the figures of a user's own file come from.
YOURS = "yours"


def user_units(game: str) -> Path:
    """Where a user's own units of a game lie, if there are any."""
    return user_data_path("grognard", appauthor=False) / game / "units.toml"


@cache
def entries(folder: Path, table: str = "unit") -> list[dict[str, Any]]:
    """The units of a game's own file, as they stand there."""
    found: list[dict[str, Any]] = Document.read(folder / "units.toml").data[table]
    return found


def read_units(
    folder: Path, kind: type[K], theirs: Document | None = None, faults: Callable[[K], Iterable[str]] = lambda _: ()
) -> dict[str, K]:
    """The units of a game by id, with those of a user's document laid over them; or all the faults of either.

    An entry with the id of one of ours replaces the figures that it names; one with a new id is a unit of its own.
    """
    found = read_unit_table(folder, kind, theirs, faults, "unit", ("unit",))
    if theirs is not None:
        theirs.check()
    return found


def read_unit_table(
    folder: Path,
    kind: type[K],
    theirs: Document | None,
    faults: Callable[[K], Iterable[str]],
    table: str,
    tables: tuple[str, ...],
) -> dict[str, K]:
    """One of the ``tables`` that a game's units stand in, such as stands and the platoons made of them.

    The faults of a user's document are noted in it, so that those of all its tables can be told together.
    """
    ours = entries(folder, table)
    found: dict[str, K] = {}
    document = Document.read(folder / "units.toml")
    _convert(document, [((table, number), entry) for number, entry in enumerate(ours)], kind, found, faults)
    document.check()
    if theirs is not None:
        data = theirs.data if isinstance(theirs.data, dict) else {}
        for key in data if table == tables[0] else ():
            if key not in (*tables, "game"):
                theirs.fault(key, f'unknown key "{key}"', " and ".join(f"[[{each}]]" for each in tables) + " tables")
        _convert(theirs, _laid_over(theirs, table, data.get(table, []), ours), kind, found, faults)
    return found


def _convert(
    doc: Document,
    items: Iterable[tuple[FilePath, dict[str, Any]]],
    kind: type[K],
    found: dict[str, K],
    faults: Callable[[K], Iterable[str]],
) -> None:
    seen: set[str] = set()
    for path, entry in items:
        unit = doc.convert(entry, kind, *path)
        if unit is None:
            continue
        id = entry["id"]
        if id in seen:
            doc.fault((*path, "id"), f"{path[0]} {id} appears twice", "one entry for each")
        seen.add(id)
        found[id] = unit
        for wrong in faults(unit):
            doc.fault(path, wrong)


def _laid_over(
    doc: Document, table: str, theirs: Any, ours: list[dict[str, Any]]
) -> list[tuple[FilePath, dict[str, Any]]]:
    """Each entry of a user's table, with what it leaves out taken from ours of the same id."""
    known = {entry["id"]: entry for entry in ours}
    found: list[tuple[FilePath, dict[str, Any]]] = []
    for path, entry in each_record(doc, (table,), theirs):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            doc.fault(path, f"a {table} without id", f'id = "{ours[0]["id"]}" changes the figures of that {table}')
            continue
        before = len(doc.faults)
        _check(doc, path, entry, ours)
        if entry["id"] not in known:
            _check_new(doc, path, entry, ours)
        if len(doc.faults) == before:
            found.append((path, {**merge(known.get(entry["id"], {}), entry), "provenance": YOURS}))
    return found


def _check(doc: Document, path: FilePath, entry: dict[str, Any], ours: list[dict[str, Any]]) -> None:
    """Note where figures have another shape than those of our units."""
    for key, value in entry.items():
        samples = [each[key] for each in ours if key in each]
        if samples:
            compare_shape(doc, (*path, key), value, samples)
            _check_signs(doc, (*path, key), value)
        else:
            doc.fault((*path, key), f'unknown key "{key}"', did_you_mean(key, {k for each in ours for k in each}))


def _check_signs(doc: Document, path: FilePath, value: Any) -> None:
    """Note every figure below nothing: no counter has one."""
    if isinstance(value, int | float) and value < 0:
        doc.fault(path, f"{value} is less than 0", "0 or more")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        _check_signs(doc, (*path, key), each)


def _check_new(doc: Document, path: FilePath, entry: dict[str, Any], ours: list[dict[str, Any]]) -> None:
    """Note what a unit that is none of ours lacks of what every unit has."""
    for key, sample in ours[0].items():
        if key not in entry and key != "provenance" and all(key in each for each in ours):
            missing = f'"{key}" is missing: {entry["id"]} is not one of our {path[0]}s'
            doc.fault(path, missing, f"{key} = {sample!r:.60}")


def with_figures(
    doc: Document,
    path: FilePath,
    folder: Path,
    kind: K,
    figures: dict[str, Any],
    faults: Callable[[K], Iterable[str]] = lambda _: (),
) -> K | None:
    """A unit's type with some figures of its own, under an id of its own; None with the faults noted."""
    before = len(doc.faults)
    for key in figures:
        if key in FIXED:
            doc.fault((*path, key), f'"{key}" can\'t be changed', "figures such as move = 5")
    _check(doc, path, {key: value for key, value in figures.items() if key not in FIXED}, entries(folder))
    if len(doc.faults) > before:
        return None
    base: dict[str, Any] = msgspec.to_builtins(kind)
    mark = blake2b(msgspec.json.encode(figures), digest_size=4).hexdigest()  # equal figures, equal ids: memories by id
    made = doc.convert({**merge(base, figures), "id": f"{base['id']}@{mark}"}, type(kind), *path)
    for wrong in faults(made) if made is not None else ():
        doc.fault(path, wrong)
    return made
