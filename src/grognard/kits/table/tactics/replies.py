"""Quick answers for playing on in thought: places of a first glance, without looking at any exactly.

Nothing is listed that need not be: a move is one pose toward the best point of the chart, tried for room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from grognard.board.table.bodies import bearing, onward
from grognard.board.table.placement import TurnArea
from grognard.board.table.terrain import Table
from grognard.core.ask import Option
from grognard.core.poses import Pose, point
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.tactics.chart import Floats
from grognard.kits.table.tactics.judge import Judge

J = TypeVar("J", bound=Judge[Any, Any])
AnyBattle = TableBattle[Any, Any, Any, Any]

#: Where a pose is tried on the way to a point: which part of it, and how many degrees aside.
WAY = ((1.0, 0), (0.85, 0), (0.95, 15), (0.95, -15), (0.7, 0), (0.8, 40), (0.8, -40), (0.4, 0))
#: Nearer than this, in hundredths of an inch, nobody goes anywhere.
NO_WAY = 60


def glance(battle: AnyBattle, side: str, key: Hashable, make: Callable[[], J]) -> J:
    """How things look to a side at a glance, kept while ``key`` is the same and nothing moves."""
    found: tuple[Hashable, J] | None = battle.cache.get(("glance", side))
    if found is None or found[0] != key:
        found = battle.cache["glance", side] = key, make()
    return found[1]


def to_edge(table: Table, edge: str, x: float, y: float) -> float:
    """How far a point is from an edge of the table."""
    return {"left": x, "right": table.width - x, "top": y, "bottom": table.height - y}[edge]


def toward(judge: Judge[Any, Any], unit: Any, goal: int, far: float, form: str, heading: int | None) -> list[Pose]:
    """Poses on the way to a point of the chart, the best first; they look at the nearest enemy unless told where.

    There are none if the unit is as good as there.
    """
    outlook, chart = judge.outlook, judge.outlook.chart
    x, y = outlook.spot(unit)
    gx, gy = float(chart.x[goal]), float(chart.y[goal])
    away = math.hypot(gx - x, gy - y)
    if away <= NO_WAY * outlook.battle.table.inch / 100:
        return []
    if heading is None:
        foes = [outlook.spot(foe) for foe in outlook.foes]
        near = min(foes, key=lambda spot: math.hypot(spot[0] - gx, spot[1] - gy), default=None)
        heading = round(bearing(gx, gy, *near)) % 360 if near is not None else unit.models[0].heading
    course = bearing(x, y, gx, gy)
    ends = [onward(x, y, course + swerve, min(away, far) * part) for part, swerve in WAY]
    return [Pose(*end, heading, form) for end in ends]


def best_listed(judge: Judge[Any, Any], options: Sequence[Option], field: Floats, besides: dict[str, float]) -> str:
    """Of the places that are listed the best one by a field; ``besides`` is what other verbs are worth."""
    chart = judge.outlook.chart

    def worth(option: Option) -> float:
        if option.verb in besides:
            return besides[option.verb]
        return float(field[chart.nearest(*point(option.place))])

    return max(options, key=worth).key


def turn(judge: Judge[Any, Any], unit: Any, area: TurnArea) -> str:
    """Turn to the enemy that most can be done to."""
    outlook = judge.outlook
    here = outlook.here(unit)
    x, y = area.at
    best = max(outlook.shots(unit, False)[1], key=lambda each: float(each[1][here]), default=None)
    if best is None or float(best[1][here]) <= 0:
        return "stay"
    pose = Pose(x, y, round(bearing(x, y, *outlook.spot(best[0]))) % 360, area.start.form)
    return pose.key() if area.bar(pose) is None else "stay"
