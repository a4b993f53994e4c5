"""What people call units: a name without an id, made once from the order of battle.

Programs and files call a unit by its id, and so does a command line. On a page an id such as ``g6`` looks like a hex:
there a unit is the "Security Squad 2", or whatever its scenario calls it. The numbers are those of the order of battle,
so that they never change, whatever happens to the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from string import ascii_uppercase
from typing import NamedTuple


class Enrolled(NamedTuple):
    """A unit of the order of battle: what it is called by itself, and whether the enemy does not know of it."""

    id: str
    side: str
    title: str
    secret: bool = False


def callings(roll: Iterable[Enrolled]) -> dict[str, str]:
    """What people call each unit, by id: numbered where its side has several, with its side where the enemy has it too.

    A name tells nothing of what is kept secret. Units that are in the open are named as if there were no others; a
    secret one is numbered on from them by its place among all that its side holds back, whatever those are.

    >>> callings([Enrolled("g1", "german", "Tiger"), Enrolled("g2", "german", "Tiger")])
    {'g1': 'Tiger 1', 'g2': 'Tiger 2'}
    """
    units = list(roll)
    alike = Counter((unit.side, unit.title) for unit in units if not unit.secret)
    seen: Counter[tuple[str, str]] = Counter()
    held_back: Counter[str] = Counter()
    found = {}
    for unit in units:
        kind = (unit.side, unit.title)
        shared = any(title == unit.title and side != unit.side for side, title in alike)
        name = _of_side(unit) if shared else unit.title
        if unit.secret:
            held_back[unit.side] += 1
            name = f"{name} {alike[kind] + held_back[unit.side]}"
        elif alike[kind] > 1:
            seen[kind] += 1
            name = f"{name} {seen[kind]}"
        found[unit.id] = name
    return found


def _of_side(unit: Enrolled) -> str:
    """A title with its side before it: "German infantry squad", but "German Rifle Squad"."""
    first, _, rest = unit.title.partition(" ")
    common = rest and rest.islower() and first[1:].islower()
    return f"{unit.side.replace('_', ' ').capitalize()} {first.lower() + ' ' + rest if common else unit.title}"


def made_in_play(title: str, id: str) -> str:
    """What people call a unit that is in no order of battle, with a letter for the number in its id.

    >>> made_in_play("Crew", "crew2.g")
    'Crew B'
    """
    number = int("".join(filter(str.isdigit, id)) or 0)
    return f"{title} {ascii_uppercase[number - 1]}" if 0 < number <= 26 else f"{title} ({number or 'new'})"
