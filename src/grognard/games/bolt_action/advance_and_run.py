"""Advance and Run (2.2, 2.3, D2): where a unit goes with its order, and by what kind of move.

Infantry goes by poses (`movement`); vehicles drive by legs (`vehicles`); weapons that are Fixed turn on the spot
(`artillery`); riders get out (`transports`); reserves come on (`entry`).
"""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table.places import exactly, the
from grognard.core.ask import Bar, Option, Procedure
from grognard.core.poses import Pose, place
from grognard.games.bolt_action import (
    artillery,
    buildings,
    charge,
    close_quarters,
    entry,
    formation,
    good_poses,
    movement,
    transports,
    vehicles,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import RUN, Unit
from grognard.kits.table.moving import ask_pose
from grognard.kits.table.state import ABOARD, RESERVE


def can_move(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit cannot carry out a move with an order; None if it can."""
    if unit.status == ABOARD:
        return transports.bar_leave(battle, unit, order)
    if unit.status == RESERVE:
        stuck = not movement.rate(battle, unit, order) and not battle.type(unit).vehicle
        return movement.TOO_HEAVY if stuck else None
    found = movement.bar_by_itself(battle, unit, order)
    # What is too heavy to be moved by hand may still be hitched where it stands (24.8).
    return None if found == movement.TOO_HEAVY and transports.boardable(battle, unit, order) else found


# ---- the move ----------------------------------------------------------------------------------------------


def move(battle: BoltBattle, unit: Unit, order: str, *, assault: bool = True) -> Procedure[None]:
    """Ask where an Advance or a Run goes, and go there (D2); to stay is a move of no distance (2.8).

    With ``assault`` a Run may be made an assault on whoever can be assaulted (2.3, 21.2).
    """
    if unit.status == ABOARD:
        yield from transports.leave(battle, unit, order)
    elif unit.status == RESERVE:
        yield from entry.enter(battle, unit, order)
    elif battle.type(unit).vehicle:
        yield from vehicles.drive(battle, unit, order)
    elif movement.turns_only(battle, unit, order):
        yield from artillery.turn(battle, unit)
    else:
        yield from _march(battle, unit, order, assault=assault)


def bar_pose(battle: BoltBattle, unit: Unit, order: str, pose: Pose) -> Bar | None:
    """Why a unit on foot may not take a pose with an order."""
    return can_move(battle, unit, order) or movement.area_of(battle, unit, order).bar(pose)


def _march(battle: BoltBattle, unit: Unit, order: str, *, assault: bool) -> Procedure[None]:
    far = movement.rate(battle, unit, order)
    prompt = f"{battle.name(unit)}: {'run' if order == RUN else 'advance'} where, up to {exactly(far, battle.measure)}?"
    rule = battle.charts.rates[battle.type(unit).moves_as].rule
    held = can_move(battle, unit, order) is not None
    answer = yield from ask_pose(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order, assault=assault)),
        None if held else lambda: movement.area_of(battle, unit, order),
        rule=rule,
        foresee=lambda key: charge.foresee(battle, unit, key),
    )
    if isinstance(answer, Pose):
        area = movement.area_of(battle, unit, order)
        yield from movement.go(battle, unit, area, answer, how=order, rules=(rule, "8.3"))
        return
    verb, _, word = answer.partition(" ")
    if verb == "assault":
        yield from close_quarters.assault(battle, unit, battle.unit(word))
    elif verb == "enter":
        yield from movement.go_in(battle, unit, word, order)
    elif verb == "board":
        yield from transports.board(battle, unit, battle.unit(word), order)
    elif verb == "exit":
        yield from movement.leave_table(battle, unit, word, order)
    elif verb == "close_up":
        yield from movement.close_up(battle, unit, order)


# ---- what to choose from -----------------------------------------------------------------------------------


def options(battle: BoltBattle, unit: Unit, order: str, *, assault: bool) -> Iterator[Option]:
    """What a unit on foot can do with an Advance or a Run, with a handful of good poses."""
    name = battle.name(unit)
    torn = formation.broken(battle, unit)
    held = can_move(battle, unit, order) is not None
    if torn and not held:
        yield Option("close_up", f"{name} closes up", "close_up", unit.id, rule="7.3")
    else:
        yield Option("stay", f"{name} stays", "stay", unit.id, rule="2.8")
    if order == RUN and assault:
        for enemy in close_quarters.targets(battle, unit):
            yield close_quarters.option(battle, unit, enemy)
    if held:
        return
    area = movement.area_of(battle, unit, order)
    if battle.type(unit).infantry:
        for piece in buildings.enterable(battle, unit, area.ways):
            middle = battle.table.area(piece).centroid
            yield Option(
                f"enter {piece.id}",
                f"Enter {the(battle.table, piece)}",
                "enter",
                unit.id,
                place(round(middle.x), round(middle.y)),
                piece.id,
                rule="25.2",
            )
    for vehicle in transports.boardable(battle, unit, order):
        yield Option(
            f"board {vehicle.id}", f"Board {battle.name(vehicle)}", "board", unit.id, target=vehicle.id, rule="24.2"
        )
    for edge in movement.exits(battle, unit, area.ways):
        yield Option(f"exit {edge}", f"Leave the table over its {edge} edge", "exit", unit.id, rule="8.5")
    yield from good_poses.good_poses(battle, unit, area)
