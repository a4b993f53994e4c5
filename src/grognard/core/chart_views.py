"""The tables of a game's charts file as people read them: rows and columns of text, with where each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from grognard.core.aid_views import ChartView
from grognard.core.bands import Band
from grognard.core.sixths import say_fraction

#: What is told beside a table, not in it.
_HEAD = ("provenance", "rule", "note")
#: By key, what is said of single entries of a table whose source is another; one of them says what is left out.
_OTHER_SOURCES = {
    "rulebook_keys": "rulebook",
    "rulebook_points": "rulebook",
    "published_keys": "published",
    "scenario_keys": "set by the scenario",
    "rulebook_absent": "",
}
#: A list of bands, of ranges or of columns is known by what its entries begin and end with.
_ENDS = (("from", "to"), ("lo", "hi"), ("min", "max"))
_FRACTION = re.compile(r"^\d+/\d+$")
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

    A table may be a grid of ``rows`` under ``columns``, bands of rolls, figures by ranges, entries by name with much
    the same keys, or plain figures. Lists of entries inside it become charts of their own, and so do tables in tables:
    their heading is "outer.inner".
    """
    found = []
    for id, heading in headings.items():
        name, *inner = id.split(".")
        table, source = tables[name], str(tables[name].get("provenance", ""))
        for key in inner:
            table = table[key]
            source = str(table.get("provenance", "")) or source if isinstance(table, dict) else source
        found.append(_view(id, heading, table, source, name in user_tables, user_file))
    return found


def _view(id: str, heading: Heading, table: Any, source: str, user: bool, user_file: str) -> ChartView:
    entries: Mapping[str, Any] = table if isinstance(table, dict) else {}
    rule = heading.rule or str(entries.get("rule", "")).split(",")[0]
    provenance, note = str(entries.get("provenance", "")), heading.note
    if not provenance:
        provenance, note = _mixed(table, note)
        provenance = provenance or source
    others = [f"{says}: {say(entries[key])}" for key, says in _OTHER_SOURCES.items() if says and entries.get(key)]
    note = ". ".join(filter(None, (note, *others)))
    entries = {key: value for key, value in entries.items() if key not in _OTHER_SOURCES}
    plain = {key: value for key, value in entries.items() if key not in _HEAD}
    if (banded := _banded(table, plain)) is not None:
        columns, rows = banded
    elif "columns" in entries and "rows" in entries:
        columns, rows = _grid(entries)
    elif _is_grid_by_name(plain):
        columns = ["", *map(str, plain["columns"])]
        rows = [[words(key), *map(say, row)] for key, row in plain.items() if key != "columns"]
    elif isinstance(table, list):
        columns, rows = _entries({str(entry.get("id", number)): entry for number, entry in enumerate(table, 1)})
    elif all(isinstance(entry, dict) for entry in plain.values()):
        columns, rows = _entries(plain)
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


def _banded(table: Any, plain: Mapping[str, Any]) -> tuple[list[str], list[list[str]]] | None:
    """Bands and ranges as rows: a chart of bands has a column for each result, with the rolls that give it."""
    only: Any = next(iter(plain.values())) if len(plain) == 1 else None
    entries: Any = table if isinstance(table, list) else only
    if (ends := _ends_of(entries)) == ("lo", "hi"):
        return _bands({_span(entry, ends): entry["bands"] for entry in entries})
    if ends == ("from", "to"):
        return _bands({"": entries})
    if ends == ("min", "max"):
        keys = list(dict.fromkeys(key for entry in entries for key in entry if key not in ends))
        return ["", *map(words, keys)], [
            [_span(entry, ends), *(say(entry.get(key)) for key in keys)] for entry in _from_the_last(entries)
        ]
    banded = {words(key): value for key, value in plain.items() if _ends_of(value) == ("from", "to")}
    return _bands(banded) if banded and all(map(_is_entries, plain.values())) else None


def _bands(rows: Mapping[str, list[dict[str, Any]]]) -> tuple[list[str], list[list[str]]]:
    results = list(dict.fromkeys(str(band["result"]) for bands in rows.values() for band in bands))
    found = []
    for name, bands in rows.items():
        spans: dict[str, list[str]] = {}
        for band in bands:
            spans.setdefault(str(band["result"]), []).append(_span(band, ("from", "to")))
        found.append([name, *(", ".join(spans.get(result, [])) or "–" for result in results)])
    return ["", *map(say, results)], found


def _ends_of(value: Any) -> tuple[str, str] | None:
    """What the entries of a list of bands, ranges or columns begin and end with; a range may say its end alone."""
    if not _is_entries(value):
        return None
    for ends in _ENDS:
        wanted = ends if ends != ("min", "max") else ("max",)
        if all(key in entry for key in wanted for entry in value):
            return ends
    return None


def _from_the_last(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Ranges with both ends: one that says only where it ends begins after the one before it."""
    following = 0
    for entry in entries:
        yield {"min": following, **entry}
        following = entry["max"] + 1


def _span(entry: Mapping[str, Any], ends: tuple[str, str]) -> str:
    return Band(entry[ends[0]], entry[ends[1]], None).say()


def _is_grid_by_name(table: Mapping[str, Any]) -> bool:
    """Whether a table has columns and a row of as many cells by each other name."""
    columns = table.get("columns")
    return isinstance(columns, list) and all(
        isinstance(row, list) and len(row) == len(columns) for key, row in table.items() if key != "columns"
    )


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
    if isinstance(value, str) and _FRACTION.match(value):
        return say_fraction(value)
    return words(value) if isinstance(value, str) else str(value)
