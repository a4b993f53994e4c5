"""What people type: options and dice, and what they may have meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from grognard.core.ask import Ask, FacesAsk
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.poses import read_pose
from grognard.core.session import Session

STEPS = " / "


def choose_key(ask: Ask, typed: str) -> str:
    """The key of the option that somebody means: by its key, its number, or the beginning of only one."""
    typed = " ".join(typed.split())
    if isinstance(ask, FacesAsk):
        return faces_key(ask, typed)
    keys = [option.key for option in ask.options]
    if typed in keys:
        return typed
    if typed.isascii() and typed.isdigit():
        if 1 <= int(typed[:9]) <= len(keys):
            return keys[int(typed) - 1]
        raise IllegalError(typed, ask, f"there is no option {typed[:9]}; they go from 1 to {len(keys)}")
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


def choose_keys(session: Session, typed: Sequence[str]) -> list[str]:
    """The keys of answers that follow one another, for their odds: each is looked up where those before it lead."""
    keys: list[str] = []
    ask = session.ask
    if ask is None or isinstance(ask, FacesAsk):
        return list(typed)
    probe = session.probe() if len(typed) > 1 else session
    for number, word in enumerate(typed, 1):
        if probe.ask is None:
            raise IllegalError(word, None, f"the battle is over before {word!r}")
        keys.append(choose_key(probe.ask, word))
        if number < len(typed):
            probe.answer(keys[-1])
    return keys


def faces_key(ask: FacesAsk, typed: str) -> str:
    """Faces as people say them, ``3 4`` or ``dice 3,4``, as an answer."""
    faces = re.sub(r"^dice\b", "", typed.casefold()).replace(",", " ").split()
    key = " ".join(["dice", *faces])
    ask.option(key)
    return key


def steps(words: Sequence[str]) -> list[str]:
    """Answers that follow one another, given one by one or in one text with " / " between them."""
    return [step.strip() for word in words for step in word.split(STEPS) if step.strip()]


def read_dice(text: str) -> list[int]:
    """The faces of a script: ``3,4,6`` or ``3 4 6``."""
    faces = []
    for word in text.replace(",", " ").split():
        if not (word.isascii() and word.isdigit() and len(word) <= 4 and int(word) > 0):
            raise GrognardError(f"--dice: {word!r} is no face of a die; write them as 3,4,6")
        faces.append(int(word))
    return faces
