"""NATO symbols of units, from the ``symbols.toml`` of a game's folder."""

from __future__ import annotations

from collections.abc import Mapping

#: The symbol set of land units.
LAND_UNIT = "10"


def symbol_code(entry: Mapping[str, str], own: bool, amplifier: str = "") -> str:
    """The code of an entry, 20 digits; a side sees its own as friends, the enemy as hostile.

    >>> symbol_code({"entity": "121100", "amplifier": "12"}, True)
    '10031000121211000000'
    """
    identity = "3" if own else "6"
    amplifier = amplifier or entry.get("amplifier", "00")
    head = f"100{identity}{entry.get('set', LAND_UNIT)}0{entry.get('hq', '0')}"
    return f"{head}{amplifier}{entry['entity']}{entry.get('modifier', '0000')}"
