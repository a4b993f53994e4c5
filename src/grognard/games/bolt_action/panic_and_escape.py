"""Flight: the panic move (4.4, 4.6, 4.7), and a recce vehicle's escape (16.9, 16.10)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely

from grognard.board.table import bodies, clearance
from grognard.board.table.bodies import Body
from grognard.board.table.drive import Drive, End
from grognard.board.table.places import told
from grognard.board.table.reach import rings
from grognard.board.table.routes import ALIKE, poses_away
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Polygon, Pose, read_pose
from grognard.games.bolt_action import line_of_sight, movement, vehicles
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import ADVANCE, RUN, Unit
from grognard.games.bolt_action.vehicles import DriveArea, Trip
from grognard.kits.table.moving import ask_pose
from grognard.kits.table.state import ON_TABLE

#: End positions nearer to each other than this are one choice.
SAME = 100.0
#: After every so many hundredths of its way a vehicle that panics is tried in a turn.
TURN_EVERY = 200.0

NO_FARTHER = Bar("16.9", "an escape must end farther from the attacker than it started")


def panic(battle: BoltBattle, unit: Unit) -> Procedure[bool]:
    """Run as far as possible from the closest visible enemy; False if it sees none or cannot move (D11)."""
    seen = [foe for foe in battle.enemies(unit.side) if line_of_sight.sees(battle, unit, foe)]
    if not seen or unit.immobilised or unit.status != ON_TABLE or movement.bar_by_itself(battle, unit, RUN) is not None:
        return False
    foe = min(seen, key=lambda one: (battle.gap(unit, one), one.n))
    if battle.type(unit).vehicle:
        return (yield from _flee_by_wheel(battle, unit, foe))
    area = movement.area_of(battle, unit, RUN)
    # In thought it matters only roughly where.
    farthest = poses_away(area, battle.bodies(foe), most=None, roughly=battle.in_playout)
    if not farthest:
        return False
    pose = farthest[0]
    if len(farthest) > 1:
        choices = [_flee_to(battle, unit, p) for p in farthest]
        prompt = f"{battle.name(unit)} panics: flee where?"
        answer = yield from ask_pose(unit.side, prompt, choices, None, rule="4.7", meanwhile=choices[0].key)
        assert isinstance(answer, Pose)
        pose = answer
    yield from movement.go(battle, unit, area, pose, how="panic", rules=("4.4", "4.7"))
    return True


def _flee_to(battle: BoltBattle, unit: Unit, pose: Pose) -> Option:
    where = told(battle.table, pose.x, pose.y)
    return Option(pose.key(), f"flee to {where}", "pose", unit.id, pose.place, rule="4.7")


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
    tried.sort(key=lambda one: -one.gap)
    best = next((one.gap for one in tried if areas[one.reverse].bar(one.legs[0]) is None), 0.0)
    # Of ways that come to the same the one with fewer legs is listed.
    kept: list[Flight] = []
    for one in sorted(tried, key=lambda one: (len(one.legs), -one.gap, one.legs)):
        far = all(math.dist(one.legs[-1][:2], other.legs[-1][:2]) >= SAME for other in kept)
        if one.gap >= best - ALIKE and far and areas[one.reverse].bar(one.legs[0]) is None:
            kept.append(one)
    if not kept:
        return False
    chosen = kept[0]
    if len(kept) > 1:
        ends = {one.legs[-1].key(): one for one in kept}
        choices = [_flee_to(battle, unit, one.legs[-1]) for one in ends.values()]
        prompt = f"{battle.name(unit)} panics: flee where?"
        chosen = ends[(yield Ask(unit.side, prompt, choices, rule="4.7", meanwhile=choices[0].key))]
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
    for gap, pose in _legs(area, drive, enemy):
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
        for gap, pose in _legs(area, on, enemy, wide=5):
            yield Flight(gap, trip.reverse, (first, pose))


def _legs(area: DriveArea, drive: Drive, enemy: Sequence[Body], wide: int = 1) -> Iterator[tuple[float, Pose]]:
    """Legs on every course, or every fifth, each with its distance from the enemy.

    All the way, parts of it, and as far as it may go before it would stop too near to a friend (8.4).
    """
    body = drive.body
    for course in list(drive.courses)[::wide]:
        far = float(drive.limits[course])
        closed = clearance.stretches(drive, course, area.near, area.gap)
        for way in (far, far * 0.75, far * 0.5, far * 0.25, *(stretch.start - 2 for stretch in closed)):
            if not 99 <= way <= far or any(one.start - 1 <= way <= one.end + 1 for one in closed):
                continue
            pose = Pose(*bodies.onward(body.x, body.y, course, way), course, vehicles.DRIVE)
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
    name, trip = battle.name(unit), area.trip

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

    def somewhere() -> str:
        """Odds take the first good way that there is."""
        legs = vehicles.good_legs(battle, unit, area, turns=False)
        return "done" if trip.begun else next((leg.key for leg in legs), "stay")

    return Ask(
        unit.side,
        f"{name}: escape where?",
        lambda: list(listed()),
        rule="16.9",
        area=lambda: area,
        meanwhile=somewhere,
    )
