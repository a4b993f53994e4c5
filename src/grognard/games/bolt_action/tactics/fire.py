"""What shots can be expected to do, by the very tallies that resolve them.

Exact shots are read off `volley.prepare`. For shots from somewhere else a `Profile` has the same tallies for every
band of range and every cover, so that a whole net of points is weighed in one sum.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from grognard.games.bolt_action import armour, damage, morale, special, to_hit, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import Weapon, charts
from grognard.games.bolt_action.shooting.volley import Firer, Pool, Volley, weapon_with
from grognard.games.bolt_action.shooting.weapon_groups import ways_to_fire, weapon_groups
from grognard.games.bolt_action.state import Unit
from grognard.kits.table.tactics.chart import Bytes, Floats
from grognard.kits.table.tactics.threats import Toll

#: The expected losses for which the chance of the end of a unit is worked out, and in what steps.
MOST_LOSSES, STEPS = 16.0, 65


class Effect(NamedTuple):
    """What is to be expected: hits, men lost, pins, and the chance that the target is gone."""

    hits: float
    men: float
    pins: float
    kill: float


NOTHING = Effect(0.0, 0.0, 0.0, 0.0)


@cache
def mean_of(dice: str) -> float:
    """The mean of "D6", "2D6", or of a number."""
    number, _, sides = dice.upper().partition("D")
    if not sides:
        return float(number or 0)
    return (int(number) if number else 1) * (int(sides) + 1) / 2


@cache
def chance_to_hit(needed: int) -> float:
    """The chance of a shot that needs a number (13.1, 13.12)."""
    return sum(1.0 if each == 1 else 1 / 6 if each == 2 else 0.0 for each in to_hit.hit_faces(needed)) / 6


@cache
def chance_to_damage(needed: int) -> float:
    """The chance of a hit to damage (14.3, 14.4)."""
    return sum(to_hit.damage_faces(needed, False)) / 6


@cache
def chance_to_pass(target: int) -> float:
    """The chance of an order test or morale check on a number (3.3, 3.4)."""
    ways_to = [sum(1 for a in range(1, 7) for b in range(1, 7) if a + b == total) for total in range(13)]
    return sum(ways_to[total] for total in range(2, 12) if total == 2 or total <= target) / 36


@cache
def knocked_out(pen: int, value: int, open_and_indirect: bool = False) -> tuple[float, float]:
    """The chance that a hit on armour knocks it out, and of any other result (19.6, 20.1)."""
    out, other = 0.0, 0.0
    for face in range(2, 7):
        grade = charts().grade(face + pen - value)
        if grade is None:
            continue
        add = grade.add + (charts().number("damage_result_figures", "open_topped_indirect") if open_and_indirect else 0)
        rows = [charts().damage_results.row(die + add) for die in range(1, 7)]
        one = sum(row.id == armour.KNOCKED_OUT for row in rows) / 6 + sum(row.id == armour.ON_FIRE for row in rows) / 30
        gone = 1 - (1 - one) ** grade.dice
        out += gone / 6
        other += (1 - gone) / 6
    return out, other


@lru_cache(maxsize=4096)
def end_curve(men: int, fails: float) -> Floats:
    """The chance that a unit of so many men is gone, by expected losses: all fall, or half do and the check fails."""
    found = np.zeros(STEPS)
    half = math.ceil(men / 2)
    for step in range(STEPS):
        mean = step * MOST_LOSSES / (STEPS - 1)
        term, below_half, below_all = math.exp(-mean), 0.0, 0.0
        for count in range(men):
            if count < half:
                below_half += term
            below_all += term
            term *= mean / (count + 1)
        found[step] = (1 - below_all) + (below_all - below_half) * fails
    return found


def breaks(battle: BoltBattle, target: Unit, more: int = 1) -> float:
    """The chance that a unit fails a morale check after so many more pins (3.7)."""
    if special.never_checks_losses(battle, target):
        return 0.0
    key = ("breaks", target.id, target.pins)
    number: int | None = battle.cache.get(key)
    if number is None:
        number = battle.cache[key] = morale.target(battle, target, morale.MORALE_CHECK).total
    return 1 - chance_to_pass(number - more)


# ---- exact shots ---------------------------------------------------------------------------------------------


def effect_of(battle: BoltBattle, target: Unit, volley: Volley) -> Effect:
    """What a volley that is ready to be thrown can be expected to do (B24)."""
    kind = battle.type(target)
    hits = men = pins = 0.0
    missed = stands = spared = 1.0
    for pool, bursts in volley.pools:
        if pool.small and kind.enclosed:
            continue
        shots = [(burst.shots or mean_of(burst.dice), chance_to_hit(burst.needed.total)) for burst in bursts]
        mean = sum(number * chance for number, chance in shots)
        none = math.prod((1 - chance) ** number for number, chance in shots)
        hits, missed = hits + mean, missed * none
        if kind.armoured:
            out, other = _on_armour(battle, target, pool)
            stands *= math.prod((1 - chance * out) ** number for number, chance in shots)
            pins += mean * other
            continue
        each = mean_of(pool.he) if pool.he else 1.0
        damages = chance_to_damage(damage.tally(battle, target, pool.pen, shield=pool.shield).total)
        if kind.vehicle:
            stands *= math.prod((1 - chance * (1 - (1 - damages) ** each)) ** number for number, chance in shots)
            continue
        fallen = mean * each * damages
        men += fallen
        if pool.he:
            pins += mean * (mean_of(charts().he[pool.he].pins) - 1)
        if pool.flame:
            pins += (1 - none) * mean_of(str(charts()["flamethrower"]["extra_pins"]))
            stands *= 1 - (1 - none) * breaks(battle, target, 3)
        spared *= _spared(battle, target, pool, fallen)
        if pool.he and target.building:
            stands *= 1 - mean * _collapse(pool.he)
    pins += 1 - missed
    if not kind.vehicle and men:
        left = len(battle.men(target))
        curve = end_curve(left, round(breaks(battle, target), 2))
        # The gunner picked out and the unit worn down are much the same blow: the likelier end counts.
        stands *= min(spared, 1 - float(np.interp(men, _MEANS, curve)))
        men = min(men, float(left))
    if not kind.vehicle and pins and target.pins + pins >= morale.base(battle, target) - 0.5:
        stands *= 0.4
    return Effect(hits, men, pins, 1 - stands)


_MEANS = np.linspace(0.0, MOST_LOSSES, STEPS)


def _on_armour(battle: BoltBattle, target: Unit, pool: Pool) -> tuple[float, float]:
    """What a hit does to armour: the chance to knock it out, and of any other result."""
    if pool.small:
        return 0.0, 0.0
    added = armour.penetration(
        battle,
        target,
        pool.pen,
        face=pool.face or armour.FRONT,
        long_range=pool.long_range,
        he=bool(pool.he),
        shaped=pool.shaped,
        flame=pool.flame,
        indirect=pool.indirect,
    )
    return knocked_out(added.total, damage.value(battle, target)[0], pool.indirect and battle.type(target).open_topped)


def _spared(battle: BoltBattle, target: Unit, pool: Pool, fallen: float) -> float:
    """The chance that exceptional damage does not end a team or a gun (15.4, 15.6)."""
    kind = battle.type(target)
    if kind.kind == "team" or (kind.kind == "hq" and pool.scoped):
        return math.exp(-fallen * (1.0 if pool.scoped else 1 / 6))
    if kind.artillery and not pool.small:
        return math.exp(-fallen / 6)
    return 1.0


@cache
def _collapse(dice: str) -> float:
    """The chance that a shell brings a building down (25.6)."""
    most = charts().number("buildings", "collapse_hits")
    number, _, sides = dice.upper().partition("D")
    throws = [0]
    for _ in range(int(number or 1)):
        throws = [total + face for total in throws for face in range(1, int(sides or 1) + 1)]
    return sum(total >= most for total in throws) / len(throws)


# ---- shots from anywhere -------------------------------------------------------------------------------------


class Group(NamedTuple):
    """Weapons of a sort: their shots, ranges, and for each band of range and cover the chance to hit.

    ``men`` are the men that a hit fells, ``out`` the chance that it ends a vehicle, front and flank; ``pins`` more than
    the one.
    """

    shots: float
    least: float
    most: float
    half: float
    chance: Floats  # (bands, covers)
    men: float
    out: tuple[float, float]
    pins: float
    ends: float


Profile = tuple[Group, ...]

#: The bands: point blank, near, far; and a distance in each.
BANDS = 3


def profile(battle: BoltBattle, unit: Unit, target: Unit, moved: bool) -> Profile:
    """What a unit can do to another, wherever they stand; kept by everything that it depends on."""
    return known_profile(battle, (unit, as_shooter(battle, unit)), (target, as_target(battle, target)), moved)


def as_shooter(battle: BoltBattle, unit: Unit) -> int:
    """A number for all that matters of a unit that shoots."""
    arms = tuple((m.arms, m.role) for m in unit.models)
    key = (unit.kind, unit.quality, unit.pins, arms, unit.empty, battle.scenario.german_machine_guns)
    return _numbers.setdefault(key, len(_numbers))


def as_target(battle: BoltBattle, unit: Unit) -> int:
    """A number for all that matters of a unit that is shot at."""
    key = (unit.kind, unit.quality, len(battle.men(unit)), unit.die == "down")
    return _numbers.setdefault(key, len(_numbers))


def known_profile(battle: BoltBattle, unit: tuple[Unit, int], target: tuple[Unit, int], moved: bool) -> Profile:
    """The same for units whose numbers are known."""
    key = (unit[1], target[1], moved)
    found = _profiles.get(key)
    if found is None:
        if len(_profiles) > 8192:
            _profiles.clear()
        found = _profiles[key] = tuple(_groups(battle, unit[0], target[0], moved))
    return found


_numbers: dict[object, int] = {}
_profiles: dict[tuple[int, int, bool], Profile] = {}


def _groups(battle: BoltBattle, unit: Unit, target: Unit, moved: bool) -> list[Group]:
    kind = battle.type(target)
    firers: dict[tuple[int, bool, bool], list[Firer]] = {}
    for each in weapon_groups(battle, unit):
        if each.one_shot and not kind.armoured:
            continue
        known = ways_to_fire(battle, unit, each, target)
        mode = known[0]
        if not (each.together or each.one_shot) and len(known) > 1 and not kind.armoured:
            mode = next((way for way in known if way.firers[0].he), known[0])
        taken: set[int] = set()
        for firer in mode.firers:
            if firer.held.row in taken and each.together:
                continue
            taken.add(firer.held.row)
            firers.setdefault((firer.held.slot, firer.he, firer.indirect), []).append(firer)
    crew = 0 if battle.type(unit).kind == "infantry" else len(unit.models)
    shared = (unit.kind, unit.quality, unit.pins, crew, as_target(battle, target), moved)
    found = []
    for sort, these in firers.items():
        key = (*shared, *sort, battle.scenario.german_machine_guns)
        if key not in _single:
            _single[key] = _group(battle, unit, target, these[0], moved)
        if (group := _single[key]) is not None:
            found.append(group._replace(shots=group.shots * len(these)))
    return found


#: The groups of one weapon, by everything that they depend on.
_single: dict[object, Group | None] = {}


def _group(battle: BoltBattle, unit: Unit, target: Unit, firer: Firer, moved: bool) -> Group | None:
    kind = battle.type(target)
    weapon = battle.weapon(unit, firer.held.slot)
    if weapon.small and kind.enclosed:
        return None
    reach = weapons.reach(battle, unit, firer.held.slot, moved=moved, indirect=firer.indirect)
    number, dice = weapons.shots(battle, unit, firer.held.slot)
    he = weapons.he_of(battle, unit, firer.held.slot) if firer.he else ""
    pen = charts().he[he].pen if he else weapon.pen or 0
    chance = np.zeros((BANDS, 3))
    as_fired = weapon_with(weapon, reach.most) if reach.scoped else weapon
    for band in range(BANDS):
        for cover in range(3):
            if firer.indirect:
                chance[band, cover] = chance_to_hit(int(charts()["indirect_fire"]["needed"][1]))
                continue
            chance[band, cover] = chance_to_hit(
                _needed(battle, unit, target, as_fired, band, cover, moved, reach.scoped)
            )
    men, out, ends = 0.0, (0.0, 0.0), 0.0
    if kind.armoured:
        out = _out(battle, target, weapon, pen, he, firer.indirect)
    else:
        damages = chance_to_damage(damage.tally(battle, target, pen).total)
        men = (mean_of(he) if he else 1.0) * damages
        if kind.vehicle:
            out, men = (1 - (1 - damages) ** (mean_of(he) if he else 1.0),) * 2, 0.0
        elif weapon.flame:
            ends = breaks(battle, target, 3) / max(1.0, mean_of(dice or "1"))
        elif kind.kind == "team":
            ends = men * (1.0 if reach.scoped else 1 / 6)
    more = mean_of(charts().he[he].pins) - 1 if he and not kind.vehicle else 0.0
    if weapon.flame:
        more += 0.6
    return Group(number or mean_of(dice), reach.least, reach.most, as_fired.max / 2, chance, men, out, more, ends)


def _needed(
    battle: BoltBattle, unit: Unit, target: Unit, weapon: Weapon, band: int, cover: int, moved: bool, scoped: bool
) -> int:
    """What a shot needs in a band of range, by the tally that resolves it."""
    far = (100.0, min(weapon.max * 0.45, 1000.0) if weapon.max > 1400 else 601.0, weapon.max * 0.99)[band]
    shot = to_hit.Shot(weapon, far, cover, moved, False, scoped)
    return to_hit.tally(battle, unit, target, shot).total


def _out(battle: BoltBattle, target: Unit, weapon: Weapon, pen: int, he: str, indirect: bool) -> tuple[float, float]:
    """The chance that a hit knocks out armour in front and in the flank."""
    if weapon.small:
        return 0.0, 0.0
    value = damage.value(battle, target)[0]
    found = []
    for face in (armour.FRONT, armour.SIDE):
        added = armour.penetration(
            battle, target, pen, face=face, he=bool(he), shaped=weapon.shaped, flame=weapon.flame, indirect=indirect
        )
        out, other = knocked_out(added.total, value)
        found.append(out + 0.25 * other)
    return found[0], found[1]


def tolls(
    battle: BoltBattle, target: Unit, groups: Profile, far: Floats, cover: Bytes, flank: Floats | float = 0.3
) -> Toll:
    """What weapons do to a target over many distances and covers; ``flank`` is how much of the target's flank shows."""
    count = len(far)
    men, more, spared, missed = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros(count)
    picked = np.zeros(count)
    for group in groups:
        in_range = (far <= group.most + 50) & (far >= group.least)
        if not in_range.any():
            continue
        band = (far > 600).astype(np.int64) + (far > max(group.half, 601))
        chance = np.where(in_range, group.chance[band, cover], 0.0)
        men += group.shots * chance * group.men
        more += group.shots * chance * group.pins
        missed += group.shots * np.log1p(-chance)
        out = group.out[0] + (group.out[1] - group.out[0]) * flank
        picked += group.shots * np.log1p(-np.minimum(chance * group.ends, 0.99))
        spared += group.shots * np.log1p(-np.minimum(chance * out, 0.99))
    stands = np.exp(spared)
    if not battle.type(target).vehicle and men.any():
        curve = end_curve(len(battle.men(target)), round(breaks(battle, target), 2))
        stands *= np.minimum(np.exp(picked), 1 - np.interp(men, _MEANS, curve))
    return Toll(men, 1 - np.exp(missed) + more, 1 - stands)
