"""What a unit can fire with, and at what (17-23, 88, 95): the arms, and what bars a shot.

The legality of every attack is told here once: `bar_shot` gives the reason with its rule, the options are
the shots that have none, and "why not?" reads the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from grognard.board.hex.arcs import covered_arc
from grognard.core.ask import Bar
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IS_BROKEN, bar_over
from grognard.games.ost.roster import UnitType
from grognard.games.ost.sight import sees, sight
from grognard.games.ost.state import BROKEN, ON_MAP, Unit, Weapon

SMALL_ARMS = frozenset({"lmg", "bar", "ampulomet"})
ADJACENT = frozenset({"flamethrower", "grenade_bundle", "molotov"})

NOT_HERE = Bar("88.1", "it isn't on the map")
NO_FIREPOWER = Bar("13.1", "Leaders have no Firepower")
RIDING = Bar("79.15", "it is being transported")
UNPACKED = Bar("17.11", "it has an asterisk and entered a new hex this turn")
NO_WEAPON = Bar("88.1", "it has no weapon to fire")
CARRYING = Bar("79.13", "vehicles carrying a unit can't fire")
LIMITED = Bar("23.1", "its main armament has limited fire and has fired this turn")

SAME_HEX = Bar("88.2", "it is in the same hex")
OUT_OF_RANGE = Bar("88.2", "out of range")
GUN_RANGE = Bar("95.4", "beyond the gun's maximum range")
NOT_BEYOND = Bar("20.4", "the squad is in range itself: it must fire along with the weapon")
TARGET_IN_MELEE = Bar("101.2", "the target is in a Melee")
LEADER_STACKED = Bar("88.5", "only a Sniper can pick out a Leader from a stack")
ARMOR_LEADER = Bar("16.9", "only a Sniper can fire at an Armor Leader")
NEEDS_AP = Bar("21.0", "small arms and HE can't hurt an armored vehicle")
NEEDS_FOOT = Bar("95.1", "that weapon is for vehicles")
NEEDS_WALLS = Bar("20at.2", "it can fire at foot units only in a structure, Bunker or Pillbox")
NO_EXPOSED_CREW = Bar("21.12", "only small arms can hit an exposed crew, in an open-topped vehicle")
OUT_OF_ARC = Bar("17.13", "outside the covered arc")
OUT_OF_VEHICLE_ARC = Bar("21.6", "outside the covered arc of the vehicle")
OUT_OF_PILLBOX_ARC = Bar("29.8", "outside the Pillbox's arc")
CREWED_IN_PILLBOX = Bar("29.9", "a crewed weapon in a Pillbox fires through its arc only")
INTO_PILLBOX = Bar("29.8", "units in the Pillbox can be fired at through its arc only")
BLOWBACK = Bar("20at.3", "it can't be fired from a Bunker or Pillbox")
WEAPON_TAKEN = Bar("20.9", "another squad has already used this weapon this turn")
ENGINEERS_ONLY = Bar("10.5", "only Engineers can use flamethrowers")


class Arm(NamedTuple):
    """One way in which a unit can fire.

    ``kind``: "small" arms (with a support weapon or without), an LMG "alone", an "at" weapon at a vehicle,
    its HE ("at_he") at walls, a "close" weapon at a vehicle, a main "gun", or a vehicle's "mg".
    """

    word: str
    kind: str
    range: int
    weapon: Weapon | None = None
    gun: int = 0
    near: bool = False  # thrown or flamed into an adjacent hex: height does not carry it further


class Shot(NamedTuple):
    """A declared attack: who fires what at whom; ``crew`` for the exposed crew of an open top."""

    unit: Unit
    target: Unit
    arm: Arm
    crew: bool = False

    @property
    def words(self) -> str:
        """The shot as the words of an answer: target and arm."""
        return f"{self.target.id}{':crew' if self.crew else ''} {self.arm.word}"


# ---- in words ----


def say_target(battle: OstBattle, shot: Shot) -> str:
    """Whom a shot is aimed at."""
    name = battle.name(shot.target)
    return f"the crew of {name}" if shot.crew else name


def say_arm(battle: OstBattle, unit: Unit, arm: Arm) -> str:
    """What it is fired with; nothing where a unit has only this."""
    if arm.weapon is not None:
        name = battle.kinds[arm.weapon.kind].name
        return f"with the {name} too" if arm.word.startswith("own+") else f"with the {name}"
    kind = battle.kinds[unit.kind]
    if arm.kind == "mg":
        return "with its machine guns"
    return f"with the {kind.guns[arm.gun].name}" if arm.kind == "gun" and kind.vehicle else ""


def say_shot(battle: OstBattle, shot: Shot) -> str:
    """A shot in words: "Rifle Squad a1 with the BAR too"."""
    return f"{say_target(battle, shot)} {say_arm(battle, shot.unit, shot.arm)}".rstrip()


# ---- may it fire at all? ----


def bar_fire(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit cannot fire now, whatever the target."""
    kind = battle.kinds[unit.kind]
    if unit.status != ON_MAP:
        return NOT_HERE
    if kind.leader or kind.armor_leader:
        return NO_FIREPOWER
    if unit.morale == BROKEN:
        return IS_BROKEN
    if unit.aboard:
        return RIDING
    if bar := bar_over(battle, unit):
        return bar
    if kind.asterisk and unit.new_hex:
        return UNPACKED
    return None


# ---- with what? ----


def arms(battle: OstBattle, unit: Unit) -> list[Arm]:
    """Everything a unit could fire at single targets; satchels and mortars are thrown at hexes instead."""
    kind = battle.kinds[unit.kind]
    if kind.vehicle:
        return _vehicle_arms(battle, unit, kind)
    if kind.guns:
        return [_crewed(kind)]
    reach = arms_reach(battle, unit)
    found = [_own(reach)]
    if kind.squad:
        for weapon in battle.state.weapons.values():
            if weapon.unit == unit.id:
                found += weapon_arms(battle.kinds[weapon.kind], weapon, reach)
    return found


def arms_reach(battle: OstBattle, unit: Unit) -> int:
    """The range of a unit's own small arms."""
    kind = battle.kinds[unit.kind]
    return kind.reduced.range if unit.reduced and kind.reduced else kind.range


def _vehicle_arms(battle: OstBattle, unit: Unit, kind: UnitType) -> list[Arm]:
    """Main armaments that work, and machine guns; a loaded vehicle is silent but for an armored transport (79.13)."""
    loaded = battle.passenger(unit) is not None
    found = []
    mgs, *guns = _mounted(kind)
    if not loaded and not (kind.limited_fire and unit.main_fires):
        found = [arm for arm in guns if arm.gun not in unit.guns_out]
    if mgs.range and not unit.mgs_out and (not loaded or kind.armored_transport):
        found.append(mgs)
    return found


def bar_arms(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit that may fire has nothing to fire with: its passenger, its damage, its ammunition (79.13, 97, 23)."""
    if arms(battle, unit):
        return None
    kind = battle.kinds[unit.kind]
    if not kind.vehicle or not kind.armed:
        return NO_WEAPON
    if (passenger := battle.passenger(unit)) is not None:
        return Bar(CARRYING.rule, CARRYING.reason, battle.name(passenger))
    if unit.guns_out or unit.mgs_out:
        return Bar("97.1", "its weapons are damaged")
    return LIMITED


@cache
def _mounted(kind: UnitType) -> tuple[Arm, ...]:
    """A vehicle's machine guns (of range 0 if it has none), then its main armaments."""
    mgs = Arm("mg", "mg", kind.secondary.range if kind.secondary.fp else 0)
    guns = [Arm(f"main{n + 1}" if n else "main", "gun", gun.range, None, n) for n, gun in enumerate(kind.guns)]
    return mgs, *guns


@cache
def _own(reach: int) -> Arm:
    return Arm("own", "small", reach)


@cache
def _crewed(kind: UnitType) -> Arm:
    return Arm("main", "gun", kind.guns[0].range)


def weapon_arms(type_: UnitType, weapon: Weapon, reach: int) -> list[Arm]:
    """A support weapon with the squad's own fire (20.3), or by itself (20.4, 20.7, 20at.1)."""
    both, alone = f"own+{weapon.id}", weapon.id
    if type_.at_weapon:
        found = [Arm(alone, "at", type_.range, weapon)]
        if type_.class_ != "atr":
            found.append(Arm(both, "at_he", min(reach, type_.range), weapon))
        return found
    if type_.class_ in ADJACENT:
        return [Arm(both, "small", 1, weapon, near=True), Arm(alone, "close", 1, weapon, near=True)]
    if type_.class_ in SMALL_ARMS:
        found = [Arm(both, "small", min(reach, type_.range), weapon)]
        if type_.class_ == "lmg" and type_.range > reach:
            found.append(Arm(alone, "alone", type_.range, weapon))
        return found
    return []


# ---- at whom? ----


def visible_targets(battle: OstBattle, side: str) -> list[Unit]:
    """The enemies that a side can see on the map, outside Melees."""
    melees = battle.state.melees
    return [u for u in battle.units(battle.other(side)) if not u.hidden and u.hex not in melees]


def bar_shot(battle: OstBattle, unit: Unit, target: Unit, arm: Arm, crew: bool = False) -> Bar | None:
    """Why this arm cannot be fired at this target: cheap reasons first, sight last."""
    distance = battle.grid.dist[unit.hex][target.hex]
    if bar := _bar_but_sight(battle, unit, target, arm, crew, distance, _range_bonus(battle, unit, target)):
        return bar
    line = sight(battle, unit, target)
    return None if line.clear else Bar(line.rule, "no line of sight", line.blocked_by)


def _range_bonus(battle: OstBattle, unit: Unit, target: Unit) -> int:
    """From level 2 or 3 a weapon reaches a hex further at what is below (49.7, 60.9)."""
    level = battle.level(unit)
    if level >= 2 and level > battle.level(target):
        bonus: int = battle.charts["levels"]["range_bonus_firing_down"]
        return bonus
    return 0


def _bar_but_sight(
    battle: OstBattle, unit: Unit, target: Unit, arm: Arm, crew: bool, distance: int, bonus: int
) -> Bar | None:
    """Range, kind of target, arcs and works: everything but the line of sight."""
    if distance > (arm.range if arm.near else arm.range + bonus):
        return GUN_RANGE if arm.kind == "gun" else OUT_OF_RANGE
    if not distance:
        return SAME_HEX
    if bar := _bar_kind(battle, unit, target, arm, crew):
        return bar
    if arm.kind == "alone" and distance <= arms_reach(battle, unit) + bonus:
        return NOT_BEYOND
    return _bar_place(battle, unit, target, arm, distance)


def _bar_kind(battle: OstBattle, unit: Unit, target: Unit, arm: Arm, crew: bool) -> Bar | None:
    """Whether such a weapon can hurt such a target (20, 21, 87, 95, F-11)."""
    kind, weapon = battle.kinds[target.kind], arm.weapon
    if weapon is not None:
        type_ = battle.kinds[weapon.kind]
        if weapon.used_by not in ("", unit.id):
            return WEAPON_TAKEN
        if type_.engineers_only and not battle.kinds[unit.kind].engineer:
            return ENGINEERS_ONLY
        if type_.blowback and unit.inside:
            return BLOWBACK
    if kind.vehicle:
        if crew:
            fits = arm.kind in ("small", "alone", "mg") and kind.open_top and kind.armored and not arm.near
            return None if fits else NO_EXPOSED_CREW
        if kind.soft:
            fits = arm.kind != "at_he" and not (arm.kind == "small" and arm.near)
        else:
            fits = arm.kind in ("gun", "at", "close")
        return None if fits else NEEDS_AP
    if crew:
        return NO_EXPOSED_CREW
    if kind.leader or kind.armor_leader:
        if not battle.kinds[unit.kind].sniper:
            if kind.armor_leader:
                return ARMOR_LEADER
            if target.attached or len(battle.seen_enemies(target.hex, unit.side)) > 1:  # whom one sees
                return LEADER_STACKED
    if arm.kind in ("at", "close"):
        return NEEDS_FOOT
    if arm.kind == "at_he" and not battle.in_walls(target):
        return NEEDS_WALLS
    return None


def _bar_place(battle: OstBattle, unit: Unit, target: Unit, arm: Arm, distance: int) -> Bar | None:
    """Melee, covered arcs and Pillboxes (17.13, 21.6, 29.8, 29.9, 101.2)."""
    if target.hex in battle.state.melees:
        return TARGET_IN_MELEE
    kind = battle.kinds[unit.kind]
    if _has_arc(battle, unit, arm):
        if not covered_arc(battle.grid, unit.hex, unit.facing, target.hex):
            return OUT_OF_VEHICLE_ARC if kind.vehicle else OUT_OF_ARC
    if unit.inside and (work := battle.state.works.get(unit.hex)) is not None and work.kind == "pillbox":
        if not covered_arc(battle.grid, unit.hex, work.facing, target.hex):
            if distance > 1:
                return OUT_OF_PILLBOX_ARC
            if kind.crewed:
                return CREWED_IN_PILLBOX
    if target.inside and distance > 1 and (work := battle.state.works.get(target.hex)) is not None:
        if work.kind == "pillbox" and not covered_arc(battle.grid, target.hex, work.facing, unit.hex):
            return INTO_PILLBOX
    return None


def bar_hex(battle: OstBattle, unit: Unit, hex: str, arm: Arm) -> Bar | None:
    """Why an arm does not bear on a hex, whoever may be in it: range and arc (88.2, 95.4, 17.13, 21.6)."""
    if battle.grid.dist[unit.hex][hex] > arm.range:
        return GUN_RANGE if arm.kind == "gun" else OUT_OF_RANGE
    if _has_arc(battle, unit, arm) and not covered_arc(battle.grid, unit.hex, unit.facing, hex):
        return OUT_OF_VEHICLE_ARC if battle.kinds[unit.kind].vehicle else OUT_OF_ARC
    return None


def say_arc(battle: OstBattle, unit: Unit, arm: Arm) -> str:
    """What to say of the arc of an arm that bears."""
    return ", in its arc" if _has_arc(battle, unit, arm) else ""


def _has_arc(battle: OstBattle, unit: Unit, arm: Arm) -> bool:
    """Whether an arm fires into a covered arc only: guns that are in no turret (17.13, 21.6)."""
    return arm.kind == "gun" and battle.kinds[unit.kind].guns[arm.gun].mount != "turret"


def shots_at(battle: OstBattle, unit: Unit, target: Unit, weapons: list[Arm]) -> Iterator[Shot]:
    """Every legal shot of a unit at one target: the line of sight is the same for all its arms."""
    kind = battle.kinds[target.kind]
    distance, bonus = battle.grid.dist[unit.hex][target.hex], _range_bonus(battle, unit, target)
    seen = False
    for arm in weapons:
        for crew in (False, True) if kind.open_top and kind.armored else (False,):
            if _bar_but_sight(battle, unit, target, arm, crew, distance, bonus) is None:
                if not seen:
                    if not sees(battle, unit, target):
                        return
                    seen = True
                yield Shot(unit, target, arm, crew)


def shots(battle: OstBattle, unit: Unit, targets: list[Unit]) -> Iterator[Shot]:
    """Every legal shot of a unit that may fire."""
    weapons = arms(battle, unit)
    if not weapons:
        return
    furthest = max([arm.range for arm in weapons]) + 1
    here = battle.grid.dist[unit.hex]
    for target in targets:
        if here[target.hex] <= furthest:
            yield from shots_at(battle, unit, target, weapons)
