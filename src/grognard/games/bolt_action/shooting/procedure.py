"""The shooting procedure (12.1), in the order of the sheet.

1. Declare target
2. Target reacts
3. Measure range and open fire
4. Roll to hit
5. Roll to damage
6. Target takes casualties
7. Target checks morale

Shells become hits and pins are placed between steps 4 and 5 (B24). Armour has no casualties: each hit that damages it
has its result at once (`armour`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grognard.core.ask import Procedure
from grognard.core.dice import BranchingDice, TooDeepError, by_face
from grognard.games.bolt_action import armour, damage, fire_events, high_explosive, morale, pins, to_hit, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts
from grognard.games.bolt_action.collapse import collapse
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.shooting import declaring, handfuls, volley
from grognard.games.bolt_action.shooting.handfuls import Scored
from grognard.games.bolt_action.shooting.volley import Firer
from grognard.games.bolt_action.shooting.weapon_groups import ASSAULT, bar_firer
from grognard.games.bolt_action.state import AMBUSH, Unit
from grognard.games.bolt_action.weapons import HeldWeapon
from grognard.kits.table.state import ON_TABLE

#: What a target does before the range is measured: of a shooter, a target and the kind of fire, what it did.
Reacts = Callable[[BoltBattle, Unit, Unit, str], Procedure[str]]
#: So many hits on armour are followed result by result for exact odds.
_WALKED = 4


def shoot(
    battle: BoltBattle, unit: Unit, *, moved: bool, at: str = "", reaction: str = "", reacts: Reacts | None = None
) -> Procedure[None]:
    """A unit shoots, at one target after the other if it has declared several (12.1, 12.2, B23).

    ``at`` is the only target allowed; ``reaction`` is "ambush", "assault" (21.3) or "friendly" (4.2), "" by an order.
    ``reacts`` is what a target does when it is shot at; nobody reacts to fire that is itself a reaction (16.1).
    A Fire or Advance order may be carried out without shooting (2.8), and reaction fire is the owner's choice (D8).
    """
    # 1. Declare target
    declared = yield from declaring.declare(battle, unit, moved, reaction, at)
    at_windows: dict[int, int] = {}
    for number, (target_id, firers) in enumerate(declaring.by_target(declared)):
        target, reacted = battle.unit(target_id), ""
        if not battle.alive(unit) or target.status != ON_TABLE:
            continue
        words = volley.in_words(battle, unit, firers)
        battle.emit(
            fire_events.Shoots(side=unit.side, unit=unit.id, target=target.id, weapons=words, rules=("12.1", "12.2"))
        )
        # 2. Target reacts
        if reacts is not None:
            kind = "indirect" if all(firer.indirect for firer in firers) else "shooting"
            reacted = yield from reacts(battle, unit, target, kind)
        if not battle.alive(unit) or target.status != ON_TABLE:
            continue
        # 3. Measure range and open fire. Nothing has moved since the declaration, unless the target did or something
        # was shot at before it.
        ready = _still_able(battle, unit, target, firers, moved, reaction) if reacted or number else firers
        ready = _by_windows(battle, unit, target, ready, at_windows)
        if not ready:
            battle.emit(fire_events.ShotLost(side=unit.side, unit=unit.id, target=target.id, rules=("12.3", "16.10")))
            continue
        yield from _open_fire(battle, unit, target, ready, moved, reaction)


# ---- 3. Measure range and open fire ------------------------------------------------------------------


def _still_able(
    battle: BoltBattle, unit: Unit, target: Unit, firers: Sequence[Firer], moved: bool, reaction: str
) -> tuple[Firer, ...]:
    """What can still be fired after the target has reacted; nobody may choose another target (16.10)."""
    seen = look(battle, unit, target)
    return tuple(firer for firer in firers if bar_firer(battle, unit, firer, target, seen, moved, reaction) is None)


def _by_windows(
    battle: BoltBattle, unit: Unit, target: Unit, firers: tuple[Firer, ...], used: dict[int, int]
) -> tuple[Firer, ...]:
    """Half of the men at most fire out of one side of a building in an action, at whatever targets (25.4)."""
    if not unit.building:
        return firers
    seen = look(battle, unit, target)
    most = -(-len(unit.models) // 2)
    found: list[Firer] = []
    for firer in firers:
        side = seen.sides[firer.held.row]
        if firer.indirect or used.get(side, 0) < most:
            used[side] = used.get(side, 0) + 1
            found.append(firer)
    return tuple(found)


def _open_fire(
    battle: BoltBattle, unit: Unit, target: Unit, firers: tuple[Firer, ...], moved: bool, reaction: str
) -> Procedure[None]:
    """Everything that is fired at one target is resolved together (B23)."""
    if reaction in (AMBUSH, ASSAULT):
        weapons.note_reaction(battle, unit, [firer.held for firer in firers])
    measured = volley.prepare(battle, unit, target, firers, moved, reaction)
    for firer in firers:
        if battle.weapon(unit, firer.held.slot).one_shot:
            weapons.spend(battle, unit, firer.held)
    scored = _roll_to_hit(battle, unit, target, measured)
    if any(each.hits for each in scored):
        yield from _strike(battle, unit, target, [each for each in scored if each.hits], measured.visible)
    for pool, bursts in measured.pools:
        if pool.multiple:
            yield from high_explosive.salvo(battle, unit, target, pool.he, bursts[0].needed)
    for pool, bursts in measured.pools:
        for burst in bursts if pool.flame else ():
            if battle.alive(unit):
                _check_fuel(battle, unit, burst.firer.held)


# ---- 4. Roll to hit ----------------------------------------------------------------------------------


def _roll_to_hit(battle: BoltBattle, unit: Unit, target: Unit, measured: volley.Volley) -> list[Scored]:
    """Throw every handful to hit; rockets come down by themselves (13.1, 17.18)."""
    thrown = [handfuls.throw(battle, unit, target, *each) for each in measured.pools if not each[0].multiple]
    scored = [each for each in thrown if each.shots]
    for each in scored:
        if each.pool.indirect:
            weapons.note_shot(battle, unit, target, each.hits > 0)
    if scored:
        shots, hits = sum(each.shots for each in scored), sum(each.hits for each in scored)
        battle.emit(
            fire_events.Hit(side=unit.side, unit=unit.id, target=target.id, shots=shots, hits=hits, rules=("13.1",))
        )
    return scored


# ---- 5. Roll to damage, 6. casualties, 7. morale -------------------------------------------------------


def _strike(
    battle: BoltBattle, unit: Unit, target: Unit, hit: Sequence[Scored], visible: frozenset[str]
) -> Procedure[None]:
    """What hits do, on armour or on everything else; a flamethrower forces the check (17.16)."""
    side = unit.side
    flame = any(each.pool.flame for each in hit)
    forced = ("17.16",) if flame else ()
    if battle.type(target).armoured:
        _pin(battle, side, target, hit)
        _strike_armour(battle, unit, target, hit)
        if forced and battle.alive(target):
            morale.check(battle, target, forced)
        pins.settle(battle, target)
        return
    blows: list[damage.Blow] = []
    for each in hit:
        pool, number, rolled = each.pool, each.hits, each.rolled
        needed = damage.tally(battle, target, pool.pen, shield=pool.shield, what=handfuls.to_damage(pool))
        if pool.he and to_hit.combines(battle) and not target.building:
            rolled = high_explosive.foresee(battle, side, target, pool.he, number, needed)
        elif pool.he:
            burst = high_explosive.burst(battle, side, target, pool.he, number)
            if burst.collapses:
                collapse(battle, target.building)
                return
            number = burst.hits
        heavy = bool(pool.he) or pool.flame or not pool.small
        anywhere = bool(pool.he) or pool.indirect
        blows.append(damage.Blow(number, needed, pool.small, heavy, anywhere, pool.scoped, rolled))
    _pin(battle, side, target, hit)
    yield from damage.strike(battle, side, target, blows, visible=visible, enemy=unit, forced=forced)


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
        dice = str(charts()["flamethrower"]["extra_pins"])
        pins.add(battle, target, weapons.roll_dice(battle, side, "pins of fire", dice, ("17.16",), target.id), "17.16")


def _strike_armour(battle: BoltBattle, unit: Unit, target: Unit, hit: Sequence[Scored]) -> None:
    """Roll each hit on armour in turn until the vehicle is knocked out (B25); small arms only pin it (6.5, 14.4)."""
    for each in hit:
        pool = each.pool
        if pool.small:
            continue
        source = battle.weapon(unit, each.bursts[0].firer.held.slot).title
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


# ---- afterwards --------------------------------------------------------------------------------------


def _check_fuel(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> None:
    """After an attack a flamethrower may be empty; a team that has nothing else goes home (17.17)."""
    chart = charts()["flamethrower"]
    vehicle = battle.type(unit).vehicle
    most: int = chart["empty_vehicle_up_to" if vehicle else "empty_infantry_up_to"]
    read = by_face(tuple("empty" if face <= most else "fuel left" for face in range(1, 7)))
    if battle.roll(unit.side, "fuel", "1d6", read, ("17.17",), unit=unit.id) != "empty":
        return
    leaves = battle.type(unit).kind == "team"
    if held.slot not in unit.empty:
        unit.empty = (*unit.empty, held.slot)
    battle.emit(fire_events.OutOfFuel(side=unit.side, unit=unit.id, leaves=leaves, rules=("17.17",)))
    if leaves:
        unit.scores = False
        morale.destroy(battle, unit, ("17.17",), "goes home")
