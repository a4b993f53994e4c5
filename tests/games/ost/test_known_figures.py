"""The figures of the charts, the counters and the Luck cards are these: known_figures.txt has them all once more.

Whoever changes a figure on purpose changes it there too: ``python -m tests.games.ost.test_known_figures`` writes the
file anew, and the difference is there to be read.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grognard.games.ost.roster import FOLDER

KNOWN = Path(__file__).parent / "known_figures.txt"
FILES = ("charts.toml", "units.toml")


def words(value: Any, path: str = "") -> Iterator[str]:
    """Every number and every switch of an entry as ``path=value``."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from words(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and all(isinstance(each, list | dict) for each in value):
        for number, inner in enumerate(value):
            yield from words(inner, f"{path}.{number}")
    elif isinstance(value, list) and not any(isinstance(each, str) for each in value):
        yield f"{path}={'/'.join(map(str, value))}"
    elif isinstance(value, list) and path.startswith("rows"):
        yield f"{path}={'/'.join(str(each) or '-' for each in value)}"
    elif isinstance(value, int | float):
        yield f"{path}={value}"


def entries(file: str) -> Iterator[str]:
    """A file's figures, an entry a line."""
    for name, table in tomllib.loads((FOLDER / file).read_text(encoding="utf-8")).items():
        if isinstance(table, list):
            for entry in table:
                yield " ".join([f"{name} {entry['id']}:", *words(entry)])
            continue
        lists = {key: value for key, value in table.items() if isinstance(value, list) and isinstance(value[:1], list)}
        inner = {key: value for key, value in table.items() if key not in lists or not _entries(value)}
        if found := list(words(inner)):
            yield " ".join([f"{name}:", *found])
        for key, value in lists.items():
            if _entries(value):
                for entry in value:
                    yield " ".join([f"{name}.{key} {entry['id']}:", *words(entry)])


def _entries(value: list[Any]) -> bool:
    return bool(value) and isinstance(value[0], dict)


def all_figures() -> list[str]:
    """The figures of all files."""
    return [line for file in FILES for line in entries(file)]


def test_every_figure_is_as_it_is_known() -> None:
    known, found = KNOWN.read_text(encoding="utf-8").splitlines(), all_figures()
    assert [line for line in found if line not in known] == []
    assert found == known, "in the same order, and none is missing"
    assert sum(line.count("=") for line in found) > 2000


if __name__ == "__main__":
    KNOWN.write_text("\n".join(all_figures()) + "\n", encoding="utf-8")
