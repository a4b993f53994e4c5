"""Faults in figures: one number of a game's data changed by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mutants.faults import Fault

#: A whole or decimal number that stands by itself: not in a word, a date, a rule's id or a string.
NUMBER = re.compile(r"(?<![\w.\"-])(\d+)(\.\d+)?(?![\w.\"])")
#: What a file says about itself.
ABOUT = re.compile(r"^\s*(?:\[|#|(?:rule|rules|provenance|note|text|version|years|since|until)\s*=)")
HEADING = re.compile(r"^\s*\[+([^\]]+)\]+")
NAME = re.compile(r'^\s*id\s*=\s*"([^"]+)"')


def figures_of(path: Path) -> Iterator[Fault]:
    """Every figure of a file, a little more than it should be, and a little less where that is still a number."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    where = ""
    for at, line in enumerate(lines):
        if found := HEADING.match(line):
            where = found[1].strip()
        if found := NAME.match(line):
            where = found[1]
        if ABOUT.match(line):
            continue
        code, strings = _without_strings(line)
        for found in NUMBER.finditer(code):
            for by in (1, -1):
                value = int(found[1]) + by
                if value < 0:
                    continue
                changed = code[: found.start()] + f"{value}{found[2] or ''}" + code[found.end() :]
                after = _with_strings(changed, strings)
                text = "".join([*lines[:at], after, *lines[at + 1 :]])
                yield Fault("figure", path, at + 1, where, line.strip(), after.strip(), text)


def _without_strings(line: str) -> tuple[str, list[str]]:
    """A line with its strings and its comment taken out, as marks that hold no digit."""
    strings: list[str] = []

    def keep(found: re.Match[str]) -> str:
        strings.append(found[0])
        return "\0"

    return re.sub(r'"[^"]*"|#.*', keep, line), strings


def _with_strings(code: str, strings: list[str]) -> str:
    rest = iter(strings)
    return re.sub("\0", lambda _: next(rest), code)
