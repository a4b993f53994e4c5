"""Costs in sixths: halves and thirds that add up exactly, as whole numbers."""

from __future__ import annotations

import re
from fractions import Fraction

#: How the parts of a point are written, by how many sixths they are.
SIGNS = ("", "⅙", "⅓", "½", "⅔", "⅚")
#: The value of every sign that a cost may be written with.
PARTS = {
    "": Fraction(0),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    **{sign: Fraction(sixths, 6) for sixths, sign in enumerate(SIGNS) if sign},
}
_WRITTEN = re.compile(r"^(\d+)(?:/([1-9]\d*))?$")


def sixths(written: str | int) -> int:
    """A figure of a chart, such as 2 or "1/3", in sixths; a ``ValueError`` where it is no whole number of them.

    >>> sixths(2), sixths("1/2"), sixths("1/3"), sixths("3/2")
    (12, 3, 2, 9)
    """
    found = None if isinstance(written, bool) else _WRITTEN.match(str(written))
    if found is None:
        raise ValueError(f"{written!r:.40} is not a number of points; write 2, or a fraction such as 1/2 or 1/3")
    value = Fraction(int(found[1]), int(found[2] or 1)) * 6
    if value.denominator != 1:
        raise ValueError(f"{written} is not a whole number of sixths; write halves, thirds or sixths")
    return value.numerator


def say_sixths(amount: int) -> str:
    """Sixths as people write them.

    >>> say_sixths(0), say_sixths(2), say_sixths(9), say_sixths(13), say_sixths(-3)
    ('0', '⅓', '1½', '2⅙', '-½')
    """
    whole, part = divmod(abs(amount), 6)
    return f"{'-' if amount < 0 else ''}{whole or '' if part else whole}{SIGNS[part]}"


def say_fraction(written: str) -> str:
    """A fraction of a chart as people write it; one that has no sign of its own stays as it is.

    >>> say_fraction("1/3"), say_fraction("3/2"), say_fraction("3/8")
    ('⅓', '1½', '3/8')
    """
    try:
        return say_sixths(sixths(written))
    except ValueError:
        return written
