"""The move of an assault (21.2, 21.5, 9.10): who comes into contact, by which way, and where the others end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.core.ask import Procedure
from grognard.core.poses import Pose
from grognard.games.bolt_action import candidates, formation, ground, line_of_sight, travel
from grognard.games.bolt_action.areas import FootArea, Place, Ways
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import FellShort
from grognard.games.bolt_action.state import Unit

Floats = NDArray[np.float64]
#: The ways of a unit's models, by their ids: whoever comes into contact first is the first of them.
Paths = dict[str, list[tuple[int, int]]]

#: Places about a base that are looked at for somebody to come into contact with it.
AROUND = 24


class Charge:
    """The ways of an assault: at the full Run in the open, and at a shorter one through what is closed to a Run."""

    def __init__(self, battle: BoltBattle, unit: Unit, target: Unit) -> None:
        from grognard.games.bolt_action import movement

        self.battle, self.unit, self.target = battle, unit, target
        full, slow = paces(battle, unit)
        self.known = battle.bodies(unit)
        if unit.building:
            from grognard.games.bolt_action import buildings

            outs = [
                *buildings.ways_out(battle, unit, full, run=True),
                *buildings.ways_out(battle, unit, slow, run=False),
            ]
            # Out of a building the assault goes by whichever opening is nearest to the target.
            near = min(outs[: len(outs) // 2], key=lambda ways: self._distance(ways))
            number = outs.index(near)
            self.fast, self.slow = outs[number], outs[number + len(outs) // 2]
        else:
            held = in_rough(battle, unit)
            self.slow = movement.standing_ways(battle, unit, slow, run=True, assault=True, through=True)
            self.fast = self.slow
            if len(held) < len(unit.models):
                self.fast = movement.standing_ways(battle, unit, full, run=True, assault=True, held=held)
        self.foes = [] if target.building else battle.bodies(target)

    def _distance(self, ways: Ways) -> float:
        x, y = ways.starts[0]
        return min(math.hypot(m.x - x, m.y - y) for m in self.target.models)

    def length(self, number: int, points: Floats) -> Floats:
        """The shortest ways of a model to points, by either way; infinity where it cannot get."""
        found: Floats = self.fast.reach(number).lengths(points)
        if self.slow is not self.fast:
            found = np.minimum(found, self.slow.reach(number).lengths(points))
        return found

    def path(self, number: int, end: Place) -> list[tuple[int, int]]:
        """The way of a model to a place that it can get to: the shorter of the two, round or through (21.5)."""
        point = np.array([end], dtype=np.float64)
        ways = min(self.fast, self.slow, key=lambda one: float(one.reach(number).lengths(point)[0]))
        return ways.path(number, end)

    def contacts(self, number: int) -> Floats:
        """Places at which a model touches the target: its bases, or the openings of its building (25.7)."""
        radius = self.known[number].foot.farthest
        if self.target.building:
            from grognard.games.bolt_action import buildings

            table = self.battle.table
            rows = buildings.doors(table, table.by_id[self.target.building], radius)
            spread = np.linspace(0.1, 0.9, 5)[None, :, None]
            on = rows[:, None, 0:2] + spread * (rows[:, None, 2:4] - rows[:, None, 0:2])
            found: Floats = (on + rows[:, None, 4:6] * (radius + bodies.CONTACT)).reshape(-1, 2)
            return found
        x, y = self.fast.starts[number]
        points = []
        for foe in self.foes:
            rim = bodies.shape(foe, radius + 0.6).exterior
            points.append(_nearest_on(rim, x, y))
            points += [(p.x, p.y) for p in (rim.interpolate(i / AROUND, normalized=True) for i in range(AROUND))]
        return np.array(points, dtype=np.float64).reshape(-1, 2)

    def from_target(self, points: Floats, radius: float) -> Floats:
        """How far bases at points are from the target."""
        if self.target.building:
            area = self.battle.table.area(self.battle.table.by_id[self.target.building])
            return np.asarray(shapely.distance(area, shapely.points(points)) - radius)
        from grognard.board.table.routes import gaps_from

        return np.asarray(gaps_from(points, self.foes) - radius)


def _nearest_on(rim: Any, x: float, y: float) -> tuple[float, float]:
    at = rim.interpolate(rim.project(shapely.Point(x, y)))
    return at.x, at.y


def paces(battle: BoltBattle, unit: Unit) -> tuple[int, int]:
    """How far an assault goes in the open, and through rough ground or over an obstacle (8.1, 9.10)."""
    full = battle.figures.rates[battle.type(unit).moves_as].run
    return full, min(full, battle.figures.distance("movement_figures", "assault_through_rough"))


def in_rough(battle: BoltBattle, unit: Unit) -> frozenset[int]:
    """The models, by number, that begin in ground closed to a Run: they have only the shorter move (9.10, B7)."""
    if ground.starting_on(battle, unit) is None:
        return frozenset()
    table, column = battle.table, battle.type(unit).column
    closed = [p for p in table.pieces if not table.kind(p).linear and ground.effect(table.kind(p), column) == "no_run"]
    spots = [(number, model.x, model.y) for number, model in enumerate(unit.models)]
    return frozenset(n for n, x, y in spots if any(shapely.intersects_xy(table.area(p), x, y) for p in closed))


def gap(battle: BoltBattle, unit: Unit, target: Unit) -> float:
    """How far the nearest assaulter is from the target; from a building or to one, by its openings (25.3)."""
    if unit.building or target.building:
        return float(line_of_sight.look(battle, unit, target).gaps.min())
    return battle.gap(unit, target)


def out_of_reach(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether every assaulter is farther away than its move goes, even straight (21.2)."""
    full, slow = paces(battle, unit)
    near = gap(battle, unit, target)
    if near > full + bodies.HAIR:
        return True
    if near <= slow + bodies.HAIR or unit.building or target.building:
        return False
    held = in_rough(battle, unit)
    rest = [body for number, body in enumerate(battle.bodies(unit)) if number not in held]
    return not rest or float(bodies.gaps(rest, battle.bodies(target)).min()) > full + bodies.HAIR


def nearest_contact(plan: Charge, *, any_will_do: bool = False) -> tuple[int, Place, float] | None:
    """The model that comes into contact by the shortest way, where, and how far it goes; None if nobody can (21.2).

    Where ``any_will_do`` the nearest to the target are tried first, and whoever gets there is taken.
    """
    best: tuple[float, int, Place] | None = None
    others = plan.foes
    slack = 5 * bodies.CONTACT
    far = max(plan.fast.far, plan.slow.far) + slack
    straight = [min((bodies.gap_to_point(foe, x, y) for foe in others), default=0.0) for x, y in plan.fast.starts]
    for number in sorted(range(len(plan.known)), key=straight.__getitem__):
        body = plan.known[number]
        if straight[number] - body.foot.farthest > (far if best is None else min(far, best[0] + slack)):
            continue  # too far away however it goes, or farther than somebody who gets there has to go
        points = np.round(plan.contacts(number))
        if not len(points):
            continue
        apart = plan.from_target(points, body.foot.farthest)
        ways = np.where(apart <= bodies.CONTACT, plan.length(number, points), np.inf)
        for i in np.argsort(ways, kind="stable")[:4]:
            place = (int(points[i][0]), int(points[i][1]))
            if not math.isfinite(float(ways[i])) or bodies.overlaps(body.at(*place), others):
                continue
            if best is None or (float(ways[i]), number, place) < best:
                best = (float(ways[i]), number, place)
            break
        if any_will_do and best is not None:
            break
    return None if best is None else (best[1], best[2], best[0])


def can_reach(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether at least one model can come into contact within its move, by the way it has to walk (21.2)."""
    kept = line_of_sight.drawer(battle)
    key = ("can reach", unit.id, target.id)
    if key not in kept:
        plan = Charge(battle, unit, target)
        kept[key] = nearest_contact(plan, any_will_do=True) is not None
    return bool(kept[key])


def approach(battle: BoltBattle, unit: Unit, target: Unit) -> Paths | None:
    """The ways of all assaulters, that of the nearest first; None if nobody gets into contact (21.2, 21.5)."""
    kept = line_of_sight.drawer(battle)
    key = ("charge", unit.id, target.id)
    if key not in kept:  # odds charge from one position again and again
        plan = Charge(battle, unit, target)
        first = nearest_contact(plan)
        ends = {} if first is None else _close_in(plan, first)
        kept[key] = {unit.models[number].id: plan.path(number, end) for number, end in ends.items()} or None
    found: Paths | None = kept[key]
    return found


def charge(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[str]:
    """Move the assaulters in: "contact", "short" if nobody gets there, "gone" if one side is no more (21.2, 21.5)."""
    from grognard.games.bolt_action import buildings

    paths = approach(battle, unit, target)
    if paths is None:
        battle.emit(FellShort(side=unit.side, unit=unit.id, target=target.id, rules=("21.2",)))
        yield from _short(battle, unit, Charge(battle, unit, target))
        return "short" if battle.alive(unit) else "gone"
    buildings.step_out(battle, unit)
    whole = yield from travel.travel(
        battle, unit, paths, _facing(battle, unit, target), how="assault", rules=("21.2", "21.5")
    )
    if not battle.alive(unit) or not battle.alive(target):
        return "gone"
    return "contact" if whole and touching(battle, unit, target) else "short"


def crosses_obstacle(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether the nearest assaulter has to cross a linear obstacle on the way it walks to the defenders (21.8).

    The way goes on to the man he meets: who fights across a wall has it before him all the same.
    """
    if not _obstacles_about(battle, unit, target):
        return False  # to find the way that is walked takes long
    paths = approach(battle, unit, target)
    if paths is None:
        return False
    walked = next(iter(paths.values()))
    x, y = walked[-1]
    met = min(battle.bodies(target), key=lambda foe: bodies.gap_to_point(foe, x, y))
    way = shapely.LineString([*walked, (met.x, met.y)])
    table = battle.table
    return any(
        table.kind(piece).linear and table.kind(piece).ground == "obstacle" and table.line(piece).intersects(way)
        for piece in table.near(way)
    )


def _obstacles_about(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether there is any linear obstacle that a way of an assault's length between two units could lead to."""
    spots = [(body.x, body.y) for body in (*battle.bodies(unit), *battle.bodies(target))]
    # However it winds, a way leads no farther out than half of its length.
    out = paces(battle, unit)[0] / 2 + max(body.foot.farthest for body in battle.bodies(unit)) + 100
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    box = shapely.box(min(xs) - out, min(ys) - out, max(xs) + out, max(ys) + out)
    table = battle.table
    return any(
        table.kind(piece).linear and table.kind(piece).ground == "obstacle" and table.line(piece).intersects(box)
        for piece in table.near(box)
    )


def touching(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether two units are in contact; the walls stand for whoever is in a building (25.7)."""
    if target.building:
        area = battle.table.area(battle.table.by_id[target.building])
        gaps = [bodies.gap_to_area(body, list(area.exterior.coords)) for body in battle.bodies(unit)]
        return min(gaps) <= 2 * bodies.CONTACT
    return battle.gap(unit, target) <= bodies.CONTACT


def _facing(battle: BoltBattle, unit: Unit, target: Unit) -> dict[str, int]:
    """Every model looks at the target."""
    x, y = target.models[0].x, target.models[0].y
    return {m.id: round(bodies.bearing(m.x, m.y, x, y)) % 360 for m in unit.models}


def _close_in(plan: Charge, first: tuple[int, Place, float]) -> dict[int, Place]:
    """Where every model ends: the first in contact, the others as close as they can get and in formation (21.5)."""
    number, place, _ = first
    ends = {number: place}
    placed = [plan.known[number].at(*place)]
    rest = sorted((n for n in range(len(plan.known)) if n != number), key=lambda n: _off(plan.known[n], place))
    reach = formation.reach(plan.battle)
    for n in rest:
        body = plan.known[n]
        points = np.concatenate([plan.contacts(n), _about(body, placed)]).round()
        ways = plan.length(n, points)
        apart = plan.from_target(points, body.foot.farthest)
        spot = (body.x, body.y)
        for i in np.lexsort((ways, np.maximum(apart, 0.0).round(1))):
            there = body.at(int(points[i][0]), int(points[i][1]))
            if not math.isfinite(float(ways[i])) or apart[i] < -bodies.SLACK:
                continue
            if bodies.overlaps(there, placed) or min(bodies.gap(there, one) for one in placed) > reach:
                continue
            spot = (there.x, there.y)
            break
        else:
            spot = _nearer(plan, n, placed)
        ends[n] = spot
        placed.append(body.at(*spot))
    return ends


def _off(body: Body, place: Place) -> float:
    return math.hypot(body.x - place[0], body.y - place[1])


def _about(body: Body, placed: Sequence[Body]) -> Floats:
    """Places beside those who have come up: shoulder to shoulder, and as wide as the chain allows."""
    found = []
    for other in placed:
        for gap in (1.0, 60.0):
            far = other.foot.farthest + body.foot.farthest + gap
            for degrees in range(0, 360, 30):
                dx, dy = bodies.direction(degrees)
                found.append((other.x + dx * far, other.y + dy * far))
    return np.array(found, dtype=np.float64)


def _nearer(plan: Charge, number: int, placed: Sequence[Body]) -> Place:
    """A model that cannot keep up goes as far as it can toward the one in contact."""
    body, goal = plan.known[number], placed[0]
    parts = np.linspace(1.0, 0.0, 25)[:, None]
    points = np.round(np.array([[body.x, body.y]]) + parts * np.array([[goal.x - body.x, goal.y - body.y]]))
    ways = plan.length(number, points)
    apart = plan.from_target(points, body.foot.farthest)
    for i in range(len(points)):
        there = body.at(int(points[i][0]), int(points[i][1]))
        if math.isfinite(float(ways[i])) and apart[i] >= 0 and not bodies.overlaps(there, placed):
            return there.x, there.y
    return body.x, body.y


def _short(battle: BoltBattle, unit: Unit, plan: Charge) -> Procedure[None]:
    """The full move toward the target, stopping 1 in away, when the assault cannot reach it (21.2)."""
    from grognard.games.bolt_action import movement

    far = plan.fast.far
    ways = plan.fast
    if not unit.building:
        # Whoever begins in rough ground, or has it before him, goes no farther through it than an assault does (9.10).
        rough = bool(in_rough(battle, unit))
        far = plan.slow.far if rough else far
        ways = movement.standing_ways(battle, unit, far, run=not rough)
    area = FootArea(battle, unit, [ways], rule="21.2")
    x, y = formation.anchor(battle, unit)
    goal = min(plan.target.models, key=lambda m: math.hypot(m.x - x, m.y - y))
    course = bodies.bearing(x, y, goal.x, goal.y)
    away = math.hypot(goal.x - x, goal.y - y)
    poses = []
    for form in area.names:
        for part in np.linspace(1.0, 0.1, 19):
            way = min(far * float(part) - 1, away)
            for swerve in (0, 15, -15, 30, -30):
                ux, uy = bodies.direction(course + swerve)
                poses.append(Pose(round(x + ux * way), round(y + uy * way), round(course) % 360, form))
    pose = candidates.first_free(area, poses, area.ways[0])
    if pose is not None:
        yield from movement.go(battle, unit, area, pose, how="assault", rules=("21.2",))
