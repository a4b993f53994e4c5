"""How things look, from ``styles.toml``: looked up by the kind's name, with a fallback for any other.

The dark theme is the same land by night: every colour is worked out from the light one, so that a new kind of terrain
has both at once, and ``styles_dark.toml`` says where that is not good enough.
"""

from __future__ import annotations

import re
import tomllib
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

from grognard.core.charts import merge
from grognard.core.errors import GrognardError

LIGHT, DARK = "light", "dark"
THEMES = (LIGHT, DARK)

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
#: Night: how light the darkest and the lightest colour become (0 black, 1 white), and how much of its hue each keeps.
_DARKEST, _LIGHTEST, _HUE = 0.13, 0.47, 0.75


def styles(theme: str = LIGHT) -> dict[str, Any]:
    """The table of styles of a theme."""
    return _styles(theme)


@cache
def _styles(theme: str) -> dict[str, Any]:
    if theme not in THEMES:
        raise GrognardError(f"no theme called {theme!r}; there are {' and '.join(THEMES)}")
    light = _read("styles.toml")
    return light if theme == LIGHT else merge(_by_night(light), _read("styles_dark.toml"))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("grognard.board").joinpath(name).read_text("utf-8"))


def _by_night(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _by_night(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_by_night(each) for each in value]
    return night(value) if isinstance(value, str) and _COLOUR.fullmatch(value) else value


def night(colour: str) -> str:
    """A ``#rrggbb`` colour by night: as far from its neighbours in lightness and hue as the dark leaves room for.

    >>> night("#ffffff"), night("#000000")
    ('#5b5b5b', '#070707')
    """
    # In Oklab equal steps look equally large, which they do not in red, green and blue.
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    light = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = (1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short) * _HUE
    b = (0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short) * _HUE
    light = _DARKEST + (_LIGHTEST - _DARKEST) * light
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(part)):02x}" for part in parts)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _gamma(part: float) -> float:
    part = min(max(part, 0.0), 1.0)
    return part * 12.92 if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def style(table: str, kind: str, theme: str = LIGHT) -> dict[str, Any]:
    """The style of a kind, of the last of its words that has one, or the table's fallback.

    >>> style("terrain", "dense_woods")["letter"]
    'W'
    """
    return _style(table, kind, theme)


@cache
def _style(table: str, kind: str, theme: str) -> dict[str, Any]:
    known: dict[str, dict[str, Any]] = styles(theme)[table]
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


def level_colour(level: int, theme: str = LIGHT) -> str:
    """The colour of open ground on a level."""
    table = styles(theme)["levels"]
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
