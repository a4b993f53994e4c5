"""Random battles: a fair table, two companies of about the same price, and three objectives between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from grognard.board.table.random_table import random_table
from grognard.board.table.terrain_file import to_toml
from grognard.core.random_battles import (
    Choice,
    RandomBattles,
    cannot,
    head_lines,
    pair_of,
    quoted,
    unit_lines,
    years_of,
)
from grognard.games.company.charts import FOLDER, MEASURE, charts
from grognard.games.company.roster import NATIONS, UnitType, roster
from grognard.kits.table.forces import draw_force

#: How full the table is.
TERRAINS = {"open": 0.6, "mixed": 1.0, "close": 1.5}
LEAST, MOST = 200, 600
#: The table and the depth of the strip in which a side sets up, in inches.
WIDE, DEEP, DEPTH = 72, 48, 12
#: What a force without much of a plan would like to have, and how much.
LIKING = {"core": 3, "weapons": 3, "anti_tank": 2, "tanks": 4, "artillery": 1, "recce": 1}
#: Grounds that stop no vehicle.
PASSABLE = frozenset({"open", "road", "difficult", "obstacle"})


class CompanyRandomBattles(RandomBattles):
    """Two companies that meet in the middle of a table."""

    named_after = ("points", "year", "nations", "terrain")

    def choices(self) -> Sequence[Choice]:
        """The points of a side, who fights, the terrain and the year."""
        pairs = ["american/german", "british/german", "soviet/german", "german/american", "german/british"]
        return (
            Choice("points", ("300", "400", "500"), "400", open=True),
            Choice("nations", (*pairs, "german/soviet"), "american/german", open=True),
            Choice("terrain", tuple(TERRAINS), "mixed"),
            Choice("year", ("1943", "1944", "1945"), "1944", open=True),
        )

    def squads(self) -> dict[str, set[int]]:
        """Of each nation the years in which it has core platoons."""
        return years_of(kind for kind in roster().values() if kind.role == "core")

    def check(self, chosen: Mapping[str, str]) -> None:
        """Raise what cannot be: points of a force besides what every game checks."""
        super().check(chosen)
        points = chosen["points"]
        if not (points.isascii() and points.isdecimal() and LEAST <= int(points) <= MOST):
            raise cannot(f"{points!r} points; a force may have {LEAST} to {MOST}")

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        """The file of a battle."""
        nations, terrain = pair_of(chosen["nations"]), chosen["terrain"]
        points, year = int(chosen["points"]), int(chosen["year"])
        table = random_table(
            name, WIDE * 100, DEEP * 100, charts().kinds, TERRAINS[terrain], measure=MEASURE, passable=PASSABLE
        )
        lines = [*_head(name, points, nations, year, terrain), *to_toml(table).splitlines(), *_objectives()]
        for number, nation in enumerate(nations):
            top, bottom = (DEEP - DEPTH, DEEP) if number == 0 else (0, DEPTH)
            lines += [f"[side.{nation}]", f"nation = {quoted(nation)}", f"[[side.{nation}.zone]]"]
            lines += [f"name = {quoted('south' if number == 0 else 'north')}"]
            lines += [f"points = [[0, {top}], [{WIDE}, {top}], [{WIDE}, {bottom}], [0, {bottom}]]"]
            lines += unit_lines(nation, Counter(kind.id for kind in random_force(nation, year, points, random)))
        return "\n".join(lines) + "\n"


def random_force(nation: str, year: int, points: int, random: Random) -> list[UnitType]:
    """A company that costs at most so many points and not much less, by the organisation table."""
    kinds = [
        kind
        for kind in roster().values()
        if kind.nation == nation and kind.years[0] <= year <= kind.years[1] and kind.provenance != "yours"
    ]
    most = {role.id: role.most for role in charts().organisation.values()}
    return draw_force(kinds, points, lambda chance: _core(kinds, chance), most, LIKING, random)


def _core(kinds: list[UnitType], random: Random) -> list[UnitType]:
    """What every company has: its commander, and as many core platoons as the table wants."""
    found = [kind for kind in kinds if kind.commander][:1]
    core = [kind for kind in kinds if kind.role == "core"]
    return found + [random.choice(core) for _ in range(charts().organisation["core"].least)]


def _head(name: str, points: int, nations: tuple[str, str], year: int, terrain: str) -> Iterator[str]:
    first, second = (NATIONS[nation] for nation in nations)
    words = {"open": "open country", "mixed": "mixed country", "close": "close country"}[terrain]
    briefing = (
        f"Two companies of about {points} points meet in {words}. The middle of the table is worth two points at the "
        "end, the flanks one each."
    )
    yield from head_lines(FOLDER.name, name, f"{first} against {second}", str(year), briefing)
    yield f"year = {year}"


def _objectives() -> Iterator[str]:
    places = (("middle", WIDE / 2, 2), ("west", WIDE / 5, 1), ("east", WIDE * 4 / 5, 1))
    for id, across, points in places:
        yield from ("[[objective]]", f'id = "{id}"', f'name = "The {id}"', f"at = [{across:g}, {DEEP / 2:g}]")
        yield f"points = {points}"
