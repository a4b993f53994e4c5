"""What people type: options and dice, and what they may have meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches

from grognard.core.ask import Ask, FacesAsk
from grognard.core.errors import IllegalError
from grognard.core.poses import read_pose
from grognard.core.words import unit_called

STEPS = " / "


def choose_key(ask: Ask, typed: str) -> str:
    """The key of the option that somebody means: by its key, its number, or the beginning of only one."""
    if (drawn := typed.strip()) and takes_draft(ask, drawn):
        ask.option(drawn)
        return drawn
    typed = " ".join(typed.split())
    if isinstance(ask, FacesAsk):
        return faces_key(ask, typed)
    keys = [option.key for option in ask.options]
    if typed in keys:
        return typed
    if typed.isascii() and typed.isdigit():
        if 1 <= int(typed[:9]) <= len(keys):
            return keys[int(typed) - 1]
        raise IllegalError(typed, ask, f"there is no option {typed[:9]}; options go from 1 to {len(keys)}")
    if ask.area is not None and (pose := read_pose(typed)) is not None and pose[0] == ask.area.verb:
        ask.option(typed)
        return typed
    folded = typed.casefold()
    matches = [key for key in keys if key.casefold() == folded]
    matches = matches or [key for key in keys if folded and key.casefold().startswith(folded)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        shown = ", ".join(matches[:8]) + (", …" if len(matches) > 8 else "")
        raise IllegalError(typed, ask, f"{typed!r} could be {len(matches)} options: {shown}")
    try:
        ask.option(typed)
    except IllegalError as error:
        near = get_close_matches(typed, keys, 1, 0.6)
        raise IllegalError(typed, ask, f"{error}" + (f"; did you mean {near[0]!r}?" if near else "")) from None
    return typed


def takes_draft(ask: Ask, typed: str) -> bool:
    """Whether somebody types a draft as a whole: ``plan {"route": …}``."""
    return ask.draft is not None and ask.draft.takes(typed) and "{" in typed


def faces_key(ask: FacesAsk, typed: str) -> str:
    """Faces as people say them, ``3 4`` or ``dice 3,4``, as an answer."""
    faces = re.sub(r"^dice\b", "", typed.casefold()).replace(",", " ").split()
    key = " ".join(["dice", *faces])
    ask.option(key)
    return key


def tells_faces(ask: FacesAsk, typed: str) -> bool:
    """Whether somebody means to say what dice showed, or what was drawn, rather than to answer a later question."""
    words = typed.replace(",", " ").split()
    drawn = bool(ask.names) and len(words) == 1
    return drawn or words[:1] == ["dice"] or all(word.lstrip("-").isdigit() for word in words)


def steps(words: Sequence[str]) -> list[str]:
    """Answers that follow one another, given one by one or in one text with " / " between them."""
    # In a form that is typed as JSON the mark may be part of a text.
    parts = (word.split(STEPS) if "{" not in word else [word] for word in words)
    return [step.strip() for found in parts for step in found if step.strip()]


def with_ids(typed: str, names: Mapping[str, str], verbs: Collection[str] = ()) -> str:
    """What was typed with the ids of units for their names; the longest name that fits is meant, and never a verb.

    >>> with_ids("Infantry squad fire panzer iv", {"a1": "Infantry squad a1", "g2": "Panzer IV Ausf H g2"}, ("fire",))
    'a1 fire g2'
    """
    words = typed.split()
    found: list[str] = []
    while words:
        length = next((n for n in range(len(words), 0, -1) if _is_name(words[:n], names, verbs)), 0)
        found.append(unit_called(" ".join(words[:length]), names) if length else words[0])
        del words[: length or 1]
    return " ".join(found)


def _is_name(words: Sequence[str], names: Mapping[str, str], verbs: Collection[str]) -> bool:
    """Whether some unit's name begins with these words."""
    said = " ".join(words).casefold()
    if len(words) == 1 and (words[0] in names or said in verbs):
        return False
    return any(f"{name.casefold()} ".startswith(f"{said} ") for name in names.values())
