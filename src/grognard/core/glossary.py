"""What the tags and abbreviations of a game mean: a title, a plain sentence, and the rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec


class Term(msgspec.Struct, omit_defaults=True):
    """A tag or an abbreviation as it stands on counters, in the log and in tallies.

    ``also`` are other spellings of it; ``#`` in a spelling stands for a number. One that stands ``alone`` is meant
    only as a badge or a figure by itself, and not in a sentence, where it may be an everyday word.
    """

    word: str
    title: str
    text: str
    rule: str
    also: tuple[str, ...] = ()
    alone: bool = False


def explain(terms: Sequence[Term], word: str) -> Term | None:
    """The term of a word: as it is written if there is one, else whatever its capitals.

    >>> pins = Term("#P", "Pin markers", "…", "6.2", ("# pins",))
    >>> explain([pins], "2P") is explain([pins], "12 PINS") is pins, explain([pins], "P")
    (True, None)
    """
    for flags in (0, re.IGNORECASE):
        for term in terms:
            if any(re.fullmatch(_pattern(spelling), word.strip(), flags) for spelling in (term.word, *term.also)):
                return term
    return None


def _pattern(spelling: str) -> str:
    return r"\d+".join(re.escape(part) for part in spelling.split("#"))
