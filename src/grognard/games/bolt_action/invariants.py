"""What the rules should never lead to: checked in tests after every answer, and when a situation is read."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from grognard.board.table.bodies import SLACK, corners, separations, shape
from grognard.games.bolt_action import ground, morale, reactions, special
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import (
    ABOARD,
    DEPLOY,
    EXITED,
    LOST,
    ON_TABLE,
    ORDERS,
    OVER,
    START,
    Unit,
)

#: Whole hundredths cannot say everything: a gap may be short of its inch by this much.
HAIR = 1.5


def invariants(battle: BoltBattle) -> list[str]:
    """What is wrong with a state, in words; nothing if all is well."""
    found = [*structure(battle)]
    if battle.state.phase not in (DEPLOY, OVER):
        found += dice(battle)
    return [*found, *losses(battle), *footing(battle), *apart(battle)]


def structure(battle: BoltBattle) -> list[str]:
    """What cannot be, whoever set it up: bodies in each other or off the table, broken links, impossible numbers."""
    return [*_records(battle), *_aboard(battle), *_standing(battle)]


def _records(battle: BoltBattle) -> Iterator[str]:
    # Pins are settled when casualties are off the table (6.6): a question may stand before that.
    settled = reactions.ACTING not in battle.state.memory and battle.state.phase != START
    for unit in battle.state.units.values():
        name = battle.say(unit)
        if unit.side not in battle.sides:
            yield f"{name} belongs to no side"
        if unit.die not in ("", *ORDERS):
            yield f"{name} has a die that shows {unit.die!r}"
        if unit.status in (ON_TABLE, ABOARD):
            if not unit.models:
                yield f"{name} is in the battle without anybody"
            if unit.pins < 0:
                yield f"{name} has {unit.pins} pins"
            if settled and unit.pins >= battle.quality(unit).morale and not special.fights_on(battle, unit):
                yield f"{name} has {unit.pins} pins and should be gone (6.3)"
        if len({model.id for model in unit.models}) < len(unit.models):
            yield f"{name} has two models of one id"
        weapons = len(battle.type(unit).weapons)
        if any(not 0 <= arm < weapons for model in unit.models for arm in model.arms):
            yield f"a model of {name} bears a weapon that the unit has not"


def _aboard(battle: BoltBattle) -> Iterator[str]:
    """Who rides is aboard something of his own side that has room (24.1)."""
    load: dict[str, list[Unit]] = {}
    for unit in battle.state.units.values():
        if (unit.status == ABOARD) != bool(unit.aboard):
            yield f"{battle.say(unit)} is {unit.status}, but aboard {unit.aboard!r}"
        elif unit.aboard:
            load.setdefault(unit.aboard, []).append(unit)
    for id, riders in load.items():
        vehicle = battle.state.units.get(id)
        if id in battle.state.memory.get(morale.SPILLED, ()):
            continue  # they get out when the action is over (24.5)
        if vehicle is None or vehicle.status in (LOST, EXITED):
            yield f"{', '.join(map(battle.say, riders))}: aboard {id}, which is not there"
            continue
        kind = battle.type(vehicle)
        if any(unit.side != vehicle.side for unit in riders):
            yield f"{battle.say(vehicle)} carries enemies"
        guns = [unit for unit in riders if battle.type(unit).artillery]
        men = sum(len(unit.models) for unit in riders if unit not in guns)
        if men > kind.transport_capacity:
            yield f"{battle.say(vehicle)} carries {men} men and has room for {kind.transport_capacity} (24.1)"
        if len(guns) > 1 or any(battle.type(gun).weight not in kind.tow for gun in guns):
            yield f"{battle.say(vehicle)} tows what it cannot (24.1)"


def _standing(battle: BoltBattle) -> Iterator[str]:
    """Every base lies on the table, none in another; men in a building have no places of their own (25.1)."""
    table = battle.table
    listed = [(unit, model) for unit in battle.units() if not unit.building for model in unit.models]
    bodies = [battle.body(unit, model) for unit, model in listed]
    for (unit, model), body in zip(listed, bodies):
        if body.foot.shape == "disc":
            inside = 0 <= body.x <= table.width and 0 <= body.y <= table.height
        else:
            points = corners(body)
            wide, deep = (points[:, 0], points[:, 1])
            inside = bool(
                wide.min() >= -HAIR
                and deep.min() >= -HAIR
                and wide.max() <= table.width + HAIR
                and deep.max() <= table.height + HAIR
            )
        if not inside:
            yield f"{battle.say(unit)}: {model.id} is off the table"
    wrecks = battle.wreck_bodies()
    names = [f"{battle.say(unit)} ({model.id})" for unit, model in listed]
    names += [f"the wreck {wreck.id}" for wreck in battle.state.wrecks]
    everything = bodies + wrecks
    if len(everything) < 2:
        return
    deep_in = separations(everything, everything) < -SLACK - HAIR
    for one, other in zip(*deep_in.nonzero()):
        if one < other and not _passing(battle, [pair[0] for pair in listed], one, other):
            yield f"{names[one]} and {names[other]} stand in each other"


def _passing(battle: BoltBattle, owners: list[Unit], one: int, other: int) -> bool:
    """Whether men on the move pass through friends: a question may stand in the middle of a move (8.5, 16.4)."""
    acting = battle.state.memory.get(reactions.ACTING)
    if max(one, other) >= len(owners) or acting not in (owners[one].id, owners[other].id):
        return False
    first, second = owners[one], owners[other]
    on_foot = not battle.type(first).vehicle and not battle.type(second).vehicle
    return first.side == second.side and on_foot


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
    waiting = state.memory.get(morale.SPILLED, ())
    for unit in state.units.values():
        if unit.status not in (LOST, EXITED):
            continue
        if unit.die or unit.pins or unit.building or (unit.models and unit.id not in waiting):
            yield f"{battle.say(unit)} is {unit.status} and still has a die, pins, a building or models"
        counted = state.lost.get(unit.side, []).count(unit.id)
        if counted != int(unit.status == LOST and unit.scores):
            yield f"{battle.say(unit)} is {unit.status} and counted {counted} times (28.4)"


def footing(battle: BoltBattle) -> Iterator[str]:
    """Nobody stands where he cannot be (9), and a building holds one side only (25.1)."""
    table, holders = battle.table, dict[str, str]()
    for unit in battle.units():
        if unit.building:
            piece = table.by_id.get(unit.building)
            if piece is None or table.kind(piece).ground != ground.BUILDING:
                yield f"{battle.say(unit)} is in {unit.building!r}, which is no building (25.1)"
            elif holders.setdefault(unit.building, unit.side) != unit.side:
                yield f"both sides are in {unit.building} (25.1)"
        elif not unit.dug_in:
            yield from _on_ground(battle, unit)


def _on_ground(battle: BoltBattle, unit: Unit) -> Iterator[str]:
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
                yield f"{battle.say(unit)}: {model.id} stands in {barrier.piece.id} ({barrier.bar.rule})"


def apart(battle: BoltBattle) -> Iterator[str]:
    """Enemies stand an inch apart (8.4)."""
    first, second = battle.sides
    near = battle.figures.distance("movement_figures", "enemy_gap") - HAIR
    acting = battle.state.memory.get(reactions.ACTING)  # it may be in the middle of an assault
    for unit in battle.units(first):
        for enemy in battle.units(second):
            if unit.building or enemy.building or acting in (unit.id, enemy.id):
                continue
            if (between := battle.gap(unit, enemy)) < near:
                yield f"{battle.say(unit)} and {battle.say(enemy)} stand {between / 100:.2f}″ apart (8.4)"
