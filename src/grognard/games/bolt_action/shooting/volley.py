"""A volley: everything that a unit fires at one target in an action, before any die is thrown (12.3, 13, B23).

Shots are put together by what they do when they hit. Each has its own number, by the range and sight of whoever fires.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.board.table.bodies import face
from grognard.core.tally import Tally
from grognard.games.bolt_action import (
    to_hit,
    weapons,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import Weapon, charts
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.weapons import HeldWeapon
from grognard.kits.table.looks import Look
from grognard.kits.table.positions import position_cache

_ASSAULT = "assault"


class Firer(NamedTuple):
    """A weapon as it is fired: with a shell or with shot, directly or indirectly."""

    held: HeldWeapon
    he: bool = False
    indirect: bool = False


class Pool(NamedTuple):
    """What all shots of a handful have in common: what a hit does."""

    pen: int
    small: bool
    he: str = ""
    flame: bool = False
    indirect: bool = False
    scoped: bool = False
    shield: bool = False
    shaped: bool = False
    face: str = ""
    long_range: bool = False
    multiple: bool = False


class Burst(NamedTuple):
    """One weapon's shots in a handful: how many, or the dice that tell it, and the number that each needs."""

    firer: Firer
    shots: int
    dice: str
    needed: Tally


class Volley(NamedTuple):
    """Everything fired at a target, in handfuls; ``visible`` are the models that direct fire may fell (15.2)."""

    pools: tuple[tuple[Pool, tuple[Burst, ...]], ...]
    visible: frozenset[str]


def spotted(battle: BoltBattle, unit: Unit, seen: Look, moved: bool) -> bool:
    """Whether somebody sees the target for indirect fire (17.9, 23.4)."""
    return any(seen.in_sight[row] for row in weapons.spotters(battle, unit, moved=moved))


def distance(battle: BoltBattle, unit: Unit, firer: Firer, seen: Look, moved: bool) -> float:
    """The range: of the firing model to the nearest it may shoot at (12.3); indirectly of gunner or crew (23.2)."""
    if not firer.indirect:
        return seen.nearest[firer.held.row]
    watchers = weapons.spotters(battle, unit, moved=moved)
    columns = seen.pairs.seen[watchers].any(axis=0) if watchers else None
    rows = weapons.layers(battle, unit) or [firer.held.row]
    if columns is None or not columns.any():
        return math.inf
    ranges = [float(seen.gaps[row][columns].min()) for row in rows]
    reach = weapons.reach(battle, unit, firer.held.slot, moved=moved, indirect=True)
    return next((each for each in ranges if reach.has(each)), ranges[0])


def in_words(battle: BoltBattle, unit: Unit, firers: Sequence[Firer]) -> str:
    """What is fired, in words: "9 rifles, light machine gun"."""
    found: dict[str, int] = {}
    for firer in firers:
        title = battle.weapon(unit, firer.held.slot).title.lower()
        if firer.he and battle.weapon(unit, firer.held.slot).pen is not None:
            title += ", high explosive"
        if firer.indirect and battle.weapon(unit, firer.held.slot).howitzer:
            title += ", indirectly"
        found[title] = found.get(title, 0) + 1
    return ", ".join(title if count == 1 else f"{count} × {title}" for title, count in found.items())


def prepare(
    battle: BoltBattle, unit: Unit, target: Unit, firers: tuple[Firer, ...], moved: bool, reaction: str
) -> Volley:
    """Range, cover and number of every shot (12.3, 13); kept, since odds play the same volley again and again."""
    ranged = tuple(
        tuple(weapons.indirect_tally(battle, unit, target, firer.held.slot).lines) for firer in firers if firer.indirect
    )
    key = (
        *("volley", unit.id, target.id, firers, moved, reaction == _ASSAULT, unit.pins, unit.quality, target.quality),
        *(target.die, ranged, unit.empty, battle.scenario.german_machine_guns),
    )
    kept = position_cache(battle)
    found: Volley | None = kept.get(key)
    if found is None:
        found = kept[key] = _prepare(battle, unit, target, firers, moved, reaction)
    return found


def _prepare(
    battle: BoltBattle, unit: Unit, target: Unit, firers: tuple[Firer, ...], moved: bool, reaction: str
) -> Volley:
    seen = look(battle, unit, target)
    pools: dict[Pool, list[Burst]] = {}
    visible: set[str] = set()
    for firer in firers:
        weapon = battle.weapon(unit, firer.held.slot)
        hurried = moved or reaction == _ASSAULT  # a scope wants a Fire order or an ambush (27.1)
        reach = weapons.reach(battle, unit, firer.held.slot, moved=hurried, indirect=firer.indirect)
        far = distance(battle, unit, firer, seen, moved)
        if reaction == _ASSAULT:
            far = min(far, float(reach.most))  # 21.3
        if not reach.has(far):
            continue  # it misses (12.3)
        if firer.indirect:
            needed = weapons.indirect_tally(battle, unit, target, firer.held.slot)
        else:
            row = firer.held.row
            alone = weapons.alone(battle, unit, firer.held)
            of_sniper = weapon if not reach.scoped else weapon_with(weapon, reach.most)
            shot = to_hit.Shot(of_sniper, far, seen.cover[row], moved, alone, reach.scoped)
            needed = to_hit.tally(battle, unit, target, shot)
            visible.update(target.models[column].id for column in seen.clear[row].nonzero()[0])
        number, dice = weapons.shots(battle, unit, firer.held.slot)
        pool = _pool(battle, unit, target, firer, seen, far, reach.scoped)
        pools.setdefault(pool, []).append(Burst(firer, number, dice, needed))
    return Volley(tuple((pool, tuple(bursts)) for pool, bursts in pools.items()), frozenset(visible))


def weapon_with(weapon: Weapon, most: int) -> Weapon:
    """A weapon with another range: a sniper's rifle with its scope (27.1)."""
    return msgspec.structs.replace(weapon, max=most)


def _pool(battle: BoltBattle, unit: Unit, target: Unit, firer: Firer, seen: Look, far: float, scoped: bool) -> Pool:
    """Which handful a shot belongs to."""
    weapon = battle.weapon(unit, firer.held.slot)
    he = weapons.he_of(battle, unit, firer.held.slot) if firer.he else ""
    pen = charts().he[he].pen if he else weapon.pen or 0
    kind = battle.type(target)
    x, y = _from(battle, unit, firer, seen)
    shared = Pool(pen, weapon.small, he, weapon.flame, firer.indirect, scoped, multiple=weapon.multiple)
    if kind.armoured:
        if weapon.small:
            return shared
        turned = face(battle.hull(target), x, y)
        return shared._replace(shaped=weapon.shaped, face=turned, long_range=to_hit.is_long(weapon, far))
    if kind.artillery and not (he or weapon.flame or firer.indirect or scoped):
        return shared._replace(shield=weapons.shielded(battle, target, x, y))
    return shared


def _from(battle: BoltBattle, unit: Unit, firer: Firer, seen: Look) -> tuple[float, float]:
    """Where a shot comes from: the firing model's centre (19.5), out of a building its window."""
    if unit.building and not firer.indirect:
        return seen.eyes[firer.held.row]
    model = unit.models[firer.held.row]
    return model.x, model.y
