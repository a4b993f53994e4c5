"""Bailing out (24.5): whoever is aboard a vehicle that is destroyed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.board.table import bodies
from grognard.board.table.bodies import Body
from grognard.board.table.ways import Placed
from grognard.core.ask import Procedure
from grognard.core.dice import total
from grognard.core.poses import read_pose
from grognard.games.bolt_action import areas, casualties, damage, formation, morale, pins
from grognard.games.bolt_action.areas import FootArea
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import throw_of
from grognard.games.bolt_action.fire_events import Losses
from grognard.games.bolt_action.move_events import Spilled
from grognard.games.bolt_action.state import GUN, Model, Unit
from grognard.kits.table.riding import places_about
from grognard.kits.table.state import ON_TABLE


def aftermath(battle: BoltBattle) -> Procedure[None]:
    """Whoever was aboard a vehicle that was destroyed gets out of it (24.5), now that the action is done."""
    while waiting := battle.state.scratch.spilled:
        vehicle = battle.unit(waiting[0])
        yield from spill(battle, vehicle)
        waiting.pop(0)
        vehicle.models = []


def spill(battle: BoltBattle, vehicle: Unit) -> Procedure[None]:
    """Whoever is aboard a vehicle that was destroyed (24.5).

    The hits come first, with their casualties and the check for heavy losses (15.5); the survivors get a place nearby;
    then they take their pin and go Down. So the check is taken without that pin.
    """
    dice = str(battle.charts["movement_figures"]["spill_hits"])
    for unit in battle.passengers(vehicle):
        hits = int(battle.roll(unit.side, "hits on those aboard", throw_of(dice), total(), ("24.5",), unit=unit.id))
        battle.emit(Spilled(side=unit.side, unit=unit.id, vehicle=vehicle.id, hits=hits, rules=("24.5",)))
        thrown = f"thrown out of {battle.name(vehicle)}"
        yield from damage.apply_hits(battle, battle.other(unit.side), unit, hits, thrown)
        if battle.alive(unit):
            yield from _get_out(battle, unit, vehicle)
        if unit.status == ON_TABLE:
            pins.add(battle, unit, 1, "24.5")
            if not pins.settle(battle, unit):
                morale.put_down(battle, unit, "24.5")


def _get_out(battle: BoltBattle, unit: Unit, vehicle: Unit) -> Procedure[None]:
    """The survivors are set down; men for whom there isn't room are lost, and a crew with its gun (24.5)."""
    within = battle.charts.distance("movement_figures", "spill_within")
    wreck = any(each.id == vehicle.id for each in battle.state.wrecks)
    lost = set_down(battle, unit, battle.hull(vehicle), within, gone=not wreck)
    if not battle.men(unit) or any(model.role == GUN for model in lost):
        morale.destroy(battle, unit, ("24.5",), "finds no room to get out and is lost")
    elif lost:
        ids = tuple(model.id for model in lost)
        battle.emit(Losses(side=unit.side, unit=unit.id, men=len(lost), models=ids, rules=("24.5",)))
        yield from casualties.succeed(battle, unit, lost)


def set_down(battle: BoltBattle, unit: Unit, hull: Body, within: float, *, gone: bool = False) -> list[Model]:
    """Put a unit on the table close to a hull, in a form that holds together; the models that find no room are lost.

    A hull that is ``gone``, as that of a soft-skin, leaves its own place free (20.8).
    """
    ways = areas.ways_off(battle, unit, hull, within, run=False, rule="24.5", gone=gone)
    area = FootArea(battle, unit, [ways], rule="24.5")
    found = next(places_about(area, hull, within, battle.measure, most=1), None)
    heading = hull.heading
    if found is not None:
        read = read_pose(found.key)
        assert read is not None
        ends, heading = area.ends(read[1]), read[1].heading
        spots: Sequence[tuple[int, int]] = [ends[number] for number in range(len(unit.models))]
    else:
        # A gun takes up other room when it is turned: it is looked for as it will stand.
        turned = [body.at(body.x, body.y, heading) for body in battle.bodies(unit)]
        spots = _crowded(turned, ways, formation.reach(battle))
    unit.models, lost = unit.models[: len(spots)], unit.models[len(spots) :]
    for model, (x, y) in zip(unit.models, spots):
        model.x, model.y, model.heading = x, y, heading
    if unit.models:
        unit.status, unit.aboard = ON_TABLE, ""
        unit.moved, unit.moving = battle.state.turn, True
    battle.invalidate()
    return lost


def _crowded(known: Sequence[Body], ways: Placed, reach: int) -> list[tuple[int, int]]:
    """Places for as many models as there is room for, one by one, the nearest first."""
    spots: list[tuple[int, int]] = []
    placed: list[Body] = []
    for number, body in enumerate(known):
        x0, y0, x1, y1 = (
            ways.zones[number].polygon.bounds if not ways.zones[number].polygon.is_empty else (0, 0, -1, -1)
        )
        step = 30
        grid = [(x, y) for x in range(int(x0), int(x1) + 1, step) for y in range(int(y0), int(y1) + 1, step)]
        near = placed[-1] if placed else None
        middle = (near.x, near.y) if near is not None else (float(ways.starts[0][0]), float(ways.starts[0][1]))
        grid.sort(key=lambda p: (math.dist(p, middle), p))
        free = [
            place
            for place in grid
            if ways.zones[number].contains(*place) and not bodies.overlaps(body.at(*place), placed)
        ]
        if not free:
            break
        # Whoever can stands within the chain of those before him (7.2).
        linked = (p for p in free if min((bodies.gap(body.at(*p), one) for one in placed), default=0.0) <= reach)
        spots.append(next(linked, free[0]))
        placed.append(body.at(*spots[-1]))
    return spots
