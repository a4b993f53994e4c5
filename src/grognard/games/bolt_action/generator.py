"""Random battles: a fair table, two reinforced platoons of about the same price and something to fight for (28.1)."""

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
from grognard.games.bolt_action.charts import INCH, MEASURE, charts
from grognard.games.bolt_action.roster import NATIONS, UnitType, roster
from grognard.kits.table.forces import draw_force

#: How full the table is.
TERRAINS = {"open": 0.6, "mixed": 1.0, "close": 1.5}
LEAST, MOST = 300, 2000
#: The depth of the strip in which a side deploys, in inches.
DEPTH = 10
#: What a force without much of a plan would like to have, and how much.
LIKING = {
    "squad": 4,
    "tank": 4,
    "machine_gun": 3,
    "mortar": 2,
    "anti_tank": 3,
    "gun": 3,
    "sniper": 2,
    "armoured_car": 2,
}
#: Units that need a scenario of their own to be of use.
SPECIAL = frozenset({"air_observer", "shirkers", "flak"})


class BoltRandomBattles(RandomBattles):
    """Two platoons that meet in the middle of a table."""

    named_after = ("points", "year", "nations", "terrain")

    def choices(self) -> Sequence[Choice]:
        """The points of a side, who fights, the terrain and the year."""
        pairs = ["american/german", "british/german", "soviet/german", "german/american", "german/british"]
        return (
            Choice("points", ("500", "750", "1000"), "750", open=True),
            Choice("nations", (*pairs, "german/soviet"), "american/german", open=True),
            Choice("terrain", tuple(TERRAINS), "mixed"),
            Choice("year", ("1943", "1944", "1945"), "1944", open=True),
        )

    def squads(self) -> dict[str, set[int]]:
        """Of each nation the years in which it has squads that anybody may have."""
        return years_of(kind for kind in roster().values() if kind.squad and not kind.special & SPECIAL)

    def check(self, chosen: Mapping[str, str]) -> None:
        """Raise what cannot be: points of a force besides what every game checks."""
        super().check(chosen)
        points = chosen["points"]
        if not (points.isascii() and points.isdecimal() and LEAST <= int(points) <= MOST):
            raise cannot(f"{points!r} points; a force may have {LEAST} to {MOST}")

    def write(self, name: str, chosen: Mapping[str, str], random: Random) -> str:
        """The file of a battle."""
        nations = pair_of(chosen["nations"])
        return _write(name, int(chosen["points"]), nations, int(chosen["year"]), chosen["terrain"], random)


# ---- forces -----------------------------------------------------------------------------------------------


def _available(nation: str, year: int) -> list[UnitType]:
    return [
        kind
        for kind in roster().values()
        if kind.nation == nation and kind.years[0] <= year <= kind.years[1] and not kind.special & SPECIAL
    ]


def random_force(nation: str, year: int, points: int, random: Random) -> list[UnitType]:
    """A reinforced platoon that costs at most so many points, and not much less (28.1)."""
    kinds = _available(nation, year)
    most = {role.id: role.most for role in charts().platoon.values() if role.id != "transport"}
    return draw_force(kinds, points, lambda chance: _core(kinds, points, chance), most, LIKING, random)


def _core(kinds: list[UnitType], points: int, random: Random) -> list[UnitType]:
    """What every platoon has: a lieutenant and two squads, cheap ones where there are few points (28.1)."""
    found = []
    for role in ("lieutenant", "squad", "squad"):
        cheap = sorted((kind for kind in kinds if kind.role == role), key=lambda kind: kind.points)
        found.append(random.choice(cheap if points >= 700 else cheap[:2]))
    return found


# ---- writing ----------------------------------------------------------------------------------------------


def _write(name: str, points: int, nations: tuple[str, str], year: int, terrain: str, random: Random) -> str:
    wide, deep = (60, 48) if points <= 600 else (72, 48)
    table = random_table(name, wide * INCH, deep * INCH, charts().kinds, TERRAINS[terrain], measure=MEASURE)
    lines = [*_head(name, points, nations, year, terrain)]
    lines += to_toml(table).splitlines()
    lines += _objectives(wide, deep)
    for number, nation in enumerate(nations):
        top, bottom = (deep - DEPTH, deep) if number == 0 else (0, DEPTH)
        lines += [f"[side.{nation}]", f"nation = {quoted(nation)}", f"[[side.{nation}.zone]]"]
        lines += [f"name = {quoted('south' if number == 0 else 'north')}"]
        lines += [f"points = [[0, {top}], [{wide}, {top}], [{wide}, {bottom}], [0, {bottom}]]"]
        lines += unit_lines(nation, Counter(kind.id for kind in random_force(nation, year, points, random)))
    return "\n".join(lines) + "\n"


def _head(name: str, points: int, nations: tuple[str, str], year: int, terrain: str) -> Iterator[str]:
    first, second = (NATIONS[nation] for nation in nations)
    words = {"open": "open country", "mixed": "mixed country", "close": "close country"}[terrain]
    briefing = (
        f"Two platoons of about {points} points meet in {words}. The middle of the table is worth two "
        "points at the end, the flanks one each, and a unit destroyed one. A lead of two wins."
    )
    return head_lines("bolt_action", name, f"{first} against {second}", str(year), briefing)


def _objectives(wide: int, deep: int) -> Iterator[str]:
    places = (("middle", wide / 2, 2), ("west", wide / 5, 1), ("east", wide * 4 / 5, 1))
    for id, across, points in places:
        yield from ("[[objective]]", f'id = "{id}"', f'name = "The {id}"', f"at = [{across:g}, {deep / 2:g}]")
        yield f"points = {points}"
