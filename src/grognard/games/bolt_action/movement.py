"""Movement (8): the moves of units on foot, and the door to every other kind of move.

`move` is what an Advance or a Run comes to. Infantry goes by poses (see `areas`); vehicles drive by legs (`vehicles`);
weapons that are Fixed turn on the spot (`artillery`); riders get out (`transports`); reserves come on (`entry`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from grognard.board.table.places import exactly, the
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Pose, place, read_pose
from grognard.games.bolt_action import areas, candidates, formation, ground, travel
from grognard.games.bolt_action.areas import FootArea, OnFoot, Place, Ways
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charge import charge
from grognard.games.bolt_action.flight import escape, panic
from grognard.games.bolt_action.regroup import regroup
from grognard.games.bolt_action.state import ABOARD, ADVANCE, EXITED, RESERVE, RUN, SPOTTER, Unit

__all__ = ["bar_pose", "can_move", "charge", "escape", "move", "panic", "rate", "regroup"]

IMMOBILISED = Bar("20.9", "it is immobilised")
DUG_IN = Bar("9.7", "a gun set up in rough ground or a building is dug in and cannot move")
TOO_HEAVY = Bar("23.3", "it moves only when towed")


# ---- how far, and whether at all ---------------------------------------------------------------------------


def rate(battle: BoltBattle, unit: Unit, order: str) -> int:
    """How far a unit may go with an order (8.1, 8.2, 10.7, 23.3)."""
    row = battle.figures.rates[battle.type(unit).moves_as]
    return row.run if order == RUN else row.advance


def turns_only(battle: BoltBattle, unit: Unit, order: str) -> bool:
    """Whether an order lets a unit turn on the spot and no more: a Fixed weapon with Advance (17.5)."""
    return order == ADVANCE and not battle.type(unit).vehicle and rate(battle, unit, order) == 0


def can_move(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit cannot carry out a move with an order; None if it can."""
    from grognard.games.bolt_action import transports

    kind = battle.type(unit)
    if unit.status == ABOARD:
        return transports.bar_leave(battle, unit, order)
    if unit.status == RESERVE:
        return TOO_HEAVY if not rate(battle, unit, order) and not kind.vehicle else None
    if unit.immobilised:
        return IMMOBILISED
    if kind.vehicle:
        return ground.starting_on(battle, unit) if order == RUN else None
    if order == ADVANCE:
        return None
    if unit.dug_in:
        return DUG_IN
    if rate(battle, unit, order) == 0:
        return None if transports.boardable(battle, unit, order) else TOO_HEAVY
    return ground.starting_on(battle, unit) if kind.infantry else None


# ---- the move ----------------------------------------------------------------------------------------------


def move(battle: BoltBattle, unit: Unit, order: str, *, assault: bool = True) -> Procedure[None]:
    """Ask where an Advance or a Run goes, and go there (D2); to stay is a move of no distance (2.8).

    With ``assault`` a Run may be made an assault on whoever can be assaulted (2.3, 21.2).
    """
    from grognard.games.bolt_action import artillery, entry, transports, vehicles

    if unit.status == ABOARD:
        yield from transports.leave(battle, unit, order)
    elif unit.status == RESERVE:
        yield from entry.enter(battle, unit, order)
    elif battle.type(unit).vehicle:
        yield from vehicles.drive(battle, unit, order)
    elif turns_only(battle, unit, order):
        yield from artillery.turn(battle, unit)
    else:
        yield from _march(battle, unit, order, assault=assault)


def ways_of(battle: BoltBattle, unit: Unit, order: str) -> list[Ways]:
    """The ways by which a unit on foot can go: from where it stands, or out of every opening of its building (25.2)."""
    key = ("ways", unit.id, order)
    found: list[Ways] | None = battle.memo.get(key)
    if found is None:
        far, run = rate(battle, unit, order), order == RUN
        if unit.building:
            from grognard.games.bolt_action import buildings

            found = buildings.ways_out(battle, unit, far, run=run)
        else:
            found = [standing_ways(battle, unit, far, run=run)]
        battle.memo[key] = found
    return found


def standing_ways(battle: BoltBattle, unit: Unit, far: float, *, held: Collection[int] = (), **how: Any) -> Ways:
    """The ways of a unit from where its models stand, each over the ground for its size.

    For models that are ``held``, by number, the ground they stand in is closed: they go nowhere.
    """
    known = battle.bodies(unit)
    starts = np.array([(b.x, b.y) for number, b in enumerate(known) if number not in held], dtype=np.float64)
    made: dict[float, ground.Ground] = {}
    for body in known:
        radius = body.foot.farthest
        if radius not in made:
            made[radius] = ground.for_model(battle, unit, starts, radius, far, **how)
    loose = [body for model, body in zip(unit.models, known) if model.role == SPOTTER] if len(known) > 1 else []
    for radius, found in made.items():
        if radius != known[-1].foot.farthest:
            _keep_on_table(battle, found, radius)
        for spotter in loose:
            found.no_stop(spotter, radius, formation.OVERLAP)
    return OnFoot([(body.x, body.y) for body in known], [made[body.foot.farthest] for body in known], far)


def _keep_on_table(battle: BoltBattle, found: ground.Ground, radius: float) -> None:
    """A gun's base lies on the table with all its corners."""
    import shapely

    wide, deep = battle.table.width, battle.table.height
    frame = shapely.box(-1, -1, wide + 1, deep + 1).difference(
        shapely.box(radius, radius, wide - radius, deep - radius)
    )
    found.no_stop_in(frame, ground.OFF_TABLE)


def area_of(battle: BoltBattle, unit: Unit, order: str) -> FootArea:
    """The poses that a unit on foot can take with an order (8.3)."""
    key = ("area", unit.id, order)
    found: FootArea | None = battle.memo.get(key)
    if found is None:
        rule = battle.figures.rates[battle.type(unit).moves_as].rule
        remarks = lambda stand: areas.remarks(battle, unit, stand)  # noqa: E731
        found = FootArea(battle, unit, ways_of(battle, unit, order), rule=rule, remarks=remarks)
        battle.memo[key] = found
    return found


def bar_pose(battle: BoltBattle, unit: Unit, order: str, pose: Pose) -> Bar | None:
    """Why a unit on foot may not take a pose with an order."""
    return can_move(battle, unit, order) or area_of(battle, unit, order).bar(pose)


def _march(battle: BoltBattle, unit: Unit, order: str, *, assault: bool) -> Procedure[None]:
    from grognard.games.bolt_action import buildings, close_quarters, transports

    far = rate(battle, unit, order)
    prompt = f"{battle.say(unit)}: {'run' if order == RUN else 'advance'} where, up to {exactly(far)}?"
    rule = battle.figures.rates[battle.type(unit).moves_as].rule
    held = can_move(battle, unit, order) is not None
    answer = yield Ask(
        unit.side,
        prompt,
        lambda: list(options(battle, unit, order, assault=assault)),
        rule=rule,
        area=None if held else lambda: area_of(battle, unit, order),
    )
    verb, _, word = answer.partition(" ")
    if verb == "assault":
        yield from close_quarters.assault(battle, unit, battle.unit(word))
    elif verb == "enter":
        yield from buildings.enter(battle, unit, word, order)
    elif verb == "board":
        yield from transports.board(battle, unit, battle.unit(word), order)
    elif verb == "exit":
        yield from leave_table(battle, unit, word, order)
    elif verb == "close_up":
        yield from _close_up(battle, unit, order)
    elif verb == "pose":
        read = read_pose(answer)
        assert read is not None
        yield from go(battle, unit, area_of(battle, unit, order), read[1], how=order, rules=(rule, "8.3"))


def go(
    battle: BoltBattle, unit: Unit, area: FootArea, pose: Pose, *, how: str, rules: tuple[str, ...]
) -> Procedure[bool]:
    """Take a pose of an area: every model by its own way. True if nothing cut it short."""
    from grognard.games.bolt_action import buildings

    ends = area.ends(pose)
    ways = area.way(ends) or area.ways[0]
    paths = {unit.models[number].id: ways.path(number, end) for number, end in ends.items()}
    buildings.step_out(battle, unit)
    headings = {unit.models[number].id: pose.heading for number in ends}
    return (yield from travel.travel(battle, unit, paths, headings, how=how, rules=rules))


def _close_up(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Close a broken chain as well as it can be done (7.3)."""
    (ways,) = ways_of(battle, unit, order)
    ends = formation.close_up(battle, unit, ways.can)
    paths = {model.id: ways.path(number, ends[number]) for number, model in enumerate(unit.models)}
    yield from travel.travel(battle, unit, paths, {}, how=order, rules=("7.3", "8.3"))


# ---- what to choose from -----------------------------------------------------------------------------------


def options(battle: BoltBattle, unit: Unit, order: str, *, assault: bool) -> Iterator[Option]:
    """What a unit on foot can do with an Advance or a Run, with a handful of good poses."""
    from grognard.games.bolt_action import buildings, close_quarters, orders, transports

    name = battle.say(unit)
    torn = formation.broken(battle, unit)
    held = can_move(battle, unit, order) is not None
    if torn and not held:
        yield Option("close_up", f"{name} closes up", "close_up", unit.id, rule="7.3")
    else:
        yield Option("stay", f"{name} stays", "stay", unit.id, rule="2.8")
    if order == RUN and assault:
        for enemy in orders.assault_targets(battle, unit):
            yield close_quarters.option(battle, unit, enemy)
    if held:
        return
    area = area_of(battle, unit, order)
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
            f"board {vehicle.id}", f"Board {battle.say(vehicle)}", "board", unit.id, target=vehicle.id, rule="24.2"
        )
    for edge in exits(battle, unit, area.ways):
        yield Option(f"exit {edge}", f"Leave the table over its {edge} edge", "exit", unit.id, rule="8.5")
    yield from candidates.good_poses(battle, unit, area)


# ---- off the table -----------------------------------------------------------------------------------------


def exit_edges(battle: BoltBattle, unit: Unit) -> list[str]:
    """The edges over which the scenario lets a unit leave (8.5)."""
    found = []
    for way in battle.scenario.victory.exits:
        if way.side == unit.side and (not way.kinds or battle.type(unit).kind in way.kinds) and way.edge not in found:
            found.append(way.edge)
    return found


def at_edge(battle: BoltBattle, edge: str, x: float, y: float) -> Place:
    """The point of an edge straight ahead of a point."""
    table = battle.table
    return {
        "top": (round(x), 0),
        "bottom": (round(x), table.height),
        "left": (0, round(y)),
        "right": (table.width, round(y)),
    }[edge]


def exits(battle: BoltBattle, unit: Unit, ways: Sequence[Ways]) -> list[str]:
    """The edges that every model of a unit can reach."""
    return [e for e in exit_edges(battle, unit) if any(_all_reach(battle, unit, one, e) for one in ways)]


def _all_reach(battle: BoltBattle, unit: Unit, ways: Ways, edge: str) -> bool:
    for number in range(len(unit.models)):
        x, y = ways.starts[number]
        end = at_edge(battle, edge, x, y)
        if math.hypot(end[0] - x, end[1] - y) > ways.far + areas.SLACK:
            return False
        if ways.way_to(number, np.array([end], dtype=np.float64)) is None:
            return False
    return True


def leave_table(battle: BoltBattle, unit: Unit, edge: str, order: str) -> Procedure[None]:
    """Walk off the table, where a scenario lets units leave (8.5)."""
    from grognard.games.bolt_action import buildings

    ways = next(one for one in ways_of(battle, unit, order) if _all_reach(battle, unit, one, edge))
    paths = {}
    for number, model in enumerate(unit.models):
        x, y = ways.starts[number]
        paths[model.id] = [(round(x), round(y)), at_edge(battle, edge, x, y)]
    buildings.step_out(battle, unit)
    if (yield from travel.travel(battle, unit, paths, {}, how=order, rules=("8.5",))):
        off_table(battle, unit, edge)


def off_table(battle: BoltBattle, unit: Unit, edge: str) -> None:
    """A unit, with whoever rides with it, is out of the battle; its dice go as those of units lost do (1.10)."""
    from grognard.games.bolt_action.move_events import LeftTable

    for one in [unit, *battle.passengers(unit)]:
        if one.die:
            battle.state.aside[one.side] = battle.state.aside.get(one.side, 0) + 1
        elif battle.state.cup.get(one.side, 0):
            battle.state.cup[one.side] -= 1
        one.status, one.aboard, one.models, one.die, one.pins = EXITED, "", [], "", 0
        battle.state.memory.setdefault("exits", {})[one.id] = edge
        battle.emit(LeftTable(side=one.side, unit=one.id, edge=edge, rules=("8.5",)))
    battle.touched()
