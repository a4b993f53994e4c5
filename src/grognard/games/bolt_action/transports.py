"""Transports and tows (24): getting in and out, hitching guns, and what is left standing empty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.footing import Footing
from grognard.board.table.places import exactly
from grognard.board.table.ways import SLACK, Ways
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.poses import Pose
from grognard.games.bolt_action import areas, buildings, ground, movement, travel
from grognard.games.bolt_action.areas import FootArea, OnFoot
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import Boarded, GotOut, Hitched
from grognard.games.bolt_action.state import GUN, RUN, Unit
from grognard.kits.table.moving import ask_pose, course_to
from grognard.kits.table.riding import places_about, way_to_hull
from grognard.kits.table.state import ABOARD, ON_TABLE

HAS_RUN = Bar("24.3", "the vehicle was ordered to Run this turn")
NO_ROOM = Bar("24.3", "there isn't room beside the vehicle")


# ---- who may ride (24.1) -----------------------------------------------------------------------------------


def bar_aboard(battle: BoltBattle, unit: Unit, vehicle: Unit) -> Bar | None:
    """Why a unit cannot ride in, or hang behind, a vehicle at all (24.1)."""
    kind = battle.type(vehicle)
    if vehicle.side != unit.side or not kind.transport or battle.type(unit).vehicle:
        return Bar("24.1", "it can't carry this unit", battle.name(vehicle))
    riders = [rider for rider in battle.passengers(vehicle) if rider.id != unit.id]
    if battle.type(unit).artillery:
        if unit.dug_in:
            return Bar("9.7", "a dug-in gun can't move")
        if battle.type(unit).weight not in kind.tow:
            return Bar("24.1", "it can't tow guns of this weight", battle.name(vehicle))
        if any(battle.type(rider).artillery for rider in riders):
            return Bar("24.1", "it is already towing a gun", battle.name(vehicle))
        return None
    men = sum(len(rider.models) for rider in riders if not battle.type(rider).artillery)
    if men + len(unit.models) > kind.transport_capacity:
        return Bar("24.1", f"it has room for {_men(kind.transport_capacity - men)} more", battle.name(vehicle))
    return None


def _men(count: int) -> str:
    return "one man" if count == 1 else f"{count} men" if count else "no man"


def put_aboard(battle: BoltBattle, unit: Unit, vehicle: Unit) -> None:
    """A unit rides in a vehicle, or is hitched to it."""
    unit.status, unit.aboard, unit.building = ABOARD, vehicle.id, ""
    battle.invalidate()


# ---- getting in (24.2, 24.8) -------------------------------------------------------------------------------


def bar_board(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> Bar | None:
    """Why a unit cannot get aboard a vehicle with its move (24.1, 24.2)."""
    if vehicle.status != ON_TABLE:
        return Bar("24.2", "the vehicle isn't on the table", battle.name(vehicle))
    if bar := bar_aboard(battle, unit, vehicle):
        return bar
    if vehicle.moving:
        return Bar("24.2", "the vehicle has moved this turn", battle.name(vehicle))
    if _way_to(battle, unit, vehicle, order) is None:
        return Bar("24.2", "not all its models can end their move within 1″ of the vehicle", battle.name(vehicle))
    return None


def boardable(battle: BoltBattle, unit: Unit, order: str) -> list[Unit]:
    """The vehicles that a unit can board with its move."""
    key = ("boardable", unit.id, order)
    found: list[Unit] | None = battle.cache.get(key)
    if found is None:
        mine = [v for v in battle.units(unit.side) if battle.type(v).transport and v.id != unit.id]
        found = [v for v in mine if bar_board(battle, unit, v, order) is None]
        battle.cache[key] = found
    return found


def _way_to(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> dict[str, list[tuple[int, int]]] | None:
    """A path for each model to within 1 in of a hull, by model id; None if not all can get there.

    A gun too heavy to be moved by hand is hitched where it stands: the tow has come to it.
    """
    hull = battle.hull(vehicle)
    near = battle.charts.distance("movement_figures", "boarding_gap")
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
            if not far or bodies.gap_to_point(hull, x, y) - body.foot.farthest - near > ways.far + SLACK:
                break
            spot = way_to_hull(ways, number, hull, body, near)
            if spot is None:
                break
            paths[model.id] = spot
        else:
            return paths
    return None


def _standing_still(battle: BoltBattle, unit: Unit) -> Ways:
    known = battle.bodies(unit)
    bare = Footing(battle.table, ground.OFF_TABLE)
    return OnFoot([(body.x, body.y) for body in known], [bare] * len(known), 0.0)


def board(battle: BoltBattle, unit: Unit, vehicle: Unit, order: str) -> Procedure[None]:
    """Walk to a transport and get in, or hitch a gun to its tow (24.2, 24.8)."""
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
        return Bar("24.3", "its vehicle isn't on the table")
    # A hit may have turned its die since; it has run all the same.
    if battle.runs(vehicle):
        return HAS_RUN
    return None


def reach_of(battle: BoltBattle, unit: Unit, order: str) -> int:
    """How far from the hull a unit that gets out may be (24.3, 24.8)."""
    if battle.type(unit).artillery:
        return battle.charts.distance("movement_figures", "unhitch_gap")
    return battle.charts.distance("movement_figures", "leave_run" if order == RUN else "leave_advance")


def unhitched(battle: BoltBattle, unit: Unit) -> bool:
    """Whether a gun was unhitched this turn, so that it may not shoot (24.8)."""
    return battle.state.scratch.unhitched.get(unit.id) == battle.state.turn


def area_of(battle: BoltBattle, unit: Unit, order: str) -> FootArea:
    """The poses that a unit can take when it gets out (24.3, 24.8)."""
    key = ("area", unit.id, order)
    found: FootArea | None = battle.cache.get(key)
    if found is None:
        vehicle = battle.unit(unit.aboard)
        rule = "24.8" if battle.type(unit).artillery else "24.3"
        hull = battle.hull(vehicle)
        far = reach_of(battle, unit, order)
        # Its own vehicle is no friend to keep away from.
        ways = areas.ways_off(battle, unit, hull, far, run=order == RUN, rule=rule, but=[vehicle.id])
        remarks = lambda stand: areas.remarks(battle, unit, stand)  # noqa: E731
        found = FootArea(battle, unit, [ways], rule=rule, remarks=remarks)
        battle.cache[key] = found
    return found


def leave(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Ask where a unit gets out, and set it down there (24.3, 24.8)."""
    vehicle = battle.unit(unit.aboard)
    gun = battle.type(unit).artillery
    rule = "24.8" if gun else "24.3"
    prompt = f"{battle.name(unit)}: get out where, within {exactly(reach_of(battle, unit, order), battle.measure)}?"
    pose = yield from ask_pose(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order)),
        lambda: area_of(battle, unit, order),
        rule=rule,
    )
    if not isinstance(pose, Pose):
        return
    paths, headings = course_to(area_of(battle, unit, order), pose)
    for model in unit.models:
        if model.id in paths:
            model.x, model.y = paths[model.id][0]
    unit.status, unit.aboard = ON_TABLE, ""
    if gun:
        battle.state.scratch.unhitched[unit.id] = battle.state.turn
    battle.invalidate()
    battle.emit(GotOut(side=unit.side, unit=unit.id, vehicle=vehicle.id, rules=(rule,)))
    # They are set down, not walked: nobody fires at them before they stand there.
    yield from travel.travel(battle, unit, paths, headings, how="leave", rules=(rule,), at_once=True)


def options(battle: BoltBattle, unit: Unit, order: str) -> Iterator[Option]:
    """To stay aboard, and a few places round the vehicle."""
    yield Option("stay", f"{battle.name(unit)} stays aboard", "stay", unit.id, rule="2.8")
    area = area_of(battle, unit, order)
    hull, far = battle.hull(battle.unit(unit.aboard)), reach_of(battle, unit, order)
    yield from places_about(area, hull, far, battle.measure)


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
    return ["Empty and closer to the enemy than to friends: it would be lost at the end of the turn"]


def _empty(battle: BoltBattle, unit: Unit) -> bool:
    kind = battle.type(unit)
    return kind.vehicle and kind.transport and not kind.weapons and not battle.passengers(unit)
