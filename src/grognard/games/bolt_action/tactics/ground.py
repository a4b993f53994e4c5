"""What Bolt Action tells the chart about its ground (8.4, 9, 11)."""

from __future__ import annotations

from grognard.board.table.terrain import Kind, Table
from grognard.games.bolt_action import ground
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.line_of_sight import rules
from grognard.kits.table.tactics import chart
from grognard.kits.table.tactics.chart import CLOSED, FREE, SLOW, Chart, ChartGround, Going

#: How tall a man's eyes, and those in a vehicle, are taken to be.
ON_FOOT, IN_HULL = 110.0, 190.0


class BoltGround(ChartGround):
    """Cells of half an inch, and a net of points two inches apart."""

    cell, mesh = 50, 200
    eye = ON_FOOT
    at_hand = (40.0, 85.0, 130.0)
    roof, deep = 300.0, 600.0
    #: A tracked vehicle does not turn while it runs (10.1), and a wall costs men on foot most of a turn: nobody runs
    #: over it. Along a road vehicles go twice as far (8.2).
    goings = {
        "infantry": Going(1200.0, 600.0, strip=0.1, indoors=True),
        "artillery": Going(600.0, 600.0),
        "wheeled": Going(2000.0, 1200.0, road=2.0),
        "tracked": Going(1300.0, 900.0, road=2.0),
    }

    @property
    def looked_at(self) -> float:
        """A part of a man's height (11.2)."""
        return 120.0 * rules().target_height

    @property
    def reach(self) -> float:
        """How near to an objective one has to be (28.5)."""
        return float(charts().distance("length", "objective_distance"))

    def state(self, kind: Kind, column: str) -> int:
        """What stops a Run, and what an Advance (9.1 to 9.6); infantry go into buildings (25.2)."""
        if kind.ground == ground.BUILDING and column == "infantry":
            return SLOW
        if ground.stops(kind, column, run=False):
            return CLOSED
        return SLOW if ground.stops(kind, column, run=True) else FREE

    def building(self, kind: Kind) -> bool:
        """Units are inside buildings (25.1)."""
        return kind.ground == ground.BUILDING

    def road(self, kind: Kind) -> bool:
        """Roads (8.2)."""
        return kind.ground == ground.ROAD

    def obstacle(self, kind: Kind) -> bool:
        """Hedges, walls and the like (21.8)."""
        return kind.linear and kind.ground == ground.OBSTACLE


GROUND = BoltGround()


def chart_of(table: Table) -> Chart:
    """The chart of a table, drawn once."""
    return chart.chart_of(table, GROUND)
