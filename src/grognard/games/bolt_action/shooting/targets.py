"""Who may shoot at whom (12.1 to 12.8): what bars a unit, a target or every weapon.

Options and "why not" read the same bars.
"""

from __future__ import annotations

import math

from grognard.board.table.places import apart
from grognard.core.ask import Bar
from grognard.games.bolt_action import line_of_sight, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.shooting.weapon_groups import (
    ASSAULT,
    FRIENDLY,
    all_modes,
    armed,
    bar_firer,
    longest,
    ways_to_fire,
    weapon_groups,
)
from grognard.games.bolt_action.state import AMBUSH, RUN, Unit
from grognard.kits.table.positions import position_cache
from grognard.kits.table.state import ABOARD, ON_TABLE

#: Men in a building shoot and are shot at a hair outside its walls.
AT_THE_WALL = 20

#: The order in which reasons are told: the one that came nearest to a shot.
_NEARNESS = ("17.1", "11.1", "25.4", "11.2", "12.7", "12.3")


def bar_unit(battle: BoltBattle, unit: Unit, reaction: str = "") -> Bar | None:
    """Why a unit cannot shoot at all (2.3, 12.5, 12.8, 17.17, 24.8)."""
    if unit.status == ABOARD:
        return Bar("12.5", "passengers can't shoot")
    if unit.status != ON_TABLE or not unit.models:
        return Bar("12.1", "it isn't on the table")
    if unit.die == RUN and reaction != ASSAULT:
        return Bar("12.8" if battle.type(unit).vehicle else "2.3", "it is running and can't shoot")
    if battle.type(unit).artillery and battle.state.scratch.unhitched.get(unit.id) == battle.state.turn:
        return Bar("24.8", "it was unhitched this turn")
    if not weapon_groups(battle, unit):
        return (
            Bar("17.17", "its flamethrower is empty") if unit.empty else Bar("17.1", "it has no weapon to shoot with")
        )
    return None


def bar(battle: BoltBattle, unit: Unit, target: Unit, moved: bool = False, reaction: str = "") -> Bar | None:
    """Why a unit may not shoot at another; None if it may."""
    if found := bar_target(battle, unit, target, moved, reaction):
        return found
    if _has_shot(battle, unit, target, moved, reaction):
        return None
    return _nearest_to_a_shot(battle, unit, target, moved, reaction)


def may_shoot(battle: BoltBattle, unit: Unit, target: Unit, moved: bool = False, reaction: str = "") -> bool:
    """Whether nothing bars a unit from shooting at another; which of its weapons came nearest is not looked for."""
    found = bar_target(battle, unit, target, moved, reaction)
    return found is None and _has_shot(battle, unit, target, moved, reaction)


def bar_target(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> Bar | None:
    """Why no weapon of a unit may be fired at another, whatever it sees (4.2, 12.1 to 12.5, 24.4)."""
    if found := bar_unit(battle, unit, reaction):
        return found
    if target.status == ABOARD:
        return Bar("24.4", "you can't shoot at passengers, only at their vehicle")
    if target.status != ON_TABLE or not target.models:
        return Bar("12.1", "it isn't on the table")
    if (target.side == unit.side) != (reaction == FRIENDLY):
        return Bar("12.2", "you can shoot only at enemies")
    if target.id in battle.state.scratch.fighting:
        return Bar("12.5", "it is in close quarters")
    if far := _too_far(battle, unit, target, moved, reaction):
        return Bar("12.3", f"it is {apart(far, battle.measure)} away, out of range of all its weapons")
    return None


def _nearest_to_a_shot(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> Bar:
    """What bars the weapon that came nearest to a shot."""
    bars = [bar for _, _, barred in all_modes(battle, unit, target, moved, reaction) for bar in barred]
    return max(bars, key=lambda bar: _NEARNESS.index(bar.rule) if bar.rule in _NEARNESS else 0)


def bears(battle: BoltBattle, unit: Unit, target: Unit, reaction: str = "") -> bool:
    """Whether any weapon points at a target, and may be fired at all: asked before one looks, which costs more.

    From which window men in a building would fire is only known when one looks (25.3).
    """
    return bool(unit.building) or any(
        (reaction != AMBUSH or not battle.weapon(unit, held.slot).indirect)
        and weapons.covers(battle, unit, held, target)
        for group in weapon_groups(battle, unit)
        for held in group.weapons
    )


def _has_shot(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> bool:
    """Whether any weapon of a unit can be fired at a target: the first that can is enough."""
    kept = position_cache(battle)
    if (unit.id, target.id) not in kept and not bears(battle, unit, target, reaction):
        return False
    seen = look(battle, unit, target)
    if not any(seen.in_sight):
        return False
    key = ("shot", unit.id, target.id, moved, reaction, unit.ammunition, armed(unit), weapons.reacted(battle, unit))
    found: bool | None = kept.get(key)
    if found is None:
        found = kept[key] = any(
            bar_firer(battle, unit, firer, target, seen, moved, reaction) is None
            for group in weapon_groups(battle, unit)
            for mode in ways_to_fire(battle, unit, group, target)
            for firer in mode.firers
        )
    return found


def _too_far(battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str) -> float:
    """How far away a target is that no weapon reaches, 0 if one may; known without a look, as it is for most."""
    if reaction == ASSAULT:
        return 0.0
    indoors = target.building or unit.building
    far = _box_gap(battle, unit, target) if indoors else battle.gap(unit, target)
    most = longest(battle, unit, moved) + (AT_THE_WALL if indoors else 1)
    return far if far > most else 0.0


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
    line_of_sight.looks_of(battle).at(unit, near)
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
