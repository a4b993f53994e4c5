"""A volley: everything that a unit fires at one target in an action, and what comes of it (12, 13, B23, B24).

Shots are thrown in handfuls by what they do when they hit: every die has its own needed number, by the range and
sight of the man who fires it, and the handful's tallies say how many shots need what.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from grognard.board.table.bodies import face
from grognard.core.ask import Procedure
from grognard.core.dice import BranchingDice, TooDeepError
from grognard.core.tally import Tally
from grognard.games.bolt_action import (
    armour,
    damage,
    fire_events,
    foreseen,
    high_explosive,
    line_of_sight,
    morale,
    pins,
    to_hit,
    weapons,
)
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import Weapon, figures
from grognard.games.bolt_action.foreseen import Shots
from grognard.games.bolt_action.line_of_sight import Look, look
from grognard.games.bolt_action.state import Unit
from grognard.games.bolt_action.weapons import Arm

_ASSAULT = "assault"
#: So many hits on armour are followed result by result for exact odds.
_WALKED = 4


class Load(NamedTuple):
    """A weapon as it is fired: with a shell or with shot, directly or indirectly."""

    arm: Arm
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

    load: Load
    shots: int
    dice: str
    needed: Tally


class Volley(NamedTuple):
    """Everything fired at a target, in handfuls; ``visible`` are the models that direct fire may fell (15.2)."""

    pools: tuple[tuple[Pool, tuple[Burst, ...]], ...]
    visible: frozenset[str]


class Scored(NamedTuple):
    """A handful after it was thrown; ``rolled`` is its damage where that was thrown with it, for odds."""

    pool: Pool
    bursts: tuple[Burst, ...]
    shots: int
    hits: int
    rolled: tuple[int, int] | None = None


# ---- before the dice ---------------------------------------------------------------------------------


def spotted(battle: BoltBattle, unit: Unit, seen: Look, moved: bool) -> bool:
    """Whether somebody sees the target for indirect fire (17.9, 23.4)."""
    return any(seen.in_sight[row] for row in weapons.spotters(battle, unit, moved=moved))


def distance(battle: BoltBattle, unit: Unit, load: Load, seen: Look, moved: bool) -> float:
    """The range: of the firing model to the nearest it may shoot at (12.3); indirectly of gunner or crew (23.2)."""
    if not load.indirect:
        return seen.nearest[load.arm.row]
    watchers = weapons.spotters(battle, unit, moved=moved)
    columns = seen.pairs.seen[watchers].any(axis=0) if watchers else None
    rows = weapons.layers(battle, unit) or [load.arm.row]
    if columns is None or not columns.any():
        return math.inf
    ranges = [float(seen.gaps[row][columns].min()) for row in rows]
    reach = weapons.reach(battle, unit, load.arm.slot, moved=moved, indirect=True)
    return next((each for each in ranges if reach.has(each)), ranges[0])


def in_words(battle: BoltBattle, unit: Unit, loads: Sequence[Load]) -> str:
    """What is fired, in words: "9 rifles, light machine gun"."""
    found: dict[str, int] = {}
    for load in loads:
        title = battle.weapon(unit, load.arm.slot).title.lower()
        if load.he and battle.weapon(unit, load.arm.slot).pen is not None:
            title += ", high explosive"
        if load.indirect and battle.weapon(unit, load.arm.slot).howitzer:
            title += ", indirectly"
        found[title] = found.get(title, 0) + 1
    return ", ".join(title if count == 1 else f"{count} × {title}" for title, count in found.items())


def prepare(
    battle: BoltBattle, unit: Unit, target: Unit, loads: tuple[Load, ...], moved: bool, reaction: str
) -> Volley:
    """Range, cover and number of every shot (12.3, 13); kept, since odds play the same volley again and again."""
    ranged = tuple(
        tuple(weapons.indirect_tally(battle, unit, target, load.arm.slot).lines) for load in loads if load.indirect
    )
    key = (
        *("volley", unit.id, target.id, loads, moved, reaction == _ASSAULT, unit.pins, unit.quality, target.quality),
        *(target.die, ranged, tuple(unit.empty), battle.scenario.german_machine_guns),
    )
    kept = line_of_sight.drawer(battle)
    found: Volley | None = kept.get(key)
    if found is None:
        found = kept[key] = _prepare(battle, unit, target, loads, moved, reaction)
    return found


def _prepare(
    battle: BoltBattle, unit: Unit, target: Unit, loads: tuple[Load, ...], moved: bool, reaction: str
) -> Volley:
    seen = look(battle, unit, target)
    pools: dict[Pool, list[Burst]] = {}
    visible: set[str] = set()
    for load in loads:
        weapon = battle.weapon(unit, load.arm.slot)
        hurried = moved or reaction == _ASSAULT  # a scope wants a Fire order or an ambush (27.1)
        reach = weapons.reach(battle, unit, load.arm.slot, moved=hurried, indirect=load.indirect)
        far = distance(battle, unit, load, seen, moved)
        if reaction == _ASSAULT:
            far = min(far, float(reach.most))  # 21.3
        if not reach.has(far):
            continue  # it misses (12.3)
        if load.indirect:
            needed = weapons.indirect_tally(battle, unit, target, load.arm.slot)
        else:
            row = load.arm.row
            alone = weapons.alone(battle, unit, load.arm)
            of_sniper = weapon if not reach.scoped else weapon_with(weapon, reach.most)
            shot = to_hit.Shot(of_sniper, far, seen.cover[row], moved, alone, reach.scoped)
            needed = to_hit.tally(battle, unit, target, shot)
            visible.update(target.models[column].id for column in seen.clear[row].nonzero()[0])
        number, dice = weapons.shots(battle, unit, load.arm.slot)
        pool = _pool(battle, unit, target, load, seen, far, reach.scoped)
        pools.setdefault(pool, []).append(Burst(load, number, dice, needed))
    return Volley(tuple((pool, tuple(bursts)) for pool, bursts in pools.items()), frozenset(visible))


def weapon_with(weapon: Weapon, most: int) -> Weapon:
    """A weapon with another range: a sniper's rifle with its scope (27.1)."""
    return msgspec.structs.replace(weapon, max=most)


def _pool(battle: BoltBattle, unit: Unit, target: Unit, load: Load, seen: Look, far: float, scoped: bool) -> Pool:
    """Which handful a shot belongs to."""
    weapon = battle.weapon(unit, load.arm.slot)
    he = weapons.he_of(battle, unit, load.arm.slot) if load.he else ""
    pen = figures().he[he].pen if he else weapon.pen or 0
    kind = battle.type(target)
    x, y = _from(battle, unit, load, seen)
    shared = Pool(pen, weapon.small, he, weapon.flame, load.indirect, scoped, multiple=weapon.multiple)
    if kind.armoured:
        if weapon.small:
            return shared
        turned = face(battle.hull(target), x, y)
        return shared._replace(shaped=weapon.shaped, face=turned, long_range=to_hit.is_long(weapon, far))
    if kind.artillery and not (he or weapon.flame or load.indirect or scoped):
        return shared._replace(shield=weapons.shielded(battle, target, x, y))
    return shared


def _from(battle: BoltBattle, unit: Unit, load: Load, seen: Look) -> tuple[float, float]:
    """Where a shot comes from: the firing model's centre (19.5), out of a building its window."""
    if unit.building and not load.indirect:
        return seen.eyes[load.arm.row]
    model = unit.models[load.arm.row]
    return model.x, model.y


# ---- the dice (B24) ----------------------------------------------------------------------------------


def resolve(
    battle: BoltBattle, unit: Unit, target: Unit, loads: tuple[Load, ...], *, moved: bool, reaction: str = ""
) -> Procedure[None]:
    """Roll to hit, multiply shells, place pins, roll to damage, take casualties, check morale (12.1, B24)."""
    found = prepare(battle, unit, target, loads, moved, reaction)
    for load in loads:
        if battle.weapon(unit, load.arm.slot).one_shot:
            weapons.spend(battle, unit, load.arm)
    rockets = [(pool, bursts) for pool, bursts in found.pools if pool.multiple]
    scored = [_throw(battle, unit, target, pool, bursts) for pool, bursts in found.pools if not pool.multiple]
    scored = [each for each in scored if each.shots]
    for each in scored:
        if each.pool.indirect:
            weapons.note_shot(battle, unit, target, each.hits > 0)
    if scored:
        shots, hits = sum(each.shots for each in scored), sum(each.hits for each in scored)
        battle.emit(
            fire_events.Hit(side=unit.side, unit=unit.id, target=target.id, shots=shots, hits=hits, rules=("13.1",))
        )
        if hits:
            yield from _strike(battle, unit, target, scored, found.visible)
    for pool, bursts in rockets:
        yield from high_explosive.salvo(battle, unit, target, pool.he, bursts[0].needed)
    for pool, bursts in found.pools:
        for burst in bursts if pool.flame else ():
            if battle.alive(unit):
                weapons.check_fuel(battle, unit, burst.load.arm)


def _throw(battle: BoltBattle, unit: Unit, target: Unit, pool: Pool, bursts: tuple[Burst, ...]) -> Scored:
    """Throw a handful to hit. Small arms at an enclosed armoured vehicle do nothing and are not thrown (6.5, 14.4)."""
    if pool.small and battle.type(target).enclosed:
        battle.emit(fire_events.Harmless(side=unit.side, target=target.id, rules=("6.5", "14.4")))
        return Scored(pool, bursts, 0, 0)
    if to_hit.lumped(battle) and not pool.he and not battle.type(target).armoured:
        return _throw_all(battle, unit, target, pool, bursts)
    sorts, tallies = _handful(battle, unit, bursts)
    rules = ("17.8",) if pool.indirect else ("13.1", "17.19")
    plain, doubled = to_hit.throw(
        battle,
        unit.side,
        "to hit",
        sorts,
        again="six after six to hit",
        rules=rules,
        again_rules=("13.12",),
        tallies=tallies,
        unit=unit.id,
    )
    return Scored(pool, bursts, len(sorts), plain + doubled)


def _handful(
    battle: BoltBattle, unit: Unit, bursts: tuple[Burst, ...]
) -> tuple[tuple[to_hit.Sort, ...], tuple[Tally, ...]]:
    """The dice of a handful, and the tallies of what they need; kept unless a die tells how many there are."""
    kept = line_of_sight.drawer(battle)
    key = ("handful", unit.id, id(bursts))
    found: tuple[object, tuple[to_hit.Sort, ...], tuple[Tally, ...]] | None = kept.get(key)
    if found is not None and found[0] is bursts:
        return found[1], found[2]
    sorts, tallies = _count_shots(battle, unit, bursts)
    if not any(burst.dice for burst in bursts):
        kept[key] = bursts, tuple(sorts), tallies
    return tuple(sorts), tallies


def _count_shots(
    battle: BoltBattle, unit: Unit, bursts: tuple[Burst, ...]
) -> tuple[list[to_hit.Sort], tuple[Tally, ...]]:
    """Count the shots of a handful, rolling for those of flamethrowers (17.14)."""
    sorts: list[to_hit.Sort] = []
    thrown: list[tuple[Burst, str]] = []
    # The easiest shots come first, whoever fires them: the same handful is then worked out once.
    for burst in sorted(bursts, key=lambda burst: burst.needed.total):
        number = burst.shots
        if burst.dice:
            number = weapons.roll_dice(battle, unit.side, "shots", burst.dice, ("17.14",), unit.id)
        sorts += [to_hit.hit_sort(burst.needed.total)] * number
        # Odds tell the dice: how many they come to is another on every path.
        thrown.append((burst, burst.dice if burst.dice and battle.ahead else str(number)))
    return sorts, _told(battle, unit, thrown)


def _told(battle: BoltBattle, unit: Unit, thrown: Sequence[tuple[Burst, str]]) -> tuple[Tally, ...]:
    """What the shots of a handful need: a tally for each sort, with how many there are of it, or which dice tell."""
    told: dict[tuple[str, tuple[object, ...]], tuple[Tally, list[str]]] = {}
    for burst, number in thrown:
        title = battle.weapon(unit, burst.load.arm.slot).title
        key = (title, tuple(burst.needed.lines))
        told.setdefault(key, (burst.needed, []))[1].append(number)
    found: list[Tally] = []
    for (title, _), (tally, numbers) in told.items():
        count = str(sum(map(int, numbers))) if all(map(str.isdigit, numbers)) else " + ".join(numbers)
        if count != "0":
            what = f"{tally.what}, {count} × {title.lower()}"
            found.append(Tally(what, tally.base, tally.rule, tally.source, tally.lines))
    return tuple(found)


def _throw_all(battle: BoltBattle, unit: Unit, target: Unit, pool: Pool, bursts: tuple[Burst, ...]) -> Scored:
    """Throw a handful with the damage of its hits, where only odds are wanted: it comes to the same, on few paths."""
    kept = line_of_sight.drawer(battle)
    needed = damage.tally(battle, target, pool.pen, shield=pool.shield, what=_what(pool))
    key = ("foreseen", unit.id, id(bursts), needed.total)
    found: tuple[object, tuple[Shots, ...], tuple[Tally, ...]] | None = kept.get(key)
    if found is None or found[0] is not bursts:
        ordered = sorted(bursts, key=lambda burst: burst.needed.total)
        shots = tuple(Shots(burst.shots, burst.dice, to_hit.hit_sort(burst.needed.total)) for burst in ordered)
        tallies = _told(battle, unit, [(burst, burst.dice or str(burst.shots)) for burst in ordered])
        found = kept[key] = bursts, shots, (*tallies, needed)
    _, shots, tallies = found
    read = foreseen.reader(shots, damage.sort(battle, target, needed.total, pool.scoped))
    dice, rules = foreseen.throw(shots), ("13.1", "14.3")
    hit, plain, exceptional = battle.roll(unit.side, "to hit and damage", dice, read, rules, tallies, unit.id)
    return Scored(pool, bursts, len(bursts), int(hit), (plain, exceptional))


def _strike(
    battle: BoltBattle, unit: Unit, target: Unit, scored: Sequence[Scored], visible: frozenset[str]
) -> Procedure[None]:
    """What hits do, on armour or on everything else."""
    side = unit.side
    hit = [each for each in scored if each.hits]
    flame = any(each.pool.flame for each in hit)
    forced = ("17.16",) if flame else ()
    if battle.type(target).armoured:
        _pin(battle, side, target, hit)
        _armour(battle, unit, target, hit)
        if forced and battle.alive(target):
            morale.check(battle, target, forced)
        pins.settle(battle, target)
        return
    blows: list[damage.Blow] = []
    for each in hit:
        pool, number, rolled = each.pool, each.hits, each.rolled
        needed = damage.tally(battle, target, pool.pen, shield=pool.shield, what=_what(pool))
        if pool.he and to_hit.lumped(battle) and not target.building:
            rolled = high_explosive.foresee(battle, side, target, pool.he, number, needed)
        elif pool.he:
            burst = high_explosive.burst(battle, side, target, pool.he, number)
            if burst.collapses:
                high_explosive.collapse(battle, target)
                return
            number = burst.hits
        heavy = bool(pool.he) or pool.flame or not pool.small
        anywhere = bool(pool.he) or pool.indirect
        blows.append(damage.Blow(number, needed, pool.small, heavy, anywhere, pool.scoped, rolled))
    _pin(battle, side, target, hit)
    yield from damage.strike(battle, side, target, blows, visible=visible, enemy=unit, forced=forced)


def _what(pool: Pool) -> str:
    return "To damage, small arms" if pool.small else f"To damage, penetration {pool.pen}"


def _pin(battle: BoltBattle, side: str, target: Unit, hit: Sequence[Scored]) -> None:
    """One pin for hits however many, each shell's pins instead of it, and more for fire (6.1, 17.16, 18.3, B23).

    Armour takes one pin for being hit, by shells too (18.5, B25).
    """
    armoured = battle.type(target).armoured
    if armoured or any(not each.pool.he for each in hit):
        pins.add(battle, target, 1, "18.5" if all(each.pool.he for each in hit) else "6.1")
    for each in hit if not armoured else ():
        if each.pool.he:
            pins.add(battle, target, high_explosive.pin(battle, side, target, each.pool.he, each.hits), "18.3")
    if any(each.pool.flame for each in hit):
        dice = str(figures()["flamethrower"]["extra_pins"])
        pins.add(battle, target, weapons.roll_dice(battle, side, "pins of fire", dice, ("17.16",), target.id), "17.16")


def _armour(battle: BoltBattle, unit: Unit, target: Unit, hit: Sequence[Scored]) -> None:
    """Roll each hit on armour in turn until the vehicle is knocked out (B25); small arms only pin it (6.5, 14.4)."""
    for each in hit:
        pool = each.pool
        if pool.small:
            continue
        source = battle.weapon(unit, each.bursts[0].load.arm.slot).title
        added = armour.penetration(
            battle,
            target,
            pool.pen,
            face=pool.face,
            long_range=pool.long_range,
            he=bool(pool.he),
            shaped=pool.shaped,
            flame=pool.flame,
            indirect=pool.indirect,
            source=source,
        )
        if each.hits > _WALKED and isinstance(battle.dice, BranchingDice):
            raise TooDeepError  # so many results after each other are sampled
        for _ in range(each.hits):
            if not battle.alive(target):
                return
            armour.strike(battle, unit.side, target, added, source, indirect=pool.indirect)
