"""Forces bought with points: read from a file, held against the limits of an army list, drawn by chance.

What a unit costs and what it may have besides is the game's own; so are its roles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from grognard.core.files import Document
from grognard.core.read_tables import FilePath, each_record, read_record, read_whole, read_word

FIRST_YEAR, LAST_YEAR = 1939, 1945
#: How often a force is drawn; the dearest one within the limit is taken.
DRAWS = 40


class Kind(Protocol):
    """What a force needs to know of a kind of unit."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def nation(self) -> str: ...
    @property
    def years(self) -> tuple[int, int]: ...
    @property
    def points(self) -> int: ...
    @property
    def role(self) -> str: ...


class Role(NamedTuple):
    """How many units of a role a force has."""

    id: str
    least: int
    most: int
    label: str


K = TypeVar("K", bound=Kind)


class Line(msgspec.Struct, kw_only=True):
    """A line of a force: so many units of a kind. A game derives its own, with what a unit may have besides."""

    kind: str
    count: int = 1


L = TypeVar("L", bound=Line)


class Bought(NamedTuple, Generic[K]):
    """Units of a force: where they stand in the file, what they are and how many."""

    path: FilePath
    type: K
    number: int


class Force(NamedTuple, Generic[K]):
    """A force as it was read; with ``limit`` 0 it may cost anything."""

    title: str
    nation: str
    year: int
    limit: int
    units: list[Bought[K]]

    @property
    def points(self) -> int:
        """What it costs."""
        return sum(bought.type.points * bought.number for bought in self.units)

    @property
    def size(self) -> int:
        """How many units it has."""
        return sum(bought.number for bought in self.units)


class _Head(msgspec.Struct, kw_only=True):
    title: str
    nation: str
    unit: Any
    game: str = ""
    name: str = ""
    year: int = 1944
    points: int = 0
    notes: str = ""


# ---- reading ---------------------------------------------------------------------------------------------


def read_force(
    doc: Document,
    game: str,
    nations: Mapping[str, str],
    line: type[L],
    base_of: Callable[[FilePath, str], K | None],
    buy: Callable[[FilePath, L, K], K],
) -> Force[K]:
    """A force from its file, with its faults noted; ``base_of`` finds a kind, ``buy`` gives it what was ordered."""
    head = read_whole(doc, _Head, {"title": "", "nation": "", "unit": []})
    if head.game not in ("", game):
        doc.fault("game", f'a force of "{head.game}"', f'game = "{game}"')
    if "nation" in doc.data:
        read_word(doc, ("nation",), "nation", head.nation, nations)
    if not FIRST_YEAR <= head.year <= LAST_YEAR:
        doc.fault("year", f"the year {head.year}", f"{FIRST_YEAR} to {LAST_YEAR}")
    units: list[Bought[K]] = []
    for path, item in each_record(doc, ("unit",), head.unit):
        order = read_record(doc, path, item, line)
        base = base_of((*path, "kind"), order.kind) if order else None
        if order is None or base is None:
            continue
        _check_served(doc, (*path, "kind"), base, head, nations)
        units.append(Bought(path, buy(path, order, base), order.count))
    return Force(head.title, head.nation, head.year, head.points, units)


def _check_served(doc: Document, path: FilePath, kind: Kind, head: _Head, nations: Mapping[str, str]) -> None:
    """Note a unit of another nation, or of another time."""
    if head.nation in nations and kind.nation != head.nation:
        doc.fault(path, f"{kind.name} is {nations[kind.nation]}", f"a unit that is {nations[head.nation]}")
    first, last = kind.years
    if FIRST_YEAR <= head.year <= LAST_YEAR and not first <= head.year <= last:
        doc.fault(path, f"{kind.name} in {head.year}", f"it served from {first} to {last}")


def check_roles(
    doc: Document,
    force: Force[K],
    roles: Mapping[str, Role],
    rule: str,
    most_of: Callable[[Role], tuple[int, str]] = lambda role: (role.most, ""),
    example: Callable[[Role], str] = lambda role: role.id,
) -> None:
    """Note where a force has too many or too few of a role; ``most_of`` says how many at most, and a word on why."""
    counts: Counter[str] = Counter()
    for bought in force.units:
        role = roles[bought.type.role]
        before, counts[role.id] = counts[role.id], counts[role.id] + bought.number
        most, why = most_of(role)
        if before <= most < counts[role.id]:
            right = f"at most {most} ({rule}){why}"
            doc.fault((*bought.path, "kind"), f"{counts[role.id]} of the role {role.label}", right)
    for role in roles.values():
        if counts[role.id] < role.least:
            kinds = "one such as" if role.least == 1 else f"{role.least} such as"
            doc.fault("unit", f"{counts[role.id]} of the role {role.label}", f"{kinds} {example(role)} ({rule})")


def check_price(doc: Document, force: Force[K]) -> None:
    """Note a force that costs more than it may."""
    if force.limit and force.points > force.limit:
        over = force.points - force.limit
        doc.fault("points", f"the force costs {force.points} points", f"{force.limit} or less: {over} too many")


def force_lines(force: Force[K], nations: Mapping[str, str], describe: Callable[[K], str]) -> Iterator[str]:
    """A force in words: its title, and every unit with its price."""
    yield f"{force.title} ({nations[force.nation]}, {force.year})"
    for bought in force.units:
        many = f"{bought.number} x " if bought.number > 1 else ""
        yield f"{bought.type.points * bought.number:5}  {many}{describe(bought.type)}"


# ---- drawing ---------------------------------------------------------------------------------------------


def price(force: Sequence[Kind]) -> int:
    """What units cost together."""
    return sum(kind.points for kind in force)


def serving(kinds: Iterable[K], nation: str, year: int) -> list[K]:
    """A nation's kinds of unit that served in a year."""
    return [kind for kind in kinds if kind.nation == nation and kind.years[0] <= year <= kind.years[1]]


def draw_force(
    kinds: Sequence[K],
    points: int,
    first: Callable[[Random], list[K]],
    most: Mapping[str, int],
    liking: Mapping[str, int],
    random: Random,
) -> list[K]:
    """A force that costs at most so many points and not much less.

    It begins with what every force has (``first``) and goes on with whatever can be paid for; of a role it has at most
    so many (``most``), and of roles that are liked more often than of others.
    """
    best: list[K] = []
    for _ in range(DRAWS):
        force = _draw(kinds, points, first(random), most, liking, random)
        if price(force) > price(best):
            best = force
    return best


def _draw(
    kinds: Sequence[K],
    points: int,
    force: list[K],
    most: Mapping[str, int],
    liking: Mapping[str, int],
    random: Random,
) -> list[K]:
    counts = Counter(kind.role for kind in force)
    while True:
        left = points - price(force)
        wanted = [kind for kind in kinds if kind.points <= left and counts[kind.role] < most.get(kind.role, 0)]
        if not wanted:
            return force
        taken = random.choices(wanted, [liking.get(kind.role, 1) for kind in wanted])[0]
        force.append(taken)
        counts[taken.role] += 1
