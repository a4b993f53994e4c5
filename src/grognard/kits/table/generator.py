"""Random battles on a table: fair ground, two forces of about the same price, and three objectives between them."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Generic

from grognard.board.table.random_table import random_table
from grognard.board.table.terrain import Kind
from grognard.board.table.terrain_file import to_toml
from grognard.core.random_battles import (
    Choice,
    RandomBattles,
    cannot,
    head_lines,
    pair_of,
    quoted,
    unit_lines,
)
from grognard.kits.table.charts import hundredths
from grognard.kits.table.forces import K

#: How full the table is.
TERRAINS = {"open": 0.6, "mixed": 1.0, "close": 1.5}
#: Who fought whom.
NATIONS = ("american/german", "british/german", "soviet/german", "german/american", "german/british", "german/soviet")


class TableRandomBattles(RandomBattles, Generic[K]):
    """Two forces that meet in the middle of a table. A game says what a force is, and how much of a table it needs."""

    named_after = ("points", "year", "nations", "terrain")
    #: The game, and what its lengths are told in.
    game: ClassVar[str]
    measure: ClassVar[str]
    #: What people call the nations.
    nations: ClassVar[Mapping[str, str]]
    #: The points of a force that are offered, the usual ones in the middle, and the fewest and most that it may have.
    offered: ClassVar[tuple[str, str, str]]
    least: ClassVar[int]
    most: ClassVar[int]
    #: The depth of the strip in which a side sets up.
    depth: ClassVar[int]
    #: Grounds that stop nobody.
    passable: ClassVar[frozenset[str]] = frozenset({"open", "road"})

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of terrain."""

    @abstractmethod
    def size(self, points: int) -> tuple[int, int]:
        """How wide and how deep a table is for forces of so many points."""

    @abstractmethod
    def briefing(self, points: int, country: str) -> str:
        """What is fought for, and where: ``country`` is the terrain in words."""

    @abstractmethod
    def force(self, nation: str, year: int, points: int, random: Random) -> Sequence[K]:
        """The units of a side, which cost at most so many points and not much less."""

    def head(self, chosen: Mapping[str, str]) -> Iterable[str]:
        """What the head of the game's scenarios has besides what every game's has."""
        return ()

    # -- choices -----------------------------------------------------------------------------------------

    def choices(self) -> Sequence[Choice]:
        """The points of a side, who fights, the terrain and the year."""
        return (
            Choice("points", self.offered, self.offered[1], open=True),
            Choice("nations", NATIONS, NATIONS[0], open=True),
            Choice("terrain", tuple(TERRAINS), "mixed"),
            Choice("year", ("1943", "1944", "1945"), "1944", open=True),
        )

    def check(self, chosen: Mapping[str, str]) -> None:
        """Raise what cannot be: points of a force besides what every game checks."""
        super().check(chosen)
        points = chosen["points"]
        if not (points.isascii() and points.isdecimal() and self.least <= int(points) <= self.most):
            raise cannot(f"{points!r} points; a force may have {self.least} to {self.most}")

    # -- writing -----------------------------------------------------------------------------------------

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        """The file of a battle."""
        nations, terrain = pair_of(chosen["nations"]), chosen["terrain"]
        points, year = int(chosen["points"]), int(chosen["year"])
        wide, deep = self.size(points)
        ground = random_table(
            name,
            hundredths(wide),
            hundredths(deep),
            self.kinds(),
            TERRAINS[terrain],
            measure=self.measure,
            passable=self.passable,
        )
        title = " against ".join(self.nations[nation] for nation in nations)
        lines = [*head_lines(self.game, name, title, str(year), self.briefing(points, f"{terrain} country"))]
        lines += [*self.head(chosen), *to_toml(ground).splitlines(), *_objectives(wide, deep)]
        for nation, place, top in zip(nations, ("south", "north"), (deep - self.depth, 0)):
            lines += _zone(nation, place, wide, top, top + self.depth)
            lines += unit_lines(nation, Counter(kind.id for kind in self.force(nation, year, points, random)))
        return "\n".join(lines) + "\n"


def _objectives(wide: int, deep: int) -> Iterator[str]:
    """The middle of the table is worth two points, the flanks one each."""
    for id, across, points in (("middle", wide / 2, 2), ("west", wide / 5, 1), ("east", wide * 4 / 5, 1)):
        yield from ("[[objective]]", f'id = "{id}"', f'name = "The {id}"', f"at = [{across:g}, {deep / 2:g}]")
        yield f"points = {points}"


def _zone(nation: str, place: str, wide: int, top: int, bottom: int) -> Iterator[str]:
    """A side, and the strip along its edge of the table."""
    yield from (f"[side.{nation}]", f"nation = {quoted(nation)}", f"[[side.{nation}.zone]]", f"name = {quoted(place)}")
    yield f"points = [[0, {top}], [{wide}, {top}], [{wide}, {bottom}], [0, {bottom}]]"
