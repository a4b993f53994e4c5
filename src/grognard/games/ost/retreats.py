"""Leaving a Melee hex: who must, where to, and what becomes of those who cannot (68.5, 68.8, 102.21-102.28).

The same hexes are open to a unit that retreats, to a tank that moves out after a drawn duel (104.14), and to a
Sniper or Leader who slips away before the Melee begins (11.3).
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.events import Told
from grognard.games.ost import (
    attacks,
    combat_events,
    control,
    move_events,
    movement,
    results,
    stacking,
    terrain,
    vehicle_movement,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, Unit

ENEMY_THERE = Bar("102.26", "enemy units are in the hex")
BY_TRANSPORT_ONLY = Bar("79.10", "it moves to a new hex by transport only")


class Cites(NamedTuple):
    """The rules behind each reason to leave, and behind the fate of those who cannot."""

    shaken: tuple[str, ...]
    broken: tuple[str, ...]
    both_sides: tuple[str, ...]
    truck: tuple[str, ...]
    leader: tuple[str, ...]
    no_hex: tuple[str, ...]
    immobile: tuple[str, ...]


MELEE = Cites(
    shaken=("102.22", "68.5"),
    broken=("102.22", "68.8"),
    both_sides=("102.23",),
    truck=("102.24",),
    leader=("102.25",),
    no_hex=("102.26",),
    immobile=("102.28", "98.1"),
)
DUEL = MELEE._replace(
    shaken=("104.15", "68.5"),
    broken=("104.15", "68.8"),
    both_sides=("104.16",),
    no_hex=("104.17",),
    immobile=("104.18", "98.1"),
)


# ---- who must leave (102.21-102.25, 104.15, 104.16) -------------------------------------------------------


def combatants(battle: OstBattle, hex: str, side: str) -> list[Unit]:
    """The side's units in a Melee hex. An Armor Leader is part of his vehicle (16.6, 16.9)."""
    return [unit for unit in battle.stack(hex, side) if not battle.type(unit).armor_leader]


def good_order_left(battle: OstBattle, hex: str, side: str) -> bool:
    """Whether a side keeps a good order unit in the hex (102.21)."""
    return any(unit.morale == GOOD for unit in combatants(battle, hex, side))


def must_retreat(battle: OstBattle, unit: Unit, cites: Cites = MELEE) -> tuple[str, ...]:
    """The rules that make a unit leave its Melee hex as it stands now; none if it may stay (C-7).

    Where a good order enemy is left, the Shaken and the Broken go, and so do trucks and Leaders without a unit.
    Where neither side has a good order unit, those go who started the Melee. Where no enemy is left, nobody
    does (65.6). Passengers stay with their vehicle (X-7).
    """
    enemy = battle.other(unit.side)
    if unit.aboard or not combatants(battle, unit.hex, enemy):
        return ()
    if good_order_left(battle, unit.hex, enemy):
        if unit.morale != GOOD:
            return cites.broken if unit.morale == BROKEN else cites.shaken
        if battle.type(unit).truck:
            return cites.truck
        return cites.leader if battle.type(unit).leader and not unit.attached else ()
    started = battle.state.melees[unit.hex].initiator == unit.side
    return cites.both_sides if started and not good_order_left(battle, unit.hex, unit.side) else ()


def leave_melee(battle: OstBattle, hex: str, cites: Cites = MELEE) -> Procedure[None]:
    """All who must retreat do so, the side that started the Melee first (102.22-102.28, C-7, B-65).

    An attached Leader goes with his unit (15.7). Who must go is seen anew after each retreat: a unit lost on
    the way may leave its Leader alone, or set down the passenger it carried.
    """
    initiator = battle.state.melees[hex].initiator
    for side in (initiator, battle.other(initiator)):
        while leaving := _leaving(battle, hex, side, cites):
            unit = yield from choose_first(battle, leaving, cites.shaken[0])
            yield from retreat(battle, unit, must_retreat(battle, unit, cites), cites)


def _leaving(battle: OstBattle, hex: str, side: str, cites: Cites) -> list[Unit]:
    """Who must go now; a Leader by himself only if his unit stays (15.7)."""
    units = [unit for unit in combatants(battle, hex, side) if must_retreat(battle, unit, cites)]
    led = {unit.id for unit in units}
    return sorted((unit for unit in units if unit.attached not in led), key=lambda unit: bool(unit.attached))


def choose_first(battle: OstBattle, leaving: list[Unit], rule: str) -> Procedure[Unit]:
    """The one of several who goes next: where there is not room for all, their owner says who (68.5, 102.22).

    Where all find a hex the order is nobody's question: the owner picks every hex himself.
    """
    able = [unit for unit in leaving if vehicle_movement.bar_vehicle(unit) is None and open_hexes(battle, unit)]
    if len(able) < 2 or room_for_all(battle, able):
        return leaving[0]
    options = [
        Option(f"first {unit.id}", f"{battle.name(unit)} goes first", "first", unit.id, unit.hex, rule=rule)
        for unit in able
    ]
    prompt = f"There isn't room for all units that leave {able[0].hex}. Which goes first?"
    answer = yield Ask(able[0].side, prompt, options, rule=rule, meanwhile=options[0].key)
    return battle.unit(answer.split()[1])


def room_for_all(battle: OstBattle, units: list[Unit]) -> bool:
    """Whether the units could all leave, each to an open hex, without overstacking one (72.1, C-8)."""
    for hexes in product(*(open_hexes(battle, unit) for unit in units)):
        groups: dict[str, list[Unit]] = {}
        for unit, hex in zip(units, hexes):
            groups.setdefault(hex, []).extend(company(battle, unit))
        if all(stacking.bar_stack(battle, group[0].side, hex, group) is None for hex, group in groups.items()):
            return True
    return False


# ---- where to (68.5, 102.26, C-8) -------------------------------------------------------------------------


def company(battle: OstBattle, unit: Unit) -> list[Unit]:
    """A unit with all who go where it goes: its Leader (15.7), and whoever rides on it (79.2)."""
    riding = [other for other in battle.at[unit.hex] if other is not unit and unit.id in (other.attached, other.aboard)]
    return [unit, *riding]


def bar_hex(battle: OstBattle, unit: Unit, hex: str) -> Bar | None:
    """Why a unit cannot retreat to an adjacent hex: enemies it can see, terrain, or no room (C-8)."""
    if battle.seen_enemies(hex, unit.side):
        return ENEMY_THERE
    if battle.type(unit).transport_only:
        return BY_TRANSPORT_ONLY
    return terrain.bar_entry(battle, unit, unit.hex, hex) or stacking.bar_stack(
        battle, unit.side, hex, company(battle, unit)
    )


def open_hexes(battle: OstBattle, unit: Unit) -> list[str]:
    """The adjacent hexes to which a unit can retreat, as far as its owner can tell."""
    return [hex for hex in battle.grid.adjacent[unit.hex] if bar_hex(battle, unit, hex) is None]


def choose_hex(battle: OstBattle, unit: Unit, verb: str, rule: str) -> Procedure[str]:
    """The owner picks the hex (68.5), and another one as long as hidden enemies turn up (73.8); "" if there is none."""
    while (hex := (yield from try_hex(battle, unit, verb, rule))) is None:
        pass
    return hex


def try_hex(battle: OstBattle, unit: Unit, verb: str, rule: str) -> Procedure[str | None]:
    """The owner picks a hex (68.5); "" if there is none, nothing if it held hidden enemies, who are shown (73.8)."""
    hexes = open_hexes(battle, unit)
    if not hexes:
        return ""
    hex = hexes[0]
    if len(hexes) > 1:
        say = verb.capitalize()
        options = [Option(f"{verb} {unit.id} {to}", f"{say} to {to}", verb, unit.id, to, rule=rule) for to in hexes]
        prompt = f"{battle.name(unit)} in {unit.hex}: {verb} to which hex?"
        answer = yield Ask(unit.side, prompt, options, rule=rule, meanwhile=options[0].key)
        hex = answer.split()[-1]
    hidden = battle.stack(hex, battle.other(unit.side))
    for enemy in hidden:
        battle.reveal(enemy, "73.8")
    return None if hidden else hex


# ---- going (102.26-102.28, 104.14, 104.17, 104.18, C-8) -----------------------------------------------------


def retreat(
    battle: OstBattle, unit: Unit, rules: tuple[str, ...] = ("102.22",), cites: Cites = MELEE
) -> Procedure[None]:
    """A unit leaves the Melee hex: no Movement Points, no Opportunity Fire, morale and facing kept (C-8).

    A vehicle that cannot move is abandoned (102.28); any unit without a hex to go to is destroyed (102.26). If the
    hex held hidden enemies nobody has gone: there is less room now, and who goes first is the owner's choice again.
    """
    enemy = battle.other(unit.side)
    riders = [other for other in company(battle, unit) if other.aboard and not other.attached]
    if vehicle_movement.bar_vehicle(unit):
        yield from results.abandon(battle, unit, enemy, *cites.immobile)
    elif (hex := (yield from try_hex(battle, unit, "retreat", rules[0]))) is None:
        return
    elif hex:
        retreated = combat_events.Retreated(side=unit.side, unit=unit.id, place=hex, rules=rules)
        yield from go(battle, unit, hex, retreated)
        return
    else:
        yield from results.eliminate(battle, unit, enemy, *cites.no_hex, melee=True)
    for rider in riders:  # 79.21, V-7: they are set down in the hex and may be hurt
        if rider.status == ON_MAP:
            yield from attacks.collateral(battle, rider, enemy, lost=True, melee=True)


def move_out(battle: OstBattle, hex: str) -> Procedure[None]:
    """Both sides of a duel are in good order: the one that started it moves out (104.14, C-14)."""
    leaving = combatants(battle, hex, battle.state.melees[hex].initiator)
    while leaving:
        unit = yield from choose_first(battle, leaving, "104.14")
        yield from retreat(battle, unit, ("104.14",), DUEL)
        if unit.status == ON_MAP and unit.hex == hex:
            continue
        leaving.remove(unit)
        if unit.status == ON_MAP:
            control.capture(battle, unit)


def go(battle: OstBattle, unit: Unit, hex: str, event: Told) -> Procedure[None]:
    """Put a unit in the next hex with all who go with it (C-8).

    Mines and strike zones act there; a vehicle rolls for Bog and removes Wire as one that moves in (77.2, 30.5).
    """
    start = unit.hex
    cost = terrain.entry_cost(battle, unit, start, hex)
    assert isinstance(cost, terrain.Cost), cost
    yield from lay_down_weapons(battle, unit)
    if unit.attached:  # a Shaken or Broken Leader whose unit stays
        unit.attached = ""
        battle.emit(move_events.Detached(side=unit.side, unit=unit.id, rules=("102.22",)))
    results.leave_rolling_cover(battle, unit)
    for each in company(battle, unit):
        each.inside, each.clearing = False, ""
        each.on_road = battle.type(unit).vehicle and terrain.road_and_structure(battle, hex)
    battle.place(unit, hex)
    battle.emit(event)
    results.after_loss(battle, start, evaded=isinstance(event, combat_events.Evaded))
    yield from movement.arrive(battle, unit, hex)
    if unit.status == ON_MAP and battle.type(unit).vehicle:
        vehicle_movement.bog_roll(battle, unit, cost)


def lay_down_weapons(battle: OstBattle, squad: Unit) -> Procedure[None]:
    """A squad carries one support weapon to another hex; the others stay where they are (20.11)."""
    weapons = battle.weapons(squad)
    if not battle.type(squad).squad or len(weapons) < 2:
        return
    options = [
        Option(f"keep {weapon.id}", f"Keep the {name}", "keep", squad.id, squad.hex, weapon.id, rule="20.11")
        for weapon, name in ((weapon, battle.kinds[weapon.kind].name) for weapon in weapons)
    ]
    prompt = f"Which weapon does {battle.name(squad)} keep?"
    answer = yield Ask(squad.side, prompt, options, rule="20.11", meanwhile=options[0].key)
    for weapon in weapons:
        if weapon.id != answer.split()[1]:
            weapon.unit, weapon.hex = "", squad.hex
            battle.emit(move_events.WeaponLeft(side=squad.side, weapon=weapon.id, place=squad.hex, rules=("20.11",)))
