"""Movement (8): how far a unit goes and by which ways, going there on foot, and leaving the table.

What an Advance or a Run comes to is for `advance_and_run` to ask; vehicles drive by legs (`vehicles`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import shapely

from grognard.board.table.footing import Footing
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar, Procedure
from grognard.core.poses import Pose
from grognard.games.bolt_action import areas, buildings, formation, ground, travel
from grognard.games.bolt_action.areas import FootArea, OnFoot
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.move_events import LeftTable, Occupied
from grognard.games.bolt_action.state import ADVANCE, RUN, SPOTTER, Unit
from grognard.kits.table import moving
from grognard.kits.table.ground import footing_for
from grognard.kits.table.state import EXITED

IMMOBILISED = Bar("20.9", "it is immobilised")
DUG_IN = Bar("9.7", "a gun set up in rough ground or a building is dug in and can't move")
TOO_HEAVY = Bar("23.3", "it can move only when towed")


# ---- how far, and whether at all ---------------------------------------------------------------------------


def rate(battle: BoltBattle, unit: Unit, order: str) -> int:
    """How far a unit may go with an order (8.1, 8.2, 10.7, 23.3)."""
    row = battle.charts.rates[battle.type(unit).moves_as]
    return row.run if order == RUN else row.advance


def turns_only(battle: BoltBattle, unit: Unit, order: str) -> bool:
    """Whether an order lets a unit turn on the spot and no more: a Fixed weapon with Advance (17.5)."""
    return order == ADVANCE and not battle.type(unit).vehicle and rate(battle, unit, order) == 0


def bar_by_itself(battle: BoltBattle, unit: Unit, order: str) -> Bar | None:
    """Why a unit on the table cannot make a move of its own with an order; None if it can."""
    kind = battle.type(unit)
    if unit.immobilised:
        return IMMOBILISED
    if kind.vehicle:
        return ground.starting_on(battle, unit) if order == RUN else None
    if order == ADVANCE:
        return None
    if unit.dug_in:
        return DUG_IN
    if rate(battle, unit, order) == 0:
        return TOO_HEAVY
    return ground.starting_on(battle, unit) if kind.infantry else None


# ---- ways and areas ----------------------------------------------------------------------------------------


def ways_of(battle: BoltBattle, unit: Unit, order: str) -> list[Ways]:
    """The ways by which a unit on foot can go: from where it stands, or out of every opening of its building (25.2)."""
    key = ("ways", unit.id, order)
    found: list[Ways] | None = battle.cache.get(key)
    if found is None:
        far, run = rate(battle, unit, order), order == RUN
        if unit.building:
            found = buildings.ways_out(battle, unit, far, run=run)
        else:
            found = [standing_ways(battle, unit, far, run=run)]
        battle.cache[key] = found
    return found


def standing_ways(battle: BoltBattle, unit: Unit, far: float, *, held: Collection[int] = (), **how: Any) -> Ways:
    """The ways of a unit from where its models stand, each over the ground for its size.

    For models that are ``held``, by number, the ground they stand in is closed: they go nowhere.
    """
    known = battle.bodies(unit)
    starts = np.array([(b.x, b.y) for number, b in enumerate(known) if number not in held], dtype=np.float64)
    rules = ground.FootGround(battle, **how)
    made: dict[float, Footing] = {}
    for body in known:
        radius = body.foot.farthest
        if radius not in made:
            made[radius] = footing_for(rules, unit, starts, radius, far)
    loose = [body for model, body in zip(unit.models, known) if model.role == SPOTTER] if len(known) > 1 else []
    for radius, found in made.items():
        if radius != known[-1].foot.farthest:
            _keep_on_table(battle, found, radius)
        for spotter in loose:
            found.no_stop(spotter, radius, formation.OVERLAP)
    return OnFoot([(body.x, body.y) for body in known], [made[body.foot.farthest] for body in known], far)


def _keep_on_table(battle: BoltBattle, found: Footing, radius: float) -> None:
    """A gun's base lies on the table with all its corners."""

    wide, deep = battle.table.width, battle.table.height
    frame = shapely.box(-1, -1, wide + 1, deep + 1).difference(
        shapely.box(radius, radius, wide - radius, deep - radius)
    )
    found.no_stop_in(frame, ground.OFF_TABLE)


def area_of(battle: BoltBattle, unit: Unit, order: str) -> FootArea:
    """The poses that a unit on foot can take with an order (8.3)."""
    key = ("area", unit.id, order)
    found: FootArea | None = battle.cache.get(key)
    if found is None:
        rule = battle.charts.rates[battle.type(unit).moves_as].rule
        remarks = lambda stand: areas.remarks(battle, unit, stand)  # noqa: E731
        found = FootArea(battle, unit, ways_of(battle, unit, order), rule=rule, remarks=remarks)
        battle.cache[key] = found
    return found


# ---- going there -------------------------------------------------------------------------------------------


def go(
    battle: BoltBattle, unit: Unit, area: FootArea, pose: Pose, *, how: str, rules: tuple[str, ...]
) -> Procedure[bool]:
    """Take a pose of an area: every model by its own way. True if nothing cut it short."""
    paths, headings = moving.course_to(area, pose)
    buildings.step_out(battle, unit)
    return (yield from travel.travel(battle, unit, paths, headings, how=how, rules=rules))


def close_up(battle: BoltBattle, unit: Unit, order: str) -> Procedure[None]:
    """Close a broken chain as well as it can be done (7.3)."""
    (ways,) = ways_of(battle, unit, order)
    ends = formation.close_up(battle, unit, ways.can)
    paths = {model.id: ways.path(number, ends[number]) for number, model in enumerate(unit.models)}
    yield from travel.travel(battle, unit, paths, {}, how=order, rules=("7.3", "8.3"))


def go_in(battle: BoltBattle, unit: Unit, id: str, order: str) -> Procedure[None]:
    """Walk to the openings and go in (25.2)."""
    piece = battle.table.by_id[id]
    for ways in ways_of(battle, unit, order):
        paths = buildings.way_in(battle, unit, ways, piece)
        if paths is not None:
            break
    assert paths is not None
    buildings.step_out(battle, unit)
    if (yield from travel.travel(battle, unit, paths, {}, how=order, rules=("25.2",))):
        buildings.occupy(battle, unit, id)
        battle.emit(Occupied(side=unit.side, unit=unit.id, piece=id, rules=("25.1", "25.2")))


# ---- off the table -----------------------------------------------------------------------------------------


def exit_edges(battle: BoltBattle, unit: Unit) -> list[str]:
    """The edges over which the scenario lets a unit leave (8.5)."""
    found = []
    for way in battle.scenario.victory.exits:
        if way.side == unit.side and (not way.kinds or battle.type(unit).kind in way.kinds) and way.edge not in found:
            found.append(way.edge)
    return found


def exits(battle: BoltBattle, unit: Unit, ways: Sequence[Ways]) -> list[str]:
    """The edges over which every model of a unit can leave (8.5)."""
    return [edge for edge in exit_edges(battle, unit) if moving.ways_over(battle.table, ways, edge) is not None]


def leave_table(battle: BoltBattle, unit: Unit, edge: str, order: str) -> Procedure[None]:
    """Walk off the table, where a scenario lets units leave (8.5)."""
    ways = moving.ways_over(battle.table, ways_of(battle, unit, order), edge)
    assert ways is not None
    paths = moving.paths_over(battle.table, ways, [model.id for model in unit.models], edge)
    buildings.step_out(battle, unit)
    if (yield from travel.travel(battle, unit, paths, {}, how=order, rules=("8.5",))):
        off_table(battle, unit, edge)


def off_table(battle: BoltBattle, unit: Unit, edge: str) -> None:
    """A unit, with whoever rides with it, is out of the battle; its dice go as those of units lost do (1.10)."""
    for one in [unit, *battle.passengers(unit)]:
        if one.die:
            battle.state.aside[one.side] = battle.state.aside.get(one.side, 0) + 1
        elif battle.state.cup.get(one.side, 0):
            battle.state.cup[one.side] -= 1
        one.status, one.aboard, one.models, one.die, one.pins = EXITED, "", [], "", 0
        battle.state.scratch.exits[one.id] = edge
        battle.emit(LeftTable(side=one.side, unit=one.id, edge=edge, rules=("8.5",)))
    battle.invalidate()
