"""Reading TOML and JSON so that every fault can name its file and line."""

from __future__ import annotations

import math
import re
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grognard.core.errors import Fault, MalformedError, VersionError

T = TypeVar("T")
Path_ = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"))*)\s*=")
_AT = re.compile(r" - at `\$?(.*)`$")


#: No file that people write is as large, in bytes; nor one that the program keeps.
MOST_WRITTEN, MOST_KEPT = 8 * 2**20, 128 * 2**20
#: No number in a file is larger, no text is longer, no name, and no table or list holds tables more deeply.
LARGEST, LONGEST, LONGEST_NAME, DEEPEST = 1_000_000, 100_000, 120, 40
#: What is a name, by its key.
NAMES = frozenset(("id", "name", "title", "kind", "side", "sides", "nation", "place", "date", "map", "phase"))
#: So many faults are gathered; nobody reads more.
GATHERED = 1000


def read_bounded(path: Path, most: int = MOST_KEPT) -> bytes:
    """The bytes of a file, or the fault that it cannot be read, or is larger than any such file."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MalformedError([Fault(str(path), 0, "", f"can't be read: {reason}", "an existing file")]) from None
    if len(data) > most:
        raise MalformedError([Fault(str(path), 0, "", f"larger than {most // 2**20} MB", "a smaller file")])
    return data


#: Held while data becomes records: msgspec learns a record type at its first use, and two threads that make it learn
#: the same type at once crash the program.
_LEARNING = threading.RLock()


def convert(data: Any, kind: type[T]) -> T:
    """Data as a typed value, in whichever thread; what does not fit is a ``msgspec.ValidationError``."""
    with _LEARNING:
        return msgspec.convert(data, kind, strict=True)


def read_kept(data: bytes, name: str, kind: type[T], format: str, version: int, what: str) -> T:
    """What the program wrote as JSON with its ``format`` and ``version`` on top; one of another version says so.

    ``what`` is the kind of file in words, such as "saved game".
    """
    try:
        head = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedError([Fault(name, 0, "", f"not a {what}: {error}")]) from None
    if not isinstance(head, dict) or head.get("format") != format:
        raise MalformedError([Fault(name, 0, "format", f"not a {what}", f'one begins with "{format}"')])
    if head.get("version") != version:
        right = f"this program reads version {version}"
        raise VersionError([Fault(name, 0, "version", f"a {what} of version {head.get('version')!r}", right)])
    try:
        return convert(head, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise MalformedError([Fault(name, 0, "", str(error))]) from None


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", dotted)]


def toml_lines(text: str) -> dict[Path_, int]:
    """The line on which each table, array element and key of a TOML text begins."""
    lines: dict[Path_, int] = {(): 1}
    counts: dict[Path_, int] = {}
    table: Path_ = ()

    def resolve(parts: list[str]) -> Path_:
        path: Path_ = ()
        for part in parts:
            path = (*path, part)
            if path in counts:
                path = (*path, counts[path] - 1)
        return path

    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            parts = _parts(header[2])
            if header[1] == "[[":
                path = (*resolve(parts[:-1]), parts[-1])
                counts[path] = counts.get(path, 0) + 1
                lines.setdefault(path, number)
                table = (*path, counts[path] - 1)
            else:
                table = resolve(parts)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            path = table
            for part in _parts(key[1]):
                path = (*path, part)
                lines.setdefault(path, number)
    return lines


#: A key of more than 61 parts. Numbers have dots too, but stand between commas or brackets.
_DOTTED = re.compile(
    r"""(?:^|[,\[\]{}=])(?:(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^.,\[\]{}="'\n])*+\.){61}""", re.MULTILINE
)


class Document:
    """A parsed file that remembers where things stand in it, and gathers faults.

    >>> doc = Document.from_toml('turns = "ten"', "demo.toml")
    >>> doc.convert(doc.data["turns"], int, "turns")
    >>> str(doc.faults[0])
    'demo.toml:1: turns: Expected `int`, got `str`'
    """

    def __init__(self, data: Any, name: str, lines: dict[Path_, int] | None = None) -> None:
        self.data, self.name, self.lines = data, name, lines or {}
        self.text = ""
        #: The texts of other files that this one needs, by name: those it was read with, or came with.
        self.files: dict[str, str] = {}
        self.faults: list[Fault] = []

    def fresh(self) -> Document:
        """The same file with no fault found yet, for another reader."""
        again = Document(self.data, self.name, self.lines)
        again.text, again.files = self.text, dict(self.files)
        return again

    @classmethod
    def from_toml(cls, text: str, name: str) -> Document:
        """Parse TOML; a syntax error is a fault with its line."""
        if found := _DOTTED.search(text):
            # The time that a key takes to be read grows with the square of its parts.
            line = text.count("\n", 0, found.start()) + 1
            raise MalformedError([Fault(name, line, "", "not valid TOML: a key has more than 60 dots")])
        try:
            data = tomllib.loads(text)
        except RecursionError:
            raise MalformedError([Fault(name, 0, "", "not valid TOML: nested too deeply")]) from None
        except ValueError as error:  # TOMLDecodeError, and numbers that Python will not read
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else text.count("\n") + 1
            raise MalformedError([Fault(name, line, "", f"not valid TOML: {error}")]) from None
        document = cls(data, name, toml_lines(text))
        document.text = text
        document.check_values()
        return document

    @classmethod
    def from_json(cls, text: str | bytes, name: str, *, check: bool = True) -> Document:
        """Parse JSON; a syntax error is a fault with its place. ``check`` looks at its values, too."""
        try:
            data = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise MalformedError([Fault(name, 0, "", f"not valid JSON: {error}")]) from None
        document = cls(data, name)
        document.text = text if isinstance(text, str) else text.decode("utf-8")
        if check:
            document.check_values()
        return document

    @classmethod
    def read(cls, path: Path) -> Document:
        """Read a .toml or a .json/.geojson file."""
        raw = read_bounded(path, MOST_WRITTEN)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            fault = Fault(str(path), 0, f"byte {error.start}", "not UTF-8 text", "save the file as UTF-8")
            raise MalformedError([fault]) from None
        if path.suffix in (".json", ".geojson", ".save"):
            return cls.from_json(text, str(path))
        return cls.from_toml(text, str(path))

    def line(self, path: Path_) -> int:
        """The line of the deepest known part of a path."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 0)

    def fault(self, place: str | Path_, wrong: str, right: str = "") -> None:
        """Note a fault at a path such as ``("unit", 3, "hex")`` or ``"map"``."""
        if len(self.faults) >= GATHERED:
            raise MalformedError(self.faults)
        path: Path_ = (place,) if isinstance(place, str) else place
        self.faults.append(Fault(self.name, self.line(path), spell(path), wrong, right))

    def convert(self, data: Any, kind: type[T], *path: str | int) -> T | None:
        """Data as a typed value, or None with the fault noted."""
        try:
            return convert(data, kind)
        except (msgspec.ValidationError, RecursionError) as error:
            message = str(error)
            inner: Path_ = ()
            if found := _AT.search(message):
                message = message[: found.start()]
                inner = tuple(
                    int(p) if p.isdigit() else p for p in re.findall(r"[A-Za-z0-9_]+", found[1].replace("...", ""))
                )
            self.fault((*path, *inner), message)
            return None

    def check_values(self) -> None:
        """Raise what no file can mean: numbers beyond any game, texts without end, and letters that are none."""
        for path, value in _leaves(self.data, ()):
            if wrong := _strange_value(path, value):
                self.fault(path, *wrong)
        self.check()

    def check(self) -> None:
        """Raise all the faults found so far, if any."""
        if self.faults:
            raise MalformedError(self.faults)


def _leaves(data: Any, path: Path_) -> Iterator[tuple[Path_, Any]]:
    """Every value of a file that is no table or list, and every key, with its place."""
    waiting: list[tuple[Path_, Any]] = [(path, data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, (dict, list)) and len(path) > DEEPEST:
            yield path[:3], value
        elif isinstance(value, dict):
            for key in value:
                yield (*path, "key"), key
            waiting += [((*path, key), each) for key, each in reversed(value.items())]
        elif isinstance(value, list):
            waiting += [((*path, index), value[index]) for index in range(len(value) - 1, -1, -1)]
        else:
            yield path, value


def _strange_value(path: Path_, value: Any) -> tuple[str, str] | None:
    """What is wrong with a value whatever it stands for, and what would be right."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a number", "a number"
    if isinstance(value, (int, float)) and abs(value) > LARGEST:
        shown = f"{float(value):.3g}" if abs(value) < 1e300 else "a number of hundreds of digits"
        return f"{shown} is too large", f"at most {LARGEST:,}"
    if isinstance(value, (dict, list)):
        return "nested too deeply", f"at most {DEEPEST} levels"
    if not isinstance(value, str):
        return None
    named = next((part for part in reversed(path) if isinstance(part, str)), "")
    most = LONGEST_NAME if named in NAMES or named == "key" else LONGEST
    if len(value) > most:
        what = "a name" if most == LONGEST_NAME else "a text"
        return f"{what} of {len(value):,} letters", f"at most {most:,}"
    if any((ord(letter) < 32 and letter not in "\n\r\t") or 127 <= ord(letter) < 160 for letter in value):
        return f"unprintable characters: {value!r:.60}", "printable characters"
    return None


def spell(path: Path_) -> str:
    """A path as people write it: ``unit[3].hex``."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text
