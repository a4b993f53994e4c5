"""Assault Moves, alone and as a group: into an adjacent enemy hex, where a Melee begins (82)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import (
    control,
    fortifications,
    hidden,
    melee,
    movement,
    retreats,
    stacking,
    terrain,
    travel,
    turn_events,
    vehicle_movement,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IN_MELEE, INTENSIVE, IS_USED
from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, Unit
from grognard.games.ost.unit_memory import Each, each_unit

NOT_ON_MAP = Bar("82.1", "it isn't on the map")
WITH_UNIT = Bar("15.7", "an attached Leader moves with his unit")
RIDING = Bar("79.2", "it is riding on a vehicle")
NOT_GOOD_ORDER = Bar("82.7", "it isn't in good order")
HAS_ASSAULTED = Bar("82.4", "it has already made an Assault Move this turn")
NOT_THIS_KIND = Bar("82.10", "crewed weapons, single persons and trucks can't assault")
NO_ARMAMENT = Bar("82.10", "a vehicle without a working weapon can't assault")
CARRYING = Bar("82.10", "vehicles carrying a unit can't assault")
PAIRED = Bar("81.9", "in Rolling Cover it can assault only with its partner")
NO_ENEMY = Bar("82.1", "you see no enemy unit there")
MELEE_SET = Bar("101.4", "a Melee began there this turn; no other unit can enter")
NO_POINTS = Bar("82.8", "a group assault costs two Impulse Points")
NO_LEADER = Bar("82.9", "a group assault needs an attached Leader, or an Armor Leader with a vehicle")
NOT_TOGETHER = Bar("80.5", "the units of a group start in the same hex; a vehicle may be adjacent")
TWO_VEHICLES = Bar("80.8", "vehicles do not move in a group with other vehicles")


def bar_assaulter(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not make an Assault Move, wherever to (82.4, 82.7, 82.10)."""
    kind = battle.kinds[unit.kind]
    if unit.status != ON_MAP:
        return NOT_ON_MAP
    if unit.attached:
        return WITH_UNIT
    if kind.crewed or kind.single or kind.truck:
        return NOT_THIS_KIND
    if unit.aboard:
        return RIDING
    if unit.morale != GOOD:
        return NOT_GOOD_ORDER
    if unit.hex in battle.state.melees:
        return IN_MELEE
    if unit.assaulted:
        return HAS_ASSAULTED
    if unit.intensive:
        return INTENSIVE
    if battle.used(unit):
        return IS_USED
    if kind.vehicle:
        if bar := vehicle_movement.bar_vehicle(unit):
            return bar
        if not battle.working_guns(unit) and not battle.working_mgs(unit):
            return NO_ARMAMENT
        if battle.passenger(unit) is not None:
            return CARRYING
    return None


def bar_target(battle: OstBattle, unit: Unit, hex: str) -> Bar | None:
    """Why a unit may not assault a hex: it must be adjacent, held by the enemy, and one it can enter (82.1-82.3)."""
    if not battle.grid.direction(unit.hex, hex):
        return terrain.NOT_ADJACENT
    if not battle.seen_enemies(hex, unit.side):
        return NO_ENEMY
    fight = battle.state.melees.get(hex)
    if fight is not None and fight.turn == battle.state.turn:
        return MELEE_SET
    if battle.kinds[unit.kind].vehicle and (bar := vehicle_movement.bar_direction(battle, unit, hex, reverse=False)):
        return bar
    return terrain.bar_entry(battle, unit, unit.hex, hex)


def bar_assault(battle: OstBattle, unit: Unit, hex: str) -> Bar | None:
    """Why a unit may not assault a hex by itself (82)."""
    if bar := bar_assaulter(battle, unit):
        return bar
    if unit.partner:
        return PAIRED
    return bar_target(battle, unit, hex) or stacking.bar_stack(battle, unit.side, hex, [unit])


def options_assault(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every Assault Move of a single unit."""
    return each(battle, side, _assaults_of, reach=1)


def _assaults_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    for hex in _enemy_hexes(battle, unit):
        if bar_assault(battle, unit, hex) is None:
            key = f"assault {unit.id} {hex}"
            yield Option(key, f"Assault {hex}", "assault", unit.id, hex, cost="1 IP", rule="82.5")


def _seen_hexes(battle: OstBattle, side: str) -> set[str]:
    """Where the side sees enemies."""
    return {unit.hex for unit in battle.units(battle.other(side)) if not unit.hidden}


def _enemy_hexes(battle: OstBattle, unit: Unit) -> list[str]:
    at = battle.at
    return [hex for hex in battle.grid.adjacent[unit.hex] if hex in at and battle.seen_enemies(hex, unit.side)]


def act_assault(battle: OstBattle, side: str, unit_id: str, hex: str) -> Procedure[bool]:
    """Move into an adjacent enemy hex for 1 point; the Melee is fought at the turn's end (82.5, 82.6)."""
    battle.spend(side, battle.charts["impulse"]["cost_action"], "82.5")
    yield from _assault(battle, side, [battle.unit(unit_id)], hex)
    return False


# ---- group assaults (82.8, 82.9) ------------------------------------------------------------------------------


def bar_group_assault(battle: OstBattle, first: Unit, second: Unit, hex: str) -> Bar | None:
    """Why two units may not assault a hex together (82.8, 82.9)."""
    if battle.state.points.get(first.side, 0) < battle.charts["impulse"]["cost_group"]:
        return NO_POINTS
    for unit in (first, second):
        if bar := bar_assaulter(battle, unit) or bar_target(battle, unit, hex):
            return bar
        if unit.partner and unit.partner not in (first.id, second.id):
            return PAIRED
    vehicles = [unit for unit in (first, second) if battle.kinds[unit.kind].vehicle]
    if len(vehicles) == 2:
        return TWO_VEHICLES
    if first.hex != second.hex and not (vehicles and battle.grid.direction(first.hex, second.hex)):
        return NOT_TOGETHER
    leaders = [leader for unit in (first, second) if (leader := battle.leader(unit)) is not None]
    if not any(leader.morale != BROKEN for leader in leaders):
        return NO_LEADER
    return stacking.bar_stack(battle, first.side, hex, [first, second])


def options_group_assault(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every Assault Move of two units together."""
    if battle.state.points.get(side, 0) < battle.charts["impulse"]["cost_group"]:
        return
    enemies = _seen_hexes(battle, side)
    able = [
        unit
        for unit in battle.units(side)
        if not unit.attached
        and not enemies.isdisjoint(battle.grid.adjacent[unit.hex])
        and bar_assaulter(battle, unit) is None
    ]
    for number, first in enumerate(able):
        for second in able[number + 1 :]:
            if battle.grid.distance(first.hex, second.hex) > 1:
                continue
            for hex in _enemy_hexes(battle, first):
                if bar_group_assault(battle, first, second, hex) is None:
                    key = f"group_assault {first.id} {second.id} {hex}"
                    label = f"Assault {hex} together with {battle.name(second)}"
                    yield Option(key, label, "group_assault", first.id, hex, second.id, cost="2 IP", rule="82.8")


def act_group_assault(battle: OstBattle, side: str, first_id: str, second_id: str, hex: str) -> Procedure[bool]:
    """Two units assault together for 2 points (82.8)."""
    battle.spend(side, battle.charts["impulse"]["cost_group"], "82.8")
    yield from _assault(battle, side, [battle.unit(first_id), battle.unit(second_id)], hex)
    return False


# ---- carrying it out --------------------------------------------------------------------------------------------


def _assault(battle: OstBattle, side: str, units: list[Unit], hex: str) -> Procedure[None]:
    """Into the hex, through mines and strike zones; whoever can evades; the rest are in Melee (82.6, C-1 to C-3).

    A squad with several support weapons keeps one (20.11). It draws no Opportunity Fire (F-15). Where everybody
    slipped away there is no Melee, and the hex is taken.
    """
    roads = []
    for unit in units:
        hidden.come_out(battle, unit)
        yield from retreats.lay_down_weapons(battle, unit)
        roads.append((yield from _road_or_building(battle, unit, hex)))
    bogs = []
    for unit, road in zip(units, roads):
        start = unit.hex
        cost = terrain.entry_cost(battle, unit, start, hex, road=road)
        assert isinstance(cost, terrain.Cost), cost
        bogs.append(cost)
        travel.leave_behind(battle, unit)
        travel.put(battle, unit, hex, road)
        for each in stacking.company(battle, unit):
            each.assaulted = each.new_hex = True
            each.clearing = ""
        battle.emit(turn_events.Declared(side=side, unit=unit.id, what="assaults", place=hex, rules=("82.1",)))
        fortifications.drop_cover(battle, start)
    for unit in units:
        yield from movement.arrive(battle, unit, hex)
    for unit, cost in zip(units, bogs):
        if unit.status == ON_MAP and battle.kinds[unit.kind].vehicle:
            vehicle_movement.bog_roll(battle, unit, cost)
    yield from _meet(battle, side, units, hex)
    for unit in units:
        if unit.status == ON_MAP:
            used = battle.used(unit)
            marker, rule = ("Used", "74.6") if used else ("Assaulted", "82.4")
            battle.emit(turn_events.Marked(side=side, unit=unit.id, marker=marker, rules=(rule,)))


def _meet(battle: OstBattle, side: str, units: list[Unit], hex: str) -> Procedure[None]:
    """The Melee marker is placed (82.6); Snipers and lone Leaders may evade a new Melee (11.3).

    If that leaves nobody to fight, the marker goes again, and the hex is the assaulting side's (C-2).
    """
    alive = [unit for unit in units if unit.status == ON_MAP]
    if not battle.stack(hex, side):  # not even the crew of a vehicle that died on the way in
        return
    hidden.reveal_hex(battle, hex, battle.other(side), "73.8")
    reinforced = hex in battle.state.melees
    melee.set_melee(battle, hex, side)
    if not reinforced:
        yield from melee.evade(battle, hex, side)
    for unit in alive:
        control.capture(battle, unit)  # nothing while the Melee stands (Y-2)


def _road_or_building(battle: OstBattle, unit: Unit, hex: str) -> Procedure[bool | None]:
    """In a road and structure hex a foot unit's owner says which it takes (57.1)."""
    if battle.kinds[unit.kind].vehicle or not terrain.road_and_structure(battle, hex):
        return None
    options = [
        Option("road", "Along the road", "road", unit.id, hex, rule="57.2"),
        Option("building", "Into the building", "building", unit.id, hex, rule="57.3"),
    ]
    answer = yield Ask(unit.side, f"How does {battle.name(unit)} assault {hex}?", options, rule="57.1")
    return bool(answer == "road")
