"""Weapons and their special rules (17): reach, arcs, crews, shots, indirect fire, one-shot weapons, fire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grognard.board.table.bodies import HAIR, base_in_arc, bearing, gap, off
from grognard.core.dice import total
from grognard.core.tally import Tally
from grognard.games.bolt_action import fire_events
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.charts import charts, throw_of
from grognard.games.bolt_action.state import CREW, GUN, GUNNER, HULL, LOADER, MAN, SPOTTER, Laid, Model, Unit
from grognard.kits.table.state import ABOARD

#: Machine guns that German crews fire faster (27.9).
_FAST = frozenset({"lmg", "mmg"})


class HeldWeapon(NamedTuple):
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


def in_hand(battle: BoltBattle, unit: Unit) -> list[HeldWeapon]:
    """Every weapon that somebody of the unit could fire now, without those that are empty (17.17).

    Whoever serves a gun does not fire his own weapon (17.4); a spotter looks (23.4).
    """
    busy = set(serving(battle, unit).values())
    return [
        HeldWeapon(row, model.id, index)
        for row, model in enumerate(unit.models)
        if model.role != SPOTTER and row not in busy
        for index in model.arms
        if index not in unit.empty
    ]


def beside(battle: BoltBattle, unit: Unit, model: Model, other: Model) -> bool:
    """Whether two men of a unit are within 1 in; indoors or aboard they have no exact place and are (17.4, 25.1)."""
    if unit.building or unit.status == ABOARD:
        return True
    near = charts().distance("movement_figures", "formation_gap") + HAIR
    return gap(battle.body(unit, model), battle.body(unit, other)) <= near


def serving(battle: BoltBattle, unit: Unit, models: Sequence[Model] | None = None) -> dict[int, int]:
    """Who serves whose Team weapon, by numbers of models: one other man within 1 in of each gunner (13.13, 17.4).

    It is the loader where he is near, otherwise whoever has least to fire himself; nobody serves two guns. A sniper's
    assistant stands by with his own pistol and is not listed (27.1). ``models`` are those who are looked at, all if
    left out.
    """
    models = unit.models if models is None else models
    guns = [row for row, model in enumerate(models) if model.role == GUNNER and wants_two(battle, unit, model)]
    found: dict[int, int] = {}

    def find(gun: int, tried: set[int]) -> bool:
        for helper in _helpers(battle, unit, models, gun):
            if helper in tried:
                continue
            tried.add(helper)
            held = next((other for other, taken in found.items() if taken == helper), None)
            if held is None or find(held, tried):
                found[gun] = helper
                return True
        return False

    for gun in guns:
        find(gun, set())
    return found


def wants_two(battle: BoltBattle, unit: Unit, model: Model) -> bool:
    """Whether a man has a Team weapon that can be fired: another has to serve it (17.4)."""
    return any(index not in unit.empty and battle.weapon(unit, index).team for index in model.arms)


def _helpers(battle: BoltBattle, unit: Unit, models: Sequence[Model], gun: int) -> list[int]:
    """Who could serve a gunner: the men beside him, a loader first, then whoever has the least to fire himself."""
    rows = [
        row
        for row, model in enumerate(models)
        if model.role in (LOADER, MAN) and beside(battle, unit, models[gun], model)
    ]
    return sorted(rows, key=lambda row: (models[row].role != LOADER, firepower(battle, unit, models[row])))


def firepower(battle: BoltBattle, unit: Unit, model: Model) -> int:
    """What the weapons in a man's hands are worth, roughly: their shots, and more for what is fired once."""
    worth = 0
    for index in model.arms:
        weapon = battle.weapon(unit, index)
        worth += 20 if weapon.one_shot else int(weapon.shots) if weapon.shots.isdigit() else 10
    return worth


def he_of(battle: BoltBattle, unit: Unit, index: int) -> str:
    """The HE dice of a weapon as this unit has it, "" for none (18.1)."""
    return battle.mount(unit, index).he or battle.weapon(unit, index).he


def scoped(battle: BoltBattle, unit: Unit, index: int, moved: bool) -> bool:
    """Whether a sniper uses his scope: with Fire or Ambush (27.1)."""
    return battle.mount(unit, index).scope and not moved


def reach(battle: BoltBattle, unit: Unit, index: int, *, moved: bool, indirect: bool) -> Reach:
    """How far a weapon shoots: the chart's ranges, a sniper's with his scope (17.1, 17.12, 27.1)."""
    if scoped(battle, unit, index, moved):
        now = charts()
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
        number += charts().number("national", "german_machine_gun_shots")
    return number * (battle.mount(unit, index).count if battle.type(unit).vehicle else 1), ""


def alone(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> bool:
    """Whether a Team weapon has one man only: nobody else within 1 in of the gunner (13.13, 17.4).

    On a vehicle Team means nothing. A gun counts its crew. A sniper without his assistant counts too (27.1).
    """
    kind = battle.type(unit)
    model = unit.models[held.row]
    if kind.vehicle:
        return False
    if model.role == GUN:
        return battle.weapon(unit, held.slot).team and sum(m.role == CREW for m in unit.models) < 2
    if not battle.weapon(unit, held.slot).team and not battle.mount(unit, held.slot).scope:
        return False
    if battle.weapon(unit, held.slot).team:
        return held.row not in serving(battle, unit)
    others = (other for other in unit.models if other is not model and other.role != SPOTTER)
    return not any(beside(battle, unit, model, other) for other in others)


def arc(battle: BoltBattle, unit: Unit, index: int) -> int:
    """How many degrees a weapon covers: its mount's, or the front quarter for a Fixed one (12.7, 17.5)."""
    mount = battle.mount(unit, index)
    kind = battle.type(unit)
    if kind.vehicle or kind.artillery:
        return mount.arc
    return 90 if battle.weapon(unit, index).fixed else 360


def covers(
    battle: BoltBattle, unit: Unit, held: HeldWeapon, target: Unit, at: tuple[float, float] | None = None
) -> bool:
    """Whether any sample point of the target lies in the weapon's arc (12.7, B18).

    ``at`` is where it is fired from, such as a window (25.3); the model's centre if left out.
    """
    width = arc(battle, unit, held.slot)
    if width >= 360:
        return True
    model = unit.models[held.row]
    heading = model.heading + (180 if "rear" in battle.mount(unit, held.slot).mount else 0)
    x, y = at or (model.x, model.y)
    return any(base_in_arc(x, y, heading, width, body) for body in battle.bodies(target))


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
    now = charts()
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
    stood = battle.state.scratch.laid.get(unit.id)
    if stood is None:
        return True  # the position was set up so: only the turns are known
    if stood.heading != _laid(unit):
        return False
    return all(
        (f"{party.id}.{model.id}", model.x, model.y) in stood.places
        for party in (unit, target)
        for model in party.models
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
    places = tuple((f"{party.id}.{m.id}", m.x, m.y) for party in (unit, target) for m in party.models)
    battle.state.scratch.laid[unit.id] = Laid(_laid(unit), places)
    battle.emit(
        fire_events.RangesIn(
            side=unit.side, unit=unit.id, target=target.id, on_target=unit.on_target, rules=("17.8", "17.11")
        )
    )


# ---- once in reaction to one assault (16.4, 21.4) ------------------------------------------------------


def note_reaction(battle: BoltBattle, unit: Unit, fired: Iterable[HeldWeapon]) -> None:
    """Weapons have fired in reaction to an enemy's action, in ambush or at assaulters: they do so once (21.4)."""
    known = reacted(battle, unit)
    more = sorted({_hands(battle, unit, held) for held in fired} - set(known))
    battle.state.scratch.reacted[unit.id] = (*known, *more)


def reacted(battle: BoltBattle, unit: Unit) -> tuple[str, ...]:
    """What of a unit has fired in reaction to the action that goes on, as a key."""
    return battle.state.scratch.reacted.get(unit.id, ())


def has_reacted(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> bool:
    """Whether a weapon has had its shot in reaction to the action that goes on (21.4)."""
    known = reacted(battle, unit)
    return bool(known) and _hands(battle, unit, held) in known


def _hands(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> str:
    """Who fires a weapon: a man has one shot whatever he carries, a main gun goes with its co-axial gun (12.6)."""
    if not battle.type(unit).vehicle:
        return held.model
    return "main" if battle.mount(unit, held.slot).mount == "coaxial" or held.slot == 0 else str(held.slot)


# ---- one-shot weapons, and dice that tell a number (17.6) ---------------------------------------------------------


def spend(battle: BoltBattle, unit: Unit, held: HeldWeapon) -> None:
    """A one-shot weapon is gone once it is fired (17.6)."""
    model = next(model for model in unit.models if model.id == held.model)
    first = model.arms.index(held.slot)
    model.arms = model.arms[:first] + model.arms[first + 1 :]
    title = battle.weapon(unit, held.slot).title
    battle.emit(fire_events.Spent(side=unit.side, unit=unit.id, weapon=title, rules=("17.6",)))


def roll_dice(battle: BoltBattle, side: str, what: str, dice: str, rules: tuple[str, ...], unit: str = "") -> int:
    """Throw "D3", "2D6" or such; a plain number is itself."""
    if dice.isdigit():
        return int(dice)
    found: int = battle.roll(side, what, throw_of(dice), total(), rules, unit=unit)
    return found
