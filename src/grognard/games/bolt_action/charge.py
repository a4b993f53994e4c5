"""The move of an assault (21.2, 21.5, 9.10): who comes into contact, by which way, and where the others end."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.ways import Paced, Ways
from grognard.core.ask import Procedure
from grognard.core.poses import ModelPose, Pose, Preview
from grognard.games.bolt_action import buildings, formation, ground, line_of_sight, movement, travel
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import FellShort
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.charging import Charge
from grognard.kits.table.good_poses import first_free
from grognard.kits.table.positions import position_cache

Floats = NDArray[np.float64]
#: The ways of a unit's models, by their ids: whoever comes into contact first is the first of them.
Paths = dict[str, list[tuple[int, int]]]

#: The two paces of an assault: at the full Run in the open, and shorter through what is closed to a Run.
OPEN, ROUGH = "in the open", "through rough ground"
#: How much an assault that cannot reach its target swerves on its way toward it, in degrees.
SWERVES = (0, 15, -15, 30, -30)


class Assault(Charge):
    """The ways of an assault: at the full Run in the open, and at a shorter one through what is closed to a Run."""

    def __init__(self, battle: BoltBattle, unit: Unit, target: Unit) -> None:
        self.battle, self.target = battle, target
        #: The opening of its building by which the assault goes, by number.
        self.door = 0
        full, slow = paces(battle, unit)
        if unit.building:
            through = buildings.ways_out(battle, unit, slow, run=True, assault=True, through=True)
            ways = {OPEN: buildings.ways_out(battle, unit, full, run=True, assault=True), ROUGH: through}
        else:
            held = in_rough(battle, unit)
            ways = {ROUGH: [movement.standing_ways(battle, unit, slow, run=True, assault=True, through=True)]}
            if len(held) < len(unit.models):
                fast = movement.standing_ways(battle, unit, full, run=True, assault=True, held=held)
                ways = {OPEN: [fast], **ways}
        each = [Paced.of(dict(zip(ways, row))) for row in zip(*ways.values())]
        foes = [] if target.building else battle.bodies(target)
        others = [other for other in battle.units(unit.side) if other is not unit and not other.building]
        friends = [body for other in others for body in battle.bodies(other)]
        super().__init__(battle.bodies(unit), foes, each[0], reach=formation.reach(battle), friends=friends)
        if len(each) > 1:
            # Out of a building the assault goes by the opening nearest to the target that leads to it.
            doors = sorted(range(len(each)), key=lambda door: self._distance(each[door]))
            for self.door in [*doors, doors[0]]:
                self.ways = each[self.door]
                if self.first(any_will_do=True) is not None:
                    break

    def _distance(self, ways: Ways) -> float:
        x, y = ways.starts[0]
        return min(math.hypot(m.x - x, m.y - y) for m in self.target.models)

    def contacts(self, number: int) -> Floats:
        """Places at which a model touches the target: its bases, or the openings of its building (25.7)."""
        if not self.target.building:
            return super().contacts(number)
        radius, table = self.known[number].foot.farthest, self.battle.table
        rows = buildings.doors(table, table.by_id[self.target.building], radius)
        spread = np.linspace(0.1, 0.9, 5)[None, :, None]
        on = rows[:, None, 0:2] + spread * (rows[:, None, 2:4] - rows[:, None, 0:2])
        found: Floats = (on + rows[:, None, 4:6] * (radius + bodies.CONTACT)).reshape(-1, 2)
        return found

    def from_target(self, number: int, points: Floats) -> Floats:
        """How far a model would be from the target at some points; from the walls of its building (25.7)."""
        if not self.target.building:
            return super().from_target(number, points)
        area = self.battle.table.area(self.battle.table.by_id[self.target.building])
        return np.asarray(shapely.distance(area, shapely.points(points)) - self.known[number].foot.farthest)


def paces(battle: BoltBattle, unit: Unit) -> tuple[int, int]:
    """How far an assault goes in the open, and through rough ground or over an obstacle (8.1, 9.10)."""
    full = battle.charts.rates[battle.type(unit).moves_as].run
    return full, min(full, battle.charts.distance("movement_figures", "assault_through_rough"))


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


def can_reach(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether at least one model can come into contact within its move, by the way it has to walk (21.2)."""
    kept = position_cache(battle)
    key = ("can reach", unit.id, target.id)
    if key not in kept:
        kept[key] = Assault(battle, unit, target).first(any_will_do=True) is not None
    return bool(kept[key])


def approach(battle: BoltBattle, unit: Unit, target: Unit) -> Paths | None:
    """The ways of all assaulters, that of the nearest first; None if nobody gets into contact (21.2, 21.5)."""
    kept = position_cache(battle)
    key = ("charge", unit.id, target.id)
    if key not in kept:  # odds charge from one position again and again
        plan = Assault(battle, unit, target)
        first = plan.first()
        paths = {} if first is None else plan.paths(first)
        kept[key] = {unit.models[number].id: path for number, path in paths.items()} or None
    found: Paths | None = kept[key]
    return found


def charge(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[str]:
    """Move the assaulters in: "contact", "short" if nobody gets there, "gone" if one side is no more (21.2, 21.5)."""
    paths = approach(battle, unit, target)
    if paths is None:
        battle.emit(FellShort(side=unit.side, unit=unit.id, target=target.id, rules=("21.2",)))
        yield from _short(battle, unit, Assault(battle, unit, target))
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
    return any(table.kind(piece).linear and table.kind(piece).ground == "obstacle" for piece in table.near(way))


def _obstacles_about(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether there is any linear obstacle that a way of an assault's length between two units could lead to."""
    spots = [(body.x, body.y) for body in (*battle.bodies(unit), *battle.bodies(target))]
    # However it winds, a way leads no farther out than half of its length.
    out = paces(battle, unit)[0] / 2 + max(body.foot.farthest for body in battle.bodies(unit)) + 100
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    box = shapely.box(min(xs) - out, min(ys) - out, max(xs) + out, max(ys) + out)
    table = battle.table
    return any(table.kind(piece).linear and table.kind(piece).ground == "obstacle" for piece in table.near(box))


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


def _short(battle: BoltBattle, unit: Unit, plan: Assault) -> Procedure[None]:
    """The full move toward the target, stopping 1 in away, when the assault cannot reach it (21.2)."""
    area, pose = _short_of(battle, unit, plan)
    if pose is not None:
        yield from movement.go(battle, unit, area, pose, how="assault", rules=("21.2",))


def _short_of(battle: BoltBattle, unit: Unit, plan: Assault) -> tuple[FootArea, Pose | None]:
    """Where an assault ends that cannot reach its target; None if it cannot even begin (21.2)."""
    far = plan.ways.far
    if unit.building:
        ways = buildings.ways_out(battle, unit, far, run=True)[plan.door]
    else:
        # Whoever begins in rough ground, or has it before him, goes no farther through it than an assault does (9.10).
        rough = bool(in_rough(battle, unit))
        far = paces(battle, unit)[1] if rough else far
        ways = movement.standing_ways(battle, unit, far, run=not rough)
    area = FootArea(battle, unit, [ways], rule="21.2")
    x, y = battle.anchor(unit)
    goal = min(plan.target.models, key=lambda m: math.hypot(m.x - x, m.y - y))
    course = bodies.bearing(x, y, goal.x, goal.y)
    away = math.hypot(goal.x - x, goal.y - y)
    poses = []
    for form in area.names:
        for part in np.linspace(1.0, 0.1, 19):
            ends = [bodies.onward(x, y, course + swerve, min(far * float(part), away)) for swerve in SWERVES]
            poses += [Pose(*end, round(course) % 360, form) for end in ends]
    return area, first_free(area, poses, area.ways[0])


def foresee(battle: BoltBattle, unit: Unit, key: str) -> Preview | None:
    """The ways of an assault before anybody has reacted to it, or of one that stops short; None for other answers."""
    verb, _, word = key.partition(" ")
    if verb != "assault":
        return None
    target = battle.unit(word)
    paths = approach(battle, unit, target)
    if paths is not None:
        facing = _facing(battle, unit, target)
        return Preview(key, models=[ModelPose(id, *path[-1], facing[id], path) for id, path in paths.items()])
    area, pose = _short_of(battle, unit, Assault(battle, unit, target))
    return Preview(key, models=area.preview(pose).models) if pose is not None else None
