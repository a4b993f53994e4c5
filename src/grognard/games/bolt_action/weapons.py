"""Weapons and their special rules (17): reach, arcs, crews, shots, indirect fire, one-shot weapons, fire."""

from __future__ import annotations

from typing import NamedTuple

from grognard.board.table.bodies import HAIR, bearing, gap, in_arc, off, samples
from grognard.core.dice import by_face
from grognard.core.tally import Tally
from grognard.games.bolt_action import fire_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.figures import figures, small_die, throw_of
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, SPOTTER, Unit

#: Machine guns that German crews fire faster (27.9).
_FAST = frozenset({"lmg", "mmg"})


class Arm(NamedTuple):
    """One weapon in one pair of hands: the model's place in its unit, its id, and which weapon of the unit's."""

    row: int
    model: str
    slot: int


class Reach(NamedTuple):
    """From where to where a weapon shoots, in hundredths, and whether through a sniper's scope."""

    least: int
    most: int
    scoped: bool = False

    def has(self, distance: float) -> bool:
        """Whether a distance lies in it."""
        return self.least - HAIR <= distance <= self.most + HAIR


def arms(battle: BoltBattle, unit: Unit) -> list[Arm]:
    """Every weapon that somebody of the unit could fire now, without those that are empty (17.17).

    A loader serves and does not fire his own weapon (17.4); a spotter looks (23.4).
    """
    return [
        Arm(row, model.id, index)
        for row, model in enumerate(unit.models)
        if model.role not in (LOADER, SPOTTER) or (model.role == LOADER and not _serves(battle, unit))
        for index in model.arms
        if index not in unit.empty
    ]


def _serves(battle: BoltBattle, unit: Unit) -> bool:
    """Whether there is a gunner to be served; a sniper's assistant has his own pistol (27.1)."""
    for model in unit.models:
        if model.role == GUNNER and any(index not in unit.empty for index in model.arms):
            if not any(battle.mount(unit, index).scope for index in model.arms):
                return True
    return False


def he_of(battle: BoltBattle, unit: Unit, index: int) -> str:
    """The HE dice of a weapon as this unit has it, "" for none (18.1)."""
    return battle.mount(unit, index).he or battle.weapon(unit, index).he


def scoped(battle: BoltBattle, unit: Unit, index: int, moved: bool) -> bool:
    """Whether a sniper uses his scope: with Fire or Ambush (27.1)."""
    return battle.mount(unit, index).scope and not moved


def reach(battle: BoltBattle, unit: Unit, index: int, *, moved: bool, indirect: bool) -> Reach:
    """How far a weapon shoots: the chart's ranges, a sniper's with his scope (17.1, 17.12, 27.1)."""
    if scoped(battle, unit, index, moved):
        now = figures()
        return Reach(now.distance("sniper", "min"), now.distance("sniper", "max"), True)
    weapon = battle.weapon(unit, index)
    return Reach(weapon.min_indirect if indirect else weapon.min, weapon.max)


def shots(battle: BoltBattle, unit: Unit, index: int) -> tuple[int, str]:
    """How many shots a weapon fires: a number, or 0 and the dice that tell it (17.1, 17.14, 27.9)."""
    weapon = battle.weapon(unit, index)
    if not weapon.shots.isdigit():
        return 0, weapon.shots
    number = int(weapon.shots)
    if weapon.id in _FAST and battle.type(unit).nation == "german" and battle.scenario.german_machine_guns:
        number += figures().number("national", "german_machine_gun_shots")
    return number * (battle.mount(unit, index).count if battle.type(unit).vehicle else 1), ""


def alone(battle: BoltBattle, unit: Unit, arm: Arm) -> bool:
    """Whether a Team weapon has one man only: nobody else within 1 in of the gunner (13.13, 17.4).

    On a vehicle Team means nothing. A gun counts its crew. A sniper without his assistant counts too (27.1).
    """
    kind = battle.type(unit)
    model = unit.models[arm.row]
    if kind.vehicle:
        return False
    if model.role == GUN:
        return battle.weapon(unit, arm.slot).team and sum(m.role == CREW for m in unit.models) < 2
    if not battle.weapon(unit, arm.slot).team and not battle.mount(unit, arm.slot).scope:
        return False
    near = figures().distance("movement_figures", "formation_gap") + HAIR
    own = battle.body(unit, model)
    helpers = (m for m in unit.models if m is not model and m.role not in (GUN, SPOTTER))
    if kind.kind != "team":
        helpers = (m for m in helpers if m.role == LOADER)
    return not any(gap(own, battle.body(unit, helper)) <= near for helper in helpers)


def arc(battle: BoltBattle, unit: Unit, index: int) -> int:
    """How many degrees a weapon covers: its mount's, or the front quarter for a Fixed one (12.7, 17.5)."""
    mount = battle.mount(unit, index)
    kind = battle.type(unit)
    if kind.vehicle or kind.artillery:
        return mount.arc
    return 90 if battle.weapon(unit, index).fixed else 360


def covers(battle: BoltBattle, unit: Unit, arm: Arm, target: Unit) -> bool:
    """Whether any sample point of the target lies in the weapon's arc (12.7, B18)."""
    width = arc(battle, unit, arm.slot)
    if width >= 360:
        return True
    model = unit.models[arm.row]
    heading = model.heading + (180 if "rear" in battle.mount(unit, arm.slot).mount else 0)
    return any(in_arc(model.x, model.y, heading, width, samples(body)) for body in battle.bodies(target))


def shielded(battle: BoltBattle, target: Unit, x: float, y: float) -> bool:
    """Whether a gun's shield stands between its crew and a firer: he is in the gun's front quarter (14.6)."""
    if not battle.has(target, "gun_shield"):
        return False
    gun = next((model for model in target.models if model.role == GUN), None)
    return gun is not None and off(gun.heading, bearing(gun.x, gun.y, x, y)) <= 45 + 1e-6


# ---- indirect fire (17.8 to 17.11, 23.2, 23.4) -------------------------------------------------------


def spotters(battle: BoltBattle, unit: Unit, *, moved: bool) -> list[int]:
    """Who may see the target for indirect fire: gunner, crew, with a Fire order the spotter (17.9, 23.2, 23.4)."""
    return [
        row
        for row, model in enumerate(unit.models)
        if model.role in (GUNNER, CREW, HULL) or (model.role == SPOTTER and not moved)
    ]


def layers(battle: BoltBattle, unit: Unit) -> list[int]:
    """From whom indirect fire is measured: the gunner of a mortar, any crew man of a gun (23.2)."""
    roles = (CREW,) if battle.type(unit).artillery else (GUNNER, HULL)
    return [row for row, model in enumerate(unit.models) if model.role in roles]


def indirect_tally(battle: BoltBattle, unit: Unit, target: Unit, index: int) -> Tally:
    """What an indirect shot needs: 6, then 1 less for each shot at the same target, 2 after a hit (17.8, 17.11).

    Nothing else changes it. Rockets always need 6 (17.18).
    """
    now = figures()
    chart = now["indirect_fire"]
    numbers: list[int] = chart["needed"]
    found = Tally("To hit, indirect", numbers[0], "17.8")
    if battle.weapon(unit, index).multiple:
        return Tally("To hit, rockets", chart["launcher_needed"], "17.18")
    if not ranged_in(battle, unit, target):
        return found
    if unit.on_target:
        found.add("on_target", chart["after_a_hit"] - numbers[0], "17.8")
    elif unit.shots:
        later = numbers[min(unit.shots, len(numbers) - 1)]
        found.add("ranging_in", later - numbers[0], "17.8")
    return found


def ranged_in(battle: BoltBattle, unit: Unit, target: Unit) -> bool:
    """Whether earlier shots at this target still count: neither side has moved since the last (17.8, 17.11, B33)."""
    if unit.ranged != target.id or not unit.ranged_turn:
        return False
    if max(unit.moved, target.moved) > unit.ranged_turn:
        return False
    stood = battle.state.memory.get(_memory(unit))
    if stood is None:
        return True  # the position was set up so: only the turns are known
    if stood["heading"] != _laid(unit):
        return False
    return all(
        stood.get(f"{party.id}.{model.id}") == [model.x, model.y] for party in (unit, target) for model in party.models
    )


def _laid(unit: Unit) -> int:
    """Which way the weapon of a unit is laid (B20)."""
    bearer = next((model for model in unit.models if model.role in (GUN, GUNNER, HULL)), unit.models[0])
    return bearer.heading


def note_shot(battle: BoltBattle, unit: Unit, target: Unit, hit: bool) -> None:
    """Remember an indirect shot for the next one at this target (17.8, B33)."""
    again = ranged_in(battle, unit, target)
    unit.shots = unit.shots + 1 if again else 1
    unit.on_target = hit or (again and unit.on_target)
    unit.ranged, unit.ranged_turn = target.id, battle.state.turn
    battle.state.memory[_memory(unit)] = {
        "heading": _laid(unit),
        **{f"{party.id}.{model.id}": [model.x, model.y] for party in (unit, target) for model in party.models},
    }
    battle.emit(
        fire_events.RangesIn(
            side=unit.side, unit=unit.id, target=target.id, on_target=unit.on_target, rules=("17.8", "17.11")
        )
    )


def _memory(unit: Unit) -> str:
    return f"ranged {unit.id}"


# ---- one-shot weapons and fuel (17.6, 17.17) ---------------------------------------------------------


def spend(battle: BoltBattle, unit: Unit, arm: Arm) -> None:
    """A one-shot weapon is gone once it is fired (17.6)."""
    model = next(model for model in unit.models if model.id == arm.model)
    model.arms.remove(arm.slot)
    title = battle.weapon(unit, arm.slot).title
    battle.emit(fire_events.Spent(side=unit.side, unit=unit.id, weapon=title, rules=("17.6",)))


def check_fuel(battle: BoltBattle, unit: Unit, arm: Arm) -> None:
    """After an attack a flamethrower may be empty; a team that has nothing else goes home (17.17)."""
    from grognard.games.bolt_action import morale

    chart = figures()["flamethrower"]
    vehicle = battle.type(unit).vehicle
    most: int = chart["empty_vehicle_up_to" if vehicle else "empty_infantry_up_to"]
    read = by_face(tuple("empty" if face <= most else "fuel left" for face in range(1, 7)))
    if battle.roll(unit.side, "fuel", "1d6", read, ("17.17",), unit=unit.id) != "empty":
        return
    leaves = battle.type(unit).kind == "team"
    if arm.slot not in unit.empty:
        unit.empty.append(arm.slot)
    battle.emit(fire_events.OutOfFuel(side=unit.side, unit=unit.id, leaves=leaves, rules=("17.17",)))
    if leaves:
        unit.scores = False
        morale.destroy(battle, unit, ("17.17",), "goes home")


def roll_dice(battle: BoltBattle, side: str, what: str, dice: str, rules: tuple[str, ...], unit: str = "") -> int:
    """Throw "D3", "2D6" or such; a plain number is itself."""
    if dice.isdigit():
        return int(dice)
    found: int = battle.roll(side, what, throw_of(dice), small_die(dice), rules, unit=unit)
    return found
