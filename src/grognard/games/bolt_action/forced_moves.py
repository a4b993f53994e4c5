"""Moves that are not the owner's free choice: charge (21.2, 21.5), regroup (21.10), panic (4.7) and escape (16.9)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.reach import common_area
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Pose, length, read_pose
from grognard.games.bolt_action import candidates, formation, ground, travel
from grognard.games.bolt_action.areas import FootArea, Place, Ways
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import FellShort
from grognard.games.bolt_action.state import ADVANCE, ON_TABLE, RUN, Unit

Floats = NDArray[np.float64]

#: Places about a base that are looked at for somebody to come into contact with it.
AROUND = 24
#: End positions of a panic that are so much alike in distance count as equally far, in hundredths.
ALIKE = 1.0
#: How far men go, in hundredths, who have to get clear of the enemy and cannot do it within their die.
GET_CLEAR = (200, 300, 600, 1200)
#: End positions nearer to each other than this are one choice.
SAME = 100.0


# ---- charge (21.2, 21.5, 9.10) -----------------------------------------------------------------------------


class Charge:
    """The ways of an assault: at the full Run in the open, and at a shorter one through what is closed to a Run."""

    def __init__(self, battle: BoltBattle, unit: Unit, target: Unit) -> None:
        from grognard.games.bolt_action import movement

        self.battle, self.unit, self.target = battle, unit, target
        full = movement.rate(battle, unit, RUN)
        slow = min(full, battle.figures.distance("movement_figures", "assault_through_rough"))
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
            self.fast = movement.standing_ways(battle, unit, full, run=True, assault=True)
            self.slow = movement.standing_ways(battle, unit, slow, run=True, assault=True, through=True)
            if ground.starting_on(battle, unit):
                self.fast = self.slow
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
        """The way of a model to a place that it can get to."""
        point = np.array([end], dtype=np.float64)
        ways = self.fast if math.isfinite(float(self.fast.reach(number).lengths(point)[0])) else self.slow
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


def nearest_contact(battle: BoltBattle, unit: Unit, target: Unit) -> tuple[int, Place, float] | None:
    """The model that comes into contact by the shortest way, where, and how far it goes; None if nobody can (21.2)."""
    return _contact(Charge(battle, unit, target))


def _contact(charge: Charge) -> tuple[int, Place, float] | None:
    best: tuple[float, int, Place] | None = None
    others = charge.foes
    far = max(charge.fast.far, charge.slow.far) + 5 * bodies.CONTACT
    for number, body in enumerate(charge.known):
        x, y = charge.fast.starts[number]
        if others and min(bodies.gap_to_point(foe, x, y) for foe in others) - body.foot.farthest > far:
            continue  # too far away however it goes
        points = np.round(charge.contacts(number))
        if not len(points):
            continue
        apart = charge.from_target(points, body.foot.farthest)
        ways = np.where(apart <= bodies.CONTACT, charge.length(number, points), np.inf)
        for i in np.argsort(ways, kind="stable")[:4]:
            place = (int(points[i][0]), int(points[i][1]))
            if not math.isfinite(float(ways[i])) or bodies.overlaps(body.at(*place), others):
                continue
            if best is None or (float(ways[i]), number, place) < best:
                best = (float(ways[i]), number, place)
            break
    return None if best is None else (best[1], best[2], best[0])


def can_reach(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether at least one model can come into contact within its move (21.2)."""
    return nearest_contact(battle, unit, target) is not None


def charge(battle: BoltBattle, unit: Unit, target: Unit) -> Procedure[str]:
    """Move the assaulters in: "contact", "short" if nobody gets there, "gone" if one side is no more (21.2, 21.5)."""
    from grognard.games.bolt_action import buildings, line_of_sight

    kept = line_of_sight.drawer(battle)
    key = ("charge", unit.id, target.id)
    paths: dict[str, list[tuple[int, int]]] | None = kept.get(key)
    if paths is None:  # odds charge from one position again and again
        plan = Charge(battle, unit, target)
        first = _contact(plan)
        if first is None:
            battle.emit(FellShort(side=unit.side, unit=unit.id, target=target.id, rules=("21.2",)))
            yield from _short(battle, unit, plan)
            return "short" if battle.alive(unit) else "gone"
        ends = _close_in(plan, first)
        paths = kept[key] = {unit.models[number].id: plan.path(number, end) for number, end in ends.items()}
    buildings.step_out(battle, unit)
    whole = yield from travel.travel(
        battle, unit, paths, _facing(battle, unit, target), how="assault", rules=("21.2", "21.5")
    )
    if not battle.alive(unit) or not battle.alive(target):
        return "gone"
    return "contact" if whole and touching(battle, unit, target) else "short"


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
    ways = plan.fast if unit.building else movement.standing_ways(battle, unit, far, run=plan.fast is not plan.slow)
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
    pose = candidates.first_free(area, poses)
    if pose is not None:
        yield from movement.go(battle, unit, area, pose, how="assault", rules=("21.2",))


# ---- regroup (21.10) ---------------------------------------------------------------------------------------


def regroup(battle: BoltBattle, unit: Unit, inches: int) -> Procedure[None]:
    """The survivors of close quarters may move so many inches, and end in formation 1 in clear of the enemy (D12)."""
    from grognard.games.bolt_action import movement

    if unit.status != ON_TABLE or not unit.models or unit.building:
        return
    far = inches * 100
    near = battle.figures.distance("movement_figures", "enemy_gap")
    foes = [foe for foe in battle.enemies(unit.side) if not foe.building]
    must = formation.broken(battle, unit) or any(battle.gap(unit, foe) < near - 1 for foe in foes)

    def area_within(reach: int) -> FootArea:
        ways = movement.standing_ways(battle, unit, reach, run=False)
        return FootArea(battle, unit, [ways], rule="21.10", everybody=must)  # a spotter has to get clear as well

    def poses(area: FootArea) -> list[Option]:
        return list(candidates.good_poses(battle, unit, area)) or list(_clear_poses(battle, unit, area))

    area = area_within(far)
    if must and not battle.ahead:
        # They have to get clear, if need be farther than the die lets them, as 21.11 moves men back.
        for wider in GET_CLEAR:
            if wider > far and not poses(area):
                far, area = wider, area_within(wider)

    def listed() -> Iterator[Option]:
        found = poses(area)
        if not must or not found:
            yield Option("stay", f"{battle.say(unit)} stays", "stay", unit.id, rule="21.10")
        yield from found

    prompt = f"{battle.say(unit)} regroups: where, up to {length(far)} in?"
    answer = yield Ask(unit.side, prompt, lambda: list(listed()), rule="21.10", area=lambda: area)
    if answer == "stay":
        return
    read = read_pose(answer)
    assert read is not None
    yield from movement.go(battle, unit, area, read[1], how="regroup", rules=("21.10",))


def _clear_poses(battle: BoltBattle, unit: Unit, area: FootArea) -> Iterator[Option]:
    """Poses that are found in the area itself, where no straight move is free."""
    for form in area.names:
        region = [shapely.Polygon(part[0], part[1:]) for part in area.polygons(form, 0)]
        for part in region[:4]:
            at = part.representative_point()
            pose = Pose(round(at.x), round(at.y), 0, form)
            if area.bar(pose) is None:
                yield Option(pose.key(), f"to {pose.place}", "pose", unit.id, pose.place, rule=area.rule)


# ---- panic (4.4, 4.6, 4.7) ---------------------------------------------------------------------------------


def panic(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """Run as far as possible from the closest visible enemy; False if it sees none or cannot move (D11)."""
    from grognard.games.bolt_action import line_of_sight, movement

    seen = [foe for foe in battle.enemies(unit.side) if line_of_sight.sees(battle, unit, foe)]
    if not seen or unit.immobilised or unit.status != ON_TABLE or movement.can_move(battle, unit, RUN) is not None:
        return False
    foe = min(seen, key=lambda one: (battle.gap(unit, one), one.n))
    if battle.type(unit).vehicle:
        return (yield from _flee_by_wheel(battle, unit, foe))
    area = movement.area_of(battle, unit, RUN)
    farthest = _farthest(battle, unit, area, foe)
    if not farthest:
        return False
    pose = farthest[0]
    if len(farthest) > 1:
        choices = [Option(p.key(), f"flee to {p.place}", "pose", unit.id, p.place, rule="4.7") for p in farthest]
        answer = yield Ask(unit.side, f"{battle.say(unit)} panics: flee where?", choices, rule="4.7")
        read = read_pose(answer)
        assert read is not None
        pose = read[1]
    yield from movement.go(battle, unit, area, pose, how="panic", rules=("4.4", "4.7"))
    return True


def _farthest(battle: BoltBattle, unit: Unit, area: FootArea, foe: Unit) -> list[Pose]:
    """The poses that end farthest from an enemy unit, those that come to the same; [] if it cannot get away at all."""
    enemy = battle.bodies(foe)
    now = battle.gap(unit, foe)
    scored: list[tuple[float, Pose]] = []
    known = [battle.bodies(unit)[i] for i in area.party]
    for form in area.names[:2]:
        offsets = area.offsets(form, 0)
        for ways in area.ways:
            region = common_area([ways.reach(number) for number in area.party], offsets)
            if region.is_empty:
                continue
            points = shapely.get_coordinates(region)
            ends = points[:, None, :] + np.array(offsets, dtype=np.float64)[None]
            gaps = _gaps(ends, known, enemy)
            for i in np.argsort(-gaps, kind="stable")[:12]:
                pose = _inward(area, points[i], region, form)
                if pose is not None:
                    there = [b.at(pose.x + dx, pose.y + dy) for b, (dx, dy) in zip(known, offsets)]
                    scored.append((float(bodies.gaps(there, enemy).min()), pose))
        if scored:
            break
    scored = [(gap, pose) for gap, pose in scored if gap > now + ALIKE]
    if not scored:
        return []
    best = max(gap for gap, _ in scored)
    found: list[Pose] = []
    for gap, pose in sorted(scored, key=lambda one: (-one[0], one[1])):
        if gap >= best - ALIKE and all(math.dist(pose[:2], other[:2]) >= SAME for other in found):
            found.append(pose)
    return found


def _gaps(ends: Floats, known: Sequence[Body], enemy: Sequence[Body]) -> Floats:
    """For every pose, how far the nearest model is from the nearest enemy; bases taken as round."""
    foes = np.array([(foe.x, foe.y) for foe in enemy], dtype=np.float64)
    sizes = np.array([b.foot.farthest for b in known])[None, :, None] + np.array([f.foot.farthest for f in enemy])
    apart = np.hypot(ends[:, :, None, 0] - foes[None, None, :, 0], ends[:, :, None, 1] - foes[None, None, :, 1])
    found: Floats = (apart - sizes).min(axis=(1, 2))
    return found


def _inward(area: FootArea, point: Floats, region: Any, form: str) -> Pose | None:
    """The legal pose at, or a little inside, a point of the region's edge."""
    middle = region.representative_point()
    for part in (0.0, 0.002, 0.005, 0.01, 0.02, 0.05):
        x = round(point[0] + (middle.x - point[0]) * part)
        y = round(point[1] + (middle.y - point[1]) * part)
        pose = Pose(x, y, 0, form)
        if area.bar(pose) is None:
            return pose
    return None


def _flee_by_wheel(battle: BoltBattle, unit: Unit, foe: Unit) -> Procedure[bool]:
    """A vehicle that panics drives where it ends farthest away, forward or in reverse (4.7)."""
    from grognard.games.bolt_action import vehicles

    enemy = battle.bodies(foe)
    now = battle.gap(unit, foe)
    scored: list[tuple[float, vehicles.DriveArea, Pose]] = []
    for reverse in (False, True):
        area = vehicles.DriveArea(battle, unit, vehicles.begin(battle, unit, RUN, reverse=reverse))
        for course in area.drive.courses:
            far = float(area.drive.limits[course])
            ux, uy = bodies.direction(course)
            for part in (1.0, 0.75, 0.5, 0.25):
                if far * part < 100:
                    continue
                way = far * part - (1 if part == 1.0 else 0)
                pose = Pose(round(area.body.x + ux * way), round(area.body.y + uy * way), course, vehicles.DRIVE)
                hull = area.body.at(pose.x, pose.y, (course + 180) % 360 if reverse else course)
                gap = min(bodies.gap(hull, one) for one in enemy)
                if gap > now + ALIKE:
                    scored.append((gap, area, pose))
    if not scored:
        return False
    best = max(gap for gap, _, _ in scored)
    alike = [(gap, area, pose) for gap, area, pose in scored if gap >= best - ALIKE and area.bar(pose) is None]
    if not alike:
        return False
    alike.sort(key=lambda one: (-one[0], one[2]))
    kept: list[tuple[Any, Pose]] = []
    for _, area, pose in alike:
        if all(math.dist(pose[:2], other[:2]) >= SAME for _, other in kept):
            kept.append((area, pose))
    area, pose = kept[0]
    if len(kept) > 1:
        choices = [Option(p.key(), f"flee to {p.place}", "pose", unit.id, p.place, rule="4.7") for _, p in kept]
        answer = yield Ask(unit.side, f"{battle.say(unit)} panics: flee where?", choices, rule="4.7")
        area, pose = next((a, p) for a, p in kept if p.key() == answer)
    yield from vehicles.leg(battle, unit, area, pose, how="panic", rules=("4.4", "4.7"))
    return True


# ---- escape (16.9, 16.10) ----------------------------------------------------------------------------------


def escape(battle: BoltBattle, unit: Unit, attacker: Unit) -> Procedure[bool]:
    """A recce vehicle makes off before the attack is measured; every leg must end farther away (D5)."""
    from grognard.games.bolt_action import vehicles

    enemy = battle.bodies(attacker)
    start = battle.hull(unit)
    began = min(math.hypot(start.x - foe.x, start.y - foe.y) for foe in enemy)
    nowhere = shapely.union_all([shapely.Point(foe.x, foe.y).buffer(began, quad_segs=64) for foe in enemy])

    def further(x: float, y: float) -> Bar | None:
        if min(math.hypot(x - foe.x, y - foe.y) for foe in enemy) > began:
            return None
        return Bar("16.9", "an escape ends farther from the attacker than it began")

    trip = vehicles.begin(battle, unit, ADVANCE)
    while True:
        area = vehicles.DriveArea(battle, unit, trip, further=further, nowhere=nowhere)
        if trip.begun and area.spent:
            return True
        answer = yield _way_out(battle, unit, area)
        verb = answer.partition(" ")[0]
        if verb in ("stay", "done"):
            return trip.begun
        if verb in ("reverse", "forward"):
            trip = vehicles.begin(battle, unit, ADVANCE, reverse=verb == "reverse")
            continue
        read = read_pose(answer)
        assert read is not None
        left = yield from vehicles.leg(battle, unit, area, read[1], how="escape", rules=("16.9",))
        if left is None:
            return battle.alive(unit)
        trip = left


def _way_out(battle: BoltBattle, unit: Unit, area: Any) -> Ask:
    """The question where an escape goes."""
    from grognard.games.bolt_action import vehicles

    name, trip = battle.say(unit), area.trip

    def listed() -> Iterator[Option]:
        if trip.begun:
            yield Option("done", f"{name} has escaped", "done", unit.id, rule="16.9")
        else:
            yield Option("stay", f"{name} stays", "stay", unit.id, rule="16.9")
            word = "forward" if trip.reverse else "reverse"
            yield Option(
                word, f"In {word} instead" if word == "reverse" else "Forward instead", word, unit.id, rule="16.9"
            )
        yield from vehicles.good_legs(battle, unit, area)

    return Ask(unit.side, f"{name}: escape where?", lambda: list(listed()), rule="16.9", area=lambda: area)
