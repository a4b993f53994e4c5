"""What the game tells the chart about its ground (4, 10)."""

from __future__ import annotations

from grognard.board.table.terrain import Kind, Table
from grognard.games.company.charts import charts
from grognard.games.company.roster import GUN, INFANTRY, TANK
from grognard.kits.table.tactics import chart
from grognard.kits.table.tactics.chart import CLOSED, FREE, SLOW, Chart, ChartGround, Going

#: Of two moves so much is made in a turn on average: a check that fails leaves one.
IN_A_TURN = 1.5


class CompanyGround(ChartGround):
    """Cells of half an inch, and a net of points two inches apart."""

    cell, mesh = 50, 200
    at_hand = (60.0, 110.0)

    def __init__(self) -> None:
        self.eye = float(charts().footprints[INFANTRY].eye)

    @property
    def looked_at(self) -> float:
        """A stand is looked at over its whole height."""
        return float(charts().footprints[INFANTRY].height)

    @property
    def reach(self) -> float:
        """How near to an objective one has to be (16.4)."""
        return float(charts().distance("distances", "objective"))

    @property
    def goings(self) -> dict[str, Going]:
        """Infantry goes anywhere, and vehicles slowly where they may get stuck (4.1 to 4.4)."""
        far = {type: IN_A_TURN * charts().distance("movement", type) for type in (INFANTRY, GUN, TANK)}
        return {type: Going(free, free / 2 if type == TANK else free) for type, free in far.items()}

    def state(self, kind: Kind, column: str) -> int:
        """What is closed to guns and tanks, and what a tank may get stuck in (4.3, 4.4)."""
        if column == INFANTRY:
            return FREE
        ground = charts().grounds[kind.ground]
        if (ground.gun if column == GUN else ground.tank) == "closed":
            return CLOSED
        return SLOW if column == TANK and ground.tank in ("difficult", "very_difficult") else FREE

    def road(self, kind: Kind) -> bool:
        """Roads (4.10)."""
        return kind.ground == "road"


GROUND = CompanyGround()


def chart_of(table: Table) -> Chart:
    """The chart of a table, drawn once."""
    return chart.chart_of(table, GROUND)
