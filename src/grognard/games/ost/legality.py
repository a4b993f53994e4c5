"""What could not be so on a real table: faults of positions that somebody wrote by hand.

The rules never lead there, so no rule looks out for it: a tank in a house, markers on counters that cannot have them,
an aircraft with too large a load. Each fault names the counter and the key, says what is wrong and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from grognard.core.ask import Bar
from grognard.games.ost import airborne, fortifications, setup, terrain
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.invariants import conduct, structure
from grognard.games.ost.state import ON_MAP, PLANE, UNMANNED, UNPLACED, Unit, Work
from grognard.kits.hex.invariants import Wrong
from grognard.kits.hex.reading import FACINGS

OBSTACLES = ("mines", "wire", "roadblock")
FACING = "facing = 1 (north) to 6 (north-west), clockwise"


def wrongs(battle: OstBattle) -> Iterator[Wrong]:
    """Everything about the units of a position that no play could lead to."""
    yield from structure(battle)
    yield from conduct(battle)
    yield from melees(battle)
    yield from works(battle)
    yield from aircraft(battle)
    for unit in battle.state.units.values():
        yield from markers(battle, unit)
        if unit.status in (ON_MAP, UNMANNED) and unit.hex in battle.grid:
            yield from stands(battle, unit, unit.hex)


def opening(battle: OstBattle) -> Iterator[Wrong]:
    """What is wrong with all that a scenario puts in a hex of its own choice, before anybody sets up.

    Its Pillboxes stand already, whichever way their owner will turn them.
    """
    for work in battle.scenario.works:
        if work.at:
            battle.state.works.setdefault(work.at, Work(work.kind, work.side, work.facing or FACINGS[0]))
    yield from structure(battle)
    yield from works(battle)
    yield from aircraft(battle)
    for placing in battle.scenario.units:
        unit = battle.unit(placing.id)
        if placing.at and unit.status in (ON_MAP, UNPLACED) and placing.at in battle.grid:
            yield from stands(battle, unit, placing.at)


def keep_to_roads(battle: OstBattle) -> None:
    """Vehicles, and whoever rides on them, are on the road of a road and structure hex, said or not (57.4)."""
    for unit in battle.state.units.values():
        carrier = battle.state.units.get(unit.aboard, unit)
        if unit.status == ON_MAP and battle.type(carrier).vehicle and terrain.road_and_structure(battle, unit.hex):
            unit.on_road = True


# ---- where units stand (17.9, 28.12, 29.2, 31.1, 35.5, 53.7, 57) -------------------------------------------------


def stands(battle: OstBattle, unit: Unit, hex: str) -> Iterator[Wrong]:
    """Why a unit cannot be in its hex as it is said to be; passengers and Leaders are where what they follow is."""
    name, kind = battle.name(unit), battle.type(unit)
    if unit.on_road and not battle.field.roads[hex]:
        yield Wrong(f"{hex} doesn't have a road [57.6]", "leave out on_road", unit.id, "on_road")
    if unit.aboard or unit.attached:
        return
    if bar := setup.bar_ground(battle, unit, hex, road=unit.on_road):
        yield Wrong(f"{name} can't be in {hex}: {say(bar)}", remedy(battle, unit, hex, bar), unit.id, "hex")
    if not unit.inside:
        return
    if terrain.shelter(battle, unit.side, hex) is None:
        right = f'a [[work]] of kind "bunker" or "pillbox" in {hex}'
        if battle.terrain(hex).structure:
            right = f"leave it out: a foot unit is in the building of {hex} unless on_road = true"
        yield Wrong(f"{hex} doesn't have a Bunker or Pillbox [28.12]", right, unit.id, "inside")
    elif not kind.foot or kind.no_structures:
        yield Wrong(f"{name} can't be inside a Bunker or Pillbox [17.9, 29.2]", "leave it out", unit.id, "inside")


def say(bar: Bar) -> str:
    """A prohibition with its rule."""
    return f"{bar.reason} [{bar.rule}]"


def remedy(battle: OstBattle, unit: Unit, hex: str, bar: Bar) -> str:
    """What would be right for a unit that cannot be where it is said to be."""
    if terrain.road_and_structure(battle, hex) and bar == terrain.TOO_LARGE:
        return "on_road = true, or another hex"
    if battle.type(unit).vehicle and battle.state.works.get(hex) is None:
        return f"another hex, or a road through {hex} on the map"
    return "another hex"


# ---- what units can have (10.4, 17.2, 19.3, 21, 81.1) ------------------------------------------------------------


def markers(battle: OstBattle, unit: Unit) -> Iterator[Wrong]:
    """Markers on a counter that cannot have them."""
    kind, name = battle.type(unit), battle.name(unit)
    for key in ("bogged", "immobilized", "mgs_out", "guns_out"):
        if getattr(unit, key) and not kind.vehicle:
            yield Wrong(f"{name} is not a vehicle [77.1, 97]", f"leave out {key}", unit.id, key)
    if kind.vehicle and unit.mgs_out and not kind.secondary.fp:
        yield Wrong(f"{name} doesn't have machine guns [97.2]", "leave out mgs_out", unit.id, "mgs_out")
    if kind.vehicle and (lost := [gun for gun in unit.guns_out if not 0 <= gun < len(kind.guns)]):
        right = f"numbers from 0 to {len(kind.guns) - 1}" if kind.guns else "leave out guns_out"
        yield Wrong(f"{name} doesn't have a gun {lost[0]} [97.2]", right, unit.id, "guns_out")
    if unit.status == UNMANNED and not kind.crewed:
        yield Wrong(f"{name} is not a crewed weapon [17.2]", 'status = "map", or leave it out', unit.id, "status")
    for key in ("manned_by", "captured"):
        if getattr(unit, key) and not kind.crewed:
            yield Wrong(f"{name} is not a crewed weapon [17.3]", f"leave out {key}", unit.id, key)
    if wrong := [word for word in unit.clearing.split() if word not in OBSTACLES]:
        yield Wrong(f'"{wrong[0]}" can\'t be cleared [10.4]', f"some of {', '.join(OBSTACLES)}", unit.id, "clearing")
    elif unit.clearing and not kind.engineer:
        yield Wrong(f"{name} is not an Engineer [10.4]", "leave out clearing", unit.id, "clearing")
    if kind.armor_leader and unit.status == ON_MAP and not unit.attached:
        right = 'attached = "...", with the id of an armored vehicle in its hex'
        yield Wrong(f"{name} is not in a vehicle [16.6]", right, unit.id, "attached")
    partner = battle.state.units.get(unit.partner)
    if partner is not None and unit.n < partner.n:
        other = battle.type(partner)
        if not (kind.squad and other.armored) and not (kind.armored and other.squad):
            right = "a squad and an armored vehicle, each the partner of the other"
            yield Wrong(f"Rolling Cover of {name} and {battle.name(partner)} [81.1]", right, unit.id, "partner")


def melees(battle: OstBattle) -> Iterator[Wrong]:
    """A Melee needs two sides (101, 102.30)."""
    for hex in battle.state.melees:
        here = {unit.side for unit in battle.at.get(hex, ())}
        if hex in battle.grid and len(here) < 2:
            who = f"only {here.pop()} has units" if here else "there are no units"
            yield Wrong(f"a Melee in {hex}, where {who} [102.30]", "units of both sides in it", f"melee {hex}", "hex")


def works(battle: OstBattle) -> Iterator[Wrong]:
    """Works where the ground does not take them (25.5, 28.3, 29.3), and Pillboxes that face nowhere (29.7)."""
    for hex, work in battle.state.works.items():
        if hex in battle.grid and (bar := fortifications.bar_site(battle, hex, work.kind)):
            yield Wrong(f"{say(bar)}: {hex}", "another hex", f"work {hex}", "hex")
        if work.facing not in FACINGS and (work.facing or work.kind == "pillbox"):
            wrong = f"a facing of {work.facing}" if work.facing else f"the Pillbox in {hex} needs a facing [29.7]"
            yield Wrong(wrong, FACING, f"work {hex}", "facing")


# ---- aircraft (83, 84) -------------------------------------------------------------------------------------------


def aircraft(battle: OstBattle) -> Iterator[Wrong]:
    """Loads that an aircraft cannot carry, and aircraft that fly too close together or apart in direction."""
    units = battle.state.units.values()
    planes = [unit for unit in units if unit.status == PLANE and battle.type(unit).kind == "aircraft"]
    for plane in planes:
        load = [unit for unit in units if unit.aboard == plane.id and unit.status == PLANE]
        if bar := airborne.bar_load(battle, plane, load):
            most, guns = battle.type(plane).squads, battle.type(plane).heavy_weapons
            right = f"up to {most} squads and crewed machine guns with their Leaders, or {guns} gun"
            yield Wrong(f"{battle.name(plane)}: {say(bar)}", right, plane.id, "load")
    for one, other in combinations([plane for plane in planes if plane.hex], 2):
        for bar in airborne.bars_beside(battle, one, other, other.hex, other.facing):
            key, right = "hex", f"{battle.charts['airborne']['min_spacing_hexes'] + 1} hexes or more from {one.hex}"
            if bar is airborne.OTHER_WAY:
                key, right = "facing", f"facing = {one.facing}, as {one.id} flies"
            yield Wrong(f"{battle.name(other)} beside {battle.name(one)}: {say(bar)}", right, other.id, key)
