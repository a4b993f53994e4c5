"""What a unit has to fire and in which ways (12.6, 17.6, 18.6), and what bars a single weapon (11, 12.3, 12.7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from grognard.board.table.places import measured
from grognard.core.ask import Bar
from grognard.games.bolt_action import line_of_sight, volley, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.line_of_sight import Look, look
from grognard.games.bolt_action.state import AMBUSH, Unit
from grognard.games.bolt_action.volley import Load
from grognard.games.bolt_action.weapons import Arm

ASSAULT, FRIENDLY = "assault", "friendly"


class Station(NamedTuple):
    """Weapons that are declared as one: fired ``together`` by a squad, or one of them by a vehicle or gun (12.2, 12.6).

    A one-shot weapon stands alone (17.6).
    """

    title: str
    arms: tuple[Arm, ...]
    together: bool = False
    one_shot: bool = False


class Mode(NamedTuple):
    """A way to fire a station: the words of the answer, how people say it, and what is fired."""

    word: str
    label: str
    loads: tuple[Load, ...]


# ---- what a unit has to fire (12.6, 17.6, 18.6) ------------------------------------------------------


def stations(battle: BoltBattle, unit: Unit) -> list[Station]:
    """The weapons of a unit as they are declared, the main ones first."""
    key = ("stations", unit.id, armed(unit))
    kept = line_of_sight.drawer(battle)
    found: list[Station] | None = kept.get(key)
    if found is None:
        found = kept[key] = _stations(battle, unit)
    return found


def armed(unit: Unit) -> tuple[object, ...]:
    """What a unit has in hand, as a key."""
    return tuple((tuple(model.arms), model.role) for model in unit.models), tuple(unit.empty)


def _stations(battle: BoltBattle, unit: Unit) -> list[Station]:
    kind = battle.type(unit)
    held = weapons.arms(battle, unit)
    if kind.artillery:
        return [Station(battle.weapon(unit, held[0].slot).title, tuple(held))] if held else []
    if kind.vehicle:
        beside = [arm for arm in held if battle.mount(unit, arm.slot).mount == "coaxial"]
        found: list[Station] = []
        for arm in held:
            if arm in beside:
                continue
            alternatives = (arm, *beside) if not found else (arm,)
            found.append(Station(battle.weapon(unit, arm.slot).title, alternatives))
        return found or [Station(battle.weapon(unit, arm.slot).title, (arm,)) for arm in beside]
    common = tuple(arm for arm in held if not battle.weapon(unit, arm.slot).one_shot)
    single = [arm for arm in held if battle.weapon(unit, arm.slot).one_shot]
    return [
        *([Station("all weapons", common, together=True)] if common else []),
        *(Station(f"{battle.weapon(unit, a.slot).title} ({a.model})", (a,), one_shot=True) for a in single),
    ]


def ways(battle: BoltBattle, unit: Unit, station: Station, target: Unit) -> list[Mode]:
    """The ways to fire a station at a target, whether or not they can be: shot or shell, direct or indirect."""
    if station.together or station.one_shot:
        return [Mode("", "", tuple(_usual_load(battle, unit, arm, target) for arm in station.arms))]
    found: list[Mode] = []
    for number, arm in enumerate(station.arms):
        weapon, he = battle.weapon(unit, arm.slot), weapons.he_of(battle, unit, arm.slot)
        named = [] if number == 0 else [_word(battle, unit, arm)]
        title = "" if number == 0 else f"with the {weapon.title.lower()}"
        if weapon.indirect:
            found.append(_mode(named, title, Load(arm, True, True)))
        elif weapon.howitzer:
            found.append(_mode(named, title, Load(arm, True, False)))
            found.append(_mode([*named, "indirect"], f"{title} indirectly".strip(), Load(arm, True, True)))
        elif he and weapon.pen is not None:
            found.append(_mode([*named, "ap"], _loaded(title, "armour-piercing shot"), Load(arm, False, False)))
            found.append(_mode([*named, "he"], _loaded(title, "high explosive"), Load(arm, True, False)))
        else:
            found.append(_mode(named, title, Load(arm, bool(he), False)))
    return found


def _loaded(title: str, ammunition: str) -> str:
    return f"{title}, {ammunition}" if title else f"with {ammunition}"


def _mode(words: Sequence[str], label: str, load: Load) -> Mode:
    return Mode(" ".join(words), label, (load,))


def _word(battle: BoltBattle, unit: Unit, arm: Arm) -> str:
    mount = battle.mount(unit, arm.slot)
    return mount.mount if mount.mount == "coaxial" else mount.weapon


def _usual_load(battle: BoltBattle, unit: Unit, arm: Arm, target: Unit) -> Load:
    """How a weapon is fired when nobody says: shells at men, shot at armour, mortars indirectly."""
    weapon, he = battle.weapon(unit, arm.slot), weapons.he_of(battle, unit, arm.slot)
    shell = bool(he) and (weapon.pen is None or not battle.type(target).armoured)
    return Load(arm, shell, weapon.indirect)


# ---- what bars a shot --------------------------------------------------------------------------------


def bar_load(
    battle: BoltBattle, unit: Unit, load: Load, target: Unit, seen: Look, moved: bool, reaction: str
) -> Bar | None:
    """Why a weapon cannot be fired at a target: sight, friends, arc or range (11.1, 11.2, 12.3, 12.7, 17.9)."""
    arm = load.arm
    weapon = battle.weapon(unit, arm.slot)
    if reaction == AMBUSH and unit.ammunition and weapon.pen is not None and weapons.he_of(battle, unit, arm.slot):
        if load.he != (unit.ammunition == "he"):
            return Bar("16.8", f"the {weapon.title.lower()} is loaded with other ammunition for its ambush")
    if load.indirect:
        if reaction == AMBUSH:
            return Bar("16.7", "indirect fire cannot be used from ambush")
        if not volley.spotted(battle, unit, seen, moved):
            return Bar("11.1", _unseen(battle, unit, target, seen))
    else:
        if seen.sides[arm.row] == line_of_sight.NO_WINDOW:
            return Bar("25.4", "there is no place at an opening on that side")
        if not seen.in_sight[arm.row]:
            return Bar("11.1", _unseen(battle, unit, target, seen))
        if seen.nearest[arm.row] == math.inf:
            return Bar("11.2", "friends are in the way")
    if not weapons.covers(battle, unit, arm, target):
        return Bar("12.7", f"it is outside the arc of the {weapon.title.lower()}")
    distance = volley.distance(battle, unit, load, seen, moved)
    if distance == math.inf:  # the spotter sees it, but ranges of men indoors are told by their openings
        return Bar("25.3", "no opening of the building faces it, so that there is no range")
    hurried = moved or reaction == ASSAULT  # a scope wants a Fire order or an ambush (27.1)
    reach = weapons.reach(battle, unit, arm.slot, moved=hurried, indirect=load.indirect)
    if reaction == ASSAULT and distance > reach.most:
        distance = float(reach.most)  # 21.3
    if not reach.has(distance):
        if distance < reach.least:
            limit = f"the least range of the {weapon.title.lower()} is {measured(reach.least)}"
        else:
            limit = f"the {weapon.title.lower()} reaches {measured(reach.most)}"
        return Bar("12.3", f"it is {measured(distance)} away, and {limit}")
    return None


def _unseen(battle: BoltBattle, unit: Unit, target: Unit, seen: Look) -> str:
    """What hides a target, in words."""
    things = [int(thing) for thing in seen.pairs.by.ravel() if thing >= 0]
    if not things:
        return "it is not in sight"
    most = max(sorted(set(things)), key=things.count)
    return f"it is not in sight: {battle.scene.things[most].title} is in the way"


def modes(
    battle: BoltBattle, unit: Unit, station: Station, target: Unit, moved: bool, reaction: str = ""
) -> tuple[list[Mode], list[Bar]]:
    """The ways in which a station can be fired at a target now, with the weapons that can; and what bars the rest."""
    seen = look(battle, unit, target)
    found: list[Mode] = []
    bars: list[Bar] = []
    for mode in ways(battle, unit, station, target):
        loads: list[Load] = []
        for load in mode.loads:
            bar = bar_load(battle, unit, load, target, seen, moved, reaction)
            if bar is not None:
                bars.append(bar)
            elif not station.together or all(load.arm.row != other.arm.row for other in loads):
                loads.append(load)  # a man fires one of his weapons (12.6)
        if loads:
            found.append(mode._replace(loads=tuple(loads)))
    return found, bars


def all_modes(
    battle: BoltBattle, unit: Unit, target: Unit, moved: bool, reaction: str
) -> list[tuple[Station, list[Mode], list[Bar]]]:
    """Every station with what it can do to a target; kept by positions and arms."""
    kept = line_of_sight.drawer(battle)
    key = ("modes", unit.id, target.id, moved, reaction, unit.ammunition, armed(unit))
    found: list[tuple[Station, list[Mode], list[Bar]]] | None = kept.get(key)
    if found is None:
        found = [
            (station, *modes(battle, unit, station, target, moved, reaction)) for station in stations(battle, unit)
        ]
        kept[key] = found
    return found
