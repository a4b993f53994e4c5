"""Shooting (12): who may fire what at whom, and what there is to declare.

How it is declared and carried out is in `firing`, what the dice do in `volley`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grognard.board.table.places import measured
from grognard.core.ask import Bar, Option
from grognard.core.poses import place
from grognard.games.bolt_action import line_of_sight, volley, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import Look, look
from grognard.games.bolt_action.state import ABOARD, AMBUSH, ON_TABLE, RUN, Unit
from grognard.games.bolt_action.stations import (
    ASSAULT,
    FRIENDLY,
    Mode,
    all_modes,
    armed,
    bar_load,
    stations,
    ways,
)
from grognard.games.bolt_action.volley import Load

#: Units that fight in close quarters now: nobody shoots at them (12.5).
FIGHTING = "fighting"

REACTION_FIRE = "reaction fire"

#: Under this the memory of a battle keeps the turn in which a gun was unhitched (24.8).
UNHITCHED = "unhitched"

#: Men in a building shoot and are shot at a hair outside its walls.
AT_THE_WALL = 20

#: The order in which reasons are told: the one that came nearest to a shot.
_NEARNESS = ("17.1", "11.1", "25.4", "11.2", "12.7", "12.3")


def bar_unit(battle: BoltBattle, unit: Unit, reaction: str = "") -> Bar | None:
    """Why a unit cannot shoot at all (2.3, 12.5, 12.8, 17.17, 24.8)."""
    if unit.status == ABOARD:
        return Bar("12.5", "passengers of a vehicle may not shoot")
    if unit.status != ON_TABLE or not unit.models:
        return Bar("12.1", "it is not on the table")
    if unit.die == RUN and reaction != ASSAULT:
        return Bar("12.8" if battle.type(unit).vehicle else "2.3", "it runs and cannot shoot")
    if battle.type(unit).artillery and battle.state.memory.get(UNHITCHED, {}).get(unit.id) == battle.state.turn:
        return Bar("24.8", "it was unhitched this turn")
    if not stations(battle, unit):
        return Bar("17.17", "its flamethrower is empty") if unit.empty else Bar("17.1", "it has nothing to shoot with")
    return None


def bar(battle: BoltBattle, unit: Unit, target: Unit, moved: bool = False, reaction: str = "") -> Bar | None:
    """Why a unit may not shoot at another; None if it may."""
    if found := bar_unit(battle, unit, reaction):
        return found
    if target.status == ABOARD:
        return Bar("24.4", "passengers cannot be shot at apart from their vehicle")
    if target.status != ON_TABLE or not target.models:
        return Bar("12.1", "it is not on the table")
    if (target.side == unit.side) != (reaction == FRIENDLY):
        return Bar("12.2", "only enemies are shot at")
    if target.id in battle.state.memory.get(FIGHTING, ()):
        return Bar("12.5", "it is fighting in close quarters")
    if _too_far(battle, unit, target, moved, reaction):
        far = _box_gap(battle, unit, target) if unit.building or target.building else battle.gap(unit, target)
        return Bar("12.3", f"it is {measured(far)} away, and no weapon reaches so far")
    if _has_shot(battle, unit, target, moved, reaction):
        return None
    bars = [bar for _, _, barred in all_modes(battle, unit, target, moved, reaction) for bar in barred]
    return max(bars, key=lambda bar: _NEARNESS.index(bar.rule) if bar.rule in _NEARNESS else 0)


def may_shoot(battle: BoltBattle, unit: Unit, target: Unit, moved: bool = False, reaction: str = "") -> bool:
    """Whether a unit may shoot at another: what `bar` says, without the trouble of telling why not."""
    return (
        target.status == ON_TABLE
        and bool(target.models)
        and (target.side == unit.side) == (reaction == FRIENDLY)
        and bar_unit(battle, unit, reaction) is None
        and target.id not in battle.state.memory.get(FIGHTING, ())
        and not _too_far(battle, unit, target, moved, reaction)
        and _has_shot(battle, unit, target, moved, reaction)
    )


def bears(battle: BoltBattle, unit: Unit, target: Unit, reaction: str = "") -> bool:
    """Whether any weapon points at a target, and may be fired at all: asked before one looks, which costs more."""
    return any(
        (reaction != AMBUSH or not battle.weapon(unit, arm.slot).indirect) and weapons.covers(battle, unit, arm, target)
        for station in stations(battle, unit)
        for arm in station.arms
    )


def _has_shot(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> bool:
    """Whether any weapon of a unit can be fired at a target: the first that can is enough."""
    kept = line_of_sight.drawer(battle)
    if (unit.id, target.id) not in kept and not bears(battle, unit, target, reaction):
        return False
    seen = look(battle, unit, target)
    if not any(seen.in_sight):
        return False
    key = ("shot", unit.id, target.id, moved, reaction, unit.ammunition, armed(unit))
    found: bool | None = kept.get(key)
    if found is None:
        found = kept[key] = any(
            bar_load(battle, unit, load, target, seen, moved, reaction) is None
            for station in stations(battle, unit)
            for mode in ways(battle, unit, station, target)
            for load in mode.loads
        )
    return found


def _too_far(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> bool:
    """Whether a target is beyond every weapon, without looking for it: most targets are told off so."""
    if reaction == ASSAULT:
        return False
    most = longest(battle, unit, moved)
    if target.building or unit.building:
        return _box_gap(battle, unit, target) > most + AT_THE_WALL
    return battle.gap(unit, target) > most + 1


def longest(battle: BoltBattle, unit: Unit, moved: bool) -> int:
    """How far the weapon of a unit reaches that reaches farthest."""
    key = ("reach", unit.id, moved, armed(unit))
    kept = line_of_sight.drawer(battle)
    most: int | None = kept.get(key)
    if most is None:
        most = kept[key] = max(
            weapons.reach(battle, unit, arm.slot, moved=moved, indirect=False).most
            for station in stations(battle, unit)
            for arm in station.arms
        )
    return most


def _box_gap(battle: BoltBattle, unit: Unit, target: Unit) -> float:
    """At least how far apart two units are of which one is in a building: by the boxes about what they are in."""
    (left, top, right, bottom), (x0, y0, x1, y1) = _box(battle, unit), _box(battle, target)
    return math.hypot(max(0.0, left - x1, x0 - right), max(0.0, top - y1, y0 - bottom))


def _box(battle: BoltBattle, unit: Unit) -> tuple[float, float, float, float]:
    if unit.building:
        found: tuple[float, float, float, float] = battle.table.area(battle.table.by_id[unit.building]).bounds
        return found
    bodies = battle.bodies(unit)
    far = max(body.foot.farthest for body in bodies)
    xs, ys = [body.x for body in bodies], [body.y for body in bodies]
    return min(xs) - far, min(ys) - far, max(xs) + far, max(ys) + far


def may_fire_at(battle: BoltBattle, unit: Unit, target_id: str, moved: bool = False) -> bool:
    """Whether a unit could fire at another now, an enemy or by FUBAR a friend (4.5, 16.4)."""
    target = battle.unit(target_id)
    reaction = FRIENDLY if target.side == unit.side else AMBUSH if unit.die == AMBUSH else ""
    return may_shoot(battle, unit, target, moved, reaction)


def in_reach(battle: BoltBattle, unit: Unit, moved: bool, reaction: str = "") -> list[Unit]:
    """The enemies that a unit may shoot at."""
    if bar_unit(battle, unit, reaction):
        return []
    enemies = battle.enemies(unit.side)
    near = [target for target in enemies if target.models and not _too_far(battle, unit, target, moved, reaction)]
    near = [target for target in near if bears(battle, unit, target, reaction)]
    line_of_sight.looks(battle, unit, near)
    return [target for target in near if may_shoot(battle, unit, target, moved, reaction)]


def has_target(battle: BoltBattle, unit: Unit, moved: bool = False, reaction: str = "", at: str = "") -> bool:
    """Whether there is anything that a unit may shoot at; ``at`` is the only target allowed."""
    if at:
        return may_shoot(battle, unit, battle.unit(at), moved, reaction)
    if bar_unit(battle, unit, reaction):
        return False
    # Mostly the nearest can be shot at, and then the others need not be looked for.
    enemies = [target for target in battle.enemies(unit.side) if target.models]
    near = min(enemies, key=lambda target: battle.gap(unit, target), default=None)
    if near is not None and may_shoot(battle, unit, near, moved, reaction):
        return True
    return bool(in_reach(battle, unit, moved, reaction))


# ---- declaring (12.1, 12.2, D3) ----------------------------------------------------------------------


def plans(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str = "") -> dict[str, Mode]:
    """Everything at one target, by the words of the answer: each way to fire the main weapon, the others joining in.

    One-shot weapons are kept unless the answer names them; a squad may hold a flamethrower back.
    """
    found = all_modes(battle, unit, target, moved, reaction)
    plain = [(station, ready) for station, ready, _ in found if ready and not station.one_shot]
    single = [load for station, ready, _ in found if ready and station.one_shot for load in ready[0].loads]
    result: dict[str, Mode] = {}
    if plain:
        (lead, ready), *others = plain
        joining = tuple(load for _, modes in others for load in _joins(battle, unit, target, modes))
        for mode in ready:
            result[mode.word] = Mode(mode.word, mode.label, (*mode.loads, *joining))
        if lead.together:
            flames = {load.arm.slot for load in ready[0].loads if battle.weapon(unit, load.arm.slot).flame}
            kept = tuple(load for load in ready[0].loads if load.arm.slot not in flames)
            if flames and kept:
                result["hold flamethrower"] = Mode("hold flamethrower", "without the flamethrower", kept)
    if single:
        weapon = battle.weapon(unit, single[0].arm.slot)
        bearers = {load.arm.row for load in single}
        rest = tuple(load for load in result[""].loads if load.arm.row not in bearers) if "" in result else ()
        if battle.type(target).enclosed:
            rest = tuple(load for load in rest if not battle.weapon(unit, load.arm.slot).small)
        title = f"{weapon.title.lower()}s" if len(single) > 1 else weapon.title.lower()
        label = f"with {'both ' if len(single) == 2 else ''}{title}"
        result[weapon.id] = Mode(weapon.id, label, (*rest, *single))
    return result


def _joins(battle: BoltBattle, unit: Unit, target: Unit, ready: Sequence[Mode]) -> tuple[Load, ...]:
    """How another weapon of a vehicle joins in when nobody says: shells at men, shot at armour.

    Small arms that can do nothing to the target are not fired at it (6.5, 14.4).
    """
    kind = battle.type(target)
    if kind.enclosed and all(battle.weapon(unit, load.arm.slot).small for load in ready[0].loads):
        return ()
    shells = [mode for mode in ready if mode.loads[0].he]
    return (shells[0] if shells and not kind.armoured else ready[0]).loads


def targets(battle: BoltBattle, unit: Unit, moved: bool, reaction: str = "", at: str = "") -> list[Option]:
    """Every target with every way to shoot at it; ``at`` is the only one allowed. Kept by positions and arms."""
    kept = line_of_sight.drawer(battle)
    fighting = tuple(battle.state.memory.get(FIGHTING, ()))
    key = ("targets", unit.id, moved, reaction, at, unit.ammunition, unit.die == RUN, fighting, armed(unit))
    found: list[Option] | None = kept.get(key)
    if found is None:
        found = kept[key] = _targets(battle, unit, moved, reaction, at)
    return found


def _targets(battle: BoltBattle, unit: Unit, moved: bool, reaction: str, at: str) -> list[Option]:
    among = [battle.unit(at)] if at else in_reach(battle, unit, moved, reaction)
    found: list[Option] = []
    for target in among:
        if at and bar(battle, unit, target, moved, reaction):
            continue
        seen = look(battle, unit, target)
        for word, mode in plans(battle, unit, target, moved, reaction).items():
            found.append(option(battle, unit, target, seen, word, mode.label, mode.loads, moved))
    return found


def option(
    battle: BoltBattle,
    unit: Unit,
    target: Unit,
    seen: Look,
    word: str,
    label: str,
    loads: Sequence[Load],
    moved: bool,
) -> Option:
    """To fire these weapons at a target, as something to choose."""
    distance = min(volley.distance(battle, unit, load, seen, moved) for load in loads)
    where = target.models[0]
    harmless = battle.type(target).enclosed and all(battle.weapon(unit, load.arm.slot).small for load in loads)
    text = f"Fire at {battle.say(target)}" + (f" {label}" if label else "") + f", {measured(distance)}"
    return Option(
        f"at {target.id} {word}".strip(),
        text + (" (cannot harm it)" if harmless else ""),
        "at",
        unit.id,
        place(where.x, where.y),
        target.id,
        rule="12.1",
        range=round(distance / 100),
    )
