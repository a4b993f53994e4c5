"""How things look, from ``styles.toml``: looked up by the kind's name, with a fallback for any other."""

from __future__ import annotations

import tomllib
import zlib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def styles() -> dict[str, Any]:
    """The table of styles."""
    return tomllib.loads(files("grognard.board").joinpath("styles.toml").read_text("utf-8"))


@cache
def style(table: str, kind: str) -> dict[str, Any]:
    """The style of a kind, of the last of its words that has one, or the table's fallback.

    >>> style("terrain", "dense_woods")["letter"]
    'W'
    """
    known: dict[str, dict[str, Any]] = styles()[table]
    for name in (kind, *reversed(kind.lower().replace("-", "_").replace(" ", "_").split("_"))):
        # Plural or singular is a matter of taste.
        for spelling in (name, name.removesuffix("s"), f"{name}s"):
            if spelling in known:
                return known[spelling]
    return known["fallback"]


def side_colour(side: str) -> str:
    """The colour of a side's counters; a side unknown here always gets the same one of the palette."""
    table: dict[str, Any] = styles()["side"]
    found = table.get(side.lower())
    if isinstance(found, str):
        return found
    palette: list[str] = table["palette"]
    return palette[zlib.crc32(side.encode()) % len(palette)]


def level_colour(level: int) -> str:
    """The colour of open ground on a level."""
    table = styles()["levels"]
    colours: list[str] = table["colours"]
    lowest: int = table["lowest"]
    return colours[max(0, min(len(colours) - 1, level - lowest))]


def ink_on(colour: str) -> str:
    """Black or white, whichever reads better on a ``#rrggbb`` colour."""
    try:
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    except ValueError:
        return "#000000"
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 110 else "#ffffff"
