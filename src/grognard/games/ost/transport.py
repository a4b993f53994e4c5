"""Transport: loading and unloading are the passenger's own Move (79)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Bar, Option, Procedure
from grognard.games.ost import control, move_events, stacking, terrain, vehicle_movement
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, ON_MAP, Unit
from grognard.games.ost.terrain import say_points
from grognard.games.ost.travel import Travel

NO_VEHICLE = Bar("79.11", "the vehicle isn't in its hex")
NO_RIDERS = Bar("79.1", "this vehicle carries nothing")
NOT_CARRIED = Bar("79.1", "only squads, single persons and crewed weapons can ride")
FULL = Bar("79.3", "the vehicle already carries a unit")
LOADED_THIS_TURN = Bar("75.2", "it loaded this turn, and a unit moves only once a turn")
TOO_FEW_POINTS = Bar("79.9", "it has too few Movement Points to unload here")
NOT_ABOARD = Bar("79.2", "it isn't riding on a vehicle")
HIDDEN_VEHICLE = Bar("73.6", "the vehicle is hidden")

ONE_POINT = 2  # a unit with a single Movement Point loads and unloads with all it has (79.9)


def _points(battle: OstBattle, name: str) -> int:
    return int(2 * battle.charts["movement"][name])


def bar_ride(battle: OstBattle, unit: Unit, vehicle: Unit) -> Bar | None:
    """Why a vehicle cannot carry a unit (79.1, 79.3, 79.11)."""
    kind, carrier = battle.type(unit), battle.type(vehicle)
    if vehicle.status != ON_MAP or vehicle.hex != unit.hex or vehicle.side != unit.side or not carrier.vehicle:
        return NO_VEHICLE
    if carrier.no_riders:
        return NO_RIDERS
    if not (kind.squad or kind.crewed or kind.leader):
        return NOT_CARRIED
    if vehicle.hidden:
        return HIDDEN_VEHICLE
    return FULL if battle.passenger(vehicle) is not None else None


def load_points(battle: OstBattle, unit: Unit, left: int, first: bool, whole: int) -> int | None:
    """What loading costs a passenger with so many half points left (79.8); None if he cannot pay.

    He pays for leaving a Bunker, Pillbox or building as well (28.5, 29.5, M-14). ``first``: it is the first thing
    he does. Whoever has one Movement Point or none uses all he has (79.9, 79.10).
    """
    price = _points(battle, "load_mp")
    if unit.inside and (work := terrain.shelter(battle, unit.side, unit.hex)) is not None:
        price += terrain.door_points(battle, work, leaving=True)
    if not unit.on_road and terrain.road_and_structure(battle, unit.hex):
        price += terrain.inside_cost(battle, unit, road=True)
    if left >= price:
        return price
    return left if first and whole <= ONE_POINT else None


def load(battle: OstBattle, unit: Unit, vehicle: Unit) -> None:
    """A unit and its Leader climb aboard (79.2, 79.8)."""
    for each in stacking.company(battle, unit):
        each.aboard, each.loaded, each.inside, each.on_road = vehicle.id, True, False, vehicle.on_road
    battle.emit(move_events.Loaded(side=unit.side, unit=unit.id, vehicle=vehicle.id, rules=("79.8",)))


def unload_points(battle: OstBattle, unit: Unit, road: bool = False) -> int:
    """What unloading costs: 1 MP and the cost of the hex (79.9)."""
    return _points(battle, "unload_mp") + terrain.inside_cost(battle, unit, road)


def bar_unload(battle: OstBattle, unit: Unit, road: bool = False) -> Bar | None:
    """Why a passenger may not unload, onto the road or into the building where there is a choice (79.9, X-1)."""
    if not unit.aboard:
        return NOT_ABOARD
    if unit.morale == BROKEN:
        return Bar("68.6", "Broken units can't unload")
    if unit.loaded:
        return LOADED_THIS_TURN
    structure = bool(battle.terrain(unit.hex).structure)
    if structure and not road and battle.type(unit).no_structures:
        return terrain.TOO_LARGE
    if bar := stacking.bar_alone(battle, unit):
        return bar
    whole = battle.allowance(unit)
    return None if whole <= ONE_POINT or whole >= unload_points(battle, unit, road) else TOO_FEW_POINTS


def unload(battle: OstBattle, unit: Unit, road: bool = False) -> Procedure[None]:
    """A passenger gets off in the vehicle's hex: it has moved, sets its arc, and takes a control hex (79.9-79.12)."""
    vehicle = unit.aboard
    dual = terrain.road_and_structure(battle, unit.hex)
    for each in battle.at[unit.hex]:
        if each is unit or each.attached == unit.id:
            each.aboard, each.new_hex, each.on_road = "", True, dual and road
    battle.emit(move_events.Unloaded(side=unit.side, unit=unit.id, vehicle=vehicle, rules=("79.9", "79.11")))
    if battle.type(unit).covered_arc:
        yield from vehicle_movement.choose_facing(battle, unit, "79.12")
    control.capture(battle, unit)


# ---- as part of a Move -------------------------------------------------------------------------------------


def load_options(move: Travel, unit: Unit) -> Iterator[Option]:
    """Every vehicle in its hex that a mover may load onto (79.8)."""
    battle = move.battle
    points = load_points(battle, unit, move.left[0], move.fresh, move.pools[0])
    if points is None:
        return
    for vehicle in battle.at[unit.hex]:
        if battle.kinds[vehicle.kind].vehicle and bar_ride(battle, unit, vehicle) is None:
            label = f"Load onto {battle.name(vehicle)}"
            cost = f"{say_points(points)} MP"
            yield Option(f"load {vehicle.id}", label, "load", unit.id, unit.hex, vehicle.id, cost=cost, rule="79.8")


def unload_options(move: Travel, unit: Unit) -> Iterator[Option]:
    """How a passenger may get off: onto the road or into the building where there is a choice (79.9, X-1)."""
    battle = move.battle
    choices = (("", False),)
    if terrain.road_and_structure(battle, unit.hex):
        choices = ((" road", True), (" building", False))  # type: ignore[assignment]
    for word, road in choices:
        if bar_unload(battle, unit, road) is None:
            points = min(unload_points(battle, unit, road), move.pools[0])
            cost = f"{say_points(points)} MP"
            where = {" road": " onto the road", " building": " into the building"}.get(word, "")
            yield Option(f"unload{word}", f"Unload{where}", "unload", unit.id, unit.hex, cost=cost, rule="79.9")
