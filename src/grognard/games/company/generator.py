"""Random battles: a fair table, two companies of about the same price, and three objectives between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from grognard.board.table.terrain import Kind
from grognard.core.random_battles import years_of
from grognard.games.company.charts import FOLDER, MEASURE, charts
from grognard.games.company.roster import NATIONS, UnitType, roster
from grognard.kits.table.forces import draw_force, serving
from grognard.kits.table.generator import TableRandomBattles

#: What a force without much of a plan would like to have, and how much.
LIKING = {"core": 3, "weapons": 3, "anti_tank": 2, "tanks": 4, "artillery": 1, "recce": 1}


class CompanyRandomBattles(TableRandomBattles[UnitType]):
    """Two companies that meet in the middle of a table."""

    game, measure, nations = FOLDER.name, MEASURE, NATIONS
    offered, least, most = ("300", "400", "500"), 200, 600
    depth = 12
    #: Grounds that stop no vehicle.
    passable = frozenset({"open", "road", "difficult", "obstacle"})

    def squads(self) -> dict[str, set[int]]:
        """Of each nation the years in which it has core platoons."""
        return years_of(kind for kind in roster().values() if kind.role == "core")

    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of terrain."""
        return charts().kinds

    def size(self, points: int) -> tuple[int, int]:
        """Six feet by four."""
        return 72, 48

    def briefing(self, points: int, country: str) -> str:
        """Three objectives."""
        return (
            f"Two companies of about {points} points meet in {country}. The middle of the table is worth two points "
            "at the end, the flanks one each."
        )

    def head(self, chosen: Mapping[str, str]) -> Iterable[str]:
        """The year, which Units must have served in."""
        return (f"year = {chosen['year']}",)

    def force(self, nation: str, year: int, points: int, random: Random) -> list[UnitType]:
        """A company by the organisation table."""
        kinds = [kind for kind in serving(roster().values(), nation, year) if kind.provenance != "yours"]
        most = {role.id: role.most for role in charts().organisation.values()}
        return draw_force(kinds, points, lambda chance: _core(kinds, chance), most, LIKING, random)


def _core(kinds: list[UnitType], random: Random) -> list[UnitType]:
    """What every company has: its commander, and as many core platoons as the table wants."""
    found = [kind for kind in kinds if kind.commander][:1]
    core = [kind for kind in kinds if kind.role == "core"]
    return found + [random.choice(core) for _ in range(charts().organisation["core"].least)]
