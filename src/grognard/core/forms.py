"""Forms: fields with values that are read strictly, every fault of a form at once.

A client knows kinds of fields and draws an editor for each; what a field means is the game's business. A form is a
dictionary by the ids of its fields, and travels as JSON of a fixed spelling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

import msgspec

from grognard.core.read_tables import did_you_mean

Kind = Literal["text", "choice", "number", "units", "place", "places", "route", "line", "rows"]
Form = dict[str, Any]
#: Where something stands in a form: ids of fields, and numbers of rows and places counted from 0.
Where = tuple[str | int, ...]

#: A text has so many characters, and a list so many entries, unless its field says otherwise.
LONGEST_TEXT, MOST_ENTRIES = 200, 400
#: So many faults are told; who mends these will see the rest.
TOLD = 40
#: The kinds whose values are lists of words.
LISTS = ("units", "places", "route", "line")


class FieldChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A word that a field may have, and what people call it."""

    word: str
    title: str = ""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field of a form: what a client needs to draw an editor for it.

    ``kind`` is a text, one of the ``choices``, a number, units (ids out of the ``choices``), a place, places (an area
    to paint), a route (places in order, to trace), a line (likewise, such as a boundary) or rows of further ``fields``.
    ``least`` and ``most`` bound a number, or how many characters, entries or rows there are (0 for the usual). What is
    not ``required`` may be left out; ``default`` is what an editor begins with.
    """

    id: str
    title: str
    kind: Kind
    choices: tuple[FieldChoice, ...] = ()
    least: int = 0
    most: int = 0
    required: bool = True
    default: Any = None
    rule: str = ""
    help: str = ""
    fields: tuple[Field, ...] = ()

    @property
    def words(self) -> list[str]:
        """The words to choose from."""
        return [choice.word for choice in self.choices]


class DraftView(msgspec.Struct, omit_defaults=True):
    """Something to draw or to fill in: its fields, and the answer that an editor begins with.

    The answer is the verb, a space, and the form as JSON by the ids of the fields. What a form comes to is in its
    preview.
    """

    verb: str
    label: str
    fields: list[Field]
    start: str
    rule: str = ""


class FormFault(NamedTuple):
    """Something wrong with a form: where, what, and what would be right."""

    where: Where
    wrong: str
    right: str = ""


def place_in(where: Where) -> str:
    """Where something stands in a form, as people read it: rows and places are counted from 1.

    >>> place_in(("group", 0, "route", 2)), place_in(())
    ('group[1].route[3]', '')
    """
    text = ""
    for part in where:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def where_of(place: str) -> Where:
    """The place that ``place_in`` tells.

    >>> where_of("group[1].route[3]"), where_of("")
    (('group', 0, 'route', 2), ())
    """
    found = re.findall(r"[^.\[\]]+|\[\d+\]", place)
    return tuple(int(part[1:-1]) - 1 if part[0] == "[" else part for part in found)


def start_of(fields: Iterable[Field]) -> Form:
    """The form that an editor begins with: the defaults of its fields."""
    return {field.id: field.default for field in fields if field.default is not None}


def write_form(form: Form) -> str:
    """A form as JSON: keys in order, no spaces, ASCII alone.

    >>> write_form({"width": 3, "route": ["A1", "B2"]})
    '{"route":["A1","B2"],"width":3}'
    """
    return json.dumps(form, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def read_json(text: str) -> tuple[Form | None, str]:
    """The table that a text of JSON is, or None and why it is none."""

    def once(pairs: list[tuple[str, Any]]) -> Form:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
            raise ValueError(f'"{twice}" twice')
        return found

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not a number")

    try:
        value = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except RecursionError:
        return None, "nested too deeply"
    except ValueError as error:
        return None, f"not JSON: {error}"
    return (value, "") if isinstance(value, dict) else (None, "not a table of fields")


def check_form(fields: Sequence[Field], value: Any, places: Container[str]) -> tuple[Form, list[FormFault]]:
    """The part of a form that can be used, and everything wrong with the rest.

    Whatever has a fault is left out of the form, so that the game can judge what is left.
    """
    checker = _Checker(places)
    form = checker.table((), fields, value)
    return form, checker.faults[:TOLD]


class _Checker:
    """Reads values by their fields."""

    def __init__(self, places: Container[str]) -> None:
        self.places = places
        self.faults: list[FormFault] = []

    def fault(self, where: Where, wrong: str, right: str = "") -> None:
        if len(self.faults) < TOLD:
            self.faults.append(FormFault(where, wrong, right))

    def table(self, where: Where, fields: Sequence[Field], value: Any) -> Form:
        if not isinstance(value, dict):
            self.fault(where, f"{_short(value)} instead of fields", "a table with " + ", ".join(f.id for f in fields))
            return {}
        known = {field.id: field for field in fields}
        for key in value:
            if key not in known:
                self.fault((*where, key), f"unknown field {_short(key)}", did_you_mean(str(key), known))
        found = {}
        for field in fields:
            place = (*where, field.id)
            if field.id not in value:
                if field.required:
                    self.fault(place, f"no {field.title.lower()}", self.right(field))
                continue
            before = len(self.faults)
            read = self.value(place, field, value[field.id])
            if len(self.faults) == before or field.kind in (*LISTS, "rows"):
                found[field.id] = read
        return found

    def value(self, where: Where, field: Field, value: Any) -> Any:
        if field.kind == "rows":
            return self.rows(where, field, value)
        if field.kind in LISTS:
            return self.words(where, field, value)
        if field.kind == "number":
            return self.number(where, field, value)
        if not isinstance(value, str):
            self.fault(where, f"{_short(value)} instead of a text", self.right(field))
        elif field.kind == "text":
            self.text(where, field, value)
        else:
            self.word(where, field, value)
        return value

    def number(self, where: Where, field: Field, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(where, f"{_short(value)} instead of a whole number", self.right(field))
        elif not field.least <= value <= (field.most or value):
            self.fault(where, f"{field.title.lower()} {_short(value)}", self.right(field))
        return value

    def text(self, where: Where, field: Field, value: str) -> None:
        most = field.most or LONGEST_TEXT
        if len(value) > most:
            self.fault(where, f"{len(value)} characters", f"at most {most}")
        elif not value.isprintable():
            self.fault(where, "characters that cannot be printed", "one line of text")
        elif field.required and not value.strip():
            self.fault(where, f"no {field.title.lower()}", self.right(field))

    def word(self, where: Where, field: Field, value: str) -> bool:
        """Whether a word is one that a field can have; if not, the fault is noted."""
        if field.kind in ("choice", "units"):
            if value in field.words:
                return True
            what = "unit" if field.kind == "units" else field.title.lower()
            self.fault(where, f"no {what} {_short(value)}", did_you_mean(value, field.words))
        elif value in self.places:
            return True
        else:
            self.fault(where, f"{_short(value)} is not a place of this map", "places as the map names them")
        return False

    def words(self, where: Where, field: Field, value: Any) -> list[str]:
        if not isinstance(value, list):
            self.fault(where, f"{_short(value)} instead of a list", self.right(field))
            return []
        self.count(where, field, len(value))
        found: list[str] = []
        for index, each in enumerate(value[: self.most(field)]):
            place = (*where, index)
            if not isinstance(each, str):
                self.fault(place, f"{_short(each)} instead of a name", self.right(field))
            elif field.kind in ("units", "places") and each in found:
                self.fault(place, f"{_short(each)} twice", "each once")
            elif self.word(place, field, each):
                found.append(each)
        return found

    def rows(self, where: Where, field: Field, value: Any) -> list[Form]:
        if not isinstance(value, list):
            self.fault(where, f"{_short(value)} instead of rows", self.right(field))
            return []
        self.count(where, field, len(value))
        return [self.table((*where, index), field.fields, each) for index, each in enumerate(value[: self.most(field)])]

    def most(self, field: Field) -> int:
        return field.most or MOST_ENTRIES

    def count(self, where: Where, field: Field, count: int) -> None:
        least = max(field.least, 1 if field.required else 0)
        if not least <= count <= self.most(field):
            self.fault(where, f"{count} {'rows' if field.kind == 'rows' else 'entries'}", self.right(field))

    def right(self, field: Field) -> str:
        """What a field wants."""
        if field.kind == "choice":
            return f"one of {', '.join(field.words)}"
        if field.kind == "number":
            return f"{field.least} to {field.most}" if field.most else f"a whole number from {field.least}"
        if field.kind == "text":
            return f"a text of at most {field.most or LONGEST_TEXT} characters"
        if field.kind == "place":
            return "a place of the map"
        what = "rows" if field.kind == "rows" else "units" if field.kind == "units" else "places"
        return f"a list of {max(field.least, 1 if field.required else 0)} to {self.most(field)} {what}"


def _short(value: Any) -> str:
    """A value as a fault tells it, however long it is."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def sample_form(fields: Sequence[Field], rng: Random, places: Sequence[str]) -> Form:
    """A form with something in most fields, well made but without sense: what a fuzzer begins with."""
    return {field.id: _sample(field, rng, places) for field in fields if field.required or rng.random() < 0.6}


def _sample(field: Field, rng: Random, places: Sequence[str]) -> Any:
    if field.kind == "rows":
        count = rng.randint(max(field.least, 1 if field.required else 0), min(field.most or 3, 3))
        return [sample_form(field.fields, rng, places) for _ in range(count)]
    if field.kind in LISTS:
        words = field.words if field.kind == "units" else places
        least = max(field.least, 1 if field.required else 0)
        count = min(len(words), rng.randint(least, max(least, min(field.most or 5, 5))))
        return rng.sample(list(words), count)
    if field.kind == "number":
        return rng.randint(field.least, field.most or field.least + 9)
    if field.kind == "text":
        return "".join(rng.choice("abc xyz") for _ in range(rng.randint(1, 12))).strip() or "x"
    words = field.words if field.kind == "choice" else places
    return rng.choice(list(words)) if words else ""


def spoil(form: Form, rng: Random) -> Form:
    """A form with one thing changed, left out or put in: near misses for a fuzzer."""
    found: Form = json.loads(write_form(form))
    tables = [found]
    for table in tables:
        tables += [row for value in table.values() if isinstance(value, list) for row in value if isinstance(row, dict)]
    table = rng.choice(tables)
    keys = list(table)
    what = rng.randrange(5) if keys else 0
    if what == 0:
        table[rng.choice(["nonsense", "", "id"])] = 1
        return found
    key = rng.choice(keys)
    if what == 1:
        del table[key]
    elif what == 2:
        table[key] = rng.choice([None, True, -1, 10**9, "", "Z99", [], {}, [[]], ["Z99"], "x" * 300])
    elif isinstance(table[key], list) and table[key]:
        table[key] = (
            [*table[key], rng.choice(table[key])] if what == 3 else table[key][: rng.randrange(len(table[key]))]
        )
    else:
        table[key] = [table[key]]
    return found
