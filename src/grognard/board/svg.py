"""The least that is needed to write SVG: elements, numbers and paths, with everything escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from grognard.board.hex.grid import Point

#: What XML 1.0 cannot hold even when escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: object) -> str:
    """Text as the content of an element: escaped, without characters that XML forbids."""
    return escape(_FORBIDDEN.sub("\ufffd", str(text)))


def number(value: float) -> str:
    """A number as short as a hundredth of a pixel allows."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(tag: str, content: str | None = None, /, **attributes: Any) -> str:
    """An element; content is markup and taken as it is, attributes are escaped, None is left out.

    An underscore in an attribute's name stands for a hyphen, one at its end for nothing.

    >>> element("rect", x=1.5, stroke_width=2, class_="a<b")
    '<rect x="1.5" stroke-width="2" class="a&lt;b"/>'
    """
    parts = [tag]
    for name, value in attributes.items():
        if value is None:
            continue
        text = number(value) if isinstance(value, float) else _FORBIDDEN.sub("\ufffd", str(value))
        parts.append(f"{name.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    opening = " ".join(parts)
    return f"<{opening}/>" if content is None else f"<{opening}>{content}</{tag}>"


def label(text: object, x: float, y: float, size: float, /, **attributes: Any) -> str:
    """A line of text centred on a point."""
    # Baselines are placed by hand because not every program knows dominant-baseline.
    return element("text", clean(text), x=x, y=y + size * 0.35, font_size=size, text_anchor="middle", **attributes)


def points(corners: Iterable[Point]) -> str:
    """Points as the attribute of a polygon or polyline."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def closed(corners: Iterable[Point]) -> str:
    """Points as the path data of a closed shape."""
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"
