"""Random battles: a fair table, two reinforced platoons of about the same price and something to fight for (28.1)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from grognard.board.table.terrain import Kind
from grognard.core.random_battles import years_of
from grognard.games.bolt_action.charts import FOLDER, MEASURE, charts
from grognard.games.bolt_action.roster import NATIONS, UnitType, roster
from grognard.kits.table.forces import draw_force, serving
from grognard.kits.table.generator import TableRandomBattles

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


class BoltRandomBattles(TableRandomBattles[UnitType]):
    """Two platoons that meet in the middle of a table."""

    game, measure, nations = FOLDER.name, MEASURE, NATIONS
    offered, least, most = ("500", "750", "1000"), 300, 2000
    depth = 10

    def squads(self) -> dict[str, set[int]]:
        """Of each nation the years in which it has squads that anybody may have."""
        return years_of(kind for kind in roster().values() if kind.squad and not kind.special & SPECIAL)

    def kinds(self) -> Mapping[str, Kind]:
        """The kinds of terrain."""
        return charts().kinds

    def size(self, points: int) -> tuple[int, int]:
        """Six feet by four, and five where there are few."""
        return (60, 48) if points <= 600 else (72, 48)

    def briefing(self, points: int, country: str) -> str:
        """Three objectives, and points for whatever is destroyed (28.4)."""
        return (
            f"Two platoons of about {points} points meet in {country}. The middle of the table is worth two "
            "points at the end, the flanks one each, and a unit destroyed one. A lead of two wins."
        )

    def force(self, nation: str, year: int, points: int, random: Random) -> list[UnitType]:
        """A reinforced platoon (28.1)."""
        kinds = [kind for kind in serving(roster().values(), nation, year) if not kind.special & SPECIAL]
        most = {role.id: role.most for role in charts().platoon.values() if role.id != "transport"}
        return draw_force(kinds, points, lambda chance: _core(kinds, points, chance), most, LIKING, random)


def _core(kinds: list[UnitType], points: int, random: Random) -> list[UnitType]:
    """What every platoon has: a lieutenant and two squads, cheap ones where there are few points (28.1)."""
    found = []
    for role in ("lieutenant", "squad", "squad"):
        cheap = sorted((kind for kind in kinds if kind.role == role), key=lambda kind: kind.points)
        found.append(random.choice(cheap if points >= 700 else cheap[:2]))
    return found
