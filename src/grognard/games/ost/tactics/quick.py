"""Answers found at once, for playing on in thought: sensible, a little at random, and never more than is needed.

An Impulse lists no options: a unit is drawn, and the first thing that it can well do is done.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from grognard.core.ask import Ask, Option
from grognard.games.ost import assault, entry, morale, movement
from grognard.games.ost.arms import Arm, arms, bar_fire, shots_at, visible_targets
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, GOOD, OFF_MAP, Unit
from grognard.games.ost.tactics.ground import Way
from grognard.games.ost.tactics.knowledge import Knowledge

#: How many units are looked at for one Impulse, and how many targets for one unit.
UNITS, TARGETS = 4, 3
#: Columns below which a shot is not taken: in one's own Impulse, and at something that moves.
POOR, PATIENT = -3, -1


def quick_reply(know: Knowledge, battle: OstBattle, ask: Ask, rng: Random) -> str:
    """A sensible answer to any question."""
    if ask.rule == "67.2":
        return _impulse(know, battle, ask, rng)
    options = ask.options
    if len(options) == 1:
        return options[0].key
    known = ANSWERS.get(ask.rule)
    if known is not None:
        return known(know, battle, options, rng)
    verb = options[0].verb
    if verb == "place":
        return _place(know, battle, options, rng)
    if verb == "face":
        return _face(know, battle, options, rng)
    if verb == "retreat":
        return max(options, key=lambda o: battle.terrain(o.place).defense + rng.random()).key
    if verb in ("hide", "evade", "done"):
        return options[0].key
    if verb == "none":
        return options[-1].key
    if verb == "road":
        return options[-1].key
    return options[rng.randrange(len(options))].key


# ---- an Impulse ---------------------------------------------------------------------


def _impulse(know: Knowledge, battle: OstBattle, ask: Ask, rng: Random) -> str:
    side, state = ask.side, battle.state
    waiting = [u for u in state.units.values() if u.status == OFF_MAP and u.side == side and state.turn <= u.due]
    for unit in waiting[:2]:
        if not unit.attached and not unit.aboard and entry.bar_enter(battle, unit) is None:
            return f"enter {unit.id}"
    units = [u for u in battle.units(side) if not u.attached and u.hex not in state.melees]
    targets = visible_targets(battle, side)
    here = battle.grid.dist
    for _ in range(min(UNITS, len(units))):
        unit = units[rng.randrange(len(units))]
        if unit.morale and (unit.morale == BROKEN or rng.random() < 0.5):
            if morale.bar_rally(battle, unit) is None:
                return f"rally {unit.id}"
            continue
        if unit.hidden and rng.random() < 0.6:
            continue
        near = sorted((here[unit.hex][t.hex], n) for n, t in enumerate(targets))[:TARGETS]
        if near and near[0][0] == 1 and unit.morale == GOOD and rng.random() < 0.5:
            hex = targets[near[0][1]].hex
            if _stronger(battle, unit, hex) and assault.bar_assault(battle, unit, hex) is None:
                return f"assault {unit.id} {hex}"
        if not battle.used(unit) and unit.fired < 2 and bar_fire(battle, unit) is None:
            weapons = arms(battle, unit)
            for _, number in near:
                target = targets[number]
                shot = next(shots_at(battle, unit, target, weapons), None)
                if shot is not None and _column(battle, unit, target, shot.arm) >= POOR:
                    return f"fire {unit.id}"
        if not unit.moved and not battle.used(unit) and _wants_to_go(know, battle, unit, rng):
            if movement.bar_move(battle, unit) is None:
                return f"move {unit.id}"
    return "pass" if state.points[side] < state.points[battle.other(side)] else "burn"


def _stronger(battle: OstBattle, unit: Unit, hex: str) -> bool:
    power = battle.firepower(unit) or 4
    theirs = [u for u in battle.at.get(hex, ()) if u.side != unit.side]
    guard = sum(battle.defense(u) for u in theirs)
    back = sum((battle.firepower(u) or 2) for u in theirs if u.morale != BROKEN)
    return power - guard >= back - battle.defense(unit) - 1


def _column(battle: OstBattle, unit: Unit, target: Unit, arm: Arm) -> int:
    """The column of a shot, roughly."""
    kind, victim = battle.kinds[unit.kind], battle.kinds[target.kind]
    guard = battle.defense(target) + battle.terrain(target.hex).defense
    if victim.vehicle and arm.kind in ("gun", "at"):
        distance = battle.grid.dist[unit.hex][target.hex]
        if arm.weapon is not None:
            return battle.kinds[arm.weapon.kind].bands[0][3] - guard - 1
        return kind.guns[arm.gun].band(distance)[3] - guard - 1
    if arm.kind == "gun":
        power = battle.he(unit, arm.gun)
    elif arm.kind == "mg":
        power = kind.secondary.fp
    else:
        power = battle.firepower(unit)
        if arm.weapon is not None:
            power += battle.kinds[arm.weapon.kind].fp
    return (power // 2 if unit.morale else power) - guard


# ---- moves ---------------------------------------------------------------------


def _way(know: Knowledge, battle: OstBattle, unit: Unit) -> Way | None:
    """The way to what a unit would go for: the exit, or the hex that is worth most for its distance."""
    return know.quick_way(battle, unit)


def _wants_to_go(know: Knowledge, battle: OstBattle, unit: Unit, rng: Random) -> bool:
    if unit.aboard:
        return rng.random() < 0.3
    way = _way(know, battle, unit)
    if way is None:
        return False
    far = way.hexes.get(unit.hex, 0)
    if battle.kinds[unit.kind].crewed:
        return far > 8 and rng.random() < 0.3
    return far > 0


def _step(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """On along the way; who is there, or can get no nearer, stops."""
    unit = battle.unit(options[0].unit)
    way = _way(know, battle, unit)
    best, least = "", 1e9
    if way is not None:
        now = way.faced.get((unit.hex, unit.facing)) if way.faced else way.hexes.get(unit.hex)
        least = (now if now is not None else 999) - 0.5
    for option in options:
        verb = option.verb
        if verb == "exit" and know.stakes.exit_of(battle.kinds[unit.kind], unit.side)[0]:
            return option.key
        if verb == "unload":
            return option.key
        if way is None or verb not in ("step", "reverse", "pivot"):
            continue
        if verb == "pivot":
            far = way.faced.get((unit.hex, int(option.key.split()[1])), 999) + 2.0
        elif verb == "reverse":
            far = way.hexes.get(option.place, 999) + 4.0
        else:
            far = way.hexes.get(option.place, 999)
        far += rng.random() - 0.3 * battle.terrain(option.place).defense
        if far < least:
            best, least = option.key, far
    if best:
        return best
    last = options[-1]
    return last.key if last.verb == "stop" else options[rng.randrange(len(options))].key


def _face(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """Along the way."""
    unit = battle.unit(options[0].unit) if options[0].unit else None
    if unit is not None and unit.hex:
        way = _way(know, battle, unit)
        if way is not None and way.faced:
            return min(options, key=lambda o: way.faced.get((unit.hex, int(o.key.split()[1])), 999)).key
    return options[rng.randrange(len(options))].key


# ---- fire ---------------------------------------------------------------------


def _target(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """The best target at a glance; a machine gun fires twice."""
    return _aimed(battle, options, rng)[1]


def _aimed(battle: OstBattle, options: list[Option], rng: Random) -> tuple[float, str]:
    best, most = options[0].key, -99.0
    for option in options:
        if not option.target or option.verb in ("take", "destroy"):
            continue
        unit, target = battle.unit(option.unit), battle.unit(option.target)
        kind = battle.kinds[target.kind]
        if kind.vehicle and not kind.soft:
            power = max((gun.band(option.range)[3] for gun in battle.kinds[unit.kind].guns), default=8)
        else:
            power = battle.firepower(unit) or 4
        worth = power - battle.defense(target) - battle.terrain(target.hex).defense + rng.random()
        worth += 1.5 * (option.verb in ("sustained", "fire_group")) + 0.5 * ("own+" in option.key)
        worth -= 1.5 * (target.morale == BROKEN)
        if worth > most:
            best, most = option.key, worth
    return most, best


def _opportunity(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """Good shots are taken, most of the others passed."""
    worth, key = _aimed(battle, options, rng)
    return key if worth >= PATIENT else options[0].key


def _free_fire(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    return options[-1].key


def _strike(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """Where most enemies and fewest friends are."""
    if options[0].key == "shells":
        return "shells"
    crowd: dict[str, float] = {}
    mine = battle.state.active
    for hex, units in battle.at.items():
        for unit in units:
            if unit.side == mine or not unit.hidden:
                crowd[hex] = crowd.get(hex, 0.0) + (-1.5 if unit.side == mine else 1.0)
    return max(options, key=lambda o: crowd.get(o.place, 0.0) + rng.random() * 0.1).key


def _place(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    """The best of a few places: cover, near what counts."""
    drawn = [options[rng.randrange(len(options))] for _ in range(5)]
    goals = list(battle.state.control)

    def worth(option: Option) -> float:
        near = min((battle.grid.dist[option.place][goal] for goal in goals), default=0)
        taken = len(battle.at.get(option.place, ()))
        return 0.4 * battle.terrain(option.place).defense - 0.2 * near - 0.7 * taken

    return max(drawn, key=worth).key


def _first(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    return options[0].key


def _any(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    return options[rng.randrange(len(options))].key


def _give(know: Knowledge, battle: OstBattle, options: list[Option], rng: Random) -> str:
    bare = [option for option in options if not battle.weapons(battle.unit(option.unit))]
    return rng.choice(bare or options).key


Answer = Callable[[Knowledge, OstBattle, list[Option], Random], str]

ANSWERS: dict[str, Answer] = {
    "75.1": _step,
    "88.1": _target,
    "92.3": _target,
    "95.13": lambda know, battle, options, rng: options[min(1, len(options) - 1)].key,
    "105.0": _opportunity,
    "85.10": _free_fire,
    "107.5": _strike,
    "107.18": _strike,
    "106.4": _strike,
    "106.11": _any,
    "111.3": _first,
    "62.5": _first,
    "62.4": _any,
    "20.2": _give,
}
