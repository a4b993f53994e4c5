"""What a unit has to fire and in which ways (12.6, 17.6, 18.6), and what bars a single weapon (11, 12.3, 12.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.board.table.places import apart
from grognard.core.ask import Bar
from grognard.games.bolt_action import line_of_sight, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import look
from grognard.games.bolt_action.shooting import volley
from grognard.games.bolt_action.shooting.volley import Firer
from grognard.games.bolt_action.state import AMBUSH, Unit
from grognard.games.bolt_action.weapons import HeldWeapon
from grognard.kits.table.looks import Look
from grognard.kits.table.positions import position_cache, stances

ASSAULT, FRIENDLY = "assault", "friendly"

#: Of so many stances of units it is kept what they have in hand.
KEPT_WEAPONS = 1_000


class WeaponGroup(NamedTuple):
    """Weapons that are declared as one: fired ``together`` by a squad, or one of them by a vehicle or gun (12.2, 12.6).

    A one-shot weapon stands alone (17.6).
    """

    title: str
    weapons: tuple[HeldWeapon, ...]
    together: bool = False
    one_shot: bool = False


class Mode(NamedTuple):
    """A way to fire a group: the words of the answer, how people say it, and what is fired."""

    word: str
    label: str
    firers: tuple[Firer, ...]


# ---- what a unit has to fire (12.6, 17.6, 18.6) ------------------------------------------------------


def weapon_groups(battle: BoltBattle, unit: Unit) -> list[WeaponGroup]:
    """The weapons of a unit as they are declared, the main ones first."""
    key, known = _by_own_stance(battle, unit)
    found: list[WeaponGroup] | None = known.get(key)
    if found is None:
        found = known[key] = _weapon_groups(battle, unit)
    return found


def longest(battle: BoltBattle, unit: Unit, moved: bool) -> int:
    """How far the weapon of a unit reaches that reaches farthest."""
    own, known = _by_own_stance(battle, unit)
    key = (moved, own)
    most: int | None = known.get(key)
    if most is None:
        most = known[key] = max(
            weapons.reach(battle, unit, held.slot, moved=moved, indirect=False).most
            for group in weapon_groups(battle, unit)
            for held in group.weapons
        )
    return most


def _by_own_stance(battle: BoltBattle, unit: Unit) -> tuple[Any, dict[Any, Any]]:
    """All that the weapons in hand of a unit hang on, as a key, and what is kept by it with the table, over battles.

    Who serves whose weapon hangs on how the unit's own models stand, and on nobody else.
    """
    known: dict[Any, Any] = battle.table.cache.setdefault("weapons in hand", {})
    if len(known) >= KEPT_WEAPONS:
        known.clear()
    own = stances(battle).get(unit.id) or battle.stance(unit)
    return (own, unit.status, armed(unit)), known


def armed(unit: Unit) -> tuple[object, ...]:
    """What a unit has in hand, as a key."""
    return tuple([(model.arms, model.role) for model in unit.models]), unit.empty


def _weapon_groups(battle: BoltBattle, unit: Unit) -> list[WeaponGroup]:
    kind = battle.type(unit)
    ready = weapons.in_hand(battle, unit)
    if kind.artillery:
        return [WeaponGroup(battle.weapon(unit, ready[0].slot).title, tuple(ready))] if ready else []
    if kind.vehicle:
        coaxial = [held for held in ready if battle.mount(unit, held.slot).mount == "coaxial"]
        found: list[WeaponGroup] = []
        for held in ready:
            if held in coaxial:
                continue
            alternatives = (held, *coaxial) if not found else (held,)
            found.append(WeaponGroup(battle.weapon(unit, held.slot).title, alternatives))
        return found or [WeaponGroup(battle.weapon(unit, held.slot).title, (held,)) for held in coaxial]
    common = tuple(held for held in ready if not battle.weapon(unit, held.slot).one_shot)
    single = [held for held in ready if battle.weapon(unit, held.slot).one_shot]
    return [
        *([WeaponGroup("all weapons", common, together=True)] if common else []),
        *(WeaponGroup(f"{battle.weapon(unit, a.slot).title} ({a.model})", (a,), one_shot=True) for a in single),
    ]


def ways_to_fire(battle: BoltBattle, unit: Unit, group: WeaponGroup, target: Unit) -> list[Mode]:
    """The ways to fire a group at a target, whether or not they can be: shot or shell, direct or indirect."""
    if group.together or group.one_shot:
        return [Mode("", "", tuple(_usual_way(battle, unit, held, target) for held in group.weapons))]
    found: list[Mode] = []
    for number, held in enumerate(group.weapons):
        weapon, he = battle.weapon(unit, held.slot), weapons.he_of(battle, unit, held.slot)
        named = [] if number == 0 else [_word(battle, unit, held)]
        title = "" if number == 0 else f"with the {weapon.title.lower()}"
        if weapon.indirect:
            found.append(_mode(named, title, Firer(held, True, True)))
        elif weapon.howitzer:
            found.append(_mode(named, title, Firer(held, True, False)))
            found.append(_mode([*named, "indirect"], f"{title} indirectly".strip(), Firer(held, True, True)))
        elif he and weapon.pen is not None:
            found.append(_mode([*named, "ap"], _loaded(title, "armour-piercing shot"), Firer(held, False, False)))
            found.append(_mode([*named, "he"], _loaded(title, "high explosive"), Firer(held, True, False)))
        else:
            found.append(_mode(named, title, Firer(held, bool(he), False)))
    return found


def _loaded(title: str, ammunition: str) -> str:
    return f"{title}, {ammunition}" if title else f"with {ammunition}"


def _mode(words: Sequence[str], label: str, firer: Firer) -> Mode:
    return Mode(" ".join(words), label, (firer,))


def _word(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> str:
    mount = battle.mount(unit, held.slot)
    return mount.mount if mount.mount == "coaxial" else mount.weapon


def _usual_way(battle: BoltBattle, unit: Unit, held: HeldWeapon, target: Unit) -> Firer:
    """How a weapon is fired when nobody says: shells at men, shot at armour, mortars indirectly."""
    weapon, he = battle.weapon(unit, held.slot), weapons.he_of(battle, unit, held.slot)
    shell = bool(he) and (weapon.pen is None or not battle.type(target).armoured)
    return Firer(held, shell, weapon.indirect)


# ---- what bars a shot --------------------------------------------------------------------------------


def bar_firer(
    battle: BoltBattle, unit: Unit, firer: Firer, target: Unit, seen: Look, moved: bool, reaction: str
) -> Bar | None:
    """Why a weapon cannot be fired at a target: sight, friends, arc or range (11.1, 11.2, 12.3, 12.7, 17.9)."""
    held = firer.held
    weapon = battle.weapon(unit, held.slot)
    if reaction == AMBUSH and unit.ammunition and weapon.pen is not None and weapons.he_of(battle, unit, held.slot):
        if firer.he != (unit.ammunition == "he"):
            return Bar("16.8", f"the {weapon.title.lower()} is loaded with other ammunition for its ambush")
    if reaction in (AMBUSH, ASSAULT) and weapons.has_reacted(battle, unit, held):
        return Bar("21.4", f"the {weapon.title.lower()} has already fired in reaction to this action")
    if firer.indirect:
        if reaction == AMBUSH:
            return Bar("16.7", "indirect fire can't be used from ambush")
        if not volley.spotted(battle, unit, seen, moved):
            return Bar("11.1", _unseen(battle, unit, target, seen))
    else:
        if seen.sides[held.row] == line_of_sight.NO_WINDOW:
            return Bar("25.4", "it doesn't have a place at an opening on that side")
        if not seen.in_sight[held.row]:
            return Bar("11.1", _unseen(battle, unit, target, seen))
        if seen.nearest[held.row] == math.inf:
            return Bar("11.2", "friends are in the way")
    window = seen.eyes[held.row] if unit.building and not firer.indirect else None
    if not weapons.covers(battle, unit, held, target, window):
        return Bar("12.7", f"it is outside the arc of the {weapon.title.lower()}")
    distance = volley.distance(battle, unit, firer, seen, moved)
    if distance == math.inf:  # the spotter sees it, but ranges of men indoors are told by their openings
        return Bar("25.3", "no opening of the building faces it")
    hurried = moved or reaction == ASSAULT  # a scope wants a Fire order or an ambush (27.1)
    reach = weapons.reach(battle, unit, held.slot, moved=hurried, indirect=firer.indirect)
    if reaction == ASSAULT and distance > reach.most:
        distance = float(reach.most)  # 21.3
    if not reach.has(distance):
        if distance < reach.least:
            limit = f"the least range of the {weapon.title.lower()} is {apart(reach.least, battle.measure)}"
        else:
            limit = f"the {weapon.title.lower()} reaches {apart(reach.most, battle.measure)}"
        return Bar("12.3", f"it is {apart(distance, battle.measure)} away, and {limit}")
    return None


def _unseen(battle: BoltBattle, unit: Unit, target: Unit, seen: Look) -> str:
    """What hides a target, in words."""
    things = [int(thing) for thing in seen.pairs.by.ravel() if thing >= 0]
    if not things:
        return "it isn't in sight"
    most = max(sorted(set(things)), key=things.count)
    return f"it isn't in sight: {battle.scene.things[most].title} is in the way"


def modes(
    battle: BoltBattle, unit: Unit, group: WeaponGroup, target: Unit, moved: bool, reaction: str = ""
) -> tuple[list[Mode], list[Bar]]:
    """The ways in which a group can be fired at a target now, with the weapons that can; and what bars the rest."""
    seen = look(battle, unit, target)
    found: list[Mode] = []
    bars: list[Bar] = []
    for mode in ways_to_fire(battle, unit, group, target):
        firers: list[Firer] = []
        for firer in mode.firers:
            bar = bar_firer(battle, unit, firer, target, seen, moved, reaction)
            if bar is not None:
                bars.append(bar)
            elif not group.together or all(firer.held.row != other.held.row for other in firers):
                firers.append(firer)  # a man fires one of his weapons (12.6)
        if firers:
            found.append(mode._replace(firers=tuple(firers)))
    return found, bars


def all_modes(
    battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str
) -> list[tuple[WeaponGroup, list[Mode], list[Bar]]]:
    """Every group with what it can do to a target; kept by positions and weapons in hand."""
    kept = position_cache(battle)
    key = ("modes", unit.id, target.id, moved, reaction, unit.ammunition, armed(unit), weapons.reacted(battle, unit))
    found: list[tuple[WeaponGroup, list[Mode], list[Bar]]] | None = kept.get(key)
    if found is None:
        found = [(group, *modes(battle, unit, group, target, moved, reaction)) for group in weapon_groups(battle, unit)]
        kept[key] = found
    return found
