"""Unmanned guns: manning, capturing and destroying them, and abandoning a re-manned one (17.3-17.10, 19).

Whether a gun stays on the field when its crew is lost (17.2) is decided in `results`.
"""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Bar, Option
from grognard.games.ost import move_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IN_MELEE
from grognard.games.ost.state import GOOD, LOST, ON_MAP, UNMANNED, Unit
from grognard.games.ost.travel import Travel

NOT_UNMANNED = Bar("17.3", "that unmanned weapon is not in its hex")
SQUADS_ONLY = Bar("17.3", "only squads can man a weapon")
NOT_ON_MAP = Bar("19.2", "it isn't on the map")
RIDING = Bar("79.2", "it is riding on a vehicle")
INHERENT_CREW = Bar("19.1", "a gun's own crew can't abandon it")


def unmanned(battle: OstBattle, hex: str) -> list[Unit]:
    """The weapons that stand unmanned in a hex."""
    return [unit for unit in battle.state.units.values() if unit.status == UNMANNED and unit.hex == hex]


def bar_man(battle: OstBattle, squad: Unit, gun: Unit) -> Bar | None:
    """Why a unit that moved onto a weapon may not man it (17.3)."""
    if gun.status != UNMANNED or gun.hex != squad.hex:
        return NOT_UNMANNED
    return None if battle.type(squad).squad else SQUADS_ONLY


def man(battle: OstBattle, squad: Unit, gun: Unit) -> Unit:
    """A squad becomes the weapon's crew: its actions, morale, casualties and Leader pass to the gun (17.3-17.5, K-4).

    The gun did not move into a new hex, so it may fire later this turn, as Moving Fire (17.6). What the squad
    carried lies in the hex.
    """
    leader, hex = battle.leader(squad), squad.hex
    for weapon in battle.weapons(squad):
        weapon.unit, weapon.hex = "", hex
        battle.emit(move_events.WeaponLeft(side=squad.side, weapon=weapon.id, place=hex, rules=("17.3",)))
    if gun.side != squad.side:
        gun.captured = not gun.captured
    gun.side, gun.manned_by, gun.reduced, gun.morale = squad.side, squad.kind, squad.reduced, squad.morale
    _copy_marks(squad, gun)
    gun.new_hex, gun.main_fires, gun.acquired = False, 0, ""
    battle.lift(squad)
    squad.status = LOST
    if leader is not None:
        leader.attached, leader.inside, leader.on_road = gun.id, gun.inside, gun.on_road
    battle.place(gun, hex)
    rules = ("17.3", "17.5") if gun.captured else ("17.3",)
    battle.emit(move_events.Manned(side=squad.side, unit=squad.id, gun=gun.id, captured=gun.captured, rules=rules))
    return gun


def _copy_marks(old: Unit, new: Unit) -> None:
    """Action limits are kept (17.4)."""
    new.moved, new.fired, new.assaulted = old.moved, old.fired, old.assaulted
    new.intensive, new.loaded, new.hidden = old.intensive, old.loaded, old.hidden


def destroy_gun(battle: OstBattle, unit: Unit, gun: Unit) -> None:
    """A unit that moved onto an unmanned weapon destroys it, free and for no points (17.10, 5.10)."""
    gun.status = LOST
    battle.emit(move_events.Removed(side=unit.side, kind=battle.name(gun), place=gun.hex, rules=("17.10",)))


def gun_options(move: Travel) -> Iterator[Option]:
    """An unmanned weapon in the hex just entered may be manned or destroyed (17.7, 17.10, B-53).

    A squad in Rolling Cover keeps to its vehicle (81.10).
    """
    battle, unit = move.battle, move.movers[0]
    for gun in unmanned(battle, unit.hex):
        name = battle.type(gun).name
        for mover in move.movers:
            word = "" if len(move.movers) == 1 else f" {mover.id}"
            if not mover.partner and bar_man(battle, mover, gun) is None:
                label = f"Man the {name}"
                yield Option(f"man {gun.id}{word}", label, "man", mover.id, mover.hex, gun.id, rule="17.3")
        yield Option(f"destroy {gun.id}", f"Destroy the {name}", "destroy", unit.id, unit.hex, gun.id, rule="17.10")


def bar_abandon(battle: OstBattle, gun: Unit) -> Bar | None:
    """Why a weapon's crew may not leave it (19.1)."""
    if gun.status != ON_MAP:
        return NOT_ON_MAP
    if not gun.manned_by:
        return INHERENT_CREW
    if gun.aboard:
        return RIDING
    return IN_MELEE if gun.hex in battle.state.melees else None


def options_abandon(battle: OstBattle, side: str) -> Iterator[Option]:
    """Every re-manned or captured weapon that may be left, free, in its owner's Impulse (19.2, K-5)."""
    for gun in battle.units(side):
        if gun.manned_by and bar_abandon(battle, gun) is None:
            name = battle.type(gun).name
            yield Option(f"abandon {gun.id}", f"Leave the {name}", "abandon", gun.id, gun.hex, rule="19.2")
            key, label = f"abandon {gun.id} destroy", f"Leave and destroy the {name}"
            yield Option(key, label, "abandon", gun.id, gun.hex, rule="19.2")


def act_abandon(battle: OstBattle, side: str, gun_id: str, how: str = "") -> bool:
    """Leave a re-manned weapon, unmanned or destroyed: it costs nothing, and the Impulse goes on (19.2)."""
    abandon(battle, battle.unit(gun_id), destroy=how == "destroy")
    return True


def abandon(battle: OstBattle, gun: Unit, *, destroy: bool = False) -> Unit:
    """The squad that manned a weapon leaves it, unmanned or destroyed, with the losses it took there (19.2-19.4)."""
    leader, hex, side = battle.leader(gun), gun.hex, gun.side
    battle.lift(gun)
    gun.status = LOST if destroy else UNMANNED
    squad = battle.create(gun.manned_by, side, hex)
    squad.reduced, squad.morale, squad.inside, squad.on_road = gun.reduced, gun.morale, gun.inside, gun.on_road
    squad.new_hex = gun.new_hex
    _copy_marks(gun, squad)
    if leader is not None:
        leader.attached = squad.id
    gun.manned_by, gun.morale, gun.acquired = "", GOOD, ""
    battle.emit(move_events.GunLeft(side=side, unit=squad.id, gun=gun.id, rules=("19.2", "19.3")))
    if destroy:
        battle.emit(move_events.Removed(side=side, kind=battle.name(gun), place=hex, rules=("19.2",)))
    else:
        battle.emit(move_events.Unmanned(side=side, unit=gun.id, place=hex, rules=("19.2",)))
    return squad
