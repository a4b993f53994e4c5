"""Reading the tables of a file into records, so that every fault in them is told at once."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from grognard.core.files import Document

T = TypeVar("T", bound=msgspec.Struct)
#: How many of something, in a file: no game counts further.
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
Score = Annotated[int, msgspec.Meta(ge=-9999, le=9999)]
#: Where something stands in a file, such as ``("unit", 3, "kind")``.
FilePath = tuple[str | int, ...]
#: How names and ids are written.
NAME = re.compile(r"[a-z][a-z0-9_]*")


def did_you_mean(word: str, known: Iterable[object]) -> str:
    """What would be right instead of an unknown word: the nearest known one, or all of them."""
    words = sorted(str(each) for each in known)
    near = difflib.get_close_matches(word, words, 1)
    return f'did you mean "{near[0]}"?' if near else f"known: {', '.join(words)}"


def check_word(doc: Document, path: FilePath, what: str, word: Any, known: Iterable[object]) -> None:
    """Note a fault unless a word is among the known ones; what is no word at all is left to others."""
    known = set(known)
    if isinstance(word, (str, int)) and word not in known:
        doc.fault(path, f'unknown {what} "{word}"', did_you_mean(str(word), known))


def read_word(doc: Document, path: FilePath, what: str, word: Any, known: Iterable[object]) -> bool:
    """Whether a word is one of those known; if not, the fault is noted."""
    before = len(doc.faults)
    check_word(doc, path, what, word, known)
    return len(doc.faults) == before


def read_name(doc: Document, path: FilePath, name: str, example: str) -> bool:
    """Whether a name or an id is one that others can write; if not, the fault is noted."""
    if NAME.fullmatch(name):
        return True
    doc.fault(path, f'"{name}" is not a name', f"small letters, digits and _, such as {example}")
    return False


def read_record(
    doc: Document, path: FilePath, data: Any, kind: type[T], instead: Mapping[str, Any] | None = None
) -> T | None:
    """A table as a Struct; each unknown key, missing key and wrong value is its own fault.

    None if it has faults; unless ``instead`` has something to go on with for each key that must be there, so
    that the faults of the rest are found too.
    """
    if not isinstance(data, dict):
        doc.fault(path, f"{data!r} instead of a table", f"a [{path[-1] if path else ''}] table")
        return None
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    before = len(doc.faults)
    for key in data:
        if key not in fields:
            doc.fault((*path, key), f'unknown key "{key}"', did_you_mean(key, fields))
    values = {}
    for key, field in fields.items():
        if key in data:
            faults = len(doc.faults)
            value = doc.convert(data[key], field.type, *path, key)
            if len(doc.faults) == faults:
                values[field.name] = value
        elif field.required:
            doc.fault(path, f'"{key}" is missing', f"{key} = ...")
    if len(doc.faults) > before and instead is None:
        return None
    return kind(**{**(instead or {}), **values})


def read_whole(doc: Document, kind: type[T], instead: Mapping[str, Any] | None = None) -> T:
    """What stands at the top of a file as a Struct, its faults noted; a file that is no table at all is refused."""
    found = read_record(doc, (), doc.data, kind, instead or {})
    if found is None:
        doc.check()
        raise AssertionError("what is no table has a fault")
    return found


def each_record(doc: Document, path: FilePath, data: Any) -> Iterator[tuple[FilePath, Any]]:
    """The tables of an array of tables, with their places."""
    if not isinstance(data, list):
        doc.fault(path, f"{data!r} instead of tables", f"[[{'.'.join(map(str, path))}]]")
        return
    for index, item in enumerate(data):
        yield (*path, index), item
