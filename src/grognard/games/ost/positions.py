"""Where in its hex a unit is: in the Bunker or Pillbox (28.5, 29.5), in the building or on the road (57.1).

Changing it is part of a Move, but no new hex.
"""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Option
from grognard.games.ost import stacking, terrain, turn_events
from grognard.games.ost.state import Unit
from grognard.games.ost.terrain import say_points
from grognard.games.ost.travel import Travel, note_move


def position_options(move: Travel, unit: Unit) -> Iterator[Option]:
    """Into or out of the Bunker or Pillbox of the hex (28.5, 29.5); between road and building (57.1, M-14).

    A group goes as one (80.5): both are in, or both out.
    """
    battle, left = move.battle, min(move.left)
    if any((mover.inside, mover.on_road) != (unit.inside, unit.on_road) for mover in move.movers):
        return
    large = any(battle.kinds[mover.kind].no_structures for mover in move.movers)
    work = terrain.shelter(battle, move.side, unit.hex)
    if work is not None:
        points = terrain.door_points(battle, work, leaving=unit.inside)
        if points <= left and (unit.inside or not large):
            key = "outside" if unit.inside else "inside"
            label = f"{'Leave' if unit.inside else 'Enter'} the {work.kind}"
            rule = "28.5" if work.kind == "bunker" else "29.5"
            yield Option(key, label, key, unit.id, unit.hex, cost=f"{say_points(points)} MP", rule=rule)
    if terrain.road_and_structure(battle, unit.hex):
        points = terrain.inside_cost(battle, unit, road=not unit.on_road)
        if points <= left and not (unit.on_road and large):
            key = "building" if unit.on_road else "road"
            label = "Into the building" if unit.on_road else "Onto the road"
            yield Option(key, label, key, unit.id, unit.hex, cost=f"{say_points(points)} MP", rule="57.1")


def change_position(move: Travel, verb: str) -> None:
    """Into or out of a Bunker or Pillbox, onto the road or into the building: a Move, but no new hex (M-14, A-2)."""
    battle = move.battle
    for number, unit in enumerate(move.movers):
        if verb in ("inside", "outside"):
            work = battle.state.works[unit.hex]
            move.pay(terrain.door_points(battle, work, leaving=verb == "outside"), number)
            rule = "28.5" if work.kind == "bunker" else "29.5"
            what = f"{'enters' if verb == 'inside' else 'leaves'} the {work.kind} in"
        else:
            move.pay(terrain.inside_cost(battle, unit, road=verb == "road"), number)
            what, rule = "takes to the road in" if verb == "road" else "enters the building in", "57.1"
        note_move(battle, unit, new_hex=False)
        for each in stacking.company(battle, unit):
            if verb in ("inside", "outside"):
                each.inside = verb == "inside"
            else:
                each.on_road = verb == "road"
        battle.emit(turn_events.Declared(side=unit.side, unit=unit.id, what=what, place=unit.hex, rules=(rule,)))
