"""Transport: when to get on and when to get off (79)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.ost import transport
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import GOOD, Unit
from grognard.games.ost.tactics.assignments import GRAB, LEAVE

if TYPE_CHECKING:
    from grognard.games.ost.tactics.impulse import Commander

#: What a Move on foot brings those whose vehicle goes no further, as a part of what they are sent for.
ON_FOOT = 0.5


def unload(commander: Commander, unit: Unit) -> tuple[float, str]:
    """What getting off is worth: near the goal or under fire, not on the march."""
    position, battle, assignments = commander.position, commander.battle, commander.assignments
    carrier = battle.unit(unit.aboard)
    given = assignments.given().get(unit.id)
    piece = position.piece(unit)
    aim = 0.5 * position.aim(piece, unit.hex)
    crowd = commander.moves.later * piece.worth
    walking = position.danger(unit.hex, position.guard(unit, unit.hex) + 1)[0] * crowd
    riding = position.armor_danger(carrier, unit.hex, carrier.facing)[0] * crowd * 0.6
    ride = assignments.of(carrier)
    silent = 0.3 * position.aim(position.piece(carrier), unit.hex, carrier.facing)
    if ride is not None and ride.kind == LEAVE:
        enemies = position.near(unit.hex, 3, position.enemy)
        return aim + silent - 0.8 - walking + riding + 0.1 * enemies, "stays with its vehicle"
    if given is None:
        return aim - walking + riding + silent - 0.3, "gets off"
    post, weight = given
    kind, goal = piece.kind, post.hex
    afoot = assignments.way("foot", goal).hexes.get(unit.hex, 200)
    ride_type = battle.kinds[carrier.kind].move_type
    ridden = assignments.way(ride_type, goal).hexes.get(unit.hex, afoot)
    move = 2 * int(kind.move) if kind.move != "T" else 1
    by_foot, by_ride = afoot / max(move, 1), ridden / max(assignments.whole(carrier), 1) + 0.7
    gain = weight * 0.7 * (by_ride - by_foot) / (position.turns + 1)
    if kind.guns:  # a gun is of use where it has something to fire at
        gain = 0.6 * aim - 0.3 + commander.approaches.field(battle, unit.side, unit.hex, kind.reach)
    elif afoot == 0 and not position.held(unit.hex) and unit.morale == GOOD:
        gain += GRAB * post.want
    elif gain < 0 and _stands(commander, carrier):
        gain = ON_FOOT * weight * min(by_foot, 1.0) / (position.turns + 1)
    worth = gain + aim - walking + riding + silent
    return worth, f"gets off {_moves(by_foot)} from {goal}"


def _stands(commander: Commander, carrier: Unit) -> bool:
    """Whether a vehicle comes no nearer: it cannot, or it dares not, fresh as it is."""
    if carrier.moved or carrier.immobilized:
        return carrier.immobilized
    plan = commander.moves.best(carrier)
    return plan is None or plan.worth <= commander.price


def empty_carriers(battle: OstBattle, unit: Unit) -> list[Unit]:
    """Vehicles in a squad's hex that are there to carry, have room, and can still drive in this turn."""
    if not battle.kinds[unit.kind].squad or unit.aboard:
        return []
    return [
        other
        for other in battle.at.get(unit.hex, ())
        if other.side == unit.side
        and battle.kinds[other.kind].vehicle
        and not battle.kinds[other.kind].armed
        and not (other.moved or other.immobilized)
        and transport.bar_ride(battle, unit, other) is None
    ]


def board(commander: Commander, unit: Unit, carrier: Unit) -> tuple[float, str]:
    """What a ride to where a squad is wanted is worth: a long way, and no enemy near (79)."""
    position, battle, assignments = commander.position, commander.battle, commander.assignments
    given, ride = assignments.given().get(unit.id), assignments.of(carrier)
    if given is None or (ride is not None and ride.kind == LEAVE):
        return -1.0, "has nowhere to ride to"
    post, weight = given
    piece, goal = position.piece(unit), post.hex
    afoot = assignments.way("foot", goal).hexes.get(unit.hex, 200)
    ridden = assignments.way(battle.kinds[carrier.kind].move_type, goal).hexes.get(unit.hex)
    if ridden is None:
        return -1.0, "its vehicle can't get there"
    by_foot = afoot / assignments.whole(unit)
    by_ride = ridden / max(assignments.whole(carrier), 1) + 1.7  # it gets on now, and off another time
    gain = weight * 0.7 * (by_foot - by_ride) / (position.turns + 1)
    crowd = commander.moves.later * piece.worth
    riding = position.armor_danger(carrier, unit.hex, carrier.facing)[0] * crowd
    enemies = position.near(unit.hex, 6, position.enemy)
    worth = gain - 0.5 * position.aim(piece, unit.hex) - riding - 0.1 * enemies
    return worth, f"rides: {goal} is {_moves(by_foot)} away on foot"


def _moves(count: float) -> str:
    """So many Moves in words."""
    number = round(count)
    return "less than a Move" if number < 1 else "a Move" if number == 1 else f"{number} Moves"
