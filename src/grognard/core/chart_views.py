"""The tables of a game's charts file as people read them: rows and columns of text, with where each comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from grognard.core.aids import ChartView

#: What is told beside a table, not in it.
_HEAD = ("provenance", "rule", "note")
USER = "user"
#: A column that fewer of the rows have is told in the last column instead.
_COMMON = 1 / 3


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people call a chart, the rule or section that uses it, and a word on reading it."""

    title: str
    rule: str = ""
    note: str = ""


def chart_views(
    tables: Mapping[str, Any], headings: Mapping[str, Heading], user_tables: list[str], user_file: str = ""
) -> list[ChartView]:
    """Every table that has a heading, in the order of the headings; ``user_tables`` are the user's own.

    A table may be a grid of ``rows`` under ``columns``, entries by name with much the same keys, or plain figures;
    lists of entries inside it become charts of their own.
    """
    found = []
    for id, heading in headings.items():
        name, _, inner = id.partition(".")
        table = tables[name][inner] if inner else tables[name]
        found.append(_view(id, heading, table, name in user_tables, user_file))
    return found


def _view(id: str, heading: Heading, table: Any, user: bool, user_file: str) -> ChartView:
    entries: Mapping[str, Any] = table if isinstance(table, dict) else {}
    rule = heading.rule or str(entries.get("rule", "")).split(",")[0]
    provenance, note = str(entries.get("provenance", "")), heading.note
    if not provenance:
        provenance, note = _mixed(table, note)
    if "columns" in entries and "rows" in entries:
        columns, rows = _grid(entries)
    elif isinstance(table, list):
        columns, rows = _entries({str(entry.get("id", number)): entry for number, entry in enumerate(table, 1)})
    elif all(isinstance(entry, dict) for key, entry in entries.items() if key not in _HEAD):
        columns, rows = _entries({key: entry for key, entry in entries.items() if key not in _HEAD})
    else:
        columns, rows = ["what", "value"], list(_figures(entries))
    return ChartView(
        id=id,
        title=heading.title,
        provenance=USER if user else provenance,
        columns=columns,
        rows=rows,
        rule=rule,
        note=note,
        source=user_file if user else "",
    )


def _mixed(table: Any, note: str) -> tuple[str, str]:
    """Where a table of entries comes from: what most of them say, and a note of the others."""
    named = table.items() if isinstance(table, dict) else ((str(e.get("label") or e.get("id", "")), e) for e in table)
    sources: dict[str, list[str]] = {}
    for name, entry in named:
        if isinstance(entry, dict):
            sources.setdefault(str(entry.get("provenance", "")), []).append(words(name))
    main = max(sources, key=lambda source: len(sources[source]), default="")
    others = [f"{source}: {', '.join(dict.fromkeys(names))}" for source, names in sources.items() if source != main]
    return main, ". ".join(filter(None, (note, *others)))


def _grid(table: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    first = table.get("first_roll", 1)
    columns = [str(table.get("dice", "")), *map(str, table["columns"])]
    rows = [[str(first + number), *(say(cell) for cell in row)] for number, row in enumerate(table["rows"])]
    return columns, rows


def _entries(entries: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Entries with much the same keys: a row for each, what few of them have in a last column."""
    flat = {name: dict(_flat(entry)) for name, entry in entries.items()}
    counts: dict[str, int] = {}
    for entry in flat.values():
        for key in entry:
            counts[key] = counts.get(key, 0) + 1
    common = [key for key, count in counts.items() if count > len(flat) * _COMMON and key != "rule"]
    rest = [key for key in counts if key not in common and key != "rule"]
    columns = ["what", *map(words, common), *(["also"] if rest else []), *(["rule"] if "rule" in counts else [])]
    rows = []
    for name, entry in flat.items():
        row = [entry.pop("label", "") or words(name), *(say(entry.get(key)) for key in common if key != "label")]
        if rest:
            row.append("; ".join(f"{words(key)}: {say(entry[key])}" for key in rest if key in entry))
        if "rule" in counts:
            row.append(say(entry.get("rule")))
        rows.append(row)
    return [column for column in columns if column != "label"], rows


def _flat(entry: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in entry.items():
        if key in ("provenance", "id") or key.endswith("_rule"):
            continue
        if isinstance(value, dict):
            yield from ((f"{key} {inner}", each) for inner, each in _flat(value))
        else:
            yield key, value


def _figures(table: Mapping[str, Any]) -> Iterator[list[str]]:
    """Plain figures in two columns; tables within it are told by both names."""
    for key, value in table.items():
        if key in _HEAD or _is_entries(value):
            continue
        if isinstance(value, dict):
            yield from ([f"{words(key)}: {name}", text] for name, text in _figures(value))
        else:
            yield [words(key), say(value)]


def _is_entries(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def words(name: str) -> str:
    """A key as people read it."""
    return name.replace("_", " ")


def say(value: Any) -> str:
    """A value of a table as text."""
    if value is None or value == "" or value == []:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(say, value))
    if isinstance(value, float):
        return f"{value:g}"
    return words(value) if isinstance(value, str) else str(value)
