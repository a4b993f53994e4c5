"""Flight: the panic move (4.4, 4.6, 4.7), and a recce vehicle's escape (16.9, 16.10)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from grognard.board.table import bodies, clearance, formations
from grognard.board.table.bodies import Body
from grognard.board.table.drive import Drive, End
from grognard.board.table.places import told
from grognard.board.table.reach import common_area, rings
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Polygon, Pose, read_pose
from grognard.games.bolt_action import vehicles
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ADVANCE, ON_TABLE, RUN, Unit
from grognard.games.bolt_action.vehicles import DriveArea, Trip

Floats = NDArray[np.float64]

#: End positions of a panic that are so much alike in distance count as equally far, in hundredths.
ALIKE = 1.0
#: End positions nearer to each other than this are one choice.
SAME = 100.0
#: The headings in which the forms of a unit that panics are tried.
HEADINGS = tuple(range(0, 360, 45))
#: After every so many hundredths of its way a vehicle that panics is tried in a turn.
TURN_EVERY = 200.0

NO_FARTHER = Bar("16.9", "an escape ends farther from the attacker than it began")


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
    if len(farthest) > 1 and not battle.ahead:
        choices = [_flee_to(battle, unit, p) for p in farthest]
        answer = yield Ask(unit.side, f"{battle.say(unit)} panics: flee where?", choices, rule="4.7")
        read = read_pose(answer)
        assert read is not None
        pose = read[1]
    yield from movement.go(battle, unit, area, pose, how="panic", rules=("4.4", "4.7"))
    return True


def _flee_to(battle: BoltBattle, unit: Unit, pose: Pose) -> Option:
    where = told(battle.table, pose.x, pose.y)
    return Option(pose.key(), f"flee to {where}", "pose", unit.id, pose.place, rule="4.7")


def _farthest(battle: BoltBattle, unit: Unit, area: FootArea, foe: Unit) -> list[Pose]:
    """The poses that end farthest from an enemy unit, those that come to the same; [] if it cannot get away at all.

    Every form is tried, in headings all round, until one gets away as far as a straight run can take the nearest man.
    """
    enemy = battle.bodies(foe)
    now = battle.gap(unit, foe)
    most = now + max(ways.far for ways in area.ways)
    known = [battle.bodies(unit)[i] for i in area.party]
    # What stands in a form of round bases stands the same turned right round.
    round_ = all(body.foot.shape == bodies.DISC for body in known)
    scored: list[tuple[float, Pose]] = []
    best = now + 2 * ALIKE
    for form in area.names:
        for heading in HEADINGS[: 4 if round_ else 8] if formations.turns(form, known) else (0,):
            for gap, pose in _ends(area, form, heading, known, enemy, best - ALIKE):
                scored.append((gap, pose))
                best = max(best, gap)
            if scored and (battle.ahead or battle.hasty):
                return [scored[0][1]]  # odds ask only whether it runs, a thought only roughly where
        if best >= most - ALIKE:
            break
    found: list[Pose] = []
    for gap, pose in sorted(scored, key=lambda one: (-one[0], one[1])):
        if gap >= best - ALIKE and all(math.dist(pose[:2], other[:2]) >= SAME for other in found):
            found.append(pose)
    return found


def _ends(
    area: FootArea, form: str, heading: int, known: Sequence[Body], enemy: Sequence[Body], least: float
) -> Iterator[tuple[float, Pose]]:
    """The legal poses of a form at the far ends of an area that are at least so far from the enemy, each with how far.

    The farthest come first, and none that are nearer than one that was found.
    """
    offsets = area.offsets(form, heading)
    # Taken as round, a base is up to this much larger than it is.
    slack = max(b.foot.farthest - (b.foot.width / 2 if b.foot.shape == bodies.RECT else b.foot.radius) for b in known)
    slack += max(f.foot.farthest - (f.foot.width / 2 if f.foot.shape == bodies.RECT else f.foot.radius) for f in enemy)
    for ways in area.ways:
        region = common_area([ways.reach(number) for number in area.party], offsets)
        if region.is_empty:
            continue
        points = shapely.get_coordinates(region)
        ends = points[:, None, :] + np.array(offsets, dtype=np.float64)[None]
        gaps = _gaps(ends, known, enemy)
        for i in np.argsort(-gaps, kind="stable")[:12]:
            if gaps[i] + slack < least:
                break
            pose = _inward(area, points[i], region, form, heading)
            if pose is None:
                continue
            stand = area.stand(pose, area.ends(pose))
            gap = float(bodies.gaps([stand[number] for number in area.party], enemy).min())
            if gap >= least:
                least = max(least, gap - ALIKE)
                yield gap, pose


def _gaps(ends: Floats, known: Sequence[Body], enemy: Sequence[Body]) -> Floats:
    """For every pose, how far the nearest model is from the nearest enemy; bases taken as round."""
    foes = np.array([(foe.x, foe.y) for foe in enemy], dtype=np.float64)
    sizes = np.array([b.foot.farthest for b in known])[None, :, None] + np.array([f.foot.farthest for f in enemy])
    apart = np.hypot(ends[:, :, None, 0] - foes[None, None, :, 0], ends[:, :, None, 1] - foes[None, None, :, 1])
    found: Floats = (apart - sizes).min(axis=(1, 2))
    return found


def _inward(area: FootArea, point: Floats, region: Any, form: str, heading: int) -> Pose | None:
    """The legal pose at, or a little inside, a point of the region's edge."""
    middle = region.representative_point()
    for part in (0.0, 0.002, 0.005, 0.01, 0.02, 0.05):
        x = round(point[0] + (middle.x - point[0]) * part)
        y = round(point[1] + (middle.y - point[1]) * part)
        pose = Pose(x, y, heading, form)
        ends = area.ends(pose)
        if area.bar_stand(pose, ends) is None and area.way(ends) is not None:
            return pose
    return None


# ---- a vehicle that panics (4.7) ---------------------------------------------------------------------------


class Flight(NamedTuple):
    """A vehicle's way out: how far from the enemy it ends, and its one or two legs, all forward or all in reverse."""

    gap: float
    reverse: bool
    legs: tuple[Pose, ...]


def _flee_by_wheel(battle: BoltBattle, unit: Unit, foe: Unit) -> Procedure[bool]:
    """A vehicle that panics drives where it ends farthest away, forward or in reverse, with its pivots (4.7)."""
    enemy, now = battle.bodies(foe), battle.gap(unit, foe)
    areas = {word: DriveArea(battle, unit, vehicles.begin(battle, unit, RUN, reverse=word)) for word in (False, True)}
    tried = [one for area in areas.values() for one in _flights(battle, area, enemy) if one.gap > now + ALIKE]
    best = max((one.gap for one in tried), default=0.0)
    # Of ways that come to the same the one with fewer legs is listed.
    kept: list[Flight] = []
    for one in sorted(tried, key=lambda one: (len(one.legs), -one.gap, one.legs)):
        far = all(math.dist(one.legs[-1][:2], other.legs[-1][:2]) >= SAME for other in kept)
        if one.gap >= best - ALIKE and far and areas[one.reverse].bar(one.legs[0]) is None:
            kept.append(one)
    if not kept:
        return False
    chosen = kept[0]
    if len(kept) > 1 and not battle.ahead:
        ends = {one.legs[-1].key(): one for one in kept}
        choices = [_flee_to(battle, unit, one.legs[-1]) for one in ends.values()]
        chosen = ends[(yield Ask(unit.side, f"{battle.say(unit)} panics: flee where?", choices, rule="4.7"))]
    area = areas[chosen.reverse]
    for pose in chosen.legs:
        if area.bar(pose) is None:
            left = yield from vehicles.leg(battle, unit, area, pose, how="panic", rules=("4.4", "4.7"))
            if left is None:
                break
            area = DriveArea(battle, unit, left)
    return True


def _flights(battle: BoltBattle, area: DriveArea, enemy: Sequence[Body]) -> Iterator[Flight]:
    """The ways out by one leg, and where a pivot is left by two: straight on, a turn, and on again (10.2)."""
    trip, body, drive = area.trip, area.body, area.drive
    for gap, pose in _legs(drive, enemy):
        yield Flight(gap, trip.reverse, (pose,))
    if not trip.pivots:
        return
    ahead = (body.heading + 180) % 360 if trip.reverse else body.heading
    ux, uy = bodies.direction(ahead)
    for far in np.arange(TURN_EVERY, float(drive.limits[ahead]), TURN_EVERY):
        first = Pose(round(body.x + ux * far), round(body.y + uy * far), ahead, vehicles.DRIVE)
        on = drive.moved(body.at(first.x, first.y))
        on.far = max(0.0, drive.far - far)
        if vehicles.keeps_to_road(battle, (body.x, body.y), (first.x, first.y)):
            on.far_on_road = max(0.0, drive.far_on_road - far)
        else:
            on.corridors, on.far_on_road = None, 0.0
        for gap, pose in _legs(on, enemy, wide=5):
            if clearance.bar_stop(on, pose.x, pose.y, area.near, area.gap) is None:
                yield Flight(gap, trip.reverse, (first, pose))


def _legs(drive: Drive, enemy: Sequence[Body], wide: int = 1) -> Iterator[tuple[float, Pose]]:
    """Legs on every course, or every fifth: all the way and parts of it, each with its distance from the enemy."""
    body = drive.body
    for course in list(drive.courses)[::wide]:
        far = float(drive.limits[course])
        ux, uy = bodies.direction(course)
        for part in (1.0, 0.75, 0.5, 0.25):
            if far * part < 100:
                continue
            way = far * part - (1 if part == 1.0 else 0)
            pose = Pose(round(body.x + ux * way), round(body.y + uy * way), course, vehicles.DRIVE)
            hull = body.at(pose.x, pose.y, (course + 180) % 360 if drive.reverse else course)
            yield min(bodies.gap(hull, one) for one in enemy), pose


# ---- escape (16.9, 16.10) ----------------------------------------------------------------------------------


class EscapeArea(DriveArea):
    """Where one leg of an escape can go: its hull ends farther from every attacker than the escape began (16.9, B2)."""

    def __init__(self, battle: BoltBattle, unit: Unit, trip: Trip, enemy: Sequence[Body], began: float) -> None:
        super().__init__(battle, unit, trip)
        self.enemy, self.began = [clearance.Near(body, NO_FARTHER) for body in enemy], began

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """Where it can drive to without coming as near as it was."""
        found = super().polygons(form, heading)
        closed = clearance.shadows(self.drive, self.enemy, self.began)
        if not found or not closed:
            return found
        shapes = [shapely.Polygon(part[0], part[1:]).buffer(0) for part in found]
        return rings(shapely.union_all(shapes).difference(shapely.union_all(closed)))

    def bar(self, pose: Pose) -> Bar | None:
        """Why it cannot drive there."""
        if (pose.x, pose.y) == (self.body.x, self.body.y):
            return NO_FARTHER
        return super().bar(pose) or clearance.bar_stop(self.drive, pose.x, pose.y, self.enemy, self.began)

    def end(self, pose: Pose) -> tuple[End, int]:
        """Where a leg leads; it does not turn there if that brought it as near again."""
        found, pivots = super().end(pose)
        if pivots > found.pivots:
            hull = self.body.at(found.x, found.y, pose.heading)
            if min(bodies.gap(hull, near.body) for near in self.enemy) <= self.began:
                return found, found.pivots
        return found, pivots


def escape(battle: BoltBattle, unit: Unit, attacker: Unit) -> Procedure[bool]:
    """A recce vehicle makes off before the attack is measured; every leg must end farther away (D5)."""
    enemy = battle.bodies(attacker)
    began = float(bodies.gaps([battle.hull(unit)], enemy).min())
    trip = vehicles.begin(battle, unit, ADVANCE)
    while True:
        area = EscapeArea(battle, unit, trip, enemy, began)
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


def _way_out(battle: BoltBattle, unit: Unit, area: DriveArea) -> Ask:
    """The question where an escape goes."""
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
        yield from vehicles.good_legs(battle, unit, area, turns=False)

    return Ask(unit.side, f"{name}: escape where?", lambda: list(listed()), rule="16.9", area=lambda: area)
