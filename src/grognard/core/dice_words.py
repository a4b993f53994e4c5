"""What a throw is about, for people who make it: which faces there are, and what each means."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from grognard.core.dice import MOST_THROWS, Faces, Reader
from grognard.core.events import NO_NAMES, say_meaning


class Reading(NamedTuple):
    """Some faces of a throw, and what they mean."""

    faces: str
    meaning: str


def readings(number: int, sides: int, read: Reader | None, said: Mapping[str, str] = NO_NAMES) -> list[Reading]:
    """What the faces of a throw mean: by total, or die by die where every die counts for itself.

    ``said`` has a game's own words for the results of its tables. A reader of another sort has its lines itself: its
    ``told`` is a sequence of faces and meanings in words.

    >>> from grognard.core.dice import at_least, by_face, counts, total
    >>> readings(2, 6, at_least(7, add=1))
    [Reading(faces='2 to 5', meaning='failed'), Reading(faces='6 to 12', meaning='passed')]
    >>> readings(1, 6, by_face(("a", "a", "b", "c", "a", "a")))[0]
    Reading(faces='1, 2, 5 or 6', meaning='a')
    >>> readings(2, 6, total(3))
    [Reading(faces='the total', meaning='counts, +3')]
    >>> readings(2, 6, counts(((0, 0, 1, 1, 1, 1), (0, 0, 0, 0, 0, 1)), words=("hit",)))
    [Reading(faces='die 1 on 3 to 6', meaning='hit'), Reading(faces='die 2 on 6', meaning='hit')]
    >>> from grognard.core.bands import reaches
    >>> readings(2, 6, reaches(42))
    [Reading(faces='11 to 41', meaning='failed'), Reading(faces='42 to 66', meaning='passed')]
    """
    if read is None:
        return []
    if (told := getattr(read, "told", None)) is not None:
        return [Reading(*line) for line in told]
    if (each := getattr(read, "each", None)) is not None:
        return _die_by_die(each[:number], getattr(read, "words", ()))
    if sides**number > MOST_THROWS:
        return []
    if hasattr(read, "rolls"):
        return list(_as_tens_and_units(read, said))
    by_total = _by_total(number, sides, read)
    if by_total is None:
        return []
    words = getattr(read, "words", ())
    if len(by_total) > 1 and (added := _as_thrown(by_total)) is not None:
        return [Reading("the total" if number > 1 else "the face", "counts" + (f", {added:+d}" if added else ""))]
    if number == 1:
        return _grouped(by_total.items(), lambda meaning: _say(meaning, words, said))
    found: list[Reading] = []
    for meaning, run in itertools.groupby(by_total.items(), key=lambda item: item[1]):
        found.append(Reading(_span([sum_ for sum_, _ in run]), _say(meaning, words, said)))
    return found


def _as_tens_and_units(read: Reader, said: Mapping[str, str]) -> Iterator[Reading]:
    """What rolls of 11 to 66 mean: the first die gives the tens."""
    rolls = [(roll, read((roll // 10, roll % 10))) for roll in getattr(read, "rolls", ())]
    if all(meaning == roll for roll, meaning in rolls):
        yield Reading("first die tens, second units", "counts as thrown")
        return
    for meaning, run in itertools.groupby(rolls, key=lambda item: item[1]):
        ends = [roll for roll, _ in run]
        span = str(ends[0]) if len(ends) == 1 else f"{ends[0]} to {ends[-1]}"
        yield Reading(span, _say(meaning, getattr(read, "words", ()), said))


@lru_cache(maxsize=4096)
def _by_total(number: int, sides: int, read: Reader) -> dict[int, Any] | None:
    """The meaning of each total; None where faces of the same total mean different things."""
    found: dict[int, Any] = {}
    throws: Iterable[Faces] = itertools.product(range(1, sides + 1), repeat=number)
    for faces in throws:
        meaning = read(faces)
        if found.setdefault(sum(faces), meaning) != meaning:
            return None
    return dict(sorted(found.items()))


def _as_thrown(by_total: Mapping[int, Any]) -> int | None:
    """What is added, where the total itself is what a throw means."""
    if any(isinstance(meaning, bool) or not isinstance(meaning, int) for meaning in by_total.values()):
        return None
    added = {meaning - total for total, meaning in by_total.items()}
    return added.pop() if len(added) == 1 else None


def _die_by_die(each: Sequence[tuple[int, ...]], words: tuple[str, ...]) -> list[Reading]:
    """What the faces of each die of a handful mean, like dice together."""
    found: list[Reading] = []
    at = 0
    for sort, run in itertools.groupby(each):
        many = len(list(run))
        dice = f"die {at + 1}" if many == 1 else f"dice {at + 1} to {at + many}"
        at += many
        one = "" if len(each) == many == 1 else f"{'each die' if many == len(each) else dice} on "
        for kind in sorted({kind for kind in sort if kind}):
            faces = [face for face, found_kind in enumerate(sort, 1) if found_kind == kind]
            said = words[kind - 1] if kind <= len(words) else "counts"
            found.append(Reading(f"{one}{_span(faces)}", said))
    return found or [Reading("any face", "nothing")]


def _grouped(items: Iterable[tuple[int, Any]], say: Callable[[Any], str]) -> list[Reading]:
    groups: dict[Hashable, list[int]] = {}
    for face, meaning in items:
        groups.setdefault(meaning, []).append(face)
    return [Reading(_span(faces), say(meaning)) for meaning, faces in groups.items()]


def _span(faces: Sequence[int]) -> str:
    """Faces in words: "3 to 6" in a row, "1, 2 or 5" otherwise."""
    if len(faces) == 1:
        return str(faces[0])
    if len(faces) > 2 and faces[-1] - faces[0] == len(faces) - 1:
        return f"{faces[0]} to {faces[-1]}"
    return f"{', '.join(map(str, faces[:-1]))} or {faces[-1]}"


def _say(meaning: Any, words: tuple[str, ...], said: Mapping[str, str]) -> str:
    if isinstance(meaning, str) and meaning in said:
        return said[meaning]
    return say_meaning(meaning, words)
