"""Vehicle manoeuvre (10): legs of pivot and straight drive, reverse, roads, and driving down buildings (25.8)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import shapely

from grognard.board.table import bodies, placement
from grognard.board.table.bodies import Body
from grognard.board.table.drive import Drive, End
from grognard.board.table.places import measured, the
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least
from grognard.core.poses import Pose, length, read_pose
from grognard.games.bolt_action import areas, clearance, collapse, ground, movement, transports, travel
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Rammed
from grognard.games.bolt_action.state import ADVANCE, RUN, Unit

#: Drive there and look along the way, or turn there as well if a pivot is left.
DRIVE, FACE = placement.DriveArea.DRIVE, placement.DriveArea.FACE
#: Less than this left of a move is nothing, in hundredths.
SPENT = 10.0
MOST = 12

TOO_FAR_ROUND = Bar("10.1", "it doesn't have a pivot left to turn that way")
NO_ROOM = Bar("10.2", "its hull doesn't have room to turn there")


class Trip(NamedTuple):
    """A vehicle's move under way: how far it may go, what it has used, and whether it kept to the road so far."""

    order: str
    far: int
    pivots: int
    reverse: bool = False
    used: float = 0.0
    turned: int = 0
    on_road: bool = True

    @property
    def begun(self) -> bool:
        """Whether any of it has been made."""
        return self.used > 0 or self.turned > 0


def begin(battle: BoltBattle, unit: Unit, order: str, *, reverse: bool = False) -> Trip:
    """A fresh move with an order, forward or in reverse (8.2, 10.1, 10.3 to 10.5, 27.8)."""
    kind, figures = battle.type(unit), battle.charts
    rates, pivots = figures.rates[kind.moves_as], figures.pivots[kind.mobility]
    turns = pivots.run if order == RUN else pivots.advance
    if not reverse:
        return Trip(order, rates.run if order == RUN else rates.advance, turns)
    if kind.recce:
        return Trip(order, round(rates.advance * figures["movement_figures"]["recce_reverse_fraction"]), turns, True)
    if order == RUN and battle.has(unit, "turn_on_the_spot"):
        return Trip(order, rates.run, 0, True)
    return Trip(order, round(rates.advance * figures["movement_figures"]["reverse_fraction"]), 0, True)


def _remarks(battle: BoltBattle, unit: Unit, stand: Sequence[Body]) -> list[str]:
    """What is worth knowing before a vehicle goes somewhere."""
    return [*transports.remarks(battle, unit, stand[0]), *areas.remarks(battle, unit, stand)]


class DriveArea(placement.DriveArea):
    """Where one leg of a vehicle's move can go: a pivot toward the point, then straight there (10.2)."""

    off_table = ground.OFF_TABLE
    one_model = Bar("10.2", "a vehicle is one model")
    too_far_round = TOO_FAR_ROUND
    no_room = NO_ROOM
    straight_back = Bar("10.3", "in reverse it goes straight back and can't pivot")

    def __init__(self, battle: BoltBattle, unit: Unit, trip: Trip) -> None:
        self.battle, self.of, self.trip = battle, unit, trip
        road = ground.corridor(battle.table) if trip.on_road else None
        factor = battle.charts.number("movement_figures", "road_factor")
        left = (factor * trip.far if road is not None else trip.far) - trip.used
        body, table = battle.hull(unit), battle.table
        hulls, centres = ground.hull_barriers(battle, unit, body, left, run=trip.order == RUN)
        drive = Drive(
            body,
            [thing.shape for thing in hulls],
            table.width,
            table.height,
            max(0.0, trip.far - trip.used),
            trip.pivots - trip.turned,
            battle.charts.pivots[battle.type(unit).mobility].degrees,
            reverse=trip.reverse,
            corridors=road,
            far_on_road=max(0.0, factor * trip.far - trip.used) if road is not None else 0.0,
            centres=[thing.shape for thing in centres],
        )
        super().__init__(
            unit.id,
            unit.models[0].id,
            drive,
            hulls,
            centres,
            measure=table.measure,
            near=clearance.friends(battle, unit, left),
            # At 1.00 in it may stop, beside friends as beside enemies (8.4).
            gap=battle.charts.distance("movement_figures", "friend_gap") - 2 * bodies.HAIR,
            remarks=partial(_remarks, battle, unit),
            label=f"{battle.name(unit)} drives there",
            rule="10.2",
        )
        self.far_rule = "10.3" if trip.reverse else battle.charts.rates[battle.type(unit).moves_as].rule

    @property
    def spent(self) -> bool:
        """Whether nothing is left of the move."""
        left = self.drive.limits.max() if len(self.drive.limits) else 0.0
        return left < SPENT and self.trip.turned >= self.trip.pivots

    @property
    def on_road(self) -> bool:
        """Whether it stands on a road to which it has kept so far (B8)."""
        road = self.drive.corridors
        return road is not None and bool(shapely.buffer(road, 1).covers(shapely.Point(self.body.x, self.body.y)))

    def cost(self, found: End, pivots: int) -> str:
        """What the move comes to with this leg."""
        used, left = self.trip.used + found.distance, self.trip.pivots - self.trip.turned - pivots
        return f"{length(round(used))} of {self.say(self.trip.far)}, {left} pivot{'' if left == 1 else 's'} left"


# ---- the move ----------------------------------------------------------------------------------------------


def drive(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Ask for leg after leg until the vehicle has done (D2, 10.2, 10.5)."""
    trip = begin(battle, unit, order)
    while True:
        area = DriveArea(battle, unit, trip)
        if trip.begun and area.spent:
            return
        answer = yield _question(battle, unit, trip, area)
        verb, _, word = answer.partition(" ")
        if verb in ("stay", "done"):
            return
        if verb in ("reverse", "forward"):
            trip = begin(battle, unit, order, reverse=verb == "reverse")
        elif verb == "demolish":
            yield from _demolish(battle, unit, area, word)
            return
        elif verb == "exit":
            yield from _exit(battle, unit, area, word)
            return
        else:
            read = read_pose(answer)
            assert read is not None
            gone = yield from leg(battle, unit, area, read[1], how="reverse" if trip.reverse else order)
            if gone is None:
                return
            trip = gone


def _question(battle: BoltBattle, unit: Unit, trip: Trip, area: DriveArea) -> Ask:
    far = measured(max(0.0, trip.far - trip.used), battle.measure)
    word = "reverse" if trip.reverse else "drive"
    on_road = max(0, round(area.drive.far_on_road))
    road = (
        f" ({measured(on_road, battle.measure)} along the road)"
        if on_road > trip.far - trip.used and area.on_road
        else ""
    )
    prompt = f"{battle.name(unit)}: {word} where, up to {far}{road}?"
    return Ask(unit.side, prompt, lambda: list(options(battle, unit, trip, area)), rule="10.2", area=lambda: area)


def leg(
    battle: BoltBattle, unit: Unit, area: DriveArea, pose: Pose, *, how: str, rules: tuple[str, ...] = ()
) -> Procedure[Trip | None]:
    """Drive one leg; what is left of the move, or None if it is over."""
    trip, (found, pivots) = area.trip, area.end(pose)
    model = unit.models[0]
    start = (model.x, model.y)
    heading = area.last_heading(pose, found, pivots)
    if found.distance:
        model.heading = found.heading
        battle.invalidate(unit)
        if trip.reverse and trip.order == RUN and battle.has(unit, "turn_on_the_spot"):
            heading = (found.heading + 180) % 360
            rules = (*rules, "27.8")
    rate = battle.charts.rates[battle.type(unit).moves_as].rule
    cited = (*rules, "10.3" if trip.reverse else rate, *(("10.1",) if pivots else ()))
    path = {model.id: [start, (found.x, found.y)]}
    whole = yield from travel.travel(battle, unit, path, {model.id: heading}, how=how, rules=cited, gone=trip.used)
    if not whole or not battle.alive(unit) or "27.8" in rules:
        return None
    return trip._replace(
        used=trip.used + found.distance,
        turned=trip.turned + pivots,
        on_road=trip.on_road and keeps_to_road(battle, start, (found.x, found.y)),
    )


def keeps_to_road(battle: BoltBattle, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether the centre's way lies on the road (B8)."""
    road = ground.corridor(battle.table)
    if road is None:
        return False
    way: Any = shapely.Point(start) if start == end else shapely.LineString([start, end])
    return bool(shapely.buffer(road, 1).covers(way))


# ---- what to choose from -----------------------------------------------------------------------------------


def options(battle: BoltBattle, unit: Unit, trip: Trip, area: DriveArea) -> Iterator[Option]:
    """What a vehicle can do next, with a handful of good legs."""
    name = battle.name(unit)
    if trip.begun:
        yield Option("done", f"{name} is done", "done", unit.id, rule="10.2")
    else:
        yield Option("stay", f"{name} stays", "stay", unit.id, rule="2.8")
        if trip.reverse:
            yield Option("forward", "Forward instead", "forward", unit.id, rule="10.5")
        else:
            yield Option("reverse", "In reverse instead", "reverse", unit.id, rule="10.3")
    for piece in rammable(battle, unit, trip, area):
        title = the(battle.table, piece)
        yield Option(f"demolish {piece.id}", f"Drive down {title}", "demolish", unit.id, target=piece.id, rule="25.8")
    for edge in exits(battle, unit, area):
        yield Option(f"exit {edge}", f"Leave the table over its {edge} edge", "exit", unit.id, rule="8.5")
    yield from good_legs(battle, unit, area)


def good_legs(battle: BoltBattle, unit: Unit, area: DriveArea, *, turns: bool = True) -> Iterator[Option]:
    """A few legs worth choosing: toward what matters, and turns on the spot where a pivot is left."""
    body, trip, limits = area.body, area.trip, area.drive.limits
    back = 180 if trip.reverse else 0
    wanted: list[tuple[str, int, float]] = []
    ahead = (body.heading + back) % 360
    wanted.append(("straight on" if not trip.reverse else "straight back", ahead, math.inf))
    for label, x, y, short in _goals(battle, unit, body):
        course = round(bodies.bearing(body.x, body.y, x, y)) % 360
        wanted.append((label, course, math.hypot(x - body.x, y - body.y) - short))
    wanted += [
        (f"at {by}° to the {side}", (ahead + sign * by) % 360, math.inf)
        for by in (45, 90)
        for sign, side in ((1, "right"), (-1, "left"))
    ]
    seen: set[str] = set()
    for part in (1.0, 0.5):
        for label, course, most in wanted:
            far = min(float(limits[course]) * part, most)
            if far < 50 or len(seen) >= MOST:
                continue
            # Beside something that it just clears a hundredth less may be wanted.
            ends = (bodies.onward(body.x, body.y, course, far - less) for less in (0, 1))
            poses = (Pose(x, y, (course + back) % 360, DRIVE) for x, y in ends)
            pose = next((pose for pose in poses if area.bar(pose) is None), None)
            if pose is not None and pose.key() not in seen:
                seen.add(pose.key())
                gone = measured(math.hypot(pose.x - body.x, pose.y - body.y), battle.measure)
                yield Option(pose.key(), f"{gone} {label}", "pose", unit.id, pose.place, cost=gone, rule="10.2")
    if turns and trip.pivots > trip.turned:
        for by in (45, 90, 270, 315):
            pose = Pose(body.x, body.y, (body.heading + by) % 360, DRIVE)
            if area.turn(pose.heading) is None:
                text = f"turn to {pose.heading}°"
                yield Option(pose.key(), text, "pose", unit.id, pose.place, cost="1 pivot", rule="10.1")


def _goals(battle: BoltBattle, unit: Unit, body: Body) -> list[tuple[str, float, float, float]]:
    found = [(f"toward {o.called}", float(o.x), float(o.y), 0.0) for o in battle.scenario.objectives[:2]]
    foes = [foe for foe in battle.enemies(unit.side) if foe.models]
    foes.sort(key=lambda foe: (math.hypot(foe.models[0].x - body.x, foe.models[0].y - body.y), foe.n))
    found += [(f"toward {battle.name(f)}", float(f.models[0].x), float(f.models[0].y), 500.0) for f in foes[:2]]
    return found


# ---- buildings in the way (25.8), and off the table (8.5) --------------------------------------------------


def rammable(battle: BoltBattle, unit: Unit, trip: Trip, area: DriveArea) -> list[Any]:
    """The buildings that a heavy tank can drive down from here (25.8)."""
    if trip.order != ADVANCE or trip.reverse or battle.type(unit).damage_class not in HEAVY:
        return []

    table = battle.table
    found = []
    for piece in table.pieces:
        if table.kind(piece).ground == ground.BUILDING and piece.soft and not battle.inside(piece.id):
            if course_into(battle, area, piece) is not None:
                found.append(piece)
    return found


HEAVY = ("heavy_tank", "super_heavy_tank")


def course_into(battle: BoltBattle, area: DriveArea, piece: Any) -> int | None:
    """The course on which a hull comes into contact with a building before anything else; None if there is none."""
    shape = battle.table.area(piece)
    middle = shape.centroid
    body, limits = area.body, area.drive.limits
    tried = (round(bodies.bearing(body.x, body.y, middle.x, middle.y)) % 360, body.heading)
    if shape.distance(shapely.Point(body.x, body.y)) > float(limits.max()) + body.foot.farthest + 3:
        return None
    for course in tried:
        if course in area.drive.courses:
            ux, uy = bodies.direction(course)
            far = float(limits[course])
            there = body.at(round(body.x + ux * far), round(body.y + uy * far), course)
            if bodies.shape(there).distance(shape) <= 2 * bodies.CONTACT:
                return course
    return None


def _demolish(battle: BoltBattle, unit: Unit, area: DriveArea, id: str) -> Procedure[None]:
    """Drive into a building; it comes down, or the tank is immobilised (25.8)."""
    piece = battle.table.by_id[id]
    course = course_into(battle, area, piece)
    assert course is not None
    far = float(area.drive.limits[course])
    ux, uy = bodies.direction(course)
    x, y = round(area.body.x + ux * far), round(area.body.y + uy * far)
    if (x, y) != (area.body.x, area.body.y) and area.drive.contains(x, y):
        left = yield from leg(battle, unit, area, Pose(x, y, course, DRIVE), how=ADVANCE, rules=("25.8",))
        if left is None:
            return
    needed = battle.charts.number("buildings", "demolish_needed")
    down: bool = battle.roll(unit.side, "driving down a building", "1d6", at_least(needed), ("25.8",), unit=unit.id)
    battle.emit(Rammed(side=unit.side, unit=unit.id, piece=id, down=down, rules=("25.8",)))
    if down:
        collapse.make_rough(battle, id)
    else:
        unit.immobilised = True
    battle.invalidate()


def exits(battle: BoltBattle, unit: Unit, area: DriveArea) -> list[str]:
    """The edges that the vehicle can drive off over, straight on from where it looks."""
    if area.trip.reverse:
        return []
    return [edge for edge in movement.exit_edges(battle, unit) if _off_over(battle, area, edge) is not None]


def _off_over(battle: BoltBattle, area: DriveArea, edge: str) -> tuple[int, float] | None:
    """The course and the distance at which the hull's front comes to an edge."""
    straight = {"top": 0, "right": 90, "bottom": 180, "left": 270}[edge]
    table = battle.table
    for course in (area.body.heading, straight):
        far = float(area.drive.limits[course])
        if course not in area.drive.courses:
            continue
        ux, uy = bodies.direction(course)
        there = area.body.at(round(area.body.x + ux * far), round(area.body.y + uy * far), course)
        corners = bodies.corners(there)
        room = {
            "top": corners[:, 1].min(),
            "bottom": table.height - corners[:, 1].max(),
            "left": corners[:, 0].min(),
            "right": table.width - corners[:, 0].max(),
        }[edge]
        if room <= 3:
            return course, far
    return None


def _exit(battle: BoltBattle, unit: Unit, area: DriveArea, edge: str) -> Procedure[None]:
    found = _off_over(battle, area, edge)
    assert found is not None
    course, far = found
    ux, uy = bodies.direction(course)
    x, y = round(area.body.x + ux * (far - 1)), round(area.body.y + uy * (far - 1))
    if far > 2 and area.drive.contains(x, y):
        left = yield from leg(battle, unit, area, Pose(x, y, course, DRIVE), how=area.trip.order)
        if left is None:
            return
    movement.off_table(battle, unit, edge)
