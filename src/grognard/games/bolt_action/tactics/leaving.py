"""Leaving the table with an order (8.5)."""

from __future__ import annotations

import math

from grognard.games.bolt_action import movement
from grognard.games.bolt_action.state import RUN, Unit
from grognard.games.bolt_action.tactics.outlook import BoltOutlook
from grognard.kits.table.state import ON_TABLE
from grognard.kits.table.tactics.way_out import OUT, strides


def leaves(outlook: BoltOutlook, unit: Unit, edge: str, order: str) -> bool:
    """Whether a unit can leave the table over an edge with an order, as far as can be seen at a glance (8.5, 10.1)."""
    battle, here = outlook.battle, outlook.here(unit)
    if unit.status != ON_TABLE or unit.immobilised:
        return False
    ways = strides(outlook.chart, outlook.pace(unit), edge)
    far = float(ways.gone[here]) + outlook.chart.mesh / 2  # it may stand behind its point of the net
    kind = battle.type(unit)
    if kind.vehicle:
        pivots = battle.charts.pivots[kind.mobility]
        if not (pivots.run if order == RUN else pivots.advance):
            angle = math.radians(battle.hull(unit).heading)
            ahead = math.sin(angle) * OUT[edge][0] - math.cos(angle) * OUT[edge][1]
            far = far / ahead if ahead > 0.5 else math.inf
    return bool(ways.off[here]) and far <= movement.rate(battle, unit, order)
