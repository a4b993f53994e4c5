"""Buildings (25): going in and out by the openings. How one comes down is in `collapse`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table.terrain import Piece, Table
from grognard.board.table.ways import SLACK, Ways
from grognard.core.ask import Bar
from grognard.games.bolt_action import ground
from grognard.games.bolt_action.areas import OnFoot
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import LeftBuilding
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.ground import footing_for
from grognard.kits.table.state import ON_TABLE

Floats = NDArray[np.float64]

#: Men who come out begin this far outside the wall, past what keeps bases off it.
OUTSIDE = 4
#: Men in a building are kept this far apart, so that they can be seen; it means nothing (25.1).
APART = 105

HELD = Bar("25.1", "the enemy holds it")
NO_BUILDING = Bar("25.1", "that building doesn't exist")
ONLY_INFANTRY = Bar("9.4", "only infantry can enter buildings")


def bar_occupy(battle: BoltBattle, unit: Unit, id: str) -> Bar | None:
    """Why a unit may not be in a building, however it would get there (25.1, 9.4, 9.7)."""
    piece = battle.table.by_id.get(id)
    if piece is None or battle.table.kind(piece).ground != ground.BUILDING:
        return NO_BUILDING
    if battle.type(unit).vehicle:
        return ONLY_INFANTRY
    if any(other.side != unit.side for other in battle.inside(id)):
        return HELD
    return None


def doors(table: Table, piece: Piece, radius: float) -> Floats:
    """A row for each opening: its two ends and the way out of it, x0, y0, x1, y1, out x, out y."""
    key = ("bolt_action doors", piece.id, radius)
    found: Floats | None = table.cache.get(key)
    if found is None:
        area = table.area(piece)
        rows = []
        for number in piece.edges:
            (x0, y0), (x1, y1) = piece.points[number], piece.points[(number + 1) % len(piece.points)]
            far = math.hypot(x1 - x0, y1 - y0) or 1.0
            out = ((y1 - y0) / far, -(x1 - x0) / far)
            if area.contains(shapely.Point((x0 + x1) / 2 + out[0], (y0 + y1) / 2 + out[1])):
                out = (-out[0], -out[1])
            rows.append((x0, y0, x1, y1, *out))
        found = table.cache[key] = np.array(rows, dtype=np.float64).reshape(-1, 6)
    return found


# ---- going in (25.2) ---------------------------------------------------------------------------------------


def _places_at(battle: BoltBattle, piece: Piece, starts: Floats, radius: float) -> Floats:
    """The points from which openings are just within reach, those straight ahead of every start: (starts, doors, 2)."""
    rows = doors(battle.table, piece, radius)
    near = radius + battle.charts.distance("buildings", "opening_gap") - 2
    a, along, out = rows[:, 0:2], rows[:, 2:4] - rows[:, 0:2], rows[:, 4:6]
    size = np.maximum((along * along).sum(1), 1e-9)
    part = ((starts[:, None, :] - a[None]) * along[None]).sum(2) / size[None]
    found: Floats = a[None] + np.clip(part, 0.0, 1.0)[:, :, None] * along[None] + out[None] * near
    return found


def _places_about(battle: BoltBattle, piece: Piece, radius: float) -> Floats:
    """Many more such points: along every opening and about both its ends."""
    key = ("bolt_action about doors", piece.id, radius)
    found: Floats | None = battle.table.cache.get(key)
    if found is None:
        near = radius + battle.charts.distance("buildings", "opening_gap") - 2
        points = []
        for x0, y0, x1, y1, ox, oy in doors(battle.table, piece, radius):
            for part in np.linspace(0.0, 1.0, 7):
                x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
                points += [(x + ox * far, y + oy * far) for far in (near, radius + OUTSIDE)]
            for x, y in ((x0, y0), (x1, y1)):
                points += [(x + near * math.sin(a), y + near * math.cos(a)) for a in np.linspace(0.0, 2 * np.pi, 17)]
        shape = battle.table.area(piece).buffer(radius)
        found = battle.table.cache[key] = np.array([p for p in points if not shapely.intersects_xy(shape, *p)])
    return found


def way_in(battle: BoltBattle, unit: Unit, ways: Ways, piece: Piece) -> dict[str, list[tuple[int, int]]] | None:
    """A path for each model to within 1 in of an opening, by model id; None if not all can get there (25.2).

    A path goes straight, or bends once or twice at corners of what is in the way.
    """
    radius = battle.bodies(unit)[0].foot.farthest
    # Out of a building they all begin at one door.
    each = range(1 if unit.building else len(unit.models))
    starts = ways.starts[: len(each)]
    places = _places_at(battle, piece, starts, radius)
    apart = np.hypot(places[:, :, 0] - starts[:, None, 0], places[:, :, 1] - starts[:, None, 1])
    if (apart.min(axis=1) > ways.far + SLACK).any():
        return None
    doors_each = places.shape[1]
    numbers = [number for number in each for _ in range(doors_each)]
    straight = ways.straight(numbers, places.reshape(-1, 2), stop=False).reshape(len(each), doors_each)
    best = np.where(straight, apart, np.inf).argmin(axis=1)
    paths: dict[int, list[tuple[int, int]]] = {}
    for number in np.argsort(straight.any(axis=1), kind="stable").tolist():
        if straight[number].any():
            (x, y), end = starts[number], places[number, best[number]]
            paths[number] = [(round(x), round(y)), (round(end[0]), round(end[1]))]
            continue
        found = ways.way_to(number, _places_about(battle, piece, radius))
        if found is None:
            return None
        paths[number] = found
    return {model.id: paths[number if number in paths else 0] for number, model in enumerate(unit.models)}


def enterable(battle: BoltBattle, unit: Unit, ways: Sequence[Ways]) -> list[Piece]:
    """The buildings that a unit can go into with its move (25.2)."""
    table = battle.table
    found = []
    for piece in table.pieces:
        if table.kind(piece).ground != ground.BUILDING or piece.id == unit.building:
            continue
        x0, y0, x1, y1 = table.area(piece).bounds
        for one in ways:
            far = one.far + 160
            low, high = one.starts.min(0), one.starts.max(0)
            # Every model must get there: from the farthest corner of the unit it is a long way, too.
            if x0 - low[0] > far or low[0] - x1 > far or y0 - low[1] > far or low[1] - y1 > far:
                continue
            if x0 - high[0] > far or high[0] - x1 > far or y0 - high[1] > far or high[1] - y1 > far:
                continue
            if bar_occupy(battle, unit, piece.id) is None and way_in(battle, unit, one, piece) is not None:
                found.append(piece)
                break
    return found


def bar_enter(battle: BoltBattle, unit: Unit, id: str, ways: Sequence[Ways]) -> Bar | None:
    """Why a unit cannot go into a building with its move."""
    if bar := bar_occupy(battle, unit, id):
        return bar
    if not battle.type(unit).infantry:
        return ONLY_INFANTRY
    piece = battle.table.by_id[id]
    if all(way_in(battle, unit, one, piece) is None for one in ways):
        return Bar("25.2", "not all its models can get within 1″ of an opening", battle.table.title(piece))
    return None


def occupy(battle: BoltBattle, unit: Unit, id: str) -> None:
    """Put a unit into a building: it has no exact place there, but its models are kept inside to be seen (25.1)."""
    table = battle.table
    piece = table.by_id[id]
    taken = [(m.x, m.y) for other in battle.inside(id) if other.id != unit.id for m in other.models]
    places = spots(table.area(piece), taken, len(unit.models))
    for model, (x, y) in zip(unit.models, places):
        model.x, model.y = x, y
    unit.building, unit.status = id, ON_TABLE
    battle.invalidate()


def spots(area: Any, taken: Sequence[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """Places inside, the middle ones first, apart from those who are there as long as there is room."""
    middle = area.centroid
    x0, y0, x1, y1 = area.bounds
    for apart, rim in ((APART, 55), (APART // 2, 30), (APART // 4, 10), (APART // 8, 1)):
        room = area.buffer(-rim)
        if room.is_empty:
            continue
        grid = [
            (round(middle.x + i * apart), round(middle.y + j * apart))
            for i in range(-int((x1 - x0) // apart) - 1, int((x1 - x0) // apart) + 2)
            for j in range(-int((y1 - y0) // apart) - 1, int((y1 - y0) // apart) + 2)
        ]
        free = [p for p in grid if shapely.intersects_xy(room, *p) and all(math.dist(p, t) >= apart - 1 for t in taken)]
        if len(free) >= count:
            free.sort(key=lambda p: (math.hypot(p[0] - middle.x, p[1] - middle.y), p))
            return free[:count]
    return [(round(middle.x), round(middle.y))] * count


# ---- coming out (25.2) -------------------------------------------------------------------------------------


def ways_out(battle: BoltBattle, unit: Unit, far: float, **how: Any) -> list[Ways]:
    """A way out of every opening, measured from its middle (25.2); ``how`` as for the ground (`ground.FootGround`)."""
    piece = battle.table.by_id[unit.building]
    known = battle.bodies(unit)
    radius = known[0].foot.farthest
    rules = ground.FootGround(battle, **how)
    found: list[Ways] = []
    for x0, y0, x1, y1, ox, oy in doors(battle.table, piece, radius):
        door = (round((x0 + x1) / 2 + ox * (radius + OUTSIDE)), round((y0 + y1) / 2 + oy * (radius + OUTSIDE)))
        over = footing_for(rules, unit, np.array([door], dtype=np.float64), radius, far)
        found.append(OnFoot([door] * len(known), [over] * len(known), far))
    return found


def step_out(battle: BoltBattle, unit: Unit) -> None:
    """A unit that goes leaves the building it is in."""
    if unit.building:
        battle.emit(LeftBuilding(side=unit.side, unit=unit.id, piece=unit.building, rules=("25.2",)))
        unit.building = ""
        battle.invalidate()
