"""What the rules should never lead to: checked in tests after every answer, and when a situation is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import shapely

from grognard.board.table.bodies import SLACK, shape
from grognard.board.table.terrain import Piece
from grognard.games.bolt_action import ground, special
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import DEPLOY, ORDERS, OVER, START, Unit
from grognard.kits.table.invariants import HAIR, Wrong, aboard, standing
from grognard.kits.table.state import ABOARD, EXITED, LOST, ON_TABLE


def invariants(battle: BoltBattle) -> list[str]:
    """What is wrong with a state, in words; nothing if all is well."""
    found = [*structure(battle)]
    if battle.state.phase not in (DEPLOY, OVER):
        found += dice(battle)
    return [*found, *losses(battle), *footing(battle), *apart(battle)]


def structure(battle: BoltBattle) -> list[str]:
    """What cannot be, whoever set it up: bodies in each other or off the table, broken links, impossible numbers."""
    return [wrong.says for wrong in impossible(battle)]


def impossible(battle: BoltBattle) -> Iterator[Wrong]:
    """The same, each with where a file would say it."""
    yield from _records(battle)
    # Whoever is thrown out of a vehicle gets out when the action is over (24.5).
    yield from aboard(battle, lambda vehicle, riders: _load(battle, vehicle, riders), battle.state.scratch.spilled)
    # Men in a building have no places of their own (25.1).
    outside = [unit for unit in battle.units() if not unit.building]
    yield from standing(battle, outside, lambda one, other: _passing(battle, one, other))


def _records(battle: BoltBattle) -> Iterator[Wrong]:
    # Pins are settled when casualties are off the table (6.6): a question may stand before that.
    settled = not battle.state.scratch.acting and battle.state.phase != START
    for unit in battle.state.units.values():
        name = battle.name(unit)
        if unit.side not in battle.sides:
            yield Wrong(f"{name} doesn't belong to a side", unit.id, "side")
        if unit.die not in ("", *ORDERS):
            yield Wrong(f"{name} has a die that shows {unit.die!r}", unit.id, "die")
        if unit.status in (ON_TABLE, ABOARD):
            if not unit.models:
                yield Wrong(f"{name} is in the battle without any models", unit.id)
            if unit.pins < 0:
                yield Wrong(f"{name} has {unit.pins} pins", unit.id, "pins", right="0 or more")
            most = battle.quality(unit).morale
            if settled and unit.pins >= most and not special.fights_on(battle, unit):
                says = f"{name} has {unit.pins} pins and should be gone (6.3)"
                yield Wrong(says, unit.id, "pins", right=f"0 to {most - 1}")
        if len({model.id for model in unit.models}) < len(unit.models):
            yield Wrong(f"{name} has two models of one id", unit.id, "models")
        weapons = len(battle.type(unit).weapons)
        for model in unit.models:
            if any(not 0 <= arm < weapons for arm in model.arms):
                says = f"a model of {name} has a weapon that the unit doesn't have"
                yield Wrong(says, unit.id, "arms", model.id, f"0 to {weapons - 1}")


def _load(battle: BoltBattle, vehicle: Unit, riders: Sequence[Unit]) -> Iterator[Wrong]:
    """What a vehicle carries or tows that it cannot (24.1): told of the rider with whom it becomes too much."""
    kind, name = battle.type(vehicle), battle.name(vehicle)
    men, guns = 0, 0
    for unit in riders:
        if unit.side != vehicle.side:
            yield Wrong(f"{name} carries enemies", unit.id, "aboard")
        if battle.type(unit).artillery:
            guns += 1
            if guns > 1 or battle.type(unit).weight not in kind.tow:
                yield Wrong(f"{name} tows a unit that it can't tow (24.1)", unit.id, "aboard")
        elif len(unit.models):
            before, men = men, men + len(unit.models)
            if before <= kind.transport_capacity < men:
                total = sum(len(one.models) for one in riders if not battle.type(one).artillery)
                says = f"{name} carries {total} men and has room for {kind.transport_capacity} (24.1)"
                yield Wrong(says, unit.id, "aboard", right=f"at most {kind.transport_capacity} men in all")


def _passing(battle: BoltBattle, one: Unit, other: Unit) -> bool:
    """Whether men on the move pass through friends: a question may stand in the middle of a move (8.5, 16.4)."""
    if battle.state.scratch.acting not in (one.id, other.id):
        return False
    return one.side == other.side and not battle.type(one).vehicle and not battle.type(other).vehicle


def dice(battle: BoltBattle) -> Iterator[str]:
    """Dice are neither made nor lost: cup, units, the one drawn and those set aside make up each side's units (1.9)."""
    state = battle.state
    for side in battle.sides:
        living = [u for u in state.units.values() if u.side == side and u.status not in (LOST, EXITED)]
        given = sum(bool(unit.die) for unit in living)
        cup, drawn = state.cup.get(side, 0), int(state.drawn and state.side == side)
        if cup < 0:
            yield f"{cup} dice of {side} in the cup"
        if given + cup + drawn + state.aside.get(side, 0) < len(living):
            yield (
                f"{side} has {len(living)} units, but {given} dice beside them, {cup} in the cup, "
                f"{state.aside.get(side, 0)} set aside{' and one drawn' if drawn else ''} (1.9)"
            )
        undrawn = len(living) - given
        if cup + drawn > undrawn:
            yield f"{side} has {cup + drawn} dice to come for {undrawn} units without one (1.9, 1.10)"


def losses(battle: BoltBattle) -> Iterator[str]:
    """Who is gone has nothing left on the table, and every loss is counted once (1.10, 28.4)."""
    state = battle.state
    waiting = state.scratch.spilled
    for unit in state.units.values():
        if unit.status not in (LOST, EXITED):
            continue
        if unit.die or unit.pins or unit.building or (unit.models and unit.id not in waiting):
            yield f"{battle.name(unit)} is {unit.status} and still has a die, pins, a building or models"
        counted = state.lost.get(unit.side, []).count(unit.id)
        if counted != int(unit.status == LOST and unit.scores):
            yield f"{battle.name(unit)} is {unit.status} and counted {counted} times (28.4)"


def footing(battle: BoltBattle) -> list[str]:
    """Nobody stands where he cannot be (9), and a building holds one side only (25.1)."""
    return [wrong.says for wrong in barred(battle)]


def barred(battle: BoltBattle) -> Iterator[Wrong]:
    """The same, each with where a file would say it."""
    table, holders = battle.table, dict[str, str]()
    for unit in battle.units():
        if unit.building:
            piece = table.by_id.get(unit.building)
            if piece is None or table.kind(piece).ground != ground.BUILDING:
                says = f"{battle.name(unit)} is in {unit.building!r}, which is not a building (25.1)"
                yield Wrong(says, unit.id, "building")
            elif battle.type(unit).vehicle:
                yield Wrong(f"{battle.name(unit)} is a vehicle in a building (9.4)", unit.id, "building")
            elif holders.setdefault(unit.building, unit.side) != unit.side:
                yield Wrong(f"both sides are in {unit.building} (25.1)", unit.id, "building")
        elif not unit.dug_in:
            yield from _on_ground(battle, unit)


def _on_ground(battle: BoltBattle, unit: Unit) -> Iterator[Wrong]:
    """No base in a building or impassable ground, no centre in an area that is closed to it (9, B4, B6)."""
    for barrier in ground.barriers(battle.table, battle.type(unit).column, run=False, radius=0):
        if not barrier.whole and battle.table.kind(barrier.piece).linear:
            continue
        x0, y0, x1, y1 = barrier.shape.bounds
        for model, body in zip(unit.models, battle.bodies(unit)):
            far = body.foot.farthest
            if body.x + far <= x0 or body.x - far >= x1 or body.y + far <= y0 or body.y - far >= y1:
                continue
            base = shape(body, -SLACK - HAIR) if barrier.whole else shapely.Point(body.x, body.y).buffer(0.1)
            if barrier.shape.buffer(-HAIR).intersects(base):
                says = f"{battle.name(unit)}: {model.id} stands in {barrier.piece.id} ({barrier.bar.rule})"
                yield Wrong(
                    says, unit.id, "at", model.id, "a place outside it", instead=_instead(battle, unit, barrier.piece)
                )
                break  # of the others the same would be told


def _instead(battle: BoltBattle, unit: Unit, piece: Piece) -> str:
    """What would make it right to stand in what is closed to a unit; "" if nothing would."""
    kind = battle.type(unit)
    if battle.table.kind(piece).ground == ground.BUILDING and not kind.vehicle:
        return f'building = "{piece.id}"'
    return "dug_in = true" if kind.artillery else ""


def apart(battle: BoltBattle) -> Iterator[str]:
    """Enemies stand an inch apart (8.4)."""
    first, second = battle.sides
    near = battle.charts.distance("movement_figures", "enemy_gap") - HAIR
    acting = battle.state.scratch.acting  # it may be in the middle of an assault
    for unit in battle.units(first):
        for enemy in battle.units(second):
            if unit.building or enemy.building or acting in (unit.id, enemy.id):
                continue
            if (between := battle.gap(unit, enemy)) < near:
                yield f"{battle.name(unit)} and {battle.name(enemy)} stand {between / 100:.2f}″ apart (8.4)"
