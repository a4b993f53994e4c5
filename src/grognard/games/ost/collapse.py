"""Structure collapse, and Bunkers brought down by the same blows (110, 28.9, 28.10, 53.8, 54.4).

Who calls it, and when, follows from the attack: OBA for each of its hexes, an Air Strike for both of its
hexes, a heavy weapon or a satchel after its attack on units inside (Z-7).
"""

from __future__ import annotations

from collections.abc import Iterable

from grognard.core.ask import Procedure
from grognard.core.dice import at_least
from grognard.core.tally import Line, Tally
from grognard.games.ost import attacks, combat, combat_events, move_events, results
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.charts import Terrain
from grognard.games.ost.state import LOST, ON_MAP, UNMANNED, Unit

SATCHEL = "satchel"


def satchel_lines(battle: OstBattle) -> tuple[Line, ...]:
    """What a Satchel Charge adds to the collapse roll (110.7, 20sc.2)."""
    return (Line(SATCHEL, battle.charts["collapse"]["drm_satchel"], "110.7"),)


def collapse_check(battle: OstBattle, hex: str, by: str, drm: Iterable[Line] = (), source: str = "") -> Procedure[bool]:
    """Roll whether the structure or Bunker of a hex comes down, empty or not (110.1, 110.4, 28.9).

    ``drm`` modifies the roll; ``source`` is what did it. Nothing is rolled where neither stands, nor for a
    Bunker that is still hidden; a satchel threatens Bunkers only if the scenario has it so (W-8). True if
    something fell.
    """
    terrain = battle.terrain(hex)
    work = battle.state.works.get(hex)
    roll = Tally("collapse roll", 0, "110.1", source, list(drm))
    if terrain.structure:
        needed, rule, what = terrain.collapse_at_least, terrain.rule, terrain.name.replace("_", " ")
        cited = "110.5" if terrain.structure == "light" else "110.6"
    elif work is not None and work.kind == "bunker" and not work.hidden:
        if source == SATCHEL and not battle.options.satchel_collapses_bunkers:
            return False
        needed, rule, what, cited = battle.charts["collapse"]["bunker_at_least"], "28.9", "bunker", "28.9"
    else:
        return False
    number = Tally("collapse number", needed, rule, what)
    dice = battle.charts["collapse"]["dice"]
    fell: bool = battle.roll(by, "collapse", dice, at_least(needed, roll.total), (cited, "110.1"), (number, roll))
    if not fell:
        return False
    if terrain.structure:
        yield from _fall(battle, hex, by, terrain)
    else:
        _lose_bunker(battle, hex)
    return True


# ---- structures (110.8-110.13) -----------------------------------------------------------------------


def _fall(battle: OstBattle, hex: str, by: str, terrain: Terrain) -> Procedure[None]:
    """Rubble at once; weapons inside are lost; whoever is inside is attacked (110.8-110.13, Z-6)."""
    inside = [u for u in battle.at.get(hex, ()) if battle.in_structure(u)]
    battle.emit(combat_events.Collapsed(side=by, place=hex, kind=terrain.name, rules=("110.8",)))
    _lose_weapons(battle, hex, inside)
    battle.state.rubble.append(hex)
    for unit in battle.at.get(hex, ()):
        unit.on_road = False  # 61.12: road and rubble are one terrain for Defense
    for unit in inside:
        battle.reveal(unit, "110.9")
    victims = [_crew_of(battle, unit, "110.13") for unit in inside if not unit.attached]
    words = terrain.name.replace("_", " ")
    for victim in victims:
        if victim.status == ON_MAP:
            firepower = Tally("Firepower", terrain.collapse_fp, "110.9", words)
            if battle.field.building_level.get(hex, 1) > 1:
                firepower.add("multi_level", terrain.collapse_multi_level_fp, "110.10", words)
            defense = combat.defense_tally(battle, victim, "plain")
            roll = Tally("attack roll", 0, "110.9")
            yield from attacks.infantry_attack(battle, by, victim, firepower, defense, roll, "110.9")


def _lose_weapons(battle: OstBattle, hex: str, inside: list[Unit]) -> None:
    """Support weapons in the building, carried or lying, and guns left in it are destroyed (110.12, 110.13)."""
    for unit in inside:
        for weapon in battle.weapons(unit):
            results.lose_weapon(battle, weapon, "110.12")
    for weapon in battle.weapons_lying(hex):
        results.lose_weapon(battle, weapon, "110.12")
    for gun in battle.state.units.values():
        if gun.status == UNMANNED and gun.hex == hex and not gun.on_road:
            _lose_gun(battle, gun, "110.13")


# ---- Bunkers (28.9, 28.10) -----------------------------------------------------------------------------


def _lose_bunker(battle: OstBattle, hex: str) -> None:
    """The Bunker is gone; those in it stand in the open, unhurt but for their guns (28.9, 28.10, Z-4)."""
    del battle.state.works[hex]
    battle.emit(combat_events.Collapsed(place=hex, kind="bunker", rules=("28.9",)))
    empty_bunker(battle, hex)


def empty_bunker(battle: OstBattle, hex: str) -> None:
    """Those in a Bunker that is lost stand in its hex; crewed weapons become Crews, a point each (28.10, Z-4)."""
    for gun in battle.state.units.values():
        if gun.status == UNMANNED and gun.hex == hex and gun.inside:
            _lose_gun(battle, gun, "28.10")
    for unit in [u for u in battle.at.get(hex, ()) if u.inside]:
        unit.inside = False
        if not unit.attached:
            _crew_of(battle, unit, "28.10")


# ---- guns ------------------------------------------------------------------------------------------------


def _lose_gun(battle: OstBattle, gun: Unit, rule: str) -> None:
    """A gun without crew is destroyed; no points for weapons (5)."""
    gun.status = LOST
    battle.emit(move_events.WeaponLost(weapon=gun.id, rules=(rule,)))


def _crew_of(battle: OstBattle, unit: Unit, rule: str) -> Unit:
    """The unit itself; or, for a crewed weapon, the Crew counter that takes its place for 1 point (K-10).

    The Crew keeps the weapon's morale, its marks of this turn and its Leader.
    """
    if not battle.type(unit).crewed:
        return unit
    battle.reveal(unit, rule)
    leader = battle.leader(unit)
    battle.lift(unit)
    unit.status, unit.clearing, unit.inside = LOST, "", False
    crew = battle.create(results.crew_kind(battle, unit), unit.side, unit.hex)
    crew.morale, crew.intensive, crew.on_road = unit.morale, unit.intensive, unit.on_road
    crew.moved, crew.fired, crew.assaulted, crew.new_hex = unit.moved, unit.fired, unit.assaulted, unit.new_hex
    if leader is not None:
        leader.attached = crew.id
    battle.emit(move_events.WeaponLost(weapon=unit.id, rules=(rule,)))
    battle.emit(combat_events.CrewSurvived(side=unit.side, unit=unit.id, crew=crew.id, rules=(rule,)))
    points = battle.charts["casualty_points"]["crewed_weapon_lost_in_collapse"]
    battle.score(battle.other(unit.side), points, unit, rule)
    return crew
