"""Transports and tows (24): getting in and out, hitching guns, and what is left standing empty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.places import exactly, measured
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import read_pose
from grognard.games.bolt_action import areas, ground, travel
from grognard.games.bolt_action.areas import FootArea, OnFoot, Placed, Ways, Zone
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Boarded, GotOut, Hitched
from grognard.games.bolt_action.state import ABOARD, GUN, ON_TABLE, RUN, Unit

#: Riders come out onto the ground beside the hull, this far from it at least.
BESIDE = 2.0

#: Under these the memory of a battle keeps the turn in which a gun was unhitched, and that of a vehicle's last Run.
UNHITCHED, RAN = "unhitched", "ran"

#: Where a place is, seen from a vehicle: by degrees from where it looks.
SIDES = {
    0: "ahead of it",
    45: "ahead on its right",
    90: "on its right",
    135: "behind on its right",
    180: "behind it",
    225: "behind on its left",
    270: "on its left",
    315: "ahead on its left",
}

HAS_RUN = Bar("24.3", "the vehicle has carried out a Run this turn")
NO_ROOM = Bar("24.3", "there is no room beside the vehicle")


# ---- who may ride (24.1) -----------------------------------------------------------------------------------


def bar_aboard(battle: BoltBattle, unit: Unit, vehicle: Unit) -> Bar | None:
    """Why a unit cannot ride in, or hang behind, a vehicle at all (24.1)."""
    kind = battle.type(vehicle)
    if vehicle.side != unit.side or not kind.transport or battle.type(unit).vehicle:
        return Bar("24.1", "it is no transport for this unit", battle.say(vehicle))
    riders = [rider for rider in battle.passengers(vehicle) if rider.id != unit.id]
    if battle.type(unit).artillery:
        if unit.dug_in:
            return Bar("9.7", "a gun that is dug in cannot be moved")
        if battle.type(unit).weight not in kind.tow:
            return Bar("24.1", "it does not tow guns of this weight", battle.say(vehicle))
        if any(battle.type(rider).artillery for rider in riders):
            return Bar("24.1", "it tows a gun already", battle.say(vehicle))
        return None
    men = sum(len(rider.models) for rider in riders if not battle.type(rider).artillery)
    if men + len(unit.models) > kind.transport_capacity:
        return Bar("24.1", f"it has room for {_men(kind.transport_capacity - men)} more", battle.say(vehicle))
    return None


def _men(count: int) -> str:
    return "one man" if count == 1 else f"{count} men" if count else "no man"


def put_aboard(battle: BoltBattle, unit: Unit, vehicle: Unit) -> None:
    """A unit rides in a vehicle, or is hitched to it."""
    unit.status, unit.aboard, unit.building = ABOARD, vehicle.id, ""
    battle.touched()


# ---- getting in (24.2, 24.8) -------------------------------------------------------------------------------


def bar_board(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> Bar | None:
    """Why a unit cannot get aboard a vehicle with its move (24.1, 24.2)."""
    if vehicle.status != ON_TABLE:
        return Bar("24.2", "the vehicle is not on the table", battle.say(vehicle))
    if bar := bar_aboard(battle, unit, vehicle):
        return bar
    if vehicle.moving:
        return Bar("24.2", "the vehicle has moved this turn", battle.say(vehicle))
    if _way_to(battle, unit, vehicle, order) is None:
        return Bar("24.2", "not every model can end its move within 1″ of the vehicle", battle.say(vehicle))
    return None


def boardable(battle: BoltBattle, unit: Unit, order: str) -> list[Unit]:
    """The vehicles that a unit can board with its move."""
    key = ("boardable", unit.id, order)
    found: list[Unit] | None = battle.memo.get(key)
    if found is None:
        mine = [v for v in battle.units(unit.side) if battle.type(v).transport and v.id != unit.id]
        found = [v for v in mine if bar_board(battle, unit, v, order) is None]
        battle.memo[key] = found
    return found


def _way_to(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> dict[str, list[tuple[int, int]]] | None:
    """A path for each model to within 1 in of a hull, by model id; None if not all can get there.

    A gun too heavy to be moved by hand is hitched where it stands: the tow has come to it.
    """
    from grognard.games.bolt_action import movement

    hull = battle.hull(vehicle)
    near = battle.figures.distance("movement_figures", "boarding_gap")
    far = movement.rate(battle, unit, order)
    ways_list = movement.ways_of(battle, unit, order) if far else [_standing_still(battle, unit)]
    for ways in ways_list:
        paths: dict[str, list[tuple[int, int]]] = {}
        gun = battle.type(unit).artillery
        for number, (model, body) in enumerate(zip(unit.models, battle.bodies(unit))):
            x, y = ways.starts[number]
            start = (round(x), round(y))
            # A crew goes with its gun: the gun must get there.
            crew = gun and model.role != GUN
            if crew or (not unit.building and bodies.gap(body, hull) <= near + bodies.HAIR):
                paths[model.id] = [start, start]
                continue
            if not far or bodies.gap_to_point(hull, x, y) - body.foot.farthest - near > ways.far + areas.SLACK:
                break
            spot = _beside(ways, number, hull, body, near)
            if spot is None:
                break
            paths[model.id] = spot
        else:
            return paths
    return None


def _standing_still(battle: BoltBattle, unit: Unit) -> Ways:
    known = battle.bodies(unit)
    bare = ground.Ground(battle.table)
    return OnFoot([(body.x, body.y) for body in known], [bare] * len(known), 0.0)


def _beside(ways: Ways, number: int, hull: Body, body: Body, near: float) -> list[tuple[int, int]] | None:
    """The shortest way of a model to where it is within a gap of a hull; nobody minds friends there (8.4)."""
    x, y = ways.starts[number]
    rim = bodies.shape(hull, body.foot.farthest + near - 2).exterior
    nearest = rim.interpolate(rim.project(shapely.Point(x, y)))
    points = [(nearest.x, nearest.y)]
    points += [(p.x, p.y) for p in (rim.interpolate(i / 24, normalized=True) for i in range(24))]
    return ways.way_to(number, np.array(points, dtype=np.float64))


def board(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> Procedure[None]:
    """Walk to a transport and get in, or hitch a gun to its tow (24.2, 24.8)."""
    from grognard.games.bolt_action import buildings

    paths = _way_to(battle, unit, vehicle, order)
    assert paths is not None
    buildings.step_out(battle, unit)
    rules = ("24.8",) if battle.type(unit).artillery else ("24.2",)
    whole = yield from travel.travel(battle, unit, paths, {}, how=order, rules=rules)
    # An ambush on the way may have left nothing to board.
    if not whole or vehicle.status != ON_TABLE:
        return
    unit.moved, unit.moving = battle.state.turn, True
    put_aboard(battle, unit, vehicle)
    event = Hitched if battle.type(unit).artillery else Boarded
    battle.emit(event(side=unit.side, unit=unit.id, vehicle=vehicle.id, rules=rules))


# ---- getting out (24.3, 24.8) ------------------------------------------------------------------------------


def bar_leave(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit cannot get out of its vehicle with an order (24.3)."""
    vehicle = battle.unit(unit.aboard)
    if vehicle.status != ON_TABLE:
        return Bar("24.3", "its vehicle is not on the table")
    # A hit may have turned its die since; it has run all the same.
    if vehicle.moving and (vehicle.die == RUN or battle.state.memory.get(RAN, {}).get(vehicle.id) == battle.state.turn):
        return HAS_RUN
    return None


def reach_of(battle: BoltBattle, unit: Unit, order: str) -> int:
    """How far from the hull a unit that gets out may be (24.3, 24.8)."""
    if battle.type(unit).artillery:
        return battle.figures.distance("movement_figures", "unhitch_gap")
    return battle.figures.distance("movement_figures", "leave_run" if order == RUN else "leave_advance")


def unhitched(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a gun was unhitched this turn, so that it may not shoot (24.8)."""
    return bool(battle.state.memory.get(UNHITCHED, {}).get(unit.id) == battle.state.turn)


def ways_off(
    battle: BoltBattle,
    unit: Unit,
    hull: Body,
    far: float,
    *,
    run: bool,
    rule: str,
    but: Sequence[str] = (),
    gone: bool = False,
) -> Placed:
    """Where each model may be set down within a distance of a hull, or where it was if it is ``gone``."""
    source = bodies.shape(hull)
    known = battle.bodies(unit)
    outside = Bar(rule, f"it is set down within {exactly(far)} of the vehicle")
    starts = shapely.get_coordinates(source)
    zones: dict[float, tuple[Zone, ground.Ground]] = {}
    gun = next((b.foot.farthest for m, b in zip(unit.models, known) if m.role == GUN), 0.0)
    for body in known:
        radius = body.foot.farthest
        if radius not in zones:
            # A crew stands about its gun: it may be as far out as the gun's size makes it.
            room = far + (2 * gun if body.foot.shape == bodies.DISC and gun else 0)
            over = ground.for_model(battle, unit, starts, radius, room + 200, run=run, placed=True, but=but)
            not_here = shapely.Polygon() if gone else source.buffer(radius + BESIDE)
            region = _region(battle, over, source.buffer(room + radius, quad_segs=32), not_here)
            zones[radius] = (Zone(region), over)
    picked = [zones[body.foot.farthest] for body in known]
    return Placed(source, [zone for zone, _ in picked], [over for _, over in picked], far, outside)


def _region(battle: BoltBattle, over: ground.Ground, room: Any, not_here: Any) -> Any:
    """A region without what is blocked, where nobody may stop, and what is under the hull."""
    table = battle.table
    closed = [over.shape(number) for number in range(len(over.bars))]
    if over.no_end is not None:
        closed.append(over.no_end)
    region = room.intersection(shapely.box(0, 0, table.width, table.height)).difference(not_here)
    return region.difference(shapely.union_all(closed)) if closed else region


def area_of(battle: BoltBattle, unit: Unit, order: str) -> FootArea:
    """The poses that a unit can take when it gets out (24.3, 24.8)."""
    key = ("area", unit.id, order)
    found: FootArea | None = battle.memo.get(key)
    if found is None:
        vehicle = battle.unit(unit.aboard)
        rule = "24.8" if battle.type(unit).artillery else "24.3"
        hull = battle.hull(vehicle)
        far = reach_of(battle, unit, order)
        # Its own vehicle is no friend to keep away from.
        ways = ways_off(battle, unit, hull, far, run=order == RUN, rule=rule, but=[vehicle.id])
        remarks = lambda stand: areas.remarks(battle, unit, stand)  # noqa: E731
        found = FootArea(battle, unit, [ways], rule=rule, remarks=remarks)
        battle.memo[key] = found
    return found


def leave(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Ask where a unit gets out, and set it down there (24.3, 24.8)."""
    vehicle = battle.unit(unit.aboard)
    gun = battle.type(unit).artillery
    rule = "24.8" if gun else "24.3"
    prompt = f"{battle.say(unit)}: get out where, within {exactly(reach_of(battle, unit, order))}?"
    answer = yield Ask(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order)),
        rule=rule,
        area=lambda: area_of(battle, unit, order),
    )
    if answer == "stay":
        return
    read = read_pose(answer)
    assert read is not None
    area, pose = area_of(battle, unit, order), read[1]
    ends = area.ends(pose)
    paths = {unit.models[n].id: area.ways[0].path(n, end) for n, end in ends.items()}
    for number in ends:
        unit.models[number].x, unit.models[number].y = paths[unit.models[number].id][0]
    unit.status, unit.aboard = ON_TABLE, ""
    if gun:
        battle.state.memory.setdefault(UNHITCHED, {})[unit.id] = battle.state.turn
    battle.touched()
    battle.emit(GotOut(side=unit.side, unit=unit.id, vehicle=vehicle.id, rules=(rule,)))
    headings = {unit.models[n].id: pose.heading for n in ends}
    # They are set down, not walked: nobody fires at them before they stand there.
    yield from travel.travel(battle, unit, paths, headings, how="leave", rules=(rule,), at_once=True)


def options(battle: BoltBattle, unit: Unit, order: str) -> Iterator[Option]:
    """To stay aboard, and a few places round the vehicle."""
    yield Option("stay", f"{battle.say(unit)} stays aboard", "stay", unit.id, rule="2.8")
    area = area_of(battle, unit, order)
    yield from places_about(battle, unit, area, battle.hull(battle.unit(unit.aboard)), reach_of(battle, unit, order))


def places_about(
    battle: BoltBattle, unit: Unit, area: FootArea, hull: Body, far: float, *, most: int = 12
) -> Iterator[Option]:
    """A few poses round a hull: as far out as may be, half as far, and close by."""
    from grognard.core.poses import Pose

    shown: set[str] = set()
    own = max(body.foot.farthest for body in battle.bodies(unit))
    for part in (1.0, 0.5, 0.0):
        for by in (0, 90, 180, 270, 45, 135, 225, 315):
            course = (hull.heading + by) % 360
            for form in area.names:
                offsets = area.offsets(form, course)
                wide = max(math.hypot(x, y) for x, y in offsets)
                ux, uy = bodies.direction(course)
                edge = _half(hull, course)
                out = edge + own + 6 if part == 0.0 else edge + max(own + 6, far * part - wide - own)
                pose = Pose(round(hull.x + ux * out), round(hull.y + uy * out), course, form)
                ends = area.ends(pose)
                if area.bar_stand(pose, ends) is None and area.way(ends) is not None:
                    if pose.key() not in shown:
                        shown.add(pose.key())
                        label = f"{measured(out - edge)} {SIDES[by]}"
                        yield Option(pose.key(), label, "pose", unit.id, pose.place, rule=area.rule)
                    break
            if len(shown) >= most:
                return


def _half(hull: Body, course: int) -> float:
    """How far a hull goes from its middle on a course, at most."""
    angle = math.radians(bodies.off(hull.heading, course))
    long, wide = hull.foot.length / 2, hull.foot.width / 2
    return min(hull.foot.farthest, abs(math.cos(angle)) * long + abs(math.sin(angle)) * wide)


# ---- standing empty (24.7) ---------------------------------------------------------------------------------


def stranded(battle: BoltBattle) -> list[Unit]:
    """The empty transports without weapons that are nearer to an enemy unit than to any friend: lost at the turn's end.

    Other empty transports are no friends here (24.7).
    """
    empty = [unit for unit in battle.units() if _empty(battle, unit)]
    return [unit for unit in empty if _among_enemies(battle, unit, battle.hull(unit))]


def _among_enemies(battle: BoltBattle, unit: Unit, hull: Body) -> bool:
    """Whether an empty transport is, or would be, nearer to an enemy than to any friend that counts (24.7)."""

    def nearest(others: Iterable[Unit]) -> float:
        return min((float(bodies.gaps([hull], battle.bodies(other)).min()) for other in others), default=math.inf)

    friends = [one for one in battle.units(unit.side) if one.id != unit.id and not _empty(battle, one)]
    return nearest(battle.enemies(unit.side)) < nearest(friends)


def remarks(battle: BoltBattle, unit: Unit, hull: Body) -> list[str]:
    """What is worth knowing before a transport goes somewhere: empty and among the enemy it would be lost (24.7)."""
    if not _empty(battle, unit) or not _among_enemies(battle, unit, hull):
        return []
    return ["Empty and nearer to the enemy than to friends: it would be lost at the end of the turn"]


def _empty(battle: BoltBattle, unit: Unit) -> bool:
    kind = battle.type(unit)
    return kind.vehicle and kind.transport and not kind.weapons and not battle.passengers(unit)
