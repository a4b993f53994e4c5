"""What people type: names that nobody knows, and seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from grognard.core.errors import GrognardError


def unknown(what: str, word: str, known: Iterable[str]) -> GrognardError:
    """The error for a name that nobody knows, with the nearest that somebody does."""
    names = sorted(known)
    near = get_close_matches(word, names, 1, 0.5)
    if near:
        hint = f"did you mean {near[0]!r}?"
    elif names:
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        hint = f"there {'are' if len(names) > 1 else 'is only'} {shown}"
    else:
        hint = "there are none"
    return GrognardError(f"no {what} called {word!r}; {hint}")


def side_name(side: str) -> str:
    """A side as people write it.

    >>> side_name("german"), side_name("home_guard"), side_name("us")
    ('German', 'Home guard', 'US')
    """
    if len(side) <= 2:
        return side.upper()
    said = side.replace("_", " ")
    return said[:1].upper() + said[1:]


def read_seed(text: str) -> bytes:
    """A seed: any word of up to 64 letters, or its bytes as ``hex:…``."""
    if text.startswith("hex:"):
        try:
            seed = bytes.fromhex(text[4:])
        except ValueError:
            raise GrognardError(f"seed: {text!r} is not hexadecimal; write it as hex:0a1b") from None
    else:
        seed = text.encode()
    if not 1 <= len(seed) <= 64:
        raise GrognardError(f"seed: a seed of {len(seed)} bytes; it may have 1 to 64")
    return seed


def say_seed(seed: bytes) -> str:
    """A seed as it can be given again."""
    text = seed.decode("ascii", "replace")
    plain = text.isascii() and text.isprintable() and " " not in text and not text.startswith("hex:")
    return text if plain else f"hex:{seed.hex()}"


def unit_called(word: str, names: Mapping[str, str]) -> str:
    """The unit that somebody means: by its id, its name, or the beginning of only one name; else the word itself.

    >>> unit_called("grenadier", {"g1": "Grenadier squad g1", "g2": "Panzer IV g2"})
    'g1'
    """
    folded = " ".join(word.split()).casefold()
    if word in names or not folded:
        return word
    found = [unit for unit, name in names.items() if name.casefold() == folded]
    found = found or [unit for unit, name in names.items() if name.casefold().startswith(folded)]
    if len(found) > 1:
        raise GrognardError(f"{word!r} could be {', '.join(f'{names[unit]} ({unit})' for unit in found[:8])}")
    return found[0] if found else word
