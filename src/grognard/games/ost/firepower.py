"""What a shot is worth: its Firepower, and what modifies its rolls (59, 62, 63.2, 86, 89, 90, 92, 95).

Tallies alone: nothing is rolled here. The formula that they go into is in `combat`.
"""

from __future__ import annotations

from collections.abc import Sequence

from grognard.core.tally import Line, Tally
from grognard.games.ost import combat
from grognard.games.ost.arms import Shot
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.combat import modify
from grognard.games.ost.luck import lasting
from grognard.games.ost.sight import Sight
from grognard.games.ost.state import Unit

# ---- Firepower (86.3, 92, 95.8-95.13) ----


def firepower_tally(
    battle: OstBattle,
    group: Sequence[Shot],
    lines: Sequence[Sight],
    *,
    ambush: bool = False,
    intensive: bool = False,
    parachutist: bool = False,
) -> Tally:
    """The attack's Firepower: sum, double, halve, add and subtract, in that order (G-1, 86.3).

    A group's members are summed and halved each for itself (F-3); what both lines cross counts once (59.5).
    """
    tally = _own_firepower(battle, group[0])
    for shot in group[1:]:
        other = _own_firepower(battle, shot)
        tally.add("group", other.base, "92.3", battle.name(shot.unit))
        tally.lines += [Line(line.id, line.amount, line.rule, line.source or shot.unit.id) for line in other.lines]
    if parachutist:
        modify(battle, tally, "fire_at_parachutist")
    armor = _uses_ap(battle, group[0])
    _lucky_firepower(battle, tally, group, armor)
    degraded = degradations(lines)
    if degraded and (not armor or battle.options.degraded_fp_applies_to_ap):
        modify(battle, tally, "degraded_los", ", ".join(degraded), len(degraded))
    for hex in sorted({shot.unit.hex for shot in group}):
        if hex in battle.state.smoke:
            modify(battle, tally, "firing_out_of_smoke", hex)
    if intensive:
        modify(battle, tally, "intensive_fire_fp")
    if ambush:
        modify(battle, tally, "ambush_fp")
    return tally


def _own_firepower(battle: OstBattle, shot: Shot) -> Tally:
    """What one unit brings: its own Firepower and its weapon's, then doubled or halved."""
    unit, target, arm = shot.unit, shot.target, shot.arm
    type_, victim = battle.type(unit), battle.type(target)
    if arm.kind == "gun" or arm.kind == "at":
        tally = _gun_firepower(battle, shot)
    elif arm.kind == "mg":
        tally = Tally("Firepower", type_.secondary.fp, "95.13", f"{type_.name}, machine guns")
    elif arm.kind in ("alone", "close"):
        assert arm.weapon is not None
        weapon = battle.kinds[arm.weapon.kind]
        tally = Tally("Firepower", weapon.fp, "20.4" if arm.kind == "alone" else "20.7", weapon.name)
    else:
        tally = Tally("Firepower", battle.firepower(unit), "88.1", type_.name)
        if arm.weapon is not None:
            weapon = battle.kinds[arm.weapon.kind]
            if arm.kind == "at_he":
                tally.add("support_weapon", weapon.he, "20at.2", weapon.name)
            else:
                tally.add("support_weapon", weapon.fp, "20.3", weapon.name)
    if type_.sniper and (victim.single or victim.armor_leader):
        modify(battle, tally, "sniper_vs_person")
    if unit.morale:
        modify(battle, tally, "shaken_fp")
    if arm.kind == "close":
        modify(battle, tally, "close_weapon_vs_vehicle")
    elif arm.kind in ("small", "alone", "mg"):
        if shot.crew:
            modify(battle, tally, "small_arms_vs_exposed_crew")
        elif victim.truck:
            modify(battle, tally, "small_arms_vs_soft_vehicle")
    return tally


def _uses_ap(battle: OstBattle, shot: Shot) -> bool:
    return shot.arm.kind in ("gun", "at") and battle.type(shot.target).armored


def _gun_firepower(battle: OstBattle, shot: Shot) -> Tally:
    """AP at armor by range band (95.8); HE at foot units (95.11) and, after a hit, at trucks (95.12)."""
    name = gun_name(battle, shot)
    weapon = battle.kinds[shot.arm.weapon.kind] if shot.arm.weapon is not None else None
    if _uses_ap(battle, shot):
        return Tally("Firepower", band(battle, shot)[3], "95.8", f"{name}, AP")
    he = weapon.he if weapon else battle.he(shot.unit, shot.arm.gun)
    return Tally("Firepower", he, "95.12" if battle.type(shot.target).truck else "95.11", f"{name}, HE")


def gun_name(battle: OstBattle, shot: Shot) -> str:
    """The gun or anti-tank weapon that is fired, by its name on the card."""
    if shot.arm.weapon is not None:
        return battle.kinds[shot.arm.weapon.kind].name
    return battle.type(shot.unit).guns[shot.arm.gun].name


def band(battle: OstBattle, shot: Shot) -> tuple[int, int, int, int]:
    """The range band of a gun or anti-tank weapon: from, to, To Hit, AP (63.2)."""
    distance = battle.grid.dist[shot.unit.hex][shot.target.hex]
    if shot.arm.weapon is None:
        return battle.type(shot.unit).guns[shot.arm.gun].band(distance)
    bands = battle.kinds[shot.arm.weapon.kind].bands
    return next((found for found in bands if found[0] <= distance <= found[1]), bands[-1])


def degradations(lines: Sequence[Sight]) -> list[str]:
    """What degrades the lines, each place once (59.3, 59.5, 92.10, 92.11)."""
    return list(dict.fromkeys(place for line in lines for place in line.degraded))


# ---- Luck cards that add to it (62.4) ----


def _lucky_firepower(battle: OstBattle, tally: Tally, group: Sequence[Shot], armor: bool) -> None:
    """The Luck cards that add to one attack of this Impulse: for a gun's AP, or on the ICT for squads and MGs."""
    first = group[0]
    if armor:
        fits, kind = first.arm.kind == "gun", "ap_fp"
    else:
        infantry = any(battle.type(shot.unit).squad or battle.type(shot.unit).machine_gun for shot in group)
        fits, kind = infantry and (first.crew or battle.type(first.target).foot), "ict_fp"
    if fits and (card := lasting.boon(battle, first.unit.side, kind)) is not None:
        tally.add("luck", card.fp, "62.4", card.title)


def lucky_shells(battle: OstBattle, side: str, tally: Tally) -> None:
    """The Luck card for an attack on the ICT helps a squad's mortar too."""
    if (card := lasting.boon(battle, side, "ict_fp")) is not None:
        tally.add("luck", card.fp, "62.4", card.title)


def spend_luck(battle: OstBattle, side: str, firepower: Tally) -> None:
    """A Luck card that added to an attack is used up by it."""
    for line in firepower.lines:
        for kind in ("ap_fp", "ict_fp") if line.id == "luck" else ():
            card = lasting.boon(battle, side, kind)
            if card is not None and card.title == line.source:
                lasting.use_boon(battle, side, kind)


# ---- the dice (59.6, 86.7, 95.16) ----


def roll_tally(
    battle: OstBattle,
    units: Sequence[Unit],
    target: Unit,
    *,
    ambush: bool = False,
    intensive: bool = False,
    what: str = "attack roll",
) -> Tally:
    """What modifies the dice of an attack: Leader, height, Moving and Intensive Fire, ambush."""
    tally = Tally(what, 0, "86.7")
    combat.lead(battle, tally, *units)
    own, other = [battle.level(unit) for unit in units], battle.level(target)
    if min(own) < other:
        modify(battle, tally, "height_disadvantage")
    elif min(own) > other:
        modify(battle, tally, "height_advantage")
    for unit in units:
        if unit.moved:
            modify(battle, tally, "moving_fire", battle.name(unit))
            break
    if intensive:
        modify(battle, tally, "intensive_fire_roll")
    if ambush:
        modify(battle, tally, "ambush_roll")
    return tally


def to_hit_tally(battle: OstBattle, shot: Shot, line: Sight, *, ambush: bool, intensive: bool) -> Tally:
    """What modifies a To Hit roll: as the attack roll, and degraded sight and an Acquired Target (59.6, 95.16)."""
    tally = roll_tally(battle, [shot.unit], shot.target, ambush=ambush, intensive=intensive, what="To Hit roll")
    if line.degraded:
        modify(battle, tally, "degraded_to_hit", ", ".join(line.degraded), len(line.degraded))
    if shot.target.id in shot.unit.acquired.split():
        modify(battle, tally, "acquired_target", battle.name(shot.target))
    if (card := lasting.boon(battle, shot.unit.side, "to_hit_drm")) is not None:
        tally.add("luck", card.drm, "62.4", card.title)
    return tally
